//! Callbacks of events: a thread of their own calls them, one after another.
//!
//! So they run under none of our locks, nor under locks of the user whose call they happen in, and they may enqueue, set
//! user events and take as long as they like.

use super::event::Event;
use super::thread;
use crate::handle::Object;
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};

/// The function of a callback: the event, `CL_SUBMITTED` to `CL_COMPLETE` or an error, and `user_data`.
pub type Function = unsafe extern "C" fn(cl::cl_event, cl::cl_int, *mut c_void);

/// A callback of `clSetEventCallback`.
pub struct Callback {
    /// The state that it waits for.
    pub at: cl::cl_int,
    /// What to call.
    pub function: Function,
    /// `user_data`.
    pub data: *mut c_void,
    /// The event, which lives until it was called.
    pub event: Arc<Event>,
}

// SAFETY: the user's data is only passed on; callbacks must expect any thread: "it is the application's responsibility to
// ensure that the callback function is thread-safe".
unsafe impl Send for Callback {}

/// Calls a callback soon; those of one thread in the order of these calls.
pub(super) fn call(callback: Callback, status: cl::cl_int) {
    static CALLS: OnceLock<Sender<(Callback, cl::cl_int)>> = OnceLock::new();
    let calls = CALLS.get_or_init(|| {
        let (sender, calls) = channel::<(Callback, cl::cl_int)>();
        // Without a thread the receiver is gone and callbacks are never called; there is nobody to tell.
        let _ = thread::start("unspool callbacks", move || {
            for (callback, status) in calls {
                // SAFETY: the function of a call to `clSetEventCallback`, called as it says.
                unsafe { (callback.function)(callback.event.handle().raw(), status, callback.data) };
            }
        });
        sender
    });
    let _ = calls.send((callback, status));
}
