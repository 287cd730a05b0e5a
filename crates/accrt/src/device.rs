//! Which device a program uses.

use std::sync::atomic::{AtomicI32, Ordering};

/// Where regions run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Device {
    /// The thread that meets them, as the host's compiler made them.
    Host,
    /// All processors, with the host's memory.
    Multicore,
    /// All processors, with memory of their own.
    Discrete,
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

/// What was chosen; -1 before anything was.
static CHOSEN: AtomicI32 = AtomicI32::new(-1);
/// What the program was compiled for.
static COMPILED: AtomicI32 = AtomicI32::new(number::MULTICORE);

impl Device {
    /// Its number.
    pub(crate) fn number(self) -> i32 {
        match self {
            Self::Host => number::HOST,
            Self::Multicore => number::MULTICORE,
            Self::Discrete => number::DISCRETE,
        }
    }

    fn of(n: i32) -> Option<Self> {
        Some(match n {
            number::HOST => Self::Host,
            number::MULTICORE => Self::Multicore,
            number::DISCRETE => Self::Discrete,
            number::DEFAULT | number::NOT_HOST => {
                return Self::of(COMPILED.load(Ordering::Relaxed)).or(Some(Self::Multicore));
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
        }
    }

    /// Whether its kernels run on several threads.
    pub(crate) fn is_parallel(self) -> bool {
        self != Self::Host
    }

    /// Whether it has memory of its own.
    pub(crate) fn is_apart(self) -> bool {
        self == Self::Discrete
    }
}

/// Remembers what the program was compiled for, and gives the device in use.
pub(crate) fn current(compiled: Option<i32>) -> Device {
    let chosen = CHOSEN.load(Ordering::Relaxed);
    if let Some(d) = Device::of(chosen).filter(|_| chosen >= 0) {
        return d;
    }
    let asked = std::env::var("ACC_DEVICE_TYPE").ok().and_then(|t| by_name(&t));
    let Some(compiled) = compiled else {
        // Nothing of the program has run yet that says what it was compiled for.
        return asked
            .and_then(Device::of)
            .unwrap_or_else(|| Device::of(COMPILED.load(Ordering::Relaxed)).unwrap_or(Device::Multicore));
    };
    COMPILED.store(compiled, Ordering::Relaxed);
    let device = asked.and_then(Device::of).or_else(|| Device::of(compiled)).unwrap_or(Device::Multicore);
    CHOSEN.store(device.number(), Ordering::Relaxed);
    device
}

fn by_name(name: &str) -> Option<i32> {
    Some(match name.to_ascii_lowercase().as_str() {
        "host" => number::HOST,
        "multicore" => number::MULTICORE,
        "discrete" => number::DISCRETE,
        "nvidia" | "tesla" => number::NVIDIA,
        "not_host" | "default" => number::DEFAULT,
        _ => return None,
    })
}

/// Chooses by number; false if there is no such device.
pub(crate) fn choose(n: i32) -> bool {
    let Some(d) = Device::of(n) else { return n == number::NONE };
    CHOSEN.store(d.number(), Ordering::Relaxed);
    true
}

/// How many devices of a kind there are.
pub(crate) fn count(n: i32) -> i32 {
    i32::from(Device::of(n).is_some())
}

/// Remembers what the program was compiled for.
pub(crate) fn compiled(n: i32) {
    COMPILED.store(n, Ordering::Relaxed);
}

/// Chooses by the name of a `device_type` clause; other names leave the choice as it is.
pub(crate) fn choose_name(name: &str) {
    if let Some(n) = by_name(name) {
        choose(n);
    }
}

/// Lets the device go: what queues have is done, and what is present is forgotten.
pub(crate) fn shutdown() {
    use crate::prof::Event;
    crate::trace::device(Event::ShutdownStart, Event::ShutdownEnd, || {
        crate::queue::Stream::NOW.wait_for_all();
        crate::table::table().clear();
    });
}
