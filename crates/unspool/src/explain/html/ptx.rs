//! The right pane: the PTX, in runs of lines that come from the same line of the source.

use super::super::listing::{Line, Listing};
use super::{MAX_PTX, cut, escape};

/// Writes the pane.
pub(super) fn write(out: &mut String, ptx: Option<&str>) {
    out.push_str("<div class=\"pane\" tabindex=\"0\" aria-label=\"PTX\"><h3>PTX</h3>");
    let Some(text) = ptx else {
        out.push_str("<p class=\"ptx soft\">There is none: the source has errors.</p></div>\n");
        return;
    };
    let listing = Listing::new(text);
    out.push_str("<pre class=\"ptx code\">");
    let shown = listing.lines.len().min(MAX_PTX);
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
        out.push_str(&format!("<p class=\"ptx soft\">{} more lines are not shown.</p>", listing.lines.len() - shown));
    }
    out.push_str("</div>\n");
}

fn line(out: &mut String, l: &Line<'_>) {
    let (text, more) = cut(l.text);
    let tag = match text.trim_start().as_bytes().first() {
        Some(b'.' | b'/') => Some("i"),
        _ if text.ends_with(':') => Some("b"),
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
