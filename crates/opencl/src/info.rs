//! Answers of the `clGet…Info` calls: a value into the caller's memory, its size, or both.

use crate::status::{Result, Status};
use std::ffi::c_void;

/// Where an answer goes: `param_value_size`, `param_value`, `param_value_size_ret`.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    size: usize,
    value: *mut c_void,
    size_out: *mut usize,
}

/// Values that may be answered as they lie in memory.
///
/// # Safety
/// The type has no padding.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($t:ty),*) => { $(
        // SAFETY: numbers and addresses have no padding.
        unsafe impl Plain for $t {}
    )* };
}
plain!(u8, i8, u32, i32, u64, i64, usize, isize, *mut c_void, *const c_void);

// SAFETY: an array has no padding if its elements have none.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

impl Reply {
    /// # Safety
    /// `value` is null or points to `size` writable bytes; `size_out` is null or points to a writable `usize`.
    pub unsafe fn new(size: usize, value: *mut c_void, size_out: *mut usize) -> Self {
        Self { size, value, size_out }
    }

    /// Answers bytes.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`: "… if size in bytes specified by param_value_size is < size of return type … and param_value
    /// is not NULL" (the words of all these calls).
    pub fn bytes(self, bytes: &[u8]) -> Result {
        if !self.value.is_null() {
            if self.size < bytes.len() {
                return Err(Status::INVALID_VALUE);
            }
            // SAFETY: by the promise of `new` there is room for `size` bytes, which are enough.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.value.cast(), bytes.len()) };
        }
        self.size(bytes.len())
    }

    /// What the user put where the answer goes, for answers that go further; nothing if only the size is wanted.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    ///
    /// # Safety
    /// The memory holds so many values of this type, if it is large enough for them.
    pub unsafe fn given<T: Copy>(self, count: usize) -> Result<Vec<T>> {
        if self.value.is_null() {
            return Ok(Vec::new());
        }
        if self.size < count * size_of::<T>() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise. The user's array may be misaligned.
        Ok((0..count).map(|n| unsafe { self.value.cast::<T>().add(n).read_unaligned() }).collect())
    }

    /// For how many values of this type there is room; 3 if only the size is wanted.
    pub fn room<T>(self) -> usize {
        if self.value.is_null() { 3 } else { self.size / size_of::<T>() }
    }

    /// Answers the size only.
    ///
    /// # Errors
    /// None.
    pub fn size(self, size: usize) -> Result {
        if !self.size_out.is_null() {
            // SAFETY: by the promise of `new`. The caller's pointer may be misaligned.
            unsafe { self.size_out.write_unaligned(size) };
        }
        Ok(())
    }

    /// Answers a value.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub fn value<T: Plain>(self, value: T) -> Result {
        self.slice(&[value])
    }

    /// Answers an array; empty ones have size 0.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub fn slice<T: Plain>(self, values: &[T]) -> Result {
        // SAFETY: plain values are initialised bytes.
        self.bytes(unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) })
    }

    /// Answers a `cl_bool`.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub fn bool(self, value: bool) -> Result {
        self.value(u32::from(value))
    }

    /// Answers a string, with the zero that ends it.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub fn text(self, text: &str) -> Result {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend(text.bytes().filter(|&b| b != 0));
        bytes.push(0);
        self.bytes(&bytes)
    }
}
