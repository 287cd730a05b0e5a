//! Step 1: a kernel over one work-item becomes a function over a work-group, in plain scalar IR.
//!
//! # What comes out
//!
//! The new function's control flow is the kernel's control *between barriers*: each piece of the kernel between two
//! cuts (a **region**) stands in a loop nest over the work-items of the group, and branches that decide whether a
//! barrier is reached stand outside the nests. The function has this shape:
//!
//! ```text
//! entry:   loads of the kernel's arguments from `args` (flag INVARIANT, each once), of ids and sizes from `group`
//! before:  what is the same for the whole group                       (preheader of the nest; any number of blocks)
//!   z:     header of the loop over z: what depends on z only          (absent if the size in z is 1)
//!     y:   header of the loop over y: what depends on z and y only    (absent if the size in y is 1)
//!       x: header of the loop over x: one i32 parameter, the local id in x, from 0 in steps of 1
//!          the body: the region's code for one work-item; whatever leaves it early jumps to the latch
//!          latch: `br (x + 1) < local size, x(x + 1), after`, with the metadata [`RegionLoop::md`]
//!                 (a constant, or loaded in the entry where the launch says it; then at least 1, and no loop is absent)
//!     latch of y, latch of z likewise (metadata [`RegionLoop::outer`])
//! after:   uniform branches; the next region's `before`, or `return`
//! ```
//!
//! A header and its latch may be one block. Loops of the kernel inside a body are inner loops of the x loop. Values of
//! the body are never used after the nest: what lives on is in memory (`group.scratch`), at
//! `scratch + offset + linear id * element bytes`, where the linear id is `x + local size x * (y + local size y * z)`,
//! `i1` as a byte of 0 or 1; so accesses of consecutive work-items of a row are consecutive. Uniform values that live
//! on and are computed in a body are stored to one place of scratch by every work-item (address and value uniform).
//! Private arrays that live on stand in scratch; those that do not are stack slots of the new function, one for all
//! work-items, dead where a body begins: whoever runs several work-items at once gives each its own.
//!
//! Work-items that have returned (or lanes whose turn it is not) skip the body: then it begins with a load of a flag
//! and a branch to the latch.
//!
//! # Warp operations
//!
//! With [`Warps::Keep`] shuffles, votes, `activemask`, `warpsync` and the like stay in the bodies as intrinsics: that is for
//! a caller that runs a whole warp in the lanes of a vector and gives them their meaning (consecutive x, local size x
//! a multiple of the warp). With [`Warps::Exchange`] the kernel is cut at them and values are exchanged through
//! scratch: right for any consumer, and what runs when work-items run one after another.

mod arrays;
mod emit;
mod ends;
mod exchange;
mod in_step;
mod loads;
mod nest;
mod onward;
mod operands;
mod plan;
mod prepare;
mod prologue;
mod slots;
mod spaces;
mod steps;
mod storage;
mod turns;

pub(crate) use prepare::is_warp_op;

use crate::{Options, Unsupported};
use analysis::{Loop, LoopInfo};
use ir::edit;
use ir::{Block, FnKind, FuncId, Function, IntCC, Linkage, LoopMd, Module, Opcode, ReversePostOrder, Value, ValueDef};
use launch::ScratchSize;
use launch::context::ArgSlot;
use source::Session;

/// What becomes of operations between the lanes of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Warps {
    /// They stay in the loops' bodies.
    Keep,
    /// They cut the kernel into regions and are done in memory.
    Exchange,
}

/// A work-group function in scalar form.
#[derive(Clone, Debug)]
pub struct Regions {
    /// The function.
    pub func: FuncId,
    /// The loops over x, in the order of the layout; a local size of 1 in x leaves none. Found by
    /// [`find_loops`] again after passes have run.
    pub loops: Vec<RegionLoop>,
    /// Where the arguments stand.
    pub args: Vec<ArgSlot>,
    /// Bytes of the block of arguments.
    pub args_bytes: u32,
    /// Bytes of statically declared work-group memory.
    pub shared_bytes: u32,
    /// Scratch memory, its fixed part a multiple of [`launch::context::MEMORY_ALIGN`].
    pub scratch: ScratchSize,
    /// What [`find_loops`] recognises the loops by.
    pub marks: Vec<(LoopMd, Vec<(Dimension, LoopMd)>)>,
    /// Whether warp operations stand in the bodies.
    pub has_warp_ops: bool,
}

/// The loop over x of one region.
#[derive(Clone, Debug)]
pub struct RegionLoop {
    /// Metadata on the back edge: what identifies the loop whatever passes do to it.
    pub md: LoopMd,
    /// Header; its terminator may be anywhere in the body, also the back edge.
    pub header: Block,
    /// The only block that branches back, by a `br` of which the other successor is [`RegionLoop::exit`].
    pub latch: Block,
    /// Where the loop is left to, only from the latch.
    pub exit: Block,
    /// The induction variable, a parameter of the header: the local id in x, `i32`, from 0 in steps of 1.
    pub x: Value,
    /// Number of iterations: the local size in x.
    pub trip: Trip,
    /// Metadata of the loops over y and z around it, innermost first; those with size 1 are absent.
    pub outer: Vec<(Dimension, LoopMd)>,
}

/// How often a loop over work-items runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trip {
    /// So often, at least twice.
    Known(u32),
    /// As this value from before the loop says, at least once.
    Value(Value),
}

/// A dimension of the group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Dimension {
    X,
    Y,
    Z,
}

/// Cuts a kernel into regions and adds the work-group function to the module. Hints about the kernel's loops have been
/// answered before; nothing is added to the ledger.
///
/// # Errors
/// The kernel does something that is not covered.
pub fn run(
    module: &mut Module,
    session: &mut Session,
    kernel: FuncId,
    options: &Options,
    warps: Warps,
) -> Result<Regions, Unsupported> {
    let span = module.functions[kernel].span;
    // Sizes that a launch says are checked then.
    let least = options.local_size.0.map(|n| n.unwrap_or(1));
    let fits = options.target.launch_limits().check_group(least.map(u64::from));
    fits.map_err(|e| prepare::unsupported(e.to_string(), span, "use smaller groups, and more of them"))?;
    let mut prepared = prepare::prepare(module, kernel, warps, options)?;
    steps::take_apart(&mut prepared);
    let (plan, facts) = plan::divide(&mut prepared)?;
    let arguments = prologue::arguments(&prepared.func)?;
    let shared = prologue::shared(module, &prepared.func)?;
    let mut out = new_function(module, &prepared.func, options);
    let mut scratch = storage::Scratch::new(options.local_size.items());
    let storage = storage::find(module, &prepared, &plan, &facts, &mut scratch, &mut out);
    prologue::signature(&mut out);
    let entry = prologue::Entry::new(&mut out, &prepared.func, &arguments, options);
    let places = emit::Places { scratch: &mut scratch, shared: &shared, storage: &storage };
    let mut emitter = emit::Emitter::new(module, options, (&prepared, &plan, &facts), places, out, entry);
    emitter.write();
    let (mut out, marks, problem) = (emitter.out, emitter.marks, emitter.problem);
    if let Some(problem) = problem {
        return Err(problem);
    }
    let order = ReversePostOrder::new(&out);
    edit::remove_unreachable(&mut out, &order);
    let func = module.functions.push(out);
    // The division has made variables of what lives across its cuts.
    let options = opt::Options { target: options.target, ..opt::Options::default() };
    opt::clean_up(module, session, func, &options, "regions", opt::Slots::Promote)
        .map_err(|e| prepare::unsupported(e.to_string(), span, "please report the kernel: this is a bug in unspool"))?;
    let loops = find_loops(&module.functions[func], &marks);
    Ok(Regions {
        func,
        loops,
        args: arguments.slots,
        args_bytes: arguments.bytes,
        shared_bytes: shared.bytes,
        scratch: scratch.size(),
        marks,
        has_warp_ops: prepared.has_warp_ops,
    })
}

/// The new function without blocks: what is the kernel's in it, and its name.
fn new_function(module: &Module, kernel: &Function, options: &Options) -> Function {
    let size = options.local_size;
    let mut name = format!("{}.wg{size}", kernel.name);
    let mut n = 2;
    while module.find(&name).is_some() {
        name = format!("{}.wg{size}.{n}", kernel.name);
        n += 1;
    }
    let mut out = Function::new(name, FnKind::Device);
    out.linkage = Linkage::External;
    out.display.clone_from(&kernel.display);
    out.attrs.vec_type_hint = kernel.attrs.vec_type_hint;
    (out.attrs.minsize, out.attrs.optsize) = (kernel.attrs.minsize, kernel.attrs.optsize);
    out.span = kernel.span;
    out.slots.clone_from(&kernel.slots);
    out.loops.clone_from(&kernel.loops);
    out
}

/// The loops over x of a work-group function: those that carry the metadata `marks` (x loop, loops around it), as far
/// as passes have left them.
pub fn find_loops(func: &Function, marks: &[(LoopMd, Vec<(Dimension, LoopMd)>)]) -> Vec<RegionLoop> {
    let info = LoopInfo::new(func);
    let mut found: Vec<RegionLoop> = info.loops.iter().filter_map(|l| region_loop(func, &info, l, marks)).collect();
    found.sort_by_key(|r| info.cfg.rpo_number(r.header));
    found
}

fn region_loop(
    func: &Function,
    info: &LoopInfo,
    l: Loop,
    marks: &[(LoopMd, Vec<(Dimension, LoopMd)>)],
) -> Option<RegionLoop> {
    let md = info.loops.md(func, l)?;
    let (_, outer) = marks.iter().find(|m| m.0 == md)?;
    let (header, latch) = (info.loops.header(l), info.loops.latch(l)?);
    let t = func.layout.terminator(latch);
    if func.dfg.op(t) != Opcode::Br || info.loops.exit_edges(func, l).len() != 1 {
        return None;
    }
    let back = usize::from(func.dfg.successor(t, 0) != header);
    let exit = func.dfg.successor(t, 1 - back);
    // `x + 1 < size`; passes make `x < size - 1` of it, and may turn the comparison round.
    let compare = func.dfg.def_op(func.dfg.arg(t, 0), Opcode::Icmp)?;
    let (compared, bound) = (func.dfg.arg(compare, 0), func.dfg.resolve(func.dfg.arg(compare, 1)));
    let steps_by_one = |next: Value, x: Value| {
        let add = func.dfg.def_op(next, Opcode::Add)?;
        (func.dfg.arg(add, 0) == x && func.dfg.as_int(func.dfg.arg(add, 1)) == Some(1)).then_some(())
    };
    let params = func.dfg.params(header);
    let n = params
        .iter()
        .zip(func.dfg.branch_args(t, back))
        .position(|(&x, &next)| (compared == x || compared == next) && steps_by_one(next, x).is_some())?;
    let x = params[n];
    let cc = func.dfg.insts[compare].int_cc()?;
    let stays = if back == 0 { cc } else { cc.inverse() };
    let trip = match (func.dfg.as_int(bound), stays) {
        (Some(bound), IntCC::Ult | IntCC::Slt | IntCC::Ne) => known_trip(bound + i64::from(compared == x))?,
        (Some(bound), IntCC::Ule | IntCC::Sle) => known_trip(bound + 1 + i64::from(compared == x))?,
        (None, IntCC::Ult | IntCC::Slt) if compared != x && is_outside(func, info, l, bound) => Trip::Value(bound),
        _ => return None,
    };
    let entry = info.loops.entry_edge(&info.cfg, l)?;
    let from_zero = func.dfg.as_int(func.dfg.branch_args(entry.inst, entry.index as usize)[n]) == Some(0);
    from_zero.then(|| RegionLoop { md, header, latch, exit, x, trip, outer: outer.clone() })
}

fn known_trip(n: i64) -> Option<Trip> {
    u32::try_from(n).ok().map(Trip::Known)
}

/// Whether a value is the same in all iterations of a loop since it comes from before it.
fn is_outside(func: &Function, info: &LoopInfo, l: Loop, v: Value) -> bool {
    match func.dfg.def(v) {
        ValueDef::Inst(i) => func.layout.inst_block(i).is_some_and(|b| !info.loops.contains(l, b)),
        ValueDef::Param(b, _) => !info.loops.contains(l, b),
        _ => true,
    }
}
