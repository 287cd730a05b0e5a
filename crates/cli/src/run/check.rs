//! `--check`: the kernel in the reference interpreter, which finds all that the launch does and may not do. What is found, and
//! what is said of it: the crate `check`.

use super::argument::{Argument, Data, Role};
use super::image_argument::Image;
use crate::engine::{Faults, Job, Loaded, Placement};
use check::{Caller, Checker, Code, Contents, Problem, Surveyed};
use launch::Prepared;
use source::{Diagnostic, Span};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Makes a kernel ready to be checked.
pub(crate) fn load(job: Job<'_>) -> Box<dyn Loaded + '_> {
    let kernel = Prepared { lanes: 1, ..Prepared::default() };
    let placement = Placement { device: "interpreter".to_owned(), threads: 1, kernel };
    Box::new(Checked { job, placement, variables: Vec::new() })
}

struct Checked<'a> {
    job: Job<'a>,
    placement: Placement,
    /// What variables that outlive kernels hold: those that were set, all of them after a launch. By their symbols.
    variables: Vec<(String, Vec<u8>)>,
}

impl Loaded for Checked<'_> {
    fn placement(&self) -> &Placement {
        &self.placement
    }

    fn set_symbol(&mut self, symbol: &str, bytes: &[u8]) -> Result<(), Box<Diagnostic>> {
        self.variables.retain(|v| v.0 != symbol);
        self.variables.push((symbol.to_owned(), bytes.to_vec()));
        Ok(())
    }

    fn symbol(&mut self, symbol: &str, bytes: &mut [u8]) -> Result<(), Box<Diagnostic>> {
        match self.variables.iter().find(|v| v.0 == symbol) {
            Some((_, held)) if held.len() == bytes.len() => bytes.copy_from_slice(held),
            _ => {
                let message = format!("the program has no variable `{symbol}` of {} bytes", bytes.len());
                return Err(Box::new(Diagnostic::error("E0717", Span::NONE, message)));
            }
        }
        Ok(())
    }

    fn launch(&mut self, arguments: &mut [Argument], done: &AtomicU64) -> Result<Duration, Faults> {
        let mut checker = Checker::new(Code {
            module: &self.job.compilation.module,
            function: self.job.function,
            kernel: self.job.kernel,
            target: self.job.target,
            barriers_for_everybody: self.job.dialect.is_opencl(),
            // Optimised code may divide where the program does not.
            divisions: self.job.options.level == unspool::OptLevel::O0,
            moves_words: self.job.compilation.is_ptx,
        });
        for (symbol, bytes) in &self.variables {
            checker.set_variable(symbol, bytes);
        }
        let mut buffers = Vec::new();
        for (n, a) in arguments.iter().enumerate() {
            let address = self.push(&mut checker, n, a).map_err(|p| Box::new(refusal(p)))?;
            buffers.extend(address.map(|a| (n, a)));
        }
        let shape = &self.job.shape;
        let started = Instant::now();
        let found = checker.survey(shape);
        let time = started.elapsed();
        print(&checker.take_output());
        self.faults(&found)?;
        done.store(shape.range.group_count(), Ordering::Relaxed);
        for (n, address) in buffers {
            let (Argument::Buffer(data) | Argument::Image(Image { data, .. })) = &mut arguments[n] else { continue };
            let len = data.bytes.len() as u64;
            if data.role.is_output()
                && let Some(bytes) = checker.bytes(address, len)
            {
                data.bytes.copy_from_slice(bytes);
            }
        }
        let module = &self.job.compilation.module;
        let held = launch::variables::shared(module).into_iter().filter_map(|g| {
            let symbol = &module.globals[g].name;
            Some((symbol.clone(), checker.variable(symbol)?.to_vec()))
        });
        self.variables = held.collect();
        Ok(time)
    }
}

impl Checked<'_> {
    /// What was found, in words.
    fn faults(&self, found: &Surveyed) -> Result<(), Faults> {
        let (kernel, shape) = (self.job.kernel, &self.job.shape);
        let words = |f: &check::Finding| check::explain_finding(f, kernel, shape, Caller::Command);
        let mut all: Vec<Diagnostic> = found.findings.iter().map(words).collect();
        all.extend(found.ended.as_ref().map(|t| check::explain(t, kernel, shape, Caller::Command)));
        if found.left_out > 0
            && let Some(last) = all.pop()
        {
            all.push(last.note(format!("and {} more faults at other places, which are left out", found.left_out)));
        }
        if all.is_empty() {
            return Ok(());
        }
        // PTX may say what it was made of.
        let origins = &self.job.compilation.origins;
        let told = |d: Diagnostic| match origins.at(d.span().lo) {
            Some((file, line, column)) => d.note(format!("made of {file}:{line}:{column}")),
            None => d,
        };
        Err(Faults(all.into_iter().map(told).collect()))
    }

    /// Hands over an argument; the address of its buffer, if it is one.
    fn push(&self, checker: &mut Checker<'_>, n: usize, a: &Argument) -> Result<Option<u64>, Problem> {
        match a {
            Argument::Value(bytes) => checker.push_value(bytes)?,
            Argument::Local(bytes) => checker.push_local(*bytes),
            Argument::Null => checker.push_pointer(0),
            Argument::Image(image) => {
                let name = check::param_name(self.job.kernel, n);
                let address = checker.object(&name, contents(&image.data))?;
                let description = checker.image(&name, &image.desc, address)?;
                checker.push_pointer(description);
                return Ok(Some(address));
            }
            Argument::Buffer(data) => {
                let address = checker.object(&check::param_name(self.job.kernel, n), contents(data))?;
                checker.push_pointer(address);
                return Ok(Some(address));
            }
        }
        Ok(None)
    }
}

/// What a buffer holds before the launch: what is only written must not be read before.
fn contents(data: &Data) -> Contents<'_> {
    match data.role {
        Role::Out => Contents::Unwritten(data.bytes.len() as u64),
        Role::In | Role::InOut => Contents::Bytes(&data.bytes),
    }
}

/// The diagnostic of what cannot be checked.
fn refusal(problem: Problem) -> Diagnostic {
    match problem {
        Problem::TooLarge => Diagnostic::error("E0711", Span::NONE, "a buffer is too large for the interpreter")
            .help("buffers of up to 3.75 GiB can be checked"),
        Problem::Argument(n) => Diagnostic::error("E0711", Span::NONE, format!("argument {} has no parameter", n + 1)),
    }
}

fn print(text: &[u8]) {
    let mut out = std::io::stdout().lock();
    // A reader that has seen enough is no error.
    let _ = out.write_all(text).and_then(|()| out.flush());
}
