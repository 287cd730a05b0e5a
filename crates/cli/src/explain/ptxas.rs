//! NVIDIA's assembler, where there is one: registers and spills as they really are.
//!
//! `UNSPOOL_PTXAS` names it, else it is sought in `PATH`. Nothing else depends on it.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use unspool::explain::Assembly;
use unspool::{Arch, Artefact};

/// The assembler, for one architecture.
pub(super) struct Ptxas {
    path: PathBuf,
    arch: Arch,
    problem: RefCell<Option<String>>,
    /// The last text, and what was said of it: a source has several kernels.
    last: RefCell<Option<(String, String)>>,
}

impl Ptxas {
    /// Finds it.
    pub(super) fn find(arch: Arch) -> Option<Self> {
        let named = std::env::var_os("UNSPOOL_PTXAS").filter(|v| !v.is_empty()).map(PathBuf::from);
        let in_path = || {
            let dirs = std::env::var_os("PATH")?;
            std::env::split_paths(&dirs).map(|d| d.join("ptxas")).find(|p| p.is_file())
        };
        let path = named.or_else(in_path)?;
        Some(Self { path, arch, problem: RefCell::new(None), last: RefCell::new(None) })
    }

    /// What it last complained about.
    pub(super) fn problem(&self) -> Option<String> {
        self.problem.borrow().clone()
    }

    /// Registers, and bytes stored and loaded for spills, of the kernel with this symbol.
    pub(super) fn usage(&self, made: &Artefact, symbol: &str) -> Option<Assembly> {
        let (registers, spill_stores, spill_loads) = self.figures(made.as_text()?, symbol)?;
        Some(Assembly { by: "ptxas", registers, scalar: None, spill_stores, spill_loads, shared: None, private: None })
    }

    fn figures(&self, ptx: &str, symbol: &str) -> Option<(u32, u32, u32)> {
        if let Some((text, report)) = &*self.last.borrow()
            && text == ptx
        {
            return parse(report, symbol);
        }
        if self.problem.borrow().is_some() {
            return None;
        }
        match self.run(ptx) {
            Ok(report) => {
                let found = parse(&report, symbol);
                *self.last.borrow_mut() = Some((ptx.to_owned(), report));
                found
            }
            Err(e) => {
                *self.problem.borrow_mut() = Some(e);
                None
            }
        }
    }

    fn run(&self, ptx: &str) -> Result<String, String> {
        let failed = |e: std::io::Error| format!("{}: {e}", self.path.display());
        let mut source = tempfile::Builder::new().suffix(".ptx").tempfile().map_err(failed)?;
        source.write_all(ptx.as_bytes()).map_err(failed)?;
        let object = tempfile::Builder::new().suffix(".cubin").tempfile().map_err(failed)?;
        let out = Command::new(&self.path)
            .arg("-v")
            .arg(format!("-arch={}", self.arch.name()))
            .arg("-o")
            .arg(object.path())
            .arg(source.path())
            .stdin(Stdio::null())
            .output()
            .map_err(failed)?;
        let text = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        if out.status.success() {
            return Ok(text);
        }
        Err(text.lines().next().unwrap_or("it failed without a word").to_owned())
    }
}

/// Finds a kernel's figures in what `-v` prints.
fn parse(report: &str, symbol: &str) -> Option<(u32, u32, u32)> {
    let head = format!("entry function '{symbol}'");
    let (mut inside, mut stores, mut loads) = (false, 0, 0);
    for line in report.lines() {
        if line.contains("entry function '") {
            inside = line.contains(&head);
        }
        if !inside {
            continue;
        }
        stores = before(line, " bytes spill stores").unwrap_or(stores);
        loads = before(line, " bytes spill loads").unwrap_or(loads);
        if let Some(registers) = before(line, " registers") {
            return Some((registers, stores, loads));
        }
    }
    None
}

/// The number in front of `unit`.
fn before(line: &str, unit: &str) -> Option<u32> {
    let head = &line[..line.find(unit)?];
    head.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn figures_of_the_right_kernel() {
        let report = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Compiling entry function 'a' for 'sm_90'\n\
            ptxas info    : Function properties for a\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
            ptxas info    : Used 12 registers, used 0 barriers\n\
            ptxas info    : Compiling entry function 'b' for 'sm_90'\n\
            ptxas info    : Function properties for b\n    16 bytes stack frame, 20 bytes spill stores, 24 bytes spill loads\n\
            ptxas info    : Used 255 registers, used 1 barriers\n";
        assert_eq!(parse(report, "a"), Some((12, 0, 0)));
        assert_eq!(parse(report, "b"), Some((255, 20, 24)));
        assert_eq!(parse(report, "c"), None);
    }
}
