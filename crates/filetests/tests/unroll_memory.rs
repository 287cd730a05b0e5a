//! Up to which size nvcc 13.5 for sm_100 makes 16, 8, 4 and 2 copies of a loop that reads memory: loads of shared memory
//! allow more, and which loads are left in the loop when it is decided is part of the size (`docs/unrolling.md`).

use unspool::{Dialect, Emit, Input, Options};

/// What a loop does, what follows, and the most additions `s = s + t` in between with which nvcc makes at least 16, 8, 4
/// and 2 copies; -1: not even without any.
type Row = (&'static str, &'static str, [i32; 4]);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("s += A[m]; s += B[m]; s += C[m];", "", [-1, 10, 40, 83]),
    ("s += A[m]; s += B[m]; s += C[m]; s += D[m]; s += E[m]; s += F[m]; s += G[m]; s += H[m];", "", [-1, 11, 49, 68]),
    ("s += r1[m]; s += A[m]; s += B[m];", "", [0, 14, 41, 82]),
    ("s += r1[m]; s += A[m]; s += B[m]; s += C[m]; s += A[m+c]; s += B[m+c]; s += C[m+c];", "", [-1, 1, 36, 69]),
    ("s += A[m];", "", [1, 9, 46, 89]),
    ("A[tx] = r1[m]; __syncthreads(); s += A[m];", "__syncthreads();", [1, 15, 42, 83]),
    ("s += A[m]; s += B[m]; s += C[m]; s += A[m+c]; s += B[m+c]; s += C[m+c];", "__syncthreads();", [-1, 8, 39, 72]),
    ("s += A[m] * B[m]; s += C[m] * A[m+c]; s += B[m+c] * C[m+c];", "", [-1, 9, 40, 73]),
    ("T[ty][tx] = r1[m]; V[ty][tx] = r2[m]; __syncthreads(); for (int k = 0; k < 4; k++) s += T[ty][k] * V[k][tx];", "__syncthreads();", [-1, -1, 47, 66]),
    ("T[ty][tx] = r1[m]; V[ty][tx] = r2[m]; __syncthreads(); for (int k = 0; k < 12; k++) s += T[ty][k] * V[k][tx];", "__syncthreads();", [-1, -1, 34, 34]),
    ("for (int k = 0; k < 8; k++) s += r1[m * 8 + k];", "", [-1, -1, 10, 51]),
    ("s -= T[tx][m] * T[m][c];", "", [0, 9, 43, 86]),
    ("T[tx][c] -= T[tx][m] * T[m][c];", "", [-1, 8, 42, 85]),
    ("s += A[m * 64 + tx];", "", [-1, 7, 44, 87]),
    ("w1[c+1] += (w1[m+m*n]-w1[c])*(w1[m+m*n]-w1[c]);", "", [-1, 13, 40, 81]),
    ("w1[c+1] += (w1[m+m*n]-w1[c]);", "", [1, 15, 42, 83]),
    ("w1[c+1] += w1[m+m*n];", "", [3, 17, 44, 85]),
    ("w1[c+1] += w1[m]*w1[c];", "", [3, 17, 44, 85]),
    ("w1[c+1] += w1[m]*w1[m];", "", [4, 18, 45, 86]),
    ("w1[c+1] += (w1[m]-t)*(w1[m]-t);", "", [2, 16, 43, 84]),
    ("s += (w1[m+m*n]-w2[c])*(w1[m+m*n]-w2[c]);", "", [1, 15, 42, 83]),
    ("w1[c+1] += (w2[m+m*n]-w2[c])*(w2[m+m*n]-w2[c]);", "", [-1, 12, 39, 80]),
    ("w1[c] += w1[m]*w1[c+1];", "", [3, 17, 44, 85]),
    ("w1[c] += w1[m];w1[c+1] += w1[m];", "", [2, 16, 43, 84]),
];

/// What all loops share.
const BEFORE: &str = "__global__ void k(float *__restrict__ g, const float *__restrict__ r1, const float *__restrict__ r2,\n\
    float *w1, float *w2, int n, int c, float t) {\n\
    __shared__ float A[4096], B[4096], C[4096], D[999], E[999], F[999], G[999], H[999], I[999], J[999], T[64][64], V[64][64];\n\
    int tx = threadIdx.x, ty = threadIdx.y; float s = 0;\n\
    A[tx] = t; B[tx] = t; C[tx] = t; D[tx] = t; E[tx] = t; F[tx] = t; G[tx] = t; H[tx] = t; I[tx] = t; J[tx] = t;\n\
    T[ty][tx] = t; V[ty][tx] = t; __syncthreads();\n";

fn copies(body: &str, tail: &str, additions: i32) -> u32 {
    let additions = "s = s + t; ".repeat(usize::try_from(additions).expect("a number of additions"));
    copies_of(&format!("for (int m = 0; m < n; m++) {{ {body} {additions} {tail} }}"), "sm_100")
}

fn copies_of(body: &str, arch: &str) -> u32 {
    let text = format!("{BEFORE} {body} g[ty] = s; }}");
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch(arch.parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("memory.cu", text), &options, &Emit::PTX);
    let errors: Vec<_> = out.session.diagnostics.iter().map(|d| d.message.to_string()).collect();
    assert!(out.succeeded(), "{body}: {errors:?}");
    let looks = out.session.ledger.loops();
    looks.last().unwrap_or_else(|| panic!("no loop in {body}")).copies.max(1)
}

#[test]
fn loads_of_shared_memory_and_loads_left_in_loops_decide_as_measured_for_sm_100() {
    let mut wrong = String::new();
    for &(body, tail, most) in ROWS {
        for (factor, most) in [16, 8, 4, 2].into_iter().zip(most) {
            let (fits, next) = (most < 0 || copies(body, tail, most) >= factor, copies(body, tail, most + 1) < factor);
            if !fits || !next {
                wrong.push_str(&format!(
                    "{body}: {factor} copies with {most} additions: {fits}, not with more: {next}\n"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Where the 32 copies that the early look makes are looked at again, an address in a variable counts, though it is known.
#[test]
fn known_addresses_in_shared_variables_count_when_straight_line_code_is_tried() {
    for (array, wanted) in [("A", 32), ("r1", 128)] {
        for arch in ["sm_90", "sm_100"] {
            let got = copies_of(&format!("for (int m = 0; m < 128; m++) s += {array}[m] * t;"), arch);
            assert_eq!(got, wanted, "{array} for {arch}");
        }
    }
}
