//! Mathematics at edges: every function of the builtin library, in both precisions, of zeros, subnormal numbers, the ends
//! of the functions' domains, huge arguments, infinities and NaN, as a program of [`filetests::corpus`]. Nothing is
//! expected in the text: `scripts/amd_emulate.py` compares with the interpreter.

use filetests::corpus::File;
use std::fmt::Write as _;
use unspool::Dialect;

/// Functions of one number.
const UNARY: &str = "sin cos tan sinpi cospi tanpi asin acos atan asinpi acospi atanpi sinh cosh tanh asinh acosh atanh \
    exp exp2 exp10 expm1 log log2 log10 log1p logb ilogb cbrt sqrt rsqrt erf erfc tgamma lgamma \
    ceil floor rint round trunc fabs signbit isfinite isnormal";
/// Functions of two numbers.
const BINARY: &str = "pow powr atan2 atan2pi hypot fmod remainder fmin fmax fdim nextafter copysign maxmag minmag";
/// Functions of a number and an integer.
const INTEGRAL: &str = "pown rootn ldexp";
/// Functions of a number that store a second result.
const STORING: &str = "fract modf sincos frexp lgamma_r";
/// Operators of two numbers.
const OPERATORS: &str = "+ - * /";

/// Numbers of double precision: each with either sign.
const DOUBLES: &[&str] = &[
    "0.0",
    "0x1p-1074",
    "0x1.8p-1073",
    "0x1.fffffffffffffp-1023",
    "0x1p-1022",
    "0x1.8p-1021",
    "0x1p-540",
    "0x1p-300",
    "0x1p-60",
    "0x1p-27",
    "1e-5",
    "0.1",
    "0.25",
    "0.5",
    "0.7",
    "0x1.fffffffffffffp-1",
    "1.0",
    "0x1.0000000000001p0",
    "1.5",
    "1.5707963267948966",
    "2.0",
    "2.5",
    "3.0",
    "3.141592653589793",
    "5.5",
    "17.0",
    "36.7",
    "88.0",
    "170.5",
    "171.7",
    "308.3",
    "709.7",
    "709.8",
    "744.9",
    "745.5",
    "1024.0",
    "1074.0",
    "65535.75",
    "105414357.85",
    "0x1p31",
    "0x1p52",
    "0x1.8p52",
    "0x1p53",
    "0x1p63",
    "6381956970095103.0e20",
    "1e22",
    "0x1p120",
    "0x1p500",
    "0x1p511",
    "0x1p600",
    "1e300",
    "0x1p1023",
    "0x1.fffffffffffffp1023",
    "INFINITY",
    "NAN",
];
/// Those of both arguments of two.
const PAIRED: &[&str] = &[
    "0.0",
    "0x1p-1074",
    "0x1p-1022",
    "1e-300",
    "0x1p-30",
    "0.3",
    "0.5",
    "1.0",
    "0x1.0000000000001p0",
    "1.5",
    "2.0",
    "3.0",
    "7.0",
    "100.25",
    "0x1p31",
    "0x1p53",
    "1e300",
    "0x1.fffffffffffffp1023",
    "INFINITY",
    "NAN",
];
const FLOATS: &[&str] = &[
    "0.0f",
    "0x1p-149f",
    "0x1.8p-148f",
    "0x1.fffffcp-127f",
    "0x1p-126f",
    "0x1.8p-125f",
    "0x1p-60f",
    "0x1p-27f",
    "1e-5f",
    "0.1f",
    "0.25f",
    "0.5f",
    "0.7f",
    "0x1.fffffep-1f",
    "1.0f",
    "0x1.000002p0f",
    "1.5f",
    "1.5707964f",
    "2.0f",
    "2.5f",
    "3.1415927f",
    "5.5f",
    "17.0f",
    "34.9f",
    "35.1f",
    "36.0f",
    "38.6f",
    "88.7f",
    "88.8f",
    "103.9f",
    "104.1f",
    "127.5f",
    "128.0f",
    "149.0f",
    "149.5f",
    "1024.0f",
    "65535.75f",
    "105414.36f",
    "0x1p22f",
    "0x1.8p22f",
    "0x1p23f",
    "0x1p24f",
    "0x1p31f",
    "16367173.0f",
    "1e22f",
    "0x1p63f",
    "0x1p64f",
    "0x1p100f",
    "0x1p127f",
    "0x1.fffffep127f",
    "INFINITY",
    "NAN",
];
const FLOATS_PAIRED: &[&str] = &[
    "0.0f",
    "0x1p-149f",
    "0x1p-126f",
    "1e-30f",
    "0x1p-20f",
    "0.3f",
    "0.5f",
    "1.0f",
    "0x1.000002p0f",
    "1.5f",
    "2.0f",
    "3.0f",
    "7.0f",
    "100.25f",
    "0x1p24f",
    "0x1p31f",
    "1e30f",
    "0x1.fffffep127f",
    "INFINITY",
    "NAN",
];
const INTEGERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "-2",
    "3",
    "-3",
    "10",
    "63",
    "-64",
    "126",
    "-149",
    "1022",
    "-1023",
    "1074",
    "-2200",
    "2200",
    "2147483647",
    "-2147483648",
];

/// The program.
pub(crate) fn file() -> File {
    let mut text = String::new();
    for (t, one, two) in [("double", DOUBLES, PAIRED), ("float", FLOATS, FLOATS_PAIRED)] {
        let table = |text: &mut String, name: &str, of: &[&str]| {
            let signed: Vec<String> = of.iter().flat_map(|n| [(*n).to_owned(), format!("-{n}")]).collect();
            let _ = writeln!(text, "CONST {t} {name}_{t}[] = {{ {} }};", signed.join(", "));
        };
        table(&mut text, "one", one);
        table(&mut text, "two", two);
        for f in UNARY.split_whitespace() {
            kernel(&mut text, &format!("{f}_{t}"), one.len() * 2, t, &[format!("{f}(x)")]);
        }
        for f in STORING.split_whitespace() {
            let (stored, call) = match f {
                "frexp" | "lgamma_r" => ("int s = 0;", format!("{f}(x, &s)")),
                _ => (if t == "double" { "double s = 0;" } else { "float s = 0;" }, format!("{f}(x, &s)")),
            };
            let call = format!("{call}); //{} 0\n    F(s", about(t));
            kernel(&mut text, &format!("{f}_{t}"), one.len() * 2, &format!("{stored} {t}"), &[call]);
        }
        let pairs = (two.len() * 2).pow(2);
        for f in BINARY.split_whitespace() {
            pair(&mut text, &format!("{f}_{t}"), pairs, two.len() * 2, t, &format!("{f}(x, y)"));
        }
        for (n, o) in OPERATORS.split_whitespace().enumerate() {
            pair(&mut text, &format!("operator{n}_{t}"), pairs, two.len() * 2, t, &format!("x {o} y"));
        }
        let _ = writeln!(text, "CONST int n_{t}[] = {{ {} }};", INTEGERS.join(", "));
        let about = about(t);
        for f in INTEGRAL.split_whitespace() {
            let (many, names) = (INTEGERS.len(), format!("{f}_{t}"));
            let all = two.len() * 2 * many;
            let _ = writeln!(
                text,
                "//@ grid={} block=64\nBEGIN({names})\n    int id = get_global_id(0); if (id >= {all}) id = 0;\n    \
                 {t} x = two_{t}[id / {many}]; int n = n_{t}[id % {many}];\n    F({f}(x, n)); //{about} 0\nEND\n",
                all.div_ceil(64),
            );
        }
    }
    File::parse(Dialect::OPENCL, "edges.cl", &text)
}

/// Single precision may use approximate instructions.
fn about(t: &str) -> char {
    if t == "float" { '~' } else { '=' }
}

fn kernel(text: &mut String, name: &str, items: usize, t: &str, values: &[String]) {
    let table = t.rsplit(' ').next().unwrap_or(t);
    let _ = writeln!(
        text,
        "//@ grid={} block=64\nBEGIN({name})\n    int id = get_global_id(0); if (id >= {items}) id = 0;\n    {t} x = one_{table}[id];",
        items.div_ceil(64),
    );
    for v in values {
        let _ = writeln!(text, "    F({v}); //{} 0", about(table));
    }
    let _ = writeln!(text, "END\n");
}

fn pair(text: &mut String, name: &str, items: usize, side: usize, t: &str, value: &str) {
    let about = about(t);
    let _ = writeln!(
        text,
        "//@ grid={} block=64\nBEGIN({name})\n    int id = get_global_id(0); if (id >= {items}) id = 0;\n    \
         {t} x = two_{t}[id / {side}], y = two_{t}[id % {side}];\n    F({value}); //{about} 0\nEND\n",
        items.div_ceil(64),
    );
}
