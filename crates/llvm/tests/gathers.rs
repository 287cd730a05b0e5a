//! Gathers and scatters at clamped indices and in rings, which are loads and stores of whole vectors where lanes follow each other.

mod common;

use common::parse;
use ir::Type;
use llvm::{HostMachine, Options};

const ELEMENTS: i32 = 32;

#[test]
fn clamped_indices_in_the_middle_and_at_both_edges() {
    let (ints, longs, floats) =
        (Type::I32.vector(8).unwrap(), Type::I64.vector(8).unwrap(), Type::F32.vector(8).unwrap());
    let mask = Type::I1.vector(8).unwrap();
    let last = ELEMENTS - 1;
    let module = parse(&format!(
        "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @clamped(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: {ints} = splat v2
  v4: {ints} = iota
  v5: {ints} = add v3, v4
  v6: {ints} = smax v5, {ints}:0
  v7: {ints} = smin v6, {ints}:{last}
  v8: {longs} = sext v7
  v9: {longs} = shl v8, {longs}:2
  v10: ptr = ptradd v0, i64:4
  v11: {floats} = gather align 4 v10, v9, {mask}:true, {floats}:0
  store align 4 v1, v11
  return\n}}\n"
    ));
    let machine = machine_without_gathers();
    let compiled = llvm::compile(&module, &machine, &Options { entries: &["clamped"], ..Options::default() }).unwrap();
    assert!(compiled.llvm_ir().contains("branch_weights"), "asks whether lanes follow each other");
    let jit = compiled.jit(&[]).unwrap();
    let entry = jit.entry("clamped").unwrap();
    for start in (-12..44).chain([i32::MIN, i32::MAX - 8, i32::MAX - 3, i32::MAX]) {
        let mut block = vec![start];
        block.extend((0..ELEMENTS).map(|n| (n as f32).to_bits() as i32));
        let mut out = [0.0f32; 8];
        // SAFETY: the code reads the block, and writes eight numbers.
        unsafe { entry(block.as_ptr().cast(), out.as_mut_ptr().cast()) };
        let expected: [f32; 8] = std::array::from_fn(|n| start.wrapping_add(n as i32).clamp(0, last) as f32);
        assert_eq!(out, expected, "from {start}");
    }
}

/// The simplest machine of this architecture that can be named.
fn machine_without_gathers() -> HostMachine {
    if cfg!(target_arch = "x86_64") { HostMachine::named("x86-64") } else { HostMachine::detect() }.unwrap()
}

/// Gathers of processors take an index of 32 bits for 16 lanes at once; extended to 64 bits it was two gathers of 8.
#[test]
fn indices_stay_narrow_and_clamped_ones_are_asked_about_where_the_machine_gathers() {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let (ints, longs, floats) =
        (Type::I32.vector(16).unwrap(), Type::I64.vector(16).unwrap(), Type::F32.vector(16).unwrap());
    let mask = Type::I1.vector(16).unwrap();
    let function = |name: &str, clamp: &str| {
        format!(
            "fn @{name}(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):
  v3: {ints} = load align 4 v0
  {clamp}
  v8: {longs} = sext v7
  v9: {longs} = shl v8, {longs}:2
  v10: ptr = ptradd v0, i64:64
  v11: {floats} = gather align 4 v10, v9, {mask}:true, {floats}:0
  store align 4 v1, v11
  return\n}}\n"
        )
    };
    let (any, clamped) = (format!("v7: {ints} = xor v3, {ints}:3"), format!("v7: {ints} = smax v3, {ints}:0"));
    let assembly = |clamp: &str| {
        let module = parse(&format!("module \"t\"\nmath prec_div prec_sqrt fmad\n{}", function("f", clamp)));
        let machine = HostMachine::named("x86-64-v4").unwrap();
        llvm::compile(&module, &machine, &Options { entries: &["f"], ..Options::default() })
            .unwrap()
            .assembly()
            .unwrap()
    };
    let plain = assembly(&any);
    assert_eq!((plain.matches("gatherdps").count(), plain.matches("gatherqps").count()), (1, 0), "{plain}");
    let tested = assembly(&clamped);
    assert_eq!(tested.matches("gatherdps").count(), 1, "{tested}");
    assert!(tested.contains("kortest") || tested.contains("kmov"), "asks whether lanes follow each other: {tested}");
}

/// Of `w = x == 0 ? c : c - 1; for (…) { … a[w] …; w += n; }` the loop gathered always: only indices that are clamped where
/// they are used were asked about.
#[test]
fn indices_that_begin_clamped_were_gathered_in_loops() {
    let (ints, longs, floats) =
        (Type::I32.vector(8).unwrap(), Type::I64.vector(8).unwrap(), Type::F32.vector(8).unwrap());
    let mask = Type::I1.vector(8).unwrap();
    let module = parse(&format!(
        "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @rows(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: {ints} = splat v2
  v4: {ints} = iota
  v5: {ints} = add v3, v4
  v6: {ints} = smax v5, {ints}:0
  v20: ptr = ptradd v0, i64:4
  jump block1(v6, {floats}:0, i32:0)
block1(v7: {ints}, v8: {floats}, v9: i32):
  v10: {longs} = sext v7
  v11: {longs} = shl v10, {longs}:2
  v12: {floats} = gather align 4 v20, v11, {mask}:true, {floats}:0
  v13: {floats} = fadd v8, v12
  v14: {ints} = add v7, {ints}:10
  v15: i32 = add v9, i32:1
  v16: i1 = icmp slt v15, i32:3
  br v16, block1(v14, v13, v15), block2(v13)
block2(v17: {floats}):
  store align 4 v1, v17
  return\n}}\n"
    ));
    let machine = machine_without_gathers();
    let compiled = llvm::compile(&module, &machine, &Options { entries: &["rows"], ..Options::default() }).unwrap();
    assert!(compiled.llvm_ir().contains("branch_weights"), "asks whether lanes follow each other");
    let jit = compiled.jit(&[]).unwrap();
    let entry = jit.entry("rows").unwrap();
    for start in -9..5 {
        let mut block = vec![start];
        block.extend((0..ELEMENTS).map(|n| (n as f32).to_bits() as i32));
        let mut out = [0.0f32; 8];
        // SAFETY: the code reads the block, and writes eight numbers.
        unsafe { entry(block.as_ptr().cast(), out.as_mut_ptr().cast()) };
        let expected: [f32; 8] = std::array::from_fn(|n| (3 * (start + n as i32).max(0) + 30) as f32);
        assert_eq!(out, expected, "from {start}");
    }
}

/// `ring[(x + lane + 3) & (size - 1)]` was always gathered and scattered, one lane after another where processors have no gathers,
/// though lanes read neighbours but at the ring's end.
#[test]
fn places_of_a_ring_were_gathered_and_scattered() {
    let (ints, longs, floats) =
        (Type::I32.vector(8).unwrap(), Type::I64.vector(8).unwrap(), Type::F32.vector(8).unwrap());
    let mask = Type::I1.vector(8).unwrap();
    // Of 64 elements, as a constant and as an argument; the latter may be anything, so that its indices are signed.
    for (ring, extended) in [(format!("{ints}:63"), "zext"), ("v20".to_owned(), "sext")] {
        let module = parse(&format!(
            "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @ring(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v21: ptr = ptradd v0, i64:4
  v22: i32 = load align 4 v21
  v20: {ints} = splat v22
  v3: {ints} = splat v2
  v4: {ints} = iota
  v5: {ints} = add v3, v4
  v6: {ints} = add v5, {ints}:3
  v7: {ints} = and v6, {ring}
  v8: {longs} = {extended} v7
  v9: {longs} = shl v8, {longs}:2
  v10: ptr = ptradd v0, i64:8
  v11: {floats} = gather align 4 v10, v9, {mask}:true, {floats}:0
  scatter align 4 v1, v9, {mask}:true, v11
  return\n}}\n"
        ));
        let machine = machine_without_gathers();
        let compiled = llvm::compile(&module, &machine, &Options { entries: &["ring"], ..Options::default() }).unwrap();
        let text = compiled.llvm_ir();
        assert!(text.contains("branch_weights"), "asks whether lanes follow each other: {text}");
        let jit = compiled.jit(&[]).unwrap();
        let entry = jit.entry("ring").unwrap();
        for start in (-80..80).chain([i32::MIN, i32::MAX - 8, i32::MAX - 3, i32::MAX]) {
            let mut block = vec![start, 63];
            block.extend((0..64).map(|n| (n as f32 + 1.0).to_bits() as i32));
            let mut out = [0.0f32; 64];
            // SAFETY: the code reads the block, and writes eight of 64 numbers.
            unsafe { entry(block.as_ptr().cast(), out.as_mut_ptr().cast()) };
            let mut expected = [0.0f32; 64];
            for n in 0..8 {
                let at = (start.wrapping_add(n + 3) & 63) as usize;
                expected[at] = at as f32 + 1.0;
            }
            assert_eq!(out, expected, "from {start}, {extended}");
        }
    }
}

/// Most vectors of a short ring lie across its end, and hashes never lie side by side: to ask costs and gives nothing.
#[test]
fn short_rings_and_hashes_are_not_asked_about() {
    let (ints, longs, floats) =
        (Type::I32.vector(8).unwrap(), Type::I64.vector(8).unwrap(), Type::F32.vector(8).unwrap());
    let mask = Type::I1.vector(8).unwrap();
    for (index, last, asks) in [("add v3, v4", 31, false), ("mul v3, v4", 1023, false), ("add v3, v4", 1023, true)] {
        let module = parse(&format!(
            "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @ring(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: {ints} = splat v2
  v4: {ints} = iota
  v5: {ints} = {index}
  v7: {ints} = and v5, {ints}:{last}
  v8: {longs} = zext v7
  v9: {longs} = shl v8, {longs}:2
  v11: {floats} = gather align 4 v0, v9, {mask}:true, {floats}:0
  store align 4 v1, v11
  return\n}}\n"
        ));
        let machine = machine_without_gathers();
        let compiled = llvm::compile(&module, &machine, &Options { entries: &["ring"], ..Options::default() }).unwrap();
        assert_eq!(compiled.llvm_ir().contains("!prof"), asks, "{index} & {last}");
    }
}

/// Rows of bytes under masks, of which processors without such masks read all if any lane is on, but never in the next page.
#[cfg(target_os = "linux")]
#[test]
fn rows_of_bytes_under_masks_end_where_memory_does() {
    let (bytes, words, mask) = (Type::I8.vector(8).unwrap(), Type::I32.vector(8).unwrap(), Type::I1.vector(8).unwrap());
    let module = parse(&format!(
        "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @row(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v1
  v3: {words} = splat v2
  v4: {words} = iota
  v5: {words} = lshr v3, v4
  v6: {mask} = trunc v5
  v7: {bytes} = maskedload align 1 v0, v6, undef:{bytes}
  v8: {bytes} = select v6, v7, {bytes}:7
  store align 1 v1, v8
  return\n}}\n"
    ));
    const PAGE: usize = 4096;
    // SAFETY: a mapping of its own, whose second page is not to be touched.
    let pages = unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let at = libc::mmap(std::ptr::null_mut(), 2 * PAGE, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
        assert_ne!(at, libc::MAP_FAILED);
        assert_eq!(libc::mprotect(at.byte_add(PAGE), PAGE, libc::PROT_NONE), 0);
        std::slice::from_raw_parts_mut(at.cast::<u8>(), PAGE)
    };
    (0..PAGE).for_each(|n| pages[n] = (n * 5) as u8);
    for machine in [HostMachine::detect().unwrap(), machine_without_gathers()] {
        let compiled = llvm::compile(&module, &machine, &Options { entries: &["row"], ..Options::default() }).unwrap();
        let jit = compiled.jit(&[]).unwrap();
        let entry = jit.entry("row").unwrap();
        for start in (PAGE - 12..PAGE + 3).chain([8, 100]) {
            for on in [0u32, 1, 2, 5, 15, 127, 128, 255] {
                let on = (0..8).filter(|n| start + n < PAGE).map(|n| on & 1 << n).sum::<u32>();
                let mut out = [0u8; 8];
                out[..4].copy_from_slice(&on.to_le_bytes());
                // SAFETY: lanes that are on are within the first page, and the code writes eight bytes.
                unsafe { entry(pages.as_ptr().wrapping_add(start).cast(), out.as_mut_ptr().cast()) };
                let expected: [u8; 8] =
                    std::array::from_fn(|n| if on >> n & 1 == 1 { ((start + n) * 5) as u8 } else { 7 });
                assert_eq!(out, expected, "from {start}, lanes {on:b}");
            }
        }
    }
}

/// A machine whose gathers are microcode, and whether this one can run its code.
#[cfg(target_arch = "x86_64")]
fn slow_at_gathers() -> (HostMachine, bool) {
    let runs = is_x86_feature_detected!("avx512vbmi2") && is_x86_feature_detected!("avx512bf16");
    (HostMachine::named("znver4").unwrap(), runs)
}

/// A gather from the first block at indices that `body` gives as `v9` (`lanes` of them, from the number at its begin), and
/// a scatter of what it found to the same places of the second; what both find, for each begin.
#[cfg(target_arch = "x86_64")]
fn check_slow(lanes: u8, body: &str, begins: &[i32], index: impl Fn(i32, i32) -> i32, rows: usize) {
    let (ints, floats) = (Type::I32.vector(lanes).unwrap(), Type::F32.vector(lanes).unwrap());
    let (longs, mask) = (Type::I64.vector(lanes).unwrap(), Type::I1.vector(lanes).unwrap());
    let module = parse(&format!(
        "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @both(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: {ints} = splat v2
  v4: {ints} = iota
{body}
  v11: {longs} = shl v9, {longs}:2
  v12: ptr = ptradd v0, i64:1024
  v13: {floats} = gather align 4 v12, v11, {mask}:true, {floats}:0
  v14: ptr = ptradd v1, i64:1024
  scatter align 4 v14, v11, {mask}:true, v13
  return\n}}\n"
    ));
    let (machine, runs) = slow_at_gathers();
    let compiled = llvm::compile(&module, &machine, &Options { entries: &["both"], ..Options::default() }).unwrap();
    let text = compiled.llvm_ir();
    assert!(text.lines().all(|l| l.starts_with("declare") || !l.contains("masked.")), "{text}");
    let (loads, stores) = (text.matches("= load ").count() - 1, text.matches("  store ").count());
    assert_eq!((loads, stores), (rows, rows), "{text}");
    if !runs {
        return;
    }
    let jit = compiled.jit(&[]).unwrap();
    let entry = jit.entry("both").unwrap();
    for &begin in begins {
        let mut block = vec![begin];
        block.extend((1..1024).map(|n| (n as f32).to_bits() as i32));
        let mut out = [0.0f32; 1024];
        // SAFETY: indices lie between -256 and 768, so all is within the two blocks.
        unsafe { entry(block.as_ptr().cast(), out.as_mut_ptr().cast()) };
        let mut expected = [0.0f32; 1024];
        for lane in 0..i32::from(lanes) {
            let at = (256 + index(begin, lane)) as usize;
            expected[at] = at as f32;
        }
        assert_eq!(out, expected, "from {begin}");
    }
}

/// Zen 4 gathers 16 floats in twice the time of 16 loads: transposes through local memory waited for nothing else. What is
/// scattered here was gathered: a first version kept the gather as the scatter's operand, and LLVM crashed.
#[cfg(target_arch = "x86_64")]
#[test]
fn gathers_of_all_lanes_were_left_to_microcode() {
    let (ints, longs) = (Type::I32.vector(16).unwrap(), Type::I64.vector(16).unwrap());
    let low = format!("  v5: {ints} = and v4, {ints}:7\n  v6: {ints} = lshr v4, {ints}:3");
    let wide = |v: &str| format!("  v8: {longs} = sext {v}\n  v10: i64 = sext v2\n  v20: {longs} = splat v10");
    // Pairs of neighbours, 33 elements apart.
    let body = format!(
        "{low}\n  v7: {ints} = mul v5, {ints}:33\n  v15: {ints} = add v7, v6\n{}\n  v9: {longs} = add v8, v20",
        wide("v15")
    );
    check_slow(16, &body, &[0, 1, 250, -9], |b, l| (l & 7) * 33 + (l >> 3) + b, 8);
    // Two rows of eight.
    let body = format!(
        "{low}\n  v7: {ints} = mul v6, {ints}:72\n  v15: {ints} = add v7, v5\n{}\n  v9: {longs} = add v8, v20",
        wide("v15")
    );
    check_slow(16, &body, &[0, 3, -200], |b, l| (l >> 3) * 72 + (l & 7) + b, 2);
    // Lanes a constant away from each other, but no neighbours.
    let body = format!("  v7: {ints} = mul v4, {ints}:-11\n{}\n  v9: {longs} = sub v20, v8", wide("v7"));
    check_slow(16, &body, &[0, 7, 400], |b, l| b + 11 * l, 16);
}

/// Lanes a constant apart, from a place that moves around a loop: LLVM adds the constants before the loop, and what was a sum of
/// vectors was taken out lane by lane (a tile of a matrix in local memory, read along its rows: twice as long).
#[cfg(target_arch = "x86_64")]
#[test]
fn places_that_move_around_a_loop_left_their_vector() {
    let (longs, floats) = (Type::I64.vector(8).unwrap(), Type::F32.vector(8).unwrap());
    let mask = Type::I1.vector(8).unwrap();
    let module = parse(&format!(
        "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @moves(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: {longs} = iota
  v4: {longs} = mul v3, {longs}:44
  v5: ptr = ptradd v0, i64:4
  jump block1({floats}:0, i32:0)
block1(v6: {floats}, v7: i32):
  v8: i64 = sext v7
  v9: i64 = shl v8, i64:2
  v10: ptr = ptradd v5, v9
  v11: {floats} = gather align 4 v10, v4, {mask}:true, {floats}:0
  v12: {floats} = fadd v6, v11
  v13: i32 = add v7, i32:1
  v14: i1 = icmp slt v13, v2
  br v14, block1(v12, v13), block2
block2:
  store align 4 v1, v12
  return\n}}\n"
    ));
    let (machine, runs) = slow_at_gathers();
    let compiled = llvm::compile(&module, &machine, &Options { entries: &["moves"], ..Options::default() }).unwrap();
    let text = compiled.llvm_ir();
    assert!(text.contains("insertelement") && !text.contains("extractelement"), "{text}");
    if !runs {
        return;
    }
    let jit = compiled.jit(&[]).unwrap();
    let entry = jit.entry("moves").unwrap();
    for rounds in [1, 2, 11] {
        let mut block = vec![rounds];
        block.extend((0..100).map(|n| (n as f32).to_bits() as i32));
        let mut out = [0.0f32; 8];
        // SAFETY: the code reads at most element 77 + 10 of the hundred, and writes eight numbers.
        unsafe { entry(block.as_ptr().cast(), out.as_mut_ptr().cast()) };
        let expected: [f32; 8] = std::array::from_fn(|l| (0..rounds).map(|i| (11 * l as i32 + i) as f32).sum());
        assert_eq!(out, expected, "{rounds} rounds");
    }
}

/// Two lanes, whose indices are one word, crashed LLVM. Indices of which nothing is known leave their vector two at a time; their sums wrap at 32 bits, and they are signed or not as they were.
#[cfg(target_arch = "x86_64")]
#[test]
fn indices_that_wrap_are_not_taken_for_constants_apart() {
    for lanes in [2u8, 8, 16] {
        let (ints, longs) = (Type::I32.vector(lanes).unwrap(), Type::I64.vector(lanes).unwrap());
        // Steps through all of 32 bits: begin + lane * 2^28 + … wraps, and what is left are the low bits.
        let body = format!(
            "  v5: {ints} = mul v4, {ints}:268435461\n  v6: {ints} = add v5, v3\n  v7: {ints} = and v6, {ints}:511\n  v9: {longs} = zext v7"
        );
        let of = |b: i32, l: i32| l.wrapping_mul(268_435_461).wrapping_add(b) & 511;
        check_slow(lanes, &body, &[0, 5, i32::MAX, i32::MIN, -1], of, lanes.into());
        let body = format!(
            "  v5: {ints} = sub v3, v4\n  v6: {ints} = ashr v5, {ints}:24\n  v7: {ints} = add v6, v4\n  v9: {longs} = sext v7"
        );
        let of = |b: i32, l: i32| (b.wrapping_sub(l) >> 24) + l;
        check_slow(lanes, &body, &[0, 5, i32::MAX, i32::MIN, i32::MIN + 3, -1], of, lanes.into());
    }
}

/// LLVM took the upper half of two such indices in one word for zero, and the address was anywhere.
#[test]
fn masked_and_flipped_indices_were_not_extended() {
    let (ints, longs) = (Type::I32.vector(4).unwrap(), Type::I64.vector(4).unwrap());
    let mask = Type::I1.vector(4).unwrap();
    let module = parse(&format!(
        "module \"t\"\nmath prec_div prec_sqrt fmad\nfn @flipped(ptr, ptr) {{\nblock0(v0: ptr, v1: ptr):
  v2: i32 = load align 4 v0
  v3: {ints} = splat v2
  v4: {ints} = iota
  v5: {ints} = add v3, v4
  v6: {ints} = and v5, {ints}:7
  v7: {ints} = xor v6, {ints}:1
  v8: {longs} = sext v7
  v9: {longs} = shl v8, {longs}:3
  v10: ptr = ptradd v0, i64:8
  v11: {longs} = gather align 8 v10, v9, {mask}:true, {longs}:0
  store align 8 v1, v11
  return\n}}\n"
    ));
    let (machine, runs) = slow_at_gathers();
    let compiled = llvm::compile(&module, &machine, &Options { entries: &["flipped"], ..Options::default() }).unwrap();
    if !runs {
        return;
    }
    let jit = compiled.jit(&[]).unwrap();
    let entry = jit.entry("flipped").unwrap();
    for begin in [0, 3, 250, -9] {
        let block: [i64; 9] = std::array::from_fn(|n| if n == 0 { begin } else { n as i64 * 100 });
        let mut out = [0i64; 4];
        // SAFETY: the code reads the block, and writes four numbers.
        unsafe { entry(block.as_ptr().cast(), out.as_mut_ptr().cast()) };
        let expected: [i64; 4] = std::array::from_fn(|n| (((begin + n as i64) & 7 ^ 1) + 1) * 100);
        assert_eq!(out, expected, "from {begin}");
    }
}
