//! Images: how their elements are encoded, where they lie, and what kernels see of them.
//!
//! An image is a memory object whose bytes are rows of elements. Commands copy rows; only fills encode colours here, by the
//! rules that kernels write them by.

pub mod format;
pub mod shape;

use super::memory::Memory;
use format::Format;
use launch::image::ImageDesc;
use shape::Shape;
use std::ptr::NonNull;
use std::sync::Arc;

/// Most elements along a side of a 1D or 2D image (`CL_DEVICE_IMAGE2D_MAX_WIDTH`, `CL_DEVICE_IMAGE2D_MAX_HEIGHT`).
pub const MAX_2D: usize = 16384;

/// Most elements along a side of a 3D image.
pub const MAX_3D: usize = 2048;

/// Most layers of an array.
pub const MAX_LAYERS: usize = 2048;

/// Most elements of an image that is a buffer's.
pub const MAX_BUFFER: usize = 1 << 27;

/// Most images that a kernel reads.
pub const MAX_READ_ARGS: u32 = 128;

/// Most images that a kernel writes, or reads and writes.
pub const MAX_WRITE_ARGS: u32 = 64;

/// Most samplers that a kernel has.
pub const MAX_SAMPLERS: u32 = 16;

/// What makes a memory object an image.
pub struct Image {
    /// How elements are encoded.
    pub format: Format,
    /// How many there are, and where.
    pub shape: Shape,
    /// `CL_IMAGE_BUFFER`: what it was made of.
    pub buffer: Option<Arc<Memory>>,
    /// What kernels get: it stays where it is as long as the image lives.
    descriptor: Box<ImageDesc>,
}

impl Image {
    /// An image whose first element has this address.
    pub fn new(format: Format, shape: Shape, buffer: Option<Arc<Memory>>, address: *mut u8) -> Self {
        let side = |n: usize| u32::try_from(n.max(1)).unwrap_or(u32::MAX);
        let descriptor = Box::new(ImageDesc {
            data: address as u64,
            row_pitch: shape.row_pitch as u64,
            slice_pitch: shape.slice_pitch as u64,
            width: side(shape.width),
            height: side(shape.height),
            depth: side(shape.depth),
            array_size: side(shape.layers),
            channel_order: format.order,
            channel_type: format.channel,
            element_size: side(format.bytes()),
            kind: shape.kind,
            swizzle: launch::image::swizzle(format.order),
        });
        Self { format, shape, buffer, descriptor }
    }

    /// What kernels get.
    pub fn description(&self) -> &ImageDesc {
        &self.descriptor
    }

    /// The argument of kernels.
    pub fn descriptor(&self) -> NonNull<ImageDesc> {
        NonNull::from(&*self.descriptor)
    }
}
