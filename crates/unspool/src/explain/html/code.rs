//! The right pane: the code, in runs of lines that come from the same line of the source.

use super::super::listing::{Line, Listing};
use super::{MAX_CODE, cut, escape};
use crate::{Compilation, Product};

/// The code that a page shows.
pub(super) struct Code<'a> {
    /// PTX, or what else it was compiled for.
    is_ptx: bool,
    listing: Option<Listing<'a>>,
}

impl<'a> Code<'a> {
    /// The PTX or the assembly that a compilation made.
    pub(super) fn of(c: &'a Compilation) -> Self {
        let text = |product| c.artefacts.iter().find(|a| a.product == product).and_then(|a| a.as_text());
        match text(Product::ASSEMBLY) {
            Some(assembly) => Self { is_ptx: false, listing: Some(Listing::of_amd(assembly, &c.session.sources)) },
            None => Self { is_ptx: !is_amd(c), listing: text(Product::PTX).map(Listing::new) },
        }
    }

    /// What it is called.
    pub(super) fn title(&self) -> &'static str {
        if self.is_ptx { "PTX" } else { "assembly" }
    }

    /// Writes the pane.
    pub(super) fn write(&self, out: &mut String) {
        let heading = if self.is_ptx { "PTX" } else { "Assembly" };
        out.push_str(&format!("<div class=\"pane\" tabindex=\"0\" aria-label=\"{}\"><h3>{heading}</h3>", self.title()));
        let Some(listing) = &self.listing else {
            let why = if self.is_ptx { "the source has errors" } else { "it needs LLVM, and a source without errors" };
            out.push_str(&format!("<p class=\"ptx soft\">There is none: {why}.</p></div>\n"));
            return;
        };
        out.push_str("<pre class=\"ptx code\">");
        let shown = listing.lines.len().min(MAX_CODE);
        for run in listing.lines[..shown].chunk_by(|a, b| a.source == b.source) {
            if let Some((file, line)) = run[0].source {
                out.push_str(&format!("<span data-l=\"{line}\""));
                if file > 0 {
                    out.push_str(&format!(" data-f=\"{file}\""));
                }
                out.push('>');
            }
            for l in run {
                line(out, l);
            }
            if run[0].source.is_some() {
                out.push_str("</span>");
            }
        }
        out.push_str("</pre>");
        if listing.lines.len() > shown {
            let more = listing.lines.len() - shown;
            out.push_str(&format!("<p class=\"ptx soft\">{more} more lines are not shown.</p>"));
        }
        out.push_str("</div>\n");
    }
}

fn is_amd(c: &Compilation) -> bool {
    c.explanation.as_ref().is_some_and(|e| e.arch.starts_with("gfx"))
}

fn line(out: &mut String, l: &Line<'_>) {
    let (text, more) = cut(l.text);
    let tag = match text.trim_start().as_bytes().first() {
        _ if text.ends_with(':') => Some("b"),
        Some(b'.' | b'/') => Some("i"),
        _ => None,
    };
    if let Some(t) = tag {
        out.push_str(&format!("<{t}>"));
    }
    escape::text(out, text);
    if let Some(t) = tag {
        out.push_str(&format!("</{t}>"));
    }
    if more > 0 {
        out.push_str(&format!("<s>{more} more characters</s>"));
    }
    out.push('\n');
}
