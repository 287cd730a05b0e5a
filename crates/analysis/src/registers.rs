//! How many registers the assembler will give a thread: its work done in a model of it.
//!
//! Beyond [`crate::pressure`], which counts values as they stand, this goes the assembler's way:
//!
//! * `machine`: which instructions there are, and in which registers values stand. Constants, parameters of a kernel and
//!   what is the same for a whole group take none; a constant distance, the widening and scaling of an index, and names
//!   for parts of a value fold into the instructions that use them; addresses of shared and private memory have 32 bits.
//! * `narrow`: integers of 64 bits whose upper words are zero or read by nothing take one register.
//! * `regions`: short branches are predicated, so that what is scheduled is longer than a block. Pointers from constant
//!   memory are copied to registers where something is added to them, before loops if they are in one. For the fewest
//!   registers, values of one cheap instruction are computed again where they are read.
//! * `unroll`: small counted loops run four rounds at once, or all if the number is a constant and they are few.
//! * `schedule`: a list scheduler that hides latencies as long as registers cost nothing. It is asked for two numbers: how
//!   few do, and how many it takes below the smallest limit ([`LIMITS`]) under which that few fits. What a store reads is
//!   taken a while longer.
//!
//! Calls and inline assembly count as one instruction, except that what lives through a call stands above the [`CALLEE`]
//! registers that callees may write, and that a call leaves [`CALLER`] at least.
//!
//! Must hold: the function is in SSA form with its aliases resolved or resolvable, and `live` is of this function.
//! Limits: predicates are not counted, and beyond [`LARGE`] instructions a region is taken in the order of the program.
//! Measured against ptxas 13 by `scripts/registers.py`; docs/explain.md has the figures.
//! Cost: nearly linear in instructions, after [`Liveness`].

mod machine;
mod narrow;
mod regions;
mod schedule;
mod unroll;

use crate::{Cfg, DomTree, Liveness, LoopForest};
use ir::{Function, Inst};
use machine::{Machine, Reg};
use regions::Region;
use rustc_hash::FxHashSet;

/// The stack pointer, two that the assembler adds to what it reports, and the gap that pairs leave, as measured.
const RESERVED: u32 = 4;
/// Of this many registers that are live one more is lost in gaps, as measured,
const GAP: u32 = 20;
/// up to this many.
const GAPS: u32 = 25;
/// Numbers of registers at which the assembler stops hiding latencies, beside the one that costs no resident warps.
const LIMITS: [u32; 6] = [40, 48, 64, 80, 128, 255];
/// What the assembler reports beside live registers where it leaves no gaps: the stack pointer and two.
const PACKED: u32 = 3;
/// By so many registers more it brings a function below a limit that does not fit, as measured.
const AGAIN: u32 = 1;
/// Registers that calling conventions take.
const CALLER: u32 = 24;
/// Beside what lives through a call: what the callee may write, and two between them for the address to come back to.
const CALLEE: u32 = 20;
/// Instructions of a region that are scheduled.
const LARGE: usize = 1500;

/// Registers of a thread of `func`; `free` is the number up to which more registers cost no resident warps.
pub fn estimate(func: &Function, cfg: &Cfg, live: &Liveness, free: u32) -> u32 {
    let machine = Machine::new(func, cfg, true);
    let frugal = Machine::new(func, cfg, false);
    let loops = LoopForest::new(cfg, &DomTree::new(cfg));
    let regions = regions::regions(&machine, cfg, live, &loops, false);
    let fewer = regions::regions(&machine, cfg, live, &loops, true);
    let least: Vec<u32> = fewer.iter().zip(&regions).map(|(f, r)| least(f).min(least(r))).collect();
    let frugal = regions::regions(&frugal, cfg, live, &loops, true);
    let fewest = frugal.iter().map(self::least).max().unwrap_or(0).min(least.iter().copied().max().unwrap_or(0));
    let fewest = fewest + PACKED;
    let limits = || std::iter::once(free).chain(LIMITS.into_iter().filter(|&l| l > free));
    let limit = limits().find(|&l| fewest <= l.saturating_add(AGAIN)).unwrap_or(LIMITS[LIMITS.len() - 1]);
    let target = (0..limit).rev().find(|&live| reported(live) <= limit).unwrap_or(0);
    let with = |(r, &least): (&Region, &u32)| least.max(if is_large(r) { 0 } else { schedule::scheduled(r, target) });
    let most = regions.iter().zip(&least).map(with).max().unwrap_or(0);
    reported(most).min(limit).max(through_calls(func, cfg, live, &machine))
}

/// Registers that the function's calls ask for: what lives through them stands above those that callees may write.
fn through_calls(func: &Function, cfg: &Cfg, live: &Liveness, machine: &Machine<'_>) -> u32 {
    let mut most = 0;
    for &b in cfg.rpo().iter().filter(|&&b| func.layout.insts(b).any(|i| machine.is_call(i))) {
        let mut now: FxHashSet<Reg> = FxHashSet::default();
        let add = |now: &mut FxHashSet<Reg>, v| now.extend(machine.regs(v).iter().filter(|&&r| machine.size(r) > 0));
        live.live_out(b).iter().for_each(|&v| add(&mut now, v));
        let insts: Vec<Inst> = func.layout.insts(b).collect();
        for &i in insts.iter().rev() {
            let result = func.dfg.result(i);
            for r in result.iter().flat_map(|&v| machine.regs(v)) {
                now.remove(r);
            }
            if machine.is_call(i) {
                most = most.max((now.len() as u32 + CALLEE).next_multiple_of(2).max(CALLER));
            }
            func.dfg.for_each_use(i, |v| add(&mut now, v));
        }
    }
    most
}

fn is_large(region: &Region) -> bool {
    region.ops.len() > LARGE
}

/// The fewest registers in which a region runs.
fn least(region: &Region) -> u32 {
    let written = schedule::as_written(region);
    if is_large(region) { written } else { written.min(schedule::scheduled(region, 0)) }
}

/// What the assembler reports where `live` registers are live at most; most kernels have pairs, so numbers are even.
fn reported(live: u32) -> u32 {
    let parts = (live + RESERVED) * GAP + live.min(GAPS);
    ((parts + GAP / 2 + 3) / GAP).next_multiple_of(2)
}
