//! What tests of `unspool cc` need of this machine.

pub(crate) mod ran;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the tests need of this machine.
pub(crate) struct Tools {
    /// `unspool-host`.
    pub(crate) unspool: PathBuf,
    library: PathBuf,
}

/// Finds it all; says what is missing.
pub(crate) fn tools() -> Option<Tools> {
    let unspool = option_env!("CARGO_BIN_EXE_unspool-host").map(PathBuf::from).filter(|p| p.is_file());
    let Some(unspool) = unspool else {
        eprintln!("SKIPPED: no unspool-host (it needs LLVM 19)");
        return None;
    };
    let Some(library) = newest(&unspool, "libunspool_acc", ".a") else {
        eprintln!("SKIPPED: no libunspool_acc.a");
        return None;
    };
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no C compiler (`cc`)");
        return None;
    }
    Some(Tools { unspool, library })
}

/// The newest library of a crate that is a development dependency of this one.
fn newest(unspool: &Path, start: &str, end: &str) -> Option<PathBuf> {
    let deps = unspool.parent()?.join("deps");
    let is_library = |p: &PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(start) && name.ends_with(end)
    };
    let all = std::fs::read_dir(deps).ok()?.flatten().map(|e| e.path()).filter(is_library);
    all.max_by_key(|p| p.metadata().and_then(|m| m.modified()).ok())
}

impl Tools {
    /// The stand-in for CUDA's driver.
    #[allow(dead_code, reason = "not every test needs one")]
    pub(crate) fn driver(&self) -> Option<PathBuf> {
        newest(&self.unspool, "libunspool_cuda", ".so")
    }

    /// Links as the host's compiler does by itself.
    #[allow(dead_code, reason = "not every test links")]
    pub(crate) fn host_link(&self, words: &[&str], folder: &Path) -> Output {
        let mut c = Command::new("cc");
        c.args(words).arg(&self.library).args(["-lpthread", "-ldl", "-lm"]).current_dir(folder);
        c.output().expect("cc starts")
    }

    /// Runs `unspool cc`.
    pub(crate) fn cc(&self, words: &[&str], folder: &Path) -> Output {
        let mut c = Command::new(&self.unspool);
        // The host's compiler quotes as the locale has it.
        c.env("LC_ALL", "C");
        c.arg("cc").args(words).current_dir(folder).env("UNSPOOL_ACC_LIB", &self.library);
        c.output().expect("unspool-host starts")
    }

    /// Runs `unspool` itself.
    #[allow(dead_code, reason = "not every test asks another command")]
    pub(crate) fn unspool(&self, words: &[&str], folder: &Path) -> Output {
        Command::new(&self.unspool).args(words).current_dir(folder).output().expect("unspool-host starts")
    }

    /// Runs `unspool cc` with a file on standard input.
    #[allow(dead_code, reason = "not every test gives one")]
    pub(crate) fn cc_given(&self, words: &[&str], folder: &Path, input: File) -> Output {
        let mut c = Command::new(&self.unspool);
        // The host's compiler quotes as the locale has it.
        c.env("LC_ALL", "C");
        c.arg("cc").args(words).current_dir(folder).env("UNSPOOL_ACC_LIB", &self.library);
        c.stdin(input).output().expect("unspool-host starts")
    }
}

/// The programs that are compiled.
#[allow(dead_code, reason = "not every test compiles them")]
pub(crate) fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/directives")
}

/// What a program said.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
