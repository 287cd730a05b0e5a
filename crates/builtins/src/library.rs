//! The builtin library: functions that no instruction computes, in source form.
//!
//! The text lives in `crates/builtins/lib/*.c`, in sections of one function each; the build script makes the index. Where a
//! GPU has an instruction that helps and the host has not, a function has a text for each. The
//! front end compiles a section as OpenCL C 1.2: every function is device code, `static`
//! and without attributes, plain pointers are private. Its floating-point code means what
//! it says: compile it without contraction, without fast-math flags and without flushing subnormals.

use crate::Effects;
use target::Target;

/// A function (or constant table) of the library: an index into the static index, sorted by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LibFn(u16);

/// A name of the library. At least one of its sections exists.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    writes: bool,
    /// Its pointers lead to what it reads.
    reads: bool,
    /// For targets with approximate functions; for others too if there is no text for these.
    gpu: Option<Section>,
    /// For targets without.
    host: Option<Section>,
    /// For targets without that have a wide library ([`Target::has_wide_library`]).
    wide: Option<Section>,
}

#[derive(Debug)]
struct Section {
    text: &'static str,
    file: &'static str,
    line: u32,
    deps: &'static [u16],
    inline: bool,
}

include!(concat!(env!("OUT_DIR"), "/library_index.rs"));

impl LibFn {
    fn entry(self) -> &'static Entry {
        &ENTRIES[usize::from(self.0)]
    }

    fn section(self, target: Target) -> &'static Section {
        let e = self.entry();
        let found = match (target.has_approximate_functions(), target.has_wide_library()) {
            (true, _) => e.gpu.as_ref().or(e.host.as_ref()),
            (_, true) => e.wide.as_ref().or(e.host.as_ref()).or(e.gpu.as_ref()),
            _ => e.host.as_ref().or(e.gpu.as_ref()),
        };
        found.or(e.wide.as_ref()).unwrap_or_else(|| unreachable!("the build script indexes sections only"))
    }

    /// Name of the function in its source.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Source text of the function for a target, without comments.
    pub fn text(self, target: Target) -> &'static str {
        self.section(target).text
    }

    /// File and line of the section, for diagnostics inside the library.
    pub fn location(self, target: Target) -> (&'static str, u32) {
        let s = self.section(target);
        (s.file, s.line)
    }

    /// Whether calls of it are inlined at every level.
    pub fn force_inline(self, target: Target) -> bool {
        self.section(target).inline
    }

    /// Functions and tables that it uses, directly.
    pub fn deps(self, target: Target) -> impl Iterator<Item = LibFn> {
        self.section(target).deps.iter().map(|&d| LibFn(d))
    }

    /// What a call does besides computing its result: nothing, writing its out-parameters, or reading an array.
    pub fn effects(self) -> Effects {
        Effects { writes: self.entry().writes, reads: self.entry().reads, ..Effects::PURE }
    }

    /// Whether its pointers lead to arrays that it reads; those of others say where results go.
    pub fn reads(self) -> bool {
        self.entry().reads
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

/// Every function and table that a target can use, in order of name.
pub fn all(target: Target) -> impl Iterator<Item = LibFn> {
    let every = (0..u16::try_from(ENTRIES.len()).unwrap_or(u16::MAX)).map(LibFn);
    every.filter(move |f| {
        let e = f.entry();
        let has = (e.gpu.is_some(), e.host.is_some() && !target.has_approximate_functions());
        has.0 || has.1 || target.has_wide_library()
    })
}

/// `roots` and all that they need, each once, what is used before what uses it: append the texts in this order.
pub fn closure(roots: &[LibFn], target: Target) -> Vec<LibFn> {
    let mut state = vec![false; ENTRIES.len()];
    let mut out = Vec::new();
    // The depth is bounded by the library's own call chains; the build script refuses cycles.
    fn visit(f: LibFn, target: Target, state: &mut [bool], out: &mut Vec<LibFn>) {
        if std::mem::replace(&mut state[usize::from(f.0)], true) {
            return;
        }
        for d in f.deps(target) {
            visit(d, target, state, out);
        }
        out.push(f);
    }
    for &r in roots {
        visit(r, target, &mut state, &mut out);
    }
    out
}

const PREFIX: &str = "__unspool_";
