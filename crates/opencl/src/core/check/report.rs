//! What is said of a launch that was checked.

use super::{Destination, destination};
use check::{Caller, Surveyed, explain_finding};
use launch::Launch;
use launch::kernels::KernelInfo;
use source::SourceMap;
use source::render::{Colour, diagnostics_to_text};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// What was said so far.
#[derive(Debug, Default)]
struct Said {
    /// Launches of each kernel, by the address of its code and its symbol.
    launches: BTreeMap<(usize, String), Kernel>,
}

/// What was said of a kernel.
#[derive(Debug, Default)]
struct Kernel {
    launches: u64,
    /// What was found, without where: that differs from launch to launch.
    findings: BTreeSet<String>,
    /// Launches with nothing new since something was said.
    same: u64,
}

static SAID: Mutex<Option<Said>> = Mutex::new(None);

/// Why there are no lines.
const NO_SOURCES: &str = "  the program was made from a binary, so that lines are not known: build it from its source to see them \
    (pyopencl does with PYOPENCL_NO_CACHE=1)\n";

/// Says what was found, once for each place of a kernel and kind of fault.
pub(super) fn report(code: usize, kernel: &KernelInfo, sources: Option<&SourceMap>, shape: &Launch, found: &Surveyed) {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    let known = said.get_or_insert_default().launches.entry((code, kernel.symbol.clone())).or_default();
    known.launches += 1;
    let new: Vec<_> = found.findings.iter().filter(|f| known.findings.insert(f.identity())).collect();
    let old = found.findings.len() - new.len();
    let text = if new.is_empty() && found.ended.is_none() {
        if old == 0 {
            return;
        }
        // Programs launch the same kernel many times: then it is said less and less often.
        known.same += 1;
        if !known.same.is_power_of_two() {
            return;
        }
        format!("{}: the same as before\n", head(kernel, shape, known.launches, old))
    } else {
        let mut text = format!("{}\n", head(kernel, shape, known.launches, found.findings.len()));
        let diagnostics: Vec<_> =
            new.iter().map(|f| explain_finding(f, kernel, shape, Caller::Program)).map(|d| strip(d, sources)).collect();
        let none = SourceMap::default();
        text.push_str(&diagnostics_to_text(sources.unwrap_or(&none), &diagnostics, Colour::Never));
        if sources.is_none() && !diagnostics.is_empty() {
            text.push_str(NO_SOURCES);
        }
        if old > 0 {
            text.push_str(&format!("  and {old} that an earlier launch had, too\n"));
        }
        if found.left_out > 0 {
            text.push_str(&format!("  and {} more faults at other places, which are left out\n", found.left_out));
        }
        if let Some(end) = &found.ended {
            text.push_str(&format!("  the launch was not checked to its end, and was run without checks: {end}\n"));
        }
        text
    };
    let partial = "  it accesses so much memory that races between work-groups may have been missed\n";
    write(&format!("{text}{}", if found.partial { partial } else { "" }));
}

/// The first line of a report.
fn head(kernel: &KernelInfo, shape: &Launch, launch: u64, count: usize) -> String {
    let dims = shape.range.work_dim as usize;
    let list = |v: [u64; 3]| v[..dims].iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    format!(
        "unspool: launch {launch} of kernel `{}` (global size {}, local size {}): {count} finding{}",
        kernel.name,
        list(shape.range.global),
        list(shape.range.local.map(u64::from)),
        if count == 1 { "" } else { "s" }
    )
}

/// Places mean nothing without the sources that they are in.
fn strip(mut d: source::Diagnostic, sources: Option<&SourceMap>) -> source::Diagnostic {
    if sources.is_none() {
        d.labels.clear();
    }
    d
}

fn write(text: &str) {
    let done = match destination() {
        Some(Destination::File(path)) => {
            File::options().create(true).append(true).open(path).and_then(|mut f| f.write_all(text.as_bytes()))
        }
        _ => std::io::stderr().write_all(text.as_bytes()),
    };
    // Without a file, standard error; without that there is nobody to tell.
    if let Err(e) = done {
        drop(writeln!(std::io::stderr(), "unspool: a report cannot be written: {e}\n{text}"));
    }
}
