//! Entries on disk, by key: many processes share a folder, none of them waits for another.
//!
//! An entry is a file that is written elsewhere and then renamed, so that it is there as a whole or not at all. It
//! begins with its key and the hash of its contents; what does not fit is removed, and nobody sees it. Files are the
//! user's alone: a folder that others own or may write to is not used.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use unspool::object::Hash;

const MAGIC: [u8; 8] = *b"unspool1";
const HEADER: usize = 8 + 32 + 32;

/// Entries that were read more recently than this are not marked as read again.
const FRESH: Duration = Duration::from_secs(60);

/// Temporary files that are older than this were left by processes that ended.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The prefix of temporary files.
const TEMPORARY: &str = ".new-";

/// When the folder is swept, entries go until this share of the limit is left, in percent.
const KEEP: u64 = 80;

/// How many sweeps there are, on average, while as many bytes are written as the limit has.
const SWEEPS: u64 = 16;

/// A folder with entries.
#[derive(Debug)]
pub(crate) struct Store {
    root: PathBuf,
    /// Most bytes of all entries; a little more may be there between sweeps.
    limit: u64,
}

impl Store {
    /// The folder `root`, which need not be there; `None` if it is not to be trusted.
    pub(crate) fn open(root: PathBuf, limit: u64) -> Option<Self> {
        let this = Self { root, limit };
        match fs::metadata(&this.root) {
            Ok(_) => this.is_ours().then_some(this),
            Err(e) => (e.kind() == io::ErrorKind::NotFound).then_some(this),
        }
    }

    /// Whether the folder is the user's, and only the user may write to it.
    fn is_ours(&self) -> bool {
        let Ok(data) = fs::metadata(&self.root) else { return false };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            // SAFETY: asks who the user is.
            let user = unsafe { libc::geteuid() };
            if data.uid() != user || data.mode() & 0o022 != 0 {
                return false;
            }
        }
        data.is_dir()
    }

    /// Where an entry stands: few files in each folder.
    fn path(&self, key: &Hash) -> PathBuf {
        let name = blake3::Hash::from_bytes(*key).to_hex();
        self.root.join(&name[..2]).join(&name[2..])
    }

    /// The contents of an entry, if it is there and whole.
    pub(crate) fn get(&self, key: &Hash) -> Option<Vec<u8>> {
        let path = self.path(key);
        let mut file = File::open(&path).ok()?;
        let data = file.metadata().ok()?;
        let mut bytes = Vec::with_capacity(usize::try_from(data.len()).ok()?.min(1 << 28));
        file.read_to_end(&mut bytes).ok()?;
        if !is_whole(key, &bytes) {
            // Another process may have replaced it meanwhile; then that one is made again.
            let _ = fs::remove_file(&path);
            return None;
        }
        // The time of the last change is that of the last use: access times are not kept everywhere.
        let now = SystemTime::now();
        if data.modified().is_ok_and(|t| now.duration_since(t).is_ok_and(|age| age > FRESH)) {
            let _ = file.set_modified(now);
        }
        bytes.drain(..HEADER);
        Some(bytes)
    }

    /// Removes an entry whose contents are of no use.
    pub(crate) fn remove(&self, key: &Hash) {
        let _ = fs::remove_file(self.path(key));
    }

    /// Stores an entry; what stands in the way of that does not matter to anybody.
    pub(crate) fn put(&self, key: &Hash, contents: &[u8]) {
        // One entry must not push all others out.
        if contents.len() as u64 > self.limit / 4 {
            return;
        }
        if self.write(key, contents).is_ok() && self.is_drawn(key, contents.len() as u64) {
            self.sweep();
        }
    }

    fn write(&self, key: &Hash, contents: &[u8]) -> io::Result<()> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(&self.root);
        let mut temporary = match new_file(folder) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                make_folder(folder)?;
                if !self.is_ours() {
                    return Err(io::ErrorKind::PermissionDenied.into());
                }
                new_file(folder)?
            }
            Err(e) => return Err(e),
        };
        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        header.extend(key);
        header.extend(blake3::hash(contents).as_bytes());
        temporary.write_all(&header)?;
        temporary.write_all(contents)?;
        temporary.persist(&path)?;
        Ok(())
    }

    /// Whether this write sweeps the folder. Looking through it at each would be slow, and nobody counts what all
    /// processes write: so writes draw lots, with chances as large as their share of the limit. Keys are random.
    fn is_drawn(&self, key: &Hash, bytes: u64) -> bool {
        let lot = u64::from_le_bytes([key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7]]);
        let chance = u128::from(bytes + HEADER as u64) * u128::from(SWEEPS);
        u128::from(lot) * u128::from(self.limit.max(1)) < chance << 64
    }

    /// Removes what was not used for longest until the rest is below the limit.
    fn sweep(&self) {
        let now = SystemTime::now();
        let mut all: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
        for folder in entries(&self.root) {
            for path in entries(&folder) {
                let Ok(data) = fs::symlink_metadata(&path) else { continue };
                let modified = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                let name = path.file_name().map_or_else(Default::default, |n| n.to_string_lossy().into_owned());
                if name.starts_with(TEMPORARY) {
                    if now.duration_since(modified).is_ok_and(|age| age > ABANDONED) {
                        let _ = fs::remove_file(&path);
                    }
                } else if data.is_file() {
                    all.push((modified, path, data.len()));
                }
            }
        }
        let mut total: u64 = all.iter().map(|e| e.2).sum();
        if total <= self.limit {
            return;
        }
        all.sort();
        for (_, path, bytes) in all {
            if total <= self.limit / 100 * KEEP {
                return;
            }
            // Where another process was faster, it is gone all the same.
            let _ = fs::remove_file(path);
            total -= bytes;
        }
    }
}

/// Whether a file is the entry of this key, unchanged.
fn is_whole(key: &Hash, bytes: &[u8]) -> bool {
    let Some((header, contents)) = bytes.split_at_checked(HEADER) else { return false };
    header[..8] == MAGIC && header[8..40] == *key && header[40..] == *blake3::hash(contents).as_bytes()
}

/// A file that only the user may read, under a name that no entry has.
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder)
}

/// Makes a folder, and those above it, for the user alone.
fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// What stands in a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).map_or_else(|_| Vec::new(), |all| all.flatten().map(|e| e.path()).collect())
}

#[cfg(test)]
mod tests;
