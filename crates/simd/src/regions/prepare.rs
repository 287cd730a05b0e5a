//! A copy of the kernel in which every cut ends its block, and what cannot run on the host is refused.

use super::Warps;
use crate::Unsupported;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use ir::edit;
use ir::{
    Block, ConstKind, FuncId, Function, Inst, Intrinsic, Module, Opcode, Payload, ReversePostOrder, SpecialReg, Type,
    ValueDef,
};
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
pub(super) fn prepare(module: &Module, kernel: FuncId, warps: Warps) -> Result<Prepared, Unsupported> {
    let source = &module.functions[kernel];
    if source.is_declaration() {
        return Err(unsupported("a kernel without a body", source.span, "define the kernel in this module"));
    }
    let mut this = Prepared { func: source.clone(), cut: SecondaryMap::new(), traps: false, has_warp_ops: false };
    let mut next = this.func.layout.first_block();
    while let Some(b) = next {
        this.block(module, b, warps)?;
        next = this.func.layout.next_block(b);
    }
    let order = ReversePostOrder::new(&this.func);
    edit::remove_unreachable(&mut this.func, &order);
    Ok(this)
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
                    Some(Intrinsic::IsGlobal | Intrinsic::IsConst | Intrinsic::IsLocal) => {
                        return Err(unsupported(
                            "a question for a pointer's address space on the host",
                            span,
                            "the host has one memory; only the question for shared memory has an answer",
                        ));
                    }
                    Some(op) if is_warp_op(op) && warps == Warps::Keep => self.has_warp_ops = true,
                    Some(op) if is_warp_op(op) || is_barrier(op) => {
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
    fn call(&self, module: &Module, site: Inst) -> Result<(), Unsupported> {
        let Some(callee) = self.func.dfg.insts[site].callee() else { return Ok(()) };
        let mut seen = vec![callee];
        let mut n = 0;
        while let Some(&f) = seen.get(n) {
            n += 1;
            if let Some(what) = needs_work_item(module, f, &mut seen) {
                let name = &module.functions[f].display;
                return Err(unsupported(
                    format!("a call of `{name}`, which {what} and is not inlined"),
                    self.func.dfg.span(site),
                    "make it inlinable: no recursion, a body in this module",
                ));
            }
        }
        Ok(())
    }
}

/// What a function that stays a call does that only works as a part of the kernel. Adds its callees to `seen`.
fn needs_work_item(module: &Module, f: FuncId, seen: &mut Vec<FuncId>) -> Option<&'static str> {
    let func = &module.functions[f];
    if func.is_declaration() {
        return Some("has no body");
    }
    for b in func.layout.blocks() {
        for i in func.layout.insts(b) {
            let data = &func.dfg.insts[i];
            if let Some(c) = data.callee().filter(|c| !seen.contains(c)) {
                seen.push(c);
            }
            let shared = |v: &ir::Value| {
                matches!(func.dfg.values[*v].def, ValueDef::Const(ConstKind::Global(g))
                    if module.globals[g].space == ir::AddrSpace::Shared)
            };
            let mut uses_shared = false;
            func.dfg.for_each_use(i, |v| uses_shared |= shared(&v));
            if uses_shared {
                return Some("uses work-group memory");
            }
            match data.op {
                Opcode::Special if !matches!(data.special(), Some(SpecialReg::WarpSize) | None) => {
                    return Some("asks for the work-item's place");
                }
                Opcode::InlineAsm => return Some("contains inline assembly"),
                Opcode::Intrinsic => match data.intrinsic() {
                    Some(Intrinsic::Trap | Intrinsic::Exit) => return Some("may end the work-item"),
                    Some(op) if is_barrier(op) || is_warp_op(op) => return Some("waits for other work-items"),
                    Some(Intrinsic::IsGlobal | Intrinsic::IsConst | Intrinsic::IsLocal | Intrinsic::IsShared) => {
                        return Some("asks for a pointer's address space");
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }
    None
}
