//! Kernels whose launch has as many blocks as the program says (`num_gangs`, `gang(n)`): each goes on to others of the blocks that the
//! iterations would fill until none is left.

use super::team::BARRIER;
use super::{Schedule, Writer};
use crate::loops::CountedLoop;
use std::fmt::Write;

/// The number of a work-item, or of a block in `team`s, among those that the iterations would fill: a macro over variables.
pub(super) const AT: &str = "__unspool_at";
/// Declares it.
const MACRO: &str = "\n#undef __unspool_at\n#define __unspool_at(i) __unspool_at_##i\n";

impl Writer<'_> {
    /// Whether iterations would be the launch's dimensions, and the program says how many blocks there are.
    pub(super) fn is_strided(&self) -> bool {
        self.plan.gpu && self.plan.gangs.is_some() && matches!(self.plan.schedule, Schedule::Items(_))
    }

    /// What blocks of `taken` iterations in each dimension do, one after another: `body`, which knows them by [`AT`]; whether they use
    /// memory of the block, so that they wait for each other.
    pub(super) fn strided(&self, loops: &[CountedLoop], taken: [u32; 2], shares: bool, body: &str) -> String {
        let (mut counts, mut ids) = (String::new(), String::new());
        let mut before: Vec<String> = Vec::new();
        for i in 0..loops.len() {
            let n = taken.get(i).copied().unwrap_or(1);
            let _ = write!(
                counts,
                "const int __w{i} = (int)(((__n{i} - __b{i} < 0x40000000L ? __n{i} - __b{i} : 0x40000000L) + {}) / {n}); ",
                n - 1
            );
            let block = match before.is_empty() {
                true => "__block".to_owned(),
                false => format!("__block / ({})", before.join(" * ")),
            };
            let lane = if n > 1 { format!(" * {n} + (int)__unspool_local_id({i})") } else { String::new() };
            let _ = write!(ids, "const int __unspool_at_{i} = (int)({block} % __w{i}){lane}; ");
            before.push(format!("(long)__w{i}"));
        }
        let wait = if shares { BARRIER } else { "" };
        format!(
            "{counts} for (long __block = (int)__unspool_group_id(0), __blocks = {}; __block < __blocks; \
             __block += (int)__unspool_groups(0)) {{ {ids} {body} {wait} }}",
            before.join(" * ")
        )
    }

    /// A kernel's function for GPUs whose threads have iterations by themselves, where that is other than on processors.
    pub(super) fn strided_items(&self, loops: &[CountedLoop], body: &str, begin: &str, end: &str) -> String {
        let block = self.plan.block;
        let items = self.items(loops, body, AT, begin, end);
        let main = self.strided(loops, [block.across(), block.rows()], false, &items);
        self.on_gpu([block.across(), block.rows()], "", &main)
    }

    /// A function for blocks of so many threads.
    pub(super) fn on_gpu(&self, threads: [u32; 2], ids: &str, main: &str) -> String {
        let at = if self.is_strided() { MACRO } else { "" };
        format!(
            "{at}__attribute__((reqd_work_group_size({}, {}, 1))) __kernel void {}({}) {{ {ids} {main} }}\n",
            threads[0],
            threads[1],
            self.plan.name,
            self.params.join(", ")
        )
    }
}
