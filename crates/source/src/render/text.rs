//! Text with source excerpts and carets, through `annotate-snippets`.

use crate::{Diagnostic, Severity, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// Whether to colour the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Plain.
    Never,
    /// With terminal escapes.
    Always,
}

/// Longest source line shown around a label, in bytes; longer ones show no excerpt, so that output stays readable and
/// bounded on minified or hostile input.
const MAX_LINE: usize = 2000;

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Remark => Level::NOTE.with_name("remark"),
        Severity::Note => Level::NOTE,
    }
}

/// The option that shows or hides a diagnostic, as clang prints it behind the message.
fn option(d: &Diagnostic) -> String {
    match (d.group, d.severity) {
        (None, _) => String::new(),
        (Some(g), Severity::Remark) => format!(" [-R{g}]"),
        (Some(g), Severity::Error) => format!(" [-Werror,-W{g}]"),
        (Some(g), _) => format!(" [-W{g}]"),
    }
}

/// A label's place: file index, and the byte range in that file's text.
fn place(map: &SourceMap, span: Span) -> Option<(crate::FileId, std::ops::Range<usize>)> {
    let span = map.call_site(span);
    let id = map.file_at(span.lo)?;
    let f = map.file(id);
    let len = f.text.len();
    let mut lo = ((span.lo - f.base) as usize).min(len);
    let mut hi = (span.hi.max(span.lo) - f.base) as usize;
    hi = hi.min(len).max(lo);
    while !f.text.is_char_boundary(lo) {
        lo -= 1;
    }
    while !f.text.is_char_boundary(hi) {
        hi += 1;
    }
    let first = f.text[..lo].rfind('\n').map_or(0, |i| i + 1);
    let last = f.text[hi..].find('\n').map_or(len, |i| hi + i);
    (last - first <= MAX_LINE).then_some((id, lo..hi))
}

/// A label in its file: byte range, message, whether it is primary.
type Placed<'d> = (std::ops::Range<usize>, &'d str, bool);

/// One diagnostic with its excerpts, ending in a newline.
pub fn diagnostic_to_text(map: &SourceMap, d: &Diagnostic, colour: Colour) -> String {
    let mut by_file: Vec<(crate::FileId, Vec<Placed<'_>>)> = Vec::new();
    for l in &d.labels {
        let Some((file, range)) = place(map, l.span) else { continue };
        let entry = (range, l.message.as_str(), l.primary);
        match by_file.iter_mut().find(|(f, _)| *f == file) {
            Some((_, list)) => list.push(entry),
            None => by_file.push((file, vec![entry])),
        }
    }
    let lvl = level(d.severity);
    let title = format!("{}{}", d.message, option(d));
    let mut group = lvl
        .primary_title(title.as_str())
        .id(d.code)
        .elements(Vec::<Snippet<'_, annotate_snippets::Annotation<'_>>>::new());
    for (file, labels) in &by_file {
        let f = map.file(*file);
        let mut snippet = Snippet::source(f.text.as_str()).path(f.name.as_str());
        for (range, message, primary) in labels {
            let kind = if *primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let a = kind.span(range.clone());
            snippet = snippet.annotation(if message.is_empty() { a } else { a.label(*message) });
        }
        group = group.element(snippet);
    }
    let mut notes: Vec<String> = Vec::new();
    if by_file.is_empty() && !d.span().is_none() {
        notes.push(format!("at {}", map.display(d.span())));
    }
    let mut expn = d.span().expn;
    while let Some(e) = map.expansion(expn) {
        notes.push(format!("in the expansion of macro `{}`", e.name));
        expn = e.call_site.expn;
    }
    notes.extend(d.notes.iter().cloned());
    for n in &notes {
        group = group.element(Level::NOTE.message(n.as_str()));
    }
    let fix;
    if let Some(help) = &d.help {
        group = group.element(Level::HELP.message(help.as_str()));
    } else if let Some(f) = &d.fix {
        fix = format!("replace with `{}`", f.replacement);
        group = group.element(Level::HELP.message(fix.as_str()));
    }
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    let mut text = renderer.render(&[group]).to_string();
    text.push('\n');
    text
}

/// All diagnostics, one after the other, with a closing line that counts errors and warnings.
pub fn diagnostics_to_text<'a>(
    map: &SourceMap,
    list: impl IntoIterator<Item = &'a Diagnostic>,
    colour: Colour,
) -> String {
    list.into_iter().map(|d| diagnostic_to_text(map, d, colour)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_line_and_caret() {
        let mut m = SourceMap::default();
        m.add("k.cl", "int x = y;\n".into()).unwrap();
        let d = Diagnostic::error("E0201", Span::new(9, 10), "use of undeclared identifier `y`").help("declare it");
        let t = diagnostic_to_text(&m, &d, Colour::Never);
        assert!(t.contains("error[E0201]: use of undeclared identifier `y`"), "{t}");
        assert!(t.contains("k.cl:1:9"), "{t}");
        assert!(t.contains("        ^"), "{t}");
        assert!(t.contains("help: declare it"), "{t}");
    }

    #[test]
    fn names_the_macro() {
        let mut m = SourceMap::default();
        m.add("k.cl", "#define A y\nint x = A;\n".into()).unwrap();
        let expn = m.add_expansion(crate::Expansion {
            name: "A".into(),
            call_site: Span::new(21, 22),
            def_site: Span::new(9, 12),
        });
        let d = Diagnostic::error("E0201", Span { lo: 11, hi: 12, expn }, "use of undeclared identifier `y`");
        let t = diagnostic_to_text(&m, &d, Colour::Never);
        assert!(t.contains("k.cl:2:9"), "{t}");
        assert!(t.contains("in the expansion of macro `A`"), "{t}");
    }
}
