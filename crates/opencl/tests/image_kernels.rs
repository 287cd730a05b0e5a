//! Kernels that read and write images, and their arguments.

mod common;

use common::image::{Image, Kind, describe};
use common::launch::{Setup, setup};
use opencl3::kernel::{ExecuteKernel, Kernel, set_kernel_arg};
use opencl3::memory as mem;
use opencl3::types::{cl_int, cl_mem};
use std::ffi::c_void;
use std::ptr::null_mut;

const R: u32 = 0x10B0;
const RGBA: u32 = 0x10B5;
const UNORM8: u32 = 0x10D2;
const UNSIGNED8: u32 = 0x10DA;
const FLOAT: u32 = 0x10DE;

const INVALID_MEM_OBJECT: cl_int = -38;
const INVALID_SAMPLER: cl_int = -41;
const INVALID_ARG_VALUE: cl_int = -50;
const INVALID_ARG_SIZE: cl_int = -51;

/// Copies each kind of image, turned around along its first side; a work-item for each element.
const MIRRORS: &str = "
constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
#define X (int)get_global_id(0)
#define Y (int)get_global_id(1)
#define Z (int)get_global_id(2)
kernel void d1(read_only image1d_t a, write_only image1d_t b) {
  write_imageui(b, X, read_imageui(a, plain, get_image_width(a) - 1 - X));
}
kernel void d1_buffer(read_only image1d_buffer_t a, write_only image1d_buffer_t b) {
  write_imageui(b, X, read_imageui(a, get_image_width(a) - 1 - X));
}
kernel void d1_array(read_only image1d_array_t a, write_only image1d_array_t b) {
  write_imageui(b, (int2)(X, Y), read_imageui(a, plain, (int2)(get_image_width(a) - 1 - X, Y)));
}
kernel void d2(read_only image2d_t a, write_only image2d_t b) {
  write_imageui(b, (int2)(X, Y), read_imageui(a, plain, (int2)(get_image_width(a) - 1 - X, Y)));
}
kernel void d2_array(read_only image2d_array_t a, write_only image2d_array_t b) {
  write_imageui(b, (int4)(X, Y, Z, 0), read_imageui(a, plain, (int4)(get_image_width(a) - 1 - X, Y, Z, 0)));
}
kernel void d3(read_only image3d_t a, write_only image3d_t b) {
  write_imageui(b, (int4)(X, Y, Z, 0), read_imageui(a, plain, (int4)(get_image_width(a) - 1 - X, Y, Z, 0)));
}";

fn release(object: cl_mem) {
    // SAFETY: ours.
    unsafe { mem::release_mem_object(object) }.expect("there");
}

#[test]
fn kernels_read_and_write_every_kind() {
    let Some(s) = setup() else { return };
    let program = s.built(MIRRORS, "-cl-std=CL1.2");
    let kind = |kind, sides, layers| Kind { kind, sides, layers, format: (RGBA, UNSIGNED8), element: 4 };
    let kinds = [
        ("d1", kind(mem::CL_MEM_OBJECT_IMAGE1D, [37, 0, 0], 0)),
        ("d1_buffer", kind(mem::CL_MEM_OBJECT_IMAGE1D_BUFFER, [37, 0, 0], 0)),
        ("d1_array", kind(mem::CL_MEM_OBJECT_IMAGE1D_ARRAY, [19, 0, 0], 5)),
        ("d2", kind(mem::CL_MEM_OBJECT_IMAGE2D, [19, 7, 0], 0)),
        ("d2_array", kind(mem::CL_MEM_OBJECT_IMAGE2D_ARRAY, [9, 4, 0], 3)),
        ("d3", kind(mem::CL_MEM_OBJECT_IMAGE3D, [9, 4, 3], 0)),
    ];
    for (name, of) in kinds {
        // SAFETY: no memory of ours is passed.
        let buffers = [(); 2].map(|()| unsafe {
            mem::create_buffer(s.context.get(), mem::CL_MEM_READ_WRITE, of.bytes(), null_mut()).expect("a buffer")
        });
        let of_buffer = of.kind == mem::CL_MEM_OBJECT_IMAGE1D_BUFFER;
        let [a, b] = buffers.map(|buffer| s.image(of, if of_buffer { buffer } else { null_mut() }));
        let bytes: Vec<u8> = (0..of.bytes()).map(|n| (n * 7 % 251) as u8).collect();
        s.write_image(&a, &bytes);
        let kernel = Kernel::create(&program, name).expect("a kernel");
        // SAFETY: the kernel takes two images, and has one work-item for each element.
        unsafe {
            ExecuteKernel::new(&kernel)
                .set_arg(&a.raw)
                .set_arg(&b.raw)
                .set_global_work_sizes(&of.extents())
                .enqueue_nd_range(&s.queue)
                .expect("a launch");
        }
        s.queue.finish().expect("finished");
        let row = of.sides[0] * 4;
        let turned = bytes.chunks_exact(row).flat_map(|r| r.rchunks_exact(4).flatten().copied());
        assert_eq!(s.read_image(&b), turned.collect::<Vec<u8>>(), "{name}");
        buffers.into_iter().for_each(release);
    }
}

/// Reads an image along a line with a sampler.
const SAMPLES: &str = "
kernel void samples(read_only image2d_t a, sampler_t s, global float *at, global float *out) {
  size_t n = get_global_id(0);
  out[n] = read_imagef(a, s, (float2)(at[n], 0.5f)).x;
}";

/// What a sampler gives of a row of three elements at these places.
fn sampled(s: &Setup, row: &Image, modes: [u64; 3], places: &[f32]) -> Vec<f32> {
    let list = [0x1152, modes[0], 0x1153, modes[1], 0x1154, modes[2], 0];
    let sampler = mem::Sampler::create_with_properties(&s.context, list.as_ptr()).expect("a sampler");
    let program = s.built(SAMPLES, "");
    let kernel = Kernel::create(&program, "samples").expect("a kernel");
    let (at, out) = (s.holding(&mut places.to_vec()), s.holding(&mut vec![0f32; places.len()]));
    // SAFETY: the kernel takes these, and has one work-item for each place.
    unsafe {
        let mut launch = ExecuteKernel::new(&kernel);
        launch.set_arg(&row.raw).set_arg(&sampler.get()).set_arg(&at).set_arg(&out);
        launch.set_global_work_size(places.len());
        // The sampler may go when the launch was enqueued.
        launch.enqueue_nd_range(&s.queue).expect("a launch");
    }
    drop(sampler);
    s.read(&out, places.len())
}

#[test]
fn samplers_find_what_their_modes_say() {
    let Some(s) = setup() else { return };
    let row = s.image(Kind::flat(3, 1, (R, FLOAT), 4), null_mut());
    s.write_image(&row, &[1f32, 2.0, 4.0].map(f32::to_ne_bytes).concat());
    let (edge, clamp, repeat, mirror) = (0x1131, 0x1132, 0x1133, 0x1134);
    let (nearest, linear) = (0x1140, 0x1141);
    let plain = [-0.5, 0.0, 0.99, 1.0, 2.5, 3.5];
    assert_eq!(sampled(&s, &row, [0, edge, nearest], &plain), [1.0, 1.0, 1.0, 2.0, 4.0, 4.0]);
    assert_eq!(sampled(&s, &row, [0, clamp, nearest], &plain), [0.0, 1.0, 1.0, 2.0, 4.0, 0.0]);
    let between = [0.5, 1.0, 2.0, 3.0, 0.0];
    assert_eq!(sampled(&s, &row, [0, edge, linear], &between), [1.0, 1.5, 3.0, 4.0, 1.0]);
    assert_eq!(sampled(&s, &row, [0, clamp, linear], &between), [1.0, 1.5, 3.0, 2.0, 0.5]);
    let wide = [0.1, 0.5, 0.9, 1.1, 1.5, -0.1];
    assert_eq!(sampled(&s, &row, [1, repeat, nearest], &wide), [1.0, 2.0, 4.0, 1.0, 2.0, 4.0]);
    assert_eq!(sampled(&s, &row, [1, mirror, nearest], &wide), [1.0, 2.0, 4.0, 4.0, 2.0, 1.0]);
}

#[test]
fn halves_are_read_and_written() {
    let Some(s) = setup() else { return };
    let source = "
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void doubled(read_only image2d_t a, write_only image2d_t b, global half *out) {
  sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  half4 by_sampler = read_imageh(a, s, (float2)(0.5f, 0.5f)), plain = read_imageh(a, (int2)(0, 0));
  write_imageh(b, (int2)(0, 0), by_sampler + plain);
  vstore4(plain, 0, out);
}";
    let program = s.built(source, "-cl-std=CL1.2");
    let kernel = Kernel::create(&program, "doubled").expect("a kernel");
    let half = Kind::flat(1, 1, (RGBA, 0x10DD), 8);
    let floats = Kind::flat(1, 1, (RGBA, FLOAT), 16);
    let out = s.holding(&mut [0u16; 4]);
    // 0.25, -1.5, 2048 and the smallest of all; then a third, which is rounded.
    let bits = [0x3400u16, 0xbe00, 0x6800, 0x0001];
    let values = [1.0f32 / 3.0, -1.5, 70000.0, 0.0];
    let rounded = [0x3555u16, 0xbe00, 0x7c00, 0];
    let bytes_of = |h: &[u16]| h.iter().flat_map(|h| h.to_ne_bytes()).collect::<Vec<u8>>();
    for (of, bytes, read, sum) in [
        (half, bytes_of(&bits), bits, [0x3800u16, 0xc200, 0x6c00, 0x0002]),
        (floats, values.map(f32::to_ne_bytes).concat(), rounded, [0x3955, 0xc200, 0x7c00, 0]),
    ] {
        let [a, b] = [s.image(of, null_mut()), s.image(half, null_mut())];
        s.write_image(&a, &bytes);
        // SAFETY: the kernel takes these; there is one element.
        unsafe {
            let mut launch = ExecuteKernel::new(&kernel);
            launch.set_arg(&a.raw).set_arg(&b.raw).set_arg(&out).set_global_work_size(1);
            launch.enqueue_nd_range(&s.queue).expect("a launch");
        }
        assert_eq!(s.read(&out, 4), read);
        assert_eq!(s.read_image(&b), bytes_of(&sum));
    }
}

#[test]
fn formats_are_read_and_written_as_they_are_filled() {
    let Some(s) = setup() else { return };
    let source = "
kernel void tint(write_only image2d_t a, float4 colour) { write_imagef(a, (int2)(0, 0), colour); }
kernel void look(read_only image2d_t a, global float4 *out) {
  sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  out[0] = read_imagef(a, s, (int2)(0, 0));
}";
    let program = s.built(source, "");
    let (tint, look) = ["tint", "look"].map(|n| Kernel::create(&program, n).expect("a kernel")).into();
    let normal = [(UNORM8, 1), (0x10D3, 2), (0x10D0, 1), (0x10D1, 2), (0x10DD, 2), (FLOAT, 4)];
    let orders = [(RGBA, 4), (0x10B2, 2), (R, 1)];
    let formats = orders.iter().flat_map(|&(o, n)| normal.map(move |(c, size)| ((o, c), n, size * n)));
    for (format, channels, element) in formats.chain([((0x10B6, UNORM8), 4, 4)]) {
        let image = s.image(Kind::flat(1, 1, format, element), null_mut());
        let colour = [0.25f32, 0.75, -0.5, 1.0];
        let out = s.holding(&mut [9f32; 4]);
        // SAFETY: the kernels take these; there is one element.
        unsafe {
            let mut launch = ExecuteKernel::new(&tint);
            launch.set_arg(&image.raw).set_arg(&colour).set_global_work_size(1);
            launch.enqueue_nd_range(&s.queue).expect("a launch");
            let mut launch = ExecuteKernel::new(&look);
            launch.set_arg(&image.raw).set_arg(&out).set_global_work_size(1);
            launch.enqueue_nd_range(&s.queue).expect("a launch");
        }
        let unsigned = matches!(format.1, UNORM8 | 0x10D3);
        let steps = match format.1 {
            UNORM8 => 255.0,
            0x10D3 => 65535.0,
            0x10D0 => 127.0,
            0x10D1 => 32767.0,
            _ => f32::INFINITY,
        };
        let seen = s.read(&out, 4);
        for n in 0..4 {
            let lowest = if unsigned { 0.0 } else { -1.0 };
            let expected = if n < channels { colour[n].max(lowest) } else { f32::from(n == 3) };
            assert!((seen[n] - expected).abs() <= 0.5 / steps, "{format:x?}: {seen:?}");
        }
        // What the kernel wrote is what a fill writes.
        let written = s.read_image(&image);
        let (at, size) = ([0usize; 3], [1usize; 3]);
        let (at, size, from) = (at.as_ptr(), size.as_ptr(), colour.as_ptr().cast::<c_void>());
        // SAFETY: a colour is four numbers.
        let event = unsafe {
            opencl3::command_queue::enqueue_fill_image(s.queue.get(), image.raw, from, at, size, 0, std::ptr::null())
        };
        common::image::done(event).expect("filled");
        assert_eq!(written, s.read_image(&image), "{format:x?}");
    }
}

#[test]
fn normalised_numbers_are_divided_and_rounded_once() {
    let Some(s) = setup() else { return };
    let source = "
kernel void look(read_only image2d_t a, global float *out) {
  sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  int x = get_global_id(0), y = get_global_id(1);
  out[256 * y + x] = read_imagef(a, s, (int2)(x, y)).x;
}";
    let formats = [(UNORM8, 1, 255.0), (0x10D3, 2, 65535.0), (0x10D0, 1, 127.0), (0x10D1, 2, 32767.0)];
    for options in ["", "-cl-fast-relaxed-math", "-cl-opt-disable"] {
        let program = s.built(source, options);
        let look = Kernel::create(&program, "look").expect("a kernel");
        for (channel, bytes, most) in formats {
            // Every number of the type.
            let rows = if bytes == 1 { 1 } else { 256 };
            let image = s.image(Kind::flat(256, rows, (R, channel), bytes), null_mut());
            let all: Vec<u8> = (0..256 * rows).flat_map(|n| n.to_le_bytes().into_iter().take(bytes)).collect();
            s.write_image(&image, &all);
            let out = s.holding(&mut vec![9f32; 256 * rows]);
            let mut launch = ExecuteKernel::new(&look);
            // SAFETY: the kernel takes these; there is a number for each element.
            unsafe {
                launch.set_arg(&image.raw).set_arg(&out).set_global_work_sizes(&[256, rows]);
                launch.enqueue_nd_range(&s.queue)
            }
            .expect("a launch");
            for (n, got) in s.read(&out, 256 * rows).into_iter().enumerate() {
                let number = match channel {
                    0x10D0 => f32::from(n as u8 as i8),
                    0x10D1 => f32::from(n as u16 as i16),
                    _ => n as f32,
                };
                let want = (number / most).max(-1.0);
                assert_eq!(got.to_bits(), want.to_bits(), "{n} of {channel:x} with `{options}` is {got}");
            }
        }
    }
}

#[test]
fn kernels_change_images_in_place() {
    let Some(s) = setup() else { return };
    let source = "
kernel void invert(read_write image2d_t a) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(a, at, 255u - read_imageui(a, at));
}";
    let program = s.built(source, "-cl-std=CL3.0");
    let kernel = Kernel::create(&program, "invert").expect("a kernel");
    let of = Kind::flat(21, 3, (RGBA, UNSIGNED8), 4);
    let image = s.image(of, null_mut());
    let bytes: Vec<u8> = (0..of.bytes()).map(|n| n as u8).collect();
    s.write_image(&image, &bytes);
    // SAFETY: the kernel takes the image, and has one work-item for each element.
    unsafe {
        let mut launch = ExecuteKernel::new(&kernel);
        launch.set_arg(&image.raw).set_global_work_sizes(&[21, 3]).enqueue_nd_range(&s.queue).expect("a launch");
    }
    s.queue.finish().expect("finished");
    assert_eq!(s.read_image(&image), bytes.iter().map(|b| 255 - b).collect::<Vec<u8>>());
    for flags in [mem::CL_MEM_READ_ONLY, mem::CL_MEM_WRITE_ONLY] {
        let half = s.try_image(flags, of, &describe(&of), null_mut()).expect("an image");
        // SAFETY: the value is a handle.
        let set = unsafe { set_kernel_arg(kernel.get(), 0, 8, (&raw const half.raw).cast()) };
        assert_eq!(set, Err(INVALID_ARG_VALUE));
    }
}

#[test]
fn wrong_images_and_samplers_are_no_arguments() {
    let Some(s) = setup() else { return };
    let source = "kernel void k(read_only image2d_t a, write_only image2d_t b, sampler_t s, global int *p) { *p = 1; }";
    let program = s.built(source, "");
    let kernel = Kernel::create(&program, "k").expect("a kernel");
    let flat = Kind::flat(4, 4, (RGBA, UNORM8), 4);
    let make = |flags| s.try_image(flags, flat, &describe(&flat), null_mut()).expect("an image");
    let (reads, writes, both) =
        (make(mem::CL_MEM_READ_ONLY), make(mem::CL_MEM_WRITE_ONLY), make(mem::CL_MEM_READ_WRITE));
    let solid = s.image(Kind { kind: mem::CL_MEM_OBJECT_IMAGE3D, sides: [4, 4, 4], layers: 0, ..flat }, null_mut());
    let buffer = s.holding(&mut [0i32; 4]);
    let list = [0u64];
    let sampler = mem::Sampler::create_with_properties(&s.context, list.as_ptr()).expect("a sampler");
    let set = |index, size, value: &*mut c_void| {
        // SAFETY: the value is a handle, or none.
        unsafe { set_kernel_arg(kernel.get(), index, size, std::ptr::from_ref(value).cast()) }.err()
    };
    let buffer_handle = mem::ClMem::get(&buffer);
    let cases = [
        (0, 8, reads.raw, None),
        (0, 8, both.raw, None),
        (0, 8, writes.raw, Some(INVALID_ARG_VALUE)),
        (1, 8, writes.raw, None),
        (1, 8, reads.raw, Some(INVALID_ARG_VALUE)),
        (0, 8, solid.raw, Some(INVALID_MEM_OBJECT)),
        (0, 8, buffer_handle, Some(INVALID_MEM_OBJECT)),
        (0, 8, null_mut(), Some(INVALID_MEM_OBJECT)),
        (0, 8, sampler.get(), Some(INVALID_MEM_OBJECT)),
        (0, 4, reads.raw, Some(INVALID_ARG_SIZE)),
        (2, 8, sampler.get(), None),
        (2, 8, reads.raw, Some(INVALID_SAMPLER)),
        (2, 8, null_mut(), Some(INVALID_SAMPLER)),
        (2, 4, sampler.get(), Some(INVALID_ARG_SIZE)),
        (3, 8, both.raw, Some(INVALID_MEM_OBJECT)),
        (3, 8, buffer_handle, None),
    ];
    for (index, size, value, expected) in cases {
        assert_eq!(set(index, size, &value), expected, "{index} {size} {value:?}");
    }
    // SAFETY: there is no value.
    let none = [0, 2].map(|index| unsafe { set_kernel_arg(kernel.get(), index, 8, std::ptr::null()) });
    assert_eq!(none, [Err(INVALID_MEM_OBJECT), Err(INVALID_SAMPLER)]);
}
