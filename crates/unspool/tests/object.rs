//! Programs as bytes: what was written is read, what was changed is refused.

use unspool::object::{Code, Kind, Object, ObjectError};
use unspool::{Compilation, Dialect, Emit, Input, Options, compile_with_log as compile};

const TEXT: &str = "
    constant float table[4] = { 1, 2, 3, 4 };
    __attribute__((reqd_work_group_size(64, 1, 1)))
    kernel void scale(global float4 *p, float by, uint n) {
        #pragma unroll 4
        for (uint i = get_global_id(0); i < n; i += get_global_size(0)) p[i] *= by * table[i & 3];
    }
    __attribute__((vec_type_hint(float4)))
    kernel void sum(global const float *restrict p, global float *out, local float *t) {
        size_t l = get_local_id(0);
        t[l] = native_sin(p[get_global_id(0)]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) for (size_t i = 0; i < get_local_size(0); i++) *out += t[i];
    }";

fn compiled() -> Compilation {
    let mut options = Options::host(Dialect::OPENCL);
    options.kernel_info = true;
    let c = compile(&Input::text("k.cl", TEXT), &options, &Emit::Nothing);
    assert!(c.succeeded());
    c
}

fn object(c: &Compilation) -> Object {
    Object {
        options: "-cl-mad-enable -DX=\"é\"".to_owned(),
        kernels: c.kernels.clone(),
        log: "k.cl:3:1: warning: nothing\n".to_owned(),
        code: vec![Code { key: [7; 32], bytes: vec![1, 2, 3] }],
        ..Object::new(Kind::Executable, Dialect::OPENCL, &c.module)
    }
}

#[test]
fn what_was_written_is_read() {
    let c = compiled();
    let written = object(&c);
    let read = Object::read(&written.write()).expect("it was written just now");
    assert_eq!((read.kind, read.dialect, &read.options), (written.kind, written.dialect, &written.options));
    assert_eq!((&read.log, &read.text, &read.code), (&written.log, &written.text, &written.code));
    assert_eq!(read.content(), written.content());
    let names: Vec<&str> = read.kernels.iter().map(|k| k.symbol.as_str()).collect();
    assert_eq!(names, ["scale", "sum"]);
    assert_eq!(read.kernels[0].params[0].kind, c.kernels[0].params[0].kind);
    // Places are of sources that are gone.
    assert!(read.kernels.iter().all(|k| k.span.is_none()));
    let module = read.module().expect("valid IR");
    assert_eq!(module.functions.len(), c.module.functions.len());
    let hints =
        module.functions.values().map(|f| f.attrs.hints.len() + f.loops.values().map(|l| l.hints.len()).sum::<usize>());
    assert_eq!(hints.sum::<usize>(), 0, "hints of a ledger that is gone");
    assert_eq!(Object::read(&read.write()).expect("again"), read);
}

#[test]
fn every_changed_byte_is_noticed() {
    let bytes = object(&compiled()).write();
    let mut changed = bytes.clone();
    for at in 0..bytes.len() {
        changed[at] ^= 0x40;
        let e = Object::read(&changed).expect_err("changed");
        let expected = match at {
            0..8 => matches!(e, ObjectError::Foreign),
            8..12 => matches!(e, ObjectError::Version { .. }),
            12..44 => matches!(e, ObjectError::Build),
            44..52 => matches!(e, ObjectError::Damaged { .. } | ObjectError::Truncated { .. }),
            _ => matches!(e, ObjectError::Damaged { .. }),
        };
        assert!(expected, "byte {at}: {e:?}");
        changed[at] = bytes[at];
    }
    assert!(Object::read(&changed).is_ok());
}

#[test]
fn every_length_is_noticed() {
    let bytes = object(&compiled()).write();
    assert_eq!(Object::read(&[]), Err(ObjectError::Foreign));
    for length in 1..bytes.len() {
        let e = Object::read(&bytes[..length]).expect_err("cut off");
        assert!(matches!(e, ObjectError::Truncated { .. }), "{length}: {e:?}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(matches!(Object::read(&longer), Err(ObjectError::Damaged { .. })));
    for foreign in [&b"\x7fELF\x02\x01\x01"[..], b"BC\xc0\xde", b"kernel void k() {}", &[0; 4096]] {
        assert_eq!(Object::read(foreign), Err(ObjectError::Foreign));
    }
}

/// What an attacker can do: contents changed, and the hash made to fit.
#[test]
fn changed_contents_with_the_right_hash_do_not_panic() {
    const HASH: std::ops::Range<usize> = 52..84;
    let bytes = object(&compiled()).write();
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut opened, mut valid) = (0, 0);
    for _ in 0..3000 {
        let mut changed = bytes.clone();
        for _ in 0..=random(3) {
            let at = HASH.end + random(bytes.len() - HASH.end);
            match random(4) {
                0 => changed[at] ^= 1 << random(8),
                1 => changed[at] = random(256) as u8,
                2 => changed[at] = b"0123456789 ,(){}:@%\n"[random(20)],
                _ => {
                    let from = HASH.end + random(bytes.len() - HASH.end);
                    changed[at] = bytes[from];
                }
            }
        }
        let hash =
            *blake3::Hasher::new().update(&changed[..HASH.start]).update(&changed[HASH.end..]).finalize().as_bytes();
        changed[HASH].copy_from_slice(&hash);
        let Ok(object) = Object::read(&changed) else { continue };
        opened += 1;
        valid += usize::from(object.module().is_ok());
    }
    assert!(opened > 1000, "{opened}");
    assert!(valid > 10 && valid < opened, "{valid} of {opened}");
}
