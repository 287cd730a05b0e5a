//! Images and samplers as they are typed: `image:photo.png`, `out:image:640x480:rgba8`, `sampler:linear,edge,normalized`.

use super::argument::{Argument, Data, FORMS, Misfit, Role, misfit, total, zeroed};
use half::f16;
use launch::image as bits;
use launch::image::ImageDesc;
use launch::kernels::{Access, ImageDims, Scalar};
use std::borrow::Cow;
use std::fs::File;
use std::io::BufReader;

/// Most pixels along a side; OpenCL's devices have less or not much more.
const MAX_SIDE: u64 = 1 << 16;

/// An image: its elements, and what kernels see of it.
#[derive(Debug)]
pub struct Image {
    /// The elements, one row after another without gaps; their numbers are the channels.
    pub data: Data,
    /// The description, but for the address of the elements.
    pub desc: Box<ImageDesc>,
}

impl Image {
    /// Width and height, if it is a picture.
    pub(super) fn size(&self) -> Option<(u32, u32)> {
        (self.desc.depth == 1 && self.desc.array_size == 1).then_some((self.desc.width, self.desc.height))
    }

    /// Its elements as pictures have them: red first, and normalised channels that are no bytes as floats.
    pub(super) fn colours<'a>(&self, bytes: &'a [u8]) -> (Scalar, Cow<'a, [u8]>) {
        let scalar = self.data.scalar.unwrap_or(Scalar::U8);
        let signed = |b: &[u8]| f32::from(i16::from_le_bytes([b[0], b[1]])) / 32767.0;
        let floats = |f: &dyn Fn(&[u8]) -> f32, each: usize| {
            (Scalar::F32, Cow::Owned(bytes.chunks_exact(each).flat_map(|b| f(b).to_le_bytes()).collect()))
        };
        match self.desc.channel_type {
            0x10d0 => floats(&|b| f32::from(b[0] as i8) / 127.0, 1),
            0x10d1 => floats(&signed, 2),
            0x10d3 => floats(&|b| f32::from(u16::from_le_bytes([b[0], b[1]])) / 65535.0, 2),
            _ if self.desc.channel_order == ORDERS[1].1 => {
                (scalar, bytes.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], p[3]]).collect())
            }
            _ => (scalar, Cow::Borrowed(bytes)),
        }
    }
}

/// The numbers of the API for the order of channels.
const ORDERS: [(&str, u32, u64); 4] = [("rgba", 0x10b5, 4), ("bgra", 0x10b6, 4), ("rg", 0x10b2, 2), ("r", 0x10b0, 1)];

/// How a channel is encoded: its name behind that of the order, the API's number, what it is in memory.
const CHANNELS: [(&str, u32, Scalar); 12] = [
    ("8", 0x10d2, Scalar::U8),
    ("16", 0x10d3, Scalar::U16),
    ("8_snorm", 0x10d0, Scalar::I8),
    ("16_snorm", 0x10d1, Scalar::I16),
    ("8i", 0x10d7, Scalar::I8),
    ("16i", 0x10d8, Scalar::I16),
    ("32i", 0x10d9, Scalar::I32),
    ("8ui", 0x10da, Scalar::U8),
    ("16ui", 0x10db, Scalar::U16),
    ("32ui", 0x10dc, Scalar::U32),
    ("16f", 0x10dd, Scalar::F16),
    ("32f", 0x10de, Scalar::F32),
];

const FORMATS: &str = "formats are rgba8, bgra8, rg8, r8, with 16 for 16 bits, and with `_snorm`, `i` (signed integers), `ui` \
     (unsigned integers) or `16f` and `32f` (floats) instead: rgba32f, r8ui, rg16_snorm";

const IMAGES: &str = "an image is image:FILE.png[:FORMAT] or image:WxH:FORMAT (WxHxN with slices or layers), each also behind \
     `out:` or `inout:`";

const SAMPLERS: &str = "a sampler is sampler:nearest or sampler:linear, with `,edge`, `,clamp`, `,repeat`, `,mirror` or `,none` \
     for what is outside, and with `,normalized` for coordinates from 0 to 1";

/// An element of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Format {
    order: u32,
    channels: u64,
    kind: u32,
    scalar: Scalar,
}

impl Format {
    fn parse(text: &str) -> Result<Self, Misfit> {
        let unknown = || misfit(format!("`{text}` is no format of images"), FORMATS);
        let found = ORDERS.iter().find_map(|&(name, order, channels)| {
            let rest = text.strip_prefix(name)?;
            let &(_, kind, scalar) = CHANNELS.iter().find(|c| c.0 == rest)?;
            Some(Self { order, channels, kind, scalar })
        });
        let bgra = |f: &Self| f.order != ORDERS[1].1 || f.scalar.bytes() == 1;
        found.filter(bgra).ok_or_else(unknown)
    }

    fn bytes(self) -> u64 {
        self.channels * self.scalar.bytes()
    }
}

/// Reads the argument of an image parameter.
pub(super) fn image(text: &str, access: Access, dims: ImageDims) -> Result<Argument, Misfit> {
    let (role, rest) = match text.split_once(':') {
        Some(("out", rest)) => (Role::Out, rest),
        Some(("inout", rest)) => (Role::InOut, rest),
        _ => (Role::In, text),
    };
    let Some(what) = rest.strip_prefix("image:") else { return Err(misfit("it takes an image", IMAGES)) };
    if access == Access::ReadOnly && role.is_output() {
        return Err(misfit("the kernel only reads it, so it is no output", "leave out the `out:` or `inout:`"));
    }
    let (first, format) = what.split_once(':').map_or((what, None), |(first, f)| (first, Some(f)));
    let format = format.map(Format::parse).transpose()?;
    let made = if first.ends_with(".png") {
        if role == Role::Out {
            return Err(misfit("what is only written has no contents", "write `out:image:WxH:FORMAT`, or `inout:`"));
        }
        from_png(first, format, dims)?
    } else {
        let format = format.ok_or_else(|| misfit("an image without a file needs a format", FORMATS))?;
        new(sides(first, dims)?, format, dims)?
    };
    Ok(Argument::Image(Image { data: Data { role, ..made.data }, ..made }))
}

/// `640x480`, with as many sides as the kind of image has.
fn sides(text: &str, dims: ImageDims) -> Result<Vec<u64>, Misfit> {
    let (count, form) = match dims {
        ImageDims::D1 | ImageDims::D1Buffer => (1, "W"),
        ImageDims::D2 => (2, "WxH"),
        ImageDims::D1Array => (2, "WxLAYERS"),
        ImageDims::D2Array => (3, "WxHxLAYERS"),
        ImageDims::D3 => (3, "WxHxDEPTH"),
    };
    let side = |s: &str| s.parse::<u64>().ok().filter(|n| (1..=MAX_SIDE).contains(n));
    let all: Option<Vec<u64>> = text.split('x').map(side).collect();
    all.filter(|all| all.len() == count)
        .ok_or_else(|| misfit(format!("`{text}` is not the size of this kind of image, which is `{form}`"), IMAGES))
}

/// An image of zeros.
fn new(sides: Vec<u64>, format: Format, dims: ImageDims) -> Result<Image, Misfit> {
    let bytes = zeroed(total(format.bytes(), &sides)?)?;
    let at = |n: usize| sides.get(n).copied().unwrap_or(1) as u32;
    let row_pitch = sides[0] * format.bytes();
    let (height, depth, array_size, kind) = match dims {
        ImageDims::D1 => (1, 1, 1, 0x10f4),
        ImageDims::D1Buffer => (1, 1, 1, 0x10f6),
        ImageDims::D1Array => (1, 1, at(1), 0x10f5),
        ImageDims::D2 => (at(1), 1, 1, 0x10f1),
        ImageDims::D2Array => (at(1), 1, at(2), 0x10f3),
        ImageDims::D3 => (at(1), at(2), 1, 0x10f2),
    };
    let desc = Box::new(ImageDesc {
        data: 0,
        row_pitch,
        slice_pitch: row_pitch * u64::from(height),
        width: at(0),
        height,
        depth,
        array_size,
        channel_order: format.order,
        channel_type: format.kind,
        element_size: format.bytes() as u32,
        kind,
        swizzle: launch::image::swizzle(format.order),
    });
    let mut shape: Vec<u64> = sides.into_iter().rev().collect();
    if format.channels > 1 {
        shape.push(format.channels);
    }
    Ok(Image { data: Data { bytes, scalar: Some(format.scalar), shape, role: Role::In }, desc })
}

/// The picture of a file; without a format, grey ones are `r8` or `r16` and others `rgba8` or `rgba16`.
fn from_png(path: &str, format: Option<Format>, dims: ImageDims) -> Result<Image, Misfit> {
    if dims != ImageDims::D2 {
        return Err(misfit("a picture is an `image2d_t`", IMAGES));
    }
    let wrong = |e: png::DecodingError| Misfit::from(format!("cannot read `{path}`: {e}"));
    let file = File::open(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => format!("`{path}` does not exist"),
        _ => format!("cannot read `{path}`: {e}"),
    })?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(wrong)?;
    let info = reader.info();
    if u64::from(info.width.max(info.height)) > MAX_SIDE {
        return Err(misfit(format!("`{path}` is larger than {MAX_SIDE} pixels along a side"), "use a smaller picture"));
    }
    let size =
        reader.output_buffer_size().ok_or_else(|| misfit(format!("`{path}` is too large"), "use a smaller one"))?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(wrong)?;
    let wide = frame.bit_depth == png::BitDepth::Sixteen;
    let samples = frame.color_type.samples();
    let grey = samples == 1;
    let format = match format {
        Some(f) => f,
        None => Format::parse(match (grey, wide) {
            (true, false) => "r8",
            (true, true) => "r16",
            (false, false) => "rgba8",
            (false, true) => "rgba16",
        })?,
    };
    if format.channels == 2 || format.channels == 1 && !grey {
        return Err(misfit(format!("`{path}` has colours, the format has not"), FORMATS));
    }
    let mut image = new(vec![frame.width.into(), frame.height.into()], format, dims)?;
    let each = if wide { 2 } else { 1 };
    let sample = |pixel: &[u8], n: usize| match wide {
        true => f64::from(u16::from_be_bytes([pixel[2 * n], pixel[2 * n + 1]])) / 65535.0,
        false => f64::from(pixel[n]) / 255.0,
    };
    let (channels, bytes) = (format.channels as usize, format.scalar.bytes() as usize);
    let to = image.data.bytes.chunks_exact_mut(format.bytes() as usize);
    for (pixel, to) in pixels.chunks_exact(samples * each).zip(to) {
        let colour: [f64; 4] = match samples {
            1 => [sample(pixel, 0), sample(pixel, 0), sample(pixel, 0), 1.0],
            2 => [sample(pixel, 0), sample(pixel, 0), sample(pixel, 0), sample(pixel, 1)],
            3 => [sample(pixel, 0), sample(pixel, 1), sample(pixel, 2), 1.0],
            _ => std::array::from_fn(|n| sample(pixel, n)),
        };
        let swapped = format.order == ORDERS[1].1;
        for n in 0..channels {
            let from = if swapped && n < 3 { 2 - n } else { n };
            encode(colour[from], format, &mut to[n * bytes..(n + 1) * bytes]);
        }
    }
    Ok(image)
}

/// A channel from 0 to 1 as it lies in memory; integers are those of eight bits.
fn encode(v: f64, format: Format, to: &mut [u8]) {
    let most = match format.kind {
        0x10d0 => 127.0,
        0x10d1 => 32767.0,
        0x10d3 => 65535.0,
        _ => 255.0,
    };
    match format.scalar {
        Scalar::F16 => to.copy_from_slice(&f16::from_f64(v).to_le_bytes()),
        Scalar::F32 => to.copy_from_slice(&(v as f32).to_le_bytes()),
        _ => to.copy_from_slice(&((v * most).round() as u64).to_le_bytes()[..to.len()]),
    }
}

/// Reads the argument of a sampler parameter.
pub(super) fn sampler(text: &str) -> Result<Argument, Misfit> {
    let Some(modes) = text.strip_prefix("sampler:") else { return Err(misfit("it takes a sampler", SAMPLERS)) };
    let (mut filter, mut outside, mut normalized) = (bits::CLK_FILTER_NEAREST, bits::CLK_ADDRESS_CLAMP_TO_EDGE, 0);
    for mode in modes.split(',') {
        match mode {
            "nearest" => filter = bits::CLK_FILTER_NEAREST,
            "linear" => filter = bits::CLK_FILTER_LINEAR,
            "none" => outside = bits::CLK_ADDRESS_NONE,
            "edge" => outside = bits::CLK_ADDRESS_CLAMP_TO_EDGE,
            "clamp" => outside = bits::CLK_ADDRESS_CLAMP,
            "repeat" => outside = bits::CLK_ADDRESS_REPEAT,
            "mirror" => outside = bits::CLK_ADDRESS_MIRRORED_REPEAT,
            "normalized" | "normalised" => normalized = bits::CLK_NORMALIZED_COORDS_TRUE,
            "pixels" => normalized = bits::CLK_NORMALIZED_COORDS_FALSE,
            _ => return Err(misfit(format!("`{mode}` is no mode of a sampler"), SAMPLERS)),
        }
    }
    if normalized == 0 && matches!(outside, bits::CLK_ADDRESS_REPEAT | bits::CLK_ADDRESS_MIRRORED_REPEAT) {
        return Err(misfit("images repeat for normalized coordinates only", "add `,normalized`"));
    }
    Ok(Argument::Value((filter | outside | normalized).to_le_bytes().to_vec()))
}

/// What is wrong with an argument that is an image or a sampler where the parameter takes something else.
pub(super) fn elsewhere(text: &str) -> Option<Misfit> {
    let bare = text.strip_prefix("out:").or_else(|| text.strip_prefix("inout:")).unwrap_or(text);
    let image = bare.starts_with("image:");
    (image || bare.starts_with("sampler:")).then(|| {
        let what = if image { "an image" } else { "a sampler" };
        misfit(
            format!("`{text}` is {what}, the parameter takes none"),
            format!("check the order of the `--arg`s; {FORMS}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(text: &str) -> Result<Image, String> {
        match image(text, Access::ReadWrite, ImageDims::D2) {
            Ok(Argument::Image(i)) => Ok(i),
            Ok(_) => Err("no image".to_owned()),
            Err(m) => Err(m.why),
        }
    }

    #[test]
    fn formats_have_names() {
        let names = ORDERS.iter().flat_map(|o| CHANNELS.iter().map(move |c| format!("{}{}", o.0, c.0)));
        for name in names {
            let wide_bgra = name.starts_with("bgra") && !name.starts_with("bgra8");
            assert_eq!(Format::parse(&name).is_err(), wide_bgra, "{name}");
        }
        for wrong in ["", "rgb8", "r", "rgba8f", "rgba64f", "r8 "] {
            assert!(Format::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_and_roles() {
        let i = picture("out:image:3x2:rgba32f").expect("an image");
        assert_eq!((i.data.bytes.len(), i.data.role, i.data.shape.as_slice()), (96, Role::Out, &[2, 3, 4][..]));
        assert_eq!((i.desc.width, i.desc.height, i.desc.row_pitch, i.desc.slice_pitch), (3, 2, 48, 96));
        for wrong in ["image:3x2", "image:3:r8", "image:0x2:r8", "image:99999999x1:r8", "3x2", "image:x.png:r7"] {
            assert!(picture(wrong).is_err(), "{wrong}");
        }
        assert!(image("out:image:3x2:r8", Access::ReadOnly, ImageDims::D2).is_err());
        assert!(image("image:3x2x4:r8", Access::ReadOnly, ImageDims::D3).is_ok());
    }

    #[test]
    fn samplers() {
        let value = |text| match sampler(text) {
            Ok(Argument::Value(v)) => u32::from_le_bytes(v.try_into().expect("four bytes")),
            _ => u32::MAX,
        };
        assert_eq!(value("sampler:nearest"), bits::CLK_FILTER_NEAREST | bits::CLK_ADDRESS_CLAMP_TO_EDGE);
        let all = bits::CLK_FILTER_LINEAR | bits::CLK_ADDRESS_REPEAT | bits::CLK_NORMALIZED_COORDS_TRUE;
        assert_eq!(value("sampler:linear,repeat,normalized"), all);
        for wrong in ["sampler:", "sampler:cubic", "sampler:linear,repeat", "linear"] {
            assert_eq!(value(wrong), u32::MAX, "{wrong}");
        }
    }
}
