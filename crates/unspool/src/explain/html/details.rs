//! The reasoning about the loops of one line: hints with their fates, the fix, facts, and the trail of each look.

use super::super::LoopEntry;
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
        out.push_str("</code>");
        if let Some(instance) = &l.instance {
            out.push_str(", inlined from <code>");
            escape::text(out, instance);
            out.push_str("</code>");
        }
        for (n, (name, value)) in l.arguments.iter().enumerate() {
            out.push_str(if n == 0 { ", where <code>" } else { ", <code>" });
            escape::text(out, name);
            out.push_str("</code> is <code>");
            escape::text(out, value);
            out.push_str("</code>");
        }
        out.push_str("</h4>");
        for k in l.verdicts() {
            verdict(out, page, k);
        }
        if let Some(jam) = l.missed_jam() {
            out.push_str("<p>No iterations are jammed, because ");
            escape::prose(out, &jam.reason);
            out.push_str("</p>");
            fix(out, jam);
        }
        trails(out, l);
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

/// The hints with their fates, what was done, why, and what would help.
fn verdict(out: &mut String, page: &Page<'_>, k: &LoopReport) {
    for h in page.explanation.hints.iter().filter(|h| k.hints.contains(&h.id)) {
        let answers = || h.answers.iter().filter(|a| a.function == k.function && a.place == k.place);
        let exact = answers().find(|a| a.done == k.done).map(|a| a.fate);
        out.push_str("<p><code>");
        escape::text(out, &h.asked);
        out.push_str("</code> ");
        fate(out, exact.or_else(|| answers().map(|a| a.fate).max()).unwrap_or(h.fate));
        out.push_str("</p>");
    }
    out.push_str("<p><strong>");
    escape::prose(out, &k.done);
    out.push_str("</strong>");
    if !k.reason.is_empty() {
        out.push_str(", because ");
        escape::prose(out, &k.reason);
    }
    out.push_str("</p>");
    fix(out, k);
    facts(out, k);
}

/// What would help, and what came of trying it.
fn fix(out: &mut String, k: &LoopReport) {
    let tried = k.tried.iter().map(|text| ("Tried:", text));
    for (what, text) in k.fix.iter().map(|text| ("What would help:", text)).chain(tried) {
        out.push_str(&format!("<p class=\"fix\"><strong>{what}</strong> "));
        escape::prose(out, text);
        out.push_str("</p>");
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

/// The trail of each look, folded.
fn trails(out: &mut String, l: &LoopEntry) {
    for k in &l.looks {
        out.push_str(&format!("<details><summary>{} look: ", k.stage));
        escape::prose(out, &k.done);
        out.push_str("</summary><table><tbody>");
        for s in &k.trail {
            let (class, arrow) = if s.decided { (" class=\"won\"", "\u{21d2} ") } else { ("", "") };
            out.push_str(&format!("<tr{class}><td>{arrow}"));
            escape::text(out, s.rule);
            out.push_str("</td><td>");
            escape::prose(out, &s.finding);
            out.push_str("</td></tr>");
        }
        out.push_str("</tbody></table></details>");
    }
}
