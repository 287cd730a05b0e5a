//! Work-groups over threads.

use crate::interface::Site;
use crate::stray;
use launch::context::{GroupContext, MEMORY_ALIGN};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

/// A work-group function.
pub(crate) type Code = unsafe extern "C" fn(*mut u8, *mut GroupContext);

/// Memory that groups may use between barriers, per thread.
const SCRATCH: usize = 64 << 10;
/// Stack of a thread: private arrays are there.
const STACK: usize = 16 << 20;
/// Runs of groups that a thread takes, in parts of all.
const SHARE: u64 = 8;

/// A launch.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub(crate) code: Code,
    pub(crate) args: *mut u8,
    pub(crate) groups: [u32; 3],
    pub(crate) local: u32,
    pub(crate) site: &'static Site,
}

// SAFETY: the arguments outlive the launch, which waits for all threads, and kernels only read them.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

struct Shared {
    job: Mutex<(u64, Option<Arc<Running>>)>,
    called: Condvar,
}

struct Running {
    job: Job,
    next: AtomicU64,
    total: u64,
    step: u64,
    /// Threads that work on it.
    busy: Mutex<u32>,
    idle: Condvar,
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

fn pool() -> &'static Pool {
    static POOL: OnceLock<Pool> = OnceLock::new();
    POOL.get_or_init(|| {
        let start = std::time::Instant::now();
        let shared = Arc::new(Shared { job: Mutex::new((0, None)), called: Condvar::new() });
        let mut helpers = 0;
        for i in 1..threads() {
            let shared = Arc::clone(&shared);
            let spawned =
                std::thread::Builder::new().name(format!("acc-{i}")).stack_size(STACK).spawn(move || help(&shared));
            helpers += usize::from(spawned.is_ok());
        }
        crate::timing::initialised(start);
        Pool { shared, helpers, owner: Mutex::new(()) }
    })
}

/// A helper's life.
fn help(shared: &Shared) {
    let mut seen = 0;
    loop {
        let running = {
            let mut job = shared.job.lock().unwrap_or_else(PoisonError::into_inner);
            while job.0 == seen || job.1.is_none() {
                seen = job.0;
                job = shared.called.wait(job).unwrap_or_else(PoisonError::into_inner);
            }
            seen = job.0;
            let Some(running) = job.1.clone() else { continue };
            // Counted while the launch still stands there, so that its owner waits.
            *running.busy.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            running
        };
        work(&running);
        *running.busy.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        running.idle.notify_all();
    }
}

/// Runs groups until none is left.
fn work(running: &Running) {
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
            reserved_end: 0,
            first_group: [0; 3],
            enqueued_local: [job.local, 1, 1],
            global_size: [u64::from(groups[0]) * u64::from(job.local), u64::from(groups[1]), u64::from(groups[2])],
            range_offset: [0; 3],
            local_size: [job.local, 1, 1],
            reserved_tail: 0,
            shared_bytes: 0,
        };
        stray::running(job.site);
        loop {
            let from = running.next.fetch_add(running.step, Ordering::Relaxed);
            if from >= running.total {
                break;
            }
            for n in from..(from + running.step).min(running.total) {
                let n = if backwards() { running.total - 1 - n } else { n };
                let (x, rest) = (n % u64::from(groups[0]), n / u64::from(groups[0]));
                context.group_id =
                    [x as u32, (rest % u64::from(groups[1])) as u32, (rest / u64::from(groups[1])) as u32];
                // SAFETY: code that `unspool cc` made, with the arguments that it says; the memory behind them is the
                // program's affair.
                unsafe { (job.code)(job.args, &raw mut context) };
            }
        }
        stray::done();
        if context.trap != 0 {
            running.trap.store(context.trap, Ordering::Relaxed);
        }
    });
}

/// Runs all groups of a launch; the code of a trap, if one was met.
pub(crate) fn run(job: Job, parallel: bool) -> Option<u32> {
    let total = job.groups.iter().map(|&g| u64::from(g)).product::<u64>();
    if total == 0 {
        return None;
    }
    let alone = |step| Running {
        job,
        next: AtomicU64::new(0),
        total,
        step,
        busy: Mutex::new(0),
        idle: Condvar::new(),
        trap: AtomicU32::new(0),
    };
    let owner = (parallel && total > 1 && threads() > 1).then(pool).and_then(|c| Some((c, c.owner.try_lock().ok()?)));
    let running = match owner {
        Some((pool, _guard)) if pool.helpers > 0 => {
            let step = (total / (SHARE * (pool.helpers as u64 + 1))).max(1);
            let running = Arc::new(alone(step));
            {
                let mut job = pool.shared.job.lock().unwrap_or_else(PoisonError::into_inner);
                *job = (job.0 + 1, Some(Arc::clone(&running)));
            }
            pool.shared.called.notify_all();
            work(&running);
            pool.shared.job.lock().unwrap_or_else(PoisonError::into_inner).1 = None;
            let mut busy = running.busy.lock().unwrap_or_else(PoisonError::into_inner);
            while *busy > 0 {
                busy = running.idle.wait(busy).unwrap_or_else(PoisonError::into_inner);
            }
            drop(busy);
            running
        }
        _ => {
            let running = Arc::new(alone(total));
            work(&running);
            running
        }
    };
    let trap = running.trap.load(Ordering::Relaxed);
    (trap != 0).then_some(trap)
}
