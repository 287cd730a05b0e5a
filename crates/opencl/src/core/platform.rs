//! The one platform.

use super::device::Device;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use std::sync::{Arc, OnceLock};

/// The platform "unspool".
pub struct Platform {
    handle: Handle<Self>,
    /// Its devices: the processors of this machine; none if LLVM does not know them.
    pub devices: Vec<Arc<Device>>,
}

impl Object for Platform {
    const INVALID: Status = Status::INVALID_PLATFORM;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Platform> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}

impl Platform {
    /// The platform; made by the first call.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn get() -> Result<&'static Arc<Self>> {
        static PLATFORM: OnceLock<Result<Arc<Platform>>> = OnceLock::new();
        let make = || {
            let devices = Device::host().into_iter().collect();
            Self::pool().insert(|handle| Self { handle, devices })
        };
        PLATFORM.get_or_init(make).as_ref().map_err(|&e| e)
    }
}
