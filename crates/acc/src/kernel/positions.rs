//! Functions that say which gang, worker and lane of a vector runs: PGI's (`__pgi_gangidx()`, `__pgi_workeridx()`,
//! `__pgi_vectoridx()`; NVIDIA's compilers have them, too) and gcc's (`__builtin_goacc_parlevel_id(level)`, `…_size(level)`).
//!
//! In a kernel they are macros over the work-item's numbers: a group is a gang; on GPUs its threads are the lanes of its workers, on
//! processors its work-items the lanes of one vector. On the host, where one thread runs all of a region, functions of the prelude
//! say 0, and sizes of 1.

use super::{Schedule, Writer};
use crate::host::ITEMS;

/// Their names.
pub(crate) const NAMES: [&str; 5] = [
    "__pgi_gangidx",
    "__pgi_workeridx",
    "__pgi_vectoridx",
    "__builtin_goacc_parlevel_id",
    "__builtin_goacc_parlevel_size",
];

/// Whether a text has one of their names.
pub(crate) fn is_asked(text: &str) -> bool {
    // Nearly no text has: a search for the common parts of the names is enough.
    text.contains("__pgi_") || text.contains("__builtin_goacc_parlevel_")
}

/// What they mean where a group has so many workers of so many lanes; on processors groups have one worker, of `items` lanes.
fn macros(workers: &str, lanes: &str) -> String {
    let lane = format!("((int)__unspool_local_id(0) % ({lanes}))");
    let worker = format!("((int)__unspool_local_id(0) / ({lanes}) + (int)__unspool_local_id(1))");
    let gang = "((int)__unspool_group_id(0) + (int)__unspool_groups(0) * ((int)__unspool_group_id(1) + (int)__unspool_groups(1) * \
                (int)__unspool_group_id(2)))";
    let gangs = "((int)__unspool_groups(0) * (int)__unspool_groups(1) * (int)__unspool_groups(2))";
    let meanings = [
        ("()", gang.to_owned()),
        ("()", worker.clone()),
        ("()", lane.clone()),
        ("(l)", format!("((l) == 0 ? {gang} : (l) == 1 ? {worker} : {lane})")),
        ("(l)", format!("((l) == 0 ? {gangs} : (l) == 1 ? ({workers}) : ({lanes}))")),
    ];
    let define = |(name, (operands, meaning)): (&str, (&str, String))| {
        format!("\n#undef {name}\n#define {name}{operands} {meaning}")
    };
    NAMES.into_iter().zip(meanings).map(define).collect::<String>() + "\n"
}

/// What they mean in functions that kernels call, which know of no blocks.
pub(crate) fn of_functions() -> String {
    macros("1", "1 << 30")
}

impl Writer<'_> {
    /// What they mean in this kernel.
    pub(super) fn positions(&self) -> String {
        let (wide, block) = (matches!(self.plan.schedule, Schedule::Items(_) | Schedule::Shared(..)), self.plan.block);
        let threads = self.plan.team.is_some() || wide && self.plan.gpu;
        let (workers, vector) = if threads { (block.workers(), block.vector()) } else { (1, 1) };
        let here = if wide { self.group() } else { "1" };
        macros(&format!("{ITEMS} ? 1 : {workers}"), &format!("{ITEMS} ? {here} : {vector}"))
    }
}
