//! Images and samplers of OpenCL C: in the interpreter, one work-item after another, and in vectors, beside a plain model of
//! the specification's rules.

mod image_model;

use image_model::{Image, ORDERS, Random, SHAPES, TYPES, sampled, stored, texel};
use interp::{Arg as Seen, LaunchConfig, Limits, Machine};
use launch::image::{
    CLK_ADDRESS_CLAMP, CLK_ADDRESS_CLAMP_TO_EDGE, CLK_ADDRESS_MIRRORED_REPEAT, CLK_ADDRESS_NONE, CLK_ADDRESS_REPEAT,
    CLK_FILTER_LINEAR, CLK_FILTER_NEAREST, CLK_NORMALIZED_COORDS_FALSE, CLK_NORMALIZED_COORDS_TRUE, IMAGE_DESC_BYTES,
    ImageDesc,
};
use runtime::{Arg, Device, HostDevice, HostOptions, Kernel, Program, Run, Shape};
use std::sync::Arc;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

const CL2: Dialect = Dialect::OpenClC { version: 200 };

/// Work-items of a group; not all lanes of a vector are on.
const LOCAL: u32 = 13;

/// A kernel `k`, ready everywhere: one work-item after another, and in vectors.
struct Everywhere {
    program: Program,
    kernels: Vec<Arc<dyn Kernel>>,
}

/// An argument of a kernel under test.
enum Given<'a> {
    Image(&'a mut Image),
    Buffer(&'a mut Vec<u32>),
    Word(u32),
}

fn messages(text: &str) -> Vec<String> {
    let c = compile(&Input::text("k", text), &Options::host(CL2), &Emit::Nothing);
    c.session.diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

fn everywhere(text: &str) -> Everywhere {
    let mut c = compile(&Input::text("k", text), &Options::host(CL2), &Emit::Nothing);
    let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(all.is_empty(), "{all:?}");
    let program = Program::new(std::mem::take(&mut c.module), CL2);
    let device =
        |scalar| HostDevice::new(HostOptions { scalar, threads: Some(1), ..HostOptions::default() }).expect("a host");
    let kernels = [true, false].map(|scalar| {
        let d = device(scalar);
        d.prepare(&program, "k", [LOCAL, 1, 1], &mut c.session).unwrap_or_else(|e| panic!("{e}"))
    });
    let lanes = kernels.each_ref().map(|k| k.prepared().lanes);
    assert!(lanes[0] == 1 && lanes[1] > 1, "{lanes:?}: {:?}", kernels[1].prepared().reason);
    Everywhere { program, kernels: kernels.into() }
}

/// A description as it lies in memory.
fn bytes_of(d: &ImageDesc) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend([d.data, d.row_pitch, d.slice_pitch].iter().flat_map(|w| w.to_le_bytes()));
    let sizes = [d.width, d.height, d.depth, d.array_size];
    let words = sizes.into_iter().chain([d.channel_order, d.channel_type, d.element_size, d.kind, d.swizzle]);
    out.extend(words.flat_map(u32::to_le_bytes));
    out.resize(IMAGE_DESC_BYTES, 0);
    out
}

impl Everywhere {
    /// Runs `groups` groups of it everywhere; what it leaves in images and buffers is the same and goes to them.
    fn run(&self, groups: u32, given: &mut [Given<'_>]) {
        let want = self.interpreted(groups, given);
        for kernel in &self.kernels {
            let mut memory: Vec<Vec<u8>> = given.iter().map(Given::bytes).collect();
            let mut descriptions = Vec::new();
            for (g, m) in given.iter().zip(&mut memory) {
                let data = m.as_mut_ptr() as u64;
                descriptions.push(if let Given::Image(i) = g { i.description(data) } else { ImageDesc::default() });
            }
            let words: Vec<[u8; 4]> =
                given.iter().map(|g| if let Given::Word(w) = g { w.to_le_bytes() } else { [0; 4] }).collect();
            let args: Vec<Arg<'_>> = (0..given.len())
                .map(|n| match &given[n] {
                    Given::Image(_) => Arg::Pointer(std::ptr::from_mut(&mut descriptions[n]).cast()),
                    Given::Buffer(_) => Arg::Pointer(memory[n].as_mut_ptr()),
                    Given::Word(_) => Arg::Value(&words[n]),
                })
                .collect();
            let shape =
                Shape { work_dim: 1, groups: [groups, 1, 1], local: [LOCAL, 1, 1], offset: [0; 3], dynamic_shared: 0 };
            // SAFETY: the tests' kernels stay within their buffers, and no kernel leaves an image.
            unsafe { kernel.launch(&shape, &args, &Run::default()) }.unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(memory, want, "{} lanes: {:?}", kernel.prepared().lanes, kernel.prepared().reason);
        }
        for (g, m) in given.iter_mut().zip(want) {
            match g {
                Given::Image(i) => i.bytes = m,
                Given::Buffer(b) => **b = m.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect(),
                Given::Word(_) => {}
            }
        }
    }

    fn interpreted(&self, groups: u32, given: &[Given<'_>]) -> Vec<Vec<u8>> {
        let module = self.program.module().expect("code");
        let mut machine = Machine::new(module);
        let mut args = Vec::new();
        let mut places = Vec::new();
        for g in given {
            let bytes = g.bytes();
            let at = machine.alloc_bytes(&bytes).expect("little memory");
            places.push((at, bytes.len() as u64));
            args.push(match g {
                Given::Image(i) => {
                    Seen::Pointer(machine.alloc_bytes(&bytes_of(&i.description(at))).expect("little memory"))
                }
                Given::Buffer(_) => Seen::Pointer(at),
                Given::Word(w) => Seen::Value((*w).into()),
            });
        }
        let config = LaunchConfig::new([groups, 1, 1], [LOCAL, 1, 1]);
        let kernel = module.find("k").expect("the kernel");
        machine.launch(kernel, &config, &args, &Limits::default()).unwrap_or_else(|t| panic!("{t}"));
        places.iter().map(|&(at, n)| machine.read(at, n).expect("a buffer").to_vec()).collect()
    }
}

impl Given<'_> {
    /// What it has in memory.
    fn bytes(&self) -> Vec<u8> {
        match self {
            Given::Image(i) => i.bytes.clone(),
            Given::Buffer(b) => b.iter().flat_map(|w| w.to_le_bytes()).collect(),
            Given::Word(_) => vec![0; 4],
        }
    }
}

fn floats(words: &[u32]) -> Vec<[f32; 4]> {
    words.chunks(4).map(|c| [0, 1, 2, 3].map(|k| f32::from_bits(c[k]))).collect()
}

/// Formats of a class, and the suffix of the functions that read them.
fn formats(suffix: &str) -> Vec<(u32, u32)> {
    let of_class = TYPES.iter().filter(|t| t.suffix == suffix);
    of_class
        .flat_map(|t| ORDERS.iter().filter(move |o| t.packed == (o.code == 0x10b4)).map(move |o| (o.code, t.code)))
        .collect()
}

#[test]
fn every_format_reads_and_writes_as_the_model() {
    for suffix in ["f", "i", "ui"] {
        let vector = match suffix {
            "f" => "float4",
            "i" => "int4",
            _ => "uint4",
        };
        let read = everywhere(&format!(
            "kernel void k(image2d_t im, global {vector} *out) {{
                int i = get_global_id(0); out[i] = read_image{suffix}(im, (int2)(i % 6, i / 6)); }}"
        ));
        let write = everywhere(&format!(
            "kernel void k(__write_only image2d_t im, global const {vector} *in) {{
                int i = get_global_id(0); write_image{suffix}(im, (int2)(i % 6 - 1, i / 6), in[i]); }}"
        ));
        let mut random = Random::new(7);
        for (order, ty) in formats(suffix) {
            let mut image = Image::random(SHAPES[2], [5, 4, 1], order, ty, &mut random);
            let mut out = vec![0; 26 * 4];
            read.run(2, &mut [Given::Image(&mut image), Given::Buffer(&mut out)]);
            for i in 0..26 {
                let at = [i as i64 % 6, i as i64 / 6, 0];
                let want = texel(&image, at).map(|c| c.bits());
                assert_eq!(out[4 * i..4 * i + 4], want, "{order:x} {ty:x} {at:?}");
            }
            let mut colours: Vec<u32> = (0..26 * 4).map(|_| random.channel(suffix)).collect();
            let before = image.clone();
            write.run(2, &mut [Given::Image(&mut image), Given::Buffer(&mut colours)]);
            let mut want = before;
            for i in 0..26 {
                let c = [0, 1, 2, 3].map(|k| colours[4 * i + k]);
                stored(&mut want, [i as i64 % 6 - 1, i as i64 / 6, 0], c);
            }
            assert_eq!(image.bytes, want.bytes, "{order:x} {ty:x}");
        }
    }
}

/// The samplers that make sense for float coordinates.
fn samplers() -> Vec<u32> {
    let mut all = Vec::new();
    for filter in [CLK_FILTER_NEAREST, CLK_FILTER_LINEAR] {
        for address in [CLK_ADDRESS_NONE, CLK_ADDRESS_CLAMP_TO_EDGE, CLK_ADDRESS_CLAMP] {
            all.push(filter | address | CLK_NORMALIZED_COORDS_FALSE);
            all.push(filter | address | CLK_NORMALIZED_COORDS_TRUE);
        }
        for address in [CLK_ADDRESS_REPEAT, CLK_ADDRESS_MIRRORED_REPEAT] {
            all.push(filter | address | CLK_NORMALIZED_COORDS_TRUE);
        }
    }
    all
}

#[test]
fn every_sampler_reads_every_shape_as_the_model() {
    for shape in SHAPES {
        let kernel = everywhere(&format!(
            "kernel void k(read_only {} im, sampler_t s, global const float4 *c, global float4 *out) {{
                size_t i = get_global_id(0); out[i] = read_imagef(im, s, c[i].{}); }}",
            shape.type_name, shape.components
        ));
        for (n, sampler) in samplers().into_iter().enumerate() {
            let mut random = Random::new(n as u64 + 100);
            // Borders differ with the order, sums with the type.
            let (order, ty) = [(0x10b5, 0x10d2), (0x10b0, 0x10de), (0x10b6, 0x10d2)][n % 3];
            let size = [5, if shape.dims > 1 { 4 } else { 1 }, if shape.depth() { 3 } else { 1 }];
            let mut image = Image::random(shape, size, order, ty, &mut random);
            let normalised = sampler & CLK_NORMALIZED_COORDS_TRUE != 0;
            let mut at: Vec<[f32; 4]> = (0..3 * LOCAL)
                .map(|k| {
                    [0, 1, 2, 3].map(|d| {
                        let n = size.get(d).copied().unwrap_or(1) as f32;
                        // Some at the middle and the border of pixels.
                        let x =
                            if k % 3 == 0 { random.range(-8, 16) as f32 / 2.0 } else { random.unit() * 3.0 * n - n };
                        let layer = shape.array && d == usize::from(shape.dims);
                        if normalised && !layer { x / n } else { x }
                    })
                })
                .collect();
            let model = at.clone();
            at.extend([[f32::NAN; 4], [f32::INFINITY; 4], [-1e30; 4], [3e9, -3e9, 1e38, 0.0]]);
            at.resize(4 * LOCAL as usize, [0.25; 4]);
            let mut words: Vec<u32> = at.iter().flatten().map(|c| c.to_bits()).collect();
            let mut out = vec![0; words.len()];
            kernel.run(
                4,
                &mut [
                    Given::Image(&mut image),
                    Given::Word(sampler),
                    Given::Buffer(&mut words),
                    Given::Buffer(&mut out),
                ],
            );
            for (c, got) in model.iter().zip(floats(&out)) {
                let want = sampled(&image, sampler, [c[0], c[1], c[2]]);
                let near = got.iter().zip(want).all(|(g, w)| (g - w).abs() <= 2e-6);
                assert!(near, "{} sampler {sampler:#x} at {c:?}: {got:?}, not {want:?}", shape.type_name);
            }
        }
    }
}

#[test]
fn samplers_are_variables_and_images_go_to_functions() {
    let kernel = everywhere(
        "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
        float4 at(read_only image2d_t im, sampler_t s, int2 c) { return read_imagef(im, s, c); }
        void put(write_only image2d_t im, int2 c, float4 v) { write_imagef(im, c, v); }
        kernel void k(read_only image2d_t a, write_only image2d_t b, global uint *p) {
            const sampler_t border = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
            int i = get_global_id(0);
            int2 c = (int2)(i % 5, i / 5);
            float4 sum = at(a, edge, c - 1) + at(a, border, c - 1) + read_imagef(a, edge, convert_float2(c) + 0.5f);
            put(b, c, sum * 0.25f);
            if (i == 0) {
                p[0] = get_image_width(a); p[1] = get_image_height(a); p[2] = get_image_channel_order(a) == CLK_RGBA;
                p[3] = get_image_channel_data_type(a) == CLK_UNORM_INT8; p[4] = get_image_dim(a).y;
            }
        }",
    );
    let mut random = Random::new(3);
    let mut a = Image::random(SHAPES[2], [5, 5, 1], 0x10b5, 0x10d2, &mut random);
    let mut b = Image::random(SHAPES[2], [5, 5, 1], 0x10b5, 0x10de, &mut random);
    let mut p = vec![0; 5];
    kernel.run(2, &mut [Given::Image(&mut a), Given::Image(&mut b), Given::Buffer(&mut p)]);
    assert_eq!(p, [5, 5, 1, 1, 5]);
    for i in 0..25i64 {
        let (x, y) = (i % 5, i / 5);
        let edge = texel(&a, [(x - 1).max(0), (y - 1).max(0), 0]).map(|c| c.float());
        let border = texel(&a, [x - 1, y - 1, 0]).map(|c| c.float());
        let own = texel(&a, [x, y, 0]).map(|c| c.float());
        let got = texel(&b, [x, y, 0]).map(|c| c.float());
        for k in 0..4 {
            assert_eq!(got[k], (edge[k] + border[k] + own[k]) * 0.25, "{x} {y} {k}");
        }
    }
}

#[test]
fn three_dimensions_and_layers_are_written_and_asked_for() {
    for (shape, text) in [
        (SHAPES[4], "write_imageui(im, (int4)(i % 5, i / 5 % 2, i / 10, 0), i); p[0] = get_image_depth(im);"),
        (SHAPES[3], "write_imageui(im, (int4)(i % 5, i / 5 % 2, i / 10, 0), i); p[0] = get_image_array_size(im);"),
    ] {
        let kernel = everywhere(&format!(
            "#ifdef cl_khr_3d_image_writes
            #pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
            #endif
            kernel void k(write_only {} im, global uint *p) {{ uint i = get_global_id(0); {text} }}",
            shape.type_name
        ));
        let mut image = Image::random(shape, [5, 2, 3], 0x10b0, 0x10db, &mut Random::new(1));
        let mut want = image.clone();
        let mut p = vec![0];
        kernel.run(2, &mut [Given::Image(&mut image), Given::Buffer(&mut p)]);
        assert_eq!(p, [3]);
        for i in 0..26 {
            stored(&mut want, [i % 5, i / 5 % 2, i / 10], [i as u32; 4]);
        }
        assert_eq!(image.bytes, want.bytes);
    }
}

/// A work-item sees what it wrote itself (OpenCL C 2.0, 6.13.14.1.1).
#[test]
fn images_are_read_and_written_by_one_kernel() {
    let kernel = everywhere(
        "kernel void k(read_write image1d_t im) {
            int i = get_global_id(0);
            for (int n = 0; n < 3; n++) {
                write_imagei(im, i, read_imagei(im, i) * 3 + n);
                atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
            } }",
    );
    let mut image = Image::random(SHAPES[0], [26, 1, 1], 0x10b2, 0x10d9, &mut Random::new(5));
    let before = image.clone();
    kernel.run(2, &mut [Given::Image(&mut image)]);
    for x in 0..26 {
        let own = |i: &Image| texel(i, [x, 0, 0]).map(|c| c.bits());
        let want = own(&before).map(|c| (0..3).fold(c, |c, n| c.wrapping_mul(3).wrapping_add(n)));
        assert_eq!(own(&image)[..2], want[..2], "{x}");
    }
}

/// As GPUs give them; they were zeros, and SHOC's Spmv of doubles, which lie in such images, failed.
#[test]
fn floats_read_as_integers_are_their_bits() {
    let kernel = everywhere(
        "kernel void k(read_only image1d_t im, global int4 *p) {
            int i = get_global_id(0);
            if (i < 6) { p[2 * i] = read_imagei(im, i); p[2 * i + 1] = as_int4(read_imageui(im, i)); } }",
    );
    let mut image = Image::random(SHAPES[0], [6, 1, 1], 0x10b2, 0x10de, &mut Random::new(7));
    let mut got = vec![0; 6 * 2 * 4];
    let word = |image: &Image, n: usize| u32::from_ne_bytes(image.bytes[4 * n..4 * n + 4].try_into().unwrap());
    let want: Vec<u32> = (0..12).flat_map(|p| [word(&image, p / 2 * 2), word(&image, p / 2 * 2 + 1), 0, 1]).collect();
    kernel.run(2, &mut [Given::Image(&mut image), Given::Buffer(&mut got)]);
    assert_eq!(got, want);
}

#[test]
fn what_images_may_not_do_is_an_error() {
    let body = |args: &str, text: &str| format!("kernel void k({args}) {{ {text} }}");
    let cases = [
        ("E0497", body("image2d_t a", "write_imagef(a, (int2)(0), (float4)(0));")),
        ("E0497", body("write_only image2d_t a, global float4 *p", "*p = read_imagef(a, (int2)(0));")),
        ("E0497", body("read_write image2d_t a, sampler_t s, global float4 *p", "*p = read_imagef(a, s, (int2)(0));")),
        ("E0497", body("read_only int a", "")),
        ("E0446", body("image2d_t a, global float4 *p", "*p = read_imagef(a, 0);")),
        ("E0446", body("image2d_t a, global float4 *p", "*p = read_imagef(a, (float2)(0));")),
        ("E0446", body("image2d_t a, global int *p", "*p = get_image_depth(a);")),
        ("E0446", body("global int *a", "*a = get_image_width(a);")),
        ("E0496", body("image2d_t a", "image2d_t b = a;")),
        ("E0496", body("image2d_t a, image2d_t b", "a = b;")),
        ("E0496", body("image2d_t a", "&a;")),
        ("E0496", body("image2d_t a, image2d_t b, int n", "get_image_width(n ? a : b);")),
        ("E0496", body("global image2d_t *a", "")),
        ("E0496", "struct S { image2d_t a; };".to_owned()),
        ("E0496", "image2d_t f(void);".to_owned()),
        ("E0496", body("", "sampler_t s[2];")),
        ("E0351", body("int n", "sampler_t s = n;")),
    ];
    for (code, text) in cases {
        let said = messages(&text);
        assert!(said.iter().any(|m| m.starts_with(code)), "{code} for {text}: {said:?}");
    }
    let other = "void f(write_only image2d_t a) {} kernel void k(image2d_t a) { f(a); }";
    assert!(!messages(other).is_empty(), "a read_only image is no write_only one");
    assert_eq!(
        messages("kernel void k(read_write image2d_t a) { int2 c = 0; write_imagef(a, c, read_imagef(a, c)); }"),
        [""; 0]
    );
}

#[test]
fn images_are_refused_for_gpus() {
    let text = "kernel void k(image2d_t a, global float4 *p) { *p = read_imagef(a, (int2)(0)); }
        #ifdef __IMAGE_SUPPORT__
        #error not there
        #endif";
    let c = compile(&Input::text("k", text), &Options::new(CL2), &Emit::Nothing);
    let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(all, ["`read_imagef`: images are not supported"]);
}

/// Each constant is a macro of the same value.
#[test]
fn samplers_have_the_bits_of_the_description() {
    let all = [
        ("CLK_NORMALIZED_COORDS_FALSE", CLK_NORMALIZED_COORDS_FALSE),
        ("CLK_NORMALIZED_COORDS_TRUE", CLK_NORMALIZED_COORDS_TRUE),
        ("CLK_ADDRESS_NONE", CLK_ADDRESS_NONE),
        ("CLK_ADDRESS_CLAMP_TO_EDGE", CLK_ADDRESS_CLAMP_TO_EDGE),
        ("CLK_ADDRESS_CLAMP", CLK_ADDRESS_CLAMP),
        ("CLK_ADDRESS_REPEAT", CLK_ADDRESS_REPEAT),
        ("CLK_ADDRESS_MIRRORED_REPEAT", CLK_ADDRESS_MIRRORED_REPEAT),
        ("CLK_FILTER_NEAREST", CLK_FILTER_NEAREST),
        ("CLK_FILTER_LINEAR", CLK_FILTER_LINEAR),
    ];
    let text: String = all.iter().map(|(n, v)| format!("#if {n} != {v}\n#error {n}\n#endif\n")).collect();
    assert_eq!(messages(&text), [""; 0]);
}
