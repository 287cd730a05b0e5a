//! Code for one local size that takes the place of code for any.
//!
//! Code that reads the local size from the group's description runs groups of any size, so that a size that was never seen
//! costs no compilation. Code for one size is faster: it knows how many vectors a row has and where scratch memory ends.
//! [`Better`] is the place for it beside a kernel that began with the other. [`Background`] makes it on a thread of its
//! own, one after the other, once a size has shown that it comes again; launches take it from then on, also those that are
//! under way. What kernels compute is the same with either.

use crate::make::{Made, Maker};
use crate::program::Compiled;
use crate::variables::Variables;
use launch::CodeSize;
use source::Session;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, OnceLock, PoisonError, Weak};
use std::thread;
use std::time::Duration;

/// The variable that says for which local sizes there is code: `always`, `never` or `recurring`.
const VARIABLE: &str = "UNSPOOL_SPECIALISE";

/// Most kernels that wait for better code; more do without until they are launched again.
const MOST_WAITING: usize = 256;

/// What took no longer to compile is compiled again for a size as soon as that recurs; for what took longer, launches must
/// have taken as long first.
const QUICK: Duration = Duration::from_millis(500);

/// A launch that takes so long asks for better code although its size is new.
const LONG: Duration = Duration::from_millis(50);

/// Stack of the thread that compiles, of which what is needed is touched.
const STACK: usize = 64 << 20;

/// For which local sizes code is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Specialise {
    /// For each one of its own, when it is first asked for.
    #[default]
    Always,
    /// Once for all sizes of a rank, but for kernels that require a size or exchange values within sub-groups.
    Never,
    /// As for `Never`; when a size recurs, for that one on another thread.
    Recurring,
}

impl Specialise {
    /// What `UNSPOOL_SPECIALISE` says.
    pub fn of_environment() -> Option<Self> {
        match std::env::var(VARIABLE).ok()?.trim() {
            "always" => Some(Self::Always),
            "never" => Some(Self::Never),
            "recurring" => Some(Self::Recurring),
            _ => None,
        }
    }
}

/// What better code is made of.
pub(crate) struct Request {
    pub(crate) program: Arc<Compiled>,
    pub(crate) kernel: Box<str>,
    pub(crate) local: [u32; 3],
    pub(crate) variables: Option<Arc<Variables>>,
}

/// The place for code for one local size, of a kernel that runs code for any.
pub(crate) struct Better {
    request: Request,
    /// The code that is there.
    first: Arc<Made>,
    background: Arc<Background>,
    launches: AtomicU32,
    /// Nanoseconds that launches have taken.
    spent: AtomicU64,
    asked: AtomicBool,
    made: OnceLock<Made>,
}

impl Better {
    pub(crate) fn new(request: Request, first: Arc<Made>, background: Arc<Background>) -> Arc<Self> {
        Arc::new(Self {
            request,
            first,
            background,
            launches: AtomicU32::new(0),
            spent: AtomicU64::new(0),
            asked: AtomicBool::new(false),
            made: OnceLock::new(),
        })
    }

    /// The code, once it is there.
    pub(crate) fn made(&self) -> Option<&Made> {
        self.made.get()
    }

    /// A launch with the first code begins: from the second on, the size recurs.
    pub(crate) fn begins(self: &Arc<Self>) {
        let cost = self.first.cost();
        let spent = Duration::from_nanos(self.spent.load(Ordering::Relaxed));
        if self.launches.fetch_add(1, Ordering::Relaxed) > 0 && (cost <= QUICK || spent >= cost) {
            self.ask();
        }
    }

    /// A launch has ended after so long.
    pub(crate) fn ended(&self, after: Duration) {
        self.spent.fetch_add(u64::try_from(after.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// A launch has been under way for so long.
    pub(crate) fn goes_on(self: &Arc<Self>, since: Duration) {
        if since >= LONG.max(self.first.cost()) {
            self.ask();
        }
    }

    /// Has the code made, unless that was done before.
    fn ask(self: &Arc<Self>) {
        if !self.asked.load(Ordering::Relaxed) && !self.asked.swap(true, Ordering::Relaxed) {
            self.background.add(self);
        }
    }

    /// Makes the code. Launches under way may change over to it: so it must find its arguments where the first code does, and
    /// have enough scratch memory.
    fn make(&self, maker: &Maker) {
        let Request { program, kernel, local, variables } = &self.request;
        let size = CodeSize::exact(*local);
        let Ok(made) = maker.make(program, kernel, size, &mut Session::default(), variables.clone()) else { return };
        let (new, old) = (&made.host, &self.first.host);
        let same = new.args == old.args && new.args_bytes == old.args_bytes && new.shared_bytes == old.shared_bytes;
        if same && new.scratch.of(*local) <= old.scratch.of(*local) && made.flush == self.first.flush {
            // Nobody else makes it.
            let _ = self.made.set(made);
        }
    }
}

/// The thread that makes better code, while there is any to make.
pub(crate) struct Background {
    maker: Arc<Maker>,
    state: Mutex<State>,
    /// The thread has ended.
    idle: Condvar,
}

#[derive(Default)]
struct State {
    /// Kernels that are gone before their turn are left out.
    waiting: VecDeque<Weak<Better>>,
    /// Whether the thread runs.
    runs: bool,
    /// Nothing more is to be made.
    stops: bool,
}

/// All of them in this process, which must not end while one compiles.
static ALL: Mutex<Vec<Weak<Background>>> = Mutex::new(Vec::new());

/// The process whose threads they are: after a fork the child has none.
static PROCESS: AtomicU32 = AtomicU32::new(0);

impl Background {
    pub(crate) fn new(maker: Arc<Maker>) -> Arc<Self> {
        let new = Arc::new(Self { maker, state: Mutex::default(), idle: Condvar::new() });
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|b| b.strong_count() > 0);
        all.push(Arc::downgrade(&new));
        new
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a kernel; starts the thread if there is none.
    fn add(self: &Arc<Self>, better: &Arc<Better>) {
        let mut state = self.state();
        if state.stops || state.waiting.len() >= MOST_WAITING {
            better.asked.store(false, Ordering::Relaxed);
            return;
        }
        state.waiting.push_back(Arc::downgrade(better));
        if state.runs {
            return;
        }
        static AT_EXIT: Once = Once::new();
        AT_EXIT.call_once(|| {
            PROCESS.store(std::process::id(), Ordering::Relaxed);
            // SAFETY: the function touches statics only, which live to the end.
            unsafe { libc::atexit(stop_all) };
        });
        let this = Arc::clone(self);
        let thread = thread::Builder::new().name("unspool-specialise".to_owned()).stack_size(STACK);
        // Without a thread the first code stays.
        state.runs = thread.spawn(move || this.run()).is_ok();
        if !state.runs {
            state.waiting.clear();
        }
    }

    /// Makes what waits, until nothing does.
    fn run(&self) {
        /// Says that the thread has ended because it panicked.
        struct Ends<'a>(&'a Background);
        impl Drop for Ends<'_> {
            fn drop(&mut self) {
                self.0.state().runs = false;
                self.0.idle.notify_all();
            }
        }
        let ends = Ends(self);
        loop {
            let mut state = self.state();
            let next = if state.stops { None } else { state.waiting.pop_front() };
            let Some(better) = next else {
                // Under the lock: whoever queues a kernel from now on starts another thread.
                state.runs = false;
                drop(state);
                self.idle.notify_all();
                std::mem::forget(ends);
                return;
            };
            drop(state);
            if let Some(better) = better.upgrade() {
                better.make(&self.maker);
            }
        }
    }

    /// Ends the thread, after what it is making, and waits for that.
    pub(crate) fn stop(&self) {
        let mut state = self.state();
        state.stops = true;
        state.waiting.clear();
        while state.runs {
            state = self.idle.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until nothing is to be made any more, at most so long; whether that is so.
    pub(crate) fn settle(&self, most: Duration) -> bool {
        let busy = |state: &mut State| state.runs;
        let waited = self.idle.wait_timeout_while(self.state(), most, busy);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

/// Before the process takes down what compilers stand on. The tables that LLVM makes on the way stay: the crate `llvm` sees to
/// that.
extern "C" fn stop_all() {
    if PROCESS.load(Ordering::Relaxed) != std::process::id() {
        return;
    }
    let all: Vec<_> = ALL.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect();
    all.iter().for_each(|b| b.stop());
}
