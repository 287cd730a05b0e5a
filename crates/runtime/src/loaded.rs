//! Kernels of the host that are ready for launches: for one local size, or for the sizes of a range.

use crate::arguments;
use crate::host::Inner;
use crate::launch::{Launch, LaunchSetup, Pace, Piece};
use crate::make::Made;
use crate::output::Printer;
use crate::specialise::Better;
use crate::{Arg, Error, Kernel, NdRange, Prepared, Run, Shape};
use launch::Part;
use smallvec::SmallVec;
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;
use target::Target;

/// One kernel, ready for one local size.
pub(crate) struct Loaded {
    inner: Arc<Inner>,
    local: [u32; 3],
    first: Arc<Made>,
    /// Where the first code is for any size: the place for code for this one.
    better: Option<Arc<Better>>,
    /// What is known of the first code with this size.
    prepared: Prepared,
    pace: Pace,
}

/// Kernels for the parts of a range.
pub(crate) struct Ranged {
    inner: Arc<Inner>,
    /// One for each local size; `Loaded` all of them.
    parts: Vec<Arc<dyn Kernel>>,
    /// Those of the first.
    prepared: Prepared,
    pace: Pace,
}

/// Whether vectorised code is right for a part of a range: numbers of its work-items do not wrap.
fn within_extent(range: &NdRange, part: &Part) -> Result<(), Error> {
    let most = launch::context::MAX_EXTENT;
    for dimension in 0..3 {
        // As if the last group had the size of the others.
        let size = range.groups(dimension).saturating_mul(range.local[dimension].into());
        let last = size.max(part.origin[dimension]);
        if last > most {
            return Err(Error::Extent { dimension, last, most });
        }
    }
    Ok(())
}

impl Inner {
    /// Launches the kernel that `loaded` finds for each local size over a range.
    ///
    /// # Safety
    /// As [`Kernel::launch`].
    unsafe fn launch<'k>(
        &self,
        range: &NdRange,
        dynamic_shared: u64,
        loaded: impl Fn([u32; 3]) -> Result<&'k Loaded, Error>,
        pace: &Pace,
        args: &[Arg<'_>],
        run: &Run<'_>,
    ) -> Result<Duration, Error> {
        range.check(Target::host().launch_limits())?;
        let block;
        let mut pieces: SmallVec<[Piece<'_>; 1]> = SmallVec::new();
        let mut start = 0u64;
        for part in range.parts() {
            let loaded = loaded(part.local)?;
            let inside = within_extent(range, &part);
            let better = loaded.better.as_ref().filter(|_| inside.is_ok());
            let made = better.and_then(|b| b.made()).unwrap_or(&loaded.first);
            if made.prepared.lanes > 1 {
                inside?;
            }
            let later = better.filter(|b| b.made().is_none());
            later.inspect(|b| b.begins());
            pieces.push(Piece { made, later, part, start });
            start = start.saturating_add(part.group_count());
        }
        // Arguments stand at the same places whatever the local size.
        let Some(first) = pieces.first() else { return Ok(Duration::ZERO) };
        block = arguments::block(&first.made.host, args, dynamic_shared)?;
        let plan = LaunchSetup {
            range,
            pieces,
            dynamic_shared,
            block: &block,
            arenas: &self.arenas,
            pace,
            pool: &self.pool,
            done: run.done,
            printer: Printer::new(run.print),
        };
        let later: SmallVec<[&Arc<Better>; 1]> = plan.pieces.iter().filter_map(|p| p.later).collect();
        // SAFETY: by the caller's promise; the block was laid out for this code.
        let took = unsafe { Launch::new(plan) }.run()?;
        later.iter().for_each(|b| b.ended(took));
        Ok(took)
    }
}

impl Loaded {
    /// A kernel that runs this code and nothing else.
    pub(crate) fn new(inner: Arc<Inner>, local: [u32; 3], made: Arc<Made>) -> Self {
        let scratch_bytes = made.host.scratch.of(local);
        let prepared = Prepared { scratch_bytes, ..made.prepared.clone() };
        Self { inner, local, first: made, better: None, prepared, pace: Pace::default() }
    }

    /// The same, for which there will be better code.
    pub(crate) fn with_better(self, better: Arc<Better>) -> Self {
        Self { better: Some(better), ..self }
    }

    fn with_local(&self, local: [u32; 3]) -> Result<&Self, Error> {
        if local == self.local { Ok(self) } else { Err(Error::LocalSize { made: self.local, asked: local }) }
    }
}

impl Kernel for Loaded {
    fn prepared(&self) -> &Prepared {
        self.better.as_ref().and_then(|b| b.made()).map_or(&self.prepared, |made| &made.prepared)
    }

    unsafe fn launch(&self, shape: &Shape, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        let (range, loaded) = (NdRange::from(shape), |l| self.with_local(l));
        // SAFETY: by the caller's promise.
        unsafe { self.inner.launch(&range, shape.dynamic_shared, loaded, &self.pace, args, run) }
    }

    unsafe fn launch_range(&self, range: &NdRange, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        // SAFETY: by the caller's promise.
        unsafe { self.inner.launch(range, 0, |l| self.with_local(l), &self.pace, args, run) }
    }
}

impl Ranged {
    pub(crate) fn new(inner: Arc<Inner>, parts: Vec<Arc<dyn Kernel>>) -> Self {
        let prepared = parts.first().map_or_else(Prepared::default, |p| p.prepared().clone());
        Self { inner, parts, prepared, pace: Pace::default() }
    }

    fn with_local(&self, local: [u32; 3]) -> Result<&Loaded, Error> {
        let all = || self.parts.iter().filter_map(|k| (&**k as &dyn Any).downcast_ref::<Loaded>());
        let made = all().next().map_or([0; 3], |k| k.local);
        all().find(|k| k.local == local).ok_or(Error::LocalSize { made, asked: local })
    }
}

impl Kernel for Ranged {
    fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    unsafe fn launch(&self, shape: &Shape, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        let (range, loaded) = (NdRange::from(shape), |l| self.with_local(l));
        // SAFETY: by the caller's promise.
        unsafe { self.inner.launch(&range, shape.dynamic_shared, loaded, &self.pace, args, run) }
    }

    unsafe fn launch_range(&self, range: &NdRange, args: &[Arg<'_>], run: &Run<'_>) -> Result<Duration, Error> {
        // SAFETY: by the caller's promise.
        unsafe { self.inner.launch(range, 0, |l| self.with_local(l), &self.pace, args, run) }
    }
}
