//! Switches. Where lanes part, who goes to a case is computed where its code begins, not where the switch stands: of a thousand
//! cases as many masks would be kept until then.
//!
//! What must hold for that: only the switch leads to the case, by one of its numbers, and both are in one loop. Who goes to
//! none of the cases is asked by runs of numbers that follow each other, or by words of bits (`tests`). Cost: linear in the cases,
//! but for sorting them.

use super::emit::Emitter;
use super::state::{Mask, Masks, Set};
use ir::{Block, Inst, IntCC, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

/// Who goes to a case, not yet computed.
pub(super) struct Case {
    /// What the switch looks at, in all cells.
    values: Masks,
    /// Its type in a cell.
    wide: Type,
    number: u64,
    /// Who is at the switch.
    mask: Option<Set>,
}

impl Emitter<'_> {
    pub(super) fn switch(&mut self, b: Block, t: Inst, mask: Option<Set>) {
        let Payload::Switch(s) = self.r.func.dfg.insts[t].payload else { return };
        let numbers: Vec<u64> = self.r.func.dfg.switches[s].cases.iter().map(|c| c.0).collect();
        if self.shapes.is_parted(b) {
            self.parting_switch(b, t, &numbers, mask);
        } else {
            self.uniform_switch(b, t, &numbers, mask);
        }
    }

    /// All lanes go the same way.
    fn uniform_switch(&mut self, b: Block, t: Inst, numbers: &[u64], mask: Option<Set>) {
        let v = self.r.func.dfg.arg(t, 0);
        let ty = self.r.func.dfg.ty(v);
        let v = self.uniform(v);
        for (n, &number) in numbers.iter().enumerate() {
            let k = self.func.dfg.bits(ty, number);
            let hit = self.icmp(IntCC::Eq, v, k);
            self.edge(b, t, n, Mask { scalar: Some(hit), lanes: mask });
        }
        let none = self.is_none_of(v, numbers);
        self.edge(b, t, numbers.len(), Mask { scalar: Some(none), lanes: mask });
    }

    fn parting_switch(&mut self, b: Block, t: Inst, numbers: &[u64], mask: Option<Set>) {
        let v = self.r.func.dfg.arg(t, 0);
        let ty = self.r.func.dfg.ty(v);
        let values = self.each_cell(|e, _| {
            let w = e.wide(v);
            e.lanes_of(&w, ty)
        });
        let wide = self.wide_type(ty);
        for (n, &number) in numbers.iter().enumerate() {
            let case = Case { values: values.clone(), wide, number, mask };
            let to = self.r.func.dfg.successor(t, n);
            if self.is_reached_here_alone(b, to) && self.r.func.dfg.branch_args(t, n).is_empty() {
                self.cases.insert(to, case);
            } else {
                let lanes = Some(self.lanes_of_case(&case));
                self.edge(b, t, n, Mask { scalar: None, lanes });
            }
        }
        let none = self.each_cell(|e, c| e.is_none_of(values[usize::from(c)], numbers));
        let lanes = Some(self.mask_and(mask, &none));
        self.edge(b, t, numbers.len(), Mask { scalar: None, lanes });
    }

    /// Whether the switch at the end of `b` leads to `to`, and nothing else, and control stays in a loop's iteration.
    fn is_reached_here_alone(&self, b: Block, to: Block) -> bool {
        self.stays(to)
            && self.needs_mask(b, to)
            && self.r.info.cfg.preds(to).len() == 1
            && self.r.loop_of(b) == self.r.loop_of(to)
    }

    /// The lanes that go to the case at `to`, if its switch has been met.
    pub(super) fn case_lanes(&mut self, to: Block) -> Option<Mask> {
        let case = self.cases.remove(&to)?;
        let lanes = Some(self.lanes_of_case(&case));
        Some(Mask { scalar: None, lanes })
    }

    fn lanes_of_case(&mut self, case: &Case) -> Set {
        let k = self.func.dfg.bits(case.wide, case.number);
        let hits = self.each_cell(|e, c| e.icmp(IntCC::Eq, case.values[usize::from(c)], k));
        self.mask_and(case.mask, &hits)
    }

    /// Whether `v` is none of the numbers, each of which is there once.
    fn is_none_of(&mut self, v: Value, numbers: &[u64]) -> Value {
        let ty = self.func.dfg.ty(v);
        let truth = ty.with_scalar(Type::I1);
        let mut none = self.func.dfg.bits(truth, 1);
        for test in tests(numbers, self.window(ty)) {
            let miss = self.misses(v, test);
            none = self.plain(Opcode::And, truth, &[none, miss]);
        }
        none
    }

    /// Whether `v` is none of the numbers of a test.
    fn misses(&mut self, v: Value, test: Test) -> Value {
        let ty = self.func.dfg.ty(v);
        match test {
            Test::Run(first, last) if first == last => {
                let k = self.func.dfg.bits(ty, first);
                self.icmp(IntCC::Ne, v, k)
            }
            Test::Run(first, last) => {
                let (start, length) =
                    (self.func.dfg.bits(ty, first.wrapping_neg()), self.func.dfg.bits(ty, last - first));
                let offset = self.plain(Opcode::Add, ty, &[v, start]);
                self.icmp(IntCC::Ugt, offset, length)
            }
            Test::Bits(first, numbers) => {
                let bits = |e: &mut Self, n| e.func.dfg.bits(ty, n);
                let (start, numbers) = (bits(self, first.wrapping_neg()), bits(self, numbers));
                let (zero, one) = (bits(self, 0), bits(self, 1));
                let offset = self.plain(Opcode::Add, ty, &[v, start]);
                // Shifted by the width or more, nothing is left.
                let shifted = self.plain(Opcode::LShr, ty, &[numbers, offset]);
                let bit = self.plain(Opcode::And, ty, &[shifted, one]);
                self.icmp(IntCC::Eq, bit, zero)
            }
        }
    }

    /// How many numbers a word has bits for that each lane can shift by its own amount; 0 if machines cannot.
    fn window(&self, ty: Type) -> u32 {
        let bits = ty.scalar().bits();
        // AVX2 has both, shifts of each lane by its own amount and masks for what is in memory.
        let shifts = !ty.is_vector() || self.masked_rows;
        if shifts && matches!(bits, 32 | 64) { bits } else { 0 }
    }
}

/// A test whether something is one of a few numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Test {
    /// All from the first to the last.
    Run(u64, u64),
    /// The first one, and those as far behind it as bits of the word say.
    Bits(u64, u64),
}

/// Fewest runs of numbers for which a word of bits is less than their comparisons.
const MIN_RUNS: usize = 6;

/// What to test for numbers: runs of those that follow each other, or words of `window` bits where these say it with less.
fn tests(numbers: &[u64], window: u32) -> Vec<Test> {
    let runs = runs(numbers);
    let mut tests = Vec::new();
    let mut rest = runs.as_slice();
    while let Some(&(first, last)) = rest.first() {
        let fits = |&&(_, last): &&(u64, u64)| last - first < u64::from(window);
        let n = rest.iter().take_while(fits).count();
        if n >= MIN_RUNS {
            let bits = |&(from, to): &(u64, u64)| (from..=to).fold(0, |word, k| word | 1 << (k - first));
            tests.push(Test::Bits(first, rest[..n].iter().map(bits).fold(0, |a, b| a | b)));
            rest = &rest[n..];
        } else {
            tests.push(Test::Run(first, last));
            rest = &rest[1..];
        }
    }
    tests
}

/// The first and the last of numbers that follow each other.
fn runs(numbers: &[u64]) -> SmallVec<[(u64, u64); 4]> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let mut runs: SmallVec<[(u64, u64); 4]> = SmallVec::new();
    for n in sorted {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(n) => *last = n,
            _ => runs.push((n, n)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::{Test, runs, tests};

    #[test]
    fn numbers_close_to_each_other_are_bits_of_a_word() {
        let odd: Vec<u64> = (0..8).map(|n| 2 * n + 100).collect();
        assert_eq!(tests(&odd, 32), [Test::Bits(100, 0x5555)]);
        assert_eq!(tests(&odd, 0).len(), 8);
        assert_eq!(tests(&odd[..5], 32).len(), 5);
        let far: Vec<u64> = (0..8).map(|n| 100 * n).collect();
        assert_eq!(tests(&far, 64).len(), 8);
        let wide: Vec<u64> = (0..12).map(|n| 6 * n).collect();
        assert_eq!(tests(&wide, 64), [Test::Bits(0, 0x1041_0410_4104_1041), Test::Run(66, 66)]);
    }

    #[test]
    fn numbers_that_follow_each_other_are_one_run() {
        assert_eq!(runs(&[3, 1, 2, 9, u64::MAX, 8]).as_slice(), [(1, 3), (8, 9), (u64::MAX, u64::MAX)]);
        assert!(runs(&[]).is_empty());
    }
}
