//! `goto`: the objects whose scopes it leaves end there. Which those are is known when the label has been met.

use crate::check::Checker;
use crate::program::{LabelId, LocalId, StmtId, StmtKind};
use crate::types::RecordId;
use source::{Span, Symbol};

/// A `goto` of the function being checked.
#[derive(Clone, Debug)]
pub(crate) struct Jump {
    at: StmtId,
    label: LabelId,
    /// The objects that are live where it stands.
    live: Vec<(LocalId, RecordId)>,
    span: Span,
}

impl Checker<'_> {
    pub(super) fn goto_stmt(&mut self, name: Symbol, span: Span) -> StmtId {
        let label = self.label(name);
        self.cx.labels[label.index()].used.get_or_insert(span);
        let at = self.push_stmt(StmtKind::Goto(label), span);
        let live = self.cx.live.clone();
        self.cx.jumps.push(Jump { at, label, live, span });
        at
    }

    /// Puts before each `goto` what ends the objects that are not live at its label.
    pub(crate) fn finish_jumps(&mut self) {
        for jump in std::mem::take(&mut self.cx.jumps) {
            let there = self.cx.label_live.get(&jump.label).cloned().unwrap_or_default();
            let common = jump.live.iter().zip(&there).take_while(|(a, b)| a == b).count();
            if there.len() > common {
                self.error("E0377", jump.span, "`goto` past the initialisation of an object with a destructor");
                continue;
            }
            let mut out = Vec::new();
            for &(l, _) in jump.live[common..].iter().rev() {
                let place = self.local_place(l, jump.span);
                self.destroy(place, jump.span, &mut out);
            }
            if out.is_empty() {
                continue;
            }
            out.push(self.push_stmt(StmtKind::Goto(jump.label), jump.span));
            let all = self.block(&out, jump.span);
            self.p.stmts[jump.at.0 as usize].kind = self.p.stmt(all).kind;
        }
    }
}
