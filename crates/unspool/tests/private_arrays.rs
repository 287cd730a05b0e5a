//! Which arrays of a work-item become registers.

use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

fn ptx(dialect: Dialect, text: &str) -> String {
    let out = compile(&Input::text("k", text), &Options::new(dialect), &Emit::PTX);
    let all: Vec<_> = out.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(out.succeeded(), "{all:?}");
    out.output().expect("text").to_owned()
}

/// The table becomes values first, and only then are the indices into the other array known.
#[test]
fn arrays_with_indices_from_a_table_stayed_in_memory() {
    let text = "void put(float2 *a, local float *to, int stride) {
          int order[] = {0, 2, 1, 3};
          for (int i = 0; i < 4; i++) to[i * stride] = a[order[i]].x;
        }
        kernel void k(global float2 *o, global const float *x, local float *l) {
          int t = get_local_id(0);
          float2 a[4];
          for (int i = 0; i < 4; i++) a[i] = o[i * 64 + t];
          for (int i = 0; i < 4; i++) a[i].x = x[i];
          put(a, l + t, 64);
          for (int i = 0; i < 4; i++) a[i].y = x[i + 4];
          put(a, l + t + 256, 64);
          for (int i = 0; i < 4; i++) o[i * 64 + t] = a[i] * 2.0f;
        }";
    let out = ptx(Dialect::OPENCL, text);
    assert!(!out.contains(".local"), "{out}");
    let text = "__global__ void k(float *o) {
          float a[4] = {o[0], o[1], o[2], o[3]};
          int order[4] = {3, 1, 0, 2};
          a[order[0]] += 1.0f;
          a[order[order[3]]] *= 2.0f;
          o[0] = a[order[1]]; o[1] = a[order[2]]; o[2] = a[0]; o[3] = a[3];
        }";
    let out = ptx(Dialect::CUDA, text);
    assert!(!out.contains(".local"), "{out}");
}
