//! Which device a program uses.

use crate::gpu;
use std::cell::Cell;
use std::io::Write;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// Where regions run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Device {
    /// The thread that meets them, as the host's compiler made them.
    Host,
    /// All processors, with the host's memory.
    Multicore,
    /// All processors, with memory of their own.
    Discrete,
    /// A GPU of NVIDIA's, by number.
    Nvidia(usize),
}

/// `acc_device_t` of `openacc.h`.
pub(crate) mod number {
    pub(crate) const NONE: i32 = 0;
    pub(crate) const DEFAULT: i32 = 1;
    pub(crate) const HOST: i32 = 2;
    pub(crate) const NOT_HOST: i32 = 3;
    pub(crate) const NVIDIA: i32 = 4;
    pub(crate) const MULTICORE: i32 = 10;
    pub(crate) const DISCRETE: i32 = 11;
}

thread_local! {
    /// What this thread has chosen; -1 before it did (OpenACC 3.4, 2.3: each thread of the host has its own).
    static CHOSEN: Cell<i32> = const { Cell::new(-1) };
    /// Which of the GPUs.
    static GPU: Cell<usize> = const { Cell::new(0) };
}
/// What the program was compiled for.
static COMPILED: AtomicI32 = AtomicI32::new(number::MULTICORE);
/// What it was compiled for besides: where it runs if there is no GPU.
static FALLBACK: AtomicI32 = AtomicI32::new(number::MULTICORE);
/// Whether it has said so.
static SETTLED: AtomicBool = AtomicBool::new(false);

impl Device {
    /// Its number.
    pub(crate) fn number(self) -> i32 {
        match self {
            Self::Host => number::HOST,
            Self::Multicore => number::MULTICORE,
            Self::Discrete => number::DISCRETE,
            Self::Nvidia(_) => number::NVIDIA,
        }
    }

    /// Which one of its type.
    pub(crate) fn index(self) -> usize {
        if let Self::Nvidia(n) = self { n } else { 0 }
    }

    /// The device of a number, if there is one.
    fn of(n: i32) -> Option<Self> {
        Some(match n {
            number::HOST => Self::Host,
            number::MULTICORE => Self::Multicore,
            number::DISCRETE => Self::Discrete,
            number::NVIDIA if gpu::count().is_ok() => Self::Nvidia(GPU.get()),
            // What the environment says comes before what the program was compiled for.
            number::DEFAULT | number::NOT_HOST => {
                let said = asked().filter(|&a| a != number::DEFAULT && (n, a) != (number::NOT_HOST, number::HOST));
                let compiled = || Self::of(COMPILED.load(Ordering::Relaxed));
                return said.and_then(Self::of).or_else(compiled).or_else(|| Some(fallback()));
            }
            _ => return None,
        })
    }

    /// Its name, as tables have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Multicore => "multicore",
            Self::Discrete => "discrete",
            Self::Nvidia(_) => "NVIDIA",
        }
    }

    /// Whether its kernels run on several threads.
    pub(crate) fn is_parallel(self) -> bool {
        self != Self::Host
    }

    /// Whether it has memory of its own.
    pub(crate) fn is_apart(self) -> bool {
        matches!(self, Self::Discrete | Self::Nvidia(_))
    }

    /// Whether it is a GPU.
    pub(crate) fn is_gpu(self) -> bool {
        matches!(self, Self::Nvidia(_))
    }
}

/// A thread's choice, for one that works for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice(i32, usize);

/// What this thread has chosen.
pub(crate) fn choice() -> Choice {
    Choice(CHOSEN.get(), GPU.get())
}

/// Works for a thread with that choice from now on.
pub(crate) fn assume(c: Choice) {
    CHOSEN.set(c.0);
    GPU.set(c.1);
}

/// Where programs for GPUs run if there is none.
fn fallback() -> Device {
    match FALLBACK.load(Ordering::Relaxed) {
        number::HOST => Device::Host,
        number::DISCRETE => Device::Discrete,
        _ => Device::Multicore,
    }
}

/// Remembers what the program was compiled for, and gives the device in use.
pub(crate) fn current(compiled: Option<i32>) -> Device {
    let chosen = CHOSEN.get();
    if let Some(d) = Device::of(chosen).filter(|_| chosen >= 0) {
        return d;
    }
    let asked = asked();
    if let Some(n) = variable("ACC_DEVICE_NUM", "a device's number", |n| n.trim().parse().ok()) {
        choose_index(n);
    }
    let wanted = compiled.unwrap_or_else(|| COMPILED.load(Ordering::Relaxed));
    let device = match asked {
        Some(number::NVIDIA) => Device::of(number::NVIDIA).unwrap_or_else(|| missing()),
        Some(n) => Device::of(n).unwrap_or(Device::Multicore),
        None => Device::of(wanted).unwrap_or_else(|| instead(wanted)),
    };
    // Before anything of the program has run that says what it was compiled for, nothing is settled.
    if let Some(compiled) = compiled {
        COMPILED.store(compiled, Ordering::Relaxed);
        CHOSEN.set(device.number());
    }
    device
}

/// The type of device that the environment asks for.
fn asked() -> Option<i32> {
    variable("ACC_DEVICE_TYPE", "a type of device (host, multicore, discrete, nvidia)", by_name)
}

/// What a variable of the environment says. One that means nothing is named once, and left out.
fn variable<T>(name: &str, wanted: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    static SAID: Once = Once::new();
    let text = std::env::var(name).ok().filter(|t| !t.trim().is_empty())?;
    let found = read(&text);
    if found.is_none() {
        SAID.call_once(|| {
            let _ = writeln!(std::io::stderr().lock(), "unspool: {name}={text} is not {wanted}, and is left out");
        });
    }
    found
}

/// Ends the program: it was told to use a GPU and there is none.
fn missing() -> ! {
    let why = gpu::count().err().unwrap_or("there is none");
    crate::fatal::fatal(None, &format!("ACC_DEVICE_TYPE asks for an NVIDIA GPU, and there is none: {why}"))
}

/// What runs the regions of a program for GPUs where there is none; it says so once.
fn instead(wanted: i32) -> Device {
    static SAID: Once = Once::new();
    let device = fallback();
    if wanted == number::NVIDIA {
        SAID.call_once(|| {
            let why = gpu::count().err().unwrap_or("there is none");
            let name = device.name();
            let _ = writeln!(
                std::io::stderr().lock(),
                "unspool: no NVIDIA GPU is used ({why}); regions run on {name} instead (ACC_DEVICE_TYPE={name} says so beforehand)"
            );
        });
    }
    device
}

fn by_name(name: &str) -> Option<i32> {
    Some(match name.trim().to_ascii_lowercase().as_str() {
        "host" => number::HOST,
        "multicore" => number::MULTICORE,
        "discrete" => number::DISCRETE,
        "nvidia" | "tesla" | "cuda" => number::NVIDIA,
        "not_host" | "default" => number::DEFAULT,
        _ => return None,
    })
}

/// Chooses by number; false if there is no such device.
pub(crate) fn choose(n: i32) -> bool {
    let Some(d) = Device::of(n) else { return n == number::NONE };
    CHOSEN.set(d.number());
    true
}

/// Chooses one of several GPUs; a number beyond the last leaves the choice as it is.
pub(crate) fn choose_index(n: usize) {
    if n < gpu::count().unwrap_or(0) {
        GPU.set(n);
    }
}

/// How many devices of a kind there are.
pub(crate) fn count(n: i32) -> i32 {
    match n {
        number::NVIDIA => gpu::count().map_or(0, |n| n as i32),
        number::DEFAULT | number::NOT_HOST => {
            Device::of(n).map_or(0, |d| if d.is_gpu() { count(number::NVIDIA) } else { 1 })
        }
        n => i32::from(Device::of(n).is_some()),
    }
}

/// Remembers what the program was compiled for. The first of its files says it, and none of the libraries that it loads.
pub(crate) fn compiled(n: i32, fallback: i32) {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        COMPILED.store(n, Ordering::Relaxed);
        FALLBACK.store(fallback, Ordering::Relaxed);
        SETTLED.store(true, Ordering::Relaxed);
    });
}

/// Whether the program has said what it was compiled for.
pub(crate) fn is_settled() -> bool {
    SETTLED.load(Ordering::Relaxed)
}

/// Chooses by the name of a `device_type` clause; other names leave the choice as it is.
pub(crate) fn choose_name(name: &str) {
    if let Some(n) = by_name(name) {
        choose(n);
    }
}

/// Whether a word of `device_type` names a device.
pub(crate) fn is_named(device: Device, word: &str) -> bool {
    by_name(word).is_some_and(|n| n == device.number() || n == number::DEFAULT)
}

/// Lets the device go: what queues have is done, and what is present is forgotten.
pub(crate) fn shutdown() {
    use crate::prof::Event;
    crate::trace::device(Event::ShutdownStart, Event::ShutdownEnd, || {
        crate::queue::Stream::NOW.wait_for_all();
        crate::table::table().clear();
    });
    crate::prof::gone();
}
