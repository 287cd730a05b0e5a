//! `.loc` lines for `-lineinfo`.

use crate::func::Fx;
use crate::out::push_u64;
use source::{SourceMap, Span};

impl Fx<'_> {
    /// Writes `.loc` if the place differs from the last one.
    pub(crate) fn line_info(&mut self, span: Span) {
        let Some(sources) = self.sources.filter(|_| !span.is_none()) else { return };
        let Some((file, at)) = sources.line_col(sources.call_site(span).lo) else { return };
        let place = (file.0 + 1, at.line, at.col);
        if place == self.loc {
            return;
        }
        self.loc = place;
        self.out.push_str("\t.loc\t");
        for (n, part) in [place.0, place.1, place.2].into_iter().enumerate() {
            if n > 0 {
                self.out.push(' ');
            }
            push_u64(&mut self.out, u64::from(part));
        }
        self.out.push('\n');
    }
}

/// Writes the `.file` lines.
pub(crate) fn files(out: &mut String, sources: &SourceMap) {
    for (id, f) in sources.files() {
        out.push_str("\t.file\t");
        push_u64(out, u64::from(id.0) + 1);
        out.push_str(" \"");
        for c in f.name.chars() {
            // The assembler knows no escapes.
            out.push(if c == '"' || c.is_control() { '?' } else { c });
        }
        out.push_str("\"\n");
    }
}
