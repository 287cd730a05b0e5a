//! Loops that stride through memory side by side, done in step, compute what they did: forms by hand, and random ones.
//! `UNSPOOL_FUZZ_PROGRAMS` sets another number of these, `UNSPOOL_FUZZ_SEED` the first seed.

mod support;

use filetests::Rng;
use support::{A, Launch, check, cl, i32s, int, zeros};
use unspool::Dialect;

/// Elements of the input, and of the first part of the output.
const N: usize = 600;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// A kernel ran the loop once for each vector, behind masks: 60 milliseconds instead of 9 for 2^24 floats.
#[test]
fn loops_over_arrays_in_steps_of_the_launch_are_rows() {
    let forms = [
        ("int i = get_global_id(0)", "get_global_size(0)"),
        ("unsigned i = get_group_id(0) * get_local_size(0) + get_local_id(0)", "get_local_size(0) * get_num_groups(0)"),
        ("size_t i = get_global_id(0)", "get_global_size(0)"),
        ("long i = get_local_id(0)", "get_local_size(0)"),
    ];
    for (first, step) in forms {
        let text = format!(
            "kernel void k(global int *out, global const int *in, int n) {{ int sum = 0;
            for ({first}; i < n; i += {step}) {{ out[i] = in[i] * 3; sum += in[i]; }}
            out[600 + get_global_id(0)] = sum; }}"
        );
        let w = cl(&text, &Launch::line(3, 32), &[zeros(700 * 4), i32s(N), int(577)]);
        assert!(w.lanes > 1 && w.figures.gathers == 0 && w.figures.tested == 0, "{text}: {w:?}");
    }
    let cuda = "__global__ void k(int *out, const int *in, int n) {
        int sum = 0;
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
            out[i] = in[i] * 3;
            sum ^= in[i];
        }
        atomicAdd(out + 600, sum);
    }";
    check(Dialect::CUDA, cuda, &Launch::line(3, 32), &[zeros(604 * 4), i32s(N), int(577)]);
}

/// An index that wraps goes on as before, for each work-item by itself.
#[test]
fn indices_that_wrap_are_each_work_items_own() {
    for (ty, n, step) in [
        ("int", 0x4000_0005, 0x4000_0001),
        ("unsigned", -0x1000_0000, 0x3800_0000),
        ("int", -3, 7),
        ("unsigned", 9, 1 << 30),
    ] {
        let text = format!(
            "kernel void k(global int *out, global const int *in, int n, unsigned step) {{ unsigned sum = 0, times = 0;
            for ({ty} i = get_global_id(0); i < ({ty})n; i += step) {{
                if (++times > 20) break;
            }}
            for ({ty} i = get_global_id(0); i < ({ty})n; i += step) {{
                sum = sum * 3 + (int)i;
                if (i < 96u) sum ^= in[i];
                
            }}
            for ({ty} i = get_global_id(0), t = 0; i < ({ty})n; i += step) {{ sum += i & 255; if (i < 96u) sum += in[i]; }}
            out[100 + get_global_id(0)] = sum + times; }}"
        );
        // A step that comes round for ever is none of these.
        cl(&text, &Launch::line(3, 32), &[zeros(200 * 4), i32s(N), int(n), int(step)]);
    }
}

/// A loop: how it counts.
fn header(rng: &mut Rng, n: usize) -> (String, &'static str) {
    let ty = ["int", "unsigned", "long", "size_t"][rng.below(4)];
    let first = [
        "get_global_id(0)",
        "get_group_id(0) * get_local_size(0) + get_local_id(0)",
        "get_local_id(0)",
        "get_local_id(0) + m",
        "m + (int)get_global_id(0)",
        "get_local_id(1) * get_local_size(0) + get_local_id(0)",
        "get_global_id(0) * 2",
    ][rng.below(7)];
    let step = [
        "get_global_size(0)",
        "get_local_size(0) * get_num_groups(0)",
        "get_local_size(0)",
        "get_local_size(0) * 2",
        "m + 1",
        "(m & 7) + get_local_size(0)",
        "3",
    ][rng.below(7)];
    let test = ["i# < n", "n > i#", "i# < (n & 511)", "!(i# >= n)"][rng.below(4)];
    let text = format!("for ({ty} i# = {first}; {test}; i# += {step})").replace('#', &n.to_string());
    (text, ty)
}

/// What a loop does in an iteration, in some order.
fn body(rng: &mut Rng, n: usize) -> String {
    let all = [
        "if ((in[i# % 600] & 7) == 3) continue;",
        "OUT[i# % 600] = in[i#] * 3 + #;",
        "acc += in[i# % 600] * C;",
        "if (in[i# % 600] & 1) acc ^= (int)i#;",
        "last = (int)i#;",
        "for (int k = 0; k < (in[i# % 600] & 3); k++) acc = acc * 5 + k;",
        "x += in[i#] * 0.5f;",
        "if (C == 5 && last > 400) acc += own[i# & 3]; else own[i# & 3] = acc;",
        "own[(i# + C) & 3] += (int)i#;",
        "{ unsigned t = last; last = acc; acc = t + C; }",
    ];
    let mut out = String::new();
    for _ in 0..1 + rng.below(4) {
        let s = all[rng.below(all.len())];
        out.push_str(&s.replace('C', &rng.below(9).to_string()).replace('#', &n.to_string()).replace("OUT", "out"));
        out.push(' ');
    }
    out
}

fn program(seed: u64) -> (String, Launch, Vec<A>) {
    let mut rng = Rng::new(seed ^ 0x57e9);
    let mut text = String::from(
        "kernel void k(global int *out, global const int *in, int n, int m) {\n\
         unsigned acc = 0, last = 700, own[4] = {1, 2, 3, 4}; float x = 0; int gid = get_global_id(0) + get_global_id(1) * get_global_size(0);\n",
    );
    for l in 0..1 + rng.below(2) {
        if rng.chance(25) {
            text.push_str("if (n > 100) ");
        } else if rng.chance(15) {
            text.push_str("if (get_local_id(0) > 3) ");
        }
        // What another work-item writes is not read: each loop writes a part of its own.
        let (head, _) = header(&mut rng, l);
        let body = body(&mut rng, l).replace("out[", &format!("out[{} + ", 1200 + 600 * l));
        text.push_str(&format!("{head} {{ {body}}}\n"));
        if rng.chance(40) {
            text.push_str("barrier(CLK_LOCAL_MEM_FENCE);\n");
        }
    }
    text.push_str("out[gid] = acc * 7 + last + own[acc & 3] + (int)x;\n}\n");
    let launch = [Launch::line(3, 45), Launch::line(2, 32), Launch::line(1, 7), Launch::new([2, 1, 1], [8, 4, 1])];
    let launch = launch[rng.below(4)].clone();
    // Of unsigned numbers a negative bound is one that is never reached.
    let unsigned = text.contains("unsigned") || text.contains("size_t");
    let n = [0, 1, 31, 577, 600, 300, -4][rng.below(if unsigned { 6 } else { 7 })];
    let m = [0, 1, 5, 63, 500][rng.below(5)];
    (text, launch, vec![zeros(2400 * 4), i32s(N * 4), int(n), int(m)])
}

#[test]
#[allow(clippy::print_stdout, reason = "a program that fails is found by what stands last")]
fn random_loops_in_step_agree_with_the_interpreter() {
    let (first, count) = (setting("UNSPOOL_FUZZ_SEED", 0), setting("UNSPOOL_FUZZ_PROGRAMS", 60));
    for seed in first..first + count {
        let (text, launch, args) = program(seed);
        println!("seed {seed}:\n{text}");
        cl(&text, &launch, &args);
    }
}
