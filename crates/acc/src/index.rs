//! The statements, expressions and declarations of a part of the text: questions about a loop look at what is in it, and not at
//! the whole file with its headers.

use crate::unit::Unit;
use rustc_hash::FxHashMap;
use std::ops::Range;
use syntax::ast::{DeclId, DeclKind, ExprId, StmtId};

/// Where the nodes of a tree stand.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// By first byte.
    stmts: Vec<(usize, StmtId)>,
    exprs: Vec<(usize, ExprId)>,
    /// Declarations of variables by the first byte of their names.
    variables: FxHashMap<usize, DeclId>,
    /// What `#pragma pack` said where structures and unions are defined, by their first byte.
    packs: Vec<(usize, u8)>,
}

impl Index {
    pub(crate) fn of(unit: &Unit) -> Self {
        let ast = &unit.ast;
        let mut stmts: Vec<(usize, StmtId)> =
            (0..ast.stmts.len()).map(StmtId::from_index).map(|s| (unit.range(ast[s].span).start, s)).collect();
        let mut exprs: Vec<(usize, ExprId)> =
            (0..ast.exprs.len()).map(ExprId::from_index).map(|e| (unit.range(ast[e].span).start, e)).collect();
        stmts.sort_unstable();
        exprs.sort_unstable();
        let mut variables = FxHashMap::default();
        let mut packs = Vec::new();
        for d in (0..ast.decls.len()).map(DeclId::from_index) {
            match ast[d].kind {
                DeclKind::Var { .. } => {
                    variables.entry(unit.range(ast[ast[d].name].span).start).or_insert(d);
                }
                DeclKind::Record(r) if ast[r].defined && ast[r].pack > 0 => {
                    packs.push((unit.range(ast[d].span).start, ast[r].pack));
                }
                _ => {}
            }
        }
        packs.sort_unstable();
        Self { stmts, exprs, variables, packs }
    }
}

/// The nodes of a list by first byte that begin in a range, in the order of the tree.
fn within<T: Copy + Ord>(list: &[(usize, T)], range: &Range<usize>) -> Vec<T> {
    let from = list.partition_point(|(at, _)| *at < range.start);
    let to = list.partition_point(|(at, _)| *at < range.end);
    let mut out: Vec<T> = list[from..to.max(from)].iter().map(|(_, n)| *n).collect();
    out.sort_unstable();
    out
}

impl Unit {
    /// A part of the text for kernels with `#pragma pack` as it is in force where the first structure in it is defined: what says so
    /// may stand anywhere before.
    pub(crate) fn packed_as_there(&self, range: &Range<usize>, text: String) -> String {
        let from = self.index.packs.partition_point(|(at, _)| *at < range.start);
        match self.index.packs.get(from).filter(|(at, _)| *at < range.end) {
            Some((_, n)) => format!("\n#pragma pack(push, {n})\n{text}\n#pragma pack(pop)\n"),
            None => text,
        }
    }

    /// The statements that a part of the text holds whole, in the order of the tree.
    pub(crate) fn stmts_in(&self, range: &Range<usize>) -> Vec<StmtId> {
        let mut out = within(&self.index.stmts, range);
        out.retain(|&s| self.range(self.ast[s].span).end <= range.end);
        out
    }

    /// The expressions that a part of the text holds whole, in the order of the tree.
    pub(crate) fn exprs_in(&self, range: &Range<usize>) -> Vec<ExprId> {
        let mut out = within(&self.index.exprs, range);
        out.retain(|&e| self.range(self.ast[e].span).end <= range.end);
        out
    }

    /// The declaration of the variable whose name stands at a place.
    pub(crate) fn variable_at(&self, name: &Range<usize>) -> Option<DeclId> {
        self.index.variables.get(&name.start).copied()
    }

    /// The function, or other external declaration, around a place; nothing outside of them.
    pub(crate) fn function_at(&self, at: usize) -> Range<usize> {
        self.external_at(at).map_or(0..0, |i| self.externals[i].clone())
    }
}
