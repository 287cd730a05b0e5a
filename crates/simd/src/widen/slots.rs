//! Private arrays, lane beside lane.
//!
//! # What it does
//!
//! Each lane has a copy of every stack slot. One copy after the other makes a gather of every access; so where all
//! accesses to a slot are of elements of one size, its copies are interleaved: element `k` of all lanes, then element
//! `k + 1`. An index that is the same for all lanes then reads a plain vector. Since addresses within a slot are linear
//! in their offsets, it takes no more than offsets that are multiplied by the number of lanes, and copies that are one
//! element apart ([`Interleaved`]). Vectors of the kernel are accessed component by component; blocks of memory that are
//! set or copied, element by element.
//!
//! # What must hold
//!
//! Addresses of the slot are computed in plain sight: by additions, choices, and through parameters of blocks, from
//! this slot alone; they are used for accesses only, each aligned to its elements.
//!
//! # Limits
//!
//! Slots of mixed sizes, compared or escaping addresses, blocks of more than [`MAX_BLOCK`] elements and slots of more
//! than [`MAX_BYTES`] stay as they are.
//!
//! # Cost
//!
//! A few walks over the function; none if it has no slots.

use cranelift_entity::SecondaryMap;
use ir::{Builder, ConstKind, Flags, Function, Inst, MemInfo, Opcode, Slot, Type, Value, ValueDef};

/// Most elements of a block of memory that is set or copied.
const MAX_BLOCK: u64 = 256;
/// Most bytes of a slot, for all lanes of a vector.
const MAX_BYTES: u64 = 1 << 24;

/// For the slots that are interleaved the bytes of an element. Their size is that of all lanes' copies.
pub(super) type Interleaved = SecondaryMap<Slot, Option<u32>>;

/// Where the address in a value may point.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum From {
    /// Nothing is known yet.
    #[default]
    Unknown,
    /// Into this slot.
    Slot(Slot),
    /// Elsewhere, or it is no address.
    Else,
}

/// How a slot is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Use {
    /// Not at all.
    #[default]
    None,
    /// In elements of so many bytes.
    Elements(u32),
    /// In some other way.
    Mixed,
}

/// Interleaves the slots for which it is possible.
pub(super) fn run(func: &mut Function, lanes: u32) -> Interleaved {
    let mut out = Interleaved::new();
    if func.slots.is_empty() {
        return out;
    }
    let (from, uses) = Finder::new(func).find();
    for (s, data) in func.slots.iter_mut() {
        let Use::Elements(bytes) = uses[s] else { continue };
        let size = u64::from(data.size.max(1)).next_multiple_of(bytes.into()) * u64::from(lanes);
        if size > MAX_BYTES || !data.align.is_multiple_of(bytes) {
            continue;
        }
        out[s] = Some(bytes);
        data.size = size as u32;
        // A vector of elements.
        data.align = data.align.max((bytes * lanes).next_power_of_two().min(64));
    }
    Rewriter { func, from, slots: &out, lanes: lanes.into() }.run();
    func.dfg.resolve_aliases(&func.layout);
    out
}

struct Finder<'a> {
    func: &'a Function,
    from: SecondaryMap<Value, From>,
    uses: SecondaryMap<Slot, Use>,
    /// Blocks of memory of slots that are set or copied.
    blocks: Vec<Inst>,
}

impl<'a> Finder<'a> {
    fn new(func: &'a Function) -> Self {
        Self { func, from: SecondaryMap::new(), uses: SecondaryMap::new(), blocks: Vec::new() }
    }

    /// Where addresses point, and how slots are accessed.
    fn find(mut self) -> (SecondaryMap<Value, From>, SecondaryMap<Slot, Use>) {
        while self.round() {}
        for b in self.func.layout.blocks() {
            for i in self.func.layout.insts(b) {
                self.note_uses(i);
            }
        }
        // Twice: a slot that is refused refuses the one it is copied to.
        for _ in 0..2 {
            let blocks = self.blocks.clone();
            self.check_blocks();
            self.blocks = blocks;
        }
        (self.from, self.uses)
    }

    fn of(&self, v: Value) -> From {
        let v = self.func.dfg.resolve(v);
        match self.func.dfg.values[v].def {
            ValueDef::Const(ConstKind::Slot(s)) => From::Slot(s),
            ValueDef::Const(_) => From::Else,
            _ => self.from[v],
        }
    }

    /// One of several values that a value may be.
    fn join(&mut self, a: From, b: From) -> From {
        match (a, b) {
            (From::Unknown, x) | (x, From::Unknown) => x,
            (a, b) if a == b => a,
            _ => {
                for x in [a, b] {
                    if let From::Slot(s) = x {
                        self.uses[s] = Use::Mixed;
                    }
                }
                From::Else
            }
        }
    }

    fn set(&mut self, v: Value, now: From) -> bool {
        let now = self.join(self.from[v], now);
        let changed = self.from[v] != now;
        self.from[v] = now;
        changed
    }

    fn round(&mut self) -> bool {
        let func = self.func;
        let mut changed = false;
        for &p in func.dfg.params(func.layout.entry()) {
            changed |= self.set(p, From::Else);
        }
        for b in func.layout.blocks() {
            for i in func.layout.insts(b) {
                if let Some(v) = func.dfg.result(i) {
                    let now = self.result(i);
                    changed |= self.set(v, now);
                }
                for n in 0..func.dfg.successor_count(i) {
                    let to = func.dfg.successor(i, n);
                    for (k, &v) in func.dfg.branch_args(i, n).iter().enumerate() {
                        let now = self.of(v);
                        changed |= self.set(func.dfg.params(to)[k], now);
                    }
                }
            }
        }
        changed
    }

    fn result(&mut self, i: Inst) -> From {
        let args = self.func.dfg.args(i);
        match self.func.dfg.op(i) {
            Opcode::PtrAdd | Opcode::AddrSpaceCast => self.of(args[0]),
            Opcode::Select => {
                let (a, b) = (self.of(args[1]), self.of(args[2]));
                self.join(a, b)
            }
            _ => From::Else,
        }
    }

    fn note_uses(&mut self, i: Inst) {
        let func = self.func;
        let data = &func.dfg.insts[i];
        for (n, &v) in func.dfg.args(i).iter().enumerate() {
            let From::Slot(s) = self.of(v) else { continue };
            let now = match data.op {
                Opcode::PtrAdd | Opcode::AddrSpaceCast if n == 0 => continue,
                Opcode::Select if n > 0 => continue,
                Opcode::Load if n == 0 => access(data.ty, data.mem(), data.flags),
                Opcode::Store if n == 0 => access(func.dfg.ty(func.dfg.arg(i, 1)), data.mem(), data.flags),
                Opcode::AtomicRmw if n == 0 => Use::Elements(func.dfg.ty(func.dfg.arg(i, 1)).bytes()),
                Opcode::MemSet | Opcode::MemCpy if n < 2 && self.note_block(i) => continue,
                _ => Use::Mixed,
            };
            self.uses[s] = match self.uses[s] {
                Use::None => now,
                old if old == now => old,
                _ => Use::Mixed,
            };
        }
    }

    /// A block of memory may be divided into elements: if it is set to a constant, of constant size, and short.
    fn note_block(&mut self, i: Inst) -> bool {
        let (func, data) = (self.func, &self.func.dfg.insts[i]);
        let constant = |n: usize| func.dfg.as_int(func.dfg.arg(i, n)).is_some();
        let fits = !data.flags.has(Flags::VOLATILE) && constant(2) && (data.op == Opcode::MemCpy || constant(1));
        if fits {
            self.blocks.push(i);
        }
        fits
    }

    /// Blocks must be of whole elements, few and aligned; for memory from elsewhere, too.
    fn check_blocks(&mut self) {
        let func = self.func;
        for i in std::mem::take(&mut self.blocks) {
            let bytes = func.dfg.as_int(func.dfg.arg(i, 2)).and_then(|n| u64::try_from(n).ok()).unwrap_or(u64::MAX);
            let align = func.dfg.insts[i].mem().map_or(1, MemInfo::align);
            for n in 0..2 {
                let From::Slot(s) = self.of(func.dfg.arg(i, n)) else { continue };
                let Use::Elements(each) = self.uses[s] else { continue };
                let whole = bytes.is_multiple_of(each.into()) && align >= each && bytes / u64::from(each) <= MAX_BLOCK;
                // Two slots are copied element by element only if those are the same.
                let other = match self.of(func.dfg.arg(i, 1 - n)) {
                    From::Slot(o) if func.dfg.op(i) == Opcode::MemCpy => self.uses[o] == self.uses[s],
                    _ => true,
                };
                if !whole || !other {
                    self.uses[s] = Use::Mixed;
                }
            }
        }
    }
}

/// An access of a type.
fn access(ty: Type, mem: Option<MemInfo>, flags: Flags) -> Use {
    let bytes = ty.scalar_bytes().max(1);
    let aligned = mem.is_some_and(|m| 1u64 << m.align_log2.min(16) >= u64::from(bytes));
    let whole = ty.is_vector() && (flags.has(Flags::VOLATILE) || ty.scalar() == Type::I1 || ty.is_ptr());
    if aligned && !whole { Use::Elements(bytes) } else { Use::Mixed }
}

/// Rewrites accesses to interleaved slots.
struct Rewriter<'a> {
    func: &'a mut Function,
    from: SecondaryMap<Value, From>,
    slots: &'a Interleaved,
    lanes: i64,
}

impl Rewriter<'_> {
    fn run(&mut self) {
        let insts: Vec<Inst> = self.func.layout.blocks().flat_map(|b| self.func.layout.insts(b)).collect();
        for i in insts {
            match self.func.dfg.op(i) {
                Opcode::PtrAdd if self.element(i, 0).is_some() => {
                    let offset = self.func.dfg.arg(i, 1);
                    let spread = self.spread(i, offset);
                    self.func.dfg.args_mut(i)[1] = spread;
                }
                Opcode::Load | Opcode::Store => {
                    if let Some(bytes) = self.element(i, 0) {
                        self.components(i, bytes);
                    }
                }
                Opcode::MemSet | Opcode::MemCpy => {
                    if let Some(bytes) = self.element(i, 0).or_else(|| self.element(i, 1)) {
                        self.block(i, bytes);
                    }
                }
                _ => {}
            }
        }
    }

    /// Bytes of the elements of the interleaved slot into which operand `n` points.
    fn element(&self, i: Inst, n: usize) -> Option<u32> {
        let v = self.func.dfg.resolve(self.func.dfg.arg(i, n));
        match self.func.dfg.values[v].def {
            ValueDef::Const(ConstKind::Slot(s)) => self.slots[s],
            ValueDef::Const(_) => None,
            _ => match self.from[v] {
                From::Slot(s) => self.slots[s],
                _ => None,
            },
        }
    }

    /// An offset among the elements of all lanes.
    fn spread(&mut self, before: Inst, offset: Value) -> Value {
        let ty = self.func.dfg.ty(offset);
        match self.func.dfg.as_int(offset) {
            Some(n) => self.func.dfg.iconst(ty, n.wrapping_mul(self.lanes)),
            None => {
                let lanes = self.func.dfg.iconst(ty, self.lanes);
                Builder::before(self.func, before).mul(offset, lanes)
            }
        }
    }

    /// The address `n` bytes behind operand `k`, where elements are `apart` times as far from each other.
    fn at(&mut self, before: Inst, k: usize, n: i64, apart: i64) -> Value {
        let p = self.func.dfg.arg(before, k);
        if n == 0 {
            return p;
        }
        let mut b = Builder::before(self.func, before);
        let offset = b.iconst(Type::I64, n.wrapping_mul(apart));
        b.ptradd(p, offset, Flags::NONE)
    }

    /// Takes an access of a vector of the kernel apart.
    fn components(&mut self, i: Inst, bytes: u32) {
        let data = &self.func.dfg.insts[i];
        let (op, flags) = (data.op, data.flags);
        let Some(mem) = data.mem() else { return };
        let ty = if op == Opcode::Load { data.ty } else { self.func.dfg.ty(self.func.dfg.arg(i, 1)) };
        if !ty.is_vector() {
            return;
        }
        let mem = MemInfo { align_log2: bytes.ilog2() as u8, ..mem };
        let parts: Vec<Value> = (0..ty.lanes())
            .filter_map(|n| {
                let p = self.at(i, 0, i64::from(n) * i64::from(bytes), self.lanes);
                let v = if op == Opcode::Store { Some(self.func.dfg.arg(i, 1)) } else { None };
                let mut b = Builder::before(self.func, i);
                match v {
                    Some(v) => {
                        let part = b.extract(v, n);
                        b.store(p, part, mem, flags);
                        None
                    }
                    None => Some(b.load(ty.scalar(), p, mem, flags)),
                }
            })
            .collect();
        if let Some(result) = self.func.dfg.result(i) {
            let whole = Builder::before(self.func, i).vec_build(&parts);
            self.func.dfg.replace_value(result, whole);
        }
        self.func.layout.remove_inst(i);
    }

    /// Sets or copies a block of memory element by element.
    fn block(&mut self, i: Inst, bytes: u32) {
        let dfg = &self.func.dfg;
        let (Some(total), Some(mem)) = (dfg.as_int(dfg.arg(i, 2)), dfg.insts[i].mem()) else { return };
        let Some(ty) = Type::int(bytes * 8) else { return };
        let copies = dfg.op(i) == Opcode::MemCpy;
        let fill = dfg.as_bits(dfg.arg(i, 1)).unwrap_or(0) & 0xff;
        let apart = [0, 1].map(|k| if self.element(i, k).is_some() { self.lanes } else { 1 });
        let mem = MemInfo { align_log2: bytes.ilog2() as u8, ..mem };
        for n in (0..total).step_by(bytes as usize) {
            let v = if copies {
                let from = self.at(i, 1, n, apart[1]);
                Builder::before(self.func, i).load(ty, from, mem, Flags::NONE)
            } else {
                self.func.dfg.bits(ty, fill.wrapping_mul(0x0101_0101_0101_0101) & ty.mask())
            };
            let to = self.at(i, 0, n, apart[0]);
            Builder::before(self.func, i).store(to, v, mem, Flags::NONE);
        }
        self.func.layout.remove_inst(i);
    }
}
