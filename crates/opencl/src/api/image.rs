//! Images: chapter "Image Objects". Where kernels do not read and write images, there are none: the calls answer what the
//! specification has them answer then.

mod copy;
mod create;
mod fill;
mod info;
mod map;
mod transfer;

pub use copy::*;
pub use create::*;
pub use fill::*;
pub use info::*;
pub use map::*;
pub use transfer::*;

use super::transfer::memory_of;
use crate::core::image::Image;
use crate::core::memory::Memory;
use crate::core::memory::transfer::{Address, Placed};
use crate::core::queue::Queue;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::sync::Arc;

/// An image that a command of this queue works on.
fn image_of(queue: &Queue, raw: cl::cl_mem) -> Result<Arc<Memory>> {
    // "CL_INVALID_CONTEXT if the context associated with command_queue and image are not the same."
    // "CL_INVALID_MEM_OBJECT if image is not a valid image object."
    let memory = memory_of(queue, raw)?;
    if memory.as_image().is_some() { Ok(memory) } else { Err(Status::INVALID_MEM_OBJECT) }
}

/// What makes a memory object an image.
///
/// # Errors
/// "CL_INVALID_MEM_OBJECT if image is not a valid image object."
fn as_image(memory: &Memory) -> Result<&Image> {
    memory.as_image().ok_or(Status::INVALID_MEM_OBJECT)
}

/// Where a region of an image lies, and how large it is in bytes, rows and slices.
///
/// # Errors
/// `CL_INVALID_VALUE`: see [`Shape::layout`](crate::core::image::shape::Shape::layout).
fn place(memory: &Memory, origin: [usize; 3], region: [usize; 3]) -> Result<(Placed, [usize; 3])> {
    let shape = &as_image(memory)?.shape;
    let layout = shape.layout(origin, region)?;
    Ok((Placed(Address(memory.address()), layout), shape.in_bytes(region)))
}
