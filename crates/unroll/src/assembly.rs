//! What nvcc counts for inline assembly, and for the arithmetic that is inline assembly in its headers.
//!
//! A statement counts if it begins with a letter or `@`, behind blanks: one in braces, as `{add.f16 %0, %1, %2;}` of
//! `cuda_fp16.h`, counts nothing. For sm_100 none counts (measured with nvcc 13.5, `tests/unroll_widths.rs`).

use analysis::headers::{is_assembly, is_of_halves};
use ir::{Function, Inst, Opcode, Payload};

/// Statements of an assembly text that nvcc counts.
fn statements(text: &str) -> u32 {
    let begins = |s: &&str| s.trim_start_matches(' ').starts_with(|c: char| c.is_ascii_alphabetic() || c == '@');
    text.split([';', '\n']).filter(begins).count() as u32
}

/// What inline assembly costs, and what costs as much as that which nvcc's headers have for it; `None` for other instructions.
/// `newer`: as for sm_100.
pub(crate) fn cost(func: &Function, newer: bool, inst: Inst) -> Option<u32> {
    let data = &func.dfg.insts[inst];
    if let Payload::Asm(id) = data.payload {
        return Some(if newer { 0 } else { statements(&func.dfg.asms[id].text) });
    }
    if !is_of_halves(func, inst) {
        // Accesses with a cache operator count for the older compiler what others do.
        return (newer && is_assembly(func, inst)).then_some(0);
    }
    let lanes = u32::from(data.ty.lanes().max(1));
    Some(match data.op {
        Opcode::Fcmp if newer => 1,
        _ if newer => 0,
        // A predicate is set, and a number selected by it.
        Opcode::Fcmp => 3,
        // One half of two is taken out before.
        Opcode::FpExt if func.dfg.def_op(func.dfg.arg(inst, 0), Opcode::Extract).is_some() => 2,
        // As `float`, by the approximation.
        Opcode::FSqrt => 3 * lanes,
        Opcode::FCeil | Opcode::FFloor | Opcode::FTrunc | Opcode::FRint => lanes,
        Opcode::FpToSi | Opcode::FpToUi | Opcode::SiToFp | Opcode::UiToFp => lanes,
        _ => 0,
    })
}

/// Whether an assembly text has a label outside of a `{ … }` scope: one `:`, where `::` is part of a name
/// (`shared::cluster`).
pub(crate) fn has_open_labels(text: &str) -> bool {
    let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let mut depth = 0;
    for line in lines {
        for (at, c) in line.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ':' if depth == 0 && !line[..at].ends_with(':') && !line[at + 1..].starts_with(':') => return true,
                _ => {}
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{has_open_labels, statements};

    #[test]
    fn labels_in_braces_and_names_with_two_colons_are_no_open_labels() {
        let open =
            ["L: add.u32 %0,%1,%2;", "{ bra L;\nL: }\nM: ret;", "add.u32 %0,%1,%2;\n$wait :\n", "L:mov.u32 x::y, %0;"];
        let closed = [
            "",
            "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];",
            "{ .reg .pred p; L: mbarrier.try_wait.shared::cta.b64 p, [%0]; @p bra M; bra L; M: }",
            "\n\t{\nL:\n}\nadd.u32 %0,%1,%2; // L: no\n",
        ];
        assert!(open.iter().all(|t| has_open_labels(t)));
        assert!(!closed.iter().any(|t| has_open_labels(t)));
    }

    #[test]
    fn statements_begin_with_letters() {
        let counts = [
            ("", 0),
            ("add.u32 %0,%1,%2;", 1),
            (" add.u32 %0,%1,%2;\n @p add.u32 %0,%1,%2;", 2),
            ("{add.f16 %0,%1,%2;\n}", 0),
            ("{ .reg .pred p;\n  setp.gt.f16 p, %1, %2;\n  selp.u16 %0, 1, 0, p;}", 2),
            ("add.u32 %0,%1,%2;\n\tadd.u32 %0,%1,%2;", 1),
            ("add.u32 %0,%1,%2\nadd.u32 %0,%1,%2", 2),
            ("// no\n$L: .reg .u32 t; L: add.u32 %0,%1,%2;;", 1),
        ];
        for (text, count) in counts {
            assert_eq!(statements(text), count, "{text:?}");
        }
    }
}
