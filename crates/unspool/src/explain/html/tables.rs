//! The tables of a page: errors and warnings, kernels, factors, hints.

use super::super::{Explanation, FactorTable, KernelUsage};
use super::{Mood, Page, details, escape, plot};
use ::source::{FileId, Session, Severity};

/// Rows of diagnostics that are shown.
const MAX_PROBLEMS: usize = 100;

/// Errors and warnings, if there are any.
pub(super) fn problems(out: &mut String, session: &Session) {
    let serious = |d: &&::source::Diagnostic| d.severity >= Severity::Warning;
    let list: Vec<_> = session.diagnostics.iter().filter(serious).take(MAX_PROBLEMS).collect();
    if list.is_empty() {
        return;
    }
    let open = if session.diagnostics.has_errors() { " open" } else { "" };
    out.push_str(&format!(
        "<section><details{open}><summary>Errors and warnings: {}</summary><div class=\"wide\"><table><tbody>\n",
        list.len()
    ));
    for d in list {
        let (class, word) = if d.severity == Severity::Error { ("bad", "error") } else { ("warn", "warning") };
        out.push_str(&format!("<tr><td class=\"{class}\">{word}</td><td>"));
        escape::text(out, &session.sources.display(d.span()));
        out.push_str("</td><td>");
        escape::prose(out, &d.message);
        for more in d.notes.iter().chain(&d.help) {
            out.push_str("<br><span class=\"soft\">");
            escape::prose(out, more);
            out.push_str("</span>");
        }
        out.push_str("</td></tr>\n");
    }
    out.push_str("</tbody></table></div></details></section>\n");
}

/// Registers and occupancy.
pub(super) fn kernels(out: &mut String, page: &Page<'_>) {
    let e = page.explanation;
    if e.kernels.is_empty() {
        return;
    }
    out.push_str("<section><details><summary>");
    summary(out, e);
    out.push_str(
        "</summary><div class=\"wide\"><table><thead><tr><th>kernel</th><th class=\"n\">registers</th>\
         <th class=\"n\">block</th><th class=\"n\">shared bytes</th><th class=\"n\">private bytes</th><th>resident warps</th>\
         <th>limited by</th><th>steps nearby</th></tr></thead><tbody>\n",
    );
    for k in &e.kernels {
        kernel(out, page, k);
    }
    out.push_str("</tbody></table></div></details></section>\n");
}

/// What shows of the kernels while their table is folded: the one that fills a multiprocessor least.
fn summary(out: &mut String, e: &Explanation) {
    let Some(k) = e.kernels.iter().min_by_key(|k| k.occupancy.warps) else { return };
    match e.kernels.len() {
        1 => out.push_str("Kernel <code>"),
        n => out.push_str(&format!("{n} kernels, the least full of them <code>")),
    }
    escape::text(out, &k.name);
    out.push_str(&format!(
        "</code>: {}{} registers, <span class=\"{}\">",
        if k.assembled.is_some() { "" } else { "about " },
        k.registers,
        mood(k).class()
    ));
    match k.occupancy.warps {
        0 => out.push_str("cannot be launched so"),
        n => out.push_str(&format!("{n} of {} warps</span>", k.occupancy.max_warps)),
    }
    out.push_str(if k.occupancy.warps == 0 { "</span>" } else { "" });
}

fn kernel(out: &mut String, page: &Page<'_>, k: &KernelUsage) {
    let o = k.occupancy;
    let map = &page.session.sources;
    let span = map.call_site(k.span);
    let at = map.line_col(span.lo).filter(|_| !span.is_none());
    out.push_str("<tr><td><code>");
    if let Some((file, at)) = at {
        out.push_str(&format!("<a href=\"#{}\">", Page::anchor(file, at.line)));
    }
    escape::text(out, &k.name);
    out.push_str(if at.is_some() { "</a>" } else { "" });
    let dynamic = if k.dynamic_shared { " + launch" } else { "" };
    out.push_str(&format!(
        "</code></td><td class=\"n\">{}<br><span class=\"soft\">{}</span></td><td class=\"n\">{}<br><span class=\"soft\">{}</span></td>\
         <td class=\"n\">{}{dynamic}</td><td class=\"n\">{}</td><td class=\"{}\">",
        k.registers,
        said_by(k),
        k.block,
        k.block_source.name(),
        k.shared,
        k.private,
        mood(k).class(),
    ));
    if o.warps == 0 {
        out.push_str("cannot be launched so");
    } else {
        let percent = (100.0 * o.fraction()).round();
        out.push_str(&format!(
            "<span class=\"bar\" aria-hidden=\"true\"><span style=\"width:{percent}%\"></span></span>{} of {} ({percent}&nbsp;%)",
            o.warps, o.max_warps
        ));
    }
    let steps: Vec<String> = [k.fewer, k.more]
        .into_iter()
        .flatten()
        .map(|c| format!("{} registers: {} warps", c.registers, c.warps))
        .collect();
    out.push_str(&format!("</td><td>{}</td><td class=\"soft\">{}</td></tr>\n", k.limiter(), steps.join("<br>")));
}

/// Whose number of registers it is, and the scalar ones beside it.
fn said_by(k: &KernelUsage) -> String {
    match k.assembled {
        Some(a) => {
            let scalar = a.scalar.map_or_else(String::new, |n| format!("{n} scalar; "));
            format!("{scalar}{}; estimated {}", a.by, k.estimated)
        }
        None => "estimated".to_owned(),
    }
}

/// Half empty is worth a look.
fn mood(k: &KernelUsage) -> Mood {
    match k.occupancy.warps {
        0 => Mood::Bad,
        n if n * 2 < k.occupancy.max_warps => Mood::Warn,
        _ => Mood::Good,
    }
}

/// What other factors would give.
pub(super) fn factors(out: &mut String, tables: &[FactorTable]) {
    // Several fold into one line: the source comes first.
    let several = tables.len() > 1;
    if several {
        out.push_str(&format!("<section><details><summary>Other factors for {} loops</summary>\n", tables.len()));
    }
    for t in tables {
        factors_of(out, t);
    }
    if several {
        out.push_str("</details></section>\n");
    }
}

fn factors_of(out: &mut String, t: &FactorTable) {
    out.push_str(&format!(
        "<section><details><summary>Other factors for the loop of <a href=\"#L{0}\">line {0}</a>",
        t.line
    ));
    if let Some(f) = t.functions.first() {
        out.push_str(" in <code>");
        escape::text(out, f);
        out.push_str("</code>");
    }
    let by = t.rows.iter().find_map(|r| r.assembled).map(|a| a.by);
    out.push_str("</summary>");
    plot::write(out, t);
    out.push_str(
            "<div class=\"wide\"><table><thead><tr><th class=\"n\">factor</th><th>done</th>\
             <th class=\"n\">instructions</th><th class=\"n\">per iteration</th><th class=\"n\">registers, estimated</th>\
             <th class=\"n\">warps</th>",
        );
    if let Some(by) = by {
        out.push_str(&format!(
            "<th class=\"n\">registers, {by}</th><th class=\"n\">warps then</th><th class=\"n\">spilled bytes</th>"
        ));
    }
    out.push_str("</tr></thead><tbody>\n");
    for r in &t.rows {
        out.push_str(&format!("<tr><td class=\"n\">{}</td><td>", r.factor));
        escape::text(out, &r.done);
        let per = r.per_iteration.map_or("-".to_owned(), |n| format!("{n:.1}"));
        out.push_str(&format!(
                "</td><td class=\"n\">{}</td><td class=\"n\">{per}</td><td class=\"n\">{}</td><td class=\"n\">{} of {}</td>",
                r.instructions, r.registers, r.warps, r.max_warps
            ));
        match &r.assembled {
            Some(a) => out.push_str(&format!(
                "<td class=\"n\">{}</td><td class=\"n\">{} of {}</td><td class=\"n\">{}</td>",
                a.registers,
                a.warps,
                r.max_warps,
                a.spill_stores + a.spill_loads
            )),
            None if by.is_some() => out.push_str("<td></td><td></td><td></td>"),
            None => {}
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div></details></section>\n");
}

/// The ledger.
pub(super) fn hints(out: &mut String, page: &Page<'_>) {
    let count = page.explanation.hints.len();
    out.push_str(&format!("<section><details open><summary>Every hint: {count}</summary>"));
    if page.explanation.hints.is_empty() {
        out.push_str("<p class=\"soft\">The source has none.</p></details></section>\n");
        return;
    }
    out.push_str(
        "<div class=\"wide\"><table><thead><tr><th>place</th><th>asked</th><th>fate</th><th>done</th><th>because</th>\
         <th>in</th></tr></thead><tbody>\n",
    );
    let map = &page.session.sources;
    for h in &page.explanation.hints {
        let span = map.call_site(h.span);
        let at: Option<(FileId, _)> = map.line_col(span.lo).filter(|_| !span.is_none());
        for a in &h.answers {
            out.push_str("<tr><td>");
            match at {
                Some((file, at)) => {
                    out.push_str(&format!("<a href=\"#{}\">{}:{}</a>", Page::anchor(file, at.line), at.line, at.col));
                }
                None => out.push('-'),
            }
            out.push_str("</td><td><code>");
            escape::text(out, &h.asked);
            out.push_str("</code></td><td>");
            details::fate(out, a.fate);
            for text in [&a.done, &a.reason] {
                out.push_str("</td><td>");
                escape::prose(out, text);
            }
            for measured in a.trail.iter().filter(|s| s.rule == "measured") {
                out.push_str("<br>measured: ");
                escape::prose(out, &measured.finding);
            }
            out.push_str("</td><td>");
            escape::text(out, &a.function);
            out.push_str("</td></tr>\n");
        }
    }
    out.push_str("</tbody></table></div></details></section>\n");
}
