//! Choices under a mask between logic and one of its operands: with AVX-512 one instruction, which LLVM puts together
//! wrongly where an operand comes from memory (llvm-project issue 157929).

mod common;

use common::{Case, case, check, check_on};
use ir::Type;
use llvm::{HostMachine, OptLevel, Options};

/// `mask ? (x op1 y) op2 z : p` for every order of the operands, of which one or two may be constant.
fn cases(scalar: Type, lanes: u8) -> Vec<Case> {
    let t = scalar.vector(lanes).unwrap();
    let mask = Type::I1.vector(lanes).unwrap();
    let high = if scalar == Type::I64 { -0x8000_0000_0000i64 } else { -32768 };
    let (high, low) = (format!("{t}:{high}"), format!("{t}:{}", !high));
    let trees = [
        format!("  vx: {t} = and va, {high}\n  vy: {t} = and vb, {low}\n  vz: {t} = or vx, vy\n"),
        format!("  vx: {t} = and va, {high}\n  vy: {t} = and vb, {low}\n  vz: {t} = add vx, vy\n"),
        format!("  vx: {t} = and va, vb\n  vz: {t} = xor vx, vd\n"),
        format!("  vx: {t} = xor va, vd\n  vy: {t} = and vx, {high}\n  vz: {t} = xor vy, vb\n"),
        format!("  vx: {t} = or va, {low}\n  vz: {t} = and vx, vb\n"),
        format!("  vx: {t} = and vd, {high}\n  vy: {t} = select vc, vx, {t}:0\n  vz: {t} = or va, vy\n"),
    ];
    let mut all = Vec::new();
    for (n, tree) in trees.iter().enumerate() {
        for p in ["va", "vb", "vd"] {
            for order in [format!("vz, {p}"), format!("{p}, vz")] {
                let body = format!("{tree}  vr: {t} = select vc, {order}");
                all.push(case(&format!("logic{}_{n}_{t}", all.len()), &[t, t, mask, t], t, &body));
            }
        }
    }
    all
}

fn every_type() -> Vec<Case> {
    let lanes = [(Type::I32, [2, 3, 4, 8, 16, 32]), (Type::I64, [2, 3, 4, 8, 16, 32])];
    lanes.iter().flat_map(|(t, lanes)| lanes.iter().flat_map(|&n| cases(*t, n))).collect()
}

#[test]
fn merges_of_logic_under_a_mask_keep_the_order_of_operands() {
    check(&every_type(), 12);
}

#[test]
fn copied_signs_under_a_mask() {
    let mut all = Vec::new();
    for t in [Type::F32.vector(16).unwrap(), Type::F64.vector(4).unwrap(), Type::F32.vector(3).unwrap()] {
        for p in ["va", "vb"] {
            let body = format!("  vx: {t} = fcopysign va, vb\n  vr: {t} = select vc, vx, {p}");
            all.push(case(&format!("sign{}_{t}", all.len()), &[t, t, t.with_scalar(Type::I1)], t, &body));
        }
    }
    check(&all, 50);
}

/// Machines without the instruction get the choice as it stands, machines with it never the instruction in question.
#[test]
fn the_instruction_that_llvm_gets_wrong_is_not_made() {
    let cases = every_type();
    let text: String = cases.iter().map(|c| c.body.as_str()).collect();
    let module = common::parse(&text);
    let names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    for (cpu, apart) in [("x86-64-v3", false), ("x86-64-v4", true), ("znver4", true)] {
        let machine = HostMachine::named(cpu).unwrap();
        let options = Options { entries: &names, opt: OptLevel::O3, ..Options::default() };
        let compiled = llvm::compile(&module, &machine, &options).unwrap();
        assert_eq!(compiled.llvm_ir().contains("asm \"\""), apart, "{cpu}");
        let assembly = compiled.assembly().unwrap();
        let merges = |l: &&str| l.contains("vpternlog") && l.contains('(') && l.contains("{%k") && !l.contains("{z}");
        assert_eq!(assembly.lines().find(merges), None, "{cpu}");
        assert_eq!(assembly.contains("vpternlog"), apart, "{cpu}: still one instruction where nothing is chosen");
    }
}

#[test]
fn machines_without_masks_compute_the_same() {
    check_on(&HostMachine::named("x86-64-v2").unwrap(), &cases(Type::I32, 8), OptLevel::O3, 10, Options::default());
}

/// LLVM took what is undefined in lanes that are off for poison, and forgot that they are off (random source program
/// 101995): the gather read for them, too.
#[test]
fn lanes_that_are_off_stay_off_after_a_comparison_of_undefined_lanes() {
    let t = Type::I16.vector(8).unwrap();
    let (mask, wide) = (t.with_scalar(Type::I1), Type::I64.vector(8).unwrap());
    let inputs = [t, t, wide];
    let (places, _) = common::place(&inputs);
    let body = format!(
        "  vi: {t} = iota
  vm: {mask} = icmp ult vi, {t}:5
  vx: {t} = select vm, va, undef:{t}
  vy: {t} = select vm, vb, undef:{t}
  ve: {mask} = icmp eq vx, vy
  vn: {mask} = and vm, ve
  vo: {wide} = iota
  vp: {wide} = mul vo, {wide}:8
  vs: ptr = ptradd v0, i64:{}
  vg: {wide} = gather align 8 vs, vp, vn, {wide}:77
  vr: {wide} = xor vg, vc",
        places[2]
    );
    let one = case("off", &inputs, wide, &body);
    let machine = HostMachine::detect().unwrap();
    for level in [OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        check_on(&machine, std::slice::from_ref(&one), level, 50, Options::default());
    }
}

/// LLVM 19 never came to an end with this.
#[test]
fn logic_of_masks_that_are_all_on_or_all_off_ends() {
    let m = Type::I1.vector(16).unwrap();
    let text = format!(
        "module \"t\"\nfn @t(ptr, ptr) {{
block0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: ptr = ptradd v0, i64:4
  v4: i32 = load align 4 v3
  v5: i1 = icmp eq v2, i32:0
  v6: i1 = icmp eq v4, i32:0
  v7: {m} = select v6, {m}:true, {m}:false
  v8: {m} = select v5, {m}:true, {m}:false
  v9: {m} = or v7, v8
  jump block1
block1:
  br v6, block3(v7), block2
block2:
  scatter align 4 v1, i64x16:0, v8, i32x16:1
  jump block3(v9)
block3(v10: {m}):
  scatter align 8 v1, i64x16:8, v10, i64x16:1
  v11: i32 = load align 4 v0
  v12: i1 = icmp eq v11, i32:9
  br v12, block4, block1
block4:
  return
}}
"
    );
    let module = common::parse(&text.replace("module \"t\"\n", ""));
    for cpu in ["x86-64-v3", "x86-64-v4", "znver4"] {
        let machine = HostMachine::named(cpu).unwrap();
        let options = Options { entries: &["t"], opt: OptLevel::O3, ..Options::default() };
        llvm::compile(&module, &machine, &options).unwrap().object().unwrap();
    }
}
