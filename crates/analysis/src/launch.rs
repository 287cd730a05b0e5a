//! What a kernel can read of its place in a launch: the limits of the target, narrowed by what the kernel promises about
//! its launches.
//!
//! Numbers of groups are bounded in each dimension by what the target launches, not by what any machine does: a GPU may
//! have 65535 of them in y where a processor has more.

use ir::{FnKind, Function, SpecialReg};
use target::Target;

/// What a register counts, and in which dimension.
enum Count {
    /// Work-items of the group: numbers from 0, or how many there are.
    Items { axis: usize, is_size: bool },
    /// Groups of the launch, likewise.
    Groups { axis: usize, is_size: bool },
}

fn count(reg: SpecialReg) -> Option<Count> {
    use SpecialReg::*;
    let axis = match reg {
        TidX | NtidX | CtaidX | NctaidX | GroupBaseX => 0,
        TidY | NtidY | CtaidY | NctaidY | GroupBaseY => 1,
        TidZ | NtidZ | CtaidZ | NctaidZ | GroupBaseZ => 2,
        _ => return None,
    };
    Some(match reg {
        TidX | TidY | TidZ => Count::Items { axis, is_size: false },
        NtidX | NtidY | NtidZ => Count::Items { axis, is_size: true },
        CtaidX | CtaidY | CtaidZ | GroupBaseX | GroupBaseY | GroupBaseZ => Count::Groups { axis, is_size: false },
        _ => Count::Groups { axis, is_size: true },
    })
}

/// Smallest and largest value of a special register in a function for this target, where more is known than its width.
pub fn register_range(func: &Function, target: Target, reg: SpecialReg) -> Option<(u64, u64)> {
    let limits = target.launch_limits();
    let between = |is_size: bool, most: u32| if is_size { (1, most.into()) } else { (0, u64::from(most) - 1) };
    match (count(reg), reg) {
        (Some(Count::Items { axis, is_size }), _) => {
            let promised = promised_items(func, axis).unwrap_or(limits.group[axis]);
            let most = promised.min(limits.group[axis]);
            let exact = is_size && has_one_size(func);
            Some(if exact { (most.into(), most.into()) } else { between(is_size, most) })
        }
        (Some(Count::Groups { axis, is_size }), _) => Some(between(is_size, limits.groups[axis])),
        (None, SpecialReg::LaneId) => Some(between(false, target.warp_size())),
        // NVIDIA's compiler asks before it knows; behind that it is no register any more.
        (None, SpecialReg::WarpSize) if target.has_late_warp_size() => None,
        (None, SpecialReg::WarpSize) => Some((target.warp_size().into(), target.warp_size().into())),
        (None, SpecialReg::WorkDim) => Some((1, 3)),
        _ => None,
    }
}

/// The same for who asks what the machine is, not what NVIDIA's compiler knows at some time: a warp has its size.
pub fn register_fact(func: &Function, target: Target, reg: SpecialReg) -> Option<(u64, u64)> {
    match reg {
        SpecialReg::WarpSize => Some((target.warp_size().into(), target.warp_size().into())),
        _ => register_range(func, target, reg),
    }
}

/// Most work-items of a group in a dimension, if the kernel says so. What is called may be called by other kernels.
fn promised_items(func: &Function, axis: usize) -> Option<u32> {
    if func.kind != FnKind::Kernel {
        return None;
    }
    func.attrs.reqd_work_group_size.map(|size| size[axis]).or(func.attrs.max_threads).filter(|&n| n > 0)
}

/// Whether all groups have the size that the kernel requires.
fn has_one_size(func: &Function) -> bool {
    func.kind == FnKind::Kernel && func.attrs.reqd_work_group_size.is_some() && !func.attrs.partial_groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use target::{Arch, amd::AmdArch};

    fn of(attrs: ir::FnAttrs, target: Target, reg: SpecialReg) -> Option<(u64, u64)> {
        let mut f = Function::new("k", FnKind::Kernel);
        f.attrs = attrs;
        register_range(&f, target, reg)
    }

    #[test]
    fn ranges_are_those_of_the_target() {
        use SpecialReg::*;
        let any = |target, reg| of(ir::FnAttrs::default(), target, reg);
        let (gpu, host) = (Arch::DEFAULT.target(), Target::host());
        assert_eq!(any(gpu, CtaidY), Some((0, 65534)));
        assert_eq!(any(host, CtaidY), Some((0, 0x7fff_fffe)));
        assert_eq!(any(host, NctaidZ), Some((1, 0x7fff_ffff)));
        assert_eq!([gpu, host].map(|t| any(t, TidZ)), [Some((0, 63)), Some((0, 4095))]);
        assert_eq!([gpu, host].map(|t| any(t, NtidX)), [Some((1, 1024)), Some((1, 4096))]);
        let whole = AmdArch::parse("gfx90a").and_then(|a| a.target().with_warp_size(64)).unwrap();
        assert_eq!([gpu, whole].map(|t| any(t, LaneId)), [Some((0, 31)), Some((0, 63))]);
        assert_eq!(any(whole, WarpSize), Some((64, 64)));
        assert_eq!(any(gpu, SmId), None);
    }

    #[test]
    fn promises_narrow_within_kernels_only() {
        use SpecialReg::*;
        let t = Target::default();
        let required = ir::FnAttrs { reqd_work_group_size: Some([64, 2, 1]), ..Default::default() };
        assert_eq!(of(required.clone(), t, TidX), Some((0, 63)));
        assert_eq!(of(required.clone(), t, NtidY), Some((2, 2)));
        assert_eq!(of(ir::FnAttrs { partial_groups: true, ..required.clone() }, t, NtidY), Some((1, 2)));
        assert_eq!(of(ir::FnAttrs { max_threads: Some(128), ..Default::default() }, t, TidZ), Some((0, 63)));
        assert_eq!(of(ir::FnAttrs { max_threads: Some(0), ..Default::default() }, t, TidX), Some((0, 1023)));
        let mut f = Function::new("f", FnKind::Device);
        f.attrs = required;
        assert_eq!(register_range(&f, t, TidX), Some((0, 1023)));
    }
}
