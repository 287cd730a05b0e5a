//! The plot of where a program's time went (`UNSPOOL_ACC_PLOT=FILE.svg`): a bar for each phase, a bar in those colours for each
//! region, and when each queue was at what.

use crate::spans::{Phase, Span};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What is drawn. Times are in microseconds.
pub(crate) struct Picture<'a> {
    pub(crate) device: String,
    /// From the first directive to the program's end.
    pub(crate) total: u64,
    /// In regions that stand in no other.
    pub(crate) in_regions: u64,
    /// In waiting for queues, outside of regions.
    pub(crate) waited: u64,
    pub(crate) rows: Vec<Row>,
    pub(crate) spans: &'a [Span],
}

/// A region.
pub(crate) struct Row {
    /// File, line and function.
    pub(crate) at: String,
    /// It has no kernel of its own: what it takes is in the rows of those inside, too.
    pub(crate) is_data: bool,
    /// How often.
    pub(crate) entered: u64,
    /// From its begin to its end.
    pub(crate) elapsed: u64,
    /// Making the device ready, copies to it, kernels, copies from it.
    pub(crate) parts: [u64; 4],
}

/// Names and colours of a row's parts.
const PARTS: [(&str, &str); 4] = [
    ("device made ready", "#8a8f98"),
    ("copies to it", "#3b7dd8"),
    ("kernels", "#3a9d5d"),
    ("copies from it", "#e08a2e"),
];
const REST: &str = "#d5d8dd";
const WAIT: &str = "#b9a3d0";

const WIDTH: f64 = 960.0;
/// Pixels over which the program's time is drawn.
pub(crate) const TIMELINE: u64 = 690;
/// Where bars begin, and how long the longest is.
const LEFT: f64 = 250.0;
const LONGEST: f64 = 520.0;
const BAR: f64 = 16.0;
const STEP: f64 = 22.0;
/// Rows and queues that are drawn at most.
const MOST_ROWS: usize = 24;
const MOST_QUEUES: usize = 16;

/// The plot as a file.
pub(crate) fn svg(p: &Picture<'_>) -> String {
    let mut d = Drawing { body: String::new(), y: 24.0 };
    let program = std::env::current_exe().ok().and_then(|e| Some(e.file_name()?.to_string_lossy().into_owned()));
    let program = program.unwrap_or_default();
    let title = format!("{program} on {}: {} from the first directive to the end", p.device, time(p.total));
    d.text(16.0, "h", &title);
    d.y += STEP;
    phases(&mut d, p);
    regions(&mut d, p);
    timeline(&mut d, p);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH:.0}\" height=\"{0:.0}\" viewBox=\"0 0 {WIDTH:.0} {0:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <style>.h{{font-weight:bold;font-size:14px}}.n{{text-anchor:end}}.t{{fill:#666;font-size:11px}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{1}</svg>\n",
        d.y + 8.0,
        d.body
    )
}

struct Drawing {
    body: String,
    /// Where the next line's text stands.
    y: f64,
}

impl Drawing {
    fn text(&mut self, x: f64, class: &str, text: &str) {
        let _ =
            writeln!(self.body, "<text x=\"{x:.1}\" y=\"{:.1}\" class=\"{class}\">{}</text>", self.y, escaped(text));
    }

    /// A bar on this line, with what is shown when the pointer rests on it.
    fn bar(&mut self, x: f64, width: f64, colour: &str, about: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.2}\" y=\"{:.1}\" width=\"{width:.2}\" height=\"{BAR}\" fill=\"{colour}\"><title>{}</title></rect>",
            self.y - 12.5,
            escaped(about)
        );
    }
}

/// A bar for each phase of the whole program.
fn phases(d: &mut Drawing, p: &Picture<'_>) {
    let sums: [u64; 4] = std::array::from_fn(|n| p.rows.iter().map(|r| r.parts[n]).sum());
    let device: u64 = sums.iter().sum();
    let mut all: Vec<(&str, &str, u64)> =
        PARTS.iter().zip(sums).map(|(&(name, colour), t)| (name, colour, t)).collect();
    all.push(("regions besides", REST, p.in_regions.saturating_sub(device)));
    all.push(("waiting for queues", WAIT, p.waited));
    all.push(("host, outside of regions", REST, p.total.saturating_sub(p.in_regions).saturating_sub(p.waited)));
    let longest = all.iter().map(|a| a.2).max().unwrap_or(0).max(1);
    for (name, colour, t) in all {
        d.text(LEFT - 8.0, "n", name);
        let width = share(t, longest) * LONGEST;
        d.bar(LEFT, width, colour, name);
        let part = format!("{}  {:.1} %", time(t), share(t, p.total) * 100.0);
        d.text(LEFT + width + 6.0, "", &part);
        d.y += STEP;
    }
}

/// A bar for each region, the longest first.
fn regions(d: &mut Drawing, p: &Picture<'_>) {
    let mut rows: Vec<&Row> = p.rows.iter().collect();
    rows.sort_by(|a, b| b.elapsed.cmp(&a.elapsed).then_with(|| a.at.cmp(&b.at)));
    let longest = rows.iter().map(|r| r.elapsed.max(r.parts.iter().sum())).max().unwrap_or(0).max(1);
    d.y += STEP / 2.0;
    d.text(16.0, "h", "regions");
    d.y += STEP;
    for r in rows.iter().take(MOST_ROWS) {
        d.text(LEFT - 8.0, "n", &shortened(&r.at));
        let mut x = LEFT;
        let besides = r.elapsed.saturating_sub(r.parts.iter().sum());
        let parts = PARTS.iter().copied().zip(r.parts).chain([(("besides", REST), besides)]);
        for ((name, colour), t) in parts.filter(|p| p.1 > 0) {
            let width = share(t, longest) * LONGEST;
            d.bar(x, width, colour, &format!("{}: {name}, {}", r.at, time(t)));
            x += width;
        }
        let often = if r.entered == 1 { String::new() } else { format!(", {} times", r.entered) };
        let data = if r.is_data { ", all inside" } else { "" };
        d.text(x + 6.0, "", &format!("{}{often}{data}", time(r.elapsed)));
        d.y += STEP;
    }
    if rows.len() > MOST_ROWS {
        d.text(LEFT, "t", &format!("and {} shorter ones", rows.len() - MOST_ROWS));
        d.y += STEP;
    }
}

/// What each queue was at, over the program's time.
fn timeline(d: &mut Drawing, p: &Picture<'_>) {
    let queues: BTreeSet<Option<i64>> = p.spans.iter().map(|s| s.queue).collect();
    if queues.is_empty() {
        return;
    }
    d.y += STEP / 2.0;
    d.text(16.0, "h", "queues");
    d.y += STEP;
    let width = TIMELINE as f64;
    let at = |t: u64| LEFT + share(t, p.total) * width;
    for q in queues.iter().take(MOST_QUEUES) {
        d.text(LEFT - 8.0, "n", &q.map_or("without `async`".to_owned(), |n| format!("async({n})")));
        d.bar(LEFT, width, "#f4f5f7", "idle");
        for s in p.spans.iter().filter(|s| s.queue == *q && s.end > s.start) {
            let (name, colour) = PARTS[match s.phase {
                Phase::Upload => 1,
                Phase::Kernel => 2,
                Phase::Download => 3,
            }];
            let line = if s.line > 0 { format!(", line {}", s.line) } else { String::new() };
            let about = format!("{name}{line}: {} at {}", time(s.end - s.start), time(s.start));
            d.bar(at(s.start), (at(s.end) - at(s.start)).max(0.2), colour, &about);
        }
        d.y += STEP;
    }
    if queues.len() > MOST_QUEUES {
        d.text(LEFT, "t", &format!("and {} more", queues.len() - MOST_QUEUES));
        d.y += STEP;
    }
    for tick in 0..=4 {
        let class = if tick == 0 { "t" } else { "t n" };
        let t = p.total / 4 * tick;
        d.text(at(t), class, &time(t));
    }
    d.y += STEP;
}

/// A part of a whole, at most 1.
fn share(part: u64, whole: u64) -> f64 {
    (part as f64 / whole.max(1) as f64).min(1.0)
}

/// A time in words: `12 µs`, `3.4 ms`, `1.25 s`.
fn time(us: u64) -> String {
    let n = us as f64;
    match us {
        0..1000 => format!("{us} µs"),
        1000..10_000 => format!("{:.2} ms", n / 1e3),
        10_000..1_000_000 => format!("{:.1} ms", n / 1e3),
        _ => format!("{:.2} s", n / 1e6),
    }
}

/// The end of a long name.
fn shortened(name: &str) -> String {
    let n = name.chars().count();
    if n <= 34 { name.to_owned() } else { format!("…{}", name.chars().skip(n - 33).collect::<String>()) }
}

/// A text as SVG has it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no place for them.
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_regions_and_queues_are_drawn() {
        let span = |queue, phase, start, end| Span { queue, phase, line: 7, start, end };
        let spans = [
            span(None, Phase::Upload, 0, 100),
            span(Some(1), Phase::Kernel, 100, 600),
            span(Some(1), Phase::Download, 600, 1600),
        ];
        let rows = vec![
            Row { at: "a.c:3 f<int>".into(), is_data: false, entered: 2, elapsed: 1700, parts: [0, 100, 500, 1000] },
            Row { at: "a.c:9 g".into(), is_data: true, entered: 1, elapsed: 300, parts: [50, 0, 0, 0] },
        ];
        let p = Picture { device: "multicore".into(), total: 4000, in_regions: 2000, waited: 500, rows, spans: &spans };
        let svg = svg(&p);
        for wanted in [
            "kernels</text>",
            "500 µs  12.5 %",
            "1.00 ms  25.0 %",
            "host, outside of regions</text>",
            "1.50 ms  37.5 %",
            "a.c:3 f&lt;int&gt;",
            "1.70 ms, 2 times",
            "300 µs, all inside",
            "async(1)",
            "without `async`",
            "copies from it, line 7: 1.00 ms at 600 µs",
        ] {
            assert!(svg.contains(wanted), "{wanted} in {svg}");
        }
    }

    #[test]
    fn a_program_without_regions_has_a_plot() {
        let p = Picture { device: "host".into(), total: 0, in_regions: 0, waited: 0, rows: Vec::new(), spans: &[] };
        assert!(svg(&p).ends_with("</svg>\n"));
    }
}
