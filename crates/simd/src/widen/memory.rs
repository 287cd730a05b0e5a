//! Loads and stores of all lanes.
//!
//! | addresses | access |
//! |---|---|
//! | the same | scalar; of stores of different values the last lane's stays (a scatter, in order of the lanes) |
//! | one element apart | a vector, masked if lanes may be off |
//! | one element apart, downwards | the same, reversed |
//! | one behind the other, of bytes or halves | vectors of words and shifts |
//! | a few elements apart (vectors of the kernel, fields, complex numbers, every other element) | neighbouring vectors and shuffles |
//! | perhaps one element apart | a test, then either |
//! | else | gather, scatter; of a vector of bytes or halves as one word |
//!
//! Lanes that are off touch no memory. What is read between the elements that were asked for lies between two of them.

use super::emit::Emitter;
use super::slots::Interleaved;
use super::wide::{Perhaps, Wide};
use super::words::{word_of, words_of};
use ir::{AddrSpace, Flags, Function, Inst, MemInfo, Opcode, Payload, Slot, SlotData, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Largest distance of lanes, in elements, that is read as neighbouring vectors, also for a part of what lies between.
const MAX_APART: i64 = 4;
/// The same where a vector of the kernel fills it: a power of two, so that shuffles in stages suffice.
const MAX_FILLED: i64 = 16;
/// Most lanes that a shuffle can take from.
const MAX_SHUFFLED: u8 = 16;

/// The lanes' copies of stack slots, shared by all loops of a function.
pub(super) struct Layouts {
    pub(super) interleaved: Interleaved,
    copies: FxHashMap<Slot, Slot>,
}

impl Layouts {
    pub(super) fn new(interleaved: Interleaved) -> Self {
        Self { interleaved, copies: FxHashMap::default() }
    }

    /// The slot that holds the copies of `slot` for all lanes of so many vectors, and how many bytes each vector takes.
    pub(super) fn copies(&mut self, func: &mut Function, slot: Slot, stride: i64, lanes: u8, cells: u8) -> (Slot, i64) {
        let SlotData { align, name, size, .. } = func.slots[slot].clone();
        let each = match self.interleaved[slot] {
            Some(_) => i64::from(size),
            None => stride * i64::from(lanes),
        };
        let size = u32::try_from(each * i64::from(cells)).unwrap_or(u32::MAX);
        let copies = *self
            .copies
            .entry(slot)
            .or_insert_with(|| func.slots.push(SlotData { size, align, dims: SmallVec::new(), name }));
        func.slots[copies].size = func.slots[copies].size.max(size);
        (copies, each)
    }
}

/// One access: what is known of it besides the address.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub(super) mem: MemInfo,
    pub(super) flags: Flags,
    pub(super) mask: Option<Value>,
}

impl Emitter<'_> {
    /// Whether an access is volatile where others than the group's thread could see it. What is the group's own nobody else
    /// sees, so that a vector's accesses only have to stay in their order, which one thread's do.
    pub(super) fn is_one_by_one(&self, i: Inst) -> bool {
        let dfg = &self.r.func.dfg;
        let space = dfg.ty(dfg.arg(i, 0)).space();
        dfg.insts[i].flags.has(Flags::VOLATILE) && !matches!(space, Some(AddrSpace::Shared | AddrSpace::Private))
    }

    pub(super) fn load(&mut self, i: Inst, mask: Option<Value>) {
        let data = &self.r.func.dfg.insts[i];
        let (ty, flags) = (data.ty, data.flags);
        let (Some(mem), Some(result)) = (data.mem(), self.r.func.dfg.result(i)) else { return };
        if self.is_one_by_one(i) {
            return self.per_lane(i, mask);
        }
        let flags = flags.without(Flags::VOLATILE);
        let p = self.r.func.dfg.arg(i, 0);
        let p = self.wide(p);
        let access = Access { mem, flags, mask };
        let w = if let Wide::Uniform(p) = p {
            self.figures.uniform += 1;
            let any = self.any_if_own(mask);
            Wide::Uniform(self.value_if(any, ty, |e| e.put(Opcode::Load, ty, flags, &[p], Payload::Mem(mem))))
        } else {
            let elem = memory_type(ty.scalar());
            let lanes = self.load_parts(&p, elem, ty.lanes(), access);
            let parts: Vec<Wide> = lanes.into_iter().map(|v| self.loaded(v, ty.scalar())).collect();
            if ty.is_vector() { Wide::Parts(parts) } else { parts[0].clone() }
        };
        self.define(result, w);
    }

    pub(super) fn store(&mut self, i: Inst, mask: Option<Value>) {
        let data = &self.r.func.dfg.insts[i];
        let flags = data.flags;
        let Some(mem) = data.mem() else { return };
        if self.is_one_by_one(i) {
            return self.per_lane(i, mask);
        }
        let flags = flags.without(Flags::VOLATILE);
        let (p, v) = (self.r.func.dfg.arg(i, 0), self.r.func.dfg.arg(i, 1));
        let ty = self.r.func.dfg.ty(v);
        let (p, v) = (self.wide(p), self.wide(v));
        if let (Wide::Uniform(p), Wide::Uniform(v)) = (&p, &v) {
            self.figures.uniform += 1;
            let (p, v) = (*p, *v);
            match self.any_if_own(mask) {
                Some(any) => self.only_if(any, |e| {
                    e.put_inst(Opcode::Store, Type::VOID, flags, &[p, v], Payload::Mem(mem));
                }),
                None => {
                    self.put_inst(Opcode::Store, Type::VOID, flags, &[p, v], Payload::Mem(mem));
                }
            }
            return;
        }
        let elem = memory_type(ty.scalar());
        let parts = if ty.is_vector() { self.parts(&v, ty) } else { vec![v] };
        let lanes: Vec<Value> = parts.iter().map(|p| self.storable(p, ty.scalar())).collect();
        self.store_parts(&p, elem, &lanes, Access { mem, flags, mask });
    }

    /// Whether a lane of the cells that share an access is on, where some cell has one but perhaps not these.
    pub(super) fn any_if_own(&mut self, mask: Option<Value>) -> Option<Value> {
        let mask = mask.filter(|_| self.grid.cells() > 1 && self.only.is_none() && !self.for_everyone)?;
        Some(self.plain(Opcode::AnyLane, Type::I1, &[mask]))
    }

    /// A value that is computed only if a condition holds, and is anything otherwise.
    fn value_if(&mut self, cond: Option<Value>, ty: Type, make: impl FnOnce(&mut Self) -> Value) -> Value {
        let Some(cond) = cond else { return make(self) };
        let start = self.here;
        let (then, join) = (self.new_block(), self.new_block());
        let result = self.func.dfg.add_param(join, ty);
        let undef = self.func.dfg.undef(ty);
        self.here = then;
        let v = make(self);
        self.jump(join, &[v]);
        self.here = start;
        self.branch(cond, (then, &[]), (join, &[undef]), None);
        self.here = join;
        result
    }

    fn loaded(&mut self, v: Value, ty: Type) -> Wide {
        if ty == Type::I1 {
            let wide = self.mask_type();
            return Wide::Lanes(self.plain(Opcode::Trunc, wide, &[v]), None);
        }
        if ty.is_ptr() {
            return Wide::Far { base: self.func.dfg.bits(ty, 0), offsets: v, perhaps: None };
        }
        Wide::Lanes(v, None)
    }

    fn storable(&mut self, w: &Wide, ty: Type) -> Value {
        let v = self.lanes_of(w, ty);
        if ty == Type::I1 {
            let wide = self.wide_type(Type::I8);
            return self.plain(Opcode::ZExt, wide, &[v]);
        }
        v
    }

    // ---- which access ---------------------------------------------------------------------------------------------

    /// `count` consecutive elements from each lane's address, as a vector of lanes each.
    fn load_parts(&mut self, p: &Wide, elem: Type, count: u8, a: Access) -> Vec<Value> {
        let size = i64::from(elem.scalar_bytes());
        if let Some(words) = words_of(p, elem, count) {
            let as_words = self.load_parts(p, Type::I32, words, a);
            let each = count / words;
            let parts: Vec<Value> =
                as_words.into_iter().flat_map(|word| self.split_words(word, Type::I32, elem, each)).collect();
            if let &Wide::Strided(base, _) = p
                && a.mask.is_none()
            {
                // What is computed on rows alone needs no words, which then go.
                self.note_rows(base, &parts, elem, a);
            }
            return parts;
        }
        match p {
            &Wide::Strided(base, stride) if self.is_interleaved(stride, size, count, a) => {
                self.figures.interleaved += 1;
                self.load_interleaved(base, stride / size, elem, count, a)
            }
            Wide::Far { perhaps: Some(m), .. } if self.is_close(m.stride, size, count) => {
                let m = *m;
                self.load_perhaps(p, m, elem, count, a)
            }
            _ => match word_of(p, elem, count) {
                Some(word) => {
                    let words = self.load_one(p, word, 0, a);
                    self.split_words(words, word, elem, count)
                }
                None => (0..count).map(|n| self.load_one(p, elem, i64::from(n) * size, a)).collect(),
            },
        }
    }

    fn is_close(&self, stride: i64, size: i64, count: u8) -> bool {
        stride == size && count == 1 || count > 1 && stride == size * i64::from(count) && is_near(stride / size, count)
    }

    fn is_interleaved(&self, stride: i64, size: i64, count: u8, a: Access) -> bool {
        let apart = stride / size;
        stride % size == 0
            && is_near(apart, count)
            && self.lanes <= MAX_SHUFFLED
            && i64::from(count) <= apart
            && (count > 1 || a.mask.is_none() || self.has_masked_rows(size))
    }

    /// Whether lanes of rows that are off cost nothing: else a gather's lanes one by one are fewer.
    fn has_masked_rows(&self, size: i64) -> bool {
        self.masked_rows && size >= 4
    }

    /// Whether a store of one element in each lane, a few elements apart, is worth neighbouring vectors with gaps.
    fn has_gaps(&self, stride: i64, size: i64) -> bool {
        self.has_masked_rows(size)
            && stride % size == 0
            && (2..=MAX_APART).contains(&(stride / size))
            && self.lanes <= MAX_SHUFFLED
    }

    /// One element at `offset` from each lane's address.
    fn load_one(&mut self, p: &Wide, elem: Type, offset: i64, a: Access) -> Value {
        let size = i64::from(elem.scalar_bytes());
        let mem = Self::element(a.mem, elem);
        match *p {
            Wide::Strided(base, stride) => {
                let base = self.ptradd(base, offset);
                if stride == size {
                    self.figures.contiguous += 1;
                    return self.load_row(base, elem, Access { mem, ..a });
                }
                if stride == -size {
                    self.figures.contiguous += 1;
                    return self.load_reversed(base, elem, Access { mem, ..a });
                }
                let steps = self.short_steps(stride);
                self.gather(base, steps, elem, Access { mem, ..a })
            }
            _ => {
                let (base, offsets) = self.far(p);
                let base = self.ptradd(base, offset);
                self.gather(base, offsets, elem, Access { mem, ..a })
            }
        }
    }

    /// Offsets of lanes so many bytes apart, in 32 bits if they fit.
    fn short_steps(&mut self, stride: i64) -> Value {
        let fits = stride.checked_mul(i64::from(self.lanes)).is_some_and(|n| i32::try_from(n).is_ok());
        self.steps(if fits { Type::I32 } else { Type::I64 }, stride)
    }

    fn store_parts(&mut self, p: &Wide, elem: Type, lanes: &[Value], a: Access) {
        let size = i64::from(elem.scalar_bytes());
        let count = lanes.len() as u8;
        if let Some(words) = words_of(p, elem, count).filter(|_| a.mask.is_some() || !self.follow_rows(lanes)) {
            let each = usize::from(count / words);
            let joined: Vec<Value> = lanes.chunks(each).map(|parts| self.join_words(parts, Type::I32, elem)).collect();
            return self.store_parts(p, Type::I32, &joined, a);
        }
        match p {
            &Wide::Strided(base, stride)
                if count > 1 && stride == size * i64::from(count) && self.is_interleaved(stride, size, count, a) =>
            {
                self.figures.interleaved += 1;
                self.store_interleaved(base, elem, lanes, a);
            }
            &Wide::Strided(base, stride) if i64::from(count) < stride / size && self.has_gaps(stride, size) => {
                self.figures.interleaved += 1;
                self.store_with_gaps(base, stride / size, elem, lanes, a);
            }
            Wide::Far { perhaps: Some(m), .. } if self.is_close(m.stride, size, count) => {
                let m = *m;
                self.store_perhaps(p, m, elem, lanes, a);
            }
            _ => match word_of(p, elem, count) {
                Some(word) => {
                    let words = self.join_words(lanes, word, elem);
                    self.store_one(p, word, 0, words, a);
                }
                None => {
                    for (n, &v) in lanes.iter().enumerate() {
                        self.store_one(p, elem, n as i64 * size, v, a);
                    }
                }
            },
        }
    }

    fn store_one(&mut self, p: &Wide, elem: Type, offset: i64, v: Value, a: Access) {
        let size = i64::from(elem.scalar_bytes());
        let a = Access { mem: Self::element(a.mem, elem), ..a };
        match *p {
            Wide::Strided(base, stride) => {
                let base = self.ptradd(base, offset);
                if stride == size {
                    self.figures.contiguous += 1;
                    return self.store_row(base, v, a);
                }
                if stride == -size {
                    self.figures.contiguous += 1;
                    let (base, mask) = (self.last_lane(base, elem), self.reversed_mask(a.mask));
                    let v = self.reverse(v);
                    return self.store_row(base, v, Access { mask, ..a });
                }
                let steps = self.short_steps(stride);
                self.scatter(base, steps, v, a);
            }
            _ => {
                let (base, offsets) = self.far(p);
                let base = self.ptradd(base, offset);
                self.scatter(base, offsets, v, a);
            }
        }
    }

    // ---- rows -----------------------------------------------------------------------------------------------------

    pub(super) fn load_row(&mut self, base: Value, elem: Type, a: Access) -> Value {
        let ty = self.wide_type(elem);
        match a.mask {
            None => self.put(Opcode::Load, ty, a.flags, &[base], Payload::Mem(a.mem)),
            Some(m) => {
                let other = self.func.dfg.undef(ty);
                self.put(Opcode::MaskedLoad, ty, a.flags, &[base, m, other], Payload::Mem(a.mem))
            }
        }
    }

    pub(super) fn store_row(&mut self, base: Value, v: Value, a: Access) {
        match a.mask {
            None => self.put_inst(Opcode::Store, Type::VOID, a.flags, &[base, v], Payload::Mem(a.mem)),
            Some(m) => self.put_inst(Opcode::MaskedStore, Type::VOID, a.flags, &[base, m, v], Payload::Mem(a.mem)),
        };
    }

    fn load_reversed(&mut self, base: Value, elem: Type, a: Access) -> Value {
        let (base, mask) = (self.last_lane(base, elem), self.reversed_mask(a.mask));
        let v = self.load_row(base, elem, Access { mask, ..a });
        self.reverse(v)
    }

    fn last_lane(&mut self, base: Value, elem: Type) -> Value {
        self.ptradd(base, -(i64::from(self.lanes) - 1) * i64::from(elem.scalar_bytes()))
    }

    fn reversed_mask(&mut self, mask: Option<Value>) -> Option<Value> {
        mask.map(|m| self.reverse(m))
    }

    fn reverse(&mut self, v: Value) -> Value {
        let ty = self.func.dfg.ty(v);
        if self.lanes <= MAX_SHUFFLED {
            let lanes: Vec<u8> = (0..self.lanes).rev().collect();
            return self.shuffle(v, v, &lanes);
        }
        let last = self.func.dfg.iconst(Type::I32, i64::from(self.lanes) - 1);
        let (last, iota) = (self.splat(last), self.steps(Type::I32, 1));
        let index_ty = self.wide_type(Type::I32);
        let index = self.plain(Opcode::Sub, index_ty, &[last, iota]);
        self.plain(Opcode::Permute, ty, &[v, index])
    }

    pub(super) fn shuffle(&mut self, a: Value, b: Value, lanes: &[u8]) -> Value {
        let ty = self.func.dfg.ty(a).scalar().vector(lanes.len() as u8).unwrap_or(Type::VOID);
        let mut mask = [ir::UNDEF_LANE; 16];
        mask[..lanes.len()].copy_from_slice(lanes);
        self.put(Opcode::Shuffle, ty, Flags::NONE, &[a, b], Payload::Shuffle(mask))
    }

    pub(super) fn all_lanes(&mut self, mask: Option<Value>) -> Value {
        let ty = self.mask_type();
        mask.unwrap_or_else(|| self.func.dfg.bits(ty, 1))
    }

    fn gather(&mut self, base: Value, offsets: Value, elem: Type, a: Access) -> Value {
        self.figures.gathers += 1;
        let ty = self.wide_type(elem);
        let (mask, other) = (self.all_lanes(a.mask), self.func.dfg.undef(ty));
        self.put(Opcode::Gather, ty, a.flags, &[base, offsets, mask, other], Payload::Mem(a.mem))
    }

    fn scatter(&mut self, base: Value, offsets: Value, v: Value, a: Access) {
        self.figures.gathers += 1;
        let mask = self.all_lanes(a.mask);
        self.put_inst(Opcode::Scatter, Type::VOID, a.flags, &[base, offsets, mask, v], Payload::Mem(a.mem));
    }

    // ---- two versions -----------------------------------------------------------------------------------------------

    /// Loads that are rows if a condition holds.
    fn load_perhaps(&mut self, p: &Wide, m: Perhaps, elem: Type, count: u8, a: Access) -> Vec<Value> {
        self.figures.tested += 1;
        let start = self.here;
        let (fast, slow, join) = (self.new_block(), self.new_block(), self.new_block());
        let wide = self.wide_type(elem);
        let results: Vec<Value> = (0..count).map(|_| self.func.dfg.add_param(join, wide)).collect();
        self.here = fast;
        let lanes = self.load_parts(&Wide::Strided(m.base, m.stride), elem, count, a);
        self.jump(join, &lanes);
        self.here = slow;
        let lanes = self.load_parts(&without_perhaps(p), elem, count, a);
        self.jump(join, &lanes);
        self.here = start;
        self.branch(m.holds, (fast, &[]), (slow, &[]), None);
        self.here = join;
        results
    }

    fn store_perhaps(&mut self, p: &Wide, m: Perhaps, elem: Type, lanes: &[Value], a: Access) {
        self.figures.tested += 1;
        let start = self.here;
        let (fast, slow, join) = (self.new_block(), self.new_block(), self.new_block());
        self.here = fast;
        self.store_parts(&Wide::Strided(m.base, m.stride), elem, lanes, a);
        self.jump(join, &[]);
        self.here = slow;
        self.store_parts(&without_perhaps(p), elem, lanes, a);
        self.jump(join, &[]);
        self.here = start;
        self.branch(m.holds, (fast, &[]), (slow, &[]), None);
        self.here = join;
    }
}

/// Whether lanes so many elements apart, of which `count` are accessed in each, are worth neighbouring vectors.
fn is_near(apart: i64, count: u8) -> bool {
    let filled = i64::from(count) == apart && apart <= MAX_FILLED && apart.count_ones() == 1;
    (2..=MAX_APART).contains(&apart) || apart > 1 && filled
}

fn without_perhaps(p: &Wide) -> Wide {
    match p {
        &Wide::Far { base, offsets, .. } => Wide::Far { base, offsets, perhaps: None },
        other => other.clone(),
    }
}

/// The type in which lanes of `ty` are in memory: truth values as bytes, pointers as numbers.
fn memory_type(ty: Type) -> Type {
    if ty == Type::I1 {
        Type::I8
    } else if ty.is_ptr() {
        Type::I64
    } else {
        ty
    }
}
