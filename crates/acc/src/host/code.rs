//! Kernels on their way to machine code: their texts, their functions, and what came of them.

use crate::kernel::OVERLAPPING;
use std::fmt::Write;

/// Kernels to compile.
#[derive(Clone, Debug)]
pub struct KernelSource {
    /// C, with `__kernel` functions.
    pub text: String,
    /// Its functions.
    pub entries: Vec<Entry>,
    /// Functions that it calls and that other files have (`routine`): it is whole when these are linked to it.
    pub externals: Vec<String>,
    /// The file and the line of its directive.
    pub place: String,
    /// The declarations of types among it, where there are any with members or enumerators.
    pub types: String,
    /// The structures, unions and enumerations that these define, as C names them.
    pub defined: Vec<String>,
}

impl KernelSource {
    /// The name of a constant that is there if the host has to run the region, since a function of another file has no code.
    pub fn left(&self) -> String {
        left(self.entries.first().map_or("", |e| e.name.as_str()))
    }

    /// The name of its code for GPUs, in the host's text.
    pub fn image(&self) -> String {
        format!("{}__i", self.entries.first().map_or("", |e| e.name.as_str()))
    }
}

/// A function of [`KernelSource`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Whether its work-items have, or share, the iterations of loops.
    pub wide: bool,
    /// Work-items of its groups on processors: [`LOCAL`], [`LOCAL_SHARING`], or one, where the loops inside fill the vectors.
    pub local: u32,
    /// Its parameters begin with the first iteration of so many dimensions.
    pub bases: u32,
    /// The line of its loop.
    pub line: u32,
    /// Threads of its blocks on GPUs.
    pub block: u32,
    /// Those of them in its second dimension.
    pub rows: u32,
    /// On GPUs a block does what a work-item does elsewhere.
    pub team: bool,
    /// On processors groups below each other run one after another: they use the same memory.
    pub by_columns: bool,
}

/// The macro that says in kernels how many work-items a group has; 0: as many as a block on GPUs.
pub const ITEMS: &str = "__unspool_items";
/// The same of kernels that have one on processors, since the loops inside fill the vectors.
pub const NARROW: &str = "__unspool_items_narrow";
/// The same of kernels whose work-items share iterations.
pub const SHARING: &str = "__unspool_items_sharing";
/// What these are on processors.
pub const LOCAL: u32 = crate::kernel::LOCAL;
/// See [`SHARING`].
pub const LOCAL_SHARING: u32 = crate::kernel::SHARING;

impl Entry {
    /// Whether it runs only where arrays overlap.
    pub fn is_for_overlaps(&self) -> bool {
        is_for_overlaps(&self.name)
    }
}

/// Whether a function of that name runs only where arrays overlap: another one does else.
pub fn is_for_overlaps(name: &str) -> bool {
    name.trim_end_matches("_r").ends_with(OVERLAPPING)
}

/// Compiled kernels, as the host's text needs to know them.
#[derive(Clone, Debug, Default)]
pub struct KernelCode {
    /// The symbols of the work-group functions, as many as entries; empty if there is no code for this machine.
    pub symbols: Vec<String>,
    /// Code for NVIDIA GPUs, if it was asked for.
    pub gpu: Option<Result<GpuCode, String>>,
    /// The code is made by the link, under these names.
    pub later: bool,
    /// How [`KernelSource::defined`] lie in memory for kernels.
    pub layouts: Vec<Layout>,
}

/// How a structure, union or enumeration lies in memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Layout {
    /// One of [`KernelSource::defined`].
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Members, or paths to members of members, and their offsets in bytes.
    pub members: Vec<(String, u64)>,
}

impl Layout {
    /// C that does not compile where the host has it otherwise.
    pub(super) fn asserted(&self) -> String {
        let Self { name, size, members } = self;
        let mut out = format!("_Static_assert(sizeof({name}) == {size}");
        for (member, offset) in members {
            let _ = write!(out, " && __builtin_offsetof({name}, {member}) == {offset}");
        }
        let _ = writeln!(
            out,
            ", \"`{name}` lies otherwise in memory for unspool's kernels: compile without options that change layouts (-fpack-struct, -fshort-enums), \
             or without -acc; if there are none report it\");"
        );
        out
    }
}

/// A region's kernels for NVIDIA GPUs.
#[derive(Clone, Debug, Default)]
pub struct GpuCode {
    /// Compute capabilities and the PTX for each.
    pub ptx: Vec<(u32, String)>,
    /// What is known of each entry's needs, in the words of PGI's compilers.
    pub needs: Vec<String>,
}

impl GpuCode {
    /// C that defines it under a name, for the host's compiler; `own` if no other file refers to it.
    pub fn declaration(&self, name: &str, own: bool) -> String {
        let mut out = String::new();
        let mut codes = String::new();
        for (capability, text) in &self.ptx {
            let quoted = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n\"\n\"");
            let _ = writeln!(out, "static const char {name}_x{capability}[] =\n\"{quoted}\";");
            let _ = write!(codes, "{{ {capability}, {name}_x{capability} }}, ");
        }
        let own = if own { "static " } else { "" };
        let _ = writeln!(
            out,
            "static const struct __unspool_acc_gpu_code {name}_g[] = {{ {codes} }};\n{own}const struct __unspool_acc_image {name} = {{ {}, {name}_g }};",
            self.ptx.len()
        );
        out
    }
}

/// The name of what the link defines if the host has to run a region whose kernels it was to make.
pub(super) fn left(region: &str) -> String {
    format!("{region}__left")
}
