//! From source to a program.

use crate::Program;
use std::sync::Arc;
use unspool::object::{Kind, Object};
use unspool::{Compilation, Emit, Input, Options, compile};

/// What came of a build.
#[derive(Debug)]
pub struct Built {
    /// The program; `None` if there were errors.
    pub program: Option<Arc<Program>>,
    /// Diagnostics as the caller renders them.
    pub log: String,
    /// What the compiler found; `None` if it did not run, because the program was there already. Its module is empty: the
    /// program has it.
    pub compilation: Option<Compilation>,
}

/// What to build, and how.
pub struct BuildOptions<'a> {
    /// Options of the compiler; for the host, with [`Options::kernel_info`].
    pub options: &'a Options,
    /// The same as the user wrote them, which the object remembers.
    pub spelt: &'a str,
    /// Makes the log of a compilation.
    pub render: &'a dyn Fn(&Compilation) -> String,
}

impl std::fmt::Debug for BuildOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuildOptions").field("spelt", &self.spelt).finish_non_exhaustive()
    }
}

/// Builds a program: what `clBuildProgram` does.
pub fn build(input: &Input, how: &BuildOptions<'_>) -> Built {
    let mut compilation = compile(input, how.options, &Emit::Nothing);
    let log = (how.render)(&compilation);
    if !compilation.succeeded() {
        return Built { program: None, log, compilation: Some(compilation) };
    }
    let module = std::mem::take(&mut compilation.module);
    let object = Object {
        options: how.spelt.to_owned(),
        kernels: compilation.kernels.clone(),
        log: log.clone(),
        ..Object::new(Kind::Executable, how.options.dialect, &module)
    };
    let program = Program::from_object(Arc::new(object)).with_module(module);
    Built { program: Some(Arc::new(program)), log, compilation: Some(compilation) }
}
