//! Variables that outlive kernels: one per program and device, also where machine code comes out of the cache.

use runtime::{Arg, Cache, Device, DiscreteDevice, Error, HostDevice, HostOptions, Program, Run, Shape, Transfer};
use source::Session;
use std::sync::Arc;
use unspool::object::{Kind, Object};
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

const TEXT: &str = r#"
__device__ int counter = 3;
__constant__ float factors[4] = { 1, 2 };
__constant__ int unset;
__device__ int *where = &counter;
__device__ const char *word = "hello";
namespace tables { __device__ double sum; }
__device__ const int seven = 7;
extern "C" __global__ void count(int *p) {
    static __device__ int calls = 10;
    atomicAdd(&counter, 1);
    if (threadIdx.x == 0 && blockIdx.x == 0) p[0] = ++calls;
}
extern "C" __global__ void look(float *p) {
    int i = threadIdx.x;
    p[i] = i < 4 ? factors[i] : i == 4 ? counter : i == 5 ? *where : i == 6 ? word[1] : unset + seven;
}
extern "C" __global__ void add(double *p) { tables::sum += p[0]; p[0] = tables::sum; }
"#;

fn options() -> HostOptions {
    HostOptions { threads: Some(2), ..HostOptions::default() }
}

fn module() -> ir::Module {
    let mut c = compile(&Input::text("k.cu", TEXT), &Options::host(Dialect::CUDA), &Emit::Nothing);
    let all: Vec<_> = c.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(c.succeeded(), "{all:?}");
    std::mem::take(&mut c.module)
}

fn line(groups: u32, items: u32) -> Shape {
    Shape { work_dim: 1, groups: [groups, 1, 1], local: [items, 1, 1], offset: [0; 3], dynamic_shared: 0 }
}

/// Launches a kernel on memory of the device that begins as `bytes`, and gives what it leaves.
fn run(device: &dyn Device, program: &Program, kernel: &str, shape: Shape, mut bytes: Vec<u8>) -> Vec<u8> {
    let loaded = device.prepare(program, kernel, shape.local, &mut Session::default());
    let loaded = loaded.unwrap_or_else(|e| panic!("{kernel}: {e}"));
    let memory = device.allocate(bytes.len() as u64).expect("little");
    // SAFETY: nobody else knows the memory, in which the kernels stay.
    unsafe {
        device.copy(&Transfer::to_device(memory, &bytes)).expect("fits");
        loaded.launch(&shape, &[memory.argument()], &Run::default()).unwrap_or_else(|e| panic!("{kernel}: {e}"));
        device.copy(&Transfer::to_host(&mut bytes, memory)).expect("fits");
    }
    device.free(memory).expect("once");
    bytes
}

fn int(bytes: &[u8]) -> i32 {
    i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn looked(device: &dyn Device, program: &Program) -> Vec<f32> {
    let bytes = run(device, program, "look", line(1, 8), vec![0; 32]);
    bytes.chunks(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn write(device: &dyn Device, program: &Program, name: &str, bytes: &[u8]) {
    let v = device.variable(program, name).unwrap_or_else(|e| panic!("{e}"));
    assert!(v.bytes >= bytes.len() as u64);
    // SAFETY: no kernel runs.
    unsafe { device.copy(&Transfer::to_device(v.address, bytes)) }.expect("fits");
}

fn read(device: &dyn Device, program: &Program, name: &str) -> Vec<u8> {
    let v = device.variable(program, name).unwrap_or_else(|e| panic!("{e}"));
    let mut bytes = vec![0; v.bytes as usize];
    // SAFETY: no kernel runs.
    unsafe { device.copy(&Transfer::to_host(&mut bytes, v.address)) }.expect("fits");
    bytes
}

/// All that is promised, of a program that nobody has run on the device yet.
fn behaves(device: &dyn Device, program: &Program) {
    assert_eq!(int(&read(device, program, "counter")), 3, "before the first kernel");
    assert_eq!(looked(device, program), [1.0, 2.0, 0.0, 0.0, 3.0, 3.0, 101.0, 7.0]);
    // Kernels of two local sizes count in one variable, another kernel sees it, and so does the caller.
    assert_eq!(int(&run(device, program, "count", line(5, 64), vec![0; 4])), 11);
    assert_eq!(int(&run(device, program, "count", line(2, 7), vec![0; 4])), 12);
    let counted = 3 + 5 * 64 + 2 * 7;
    assert_eq!(int(&read(device, program, "counter")), counted);
    assert_eq!(looked(device, program)[4..6], [counted as f32; 2]);
    // What the caller writes, kernels see: also in `__constant__` variables.
    write(device, program, "counter", &100i32.to_le_bytes());
    write(device, program, "unset", &35i32.to_le_bytes());
    let v: Vec<u8> = [0.5f32, 1.5, 2.5, 3.5].into_iter().flat_map(f32::to_le_bytes).collect();
    write(device, program, "factors", &v);
    assert_eq!(looked(device, program), [0.5, 1.5, 2.5, 3.5, 100.0, 100.0, 101.0, 42.0]);
    assert_eq!(int(&run(device, program, "count", line(1, 64), vec![0; 4])), 13);
    assert_eq!(int(&read(device, program, "counter")), 164);
    run(device, program, "add", line(1, 1), 1.5f64.to_le_bytes().to_vec());
    let sum = run(device, program, "add", line(1, 1), 2f64.to_le_bytes().to_vec());
    assert_eq!(sum, 3.5f64.to_le_bytes());
    assert_eq!(read(device, program, "_ZN6tables3sumE"), 3.5f64.to_le_bytes());
    assert_eq!(int(&read(device, program, "_ZZ5countE5calls")), 13);
}

#[test]
fn device_variables_are_one_for_all_kernels_of_a_program() {
    let program = Program::new(module(), Dialect::CUDA);
    for scalar in [false, true] {
        let device = HostDevice::new(HostOptions { scalar, ..options() }).expect("a host");
        behaves(&device, &program);
    }
    behaves(&DiscreteDevice::new(options()).expect("a device"), &program);
}

#[test]
fn device_variables_of_another_program_or_device_are_others() {
    let (one, other) = (Program::new(module(), Dialect::CUDA), Program::new(module(), Dialect::CUDA));
    let (device, second) = (HostDevice::new(options()).expect("a host"), HostDevice::new(options()).expect("a host"));
    run(&device, &one, "count", line(1, 64), vec![0; 4]);
    assert_eq!(int(&read(&device, &one, "counter")), 67);
    assert_eq!(int(&read(&device, &other, "counter")), 3);
    assert_eq!(int(&read(&second, &one, "counter")), 3);
}

#[test]
fn device_variables_work_with_machine_code_from_the_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Cache::at(folder.path(), 1 << 24);
    let object = Arc::new(Object::new(Kind::Executable, Dialect::CUDA, &module()));
    let bytes = object.write();
    for round in 0..2 {
        // As another process does it: from bytes, on a device of its own.
        let program = Program::from_object(Arc::new(Object::read(&bytes).expect("an object")));
        let device = HostDevice::with_cache(options(), cache.clone()).expect("a host");
        let kernel = device.prepare(&program, "count", [64, 1, 1], &mut Session::default()).expect("a kernel");
        assert_eq!(kernel.prepared().cached, Some(round == 1));
        behaves(&device, &program);
    }
}

#[test]
fn device_variables_outlive_their_program_in_its_kernels() {
    let device = HostDevice::new(options()).expect("a host");
    let program = Program::new(module(), Dialect::CUDA);
    let kernel = device.prepare(&program, "count", [8, 1, 1], &mut Session::default()).expect("a kernel");
    drop(program);
    let mut out = 0i32;
    for calls in 11..13 {
        let args = [Arg::Pointer((&raw mut out).cast())];
        // SAFETY: the kernel writes one number.
        unsafe { kernel.launch(&line(1, 8), &args, &Run::default()) }.expect("it runs");
        assert_eq!(out, calls);
    }
}

#[test]
fn variables_stand_where_their_alignment_wants_them() {
    let text = "__device__ char one; __device__ __align__(1024) int wide[4];
                extern \"C\" __global__ void k(int *p) { *p = wide[threadIdx.x] + one; }";
    let mut c = compile(&Input::text("k.cu", text), &Options::host(Dialect::CUDA), &Emit::Nothing);
    let program = Program::new(std::mem::take(&mut c.module), Dialect::CUDA);
    let device = HostDevice::new(options()).expect("a host");
    let at = device.variable(&program, "wide").expect("it is there");
    assert_eq!((at.address.0 % 1024, at.bytes), (0, 16));
    assert!(matches!(device.free(at.address), Err(Error::NotDeviceMemory { .. })), "it is the program's");
}

#[test]
fn what_is_no_variable_of_callers_is_refused() {
    let device = HostDevice::new(options()).expect("a host");
    let program = Program::new(module(), Dialect::CUDA);
    for name in ["seven", "nothing", "count", ""] {
        let e = device.variable(&program, name).expect_err(name);
        assert!(matches!(&e, Error::NoVariable { name: n } if n == name), "{e}");
    }
}

#[test]
fn a_variable_that_no_machine_holds_is_an_error() {
    // Two tebibytes.
    let text =
        "__device__ char a[1ull << 38], b[1ull << 38], c[1ull << 38], d[1ull << 38], e[1ull << 38], f[1ull << 38],
                                g[1ull << 38], h[1ull << 38];
                extern \"C\" __global__ void k(char *p) { a[threadIdx.x] = *p; h[*p] = 1; }";
    let mut c = compile(&Input::text("k.cu", text), &Options::host(Dialect::CUDA), &Emit::Nothing);
    let program = Program::new(std::mem::take(&mut c.module), Dialect::CUDA);
    let device = HostDevice::new(options()).expect("a host");
    let made = device.prepare(&program, "k", [1, 1, 1], &mut Session::default());
    assert!(matches!(made.err(), Some(Error::Allocation(_))));
}
