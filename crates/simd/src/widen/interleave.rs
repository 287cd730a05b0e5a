//! Accesses of lanes a few elements apart: neighbouring vectors and shuffles.
//!
//! The vectors of a `float4` in each lane are a matrix of elements to be transposed. Where the distance is a power of two
//! that is done in stages, each of which halves the distance (as in fast Fourier transforms): `n log n` shuffles of two
//! vectors for `n` vectors. What a vector holds is written down beside it, so that stages are free to leave elements
//! where it is cheap; the last shuffle puts right what then is not in place.
//!
//! What is computed component by component from such vectors, and from what is the same for all lanes, needs no transposing: a
//! store does the few operations on the rows as they were loaded (`a[i] = b[i] * s + c[i]` of `float4`s).

use super::emit::Emitter;
use super::memory::Access;
use ir::{ConstKind, Inst, MemInfo, Opcode, Payload, Type, Value, ValueDef};

/// Most operations that a store does again on rows; those on components are gone then, if nothing else uses them.
const AGAIN: usize = 24;

/// What the components of each lane's vector are, seen together.
enum Together {
    /// Loaded as these rows.
    Loaded(Vec<Value>),
    /// The same in all lanes.
    Uniform,
    /// Each by this operation, from components of other vectors.
    By(Inst),
}

/// A vector, and which element of the memory in question each of its lanes holds.
#[derive(Clone)]
struct Strip {
    v: Value,
    holds: Vec<i64>,
}

/// Whether lane `l` of the result is made of lanes `l` of the operands, by little more than an instruction.
fn is_lane_by_lane(op: Opcode) -> bool {
    use Opcode::*;
    let of_integers =
        matches!(op, Add | Sub | Mul | And | Or | Xor | Shl | LShr | AShr | SMin | SMax | UMin | UMax | Abs);
    let of_floats = matches!(
        op,
        FAdd | FSub | FMul | FDiv | FMin | FMax | Fma | FNeg | FAbs | FSqrt | FFloor | FCeil | FTrunc | FRint
    );
    let between =
        matches!(op, Trunc | ZExt | SExt | FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp | Icmp | Fcmp | Select);
    of_integers || of_floats || between
}

/// Whether two of those operations are told the same.
fn same_payload(a: &Payload, b: &Payload) -> bool {
    match (a, b) {
        (Payload::None, Payload::None) => true,
        (Payload::IntCC(a), Payload::IntCC(b)) => a == b,
        (Payload::FloatCC(a), Payload::FloatCC(b)) => a == b,
        (Payload::Round(a), Payload::Round(b)) => a == b,
        _ => false,
    }
}

/// An access so many bytes behind another, which is as aligned as both allow.
fn behind(mem: MemInfo, bytes: i64) -> MemInfo {
    MemInfo { align_log2: bytes.trailing_zeros().min(mem.align_log2.into()) as u8, ..mem }
}

impl Emitter<'_> {
    /// Elements `0..count` of each lane, the lanes `apart` elements from each other.
    pub(super) fn load_interleaved(&mut self, base: Value, apart: i64, elem: Type, count: u8, a: Access) -> Vec<Value> {
        let w = i64::from(self.lanes);
        let size = i64::from(elem.scalar_bytes());
        let exact = i64::from(count) == apart && a.mask.is_none();
        let mut rows: Vec<Strip> = Vec::new();
        for row in 0..apart {
            // Unmasked with gaps: the last vector ends with the last element.
            let tail = !exact && a.mask.is_none() && row == apart - 1;
            let first = if tail { (w - 1) * apart + i64::from(count) - w } else { row * w };
            let at = self.ptradd(base, first * size);
            let mask = a.mask.map(|m| self.spread_mask(m, row, apart, count));
            let mem = behind(a.mem, first * size);
            let v = self.load_row(at, elem, Access { mem, mask, ..a });
            rows.push(Strip { v, holds: (first..first + w).collect() });
        }
        let loaded: Vec<Value> = rows.iter().map(|r| r.v).collect();
        let whole = rows.iter().zip(0..).all(|(r, n)| r.holds[0] == n * w);
        let strips = if whole && apart.count_ones() == 1 { self.apart(rows) } else { rows };
        let parts: Vec<Value> = (0..count.into()).map(|c| self.assemble(&strips, |lane| lane * apart + c)).collect();
        if i64::from(count) == apart {
            self.rows.insert(parts.clone(), loaded);
        }
        parts
    }

    /// Loads as rows, too, what is loaded as these components, of lanes that follow each other.
    pub(super) fn note_rows(&mut self, base: Value, parts: &[Value], elem: Type, a: Access) {
        let bytes = i64::from(self.lanes) * i64::from(elem.scalar_bytes());
        let row = |this: &mut Self, n: i64| {
            let at = this.ptradd(base, n * bytes);
            this.load_row(at, elem, Access { mem: behind(Self::element(a.mem, elem), n * bytes), ..a })
        };
        let rows = (0..parts.len() as i64).map(|n| row(self, n)).collect();
        self.rows.insert(parts.to_vec(), rows);
    }

    /// Whether a store of these components can be made from rows.
    pub(super) fn follow_rows(&self, parts: &[Value]) -> bool {
        let mut again = AGAIN;
        self.follows_rows(parts, &mut again)
    }

    /// Stores the components of each lane's vector, one after the other.
    pub(super) fn store_interleaved(&mut self, base: Value, elem: Type, parts: &[Value], a: Access) {
        let (w, apart) = (i64::from(self.lanes), parts.len() as i64);
        let size = i64::from(elem.scalar_bytes());
        let rows = match self.follow_rows(parts) {
            true => self.rows_of(parts),
            false => {
                let strip = |(&v, c)| Strip { v, holds: (0..w).map(|l| l * apart + c).collect() };
                let strips: Vec<Strip> = parts.iter().zip(0..).map(strip).collect();
                let strips = if apart.count_ones() == 1 { self.together(strips) } else { strips };
                (0..apart).map(|row| self.assemble(&strips, |lane| row * w + lane)).collect()
            }
        };
        for (row, v) in (0..apart).zip(rows) {
            let at = self.ptradd(base, row * w * size);
            let mask = a.mask.map(|m| self.spread_mask(m, row, apart, apart as u8));
            let mem = behind(a.mem, row * w * size);
            self.store_row(at, v, Access { mem, mask, ..a });
        }
    }

    /// Stores the first elements of each lane, the lanes `apart` elements from each other; what lies between stays as it is.
    pub(super) fn store_with_gaps(&mut self, base: Value, apart: i64, elem: Type, parts: &[Value], a: Access) {
        let (w, count) = (i64::from(self.lanes), parts.len() as i64);
        let size = i64::from(elem.scalar_bytes());
        let all = self.all_lanes(a.mask);
        let strip = |(&v, c)| Strip { v, holds: (0..w).map(|l| l * apart + c).collect() };
        let strips: Vec<Strip> = parts.iter().zip(0..).map(strip).collect();
        for row in 0..apart {
            // Gaps have any element.
            let held = |e: i64| if e % apart < count { e } else { e / apart * apart };
            let spread = self.assemble(&strips, |lane| held(row * w + lane));
            let at = self.ptradd(base, row * w * size);
            let mask = Some(self.spread_mask(all, row, apart, count as u8));
            self.store_row(at, spread, Access { mem: behind(a.mem, row * w * size), mask, ..a });
        }
    }

    /// The mask of row `row` of interleaved elements, of which the first `count` of `apart` are wanted.
    fn spread_mask(&mut self, mask: Value, row: i64, apart: i64, count: u8) -> Value {
        let w = i64::from(self.lanes);
        let ty = self.mask_type();
        let none = self.func.dfg.bits(ty, 0);
        let lanes: Vec<u8> = (row * w..(row + 1) * w)
            .map(|e| if e % apart < count.into() { (e / apart) as u8 } else { self.lanes })
            .collect();
        self.shuffle(mask, none, &lanes)
    }

    // ---- rows -------------------------------------------------------------------------------------------------------

    /// What `parts` are, if a store can do with it.
    fn together_as(&self, parts: &[Value]) -> Option<Together> {
        let dfg = &self.func.dfg;
        if let Some(loaded) = self.rows.get(parts) {
            return Some(Together::Loaded(loaded.clone()));
        }
        let made = |v: Value| match dfg.def(v) {
            ValueDef::Inst(i) => Some(i),
            _ => None,
        };
        let is_uniform = |v: Value| {
            // What is not a vector is the same value for all components, or nothing that can be put together.
            (matches!(dfg.as_const(v), Some(ConstKind::Bits(_))) || made(v).is_some_and(|i| dfg.op(i) == Opcode::Splat))
                && dfg.ty(v).is_vector()
                || !dfg.ty(v).is_vector() && v == parts[0]
        };
        if parts.iter().all(|&v| is_uniform(v)) {
            return Some(Together::Uniform);
        }
        let first = made(parts[0])?;
        let data = &dfg.insts[first];
        let types = |i: Inst| dfg.args(i).iter().map(|&a| dfg.ty(a));
        let alike = |&v: &Value| {
            made(v).is_some_and(|i| {
                let other = &dfg.insts[i];
                (other.op, other.flags, other.ty) == (data.op, data.flags, data.ty)
                    && same_payload(&other.payload, &data.payload)
                    && types(i).eq(types(first))
            })
        };
        (is_lane_by_lane(data.op) && parts.iter().all(alike)).then_some(Together::By(first))
    }

    /// Whether `parts` follow from rows and what is the same in all lanes, by no more operations than are `left`.
    fn follows_rows(&self, parts: &[Value], left: &mut usize) -> bool {
        match self.together_as(parts) {
            Some(Together::Loaded(_) | Together::Uniform) => true,
            Some(Together::By(first)) if *left > 0 => {
                *left -= 1;
                (0..self.func.dfg.args(first).len()).all(|n| self.follows_rows(&self.operands(parts, n), left))
            }
            _ => false,
        }
    }

    /// Operand `n` of what makes each of `parts`.
    fn operands(&self, parts: &[Value], n: usize) -> Vec<Value> {
        let dfg = &self.func.dfg;
        let operand = |&v: &Value| match dfg.def(v) {
            ValueDef::Inst(i) => dfg.arg(i, n),
            _ => v,
        };
        parts.iter().map(operand).collect()
    }

    /// The rows of `parts`, which [follow](Self::follows_rows) from rows.
    fn rows_of(&mut self, parts: &[Value]) -> Vec<Value> {
        match self.together_as(parts) {
            Some(Together::Loaded(rows)) => rows,
            Some(Together::By(first)) => {
                let data = &self.func.dfg.insts[first];
                let (op, flags, ty, payload) = (data.op, data.flags, data.ty, data.payload.clone());
                let count = self.func.dfg.args(first).len();
                let operands: Vec<Vec<Value>> = (0..count).map(|n| self.rows_of(&self.operands(parts, n))).collect();
                let row = |this: &mut Self, r: usize| {
                    let args: Vec<Value> = operands.iter().map(|rows| rows[r]).collect();
                    this.put(op, ty, flags, &args, payload.clone())
                };
                (0..parts.len()).map(|r| row(self, r)).collect()
            }
            Some(Together::Uniform) | None => self.uniform_rows(parts),
        }
    }

    /// Rows of components that are the same in all lanes: patterns of them.
    fn uniform_rows(&mut self, parts: &[Value]) -> Vec<Value> {
        if parts.iter().all(|&v| v == parts[0]) {
            return parts.to_vec();
        }
        let (w, apart) = (i64::from(self.lanes), parts.len() as i64);
        let mut rows: Vec<Value> = Vec::new();
        for row in 0..apart {
            if row > 0 && w % apart == 0 {
                rows.push(rows[0]);
                continue;
            }
            let held = |c: i64| (0..w).map(move |l| if (row * w + l) % apart == c { l } else { -1 });
            let strips: Vec<Strip> =
                parts.iter().zip(0..).map(|(&v, c)| Strip { v, holds: held(c).collect() }).collect();
            rows.push(self.assemble(&strips, |lane| lane));
        }
        rows
    }

    // ---- stages -----------------------------------------------------------------------------------------------------

    /// Elements among which a stage's shuffles move. Machines with vectors of 8 shuffle within their halves in one
    /// instruction, and across them in more; what is left in the wrong half is put right at the end. Wider vectors have
    /// one instruction for any two.
    fn stage_block(&self) -> u8 {
        if self.lanes == 8 { 4 } else { self.lanes }
    }

    /// Rows of consecutive elements, a power of two of them, to as many vectors with the elements of one component each,
    /// in any order.
    fn apart(&mut self, rows: Vec<Strip>) -> Vec<Strip> {
        if rows.len() <= 1 {
            return rows;
        }
        let (w, b) = (self.lanes, self.stage_block());
        let every_other = |odd: u8| -> Vec<u8> {
            let of = move |block: u8, from: u8| (0..b / 2).map(move |n| from + block * b + 2 * n + odd);
            (0..w / b).flat_map(|block| of(block, 0).chain(of(block, w))).collect()
        };
        let (even, odd) = (every_other(0), every_other(1));
        let evens = rows.chunks_exact(2).map(|r| self.joined(&r[0], &r[1], &even)).collect();
        let odds = rows.chunks_exact(2).map(|r| self.joined(&r[0], &r[1], &odd)).collect();
        let mut out = self.apart(evens);
        out.extend(self.apart(odds));
        out
    }

    /// The way back: components, a power of two of them, to vectors with runs of elements as long as there are
    /// components, in any order.
    fn together(&mut self, parts: Vec<Strip>) -> Vec<Strip> {
        if parts.len() <= 1 {
            return parts;
        }
        let evens: Vec<Strip> = parts.iter().step_by(2).cloned().collect();
        let odds: Vec<Strip> = parts.iter().skip(1).step_by(2).cloned().collect();
        let (evens, odds) = (self.together(evens), self.together(odds));
        let (w, b) = (self.lanes, self.stage_block());
        let alternately = |half: u8| -> Vec<u8> {
            let first = move |block: u8| block * b + half * b / 2;
            (0..w / b)
                .flat_map(|block| (0..b / 2).flat_map(move |n| [first(block) + n, w + first(block) + n]))
                .collect()
        };
        let (low, high) = (alternately(0), alternately(1));
        evens.iter().zip(&odds).flat_map(|(e, o)| [self.joined(e, o, &low), self.joined(e, o, &high)]).collect()
    }

    /// A shuffle of two vectors.
    fn joined(&mut self, a: &Strip, b: &Strip, lanes: &[u8]) -> Strip {
        let w = usize::from(self.lanes);
        let held = |&l: &u8| if usize::from(l) < w { a.holds[usize::from(l)] } else { b.holds[usize::from(l) - w] };
        Strip { v: self.shuffle(a.v, b.v, lanes), holds: lanes.iter().map(held).collect() }
    }

    /// A vector whose lane `l` is element `which(l)` of the strips.
    fn assemble(&mut self, strips: &[Strip], which: impl Fn(i64) -> i64) -> Value {
        let w = self.lanes;
        let wanted: Vec<i64> = (0..w.into()).map(which).collect();
        if let Some(s) = strips.iter().find(|s| s.holds == wanted) {
            return s.v;
        }
        // Of each strip that has any of them: which lane comes from where.
        let mut missing: Vec<u8> = (0..w).collect();
        let mut sources: Vec<(Value, Vec<(u8, u8)>)> = Vec::new();
        for s in strips {
            let mut found = Vec::new();
            missing.retain(|&l| match s.holds.iter().position(|&e| e == wanted[usize::from(l)]) {
                Some(at) => {
                    found.push((l, at as u8));
                    false
                }
                None => true,
            });
            if !found.is_empty() {
                sources.push((s.v, found));
            }
        }
        let [(first, from_first), rest @ ..] = sources.as_slice() else { return strips[0].v };
        let mut lanes: Vec<u8> = (0..w).collect();
        for &(l, at) in from_first {
            lanes[usize::from(l)] = at;
        }
        let mut acc = *first;
        if rest.is_empty() {
            return self.shuffle(acc, acc, &lanes);
        }
        for (v, found) in rest {
            for &(l, at) in found {
                lanes[usize::from(l)] = at + w;
            }
            acc = self.shuffle(acc, *v, &lanes);
            lanes = (0..w).collect();
        }
        acc
    }
}
