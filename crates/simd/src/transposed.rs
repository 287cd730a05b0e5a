//! Loops that do little but take the kernel's own vectors apart, under masks: `uint4 sum; for (…) { if (…) break; sum += a[i + j]; }`.
//!
//! Eight `uint4`s of neighbours are four rows of eight, which twelve shuffles turn into four vectors of components. One work-item
//! after another adds each as it is in a vector of 128 bits: as many instructions as the shuffles, and no masks. With three
//! operations or more for each vector loaded, lanes are ahead; so they are where shuffles take twice as wide vectors (AVX-512).
//! A horizontal sum of AMD's samples whose lanes leave the loop at different times took three times as long in lanes; without masks
//! lanes wait for memory less, and a vertical sum takes two thirds of the time.
//!
//! A kernel without loops that does little but access its vectors where lanes are apart (a transposition in tiles of `float8`, by way of
//! work-group memory) is another such one, whatever the machine: each access of a work-item is one of a whole vector, in lanes one for
//! each component of each lane.
//!
//! Looked at are the innermost loops of the finished function, or all of it where none is the kernel's own. Linear in the function.

use crate::VectorIsa;
use analysis::{Loop, LoopInfo};
use ir::{Function, LoopMd, Opcode, Type};

/// A loop over x, and those around it.
type Marks = (LoopMd, Vec<(crate::regions::Dimension, LoopMd)>);

/// Bits of vectors with whose shuffles this is so.
const BITS: u32 = 256;

/// Fewest bits of the kernel's vectors that fill vectors of the machine by themselves.
const FULL: u32 = 128;

/// Shuffles for each operation from which a loop does little else.
const MUCH: usize = 2;

/// Whether the vectors of a function, which does what `scalar` does, are mostly taken apart in loops.
pub(crate) fn are_mostly(func: &Function, scalar: &Function, machine: VectorIsa, width: u32) -> bool {
    if machine.vector_bits != BITS || !loads_whole_vectors(scalar) {
        return false;
    }
    let info = LoopInfo::new(func);
    let (mut shuffles, mut others) = (0, 0);
    let has_masks = |l: &Loop| {
        let insts = info.loops.data(*l).blocks.iter().flat_map(|&b| func.layout.insts(b));
        { insts }.any(|i| func.dfg.op(i) == Opcode::MaskedLoad)
    };
    let own = |l: &Loop| !crate::sparse::is_over_work_items(func, &info, *l, width) && has_masks(l);
    for b in crate::hot_loops(func, &info).filter(own).flat_map(|l| &info.loops.data(l).blocks) {
        for i in func.layout.insts(*b) {
            let data = &func.dfg.insts[i];
            match data.op {
                _ if !data.ty.is_vector() || data.ty.scalar() == Type::I1 => {}
                Opcode::Shuffle => shuffles += 1,
                Opcode::Load | Opcode::MaskedLoad | Opcode::Select | Opcode::Splat | Opcode::Iota => {}
                _ => others += 1,
            }
        }
    }
    shuffles > 0 && shuffles > MUCH * others
}

/// Whether a kernel without loops of its own mostly accesses vectors, of a size that machines have, where lanes are apart. `marks` are the
/// loops over work-items.
pub(crate) fn are_apart(func: &Function, scalar: &Function, marks: &[Marks], width: u32) -> bool {
    let info = LoopInfo::new(scalar);
    let over_items = |md: LoopMd| marks.iter().any(|(x, outer)| *x == md || outer.iter().any(|(_, o)| *o == md));
    if !info.loops.iter().all(|l| info.loops.md(scalar, l).is_some_and(over_items)) || !accesses_whole_vectors(scalar) {
        return false;
    }
    let (mut shuffles, mut apart, mut others) = (0, 0, 0);
    for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
        let data = &func.dfg.insts[i];
        match data.op {
            Opcode::Scatter | Opcode::Gather => apart += width as usize,
            _ if !data.ty.is_vector() || data.ty.scalar() == Type::I1 => {}
            Opcode::Shuffle => shuffles += 1,
            Opcode::Load | Opcode::MaskedLoad | Opcode::Select | Opcode::Splat | Opcode::Iota => {}
            _ => others += 1,
        }
    }
    apart > 0 && apart + shuffles > MUCH * others
}

/// Whether a work-item loads and stores vectors of a size that the machine has.
fn accesses_whole_vectors(func: &Function) -> bool {
    let is_whole = |ty: Type| u32::from(ty.lanes()) * ty.scalar().bits() >= FULL;
    let insts = || func.layout.blocks().flat_map(|b| func.layout.insts(b));
    insts().any(|i| func.dfg.op(i) == Opcode::Load && is_whole(func.dfg.insts[i].ty))
        && insts().any(|i| func.dfg.op(i) == Opcode::Store && is_whole(func.dfg.ty(func.dfg.arg(i, 1))))
}

/// Whether work-items load vectors in loops, of a size that the machine has.
fn loads_whole_vectors(func: &Function) -> bool {
    let info = LoopInfo::new(func);
    let blocks = || crate::hot_loops(func, &info).flat_map(|l| &info.loops.data(l).blocks);
    let mut loads = blocks().flat_map(|&b| func.layout.insts(b)).filter(|&i| func.dfg.op(i) == Opcode::Load);
    loads.any(|i| {
        let ty = func.dfg.insts[i].ty;
        u32::from(ty.lanes()) * ty.scalar().bits() >= FULL
    })
}
