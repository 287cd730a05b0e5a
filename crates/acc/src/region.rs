//! Compute constructs: which kernels a region becomes, and what data they want.

pub(crate) mod cached;
pub(crate) mod copyout;
mod gangs;
mod host_loop;
mod interchange;
mod nest;
mod order;
mod overlap;
pub(crate) mod patch;
mod prologue;
pub(crate) mod sizes;
pub(crate) mod team;
pub(crate) mod variables;

use crate::access::{Access, summary};
use crate::ctype::Shape;
use crate::data::{self, Item};
use crate::host::{Options, by_device};
use crate::info::{Info, SERIAL};
use crate::kernel::{Kernel, OVERLAPPING, Overlap, Plan, Schedule, Writer};
use crate::loop_words::LoopWords;
use crate::loops::{CountedLoop, plain};
use crate::scope::{Scopes, Storage, VarId};
use crate::unit::Unit;
use crate::verdict::{self, Verdict};
use directives::{ClauseKind, Kind};
use rustc_hash::FxHashMap;
use std::ops::Range;
use syntax::ast::{ExprId, StmtId, StmtKind};
use team::{Gang, Team};

/// What kind of construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Construct {
    /// `parallel`: gangs run all of it, loops are shared as the program says.
    Parallel,
    /// `kernels`, PGI's `region`: what may run in parallel is for us to find out.
    Kernels,
    /// `serial`
    Serial,
}

/// A region's kernels.
#[derive(Debug)]
pub(crate) struct Region {
    /// The directive.
    pub(crate) at: usize,
    /// Its statement.
    pub(crate) range: Range<usize>,
    /// In the order of the text.
    pub(crate) kernels: Vec<Kernel>,
    /// Its data.
    pub(crate) items: Vec<Item>,
    /// What there is to say.
    pub(crate) info: Vec<Info>,
    /// Assertions that are wrong: what to do about them is the program's business.
    pub(crate) warnings: Vec<Warning>,
    /// What became of its `cache` directives.
    pub(crate) answers: cached::Answers,
    /// What the host does before it.
    pub(crate) prologue: String,
}

/// Something that the program says and that is wrong.
#[derive(Clone, Debug)]
pub(crate) struct Warning {
    /// The directive that makes it.
    pub(crate) at: Range<usize>,
    /// What is wrong.
    pub(crate) text: String,
    /// What to do about it.
    pub(crate) help: &'static str,
    /// The error that it is, if it breaks a rule.
    pub(crate) rule: Option<&'static str>,
}

/// What all questions about a region need.
pub(crate) struct Cx<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) scopes: &'a Scopes,
    pub(crate) parents: &'a FxHashMap<ExprId, ExprId>,
    /// The directive.
    pub(crate) site: usize,
    pub(crate) construct: Construct,
    /// The region's statement.
    pub(crate) range: Range<usize>,
    pub(crate) accesses: Vec<(VarId, Access)>,
    pub(crate) items: Vec<Item>,
    info: Vec<Info>,
    pub(crate) warnings: Vec<Warning>,
    prefix: String,
    count: usize,
    /// Subscripts are checked.
    pub(crate) checked: bool,
    /// Numbers of different types share no memory.
    pub(crate) typed_memory: bool,
    /// There is code for GPUs: schedules are told in their words.
    pub(crate) gpu: bool,
    /// Variables of loops that the host counts around the kernels that are being made.
    pub(crate) host_variables: Vec<VarId>,
    /// Variables of loops whose values are data ([`Cx::kept_variables`]).
    pub(crate) kept: Vec<VarId>,
    /// Variables that loops with a directive count with, and that the rest of the region reads ([`Cx::read_and_counted`]).
    pub(crate) counted: Vec<VarId>,
    /// Variables of the iterations of a loop around, which the loop that is asked about is all of: nobody reads them behind it.
    pub(crate) ended: Vec<VarId>,
    /// Pairs of pointers that are known to point to different memory, since that is asked before.
    pub(crate) apart: Vec<(VarId, VarId)>,
    /// Variables at file scope that functions use which the region calls.
    pub(crate) captured: Vec<VarId>,
    /// What became of `cache` directives.
    answers: cached::Answers,
}

/// The `private` or `reduction` clauses' sections of pointers: lower bound and count, as the host evaluates them.
pub(crate) type Sections = FxHashMap<VarId, (String, String)>;

/// The construct of a directive, if it is one.
pub(crate) fn construct(kind: Kind) -> Option<Construct> {
    Some(match kind {
        Kind::Parallel | Kind::ParallelLoop => Construct::Parallel,
        Kind::Kernels | Kind::KernelsLoop | Kind::Region | Kind::RegionFor => Construct::Kernels,
        Kind::Serial | Kind::SerialLoop => Construct::Serial,
        _ => return None,
    })
}

/// Makes the kernels of the directive `site`. The error says why the region is left to the host.
pub(crate) fn compile(
    unit: &Unit,
    scopes: &Scopes,
    parents: &FxHashMap<ExprId, ExprId>,
    site: usize,
    prefix: &str,
    options: &Options,
) -> Result<Region, (Vec<Info>, String)> {
    let s = &scopes.sites[site];
    let (Some(construct), Some(target)) = (construct(s.directive.kind), s.target) else {
        return Err((Vec::new(), "the directive stands on no statement".to_owned()));
    };
    let items = data::items(unit, scopes, s);
    let mut cx = Cx::new((unit, scopes, parents), site, (construct, target), items, options);
    prefix.clone_into(&mut cx.prefix);
    let prologue = cx.take_prologue(target).unwrap_or_default();
    match cx.kernels(target) {
        Ok(kernels) => {
            let Cx { items, info, warnings, answers, range, .. } = cx;
            Ok(Region { at: s.directive.span.start, range, kernels, items, info, warnings, answers, prologue })
        }
        Err(why) => Err((cx.info, why)),
    }
}

impl<'a> Cx<'a> {
    /// A look at the statement `target`, before anything is made of it.
    fn new(
        (unit, scopes, parents): (&'a Unit, &'a Scopes, &'a FxHashMap<ExprId, ExprId>),
        site: usize,
        (construct, target): (Construct, StmtId),
        items: Vec<Item>,
        options: &Options,
    ) -> Self {
        let range = unit.range(unit.ast[target].span);
        let accesses = summary(unit, scopes, parents, &range);
        let mut cx = Self {
            unit,
            scopes,
            parents,
            site,
            construct,
            range,
            accesses,
            items,
            info: Vec::new(),
            warnings: Vec::new(),
            prefix: String::new(),
            count: 0,
            checked: options.checked,
            typed_memory: options.typed_memory,
            gpu: options.gpu,
            host_variables: Vec::new(),
            kept: Vec::new(),
            counted: Vec::new(),
            ended: Vec::new(),
            apart: Vec::new(),
            captured: Vec::new(),
            answers: cached::Answers::default(),
        };
        cx.add_captured();
        cx
    }

    fn kernels(&mut self, target: StmtId) -> Result<Vec<Kernel>, String> {
        let site = &self.scopes.sites[self.site];
        for v in site.directive.all(ClauseKind::Firstprivate).flat_map(|c| self.named(site, c)) {
            let shape = self.scopes.var(v).ty.map(|t| self.unit.shape(t));
            if matches!(shape, None | Some(Shape::Other)) {
                return Err(format!("the type of `{}` is not supported in regions", self.scopes.var(v).name));
            }
        }
        self.no_kernel_has(target)?;
        self.kept = self.kept_variables();
        self.counted = self.read_and_counted();
        self.copy_what_is_written_in_part();
        self.implicit_data();
        let kind = self.scopes.sites[self.site].directive.kind;
        let combined = matches!(kind, Kind::ParallelLoop | Kind::KernelsLoop | Kind::RegionFor);
        match self.construct {
            Construct::Serial => Ok(vec![self.whole(target, None)?]),
            Construct::Parallel if combined => {
                let words = self.words_of(self.site);
                Ok(vec![self.parallel_loop(target, words)?])
            }
            Construct::Parallel => self.parallel(target),
            Construct::Kernels if combined => {
                let words = self.words_of(self.site);
                Ok(vec![self.kernels_loop(target, words)?])
            }
            Construct::Kernels => {
                let mut out = Vec::new();
                for s in self.statements(target) {
                    out.push(match self.unit.ast[plain(self.unit, s)].kind {
                        StmtKind::For { .. } => {
                            let words = self.loop_words(s);
                            self.kernels_loop(s, words)?
                        }
                        StmtKind::While { .. } | StmtKind::Do { .. } => {
                            return Err("loop has multiple exits".to_owned());
                        }
                        _ => {
                            let (line, _) = self.unit.line(self.unit.range(self.unit.ast[s].span).start);
                            self.say(line, SERIAL);
                            self.whole(s, None)?
                        }
                    });
                }
                Ok(out)
            }
        }
    }

    /// What no kernel can do: keep values between launches that are not data.
    fn no_kernel_has(&self, target: StmtId) -> Result<(), String> {
        let fixed = |v: &&crate::scope::Var| {
            self.range.contains(&v.at.start) && v.storage == Storage::Static && !self.unit.is_constant_with_value(v)
        };
        if let Some(v) = self.scopes.vars.iter().find(fixed) {
            return Err(format!("`{}` is `static`, or `extern`, in the region: declare it outside", v.name));
        }
        // Elsewhere scalars are each gang's own.
        if self.construct != Construct::Kernels {
            return Ok(());
        }
        let several = self.statements(target).len() > 1;
        for &(v, access) in &self.accesses {
            let var = self.scopes.var(v);
            let pointer = matches!(var.ty.map(|t| self.unit.shape(t)), Some(Shape::Pointer(_)));
            if pointer
                && access.written
                && !self.range.contains(&var.at.start)
                && (several || self.is_wanted_behind(v, &self.range))
            {
                return Err(format!("pointer `{}` changes, and its value is wanted by other loops or later", var.name));
            }
        }
        Ok(())
    }

    /// The statements of a region without the braces around them; one if there are declarations among them.
    fn statements(&self, target: StmtId) -> Vec<StmtId> {
        let StmtKind::Compound(list) = self.unit.ast[target].kind else { return vec![target] };
        // What the host does before the region is no part of it.
        let is_of_it = |s: &StmtId| self.unit.range(self.unit.ast[*s].span).end > self.range.start;
        let list = self.unit.ast.list(list).iter().copied().filter(is_of_it);
        let list: Vec<StmtId> = list.filter(|&s| !crate::loops::is_nothing(self.unit, s)).collect();
        let simple = |s: &StmtId| {
            matches!(
                self.unit.ast[*s].kind,
                StmtKind::For { .. }
                    | StmtKind::Expr(_)
                    | StmtKind::If { .. }
                    | StmtKind::While { .. }
                    | StmtKind::Compound(_)
                    | StmtKind::Do { .. }
            )
        };
        match list.as_slice() {
            [only] if matches!(self.unit.ast[*only].kind, StmtKind::Compound(_)) => self.statements(*only),
            _ if list.iter().all(simple) => list,
            _ => vec![target],
        }
    }

    /// `parallel` without `loop`: its loops one after another, or gangs that run all of it.
    fn parallel(&mut self, target: StmtId) -> Result<Vec<Kernel>, String> {
        let list = self.statements(target);
        if let [only] = list.as_slice()
            && !self.loop_words(*only).there
            && let Some(kernel) = self.host_loop(*only)?
        {
            return Ok(vec![kernel]);
        }
        if self.are_shared(&list) && !self.pass_values(&list) {
            let mut out = Vec::new();
            for s in list {
                let words = self.loop_words(s);
                out.push(self.parallel_loop(s, words)?);
            }
            return Ok(out);
        }
        // Gangs that share no loop would all do the same; those that call loops to share would each run them whole here.
        let calls = self.calls_gang_routine(target);
        let usual = if self.shares_a_loop(target) && !calls { "32L" } else { "1L" };
        let gangs = by_device(&self.scopes.sites[self.site], |d| {
            let asked = d.clause(ClauseKind::NumGangs).and_then(|c| c.operands.first()).filter(|_| !calls);
            asked.map_or(usual.to_owned(), |o| format!("((long)({}))", &self.unit.text[o.text.clone()]))
        });
        Ok(vec![self.whole(target, Some(gangs))?])
    }

    /// Whether statements are nothing but loops that gangs share.
    fn are_shared(&self, list: &[StmtId]) -> bool {
        let shared = |s: &StmtId| {
            let w = self.loop_words(*s);
            w.there && !w.seq && CountedLoop::of(self.unit, self.scopes, *s).is_some_and(|l| l.runs_towards_bound())
        };
        !list.is_empty() && list.iter().all(shared)
    }

    /// The loops of `parallel` that are nests by themselves: that of a combined construct, or all there are.
    pub(crate) fn nests(&self, target: StmtId) -> Vec<StmtId> {
        if self.scopes.sites[self.site].directive.kind == Kind::ParallelLoop {
            return vec![target];
        }
        let list = self.statements(target);
        if self.are_shared(&list) && !self.pass_values(&list) { list } else { Vec::new() }
    }

    /// A loop of `parallel`: as the program says, unless it leaves the question to us.
    fn parallel_loop(&mut self, s: StmtId, words: LoopWords) -> Result<Kernel, String> {
        if words.auto { self.kernels_loop(s, words) } else { self.nest(s, words) }
    }

    /// Whether a statement calls a function with loops that gangs share (`routine gang`).
    fn calls_gang_routine(&self, target: StmtId) -> bool {
        let range = self.unit.range(self.unit.ast[target].span);
        let is_gang = |name: &str| self.scopes.routines.get(name).is_some_and(|r| r.gang);
        self.scopes.uses_in(&range).iter().any(|u| is_gang(&self.scopes.var(u.var).name))
    }

    /// Whether gangs share a loop of a statement.
    fn shares_a_loop(&self, target: StmtId) -> bool {
        let mut shared = Vec::new();
        self.gang_loops(&self.unit.range(self.unit.ast[target].span), &mut shared, &mut Vec::new());
        !shared.is_empty()
    }

    /// A loop of `kernels`: in parallel if it may.
    fn kernels_loop(&mut self, s: StmtId, words: LoopWords) -> Result<Kernel, String> {
        let (line, _) = self.unit.line(self.unit.range(self.unit.ast[plain(self.unit, s)].span).start);
        if words.seq {
            self.say(line, SERIAL);
            return self.whole(s, None);
        }
        let Some(l) = CountedLoop::of(self.unit, self.scopes, s).filter(CountedLoop::runs_towards_bound) else {
            self.say(line, "Accelerator restriction: loop does not count");
            self.say(line, SERIAL);
            return self.whole(s, None);
        };
        let mut words = words;
        // What is private to an inner loop is private to this one's iterations, too.
        let inner: Vec<VarId> = self.scopes.sites_in(&l.range).flat_map(|(i, _)| self.words_of(i).privates).collect();
        let believed: Vec<VarId> = words.privates.iter().chain(&inner).copied().collect();
        let independent = words.independent.then(|| verdict::scalars_of(self, &l, &believed, &words.reductions));
        if let Some((own, sums)) = independent.flatten() {
            words.privates.extend(own.into_iter().filter(|v| !inner.contains(v)));
            words.reductions.extend(sums);
            return self.nest(s, words);
        }
        match verdict::of_loop(self, &l, &believed, &words.reductions) {
            Verdict::Parallel { privates, reductions } => {
                let mut words = LoopWords { there: true, collapse: words.collapse.max(1), ..words };
                words.privates.extend(privates);
                words.reductions.extend(reductions);
                self.nest(s, words)
            }
            Verdict::Serial { reasons, overlaps } => {
                reasons.into_iter().for_each(|r| self.say(line, &r));
                if let Some(kernel) = self.if_apart(s, &l, &overlaps, &believed, &words)? {
                    return Ok(kernel);
                }
                if let Some(kernel) = self.moved_out(&l, &words)? {
                    return Ok(kernel);
                }
                if let Some(kernel) = self.host_loop(s)? {
                    return Ok(kernel);
                }
                self.say(line, SERIAL);
                self.whole(s, None)
            }
        }
    }

    pub(crate) fn say(&mut self, line: u32, text: &str) {
        self.info.push(Info { line, text: text.to_owned() });
    }

    fn is_function(&self, v: VarId) -> bool {
        let name = &self.scopes.var(v).name;
        let external = self.unit.declared.get(name).and_then(|l| l.first());
        external.is_some_and(|&i| !self.unit.text[self.unit.externals[i].clone()].contains("enum"))
    }

    fn reads_memory(&self, range: &Range<usize>) -> bool {
        self.scopes
            .uses_in(range)
            .iter()
            .any(|u| crate::access::place(self.unit, self.scopes, self.parents, u.expr).memory)
    }

    /// A statement as one kernel, for gangs or for one work-item.
    pub(crate) fn whole(&mut self, s: StmtId, gangs: Option<String>) -> Result<Kernel, String> {
        self.whole_reducing(s, gangs, Vec::new())
    }

    /// The same with reductions that no clause asks for.
    pub(crate) fn whole_reducing(
        &mut self,
        s: StmtId,
        gangs: Option<String>,
        mut reductions: Vec<(String, VarId)>,
    ) -> Result<Kernel, String> {
        let range = self.unit.range(self.unit.ast[s].span);
        let site = &self.scopes.sites[self.site];
        let mut privates = Vec::new();
        for c in site.directive.all(ClauseKind::Private) {
            privates.extend(self.named(site, c));
        }
        for c in site.directive.all(ClauseKind::Reduction) {
            let op = c.modifiers.first().cloned().unwrap_or_default();
            reductions.extend(self.named(site, c).into_iter().map(|v| (op.clone(), v)));
        }
        // A loop that is the statement has its directive before it.
        let words = self.loop_words(s);
        privates.extend(words.privates);
        if self.construct != Construct::Kernels {
            reductions.extend(words.reductions);
        }
        if self.construct == Construct::Serial {
            self.gang_loops(&range, &mut Vec::new(), &mut reductions);
        }
        let mut shared = Vec::new();
        if gangs.is_some() {
            self.gang_loops(&range, &mut shared, &mut reductions);
            self.must_run_whole(&shared)?;
            for l in &shared {
                let words = self.loop_words(l.stmt);
                let own: Vec<VarId> = privates.iter().chain(&words.privates).copied().collect();
                self.judge(l, &words, &own, &reductions);
            }
        }
        let schedule = match gangs {
            Some(n) => Schedule::Gangs(n, shared),
            None => Schedule::Serial,
        };
        let team = self.team(&Gang { schedule: &schedule, body: s, privates: &privates, reductions: &reductions });
        self.tell_team(team.as_ref());
        self.kernel((schedule, team), s, &range, privates, reductions)
    }

    pub(crate) fn kernel(
        &mut self,
        (schedule, team): (Schedule, Option<Team>),
        body: StmtId,
        range: &Range<usize>,
        mut privates: Vec<VarId>,
        reductions: Vec<(String, VarId)>,
    ) -> Result<Kernel, String> {
        let mut seen = Vec::new();
        let reductions: Vec<_> = reductions
            .into_iter()
            .filter(|r| {
                !seen.contains(&r.1) && {
                    seen.push(r.1);
                    true
                }
            })
            .collect();
        self.reduced_data(&reductions);
        let body_range = self.unit.range(self.unit.ast[body].span);
        let inner_privates = self.inner_privates(&schedule, &body_range, &mut privates)?;
        let sections = self.sections();
        let loop_variables = self.loop_variables(range);
        let own: Vec<VarId> = privates.iter().copied().chain(reductions.iter().map(|r| r.1)).collect();
        self.must_be_captured(range, &own)?;
        let locals = self.local_arrays(&body_range);
        self.must_know_extents(&locals, &loop_variables, &privates)?;
        let name = format!("{}_{}", self.prefix, self.count);
        self.count += 1;
        let (block, tile) = match (&team, &schedule) {
            (Some(team), _) => (team.block, None),
            (None, Schedule::Items(l)) => {
                let block = self.block_of_nest(l, &privates, &reductions);
                (block, Some(block.tile()))
            }
            (None, Schedule::Shared(l, _)) => self.block_of_shared(l),
            _ => (self.block(&[]), None),
        };
        let used =
            crate::reduction::bytes(self.unit, self.scopes, &reductions).unwrap_or(0) * u64::from(block.threads());
        let cached = self.cached((&schedule, team.as_ref()), &privates, (tile, used));
        let apart_if = self.apart_if(&schedule, &body_range, &[own.as_slice(), &loop_variables].concat());
        let me = &*self;
        let narrow = match &schedule {
            Schedule::Items(l) | Schedule::Shared(l, _) => {
                l.last().is_some_and(|l| self.is_narrow(l, &privates, &reductions))
            }
            _ => false,
        };
        let by_columns = matches!(&schedule, Schedule::Items(l) if self.share_columns(l, &privates, &reductions));
        let by_rows =
            matches!(&schedule, Schedule::Shared(l, _) if l.len() > 1 && l.last().is_some_and(|l| !self.is_short(l)));
        let gangs = match &schedule {
            Schedule::Items(l) | Schedule::Shared(l, _) => self.gangs_asked(l),
            _ => None,
        };
        let passing = |v: VarId| me.passing(v, &privates, &reductions, &loop_variables);
        let item_of = |v: VarId| me.items.iter().position(|i| i.var == Some(v));
        let section_of = |v: VarId| if me.has_clause(v) { None } else { me.section_of(v) };
        let (line, _) = self.unit.line(range.start);
        let plan = Plan {
            name,
            schedule,
            body,
            passing: &passing,
            reductions: reductions.clone(),
            inner_privates,
            firsts: self.firsts(&sections),
            locals,
            sections: &sections,
            item_of: &item_of,
            section_of: &section_of,
            narrow,
            by_columns,
            by_rows,
            gangs,
            block,
            team,
            tile,
            cached,
            gpu: self.gpu,
            checked: self.checked,
            line,
            memory: if apart_if.is_some() { Overlap::Never } else { Overlap::Possible },
        };
        let write = |plan| Writer::new(self.unit, self.scopes, plan, self.parents).write();
        let Some(questions) = apart_if.filter(|q| !q.is_empty()) else { return write(plan) };
        let name = format!("{}{OVERLAPPING}", plan.name);
        let other = Plan { name, memory: Overlap::Found, ..plan.clone() };
        Ok(write(plan)?.or_else_if(&questions.join(" && "), write(other)?))
    }

    /// What clauses on loops inside of a kernel's body make private, and for which statements; what is computed is each work-item's.
    fn inner_privates(
        &self,
        schedule: &Schedule,
        body_range: &Range<usize>,
        privates: &mut Vec<VarId>,
    ) -> Result<Vec<(Range<usize>, VarId)>, String> {
        let scheduled: Vec<usize> = match schedule {
            Schedule::Items(l) | Schedule::Shared(l, _) | Schedule::Gangs(_, l) => {
                l.iter().map(|l| l.range.start).collect()
            }
            Schedule::Serial => Vec::new(),
        };
        let sections = self.sections();
        let mut inner_privates = Vec::new();
        for (i, site) in self.scopes.sites_in(body_range) {
            if !matches!(site.directive.kind, Kind::Loop | Kind::For) {
                continue;
            }
            let Some(t) = site.target else { continue };
            let at = self.unit.range(self.unit.ast[t].span);
            if scheduled.contains(&at.start) && !matches!(schedule, Schedule::Gangs(..)) {
                continue;
            }
            let own = CountedLoop::of(self.unit, self.scopes, t).map(|l| l.var).filter(|v| self.counted.contains(v));
            inner_privates.extend(own.map(|v| (at.clone(), v)));
            for v in self.words_of(i).privates {
                if self.is_computed(v, &sections) {
                    // One for each work-item is enough, as it runs the loop by itself; nothing else may mean the original.
                    let body = self.scopes.uses_in(body_range);
                    if body.iter().any(|u| u.var == v && !at.contains(&u.at.start)) {
                        return Err(format!("private `{}` is used outside of its loop, too", self.scopes.var(v).name));
                    }
                    privates.push(v);
                } else {
                    inner_privates.push((at.clone(), v));
                }
            }
        }
        Ok(inner_privates)
    }

    /// Variables that loops in a range count with: each work-item has its own.
    pub(crate) fn loop_variables(&self, range: &Range<usize>) -> Vec<VarId> {
        let mut out = Vec::new();
        for s in self.unit.stmts_in(range) {
            if !matches!(self.unit.ast[s].kind, StmtKind::For { .. }) {
                continue;
            }
            out.extend(CountedLoop::of(self.unit, self.scopes, s).map(|l| l.var));
        }
        out
    }
}
