//! What is known of a kernel that was made ready.

use std::time::Duration;

/// What is known of a kernel that is ready for launches.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// Work-items that share a vector.
    pub lanes: u32,
    /// Why there are not more of them, in words.
    pub reason: Option<String>,
    /// Work-group memory that it declares, in bytes.
    pub shared_bytes: u64,
    /// How long each stage of making it took.
    pub stages: Vec<(&'static str, Duration)>,
    /// Whether its machine code was in the cache; `None` if nobody looked.
    pub cached: Option<bool>,
}
