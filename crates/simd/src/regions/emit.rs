//! Writes the work-group function: each region's code into a loop nest, in between the branches of the whole group.
//!
//! An instruction is put as far out as its operands allow: what depends on no local id before the nest, what depends
//! on z or y only into those loops' headers, the rest into the body. That is right for what is pure and cheap, for what
//! every work-item executes, and for loads that nothing in the region disturbs.

use super::homes::{Home, Homes, Scratch, memory_type};
use super::nest::{GROUP, ITEM, Nest};
use super::plan::{End, Facts, Mode, Plan, Region};
use super::prepare::{Prepared, unsupported};
use super::surroundings::{Entry, Shared};
use super::{Dimension, exchange};
use crate::abi::trap;
use crate::{Options, Unsupported};
use cranelift_entity::SecondaryMap;
use ir::{
    Block, Builder, ConstKind, Flags, Function, Inst, IntCC, Intrinsic, LoopMd, MemInfo, Module, Opcode, Payload,
    SpecialReg, Type, Value, ValueDef,
};

/// The state of a work-item that has returned, in dynamic mode.
pub(super) const GONE: i64 = -1;

/// The function being written.
pub(super) struct Emitter<'a> {
    pub(super) module: &'a Module,
    pub(super) options: &'a Options,
    pub(super) p: &'a Prepared,
    pub(super) plan: &'a Plan,
    pub(super) facts: &'a Facts,
    pub(super) homes: &'a Homes,
    pub(super) shared: &'a Shared,
    pub(super) out: Function,
    pub(super) level: SecondaryMap<Value, u8>,
    pub(super) entry: Entry,
    pub(super) scratch: &'a mut Scratch,
    pub(super) marks: Vec<(LoopMd, Vec<(Dimension, LoopMd)>)>,
    /// Operands of the cut at a block's end, one array each.
    pub(super) operands: SecondaryMap<Block, Vec<u64>>,
    /// State of each work-item: a byte that says whether it lives, or the number of the cut at which it waits.
    pub(super) state: Option<u64>,
    /// Whether somebody has reached the end of a region from which some return.
    any: u64,
    /// The condition of a branch of the group, computed by work-items.
    condition: u64,
    starts: Vec<Block>,
    /// Returns.
    leave: Block,
    /// Picks the next region, in dynamic mode.
    dispatch: Block,
    pub(super) problem: Option<Unsupported>,
}

/// The state of one region's emission.
struct Body {
    value: SecondaryMap<Value, Option<Value>>,
    block: SecondaryMap<Block, Option<Block>>,
    nest: Nest,
    /// Values that are both needed from before and computed in the region, dynamic mode only.
    ambiguous: Vec<Value>,
}

/// Room for what the emission itself keeps.
pub(super) struct Places<'a> {
    pub(super) scratch: &'a mut Scratch,
    pub(super) shared: &'a Shared,
    pub(super) homes: &'a Homes,
}

impl<'a> Emitter<'a> {
    /// Begins.
    pub(super) fn new(
        module: &'a Module,
        options: &'a Options,
        (p, plan, facts): (&'a Prepared, &'a Plan, &'a Facts),
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
            homes: places.homes,
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

    /// Number of work-items in the group.
    pub(super) fn items(&self) -> u64 {
        self.options.local_size.iter().map(|&n| u64::from(n)).product()
    }

    /// Writes everything.
    pub(super) fn write(&mut self) {
        let items = self.items();
        match self.plan.mode {
            Mode::Static if self.plan.leaves => {
                let at = self.scratch.array(Type::I8, items);
                self.state = Some(at);
                self.entry.fill(&mut self.out, at, 1, items);
            }
            Mode::Static => {}
            Mode::Dynamic => self.state = Some(self.scratch.array(Type::I32, items)),
        }
        for b in self.p.func.layout.blocks() {
            if let Some(i) = self.p.cut[b].expand() {
                let types: Vec<Type> =
                    exchange::kept_operands(&self.p.func, i).map(|v| self.p.func.dfg.ty(v)).collect();
                self.operands[b] = types.into_iter().map(|ty| self.scratch.array(ty, items)).collect();
            }
        }
        for n in 0..self.plan.regions.len() {
            self.region(n);
        }
        if self.plan.mode == Mode::Dynamic {
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

    fn problem(&mut self, what: &str, inst: Option<Inst>) {
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

    fn takes_part(&mut self, nest: &mut Nest, block: Block, state: u64, key: u32) -> Value {
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
            .filter(|&v| matches!(self.homes.of(v), Home::Array(_)) && home(v).is_some_and(|b| inside[b]))
            .collect();
    }

    fn block(&mut self, body: &mut Body, region: &Region, b: Block) {
        let Some(copy) = body.block[b] else { return };
        for k in 0..body.ambiguous.len() {
            let v = body.ambiguous[k];
            if self.facts.live.is_live_in(b, v)
                && let Home::Array(at) = self.homes.of(v)
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
        if self.plan.mode == Mode::Dynamic && result.is_some_and(|v| self.homes.of(v) == Home::Again) {
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
        if data.intrinsic() == Some(Intrinsic::IsShared) {
            let Some(v) = result else { return false };
            body.value[v] = Some(self.is_shared(copy, args[0]));
            self.keep(body, v, copy);
            return false;
        }
        let level = args.iter().map(|&a| self.level[a]).max().unwrap_or(GROUP);
        let movable = data.is_pure() && (data.op.is_cheap() || self.homes.certain[b])
            || result.is_some_and(|v| self.homes.steady.contains(v));
        // Behind a guard, nobody of a row may be left for whom a load is right.
        let reads = data.op == Opcode::Load && level != GROUP && body.nest.guard.is_some();
        let level = if movable && !reads { level } else { ITEM };
        let to = if level == ITEM { copy } else { body.nest.at[usize::from(level)] };
        let args = self.spread(to, i, args);
        let payload = self.accessed(i, data.payload.clone());
        let (op, ty, mut flags) = (data.op, data.ty, data.flags);
        if result.is_some_and(|v| self.homes.invariant.contains(v)) {
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
    fn spread(&mut self, at: Block, i: Inst, mut args: Vec<Value>) -> Vec<Value> {
        if self.p.func.dfg.op(i) == Opcode::PtrAdd {
            let pitch = i64::from(self.homes.pitch[self.p.func.dfg.arg(i, 0)]);
            if pitch > 0 {
                args[1] = match self.out.dfg.as_int(args[1]) {
                    Some(n) => self.out.dfg.iconst(Type::I64, n.wrapping_mul(pitch)),
                    None => {
                        let pitch = self.out.dfg.iconst(Type::I64, pitch);
                        self.push(at, Opcode::Mul, Type::I64, Flags::NONE, &[args[1], pitch], Payload::None)
                    }
                };
            }
        }
        args
    }

    /// The payload of an access: an element of an interleaved slot is only as aligned as it is large.
    fn accessed(&self, i: Inst, payload: Payload) -> Payload {
        let (func, args) = (&self.p.func, self.p.func.dfg.args(i));
        let (Payload::Mem(mem), Some(&at)) = (&payload, args.first()) else { return payload };
        if self.homes.pitch[at] == 0 {
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

    /// `group.shared <= p < end of the group's memory`
    fn is_shared(&mut self, copy: Block, p: Value) -> Value {
        let base = self.entry.shared_base(&mut self.out);
        let special = self.entry.special(&mut self.out, self.options, SpecialReg::DynamicSharedSize);
        let entry = self.entry.block;
        let dynamic = special.unwrap_or(base);
        let wide = self.push(entry, Opcode::ZExt, Type::I64, Flags::NONE, &[dynamic], Payload::None);
        let fixed = self.out.dfg.iconst(Type::I64, self.shared.bytes.into());
        let bytes = self.push(entry, Opcode::Add, Type::I64, Flags::NONE, &[wide, fixed], Payload::None);
        let base = self.push(entry, Opcode::PtrToInt, Type::I64, Flags::NONE, &[base], Payload::None);
        let p = self.push(copy, Opcode::PtrToInt, Type::I64, Flags::NONE, &[p], Payload::None);
        let from = self.push(copy, Opcode::Sub, Type::I64, Flags::NONE, &[p, base], Payload::None);
        let v = self.push(copy, Opcode::Icmp, Type::I1, Flags::NONE, &[from, bytes], Payload::IntCC(IntCC::Ult));
        for v in [p, from, v] {
            self.level[v] = ITEM;
        }
        v
    }

    /// A special register's value here; `None` where it is the machine's.
    fn register(&mut self, body: &mut Body, reg: SpecialReg) -> Option<Value> {
        use SpecialReg::*;
        match reg {
            TidX => Some(body.nest.ids[0]),
            TidY => Some(body.nest.ids[1]),
            TidZ => Some(body.nest.ids[2]),
            LaneId | WarpId | LaneMaskEq | LaneMaskLt | LaneMaskLe | LaneMaskGt | LaneMaskGe => {
                Some(self.warp_register(&mut body.nest, reg))
            }
            _ => self.entry.special(&mut self.out, self.options, reg),
        }
    }

    /// Registers that follow from the linear id.
    fn warp_register(&mut self, nest: &mut Nest, reg: SpecialReg) -> Value {
        use SpecialReg::*;
        let linear = self.linear(nest);
        let block = nest.body;
        let wide = self.options.warp_size > 32;
        let op = |this: &mut Self, op: Opcode, a: Value, n: i64| {
            let ty = this.out.dfg.ty(a);
            let n = this.out.dfg.iconst(ty, n);
            let v = this.push(block, op, ty, Flags::NONE, &[a, n], Payload::None);
            this.level[v] = ITEM;
            v
        };
        if reg == WarpId {
            return op(self, Opcode::LShr, linear, self.options.warp_size.ilog2().into());
        }
        let lane = op(self, Opcode::And, linear, i64::from(self.options.warp_size) - 1);
        if reg == LaneId {
            return lane;
        }
        // One bit in 64, from which the low 32 are taken where warps are that small.
        let lane = self.push(block, Opcode::ZExt, Type::I64, Flags::NONE, &[lane], Payload::None);
        let one = self.out.dfg.iconst(Type::I64, 1);
        let eq = self.push(block, Opcode::Shl, Type::I64, Flags::NONE, &[one, lane], Payload::None);
        let mask = match reg {
            LaneMaskEq => eq,
            LaneMaskLt => op(self, Opcode::Add, eq, -1),
            LaneMaskLe => {
                let lt = op(self, Opcode::Add, eq, -1);
                self.push(block, Opcode::Or, Type::I64, Flags::NONE, &[lt, eq], Payload::None)
            }
            LaneMaskGe => {
                let lt = op(self, Opcode::Add, eq, -1);
                op(self, Opcode::Xor, lt, -1)
            }
            _ => {
                let lt = op(self, Opcode::Add, eq, -1);
                let le = self.push(block, Opcode::Or, Type::I64, Flags::NONE, &[lt, eq], Payload::None);
                op(self, Opcode::Xor, le, -1)
            }
        };
        let mask = if wide {
            // Registers have 32 bits; so have these masks.
            op(self, Opcode::And, mask, 0xffff_ffff)
        } else {
            mask
        };
        let v = self.push(block, Opcode::Trunc, Type::I32, Flags::NONE, &[mask], Payload::None);
        self.level[v] = ITEM;
        v
    }

    // ---- operands ---------------------------------------------------------------------------------------------------

    /// The value here of a value of the kernel.
    fn operand(&mut self, body: &mut Body, v: Value) -> Value {
        if let Some(new) = body.value[v] {
            return new;
        }
        let ty = self.p.func.dfg.ty(v);
        let new = match self.p.func.dfg.def(v) {
            ValueDef::Const(c) => self.constant(body, ty, c),
            ValueDef::Param(b, n) if b == self.facts.info.cfg.entry() => self.entry.args[n as usize],
            def => self.from_home(body, v, ty, def),
        };
        body.value[v] = Some(new);
        new
    }

    fn constant(&mut self, body: &mut Body, ty: Type, c: ConstKind) -> Value {
        match c {
            ConstKind::Global(g) if self.module.globals[g].space == ir::AddrSpace::Shared => {
                self.entry.global(&mut self.out, self.shared, g)
            }
            ConstKind::Slot(s) => {
                let v = match (self.homes.slots[s], body.nest.slots[s]) {
                    (Some(_), Some(v)) => v,
                    (Some(copies), None) => {
                        let v = self.element(&mut body.nest, copies.offset, copies.stride);
                        body.nest.slots[s] = Some(v);
                        v
                    }
                    (None, _) => self.out.slot_addr(s),
                };
                self.level[v] = ITEM;
                v
            }
            _ => self.out.dfg.constant(ty, c),
        }
    }

    fn from_home(&mut self, body: &mut Body, v: Value, ty: Type, def: ValueDef) -> Value {
        match self.homes.of(v) {
            Home::Group(s) => {
                let at = self.out.slot_addr(s);
                self.load_from(body.nest.at[0], at, ty)
            }
            Home::Cell(offset) => {
                let at = self.entry.scratch(&mut self.out, offset);
                self.load_from(body.nest.at[0], at, ty)
            }
            Home::Array(offset) => {
                let intro = body.nest.at[usize::from(ITEM)];
                self.load_element(&mut body.nest, intro, offset, ty)
            }
            // A value of a tree that is computed again has a home of its own only if it is needed elsewhere.
            Home::Again | Home::None => match def {
                ValueDef::Inst(i) if self.p.func.dfg.insts[i].is_pure() => self.again(body, i),
                _ => {
                    self.problem("a value that is nowhere", None);
                    self.out.dfg.undef(ty)
                }
            },
        }
    }

    /// Computes a pure instruction at the begin of the region.
    fn again(&mut self, body: &mut Body, i: Inst) -> Value {
        let data = &self.p.func.dfg.insts[i];
        if let Some(v) = data.special().and_then(|reg| self.register(body, reg)) {
            return v;
        }
        let args: Vec<Value> = self.p.func.dfg.args(i).to_vec();
        let args: Vec<Value> = args.into_iter().map(|v| self.operand(body, v)).collect();
        let level = args.iter().map(|&a| self.level[a]).max().unwrap_or(GROUP);
        let at = body.nest.at[usize::from(level)];
        let args = self.spread(at, i, args);
        let v = self.push(at, data.op, data.ty, data.flags, &args, data.payload.clone());
        self.level[v] = level;
        v
    }

    /// Puts a value that was just computed where other regions find it.
    fn keep(&mut self, body: &mut Body, v: Value, block: Block) {
        let Some(new) = body.value[v] else { return };
        match self.homes.of(v) {
            Home::None | Home::Again => {}
            Home::Group(s) => {
                if self.level[new] != GROUP {
                    return self.problem("a value that the group should share", None);
                }
                let at = self.out.slot_addr(s);
                self.store_to(body.nest.at[0], at, new);
            }
            Home::Cell(offset) => {
                let at = self.entry.scratch(&mut self.out, offset);
                let to = if self.level[new] == GROUP { body.nest.at[0] } else { block };
                body.nest.effects |= to == block;
                self.store_to(to, at, new);
            }
            Home::Array(offset) => self.store_element(&mut body.nest, block, offset, new),
        }
    }

    // ---- ends of blocks ---------------------------------------------------------------------------------------------

    /// The work-item does not come back.
    fn gone(&mut self, body: &mut Body, block: Block) {
        let Some(state) = self.state else { return };
        let gone = match self.plan.mode {
            Mode::Static => self.out.dfg.iconst(Type::I1, 0),
            Mode::Dynamic => self.out.dfg.iconst(Type::I32, GONE),
        };
        self.store_element(&mut body.nest, block, state, gone);
    }

    /// The work-item goes on in another region.
    fn reached(&mut self, body: &mut Body, region: &Region, block: Block) {
        if region.leaves {
            let (at, one) = (self.entry.scratch(&mut self.out, self.any), self.out.dfg.iconst(Type::I32, 1));
            self.store_to(block, at, one);
            body.nest.effects = true;
        }
    }

    fn end(&mut self, body: &mut Body, region: &Region, b: Block, copy: Block) {
        let func = &self.p.func;
        let t = func.layout.terminator(b);
        if let Some(cut) = self.p.cut[b].expand() {
            let kept: Vec<Value> = exchange::kept_operands(func, cut).collect();
            for (v, at) in kept.into_iter().zip(self.operands[b].clone()) {
                let new = self.operand(body, v);
                self.store_element(&mut body.nest, copy, at, new);
            }
            if self.plan.mode == Mode::Dynamic
                && let (Some(state), Some(r)) = (self.state, self.plan.led_by[func.dfg.successor(t, 0)])
            {
                let key = self.out.dfg.iconst(Type::I32, r.into());
                self.store_element(&mut body.nest, copy, state, key);
            }
            self.reached(body, region, copy);
            return self.jump(copy, body.nest.latch, &[]);
        }
        if func.dfg.op(t) == Opcode::Return {
            // Only who leaves others behind is marked: after the last region nobody asks.
            if region.leaves || self.plan.mode == Mode::Dynamic {
                self.gone(body, copy);
            }
            return self.jump(copy, body.nest.latch, &[]);
        }
        if matches!(region.end, End::Branch(x) if x == b) {
            let v = func.dfg.arg(t, 0);
            let new = self.operand(body, v);
            if self.level[new] != GROUP {
                let at = self.entry.scratch(&mut self.out, self.condition);
                self.store_to(copy, at, new);
                body.nest.effects = true;
            }
            self.reached(body, region, copy);
            return self.jump(copy, body.nest.latch, &[]);
        }
        self.branch(body, region, copy, t);
    }

    /// A branch within the region, or to the entry of another.
    fn branch(&mut self, body: &mut Body, region: &Region, copy: Block, t: Inst) {
        let func = &self.p.func;
        let mut targets: Vec<(Block, Vec<Value>)> = Vec::new();
        for n in 0..func.dfg.successor_count(t) {
            let s = func.dfg.successor(t, n);
            let args = func.dfg.branch_args(t, n).to_vec();
            let is_exit = self.plan.mode == Mode::Static && self.plan.led_by[s].is_some();
            match body.block[s].filter(|_| !is_exit) {
                Some(to) => {
                    let args = args.into_iter().map(|v| self.operand(body, v)).collect();
                    targets.push((to, args));
                }
                None => targets.push((self.exit_stub(body, region, s, &args), Vec::new())),
            }
        }
        let md = func.dfg.insts[t].loop_md().filter(|_| self.keeps_loop(region, t));
        let span = func.dfg.span(t);
        let cond = func.dfg.args(t).first().copied().map(|v| self.operand(body, v));
        let calls: Vec<ir::BlockCall> = targets.iter().map(|(to, args)| self.out.dfg.block_call(*to, args)).collect();
        let mut calls = calls.into_iter();
        let mut call = || calls.next().expect("a call per successor");
        let payload = match &func.dfg.insts[t].payload {
            Payload::Jump(..) => Payload::Jump(call(), md.into()),
            Payload::Br(..) => Payload::Br([call(), call()], md.into()),
            Payload::Switch(s) => {
                let cases = func.dfg.switches[*s].cases.iter().map(|(n, _)| (*n, call())).collect();
                let table = ir::SwitchData { cases, default: call() };
                Payload::Switch(self.out.dfg.switches.push(table))
            }
            _ => return self.problem("a branch of an unknown kind", Some(t)),
        };
        let args: Vec<Value> = cond.into_iter().collect();
        let i = self.out.dfg.make_inst(func.dfg.op(t), Type::VOID, Flags::NONE, &args, payload);
        self.out.dfg.set_span(i, span);
        self.out.layout.append_inst(i, copy);
    }

    /// Whether the loop whose back edge `t` takes lies in the region whole.
    fn keeps_loop(&self, region: &Region, t: Inst) -> bool {
        let func = &self.p.func;
        let info = &self.facts.info;
        func.dfg.successors(t).filter_map(|s| info.loops.header_loop(s)).any(|l| {
            let blocks = &info.loops.data(l).blocks;
            func.layout.inst_block(t).is_some_and(|b| info.loops.contains(l, b))
                && blocks.iter().all(|b| region.blocks.contains(b) && *b != region.entry && self.p.cut[*b].is_none())
        })
    }

    /// A block that hands on what the entry of another region takes from its branches.
    fn exit_stub(&mut self, body: &mut Body, region: &Region, to: Block, args: &[Value]) -> Block {
        let stub = self.out.new_block();
        for (k, &v) in args.iter().enumerate() {
            let param = self.p.func.dfg.params(to)[k];
            match self.homes.of(param) {
                // It is there already.
                Home::Array(offset) if self.homes.of(v) == Home::Array(offset) => {}
                Home::Array(offset) => {
                    let new = self.operand(body, v);
                    self.store_element(&mut body.nest, stub, offset, new);
                }
                Home::Cell(offset) => {
                    let new = self.operand(body, v);
                    let at = self.entry.scratch(&mut self.out, offset);
                    self.store_to(stub, at, new);
                    body.nest.effects = true;
                }
                // Stored after the nest.
                Home::Group(_) | Home::None | Home::Again => {}
            }
        }
        self.reached(body, region, stub);
        self.jump(stub, body.nest.latch, &[]);
        stub
    }

    /// What follows the nest.
    fn finish(&mut self, body: &mut Body, region: &Region, mut after: Block) {
        if self.p.traps {
            let at = self.entry.trap_place(&mut self.out);
            after = self.go_on_if(after, at, IntCC::Eq);
        }
        if region.leaves {
            let at = self.entry.scratch(&mut self.out, self.any);
            after = self.go_on_if(after, at, IntCC::Ne);
        }
        let func = &self.p.func;
        match &region.end {
            End::Return => self.jump(after, self.leave, &[]),
            End::Dynamic => self.jump(after, self.dispatch, &[]),
            End::Cut(b) => {
                let to = self.start_of(func.dfg.successor(func.layout.terminator(*b), 0));
                self.jump(after, to, &[]);
            }
            End::Leader(to, edges) => {
                if let [(b, k)] = edges[..] {
                    let args = func.dfg.branch_args(func.layout.terminator(b), k).to_vec();
                    self.hand_on(body, *to, &args, after);
                }
                let to = self.start_of(*to);
                self.jump(after, to, &[]);
            }
            End::Branch(b) => self.group_branch(body, *b, after),
        }
    }

    /// Returns unless the `i32` at a place compares to 0 as wanted.
    fn go_on_if(&mut self, block: Block, at: Value, cc: IntCC) -> Block {
        let zero = self.out.dfg.iconst(Type::I32, 0);
        let v = self.load_from(block, at, Type::I32);
        let yes = self.push(block, Opcode::Icmp, Type::I1, Flags::NONE, &[v, zero], Payload::IntCC(cc));
        let next = self.out.new_block();
        Builder::at_end(&mut self.out, block).br(yes, (next, &[]), (self.leave, &[]));
        next
    }

    fn start_of(&mut self, entry: Block) -> Block {
        match self.plan.led_by[entry] {
            Some(r) => self.starts[r as usize],
            None => {
                self.problem("a region without a begin", None);
                self.leave
            }
        }
    }

    /// Gives the entry's parameters their values that the group computes. All are read before any is written.
    fn hand_on(&mut self, body: &mut Body, to: Block, args: &[Value], after: Block) {
        body.nest.at = [after; 4];
        let mut stores = Vec::new();
        for (k, &v) in args.iter().enumerate() {
            if let Home::Group(s) = self.homes.of(self.p.func.dfg.params(to)[k]) {
                let new = self.operand(body, v);
                if self.level[new] != GROUP {
                    self.problem("a value that the group should hand on", None);
                }
                stores.push((s, new));
            }
        }
        for (s, v) in stores {
            let at = self.out.slot_addr(s);
            self.store_to(after, at, v);
        }
    }

    fn group_branch(&mut self, body: &mut Body, b: Block, after: Block) {
        let func = &self.p.func;
        let t = func.layout.terminator(b);
        let v = func.dfg.arg(t, 0);
        body.nest.at = [after; 4];
        let mut cond = self.operand(body, v);
        if self.level[cond] != GROUP {
            let at = self.entry.scratch(&mut self.out, self.condition);
            cond = self.load_from(after, at, func.dfg.ty(v));
        }
        let targets: Vec<Block> = func.succs(b).collect();
        let targets: Vec<Block> = targets.into_iter().map(|s| self.start_of(s)).collect();
        let mut builder = Builder::at_end(&mut self.out, after);
        builder.set_span(func.dfg.span(t));
        match &func.dfg.insts[t].payload {
            Payload::Switch(s) => {
                let cases: Vec<(u64, Block)> =
                    func.dfg.switches[*s].cases.iter().zip(&targets).map(|((n, _), &to)| (*n, to)).collect();
                builder.switch(cond, &cases, targets[cases.len()]);
            }
            _ => drop(builder.br(cond, (targets[0], &[]), (targets[1], &[]))),
        }
    }

    // ---- dynamic mode -----------------------------------------------------------------------------------------------

    /// Goes to the region of the lowest number at which somebody waits.
    fn dispatcher(&mut self) {
        let Some(state) = self.state else { return };
        self.out.layout.append_block(self.dispatch);
        let (head, done) = (self.out.new_block(), self.out.new_block());
        let i = self.out.dfg.add_param(head, Type::I32);
        let least = self.out.dfg.add_param(head, Type::I32);
        let (zero, gone) = (self.out.dfg.iconst(Type::I32, 0), self.out.dfg.iconst(Type::I32, GONE));
        self.jump(self.dispatch, head, &[zero, gone]);
        let base = self.entry.scratch(&mut self.out, state);
        let at = self.scaled(head, base, i, 4);
        let v = self.load_from(head, at, memory_type(Type::I32));
        let least = self.push(head, Opcode::UMin, Type::I32, Flags::NONE, &[least, v], Payload::None);
        let (one, n) = (self.out.dfg.iconst(Type::I32, 1), self.out.dfg.iconst(Type::I32, self.items() as i64));
        let up = self.push(head, Opcode::Add, Type::I32, Flags::NUW.with(Flags::NSW), &[i, one], Payload::None);
        let less = self.push(head, Opcode::Icmp, Type::I1, Flags::NONE, &[up, n], Payload::IntCC(IntCC::Ult));
        let mut builder = Builder::at_end(&mut self.out, head);
        builder.br(less, (head, &[up, least]), (done, &[]));
        builder.switch_to(done);
        let cases: Vec<(u64, Block)> =
            self.plan.regions.iter().zip(&self.starts).skip(1).map(|(r, &b)| (u64::from(r.key), b)).collect();
        builder.switch(least, &cases, self.leave);
    }
}
