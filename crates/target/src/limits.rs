//! How large a launch can be.

use std::fmt;

/// The most that any launch on a target can ask for. What a launch does ask for is checked against it; what a kernel
/// can read of its place in the launch follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchLimits {
    /// Most work-items of a group.
    pub group_items: u32,
    /// Most work-items of a group in each dimension.
    pub group: [u32; 3],
    /// Most groups in each dimension.
    pub groups: [u32; 3],
}

/// A limit that a launch exceeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LimitExceeded {
    /// [`LaunchLimits::group_items`], or none at all.
    GroupItems {
        /// Work-items of the group in each dimension.
        local: [u64; 3],
        /// Most in all.
        most: u32,
    },
    /// [`LaunchLimits::group`].
    Group {
        /// In which dimension, from 0.
        dimension: usize,
        /// How many there are.
        items: u64,
        /// Most.
        most: u32,
    },
    /// [`LaunchLimits::groups`], or none at all.
    Groups {
        /// In which dimension, from 0.
        dimension: usize,
        /// How many there are.
        groups: u64,
        /// Most.
        most: u32,
    },
}

impl fmt::Display for LimitExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GroupItems { local: [x, y, z], most } => {
                write!(f, "a group has 1 to {most} work-items, not {x} x {y} x {z}")
            }
            Self::Group { dimension, items, most } => {
                write!(f, "a group has 1 to {most} work-items in dimension {dimension}, not {items}")
            }
            Self::Groups { dimension, groups, most } => {
                write!(f, "a grid has 1 to {most} groups in dimension {dimension}, not {groups}")
            }
        }
    }
}

impl std::error::Error for LimitExceeded {}

impl LaunchLimits {
    /// Work-items of a group of this size, if there can be one.
    ///
    /// # Errors
    /// The limit that it exceeds.
    pub fn check_group(&self, local: [u64; 3]) -> Result<u32, LimitExceeded> {
        let product = local.iter().try_fold(1u64, |n, &l| n.checked_mul(l));
        let items = product.and_then(|n| u32::try_from(n).ok()).filter(|&n| n != 0 && n <= self.group_items);
        let items = items.ok_or(LimitExceeded::GroupItems { local, most: self.group_items })?;
        match (0..3).find(|&d| local[d] > self.group[d].into()) {
            Some(dimension) => {
                Err(LimitExceeded::Group { dimension, items: local[dimension], most: self.group[dimension] })
            }
            None => Ok(items),
        }
    }

    /// Checks the number of groups.
    ///
    /// # Errors
    /// The limit that it exceeds.
    pub fn check_groups(&self, groups: [u64; 3]) -> Result<(), LimitExceeded> {
        match (0..3).find(|&d| groups[d] == 0 || groups[d] > self.groups[d].into()) {
            Some(dimension) => {
                Err(LimitExceeded::Groups { dimension, groups: groups[dimension], most: self.groups[dimension] })
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arch, Target};

    #[test]
    fn a_group_is_bounded_in_all_and_in_each_dimension() {
        let l = Arch::DEFAULT.target().launch_limits();
        assert_eq!(l.check_group([32, 16, 2]), Ok(1024));
        assert!(matches!(l.check_group([32, 33, 1]), Err(LimitExceeded::GroupItems { most: 1024, .. })));
        assert!(matches!(l.check_group([1, 1, 65]), Err(LimitExceeded::Group { dimension: 2, most: 64, .. })));
        for odd in [[0, 1, 1], [u64::MAX, 2, 1], [1 << 32, 1 << 32, 1]] {
            assert!(matches!(l.check_group(odd), Err(LimitExceeded::GroupItems { .. })), "{odd:?}");
        }
        assert_eq!(Target::host().launch_limits().check_group([1, 1, 4096]), Ok(4096));
    }

    #[test]
    fn grids_are_bounded_in_each_dimension() {
        let (gpu, host) = (Arch::DEFAULT.target().launch_limits(), Target::host().launch_limits());
        assert_eq!(gpu.check_groups([0x7fff_ffff, 65535, 65535]), Ok(()));
        let e = gpu.check_groups([1, 65536, 1]).unwrap_err();
        assert_eq!(e.to_string(), "a grid has 1 to 65535 groups in dimension 1, not 65536");
        assert_eq!(host.check_groups([1, 1 << 20, 1 << 20]), Ok(()));
        assert!(host.check_groups([1, 0, 1]).is_err() && host.check_groups([1 << 31, 1, 1]).is_err());
    }
}
