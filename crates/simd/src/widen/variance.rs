//! Several vectors per iteration: which values differ between them.
//!
//! An iteration may run a grid of vectors, side by side in x and in rows of y. Their code is one control flow in which
//! each instruction appears once per vector that needs one of its own: what depends on neither x nor y is computed once
//! for all, a load at an address without y once per column. So rows of a matrix product share the loads of the other
//! matrix, and chains of dependent operations interleave.

use super::region::Region;
use super::shape::Shapes;
use analysis::Loop;
use cranelift_entity::SecondaryMap;
use ir::{Block, Flags, Inst, Opcode, Value, ValueDef};

/// Differs from column to column.
pub(super) const X: u8 = 1;
/// Differs from row to row.
pub(super) const Y: u8 = 2;

/// How many vectors an iteration runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    /// Side by side in x.
    pub(super) columns: u8,
    /// In y.
    pub(super) rows: u8,
}

impl Grid {
    pub(super) const ONE: Self = Self { columns: 1, rows: 1 };

    pub(super) fn cells(self) -> u8 {
        self.columns * self.rows
    }

    /// The cell that computes for `cell` what differs in these ways.
    pub(super) fn owner(self, cell: u8, ways: u8) -> u8 {
        let (column, row) = (cell % self.columns, cell / self.columns);
        let row = if ways & Y == 0 { 0 } else { row };
        let column = if ways & X == 0 { 0 } else { column };
        row * self.columns + column
    }
}

/// The loop over y around a loop over x, in a form in which rows can be run together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) l: Loop,
    /// The local id in y.
    pub(super) y: Value,
    /// The end of the loop: `br (y + 1) < trip`.
    pub(super) latch: Inst,
    pub(super) trip: u32,
}

/// In which ways values differ between the cells of the grid.
#[derive(Default)]
pub(super) struct Variance {
    ways: SecondaryMap<Value, u8>,
    all: u8,
}

impl Variance {
    /// For one vector at a time: nothing differs.
    pub(super) fn none() -> Self {
        Self::default()
    }

    /// What differs given the shapes so far; `y` if there are several rows.
    pub(super) fn new(r: &Region<'_>, x: Value, rows: Option<&Rows>, shapes: &Shapes) -> Self {
        let mut v = Self { ways: SecondaryMap::new(), all: X | if rows.is_some() { Y } else { 0 } };
        v.ways[x] = X;
        if let Some(rows) = rows {
            v.ways[rows.y] = Y;
            let mut blocks = r.info.loops.data(rows.l).blocks.clone();
            blocks.sort_by_key(|&b| r.info.cfg.rpo_number(b));
            for b in blocks.into_iter().filter(|&b| !r.contains(b)) {
                for i in r.func.layout.insts(b) {
                    if let Some(result) = r.func.dfg.result(i) {
                        v.ways[result] = r.func.dfg.args(i).iter().fold(0, |w, &a| w | v.ways[a]);
                    }
                }
            }
        }
        while v.round(r, x, shapes) {}
        v
    }

    /// In which ways `v` differs between cells where `at` uses it.
    pub(super) fn at(&self, r: &Region<'_>, shapes: &Shapes, v: Value, at: Block) -> u8 {
        let v = r.func.dfg.resolve(v);
        if self.all == 0 || matches!(r.func.dfg.values[v].def, ValueDef::Const(_)) && r.slot(v).is_none() {
            return 0;
        }
        let Some(home) = r.home(v) else {
            // Each cell has its own copies of stack slots.
            return if r.slot(v).is_some() { self.all } else { self.ways[v] };
        };
        match r.left(r.loop_of(home), at) {
            Some(_) if shapes.leaves_uneven(r, v, at) => self.all,
            _ => self.ways[v],
        }
    }

    /// In which ways `v` differs where it is defined.
    pub(super) fn of(&self, v: Value) -> u8 {
        self.ways[v]
    }

    /// In which ways a value differs outside of the loops that it leaves.
    pub(super) fn outside(&self, r: &Region<'_>, shapes: &Shapes, v: Value) -> u8 {
        if self.all != 0 && shapes.escape_is_uneven(r, v) { self.all } else { self.ways[v] }
    }

    /// In which ways the executions of an instruction differ.
    pub(super) fn inst(&self, r: &Region<'_>, shapes: &Shapes, i: Inst, b: Block) -> u8 {
        let data = &r.func.dfg.insts[i];
        let once = data.is_pure()
            || matches!(data.op, Opcode::Load | Opcode::Store) && !data.flags.has(Flags::VOLATILE)
            || matches!(data.op, Opcode::Fence | Opcode::Assume);
        if !once {
            return self.all;
        }
        r.func.dfg.args(i).iter().fold(0, |w, &v| w | self.at(r, shapes, v, b))
    }

    fn round(&mut self, r: &Region<'_>, x: Value, shapes: &Shapes) -> bool {
        let mut changed = false;
        let mut set = |this: &mut Self, v: Value, ways: u8| {
            changed |= this.ways[v] | ways != this.ways[v];
            this.ways[v] |= ways;
        };
        for &b in &r.blocks {
            for (n, &p) in r.func.dfg.params(b).iter().enumerate() {
                if p == x {
                    continue;
                }
                let mut ways = if shapes.is_merge(b) { self.all } else { 0 };
                for e in r.info.cfg.preds(b) {
                    let v = r.func.dfg.branch_args(e.inst, e.index as usize)[n];
                    ways |= self.at(r, shapes, v, b);
                }
                set(self, p, ways);
            }
            for i in r.func.layout.insts(b) {
                if let Some(v) = r.func.dfg.result(i) {
                    let ways = self.inst(r, shapes, i, b);
                    set(self, v, ways);
                }
            }
        }
        changed
    }

    /// Whether the way that lanes take at a branch on `v` differs between cells.
    pub(super) fn parts(&self, r: &Region<'_>, shapes: &Shapes, v: Value, b: Block) -> bool {
        self.at(r, shapes, v, b) != 0
    }
}
