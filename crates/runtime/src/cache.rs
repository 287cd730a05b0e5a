//! What was compiled before, on disk: programs by their source and options, machine code by its program, local size and
//! processor.

use crate::store::Store;
use etcetera::{BaseStrategy, choose_base_strategy};
use std::path::PathBuf;
use std::sync::Arc;
use unspool::object::Hash;

/// The folder, instead of `unspool` in the user's folder of caches.
const DIR_VARIABLE: &str = "UNSPOOL_CACHE_DIR";
/// `0` switches the cache off.
const SWITCH_VARIABLE: &str = "UNSPOOL_CACHE";
/// Most bytes on disk; `K`, `M` and `G` behind the number are powers of 1024.
const SIZE_VARIABLE: &str = "UNSPOOL_CACHE_SIZE";

/// Most bytes on disk if nobody says.
const DEFAULT_SIZE: u64 = 256 << 20;

/// What was compiled before, on disk. Copies share it; so do processes.
///
/// Nothing that goes wrong there is an error: what cannot be read is compiled, what cannot be written is not stored.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    store: Option<Arc<Store>>,
}

impl Cache {
    /// No cache.
    pub fn off() -> Self {
        Self { store: None }
    }

    /// A cache in this folder, of so many bytes. The folder need not exist; one that another user owns or may write to
    /// is not used.
    pub fn at(folder: impl Into<PathBuf>, bytes: u64) -> Self {
        Self { store: Store::open(folder.into(), bytes).map(Arc::new) }
    }

    /// The user's cache: what `UNSPOOL_CACHE`, `UNSPOOL_CACHE_DIR` and `UNSPOOL_CACHE_SIZE` say, else 256 MiB in the
    /// folder `unspool` where the system keeps caches of users (`$XDG_CACHE_HOME`, `~/.cache`).
    pub fn of_user() -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        if variable(SWITCH_VARIABLE).is_some_and(|v| v == "0" || v == "off") {
            return Self::off();
        }
        let bytes = variable(SIZE_VARIABLE).and_then(|v| size(v.to_str()?)).unwrap_or(DEFAULT_SIZE);
        let folder = variable(DIR_VARIABLE).map(PathBuf::from);
        let folder = folder.or_else(|| Some(choose_base_strategy().ok()?.cache_dir().join("unspool")));
        match folder {
            Some(folder) if bytes > 0 => Self::at(folder, bytes),
            _ => Self::off(),
        }
    }

    /// Whether there is a folder to look in.
    pub fn is_on(&self) -> bool {
        self.store.is_some()
    }

    /// What was stored under a key, as `read` understands it; what it does not understand is removed.
    pub(crate) fn get<T>(&self, key: &Hash, read: impl FnOnce(Vec<u8>) -> Option<T>) -> Option<T> {
        let store = self.store.as_ref()?;
        let value = read(store.get(key)?);
        if value.is_none() {
            store.remove(key);
        }
        value
    }

    /// Stores something, if there is a place for it.
    pub(crate) fn put(&self, key: &Hash, contents: &[u8]) {
        if let Some(store) = &self.store {
            store.put(key, contents);
        }
    }
}

/// A number of bytes: `268435456`, `256M`.
fn size(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes() {
        assert_eq!(
            [size("12"), size("3K"), size(" 256M "), size("1GiB")],
            [Some(12), Some(3072), Some(256 << 20), Some(1 << 30)]
        );
        assert_eq!([size(""), size("M"), size("-1"), size("1T"), size("99999999999G")], [None; 5]);
    }
}
