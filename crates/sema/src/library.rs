//! The builtin library: functions that no instruction computes, in source form.
//!
//! The text lives in `crates/sema/lib/*.c`, in sections of one function each; the build script makes the index. The
//! front end compiles a section as OpenCL C 1.2: every function is device code, `static`
//! and without attributes, plain pointers are private. Its floating-point code means what
//! it says: compile it without contraction, without fast-math flags and without flushing subnormals.

use crate::builtins::Effects;

/// A function (or constant table) of the library: an index into the static index, sorted by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LibFn(u16);

/// A section of the library.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    text: &'static str,
    file: &'static str,
    line: u32,
    deps: &'static [u16],
    inline: bool,
    writes: bool,
}

include!(concat!(env!("OUT_DIR"), "/library_index.rs"));

impl LibFn {
    fn entry(self) -> &'static Entry {
        &ENTRIES[usize::from(self.0)]
    }

    /// Name of the function in its source.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Source text of the function, without comments.
    pub fn text(self) -> &'static str {
        self.entry().text
    }

    /// File and line of the section, for diagnostics inside the library.
    pub fn location(self) -> (&'static str, u32) {
        (self.entry().file, self.entry().line)
    }

    /// Whether calls of it must be inlined.
    pub fn force_inline(self) -> bool {
        self.entry().inline
    }

    /// Functions and tables that it uses, directly.
    pub fn deps(self) -> impl Iterator<Item = LibFn> {
        self.entry().deps.iter().map(|&d| LibFn(d))
    }

    /// What a call does besides computing its result: nothing, or writing its out-parameters.
    pub fn effects(self) -> Effects {
        Effects { writes: self.entry().writes, ..Effects::PURE }
    }
}

/// The function of this name.
pub fn find(name: &str) -> Option<LibFn> {
    let i = ENTRIES.binary_search_by(|e| e.name.cmp(name)).ok()?;
    u16::try_from(i).ok().map(LibFn)
}

/// The function of a mathematical family: `__unspool_<base>` for `double`, with `f` appended for `float`.
pub fn find_math(base: &str, double: bool) -> Option<LibFn> {
    let suffix: &[u8] = if double { b"" } else { b"f" };
    let wanted = || PREFIX.bytes().chain(base.bytes()).chain(suffix.iter().copied());
    let i = ENTRIES.binary_search_by(|e| e.name.bytes().cmp(wanted())).ok()?;
    u16::try_from(i).ok().map(LibFn)
}

/// Every function and table, in order of name.
pub fn all() -> impl Iterator<Item = LibFn> {
    (0..u16::try_from(ENTRIES.len()).unwrap_or(u16::MAX)).map(LibFn)
}

/// `roots` and all that they need, each once, what is used before what uses it: append the texts in this order.
pub fn closure(roots: &[LibFn]) -> Vec<LibFn> {
    let mut state = vec![false; ENTRIES.len()];
    let mut out = Vec::new();
    // The depth is bounded by the library's own call chains; the build script refuses cycles.
    fn visit(f: LibFn, state: &mut [bool], out: &mut Vec<LibFn>) {
        if std::mem::replace(&mut state[usize::from(f.0)], true) {
            return;
        }
        for d in f.deps() {
            visit(d, state, out);
        }
        out.push(f);
    }
    for &r in roots {
        visit(r, &mut state, &mut out);
    }
    out
}

const PREFIX: &str = "__unspool_";
