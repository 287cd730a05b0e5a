//! The optimiser: passes over [`ir::Function`]s, and the pipeline that orders them.
//!
//! Every pass is a function `run(&mut Function, &mut PassContext) -> bool` that says whether it changed anything, in a
//! file that opens with what it does, what must hold, its limits and its cost. Passes leave no aliases behind
//! ([`ir::Dfg::resolve_aliases`]), keep loop metadata on back edges, and are near-linear in the function's size. What
//! runs when is decided in `pipeline` alone.

pub mod bit_count;
mod call_graph;
pub mod carried_loads;
pub mod contract;
pub mod dce;
pub mod div;
pub mod div_rem;
pub mod facts;
pub mod group_memory;
pub mod gvn;
pub mod hoist_common;
pub mod if_convert;
pub mod implied;
pub mod infer_space;
pub mod inline;
pub mod join_branches;
pub mod known;
mod known_float;
mod known_signed;
pub mod licm;
mod loaded_pointers;
pub mod loop_delete;
pub mod loop_rotate;
mod loop_util;
pub mod no_wrap;
pub mod param_copies;
pub mod pass;
pub mod pipeline;
pub mod provable;
mod prove;
pub mod range_checks;
pub mod remade;
pub mod sccp;
pub mod simplify;
pub mod simplify_cfg;
pub mod sink_conditions;
mod skip_entries;
pub mod sroa;
pub mod strength;
#[cfg(test)]
mod testing;
pub mod unasked_bits;
pub mod unread;
pub mod unswitch;
pub mod vectorize;
pub mod versions;
pub mod waited_sums;
pub mod warp_size;

pub use pass::{BrokenPass, Observer, OptLevel, Options, PassContext};
pub use pipeline::{Slots, clean_up, optimise};
