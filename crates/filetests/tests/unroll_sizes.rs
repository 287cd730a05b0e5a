//! Sizes of loops as nvcc 13.5 counts them for sm_90 (its "estimated unrolled loop size" of 4096 rounds): members of
//! structures, elements of elements, copies of whole vectors.

use unspool::{Dialect, Emit, Input, Options};

/// What a loop does, and its size.
const ROWS: &[(&str, &str)] = &[
    // One member is one address; the structure's size is no factor of the index.
    ("x += v[i].b;", "7"),
    ("x += v[i].a;", "7"),
    ("x += v[i + j].b;", "8"),
    ("x += w[i].x[2];", "7"),
    // Each member has its own.
    ("x += v[i].b * v[i].c;", "10"),
    ("x += v[i].a * v[i].b * v[i].d;", "13"),
    ("v[i].a = x; v[i].b = x; v[i].c = x;", "10"),
    ("x += v[i * j].a * v[i * j].b * v[i * j].c;", "14"),
    // An element of an element is one address.
    ("x += w[i].x[j];", "7"),
    ("x += t[i].t[j];", "7"),
    ("x += rows[i][j];", "7"),
    ("x += q[i].v[j].b + q[i].v[j].d;", "10"),
    ("x += q[i].v[(i + j) & 3].b + q[i].v[2].d;", "13"),
    // A member's offset is no part of an index.
    ("x += t->t[i];", "7"),
    ("x += p->a[i];", "7"),
    ("x += p->a[i * j];", "8"),
    // Products that are written, and pointers that are moved by them.
    ("x += f[i * 4096];", "8"),
    ("x += f[i * 4096 + j];", "9"),
    ("const float *g = f + i * 64; x += g[j];", "9"),
    // One access copies a whole vector.
    ("float4 e = f4[i]; x += e.x * e.y * e.z;", "9"),
    ("float4 e = f4[i]; x += e.y;", "7"),
    ("float2 e = f2[i]; x += e.x * e.y;", "8"),
    ("x += f4[i].x * f4[i].y * f4[i].z;", "13"),
    ("S e = v[i]; x += e.a * e.b * e.c;", "13"),
    ("A e = al[i]; x += e.a * e.b * e.c;", "9"),
    // Mathematics counts as much as nvcc's functions do, not as ours do.
    ("x += expf(f[i]);", "19"),
    ("x += logf(f[i]);", "36"),
    ("x += erff(f[i]);", "32"),
    ("x += tanhf(expf(f[i]));", "36"),
];

const HEAD: &str = "struct S { float a, b, c, d; }; struct T { float t[4096]; }; struct W { float x[3]; };\n\
    struct P { float pad[16]; float a[4096]; int n; }; struct Q { S v[4]; int k; };\n\
    struct __align__(16) A { float a, b, c, d; };\n";

fn size_of(body: &str, arch: &str) -> String {
    let text = format!(
        "{HEAD}__global__ void k(float *o, S *v, const W *w, const T *t, const float (*rows)[4096], const Q *q, const P *p,\n\
         const float *f, const float4 *f4, const float2 *f2, const A *al, float x, int j, long long big, int m,\n\
         const int *at) {{ __shared__ float tile[8192]; tile[threadIdx.x] = f[threadIdx.x]; __syncthreads();\n\
         for (int i = 0; i < 4096; i++) {{ {body} }}\n o[threadIdx.x] = x + big; }}"
    );
    let mut options = Options::new(Dialect::CUDA);
    options.explain = true;
    options.set_arch(arch.parse().expect("an architecture"));
    let out = unspool::compile_with_log(&Input::text("sizes.cu", &text), &options, &Emit::PTX);
    let look = out.session.ledger.loops().first().unwrap_or_else(|| panic!("no loop in {body}"));
    look.facts.iter().find(|f| f.0 == "size").map_or_else(String::new, |f| f.1.clone())
}

/// Operations of 64 bits, and their sizes for sm_90 and sm_100.
const WIDE: &[(&str, &str, &str)] = &[
    ("x += f[i]; big ^= 12345;", "8", "9"),
    ("x += f[i]; big = big * 5 + i;", "9", "11"),
    ("x += f[i]; big = big >> 1;", "8", "8"),
    ("x += f[i]; big = j - big;", "8", "8"),
    ("x += f[i + big];", "8", "9"),
];

#[test]
fn sums_products_and_logic_of_64_bits_count_twice_for_sm_100() {
    for &(body, narrow, wide) in WIDE {
        assert_eq!((size_of(body, "sm_90").as_str(), size_of(body, "sm_100").as_str()), (narrow, wide), "{body}");
    }
}

/// Checks bodies with their sizes.
#[track_caller]
fn count_for_sm_90(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|&(body, size)| {
            let ours = size_of(body, "sm_90");
            (ours != size).then(|| format!("{body} counts {ours}, not {size}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn members_and_copied_vectors_count_as_measured() {
    count_for_sm_90(ROWS);
}

/// Sums in indices, as Reassociate leaves them for sm_90, too, and their sizes.
const SUMS: &[(&str, &str)] = &[
    ("x += f[j + i];", "8"),
    // What is known before the loop is joined there, and so is a constant.
    ("x += f[j + i + 9];", "8"),
    ("x += f[i + 9 + j];", "8"),
    ("x += f[j + i + m];", "8"),
    ("x += f[i * j + m - 9];", "9"),
    ("x += f[j - i - 9];", "8"),
    // A complement is one operation.
    ("x += f[j - i - 1];", "9"),
    // An index that several addresses add constants to is computed for itself.
    ("x += f[j + i + 9] + f[j + i + 5];", "14"),
    // What is loaded is not known before.
    ("x += f[at[i] + 9];", "11"),
    ("x += f[at[i] + j + 9];", "11"),
    // In the memory of a group all is one sum of 32 bits.
    ("x += tile[j + i + 9];", "7"),
    ("float *t = tile + j; x += t[i];", "7"),
    ("float *t = tile + j; x += t[i + 9];", "7"),
    ("float *t = tile + j; x += t[i + m + 9];", "7"),
    ("float *t = tile + j * 4; x += t[i] + t[i + 64];", "11"),
    // Common factors are taken out.
    ("x += f[j + m * j + i * m];", "10"),
    // Products by a constant take constants out of sums.
    ("big ^= (j + i + 9) * 3;", "8"),
];

/// Functions of two arguments, of which a constant one leaves less.
const OF_TWO: &[(&str, &str)] = &[
    ("x += powf(f[i], 2.0f);", "93"),
    ("x += powf(f[i], 0.5f);", "93"),
    ("x += powf(2.0f, f[i]);", "42"),
    ("x += atan2f(f[i], 3.7f);", "35"),
    ("x += atan2f(3.7f, f[i]);", "46"),
    ("x += hypotf(f[i], 3.7f);", "29"),
    ("x += nextafterf(f[i], 3.7f);", "37"),
];

#[test]
fn constant_arguments_of_mathematics_count_as_measured() {
    count_for_sm_90(OF_TWO);
}

#[test]
fn sums_count_for_sm_90_as_reassociate_leaves_them() {
    count_for_sm_90(SUMS);
}

#[test]
fn for_sm_100_pieces_of_a_copied_vector_count_each_and_members_addresses_nothing() {
    assert_eq!(size_of("float4 e = f4[i]; x += e.x * e.y * e.z;", "sm_100"), "11");
}
