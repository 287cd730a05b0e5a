//! The folder of a run's temporary files. It goes with the run: at its end, when a signal stops it ([`super::stopped`]), and, where
//! nothing of the run was left to do that (`SIGKILL`, no memory), with the next run.
//!
//! A run holds a lock on its folder; the system lets go of it when the process ends, however it ends.

use std::fs::{File, read_dir, remove_dir_all};
use std::path::{Path, PathBuf};
use std::time::Duration;

const PREFIX: &str = "unspool-cc-";
/// A folder younger than this may not have its lock yet.
const SETTLED: Duration = Duration::from_secs(60);
/// Most folders that one run removes.
const MAX_REMOVED: usize = 64;

/// The folder.
pub(super) struct Folder {
    path: PathBuf,
    _lock: Option<File>,
}

impl Folder {
    /// Makes one, and removes those of runs that are dead.
    pub(super) fn new() -> Result<Self, String> {
        remove_stale(&std::env::temp_dir());
        super::stopped::hold();
        match tempfile::Builder::new().prefix(PREFIX).tempdir() {
            Ok(folder) => Ok(Self::adopt(folder.keep())),
            Err(e) => {
                super::stopped::let_go();
                Err(format!("cannot make a folder for temporary files: {e}"))
            }
        }
    }

    /// A run's folder that this process has made when it was another program.
    pub(super) fn adopt(path: PathBuf) -> Self {
        super::stopped::remove(&path);
        // Where folders have no locks, they stay.
        let lock = File::open(&path).ok().filter(|f| f.try_lock().is_ok());
        Self { path, _lock: lock }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now goes with a later run.
        let _ = remove_dir_all(&self.path);
    }
}

fn remove_stale(parent: &Path) {
    let Ok(entries) = read_dir(parent) else { return };
    let ours = entries.flatten().filter(|e| e.file_name().to_str().is_some_and(|n| n.starts_with(PREFIX)));
    for entry in ours.take(MAX_REMOVED) {
        let is_settled = entry
            .metadata()
            .is_ok_and(|m| m.is_dir() && m.modified().is_ok_and(|t| t.elapsed().is_ok_and(|age| age > SETTLED)));
        // Another user's folder cannot be removed, and is not.
        let is_dead = || File::open(entry.path()).is_ok_and(|f| f.try_lock().is_ok());
        if is_settled && is_dead() {
            let _ = remove_dir_all(entry.path());
        }
    }
}
