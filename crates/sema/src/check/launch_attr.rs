//! `__block_size__`: the size of the blocks that a kernel is launched with.

use source::HintKind;
use syntax::ast::{self, AttrArg, ExprId, ExprKind};

use super::Checker;
use crate::program::{Asked, FnAttrs};

impl Checker<'_> {
    /// `__block_size__((x, y, z))`: what launches must have. With a second tuple the sizes of grids count clusters: launches
    /// would mean something else, so that it is refused and not passed over.
    pub(super) fn block_size(&mut self, a: &ast::Attr, text: String, out: &mut FnAttrs) {
        let args = self.ast.list(a.args).to_vec();
        let Some((block, cluster)) = args.split_first() else {
            self.error("E0319", a.span, "`__block_size__` takes the size of a block: `__block_size__((128, 1, 1))`");
            return;
        };
        let block = self.tuple(*block);
        let block = self.sizes(a, &block);
        if let Some(&c) = cluster.first() {
            let cluster = self.tuple(c);
            if self.sizes(a, &cluster).is_none_or(|c| c != [1, 1, 1]) {
                self.error(
                    "E0338",
                    a.span,
                    "`__block_size__` with clusters is not supported; write `__cluster_dims__` and launch with blocks",
                );
                return;
            }
        }
        if let Some(value) = block {
            let hint = self.enter_hint(HintKind::ReqdWorkGroupSize, a.span, text);
            out.reqd_work_group_size = Some(Asked { value, hint });
        }
    }

    /// One to three sizes.
    fn sizes(&mut self, a: &ast::Attr, args: &[AttrArg]) -> Option<[u32; 3]> {
        let mut value = [1u32; 3];
        let fits = (1..=3).contains(&args.len());
        let read = value.iter_mut().zip(args).all(|(v, arg)| match self.int_arg(arg).map(u32::try_from) {
            Some(Ok(n)) if n > 0 => {
                *v = n;
                true
            }
            _ => false,
        });
        if !fits || !read {
            let name = self.attr_name(a);
            self.error("E0319", a.span, format!("`__{name}__` takes one to three constants greater than zero"));
            return None;
        }
        Some(value)
    }

    /// `(x, y, z)` in parentheses of its own, or one number.
    fn tuple(&self, arg: AttrArg) -> Vec<AttrArg> {
        let AttrArg::Expr(mut e) = arg else { return vec![arg] };
        while let ExprKind::Paren(inner) = self.ast[e].kind {
            e = inner;
        }
        let mut last: Vec<ExprId> = Vec::new();
        while let ExprKind::Comma(l, r) = self.ast[e].kind {
            last.push(r);
            e = l;
        }
        last.push(e);
        last.into_iter().rev().map(AttrArg::Expr).collect()
    }
}
