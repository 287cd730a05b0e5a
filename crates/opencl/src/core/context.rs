//! Contexts.

use super::device::Device;
use crate::handle::{Handle, Object, Pool};
use crate::status::Status;
use opencl_sys as cl;
use std::sync::Arc;

/// A context.
pub struct Context {
    handle: Handle<Self>,
    /// Its devices, each once, in the order given.
    pub devices: Vec<Arc<Device>>,
    /// The properties it was made with, with the zero that ends them; empty if there were none.
    pub properties: Vec<cl::cl_context_properties>,
}

impl Object for Context {
    const INVALID: Status = Status::INVALID_CONTEXT;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Context> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}

impl Context {
    /// Whether they are the same context.
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
