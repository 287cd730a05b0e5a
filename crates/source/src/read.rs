//! Reading source files: bounded, whatever the name leads to.

use crate::span::{SourceError, SourceMap};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes that are read at a time.
const STEP: usize = 1 << 16;

/// The bytes of a source file: at most [`SourceMap::MAX_FILE`], and where it is no regular file, none behind the first NUL,
/// which no source has. Devices such as `/dev/zero` have no end. Pipes are read where `pipes` says so: an `#include` of one
/// may wait for ever.
///
/// # Errors
/// [`SourceError::Io`], [`SourceError::IsDirectory`], [`SourceError::TooLarge`], [`SourceError::Binary`].
pub fn read_source(path: &Path, pipes: bool) -> Result<Vec<u8>, SourceError> {
    let name = || path.display().to_string();
    let failed = |e: std::io::Error| SourceError::Io(name(), reason(&e));
    // Asked before it is opened, which waits where it is a pipe that nobody writes to.
    let meta = std::fs::metadata(path).map_err(failed)?;
    if meta.is_dir() {
        return Err(SourceError::IsDirectory(name()));
    }
    if !meta.is_file() && !pipes && is_pipe(&meta) {
        return Err(SourceError::Io(name(), "it is no file".to_owned()));
    }
    if meta.len() > SourceMap::MAX_FILE as u64 {
        return Err(SourceError::TooLarge(name()));
    }
    let mut file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::with_capacity(meta.len() as usize);
    let mut part = vec![0; STEP];
    loop {
        match file.read(&mut part) {
            Ok(0) => return Ok(bytes),
            Ok(n) => bytes.extend_from_slice(&part[..n]),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(failed(e)),
        }
        if bytes.len() > SourceMap::MAX_FILE {
            return Err(SourceError::TooLarge(name()));
        }
        if !meta.is_file() && bytes.contains(&0) {
            return Err(SourceError::Binary(name()));
        }
    }
}

#[cfg(unix)]
fn is_pipe(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    meta.file_type().is_fifo() || meta.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}

/// Why something could not be read, as messages have it.
fn reason(e: &std::io::Error) -> String {
    match e.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => e.to_string(),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn files_without_an_end_are_not_read_to_it() {
        let read = |name: &str| read_source(Path::new(name), true);
        assert_eq!(read("/dev/null"), Ok(Vec::new()));
        assert_eq!(read("/dev/zero"), Err(SourceError::Binary("/dev/zero".to_owned())));
        assert!(matches!(read("/dev/urandom"), Err(SourceError::Binary(_))));
        assert!(matches!(read("/dev"), Err(SourceError::IsDirectory(_))));
        assert!(matches!(read("/dev/no-such-device"), Err(SourceError::Io(..))));
        // The system says that it has no bytes.
        assert!(read("/proc/self/status").is_ok_and(|bytes| bytes.starts_with(b"Name:")));
    }

    #[test]
    fn an_include_does_not_wait_for_a_pipe() {
        let path = std::env::temp_dir().join(format!("unspool-pipe-{}", std::process::id()));
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if made.is_ok_and(|s| s.success()) {
            assert!(matches!(read_source(&path, false), Err(SourceError::Io(_, why)) if why == "it is no file"));
            std::fs::remove_file(&path).ok();
        }
    }
}
