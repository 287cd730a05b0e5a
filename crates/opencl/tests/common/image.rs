//! Images for tests: made, written and read whole.

use super::launch::Setup;
use opencl3::command_queue as cq;
use opencl3::memory as mem;
use opencl3::types::{cl_event, cl_int, cl_mem, cl_mem_flags};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// What an image is: its kind, sides (width, height, depth, layers) and format.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// `CL_MEM_OBJECT_IMAGE2D` and so on.
    pub kind: u32,
    /// Width, height, depth; 0 where there is no such side.
    pub sides: [usize; 3],
    /// Layers of an array.
    pub layers: usize,
    /// Channel order and type.
    pub format: (u32, u32),
    /// Bytes of an element.
    pub element: usize,
}

/// An image; released when it goes.
#[derive(Debug)]
pub struct Image {
    /// The handle.
    pub raw: cl_mem,
    /// What it is.
    pub of: Kind,
}

impl Drop for Image {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe { mem::release_mem_object(self.raw) }.expect("the image was there");
    }
}

/// Releases the event of a command, which is not wanted.
pub fn done(event: Result<cl_event, cl_int>) -> Result<(), cl_int> {
    // SAFETY: a new event.
    event.map(|e| unsafe { opencl3::event::release_event(e) }.expect("the event was there"))
}

/// A description of a kind of image without pitches.
pub fn describe(kind: &Kind) -> mem::cl_image_desc {
    // SAFETY: descriptions are numbers and null pointers.
    let mut desc: mem::cl_image_desc = unsafe { std::mem::zeroed() };
    desc.image_type = kind.kind;
    [desc.image_width, desc.image_height, desc.image_depth] = kind.sides;
    desc.image_array_size = kind.layers;
    desc
}

impl Kind {
    /// A 2D image.
    pub fn flat(width: usize, height: usize, format: (u32, u32), element: usize) -> Self {
        Self { kind: mem::CL_MEM_OBJECT_IMAGE2D, sides: [width, height, 0], layers: 0, format, element }
    }

    /// How far coordinates go.
    pub fn extents(&self) -> [usize; 3] {
        let [width, height, depth] = self.sides;
        match self.kind {
            mem::CL_MEM_OBJECT_IMAGE1D_ARRAY => [width, self.layers, 1],
            mem::CL_MEM_OBJECT_IMAGE2D_ARRAY => [width, height, self.layers],
            mem::CL_MEM_OBJECT_IMAGE3D => [width, height, depth],
            mem::CL_MEM_OBJECT_IMAGE2D => [width, height, 1],
            _ => [width, 1, 1],
        }
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> usize {
        self.extents().iter().product::<usize>() * self.element
    }
}

impl Setup {
    /// Tries to make an image.
    pub fn try_image(
        &self,
        flags: cl_mem_flags,
        of: Kind,
        desc: &mem::cl_image_desc,
        host: *mut c_void,
    ) -> Result<Image, cl_int> {
        let format = mem::cl_image_format { image_channel_order: of.format.0, image_channel_data_type: of.format.1 };
        // SAFETY: format and description are there; the tests pass as many bytes as they say.
        let raw = unsafe { mem::create_image(self.context.get(), flags, &raw const format, desc, host) }?;
        Ok(Image { raw, of })
    }

    /// An image without contents; `buffer` is null but for 1D images of buffers.
    pub fn image(&self, of: Kind, buffer: cl_mem) -> Image {
        let mut desc = describe(&of);
        desc.__bindgen_anon_1.mem_object = buffer;
        self.try_image(mem::CL_MEM_READ_WRITE, of, &desc, null_mut()).expect("an image")
    }

    /// Writes all of an image.
    pub fn write_image(&self, image: &Image, bytes: &[u8]) {
        let (origin, region) = ([0usize; 3], image.of.extents());
        assert_eq!(bytes.len(), image.of.bytes());
        let (at, size, from) = (origin.as_ptr(), region.as_ptr(), bytes.as_ptr().cast_mut().cast());
        // SAFETY: the bytes are there until the call returns.
        done(unsafe { cq::enqueue_write_image(self.queue.get(), image.raw, 1, at, size, 0, 0, from, 0, null()) })
            .expect("written");
    }

    /// All of an image.
    pub fn read_image(&self, image: &Image) -> Vec<u8> {
        let mut out = vec![0; image.of.bytes()];
        let (origin, region) = ([0usize; 3], image.of.extents());
        let (at, size, to) = (origin.as_ptr(), region.as_ptr(), out.as_mut_ptr().cast());
        // SAFETY: there is so much room.
        done(unsafe { cq::enqueue_read_image(self.queue.get(), image.raw, 1, at, size, 0, 0, to, 0, null()) })
            .expect("read");
        out
    }
}
