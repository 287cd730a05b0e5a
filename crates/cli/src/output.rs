//! Writing outputs: complete or not at all.

use std::io::Write;
use std::path::Path;

/// Gives a temporary file, which is private, the permissions of the file it will replace, or of any new file.
pub(crate) fn public(file: &std::fs::File, target: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(target).map_or(0o644, |m| m.permissions().mode());
        file.set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (file, target);
    Ok(())
}

/// Why something cannot be written, without the names of files that only exist meanwhile.
pub(crate) fn reason(e: &std::io::Error) -> String {
    match e.kind() {
        std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        _ if e.raw_os_error().is_some() => e.to_string(),
        // What the library adds to it is a temporary name.
        kind => kind.to_string(),
    }
}

/// Writes `contents` to `path`, or to standard output for `-`. A file appears under its name only when it is complete.
///
/// # Errors
/// What the system says, in words.
pub(crate) fn write(path: &str, contents: &[u8]) -> Result<(), String> {
    if path == "-" {
        let mut out = std::io::stdout().lock();
        return match out.write_all(contents).and_then(|()| out.flush()) {
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
        return std::fs::write(target, contents).map_err(explain);
    }
    let dir = target.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = |e: std::io::Error| format!("cannot write `{path}`: {}", reason(&e));
    let mut file = tempfile::Builder::new().prefix(".unspool-").tempfile_in(dir).map_err(temporary)?;
    file.write_all(contents).map_err(explain)?;
    public(file.as_file(), target).map_err(explain)?;
    file.persist(target).map(|_| ()).map_err(|e| temporary(e.error))
}
