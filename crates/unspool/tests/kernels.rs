//! What a host learns of kernels.

use launch::kernels::{Element, KernelInfo, ParamKind, Scalar, Space};
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

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

/// darktable's kernels take a pattern as a pointer to rows: its type was said to be `uchar**`.
#[test]
fn pointers_to_arrays_are_not_named_as_pointers_to_pointers() {
    let text = "kernel void k(global const unsigned char (*const rows)[6], global float (*a)[3][2 * 2], global float4 m[2][4]) {}";
    let options = Options { kernel_info: true, ..Options::host(Dialect::OPENCL) };
    let out = compile(&Input::text("k", text), &options, &Emit::Nothing);
    let names: Vec<_> = out.kernels.iter().flat_map(|k| &k.params).map(|p| p.type_name.as_str()).collect();
    assert_eq!(names, ["uchar(*)[6]", "float(*)[3][2*2]", "float4(*)[4]"]);
}

/// What `clGetKernelArgInfo` answers; the cases are those of its table in the specification.
#[test]
fn arguments_as_the_host_api_names_them() {
    use launch::kernels::{Access, Address, ImageDims, TypeQualifiers};
    let text = "typedef float4 colour; struct S { int a; }; typedef struct S Sty;
        kernel void k(global const volatile unsigned int * restrict a, constant colour *b, local struct S *c,
                      const unsigned short d, global void *e, unsigned f, long unsigned g, char unsigned h,
                      global Sty *i, global size_t *j, signed char l, global float m[4], global int *const n,
                      read_only image2d_t o, write_only image3d_t p, image1d_t q, sampler_t r) {}";
    let out = compile(
        &Input::text("k", text),
        &Options { kernel_info: true, ..Options::host(Dialect::OPENCL) },
        &Emit::Nothing,
    );
    let all = &out.kernels[0].params;
    let names: Vec<_> = all.iter().map(|p| p.type_name.as_str()).collect();
    assert_eq!(
        names,
        [
            "uint*",
            "colour*",
            "struct S*",
            "ushort",
            "void*",
            "uint",
            "ulong",
            "uchar",
            "Sty*",
            "size_t*",
            "char",
            "float*",
            "int*",
            "image2d_t",
            "image3d_t",
            "image1d_t",
            "sampler_t"
        ]
    );
    let none = TypeQualifiers::default();
    let full = TypeQualifiers { is_const: true, is_restrict: true, is_volatile: true, is_pipe: false };
    assert_eq!((all[0].address, all[0].access, all[0].qualifiers), (Address::Global, Access::None, full));
    let constant = TypeQualifiers { is_const: true, ..none };
    assert_eq!((all[1].address, all[1].qualifiers), (Address::Constant, constant));
    assert_eq!((all[2].address, all[2].qualifiers), (Address::Local, none));
    assert_eq!((all[3].address, all[3].qualifiers), (Address::Private, none));
    assert_eq!(all[12].qualifiers, none);
    let images: Vec<_> = all[13..].iter().map(|p| (p.address, p.access)).collect();
    assert_eq!(
        images,
        [
            (Address::Global, Access::ReadOnly),
            (Address::Global, Access::WriteOnly),
            (Address::Global, Access::ReadOnly),
            (Address::Private, Access::None)
        ]
    );
    let kinds: Vec<_> = all[13..].iter().map(|p| p.kind.clone()).collect();
    let image = |access, dims| ParamKind::Image { access, dims };
    assert_eq!(
        kinds,
        [
            image(Access::ReadOnly, ImageDims::D2),
            image(Access::WriteOnly, ImageDims::D3),
            image(Access::ReadOnly, ImageDims::D1),
            ParamKind::Sampler
        ]
    );
}

#[test]
fn attributes_as_the_host_api_names_them() {
    let text = "#define N 8\ntypedef float4 T;
        __attribute__((vec_type_hint(T))) __attribute__(( reqd_work_group_size( N , 2*2,\n1 ) )) kernel void a() {}
        kernel __attribute__((__work_group_size_hint__(16, 1, 1), vec_type_hint(unsigned int))) void b() {}
        kernel void c() {}
        __attribute__((reqd_work_group_size(1,1,1))) kernel void d();
        __attribute__((reqd_work_group_size(1,1,1))) kernel void d() {}";
    let all = kernels(Dialect::OPENCL, text);
    let attributes: Vec<_> = all.iter().map(|k| k.attributes.as_str()).collect();
    assert_eq!(
        attributes,
        [
            "vec_type_hint(float4) reqd_work_group_size(8,4,1)",
            "work_group_size_hint(16,1,1) vec_type_hint(uint)",
            "",
            "reqd_work_group_size(1,1,1)"
        ]
    );
    assert_eq!(all[0].reqd_work_group_size, Some([8, 4, 1]));
    let hint = all[0].vec_type_hint.as_ref().expect("given");
    assert_eq!((hint.type_name.as_str(), hint.width, hint.scalar_bytes), ("float4", 4, 4));
    assert_eq!(all[1].work_group_size_hint, Some([16, 1, 1]));
    assert_eq!(all[1].vec_type_hint.as_ref().map(|h| h.width), Some(1));
}

#[test]
fn information_survives_being_stored() {
    let mut all = kernels(Dialect::OPENCL, "kernel void k(global const float4 *x, local int *l, int n) {}");
    let text = serde_json::to_string(&all).expect("JSON");
    let back: Vec<KernelInfo> = serde_json::from_str(&text).expect("ours");
    for k in &mut all {
        k.span = source::Span::NONE;
        k.params.iter_mut().for_each(|p| p.span = source::Span::NONE);
    }
    assert_eq!(back, all);
}

#[test]
fn constant_variables_that_callers_may_set_are_loaded_and_not_folded() {
    let text = "__constant__ int set; __constant__ const int fixed = 40;
                extern \"C\" __global__ void k(int *p) { *p = set + fixed; }";
    let c = compile(&Input::text("k.cu", text), &Options::new(Dialect::CUDA), &Emit::PTX);
    let ptx = c.output().unwrap_or_default();
    assert!(ptx.contains("[set]") && !ptx.contains("[fixed]"), "{ptx}");
}
