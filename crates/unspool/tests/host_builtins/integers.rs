//! Integer functions: all types, against arithmetic in 128 bits.

use crate::{INTEGERS, Program, bytes_of, number, range, samples, wrap};
use unspool::OptLevel;

type Reference = fn(&[i128], u32, bool) -> i128;

fn clamp_to(v: i128, bits: u32, signed: bool) -> i128 {
    let (low, high) = range(bits, signed);
    v.clamp(low, high)
}

fn rotate(a: i128, by: i128, bits: u32) -> i128 {
    let (a, k) = (wrap(a, bits, false), wrap(by, bits, false) as u32 % bits);
    if k == 0 { a } else { (a << k) | (a >> (bits - k)) }
}

/// Function, number of arguments, reference; the reference's result is reduced to the result's type.
const FUNCTIONS: &[(&str, usize, Reference)] = &[
    ("abs", 1, |a, _, _| a[0].abs()),
    ("abs_diff", 2, |a, _, _| (a[0] - a[1]).abs()),
    ("add_sat", 2, |a, n, s| clamp_to(a[0] + a[1], n, s)),
    ("sub_sat", 2, |a, n, s| clamp_to(a[0] - a[1], n, s)),
    ("hadd", 2, |a, _, _| (a[0] + a[1]) >> 1),
    ("rhadd", 2, |a, _, _| (a[0] + a[1] + 1) >> 1),
    ("clz", 1, |a, n, _| i128::from(wrap(a[0], n, false).leading_zeros()) - 128 + i128::from(n)),
    ("popcount", 1, |a, n, _| i128::from(wrap(a[0], n, false).count_ones())),
    ("mul_hi", 2, |a, n, s| product_high(a[0], a[1], n, s)),
    ("mad_hi", 3, |a, n, s| product_high(a[0], a[1], n, s) + a[2]),
    ("mad_sat", 3, |a, n, s| match a[0].checked_mul(a[1]) {
        Some(p) => clamp_to(p.saturating_add(a[2]), n, s),
        None => range(n, s).1,
    }),
    ("max", 2, |a, _, _| a[0].max(a[1])),
    ("min", 2, |a, _, _| a[0].min(a[1])),
    ("rotate", 2, |a, n, _| rotate(a[0], a[1], n)),
];

/// The upper half of a product; only the product of two `ulong` does not fit 127 bits.
fn product_high(a: i128, b: i128, bits: u32, signed: bool) -> i128 {
    if signed { (a * b) >> bits } else { ((a as u128 * b as u128) >> bits) as i128 }
}

/// Results of `abs` and `abs_diff` are unsigned.
fn result_type(function: &str, ty: &str) -> String {
    if function.starts_with("abs") && !ty.starts_with('u') { format!("u{ty}") } else { ty.to_owned() }
}

#[test]
fn integer_functions_are_exact_for_every_type() {
    for (ty, bits, signed) in INTEGERS {
        let mut text = String::new();
        for (name, count, _) in FUNCTIONS {
            let params: String = (0..*count).map(|n| format!("global const {ty} *p{n}, ")).collect();
            let args: Vec<String> = (0..*count).map(|n| format!("p{n}[i]")).collect();
            let result = result_type(name, ty);
            text += &format!(
                "kernel void k_{name}({params}global {result} *r) {{ size_t i = get_global_id(0); r[i] = {name}({}); }}\n",
                args.join(", ")
            );
        }
        let program = Program::new(&text, OptLevel::O3);
        let values = samples(bits, signed);
        for (name, count, reference) in FUNCTIONS {
            let mut cases: Vec<Vec<i128>> = values.iter().map(|&a| vec![a]).collect();
            for n in 1..*count {
                // All pairs; of triples, every pair with a value that changes from pair to pair.
                let few: Vec<Vec<i128>> = cases
                    .iter()
                    .enumerate()
                    .flat_map(|(k, c)| {
                        let third = [values[k % values.len()]];
                        let chosen = if n == 1 { values.clone() } else { third.to_vec() };
                        chosen.into_iter().map(move |v| [c.as_slice(), &[v]].concat())
                    })
                    .collect();
                cases = few;
            }
            let inputs: Vec<Vec<u8>> =
                (0..*count).map(|n| cases.iter().flat_map(|c| bytes_of(c[n], bits)).collect()).collect();
            let size = bits as usize / 8;
            let got = program.run(&format!("k_{name}"), cases.len() as u32, &inputs, cases.len() * size);
            for (case, bytes) in cases.iter().zip(got.chunks(size)) {
                let expected = wrap(reference(case, bits, signed), bits, false);
                assert_eq!(number(bytes, false), expected, "{name} of {ty} {case:?}");
            }
        }
    }
}

#[test]
fn clamp_and_upsample_and_products_of_24_bits() {
    let text = "kernel void clamp_(global const int *a, global int *r) { size_t i = get_global_id(0); r[i] = clamp(a[i], -5, 9); }
        kernel void up(global const short *a, global int *r) { size_t i = get_global_id(0); r[i] = upsample(a[i], (ushort)0xfedc); }
        kernel void upu(global const uint *a, global ulong *r) { size_t i = get_global_id(0); r[i] = upsample(a[i], 0x89abcdefu); }
        kernel void m(global const int *a, global int *r) { size_t i = get_global_id(0); r[i] = mul24(a[i], -3); }
        kernel void md(global const int *a, global int *r) { size_t i = get_global_id(0); r[i] = mad24(a[i], 5, 7); }";
    let program = Program::new(text, OptLevel::O3);
    let small: Vec<i128> = samples(24, true);
    let ints = |f: &str, values: &[i128], from: u32, to: u32| -> Vec<i128> {
        let data: Vec<u8> = values.iter().flat_map(|&v| bytes_of(v, from)).collect();
        let size = to as usize / 8;
        let got = program.run(f, values.len() as u32, &[data], values.len() * size);
        got.chunks(size).map(|b| number(b, true)).collect()
    };
    let all = samples(32, true);
    assert_eq!(ints("clamp_", &all, 32, 32), all.iter().map(|v| *v.clamp(&-5, &9)).collect::<Vec<_>>());
    let shorts = samples(16, true);
    let up: Vec<i128> = shorts.iter().map(|v| wrap((v << 16) | 0xfedc, 32, true)).collect();
    assert_eq!(ints("up", &shorts, 16, 32), up);
    let upu: Vec<i128> = all.iter().map(|v| wrap((v << 32) | 0x89ab_cdef, 64, true)).collect();
    assert_eq!(ints("upu", &all, 32, 64), upu);
    assert_eq!(ints("m", &small, 32, 32), small.iter().map(|v| wrap(v * -3, 32, true)).collect::<Vec<_>>());
    assert_eq!(ints("md", &small, 32, 32), small.iter().map(|v| wrap(v * 5 + 7, 32, true)).collect::<Vec<_>>());
}
