//! Which of a class's special member functions there are (C++20, 11.4.4p6): one whose `requires` is not satisfied is not
//! there, nor one beside another that takes the same and asks for more; of several destructors one is the class's.
//!
//! This is settled where the class ends. Cost: nothing for classes that have no such function.

use crate::check::{Checker, FnId};
use crate::types::{RecordId, TyId};

impl Checker<'_> {
    /// Leaves of a class's constructors and destructors those that are there; what it declares stays declared.
    pub(super) fn keep_eligible(&mut self, r: RecordId) {
        let info = &self.decls[r];
        let all: Vec<FnId> = info.ctors.iter().chain(&info.dtors).copied().collect();
        if !all.into_iter().any(|f| self.is_constrained(f)) {
            return;
        }
        let special: Vec<FnId> = self.decls[r].ctors.iter().copied().filter(|&f| self.is_special(r, f)).collect();
        let kept = self.eligible(special.clone());
        self.decls[r].ctors.retain(|f| !special.contains(f) || kept.contains(f));
        let ends = self.decls[r].dtors.clone();
        if let [end, ..] = self.eligible(ends)[..] {
            self.decls[r].dtor = Some(end);
        }
    }

    /// Those of functions of one name whose constraints hold, without those that take the same as one that asks for more.
    pub(crate) fn eligible(&mut self, mut all: Vec<FnId>) -> Vec<FnId> {
        if !all.iter().any(|&f| self.is_constrained(f)) {
            return all;
        }
        all.retain(|&f| self.may_be_called(f));
        let rivals = all.clone();
        all.retain(|&f| {
            let takes = self.taken_types(f);
            !rivals.iter().any(|&g| g != f && self.taken_types(g) == takes && self.more_constrained(g, f))
        });
        all
    }

    fn taken_types(&self, f: FnId) -> Vec<TyId> {
        self.decls[f].params.iter().map(|p| p.ty).collect()
    }

    /// Whether a constructor takes nothing, or an object of the class.
    fn is_special(&self, r: RecordId, f: FnId) -> bool {
        let own = |moves| self.declared_copy(r, &[f], moves).is_some();
        self.decls[f].params.iter().all(|p| p.default.is_some()) || own(false) || own(true)
    }
}
