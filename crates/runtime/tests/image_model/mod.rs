//! A plain model of images: the rules of "Image addressing and filtering" in the OpenCL specification, one pixel at a time.

use launch::image::{
    CLK_ADDRESS_CLAMP_TO_EDGE, CLK_ADDRESS_MIRRORED_REPEAT, CLK_ADDRESS_REPEAT, CLK_FILTER_LINEAR, ImageDesc,
};

/// A shape of images.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) type_name: &'static str,
    /// The components of a `float4` that are a coordinate.
    pub(crate) components: &'static str,
    pub(crate) dims: u8,
    pub(crate) array: bool,
    /// `CL_MEM_OBJECT_…`
    pub(crate) kind: u32,
}

impl Shape {
    /// Whether the third size means something.
    pub(crate) fn depth(self) -> bool {
        self.array || self.dims == 3
    }
}

const fn shape(type_name: &'static str, components: &'static str, dims: u8, array: bool, kind: u32) -> Shape {
    Shape { type_name, components, dims, array, kind }
}

pub(crate) const SHAPES: [Shape; 5] = [
    shape("image1d_t", "x", 1, false, 0x10f4),
    shape("image1d_array_t", "xy", 1, true, 0x10f5),
    shape("image2d_t", "xy", 2, false, 0x10f1),
    shape("image2d_array_t", "xyzw", 2, true, 0x10f3),
    shape("image3d_t", "xyzw", 3, false, 0x10f2),
];

/// A channel order: which of red, green, blue and alpha each channel in memory is.
pub(crate) struct Order {
    pub(crate) code: u32,
    channels: &'static [usize],
    alpha: bool,
}

const fn order(code: u32, channels: &'static [usize], alpha: bool) -> Order {
    Order { code, channels, alpha }
}

pub(crate) const ORDERS: [Order; 11] = [
    order(0x10b0, &[0], false),
    order(0x10b1, &[3], true),
    order(0x10b2, &[0, 1], false),
    order(0x10b3, &[0, 3], true),
    order(0x10b4, &[0, 1, 2], false),
    order(0x10b5, &[0, 1, 2, 3], true),
    order(0x10b6, &[2, 1, 0, 3], true),
    order(0x10b7, &[3, 0, 1, 2], true),
    order(0x10b8, &[0], true),
    order(0x10b9, &[0], false),
    order(0x10c3, &[3, 2, 1, 0], true),
];

/// A channel type.
pub(crate) struct Type {
    pub(crate) code: u32,
    /// Bytes of a channel or of a packed pixel.
    bytes: usize,
    /// Of the function that reads it.
    pub(crate) suffix: &'static str,
    pub(crate) packed: bool,
}

const fn ty(code: u32, bytes: usize, suffix: &'static str) -> Type {
    Type { code, bytes, suffix, packed: matches!(code, 0x10d4..=0x10d6) }
}

pub(crate) const TYPES: [Type; 15] = [
    ty(0x10d0, 1, "f"),
    ty(0x10d1, 2, "f"),
    ty(0x10d2, 1, "f"),
    ty(0x10d3, 2, "f"),
    ty(0x10d4, 2, "f"),
    ty(0x10d5, 2, "f"),
    ty(0x10d6, 4, "f"),
    ty(0x10d7, 1, "i"),
    ty(0x10d8, 2, "i"),
    ty(0x10d9, 4, "i"),
    ty(0x10da, 1, "ui"),
    ty(0x10db, 2, "ui"),
    ty(0x10dc, 4, "ui"),
    ty(0x10dd, 2, "f"),
    ty(0x10de, 4, "f"),
];

/// xorshift64*
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    pub(crate) fn range(&mut self, low: i32, high: i32) -> i32 {
        low + (self.bits() % (high - low) as u32) as i32
    }

    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.bits() >> 8) as f32 / 16_777_216.0
    }

    /// A channel's value for a function that writes; halves hold the floats.
    pub(crate) fn channel(&mut self, suffix: &str) -> u32 {
        if suffix == "f" { (self.range(-80, 80) as f32 / 64.0).to_bits() } else { self.bits() >> (self.bits() % 32) }
    }
}

/// An image in memory, with room between rows and slices.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) shape: Shape,
    pub(crate) size: [usize; 3],
    pub(crate) order: u32,
    pub(crate) ty: u32,
    pub(crate) bytes: Vec<u8>,
}

/// The value of a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Channel {
    Float(f32),
    Int(u32),
}

impl Channel {
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Float(f) => f.to_bits(),
            Self::Int(i) => i,
        }
    }

    pub(crate) fn float(self) -> f32 {
        match self {
            Self::Float(f) => f,
            Self::Int(_) => f32::NAN,
        }
    }
}

impl Image {
    pub(crate) fn random(shape: Shape, size: [usize; 3], order: u32, ty: u32, random: &mut Random) -> Self {
        let mut image = Self { shape, size, order, ty, bytes: Vec::new() };
        let total = image.slice_pitch() * size[2] + 16;
        image.bytes = match ty {
            0x10de => (0..total / 4).flat_map(|_| random.unit().to_le_bytes()).collect(),
            // Numbers of binary16 below 2.
            0x10dd => (0..total / 2).flat_map(|_| ((random.bits() as u16) & 0xbbff).to_le_bytes()).collect(),
            _ => (0..total).map(|_| random.bits() as u8).collect(),
        };
        image
    }

    fn order(&self) -> &'static Order {
        ORDERS.iter().find(|o| o.code == self.order).expect("an order")
    }

    fn ty(&self) -> &'static Type {
        TYPES.iter().find(|t| t.code == self.ty).expect("a type")
    }

    fn element_size(&self) -> usize {
        self.ty().bytes * if self.ty().packed { 1 } else { self.order().channels.len() }
    }

    fn row_pitch(&self) -> usize {
        (self.size[0] * self.element_size()).next_multiple_of(4) + 8
    }

    fn slice_pitch(&self) -> usize {
        self.row_pitch() * self.size[1] + 16
    }

    pub(crate) fn description(&self, data: u64) -> ImageDesc {
        let third = self.size[2] as u32;
        ImageDesc {
            data,
            row_pitch: self.row_pitch() as u64,
            slice_pitch: self.slice_pitch() as u64,
            width: self.size[0] as u32,
            height: self.size[1] as u32,
            depth: if self.shape.array { 1 } else { third },
            array_size: if self.shape.array { third } else { 1 },
            channel_order: self.order,
            channel_type: self.ty,
            element_size: self.element_size() as u32,
            kind: self.shape.kind,
            swizzle: launch::image::swizzle(self.order),
        }
    }

    /// Where a pixel begins; `None` outside.
    fn place(&self, at: [i64; 3]) -> Option<usize> {
        let inside = (0..3).all(|d| (0..self.size[d] as i64).contains(&at[d]));
        let [x, y, z] = at.map(|c| c as usize);
        inside.then(|| z * self.slice_pitch() + y * self.row_pitch() + x * self.element_size())
    }
}

fn half(bits: u32) -> f32 {
    let (sign, exponent, digits) = (bits >> 15, bits >> 10 & 31, bits & 1023);
    let size = if exponent == 0 {
        digits as f32 / 16_777_216.0
    } else {
        (1.0 + digits as f32 / 1024.0) * 2f32.powi(exponent as i32 - 15)
    };
    if sign != 0 { -size } else { size }
}

/// The bits of a number of few digits, which binary16 has.
fn to_half(value: f32) -> u32 {
    (0..0x7c00).chain(0x8000..0xfc00).find(|&b| half(b) == value).expect("a half")
}

fn decode(ty: u32, raw: u32) -> Channel {
    let signed8 = i32::from(raw as u8 as i8);
    let signed16 = i32::from(raw as u16 as i16);
    match ty {
        0x10d0 => Channel::Float((signed8 as f32 / 127.0).max(-1.0)),
        0x10d1 => Channel::Float((signed16 as f32 / 32767.0).max(-1.0)),
        0x10d2 => Channel::Float(raw as f32 / 255.0),
        0x10d3 => Channel::Float(raw as f32 / 65535.0),
        0x10d7 => Channel::Int(signed8 as u32),
        0x10d8 => Channel::Int(signed16 as u32),
        0x10dd => Channel::Float(half(raw)),
        0x10de => Channel::Float(f32::from_bits(raw)),
        _ => Channel::Int(raw),
    }
}

/// Bits of red and blue, of green, and the greatest value of each, of packed types.
fn packing(ty: u32) -> [(u32, u32); 3] {
    match ty {
        0x10d4 => [(11, 31), (5, 63), (0, 31)],
        0x10d5 => [(10, 31), (5, 31), (0, 31)],
        _ => [(20, 1023), (10, 1023), (0, 1023)],
    }
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b))
}

/// A pixel, or the border's colour.
pub(crate) fn texel(image: &Image, at: [i64; 3]) -> [Channel; 4] {
    let (order, ty) = (image.order(), image.ty());
    let number = |n: u32| if ty.suffix == "f" { Channel::Float(n as f32) } else { Channel::Int(n) };
    let mut out = [number(0); 4];
    let Some(place) = image.place(at) else {
        out[3] = number(u32::from(!order.alpha));
        return out;
    };
    if !order.alpha {
        out[3] = number(1);
    }
    if ty.packed {
        let w = word(&image.bytes[place..place + ty.bytes]);
        for (k, (shift, most)) in packing(ty.code).into_iter().enumerate() {
            out[k] = Channel::Float((w >> shift & most) as f32 / most as f32);
        }
        return out;
    }
    for (n, &k) in order.channels.iter().enumerate() {
        let from = place + n * ty.bytes;
        out[k] = decode(ty.code, word(&image.bytes[from..from + ty.bytes]));
    }
    match order.code {
        0x10b8 => [out[0]; 4],
        0x10b9 => [out[0], out[0], out[0], out[3]],
        _ => out,
    }
}

fn encode(ty: u32, bits: u32) -> u32 {
    let f = f32::from_bits(bits);
    let scaled = |most: f32, least: f32| (f * most).clamp(least, most).round_ties_even() as i64 as u32;
    match ty {
        0x10d0 => scaled(127.0, -128.0),
        0x10d1 => scaled(32767.0, -32768.0),
        0x10d2 => scaled(255.0, 0.0),
        0x10d3 => scaled(65535.0, 0.0),
        0x10d7 => (bits as i32).clamp(-128, 127) as u32,
        0x10d8 => (bits as i32).clamp(-32768, 32767) as u32,
        0x10da => bits.min(255),
        0x10db => bits.min(65535),
        0x10dd => to_half(f),
        _ => bits,
    }
}

/// Writes a pixel; nothing outside.
pub(crate) fn stored(image: &mut Image, at: [i64; 3], colour: [u32; 4]) {
    let (order, ty) = (image.order(), image.ty());
    let Some(place) = image.place(at) else { return };
    if ty.packed {
        let part = |k: usize| {
            let (shift, most) = packing(ty.code)[k];
            let f = f32::from_bits(colour[k]) * most as f32;
            (f.clamp(0.0, most as f32).round_ties_even() as u32) << shift
        };
        let w = part(0) | part(1) | part(2);
        image.bytes[place..place + ty.bytes].copy_from_slice(&w.to_le_bytes()[..ty.bytes]);
        return;
    }
    for (n, &k) in order.channels.iter().enumerate() {
        let from = place + n * ty.bytes;
        let w = encode(ty.code, colour[k]);
        image.bytes[from..from + ty.bytes].copy_from_slice(&w.to_le_bytes()[..ty.bytes]);
    }
}

/// The pixels that a coordinate reads along one axis, and the weight of each.
fn axis(c: f32, size: usize, sampler: u32) -> Vec<(i64, f32)> {
    let (n, last) = (size as f32, size as i64 - 1);
    let mode = sampler & 14;
    let u = match mode {
        CLK_ADDRESS_REPEAT => (c - c.floor()) * n,
        CLK_ADDRESS_MIRRORED_REPEAT => (c - 2.0 * (0.5 * c).round_ties_even()).abs() * n,
        _ if sampler & 1 != 0 => c * n,
        _ => c,
    };
    let address = |i: i64| match mode {
        CLK_ADDRESS_REPEAT if i > last => i - size as i64,
        CLK_ADDRESS_REPEAT if i < 0 => i + size as i64,
        CLK_ADDRESS_MIRRORED_REPEAT | CLK_ADDRESS_CLAMP_TO_EDGE => i.clamp(0, last),
        _ => i,
    };
    if sampler & CLK_FILTER_LINEAR == 0 {
        return vec![(address(u.floor() as i64), 1.0)];
    }
    let low = (u - 0.5).floor();
    let weight = (u - 0.5) - low;
    vec![(address(low as i64), 1.0 - weight), (address(low as i64 + 1), weight)]
}

/// `read_imagef`
pub(crate) fn sampled(image: &Image, sampler: u32, c: [f32; 3]) -> [f32; 4] {
    let shape = image.shape;
    let x = axis(c[0], image.size[0], sampler);
    let y = if shape.dims > 1 { axis(c[1], image.size[1], sampler) } else { vec![(0, 1.0)] };
    let z = if shape.array {
        let layer = c[usize::from(shape.dims)].round_ties_even() as i64;
        vec![(layer.clamp(0, image.size[2] as i64 - 1), 1.0)]
    } else if shape.dims > 2 {
        axis(c[2], image.size[2], sampler)
    } else {
        vec![(0, 1.0)]
    };
    let mut sum = [0.0; 4];
    for &(k, wz) in &z {
        for &(j, wy) in &y {
            for &(i, wx) in &x {
                for (s, t) in sum.iter_mut().zip(texel(image, [i, j, k])) {
                    *s += wx * wy * wz * t.float();
                }
            }
        }
    }
    sum
}
