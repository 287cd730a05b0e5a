//! The explanation for people.

use super::worth::NOTHING_TO_GAIN;
use super::{Explanation, HintEntry, KernelUsage, LoopEntry};
use source::render::Colour;
use source::{Fate, LoopReport, NO_LOOP_LEFT, Session, SourceMap, Span};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Styles, empty without colour.
struct Style {
    bold: &'static str,
    dim: &'static str,
    good: &'static str,
    warn: &'static str,
    bad: &'static str,
    off: &'static str,
    /// Whether the trails of all looks are wanted.
    trail: bool,
}

const PLAIN: Style = Style { bold: "", dim: "", good: "", warn: "", bad: "", off: "", trail: false };
const COLOURED: Style = Style {
    bold: "\x1b[1m",
    dim: "\x1b[2m",
    good: "\x1b[32m",
    warn: "\x1b[33m",
    bad: "\x1b[31m",
    off: "\x1b[0m",
    trail: false,
};

impl Style {
    fn fate(&self, f: Fate) -> (&'static str, &'static str) {
        match f {
            Fate::Honoured => (self.good, "honoured"),
            Fate::Adjusted => (self.warn, "adjusted"),
            Fate::Refused => (self.bad, "refused"),
            Fate::Unused => (self.dim, "unused"),
        }
    }
}

/// The explanation as text, with source lines and carets.
pub fn to_text(e: &Explanation, session: &Session, colour: Colour) -> String {
    text(e, session, colour, false)
}

/// The same with the trail of every look at every loop.
pub fn to_text_with_trails(e: &Explanation, session: &Session, colour: Colour) -> String {
    text(e, session, colour, true)
}

fn text(e: &Explanation, session: &Session, colour: Colour, trail: bool) -> String {
    let s = &Style { trail, ..if colour == Colour::Always { COLOURED } else { PLAIN } };
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_all(&mut out, e, session, s);
    out
}

fn count(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

fn write_all(w: &mut String, e: &Explanation, session: &Session, s: &Style) -> std::fmt::Result {
    let loops: usize = e.functions.iter().map(|f| f.loops.len()).sum();
    writeln!(
        w,
        "{}{}{} for {}: {}, {}",
        s.bold,
        e.file,
        s.off,
        e.arch,
        count(loops, "loop"),
        count(e.hints.len(), "hint")
    )?;
    for k in &e.kernels {
        write_kernel(w, k, s)?;
    }
    let mut told = BTreeSet::new();
    for f in &e.functions {
        writeln!(w, "\n{}in `{}`{}", s.bold, f.name, s.off)?;
        for l in &f.loops {
            write_loop(w, e, l, session, s)?;
            for h in hints_of(e, l).filter(|h| told.insert(h.id)) {
                write_vanished(w, h, s)?;
            }
        }
    }
    let rest = e.hints.iter().filter(|h| !belongs_to_a_loop(e, h));
    let (idle, rest): (Vec<&HintEntry>, Vec<&HintEntry>) = rest.partition(|h| gained_nothing(h));
    if !rest.is_empty() {
        writeln!(w, "\n{}other hints{}", s.bold, s.off)?;
        for h in rest {
            write_excerpt(w, &session.sources, h.span, s)?;
            write_hint(w, h, &session.sources, s)?;
        }
    }
    if !idle.is_empty() {
        writeln!(w, "\n{}nothing to gain{}: the code is the same without", s.bold, s.off)?;
        for h in idle {
            let place = session.sources.presumed(session.sources.call_site(h.span).lo);
            let place = place.map_or(String::new(), |(_, at)| format!("{}:{}", at.line, at.col));
            writeln!(w, "    {place:>8}  `{}`", h.asked)?;
        }
    }
    Ok(())
}

/// Whether a hint is a promise without which the code is the same.
fn gained_nothing(h: &HintEntry) -> bool {
    h.fate == Fate::Unused && h.answers.iter().all(|a| a.done == NOTHING_TO_GAIN)
}

/// What a launch needs and how full a multiprocessor gets.
fn write_kernel(w: &mut String, k: &KernelUsage, s: &Style) -> std::fmt::Result {
    let o = k.occupancy;
    writeln!(w, "\n{}kernel `{}`{}", s.bold, k.name, s.off)?;
    let mut needs = vec![match k.assembled {
        Some(a) => {
            let spilled = a.spill_stores + a.spill_loads;
            let spilled = if spilled > 0 { format!(" and {spilled} bytes spilled") } else { String::new() };
            let scalar = a.scalar.map_or_else(String::new, |n| format!(", {n} scalar registers"));
            let kind = if a.scalar.is_some() { "vector registers" } else { "registers" };
            format!("{} {kind}{spilled} ({}; the estimate is {}){scalar}", k.registers, a.by, k.estimated)
        }
        None => format!("about {} registers", k.registers),
    }];
    if k.shared > 0 {
        needs.push(format!("{} bytes of shared memory", k.shared));
    }
    if k.dynamic_shared {
        needs.push("shared memory sized at the launch".into());
    }
    if k.private > 0 {
        needs.push(format!("{} bytes of private memory", k.private));
    }
    writeln!(
        w,
        "    {}needs{}  {}, blocks of {} ({})",
        s.dim,
        s.off,
        needs.join(", "),
        k.block,
        k.block_source.name()
    )?;
    let colour = if o.warps == 0 {
        s.bad
    } else if o.warps * 2 < o.max_warps {
        s.warn
    } else {
        s.good
    };
    if o.warps == 0 {
        return writeln!(w, "    {}warps{}  {colour}cannot be launched so{}: {}", s.dim, s.off, s.off, k.limiter());
    }
    let percent = (100.0 * o.fraction()).round();
    let held = format!("{} of {} ({percent} %)", o.warps, o.max_warps);
    write!(w, "    {}warps{}  {colour}{held}{} resident, limited by {}", s.dim, s.off, s.off, k.limiter())?;
    if k.warps_by_registers > o.warps && k.warps_by_registers < o.max_warps {
        write!(w, " (registers alone: {})", k.warps_by_registers)?;
    }
    let fewer = k.fewer.map(|c| format!("{} with {} registers", c.warps, c.registers));
    let more = k.more.map(|c| format!("{} with {}", c.warps, c.registers));
    let steps: Vec<String> = fewer.into_iter().chain(more).collect();
    if !steps.is_empty() {
        write!(w, "; {}", steps.join(", "))?;
    }
    writeln!(w)
}

fn belongs_to_a_loop(e: &Explanation, h: &HintEntry) -> bool {
    e.functions.iter().flat_map(|f| &f.loops).flat_map(|l| &l.looks).any(|k| k.hints.contains(&h.id))
}

/// The hints that govern a loop.
fn hints_of<'a>(e: &'a Explanation, l: &'a LoopEntry) -> impl Iterator<Item = &'a HintEntry> {
    e.hints.iter().filter(|h| l.looks.iter().any(|k| k.hints.contains(&h.id)))
}

/// The functions in which no loop is left for a hint to act on.
fn write_vanished(w: &mut String, h: &HintEntry, s: &Style) -> std::fmt::Result {
    /// Most that are named.
    const MAX: usize = 8;
    let gone = || h.answers.iter().filter(|a| a.done == NO_LOOP_LEFT);
    for a in gone().take(MAX) {
        writeln!(w, "    {}gone{}   no loop is left in `{}`: {}", s.dim, s.off, a.function, a.reason)?;
    }
    match gone().count() {
        n if n > MAX => writeln!(w, "           and in {} more", n - MAX),
        _ => Ok(()),
    }
}

fn write_loop(w: &mut String, e: &Explanation, l: &LoopEntry, session: &Session, s: &Style) -> std::fmt::Result {
    write_excerpt(w, &session.sources, l.span, s)?;
    if let Some(instance) = &l.instance {
        writeln!(w, "    {}inlined{} from `{instance}`", s.dim, s.off)?;
    }
    if !l.arguments.is_empty() {
        let words: Vec<String> = l.arguments.iter().map(|(n, v)| format!("`{n}` is {v}")).collect();
        let arguments = if words.len() == 1 { "template argument" } else { "template arguments" };
        writeln!(w, "    {}here{}   {} ({arguments})", s.dim, s.off, words.join(", "))?;
    }
    let hints: Vec<&HintEntry> = hints_of(e, l).collect();
    let jam = l.missed_jam();
    for k in l.verdicts() {
        for h in &hints {
            write_asked(w, h, k, &session.sources, s)?;
            if let Some(jam) = jam.filter(|_| h.kind == source::HintKind::UnrollAndJam) {
                writeln!(w, "           because {}", jam.reason)?;
            }
        }
        write_verdict(w, k, s)?;
        write_fix(w, k)?;
    }
    if let Some(jam) = jam {
        write_fix(w, jam)?;
    }
    if s.trail {
        l.looks.iter().try_for_each(|k| write_trail(w, k, s))?;
    }
    Ok(())
}

/// A hint on a loop with its fate; what was done stands below.
fn write_asked(w: &mut String, h: &HintEntry, k: &LoopReport, map: &SourceMap, s: &Style) -> std::fmt::Result {
    let same = |a: &&source::Answer| a.place == k.place && (a.function == k.function || a.function.is_empty());
    let of_loop = || h.answers.iter().filter(same);
    let exact = of_loop().find(|a| a.done == k.done).map(|a| a.fate);
    let (colour, word) = s.fate(exact.or_else(|| of_loop().map(|a| a.fate).max()).unwrap_or(h.fate));
    let place = map.presumed(map.call_site(h.span).lo).map(|(_, at)| format!(" ({}:{})", at.line, at.col));
    writeln!(w, "    asked  `{}`{}: {colour}{word}{}", h.asked, place.unwrap_or_default(), s.off)
}

/// What became of the loop, and why.
fn write_verdict(w: &mut String, k: &LoopReport, s: &Style) -> std::fmt::Result {
    let colour = if k.changed { s.good } else { s.off };
    writeln!(w, "    done   {colour}{}{}", k.done, s.off)?;
    if !k.reason.is_empty() {
        writeln!(w, "           because {}", k.reason)?;
    }
    if !k.facts.is_empty() {
        let words: Vec<String> = k.facts.iter().map(|(n, v)| format!("{n} {v}")).collect();
        writeln!(w, "    {}facts{}  {}", s.dim, s.off, words.join(", "))?;
    }
    Ok(())
}

/// What would help, and what came of trying it.
fn write_fix(w: &mut String, k: &LoopReport) -> std::fmt::Result {
    if let Some(fix) = &k.fix {
        writeln!(w, "    fix    {fix}")?;
    }
    for tried in &k.tried {
        writeln!(w, "    tried  {tried}")?;
    }
    Ok(())
}

/// How a look came to what it did.
fn write_trail(w: &mut String, k: &LoopReport, s: &Style) -> std::fmt::Result {
    writeln!(w, "    {:5}  {}", k.stage, k.done)?;
    for step in &k.trail {
        let mark = if step.decided { "=>" } else { "  " };
        writeln!(w, "      {}{mark} {:14}{} {}", s.dim, step.rule, s.off, step.finding)?;
    }
    Ok(())
}

fn write_hint(w: &mut String, h: &HintEntry, map: &SourceMap, s: &Style) -> std::fmt::Result {
    let answers = &h.answers;
    let place = map.presumed(map.call_site(h.span).lo).map(|(_, at)| format!(" ({}:{})", at.line, at.col));
    let (colour, word) = s.fate(h.fate);
    if answers.is_empty() {
        return writeln!(w, "    asked  `{}`{}: {colour}{word}{}", h.asked, place.unwrap_or_default(), s.off);
    }
    for (n, a) in answers.iter().enumerate() {
        let (colour, word) = s.fate(a.fate);
        let head =
            if n == 0 { format!("asked  `{}`{}", h.asked, place.as_deref().unwrap_or("")) } else { "also ".into() };
        writeln!(w, "    {head}: {colour}{word}{}: {}", s.off, a.done)?;
        if !a.reason.is_empty() {
            writeln!(w, "           because {}", a.reason)?;
        }
        for step in a.trail.iter().filter(|step| step.rule == "measured") {
            writeln!(w, "           measured: {}", step.finding)?;
        }
    }
    Ok(())
}

/// The source line with a caret under the place.
fn write_excerpt(w: &mut String, map: &SourceMap, span: Span, s: &Style) -> std::fmt::Result {
    /// Longest line shown.
    const MAX: usize = 160;
    let span = map.call_site(span);
    let Some((file, at)) = map.line_col(span.lo) else { return writeln!(w, "  at a place without source") };
    let f = map.file(file);
    let start = (span.lo - f.base) as usize - (at.col as usize - 1);
    let line = f.text[start..].lines().next().unwrap_or("");
    writeln!(w, "  {}{}{}", s.bold, map.display(span), s.off)?;
    if line.len() > MAX || !line.is_char_boundary(at.col as usize - 1) {
        return Ok(());
    }
    let number = at.line.to_string();
    writeln!(w, "    {}{number} |{} {line}", s.dim, s.off)?;
    let before: String = line[..at.col as usize - 1].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let width =
        ((span.hi.saturating_sub(span.lo)) as usize).clamp(1, line.len().saturating_sub(at.col as usize - 1).max(1));
    writeln!(w, "    {:pad$} {}|{} {before}{}", "", s.dim, s.off, "^".repeat(width), pad = number.len())
}
