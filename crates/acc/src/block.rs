//! Threads of a block on GPUs: what `num_workers` and `vector_length` of a construct, `worker(n)` and `vector(n)` of a loop ask
//! for. On processors a group has what fills vectors, whatever is asked.
//!
//! A block of a nest of loops may have threads in the last loop but one, too: as many as a `tile` says, or the sizes of these loops' own
//! `worker` and `vector` clauses, or, unasked, where neighbours in that loop use the same memory (a panel of a product, the lines of a
//! transposition): the block's threads read it together then, out of the processor's cache.

use crate::constant;
use crate::loops::CountedLoop;
use crate::region::Cx;
use crate::scope::{Site, VarId};
use directives::{ClauseKind, Kind};

/// Threads of a warp.
pub(crate) const WARP: u32 = 32;
/// Most threads of a block.
const MOST: u32 = 1024;
/// If nobody asks.
const USUAL: Block = Block { workers: 1, vector: 128, rows: 1 };
/// A block whose neighbours in both dimensions use the same memory: 8 numbers of 4 bytes are a sector of a line.
const SQUARE: Block = Block { workers: 1, vector: WARP, rows: 8 };

impl Default for Block {
    fn default() -> Self {
        USUAL
    }
}

/// A block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// Workers of a gang.
    workers: u32,
    /// Lanes of a worker.
    vector: u32,
    /// Threads in the second dimension.
    rows: u32,
}

/// Threads of a block in the last loop of a nest and in the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tile {
    pub(crate) across: u32,
    pub(crate) down: u32,
}

impl Block {
    /// Its threads.
    pub(crate) fn threads(self) -> u32 {
        self.across() * self.rows
    }

    /// Its workers.
    pub(crate) fn workers(self) -> u32 {
        self.workers * self.rows
    }

    /// Lanes of a worker.
    pub(crate) fn vector(self) -> u32 {
        self.vector
    }

    /// Its threads in the first dimension.
    pub(crate) fn across(self) -> u32 {
        self.workers * self.vector
    }

    /// Its threads in the second dimension.
    pub(crate) fn rows(self) -> u32 {
        self.rows
    }

    /// Its threads in both dimensions.
    pub(crate) fn tile(self) -> Tile {
        Tile { across: self.across(), down: self.rows }
    }

    /// A block of so many threads, in one dimension.
    fn flat(tile: Tile) -> Self {
        Self { workers: 1, vector: tile.across * tile.down, rows: 1 }
    }

    /// What was asked, as far as GPUs have it: whole warps, and not too many.
    fn of(workers: Option<u32>, vector: Option<u32>) -> Self {
        let vector = match (workers, vector) {
            (None, None) => return USUAL,
            (_, Some(n)) => n,
            (Some(_), None) => WARP,
        };
        let vector = vector.clamp(1, MOST).next_multiple_of(WARP);
        Self { workers: workers.unwrap_or(1).clamp(1, MOST / vector), vector, rows: 1 }
    }

    /// A block of so many threads in each of two dimensions, as far as GPUs have it.
    fn of_tile(vector: u32, rows: u32) -> Self {
        let vector = vector.clamp(1, MOST);
        let rows = rows.clamp(1, MOST / vector);
        match (vector * rows).is_multiple_of(WARP) {
            true => Self { workers: 1, vector, rows },
            false => {
                let vector = vector.next_multiple_of(WARP);
                Self { workers: 1, vector, rows: rows.clamp(1, MOST / vector) }
            }
        }
    }

    /// In the words of `-Minfo`, where gangs and threads share a loop.
    pub(crate) fn words(self) -> String {
        let workers = if self.workers > 1 { format!(", worker({})", self.workers) } else { String::new() };
        format!("{workers}, vector({})", self.vector)
    }

    /// The least number of work-items that are whole blocks and whole groups of processors.
    pub(crate) fn whole(self) -> u32 {
        let (block, local) = (self.threads(), crate::kernel::LOCAL);
        (1..).map(|n| n * block).find(|n| n % local == 0).unwrap_or(block * local)
    }
}

impl Cx<'_> {
    /// The block of a nest of loops: the innermost that says something decides, then the construct.
    pub(crate) fn block(&self, loops: &[CountedLoop]) -> Block {
        let starts: Vec<usize> = loops.iter().map(|l| l.range.start).collect();
        let on_loop = |site: &&Site| {
            let at = site.target.map(|t| self.unit.range(self.unit.ast[crate::loops::plain(self.unit, t)].span).start);
            matches!(site.directive.kind, Kind::Loop | Kind::For) && at.is_some_and(|at| starts.contains(&at))
        };
        let of_loops: Vec<&Site> = self.scopes.sites.iter().filter(on_loop).collect();
        let mut sites = of_loops.into_iter().rev().chain([&self.scopes.sites[self.site]]);
        let asked = |kinds: [ClauseKind; 2], site: &Site| kinds.into_iter().find_map(|k| self.number(site, k));
        let workers = sites.clone().find_map(|s| asked([ClauseKind::Worker, ClauseKind::NumWorkers], s));
        let vector = sites.find_map(|s| asked([ClauseKind::Vector, ClauseKind::VectorLength], s));
        Block::of(workers, vector)
    }

    /// The block of a nest of loops, whose iterations are the dimensions of its launch.
    pub(crate) fn block_of_nest(
        &self,
        loops: &[CountedLoop],
        privates: &[VarId],
        reductions: &[(String, VarId)],
    ) -> Block {
        let one = self.block(loops);
        if !self.gpu || self.checked || loops.len() < 2 {
            return one;
        }
        match self.asked_tile(loops) {
            Some(block) => block,
            None if one == USUAL && !self.has_cache(loops) && self.share_columns(loops, privates, reductions) => SQUARE,
            None => one,
        }
    }

    /// The block of a nest of loops whose iterations blocks share, one after another, and its threads in the last two loops, where the
    /// program says how many.
    pub(crate) fn block_of_shared(&self, loops: &[CountedLoop]) -> (Block, Option<Tile>) {
        match self.asked_tile(loops).filter(|_| self.gpu && !self.checked) {
            Some(block) => (Block::flat(block.tile()), Some(block.tile())),
            None => (self.block(loops), None),
        }
    }

    /// The block that the program says a nest has, in two dimensions.
    fn asked_tile(&self, loops: &[CountedLoop]) -> Option<Block> {
        let [.., down, across] = loops else { return None };
        let construct = &self.scopes.sites[self.site];
        // The size that a loop's clause has, or its construct.
        let size = |l: &CountedLoop, [own, of_construct]: [ClauseKind; 2]| {
            let on_it = |s: &&Site| {
                s.directive.kind.is_of_loop()
                    && s.target.is_some_and(|t| crate::loops::plain(self.unit, t) == l.stmt)
                    && s.directive.has(own)
            };
            let site = self.scopes.sites.iter().find(on_it)?;
            self.number(site, own).or_else(|| self.number(construct, of_construct))
        };
        let vector = [ClauseKind::Vector, ClauseKind::VectorLength];
        let worker = [ClauseKind::Worker, ClauseKind::NumWorkers];
        let down = || size(down, [ClauseKind::Vector; 2]).or_else(|| size(down, worker));
        let (x, y) = self.tile_of(loops).or_else(|| size(across, vector).zip(down()))?;
        Some(Block::of_tile(x, y))
    }

    /// What `tile` says of the last loop of a nest and the one before it, where both are constants. Its first size is that of the loop
    /// that is innermost in the text (OpenACC 3.4, 2.9.8).
    fn tile_of(&self, loops: &[CountedLoop]) -> Option<(u32, u32)> {
        let [.., down, across] = loops else { return None };
        let outer = loops.iter().min_by_key(|l| l.range.start)?;
        let on_nest = |s: &&Site| {
            s.directive.has(ClauseKind::Tile)
                && s.target.is_some_and(|t| crate::loops::plain(self.unit, t) == outer.stmt)
        };
        let site = self.scopes.sites.iter().find(on_nest)?;
        let sizes = &site.directive.clause(ClauseKind::Tile)?.operands;
        let size = |l: &CountedLoop| {
            // Loops inside of what the clause counts have no size.
            let depth = loops.iter().filter(|o| o.range.start < l.range.start).count();
            let operand = sizes.get(sizes.len().checked_sub(depth + 1)?)?;
            let n = constant::of_operand(self.unit, self.scopes, site, &operand.text)?;
            u32::try_from(n).ok().filter(|&n| n > 0)
        };
        size(across).zip(size(down))
    }

    /// The constant that a clause has.
    fn number(&self, site: &Site, kind: ClauseKind) -> Option<u32> {
        let operand = site.directive.clause(kind)?.operands.first()?;
        let n = constant::of_operand(self.unit, self.scopes, site, &operand.text)?;
        u32::try_from(n).ok().filter(|&n| n > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, USUAL};

    #[test]
    fn blocks_are_whole_warps_and_not_too_large() {
        let threads = |w, v| Block::of(w, v).threads();
        assert_eq!(Block::of(None, None), USUAL);
        assert_eq!(threads(None, Some(256)), 256);
        assert_eq!(threads(None, Some(1)), 32);
        assert_eq!(threads(None, Some(100)), 128);
        assert_eq!(threads(None, Some(u32::MAX)), 1024);
        assert_eq!(threads(Some(4), None), 128);
        assert_eq!(threads(Some(8), Some(64)), 512);
        assert_eq!(threads(Some(100), Some(512)), 1024);
        assert_eq!(Block::of(Some(3), Some(32)).words(), ", worker(3), vector(32)");
        let tile = |x, y| (Block::of_tile(x, y).across(), Block::of_tile(x, y).rows());
        assert_eq!([tile(16, 16), tile(32, 4), tile(8, 1), tile(7, 5)], [(16, 16), (32, 4), (32, 1), (32, 5)]);
        assert_eq!([tile(64, 64), tile(u32::MAX, 9), tile(1, u32::MAX)], [(64, 16), (1024, 1), (1, 1024)]);
    }

    #[test]
    fn shared_iterations_fill_blocks_and_groups() {
        let whole = |w, v| Block::of(w, v).whole();
        assert_eq!(whole(None, None), 128);
        assert_eq!(whole(None, Some(32)), 64);
        assert_eq!(whole(Some(3), Some(32)), 192);
        assert_eq!(whole(Some(31), Some(32)), 1984);
    }
}
