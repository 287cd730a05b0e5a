//! Variables of a program: set before a launch, written after it.

use crate::user::{Dir, floats, npy};

const COUNTS: &str = "__device__ int total = 100;
__constant__ float scale[4];
namespace stats { __device__ unsigned long long most; }
__device__ const int fixed = 3;
extern \"C\" __global__ void count(float *out, int by) {
    static __device__ int calls = 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&total, by);
    atomicMax(&stats::most, (unsigned long long)i);
    if (i == 0) calls += 1;
    out[i] = scale[i % 4] + fixed;
}
extern \"C\" __global__ void show(int *out) { *out = total; }
";

#[test]
fn device_variables_are_set_before_a_launch_and_written_after_it() {
    let d = Dir::new("symbols");
    d.write("k.cu", COUNTS);
    let line = "k.cu -k count --grid 4 --block 8 --arg out:f32:32 --arg 2 --symbol scale=1,2,3,4 --symbol stats::most=7 \
                --symbol-out total=total.txt --symbol-out most=most.npy --symbol-out scale=- --symbol-out count::calls=-";
    d.everywhere(line, |ran, way| {
        assert_eq!(ran.succeeds(way).out, "1\n2\n3\n4\n2\n", "{way}");
        assert_eq!(d.text("total.txt"), "164\n", "{way}");
        assert_eq!(d.bytes("most.npy"), npy("<u8", "(1,)", &31u64.to_le_bytes()), "{way}");
    });
    // Another kernel of the program; contents from generators and files; results are those of the first launch.
    d.write("four.npy", npy("<f4", "(4,)", &floats([0.5; 4])));
    for (set, want) in [
        ("iota:f32:4", "3\n"),
        ("four.npy", "3.5\n"),
        ("2.5", "5.5\n"),
        ("hex:0000803f0000803f0000803f0000803f", "4\n"),
    ] {
        let line = format!("k.cu -k count --grid 1 --block 1 --arg out:f32:1 --arg 0 --symbol scale={set} --out -");
        d.everywhere(&line, |ran, way| assert_eq!(ran.succeeds(way).out, want, "{way} {set}"));
    }
    d.everywhere("k.cu -k show --grid 1 --arg out:1 --symbol total=-5 --out -", |ran, way| {
        assert_eq!(ran.succeeds(way).out, "-5\n", "{way}");
    });
    let again = "k.cu -k count --grid 1 --block 8 --arg out:f32:8 --arg 1 --repeat 3 --symbol-out total=-";
    d.everywhere(again, |ran, way| assert_eq!(ran.succeeds(way).out, "108\n", "{way}"));
}

#[test]
fn symbols_that_are_no_variables_are_refused() {
    let d = Dir::new("no-symbols");
    d.write("k.cu", COUNTS);
    let fails = |option: &str, code: i32, words: &[&str]| {
        d.run(&format!("k.cu -k show --grid 1 --arg out:1 --check {option}")).fails(code, words);
    };
    fails("--symbol totl=1", 1, &["E0717", "no variable `totl`", "did you mean `total`", "`stats::most`"]);
    fails("--symbol fixed=1", 1, &["E0717", "variable `fixed` is part of the kernels' code"]);
    fails("--symbol total=x", 1, &["E0706", "variable `total` (int)", "`x` is no number"]);
    fails("--symbol scale=1,2", 1, &["E0706", "variable `scale`", "2 numbers given, it has 4 components"]);
    fails("--symbol scale=iota:f32:8", 1, &["32 bytes given, it has 16"]);
    fails("--symbol scale=iota:i64:2", 1, &["E0706", "variable `scale`", "numbers of type i64"]);
    fails("--symbol total", 2, &["--symbol NAME=ARG"]);
    fails("--symbol-out total=x.pdf", 2, &["must end in .npy"]);
}
