//! Random calls: right ones, and what is wrong with others.

use super::{Call, Handle, Model, Op, Side, Waits};

/// Marsaglia's xorshift.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// A part of `size`: where it begins, and how long it is.
    pub fn range(&mut self, size: usize) -> (usize, usize) {
        let start = self.below(size + 1);
        (start, self.below(size - start + 1))
    }

    /// A number that is often too large.
    pub fn wild(&mut self, size: usize) -> usize {
        self.pick(&[0, 1, size.wrapping_sub(1), size, size + 1, 129, usize::MAX, usize::MAX - 7, 1 << 63])
    }

    pub fn bytes(&mut self, size: usize) -> Vec<u8> {
        (0..size).map(|_| self.next() as u8).collect()
    }
}

/// A call with right arguments, as far as the buffer has the right size and flags.
pub fn call(r: &mut Random, model: &Model) -> Call {
    let count = model.buffers.len();
    let (n, m) = (r.below(count), r.below(count));
    let (size, other) = (model.buffers[n].size, model.buffers[m].size);
    let ((offset, length), write) = (r.range(size), r.chance(50));
    let region = [1 + r.below(6), 1 + r.below(4), 1 + r.below(3)];
    let op = match r.below(8) {
        0 => Op::Part {
            flags: 0,
            create_type: 0x1220,
            region: Some((offset / 128 * 128, (size - offset / 128 * 128).min(1 + length))),
        },
        1 => {
            let size = length.min(other);
            Op::Copy { to: Handle::Live(m), from_at: offset, to_at: r.below(other - size + 1), size }
        }
        2 => {
            let unit = 1 << r.below(8);
            let pattern = Some(r.bytes(128));
            Op::Fill { pattern, pattern_size: unit, offset: offset / unit * unit, size: length / unit * unit }
        }
        3 => Op::Map {
            flags: r.pick(&[1, 2, 3, 4]),
            offset: offset.min(size - 1),
            size: length.clamp(1, size - offset.min(size - 1)),
        },
        4 => Op::Unmap { which: Some(r.below(model.buffers[n].mapped.len())) },
        5 => Op::Rect { write, region: Some(region), inside: side(r, region), outside: side(r, region), null: false },
        6 => {
            let from = side(r, region);
            let into = if n == m { Side { origin: side(r, region).origin, ..from } } else { side(r, region) };
            Op::CopyRect { to: Handle::Live(m), region: Some(region), from, into }
        }
        _ => Op::Transfer { write, offset, size: length, null: false },
    };
    Call { queue_is_valid: true, buffer: Handle::Live(n), waits: Waits::Right, op }
}

/// Makes an argument wrong, or at least strange.
pub fn spoil(r: &mut Random, call: &mut Call) {
    let handles = [Handle::Null, Handle::Released, Handle::OfAnotherContext, Handle::Queue];
    let is_part = matches!(call.op, Op::Part { .. });
    match r.below(6) {
        // The loader itself looks at the first argument.
        0 if !is_part => call.buffer = r.pick(&handles),
        1 => {
            let all = [Waits::CountWithoutList, Waits::ListWithoutCount, Waits::NullEvent, Waits::OfAnotherContext];
            call.waits = r.pick(&all);
        }
        2 if !is_part => call.queue_is_valid = false,
        _ => spoil_op(r, &mut call.op, &handles),
    }
}

/// A way to lay out a region.
fn side(r: &mut Random, region: [usize; 3]) -> Side {
    let row = if r.chance(30) { 0 } else { region[0] + r.below(4) };
    let pitch = if row == 0 { region[0] } else { row };
    let slice = if r.chance(30) { 0 } else { (region[1] + r.below(2)) * pitch };
    Side { origin: Some([r.below(9), r.below(3), r.below(2)]), row, slice }
}

fn spoil_side(r: &mut Random, side: &mut Side, region: &Option<[usize; 3]>) {
    let [width, height, _] = region.unwrap_or([1; 3]);
    match r.below(4) {
        0 => side.origin = None,
        1 => side.origin = Some([usize::MAX, 0, 0]),
        2 => side.row = width - 1,
        _ => side.slice = r.pick(&[width * height + 1, (width * height).saturating_sub(1), 1]),
    }
}

fn spoil_op(r: &mut Random, op: &mut Op, handles: &[Handle]) {
    match op {
        Op::Part { flags, create_type, region } => match r.below(4) {
            0 => *flags = r.next() & 0x7BF,
            1 => *create_type = 0,
            2 => *region = None,
            _ => *region = Some((r.wild(256), r.wild(256))),
        },
        Op::Transfer { offset, size, null, .. } => match r.below(3) {
            0 => *null = true,
            1 => *offset = r.wild(*size),
            _ => *size = usize::MAX - r.below(800),
        },
        Op::Copy { to, from_at, to_at, size } => match r.below(4) {
            0 => *to = r.pick(handles),
            1 => *from_at = r.wild(*from_at),
            2 => *to_at = r.wild(*to_at),
            _ => *size = usize::MAX - r.below(800),
        },
        Op::Fill { pattern, pattern_size, offset, size } => match r.below(4) {
            0 => *pattern = None,
            1 => *pattern_size = r.pick(&[0, 3, 24, 256, usize::MAX]),
            2 => *offset = r.wild(*offset),
            _ => *size = usize::MAX - r.below(300),
        },
        Op::Map { flags, offset, size } => match r.below(3) {
            0 => *flags = r.next() & 15,
            1 => *offset = r.wild(*offset),
            _ => *size = r.pick(&[0, usize::MAX, 701]),
        },
        Op::Unmap { which } => *which = None,
        Op::Rect { region, inside, outside, null, .. } => match r.below(4) {
            0 => *null = true,
            1 => *region = r.pick(&[None, Some([0, 1, 1]), Some([1, 0, 1]), Some([1, 1, 0])]),
            2 => spoil_side(r, inside, region),
            _ => spoil_side(r, outside, region),
        },
        Op::CopyRect { to, region, from, into } => match r.below(4) {
            0 => *to = r.pick(handles),
            1 => *region = r.pick(&[None, Some([0, 1, 1]), Some([1, 0, 1]), Some([1, 1, 0]), Some([usize::MAX; 3])]),
            2 => spoil_side(r, from, region),
            _ => spoil_side(r, into, region),
        },
    }
}
