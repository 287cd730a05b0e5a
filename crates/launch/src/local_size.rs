//! Which local size a launch gets when nobody says one.

use ir::FnAttrs;
use target::LaunchLimits;

/// Work-items that a group is given when nobody says how many: enough to fill vectors many times over, few enough
/// that there are many groups to share among threads.
const DEFAULT_ITEMS: u64 = 256;

/// As many where work-items stream through memory: a group costs as much as a few hundred of them, and rows in pieces of
/// less than a page are read at half the speed.
const STREAM_ITEMS: u64 = 1024;

/// Fewest groups of so many: below, threads would not be kept busy alike.
const STREAM_GROUPS: u64 = 64;

/// Most of them in x if there are more dimensions: the rows of a group share what they read of columns. Shorter rows share
/// more, and leave lines of caches half read.
const DEFAULT_ROW: u64 = 32;

/// Most of them where shorter ones do not divide the size.
const LONGEST_ROW: u64 = 64;

/// Work-items in x that fill vectors.
const VECTOR: u64 = 16;

/// What a kernel and a device say about local sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalSizeConstraints {
    /// `reqd_work_group_size`.
    pub required: Option<[u32; 3]>,
    /// `work_group_size_hint`.
    pub hint: Option<[u32; 3]>,
    /// Most work-items of a group.
    pub most: u64,
    /// Most work-items of a group in each dimension.
    pub sides: [u32; 3],
    /// Whether the last group of a dimension may be smaller ([`FnAttrs::partial_groups`]).
    pub partial_groups: bool,
    /// Whether rows of a group are along y ([`FnAttrs::rows_in_y`]).
    pub rows_in_y: bool,
    /// Whether long rows lose nothing ([`FnAttrs::streams`]).
    pub streams: bool,
}

impl LocalSizeConstraints {
    /// Those of a kernel on a device with these limits.
    pub fn new(attrs: &FnAttrs, limits: &LaunchLimits) -> Self {
        Self {
            required: attrs.reqd_work_group_size,
            hint: attrs.work_group_size_hint,
            most: limits.group_items.min(attrs.max_threads.unwrap_or(u32::MAX)).into(),
            sides: limits.group,
            partial_groups: attrs.partial_groups,
            rows_in_y: attrs.rows_in_y,
            streams: attrs.streams,
        }
    }
}

/// A local size for a global size: the one that the kernel requires; the one that it hints at if it fits; else one that
/// divides the global size; where that would leave vectors empty and groups may be of several sizes, one that does
/// not. Never more than `most` work-items unless more are required.
pub fn choose_local(global: [u64; 3], constraints: &LocalSizeConstraints) -> [u32; 3] {
    if let Some(required) = constraints.required {
        return required;
    }
    let most = constraints.most.max(1);
    if let Some(hint) = constraints.hint {
        let items = hint.iter().try_fold(1u64, |n, &h| n.checked_mul(h.into())).unwrap_or(0);
        let divides = || (0..3).all(|d| global[d].is_multiple_of(hint[d].into()));
        let fits = (1..=most).contains(&items) && (0..3).all(|d| hint[d] <= constraints.sides[d]);
        if fits && (constraints.partial_groups || divides()) {
            return hint;
        }
    }
    let global = global.map(|g| g.max(1));
    let all = global.iter().try_fold(1u64, |n, &g| n.checked_mul(g)).unwrap_or(u64::MAX);
    let items = if constraints.streams && all / STREAM_ITEMS >= STREAM_GROUPS { STREAM_ITEMS } else { DEFAULT_ITEMS };
    let row = if constraints.streams { items } else { DEFAULT_ROW };
    let room = Room { items: items.min(most), most, row, sides: constraints.sides };
    if constraints.rows_in_y && global[1] > 1 {
        let turned = |[x, y, z]: [u32; 3]| [y, x, z];
        let room = Room { sides: turned(room.sides), ..room };
        return turned(fill([global[1], global[0], global[2]], room, constraints.partial_groups));
    }
    fill(global, room, constraints.partial_groups)
}

/// A local size that divides the global size, or one that does not where that would leave vectors empty and groups may be
/// of several sizes.
fn fill(global: [u64; 3], room: Room, partial_groups: bool) -> [u32; 3] {
    let whole = room.fill(global, largest_divisor);
    let partial = room.fill(global, |size, cap| size.min(cap));
    // Groups of several sizes cost a compilation for each.
    if !room.is_poor(whole, partial) {
        whole
    } else if partial_groups {
        partial
    } else {
        larger(global, room, whole, partial)
    }
}

/// Where no group of the usual size divides the global size well (514 work-items are 257 groups of 2): the first size up to one
/// twice as large, and so on, that does; else the largest of those.
fn larger(global: [u64; 3], room: Room, whole: [u32; 3], partial: [u32; 3]) -> [u32; 3] {
    let mut best = whole;
    let mut tried = room.items;
    while tried < room.most {
        tried = (tried * 2).min(room.most);
        for row in [room.row, tried] {
            let local = Room { items: tried, row, ..room }.fill(global, largest_divisor);
            if !room.is_poor(local, partial) {
                return local;
            }
            best = if items(local) > items(best) { local } else { best };
        }
    }
    best
}

/// How many work-items a group has.
fn items(local: [u32; 3]) -> u64 {
    local.iter().map(|&l| u64::from(l)).product()
}

/// How large a group may become.
#[derive(Clone, Copy)]
struct Room {
    /// Most work-items that it is to have.
    items: u64,
    /// Most that it can have.
    most: u64,
    /// Most of them in x if there are more dimensions.
    row: u64,
    /// Most of them in each dimension.
    sides: [u32; 3],
}

impl Room {
    /// Gives each dimension what `pick` makes of its size and of the work-items that are left.
    fn fill(&self, global: [u64; 3], pick: impl Fn(u64, u64) -> u64) -> [u32; 3] {
        let mut left = self.items;
        let mut local = [1; 3];
        for d in 0..3 {
            let more = global[d + 1..].iter().any(|&g| g > 1);
            let pick = |cap: u64| pick(global[d], cap.min(left).min(self.sides[d].into())).max(1);
            let size = if d == 0 && more { row(global[d], self.row, pick) } else { pick(left) };
            local[d] = size as u32;
            left /= size;
        }
        local
    }

    /// Whether groups leave vectors empty, or are small, beside those that need not divide the global size.
    fn is_poor(&self, local: [u32; 3], partial: [u32; 3]) -> bool {
        u64::from(local[0]) < VECTOR.min(u64::from(partial[0])) || items(local) * 4 < items(partial)
    }
}

/// A length for rows of which `size` work-items are to be had, about `most` of them; `pick` gives one up to a number.
fn row(size: u64, most: u64, pick: impl Fn(u64) -> u64) -> u64 {
    let (short, long) = (pick(most), pick(most.max(LONGEST_ROW)));
    let fills = short >= VECTOR.min(long);
    if fills && (size.is_multiple_of(short) || !size.is_multiple_of(long)) { short } else { long }
}

/// The largest divisor of `n` up to `cap`, preferring whole vectors.
fn largest_divisor(n: u64, cap: u64) -> u64 {
    let divides = |d: &u64| n.is_multiple_of(*d);
    let whole = (1..=cap / VECTOR).rev().map(|k| k * VECTOR).find(divides);
    whole.unwrap_or_else(|| (1..=cap.min(n)).rev().find(divides).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraints(partial_groups: bool) -> LocalSizeConstraints {
        LocalSizeConstraints {
            required: None,
            hint: None,
            most: 4096,
            sides: [4096; 3],
            partial_groups,
            rows_in_y: false,
            streams: false,
        }
    }

    #[test]
    fn sizes_that_divide_badly_are_divided_unevenly_where_that_is_allowed() {
        for (global, whole, partial) in [
            ([1 << 20, 1, 1], [256, 1, 1], [256, 1, 1]),
            ([1000, 1, 1], [250, 1, 1], [250, 1, 1]),
            ([1_000_003, 1, 1], [1, 1, 1], [256, 1, 1]),
            ([1009, 1, 1], [1009, 1, 1], [256, 1, 1]),
            ([7, 1, 1], [7, 1, 1], [7, 1, 1]),
            ([1024, 1024, 1], [32, 8, 1], [32, 8, 1]),
            ([1023, 767, 1], [31, 13, 1], [32, 8, 1]),
            ([37, 41, 43], [37, 41, 1], [37, 6, 1]),
            ([30, 30, 30], [30, 6, 1], [30, 6, 1]),
            ([0, 5, 1], [1, 5, 1], [1, 5, 1]),
            ([2 * 500_009, 1, 1], [2, 1, 1], [256, 1, 1]),
        ] {
            assert_eq!(choose_local(global, &constraints(false)), whole, "{global:?}");
            assert_eq!(choose_local(global, &constraints(true)), partial, "{global:?}");
        }
    }

    #[test]
    fn groups_of_two_are_not_chosen_where_larger_ones_divide_the_size() {
        for (global, local) in [
            ([514, 1, 1], [257, 1, 1]),
            ([2 * 1009, 1, 1], [1009, 1, 1]),
            ([4 * 2053, 1, 1], [2053, 1, 1]),
            ([2 * 4099, 1, 1], [2, 1, 1]),
            ([514, 514, 1], [257, 1, 1]),
        ] {
            assert_eq!(choose_local(global, &constraints(false)), local, "{global:?}");
        }
        assert_eq!(choose_local([514, 1, 1], &LocalSizeConstraints { most: 300, ..constraints(false) }), [257, 1, 1]);
        assert_eq!(
            choose_local([514, 1, 1], &LocalSizeConstraints { sides: [64; 3], ..constraints(false) }),
            [2, 1, 1]
        );
    }

    #[test]
    fn what_the_kernel_says_comes_first() {
        let hint = LocalSizeConstraints { hint: Some([32, 2, 1]), ..constraints(false) };
        assert_eq!(choose_local([64, 4, 1], &hint), [32, 2, 1]);
        assert_eq!(choose_local([65, 4, 1], &hint), [65, 4, 1]);
        assert_eq!(choose_local([65, 4, 1], &LocalSizeConstraints { partial_groups: true, ..hint }), [32, 2, 1]);
        assert_eq!(choose_local([64, 4, 1], &LocalSizeConstraints { most: 16, ..hint }), [16, 1, 1]);
        let required = LocalSizeConstraints { required: Some([5, 1, 1]), ..hint };
        assert_eq!(choose_local([64, 4, 1], &required), [5, 1, 1]);
        assert_eq!(choose_local([64, 1, 1], &LocalSizeConstraints { most: 100, ..constraints(true) }), [64, 1, 1]);
    }

    #[test]
    fn rows_that_lose_nothing_are_long() {
        let streams = LocalSizeConstraints { streams: true, ..constraints(false) };
        for (global, local) in [
            ([1024, 1024, 1], [1024, 1, 1]),
            ([512, 512, 1], [512, 2, 1]),
            ([1000, 1000, 1], [1000, 1, 1]),
            ([1 << 20, 1, 1], [1024, 1, 1]),
            // Too few groups of 1024.
            ([1 << 15, 1, 1], [256, 1, 1]),
            ([128, 128, 1], [128, 2, 1]),
            ([128, 128, 64], [128, 8, 1]),
        ] {
            assert_eq!(choose_local(global, &streams), local, "{global:?}");
        }
        assert_eq!(choose_local([1024, 1024, 1], &LocalSizeConstraints { most: 128, ..streams }), [128, 1, 1]);
        assert_eq!(choose_local([512, 512, 1], &LocalSizeConstraints { rows_in_y: true, ..streams }), [2, 512, 1]);
    }

    #[test]
    fn rows_lie_where_neighbours_are_neighbours_in_memory() {
        let turned = LocalSizeConstraints { rows_in_y: true, ..constraints(false) };
        assert_eq!(choose_local([1024, 1024, 1], &constraints(false)), [32, 8, 1]);
        assert_eq!(choose_local([1024, 1024, 1], &turned), [8, 32, 1]);
        assert_eq!(choose_local([1024, 1, 1], &turned), choose_local([1024, 1, 1], &constraints(false)));
        assert_eq!(choose_local([1024, 64, 1], &LocalSizeConstraints { sides: [4096, 4, 64], ..turned }), [64, 4, 1]);
    }
}
