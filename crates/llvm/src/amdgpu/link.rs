//! Linking: code objects are shared libraries, and loaders want them so.
//!
//! An object of one module needs little of a linker, which is done here. What else there may be in one, sections of other
//! kinds or symbols that it does not define, is left to LLVM's linker.

mod object;
mod shared;

use crate::LlvmError;
use std::path::Path;
use std::process::{Command, Stdio};

/// What came of linking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Linked {
    /// A code object that loaders take.
    CodeObject(Vec<u8>),
    /// There is no linker on this machine: the object stays relocatable.
    NoLinker,
}

/// Names of LLVM's linker for ELF, the version of the code generator first.
const LINKERS: [&str; 2] = ["ld.lld-19", "ld.lld"];

/// Links one relocatable object. `scratch` is a directory that is the caller's, in which two files are
/// written where LLVM's linker has to do it.
///
/// # Errors
/// The linker fails.
pub fn link(object: &[u8], scratch: &Path) -> Result<Linked, LlvmError> {
    if let Some(linked) = shared::link(object) {
        return Ok(Linked::CodeObject(linked));
    }
    link_with_lld(object, scratch)
}

/// Links one relocatable object with LLVM's linker.
///
/// # Errors
/// The linker fails.
pub fn link_with_lld(object: &[u8], scratch: &Path) -> Result<Linked, LlvmError> {
    let (from, to) = (scratch.join("in.o"), scratch.join("out.so"));
    let fail = |message: String| LlvmError::Target { machine: "ld.lld".to_owned(), message };
    std::fs::write(&from, object).map_err(|e| fail(format!("{}: {e}", from.display())))?;
    for linker in LINKERS {
        let mut command = Command::new(linker);
        command.args(["-shared", "--no-undefined", "-o"]).arg(&to).arg(&from);
        let ran = command.stdin(Stdio::null()).output();
        match ran {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            Err(e) => return Err(fail(e.to_string())),
            Ok(out) if !out.status.success() => {
                return Err(fail(String::from_utf8_lossy(&out.stderr).trim().to_owned()));
            }
            Ok(_) => {
                let bytes = std::fs::read(&to).map_err(|e| fail(format!("{}: {e}", to.display())))?;
                return Ok(Linked::CodeObject(bytes));
            }
        }
    }
    Ok(Linked::NoLinker)
}
