//! The arithmetic of products: each lane fetches the words that its elements of the result need, and sums.
//!
//! Where a lane has many elements of one column, their rows are worked off in a loop whose sums move up by one each time,
//! so that the code stays short; else all stands in one piece, and what several elements need is fetched once.

use super::super::func::Fx;
use super::layout::{Axis, Kind, Layout, Source};
use crate::error::{Outcome, PtxError};
use ir::{Flags, IntCC, Intrinsic, Opcode, Payload, Type, Value};
use rustc_hash::FxHashMap;

/// From how many elements of a lane on there is a loop.
const LOOP: usize = 4;

/// How is multiplied and summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum How {
    Plain,
    /// Sums of integers end at the largest and the smallest.
    Saturating,
    /// Numbers of bits that differ.
    Xor,
    /// Numbers of bits that both have.
    And,
}

/// A factor: who holds what, and this lane's registers.
pub(super) struct Factor {
    kind: Kind,
    layout: Layout,
    words: Vec<Value>,
    /// Lane and register that were asked for before.
    fetched: FxHashMap<(u32, u32), Value>,
    unpacked: FxHashMap<(u32, u32), Vec<Value>>,
    /// What of a lane's own number is in the number of the lane that it asks; nothing if it asks itself.
    base: Option<Value>,
}

/// What is to be computed.
pub(super) struct Product<'l> {
    pub(super) inner: u32,
    pub(super) result: &'l Layout,
    pub(super) how: How,
}

impl Factor {
    pub(super) fn new(kind: Kind, layout: Layout, words: Vec<Value>) -> Self {
        let (fetched, unpacked) = (FxHashMap::default(), FxHashMap::default());
        Self { kind, layout, words, fetched, unpacked, base: None }
    }

    /// Lane, but for what the asking lane's number gives, and register of the word for an element of the result.
    fn place(&self, result: &Layout, element: u32, k: u32) -> Option<(u32, u32)> {
        let bit = |b: (Axis, u32)| match b {
            (Axis::K, j) => Some(k >> j & 1),
            own => match result.source(own)? {
                Source::Element(n) => Some(element >> n & 1),
                Source::Lane(_) => None,
            },
        };
        let lane = self.layout.lane.iter().enumerate();
        let lane = lane.map(|(n, b)| b.and_then(bit).unwrap_or(0) << n).sum();
        let mut within = 0;
        for (n, b) in self.layout.element.iter().enumerate() {
            within |= bit(*b)? << n;
        }
        Some((lane, within / self.kind.packed()))
    }

    /// The pairs of bits by which the asking lane's number goes into that of the asked one.
    fn lane_and_place(&self, result: &Layout) -> Vec<(u32, u32)> {
        let lane = self.layout.lane.iter().enumerate().take(5);
        lane.filter_map(|(n, b)| match b {
            None => Some((n as u32, n as u32)),
            Some((Axis::K, _)) => None,
            Some(own) => match result.source(*own)? {
                Source::Lane(from) => Some((from, n as u32)),
                Source::Element(_) => None,
            },
        })
        .collect()
    }
}

impl<'a> Fx<'a, '_> {
    /// The sums, from what they begin with.
    pub(super) fn multiply(
        &mut self,
        p: &Product<'_>,
        mut factors: [Factor; 2],
        begin: Vec<Value>,
    ) -> Outcome<Vec<Value>> {
        for f in &mut factors {
            let bits = f.lane_and_place(p.result);
            let own = bits.len() == 5 && bits.iter().all(|(from, to)| from == to);
            if own {
                continue;
            }
            let lane = self.lane_of_32();
            let base = self.spread(lane, &bits);
            f.base = Some(self.among_32(base));
        }
        if begin.len() > LOOP
            && let Some(shift) = rows_by_loop(p, &factors[0])
        {
            return self.multiply_in_loop(p, factors, begin, shift);
        }
        let mut sums = Vec::new();
        for (e, c) in begin.into_iter().enumerate() {
            let sum = self.sum_of_products(p, &mut factors, e as u32, None, c)?;
            sums.push(sum);
        }
        Ok(sums)
    }

    /// The loop over a lane's rows: `shift` is by how much an element's number goes into that of the lane that is asked.
    fn multiply_in_loop(
        &mut self,
        p: &Product<'_>,
        mut factors: [Factor; 2],
        begin: Vec<Value>,
        shift: u32,
    ) -> Outcome<Vec<Value>> {
        // The columns are the same all the time.
        for k in (0..p.inner).step_by(factors[1].kind.packed() as usize) {
            if factors[1].kind.is_int() {
                self.word_at(p, &mut factors[1], (0, k), None)?;
            } else {
                self.elements_at(p, &mut factors[1], (0, k), None)?;
            }
        }
        let header = self.func.new_block();
        let counter = self.ssa.declare(Type::I32);
        let zero = self.int(Type::I32, 0);
        self.ssa.write(self.block, counter, zero);
        let mut sums = Vec::new();
        for &v in &begin {
            let var = self.ssa.declare(self.ty(v));
            self.ssa.write(self.block, var, v);
            sums.push(var);
        }
        self.builder().jump(header, &[]);
        self.block = header;
        self.kept.push(header);
        let n = self.ssa.read(&mut self.func, header, counter);
        let values: Vec<Value> = sums.iter().map(|&s| self.ssa.read(&mut self.func, header, s)).collect();
        let by = self.int(Type::I32, i64::from(shift));
        let row = self.op(Opcode::Shl, &[n, by]);
        let sum = self.sum_of_products(p, &mut factors, 0, Some(row), values[0])?;
        for (k, &var) in sums.iter().enumerate() {
            let next = values.get(k + 1).copied().unwrap_or(sum);
            self.ssa.write(header, var, next);
        }
        let (one, count) = (self.int(Type::I32, 1), self.int(Type::I32, begin.len() as i64));
        let next = self.op(Opcode::Add, &[n, one]);
        self.ssa.write(header, counter, next);
        let more = self.icmp(IntCC::Ult, next, count);
        let after = self.func.new_block();
        self.builder().br(more, (header, &[]), (after, &[]));
        self.block = after;
        Ok(sums.iter().map(|&s| self.ssa.read(&mut self.func, after, s)).collect())
    }

    /// One element of the result.
    fn sum_of_products(
        &mut self,
        p: &Product<'_>,
        factors: &mut [Factor; 2],
        element: u32,
        row: Option<Value>,
        begin: Value,
    ) -> Outcome<Value> {
        let ty = self.ty(begin);
        let apart = p.how == How::Saturating && ty == Type::I32;
        let mut sum = if apart { self.int(ty, 0) } else { begin };
        let [a, b] = factors;
        for k in (0..p.inner).step_by(a.kind.packed() as usize) {
            if a.kind.is_int() {
                let x = self.word_at(p, a, (element, k), row)?;
                let y = self.word_at(p, b, (element, k), None)?;
                sum = self.dot_of_words(p.how, (x, a.kind), (y, b.kind), sum);
                continue;
            }
            let x = self.elements_at(p, a, (element, k), row)?;
            let y = self.elements_at(p, b, (element, k), None)?;
            for (x, y) in x.into_iter().zip(y) {
                sum = self.op(Opcode::Fma, &[x, y, sum]);
            }
        }
        Ok(if apart { self.saturating_sum(begin, sum) } else { sum })
    }

    /// The sum of two `i32`, held at their ends.
    pub(super) fn saturating_sum(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = (self.cast(Opcode::SExt, a, Type::I64), self.cast(Opcode::SExt, b, Type::I64));
        let sum = self.op(Opcode::Add, &[a, b]);
        let most = self.int(Type::I64, i64::from(i32::MAX));
        let least = self.int(Type::I64, i64::from(i32::MIN));
        let sum = self.op(Opcode::SMin, &[sum, most]);
        let sum = self.op(Opcode::SMax, &[sum, least]);
        self.cast(Opcode::Trunc, sum, Type::I32)
    }

    // ---- fetching -------------------------------------------------------------------------------------------------

    /// The word with an element's factors from `k` on.
    fn word_at(
        &mut self,
        p: &Product<'_>,
        f: &mut Factor,
        (element, k): (u32, u32),
        row: Option<Value>,
    ) -> Outcome<Value> {
        let place = f.place(p.result, element, k);
        let (lane, register) = place.ok_or_else(|| PtxError::unsupported(self.span, "a product of such fragments"))?;
        if row.is_none()
            && let Some(&v) = f.fetched.get(&(lane, register))
        {
            return Ok(v);
        }
        let word = f.words[register as usize];
        let Some(base) = f.base else { return Ok(word) };
        let mut from = base;
        for part in [Some(self.int(Type::I32, i64::from(lane))).filter(|_| lane != 0), row].into_iter().flatten() {
            from = self.op(Opcode::Or, &[from, part]);
        }
        let v = self.fetch(word, from);
        if row.is_none() {
            f.fetched.insert((lane, register), v);
        }
        Ok(v)
    }

    /// The number of a lane among 32 as one of the warp: the lanes of each half of 64 ask among themselves.
    pub(super) fn among_32(&mut self, lane: Value) -> Value {
        if self.cx.warp == 32 {
            return lane;
        }
        let number = self.builder().special(ir::SpecialReg::LaneId);
        let upper = self.int(Type::I32, 32);
        let half = self.op(Opcode::And, &[number, upper]);
        self.op(Opcode::Or, &[lane, half])
    }

    /// A word of another lane.
    pub(super) fn fetch(&mut self, word: Value, from: Value) -> Value {
        let ty = self.ty(word);
        if ty.bits() == 64 {
            let bits = self.cast(Opcode::Bitcast, word, Type::I64);
            let by = self.int(Type::I64, 32);
            let high = self.op(Opcode::LShr, &[bits, by]);
            let [low, high] = [bits, high].map(|v| {
                let v = self.cast(Opcode::Trunc, v, Type::I32);
                let v = self.fetch(v, from);
                self.cast(Opcode::ZExt, v, Type::I64)
            });
            let high = self.op(Opcode::Shl, &[high, by]);
            let bits = self.op(Opcode::Or, &[low, high]);
            return self.cast(Opcode::Bitcast, bits, ty);
        }
        let all = self.mask_type().ir().unwrap_or(Type::I32);
        let all = self.int(all, -1);
        let clamp = self.int(Type::I32, i64::from(self.cx.warp) - 1);
        self.intrinsic(Intrinsic::ShflIdx, ty, &[all, word, from, clamp])
    }

    /// The numbers in the word with an element's factors from `k` on.
    fn elements_at(
        &mut self,
        p: &Product<'_>,
        f: &mut Factor,
        at: (u32, u32),
        row: Option<Value>,
    ) -> Outcome<Vec<Value>> {
        let place = f.place(p.result, at.0, at.1).unwrap_or_default();
        if row.is_none()
            && let Some(v) = f.unpacked.get(&place)
        {
            return Ok(v.clone());
        }
        let word = self.word_at(p, f, at, row)?;
        let elements = self.numbers_in(word, f.kind);
        if row.is_none() {
            f.unpacked.insert(place, elements.clone());
        }
        Ok(elements)
    }

    // ---- arithmetic -----------------------------------------------------------------------------------------------

    /// The floating-point numbers in a word.
    fn numbers_in(&mut self, word: Value, kind: Kind) -> Vec<Value> {
        let high = self.int(Type::I32, i64::from(0xffff_0000_u32.cast_signed()));
        match kind {
            Kind::F16 => (0..2)
                .map(|n| {
                    let half = self.half_of(word, n);
                    let half = self.cast(Opcode::Bitcast, half, Type::F16);
                    self.cast(Opcode::FpExt, half, Type::F32)
                })
                .collect(),
            Kind::Bf16 => {
                let by = self.int(Type::I32, 16);
                let low = self.op(Opcode::Shl, &[word, by]);
                let high = self.op(Opcode::And, &[word, high]);
                [low, high].map(|v| self.cast(Opcode::Bitcast, v, Type::F32)).to_vec()
            }
            Kind::Tf32 => {
                // The low thirteen bits do not count.
                let mask = self.int(Type::I32, i64::from(0xffff_e000_u32.cast_signed()));
                let v = self.op(Opcode::And, &[word, mask]);
                vec![self.cast(Opcode::Bitcast, v, Type::F32)]
            }
            Kind::E4m3 | Kind::E5m2 => (0..4).map(|n| self.quarter(word, n, kind)).collect(),
            _ => vec![word],
        }
    }

    /// A number of eight bits.
    fn quarter(&mut self, word: Value, n: u32, kind: Kind) -> Value {
        let by = self.int(Type::I32, i64::from(8 * n));
        let byte = self.op(Opcode::LShr, &[word, by]);
        self.eight_bits(byte, kind == Kind::E4m3)
    }

    /// A sum with the products of the integers in two words.
    fn dot_of_words(&mut self, how: How, (x, xk): (Value, Kind), (y, yk): (Value, Kind), sum: Value) -> Value {
        match (xk, yk) {
            (Kind::S8, Kind::S8) => self.intrinsic(Intrinsic::Dp4aS, Type::I32, &[x, y, sum]),
            (Kind::U8, Kind::U8) => self.intrinsic(Intrinsic::Dp4aU, Type::I32, &[x, y, sum]),
            (Kind::B1, _) => {
                let op = if how == How::And { Opcode::And } else { Opcode::Xor };
                let bits = self.op(op, &[x, y]);
                let count = self.op(Opcode::Popcnt, &[bits]);
                self.op(Opcode::Add, &[sum, count])
            }
            _ => {
                let mut sum = sum;
                for n in 0..xk.packed() {
                    let (a, b) = (self.integer_in(x, xk, n), self.integer_in(y, yk, n));
                    let product = self.op(Opcode::Mul, &[a, b]);
                    sum = self.op(Opcode::Add, &[sum, product]);
                }
                sum
            }
        }
    }

    /// An integer in a word.
    fn integer_in(&mut self, word: Value, kind: Kind, n: u32) -> Value {
        let bits = kind.bits();
        let up = self.int(Type::I32, i64::from(32 - bits * (n + 1)));
        let down = self.int(Type::I32, i64::from(32 - bits));
        let v = self.op_with(Opcode::Shl, Flags::NONE, Payload::None, &[word, up]);
        let signed = matches!(kind, Kind::S8 | Kind::S4);
        self.op(if signed { Opcode::AShr } else { Opcode::LShr }, &[v, down])
    }
}

/// By how much the number of an element goes into that of the lane with its row, if elements are rows and nothing else.
fn rows_by_loop(p: &Product<'_>, rows: &Factor) -> Option<u32> {
    let mut shift = None;
    for (n, bit) in p.result.element.iter().enumerate() {
        let at = rows.layout.lane.iter().position(|b| *b == Some(*bit))?;
        let by = at.checked_sub(n)?;
        if bit.0 != Axis::M || shift.is_some_and(|s| s != by) {
            return None;
        }
        shift = Some(by);
    }
    shift.map(|s| s as u32)
}
