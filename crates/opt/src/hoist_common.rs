//! What both sides of a branch begin with is done before it.
//!
//! `if (c) x = p[i] + 1; else x = p[i] - 1;` loads `p[i]` once, and so does a loop whose body begins as what follows it:
//! `for (…) a[p[0] + i]++; a[p[0]] = 0;` has `p[0]` in its header then, as older compilers of NVIDIA have it when they
//! decide about the loop.
//!
//! Moved are instructions that only compute, loads and stores, from the front of both blocks as long as they are the same;
//! one of the two would have been executed in any case, so nothing is executed needlessly. Promises stay if both made them.
//!
//! What must hold: verified IR; equal operands are one value ([`crate::gvn`]). Limits: [`MAX_MOVED`] instructions of a
//! branch. Cost: linear.

use crate::PassContext;
use crate::gvn::computes_the_same;
use ir::{Block, Flags, Function, Inst, MemInfo, Opcode, Payload};

/// Most instructions that are moved before one branch.
const MAX_MOVED: usize = 16;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.cfg(func);
    cx.keep_graph();
    let mut changed = false;
    // Inner branches first: what leaves them may leave the one around them, too.
    for b in cfg.post_order() {
        let branch = func.layout.terminator(b);
        if func.dfg.op(branch) != Opcode::Br {
            continue;
        }
        let sides = [func.dfg.successor(branch, 0), func.dfg.successor(branch, 1)];
        if sides[0] != sides[1] && sides.iter().all(|&s| cfg.single_pred(s).is_some()) {
            changed |= hoist(func, branch, sides);
        }
    }
    if changed {
        func.resolve_aliases();
    }
    changed
}

/// Moves what both blocks begin with to the front of the branch. Whether there was anything.
fn hoist(func: &mut Function, branch: Inst, sides: [Block; 2]) -> bool {
    for moved in 0..MAX_MOVED {
        let first = sides.map(|s| func.layout.first_inst(s));
        let [Some(one), Some(other)] = first else { return moved > 0 };
        func.dfg.resolve_inst(one);
        func.dfg.resolve_inst(other);
        if !is_movable(func, one) || !is_movable(func, other) || !computes_the_same(func, one, other) {
            return moved > 0;
        }
        let flags = func.dfg.insts[one].flags.common(func.dfg.insts[other].flags);
        func.dfg.insts[one].flags = flags;
        if let (Some(a), Some(b)) = (func.dfg.insts[one].mem(), func.dfg.insts[other].mem()) {
            // What one side claims need not hold on the way to the other.
            let align_log2 = a.align_log2.min(b.align_log2);
            func.dfg.insts[one].payload = Payload::Mem(MemInfo { align_log2, ..a });
        }
        if let (Some(kept), Some(gone)) = (func.dfg.result(one), func.dfg.result(other)) {
            func.dfg.replace_value(gone, kept);
        }
        func.layout.remove_inst(one);
        func.layout.remove_inst(other);
        func.layout.insert_inst_before(one, branch);
    }
    true
}

/// Whether an instruction may stand before the branch.
fn is_movable(func: &Function, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    match data.op {
        Opcode::Load | Opcode::Store => !data.flags.has(Flags::VOLATILE),
        _ => data.is_pure() && !data.ty.is_void(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_pass;
    use ir::{AddrSpace, Builder, Module, Type, Value};

    /// The text of `c ? (begins(p), then x + 1) : (begins(p), then x - 1)`.
    fn text(begins: impl Fn(&mut Builder<'_>, Value, usize) -> Value) -> String {
        let mut module = Module::default();
        let global = Type::ptr(AddrSpace::Global);
        let id = run_pass(&mut module, Type::I32, &[Type::I1, global], run, |f, entry, v| {
            let sides = [f.dfg.make_block(), f.dfg.make_block()];
            for s in sides {
                f.layout.append_block(s);
            }
            Builder::at_end(f, entry).br(v[0], (sides[0], &[]), (sides[1], &[]));
            for (n, s) in sides.into_iter().enumerate() {
                let mut b = Builder::at_end(f, s);
                let x = begins(&mut b, v[1], n);
                let one = b.iconst(Type::I32, 1);
                let y = b.binary([Opcode::Add, Opcode::Sub][n], x, one);
                b.ret(Some(y));
            }
        });
        ir::print::function_to_text(&module, &module.functions[id])
    }

    /// A load with an alignment.
    fn load(b: &mut Builder<'_>, p: Value, flags: Flags, align_log2: u8) -> Value {
        b.load(Type::I32, p, MemInfo::aligned(1 << align_log2), flags)
    }

    #[test]
    fn a_load_of_both_sides_comes_before_the_branch_with_what_both_promise() {
        let t = text(|b, p, n| load(b, p, Flags::NONE, 2 + 2 * n as u8));
        assert_eq!(t.matches("load").count(), 1, "{t}");
        assert!(t.find("load") < t.find("br "), "{t}");
        assert!(!t.contains("align 16"), "{t}");
    }

    #[test]
    fn volatile_loads_and_different_places_stay() {
        let t = text(|b, p, _| load(b, p, Flags::VOLATILE, 2));
        assert_eq!(t.matches("load").count(), 2, "{t}");
        let t = text(|b, p, n| {
            let offset = b.iconst(Type::I64, 4 * n as i64);
            let at = b.ptradd(p, offset, Flags::NONE);
            load(b, at, Flags::NONE, 2)
        });
        assert_eq!(t.matches("load").count(), 2, "{t}");
    }
}
