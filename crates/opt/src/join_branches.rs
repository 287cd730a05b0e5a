//! Branches in a row that lead to the same place become one: `if (a && b)` tests both conditions at once.
//!
//! Where a branch goes either to a block that only computes another condition and branches on it, or to the place where
//! that second branch may go, too, with the same arguments, the second condition is computed first and one branch asks
//! for both. An assembler takes the conjunction for nothing, and blocks behind one branch can be predicated, where
//! blocks behind two cannot.
//!
//! The second condition is computed needlessly where the first one fails, so it must be cheap and free of effects (what
//! may be executed needlessly, and at what price, is said by [`crate::if_convert`]). What is moved loses the promises
//! that need not hold there.
//!
//! What must hold: verified IR. Runs late: it hides which condition guards what from the passes over loops. Limits:
//! [`MAX_COST`] instructions for each condition, [`MAX_ROW`] conditions in a row. Cost: linear.

use crate::PassContext;
use crate::if_convert::{may_speculate, price};
use cranelift_entity::PrimaryMap;
use ir::{Block, Builder, Flags, Function, Global, GlobalData, Inst, LoopMd, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

/// Most instructions that are executed needlessly for one condition.
const MAX_COST: u32 = 5;

/// Most conditions that one branch asks for.
const MAX_ROW: u32 = 8;

/// Promises about operands and results that may be broken where nobody asks for the result.
const PROMISES: Flags =
    Flags::NUW.with(Flags::NSW).with(Flags::EXACT).with(Flags::INBOUNDS).with(Flags::NNAN).with(Flags::NINF);

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.cfg(func);
    let mut changed = false;
    for &b in cfg.rpo() {
        let mut left = MAX_ROW - 1;
        while left > 0
            && func.layout.is_placed(b)
            && let Some(row) = row(func, &cx.module.globals, b, |x| cfg.single_pred(x).is_some())
        {
            join(func, b, &row);
            left -= 1;
            changed = true;
        }
    }
    if !changed {
        cx.keep_graph();
    }
    changed
}

/// Two branches that become one.
struct Row {
    /// The block of the second condition.
    second: Block,
    /// Side of the first branch that leads there.
    enters: usize,
    /// Side of the second branch that leads to the place that the first one goes to otherwise.
    leaves: usize,
    md: Option<LoopMd>,
}

fn row(
    func: &Function,
    globals: &PrimaryMap<Global, GlobalData>,
    b: Block,
    single: impl Fn(Block) -> bool,
) -> Option<Row> {
    let t = func.layout.last_inst(b).filter(|&t| func.dfg.op(t) == Opcode::Br)?;
    (0..2).find_map(|enters| {
        let second = func.dfg.successor(t, enters);
        let common = func.dfg.successor(t, 1 - enters);
        if second == b || second == common || !single(second) || !func.dfg.params(second).is_empty() {
            return None;
        }
        let end = func.layout.last_inst(second).filter(|&e| func.dfg.op(e) == Opcode::Br)?;
        let same = |n: usize| {
            func.dfg.successor(end, n) == common
                && func
                    .dfg
                    .branch_args(end, n)
                    .iter()
                    .zip(func.dfg.branch_args(t, 1 - enters))
                    .all(|(&x, &y)| func.dfg.resolve(x) == func.dfg.resolve(y))
        };
        let leaves = (0..2).find(|&n| same(n) && func.dfg.successor(end, 1 - n) != common)?;
        let (first_md, second_md) = (func.dfg.insts[t].loop_md(), func.dfg.insts[end].loop_md());
        if first_md.is_some() && second_md.is_some() {
            return None;
        }
        let mut cost = 0;
        for i in func.layout.insts(second).take_while(|&i| i != end) {
            cost += price(func, i);
            if cost > MAX_COST || !may_speculate(func, globals, b, i) {
                return None;
            }
        }
        Some(Row { second, enters, leaves, md: first_md.or(second_md) })
    })
}

fn join(func: &mut Function, b: Block, row: &Row) {
    let t = func.layout.terminator(b);
    let end = func.layout.terminator(row.second);
    while let Some(i) = func.layout.first_inst(row.second) {
        func.layout.remove_inst(i);
        if i != end {
            let flags = func.dfg.insts[i].flags.without(PROMISES);
            func.dfg.insts[i].flags = flags;
            func.layout.insert_inst_before(i, t);
        }
    }
    func.layout.remove_block(row.second);
    let (first, second) = (func.dfg.arg(t, 0), func.dfg.arg(end, 0));
    let args = |i: Inst, n: usize| -> SmallVec<[Value; 4]> { func.dfg.branch_args(i, n).into() };
    let (common, common_args) = (func.dfg.successor(t, 1 - row.enters), args(t, 1 - row.enters));
    let (other, other_args) = (func.dfg.successor(end, 1 - row.leaves), args(end, 1 - row.leaves));
    let mut build = Builder::before(func, t);
    let (common, other) = ((common, common_args.as_slice()), (other, other_args.as_slice()));
    // The first condition, which may be of several, is never negated: either both lead on, or one of them leads away.
    if row.enters == 0 {
        let second = if row.leaves == 1 { second } else { inverted(&mut build, second) };
        let both = build.binary(Opcode::And, first, second);
        build.br_md(both, other, common, row.md);
    } else {
        let second = if row.leaves == 0 { second } else { inverted(&mut build, second) };
        let either = build.binary(Opcode::Or, first, second);
        build.br_md(either, common, other, row.md);
    }
    func.layout.remove_inst(t);
}

/// The opposite of a condition.
fn inverted(build: &mut Builder<'_>, cond: Value) -> Value {
    let dfg = &build.func.dfg;
    if let Some(i) = dfg.def_inst(cond) {
        let (a, flags, payload) =
            (SmallVec::<[Value; 2]>::from_slice(dfg.args(i)), dfg.insts[i].flags, dfg.insts[i].payload.clone());
        match payload {
            Payload::IntCC(cc) => return build.icmp(cc.inverse(), a[0], a[1]),
            Payload::FloatCC(cc) => return build.fcmp(cc.inverse(), flags.without(PROMISES), a[0], a[1]),
            _ => {}
        }
    }
    let yes = build.iconst(Type::I1, 1);
    build.binary(Opcode::Xor, cond, yes)
}
