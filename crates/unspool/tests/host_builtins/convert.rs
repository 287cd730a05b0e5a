//! `convert_T[_sat][_rtX]` between all scalar types, against exact arithmetic.

use crate::{INTEGERS, Program, bytes_of, number, range, samples, wrap};
use unspool::OptLevel;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Ty {
    Int(u32, bool),
    Float,
    Double,
}

/// A value as it is, exactly: every integer of 64 bits, or a double.
#[derive(Clone, Copy, Debug)]
enum Exact {
    Int(i128),
    Real(f64),
}

const MODES: [&str; 5] = ["", "_rte", "_rtz", "_rtp", "_rtn"];

fn types() -> Vec<(&'static str, Ty)> {
    let ints = INTEGERS.iter().map(|&(name, bits, signed)| (name, Ty::Int(bits, signed)));
    ints.chain([("float", Ty::Float), ("double", Ty::Double)]).collect()
}

fn size(ty: Ty) -> usize {
    match ty {
        Ty::Int(bits, _) => bits as usize / 8,
        Ty::Float => 4,
        Ty::Double => 8,
    }
}

fn values(ty: Ty) -> Vec<(Exact, Vec<u8>)> {
    let reals = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.5,
        -1.5,
        2.5,
        -2.5,
        0.49999997,
        126.5,
        127.5,
        -128.5,
        254.5,
        255.5,
        32767.5,
        65535.25,
        1e9,
        -1e9,
        2147483520.0,
        2147483648.0,
        -2147483648.0,
        4294967040.0,
        4294967296.0,
        9.223372e18,
        -9.223372e18,
        1.8446743e19,
        2e19,
        -2e19,
        3e38,
        1e-40,
    ];
    match ty {
        Ty::Int(bits, signed) => {
            samples(bits, signed).into_iter().map(|v| (Exact::Int(v), bytes_of(v, bits))).collect()
        }
        Ty::Float => {
            reals.iter().map(|&x| (Exact::Real(f64::from(x as f32)), (x as f32).to_le_bytes().to_vec())).collect()
        }
        Ty::Double => {
            let more =
                [0.1, 1.0 / 3.0, 16777217.0, 1e300, -1e300, 1e-300, 2147483647.5, -2147483648.5, 9007199254740993.0];
            reals.iter().chain(&more).map(|&x| (Exact::Real(x), x.to_le_bytes().to_vec())).collect()
        }
    }
}

fn round_real(x: f64, mode: &str, default: &str) -> f64 {
    match if mode.is_empty() { default } else { mode } {
        "_rtz" => x.trunc(),
        "_rtp" => x.ceil(),
        "_rtn" => x.floor(),
        _ => x.round_ties_even(),
    }
}

/// What an integer conversion gives; `None` where it may give anything.
fn to_int(v: Exact, bits: u32, signed: bool, saturate: bool, mode: &str) -> Option<i128> {
    let (low, high) = range(bits, signed);
    let whole = match v {
        Exact::Int(i) => return Some(if saturate { i.clamp(low, high) } else { wrap(i, bits, signed) }),
        Exact::Real(x) => round_real(x, mode, "_rtz"),
    };
    // Beyond 2^65 the number itself does not matter.
    let i = whole.clamp(-4e19, 4e19) as i128;
    if saturate || (low..=high).contains(&i) { Some(i.clamp(low, high)) } else { None }
}

/// The neighbours of an exact value among the floats of a type, below and above, and the nearest.
fn to_float(v: Exact, double: bool, mode: &str) -> f64 {
    let near = match (v, double) {
        (Exact::Int(i), true) => i as f64,
        (Exact::Int(i), false) => f64::from(i as f32),
        (Exact::Real(x), true) => x,
        (Exact::Real(x), false) => f64::from(x as f32),
    };
    let order = |f: f64| match v {
        Exact::Int(i) => (f as i128).cmp(&i),
        Exact::Real(x) => f.partial_cmp(&x).expect("numbers"),
    };
    let step = |up: bool| match (double, up) {
        (true, true) => near.next_up(),
        (true, false) => near.next_down(),
        (false, true) => f64::from((near as f32).next_up()),
        (false, false) => f64::from((near as f32).next_down()),
    };
    let negative = match v {
        Exact::Int(i) => i < 0,
        Exact::Real(x) => x < 0.0,
    };
    let wanted_up = match mode {
        "_rtp" => true,
        "_rtn" => false,
        "_rtz" => negative,
        _ => return near,
    };
    match order(near) {
        std::cmp::Ordering::Less if wanted_up => step(true),
        std::cmp::Ordering::Greater if !wanted_up => step(false),
        _ => near,
    }
}

fn check(from: (&str, Ty), to: (&str, Ty), saturate: bool, mode: &str, program: &Program) {
    let kernel = kernel_name(from.0, to.0, saturate, mode);
    let inputs = values(from.1);
    let data: Vec<u8> = inputs.iter().flat_map(|(_, b)| b.clone()).collect();
    let width = size(to.1);
    let got = program.run(&kernel, inputs.len() as u32, &[data], inputs.len() * width);
    for ((v, _), bytes) in inputs.iter().zip(got.chunks(width)) {
        match to.1 {
            Ty::Int(bits, signed) => {
                if let Some(expected) = to_int(*v, bits, signed, saturate, mode) {
                    assert_eq!(number(bytes, signed), expected, "{kernel} of {v:?}");
                }
            }
            Ty::Float => {
                let x = f64::from(f32::from_le_bytes(bytes.try_into().expect("4 bytes")));
                let expected = to_float(*v, false, mode);
                assert_eq!(x.to_bits(), expected.to_bits(), "{kernel} of {v:?}: {x} {expected}");
            }
            Ty::Double => {
                let x = f64::from_le_bytes(bytes.try_into().expect("8 bytes"));
                let expected = to_float(*v, true, mode);
                assert_eq!(x.to_bits(), expected.to_bits(), "{kernel} of {v:?}: {x} {expected}");
            }
        }
    }
}

fn kernel_name(from: &str, to: &str, saturate: bool, mode: &str) -> String {
    format!("{from}_to_{to}{}{mode}", if saturate { "_sat" } else { "" })
}

#[test]
fn conversions_between_all_types_in_all_modes() {
    for to in types() {
        let mut text = String::new();
        let mut cases = Vec::new();
        for from in types() {
            for saturate in [false, true] {
                // Saturating conversions have integer results.
                if saturate && !matches!(to.1, Ty::Int(..)) {
                    continue;
                }
                for mode in MODES {
                    let name = kernel_name(from.0, to.0, saturate, mode);
                    let sat = if saturate { "_sat" } else { "" };
                    let (source, target) = (from.0, to.0);
                    text += &format!(
                        "kernel void {name}(global const {source} *a, global {target} *r) \
                         {{ size_t i = get_global_id(0); r[i] = convert_{target}{sat}{mode}(a[i]); }}\n"
                    );
                    cases.push((from, saturate, mode));
                }
            }
        }
        let program = Program::new(&text, OptLevel::O3);
        for (from, saturate, mode) in cases {
            check(from, to, saturate, mode, &program);
        }
    }
}
