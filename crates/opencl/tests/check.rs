//! `UNSPOOL_CHECK`: what programs' kernels do wrong is said, and the programs go on. Kinds of faults as oclgrind's tests have
//! them. Alone in its file, as the variable is read once.

mod common;

use common::image::Kind;
use common::launch::{Setup, setup};
use opencl3::error_codes::CL_OUT_OF_RESOURCES;
use opencl3::event::CL_COMPLETE;
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{
    Buffer, CL_MAP_WRITE, CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, create_sub_buffer, release_mem_object,
};
use opencl3::program::Program;
use opencl3::types::{CL_BLOCKING, cl_mem};
use std::path::PathBuf;
use std::ptr::null_mut;

/// Where reports go in this process.
fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("unspool-check-{}.txt", std::process::id()))
}

/// A context and a queue of a driver that checks; none where there is no loader.
fn checked() -> Option<Setup> {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // Another process had this number before.
        let _ = std::fs::remove_file(file());
        // SAFETY: all tests of this file come here first.
        unsafe { std::env::set_var("UNSPOOL_CHECK", file()) }
    });
    setup()
}

/// What was reported about the kernel of this name.
fn said(kernel: &str) -> String {
    let text = std::fs::read_to_string(file()).unwrap_or_default();
    let begin = "unspool: launch ";
    let of_it = |report: &&str| report.lines().next().is_some_and(|l| l.contains(&format!("kernel `{kernel}`")));
    text.split(begin).filter(of_it).map(|r| format!("{begin}{r}")).collect()
}

/// A report has these words, in their order, and so many findings.
fn expect(kernel: &str, findings: usize, words: &[&str]) {
    let text = said(kernel);
    let plural = if findings == 1 { "" } else { "s" };
    assert!(text.contains(&format!(": {findings} finding{plural}\n")), "{findings} findings are wanted:\n{text}");
    assert_eq!(text.matches("error[E0711]").count(), findings, "{text}");
    let mut rest = text.as_str();
    for word in words {
        let at = rest.find(word).unwrap_or_else(|| panic!("no `{word}` after what came before:\n{text}"));
        rest = &rest[at + word.len()..];
    }
}

/// An argument of the kernels below.
enum Arg<'a> {
    Buffer(&'a Buffer<i32>),
    Local(usize),
    Null,
    Int(i32),
}

impl Setup {
    /// Runs a kernel of a source and waits.
    fn go(&self, source: &str, name: &str, global: &[usize], local: &[usize], args: &[Arg<'_>]) {
        let program = self.built(source, "-cl-std=CL2.0");
        let kernel = Kernel::create(&program, name).expect("a kernel");
        let mut launch = ExecuteKernel::new(&kernel);
        for arg in args {
            // SAFETY: as the kernel takes them.
            unsafe {
                match arg {
                    Arg::Buffer(b) => launch.set_arg(*b),
                    Arg::Local(bytes) => launch.set_arg_local_buffer(*bytes),
                    Arg::Null => launch.set_arg(&null_mut::<()>()),
                    Arg::Int(n) => launch.set_arg(n),
                };
            }
        }
        // SAFETY: what it does wrong is found, and not done.
        unsafe { launch.set_global_work_sizes(global).set_local_work_sizes(local).enqueue_nd_range(&self.queue) }
            .expect("a launch");
        self.queue.finish().expect("finished");
    }

    fn empty(&self, flags: u64, count: usize) -> Buffer<i32> {
        // SAFETY: no memory of ours.
        unsafe { Buffer::create(&self.context, flags, count, null_mut()) }.expect("a buffer")
    }
}

#[test]
fn accesses_out_of_bounds_are_told_with_index_buffer_and_work_item_and_the_rest_is_computed() {
    let Some(s) = checked() else { return };
    let source = "kernel void bounds(global int *out, global const int *in) {
  size_t i = get_global_id(0);
  out[i] = in[i] + in[i + 1];
}";
    let (out, input) = (s.holding(&mut [0; 15]), s.holding(&mut [1; 16]));
    s.go(source, "bounds", &[16], &[4], &[Arg::Buffer(&out), Arg::Buffer(&input)]);
    expect(
        "bounds",
        2,
        &[
            "(global size 16, local size 4)",
            "out-of-bounds read of 4 bytes: `in`[16], but `in` has 16 elements",
            "program.cl:3:",
            "work-item 3 of work-group 3 (global id 15)",
            "out-of-bounds write of 4 bytes: `out`[15], but `out` has 15 elements",
        ],
    );
    assert_eq!(s.read(&out, 15), vec![2; 15], "the launch's effects are there");
}

/// Beyond 4 GiB an index was said to be an uninitialised address.
#[test]
fn indices_that_are_far_away_are_told() {
    let Some(s) = checked() else { return };
    let source = "kernel void far(global int *p, global int *q, int n) {
  local int l[4];
  l[get_local_id(0) & 3] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  long far = (long)n * 1000000000;
  p[far] = 1;
  q[0] = p[-far];
  global int *r = p + far;
  q[1] = r[far];
  q[2] = l[far] + p[far - far];
}";
    let (p, q) = (s.holding(&mut [5; 4]), s.holding(&mut [0; 4]));
    s.go(source, "far", &[1], &[1], &[Arg::Buffer(&p), Arg::Buffer(&q), Arg::Int(5)]);
    let words = [
        "out-of-bounds write of 4 bytes: `p`[5000000000], but `p` has 4 elements",
        "program.cl:6:",
        "out-of-bounds read of 4 bytes: `p`[-5000000000]",
        "out-of-bounds read of 4 bytes: `p`[10000000000]",
        "out-of-bounds read of 4 bytes: byte 20000000000 of `far.l`",
    ];
    expect("far", 4, &words);
    assert_eq!(s.read(&q, 3), vec![0, 0, 5]);
}

#[test]
fn every_place_is_told_once_and_how_often() {
    let Some(s) = checked() else { return };
    let source = "kernel void often(global int *p, int n) {
  for (int i = 0; i < n; i++) p[100 + i] = i;
  p[-1 - (int)get_global_id(0)] = 1;
}";
    let p = s.holding(&mut [0; 4]);
    s.go(source, "often", &[8], &[8], &[Arg::Buffer(&p), Arg::Int(5)]);
    let words = ["`p`[100]", "the first of 40 times", "`p`[-1]", "the first of 8 times"];
    expect("often", 2, &words);
}

#[test]
fn sub_buffers_end_where_they_end() {
    let Some(s) = checked() else { return };
    let source = "kernel void part(global int *p) { p[get_global_id(0)] = 1; }";
    let whole = s.holding(&mut [7; 64]);
    let region = opencl3::types::cl_buffer_region { origin: 128, size: 16 };
    // SAFETY: a region of the buffer, released below.
    let part = unsafe {
        create_sub_buffer(
            opencl3::memory::ClMem::get(&whole),
            CL_MEM_READ_WRITE,
            opencl3::memory::CL_BUFFER_CREATE_TYPE_REGION,
            (&raw const region).cast(),
        )
    }
    .expect("a part");
    let program = s.built(source, "");
    let kernel = Kernel::create(&program, "part").expect("a kernel");
    // SAFETY: a memory object; five work-items, of which the last is told of.
    unsafe {
        kernel.set_arg::<cl_mem>(0, &part).expect("set");
        ExecuteKernel::new(&kernel).set_global_work_size(5).set_local_work_size(5);
        opencl3::command_queue::enqueue_nd_range_kernel(
            s.queue.get(),
            kernel.get(),
            1,
            std::ptr::null(),
            [5usize].as_ptr(),
            std::ptr::null(),
            0,
            std::ptr::null(),
        )
        .expect("a launch");
        s.queue.finish().expect("finished");
        release_mem_object(part).expect("released");
    }
    expect("part", 1, &["`p`[4], but `p` has 4 elements"]);
    let all = s.read(&whole, 64);
    assert_eq!((all[32], all[35], all[36]), (1, 1, 7));
}

#[test]
fn local_memory_has_the_names_of_its_parameters() {
    let Some(s) = checked() else { return };
    let source = "kernel void locals(global int *out, local int *tile, local int *row) {
  int l = get_local_id(0);
  tile[l] = l;
  row[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = tile[3 - l];
}";
    let out = s.holding(&mut [0; 4]);
    s.go(source, "locals", &[4], &[4], &[Arg::Buffer(&out), Arg::Local(16), Arg::Local(12)]);
    expect("locals", 1, &["out-of-bounds write of 4 bytes: `row`[3], but `row` has 3 elements", "program.cl:4:"]);
    assert_eq!(s.read(&out, 4), [3, 2, 1, 0]);
}

#[test]
fn races_between_work_items_and_between_groups() {
    let Some(s) = checked() else { return };
    let source = "kernel void inside(global int *p, local int *t) {
  int l = get_local_id(0);
  t[l] = l;
  p[l] = t[(l + 1) % 4];
}
kernel void across(global int *p) {
  int g = get_group_id(0);
  if (get_local_id(0) == 0) p[g] = g + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_global_id(0) == 4) p[1] = p[0] + p[1];
}
kernel void counted(global int *p) {
  if (get_global_id(0) == 0) *p = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_inc(p);
}
kernel void before(global int *p) { if (get_global_id(0) == 0) *p = 3; atomic_dec(p); }
kernel void after(global int *p) { atomic_inc(p); if (get_global_id(0) == 3) p[1] = *p; }
kernel void exchanged(global int *p, local int *t) {
  int l = get_local_id(0);
  if (l == 0) t[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  // Whoever fails writes nothing.
  if (atomic_cmpxchg(t, 0, 1) == 0) p[0] = t[0];
}
kernel void same(global int *p) { *p = 5; }
kernel void atomics(global int *p) { atomic_add(p, 1); }
kernel void hidden(global int *p, global int *out) {
  int g = get_group_id(0);
  out[g] = p[0];
  if (g == 1) p[0] = 9;
}";
    let p = || s.holding(&mut [0; 8]);
    s.go(source, "inside", &[4], &[4], &[Arg::Buffer(&p()), Arg::Local(16)]);
    let words = ["uninitialised memory: `t`[1]", "put a barrier between", "data race on `t`[1]: write here, read by"];
    expect("inside", 2, &words);
    let two = p();
    s.go(source, "across", &[8], &[4], &[Arg::Buffer(&two)]);
    expect(
        "across",
        1,
        &["data race on `p`[0]: read here, write by work-group 0", "work-item 0 of work-group 1 (global id 4)"],
    );
    assert_eq!(s.read(&two, 2), [1, 3]);
    s.go(source, "counted", &[8], &[4], &[Arg::Buffer(&p())]);
    expect("counted", 1, &["atomic operation here, write by work-group 0"]);
    s.go(source, "hidden", &[2], &[1], &[Arg::Buffer(&p()), Arg::Buffer(&p())]);
    expect("hidden", 1, &["data race on `p`[0]: write here, read by work-group 0"]);
    for name in ["before", "after"] {
        s.go(source, name, &[4], &[4], &[Arg::Buffer(&p())]);
        expect(name, 1, &["data race on `p`[0]", "atomic operation"]);
    }
    s.go(source, "exchanged", &[4], &[4], &[Arg::Buffer(&p()), Arg::Local(4)]);
    assert_eq!(said("exchanged"), "");
    for fine in ["same", "atomics"] {
        s.go(source, fine, &[64], &[4], &[Arg::Buffer(&p())]);
        assert_eq!(said(fine), "", "{fine}");
    }
}

#[test]
fn barriers_that_not_everybody_reaches_let_the_others_pass() {
    let Some(s) = checked() else { return };
    let source = "kernel void diverges(global int *p) {
  int i = get_global_id(0);
  if (i == 0) { p[0] = 42; barrier(CLK_GLOBAL_MEM_FENCE); }
  else { barrier(CLK_GLOBAL_MEM_FENCE); p[i] = i + p[0]; }
}";
    let p = s.holding(&mut [0; 4]);
    s.go(source, "diverges", &[4], &[4], &[Arg::Buffer(&p)]);
    expect("diverges", 1, &["divergent barrier: 1 work-items of the group reach it, 3 do not", "program.cl:3:"]);
    assert_eq!(s.read(&p, 4), [42, 43, 44, 45]);
}

#[test]
fn memory_that_nobody_has_written() {
    let Some(s) = checked() else { return };
    let source =
        "kernel void reads(global int *out, global const int *in) { int i = get_global_id(0); out[i] = in[i]; }
kernel void variable(global int *out, int n) {
  int x;
  if (n > 0) x = n;
  if (x > 3) out[0] = 1;
  int a[4];
  a[0] = 1;
  out[1] = a[n + 1];
}";
    let out = s.empty(CL_MEM_READ_WRITE, 4);
    let mut fresh = s.empty(CL_MEM_READ_WRITE, 4);
    s.go(source, "reads", &[4], &[4], &[Arg::Buffer(&out), Arg::Buffer(&fresh)]);
    let words = ["read of uninitialised memory: `in`[0]", "the first of 4 times", "clEnqueueWriteBuffer"];
    expect("reads", 1, &words);
    s.go(source, "variable", &[1], &[1], &[Arg::Buffer(&out), Arg::Int(0)]);
    expect("variable", 2, &["program.cl:5:", "program.cl:8:"]);

    // Written by half, then copied, filled and mapped.
    let half =
        "kernel void half_written(global int *out, global const int *in) { int i = get_global_id(0); out[i] = in[i]; }";
    // SAFETY: the calls return when it is done.
    unsafe { s.queue.enqueue_write_buffer(&mut fresh, CL_BLOCKING, 0, &[1, 2], &[]) }.expect("written");
    let mut copy = s.empty(CL_MEM_READ_WRITE, 4);
    // SAFETY: within both.
    unsafe { s.queue.enqueue_copy_buffer(&fresh, &mut copy, 0, 0, 16, &[]) }.expect("copied");
    s.go(half, "half_written", &[4], &[4], &[Arg::Buffer(&out), Arg::Buffer(&copy)]);
    expect("half_written", 1, &["`in`[2]", "the first of 2 times"]);
    let whole = half.replace("half_written", "written");
    // SAFETY: within the buffers.
    unsafe {
        s.queue.enqueue_fill_buffer(&mut copy, &[3], 8, 4, &[]).expect("filled");
        let mut pointer = null_mut();
        s.queue.enqueue_map_buffer(&copy, CL_BLOCKING, CL_MAP_WRITE, 12, 4, &mut pointer, &[]).expect("mapped");
        pointer.cast::<i32>().write(4);
        s.queue.enqueue_unmap_mem_object(opencl3::memory::ClMem::get(&copy), pointer, &[]).expect("unmapped");
    }
    s.go(&whole, "written", &[4], &[4], &[Arg::Buffer(&out), Arg::Buffer(&copy)]);
    assert_eq!(said("written"), "");
    assert_eq!(s.read(&out, 4), [1, 2, 3, 4]);
}

#[test]
fn null_division_alignment_and_flags() {
    let Some(s) = checked() else { return };
    let source = "kernel void nothing(global int *out, global int *p) { out[0] = 2; *p = 1; }
kernel void divides(global int *out, int n) { out[0] = 7 / n; out[1] = 8; }
kernel void shifted(global int *out, global char *in) { out[0] = *(global int *)(in + 2); }
kernel void flags(global int *w, global int *r) { w[0] = r[0]; r[1] = w[1]; }";
    let out = s.holding(&mut [5, 5]);
    s.go(source, "nothing", &[1], &[1], &[Arg::Buffer(&out), Arg::Null]);
    expect("nothing", 1, &["a null pointer?"]);
    s.go(source, "divides", &[1], &[1], &[Arg::Buffer(&out), Arg::Int(0)]);
    expect("divides", 1, &["an integer is divided by zero", "program.cl:2:"]);
    assert_eq!(s.read(&out, 2)[1], 8);
    s.go(source, "shifted", &[1], &[1], &[Arg::Buffer(&out), Arg::Buffer(&s.holding(&mut [1, 2]))]);
    expect("shifted", 1, &["misaligned access"]);
    let mut write = s.empty(CL_MEM_WRITE_ONLY, 2);
    // SAFETY: within it.
    unsafe { s.queue.enqueue_fill_buffer(&mut write, &[1], 0, 8, &[]) }.expect("filled");
    let mut read = s.empty(CL_MEM_READ_ONLY, 2);
    // SAFETY: within it.
    unsafe { s.queue.enqueue_fill_buffer(&mut read, &[6], 0, 8, &[]) }.expect("filled");
    s.go(source, "flags", &[1], &[1], &[Arg::Buffer(&write), Arg::Buffer(&read)]);
    expect("flags", 2, &["read of `w`, which is write-only", "write to `r`, which is read-only"]);
    assert_eq!(s.read(&read, 2), [6, 1]);
}

#[test]
fn images_are_checked_and_computed() {
    let Some(s) = checked() else { return };
    let source = "constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void mirror(read_only image2d_t a, write_only image2d_t b) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(b, at, read_imageui(a, plain, (int2)(get_image_width(a) - 1 - at.x, at.y)));
}
kernel void unwritten(read_only image2d_t a, global uint *out) { *out = read_imageui(a, plain, (int2)(1, 1)).x; }";
    // `CL_RGBA`, `CL_UNSIGNED_INT8`
    let image = || s.image(Kind::flat(5, 3, (0x10B5, 0x10DA), 4), null_mut());
    let (a, b) = (image(), image());
    let bytes: Vec<u8> = (0..60).collect();
    s.write_image(&a, &bytes);
    let program = s.built(source, "");
    let run = |name: &str, second: cl_mem, global: &[usize]| {
        let kernel = Kernel::create(&program, name).expect("a kernel");
        // SAFETY: two memory objects, which live until the queue is empty.
        unsafe {
            ExecuteKernel::new(&kernel)
                .set_arg(&a.raw)
                .set_arg(&second)
                .set_global_work_sizes(global)
                .enqueue_nd_range(&s.queue)
        }
        .expect("a launch");
        s.queue.finish().expect("finished");
    };
    run("mirror", b.raw, &[5, 3]);
    assert_eq!(said("mirror"), "");
    let mirrored: Vec<u8> =
        bytes.chunks(20).flat_map(|row| row.chunks(4).rev().flatten().copied().collect::<Vec<u8>>()).collect();
    assert_eq!(s.read_image(&b), mirrored);

    let out = s.holding(&mut [0]);
    run("unwritten", opencl3::memory::ClMem::get(&out), &[1]);
    assert_eq!((said("unwritten").as_str(), s.read(&out, 1)), ("", vec![24]));
}

#[test]
fn pointers_in_shared_virtual_memory_are_followed_and_end_where_it_ends() {
    let Some(s) = checked() else { return };
    let source = "typedef struct node { global struct node *next; int value; } node;
kernel void walk(global node *n, global int *out) {
  int sum = 0;
  for (; n; n = n->next) { sum += n->value; n->value = 0; }
  *out = sum;
}
kernel void beyond(global node *n) { n->next[1].value = 1; }";
    // SAFETY: freed below; 16 bytes are a node.
    let node = || unsafe { opencl3::memory::svm_alloc(s.context.get(), CL_MEM_READ_WRITE, 16, 8) }.expect("memory");
    let (first, second) = (node(), node());
    let set = |at: *mut std::ffi::c_void, next: *mut std::ffi::c_void, value: i32| {
        // SAFETY: within the node.
        unsafe {
            at.cast::<*mut std::ffi::c_void>().write(next);
            at.cast::<i32>().add(2).write(value);
        }
    };
    set(first, second, 40);
    set(second, null_mut(), 2);
    let out = s.holding(&mut [0]);
    let program = s.built(source, "-cl-std=CL2.0");
    for name in ["walk", "beyond"] {
        let kernel = Kernel::create(&program, name).expect("a kernel");
        // SAFETY: a node, and a buffer where one is taken.
        unsafe {
            kernel.set_arg_svm_pointer(0, first).expect("set");
            if name == "walk" {
                kernel.set_arg::<cl_mem>(1, &opencl3::memory::ClMem::get(&out)).expect("set");
            }
            opencl3::command_queue::enqueue_nd_range_kernel(
                s.queue.get(),
                kernel.get(),
                1,
                std::ptr::null(),
                [1usize].as_ptr(),
                std::ptr::null(),
                0,
                std::ptr::null(),
            )
            .expect("a launch");
        }
        s.queue.finish().expect("finished");
    }
    assert_eq!((said("walk").as_str(), s.read(&out, 1)), ("", vec![42]));
    expect("beyond", 1, &["out-of-bounds write of 4 bytes: byte 24 of shared virtual memory", "16 bytes"]);
    // SAFETY: within the node, and not used any more.
    unsafe {
        assert_eq!(first.cast::<i32>().add(2).read(), 0);
        opencl3::memory::svm_free(s.context.get(), first).expect("freed");
        opencl3::memory::svm_free(s.context.get(), second).expect("freed");
    }
}

/// Its event was complete, as if all had been right, though it fails without checks.
#[test]
fn a_kernel_that_stops_itself_fails_as_without_checks() {
    let Some(s) = checked() else { return };
    let program = s.built("kernel void stopped(global int *p) { if (p[0] == 7) __builtin_trap(); p[0] = 8; }", "");
    let kernel = Kernel::create(&program, "stopped").expect("a kernel");
    for (value, right) in [(7, false), (6, true)] {
        let p = s.holding(&mut [value]);
        // SAFETY: a buffer of one element, as the kernel takes it.
        let event =
            unsafe { ExecuteKernel::new(&kernel).set_arg(&p).set_global_work_size(1).enqueue_nd_range(&s.queue) };
        let event = event.expect("a launch");
        assert_eq!(event.wait().is_ok(), right);
        let status = event.command_execution_status().expect("a state").0;
        assert_eq!(status, if right { CL_COMPLETE } else { CL_OUT_OF_RESOURCES });
    }
    expect("stopped", 1, &["the kernel stopped itself", "program.cl:1:"]);
}

/// Findings had no place, and nobody said why.
#[test]
fn programs_from_binaries_have_no_lines_and_the_report_says_why() {
    let Some(s) = checked() else { return };
    let binary = s.built("kernel void stored(global int *p) { p[1] = 0; }", "").get_binaries().expect("a binary");
    // SAFETY: a binary of this platform.
    let made = unsafe { Program::create_from_binary(&s.context, &[s.device.id()], &[&binary[0]]) };
    let mut program = made.expect("a program");
    program.build(&[s.device.id()], "").expect("builds");
    let (kernel, p) = (Kernel::create(&program, "stored").expect("a kernel"), s.holding(&mut [0]));
    // SAFETY: what it does wrong is found, and not done.
    unsafe { ExecuteKernel::new(&kernel).set_arg(&p).set_global_work_size(1).enqueue_nd_range(&s.queue) }
        .expect("a launch");
    s.queue.finish().expect("finished");
    expect("stored", 1, &["out-of-bounds write of 4 bytes: `p`[1]", "made from a binary", "PYOPENCL_NO_CACHE=1"]);
}

#[test]
fn the_same_findings_of_many_launches_are_not_told_again_and_again() {
    let Some(s) = checked() else { return };
    let program = s.built("kernel void again(global int *p) { p[1] = 0; }", "");
    let kernel = Kernel::create(&program, "again").expect("a kernel");
    let p = s.holding(&mut [0]);
    for _ in 0..20 {
        // SAFETY: what it does wrong is found, and not done.
        unsafe { ExecuteKernel::new(&kernel).set_arg(&p).set_global_work_size(1).enqueue_nd_range(&s.queue) }
            .expect("a launch");
    }
    s.queue.finish().expect("finished");
    let text = said("again");
    assert_eq!(text.matches("error[E0711]").count(), 1, "{text}");
    assert_eq!(text.matches("the same as before").count(), 5, "{text}");
}
