//! The objects behind the handles: reference-counted, checked by [`api`](crate::api) before they get here.

pub mod check;
pub mod context;
pub mod device;
pub mod event;
pub mod features;
pub mod image;
pub mod kernel;
pub mod launch;
pub mod machine;
pub mod memory;
pub mod node;
pub mod notify;
mod output;
pub mod platform;
pub mod program;
pub mod queue;
pub mod sampler;
mod schedule;
mod thread;
mod workers;
