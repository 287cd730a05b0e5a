//! Clauses for one type of device (OpenACC 3.4, 2.4): what stands behind `device_type` holds for the types that it names, `*` for
//! those that no other one on the directive names; the clauses before it hold where no clause of their kind stands behind.

use crate::{Clause, ClauseKind, Directive};

/// The words that `device_type` takes: those of [`DeviceClass::is_meant_by`], the rest, and what other compilers have devices for
/// (OpenACC 3.4, appendix A).
pub(crate) const TYPES: [&str; 15] = [
    "*",
    "default",
    "not_host",
    "host",
    "multicore",
    "discrete",
    "nvidia",
    "tesla",
    "cuda",
    "gpu",
    "radeon",
    "amd",
    "xeonphi",
    "fpga",
    "opencl",
];

/// What code is for, as far as directives can tell types of devices apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceClass {
    /// The thread that meets the construct.
    Host,
    /// This machine's cores.
    Multicore,
    /// This machine as a device with memory of its own.
    Discrete,
    /// NVIDIA GPUs.
    Nvidia,
}

impl DeviceClass {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Host, Self::Multicore, Self::Discrete, Self::Nvidia];

    /// Its number in `acc_device_t`.
    pub const fn number(self) -> i32 {
        match self {
            Self::Host => 2,
            Self::Multicore => 10,
            Self::Discrete => 11,
            Self::Nvidia => 4,
        }
    }

    /// Whether a `device_type` clause means it by a word.
    pub fn is_meant_by(self, word: &str) -> bool {
        match self {
            Self::Host => word == "host",
            Self::Multicore => word == "multicore",
            Self::Discrete => word == "discrete",
            Self::Nvidia => matches!(word, "nvidia" | "tesla" | "cuda" | "gpu"),
        }
    }
}

/// Whether a clause may hold for one type of device only; others hold for all.
pub(crate) fn may_differ(c: ClauseKind) -> bool {
    use ClauseKind as C;
    matches!(c, C::Async | C::Wait | C::NumGangs | C::NumWorkers | C::VectorLength | C::Bind) || is_schedule(c)
}

fn is_schedule(c: ClauseKind) -> bool {
    use ClauseKind as C;
    matches!(c, C::Collapse | C::Tile) || is_level(c) || is_order(c)
}

fn is_level(c: ClauseKind) -> bool {
    matches!(c, ClauseKind::Gang | ClauseKind::Worker | ClauseKind::Vector)
}

fn is_order(c: ClauseKind) -> bool {
    matches!(c, ClauseKind::Seq | ClauseKind::Auto | ClauseKind::Independent)
}

impl Directive {
    /// The directive as it is for a type of device: without clauses for others.
    #[must_use]
    pub fn for_device(&self, class: DeviceClass) -> Self {
        let named = self.device_types.iter().any(|t| class.is_meant_by(t));
        let holds = |c: &Clause| match named {
            true => c.device_types.iter().any(|t| class.is_meant_by(t)),
            false => c.device_types.iter().any(|t| t == "*" || t == "default"),
        };
        let own: Vec<ClauseKind> = self.clauses.iter().filter(|c| holds(c)).map(|c| c.kind).collect();
        let gives_way = |c: &Clause| {
            own.contains(&c.kind)
                || is_order(c.kind) && own.iter().any(|&k| is_order(k))
                || (is_level(c.kind) && own.contains(&ClauseKind::Seq))
                || (c.kind == ClauseKind::Seq && own.iter().any(|&k| is_level(k)))
        };
        let stays = |c: &&Clause| holds(c) || c.device_types.is_empty() && !(may_differ(c.kind) && gives_way(c));
        Self { clauses: self.clauses.iter().filter(stays).cloned().collect(), ..self.clone() }
    }
}
