//! Kernels of OpenCL C made ready for a launch with checks, as the driver makes them.

use check::{Checker, Code, Contents};
use launch::kernels::{ParamKind, Space};
use target::Target;
use unspool::{Compilation, Dialect, Emit, Input, OptLevel, Options, compile_with_log as compile};

/// A file's kernels, for OpenCL C of this version.
pub(crate) fn compiled(source: &str, version: u16) -> Compilation {
    let mut options = Options::new(Dialect::OpenClC { version });
    options.target = Target::host();
    options.level = OptLevel::O0;
    options.kernel_info = true;
    options.checks = true;
    let out = compile(&Input::text("k.cl", source), &options, &Emit::Nothing);
    assert!(out.succeeded(), "{source}");
    out
}

/// The first kernel, without arguments.
pub(crate) fn checker(out: &Compilation) -> Checker<'_> {
    let kernel = &out.kernels[0];
    Checker::new(Code {
        module: &out.module,
        function: out.module.find(&kernel.symbol).unwrap(),
        kernel,
        target: Target::host(),
        barriers_for_everybody: true,
        divisions: true,
        moves_words: false,
    })
}

/// Gives the first kernel a buffer of so many bytes for each of its pointers; `byte(n, i)` is what byte `i` of buffer `n` holds, or
/// nobody has written the buffer. The buffers that are not a work-group's.
pub(crate) fn give_buffers(
    checker: &mut Checker<'_>,
    out: &Compilation,
    bytes: usize,
    byte: impl Fn(usize, usize) -> Option<u8>,
) -> Vec<u64> {
    let mut buffers = Vec::new();
    for (n, p) in out.kernels[0].params.iter().enumerate() {
        if let ParamKind::Pointer { space: Space::Local, .. } = &p.kind {
            checker.push_local(bytes as u64);
            continue;
        }
        let all: Option<Vec<u8>> = (0..bytes).map(|i| byte(n, i)).collect();
        let contents = all.as_deref().map_or(Contents::Unwritten(bytes as u64), Contents::Bytes);
        let address = checker.object(&format!("`{}`", p.name), contents).unwrap();
        checker.push_pointer(address);
        buffers.push(address);
    }
    buffers
}
