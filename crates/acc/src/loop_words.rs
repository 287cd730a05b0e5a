//! What directives on loops say.

use crate::constant;
use crate::loops::plain;
use crate::region::Cx;
use crate::scope::{Site, VarId};
use directives::{Clause, ClauseKind, Kind, Operand};
use syntax::ast::StmtId;

/// What a directive on a loop says.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopWords {
    /// There is one.
    pub(crate) there: bool,
    /// Where.
    pub(crate) at: Option<std::ops::Range<usize>>,
    /// So many loops are one.
    pub(crate) collapse: usize,
    /// It is `tile` that says so: they are one loop here, whose groups are the tiles.
    pub(crate) tile: bool,
    /// Statements may stand between them.
    pub(crate) force: bool,
    /// One iteration after another.
    pub(crate) seq: bool,
    /// The question is ours.
    pub(crate) auto: bool,
    /// The program says that they may run in any order.
    pub(crate) independent: bool,
    /// Each iteration's own.
    pub(crate) privates: Vec<VarId>,
    /// Operators and variables.
    pub(crate) reductions: Vec<(String, VarId)>,
}

impl Cx<'_> {
    /// What the directives on a loop say.
    pub(crate) fn loop_words(&self, s: StmtId) -> LoopWords {
        let stmt = plain(self.unit, s);
        let found = self.scopes.sites.iter().position(|site| {
            matches!(site.directive.kind, Kind::Loop | Kind::For)
                && site.target.is_some_and(|t| plain(self.unit, t) == stmt)
        });
        found.map(|i| self.words_of(i)).unwrap_or_default()
    }

    pub(crate) fn words_of(&self, site: usize) -> LoopWords {
        let site = &self.scopes.sites[site];
        let d = &site.directive;
        let mut w = LoopWords { there: true, at: Some(d.span.clone()), collapse: 1, ..LoopWords::default() };
        for c in &d.clauses {
            match c.kind {
                ClauseKind::Seq | ClauseKind::Host => w.seq = true,
                ClauseKind::Auto => w.auto = true,
                ClauseKind::Independent => w.independent = true,
                ClauseKind::Collapse => {
                    let value = |o: &Operand| constant::of_operand(self.unit, self.scopes, site, &o.text);
                    let loops = c.operands.first().and_then(value).and_then(|n| usize::try_from(n).ok());
                    w.collapse = loops.unwrap_or(1).max(1);
                    w.force = c.modifiers.iter().any(|m| m == "force");
                }
                ClauseKind::Tile => {
                    w.tile = true;
                    w.collapse = w.collapse.max(c.operands.len());
                }
                ClauseKind::Private => w.privates.extend(self.named(site, c)),
                ClauseKind::Reduction => {
                    let op = c.modifiers.first().cloned().unwrap_or_default();
                    w.reductions.extend(self.named(site, c).into_iter().map(|v| (op.clone(), v)));
                }
                _ => {}
            }
        }
        w
    }

    pub(crate) fn named(&self, site: &Site, c: &Clause) -> Vec<VarId> {
        let names = c.operands.iter().filter_map(|o| o.variable.as_ref());
        names.filter_map(|v| site.names.get(&v.name).copied()).collect()
    }
}
