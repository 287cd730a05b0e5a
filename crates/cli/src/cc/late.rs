//! What only the link can make: kernels of regions that call functions of other files.
//!
//! An object keeps the texts of such kernels, and of the functions that `routine` names, in a section that programs do not have.
//! The link reads them, from objects and archives, compiles the kernels with the functions that they call, and links the result
//! with the rest.

use super::compile::{Driver, failed, kernel_options, wrong};
use super::gpu;
use super::options;
use super::records::{self, Found, Region, Routine};
use crate::engine::become_host;
use acc::{Entry, GpuCode, KernelSource};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use unspool::{Arch, Compilation, Dialect, Emit, Input, Linkable, Product, compile_with_log as compile, link};

/// What a part is compiled for: this machine, or a GPU.
type For = Option<Arch>;

/// Objects that a link needs besides those that it was given; the host's compiler's exit status if it fails.
pub(super) fn objects(driver: &Driver<'_>, words: &[OsString]) -> Result<Result<Vec<PathBuf>, ExitCode>, String> {
    let found = found(words);
    if found.regions.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    if driver.backends().is_empty() {
        // There may have been no source that asked for it.
        return Err(become_host(unspool::Target::host(), None).message);
    }
    let mut late = Late { driver, found: &found, parts: BTreeMap::new() };
    let (mut out, mut images) = (Vec::new(), String::new());
    for (n, region) in found.regions.iter().enumerate() {
        match late.region(region) {
            Ok((object, gpu)) => {
                out.push(driver.keep(&format!("late{n}.o"), &object)?);
                for (capability, text) in gpu.iter().flat_map(|g| &g.ptx).filter(|_| driver.keeps_gpu()) {
                    let name = format!("link.{:03}.cc{capability}.ptx", n + 1);
                    std::fs::write(&name, text).map_err(|e| format!("cannot write `{name}`: {e}"))?;
                }
                images.extend(gpu.map(|g| g.declaration(&region.source.image(), false)));
            }
            // The linker takes of archives what it needs, and may not need this.
            Err(_) if region.of_archive => {}
            Err(Fault::Missing(why)) => return Err(why),
            Err(Fault::Impossible(why)) => {
                let place = &region.source.place;
                let _ = writeln!(std::io::stderr(), "note: {why}: the host runs the region at {place}");
                images.push_str(&format!("extern const int {0};\nconst int {0} = 1;\n", region.source.left()));
            }
        }
    }
    if !images.is_empty() {
        let text = driver.keep("late.c", format!("{}{images}", acc::PRELUDE).as_bytes())?;
        let object = text.with_extension("o");
        if let Some(code) = failed(driver.cc().arg("-c").arg(text).arg("-o").arg(&object))? {
            return Ok(Err(code));
        }
        out.push(object);
    }
    Ok(Ok(out))
}

/// What the objects and archives of a link keep. Of libraries by name those are read that `-L` finds and that are archives.
fn found(words: &[OsString]) -> Found {
    let mut out = Found::default();
    let texts: Vec<&str> = words.iter().map(|w| w.to_str().unwrap_or("")).collect();
    // A link to one more object leaves the rest to the next.
    if texts.contains(&"-r") {
        return out;
    }
    let mut folders: Vec<&str> = Vec::new();
    let (mut skip, mut libraries) = (false, Vec::new());
    for (i, &text) in texts.iter().enumerate() {
        let next = texts.get(i + 1).copied().unwrap_or("");
        match text {
            _ if std::mem::take(&mut skip) => {}
            "-L" => folders.push(next),
            "-l" => libraries.push(next),
            _ if text.starts_with("-L") => folders.push(&text[2..]),
            _ if text.starts_with("-l") => libraries.push(&text[2..]),
            _ if !text.starts_with('-') => records::read(Path::new(&words[i]), &mut out),
            _ => {}
        }
        skip = options::takes_argument(text);
    }
    for name in libraries {
        let file = name.strip_prefix(':').map_or_else(|| format!("lib{name}.a"), str::to_owned);
        if let Some(path) = folders.iter().map(|f| Path::new(f).join(&file)).find(|p| p.is_file()) {
            records::read(&path, &mut out);
        }
    }
    out
}

/// Why there are no kernels.
enum Fault {
    /// A function is not in the link.
    Missing(String),
    /// Devices cannot run a function.
    Impossible(String),
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Self::Impossible(why)
    }
}

impl From<&str> for Fault {
    fn from(why: &str) -> Self {
        Self::Impossible(why.to_owned())
    }
}

struct Late<'a, 'd> {
    driver: &'a Driver<'d>,
    found: &'a Found,
    /// Functions that were compiled before, and for which compute capability (0: this machine).
    parts: BTreeMap<(String, u32), Linkable>,
}

impl<'a> Late<'a, '_> {
    /// The object of a region's kernels, and its code for GPUs.
    fn region(&mut self, r: &Region) -> Result<(Vec<u8>, Option<GpuCode>), Fault> {
        let routines = self.routines(r)?;
        let made = self.linked(r, &routines, None)?;
        let object = made.artefacts.first().ok_or("there is no back end for this machine")?.as_bytes().to_vec();
        let mut code = GpuCode::default();
        for &capability in &r.capabilities {
            let arch = Arch::from_number(capability).ok_or("there is no such compute capability")?;
            let made = self.linked(r, &routines, Some(arch))?;
            code.ptx.push((capability, made.output().ok_or("there is no back end for PTX")?.to_owned()));
        }
        Ok((object, (!code.ptx.is_empty()).then_some(code)))
    }

    /// The functions that a region calls, and those that these call.
    fn routines(&self, r: &Region) -> Result<Vec<&'a Routine>, Fault> {
        let found = self.found;
        let mut out: Vec<&'a Routine> = Vec::new();
        let mut todo: Vec<(&str, &str)> =
            r.source.externals.iter().map(|n| (n.as_str(), r.source.place.as_str())).collect();
        while let Some((name, user)) = todo.pop() {
            if out.iter().any(|r| r.name == name) {
                continue;
            }
            let Some(routine) = found.routines.iter().find(|r| r.name == name) else {
                return Err(Fault::Missing(format!(
                    "{user}: a region calls `{name}`, and no object of this link has its code for devices: put `#pragma acc \
                     routine` before its definition, compile that file with `unspool cc -acc`, and link it"
                )));
            };
            if let Err(why) = &routine.text {
                let why = format!("{}: `{name}` cannot be compiled for devices: {why}", routine.place);
                return Err(Fault::Impossible(why));
            }
            out.push(routine);
            todo.extend(routine.externals.iter().map(|n| (n.as_str(), routine.place.as_str())));
        }
        Ok(out)
    }

    fn linked(&mut self, r: &Region, routines: &[&Routine], target: For) -> Result<Compilation, String> {
        let kernels = self.part(&r.source.text, &r.source.place, target)?;
        let mut parts = vec![kernels];
        for routine in routines {
            let key = (routine.name.clone(), target.map_or(0, Arch::number));
            let there = self.parts.get(&key).cloned();
            let part = match (there, &routine.text) {
                (Some(part), _) => part,
                (None, Ok(text)) => self.part(text, &routine.place, target)?,
                (None, Err(why)) => return Err(why.clone()),
            };
            self.parts.insert(key, part.clone());
            parts.push(part);
        }
        let options = self.options(target);
        let product = if target.is_some() { Product::PTX } else { Product::OBJECT };
        let made = link(&parts.iter().collect::<Vec<_>>(), &options, &Emit::Product(product));
        if made.succeeded() { Ok(made) } else { Err(format!("{}: {}", r.source.place, wrong(&made.session))) }
    }

    fn options(&self, target: For) -> unspool::Options {
        let arithmetic = self.driver.arithmetic();
        target.map_or_else(|| kernel_options(self.driver.backends(), arithmetic), |arch| gpu::options(arch, arithmetic))
    }

    fn part(&self, text: &str, place: &str, target: For) -> Result<Linkable, String> {
        let options = unspool::Options { separate: true, ..self.options(target) };
        let made = compile(&Input::text(place, text), &options, &Emit::Nothing);
        let why = if made.succeeded() { String::new() } else { wrong(&made.session) };
        made.into_linkable(Dialect::C11).ok_or_else(|| format!("{place}: {why}"))
    }
}

/// Whether kernels that other files complete are right as far as they go.
pub(super) fn check(source: &KernelSource, driver: &Driver<'_>) -> Result<(), String> {
    let options = unspool::Options { separate: true, ..kernel_options(driver.backends(), driver.arithmetic()) };
    let made = compile(&Input::text("region.c", source.text.clone()), &options, &Emit::Nothing);
    if made.succeeded() { Ok(()) } else { Err(wrong(&made.session)) }
}

/// The symbol of a kernel's work-group function.
pub(super) fn symbol(e: &Entry) -> String {
    format!("{}.wg{}x1x1", e.name, e.local)
}
