//! Functions without what passes have left behind: numbers of instructions and values that stand nowhere.

use crate::{Function, Inst, Value};
use cranelift_entity::{EntityRef, SecondaryMap, packed_option::PackedOption};

/// Functions with fewer instructions stay as they are: there is little to gain.
const WORTH_IT: usize = 4096;

/// New numbers of what stays, in the old order.
struct Kept {
    insts: Vec<Inst>,
    values: Vec<Value>,
    new_inst: SecondaryMap<Inst, PackedOption<Inst>>,
    new_value: SecondaryMap<Value, PackedOption<Value>>,
}

impl Function {
    /// Numbers instructions and values anew, in the same order, if most of them stand nowhere any more: copies of the function and
    /// tables beside it are as large as its numbers. Blocks, slots, loops and tables of cases keep theirs. Nothing else may name
    /// instructions or values of it, and no alias may be in use.
    pub fn compact(&mut self) {
        let all = self.dfg.insts.len();
        if all < WORTH_IT {
            return;
        }
        let placed: usize = self.layout.blocks().map(|b| self.layout.insts(b).count()).sum();
        if placed * 2 > all {
            return;
        }
        let kept = self.kept();
        let (new_inst, new_value) = (&kept.new_inst, &kept.new_value);
        let inst = |i: Inst| new_inst[i].expect("an instruction that stands somewhere");
        self.layout.renumber(inst);
        self.dfg.renumber(&kept.insts, &kept.values, inst, |v: Value| new_value[v].expect("a value in use"));
    }

    /// The instructions that stand somewhere, and the values that these use or make.
    fn kept(&self) -> Kept {
        let mut insts: Vec<Inst> = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        let mut seen = cranelift_entity::EntitySet::with_capacity(self.dfg.values.len());
        let mut keep = |v: Value| {
            if seen.insert(v) {
                values.push(v);
            }
        };
        for b in self.layout.blocks() {
            self.dfg.params(b).iter().copied().for_each(&mut keep);
            for i in self.layout.insts(b) {
                insts.push(i);
                self.dfg.result(i).into_iter().for_each(&mut keep);
                self.dfg.for_each_use(i, &mut keep);
            }
        }
        insts.sort_unstable();
        values.sort_unstable();
        let mut new_inst = crate::entities::side_table(self.dfg.insts.len());
        let mut new_value = crate::entities::side_table(self.dfg.values.len());
        for (n, &i) in insts.iter().enumerate() {
            new_inst[i] = PackedOption::from(Inst::new(n));
        }
        for (n, &v) in values.iter().enumerate() {
            new_value[v] = PackedOption::from(Value::new(n));
        }
        Kept { insts, values, new_inst, new_value }
    }
}

#[cfg(test)]
mod tests {
    use super::WORTH_IT;
    use crate::{Builder, Flags, FnKind, Function, Opcode, Payload, Type};

    #[test]
    fn what_stands_nowhere_goes_and_the_text_stays_in_order() {
        let mut f = Function::new("f", FnKind::Device);
        f.ret = Type::I32;
        let b = f.new_entry_block();
        let mut at = Builder::at_end(&mut f, b);
        let mut x = at.func.dfg.iconst(Type::I32, 7);
        for n in 0..WORTH_IT as i64 {
            let c = at.func.dfg.iconst(Type::I32, n);
            x = at.value(Opcode::Add, Type::I32, Flags::NONE, &[x, c], Payload::None);
        }
        at.ret(Some(x));
        let gone: Vec<_> = f.layout.insts(b).take(WORTH_IT - 3).collect();
        let (last, seven) = (*gone.last().unwrap(), f.dfg.iconst(Type::I32, 7));
        for i in gone {
            f.layout.remove_inst(i);
        }
        let old = f.dfg.res(last);
        f.dfg.replace_value(old, seven);
        let layout = f.layout.clone();
        f.dfg.resolve_aliases(&layout);
        let before: Vec<_> = f.layout.insts(b).map(|i| (f.dfg.op(i), f.dfg.args(i).len())).collect();
        f.compact();
        let after: Vec<_> = f.layout.insts(b).map(|i| (f.dfg.op(i), f.dfg.args(i).len())).collect();
        assert_eq!(before, after);
        assert_eq!(f.dfg.insts.len(), 4);
        assert_eq!(f.dfg.iconst(Type::I32, 7), f.dfg.arg(f.layout.first_inst(b).unwrap(), 0));
        assert_eq!(f.dfg.as_int(f.dfg.arg(f.layout.first_inst(b).unwrap(), 1)), Some(WORTH_IT as i64 - 3));
    }
}
