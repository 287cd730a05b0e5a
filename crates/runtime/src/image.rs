//! Machine code of a kernel for one local size as bytes: what is stored, and loaded without a compiler.

use crate::make::Made;
use crate::output::unspool_rt_printf;
use crate::variables::Variables;
use crate::{Error, Prepared};
use cranelift_entity::packed_option::ReservedValue;
use ir::FuncId;
use launch::context::ArgSlot;
use llvm::{Jit, LlvmError};
use serde::{Deserialize, Serialize};
use simd::HostKernel;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Machine code, and what its callers must know.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Image {
    /// An object file.
    pub(crate) object: Vec<u8>,
    /// Its entry point.
    pub(crate) entry: String,
    /// The local size that it was made for.
    pub(crate) local: [u32; 3],
    /// Offset, size, and whether it is a pointer to work-group memory, of each argument in the block.
    args: Vec<(u32, u32, bool)>,
    args_bytes: u32,
    shared_bytes: u32,
    scratch_bytes: u64,
    lanes: u32,
    /// Why there are not more of them.
    pub(crate) reason: Option<String>,
    /// Whether threads flush subnormal numbers while they run it.
    flush: bool,
    /// What the source calls the kernel.
    display: String,
}

impl Image {
    /// What was made of a kernel.
    pub(crate) fn new(object: Vec<u8>, host: HostKernel, local: [u32; 3], flush: bool, display: String) -> Self {
        Self {
            object,
            entry: host.name,
            local,
            args: host.args.iter().map(|a| (a.offset, a.size, a.local)).collect(),
            args_bytes: host.args_bytes,
            shared_bytes: host.shared_bytes,
            scratch_bytes: host.scratch_bytes,
            lanes: host.lanes,
            reason: host.reason,
            flush,
            display,
        }
    }

    /// Adds to the reason.
    pub(crate) fn note(&mut self, more: Option<String>) {
        self.reason = match (self.reason.take(), more) {
            (Some(reason), Some(more)) => Some(format!("{reason}; {more}")),
            (reason, more) => reason.or(more),
        };
    }

    /// What [`Image::write`] wrote.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    /// As bytes; `None` only if there is no memory.
    pub(crate) fn write(&self) -> Option<Vec<u8>> {
        postcard::to_stdvec(self).ok()
    }

    /// Loads it into this process, where it uses these variables. `stages` is how long it took to make or find it; loading is added.
    ///
    /// # Errors
    /// It is not for this machine, or there is no memory.
    pub(crate) fn load(
        self,
        mut stages: Vec<(&'static str, Duration)>,
        cached: Option<bool>,
        variables: Option<Arc<Variables>>,
    ) -> Result<Made, Error> {
        let started = Instant::now();
        let mut symbols = vec![("unspool_rt_printf", unspool_rt_printf as *const () as usize)];
        symbols.extend(variables.iter().flat_map(|v| v.symbols()));
        let code = Jit::load(&self.object, &[&self.entry], &symbols)?;
        let entry = code.entry(&self.entry).ok_or_else(|| LlvmError::NoEntry { name: self.entry.clone() })?;
        stages.push(("loading", started.elapsed()));
        let prepared = Prepared {
            lanes: self.lanes,
            reason: self.reason.clone(),
            shared_bytes: self.shared_bytes.into(),
            scratch_bytes: self.scratch_bytes,
            stages,
            cached,
        };
        let slot = |&(offset, size, local): &(u32, u32, bool)| ArgSlot { offset, size, local };
        let host = HostKernel {
            // Of a module that is gone.
            func: FuncId::reserved_value(),
            name: self.entry,
            args: self.args.iter().map(slot).collect(),
            args_bytes: self.args_bytes,
            shared_bytes: self.shared_bytes,
            scratch_bytes: self.scratch_bytes,
            lanes: self.lanes,
            reason: self.reason,
        };
        let range = code.range();
        let Self { local, flush, display, .. } = self;
        Ok(Made { prepared, host, local, entry, code: range, display, flush, _memory: code, _variables: variables })
    }
}
