//! May the iterations of a loop run in any order?

use crate::loops::CountedLoop;
use crate::region::Cx;
use crate::scope::VarId;

/// What was found out.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// They may, if each has its own of these variables and these are put together.
    Parallel {
        /// Variables that each iteration sets before it reads them.
        privates: Vec<VarId>,
        /// Sums and their like.
        reductions: Vec<(String, VarId)>,
    },
    /// They may not, for all that is known; in the words of `-Minfo`.
    Serial(Vec<String>),
}

pub(crate) fn of_loop(_cx: &Cx<'_>, _l: &CountedLoop, _p: &[VarId], _r: &[(String, VarId)]) -> Verdict {
    Verdict::Serial(Vec::new())
}

pub(crate) fn extent(_cx: &Cx<'_>, _v: VarId) -> Option<(String, String)> {
    None
}
