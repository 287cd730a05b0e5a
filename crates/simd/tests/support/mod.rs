//! Runs a kernel in the interpreter as it is and as a work-group function, and compares the memory they leave.

#![allow(dead_code, reason = "each test binary uses a part")]

use interp::{Arg, LaunchConfig, Limits, Machine, TrapKind, Uninit};
use ir::{FuncId, Module};
use launch::CodeSize;
use launch::context::GroupContext;
use simd::widen::Widened;
use simd::{HostKernel, Options, Rows};
use unspool::{Dialect, Emit, Input, OptLevel};

/// An argument of a test kernel.
#[derive(Clone, Debug)]
pub(crate) enum A {
    /// A buffer with these contents.
    Buf(Vec<u8>),
    /// A scalar: its bytes.
    Val(Vec<u8>),
    /// A `__local` buffer of so many bytes.
    Local(u64),
}

/// Doubles, of both signs.
pub(crate) fn f64s(n: usize) -> A {
    A::Buf((0..n).flat_map(|i| ((i * 37 % 101) as f64 * 0.25 - 7.0).to_le_bytes()).collect())
}

pub(crate) fn f32s(n: usize) -> A {
    A::Buf((0..n).flat_map(|i| ((i * 37 % 101) as f32 * 0.25 - 7.0).to_le_bytes()).collect())
}

pub(crate) fn i32s(n: usize) -> A {
    A::Buf((0..n).flat_map(|i| ((i as i32).wrapping_mul(1_103_515_245) >> 7 & 0xffff).to_le_bytes()).collect())
}

pub(crate) fn zeros(bytes: usize) -> A {
    A::Buf(vec![0; bytes])
}

pub(crate) fn int(n: i32) -> A {
    A::Val(n.to_le_bytes().to_vec())
}

pub(crate) fn float(x: f32) -> A {
    A::Val(x.to_le_bytes().to_vec())
}

/// A launch.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) offset: [u64; 3],
    pub(crate) dynamic_shared: u64,
}

impl Launch {
    pub(crate) fn new(grid: [u32; 3], block: [u32; 3]) -> Self {
        Self { grid, block, offset: [0; 3], dynamic_shared: 0 }
    }

    pub(crate) fn line(groups: u32, items: u32) -> Self {
        Self::new([groups, 1, 1], [items, 1, 1])
    }

    fn config(&self) -> LaunchConfig {
        let mut c = LaunchConfig::new(self.grid, self.block);
        c.offset = self.offset;
        c.dynamic_shared = self.dynamic_shared;
        c
    }
}

/// Compiles source text for the host.
pub(crate) fn compile(dialect: Dialect, text: &str) -> (Module, source::Session) {
    compile_at(OptLevel::O3, dialect, text)
}

pub(crate) fn compile_for(target: target::Target, dialect: Dialect, text: &str) -> (Module, source::Session) {
    compile_with(unspool::Options { target, ..unspool::Options::host(dialect) }, text)
}

pub(crate) fn compile_at(level: OptLevel, dialect: Dialect, text: &str) -> (Module, source::Session) {
    compile_with(unspool::Options { level, ..unspool::Options::host(dialect) }, text)
}

fn compile_with(options: unspool::Options, text: &str) -> (Module, source::Session) {
    let result = unspool::compile_with_log(&Input::text("test", text), &options, &Emit::Nothing);
    let messages: Vec<String> = result.session.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(result.succeeded(), "{messages:?}");
    (result.module, result.session)
}

pub(crate) fn options(launch: &Launch) -> Options {
    Options {
        local_size: launch.block.into(),
        target: target::Target::host(),
        vectorise: false,
        machine: simd::VectorIsa { vector_bits: 512, gathers: true, lines_at_once: 8, rows_at_once: 2 },
        rows: Rows::X,
    }
}

const LIMITS: Limits = Limits { steps: 1 << 28, memory: 1 << 28, uninit: Uninit::OnUse, races: true };

/// What a run leaves, or the trap that ended it.
pub(crate) type Outcome = Result<Memory, TrapKind>;
/// Contents and shadows of the buffers, and what was printed.
pub(crate) type Memory = (Vec<(Vec<u8>, Vec<u8>)>, Vec<u8>);

/// Runs the kernel itself.
pub(crate) fn run_kernel(module: &Module, kernel: FuncId, launch: &Launch, args: &[A]) -> Outcome {
    let mut m = Machine::new(module);
    m.set_target(target::Target::host());
    let mut buffers = Vec::new();
    let func = &module.functions[kernel];
    let args: Vec<Arg> = args
        .iter()
        .zip(&func.params)
        .map(|(a, p)| match a {
            A::Buf(bytes) => {
                let at = m.alloc_bytes(bytes).expect("small");
                buffers.push((at, bytes.len() as u64));
                Arg::Pointer(at)
            }
            A::Val(bytes) if p.attrs.byval.is_some() => Arg::Bytes(bytes.clone()),
            A::Val(bytes) if p.ty.is_vector() => {
                let each = p.ty.scalar_bytes() as usize;
                Arg::Vector(bytes.chunks(each).take(p.ty.lanes().into()).map(word).collect())
            }
            A::Val(bytes) => Arg::Value(word(bytes)),
            A::Local(n) => Arg::Local(*n),
        })
        .collect();
    m.launch(kernel, &launch.config(), &args, &LIMITS).map_err(|t| t.kind)?;
    Ok(contents(&m, &buffers))
}

fn word(bytes: &[u8]) -> u64 {
    let mut w = [0; 8];
    w[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(w)
}

fn contents(m: &Machine, buffers: &[(u64, u64)]) -> Memory {
    let read = |&(at, len): &(u64, u64)| {
        (m.read(at, len).expect("in bounds").to_vec(), m.read_shadow(at, len).expect("in bounds").to_vec())
    };
    (buffers.iter().map(read).collect(), m.output().to_vec())
}

/// Runs the work-group function once per group.
pub(crate) fn run_groups(module: &Module, host: &HostKernel, launch: &Launch, args: &[A]) -> Outcome {
    run_rectangles(module, host, launch, args, [1, 1])
}

/// Runs a function of runs of groups, at most so many groups a call.
pub(crate) fn run_rectangles(
    module: &Module,
    host: &HostKernel,
    launch: &Launch,
    args: &[A],
    run: [u32; 2],
) -> Outcome {
    let mut m = Machine::new(module);
    m.set_target(target::Target::host());
    let mut buffers = Vec::new();
    let mut block = vec![0u8; host.args_bytes as usize];
    let mut locals = Vec::new();
    for (a, slot) in args.iter().zip(&host.args) {
        let bytes = match a {
            A::Buf(bytes) => {
                let at = m.alloc_bytes(bytes).expect("small");
                buffers.push((at, bytes.len() as u64));
                at.to_le_bytes().to_vec()
            }
            A::Val(bytes) => bytes.clone(),
            A::Local(n) => {
                assert!(slot.local);
                locals.push((slot.offset as usize, *n));
                vec![0; 8]
            }
        };
        block[slot.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    for z in 0..launch.grid[2] {
        for y in (0..launch.grid[1]).step_by(run[1] as usize) {
            for x in (0..launch.grid[0]).step_by(run[0] as usize) {
                for &(offset, n) in &locals {
                    let at = m.alloc_global(n).expect("small");
                    block[offset..offset + 8].copy_from_slice(&at.to_le_bytes());
                }
                let args = m.alloc_bytes(&block).expect("small");
                let shared_bytes = u64::from(host.shared_bytes) + launch.dynamic_shared;
                let shared = m.alloc_global(shared_bytes).expect("small");
                let scratch = m.alloc_global(host.scratch.of(launch.block)).expect("small");
                let mut group = context(launch, [x, y, z], (shared, shared_bytes), scratch);
                let ends = [(x, 0, GroupContext::OFFSET_RUN_END), (y, 1, GroupContext::OFFSET_ROWS_END)];
                for (first, d, field) in ends {
                    let end = (first + run[d]).min(launch.grid[d]).to_le_bytes();
                    group[field as usize..][..4].copy_from_slice(&end);
                }
                let group = m.alloc_bytes(&group).expect("small");
                m.call(host.func, &[Arg::Pointer(args), Arg::Pointer(group)], &LIMITS).map_err(|t| t.kind)?;
                let at = group + GroupContext::OFFSET_TRAP as u64;
                if m.read(at, 4).expect("there") != [0; 4] {
                    return Err(TrapKind::Trap);
                }
            }
        }
    }
    Ok(contents(&m, &buffers))
}

fn context(launch: &Launch, id: [u32; 3], (shared, shared_bytes): (u64, u64), scratch: u64) -> Vec<u8> {
    let mut out = Vec::new();
    id.iter().chain(&launch.grid).for_each(|n| out.extend(n.to_le_bytes()));
    out.extend(launch.config().work_dim.to_le_bytes());
    out.extend([0; 4]);
    launch.offset.iter().for_each(|n| out.extend(n.to_le_bytes()));
    [shared, scratch, launch.dynamic_shared].iter().for_each(|n| out.extend(n.to_le_bytes()));
    out.extend([0; 8]);
    out.extend([0; 12]);
    launch.block.iter().for_each(|n| out.extend(n.to_le_bytes()));
    let size = |d: usize| u64::from(launch.grid[d]) * u64::from(launch.block[d]);
    (0..3).for_each(|d| out.extend(size(d).to_le_bytes()));
    launch.offset.iter().for_each(|n| out.extend(n.to_le_bytes()));
    launch.block.iter().for_each(|n| out.extend(n.to_le_bytes()));
    out.extend([0; 4]);
    out.extend(shared_bytes.to_le_bytes());
    assert_eq!(out.len(), size_of::<GroupContext>());
    out
}

/// What of two runs differs, undefined bytes of the first left out.
pub(crate) fn difference(a: &Outcome, b: &Outcome) -> Option<String> {
    let ((a, printed), (b, also)) = match (a, b) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(a), Err(b)) if std::mem::discriminant(a) == std::mem::discriminant(b) => return None,
        (a, b) => return Some(format!("kernel: {:?}, groups: {:?}", a.as_ref().err(), b.as_ref().err())),
    };
    if printed != also {
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        return Some(format!("printed {:?} and {:?}", text(printed), text(also)));
    }
    for (n, ((x, undef), (y, undef_y))) in a.iter().zip(b).enumerate() {
        for k in (0..x.len()).filter(|&k| undef[k] == 0) {
            if x[k] != y[k] || undef_y[k] != 0 {
                return Some(format!("buffer {n}, byte {k}: {} and {} (undefined: {})", x[k], y[k], undef_y[k]));
            }
        }
    }
    None
}

/// Compiles, runs both, compares.
pub(crate) fn check(dialect: Dialect, text: &str, launch: &Launch, args: &[A]) -> (Module, HostKernel) {
    check_at(OptLevel::O3, dialect, text, launch, args)
}

/// The same at every level.
pub(crate) fn check_levels(dialect: Dialect, text: &str, launch: &Launch, args: &[A]) {
    for level in [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        check_at(level, dialect, text, launch, args);
    }
}

fn check_at(level: OptLevel, dialect: Dialect, text: &str, launch: &Launch, args: &[A]) -> (Module, HostKernel) {
    let (mut module, mut session) = compile_at(level, dialect, text);
    let kernel =
        module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("a kernel");
    let expected = run_kernel(&module, kernel, launch, args);
    let host = match simd::work_group(&mut module, &mut session, kernel, &options(launch)) {
        Ok(host) => host,
        Err(e) => panic!("{e}\n{}", ir::print::function_to_text(&module, &module.functions[kernel])),
    };
    let found = run_groups(&module, &host, launch, args);
    if let Some(why) = difference(&expected, &found) {
        panic!(
            "{level:?}: {why}\n{}\n{}",
            ir::print::function_to_text(&module, &module.functions[kernel]),
            ir::print::function_to_text(&module, &module.functions[host.func])
        );
    }
    assert!(expected.is_ok(), "{:?}", expected.err());
    let (any, exact) = (CodeSize::any_like(launch.block, 0), CodeSize::from(launch.block));
    let sizes =
        [(any, None), (exact, Some(128)), (exact, Some(512)), (any, Some(128)), (CodeSize([None; 3]), Some(512))];
    for (size, bits) in sizes {
        check_variant(level, dialect, text, launch, args, (&expected, size, bits, Rows::X));
    }
    let turned = [(any, None), (exact, Some(512)), (CodeSize([None; 3]), Some(128))];
    for (size, bits) in turned.into_iter().filter(|_| launch.block[1] > 1) {
        check_variant(level, dialect, text, launch, args, (&expected, size, bits, Rows::Y));
    }
    (module, host)
}

/// The same for these local sizes, with work-items in the lanes of vectors of so many bits, if any.
fn check_variant(
    level: OptLevel,
    dialect: Dialect,
    text: &str,
    launch: &Launch,
    args: &[A],
    (expected, size, bits, rows): (&Outcome, CodeSize, Option<u32>, Rows),
) {
    let (mut module, mut session) = compile_at(level, dialect, text);
    let kernel = module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("it is");
    let mut options = options(launch);
    options.local_size = size;
    options.vectorise = bits.is_some();
    options.rows = rows;
    options.machine.vector_bits = bits.unwrap_or(512);
    let host = simd::work_group(&mut module, &mut session, kernel, &options).unwrap_or_else(|e| panic!("{e}"));
    let found = run_groups(&module, &host, launch, args);
    if let Some(why) = difference(expected, &found) {
        let text = ir::print::function_to_text(&module, &module.functions[host.func]);
        panic!("{level:?}, groups of {size}, {bits:?} bits, {} lanes in {rows:?}: {why}\n{text}", host.lanes);
    }
}

/// Compiles, widens for vectors of 4, 8 and 16 floats, runs, compares; what became of the loops with 16.
pub(crate) fn check_widened(dialect: Dialect, text: &str, launch: &Launch, args: &[A]) -> Widened {
    check_widened_at(OptLevel::O3, dialect, text, launch, args)
}

pub(crate) fn check_widened_at(level: OptLevel, dialect: Dialect, text: &str, launch: &Launch, args: &[A]) -> Widened {
    let mut last = Widened::default();
    for bits in [128, 256, 512] {
        let (mut module, mut session) = compile_at(level, dialect, text);
        let kernel =
            module.functions.iter().find(|(_, f)| f.kind == ir::FnKind::Kernel).map(|(id, _)| id).expect("a kernel");
        let expected = run_kernel(&module, kernel, launch, args);
        assert!(expected.is_ok(), "{:?}", expected.err());
        let mut o = options(launch);
        o.vectorise = true;
        o.machine.vector_bits = bits;
        let made = simd::regions::run(&mut module, &mut session, kernel, &o, simd::regions::Warps::Exchange)
            .unwrap_or_else(|e| panic!("{e}"));
        let scalar = ir::print::function_to_text(&module, &module.functions[made.func]);
        last = simd::widen::run(&mut module, &mut session, &made, &o).unwrap_or_else(|e| {
            panic!("{e}\n{scalar}\n{}", ir::print::function_to_text(&module, &module.functions[made.func]))
        });
        let host = simd::HostKernel {
            func: made.func,
            name: String::new(),
            args: made.args.clone(),
            args_bytes: made.args_bytes,
            shared_bytes: made.shared_bytes,
            scratch: made.scratch,
            lanes: last.lanes,
            reason: last.reason.clone(),
            packs: false,
            waits: false,
        };
        let found = run_groups(&module, &host, launch, args);
        if let Some(why) = difference(&expected, &found) {
            let wide = ir::print::function_to_text(&module, &module.functions[made.func]);
            panic!("{bits} bits: {why}\n{scalar}\n{wide}");
        }
    }
    last
}

/// The same for a kernel of which every loop must be widened.
pub(crate) fn cl(text: &str, launch: &Launch, args: &[A]) -> Widened {
    let w = check_widened(Dialect::OPENCL, text, launch, args);
    assert!(w.reason.is_none() && w.lanes > 1, "{w:?}");
    w
}
