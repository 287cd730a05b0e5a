//! The host's preprocessor.
//!
//! It is started before the command becomes `unspool-host` ([`Early`]): that program's start takes as long as a third of the
//! preprocessor's work, and goes on beside it.

use super::compile::{Driver, failed, shown};
use super::dependencies::{self, Asked};
use super::folder::Folder;
use super::options::{Step, Word};
use super::pgi;
use std::cell::Cell;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

/// `_OPENACC`: the date of the version whose C directives, clauses and functions are there; where kernels cannot do what one asks,
/// the host runs the region (docs/directives.md).
pub(super) const OPENACC_DATE: &str = "202506";

/// The file with the program that is given on standard input.
pub(super) const GIVEN: &str = "given.c";
/// Most bytes of a program that is given on standard input.
const MAX_GIVEN: u64 = 1 << 28;

/// The program on standard input.
fn given_source() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MAX_GIVEN + 1).read_to_end(&mut bytes);
    read.map_err(|e| format!("cannot read standard input: {e}"))?;
    if bytes.len() as u64 > MAX_GIVEN {
        return Err(format!("the program on standard input has more than {} MiB", MAX_GIVEN >> 20));
    }
    Ok(bytes)
}

impl Driver<'_> {
    /// Options with which directives survive the preprocessor.
    pub(super) fn preprocessing(&self, c: &mut Command) {
        c.arg("-isystem").arg(self.folder.path());
        if self.options.directives {
            c.args(["-fopenacc", "-U_OPENACC"]).arg(format!("-D_OPENACC={OPENACC_DATE}"));
        }
    }

    /// The command that preprocesses a source, and whether directives are renamed for its sake: it expands macros in those whose
    /// names it knows, which PGI's are not.
    fn preprocessor(&self, path: &str, asked: Option<&Asked>) -> Result<(Command, bool), String> {
        let mut c = self.cc();
        c.arg("-E");
        self.preprocessing(&mut c);
        match asked {
            Some(asked) => c.args(self.flags()).args(&asked.words),
            None => c.args(dependencies::without(self.flags())),
        };
        c.args(["-x", "c"]);
        let given = path == "-";
        let source =
            if given { given_source() } else { std::fs::read(path).map_err(|e| format!("cannot read `{path}`: {e}")) }?;
        let source = String::from_utf8_lossy(&source);
        let renamed = pgi::hidden(&source);
        if renamed.is_some() || given {
            if given {
                self.keep(GIVEN, source.as_bytes())?;
            }
            let text = renamed.as_deref().unwrap_or(&source);
            let quoted = shown(path).replace('\\', "\\\\").replace('"', "\\\"");
            let copy = self.keep("in.c", format!("# 1 \"{quoted}\"\n{text}").as_bytes())?;
            let folder = Path::new(path).parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            c.arg("-iquote").arg(folder).arg(&copy);
        } else {
            c.arg(path);
        }
        c.arg("-o").arg(self.preprocessed());
        Ok((c, renamed.is_some()))
    }

    /// Where the preprocessor puts what it makes.
    fn preprocessed(&self) -> PathBuf {
        self.folder.path().join("in.i")
    }

    /// The source as the host's preprocessor leaves it, with its directives; the exit status if that fails. `compiles`: what it is made
    /// of is told as the options ask.
    pub(super) fn preprocess(&self, path: &str, compiles: bool) -> Result<Result<String, ExitCode>, String> {
        let asked = dependencies::asked(self.flags(), &self.made(path)).filter(|_| compiles);
        let (failure, renamed) = match self.early.take() {
            Some(early) => (early.finish()?, early.renamed),
            None => {
                let (mut c, renamed) = self.preprocessor(path, asked.as_ref())?;
                (failed(&mut c)?, renamed)
            }
        };
        if let Some(code) = failure {
            return Ok(Err(code));
        }
        asked.map_or(Ok(()), |a| dependencies::mend(&a.file, self.folder.path(), path))?;
        let bytes =
            std::fs::read(self.preprocessed()).map_err(|e| format!("cannot read what was preprocessed: {e}"))?;
        let text = String::from_utf8(bytes).map_err(|_| format!("`{path}` is not UTF-8 text"))?;
        Ok(Ok(if renamed { pgi::shown(&text) } else { text }))
    }

    /// Starts to preprocess the first source; the variable that says so to the program that this process becomes. What cannot be
    /// started is left to that one, and its message, too.
    pub(super) fn start_early(&self) -> Option<(&'static str, OsString)> {
        let o = self.options;
        if !cfg!(unix) || o.question || !matches!(o.step, Step::Object | Step::Link) {
            return None;
        }
        let path = match o.words.iter().find(|w| !matches!(w, Word::Other(_)))? {
            Word::Source(path) if path != "-" => path,
            _ => return None,
        };
        let asked = dependencies::asked(self.flags(), &self.made(path));
        let (mut c, renamed) = self.preprocessor(path, asked.as_ref()).ok()?;
        let child = c.spawn().ok()?;
        let mut text = OsString::from(format!("{} {} {} ", std::process::id(), child.id(), u8::from(renamed)));
        text.push(self.folder.path());
        Some((Early::VARIABLE, text))
    }
}

/// A preprocessor that this process has started before it became this program.
pub(super) struct Early {
    child: i32,
    /// Whether directives have other names for its sake.
    renamed: bool,
    is_over: Cell<bool>,
}

impl Early {
    /// Says the process, its child, whether directives are renamed, and the folder.
    const VARIABLE: &'static str = "UNSPOOL_CC_EARLY";

    /// The one of this process, and its folder. Children inherit the variable, and are other processes.
    pub(super) fn of_this_process() -> Option<(Folder, Self)> {
        let text = std::env::var(Self::VARIABLE).ok()?;
        let mut words = text.splitn(4, ' ');
        let mut number = || words.next()?.parse::<i32>().ok();
        let (process, child, renamed) = (number()?, number()?, number()?);
        if u32::try_from(process) != Ok(std::process::id()) || child <= 0 {
            return None;
        }
        let folder = Folder::adopt(PathBuf::from(words.next()?));
        Some((folder, Self { child, renamed: renamed != 0, is_over: Cell::new(false) }))
    }

    /// Waits for its end; its status if that is not success.
    fn finish(&self) -> Result<Option<ExitCode>, String> {
        self.is_over.set(true);
        let status = wait(self.child).map_err(|e| format!("the host's preprocessor was lost: {e}"))?;
        let code = status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1);
        Ok((!status.success()).then(|| ExitCode::from(code)))
    }
}

impl Drop for Early {
    fn drop(&mut self) {
        // It writes into the folder, which goes when it is done.
        if !self.is_over.get() {
            let _ = wait(self.child);
        }
    }
}

/// Waits for a child of this process.
#[cfg(unix)]
fn wait(child: i32) -> std::io::Result<ExitStatus> {
    use std::os::unix::process::ExitStatusExt;
    let mut status = 0;
    loop {
        // SAFETY: `status` is a valid place for the call's result; a number that is no child's gives an error.
        if unsafe { libc::waitpid(child, &raw mut status, 0) } == child {
            return Ok(ExitStatus::from_raw(status));
        }
        let e = std::io::Error::last_os_error();
        if e.kind() != std::io::ErrorKind::Interrupted {
            return Err(e);
        }
    }
}

/// Processes stay what they are elsewhere: nothing was started early.
#[cfg(not(unix))]
fn wait(_: i32) -> std::io::Result<ExitStatus> {
    Err(std::io::ErrorKind::Unsupported.into())
}
