//! The shape of a launch: how many work-items, in which groups.

use crate::NdRange;
use ir::FnAttrs;
use target::{LaunchLimits, LimitExceeded};

/// A launch, checked: nothing in it is zero and no product overflows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Number of dimensions, 1 to 3.
    pub work_dim: u32,
    /// Groups in each dimension; 1 in those that are not used.
    pub groups: [u32; 3],
    /// Work-items of a group in each dimension; 1 in those that are not used.
    pub local: [u32; 3],
    /// First global id in each dimension.
    pub offset: [u64; 3],
    /// Bytes of dynamic work-group memory (`extern __shared__`).
    pub dynamic_shared: u64,
}

/// The sizes that a launch is asked for, not checked yet. A missing dimension is 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    /// So many work-items in all.
    Global(Vec<u64>),
    /// So many groups.
    Groups(Vec<u64>),
}

/// What is wrong with a launch's shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShapeError {
    /// Not 1 to 3 numbers.
    Dimensions {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
    },
    /// A size of zero.
    Zero {
        /// Of what.
        what: &'static str,
        /// In which dimension, from 0.
        dimension: usize,
    },
    /// The local size does not divide the global size.
    Indivisible {
        /// In which dimension.
        dimension: usize,
        /// Work-items in all.
        global: u64,
        /// Work-items of a group.
        local: u64,
    },
    /// More work-items in a group than there may be.
    GroupTooLarge {
        /// Asked for, per dimension.
        local: [u64; 3],
        /// Most.
        most: u64,
        /// Whose limit.
        whose: &'static str,
    },
    /// More work-items or groups in a dimension than the device runs.
    Device(LimitExceeded),
    /// The kernel demands another local size.
    Required {
        /// `reqd_work_group_size`.
        required: [u32; 3],
        /// Asked for.
        local: [u64; 3],
    },
    /// An offset beyond what ids can count.
    Offset,
}

impl std::fmt::Display for ShapeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |v: &[u64; 3]| format!("{},{},{}", v[0], v[1], v[2]);
        match self {
            Self::Dimensions { what, count } => write!(f, "the {what} has 1 to 3 dimensions, not {count}"),
            Self::Zero { what, dimension } => write!(f, "the {what} is zero in dimension {dimension}"),
            Self::Indivisible { dimension, global, local } => {
                write!(f, "the local size {local} does not divide the global size {global} in dimension {dimension}")
            }
            Self::GroupTooLarge { local, most, whose } => {
                write!(f, "a work-group of {} is too large: {whose} allows {most} work-items", list(local))
            }
            Self::Device(LimitExceeded::Groups { dimension, groups, most }) => {
                write!(f, "{groups} work-groups in dimension {dimension} are too many: {most} is the most")
            }
            Self::Device(e) => e.fmt(f),
            Self::Required { required: [x, y, z], local } => {
                write!(f, "the kernel requires a local size of {x},{y},{z}, not {}", list(local))
            }
            Self::Offset => f.write_str("the global offset and size together exceed what ids can count"),
        }
    }
}

impl std::error::Error for ShapeError {}

impl Shape {
    /// Checks what a launch of a kernel with these attributes is asked for; picks a local size if none is given:
    /// the one that the kernel requires, the one that it hints at if that divides the global size, else one that does.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(
        extent: &Extent,
        local: Option<&[u64]>,
        offset: &[u64],
        attrs: &FnAttrs,
        limits: &LaunchLimits,
    ) -> Result<Self, ShapeError> {
        let attrs = FnAttrs { partial_groups: false, ..attrs.clone() };
        let range = NdRange::new(extent, local, offset, &attrs, limits)?;
        let groups = [0, 1, 2].map(|d| range.groups(d) as u32);
        Ok(Self { work_dim: range.work_dim, groups, local: range.local, offset: range.offset, dynamic_shared: 0 })
    }

    /// Work-items in a dimension.
    pub fn global(&self, dimension: usize) -> u64 {
        u64::from(self.groups[dimension]) * u64::from(self.local[dimension])
    }

    /// Work-items of a group.
    pub fn group_items(&self) -> u64 {
        self.local.iter().map(|&l| u64::from(l)).product()
    }

    /// Groups in all; at most `u64::MAX`.
    pub fn group_count(&self) -> u64 {
        self.groups.iter().fold(1, |n, &g| n.saturating_mul(g.into()))
    }

    /// Work-items in all; at most `u64::MAX`.
    pub fn items(&self) -> u64 {
        self.group_count().saturating_mul(self.group_items())
    }
}

/// Pads with ones; refuses zeros and what has no or too many dimensions.
pub(crate) fn dimensions(sizes: &[u64], what: &'static str) -> Result<[u64; 3], ShapeError> {
    if sizes.is_empty() || sizes.len() > 3 {
        return Err(ShapeError::Dimensions { what, count: sizes.len() });
    }
    if let Some(dimension) = sizes.iter().position(|&s| s == 0) {
        return Err(ShapeError::Zero { what, dimension });
    }
    let mut out = [1; 3];
    out[..sizes.len()].copy_from_slice(sizes);
    Ok(out)
}

/// Dimensions in which a group has more than one work-item count.
pub(crate) fn used(local: [u64; 3]) -> usize {
    local.iter().rposition(|&l| l > 1).map_or(1, |d| d + 1)
}

pub(crate) fn check_group(local: [u64; 3], attrs: &FnAttrs, limits: &LaunchLimits) -> Result<(), ShapeError> {
    let too_large = |most: u32, whose| ShapeError::GroupTooLarge { local, most: most.into(), whose };
    let items = limits.check_group(local).map_err(|e| match e {
        LimitExceeded::GroupItems { most, .. } => match attrs.max_threads {
            Some(promised) if promised < most => too_large(promised, "`__launch_bounds__`"),
            _ => too_large(most, "the device"),
        },
        e => ShapeError::Device(e),
    })?;
    match attrs.max_threads {
        Some(promised) if items > promised => Err(too_large(promised, "`__launch_bounds__`")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use target::{Arch, Target};

    /// Those of the host.
    fn limits() -> &'static LaunchLimits {
        Target::host().launch_limits()
    }

    fn global(sizes: &[u64], local: Option<&[u64]>) -> Result<Shape, ShapeError> {
        Shape::new(&Extent::Global(sizes.to_vec()), local, &[], &FnAttrs::default(), limits())
    }

    #[test]
    fn given_sizes() {
        let s = global(&[1024, 8], Some(&[16, 2])).expect("fits");
        assert_eq!((s.work_dim, s.groups, s.local), (2, [64, 4, 1], [16, 2, 1]));
        assert_eq!((s.items(), s.group_count(), s.group_items()), (8192, 256, 32));
        let grid = Extent::Groups(vec![3]);
        let s = Shape::new(&grid, Some(&[5, 7]), &[], &FnAttrs::default(), limits()).expect("fits");
        assert_eq!((s.work_dim, s.groups, s.local), (2, [3, 1, 1], [5, 7, 1]));
    }

    #[test]
    fn chosen_sizes_divide_and_fill_vectors() {
        for (sizes, want) in [
            (&[1 << 20][..], [256, 1, 1]),
            (&[1000], [250, 1, 1]),
            (&[48], [48, 1, 1]),
            (&[7], [7, 1, 1]),
            (&[1_000_003], [1, 1, 1]),
            (&[1024, 1024], [32, 8, 1]),
            (&[30, 30, 30], [30, 6, 1]),
        ] {
            let s = global(sizes, None).expect("fits");
            assert_eq!(s.local.map(u64::from), want, "{sizes:?}");
        }
        let attrs = FnAttrs { work_group_size_hint: Some([32, 2, 1]), ..FnAttrs::default() };
        let hinted = |x| Shape::new(&Extent::Global(vec![x, 4]), None, &[], &attrs, limits()).expect("fits").local;
        assert_eq!(hinted(64), [32, 2, 1]);
        assert_eq!(hinted(65), [65, 4, 1]);
        let attrs = FnAttrs { max_threads: Some(100), ..FnAttrs::default() };
        let bounded = Shape::new(&Extent::Global(vec![1024]), None, &[], &attrs, limits()).expect("fits");
        assert_eq!(bounded.local[0], 64);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let fails = |sizes: &[u64], local: Option<&[u64]>| global(sizes, local).expect_err("wrong").to_string();
        assert!(fails(&[1000], Some(&[256])).contains("256 does not divide the global size 1000"));
        assert!(fails(&[0], None).contains("zero"));
        assert!(fails(&[4], Some(&[0])).contains("local size is zero"));
        assert!(fails(&[1, 1, 1, 1], None).contains("1 to 3"));
        assert!(fails(&[], None).contains("1 to 3"));
        assert!(fails(&[1 << 20], Some(&[1 << 20])).contains("4096 work-items"));
        assert!(fails(&[u64::MAX], Some(&[u64::MAX])).contains("too large"));
        assert!(fails(&[u64::MAX], None).contains("too many"));
        assert!(fails(&[1 << 62, 1 << 62], None).contains("too many"));
        let attrs = FnAttrs { reqd_work_group_size: Some([16, 1, 1]), ..FnAttrs::default() };
        let e = Shape::new(&Extent::Global(vec![64]), Some(&[32]), &[], &attrs, limits()).expect_err("wrong");
        assert!(e.to_string().contains("requires a local size of 16,1,1"), "{e}");
        let none = FnAttrs::default();
        let e = Shape::new(&Extent::Global(vec![64]), None, &[u64::MAX - 3], &none, limits()).expect_err("wrong");
        assert_eq!(e, ShapeError::Offset);
    }

    #[test]
    fn limits_are_those_of_the_target() {
        let gpu = Arch::DEFAULT.target().launch_limits();
        let attrs = FnAttrs::default();
        let asked = |extent, local: &[u64], limits| Shape::new(&extent, Some(local), &[], &attrs, limits);
        let tall = || Extent::Groups(vec![1, 65536]);
        assert_eq!(asked(tall(), &[1], limits()).expect("fits").groups, [1, 65536, 1]);
        let e = asked(tall(), &[1], gpu).expect_err("too many");
        assert_eq!(e.to_string(), "65536 work-groups in dimension 1 are too many: 65535 is the most");
        let deep = || Extent::Global(vec![1, 1, 128]);
        assert_eq!(asked(deep(), &[1, 1, 128], limits()).expect("fits").local, [1, 1, 128]);
        assert!(matches!(
            asked(deep(), &[1, 1, 128], gpu),
            Err(ShapeError::Device(LimitExceeded::Group { most: 64, .. }))
        ));
        let chosen = Shape::new(&deep(), None, &[], &attrs, gpu).expect("fits");
        assert_eq!(chosen.local, [1, 1, 64]);
    }
}
