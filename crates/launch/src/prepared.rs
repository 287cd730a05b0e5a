//! What is known of a kernel that was made ready.

use std::time::Duration;

/// What is known of a kernel that is ready for launches.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// Whether its code is for any local size, not for one.
    pub any_size: bool,
    /// Work-items that share a vector.
    pub lanes: u32,
    /// Why there are not more of them, in words.
    pub reason: Option<String>,
    /// Work-group memory that it declares, in bytes.
    pub shared_bytes: u64,
    /// What a group keeps beside that while it runs, in bytes: values that live across barriers, private arrays.
    pub scratch_bytes: u64,
    /// How long each stage of making it took.
    pub stages: Vec<(&'static str, Duration)>,
    /// Whether its machine code was in the cache; `None` if nobody looked.
    pub cached: Option<bool>,
}

impl Prepared {
    /// How it runs on processors: what becomes of work-items, and what a group keeps beside the caches of a core, a line each.
    pub fn explain(&self) -> Vec<String> {
        let mut lines = vec![self.vectors()];
        let all = self.shared_bytes.saturating_add(self.scratch_bytes);
        if all > 0 {
            let kept = format!(
                "a group keeps {} bytes of work-group memory and {} bytes of values that live across barriers",
                self.shared_bytes, self.scratch_bytes
            );
            let cache = level1_data_cache();
            lines.push(match cache {
                Some(c) if all > c => format!("{kept}: more than a core's level 1 data cache ({} KiB)", c >> 10),
                Some(c) => format!("{kept}, which fit a core's level 1 data cache ({} KiB)", c >> 10),
                None => kept,
            });
        }
        lines
    }

    /// What becomes of work-items, in words.
    pub fn vectors(&self) -> String {
        let how = if self.lanes > 1 {
            format!("{} work-items share a vector", self.lanes)
        } else {
            "work-items run one after another".to_owned()
        };
        let code = if self.any_size { ", in code for any local size" } else { "" };
        let why = self.reason.as_ref().map_or(String::new(), |r| format!(": {r}"));
        format!("{how}{code}{why}")
    }
}

/// Bytes of a core's level 1 data cache, where Linux says it.
fn level1_data_cache() -> Option<u64> {
    let read = |n: u32, name: &str| {
        std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{n}/{name}")).ok()
    };
    let is_it = |n: &u32| {
        read(*n, "level").is_some_and(|l| l.trim() == "1") && read(*n, "type").is_some_and(|t| t.trim() == "Data")
    };
    let size = read((0..8).find(is_it)?, "size")?;
    Some(size.trim().strip_suffix('K')?.parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_group_keeps_is_compared_with_the_cache() {
        let small = Prepared { lanes: 8, shared_bytes: 64, ..Prepared::default() };
        let words = small.explain();
        assert_eq!(words[0], "8 work-items share a vector");
        assert!(words[1].starts_with("a group keeps 64 bytes of work-group memory and 0 bytes"), "{words:?}");
        let reason = Some("the local size is 1 in x".to_owned());
        let large = Prepared { lanes: 1, reason, scratch_bytes: 1 << 40, ..Prepared::default() };
        let words = large.explain();
        assert_eq!(words[0], "work-items run one after another: the local size is 1 in x");
        assert_eq!(words[1].contains("more than a core's"), level1_data_cache().is_some(), "{words:?}");
        assert_eq!(Prepared::default().explain().len(), 1);
        let any = Prepared { any_size: true, lanes: 4, ..Prepared::default() };
        assert_eq!(any.vectors(), "4 work-items share a vector, in code for any local size");
    }
}
