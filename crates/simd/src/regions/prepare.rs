//! A copy of the kernel in which every cut ends its block, and what cannot run on the host is refused.

use super::Warps;
use crate::{Options, Unsupported};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};
use ir::edit;
use ir::{Block, FuncId, Function, Inst, Intrinsic, Module, Opcode, Payload, ReversePostOrder, Type, Value};
use source::Span;

/// The kernel, ready to be divided.
pub(super) struct Prepared {
    /// The copy. It ends only in `return`s.
    pub(super) func: Function,
    /// The cut at a block's end: the last instruction before its jump to what follows the cut.
    pub(super) cut: SecondaryMap<Block, PackedOption<Inst>>,
    /// Whether some work-item may stop the kernel.
    pub(super) traps: bool,
    /// Whether warp operations stay in the code.
    pub(super) has_warp_ops: bool,
    /// Whether some work-items wait for what others do otherwise than by meeting them.
    pub(super) yields: bool,
    /// Functions that may stay calls.
    apart: SecondaryMap<FuncId, bool>,
}

/// Whether work-items wait for others here, or exchange values with them.
pub(crate) fn is_warp_op(op: Intrinsic) -> bool {
    use Intrinsic::*;
    matches!(
        op,
        WarpSync
            | ShflIdx
            | ShflUp
            | ShflDown
            | ShflBfly
            | VoteAll
            | VoteAny
            | VoteUni
            | Ballot
            | ActiveMask
            | MatchAny
            | MatchAll
            | ReduxAdd
            | ReduxSMin
            | ReduxSMax
            | ReduxUMin
            | ReduxUMax
            | ReduxAnd
            | ReduxOr
            | ReduxXor
    )
}

/// Whether the whole group meets here.
pub(super) fn is_barrier(op: Intrinsic) -> bool {
    use Intrinsic::*;
    matches!(op, Barrier | BarrierPopc | BarrierAnd | BarrierOr)
}

/// Copies the kernel and cuts it.
///
/// # Errors
/// It does something that is not covered on the host.
pub(super) fn prepare(
    module: &Module,
    kernel: FuncId,
    warps: Warps,
    options: &Options,
) -> Result<Prepared, Unsupported> {
    let source = &module.functions[kernel];
    if source.is_declaration() {
        return Err(unsupported("a kernel without a body", source.span, "define the kernel in this module"));
    }
    let mut this = Prepared {
        func: super::in_step::run(source).unwrap_or_else(|| source.clone()),
        cut: SecondaryMap::new(),
        traps: false,
        has_warp_ops: false,
        yields: false,
        apart: SecondaryMap::new(),
    };
    crate::sides::run(&mut this.func, options);
    if options.vectorise {
        crate::alike::run(&mut this.func, options.target);
    }
    forget_shuffles_masks(&mut this.func);
    let_others_run(&mut this.func);
    // Lanes that wait for something else are not there when the others of their warp go on.
    let yields = this.func.layout.blocks().flat_map(|b| this.func.layout.insts(b));
    let yields = { yields }.any(|i| this.func.dfg.insts[i].intrinsic() == Some(Intrinsic::Yield));
    let warps = if yields { Warps::Exchange } else { warps };
    let mut next = this.func.layout.first_block();
    while let Some(b) = next {
        this.block(module, b, warps)?;
        next = this.func.layout.next_block(b);
    }
    let order = ReversePostOrder::new(&this.func);
    edit::remove_unreachable(&mut this.func, &order);
    Ok(this)
}

/// Where groups wait for other groups, each time in vain the system may run another thread: there may be more of them than
/// processors.
fn let_others_run(func: &mut Function) {
    for e in analysis::polls::back_edges(func) {
        let md = func.dfg.insts[e.inst].loop_md();
        let nap = edit::split_edge(func, e, e.from, edit::Passing::Direct);
        let back = func.layout.terminator(nap);
        func.dfg.set_loop_md(e.inst, None);
        func.dfg.set_loop_md(back, md);
        let none = func.dfg.iconst(Type::I32, 0);
        ir::Builder::before(func, back).intrinsic(Intrinsic::Nanosleep, Type::VOID, &[none]);
    }
}

/// Shuffles read what other lanes have whoever takes part: here their masks say nothing, and who is active need not be
/// asked for them, which would be one more place where lanes meet.
fn forget_shuffles_masks(func: &mut Function) {
    use Intrinsic::{ActiveMask, ShflBfly, ShflDown, ShflIdx, ShflUp};
    let all: Vec<Inst> = func.layout.blocks().flat_map(|b| func.layout.insts(b)).collect();
    for &i in &all {
        if let Some(ShflBfly | ShflDown | ShflIdx | ShflUp) = func.dfg.insts[i].intrinsic() {
            let ty = func.dfg.ty(func.dfg.arg(i, 0));
            let every = func.dfg.iconst(ty, -1);
            func.dfg.args_mut(i)[0] = every;
        }
    }
    let mut used: EntitySet<Value> = EntitySet::new();
    for &i in &all {
        func.dfg.for_each_use(i, |v| {
            used.insert(func.dfg.resolve(v));
        });
    }
    for i in all {
        let is_idle = func.dfg.result(i).is_none_or(|v| !used.contains(v));
        if is_idle && func.dfg.insts[i].intrinsic() == Some(ActiveMask) {
            func.layout.remove_inst(i);
        }
    }
}

pub(super) fn unsupported(what: impl Into<String>, span: Span, help: &str) -> Unsupported {
    Unsupported { what: what.into(), span, help: help.to_owned() }
}

impl Prepared {
    /// Looks at each instruction up to the first cut; what follows that is a block of its own, looked at next.
    fn block(&mut self, module: &Module, b: Block, warps: Warps) -> Result<(), Unsupported> {
        let mut next = self.func.layout.first_inst(b);
        while let Some(i) = next {
            next = self.func.layout.next_inst(i);
            let span = self.func.dfg.span(i);
            match self.func.dfg.op(i) {
                Opcode::Call => self.call(module, i)?,
                Opcode::InlineAsm => {
                    return Err(unsupported(
                        "inline assembly of a GPU on the host",
                        span,
                        "write it in the language, or keep it behind `#if` for the GPU",
                    ));
                }
                Opcode::Unreachable => self.end(b, i),
                Opcode::Intrinsic => match self.func.dfg.insts[i].intrinsic() {
                    Some(Intrinsic::Exit) => {
                        self.end(b, i);
                        return Ok(());
                    }
                    Some(Intrinsic::Trap) => {
                        self.traps = true;
                        if let Some(n) = next {
                            self.end(b, n);
                        }
                        return Ok(());
                    }
                    Some(op) if is_warp_op(op) && warps == Warps::Keep => self.has_warp_ops = true,
                    Some(op) if is_warp_op(op) || is_barrier(op) || op == Intrinsic::Yield => {
                        self.yields |= op == Intrinsic::Yield;
                        self.cut_after(b, i);
                        return Ok(());
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        Ok(())
    }

    /// Ends the block with a return in place of `at` and what follows.
    fn end(&mut self, b: Block, at: Inst) {
        let mut next = Some(at);
        while let Some(i) = next {
            next = self.func.layout.next_inst(i);
            self.func.layout.remove_inst(i);
        }
        let i = self.func.dfg.make_inst(Opcode::Return, Type::VOID, ir::Flags::NONE, &[], Payload::None);
        self.func.layout.append_inst(i, b);
    }

    fn cut_after(&mut self, b: Block, i: Inst) {
        let Some(rest) = self.func.layout.next_inst(i) else { return };
        let after = self.func.dfg.make_block();
        self.func.layout.insert_block_after(after, b);
        self.func.layout.split_block(rest, after);
        let span = self.func.dfg.span(i);
        let mut builder = ir::Builder::at_end(&mut self.func, b);
        builder.set_span(span);
        builder.jump(after, &[]);
        self.cut[b] = i.into();
    }

    /// A call that the inliner has left: fine if the callee asks nothing about its work-item.
    fn call(&mut self, module: &Module, site: Inst) -> Result<(), Unsupported> {
        let Some(callee) = self.func.dfg.insts[site].callee() else { return Ok(()) };
        let Some((f, what)) = analysis::apart::reaches_kernel(module, callee, &mut self.apart) else { return Ok(()) };
        let name = &module.functions[f].display;
        Err(unsupported(
            format!("a call of `{name}`, which {what} and is not inlined"),
            self.func.dfg.span(site),
            "make it inlinable: no recursion, a body in this module",
        ))
    }
}
