//! Copies of a function's whole body in another function.
//!
//! Blocks, values, stack slots and loop metadata get names of their own in the new place; instructions keep their
//! source places. Returns become jumps. What must hold: both functions are of one module, since globals, callees and
//! hints keep their names. Cost: linear in the body.

use crate::{
    Block, Branch, BranchKind, ConstKind, Flags, Function, Inst, LoopMd, Opcode, Payload, Slot, Type, Value, ValueDef,
    side_table,
};
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

/// Copies `body` into `func`, its blocks placed behind `place`. Returns jump to `end` with what they return. The copy of
/// the entry block is returned; its parameters are the copied function's.
///
/// # Panics
/// If `body` is a declaration.
pub fn copy_body(func: &mut Function, body: &Function, place: Block, end: Block) -> Block {
    let mut copy = Copy {
        func,
        body,
        block: side_table(body.dfg.blocks.len()),
        value: side_table(body.dfg.values.len()),
        slot: side_table(body.slots.len()),
        md: side_table(body.loops.len()),
        end,
    };
    copy.blocks(place);
    copy.instructions();
    copy.block[body.layout.entry()].expect("the entry is placed")
}

struct Copy<'a> {
    func: &'a mut Function,
    body: &'a Function,
    block: SecondaryMap<Block, Option<Block>>,
    value: SecondaryMap<Value, Option<Value>>,
    slot: SecondaryMap<Slot, Option<Slot>>,
    md: SecondaryMap<LoopMd, Option<LoopMd>>,
    end: Block,
}

impl Copy<'_> {
    /// Makes the blocks and their parameters.
    fn blocks(&mut self, place: Block) {
        let mut last = place;
        for b in self.body.layout.blocks() {
            let new = self.func.dfg.make_block();
            self.func.layout.insert_block_after(new, last);
            last = new;
            self.block[b] = Some(new);
            for &p in self.body.dfg.params(b) {
                let v = self.func.dfg.add_param(new, self.body.dfg.ty(p));
                self.value[p] = Some(v);
            }
        }
    }

    /// First every instruction without operands, so that uses that stand before their definition find it.
    fn instructions(&mut self) {
        let body = self.body;
        let mut made: Vec<(Inst, Inst)> = Vec::new();
        for b in body.layout.blocks() {
            let Some(to) = self.block[b] else { continue };
            for i in body.layout.insts(b) {
                let data = &body.dfg.insts[i];
                let (op, ty) = if data.op == Opcode::Return { (Opcode::Jump, Type::VOID) } else { (data.op, data.ty) };
                let new = self.func.dfg.make_inst(op, ty, data.flags, &[], Payload::None);
                self.func.dfg.set_span(new, body.dfg.span(i));
                self.func.dfg.set_parts(new, body.dfg.parts(i));
                self.func.dfg.set_elements(new, body.dfg.elements(i));
                body.dfg.counted(i).into_iter().for_each(|size| self.func.dfg.set_counted(new, size));
                self.func.layout.append_inst(new, to);
                if op == Opcode::Provable
                    && let Some(path) = body.dfg.came_by.get(&i)
                {
                    self.func.dfg.came_by.insert(new, path.clone());
                }
                if let Some(old) = body.dfg.result(i) {
                    self.value[old] = self.func.dfg.result(new);
                }
                made.push((i, new));
            }
        }
        for (old, new) in made {
            self.operands(old, new);
        }
    }

    fn operands(&mut self, old: Inst, new: Inst) {
        let body = self.body;
        let data = &body.dfg.insts[old];
        let args: SmallVec<[Value; 8]> = body.dfg.args(old).iter().map(|&v| self.map(v)).collect();
        if data.op == Opcode::Return {
            let ways = SmallVec::from_iter([(self.end, args)]);
            let payload = self.func.dfg.branch_payload(&Branch { kind: BranchKind::Jump, ways, md: None });
            return self.func.dfg.rewrite(new, Opcode::Jump, Flags::NONE, &[], payload);
        }
        let payload = match (body.dfg.branch(old), &data.payload) {
            (Some(branch), _) => self.branch(branch),
            (None, Payload::Asm(a)) => Payload::Asm(self.func.dfg.asms.push(body.dfg.asms[*a].clone())),
            (None, other) => other.clone(),
        };
        self.func.dfg.rewrite(new, data.op, data.flags, &args, payload);
    }

    fn branch(&mut self, mut branch: Branch) -> Payload {
        for (to, args) in &mut branch.ways {
            *to = self.block[*to].expect("branch targets are placed");
            args.iter_mut().for_each(|v| *v = self.map(*v));
        }
        branch.md =
            branch.md.map(|md| *self.md[md].get_or_insert_with(|| self.func.loops.push(self.body.loops[md].clone())));
        self.func.dfg.branch_payload(&branch)
    }

    fn map(&mut self, v: Value) -> Value {
        let v = self.body.dfg.resolve(v);
        if let Some(new) = self.value[v] {
            return new;
        }
        let ty = self.body.dfg.ty(v);
        let new = match self.body.dfg.values[v].def {
            ValueDef::Const(ConstKind::Slot(s)) => {
                let slot = *self.slot[s].get_or_insert_with(|| self.func.slots.push(self.body.slots[s].clone()));
                self.func.dfg.constant(ty, ConstKind::Slot(slot))
            }
            ValueDef::Const(kind) => self.func.dfg.constant(ty, kind),
            // A result or parameter of a block that is not placed: never computed.
            _ => self.func.dfg.undef(ty),
        };
        self.value[v] = Some(new);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, FnKind, IntCC, LoopMeta, Module, Param, ParamAttrs, SlotData, verify};

    /// Counts from 0 to its parameter; what it returns is defined behind its use in the layout.
    fn counter() -> Function {
        let mut f = Function::new("counter", FnKind::Device);
        f.ret = Type::I32;
        f.params.push(Param { ty: Type::I32, name: String::new(), attrs: ParamAttrs::default() });
        let (entry, exit, head) = (f.new_entry_block(), f.new_block(), f.new_block());
        let n = f.dfg.params(entry)[0];
        let i = f.dfg.add_param(head, Type::I32);
        let md = f.loops.push(LoopMeta::default());
        let mut b = Builder::at_end(&mut f, entry);
        let zero = b.iconst(Type::I32, 0);
        b.jump(head, &[zero]);
        b.switch_to(head);
        let one = b.iconst(Type::I32, 1);
        let next = b.add(i, one);
        let c = b.icmp(IntCC::Slt, next, n);
        b.br_md(c, (head, &[next]), (exit, &[]), Some(md));
        b.switch_to(exit);
        b.ret(Some(next));
        f
    }

    #[test]
    fn every_copy_has_its_own_loop_and_slots() {
        let mut body = counter();
        let data = SlotData { size: 4, align: 4, dims: SmallVec::new(), name: "x".to_owned() };
        let slot = body.slots.push(data);
        let at = body.slot_addr(slot);
        let exit = body.layout.blocks().nth(1).unwrap();
        let ret = body.layout.terminator(exit);
        let v = body.dfg.arg(ret, 0);
        Builder::before(&mut body, ret).store(at, v, crate::MemInfo::aligned(4), Flags::NONE);

        let mut f = Function::new("f", FnKind::Device);
        f.ret = Type::I32;
        let entry = f.new_entry_block();
        let mut at = entry;
        let mut v = f.dfg.iconst(Type::I32, 5);
        for _ in 0..2 {
            let end = f.new_block();
            let result = f.dfg.add_param(end, Type::I32);
            let inner = copy_body(&mut f, &body, at, end);
            Builder::at_end(&mut f, at).jump(inner, &[v]);
            (at, v) = (end, result);
        }
        Builder::at_end(&mut f, at).ret(Some(v));
        assert_eq!((f.loops.len(), f.slots.len()), (2, 2));
        assert_eq!(f.layout.blocks().count(), 1 + 2 * (3 + 1));
        let mut module = Module::default();
        module.functions.push(f);
        verify::verify_module(&module).unwrap();
    }

    #[test]
    fn the_copy_stands_behind_its_place() {
        let body = counter();
        let mut f = Function::new("f", FnKind::Device);
        let (entry, end) = (f.new_entry_block(), f.new_block());
        f.dfg.add_param(end, Type::I32);
        let inner = copy_body(&mut f, &body, entry, end);
        let blocks: Vec<Block> = f.layout.blocks().collect();
        assert_eq!((blocks[0], blocks[1], blocks[4]), (entry, inner, end));
    }
}
