//! Which values of a function are only copied.
//!
//! Code that is read back from a compiler's output moves whole words, and what lies between an object's members with
//! them. Nobody has written that, and nobody looks at it: such a load is not a read.

use cranelift_entity::SecondaryMap;
use ir::{Block, Function, Inst, Opcode, Payload, Value, ValueDef};

/// A bit for each lane of a value; vectors of the host's work-items have many.
pub(crate) type Lanes = u64;

/// All lanes of a value.
const ALL: Lanes = Lanes::MAX;

/// The lanes of each value with which something is done besides putting them, as a whole or in parts, somewhere else.
pub(crate) fn looked_at(func: &Function) -> SecondaryMap<Value, Lanes> {
    let dfg = &func.dfg;
    let mut looked: SecondaryMap<Value, Lanes> = SecondaryMap::new();
    let mut open: Vec<(Value, Lanes)> = Vec::new();
    let mut into: SecondaryMap<Block, Vec<(Inst, usize)>> = SecondaryMap::new();
    let mut look = |open: &mut Vec<(Value, Lanes)>, v: Value, lanes: Lanes| {
        let v = dfg.resolve(v);
        let more = lanes & !looked[v];
        if more != 0 {
            looked[v] |= more;
            open.push((v, more));
        }
    };
    for inst in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
        for (n, block) in dfg.successors(inst).enumerate() {
            into[block].push((inst, n));
        }
        for (n, &v) in dfg.args(inst).iter().enumerate() {
            if !moves(dfg.op(inst), n) {
                look(&mut open, v, ALL);
            }
        }
    }
    // What is looked at was made of these.
    while let Some((v, lanes)) = open.pop() {
        match dfg.def(v) {
            ValueDef::Inst(i) if dfg.op(i) != Opcode::Load => {
                let lanes = match dfg.insts[i].payload {
                    Payload::Lane(l) if dfg.op(i) == Opcode::Extract => 1 << u32::from(l),
                    _ => ALL,
                };
                let args = dfg.args(i).iter().enumerate();
                args.filter(|(n, _)| moves(dfg.op(i), *n)).for_each(|(_, &a)| look(&mut open, a, lanes));
            }
            ValueDef::Param(block, n) => {
                for &(from, to) in &into[block] {
                    if let Some(&a) = dfg.branch_args(from, to).get(n as usize) {
                        look(&mut open, a, lanes);
                    }
                }
            }
            _ => {}
        }
    }
    looked
}

/// Whether an instruction puts operand `n` into its result, or into memory, and does nothing else with it.
fn moves(op: Opcode, n: usize) -> bool {
    use Opcode::*;
    match op {
        Store => n == 1,
        Select => n > 0,
        InsertDyn => n < 2,
        ExtractDyn => n == 0,
        Bitcast | VecBuild | Extract | Insert | Splat | Shuffle | Trunc | ZExt | SExt => true,
        _ => false,
    }
}
