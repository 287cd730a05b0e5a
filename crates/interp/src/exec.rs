//! Executes one work-item until it ends, waits for others, or has had its slice.

use crate::access::Place;
use crate::beyond::Beyond;
use crate::checks::{Copy, Said};
use crate::decode::{Code, Data, Op, POISON, Shadow, UNDEF_BITS, all_undef, enter_slots};
use crate::memory::{Arena, Tag};
use crate::races::Races;
use crate::survey::Survey;
use crate::trap::{Access, TrapKind};
use crate::{Changed, Common, LaunchConfig, Limits, Uninit, float, int, lanes};
use ir::{Flags, Intrinsic, Opcode, Round, ScalarKind, SpecialReg};

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
    /// It could not go on, and nobody waits for it.
    pub(crate) stopped: bool,
    /// What it has said to the checks.
    pub(crate) said: Said,
    /// What the outermost function returned, with shadows.
    pub(crate) result: Vec<(u64, Shadow)>,
}

impl Item {
    /// One that has not begun.
    pub(crate) fn new() -> Self {
        Self {
            regs: Vec::new(),
            shadow: Vec::new(),
            frames: Vec::new(),
            private: Arena::new(Tag::Private),
            state: State::Ready,
            linear: 0,
            id: [0; 3],
            ordering: false,
            stopped: false,
            said: Said::default(),
            result: Vec::new(),
        }
    }

    /// Makes of one that has ended another, which has not begun; the memory that it had is used again.
    pub(crate) fn begin(&mut self, linear: u32, id: [u32; 3]) {
        self.regs.clear();
        self.shadow.clear();
        self.frames.clear();
        self.private.truncate(0);
        (self.state, self.linear, self.id) = (State::Ready, linear, id);
        (self.ordering, self.stopped) = (false, false);
        self.said = Said::default();
        self.result.clear();
    }

    /// The operation that was executed last: function and number.
    pub(crate) fn place(&self) -> (u32, u32) {
        self.frames.last().map_or((u32::MAX, 0), |f| (f.func, f.pc.saturating_sub(1)))
    }

    /// The operations at which its activations are, the kernel's first: of two work-items, whose comes first in the code.
    pub(crate) fn way(&self) -> impl Iterator<Item = (u32, u32)> {
        self.frames.iter().map(|f| (f.pc, f.func))
    }

    /// Says which operation of the current activation is the next.
    #[inline]
    fn set_pc(&mut self, pc: u32) {
        if let Some(f) = self.frames.last_mut() {
            f.pc = pc;
        }
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
    /// Address spaces are names for one memory.
    pub(crate) flat: bool,
    /// Pointers may leave their objects, accesses may not.
    pub(crate) stray: bool,
    /// Work-items that have ended are missing at barriers.
    pub(crate) everybody: bool,
    pub(crate) divisions: bool,
    pub(crate) steps: u64,
    /// Bytes of private memory and registers in use.
    pub(crate) used: u64,
    pub(crate) group: [u32; 3],
    pub(crate) dynamic_shared: u64,
    pub(crate) output: &'m mut Vec<u8>,
    /// What kernels have allocated.
    pub(crate) heap: &'m mut crate::heap::Heap,
    /// Memory of the host that pointers of the host lead to: first byte, size, the address that it has here.
    pub(crate) host: &'m [(u64, u64, u64)],
    /// Takes what goes wrong; without it the launch ends there.
    pub(crate) survey: Option<&'m mut Survey>,
    /// A work-item of the group has executed an atomic operation on global memory.
    pub(crate) group_ordering: bool,
    /// The operation just executed is a volatile access that others may see: it is the next work-item's turn.
    pub(crate) turn_over: bool,
    /// Work-items of groups that have ended.
    pub(crate) ended: Vec<Item>,
    /// Asynchronous copies of the group, in the order in which work-items ask for them.
    pub(crate) copies: Vec<Copy>,
    /// Pointers that have left the windows of their objects.
    pub(crate) beyond: Beyond,
    /// Of groups on several threads what they tell each other.
    pub(crate) watch: Option<&'m crate::parallel::Watch>,
    /// Global memory was read where nothing watches.
    pub(crate) unseen_reads: bool,
}

pub(crate) type Outcome<T> = Result<T, TrapKind>;

impl<'m> Exec<'m> {
    /// A launch whose groups have not begun.
    pub(crate) fn new(common: Common<'m>, params: Arena, changed: Changed<'m>) -> Self {
        let Common { config, limits, per_group, target, .. } = common;
        Self {
            code: common.code,
            names: common.names,
            global: changed.global,
            constant: changed.constant,
            shared: Arena::new(Tag::Shared),
            params,
            races: (limits.races && per_group > 1).then(|| Races::new(per_group as usize)),
            warp_epochs: Vec::new(),
            config,
            limits,
            warp: target.warp_size(),
            flat: target.has_flat_memory(),
            stray: common.stray,
            beyond: Beyond::default(),
            everybody: common.everybody,
            divisions: common.divisions,
            steps: 0,
            turn_over: false,
            used: common.shared_bytes,
            group: [0; 3],
            dynamic_shared: common.dynamic_shared,
            output: changed.output,
            heap: changed.heap,
            host: common.host,
            survey: changed.survey,
            group_ordering: false,
            ended: Vec::new(),
            copies: Vec::new(),
            watch: None,
            unseen_reads: false,
        }
    }
}

impl Exec<'_> {
    /// Enters a function whose arguments are given with their shadows, lane after lane.
    pub(crate) fn enter(&mut self, item: &mut Item, func: u32, args: &[(u64, Shadow)]) -> Outcome<()> {
        let code = &self.code[func as usize];
        if item.frames.len() >= MAX_FRAMES {
            return Err(TrapKind::StackOverflow);
        }
        let frame = Frame { func, pc: 0, base: item.regs.len(), objects: item.private.objects.len() };
        self.used += code.cost;
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
                if let Some((size, align)) = code.byval[n]
                    && !item.frames.is_empty()
                {
                    bits = self.copy_by_value(item, bits, size, align)?;
                }
                item.regs[frame.base + (r + l) as usize] = bits;
                item.shadow[frame.base + (r + l) as usize] = shadow;
            }
        }
        item.frames.push(frame);
        Ok(())
    }

    /// A private copy of an aggregate that a function takes by value.
    fn copy_by_value(&mut self, item: &mut Item, from: u64, size: u64, align: u64) -> Outcome<u64> {
        let place = self.locate(item, from, size, Access::Read)?;
        self.unseen_reads |= place.tag == Tag::Global;
        let to = item.private.push(size, align, place.name);
        if let Some((at, _)) = item.private.locate(to, size) {
            self.copy_bytes(item, &place, &Place { tag: Tag::Private, at, name: place.name }, size as usize);
        }
        Ok(to)
    }

    fn leave(&mut self, item: &mut Item) {
        let Some(frame) = item.frames.pop() else { return };
        item.regs.truncate(frame.base);
        item.shadow.truncate(frame.base);
        item.private.truncate(frame.objects);
        self.used -= self.code[frame.func as usize].cost;
    }

    /// Ends a work-item wherever it is.
    pub(crate) fn end(&mut self, item: &mut Item) {
        while !item.frames.is_empty() {
            self.leave(item);
        }
        item.state = State::Done;
    }

    // ---- the loop ---------------------------------------------------------------------------------------------------

    /// Executes up to `slice` operations.
    pub(crate) fn run(&mut self, item: &mut Item, slice: u32) -> Outcome<()> {
        let mut left = slice.min(u32::try_from(self.limits.steps.saturating_sub(self.steps)).unwrap_or(u32::MAX));
        if left == 0 || self.watch.is_some_and(|w| w.is_over(self.steps)) {
            return Err(TrapKind::StepLimit);
        }
        let start = left;
        let outcome = self.run_inner(item, &mut left);
        self.steps += u64::from(start - left);
        outcome
    }

    fn run_inner(&mut self, item: &mut Item, left: &mut u32) -> Outcome<()> {
        let functions = self.code;
        while *left > 0 {
            let Some(frame) = item.frames.last() else {
                item.state = State::Done;
                return Ok(());
            };
            let (code, base) = (&functions[frame.func as usize], frame.base);
            if !self.run_frame(item, code, base, left)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Executes operations of the activation on top until there is another, none, or somebody else's turn; whether it is still
    /// this work-item's.
    fn run_frame(&mut self, item: &mut Item, code: &Code, base: usize, left: &mut u32) -> Outcome<bool> {
        let Some(mut pc) = item.frames.last().map(|f| f.pc) else { return Ok(true) };
        while *left > 0 {
            *left -= 1;
            let op = &code.ops[pc as usize];
            pc += 1;
            item.set_pc(pc);
            if let Some(quick) = op.quick {
                quick(op, &mut item.regs[base..], &mut item.shadow[base..]);
                continue;
            }
            match op.data {
                Data::Jump(t) => pc = jump(item, code, base, t),
                Data::Br(yes, no) => {
                    let cond = base + op.args[0] as usize;
                    self.decides(item, cond, "a branch condition")?;
                    pc = jump(item, code, base, if item.regs[cond] & 1 == 1 { yes } else { no });
                }
                Data::Switch(t) => {
                    let value = base + op.args[0] as usize;
                    self.decides(item, value, "a switch's value")?;
                    let table = &code.tables[t as usize];
                    let hit = table.cases.binary_search_by_key(&item.regs[value], |c| c.0);
                    pc = jump(item, code, base, hit.map_or(table.default, |n| table.cases[n].1));
                }
                Data::Mem { align } => {
                    let outcome = match op.op {
                        Opcode::Load => self.load(item, base, op, align),
                        Opcode::Store => self.store(item, base, op, align),
                        Opcode::MemCpy => self.memcpy(item, base, op, align),
                        Opcode::MaskedLoad | Opcode::MaskedStore | Opcode::Gather | Opcode::Scatter => {
                            self.by_lane(item, base, code, op, align)
                        }
                        _ => self.memset(item, base, op, align),
                    };
                    outcome.or_else(|kind| self.skip(item, base, op, kind))?;
                    if std::mem::take(&mut self.turn_over) {
                        return Ok(false);
                    }
                }
                Data::Atomic(_) => self.atomic(item, base, op).or_else(|kind| self.skip(item, base, op, kind))?,
                Data::Call(callee) => {
                    self.call(item, base, code, op, callee)?;
                    return Ok(true);
                }
                Data::Special(s) => {
                    let v = self.special(item, s);
                    item.regs[base + op.dst as usize] = v;
                    item.shadow[base + op.dst as usize] = 0;
                }
                // Before each access to an array, and nearly always inside of it.
                Data::Intrinsic(Intrinsic::CheckIndex) => {
                    let [index, length, _] = op.args.map(|r| base + r as usize);
                    if item.shadow[index] | item.shadow[length] == 0 && item.regs[index] >= item.regs[length] {
                        self.check(item, base, op, Intrinsic::CheckIndex)?;
                    }
                }
                Data::Intrinsic(i) => {
                    if let Some(state) = self.intrinsic(item, base, op, i)? {
                        item.state = state;
                        return Ok(false);
                    }
                    if item.state == State::Done {
                        return Ok(false);
                    }
                }
                Data::Malloc => self.malloc(item, base, op)?,
                Data::Free => self.free(item, base, op)?,
                Data::Unsupported => return Err(self.unsupported(op)),
                _ if op.op == Opcode::Return => {
                    self.give_back(item, base, code, op);
                    return Ok(item.state != State::Done);
                }
                _ if op.op == Opcode::PtrAdd => self.ptradd(item, base, op),
                _ => self.plain(item, base, code, op)?,
            }
        }
        Ok(true)
    }

    /// Whether a division is an error: divisions are checked, and some lane's divisor is zero for sure.
    fn divides_by_zero(&self, item: &Item, base: usize, op: &Op) -> bool {
        self.divisions
            && (0..usize::from(op.lanes)).any(|l| {
                let at = base + op.args[1] as usize + l;
                item.regs[at] == 0 && item.shadow[at] == 0
            })
    }

    fn unsupported(&self, op: &Op) -> TrapKind {
        let what = match op.op {
            Opcode::InlineAsm => "inline assembly",
            _ => "calls of functions without a body",
        };
        TrapKind::Unsupported { what: what.to_owned() }
    }

    pub(crate) fn decides(&mut self, item: &mut Item, r: usize, what: &'static str) -> Outcome<()> {
        if item.shadow[r] != 0 && self.limits.uninit != Uninit::Ignore {
            self.fault(item, TrapKind::UndefinedUse { what })?;
            item.shadow[r] = 0;
        }
        Ok(())
    }

    /// Leaves a function with what it returns.
    fn give_back(&mut self, item: &mut Item, base: usize, code: &Code, op: &Op) {
        let lanes = if op.list.0 == op.list.1 { 0 } else { usize::from(code.ret_lanes) };
        let from = base + op.args[0] as usize;
        let values: smallvec::SmallVec<[(u64, Shadow); 4]> =
            (from..from + lanes).map(|r| (item.regs[r], item.shadow[r])).collect();
        self.leave(item);
        let Some(caller) = item.frames.last() else {
            item.result = values.to_vec();
            item.state = State::Done;
            return;
        };
        let dst = caller.base + self.code[caller.func as usize].ops[caller.pc as usize - 1].dst as usize;
        for (l, (bits, shadow)) in values.into_iter().enumerate() {
            item.regs[dst + l] = bits;
            item.shadow[dst + l] = shadow;
        }
    }

    /// What has neither memory nor control flow in it.
    fn plain(&mut self, item: &mut Item, base: usize, code: &Code, op: &Op) -> Outcome<()> {
        match op.op {
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
                    self.fault(item, TrapKind::AssumeViolated)?;
                }
            }
            // Nothing is proved here: the answer is the conservative one.
            Opcode::Provable => item.set(op.dst, 0, 0),
            Opcode::AddrSpaceCast | Opcode::PtrToInt | Opcode::IntToPtr => {
                for l in 0..usize::from(op.lanes) {
                    item.regs[base + op.dst as usize + l] = item.regs[base + op.args[0] as usize + l];
                    item.shadow[base + op.dst as usize + l] = item.shadow[base + op.args[0] as usize + l];
                }
            }
            _ => {
                let divides = matches!(op.op, Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem);
                let by_zero = divides && self.divides_by_zero(item, base, op);
                let frame = (&mut item.regs[base..], &mut item.shadow[base..]);
                lanes::eval(code, op, frame.0, frame.1);
                if by_zero {
                    self.fault(item, TrapKind::DivisionByZero)?;
                    let dst = base + op.dst as usize;
                    item.shadow[dst..dst + usize::from(op.lanes)].fill(0);
                }
            }
        }
        Ok(())
    }

    /// Adds an offset; with `inbounds`, a result outside the object is undefined.
    #[inline]
    fn ptradd(&mut self, item: &mut Item, base: usize, op: &Op) {
        let (p, n) = (base + op.args[0] as usize, base + op.args[1] as usize);
        let mut sum = item.regs[p].wrapping_add(item.regs[n]);
        let mut shadow = if item.shadow[p] | item.shadow[n] == 0 { 0 } else { POISON | 255 };
        let host = item.regs[p] >> 56 == 0 && !self.host.is_empty();
        if op.flags.has(Flags::INBOUNDS) && shadow == 0 && item.regs[n] != 0 && !host {
            let same = sum >> 32 == item.regs[p] >> 32;
            if self.stray && (!same || Beyond::has(sum)) {
                // It would seem to be another object's.
                sum = self.leave_window(item, item.regs[p], item.regs[n]);
            } else if !same || !self.stray && !self.is_inside(item, sum) {
                shadow = POISON | 255;
            }
        }
        item.regs[base + op.dst as usize] = sum;
        item.shadow[base + op.dst as usize] = shadow;
    }

    /// Whether an address is one of an object's, or right behind it.
    fn is_inside(&mut self, item: &mut Item, address: u64) -> bool {
        Tag::of_address(address).is_some_and(|tag| self.arena(item, tag).locate(address, 0).is_some())
    }

    fn call(&mut self, item: &mut Item, base: usize, code: &Code, op: &Op, callee: u32) -> Outcome<()> {
        let list = &code.lists[op.list.0 as usize..op.list.1 as usize];
        let mut args: smallvec::SmallVec<[(u64, Shadow); 16]> = smallvec::SmallVec::new();
        for (&r, &(_, lanes)) in list.iter().zip(&self.code[callee as usize].params) {
            let r = base + r as usize;
            args.extend((r..r + usize::from(lanes)).map(|r| (item.regs[r], item.shadow[r])));
        }
        self.enter(item, callee, &args)
    }

    /// The group's number in the whole launch.
    pub(crate) fn group_number(&self) -> [u32; 3] {
        let first = self.config.whole.map_or([0; 3], |w| w.first);
        std::array::from_fn(|d| first[d].wrapping_add(self.group[d]))
    }

    fn special(&self, item: &Item, reg: SpecialReg) -> u64 {
        let at = Position { config: self.config, warp: self.warp, group: self.group, id: item.id, linear: item.linear };
        match reg {
            SpecialReg::Clock => self.steps & 0xffff_ffff,
            SpecialReg::Clock64 | SpecialReg::GlobalTimer => self.steps,
            SpecialReg::DynamicSharedSize => self.dynamic_shared & 0xffff_ffff,
            _ => at.special(reg),
        }
    }

    /// Executes an intrinsic; what the work-item waits for, if it does.
    fn intrinsic(&mut self, item: &mut Item, base: usize, op: &Op, i: Intrinsic) -> Outcome<Option<State>> {
        use Intrinsic::*;
        match i {
            Barrier | BarrierPopc | BarrierAnd | BarrierOr => return Ok(Some(State::Barrier(i))),
            Yield => return Ok(Some(State::Ready)),
            _ if i.is_matrix() => return Err(TrapKind::Unsupported { what: format!("`{}`", i.name()) }),
            _ if i.effects().has(ir::Effects::CONVERGENT) => return Ok(Some(State::Warp(i))),
            Trap => return Err(TrapKind::Trap),
            Exit => self.end(item),
            Brkpt | Nanosleep | PrefetchL1 | PrefetchL2 | AsyncWaitAll => {}
            _ if i.is_check() => self.check(item, base, op, i)?,
            VPrintf => {
                let (format, buffer) = (item.reg(op.args[0]), item.reg(op.args[1]));
                let text = crate::printf::format(&mut crate::printf::Watched(self, item), format, buffer)?;
                self.output.extend_from_slice(&text.0);
                item.set(op.dst, u64::from(text.1), 0);
            }
            IsGlobal | IsShared | IsConst | IsLocal | IsCluster | IsParam => {
                let r = base + op.args[0] as usize;
                let tag = Tag::of_address(self.canonical(item.regs[r]));
                let yes = match i {
                    IsGlobal => tag == Some(Tag::Global),
                    // A cluster is one group here, and parameters whose address is taken are private.
                    IsShared | IsCluster => tag == Some(Tag::Shared),
                    IsParam => false,
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

/// Where in a launch a work-item is.
#[derive(Clone, Copy)]
pub(crate) struct Position<'a> {
    pub(crate) config: &'a LaunchConfig,
    pub(crate) warp: u32,
    pub(crate) group: [u32; 3],
    pub(crate) id: [u32; 3],
    pub(crate) linear: u32,
}

impl Position<'_> {
    /// What a special register holds that says where; 0 for others.
    pub(crate) fn special(&self, reg: SpecialReg) -> u64 {
        use SpecialReg::*;
        let c = self.config;
        let whole = c.whole.unwrap_or_else(|| crate::Whole {
            first: [0; 3],
            groups: c.grid,
            local: c.block,
            global: std::array::from_fn(|d| u64::from(c.grid[d]) * u64::from(c.block[d])),
            offset: c.offset,
        });
        let lane = self.linear % self.warp;
        let bit = 1u64 << lane;
        let all = int::ones(self.warp);
        // Masks of a 64-lane warp do not fit 32-bit registers; the low half is what such code can see.
        let mask = |m: u64| m & all & 0xffff_ffff;
        match reg {
            TidX => self.id[0].into(),
            TidY => self.id[1].into(),
            TidZ => self.id[2].into(),
            NtidX => c.block[0].into(),
            NtidY => c.block[1].into(),
            NtidZ => c.block[2].into(),
            CtaidX => self.group[0].into(),
            CtaidY => self.group[1].into(),
            CtaidZ => self.group[2].into(),
            NctaidX => whole.groups[0].into(),
            NctaidY => whole.groups[1].into(),
            NctaidZ => whole.groups[2].into(),
            GroupBaseX => whole.first[0].into(),
            GroupBaseY => whole.first[1].into(),
            GroupBaseZ => whole.first[2].into(),
            EnqueuedX => whole.local[0].into(),
            EnqueuedY => whole.local[1].into(),
            EnqueuedZ => whole.local[2].into(),
            GlobalSizeX => whole.global[0],
            GlobalSizeY => whole.global[1],
            GlobalSizeZ => whole.global[2],
            RangeOffsetX => whole.offset[0],
            RangeOffsetY => whole.offset[1],
            RangeOffsetZ => whole.offset[2],
            OffsetX => c.offset[0],
            OffsetY => c.offset[1],
            OffsetZ => c.offset[2],
            WorkDim => c.work_dim.into(),
            LaneId => lane.into(),
            WarpId => (self.linear / self.warp).into(),
            WarpSize => self.warp.into(),
            LaneMaskEq => mask(bit),
            LaneMaskLt => mask(bit - 1),
            LaneMaskLe => mask(bit | (bit - 1)),
            LaneMaskGt => mask(!(bit | (bit - 1))),
            LaneMaskGe => mask(!(bit - 1)),
            SmId | GridId => 0,
            NsmId => 1,
            Clock | Clock64 | GlobalTimer | DynamicSharedSize => 0,
        }
    }
}

/// Goes to a block: moves the arguments into its parameters. Its first operation.
#[inline]
fn jump(item: &mut Item, code: &Code, base: usize, target: u32) -> u32 {
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
    item.set_pc(t.pc);
    t.pc
}

/// The rounding mode of an operation.
#[inline]
pub(crate) fn rounding(op: &Op, default: Round) -> Round {
    if let Data::Round(r) = op.data { r } else { default }
}

/// Whether a float is promised not to be what it is.
#[inline]
pub(crate) fn broken_fast_math(op: &Op, kind: ScalarKind, bits: u64) -> bool {
    (op.flags.has(Flags::NNAN) || op.flags.has(Flags::NINF)) && float::breaks_promise(kind, op.flags, bits)
}
