//! What the functions of `openacc.h` do to one range of memory.

use crate::interface::{COPYIN, CREATE, DELETE, EXIT_COPYOUT, FINALIZE, Item, UPDATE_DEVICE, UPDATE_HOST};
use crate::present::{self, Doing, enter_item, exit_item};
use crate::prof::Event;
use crate::queue::Stream;
use crate::table::table;
use crate::trace;
use std::ffi::{c_int, c_ulong, c_void};

fn item(kind: c_int, flags: c_int, at: *mut c_void, bytes: usize) -> Item {
    Item {
        name: c"argument of a call".as_ptr(),
        kind,
        flags,
        base: at.cast(),
        bytes: bytes as c_ulong,
        pointer: std::ptr::null_mut(),
        ndims: 0,
        dims: std::ptr::null(),
    }
}

fn doing(stream: Stream) -> Doing {
    Doing { site: None, stream }
}

pub(crate) fn enter(copy: bool, at: *mut c_void, bytes: usize, stream: Stream) {
    let mut i = item(if copy { COPYIN } else { CREATE }, 0, at, bytes);
    trace::during(Event::EnterDataStart, Event::EnterDataEnd, None, stream, || {
        enter_item(&mut table(), doing(stream), &mut i, false);
    });
}

pub(crate) fn exit(copy: bool, finalize: bool, at: *mut c_void, bytes: usize, stream: Stream) {
    let i = item(if copy { EXIT_COPYOUT } else { DELETE }, if finalize { FINALIZE } else { 0 }, at, bytes);
    trace::during(Event::ExitDataStart, Event::ExitDataEnd, None, stream, || {
        exit_item(&mut table(), doing(stream), &i, false);
    });
}

pub(crate) fn update(to_host: bool, at: *mut c_void, bytes: usize, stream: Stream) {
    let i = item(if to_host { UPDATE_HOST } else { UPDATE_DEVICE }, 0, at, bytes);
    trace::during(Event::UpdateStart, Event::UpdateEnd, None, stream, || {
        present::update(&mut table(), doing(stream), &i);
    });
}

pub(crate) fn attach(at: *mut *mut c_void, stream: Stream) {
    present::attach(&mut table(), doing(stream), at as usize, true);
}

pub(crate) fn detach(at: *mut *mut c_void, finalize: bool, stream: Stream) {
    present::detach(&mut table(), doing(stream), at as usize, finalize);
}
