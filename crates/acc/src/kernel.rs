//! One kernel: the text of a statement becomes a function over work-items, in C with a few words of our own.
//!
//! Names keep their meaning: what the statement reads by value becomes a parameter of the same name, places become pointers
//! and their uses `(*p)`; variable length arrays are indexed by hand, with extents that the host evaluates. Everything else
//! of the text stays as it is, so that errors have the user's lines.

mod cached;
pub(crate) mod call;
mod frame;
mod places;
pub(crate) mod positions;
mod shares;
mod strided;
mod team;

use crate::block::{Block, Tile};
use crate::constant;
use crate::ctype::Shape;
use crate::edit::Edits;
use crate::host::{Entry, ITEMS};
use crate::loops::{CountedLoop, plain};
use crate::own_memory::Memory;
use crate::purity;
use crate::region::patch::Patch;
use crate::region::sizes::Gangs;
use crate::region::team::Team;
use crate::scope::{Scopes, Site, Storage, VarId};
use crate::unit::Unit;
use crate::varied;
use call::Arguments;
use directives::ClauseKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::ops::Range;
use syntax::ast::{ExprId, StmtId, TypeId};

/// Most work-items of a kernel whose iterations are shared out: for reductions and private arrays each has memory.
const SHARED_ITEMS: u32 = 4096;
/// Most threads on GPUs where a block's put their values together: some for each place that GPUs have for one.
const GPU_ITEMS: u32 = 1 << 17;
/// The host's number of them for a launch.
pub(crate) const HOW_MANY: &str = "__unspool_items";
/// Work-items of a group where iterations become work-items.
pub(crate) const LOCAL: u32 = 64;
/// Work-items of a group where they share iterations: what the longest vectors hold, so that a group goes through memory once.
pub(crate) const SHARING: u32 = 16;
/// Most of these groups.
const SHARING_GROUPS: u32 = 64;

/// How a kernel runs.
#[derive(Clone, Debug)]
pub(crate) enum Schedule {
    /// One work-item for each iteration of these loops, outermost first; the host knows the bounds.
    Items(Vec<CountedLoop>),
    /// Work-items share the iterations of these loops; whether the host knows the bounds.
    Shared(Vec<CountedLoop>, bool),
    /// So many gangs run all of it (an expression of the host), each its share of the loops.
    Gangs(String, Vec<CountedLoop>),
    /// One work-item.
    Serial,
}

/// How a variable comes into the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passing {
    /// A parameter of the same name.
    Value,
    /// By its address.
    Place,
    /// A variable of each work-item.
    Private,
    /// A variable of each work-item, whose values become one.
    Reduced,
}

/// What is behind a kernel's name that runs where its arrays overlap.
pub(crate) const OVERLAPPING: &str = "_o";

/// Whether arrays of a kernel may share memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overlap {
    /// As declarations say.
    Possible,
    /// None does: that is known before it is launched.
    Never,
    /// It is launched where some do, which is rare: its code is small.
    Found,
}

/// What to make a kernel of.
#[derive(Clone)]
pub(crate) struct Plan<'a> {
    /// Its name.
    pub(crate) name: String,
    /// How.
    pub(crate) schedule: Schedule,
    /// The statement: the body of the innermost loop that is scheduled, or all of it.
    pub(crate) body: StmtId,
    /// How variables are passed.
    pub(crate) passing: &'a dyn Fn(VarId) -> Passing,
    /// Reductions: operator and variable.
    pub(crate) reductions: Vec<(String, VarId)>,
    /// What `private` clauses inside of the statement make private, where.
    pub(crate) inner_privates: Vec<(Range<usize>, VarId)>,
    /// Arrays, and sections of pointers, of which each work-item has its own that begins as the host's (`firstprivate`), and
    /// whether the kernel changes them.
    pub(crate) firsts: Vec<(VarId, bool)>,
    /// Arrays that the statement declares, with extents that the host evaluates.
    pub(crate) locals: Vec<VarId>,
    /// Sections of private pointers.
    pub(crate) sections: &'a crate::region::Sections,
    /// The items with their variables: index of the item that says where a pointer's section begins.
    pub(crate) item_of: &'a dyn Fn(VarId) -> Option<usize>,
    /// The first element and the one behind the last of what a construct around says of a pointer, as the host evaluates them.
    pub(crate) section_of: &'a dyn Fn(VarId) -> Option<(String, String)>,
    /// A group has one work-item on processors.
    pub(crate) narrow: bool,
    /// Groups below each other use the same memory.
    pub(crate) by_columns: bool,
    /// The last of the loops whose iterations work-items share is long: groups of processors have rows of it.
    pub(crate) by_rows: bool,
    /// How many gangs the program asks for.
    pub(crate) gangs: Option<Gangs>,
    /// Its blocks on GPUs, where a group is more than one work-item.
    pub(crate) block: Block,
    /// What the threads of a block share on GPUs, where a block is what a work-item is elsewhere.
    pub(crate) team: Option<Team>,
    /// Its threads in the last two loops, where they have neighbouring iterations.
    pub(crate) tile: Option<Tile>,
    /// What the threads of a block load once, where they have.
    pub(crate) cached: Vec<Patch>,
    /// There is code for GPUs.
    pub(crate) gpu: bool,
    /// Subscripts are checked.
    pub(crate) checked: bool,
    /// The line of its loop.
    pub(crate) line: u32,
    /// Whether its arrays share memory.
    pub(crate) memory: Overlap,
}

/// A kernel's text and how it is called.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// The C text of its functions.
    pub(crate) text: String,
    /// The statements that launch it.
    pub(crate) launch: String,
    /// Its functions: its own, and those of its helpers.
    pub(crate) entries: Vec<Entry>,
    /// What it calls, types that it uses, and what these use.
    pub(crate) needs: FxHashSet<String>,
}

impl Kernel {
    /// Kernels that the host launches in each iteration of a loop of its own.
    pub(crate) fn in_loop(header: &str, kernels: Vec<Self>) -> Self {
        let mut all =
            Self { text: String::new(), launch: String::new(), entries: Vec::new(), needs: FxHashSet::default() };
        for k in kernels {
            all.text.push_str(&k.text);
            all.launch.push_str(&k.launch);
            all.entries.extend(k.entries);
            all.needs.extend(k.needs);
        }
        // What an iteration has allocated is free when its kernels are done.
        all.launch = format!("{{ {header} {{ {} __unspool_acc_step(); }} }} ", all.launch);
        all
    }

    /// The statements that launch this kernel if `__unspool_o` is true, else another one, if the two are launched alike.
    fn chosen(&self, other: &Self) -> Option<String> {
        let mut launch = self.launch.clone();
        if self.entries.len() != other.entries.len() {
            return None;
        }
        let constant = |e: &Entry| format!("&{}__d", e.name);
        let mut alike = launch.clone();
        for (mine, others) in self.entries.iter().map(constant).zip(other.entries.iter().map(constant)) {
            alike = alike.replace(&mine, &others);
            launch = launch.replace(&mine, &format!("__unspool_o ? {mine} : {others}"));
        }
        (alike == other.launch).then_some(launch)
    }

    /// This kernel where a condition of the host holds, else another one.
    pub(crate) fn or_else_if(mut self, condition: &str, other: Self) -> Self {
        self.text.push_str(&other.text);
        self.launch = match self.chosen(&other) {
            // One launch of either.
            Some(launch) => format!("{{ const int __unspool_o = {condition}; {launch} }} "),
            None => format!("if ({condition}) {{ {} }} else {{ {} }} ", self.launch, other.launch),
        };
        self.entries.extend(other.entries);
        self.needs.extend(other.needs);
        self
    }
}

pub(crate) struct Writer<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) scopes: &'a Scopes,
    pub(crate) plan: Plan<'a>,
    pub(crate) params: Vec<String>,
    pub(crate) arguments: Arguments,
    pub(crate) prologue: String,
    pub(crate) epilogue: String,
    /// What comes in its place on GPUs, where a block's threads put reductions together.
    pub(crate) block_epilogue: String,
    /// What comes before the prologue where a work-item has its own arrays, and where the threads of a block share them.
    own: String,
    pub(crate) shared: String,
    /// Parents of expressions, for chains of indices.
    pub(crate) parents: &'a FxHashMap<ExprId, ExprId>,
    pub(crate) setup: String,
    /// How many work-items share iterations, and what each has of memory that the host allocates: expressions of the host.
    pub(crate) items: Option<String>,
    pub(crate) own_bytes: Vec<String>,
    /// Whether all memory that the kernel knows is of arrays that the program declares: no two share any.
    apart: bool,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(
        unit: &'a Unit,
        scopes: &'a Scopes,
        plan: Plan<'a>,
        parents: &'a FxHashMap<ExprId, ExprId>,
    ) -> Self {
        Self {
            unit,
            scopes,
            plan,
            params: Vec::new(),
            arguments: Arguments::default(),
            prologue: String::new(),
            epilogue: String::new(),
            block_epilogue: String::new(),
            own: String::new(),
            shared: String::new(),
            parents,
            setup: String::new(),
            items: None,
            own_bytes: Vec::new(),
            apart: false,
        }
    }

    /// The kernel, or why there is none.
    pub(crate) fn write(mut self) -> Result<Kernel, String> {
        let range = self.unit.range(self.unit.ast[self.plan.body].span);
        let text = &self.unit.text[range.clone()];
        if let Some(word) = Unit::foreign_word(text) {
            return Err(format!("`{word}` is not supported in regions"));
        }
        let loops = match &self.plan.schedule {
            Schedule::Items(l) | Schedule::Shared(l, _) => l.clone(),
            _ => Vec::new(),
        };
        let host_bounds = matches!(self.plan.schedule, Schedule::Items(_));
        self.geometry(&loops);
        // Where the kernel computes the bounds of its loops, what they use is passed, too.
        let scope = match loops.iter().map(|l| l.range.start).min() {
            Some(first) if !host_bounds => first..range.end,
            _ => range.clone(),
        };
        let mut used = self.variables_in(&scope);
        used.extend(self.plan.reductions.iter().map(|r| r.1));
        used.extend(self.scopes.captured.in_range(self.scopes, &scope));
        let mut seen = FxHashSet::default();
        used.retain(|v| seen.insert(*v));
        let mut edits = Edits::default();
        if self.plan.checked {
            self.check(&range, &mut edits);
        }
        self.apart = self.only_arrays(&used, &scope);
        varied::calls(self.unit, self.scopes, self.parents, &scope, &mut edits)?;
        for &v in &used {
            self.pass(v, &scope, &loops, &mut edits)?;
        }
        for v in self.plan.locals.clone() {
            self.local_array(v, &mut edits, &range)?;
        }
        self.bound_functions(&scope, &mut edits);
        crate::captured::calls(self.unit, self.scopes, &scope, &mut edits)?;
        let on_gpu = match &self.plan.team {
            Some(team) => Some(self.of_team(team, &loops, &edits)?),
            None if !self.plan.cached.is_empty() => Some(self.with_patches(&loops, &edits)?),
            None => None,
        };
        self.inner(&mut edits, None)?;
        let located = self.located(&edits);
        let begin = format!("{}{}", self.own, self.prologue);
        let end = &self.epilogue;
        let on_gpu = match on_gpu {
            None if self.is_strided() => Some(self.strided_items(&loops, &located, &begin, end)),
            other => other,
        };
        let main = match &self.plan.schedule {
            Schedule::Items(_) => self.items(&loops, &located, "__unspool_global_id", &begin, end),
            Schedule::Shared(..) => self.share_out(&loops, &located, &edits, (&begin, &self.end())),
            Schedule::Gangs(..) => format!("if (__gang < __gangs) {{ {begin} {located} {end} }}"),
            Schedule::Serial => format!("{{ {begin} {located} {end} }}"),
        };
        self.finish(&main, on_gpu)
    }

    /// What follows the loops whose iterations work-items share.
    fn end(&self) -> String {
        match self.block_epilogue.as_str() {
            "" => self.epilogue.clone(),
            on_gpu => format!(
                "\n#if {ITEMS}\n{}\n#else\nconst int __lane = (int)__unspool_local_id(0); {on_gpu}\n#endif\n",
                self.epilogue
            ),
        }
    }

    /// The changed text of the body, with the lines of the user's file.
    pub(crate) fn located(&self, edits: &Edits) -> String {
        let range = self.unit.range(self.unit.ast[self.plan.body].span);
        let (line, file) = self.unit.line(range.start);
        format!("\n# {line} \"{file}\"\n{}\n", edits.apply(&self.unit.text, range))
    }

    /// Parameters that say how many iterations there are.
    fn geometry(&mut self, loops: &[CountedLoop]) {
        match &self.plan.schedule {
            Schedule::Items(_) => {
                // The first iteration of each dimension: long launches come in parts.
                (0..loops.len()).for_each(|i| self.long(&format!("__b{i}"), "0"));
                for (i, l) in loops.iter().rev().enumerate() {
                    let text = |e: ExprId| self.unit.slice(self.unit.ast[e].span).to_owned();
                    let (lo, hi) = (text(l.lower), text(l.bound));
                    let st = l.step.map_or("1".to_owned(), text);
                    let (lo, trip) = (format!("(long)({lo})"), l.trip(self.unit, &lo, &hi, &st));
                    self.long(&format!("__n{i}"), &trip);
                    self.long(&format!("__l{i}"), &lo);
                    if l.step.is_some() {
                        self.long(&format!("__s{i}"), &format!("(long)({st})"));
                    }
                }
            }
            Schedule::Shared(_, known) => {
                // Work-items without an iteration would stand beside those that have one, and leave all the work to one thread.
                let total = |l: &CountedLoop| {
                    let text = |e: ExprId| self.unit.slice(self.unit.ast[e].span).to_owned();
                    l.trip(self.unit, &text(l.lower), &text(l.bound), &l.step.map_or("1".to_owned(), text))
                };
                let whole = self.plan.block.whole();
                let whole_of = |n: u32| n / whole * whole;
                let here = match self.plan.narrow {
                    // Arrays that are put together: a few for each thread.
                    true if self.reduces_arrays() => 2 * SHARING_GROUPS,
                    true => SHARED_ITEMS,
                    false => SHARING * SHARING_GROUPS,
                };
                let on_gpu = if self.reduces_by_blocks() { GPU_ITEMS } else { SHARED_ITEMS };
                let most = match self.plan.gpu && on_gpu != here {
                    true => format!("__unspool_acc_by_device({}, {})", whole_of(on_gpu), whole_of(here)),
                    false => whole_of(here).to_string(),
                };
                let all: Vec<String> = loops.iter().filter(|_| *known).map(total).collect();
                let count = all
                    .into_iter()
                    .reduce(|a, b| format!("__unspool_acc_times({a}, {b})"))
                    .map_or(most.clone(), |n| format!("__unspool_acc_items({n}, {whole}, {most})"));
                // What a block takes: its threads have iterations, or share those of loops inside.
                let block = if self.plan.team.is_some() { 1 } else { self.plan.block.threads() };
                self.items = Some(match &self.plan.gangs {
                    Some(g) if self.plan.gpu => format!("__unspool_acc_of_gangs({count}, {}, {block})", g.count),
                    _ => count,
                });
            }
            Schedule::Gangs(count, _) => {
                let count = count.clone();
                self.long("__gangs", &count);
            }
            Schedule::Serial => {}
        }
    }

    pub(crate) fn long(&mut self, name: &str, value: &str) {
        self.params.push(format!("long {name}"));
        self.arguments.value(&format!("long {name}"), value);
    }

    /// Variables of the function and the file that a range uses and that are declared outside of it.
    fn variables_in(&self, range: &Range<usize>) -> Vec<VarId> {
        let body = self.unit.range(self.unit.ast[self.plan.body].span);
        let outside = |v: VarId| {
            let at = &self.scopes.var(v).at;
            !range.contains(&at.start) && !body.contains(&at.start)
        };
        self.scopes
            .uses_in(range)
            .iter()
            .filter(|u| !self.is_inner_private(u.var, &u.at))
            .map(|u| u.var)
            .filter(|&v| self.scopes.var(v).storage != Storage::Other && outside(v))
            .collect()
    }

    /// Whether `used` is arrays that are declared (parameters are pointers) and numbers, and nothing is called that may know
    /// others: then no two names mean the same memory.
    fn only_arrays(&self, used: &[VarId], range: &Range<usize>) -> bool {
        let is_number = |ty| matches!(self.unit.shape(ty), Shape::Number(_) | Shape::Enum);
        let is_plain = |&v: &VarId| {
            let var = self.scopes.var(v);
            var.ty.is_some_and(|ty| match self.unit.shape(ty) {
                Shape::Array(..) => var.storage != Storage::Param && is_number(self.unit.dimensions(ty).1),
                _ => is_number(ty),
            })
        };
        used.iter().all(is_plain)
            && !self.scopes.uses_in(range).iter().any(|u| {
                let var = self.scopes.var(u.var);
                var.storage == Storage::Other && purity::may_know_memory(self.unit, &var.name)
            })
    }

    /// Whether a use is of what a `private` clause inside of the statement makes.
    pub(crate) fn is_inner_private(&self, var: VarId, at: &Range<usize>) -> bool {
        self.plan.inner_privates.iter().any(|(r, v)| *v == var && r.contains(&at.start))
    }

    /// Makes a variable known in the kernel.
    fn pass(&mut self, v: VarId, range: &Range<usize>, loops: &[CountedLoop], edits: &mut Edits) -> Result<(), String> {
        let var = self.scopes.var(v).clone();
        if loops.iter().any(|l| l.var == v) {
            return Ok(());
        }
        let ty = var.ty.ok_or_else(|| format!("the type of `{}` is not known", var.name))?;
        if let Some(word) = Unit::foreign_word(self.unit.before_name(&var.at)) {
            return Err(format!("`{}` is `{word}`, which is not supported in regions", var.name));
        }
        let unknown = || format!("the type of `{}` is not supported in regions", var.name);
        let passing = (self.plan.passing)(v);
        if let Some(&(_, written)) = self.plan.firsts.iter().find(|f| f.0 == v) {
            return self.first(v, ty, written, edits, range);
        }
        match passing {
            Passing::Private | Passing::Reduced => {
                let reduction = self.plan.reductions.iter().find(|r| r.1 == v).map(|r| r.0.clone());
                return match reduction {
                    Some(op) => self.reduce(&op, v, ty, edits, range),
                    None => self.private(v, &var.name, ty, edits, range),
                };
            }
            Passing::Value | Passing::Place => {}
        }
        match self.unit.shape(ty) {
            Shape::Array(..) | Shape::Pointer(_) => self.pointer(v, ty, passing, range, edits),
            Shape::Number(_) | Shape::Enum | Shape::Record if passing == Passing::Value => {
                let plain = self.unit.plain(ty, &var.name).ok_or_else(unknown)?;
                self.params.push(plain.clone());
                self.arguments.value(&plain, &var.name);
                Ok(())
            }
            Shape::Number(_) | Shape::Enum | Shape::Record => self.by_place(v, ty, range, edits).ok_or_else(unknown),
            Shape::Other => Err(unknown()),
        }
    }

    /// The first element and the number of elements of a section that a clause names, or of an array of computed extents.
    pub(crate) fn section_or_all(&self, v: VarId, ty: TypeId) -> (String, String) {
        let name = &self.scopes.var(v).name;
        match self.plan.sections.get(&v) {
            Some((lower, count)) => (lower.clone(), format!("({count})")),
            None => {
                let zeros = "[0]".repeat(self.unit.dimensions(ty).0.len());
                ("0".to_owned(), format!("sizeof({name}) / sizeof(({name}){zeros})"))
            }
        }
    }

    pub(crate) fn private(
        &mut self,
        v: VarId,
        name: &str,
        ty: TypeId,
        edits: &mut Edits,
        range: &Range<usize>,
    ) -> Result<(), String> {
        let (dims, element) = self.unit.dimensions(ty);
        let is_array = matches!(self.unit.shape(ty), Shape::Array(..));
        if is_array && dims.iter().any(Option::is_none) || self.plan.sections.contains_key(&v) {
            let zeros = "[0]".repeat(dims.len());
            let (lower, count) = self.section_or_all(v, ty);
            let extents = crate::linear::extents_on_host(name, dims.len()).collect();
            let memory = Memory { element, size: format!("sizeof(({name}){zeros})"), lower, count, extents };
            return self.memory_apart(v, &memory, edits, range);
        }
        let local =
            self.unit.plain(ty, name).ok_or_else(|| format!("the type of `{name}` is not supported in regions"))?;
        let shares = self.plan.team.as_ref().is_some_and(|t| t.arrays.contains(&v));
        let _ = write!(self.own, "{local}; ");
        let _ = write!(self.shared, "{}{local}; ", if shares { "__unspool_shared " } else { "" });
        Ok(())
    }

    /// Directives inside of the statement; the loops that threads share are left out.
    pub(crate) fn inner(&self, edits: &mut Edits, team: Option<&Team>) -> Result<(), String> {
        let range = self.unit.range(self.unit.ast[self.plan.body].span);
        let gang_loops = match &self.plan.schedule {
            Schedule::Gangs(_, loops) => loops.clone(),
            _ => Vec::new(),
        };
        // Loops that were moved out of the body are the work-items around it.
        if let Schedule::Items(loops) = &self.plan.schedule {
            let moved = loops.iter().filter(|l| range.contains(&l.header.start));
            moved.for_each(|l| edits.replace(l.header.clone(), String::new()));
        }
        for (_, site) in self.scopes.sites_in(&range) {
            edits.replace(site.directive.span.clone(), String::new());
            if site.directive.kind == directives::Kind::Atomic {
                crate::atomic::rewrite(self.unit, self.scopes, site, edits)?;
            }
        }
        for (at, v) in self.plan.inner_privates.clone() {
            let var = self.scopes.var(v);
            let Some(ty) = var.ty else { continue };
            let local = self
                .unit
                .declare(ty, &var.name)
                .ok_or_else(|| format!("private `{}` has no constant extent", var.name))?;
            let shared = team.is_some_and(|t| t.has_array(v, &at));
            edits.insert(at.start, format!("{{ {}{local}; ", if shared { "__unspool_shared " } else { "" }));
            edits.insert_after(at.end, " }".to_owned());
        }
        let by_threads = |l: &CountedLoop| team.is_some_and(|t| t.loops.iter().any(|s| s.counted.stmt == l.stmt));
        let stays = |s: StmtId| {
            let shared = team.iter().flat_map(|t| &t.loops).map(|l| l.counted.stmt);
            !shared.chain(gang_loops.iter().map(|l| l.stmt)).any(|l| l == s)
        };
        self.unroll_hints(&range, edits, stays);
        self.reduction_hints(&range, edits, stays);
        for (n, l) in gang_loops.iter().enumerate().filter(|(_, l)| !by_threads(l)) {
            let render = |e: ExprId| edits.apply(&self.unit.text, self.unit.range(self.unit.ast[e].span));
            let (lo, hi) = (render(l.lower), render(l.bound));
            let st = l.step.map_or("1".to_owned(), render);
            let trip = l.trip(self.unit, &lo, &hi, &st);
            let name = self.scopes.var(l.var).name.clone();
            let local = self.unit.declare(l.ty, &name).ok_or("the type of a loop's variable is not supported")?;
            let sign = if l.down { "-" } else { "+" };
            let header = format!(
                "for (long __i{n} = __gang, __t{n} = {trip}; __i{n} < __t{n}; __i{n} += __gangs) {{ {local} = ({lo}) {sign} __i{n} * ({st});"
            );
            edits.replace(l.header.clone(), header);
            edits.insert_after(self.unit.range(self.unit.ast[l.body].span).end, " }".to_owned());
        }
        Ok(())
    }

    /// Loops whose directive says that they reduce, and that one work-item runs on processors: what they sum may be summed in any order, in
    /// the lanes of vectors where these are for the loops inside.
    fn reduction_hints(&self, range: &Range<usize>, edits: &mut Edits, stays: impl Fn(StmtId) -> bool) {
        for (_, site) in self.scopes.sites_in(range) {
            let Some(target) = site.target.filter(|_| site.directive.has(ClauseKind::Reduction)) else { continue };
            let stmt = plain(self.unit, target);
            if matches!(site.directive.kind, directives::Kind::Loop | directives::Kind::For) && stays(stmt) {
                let at = self.unit.range(self.unit.ast[stmt].span).start;
                let (line, file) = self.unit.line(at);
                edits.insert(
                    at,
                    format!("\n#if {ITEMS}\n#pragma clang loop vectorize(enable)\n#endif\n# {line} \"{file}\"\n"),
                );
            }
        }
    }

    /// PGI's `unroll` on loops that stay loops: a hint to the kernel's compiler, which answers for it.
    fn unroll_hints(&self, range: &Range<usize>, edits: &mut Edits, stays: impl Fn(StmtId) -> bool) {
        let body = plain(self.unit, self.plan.body);
        // The directive of a loop that is all of the kernel stands before it.
        let before = self.scopes.sites.partition_point(|s| s.directive.span.start < range.start);
        let of_body = |s: &&Site| s.target.is_some_and(|t| plain(self.unit, t) == body);
        let before = self.scopes.sites[..before].iter().rev().take_while(of_body);
        for site in before.chain(self.scopes.sites_in(range).map(|(_, s)| s)) {
            let Some((c, target)) = site.directive.clause(ClauseKind::Unroll).zip(site.target) else { continue };
            let stmt = plain(self.unit, target);
            let count = c.operands.first().map(|o| constant::of_operand(self.unit, self.scopes, site, &o.text));
            // An operand whose value is not known here asks for nothing that could be done.
            let (Some(factor), true) = (count.map_or(Some(String::new()), |n| Some(n?.to_string())), stays(stmt))
            else {
                continue;
            };
            let at = self.unit.range(self.unit.ast[stmt].span).start;
            let (line, file) = self.unit.line(at);
            edits.insert(at, format!("\n#pragma unroll {factor}\n# {line} \"{file}\"\n"));
        }
    }
}
