//! The reasoning about the loops of one line: hints with their fates, the fix, facts, and the trail of each look.

use super::super::sarif::fate_name;
use super::{Mood, Page, Site, escape};
use source::{Fate, LoopReport};

/// Loops of one line that are told apart; a template may have hundreds.
const MAX_ENTRIES: usize = 12;

/// Writes the box under a loop's line.
pub(super) fn write(out: &mut String, page: &Page<'_>, site: &Site<'_>, id: &str) {
    out.push_str(&format!(
        "<div class=\"why {}\" id=\"{id}\" role=\"region\" aria-label=\"loop at line {}\" hidden>",
        site.mood.class(),
        site.line
    ));
    for l in site.entries.iter().take(MAX_ENTRIES) {
        let Some(first) = l.looks.first() else { continue };
        out.push_str("<h4>in <code>");
        escape::text(out, &first.function);
        out.push_str("</code></h4>");
        hints(out, page, first);
        facts(out, first);
        for (n, k) in l.looks.iter().enumerate() {
            look(out, k, n > 0 && !k.changed);
        }
    }
    if site.entries.len() > MAX_ENTRIES {
        out.push_str(&format!("<p class=\"soft\">and {} more</p>", site.entries.len() - MAX_ENTRIES));
    }
    out.push_str("</div>\n");
}

/// A fate as a coloured word.
pub(super) fn fate(out: &mut String, f: Fate) {
    let sign = match f {
        Fate::Honoured => "\u{2713} ",
        Fate::Adjusted => "~ ",
        Fate::Refused => "\u{2717} ",
        Fate::Unused => "",
    };
    out.push_str(&format!("<span class=\"{}\">{sign}{}</span>", Mood::of(f).class(), fate_name(f)));
}

fn hints(out: &mut String, page: &Page<'_>, first: &LoopReport) {
    for h in page.explanation.hints.iter().filter(|h| first.hints.contains(&h.id)) {
        for a in h.answers.iter().filter(|a| a.function == first.function && a.place == first.place) {
            out.push_str("<p><code>");
            escape::text(out, &h.asked);
            out.push_str("</code> ");
            fate(out, a.fate);
            out.push_str(": ");
            escape::text(out, &a.done);
            if !a.reason.is_empty() {
                out.push_str(", because ");
                escape::text(out, &a.reason);
            }
            out.push_str("</p>");
            if let Some(fix) = a.trail.iter().find(|s| s.rule == "fix") {
                out.push_str("<p class=\"fix\"><strong>What would help:</strong> ");
                escape::text(out, &fix.finding);
                out.push_str("</p>");
            }
        }
    }
}

fn facts(out: &mut String, first: &LoopReport) {
    out.push_str("<div class=\"chips\">");
    for (name, value) in &first.facts {
        out.push_str("<span>");
        escape::text(out, name);
        if value != "yes" {
            out.push_str(": ");
            escape::text(out, value);
        }
        out.push_str("</span>");
    }
    out.push_str("</div>");
}

/// A look with its trail; closed at first if it is the second one and left everything as it was.
fn look(out: &mut String, k: &LoopReport, closed: bool) {
    out.push_str(if closed { "<details><summary>" } else { "<p>" });
    out.push_str(&format!("{} look: <strong>", k.stage));
    escape::text(out, &k.done);
    out.push_str("</strong>");
    out.push_str(if closed { "</summary>" } else { "</p>" });
    out.push_str("<table><tbody>");
    for s in &k.trail {
        let (class, arrow) = if s.decided { (" class=\"won\"", "\u{21d2} ") } else { ("", "") };
        out.push_str(&format!("<tr{class}><td>{arrow}"));
        escape::text(out, s.rule);
        out.push_str("</td><td>");
        escape::text(out, &s.finding);
        out.push_str("</td></tr>");
    }
    out.push_str("</tbody></table>");
    if closed {
        out.push_str("</details>");
    }
}
