//! `cache`: what the threads of a block read several times stands in the block's memory (OpenACC 3.4, 2.10; PGI's `cache` clause).
//!
//! Where each thread of a block has an iteration of the innermost loop, neighbours read the same elements: `b[i-1]`, `b[i]` and
//! `b[i+1]`. The reads of an array that a `cache` names are sorted into *rows*: those whose subscripts differ by numbers, in the one
//! dimension in which the loop's variable moves them by one element. The block loads a row once, each thread its part, and reads
//! it after a barrier. What the clause says of the section is not needed: a row is what is read, so that it is right where a
//! section is wrong.
//!
//! What must hold, or the array stays where it is and the reason is told: GPUs, no checks of bounds, a nest whose iterations are work-items, an innermost
//! loop that goes up by one; the array is one of numbers, nothing in the nest writes it or what may be the same memory, and no
//! jump leaves the body; a row's ends are read in every iteration, so that what is loaded is what the program reads. Cost: a look
//! at each pair of reads, and at each access of memory for each name.

use super::Cx;
use crate::ctype::{Shape, number_bytes};
use crate::kernel::{Passing, Schedule};
use crate::loops::CountedLoop;
use crate::poly::Poly;
use crate::reach::Reach;
use crate::region::team::{MAX_SHARED, Team};
use crate::scope::VarId;
use crate::verdict::{Meeting, Question};
use directives::ClauseKind;
use rustc_hash::FxHashMap;
use std::ops::Range;
use syntax::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind, TypeId, UnaryOp};

/// Elements of an array that the threads of a block read, along the innermost loop.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The array.
    pub(crate) var: VarId,
    /// What it holds.
    pub(crate) element: TypeId,
    /// Its subscripts where the distance from the thread's own element is 0.
    pub(crate) subscripts: Vec<Poly>,
    /// The least and the greatest distance.
    pub(crate) ends: (i128, i128),
    /// The reads in the text, and how far each is from the thread's own element.
    pub(crate) reads: Vec<(Range<usize>, Poly)>,
}

impl Row {
    /// Elements of a block of so many threads.
    pub(crate) fn length(&self, threads: u32) -> i128 {
        i128::from(threads) + self.ends.1 - self.ends.0
    }
}

/// What became of each `cache`, by the first byte of its directive: what is kept, or why nothing is.
pub(crate) type Answers = FxHashMap<usize, Result<String, String>>;

/// A read, taken apart.
struct Read {
    subscripts: Vec<Poly>,
    /// The dimension in which it moves with the loop.
    moving: usize,
    /// How far it is from the thread's own element, and the least and greatest value of that.
    distance: Poly,
    ends: (i128, i128),
    /// It happens in every iteration.
    sure: bool,
    at: Range<usize>,
}

impl Cx<'_> {
    /// The rows of what `cache` names in a nest of loops; answers for each of its directives.
    pub(super) fn cached(
        &mut self,
        (schedule, team): (&Schedule, Option<&Team>),
        privates: &[VarId],
        threads: u32,
    ) -> Vec<Row> {
        let (Schedule::Items(loops) | Schedule::Shared(loops, _)) = schedule else { return Vec::new() };
        let outer = loops.iter().min_by_key(|l| l.range.start);
        let (Some(outer), Some(inner)) = (outer, loops.last()) else { return Vec::new() };
        let mut rows: Vec<Row> = Vec::new();
        for (at, names) in self.cache_directives(outer, loops) {
            let mut kept = Vec::new();
            let mut why = None;
            for v in names {
                // Another directive may have named it.
                let found = match rows.iter().any(|r| r.var == v) {
                    true => Ok(Vec::new()),
                    false => self.fits(schedule, team, inner).and_then(|()| self.rows_of(v, inner, loops, privates)),
                };
                match found.and_then(|f| self.within_memory(&rows, f, threads)) {
                    Ok(found) => {
                        let name = self.scopes.var(v).name.clone();
                        let (line, _) = self.unit.line(at);
                        for row in &found {
                            let length = row.length(threads);
                            self.say(line, &format!("Cached references to size [{length}] block of {name}"));
                        }
                        rows.extend(found);
                        kept.push(format!("`{name}`"));
                    }
                    Err(reason) => why = Some(reason),
                }
            }
            let answer = match (kept.is_empty(), why) {
                (false, _) => Ok(format!("a block's threads load {} once, into shared memory", kept.join(", "))),
                (true, why) => Err(why.unwrap_or_else(|| "it names nothing".to_owned())),
            };
            self.answers.insert(at, answer);
        }
        rows
    }

    /// Whether a nest has `cache`.
    pub(crate) fn has_cache(&self, loops: &[CountedLoop]) -> bool {
        let outer = loops.iter().min_by_key(|l| l.range.start);
        outer.is_some_and(|outer| !self.cache_directives(outer, loops).is_empty())
    }

    /// The directives of a nest that name something to cache: in the loops, on one of them, or on the construct.
    fn cache_directives(&self, outer: &CountedLoop, loops: &[CountedLoop]) -> Vec<(usize, Vec<VarId>)> {
        let on_nest = |t: StmtId| {
            let at = self.unit.range(self.unit.ast[crate::loops::plain(self.unit, t)].span).start;
            loops.iter().any(|l| l.range.start == at)
        };
        let here = self
            .scopes
            .sites
            .iter()
            .filter(|s| outer.range.contains(&s.directive.span.start) || s.target.is_some_and(on_nest));
        here.filter(|s| s.directive.has(ClauseKind::Cache))
            .map(|s| {
                let names = s.directive.all(ClauseKind::Cache).flat_map(|c| self.named(s, c)).collect();
                (s.directive.span.start, names)
            })
            .collect()
    }

    /// Whether blocks are such that their threads have neighbouring iterations.
    fn fits(&self, schedule: &Schedule, team: Option<&Team>, inner: &CountedLoop) -> Result<(), String> {
        let one = |e: ExprId| self.unit.constant(e) == Some(1);
        let why = if !self.gpu {
            "the processors' caches keep what is used again"
        } else if self.checked {
            "subscripts are checked where they stand"
        } else if team.is_some() {
            "the threads of a block share a loop inside"
        } else if !matches!(schedule, Schedule::Items(_)) {
            "the iterations of a thread are no neighbours of another's"
        } else if inner.down || !inner.step.is_none_or(one) {
            "the loop that the threads share does not go up by one"
        } else {
            return Ok(());
        };
        Err(why.to_owned())
    }

    /// The rows of one array, or why there are none.
    fn rows_of(
        &self,
        v: VarId,
        inner: &CountedLoop,
        loops: &[CountedLoop],
        privates: &[VarId],
    ) -> Result<Vec<Row>, String> {
        let var = self.scopes.var(v);
        let name = &var.name;
        let ty = var.ty.ok_or_else(|| format!("the type of `{name}` is not known"))?;
        let (dims, element) = self.unit.dimensions(ty);
        let number = matches!(self.unit.shape(element), Shape::Number(b) if number_bytes(b).is_some());
        let volatile = self.unit.declare(element, "x").is_none_or(|t| t.contains("volatile"));
        let own = self.firsts(&self.sections()).iter().any(|f| f.0 == v);
        let shared = !own && self.passing(v, privates, &[], &[]) == Passing::Value;
        if dims.is_empty() || !number || volatile || !shared {
            return Err(format!("`{name}` is no array of numbers that the threads share"));
        }
        let body = self.unit.range(self.unit.ast[inner.body].span);
        self.no_jumps(&body)?;
        let q = Question::of(self, inner);
        let all = q.accesses(privates, &[]);
        let mine: Vec<&Reach> = all.iter().filter(|a| a.var == v).collect();
        if mine.is_empty() {
            return Err(format!("`{name}` is not read in the loop"));
        }
        if mine.iter().any(|a| a.write) {
            return Err(format!("the loop writes `{name}`"));
        }
        for w in all.iter().filter(|w| w.write) {
            if let Some(r) = mine.iter().find(|r| q.alias(w, r) != Meeting::Never) {
                let (w, r) = (&self.scopes.var(w.var).name, &self.scopes.var(r.var).name);
                return Err(format!(
                    "the loop writes `{w}`, which may be the same memory as `{r}`: `restrict` says that it is not"
                ));
            }
        }
        self.calls_nothing_else(&body)?;
        let unsure = self.perhaps(&q, &body);
        let reads: Result<Vec<Read>, String> =
            mine.iter().map(|r| self.taken_apart(&q, r, dims.len(), (inner, loops, privates), &unsure)).collect();
        sorted(v, element, reads?).ok_or_else(|| {
            format!("no two reads of `{name}` in every iteration are neighbours: there is nothing to share")
        })
    }

    /// Refuses a body that a jump may leave early.
    fn no_jumps(&self, body: &Range<usize>) -> Result<(), String> {
        let ast = &self.unit.ast;
        let jump = self.unit.stmts_in(body).into_iter().find(|s| {
            use StmtKind as S;
            matches!(
                ast[*s].kind,
                S::Break | S::Continue | S::Goto(_) | S::GotoIndirect(_) | S::Return(_) | S::Label(_)
            )
        });
        match jump {
            None => Ok(()),
            Some(s) => {
                let (line, _) = self.unit.line(self.unit.range(ast[s].span).start);
                Err(format!("the jump in line {line} makes it unsure what is read"))
            }
        }
    }

    /// Refuses calls that may write memory.
    fn calls_nothing_else(&self, body: &Range<usize>) -> Result<(), String> {
        for e in self.unit.exprs_in(body) {
            let ExprKind::Call { callee, .. } = self.unit.ast[e].kind else { continue };
            let name = self.unit.slice(self.unit.ast[callee].span).trim();
            if !self.is_pure(name) {
                return Err(format!("`{name}` may write memory"));
            }
        }
        Ok(())
    }

    /// The parts of a body that an iteration may leave out.
    fn perhaps(&self, q: &Question<'_, '_>, body: &Range<usize>) -> Vec<Range<usize>> {
        let ast = &self.unit.ast;
        let mut out: Vec<Range<usize>> = Vec::new();
        for s in self.unit.stmts_in(body) {
            let at = |s: StmtId| self.unit.range(ast[s].span);
            match ast[s].kind {
                StmtKind::If { then, els, .. } => out.extend([Some(then), els].into_iter().flatten().map(at)),
                StmtKind::While { .. } | StmtKind::Do { .. } | StmtKind::Switch { .. } => out.push(at(s)),
                StmtKind::For { .. } => {
                    let number = |p: &Option<Poly>| p.as_ref().and_then(Poly::number);
                    let runs = q.inner.iter().any(|l| {
                        l.range == at(s)
                            && l.every
                            && number(&l.first).zip(number(&l.last)).is_some_and(|(a, b)| a <= b)
                    });
                    if !runs {
                        out.push(at(s));
                    }
                }
                _ => {}
            }
        }
        for e in self.unit.exprs_in(body) {
            let at = |e: ExprId| self.unit.range(ast[e].span);
            match ast[e].kind {
                ExprKind::Cond { then, els, .. } => out.extend(then.into_iter().chain([els]).map(at)),
                ExprKind::Binary(BinaryOp::LogAnd | BinaryOp::LogOr, _, b) => out.push(at(b)),
                ExprKind::SizeofExpr(a) => out.push(at(a)),
                _ => {}
            }
        }
        out
    }

    /// A read's subscripts and how far it is from the thread's own element.
    fn taken_apart(
        &self,
        q: &Question<'_, '_>,
        r: &Reach,
        dims: usize,
        (inner, loops, privates): (&CountedLoop, &[CountedLoop], &[VarId]),
        unsure: &[Range<usize>],
    ) -> Result<Read, String> {
        let name = &self.scopes.var(r.var).name;
        let (line, _) = self.unit.line(r.at);
        let unknown = || {
            format!("the subscript of `{name}` in line {line} is not `{}` and numbers", self.scopes.var(inner.var).name)
        };
        let whole = !r.unknown && r.members.is_empty() && r.through.is_none() && r.subscripts.len() == dims;
        let subscripts: Option<Vec<Poly>> = r.subscripts.iter().cloned().collect();
        let subscripts = subscripts.filter(|_| whole).ok_or_else(unknown)?;
        let moves: Vec<usize> = (0..dims).filter(|&d| subscripts[d].has(inner.var)).collect();
        let &[moving] = moves.as_slice() else {
            return Err(match moves.is_empty() {
                true => format!("all threads read the same element of `{name}` in line {line}"),
                false => unknown(),
            });
        };
        let by_one = subscripts[moving].linear(inner.var).is_some_and(|(c, _)| c.number() == Some(1));
        // What is added to the thread's own element: numbers, and variables of loops inside.
        let mut distance = Poly::default();
        let is_inside = |x: VarId| q.inner.iter().any(|l| l.var == x && l.range.contains(&r.at));
        for (key, n) in subscripts[moving].terms() {
            if key.iter().all(|&x| is_inside(x)) {
                distance = distance.add(&Poly::term(key, n), 1);
            }
        }
        let mut own = subscripts;
        own[moving] = own[moving].add(&distance, -1);
        let known = |x: VarId| {
            loops.iter().any(|l| l.var == x)
                || !q.is_local(x) && !q.sets(x) && self.passing(x, privates, &[], &[]) == Passing::Value
        };
        let same_name = |x: VarId| {
            let name = &self.scopes.var(x).name;
            self.scopes.uses_in(q.body()).iter().all(|u| u.var == x || self.scopes.var(u.var).name != *name)
        };
        let names = own.iter().chain([&distance]).flat_map(Poly::variables);
        if !by_one || !own.iter().flat_map(Poly::variables).all(known) || !names.into_iter().all(same_name) {
            return Err(unknown());
        }
        let ends = ends_of(q, &distance, r.at).ok_or_else(unknown)?;
        let at = self.unit.range(self.unit.ast[self.access(r.expr)].span);
        let sure = !unsure.iter().any(|p| p.contains(&r.at));
        Ok(Read { subscripts: own, moving, distance, ends, sure, at })
    }

    /// The access that a name begins: `b[i][j]`, `*(b + i)`.
    fn access(&self, name: ExprId) -> ExprId {
        let (mut e, mut last) = (name, name);
        while let Some(&p) = self.parents.get(&e) {
            match self.unit.ast[p].kind {
                ExprKind::Paren(_) => {}
                ExprKind::Index { base, .. } if base == e => last = p,
                ExprKind::Unary(UnaryOp::Deref, _) => last = p,
                _ if crate::pointers::offset(self.unit, self.scopes, p, e).is_some() => {}
                _ => break,
            }
            e = p;
        }
        last
    }

    /// Refuses rows that have no place in a block's memory besides those that are there.
    fn within_memory(&self, there: &[Row], new: Vec<Row>, threads: u32) -> Result<Vec<Row>, String> {
        let bytes = |r: &Row| {
            let size = match self.unit.shape(r.element) {
                Shape::Number(b) => number_bytes(b).unwrap_or(8),
                _ => 8,
            };
            r.length(threads) * i128::from(size)
        };
        let sum: i128 = there.iter().chain(&new).map(bytes).sum();
        match sum <= i128::from(MAX_SHARED) {
            true => Ok(new),
            false => Err(format!("it would take {sum} bytes of a block's memory, which has {MAX_SHARED}")),
        }
    }
}

/// The least and the greatest value of a sum of variables of loops whose bounds are numbers.
fn ends_of(q: &Question<'_, '_>, distance: &Poly, at: usize) -> Option<(i128, i128)> {
    let mut ends = (0i128, 0i128);
    for (key, n) in distance.terms() {
        let (a, b) = match *key {
            [] => (n, n),
            [x] => {
                let l = q.inner.iter().find(|l| l.var == x && l.range.contains(&at) && l.every)?;
                let (first, last) = (l.first.as_ref()?.number()?, l.last.as_ref()?.number()?);
                (first.checked_mul(n)?, last.checked_mul(n)?)
            }
            _ => return None,
        };
        ends = (ends.0.checked_add(a.min(b))?, ends.1.checked_add(a.max(b))?);
    }
    Some(ends)
}

/// The rows that several elements for each thread are read of.
fn sorted(var: VarId, element: TypeId, reads: Vec<Read>) -> Option<Vec<Row>> {
    let mut groups: Vec<Vec<Read>> = Vec::new();
    for r in reads {
        match groups.iter_mut().find(|g| g[0].moving == r.moving && g[0].subscripts == r.subscripts) {
            Some(g) => g.push(r),
            None => groups.push(vec![r]),
        }
    }
    let row = |g: Vec<Read>| {
        let sure = || g.iter().filter(|r| r.sure);
        let ends = (sure().map(|r| r.ends.0).min()?, sure().map(|r| r.ends.1).max()?);
        let within = |r: &&Read| ends.0 <= r.ends.0 && r.ends.1 <= ends.1;
        let reads = g.iter().filter(within).map(|r| (r.at.clone(), r.distance.clone())).collect();
        (ends.0 < ends.1).then(|| Row { var, element, subscripts: g[0].subscripts.clone(), ends, reads })
    };
    let rows: Vec<Row> = groups.into_iter().filter_map(row).collect();
    (!rows.is_empty()).then_some(rows)
}
