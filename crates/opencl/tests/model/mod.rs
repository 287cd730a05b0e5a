//! A model of buffers: plain arrays of bytes, and what each call must answer, worked out from the specification byte by
//! byte and not as the driver does it.

#![allow(unreachable_pub, reason = "a module of a test")]

pub mod random;

use std::collections::BTreeSet;

pub const SUCCESS: i32 = 0;
pub const COPY_OVERLAP: i32 = -8;
pub const MISALIGNED: i32 = -13;
pub const INVALID_VALUE: i32 = -30;
pub const INVALID_CONTEXT: i32 = -34;
pub const INVALID_QUEUE: i32 = -36;
pub const INVALID_MEM_OBJECT: i32 = -38;
pub const INVALID_WAIT_LIST: i32 = -57;
pub const INVALID_OPERATION: i32 = -59;
pub const INVALID_BUFFER_SIZE: i32 = -61;

/// A buffer: a window on one of the stores.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub store: usize,
    pub start: usize,
    pub size: usize,
    pub flags: u64,
    pub is_part: bool,
    /// Offset, size, whether for writing.
    pub mapped: Vec<(usize, usize, bool)>,
}

/// What stands where a call wants a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handle {
    Live(usize),
    Null,
    Released,
    OfAnotherContext,
    Queue,
}

/// What stands where a call wants events to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waits {
    Right,
    CountWithoutList,
    ListWithoutCount,
    NullEvent,
    OfAnotherContext,
}

/// One side of a rectangle.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub origin: Option<[usize; 3]>,
    pub row: usize,
    pub slice: usize,
}

#[derive(Clone, Debug)]
pub enum Op {
    Part { flags: u64, create_type: u32, region: Option<(usize, usize)> },
    Transfer { write: bool, offset: usize, size: usize, null: bool },
    Copy { to: Handle, from_at: usize, to_at: usize, size: usize },
    Fill { pattern: Option<Vec<u8>>, pattern_size: usize, offset: usize, size: usize },
    Map { flags: u64, offset: usize, size: usize },
    Unmap { which: Option<usize> },
    Rect { write: bool, region: Option<[usize; 3]>, inside: Side, outside: Side, null: bool },
    CopyRect { to: Handle, region: Option<[usize; 3]>, from: Side, into: Side },
}

/// A call: the operation and what all have.
#[derive(Clone, Debug)]
pub struct Call {
    pub queue_is_valid: bool,
    pub buffer: Handle,
    pub waits: Waits,
    pub op: Op,
}

#[derive(Default)]
pub struct Model {
    pub stores: Vec<Vec<u8>>,
    pub buffers: Vec<Buffer>,
}

/// The bytes of a region, row by row, as offsets; or why there are none.
pub fn places(side: &Side, region: [usize; 3], limit: Option<usize>) -> Result<Vec<usize>, i32> {
    let wide = |n: usize| n as u128;
    let origin = side.origin.ok_or(INVALID_VALUE)?;
    if region.contains(&0) {
        return Err(INVALID_VALUE);
    }
    let row = if side.row == 0 { wide(region[0]) } else { wide(side.row) };
    let dense = wide(region[1]).saturating_mul(row);
    let slice = if side.slice == 0 { dense } else { wide(side.slice) };
    if row < wide(region[0]) || slice < dense || side.slice != 0 && slice % row != 0 {
        return Err(INVALID_VALUE);
    }
    let at = |p: [u128; 3]| {
        (wide(origin[2]) + p[2])
            .saturating_mul(slice)
            .saturating_add((wide(origin[1]) + p[1]).saturating_mul(row))
            .saturating_add(wide(origin[0]) + p[0])
    };
    let last = at(region.map(|n| wide(n) - 1));
    if last >= limit.map_or(u128::from(u64::MAX), wide) {
        return Err(INVALID_VALUE);
    }
    let mut all = Vec::new();
    for z in 0..region[2] {
        for y in 0..region[1] {
            all.extend((0..region[0]).map(|x| at([wide(x), wide(y), wide(z)]) as usize));
        }
    }
    Ok(all)
}

impl Model {
    /// Which buffer a handle is, if it can be used with the queue.
    fn find(&self, handle: Handle) -> Result<&Buffer, i32> {
        match handle {
            Handle::Live(n) => Ok(&self.buffers[n]),
            Handle::OfAnotherContext => Err(INVALID_CONTEXT),
            _ => Err(INVALID_MEM_OBJECT),
        }
    }

    fn inside(buffer: &Buffer, offset: usize, size: usize) -> Result<(), i32> {
        let end = offset as u128 + size as u128;
        if end > buffer.size as u128 { Err(INVALID_VALUE) } else { Ok(()) }
    }

    fn host(buffer: &Buffer, reads: bool, writes: bool) -> Result<(), i32> {
        let [write_only, read_only, none] = [7, 8, 9].map(|bit| buffer.flags >> bit & 1 == 1);
        let refused = none && (reads || writes) || write_only && reads || read_only && writes;
        if refused { Err(INVALID_OPERATION) } else { Ok(()) }
    }

    /// What the call must answer.
    pub fn expected(&self, call: &Call) -> i32 {
        self.check(call).err().unwrap_or(SUCCESS)
    }

    fn check(&self, call: &Call) -> Result<(), i32> {
        if let Op::Part { flags, create_type, region } = &call.op {
            return self.check_part(call.buffer, *flags, *create_type, *region);
        }
        if !call.queue_is_valid {
            return Err(INVALID_QUEUE);
        }
        let buffer = self.find(call.buffer)?;
        let need = |condition: bool| if condition { Ok(()) } else { Err(INVALID_VALUE) };
        match &call.op {
            Op::Part { .. } => unreachable!("checked above"),
            Op::Transfer { write, offset, size, null } => {
                Self::inside(buffer, *offset, *size)?;
                need(!null)?;
                Self::waits(call.waits)?;
                Self::host(buffer, !write, *write)
            }
            Op::Copy { to, from_at, to_at, size } => {
                let target = self.find(*to)?;
                Self::inside(buffer, *from_at, *size)?;
                Self::inside(target, *to_at, *size)?;
                Self::waits(call.waits)?;
                let from: BTreeSet<_> = (0..*size).map(|n| (buffer.store, buffer.start + from_at + n)).collect();
                let shared = (0..*size).any(|n| from.contains(&(target.store, target.start + to_at + n)));
                if shared { Err(COPY_OVERLAP) } else { Ok(()) }
            }
            Op::Fill { pattern, pattern_size, offset, size } => {
                Self::inside(buffer, *offset, *size)?;
                need(pattern.is_some() && [1, 2, 4, 8, 16, 32, 64, 128].contains(pattern_size))?;
                need(offset % pattern_size == 0 && size % pattern_size == 0)?;
                Self::waits(call.waits)
            }
            Op::Map { flags, offset, size } => {
                Self::inside(buffer, *offset, *size)?;
                need(*size > 0 && [0, 1, 2, 3, 4].contains(flags))?;
                Self::waits(call.waits)?;
                Self::host(buffer, flags & 1 != 0, flags & 6 != 0)?;
                let bytes = buffer.start + offset..buffer.start + offset + size;
                let taken = self.buffers.iter().filter(|b| b.store == buffer.store).any(|b| {
                    b.mapped
                        .iter()
                        .any(|&(o, s, w)| w && bytes.clone().any(|x| (b.start + o..b.start + o + s).contains(&x)))
                });
                if flags & 6 != 0 && taken { Err(INVALID_OPERATION) } else { Ok(()) }
            }
            Op::Unmap { which } => {
                need(which.is_some_and(|n| n < buffer.mapped.len()))?;
                Self::waits(call.waits)
            }
            Op::Rect { write, region, inside, outside, null } => {
                let region = region.ok_or(INVALID_VALUE)?;
                places(inside, region, Some(buffer.size))?;
                places(outside, region, None)?;
                need(!null)?;
                Self::waits(call.waits)?;
                Self::host(buffer, !write, *write)
            }
            Op::CopyRect { to, region, from, into } => {
                let target = self.find(*to)?;
                let region = region.ok_or(INVALID_VALUE)?;
                let source = places(from, region, Some(buffer.size))?;
                let destination = places(into, region, Some(target.size))?;
                let pitches = |side: &Side| {
                    let row = if side.row == 0 { region[0] } else { side.row };
                    (row, if side.slice == 0 { region[1] * row } else { side.slice })
                };
                need(call.buffer != *to || pitches(from) == pitches(into))?;
                Self::waits(call.waits)?;
                let source: BTreeSet<_> = source.iter().map(|at| buffer.start + at).collect();
                let shared = destination.iter().any(|at| source.contains(&(target.start + at)));
                if buffer.store == target.store && shared { Err(COPY_OVERLAP) } else { Ok(()) }
            }
        }
    }

    fn waits(waits: Waits) -> Result<(), i32> {
        match waits {
            Waits::Right => Ok(()),
            Waits::OfAnotherContext => Err(INVALID_CONTEXT),
            _ => Err(INVALID_WAIT_LIST),
        }
    }

    fn check_part(&self, of: Handle, flags: u64, create_type: u32, region: Option<(usize, usize)>) -> Result<(), i32> {
        let buffer = match of {
            Handle::Live(n) if !self.buffers[n].is_part => &self.buffers[n],
            // Sub-buffers are made without a queue, so no context is wrong; what is made of it is not used further.
            Handle::OfAnotherContext => return Err(SUCCESS),
            _ => return Err(INVALID_MEM_OBJECT),
        };
        let allowed_kernel: &[u64] = match buffer.flags & 7 {
            2 => &[0, 2],
            4 => &[0, 4],
            _ => &[0, 1, 2, 4],
        };
        let allowed_host: &[u64] = match buffer.flags >> 7 & 7 {
            1 => &[0, 1, 4],
            2 => &[0, 2, 4],
            4 => &[0, 4],
            _ => &[0, 1, 2, 4],
        };
        let known = flags & !0x387 == 0;
        if !known || !allowed_kernel.contains(&(flags & 7)) || !allowed_host.contains(&(flags >> 7 & 7)) {
            return Err(INVALID_VALUE);
        }
        let (0x1220, Some((origin, size))) = (create_type, region) else { return Err(INVALID_VALUE) };
        Self::inside(buffer, origin, size)?;
        match (size, origin % 128) {
            (0, _) => Err(INVALID_BUFFER_SIZE),
            (_, 0) => Ok(()),
            _ => Err(MISALIGNED),
        }
    }

    /// The bytes of a buffer.
    pub fn bytes(&mut self, buffer: usize) -> &mut [u8] {
        let Buffer { store, start, size, .. } = self.buffers[buffer];
        &mut self.stores[store][start..start + size]
    }
}
