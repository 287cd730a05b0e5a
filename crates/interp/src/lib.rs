//! The reference interpreter of the IR: what a program means, executed slowly and watchfully.
//!
//! A [`Machine`] holds a module ready for execution and the device's memory. [`Machine::launch`] runs a kernel: whole
//! work-groups, one after another, the work-items of a group in lockstep at barriers and warp operations (shuffles,
//! votes, reductions), with warps of 32 or 64 lanes. It is the oracle of the tests: integer and float results are
//! exact, and what a program may not do is an error with its source place ([`Trap`]): accesses outside of objects,
//! misaligned ones, reads of unwritten memory, branches on undefined values, data races in a group, barriers and warp
//! operations that not everybody reaches.
//!
//! # Undefined values
//!
//! Every register lane and byte of memory knows whether it is defined. `undef`, division by zero, lanes out of range
//! and unwritten memory make undefined values; a broken promise (`nuw`, `nsw`, `exact`, `inbounds`, `nnan`, `ninf`)
//! makes one from which nothing defined can be computed. Undefined values may be copied and computed with, and [`Limits::uninit`] says when they are an error. After a run,
//! [`Machine::read_shadow`] tells which bytes of a buffer are undefined, so that a comparison of two runs can leave
//! them out: a transformation may give them any value.
//!
//! # Limits
//!
//! Work-groups run one after another, so a program in which one waits for a later one never ends (the step limit ends
//! it); [`Machine::survey`] may run them on several threads where nobody can tell ([`Machine::set_threads`]). Approximate operations are computed exactly and rounded once. Inline assembly is not executed, `provable`
//! answers no, clocks count operations. Objects are limited to 3.75 GiB. Memory ordering is sequentially consistent.

mod access;
mod between;
mod beyond;
mod checks;
mod copies;
mod decode;
mod exec;
mod float;
mod group;
mod heap;
mod int;
mod lanes;
mod lockstep;
mod memory;
mod objects;
mod pages;
mod parallel;
pub mod printf;
mod races;
mod survey;
mod target_ops;
mod trap;

pub use races::is_copy;
pub use survey::{Finding, Survey};
pub use trap::{Access, Trap, TrapKind};

use cranelift_entity::EntityRef;
use decode::Code;
use exec::{Exec, Item};
use ir::{AddrSpace, FuncId, GlobalInit, Module};
use memory::{Arena, MAX_OBJECT, Tag};
use rustc_hash::FxHashMap;
use source::Span;
use target::Target;

/// When an undefined value is an error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Uninit {
    /// Never.
    Ignore,
    /// When a branch, an address or a lane mask depends on it.
    #[default]
    OnUse,
    /// When all of it is read from memory by what does more than to copy it, too: for code that moves words in which
    /// there is something between the values.
    OnReadOfValues,
    /// When it is read from memory, too.
    OnRead,
}

/// What a launch may use, and what it is checked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Most operations executed, over all work-items.
    pub steps: u64,
    /// Most bytes of work-group and private memory and registers in use at a time.
    pub memory: u64,
    /// Undefined values.
    pub uninit: Uninit,
    /// Report data races between work-items of a group.
    pub races: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 1 << 32, memory: 1 << 30, uninit: Uninit::OnUse, races: true }
    }
}

/// Shape of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchConfig {
    /// Work-groups in each dimension.
    pub grid: [u32; 3],
    /// Work-items of a group in each dimension.
    pub block: [u32; 3],
    /// OpenCL's global offset.
    pub offset: [u64; 3],
    /// OpenCL's number of dimensions.
    pub work_dim: u32,
    /// Bytes of dynamic work-group memory (`extern __shared__`).
    pub dynamic_shared: u64,
    /// The launch that this is a part of, if it is.
    pub whole: Option<Whole>,
}

/// A launch of OpenCL's whose groups are of several sizes, each of which is run by a [`LaunchConfig`] with `offset` at its
/// first global id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Whole {
    /// Number of the part's first group in each dimension.
    pub first: [u32; 3],
    /// Work-groups in each dimension.
    pub groups: [u32; 3],
    /// Work-items of a group that is not at the end, in each dimension.
    pub local: [u32; 3],
    /// Work-items in each dimension.
    pub global: [u64; 3],
    /// OpenCL's global offset.
    pub offset: [u64; 3],
}

impl LaunchConfig {
    /// `grid` groups of `block` work-items.
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> Self {
        let used = |n: usize| grid[n] > 1 || block[n] > 1;
        let work_dim = if used(2) {
            3
        } else if used(1) {
            2
        } else {
            1
        };
        Self { grid, block, offset: [0; 3], work_dim, dynamic_shared: 0, whole: None }
    }

    /// One group of `n` work-items.
    pub fn items(n: u32) -> Self {
        Self::new([1, 1, 1], [n, 1, 1])
    }
}

/// An argument of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// Bits of a scalar, zero-extended.
    Value(u64),
    /// Bits of a vector's lanes.
    Vector(Vec<u64>),
    /// An address, e.g. of [`Machine::alloc_global`].
    Pointer(u64),
    /// Bytes of an aggregate passed by value.
    Bytes(Vec<u8>),
    /// An OpenCL `__local` argument: a buffer of so many bytes per work-group.
    Local(u64),
}

/// What a launch took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Operations executed.
    pub steps: u64,
    /// Work-groups run.
    pub groups: u64,
    /// Work-items run.
    pub work_items: u64,
    /// Threads that ran groups.
    pub threads: usize,
    /// Work-items went through the code side by side; then `steps` counts what several do at once as one operation.
    pub side_by_side: bool,
}

/// A module ready for execution, and the device's memory.
#[derive(Clone, Debug)]
pub struct Machine {
    code: Vec<Code>,
    names: Vec<String>,
    global: Arena,
    constant: Arena,
    /// Work-group variables. The object number is the position.
    shared: Vec<SharedObject>,
    globals: Vec<(String, u64, u64)>,
    params: Vec<Vec<(ir::Type, Option<u32>, u32)>>,
    target: Target,
    stray: bool,
    everybody: bool,
    divisions: bool,
    output: Vec<u8>,
    /// What kernels have allocated.
    heap: heap::Heap,
    /// Memory of the host, by its addresses there: first byte, size, address here.
    host: Vec<(u64, u64, u64)>,
    /// Names of arguments that are work-group memory.
    locals: FxHashMap<usize, u32>,
    threads: usize,
    side_by_side: u64,
}

/// What all groups of a launch have in common.
#[derive(Clone, Copy)]
pub(crate) struct Common<'m> {
    code: &'m [Code],
    names: &'m [String],
    host: &'m [(u64, u64, u64)],
    target: Target,
    stray: bool,
    everybody: bool,
    divisions: bool,
    config: &'m LaunchConfig,
    limits: &'m Limits,
    per_group: u32,
    shared_bytes: u64,
    dynamic_shared: u64,
}

/// What a launch changes.
pub(crate) struct Changed<'m> {
    global: &'m mut Arena,
    constant: &'m mut Arena,
    output: &'m mut Vec<u8>,
    heap: &'m mut heap::Heap,
    survey: Option<&'m mut Survey>,
}

/// What is launched, and with what.
struct Launched<'m> {
    func: u32,
    args: &'m [(u64, decode::Shadow)],
    shared: &'m [SharedObject],
    params: &'m Arena,
}

/// Bits and shadows of lanes.
type Lanes = Vec<(u64, decode::Shadow)>;

/// An object of work-group memory: size (0 until launch for the dynamic one), alignment, name.
type SharedObject = (u64, u64, u32);

/// Alignment of dynamic work-group memory, whatever is put there.
const SHARED_ALIGN: u64 = 256;

impl Machine {
    /// Makes a module ready. It must satisfy the verifier. Until [`Machine::set_target`] says otherwise it was
    /// made for the default one.
    pub fn new(module: &Module) -> Self {
        let mut m = Self {
            code: Vec::new(),
            names: Vec::new(),
            global: Arena::new(Tag::Global),
            constant: Arena::new(Tag::Constant),
            shared: Vec::new(),
            globals: Vec::new(),
            params: Vec::new(),
            target: Target::default(),
            stray: false,
            everybody: false,
            divisions: false,
            output: Vec::new(),
            heap: heap::Heap::default(),
            host: Vec::new(),
            locals: FxHashMap::default(),
            threads: 1,
            side_by_side: lockstep::MIN_ITEMS,
        };
        m.heap.name = m.names.len() as u32;
        m.names.push("memory from `malloc` or `new`".to_owned());
        m.place_globals(module);
        let addresses: Vec<u64> = m.globals.iter().map(|g| g.1).collect();
        m.initialise(module, &addresses);
        for f in module.functions.values() {
            let mut code = decode::decode(module, f, &addresses, &mut m.names);
            code.first = m.code.last().map_or(0, |last| last.first.saturating_add(last.ops.len() as u32));
            m.code.push(code);
            m.params.push(f.params.iter().map(|p| (p.ty, p.attrs.byval, p.attrs.align)).collect());
        }
        m
    }

    /// Says what the module was made for: the size of warps, how large launches can be, and whether a pointer to one
    /// address space may point into another.
    pub fn set_target(&mut self, target: Target) {
        self.target = target;
    }

    /// On how many threads [`Machine::survey`] may run groups, where the outcome is the same; 1 unless this is said.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// From how many work-items on [`Machine::survey`] runs a launch with work-items side by side, where there is little to say
    /// of it; for tests.
    pub fn set_side_by_side(&mut self, items: u64) {
        self.side_by_side = items;
    }

    fn place_globals(&mut self, module: &Module) {
        // Dynamic work-group memory is one object however many names it has: number 0.
        self.names.push("dynamic work-group memory".to_owned());
        self.shared.push((0, SHARED_ALIGN, 0));
        for g in module.globals.values() {
            let name = self.names.len() as u32;
            self.names.push(format!("`{}`", g.name));
            let size = g.size.min(MAX_OBJECT);
            let address = match g.space {
                AddrSpace::Shared if g.size == 0 => self.shared_address(0),
                AddrSpace::Shared => {
                    self.shared.push((size, g.align.into(), name));
                    self.shared_address(self.shared.len() - 1)
                }
                AddrSpace::Constant | AddrSpace::Param => self.constant.push(size, g.align.into(), name),
                _ => self.global.push(size, g.align.into(), name),
            };
            self.globals.push((g.name.clone(), address, size));
        }
    }

    fn shared_address(&self, object: usize) -> u64 {
        (Tag::Shared as u64) << 56 | (object as u64) << 32 | self.shared[object].1
    }

    fn initialise(&mut self, module: &Module, addresses: &[u64]) {
        for (n, g) in module.globals.values().enumerate() {
            let arena = match g.space {
                AddrSpace::Shared => continue,
                AddrSpace::Constant | AddrSpace::Param => &mut self.constant,
                _ => &mut self.global,
            };
            let Some((at, _)) = arena.locate(addresses[n], self.globals[n].2) else { continue };
            arena.objects[memory::object_of(addresses[n])].read_only = g.constant || g.space == AddrSpace::Constant;
            match &g.init {
                GlobalInit::None if g.space != AddrSpace::Constant => {}
                GlobalInit::None | GlobalInit::Zero => arena.fill(at, &vec![0; self.globals[n].2 as usize]),
                GlobalInit::Bytes(bytes, relocs) => {
                    arena.fill(at, &vec![0; self.globals[n].2 as usize]);
                    arena.fill(at, bytes);
                    for r in relocs {
                        let to = addresses.get(r.global.index()).map_or(0, |a| a.wrapping_add_signed(r.addend));
                        arena.fill(at + r.offset as usize, &to.to_le_bytes());
                    }
                }
            }
        }
    }

    // ---- execution --------------------------------------------------------------------------------------------------

    /// Runs a kernel.
    ///
    /// # Errors
    /// The first thing that a work-item did wrong, or a limit that was reached. Memory is left as it was then.
    pub fn launch(
        &mut self,
        kernel: FuncId,
        config: &LaunchConfig,
        args: &[Arg],
        limits: &Limits,
    ) -> Result<Stats, Box<Trap>> {
        fenv::in_default(|| self.start(kernel, config, args, limits, None)).map(|(stats, _)| stats)
    }

    /// Runs a kernel, notes what its work-items do wrong, and goes on. [`Limits::races`] includes races between groups here.
    ///
    /// # Errors
    /// What cannot be gone on from: a limit that was reached, an operation that is not executed here, arguments that do not
    /// fit.
    pub fn survey(
        &mut self,
        kernel: FuncId,
        config: &LaunchConfig,
        args: &[Arg],
        limits: &Limits,
        survey: &mut Survey,
    ) -> Result<Stats, Box<Trap>> {
        fenv::in_default(|| self.start(kernel, config, args, limits, Some(survey))).map(|(stats, _)| stats)
    }

    /// Runs a function in a single work-item; the lanes of its result, `None` for undefined ones.
    ///
    /// # Errors
    /// As [`Machine::launch`].
    pub fn call(&mut self, function: FuncId, args: &[Arg], limits: &Limits) -> Result<Vec<Option<u64>>, Box<Trap>> {
        let (_, result) = fenv::in_default(|| self.start(function, &LaunchConfig::items(1), args, limits, None))?;
        Ok(result.into_iter().map(|(v, shadow)| (shadow == 0).then_some(v)).collect())
    }

    fn start(
        &mut self,
        kernel: FuncId,
        config: &LaunchConfig,
        args: &[Arg],
        limits: &Limits,
        survey: Option<&mut Survey>,
    ) -> Result<(Stats, Lanes), Box<Trap>> {
        let bad =
            |kind| Box::new(Trap { kind, span: Span::NONE, function: String::new(), group: [0; 3], work_item: [0; 3] });
        let per_group = check_shape(config, self.target).map_err(|why| bad(TrapKind::BadLaunch { why }))?;
        let func = kernel.index();
        if self.code.get(func).is_none_or(|c| c.ops.is_empty()) {
            return Err(bad(TrapKind::BadLaunch { why: "the function has no body".to_owned() }));
        }
        let mut params = Arena::new(Tag::Param);
        let (values, shared, dynamic) = self.arguments(func, config, args, &mut params).map_err(bad)?;
        let shared_bytes: u64 = shared.iter().map(|s| s.0).fold(0, u64::saturating_add);
        if shared_bytes > limits.memory {
            return Err(bad(TrapKind::MemoryLimit));
        }
        let common = Common {
            code: &self.code,
            names: &self.names,
            host: &self.host,
            target: self.target,
            stray: self.stray,
            everybody: self.everybody,
            divisions: self.divisions,
            config,
            limits,
            per_group,
            shared_bytes,
            dynamic_shared: dynamic,
        };
        let mut changed = Changed {
            global: &mut self.global,
            constant: &mut self.constant,
            output: &mut self.output,
            heap: &mut self.heap,
            survey,
        };
        let launched = Launched { func: func as u32, args: &values, shared: &shared, params: &params };
        if let Some(stats) = lockstep::survey(common, &mut changed, &launched, (self.threads, self.side_by_side)) {
            return Ok((stats, Vec::new()));
        }
        if let Some(stats) = parallel::survey(common, &mut changed, &launched, self.threads) {
            return Ok((stats, Vec::new()));
        }
        let mut exec = Exec::new(common, params, changed);
        let mut stats = Stats::default();
        let mut result = Vec::new();
        for z in 0..config.grid[2] {
            for y in 0..config.grid[1] {
                for x in 0..config.grid[0] {
                    exec.group = [x, y, z];
                    result = run_one_group(&mut exec, func as u32, per_group, &values, &shared)?;
                    stats.groups += 1;
                    stats.work_items += u64::from(per_group);
                }
            }
        }
        (stats.steps, stats.threads) = (exec.steps, 1);
        Ok((stats, result))
    }

    /// Argument lanes with shadows, the group's shared objects, bytes of dynamic shared memory.
    fn arguments(
        &self,
        func: usize,
        config: &LaunchConfig,
        args: &[Arg],
        params: &mut Arena,
    ) -> Result<(Lanes, Vec<SharedObject>, u64), TrapKind> {
        let bad = |why: String| Err(TrapKind::BadLaunch { why });
        let wanted = &self.params[func];
        if args.len() != wanted.len() {
            return bad(format!("{} arguments given, {} expected", args.len(), wanted.len()));
        }
        let mut shared = self.shared.clone();
        shared[0].0 = config.dynamic_shared;
        let mut values = Vec::new();
        for (n, (arg, &(ty, byval, align))) in args.iter().zip(wanted).enumerate() {
            match arg {
                Arg::Bytes(bytes) => match byval {
                    Some(size) if u64::from(size) == bytes.len() as u64 => {
                        let address = params.push(size.into(), u64::from(align.max(16)), 0);
                        if let Some((at, _)) = params.locate(address, size.into()) {
                            params.fill(at, bytes);
                        }
                        params.objects[memory::object_of(address)].read_only = true;
                        values.push((address, 0));
                    }
                    Some(size) => return bad(format!("argument {n} has {} bytes, {size} expected", bytes.len())),
                    None => return bad(format!("argument {n} is not passed by value")),
                },
                _ if byval.is_some() => return bad(format!("argument {n} is an aggregate: its bytes expected")),
                Arg::Local(size) if ty.is_ptr() => {
                    if *size > MAX_OBJECT {
                        return bad(format!("argument {n} asks for too much work-group memory"));
                    }
                    shared.push((*size, SHARED_ALIGN, self.locals.get(&n).copied().unwrap_or(0)));
                    let address = (Tag::Shared as u64) << 56 | (shared.len() as u64 - 1) << 32 | SHARED_ALIGN;
                    values.push((address, 0));
                }
                Arg::Value(v) | Arg::Pointer(v) if !ty.is_vector() => values.push((v & ty.mask(), 0)),
                Arg::Vector(lanes) if lanes.len() == usize::from(ty.lanes()) => {
                    values.extend(lanes.iter().map(|v| (v & ty.mask(), 0)));
                }
                _ => return bad(format!("argument {n} does not fit the type {ty}")),
            }
        }
        Ok((values, shared, config.dynamic_shared))
    }
}

/// Checks a launch's shape; work-items per group.
fn check_shape(config: &LaunchConfig, target: Target) -> Result<u32, String> {
    let limits = target.launch_limits();
    let exceeded = |e: target::LimitExceeded| format!("{e} on `{target}`");
    let items = limits.check_group(config.block.map(u64::from)).map_err(exceeded)?;
    limits.check_groups(config.grid.map(u64::from)).map_err(exceeded)?;
    if config.dynamic_shared > MAX_OBJECT {
        return Err("too much dynamic work-group memory".to_owned());
    }
    Ok(items)
}

fn run_one_group(
    exec: &mut Exec<'_>,
    func: u32,
    per_group: u32,
    args: &[(u64, decode::Shadow)],
    shared: &[SharedObject],
) -> Result<Lanes, Box<Trap>> {
    exec.shared.truncate(0);
    for &(size, align, name) in shared {
        exec.shared.push(size, align, name);
    }
    exec.group_ordering = false;
    exec.copies.clear();
    exec.warp_epochs.clear();
    exec.warp_epochs.resize(per_group.div_ceil(exec.warp) as usize, 0);
    if let Some(races) = &mut exec.races {
        races.begin_group();
    }
    let [bx, by, _] = exec.config.block;
    let mut items = std::mem::take(&mut exec.ended);
    items.resize_with(per_group as usize, Item::new);
    for (n, item) in (0..per_group).zip(&mut items) {
        item.begin(n, [n % bx, n / bx % by, n / bx / by]);
        exec.enter(item, func, args).map_err(|kind| {
            let (group, work_item) = (exec.group_number(), item.id);
            Box::new(Trap { kind, span: Span::NONE, function: String::new(), group, work_item })
        })?;
    }
    exec.run_group(&mut items)?;
    let result = items.last_mut().map(|i| std::mem::take(&mut i.result)).unwrap_or_default();
    exec.ended = items;
    Ok(result)
}
