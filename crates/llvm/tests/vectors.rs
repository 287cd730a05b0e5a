//! Vectors, memory, masks, gathers and target operations, against the interpreter.

mod common;

use common::{Case, Compare, case, check, check_on, shapes};
use ir::{AtomicOp, Type};
use llvm::{HostMachine, OptLevel, Options};

const ALL: [Type; 9] =
    [Type::I1, Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::BF16, Type::F32, Type::F64];

fn vectors(scalar: Type) -> impl Iterator<Item = Type> {
    shapes(scalar).filter(|t| t.is_vector())
}

fn lane_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for t in ALL.into_iter().flat_map(vectors) {
        let (one, n) = (t.scalar(), t.lanes());
        let index = Type::I32;
        let k = n / 2;
        cases.push(case(&format!("extract_{t}"), &[t], one, &format!("  vr: {one} = extract lane {k} va")));
        cases.push(case(&format!("insert_{t}"), &[t, one], t, &format!("  vr: {t} = insert lane {k} va, vb")));
        cases.push(case(&format!("splat_{t}"), &[one], t, &format!("  vr: {t} = splat va")));
        let dynamic = |op: &str, rest: &str| {
            format!(
                "  vk: i32 = umin v{}, i32:{}\n  vr: {rest} = {op}",
                if op.starts_with('e') { "b" } else { "c" },
                n - 1
            )
        };
        cases.push(case(
            &format!("extractdyn_{t}"),
            &[t, index],
            one,
            &format!("{} va, vk", dynamic("extractdyn", &one.to_string())),
        ));
        cases.push(case(
            &format!("insertdyn_{t}"),
            &[t, one, index],
            t,
            &format!("{} va, vb, vk", dynamic("insertdyn", &t.to_string())),
        ));
        let indices = Type::I32.vector(n).unwrap();
        cases.push(case(&format!("permute_{t}"), &[t, indices], t, &format!("  vr: {t} = permute va, vb")));
        if n <= 16 {
            let lanes: Vec<String> = (0..n).map(|l| (if l % 2 == 0 { n - 1 - l } else { n + l }).to_string()).collect();
            cases.push(case(
                &format!("shuffle_{t}"),
                &[t, t],
                t,
                &format!("  vr: {t} = shuffle [{}] va, vb", lanes.join(" ")),
            ));
        }
        if t.is_int() && one != Type::I1 {
            cases.push(case(&format!("iota_{t}"), &[t], t, &format!("  vi: {t} = iota\n  vr: {t} = add va, vi")));
        }
    }
    for n in [2, 3, 4, 8, 16, 32] {
        let m = Type::I1.vector(n).unwrap();
        // Random masks of many lanes are hardly ever all one or the other: ask combinations, too.
        for (op, mix) in [("anylane", "and"), ("alllanes", "or"), ("anylane", "or"), ("alllanes", "and")] {
            let name = format!("{op}_{mix}_{m}");
            let body =
                format!("  vx: {m} = {mix} va, vb\n  vy: {m} = splat vc\n  vz: {m} = {mix} vx, vy\n  vr: i1 = {op} vz");
            cases.push(case(&name, &[m, m, Type::I1], Type::I1, &body));
        }
    }
    for t in [Type::F32, Type::I8] {
        for n in [2u8, 3, 4, 8] {
            let v = t.vector(n).unwrap();
            let args = ["va", "vb", "va", "vb", "vb", "vb", "va", "va"][..n as usize].join(", ");
            cases.push(case(&format!("vec_{v}"), &[t, t], v, &format!("  vr: {v} = vec {args}")));
        }
    }
    cases
}

#[test]
fn lanes() {
    check(&lane_cases(), 20);
}

#[test]
fn lanes_on_machines_with_less() {
    // No AVX2, no F16C, no FMA, no masked loads: everything in another way.
    let cases: Vec<Case> = lane_cases().into_iter().chain(memory_cases()).collect();
    check_on(&HostMachine::named("x86-64-v2").unwrap(), &cases, OptLevel::O1, 10, Options::default());
}

/// Code that this machine may not be able to run; that LLVM has instructions for all of it is worth knowing.
#[test]
fn code_for_machines_with_more() {
    let cases: Vec<Case> = lane_cases().into_iter().chain(memory_cases()).collect();
    let text: String = cases.iter().map(|c| c.body.as_str()).collect();
    let module = common::parse(&text);
    let names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    let machine = HostMachine::named("x86-64-v4").unwrap();
    assert_eq!(machine.vectors().vector_bits, 512);
    let options = Options { entries: &names, opt: OptLevel::O1, ..Options::default() };
    let assembly = llvm::compile(&module, &machine, &options).unwrap().assembly().unwrap();
    for instruction in ["%zmm", "vpgatherdd", "vpscatterdd", "kmov"] {
        assert!(assembly.contains(instruction), "no {instruction}");
    }
}

/// Masked accesses go to the first block, where operands stand, or to the result's.
fn memory_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for t in ALL.into_iter().flat_map(vectors) {
        let n = t.lanes();
        let (mask, each) = (t.with_scalar(Type::I1), t.scalar_bytes());
        let name = |what: &str| format!("{what}_{t}");
        let (places, _) = common::place(&[t, mask, t]);
        let body = format!("  vp: ptr = ptradd v0, i64:{}\n  vr: {t} = maskedload align {each} vp, vb, vc", places[0]);
        cases.push(case(&name("maskedload"), &[t, mask, t], t, &body));
        let out = common::OUT;
        let store = |mask: &str| {
            format!(
                "  vp: ptr = ptradd v1, i64:{out}\n  store align {each} vp, va\n  maskedstore align {each} vp, {mask}, vc\n  vr: {t} = load align {each} vp"
            )
        };
        cases.push(case(&name("maskedstore"), &[t, mask, t], t, &store("vb")));
        cases.push(case(&name("maskedstore_all"), &[t, mask, t], t, &store(&format!("{mask}:true"))));
        cases.push(case(&name("maskedstore_none"), &[t, mask, t], t, &store(&format!("{mask}:false"))));
        for (wide, width) in [(Type::I32, 32), (Type::I64, 64)] {
            let offsets = wide.vector(n).unwrap();
            let reduced = format!(
                "  vk: {offsets} = and vd, {offsets}:{}\n  vo: {offsets} = mul vk, {offsets}:{each}\n",
                n.next_power_of_two() / 2 - u8::from(n > 1) + u8::from(n == 2)
            );
            let inputs = [t, mask, t, offsets];
            let (places, _) = common::place(&inputs);
            for (suffix, m) in [("", "vb".to_owned()), ("_all", format!("{mask}:true"))] {
                let body = format!(
                    "{reduced}  vp: ptr = ptradd v0, i64:{}\n  vr: {t} = gather align {each} vp, vo, {m}, vc",
                    places[0]
                );
                cases.push(case(&name(&format!("gather{width}{suffix}")), &inputs, t, &body));
                let body = format!(
                    "{reduced}  vp: ptr = ptradd v1, i64:{out}\n  store align {each} vp, va\n  scatter align {each} vp, vo, {m}, vc\n  vr: {t} = load align {each} vp"
                );
                cases.push(case(&name(&format!("scatter{width}{suffix}")), &inputs, t, &body));
            }
        }
    }
    cases
}

#[test]
fn memory_by_lanes() {
    check(&memory_cases(), 20);
}

#[test]
fn volatile_invariant_and_unaligned_accesses() {
    let mut cases = Vec::new();
    for t in ALL.into_iter().flat_map(shapes) {
        for flags in ["volatile", "invariant"] {
            let body = format!("  vp: ptr = ptradd v0, i64:0\n  vr: {t} = load {flags} align 1 vp");
            cases.push(case(&format!("load_{flags}_{t}"), &[t], t, &body));
        }
        let out = common::OUT;
        let body = format!(
            "  vp: ptr = ptradd v1, i64:{out}\n  store volatile align 1 vp, va\n  vr: {t} = load align {} vp",
            t.scalar_bytes()
        );
        cases.push(case(&format!("store_volatile_{t}"), &[t], t, &body));
    }
    check(&cases, 10);
}

#[test]
fn copies_and_fills() {
    let out = common::OUT;
    let t = Type::I8.vector(16).unwrap();
    let cases = vec![
        case(
            "copy",
            &[t, Type::I64],
            t,
            &format!(
                "  vn: i64 = and vb, i64:15\n  vp: ptr = ptradd v1, i64:{out}\n  store align 1 vp, va\n  vs: ptr = ptradd v0, i64:0\n  memcpy align 1 vp, vs, vn\n  vr: {t} = load align 1 vp"
            ),
        ),
        case(
            "fill",
            &[t, Type::I64, Type::I8],
            t,
            &format!(
                "  vn: i64 = and vb, i64:15\n  vp: ptr = ptradd v1, i64:{out}\n  store align 1 vp, va\n  memset align 1 vp, vc, vn\n  vr: {t} = load align 1 vp"
            ),
        ),
    ];
    check(&cases, 50);
}

#[test]
fn atomics() {
    let out = common::OUT;
    let mut cases = Vec::new();
    let types = [Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::BF16, Type::F32, Type::F64];
    for t in types {
        for op in AtomicOp::ALL {
            let float = matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
            if float != t.is_float() && op != AtomicOp::Xchg {
                continue;
            }
            for (result, space, order) in
                [("old", "", "relaxed device"), ("new", "", "seqcst system"), ("new", "own", "acqrel group")]
            {
                // Work-group memory is known by its type alone; the interpreter wants real work-group memory for it.
                if space == "own" {
                    continue;
                }
                let each = t.scalar_bytes();
                let last = if result == "old" {
                    "  vr: T = select i1:true, vo, vo".to_owned()
                } else {
                    format!("  vr: T = load align {each} vp")
                };
                let body = format!(
                    "  vp: ptr = ptradd v1, i64:{out}\n  store align {each} vp, va\n  vo: T = atomicrmw {} {order} vp, vb\n{last}",
                    op.name()
                );
                let mut c =
                    case(&format!("{}_{result}_{t}", op.name()), &[t, t], t, &body.replace('T', &t.to_string()));
                c.compare = if float { Compare::Zeros } else { Compare::Exact };
                cases.push(c);
            }
        }
        let each = t.scalar_bytes();
        for (result, expected) in [("old", "vb"), ("new", "va"), ("new", "vb")] {
            let last = if result == "old" {
                "  vr: T = select i1:true, vo, vo".to_owned()
            } else {
                format!("  vr: T = load align {each} vp")
            };
            let body = format!(
                "  vp: ptr = ptradd v1, i64:{out}\n  store align {each} vp, va\n  vo: T = atomiccas acqrel device vp, {expected}, vc\n  fence seqcst device\n  fence acqrel group\n{last}"
            );
            cases.push(case(&format!("cas_{}_{t}", cases.len()), &[t, t, t], t, &body.replace('T', &t.to_string())));
        }
    }
    check(&cases, 30);
}

#[test]
fn target_operations() {
    let mut cases = Vec::new();
    let mut add = |op: &str, inputs: &[Type], out: Type, compare| {
        let args: Vec<String> = (0..inputs.len()).map(|n| format!("v{}", (b'a' + n as u8) as char)).collect();
        let name = format!("{}_{out}_{}", op.replace('.', "_"), cases.len());
        let mut c = case(&name, inputs, out, &format!("  vr: {out} = intrinsic {op} {}", args.join(", ")));
        c.compare = compare;
        cases.push(c);
    };
    for t in [Type::I32, Type::I64].into_iter().flat_map(|t| [t, t.vector(4).unwrap()]) {
        for op in ["bfe.s", "bfe.u"] {
            add(op, &[t, t, t], t, Compare::Exact);
        }
        add("bfi", &[t, t, t, t], t, Compare::Exact);
    }
    add("bfe.s", &[Type::I64, Type::I32, Type::I32], Type::I64, Compare::Exact);
    for t in [Type::I32, Type::I32.vector(8).unwrap(), Type::I32.vector(3).unwrap()] {
        for op in ["prmt", "sad.s", "sad.u", "dp4a.s", "dp4a.u", "dp2a.s", "dp2a.u"] {
            add(op, &[t, t, t], t, Compare::Exact);
        }
        for op in ["mul24.s", "mul24.u"] {
            add(op, &[t, t], t, Compare::Exact);
        }
    }
    for t in [Type::F32, Type::F32.vector(8).unwrap(), Type::F32.vector(3).unwrap(), Type::F16, Type::F64] {
        for op in ["rcp.approx", "rcp.rn", "sqrt.approx"] {
            add(op, &[t], t, Compare::Exact);
        }
        add("rsqrt.approx", &[t], t, Compare::Near(2, 0.0));
        for op in ["div.approx", "div.full"] {
            add(op, &[t, t], t, Compare::Exact);
        }
        if t != Type::F64 {
            add("ex2.approx", &[t], t, Compare::Near(4, 0.0));
            add("lg2.approx", &[t], t, Compare::Near(4, 0.0));
            add("tanh.approx", &[t], t, Compare::Near(8, 0.0));
        }
    }
    check(&cases, 200);
}

#[test]
fn sine_and_cosine_within_reach() {
    let mut cases = Vec::new();
    for t in [Type::F32, Type::F32.vector(8).unwrap()] {
        for op in ["sin.approx", "cos.approx"] {
            // Arguments up to about 2⁴⁰, and the special ones.
            let body = format!(
                "  vm: {t} = fabs va\n  vc: {c} = fcmp ogt vm, {t}:0x53800000\n  vi: {c} = fcmp olt vm, {t}:0x7f800000\n  vb: {c} = and vc, vi\n  vx: {t} = select vb, {t}:0x41200000, va\n  vr: {t} = intrinsic {op} vx",
                c = t.with_scalar(Type::I1)
            );
            let mut c = case(&format!("{}_{t}", op.replace('.', "_")), &[t], t, &body);
            c.compare = Compare::Near(1, 1e-7);
            cases.push(c);
        }
    }
    check(&cases, 500);
}
