//! Contexts.

use super::device::Device;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::{CString, c_char, c_void};
use std::io::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

/// What a context tells its maker when something goes wrong behind the scenes.
pub type Notify = unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void);

/// What is called when a context goes.
pub type Destroyed = unsafe extern "C" fn(cl::cl_context, *mut c_void);

/// A function of the user's with the pointer that it is given.
#[derive(Clone, Copy)]
pub struct Callback<F> {
    /// The function.
    pub function: F,
    /// Its `user_data`.
    pub data: *mut c_void,
}

// SAFETY: the specification says that callbacks may be called on any thread; the pointer is only handed back.
unsafe impl<F: Send> Send for Callback<F> {}
// SAFETY: likewise.
unsafe impl<F: Sync> Sync for Callback<F> {}

/// A context.
pub struct Context {
    handle: Handle<Self>,
    /// Its devices, each once, in the order given.
    pub devices: Vec<Arc<Device>>,
    /// The properties it was made with, with the zero that ends them; empty if there were none.
    pub properties: Vec<cl::cl_context_properties>,
    notify: Option<Callback<Notify>>,
    destroyed: Mutex<Vec<Callback<Destroyed>>>,
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
    /// A context of these devices.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        devices: Vec<Arc<Device>>,
        properties: Vec<cl::cl_context_properties>,
        notify: Option<Callback<Notify>>,
    ) -> Result<Arc<Self>> {
        Self::pool().insert(|handle| Self { handle, devices, properties, notify, destroyed: Mutex::default() })
    }

    /// Whether they are the same context.
    pub fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// The device of a handle.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE`: no device, or none of this context's.
    pub fn device(&self, raw: cl::cl_device_id) -> Result<Arc<Device>> {
        let device = Device::pool().get(raw)?;
        if self.devices.iter().any(|d| d.is(&device)) { Ok(device) } else { Err(Status::INVALID_DEVICE) }
    }

    /// Tells the context's maker what went wrong, in words.
    pub fn notify(&self, message: &str) {
        let Some(Callback { function, data }) = self.notify else { return };
        let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
        // SAFETY: the function was given for this, with its data; the text lives through the call.
        unsafe { function(text.as_ptr(), std::ptr::null(), 0, data) };
    }

    /// The same; on standard error where the context's maker does not want to be told.
    pub fn notify_or_print(&self, message: &str) {
        match self.notify {
            Some(_) => self.notify(message),
            // Without standard error there is nobody to tell.
            None => drop(writeln!(std::io::stderr(), "{message}")),
        }
    }

    /// Adds a function to be called when the context goes.
    pub fn on_destruction(&self, callback: Callback<Destroyed>) {
        self.destroyed.lock().unwrap_or_else(PoisonError::into_inner).push(callback);
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // "The registered callback functions are called in the reverse order in which they were registered."
        let callbacks = std::mem::take(self.destroyed.get_mut().unwrap_or_else(PoisonError::into_inner));
        for Callback { function, data } in callbacks.into_iter().rev() {
            // SAFETY: the function was given for this, with its data. The handle is one that may no longer be used.
            unsafe { function(self.handle.raw(), data) };
        }
    }
}
