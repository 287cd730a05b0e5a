//! What must hold across the repository, kept by the tests of this crate:
//!
//! * `tests/layering.rs`: a crate imports only what the table of `docs/architecture.md` says, from above its own row.
//! * `tests/documentation.rs`: every diagnostic code is listed in `docs/diagnostics.md`, and links between pages lead
//!   somewhere.
//! * `tests/sizes.rs`: no file over 700 lines and no function over 100, but tables.

use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_path_buf()
}
