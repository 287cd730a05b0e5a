//! Bytes are computed in whole registers, without the masks that nobody asks for.
//!
//! `a ^= 0x1b` of a byte is a byte again in the source, so that what is computed of it begins with its zero-extension: a mask for
//! each operation in a machine whose registers have 32 bits. But a shift to the left, a union, or the test of a bit asks for the
//! lower bits alone, and a byte that is stored, too.
//!
//! So: a choice between two truncated numbers is the truncation of a choice, an extended truncation is a mask, and backwards from
//! what is asked of each value, masks that only clear bits that nobody asks for go, as do unions with constants of such bits.
//!
//! What must hold: verified IR. Runs late, for machines that have no registers of bytes: the unroller counts what is written.
//! Values that go round loops ask for everything. An operation that promises not to wrap asks for all of its operands. Cost: linear.

use crate::PassContext;
use cranelift_entity::SecondaryMap;
use ir::{Builder, Flags, Function, Inst, Opcode, Payload, Type, Value, side_table};

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let cfg = cx.cfg(func);
    let order: Vec<Inst> = cfg.rpo().iter().flat_map(|&b| func.layout.insts(b)).collect();
    if !order.iter().any(|&i| func.dfg.op(i) == Opcode::Trunc || is_mask(func, i)) {
        return false;
    }
    let mut changed = false;
    for &i in &order {
        changed |= widen(func, i);
    }
    // What was inserted stands in front of what was there.
    let order: Vec<Inst> = cfg.rpo().iter().flat_map(|&b| func.layout.insts(b)).collect();
    let asked = asked(func, &order);
    for &i in &order {
        let Some((x, bits)) = constant_operand(func, i) else { continue };
        let asked = asked[func.dfg.res(i)];
        let idle = match func.dfg.op(i) {
            Opcode::And => asked & !bits == 0,
            Opcode::Or | Opcode::Xor => asked & bits == 0,
            _ => false,
        };
        if idle {
            let v = func.dfg.res(i);
            func.dfg.replace_value(v, x);
            func.layout.remove_inst(i);
            changed = true;
        }
    }
    if changed {
        func.resolve_aliases();
    }
    changed
}

fn is_mask(func: &Function, i: Inst) -> bool {
    func.dfg.op(i) == Opcode::And && constant_operand(func, i).is_some()
}

/// The other operand and the bits of a constant, of an operation on whole numbers.
fn constant_operand(func: &Function, i: Inst) -> Option<(Value, u64)> {
    let &[x, c] = func.dfg.args(i) else { return None };
    let ty = func.dfg.insts[i].ty;
    let bits = func.dfg.as_bits(c).filter(|_| ty.is_int() && !ty.is_vector())?;
    Some((func.dfg.resolve(x), bits & ty.mask()))
}

/// Brings choices of truncated numbers and extensions of them into registers of 32 bits.
fn widen(func: &mut Function, i: Inst) -> bool {
    let ty = func.dfg.insts[i].ty;
    match func.dfg.op(i) {
        Opcode::Select if ty == Type::I8 || ty == Type::I16 => {
            let arms = [1, 2].map(|n| wide(func, func.dfg.arg(i, n)));
            let [Some((x, x_known)), Some((y, y_known))] = arms else { return false };
            if x_known && y_known {
                return false;
            }
            let (condition, span) = (func.dfg.arg(i, 0), func.dfg.span(i));
            let mut build = Builder::before(func, i);
            build.set_span(span);
            let chosen = build.select(condition, x, y);
            func.dfg.rewrite(i, Opcode::Trunc, Flags::NONE, &[chosen], Payload::None);
            true
        }
        Opcode::ZExt if ty == Type::I32 => {
            let narrow = func.dfg.resolve(func.dfg.arg(i, 0));
            let Some(of) = func.dfg.def_op(narrow, Opcode::Trunc) else { return false };
            let x = func.dfg.resolve(func.dfg.arg(of, 0));
            if func.dfg.ty(x) != ty {
                return false;
            }
            let mask = func.dfg.bits(ty, func.dfg.ty(narrow).mask());
            func.dfg.rewrite(i, Opcode::And, Flags::NONE, &[x, mask], Payload::None);
            true
        }
        _ => false,
    }
}

/// A number of 32 bits that `v` is the lower part of, and whether it is a constant.
fn wide(func: &mut Function, v: Value) -> Option<(Value, bool)> {
    let v = func.dfg.resolve(v);
    if let Some(bits) = func.dfg.as_bits(v) {
        return Some((func.dfg.bits(Type::I32, bits), true));
    }
    let of = func.dfg.def_op(v, Opcode::Trunc)?;
    let x = func.dfg.resolve(func.dfg.arg(of, 0));
    (func.dfg.ty(x) == Type::I32).then_some((x, false))
}

/// The bits of each value that something asks for. A value's users come later in `order` than what makes it, but for users that
/// are parameters of blocks.
fn asked(func: &Function, order: &[Inst]) -> SecondaryMap<Value, u64> {
    let mut asked: SecondaryMap<Value, u64> = side_table(func.dfg.values.len());
    for &i in order.iter().rev() {
        let of = func.dfg.result(i).map_or(u64::MAX, |v| asked[v]);
        let mut n = 0;
        func.dfg.for_each_use(i, |v| {
            asked[func.dfg.resolve(v)] |= asks(func, i, n, of);
            n += 1;
        });
    }
    asked
}

/// What an instruction asks of its operand `n` if `of` is asked of its result.
fn asks(func: &Function, i: Inst, n: usize, of: u64) -> u64 {
    let dfg = &func.dfg;
    let data = &dfg.insts[i];
    if !data.ty.is_int() || data.ty.is_vector() {
        return u64::MAX;
    }
    let constant = || dfg.args(i).get(1).and_then(|&c| dfg.as_bits(c));
    let shift = || constant().filter(|&c| n == 0 && c < u64::from(data.ty.bits()));
    let wraps = !data.flags.has(Flags::NUW) && !data.flags.has(Flags::NSW);
    match data.op {
        Opcode::And if n == 0 => of & constant().unwrap_or(u64::MAX),
        Opcode::Or if n == 0 => of & !constant().unwrap_or(0),
        Opcode::And | Opcode::Or | Opcode::Xor => of,
        Opcode::Add | Opcode::Sub | Opcode::Mul if wraps => up_to_highest(of),
        Opcode::Shl if wraps && shift().is_some() => shift().map_or(u64::MAX, |c| of >> c),
        Opcode::LShr if !data.flags.has(Flags::EXACT) && shift().is_some() => shift().map_or(u64::MAX, |c| of << c),
        Opcode::Trunc => of & data.ty.mask(),
        Opcode::ZExt => of & dfg.ty(dfg.arg(i, 0)).mask(),
        Opcode::Select if n > 0 => of,
        _ => u64::MAX,
    }
}

/// All bits from the lowest to the highest of `bits`: what a sum's bits depend on.
fn up_to_highest(bits: u64) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> bits.leading_zeros() }
}
