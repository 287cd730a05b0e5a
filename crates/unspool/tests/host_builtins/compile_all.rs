//! Every builtin of OpenCL C 1.2 compiles for the host, for every type and width that it takes.

use crate::{INTEGERS, Program, WIDTHS};
use unspool::{Emit, OptLevel};

/// Functions of one, two and three floating-point arguments of one type.
const ONE: &str = "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10 \
    expm1 fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc \
    degrees radians sign";
const TWO: &str =
    "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder max min step";
const THREE: &str = "fma mad clamp mix smoothstep";
/// For `float` only, as `half_` and `native_` functions.
const QUICK: &str = "cos exp exp2 exp10 log log2 log10 recip rsqrt sin sqrt tan";

fn params(types: &[String]) -> String {
    types.iter().enumerate().map(|(n, t)| format!("global {t} *p{n}, ")).collect()
}

/// A kernel that stores what an expression of `*p0`, `*p1` … is.
fn kernel(text: &mut String, result: &str, expression: &str, types: &[&str]) {
    let owned: Vec<String> = types.iter().map(|t| (*t).to_owned()).collect();
    let n = text.matches("kernel").count();
    *text += &format!("kernel void k{n}({}global {result} *r) {{ *r = {expression}; }}\n", params(&owned));
}

/// Every width is lowered; the optimiser sees scalars and vectors of four.
fn compile(texts: fn(&[&str]) -> Vec<String>) {
    for text in texts(&WIDTHS) {
        Program::check(&text, OptLevel::O1, &Emit::LoweredIr);
    }
    for text in texts(&["", "4"]) {
        Program::check(&text, OptLevel::O1, &Emit::Ir);
    }
}

fn mathematical_functions(widths: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    for scalar in ["float", "double"] {
        let mut text = String::new();
        for &w in widths {
            let (t, i) = (format!("{scalar}{w}"), format!("int{w}"));
            let n = if scalar == "float" { format!("uint{w}") } else { format!("ulong{w}") };
            let mut all: Vec<(String, &str, Vec<&str>)> = Vec::new();
            for f in ONE.split_whitespace() {
                all.push((format!("{f}(*p0)"), &t, vec![&t]));
            }
            for f in TWO.split_whitespace() {
                all.push((format!("{f}(*p0, *p1)"), &t, vec![&t, &t]));
            }
            for f in THREE.split_whitespace() {
                all.push((format!("{f}(*p0, *p1, *p2)"), &t, vec![&t, &t, &t]));
            }
            for f in ["ldexp", "pown", "rootn"] {
                all.push((format!("{f}(*p0, *p1)"), &t, vec![&t, &i]));
            }
            for f in ["fract", "modf", "sincos"] {
                all.push((format!("{f}(*p0, p1)"), &t, vec![&t, &t]));
            }
            for f in ["frexp", "lgamma_r"] {
                all.push((format!("{f}(*p0, p1)"), &t, vec![&t, &i]));
            }
            all.push(("remquo(*p0, *p1, p2)".to_owned(), &t, vec![&t, &t, &i]));
            all.push(("ilogb(*p0)".to_owned(), &i, vec![&t]));
            all.push(("nan(*p0)".to_owned(), &t, vec![&n]));
            if !w.is_empty() {
                for f in ["fmax", "fmin", "max", "min"] {
                    all.push((format!("{f}(*p0, *p1)"), &t, vec![&t, scalar]));
                }
                all.push(("clamp(*p0, *p1, *p1)".to_owned(), &t, vec![&t, scalar]));
                all.push(("mix(*p0, *p0, *p1)".to_owned(), &t, vec![&t, scalar]));
                all.push(("step(*p1, *p0)".to_owned(), &t, vec![&t, scalar]));
                all.push(("smoothstep(*p1, *p1, *p0)".to_owned(), &t, vec![&t, scalar]));
                all.push(("ldexp(*p0, *p1)".to_owned(), &t, vec![&t, "int"]));
                all.push(("pown(*p0, *p1)".to_owned(), &t, vec![&t, &i]));
            }
            for (expression, result, types) in &all {
                kernel(&mut text, result, expression, types);
            }
        }
        texts.push(text);
    }
    texts
}

fn quick_and_geometric_functions(widths: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut text = String::new();
    for &w in widths {
        let t = format!("float{w}");
        for prefix in ["half", "native"] {
            for f in QUICK.split_whitespace() {
                kernel(&mut text, &t, &format!("{prefix}_{f}(*p0)"), &[&t]);
            }
            for f in ["powr", "divide"] {
                kernel(&mut text, &t, &format!("{prefix}_{f}(*p0, *p1)"), &[&t, &t]);
            }
        }
    }
    for scalar in ["float", "double"] {
        for w in ["", "2", "3", "4"] {
            let t = format!("{scalar}{w}");
            for f in ["dot(*p0, *p1)", "distance(*p0, *p1)", "length(*p0)"] {
                kernel(&mut text, scalar, f, &[&t, &t]);
            }
            kernel(&mut text, &t, "normalize(*p0)", &[&t]);
            if scalar == "float" {
                kernel(&mut text, scalar, "fast_distance(*p0, *p1)", &[&t, &t]);
                kernel(&mut text, scalar, "fast_length(*p0)", &[&t]);
                kernel(&mut text, &t, "fast_normalize(*p0)", &[&t]);
            }
        }
        for t in [format!("{scalar}3"), format!("{scalar}4")] {
            kernel(&mut text, &t, "cross(*p0, *p1)", &[&t, &t]);
        }
    }
    texts.push(text);
    texts
}

fn integer_and_relational_functions(widths: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    for (scalar, bits, signed) in INTEGERS {
        let mut text = String::new();
        for &w in widths {
            let t = format!("{scalar}{w}");
            let u = if signed { format!("u{t}") } else { t.clone() };
            let masks = [format!("{}{w}", scalar.trim_start_matches('u')), u.clone()];
            for f in ["abs(*p0)", "abs_diff(*p0, *p1)"] {
                kernel(&mut text, &u, f, &[&t, &t]);
            }
            for f in "add_sat hadd rhadd max min mul_hi rotate sub_sat".split_whitespace() {
                kernel(&mut text, &t, &format!("{f}(*p0, *p1)"), &[&t, &t]);
            }
            for f in "clamp mad_hi mad_sat bitselect".split_whitespace() {
                kernel(&mut text, &t, &format!("{f}(*p0, *p1, *p2)"), &[&t, &t, &t]);
            }
            for f in ["clz", "popcount"] {
                kernel(&mut text, &t, &format!("{f}(*p0)"), &[&t]);
            }
            if bits == 32 {
                kernel(&mut text, &t, "mul24(*p0, *p1)", &[&t, &t]);
                kernel(&mut text, &t, "mad24(*p0, *p1, *p2)", &[&t, &t, &t]);
            }
            if bits < 64 {
                let wide = format!("{}{w}", scalar.replace("char", "S").replace("short", "I").replace("int", "long"))
                    .replace('S', "short")
                    .replace('I', "int");
                kernel(&mut text, &wide, "upsample(*p0, *p1)", &[&t, &u]);
            }
            for m in masks {
                kernel(&mut text, &t, "select(*p0, *p1, *p2)", &[&t, &t, &m]);
            }
            if signed {
                kernel(&mut text, "int", "any(*p0) + all(*p0)", &[&t]);
            }
            if !w.is_empty() {
                for f in ["max(*p0, *p1)", "min(*p0, *p1)", "clamp(*p0, *p1, *p1)"] {
                    kernel(&mut text, &t, f, &[&t, scalar]);
                }
            }
        }
        texts.push(text);
    }
    for (scalar, int) in [("float", "int"), ("double", "long")] {
        let mut text = String::new();
        for &w in widths {
            let t = format!("{scalar}{w}");
            let r = if w.is_empty() { "int".to_owned() } else { format!("{int}{w}") };
            for f in
                "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered"
                    .split_whitespace()
            {
                kernel(&mut text, &r, &format!("{f}(*p0, *p1)"), &[&t, &t]);
            }
            for f in "isfinite isinf isnan isnormal signbit".split_whitespace() {
                kernel(&mut text, &r, &format!("{f}(*p0)"), &[&t]);
            }
            kernel(&mut text, &t, "bitselect(*p0, *p1, *p2)", &[&t, &t, &t]);
            kernel(&mut text, &t, "select(*p0, *p1, *p2)", &[&t, &t, &format!("{int}{w}")]);
            kernel(&mut text, &t, "select(*p0, *p1, *p2)", &[&t, &t, &format!("u{int}{w}")]);
        }
        texts.push(text);
    }
    texts
}

fn vector_data_functions_in_every_address_space(widths: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    let floats = [("float", 32, true), ("double", 64, true)];
    for (scalar, ..) in INTEGERS.into_iter().chain(floats) {
        let mut text = String::new();
        for w in widths.iter().filter(|w| !w.is_empty()) {
            let t = format!("{scalar}{w}");
            text += &format!(
                "kernel void v{w}(global {scalar} *g, local {scalar} *l, constant {scalar} *c, global {t} *r) {{
                    {scalar} own[32]; private {scalar} *p = own;
                    vstore{w}(vload{w}(1, g), 0, own);
                    vstore{w}(vload{w}(0, p), 0, l);
                    vstore{w}(vload{w}(2, l) + vload{w}(1, c), 3, g);
                    *r = vload{w}(0, own) + vload{w}(0, (const global {scalar} *)g);
                }}\n"
            );
            text += &format!(
                "kernel void step{w}(global int *r, global {t} *p) {{ r[0] = vec_step({t}); r[1] = vec_step(*p); }}\n"
            );
        }
        texts.push(text);
    }
    let mut text = String::new();
    for &w in widths {
        for (kind, n) in [("load", "vload_half"), ("loada", "vloada_half")] {
            let f = format!("float{w}");
            text += &format!(
                "kernel void {kind}{w}(global half *g, constant half *c, local half *l, global {f} *r) \
                 {{ *r = {n}{w}(1, g) + {n}{w}(2, c) + {n}{w}(0, l); }}\n"
            );
        }
        for name in ["vstore_half", "vstorea_half"] {
            for (from, short) in [("float", "f"), ("double", "d")] {
                for mode in ["", "_rte", "_rtz", "_rtp", "_rtn"] {
                    text += &format!(
                        "kernel void {name}{w}{mode}{short}(global half *g, local half *l, global {from}{w} *x) \
                         {{ {name}{w}{mode}(*x, 1, g); {name}{w}{mode}(*x, 0, l); }}\n"
                    );
                }
            }
        }
    }
    texts.push(text);
    texts
}

fn shuffles_and_reinterpretations(widths: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    let floats = [("float", 32, true), ("double", 64, true)];
    let all: Vec<(&str, u32)> = INTEGERS.into_iter().chain(floats).map(|(t, bits, _)| (t, bits)).collect();
    for &(scalar, bits) in &all {
        let mask = match bits {
            8 => "uchar",
            16 => "ushort",
            32 => "uint",
            _ => "ulong",
        };
        let mut text = String::new();
        let sizes: Vec<&str> = widths.iter().copied().filter(|w| !matches!(*w, "" | "3")).collect();
        for from in &sizes {
            for to in &sizes {
                let (s, r, m) = (format!("{scalar}{from}"), format!("{scalar}{to}"), format!("{mask}{to}"));
                kernel(&mut text, &r, "shuffle(*p0, *p1)", &[&s, &m]);
                kernel(&mut text, &r, "shuffle2(*p0, *p0, *p1)", &[&s, &m]);
            }
        }
        for &(other, size) in &all {
            for (w, lanes) in [("", 1), ("2", 2), ("3", 4), ("4", 4), ("8", 8), ("16", 16)] {
                for (v, others) in [("", 1), ("2", 2), ("3", 4), ("4", 4), ("8", 8), ("16", 16)] {
                    if bits * lanes == size * others && (w == "3") == (v == "3") {
                        let target = format!("{other}{v}");
                        kernel(&mut text, &target, &format!("as_{target}(*p0)"), &[&format!("{scalar}{w}")]);
                    }
                }
            }
        }
        texts.push(text);
    }
    texts
}

fn conversions_of_every_width(widths: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    let scalars: Vec<&str> = INTEGERS.iter().map(|(t, ..)| *t).chain(["float", "double"]).collect();
    for to in &scalars {
        let mut text = String::new();
        for from in &scalars {
            for w in widths.iter().filter(|w| !w.is_empty()) {
                let mut sum = String::new();
                for mode in ["", "_rte", "_rtz", "_rtp", "_rtn"] {
                    let sats: &[&str] = if to.starts_with(['f', 'd']) { &[""] } else { &["", "_sat"] };
                    for sat in sats {
                        sum += &format!(" + convert_{to}{w}{sat}{mode}(*p0)");
                    }
                }
                kernel(&mut text, &format!("{to}{w}"), sum.trim_start_matches(" + "), &[&format!("{from}{w}")]);
            }
        }
        texts.push(text);
    }
    texts
}

fn copies_atomics_and_synchronisation(widths: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut text = String::new();
    let floats = [("float", 32, true), ("double", 64, true)];
    for (scalar, ..) in INTEGERS.into_iter().chain(floats) {
        for &w in widths {
            let t = format!("{scalar}{w}");
            text += &format!(
                "kernel void copy_{t}(global {t} *g, local {t} *l) {{
                    event_t e = async_work_group_copy(l, g, 8, 0);
                    e = async_work_group_strided_copy(l, g + 8, 4, 2, e);
                    wait_group_events(1, &e);
                    e = async_work_group_copy(g, l, 8, 0);
                    e = async_work_group_strided_copy(g, l, 4, 2, e);
                    wait_group_events(1, &e);
                    prefetch(g, 16);
                }}\n"
            );
        }
    }
    for (t, prefixes) in
        [("int", &["atomic", "atom"][..]), ("uint", &["atomic", "atom"]), ("long", &["atom"]), ("ulong", &["atom"])]
    {
        for space in ["global", "local"] {
            for prefix in prefixes {
                let mut body = String::new();
                for f in ["add", "sub", "xchg", "min", "max", "and", "or", "xor"] {
                    body += &format!("x += {prefix}_{f}(p, x); ");
                }
                text += &format!(
                    "kernel void {prefix}_{t}_{space}({space} {t} *p, volatile {space} {t} *q, global {t} *r) {{ {t} x = *r; {body}
                        x += {prefix}_inc(q) + {prefix}_dec(p) + {prefix}_cmpxchg(q, x, 5); *r = x; }}\n"
                );
            }
        }
    }
    text += "kernel void xchg(global float *g, local float *l) { *g = atomic_xchg(l, *g) + atomic_xchg(g, 2.0f); }
        kernel void fences(local int *l) { barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
            mem_fence(CLK_LOCAL_MEM_FENCE); read_mem_fence(CLK_GLOBAL_MEM_FENCE); write_mem_fence(CLK_LOCAL_MEM_FENCE); *l = 1; }
        kernel void ids(global ulong *r) { r[0] = get_work_dim(); r[1] = get_global_size(0) + get_global_id(1) + get_local_size(2)
            + get_local_id(0) + get_num_groups(1) + get_group_id(2) + get_global_offset(0); }\n";
    texts.push(text);
    texts
}

#[test]
fn mathematical_functions_compile() {
    compile(mathematical_functions);
}

#[test]
fn quick_and_geometric_functions_compile() {
    compile(quick_and_geometric_functions);
}

#[test]
fn integer_and_relational_functions_compile() {
    compile(integer_and_relational_functions);
}

#[test]
fn vector_data_functions_in_every_address_space_compile() {
    compile(vector_data_functions_in_every_address_space);
}

#[test]
fn shuffles_and_reinterpretations_compile() {
    compile(shuffles_and_reinterpretations);
}

#[test]
fn conversions_of_every_width_compile() {
    compile(conversions_of_every_width);
}

#[test]
fn copies_atomics_and_synchronisation_compile() {
    compile(copies_atomics_and_synchronisation);
}
