//! Loops that run one iteration after another around loops that run in parallel: the host counts, and launches the kernels inside
//! of them. What one kernel writes the next one finds, so that nothing depends on which gang comes first.

use super::{Construct, Cx};
use crate::kernel::Kernel;
use crate::loops::{CountedLoop, plain};
use crate::verdict::{self, Verdict};
use directives::ClauseKind;
use syntax::ast::{StmtId, StmtKind};

/// Most loops of the host around each other: each iteration of the innermost is a launch.
const MAX_DEPTH: usize = 2;

impl Cx<'_> {
    /// The kernels of a loop that the host counts; `None` if it is better one kernel.
    pub(super) fn host_loop(&mut self, s: StmtId) -> Result<Option<Kernel>, String> {
        let Some(l) = CountedLoop::of(self.unit, self.scopes, s).filter(CountedLoop::runs_towards_bound) else {
            return Ok(None);
        };
        let inner = self.statements(l.body);
        let header = &self.unit.text[l.header.clone()];
        let plain_header = !header.contains('#') && !header.contains('"');
        if self.host_variables.len() >= MAX_DEPTH || !plain_header || !self.host_counts(&l, &inner) {
            return Ok(None);
        }
        let (line, _) = self.unit.line(l.range.start);
        self.say(line, "Sequential loop scheduled on host");
        let var = self.scopes.var(l.var);
        let own = !l.header.contains(&var.at.start);
        let unsupported = || format!("the type of `{}` is not supported in regions", var.name);
        let declaration = match own {
            true => format!("{}; ", self.unit.declare(l.ty, &var.name).ok_or_else(unsupported)?),
            false => String::new(),
        };
        let header = header.replace('\n', " ");
        self.host_variables.push(l.var);
        let made: Result<Vec<Kernel>, String> = inner.iter().map(|&s| self.inner_kernel(s)).collect();
        self.host_variables.pop();
        Ok(Some(Kernel::in_loop(&format!("{declaration}{header}"), made?)))
    }

    fn inner_kernel(&mut self, s: StmtId) -> Result<Kernel, String> {
        if !matches!(self.unit.ast[plain(self.unit, s)].kind, StmtKind::For { .. }) {
            return self.whole(s, None);
        }
        let words = self.loop_words(s);
        match self.construct {
            Construct::Kernels => self.kernels_loop(s, words),
            _ if words.there => self.parallel_loop(s, words),
            _ => self.host_loop(s)?.ok_or_else(|| "a loop around gang loops cannot be counted by the host".to_owned()),
        }
    }

    /// Whether the host can count a loop, and launching what is in it is worth it.
    fn host_counts(&self, l: &CountedLoop, inner: &[StmtId]) -> bool {
        let body = self.unit.range(self.unit.ast[l.body].span);
        let jump = |s: StmtId| {
            matches!(self.unit.ast[s].kind, StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoIndirect(_))
        };
        let jumps = self.unit.stmts_in(&body).into_iter().any(jump);
        if jumps
            || self.kept.contains(&l.var)
            || crate::extent::sets_its_variable(self, l)
            || self.has_clause(l.var)
            || !self.host_knows(l, &[], &[])
        {
            return false;
        }
        match self.construct {
            Construct::Serial => false,
            Construct::Kernels => {
                inner.iter().all(|&s| self.is_step(s)) && inner.iter().any(|&s| self.is_worth_a_launch(s))
            }
            Construct::Parallel => {
                let d = &self.scopes.sites[self.site].directive;
                let own = d.has(ClauseKind::Private) || d.has(ClauseKind::Firstprivate) || d.has(ClauseKind::Reduction);
                !own && !inner.is_empty() && inner.iter().all(|&s| self.is_gang_loop(s, MAX_DEPTH))
            }
        }
    }

    /// A loop that gangs share, or one around nothing but such loops.
    fn is_gang_loop(&self, s: StmtId, left: usize) -> bool {
        let Some(l) = CountedLoop::of(self.unit, self.scopes, s).filter(CountedLoop::runs_towards_bound) else {
            return false;
        };
        let words = self.loop_words(s);
        if words.there {
            return !words.seq;
        }
        let inner = self.statements(l.body);
        left > 0 && !inner.is_empty() && inner.iter().all(|&s| self.is_gang_loop(s, left - 1))
    }

    /// A loop or an assignment of `kernels`: each is a kernel.
    fn is_step(&self, s: StmtId) -> bool {
        match self.unit.ast[plain(self.unit, s)].kind {
            StmtKind::Expr(_) => true,
            StmtKind::For { .. } => CountedLoop::of(self.unit, self.scopes, s).is_some_and(|l| l.runs_towards_bound()),
            _ => false,
        }
    }

    /// A nest that runs in parallel, has no partial results to put together, and is not known to be short.
    fn is_worth_a_launch(&self, s: StmtId) -> bool {
        let words = self.loop_words(s);
        let Some(l) = CountedLoop::of(self.unit, self.scopes, s) else { return false };
        if words.seq || self.is_short(&l) || !words.reductions.is_empty() {
            return false;
        }
        let verdict = verdict::of_loop(self, &l, &words.privates, &words.reductions);
        words.independent || matches!(verdict, Verdict::Parallel { reductions, .. } if reductions.is_empty())
    }
}
