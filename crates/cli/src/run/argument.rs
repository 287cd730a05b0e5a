//! Arguments of kernels as they are typed: `2.0`, `x.npy`, `inout:y.npy`, `out:f32:1024`, `random:7:f32:4096`,
//! `local:1024`, `hex:0102`; images and samplers are read by [`image_argument`].
//!
//! What an argument may be follows from the parameter's type, and every complaint names the parameter and its
//! declaration.

use super::image_argument::{self, Image};
use super::scalar::{self, named};
use super::{Failure, npy};
use launch::buffer::Buffer;
use launch::kernels::{Element, KernelInfo, ParamInfo, ParamKind, Scalar, Space};
use source::Diagnostic;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// An argument, ready.
#[derive(Debug)]
pub enum Argument {
    /// A value: its bytes as they lie in memory.
    Value(Vec<u8>),
    /// A pointer to memory.
    Buffer(Data),
    /// So many bytes of work-group memory.
    Local(u64),
    /// A null pointer.
    Null,
    /// An image.
    Image(Image),
}

impl Argument {
    /// The memory that it brings, if it does.
    pub fn data(&self) -> Option<&Data> {
        match self {
            Self::Buffer(data) => Some(data),
            Self::Image(image) => Some(&image.data),
            Self::Value(_) | Self::Local(_) | Self::Null => None,
        }
    }
}

/// Memory behind a pointer argument.
#[derive(Debug)]
pub struct Data {
    /// The bytes.
    pub bytes: Buffer,
    /// What they are; `None` for bytes of mixed aggregates.
    pub scalar: Option<Scalar>,
    /// Lengths of the dimensions, in scalars.
    pub shape: Vec<u64>,
    /// What is done with them.
    pub role: Role,
}

/// What is done with a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Its contents are given; what becomes of them does not matter.
    In,
    /// Contents given, and wanted back.
    InOut,
    /// Contents wanted; nothing is given.
    Out,
}

impl Role {
    /// Whether the contents are wanted after the run.
    pub fn is_output(self) -> bool {
        self != Self::In
    }
}

/// What a parameter is called in messages: ``parameter 2 `y` (float *)``.
pub(crate) fn label(n: usize, p: &ParamInfo) -> String {
    let name = if p.name.is_empty() { String::new() } else { format!(" `{}`", p.name) };
    format!("parameter {}{name} ({})", n + 1, p.ty)
}

/// Makes the arguments of a kernel.
///
/// # Errors
/// Too few or too many, or one that does not fit its parameter.
pub(crate) fn arguments(kernel: &KernelInfo, texts: &[String]) -> Result<Vec<Argument>, Failure> {
    let texts = in_order(kernel, texts)?;
    kernel.params.iter().zip(texts).enumerate().map(|(n, (p, text))| one(n, p, text)).collect()
}

/// The text for each parameter: those that name one (`NAME=ARG`) for it, the others in order for those that are left.
fn in_order<'t>(kernel: &KernelInfo, texts: &'t [String]) -> Result<Vec<&'t str>, Failure> {
    let named = |text: &'t str| {
        let (name, rest) = text.split_once('=')?;
        Some((kernel.params.iter().position(|p| !p.name.is_empty() && p.name == name)?, rest))
    };
    let mut given: Vec<Option<&str>> = vec![None; kernel.params.len()];
    for (n, text) in texts.iter().filter_map(|t| named(t)) {
        if given[n].replace(text).is_some() {
            let p = &kernel.params[n];
            let d = Diagnostic::error("E0705", p.span, format!("{} is given twice", label(n, p)));
            return Err(d.help("give one `--arg` for each parameter").into());
        }
    }
    let mut rest = texts.iter().map(String::as_str).filter(|t| named(t).is_none());
    if let Some(name) = rest.clone().find_map(unknown_name) {
        return Err(no_such_parameter(kernel, name));
    }
    for place in given.iter_mut().filter(|g| g.is_none()) {
        *place = rest.next();
    }
    match (given.iter().position(Option::is_none), rest.next()) {
        (None, None) => Ok(given.into_iter().flatten().collect()),
        (missing, surplus) => Err(count_error(kernel, texts.len(), missing, surplus)),
    }
}

/// What stands before `=`, where that is a name and the whole is no file.
fn unknown_name(text: &str) -> Option<&str> {
    let (name, _) = text.split_once('=')?;
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && !std::path::Path::new(text).exists()).then_some(name)
}

fn no_such_parameter(kernel: &KernelInfo, name: &str) -> Failure {
    let d = Diagnostic::error("E0705", kernel.span, format!("kernel `{}` has no parameter `{name}`", kernel.name));
    let names: Vec<String> =
        kernel.params.iter().filter(|p| !p.name.is_empty()).map(|p| format!("`{}`", p.name)).collect();
    if names.is_empty() {
        return d.help("give one `--arg` for each parameter, in order").into();
    }
    d.help(format!("its parameters are {}", names.join(", "))).into()
}

fn count_error(kernel: &KernelInfo, got: usize, missing: Option<usize>, surplus: Option<&str>) -> Failure {
    let want = kernel.params.len();
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let d = Diagnostic::error(
        "E0705",
        kernel.span,
        format!("kernel `{}` takes {want} argument{}, {got} given", kernel.name, plural(want)),
    );
    let d = match missing {
        Some(n) => d.label(kernel.params[n].span, format!("{} has no `--arg`", label(n, &kernel.params[n]))),
        None => d.note(format!("`--arg {}` has no parameter", surplus.unwrap_or_default())),
    };
    let help =
        "give one `--arg` for each parameter, in order or as `NAME=ARG`; `unspool run --help` lists what one may be";
    Failure::from(d.help(help))
}

/// An argument that does not fit.
pub(super) struct Misfit {
    pub(super) why: String,
    help: Option<String>,
}

impl From<String> for Misfit {
    fn from(why: String) -> Self {
        Self { why, help: None }
    }
}

pub(super) fn misfit(why: impl Into<String>, help: impl Into<String>) -> Misfit {
    Misfit { why: why.into(), help: Some(help.into()) }
}

fn one(n: usize, p: &ParamInfo, text: &str) -> Result<Argument, Failure> {
    let made = match &p.kind {
        ParamKind::Image { access, dims } => image_argument::image(text, *access, *dims),
        ParamKind::Sampler => image_argument::sampler(text),
        _ if let Some(m) = image_argument::elsewhere(text) => Err(m),
        ParamKind::Value(e) => value(text, *e),
        ParamKind::Bytes { bytes } => aggregate(text, *bytes),
        ParamKind::Pointer { space: Space::Local, .. } => local(text),
        ParamKind::Pointer { element, element_bytes, read_only, .. } => {
            let target = Target { element: *element, element_bytes: *element_bytes, read_only: *read_only };
            target.argument(text)
        }
        ParamKind::Opaque => Err(misfit(
            "this kind of parameter cannot be given here",
            "kernels run with values, buffers, images and samplers; queues on the device and pipes are not there",
        )),
    };
    made.map_err(|m| {
        let d = Diagnostic::error("E0706", p.span, format!("{}: {}", label(n, p), m.why));
        let d = d.note(format!("the argument is `--arg {text}`"));
        Failure::from(match m.help {
            Some(h) => d.help(h),
            None => d,
        })
    })
}

/// What a variable is to hold: numbers as for a vector, or a buffer of its size.
///
/// # Errors
/// Why the text does not fit, and what to write instead.
pub(crate) fn contents(text: &str, element: Option<Element>, bytes: u64) -> Result<Vec<u8>, (String, Option<String>)> {
    let is_buffer = text.contains(':') && !text.starts_with("hex:");
    let is_file = [".npy", ".raw", ".bin"].iter().any(|e| text.ends_with(e));
    let made = if is_buffer || is_file {
        let one = element.map(|e| Element { count: 1, bytes: e.scalar.bytes(), ..e });
        let target = Target { element: one, element_bytes: 1, read_only: false };
        target.source(text).and_then(|data| match data.bytes.len() as u64 {
            n if n == bytes => Ok(data.bytes.to_vec()),
            n => Err(format!("{n} bytes given, it has {bytes}").into()),
        })
    } else {
        let given = match element {
            Some(e) => value(text, e),
            None => aggregate(text, bytes),
        };
        given.map(|a| if let Argument::Value(bytes) = a { bytes } else { Vec::new() })
    };
    made.map_err(|m| (m.why, m.help))
}

/// A number, or as many as the vector has components; one for all of them.
fn value(text: &str, e: Element) -> Result<Argument, Misfit> {
    if let Some(hex) = text.strip_prefix("hex:") {
        return hex_bytes(hex, e.bytes).map(Argument::Value);
    }
    let looks_like_buffer = text.contains(':') || text.ends_with(".npy");
    if looks_like_buffer {
        let what = if e.count == 1 { "a number" } else { "numbers, as `1,2,3`" };
        return Err(misfit(
            format!("`{text}` is a buffer, the parameter takes {what}"),
            "check the order of the `--arg`s",
        ));
    }
    let parts: Vec<&str> = text.split(',').collect();
    let count = e.count as usize;
    if parts.len() != count && parts.len() != 1 {
        return Err(format!(
            "{} numbers given, it has {count} component{}",
            parts.len(),
            if count == 1 { "" } else { "s" }
        )
        .into());
    }
    let mut bytes = Vec::with_capacity(e.bytes as usize);
    for i in 0..count {
        bytes.extend(scalar::parse(parts[i.min(parts.len() - 1)], e.scalar)?);
    }
    bytes.resize(e.bytes as usize, 0);
    Ok(Argument::Value(bytes))
}

fn aggregate(text: &str, bytes: u64) -> Result<Argument, Misfit> {
    match text.strip_prefix("hex:") {
        Some(hex) => hex_bytes(hex, bytes).map(Argument::Value),
        None => Err(misfit(
            format!("it is {bytes} bytes of several types"),
            "give its bytes in memory order, two hexadecimal digits each: `hex:0000803f…`",
        )),
    }
}

fn hex_bytes(hex: &str, want: u64) -> Result<Vec<u8>, Misfit> {
    let digits: String = hex.chars().filter(|c| !matches!(c, '_' | ' ')).collect();
    if !digits.chars().all(|c| c.is_ascii_hexdigit()) || !digits.len().is_multiple_of(2) {
        return Err("`hex:` takes pairs of hexadecimal digits".to_owned().into());
    }
    let bytes: Vec<u8> =
        (0..digits.len()).step_by(2).filter_map(|i| u8::from_str_radix(&digits[i..i + 2], 16).ok()).collect();
    if bytes.len() as u64 != want {
        return Err(format!("{} bytes given, it has {want}", bytes.len()).into());
    }
    Ok(bytes)
}

/// `local:BYTES` or `local:TYPE:COUNT`.
fn local(text: &str) -> Result<Argument, Misfit> {
    let help = "give its size per work-group: `local:BYTES` or `local:TYPE:COUNT`";
    let Some(size) = text.strip_prefix("local:") else {
        return Err(misfit("it points to memory of the work-group", help));
    };
    let bytes = match size.split_once(':') {
        None => count(size)?.iter().product(),
        Some((ty, n)) => {
            let (s, lanes) = named(ty).ok_or_else(|| misfit(format!("unknown type `{ty}`"), TYPES))?;
            total(s.bytes() * u64::from(lanes), &count(n)?)?
        }
    };
    Ok(Argument::Local(bytes))
}

const TYPES: &str = "types are i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64 bool, and C's names, also of vectors";

pub(super) const FORMS: &str = "a buffer is FILE.npy, raw:FILE, zeros:TYPE:N, ones:TYPE:N, iota:TYPE:N, random:SEED:TYPE:N, each also behind \
     `inout:`, or out:TYPE:N, or null";

/// A pointer parameter.
struct Target {
    element: Option<Element>,
    element_bytes: u64,
    read_only: bool,
}

impl Target {
    fn argument(&self, text: &str) -> Result<Argument, Misfit> {
        if matches!(text, "null" | "nullptr" | "NULL") {
            return Ok(Argument::Null);
        }
        let (role, rest) = match text.split_once(':') {
            Some(("out", rest)) => (Role::Out, rest),
            Some(("inout", rest)) => (Role::InOut, rest),
            Some(("in", rest)) => (Role::In, rest),
            _ => (Role::In, text),
        };
        if self.read_only && role.is_output() {
            return Err(misfit("the kernel only reads it, so it is no output", "leave out the `out:` or `inout:`"));
        }
        let mut data = if role == Role::Out { self.generate("zeros", rest)? } else { self.source(rest)? };
        data.role = role;
        if data.bytes.is_empty() {
            return Err(misfit("the buffer is empty", "give it at least one element"));
        }
        Ok(Argument::Buffer(data))
    }

    fn source(&self, text: &str) -> Result<Data, Misfit> {
        match text.split_once(':') {
            Some(("raw", path)) => return self.raw(path),
            Some((kind @ ("zeros" | "ones" | "iota" | "random"), rest)) => return self.generate(kind, rest),
            Some(("hex", digits)) => {
                let bytes = hex_bytes(digits, (digits.chars().filter(char::is_ascii_hexdigit).count() / 2) as u64)?;
                return self.read_bytes(&mut bytes.as_slice(), bytes.len() as u64, "the bytes");
            }
            Some(("local", _)) => {
                return Err(misfit("it points to global memory, not to that of the work-group", FORMS));
            }
            _ => {}
        }
        let path = Path::new(text);
        match path.extension().and_then(|e| e.to_str()) {
            Some("npy") => self.npy(text),
            Some("raw" | "bin") => self.raw(text),
            _ if text.parse::<f64>().is_ok() => Err(misfit(
                format!("it takes a buffer, `{text}` is a number"),
                format!("check the order of the `--arg`s; {FORMS}"),
            )),
            _ => Err(misfit(format!("cannot tell what `{text}` is"), FORMS)),
        }
    }

    fn open(path: &str) -> Result<(File, u64), Misfit> {
        let explain = |e: std::io::Error| match e.kind() {
            std::io::ErrorKind::NotFound => format!("`{path}` does not exist"),
            _ => format!("cannot read `{path}`: {e}"),
        };
        // Asked before it is opened, which waits where it is a pipe.
        let meta = std::fs::metadata(path).map_err(explain)?;
        if meta.is_dir() {
            return Err(format!("`{path}` is a directory").into());
        }
        // Devices and pipes do not say how much there is, and some have no end.
        if !meta.is_file() {
            return Err(misfit(
                format!("`{path}` is a device or a pipe, whose size is not known"),
                "write what it gives to a file first",
            ));
        }
        let file = File::open(path).map_err(explain)?;
        Ok((file, meta.len()))
    }

    fn npy(&self, path: &str) -> Result<Data, Misfit> {
        let (mut file, len) = Self::open(path)?;
        let header = npy::read_header(&mut file).map_err(|e| format!("`{path}` {e}"))?;
        self.fits(header.scalar, path)?;
        self.whole(header.bytes, path)?;
        let short = || format!("`{path}` is cut short: its header promises {} bytes of numbers", header.bytes);
        if header.bytes > len {
            return Err(short().into());
        }
        let mut bytes = zeroed(header.bytes)?;
        file.read_exact(&mut bytes).map_err(|e| match e.kind() {
            std::io::ErrorKind::UnexpectedEof => short(),
            _ => format!("cannot read `{path}`: {e}"),
        })?;
        if header.swapped {
            npy::swap(&mut bytes, header.scalar);
        }
        Ok(Data { bytes, scalar: Some(header.scalar), shape: header.shape, role: Role::In })
    }

    fn raw(&self, path: &str) -> Result<Data, Misfit> {
        let (mut file, len) = Self::open(path)?;
        self.read_bytes(&mut file, len, &format!("`{path}`"))
    }

    fn read_bytes(&self, r: &mut impl Read, len: u64, what: &str) -> Result<Data, Misfit> {
        self.whole(len, what)?;
        let mut bytes = zeroed(len)?;
        r.read_exact(&mut bytes).map_err(|e| format!("cannot read {what}: {e}"))?;
        let scalar = self.element.map(|e| e.scalar);
        let shape = vec![len / scalar.map_or(1, Scalar::bytes)];
        Ok(Data { bytes, scalar, shape, role: Role::In })
    }

    /// `TYPE:N`, `N` of the parameter's own type, or `SEED:…` before either for `random`.
    fn generate(&self, kind: &str, text: &str) -> Result<Data, Misfit> {
        let (seed, text) = match (kind, text.split_once(':')) {
            ("random", Some((seed, rest))) => {
                let seed = seed.parse::<u64>().map_err(|_| misfit(format!("`{seed}` is no seed"), FORMS))?;
                (seed, rest)
            }
            ("random", None) => return Err(misfit("`random` needs a seed and a size", FORMS)),
            _ => (0, text),
        };
        let (scalar, lanes, size) = match text.split_once(':') {
            Some((ty, size)) => {
                let (s, lanes) = named(ty).ok_or_else(|| misfit(format!("unknown type `{ty}`"), TYPES))?;
                (s, u64::from(lanes), size)
            }
            None => match self.element {
                Some(e) => (e.scalar, e.bytes / e.scalar.bytes(), text),
                None => return Err(misfit(format!("`{text}` names no type"), FORMS)),
            },
        };
        let mut shape = count(size)?;
        // A vector of three takes the room of four.
        let lanes = if lanes == 3 { 4 } else { lanes };
        let bytes = total(scalar.bytes() * lanes, &shape)?;
        if lanes > 1 {
            shape.push(lanes);
        }
        self.fits(scalar, &format!("{kind}:{text}"))?;
        self.whole(bytes, text)?;
        let mut bytes = zeroed(bytes)?;
        match kind {
            "ones" => scalar::ones(&mut bytes, scalar),
            "iota" => scalar::iota(&mut bytes, scalar),
            "random" => scalar::random(&mut bytes, scalar, seed),
            _ => {}
        }
        Ok(Data { bytes, scalar: Some(scalar), shape, role: Role::In })
    }

    /// Whether numbers of this type are what the parameter points to; the sign of integers does not matter.
    fn fits(&self, got: Scalar, what: &str) -> Result<(), Misfit> {
        let Some(e) = self.element else { return Ok(()) };
        if e.scalar.bytes() == got.bytes()
            && e.scalar.is_float() == got.is_float()
            && (e.scalar == got || !got.is_float())
        {
            return Ok(());
        }
        let want = scalar::name(e.scalar);
        let numpy = match e.scalar {
            Scalar::Bool => "bool_".to_owned(),
            s if s.is_float() => format!("float{}", s.bytes() * 8),
            s => format!("{}int{}", if s.is_signed() { "" } else { "u" }, s.bytes() * 8),
        };
        Err(misfit(
            format!("`{what}` has numbers of type {}, it points to {want}", scalar::name(got)),
            format!("convert them (`x.astype(numpy.{numpy})`), or generate `{want}`"),
        ))
    }

    /// Whether so many bytes are whole elements.
    fn whole(&self, bytes: u64, what: &str) -> Result<(), Misfit> {
        if bytes.is_multiple_of(self.element_bytes) {
            return Ok(());
        }
        Err(format!("{what} has {bytes} bytes, which are no whole number of elements of {} bytes", self.element_bytes)
            .into())
    }
}

pub(super) fn zeroed(bytes: u64) -> Result<Buffer, Misfit> {
    Buffer::guarded(bytes).map_err(|e| misfit(e.to_string(), "use a smaller buffer"))
}

/// Bytes of so many elements.
pub(super) fn total(each: u64, shape: &[u64]) -> Result<u64, Misfit> {
    let bytes = shape.iter().try_fold(each, |n, &d| n.checked_mul(d)).filter(|&n| n <= i64::MAX as u64);
    bytes.ok_or_else(|| misfit("a buffer of that many bytes is more than any machine has", "use a smaller buffer"))
}

/// A number of elements: `1024`, `10^6`, `64x32`, `4K`, `16M`.
fn count(text: &str) -> Result<Vec<u64>, Misfit> {
    let bad = || misfit(format!("`{text}` is no number of elements"), "write it as 1024, 64x32, 10^6, 16K or 4M");
    let parts = if text.starts_with("0x") { vec![text] } else { text.split(['x', '*']).collect() };
    parts.iter().map(|p| number(p).ok_or_else(bad)).collect()
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim().replace('_', "");
    if let Some((base, exponent)) = text.split_once('^') {
        return number(base)?.checked_pow(exponent.parse().ok()?);
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    let (digits, unit) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (&text[..at], 1 << 10),
        (at, 'm' | 'M') => (&text[..at], 1 << 20),
        (at, 'g' | 'G') => (&text[..at], 1 << 30),
        _ => (text.as_str(), 1),
    };
    digits.parse::<u64>().ok().filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))?.checked_mul(unit)
}

/// Reads sizes such as `1024,512`.
///
/// # Errors
/// One of them is no number.
pub(crate) fn sizes(text: &str) -> Result<Vec<u64>, String> {
    let size =
        |p: &str| number(p).ok_or_else(|| format!("`{p}` is no size, which is a whole number such as 64 or 16K"));
    text.split(',').map(size).collect()
}
