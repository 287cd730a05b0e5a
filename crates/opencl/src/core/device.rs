//! Devices: the processors of this machine, whole or in parts.

use super::machine::HostInfo;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use opencl_sys as cl;
use runtime::{Cache, Device as _, HostDevice, HostOptions, Specialise};
use std::sync::{Arc, OnceLock};

/// Work-group memory that a kernel may use, in bytes: what fits into the caches next to a core.
pub const LOCAL_MEMORY: u64 = 64 << 10;

/// Where programs and machine code are kept from one process to the next: the user's cache. Tests have none, so that they
/// compile.
pub fn cache() -> &'static Cache {
    static CACHE: OnceLock<Cache> = OnceLock::new();
    CACHE.get_or_init(|| if cfg!(test) { Cache::off() } else { Cache::of_user() })
}

/// How devices run kernels: programs come with many local sizes, of which few recur.
fn options(threads: Option<usize>) -> HostOptions {
    let specialise = Specialise::of_environment().unwrap_or(Specialise::Recurring);
    HostOptions { threads, specialise: Some(specialise), ..HostOptions::default() }
}

/// A device.
pub struct Device {
    handle: Handle<Self>,
    /// What runs its kernels.
    pub host: HostDevice,
    /// What it is a part of.
    pub parent: Option<Arc<Device>>,
    /// How it was made a part (`CL_DEVICE_PARTITION_TYPE`); empty for whole devices.
    pub partition: Vec<cl::cl_device_partition_property>,
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
        let host = HostDevice::with_cache(options(None), cache().clone()).ok()?;
        Self::pool().insert(|handle| Self { handle, host, parent: None, partition: Vec::new() }).ok()
    }

    /// A part of this device that has so many threads.
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES`.
    pub fn part(self: &Arc<Self>, threads: usize, partition: &[cl::cl_device_partition_property]) -> Result<Arc<Self>> {
        let host =
            HostDevice::with_cache(options(Some(threads)), cache().clone()).map_err(|_| Status::OUT_OF_RESOURCES)?;
        let parent = Some(Arc::clone(self));
        Self::pool().insert(|handle| Self { handle, host, parent, partition: partition.to_vec() })
    }

    /// Whether they are the same device.
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// How many threads run work-groups: its compute units.
    pub fn units(&self) -> usize {
        self.host.threads()
    }

    /// Most bytes of one memory object.
    pub fn max_allocation(&self) -> u64 {
        HostInfo::get().memory / 2
    }
}
