//! Faults in words.

use crate::checker::{param_name, word};
use interp::{Finding, Trap, TrapKind, is_copy};
use launch::Launch;
use launch::kernels::{KernelInfo, ParamKind, Space};
use source::Diagnostic;

/// Who runs the launch: what users can do differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caller {
    /// The command, whose arguments say what buffers hold.
    Command,
    /// A program that runs on the OpenCL platform.
    Program,
}

/// An object as the message names it, with the bytes of its elements, if it is a parameter's buffer.
fn element(kernel: &KernelInfo, object: &str) -> Option<u64> {
    let n = (0..kernel.params.len()).find(|&n| param_name(kernel, n) == object)?;
    match &kernel.params[n].kind {
        ParamKind::Pointer { element_bytes, .. } => Some((*element_bytes).max(1)),
        _ => None,
    }
}

/// Whether an object is a parameter's buffer in global memory.
fn is_buffer(kernel: &KernelInfo, object: &str) -> bool {
    let global = |kind: &ParamKind| matches!(kind, ParamKind::Pointer { space: Space::Global | Space::Constant, .. });
    (0..kernel.params.len()).any(|n| param_name(kernel, n) == object && global(&kernel.params[n].kind))
}

/// A place in an object: an index where it is known what the elements are, else bytes.
fn place(kernel: &KernelInfo, object: &str, offset: i64) -> String {
    match element(kernel, object).and_then(|e| i64::try_from(e).ok()) {
        Some(e) => format!("{object}[{}]", offset.div_euclid(e)),
        None => format!("byte {offset} of {object}"),
    }
}

/// The diagnostic of a fault.
pub fn explain(trap: &Trap, kernel: &KernelInfo, shape: &Launch, caller: Caller) -> Diagnostic {
    let (message, help) = describe(trap, kernel, shape, caller);
    let mut d = Diagnostic::error("E0711", trap.span, message);
    let list =
        |v: [u64; 3]| v[..shape.range.work_dim as usize].iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let wide = |v: [u32; 3]| v.map(u64::from);
    match &trap.kind {
        TrapKind::DataRace { other_span, other, other_access, .. } if is_copy(*other) => {
            d = d.label(*other_span, format!("the {} of the asynchronous copy", word(*other_access)));
        }
        TrapKind::DataRace { other_span, other, other_access, .. } => {
            let who = list(wide(item_of(*other, trap.group, shape)));
            d = d.label(*other_span, format!("the {} of work-item {who}", word(*other_access)));
        }
        TrapKind::GroupRace { other_span, other_group, other, other_access, .. } => {
            let group = group_of(*other_group, shape);
            let (item, group) = (list(wide(item_of(*other, group, shape))), list(wide(group)));
            d = d.label(*other_span, format!("the {} of work-item {item} of work-group {group}", word(*other_access)));
        }
        _ => {}
    }
    if !trap.function.is_empty() {
        let global: [u64; 3] = std::array::from_fn(|d| {
            shape.range.offset[d]
                + u64::from(trap.group[d]) * u64::from(shape.range.local[d])
                + u64::from(trap.work_item[d])
        });
        d = d.note(format!(
            "work-item {} of work-group {} (global id {}) of kernel `{}`",
            list(wide(trap.work_item)),
            list(wide(trap.group)),
            list(global),
            kernel.name
        ));
    }
    d.help(help)
}

/// The same for something that was seen several times.
pub fn explain_finding(finding: &Finding, kernel: &KernelInfo, shape: &Launch, caller: Caller) -> Diagnostic {
    let d = explain(&finding.trap, kernel, shape, caller);
    match finding.times {
        1 => d,
        n => d.note(format!("the first of {n} times in this launch")),
    }
}

/// A work-group by its linear number in the launch.
fn group_of(linear: u32, shape: &Launch) -> [u32; 3] {
    let [x, y, _] = [0, 1, 2].map(|d| (shape.range.groups(d) as u32).max(1));
    [linear % x, linear / x % y, linear / x / y]
}

/// Local id of a work-item by its linear number in its group, which at the end of the range is smaller than others.
fn item_of(linear: u32, group: [u32; 3], shape: &Launch) -> [u32; 3] {
    let range = &shape.range;
    let side = |d: usize| {
        let before = u64::from(group[d]) * u64::from(range.local[d]);
        u64::from(range.local[d]).min(range.global[d].saturating_sub(before)).max(1) as u32
    };
    let (x, y) = (side(0), side(1));
    [linear % x, linear / x % y, linear / x / y]
}

/// What happened, and what to do about it.
fn describe(trap: &Trap, kernel: &KernelInfo, shape: &Launch, caller: Caller) -> (String, &'static str) {
    match &trap.kind {
        TrapKind::OutOfBounds { .. } | TrapKind::UninitialisedRead { .. } => {
            describe_access(&trap.kind, kernel, caller)
        }
        TrapKind::DataRace { .. } | TrapKind::GroupRace { .. } => describe_race(&trap.kind, kernel, shape),
        TrapKind::DivisionByZero => (
            trap.kind.to_string(),
            match caller {
                Caller::Command => "test the divisor before; a run without `--check` goes on with any result",
                Caller::Program => {
                    "test the divisor before; without `UNSPOOL_CHECK` the program goes on with any result"
                }
            },
        ),
        TrapKind::UndefinedUse { what } => (
            format!("an uninitialised value is used as {what}"),
            "give the variable a value on every path to here; an index beyond four billion bytes counts as none",
        ),
        TrapKind::BarrierDivergence { waiting, elsewhere } => (
            format!("divergent barrier: {waiting} work-items of the group reach it, {elsewhere} do not"),
            "move the barrier to where every work-item of the group gets",
        ),
        TrapKind::GroupDivergence { what } => (
            format!("divergent: not all work-items of the group ask for the same with {what}"),
            "ask for it in all work-items of the group, with the same arguments",
        ),
        TrapKind::NoEvent => {
            ("this event is no event of an asynchronous copy".to_owned(), "use what the copy returned")
        }
        TrapKind::NotWaited => (
            "the kernel ends without waiting for this asynchronous copy".to_owned(),
            "wait for its event with `wait_group_events`",
        ),
        TrapKind::IndexOutside { .. } => (
            trap.kind.to_string(),
            "test the index before the access: what was touched is another part of the same object",
        ),
        TrapKind::WarpDivergence { .. } | TrapKind::LaneNotInMask { .. } => {
            (trap.kind.to_string(), "name exactly the lanes that get here")
        }
        TrapKind::Misaligned { .. } => {
            (trap.kind.to_string(), "use a pointer to a type of smaller alignment, or `vloadn`")
        }
        TrapKind::ReadOnly { object } if caller == Caller::Program && element(kernel, object).is_some() => {
            (trap.kind.to_string(), "make the buffer without `CL_MEM_READ_ONLY`")
        }
        TrapKind::WriteOnly { .. } => (trap.kind.to_string(), "make the buffer without `CL_MEM_WRITE_ONLY`"),
        TrapKind::ReadOnly { .. } => (trap.kind.to_string(), "copy it to memory that may be written"),
        TrapKind::Trap => {
            ("the kernel stopped itself (`assert`, `__trap`)".to_owned(), "see the condition at this place")
        }
        TrapKind::StackOverflow => (trap.kind.to_string(), "bound the recursion"),
        TrapKind::MemoryLimit | TrapKind::BadLaunch { .. } => (trap.kind.to_string(), "use a smaller launch"),
        TrapKind::Unsupported { .. } => (trap.kind.to_string(), "only the machine itself can run this"),
        _ => (trap.kind.to_string(), "this must not happen in a correct kernel"),
    }
}

/// The same for an access of what is not there, or holds nothing yet.
fn describe_access(kind: &TrapKind, kernel: &KernelInfo, caller: Caller) -> (String, &'static str) {
    match kind {
        TrapKind::OutOfBounds { access, object, bytes, offset, size, .. } if !object.is_empty() => {
            let at = place(kernel, object, *offset);
            let has = match element(kernel, object) {
                Some(e) => format!("{} element{}", size / e, if size / e == 1 { "" } else { "s" }),
                None => format!("{size} bytes"),
            };
            let what = format!("out-of-bounds {} of {bytes} bytes: {at}, but {object} has {has}", word(*access));
            (what, "test the index before the access, or pass a larger buffer")
        }
        TrapKind::OutOfBounds { access, bytes, address, .. } => {
            let null = if *address < 1 << 20 { " (a null pointer?)" } else { "" };
            (
                format!("out-of-bounds {} of {bytes} bytes through a pointer to no buffer{null}", word(*access)),
                "check where the pointer comes from",
            )
        }
        TrapKind::UninitialisedRead { object, offset, .. } if !is_buffer(kernel, object) => (
            format!("read of uninitialised memory: {}", place(kernel, object, *offset as i64)),
            "write it before; if another work-item of the group does, put a barrier between its write and this read",
        ),
        TrapKind::UninitialisedRead { object, offset, .. } => (
            format!("read of uninitialised memory: {}", place(kernel, object, *offset as i64)),
            match caller {
                Caller::Command => {
                    "write it before; a buffer given as `out:` has no contents, one given as `zeros:` or `inout:zeros:` has"
                }
                Caller::Program => {
                    "write it before, in a kernel or with `clEnqueueWriteBuffer` or `clEnqueueFillBuffer`"
                }
            },
        ),
        _ => (kind.to_string(), "this must not happen in a correct kernel"),
    }
}

/// The same for two accesses that nothing orders.
fn describe_race(kind: &TrapKind, kernel: &KernelInfo, shape: &Launch) -> (String, &'static str) {
    match kind {
        TrapKind::DataRace { object, offset, other, other_access, access, .. } if is_copy(*other) => (
            format!(
                "data race on {}: {} here, {} by an asynchronous copy that nobody has waited for",
                place(kernel, object, *offset as i64),
                word(*access),
                word(*other_access)
            ),
            "wait for the copy's event before, with `wait_group_events`",
        ),
        TrapKind::DataRace { object, offset, other_access, access, .. } => (
            format!(
                "data race on {}: {} here, {} by another work-item, and no barrier between them",
                place(kernel, object, *offset as i64),
                word(*access),
                word(*other_access)
            ),
            "put a barrier that orders this memory (`CLK_LOCAL_MEM_FENCE`, `CLK_GLOBAL_MEM_FENCE`) between the two, or use an \
             atomic operation",
        ),
        TrapKind::GroupRace { object, offset, other_group, other_access, access, .. } => {
            let group = group_of(*other_group, shape)[..shape.range.work_dim as usize]
                .iter()
                .map(u32::to_string)
                .collect::<Vec<_>>()
                .join(",");
            let message = format!(
                "data race on {}: {} here, {} by work-group {group}, and nothing orders work-groups",
                place(kernel, object, *offset as i64),
                word(*access),
                word(*other_access)
            );
            (message, "let one group touch it, use atomic operations for both, or a second launch for what comes after")
        }
        _ => (kind.to_string(), "this must not happen in a correct kernel"),
    }
}
