//! Programs and machine code on disk: found again, by other processes too, and made again where they are damaged.

use runtime::{
    Arg, BuildOptions, Built, Cache, Device, HostBackend, HostDevice, HostOptions, Program, Run, Shape, build,
};
use source::Session;
use std::path::{Path, PathBuf};
use std::process::Command;
use unspool::object::{Kind, Object};
use unspool::{Backend, Compilation, Dialect, Emit, Input, Options, Product, Unit, compile_with_log as compile};

const TEXT: &str = "
    constant int table[4] = { 10, 20, 30, 40 };
    kernel void add(global int *p) { size_t i = get_global_id(0); p[i] += table[i & 3]; }
    kernel void sums(global int *p, local int *t) {
        size_t l = get_local_id(0);
        t[l] = p[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t s = get_local_size(0) / 2; s > 0; s /= 2) {
            if (l < s) t[l] += t[l + s];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        p[get_global_id(0)] = t[0];
    }";

const LIMIT: u64 = 1 << 24;

fn options() -> Options {
    let mut options = Options::host(Dialect::OPENCL);
    options.kernel_info = true;
    options
}

/// Messages, a line each.
fn render(c: &Compilation) -> String {
    let at = |d: &source::Diagnostic| c.session.sources.display(d.span()).to_string();
    c.session.diagnostics.iter().map(|d| format!("{}: {}\n", at(d), d.message)).collect()
}

fn built_with(text: &str, options: &Options, cache: &Cache) -> Built {
    build(&Input::text("k.cl", text), &BuildOptions { options, spelt: "-DX", cache, render: &render })
}

fn built(text: &str, cache: &Cache) -> Built {
    built_with(text, &options(), cache)
}

fn was_found(b: &Built) -> bool {
    b.compilation.is_none()
}

/// Runs both kernels; whether their code was found, and what they computed.
fn run(program: &Program, cache: &Cache, local: u32) -> (bool, Vec<i32>) {
    let device = HostDevice::with_cache(HostOptions { threads: Some(2), ..HostOptions::default() }, cache.clone());
    let device = device.expect("a host");
    let mut data: Vec<i32> = (0..64).collect();
    let shape =
        Shape { work_dim: 1, groups: [64 / local, 1, 1], local: [local, 1, 1], offset: [0; 3], dynamic_shared: 0 };
    let mut found = true;
    for name in ["add", "sums"] {
        let kernel =
            device.prepare(program, name, shape.local, &mut Session::default()).unwrap_or_else(|e| panic!("{e}"));
        found &= kernel.prepared().cached == Some(true);
        let pointer = Arg::Pointer(data.as_mut_ptr().cast());
        let args = [pointer, Arg::Local(u64::from(local) * 4)];
        let args = if name == "add" { &args[..1] } else { &args };
        // SAFETY: the kernels stay within 64 elements, which nobody else knows.
        unsafe { kernel.launch(&shape, args, &Run::default()) }.unwrap_or_else(|e| panic!("{e}"));
    }
    (found, data)
}

fn expected(local: u32) -> Vec<i32> {
    let added: Vec<i32> = (0..64).map(|i| i + [10, 20, 30, 40][i as usize & 3]).collect();
    added.chunks(local as usize).flat_map(|c| vec![c.iter().sum(); c.len()]).collect()
}

fn program(b: &Built) -> &Program {
    b.program.as_ref().unwrap_or_else(|| panic!("{}", b.log))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let all = |f: &Path| {
        std::fs::read_dir(f).map_or_else(|_| Vec::new(), |d| d.flatten().map(|e| e.path()).collect::<Vec<_>>())
    };
    all(folder).iter().flat_map(|f| all(f)).collect()
}

#[test]
fn the_second_build_compiles_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let cache = Cache::at(dir.path().join("cache"), LIMIT);
    let first = built(TEXT, &cache);
    assert!(!was_found(&first));
    assert_eq!(run(program(&first), &cache, 16), (false, expected(16)));
    let second = built(TEXT, &cache);
    assert!(was_found(&second));
    assert_eq!(run(program(&second), &cache, 16), (true, expected(16)));
    let names = |p: &Program| p.kernels().iter().map(|k| k.symbol.clone()).collect::<Vec<_>>();
    assert_eq!(names(program(&second)), ["add", "sums"]);
    assert_eq!(names(program(&second)), names(program(&first)));
    // Another local size: the IR is read.
    assert_eq!(run(program(&second), &cache, 32), (false, expected(32)));
    assert_eq!(run(program(&second), &cache, 32), (true, expected(32)));
    // What only the preprocessor sees does not matter.
    let comment = format!("#define UNUSED 1\n{}", TEXT.replace("size_t l", "size_t /* local */ l"));
    assert!(was_found(&built(&comment, &cache)));
    assert!(!was_found(&built(&TEXT.replace("40", "41"), &cache)));
    let mut fast = options();
    fast.math.cl_fast = true;
    assert!(!was_found(&built_with(TEXT, &fast, &cache)));
    assert!(!was_found(&built(TEXT, &Cache::off())));
}

#[test]
fn code_from_stored_ir_is_the_code_from_the_source() {
    let compiled = compile(&Input::text("k.cl", TEXT), &options(), &Emit::Nothing);
    let object = Object::new(Kind::Executable, Dialect::OPENCL, &compiled.module);
    let read = Object::read(&object.write()).expect("written just now").module().expect("valid");
    let code = |module: &ir::Module| {
        let (mut session, options) = (Session::default(), options());
        let unit = Unit { module, session: &mut session, options: &options, kernels: &[], variables: &[] };
        let made = HostBackend.emit(Product::ASSEMBLY, unit).unwrap_or_else(|d| panic!("{}", d.message));
        made[0].as_text().expect("assembly is text").to_owned()
    };
    assert_eq!(code(&compiled.module), code(&read));
}

#[test]
fn warnings_of_a_program_that_was_found_are_said_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let cache = Cache::at(dir.path().join("cache"), LIMIT);
    let text = "#warning look here\nkernel void k(global int *p) { *p = 1; }\n";
    let first = built(text, &cache);
    assert!(first.log.contains("look here"), "{}", first.log);
    let second = built(text, &cache);
    assert!(was_found(&second));
    assert_eq!(second.log, first.log);
    assert_eq!(
        program(&second).object().map(|o| (o.log.clone(), o.options.clone())),
        Some((first.log.clone(), "-DX".into()))
    );
    // The same tokens, but the warning stands elsewhere.
    let moved = built(&format!("\n\n{text}"), &cache);
    assert!(!was_found(&moved));
    assert!(moved.log.contains("3:") && moved.log != first.log, "{}", moved.log);
    // Errors are found by compiling, each time.
    for _ in 0..2 {
        let wrong = built("kernel void k(global int *p) { *p = q; }", &cache);
        assert!(wrong.program.is_none() && wrong.compilation.is_some() && !wrong.log.is_empty());
    }
}

#[test]
fn damaged_entries_are_made_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().join("cache");
    let cache = Cache::at(&folder, LIMIT);
    run(program(&built(TEXT, &cache)), &cache, 16);
    let all = files(&folder);
    assert_eq!(all.len(), 3, "a program, two kernels");
    let damages: [fn(&mut Vec<u8>); 4] =
        [|b| *b.last_mut().expect("not empty") ^= 1, |b| b.truncate(b.len() / 2), Vec::clear, |b| b.fill(0)];
    for damage in damages {
        for file in &all {
            let mut bytes = std::fs::read(file).expect("an entry");
            damage(&mut bytes);
            std::fs::write(file, bytes).expect("ours");
        }
        let again = built(TEXT, &cache);
        assert!(!was_found(&again));
        assert_eq!(run(program(&again), &cache, 16), (false, expected(16)));
        let found = built(TEXT, &cache);
        assert!(was_found(&found));
        assert_eq!(run(program(&found), &cache, 16), (true, expected(16)));
    }
}

#[test]
fn without_a_folder_there_is_no_cache() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("file");
    std::fs::write(&file, b"").expect("ours");
    for cache in [Cache::at(&file, LIMIT), Cache::at(file.join("below"), LIMIT), Cache::at(dir.path().join("c"), 0)] {
        for _ in 0..2 {
            let b = built(TEXT, &cache);
            assert!(!was_found(&b));
            assert_eq!(run(program(&b), &cache, 16), (false, expected(16)));
        }
    }
}

/// Says to a process of this test where it shall build and run.
const WORKER: &str = "UNSPOOL_TEST_CACHE_WORKER";

/// Does nothing unless another test has started it as a process.
#[test]
fn worker() {
    let Some(folder) = std::env::var_os(WORKER) else { return };
    let cache = Cache::at(folder, LIMIT);
    for round in 0..20 {
        // Both write the same entries, over and over.
        let text = TEXT.replace("10, 20", &format!("10, 20 + 0 * {round}"));
        let b = built(&text, &cache);
        assert_eq!(run(program(&b), &cache, 16).1, expected(16));
        if round % 5 == 4 {
            let all = files(Path::new(&std::env::var_os(WORKER).expect("set")));
            all.iter().step_by(2).for_each(|f| drop(std::fs::write(f, b"damaged")));
        }
    }
}

#[test]
fn processes_share_a_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().join("cache");
    let start = || {
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command.args(["--exact", "worker"]).env(WORKER, &folder);
        command.stdout(std::process::Stdio::null()).spawn().expect("it starts")
    };
    let mut workers = [start(), start()];
    for w in &mut workers {
        assert!(w.wait().expect("it ends").success());
    }
    let cache = Cache::at(&folder, LIMIT);
    run(program(&built(TEXT, &cache)), &cache, 16);
    let b = built(TEXT, &cache);
    assert!(was_found(&b));
    assert_eq!(run(program(&b), &cache, 16), (true, expected(16)));
}
