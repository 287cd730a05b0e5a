//! The optimiser's constant folding and the interpreter, written apart, give the same bits for every operation.

use analysis::fold::fold;
use filetests::Rng;
use interp::{Arg, Limits, Machine};
use ir::{Builder, Flags, FloatCC, FnKind, FuncId, Function, IntCC, Module, Opcode, Param, Payload, Round, Type};

const INTS: [Type; 5] = [Type::I1, Type::I8, Type::I16, Type::I32, Type::I64];
const FLOATS: [Type; 4] = [Type::F16, Type::BF16, Type::F32, Type::F64];

/// Operand bits: patterns at the edges of integers and floats, and random ones.
fn operand(rng: &mut Rng, ty: Type) -> u64 {
    let n = ty.bits();
    let (mantissa, exponent) = match ty {
        Type::F16 => (10, 5),
        Type::BF16 => (7, 8),
        Type::F32 => (23, 8),
        _ => (52, 11),
    };
    let bits = match rng.below(14) {
        0 => 0,
        1 => 1,
        2 => u64::MAX,
        3 => 1 << (n - 1),
        4 => (1 << (n - 1)) - 1,
        // A float near 1, a small integer as float, infinity, the smallest normal number, subnormals.
        5 if ty.is_float() => ((1 << (exponent - 1)) - 1) << mantissa | rng.bits() & 3,
        6 if ty.is_float() => ((1 << (exponent - 1)) + rng.bits() % 6) << mantissa | (rng.bits() & 1) << (n - 1),
        7 if ty.is_float() => ((1 << exponent) - 1) << mantissa | (rng.bits() & 1) << (n - 1),
        8 if ty.is_float() => 1 << mantissa | (rng.bits() & 1) << (n - 1),
        9 if ty.is_float() => rng.bits() & ((1 << mantissa) - 1),
        5..9 => rng.bits() % 70,
        _ => rng.bits(),
    };
    bits & ty.mask()
}

/// One operation, as a function of the interpreter's module.
struct Case {
    op: Opcode,
    flags: Flags,
    payload: Payload,
    ty: Type,
    args: Vec<Type>,
}

fn add(cases: &mut Vec<Case>, op: Opcode, ty: Type, args: Vec<Type>, payload: Payload) {
    cases.push(Case { op, flags: Flags::NONE, payload, ty, args });
}

fn cases() -> Vec<Case> {
    use Opcode::*;
    let mut out = Vec::new();
    for ty in INTS {
        for op in [
            Add, Sub, Mul, MulHiS, MulHiU, SDiv, UDiv, SRem, URem, And, Or, Xor, Shl, LShr, AShr, SMin, SMax, UMin,
            UMax, Abs, Clz, Ctz, Popcnt, BitRev, Fshl, Fshr,
        ] {
            add(&mut out, op, ty, vec![ty; op.operand_count().unwrap_or(0)], Payload::None);
        }
        if ty != Type::I1 {
            add(&mut out, ByteSwap, ty, vec![ty], Payload::None);
        }
        for cc in IntCC::ALL {
            add(&mut out, Icmp, Type::I1, vec![ty, ty], Payload::IntCC(cc));
        }
        for to in INTS {
            match to.bits().cmp(&ty.bits()) {
                std::cmp::Ordering::Less => add(&mut out, Trunc, to, vec![ty], Payload::None),
                std::cmp::Ordering::Greater => {
                    add(&mut out, ZExt, to, vec![ty], Payload::None);
                    add(&mut out, SExt, to, vec![ty], Payload::None);
                }
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    for ty in FLOATS {
        for op in
            [FAdd, FSub, FMul, FDiv, FRem, FMin, FMax, FCopysign, Fma, FNeg, FAbs, FSqrt, FFloor, FCeil, FTrunc, FRint]
        {
            let args = vec![ty; op.operand_count().unwrap_or(0)];
            add(&mut out, op, ty, args.clone(), Payload::None);
            if !matches!(op, FNeg | FAbs | FCopysign) {
                for flags in [Flags::FTZ, Flags::SAT, Flags::FTZ | Flags::SAT] {
                    out.push(Case { op, flags, payload: Payload::None, ty, args: args.clone() });
                }
            }
            if matches!(op, FAdd | FSub | FMul | FDiv | Fma | FSqrt) {
                for r in Round::ALL {
                    add(&mut out, op, ty, args.clone(), Payload::Round(r));
                }
            }
        }
        for cc in FloatCC::ALL {
            add(&mut out, Fcmp, Type::I1, vec![ty, ty], Payload::FloatCC(cc));
        }
        conversions(&mut out, ty);
    }
    use ir::Intrinsic as I;
    for i in [
        I::BfeS,
        I::BfeU,
        I::Bfi,
        I::Prmt,
        I::SadS,
        I::SadU,
        I::Mul24S,
        I::Mul24U,
        I::Dp4aS,
        I::Dp4aU,
        I::Dp2aS,
        I::Dp2aU,
    ] {
        let args = vec![Type::I32; i.operand_count().unwrap_or(0)];
        add(&mut out, Opcode::Intrinsic, Type::I32, args, Payload::Intrinsic(i));
    }
    out
}

fn conversions(out: &mut Vec<Case>, ty: Type) {
    use Opcode::*;
    let rounds = || Round::ALL.into_iter().map(Payload::Round).chain([Payload::None]);
    for int in INTS {
        for payload in rounds() {
            for op in [FpToSi, FpToUi] {
                add(out, op, int, vec![ty], payload.clone());
            }
            for op in [SiToFp, UiToFp] {
                add(out, op, ty, vec![int], payload.clone());
            }
        }
    }
    for to in FLOATS {
        if to.bits() < ty.bits() {
            rounds().for_each(|p| add(out, FpTrunc, to, vec![ty], p));
        } else if to.bits() > ty.bits() {
            add(out, FpExt, to, vec![ty], Payload::None);
        }
    }
}

fn module(cases: &[Case]) -> (Module, Vec<FuncId>) {
    let mut module = Module::default();
    let mut ids = Vec::new();
    for (n, c) in cases.iter().enumerate() {
        let mut f = Function::new(format!("f{n}"), FnKind::Device);
        f.ret = c.ty;
        f.params = c.args.iter().map(|&ty| Param { ty, name: String::new(), attrs: Default::default() }).collect();
        let entry = f.new_entry_block();
        let args = f.dfg.params(entry).to_vec();
        let mut b = Builder::at_end(&mut f, entry);
        let i = b.inst(c.op, c.ty, c.flags, &args, c.payload.clone());
        let v = b.func.dfg.res(i);
        b.ret(Some(v));
        ids.push(module.functions.push(f));
    }
    ir::verify::verify_module(&module).unwrap_or_else(|e| panic!("{}", e[0]));
    (module, ids)
}

#[test]
fn folding_is_execution() {
    let cases = cases();
    let (module, ids) = module(&cases);
    let mut machine = Machine::new(&module);
    let mut rng = Rng::new(7);
    let limits = Limits::default();
    let mut compared = 0;
    for (c, &id) in cases.iter().zip(&ids) {
        for _ in 0..60 {
            let operands: Vec<u64> = c.args.iter().map(|&t| operand(&mut rng, t)).collect();
            let args: Vec<Arg> = operands.iter().map(|&v| Arg::Value(v)).collect();
            let run = machine.call(id, &args, &limits).expect("nothing traps here")[0];
            let folded = fold(c.op, c.flags, &c.payload, c.ty, c.args[0], &operands);
            if let Some(folded) = folded {
                assert_eq!(
                    run,
                    Some(folded),
                    "{} {:?} {:?} {:?} -> {} of {operands:x?}: executed {run:x?}, folded {folded:#x}",
                    c.op.name(),
                    c.flags,
                    c.payload,
                    c.args,
                    c.ty,
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 20_000, "only {compared} comparisons");
}
