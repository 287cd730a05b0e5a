//! What a host learns of kernels.

use unspool::kernels::{Element, KernelInfo, ParamKind, Scalar, Space};
use unspool::{Dialect, Emit, Input, Options, compile};

fn kernels(dialect: Dialect, text: &str) -> Vec<KernelInfo> {
    let options = Options { kernel_info: true, ..Options::new(dialect) };
    let out = compile(&Input::text("k", text), &options, &Emit::Ir);
    let all: Vec<_> = out.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(out.succeeded(), "{all:?}");
    out.kernels
}

fn pointer(space: Space, element: Option<Element>, element_bytes: u64, read_only: bool) -> ParamKind {
    ParamKind::Pointer { space, element, element_bytes, read_only }
}

const fn element(scalar: Scalar, count: u32, bytes: u64) -> Element {
    Element { scalar, count, bytes }
}

#[test]
fn parameters_of_opencl() {
    let text = "typedef struct { int a; float b; } Mixed; typedef struct { short a[3], b; } Shorts;
        kernel void k(global const float4 *x, local int *l, constant uchar *c, float3 v, Mixed m, Shorts s, double h,
                      global void *any, global Mixed *ms) {}";
    let all = kernels(Dialect::OPENCL, text);
    assert_eq!((all[0].name.as_str(), all[0].symbol.as_str()), ("k", "k"));
    let kinds: Vec<_> = all[0].params.iter().map(|p| p.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            pointer(Space::Global, Some(element(Scalar::F32, 4, 16)), 16, true),
            pointer(Space::Local, Some(element(Scalar::I32, 1, 4)), 4, false),
            pointer(Space::Constant, Some(element(Scalar::U8, 1, 1)), 1, true),
            ParamKind::Value(element(Scalar::F32, 3, 16)),
            ParamKind::Bytes { bytes: 8 },
            ParamKind::Value(element(Scalar::I16, 4, 8)),
            ParamKind::Value(element(Scalar::F64, 1, 8)),
            pointer(Space::Global, None, 1, false),
            pointer(Space::Global, None, 8, false),
        ]
    );
    assert_eq!(all[0].params[0].name, "x");
    assert!(all[0].params[0].ty.contains("float4"), "{}", all[0].params[0].ty);
}

#[test]
fn parameters_of_cuda_and_instances_of_templates() {
    let text = "struct Node { Node *next; int v; }; enum Kind { A };
        template <int N> __global__ void t(float4 *x, const bool *b) { x[0].x = N + b[0]; }
        template __global__ void t<3>(float4 *, const bool *);
        extern \"C\" __global__ void k(Node n, Kind a, unsigned long long u) {}";
    let all = kernels(Dialect::CUDA, text);
    let t = all.iter().find(|k| k.name == "t").expect("the instance");
    assert!(t.display.starts_with("t<3>") && t.symbol.starts_with("_Z"), "{t:?}");
    assert_eq!(t.params[0].kind, pointer(Space::Global, Some(element(Scalar::F32, 4, 16)), 16, false));
    assert_eq!(t.params[1].kind, pointer(Space::Global, Some(element(Scalar::Bool, 1, 1)), 1, true));
    let k = all.iter().find(|k| k.name == "k").expect("the other kernel");
    let kinds: Vec<_> = k.params.iter().map(|p| p.kind.clone()).collect();
    assert_eq!(kinds[0], ParamKind::Bytes { bytes: 16 });
    assert_eq!(kinds[2], ParamKind::Value(element(Scalar::U64, 1, 8)));
}
