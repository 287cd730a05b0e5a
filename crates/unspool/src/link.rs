//! Separate compilation: links what was compiled apart, and optimises the whole.

use crate::compile::Run;
use crate::object::{Kind, Object, ObjectError};
use crate::{Compilation, Dialect, Emit, Options};
use ir::Module;
use ir::link::{LinkProblem, Product, Unit};
use launch::kernels::KernelInfo;
use source::{Diagnostic, Session, SourceError, Span};
use std::sync::Arc;

/// A source that was compiled, or a library that was linked: IR that is not optimised yet. Copies share it, and threads
/// may.
#[derive(Clone, Debug)]
pub struct Linkable {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    module: Module,
    kernels: Vec<KernelInfo>,
    dialect: Dialect,
    library: bool,
    /// Its sources and hints: linking tells places and answers hints. Empty in what was stored.
    session: Session,
}

impl Linkable {
    /// Whether it is a library: what it defines is taken only where it is needed.
    pub fn is_library(&self) -> bool {
        self.inner.library
    }

    /// The language of its first source.
    pub fn dialect(&self) -> Dialect {
        self.inner.dialect
    }

    /// The kernels that it defines, in source order.
    pub fn kernels(&self) -> &[KernelInfo] {
        &self.inner.kernels
    }

    /// To be stored. Places in sources and hints are not: what was asked for still holds.
    pub fn to_object(&self) -> Object {
        let kind = if self.inner.library { Kind::Library } else { Kind::Compiled };
        let mut out = Object::new(kind, self.inner.dialect, &self.inner.module);
        out.kernels.clone_from(&self.inner.kernels);
        out
    }

    /// What was stored.
    ///
    /// # Errors
    /// Its IR is damaged.
    pub fn from_object(object: &Object) -> Result<Self, ObjectError> {
        let inner = Inner {
            module: object.module()?,
            kernels: object.kernels.clone(),
            dialect: object.dialect,
            library: object.kind == Kind::Library,
            session: Session::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }
}

impl Compilation {
    /// What a compilation with [`Options::separate`] made; `None` if it failed.
    pub fn into_linkable(self, dialect: Dialect) -> Option<Linkable> {
        self.linkable(dialect, false)
    }

    /// The library that [`link_library`] made; `None` if it failed.
    pub fn into_library(self, dialect: Dialect) -> Option<Linkable> {
        self.linkable(dialect, true)
    }

    fn linkable(self, dialect: Dialect, library: bool) -> Option<Linkable> {
        if !self.succeeded() {
            return None;
        }
        let Self { module, kernels, session, .. } = self;
        Some(Linkable { inner: Arc::new(Inner { module, kernels, dialect, library, session }) })
    }
}

/// Links to a program, and optimises it as one.
///
/// Functions and `__constant` variables that one part declares and another defines are one thing; what is `static` is
/// kept apart. What libraries define is taken where it is needed, but for their kernels, which are all there, and gives
/// way to what the other parts define.
///
/// Of `options` those count that say what is done with the IR: target, level, knobs, `-W`. Floating-point options were
/// decided when the parts were compiled. A program that does not fit together has errors `E0760` to `E0762` in
/// [`Compilation::session`].
pub fn link(parts: &[&Linkable], options: &Options, emit: &Emit) -> Compilation {
    let mut run = Run { out: Compilation::default(), options, emit, promises: Vec::new() };
    run.session_options();
    if join(&mut run.out, parts, Product::Program) {
        crate::compile::on_large_stack(|| run.finish_linked());
    }
    run.end("<linked>")
}

/// Links to a library (`clLinkProgram` with `-create-library`): [`Compilation::into_library`] gives it. Of `options`
/// only `-W` count.
pub fn link_library(parts: &[&Linkable], options: &Options) -> Compilation {
    let options = Options { separate: true, ..options.clone() };
    let mut run = Run { out: Compilation::default(), options: &options, emit: &Emit::Nothing, promises: Vec::new() };
    run.session_options();
    join(&mut run.out, parts, Product::Library);
    run.end("<linked>")
}

/// Puts the parts' module, kernels, sources and hints together; false after an error.
fn join(out: &mut Compilation, parts: &[&Linkable], product: Product) -> bool {
    let mut units = Vec::with_capacity(parts.len());
    // Libraries that are joined to another have equal rights.
    let is_library = |p: &Linkable| p.inner.library && product == Product::Program;
    for p in parts {
        match out.session.absorb(&p.inner.session) {
            Ok(shift) => units.push(Unit { module: &p.inner.module, shift, library: is_library(p) }),
            Err(e) => {
                out.session.report(too_large(&e));
                return false;
            }
        }
    }
    let name = parts.first().map_or("", |p| p.inner.module.name.as_str());
    match ir::link::link(name, &units, product) {
        Ok(module) => out.module = module,
        Err(problems) => {
            problems.iter().for_each(|p| out.session.report(diagnostic(p)));
            return false;
        }
    }
    // The program's own before those of libraries, which may have given way.
    let mut seen = rustc_hash::FxHashSet::default();
    let of = |libraries: bool| parts.iter().filter(move |p| is_library(p) == libraries);
    for k in of(false).chain(of(true)).flat_map(|p| &p.inner.kernels) {
        if seen.insert(k.symbol.as_str()) {
            out.kernels.push(k.clone());
        }
    }
    true
}

fn too_large(e: &SourceError) -> Diagnostic {
    Diagnostic::error("E0701", Span::NONE, e.to_string()).help("link fewer objects")
}

pub(crate) fn diagnostic(problem: &LinkProblem) -> Diagnostic {
    match problem {
        LinkProblem::Duplicate { name, first, second } => {
            Diagnostic::error("E0760", *second, format!("`{name}` is defined twice"))
                .label(*first, "the other definition")
                .help("keep one definition, or make them `static`: then each source has its own")
        }
        LinkProblem::Undefined { name, declared, needed_by } => {
            let message = format!("`{name}` is declared but not defined, and `{needed_by}` uses it");
            Diagnostic::error("E0761", *declared, message)
                .help("define it, or link an object or a library that does (`clCompileProgram`, `clLinkProgram`)")
        }
        LinkProblem::Mismatch { name, declared, defined, what } => {
            Diagnostic::error("E0762", *declared, format!("the declaration of `{name}` does not fit its definition"))
                .label(*defined, "the definition")
                .note(what.clone())
                .help("put the declaration into a header that both sources include")
        }
    }
}
