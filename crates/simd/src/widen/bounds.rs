//! Upper bounds of unsigned values, and zeros at their low end: what proves that indices do not wrap.
//!
//! A bound holds for every work-item of every launch that [`launch::context::MAX_EXTENT`] allows.
//! Cost: each question looks through [`MAX_DEPTH`] instructions at most.

use crate::Options;
use crate::sides::low_zeros;
use analysis::Address;
use ir::{Function, Opcode, Type, Value, ValueDef};
use launch::CodeSize;
use launch::context::{GroupContext, MAX_EXTENT};
use rustc_hash::FxHashMap;

/// Most instructions looked through.
const MAX_DEPTH: u32 = 12;

/// Which of the three elements of a field stands at an offset.
fn dimension(offset: i64, start: i64, size: i64) -> Option<usize> {
    let n = offset.checked_sub(start)?;
    (n >= 0 && n % size == 0 && n / size < 3).then_some((n / size) as usize)
}

/// What values are compared with.
#[derive(Clone, Copy)]
pub(super) enum Limit {
    Value(Value),
    Number(i64),
}

/// Bounds of the values of a work-group function.
pub(super) struct Bounds<'a> {
    func: &'a Function,
    /// Pointer to the [`GroupContext`].
    group: Option<Value>,
    local: CodeSize,
    /// Most work-items of a group in each dimension.
    most: [u32; 3],
    /// Loop counters with a known largest value.
    counters: FxHashMap<Value, u64>,
    /// The number of a lane's work-item, and of how many lanes the first one's is a multiple.
    items: (Value, u32),
}

impl<'a> Bounds<'a> {
    /// `counters` are values with known bounds, those of the loops over work-items. `items` are the number of a lane's work-item and
    /// how many lanes there are, a power of two: each vector begins at a multiple of it.
    pub(super) fn new(
        func: &'a Function,
        options: &Options,
        counters: FxHashMap<Value, u64>,
        items: (Value, u32),
    ) -> Self {
        let group = func.layout.first_block().and_then(|e| func.dfg.params(e).get(1).copied());
        Self { func, group, local: options.local_size, most: options.target.launch_limits().group, counters, items }
    }

    /// The largest value that `v` can have, read as an unsigned number.
    pub(super) fn max(&self, v: Value) -> u64 {
        self.max_in(v, MAX_DEPTH)
    }

    fn max_in(&self, v: Value, depth: u32) -> u64 {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        let ty = dfg.ty(v);
        let all = ty.mask();
        if let Some(&n) = self.counters.get(&v) {
            return n;
        }
        let i = match dfg.values[v].def {
            ValueDef::Const(_) => return dfg.as_bits(v).unwrap_or(all),
            ValueDef::Inst(i) if depth > 0 && !ty.is_vector() && ty.is_int() => i,
            _ => return all,
        };
        let args = dfg.args(i);
        let max = |n: usize| self.max_in(args[n], depth - 1);
        let fits = |n: Option<u64>| n.filter(|&n| n <= all).unwrap_or(all);
        match dfg.op(i) {
            Opcode::Add => fits(max(0).checked_add(max(1))),
            Opcode::Mul => match self.extent(args[0], args[1]) {
                Some(most) => fits(Some(most)),
                None => fits(max(0).checked_mul(max(1))),
            },
            Opcode::Shl => match dfg.as_bits(args[1]) {
                Some(s) if s < 64 => fits(max(0).checked_mul(1 << s)),
                _ => all,
            },
            Opcode::LShr => match dfg.as_bits(args[1]) {
                Some(s) if s < 64 => max(0) >> s,
                _ => max(0),
            },
            Opcode::And => max(0).min(max(1)),
            Opcode::Or | Opcode::Xor => {
                let m = max(0) | max(1);
                if m == 0 { 0 } else { fits(Some(u64::MAX >> m.leading_zeros())) }
            }
            Opcode::UDiv => match dfg.as_bits(args[1]) {
                Some(d) if d > 0 => max(0) / d,
                _ => max(0),
            },
            Opcode::URem => max(0).min(max(1).saturating_sub(1)),
            Opcode::UMin => max(0).min(max(1)),
            Opcode::UMax => max(0).max(max(1)),
            Opcode::Select => max(1).max(max(2)),
            Opcode::ZExt => max(0),
            Opcode::SExt => {
                let m = max(0);
                if m <= dfg.ty(args[0]).mask() >> 1 { m } else { all }
            }
            Opcode::Trunc => fits(Some(max(0))),
            Opcode::Load => self.of_group(args[0], ty).unwrap_or(all),
            _ => all,
        }
    }

    /// The offset in the [`GroupContext`] of what stands at `ptr`.
    fn offset_in_group(&self, ptr: Value) -> Option<i64> {
        let a = Address::across_spaces(self.func, ptr);
        (Some(a.base) == self.group && a.is_constant()).then_some(a.offset)
    }

    /// The bound of what stands in the [`GroupContext`] at `ptr`.
    fn of_group(&self, ptr: Value, ty: Type) -> Option<u64> {
        let offset = self.offset_in_group(ptr)?;
        let field = |start: i64, size: i64| dimension(offset, start, size).filter(|_| i64::from(ty.bytes()) == size);
        let groups = |d: usize| MAX_EXTENT / u64::from(self.local.0[d].unwrap_or(1).max(1));
        if let Some(d) = field(GroupContext::OFFSET_GROUP_ID, 4) {
            return Some(groups(d).saturating_sub(1));
        }
        let counts = [GroupContext::OFFSET_NUM_GROUPS, GroupContext::OFFSET_FIRST_GROUP];
        if let Some(d) = counts.into_iter().find_map(|start| field(start, 4)) {
            return Some(groups(d));
        }
        if let Some(d) = field(GroupContext::OFFSET_LOCAL_SIZE, 4) {
            return Some(self.most[d].into());
        }
        let wide = [GroupContext::OFFSET_ORIGIN, GroupContext::OFFSET_GLOBAL_SIZE, GroupContext::OFFSET_RANGE_OFFSET];
        wide.into_iter().find_map(|start| field(start, 8)).map(|_| MAX_EXTENT)
    }

    /// The bound of a product if it is a number of groups times the local size in that dimension, where only the launch
    /// knows that: the two are not large together.
    fn extent(&self, a: Value, b: Value) -> Option<u64> {
        let (a, b) = (self.group_field(a)?, self.group_field(b)?);
        let size = |offset| dimension(offset, GroupContext::OFFSET_LOCAL_SIZE, 4);
        let groups = |offset| {
            let counts =
                [GroupContext::OFFSET_GROUP_ID, GroupContext::OFFSET_NUM_GROUPS, GroupContext::OFFSET_FIRST_GROUP];
            counts.into_iter().find_map(|start| dimension(offset, start, 4))
        };
        let same = |n: Option<usize>, m: Option<usize>| n.is_some() && n == m;
        (same(size(a), groups(b)) || same(size(b), groups(a))).then_some(MAX_EXTENT)
    }

    /// Which field of the [`GroupContext`] a value is, widened or not.
    fn group_field(&self, v: Value) -> Option<i64> {
        let dfg = &self.func.dfg;
        let mut v = dfg.resolve(v);
        while let Some(i) = dfg.def_op(v, Opcode::ZExt) {
            v = dfg.resolve(dfg.arg(i, 0));
        }
        self.offset_in_group(dfg.arg(dfg.def_op(v, Opcode::Load)?, 0))
    }

    /// Number of low bits of `v` that are known to be zero in every lane.
    pub(super) fn trailing_zeros(&self, v: Value) -> u32 {
        low_zeros(self.func, v, None, MAX_DEPTH)
    }

    /// The same in the first lane.
    pub(super) fn first_zeros(&self, v: Value) -> u32 {
        let (x, lanes) = self.items;
        low_zeros(self.func, v, Some((x, lanes.trailing_zeros())), MAX_DEPTH)
    }

    /// Whether all lanes of `v`, each `stride` more than the one before, are on the same side of `limit`: less in all of them or in none.
    /// So they are if they lie between two neighbouring multiples of a power of two and the limit is one of them:
    /// `group * 32 + lid * 4 < n / 32 * 32` with eight lanes.
    pub(super) fn are_on_one_side(&self, v: Value, stride: i64, limit: Limit) -> bool {
        let zeros = match limit {
            Limit::Value(v) => self.trailing_zeros(v),
            Limit::Number(n) => n.trailing_zeros(),
        };
        let (_, lanes) = self.items;
        let last = u64::try_from(stride).ok().and_then(|s| s.checked_mul(u64::from(lanes) - 1));
        // The lanes' sums change low bits only, so that none wraps.
        let low = zeros.min(self.first_zeros(v)).min(self.func.dfg.ty(v).bits() - 1);
        last.is_some_and(|last| last >> low == 0)
    }
}
