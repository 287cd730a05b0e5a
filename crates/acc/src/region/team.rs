//! What the threads of a block on GPUs do together inside of a gang's iteration: `worker` and `vector` loops that do not stand alone
//! in the loops around them (OpenACC 3.4, 2.5.2 and 2.9.2 to 2.9.4). Where the program says nothing of the loops inside, they are those
//! that are proved parallel, if each thread would go along memory of its own otherwise (`a[i][k]`, the threads having the `i`): side by side
//! they read a line together.
//!
//! A block is a gang. All its threads run the gang's code with the same values in their variables (they are in step wherever one of
//! them writes memory), and so come to each loop that they share; each takes its part of the iterations. What writes memory outside
//! of such loops one thread does, with barriers around it. Sums of a loop are put together in a tree, and all threads have the
//! result. Arrays of the gang that such a loop writes stand in the block's memory.
//!
//! What must hold, or the kernel stays one thread for each gang: statements write either memory or the threads' own variables; no
//! jump leaves a statement that one thread does; variables that a shared loop changes are each iteration's own, or sums; nothing
//! points to what each thread has of its own. Cost: a walk over the statements, a look at the uses of names for each.

use super::{Construct, Cx, Sections};
use crate::access::place;
use crate::block::Block;
use crate::ctype::Shape;
use crate::kernel::{Passing, Schedule};
use crate::loops::{CountedLoop, plain};
use crate::scope::{Storage, Use, VarId};
use crate::verdict::{self, Question, Verdict};
use directives::{ClauseKind, Kind};
use std::ops::Range;
use syntax::ast::{Condition, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};

/// Most bytes of a block's memory that a kernel takes: each GPU has 48 KiB for every block.
pub(crate) const MAX_SHARED: u64 = 40 << 10;

/// The parts of a gang's code, in order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Team {
    /// Threads share their iterations.
    pub(crate) loops: Vec<SharedLoop>,
    /// One thread does them.
    pub(crate) single: Vec<Range<usize>>,
    /// The gang's arrays that its threads share.
    pub(crate) arrays: Vec<VarId>,
    /// The threads.
    pub(crate) block: Block,
}

impl Team {
    /// Whether threads share an array that a clause makes private for a statement.
    pub(crate) fn has_array(&self, v: VarId, statement: &Range<usize>) -> bool {
        let within = |l: &SharedLoop| {
            let at = &l.counted.range;
            at.start <= statement.start && statement.end <= at.end
        };
        self.arrays.contains(&v) && !self.loops.iter().any(within)
    }
}

/// A loop whose iterations the threads share.
#[derive(Clone, Debug)]
pub(crate) struct SharedLoop {
    pub(crate) counted: CountedLoop,
    /// Scalars that each iteration has for itself, but for what its directive names.
    pub(crate) own: Vec<VarId>,
    /// Operators, and what they put together.
    pub(crate) reductions: Vec<(String, VarId)>,
    /// It writes memory.
    pub(crate) writes: bool,
    /// Gangs share it, too.
    pub(crate) gang: bool,
    /// Its directive says `vector`.
    vector: bool,
}

/// What a kernel does with variables, as [`Cx::team`] needs it.
pub(crate) struct Gang<'a> {
    pub(crate) schedule: &'a Schedule,
    pub(crate) body: StmtId,
    pub(crate) privates: &'a [VarId],
    pub(crate) reductions: &'a [(String, VarId)],
}

/// What a part of the text does that the threads of a block would see of each other.
#[derive(Default)]
struct Effects {
    /// It writes memory that they share, or calls what may.
    memory: bool,
    /// Variables of each thread that it changes, and that are wanted behind it.
    scalars: bool,
    /// It does what cannot be told apart: a pointer to what a thread has of its own, a write behind a pointer in such.
    unknown: bool,
}

impl Cx<'_> {
    /// What the threads of a block do together in a kernel; `None` if each of them is a gang's iteration of its own.
    pub(crate) fn team(&self, gang: &Gang<'_>) -> Option<Team> {
        let (nest, gangs): (&[CountedLoop], &[CountedLoop]) = match gang.schedule {
            Schedule::Items(l) | Schedule::Shared(l, _) => (l, &[]),
            Schedule::Gangs(_, l) => (&[], l),
            Schedule::Serial => return None,
        };
        let body = self.unit.range(self.unit.ast[gang.body].span);
        let vector = |l: &CountedLoop| self.says(l.stmt, ClauseKind::Vector);
        if !self.gpu || self.checked || nest.iter().any(vector) || !self.local_arrays(&body).is_empty() {
            return None;
        }
        let counting = self.loop_variables(&self.range);
        let sections = self.sections();
        let firsts = self.firsts(&sections).into_iter().map(|f| f.0).collect();
        let inside = self.scopes.sites_in(&body).filter(|(_, s)| matches!(s.directive.kind, Kind::Loop | Kind::For));
        let private = inside.filter_map(|(i, s)| Some((i, self.unit.range(self.unit.ast[s.target?].span))));
        let private = private.flat_map(|(i, at)| self.words_of(i).privates.into_iter().map(move |v| (v, at.clone())));
        let private = private.collect();
        let (loops, out) = (Vec::new(), Team::default());
        let mut walk = Walk { cx: self, gang, body, gangs, counting, sections, firsts, private, loops, out };
        walk.loops = walk.chosen();
        if walk.loops.is_empty() {
            return None;
        }
        let counted: Vec<CountedLoop> = walk.loops.iter().map(|l| l.counted.clone()).collect();
        let block = self.block(&[nest, &counted].concat());
        // Where one thread writes an array and memory at once the array has to be shared, too.
        [false, true].into_iter().find_map(|all| {
            walk.out = Team { block, ..Team::default() };
            walk.arrays(all)?;
            walk.statement(gang.body)?;
            walk.fits().then(|| walk.out.clone())
        })
    }

    /// Whether a directive on a loop, or the combined construct that stands on it, has a clause.
    pub(super) fn says(&self, s: StmtId, clause: ClauseKind) -> bool {
        let at = plain(self.unit, s);
        self.scopes.sites.iter().any(|site| {
            site.directive.kind.is_of_loop()
                && site.directive.has(clause)
                && site.target.is_some_and(|t| plain(self.unit, t) == at)
        })
    }
}

struct Walk<'a, 'c> {
    cx: &'a Cx<'c>,
    gang: &'a Gang<'a>,
    body: Range<usize>,
    /// Loops that gangs share.
    gangs: &'a [CountedLoop],
    /// Variables that loops count with.
    counting: Vec<VarId>,
    /// Sections of private pointers.
    sections: Sections,
    /// Arrays that begin as the host's.
    firsts: Vec<VarId>,
    /// What clauses of loops inside make private, and for which statements.
    private: Vec<(VarId, Range<usize>)>,
    /// Loops that threads share.
    loops: Vec<SharedLoop>,
    out: Team,
}

impl Walk<'_, '_> {
    /// The loops of the body that threads share: the innermost that may be, where the program does not say `vector` of another.
    fn chosen(&self) -> Vec<SharedLoop> {
        let sites = self.cx.scopes.sites_in(&self.body);
        let directed = sites.filter(|(_, s)| matches!(s.directive.kind, Kind::Loop | Kind::For));
        let mut targets: Vec<StmtId> = directed.filter_map(|(_, s)| s.target).collect();
        if targets.is_empty() && self.goes_along_memory() {
            let unit = self.cx.unit;
            let hinted = self.cx.hinted_loops(&self.body);
            let is_open = |s: &StmtId| matches!(unit.ast[*s].kind, StmtKind::For { .. }) && !hinted.contains(s);
            targets = unit.stmts_in(&self.body).into_iter().filter(is_open).collect();
        }
        let all: Vec<SharedLoop> = targets.into_iter().filter_map(|t| self.may_be_shared(t)).collect();
        let inside = |outer: &SharedLoop, inner: &SharedLoop| {
            let (o, i) = (&outer.counted.range, &inner.counted.range);
            o.start < i.start && i.end <= o.end
        };
        let better = |l: &SharedLoop, inner: &SharedLoop| {
            inside(l, inner) && !l.vector && (inner.vector || !self.cx.is_short(&inner.counted))
        };
        let taken = |l: &&SharedLoop| !all.iter().any(|i| better(l, i));
        let picked: Vec<&SharedLoop> = all.iter().filter(taken).collect();
        picked.iter().filter(|l| !picked.iter().any(|o| inside(o, l))).map(|&l| l.clone()).collect()
    }

    /// Whether an iteration of the gang goes along memory of its own, in loops inside.
    fn goes_along_memory(&self) -> bool {
        let (Schedule::Items(nest) | Schedule::Shared(nest, _)) = self.gang.schedule else { return false };
        nest.last().is_some_and(|l| self.cx.goes_along_memory(l, self.gang.privates, self.gang.reductions))
    }

    /// A loop as one that threads share.
    fn may_be_shared(&self, s: StmtId) -> Option<SharedLoop> {
        let (cx, words) = (self.cx, self.cx.loop_words(s));
        let l = CountedLoop::of(cx.unit, cx.scopes, s).filter(CountedLoop::runs_towards_bound)?;
        let asserted = words.independent || cx.construct == Construct::Parallel && words.there && !words.auto;
        let explicit = [ClauseKind::Vector, ClauseKind::Worker].into_iter().any(|c| cx.says(s, c));
        if words.seq
            || words.collapse > 1
            || !explicit && cx.is_short(&l)
            || Question::of(cx, &l).has_exits()
            || crate::extent::sets_its_variable(cx, &l)
        {
            return None;
        }
        let inner: Vec<VarId> = cx.scopes.sites_in(&l.range).flat_map(|(i, _)| cx.words_of(i).privates).collect();
        let privates: Vec<VarId> = words.privates.iter().chain(&inner).copied().collect();
        let alone = |v: VarId| !cx.is_computed(v, &self.sections);
        let (mut own, sums) = match asserted {
            true => verdict::scalars_of(cx, &l, &privates, &words.reductions)?,
            false => match verdict::of_loop(cx, &l, &privates, &words.reductions) {
                Verdict::Parallel { privates, reductions } => (privates, reductions),
                Verdict::Serial { .. } => return None,
            },
        };
        if !privates.iter().all(|&v| alone(v))
            || asserted && crate::collide::collision(cx, &l, &privates, &words.reductions).is_some()
        {
            return None;
        }
        own.retain(|v| *v != l.var && !words.privates.contains(v));
        let reductions: Vec<_> = words.reductions.iter().cloned().chain(sums).collect();
        let header = |v: VarId| self.uses(&l.header).any(|u| u.var == v);
        let last = |v: VarId| cx.is_wanted_behind(v, &l.range);
        let wanted = last(l.var) && !l.range.contains(&cx.scopes.var(l.var).at.start) && !privates.contains(&l.var);
        let is_own = |v: VarId| !self.is_place(v) && !header(v) && !last(v);
        let is_sum = |v: VarId| {
            self.is_scalar(v) && !self.is_place(v) && !header(v) && !l.range.contains(&cx.scopes.var(v).at.start)
        };
        let effects = self.effects(&cx.unit.range(cx.unit.ast[l.body].span));
        if effects.unknown
            || wanted
            || self.is_place(l.var)
            || !own.iter().all(|&v| is_own(v))
            || !reductions.iter().all(|r| is_sum(r.1))
        {
            return None;
        }
        let gang = self.gangs.iter().any(|g| g.stmt == l.stmt);
        let vector = cx.says(s, ClauseKind::Vector);
        Some(SharedLoop { counted: l, own, reductions, writes: false, gang, vector })
    }

    fn uses(&self, range: &Range<usize>) -> impl Iterator<Item = &Use> {
        self.cx.scopes.uses_in(range).iter()
    }

    /// Whether a variable is memory that all gangs have.
    fn is_place(&self, v: VarId) -> bool {
        let var = self.cx.scopes.var(v);
        let outside = !self.body.contains(&var.at.start);
        let passing = || self.cx.passing(v, self.gang.privates, self.gang.reductions, &self.counting);
        outside && var.storage != Storage::Other && passing() == Passing::Place
    }

    fn is_scalar(&self, v: VarId) -> bool {
        matches!(self.cx.scopes.var(v).ty.map(|t| self.cx.unit.shape(t)), Some(Shape::Number(_)))
    }

    /// Whether a variable is an array, or has one in it, and each thread has one of its own.
    fn is_own_array(&self, v: VarId) -> bool {
        let (var, unit) = (self.cx.scopes.var(v), self.cx.unit);
        let local = self.body.contains(&var.at.start);
        let private = self.gang.privates.contains(&v)
            || self.gang.reductions.iter().any(|r| r.1 == v)
            || self.firsts.contains(&v);
        let inside = || self.uses(&self.body).any(|u| u.var == v && self.private_in(u).is_some());
        let fixed = matches!(var.ty.map(|t| unit.shape(t)), Some(Shape::Array(..) | Shape::Record));
        fixed
            && (local || private || inside())
            && !self.cx.is_computed(v, &self.sections)
            && !self.out.arrays.contains(&v)
    }

    /// Finds the gang's arrays that threads have to share, or all that are written. `None` if one cannot be.
    fn arrays(&mut self, all: bool) -> Option<()> {
        let (cx, unit) = (self.cx, self.cx.unit);
        for u in cx.scopes.uses_in(&self.body) {
            let p = place(unit, cx.scopes, cx.parents, u.expr);
            let whole = p.access.copied || p.access.escapes || p.access.read && !p.memory && self.is_array(u.var);
            let inside = |l: &SharedLoop| {
                l.counted.range.contains(&u.at.start) && !l.counted.range.contains(&cx.scopes.var(u.var).at.start)
            };
            // What a loop that threads share, or one inside of it, makes private.
            let own = || {
                self.private_in(u).is_some_and(|at| {
                    self.loops.iter().any(|l| l.counted.range.start <= at.start && at.end <= l.counted.range.end)
                })
            };
            let written = (p.access.written || whole) && self.loops.iter().any(inside) && !own();
            let needed = whole && !own() || written || all && p.access.written && !own();
            if !self.is_own_array(u.var) || !needed {
                continue;
            }
            let reduced = self.gang.reductions.iter().any(|r| r.1 == u.var);
            let first = self.firsts.contains(&u.var);
            let same = |v: &crate::scope::Var| v.name == cx.scopes.var(u.var).name && self.body.contains(&v.at.start);
            let declared = cx.scopes.vars.iter().filter(|v| same(v)).count();
            let mixed = self.private_in(u).is_some()
                && self.uses(&self.body).any(|o| o.var == u.var && self.private_in(o).is_none());
            if mixed || reduced || first || declared > 1 || !self.is_array(u.var) || !self.is_declared_alone(u.var) {
                return None;
            }
            self.out.arrays.push(u.var);
        }
        Some(())
    }

    /// The statement for which a clause of a loop inside makes what a use names private.
    fn private_in(&self, u: &Use) -> Option<Range<usize>> {
        let named = self.private.iter().filter(|(v, at)| *v == u.var && at.contains(&u.at.start));
        named.map(|(_, at)| at.clone()).min_by_key(Range::len)
    }

    fn is_array(&self, v: VarId) -> bool {
        matches!(self.cx.scopes.var(v).ty.map(|t| self.cx.unit.shape(t)), Some(Shape::Array(..)))
    }

    /// Whether an array that the body declares has no value from there.
    fn is_declared_alone(&self, v: VarId) -> bool {
        let at = &self.cx.scopes.var(v).at;
        !self.body.contains(&at.start) || self.cx.unit.declaration_alone(at).is_some()
    }

    /// Whether what the block shares fits into its memory.
    fn fits(&self) -> bool {
        let threads = u64::from(self.out.block.threads());
        let sums: u64 = self.out.loops.iter().map(|l| l.reductions.len() as u64 * 8 * threads).sum();
        let bytes = |v: &VarId| {
            let (dims, element) = self.cx.unit.dimensions(self.cx.scopes.var(*v).ty?);
            let number = matches!(self.cx.unit.shape(element), Shape::Number(_));
            dims.into_iter().try_fold(8u64, |n, d| n.checked_mul(d?)).filter(|_| number)
        };
        let arrays: Option<u64> = self.out.arrays.iter().map(bytes).sum();
        arrays.is_some_and(|n| n + sums <= MAX_SHARED)
    }

    /// What a part of the text does.
    fn effects(&self, range: &Range<usize>) -> Effects {
        let cx = self.cx;
        let mut out = Effects::default();
        for u in self.uses(range) {
            let var = cx.scopes.var(u.var);
            if var.storage == Storage::Other {
                out.memory |= cx.unit.declared.contains_key(&var.name) && !cx.is_pure(&var.name);
                continue;
            }
            let p = place(cx.unit, cx.scopes, cx.parents, u.expr);
            let address = self.is_address(u.expr);
            if self.is_own_array(u.var) && p.memory {
                out.unknown |= p.access.written && !self.has_numbers(u.var) || address;
                // Each thread's has to be written by that thread.
                out.scalars |= p.access.written && !range.contains(&var.at.start);
            } else if self.is_place(u.var) && self.private_in(u).is_none() || p.memory || self.is_array(u.var) {
                // Whoever has the address is seen when it writes there.
                out.memory |= p.access.written && !address;
            } else if p.access.written {
                out.unknown |= address;
                out.scalars |= !range.contains(&var.at.start) && cx.is_wanted_behind(u.var, range);
            }
        }
        out
    }

    /// Whether a name is part of the operand of `&`.
    fn is_address(&self, name: ExprId) -> bool {
        let mut e = name;
        while let Some(&p) = self.cx.parents.get(&e) {
            match self.cx.unit.ast[p].kind {
                ExprKind::Paren(_) | ExprKind::Member { .. } | ExprKind::Unary(UnaryOp::Deref, _) => e = p,
                ExprKind::Index { base, .. } if base == e => e = p,
                ExprKind::Unary(UnaryOp::AddrOf, _) => return true,
                _ => return false,
            }
        }
        false
    }

    /// Whether an array has numbers.
    fn has_numbers(&self, v: VarId) -> bool {
        let element = self.cx.scopes.var(v).ty.map(|t| self.cx.unit.dimensions(t).1);
        self.is_array(v) && matches!(element.map(|e| self.cx.unit.shape(e)), Some(Shape::Number(_) | Shape::Enum))
    }

    /// Whether all threads may evaluate something together.
    fn is_plain(&self, range: &Range<usize>) -> Option<()> {
        let effects = self.effects(range);
        (!effects.memory && !effects.unknown).then_some(())
    }

    /// Whether threads might read different values in a part of the text, since others change them.
    fn has_atomics(&self, range: &Range<usize>) -> bool {
        self.cx.scopes.sites_in(range).any(|(_, s)| s.directive.kind == Kind::Atomic)
    }

    /// Whether a directive makes a statement one access of memory.
    fn is_atomic(&self, s: StmtId) -> bool {
        let mut atomics = self.cx.scopes.sites_in(&self.body).filter(|(_, s)| s.directive.kind == Kind::Atomic);
        atomics.any(|(_, site)| site.target.is_some_and(|t| plain(self.cx.unit, t) == plain(self.cx.unit, s)))
    }

    fn expression(&self, e: ExprId) -> Option<()> {
        self.is_plain(&self.cx.unit.range(self.cx.unit.ast[e].span))
    }

    /// Takes a statement of the gang apart.
    fn statement(&mut self, s: StmtId) -> Option<()> {
        let ast = &self.cx.unit.ast;
        let range = self.cx.unit.range(ast[s].span);
        let parallel =
            self.loops.iter().any(|l| range.start <= l.counted.range.start && l.counted.range.end <= range.end);
        if !parallel {
            let effects = self.effects(&range);
            if effects.unknown {
                return None;
            }
            if !effects.memory && !self.has_atomics(&range) && !self.is_atomic(s) {
                return Some(());
            }
            if !effects.scalars && !matches!(ast[s].kind, StmtKind::Decl(_)) && !self.leaves(&range) {
                self.out.single.push(range);
                return Some(());
            }
        }
        if self.is_atomic(s) {
            return None;
        }
        match ast[s].kind {
            StmtKind::Compound(list) | StmtKind::Labelled(list) => {
                ast.list(list).iter().try_for_each(|&s| self.statement(s))
            }
            StmtKind::Attributed { stmt, .. } => self.statement(stmt),
            StmtKind::If { init: None, cond: Condition::Expr(cond), then, els, .. } => {
                self.expression(cond)?;
                self.statement(then)?;
                els.map_or(Some(()), |e| self.statement(e))
            }
            StmtKind::For { body, .. } => {
                if let Some(n) = self.loops.iter().position(|l| l.counted.stmt == s) {
                    let mut shared = self.loops[n].clone();
                    let effects = self.effects(&self.cx.unit.range(self.cx.unit.ast[body].span));
                    shared.writes = effects.memory;
                    self.out.loops.push(shared);
                    return (!effects.unknown).then_some(());
                }
                self.is_plain(&(range.start..self.cx.unit.range(ast[body].span).start))?;
                self.statement(body)
            }
            StmtKind::While { cond: Condition::Expr(cond), body } | StmtKind::Do { cond, body } => {
                self.expression(cond)?;
                self.statement(body)
            }
            _ => None,
        }
    }

    /// Whether a jump leaves a part of the text.
    fn leaves(&self, range: &Range<usize>) -> bool {
        let (unit, ast) = (self.cx.unit, &self.cx.unit.ast);
        let all = unit.stmts_in(range);
        let held = |s: StmtId, switch: bool| {
            let at = unit.range(ast[s].span).start;
            all.iter().any(|&h| {
                let holds = match ast[h].kind {
                    StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Do { .. } => true,
                    StmtKind::Switch { .. } => switch,
                    _ => false,
                };
                holds && unit.range(ast[h].span).contains(&at)
            })
        };
        all.iter().any(|&s| match ast[s].kind {
            StmtKind::Break => !held(s, true),
            StmtKind::Continue => !held(s, false),
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoIndirect(_) => true,
            _ => false,
        })
    }
}
