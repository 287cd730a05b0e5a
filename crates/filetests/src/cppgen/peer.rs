//! What another compiler makes of a program, and what this one does: the numbers, each with the line that it comes from.

use super::{Topic, text};
use crate::sourcegen::execute::Fault;
use interp::{Arg, LaunchConfig, Limits, Machine, Uninit};
use source::render::{Colour, diagnostics_to_text};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Stdio};
use unspool::{Dialect, Emit, Input, OptLevel, Options, compile_with_log as compile};

/// A line and the number that it gave.
pub type Number = (i64, i64);

/// Most numbers that a program collects.
const MOST: usize = 1000;

/// Most operations of a program in the interpreter.
const STEPS: u64 = 20_000_000;

/// The compiler that the tests believe.
pub const CLANG: &str = "clang++-19";
/// Compilers that can be asked, the best first.
const PEERS: [&str; 4] = [CLANG, "g++", "clang++", "c++"];

/// What the other compiler says.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The program is valid and gives these.
    Numbers(Vec<Number>),
    /// It is not valid: the first error.
    Refused(String),
}

/// A C++ compiler of this machine, if there is one that knows C++20.
pub fn peer() -> Option<&'static str> {
    PEERS.into_iter().find(|p| {
        let tried = Command::new(p)
            .args(["-std=c++20", "-x", "c++", "-fsyntax-only", "/dev/null"])
            .stderr(Stdio::null())
            .status();
        tried.is_ok_and(|s| s.success())
    })
}

/// Compiles a program for this machine in a folder, and runs it.
///
/// # Errors
/// The compiler or the program cannot be started, or the program fails.
pub fn ask(peer: &str, topics: &[Topic], folder: &Path) -> Result<Answer, String> {
    let (file, binary) = (folder.join("program.cpp"), folder.join("program"));
    std::fs::write(&file, text(topics)).map_err(|e| e.to_string())?;
    let mut command = Command::new(peer);
    command.args([
        "-std=c++20",
        "-O0",
        "-w",
        "-fwrapv",
        "-fno-strict-aliasing",
        "-fno-exceptions",
        "-fno-rtti",
        "-ffp-contract=off",
    ]);
    // Aggregates of temporaries, moved objects: no copy is left out that does not have to be.
    command.args(["-DORACLE", "-D__device__=", "-D__global__=", "-o"]).arg(&binary).arg(&file);
    let done = command.output().map_err(|e| e.to_string())?;
    if !done.status.success() {
        let errors = String::from_utf8_lossy(&done.stderr).into_owned();
        return Ok(Answer::Refused(errors.lines().find(|l| l.contains("error:")).unwrap_or(&errors).to_owned()));
    }
    let ran = Command::new("timeout").arg("10").arg(&binary).output().map_err(|e| e.to_string())?;
    if !ran.status.success() {
        return Err(format!("the program of {peer} fails: {}", ran.status));
    }
    let printed = String::from_utf8_lossy(&ran.stdout);
    let line = |l: &str| -> Option<Number> {
        let (a, b) = l.split_once(' ')?;
        Some((a.parse().ok()?, b.parse().ok()?))
    };
    Ok(Answer::Numbers(printed.lines().filter_map(line).collect()))
}

/// What this compiler and the interpreter make of it at a level.
///
/// # Errors
/// It is rejected, or does what it may not.
pub fn ours(topics: &[Topic], level: OptLevel) -> Result<Vec<Number>, Fault> {
    let made = catch_unwind(AssertUnwindSafe(|| interpreted(&text(topics), level)));
    made.map_err(|e| {
        let words = e.downcast_ref::<String>().map(String::as_str).or_else(|| e.downcast_ref::<&str>().copied());
        Fault::Panic(words.unwrap_or("panic").to_owned())
    })?
}

fn interpreted(text: &str, level: OptLevel) -> Result<Vec<Number>, Fault> {
    let mut options = Options { level, no_warnings: true, ..Options::new(Dialect::CudaCxx { std: 20 }) };
    options.math.fmad = Some(false);
    let c = compile(&Input::text("program.cu", text), &options, &Emit::Ir);
    if !c.succeeded() {
        return Err(Fault::Rejected(diagnostics_to_text(
            &c.session.sources,
            c.session.diagnostics.iter(),
            Colour::Never,
        )));
    }
    let mut machine = Machine::new(&c.module);
    let bytes = (2 * MOST + 1) * 8;
    let out = machine.alloc_bytes(&vec![0; bytes]).ok_or_else(|| Fault::Trap("no memory".into()))?;
    let kernel = c.module.find("k").ok_or_else(|| Fault::Trap("no kernel".into()))?;
    let limits = Limits { steps: STEPS, uninit: Uninit::OnUse, ..Limits::default() };
    machine.launch(kernel, &LaunchConfig::new([1; 3], [1; 3]), &[Arg::Pointer(out)], &limits).map_err(|t| {
        if matches!(t.kind, interp::TrapKind::StepLimit) {
            return Fault::TooLong;
        }
        Fault::Trap(format!("{}: {t}", c.session.sources.display(t.span)))
    })?;
    let got = machine.read(out, bytes as u64).unwrap_or_default();
    let words: Vec<i64> = got.chunks_exact(8).map(|w| i64::from_le_bytes(w.try_into().unwrap_or_default())).collect();
    let count = usize::try_from(words[0]).unwrap_or_default().min(MOST);
    Ok((0..count).map(|n| (words[2 * n + 1], words[2 * n + 2])).collect())
}

/// The first number that differs, with its line.
pub fn difference(topics: &[Topic], theirs: &[Number], ours: &[Number]) -> Option<String> {
    let at = (0..theirs.len().max(ours.len())).find(|&n| theirs.get(n) != ours.get(n))?;
    let line = |n: Option<&Number>| {
        let text = text(topics);
        let line = n.and_then(|n| usize::try_from(n.0).ok()).and_then(|l| text.lines().nth(l - 1).map(str::to_owned));
        format!("{:?} of `{}`", n.map(|n| n.1), line.unwrap_or_default().trim())
    };
    let which = theirs[..at].iter().rev().take_while(|n| theirs.get(at).is_some_and(|t| t.0 == n.0)).count();
    Some(format!("number {which} of its line: {}, not {}", line(ours.get(at)), line(theirs.get(at))))
}

/// What became of a program.
#[derive(Debug)]
pub enum Verdict {
    /// Both agree.
    Same,
    /// Neither takes it.
    BothRefuse,
    /// Only this compiler takes it: the other's error.
    OnlyOurs(String),
    /// A finding.
    Wrong(Fault),
}

/// Compares.
///
/// # Errors
/// The other compiler could not be asked.
pub fn judge(peer: &str, topics: &[Topic], folder: &Path) -> Result<Verdict, String> {
    let theirs = match ask(peer, topics, folder)? {
        Answer::Numbers(n) => n,
        Answer::Refused(why) => {
            return Ok(match ours(topics, OptLevel::O0) {
                Ok(_) | Err(Fault::Trap(_) | Fault::TooLong | Fault::Differs(_)) => Verdict::OnlyOurs(why),
                Err(Fault::Rejected(_)) => Verdict::BothRefuse,
                Err(f) => Verdict::Wrong(f),
            });
        }
    };
    for level in [OptLevel::O0, OptLevel::O3] {
        match ours(topics, level) {
            Ok(n) => {
                if let Some(d) = difference(topics, &theirs, &n) {
                    return Ok(Verdict::Wrong(Fault::Differs(format!("{level:?}: {d}"))));
                }
            }
            Err(f) => return Ok(Verdict::Wrong(f)),
        }
    }
    Ok(Verdict::Same)
}
