//! What other unroll factors would make of a loop: `explain --factors`.
//!
//! Each factor is a compilation of its own, with the factor in place of what the source asks for ([`LoopFactor`]); the
//! numbers are read from the PTX that comes out. "Instructions per iteration" are those between the label and the
//! branch back of the largest innermost loop that was made of the loop, divided by its copies; where no loop is left,
//! those that line information ascribes to its lines, divided by the iterations. Code that is no PTX is not read: there the
//! instructions are the IR's.

use super::listing::Listing;
use super::{Explanation, LoopEntry, extent, sarif};
use crate::product::{Artefact, Product};
use crate::{Compilation, Emit, Input, LoopFactor, Options, compile_with_log as compile};
use serde_json::{Value, json};
use source::SourceMap;
use target::KernelResources;

/// The largest factor that may be tried.
pub const MAX_FACTOR: u32 = 1024;
/// The most factors of one table.
pub const MAX_FACTORS: usize = 16;
/// Loops tried where none is named.
pub const MAX_LOOPS: usize = 16;

/// What an assembler or a code generator says of a kernel that it has made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assembly {
    /// Who says so, in a word: `ptxas`, `LLVM`.
    pub by: &'static str,
    /// Registers of a thread; on AMD GPUs vector registers of a lane.
    pub registers: u32,
    /// Scalar registers of a wave, where there are such.
    pub scalar: Option<u32>,
    /// Bytes stored to spill registers.
    pub spill_stores: u32,
    /// Bytes loaded to restore them.
    pub spill_loads: u32,
    /// Bytes of shared memory of a block, where it says.
    pub shared: Option<u64>,
    /// Bytes of private memory of a thread, where it says.
    pub private: Option<u64>,
}

/// What came of a row's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assembled {
    /// Who says so.
    pub by: &'static str,
    /// Registers of a thread.
    pub registers: u32,
    /// Scalar registers of a wave, where there are such.
    pub scalar: Option<u32>,
    /// Resident warps with so many.
    pub warps: u32,
    /// Bytes stored to spill registers.
    pub spill_stores: u32,
    /// Bytes loaded to restore them.
    pub spill_loads: u32,
}

/// One factor's outcome, in the kernel that needs most registers of those that hold the loop.
#[derive(Clone, Debug)]
pub struct FactorRow {
    /// The factor asked for.
    pub factor: u32,
    /// What was done with it.
    pub done: String,
    /// The kernel's symbol.
    pub symbol: String,
    /// Instructions of the kernel's PTX.
    pub instructions: usize,
    /// Instructions for one iteration of the loop as written.
    pub per_iteration: Option<f64>,
    /// Estimated registers of a thread.
    pub registers: u32,
    /// Resident warps with so many.
    pub warps: u32,
    /// Most resident warps.
    pub max_warps: u32,
    /// The assembler's word, if one was asked.
    pub assembled: Option<Assembled>,
}

/// A loop's outcomes.
#[derive(Clone, Debug)]
pub struct FactorTable {
    /// The line of the main file that the loop begins on.
    pub line: u32,
    /// The functions that hold it.
    pub functions: Vec<String>,
    /// One row for each factor, in the order asked.
    pub rows: Vec<FactorRow>,
}

/// Why there is no table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FactorError {
    /// The source has no loops.
    NoLoops,
    /// No loop begins on this line; those that do have one.
    NoLoopAt(u32, Vec<u32>),
    /// More innermost loops than [`MAX_LOOPS`].
    TooMany(Vec<u32>),
    /// A compilation with a factor failed.
    Failed(u32, String),
}

impl std::fmt::Display for FactorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        /// Lines named in a message.
        const NAMED: usize = 20;
        let list = |lines: &[u32]| {
            let words: Vec<String> = lines.iter().take(NAMED).map(u32::to_string).collect();
            format!("{}{}", words.join(", "), if lines.len() > NAMED { ", …" } else { "" })
        };
        match self {
            Self::NoLoops => write!(f, "there is no loop to try factors on"),
            Self::NoLoopAt(line, lines) => {
                write!(f, "no loop begins on line {line}; loops begin on {}", list(lines))
            }
            Self::TooMany(lines) => write!(
                f,
                "there are {} innermost loops, more than {MAX_LOOPS}; name one with `--loop`: {}",
                lines.len(),
                list(lines)
            ),
            Self::Failed(factor, message) => write!(f, "compiling with the factor {factor} failed: {message}"),
        }
    }
}

impl Assembly {
    /// With the warps that are resident then.
    pub(super) fn with_warps(self, warps: u32) -> Assembled {
        let Self { by, registers, scalar, spill_stores, spill_loads, .. } = self;
        Assembled { by, registers, scalar, warps, spill_stores, spill_loads }
    }
}

/// The assembler: takes PTX or an object, and says what the kernel with a symbol needs.
pub type Assembler<'a> = dyn Fn(&Artefact, &str) -> Option<Assembly> + 'a;

/// Tries factors on the loop of a line, or on every innermost loop. `base` is the compilation as the source has it.
///
/// # Errors
/// If there is no such loop, there are too many, or a compilation fails.
pub fn factors(
    input: &Input,
    options: &Options,
    base: &Compilation,
    line: Option<u32>,
    factors: &[u32],
    assembler: Option<&Assembler<'_>>,
) -> Result<Vec<FactorTable>, FactorError> {
    let Some(e) = &base.explanation else { return Err(FactorError::NoLoops) };
    let map = &base.session.sources;
    let mut tables = Vec::new();
    for line in wanted(e, map, line)? {
        let mut rows = Vec::new();
        for &factor in factors {
            let mut o = options.clone();
            (o.explain, o.line_info, o.experiment) = (true, true, true);
            // Warnings were said once.
            (o.no_warnings, o.warnings_are_errors) = (true, false);
            o.groups_as_errors.clear();
            o.factors = vec![LoopFactor { line, factor, jam: false }];
            let c = compile(input, &o, &emit_for(options, assembler.is_some()));
            if !c.succeeded() {
                let first = c.session.diagnostics.iter().next().map_or(String::new(), |d| d.message.clone());
                return Err(FactorError::Failed(factor, first));
            }
            rows.extend(row(&c, options, line, factor, assembler));
        }
        let functions = loops_at(e, map, line).map(|(name, _)| name.to_owned()).collect();
        tables.push(FactorTable { line, functions, rows });
    }
    Ok(tables)
}

/// What code is made for the sake of its registers: PTX has them counted by an assembler, objects say them themselves.
fn emit_for(options: &Options, asked: bool) -> Emit {
    if options.target.ptx_arch().is_some() {
        Emit::PTX
    } else if asked {
        Emit::Product(Product::OBJECT)
    } else {
        Emit::Nothing
    }
}

/// The line of the main file that a loop begins on.
fn line_of(map: &SourceMap, l: &LoopEntry) -> Option<u32> {
    let span = map.call_site(l.span);
    let (file, at) = map.line_col(span.lo).filter(|_| !span.is_none())?;
    (file.0 == 0).then_some(at.line)
}

fn loops_at<'a>(e: &'a Explanation, map: &'a SourceMap, line: u32) -> impl Iterator<Item = (&'a str, &'a LoopEntry)> {
    let all = e.functions.iter().flat_map(|f| f.loops.iter().map(move |l| (f.name.as_str(), l)));
    all.filter(move |(_, l)| line_of(map, l) == Some(line))
}

/// The lines of the loops to try.
fn wanted(e: &Explanation, map: &SourceMap, asked: Option<u32>) -> Result<Vec<u32>, FactorError> {
    let lines = |only_innermost: bool| {
        let all = e.functions.iter().flat_map(|f| &f.loops);
        let inner = |l: &&LoopEntry| !l.looks.iter().any(|k| k.facts.iter().any(|f| f.0 == "has inner loops"));
        let mut lines: Vec<u32> = all.filter(|l| !only_innermost || inner(l)).filter_map(|l| line_of(map, l)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    let all = lines(false);
    if all.is_empty() {
        return Err(FactorError::NoLoops);
    }
    match asked {
        Some(line) if all.contains(&line) => Ok(vec![line]),
        Some(line) => Err(FactorError::NoLoopAt(line, all)),
        None => {
            let inner = lines(true);
            if inner.len() > MAX_LOOPS { Err(FactorError::TooMany(inner)) } else { Ok(inner) }
        }
    }
}

fn row(
    c: &Compilation,
    options: &Options,
    line: u32,
    factor: u32,
    assembler: Option<&Assembler<'_>>,
) -> Option<FactorRow> {
    let e = c.explanation.as_ref()?;
    let map = &c.session.sources;
    // Of several instances the one of which most was made.
    let most = |l: &LoopEntry| sarif::deciding(l).map_or(0, |k| k.copies);
    let (function, entry) = loops_at(e, map, line).max_by_key(|(_, l)| most(l))?;
    let look = sarif::deciding(entry)?;
    // Only PTX is read as a text: of other code the instructions of the IR count.
    let listing = Listing::new(c.output().unwrap_or_default());
    let last = last_line(map, entry, line);
    // The kernel that the loop was inlined into, else the greatest.
    let holds = |symbol: &str| {
        listing.bodies.iter().find(|b| b.symbol == symbol).is_some_and(|b| {
            listing.lines[b.lines.clone()].iter().any(|l| l.source.is_some_and(|s| within(s, line, last)))
        })
    };
    let named = e.kernels.iter().find(|k| k.name == function);
    let held = || e.kernels.iter().filter(|k| holds(&k.symbol)).max_by_key(|k| k.registers);
    let kernel = named.or_else(held).or_else(|| e.kernels.iter().max_by_key(|k| k.registers))?;
    let resources = KernelResources {
        registers: kernel.registers,
        shared: u32::try_from(kernel.shared).unwrap_or(u32::MAX),
        block: kernel.block,
    };
    let assembled = assembler.zip(c.artefacts.first()).and_then(|(a, made)| a(made, &kernel.symbol));
    let assembled = assembled.and_then(|said| {
        let shared = said.shared.map_or(resources.shared, |s| u32::try_from(s).unwrap_or(u32::MAX));
        let need = KernelResources { registers: said.registers, shared, ..resources };
        Some(said.with_warps(options.target.occupancy(need)?.warps))
    });
    let row = FactorRow {
        factor,
        done: look.done.clone(),
        symbol: kernel.symbol.clone(),
        instructions: kernel.instructions as usize,
        per_iteration: None,
        registers: kernel.registers,
        warps: kernel.occupancy.warps,
        max_warps: kernel.occupancy.max_warps,
        assembled,
    };
    if listing.bodies.is_empty() {
        return Some(row);
    }
    let body = listing.bodies.iter().find(|b| b.symbol == kernel.symbol)?;
    let straight = matches!(look.kind, "full" | "upper-bound");
    let count = if straight {
        let lines = &listing.lines[body.lines.clone()];
        Some(lines.iter().filter(|l| l.instruction && l.source.is_some_and(|s| within(s, line, last))).count())
    } else {
        largest_loop(&listing, body, line, last)
    };
    Some(FactorRow {
        instructions: listing.instructions(body),
        per_iteration: count.map(|n| n as f64 / f64::from(look.copies.max(1))),
        ..row
    })
}

fn within((file, at): (u32, u32), first: u32, last: u32) -> bool {
    file == 0 && (first..=last).contains(&at)
}

/// The last line of a loop's body.
fn last_line(map: &SourceMap, l: &LoopEntry, line: u32) -> u32 {
    /// Bytes skimmed for it.
    const BUDGET: usize = 1 << 20;
    let span = map.call_site(l.span);
    let Some(id) = map.file_at(span.lo) else { return line };
    let f = map.file(id);
    let at = (span.lo - f.base) as usize;
    let end = extent::statement_end(&f.text, at, &mut { BUDGET }).max(at);
    line + f.text.as_bytes()[at..end].iter().filter(|&&b| b == b'\n').count() as u32
}

/// Instructions of the largest innermost loop that is mostly made of the lines. A loop that is mostly made of functions
/// which were inlined into it is the one that has most of what the lines became.
fn largest_loop(listing: &Listing<'_>, body: &super::listing::Body<'_>, first: u32, last: u32) -> Option<usize> {
    let count = |lines: std::ops::Range<usize>| {
        let all = listing.lines[lines].iter().filter(|l| l.instruction);
        all.fold((0, 0), |n, l| (n.0 + usize::from(l.source.is_some_and(|s| within(s, first, last))), n.1 + 1))
    };
    let loops: Vec<_> = listing.innermost_loops(body).into_iter().map(count).collect();
    let mostly = loops.iter().filter(|(ours, all)| ours * 2 >= *all).map(|l| l.1).max();
    mostly.or_else(|| loops.iter().filter(|(ours, _)| *ours > 0).max().map(|l| l.1))
}

/// Tables as JSON.
pub fn factors_to_json(tables: &[FactorTable]) -> Value {
    let row = |r: &FactorRow| {
        json!({
            "factor": r.factor,
            "done": r.done,
            "kernel": r.symbol,
            "instructions": r.instructions,
            "per_iteration": r.per_iteration,
            "registers": r.registers,
            "warps": r.warps,
            "max_warps": r.max_warps,
            "assembled": r.assembled.map(|a| json!({
                "by": a.by, "registers": a.registers, "scalar_registers": a.scalar, "warps": a.warps,
                "spill_stores": a.spill_stores, "spill_loads": a.spill_loads,
            })),
        })
    };
    tables
        .iter()
        .map(
            |t| json!({ "line": t.line, "functions": t.functions, "rows": t.rows.iter().map(row).collect::<Vec<_>>() }),
        )
        .collect()
}

/// Tables for people.
pub fn factors_to_text(tables: &[FactorTable]) -> String {
    let mut out = String::new();
    for t in tables {
        out.push_str(&format!("\nfactors for the loop of line {} in `{}`\n", t.line, t.functions.join("`, `")));
        let by = t.rows.iter().find_map(|r| r.assembled).map(|a| a.by);
        out.push_str("    factor  instructions  per iteration  registers     warps");
        if let Some(by) = by {
            out.push_str(&format!("  {:>16}     warps  spilled bytes", format!("{by}: registers")));
        }
        out.push_str("  done\n");
        for r in &t.rows {
            let per = r.per_iteration.map_or("-".into(), |n| format!("{n:.1}"));
            let warps = |w: u32| format!("{w} of {}", r.max_warps);
            out.push_str(&format!(
                "    {:6}  {:12}  {per:>13}  {:9}  {:>8}",
                r.factor,
                r.instructions,
                r.registers,
                warps(r.warps)
            ));
            match &r.assembled {
                Some(a) => {
                    let spilled = a.spill_stores + a.spill_loads;
                    out.push_str(&format!("  {:16}  {:>8}  {spilled:13}", a.registers, warps(a.warps)));
                }
                None if by.is_some() => out.push_str(&format!("{:43}", "")),
                None => {}
            }
            out.push_str(&format!("  {}\n", r.done));
        }
    }
    out
}
