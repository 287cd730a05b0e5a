//! Code read back: which lines of text belong to which line of the source, and where loops run. PTX here, assembly for AMD
//! GPUs in [`amd`].
//!
//! Reads what `unspool-ptx` writes with line information (`.loc FILE LINE COLUMN` before instructions, labels and
//! functions at the start of lines); it is no parser of PTX in general.

mod amd;

use std::collections::BTreeMap;

/// A line of the source: index of the file in the source map, line from 1.
pub(crate) type SourceLine = (u32, u32);

/// One line of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The text, without its end.
    pub(crate) text: &'a str,
    /// The source that it was made from; none for declarations and what came from nowhere.
    pub(crate) source: Option<SourceLine>,
    /// Whether it is an instruction.
    pub(crate) instruction: bool,
}

/// A kernel or function: its lines, from its head to the closing brace.
#[derive(Clone, Debug)]
pub(crate) struct Body<'a> {
    /// Its symbol.
    pub(crate) symbol: &'a str,
    /// Its lines.
    pub(crate) lines: std::ops::Range<usize>,
}

/// A PTX text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing<'a> {
    /// Every line but the `.loc` and `.file` lines.
    pub(crate) lines: Vec<Line<'a>>,
    /// Functions, in order.
    pub(crate) bodies: Vec<Body<'a>>,
}

impl<'a> Listing<'a> {
    /// Reads a text.
    pub(crate) fn new(text: &'a str) -> Self {
        let mut out = Self::default();
        let mut source = None;
        let mut symbol = None;
        let mut start = 0;
        let mut inside = false;
        for line in text.lines() {
            let trimmed = line.trim_start();
            if let Some(place) = trimmed.strip_prefix(".loc") {
                source = location(place);
                continue;
            }
            if trimmed.starts_with(".file") {
                continue;
            }
            let at = out.lines.len();
            if !inside && let Some(name) = head(trimmed) {
                (symbol, start) = (Some(name), at);
            }
            match line {
                "{" => (inside, source) = (true, None),
                "}" => {
                    inside = false;
                    source = None;
                }
                _ => {}
            }
            let instruction = inside && is_instruction(trimmed);
            // Labels stand between lines of the source.
            let from = source.filter(|_| instruction || trimmed.starts_with(".pragma"));
            out.lines.push(Line { text: line, source: from, instruction });
            if line == "}"
                && let Some(symbol) = symbol.take()
            {
                out.bodies.push(Body { symbol, lines: start..at + 1 });
            }
        }
        out
    }

    /// Instructions of a function.
    pub(crate) fn instructions(&self, body: &Body<'_>) -> usize {
        self.lines[body.lines.clone()].iter().filter(|l| l.instruction).count()
    }

    /// The loops of a function that have no loop inside: from the label to the branch back to it, as ranges of lines.
    pub(crate) fn innermost_loops(&self, body: &Body<'_>) -> Vec<std::ops::Range<usize>> {
        let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
        let mut found: Vec<std::ops::Range<usize>> = Vec::new();
        for n in body.lines.clone() {
            let text = self.lines[n].text.trim();
            if let Some(label) = text.strip_suffix(':') {
                labels.insert(label, n);
            } else if let Some(&from) = branch_target(text).and_then(|t| labels.get(t)) {
                // Several branches back to one label are one loop.
                found.retain(|l| l.start != from);
                if !found.iter().any(|l| from <= l.start && l.end <= n + 1) {
                    found.push(from..n + 1);
                }
            }
        }
        found
    }
}

/// `1 12 5`: file and line.
fn location(text: &str) -> Option<SourceLine> {
    let mut parts = text.split_ascii_whitespace().map(str::parse::<u32>);
    let (file, line) = (parts.next()?.ok()?, parts.next()?.ok()?);
    Some((file.checked_sub(1)?, line))
}

/// The symbol that a line begins to define.
fn head(line: &str) -> Option<&str> {
    let at = line.find(".entry ").map(|n| n + 7).or_else(|| line.find(".func ").map(|n| n + 6))?;
    if line.ends_with(';') || !line.starts_with('.') {
        return None;
    }
    let mut rest = line[at..].trim_start();
    // A function's result stands in parentheses before its name.
    if rest.starts_with('(') {
        rest = rest.split_once(')')?.1.trim_start();
    }
    Some(rest.split(['(', ' ', '\t']).next().unwrap_or(rest))
}

fn is_instruction(line: &str) -> bool {
    let declares = line.starts_with(['.', '}', '{', '/', ')', '(']);
    !line.is_empty() && !declares && !line.ends_with(':') && line.ends_with(';')
}

fn branch_target(line: &str) -> Option<&str> {
    let mut words = line.split_ascii_whitespace();
    let branch = words.by_ref().find(|w| !w.starts_with('@'))?;
    matches!(branch, "bra" | "bra.uni").then(|| words.next())?.map(|t| t.trim_end_matches(';'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
.version 8.0

.visible .entry k(
\t.param .u32 k_param_0
)
{
\t.reg .b32 \t%r<3>;

\tmov.u32 \t%r1, 0;
\t.loc\t1 7 3
$L__BB0_1:
\t.pragma \"nounroll\";
\tadd.s32 \t%r1, %r1, 1;
$L__BB0_2:
\t.loc\t2 9 1
\tadd.s32 \t%r2, %r1, 1;
\t@%p1 bra \t$L__BB0_2;
\t@%p2 bra \t$L__BB0_1;
\tret;
}

\t.file\t1 \"a.cu\"
";

    #[test]
    fn lines_know_their_source_and_loops_their_ends() {
        let l = Listing::new(TEXT);
        assert_eq!(l.bodies.len(), 1);
        assert_eq!(l.bodies[0].symbol, "k");
        assert_eq!(l.instructions(&l.bodies[0]), 6);
        let of = |what: &str| l.lines.iter().find(|l| l.text.contains(what)).unwrap().source;
        assert_eq!(of("mov.u32"), None);
        assert_eq!(of("add.s32 \t%r1"), Some((0, 7)));
        assert_eq!(of("add.s32 \t%r2"), Some((1, 9)));
        assert_eq!(of(".version"), None);
        let loops = l.innermost_loops(&l.bodies[0]);
        assert_eq!(loops.len(), 1);
        assert_eq!(l.lines[loops[0].start].text, "$L__BB0_2:");
        assert!(!l.lines.iter().any(|l| l.text.contains(".file") || l.text.contains(".loc")));
    }

    #[test]
    fn heads_of_functions() {
        assert_eq!(head(".func (.param .b32 func_retval0) f("), Some("f"));
        assert_eq!(head(".visible .entry _Z1kv()"), Some("_Z1kv"));
        assert_eq!(head(".extern .func vprintf;"), None);
    }
}
