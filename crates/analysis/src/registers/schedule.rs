//! Orders of a region's instructions, and the registers that each needs.

use super::machine::{Op, Reg, STATES};
use super::regions::Region;

/// Ready instructions among which the next is looked for.
const WINDOW: usize = 512;

/// Counts what is live while a region runs.
struct Tally<'a> {
    sizes: &'a [u8],
    /// Reads to come, with one for what is read behind the region.
    left: Vec<u32>,
    live: Vec<bool>,
    now: u32,
    most: u32,
}

impl<'a> Tally<'a> {
    fn new(region: &'a Region) -> Self {
        let n = region.sizes.len();
        let mut this = Self { sizes: &region.sizes, left: vec![0; n], live: vec![false; n], now: 0, most: 0 };
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

    /// By how much an instruction changes what is live.
    fn change(&self, op: &Op) -> i64 {
        let ends: u32 = op.uses.iter().filter(|&&u| self.left[u as usize] == 1).map(|&u| self.size(u)).sum();
        let begins: u32 = op.defs.iter().filter(|&&d| !self.live[d as usize]).map(|&d| self.size(d)).sum();
        i64::from(begins) - i64::from(ends)
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
}

impl Graph {
    fn new(region: &Region) -> Self {
        let n = region.ops.len();
        let mut this = Self { succs: vec![Vec::new(); n], preds: vec![0; n], height: vec![0; n] };
        let mut def: Vec<Option<u32>> = vec![None; region.sizes.len()];
        // Of each kind of state, the last that wrote it and who has read it since.
        let mut written: [Option<u32>; STATES] = [None; STATES];
        let mut read: [Vec<u32>; STATES] = Default::default();
        for (at, op) in (0u32..).zip(&region.ops) {
            for &u in &op.uses {
                this.edge(def[u as usize], at);
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
            this.height[at] = below + region.ops[at].latency;
        }
        this
    }

    fn edge(&mut self, from: Option<u32>, to: u32) {
        let Some(from) = from.filter(|&f| f != to) else { return };
        if self.succs[from as usize].last() != Some(&to) {
            self.succs[from as usize].push(to);
            self.preds[to as usize] += 1;
        }
    }
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
/// the end; where registers run out, the one that frees most.
pub(super) fn scheduled(region: &Region, target: u32) -> u32 {
    let Graph { succs, mut preds, height } = Graph::new(region);
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
            let needed = i64::from(tally.now + op.scratch) + change;
            let over = change > 0 && needed > i64::from(target);
            let pressed = over || tally.now >= target;
            let far = u32::MAX - height[i as usize];
            (over, if pressed { change } else { 0 }, at.saturating_sub(cycle), far, i)
        };
        let Some(best) = (0..ready.len().min(WINDOW)).min_by_key(|&k| score(&ready[k])) else { break };
        let (i, at) = ready.swap_remove(best);
        let op = &region.ops[i as usize];
        tally.run(op);
        cycle = cycle.max(at);
        let done = cycle + op.latency;
        cycle += 1;
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
