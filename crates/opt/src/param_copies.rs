//! A kernel's copy of a structure that came as an argument is that argument, as long as nothing changes it.
//!
//! A kernel may write to its by-value parameters, so each has a slot, into which it is copied first. Where indices are constants
//! [`crate::sroa`] makes values of what is in it; a slot that an index chooses from (`p.weights[i]`) stays, and with it the copy,
//! made by each work-item in its own memory. If the slot is only read, the argument itself is read instead; so is the copy of a
//! part of it that an inlined function was given.
//!
//! The slot goes only once loops are decided: NVIDIA's compiler counts such an array among a loop's private arrays, and so does
//! the unroller here. Until then its loads say that nobody writes what they read ([`mark`]); then they read the argument
//! ([`run`]).
//!
//! What must hold: verified IR. Slots whose address goes anywhere but through sums into loads and into copies out of them stay.
//! Limits: [`MAX_ROUNDS`]. Cost: linear, times the rounds and how deep sums lie in one another.

use crate::PassContext;
use analysis::DomTree;
use cranelift_entity::SecondaryMap;
use ir::{AddrSpace, Block, ConstKind, Flags, FnKind, Function, Inst, Opcode, Slot, Type, Value, ValueDef};
use smallvec::SmallVec;

/// Most copies of copies that are followed.
const MAX_ROUNDS: u32 = 4;

/// Says of loads from copies of whole arguments, made at the kernel's start, that nobody writes what they read.
pub fn mark(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let mut changed = false;
    if let Some(found) = Copies::find(func, cx) {
        let entry = func.layout.entry();
        for (i, slot) in found.uses.iter().copied() {
            let of_argument = |c: &Copied| matches!(func.dfg.def(c.from), ValueDef::Param(b, _) if b == entry);
            let copied = found.copy(slot).filter(|c| c.block == entry && of_argument(c));
            if copied.is_some() && func.dfg.op(i) == Opcode::Load {
                let flags = func.dfg.insts[i].flags;
                changed |= !flags.has(Flags::INVARIANT);
                func.dfg.insts[i].flags = flags.with(Flags::INVARIANT);
            }
        }
    }
    cx.keep_graph();
    changed
}

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let mut changed = false;
    for _ in 0..MAX_ROUNDS {
        let Some(found) = Copies::find(func, cx) else { break };
        if !found.replace(func) {
            break;
        }
        changed = true;
    }
    cx.keep_graph();
    changed
}

/// How a slot was filled.
#[derive(Clone, Copy, Debug)]
struct Copied {
    /// The copy, where it stands, and what it copies.
    inst: Inst,
    block: Block,
    from: Value,
}

/// The slots of a kernel that may be copies of its arguments.
#[derive(Default)]
struct Copies {
    /// What fills a slot all at once from an argument; nothing for slots that are filled otherwise.
    made: SecondaryMap<Slot, Option<Copied>>,
    /// Slots that have another use, or one before they are filled.
    used_otherwise: SecondaryMap<Slot, bool>,
    /// The slot that a sum points into.
    slot_of: SecondaryMap<Value, Option<Slot>>,
    /// What reads from slots or adds to their addresses, in the order of the blocks.
    uses: Vec<(Inst, Slot)>,
}

impl Copies {
    /// The copy that a slot is.
    fn copy(&self, slot: Slot) -> Option<Copied> {
        self.made[slot].filter(|_| !self.used_otherwise[slot])
    }

    /// `None` if there is nothing to find.
    fn find(func: &Function, cx: &mut PassContext<'_>) -> Option<Self> {
        let by_value = func.params.iter().any(|p| p.attrs.byval.is_some());
        if func.kind != FnKind::Kernel || !by_value || func.slots.is_empty() {
            return None;
        }
        let mut found = Self::default();
        for b in func.layout.blocks() {
            func.layout.insts(b).for_each(|i| found.copied(func, b, i));
        }
        if found.made.values().all(Option::is_none) {
            return None;
        }
        found.sums(func);
        let dom = cx.dom(func);
        for b in func.layout.blocks() {
            let mut filled: SmallVec<[Slot; 4]> = SmallVec::new();
            func.layout.insts(b).for_each(|i| found.note(func, &dom, (b, &mut filled), i));
        }
        Some(found)
    }

    /// Notes a copy of an argument, or of a part of one, into a slot of its size.
    fn copied(&mut self, func: &Function, block: Block, inst: Inst) {
        if func.dfg.op(inst) == Opcode::MemCpy
            && !func.dfg.insts[inst].flags.has(Flags::VOLATILE)
            && let [to, from, bytes] = *func.dfg.args(inst)
            && let ValueDef::Const(ConstKind::Slot(slot)) = func.dfg.def(to)
            && func.dfg.as_bits(bytes) == Some(func.slots[slot].size.into())
            && func.dfg.ty(from) == Type::ptr(AddrSpace::Param)
            && self.made[slot].is_none()
        {
            self.made[slot] = Some(Copied { inst, block, from });
        }
    }

    /// Finds the slots that sums point into. Blocks may stand in any order, so that a sum may come before what it adds to.
    fn sums(&mut self, func: &Function) {
        let all = func.layout.blocks().flat_map(|b| func.layout.insts(b));
        let mut left: Vec<Inst> = all.filter(|&i| func.dfg.op(i) == Opcode::PtrAdd).collect();
        loop {
            let before = left.len();
            left.retain(|&i| {
                let slot = self.slot_at(func, func.dfg.arg(i, 0));
                self.slot_of[func.dfg.res(i)] = slot;
                slot.is_none()
            });
            if left.len() == before {
                return;
            }
        }
    }

    /// The slot that an address points into, as far as sums are known.
    fn slot_at(&self, func: &Function, v: Value) -> Option<Slot> {
        match func.dfg.def(v) {
            ValueDef::Const(ConstKind::Slot(slot)) => Some(slot),
            _ => self.slot_of[v],
        }
    }

    /// Notes what an instruction of a block, of whose instructions so far some have filled slots, does with addresses of slots.
    fn note(&mut self, func: &Function, dom: &DomTree, (block, filled): (Block, &mut SmallVec<[Slot; 4]>), i: Inst) {
        let op = func.dfg.op(i);
        let reads = match op {
            Opcode::Load => !func.dfg.insts[i].flags.has(Flags::VOLATILE),
            Opcode::PtrAdd | Opcode::MemCpy => true,
            _ => false,
        };
        let at = pointer_operand(op);
        let passed = (0..func.dfg.successor_count(i)).flat_map(|n| func.dfg.branch_args(i, n));
        for (n, &v) in func.dfg.args(i).iter().chain(passed).enumerate() {
            let Some(slot) = self.slot_at(func, v) else { continue };
            let Some(copied) = self.made[slot] else { continue };
            if copied.inst == i && n == 0 {
                filled.push(slot);
                continue;
            }
            let behind =
                if copied.block == block { filled.contains(&slot) } else { dom.dominates(copied.block, block) };
            if reads && n == at && behind {
                self.uses.push((i, slot));
            } else {
                self.used_otherwise[slot] = true;
            }
        }
    }

    /// Puts the arguments for their copies. Whether there were any.
    fn replace(&self, func: &mut Function) -> bool {
        let ty = Type::ptr(AddrSpace::Param);
        let gone: SmallVec<[Copied; 4]> = func.slots.keys().filter_map(|slot| self.copy(slot)).collect();
        for &(i, slot) in &self.uses {
            let Some(copied) = self.copy(slot) else { continue };
            let at = pointer_operand(func.dfg.op(i));
            if matches!(func.dfg.def(func.dfg.arg(i, at)), ValueDef::Const(_)) {
                func.dfg.args_mut(i)[at] = copied.from;
            }
            if func.dfg.op(i) == Opcode::PtrAdd {
                let v = func.dfg.res(i);
                func.dfg.values[v].ty = ty;
                func.dfg.insts[i].ty = ty;
            }
        }
        for copied in &gone {
            func.layout.remove_inst(copied.inst);
        }
        !gone.is_empty()
    }
}

/// Which operand of an instruction is the pointer that it reads by.
fn pointer_operand(op: Opcode) -> usize {
    usize::from(op == Opcode::MemCpy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::apply;
    use ir::{Builder, MemInfo, Module, Param, ParamAttrs, SlotData};

    /// A kernel with a record of 16 bytes, of which `body` gets the copy and an index.
    fn kernel(body: impl FnOnce(&mut Builder<'_>, Value, Value)) -> (Module, ir::FuncId) {
        let mut module = Module::default();
        let mut f = Function::new("k", FnKind::Kernel);
        let attrs = ParamAttrs { byval: Some(16), align: 4, ..ParamAttrs::default() };
        f.params.push(Param { ty: Type::ptr(AddrSpace::Param), name: String::new(), attrs });
        f.params.push(Param { ty: Type::I64, name: String::new(), attrs: ParamAttrs::default() });
        let entry = f.new_entry_block();
        let (record, index) = (f.dfg.params(entry)[0], f.dfg.params(entry)[1]);
        let slot = f.slots.push(SlotData { size: 16, align: 4, dims: smallvec::smallvec![4], name: String::new() });
        let address = f.slot_addr(slot);
        let mut b = Builder::at_end(&mut f, entry);
        let bytes = b.iconst(Type::I64, 16);
        b.memcpy(address, record, bytes, MemInfo::aligned(4));
        body(&mut b, address, index);
        b.ret(None);
        let id = module.functions.push(f);
        (module, id)
    }

    fn text(module: &Module, id: ir::FuncId) -> String {
        ir::print::function_to_text(module, &module.functions[id])
    }

    #[test]
    fn what_is_only_read_is_the_argument() {
        let (mut module, id) = kernel(|b, p, index| {
            let at = b.ptradd(p, index, Flags::INBOUNDS);
            b.load(Type::I32, at, MemInfo::aligned(4), Flags::NONE);
        });
        assert!(apply(&mut module, id, mark));
        assert!(text(&module, id).contains("load invariant"));
        assert!(apply(&mut module, id, run));
        let text = text(&module, id);
        assert!(!text.contains("memcpy") && text.contains("ptr<param> = ptradd"), "{text}");
    }

    #[test]
    fn what_is_written_or_passed_on_stays() {
        for n in 0..3 {
            let (mut module, id) = kernel(|b, p, index| {
                let at = b.ptradd(p, index, Flags::INBOUNDS);
                let x = b.load(Type::I32, at, MemInfo::aligned(4), Flags::NONE);
                match n {
                    0 => {
                        b.store(at, x, MemInfo::aligned(4), Flags::NONE);
                    }
                    1 => {
                        b.space_cast(at, AddrSpace::Generic);
                    }
                    _ => {
                        b.load(Type::I32, at, MemInfo::aligned(4), Flags::VOLATILE);
                    }
                }
            });
            assert!(!apply(&mut module, id, mark), "{n}");
            assert!(!apply(&mut module, id, run), "{n}");
        }
    }

    #[test]
    fn a_copy_of_a_part_of_a_copy_is_a_part_of_the_argument() {
        let (mut module, id) = kernel(|b, p, index| {
            let slot = b.func.slots.push(SlotData { size: 8, align: 4, dims: Default::default(), name: String::new() });
            let part = b.func.slot_addr(slot);
            let (four, bytes) = (b.iconst(Type::I64, 4), b.iconst(Type::I64, 8));
            let from = b.ptradd(p, four, Flags::INBOUNDS);
            b.memcpy(part, from, bytes, MemInfo::aligned(4));
            let at = b.ptradd(part, index, Flags::INBOUNDS);
            b.load(Type::I32, at, MemInfo::aligned(4), Flags::NONE);
        });
        assert!(apply(&mut module, id, run));
        let text = text(&module, id);
        assert!(!text.contains("memcpy") && text.matches("ptr<param> = ptradd").count() == 2, "{text}");
    }
}
