//! What copies of whole objects count for sm_100, by the padding at which nvcc 13.5 makes two copies of a loop instead of four: one
//! product more each (`docs/unrolling.md`).

use unspool::{Dialect, Emit, Input, Options};

const TYPES: &str = "\
template <class T> struct __align__(16) Packed {
    Packed() = default;
    __device__ explicit Packed(int4 bits) { memcpy(&payload, &bits, sizeof bits); }
    __device__ T &operator[](int i) { return payload[i]; }
    __device__ const T &operator[](int i) const { return payload[i]; }
    __device__ int4 get_bits() const { int4 bits; memcpy(&bits, &payload, sizeof bits); return bits; }
    T payload[16 / sizeof(T)];
};
struct Three { float x, y, z; };
struct Padded { double d; int i; };
struct Eight { float m[8]; };
struct Twelve { float m[12]; };
struct Large { float m[40]; };
template <class T> __device__ Packed<T> load(const T *a) { return Packed<T>{*reinterpret_cast<const int4 *>(a)}; }
template <class T> __device__ void store(T *a, Packed<T> v) { *reinterpret_cast<int4 *>(a) = v.get_bits(); }
";

/// The object type, the loop's body, and how many products are the first that make two copies of four.
const ROWS: &[(&str, &str, usize)] = &[
    ("float", "S[c] = X[c];", 45),
    ("float2", "S[c] = X[c];", 43),
    ("int4", "S[c] = X[c];", 39),
    ("char4", "S[c] = X[c];", 39),
    ("double2", "S[c] = X[c];", 43),
    ("Three", "S[c] = X[c];", 41),
    // Four bytes of padding are copied as bytes.
    ("Padded", "S[c] = X[c];", 35),
    ("Eight", "S[c] = X[c];", 31),
    ("Twelve", "S[c] = X[c];", 23),
    ("Large", "S[c] = X[c];", 39),
    ("Packed<float>", "S[c] = X[c];", 39),
    ("Packed<short>", "S[c] = X[c];", 31),
    ("int4", "int4 v = X[c]; S[c] = v; u += v.x;", 37),
    ("float", "store(S + c, load(X + c));", 39),
    // A loop inside, straight-line code by then: what it fills and reads is memory still.
    ("Packed<float>", "auto x = X[c]; for (int k = 0; k < 4; k++) u += x[k];", 39),
    ("Packed<float>", "auto x = X[c]; for (int k = 0; k < 4; k++) u += (x[k] - y) * (x[k] - y);", 27),
    ("Packed<float>", "auto x = X[c]; Packed<float> o; for (int k = 0; k < 4; k++) o[k] = x[k] * y; S[c] = o;", 34),
    ("Packed<float>", "Packed<float> o; for (int k = 0; k < 4; k++) o[k] = y; S[c] = o;", 43),
];

/// How many copies of the outer loop are made.
fn copies(ty: &str, body: &str, products: usize) -> u32 {
    let padding = "u = u * y; ".repeat(products);
    let text = format!(
        "{TYPES}__global__ void k({ty} *S, const {ty} *X, float *f, float y, int C) {{\n\
         float u = f[0]; for (int c = threadIdx.x; c < C; c += 32) {{ {body} {padding} }} f[1] = u; }}"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch("sm_100".parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("objects.cu", &text), &options, &Emit::PTX);
    // A loop inside is straight-line code.
    let look = out.session.ledger.loops().iter().find(|l| l.kind == "runtime");
    look.map_or(1, |l| l.copies)
}

#[test]
fn copies_of_objects_count_each_scalar() {
    let mut wrong = String::new();
    for &(ty, body, two) in ROWS {
        let got = [two - 1, two].map(|n| copies(ty, body, n));
        if got != [4, 2] {
            wrong.push_str(&format!(
                "{ty}: {body} {got:?} copies with {} and {two} products, nvcc makes 4 and 2\n",
                two - 1
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
