//! Inner loops of the kernel: with a mask from which lanes drop out, or without one where all leave together.

use super::emit::Emitter;
use super::state::{Held, Mask, Masks, Set, Var};
use super::variance::{X, Y};
use analysis::Loop;
use ir::{Block, LoopMd, LoopMeta, Opcode, Type, Value};
use smallvec::SmallVec;

/// A variable that goes around a loop, with the types of its pieces (none for masks).
type Carried = (Var, SmallVec<[Type; 4]>);

impl Emitter<'_> {
    /// Emits an inner loop, entered by the lanes `mask`, and what follows from its header outside of it.
    pub(super) fn inner(&mut self, l: Loop, header: Block, mask: Option<Set>) {
        let uneven = self.shapes.is_uneven(l);
        let params = self.slots_of(header);
        let mut args = self.take_params(&params);
        let carried = if uneven { self.carried(l) } else { Vec::new() };
        let cells = self.owners(X | Y);
        if uneven {
            for &c in &cells {
                args.push(self.cell_lanes(Mask { scalar: None, lanes: mask }, c));
            }
            for (var, types) in &carried {
                args.extend(self.carry(*var, types, &cells));
            }
        }
        // Lanes of other cells that wait already stay as they are.
        let waiting = self.waiting(&carried);
        let top = self.new_block();
        self.jump(top, &args);
        self.here = top;
        let mut inner_mask = mask;
        let new: Vec<Value> = args
            .iter()
            .map(|&a| {
                let ty = self.func.dfg.ty(a);
                self.func.dfg.add_param(top, ty)
            })
            .collect();
        let mut at = 0;
        let mut next = |count: usize| {
            at += count;
            &new[at - count..at]
        };
        for (var, types) in &params {
            self.state.insert(*var, Held::Value(SmallVec::from_slice(next(types.len()))));
        }
        if uneven {
            let none = self.no_lanes();
            inner_mask = Some(self.set_of_cells(next(cells.len()), &cells, none));
            for ((var, types), others) in carried.iter().zip(waiting) {
                let held = match var {
                    Var::Mask(_) => {
                        let lanes = self.set_of_cells(next(cells.len()), &cells, others);
                        Held::Mask(Mask { scalar: None, lanes: Some(lanes) })
                    }
                    _ => Held::Value(SmallVec::from_slice(next(types.len()))),
                };
                self.state.insert(*var, held);
            }
        }
        self.block(header, inner_mask);
        self.children(header, inner_mask, Some(l));
        self.close(l, header, top, &params, &carried, &cells);
        self.children(header, mask, None);
    }

    fn no_lanes(&mut self) -> Masks {
        let none = self.func.dfg.bits(self.mask_type(), 0);
        SmallVec::from_elem(none, self.grid.cells().into())
    }

    /// The lanes that wait at the blocks whose masks are among the variables.
    fn waiting(&mut self, vars: &[Carried]) -> Vec<Masks> {
        vars.iter()
            .map(|(var, _)| match self.state.get(var) {
                Some(Held::Mask(m)) => {
                    let m = *m;
                    (0..self.grid.cells()).map(|c| self.cell_lanes(m, c)).collect()
                }
                _ => self.no_lanes(),
            })
            .collect()
    }

    /// The masks of all cells, those of some replaced.
    fn set_of_cells(&mut self, masks: &[Value], cells: &[u8], mut all: Masks) -> Set {
        for (&c, &m) in cells.iter().zip(masks) {
            all[usize::from(c)] = m;
        }
        self.set(all)
    }

    /// The variables of a block's parameters, with the types of their pieces.
    fn slots_of(&self, b: Block) -> Vec<Carried> {
        let mut vars = Vec::new();
        for (n, &p) in self.r.func.dfg.params(b).iter().enumerate() {
            let types = self.piece_types(self.shapes.of(self.r, p), self.r.func.dfg.ty(p));
            let ways = self.variance.of(p);
            for cell in self.owners(ways) {
                vars.push((Var::Param(b, n as u32, self.grid.owner(cell, ways)), types.clone()));
            }
        }
        vars
    }

    /// Takes what is held for the parameters of a loop's header.
    fn take_params(&mut self, params: &[Carried]) -> Vec<Value> {
        let mut args = Vec::new();
        for (var, types) in params {
            match self.state.remove(var) {
                Some(Held::Value(pieces)) if pieces.len() == types.len() => args.extend(pieces),
                _ => args.extend(types.iter().map(|&t| self.func.dfg.undef(t))),
            }
        }
        args
    }

    /// The variables that lanes may set when they leave the uneven loop `l`.
    fn carried(&self, l: Loop) -> Vec<Carried> {
        let mut vars: Vec<Carried> = Vec::new();
        let loops = &self.r.info.loops;
        for t in loops.exit_blocks(self.r.func, l) {
            if !self.stays(t) {
                continue;
            }
            if self.needs_mask(loops.header(l), t) {
                vars.push((Var::Mask(t), SmallVec::new()));
            }
            vars.extend(self.slots_of(t));
        }
        let mut out: Vec<Value> = self
            .r
            .escapes
            .iter()
            .filter(|&(&v, &to)| loops.encloses(to, l) && self.r.home(v).is_some_and(|h| loops.contains(l, h)))
            .map(|(&v, _)| v)
            .collect();
        out.sort_unstable();
        for v in out {
            let types = self.piece_types(self.shapes.outside(self.r, v), self.r.func.dfg.ty(v));
            let ways = self.variance.outside(self.r, self.shapes, v);
            for cell in self.owners(ways) {
                vars.push((Var::Escape(v, self.grid.owner(cell, ways)), types.clone()));
            }
        }
        vars
    }

    /// The pieces of a variable as they go around a loop.
    fn carry(&mut self, var: Var, types: &[Type], cells: &[u8]) -> SmallVec<[Value; 4]> {
        match self.state.get(&var).cloned() {
            Some(Held::Mask(m)) => cells.iter().map(|&c| self.cell_lanes(m, c)).collect(),
            Some(Held::Value(p)) => p,
            None if matches!(var, Var::Mask(_)) => {
                let none = self.func.dfg.bits(self.mask_type(), 0);
                SmallVec::from_elem(none, cells.len())
            }
            None => types.iter().map(|&t| self.func.dfg.undef(t)).collect(),
        }
    }

    /// What is said of a loop, and that it hardly ever runs.
    fn rare_loop(&mut self, md: Option<LoopMd>) -> LoopMd {
        let meta = md.map(|md| self.func.loops[md].clone()).unwrap_or_default();
        self.func.loops.push(LoopMeta { rare: true, ..meta })
    }

    /// Ends the code of a loop: back to its top while any lane stays, else on.
    fn close(&mut self, l: Loop, header: Block, top: Block, params: &[Carried], carried: &[Carried], cells: &[u8]) {
        let back = match self.state.remove(&Var::Mask(header)) {
            Some(Held::Mask(m)) => Some(m),
            _ => None,
        };
        let mut args = self.take_params(params);
        let Some(back) = back else { return };
        let mut cond = back.scalar;
        if self.shapes.is_uneven(l) {
            let still = Mask { scalar: None, ..back };
            let lanes = self.each_cell(|e, c| e.cell_lanes(still, c));
            args.extend(cells.iter().map(|&c| lanes[usize::from(c)]));
            let set = self.set(lanes);
            let any = self.any_lane(set);
            cond = Some(match cond {
                Some(s) => self.plain(Opcode::And, Type::I1, &[s, any]),
                None => any,
            });
            for (var, types) in carried {
                args.extend(self.carry(*var, types, cells));
            }
        }
        let after = self.new_block();
        let cond = cond.unwrap_or_else(|| self.func.dfg.bits(Type::I1, 1));
        let md = self.r.info.loops.md(self.r.func, l);
        let md = if self.rare { Some(self.rare_loop(md)) } else { md };
        self.branch(cond, (top, &args), (after, &[]), md);
        self.here = after;
    }
}
