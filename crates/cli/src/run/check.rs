//! `--check`: the kernel in the reference interpreter, which stops at the first thing that a kernel may not do.
//!
//! Found are accesses outside of buffers and variables, misaligned ones, writes to constant memory, uninitialised values
//! that decide something or are read from memory, races between the work-items of a group, barriers and warp
//! operations that not everybody reaches, calls that nest too deep. Groups run one after another, so races between
//! groups are not found.

use super::argument::{Argument, Role};
use crate::engine::{Job, Loaded, Placement};
use interp::{Access, Arg, LaunchConfig, Limits, Trap, TrapKind, Uninit, Whole};
use launch::kernels::{KernelInfo, ParamKind, Space};
use launch::{Launch, Prepared};
use source::{Diagnostic, Span};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bytes of work-group memory, private memory and registers of the groups in flight.
const MAX_MEMORY: u64 = 4 << 30;

/// Makes a kernel ready to be checked.
pub(crate) fn load(job: Job<'_>) -> Box<dyn Loaded + '_> {
    let kernel = Prepared { lanes: 1, ..Prepared::default() };
    let placement = Placement { device: "interpreter".to_owned(), threads: 1, kernel };
    Box::new(Checked { job, placement, variables: Vec::new() })
}

struct Checked<'a> {
    job: Job<'a>,
    placement: Placement,
    /// What variables that outlive kernels hold: those that were set, all of them after a launch. By their symbols.
    variables: Vec<(String, Vec<u8>)>,
}

impl Loaded for Checked<'_> {
    fn placement(&self) -> &Placement {
        &self.placement
    }

    fn set_symbol(&mut self, symbol: &str, bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
        self.variables.retain(|v| v.0 != symbol);
        self.variables.push((symbol.to_owned(), bytes.to_vec()));
        Ok(())
    }

    fn symbol(&mut self, symbol: &str, bytes: &mut [u8]) -> Result<(), Box<Diagnostic>> {
        match self.variables.iter().find(|v| v.0 == symbol) {
            Some((_, held)) if held.len() == bytes.len() => bytes.copy_from_slice(held),
            _ => {
                let message = format!("the program has no variable `{symbol}` of {} bytes", bytes.len());
                return Err(Box::new(Diagnostic::error("E0717", Span::NONE, message)));
            }
        }
        Ok(())
    }

    fn launch(&mut self, arguments: &mut [Argument], done: &AtomicU64) -> Result<Duration, Box<Diagnostic>> {
        let module = &self.job.compilation.module;
        let mut machine = interp::Machine::new(module);
        machine.set_target(self.job.target);
        machine.set_stray_pointers(true);
        machine.set_barriers_for_everybody(self.job.dialect.is_opencl());
        // Optimised code may divide where the program does not.
        machine.set_divisions_checked(self.job.options.level == unspool::OptLevel::O0);
        for (symbol, bytes) in &self.variables {
            if let Some((address, _)) = machine.global(symbol) {
                machine.write(address, bytes);
            }
        }
        let mut args = Vec::new();
        let mut buffers = Vec::new();
        for (n, a) in arguments.iter().enumerate() {
            args.push(self.argument(&mut machine, n, a, &mut buffers)?);
        }
        let shape = &self.job.shape;
        let limits = Limits { steps: u64::MAX, memory: MAX_MEMORY, uninit: Uninit::OnRead, races: true };
        let started = Instant::now();
        let ran = parts(shape).try_for_each(|c| machine.launch(self.job.function, &c, &args, &limits).map(|_| ()));
        let time = started.elapsed();
        print(&machine.take_output());
        ran.map_err(|t| Box::new(explain(&t, self.job.kernel, shape)))?;
        done.store(shape.range.group_count(), Ordering::Relaxed);
        self.variables = launch::variables::shared(module)
            .into_iter()
            .filter_map(|g| {
                let symbol = &module.globals[g].name;
                let (address, size) = machine.global(symbol)?;
                Some((symbol.clone(), machine.read(address, size)?.to_vec()))
            })
            .collect();
        for (n, address) in buffers {
            let Argument::Buffer(data) = &mut arguments[n] else { continue };
            let len = data.bytes.len() as u64;
            if data.role.is_output()
                && let Some(bytes) = machine.read(address, len)
            {
                data.bytes.copy_from_slice(bytes);
            }
        }
        Ok(time)
    }
}

/// A launch for each size of groups.
fn parts(launch: &Launch) -> impl Iterator<Item = LaunchConfig> + '_ {
    let range = &launch.range;
    range.parts().map(|part| LaunchConfig {
        grid: part.groups,
        block: part.local,
        offset: part.origin,
        work_dim: range.work_dim,
        dynamic_shared: launch.dynamic_shared,
        whole: Some(Whole {
            first: part.first,
            groups: [0, 1, 2].map(|d| range.groups(d) as u32),
            local: range.local,
            global: range.global,
            offset: range.offset,
        }),
    })
}

impl Checked<'_> {
    fn argument(
        &self,
        machine: &mut interp::Machine,
        n: usize,
        a: &Argument,
        buffers: &mut Vec<(usize, u64)>,
    ) -> Result<Arg, Box<Diagnostic>> {
        let param = &self.job.compilation.module.functions[self.job.function].params[n];
        Ok(match a {
            Argument::Value(bytes) if param.attrs.byval.is_some() => Arg::Bytes(bytes.clone()),
            Argument::Value(bytes) => {
                let each = param.ty.scalar_bytes() as usize;
                let lanes: Vec<u64> = bytes.chunks(each).take(param.ty.lanes().into()).map(bits).collect();
                if param.ty.is_vector() { Arg::Vector(lanes) } else { Arg::Value(lanes.first().copied().unwrap_or(0)) }
            }
            Argument::Local(bytes) => Arg::Local(*bytes),
            Argument::Null => Arg::Pointer(0),
            Argument::Buffer(data) => {
                // What is only written must not be read before.
                let made = match data.role {
                    Role::Out => machine.alloc_global(data.bytes.len() as u64),
                    _ => machine.alloc_bytes(&data.bytes),
                };
                let Some(address) = made else {
                    let d = Diagnostic::error("E0711", Span::NONE, "a buffer is too large for the interpreter");
                    return Err(Box::new(d.help("buffers of up to 3.75 GiB can be checked")));
                };
                machine.name_object(address, &param_name(self.job.kernel, n));
                buffers.push((n, address));
                Arg::Pointer(address)
            }
        })
    }
}

/// What a parameter's buffer is called in messages.
fn param_name(kernel: &KernelInfo, n: usize) -> String {
    match kernel.params[n].name.as_str() {
        "" => format!("parameter {}", n + 1),
        name => format!("`{name}`"),
    }
}

fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b))
}

fn print(text: &[u8]) {
    let mut out = std::io::stdout().lock();
    // A reader that has seen enough is no error.
    let _ = out.write_all(text).and_then(|()| out.flush());
}

/// An object as the message names it, with the bytes of its elements, if it is a parameter's buffer.
fn element(kernel: &KernelInfo, object: &str) -> Option<u64> {
    let n = (0..kernel.params.len()).find(|&n| param_name(kernel, n) == object)?;
    match &kernel.params[n].kind {
        ParamKind::Pointer { element_bytes, space: Space::Global | Space::Constant, .. } => Some(*element_bytes),
        _ => None,
    }
}

/// A place in an object: an index where it is known what the elements are, else bytes.
fn place(kernel: &KernelInfo, object: &str, offset: i64) -> String {
    match element(kernel, object).and_then(|e| i64::try_from(e).ok()) {
        Some(e) => format!("{object}[{}]", offset.div_euclid(e)),
        None => format!("byte {offset} of {object}"),
    }
}

fn word(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
        Access::Atomic => "atomic operation",
    }
}

/// The diagnostic of a fault.
fn explain(trap: &Trap, kernel: &KernelInfo, shape: &Launch) -> Diagnostic {
    let (message, help) = describe(trap, kernel);
    let mut d = Diagnostic::error("E0711", trap.span, message);
    if let TrapKind::DataRace { other_span, other, other_access, .. } = &trap.kind {
        let who = item_of(*other, shape);
        d = d.label(*other_span, format!("the {} of work-item {who}", word(*other_access)));
    }
    if !trap.function.is_empty() {
        let list =
            |v: [u64; 3]| v[..shape.range.work_dim as usize].iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let wide = |v: [u32; 3]| v.map(u64::from);
        let global: [u64; 3] = std::array::from_fn(|d| {
            shape.range.offset[d]
                + u64::from(trap.group[d]) * u64::from(shape.range.local[d])
                + u64::from(trap.work_item[d])
        });
        d = d.note(format!(
            "work-item {} of work-group {} (global id {}) of kernel `{}`",
            list(wide(trap.work_item)),
            list(wide(trap.group)),
            list(global),
            kernel.name
        ));
    }
    d.help(help)
}

/// Local id of a work-item by its linear number in the group.
fn item_of(linear: u32, shape: &Launch) -> String {
    let [x, y, _] = shape.range.local;
    let id = [linear % x, linear / x % y, linear / x / y];
    id[..shape.range.work_dim as usize].iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn describe(trap: &Trap, kernel: &KernelInfo) -> (String, &'static str) {
    match &trap.kind {
        TrapKind::OutOfBounds { access, object, bytes, offset, size, .. } if !object.is_empty() => {
            let at = place(kernel, object, *offset);
            let has = match element(kernel, object) {
                Some(e) => format!("{} element{}", size / e, if size / e == 1 { "" } else { "s" }),
                None => format!("{size} bytes"),
            };
            let what = format!("out-of-bounds {} of {bytes} bytes: {at}, but {object} has {has}", word(*access));
            (what, "test the index before the access, or pass a larger buffer")
        }
        TrapKind::OutOfBounds { access, bytes, address, .. } => {
            let null = if *address < 1 << 20 { " (a null pointer?)" } else { "" };
            (
                format!("out-of-bounds {} of {bytes} bytes through a pointer to no buffer{null}", word(*access)),
                "check where the pointer comes from",
            )
        }
        TrapKind::UninitialisedRead { object, offset, .. } if element(kernel, object).is_none() => (
            format!("read of uninitialised memory: {}", place(kernel, object, *offset as i64)),
            "write it before; if another work-item of the group does, put a barrier between its write and this read",
        ),
        TrapKind::UninitialisedRead { object, offset, .. } => (
            format!("read of uninitialised memory: {}", place(kernel, object, *offset as i64)),
            "write it before; a buffer given as `out:` has no contents, one given as `zeros:` or `inout:zeros:` has",
        ),
        TrapKind::DivisionByZero => {
            (trap.kind.to_string(), "test the divisor before; a run without `--check` goes on with any result")
        }
        TrapKind::UndefinedUse { what } => (
            format!("an uninitialised value is used as {what}"),
            "give the variable a value on every path to here; an index beyond four billion bytes counts as none",
        ),
        TrapKind::DataRace { object, offset, other_access, access, .. } => (
            format!(
                "data race on {}: {} here, {} by another work-item, and no barrier between them",
                place(kernel, object, *offset as i64),
                word(*access),
                word(*other_access)
            ),
            "put a barrier between the two, or use an atomic operation",
        ),
        TrapKind::BarrierDivergence { waiting, elsewhere } => (
            format!("divergent barrier: {waiting} work-items of the group reach it, {elsewhere} do not"),
            "move the barrier to where every work-item of the group gets",
        ),
        TrapKind::WarpDivergence { .. } | TrapKind::LaneNotInMask { .. } => {
            (trap.kind.to_string(), "name exactly the lanes that get here")
        }
        TrapKind::Misaligned { .. } => {
            (trap.kind.to_string(), "use a pointer to a type of smaller alignment, or `vloadn`")
        }
        TrapKind::ReadOnly { .. } => (trap.kind.to_string(), "copy it to memory that may be written"),
        TrapKind::Trap => {
            ("the kernel stopped itself (`assert`, `__trap`)".to_owned(), "see the condition at this place")
        }
        TrapKind::StackOverflow => (trap.kind.to_string(), "bound the recursion"),
        TrapKind::MemoryLimit | TrapKind::BadLaunch { .. } => (trap.kind.to_string(), "use a smaller launch"),
        TrapKind::Unsupported { .. } => (trap.kind.to_string(), "only the machine itself can run this"),
        _ => (trap.kind.to_string(), "this must not happen in a correct kernel"),
    }
}
