//! The left pane: the source with the loops' marks in its margin.

use super::super::MemoryNote;
use super::highlight::Highlighter;
use super::{MAX_LINES, Mood, Page, Site, cut, details, escape};
use source::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// Writes the main file and every other file that holds a loop or a hint.
pub(super) fn write(out: &mut String, page: &Page<'_>) {
    let map = &page.session.sources;
    let mut anchors: BTreeMap<FileId, BTreeSet<u32>> = BTreeMap::new();
    let e = page.explanation;
    for span in e.hints.iter().map(|h| h.span).chain(e.kernels.iter().map(|k| k.span)) {
        let span = map.call_site(span);
        if let Some((file, at)) = map.line_col(span.lo).filter(|_| !span.is_none()) {
            anchors.entry(file).or_default().insert(at.line);
        }
    }
    let shown: Vec<FileId> = map
        .files()
        .map(|(id, _)| id)
        .filter(|id| id.0 == 0 || page.sites.contains_key(id) || anchors.contains_key(id))
        .collect();
    out.push_str("<div class=\"pane\" tabindex=\"0\" aria-label=\"source\">\n");
    for id in shown {
        let none = BTreeSet::new();
        file(out, page, id, anchors.get(&id).unwrap_or(&none));
    }
    out.push_str("</div>\n");
}

fn file(out: &mut String, page: &Page<'_>, id: FileId, anchors: &BTreeSet<u32>) {
    let f = page.session.sources.file(id);
    out.push_str("<h3>");
    escape::text(out, &f.name);
    out.push_str(&format!("</h3><div class=\"src code\" data-f=\"{}\">\n", id.0));
    let none = BTreeMap::new();
    let sites = page.sites.get(&id).unwrap_or(&none);
    let notes = notes_of(page, id);
    // Loops around the line, outermost first.
    let mut open: Vec<(u32, Mood)> = Vec::new();
    let mut colours = Highlighter::default();
    let mut rest = 0;
    for (n, text) in f.text.lines().enumerate() {
        if n >= MAX_LINES {
            rest += 1;
            continue;
        }
        let number = n as u32 + 1;
        open.retain(|&(last, _)| last >= number);
        let site = sites.get(&number);
        if let Some(s) = site {
            open.push((s.last, s.mood));
        }
        out.push_str("<p");
        if site.is_some() || anchors.contains(&number) {
            out.push_str(&format!(" id=\"{}\"", Page::anchor(id, number)));
        }
        if let Some((_, mood)) = open.last() {
            out.push_str(&format!(" class=\"{}\"", mood.class()));
        }
        out.push('>');
        if let Some(s) = site {
            button(out, s, id);
        }
        let (text, more) = cut(text);
        colours.line(out, text);
        if more > 0 {
            out.push_str(&format!("<s>{more} more characters</s>"));
        }
        memory(out, notes.get(&number).map_or(&[], Vec::as_slice));
        out.push_str("</p>\n");
        if let Some(s) = site {
            details::write(out, page, s, &format!("why{}-{}", id.0, s.line));
        }
    }
    out.push_str("</div>\n");
    if rest > 0 {
        out.push_str(&format!("<p class=\"soft\">{rest} more lines are not shown.</p>\n"));
    }
}

/// Remarks about memory by line.
fn notes_of<'a>(page: &Page<'a>, id: FileId) -> BTreeMap<u32, Vec<&'a MemoryNote>> {
    let mut out: BTreeMap<u32, Vec<&MemoryNote>> = BTreeMap::new();
    for n in &page.explanation.memory {
        let Some((file, at)) = page.session.sources.line_col(n.span.lo) else { continue };
        let here = out.entry(at.line).or_default();
        if file == id && !here.iter().any(|o| o.text == n.text) {
            here.push(n);
        }
    }
    out
}

/// Their marks at the end of the line: a word each, the remark where it is pointed at.
fn memory(out: &mut String, notes: &[&MemoryNote]) {
    for n in notes {
        let word = match n.kind {
            "private-array" => "in memory",
            "uncoalesced" => "not coalesced",
            "bank-conflict" => "bank conflict",
            "divergent-barrier" => "barrier?",
            _ => "diverges",
        };
        out.push_str(&format!(" <small class=\"m {}\" tabindex=\"0\" title=\"", n.kind));
        escape::attribute(out, &n.text);
        out.push_str(&format!("\">{word}</small>"));
    }
}

fn button(out: &mut String, s: &Site<'_>, id: FileId) {
    out.push_str(&format!(
        "<button type=\"button\" class=\"{}\" aria-expanded=\"false\" aria-controls=\"why{}-{}\" data-a=\"{}\" data-b=\"{}\" title=\"",
        s.mood.class(),
        id.0,
        s.line,
        s.line,
        s.last
    ));
    let done = s.entries.first().and_then(|l| super::sarif::deciding(l)).map_or("", |k| k.done.as_str());
    escape::attribute(out, done);
    out.push_str("\">");
    escape::text(out, &s.word);
    out.push_str("</button>");
}
