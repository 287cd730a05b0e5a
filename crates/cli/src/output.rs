//! Writing outputs: complete or not at all.

use std::io::Write;
use std::path::Path;

/// Writes `text` to `path`, or to standard output for `-`. A file appears under its name only when it is complete.
///
/// # Errors
/// What the system says, in words.
pub(crate) fn write(path: &str, text: &str) -> Result<(), String> {
    if path == "-" {
        let mut out = std::io::stdout().lock();
        return match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            // The reader has seen enough.
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            r => r.map_err(|e| format!("cannot write to standard output: {e}")),
        };
    }
    let target = Path::new(path);
    let explain = |e: std::io::Error| format!("cannot write `{path}`: {e}");
    // Devices and pipes are written in place; there is nothing to replace.
    if target.exists() && !target.is_file() {
        if target.is_dir() {
            return Err(format!("cannot write `{path}`: it is a directory"));
        }
        return std::fs::write(target, text).map_err(explain);
    }
    let dir = target.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".unspool-").tempfile_in(dir).map_err(explain)?;
    file.write_all(text.as_bytes()).map_err(explain)?;
    #[cfg(unix)]
    {
        // Temporary files are private; an output has the permissions of any new file.
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(target).map_or(0o644, |m| m.permissions().mode());
        file.as_file().set_permissions(std::fs::Permissions::from_mode(mode)).map_err(explain)?;
    }
    file.persist(target).map(|_| ()).map_err(|e| explain(e.error))
}
