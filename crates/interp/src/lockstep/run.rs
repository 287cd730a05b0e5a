//! Work-groups side by side: control flow and barriers.

use super::code::{Do, Function, Step};
use super::registers::{copy, put};
use super::tags::{GlobalTags, SharedTags};
use super::{GiveUp, LANES, Mask, Outcome, Reg, Shared, lanes};
use crate::checks::{GLOBAL_FENCE, LOCAL_FENCE};
use crate::decode::Shadow;
use crate::memory::{Arena, Object};
use crate::parallel::Watch;
use crate::races::Races;
use crate::survey::Survey;
use crate::{Common, Launched};
use std::ops::Range;
use std::sync::Mutex;

/// Deepest nesting of calls.
const MAX_FRAMES: usize = 64;

/// Of so many branches those at the end belong to the lanes that are furthest ahead, for which the others may wait.
const TURNS: u64 = 1 << 16;
const TURNS_AHEAD: u64 = 1 << 12;

/// Both of OpenCL's flags of fences: a barrier orders everything unless it says what.
const ALL_FENCES: u64 = LOCAL_FENCE | GLOBAL_FENCE;

/// So many groups run together.
pub(super) fn together(per_group: u32) -> u32 {
    (LANES as u32 / per_group).max(1)
}

/// Some lanes at a place in the code.
type Fragment = (u32, u32);

/// An activation of a function, for some lanes.
#[derive(Default)]
pub(super) struct Activation {
    pub(super) func: usize,
    pub(super) regs: Vec<Reg>,
    /// Shadows of registers that may hold something undefined; empty if there are none.
    pub(super) shadow: Vec<[Shadow; LANES]>,
    /// Lanes that can go on, and lanes that wait at a barrier, the step before their place.
    ready: Vec<Fragment>,
    waiting: Vec<Fragment>,
    /// Where the caller goes on with which lanes, and where it wants the result.
    back: (Fragment, u32),
    /// Private objects before it was entered.
    objects: usize,
}

impl Activation {
    /// Registers and shadow of a lane that may be undefined.
    pub(super) fn is_undefined(&self, r: u32, lane: usize) -> bool {
        self.shadow.get(r as usize).is_some_and(|s| s[lane] != 0)
    }

    fn add(&mut self, fragment: Fragment) {
        join(&mut self.ready, fragment);
    }

    /// The lanes that are furthest behind in the code, or furthest ahead.
    fn take(&mut self, ahead: bool) -> Option<Fragment> {
        let places = self.ready.iter().enumerate();
        let n = if ahead { places.max_by_key(|(_, f)| f.0) } else { places.min_by_key(|(_, f)| f.0) };
        n.map(|(n, _)| n).map(|n| self.ready.swap_remove(n))
    }
}

/// Adds lanes to those at the same place.
fn join(fragments: &mut Vec<Fragment>, (pc, bits): Fragment) {
    match fragments.iter_mut().find(|f| f.0 == pc) {
        Some(f) => f.1 |= bits,
        None if bits != 0 => fragments.push((pc, bits)),
        None => {}
    }
}

/// A work-item's place.
#[derive(Clone, Copy, Default)]
pub(super) struct Lane {
    /// Which of the groups that run together.
    pub(super) slot: usize,
    pub(super) linear: u32,
    pub(super) id: [u32; 3],
}

/// Lanes that go side by side.
pub(super) struct Chunk {
    stack: Vec<Activation>,
    pub(super) lanes: [Lane; LANES],
    /// Those with a work-item, and those whose work-item has not ended.
    exist: u32,
    living: u32,
    pub(super) private: Vec<Object>,
    pub(super) bytes: Vec<u8>,
    pub(super) undefined: Vec<u8>,
    /// What the next barrier of each lane orders.
    pub(super) fences: Reg,
}

/// One of the groups that run together.
#[derive(Clone, Copy, Default)]
pub(super) struct Group {
    pub(super) number: u32,
    pub(super) at: [u32; 3],
    ended: bool,
    /// The phases between barriers that it is in, for global and for work-group memory.
    pub(super) phases: [u32; 2],
}

/// What a thread has left and found.
pub(super) struct Result {
    pub(super) global: Arena,
    pub(super) tags: GlobalTags,
    pub(super) found: Vec<(u32, Survey)>,
    pub(super) steps: u64,
}

/// What a thread has of its own.
pub(super) struct Worker<'m> {
    pub(super) common: Common<'m>,
    functions: &'m [Option<Function>],
    launched: &'m Launched<'m>,
    pub(super) global: Arena,
    pub(super) constant: &'m Arena,
    pub(super) params: &'m Arena,
    pub(super) tags: GlobalTags,
    /// Objects of work-group memory, and the memory of all groups that run together.
    pub(super) shared: Arena,
    pub(super) shared_len: usize,
    pub(super) shared_bytes: Vec<u8>,
    pub(super) shared_undefined: Vec<u8>,
    pub(super) shared_tags: SharedTags,
    pub(super) groups: Vec<Group>,
    phase: u32,
    pool: Vec<Vec<Activation>>,
    watch: &'m Watch,
    /// Operations that were done at the beginning of the kernel and should not.
    too_early: &'m Mutex<Vec<u32>>,
    pub(super) unordered: [bool; 2],
    /// Accesses of each group that barriers have not ordered, where some do not order that kind of memory.
    pub(super) races: Vec<Races>,
    most: usize,
    pub(super) survey: Survey,
    found: Vec<(u32, Survey)>,
    steps: u64,
    /// Of those before the groups that it runs.
    before: u64,
    turns: u64,
}

impl<'m> Worker<'m> {
    pub(super) fn new(with: Shared<'m>, global: Arena, (watch, too_early): (&'m Watch, &'m Mutex<Vec<u32>>)) -> Self {
        let Shared { common, functions, launched, constant, unordered, most } = with;
        let mut shared = Arena::new(crate::memory::Tag::Shared);
        for &(size, align, name) in launched.shared {
            shared.push(size, align, name);
        }
        let len = shared.bytes.len().next_multiple_of(super::tags::WORD);
        Self {
            common,
            functions,
            launched,
            tags: GlobalTags::new(global.bytes.len()),
            global,
            constant,
            params: launched.params,
            shared,
            shared_len: len,
            shared_bytes: Vec::new(),
            shared_undefined: Vec::new(),
            shared_tags: SharedTags::default(),
            groups: Vec::new(),
            phase: 0,
            pool: functions.iter().map(|_| Vec::new()).collect(),
            watch,
            too_early,
            unordered,
            races: Vec::new(),
            most,
            survey: Survey::new(most),
            found: Vec::new(),
            steps: 0,
            before: 0,
            turns: 0,
        }
    }

    /// Runs groups, the part of the launch with this number.
    pub(super) fn run(&mut self, part: u32, groups: Range<u32>) -> Outcome {
        self.before = self.steps;
        let together = together(self.common.per_group);
        let mut chunks = Vec::new();
        let mut from = groups.start;
        while from < groups.end {
            let to = groups.end.min(from + together);
            self.begin(&mut chunks, from..to)?;
            self.batch(&mut chunks)?;
            from = to;
        }
        let survey = std::mem::replace(&mut self.survey, Survey::new(self.most));
        if survey.left_out() != 0 {
            return Err(GiveUp);
        }
        self.found.push((part, survey));
        self.watch.ended(self.steps - self.before);
        Ok(())
    }

    /// What it has left and found.
    pub(super) fn into_result(self) -> Result {
        Result { global: self.global, tags: self.tags, found: self.found, steps: self.steps }
    }

    fn next_phase(&mut self) -> u32 {
        self.phase += 1;
        self.phase
    }

    /// Makes groups ready to run.
    fn begin(&mut self, chunks: &mut Vec<Chunk>, numbers: Range<u32>) -> Outcome {
        let [nx, ny, _] = self.common.config.grid;
        self.groups.clear();
        for n in numbers.clone() {
            let phases = [self.next_phase(), self.next_phase()];
            let at = [n % nx, n / nx % ny, n / nx / ny];
            self.groups.push(Group { number: n, at, ended: false, phases });
        }
        let shared = self.groups.len() * self.shared_len;
        self.shared_bytes.clear();
        self.shared_bytes.resize(shared, 0);
        self.shared_undefined.clear();
        self.shared_undefined.resize(shared, crate::memory::UNDEF);
        self.shared_tags.reset(shared);
        let per_group = self.common.per_group as usize;
        if self.unordered != [false; 2] && per_group > 1 {
            self.races.resize_with(self.groups.len(), || Races::new(per_group));
            self.races.iter_mut().for_each(Races::begin_group);
        }
        let items = self.groups.len() * per_group;
        let [bx, by, _] = self.common.config.block;
        chunks.truncate(items.div_ceil(LANES));
        chunks.resize_with(items.div_ceil(LANES), Chunk::new);
        for (c, chunk) in chunks.iter_mut().enumerate() {
            chunk.private.clear();
            chunk.bytes.clear();
            chunk.undefined.clear();
            chunk.exist = 0;
            for l in 0..LANES.min(items - c * LANES) {
                let item = c * LANES + l;
                let n = (item % per_group) as u32;
                chunk.lanes[l] = Lane { slot: item / per_group, linear: n, id: [n % bx, n / bx % by, n / bx / by] };
                chunk.exist |= 1 << l;
            }
            chunk.living = chunk.exist;
            chunk.fences = [ALL_FENCES; LANES];
            self.begin_kernel(chunk)?;
        }
        Ok(())
    }

    fn begin_kernel(&mut self, chunk: &mut Chunk) -> Outcome {
        let func = self.launched.func as usize;
        let mut act = self.activation(chunk, func)?;
        let mask = Mask::new(chunk.exist, chunk.exist);
        let mut args = self.launched.args.iter();
        for &(r, width) in &self.common.code[func].params {
            for r in r..r + u32::from(width) {
                let &(bits, shadow) = args.next().unwrap_or(&(0, 0));
                if shadow != 0 {
                    return Err(GiveUp);
                }
                act.regs[r as usize] = [bits; LANES];
            }
        }
        let f = self.functions[func].as_ref().ok_or(GiveUp)?;
        let mut early = Vec::new();
        for s in &f.first {
            if self.registers(chunk, &mut act, f, s, &mask).is_err() {
                early.push(s.at);
            }
        }
        if !early.is_empty() {
            if let Ok(mut all) = self.too_early.lock() {
                all.extend(early);
            }
            return Err(GiveUp);
        }
        act.ready.push((0, chunk.exist));
        chunk.stack.push(act);
        Ok(())
    }

    /// An activation that has its constants and private objects.
    fn activation(&mut self, chunk: &mut Chunk, func: usize) -> Outcome<Activation> {
        if chunk.stack.len() >= MAX_FRAMES {
            return Err(GiveUp);
        }
        let code = &self.common.code[func];
        let mut act = match self.pool[func].pop() {
            Some(act) => act,
            None => {
                let regs = code.regs.iter().map(|&bits| [bits; LANES]).collect();
                let tracks = self.functions[func].as_ref().is_some_and(|f| f.tracks);
                let shadow = if tracks { code.shadow.iter().map(|&s| [s; LANES]).collect() } else { Vec::new() };
                Activation { func, regs, shadow, ..Activation::default() }
            }
        };
        act.objects = chunk.private.len();
        for slot in &code.slots {
            let address = chunk.push(slot.size, slot.align, slot.name);
            if let Some(r) = slot.reg {
                act.regs[r as usize] = [address; LANES];
            }
        }
        Ok(act)
    }

    /// Runs the groups that are ready to their ends.
    fn batch(&mut self, chunks: &mut [Chunk]) -> Outcome {
        loop {
            for chunk in chunks.iter_mut() {
                self.chunk(chunk)?;
            }
            let mut progress = false;
            for slot in 0..self.groups.len() {
                progress |= self.barrier(chunks, slot)?;
            }
            if self.groups.iter().all(|g| g.ended) {
                for chunk in chunks.iter_mut() {
                    while let Some(act) = chunk.stack.pop() {
                        self.pool[act.func].push(act);
                    }
                }
                return Ok(());
            }
            if !progress {
                return Err(GiveUp);
            }
        }
    }

    /// Lets a group pass its barrier if all have reached it; whether it has, or has ended.
    fn barrier(&mut self, chunks: &mut [Chunk], slot: usize) -> Outcome<bool> {
        if self.groups[slot].ended {
            return Ok(false);
        }
        let per_group = self.common.per_group as usize;
        let range = slot * per_group..(slot + 1) * per_group;
        let own = |c: usize| {
            let (from, to) = (range.start.max(c * LANES) - c * LANES, range.end.min((c + 1) * LANES) - c * LANES);
            ((1u64 << to) - (1u64 << from)) as u32
        };
        let involved = range.start / LANES..range.end.div_ceil(LANES);
        if involved.clone().all(|c| chunks[c].living & own(c) == 0) {
            self.groups[slot].ended = true;
            return Ok(true);
        }
        let mut place = None;
        let mut fences = ALL_FENCES;
        for c in involved.clone() {
            let (chunk, own) = (&chunks[c], own(c));
            let top = chunk.stack.last().ok_or(GiveUp)?;
            let Some(&(pc, _)) = top.waiting.iter().find(|(_, bits)| bits & own == own) else { return Ok(false) };
            if *place.get_or_insert((top.func, pc)) != (top.func, pc) {
                return Ok(false);
            }
            fences = lanes(own).fold(fences, |all, l| all & chunk.fences[l]);
        }
        for c in involved {
            let (chunk, own) = (&mut chunks[c], own(c));
            lanes(own).for_each(|l| chunk.fences[l] = ALL_FENCES);
            let top = chunk.stack.last_mut().ok_or(GiveUp)?;
            top.waiting.iter_mut().for_each(|f| f.1 &= !own);
            top.waiting.retain(|f| f.1 != 0);
            let pc = place.map_or(0, |p| p.1);
            top.add((pc, own));
        }
        let phases = [self.next_phase(), self.next_phase()];
        self.groups[slot].phases = phases;
        if let Some(races) = self.races.get_mut(slot) {
            races.meet(fences & LOCAL_FENCE != 0, fences & GLOBAL_FENCE != 0, false, |_| true);
        }
        Ok(true)
    }

    /// Runs lanes until all wait or have ended.
    fn chunk(&mut self, chunk: &mut Chunk) -> Outcome {
        while let Some(mut act) = chunk.stack.pop() {
            let called = self.activation_runs(chunk, &mut act)?;
            if let Some(called) = called {
                chunk.stack.push(act);
                chunk.stack.push(called);
            } else if !act.waiting.is_empty() {
                chunk.stack.push(act);
                return Ok(());
            } else {
                chunk.truncate(act.objects);
                if let Some(caller) = chunk.stack.last_mut() {
                    caller.add(act.back.0);
                }
                self.pool[act.func].push(act);
            }
        }
        Ok(())
    }

    /// Runs lanes of an activation until all wait or have left it, or some call another function.
    fn activation_runs(&mut self, chunk: &mut Chunk, act: &mut Activation) -> Outcome<Option<Activation>> {
        let functions = self.functions;
        let f = functions[act.func].as_ref().ok_or(GiveUp)?;
        while let Some((start, bits)) = act.take(self.turns % TURNS >= TURNS - TURNS_AHEAD) {
            let mask = Mask::new(bits, chunk.exist);
            let mut pc = start as usize;
            loop {
                let s = &f.steps[pc];
                pc += 1;
                self.steps += 1;
                match s.what {
                    Do::Pure(run) => {
                        if !run(s, &mut act.regs, &mask) {
                            return Err(GiveUp);
                        }
                    }
                    Do::Load => self.load(chunk, act, s, &mask)?,
                    Do::Store => self.store(chunk, act, s, &mask)?,
                    Do::Jump(t) => {
                        pc = self.go(act, f, t, &mask) as usize;
                        self.look()?;
                        if !act.ready.is_empty() {
                            act.add((pc as u32, bits));
                            break;
                        }
                    }
                    Do::Br(..) | Do::Switch(_) => {
                        self.look()?;
                        match self.parts(chunk, act, f, s, &mask)? {
                            Some(to) if act.ready.is_empty() => pc = to as usize,
                            to => {
                                act.add((to.unwrap_or(0), if to.is_some() { bits } else { 0 }));
                                break;
                            }
                        }
                    }
                    Do::Barrier => {
                        join(&mut act.waiting, (pc as u32, bits));
                        break;
                    }
                    Do::Call(callee) => {
                        let back = ((pc as u32, bits), s.op.dst);
                        return self.call(chunk, act, s, (callee as usize, back), &mask).map(Some);
                    }
                    Do::Return => {
                        self.give_back(chunk, act, s, &mask)?;
                        break;
                    }
                    Do::MemCpy => self.memcpy(chunk, act, s, &mask)?,
                    Do::MemSet => self.memset(chunk, act, s, &mask)?,
                    _ => self.registers(chunk, act, f, s, &mask)?,
                }
            }
        }
        Ok(None)
    }

    /// Counts branches; now and then looks whether others have given up, or this should.
    #[inline]
    fn look(&mut self) -> Outcome {
        self.turns += 1;
        if self.turns.is_multiple_of(TURNS) && self.watch.is_over(self.steps - self.before) {
            Err(GiveUp)
        } else {
            Ok(())
        }
    }

    /// Goes to a block: moves the arguments into its parameters. Its first step.
    fn go(&self, act: &mut Activation, f: &Function, target: u32, mask: &Mask) -> u32 {
        let code = &self.common.code[act.func];
        let t = &code.targets[target as usize];
        let moves = &code.moves[t.moves.0 as usize..t.moves.1 as usize];
        if t.parallel {
            let values: Vec<(Reg, [Shadow; LANES])> = { moves.iter() }
                .map(|&(from, _)| (act.regs[from as usize], act.shadow.get(from as usize).copied().unwrap_or_default()))
                .collect();
            for (&(_, to), (value, shadow)) in moves.iter().zip(&values) {
                put(act, to, value, shadow, mask);
            }
        } else {
            copy(act, moves, mask);
        }
        f.starts[t.pc as usize]
    }

    /// Where lanes part: the step at which all go on, or none if they go on at several, which are ready then.
    fn parts(&self, chunk: &Chunk, act: &mut Activation, f: &Function, s: &Step, mask: &Mask) -> Outcome<Option<u32>> {
        let value = s.op.args[0];
        if s.tracked && mask.lanes().any(|l| act.is_undefined(value, l)) {
            return Err(GiveUp);
        }
        let mut ways: smallvec::SmallVec<[(u32, u32); 4]> = smallvec::SmallVec::new();
        match s.what {
            Do::Br(yes, no) => {
                let cond = &act.regs[value as usize];
                let true_lanes = cond.iter().enumerate().fold(0, |b, (l, v)| b | ((v & 1) as u32) << l) & mask.bits;
                ways.extend([(yes, true_lanes), (no, mask.bits & !true_lanes)]);
            }
            Do::Switch(t) => {
                let table = &self.common.code[act.func].tables[t as usize];
                for l in mask.lanes() {
                    let hit = table.cases.binary_search_by_key(&act.regs[value as usize][l], |c| c.0);
                    let to = hit.map_or(table.default, |n| table.cases[n].1);
                    match ways.iter_mut().find(|w| w.0 == to) {
                        Some(way) => way.1 |= 1 << l,
                        None => ways.push((to, 1 << l)),
                    }
                }
            }
            _ => return Err(GiveUp),
        }
        if let Some(&(to, _)) = ways.iter().find(|w| w.1 == mask.bits) {
            return Ok(Some(self.go(act, f, to, mask)));
        }
        for &(to, bits) in ways.iter().filter(|w| w.1 != 0) {
            let pc = self.go(act, f, to, &Mask::new(bits, chunk.exist));
            act.add((pc, bits));
        }
        Ok(None)
    }

    fn call(
        &mut self,
        chunk: &mut Chunk,
        act: &Activation,
        s: &Step,
        (callee, back): (usize, (Fragment, u32)),
        mask: &Mask,
    ) -> Outcome<Activation> {
        let mut called = self.activation(chunk, callee)?;
        let (caller, code) = (&self.common.code[act.func], &self.common.code[callee]);
        let list = &caller.lists[s.op.list.0 as usize..s.op.list.1 as usize];
        for (n, (&r, &(to, width))) in list.iter().zip(&code.params).enumerate() {
            for k in 0..u32::from(width) {
                if mask.lanes().any(|l| act.is_undefined(r + k, l)) {
                    return Err(GiveUp);
                }
                called.regs[(to + k) as usize] = act.regs[(r + k) as usize];
                if let Some(shadow) = called.shadow.get_mut((to + k) as usize) {
                    *shadow = [0; LANES];
                }
            }
            if let Some((size, align)) = code.byval[n] {
                let address = chunk.push(size, align, 0);
                let from = act.regs[r as usize];
                self.copy_bytes(chunk, (act.func, s), (&[address; LANES], &from), size, mask)?;
                called.regs[to as usize] = [address; LANES];
            }
        }
        called.back = back;
        called.ready.push((0, mask.bits));
        Ok(called)
    }

    /// Lanes leave a function with what it returns.
    fn give_back(&self, chunk: &mut Chunk, act: &Activation, s: &Step, mask: &Mask) -> Outcome {
        let Some(caller) = chunk.stack.last_mut() else {
            chunk.living &= !mask.bits;
            return Ok(());
        };
        let width = if s.op.list.0 == s.op.list.1 { 0 } else { u32::from(self.common.code[act.func].ret_lanes) };
        for k in 0..width {
            let r = s.op.args[0] + k;
            if mask.lanes().any(|l| act.is_undefined(r, l)) {
                return Err(GiveUp);
            }
            put(caller, act.back.1 + k, &act.regs[r as usize], &[0; LANES], mask);
        }
        Ok(())
    }
}

impl Chunk {
    fn new() -> Self {
        Self {
            stack: Vec::new(),
            lanes: [Lane::default(); LANES],
            exist: 0,
            living: 0,
            private: Vec::new(),
            bytes: Vec::new(),
            undefined: Vec::new(),
            fences: [ALL_FENCES; LANES],
        }
    }

    /// Makes a private object of each lane; its address. Those of the lanes lie one after another.
    fn push(&mut self, size: u64, align: u64, name: u32) -> u64 {
        let (start, base) = (self.bytes.len(), align.clamp(1, 1 << 20));
        self.private.push(Object { start, size, base, read_only: false, write_only: false, name });
        self.bytes.resize(start + size as usize * LANES, 0);
        self.undefined.resize(start + size as usize * LANES, crate::memory::UNDEF);
        (crate::memory::Tag::Private as u64) << 56 | (self.private.len() as u64 - 1) << 32 | base
    }

    fn truncate(&mut self, objects: usize) {
        if let Some(o) = self.private.get(objects) {
            self.bytes.truncate(o.start);
            self.undefined.truncate(o.start);
            self.private.truncate(objects);
        }
    }
}
