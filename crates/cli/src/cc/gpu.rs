//! Kernels of regions for NVIDIA GPUs: PTX, and what it needs of them.

use super::arithmetic::Arithmetic;
use super::compile::{items, wrong};
use super::options::Options;
use acc::{Entry, GpuCode, KernelSource};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use unspool::{Arch, Compilation, Dialect, Emit, Input, Product, compile_with_log as compile};

/// What code is made for, and where it is kept.
pub(super) struct Gpus<'a> {
    options: &'a Options,
    /// What the names of files that are kept begin with.
    kept: PathBuf,
    /// Regions so far.
    count: Cell<u32>,
    arithmetic: Arithmetic,
}

impl<'a> Gpus<'a> {
    pub(super) fn new(options: &'a Options, source: &str, arithmetic: Arithmetic) -> Self {
        let kept = Path::new(source).file_stem().map_or_else(|| PathBuf::from("a"), PathBuf::from);
        Self { options, kept, count: Cell::new(0), arithmetic }
    }

    /// Code for the GPUs that the command line names; `None` if it names none.
    pub(super) fn code(&self, source: &KernelSource) -> Option<Result<GpuCode, String>> {
        if self.options.capabilities.is_empty() {
            return None;
        }
        self.count.set(self.count.get() + 1);
        Some(self.all(source))
    }

    fn all(&self, source: &KernelSource) -> Result<GpuCode, String> {
        let mut out = GpuCode::default();
        for &capability in &self.options.capabilities {
            let arch = Arch::from_number(capability).ok_or("there is no such compute capability")?;
            let made = ptx(source, arch, self.arithmetic)?;
            let text = made.output().ok_or("there is no back end for it")?.to_owned();
            if self.options.keep {
                self.keep(capability, &text)?;
            }
            if out.needs.is_empty() {
                out.needs = source.entries.iter().map(|e| needs(&made, e, arch)).collect();
            }
            out.ptx.push((capability, text));
        }
        Ok(out)
    }

    /// `prog.001.cc75.ptx`
    fn keep(&self, capability: u32, text: &str) -> Result<(), String> {
        let name = format!("{}.{:03}.cc{capability}.ptx", self.kept.display(), self.count.get());
        std::fs::write(&name, text).map_err(|e| format!("cannot write `{name}`: {e}"))
    }
}

/// Options for kernels on a GPU.
pub(super) fn options(arch: Arch, arithmetic: Arithmetic) -> unspool::Options {
    let mut options = unspool::Options::new(Dialect::C11);
    options.set_arch(arch);
    options.no_warnings = true;
    options.explain = true;
    arithmetic.ask(&mut options);
    arithmetic.gpu.ask(&mut options);
    options.defines.extend(items([0, 0, 0]));
    options
}

fn ptx(source: &KernelSource, arch: Arch, arithmetic: Arithmetic) -> Result<Compilation, String> {
    let options = options(arch, arithmetic);
    let made = compile(&Input::text("region.c", source.text.clone()), &options, &Emit::Product(Product::PTX));
    if made.succeeded() { Ok(made) } else { Err(wrong(&made.session)) }
}

/// What a kernel needs, in the words of PGI's compilers. Registers are an estimate: the driver's assembler has the last word.
fn needs(made: &Compilation, entry: &Entry, arch: Arch) -> String {
    let all = made.explanation.iter().flat_map(|e| &e.kernels);
    let Some(k) = all.into_iter().find(|k| k.symbol == entry.name).filter(|_| entry.wide) else {
        return String::new();
    };
    let (major, minor) = (arch.number() / 10, arch.number() % 10);
    let percent = 100 * k.occupancy.warps / k.occupancy.max_warps.max(1);
    format!(
        "CC {major}.{minor} : about {} registers; {} shared, {} local memory bytes; {percent}% occupancy",
        k.registers, k.shared, k.private
    )
}
