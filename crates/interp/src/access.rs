//! Accesses to memory: where an address leads, whether it may be used so, and what is read or written there.

use crate::between::Who;
use crate::copies::Lanes;
use crate::decode::{Code, Data, MAX_LANES, Op, Shadow};
use crate::exec::{Exec, Item, Outcome};
use crate::memory::{Arena, Tag};
use crate::trap::{Access, TrapKind};
use crate::{Uninit, lanes};
use ir::{Flags, Opcode, ScalarKind};
use smallvec::SmallVec;
use source::Span;
use std::ops::Range;

/// Bytes on their way, which are mostly few.
type Bytes = SmallVec<[u8; 64]>;

/// Where an access goes.
pub(crate) struct Place {
    pub(crate) tag: Tag,
    pub(crate) at: usize,
    pub(crate) name: u32,
}

impl Exec<'_> {
    #[inline]
    pub(crate) fn arena<'a>(&'a mut self, item: &'a mut Item, tag: Tag) -> &'a mut Arena {
        match tag {
            Tag::Global => self.global,
            Tag::Constant => self.constant,
            Tag::Shared => &mut self.shared,
            Tag::Private => &mut item.private,
            Tag::Param => &mut self.params,
        }
    }

    pub(crate) fn object_name(&self, name: u32) -> String {
        self.names.get(name as usize).cloned().unwrap_or_default()
    }

    #[inline]
    pub(crate) fn locate(&mut self, item: &mut Item, address: u64, len: u64, access: Access) -> Outcome<Place> {
        match self.locate_at_once(item, address, len, access) {
            Some(place) => Ok(place),
            None => self.locate_with_care(item, address, len, access),
        }
    }

    /// Where an access goes with which nothing is wrong.
    #[inline]
    fn locate_at_once(&mut self, item: &mut Item, address: u64, len: u64, access: Access) -> Option<Place> {
        if item.said.has_index() {
            return None;
        }
        let tag = Tag::of_address(address)?;
        let (at, o) = self.arena(item, tag).locate(address, len)?;
        let wrong = o.read_only && access != Access::Read || o.write_only && access != Access::Write;
        (!wrong).then_some(Place { tag, at, name: o.name })
    }

    /// Where an access goes, and what is wrong with it.
    #[cold]
    fn locate_with_care(&mut self, item: &mut Item, address: u64, len: u64, access: Access) -> Outcome<Place> {
        let Some(tag) = Tag::of_address(address) else { return Err(self.out_of_bounds(item, address, len, access)) };
        match self.arena(item, tag).locate(address, len) {
            Some((at, o)) => {
                let (name, read_only, write_only) = (o.name, o.read_only, o.write_only);
                self.check_index(item)?;
                if read_only && access != Access::Read {
                    let kind = TrapKind::ReadOnly { object: self.object_name(name) };
                    // A buffer can be written all the same.
                    if tag != Tag::Global {
                        return Err(kind);
                    }
                    self.fault(item, kind)?;
                }
                if write_only && access != Access::Write {
                    self.fault(item, TrapKind::WriteOnly { object: self.object_name(name) })?;
                }
                Ok(Place { tag, at, name })
            }
            None => Err(self.out_of_bounds(item, address, len, access)),
        }
    }

    fn out_of_bounds(&mut self, item: &mut Item, address: u64, bytes: u64, access: Access) -> TrapKind {
        Self::forget_index(item);
        if let Some(left) = self.beyond.find(address) {
            let (name, size) = (left.name, left.size);
            let (object, offset) = (self.object_name(name), left.offset);
            return TrapKind::OutOfBounds { access, address, bytes, object, offset, size };
        }
        let mut near = None;
        if let Some(tag) = Tag::of_address(address) {
            let arena = self.arena(item, tag);
            near = arena.objects.get(crate::memory::object_of(address)).map(|o| (o.name, o.size, o.base));
        }
        let (object, size, base) = match near {
            Some((name, size, base)) => (self.object_name(name), size, base),
            None => (String::new(), 0, 0),
        };
        let offset = (address & 0xffff_ffff) as i64 - base as i64;
        TrapKind::OutOfBounds { access, address, bytes, object, offset, size }
    }

    /// Checks an address operand: defined, in the space that its type says, aligned.
    #[inline]
    fn address(&mut self, item: &Item, base: usize, op: &Op, n: usize, align: u32) -> Outcome<u64> {
        let r = base + op.args[n] as usize;
        let address = item.regs[r];
        let fits = self.flat || Tag::of_address(address).is_some_and(|tag| tag.fits(op.spaces[n]));
        if item.shadow[r] == 0 && address >> 56 != 0 && fits && address & (u64::from(align) - 1) == 0 {
            return Ok(address);
        }
        self.address_with_care(item, r, op, n, align)
    }

    /// An address operand with which something may be wrong, or which is the host's.
    #[cold]
    fn address_with_care(&mut self, item: &Item, r: usize, op: &Op, n: usize, align: u32) -> Outcome<u64> {
        if item.shadow[r] != 0 && self.limits.uninit != Uninit::Ignore {
            return Err(TrapKind::UndefinedUse { what: "an address" });
        }
        let address = self.canonical(item.regs[r]);
        if !self.flat && Tag::of_address(address).is_some_and(|tag| !tag.fits(op.spaces[n])) {
            return Err(TrapKind::WrongSpace { address, space: op.spaces[n] });
        }
        if address & (u64::from(align) - 1) != 0 {
            self.fault(item, TrapKind::Misaligned { address, align: align.into() })?;
        }
        Ok(address)
    }

    /// The base of a lane's address, which itself may be anything that is defined.
    fn start(&self, item: &Item, base: usize, op: &Op) -> Outcome<u64> {
        let r = base + op.args[0] as usize;
        if item.shadow[r] != 0 && self.limits.uninit != Uninit::Ignore {
            return Err(TrapKind::UndefinedUse { what: "an address" });
        }
        Ok(item.regs[r])
    }

    fn race(
        &mut self,
        item: &Item,
        address: u64,
        len: u64,
        access: Access,
        changes: impl Fn(u64) -> bool,
        atomic: bool,
    ) -> Outcome<()> {
        let place = self.number(item.place());
        self.race_between_groups(item, address..address + len, access, &changes, atomic, place)?;
        let Some(races) = &mut self.races else { return Ok(()) };
        let warp = item.linear / self.warp;
        let accessor = Self::accessor(item);
        let now = crate::races::Party {
            item: accessor,
            // A copy is in no warp.
            warp: if accessor == item.linear { warp as u16 } else { u16::MAX },
            warp_epoch: self.warp_epochs[warp as usize],
            fences: races.fences[item.linear as usize],
            atomic,
            place,
        };
        let Some(found) = races.access(address, len, changes, access, now, item.ordering) else { return Ok(()) };
        let (object, offset) = self.byte_of(found.address);
        let kind = TrapKind::DataRace {
            address: found.address,
            object,
            offset,
            other: found.other.item,
            other_span: self.numbered(found.other.place),
            other_access: found.other_access,
            access,
        };
        self.fault(item, kind)
    }

    /// The object of global or work-group memory that a byte is in, and its offset there.
    fn byte_of(&self, address: u64) -> (String, u64) {
        let arena = if Tag::of_address(address) == Some(Tag::Shared) { &self.shared } else { &*self.global };
        let (name, base) = arena.locate(address, 1).map_or((0, 0), |(_, o)| (o.name, o.base));
        (self.object_name(name), (address & 0xffff_ffff) - base)
    }

    /// Looks for races with other groups, where all faults are wanted.
    fn race_between_groups(
        &mut self,
        item: &Item,
        bytes: Range<u64>,
        access: Access,
        changes: impl Fn(u64) -> bool,
        atomic: bool,
        place: u32,
    ) -> Outcome<()> {
        if Tag::of_address(bytes.start) != Some(Tag::Global) {
            return Ok(());
        }
        let groups = self.config.whole.map_or(self.config.grid, |w| w.groups);
        let [x, y, z] = self.group_number();
        let group = (z.wrapping_mul(groups[1]).wrapping_add(y)).wrapping_mul(groups[0]).wrapping_add(x);
        let who = Who { group, item: item.linear, place, atomic };
        let told = self.group_ordering;
        self.group_ordering |= atomic;
        let Some(survey) = &mut self.survey else { return Ok(()) };
        match survey.between.access(bytes.start, bytes.end - bytes.start, changes, access, who) {
            Some(found) if !told => {
                let (object, offset) = self.byte_of(found.address);
                let kind = TrapKind::GroupRace {
                    object,
                    offset,
                    other_group: found.group,
                    other: found.item,
                    other_span: self.numbered(found.place),
                    other_access: found.access,
                    access,
                };
                self.fault(item, kind)
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn span(&self, place: (u32, u32)) -> Span {
        span(self.code, place)
    }

    /// The number of an operation among those of all functions.
    #[inline]
    fn number(&self, place: (u32, u32)) -> u32 {
        self.code.get(place.0 as usize).map_or(u32::MAX, |c| c.first.saturating_add(place.1))
    }

    /// Where the operation of this number stands.
    fn numbered(&self, number: u32) -> Span {
        numbered(self.code, number)
    }

    #[inline]
    fn races_matter(&self, tag: Tag) -> bool {
        let watched = self.races.is_some() || self.survey.is_some() && self.limits.races;
        watched && matches!(tag, Tag::Global | Tag::Shared)
    }

    pub(crate) fn load(&mut self, item: &mut Item, base: usize, op: &Op, align: u32) -> Outcome<()> {
        let address = self.address(item, base, op, 0, align)?;
        let each = usize::from(op.bits.div_ceil(8));
        let len = each as u64 * u64::from(op.lanes);
        let place = self.locate(item, address, len, Access::Read)?;
        self.turn_over = op.flags.has(Flags::VOLATILE) && matches!(place.tag, Tag::Global | Tag::Shared);
        if self.races_matter(place.tag) {
            self.race(item, address, len, Access::Read, |_| false, op.flags.has(Flags::VOLATILE))?;
        }
        for l in 0..usize::from(op.lanes) {
            let at = place.at + l * each;
            let arena = self.arena(item, place.tag);
            let (bits, mut undef) = (read(&arena.bytes[at..at + each]), read_shadow(&arena.shadow[at..at + each]));
            if self.is_read(op, 1 << l, undef, each) {
                let lane = address + (l * each) as u64;
                self.uninitialised(item, &place, lane, undef, address)?;
                undef = 0;
            }
            let bits = if op.kind == ScalarKind::I1 { bits & 1 } else { bits };
            item.regs[base + op.dst as usize + l] = bits;
            item.shadow[base + op.dst as usize + l] = undef;
        }
        Ok(())
    }

    /// Bytes of a lane of an access were never written.
    fn uninitialised(&mut self, item: &mut Item, place: &Place, lane: u64, undef: Shadow, address: u64) -> Outcome<()> {
        let start = self.arena(item, place.tag).locate(address, 1).map_or(0, |(_, o)| o.base);
        let offset = (lane & 0xffff_ffff) - start + u64::from(undef.trailing_zeros());
        let object = self.object_name(place.name);
        self.fault(item, TrapKind::UninitialisedRead { address, object, offset })
    }

    pub(crate) fn store(&mut self, item: &mut Item, base: usize, op: &Op, align: u32) -> Outcome<()> {
        match usize::from(op.bits.div_ceil(8)) * usize::from(op.lanes) {
            0..=8 => self.store_bytes::<8>(item, base, op, align),
            9..=64 => self.store_bytes::<64>(item, base, op, align),
            _ => self.store_bytes::<{ 8 * MAX_LANES }>(item, base, op, align),
        }
    }

    /// A store of at most `N` bytes.
    fn store_bytes<const N: usize>(&mut self, item: &mut Item, base: usize, op: &Op, align: u32) -> Outcome<()> {
        let address = self.address(item, base, op, 0, align)?;
        let each = usize::from(op.bits.div_ceil(8));
        let len = each as u64 * u64::from(op.lanes);
        let place = self.locate(item, address, len, Access::Write)?;
        let mut bytes = [0u8; N];
        let mut shadow = [0u8; N];
        for l in 0..usize::from(op.lanes) {
            let r = base + op.args[1] as usize + l;
            bytes[l * each..(l + 1) * each].copy_from_slice(&item.regs[r].to_le_bytes()[..each]);
            write_shadow(&mut shadow[l * each..(l + 1) * each], item.shadow[r]);
        }
        // What is not a variable of the work-item's own is read by others. A vector of which a part is defined may be
        // stored whole, as `float4 v; v.xyz = ...` is.
        let nothing_in_it = shadow[..len as usize].iter().all(|&undefined| undefined != 0);
        if nothing_in_it && self.limits.uninit == Uninit::OnRead && matches!(place.tag, Tag::Global | Tag::Shared) {
            let what = if place.tag == Tag::Global { "what a buffer gets" } else { "what work-group memory gets" };
            self.fault(item, TrapKind::UndefinedUse { what })?;
            shadow.fill(0);
        }
        self.write(
            item,
            &place,
            address,
            &bytes[..len as usize],
            &shadow[..len as usize],
            op.flags.has(Flags::VOLATILE),
        )
    }

    /// A masked load or store, a gather or a scatter: lane by lane, each lane checked as an access of its own. Lanes
    /// that are switched off touch nothing and their addresses may be undefined.
    pub(crate) fn by_lane(&mut self, item: &mut Item, base: usize, code: &Code, op: &Op, align: u32) -> Outcome<()> {
        let arg = |n: u32| base + code.lists[(op.list.0 + n) as usize] as usize;
        let offsets = matches!(op.op, Opcode::Gather | Opcode::Scatter);
        let (mask, value) = if offsets { (arg(2), arg(3)) } else { (arg(1), arg(2)) };
        let each = usize::from(op.bits.div_ceil(8));
        let reads = matches!(op.op, Opcode::MaskedLoad | Opcode::Gather);
        let wide = op.second_bits == 64;
        for l in 0..usize::from(op.lanes) {
            if item.shadow[mask + l] != 0 && self.limits.uninit != Uninit::Ignore {
                return Err(TrapKind::UndefinedUse { what: "a lane mask" });
            }
            let dst = base + op.dst as usize + l;
            if item.regs[mask + l] & 1 == 0 {
                if reads {
                    (item.regs[dst], item.shadow[dst]) = (item.regs[value + l], item.shadow[value + l]);
                }
                continue;
            }
            let start = self.start(item, base, op)?;
            let address = self.canonical(if offsets {
                if item.shadow[arg(1) + l] != 0 && self.limits.uninit != Uninit::Ignore {
                    return Err(TrapKind::UndefinedUse { what: "an address" });
                }
                let offset = item.regs[arg(1) + l];
                start.wrapping_add(if wide { offset } else { i64::from(offset as u32 as i32) as u64 })
            } else {
                start.wrapping_add((l * each) as u64)
            });
            if !self.flat && Tag::of_address(address).is_some_and(|tag| !tag.fits(op.spaces[0])) {
                return Err(TrapKind::WrongSpace { address, space: op.spaces[0] });
            }
            if address & (u64::from(align) - 1) != 0 && (offsets || l == 0) {
                return Err(TrapKind::Misaligned { address, align: align.into() });
            }
            if reads {
                self.load_lane(item, op, dst, address, each)?;
            } else {
                let place = self.locate(item, address, each as u64, Access::Write)?;
                let bytes = item.regs[value + l].to_le_bytes();
                let mut shadow = [0u8; 8];
                write_shadow(&mut shadow[..each], item.shadow[value + l]);
                let volatile = op.flags.has(Flags::VOLATILE);
                self.write(item, &place, address, &bytes[..each], &shadow[..each], volatile)?;
            }
        }
        Ok(())
    }

    /// Whether a load of `each` bytes to one of the lanes in `lanes`, of which those in `undef` were not written, is an error.
    #[inline]
    fn is_read(&self, op: &Op, lanes: Lanes, undef: Shadow, each: usize) -> bool {
        let all = (1 << each) - 1;
        match self.limits.uninit {
            Uninit::OnRead => undef != 0,
            Uninit::OnReadOfValues => undef & all == all && op.looked_at & lanes != 0,
            Uninit::Ignore | Uninit::OnUse => false,
        }
    }

    fn load_lane(&mut self, item: &mut Item, op: &Op, dst: usize, address: u64, each: usize) -> Outcome<()> {
        let place = self.locate(item, address, each as u64, Access::Read)?;
        if self.races_matter(place.tag) {
            self.race(item, address, each as u64, Access::Read, |_| false, op.flags.has(Flags::VOLATILE))?;
        }
        let range = place.at..place.at + each;
        let arena = self.arena(item, place.tag);
        let (bits, mut undef) = (read(&arena.bytes[range.clone()]), read_shadow(&arena.shadow[range]));
        if self.is_read(op, Lanes::MAX, undef, each) {
            self.uninitialised(item, &place, address, undef, address)?;
            undef = 0;
        }
        item.regs[dst] = if op.kind == ScalarKind::I1 { bits & 1 } else { bits };
        item.shadow[dst] = undef;
        Ok(())
    }

    #[inline]
    fn write(
        &mut self,
        item: &mut Item,
        place: &Place,
        address: u64,
        bytes: &[u8],
        shadow: &[u8],
        volatile: bool,
    ) -> Outcome<()> {
        let range = place.at..place.at + bytes.len();
        self.turn_over |= volatile && matches!(place.tag, Tag::Global | Tag::Shared);
        if self.races_matter(place.tag) {
            let before = &self.arena(item, place.tag).bytes[range.clone()];
            if bytes.len() <= 8 {
                let different = read(before) ^ read(bytes);
                let changes = |n: u64| different >> (8 * n) & 255 != 0;
                self.race(item, address, bytes.len() as u64, Access::Write, changes, volatile)?;
            } else {
                let before = Bytes::from_slice(before);
                let changes = |n: u64| before[n as usize] != bytes[n as usize];
                self.race(item, address, bytes.len() as u64, Access::Write, changes, volatile)?;
            }
        }
        let arena = self.arena(item, place.tag);
        put(&mut arena.bytes[range.clone()], bytes);
        put(&mut arena.shadow[range], shadow);
        Ok(())
    }

    pub(crate) fn memcpy(&mut self, item: &mut Item, base: usize, op: &Op, align: u32) -> Outcome<()> {
        let len = self.length(item, base, op.args[2])?;
        if len == 0 {
            return Ok(());
        }
        let to = self.address(item, base, op, 0, align)?;
        let from = self.address(item, base, op, 1, align)?;
        let source = self.locate(item, from, len, Access::Read)?;
        let target = self.locate(item, to, len, Access::Write)?;
        if self.races_matter(source.tag) {
            self.race(item, from, len, Access::Read, |_| false, false)?;
        }
        if !self.races_matter(target.tag) {
            self.copy_bytes(item, &source, &target, len as usize);
            return Ok(());
        }
        let (bytes, shadow) = {
            let arena = self.arena(item, source.tag);
            let range = source.at..source.at + len as usize;
            (Bytes::from_slice(&arena.bytes[range.clone()]), Bytes::from_slice(&arena.shadow[range]))
        };
        self.write(item, &target, to, &bytes, &shadow, false)
    }

    /// Copies bytes with their shadows, as if they were all read before the first is written.
    pub(crate) fn copy_bytes(&mut self, item: &mut Item, source: &Place, target: &Place, len: usize) {
        if source.tag == target.tag {
            return self.arena(item, source.tag).copy_within(source.at, target.at, len);
        }
        let from = self.arena(item, source.tag);
        let range = source.at..source.at + len;
        let (bytes, shadow) = (Bytes::from_slice(&from.bytes[range.clone()]), Bytes::from_slice(&from.shadow[range]));
        let to = self.arena(item, target.tag);
        to.bytes[target.at..target.at + len].copy_from_slice(&bytes);
        to.shadow[target.at..target.at + len].copy_from_slice(&shadow);
    }

    pub(crate) fn memset(&mut self, item: &mut Item, base: usize, op: &Op, align: u32) -> Outcome<()> {
        let len = self.length(item, base, op.args[2])?;
        if len == 0 {
            return Ok(());
        }
        let to = self.address(item, base, op, 0, align)?;
        let target = self.locate(item, to, len, Access::Write)?;
        let value = base + op.args[1] as usize;
        let (byte, undefined) = (item.regs[value] as u8, (item.shadow[value] & 1) as u8);
        if !self.races_matter(target.tag) {
            let arena = self.arena(item, target.tag);
            arena.bytes[target.at..target.at + len as usize].fill(byte);
            arena.shadow[target.at..target.at + len as usize].fill(undefined);
            return Ok(());
        }
        let (bytes, shadow) = (Bytes::from_elem(byte, len as usize), Bytes::from_elem(undefined, len as usize));
        self.write(item, &target, to, &bytes, &shadow, false)
    }

    fn length(&self, item: &Item, base: usize, r: u32) -> Outcome<u64> {
        let r = base + r as usize;
        if item.shadow[r] != 0 && self.limits.uninit != Uninit::Ignore {
            return Err(TrapKind::UndefinedUse { what: "a number of bytes" });
        }
        Ok(item.regs[r])
    }

    pub(crate) fn atomic(&mut self, item: &mut Item, base: usize, op: &Op) -> Outcome<()> {
        let each = usize::from(op.bits / 8);
        let address = self.address(item, base, op, 0, each as u32)?;
        let place = self.locate(item, address, each as u64, Access::Atomic)?;
        item.ordering = true;
        let range = place.at..place.at + each;
        if self.races_matter(place.tag) {
            // A comparison that fails writes nothing.
            let now = read(&self.arena(item, place.tag).bytes[range.clone()]);
            let fails = op.op == Opcode::AtomicCas && now != item.regs[base + op.args[1] as usize];
            let access = if fails { Access::Read } else { Access::Atomic };
            self.race(item, address, each as u64, access, |_| !fails, true)?;
        }
        let arena = self.arena(item, place.tag);
        let old = read(&arena.bytes[range.clone()]);
        let old_shadow = read_shadow(&arena.shadow[range.clone()]);
        let v = base + op.args[1] as usize;
        let (new, new_shadow) = if op.op == Opcode::AtomicCas {
            let with = base + op.args[2] as usize;
            let undef = old_shadow | item.shadow[v];
            if old == item.regs[v] { (item.regs[with], item.shadow[with] | undef) } else { (old, undef) }
        } else if let Data::Atomic(how) = op.data {
            let shadow = if how == ir::AtomicOp::Xchg { item.shadow[v] } else { old_shadow | item.shadow[v] };
            (lanes::atomic(how, op.flags, op.kind, u32::from(op.bits), old, item.regs[v]), shadow)
        } else {
            (old, old_shadow)
        };
        let arena = self.arena(item, place.tag);
        arena.bytes[range.clone()].copy_from_slice(&new.to_le_bytes()[..each]);
        write_shadow(&mut arena.shadow[range], new_shadow);
        item.regs[base + op.dst as usize] = old;
        item.shadow[base + op.dst as usize] = old_shadow;
        Ok(())
    }

    /// Bytes of a string that ends in NUL; at most 64 KiB.
    pub(crate) fn c_string(&mut self, item: &mut Item, address: u64) -> Outcome<Vec<u8>> {
        let mut out = Vec::new();
        for n in 0..1 << 16 {
            let at = self.canonical(address.wrapping_add(n));
            let place = self.locate(item, at, 1, Access::Read)?;
            match self.arena(item, place.tag).bytes[place.at] {
                0 => break,
                b => out.push(b),
            }
        }
        Ok(out)
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&mut self, item: &mut Item, address: u64, len: u64) -> Outcome<Vec<u8>> {
        let address = self.canonical(address);
        let place = self.locate(item, address, len, Access::Read)?;
        Ok(self.arena(item, place.tag).bytes[place.at..place.at + len as usize].to_vec())
    }
}

fn span(code: &[Code], place: (u32, u32)) -> Span {
    code.get(place.0 as usize).and_then(|c| c.spans.get(place.1 as usize)).copied().unwrap_or(Span::NONE)
}

/// Where the operation of this number among those of all functions stands.
pub(crate) fn numbered(code: &[Code], number: u32) -> Span {
    let behind = code.partition_point(|c| c.first <= number);
    let func = behind.saturating_sub(1);
    code.get(func).map_or(Span::NONE, |c| span(code, (func as u32, number - c.first)))
}

/// Copies bytes: a few without a call.
#[inline]
fn put(to: &mut [u8], from: &[u8]) {
    match (to, from) {
        ([a, b, c, d], &[e, f, g, h]) => (*a, *b, *c, *d) = (e, f, g, h),
        (to, from) => to.copy_from_slice(from),
    }
}

#[inline]
fn read(bytes: &[u8]) -> u64 {
    match *bytes {
        [a, b, c, d] => return u32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => return u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => {}
    }
    let mut b = [0; 8];
    b[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(b)
}

#[inline]
fn read_shadow(shadow: &[u8]) -> Shadow {
    if shadow.len() <= 8 && read(shadow) == 0 {
        return 0;
    }
    shadow.iter().enumerate().fold(0, |m, (n, &s)| m | Shadow::from(s & 1) << n)
}

#[inline]
fn write_shadow(shadow: &mut [u8], mask: Shadow) {
    for (n, s) in shadow.iter_mut().enumerate() {
        *s = (mask >> n & 1) as u8;
    }
}
