//! What a kernel knows of an image and a sampler: what the one who launches it passes, and what the functions in
//! `crates/builtins/lib/image.c` read.
//!
//! The argument of an image parameter is the address of an [`ImageDesc`] (`runtime::Arg::Pointer`), which
//! must live as long as the launch runs and to which kernels write nothing. The argument of a sampler parameter is a
//! `uint` (`runtime::Arg::Value`): one constant of each kind below, added together.

/// An image, as kernels see it, in a cache line of its own. Field offsets are part of the contract with compiled kernels,
/// which rely on an alignment of 8 only.
#[repr(C, align(64))]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ImageDesc {
    /// Address of the first pixel.
    pub data: u64,
    /// Bytes from a row to the next.
    pub row_pitch: u64,
    /// Bytes from a slice of a 3D image, or a layer of an array, to the next.
    pub slice_pitch: u64,
    /// Pixels in a row.
    pub width: u32,
    /// Rows; 1 where there is one dimension only.
    pub height: u32,
    /// Slices of a 3D image; else 1.
    pub depth: u32,
    /// Layers of an array; else 1.
    pub array_size: u32,
    /// `CL_R`, `CL_RGBA`, …: the number of the API.
    pub channel_order: u32,
    /// `CL_UNORM_INT8`, …: the number of the API.
    pub channel_type: u32,
    /// Bytes of a pixel.
    pub element_size: u32,
    /// `CL_MEM_OBJECT_IMAGE2D`, …: the number of the API.
    pub kind: u32,
    /// Which channel each component of a colour is: [`swizzle`] of the order.
    pub swizzle: u32,
}

/// Where red, green, blue and alpha of a pixel are, from the lowest four bits on: 0 to 3 are its channels as they lie in
/// memory, 4 is the number 0 and 5 the number 1.
///
/// Orders are the API's (`CL_R` to `CL_ABGR`); sRGB ones are as the plain ones, unknown ones as `CL_RGBA`.
pub fn swizzle(channel_order: u32) -> u32 {
    match channel_order {
        0x10b0 | 0x10ba | 0x10bd => 0x5440,
        0x10b1 => 0x0444,
        0x10b2 | 0x10bb => 0x5410,
        0x10b3 => 0x1440,
        0x10b4 | 0x10bc | 0x10bf | 0x10c0 => 0x5210,
        0x10b6 | 0x10c2 => 0x3012,
        0x10b7 => 0x0321,
        0x10b8 => 0x0000,
        0x10b9 => 0x5000,
        0x10c3 => 0x0123,
        _ => 0x3210,
    }
}

/// Bytes of an [`ImageDesc`].
pub const IMAGE_DESC_BYTES: usize = 64;

impl ImageDesc {
    /// It as it lies in memory, with zeros in the gap at its end.
    pub fn to_bytes(&self) -> [u8; IMAGE_DESC_BYTES] {
        let mut out = [0; IMAGE_DESC_BYTES];
        let long = [self.data, self.row_pitch, self.slice_pitch].into_iter().flat_map(u64::to_ne_bytes);
        let sizes = [self.width, self.height, self.depth, self.array_size];
        let format = [self.channel_order, self.channel_type, self.element_size, self.kind, self.swizzle];
        let short = sizes.into_iter().chain(format).flat_map(u32::to_ne_bytes);
        for (to, from) in out.iter_mut().zip(long.chain(short)) {
            *to = from;
        }
        out
    }
}

const _: () = assert!(size_of::<ImageDesc>() == IMAGE_DESC_BYTES);

/// Coordinates count pixels.
pub const CLK_NORMALIZED_COORDS_FALSE: u32 = 0;
/// Float coordinates go from 0 to 1 over the image.
pub const CLK_NORMALIZED_COORDS_TRUE: u32 = 1;

/// Coordinates outside of the image are the program's own fault; they read what [`CLK_ADDRESS_CLAMP`] reads.
pub const CLK_ADDRESS_NONE: u32 = 0;
/// Coordinates outside read the nearest pixel.
pub const CLK_ADDRESS_CLAMP_TO_EDGE: u32 = 2;
/// Coordinates outside read the border colour.
pub const CLK_ADDRESS_CLAMP: u32 = 4;
/// The image repeats; for normalised coordinates.
pub const CLK_ADDRESS_REPEAT: u32 = 6;
/// The image repeats, every other one mirrored; for normalised coordinates.
pub const CLK_ADDRESS_MIRRORED_REPEAT: u32 = 8;

/// The pixel that a coordinate lies in.
pub const CLK_FILTER_NEAREST: u32 = 0x10;
/// The pixels around, weighted.
pub const CLK_FILTER_LINEAR: u32 = 0x20;
