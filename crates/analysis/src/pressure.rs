//! Register pressure: how many registers the live values of a function take at most.
//!
//! An estimate before scheduling: instructions count in their order, constants and addresses of variables are free,
//! and each value is counted as long as it is live. Cost: linear in instructions, after [`Liveness`].

use crate::{Cfg, Liveness};
use cranelift_entity::SecondaryMap;
use ir::{Block, Function, ScalarKind, Type, Value, ValueDef};

/// Registers, by file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pressure {
    /// 32-bit registers; wider values take several.
    pub registers: u32,
    /// Predicate registers.
    pub predicates: u32,
}

impl Pressure {
    /// Registers of one value.
    pub fn of(ty: Type) -> Self {
        let lanes = u32::from(ty.lanes());
        match ty.kind() {
            ScalarKind::Void => Self::default(),
            ScalarKind::I1 => Self { registers: 0, predicates: lanes },
            ScalarKind::I64 | ScalarKind::F64 | ScalarKind::Ptr => Self { registers: 2 * lanes, predicates: 0 },
            // Two halves share a register in vectors.
            ScalarKind::F16 | ScalarKind::BF16 if lanes > 1 => Self { registers: lanes.div_ceil(2), predicates: 0 },
            _ => Self { registers: lanes, predicates: 0 },
        }
    }

    fn add(&mut self, other: Self) {
        self.registers += other.registers;
        self.predicates += other.predicates;
    }

    fn remove(&mut self, other: Self) {
        self.registers = self.registers.saturating_sub(other.registers);
        self.predicates = self.predicates.saturating_sub(other.predicates);
    }

    fn max(self, other: Self) -> Self {
        Self { registers: self.registers.max(other.registers), predicates: self.predicates.max(other.predicates) }
    }
}

/// Highest pressure in each block.
#[derive(Clone, Debug)]
pub struct PressureMap {
    blocks: SecondaryMap<Block, Pressure>,
    max: Pressure,
}

impl PressureMap {
    /// Computes it.
    pub fn new(func: &Function, cfg: &Cfg, live: &Liveness) -> Self {
        let mut blocks: SecondaryMap<Block, Pressure> = ir::side_table(func.dfg.blocks.len());
        let mut max = Pressure::default();
        // The block, counted from 1, in which a value was last seen live.
        let mut seen: SecondaryMap<Value, u32> = ir::side_table(func.dfg.values.len());
        for (n, &b) in cfg.rpo().iter().enumerate() {
            let p = block_pressure(func, live, b, n as u32 + 1, &mut seen);
            blocks[b] = p;
            max = max.max(p);
        }
        Self { blocks, max }
    }

    /// Highest pressure anywhere.
    pub fn max(&self) -> Pressure {
        self.max
    }

    /// Highest pressure in a block.
    pub fn block(&self, b: Block) -> Pressure {
        self.blocks[b]
    }
}

/// Walks a block backwards.
fn block_pressure(
    func: &Function,
    live: &Liveness,
    b: Block,
    stamp: u32,
    seen: &mut SecondaryMap<Value, u32>,
) -> Pressure {
    let mut now = Pressure::default();
    for &v in live.live_out(b) {
        seen[v] = stamp;
        now.add(Pressure::of(func.dfg.ty(v)));
    }
    let mut max = now;
    for i in func.layout.insts_rev(b) {
        if let Some(v) = func.dfg.result(i) {
            let size = Pressure::of(func.dfg.ty(v));
            if seen[v] == stamp {
                seen[v] = 0;
                now.remove(size);
            } else {
                // An unused result still needs a register for a moment.
                let mut brief = now;
                brief.add(size);
                max = max.max(brief);
            }
        }
        func.dfg.for_each_use(i, |v| {
            let v = func.dfg.resolve(v);
            if seen[v] != stamp && !matches!(func.dfg.values[v].def, ValueDef::Const(_)) {
                seen[v] = stamp;
                now.add(Pressure::of(func.dfg.ty(v)));
            }
        });
        max = max.max(now);
    }
    max
}
