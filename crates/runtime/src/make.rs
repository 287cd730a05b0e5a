//! Makes machine code of a kernel for one local size.

use crate::output::unspool_rt_printf;
use crate::{Error, Facts, HostOptions, Program};
use ir::{FuncId, Module, ScalarKind};
use llvm::{Denormals, Entry, HostMachine, Jit};
use simd::HostKernel;
use source::Session;
use std::time::Instant;
use unspool::Dialect;

/// What makes machine code: a processor, and how.
#[derive(Debug)]
pub(crate) struct Maker {
    pub(crate) machine: HostMachine,
    pub(crate) options: HostOptions,
}

/// Machine code of one kernel for one local size, loaded.
#[derive(Debug)]
pub(crate) struct Made {
    /// What is known of it.
    pub(crate) facts: Facts,
    /// How to call it.
    pub(crate) host: HostKernel,
    /// The local size that it was made for.
    pub(crate) local: [u32; 3],
    /// Where it begins.
    pub(crate) entry: Entry,
    /// Whether threads flush subnormal numbers while they run it.
    pub(crate) flush: bool,
    /// Holds the code of `entry`.
    _code: Jit,
}

/// What `simd` must know of a machine.
pub(crate) fn vectors(machine: &HostMachine, lanes: Option<u32>) -> simd::Machine {
    let v = machine.vectors();
    simd::Machine { vector_bits: lanes.map_or(v.vector_bits, |n| n.clamp(1, 64) * 32), gathers: v.gathers }
}

impl Maker {
    /// Makes a kernel; what becomes of hints goes to the session's ledger.
    pub(crate) fn make(
        &self,
        program: &Program,
        kernel: &str,
        local: [u32; 3],
        session: &mut Session,
    ) -> Result<Made, Error> {
        let scalar = self.options.scalar;
        let id = program.module()?.find(kernel).ok_or_else(|| Error::NoKernel { name: kernel.to_owned() })?;
        let made = self.make_as(program, id, local, session, !scalar);
        // The private memory of a vector of work-items is too much; that of one may not be.
        let Err(Error::Llvm(llvm::LlvmError::StackTooLarge { bytes, limit, .. })) = &made else { return made };
        if scalar {
            return made;
        }
        let reason = format!("the private arrays of a vector of work-items take {bytes} bytes, more than {limit}");
        let mut made = self.make_as(program, id, local, session, false)?;
        made.facts.reason = Some(reason);
        Ok(made)
    }

    fn make_as(
        &self,
        program: &Program,
        kernel: FuncId,
        local: [u32; 3],
        session: &mut Session,
        vectorise: bool,
    ) -> Result<Made, Error> {
        let mut module = program.module()?.clone();
        let started = Instant::now();
        let options = simd::Options {
            local_size: local,
            warp_size: target::WARP_SIZE,
            vectorise,
            machine: vectors(&self.machine, self.options.lanes),
        };
        let host = simd::work_group(&mut module, session, kernel, &options)?;
        let widened = started.elapsed();
        let started = Instant::now();
        let denormals = denormals(&module, program.dialect(), host.func);
        let options =
            llvm::Options { entries: &[&host.name], opt: self.options.level, denormals, ..llvm::Options::default() };
        let compiled = llvm::compile(&module, &self.machine, &options)?;
        let printf = ("unspool_rt_printf", unspool_rt_printf as *const () as usize);
        let jit = compiled.jit(&[printf])?;
        let entry = jit.entry(&host.name).ok_or_else(|| llvm::LlvmError::NoEntry { name: host.name.clone() })?;
        let facts = Facts {
            lanes: host.lanes,
            reason: host.reason.clone(),
            shared_bytes: host.shared_bytes.into(),
            stages: vec![("vectoriser", widened), ("LLVM", started.elapsed())],
        };
        let flush = flushes(&module) && denormals == Denormals::Environment;
        Ok(Made { facts, host, local, entry, flush, _code: jit })
    }
}

/// Whether the program asks for subnormal numbers to be flushed.
fn flushes(module: &Module) -> bool {
    module.math.ftz
}

/// The processor flushes doubles with floats. OpenCL says so, too (5.6.4.2 of the 1.2 specification); in CUDA doubles
/// keep their subnormals, so code with doubles flushes its floats itself.
fn denormals(module: &Module, dialect: Dialect, kernel: FuncId) -> Denormals {
    let function = &module.functions[kernel];
    let doubles = || {
        let is_double = |v: ir::Value| function.dfg.ty(v).kind() == ScalarKind::F64;
        let mut all = function.layout.blocks().flat_map(|b| function.layout.insts(b));
        all.any(|i| function.dfg.result(i).is_some_and(is_double))
    };
    if flushes(module) && !dialect.is_opencl() && doubles() { Denormals::Emulate } else { Denormals::Environment }
}
