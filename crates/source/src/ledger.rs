//! The hint ledger: what was asked, what was done, and why.
//!
//! Every hint of the source is entered once, at the place it stands. Any stage may answer it; because templates are
//! instantiated and functions inlined, one hint may govern several loops and so have several answers. At the end of
//! a compilation a hint without an answer is an internal error ([`Ledger::unanswered`]).

use crate::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Which hint of the [`Ledger`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize)]
pub struct HintId(pub u32);

/// What sort of hint it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HintKind {
    /// Any request about unrolling a loop, in whatever spelling.
    Unroll,
    /// Any request about unroll-and-jam.
    UnrollAndJam,
    /// `reqd_work_group_size`.
    ReqdWorkGroupSize,
    /// `work_group_size_hint`.
    WorkGroupSizeHint,
    /// `vec_type_hint`.
    VecTypeHint,
    /// `__launch_bounds__`, `__maxnreg__`.
    LaunchBounds,
    /// `__cluster_dims__`, `__block_size__`.
    Cluster,
    /// `restrict`.
    Restrict,
    /// `const` of what a kernel's parameter points to.
    Const,
    /// `__align__`, `alignas`, `aligned`.
    Align,
    /// `__forceinline__`, `__noinline__`, `inline`.
    Inline,
    /// `__builtin_provable`.
    Provable,
    /// `__builtin_assume`, `__builtin_expect`, `__builtin_assume_aligned`, `[[likely]]` and their like.
    Assume,
    /// `ivdep`, vectorise and other pragmas about loops that are not about unrolling.
    Loop,
    /// An accelerator directive's clause.
    Directive,
    /// `FP_CONTRACT` and its like.
    FpContract,
    /// Any other pragma.
    Pragma,
    /// An attribute this compiler does not know.
    Unknown,
}

/// What became of a hint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// Done as asked.
    Honoured,
    /// Something near it was done.
    Adjusted,
    /// Not done.
    Refused,
    /// There was nothing for it to act on (the loop vanished, the function is never used).
    Unused,
}

/// One step of the reasoning that led to an answer.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct TrailStep {
    /// Which rule looked, e.g. `pragma-count` or `full`.
    pub rule: &'static str,
    /// What it found, in words, with the numbers.
    pub finding: String,
    /// Whether this step decided.
    pub decided: bool,
}

/// An answer to a hint, for one of the places it governs.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What became of it.
    pub fate: Fate,
    /// What was done, e.g. `unrolled by 4 with a remainder loop`.
    pub done: String,
    /// Why, naming the deciding fact.
    pub reason: String,
    /// The function it was done in, as the user knows it.
    pub function: String,
    /// The loop or declaration it was done to.
    pub place: Span,
    /// The reasoning.
    pub trail: Vec<TrailStep>,
}

/// A hint as it stands in the source.
#[derive(Clone, Debug)]
pub struct Hint {
    /// What sort.
    pub kind: HintKind,
    /// Where it stands.
    pub span: Span,
    /// What was asked, as the user spelt it, e.g. `#pragma unroll 4`.
    pub asked: String,
    /// The answers so far.
    pub answers: Vec<Answer>,
}

impl Hint {
    /// The fate over all places: the least fulfilled of them, but `unused` only if it is so everywhere.
    pub fn fate(&self) -> Option<Fate> {
        let used = self.answers.iter().map(|a| a.fate).filter(|&f| f != Fate::Unused).max();
        used.or_else(|| self.answers.first().map(|a| a.fate))
    }
}

/// The function that a loop is written in, before it was inlined: one instance of it where it is a template.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Instance {
    /// As the user knows it: `dot<8>(const float *)`.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
}

/// One way to make a hint work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// In words; `{}` stands for what is only known when it has been tried: a factor, a condition.
    pub text: String,
    /// What can be tried.
    pub attempt: Option<Attempt>,
}

/// What makes sure that an advice is good: it is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// The loop with this factor.
    Factor(u32),
    /// The loop with some factor.
    AnyFactor,
    /// A knob of the unroller and its value.
    Knob(&'static str, String),
    /// A bound of the loop's count that a mask gives: `i < (n & 15)`.
    Mask(u32),
    /// A constant in place of what bounds the loop's count: `i < 16`.
    Trips(u32),
    /// Unroll-and-jam by so many, of the loop of this place.
    Jam(Span, u32),
    /// The same by fewer than so many.
    AnyJam(Span, u32),
}

impl Advice {
    /// The text, with a placeholder for what has not been tried.
    fn in_words(&self) -> String {
        match self.attempt {
            Some(Attempt::Mask(mask)) => self.text.replace("{}", &format!("i < (n & {mask})")),
            _ => self.text.replace("{}", "N"),
        }
    }

    /// Several in a sentence: `a, b, or c`.
    pub fn sentence(all: &[Self]) -> Option<String> {
        let texts: Vec<String> = all.iter().map(Self::in_words).collect();
        let (last, first) = texts.split_last()?;
        Some(if first.is_empty() { last.clone() } else { format!("{}, or {last}", first.join(", ")) })
    }
}

/// What one look of a stage at one loop came to, whether anybody hinted or not: nothing goes unexplained.
#[derive(Clone, Debug)]
pub struct LoopReport {
    /// The function, as the user knows it.
    pub function: String,
    /// The function that it is written in.
    pub instance: std::sync::Arc<Instance>,
    /// The loop in the source.
    pub place: Span,
    /// Which look: `early` or `late`.
    pub stage: &'static str,
    /// Whether the loop was changed.
    pub changed: bool,
    /// How: `keep`, `forbidden`, `full`, `upper-bound`, `partial`, `runtime`, `side-exits`, `peel`, `jam`.
    pub kind: &'static str,
    /// Copies of the body that there are now; 1 if it stayed as it is.
    pub copies: u32,
    /// What was done, e.g. `unrolled by 4`.
    pub done: String,
    /// Why, naming the deciding fact.
    pub reason: String,
    /// What would make the hint work, if one was not honoured.
    pub advice: Vec<Advice>,
    /// The same in a sentence.
    pub fix: Option<String>,
    /// What came of trying each: factor, instructions, registers, occupancy.
    pub tried: Vec<String>,
    /// The factor that would be honoured where the one asked for was not, if changing it is the fix.
    pub suggested: Option<u32>,
    /// What is known about the loop: name and value, in a fixed order.
    pub facts: Vec<(&'static str, String)>,
    /// The reasoning.
    pub trail: Vec<TrailStep>,
    /// The hints that govern it.
    pub hints: Vec<HintId>,
}

/// What was done with a hint whose loop is gone in an instance of its function.
pub const NO_LOOP_LEFT: &str = "no loop is left";

/// The book of hints, and of loops.
#[derive(Clone, Default, Debug)]
pub struct Ledger {
    hints: Vec<Hint>,
    /// Whether [`LoopReport`]s and trails are wanted: making them costs time that a plain compilation does not spend.
    pub explain: bool,
    loops: Vec<LoopReport>,
    /// Which hints stand on a loop of which function, whatever becomes of the loop.
    governed: Vec<(HintId, String)>,
}

impl Ledger {
    /// Answers kept per hint: a hint in a template instantiated thousands of times stays bounded.
    pub const MAX_ANSWERS: usize = 256;

    /// Reports kept: code with more loops than this is not read by people.
    pub const MAX_LOOPS: usize = 10_000;

    /// Keeps a report, if reports are wanted.
    pub fn report_loop(&mut self, report: LoopReport) {
        if self.explain && self.loops.len() < Self::MAX_LOOPS {
            self.loops.push(report);
        }
    }

    /// Notes that a hint governs a loop of a function, if reports are wanted.
    pub fn govern(&mut self, id: HintId, function: &str) {
        if self.explain && self.governed.len() < Self::MAX_LOOPS {
            self.governed.push((id, function.to_owned()));
        }
    }

    /// Answers for the instances of a function in which nobody met the loop that a hint governs, where somebody did in
    /// others: of a template whose argument leaves no iteration.
    pub fn answer_for_vanished_loops(&mut self) {
        if self.loops.len() >= Self::MAX_LOOPS {
            return;
        }
        let mut met: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        for l in &self.loops {
            for h in &l.hints {
                met.entry(h.0).or_default().insert(&l.instance.name);
            }
        }
        let governed = std::mem::take(&mut self.governed);
        let gone = governed.into_iter().filter(|(h, f)| met.get(&h.0).is_some_and(|met| !met.contains(f.as_str())));
        for (hint, function) in gone.collect::<Vec<_>>() {
            let answer = Answer {
                fate: Fate::Unused,
                done: NO_LOOP_LEFT.to_owned(),
                reason: "it is never reached there, or never runs".to_owned(),
                function,
                place: self.hints[hint.0 as usize].span,
                trail: Vec::new(),
            };
            self.answer(hint, answer);
        }
    }

    /// The loop reports, in the order made.
    pub fn loops(&self) -> &[LoopReport] {
        &self.loops
    }

    /// The loop reports, to be amended.
    pub fn loops_mut(&mut self) -> &mut [LoopReport] {
        &mut self.loops
    }

    /// Says anew what would make the hints of a loop work.
    pub fn set_fix(&mut self, function: &str, place: Span, fix: Option<&str>) {
        let answers = self.hints.iter_mut().flat_map(|h| &mut h.answers);
        for a in answers.filter(|a| a.function == function && a.place == place) {
            match fix {
                Some(text) => a.trail.iter_mut().filter(|s| s.rule == "fix").for_each(|s| s.finding = text.to_owned()),
                None => a.trail.retain(|s| s.rule != "fix"),
            }
        }
    }

    /// Adds all hints of another ledger, with their answers, whose places move by `shift`.
    pub(crate) fn absorb(&mut self, other: &Self, shift: crate::Shift) -> crate::Shift {
        let shift = crate::Shift { hint: self.hints.len() as u32, ..shift };
        self.hints.extend(other.hints.iter().cloned().map(|mut h| {
            h.span = shift.span(h.span);
            for a in &mut h.answers {
                a.place = shift.span(a.place);
            }
            h
        }));
        shift
    }

    /// Enters a hint.
    pub fn enter(&mut self, kind: HintKind, span: Span, asked: impl Into<String>) -> HintId {
        self.hints.push(Hint { kind, span, asked: asked.into(), answers: Vec::new() });
        HintId(self.hints.len() as u32 - 1)
    }

    /// Answers a hint. The same answer for the same place and function is kept once.
    pub fn answer(&mut self, id: HintId, answer: Answer) {
        let hint = &mut self.hints[id.0 as usize];
        let same = |a: &Answer| a.place == answer.place && a.function == answer.function && a.done == answer.done;
        if hint.answers.len() < Self::MAX_ANSWERS && !hint.answers.iter().any(same) {
            hint.answers.push(answer);
        }
    }

    /// Answers a hint in brief: no function, no trail, at its own place.
    pub fn settle(&mut self, id: HintId, fate: Fate, done: impl Into<String>, reason: impl Into<String>) {
        let place = self.hints[id.0 as usize].span;
        let answer = Answer {
            fate,
            done: done.into(),
            reason: reason.into(),
            function: String::new(),
            place,
            trail: Vec::new(),
        };
        self.answer(id, answer);
    }

    /// Adds a step to the trails of a hint's answers: to all of them, or to those of one function. Where none is of that
    /// function, the first answer gets it, with the function's name.
    pub fn amend(&mut self, id: HintId, function: Option<&str>, step: TrailStep) {
        let answers = &mut self.hints[id.0 as usize].answers;
        let fits = |a: &Answer| function.is_none_or(|f| a.function == f);
        if answers.iter().any(fits) {
            answers.iter_mut().filter(|a| fits(a)).for_each(|a| a.trail.push(step.clone()));
        } else if let (Some(first), Some(f)) = (answers.first_mut(), function) {
            first.trail.push(TrailStep { finding: format!("in `{f}`: {}", step.finding), ..step });
        }
    }

    /// The hint `id`.
    pub fn hint(&self, id: HintId) -> &Hint {
        &self.hints[id.0 as usize]
    }

    /// All hints, in the order entered.
    pub fn iter(&self) -> impl Iterator<Item = (HintId, &Hint)> {
        self.hints.iter().enumerate().map(|(i, h)| (HintId(i as u32), h))
    }

    /// Hints that nobody answered.
    pub fn unanswered(&self) -> impl Iterator<Item = HintId> {
        self.iter().filter(|(_, h)| h.answers.is_empty()).map(|(id, _)| id)
    }

    /// Number of hints.
    pub fn len(&self) -> usize {
        self.hints.len()
    }

    /// Whether there are no hints.
    pub fn is_empty(&self) -> bool {
        self.hints.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fate_is_the_least_fulfilled_place() {
        let mut l = Ledger::default();
        let h = l.enter(HintKind::Unroll, Span::NONE, "#pragma unroll");
        assert_eq!(l.unanswered().count(), 1);
        l.settle(h, Fate::Unused, "nothing", "never called");
        assert_eq!(l.hint(h).fate(), Some(Fate::Unused));
        l.settle(h, Fate::Honoured, "unrolled", "");
        l.settle(h, Fate::Refused, "kept", "");
        assert_eq!(l.hint(h).fate(), Some(Fate::Refused));
        assert_eq!(l.unanswered().count(), 0);
    }
}
