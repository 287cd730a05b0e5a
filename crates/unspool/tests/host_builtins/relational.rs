//! Relational functions: 1 for scalars, all bits for vectors; selections bit by bit and lane by lane.

use crate::Program;
use unspool::OptLevel;

const VALUES: [f32; 9] = [0.0, -0.0, 1.5, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-40, f32::MAX];

type Comparison = (&'static str, fn(f32, f32) -> bool);

const COMPARISONS: [Comparison; 9] = [
    ("isequal", |a, b| a == b),
    ("isnotequal", |a, b| a != b),
    ("isgreater", |a, b| a > b),
    ("isgreaterequal", |a, b| a >= b),
    ("isless", |a, b| a < b),
    ("islessequal", |a, b| a <= b),
    ("islessgreater", |a, b| a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_ne)),
    ("isordered", |a, b| !a.is_nan() && !b.is_nan()),
    ("isunordered", |a, b| a.is_nan() || b.is_nan()),
];

type Class = (&'static str, fn(f32) -> bool);

const CLASSES: [Class; 5] = [
    ("isfinite", f32::is_finite),
    ("isinf", f32::is_infinite),
    ("isnan", f32::is_nan),
    ("isnormal", f32::is_normal),
    ("signbit", f32::is_sign_negative),
];

fn ints(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks(4).map(|b| i32::from_le_bytes(b.try_into().expect("4 bytes"))).collect()
}

#[test]
fn comparisons_and_classes() {
    let mut text = String::new();
    for (f, _) in COMPARISONS {
        text += &format!(
            "kernel void {f}_(global float *a, global float *b, global int *r) {{ int i = get_global_id(0);
                r[3 * i] = {f}(a[i], b[i]); vstore2({f}((float2)(a[i], 1.0f), (float2)(b[i])), 0, r + 3 * i + 1); }}\n"
        );
    }
    for (f, _) in CLASSES {
        text += &format!(
            "kernel void {f}_(global float *a, global int *r) {{ int i = get_global_id(0);
                r[3 * i] = {f}(a[i]); vstore2({f}((float2)(a[i], -1.0f)), 0, r + 3 * i + 1); }}\n"
        );
    }
    let program = Program::new(&text, OptLevel::O3);
    let pairs: Vec<(f32, f32)> = VALUES.iter().flat_map(|&a| VALUES.iter().map(move |&b| (a, b))).collect();
    let first: Vec<u8> = pairs.iter().flat_map(|(a, _)| a.to_le_bytes()).collect();
    let second: Vec<u8> = pairs.iter().flat_map(|(_, b)| b.to_le_bytes()).collect();
    for (f, reference) in COMPARISONS {
        let got = program.run(&format!("{f}_"), pairs.len() as u32, &[first.clone(), second.clone()], pairs.len() * 12);
        for (&(a, b), r) in pairs.iter().zip(ints(&got).chunks(3)) {
            let expected = [i32::from(reference(a, b)), -i32::from(reference(a, b)), -i32::from(reference(1.0, b))];
            assert_eq!(r, expected, "{f}({a}, {b})");
        }
    }
    for (f, reference) in CLASSES {
        let data: Vec<u8> = VALUES.iter().flat_map(|a| a.to_le_bytes()).collect();
        let got = program.run(&format!("{f}_"), VALUES.len() as u32, &[data], VALUES.len() * 12);
        for (&a, r) in VALUES.iter().zip(ints(&got).chunks(3)) {
            let expected = [i32::from(reference(a)), -i32::from(reference(a)), -i32::from(reference(-1.0))];
            assert_eq!(r, expected, "{f}({a})");
        }
    }
}

#[test]
fn any_all_select_and_bitselect() {
    let text = "kernel void k(global int *x, global int *r) {
        int a = x[0], b = x[1], c = x[2];
        r[0] = any(a); r[1] = all(a); r[2] = any((int4)(1, 2, 3, b)); r[3] = all((int4)(-1, -2, a, -4));
        r[4] = select(a, b, 1); r[5] = select(a, b, 0); r[6] = select(a, b, (int)0x80000000);
        int3 s = select((int3)(1, 2, 3), (int3)(4, 5, 6), (int3)(a, b, c)); vstore3(s, 0, r + 7);
        r[10] = bitselect(0x0f0f0f0f, 0x33333333, 0x00ff00ff);
        r[11] = as_int(bitselect(as_float(a), as_float(b), as_float(c)));
        r[12] = as_int(select(1.0f, 2.0f, c));
    }";
    let program = Program::new(text, OptLevel::O3);
    let (a, b, c) = (-5, 7, 3);
    let data: Vec<u8> = [a, b, c].iter().flat_map(|v: &i32| v.to_le_bytes()).collect();
    let got = ints(&program.run("k", 1, &[data], 52));
    // A scalar selects by truth, a vector by the top bit of each lane.
    let expected = [1, 1, 0, 1, b, a, b, 4, 2, 3, 0x0f33_0f33, (a & !c) | (b & c), 2.0f32.to_bits() as i32];
    assert_eq!(got, expected);
}
