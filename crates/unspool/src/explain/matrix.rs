//! Remarks about products of matrices: which of them a machine's units make, and why the others are shuffles and sums.
//!
//! Looked at are the `wmma.mma` and `mma.sync` of inline assembly, before it becomes ordinary instructions and after. Most stand in
//! the functions of `mma.h`: a remark is made where the program calls these. Cost: linear in the instructions, for each product that
//! a header has.

use ir::{FuncId, Module, Opcode, Payload};
use rustc_hash::FxHashSet;
use source::{SourceMap, Span};
use target::Target;

/// A product that the source asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Asked {
    func: FuncId,
    span: Span,
    /// The instruction of PTX.
    name: String,
}

/// The products in a module's inline assembly.
pub(crate) fn asked(module: &Module) -> Vec<Asked> {
    let mut all = Vec::new();
    for (func, f) in &module.functions {
        for i in f.layout.blocks().flat_map(|b| f.layout.insts(b)) {
            let Payload::Asm(a) = f.dfg.insts[i].payload else { continue };
            if f.dfg.op(i) == Opcode::InlineAsm
                && let Some(name) = product(&f.dfg.asms[a].text)
            {
                all.push(Asked { func, span: f.dfg.span(i), name: name.to_owned() });
            }
        }
    }
    all
}

/// The first instruction of a text that multiplies matrices.
fn product(text: &str) -> Option<&str> {
    let is_product = |w: &&str| w.starts_with("wmma.mma.") || w.starts_with("mma.sync.");
    text.split(|c: char| c.is_whitespace() || matches!(c, ';' | '{' | '}')).find(is_product)
}

/// What became of a product, now that the assembly is expanded; `stays` says that it was not, since the code is PTX.
pub(crate) fn told(module: &Module, asked: &Asked, target: Target, stays: bool) -> String {
    let Asked { func, span, name } = asked;
    if stays {
        return format!("`{name}` is an instruction of {target}");
    }
    let f = &module.functions[*func];
    let by_unit = |i| f.dfg.span(i) == *span && f.dfg.insts[i].intrinsic().is_some_and(ir::Intrinsic::is_matrix);
    if f.layout.blocks().any(|b| f.layout.insts(b).any(by_unit)) {
        return format!("`{name}` is made by the matrix units of {target}");
    }
    let why = if target.matrix_units().is_some() {
        "its matrix units take `wmma` of 16×16×16, of half precision, bfloat16, and bytes without saturation".to_owned()
    } else if target.with_warp_size(64).is_some_and(|t| t.matrix_units().is_some()) {
        "it has matrix units for warps of 64 lanes only (`-fwarp64`)".to_owned()
    } else if target.amdgcn_arch().is_some() {
        format!("it has no matrix units for warps of {} in waves of {} lanes", target.warp_size(), target.wave_size())
    } else {
        "it has no matrix units".to_owned()
    };
    format!("`{name}` is shuffles and sums for {target}: {why}")
}

/// Where a program asks for a product, and in which functions: where it stands, or where its own code calls the header's.
pub(crate) fn places(module: &Module, asked: &Asked, sources: &SourceMap) -> Vec<(Span, String)> {
    let is_own = |span: Span| sources.file_at(span.lo).is_none_or(|f| !sources.file(f).name.starts_with(BUILTIN));
    if is_own(asked.span) {
        return vec![(asked.span, module.functions[asked.func].display.clone())];
    }
    let (mut seen, mut work, mut found) = (FxHashSet::default(), vec![asked.func], Vec::new());
    while let Some(callee) = work.pop() {
        for (caller, f) in &module.functions {
            for i in f.layout.blocks().flat_map(|b| f.layout.insts(b)) {
                if f.dfg.insts[i].callee() != Some(callee) {
                    continue;
                }
                let span = f.dfg.span(i);
                if is_own(span) {
                    found.push((span, f.display.clone()));
                } else if seen.insert(caller) {
                    work.push(caller);
                }
            }
        }
    }
    found.sort_by(|a, b| (a.0.lo, &a.1).cmp(&(b.0.lo, &b.1)));
    found.dedup();
    found
}

/// How the names of headers begin that are part of the compiler.
const BUILTIN: &str = "<unspool>";
