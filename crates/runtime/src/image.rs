//! Machine code of a kernel for one local size, or any, as bytes: what is stored, and loaded without a compiler.

use crate::heap::{unspool_rt_free, unspool_rt_malloc};
use crate::make::Made;
use crate::output::unspool_rt_printf;
use crate::variables::Variables;
use crate::{Error, Prepared};
use cranelift_entity::packed_option::ReservedValue;
use ir::FuncId;
use launch::context::ArgSlot;
use launch::{CodeSize, ScratchSize};
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
    /// The local sizes that it was made for.
    pub(crate) size: [Option<u32>; 3],
    /// Offset, size, and whether it is a pointer to work-group memory, of each argument in the block.
    args: Vec<(u32, u32, bool)>,
    args_bytes: u32,
    shared_bytes: u32,
    /// Bytes, and bytes for each work-item.
    scratch: (u64, u64),
    lanes: u32,
    /// Why there are not more of them.
    pub(crate) reason: Option<String>,
    /// Whether groups wait for other groups.
    waits: bool,
    /// Whether threads flush subnormal numbers while they run it.
    flush: bool,
    /// What the source calls the kernel.
    display: String,
}

impl Image {
    /// What was made of a kernel.
    pub(crate) fn new(object: Vec<u8>, host: HostKernel, size: CodeSize, flush: bool, display: String) -> Self {
        Self {
            object,
            entry: host.name,
            size: size.0,
            args: host.args.iter().map(|a| (a.offset, a.size, a.local)).collect(),
            args_bytes: host.args_bytes,
            shared_bytes: host.shared_bytes,
            scratch: (host.scratch.bytes, host.scratch.per_item),
            lanes: host.lanes,
            reason: host.reason,
            waits: host.waits,
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
        let mut symbols = vec![
            ("unspool_rt_free", unspool_rt_free as *const () as usize),
            ("unspool_rt_malloc", unspool_rt_malloc as *const () as usize),
            ("unspool_rt_printf", unspool_rt_printf as *const () as usize),
        ];
        symbols.extend(variables.iter().flat_map(|v| v.symbols()));
        let code = Jit::load(&self.object, &[&self.entry], &symbols)?;
        let entry = code.entry(&self.entry).ok_or_else(|| LlvmError::NoEntry { name: self.entry.clone() })?;
        stages.push(("loading", started.elapsed()));
        let (size, scratch) = (CodeSize(self.size), ScratchSize { bytes: self.scratch.0, per_item: self.scratch.1 });
        let prepared = Prepared {
            any_size: !size.is_exact(),
            lanes: self.lanes,
            reason: self.reason.clone(),
            shared_bytes: self.shared_bytes.into(),
            // Of one work-item, if it is for any number of them.
            scratch_bytes: scratch.of(size.0.map(|n| n.unwrap_or(1))),
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
            scratch,
            lanes: self.lanes,
            reason: self.reason,
            // Its code is made.
            packs: false,
            waits: self.waits,
        };
        let range = code.range();
        let Self { flush, display, .. } = self;
        Ok(Made { prepared, host, size, entry, code: range, display, flush, _memory: code, _variables: variables })
    }
}
