//! What `unspool explain` shows: every loop and every hint, asked, done, why.
//!
//! [`Explanation`] is data; [`to_json`] gives it to tools (schema `unspool.explain`, version [`SCHEMA_VERSION`],
//! described in `docs/explain.md`) and [`to_text`] to people.

mod extent;
mod factors;
mod fixes;
mod header;
mod html;
mod instance;
mod listing;
pub(crate) mod matrix;
pub(crate) mod memory;
pub(crate) mod promises;
mod sarif;
mod text;
mod usage;
mod worth;

pub use factors::{
    Assembled, Assembler, Assembly, FactorError, FactorRow, FactorTable, MAX_FACTOR, MAX_FACTORS, MAX_LOOPS, factors,
    factors_to_json, factors_to_text,
};
pub use html::to_html;
pub use memory::MemoryNote;
pub use sarif::to_sarif;
pub use text::{to_text, to_text_with_trails};
pub use usage::{BlockSource, Cliff, DEFAULT_BLOCK, KernelUsage, assemble};

use crate::Options;
use ir::Module;
use serde_json::{Value, json};
use source::{Fate, HintId, HintKind, LoopReport, Session, SourceMap, Span, TrailStep};

/// Version of the JSON schema: raised when a field changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 1;

/// A hint with its fate.
#[derive(Clone, Debug)]
pub struct HintEntry {
    /// Its number in the ledger.
    pub id: HintId,
    /// What sort.
    pub kind: HintKind,
    /// What was asked, as spelt.
    pub asked: String,
    /// Where.
    pub span: Span,
    /// What became of it over all places.
    pub fate: Fate,
    /// The answers.
    pub answers: Vec<source::Answer>,
}

/// A loop with every look that was taken at it.
#[derive(Clone, Debug)]
pub struct LoopEntry {
    /// The loop in the source.
    pub span: Span,
    /// The function that it is written in, if that is not the one it ended up in: one instance of a template.
    pub instance: Option<String>,
    /// Arguments of the template that the loop's text names, and their values.
    pub arguments: Vec<(String, String)>,
    /// The looks, in order.
    pub looks: Vec<LoopReport>,
}

impl LoopEntry {
    /// What became of the loop: of each copy where a function was inlined several times and the copies fared differently.
    pub fn verdicts(&self) -> Vec<&LoopReport> {
        let copies = self.looks.iter().filter(|k| k.stage == "early").count();
        let Some(only) = sarif::deciding(self) else { return Vec::new() };
        if copies < 2 {
            return vec![only];
        }
        let mut out: Vec<&LoopReport> = Vec::new();
        let changed = self.looks.iter().filter(|k| k.changed);
        let kept = self.looks.iter().rfind(|k| !k.changed).filter(|_| changed.clone().count() < copies);
        for k in changed.chain(kept) {
            if !out.iter().any(|o| (&o.done, &o.reason) == (&k.done, &k.reason)) {
                out.push(k);
            }
        }
        out
    }

    /// The look at which unroll-and-jam was refused, where something else is what became of the loop.
    pub fn missed_jam(&self) -> Option<&LoopReport> {
        let jam = self.looks.iter().find(|k| k.stage == "unroll-and-jam").filter(|k| !k.changed)?;
        (!self.verdicts().iter().any(|v| std::ptr::eq(*v, jam))).then_some(jam)
    }
}

/// A function with loops.
#[derive(Clone, Debug)]
pub struct FunctionEntry {
    /// Its name as the user knows it.
    pub name: String,
    /// Its loops, in source order.
    pub loops: Vec<LoopEntry>,
}

/// Everything there is to explain about a compilation.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The source's name.
    pub file: String,
    /// The target.
    pub arch: String,
    /// What launching each kernel needs; empty if the compilation failed.
    pub kernels: Vec<KernelUsage>,
    /// Functions in the order compiled.
    pub functions: Vec<FunctionEntry>,
    /// Hints in source order.
    pub hints: Vec<HintEntry>,
    /// Remarks about memory and divergence, in the order of the code.
    pub memory: Vec<MemoryNote>,
}

/// Gathers the explanation from a finished compilation's ledger and its optimised module.
pub fn gather(session: &Session, module: &Module, options: &Options, file: &str) -> Explanation {
    let mut e = Explanation { file: file.to_owned(), arch: options.target.name().to_owned(), ..Explanation::default() };
    if !session.diagnostics.has_errors() {
        e.kernels = usage::kernels(module, options.target, options.block);
        if !options.experiment {
            e.memory = memory::notes(module, options.target, &session.sources);
        }
    }
    for look in session.ledger.loops() {
        let function = match e.functions.iter_mut().find(|f| f.name == look.function) {
            Some(f) => f,
            None => {
                e.functions.push(FunctionEntry { name: look.function.clone(), loops: Vec::new() });
                // Just pushed.
                let Some(f) = e.functions.last_mut() else { continue };
                f
            }
        };
        let same = |l: &&mut LoopEntry| l.span == look.place && l.looks.iter().any(|k| k.instance == look.instance);
        match function.loops.iter_mut().find(same) {
            Some(l) => l.looks.push(look.clone()),
            None => function.loops.push(LoopEntry {
                span: look.place,
                instance: Some(look.instance.name.clone()).filter(|n| *n != look.function && !n.is_empty()),
                arguments: instance::arguments(&session.sources, &look.instance, look.place),
                looks: vec![look.clone()],
            }),
        }
    }
    for f in &mut e.functions {
        f.loops.sort_by_key(|l| session.sources.call_site(l.span).lo);
    }
    e.hints = session
        .ledger
        .iter()
        .map(|(id, h)| HintEntry {
            id,
            kind: h.kind,
            asked: h.asked.clone(),
            span: h.span,
            fate: h.fate().unwrap_or(Fate::Unused),
            answers: h.answers.clone(),
        })
        .collect();
    e.hints.sort_by_key(|h| (session.sources.call_site(h.span).lo, h.id));
    e
}

/// What a compilation takes, as so many instructions: those of its functions, and the reading of its headers (about as much for
/// a hundred bytes as passes take for one instruction), which is most of it where a program includes Thrust.
fn effort(module: &Module, sources: &SourceMap) -> usize {
    let instructions: usize = module.functions.values().map(|f| f.dfg.insts.len()).sum();
    let bytes: usize = sources.files().map(|(_, f)| f.text.len()).sum();
    instructions + bytes / 100
}

/// Options of a compilation that nobody hears of.
fn be_experiment(o: &mut Options) {
    o.experiment = true;
    (o.time, o.kernel_info, o.no_warnings, o.warnings_are_errors) = (false, false, true, false);
    // What the code is checked for was checked with the source as it is.
    o.verify_each = false;
    o.groups_as_errors.clear();
    o.enabled_groups.clear();
}

fn place(map: &SourceMap, span: Span) -> Value {
    match map.presumed(map.call_site(span).lo) {
        Some((file, at)) => json!({ "file": file, "line": at.line, "column": at.col }),
        None => Value::Null,
    }
}

fn cliff(c: Option<Cliff>) -> Value {
    c.map_or(Value::Null, |c| json!({ "registers": c.registers, "warps": c.warps }))
}

fn kernel(map: &SourceMap, k: &KernelUsage) -> Value {
    json!({
        "name": k.name,
        "symbol": k.symbol,
        "place": place(map, k.span),
        "registers": k.registers,
        "estimated_registers": k.estimated,
        "scalar_registers": k.assembled.and_then(|a| a.scalar),
        "spilled_bytes": k.assembled.map(|a| a.spill_stores + a.spill_loads),
        "shared_bytes": k.shared,
        "dynamic_shared": k.dynamic_shared,
        "private_bytes": k.private,
        "instructions": k.instructions,
        "block": k.block,
        "block_source": k.block_source.name(),
        "occupancy": {
            "blocks": k.occupancy.blocks,
            "warps": k.occupancy.warps,
            "max_warps": k.occupancy.max_warps,
            "limiter": k.limiter(),
            "warps_by_registers": k.warps_by_registers,
            "fewer_registers": cliff(k.fewer),
            "more_registers": cliff(k.more),
        },
    })
}

fn trail(steps: &[TrailStep]) -> Value {
    json!(steps)
}

fn look(map: &SourceMap, l: &LoopReport) -> Value {
    let facts: serde_json::Map<String, Value> =
        l.facts.iter().map(|(name, value)| ((*name).to_owned(), Value::String(value.clone()))).collect();
    json!({
        "stage": l.stage,
        "place": place(map, l.place),
        "changed": l.changed,
        "kind": l.kind,
        "copies": l.copies,
        "done": l.done,
        "reason": l.reason,
        "fix": l.fix,
        "tried": (!l.tried.is_empty()).then(|| l.tried.join("; ")),
        "suggested": l.suggested,
        "facts": facts,
        "trail": trail(&l.trail),
        "hints": l.hints,
    })
}

/// The explanation as JSON.
pub fn to_json(e: &Explanation, session: &Session) -> Value {
    let map = &session.sources;
    json!({
        "schema": "unspool.explain",
        "version": SCHEMA_VERSION,
        "file": e.file,
        "arch": e.arch,
        "kernels": e.kernels.iter().map(|k| kernel(map, k)).collect::<Vec<_>>(),
        "functions": e.functions.iter().map(|f| json!({
            "name": f.name,
            "loops": f.loops.iter().map(|l| json!({
                "place": place(map, l.span),
                "instance": l.instance,
                "arguments": l.arguments.iter().map(|(n, v)| json!({ "name": n, "value": v })).collect::<Vec<_>>(),
                "looks": l.looks.iter().map(|k| look(map, k)).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "hints": e.hints.iter().map(|h| json!({
            "id": h.id,
            "kind": h.kind,
            "asked": h.asked,
            "place": place(map, h.span),
            "fate": h.fate,
            "answers": h.answers.iter().map(|a| json!({
                "fate": a.fate,
                "done": a.done,
                "reason": a.reason,
                "function": a.function,
                "place": place(map, a.place),
                "trail": trail(&a.trail),
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "memory": e.memory.iter().map(|n| json!({
            "kind": n.kind,
            "function": n.function,
            "place": place(map, n.span),
            "text": n.text,
        })).collect::<Vec<_>>(),
        "diagnostics": source::render::diagnostics_to_json(map, session.diagnostics.iter()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_count_among_what_a_compilation_takes() {
        let mut sources = SourceMap::default();
        sources.add("large.h", " ".repeat(1_000_000)).expect("small enough");
        assert_eq!(effort(&Module::default(), &sources), 10_000);
    }
}
