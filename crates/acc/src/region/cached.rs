//! `cache`: what the threads of a block read several times stands in the block's memory (OpenACC 3.4, 2.10; PGI's `cache` clause).
//!
//! Where each thread of a block has an iteration of the innermost loop, neighbours read the same elements: `b[i-1]`, `b[i]` and
//! `b[i+1]`; in a tile of two loops those above and below each other, too. The reads of an array that a `cache` names are sorted into
//! [patches](super::patch). The block loads a patch once, each thread its part, and reads
//! it after a barrier. What the clause says of the section is not needed: a patch is what is read, so that it is right where a
//! section is wrong.
//!
//! What must hold, or the array stays where it is and the reason is told: GPUs, no checks of bounds, a nest whose iterations are work-items
//! or tiles that blocks share, loops that go up by one; the array is one of numbers, nothing in the nest writes it or what may be the same memory, and no
//! jump leaves the body; a patch's ends are read in every iteration, so that what is loaded is what the program reads. Cost: a look
//! at each pair of reads, and at each access of memory for each name.

use super::Cx;
use crate::block::Tile;
use crate::ctype::{Shape, number_bytes};
use crate::kernel::{Passing, Schedule};
use crate::loops::CountedLoop;
use crate::poly::Poly;
use crate::reach::Reach;
use crate::region::patch::{Apart, Neighbours, Patch, Read, sorted};
use crate::region::team::{MAX_SHARED, Team};
use crate::scope::VarId;
use crate::verdict::{Meeting, Question};
use directives::ClauseKind;
use rustc_hash::FxHashMap;
use std::ops::Range;
use syntax::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};

/// What became of each `cache`, by the first byte of its directive: what is kept, or why nothing is.
pub(crate) type Answers = FxHashMap<usize, Result<String, String>>;

impl Cx<'_> {
    /// The patches of what `cache` names in a nest of loops, whose blocks have so many threads in its last loops, and so many bytes of
    /// their memory in use; answers for each of its directives.
    pub(super) fn cached(
        &mut self,
        (schedule, team): (&Schedule, Option<&Team>),
        privates: &[VarId],
        (tile, used): (Option<Tile>, u64),
    ) -> Vec<Patch> {
        let (Schedule::Items(loops) | Schedule::Shared(loops, _)) = schedule else { return Vec::new() };
        let outer = loops.iter().min_by_key(|l| l.range.start);
        let (Some(outer), [.., across]) = (outer, loops.as_slice()) else { return Vec::new() };
        let down = loops.len().checked_sub(2).map(|n| &loops[n]).filter(|_| tile.is_some_and(|t| t.down > 1));
        let nest = Neighbours { across, down };
        let mut patches: Vec<Patch> = Vec::new();
        for (at, names) in self.cache_directives(outer, loops) {
            let mut kept = Vec::new();
            let mut why = None;
            for v in names {
                // Another directive may have named it.
                let found = self.fits(tile, team, nest).and_then(|tile| {
                    let new = match patches.iter().any(|p| p.var == v) {
                        true => Vec::new(),
                        false => self.patches_of(v, nest, loops, privates)?,
                    };
                    self.within_memory(&patches, new, (tile, used)).map(|new| (tile, new))
                });
                match found {
                    Ok((tile, found)) => {
                        let name = self.scopes.var(v).name.clone();
                        let (line, _) = self.unit.line(at);
                        for patch in &found {
                            let size = match patch.size(tile) {
                                [across, 1] => across.to_string(),
                                [across, down] => format!("{down}x{across}"),
                            };
                            self.say(line, &format!("Cached references to size [{size}] block of {name}"));
                        }
                        patches.extend(found);
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
        patches
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
    fn fits(&self, tile: Option<Tile>, team: Option<&Team>, nest: Neighbours<'_>) -> Result<Tile, String> {
        let one = |e: ExprId| self.unit.constant(e) == Some(1);
        let by_one = |l: &CountedLoop| !l.down && l.step.is_none_or(one);
        let why = if !self.gpu {
            "the processors' caches keep what is used again"
        } else if self.checked {
            "subscripts are checked where they stand"
        } else if team.is_some() {
            "the threads of a block share a loop inside"
        } else if !by_one(nest.across) || !nest.down.is_none_or(by_one) {
            "the loop that the threads share does not go up by one"
        } else {
            return tile.ok_or_else(|| {
                "the iterations of a block are no neighbours of each other: `tile(32,4)` on two loops makes them so"
                    .to_owned()
            });
        };
        Err(why.to_owned())
    }

    /// The patches of one array, or why there are none.
    fn patches_of(
        &self,
        v: VarId,
        nest: Neighbours<'_>,
        loops: &[CountedLoop],
        privates: &[VarId],
    ) -> Result<Vec<Patch>, String> {
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
        let body = self.unit.range(self.unit.ast[nest.across.body].span);
        self.no_jumps(&body)?;
        let q = Question::of(self, nest.across);
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
            mine.iter().map(|r| self.taken_apart(&q, r, dims.len(), (nest, loops, privates), &unsure)).collect();
        let found = sorted(v, element, reads?);
        match found.is_empty() {
            true => {
                Err(format!("no two reads of `{name}` in every iteration are neighbours: there is nothing to share"))
            }
            false => Ok(found),
        }
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
        (nest, loops, privates): (Neighbours<'_>, &[CountedLoop], &[VarId]),
        unsure: &[Range<usize>],
    ) -> Result<Read, String> {
        let name = &self.scopes.var(r.var).name;
        let (line, _) = self.unit.line(r.at);
        let unknown = || {
            let across = &self.scopes.var(nest.across.var).name;
            format!("the subscript of `{name}` in line {line} is not `{across}` and numbers")
        };
        let whole = !r.unknown && r.members.is_empty() && r.through.is_none() && r.subscripts.len() == dims;
        let subscripts: Option<Vec<Poly>> = r.subscripts.iter().cloned().collect();
        let subscripts = subscripts.filter(|_| whole).ok_or_else(unknown)?;
        let mut read = Read::of(q, r, subscripts, nest).map_err(|why| match why {
            Apart::Same => format!("all threads read the same element of `{name}` in line {line}"),
            Apart::Unknown => unknown(),
        })?;
        let known = |x: VarId| {
            loops.iter().any(|l| l.var == x)
                || !q.is_local(x) && !q.sets(x) && self.passing(x, privates, &[], &[]) == Passing::Value
        };
        let same_name = |x: VarId| {
            let name = &self.scopes.var(x).name;
            self.scopes.uses_in(q.body()).iter().all(|u| u.var == x || self.scopes.var(u.var).name != *name)
        };
        let (mut own, mut distance) = read.variables();
        let is_known = own.all(|v| known(v) && same_name(v)) && distance.all(same_name);
        drop((own, distance));
        if !is_known {
            return Err(unknown());
        }
        read.at = self.unit.range(self.unit.ast[self.access(r.expr)].span);
        read.sure = !unsure.iter().any(|p| p.contains(&r.at));
        Ok(read)
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

    /// Refuses patches that have no place in a block's memory besides what is there.
    fn within_memory(&self, there: &[Patch], new: Vec<Patch>, (tile, used): (Tile, u64)) -> Result<Vec<Patch>, String> {
        let bytes = |p: &Patch| {
            let size = match self.unit.shape(p.element) {
                Shape::Number(b) => number_bytes(b).unwrap_or(8),
                _ => 8,
            };
            p.length(tile).saturating_mul(i128::from(size))
        };
        let sum = there.iter().chain(&new).map(bytes).fold(i128::from(used), i128::saturating_add);
        match sum <= i128::from(MAX_SHARED) {
            true => Ok(new),
            false => Err(format!("it would take {sum} bytes of a block's memory, which has {MAX_SHARED}")),
        }
    }
}
