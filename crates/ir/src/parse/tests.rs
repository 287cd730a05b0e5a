use super::*;
use crate::print::module_to_text;
use crate::verify::verify_module;

const SAMPLE: &str = r#"module "a.cu"
math prec_div prec_sqrt fmad

global @tile: shared size 1024 align 4 elem f32
global @lut: constant size 8 align 4 elem i32 constant = x0100000002000000
global @"odd name": global size 8 align 8 elem i64 external = x00 reloc 0 @lut 4 generic

kernel @k(ptr<global> noalias align 4 "x", f32 "a", i32 "n") reqd_wgs 64 1 1 knob "unroll-count" 3 "k(float*)" {
  slot0: size 16 align 4 dims [4] "tmp"
  loop0: unroll full hints [0 3] must_progress rare
  loop1: unroll 4 done nounroll
block0(v0: ptr<global>, v1: f32, v2: i32):
  v3: i32 = special tid.x
  v4: i1 = icmp slt v3, v2
  br v4, block1(v3, f32:0.0), block3
block1(v5: i32, v6: f32):
  v7: i64 = sext v5
  v8: i64 = mul nsw v7, i64:4
  v9: ptr<global> = ptradd inbounds v0, v8
  v10: f32 = load align 4 cache nc v9
  v11: f32 = fma contract v10, v1, v6
  v12: i32 = add nsw v5, i32:1
  v13: i1 = icmp slt v12, i32:-5
  br v13, block1(v12, v11), block2(v11) !loop0
block2(v14: f32):
  store volatile align 4 v0, v14
  v15: f32x4 = vec v14, v14, v14, f32:0x7fc00000
  v16: f32x2 = shuffle [0 255] v15, undef:f32x4
  v17: f32 = extract lane 1 v16
  v18: f32 = atomicrmw fadd relaxed device v0, v17
  store align 4 &slot0, v18
  v19: i32 = asm "mov.u32 \22%0\22, %1;" out "=r" in "r" clobber "memory" volatile v3
  v20: i32 = intrinsic shfl.bfly i32:-1, v19, i32:1, i32:31
  v21: i32 = call @f(v22)
  jump block4
block3:
  switch v2, [1: block4, 2: block4], block4
block4:
  return
}

fn @f(i32) -> i32 alwaysinline {
block0(v0: i32):
  return v0
}
"#;

#[test]
fn round_trip() {
    let text = SAMPLE.replace("call @f(v22)", "call @f v20");
    let m = parse_module(&text).unwrap();
    verify_module(&m).unwrap();
    let printed = module_to_text(&m);
    assert_eq!(printed, text);
    assert_eq!(module_to_text(&parse_module(&printed).unwrap()), printed);
}

#[test]
fn uses_before_definitions_in_layout_order() {
    let text = "module \"\"\nmath\n\nfn @f() -> i32 {\nblock0:\n  jump block2\nblock1:\n  return v1\nblock2:\n  v1: i32 = add i32:1, i32:2\n  jump block1\n}\n";
    let m = parse_module(text).unwrap();
    verify_module(&m).unwrap();
}

#[test]
fn errors_have_places() {
    for (text, line, message) in [
        ("fn @f() {\nblock0:\n  v0: i32 = frobnicate v1\n}", 3, "expected an instruction"),
        ("fn @f() {\nblock0:\n  return v9\n}", 4, "v9 is not defined"),
        ("fn @f() {\nblock0:\n  jump block7\n}", 4, "block7 is not defined"),
        ("fn @f() {\nblock0:\n  v0: i8 = add i8:300, i8:1\n}", 3, "`300` is no constant of type i8"),
        ("global @a: global\nglobal @a: global", 1, "occurs twice"),
        ("fn @\"x", 1, "string without end"),
        ("fn @f() {\nblock0:\n", 3, "expected `}`"),
    ] {
        let e = parse_module(text).unwrap_err();
        assert!(e.message.contains(message), "{text}: {e}");
        assert_eq!(e.line, line, "{text}: {e}");
    }
}

#[test]
fn garbage_does_not_panic() {
    for n in 0..SAMPLE.len() {
        if SAMPLE.is_char_boundary(n) {
            let _ = parse_module(&SAMPLE[..n]);
            let _ = parse_module(&format!("{}{}", &SAMPLE[..n], &SAMPLE[(n + 3).min(SAMPLE.len())..]));
        }
    }
}

#[test]
fn verifier_refuses() {
    for (text, message) in [
        ("fn @f() {\nblock0:\n  jump block0\n}", "branch to the entry block"),
        ("fn @f(i32) {\nblock0:\n  return\n}", "entry parameters"),
        ("fn @f() {\nblock0:\n  v0: i32 = add i32:1, i64:2\n  return\n}", "operands must have the type"),
        ("fn @f() -> i32 {\nblock0:\n  return\n}", "result type"),
        ("fn @f() {\nblock0:\n  jump block1(i32:1)\nblock1:\n  return\n}", "arguments differ"),
        (
            "fn @f() {\nblock0:\n  br i1:true, block1, block2\nblock1:\n  v0: i32 = add i32:1, i32:1\n  jump block2\nblock2:\n  v1: i32 = add v0, v0\n  return\n}",
            "does not dominate",
        ),
        ("fn @f() {\nblock0:\n  switch i8:1, [300: block1], block1\nblock1:\n  return\n}", "case values must fit"),
        ("fn @f() {\n  loop0:\nblock0:\n  jump block1 !loop0\nblock1:\n  return\n}", "no back edge"),
        ("fn @f() {\nblock0:\n  v0: i64 = bitcast f32:1.0\n  return\n}", "no such conversion"),
        ("kernel @k() {\nblock0:\n  return\n}\nfn @f() {\nblock0:\n  call @k\n  return\n}", "calls a kernel"),
    ] {
        let m = parse_module(text).unwrap();
        let e = verify_module(&m).unwrap_err();
        assert!(e.iter().any(|e| e.message.contains(message)), "{text}: {e:?}");
    }
}

#[test]
fn small_floats_with_exponents_round_trip() {
    let text = "module \"\"\nmath\n\nfn @f() -> f32 {\nblock0:\n  v0: f32 = fadd f32:1.454542e-6, f32:-2.5e-6\n  return v0\n}\n";
    let m = parse_module(text).unwrap();
    assert_eq!(module_to_text(&m), text);
}
