//! Where work-items go at the end of a block, and the group at the end of a region.

use super::emit::{Body, Emitter, GONE};
use super::exchange;
use super::nest::GROUP;
use super::plan::{End, Mode, Region};
use super::storage::Storage;
use ir::{Block, Branch, Builder, Flags, Inst, IntCC, Opcode, Payload, Type, Value};

/// How many work-items' states the dispatcher compares at once. Arrays in scratch memory have room for a multiple.
const DISPATCHED: u8 = 16;
const _: () = assert!(launch::ROOM.is_multiple_of(DISPATCHED as u64));

impl Emitter<'_> {
    /// The work-item does not come back.
    pub(super) fn gone(&mut self, body: &mut Body, block: Block) {
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

    pub(super) fn end(&mut self, body: &mut Body, region: &Region, b: Block, copy: Block) {
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
        let md = func.dfg.insts[t].loop_md().filter(|_| self.keeps_loop(body, region, t));
        let span = func.dfg.span(t);
        let cond = func.dfg.args(t).first().copied().map(|v| self.operand(body, v));
        let Some(branch) = func.dfg.branch(t) else { return self.problem("a branch of an unknown kind", Some(t)) };
        let ways = targets.into_iter().map(|(to, args)| (to, args.into())).collect();
        let payload = self.out.dfg.branch_payload(&Branch { ways, md, ..branch });
        let args: Vec<Value> = cond.into_iter().collect();
        let i = self.out.dfg.make_inst(func.dfg.op(t), Type::VOID, Flags::NONE, &args, payload);
        self.out.dfg.set_span(i, span);
        self.out.layout.append_inst(i, copy);
    }

    /// Whether the loop whose back edge `t` takes lies in the region whole.
    fn keeps_loop(&self, body: &Body, region: &Region, t: Inst) -> bool {
        let func = &self.p.func;
        let info = &self.facts.info;
        func.dfg.successors(t).filter_map(|s| info.loops.header_loop(s)).any(|l| {
            let blocks = &info.loops.data(l).blocks;
            func.layout.inst_block(t).is_some_and(|b| info.loops.contains(l, b))
                && blocks.iter().all(|b| body.block[*b].is_some() && *b != region.entry && self.p.cut[*b].is_none())
        })
    }

    /// A block that hands on what the entry of another region takes from its branches.
    fn exit_stub(&mut self, body: &mut Body, region: &Region, to: Block, args: &[Value]) -> Block {
        let stub = self.out.new_block();
        for (k, &v) in args.iter().enumerate() {
            let param = self.p.func.dfg.params(to)[k];
            match self.storage.of(param) {
                // It is there already.
                Storage::PerItem(offset) if self.storage.of(v) == Storage::PerItem(offset) => {}
                Storage::PerItem(offset) => {
                    let new = self.operand(body, v);
                    self.store_element(&mut body.nest, stub, offset, new);
                }
                Storage::Uniform(offset) => {
                    let new = self.operand(body, v);
                    let at = self.entry.scratch(&mut self.out, offset);
                    self.store_to(stub, at, new);
                    body.nest.effects = true;
                }
                // Stored after the nest.
                Storage::Group(_) | Storage::None | Storage::Rematerialised => {}
            }
        }
        self.reached(body, region, stub);
        self.jump(stub, body.nest.latch, &[]);
        stub
    }

    /// What follows the nest.
    pub(super) fn finish(&mut self, body: &mut Body, region: &Region, mut after: Block) {
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
            if let Storage::Group(s) = self.storage.of(self.p.func.dfg.params(to)[k]) {
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

    /// Goes to the region of the lowest number at which somebody waits. Behind the last work-item stand ones that are gone.
    pub(super) fn dispatcher(&mut self) {
        let Some(state) = self.state else { return };
        self.out.layout.append_block(self.dispatch);
        let (head, done) = (self.out.new_block(), self.out.new_block());
        let Some(wide) = Type::I32.vector(DISPATCHED) else { return };
        let i = self.out.dfg.add_param(head, Type::I32);
        let least = self.out.dfg.add_param(head, wide);
        let (zero, gone) = (self.out.dfg.iconst(Type::I32, 0), self.out.dfg.iconst(Type::I32, GONE));
        let nobody = self.push(self.dispatch, Opcode::Splat, wide, Flags::NONE, &[gone], Payload::None);
        self.jump(self.dispatch, head, &[zero, nobody]);
        let base = self.entry.scratch(&mut self.out, state);
        let at = self.scaled(head, base, i, 4);
        let v = self.load_from(head, at, wide);
        let least = self.push(head, Opcode::UMin, wide, Flags::NONE, &[least, v], Payload::None);
        let (step, n) = (self.out.dfg.iconst(Type::I32, DISPATCHED.into()), self.entry.items(&mut self.out));
        let up = self.push(head, Opcode::Add, Type::I32, Flags::NUW.with(Flags::NSW), &[i, step], Payload::None);
        let less = self.push(head, Opcode::Icmp, Type::I1, Flags::NONE, &[up, n], Payload::IntCC(IntCC::Ult));
        Builder::at_end(&mut self.out, head).br(less, (head, &[up, least]), (done, &[]));
        let lanes: Vec<Value> = (0..DISPATCHED)
            .map(|n| self.push(done, Opcode::Extract, Type::I32, Flags::NONE, &[least], Payload::Lane(n)))
            .collect();
        let least = lanes
            .into_iter()
            .reduce(|a, b| self.push(done, Opcode::UMin, Type::I32, Flags::NONE, &[a, b], Payload::None))
            .unwrap_or(gone);
        let mut builder = Builder::at_end(&mut self.out, done);
        let cases: Vec<(u64, Block)> =
            self.plan.regions.iter().zip(&self.starts).skip(1).map(|(r, &b)| (u64::from(r.key), b)).collect();
        builder.switch(least, &cases, self.leave);
    }
}
