//! Memory of the device in use: with [guards](crate::guarded) on this machine where it is apart, [kept](crate::shared) where it
//! is the host's, or that of a [GPU](crate::gpu).
//!
//! What copies and writes is called in a [`Stream`](crate::queue::Stream): a GPU's memory is reached through the stream in use,
//! any other by the processor.

use crate::device::{self, Device};
use crate::{gpu, guarded, shared};

fn gpu_in_use() -> Option<&'static gpu::Gpu> {
    match device::current(None) {
        Device::Nvidia(n) => gpu::gpu(n),
        _ => None,
    }
}

/// Allocates; null if there is no memory.
pub(crate) fn allocate(bytes: usize) -> usize {
    match gpu_in_use() {
        Some(gpu) => gpu.allocate(bytes),
        None if device::current(None).is_apart() => guarded::allocate(bytes),
        None => shared::allocate(bytes),
    }
}

/// Frees what [`allocate`] gave; false if it was nothing of that kind.
pub(crate) fn free(at: usize) -> bool {
    gpu_in_use().is_some_and(|g| g.free(at)) || guarded::free(at) || shared::free(at)
}

/// Whether an address is in (or just behind) an allocation of the device.
pub(crate) fn is_device(address: usize) -> bool {
    match gpu_in_use() {
        Some(gpu) => gpu.owns(address),
        None => guarded::is_device(address) || shared::is_device(address),
    }
}

/// Bytes that are allocated.
pub(crate) fn in_use() -> usize {
    gpu_in_use().map_or_else(|| guarded::in_use() + shared::in_use(), gpu::Gpu::in_use)
}

/// Copies the host's bytes to the device.
///
/// # Safety
/// Both places have so many bytes.
pub(crate) unsafe fn copy_in(to: usize, from: usize, bytes: usize) {
    if gpu::is_here() {
        return gpu::copy_in(to, from, bytes);
    }
    // SAFETY: by the caller's promise.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
}

/// Copies the device's bytes to the host.
///
/// # Safety
/// As [`copy_in`].
pub(crate) unsafe fn copy_out(to: usize, from: usize, bytes: usize) {
    if gpu::is_here() {
        return gpu::copy_out(to, from, bytes);
    }
    // SAFETY: by the caller's promise.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
}

/// Copies within the device.
///
/// # Safety
/// As [`copy_in`].
pub(crate) unsafe fn copy_within(to: usize, from: usize, bytes: usize) {
    if gpu::is_here() {
        return gpu::copy_within(to, from, bytes);
    }
    // SAFETY: by the caller's promise.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
}

/// Writes zeros to the device.
///
/// # Safety
/// There are so many bytes.
pub(crate) unsafe fn clear(at: usize, bytes: usize) {
    if gpu::is_here() {
        return gpu::clear(at, bytes);
    }
    // SAFETY: by the caller's promise.
    unsafe { std::ptr::write_bytes(at as *mut u8, 0, bytes) };
}

/// Writes a pointer to the device.
///
/// # Safety
/// There are eight bytes.
pub(crate) unsafe fn poke(at: usize, value: usize) {
    if gpu::is_here() {
        return gpu::poke(at, value);
    }
    // SAFETY: by the caller's promise.
    unsafe { (at as *mut usize).write_unaligned(value) };
}
