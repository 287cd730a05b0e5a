//! From the typed program to IR.
//!
//! [`lower`] adds a typed program's globals and functions to a module. Scalar and vector variables whose address is
//! never taken become SSA values at once ([`ssa`], after Braun et al., "Simple and Efficient Construction of Static
//! Single Assignment Form", CC 2013); everything else lives in stack slots, for SROA to break up later.
//!
//! Conventions between lowered functions:
//!
//! * `bool` is `i1` as a value and `i8` in memory and in signatures.
//! * An aggregate parameter is a pointer with the `byval` attribute: into `.param` space for a kernel, to a private
//!   copy that the callee owns for a device function.
//! * A function that returns an aggregate takes a pointer to private memory for it as parameter 0 and returns nothing.
//! * Every loop has one back edge, a jump that carries the loop's metadata.
//!
//! The builtin library is lowered like any other program, *before* the program that calls it: calls find library
//! functions in the module by name ([`library_functions`] says which are needed).
//!
//! Cost: linear in the size of the typed program.

mod aggregate;
mod asm;
mod assign;
mod bits;
mod builtin;
mod call;
mod convert;
mod dispatch;
mod emit;
mod expr;
mod func;
mod globals;
mod hints;
mod place;
mod scan;
mod ssa;
mod stmt;
mod types;
mod wide;

use builtin_lower::Context;
use builtins::Meaning;
use builtins::library::LibFn;
use ir::{FuncId, MathMode, Module};
use rustc_hash::FxHashMap;
use sema::program::{ExprKind, Program};
use source::{Diagnostic, Session, Span};
use target::Target;

/// What lowering needs to know about the dialect and its options.
#[derive(Clone, Debug)]
pub struct Options {
    /// OpenCL C: shift amounts are taken modulo the width.
    pub opencl: bool,
    /// What the code is for.
    pub target: Target,
    /// Fast-math flags for floating-point operations written as operators.
    pub fast: ir::Flags,
    /// Floating-point options of the module; `fmad` allows contraction, `ftz` flushes single-precision subnormals.
    pub math: MathMode,
    /// Kernels may be launched with a global offset (OpenCL), so global ids add it.
    pub global_offset: bool,
    /// Groups at the end of a launch may be smaller than the others ([`ir::FnAttrs::partial_groups`]).
    pub partial_groups: bool,
    /// The program keeps to C's rules about the types of what is in memory ([`ir::FnAttrs::typed_memory`]).
    pub typed_memory: bool,
    /// No other module calls this one's device functions: they are dropped once they are inlined everywhere.
    pub whole_program: bool,
    /// Other modules call this one's kernels as functions, and this one theirs: a kernel's device version is there for
    /// them under the name `KERNEL$called`.
    pub kernels_are_callable: bool,
    /// The program is part of the builtin library: its functions get internal linkage and are inlined when asked.
    pub library: bool,
    /// The code says to the interpreter what machines need not know ([`ir::Intrinsic::is_check`]).
    pub checks: bool,
}

impl Options {
    /// What builtins and conversions need to know of it, where operators are contracted or not.
    fn context(&self, contract: bool) -> Context {
        Context {
            contract,
            target: self.target,
            fast: self.fast,
            math: self.math,
            nan_top: !self.opencl,
            global_offset: self.global_offset,
            partial_groups: self.partial_groups,
            checks: self.checks,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            opencl: false,
            target: Target::default(),
            fast: ir::Flags::NONE,
            math: MathMode::default(),
            global_offset: false,
            partial_groups: false,
            typed_memory: false,
            whole_program: false,
            kernels_are_callable: false,
            library: false,
            checks: false,
        }
    }
}

/// The library functions that a program calls, each once, in order of name.
pub fn library_functions(program: &Program) -> Vec<LibFn> {
    let mut found: Vec<LibFn> = program
        .exprs
        .iter()
        .flat_map(|e| {
            let called = match e.kind {
                ExprKind::Builtin { meaning: Meaning::Lib { func, .. } | Meaning::Image(func), .. } => Some(func),
                _ => None,
            };
            called.into_iter().chain(wide::needed(program, e.kind, e.ty))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Adds the globals and functions of `program`, which sema accepted without errors, to `module`.
///
/// Constructs that have no IR are reported as errors (`E04xx`) with their place; the module must then be dropped.
pub fn lower(session: &mut Session, program: &Program, options: &Options, module: &mut Module) {
    module.math = options.math;
    let mut cx = Cx {
        session,
        program,
        options,
        symbols: module.functions.iter().map(|(id, f)| (f.name.clone(), id)).collect(),
        module,
        funcs: Vec::new(),
        device_clones: FxHashMap::default(),
        dispatchers: FxHashMap::default(),
        globals: Vec::new(),
        group_memory: None,
    };
    cx.lower_globals();
    cx.declare_functions();
    for n in 0..program.functions.len() {
        if program.functions[n].body.is_some() {
            let id = cx.funcs[n];
            func::lower_body(&mut cx, n, id);
        } else if let Some(overriders) = &program.functions[n].overriders {
            cx.lower_virtual(n, overriders);
        }
    }
    if options.kernels_are_callable {
        for (n, f) in program.functions.iter().enumerate() {
            if f.is_kernel && f.body.is_some() {
                cx.device_clone(n);
            }
        }
    }
    // Kernels called as functions have a device clone each; lowering one may ask for more.
    let mut done = 0;
    loop {
        let mut next: Vec<(usize, FuncId)> = cx.device_clones.iter().map(|(&n, &id)| (n, id)).collect();
        next.sort_unstable_by_key(|&(_, id)| id);
        if next.len() == done {
            break;
        }
        for &(n, id) in &next[done..] {
            if program.functions[n].body.is_some() {
                func::lower_body(&mut cx, n, id);
            }
        }
        done = next.len();
    }
}

/// State of lowering one program.
struct Cx<'a> {
    session: &'a mut Session,
    program: &'a Program,
    options: &'a Options,
    module: &'a mut Module,
    /// IR functions by symbol name, library functions among them.
    symbols: FxHashMap<String, FuncId>,
    /// IR function of each of the program's.
    funcs: Vec<FuncId>,
    /// Device versions of kernels that are called as functions.
    device_clones: FxHashMap<usize, FuncId>,
    /// The functions that call what pointers to functions of a type lead to.
    dispatchers: FxHashMap<sema::types::TyId, FuncId>,
    /// IR global of each of the program's.
    globals: Vec<ir::Global>,
    /// Work-group memory for what groups compute together, if anything here does.
    group_memory: Option<ir::Global>,
}

impl Cx<'_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: &str) {
        self.session.report(Diagnostic::error(code, span, message).help(help));
    }
}
