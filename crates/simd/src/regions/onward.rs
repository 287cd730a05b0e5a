//! Where the work-items that do not return meet again.
//!
//! A barrier behind a branch says nothing about the branch where all ways that go on lead to that barrier: with
//! `if (a) …; else if (b) …; else return; barrier();` who comes to the barrier may have gone either of the first two ways.
//! So post-dominators are asked for as if only the whole group could end: among the blocks from which a cut can be reached,
//! which a branch leaves where it goes the same way for all. (A loop of barriers ends so, too.) Such a branch is the
//! group's only where the whole group comes by. With `if (a) …; else if (same for all) …; else return; barrier();` those for whom
//! `a` holds go on when the others return: no end of the group is between a branch that parts it and where it meets, as far as
//! no cut comes first, and where they meet follows from where it ends. That is settled by leaving out ends until all that
//! remain are the group's.

use super::prepare::Prepared;
use analysis::{Cfg, PostDomTree};
use cranelift_entity::SecondaryMap;
use ir::{Block, Function};

/// Immediate post-dominators among the blocks from which a cut can be reached.
pub(super) struct Onward<'a> {
    /// What the blocks have that are not in `number`: none of their ways ends at a last cut.
    all: &'a PostDomTree,
    /// Places of the blocks in `order`, from 1.
    number: SecondaryMap<Block, usize>,
    /// Blocks in a post-order of the reversed graph, which begins at its ends.
    order: Vec<Block>,
    /// Of each of them the immediate post-dominator's number; one more than the last number for none.
    up: Vec<usize>,
    /// Blocks that only a part of the group may come by.
    parted: SecondaryMap<Block, bool>,
}

impl<'a> Onward<'a> {
    /// Of the blocks that `reaches` has. Costs the graph once more for each end that is not the group's, and for each
    /// divergent branch what lies between it and where its ways meet.
    pub(super) fn new(
        p: &Prepared,
        cfg: &Cfg,
        all: &'a PostDomTree,
        reaches: &SecondaryMap<Block, bool>,
        is_divergent: impl Fn(Block) -> bool,
    ) -> Self {
        let leaves = |b: Block| reaches[b] && p.func.succs(b).any(|s| !reaches[s]) && !is_divergent(b);
        let mut ends: SecondaryMap<Block, bool> = SecondaryMap::new();
        cfg.rpo().iter().for_each(|&b| ends[b] = leaves(b));
        loop {
            let mut this = Self::with_ends(&p.func, cfg, all, reaches, &ends);
            this.part(p, cfg, reaches, &is_divergent);
            let mut changed = false;
            for &b in cfg.rpo().iter().filter(|&&b| this.parted[b]) {
                changed |= std::mem::replace(&mut ends[b], false);
            }
            if !changed {
                return this;
            }
        }
    }

    /// Where the whole group may end in the blocks of `ends`.
    fn with_ends(
        func: &Function,
        cfg: &Cfg,
        all: &'a PostDomTree,
        reaches: &SecondaryMap<Block, bool>,
        ends: &SecondaryMap<Block, bool>,
    ) -> Self {
        let parted = SecondaryMap::new();
        let mut this = Self { all, number: SecondaryMap::new(), order: Vec::new(), up: Vec::new(), parted };
        let onward = |b: Block| func.succs(b).filter(|&s| reaches[s]);
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        for &b in cfg.rpo() {
            if reaches[b] && (ends[b] || onward(b).next().is_none()) && !seen[b] {
                this.number_from(cfg, b, reaches, &mut seen);
            }
        }
        let none = this.order.len() + 1;
        this.up = vec![0; none + 1];
        this.up[none] = none;
        let mut changed = true;
        while changed {
            changed = false;
            for at in (1..none).rev() {
                let b = this.order[at - 1];
                let known = onward(b).map(|s| this.number[s]).filter(|&n| n != 0 && this.up[n] != 0);
                let new = known.chain(ends[b].then_some(none)).reduce(|x, y| this.common(x, y)).unwrap_or(none);
                changed |= std::mem::replace(&mut this.up[at], new) != new;
            }
        }
        this
    }

    /// Finds what only a part of the group may come by: what lies between a divergent branch and where its ways meet, or the
    /// next cut.
    fn part(
        &mut self,
        p: &Prepared,
        cfg: &Cfg,
        reaches: &SecondaryMap<Block, bool>,
        is_divergent: impl Fn(Block) -> bool,
    ) {
        let onward = |b: Block| p.func.succs(b).filter(|&s| reaches[s]);
        // Who was at a block last.
        let mut last: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        for &d in cfg.rpo().iter().filter(|&&d| reaches[d] && is_divergent(d)) {
            if onward(d).count() < 2 {
                continue;
            }
            let end = self.ipdom(d);
            let mut stack: Vec<Block> = onward(d).collect();
            while let Some(b) = stack.pop() {
                if Some(b) == end || last[b] == Some(d) {
                    continue;
                }
                last[b] = Some(d);
                self.parted[b] = true;
                if p.cut[b].is_none() {
                    stack.extend(onward(b));
                }
            }
        }
    }

    /// Numbers what leads to `end`.
    fn number_from(
        &mut self,
        cfg: &Cfg,
        end: Block,
        reaches: &SecondaryMap<Block, bool>,
        seen: &mut SecondaryMap<Block, bool>,
    ) {
        let mut stack = vec![(end, 0)];
        seen[end] = true;
        while let Some((b, n)) = stack.last_mut() {
            let Some(edge) = cfg.preds(*b).get(*n) else {
                self.order.push(*b);
                self.number[*b] = self.order.len();
                stack.pop();
                continue;
            };
            *n += 1;
            if reaches[edge.from] && !std::mem::replace(&mut seen[edge.from], true) {
                stack.push((edge.from, 0));
            }
        }
    }

    /// The first that follows both.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            if a < b {
                a = self.up[a];
            } else {
                b = self.up[b];
            }
        }
        a
    }

    /// Whether each way from a block may end for some work-items alone, so that nothing is known of where they meet.
    pub(super) fn is_endless(&self, b: Block) -> bool {
        self.number[b] == 0
    }

    /// Whether only a part of the group may come by a block.
    pub(super) fn is_parted(&self, b: Block) -> bool {
        self.parted[b]
    }

    /// The block through which all ways of `b` to the last cut lead next; none if there is none before the end.
    pub(super) fn ipdom(&self, b: Block) -> Option<Block> {
        match self.number[b] {
            0 => self.all.ipdom(b),
            n => self.order.get(self.up[n] - 1).copied(),
        }
    }
}
