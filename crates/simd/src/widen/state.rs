//! What is on the way while code is emitted: the lanes that wait at blocks not yet emitted, the values they bring, and
//! values that leave loops. Each is a variable of straight-line code; where control really branches and joins, the
//! variables that differ become block parameters.

use super::emit::Emitter;
use super::wide::Pieces;
use cranelift_entity::EntityRef;
use ir::{Block, Inst, Opcode, Type, Value, ValueDef};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Var {
    /// The lanes that wait at a block of the kernel.
    Mask(Block),
    /// What they bring for a parameter of it, in a cell of the grid.
    Param(Block, u32, u8),
    /// A value of a loop, for uses outside, in a cell of the grid.
    Escape(Value, u8),
}

/// Masks of lanes for all cells of the grid, kept by the emitter; equal ones have one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Set(pub(super) u32);

/// A vector of masks, one per cell.
pub(super) type Masks = SmallVec<[Value; 4]>;

/// Some lanes: those of `lanes`, all if there is none; or nobody, if `scalar` is there and false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mask {
    pub(super) scalar: Option<Value>,
    pub(super) lanes: Option<Set>,
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
    /// Keeps the masks of all cells.
    pub(super) fn set(&mut self, masks: Masks) -> Set {
        if let Some(&n) = self.set_numbers.get(&masks) {
            return n;
        }
        let n = Set(self.sets.len() as u32);
        self.sets.push(masks.clone());
        self.set_numbers.insert(masks, n);
        n
    }

    /// Masks of the cells that code is emitted for, given one by one; the others are empty.
    pub(super) fn each_cell(&mut self, mut f: impl FnMut(&mut Self, u8) -> Value) -> Masks {
        let none = self.func.dfg.bits(self.mask_type(), 0);
        let cell = self.cell;
        let masks = (0..self.grid.cells())
            .map(|c| {
                if self.only.is_some_and(|only| only != c) {
                    return none;
                }
                self.cell = c;
                f(self, c)
            })
            .collect();
        self.cell = cell;
        masks
    }

    /// The lanes of a mask in one cell.
    pub(super) fn cell_lanes(&mut self, m: Mask, cell: u8) -> Value {
        let ty = self.mask_type();
        let lanes = match m.lanes {
            Some(set) => self.sets[set.0 as usize][usize::from(cell)],
            None => self.func.dfg.bits(ty, 1),
        };
        match m.scalar {
            None => lanes,
            Some(s) => {
                let none = self.func.dfg.bits(ty, 0);
                self.select(s, lanes, none)
            }
        }
    }

    /// The lanes of a mask in the current cell, if there is one to heed.
    pub(super) fn lane_mask(&self, set: Option<Set>) -> Option<Value> {
        let lanes = self.sets[set?.0 as usize][usize::from(self.cell)];
        (self.func.dfg.as_bits(lanes) != Some(1)).then_some(lanes)
    }

    /// The lanes for which an instruction is done in the current cell, if there is a mask to heed: an access that several
    /// cells share is done if any of them wants it. (What has no effect heeds masks only to keep promises.)
    pub(super) fn shared_mask(&mut self, i: Inst, set: Option<Set>, ways: u8) -> Option<Value> {
        let access = matches!(self.r.func.dfg.op(i), Opcode::Load | Opcode::Store);
        let mask = self.lane_mask(set)?;
        if self.only.is_some() || !access {
            return Some(mask);
        }
        let all = &self.sets[set?.0 as usize];
        let sharing = (0..self.grid.cells()).filter(|&c| self.grid.owner(c, ways) == self.cell);
        let mut masks: Masks = sharing.map(|c| all[usize::from(c)]).collect();
        masks.sort_unstable();
        masks.dedup();
        let ty = self.mask_type();
        masks.into_iter().reduce(|a, b| self.plain(Opcode::Or, ty, &[a, b]))
    }

    /// The lanes of `m` for which the vectors `conds` are true.
    pub(super) fn mask_and(&mut self, m: Option<Set>, conds: &Masks) -> Set {
        let Some(m) = m else { return self.set(conds.clone()) };
        let none = self.func.dfg.bits(self.mask_type(), 0);
        let masks = self.each_cell(|e, c| {
            let lanes = e.sets[m.0 as usize][usize::from(c)];
            // Not an `and`: the condition of a lane that is off may be anything.
            e.select(lanes, conds[usize::from(c)], none)
        });
        self.set(masks)
    }

    pub(super) fn mask_or(&mut self, a: Mask, b: Mask) -> Mask {
        let scalar = match (a.scalar, b.scalar) {
            (Some(x), Some(y)) => Some(self.plain(Opcode::Or, Type::I1, &[x, y])),
            _ => None,
        };
        if a.lanes == b.lanes {
            return Mask { scalar, lanes: a.lanes };
        }
        let ty = self.mask_type();
        // Of all cells: also code for one may find that others wait already.
        let none = self.func.dfg.bits(ty, 0);
        let masks = (0..self.grid.cells())
            .map(|c| match (self.cell_lanes(a, c), self.cell_lanes(b, c)) {
                (x, y) if x == y || y == none => x,
                (x, y) if x == none => y,
                (x, y) => self.plain(Opcode::Or, ty, &[x, y]),
            })
            .collect();
        Mask { scalar, lanes: Some(self.set(masks)) }
    }

    /// Whether any lane of any cell is on.
    pub(super) fn any_lane(&mut self, set: Set) -> Value {
        let mut masks: Masks = self.sets[set.0 as usize].clone();
        if let Some(c) = self.only {
            masks = SmallVec::from_slice(&[masks[usize::from(c)]]);
        }
        masks.dedup();
        let ty = self.mask_type();
        let all = masks.iter().copied().reduce(|a, b| self.plain(Opcode::Or, ty, &[a, b]));
        let all = all.unwrap_or_else(|| self.func.dfg.bits(ty, 0));
        self.plain(Opcode::AnyLane, Type::I1, &[all])
    }

    /// Whether all lanes of all cells are on.
    pub(super) fn all_lanes_on(&mut self, set: Set) -> Value {
        let mut masks: Masks = self.sets[set.0 as usize].clone();
        masks.dedup();
        let ty = self.mask_type();
        let all = masks.iter().copied().reduce(|a, b| self.plain(Opcode::And, ty, &[a, b]));
        let all = all.unwrap_or_else(|| self.func.dfg.bits(ty, 0));
        self.plain(Opcode::AllLanes, Type::I1, &[all])
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
                        let value =
                            |h: Option<&Held>| if let Some(Held::Value(p)) = h { Some(p.clone()) } else { None };
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
            [Some(a), None] | [None, Some(a)] => {
                a.lanes.is_none_or(|l| self.sets[l.0 as usize].iter().all(|&v| self.is_older(v, count)))
            }
            [None, None] => true,
        };
        if same_lanes {
            let lanes = masks[0].or(masks[1]).and_then(|m| m.lanes);
            let (a, b) = (truth(self, masks[0]), truth(self, masks[1]));
            return Mask { scalar: Some(self.join_param(m, a, b)), lanes };
        }
        let here = self.here;
        let none = self.func.dfg.bits(self.mask_type(), 0);
        let mut sides: [Masks; 2] = Default::default();
        for n in 0..2 {
            self.here = ends[n];
            sides[n] = match masks[n] {
                Some(mask) => (0..self.grid.cells()).map(|c| self.cell_lanes(mask, c)).collect(),
                None => SmallVec::from_elem(none, self.grid.cells().into()),
            };
        }
        self.here = here;
        let joined: Masks = (0..sides[0].len()).map(|c| self.join_param(m, sides[0][c], sides[1][c])).collect();
        // Whether control comes at all stays apart from which lanes do: code for no lanes would go around a loop that all
        // have left, and bring what is the same for all.
        let scalar = if masks.iter().all(|m| m.is_some_and(|m| m.scalar.is_none())) {
            None
        } else {
            let (a, b) = (truth(self, masks[0]), truth(self, masks[1]));
            Some(self.join_param(m, a, b))
        };
        Mask { scalar, lanes: Some(self.set(joined)) }
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
