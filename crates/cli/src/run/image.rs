//! Pictures of buffers: grey, a colour scale, or colours as they are.

use super::scalar::{Number, numbers};
use launch::kernels::Scalar;
use std::io::Write;

/// How numbers become colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// From black at the least number to white at the greatest; bytes as they are.
    Gray,
    /// A colour scale from the least to the greatest.
    Colormap,
    /// The same over the numbers' logarithms: what varies over powers of ten.
    LogColormap,
    /// Three or four numbers a pixel: bytes as they are, floating-point numbers from 0 to 1.
    Rgba,
}

/// A picture asked for: `[NAME=]FILE.png[:WxH][:MODE]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// Where to write it.
    pub(crate) path: String,
    /// Width and height, if given.
    pub(crate) size: Option<(u32, u32)>,
    /// How, if given.
    pub(crate) mode: Option<Mode>,
}

/// Most pixels in a row or column.
const MAX_SIDE: u32 = 1 << 16;

impl Request {
    /// Reads a request without its name.
    ///
    /// # Errors
    /// What cannot be read.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':');
        let path = parts.next().unwrap_or_default().to_owned();
        let mut request = Self { path, size: None, mode: None };
        for part in parts {
            match part {
                "gray" | "grey" => request.mode = Some(Mode::Gray),
                "colormap" => request.mode = Some(Mode::Colormap),
                "log" => request.mode = Some(Mode::LogColormap),
                "rgba" | "rgb" => request.mode = Some(Mode::Rgba),
                _ => {
                    let side = |s: &str| s.parse().ok().filter(|n| (1..=MAX_SIDE).contains(n));
                    let size = part.split_once('x').and_then(|(w, h)| Some((side(w)?, side(h)?)));
                    request.size = Some(size.ok_or_else(|| {
                        format!(
                            "`{part}` in `{text}` is neither a size such as 640x480 nor gray, colormap, log or rgba"
                        )
                    })?);
                }
            }
        }
        Ok(request)
    }
}

/// Writes a picture of a buffer.
///
/// `hint` is the size that the launch suggests, if the request has none.
///
/// # Errors
/// Sizes that do not fit the buffer; those of the writer.
pub(crate) fn write(
    w: &mut impl Write,
    request: &Request,
    scalar: Scalar,
    bytes: &[u8],
    hint: Option<(u32, u32)>,
) -> Result<(), String> {
    let count = bytes.len() as u64 / scalar.bytes();
    let (width, height, channels) = size(request, count, hint)?;
    let mode = request.mode.unwrap_or(match channels {
        1 if scalar.bytes() == 1 => Mode::Gray,
        1 => Mode::Colormap,
        _ => Mode::Rgba,
    });
    let values = numbers(bytes, scalar).take((u64::from(width) * u64::from(height) * channels) as usize);
    let (colour, pixels) = match (mode, channels) {
        (Mode::Rgba, 1) if scalar.bytes() == 4 && !scalar.is_float() => (png::ColorType::Rgba, bytes.to_vec()),
        (Mode::Rgba, 1) => return Err("a picture in colours needs three or four numbers a pixel".to_owned()),
        (Mode::Rgba, n) => {
            let kind = if n == 3 { png::ColorType::Rgb } else { png::ColorType::Rgba };
            (kind, values.map(|v| channel(v, scalar)).collect())
        }
        (Mode::Gray, 1) if scalar.bytes() == 1 => {
            (png::ColorType::Grayscale, values.map(|v| v.to_f64() as u8).collect())
        }
        (Mode::Gray, 1) => {
            let scale = Scale::of(numbers(bytes, scalar).take(values.len()), false);
            (png::ColorType::Grayscale, values.map(|v| (scale.at(v) * 255.0).round() as u8).collect())
        }
        (Mode::Colormap | Mode::LogColormap, 1) => {
            let scale = Scale::of(numbers(bytes, scalar).take(values.len()), mode == Mode::LogColormap);
            (png::ColorType::Rgb, values.flat_map(|v| colour_of(scale.at(v))).collect())
        }
        _ => return Err("a grey picture or one on a colour scale needs one number a pixel".to_owned()),
    };
    encode(w, width, height, colour, &pixels).map_err(|e| e.to_string())
}

fn encode(
    w: &mut impl Write,
    width: u32,
    height: u32,
    colour: png::ColorType,
    pixels: &[u8],
) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(w, width, height);
    encoder.set_color(colour);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()
}

/// Width, height, and numbers a pixel.
fn size(request: &Request, count: u64, hint: Option<(u32, u32)>) -> Result<(u32, u32, u64), String> {
    let fits = |(w, h): (u32, u32)| {
        let pixels = u64::from(w) * u64::from(h);
        [1, 3, 4].into_iter().find(|c| pixels * c == count).map(|c| (w, h, c))
    };
    if let Some(size) = request.size {
        return fits(size).ok_or_else(|| {
            format!("a picture of {}x{} pixels needs that many numbers, or three or four times as many; the buffer has {count}", size.0, size.1)
        });
    }
    if let Some(found) = hint.and_then(fits) {
        return Ok(found);
    }
    let side = count.isqrt() as u32;
    if u64::from(side) * u64::from(side) == count && side <= MAX_SIDE {
        return Ok((side, side, 1));
    }
    Err(format!("cannot tell width and height from {count} numbers; write them as `{}:WxH`", request.path))
}

/// One colour channel.
fn channel(v: Number, scalar: Scalar) -> u8 {
    match v {
        Number::Float(x, _) => (x.clamp(0.0, 1.0) * 255.0).round() as u8,
        Number::Int(x) if scalar.bytes() == 1 => x as u8,
        Number::Int(x) => x.clamp(0, 255) as u8,
    }
}

/// From the finite numbers of a buffer to 0 to 1.
struct Scale {
    least: f64,
    width: f64,
    log: bool,
}

impl Scale {
    fn of(values: impl Iterator<Item = Number>, log: bool) -> Self {
        let finite = values.map(Number::to_f64).filter(|v| v.is_finite());
        let (least, most) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), v| (l.min(v), m.max(v)));
        Self { least, width: if most > least { most - least } else { 1.0 }, log }
    }

    fn at(&self, v: Number) -> f64 {
        let v = v.to_f64() - self.least;
        let t = if self.log { v.ln_1p() / self.width.ln_1p() } else { v / self.width };
        if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) }
    }
}

/// Colours at equal distances of the scale, dark to light: night blue, violet, red, orange, pale yellow.
const STOPS: [[f64; 3]; 8] = [
    [4.0, 6.0, 24.0],
    [32.0, 18.0, 82.0],
    [86.0, 22.0, 116.0],
    [146.0, 36.0, 104.0],
    [202.0, 62.0, 72.0],
    [240.0, 114.0, 36.0],
    [252.0, 186.0, 60.0],
    [252.0, 250.0, 190.0],
];

fn colour_of(t: f64) -> [u8; 3] {
    let x = t * (STOPS.len() - 1) as f64;
    let i = (x as usize).min(STOPS.len() - 2);
    let f = x - i as f64;
    std::array::from_fn(|c| (STOPS[i][c] * (1.0 - f) + STOPS[i + 1][c] * f).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(
        request: &str,
        scalar: Scalar,
        bytes: &[u8],
        hint: Option<(u32, u32)>,
    ) -> Result<(u32, u32, Vec<u8>), String> {
        let mut file = Vec::new();
        write(&mut file, &Request::parse(request)?, scalar, bytes, hint)?;
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().map_err(|e| e.to_string())?;
        let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
        let info = reader.next_frame(&mut pixels).map_err(|e| e.to_string())?;
        pixels.truncate(info.buffer_size());
        Ok((info.width, info.height, pixels))
    }

    #[test]
    fn requests() {
        let r = Request::parse("a/b.png:640x480:gray").expect("good");
        assert_eq!((r.path.as_str(), r.size, r.mode), ("a/b.png", Some((640, 480)), Some(Mode::Gray)));
        assert!(Request::parse("x.png:0x4").is_err() && Request::parse("x.png:pretty").is_err());
    }

    #[test]
    fn bytes_are_grey_as_they_are() {
        let got = picture("x.png", Scalar::U8, &[0, 50, 100, 255], None);
        assert_eq!(got, Ok((2, 2, vec![0, 50, 100, 255])));
    }

    #[test]
    fn numbers_are_scaled() {
        let data: Vec<u8> =
            [-1.0f32, 0.0, 1.0, f32::NAN, f32::INFINITY, 1.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let (w, h, pixels) = picture("x.png:3x2:gray", Scalar::F32, &data, None).expect("good");
        assert_eq!((w, h, pixels), (3, 2, vec![0, 128, 255, 0, 255, 255]));
        let (_, _, pixels) = picture("x.png", Scalar::F32, &data, Some((3, 2))).expect("good");
        assert_eq!(pixels[..3], [4, 6, 24]);
        assert_eq!(pixels[6..9], [252, 250, 190]);
        // One number everywhere has no range.
        let flat: Vec<u8> = [5i32; 4].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert!(picture("x.png:log", Scalar::I32, &flat, None).is_ok());
    }

    #[test]
    fn colours() {
        let rgba = picture("x.png:1x2", Scalar::U8, &[1, 2, 3, 4, 5, 6, 7, 8], None).expect("good");
        assert_eq!(rgba, (1, 2, vec![1, 2, 3, 4, 5, 6, 7, 8]));
        let packed: Vec<u8> = 0x0403_0201u32.to_le_bytes().to_vec();
        assert_eq!(picture("x.png:1x1:rgba", Scalar::U32, &packed, None), Ok((1, 1, vec![1, 2, 3, 4])));
    }

    #[test]
    fn sizes_must_fit() {
        assert!(picture("x.png:3x3", Scalar::U8, &[0; 8], None).unwrap_err().contains("has 8"));
        assert!(picture("x.png", Scalar::U8, &[0; 8], None).unwrap_err().contains("WxH"));
        assert!(picture("x.png:2x2:rgba", Scalar::F32, &[0; 16], None).unwrap_err().contains("three or four"));
    }
}
