//! Formats of images: which there are, how large an element is, and how colours are encoded.

use crate::status::{Result, Status};
use half::f16;
use opencl_sys as cl;

/// How the elements of an image are encoded: a pair that kernels read and write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// `CL_RGBA` and so on.
    pub order: cl::cl_channel_order,
    /// `CL_UNORM_INT8` and so on.
    pub channel: cl::cl_channel_type,
}

/// The types of channels that every order has here but `CL_BGRA`, with their sizes in bytes.
const CHANNELS: [(cl::cl_channel_type, usize); 12] = [
    (cl::CL_UNORM_INT8, 1),
    (cl::CL_UNORM_INT16, 2),
    (cl::CL_SNORM_INT8, 1),
    (cl::CL_SNORM_INT16, 2),
    (cl::CL_SIGNED_INT8, 1),
    (cl::CL_SIGNED_INT16, 2),
    (cl::CL_SIGNED_INT32, 4),
    (cl::CL_UNSIGNED_INT8, 1),
    (cl::CL_UNSIGNED_INT16, 2),
    (cl::CL_UNSIGNED_INT32, 4),
    (cl::CL_HALF_FLOAT, 2),
    (cl::CL_FLOAT, 4),
];

/// The orders that go with all of them: those that table "Minimum list of supported image formats" has.
const ORDERS: [cl::cl_channel_order; 3] = [cl::CL_RGBA, cl::CL_RG, cl::CL_R];

/// All formats, the same for all kinds of images and all flags: the minimum list of a full profile.
pub fn formats() -> impl Iterator<Item = Format> {
    let all = ORDERS.iter().flat_map(|&order| CHANNELS.iter().map(move |&(channel, _)| Format { order, channel }));
    all.chain([Format { order: cl::CL_BGRA, channel: cl::CL_UNORM_INT8 }])
}

/// A colour, as the program gives it: four numbers in as many bytes, floats or integers as the format wants.
pub type Colour = [u8; 16];

impl Format {
    /// A format that there is.
    ///
    /// # Errors
    /// "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR if values specified in image_format are not valid"; "CL_IMAGE_FORMAT_NOT_SUPPORTED
    /// if there are no devices in context that support image_format".
    pub fn new(raw: cl::cl_image_format) -> Result<Self> {
        let format = Self { order: raw.image_channel_order, channel: raw.image_channel_data_type };
        if !format.is_valid() {
            return Err(Status::INVALID_IMAGE_FORMAT_DESCRIPTOR);
        }
        if formats().any(|f| f == format) { Ok(format) } else { Err(Status::IMAGE_FORMAT_NOT_SUPPORTED) }
    }

    /// As the API passes it.
    pub fn raw(self) -> cl::cl_image_format {
        cl::cl_image_format { image_channel_order: self.order, image_channel_data_type: self.channel }
    }

    /// Whether the specification knows both numbers and lets them go together.
    fn is_valid(self) -> bool {
        let known_order = (cl::CL_R..=cl::CL_ABGR).contains(&self.order);
        let known_channel = (cl::CL_SNORM_INT8..=cl::CL_UNORM_INT_101010_2).contains(&self.channel);
        let packed = matches!(self.channel, cl::CL_UNORM_SHORT_565 | cl::CL_UNORM_SHORT_555 | cl::CL_UNORM_INT_101010);
        let normalised =
            matches!(self.channel, cl::CL_UNORM_INT8 | cl::CL_UNORM_INT16 | cl::CL_SNORM_INT8 | cl::CL_SNORM_INT16);
        let bytes =
            matches!(self.channel, cl::CL_UNORM_INT8 | cl::CL_SNORM_INT8 | cl::CL_SIGNED_INT8 | cl::CL_UNSIGNED_INT8);
        known_order
            && known_channel
            && match self.order {
                cl::CL_INTENSITY | cl::CL_LUMINANCE => {
                    normalised || matches!(self.channel, cl::CL_HALF_FLOAT | cl::CL_FLOAT)
                }
                cl::CL_RGB | cl::CL_RGBx => packed,
                cl::CL_ARGB | cl::CL_BGRA | cl::CL_ABGR => bytes,
                cl::CL_DEPTH => matches!(self.channel, cl::CL_UNORM_INT16 | cl::CL_FLOAT),
                _ => !packed,
            }
    }

    /// How many channels an element has.
    fn channels(self) -> usize {
        match self.order {
            cl::CL_R => 1,
            cl::CL_RG => 2,
            _ => 4,
        }
    }

    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        let size = CHANNELS.iter().find(|(channel, _)| *channel == self.channel).map_or(1, |(_, size)| *size);
        size * self.channels()
    }

    /// The element of a colour, by the rules of chapter "Image Addressing and Filtering", "Conversion Rules": numbers out of
    /// range are saturated, those between are rounded to the nearest even.
    pub fn encode(self, colour: &Colour) -> Vec<u8> {
        let order = if self.order == cl::CL_BGRA { [2, 1, 0, 3] } else { [0, 1, 2, 3] };
        let part = |n: usize| std::array::from_fn(|byte| colour[4 * n + byte]);
        order[..self.channels()].iter().flat_map(|&n| encode(self.channel, part(n))).collect()
    }
}

/// A number in a channel's type.
fn encode(channel: cl::cl_channel_type, number: [u8; 4]) -> Vec<u8> {
    let (float, int, uint) = (f32::from_ne_bytes(number), i32::from_ne_bytes(number), u32::from_ne_bytes(number));
    // Conversions of floats saturate, and what is no number is 0.
    let scaled = |by: f32| (float * by).round_ties_even();
    let small = |n: i32| n.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
    let middle = |n: i32| n.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    match channel {
        cl::CL_UNORM_INT8 => (scaled(255.0) as u8).to_ne_bytes().to_vec(),
        cl::CL_UNORM_INT16 => (scaled(65535.0) as u16).to_ne_bytes().to_vec(),
        cl::CL_SNORM_INT8 => (scaled(127.0) as i8).to_ne_bytes().to_vec(),
        cl::CL_SNORM_INT16 => (scaled(32767.0) as i16).to_ne_bytes().to_vec(),
        cl::CL_SIGNED_INT8 => small(int).to_ne_bytes().to_vec(),
        cl::CL_SIGNED_INT16 => middle(int).to_ne_bytes().to_vec(),
        cl::CL_UNSIGNED_INT8 => (uint.min(u8::MAX.into()) as u8).to_ne_bytes().to_vec(),
        cl::CL_UNSIGNED_INT16 => (uint.min(u16::MAX.into()) as u16).to_ne_bytes().to_vec(),
        cl::CL_HALF_FLOAT => f16::from_f32(float).to_ne_bytes().to_vec(),
        // Floats and 32-bit integers are as they are.
        _ => number.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(order: u32, channel: u32) -> cl::cl_image_format {
        cl::cl_image_format { image_channel_order: order, image_channel_data_type: channel }
    }

    fn floats(numbers: [f32; 4]) -> Colour {
        let mut out = [0; 16];
        out.chunks_exact_mut(4).zip(numbers).for_each(|(to, n)| to.copy_from_slice(&n.to_ne_bytes()));
        out
    }

    fn ints(numbers: [i32; 4]) -> Colour {
        floats(numbers.map(|n| f32::from_bits(n as u32)))
    }

    #[test]
    fn formats_are_told_apart() {
        let refusal = |order, channel| Format::new(raw(order, channel)).err();
        assert_eq!(refusal(cl::CL_RGBA, cl::CL_FLOAT), None);
        for (order, channel) in
            [(0, cl::CL_FLOAT), (cl::CL_RGBA, 0), (cl::CL_RGB, cl::CL_FLOAT), (cl::CL_RGBA, cl::CL_UNORM_SHORT_565)]
        {
            assert_eq!(refusal(order, channel), Some(Status::INVALID_IMAGE_FORMAT_DESCRIPTOR));
        }
        for (order, channel) in [(cl::CL_RGB, cl::CL_UNORM_SHORT_565), (cl::CL_A, cl::CL_FLOAT)] {
            assert_eq!(refusal(order, channel), Some(Status::IMAGE_FORMAT_NOT_SUPPORTED));
        }
        assert!(formats().all(|f| refusal(f.order, f.channel).is_none()));
        assert_eq!(formats().map(Format::bytes).collect::<std::collections::BTreeSet<_>>(), [1, 2, 4, 8, 16].into());
    }

    #[test]
    fn colours_are_rounded_and_saturated() {
        let encode = |order, channel, colour: &Colour| Format { order, channel }.encode(colour);
        let colour = floats([0.5, -1.0, 2.0, f32::NAN]);
        // 127.5 and 63.5 are halfway: to the even.
        assert_eq!(encode(cl::CL_RGBA, cl::CL_UNORM_INT8, &colour), [128, 0, 255, 0]);
        assert_eq!(encode(cl::CL_BGRA, cl::CL_UNORM_INT8, &colour), [255, 0, 128, 0]);
        assert_eq!(encode(cl::CL_RG, cl::CL_SNORM_INT8, &colour), [64, 0x81]);
        assert_eq!(encode(cl::CL_R, cl::CL_UNORM_INT16, &colour), 32768u16.to_ne_bytes());
        assert_eq!(encode(cl::CL_R, cl::CL_SNORM_INT16, &floats([-9.0; 4])), i16::MIN.to_ne_bytes());
        assert_eq!(encode(cl::CL_R, cl::CL_HALF_FLOAT, &floats([1.0; 4])), 0x3c00u16.to_ne_bytes());
        assert_eq!(encode(cl::CL_RG, cl::CL_FLOAT, &colour), colour[..8]);
        let colour = ints([300, -300, 70000, -70000]);
        assert_eq!(encode(cl::CL_RGBA, cl::CL_SIGNED_INT8, &colour), [127, 128, 127, 128]);
        assert_eq!(encode(cl::CL_RGBA, cl::CL_UNSIGNED_INT8, &colour), [255; 4], "negative numbers are large here");
        assert_eq!(encode(cl::CL_R, cl::CL_UNSIGNED_INT16, &colour), 300u16.to_ne_bytes());
        assert_eq!(encode(cl::CL_RGBA, cl::CL_SIGNED_INT32, &colour), colour);
    }
}
