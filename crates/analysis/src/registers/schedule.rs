//! Orders of a region's instructions, and the registers that each needs.

use super::machine::{ARITHMETIC, Op, Reg, STATES, state};
use super::regions::Region;

/// Ready instructions among which the next is looked for.
const WINDOW: usize = 512;
/// Rounds of waiting before the one in which its result is read that arithmetic is done at the earliest.
const AHEAD: u32 = 1;
/// Cycles until the next of a chain of arithmetic can start, where it is asked what the rest of the region takes.
const CHAIN: u32 = 4;
/// Cycles in which a store may still read its registers, so that they are not given to others, as measured.
const HELD: u32 = 100;
/// Stores to device memory, up to the next barrier, until the register of what one of them stored is given to another, as measured.
const TURNS: u32 = 4;

/// Registers that are read for the last time and not given to others yet.
struct Held {
    /// Until which cycle.
    until: u32,
    /// Until which store.
    turn: u32,
    size: u32,
}

/// Counts what is live while a region runs.
struct Tally<'a> {
    sizes: &'a [u8],
    /// Reads to come, with one for what is read behind the region.
    left: Vec<u32>,
    live: Vec<bool>,
    now: u32,
    most: u32,
    /// For each register until which cycle something that takes its time may still be reading it.
    busy: Vec<u32>,
    /// Registers that are free but for that.
    held: Vec<Held>,
    /// Stores to device memory so far, a barrier counting as many as end all turns.
    stores: u32,
}

impl<'a> Tally<'a> {
    fn new(region: &'a Region) -> Self {
        let n = region.sizes.len();
        let mut this = Self {
            sizes: &region.sizes,
            left: vec![0; n],
            live: vec![false; n],
            now: 0,
            most: 0,
            busy: vec![0; n],
            held: Vec::new(),
            stores: 0,
        };
        let mut made = vec![false; n];
        for op in &region.ops {
            for &u in &op.uses {
                this.left[u as usize] += 1;
                if !made[u as usize] {
                    this.begin(u);
                }
            }
            for &d in &op.defs {
                made[d as usize] = true;
            }
        }
        for &r in &region.out {
            this.left[r as usize] += 1;
            if !made[r as usize] {
                this.begin(r);
            }
        }
        this.most = this.now;
        this
    }

    fn size(&self, r: Reg) -> u32 {
        u32::from(self.sizes[r as usize])
    }

    fn begin(&mut self, r: Reg) {
        if !std::mem::replace(&mut self.live[r as usize], true) {
            self.now += self.size(r);
        }
    }

    fn end(&mut self, r: Reg) {
        if std::mem::replace(&mut self.live[r as usize], false) {
            self.now -= self.size(r);
        }
    }

    /// Registers that an instruction is the last to read.
    fn ends(&self, op: &Op) -> u32 {
        op.uses.iter().filter(|&&u| self.left[u as usize] == 1).map(|&u| self.size(u)).sum()
    }

    /// By how much an instruction changes what is live.
    fn change(&self, op: &Op) -> i64 {
        let ends = self.ends(op);
        let begins: u32 = op.defs.iter().filter(|&&d| !self.live[d as usize]).map(|&d| self.size(d)).sum();
        i64::from(begins) - i64::from(ends)
    }

    /// Counts what a store reads for a while longer, as far as `target` leaves room: `op` is about to run.
    fn hold(&mut self, op: &Op, cycle: u32, target: u32) {
        let far = op.writes & state::GLOBAL != 0 && !op.stored.is_empty();
        self.stores += if op.writes == state::ALL { TURNS } else { u32::from(far) };
        self.held.retain(|h| h.until > cycle || h.turn > self.stores);
        let most = self.now + self.held.iter().map(|h| h.size).sum::<u32>();
        self.most = self.most.max(most.min(target));
        for &u in &op.uses {
            if op.writes != 0 {
                self.busy[u as usize] = cycle + HELD;
            }
            if self.left[u as usize] == 1 && self.busy[u as usize] > cycle {
                let turn = if far && op.stored.contains(&u) { self.stores + TURNS } else { 0 };
                self.held.push(Held { until: self.busy[u as usize], turn, size: self.size(u) });
            }
        }
    }

    fn run(&mut self, op: &Op) {
        self.most = self.most.max(self.now + op.scratch);
        for &u in &op.uses {
            self.left[u as usize] -= 1;
            if self.left[u as usize] == 0 {
                self.end(u);
            }
        }
        for &d in &op.defs {
            self.begin(d);
        }
        self.most = self.most.max(self.now);
        for &d in &op.defs {
            if self.left[d as usize] == 0 {
                self.end(d);
            }
        }
    }
}

/// What has to come after what.
struct Graph {
    succs: Vec<Vec<u32>>,
    /// Predecessors that have not run.
    preds: Vec<u32>,
    /// Cycles from an instruction's start to the region's end.
    height: Vec<u32>,
    /// How many results that take long have to be waited for before an instruction can run.
    round: Vec<u32>,
    /// The first instruction in the order of the program that reads the result together with others.
    joined: Vec<u32>,
    /// The round of the first instruction that waits for something and needs this one's result.
    needed: Vec<u32>,
}

impl Graph {
    fn new(region: &Region) -> Self {
        let n = region.ops.len();
        let mut this = Self {
            succs: vec![Vec::new(); n],
            preds: vec![0; n],
            height: vec![0; n],
            round: vec![0; n],
            joined: vec![u32::MAX; n],
            needed: vec![u32::MAX; n],
        };
        let mut reads: Vec<(u32, u32)> = Vec::new();
        let mut def: Vec<Option<u32>> = vec![None; region.sizes.len()];
        // Of each kind of state, the last that wrote it and who has read it since.
        let mut written: [Option<u32>; STATES] = [None; STATES];
        let mut read: [Vec<u32>; STATES] = Default::default();
        for (at, op) in (0u32..).zip(&region.ops) {
            for &u in &op.uses {
                this.edge(def[u as usize], at);
                reads.extend(def[u as usize].map(|d| (d, at)));
            }
            for k in 0..STATES {
                let writes = op.writes >> k & 1 != 0;
                if writes || op.reads >> k & 1 != 0 {
                    this.edge(written[k], at);
                    read[k].push(at);
                }
                if writes {
                    for r in read[k].drain(..) {
                        this.edge(Some(r), at);
                    }
                    written[k] = Some(at);
                }
            }
            for &d in &op.defs {
                def[d as usize] = Some(at);
            }
        }
        for at in (0..n).rev() {
            let below = this.succs[at].iter().map(|&s| this.height[s as usize]).max().unwrap_or(0);
            this.height[at] = below + region.ops[at].latency.max(CHAIN);
        }
        for &(d, at) in reads.iter().rev() {
            let by = if region.ops[at as usize].uses.len() > 1 { at } else { this.joined[at as usize] };
            this.joined[d as usize] = this.joined[d as usize].min(by);
        }
        this.rounds(region);
        this
    }

    /// Finds [`Self::round`] and [`Self::needed`].
    fn rounds(&mut self, region: &Region) {
        for at in 0..region.ops.len() {
            let below = self.round[at] + u32::from(is_slow(&region.ops[at]));
            for &s in &self.succs[at] {
                self.round[s as usize] = self.round[s as usize].max(below);
            }
        }
        for at in (0..region.ops.len()).rev() {
            let of = |&s: &u32| match &region.ops[s as usize] {
                op if is_anchor(op) => self.round[s as usize],
                _ => self.needed[s as usize],
            };
            self.needed[at] = self.succs[at].iter().map(of).min().unwrap_or(u32::MAX);
        }
    }

    fn edge(&mut self, from: Option<u32>, to: u32) {
        let Some(from) = from.filter(|&f| f != to) else { return };
        if self.succs[from as usize].last() != Some(&to) {
            self.succs[from as usize].push(to);
            self.preds[to as usize] += 1;
        }
    }
}

/// Whether others wait for the instruction: its result takes long, or it is a barrier.
fn is_slow(op: &Op) -> bool {
    op.latency > ARITHMETIC || op.writes == state::ALL
}

/// Whether an instruction is more than arithmetic.
fn is_anchor(op: &Op) -> bool {
    op.latency > ARITHMETIC || op.reads | op.writes != 0
}

/// Cycles in which nothing else of the warp starts: memory of a group takes one instruction in two.
fn issue(op: &Op) -> u32 {
    if (op.reads | op.writes) & state::SHARED != 0 { 2 } else { 1 }
}

/// Registers that a region takes in the order of the program.
pub(super) fn as_written(region: &Region) -> u32 {
    let mut tally = Tally::new(region);
    for op in &region.ops {
        tally.run(op);
    }
    tally.most
}

/// Registers that a region takes if latencies are hidden as long as no more than `target` are live.
///
/// A list scheduler, as the assembler's: of the instructions whose operands are there, the one with the longest way to
/// the end; where registers run out, the one that frees most. Arithmetic that takes a register waits until what reads its
/// result is near.
pub(super) fn scheduled(region: &Region, target: u32) -> u32 {
    let Graph { succs, mut preds, height, round, joined, needed } = Graph::new(region);
    let mut current = 0;
    let mut tally = Tally::new(region);
    // With the cycle in which the operands are there.
    let mut ready: Vec<(u32, u32)> =
        (0u32..).zip(&preds).filter(|&(_, &waits)| waits == 0).map(|(i, _)| (i, 0)).collect();
    let mut there = vec![0u32; region.ops.len()];
    let mut cycle = 0u32;
    loop {
        let score = |&(i, at): &(u32, u32)| {
            let op = &region.ops[i as usize];
            let change = tally.change(op);
            let after = i64::from(tally.now + op.scratch) + change;
            let over = change > 0 && after > i64::from(target);
            let pressed = over || tally.now >= target;
            let far = u32::MAX - height[i as usize];
            let late = change > 0 && !is_anchor(op) && needed[i as usize] > current + AHEAD;
            let joined = i64::from(joined[i as usize]);
            // Where nothing is free, the order of the program leads to what frees something.
            let (first, second) = match (over, pressed) {
                (true, _) => (joined, change),
                (false, true) => (change, 0),
                (false, false) => (0, 0),
            };
            (over, late, first, second, at.saturating_sub(cycle), far, i)
        };
        let Some(best) = (0..ready.len().min(WINDOW)).min_by_key(|&k| score(&ready[k])) else { break };
        let (i, at) = ready.swap_remove(best);
        let op = &region.ops[i as usize];
        tally.hold(op, cycle.max(at), target);
        tally.run(op);
        if is_slow(op) {
            current = current.max(round[i as usize] + 1);
        }
        cycle = cycle.max(at);
        let done = cycle + op.latency;
        cycle += issue(op);
        for &s in &succs[i as usize] {
            there[s as usize] = there[s as usize].max(done);
            preds[s as usize] -= 1;
            if preds[s as usize] == 0 {
                ready.push((s, there[s as usize]));
            }
        }
    }
    tally.most
}
