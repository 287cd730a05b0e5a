//! Arithmetic, comparisons and conversions over edge values, against the interpreter.

mod common;

use common::{Case, Compare, case, check, few_shapes, shapes};
use ir::{FloatCC, IntCC, Opcode, Type};

const INTS: [Type; 5] = [Type::I1, Type::I8, Type::I16, Type::I32, Type::I64];
const FLOATS: [Type; 4] = [Type::F16, Type::BF16, Type::F32, Type::F64];

/// `op` on operands of one type.
fn uniform(op: &str, name: &str, ty: Type, operands: usize) -> Case {
    let args = ["va", "vb", "vc"][..operands].join(", ");
    case(&format!("{name}_{ty}"), &vec![ty; operands], ty, &format!("  vr: {ty} = {op} {args}"))
}

#[test]
fn integers() {
    let mut cases = Vec::new();
    for &op in Opcode::ALL.iter().filter(|&&op| (Opcode::Add..=Opcode::Fshr).contains(&op)) {
        for t in INTS.into_iter().flat_map(shapes) {
            let name = op.name().replace('.', "_");
            cases.push(uniform(op.name(), &name, t, op.operand_count().unwrap()));
        }
    }
    check(&cases, 30);
}

#[test]
fn integers_by_constants() {
    let mut cases = Vec::new();
    for op in ["sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr"] {
        for t in INTS.into_iter().flat_map(|t| [t, t.vector(8).unwrap()]) {
            for k in [0i64, 1, -1, 2, 7, 31, 100] {
                let bits = t.bits();
                let k = (k << (64 - bits)) >> (64 - bits);
                let text = if bits == 1 { (k != 0).to_string() } else { k.to_string() };
                let name = format!("{op}_{t}_{}", cases.len());
                let mut c = case(&name, &[t], t, &format!("  vr: {t} = {op} va, {t}:{text}"));
                c.undefined = k == 0;
                cases.push(c);
            }
        }
    }
    check(&cases, 20);
}

#[test]
fn floats() {
    let mut cases = Vec::new();
    for &op in Opcode::ALL.iter().filter(|&&op| (Opcode::FAdd..=Opcode::FRint).contains(&op)) {
        for t in FLOATS.into_iter().flat_map(shapes) {
            let mut c = uniform(op.name(), op.name(), t, op.operand_count().unwrap());
            if matches!(op, Opcode::FMin | Opcode::FMax) {
                c.compare = Compare::Zeros;
            }
            cases.push(c);
        }
    }
    check(&cases, 60);
}

#[test]
fn floats_rounded_as_asked() {
    let mut cases = Vec::new();
    for op in [Opcode::FAdd, Opcode::FSub, Opcode::FMul, Opcode::FDiv, Opcode::Fma, Opcode::FSqrt] {
        for mode in ["rn", "rz", "rm", "rp"] {
            for t in FLOATS.into_iter().flat_map(|t| [t, t.vector(3).unwrap(), t.vector(8).unwrap()]) {
                let name = format!("{}_{mode}", op.name());
                cases.push(uniform(&format!("{} {mode}", op.name()), &name, t, op.operand_count().unwrap()));
            }
        }
    }
    check(&cases, 60);
}

#[test]
fn comparisons() {
    let mut cases = Vec::new();
    for t in INTS.into_iter().flat_map(few_shapes) {
        for cc in IntCC::ALL {
            let to = t.with_scalar(Type::I1);
            let name = format!("icmp_{}_{t}", cc.name());
            cases.push(case(&name, &[t, t], to, &format!("  vr: {to} = icmp {} va, vb", cc.name())));
        }
    }
    for t in FLOATS.into_iter().flat_map(few_shapes) {
        for cc in FloatCC::ALL {
            let to = t.with_scalar(Type::I1);
            let name = format!("fcmp_{}_{t}", cc.name());
            cases.push(case(&name, &[t, t], to, &format!("  vr: {to} = fcmp {} va, vb", cc.name())));
        }
    }
    check(&cases, 20);
}

#[test]
fn selects() {
    let mut cases = Vec::new();
    for t in INTS.into_iter().chain(FLOATS).flat_map(shapes) {
        let mask = t.with_scalar(Type::I1);
        cases.push(case(&format!("select_{t}"), &[mask, t, t], t, &format!("  vr: {t} = select va, vb, vc")));
        if t.is_vector() {
            let name = format!("select_one_{t}");
            cases.push(case(&name, &[Type::I1, t, t], t, &format!("  vr: {t} = select va, vb, vc")));
        }
    }
    check(&cases, 20);
}

fn conversion(op: &str, from: Type, to: Type, cases: &mut Vec<Case>) {
    let name = format!("{}_{from}_{to}_{}", op.replace(' ', "_"), cases.len());
    cases.push(case(&name, &[from], to, &format!("  vr: {to} = {op} va")));
}

#[test]
fn conversions() {
    let mut cases = Vec::new();
    let modes = ["", " rn", " rz", " rm", " rp"];
    for lanes in [1, 3, 8] {
        let v = |t: Type| t.vector(lanes).unwrap();
        for a in INTS {
            for b in INTS {
                if b.bits() < a.bits() {
                    conversion("trunc", v(a), v(b), &mut cases);
                    conversion("zext", v(b), v(a), &mut cases);
                    conversion("sext", v(b), v(a), &mut cases);
                }
            }
            for f in FLOATS {
                // Three lanes are padded to four whatever the mode.
                for mode in if lanes == 3 { &modes[..1] } else { &modes } {
                    for op in ["sitofp", "uitofp"] {
                        conversion(&format!("{op}{mode}"), v(a), v(f), &mut cases);
                    }
                    for op in ["fptosi", "fptoui"] {
                        conversion(&format!("{op}{mode}"), v(f), v(a), &mut cases);
                    }
                }
            }
        }
        for a in FLOATS {
            for b in FLOATS {
                if b.bits() < a.bits() {
                    for mode in modes {
                        conversion(&format!("fptrunc{mode}"), v(a), v(b), &mut cases);
                    }
                    conversion("fpext", v(b), v(a), &mut cases);
                }
            }
        }
    }
    check(&cases, 30);
}

/// Instructions convert vectors of each width, and do not saturate: what is too large or no number came from comparisons around LLVM's conversion.
#[test]
fn numbers_that_do_not_fit_saturate_in_vectors_of_every_width() {
    let mut cases = Vec::new();
    for lanes in [2, 3, 4, 16, 32] {
        for a in [Type::I32, Type::I64] {
            for f in [Type::F32, Type::F64] {
                for op in ["fptosi", "fptoui", "fptosi rn", "fptoui rp"] {
                    conversion(op, f.vector(lanes).unwrap(), a.vector(lanes).unwrap(), &mut cases);
                }
            }
        }
    }
    check(&cases, 200);
}

/// Products of 128 bits were taken apart into lanes: a kernel of them took 2.3 s to compile, and ran so.
#[test]
fn high_halves_of_products_of_64_bits_in_vectors_of_every_width() {
    let mut cases = Vec::new();
    for lanes in [2, 3, 4, 8, 16, 32] {
        let t = Type::I64.vector(lanes).unwrap();
        for op in ["mulhi.s", "mulhi.u"] {
            cases.push(case(&format!("{}_{t}", op.replace('.', "_")), &[t, t], t, &format!("  vr: {t} = {op} va, vb")));
        }
    }
    check(&cases, 300);
}

#[test]
fn bits_in_other_types() {
    let mut cases = Vec::new();
    let pairs = [
        (Type::F32, Type::I32),
        (Type::I64, Type::F64),
        (Type::F16, Type::I16),
        (Type::BF16, Type::F16),
        (Type::I32.vector(2).unwrap(), Type::F64),
        (Type::F16.vector(4).unwrap(), Type::I64),
        (Type::I64, Type::I8.vector(8).unwrap()),
        (Type::I1.vector(8).unwrap(), Type::I8),
        (Type::I32, Type::I1.vector(32).unwrap()),
        (Type::F32.vector(4).unwrap(), Type::I16.vector(8).unwrap()),
    ];
    for (a, b) in pairs {
        conversion("bitcast", a, b, &mut cases);
    }
    check(&cases, 20);
}

#[test]
fn saturation_and_flushing() {
    let mut cases = Vec::new();
    for t in [Type::F16, Type::F32, Type::F64].into_iter().flat_map(|t| [t, t.vector(4).unwrap()]) {
        for flags in ["sat", "ftz", "ftz sat"] {
            for op in ["fadd", "fmul", "fmin"] {
                let name = format!("{op}_{}_{t}", flags.replace(' ', "_"));
                let mut c = uniform(&format!("{op} {flags}"), &name, t, 2);
                if op == "fmin" {
                    c.compare = Compare::Zeros;
                }
                cases.push(c);
            }
        }
        let to = t.with_scalar(Type::I1);
        cases.push(case(&format!("fcmp_ftz_{t}"), &[t, t], to, &format!("  vr: {to} = fcmp ftz olt va, vb")));
    }
    let options = llvm::Options { denormals: llvm::Denormals::Emulate, ..llvm::Options::default() };
    let machine = llvm::HostMachine::detect().unwrap();
    common::check_on(&machine, &cases, llvm::OptLevel::O2, 100, options);
}
