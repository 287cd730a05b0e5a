//! What the functions of `openacc.h` do to one range of memory.

use crate::device;
use crate::region::{
    COPYIN, CREATE, DELETE, EXIT_COPYOUT, FINALIZE, Item, Site, UPDATE_DEVICE, UPDATE_HOST, enter_item, exit_item,
};
use crate::table::table;
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

fn site() -> Site {
    Site {
        file: c"".as_ptr(),
        function: c"the program's own call".as_ptr(),
        line: 0,
        kind: 0,
        device: device::current(None).number(),
        flags: 0,
    }
}

pub(crate) fn enter(copy: bool, at: *mut c_void, bytes: usize) {
    let mut i = item(if copy { COPYIN } else { CREATE }, 0, at, bytes);
    enter_item(&mut table(), &site(), &mut i, false);
}

pub(crate) fn exit(copy: bool, finalize: bool, at: *mut c_void, bytes: usize) {
    let i = item(if copy { EXIT_COPYOUT } else { DELETE }, if finalize { FINALIZE } else { 0 }, at, bytes);
    exit_item(&mut table(), &i, false);
}

pub(crate) fn update(to_host: bool, at: *mut c_void, bytes: usize) {
    let i = item(if to_host { UPDATE_HOST } else { UPDATE_DEVICE }, 0, at, bytes);
    crate::region::update(&mut table(), None, &i);
}

pub(crate) fn attach(at: *mut *mut c_void) {
    crate::region::attach(&mut table(), at as usize, true);
}

pub(crate) fn detach(at: *mut *mut c_void, finalize: bool) {
    crate::region::detach(&mut table(), at as usize, finalize);
}
