//! Accesses to memory: all that may be wrong with one makes [`super`] give up.

use super::code::Step;
use super::run::{Activation, Chunk, Worker};
use super::tags::How;
use super::{GiveUp, LANES, Mask, Outcome, Reg};
use crate::decode::{Data, MAX_LANES};
use crate::memory::{Tag, locate};
use crate::trap::{Access, TrapKind};
use smallvec::SmallVec;

/// Bytes on their way, which are mostly few.
type Bytes = SmallVec<[u8; 64]>;

/// Where an access goes: the kind of memory, and the first byte there.
type Place = (Tag, usize);

impl Worker<'_> {
    /// Where an access of a lane goes.
    #[inline(always)]
    fn find(&self, chunk: &Chunk, lane: usize, address: u64, len: u64, writes: bool) -> Outcome<Place> {
        let tag = Tag::of_address(address).ok_or(GiveUp)?;
        let (objects, each, first) = match tag {
            Tag::Global => (&self.global.objects, 1, 0),
            Tag::Constant => (&self.constant.objects, 1, 0),
            Tag::Shared => (&self.shared.objects, 1, chunk.lanes[lane].slot * self.shared_len),
            Tag::Private => (&chunk.private, LANES, 0),
            Tag::Param => (&self.params.objects, 1, 0),
        };
        let (at, o) = locate(objects, address, len).ok_or(GiveUp)?;
        if writes && (o.read_only || matches!(tag, Tag::Constant | Tag::Param)) || !writes && o.write_only {
            return Err(GiveUp);
        }
        let own = if each == LANES { lane * o.size as usize } else { 0 };
        Ok((tag, first + o.start + own + at))
    }

    /// An address operand of a lane: defined, in the space that its type says, aligned.
    #[inline(always)]
    fn address(&self, act: &Activation, lane: usize, s: &Step, n: usize) -> Outcome<u64> {
        let r = s.op.args[n];
        let address = act.regs[r as usize][lane];
        let Data::Mem { align } = s.op.data else { return Err(GiveUp) };
        let fits = self.common.target.has_flat_memory()
            || Tag::of_address(address).is_some_and(|tag| tag.fits(s.op.spaces[n]));
        let undefined = s.tracked && act.is_undefined(r, lane);
        if fits && !undefined && address & (u64::from(align) - 1) == 0 { Ok(address) } else { Err(GiveUp) }
    }

    /// Bytes of memory, and which of them are undefined.
    #[inline(always)]
    fn bytes<'a>(&'a self, chunk: &'a Chunk, (tag, at): Place, len: usize) -> (&'a [u8], &'a [u8]) {
        let (bytes, undefined) = match tag {
            Tag::Global => (&self.global.bytes, &self.global.shadow),
            Tag::Constant => (&self.constant.bytes, &self.constant.shadow),
            Tag::Shared => (&self.shared_bytes, &self.shared_undefined),
            Tag::Private => (&chunk.bytes, &chunk.undefined),
            Tag::Param => (&self.params.bytes, &self.params.shadow),
        };
        (&bytes[at..at + len], &undefined[at..at + len])
    }

    /// Notes who accesses memory.
    #[inline(always)]
    fn touch(
        &mut self,
        chunk: &Chunk,
        lane: usize,
        (tag, at): Place,
        len: usize,
        how: impl Fn(usize) -> How,
    ) -> Outcome {
        let fine = match tag {
            Tag::Global => {
                let who = self.who(chunk, lane, false);
                self.tags.touch(at, len, who, how)
            }
            Tag::Shared => {
                let who = self.who(chunk, lane, true);
                self.shared_tags.touch(at, len, who, how)
            }
            _ => true,
        };
        if fine { Ok(()) } else { Err(GiveUp) }
    }

    pub(super) fn load(&mut self, chunk: &mut Chunk, act: &mut Activation, s: &Step, mask: &Mask) -> Outcome {
        match (s.op.bits, s.op.lanes) {
            (32, 1) => self.load_of::<4>(chunk, act, s, mask),
            (64, 1) => self.load_of::<8>(chunk, act, s, mask),
            _ => self.load_of::<0>(chunk, act, s, mask),
        }
    }

    /// A load of `N` bytes, or of any number of them where `N` is 0.
    #[inline(always)]
    fn load_of<const N: usize>(&mut self, chunk: &mut Chunk, act: &mut Activation, s: &Step, mask: &Mask) -> Outcome {
        let each = if N == 0 { usize::from(s.op.bits.div_ceil(8)) } else { N };
        let len = if N == 0 { each * usize::from(s.op.lanes) } else { N };
        for l in mask.lanes() {
            let address = self.address(act, l, s, 0)?;
            let place = self.find(chunk, l, address, len as u64, false)?;
            let (bytes, undefined) = self.bytes(chunk, place, len);
            let unwritten = if is_zero(undefined) { SmallVec::new() } else { Bytes::from_slice(undefined) };
            for (c, bytes) in bytes.chunks_exact(each).enumerate() {
                let v = read(bytes);
                act.regs[s.op.dst as usize + c][l] = if s.op.bits == 1 { v & 1 } else { v };
            }
            self.touch(chunk, l, place, len, |_| How::Read)?;
            if self.remembers_of(place.0) {
                self.race((chunk, l), (act.func, s), (address, len as u64), Access::Read, |_| false);
            }
            for (c, lane) in unwritten.chunks_exact(each).enumerate() {
                if let Some(n) = lane.iter().position(|&b| b != 0) {
                    self.uninitialised((chunk, l), (act.func, s), address, (c * each + n) as u64);
                }
            }
        }
        Ok(())
    }

    /// A byte of what is read was never written.
    #[cold]
    fn uninitialised(&mut self, (chunk, l): (&Chunk, usize), (func, s): (usize, &Step), address: u64, n: u64) {
        let objects = match Tag::of_address(address) {
            Some(Tag::Private) => &chunk.private,
            Some(Tag::Shared) => &self.shared.objects,
            Some(Tag::Constant) => &self.constant.objects,
            Some(Tag::Param) => &self.params.objects,
            _ => &self.global.objects,
        };
        let (name, base) = locate(objects, address, 1).map_or((0, 0), |(_, o)| (o.name, o.base));
        let object = self.common.names.get(name as usize).cloned().unwrap_or_default();
        let offset = (address & 0xffff_ffff) - base + n;
        self.note(chunk, l, func, s, TrapKind::UninitialisedRead { address, object, offset });
    }

    fn remembers_of(&self, tag: Tag) -> bool {
        matches!(tag, Tag::Global | Tag::Shared) && self.remembers(tag == Tag::Shared)
    }

    pub(super) fn store(&mut self, chunk: &mut Chunk, act: &mut Activation, s: &Step, mask: &Mask) -> Outcome {
        match (s.op.bits, s.op.lanes) {
            (32, 1) => self.store_of::<4, 8>(chunk, act, s, mask),
            (64, 1) => self.store_of::<8, 8>(chunk, act, s, mask),
            _ => self.store_of::<0, { 8 * MAX_LANES }>(chunk, act, s, mask),
        }
    }

    /// A store of `N` bytes, or of any number of them up to `MOST` where `N` is 0.
    #[inline(always)]
    fn store_of<const N: usize, const MOST: usize>(
        &mut self,
        chunk: &mut Chunk,
        act: &mut Activation,
        s: &Step,
        mask: &Mask,
    ) -> Outcome {
        let each = if N == 0 { usize::from(s.op.bits.div_ceil(8)) } else { N };
        let len = if N == 0 { each * usize::from(s.op.lanes) } else { N };
        let mut new = [0u8; MOST];
        let mut undefined = [0u8; MOST];
        for l in mask.lanes() {
            let address = self.address(act, l, s, 0)?;
            let place = self.find(chunk, l, address, len as u64, true)?;
            for c in 0..len / each {
                let r = s.op.args[1] as usize + c;
                new[c * each..(c + 1) * each].copy_from_slice(&act.regs[r][l].to_le_bytes()[..each]);
                if s.tracked {
                    let shadow = act.shadow[r][l];
                    let bytes = undefined[c * each..(c + 1) * each].iter_mut().enumerate();
                    bytes.for_each(|(n, b)| *b = (shadow >> n & 1) as u8);
                    if shadow & crate::decode::POISON != 0 {
                        return Err(GiveUp);
                    }
                }
            }
            if s.tracked && place.0 != Tag::Private && !is_zero(&undefined[..len]) {
                return Err(GiveUp);
            }
            self.write(
                (chunk, l),
                (act.func, s),
                (place, address),
                &new[..len],
                s.tracked.then_some(&undefined[..len]),
            )?;
        }
        Ok(())
    }

    /// Writes bytes, all of which are defined unless it is said which are not.
    #[inline(always)]
    fn write(
        &mut self,
        (chunk, lane): (&mut Chunk, usize),
        step: (usize, &Step),
        (place, address): (Place, u64),
        new: &[u8],
        undefined: Option<&[u8]>,
    ) -> Outcome {
        if matches!(place.0, Tag::Global | Tag::Shared) {
            let (before, _) = self.bytes(chunk, place, new.len());
            if new.len() <= 8 {
                let different = read(before) ^ read(new);
                let how = |n: usize| if different >> (8 * n) & 255 != 0 { How::Change } else { How::Same };
                self.touch(chunk, lane, place, new.len(), how)?;
                if self.remembers_of(place.0) {
                    let changes = |n: u64| how(n as usize) == How::Change;
                    self.race((chunk, lane), step, (address, new.len() as u64), Access::Write, changes);
                }
            } else {
                let before = Bytes::from_slice(before);
                let how = |n: usize| if before[n] != new[n] { How::Change } else { How::Same };
                self.touch(chunk, lane, place, new.len(), how)?;
                if self.remembers_of(place.0) {
                    let changes = |n: u64| how(n as usize) == How::Change;
                    self.race((chunk, lane), step, (address, new.len() as u64), Access::Write, changes);
                }
            }
        }
        let (bytes, shadow) = match place.0 {
            Tag::Global => (&mut self.global.bytes, &mut self.global.shadow),
            Tag::Shared => (&mut self.shared_bytes, &mut self.shared_undefined),
            Tag::Private => (&mut chunk.bytes, &mut chunk.undefined),
            Tag::Constant | Tag::Param => return Err(GiveUp),
        };
        let range = place.1..place.1 + new.len();
        put(&mut bytes[range.clone()], new);
        match undefined {
            Some(undefined) => shadow[range].copy_from_slice(undefined),
            None => shadow[range].fill(0),
        }
        Ok(())
    }

    /// Copies bytes with what is known of them.
    pub(super) fn copy_bytes(
        &mut self,
        chunk: &mut Chunk,
        step: (usize, &Step),
        (to, from): (&Reg, &Reg),
        len: u64,
        mask: &Mask,
    ) -> Outcome {
        for l in mask.lanes() {
            self.copy_of_lane((chunk, l), step, (to[l], from[l]), len)?;
        }
        Ok(())
    }

    fn copy_of_lane(
        &mut self,
        (chunk, l): (&mut Chunk, usize),
        step: (usize, &Step),
        (to, from): (u64, u64),
        len: u64,
    ) -> Outcome {
        let source = self.find(chunk, l, from, len, false)?;
        let target = self.find(chunk, l, to, len, true)?;
        self.touch(chunk, l, source, len as usize, |_| How::Read)?;
        if self.remembers_of(source.0) {
            self.race((chunk, l), step, (from, len), Access::Read, |_| false);
        }
        let (bytes, undefined) = self.bytes(chunk, source, len as usize);
        let (bytes, undefined) = (Bytes::from_slice(bytes), Bytes::from_slice(undefined));
        self.write((chunk, l), step, (target, to), &bytes, Some(&undefined))
    }

    pub(super) fn memcpy(&mut self, chunk: &mut Chunk, act: &Activation, s: &Step, mask: &Mask) -> Outcome {
        for l in mask.lanes() {
            let len = length(act, l, s)?;
            if len != 0 {
                let (to, from) = (self.address(act, l, s, 0)?, self.address(act, l, s, 1)?);
                self.copy_of_lane((chunk, l), (act.func, s), (to, from), len)?;
            }
        }
        Ok(())
    }

    pub(super) fn memset(&mut self, chunk: &mut Chunk, act: &Activation, s: &Step, mask: &Mask) -> Outcome {
        let value = s.op.args[1];
        for l in mask.lanes() {
            let len = length(act, l, s)?;
            if s.tracked && act.is_undefined(value, l) {
                return Err(GiveUp);
            }
            if len != 0 {
                let to = self.address(act, l, s, 0)?;
                let target = self.find(chunk, l, to, len, true)?;
                let bytes = Bytes::from_elem(act.regs[value as usize][l] as u8, len as usize);
                self.write((chunk, l), (act.func, s), (target, to), &bytes, None)?;
            }
        }
        Ok(())
    }
}

/// A number of bytes that an operation is given.
fn length(act: &Activation, l: usize, s: &Step) -> Outcome<u64> {
    let r = s.op.args[2];
    if s.tracked && act.is_undefined(r, l) { Err(GiveUp) } else { Ok(act.regs[r as usize][l]) }
}

#[inline(always)]
fn read(bytes: &[u8]) -> u64 {
    match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => bytes.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b)),
    }
}

/// Copies bytes: a few without a call.
#[inline(always)]
fn put(to: &mut [u8], from: &[u8]) {
    match (to, from) {
        ([a, b, c, d], &[e, f, g, h]) => (*a, *b, *c, *d) = (e, f, g, h),
        (to, from) => to.copy_from_slice(from),
    }
}

#[inline(always)]
fn is_zero(bytes: &[u8]) -> bool {
    match bytes.len() {
        4 | 8 => read(bytes) == 0,
        _ => bytes.iter().all(|&b| b == 0),
    }
}
