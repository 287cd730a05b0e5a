//! When queues were at what: the spans of a program's life in which a kernel ran or something was copied, for its
//! [plot](crate::plot).
//!
//! What is kept is bounded: when there are [`MOST`] spans, those of the same queue, phase and line that follow each other closer
//! than can be seen in a plot become one, until half of the room is free.

use std::collections::BTreeMap;

/// Spans that are kept at most.
const MOST: usize = 1 << 15;
/// At first spans become one if the gap between them is this part of what has passed.
const UNSEEN: u64 = 4000;

/// What time goes to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Phase {
    /// To the device.
    Upload,
    /// A kernel.
    Kernel,
    /// From the device.
    Download,
}

/// Microseconds since the program's first directive in which a queue was at something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// The queue's number; none for the program's own thread.
    pub(crate) queue: Option<i64>,
    pub(crate) phase: Phase,
    /// The line of the kernel's loop; 0 for copies, and kernels of several lines.
    pub(crate) line: i32,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// All spans, in the order in which they ended.
#[derive(Default)]
pub(crate) struct Spans(Vec<Span>);

impl Spans {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn push(&mut self, span: Span) {
        if self.0.len() >= MOST {
            self.coarsen();
        }
        self.0.push(span);
    }

    pub(crate) fn all(&self) -> &[Span] {
        &self.0
    }

    fn coarsen(&mut self) {
        let passed = self.0.iter().map(|s| s.end).max().unwrap_or(0);
        let mut gap = (passed / UNSEEN).max(1);
        while self.0.len() > MOST / 2 {
            self.join(gap, true);
            gap = gap.saturating_mul(2);
        }
    }

    /// What of them a plot shows in which `total` is so many pixels wide: kernels of several lines may have become one.
    pub(crate) fn visible(&self, total: u64, pixels: u64) -> Self {
        let mut seen = Self(self.0.clone());
        seen.join(total / (2 * pixels.max(1)), false);
        seen
    }

    /// Makes one of spans that lie closer than `gap`: those of the same line, or all.
    fn join(&mut self, gap: u64, by_line: bool) {
        let mut out: Vec<Span> = Vec::with_capacity(self.0.len());
        let mut last: BTreeMap<(Option<i64>, Phase, i32), usize> = BTreeMap::new();
        for s in &self.0 {
            let key = (s.queue, s.phase, if by_line { s.line } else { 0 });
            match last.get(&key).map(|&at| &mut out[at]) {
                Some(before) if s.start <= before.end.saturating_add(gap) => {
                    before.start = before.start.min(s.start);
                    before.end = before.end.max(s.end);
                    before.line = if before.line == s.line { s.line } else { 0 };
                }
                _ => {
                    last.insert(key, out.len());
                    out.push(*s);
                }
            }
        }
        self.0 = out;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_launches_keep_a_bounded_number_of_spans() {
        let mut spans = Spans::new();
        for n in 0..1_000_000u64 {
            let phase = [Phase::Upload, Phase::Kernel, Phase::Download][(n % 3) as usize];
            let span =
                Span { queue: Some((n % 5) as i64), phase, line: (n % 7) as i32, start: n * 10, end: n * 10 + 9 };
            spans.push(span);
        }
        let all = spans.all();
        assert!(all.len() <= MOST, "{}", all.len());
        assert_eq!(all.iter().map(|s| s.start).min(), Some(0));
        assert_eq!(all.iter().map(|s| s.end).max(), Some(9_999_999));
    }

    #[test]
    fn spans_far_apart_stay_apart() {
        let mut spans = Spans::new();
        for n in 0..100u64 {
            spans.push(Span { queue: None, phase: Phase::Kernel, line: 3, start: n * 1000, end: n * 1000 + 5 });
        }
        spans.join(10, true);
        assert_eq!(spans.all().len(), 100);
        spans.join(2000, true);
        assert_eq!(spans.all().len(), 1);
    }
}
