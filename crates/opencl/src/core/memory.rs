//! Memory objects.

use super::context::Context;
use crate::handle::{Handle, Object, Pool};
use crate::status::Status;
use std::sync::Arc;

/// A memory object: a buffer or a part of one.
pub struct Memory {
    handle: Handle<Self>,
    /// Its context.
    pub context: Arc<Context>,
}

impl Object for Memory {
    const INVALID: Status = Status::INVALID_MEM_OBJECT;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Memory> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}

impl Memory {
    /// Where kernels find it.
    pub fn address(&self) -> *mut u8 {
        std::ptr::null_mut()
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        0
    }
}
