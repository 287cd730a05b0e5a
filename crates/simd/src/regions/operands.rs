//! What a value of the kernel is in the region that is being written: registers, constants, values from other regions.

use super::emit::{Body, Emitter};
use super::nest::{GROUP, ITEM, Nest};
use super::storage::Storage;
use ir::{Block, ConstKind, Flags, Inst, Opcode, Payload, SpecialReg, Type, Value, ValueDef};

impl Emitter<'_> {
    /// A special register's value here; `None` where it is the machine's.
    pub(super) fn register(&mut self, body: &mut Body, reg: SpecialReg) -> Option<Value> {
        use SpecialReg::*;
        match reg {
            TidX => Some(body.nest.ids[self.options.dimension(0)]),
            TidY => Some(body.nest.ids[self.options.dimension(1)]),
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
        let wide = self.options.target.warp_size() > 32;
        let op = |this: &mut Self, op: Opcode, a: Value, n: i64| {
            let ty = this.out.dfg.ty(a);
            let n = this.out.dfg.iconst(ty, n);
            let v = this.push(block, op, ty, Flags::NONE, &[a, n], Payload::None);
            this.level[v] = ITEM;
            v
        };
        if reg == WarpId {
            return op(self, Opcode::LShr, linear, self.options.target.warp_size().ilog2().into());
        }
        let lane = op(self, Opcode::And, linear, i64::from(self.options.target.warp_size()) - 1);
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

    /// The value here of a value of the kernel.
    pub(super) fn operand(&mut self, body: &mut Body, v: Value) -> Value {
        if let Some(new) = body.value[v] {
            return new;
        }
        let ty = self.p.func.dfg.ty(v);
        let new = match self.p.func.dfg.def(v) {
            ValueDef::Const(c) => self.constant(body, ty, c),
            ValueDef::Param(b, n) if b == self.facts.info.cfg.entry() => self.entry.args[n as usize],
            def => self.reload(body, v, ty, def),
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
                let v = match (self.storage.slots[s], body.nest.slots[s]) {
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

    /// A value that another region has computed.
    fn reload(&mut self, body: &mut Body, v: Value, ty: Type, def: ValueDef) -> Value {
        match self.storage.of(v) {
            Storage::Group(s) => {
                let at = self.out.slot_addr(s);
                self.load_from(body.nest.at[0], at, ty)
            }
            Storage::Uniform(offset) => {
                let at = self.entry.scratch(&mut self.out, offset);
                self.load_from(body.nest.at[0], at, ty)
            }
            Storage::PerItem(offset) => {
                let intro = body.nest.at[usize::from(ITEM)];
                self.load_element(&mut body.nest, intro, offset, ty)
            }
            // A value of a tree that is computed again has storage of its own only if it is needed elsewhere.
            Storage::Rematerialised | Storage::None => match def {
                ValueDef::Inst(i) if self.p.func.dfg.insts[i].is_pure() => self.rematerialisation_cost(body, i),
                _ => {
                    self.problem("a value that is nowhere", None);
                    self.out.dfg.undef(ty)
                }
            },
        }
    }

    /// Computes a pure instruction at the begin of the region.
    fn rematerialisation_cost(&mut self, body: &mut Body, i: Inst) -> Value {
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
    pub(super) fn keep(&mut self, body: &mut Body, v: Value, block: Block) {
        let Some(new) = body.value[v] else { return };
        match self.storage.of(v) {
            Storage::None | Storage::Rematerialised => {}
            Storage::Group(s) => {
                if self.level[new] != GROUP {
                    return self.problem("a value that the group should share", None);
                }
                let at = self.out.slot_addr(s);
                self.store_to(body.nest.at[0], at, new);
            }
            Storage::Uniform(offset) => {
                let at = self.entry.scratch(&mut self.out, offset);
                let to = if self.level[new] == GROUP { body.nest.at[0] } else { block };
                body.nest.effects |= to == block;
                self.store_to(to, at, new);
            }
            Storage::PerItem(offset) => self.store_element(&mut body.nest, block, offset, new),
        }
    }
}
