//! What nvcc 13.5 for sm_100 counts of sums and products, of loads that a condition repeats, and the factors of loops with
//! conditions in conditions. Measured with padded loops: the factor changes where the size passes a limit.

use unspool::{Dialect, Emit, Input, Options};

/// What a loop does, and its size for sm_100.
const SIZES: &[(&str, &str)] = &[
    ("x += g[i + y*X];", "9"),
    // Common factors are taken out of sums.
    ("x += g[i + j*X + y*X];", "10"),
    ("x += g[i + j*X + y*X*Y];", "11"),
    ("x += g[i + y*X + j*X*Y];", "10"),
    ("x += g[y*X*Y + j*X + i];", "11"),
    ("x += g[i + j*X + B*X*Y + y*X*Y*B];", "13"),
    ("x += g[i + (j+B)*X + y*X*Y];", "11"),
    ("x += g[i*X + y*X];", "9"),
    ("x += g[i + y*X + y*Y];", "9"),
    ("x += g[i + j*4 + y*4];", "10"),
    // A counter is no product.
    ("x += g[y + y*X];", "9"),
    // What is known before the loop is joined there.
    ("x += g[y*X*Y];", "8"),
    ("x += g[i + y*X*Y];", "9"),
    ("x += g[y + i + j];", "8"),
    ("x += g[i + y + j];", "8"),
    ("x += g[i + j + y];", "8"),
    ("x += g[i + y*X - j];", "9"),
    ("x += g[i - y*X + j];", "9"),
    ("x += g[y*4*X + i];", "9"),
    ("x += g[p[y] + i + j];", "11"),
    ("x += g[p[y]*X*Y + i*X];", "13"),
    // In 64 bits each counts twice.
    ("x += g[big*y*X + i];", "11"),
    ("x += g[i + y*big + j*big];", "13"),
    // Memory is read again where a condition stands between, and its branch stays for that.
    ("if (x > g[y]) x = g[y];", "10"),
    ("float v = g[y]; if (x > v) x = v;", "8"),
    ("if (g[y] < 0) x += g[y];", "11"),
    ("float v = g[y]; if (v < 0) x += v;", "9"),
    ("x += g[y] * g[y];", "8"),
    ("if (r[y] > 0) x += r[y];", "11"),
    ("if (g[y] > 0 && g[y] < s) x += 1;", "13"),
    ("a = max(a, p[y]);", "7"),
    // A complement is one operation, and of several subtractions one counts.
    ("x += g[i - y - 1];", "9"),
    // What is loaded again is merged, what is computed from it stays.
    ("x += (g[y] - s) * (g[y] - s);", "10"),
    // A constant added to a loaded index.
    ("x += g[p[y] + 1];", "11"),
];

/// What a loop does, and how many copies nvcc makes of it for sm_100.
const COPIES: &[(&str, u32)] = &[
    ("if (g[y] > 0) x += h[y]; if (g[y] < 0) x -= h[y];", 8),
    ("if (g[y] > 0) x += h[y]; else x -= g[y];", 8),
    ("if (g[y] > 0) { if (h[y] < s) x += 1; }", 8),
    ("float v = g[y]; if (v > 0) { if (v < s) x += h[y]; }", 8),
    ("float v = g[y]; if (v > 0 || v < s) x += h[y];", 8),
    ("if (g[y] > 0) { if (h[y] < s) x /= s; }", 8),
    // Conditions in conditions: as for sm_90.
    ("if (g[y] > 0) { if (h[y] < s) x += h[y]; }", 4),
    ("if (g[y] > 0) { x += h[y]; if (x < s) x += h[y+1]; }", 4),
    ("if (g[y] > 0 || g[y] < s) x += h[y];", 4),
    ("float v = g[y]; if (v > 0) { x += h[y]; } else if (v < s) { x -= h[y+1]; }", 4),
    ("if (y > X) { x += h[y]; if (y < Y) x += h[y+1]; }", 4),
];

/// The size of a loop that runs `N` times, and the copies made of it.
fn decided(body: &str) -> (String, u32) {
    let text = format!(
        "__global__ void k(float *o, float *g, float *h, int *p, const float *__restrict__ r, int N, int X, int Y, int B, int i,\n\
         int j, float s, long long big) {{ float x = 0; int a = p[7];\n\
         for (int y = 0; y < N; y++) {{ {body} }}\n o[N] = x + a; }}"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch("sm_100".parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("sums.cu", &text), &options, &Emit::PTX);
    let look = out.session.ledger.loops().first().unwrap_or_else(|| panic!("no loop in {body}"));
    let size = look.facts.iter().find(|f| f.0 == "size").map_or_else(String::new, |f| f.1.clone());
    (size, look.copies)
}

#[test]
fn sums_and_repeated_loads_count_as_nvcc_counts_them_for_sm_100() {
    for &(body, size) in SIZES {
        assert_eq!(decided(body).0, size, "{body}");
    }
}

#[test]
fn conditions_in_conditions_keep_the_factors_for_sm_90() {
    for &(body, copies) in COPIES {
        assert_eq!(decided(body).1, copies, "{body}");
    }
}
