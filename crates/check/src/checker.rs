//! A launch in the interpreter.

use interp::{Access, Arg, Finding, LaunchConfig, Limits, Machine, Survey, Trap, Uninit, Whole};
use ir::{FuncId, Module};
use launch::Launch;
use launch::image::ImageDesc;
use launch::kernels::KernelInfo;
use std::time::{Duration, Instant};
use target::Target;

/// Bytes of work-group memory, private memory and registers of the groups in flight.
const MAX_MEMORY: u64 = 4 << 30;

/// Most findings of a launch that are kept apart.
const MAX_FINDINGS: usize = 64;

/// The kernel to run.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// Its program.
    pub module: &'a Module,
    /// Which function of it.
    pub function: FuncId,
    /// The kernel as its callers see it.
    pub kernel: &'a KernelInfo,
    /// What it was compiled for.
    pub target: Target,
    /// Every work-item of a group must reach each barrier, as OpenCL has it.
    pub barriers_for_everybody: bool,
    /// The code divides where its source does: it was not optimised.
    pub divisions: bool,
    /// Accesses move words in which there may be something between the values, as those of a compiler's output do: copies
    /// are no reads.
    pub moves_words: bool,
}

/// What an object holds before the launch.
#[derive(Clone, Copy, Debug)]
pub enum Contents<'a> {
    /// So many bytes that nobody has written.
    Unwritten(u64),
    /// These bytes.
    Bytes(&'a [u8]),
    /// These bytes, of which those that are 1 in the other list were not written.
    Partly(&'a [u8], &'a [u8]),
}

/// Why something cannot be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// An object is larger than the interpreter's can be.
    TooLarge,
    /// An argument does not fit its parameter.
    Argument(usize),
}

/// What came of a launch of which all faults were wanted.
#[derive(Debug)]
pub struct Surveyed {
    /// What was found, in the order in which it was seen.
    pub findings: Vec<Finding>,
    /// How many more faults there were than findings are kept.
    pub left_out: u64,
    /// So many accesses were made that races between groups may have been missed.
    pub partial: bool,
    /// On how many threads groups ran; the outcome is the same on any number.
    pub threads: usize,
    /// Work-items went through the code side by side.
    pub side_by_side: bool,
    /// Why the launch was not run to its end.
    pub ended: Option<Box<Trap>>,
}

/// A kernel, its arguments and their objects.
#[derive(Debug)]
pub struct Checker<'a> {
    code: Code<'a>,
    machine: Machine,
    args: Vec<Arg>,
}

impl<'a> Checker<'a> {
    /// A kernel without arguments yet.
    pub fn new(code: Code<'a>) -> Self {
        let mut machine = Machine::new(code.module);
        machine.set_target(code.target);
        machine.set_stray_pointers(true);
        machine.set_barriers_for_everybody(code.barriers_for_everybody);
        machine.set_divisions_checked(code.divisions);
        Self { code, machine, args: Vec::new() }
    }

    /// On how many threads [`Checker::survey`] may run groups, where that does not change what comes out; 1 unless this is said.
    pub fn set_threads(&mut self, threads: usize) {
        self.machine.set_threads(threads);
    }

    /// From how many work-items on [`Checker::survey`] runs a launch with work-items side by side
    /// ([`Machine::set_side_by_side`]); for tests.
    pub fn set_side_by_side(&mut self, items: u64) {
        self.machine.set_side_by_side(items);
    }

    // ---- what the kernel finds --------------------------------------------------------------------------------------

    /// Makes an object in global memory; its address.
    ///
    /// # Errors
    /// It is too large.
    pub fn object(&mut self, name: &str, contents: Contents<'_>) -> Result<u64, Problem> {
        let made = match contents {
            Contents::Unwritten(bytes) => self.machine.alloc_global(bytes),
            Contents::Bytes(bytes) | Contents::Partly(bytes, _) => self.machine.alloc_bytes(bytes),
        };
        let address = made.ok_or(Problem::TooLarge)?;
        if let Contents::Partly(_, unwritten) = contents {
            self.machine.write_shadow(address, unwritten);
        }
        self.machine.name_object(address, name);
        Ok(address)
    }

    /// Makes the description of an image whose elements begin at `data`; its address.
    ///
    /// # Errors
    /// As [`Checker::object`].
    pub fn image(&mut self, name: &str, desc: &ImageDesc, data: u64) -> Result<u64, Problem> {
        let here = ImageDesc { data, ..*desc };
        self.object(&format!("the description of {name}"), Contents::Bytes(&here.to_bytes()))
    }

    /// Says what kernels may do with the object that begins at this address; anything unless this is said.
    pub fn set_access(&mut self, address: u64, reads: bool, writes: bool) {
        self.machine.set_access(address, reads, writes);
    }

    /// Says that pointers of the host's to these bytes mean the object that begins at this address
    /// ([`Machine::place_host`]).
    pub fn place_host(&mut self, start: u64, bytes: u64, address: u64) {
        self.machine.place_host(start, bytes, address);
    }

    /// Gives a variable of the program these contents, if there is one with this symbol.
    pub fn set_variable(&mut self, symbol: &str, bytes: &[u8]) {
        if let Some((address, size)) = self.machine.global(symbol)
            && size == bytes.len() as u64
        {
            self.machine.write(address, bytes);
        }
    }

    /// What a variable of the program holds.
    pub fn variable(&self, symbol: &str) -> Option<&[u8]> {
        let (address, size) = self.machine.global(symbol)?;
        self.machine.read(address, size)
    }

    /// What is at an address; `None` if it is not inside of an object.
    pub fn bytes(&self, address: u64, len: u64) -> Option<&[u8]> {
        self.machine.read(address, len)
    }

    /// Of each of these bytes whether it was never written (1).
    pub fn unwritten(&self, address: u64, len: u64) -> Option<&[u8]> {
        self.machine.read_shadow(address, len)
    }

    /// Takes what the kernel printed.
    pub fn take_output(&mut self) -> Vec<u8> {
        self.machine.take_output()
    }

    // ---- arguments, in their order ----------------------------------------------------------------------------------

    /// The next argument is this value, as it lies in memory.
    ///
    /// # Errors
    /// There is no parameter for it.
    pub fn push_value(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let n = self.args.len();
        let params = &self.code.module.functions[self.code.function].params;
        let param = params.get(n).ok_or(Problem::Argument(n))?;
        self.args.push(if param.attrs.byval.is_some() {
            Arg::Bytes(bytes.to_vec())
        } else {
            let each = (param.ty.scalar_bytes() as usize).max(1);
            let lanes: Vec<u64> = bytes.chunks(each).take(param.ty.lanes().into()).map(bits).collect();
            if param.ty.is_vector() { Arg::Vector(lanes) } else { Arg::Value(lanes.first().copied().unwrap_or(0)) }
        });
        Ok(())
    }

    /// The next argument is so many bytes of work-group memory.
    pub fn push_local(&mut self, bytes: u64) {
        let n = self.args.len();
        self.machine.name_local(n, &param_name(self.code.kernel, n));
        self.args.push(Arg::Local(bytes));
    }

    /// The next argument is this address: of an object, of the host's, or 0.
    pub fn push_pointer(&mut self, address: u64) {
        self.args.push(Arg::Pointer(address));
    }

    // ---- the launch -------------------------------------------------------------------------------------------------

    fn limits(&self) -> Limits {
        let uninit = if self.code.moves_words { Uninit::OnReadOfValues } else { Uninit::OnRead };
        Limits { steps: u64::MAX, memory: MAX_MEMORY, uninit, races: true }
    }

    /// Runs the launch up to its first fault; how long that took.
    ///
    /// # Errors
    /// The fault.
    pub fn run(&mut self, shape: &Launch) -> Result<Duration, Box<Trap>> {
        let started = Instant::now();
        let limits = self.limits();
        let (machine, function) = (&mut self.machine, self.code.function);
        parts(shape).try_for_each(|c| machine.launch(function, &c, &self.args, &limits).map(|_| ()))?;
        Ok(started.elapsed())
    }

    /// Runs the whole launch and gathers its faults.
    pub fn survey(&mut self, shape: &Launch) -> Surveyed {
        let mut survey = Survey::new(MAX_FINDINGS);
        let limits = self.limits();
        let (machine, function) = (&mut self.machine, self.code.function);
        let (mut threads, mut side_by_side) = (1, false);
        let ran = parts(shape).try_for_each(|c| {
            let stats = machine.survey(function, &c, &self.args, &limits, &mut survey)?;
            threads = threads.max(stats.threads);
            side_by_side |= stats.side_by_side;
            Ok(())
        });
        Surveyed {
            findings: survey.findings().to_vec(),
            left_out: survey.left_out(),
            partial: survey.is_partial(),
            threads,
            side_by_side,
            ended: ran.err(),
        }
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

fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b))
}

/// What a parameter's buffer is called in messages.
pub fn param_name(kernel: &KernelInfo, n: usize) -> String {
    match kernel.params.get(n).map_or("", |p| p.name.as_str()) {
        "" => format!("parameter {}", n + 1),
        name => format!("`{name}`"),
    }
}

/// An access in a word.
pub(crate) fn word(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
        Access::Atomic => "atomic operation",
    }
}
