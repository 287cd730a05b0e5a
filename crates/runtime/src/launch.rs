//! Work-groups over threads.
//!
//! Each thread takes a run of groups, the longer the more are left, until none is left: long runs cost little and short
//! ones at the end let all threads end together. Groups follow each other in the order of their numbers, x first. A
//! thread has an [`Arena`] with a copy of the arguments, work-group memory and scratch, which outlives the launch, so
//! that nothing is allocated per group.

use crate::arguments::Block;
use crate::denormals::Flushed;
use crate::output::Printer;
use crate::{Error, Shape};
use llvm::Entry;
use simd::abi::GroupContext;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use unspool::buffer::{Buffer, BufferError};

/// Shares of the groups left that a thread takes at a time.
const SHARES: u64 = 8;

/// Most groups that a thread takes at a time, so that progress is seen and traps stop a launch.
const MAX_RUN: u64 = 1 << 12;

/// Memory of one thread for the groups it runs.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    args: Option<Buffer>,
    shared: Option<Buffer>,
    scratch: Option<Buffer>,
}

/// A place with at least so many bytes; what was there is kept for launches that need less.
fn room(place: &mut Option<Buffer>, bytes: u64) -> Result<*mut u8, BufferError> {
    let fits = place.as_ref().is_some_and(|b| b.len() as u64 >= bytes);
    if !fits {
        // The old one first: both at a time may be too much.
        *place = None;
        *place = Some(Buffer::zeroed(bytes.max(1))?);
    }
    Ok(place.as_mut().map_or(std::ptr::null_mut(), Buffer::as_mut_ptr))
}

/// A launch in progress.
pub(crate) struct Launch<'a> {
    pub(crate) entry: Entry,
    pub(crate) shape: &'a Shape,
    pub(crate) block: &'a Block,
    pub(crate) scratch_bytes: u64,
    pub(crate) flush: bool,
    pub(crate) threads: u64,
    pub(crate) done: Option<&'a AtomicU64>,
    pub(crate) printer: Printer<'a>,
    pub(crate) next: AtomicU64,
    pub(crate) stop: AtomicBool,
    pub(crate) failed: Mutex<Option<(u64, Error)>>,
}

impl Launch<'_> {
    /// The next run of groups; none when all are taken or the launch has failed.
    fn take(&self, total: u64) -> Option<Range<u64>> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut start = self.next.load(Ordering::Relaxed);
        loop {
            let left = total.checked_sub(start).filter(|&l| l > 0)?;
            let run = (left / (self.threads * SHARES)).clamp(1, MAX_RUN);
            match self.next.compare_exchange_weak(start, start + run, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(start..start + run),
                Err(now) => start = now,
            }
        }
    }

    /// Remembers the failure of the first group, in their order.
    fn fail(&self, group: u64, error: Error) {
        self.stop.store(true, Ordering::Relaxed);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(g, _)| group < *g) {
            *failed = Some((group, error));
        }
    }

    /// Runs groups on this thread until none is left.
    ///
    /// # Safety
    /// The entry is code for this block of arguments, and what it reads and writes through it is memory that it may.
    pub(crate) unsafe fn work(&self, arena: &mut Arena) {
        let total = self.shape.group_count();
        let Some(mut run) = self.take(total) else { return };
        let (args, mut context) = match self.surroundings(arena) {
            Ok(made) => made,
            Err(e) => return self.fail(run.start, Error::Memory(e)),
        };
        let _flushed = self.flush.then(Flushed::set);
        loop {
            let count = run.end - run.start;
            for number in run {
                context.group_id = self.group(number);
                // SAFETY: by the caller's promise; the context is as the code expects it, and this thread's own.
                unsafe { (self.entry)(args, (&raw mut context).cast()) };
                self.printer.group_ended(number);
                if context.trap != 0 {
                    return self.fail(number, Error::Trap { code: context.trap, group: context.group_id });
                }
            }
            if let Some(done) = self.done {
                done.fetch_add(count, Ordering::Relaxed);
            }
            match self.take(total) {
                Some(next) => run = next,
                None => return,
            }
        }
    }

    /// This thread's copy of the arguments and the context, but for the group's id.
    fn surroundings(&self, arena: &mut Arena) -> Result<(*const u8, GroupContext), BufferError> {
        let shared = room(&mut arena.shared, self.block.shared_bytes)?;
        let scratch = room(&mut arena.scratch, self.scratch_bytes)?;
        let args = room(&mut arena.args, self.block.bytes.len() as u64)?;
        if let Some(copy) = &mut arena.args {
            copy[..self.block.bytes.len()].copy_from_slice(&self.block.bytes);
            for &(slot, array) in &self.block.locals {
                copy[slot..slot + 8].copy_from_slice(&(shared as u64 + array).to_le_bytes());
            }
        }
        let context = GroupContext {
            group_id: [0; 3],
            num_groups: self.shape.groups,
            work_dim: self.shape.work_dim,
            reserved: 0,
            global_offset: self.shape.offset,
            shared,
            scratch,
            dynamic_shared: self.shape.dynamic_shared,
            trap: 0,
            reserved_end: 0,
        };
        Ok((args.cast_const(), context))
    }

    /// Where a group is.
    fn group(&self, number: u64) -> [u32; 3] {
        let [x, y, _] = self.shape.groups.map(u64::from);
        [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
    }
}
