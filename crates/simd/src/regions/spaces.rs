//! Where a generic pointer points: the host has one memory, and address spaces are ranges of it.
//!
//! * Work-group memory is what [`launch::context::GroupContext::shared`] points to, `shared_bytes` long.
//! * Private memory is the stack below the context, the private arrays in scratch memory, and the block of
//!   arguments, in which structures that are passed by value stand.
//! * Constant memory is the module's constants and `__constant__` variables. OpenCL's `__constant` arguments are buffers,
//!   whose addresses no generic pointer has.
//! * All else is global.

use super::emit::Emitter;
use super::nest::ITEM;
use ir::{AddrSpace, Block, ConstKind, Flags, IntCC, Intrinsic, Opcode, Payload, Type, Value};
use launch::context::STACK_BYTES;

impl Emitter<'_> {
    /// The answer to `isspace.*` for a generic pointer, computed in `copy`; `None` for other intrinsics.
    pub(super) fn points_into(&mut self, copy: Block, asked: Intrinsic, p: Value) -> Option<Value> {
        let address = |this: &mut Self| this.item(copy, Opcode::PtrToInt, Type::I64, &[p], Payload::None);
        match asked {
            Intrinsic::IsParam => Some(self.out.dfg.iconst(Type::I1, 0)),
            Intrinsic::IsShared | Intrinsic::IsCluster => {
                let p = address(self);
                Some(self.is_shared(copy, p))
            }
            Intrinsic::IsLocal => {
                let p = address(self);
                Some(self.is_private(copy, p))
            }
            Intrinsic::IsConst => {
                let p = address(self);
                Some(self.is_constant(copy, p).unwrap_or_else(|| self.out.dfg.iconst(Type::I1, 0)))
            }
            Intrinsic::IsGlobal => {
                let p = address(self);
                let (shared, private) = (self.is_shared(copy, p), self.is_private(copy, p));
                let mut other = self.item(copy, Opcode::Or, Type::I1, &[shared, private], Payload::None);
                if let Some(constant) = self.is_constant(copy, p) {
                    other = self.item(copy, Opcode::Or, Type::I1, &[other, constant], Payload::None);
                }
                let yes = self.out.dfg.iconst(Type::I1, 1);
                Some(self.item(copy, Opcode::Xor, Type::I1, &[other, yes], Payload::None))
            }
            _ => None,
        }
    }

    fn is_shared(&mut self, copy: Block, p: Value) -> Value {
        let base = self.entry.shared_base(&mut self.out);
        let bytes = self.entry.shared_bytes(&mut self.out);
        self.is_within(copy, p, base, bytes)
    }

    fn is_private(&mut self, copy: Block, p: Value) -> Value {
        // The stack: less than so far below the context.
        let group = self.entry.group_address(&mut self.out);
        let below = self.item(copy, Opcode::Sub, Type::I64, &[group, p], Payload::None);
        let most = self.out.dfg.iconst(Type::I64, STACK_BYTES as i64);
        let mut yes = self.item(copy, Opcode::Icmp, Type::I1, &[below, most], Payload::IntCC(IntCC::Ult));
        let mut ranges = Vec::new();
        if self.p.func.slots.keys().any(|s| self.storage.slots[s].is_some()) {
            ranges.push(self.entry.scratch_range(&mut self.out, self.storage.end));
        }
        if self.p.func.params.iter().any(|p| p.attrs.byval.is_some()) {
            ranges.push(self.entry.args_range(&mut self.out));
        }
        for (base, bytes) in ranges {
            let there = self.is_within(copy, p, base, bytes);
            yes = self.item(copy, Opcode::Or, Type::I1, &[yes, there], Payload::None);
        }
        yes
    }

    /// `None` where the module has no constants.
    fn is_constant(&mut self, copy: Block, p: Value) -> Option<Value> {
        let constants = self.module.globals.iter().filter(|(_, g)| g.space == AddrSpace::Constant && g.size > 0);
        let constants: Vec<_> = constants.map(|(g, data)| (g, data.size)).collect();
        let mut any = None;
        for (g, size) in constants {
            let base = self.out.dfg.constant(Type::ptr(AddrSpace::Constant), ConstKind::Global(g));
            let bytes = self.out.dfg.iconst(Type::I64, size as i64);
            let there = self.is_within(copy, p, base, bytes);
            any = Some(match any {
                Some(v) => self.item(copy, Opcode::Or, Type::I1, &[v, there], Payload::None),
                None => there,
            });
        }
        any
    }

    /// Whether the address is less than so many bytes from a pointer on.
    fn is_within(&mut self, copy: Block, p: Value, base: Value, bytes: Value) -> Value {
        let base = self.push(self.entry.block, Opcode::PtrToInt, Type::I64, Flags::NONE, &[base], Payload::None);
        let from = self.item(copy, Opcode::Sub, Type::I64, &[p, base], Payload::None);
        self.item(copy, Opcode::Icmp, Type::I1, &[from, bytes], Payload::IntCC(IntCC::Ult))
    }

    /// An instruction of a work-item's code.
    fn item(&mut self, copy: Block, op: Opcode, ty: Type, args: &[Value], payload: Payload) -> Value {
        let v = self.push(copy, op, ty, Flags::NONE, args, payload);
        self.level[v] = ITEM;
        v
    }
}
