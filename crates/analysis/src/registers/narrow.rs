//! Integers of 64 bits whose upper words take no register: those known to be zero, and those that nothing reads.

use cranelift_entity::SecondaryMap;
use ir::{ConstKind, Function, Inst, Opcode, Type, Value, ValueDef};

/// Definitions that are followed to find how large a value may be.
const DEPTH: u32 = 6;

/// Values of 64 bits of which only the lower word is in a register.
pub(super) fn narrow(func: &Function, insts: &[Inst]) -> SecondaryMap<Value, bool> {
    let mut out = ir::side_table(func.dfg.values.len());
    let needed = needed(func, insts);
    let mut decide = |v: Value| {
        let v = func.dfg.resolve(v);
        if func.dfg.ty(v) == Type::I64 {
            out[v] = !needed[v] || largest(func, v, DEPTH) <= u64::from(u32::MAX);
        }
    };
    for &i in insts {
        func.dfg.for_each_use(i, &mut decide);
        func.dfg.result(i).into_iter().for_each(&mut decide);
    }
    out
}

/// Values whose upper words something reads.
fn needed(func: &Function, insts: &[Inst]) -> SecondaryMap<Value, bool> {
    let dfg = &func.dfg;
    let mut out: SecondaryMap<Value, bool> = ir::side_table(dfg.values.len());
    // What hands the need of its result on to its operands, by the result.
    let mut open: Vec<Value> = Vec::new();
    let need = |v: Value, out: &mut SecondaryMap<Value, bool>, open: &mut Vec<Value>| {
        let v = dfg.resolve(v);
        if !std::mem::replace(&mut out[v], true) {
            open.push(v);
        }
    };
    let passes = |i: Inst| dfg.result(i).filter(|&v| dfg.ty(v) == Type::I64 && hands_on(dfg.op(i)));
    for &i in insts {
        if passes(i).is_some() || reads_lower(func, i) {
            continue;
        }
        if dfg.op(i).is_terminator() && dfg.successors(i).next().is_some() {
            dfg.args(i).iter().for_each(|&v| need(v, &mut out, &mut open));
            continue;
        }
        dfg.for_each_use(i, |v| need(v, &mut out, &mut open));
    }
    let mut edges: SecondaryMap<Value, Vec<Value>> = SecondaryMap::new();
    for &i in insts.iter().filter(|&&i| dfg.op(i).is_terminator()) {
        for (n, b) in dfg.successors(i).enumerate() {
            for (&p, &a) in dfg.params(b).iter().zip(dfg.branch_args(i, n)) {
                edges[p].push(a);
            }
        }
    }
    while let Some(v) = open.pop() {
        for &a in &edges[v] {
            need(a, &mut out, &mut open);
        }
        if let Some(i) = dfg.def_inst(v).filter(|&i| passes(i).is_some()) {
            dfg.for_each_use(i, |x| need(x, &mut out, &mut open));
        }
    }
    out
}

/// Whether the upper word of an operand matters only to the upper word of the result.
fn hands_on(op: Opcode) -> bool {
    use Opcode::{Add, And, Mul, Or, Select, Shl, Sub, Xor};
    matches!(op, Add | Sub | Mul | And | Or | Xor | Shl | Select)
}

/// Whether only the lower words of operands are read.
fn reads_lower(func: &Function, i: Inst) -> bool {
    let dfg = &func.dfg;
    match dfg.op(i) {
        Opcode::Trunc => true,
        Opcode::And => dfg.args(i).iter().any(|&x| dfg.as_bits(x).is_some_and(|n| n <= u64::from(u32::MAX))),
        _ => false,
    }
}

/// The largest number, without a sign, that a value is known to be at most.
fn largest(func: &Function, v: Value, depth: u32) -> u64 {
    let dfg = &func.dfg;
    let v = dfg.resolve(v);
    if let ValueDef::Const(ConstKind::Bits(n)) = dfg.def(v) {
        return n;
    }
    let Some(i) = dfg.def_inst(v).filter(|_| depth > 0) else { return u64::MAX };
    let args = dfg.args(i);
    let of = |n: usize| largest(func, args[n], depth - 1);
    match dfg.op(i) {
        Opcode::ZExt => match dfg.ty(args[0]).scalar_bytes() {
            bytes @ 1..8 => (1 << (8 * bytes)) - 1,
            _ => 1,
        },
        Opcode::And => of(0).min(of(1)),
        Opcode::Or | Opcode::Xor => u64::MAX.checked_shr((of(0) | of(1)).leading_zeros()).unwrap_or(0),
        Opcode::LShr => dfg.as_int(args[1]).map_or(u64::MAX, |n| of(0) >> n.clamp(0, 63)),
        Opcode::Shl => {
            let n = dfg.as_int(args[1]).map_or(64, |n| n.clamp(0, 64)) as u32;
            if of(0).leading_zeros() >= n && n < 64 { of(0) << n } else { u64::MAX }
        }
        Opcode::Add => of(0).saturating_add(of(1)),
        Opcode::Mul => of(0).saturating_mul(of(1)),
        Opcode::UDiv => dfg.as_bits(args[1]).filter(|&n| n > 0).map_or(of(0), |n| of(0) / n),
        Opcode::URem => of(1).min(of(0)),
        Opcode::Select => of(1).max(of(2)),
        _ => u64::MAX,
    }
}
