//! OpenCL's index spaces (section 3.2.1 of the specification), also those whose work-groups are not all of one size.
//!
//! Where the local size does not divide the global size, the last group of that dimension is smaller. So a range
//! falls into up to eight [`Part`]s, in each of which all groups have the same size.

use crate::local_size::{LocalSizeConstraints, choose_local};
use crate::shape::{Extent, Shape, ShapeError, check_group, dimensions, used};
use ir::FnAttrs;
use target::{LaunchLimits, LimitExceeded};

/// An index space: work-items in up to three dimensions, and the groups they are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NdRange {
    /// Number of dimensions, 1 to 3.
    pub work_dim: u32,
    /// First global id in each dimension.
    pub offset: [u64; 3],
    /// Work-items in each dimension; 1 in those that are not used. Where one is 0, nothing runs.
    pub global: [u64; 3],
    /// Work-items of a group in each dimension, at least 1; need not divide the global size.
    pub local: [u32; 3],
}

/// Groups of one size that are a part of a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// Its first group in each dimension.
    pub first: [u32; 3],
    /// Groups in each dimension, at least 1.
    pub groups: [u32; 3],
    /// Work-items of a group in each dimension, at least 1.
    pub local: [u32; 3],
    /// First global id in each dimension.
    pub origin: [u64; 3],
}

/// A launch: a range, and what CUDA adds to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The work-items.
    pub range: NdRange,
    /// Bytes of dynamic work-group memory (`extern __shared__`); none in OpenCL.
    pub dynamic_shared: u64,
}

impl Launch {
    /// As a shape, if all groups have the same size.
    pub fn shape(&self) -> Option<Shape> {
        let range = &self.range;
        range.is_uniform().then(|| Shape {
            work_dim: range.work_dim,
            groups: [0, 1, 2].map(|d| range.groups(d) as u32),
            local: range.local,
            offset: range.offset,
            dynamic_shared: self.dynamic_shared,
        })
    }
}

impl NdRange {
    /// Checks what a launch of a kernel with these attributes is asked for; picks a local size with [`choose_local`] if
    /// none is given. Groups of several sizes are for kernels with [`FnAttrs::partial_groups`].
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
        let (sizes, what) = match extent {
            Extent::Global(v) => (v, "global size"),
            Extent::Groups(v) => (v, "grid"),
        };
        let asked = dimensions(sizes, what)?;
        let given = local.map(|l| dimensions(l, "local size")).transpose()?;
        let local = match (given, attrs.reqd_work_group_size) {
            (Some(l), Some(required)) if l != required.map(u64::from) => {
                return Err(ShapeError::Required { required, local: l });
            }
            (_, Some(required)) => required.map(u64::from),
            (Some(l), None) => l,
            (None, None) => match extent {
                Extent::Global(_) => choose_local(asked, &LocalSizeConstraints::new(attrs, limits)).map(u64::from),
                Extent::Groups(_) => attrs.work_group_size_hint.map_or([1; 3], |h| h.map(u64::from)),
            },
        };
        check_group(local, attrs, limits)?;
        if offset.len() > 3 {
            return Err(ShapeError::Dimensions { what: "global offset", count: offset.len() });
        }
        let mut range = Self {
            work_dim: sizes.len().max(used(local)).clamp(1, 3) as u32,
            offset: std::array::from_fn(|d| offset.get(d).copied().unwrap_or(0)),
            global: asked,
            local: local.map(|l| l as u32),
        };
        if let Extent::Groups(_) = extent {
            limits.check_groups(asked).map_err(ShapeError::Device)?;
            for d in 0..3 {
                range.global[d] = asked[d] * local[d];
            }
        }
        if let Some(d) = range.partial_dimension().filter(|_| !attrs.partial_groups) {
            return Err(ShapeError::Indivisible { dimension: d, global: asked[d], local: local[d] });
        }
        range.check(limits)?;
        Ok(range)
    }

    /// Checks what any device wants of a range: no local size of zero, groups and ids that can be counted.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, limits: &LaunchLimits) -> Result<(), ShapeError> {
        if !(1..=3).contains(&self.work_dim) {
            return Err(ShapeError::Dimensions { what: "range", count: self.work_dim as usize });
        }
        if let Some(dimension) = self.local.iter().position(|&l| l == 0) {
            return Err(ShapeError::Zero { what: "local size", dimension });
        }
        for d in 0..3 {
            let groups = self.groups(d);
            let most = limits.groups[d];
            if groups > most.into() {
                return Err(ShapeError::Device(LimitExceeded::Groups { dimension: d, groups, most }));
            }
            // Up to the end of the last group, were it whole: what code may compute on the way.
            let end = groups.checked_mul(self.local[d].into()).and_then(|n| n.checked_add(self.offset[d]));
            end.filter(|&e| e <= i64::MAX as u64).ok_or(ShapeError::Offset)?;
        }
        Ok(())
    }

    /// Groups in a dimension, the smaller one at the end among them.
    pub fn groups(&self, dimension: usize) -> u64 {
        self.global[dimension].div_ceil(u64::from(self.local[dimension]).max(1))
    }

    /// Groups in all; at most `u64::MAX`.
    pub fn group_count(&self) -> u64 {
        (0..3).fold(1, |n, d| u64::saturating_mul(n, self.groups(d)))
    }

    /// Work-items in all; at most `u64::MAX`.
    pub fn items(&self) -> u64 {
        self.global.iter().fold(1, |n, &g| n.saturating_mul(g))
    }

    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.global.contains(&0)
    }

    /// Whether all groups have the same size; only OpenCL C 2.0 and later has others.
    pub fn is_uniform(&self) -> bool {
        self.partial_dimension().is_none()
    }

    /// The first dimension whose global size the local size does not divide.
    pub fn partial_dimension(&self) -> Option<usize> {
        (0..3).find(|&d| self.local[d] == 0 || !self.global[d].is_multiple_of(self.local[d].into()))
    }

    /// The parts of a range that [`check`](Self::check) accepts, that of whole groups first: 1 to 8, none for an empty
    /// range.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        let range = *self;
        // A bit for each dimension: whether the part is what is left over there.
        (0..8u32).filter_map(move |rest| range.part(rest))
    }

    fn part(&self, rest: u32) -> Option<Part> {
        let mut part = Part { first: [0; 3], groups: [1; 3], local: self.local, origin: self.offset };
        for d in 0..3 {
            let size = u64::from(self.local[d]).max(1);
            let (whole, left) = (self.global[d] / size, self.global[d] % size);
            if rest >> d & 1 == 1 {
                part.first[d] = whole as u32;
                part.local[d] = left as u32;
                part.origin[d] += whole * size;
            } else {
                part.groups[d] = whole as u32;
            }
        }
        (!part.groups.contains(&0) && !part.local.contains(&0)).then_some(part)
    }
}

impl Part {
    /// Groups in it; at most `u64::MAX`.
    pub fn group_count(&self) -> u64 {
        self.groups.iter().fold(1, |n, &g| n.saturating_mul(g.into()))
    }
}

impl From<&Shape> for NdRange {
    /// The same launch, but for its dynamic work-group memory.
    fn from(s: &Shape) -> Self {
        Self { work_dim: s.work_dim, offset: s.offset, global: [0, 1, 2].map(|d| s.global(d)), local: s.local }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(global: [u64; 3], local: [u32; 3]) -> NdRange {
        NdRange { work_dim: 3, offset: [100, 0, 7], global, local }
    }

    #[test]
    fn parts_cover_every_work_item_once() {
        for (global, local, count) in [
            ([8, 4, 2], [4, 2, 2], 1),
            ([10, 1, 1], [4, 1, 1], 2),
            ([3, 1, 1], [4, 1, 1], 1),
            ([10, 7, 1], [4, 3, 1], 4),
            ([10, 7, 5], [4, 3, 2], 8),
            ([10, 2, 5], [4, 3, 2], 4),
            ([0, 7, 5], [4, 3, 2], 0),
        ] {
            let r = range(global, local);
            r.check(target::Target::host().launch_limits()).expect("fits");
            let parts: Vec<Part> = r.parts().collect();
            assert_eq!(parts.len(), count, "{r:?}");
            assert_eq!(parts.iter().map(Part::group_count).sum::<u64>(), r.group_count(), "{r:?}");
            let mut seen = std::collections::HashSet::new();
            for p in &parts {
                for n in 0..global.iter().product::<u64>().max(1) {
                    let at = [n % global[0].max(1), n / global[0].max(1) % global[1], n / global[0].max(1) / global[1]];
                    let size = |d: usize| u64::from(p.groups[d]) * u64::from(p.local[d]);
                    let inside = |d: usize| (p.origin[d]..p.origin[d] + size(d)).contains(&(r.offset[d] + at[d]));
                    if (0..3).all(inside) {
                        assert!(seen.insert(at), "{r:?}: {at:?} twice");
                    }
                }
            }
            assert_eq!(seen.len() as u64, r.items(), "{r:?}");
            assert_eq!(r.is_uniform(), global == [8, 4, 2], "{r:?}");
        }
    }

    #[test]
    fn what_no_device_runs() {
        let fails = |r: NdRange| r.check(target::Target::host().launch_limits()).expect_err("wrong").to_string();
        assert!(fails(range([4, 4, 4], [4, 0, 4])).contains("zero in dimension 1"));
        assert!(fails(range([u64::MAX, 1, 1], [1, 1, 1])).contains("too many"));
        assert!(fails(range([u64::MAX, 1, 1], [u32::MAX, 1, 1])).contains("too many"));
        assert!(fails(NdRange { offset: [u64::MAX, 0, 0], ..range([1; 3], [1; 3]) }).contains("offset"));
        assert!(fails(NdRange { work_dim: 4, ..range([1; 3], [1; 3]) }).contains("1 to 3"));
    }
}
