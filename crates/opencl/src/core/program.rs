//! Programs.

use super::context::Context;
use crate::handle::{Handle, Object, Pool};
use crate::status::Status;
use std::sync::Arc;

/// A program.
pub struct Program {
    handle: Handle<Self>,
    /// Its context.
    pub context: Arc<Context>,
}

impl Object for Program {
    const INVALID: Status = Status::INVALID_PROGRAM;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Program> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}
