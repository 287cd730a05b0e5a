//! The host's compiler as it works beside us: what it says is held back until it is known that its work is wanted.

use std::io::{IsTerminal, Write};
use std::process::{Child, Command, ExitCode, Stdio};

/// A process of the host's compiler; it ends with this value.
pub(super) struct Host(Option<Child>);

impl Host {
    pub(super) fn start(c: &mut Command) -> Result<Self, String> {
        let asked = |a: &std::ffi::OsStr| a.to_str().is_some_and(|a| a.contains("diagnostics-color"));
        if std::io::stderr().is_terminal() && !c.get_args().any(asked) {
            c.arg("-fdiagnostics-color=always");
        }
        let program = c.get_program().to_owned();
        let child = c.stderr(Stdio::piped()).spawn();
        child.map(|c| Self(Some(c))).map_err(|e| format!("cannot run the host's compiler `{}`: {e}", program.display()))
    }

    /// Waits for its end, and says what it said; its status if that is not success.
    pub(super) fn finish(mut self) -> Result<Option<ExitCode>, String> {
        let Some(child) = self.0.take() else { return Ok(None) };
        let said = child.wait_with_output().map_err(|e| format!("the host's compiler was lost: {e}"))?;
        std::io::stderr().write_all(&said.stderr).map_err(|e| format!("cannot write: {e}"))?;
        let code = said.status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1);
        Ok((!said.status.success()).then(|| ExitCode::from(code)))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
