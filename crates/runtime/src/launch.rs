//! A launch: work-groups, shared among the threads of a [`ThreadPool`].
//!
//! Each thread takes one run of [`Groups`] after another until none is left. Groups follow each other in the order of
//! their numbers, x first, those of one size after those of another. A thread has an [`Arena`] with a copy of the
//! arguments, work-group memory and scratch, which outlives the launch, so that nothing is allocated per group.
//!
//! The caller begins alone. Helpers are called when the rest is expected to take longer than waking them is worth,
//! by the [`Pace`] of earlier launches of the kernel, or of the groups that have ended so far. Where groups
//! wait for other groups they are called at once, and [more threads](together) if that is not enough.

mod together;

use crate::arguments::Block;
use crate::fault::{Fault, Gate};
use crate::groups::{Groups, MAX_RUN};
use crate::make::Made;
use crate::output::Printer;
use crate::pool::{Slot, ThreadPool, Work};
use crate::specialise::Better;
use crate::{Error, NdRange};
use fenv::{Environment, Subnormals};
use launch::Part;
use launch::buffer::{Buffer, BufferError};
use launch::context::GroupContext;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a helper must be spared to be worth its waking.
const WORTH_A_HELPER: Duration = Duration::from_micros(20);

/// Stack that groups may need: what [`llvm::Options::max_stack`] allows for private arrays, and the calls around them.
const ENOUGH_STACK: usize = llvm::Options::DEFAULT_STACK as usize + (128 << 10);

/// What is given to a caller that has less.
const MORE_STACK: usize = 4 << 20;

/// Memory of one thread for the groups it runs.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    args: Option<Buffer>,
    shared: Option<Buffer>,
    scratch: Option<Buffer>,
}

/// Arenas that no thread uses at the moment.
#[derive(Debug, Default)]
pub(crate) struct Arenas(Mutex<Vec<Arena>>);

impl Arenas {
    fn lend(&self) -> Arena {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps `most` at most.
    fn take_back(&self, arena: Arena, most: usize) {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < most {
            free.push(arena);
        }
    }
}

/// A place with at least so many bytes; what was there is kept for launches that need less.
fn room(place: &mut Option<Buffer>, bytes: u64) -> Result<*mut u8, BufferError> {
    let fits = place.as_ref().is_some_and(|b| b.len() as u64 >= bytes);
    if !fits {
        // The old one first: both at a time may be too much.
        *place = None;
        *place = Some(Buffer::guarded(bytes.max(1))?);
    }
    Ok(place.as_mut().map_or(std::ptr::null_mut(), Buffer::as_mut_ptr))
}

/// How long a group of a kernel takes, as its launches have shown. Zero while nothing is known.
#[derive(Debug, Default)]
pub(crate) struct Pace(AtomicU64);

impl Pace {
    /// Fractions of a nanosecond that are counted.
    const UNIT: u64 = 256;

    /// What so many groups are expected to take; `None` if nothing is known.
    fn expect(&self, groups: u64) -> Option<Duration> {
        let each = self.0.load(Ordering::Relaxed);
        (each > 0).then(|| Duration::from_nanos(each.saturating_mul(groups) / Self::UNIT))
    }

    /// Learns from a launch. Interruptions make a launch seem slow, nothing makes it seem fast: so it goes down quickly
    /// and up slowly.
    fn learn(&self, time: Duration, groups: u64) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let seen = (nanos.saturating_mul(Self::UNIT) / groups.max(1)).max(1);
        let old = self.0.load(Ordering::Relaxed);
        let new = match old {
            0 => seen,
            _ if seen < old => old - (old - seen).div_ceil(2),
            _ => old + (seen - old).div_ceil(8),
        };
        // Threads that learn at the same time lose what one of them learnt.
        self.0.store(new, Ordering::Relaxed);
    }
}

/// The groups of one size in a launch, and their code.
pub(crate) struct Piece<'a> {
    pub(crate) made: &'a Made,
    /// Where better code may come while they run.
    pub(crate) later: Option<&'a Arc<Better>>,
    pub(crate) part: Part,
    /// The number of its first group.
    pub(crate) start: u64,
}

impl Piece<'_> {
    /// What a group of this size is called among all groups.
    fn numbered(&self, column: u32, row: u32, slice: u32) -> [u32; 3] {
        let [x, y, z] = self.part.first;
        [x + column, y + row, z + slice]
    }
}

/// What a launch is made of.
pub(crate) struct LaunchSetup<'a> {
    pub(crate) range: &'a NdRange,
    /// One for each part of the range, in their order; at least one.
    pub(crate) pieces: SmallVec<[Piece<'a>; 1]>,
    pub(crate) dynamic_shared: u64,
    pub(crate) block: &'a Block,
    pub(crate) arenas: &'a Arenas,
    pub(crate) pace: &'a Pace,
    pub(crate) pool: &'a ThreadPool,
    pub(crate) done: Option<&'a AtomicU64>,
    pub(crate) printer: Printer<'a>,
}

/// A launch in progress.
pub(crate) struct Launch<'a> {
    plan: LaunchSetup<'a>,
    total: u64,
    /// Whether groups wait for other groups.
    waits: bool,
    begun: Instant,
    groups: Groups,
    failed: Mutex<Option<(u64, Error)>>,
}

impl<'a> Launch<'a> {
    /// # Safety
    /// The code of the pieces is for this block of arguments, and what it reads and writes through it is memory that it
    /// may, as long as the launch lives.
    pub(crate) unsafe fn new(plan: LaunchSetup<'a>) -> Self {
        let total = plan.range.group_count();
        let waits = plan.pieces.iter().any(|p| p.made.host.waits);
        let groups = if waits { Groups::in_order(total) } else { Groups::new(total) };
        Self { plan, total, waits, begun: Instant::now(), groups, failed: Mutex::new(None) }
    }

    /// Runs all groups; how long that took.
    ///
    /// # Errors
    /// What the first group that failed, in their order, failed with.
    pub(crate) fn run(self) -> Result<Duration, Error> {
        let started = Instant::now();
        // Whoever calls may have little stack left, less than the largest private arrays.
        stacker::maybe_grow(ENOUGH_STACK, MORE_STACK, || {
            let mut arena = self.plan.arenas.lend();
            self.lead(&mut arena);
            self.plan.arenas.take_back(arena, self.plan.pool.threads());
        });
        let time = started.elapsed();
        self.plan.printer.finish();
        match self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, e)) => Err(e),
            None => Ok(time),
        }
    }

    /// Runs groups on the caller's thread until none is left; calls helpers when that takes long.
    fn lead(&self, arena: &mut Arena) {
        let pool = self.plan.pool;
        let _caller = pool.enter();
        let Some(mut worker) = self.worker(arena) else { return };
        let slot = Slot::new(self);
        let most = (pool.threads() as u64 - 1).min(self.total.saturating_sub(1));
        if self.waits {
            return self.lead_together(&mut worker, &slot, most as usize);
        }
        let worth = |rest: Duration| (rest.as_nanos() / WORTH_A_HELPER.as_nanos()).min(most.into()) as usize;
        let call = |rest: Duration| {
            let helpers = Some(worth(rest)).filter(|&n| n > 0)?;
            self.groups.divide(helpers + 1);
            Some(pool.open(&slot, helpers))
        };
        let mut open = self.plan.pace.expect(self.total).and_then(call);
        if most == 0 {
            self.groups.divide(1);
        }
        let begun = Instant::now();
        let (mut mine, mut alone) = (0, 1);
        let divided = |open: &Option<_>| open.is_some() || most == 0;
        while let Some(run) = if divided(&open) { self.groups.take(0) } else { self.groups.take_alone(alone) } {
            mine += run.end - run.start;
            worker.run(run.clone());
            if !divided(&open) && run.end < self.total {
                let rest = begun.elapsed().as_nanos().saturating_mul((self.total - run.end).into()) / u128::from(mine);
                open = call(Duration::from_nanos(u64::try_from(rest).unwrap_or(u64::MAX)));
                alone = (alone * 2).min(MAX_RUN);
            }
        }
        self.plan.pace.learn(begun.elapsed(), mine);
    }

    /// Remembers the failure of the first group, in their order; those behind it need not run.
    fn fail(&self, group: u64, error: Error) {
        self.groups.stop_at(group);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(g, _)| group < *g) {
            *failed = Some((group, error));
        }
    }

    /// What a thread needs to run groups: its copy of the arguments, and the context. Without memory for them the launch
    /// fails.
    fn worker<'l>(&'l self, arena: &mut Arena) -> Option<Worker<'l, 'a>> {
        match self.group_context(arena) {
            Ok((args, context)) => {
                let flush = self.plan.pieces.iter().any(|p| p.made.flush);
                let environment = Environment::enter(if flush { Subnormals::Flush } else { Subnormals::Keep });
                let gate = Gate::of_this_thread();
                Some(Worker { launch: self, args, context, gate, piece: usize::MAX, _environment: environment })
            }
            Err(e) => {
                self.fail(0, Error::Memory(e));
                None
            }
        }
    }

    fn group_context(&self, arena: &mut Arena) -> Result<(*const u8, GroupContext), BufferError> {
        let block = self.plan.block;
        let scratch_bytes = self.plan.pieces.iter().map(|p| p.made.host.scratch.of(p.part.local)).max().unwrap_or(0);
        let shared = room(&mut arena.shared, block.shared_bytes)?;
        let scratch = room(&mut arena.scratch, scratch_bytes)?;
        let args = room(&mut arena.args, block.bytes.len() as u64)?;
        if let Some(copy) = &mut arena.args {
            copy[..block.bytes.len()].copy_from_slice(&block.bytes);
            for &(slot, array) in &block.locals {
                copy[slot..slot + 8].copy_from_slice(&(shared as u64 + array).to_le_bytes());
            }
        }
        let range = self.plan.range;
        let context = GroupContext {
            group_id: [0; 3],
            num_groups: std::array::from_fn(|d| range.groups(d) as u32),
            work_dim: range.work_dim,
            reserved: 0,
            origin: range.offset,
            shared,
            scratch,
            dynamic_shared: self.plan.dynamic_shared,
            trap: 0,
            run_end: 0,
            first_group: [0; 3],
            enqueued_local: range.local,
            global_size: range.global,
            range_offset: range.offset,
            local_size: range.local,
            rows_end: 0,
            shared_bytes: block.shared_bytes,
        };
        Ok((args.cast_const(), context))
    }
}

impl Work for Launch<'_> {
    fn help(&self, number: usize, crowded: &dyn Fn() -> bool) {
        let mut arena = self.plan.arenas.lend();
        if let Some(mut worker) = self.worker(&mut arena) {
            while let Some(run) = self.groups.take(number) {
                worker.run(run);
                if crowded() {
                    break;
                }
            }
        }
        self.plan.arenas.take_back(arena, self.plan.pool.threads());
    }

    fn is_left(&self) -> bool {
        self.groups.is_left()
    }
}

/// A thread at work on a launch.
struct Worker<'l, 'a> {
    launch: &'l Launch<'a>,
    args: *const u8,
    context: GroupContext,
    gate: Gate,
    /// The piece that the context is for.
    piece: usize,
    /// The thread may have come with another: the caller's, or one that a helper inherited.
    _environment: Environment,
}

impl Worker<'_, '_> {
    /// Runs these groups, up to the first that fails.
    fn run(&mut self, run: Range<u64>) {
        let launch = self.launch;
        let mut number = run.start;
        while number < run.end {
            let at = launch.plan.pieces.partition_point(|p| p.start <= number).saturating_sub(1);
            let Some(piece) = launch.plan.pieces.get(at) else { return };
            if self.piece != at {
                self.piece = at;
                self.context.origin = piece.part.origin;
                self.context.first_group = piece.part.first;
                self.context.local_size = piece.part.local;
            }
            let end = run.end.min(piece.start + piece.part.group_count());
            if let Err((failed, error)) = self.run_in(piece, number..end) {
                launch.fail(failed, error);
                return;
            }
            number = end;
        }
        if let Some(done) = launch.plan.done {
            done.fetch_add(run.end - run.start, Ordering::Relaxed);
        }
    }

    fn run_in(&mut self, piece: &Piece<'_>, run: Range<u64>) -> Result<(), (u64, Error)> {
        let made = match piece.later {
            Some(later) => later.made().unwrap_or_else(|| {
                later.goes_on(self.launch.begun.elapsed());
                piece.made
            }),
            None => piece.made,
        };
        let [nx, ny, _] = piece.part.groups;
        let (x, y) = (u64::from(nx), u64::from(ny));
        let first = run.start - piece.start;
        // Apart from each other, in registers: what reads all of them as one would wait for what has just been written to one.
        let (mut column, mut row, mut slice) = ((first % x) as u32, (first / x % y) as u32, (first / x / y) as u32);
        for number in run {
            // SAFETY: by the promise of `Launch::new`; the context is as the code expects it, and this thread's own.
            let ended =
                unsafe { self.gate.call(&made.code, made.entry, self.args, &mut self.context, [column, row, slice]) };
            self.launch.plan.printer.group_ended(number);
            if let Err(Fault { kind, offset }) = ended {
                let (kernel, code) = (made.display.clone(), made.size);
                return Err((
                    number,
                    Error::Fault { kernel, kind, group: piece.numbered(column, row, slice), code, offset, place: None },
                ));
            }
            if self.context.trap != 0 {
                // Groups before this one may be left, and this thread may be who runs them.
                let code = std::mem::take(&mut self.context.trap);
                return Err((number, Error::Trap { code, group: piece.numbered(column, row, slice) }));
            }
            column += 1;
            if column == nx {
                column = 0;
                row += 1;
                if row == ny {
                    row = 0;
                    slice += 1;
                }
            }
        }
        Ok(())
    }
}
