//! Shared virtual memory: allocations that host and kernels know by the same address.
//!
//! Kernels work on the allocations in place, in the order and with the caches of the processors that the host runs on, too:
//! every allocation is fine-grained (`CL_DEVICE_SVM_FINE_GRAIN_BUFFER`), whether that was asked for or not.

use super::allocation::Allocation;
use crate::core::context::Context;
use crate::status::Result;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, Weak};

/// An allocation of `clSVMAlloc`, or the part of it that begins at an address that was asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its first byte.
    pub start: *mut u8,
    /// Its size in bytes.
    pub size: usize,
}

/// All allocations by their address. They belong to contexts, but do not keep them.
static ALLOCATIONS: RwLock<BTreeMap<usize, (Weak<Context>, Allocation)>> = RwLock::new(BTreeMap::new());

/// Allocates.
///
/// # Errors
/// `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
pub fn svm_alloc(context: &Arc<Context>, size: usize, align: usize) -> Result<*mut u8> {
    let allocation = Allocation::new(size, align)?;
    let start = allocation.start();
    let mut all = ALLOCATIONS.write().unwrap_or_else(PoisonError::into_inner);
    all.insert(start as usize, (Arc::downgrade(context), allocation));
    Ok(start)
}

/// Frees what begins at this address; nothing if it is no allocation of the context.
pub fn svm_free(context: &Context, pointer: *const u8) {
    let mut all = ALLOCATIONS.write().unwrap_or_else(PoisonError::into_inner);
    let ours = all.get(&(pointer as usize)).is_some_and(|(of, _)| is(of, context));
    let freed = if ours { all.remove(&(pointer as usize)) } else { None };
    drop(all);
    drop(freed);
}

/// The allocation of the context that an address is in; none if it is in none.
pub fn svm_find(context: &Context, pointer: *const u8) -> Option<Region> {
    let all = ALLOCATIONS.read().unwrap_or_else(PoisonError::into_inner);
    let (&start, (of, allocation)) = all.range(..=pointer as usize).next_back()?;
    let inside = (pointer as usize - start) < allocation.size() && is(of, context);
    inside.then(|| Region { start: allocation.start(), size: allocation.size() })
}

/// The allocations of a context, by their addresses.
pub fn svm_all(context: &Context) -> Vec<Region> {
    let all = ALLOCATIONS.read().unwrap_or_else(PoisonError::into_inner);
    let ours = all.values().filter(|(of, _)| is(of, context));
    ours.map(|(_, allocation)| Region { start: allocation.start(), size: allocation.size() }).collect()
}

/// How many bytes there are from an address to the end of the allocation of the context that it is in.
pub fn svm_left(context: &Context, pointer: *const u8) -> Option<usize> {
    let region = svm_find(context, pointer)?;
    Some(region.size - (pointer as usize - region.start as usize))
}

fn is(of: &Weak<Context>, context: &Context) -> bool {
    std::ptr::eq(of.as_ptr(), context)
}
