//! The `unspool` command with LLVM: what runs kernels on this machine.

mod fault;

use launch::Launch;
use runtime::{
    AmdBackend, Arg, Cache, Device, DevicePtr, HostBackend, HostDevice, HostOptions, Kernel, Program, Run, Transfer,
    llvm_level,
};
use source::Diagnostic;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use unspool::explain::Assembly;
use unspool::{Artefact, Contents};
use unspool_cli::engine::{Engine, Equipment, Faults, Job, Loaded, Placement};
use unspool_cli::run::argument::Argument;

fn main() -> ExitCode {
    unspool_cli::main(Equipment {
        engine: Some(&Host),
        backends: &[&HostBackend, &AmdBackend],
        registers: Some(amd_registers),
    })
}

/// What an AMD GPU's object says of a kernel. A spilled vector register is four bytes, stored once at least.
fn amd_registers(made: &Artefact, symbol: &str) -> Option<Assembly> {
    let Contents::Bytes(object) = &made.contents else { return None };
    let k = runtime::amd_kernel(object, symbol)?;
    let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Some(Assembly {
        by: "LLVM",
        registers: number(k.vgpr_count),
        scalar: Some(number(k.sgpr_count)),
        spill_stores: number(k.vgpr_spill_count.saturating_mul(4)),
        spill_loads: 0,
        shared: Some(k.group_segment_fixed_size),
        private: Some(k.private_segment_fixed_size),
    })
}

/// This machine's processors.
struct Host;

/// A kernel on them.
struct OnHost {
    device: HostDevice,
    program: Program,
    kernel: Arc<dyn Kernel>,
    shape: Launch,
    placement: Placement,
}

impl Engine for Host {
    fn load<'a>(&self, job: Job<'a>) -> Result<Box<dyn Loaded + 'a>, Box<Diagnostic>> {
        let o = &job.options;
        let options = HostOptions {
            threads: o.threads,
            specialise: None,
            scalar: o.scalar,
            lanes: o.lanes,
            level: llvm_level(o.level),
            llvm_limit: None,
        };
        let explain = |e: runtime::Error| Box::new(e.diagnostic());
        let cache = if o.cache { Cache::of_user() } else { Cache::off() };
        let module = job.compilation.module.clone();
        let program =
            if cache.is_on() { Program::stored(module, job.dialect) } else { Program::new(module, job.dialect) }
                .with_warp_size(job.target.warp_size());
        let device = HostDevice::with_cache(options, cache).map_err(explain)?;
        let kernel = device
            .prepare_range(&program, &job.kernel.symbol, &job.shape.range, &mut job.compilation.session)
            .map_err(explain)?;
        let placement = Placement {
            device: device.name().to_owned(),
            threads: device.threads(),
            kernel: kernel.prepared().clone(),
        };
        fault::explain_faults(&job.kernel.name);
        Ok(Box::new(OnHost { device, program, kernel, shape: job.shape, placement }))
    }
}

impl OnHost {
    /// The variable with this symbol, which has so many bytes.
    fn variable(&self, symbol: &str, bytes: usize) -> Result<DevicePtr, Box<Diagnostic>> {
        let found = self.device.variable(&self.program, symbol).map_err(|e| Box::new(e.diagnostic()))?;
        if found.bytes != bytes as u64 {
            let message = format!("variable `{symbol}` has {} bytes, not {bytes}", found.bytes);
            return Err(Box::new(Diagnostic::error("E0717", source::Span::NONE, message)));
        }
        Ok(found.address)
    }
}

impl Loaded for OnHost {
    fn placement(&self) -> &Placement {
        &self.placement
    }

    fn set_symbol(&mut self, symbol: &str, bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
        let to = self.variable(symbol, bytes.len())?;
        // SAFETY: no launch is under way, and the bytes are the caller's.
        unsafe { self.device.copy(&Transfer::to_device(to, bytes)) }.map_err(|e| Box::new(e.diagnostic()))
    }

    fn symbol(&mut self, symbol: &str, bytes: &mut [u8]) -> Result<(), Box<Diagnostic>> {
        let from = self.variable(symbol, bytes.len())?;
        // SAFETY: as above.
        unsafe { self.device.copy(&Transfer::to_host(bytes, from)) }.map_err(|e| Box::new(e.diagnostic()))
    }

    fn launch(&mut self, arguments: &mut [Argument], done: &AtomicU64) -> Result<Duration, Faults> {
        let args: Vec<Arg<'_>> = arguments
            .iter_mut()
            .map(|a| match a {
                Argument::Value(bytes) => Arg::Value(bytes),
                Argument::Buffer(data) => Arg::Pointer(data.bytes.as_mut_ptr()),
                Argument::Local(bytes) => Arg::Local(*bytes),
                Argument::Image(image) => {
                    image.desc.data = image.data.bytes.as_mut_ptr() as u64;
                    Arg::Pointer((&raw mut *image.desc).cast())
                }
                Argument::Null => Arg::Pointer(std::ptr::null_mut()),
            })
            .collect();
        let run = Run { done: Some(done), print: None };
        // SAFETY: the buffers are exclusively borrowed for the launch. Whether the kernel stays within them is the
        // user's affair: that is what `--check` finds out, and what `fault` says when it goes wrong.
        let ran = unsafe {
            match self.shape.shape() {
                Some(shape) => self.kernel.launch(&shape, &args, &run),
                None => self.kernel.launch_range(&self.shape.range, &args, &run),
            }
        };
        ran.map_err(|e| Faults(vec![e.diagnostic()]))
    }
}
