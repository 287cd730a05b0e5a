//! Devices: the processors of this machine, whole or in parts.

use crate::handle::{Handle, Object, Pool};
use crate::status::Status;
use runtime::{HostDevice, HostOptions};
use std::sync::Arc;

/// A device.
pub struct Device {
    handle: Handle<Self>,
    /// What runs its kernels.
    pub host: HostDevice,
    /// What it is a part of.
    pub parent: Option<Arc<Device>>,
}

impl Object for Device {
    const INVALID: Status = Status::INVALID_DEVICE;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Device> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}

impl Device {
    /// The processors of this machine; none if LLVM does not know them.
    pub(crate) fn host() -> Option<Arc<Self>> {
        let host = HostDevice::new(HostOptions::default()).ok()?;
        Self::pool().insert(|handle| Self { handle, host, parent: None }).ok()
    }
}
