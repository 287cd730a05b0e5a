//! Executes one work-item until it ends, waits for others, or has had its slice.

use crate::decode::{Code, Data, Op, POISON, Shadow, UNDEF_BITS, all_undef, enter_slots};
use crate::memory::{Arena, Tag};
use crate::races::Races;
use crate::trap::{Access, TrapKind};
use crate::{LaunchConfig, Limits, Uninit, float, int, lanes};
use ir::{Flags, Intrinsic, Opcode, Round, ScalarKind, SpecialReg};
use source::Span;

/// Deepest nesting of calls.
const MAX_FRAMES: usize = 512;

/// An activation of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) func: u32,
    /// The next operation.
    pub(crate) pc: u32,
    /// First register.
    pub(crate) base: usize,
    /// Number of private objects before it was entered.
    objects: usize,
}

/// What a work-item does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// Can go on.
    Ready,
    /// Waits at a warp operation, the one before its program counter.
    Warp(Intrinsic),
    /// Waits at a barrier of the group, likewise.
    Barrier(Intrinsic),
    /// Has ended.
    Done,
}

/// A work-item.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) regs: Vec<u64>,
    pub(crate) shadow: Vec<Shadow>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) private: Arena,
    pub(crate) state: State,
    pub(crate) linear: u32,
    pub(crate) id: [u32; 3],
    /// It has executed a fence or an atomic operation since the last barrier.
    pub(crate) ordering: bool,
    /// What the outermost function returned, with shadows.
    pub(crate) result: Vec<(u64, Shadow)>,
}

impl Item {
    pub(crate) fn new(linear: u32, id: [u32; 3]) -> Self {
        Self {
            regs: Vec::new(),
            shadow: Vec::new(),
            frames: Vec::new(),
            private: Arena::new(Tag::Private),
            state: State::Ready,
            linear,
            id,
            ordering: false,
            result: Vec::new(),
        }
    }

    /// The operation that was executed last: function and number.
    pub(crate) fn place(&self) -> (u32, u32) {
        self.frames.last().map_or((u32::MAX, 0), |f| (f.func, f.pc.saturating_sub(1)))
    }

    /// Register `r` of the current activation.
    pub(crate) fn reg(&self, r: u32) -> u64 {
        let base = self.frames.last().map_or(0, |f| f.base);
        self.regs[base + r as usize]
    }

    pub(crate) fn reg_shadow(&self, r: u32) -> Shadow {
        let base = self.frames.last().map_or(0, |f| f.base);
        self.shadow[base + r as usize]
    }

    pub(crate) fn set(&mut self, r: u32, bits: u64, shadow: Shadow) {
        let base = self.frames.last().map_or(0, |f| f.base);
        self.regs[base + r as usize] = bits;
        self.shadow[base + r as usize] = shadow;
    }
}

/// A launch in progress.
pub(crate) struct Exec<'m> {
    pub(crate) code: &'m [Code],
    pub(crate) names: &'m [String],
    pub(crate) global: &'m mut Arena,
    pub(crate) constant: &'m mut Arena,
    pub(crate) shared: Arena,
    pub(crate) params: Arena,
    pub(crate) races: Option<Races>,
    pub(crate) warp_epochs: Vec<u32>,
    pub(crate) config: &'m LaunchConfig,
    pub(crate) limits: &'m Limits,
    pub(crate) warp: u32,
    pub(crate) steps: u64,
    /// Bytes of private memory and registers in use.
    pub(crate) used: u64,
    pub(crate) group: [u32; 3],
    pub(crate) dynamic_shared: u64,
    pub(crate) output: &'m mut Vec<u8>,
}

type Outcome<T> = Result<T, TrapKind>;

/// Where an access goes.
struct Place {
    tag: Tag,
    at: usize,
    name: u32,
}

impl Exec<'_> {
    /// Enters a function whose arguments are given with their shadows, lane after lane.
    pub(crate) fn enter(&mut self, item: &mut Item, func: u32, args: &[(u64, Shadow)]) -> Outcome<()> {
        let code = &self.code[func as usize];
        if item.frames.len() >= MAX_FRAMES {
            return Err(TrapKind::StackOverflow);
        }
        let frame = Frame { func, pc: 0, base: item.regs.len(), objects: item.private.objects.len() };
        self.used += frame_cost(code);
        if self.used > self.limits.memory {
            return Err(TrapKind::MemoryLimit);
        }
        item.regs.extend_from_slice(&code.regs);
        item.shadow.extend_from_slice(&code.shadow);
        enter_slots(code, &mut item.private, &mut item.regs[frame.base..]);
        let mut next = 0;
        for (n, &(r, lanes)) in code.params.iter().enumerate() {
            for l in 0..u32::from(lanes) {
                let (mut bits, shadow) = args.get(next).copied().unwrap_or((0, 0));
                next += 1;
                if let Some(size) = code.byval[n]
                    && !item.frames.is_empty()
                {
                    bits = self.copy_by_value(item, bits, size)?;
                }
                item.regs[frame.base + (r + l) as usize] = bits;
                item.shadow[frame.base + (r + l) as usize] = shadow;
            }
        }
        item.frames.push(frame);
        Ok(())
    }

    /// A private copy of an aggregate that a function takes by value.
    fn copy_by_value(&mut self, item: &mut Item, from: u64, size: u64) -> Outcome<u64> {
        let place = self.locate(item, from, size, Access::Read)?;
        let (bytes, shadow) = {
            let arena = self.arena(item, place.tag);
            let range = place.at..place.at + size as usize;
            (arena.bytes[range.clone()].to_vec(), arena.shadow[range].to_vec())
        };
        let to = item.private.push(size, 16, place.name);
        if let Some((at, _)) = item.private.locate(to, size) {
            item.private.bytes[at..at + bytes.len()].copy_from_slice(&bytes);
            item.private.shadow[at..at + bytes.len()].copy_from_slice(&shadow);
        }
        Ok(to)
    }

    fn leave(&mut self, item: &mut Item) {
        let Some(frame) = item.frames.pop() else { return };
        item.regs.truncate(frame.base);
        item.shadow.truncate(frame.base);
        item.private.truncate(frame.objects);
        self.used -= frame_cost(&self.code[frame.func as usize]);
    }

    /// Ends a work-item wherever it is.
    fn end(&mut self, item: &mut Item) {
        while !item.frames.is_empty() {
            self.leave(item);
        }
        item.state = State::Done;
    }

    // ---- memory -----------------------------------------------------------------------------------------------------

    fn arena<'a>(&'a mut self, item: &'a mut Item, tag: Tag) -> &'a mut Arena {
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

    fn locate(&mut self, item: &mut Item, address: u64, len: u64, access: Access) -> Outcome<Place> {
        let Some(tag) = Tag::of_address(address) else { return Err(self.out_of_bounds(item, address, len, access)) };
        match self.arena(item, tag).locate(address, len) {
            Some((at, o)) if access == Access::Read || !o.read_only => Ok(Place { tag, at, name: o.name }),
            Some((_, o)) => {
                let name = o.name;
                Err(TrapKind::ReadOnly { object: self.object_name(name) })
            }
            None => Err(self.out_of_bounds(item, address, len, access)),
        }
    }

    fn out_of_bounds(&mut self, item: &mut Item, address: u64, bytes: u64, access: Access) -> TrapKind {
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
    fn address(&self, item: &Item, base: usize, op: &Op, n: usize, align: u32) -> Outcome<u64> {
        let r = base + op.args[n] as usize;
        if item.shadow[r] != 0 && self.limits.uninit != Uninit::Ignore {
            return Err(TrapKind::UndefinedUse { what: "an address" });
        }
        let address = item.regs[r];
        if Tag::of_address(address).is_some_and(|tag| !tag.fits(op.spaces[n])) {
            return Err(TrapKind::WrongSpace { address, space: op.spaces[n] });
        }
        if address & (u64::from(align) - 1) != 0 {
            return Err(TrapKind::Misaligned { address, align: align.into() });
        }
        Ok(address)
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
        let warp = item.linear / self.warp;
        let Some(races) = &mut self.races else { return Ok(()) };
        let now = crate::races::Party {
            item: item.linear,
            warp,
            warp_epoch: self.warp_epochs[warp as usize],
            fences: races.fences[item.linear as usize],
            atomic,
            place: item.place(),
        };
        let Some(found) = races.access(address, len, changes, access, now, item.ordering) else { return Ok(()) };
        let (object, base) = match Tag::of_address(address) {
            Some(Tag::Shared) => self.shared.locate(address, 1).map_or((0, 0), |(_, o)| (o.name, o.base)),
            _ => self.global.locate(address, 1).map_or((0, 0), |(_, o)| (o.name, o.base)),
        };
        Err(TrapKind::DataRace {
            address: found.address,
            object: self.object_name(object),
            offset: (found.address & 0xffff_ffff) - base,
            other: found.other.item,
            other_span: self.span(found.other.place),
            other_access: found.other_access,
            access,
        })
    }

    pub(crate) fn span(&self, place: (u32, u32)) -> Span {
        self.code.get(place.0 as usize).and_then(|c| c.spans.get(place.1 as usize)).copied().unwrap_or(Span::NONE)
    }

    fn races_matter(&self, tag: Tag) -> bool {
        self.races.is_some() && matches!(tag, Tag::Global | Tag::Shared)
    }

    fn load(&mut self, item: &mut Item, base: usize, op: &Op, align: u32) -> Outcome<()> {
        let address = self.address(item, base, op, 0, align)?;
        let each = usize::from(op.bits.div_ceil(8));
        let len = each as u64 * u64::from(op.lanes);
        let place = self.locate(item, address, len, Access::Read)?;
        if self.races_matter(place.tag) {
            self.race(item, address, len, Access::Read, |_| false, op.flags.has(Flags::VOLATILE))?;
        }
        let strict = self.limits.uninit == Uninit::OnRead;
        let arena = self.arena(item, place.tag);
        let mut lanes = [(0u64, 0 as Shadow); 16];
        for (l, lane) in lanes.iter_mut().enumerate().take(op.lanes.into()) {
            let at = place.at + l * each;
            *lane = (read(&arena.bytes[at..at + each]), read_shadow(&arena.shadow[at..at + each]));
        }
        let object_base = arena.locate(address, len).map_or(0, |(_, o)| o.base);
        for (l, &(bits, undef)) in lanes.iter().enumerate().take(op.lanes.into()) {
            if undef != 0 && strict {
                let offset =
                    (address & 0xffff_ffff) - object_base + (l * each) as u64 + u64::from(undef.trailing_zeros());
                return Err(TrapKind::UninitialisedRead { address, object: self.object_name(place.name), offset });
            }
            let bits = if op.kind == ScalarKind::I1 { bits & 1 } else { bits };
            item.regs[base + op.dst as usize + l] = bits;
            item.shadow[base + op.dst as usize + l] = undef;
        }
        Ok(())
    }

    fn store(&mut self, item: &mut Item, base: usize, op: &Op, align: u32) -> Outcome<()> {
        let address = self.address(item, base, op, 0, align)?;
        let each = usize::from(op.bits.div_ceil(8));
        let len = each as u64 * u64::from(op.lanes);
        let place = self.locate(item, address, len, Access::Write)?;
        let mut bytes = [0u8; 128];
        let mut shadow = [0u8; 128];
        for l in 0..usize::from(op.lanes) {
            let r = base + op.args[1] as usize + l;
            bytes[l * each..(l + 1) * each].copy_from_slice(&item.regs[r].to_le_bytes()[..each]);
            write_shadow(&mut shadow[l * each..(l + 1) * each], item.shadow[r]);
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
        if self.races_matter(place.tag) {
            let old = self.arena(item, place.tag).bytes[range.clone()].to_vec();
            let changes = |n: u64| old[n as usize] != bytes[n as usize];
            self.race(item, address, bytes.len() as u64, Access::Write, changes, volatile)?;
        }
        let arena = self.arena(item, place.tag);
        arena.bytes[range.clone()].copy_from_slice(bytes);
        arena.shadow[range].copy_from_slice(shadow);
        Ok(())
    }

    fn memcpy(&mut self, item: &mut Item, base: usize, op: &Op, align: u32) -> Outcome<()> {
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
        let (bytes, shadow) = {
            let arena = self.arena(item, source.tag);
            let range = source.at..source.at + len as usize;
            (arena.bytes[range.clone()].to_vec(), arena.shadow[range].to_vec())
        };
        self.write(item, &target, to, &bytes, &shadow, false)
    }

    fn memset(&mut self, item: &mut Item, base: usize, op: &Op, align: u32) -> Outcome<()> {
        let len = self.length(item, base, op.args[2])?;
        if len == 0 {
            return Ok(());
        }
        let to = self.address(item, base, op, 0, align)?;
        let target = self.locate(item, to, len, Access::Write)?;
        let value = base + op.args[1] as usize;
        let bytes = vec![item.regs[value] as u8; len as usize];
        let shadow = vec![(item.shadow[value] & 1) as u8; len as usize];
        self.write(item, &target, to, &bytes, &shadow, false)
    }

    fn length(&self, item: &Item, base: usize, r: u32) -> Outcome<u64> {
        let r = base + r as usize;
        if item.shadow[r] != 0 && self.limits.uninit != Uninit::Ignore {
            return Err(TrapKind::UndefinedUse { what: "a number of bytes" });
        }
        Ok(item.regs[r])
    }

    fn atomic(&mut self, item: &mut Item, base: usize, op: &Op) -> Outcome<()> {
        let each = usize::from(op.bits / 8);
        let address = self.address(item, base, op, 0, each as u32)?;
        let place = self.locate(item, address, each as u64, Access::Atomic)?;
        item.ordering = true;
        if self.races_matter(place.tag) {
            self.race(item, address, each as u64, Access::Atomic, |_| true, true)?;
        }
        let range = place.at..place.at + each;
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
            let place = self.locate(item, address.wrapping_add(n), 1, Access::Read)?;
            match self.arena(item, place.tag).bytes[place.at] {
                0 => break,
                b => out.push(b),
            }
        }
        Ok(out)
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&mut self, item: &mut Item, address: u64, len: u64) -> Outcome<Vec<u8>> {
        let place = self.locate(item, address, len, Access::Read)?;
        Ok(self.arena(item, place.tag).bytes[place.at..place.at + len as usize].to_vec())
    }

    // ---- the loop ---------------------------------------------------------------------------------------------------

    /// Executes up to `slice` operations.
    pub(crate) fn run(&mut self, item: &mut Item, slice: u32) -> Outcome<()> {
        let mut left = slice.min(u32::try_from(self.limits.steps.saturating_sub(self.steps)).unwrap_or(u32::MAX));
        if left == 0 {
            return Err(TrapKind::StepLimit);
        }
        let start = left;
        let outcome = self.run_inner(item, &mut left);
        self.steps += u64::from(start - left);
        outcome
    }

    fn run_inner(&mut self, item: &mut Item, left: &mut u32) -> Outcome<()> {
        while *left > 0 {
            *left -= 1;
            let Some(frame) = item.frames.last_mut() else {
                item.state = State::Done;
                return Ok(());
            };
            let functions = self.code;
            let code = &functions[frame.func as usize];
            let base = frame.base;
            let op = &code.ops[frame.pc as usize];
            frame.pc += 1;
            match op.data {
                Data::Jump(t) => jump(item, code, base, t),
                Data::Br(yes, no) => {
                    let cond = base + op.args[0] as usize;
                    self.decides(item, cond, "a branch condition")?;
                    jump(item, code, base, if item.regs[cond] & 1 == 1 { yes } else { no });
                }
                Data::Switch(t) => {
                    let value = base + op.args[0] as usize;
                    self.decides(item, value, "a switch's value")?;
                    let table = &code.tables[t as usize];
                    let hit = table.cases.binary_search_by_key(&item.regs[value], |c| c.0);
                    jump(item, code, base, hit.map_or(table.default, |n| table.cases[n].1));
                }
                Data::Mem { align } => match op.op {
                    Opcode::Load => self.load(item, base, op, align)?,
                    Opcode::Store => self.store(item, base, op, align)?,
                    Opcode::MemCpy => self.memcpy(item, base, op, align)?,
                    _ => self.memset(item, base, op, align)?,
                },
                Data::Atomic(_) => self.atomic(item, base, op)?,
                Data::Call(callee) => self.call(item, base, op, callee)?,
                Data::Special(s) => {
                    let v = self.special(item, s);
                    item.regs[base + op.dst as usize] = v;
                    item.shadow[base + op.dst as usize] = 0;
                }
                Data::Intrinsic(i) => {
                    if let Some(state) = self.intrinsic(item, base, op, i)? {
                        item.state = state;
                        return Ok(());
                    }
                }
                Data::Unsupported => return Err(self.unsupported(op)),
                _ => self.plain(item, base, code, op)?,
            }
            if item.state == State::Done {
                return Ok(());
            }
        }
        Ok(())
    }

    fn unsupported(&self, op: &Op) -> TrapKind {
        let what = match op.op {
            Opcode::InlineAsm => "inline assembly",
            _ => "calls of functions without a body",
        };
        TrapKind::Unsupported { what: what.to_owned() }
    }

    fn decides(&self, item: &Item, r: usize, what: &'static str) -> Outcome<()> {
        if item.shadow[r] != 0 && self.limits.uninit != Uninit::Ignore {
            return Err(TrapKind::UndefinedUse { what });
        }
        Ok(())
    }

    /// What has neither memory nor control flow in it, and returns.
    fn plain(&mut self, item: &mut Item, base: usize, code: &Code, op: &Op) -> Outcome<()> {
        match op.op {
            Opcode::Return => {
                let lanes = if op.list.0 == op.list.1 { 0 } else { usize::from(code.ret_lanes) };
                let from = base + op.args[0] as usize;
                let values: smallvec::SmallVec<[(u64, Shadow); 4]> =
                    (from..from + lanes).map(|r| (item.regs[r], item.shadow[r])).collect();
                self.leave(item);
                let Some(caller) = item.frames.last() else {
                    item.result = values.to_vec();
                    item.state = State::Done;
                    return Ok(());
                };
                let dst = caller.base + self.code[caller.func as usize].ops[caller.pc as usize - 1].dst as usize;
                for (l, (bits, shadow)) in values.into_iter().enumerate() {
                    item.regs[dst + l] = bits;
                    item.shadow[dst + l] = shadow;
                }
            }
            Opcode::Unreachable => return Err(TrapKind::Unreachable),
            Opcode::Fence => {
                item.ordering = true;
                if let Some(races) = &mut self.races {
                    races.fences[item.linear as usize] += 1;
                }
            }
            Opcode::Assume => {
                let r = base + op.args[0] as usize;
                if self.limits.uninit != Uninit::Ignore && (item.shadow[r] != 0 || item.regs[r] & 1 == 0) {
                    return Err(TrapKind::AssumeViolated);
                }
            }
            // Nothing is proved here: the answer is the conservative one.
            Opcode::Provable => item.set(op.dst, 0, 0),
            Opcode::PtrAdd => self.ptradd(item, base, op),
            Opcode::AddrSpaceCast | Opcode::PtrToInt | Opcode::IntToPtr => {
                for l in 0..usize::from(op.lanes) {
                    item.regs[base + op.dst as usize + l] = item.regs[base + op.args[0] as usize + l];
                    item.shadow[base + op.dst as usize + l] = item.shadow[base + op.args[0] as usize + l];
                }
            }
            _ => {
                let frame = (&mut item.regs[base..], &mut item.shadow[base..]);
                lanes::eval(code, op, frame.0, frame.1);
            }
        }
        Ok(())
    }

    /// Adds an offset; with `inbounds`, a result outside the object is undefined.
    fn ptradd(&mut self, item: &mut Item, base: usize, op: &Op) {
        let (p, n) = (base + op.args[0] as usize, base + op.args[1] as usize);
        let sum = item.regs[p].wrapping_add(item.regs[n]);
        let mut shadow = if item.shadow[p] | item.shadow[n] == 0 { 0 } else { POISON | 255 };
        if op.flags.has(Flags::INBOUNDS) && shadow == 0 && item.regs[n] != 0 {
            let inside = Tag::of_address(sum).is_some_and(|tag| self.arena(item, tag).locate(sum, 0).is_some());
            let same = sum >> 32 == item.regs[p] >> 32;
            if !inside || !same {
                shadow = POISON | 255;
            }
        }
        item.regs[base + op.dst as usize] = sum;
        item.shadow[base + op.dst as usize] = shadow;
    }

    fn call(&mut self, item: &mut Item, base: usize, op: &Op, callee: u32) -> Outcome<()> {
        let func = item.frames.last().map_or(0, |f| f.func as usize);
        let list = &self.code[func].lists[op.list.0 as usize..op.list.1 as usize];
        let mut args: smallvec::SmallVec<[(u64, Shadow); 16]> = smallvec::SmallVec::new();
        for (&r, &(_, lanes)) in list.iter().zip(&self.code[callee as usize].params) {
            let r = base + r as usize;
            args.extend((r..r + usize::from(lanes)).map(|r| (item.regs[r], item.shadow[r])));
        }
        self.enter(item, callee, &args)
    }

    fn special(&self, item: &Item, reg: SpecialReg) -> u64 {
        use SpecialReg::*;
        let c = self.config;
        let lane = item.linear % self.warp;
        let bit = 1u64 << lane;
        let all = int::ones(self.warp);
        // Masks of a 64-lane warp do not fit 32-bit registers; the low half is what such code can see.
        let mask = |m: u64| m & all & 0xffff_ffff;
        match reg {
            TidX => item.id[0].into(),
            TidY => item.id[1].into(),
            TidZ => item.id[2].into(),
            NtidX => c.block[0].into(),
            NtidY => c.block[1].into(),
            NtidZ => c.block[2].into(),
            CtaidX => self.group[0].into(),
            CtaidY => self.group[1].into(),
            CtaidZ => self.group[2].into(),
            NctaidX => c.grid[0].into(),
            NctaidY => c.grid[1].into(),
            NctaidZ => c.grid[2].into(),
            OffsetX => c.offset[0],
            OffsetY => c.offset[1],
            OffsetZ => c.offset[2],
            WorkDim => c.work_dim.into(),
            LaneId => lane.into(),
            WarpId => (item.linear / self.warp).into(),
            WarpSize => self.warp.into(),
            LaneMaskEq => mask(bit),
            LaneMaskLt => mask(bit - 1),
            LaneMaskLe => mask(bit | (bit - 1)),
            LaneMaskGt => mask(!(bit | (bit - 1))),
            LaneMaskGe => mask(!(bit - 1)),
            SmId | GridId => 0,
            NsmId => 1,
            Clock => self.steps & 0xffff_ffff,
            Clock64 | GlobalTimer => self.steps,
            DynamicSharedSize => self.dynamic_shared & 0xffff_ffff,
        }
    }

    /// Executes an intrinsic; what the work-item waits for, if it does.
    fn intrinsic(&mut self, item: &mut Item, base: usize, op: &Op, i: Intrinsic) -> Outcome<Option<State>> {
        use Intrinsic::*;
        match i {
            Barrier | BarrierPopc | BarrierAnd | BarrierOr => return Ok(Some(State::Barrier(i))),
            _ if i.effects().has(ir::Effects::CONVERGENT) => return Ok(Some(State::Warp(i))),
            Trap => return Err(TrapKind::Trap),
            Exit => self.end(item),
            Brkpt | Nanosleep | PrefetchL1 | PrefetchL2 | AsyncWaitAll => {}
            VPrintf => {
                let (format, buffer) = (item.reg(op.args[0]), item.reg(op.args[1]));
                let text = crate::printf::format(self, item, format, buffer)?;
                self.output.extend_from_slice(&text.0);
                item.set(op.dst, u64::from(text.1), 0);
            }
            IsGlobal | IsShared | IsConst | IsLocal => {
                let r = base + op.args[0] as usize;
                let tag = Tag::of_address(item.regs[r]);
                let yes = match i {
                    IsGlobal => tag == Some(Tag::Global),
                    IsShared => tag == Some(Tag::Shared),
                    IsConst => tag == Some(Tag::Constant),
                    _ => tag == Some(Tag::Private),
                };
                item.set(op.dst, yes.into(), item.shadow[r].min(1));
            }
            _ => {
                let list = {
                    let func = item.frames.last().map_or(0, |f| f.func as usize);
                    &self.code[func].lists[op.list.0 as usize..op.list.1 as usize]
                };
                for l in 0..usize::from(op.lanes) {
                    let mut args = [0; 4];
                    let mut shadow = 0;
                    for (a, &r) in args.iter_mut().zip(list) {
                        *a = item.regs[base + r as usize + l];
                        shadow |= item.shadow[base + r as usize + l];
                    }
                    let v = crate::target_ops::eval(i, op.kind, u32::from(op.bits), op.flags, args);
                    let to = base + op.dst as usize + l;
                    (item.regs[to], item.shadow[to]) = match v {
                        Some(v) if shadow == 0 => (v, 0),
                        _ => (UNDEF_BITS & int::ones(op.bits.max(1).into()), all_undef(op.kind)),
                    };
                }
            }
        }
        Ok(None)
    }
}

fn frame_cost(code: &Code) -> u64 {
    code.regs.len() as u64 * 9
        + code.slots.iter().map(|s| s.size * 2).sum::<u64>()
        + code.byval.iter().flatten().map(|size| size * 2).sum::<u64>()
        + 64
}

fn read(bytes: &[u8]) -> u64 {
    let mut b = [0; 8];
    b[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(b)
}

fn read_shadow(shadow: &[u8]) -> Shadow {
    if shadow.iter().all(|&s| s == 0) {
        return 0;
    }
    shadow.iter().enumerate().fold(0, |m, (n, &s)| m | Shadow::from(s & 1) << n)
}

fn write_shadow(shadow: &mut [u8], mask: Shadow) {
    for (n, s) in shadow.iter_mut().enumerate() {
        *s = (mask >> n & 1) as u8;
    }
}

/// Goes to a block: moves the arguments into its parameters.
fn jump(item: &mut Item, code: &Code, base: usize, target: u32) {
    let t = &code.targets[target as usize];
    let moves = &code.moves[t.moves.0 as usize..t.moves.1 as usize];
    if t.parallel {
        let values: smallvec::SmallVec<[(u64, Shadow); 16]> = moves
            .iter()
            .map(|&(from, _)| (item.regs[base + from as usize], item.shadow[base + from as usize]))
            .collect();
        for (&(_, to), (bits, shadow)) in moves.iter().zip(values) {
            item.regs[base + to as usize] = bits;
            item.shadow[base + to as usize] = shadow;
        }
    } else {
        for &(from, to) in moves {
            item.regs[base + to as usize] = item.regs[base + from as usize];
            item.shadow[base + to as usize] = item.shadow[base + from as usize];
        }
    }
    if let Some(f) = item.frames.last_mut() {
        f.pc = t.pc;
    }
}

/// The rounding mode of an operation.
pub(crate) fn rounding(op: &Op, default: Round) -> Round {
    if let Data::Round(r) = op.data { r } else { default }
}

/// Whether a float is promised not to be what it is.
pub(crate) fn broken_fast_math(op: &Op, kind: ScalarKind, bits: u64) -> bool {
    (op.flags.has(Flags::NNAN) || op.flags.has(Flags::NINF)) && float::breaks_promise(kind, op.flags, bits)
}
