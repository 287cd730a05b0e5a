//! Memory objects: buffers, parts of them, and images.
//!
//! The device's memory is the host's. A buffer is a store of ours ([`allocation`]) or the program's own memory, used in
//! place (`CL_MEM_USE_HOST_PTR`); a sub-buffer is a window on its buffer, which it keeps alive.

pub mod allocation;
pub mod mapping;
pub mod svm;
pub mod transfer;

use super::check::written;
use super::context::Context;
use super::image::Image;
use super::image::format::Format;
use super::image::shape::Shape;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use allocation::{Allocation, BASE_ALIGN};
use mapping::{Box3, Mapping, Mappings};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use transfer::{Address, Placed, copy, copy_rect};

/// What the user wants to be called when the object goes.
pub type Notify = unsafe extern "C" fn(memobj: cl::cl_mem, user_data: *mut c_void);

/// A memory object: a buffer, a part of one, or an image.
pub struct Memory {
    handle: Handle<Self>,
    /// Its context.
    pub context: Arc<Context>,
    /// `CL_MEM_FLAGS`: as given, and what sub-buffers inherit.
    pub flags: cl::cl_mem_flags,
    /// `CL_MEM_PROPERTIES`, with the zero that ends them; empty if there were none.
    pub properties: Vec<cl::cl_mem_properties>,
    /// `CL_MEM_USES_SVM_POINTER`.
    pub uses_svm: bool,
    address: *mut u8,
    size: usize,
    store: Store,
    image: Option<Image>,
    destructors: Mutex<Vec<(Notify, *mut c_void)>>,
    /// Mapped regions; those of parts are with what they are parts of.
    mappings: Mutex<Mappings>,
}

// SAFETY: the addresses are of memory that commands may access from any thread, by the rules of the API; those of the
// user's data are only passed on.
unsafe impl Send for Memory {}
// SAFETY: likewise; what changes is behind locks.
unsafe impl Sync for Memory {}

/// Where the bytes are.
enum Store {
    /// Held for its drop.
    Own { _allocation: Allocation },
    /// Memory of the program.
    Host,
    /// A window on this object, so many bytes from its beginning.
    Part { of: Arc<Memory>, offset: usize },
}

/// What a buffer is made of.
pub struct BufferSpec {
    /// `CL_MEM_…`, checked.
    pub flags: cl::cl_mem_flags,
    /// With the zero that ends them; empty if there were none.
    pub properties: Vec<cl::cl_mem_properties>,
    /// In bytes; not zero.
    pub size: usize,
    /// Null, the bytes to begin with, or the bytes to work on, as the flags say.
    pub host_ptr: *mut c_void,
}

/// What an image is made of.
pub struct ImageSpec {
    /// `CL_MEM_…`, checked; with what it has of the buffer.
    pub flags: cl::cl_mem_flags,
    /// With the zero that ends them; empty if there were none.
    pub properties: Vec<cl::cl_mem_properties>,
    /// How elements are encoded.
    pub format: Format,
    /// Where they are, with pitches.
    pub shape: Shape,
    /// The buffer whose bytes it uses; large enough.
    pub buffer: Option<Arc<Memory>>,
    /// Null, the rows to begin with, or the rows to work on, as the flags say.
    pub host_ptr: *mut c_void,
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
    /// Makes a buffer.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    ///
    /// # Safety
    /// If the flags have `CL_MEM_COPY_HOST_PTR`, `host_ptr` points to `size` bytes; if they have `CL_MEM_USE_HOST_PTR`, it
    /// does as long as the buffer lives.
    pub unsafe fn buffer(context: Arc<Context>, spec: BufferSpec) -> Result<Arc<Self>> {
        let BufferSpec { flags, properties, size, host_ptr } = spec;
        let (store, address) = if flags & cl::CL_MEM_USE_HOST_PTR != 0 {
            (Store::Host, host_ptr.cast())
        } else {
            let allocation = Allocation::new(size, BASE_ALIGN)?;
            let start = allocation.start();
            written::watch(start, size);
            if flags & cl::CL_MEM_COPY_HOST_PTR != 0 {
                // SAFETY: by the caller's promise; the allocation is new, so nobody else knows it.
                unsafe { copy(&context.devices[0].host, Address(host_ptr.cast()), Address(start), size) };
            }
            (Store::Own { _allocation: allocation }, start)
        };
        let uses_svm = matches!(store, Store::Host) && svm::svm_find(&context, address).is_some();
        Self::pool().insert(|handle| Self {
            handle,
            context,
            flags,
            properties,
            uses_svm,
            address,
            size,
            store,
            image: None,
            destructors: Mutex::default(),
            mappings: Mutex::default(),
        })
    }

    /// Makes a sub-buffer of a buffer that is none itself; the region is within it. The flags are those that it will have.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn part(self: &Arc<Self>, flags: cl::cl_mem_flags, offset: usize, size: usize) -> Result<Arc<Self>> {
        Self::pool().insert(|handle| Self {
            handle,
            context: Arc::clone(&self.context),
            flags,
            properties: Vec::new(),
            uses_svm: self.uses_svm,
            address: self.address.wrapping_add(offset),
            size,
            store: Store::Part { of: Arc::clone(self), offset },
            image: None,
            destructors: Mutex::default(),
            mappings: Mutex::default(),
        })
    }

    /// Makes an image.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`, `CL_OUT_OF_HOST_MEMORY`.
    ///
    /// # Safety
    /// If the flags have `CL_MEM_COPY_HOST_PTR` and there is no buffer, `host_ptr` points to the rows of the shape; if they
    /// have `CL_MEM_USE_HOST_PTR`, it does as long as the image lives.
    pub unsafe fn image(context: Arc<Context>, spec: ImageSpec) -> Result<Arc<Self>> {
        let ImageSpec { flags, properties, format, shape, buffer, host_ptr } = spec;
        let size = shape.bytes().ok_or(Status::MEM_OBJECT_ALLOCATION_FAILURE)?;
        let (store, address) = if let Some(of) = &buffer {
            (Store::Part { of: Arc::clone(of), offset: 0 }, of.address)
        } else if flags & cl::CL_MEM_USE_HOST_PTR != 0 {
            (Store::Host, host_ptr.cast())
        } else {
            let allocation = Allocation::new(size, BASE_ALIGN)?;
            let start = allocation.start();
            written::watch(start, size);
            if flags & cl::CL_MEM_COPY_HOST_PTR != 0 {
                // Only the rows: behind the last one the program's memory may end.
                let region = shape.extents();
                let all = shape.layout([0; 3], region)?;
                let device = context.devices.first().ok_or(Status::INVALID_CONTEXT)?;
                let (from, to) = (Placed(Address(host_ptr.cast()), all), Placed(Address(start), all));
                // SAFETY: by the caller's promise; the allocation is as large as the shape.
                unsafe { copy_rect(&device.host, from, to, shape.in_bytes(region)) };
            }
            (Store::Own { _allocation: allocation }, start)
        };
        let uses_svm = buffer.as_ref().map_or_else(
            || matches!(store, Store::Host) && svm::svm_find(&context, address).is_some(),
            |of| of.uses_svm,
        );
        let image = Some(Image::new(format, shape, buffer, address));
        Self::pool().insert(|handle| Self {
            handle,
            context,
            flags,
            properties,
            uses_svm,
            address,
            size,
            store,
            image,
            destructors: Mutex::default(),
            mappings: Mutex::default(),
        })
    }

    /// What makes it an image, if it is one.
    pub fn as_image(&self) -> Option<&Image> {
        self.image.as_ref()
    }

    /// What kernels get: where it is, or the description of an image, which lives as long as the image.
    pub fn argument(&self) -> *mut u8 {
        self.as_image().map_or(self.address, |image| image.descriptor().as_ptr().cast())
    }

    /// Where its bytes are.
    pub fn address(&self) -> *mut u8 {
        self.address
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// What it is a part of, and where it begins in it.
    pub fn parent(&self) -> Option<(&Arc<Self>, usize)> {
        match &self.store {
            Store::Part { of, offset } => Some((of, *offset)),
            Store::Own { .. } | Store::Host => None,
        }
    }

    /// The object whose store it uses: itself, unless it is a part. An image may be a part of a sub-buffer.
    fn root(&self) -> &Self {
        self.parent().map_or(self, |(of, _)| of.root())
    }

    /// `CL_MEM_HOST_PTR`: the program's memory that it uses; null if it uses none.
    pub fn host_ptr(&self) -> *mut c_void {
        if matches!(self.root().store, Store::Host) { self.address.cast() } else { std::ptr::null_mut() }
    }

    /// The address so many bytes from its beginning, if as many bytes as are wanted follow.
    pub fn region(&self, offset: usize, size: usize) -> Option<*mut u8> {
        let inside = offset <= self.size && size <= self.size - offset;
        inside.then(|| self.address.wrapping_add(offset))
    }

    /// Whether both use the same store.
    pub fn shares_store(&self, other: &Self) -> bool {
        std::ptr::eq(self.root(), other.root())
    }

    /// Adds something to be called when it goes.
    pub fn on_destruction(&self, notify: Notify, user_data: *mut c_void) {
        lock(&self.destructors).push((notify, user_data));
    }

    /// Maps a region that is within it; its address.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION`: it overlaps with another, and both are for writing.
    pub fn map(&self, offset: usize, size: usize, write: bool) -> Result<*mut u8> {
        self.map_box(offset, size, None, write)
    }

    /// The same of a region of an image, which has other regions between its rows. From the first to the last of its bytes
    /// there are `size`.
    ///
    /// # Errors
    /// As [`map`](Self::map).
    pub fn map_box(&self, offset: usize, size: usize, part: Option<Box3>, write: bool) -> Result<*mut u8> {
        let address = self.address.wrapping_add(offset);
        let mapping = Mapping { owner: self.number(), start: address as usize, size, part, write };
        lock(&self.root().mappings).add(mapping)?;
        Ok(address)
    }

    /// Takes back the mapping with this address.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`: there is none.
    pub fn unmap(&self, pointer: *const c_void) -> Result<Mapping> {
        lock(&self.root().mappings).remove(self.number(), pointer as usize)
    }

    /// Puts back a mapping that [`unmap`](Self::unmap) took, where the command that wanted it gone was not enqueued.
    pub fn remap(&self, mapping: Mapping) {
        // It can fail only if another thread has mapped the region for writing meanwhile; then that mapping stands for both.
        let _ = lock(&self.root().mappings).add(mapping);
    }

    /// `CL_MEM_MAP_COUNT`
    pub fn map_count(&self) -> u32 {
        u32::try_from(lock(&self.root().mappings).count(self.number())).unwrap_or(u32::MAX)
    }

    /// What tells it from other objects that live.
    fn number(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let destructors = std::mem::take(self.destructors.get_mut().unwrap_or_else(PoisonError::into_inner));
        // "The registered callback functions are called in the reverse order in which they were registered. The registered
        // callback functions are called and then the memory object's resources are freed and the memory object is deleted."
        for (notify, user_data) in destructors.into_iter().rev() {
            // SAFETY: a function and its data that the user gave for this.
            unsafe { notify(self.handle.raw(), user_data) };
        }
        if matches!(self.store, Store::Own { .. }) {
            written::forget(self.address);
        }
        if self.parent().is_some() {
            lock(&self.root().mappings).forget(self.number());
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
