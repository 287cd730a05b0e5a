//! Runs functions `fn @name(ptr, ptr)` of text IR on the interpreter and as machine code, and compares what they write.

#![allow(dead_code)] // Each test file uses a part of it.

use interp::{Arg, Limits, Machine, Uninit};
use ir::{Module, ScalarKind, Type};
use llvm::{HostMachine, OptLevel, Options};

/// Where results go in the second block: behind the context of a group.
pub(crate) const OUT: usize = 128;

/// One function, which reads operands from its first block and writes a result into its second.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) body: String,
    /// Types of the operands, each at the next multiple of its lanes' total size.
    pub(crate) inputs: Vec<Type>,
    /// Type of the result, at [`OUT`].
    pub(crate) output: Type,
    /// How float results are compared.
    pub(crate) compare: Compare,
    /// No input has a defined result: only that nothing bad happens is of interest.
    pub(crate) undefined: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Compare {
    /// Bits, but any NaN is any other.
    Exact,
    /// As above, and zeros are equal.
    Zeros,
    /// At most so many units in the last place of the element, or this absolute difference.
    Near(u64, f64),
}

/// A pseudo-random sequence (xorshift).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next() >> 11) as usize % from.len()]
    }
}

/// Bits of a lane: edge values mostly.
pub(crate) fn lane(rng: &mut Rng, ty: Type) -> u64 {
    let bits = ty.bits();
    let random = rng.next();
    let float = |specials: &[f64], to: fn(f64) -> u64, rng: &mut Rng| match rng.next() % 4 {
        0 => random,
        1 => to((random % 64) as f64 / 4.0 - 8.0),
        2 => to((random as i64 as f64) / 2f64.powi((rng.next() % 80) as i32)),
        _ => to(rng.pick(specials)),
    };
    let specials = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        -2.5,
        3.0,
        1e-40,
        -1e-40,
        6e-8,
        1e-7,
        65504.0,
        65519.0,
        65520.0,
        70000.0,
        127.5,
        255.5,
        2147483647.0,
        2147483648.0,
        -2147483649.0,
        4294967295.0,
        9.3e18,
        1.9e19,
        1e38,
        -1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1.1754943508222875e-38,
        2.2250738585072014e-308,
        5e-324,
        3.4028234e38,
        6.1e-5,
    ];
    let value = match ty.kind() {
        ScalarKind::F16 => float(&specials, |x| half::f16::from_f64(x).to_bits().into(), rng),
        ScalarKind::BF16 => float(&specials, |x| half::bf16::from_f64(x).to_bits().into(), rng),
        ScalarKind::F32 => float(&specials, |x| (x as f32).to_bits().into(), rng),
        ScalarKind::F64 => float(&specials, f64::to_bits, rng),
        _ => match rng.next() % 3 {
            0 => random,
            1 => (random % 70).wrapping_sub(3),
            _ => rng.pick(&[
                0,
                1,
                2,
                u64::MAX,
                1 << (bits - 1),
                (1u64 << (bits - 1)).wrapping_sub(1),
                u64::from(bits),
                7,
                31,
                33,
            ]),
        },
    };
    value & ty.mask()
}

/// The offset of each operand, and the bytes of all.
pub(crate) fn place(inputs: &[Type]) -> (Vec<usize>, usize) {
    let mut at = 0usize;
    let places = inputs
        .iter()
        .map(|t| {
            let size = (t.bytes() as usize).next_power_of_two();
            at = at.next_multiple_of(size);
            let here = at;
            at += size;
            here
        })
        .collect();
    (places, at.max(16))
}

/// A case that applies instructions to operands: `body` uses `a`, `b`, `c`… for them as `v2`, `v3`… and must define
/// `result`, all given as text.
pub(crate) fn case(name: &str, inputs: &[Type], output: Type, body: &str) -> Case {
    let (places, _) = place(inputs);
    let mut text = format!("fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):\n");
    for (n, (t, at)) in inputs.iter().zip(places).enumerate() {
        let letter = (b'a' + n as u8) as char;
        text +=
            &format!("  vp{n}: ptr = ptradd v0, i64:{at}\n  v{letter}: {t} = load align {} vp{n}\n", t.scalar_bytes());
    }
    text += body;
    text +=
        &format!("\n  vq: ptr = ptradd v1, i64:{OUT}\n  store align {} vq, vr\n  return\n}}\n", output.scalar_bytes());
    Case {
        name: name.to_owned(),
        body: rename(&text),
        inputs: inputs.to_vec(),
        output,
        compare: Compare::Exact,
        undefined: false,
    }
}

/// Turns names of values into numbers, which is all that text IR knows.
fn rename(text: &str) -> String {
    let mut names: Vec<String> = vec!["v0".to_owned(), "v1".to_owned()];
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('v') {
        let before = rest[..at].chars().next_back();
        let word: String = rest[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        out += &rest[..at];
        let is_name = !before.is_some_and(|c| c.is_alphanumeric() || "@._".contains(c))
            && (word.len() <= 3 || word[1..].chars().all(|c| c.is_ascii_digit()))
            && word != "vec";
        if is_name {
            let n = names.iter().position(|w| *w == word).unwrap_or_else(|| {
                names.push(word.clone());
                names.len() - 1
            });
            out += &format!("v{n}");
        } else {
            out += &word;
        }
        rest = &rest[at + word.len()..];
    }
    out + rest
}

pub(crate) fn parse(text: &str) -> Module {
    let module = ir::parse::parse_module(text).unwrap();
    if let Err(e) = ir::verify::verify_module(&module) {
        panic!("{e:?}");
    }
    module
}

/// Compiles all cases at once and compares them on `rounds` inputs each.
pub(crate) fn check_on(machine: &HostMachine, cases: &[Case], opt: OptLevel, rounds: u32, options: Options<'_>) {
    let text: String = std::iter::once("module \"t\"\nmath prec_div prec_sqrt fmad\n".to_owned())
        .chain(cases.iter().map(|c| c.body.clone()))
        .collect();
    let module = parse(&text);
    let names: Vec<&str> = cases.iter().map(|c| c.name.as_str()).collect();
    let compiled = llvm::compile(&module, machine, &Options { entries: &names, opt, ..options }).unwrap();
    let jit = compiled.jit(&[]).unwrap();
    let mut oracle = Machine::new(&module);
    let limits = Limits { uninit: Uninit::Ignore, races: false, ..Limits::default() };
    let input = oracle.alloc_bytes(&[0; 4096]).unwrap();
    let output = oracle.alloc_bytes(&[0; 1024]).unwrap();
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    for c in cases {
        let (places, size) = place(&c.inputs);
        let f = module.find(&c.name).unwrap();
        let entry = jit.entry(&c.name).unwrap();
        let mut compared = 0;
        for _ in 0..rounds {
            let mut bytes = Aligned([0; 4096]);
            for (t, at) in c.inputs.iter().zip(&places) {
                let each = t.scalar_bytes() as usize;
                for l in 0..usize::from(t.lanes()) {
                    let v = lane(&mut rng, t.scalar()).to_le_bytes();
                    bytes.0[at + l * each..at + (l + 1) * each].copy_from_slice(&v[..each]);
                }
            }
            oracle.write(input, &bytes.0[..size]);
            oracle.write(output, &[0; 1024]);
            oracle
                .call(f, &[Arg::Pointer(input), Arg::Pointer(output)], &limits)
                .unwrap_or_else(|e| panic!("{}: {e:?}\n{}", c.name, c.body));
            let expected = oracle.read(output, 1024).unwrap().to_vec();
            let shadow = oracle.read_shadow(output, 1024).unwrap().to_vec();
            let mut found = Aligned([0; 4096]);
            // SAFETY: the function reads and writes within the two blocks.
            unsafe { entry(bytes.0.as_ptr(), found.0.as_mut_ptr()) };
            compared += compare(c, &bytes.0[..size], &expected, &shadow, &found.0[..1024]);
        }
        assert!(compared > 0 || c.undefined, "{}: no lane has a defined result", c.name);
    }
}

#[repr(align(128))]
struct Aligned([u8; 4096]);

fn number(ty: Type, bits: u64) -> f64 {
    match ty.kind() {
        ScalarKind::F16 => half::f16::from_bits(bits as u16).to_f64(),
        ScalarKind::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        ScalarKind::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

fn compare(c: &Case, input: &[u8], expected: &[u8], shadow: &[u8], found: &[u8]) -> u32 {
    let mut compared = 0;
    let each = c.output.scalar_bytes() as usize;
    let end = OUT + each * usize::from(c.output.lanes());
    for at in (OUT..end).step_by(each) {
        if shadow[at..at + each].iter().any(|&s| s != 0) {
            continue;
        }
        compared += 1;
        let get = |b: &[u8]| b[at..at + each].iter().rev().fold(0u64, |v, &b| v << 8 | u64::from(b));
        let (want, have) = (get(expected), get(found));
        let equal = want == have
            || c.output.is_float()
                && {
                    let (x, y) = (number(c.output, want), number(c.output, have));
                    x.is_nan() && y.is_nan()
                        || c.compare != Compare::Exact && x == y
                        || matches!(c.compare, Compare::Near(ulps, absolute)
                        if ordered(c.output, want).abs_diff(ordered(c.output, have)) <= ulps || (x - y).abs() <= absolute)
                };
        assert!(
            equal,
            "{} lane {}: interpreter {want:#x}, machine {have:#x} ({} and {})\ninput {input:02x?}\n{}",
            c.name,
            (at - OUT) / each,
            number(c.output, want),
            number(c.output, have),
            c.body
        );
    }
    // What lies behind the result stays as it was.
    assert!(found[end..end + 64].iter().all(|&b| b == 0), "{} writes beyond its result", c.name);
    assert!(found[..OUT].iter().all(|&b| b == 0), "{} writes before its result", c.name);
    compared
}

/// Numbers in the order of floats.
fn ordered(ty: Type, bits: u64) -> i64 {
    let shift = 64 - ty.bits();
    let v = ((bits << shift) as i64) >> shift;
    if v < 0 { (-1i64 << (ty.bits() - 1)).wrapping_sub(v) } else { v }
}

pub(crate) fn check(cases: &[Case], rounds: u32) {
    check_on(&HostMachine::detect().unwrap(), cases, OptLevel::O2, rounds, Options::default());
}

/// As [`shapes`], the odd and the usual ones.
pub(crate) fn few_shapes(scalar: Type) -> impl Iterator<Item = Type> {
    [1, 3, 8].into_iter().filter_map(move |n| scalar.vector(n))
}

/// Vectors of 1 to 32 lanes.
pub(crate) fn shapes(scalar: Type) -> impl Iterator<Item = Type> {
    [1, 2, 3, 4, 8, 16, 32].into_iter().filter_map(move |n| scalar.vector(n))
}
