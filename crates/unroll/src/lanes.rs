//! Whether a count may differ between work-items, as the newer of the compilers that are followed takes it.
//!
//! Special registers all count, sizes and numbers of groups too; what other lanes have; results of atomic operations; conversions of
//! floating-point numbers, absolute values; and a
//! value that is merged from several where work-items may come by different ways ([`Uniformity`], computed when a merge is first
//! met: loops that both load and store, counted by a merged value).

use analysis::{Among, Expr, Node, PostDomTree, Scev, Uniformity};
use ir::{Opcode, Value, ValueDef};

/// Deepest expression and longest chain of instructions in which identities are looked for.
pub(crate) const MAX_ID_DEPTH: u32 = 12;

/// What is known about the work-items of one function.
#[derive(Default)]
pub(crate) struct Lanes {
    uniform: Option<Uniformity>,
}

impl Lanes {
    /// Whether what differs between work-items, or special registers, take part in an expression.
    pub(crate) fn take_part(&mut self, scev: &Scev<'_>, e: Expr) -> bool {
        self.in_expr(scev, e, 0)
    }

    fn in_expr(&mut self, scev: &Scev<'_>, e: Expr, depth: u32) -> bool {
        let exprs = &scev.exprs;
        let depth = depth + 1;
        match exprs.node(e) {
            _ if depth > MAX_ID_DEPTH => false,
            Node::Const(_) => false,
            Node::Unknown(v) => self.in_value(scev, v, depth),
            Node::Sum { .. } => exprs.terms(e).1.iter().any(|&(atom, _)| self.in_expr(scev, atom, depth)),
            Node::ZExt(a) | Node::SExt(a) | Node::Trunc(a) => self.in_expr(scev, a, depth),
            Node::AddRec { start: a, step: b, .. }
            | Node::UDiv(a, b)
            | Node::Mul(a, b)
            | Node::UMin(a, b)
            | Node::UMax(a, b)
            | Node::SMin(a, b)
            | Node::SMax(a, b) => self.in_expr(scev, a, depth) || self.in_expr(scev, b, depth),
        }
    }

    fn in_value(&mut self, scev: &Scev<'_>, v: Value, depth: u32) -> bool {
        let func = scev.func;
        match func.dfg.def(v) {
            _ if depth > MAX_ID_DEPTH => false,
            ValueDef::Param(b, _) if b != func.layout.entry() => self.uniformity(scev).is_divergent(v),
            ValueDef::Inst(i) => match func.dfg.op(i) {
                Opcode::Special | Opcode::Intrinsic | Opcode::Abs | Opcode::FpToSi | Opcode::FpToUi => true,
                Opcode::AtomicRmw | Opcode::AtomicCas => true,
                _ => func.dfg.args(i).iter().any(|&a| self.in_value(scev, a, depth + 1)),
            },
            _ => false,
        }
    }

    fn uniformity(&mut self, scev: &Scev<'_>) -> &Uniformity {
        let (func, info) = (scev.func, scev.info);
        self.uniform.get_or_insert_with(|| {
            let post = PostDomTree::new(func, &info.cfg, &info.loops);
            Uniformity::new(func, info, &post, Among::Group, true)
        })
    }
}
