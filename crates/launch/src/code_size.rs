//! For which local sizes machine code is, and how much memory its groups take.

use crate::context::MEMORY_ALIGN;
use std::fmt;

/// The local sizes for which a work-group function is made: in each dimension one number, or any, which it then reads from
/// [`GroupContext::local_size`](crate::context::GroupContext::local_size).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CodeSize(pub [Option<u32>; 3]);

impl CodeSize {
    /// Code for this size only.
    pub fn exact(local: [u32; 3]) -> Self {
        Self(local.map(Some))
    }

    /// Code for all sizes that are 1 where this one is 1 behind its last dimension: a row, a rectangle, a block; of at least
    /// so many dimensions. A row has any number of work-items, also one.
    pub fn any_like(local: [u32; 3], dimensions: usize) -> Self {
        let rank = local.iter().rposition(|&n| n != 1).map_or(1, |d| d + 1).max(dimensions);
        Self(std::array::from_fn(|d| (d >= rank).then_some(1)))
    }

    /// Whether it is for one size only.
    pub fn is_exact(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }

    /// Whether code for it runs groups of this size.
    pub fn fits(&self, local: [u32; 3]) -> bool {
        self.0.iter().zip(local).all(|(known, n)| known.is_none_or(|k| k == n))
    }

    /// Work-items of a group, if it is for one size only.
    pub fn items(&self) -> Option<u64> {
        self.0.iter().try_fold(1u64, |n, k| n.checked_mul((*k)?.into()))
    }
}

impl From<[u32; 3]> for CodeSize {
    fn from(local: [u32; 3]) -> Self {
        Self::exact(local)
    }
}

impl fmt::Display for CodeSize {
    /// As in `64x4x1`, with `N` for any number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (d, known) in self.0.iter().enumerate() {
            f.write_str(if d > 0 { "x" } else { "" })?;
            match known {
                Some(n) => write!(f, "{n}")?,
                None => f.write_str("N")?,
            }
        }
        Ok(())
    }
}

/// Bytes of scratch memory that a running group takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ScratchSize {
    /// Whatever the local size.
    pub bytes: u64,
    /// For each work-item for which there is [room](room_for), in code for any size.
    pub per_item: u64,
}

impl ScratchSize {
    /// Bytes for groups of this size.
    pub fn of(&self, local: [u32; 3]) -> u64 {
        let items = local.iter().fold(1u64, |n, &l| n.saturating_mul(l.into()));
        let all = self.per_item.saturating_mul(room_for(items)).saturating_add(self.bytes);
        all.checked_next_multiple_of(MEMORY_ALIGN).unwrap_or(u64::MAX)
    }
}

/// Work-items for which arrays in scratch memory have room: so many more that the last vector may run over the end, and
/// that arrays begin at cache lines.
pub fn room_for(items: u64) -> u64 {
    items.checked_next_multiple_of(ROOM).unwrap_or(u64::MAX)
}

/// What [`room_for`] rounds up to.
pub const ROOM: u64 = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_for_any_size_is_for_all_sizes_of_a_rank() {
        for (local, name, others, not) in [
            ([64, 1, 1], "Nx1x1", [[1, 1, 1], [4096, 1, 1]], [64, 2, 1]),
            ([1, 1, 1], "Nx1x1", [[3, 1, 1], [1, 1, 1]], [1, 1, 2]),
            ([1, 8, 1], "NxNx1", [[7, 5, 1], [9, 1, 1]], [1, 1, 3]),
        ] {
            let any = CodeSize::any_like(local, 1);
            assert_eq!(any.to_string(), name);
            assert!(any.fits(local) && others.iter().all(|&l| any.fits(l)) && !any.fits(not) && !any.is_exact());
        }
        assert!(CodeSize::any_like([1, 2, 3], 1).fits([5, 6, 7]));
        assert_eq!(CodeSize::any_like([64, 1, 1], 2).to_string(), "NxNx1");
        let exact = CodeSize::exact([64, 4, 1]);
        assert_eq!((exact.to_string().as_str(), exact.items()), ("64x4x1", Some(256)));
        assert!(exact.fits([64, 4, 1]) && !exact.fits([64, 2, 1]));
    }

    #[test]
    fn scratch_grows_with_the_room_for_work_items() {
        let scratch = ScratchSize { bytes: 64, per_item: 12 };
        assert_eq!(scratch.of([1, 1, 1]), (64 + 12 * 64u64).next_multiple_of(MEMORY_ALIGN));
        assert_eq!(scratch.of([65, 1, 1]), (64 + 12 * 128u64).next_multiple_of(MEMORY_ALIGN));
        assert_eq!(ScratchSize { bytes: 0, per_item: u64::MAX }.of([u32::MAX; 3]), u64::MAX);
    }
}
