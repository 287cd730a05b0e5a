//! What inline assembly is given is made in front of it, where too much would be held for it through a function.
//!
//! Descriptors of matrices in shared memory (`wgmma`'s operands) are a base and a distance each, put together of two halves. Computed
//! once, before the loop, there are two registers for each of some hundred of them, and ptxas, which has to leave room for the sums of
//! matrices, keeps them in local memory. An addition and a pair are nothing beside what they describe.
//!
//! So: an operand of inline assembly that is made in another block is made again in front of it, if that takes at most
//! [`MOST`] instructions with constants and no more than two values, of which others are made, too, and if all of these operands
//! together take [`HELD`] registers or more, and what they are made of two thirds of that at most.
//!
//! What must hold: verified IR. Runs late: nothing that shares values comes after it. Cost: linear.

use crate::PassContext;
use ir::{Block, Function, Inst, Opcode, Type, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// Most instructions that make an operand.
const MOST: usize = 4;
/// Fewest registers that operands are held in.
const HELD: u32 = 32;

/// How a value is made: the instructions, last first, and what they start from.
type Recipe = (SmallVec<[Inst; MOST]>, SmallVec<[Value; 2]>);

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let cfg = cx.cfg(func);
    let asms: Vec<(Block, Inst)> = cfg
        .rpo()
        .iter()
        .flat_map(|&b| func.layout.insts(b).map(move |i| (b, i)))
        .filter(|&(_, i)| func.dfg.op(i) == Opcode::InlineAsm)
        .collect();
    let mut found: FxHashMap<Value, Recipe> = FxHashMap::default();
    let mut readers: FxHashMap<Value, u32> = FxHashMap::default();
    let mut uses: Vec<(Inst, usize, Value)> = Vec::new();
    for &(b, i) in &asms {
        for (n, &v) in func.dfg.args(i).iter().enumerate() {
            let v = func.dfg.resolve(v);
            let there = func.dfg.def_inst(v).and_then(|d| func.layout.inst_block(d));
            if there.is_none_or(|there| there == b) {
                continue;
            }
            if let Entry::Vacant(place) = found.entry(v) {
                let Some(recipe) = recipe(func, v) else { continue };
                recipe.1.iter().for_each(|&x| *readers.entry(x).or_default() += 1);
                place.insert(recipe);
            }
            uses.push((i, n, v));
        }
    }
    // What else nothing is made of would be held in place of what is made of it.
    found.retain(|_, recipe| recipe.1.iter().all(|x| readers[x] > 1));
    uses.retain(|u| found.contains_key(&u.2));
    let held: u32 = found.keys().map(|&v| words(func, v)).sum();
    let from: FxHashSet<Value> = found.values().flat_map(|recipe| recipe.1.iter().copied()).collect();
    let needed: u32 = from.iter().map(|&x| words(func, x)).sum();
    if held < HELD || needed * 3 > held * 2 {
        return false;
    }
    for (i, n, v) in uses {
        let made = remake(func, &found[&v].0, v, i);
        func.dfg.args_mut(i)[n] = made;
    }
    true
}

fn words(func: &Function, v: Value) -> u32 {
    func.dfg.ty(v).bytes().div_ceil(4)
}

/// How a number is made again, if that is cheap.
fn recipe(func: &Function, v: Value) -> Option<Recipe> {
    let (mut insts, mut from) = (SmallVec::new(), SmallVec::new());
    // What makes both parts comes before what makes these.
    let mut work: VecDeque<Value> = VecDeque::from([v]);
    while let Some(v) = work.pop_front() {
        if matches!(func.dfg.def(v), ValueDef::Const(_)) || from.contains(&v) {
            continue;
        }
        match func.dfg.def_inst(v).filter(|&i| insts.len() < MOST && is_cheap(func, i, insts.is_empty())) {
            Some(i) if !insts.contains(&i) => {
                insts.push(i);
                work.extend(func.dfg.args(i).iter().map(|&v| func.dfg.resolve(v)));
            }
            Some(_) => {}
            None => from.push(v),
        }
    }
    (!insts.is_empty() && from.len() <= 2).then_some((insts, from))
}

/// Whether an instruction is a cheap one with a constant, or joins two parts of the operand (`first`).
fn is_cheap(func: &Function, i: Inst, first: bool) -> bool {
    use Opcode::{Add, And, LShr, Or, SExt, Shl, Sub, Trunc, Xor, ZExt};
    let data = &func.dfg.insts[i];
    let args = func.dfg.args(i);
    if !matches!(data.ty, Type::I32 | Type::I64) {
        return false;
    }
    match data.op {
        ZExt | SExt | Trunc => matches!(func.dfg.ty(args[0]), Type::I32 | Type::I64),
        Add | Or if first => true,
        Add | Sub | And | Or | Xor | Shl | LShr => func.dfg.as_bits(args[1]).is_some(),
        _ => false,
    }
}

/// Makes `v` again in front of `user`.
fn remake(func: &mut Function, insts: &[Inst], v: Value, user: Inst) -> Value {
    let mut new: FxHashMap<Value, Value> = FxHashMap::default();
    // Operands come behind what uses them.
    for &i in ordered(func, insts).iter() {
        let copy = func.dfg.clone_inst(i);
        func.dfg.for_each_use_mut(copy, |x| *x = *new.get(x).unwrap_or(x));
        func.layout.insert_inst_before(copy, user);
        new.insert(func.dfg.res(i), func.dfg.res(copy));
    }
    new.get(&v).copied().unwrap_or(v)
}

/// Instructions in an order in which operands come first.
fn ordered(func: &Function, insts: &[Inst]) -> SmallVec<[Inst; MOST]> {
    let mut left: SmallVec<[Inst; MOST]> = SmallVec::from_slice(insts);
    let mut out = SmallVec::new();
    while !left.is_empty() {
        let waits = |i: Inst| {
            let made = |v: &Value| func.dfg.def_inst(func.dfg.resolve(*v));
            func.dfg.args(i).iter().any(|v| made(v).is_some_and(|d| left.contains(&d)))
        };
        let Some(at) = left.iter().position(|&i| !waits(i)) else { break };
        out.push(left.remove(at));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::apply;
    use ir::{AsmData, Builder, Flags, FnKind, IntCC, MemInfo, Module, Param, ParamAttrs, Payload};

    /// A loop whose inline assembly reads so many numbers, each a distance from one that is loaded before it.
    fn descriptors(count: i64) -> (Module, ir::FuncId) {
        let mut module = Module::default();
        let mut f = Function::new("k", FnKind::Kernel);
        f.params.push(Param { ty: Type::PTR, name: String::new(), attrs: ParamAttrs::default() });
        let entry = f.new_entry_block();
        let (body, end) = (f.new_block(), f.new_block());
        let p = f.dfg.params(entry)[0];
        let mut b = Builder::at_end(&mut f, entry);
        let base = b.load(Type::I32, p, MemInfo::aligned(4), Flags::NONE);
        let upper = b.iconst(Type::I64, 1 << 40);
        let operands: Vec<Value> = (1..=count)
            .map(|n| {
                let n = b.iconst(Type::I32, 2 * n);
                let low = b.add(base, n);
                let low = b.cast(Opcode::ZExt, low, Type::I64);
                b.binary(Opcode::Or, low, upper)
            })
            .collect();
        b.jump(body, &[]);
        for &v in &operands {
            let text = "wgmma %0;".to_owned();
            let inputs = vec!["l".to_owned()];
            let data = AsmData { text, outputs: Vec::new(), inputs, clobbers: Vec::new(), volatile: true };
            let asm = Payload::Asm(f.dfg.asms.push(data));
            Builder::at_end(&mut f, body).inst(Opcode::InlineAsm, Type::VOID, Flags::NONE, &[v], asm);
        }
        let mut b = Builder::at_end(&mut f, body);
        let x = b.load(Type::I32, p, MemInfo::aligned(4), Flags::VOLATILE);
        let again = b.icmp(IntCC::Slt, x, base);
        b.br(again, (body, &[]), (end, &[]));
        Builder::at_end(&mut f, end).ret(None);
        let id = module.functions.push(f);
        (module, id)
    }

    #[test]
    fn many_descriptors_are_made_where_they_are_read() {
        let (mut module, id) = descriptors(16);
        assert!(apply(&mut module, id, run));
        let f = &module.functions[id];
        let body = f.layout.blocks().nth(1).unwrap();
        assert_eq!(f.layout.insts(body).filter(|&i| f.dfg.op(i) == Opcode::Or).count(), 16);
        let of_block = |i: Inst| {
            f.dfg.args(i).iter().all(|&v| f.dfg.def_inst(v).and_then(|d| f.layout.inst_block(d)) == Some(body))
        };
        assert!(f.layout.insts(body).filter(|&i| f.dfg.op(i) == Opcode::InlineAsm).all(of_block));
    }

    #[test]
    fn few_descriptors_stay_where_they_are() {
        let (mut module, id) = descriptors(15);
        assert!(!apply(&mut module, id, run));
    }
}
