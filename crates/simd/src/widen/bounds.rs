//! Upper bounds of unsigned values, and zeros at their low end: what proves that indices do not wrap.
//!
//! A bound holds for every work-item of every launch that [`launch::context::MAX_EXTENT`] allows.
//! Cost: each question looks through [`MAX_DEPTH`] instructions at most.

use analysis::Address;
use ir::{Function, Opcode, Type, Value, ValueDef};
use launch::context::{GroupContext, MAX_EXTENT};
use rustc_hash::FxHashMap;

/// Most instructions looked through.
const MAX_DEPTH: u32 = 12;

/// Bounds of the values of a work-group function.
pub(super) struct Bounds<'a> {
    func: &'a Function,
    /// Pointer to the [`GroupContext`].
    group: Option<Value>,
    local: [u32; 3],
    /// Loop counters with a known largest value.
    counters: FxHashMap<Value, u64>,
}

impl<'a> Bounds<'a> {
    /// `counters` are values with known bounds, those of the loops over work-items.
    pub(super) fn new(func: &'a Function, local: [u32; 3], counters: FxHashMap<Value, u64>) -> Self {
        let group = func.layout.first_block().and_then(|e| func.dfg.params(e).get(1).copied());
        Self { func, group, local, counters }
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
            Opcode::Mul => fits(max(0).checked_mul(max(1))),
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

    /// The bound of what stands in the [`GroupContext`] at `ptr`.
    fn of_group(&self, ptr: Value, ty: Type) -> Option<u64> {
        let a = Address::across_spaces(self.func, ptr);
        if Some(a.base) != self.group || !a.is_constant() {
            return None;
        }
        let field = |start: i64, size: i64| {
            let n = a.offset.checked_sub(start)?;
            (n >= 0 && n % size == 0 && n / size < 3 && i64::from(ty.bytes()) == size).then_some((n / size) as usize)
        };
        if let Some(d) = field(GroupContext::OFFSET_GROUP_ID, 4) {
            return Some((MAX_EXTENT / u64::from(self.local[d].max(1))).saturating_sub(1));
        }
        if let Some(d) = field(GroupContext::OFFSET_NUM_GROUPS, 4) {
            return Some(MAX_EXTENT / u64::from(self.local[d].max(1)));
        }
        if let Some(d) = field(GroupContext::OFFSET_FIRST_GROUP, 4) {
            return Some(MAX_EXTENT / u64::from(self.local[d].max(1)));
        }
        let wide = [GroupContext::OFFSET_ORIGIN, GroupContext::OFFSET_GLOBAL_SIZE, GroupContext::OFFSET_RANGE_OFFSET];
        wide.into_iter().find_map(|start| field(start, 8)).map(|_| MAX_EXTENT)
    }

    /// Number of low bits of `v` that are known to be zero in every lane.
    pub(super) fn trailing_zeros(&self, v: Value) -> u32 {
        self.zeros_in(v, MAX_DEPTH)
    }

    fn zeros_in(&self, v: Value, depth: u32) -> u32 {
        let dfg = &self.func.dfg;
        if let Some(n) = dfg.as_bits(v) {
            return n.trailing_zeros();
        }
        let Some(i) = dfg.def_inst(v).filter(|_| depth > 0) else { return 0 };
        let args = dfg.args(i);
        let zeros = |n: usize| self.zeros_in(args[n], depth - 1);
        match dfg.op(i) {
            Opcode::Add | Opcode::Sub | Opcode::Or | Opcode::Xor => zeros(0).min(zeros(1)),
            Opcode::And => zeros(0).max(zeros(1)),
            Opcode::Mul => zeros(0).saturating_add(zeros(1)).min(64),
            Opcode::Shl => dfg.as_bits(args[1]).map_or(0, |s| zeros(0).saturating_add(s.min(64) as u32).min(64)),
            Opcode::Trunc | Opcode::ZExt | Opcode::SExt => zeros(0),
            _ => 0,
        }
    }
}
