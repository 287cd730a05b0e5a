//! Numbers of 16 bits whose bits are conditions: LLVM 19 has no instruction for `bitcast <16 x i1> to half`, and ends the process.

mod common;

use common::{Case, case, check_on};
use ir::Type;
use llvm::{HostMachine, OptLevel, Options};

/// Every way from a comparison to 16 bits, which are asked as a number in another block: LLVM moves the question there, so that
/// the number itself leaves its block.
fn cases() -> Vec<Case> {
    let ways = [
        "  vi: i16 = zext vm\n",
        "  vi: i16 = select vm, i16:1, i16:0\n",
        "  vi: i16 = select vm, i16:0, i16:1\n",
        "  vs: i16 = sext vm\n  vi: i16 = lshr vs, i16:15\n",
        "  vs: i32 = zext vm\n  vi: i16 = trunc vs\n",
        "  vn: i1 = fcmp olt va, vb\n  vo: i1 = or vm, vn\n  vi: i16 = zext vo\n",
    ];
    let mut all = Vec::new();
    for kind in [Type::F32, Type::F64, Type::F16] {
        for comparison in ["une", "oeq", "ueq", "uno", "ogt"] {
            for way in ways {
                for number in [Type::F16, Type::BF16] {
                    for question in ["uno", "olt"] {
                        let body = format!(
                            "  vm: i1 = fcmp {comparison} va, vb
{way}  vh: {number} = bitcast vi
  vx: i1 = fcmp {question} vh, {number}:0x0000
  vg: f32 = fpext vh
  vk: i32 = bitcast vg
  br vc, block1, block2(vk)
block1:
  vy: i32 = select vx, i32:5, vd
  vz: i32 = udiv i32:1000, vy
  jump block2(vz)
block2(vr: i32):"
                        );
                        all.push(case(
                            &format!("half{}", all.len()),
                            &[kind, kind, Type::I1, Type::I32],
                            Type::I32,
                            &body,
                        ));
                    }
                }
            }
        }
    }
    all
}

/// The same in lanes, with all that takes the numbers.
fn cases_in_lanes(lanes: u8) -> Vec<Case> {
    let of = |t: Type| t.vector(lanes).unwrap();
    let (mask, int, single) = (of(Type::I1), of(Type::I16), of(Type::F32));
    let mut all = Vec::new();
    for kind in [Type::F32, Type::F64, Type::F16].map(of) {
        for way in
            ["zext vm".to_owned(), format!("select vm, {int}:1, {int}:0"), format!("select vm, {int}:0, {int}:-128")]
        {
            for number in [Type::F16, Type::BF16].map(of) {
                let start =
                    format!("  vm: {mask} = fcmp une va, vb\n  vi: {int} = {way}\n  vh: {number} = bitcast vi\n");
                for (to, body) in [
                    (single, format!("{start}  vr: {single} = fpext vh")),
                    (number, format!("{start}  vr: {number} = fadd vh, vh")),
                    (mask, format!("{start}  vr: {mask} = fcmp uno vh, vh")),
                ] {
                    all.push(case(&format!("half{lanes}_{}", all.len()), &[kind, kind], to, &body));
                }
            }
        }
    }
    all
}

fn check(all: &[Case], level: OptLevel) {
    let here = HostMachine::detect().unwrap();
    check_on(&here, all, level, 4, Options::default());
    // Machines that are not there: that code is made at all.
    let text: String = all.iter().map(|c| c.body.as_str()).collect();
    let module = common::parse(&text);
    let names: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
    for cpu in ["x86-64-v3", "x86-64-v4", "znver4", "sapphirerapids"] {
        let machine = HostMachine::named(cpu).unwrap();
        let options = Options { entries: &names, opt: level, ..Options::default() };
        llvm::compile(&module, &machine, &options).unwrap().object().unwrap();
    }
}

/// Random source program 8101613.
#[test]
fn a_comparison_becomes_a_half() {
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        check(&cases(), level);
    }
}

#[test]
fn comparisons_in_lanes_become_halves() {
    let all: Vec<Case> = [2, 3, 4, 8, 16, 32].into_iter().flat_map(cases_in_lanes).collect();
    check(&all, OptLevel::O2);
}
