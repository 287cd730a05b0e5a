//! The explanation of a C program as one page: the source, with what became of each directive under its line. The page needs nothing
//! else, and the same program gives the same bytes.

use super::loops::{Loops, ToldLoop};
use acc::{Fate, Told};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines of the source that are shown.
const MAX_LINES: usize = 20_000;

const STYLE: &str = "body{font:14px/1.45 system-ui,sans-serif;margin:2em;color:#222;background:#fff}\
table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd}\
pre{margin:0;font:13px/1.4 ui-monospace,monospace;white-space:pre-wrap}.n{color:#888;display:inline-block;width:4em}\
.note{margin:.1em 0 .3em 4em;padding:.2em .8em;border-left:4px solid #999;background:#f6f6f6}\
.honoured{border-color:#2a7}.adjusted{border-color:#c90}.refused{border-color:#c33}.unused{border-color:#999}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.note{background:#242424}td,th{border-color:#444}}";

/// The page of a source.
pub(super) fn of(path: &str, source: &str, told: &[Told], loops: &Loops) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escape(path)
    );
    summary(&mut out, told);
    let mut by_line: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for t in told {
        by_line.entry(t.line).or_default().push(note(t));
    }
    for l in &loops.all {
        by_line.entry(l.line).or_default().push(of_loop(l, &loops.target));
    }
    out.push_str("<pre>\n");
    for (n, line) in (1..).zip(source.lines().take(MAX_LINES)) {
        let _ = writeln!(out, "<span class=\"n\" id=\"L{n}\">{n}</span>{}", escape(line));
        by_line.remove(&n).into_iter().flatten().for_each(|note| out.push_str(&note));
    }
    out.push_str("</pre>\n");
    let left = source.lines().count().saturating_sub(MAX_LINES);
    if left > 0 {
        let _ = writeln!(out, "<p>{left} more lines are not shown.</p>");
    }
    // Directives and loops of files that this one includes.
    let rest: String = by_line.into_values().flatten().collect();
    if !rest.is_empty() {
        let _ = writeln!(out, "<h2>From other files</h2><pre>{rest}</pre>");
    }
    out.push_str("</body></html>\n");
    out
}

/// A row for each directive.
fn summary(out: &mut String, told: &[Told]) {
    out.push_str(
        "<table><thead><tr><th>line</th><th>function</th><th>directive</th><th>fate</th></tr></thead><tbody>\n",
    );
    for t in told {
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#L{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td></tr>",
            t.line,
            escape(&t.function),
            escape(&t.text),
            t.fate.word()
        );
    }
    out.push_str("</tbody></table>\n");
}

/// What became of a directive and its clauses, and what `-Minfo` tells about it.
fn note(t: &Told) -> String {
    let mut out = String::new();
    let mut line = |fate: Fate, text: String| {
        let _ = writeln!(out, "<div class=\"note {}\">{}</div>", fate.word(), escape(&text));
    };
    line(t.fate, format!("{}: {}", t.fate.word(), t.why));
    for c in &t.clauses {
        line(c.fate, format!("{} {}: {}", c.text, c.fate.word(), c.why));
    }
    for i in &t.info {
        line(Fate::Unused, format!("{}: {}", i.line, i.text));
    }
    out
}

/// What became of a loop of a kernel.
fn of_loop(l: &ToldLoop, target: &str) -> String {
    let mut out = String::new();
    let mut line = |fate: &str, text: String| {
        let _ = writeln!(out, "<div class=\"note {fate}\">{}</div>", escape(&text));
    };
    line("unused", format!("loop, for {target}: {}: {}", l.done, l.reason));
    for (asked, fate) in &l.hints {
        line(fate, format!("{asked} {fate}"));
    }
    if let Some(fix) = &l.fix {
        line("unused", format!("fix: {fix}"));
    }
    out
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_stand_under_their_lines_and_text_is_escaped() {
        let told = Told {
            function: "f".to_owned(),
            line: 2,
            text: "parallel loop".to_owned(),
            fate: Fate::Honoured,
            why: "a < b".to_owned(),
            clauses: Vec::new(),
            info: Vec::new(),
        };
        let page = of("p.c", "int x;\n#pragma acc parallel loop\nfor (;;) ;\n", &[told], &Loops::default());
        let (line, note) = (page.find("id=\"L2\""), page.find("honoured: a &lt; b"));
        assert!(line < note && note < page.find("id=\"L3\""), "{page}");
    }
}
