//! What a launch of each kernel needs, and how full a multiprocessor gets.
//!
//! Registers are an estimate ([`analysis::registers`]): the assembler schedules and allocates after us.
//! `docs/explain.md` says how near it comes.

use super::{Assembled, Assembler, Assembly, Explanation};
use crate::product::Artefact;
use analysis::{Cfg, Liveness, registers};
use cranelift_entity::EntityRef;
use ir::{AddrSpace, ConstKind, FnKind, FuncId, Function, Module, ValueDef};
use source::Span;
use target::{KernelResources, Limiter, Occupancy, Target};

/// Threads of a block where nothing says how many.
pub const DEFAULT_BLOCK: u32 = 256;

/// Where a block size comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockSource {
    /// `reqd_work_group_size`, `__block_size__`.
    Required,
    /// `--block`.
    Option,
    /// `__launch_bounds__`: the most that may be launched.
    LaunchBounds,
    /// `work_group_size_hint`.
    Hint,
    /// Nothing: [`DEFAULT_BLOCK`].
    Assumed,
}

impl BlockSource {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Option => "--block",
            Self::LaunchBounds => "launch bounds",
            Self::Hint => "hint",
            Self::Assumed => "assumed",
        }
    }
}

/// Another number of registers and the resident warps that it would give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cliff {
    /// Registers of a thread.
    pub registers: u32,
    /// Resident warps of a multiprocessor.
    pub warps: u32,
}

/// What one kernel needs.
#[derive(Clone, Debug)]
pub struct KernelUsage {
    /// Its name as the user knows it.
    pub name: String,
    /// Its symbol in PTX.
    pub symbol: String,
    /// Where it stands.
    pub span: Span,
    /// Registers of a thread: the assembler's where it was asked ([`Self::assembled`]), else the estimate.
    pub registers: u32,
    /// The estimate.
    pub estimated: u32,
    /// What an assembler said.
    pub assembled: Option<Assembled>,
    /// Bytes of shared memory that its variables take in a block; what is asked for at the launch is not known.
    pub shared: u64,
    /// Whether it also uses shared memory whose size the launch sets.
    pub dynamic_shared: bool,
    /// Bytes of private memory of a thread (arrays that did not become registers).
    pub private: u64,
    /// Instructions of the IR, with those of called functions.
    pub instructions: u32,
    /// Threads of a block.
    pub block: u32,
    /// Why so many.
    pub block_source: BlockSource,
    /// How full a multiprocessor gets.
    pub occupancy: Occupancy,
    /// Warps that the registers alone leave room for, by arithmetic.
    pub warps_by_registers: u32,
    /// The largest number of registers, below the estimate, at which more warps are resident.
    pub fewer: Option<Cliff>,
    /// The smallest number of registers, above the estimate, at which fewer warps are resident.
    pub more: Option<Cliff>,
}

impl KernelUsage {
    /// What limits occupancy, in words.
    pub fn limiter(&self) -> &'static str {
        match self.occupancy.limiter {
            Limiter::Warps => "warps of the block",
            Limiter::Blocks => "resident blocks",
            Limiter::Registers => "registers",
            Limiter::Shared => "shared memory",
        }
    }
}

impl KernelUsage {
    /// What follows from a number of registers.
    fn take(&mut self, registers: u32, target: Target) -> Option<()> {
        let bytes = u32::try_from(self.shared).unwrap_or(u32::MAX);
        let at = |registers| target.occupancy(KernelResources { registers, shared: bytes, block: self.block });
        let occupancy = at(registers)?;
        let cliff = |registers: u32| Some(Cliff { registers, warps: at(registers)?.warps });
        let (fewer, more) = (
            (1..registers).rev().filter_map(cliff).find(|c| c.warps > occupancy.warps),
            (registers + 1..=target.registers_per_item()?).filter_map(cliff).find(|c| c.warps < occupancy.warps),
        );
        self.warps_by_registers = target.waves_by_registers(registers)?;
        (self.registers, self.occupancy, self.fewer, self.more) = (registers, occupancy, fewer, more);
        Some(())
    }

    /// Takes an assembler's word for the estimate.
    fn assemble(&mut self, said: Assembly, target: Target) {
        self.shared = said.shared.unwrap_or(self.shared);
        self.private = said.private.unwrap_or(self.private);
        if self.take(said.registers, target).is_some() {
            self.assembled = Some(said.with_warps(self.occupancy.warps));
        }
    }
}

/// Asks an assembler about the kernels of an explanation, of which this was made.
pub fn assemble(e: &mut Explanation, made: &Artefact, target: Target, assembler: &Assembler<'_>) {
    for k in &mut e.kernels {
        if let Some(said) = assembler(made, &k.symbol) {
            k.assemble(said, target);
        }
    }
}

/// The usage of every kernel of a module, in order; none where groups do not share a multiprocessor.
pub(super) fn kernels(module: &Module, target: Target, block: Option<u32>) -> Vec<KernelUsage> {
    let defined = module.functions.iter().filter(|(_, f)| f.kind == FnKind::Kernel && !f.is_declaration());
    defined.filter_map(|(id, f)| kernel(module, id, f, target, block)).collect()
}

fn kernel(module: &Module, id: FuncId, f: &Function, target: Target, asked: Option<u32>) -> Option<KernelUsage> {
    // Where a number of resident groups is asked for, the assembler takes all that this leaves.
    let free = match f.attrs.min_blocks {
        Some(_) => most_registers(f, target).min(target.registers_per_item()?),
        None => target.registers_for_waves(target.resident_waves()?)?,
    };
    let reached = reachable(module, id);
    let mut used = vec![false; module.globals.len()];
    let (mut registers, mut private, mut instructions) = (0u32, 0u64, 0u32);
    for &g in &reached {
        let f = &module.functions[g];
        let cfg = Cfg::new(f);
        let guess = registers::estimate(f, &cfg, &Liveness::new(f, &cfg), free);
        // A callee works in registers of its own beside the caller's that are live; the greater of the two is a floor.
        registers = registers.max(guess);
        let mut slots = vec![false; f.slots.len()];
        for i in f.layout.blocks().flat_map(|b| f.layout.insts(b)) {
            instructions = instructions.saturating_add(1);
            f.dfg.for_each_use(i, |v| match f.dfg.def(v) {
                ValueDef::Const(ConstKind::Global(g)) => used[g.index()] = true,
                ValueDef::Const(ConstKind::Slot(s)) => slots[s.index()] = true,
                _ => {}
            });
        }
        private += f.slots.iter().filter(|(s, _)| slots[s.index()]).map(|(_, s)| u64::from(s.size)).sum::<u64>();
    }
    let in_shared = || module.globals.iter().filter(|(g, d)| used[g.index()] && d.space == AddrSpace::Shared);
    let shared: u64 = in_shared().map(|(_, d)| d.size.next_multiple_of(u64::from(d.align.max(1)))).sum();
    let dynamic_shared =
        in_shared().any(|(_, d)| d.size == 0) || f.params.iter().any(|p| p.ty.space() == Some(AddrSpace::Shared));
    let (block, block_source) = block_size(f, asked);
    let registers = registers.min(most_registers(f, target)).clamp(1, target.registers_per_item()?);
    let bytes = u32::try_from(shared).unwrap_or(u32::MAX);
    let occupancy = target.occupancy(KernelResources { registers, shared: bytes, block })?;
    Some(KernelUsage {
        name: f.display.clone(),
        symbol: f.name.clone(),
        span: f.span,
        registers,
        estimated: registers,
        assembled: None,
        shared,
        dynamic_shared,
        private,
        instructions,
        block,
        block_source,
        occupancy,
        warps_by_registers: target.waves_by_registers(registers)?,
        fewer: None,
        more: None,
    })
    .and_then(|mut k| k.take(registers, target).map(|()| k))
}

/// The most registers that what is promised about launches leaves to a thread.
pub(super) fn most_registers(f: &Function, target: Target) -> u32 {
    let a = &f.attrs;
    let promised = match (a.reqd_work_group_size, a.max_threads) {
        (Some(size), _) => size.iter().fold(1u32, |n, &d| n.saturating_mul(d)),
        (None, Some(n)) => n,
        (None, None) => 0,
    };
    let warps = promised.div_ceil(target.wave_size()).saturating_mul(a.min_blocks.unwrap_or(1).max(1));
    let by_launch = if warps == 0 { None } else { target.registers_for_waves(warps) };
    by_launch.unwrap_or(u32::MAX).min(a.max_registers.unwrap_or(u32::MAX))
}

fn block_size(f: &Function, asked: Option<u32>) -> (u32, BlockSource) {
    let product = |[x, y, z]: [u32; 3]| x.saturating_mul(y).saturating_mul(z);
    let a = &f.attrs;
    if let Some(size) = a.reqd_work_group_size {
        return (product(size), BlockSource::Required);
    }
    if let Some(n) = asked {
        return (n, BlockSource::Option);
    }
    if let Some(n) = a.max_threads {
        return (n, BlockSource::LaunchBounds);
    }
    match a.work_group_size_hint {
        Some(size) => (product(size), BlockSource::Hint),
        None => (DEFAULT_BLOCK, BlockSource::Assumed),
    }
}

/// A kernel and what it calls, the kernel first.
pub(super) fn reachable(module: &Module, kernel: FuncId) -> Vec<FuncId> {
    let mut seen = vec![false; module.functions.len()];
    seen[kernel.index()] = true;
    let mut out = vec![kernel];
    let mut next = 0;
    while let Some(&id) = out.get(next) {
        next += 1;
        let f = &module.functions[id];
        for i in f.layout.blocks().flat_map(|b| f.layout.insts(b)) {
            if let Some(callee) = f.dfg.insts[i].callee()
                && !std::mem::replace(&mut seen[callee.index()], true)
                && !module.functions[callee].is_declaration()
            {
                out.push(callee);
            }
        }
    }
    out
}
