//! Vectors whose lanes a loop takes one after another.
//!
//! LLVM writes a vector to the stack for each lane that is taken by a number that it does not know: in a loop over the lanes
//! as often as there are lanes. Here such a vector is written once, where it is made, and the loop reads elements.

use super::func::FuncGen;
use super::ll::Val;
use cranelift_entity::SecondaryMap;
use ir::{Function, Inst, Opcode, Type, Value, ValueDef};

/// Which values are wanted in memory, and where they are.
#[derive(Default)]
pub(super) struct Lanes {
    wanted: SecondaryMap<Value, bool>,
    memory: SecondaryMap<Value, Option<Val>>,
}

impl Lanes {
    /// Finds vectors whose lanes are taken by number in another block than theirs. Linear in the function.
    pub(super) fn new(f: &Function) -> Self {
        let mut lanes = Self::default();
        for b in f.layout.blocks() {
            for i in f.layout.insts(b).filter(|&i| f.dfg.op(i) == Opcode::ExtractDyn) {
                let v = f.dfg.resolve(f.dfg.arg(i, 0));
                let home = match f.dfg.values[v].def {
                    ValueDef::Inst(i) => f.layout.inst_block(i),
                    ValueDef::Param(home, _) => Some(home),
                    // Constants need no memory.
                    _ => Some(b),
                };
                lanes.wanted[v] |= home != Some(b) && f.dfg.as_bits(f.dfg.arg(i, 1)).is_none();
            }
        }
        lanes
    }
}

impl FuncGen<'_> {
    /// Writes a value to memory if its lanes are wanted there; code stands right behind its definition.
    pub(super) fn keep_lanes(&mut self, v: Value, made: Val) {
        if !self.lanes.wanted[v] {
            return;
        }
        let ty = self.f.dfg.ty(v);
        let bytes = u32::from(ty.lanes()) * Self::lane_bytes(ty);
        let align = bytes.next_power_of_two().clamp(16, 64);
        let place = self.stack_memory(bytes.into(), align);
        let v_in_memory = self.to_memory(made, ty);
        self.ll.store(place, v_in_memory, align);
        self.lanes.memory[v] = Some(place);
    }

    /// The lane of a vector by its number, which is in range.
    pub(super) fn taken_lane(&self, i: Inst, number: Val) -> Val {
        let v = self.f.dfg.resolve(self.f.dfg.arg(i, 0));
        let Some(place) = self.lanes.memory[v] else { return self.ll.extract(self.value(v), number) };
        let one = self.f.dfg.ty(v).scalar();
        let element = self.cx.memory_ty(one);
        let at = self.ll.elements(place, element, self.ll.zext(number, self.ll.int(64, 1)));
        let loaded = self.ll.load(element, at, Self::lane_bytes(one));
        self.loaded(loaded, one)
    }

    fn lane_bytes(ty: Type) -> u32 {
        ty.scalar().bits().div_ceil(8).max(1)
    }
}
