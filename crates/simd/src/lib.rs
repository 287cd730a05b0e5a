//! Kernels for machines without work-items of their own: SPMD on SIMD.
//!
//! A kernel says what one work-item does. [`work_group`] makes from it a function that does what a whole work-group
//! does, in two steps that each leave ordinary IR:
//!
//! 1. [`regions`] cuts the kernel at its barriers and puts each piece into loops over the work-items; what lives
//!    across a barrier lives in arrays with one element per work-item.
//! 2. `widen` runs several work-items at once in the lanes of vectors, under masks where they part.
//!
//! The result reads what surrounds it from the block of memory that [`launch::context`] describes, in its entry prologue,
//! and needs no special registers.

mod alike;
mod divisors;
pub mod group_runs;
pub mod hint;
pub mod regions;
mod sides;
mod sparse;
mod strides;
mod transposed;
pub mod widen;

use analysis::{Loop, LoopInfo, Polls};
use ir::{FuncId, Function, Module, SpecialReg};
use launch::context::ArgSlot;
use launch::{CodeSize, ScratchSize};
use source::{Session, Span};
use target::Target;

/// What to make a work-group function for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Work-items of a group, per dimension, each at least 1; or that the launch says them.
    pub local_size: CodeSize,
    /// What the kernel was compiled for: its warp is that of the operations that exchange values between lanes.
    pub target: Target,
    /// Whether to use vectors at all; otherwise work-items run one after another.
    pub vectorise: bool,
    /// What the machine's vectors can do.
    pub machine: VectorIsa,
    /// Which work-items share a vector. Kernels that name lanes have rows in x whatever this says.
    pub rows: Rows,
}

/// Which work-items of a group make a row, of which a vector takes several at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// Those that follow each other in x.
    X,
    /// Those that follow each other in y.
    Y,
}

impl Rows {
    /// Fewest work-items in y that make rows.
    const SHORTEST: u32 = 8;

    /// What suits a kernel in groups of this size: rows that access neighbours.
    pub fn of(kernel: &Function, size: CodeSize) -> Self {
        let [x, y, _] = size.0;
        let long = y.is_none_or(|y| y >= Self::SHORTEST || y > 1 && x.is_some_and(|x| y >= x));
        if kernel.attrs.rows_in_y && long { Self::Y } else { Self::X }
    }
}

impl Options {
    /// Whether rows of a group are known to be whole warps.
    fn has_whole_warps(&self) -> bool {
        self.rows == Rows::X && self.local_size.0[0].is_some_and(|x| x.is_multiple_of(self.target.warp_size()))
    }

    /// The most work-items that a row may have.
    fn longest_row(&self) -> u32 {
        self.nest_size().0[0].unwrap_or(self.target.launch_limits().group[0])
    }

    /// The dimension of the group over which the loops of this level run, the innermost first; the level of a dimension, too.
    fn dimension(&self, level: usize) -> usize {
        match (self.rows, level) {
            (Rows::Y, 0) => 1,
            (Rows::Y, 1) => 0,
            _ => level,
        }
    }

    /// How many work-items the loops over them run, the innermost first.
    fn nest_size(&self) -> CodeSize {
        CodeSize(std::array::from_fn(|level| self.local_size.0[self.dimension(level)]))
    }
}

/// What the vectors of a machine can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorIsa {
    /// Bits of a vector register: 128 (SSE, NEON), 256 (AVX2), 512 (AVX-512).
    pub vector_bits: u32,
    /// Whether there are gathers in hardware.
    pub gathers: bool,
    /// Most lines of a row that a body takes at once where it walks along many rows of memory.
    pub lines_at_once: u32,
    /// Rows of memory, a power of two apart, that loops can walk side by side without losing lines of the cache before all of a line
    /// is used: so many lanes do loops get that do little else. More than a few of them are in one vector.
    pub rows_at_once: u32,
}

/// A work-group function and what its caller must know.
#[derive(Clone, Debug)]
pub struct HostKernel {
    /// The function; signature as [`launch::context`] says.
    pub func: FuncId,
    /// Its name in the module, also the symbol of the machine code.
    pub name: String,
    /// Where the arguments stand.
    pub args: Vec<ArgSlot>,
    /// Bytes of the block of arguments.
    pub args_bytes: u32,
    /// Bytes of statically declared work-group memory.
    pub shared_bytes: u32,
    /// Scratch memory per running group.
    pub scratch: ScratchSize,
    /// Work-items that share a vector; 1 where they run one after another.
    pub lanes: u32,
    /// Why it is not vectorised, or only in part, in words.
    pub reason: Option<String>,
    /// Whether what one work-item does with vectors and records of its own is worth packing into registers.
    pub packs: bool,
    /// Whether groups wait for other groups ([`analysis::polls`]).
    pub waits: bool,
}

/// Why a kernel cannot be made into a work-group function. The fault is neither the kernel's nor a bug: something in
/// it is not covered on the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What is not covered, in lower case.
    pub what: String,
    /// Where it stands.
    pub span: Span,
    /// What to do instead.
    pub help: String,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Unsupported {}

/// Why a kernel has no vectors in whose loops work-items wait for each other.
const WAITS: &str =
    "its work-items wait for each other in loops: lanes that go on would wait for those that wait for them";

/// Makes the work-group function of a kernel for one local size, or any, and adds it to the module; the kernel stays as it
/// is.
///
/// The kernel must satisfy the verifier and should have gone through the optimiser's pipeline for the host. The
/// function's name is that of the kernel and the local size, `saxpy.wg64x1x1` or `saxpy.wgNx1x1`.
///
/// # Errors
/// The kernel does something that is not covered.
pub fn work_group(
    module: &mut Module,
    session: &mut Session,
    kernel: FuncId,
    options: &Options,
) -> Result<HostKernel, Unsupported> {
    // Who waits for another work-item counts on those before it, x first, having run.
    let polls = Polls::of(module, kernel);
    let rows = if polls.items || names_lanes(&module.functions[kernel]) { Rows::X } else { options.rows };
    let options = &Options { rows, ..options.clone() };
    let warps = if polls.items { None } else { whole_warps(module, session, kernel, options)? };
    let (made, widened) = match warps {
        Some(done) => done,
        None => {
            let made = regions::run(module, session, kernel, options, regions::Warps::Exchange)?;
            let widened = if polls.items {
                widen::Widened { lanes: 1, reason: Some(WAITS.to_owned()), ..Default::default() }
            } else if options.vectorise {
                widen_if_small(module, session, kernel, &made, options)?
            } else {
                widen::Widened { lanes: 1, ..Default::default() }
            };
            (made, widened)
        }
    };
    hint::answer(session, &module.functions[kernel], options, &widened);
    Ok(HostKernel {
        func: made.func,
        name: module.functions[made.func].name.clone(),
        args: made.args,
        args_bytes: made.args_bytes,
        shared_bytes: made.shared_bytes,
        scratch: made.scratch,
        lanes: widened.lanes,
        reason: widened.reason,
        packs: widened.packs,
        waits: polls.groups,
    })
}

/// Whether a kernel has operations between the lanes of a warp. Whole warps in the lanes of vectors do them as vectors; that
/// takes a local size which is known.
pub fn exchanges(func: &Function) -> bool {
    let mut insts = func.layout.blocks().flat_map(|b| func.layout.insts(b));
    insts.any(|i| func.dfg.insts[i].intrinsic().is_some_and(regions::is_warp_op))
}

/// Whether a kernel asks which of its work-items share a warp, which goes by their ids in x first.
fn names_lanes(func: &Function) -> bool {
    use SpecialReg::*;
    let mut insts = func.layout.blocks().flat_map(|b| func.layout.insts(b));
    let named = |r| matches!(r, LaneId | WarpId | LaneMaskEq | LaneMaskLt | LaneMaskLe | LaneMaskGt | LaneMaskGe);
    exchanges(func) || insts.any(|i| func.dfg.insts[i].special().is_some_and(named))
}

/// Makes the function with a whole warp in the lanes of a vector, if the kernel has operations between the lanes of a
/// warp, rows are whole warps, and all of it can be widened; else leaves the module as it was.
fn whole_warps(
    module: &mut Module,
    session: &mut Session,
    kernel: FuncId,
    options: &Options,
) -> Result<Option<(regions::Regions, widen::Widened)>, Unsupported> {
    let fits = options.target.warp_size() > 1 && options.has_whole_warps();
    if !options.vectorise || !fits || !exchanges(&module.functions[kernel]) {
        return Ok(None);
    }
    let before = module.clone();
    let Ok(made) = regions::run(module, session, kernel, options, regions::Warps::Keep) else {
        // The other way gives the reason.
        *module = before;
        return Ok(None);
    };
    let widened = widen_if_small(module, session, kernel, &made, options)?;
    if widened.reason.is_some() || widened.loops == 0 || exchanges(&module.functions[made.func]) {
        *module = before;
        return Ok(None);
    }
    Ok(Some((made, widened)))
}

/// Widens the loops over work-items, unless the code becomes too large.
fn widen_if_small(
    module: &mut Module,
    session: &mut Session,
    kernel: FuncId,
    made: &regions::Regions,
    options: &Options,
) -> Result<widen::Widened, Unsupported> {
    if let Some(callee) = called(module, made.func) {
        // Lane by lane its work would be done as before, by code that is larger than without vectors.
        let name = &module.functions[callee].display;
        let reason = format!("it calls `{name}`, which is not inlined");
        return Ok(widen::Widened { lanes: 1, reason: Some(reason), ..Default::default() });
    }
    let scalar = module.functions[made.func].clone();
    // Lanes that exchange values want vectors all the same.
    if scalar.attrs.minsize && !made.has_warp_ops {
        let reason = "`minsize` asks for the smallest code: work-items run one after another".to_owned();
        return Ok(widen::Widened { lanes: 1, reason: Some(reason), ..Default::default() });
    }
    let mut widen = |module: &mut Module, most: widen::Most| {
        widen::run_within(module, session, made, options, most).map_err(|what| Unsupported {
            what,
            span: module.functions[kernel].span,
            help: "please report the kernel: this is a bug in unspool".to_owned(),
        })
    };
    let mut widened = widen(module, widen::Most::ALL)?;
    // A hint of the kernel and warps say how many lanes there are.
    let free = scalar.attrs.vec_type_hint.is_none() && !made.has_warp_ops;
    let most = if free && widened.lanes > 1 {
        strides::most_lanes(&module.functions[made.func], options.machine)
    } else {
        None
    };
    if let Some(most) = most.filter(|most| most.lanes > 1 && most.lanes < widened.lanes) {
        module.functions[made.func] = scalar.clone();
        widened = widen(module, most)?;
    }
    let size = registers_written(&module.functions[made.func], options.machine);
    let mut packs = false;
    let reason = if size > MAX_WIDE {
        format!("in vectors it would be {size} instructions, more than {MAX_WIDE}")
    } else if most.is_some_and(|most| most.lanes == 1) {
        packs = strides::goes_through_records(&module.functions[made.func]);
        "its loops walk along rows, or through large structures, which side by side would get in each other's way"
            .to_owned()
    } else if most.is_some() {
        return Ok(widened);
    } else if widened.lanes > 1
        && let Some(why) = sparse::gathers_too_much(&module.functions[made.func], options.machine, widened.lanes)
    {
        why.to_owned()
    } else if widened.lanes > 1 && free && divisors::are_searched_for(&module.functions[made.func]) {
        "its loops try divisors until one fits: lanes would wait for the one that tries longest".to_owned()
    } else if widened.lanes > 1
        && free
        && transposed::are_mostly(&module.functions[made.func], &scalar, options.machine, widened.lanes)
    {
        "its loops do little but take vectors apart, which work-items one after another use as they are".to_owned()
    } else if widened.lanes > 1
        && free
        && transposed::are_apart(&module.functions[made.func], &scalar, &made.marks, widened.lanes)
    {
        packs = true;
        "it does little but access vectors that lie apart from lane to lane, which work-items one after another use as they are"
            .to_owned()
    } else {
        return Ok(widened);
    };
    module.functions[made.func] = scalar;
    Ok(widen::Widened { lanes: 1, reason: Some(reason), packs, ..Default::default() })
}

/// The innermost loops of a function, without those that hardly ever run.
fn hot_loops<'a>(func: &'a Function, info: &'a LoopInfo) -> impl Iterator<Item = Loop> + 'a {
    let is_rare = |l: Loop| info.loops.meta(func, l).is_some_and(|m| m.rare || m.overlaps);
    info.loops.iter().filter(move |&l| info.loops.data(l).children.is_empty() && !is_rare(l))
}

/// The first function that one calls.
fn called(module: &Module, func: FuncId) -> Option<FuncId> {
    let func = &module.functions[func];
    func.layout.blocks().flat_map(|b| func.layout.insts(b)).find_map(|i| func.dfg.insts[i].callee())
}

/// Most registers that the code of a work-group function may write in vectors: LLVM's scheduler and register allocator
/// take time that grows faster than the code, seconds from here on.
const MAX_WIDE: u64 = 30_000;

/// An estimate of the machine's instructions for a function: one for each register that a result fills. Division of
/// integers in vectors is a sequence.
fn registers_written(func: &Function, machine: VectorIsa) -> u64 {
    /// What becomes of a division of a vector of 64-bit integers; narrower ones take less.
    const DIVISION: u64 = 60;
    let mut sum = 0;
    for b in func.layout.blocks() {
        for i in func.layout.insts(b) {
            let data = &func.dfg.insts[i];
            let bits = u64::from(data.ty.bits()) * u64::from(data.ty.lanes());
            let registers = bits.div_ceil(machine.vector_bits.max(64).into()).max(1);
            let divides = matches!(data.op, ir::Opcode::SDiv | ir::Opcode::UDiv | ir::Opcode::SRem | ir::Opcode::URem);
            sum += if divides && data.ty.is_vector() { registers * DIVISION } else { registers };
        }
    }
    sum
}
