//! Writes the work-group function: each region's code into a loop nest, in between the branches of the whole group.
//!
//! An instruction is put as far out as its operands allow: what depends on no local id before the nest, what depends
//! on z or y only into those loops' headers, the rest into the body. That is right for what is pure and cheap, for what
//! every work-item executes, and for loads that nothing in the region disturbs.

use super::nest::{GROUP, ITEM, Nest};
use super::plan::{Analyses, Mode, Region, Regions};
use super::prepare::{Prepared, unsupported};
use super::prologue::{Entry, Shared};
use super::slots::copies_for;
use super::storage::{Offset, Scratch, Storage, StorageMap, memory_type};
use super::{Dimension, exchange};
use crate::{Options, Unsupported};
use cranelift_entity::SecondaryMap;
use ir::{
    Block, Builder, Flags, Function, Inst, IntCC, Intrinsic, LoopMd, MemInfo, Module, Opcode, Payload, Type, Value,
    ValueDef,
};
use launch::context::trap;

/// The state of a work-item that has returned, in dynamic mode.
pub(super) const GONE: i64 = -1;

/// The function being written.
pub(super) struct Emitter<'a> {
    pub(super) module: &'a Module,
    pub(super) options: &'a Options,
    pub(super) p: &'a Prepared,
    pub(super) plan: &'a Regions,
    pub(super) facts: &'a Analyses,
    pub(super) storage: &'a StorageMap,
    pub(super) shared: &'a Shared,
    pub(super) out: Function,
    pub(super) level: SecondaryMap<Value, u8>,
    pub(super) entry: Entry,
    pub(super) scratch: &'a mut Scratch,
    pub(super) marks: Vec<(LoopMd, Vec<(Dimension, LoopMd)>)>,
    /// Operands of the cut at a block's end, one array each.
    pub(super) operands: SecondaryMap<Block, Vec<Offset>>,
    /// State of each work-item: a byte that says whether it lives, or the number of the cut at which it waits.
    pub(super) state: Option<Offset>,
    /// Whether somebody has reached the end of a region from which some return.
    pub(super) any: Offset,
    /// The condition of a branch of the group, computed by work-items.
    pub(super) condition: Offset,
    pub(super) starts: Vec<Block>,
    /// Returns.
    pub(super) leave: Block,
    /// Picks the next region, in dynamic mode.
    pub(super) dispatch: Block,
    pub(super) problem: Option<Unsupported>,
}

/// The state of one region's emission.
pub(super) struct Body {
    pub(super) value: SecondaryMap<Value, Option<Value>>,
    pub(super) block: SecondaryMap<Block, Option<Block>>,
    pub(super) nest: Nest,
    /// Values that are both needed from before and computed in the region, dynamic mode only.
    pub(super) ambiguous: Vec<Value>,
}

/// Room for what the emission itself keeps.
pub(super) struct Places<'a> {
    pub(super) scratch: &'a mut Scratch,
    pub(super) shared: &'a Shared,
    pub(super) storage: &'a StorageMap,
}

impl<'a> Emitter<'a> {
    /// Begins.
    pub(super) fn new(
        module: &'a Module,
        options: &'a Options,
        (p, plan, facts): (&'a Prepared, &'a Regions, &'a Analyses),
        places: Places<'a>,
        mut out: Function,
        entry: Entry,
    ) -> Self {
        let starts = plan.regions.iter().map(|_| out.new_block()).collect();
        let (leave, dispatch) = (out.new_block(), out.dfg.make_block());
        Builder::at_end(&mut out, leave).ret(None);
        let (any, condition) = (places.scratch.take(4), places.scratch.take(8));
        Self {
            module,
            options,
            p,
            plan,
            facts,
            storage: places.storage,
            shared: places.shared,
            out,
            level: SecondaryMap::new(),
            entry,
            scratch: places.scratch,
            marks: Vec::new(),
            operands: SecondaryMap::new(),
            state: None,
            any,
            condition,
            starts,
            leave,
            dispatch,
            problem: None,
        }
    }

    /// Writes everything.
    pub(super) fn write(&mut self) {
        match self.plan.mode {
            Mode::Static if self.plan.leaves => {
                let at = self.scratch.array(Type::I8);
                self.state = Some(at);
                self.entry.fill(&mut self.out, at, 1, 1);
            }
            Mode::Static => {}
            Mode::Dynamic => {
                let at = self.scratch.array(Type::I32);
                self.state = Some(at);
                self.entry.fill(&mut self.out, at, 4, GONE & 0xff);
            }
        }
        for b in self.p.func.layout.blocks() {
            if let Some(i) = self.p.cut[b].expand() {
                let types: Vec<Type> =
                    exchange::kept_operands(&self.p.func, i).map(|v| self.p.func.dfg.ty(v)).collect();
                self.operands[b] = types.into_iter().map(|ty| self.scratch.array(ty)).collect();
            }
        }
        for n in 0..self.plan.regions.len() {
            self.region(n);
        }
        if self.p.yields {
            self.turns();
        } else if self.plan.mode == Mode::Dynamic {
            self.dispatcher();
        }
        self.jump(self.entry.block, self.starts[0], &[]);
    }

    // ---- building ---------------------------------------------------------------------------------------------------

    /// Appends an instruction with a result of level 0.
    pub(super) fn push(
        &mut self,
        block: Block,
        op: Opcode,
        ty: Type,
        flags: Flags,
        args: &[Value],
        payload: Payload,
    ) -> Value {
        let i = self.out.dfg.make_inst(op, ty, flags, args, payload);
        self.out.layout.append_inst(i, block);
        self.out.dfg.res(i)
    }

    pub(super) fn jump(&mut self, from: Block, to: Block, args: &[Value]) {
        Builder::at_end(&mut self.out, from).jump(to, args);
    }

    pub(super) fn is_closed(&self, b: Block) -> bool {
        self.out.layout.last_inst(b).is_some_and(|i| self.out.dfg.op(i).is_terminator())
    }

    pub(super) fn problem(&mut self, what: &str, inst: Option<Inst>) {
        if self.problem.is_none() {
            let span = inst.map_or(self.p.func.span, |i| self.p.func.dfg.span(i));
            self.problem = Some(unsupported(what, span, "please report the kernel: this is a gap in unspool"));
        }
    }

    // ---- regions ----------------------------------------------------------------------------------------------------

    fn region(&mut self, n: usize) {
        let plan = self.plan;
        let region = &plan.regions[n];
        let mut before = self.starts[n];
        if let Some(b) = region.after {
            before = self.exchange(before, b, region.key);
        }
        let mut nest = self.open_nest(before);
        nest.keeps_loads = self.storage.keeps_loads.contains(region.entry);
        self.guard(&mut nest, region);
        let mut body = Body { value: SecondaryMap::new(), block: SecondaryMap::new(), nest, ambiguous: Vec::new() };
        if plan.mode == Mode::Dynamic {
            self.find_ambiguous(&mut body, region);
        }
        if region.leaves {
            let (at, zero) = (self.entry.scratch(&mut self.out, self.any), self.out.dfg.iconst(Type::I32, 0));
            self.store_to(before, at, zero);
        }
        for &b in &region.blocks {
            let copy = self.out.new_block();
            body.block[b] = Some(copy);
            if b != region.entry {
                for k in 0..self.p.func.dfg.params(b).len() {
                    let v = self.p.func.dfg.params(b)[k];
                    let new = self.out.dfg.add_param(copy, self.p.func.dfg.ty(v));
                    self.level[new] = ITEM;
                    body.value[v] = Some(new);
                }
            }
        }
        for &b in &region.blocks {
            self.block(&mut body, region, b);
        }
        let intro = body.nest.at[usize::from(ITEM)];
        let first = body.block[region.entry].unwrap_or(intro);
        self.jump(intro, first, &[]);
        let nest = std::mem::replace(&mut body.nest, self.no_nest(before));
        let after = self.close_nest(&nest);
        self.finish(&mut body, region, after);
    }

    /// A nest that is nowhere, to move one out of its place.
    fn no_nest(&mut self, at: Block) -> Nest {
        let zero = self.out.dfg.iconst(Type::I32, 0);
        Nest::nowhere(at, zero)
    }

    /// Lets in who takes part.
    fn guard(&mut self, nest: &mut Nest, region: &Region) {
        let Some(state) = self.state.filter(|_| region.entry != self.facts.info.cfg.entry()) else { return };
        nest.guard = Some(self.takes_part(nest, nest.body, state, region.key));
    }

    fn takes_part(&mut self, nest: &mut Nest, block: Block, state: Offset, key: u32) -> Value {
        match self.plan.mode {
            Mode::Static => self.load_element(nest, block, state, Type::I1),
            Mode::Dynamic => {
                let now = self.load_element(nest, block, state, Type::I32);
                let key = self.out.dfg.iconst(Type::I32, key.into());
                self.push(block, Opcode::Icmp, Type::I1, Flags::NONE, &[now, key], Payload::IntCC(IntCC::Eq))
            }
        }
    }

    fn find_ambiguous(&mut self, body: &mut Body, region: &Region) {
        let func = &self.p.func;
        let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
        region.blocks.iter().for_each(|&b| inside[b] = true);
        let home = |v: Value| match func.dfg.def(v) {
            ValueDef::Inst(i) => func.layout.inst_block(i),
            ValueDef::Param(b, _) => Some(b),
            _ => None,
        };
        let live = self.facts.live.live_in(region.entry);
        body.ambiguous = live
            .iter()
            .copied()
            .filter(|&v| matches!(self.storage.of(v), Storage::PerItem(_)) && home(v).is_some_and(|b| inside[b]))
            .collect();
    }

    fn block(&mut self, body: &mut Body, region: &Region, b: Block) {
        let Some(copy) = body.block[b] else { return };
        for k in 0..body.ambiguous.len() {
            let v = body.ambiguous[k];
            if self.facts.live.is_live_in(b, v)
                && let Storage::PerItem(at) = self.storage.of(v)
            {
                let ty = self.p.func.dfg.ty(v);
                let new = self.load_element(&mut body.nest, copy, at, ty);
                body.value[v] = Some(new);
            }
        }
        if b != region.entry {
            for k in 0..self.p.func.dfg.params(b).len() {
                let v = self.p.func.dfg.params(b)[k];
                if body.ambiguous.contains(&v) {
                    // An earlier block's copy of the value stood for it until here.
                    body.value[v] = Some(self.out.dfg.params(copy)[k]);
                }
                self.keep(body, v, copy);
            }
        }
        let mut next = self.p.func.layout.first_inst(b);
        while let Some(i) = next {
            next = self.p.func.layout.next_inst(i);
            if self.p.cut[b].expand() == Some(i) {
                break;
            }
            if self.p.func.dfg.op(i).is_terminator() {
                break;
            }
            if self.inst(body, b, copy, i) {
                return;
            }
        }
        self.end(body, region, b, copy);
    }

    /// One instruction; whether it ends the work-item.
    fn inst(&mut self, body: &mut Body, b: Block, copy: Block, i: Inst) -> bool {
        let data = &self.p.func.dfg.insts[i];
        let span = self.p.func.dfg.span(i);
        let result = self.p.func.dfg.result(i);
        if let Some(reg) = data.special() {
            let Some(v) = result else { return false };
            if let Some(new) = self.register(body, reg) {
                body.value[v] = Some(new);
                self.keep(body, v, copy);
                return false;
            }
        }
        // Blocks of a region are then no longer dominated by definitions: whoever uses it computes it at the begin.
        if self.plan.mode == Mode::Dynamic && result.is_some_and(|v| self.storage.of(v) == Storage::Rematerialised) {
            return false;
        }
        if data.intrinsic() == Some(Intrinsic::Trap) {
            let at = self.entry.trap_place(&mut self.out);
            let code = self.out.dfg.iconst(Type::I32, trap::TRAP.into());
            let mut builder = Builder::at_end(&mut self.out, copy);
            builder.set_span(span);
            builder.store(at, code, MemInfo::aligned(4), Flags::NONE);
            body.nest.effects = true;
            self.gone(body, copy);
            self.jump(copy, body.nest.latch, &[]);
            return true;
        }
        let args: Vec<Value> = self.p.func.dfg.args(i).to_vec();
        let args: Vec<Value> = args.into_iter().map(|v| self.operand(body, v)).collect();
        if let (Some(asked), Some(v), Some(&p)) = (data.intrinsic(), result, args.first())
            && let Some(answer) = self.points_into(copy, asked, p)
        {
            body.value[v] = Some(answer);
            self.keep(body, v, copy);
            return false;
        }
        let level = args.iter().map(|&a| self.level[a]).max().unwrap_or(GROUP);
        let movable = data.is_pure() && (data.op.is_cheap() || self.storage.certain[b])
            || result.is_some_and(|v| self.storage.steady.contains(v));
        // Behind a guard, nobody of a row may be left for whom a load is right.
        let reads = data.op == Opcode::Load && level != GROUP && body.nest.guard.is_some();
        let level = if movable && !reads { level } else { ITEM };
        let to = if level == ITEM { copy } else { body.nest.at[usize::from(level)] };
        let args = self.spread(to, i, args);
        let payload = self.accessed(i, data.payload.clone());
        let (op, ty, mut flags) = (data.op, data.ty, data.flags);
        if result.is_some_and(|v| self.storage.invariant.contains(v)) {
            flags = flags.with(Flags::INVARIANT);
        }
        body.nest.effects |= data.has_side_effects();
        let new = self.out.dfg.make_inst(op, ty, flags, &args, self.payload(payload));
        self.out.dfg.set_span(new, span);
        self.out.layout.append_inst(new, to);
        if let Some(v) = result {
            let new = self.out.dfg.res(new);
            self.level[new] = level;
            body.value[v] = Some(new);
            self.keep(body, v, copy);
        }
        false
    }

    /// The operands of an instruction; offsets into interleaved slots grow.
    pub(super) fn spread(&mut self, at: Block, i: Inst, mut args: Vec<Value>) -> Vec<Value> {
        let is_offset = self.p.func.dfg.op(i) == Opcode::PtrAdd;
        if !is_offset || !self.storage.interleaved.contains(self.p.func.dfg.arg(i, 0)) {
            return args;
        }
        let copies = self.scratch.items.map(|items| copies_for(items) as i64);
        args[1] = match (self.out.dfg.as_int(args[1]), copies) {
            (Some(0), _) => args[1],
            (Some(n), Some(copies)) => self.out.dfg.iconst(Type::I64, n.wrapping_mul(copies)),
            (_, copies) => {
                let copies = match copies {
                    Some(n) => self.out.dfg.iconst(Type::I64, n),
                    // As many as there is room for.
                    None => self.entry.room(&mut self.out),
                };
                self.push(at, Opcode::Mul, Type::I64, Flags::NONE, &[args[1], copies], Payload::None)
            }
        };
        args
    }

    /// The payload of an access: an element of an interleaved slot is only as aligned as it is large.
    fn accessed(&self, i: Inst, payload: Payload) -> Payload {
        let (func, args) = (&self.p.func, self.p.func.dfg.args(i));
        let (Payload::Mem(mem), Some(&at)) = (&payload, args.first()) else { return payload };
        if !self.storage.interleaved.contains(at) {
            return payload;
        }
        let ty = args.get(1).map_or(func.dfg.insts[i].ty, |&v| func.dfg.ty(v));
        Payload::Mem(MemInfo { align_log2: mem.align_log2.min(memory_type(ty).bytes().ilog2() as u8), ..*mem })
    }

    /// Inline assembly is refused before; other payloads of instructions that are no branches name nothing of the
    /// function.
    fn payload(&self, payload: Payload) -> Payload {
        debug_assert!(!matches!(payload, Payload::Asm(_) | Payload::Jump(..) | Payload::Br(..) | Payload::Switch(_)));
        payload
    }
}
