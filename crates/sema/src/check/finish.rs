//! The end of a compilation: what is emitted, in which order.

use source::{Fate, HintId};
use syntax::ast::DeclSpecs;

use super::{BodyState, Checker};
use crate::program::{ExprKind, FuncId, Function, Linkage, Program, RelocTarget};

impl Checker<'_> {
    /// Drops functions that nothing reaches and numbers the rest.
    pub(crate) fn finish(mut self) -> Program {
        self.fill_dispatchers();
        let n = self.p.functions.len();
        let mut callees: Vec<Vec<FuncId>> = vec![Vec::new(); n];
        // Which function an expression belongs to is not recorded, so bodies are walked for their calls.
        for (i, out) in callees.iter_mut().enumerate() {
            if let Some(b) = self.p.functions[i].body {
                super::walk::callees(&self.p, b, out);
            }
        }
        let mut keep = vec![false; n];
        let mut work: Vec<usize> = Vec::new();
        for i in 0..n {
            let f = self.decls.func_decls[i];
            let d = &self.decls[f];
            let kernel = d.specs.any(DeclSpecs::GLOBAL.with(DeclSpecs::KERNEL));
            let external = self.opts.emit_external_functions
                && self.p.functions[i].linkage == Linkage::External
                && d.state == BodyState::Done;
            let internal = self.opts.emit_internal_functions && d.state == BodyState::Done;
            if internal || (kernel && d.state == BodyState::Done) || external || self.inst.roots.contains(&f) {
                work.push(i);
            }
        }
        for g in &self.p.globals {
            for r in g.init.iter().flat_map(|i| &i.relocs) {
                if let RelocTarget::Function(f) = r.target {
                    work.push(f.index());
                }
            }
        }
        loop {
            while let Some(i) = work.pop() {
                if !std::mem::replace(&mut keep[i], true) {
                    work.extend(callees[i].iter().map(|f| f.index()));
                }
            }
            // Calls of virtual functions lead to those of the classes of which there are objects.
            let calls =
                self.p.functions.iter().zip(&keep).filter(|(_, k)| **k).filter_map(|(f, _)| f.overriders.as_ref());
            let live = calls.flatten().filter(|o| self.is_carried(o.number, &keep)).filter_map(|o| o.function);
            work.extend(live.map(FuncId::index).filter(|&i| !keep[i]));
            if work.is_empty() {
                break;
            }
        }
        for f in 0..n {
            if let Some(mut all) = self.p.functions[f].overriders.take() {
                all.retain(|o| keep[f] && self.is_carried(o.number, &keep));
                self.p.functions[f].overriders = Some(all);
            }
        }
        self.settle_held(&keep);
        self.report_overflow();
        self.settle_dropped(&keep);
        self.renumber(&keep);
        self.p.addressed = self.addressed();
        self.p.host = self.host_entities();
        self.p
    }

    /// The functions whose address what is emitted takes.
    fn addressed(&self) -> Vec<FuncId> {
        let mut found = Vec::new();
        for b in self.p.functions.iter().filter_map(|f| f.body) {
            super::walk::addressed(&self.p, b, &mut found);
        }
        for r in self.p.globals.iter().filter_map(|g| g.init.as_ref()).flat_map(|i| &i.relocs) {
            if let RelocTarget::Function(f) = r.target {
                found.push(f);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Hints in functions that are not emitted have nothing to act on.
    fn settle_dropped(&mut self, keep: &[bool]) {
        for (f, _) in self.p.functions.iter().zip(keep).filter(|(_, k)| !**k) {
            let a = &f.attrs;
            let mut hints: Vec<HintId> = f.loops.iter().flat_map(|l| l.hints.iter().copied()).collect();
            hints.extend(a.reqd_work_group_size.map(|x| x.hint));
            hints.extend(a.work_group_size_hint.map(|x| x.hint));
            hints.extend(a.vec_type_hint.map(|x| x.hint));
            hints.extend(a.launch_bounds.map(|x| x.hint));
            hints.extend(a.maxnreg.map(|x| x.hint));
            hints.extend(a.cluster_dims.map(|x| x.hint));
            hints.extend(a.inline_hint);
            if let Some(b) = f.body {
                super::walk::hints(&self.p, b, &mut hints);
            }
            for h in hints {
                let reason = format!("`{}` is never used by a kernel", f.display);
                self.sess.ledger.settle(h, Fate::Unused, "nothing", reason);
            }
        }
    }

    fn renumber(&mut self, keep: &[bool]) {
        if keep.iter().all(|&k| k) {
            return;
        }
        let mut map = vec![FuncId(u32::MAX); keep.len()];
        let mut next = 0;
        for (m, &k) in map.iter_mut().zip(keep) {
            if k {
                *m = FuncId(next);
                next += 1;
            }
        }
        for e in &mut self.p.exprs {
            match &mut e.kind {
                ExprKind::Call { callee, .. } => *callee = map[callee.index()],
                ExprKind::FuncAddr(f) => *f = map[f.index()],
                _ => {}
            }
        }
        for o in self.p.functions.iter_mut().filter_map(|f| f.overriders.as_mut()).flatten() {
            o.function = o.function.map(|f| map[f.index()]);
        }
        for g in &mut self.p.globals {
            g.owner = g.owner.map(|f| map[f.index()]).filter(|f| f.0 != u32::MAX);
            for r in g.init.iter_mut().flat_map(|i| &mut i.relocs) {
                if let RelocTarget::Function(f) = &mut r.target {
                    *f = map[f.index()];
                }
            }
        }
        let old: Vec<Function> = std::mem::take(&mut self.p.functions);
        self.p.functions = old.into_iter().zip(keep).filter(|(_, k)| **k).map(|(f, _)| f).collect();
    }
}
