//! The version of CUDA that macros tell: that of the toolkit whose headers the program is compiled with.
//!
//! nvcc comes with its headers, and programs and NVIDIA's libraries ask its version for what those declare. Here headers of
//! any toolkit may be on the include path (`-I /usr/local/cuda-12.6/include`): its `cuda.h` says which it is. That is read
//! once somebody asks.

use super::FileLoader;
use std::path::Path;

/// The version where no toolkit's headers are: of CUDA 13.0, as `CUDA_VERSION` has it.
pub(super) const DEFAULT: u32 = 13_000;

/// How many of the lines of `cuda.h` are looked at: CUDA 13.5 says its version in line 273.
const MAX_LINES: usize = 2_000;

/// The version of the first of these directories that is a toolkit's, 12060 for CUDA 12.6.
pub(super) fn version<'a>(loader: &dyn FileLoader, mut dirs: impl Iterator<Item = &'a Path>) -> Option<u32> {
    dirs.find_map(|d| stated_by(&loader.load(&d.join("cuda.h"))?.ok()?))
}

fn stated_by(header: &[u8]) -> Option<u32> {
    let mut lines = header.split(|&b| b == b'\n').take(MAX_LINES);
    let stated = lines.find_map(|l| l.strip_prefix(b"#define CUDA_VERSION "))?;
    let version = std::str::from_utf8(stated).ok()?.trim().parse().ok()?;
    (1_000..100_000).contains(&version).then_some(version)
}
