//! A launch in the interpreter.

use super::{report, written};
use crate::core::device::Device;
use crate::core::kernel::{Captured, Given};
use crate::core::memory::Memory;
use crate::core::memory::svm::svm_all;
use crate::core::output;
use crate::core::program::Program;
use crate::status::{Result, Status};
use check::{Checker, Code, Contents, Problem, Surveyed, TrapKind, param_name};
use launch::{Launch, NdRange};
use opencl_sys as cl;
use runtime::Device as _;
use std::sync::Arc;

/// Bytes of the host that arguments point to, without a gap: an object of the interpreter's.
struct Piece {
    start: usize,
    size: usize,
    /// Which arguments' they are, in words.
    names: Vec<String>,
    read_only: bool,
    write_only: bool,
    /// Pointers to it may stand in memory.
    shared: bool,
}

/// A piece in the interpreter.
struct Placed {
    piece: Piece,
    address: u64,
    before: Vec<u8>,
    unwritten: Option<Vec<u8>>,
}

/// Checks a launch, says what was found, and leaves in memory what it has computed; `None` if the machine has to run it.
///
/// # Errors
/// `CL_OUT_OF_RESOURCES`: the kernel stopped itself, as where nothing is checked.
pub fn run(captured: &Captured, program: &Program, device: &Arc<Device>, range: &NdRange) -> Option<Result> {
    let shape = Launch { range: *range, dynamic_shared: 0 };
    let executable = &captured.executable;
    let kernel = &captured.signature.info;
    let module = executable.program.module().ok()?;
    let function = module.find(&kernel.symbol)?;
    let mut checker = Checker::new(Code {
        module,
        function,
        kernel,
        target: device.host.target(),
        barriers_for_everybody: true,
        divisions: executable.sources.is_some(),
        moves_words: false,
    });
    checker.set_threads(device.host.threads());
    let variables = variables(&mut checker, captured, device);
    let found = match place(&mut checker, captured, program) {
        Ok(placed) => {
            let found = checker.survey(&shape);
            if found.ended.is_none() {
                placed.iter().for_each(|p| take_back(&checker, p));
                give_variables_back(&checker, &variables);
                let text = checker.take_output();
                if !text.is_empty() {
                    output::print(&text);
                }
            } else {
                captured.memory.iter().for_each(|m| written::wrote(m.address(), m.size()));
            }
            found
        }
        Err(problem) => refused(problem),
    };
    let code = Arc::as_ptr(executable) as usize;
    report::report(code, kernel, executable.sources.as_ref(), &shape, &found);
    if found.ended.is_some() {
        return None;
    }
    let stopped = found.findings.iter().any(|f| f.trap.kind == TrapKind::Trap);
    Some(if stopped { Err(Status::OUT_OF_RESOURCES) } else { Ok(()) })
}

/// Nothing was run.
fn refused(problem: Problem) -> Surveyed {
    let why = match problem {
        Problem::TooLarge => "a memory object is larger than 3.75 GiB".to_owned(),
        Problem::Argument(n) => format!("argument {n} has no parameter"),
    };
    let ended = Some(Box::new(check::Trap::of_launch(why)));
    Surveyed { findings: Vec::new(), left_out: 0, partial: false, threads: 1, side_by_side: false, ended }
}

// ---- memory objects --------------------------------------------------------------------------------------------------

/// The pieces that the arguments are in, apart from one another.
fn pieces(captured: &Captured, program: &Program) -> Vec<Piece> {
    let kernel = &captured.signature.info;
    let mut all: Vec<Piece> = Vec::new();
    for (n, given) in captured.given().enumerate() {
        if let Given::Memory(m) = given {
            let buffer = m.as_image().is_none();
            all.push(Piece {
                start: m.address() as usize,
                size: m.size(),
                names: vec![param_name(kernel, n)],
                read_only: buffer && m.flags & cl::CL_MEM_READ_ONLY != 0,
                write_only: buffer && m.flags & cl::CL_MEM_WRITE_ONLY != 0,
                shared: false,
            });
        }
    }
    for region in svm_all(&program.context) {
        let start = region.start as usize;
        let is_it = |given: &Given<'_>| matches!(given, Given::Address(a) if *a == start);
        let names = captured.given().enumerate().filter(|(_, g)| is_it(g)).map(|(n, _)| param_name(kernel, n));
        let size = region.size;
        all.push(Piece { start, size, names: names.collect(), read_only: false, write_only: false, shared: true });
    }
    all.sort_by_key(|p| p.start);
    let mut merged: Vec<Piece> = Vec::new();
    for p in all {
        match merged.last_mut() {
            Some(last) if p.start < last.start + last.size => {
                last.size = last.size.max(p.start + p.size - last.start);
                let new = p.names.into_iter().filter(|n| !last.names.contains(n)).collect::<Vec<_>>();
                last.names.extend(new);
                last.read_only &= p.read_only;
                last.write_only &= p.write_only;
                last.shared |= p.shared;
            }
            _ => merged.push(p),
        }
    }
    merged
}

/// Gives the interpreter the objects and the arguments.
fn place(
    checker: &mut Checker<'_>,
    captured: &Captured,
    program: &Program,
) -> std::result::Result<Vec<Placed>, Problem> {
    let mut placed = Vec::new();
    for piece in pieces(captured, program) {
        // SAFETY: bytes of memory objects that the launch holds, or of shared virtual memory, which its user keeps as
        // long as a command may use it; the kernel might read them now.
        let before = unsafe { std::slice::from_raw_parts(piece.start as *const u8, piece.size) }.to_vec();
        let unwritten = written::unwritten(piece.start, piece.size);
        let contents = match &unwritten {
            Some(u) => Contents::Partly(&before, u),
            None => Contents::Bytes(&before),
        };
        let name = if piece.names.is_empty() { "shared virtual memory".to_owned() } else { piece.names.join(" and ") };
        let address = checker.object(&name, contents)?;
        checker.set_access(address, !piece.write_only, !piece.read_only);
        if piece.shared {
            checker.place_host(piece.start as u64, piece.size as u64, address);
        }
        placed.push(Placed { piece, address, before, unwritten });
    }
    let find = |m: &Memory| {
        let start = m.address() as usize;
        let p =
            placed.iter().rev().find(|p| p.piece.start <= start).map(|p| p.address + (start - p.piece.start) as u64);
        p.unwrap_or_default()
    };
    for (n, given) in captured.given().enumerate() {
        match given {
            Given::Value(bytes) => checker.push_value(bytes)?,
            Given::Local(bytes) => checker.push_local(bytes),
            Given::Address(address) => checker.push_pointer(address as u64),
            Given::Memory(m) => {
                let address = match m.as_image() {
                    Some(image) => {
                        let name = param_name(&captured.signature.info, n);
                        checker.image(&name, image.description(), find(m))?
                    }
                    None => find(m),
                };
                checker.push_pointer(address);
            }
        }
    }
    Ok(placed)
}

/// Leaves in memory what the launch has written.
fn take_back(checker: &Checker<'_>, placed: &Placed) {
    let (start, size) = (placed.piece.start, placed.piece.size);
    let Some(after) = checker.bytes(placed.address, size as u64) else { return };
    // Only what differs: other commands may work on other parts of it.
    for run in written::differences(&placed.before, after) {
        // SAFETY: within the object, as above; this is the kernel's write.
        unsafe {
            std::ptr::copy_nonoverlapping(after[run.clone()].as_ptr(), (start + run.start) as *mut u8, run.len());
        }
    }
    if let (Some(before), Some(after)) = (&placed.unwritten, checker.unwritten(placed.address, size as u64)) {
        written::update(start, before, after);
    }
}

// ---- variables of the program ----------------------------------------------------------------------------------------

/// The variables that outlive kernels, with their places here: the interpreter is given what they hold.
fn variables(checker: &mut Checker<'_>, captured: &Captured, device: &Device) -> Vec<(String, usize, usize)> {
    let program = &captured.executable.program;
    let mut all = Vec::new();
    // Addresses in variables are those of the machine's variables, which mean nothing to the interpreter.
    for v in program.variables().iter().filter(|v| v.addresses.is_empty()) {
        let Ok(at) = device.host.variable(program, &v.name) else { continue };
        let (start, size) = (at.address.0 as usize, at.bytes as usize);
        // SAFETY: the variable's memory on this device, which is the host's; the program that has it is held.
        let bytes = unsafe { std::slice::from_raw_parts(start as *const u8, size) }.to_vec();
        checker.set_variable(&v.name, &bytes);
        all.push((v.name.clone(), start, size));
    }
    all
}

fn give_variables_back(checker: &Checker<'_>, variables: &[(String, usize, usize)]) {
    for (name, start, size) in variables {
        if let Some(bytes) = checker.variable(name).filter(|b| b.len() == *size) {
            // SAFETY: as above; no kernel of the program that could use it meanwhile is ordered with this one.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), *start as *mut u8, *size) };
        }
    }
}
