//! The explanation as one page: the source with every loop's fate in its margin, the reasoning on click, the code beside
//! it, registers and occupancy of every kernel, and the ledger of hints.
//!
//! The page needs nothing else: styles and script stand in it, a content security policy forbids the rest, and the same
//! compilation gives the same bytes. Every text that comes from the user passes through [`escape`].
//!
//! Limits: [`MAX_LINES`] lines of a file, [`MAX_CODE`] lines of code and [`MAX_COLUMNS`] characters of a line are shown;
//! the page says what it leaves out. Cost: linear in what is shown.

mod code;
mod details;
mod escape;
mod highlight;
mod plot;
mod source_pane;
mod tables;

use super::{Explanation, FactorTable, LoopEntry, extent, sarif};
use crate::Compilation;
use ::source::{Fate, FileId, LoopReport, Session};
use std::collections::BTreeMap;

/// Lines of one file that are shown.
const MAX_LINES: usize = 20_000;
/// Lines of code that are shown.
const MAX_CODE: usize = 40_000;
/// Characters of one line that are shown.
const MAX_COLUMNS: usize = 2_000;
/// Bytes skimmed for the ends of all loops of a page.
const EXTENT_BUDGET: usize = 16 << 20;

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// How a loop fared: the colour of its mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Mood {
    /// Nothing was asked and nothing done.
    Calm,
    /// Unrolled, or done as asked.
    Good,
    /// A hint was adjusted.
    Warn,
    /// A hint was refused.
    Bad,
}

impl Mood {
    fn class(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }

    fn of(fate: Fate) -> Self {
        match fate {
            Fate::Honoured => Self::Good,
            Fate::Adjusted => Self::Warn,
            Fate::Refused => Self::Bad,
            Fate::Unused => Self::Calm,
        }
    }
}

/// The loops that begin on one line of the source: one, unless templates or inlining made several of it.
struct Site<'a> {
    /// Byte in the file at which the first of them begins.
    at: usize,
    /// Its line.
    line: u32,
    /// The last line of its body.
    last: u32,
    entries: Vec<&'a LoopEntry>,
    mood: Mood,
    /// What its mark says.
    word: String,
}

/// Everything a page is made of.
struct Page<'a> {
    session: &'a Session,
    explanation: &'a Explanation,
    /// Sites by file and line.
    sites: BTreeMap<FileId, BTreeMap<u32, Site<'a>>>,
}

/// The page. PTX or assembly is shown if the compilation made some ([`crate::Emit`]), with its lines told apart if it has line
/// information; `factors` adds the tables of `--factors`.
pub fn to_html(c: &Compilation, factors: &[FactorTable]) -> String {
    let nothing = Explanation::default();
    let explanation = c.explanation.as_ref().unwrap_or(&nothing);
    let page = Page { session: &c.session, explanation, sites: sites(&c.session, explanation) };
    let mut out = String::with_capacity(64 * 1024);
    page.head(&mut out);
    tables::problems(&mut out, &c.session);
    tables::kernels(&mut out, &page);
    tables::factors(&mut out, factors);
    let code = code::Code::of(c);
    let title = code.title();
    out.push_str(&format!(
        "<section aria-label=\"source and {title}\"><h2>Source and {title}</h2><div class=\"panes\">\n"
    ));
    source_pane::write(&mut out, &page);
    code.write(&mut out);
    out.push_str("</div></section>\n");
    tables::hints(&mut out, &page);
    out.push_str("<footer>Made by unspool ");
    out.push_str(env!("CARGO_PKG_VERSION"));
    out.push_str(". Where no assembler is named, registers are estimates made before it schedules.</footer>\n<script>");
    out.push_str(SCRIPT);
    out.push_str("</script>\n</body></html>\n");
    out
}

impl Page<'_> {
    fn head(&self, out: &mut String) {
        let e = self.explanation;
        let loops: usize = e.functions.iter().map(|f| f.loops.len()).sum();
        out.push_str("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
        out.push_str(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n",
        );
        out.push_str("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>");
        escape::text(out, &e.file);
        out.push_str(" - unspool</title>\n<style>");
        out.push_str(STYLE);
        out.push_str("</style>\n<noscript><style>.why{display:block!important}</style></noscript></head>\n<body>\n");
        out.push_str("<header><h1>");
        escape::text(out, &e.file);
        let count = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        out.push_str(&format!(
            "</h1><p>for {}: {}, {}</p><span class=\"soft\"><kbd>n</kbd> <kbd>p</kbd> next and previous loop, \
             <kbd>Enter</kbd> its reasoning, <kbd>Esc</kbd> close</span>\
             <button id=\"theme\" type=\"button\" title=\"key t\">light / dark</button></header>\n",
            e.arch,
            count(loops, "loop"),
            count(e.hints.len(), "hint"),
        ));
    }

    /// The id of a line's element.
    fn anchor(file: FileId, line: u32) -> String {
        if file.0 == 0 { format!("L{line}") } else { format!("L{}-{line}", file.0) }
    }

    /// Hints that govern a loop in the eyes of a look, with this function's fate.
    fn fate(&self, k: &LoopReport) -> Option<Fate> {
        let hints = self.explanation.hints.iter().filter(|h| k.hints.contains(&h.id));
        let answers = hints.flat_map(|h| h.answers.iter());
        answers.filter(|a| a.place == k.place && a.function == k.function).map(|a| a.fate).max()
    }
}

/// Groups loops by the line that they begin on.
fn sites<'a>(session: &'a Session, e: &'a Explanation) -> BTreeMap<FileId, BTreeMap<u32, Site<'a>>> {
    let map = &session.sources;
    let mut budget = EXTENT_BUDGET;
    let mut out: BTreeMap<FileId, BTreeMap<u32, Site<'a>>> = BTreeMap::new();
    for l in e.functions.iter().flat_map(|f| &f.loops) {
        let span = map.call_site(l.span);
        let Some((file, place)) = map.line_col(span.lo).filter(|_| !span.is_none()) else { continue };
        let f = map.file(file);
        let at = (span.lo - f.base) as usize;
        let site = out.entry(file).or_default().entry(place.line).or_insert_with(|| {
            let end = extent::statement_end(&f.text, at, &mut budget).max(at);
            let lines = f.text.as_bytes()[at..end].iter().filter(|&&b| b == b'\n').count();
            let (mood, word) = (Mood::Calm, String::new());
            Site { at, line: place.line, last: place.line + lines as u32, entries: Vec::new(), mood, word }
        });
        site.at = site.at.min(at);
        site.entries.push(l);
    }
    let page = Page { session, explanation: e, sites: BTreeMap::new() };
    for site in out.values_mut().flat_map(BTreeMap::values_mut) {
        let marks: Vec<(Mood, String)> = site.entries.iter().filter_map(|l| mark(&page, l)).collect();
        let same = marks.windows(2).all(|w| w[0].1 == w[1].1);
        site.mood = marks.iter().map(|m| m.0).max().unwrap_or(Mood::Calm);
        site.word = match marks.first() {
            Some((_, word)) if same => word.clone(),
            _ => format!("{} loops", marks.len()),
        };
    }
    out
}

/// A loop's mark: colour, and words that say the same.
fn mark(page: &Page<'_>, l: &LoopEntry) -> Option<(Mood, String)> {
    let k = sarif::deciding(l)?;
    let n = k.copies;
    let done = match k.kind {
        "full" | "upper-bound" if n == 1 => "runs once".to_owned(),
        "full" => format!("full \u{d7}{n}"),
        "upper-bound" => format!("full \u{2264}{n}"),
        "peel" => "peeled".to_owned(),
        "jam" => format!("jam \u{d7}{n}"),
        "keep" | "forbidden" => "kept".to_owned(),
        _ => format!("\u{d7}{n}"),
    };
    let fate = page.fate(k);
    let mood = fate.map_or(if k.changed { Mood::Good } else { Mood::Calm }, Mood::of);
    let word = match fate {
        Some(Fate::Honoured) => format!("\u{2713} {done}"),
        Some(Fate::Adjusted) => format!("~ {done}, adjusted"),
        Some(Fate::Refused) => "\u{2717} refused".to_owned(),
        Some(Fate::Unused) | None => done,
    };
    Some((mood, word))
}

/// A line cut to what is shown of it, and how many characters are not.
fn cut(line: &str) -> (&str, usize) {
    match line.char_indices().nth(MAX_COLUMNS) {
        Some((at, _)) => (&line[..at], line[at..].chars().count()),
        None => (line, 0),
    }
}
