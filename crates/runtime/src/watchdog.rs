//! A limit on the time that LLVM takes.
//!
//! There have been inputs on which LLVM's passes take minutes, and some on which they never end; nothing stops them once they
//! run. So they run on threads of their own, and what has used up its processor time is left behind: the caller goes on
//! without it. Other work on the machine does not count. The threads stay for the next kernel, because LLVM's description of
//! the machine, which takes longer to make than a small kernel, belongs to a thread. Cost: two changes of threads.
//!
//! What LLVM cannot do at all ends the process, by its own rules. Here its thread is kept for ever then, and the caller goes on
//! without it likewise.
//!
//! LLVM must not run while the process takes its tables apart. Where a thread that was left behind runs still when the process
//! ends, it ends at once: streams are flushed, but what was to be done at exit before the first kernel was compiled is not done.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Stack of a thread, of which what is needed is touched: LLVM follows chains of values by recursion.
const STACK: usize = 64 << 20;
/// How often it is looked at, at most, what is about to reach its limit.
const INTERVAL: Duration = Duration::from_millis(20);

type Job = Box<dyn FnOnce() + Send>;

/// Why a job has no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// It takes longer than it may.
    Endless,
    /// LLVM cannot do it, and says why.
    Refused(String),
}

/// Tells whom a thread compiles for that LLVM gave up, and why.
type Refuse = Box<dyn FnOnce(&str)>;

thread_local! {
    /// Tells the caller of this thread's job that it is refused.
    static REFUSE: RefCell<Option<Refuse>> = const { RefCell::new(None) };
}

/// Keeps a thread that LLVM would end the process on, if somebody waits for it; else it returns.
fn refuse(reason: &str) {
    let tell = REFUSE.with(|r| r.try_borrow_mut().ok().and_then(|mut r| r.take()));
    if let Some(tell) = tell {
        tell(reason);
        park_for_ever();
    }
}

fn park_for_ever() -> ! {
    loop {
        thread::park();
    }
}

/// A thread that runs jobs until nobody holds this any more.
struct Worker {
    jobs: Sender<Job>,
    clock: Clock,
}

/// Threads that wait for work.
static IDLE: Mutex<Vec<Worker>> = Mutex::new(Vec::new());
/// Jobs that were left behind and have not ended.
static LEFT_BEHIND: AtomicUsize = AtomicUsize::new(0);

fn idle() -> MutexGuard<'static, Vec<Worker>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What `job` gives, or why there is nothing: if it takes more processor time than `limit`, it runs on, and its result is dropped.
/// With no time at all it is not begun: whether it ends before it is looked at is the machine's business.
pub(crate) fn within<T: Send + 'static>(limit: Duration, job: impl FnOnce() -> T + Send + 'static) -> Result<T, Left> {
    if limit.is_zero() {
        return Err(Left::Endless);
    }
    let waiting = idle().pop();
    let Some(worker) = waiting.or_else(Worker::start) else { return Ok(job()) };
    let (done, result) = mpsc::channel();
    let begun = worker.clock.now();
    // Set by the one that is through first.
    let over = Arc::new(AtomicBool::new(false));
    let job: Job = Box::new({
        let over = Arc::clone(&over);
        move || {
            let refused = done.clone();
            let tell: Box<dyn FnOnce(&str)> = Box::new(move |why| _ = refused.send(Err(why.to_owned())));
            REFUSE.set(Some(tell));
            let made = catch_unwind(AssertUnwindSafe(job));
            REFUSE.set(None);
            let _ = done.send(Ok(made));
            if over.swap(true, Ordering::AcqRel) {
                LEFT_BEHIND.fetch_sub(1, Ordering::Release);
            }
        }
    });
    worker.jobs.send(job).map_err(|_| Left::Endless)?;
    loop {
        let rest = limit.saturating_sub(worker.clock.now().saturating_sub(begun));
        if rest.is_zero() {
            LEFT_BEHIND.fetch_add(1, Ordering::AcqRel);
            if !over.swap(true, Ordering::AcqRel) {
                return Err(Left::Endless);
            }
            // It has ended meanwhile.
            LEFT_BEHIND.fetch_sub(1, Ordering::Release);
        }
        match result.recv_timeout(rest.max(INTERVAL)) {
            Ok(Ok(made)) => {
                idle().push(worker);
                return Ok(made.unwrap_or_else(|panic| resume_unwind(panic)));
            }
            // The thread is none of ours any more.
            Ok(Err(why)) => return Err(Left::Refused(why)),
            Err(RecvTimeoutError::Timeout) => {}
            // A job always sends something.
            Err(RecvTimeoutError::Disconnected) => return Err(Left::Endless),
        }
    }
}

impl Worker {
    /// `None` if the system has no more threads.
    fn start() -> Option<Self> {
        let (jobs, work) = mpsc::channel::<Job>();
        let (tell, clock) = mpsc::channel();
        let run = move || {
            let _ = tell.send(Clock::of_this_thread());
            work.into_iter().for_each(|job| job());
            // Left behind. What LLVM keeps for this thread must not be taken apart beside the rest, when the process ends.
            park_for_ever();
        };
        at_exit();
        llvm::on_fatal(refuse);
        thread::Builder::new().name("unspool-llvm".to_owned()).stack_size(STACK).spawn(run).ok()?;
        Some(Self { jobs, clock: clock.recv().ok()? })
    }
}

/// Sees to it that the process ends at once where LLVM runs still.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn at_exit() {
    use std::ffi::{c_int, c_void};
    unsafe extern "C" {
        fn on_exit(callback: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
    }
    extern "C" fn end(status: c_int, _: *mut c_void) {
        if LEFT_BEHIND.load(Ordering::Acquire) > 0 {
            // SAFETY: all streams, and the process ends.
            unsafe {
                libc::fflush(std::ptr::null_mut());
                libc::_exit(status);
            }
        }
    }
    static ONCE: Once = Once::new();
    // SAFETY: the function lasts as long as this library, which has threads and is therefore never unloaded.
    ONCE.call_once(|| _ = unsafe { on_exit(end, std::ptr::null_mut()) });
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn at_exit() {}

/// Tells how long a thread has run; where the system does not, how long ago it was started.
struct Clock {
    #[cfg(target_os = "linux")]
    id: Option<libc::clockid_t>,
    started: Instant,
}

impl Clock {
    #[cfg(target_os = "linux")]
    fn of_this_thread() -> Self {
        let mut id = 0;
        // SAFETY: this very thread is alive, and `id` can be written.
        let failed = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut id) };
        Self { id: (failed == 0).then_some(id), started: Instant::now() }
    }

    #[cfg(not(target_os = "linux"))]
    fn of_this_thread() -> Self {
        Self { started: Instant::now() }
    }

    fn now(&self) -> Duration {
        #[cfg(target_os = "linux")]
        if let Some(id) = self.id {
            let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
            // SAFETY: `time` can be written. The thread lives at least as long as its `Worker`.
            if unsafe { libc::clock_gettime(id, &mut time) } == 0 {
                return Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32);
            }
        }
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::{Left, refuse, within};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{self, ThreadId};
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(100);

    #[test]
    fn what_ends_in_time_has_a_result_and_the_thread_stays() {
        let name = || thread::current().name().map(str::to_owned);
        assert_eq!(within(LONG, name), Ok(Some("unspool-llvm".to_owned())));
        let ids: Vec<ThreadId> = (0..20).filter_map(|_| within(LONG, || thread::current().id()).ok()).collect();
        assert!(ids.windows(2).any(|w| w[0] == w[1]), "no thread is used twice");
    }

    #[test]
    fn what_never_ends_is_left_behind() {
        static STOP: AtomicBool = AtomicBool::new(false);
        let endless = || {
            while !STOP.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        };
        assert_eq!(within(Duration::from_millis(50), endless), Err(Left::Endless));
        STOP.store(true, Ordering::Relaxed);
        assert_eq!(within(LONG, || 7), Ok(7));
    }

    #[test]
    fn without_any_time_nothing_is_begun() {
        assert_eq!(within(Duration::ZERO, || 7), Err(Left::Endless));
    }

    #[test]
    fn who_sleeps_uses_no_time() {
        let nap = Duration::from_millis(200);
        assert_eq!(
            within(Duration::from_millis(100), move || thread::sleep(nap)),
            if cfg!(target_os = "linux") { Ok(()) } else { Err(Left::Endless) }
        );
    }

    #[test]
    fn what_llvm_gives_up_is_refused_and_the_next_job_runs() {
        let gives_up = || {
            refuse("Cannot select");
            unreachable!("returned to");
        };
        assert_eq!(within(LONG, gives_up), Err::<(), _>(Left::Refused("Cannot select".to_owned())));
        assert_eq!(within(LONG, || 7), Ok(7));
    }

    #[test]
    #[should_panic(expected = "as it is")]
    fn panics_are_the_callers() {
        let _ = within(LONG, || panic!("as it is"));
    }
}
