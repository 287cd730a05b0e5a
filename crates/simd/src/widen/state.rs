//! What is on the way while code is emitted: the lanes that wait at blocks not yet emitted, the values they bring, and
//! values that leave loops. Each is a variable of straight-line code; where control really branches and joins, the
//! variables that differ become block parameters.

use super::emit::Emitter;
use super::wide::Pieces;
use cranelift_entity::EntityRef;
use ir::{Block, Opcode, Type, Value, ValueDef};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Var {
    /// The lanes that wait at a block of the kernel.
    Mask(Block),
    /// What they bring for a parameter of it.
    Param(Block, u32),
    /// A value of a loop, for uses outside.
    Escape(Value),
}

/// Some lanes: those of `lanes`, all if there is none; or nobody, if `scalar` is there and false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mask {
    pub(super) scalar: Option<Value>,
    pub(super) lanes: Option<Value>,
}

/// What a variable holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Held {
    Mask(Mask),
    Value(Pieces),
}

/// Variables that hold something. A mask that is not there is empty; a value that is not there is anything.
pub(super) type State = BTreeMap<Var, Held>;

/// Two states made one: the block where they meet, with its arguments from either side.
pub(super) struct Meeting {
    pub(super) block: Block,
    pub(super) args: [SmallVec<[Value; 8]>; 2],
    pub(super) state: State,
}

impl Emitter<'_> {
    /// The lanes of a mask as a vector.
    pub(super) fn mask_lanes(&mut self, m: Mask) -> Value {
        let ty = self.mask_type();
        let lanes = m.lanes.unwrap_or_else(|| self.func.dfg.bits(ty, 1));
        match m.scalar {
            None => lanes,
            Some(s) => {
                let none = self.func.dfg.bits(ty, 0);
                self.select(s, lanes, none)
            }
        }
    }

    /// The lanes of `m` for which the vector `cond` is true.
    pub(super) fn mask_and(&mut self, m: Option<Value>, cond: Value) -> Value {
        match m {
            None => cond,
            Some(m) => {
                let none = self.func.dfg.bits(self.mask_type(), 0);
                // Not an `and`: the condition of a lane that is off may be anything.
                self.select(m, cond, none)
            }
        }
    }

    pub(super) fn mask_or(&mut self, a: Mask, b: Mask) -> Mask {
        if a.lanes == b.lanes {
            let scalar = match (a.scalar, b.scalar) {
                (Some(x), Some(y)) => Some(self.plain(Opcode::Or, Type::I1, &[x, y])),
                _ => None,
            };
            return Mask { scalar, lanes: a.lanes };
        }
        let (x, y) = (self.mask_lanes(a), self.mask_lanes(b));
        let ty = self.mask_type();
        Mask { scalar: None, lanes: Some(self.plain(Opcode::Or, ty, &[x, y])) }
    }

    /// Whether `v` existed when there were `count` values: then it is there on both sides of a later branch.
    fn is_older(&self, v: Value, count: usize) -> bool {
        v.index() < count || matches!(self.func.dfg.values[v].def, ValueDef::Const(_))
    }

    /// Makes one state of two that come from `ends`, whose terminators are still missing. `count` is the number of
    /// values when control branched.
    pub(super) fn meet(&mut self, ends: [Block; 2], states: [&State; 2], count: usize) -> Meeting {
        let block = self.func.dfg.make_block();
        let mut m = Meeting { block, args: Default::default(), state: State::new() };
        let mut vars: SmallVec<[Var; 16]> = states.iter().flat_map(|s| s.keys().copied()).collect();
        vars.sort_unstable();
        vars.dedup();
        for var in vars {
            let held = match (states[0].get(&var), states[1].get(&var)) {
                (Some(a), Some(b)) if a == b => a.clone(),
                (a, b) => match (a.or(b), a, b) {
                    (Some(Held::Mask(_)), _, _) => {
                        let mask = |h: Option<&Held>| if let Some(Held::Mask(m)) = h { Some(*m) } else { None };
                        Held::Mask(self.meet_masks(&mut m, ends, [mask(a), mask(b)], count))
                    }
                    _ => {
                        let value = |h: Option<&Held>| if let Some(Held::Value(p)) = h { Some(p.clone()) } else { None };
                        Held::Value(self.meet_values(&mut m, [value(a), value(b)], count))
                    }
                },
            };
            m.state.insert(var, held);
        }
        m
    }

    fn join_param(&mut self, m: &mut Meeting, a: Value, b: Value) -> Value {
        if a == b {
            return a;
        }
        let ty = self.func.dfg.ty(a);
        m.args[0].push(a);
        m.args[1].push(b);
        self.func.dfg.add_param(m.block, ty)
    }

    fn meet_masks(&mut self, m: &mut Meeting, ends: [Block; 2], masks: [Option<Mask>; 2], count: usize) -> Mask {
        let truth = |e: &mut Self, m: Option<Mask>| match m {
            None => e.func.dfg.bits(Type::I1, 0),
            Some(m) => m.scalar.unwrap_or_else(|| e.func.dfg.bits(Type::I1, 1)),
        };
        let same_lanes = match masks {
            [Some(a), Some(b)] => a.lanes == b.lanes,
            [Some(a), None] | [None, Some(a)] => a.lanes.is_none_or(|l| self.is_older(l, count)),
            [None, None] => true,
        };
        if same_lanes {
            let lanes = masks[0].or(masks[1]).and_then(|m| m.lanes);
            let (a, b) = (truth(self, masks[0]), truth(self, masks[1]));
            return Mask { scalar: Some(self.join_param(m, a, b)), lanes };
        }
        let here = self.here;
        let none = self.func.dfg.bits(self.mask_type(), 0);
        let mut lanes = [none; 2];
        for n in 0..2 {
            self.here = ends[n];
            if let Some(mask) = masks[n] {
                lanes[n] = self.mask_lanes(mask);
            }
        }
        self.here = here;
        Mask { scalar: None, lanes: Some(self.join_param(m, lanes[0], lanes[1])) }
    }

    fn meet_values(&mut self, m: &mut Meeting, values: [Option<Pieces>; 2], count: usize) -> Pieces {
        let model = values[0].clone().or_else(|| values[1].clone()).unwrap_or_default();
        (0..model.len())
            .map(|n| match (&values[0], &values[1]) {
                (Some(a), Some(b)) => self.join_param(m, a[n], b[n]),
                // On the other side it is anything: also the same.
                _ if self.is_older(model[n], count) => model[n],
                (a, b) => {
                    let undef = self.func.dfg.undef(self.func.dfg.ty(model[n]));
                    let a = a.as_ref().map_or(undef, |a| a[n]);
                    let b = b.as_ref().map_or(undef, |b| b[n]);
                    self.join_param(m, a, b)
                }
            })
            .collect()
    }
}
