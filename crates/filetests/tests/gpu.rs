//! PTX computes on a GPU what its source says: the kernels of [`filetests::corpus`], compiled to PTX, loaded by CUDA's driver
//! and executed, where there is one (`UNSPOOL_CUDA_DRIVER` names another library than `libcuda.so.1`). Not those that trap: a
//! fault ends the process's context. One trial a file, level and way of constants.

use filetests::corpus::{self, File, Kernel, SENTINEL, Variant};
use filetests::gpu::{Argument, Gpu, Grid};
use libtest_mimic::{Arguments, Failed, Trial};
use std::io::Write;
use std::sync::{Arc, OnceLock};
use unspool::OptLevel;

fn main() {
    let trials = corpus::files().into_iter().flat_map(trials_of).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Whether a GPU is there that can run the tests.
fn gpu() -> Option<&'static Gpu> {
    static GPU: OnceLock<Result<Gpu, String>> = OnceLock::new();
    GPU.get_or_init(Gpu::open).as_ref().ok()
}

fn trials_of(file: Arc<File>) -> impl Iterator<Item = Trial> {
    [OptLevel::O0, OptLevel::O3].into_iter().map(move |level| {
        let file = Arc::clone(&file);
        Trial::test(format!("{} {level:?}", file.name), move || all_kernels(&file, level).map_err(Failed::from))
    })
}

fn all_kernels(file: &File, level: OptLevel) -> Result<(), String> {
    let Some(gpu) = gpu() else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {}: no GPU", file.name);
        return Ok(());
    };
    let mut wrong = String::new();
    for known in [false, true] {
        let variant = Variant { target: None, level, known };
        let there = gpu.capability()?;
        if file.options_for(variant).target.ptx_arch().is_none_or(|a| a.number() > there) {
            let _ = writeln!(std::io::stderr(), "SKIPPED: {}: the GPU is sm_{there}", file.name);
            return Ok(());
        }
        let loaded = gpu.load(&file.to_ptx(variant)?)?;
        for kernel in file.asked().filter(|k| k.trap.is_none()) {
            if let Err(e) = run(gpu, &loaded, file, kernel) {
                wrong.push_str(&format!("`{}`, constants known: {known}:\n{e}", kernel.name));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

fn run(gpu: &Gpu, loaded: &filetests::gpu::Loaded<'_>, file: &File, kernel: &Kernel) -> Result<(), String> {
    let config = &kernel.config;
    let out = gpu.buffer(&vec![SENTINEL; kernel.result_bytes()])?;
    let args = [out.argument(), Argument::Word(0), Argument::Word(kernel.expected.len() as u32)];
    let grid = Grid { groups: config.grid, local: config.block, shared: config.dynamic_shared };
    // SAFETY: the kernels of the corpus store as many results as they say, which the interpreter has seen.
    unsafe { loaded.launch(&kernel.name, &grid, &args) }.map_err(|e| format!("  {e}\n"))?;
    let differences = file.compare(kernel, &out.read()?, |_| false);
    if differences.is_empty() { Ok(()) } else { Err(differences) }
}
