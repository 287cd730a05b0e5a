//! One kernel: the text of a statement becomes a function over work-items, in C with a few words of our own.
//!
//! Names keep their meaning: what the statement reads by value becomes a parameter of the same name, places become pointers
//! and their uses `(*p)`; variable length arrays are indexed by hand, with extents that the host evaluates. Everything else
//! of the text stays as it is, so that errors have the user's lines.

use crate::block::Block;
use crate::ctype::Shape;
use crate::edit::Edits;
use crate::host::{Entry, ITEMS, NARROW};
use crate::loops::CountedLoop;
use crate::own_memory::Memory;
use crate::purity;
use crate::scope::{Scopes, Storage, VarId};
use crate::unit::{Unit, words};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::ops::Range;
use syntax::ast::{BuiltinType, ExprId, ExprKind, StmtId, TypeId};

/// Most work-items of a kernel whose iterations are shared out: for reductions and private arrays each has memory.
const SHARED_ITEMS: u32 = 4096;
/// The host's number of them for a launch.
pub(crate) const HOW_MANY: &str = "__unspool_items";
/// Work-items of a group where iterations become work-items.
pub(crate) const LOCAL: u32 = 64;

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

/// What to make a kernel of.
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
    /// Its blocks on GPUs, where a group is more than one work-item.
    pub(crate) block: Block,
    /// Subscripts are checked.
    pub(crate) checked: bool,
    /// The line of its loop.
    pub(crate) line: u32,
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

    /// This kernel where a condition of the host holds, else another one.
    pub(crate) fn or_else_if(mut self, condition: &str, other: Self) -> Self {
        self.text.push_str(&other.text);
        self.launch = format!("if ({condition}) {{ {} }} else {{ {} }} ", self.launch, other.launch);
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
    pub(crate) fields: Vec<String>,
    pub(crate) values: Vec<String>,
    pub(crate) prologue: String,
    pub(crate) epilogue: String,
    /// Parents of expressions, for chains of indices.
    pub(crate) parents: &'a FxHashMap<ExprId, ExprId>,
    pub(crate) setup: String,
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
            fields: Vec::new(),
            values: Vec::new(),
            prologue: String::new(),
            epilogue: String::new(),
            parents,
            setup: String::new(),
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
        let scope = match loops.first() {
            Some(first) if !host_bounds => first.range.start..range.end,
            _ => range.clone(),
        };
        let mut used = self.variables_in(&scope);
        used.extend(self.plan.reductions.iter().map(|r| r.1));
        let mut seen = FxHashSet::default();
        used.retain(|v| seen.insert(*v));
        let mut edits = Edits::default();
        if self.plan.checked {
            self.check(&range, &mut edits);
        }
        self.apart = self.only_arrays(&used, &scope);
        for &v in &used {
            self.pass(v, &scope, &loops, &mut edits)?;
        }
        for v in self.plan.locals.clone() {
            self.local_array(v, &mut edits, &range)?;
        }
        self.bound_functions(&scope, &mut edits);
        self.inner(&range, &mut edits)?;
        let body = edits.apply(&self.unit.text, range.clone());
        let (line, file) = self.unit.line(range.start);
        let located = format!("\n# {line} \"{file}\"\n{body}\n");
        let main = match &self.plan.schedule {
            Schedule::Items(_) => self.items(&loops, &located),
            Schedule::Shared(..) => self.shared(&loops, &located, &edits),
            Schedule::Gangs(..) => format!("if (__gang < __gangs) {{ {} {located} {} }}", self.prologue, self.epilogue),
            Schedule::Serial => format!("{{ {} {located} {} }}", self.prologue, self.epilogue),
        };
        self.finish(&main)
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
                let most = SHARED_ITEMS / whole * whole;
                let all: Vec<String> = loops.iter().filter(|_| *known).map(total).collect();
                let count = all
                    .into_iter()
                    .reduce(|a, b| format!("__unspool_acc_times({a}, {b})"))
                    .map_or(most.to_string(), |n| format!("__unspool_acc_items({n}, {whole}, {most})"));
                let _ = write!(self.setup, "const long {HOW_MANY} = {count}; ");
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
        self.fields.push(format!("long {name};"));
        self.values.push(value.to_owned());
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
        let knows_more = |name: &str| {
            let at = self.unit.declared.get(name).into_iter().flatten();
            let mut texts = at.map(|&i| &self.unit.text[self.unit.externals[i].clone()]);
            texts.any(|t| t.ends_with('}') || !purity::is_mathematical(name))
        };
        used.iter().all(is_plain)
            && !self.scopes.uses_in(range).iter().any(|u| {
                let var = self.scopes.var(u.var);
                var.storage == Storage::Other && knows_more(&var.name)
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
                    Some(op) => self.reduce(&op, &var.name, ty),
                    None => self.private(v, &var.name, ty, edits, range),
                };
            }
            Passing::Value | Passing::Place => {}
        }
        match self.unit.shape(ty) {
            Shape::Array(..) | Shape::Pointer(_) => self.pointer(v, ty, passing, range, edits),
            Shape::Number(_) | Shape::Enum | Shape::Record if passing == Passing::Value => {
                let plain = self.unit.declare(ty, &var.name).ok_or_else(unknown)?;
                let plain = plain.trim_start_matches("const ").replace("volatile ", "");
                self.params.push(plain.clone());
                self.fields.push(format!("{plain};"));
                self.values.push(var.name.clone());
                Ok(())
            }
            Shape::Number(_) | Shape::Enum | Shape::Record => self.by_place(v, ty, range, edits).ok_or_else(unknown),
            Shape::Other => Err(unknown()),
        }
    }

    /// Passes where a variable is on the device; the kernel's text means what is there. `None` if its type cannot be
    /// declared.
    fn by_place(&mut self, v: VarId, ty: TypeId, range: &Range<usize>, edits: &mut Edits) -> Option<()> {
        let var = self.scopes.var(v).clone();
        let name = format!("{}__p", var.name);
        self.params.push(self.unit.declare_parameter(ty, &format!("*{name}"))?);
        self.fields.push(format!("void *{name};"));
        self.values.push(self.address(v, &format!("&({})", var.name)));
        for u in self.scopes.uses_in(range) {
            if u.var == v && !self.is_inner_private(v, &u.at) {
                edits.replace(u.at.clone(), format!("(*{name})"));
            }
        }
        Some(())
    }

    /// The device's address of what the host has at `expression`.
    pub(crate) fn address(&self, v: VarId, expression: &str) -> String {
        let name = &self.scopes.var(v).name;
        let item = (self.plan.item_of)(v).map_or("0".to_owned(), |i| format!("&__unspool_i[{i}]"));
        format!("__unspool_acc_address(&__unspool_s, \"{name}\", (const void *)({expression}), {item})")
    }

    fn pointer(
        &mut self,
        v: VarId,
        ty: TypeId,
        passing: Passing,
        range: &Range<usize>,
        edits: &mut Edits,
    ) -> Result<(), String> {
        let var = self.scopes.var(v).clone();
        let unknown = || format!("the type of `{}` is not supported in regions", var.name);
        let (dims, element) = self.unit.dimensions(ty);
        let is_pointer = matches!(self.unit.shape(ty), Shape::Pointer(_));
        if is_pointer && passing == Passing::Place {
            // The pointer itself is data of the region.
            return self.by_place(v, ty, range, edits).ok_or_else(unknown);
        }
        let computed = dims.iter().skip(1).any(Option::is_none);
        let pointer = is_pointer || var.storage == Storage::Param;
        let restrict = self.apart || pointer && self.unit.ast[self.unit.resolve(ty)].quals.is_restrict;
        let star = if restrict { "*restrict " } else { "*" };
        if computed {
            let param = self.unit.declare_parameter(element, &format!("{star}{}", var.name)).ok_or_else(unknown)?;
            self.params.push(param);
            for i in 1..dims.len() {
                let name = format!("{}__e{i}", var.name);
                self.params.push(format!("long {name}"));
            }
            self.fields.push(format!("void *{};", var.name));
            self.values.push(self.address(v, &var.name));
            let mut at = format!("({})[0]", var.name);
            for i in 1..dims.len() {
                self.fields.push(format!("long {}__e{i};", var.name));
                self.values.push(format!("sizeof({at}) / sizeof({at}[0])"));
                at.push_str("[0]");
            }
            return self.linearise(v, dims.len(), range, edits);
        }
        let row = match self.unit.shape(ty) {
            Shape::Pointer(p) => p,
            Shape::Array(e, _) => e,
            _ => return Err(unknown()),
        };
        let array = matches!(self.unit.shape(row), Shape::Array(..));
        let declarator = if array { format!("({star}{})", var.name) } else { format!("{star}{}", var.name) };
        let row_is_void =
            matches!(self.unit.ast[self.unit.resolve(row)].kind, syntax::ast::TypeKind::Builtin(BuiltinType::Void));
        let param = if row_is_void {
            Some(format!("void *{}", var.name))
        } else {
            self.unit.declare_parameter(row, &declarator)
        };
        self.params.push(param.ok_or_else(unknown)?);
        self.fields.push(format!("void *{};", var.name));
        self.values.push(self.address(v, &var.name));
        if !is_pointer && self.taken_size(v, range) {
            return Err(format!("`sizeof` of array `{}` is not supported in regions", var.name));
        }
        Ok(())
    }

    /// Whether a use of an array is the operand of `sizeof`: it is a pointer in the kernel.
    pub(crate) fn taken_size(&self, v: VarId, range: &Range<usize>) -> bool {
        self.scopes.uses_in(range).iter().filter(|u| u.var == v).any(|u| {
            let mut e = u.expr;
            while let Some(&p) = self.parents.get(&e) {
                match self.unit.ast[p].kind {
                    ExprKind::Paren(_) => e = p,
                    ExprKind::SizeofExpr(_) => return true,
                    _ => return false,
                }
            }
            false
        })
    }

    /// Rewrites `b[i][j]` of an array with computed extents to `b[i * b__e1 + j]`.
    pub(crate) fn linearise(
        &self,
        v: VarId,
        dims: usize,
        range: &Range<usize>,
        edits: &mut Edits,
    ) -> Result<(), String> {
        let name = &self.scopes.var(v).name;
        for u in self.scopes.uses_in(range) {
            if u.var != v || self.is_inner_private(v, &u.at) {
                continue;
            }
            let mut chain = Vec::new();
            let mut e = u.expr;
            while chain.len() < dims
                && let Some(&p) = self.parents.get(&e)
                && let ExprKind::Index { base, index } = self.unit.ast[p].kind
                && base == e
            {
                chain.push((p, index));
                e = p;
            }
            if chain.is_empty() || chain.len() + 1 < dims {
                return Err(format!("array `{name}` with computed extents is used other than by its elements or rows"));
            }
            let whole = chain.len() == dims;
            let mut open = if whole { "[" } else { " + (" }.to_owned();
            open.push_str(&"(".repeat(dims));
            if !whole {
                edits.insert(u.at.start, "(".to_owned());
            }
            let mut end_of_base = u.at.end;
            for (i, &(at, index)) in chain.iter().enumerate() {
                let index = self.unit.range(self.unit.ast[index].span);
                let at = self.unit.range(self.unit.ast[at].span);
                let left = self.unit.text[end_of_base..index.start].find('[').ok_or("an index is hidden in a macro")?
                    + end_of_base;
                if i == 0 {
                    edits.replace(left..left + 1, open.clone());
                } else {
                    let close = if i == 1 { ")" } else { "))" };
                    // From `]` of the index before to `[` of this one.
                    edits.replace(end_of_base - 1..left + 1, format!("{close}*{name}__e{i}+("));
                }
                end_of_base = at.end;
            }
            let close = match (whole, dims) {
                (true, 1) => ")]".to_owned(),
                (true, _) => "))]".to_owned(),
                (false, 2) => format!(")*{name}__e1)))"),
                (false, n) => format!("))*{name}__e{}))){}", n - 1, ""),
            };
            edits.replace(end_of_base - 1..end_of_base, close);
        }
        Ok(())
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
        let section = self.plan.sections.get(&v).cloned();
        if is_array && dims.iter().any(Option::is_none) || section.is_some() {
            let zeros = "[0]".repeat(dims.len());
            let (lower, count) = match section {
                Some((lower, count)) => (lower, format!("({count})")),
                None => ("0".to_owned(), format!("sizeof({name}) / sizeof(({name}){zeros})")),
            };
            let mut at = format!("({name})[0]");
            let mut extents = Vec::new();
            for _ in 1..dims.len() {
                extents.push(format!("sizeof({at}) / sizeof({at}[0])"));
                at.push_str("[0]");
            }
            let memory = Memory { element, size: format!("sizeof(({name}){zeros})"), lower, count, extents };
            return self.memory_apart(v, &memory, edits, range);
        }
        let local =
            self.unit.declare(ty, name).ok_or_else(|| format!("the type of `{name}` is not supported in regions"))?;
        let local = local.trim_start_matches("const ").replace("volatile ", "");
        let _ = write!(self.prologue, "{local}; ");
        Ok(())
    }

    /// Directives inside of the statement.
    fn inner(&mut self, range: &Range<usize>, edits: &mut Edits) -> Result<(), String> {
        let gang_loops = match &self.plan.schedule {
            Schedule::Gangs(_, loops) => loops.clone(),
            _ => Vec::new(),
        };
        for (_, site) in self.scopes.sites_in(range) {
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
            edits.insert(at.start, format!("{{ {local}; "));
            edits.insert_after(at.end, " }".to_owned());
        }
        for (n, l) in gang_loops.iter().enumerate() {
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

    /// One work-item for each iteration.
    fn items(&self, loops: &[CountedLoop], body: &str) -> String {
        let (mut ends, mut guard) = (String::new(), String::new());
        let mut starts = String::new();
        for (i, l) in loops.iter().rev().enumerate() {
            let name = &self.scopes.var(l.var).name;
            let local = self.unit.declare(l.ty, name).unwrap_or_default();
            let sign = if l.down { "-" } else { "+" };
            let kind = self.unit.declare(l.ty, "").unwrap_or_default();
            let index = format!("({kind})__b{i} + (int)__unspool_global_id({i})");
            // How many are left: more than a launch has, or a number of 32 bits.
            let _ = write!(ends, "int __e{i} = __n{i} - __b{i} < 0x40000000L ? (int)(__n{i} - __b{i}) : 0x40000000; ");
            let _ = write!(guard, "{}(int)__unspool_global_id({i}) < __e{i}", if i == 0 { "" } else { " && " });
            let scaled = if l.step.is_some() { format!("({index}) * ({kind})__s{i}") } else { format!("({index})") };
            let _ = write!(starts, "{local} = ({kind})__l{i} {sign} {scaled}; ");
        }
        format!("{ends} if ({guard}) {{ {starts} {} do {{ {body} }} while (0); {} }}", self.prologue, self.epilogue)
    }

    /// Work-items share the iterations, one after another in steps of their number.
    fn shared(&self, loops: &[CountedLoop], body: &str, edits: &Edits) -> String {
        let render = |e: ExprId| edits.apply(&self.unit.text, self.unit.range(self.unit.ast[e].span));
        let mut head = String::new();
        let mut total = String::from("1L");
        for (i, l) in loops.iter().enumerate() {
            let (lo, hi, st) = (render(l.lower), render(l.bound), l.step.map_or("1".to_owned(), render));
            let trip = l.trip(self.unit, &lo, &hi, &st);
            let _ = write!(head, "long __l{i} = {lo}, __s{i} = {st}, __t{i} = {trip}; ");
            let _ = write!(total, " * __t{i}");
        }
        let mut starts = String::new();
        let mut rest = String::from("__it");
        for (i, l) in loops.iter().enumerate().rev() {
            let local = self.unit.declare(l.ty, &self.scopes.var(l.var).name).unwrap_or_default();
            let sign = if l.down { "-" } else { "+" };
            let own = if i == 0 { rest.clone() } else { format!("({rest} % __t{i})") };
            let _ = write!(starts, "{local} = __l{i} {sign} {own} * __s{i}; ");
            rest = format!("({rest} / __t{i})");
        }
        format!(
            "{{ {} {head} for (long __it = (long)__gid, __total = {total}; __it < __total; __it += __gsize) {{ {starts} {body} }} {} }}",
            self.prologue, self.epilogue
        )
    }

    /// The kernel's frame, the second kernel of its reductions, and the launch.
    fn finish(mut self, main: &str) -> Result<Kernel, String> {
        let name = self.plan.name.clone();
        let wide = matches!(self.plan.schedule, Schedule::Items(_) | Schedule::Shared(..));
        let local = match wide {
            true => {
                let items = if self.plan.narrow { NARROW } else { ITEMS };
                format!("{items} ? {items} : {}", self.plan.block.threads())
            }
            false => "1".to_owned(),
        };
        let bases = if let Schedule::Items(loops) = &self.plan.schedule { loops.len() as u32 } else { 0 };
        let ids = match self.plan.schedule {
            Schedule::Shared(..) => {
                "int __gid = (int)__unspool_global_id(0); long __gsize = (int)__unspool_global_size(0);"
            }
            Schedule::Gangs(..) => "int __gid = (int)__unspool_global_id(0); long __gang = __gid;",
            _ => "",
        };
        if self.params.is_empty() {
            self.long("__none", "0");
        }
        let mut text = format!(
            "__attribute__((reqd_work_group_size({local}, 1, 1))) __kernel void {name}({}) {{ {ids} {main} }}\n",
            self.params.join(", ")
        );
        let (n0, n1, n2) = self.extent();
        let mut launch = format!(
            "{{ {} struct {{ {} }} __unspool_k = {{ {} }}; __unspool_acc_launch(&__unspool_s, &{name}__d, &__unspool_k, sizeof __unspool_k, {n0}, {n1}, {n2}); ",
            self.setup,
            self.fields.join(" "),
            self.values.join(", ")
        );
        let narrow = wide && self.plan.narrow;
        let entry = |name, wide, bases| {
            let block = if wide { self.plan.block.threads() } else { 1 };
            Entry { name, wide, narrow: narrow && wide, bases, line: self.plan.line, block }
        };
        let mut entries = vec![entry(name.clone(), wide, bases)];
        let mut needs: FxHashSet<String> = words(&text).map(str::to_owned).collect();
        if !self.plan.reductions.is_empty() {
            let (second, call) = self.combine(&name)?;
            needs.extend(words(&second).map(str::to_owned));
            text.push_str(&second);
            launch.push_str(&call);
            entries.push(entry(format!("{name}_r"), false, 0));
        }
        launch.push_str("} ");
        Ok(Kernel { text, launch, entries, needs })
    }

    /// The launch's extents.
    fn extent(&self) -> (String, String, String) {
        let one = || "1".to_owned();
        match &self.plan.schedule {
            Schedule::Items(loops) => {
                let n = |i: usize| if i < loops.len() { format!("__unspool_k.__n{i}") } else { one() };
                (n(0), n(1), n(2))
            }
            Schedule::Shared(..) => (HOW_MANY.to_owned(), one(), one()),
            Schedule::Gangs(count, _) => (count.clone(), one(), one()),
            Schedule::Serial => (one(), one(), one()),
        }
    }
}
