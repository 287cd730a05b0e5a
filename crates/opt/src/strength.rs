//! Strength reduction of addresses, so that memory accesses use `[register + constant]`.
//!
//! Five steps, in this order:
//!
//! * [`induction`]: in innermost loops, an address that grows by the same amount in every iteration becomes a pointer
//!   that is increased once per iteration. Accesses whose addresses differ by constants share one pointer.
//! * [`exit_test`]: counters are tested after they were stepped.
//! * [`counter`]: a variable that goes as far as a counter does its work, in loops of several blocks.
//! * [`meeting`]: accesses behind different branches whose addresses differ by constants share a pointer that is
//!   computed where the ways part.
//! * [`straight`]: elsewhere, and for what is left, accesses whose addresses differ by a constant from one that
//!   dominates them use that one's register; products `(x + 1) × y` after `x × y` become additions.
//!
//! Counters of loops of one block stay, also where another variable goes as far: ptxas, which unrolls by them once more, makes code
//! that a GPU runs faster (docs/gpu.md).
//!
//! The 32-bit index arithmetic that becomes dead is left to dead code elimination.
//!
//! What must hold: verified IR, simplified; loops get preheaders. Runs late, once, after unrolling: it hides what
//! addresses are made of. Cost: linear, with the expressions of the addresses in innermost loops.

mod counter;
mod exit_test;
mod induction;
mod meeting;
mod straight;

use crate::loop_util::with_preheaders;
use crate::{PassContext, dce};
use analysis::Cfg;
use ir::edit;
use ir::{Function, Inst, Opcode};
use std::rc::Rc;

/// Farthest constant offset of an access, in bytes.
const MAX_OFFSET: i64 = 1 << 23;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let info = with_preheaders(func, cx);
    // Headers get parameters; branches of unreachable blocks would not pass them.
    let mut changed = edit::remove_unreachable(func, info.cfg.order());
    if changed {
        cx.leave_graph(Rc::new(Cfg::new(func)));
    }
    changed |= induction::run(func, &info, cx.options.target);
    changed |= exit_test::run(func, &info);
    if !info.loops.is_empty() {
        // What indices were for may be gone now, and the old tests are.
        changed |= dce::sweep(func, &info.cfg);
        changed |= counter::run(func, &info);
    }
    changed |= meeting::run(func, &info.dom);
    changed |= straight::run(func, &info.dom);
    changed
}

/// Whether operand 0 of the instruction is the address of an access that can have a constant offset.
fn is_access(func: &Function, i: Inst) -> bool {
    matches!(func.dfg.op(i), Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas)
        && !func.dfg.ty(func.dfg.arg(i, 0)).is_vector()
}
