//! Several modules become one: what they call by name is looked up, what is theirs alone is kept apart.
//!
//! * A function or global that other modules may see ([`Linkage::External`]) is one thing under its name: one module
//!   defines it, the others declare it. Equal definitions ([`Linkage::LinkOnce`]) are merged.
//! * What a library defines gives way to what the program defines, and a later library's to an earlier one's.
//! * What is [`Linkage::Internal`] stays its module's own and gets another name where two are alike; but functions and
//!   tables of the builtin library are merged.
//! * Only what kernels reach is taken along, so that what nobody needs is left out and need not be defined. A library
//!   that is made keeps everything that others may need.
//!
//! Cost: linear in the size of the modules.

use crate::{
    AddrSpace, ConstKind, FnKind, FuncId, Function, Global, GlobalData, GlobalInit, Linkage, MathMode, Module, Payload,
    ValueDef,
};
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Shift, Span};

/// Names of the builtin library begin so; no program may use it.
const LIBRARY_PREFIX: &str = "__unspool_";

/// A module to link.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// Its code.
    pub module: &'a Module,
    /// How its places and hints are called in the session of the linked module.
    pub shift: Shift,
    /// What it defines gives way to definitions elsewhere, and is left out if no kernel needs it.
    pub library: bool,
}

/// What to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Product {
    /// Something complete: nothing that kernels need may be undefined, and nobody comes to call its functions.
    Program,
    /// Something to be linked again: keeps what others may call, and may need what others define.
    Library,
}

/// Why modules do not fit together. Places are those of the linked module's session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkProblem {
    /// Two units define what can be defined once.
    Duplicate {
        /// Its name as the user knows it.
        name: String,
        /// A definition.
        first: Span,
        /// Another.
        second: Span,
    },
    /// Nobody defines what a kernel needs.
    Undefined {
        /// Its name as the user knows it.
        name: String,
        /// Where it is declared.
        declared: Span,
        /// A function that needs it, as the user knows it.
        needed_by: String,
    },
    /// A declaration and the definition do not agree.
    Mismatch {
        /// Its name as the user knows it.
        name: String,
        /// The declaration.
        declared: Span,
        /// The definition.
        defined: Span,
        /// What differs.
        what: String,
    },
}

/// A function or global of a unit.
type At<E> = (usize, E);

/// Links units, the first first.
///
/// # Errors
/// Everything that does not fit.
pub fn link(name: &str, units: &[Unit<'_>], product: Product) -> Result<Module, Vec<LinkProblem>> {
    let mut linker =
        Linker { units, product, functions: FxHashMap::default(), globals: FxHashMap::default(), problems: Vec::new() };
    linker.define();
    linker.declare();
    let taken = linker.reach();
    if linker.problems.is_empty() { Ok(linker.build(name, &taken)) } else { Err(linker.problems) }
}

/// What a module uses and does not define, each once.
pub fn undefined(module: &Module) -> Vec<LinkProblem> {
    let mut functions = FxHashSet::default();
    let mut globals = FxHashSet::default();
    let mut found = Vec::new();
    let mut report = |name: &str, declared, user: &Function| {
        let (name, needed_by) = (name.to_owned(), user.display.clone());
        found.push(LinkProblem::Undefined { name, declared, needed_by });
    };
    for f in module.functions.values() {
        for i in f.dfg.insts.values() {
            let Some(callee) = i.callee() else { continue };
            if module.functions[callee].is_declaration() && functions.insert(callee) {
                report(&module.functions[callee].display, module.functions[callee].span, f);
            }
        }
        for v in f.dfg.values.values() {
            let ValueDef::Const(ConstKind::Global(g)) = v.def else { continue };
            let global = &module.globals[g];
            if is_missing(global) && globals.insert(g) {
                report(&global.name, global.span, f);
            }
        }
    }
    found
}

/// Whether a global is declared only. Work-group memory whose size the launch gives always is.
fn is_missing(g: &GlobalData) -> bool {
    g.external && g.space != AddrSpace::Shared
}

/// Whether a symbol is looked up by name.
fn is_shared(linkage: Linkage, name: &str) -> bool {
    linkage != Linkage::Internal || name.starts_with(LIBRARY_PREFIX)
}

struct Linker<'a> {
    units: &'a [Unit<'a>],
    product: Product,
    /// Definitions by name; of what nobody defines the first declaration.
    functions: FxHashMap<&'a str, At<FuncId>>,
    /// Likewise.
    globals: FxHashMap<&'a str, At<Global>>,
    problems: Vec<LinkProblem>,
}

/// What kernels reach, each once, in the order of the units, and where it will stand in the linked module.
#[derive(Default)]
struct Taken {
    functions: Vec<At<FuncId>>,
    globals: Vec<At<Global>>,
    function_ids: FxHashMap<At<FuncId>, FuncId>,
    global_ids: FxHashMap<At<Global>, Global>,
}

impl<'a> Linker<'a> {
    fn function(&self, at: At<FuncId>) -> &'a Function {
        &self.units[at.0].module.functions[at.1]
    }

    fn global(&self, at: At<Global>) -> &'a GlobalData {
        &self.units[at.0].module.globals[at.1]
    }

    /// Finds the definition of each shared name: the program's before the libraries'.
    fn define(&mut self) {
        let units = self.units.iter().enumerate();
        for (n, u) in units.clone().filter(|(_, u)| !u.library).chain(units.filter(|(_, u)| u.library)) {
            for (id, f) in u.module.functions.iter() {
                if !f.is_declaration() && is_shared(f.linkage, &f.name) {
                    self.define_function((n, id));
                }
            }
            for (id, g) in u.module.globals.iter() {
                if g.external || !is_shared(g.linkage, &g.name) {
                    continue;
                }
                let Some(&first) = self.globals.get(g.name.as_str()) else {
                    self.globals.insert(&g.name, (n, id));
                    continue;
                };
                if g.linkage == Linkage::External && !u.library {
                    self.duplicate(&g.name, (first.0, self.global(first).span), (n, g.span));
                }
            }
        }
    }

    fn define_function(&mut self, at: At<FuncId>) {
        let f = self.function(at);
        let Some(&first) = self.functions.get(f.name.as_str()) else {
            self.functions.insert(&f.name, at);
            return;
        };
        if f.linkage != Linkage::External || self.units[at.0].library {
            return;
        }
        let other = self.function(first);
        if other.linkage == Linkage::External {
            self.duplicate(&f.display, (first.0, other.span), (at.0, f.span));
        } else {
            // A real definition goes before those that may be merged.
            self.functions.insert(&f.name, at);
        }
    }

    /// All declarations of what nobody defines are one.
    fn declare(&mut self) {
        for (n, u) in self.units.iter().enumerate() {
            for (id, f) in u.module.functions.iter().filter(|(_, f)| is_shared(f.linkage, &f.name)) {
                self.functions.entry(&f.name).or_insert((n, id));
            }
            for (id, g) in u.module.globals.iter().filter(|(_, g)| is_shared(g.linkage, &g.name)) {
                self.globals.entry(&g.name).or_insert((n, id));
            }
        }
    }

    fn duplicate(&mut self, name: &str, first: (usize, Span), second: (usize, Span)) {
        let place = |(n, span): (usize, Span)| self.units[n].shift.span(span);
        let (first, second) = (place(first), place(second));
        self.problems.push(LinkProblem::Duplicate { name: name.to_owned(), first, second });
    }

    /// The definition that a function of a unit stands for; itself if there is none.
    fn resolve_function(&self, at: At<FuncId>) -> At<FuncId> {
        let f = self.function(at);
        if !is_shared(f.linkage, &f.name) {
            return at;
        }
        self.functions.get(f.name.as_str()).copied().unwrap_or(at)
    }

    fn resolve_global(&self, at: At<Global>) -> At<Global> {
        let g = self.global(at);
        if !is_shared(g.linkage, &g.name) {
            return at;
        }
        self.globals.get(g.name.as_str()).copied().unwrap_or(at)
    }

    /// Walks from the kernels, or from what others may use, over calls and addresses.
    fn reach(&mut self) -> Taken {
        let mut functions = FxHashSet::default();
        let mut globals = FxHashSet::default();
        let mut work: Vec<At<FuncId>> = Vec::new();
        let mut addresses: Vec<At<Global>> = Vec::new();
        let all = self.product == Product::Library;
        for (n, u) in self.units.iter().enumerate() {
            let root = |f: &Function| f.kind == FnKind::Kernel || (all && f.linkage != Linkage::Internal);
            let roots = u.module.functions.iter().filter(|(_, f)| !f.is_declaration() && root(f));
            // A kernel of a library may have given way to another of its name.
            work.extend(roots.map(|(id, _)| self.resolve_function((n, id))));
            let shared = u.module.globals.iter().filter(|(_, g)| all && !g.external && g.linkage != Linkage::Internal);
            addresses.extend(shared.map(|(id, _)| (n, id)));
        }
        work.reverse();
        self.take_globals(&mut addresses, &mut globals, "");
        while let Some(at) = work.pop() {
            if !functions.insert(at) {
                continue;
            }
            let f = self.function(at);
            for i in f.dfg.insts.values() {
                let Payload::Call(callee) = i.payload else { continue };
                let from = (at.0, callee);
                let to = self.resolve_function(from);
                if !functions.contains(&to) {
                    self.check_function(from, to, f);
                    work.push(to);
                }
            }
            for v in f.dfg.values.values() {
                if let ValueDef::Const(ConstKind::Global(g)) = v.def {
                    addresses.push((at.0, g));
                }
            }
            self.take_globals(&mut addresses, &mut globals, &f.display);
        }
        self.number(&functions, &globals)
    }

    /// Takes the globals that `addresses` name, and those that their contents name.
    fn take_globals(&mut self, addresses: &mut Vec<At<Global>>, globals: &mut FxHashSet<At<Global>>, needed_by: &str) {
        while let Some(from) = addresses.pop() {
            let to = self.resolve_global(from);
            if !globals.insert(to) {
                continue;
            }
            self.check_global(from, to, needed_by);
            if let GlobalInit::Bytes(_, relocs) = &self.global(to).init {
                addresses.extend(relocs.iter().map(|r| (to.0, r.global)));
            }
        }
    }

    /// Numbers what is taken, in the order of the units.
    fn number(&self, functions: &FxHashSet<At<FuncId>>, globals: &FxHashSet<At<Global>>) -> Taken {
        let mut taken = Taken::default();
        for (n, u) in self.units.iter().enumerate() {
            taken.functions.extend(u.module.functions.keys().map(|id| (n, id)).filter(|at| functions.contains(at)));
            taken.globals.extend(u.module.globals.keys().map(|id| (n, id)).filter(|at| globals.contains(at)));
        }
        taken.function_ids = taken.functions.iter().enumerate().map(|(i, &at)| (at, FuncId::new(i))).collect();
        taken.global_ids = taken.globals.iter().enumerate().map(|(i, &at)| (at, Global::new(i))).collect();
        taken
    }

    fn check_function(&mut self, from: At<FuncId>, to: At<FuncId>, caller: &Function) {
        let (declaration, definition) = (self.function(from), self.function(to));
        let declared = self.units[from.0].shift.span(declaration.span);
        let name = declaration.display.clone();
        if definition.is_declaration() && self.product == Product::Program {
            let needed_by = caller.display.clone();
            self.problems.push(LinkProblem::Undefined { name, declared, needed_by });
        } else if from != to
            && let Some(what) = difference(declaration, definition)
        {
            let defined = self.units[to.0].shift.span(definition.span);
            self.problems.push(LinkProblem::Mismatch { name, declared, defined, what });
        }
    }

    fn check_global(&mut self, from: At<Global>, to: At<Global>, needed_by: &str) {
        let (declaration, definition) = (self.global(from), self.global(to));
        let declared = self.units[from.0].shift.span(declaration.span);
        let name = declaration.name.clone();
        if is_missing(definition) && self.product == Product::Program {
            let needed_by = needed_by.to_owned();
            self.problems.push(LinkProblem::Undefined { name, declared, needed_by });
            return;
        }
        let sizes = declaration.size != definition.size && declaration.size > 0;
        if sizes || declaration.space != definition.space {
            let defined = self.units[to.0].shift.span(definition.span);
            let what = if sizes {
                format!("{} bytes where it is declared, {} where it is defined", declaration.size, definition.size)
            } else {
                format!(
                    "in {} memory where it is declared, in {} memory where it is defined",
                    declaration.space.name(),
                    definition.space.name()
                )
            };
            self.problems.push(LinkProblem::Mismatch { name, declared, defined, what });
        }
    }

    /// Copies what is taken.
    fn build(&self, name: &str, taken: &Taken) -> Module {
        let mut names = self.names(taken);
        let mut out = Module { name: name.to_owned(), ..Module::default() };
        out.math = self.math();
        let mut globals: PrimaryMap<Global, GlobalData> = PrimaryMap::new();
        for &at in &taken.globals {
            let mut g = self.global(at).clone();
            g.name = names.fresh(g.name, is_shared(g.linkage, &self.global(at).name));
            g.span = self.units[at.0].shift.span(g.span);
            if let GlobalInit::Bytes(_, relocs) = &mut g.init {
                for r in relocs {
                    r.global = self.new_global(taken, (at.0, r.global));
                }
            }
            globals.push(g);
        }
        out.globals = globals;
        for &at in &taken.functions {
            let f = self.copy_function(taken, at, &mut names);
            out.functions.push(f);
        }
        out
    }

    /// What all units allow.
    fn math(&self) -> MathMode {
        let modes = self.units.iter().map(|u| u.module.math);
        modes
            .reduce(|a, b| MathMode {
                ftz: a.ftz && b.ftz,
                prec_div: a.prec_div || b.prec_div,
                prec_sqrt: a.prec_sqrt || b.prec_sqrt,
                fmad: a.fmad && b.fmad,
            })
            .unwrap_or_default()
    }

    /// The names that must stay as they are.
    fn names(&self, taken: &Taken) -> Names {
        let functions = taken.functions.iter().map(|&at| self.function(at)).map(|f| (f.linkage, &f.name));
        let globals = taken.globals.iter().map(|&at| self.global(at)).map(|g| (g.linkage, &g.name));
        let shared = functions.chain(globals).filter(|(linkage, name)| is_shared(*linkage, name));
        Names { used: shared.map(|(_, name)| name.clone()).collect() }
    }

    fn new_global(&self, taken: &Taken, at: At<Global>) -> Global {
        taken.global_ids[&self.resolve_global(at)]
    }

    fn copy_function(&self, taken: &Taken, at: At<FuncId>, names: &mut Names) -> Function {
        let shift = self.units[at.0].shift;
        let mut f = self.function(at).clone();
        f.name = names.fresh(f.name, is_shared(f.linkage, &self.function(at).name));
        f.span = shift.span(f.span);
        // Nobody else comes: what is inlined everywhere may go.
        if f.kind == FnKind::Device && self.product == Product::Program {
            f.linkage = Linkage::Internal;
        }
        for h in &mut f.attrs.hints {
            *h = shift.hint(*h);
        }
        for l in f.loops.values_mut() {
            l.span = shift.span(l.span);
            for h in &mut l.hints {
                *h = shift.hint(*h);
            }
        }
        f.dfg.relocate(
            |g| self.new_global(taken, (at.0, g)),
            |c| taken.function_ids[&self.resolve_function((at.0, c))],
            shift,
        );
        f
    }
}

/// How two signatures differ, if they do.
fn difference(a: &Function, b: &Function) -> Option<String> {
    if a.params.len() != b.params.len() {
        let (a, b) = (a.params.len(), b.params.len());
        return Some(format!("{a} parameters where it is declared, {b} where it is defined"));
    }
    if a.ret != b.ret {
        return Some(format!("the result is {} where it is declared, {} where it is defined", a.ret, b.ret));
    }
    let pairs = a.params.iter().zip(&b.params).enumerate();
    let mut different = pairs.filter(|(_, (p, q))| p.ty != q.ty || p.attrs.byval != q.attrs.byval);
    let (n, (p, q)) = different.next()?;
    Some(if p.ty == q.ty {
        format!("parameter {} is a structure of another size", n + 1)
    } else {
        format!("parameter {} is {} where it is declared, {} where it is defined", n + 1, p.ty, q.ty)
    })
}

/// Names of the linked module, each once.
struct Names {
    used: FxHashSet<String>,
}

impl Names {
    /// `name`, or where that is taken one made from it; `shared` names are never changed.
    fn fresh(&mut self, name: String, shared: bool) -> String {
        if shared || self.used.insert(name.clone()) {
            return name;
        }
        let mut n = 1u64;
        loop {
            let candidate = format!("{name}${n}");
            if self.used.insert(candidate.clone()) {
                return candidate;
            }
            n += 1;
        }
    }
}
