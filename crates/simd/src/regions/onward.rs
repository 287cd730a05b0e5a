//! Where the work-items that do not return meet again.
//!
//! A barrier behind a branch says nothing about the branch where all ways that go on lead to that barrier: with
//! `if (a) …; else if (b) …; else return; barrier();` who comes to the barrier may have gone either of the first two ways.
//! So post-dominators are asked for as if only the whole group could end: among the blocks from which a cut can be reached, which a
//! branch leaves where it goes the same way for all. (A loop of barriers ends so, too.)

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
}

impl<'a> Onward<'a> {
    /// Of the blocks that `reaches` has.
    pub(super) fn new(
        func: &Function,
        cfg: &Cfg,
        all: &'a PostDomTree,
        reaches: &SecondaryMap<Block, bool>,
        is_divergent: impl Fn(Block) -> bool,
    ) -> Self {
        let mut this = Self { all, number: SecondaryMap::new(), order: Vec::new(), up: Vec::new() };
        let onward = |b: Block| func.succs(b).filter(|&s| reaches[s]);
        // The group may end here.
        let ends_all = |b: Block| func.succs(b).any(|s| !reaches[s]) && !is_divergent(b);
        let ends: Vec<Block> = { cfg.rpo().iter().copied() }
            .filter(|&b| reaches[b] && (ends_all(b) || onward(b).next().is_none()))
            .collect();
        let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
        for &end in &ends {
            if !seen[end] {
                this.number_from(cfg, end, reaches, &mut seen);
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
                let new = known.chain(ends_all(b).then_some(none)).reduce(|x, y| this.common(x, y)).unwrap_or(none);
                changed |= std::mem::replace(&mut this.up[at], new) != new;
            }
        }
        this
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

    /// The block through which all ways of `b` to the last cut lead next; none if there is none before the end.
    pub(super) fn ipdom(&self, b: Block) -> Option<Block> {
        match self.number[b] {
            0 => self.all.ipdom(b),
            n => self.order.get(self.up[n] - 1).copied(),
        }
    }
}
