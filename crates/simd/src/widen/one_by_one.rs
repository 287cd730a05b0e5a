//! One vector after the other, where an iteration of several vectors has lanes that are off.
//!
//! Code under masks is needed for the last vectors of a launch only, so it need not be fast, but every vector of the grid
//! would have a copy of it: of eight vectors with a loop each, two thirds of the function. Here it is there once, in a loop
//! over the vectors of the grid, each of which begins the iteration anew.
//!
//! What must hold: all that has an effect stands in one subtree of the emission tree, outside of inner loops, and nothing of
//! the body is used after it. Until control comes there nothing has happened yet. Loads before it are done again: work-items
//! between barriers may run in any order. Cost: one look at the region for each place that gets versions.

use super::emit::Emitter;
use super::region::Region;
use super::variance::Grid;
use super::wide::Wide;
use ir::{Block, Flags, IntCC, Opcode, Type, Value};
use std::mem::take;

/// The row whose `y` is the loop's, where vectors go one by one.
pub(super) const THIS_ROW: u8 = u8::MAX;

/// Whether all effects of an iteration are in the subtree of `c`.
pub(super) fn has_all_effects(r: &Region<'_>, c: Block) -> bool {
    if r.loop_of(c) != r.root || !r.live_out().is_empty() {
        return false;
    }
    let dfg = &r.func.dfg;
    let is_idle = |b: Block| {
        r.func.layout.insts(b).all(|i| {
            let data = &dfg.insts[i];
            let plain_load = data.op == Opcode::Load && !data.flags.has(Flags::VOLATILE);
            data.op.is_terminator() || data.is_pure() || plain_load
        })
    };
    // Where control has passed the subtree nothing may depend on it.
    let is_before = |b: Block| r.info.dom.dominates(b, c);
    let takes_nothing =
        |b: Block| dfg.params(b).is_empty() && r.func.layout.insts(b).all(|i| dfg.op(i) != Opcode::Load);
    r.blocks.iter().all(|&b| r.info.dom.dominates(c, b) || is_idle(b) && (is_before(b) || takes_nothing(b)))
}

impl Emitter<'_> {
    /// Emits the iteration that is being emitted once more, for one vector at a time.
    pub(super) fn one_by_one(&mut self) {
        let x = self.r.func.dfg.params(self.r.header()).first().copied();
        let first = x.and_then(|x| Some((x, self.values.get(&(x, 0))?.clone())));
        let Some((x, Wide::Strided(base, 1))) = first else {
            self.broken = Some("the first work-item of an iteration is not known");
            return;
        };
        let (grid, before, mask) = (self.grid, self.before, self.iteration_mask);
        let kept = (take(&mut self.values), take(&mut self.state), take(&mut self.cases), take(&mut self.row_values));
        let (home, cell, figures) = (self.home, self.cell, self.figures);
        let (top, body, after) = (self.new_block(), self.new_block(), self.new_block());
        let zero = self.func.dfg.iconst(Type::I32, 0);
        self.jump(top, &[zero]);
        let n = self.func.dfg.add_param(top, Type::I32);
        self.here = top;
        let column = self.cell_part(n, grid.columns, Opcode::And, i64::from(grid.columns) - 1);
        let lanes = self.func.dfg.iconst(Type::I32, self.lanes.into());
        let items = self.plain(Opcode::Mul, Type::I32, &[column, lanes]);
        let base = self.plain(Opcode::Add, Type::I32, &[base, items]);
        if let Some(y) = self.y.filter(|_| grid.rows > 1) {
            let row = self.cell_part(n, grid.columns, Opcode::LShr, i64::from(grid.columns.trailing_zeros()));
            let y_here = self.plain(Opcode::Add, Type::I32, &[y, row]);
            self.row_values.insert((y, THIS_ROW), y_here);
        }
        (self.grid, self.before, self.here, self.one) = (Grid::ONE, top, body, true);
        self.iteration(x, base, mask);
        let one = self.func.dfg.iconst(Type::I32, 1);
        let next = self.plain(Opcode::Add, Type::I32, &[n, one]);
        let count = self.func.dfg.iconst(Type::I32, grid.cells().into());
        let more = self.icmp(IntCC::Ult, next, count);
        self.branch(more, (top, &[next]), (after, &[]), None);
        self.here = top;
        self.jump(body, &[]);
        (self.grid, self.before, self.here, self.one) = (grid, before, after, false);
        (self.values, self.state, self.cases, self.row_values) = kept;
        // The same accesses once more do not count.
        (self.home, self.cell, self.iteration_mask, self.figures) = (home, cell, mask, figures);
    }

    /// The column or row of cell `n`; `by` is the operation's other operand.
    fn cell_part(&mut self, n: Value, columns: u8, op: Opcode, by: i64) -> Value {
        if columns == 1 {
            return if op == Opcode::And { self.func.dfg.iconst(Type::I32, 0) } else { n };
        }
        let by = self.func.dfg.iconst(Type::I32, by);
        self.plain(op, Type::I32, &[n, by])
    }
}
