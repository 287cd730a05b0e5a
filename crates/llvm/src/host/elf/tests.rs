use super::*;
use crate::{HostMachine, Options};

/// Device variables with addresses in them, a jump table, constants, calls of the library's functions.
const TEXT: &str = r#"module "t"
math prec_div prec_sqrt fmad
global @counter: global size 8 align 8 elem i32 = x0500000007000000
global @where: global size 8 align 8 elem i64 = x0000000000000000 reloc 0 @counter 4
global @zeros: global size 65536 align 64 elem i32 = zero
fn @f(ptr, ptr) {
block0(v0: ptr, v1: ptr):
  v2: i64 = load align 8 @where
  v3: ptr = inttoptr v2
  v4: i32 = load align 4 v3
  v5: i32 = add v4, i32:1
  store align 4 v3, v5
  store align 4 v1, v5
  v6: f32 = load align 4 v0
  v7: f32 = intrinsic sin.approx v6
  v8: ptr = ptradd v1, i64:4
  store align 4 v8, v7
  return
}
"#;

fn object() -> Vec<u8> {
    let module = ir::parse::parse_module(TEXT).unwrap_or_else(|e| panic!("{e}"));
    let machine = HostMachine::detect().expect("a host");
    let options = Options { entries: &["f"], ..Options::default() };
    let compiled = crate::compile(&module, &machine, &options).unwrap_or_else(|e| panic!("{e}"));
    compiled.object().expect("an object")
}

#[test]
fn variables_and_their_addresses() {
    let object = object();
    let load = || Image::load(&object, &[]).expect("it loads").expect("by us, not by ORC");
    let call = |image: &Image| {
        let mut out = [0u32; 32];
        let entry = image.symbol("f").expect("it is there");
        // SAFETY: the function's signature; it reads 4 bytes, and writes 8.
        unsafe {
            let f = std::mem::transmute::<usize, crate::Entry>(entry);
            f((&raw const out[16]).cast(), out.as_mut_ptr().cast());
        }
        out[0]
    };
    let (first, second) = (load(), load());
    assert_eq!((call(&first), call(&first)), (8, 9));
    // Each has variables of its own.
    assert_eq!(call(&second), 8);
    assert!(first.symbol("g").is_err());
}

#[test]
fn functions_of_this_process() {
    for name in ["memcpy", "memset", "fmodf", "fmod"] {
        assert!(process_symbol(name).is_some(), "{name}");
    }
    assert_eq!(process_symbol("no_such_function_anywhere"), None);
}

#[test]
fn rights_are_those_of_the_sections() {
    let image = Image::load(&object(), &[]).expect("it loads").expect("by us");
    let entry = image.symbol("f").expect("it is there");
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux");
    let rights = |address: usize| {
        maps.lines().find_map(|line| {
            let (range, rest) = line.split_once(' ')?;
            let (from, to) = range.split_once('-')?;
            let number = |t: &str| usize::from_str_radix(t, 16).ok();
            (number(from)?..number(to)?).contains(&address).then(|| rest[..4].to_owned())
        })
    };
    assert_eq!(rights(entry).as_deref(), Some("r-xp"));
    let base = image.memory.start as usize;
    let writable = (0..image.memory.bytes / PAGE).filter(|n| rights(base + n * PAGE).as_deref() == Some("rw-p"));
    assert!(writable.count() >= 1, "variables");
}

#[test]
fn damaged_files_are_refused_or_loaded_within_their_memory() {
    let object = object();
    let mut changed = object.clone();
    for at in 0..object.len() {
        for bit in [0x01, 0x80, 0xff] {
            changed[at] ^= bit;
            // Whatever comes of it is not called.
            let _ = Image::load(&changed, &[]);
            changed[at] = object[at];
        }
    }
    for length in 0..object.len() {
        let _ = Image::load(&object[..length], &[]);
    }
}
