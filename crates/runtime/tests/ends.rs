//! Processes end well while better code is being made. This file is a program of its own, whose children end on their first
//! thread, as tests do not, or on another one, or on one that has launched nothing.

use runtime::{Arg, Cache, Device, HostDevice, HostOptions, Program, Run, Shape, Specialise};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

const NAME: &str = "llvm_ran_on_while_the_process_took_its_tables_apart";

/// What a child is asked, beside the folder of the cache: how many launches, how many microseconds it waits then, and where.
const CHILD: &str = "--child";

/// On another thread than the first, which ends the process, too.
const ELSEWHERE: &str = "elsewhere";

/// On another thread, which has ended when the first one, which launched nothing, ends the process.
const BEFORE: &str = "before";

const TEXT: &str = "kernel void k(global float *p) {
    int i = get_global_id(0);
    float a = p[i];
    for (int j = 0; j < 64; j++) {
        a = sin(a) + pow(a, 1.5f) * exp(a);
        if (a > 3) a = fmod(a, 1.1f);
        p[(i * 7 + j) & 1023] += a * get_local_size(0);
    }
    p[i] = a;
}";

/// The protocol of test programs: names on request, else this one test.
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == CHILD) {
        let wait = Duration::from_micros(args[3].parse().expect("a number"));
        let end = move || {
            std::thread::sleep(wait);
            std::process::exit(0)
        };
        let (cache, count, place) = (args[1].clone(), args[2].parse().expect("a number"), args[4].clone());
        let work = move || {
            launches(Path::new(&cache), count);
            if place != BEFORE {
                end();
            }
        };
        if matches!(&*args[4], ELSEWHERE | BEFORE) {
            std::thread::spawn(work).join().expect("it launches");
        } else {
            work();
        }
        end()
    }
    if args.iter().any(|a| a == "--list") {
        if !args.iter().any(|a| a == "--ignored") {
            writeln!(std::io::stdout(), "{NAME}: test").expect("somebody reads");
        }
        return ExitCode::SUCCESS;
    }
    processes_end_well();
    ExitCode::SUCCESS
}

fn launches(cache: &Path, count: u32) {
    let mut c = compile(&Input::text("k.cl", TEXT), &Options::host(Dialect::OPENCL), &Emit::Nothing);
    let program = Program::stored(std::mem::take(&mut c.module), Dialect::OPENCL);
    let options = HostOptions { specialise: Some(Specialise::Recurring), ..HostOptions::default() };
    let device = HostDevice::with_cache(options, Cache::at(cache, 1 << 24)).expect("a host");
    let mut data = vec![0f32; 1024];
    let shape = Shape { work_dim: 1, groups: [64, 1, 1], local: [16, 1, 1], offset: [0; 3], dynamic_shared: 0 };
    for _ in 0..count {
        let kernel = device.prepare(&program, "k", shape.local, &mut c.session).expect("machine code");
        // SAFETY: a buffer of as many elements as the kernel's indices reach.
        unsafe { kernel.launch(&shape, &[Arg::Pointer(data.as_mut_ptr().cast())], &Run::default()) }.expect("runs");
    }
    // Devices wait for their threads when they go, programs often leave them to the system.
    std::mem::forget(device);
}

/// The first code of a kernel is found, so that LLVM's tables are made while better code is, after all that this project asked
/// the system to do at the end; three of ten such processes crashed if they ended then.
fn processes_end_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = folder.path().join("first");
    let child = |cache: &Path, count: &str, wait: u32, place: &str| {
        let me = std::env::current_exe().expect("this program");
        let status =
            Command::new(me).args([CHILD.as_ref(), cache.as_os_str()]).args([count, &wait.to_string(), place]).status();
        let status = status.expect("a process");
        assert!(status.success(), "ended after {wait} µs: {status}");
    };
    child(&first, "1", 0, "");
    for n in 0..120 {
        let cache = folder.path().join(n.to_string());
        copy(&first, &cache);
        // Where the end is another thread's, one of ten crashed, after 120 to 220 ms on a busy machine.
        let (step, place) = [(1500, ""), (12_000, ELSEWHERE), (4000, BEFORE)][n as usize / 40];
        child(&cache, "5", n % 20 * step, place);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").map(|e| e.expect("an entry")) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a file");
        }
    }
}
