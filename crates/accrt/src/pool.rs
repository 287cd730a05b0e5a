//! Work-groups over threads.
//!
//! Each thread has a part of a launch's groups of its own, the same part in each launch of this size, so that what a loop has
//! written is in the cache of the thread that reads it in the next one; a thread that is done goes on with the others' parts.
//! Threads wait for the next launch awake for a while ([`SPINS`]): programs launch small loops one after the other, and to wake
//! a thread takes longer than such a loop.

use crate::interface::Site;
use crate::stray;
use launch::context::{GroupContext, MEMORY_ALIGN};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

/// A function of runs of work-groups (`simd::group_runs`).
pub(crate) type Code = unsafe extern "C" fn(*mut u8, *mut GroupContext);

/// Memory that groups may use between barriers, per thread.
const SCRATCH: usize = 64 << 10;
/// Stack of a thread: private arrays are there.
const STACK: usize = 16 << 20;
/// Runs of groups that a thread takes, in parts of its own.
const SHARE: u64 = 8;
/// Rows of groups whose columns run one after another ([`Job::by_columns`]).
const ROWS: u64 = 32;
/// How often a thread looks before it sleeps: some 100 microseconds.
const SPINS: u32 = 4_000;

/// A launch.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub(crate) code: Code,
    pub(crate) args: *mut u8,
    pub(crate) groups: [u32; 3],
    pub(crate) local: u32,
    /// Groups below each other run one after another, [`ROWS`] of them, before those beside them.
    pub(crate) by_columns: bool,
    pub(crate) site: &'static Site,
}

/// Groups that one call runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rectangle {
    first: [u32; 3],
    columns: u32,
    rows: u32,
}

impl Job {
    /// The groups that stand at a place of the launch's order and may be run in one call, at most so many: a column's part, whole rows, or
    /// a row's part.
    fn place(&self, at: u64, most: u64) -> Rectangle {
        let [columns, rows, _] = self.groups.map(u64::from);
        let (z, at) = (at / (columns * rows), at % (columns * rows));
        let of = |x: u64, y: u64, columns: u64, rows: u64| Rectangle {
            first: [x as u32, y as u32, z as u32],
            columns: columns as u32,
            rows: rows as u32,
        };
        if self.by_columns {
            let (above, at) = (at / (columns * ROWS) * ROWS, at % (columns * ROWS));
            let here = ROWS.min(rows - above);
            return of(at / here, above + at % here, 1, most.min(here - at % here));
        }
        let (x, y) = (at % columns, at / columns);
        match x {
            0 if most >= columns => of(x, y, columns, (most / columns).min(rows - y)),
            _ => of(x, y, most.min(columns - x), 1),
        }
    }
}

// SAFETY: the arguments outlive the launch, which waits for all threads, and kernels only read them.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

struct Shared {
    job: Mutex<Posted>,
    called: Condvar,
    /// The number of the launch in `job`, to look at without the lock.
    number: AtomicU64,
}

/// The launch that helpers may work on.
#[derive(Default)]
struct Posted {
    number: u64,
    running: Option<Arc<Running>>,
    /// Helpers that sleep: to wake nobody takes a system call, too.
    asleep: u32,
}

/// Who works on a launch.
#[derive(Default)]
struct Workers {
    /// Helpers that do.
    busy: u32,
    /// Its owner sleeps until none does.
    awaited: bool,
}

/// The groups of a launch that are one thread's first of all.
struct Part {
    next: AtomicU64,
    end: u64,
}

impl Part {
    /// The next run of at most so many groups.
    fn take(&self, step: u64) -> Option<std::ops::Range<u64>> {
        // Looked at first, so that those who come late do not write to it.
        if self.next.load(Ordering::Relaxed) >= self.end {
            return None;
        }
        let from = self.next.fetch_add(step, Ordering::Relaxed);
        (from < self.end).then(|| from..(from + step).min(self.end))
    }
}

struct Running {
    job: Job,
    parts: Vec<Part>,
    total: u64,
    step: u64,
    workers: Mutex<Workers>,
    idle: Condvar,
    /// None does, or none did a moment ago, to look at without the lock.
    quiet: AtomicBool,
    trap: AtomicU32,
}

struct Pool {
    shared: Arc<Shared>,
    helpers: usize,
    /// One launch at a time has the helpers; others run by themselves.
    owner: Mutex<()>,
}

/// Most threads: more are of no use to anybody.
const MAX_THREADS: usize = 1024;

/// How many threads share a launch.
pub(crate) fn threads() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let asked =
            ["UNSPOOL_THREADS", "ACC_NUM_CORES"].iter().find_map(|n| std::env::var(n).ok()?.parse::<usize>().ok());
        let there = std::thread::available_parallelism().map_or(1, |n| n.get());
        asked.filter(|&n| n > 0).unwrap_or(there).min(MAX_THREADS)
    })
}

/// Whether groups are run from the last to the first (`UNSPOOL_ACC_ORDER=reverse`): programs whose iterations are independent
/// have the same results then.
fn backwards() -> bool {
    static BACKWARDS: OnceLock<bool> = OnceLock::new();
    *BACKWARDS.get_or_init(|| std::env::var_os("UNSPOOL_ACC_ORDER").is_some_and(|o| o == "reverse"))
}

/// Has the threads there.
pub(crate) fn start() {
    pool();
}

fn pool() -> &'static Pool {
    static POOL: OnceLock<Pool> = OnceLock::new();
    POOL.get_or_init(|| {
        let start = std::time::Instant::now();
        let shared = Arc::new(Shared { job: Mutex::default(), called: Condvar::new(), number: AtomicU64::new(0) });
        let mut helpers = 0;
        for i in 1..threads() {
            let shared = Arc::clone(&shared);
            let spawned =
                std::thread::Builder::new().name(format!("acc-{i}")).stack_size(STACK).spawn(move || help(&shared, i));
            helpers += usize::from(spawned.is_ok());
        }
        crate::timing::initialised(start);
        Pool { shared, helpers, owner: Mutex::new(()) }
    })
}

/// Whether threads may wait awake: not where there are more of them than processors.
fn spins() -> bool {
    static SPINS: OnceLock<bool> = OnceLock::new();
    *SPINS.get_or_init(|| std::thread::available_parallelism().is_ok_and(|n| threads() <= n.get()))
}

/// Waits awake until something holds, for a while.
fn wait_awake(holds: impl Fn() -> bool) {
    for _ in 0..if spins() { SPINS } else { 0 } {
        if holds() {
            return;
        }
        std::hint::spin_loop();
    }
}

/// A helper's life.
fn help(shared: &Shared, me: usize) {
    let mut seen = 0;
    loop {
        wait_awake(|| shared.number.load(Ordering::Acquire) != seen);
        let running = {
            let mut job = shared.job.lock().unwrap_or_else(PoisonError::into_inner);
            while job.number == seen {
                job.asleep += 1;
                job = shared.called.wait(job).unwrap_or_else(PoisonError::into_inner);
                job.asleep -= 1;
            }
            seen = job.number;
            // Without one it is over already.
            let Some(running) = job.running.clone() else { continue };
            // Counted while the launch still stands there, so that its owner waits.
            running.workers.lock().unwrap_or_else(PoisonError::into_inner).busy += 1;
            running.quiet.store(false, Ordering::Release);
            running
        };
        if me < running.parts.len() {
            work(&running, me);
        }
        let mut workers = running.workers.lock().unwrap_or_else(PoisonError::into_inner);
        workers.busy -= 1;
        if workers.busy == 0 {
            running.quiet.store(true, Ordering::Release);
            if workers.awaited {
                running.idle.notify_all();
            }
        }
    }
}

/// Runs groups until none is left, those of the thread's own part first.
fn work(running: &Running, me: usize) {
    thread_local! {
        static SCRATCH_MEMORY: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    SCRATCH_MEMORY.with_borrow_mut(|memory| {
        memory.resize(SCRATCH + MEMORY_ALIGN as usize, 0);
        let align = memory.as_ptr().align_offset(MEMORY_ALIGN as usize);
        let scratch = memory.as_mut_ptr().wrapping_add(align);
        let job = &running.job;
        let groups = job.groups;
        let mut context = GroupContext {
            group_id: [0; 3],
            num_groups: groups,
            work_dim: 3,
            reserved: 0,
            origin: [0; 3],
            shared: scratch,
            scratch,
            dynamic_shared: 0,
            trap: 0,
            run_end: 0,
            first_group: [0; 3],
            enqueued_local: [job.local, 1, 1],
            global_size: [u64::from(groups[0]) * u64::from(job.local), u64::from(groups[1]), u64::from(groups[2])],
            range_offset: [0; 3],
            local_size: [job.local, 1, 1],
            rows_end: 0,
            shared_bytes: 0,
        };
        stray::running(job.site);
        let own = me % running.parts.len();
        let (before, from_own) = running.parts.split_at(own);
        for part in from_own.iter().chain(before) {
            while let Some(run) = part.take(running.step) {
                let mut n = run.start;
                while n < run.end {
                    let (at, most) = if backwards() { (running.total - 1 - n, 1) } else { (n, run.end - n) };
                    let here = job.place(at, most);
                    context.group_id = here.first;
                    context.run_end = here.first[0] + here.columns;
                    context.rows_end = here.first[1] + here.rows;
                    // SAFETY: code that `unspool cc` made, with the arguments that it says; the memory behind them is the
                    // program's affair.
                    unsafe { (job.code)(job.args, &raw mut context) };
                    n += u64::from(here.columns) * u64::from(here.rows);
                }
            }
        }
        stray::done();
        if context.trap != 0 {
            running.trap.store(context.trap, Ordering::Relaxed);
        }
    });
}

/// Where the part `n` of so many begins.
fn split(total: u64, n: u64, parts: u64) -> u64 {
    (u128::from(total) * u128::from(n) / u128::from(parts)) as u64
}

/// Runs all groups of a launch by at most so many threads; the code of a trap, if one was met.
pub(crate) fn run(job: Job, most: usize) -> Option<u32> {
    let total = job.groups.iter().map(|&g| u64::from(g)).product::<u64>();
    if total == 0 {
        return None;
    }
    let shared_by = |threads: u64, step| Running {
        job,
        parts: (0..threads)
            .map(|n| Part { next: AtomicU64::new(split(total, n, threads)), end: split(total, n + 1, threads) })
            .collect(),
        total,
        step,
        workers: Mutex::default(),
        idle: Condvar::new(),
        quiet: AtomicBool::new(true),
        trap: AtomicU32::new(0),
    };
    let owner = (most > 1 && total > 1 && threads() > 1).then(pool).and_then(|c| Some((c, c.owner.try_lock().ok()?)));
    let running = match owner {
        Some((pool, _guard)) if pool.helpers > 0 => {
            let workers = (pool.helpers + 1).min(most) as u64;
            let running = Arc::new(shared_by(workers, (total / (SHARE * workers)).max(1)));
            {
                let mut job = pool.shared.job.lock().unwrap_or_else(PoisonError::into_inner);
                job.number += 1;
                job.running = Some(Arc::clone(&running));
                pool.shared.number.store(job.number, Ordering::Release);
                if job.asleep > 0 {
                    pool.shared.called.notify_all();
                }
            }
            work(&running, 0);
            pool.shared.job.lock().unwrap_or_else(PoisonError::into_inner).running = None;
            wait_awake(|| running.quiet.load(Ordering::Acquire));
            let mut workers = running.workers.lock().unwrap_or_else(PoisonError::into_inner);
            while workers.busy > 0 {
                workers.awaited = true;
                workers = running.idle.wait(workers).unwrap_or_else(PoisonError::into_inner);
            }
            drop(workers);
            running
        }
        _ => {
            let running = Arc::new(shared_by(1, total));
            work(&running, 0);
            running
        }
    };
    let trap = running.trap.load(Ordering::Relaxed);
    (trap != 0).then_some(trap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    unsafe extern "C" fn nothing(_: *mut u8, _: *mut GroupContext) {}

    /// Says which thread has run each of the groups, and takes a while, so that others come to it.
    unsafe extern "C" fn note(args: *mut u8, context: *mut GroupContext) {
        // SAFETY: the list of the test below, which outlives the launch, and the caller's context.
        let (ran, here) = unsafe { (&*args.cast::<Mutex<Vec<std::thread::ThreadId>>>(), &*context) };
        let groups = (here.run_end - here.group_id[0]) * (here.rows_end - here.group_id[1]);
        let mut ran = ran.lock().unwrap_or_else(PoisonError::into_inner);
        ran.extend((0..groups).map(|_| std::thread::current().id()));
        drop(ran);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }

    /// `num_gangs` is how many threads take part at most; nothing said so but the results, which are the same with more.
    #[test]
    fn no_more_threads_take_part_than_gangs_are_asked_for() {
        static SITE: Site =
            Site { file: std::ptr::null(), function: std::ptr::null(), line: 0, kind: 0, device: 0, flags: 0 };
        for most in [1, 2, usize::MAX] {
            let ran: Mutex<Vec<std::thread::ThreadId>> = Mutex::default();
            let args = (&raw const ran).cast_mut().cast::<u8>();
            let job = Job { code: note, args, groups: [1, 40, 1], local: 1, by_columns: false, site: &SITE };
            assert_eq!(run(job, most), None);
            let ran = ran.into_inner().unwrap_or_else(PoisonError::into_inner);
            let threads: std::collections::HashSet<_> = ran.iter().collect();
            assert_eq!(ran.len(), 40, "{most}");
            assert!(threads.len() <= most.min(super::threads()), "{most}: {}", threads.len());
        }
    }

    #[test]
    fn rectangles_of_groups_leave_none_out() {
        const NOWHERE: *const std::ffi::c_char = std::ptr::null();
        static SITE: Site = Site { file: NOWHERE, function: NOWHERE, line: 0, kind: 0, device: 0, flags: 0 };
        let site = &SITE;
        let job =
            |groups, by_columns| Job { code: nothing, args: std::ptr::null_mut(), groups, local: 1, by_columns, site };
        for (groups, by_columns) in
            [([3, 70, 2], true), ([1, 1, 1], true), ([5, 32, 1], true), ([7, 3, 2], false), ([1, 9, 4], false)]
        {
            let job = job(groups, by_columns);
            let total = groups.iter().map(|&g| u64::from(g)).product::<u64>();
            // As threads take them: so many in a row.
            for step in [1, 2, 5, 8, 30, total] {
                let mut all = Vec::new();
                for begin in (0..total).step_by(step as usize) {
                    let (mut n, end) = (begin, (begin + step).min(total));
                    while n < end {
                        let Rectangle { first: [x, y, z], columns, rows } = job.place(n, end - n);
                        all.extend((y..y + rows).flat_map(|y| (x..x + columns).map(move |x| [x, y, z])));
                        n += u64::from(columns) * u64::from(rows);
                    }
                    assert_eq!(n, end, "{groups:?}, {step}");
                }
                let distinct: BTreeSet<[u32; 3]> = all.iter().copied().collect();
                assert_eq!((all.len() as u64, distinct.len() as u64), (total, total), "{groups:?}, {step}");
                assert!(all.iter().all(|id| (0..3).all(|d| id[d] < groups[d])), "{groups:?}");
            }
        }
        let columns = job([3, 70, 1], true);
        assert_eq!([0, 1, 32, 96].map(|n| columns.place(n, 1).first), [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 32, 0]]);
        // A row with one group is no call of its own.
        assert_eq!(job([1, 9, 1], false).place(2, 5), Rectangle { first: [0, 2, 0], columns: 1, rows: 5 });
    }
}
