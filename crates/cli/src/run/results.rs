//! Results to files, all of them or none: each is written beside its place, and they get their names when the last
//! one is complete.

use super::argument::{Argument, Data};
use super::image as picture;
use super::image::Request;
use super::scalar::numbers;
use super::symbol::{Shown, Symbol};
use super::{Failure, npy, scalar};
use crate::output::reason;
use launch::kernels::{KernelInfo, Scalar};
use source::{Diagnostic, Severity, Span};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file to write and the argument it shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Output {
    shows: Shows,
    form: Form,
    path: String,
}

/// What a file shows, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shows {
    Argument(usize),
    Symbol(usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Form {
    Npy,
    Raw,
    Text,
    Image(Request),
}

/// Which argument each `--out` and `--image` shows: the one it names, or the next output in order.
///
/// # Errors
/// More files than outputs, names that are no output, file names that tell no form.
pub(crate) fn plan(
    kernel: &KernelInfo,
    arguments: &[Argument],
    outs: &[String],
    images: &[String],
) -> Result<Vec<Output>, Failure> {
    let is_output = |a: &Argument| a.data().is_some_and(|d| d.role.is_output());
    let outputs: Vec<usize> = (0..arguments.len()).filter(|&n| is_output(&arguments[n])).collect();
    let named = |text: &str| -> Option<(usize, String)> {
        let (name, path) = text.split_once('=')?;
        let n = kernel.params.iter().position(|p| p.name == name)?;
        Some((n, path.to_owned()))
    };
    let mut plan = Vec::new();
    let mut place = |text: &str, next: &mut usize, picture: bool| {
        let (argument, path) = match named(text) {
            Some((n, _)) if !outputs.contains(&n) => return Err(no_output(kernel, text, n)),
            Some(found) => found,
            None => {
                let Some(&n) = outputs.get(*next) else { return Err(too_many(kernel, text, outputs.len())) };
                *next += 1;
                (n, text.to_owned())
            }
        };
        plan.push(form(Shows::Argument(argument), path, picture)?);
        Ok(())
    };
    let mut next = 0;
    outs.iter().try_for_each(|t| place(t, &mut next, false))?;
    next = 0;
    images.iter().try_for_each(|t| place(t, &mut next, true))?;
    Ok(plan)
}

/// Says which outputs no file shows, where there are files for others: their contents are lost.
pub(crate) fn lost(plan: &[Output], kernel: &KernelInfo, arguments: &[Argument]) -> Option<Diagnostic> {
    let shown = |n: usize| plan.iter().any(|o| o.shows == Shows::Argument(n));
    let output = |n: usize| arguments[n].data().is_some_and(|d| d.role.is_output());
    if plan.is_empty() {
        return None;
    }
    let names: Vec<String> = (0..arguments.len())
        .filter(|&n| output(n) && !shown(n))
        .map(|n| super::argument::label(n, &kernel.params[n]))
        .collect();
    let first = names.first()?;
    let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
    let message = format!("what the kernel leaves in {first}{more} goes nowhere");
    let d = Diagnostic::new(Severity::Note, "E0707", Span::NONE, message);
    Some(d.help("add an `--out` or `--image` for it, or leave out its `out:` or `inout:`"))
}

/// The files that show variables.
///
/// # Errors
/// File names that tell no form.
pub(crate) fn plan_symbols(shown: &[Shown]) -> Result<Vec<Output>, Failure> {
    shown.iter().map(|(n, path)| form(Shows::Symbol(*n), path.clone(), false)).collect()
}

fn form(shows: Shows, path: String, picture: bool) -> Result<Output, Failure> {
    let file = path.split(':').next().unwrap_or_default();
    let extension = Path::new(file).extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let form = match extension.as_deref() {
        Some("png") => Form::Image(Request::parse(&path).map_err(Failure::Usage)?),
        _ if picture => return Err(Failure::Usage(format!("`--image {path}`: pictures are written as .png"))),
        Some("npy") => Form::Npy,
        Some("raw" | "bin") => Form::Raw,
        Some("txt") => Form::Text,
        _ if path == "-" => Form::Text,
        _ => {
            return Err(Failure::Usage(format!(
                "`{path}`: the name of an output must end in .npy, .raw, .bin, .txt or .png, or be `-` for text on standard output"
            )));
        }
    };
    let path = if let Form::Image(r) = &form { r.path.clone() } else { path };
    Ok(Output { shows, form, path })
}

fn no_output(kernel: &KernelInfo, text: &str, n: usize) -> Failure {
    let label = super::argument::label(n, &kernel.params[n]);
    let d =
        Diagnostic::error("E0707", kernel.params[n].span, format!("{label} is no output, so `{text}` cannot show it"));
    d.help("put `out:` or `inout:` before its argument").into()
}

fn too_many(kernel: &KernelInfo, text: &str, outputs: usize) -> Failure {
    let d = Diagnostic::error(
        "E0707",
        kernel.span,
        format!(
            "nothing is left for `{text}` to show: {outputs} argument{} marked as output",
            if outputs == 1 { " is" } else { "s are" }
        ),
    );
    d.help("put `out:` or `inout:` before the arguments whose contents are wanted").into()
}

/// Writes the files.
///
/// # Errors
/// What cannot be written; nothing is then replaced, unless the system fails between two renamings.
pub(crate) fn write(
    plan: &[Output],
    arguments: &[Argument],
    snapshot: &[Option<Vec<u8>>],
    symbols: &[Symbol],
    hint: Option<(u32, u32)>,
) -> Result<(), Failure> {
    let mut ready: Vec<(NamedTempFile, PathBuf)> = Vec::new();
    let mut printed = Vec::new();
    for o in plan {
        let (data, bytes, image): (&Data, &[u8], _) = match o.shows {
            Shows::Symbol(n) => (&symbols[n].data, &symbols[n].data.bytes, None),
            Shows::Argument(n) => {
                let Some(data) = arguments[n].data() else { continue };
                let image = if let Argument::Image(image) = &arguments[n] { Some(image) } else { None };
                (data, snapshot.get(n).and_then(|s| s.as_deref()).unwrap_or(&data.bytes), image)
            }
        };
        let failed = |e: String| {
            Failure::from(Diagnostic::error("E0708", Span::NONE, format!("cannot write `{}`: {e}", o.path)))
        };
        if o.path == "-" {
            text(&mut printed, data, bytes).map_err(|e| failed(e.to_string()))?;
            continue;
        }
        let target = PathBuf::from(&o.path);
        if target.is_dir() {
            return Err(failed("it is a directory".to_owned()));
        }
        let dir = target.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new().prefix(".unspool-").tempfile_in(dir).map_err(|e| failed(reason(&e)))?;
        let mut w = BufWriter::new(file);
        match (&o.form, image) {
            (Form::Image(request), Some(image)) => {
                let (scalar, colours) = image.colours(bytes);
                picture::write(&mut w, request, scalar, &colours, image.size())
            }
            _ => contents(&mut w, &o.form, data, bytes, hint),
        }
        .map_err(failed)?;
        let file = w.into_inner().map_err(|e| failed(e.to_string()))?;
        crate::output::public(file.as_file(), &target).map_err(|e| failed(e.to_string()))?;
        ready.push((file, target));
    }
    for (file, target) in ready {
        file.persist(&target).map_err(|e| {
            Failure::from(Diagnostic::error(
                "E0708",
                Span::NONE,
                format!("cannot write `{}`: {}", target.display(), reason(&e.error)),
            ))
        })?;
    }
    let mut out = std::io::stdout().lock();
    match out.write_all(&printed).and_then(|()| out.flush()) {
        // The reader has seen enough.
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(e) => Err(Diagnostic::error("E0708", Span::NONE, format!("cannot write to standard output: {e}")).into()),
        Ok(()) => Ok(()),
    }
}

fn contents(
    w: &mut impl Write,
    form: &Form,
    data: &Data,
    bytes: &[u8],
    hint: Option<(u32, u32)>,
) -> Result<(), String> {
    let words = |e: std::io::Error| e.to_string();
    match form {
        Form::Npy => {
            let (scalar, shape) = match data.scalar {
                Some(s) => (s, data.shape.clone()),
                None => (Scalar::U8, vec![bytes.len() as u64]),
            };
            npy::write(w, scalar, &shape, bytes).map_err(words)
        }
        Form::Raw => w.write_all(bytes).map_err(words),
        Form::Text => text(w, data, bytes).map_err(words),
        Form::Image(request) => picture::write(w, request, data.scalar.unwrap_or(Scalar::U8), bytes, hint),
    }
}

/// One row of the last dimension a line.
fn text(w: &mut impl Write, data: &Data, bytes: &[u8]) -> std::io::Result<()> {
    let scalar = data.scalar.unwrap_or(Scalar::U8);
    let row = if data.shape.len() > 1 { data.shape.last().copied().unwrap_or(1).max(1) } else { 1 };
    for (i, n) in numbers(bytes, scalar).enumerate() {
        let last = (i as u64 + 1).is_multiple_of(row);
        write!(w, "{n}{}", if last { '\n' } else { ' ' })?;
    }
    Ok(())
}

/// One line on each output: least, greatest, the first numbers.
pub(crate) fn summary(kernel: &KernelInfo, arguments: &[Argument], snapshot: &[Option<Vec<u8>>]) -> String {
    /// Numbers shown.
    const SHOWN: usize = 8;
    let mut out = String::new();
    for (n, a) in arguments.iter().enumerate() {
        let Some(data) = a.data() else { continue };
        if !data.role.is_output() {
            continue;
        }
        let bytes: &[u8] = snapshot.get(n).and_then(|s| s.as_deref()).unwrap_or(&data.bytes);
        let ty = data.scalar.unwrap_or(Scalar::U8);
        let all = numbers(bytes, ty);
        let count = all.len();
        let mut order: Option<(scalar::Number, scalar::Number)> = None;
        let mut nans = 0u64;
        for v in all {
            if v.to_f64().is_nan() {
                nans += 1;
                continue;
            }
            let (least, most) = order.unwrap_or((v, v));
            order = Some((
                if v.to_f64() < least.to_f64() { v } else { least },
                if v.to_f64() > most.to_f64() { v } else { most },
            ));
        }
        let first: Vec<String> = numbers(bytes, ty).take(SHOWN).map(|v| v.to_string()).collect();
        let more = if count > SHOWN { " …" } else { "" };
        let name = if kernel.params[n].name.is_empty() { format!("#{}", n + 1) } else { kernel.params[n].name.clone() };
        let range = order.map_or_else(String::new, |(l, m)| format!(", from {l} to {m}"));
        let nan = if nans > 0 { format!(", {nans} NaN") } else { String::new() };
        out.push_str(&format!("{name}: {count} x {}{range}{nan}: {}{more}\n", scalar::name(ty), first.join(" ")));
    }
    out
}
