//! Assembly of LLVM for AMD GPUs: the functions in it, without what describes them to the assembler.
//!
//! Reads what LLVM 19 writes with line information: `.file N ["FOLDER"] "NAME"`, `.loc N LINE COLUMN …` before
//! instructions, a symbol's label at the start of a line, `.Lfunc_endN:` behind its last instruction.

use super::{Body, Line, Listing, SourceLine};
use source::SourceMap;
use std::collections::BTreeMap;

impl<'a> Listing<'a> {
    /// Reads a text; `.file` names those of `sources`.
    pub(crate) fn of_amd(text: &'a str, sources: &SourceMap) -> Self {
        let indices: BTreeMap<&str, u32> = sources.files().map(|(id, f)| (f.name.as_str(), id.0)).collect();
        let mut files: BTreeMap<u32, u32> = BTreeMap::new();
        let mut out = Self::default();
        let mut source: Option<SourceLine> = None;
        let mut body: Option<(&'a str, usize)> = None;
        for line in text.lines() {
            let trimmed = line.trim_start();
            if let Some(rest) = trimmed.strip_prefix(".file\t").or_else(|| trimmed.strip_prefix(".file ")) {
                if let Some((number, name)) = file(rest)
                    && let Some(&index) = indices.get(name.as_str())
                {
                    files.insert(number, index);
                }
                continue;
            }
            if let Some(place) = trimmed.strip_prefix(".loc") {
                source = location(place).and_then(|(f, line)| Some((*files.get(&f)?, line)));
                continue;
            }
            let at = out.lines.len();
            let Some((symbol, start)) = body else {
                if let Some(symbol) = begins(line) {
                    body = Some((symbol, at));
                    source = None;
                    out.lines.push(Line { text: line, source, instruction: false });
                }
                continue;
            };
            if trimmed.starts_with(".section") || trimmed.starts_with(".Lfunc_end") {
                out.lines.push(Line { text: "", source: None, instruction: false });
                out.bodies.push(Body { symbol, lines: start..at });
                body = None;
                continue;
            }
            let is_label = trimmed.ends_with(':');
            // Labels of the line table, and directives, are nobody's to read.
            let is_noise = trimmed.starts_with(".Ltmp") || trimmed.starts_with(".Lfunc_begin");
            if trimmed.is_empty() || is_noise || (trimmed.starts_with('.') && !is_label) || trimmed.starts_with(';') {
                continue;
            }
            let from = source.filter(|_| !is_label);
            out.lines.push(Line { text: line, source: from, instruction: !is_label });
        }
        out
    }
}

/// The symbol whose code begins with a line: a label that is not the compiler's own.
fn begins(line: &str) -> Option<&str> {
    let label = line.split_once(':').filter(|(_, rest)| rest.trim().is_empty() || rest.trim().starts_with(';'))?.0;
    (!label.is_empty() && !label.starts_with('.') && !label.starts_with(char::is_whitespace)).then_some(label)
}

/// `1 "folder" "name"`: the number, and the name as the user reads it.
fn file(text: &str) -> Option<(u32, String)> {
    let (number, names) = text.split_once(' ').or_else(|| text.split_once('\t'))?;
    let mut quoted = names.split('"').skip(1).step_by(2);
    let name = match (quoted.next()?, quoted.next()) {
        (folder, Some(name)) if !folder.is_empty() => format!("{folder}/{name}"),
        (_, Some(name)) => name.to_owned(),
        (name, None) => name.to_owned(),
    };
    Some((number.trim().parse().ok()?, name))
}

/// `1 12 5 prologue_end`: file and line; line 0 is nobody's.
fn location(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split_ascii_whitespace().map(str::parse::<u32>);
    let (file, line) = (parts.next()?.ok()?, parts.next()?.ok()?);
    (line > 0).then_some((file, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
\t.text
\t.globl\tk
\t.type\tk,@function
k:                                      ; @k
.Lfunc_begin0:
\t.cfi_startproc
\t.file\t1 \"src\" \"a.cu\"
\t.loc\t1 3 9 prologue_end
\ts_load_dword s2, s[4:5], 0x8
.LBB0_2:
\t.loc\t1 0 9
\ts_nop 0
\t.loc\t2 4 9
\ts_nop 1
\t.loc\t1 5 9 is_stmt 0
\ts_endpgm
.Ltmp0:
\t.section\t.rodata,\"a\",@progbits
\t.amdhsa_kernel k
\t.end_amdhsa_kernel
\t.text
.Lfunc_end0:
\t.section\t.debug_str,\"MS\",@progbits,1
.Linfo_string0:
\t.asciz\t\"unspool\"
";

    #[test]
    fn assembly_is_read_as_functions_with_the_lines_of_their_source() {
        let mut sources = SourceMap::default();
        sources.add("other.h", String::new()).unwrap();
        sources.add("src/a.cu", String::new()).unwrap();
        let l = Listing::of_amd(TEXT, &sources);
        assert_eq!(l.bodies.len(), 1);
        assert_eq!((l.bodies[0].symbol, l.instructions(&l.bodies[0])), ("k", 4));
        let of = |what: &str| l.lines.iter().find(|l| l.text.contains(what)).unwrap().source;
        assert_eq!(of("s_load_dword"), Some((1, 3)));
        assert_eq!(of("s_nop 0"), None);
        assert_eq!(of("s_nop 1"), None, "a file that is not among the sources");
        assert_eq!(of("s_endpgm"), Some((1, 5)));
        assert!(!l.lines.iter().any(|l| l.text.contains('.') && !l.text.contains(".LBB")), "{:?}", l.lines);
    }
}
