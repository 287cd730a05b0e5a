//! Divides a prepared kernel into regions.
//!
//! There are two ways. The **static** one keeps the branches that decide about cuts in the work-group function: every
//! work-item takes them the same way, because the analysis says so or because a barrier lies behind them that all must
//! reach. Regions are then dominated by their entries and share no block. Work-items that return early are
//! marked and skip the regions that follow.
//!
//! The **dynamic** one is for cuts that only some work-items reach (a shuffle under `if (warp == 0)`). A region is all
//! that follows a cut up to the next ones; every work-item keeps the number of the cut at which it waits, and the
//! function runs the region of the lowest number that somebody waits at. Numbers follow the order of the code, barriers
//! after all warp operations, so that whoever can still join is waited for. Blocks may belong to several regions. Where
//! work-items wait for what others do (`yield`), those cuts come first and take turns (`turns.rs`).

use super::onward::Onward;
use super::prepare::{Prepared, is_barrier, unsupported};
use crate::Unsupported;
use analysis::{Among, Liveness, LoopInfo, PostDomTree, Uniformity};
use cranelift_entity::SecondaryMap;
use ir::edit::{Passing, split_edge};
use ir::{Block, Edge, Function, Intrinsic, Opcode};

/// Most blocks of all regions together when blocks are copied into several.
const MAX_COPIES: usize = 20_000;

/// What is known about the prepared kernel.
pub(super) struct Analyses {
    pub(super) info: LoopInfo,
    pub(super) post: PostDomTree,
    pub(super) uniform: Uniformity,
    pub(super) live: Liveness,
}

impl Analyses {
    pub(super) fn new(func: &Function) -> Self {
        let info = LoopInfo::new(func);
        let post = PostDomTree::new(func, &info.cfg, &info.loops);
        let uniform = Uniformity::new(func, &info, &post, Among::Group, true);
        let live = Liveness::new(func, &info.cfg);
        Self { info, post, uniform, live }
    }
}

/// Which way a kernel is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Static,
    Dynamic,
}

/// Where the work-items go that do not return.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Nobody is left.
    Return,
    /// To the entry of another region, by these edges (block, number of the successor).
    Leader(Block, Vec<(Block, usize)>),
    /// Past the cut at the end of this block.
    Cut(Block),
    /// Where this block's branch says, the same for all.
    Branch(Block),
    /// To whatever cuts they reach.
    Dynamic,
}

/// A region: what work-items do between cuts.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) entry: Block,
    /// In an order in which definitions come before uses; the entry first.
    pub(super) blocks: Vec<Block>,
    pub(super) end: End,
    /// Some work-items may return while others go on.
    pub(super) leaves: bool,
    /// The block at whose end stands the cut before the entry.
    pub(super) after: Option<Block>,
    /// What a work-item's state says when it waits to go on here; 0 for the kernel's entry.
    pub(super) key: u32,
}

/// A kernel's regions.
pub(super) struct Regions {
    pub(super) mode: Mode,
    pub(super) regions: Vec<Region>,
    /// The region whose entry a block is.
    pub(super) led_by: SecondaryMap<Block, Option<u32>>,
    /// Work-items may have returned when a region begins.
    pub(super) leaves: bool,
    /// How many regions follow a `yield`, numbered from 1, and how many a warp operation, which are the next ones.
    pub(super) turns: [u32; 2],
}

/// Divides. May split edges.
///
/// # Errors
/// Too many copies would be needed.
pub(super) fn divide(p: &mut Prepared) -> Result<(Regions, Analyses), Unsupported> {
    loop {
        let facts = Analyses::new(&p.func);
        let decided = if p.yields { None } else { decide(p, &facts) };
        let Some(branches) = decided else {
            let plan = dynamic(p, &facts)?;
            return Ok((plan, facts));
        };
        if split_edges(&mut p.func, &facts, &branches) {
            continue;
        }
        let plan = match fixed(p, &facts, &branches) {
            Some(plan) => plan,
            None => dynamic(p, &facts)?,
        };
        return Ok((plan, facts));
    }
}

/// Blocks whose branches are those of the work-group function.
type Branches = SecondaryMap<Block, bool>;

/// Sorts the branches that decide whether a cut is reached; `None` if only some work-items may reach one.
fn decide(p: &Prepared, facts: &Analyses) -> Option<Branches> {
    let cfg = &facts.info.cfg;
    let mut out = Branches::new();
    let reaches = reaching_cuts(p, facts);
    let onward = Onward::new(p, cfg, &facts.post, &reaches, |b| facts.uniform.is_divergent_branch(b));
    let decides = deciding(p, facts, |b| facts.post.ipdom(b));
    // The same for who does not return.
    let parts = deciding(p, facts, |b| onward.ipdom(b));
    let has_cut = |b: Block| {
        let mut l = facts.info.loops.innermost(b);
        std::iter::from_fn(move || {
            let now = l?;
            l = facts.info.loops.parent(now);
            Some(now)
        })
        .all(|l| facts.info.loops.data(l).blocks.iter().any(|&x| p.cut[x].is_some()))
    };
    for &b in cfg.rpo() {
        if p.func.succs(b).len() < 2 || decides[b] == 0 {
            continue;
        }
        let mut ways: Vec<Block> = p.func.succs(b).filter(|&s| reaches[s]).collect();
        let leaving = ways.len() < p.func.succs(b).len();
        ways.dedup();
        let leaving = leaving && ways.len() == 1;
        let uniform = !facts.uniform.is_divergent_branch(b);
        if uniform && if onward.is_parted(b) { parts[b] != 0 } else { !leaving || has_cut(b) } {
            out[b] = true;
        } else if !leaving && parts[b] != 0 {
            if parts[b] & 2 == 0 || onward.is_endless(b) {
                return None;
            }
            out[b] = true;
        }
    }
    Some(out)
}

/// What each block's branch decides about: 1 for any cut, 2 for a barrier. Control dependence, from the cuts back.
fn deciding(p: &Prepared, facts: &Analyses, ipdom: impl Fn(Block) -> Option<Block>) -> SecondaryMap<Block, u8> {
    let cfg = &facts.info.cfg;
    let barrier_at =
        |b: Block| p.cut[b].expand().is_some_and(|i| p.func.dfg.insts[i].intrinsic().is_some_and(is_barrier));
    let mut decides: SecondaryMap<Block, u8> = SecondaryMap::new();
    for &b in cfg.rpo() {
        decides[b] = u8::from(p.cut[b].is_some()) | u8::from(barrier_at(b)) << 1;
    }
    loop {
        let mut changed = false;
        for b in cfg.post_order() {
            if p.func.succs(b).len() < 2 {
                continue;
            }
            let end = ipdom(b);
            let mut bits = decides[b];
            for s in p.func.succs(b) {
                let mut at = Some(s);
                while let Some(x) = at.filter(|&x| Some(x) != end) {
                    bits |= decides[x];
                    at = ipdom(x);
                }
            }
            changed |= bits != decides[b];
            decides[b] = bits;
        }
        if !changed {
            return decides;
        }
    }
}

/// Blocks from which a cut can be reached.
fn reaching_cuts(p: &Prepared, facts: &Analyses) -> SecondaryMap<Block, bool> {
    let mut reaches: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut stack: Vec<Block> = facts.info.cfg.rpo().iter().copied().filter(|&b| p.cut[b].is_some()).collect();
    while let Some(b) = stack.pop() {
        if !std::mem::replace(&mut reaches[b], true) {
            stack.extend(facts.info.cfg.preds(b).iter().map(|e| e.from));
        }
    }
    reaches
}

/// Gives each successor of a branch of the group a block of its own; whether there was something to do.
fn split_edges(func: &mut Function, facts: &Analyses, branches: &Branches) -> bool {
    let mut changed = false;
    for &b in facts.info.cfg.rpo() {
        if !branches[b] {
            continue;
        }
        let t = func.layout.terminator(b);
        for n in 0..func.dfg.successor_count(t) {
            let s = func.dfg.successor(t, n);
            if facts.info.cfg.preds(s).len() > 1 || !func.dfg.params(s).is_empty() {
                split_edge(func, Edge { from: b, inst: t, index: n as u32 }, b, Passing::Direct);
                // The back edge, if it was one, is another's now; the group's loops need no metadata.
                func.dfg.set_loop_md(t, None);
                changed = true;
            }
        }
    }
    changed
}

/// The static way; `None` if a region has no single end.
fn fixed(p: &Prepared, facts: &Analyses, branches: &Branches) -> Option<Regions> {
    let (func, cfg) = (&p.func, &facts.info.cfg);
    let mut leader: SecondaryMap<Block, bool> = SecondaryMap::new();
    leader[cfg.entry()] = true;
    for &b in cfg.rpo() {
        if p.cut[b].is_some() || branches[b] {
            func.succs(b).for_each(|s| leader[s] = true);
        }
    }
    let region_of = assign(cfg, &mut leader);
    let mut plan =
        Regions { mode: Mode::Static, regions: Vec::new(), led_by: SecondaryMap::new(), leaves: false, turns: [0; 2] };
    for &b in cfg.rpo().iter().filter(|&&b| leader[b]) {
        plan.led_by[b] = Some(plan.regions.len() as u32);
        let after = cfg.single_pred(b).map(|e| e.from).filter(|&f| p.cut[f].is_some());
        let region = Region { entry: b, blocks: Vec::new(), end: End::Return, leaves: false, after, key: 0 };
        plan.regions.push(region);
    }
    for &b in cfg.rpo() {
        let r = plan.led_by[region_of[b]?]? as usize;
        let region = &mut plan.regions[r];
        region.blocks.push(b);
        region.leaves |= func.dfg.op(func.layout.terminator(b)) == Opcode::Return && !traps(func, b);
        if p.cut[b].is_some() {
            end_with(region, End::Cut(b))?;
            continue;
        }
        if branches[b] {
            end_with(region, End::Branch(b))?;
            continue;
        }
        for (n, s) in func.succs(b).enumerate().filter(|(_, s)| leader[*s]) {
            end_with(region, End::Leader(s, vec![(b, n)]))?;
        }
    }
    for r in &mut plan.regions {
        // Whoever leaves returns in the same region; those of a region that only returns are the last.
        r.leaves &= !matches!(r.end, End::Return);
        plan.leaves |= r.leaves;
    }
    Some(plan)
}

/// Whether a block stops the kernel: then nothing follows for anybody.
fn traps(func: &Function, b: Block) -> bool {
    func.layout.insts_rev(b).any(|i| func.dfg.insts[i].intrinsic() == Some(ir::Intrinsic::Trap))
}

/// The entry of each block's region; makes entries of blocks that several regions reach.
fn assign(cfg: &analysis::Cfg, leader: &mut SecondaryMap<Block, bool>) -> SecondaryMap<Block, Option<Block>> {
    'again: loop {
        let mut region: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        loop {
            let mut changed = false;
            for &b in cfg.rpo() {
                let mut own = leader[b].then_some(b);
                if own.is_none() {
                    for from in cfg.preds(b).iter().filter_map(|e| region[e.from]) {
                        if own.is_some_and(|o| o != from) {
                            leader[b] = true;
                            continue 'again;
                        }
                        own = Some(from);
                    }
                }
                changed |= region[b] != own;
                region[b] = own;
            }
            if !changed {
                return region;
            }
        }
    }
}

/// Notes how a region ends; `None` if it already ends in another way.
fn end_with(region: &mut Region, end: End) -> Option<()> {
    match (&mut region.end, end) {
        (at @ End::Return, end) => *at = end,
        (End::Leader(to, edges), End::Leader(other, mut more)) if *to == other => edges.append(&mut more),
        _ => return None,
    }
    Some(())
}

/// The dynamic way.
fn dynamic(p: &Prepared, facts: &Analyses) -> Result<Regions, Unsupported> {
    let (func, cfg) = (&p.func, &facts.info.cfg);
    let mut cuts: Vec<(usize, Block)> = Vec::new();
    for &b in cfg.rpo() {
        if let Some(i) = p.cut[b].expand() {
            let class = match func.dfg.insts[i].intrinsic() {
                Some(Intrinsic::Yield) => 0,
                Some(op) if is_barrier(op) => 2,
                _ => 1,
            };
            cuts.push((class, b));
        }
    }
    cuts.sort_by_key(|&(class, b)| (class, cfg.rpo_number(b)));
    let mut plan =
        Regions { mode: Mode::Dynamic, regions: Vec::new(), led_by: SecondaryMap::new(), leaves: false, turns: [0; 2] };
    plan.turns = [0, 1].map(|class| cuts.iter().filter(|c| c.0 == class).count() as u32);
    let entries = std::iter::once((cfg.entry(), None)).chain(cuts.iter().map(|&(_, b)| {
        let next = func.dfg.successor(func.layout.terminator(b), 0);
        (next, Some(b))
    }));
    let mut total = 0;
    for (n, (entry, after)) in entries.enumerate() {
        let blocks = reach(p, entry);
        total += blocks.len();
        if total > MAX_COPIES {
            return Err(unsupported(
                "so many barriers and warp operations that only some work-items reach",
                func.span,
                "move them out of divergent branches",
            ));
        }
        plan.led_by[entry] = Some(n as u32);
        plan.regions.push(Region { entry, blocks, end: End::Dynamic, leaves: false, after, key: n as u32 });
    }
    Ok(plan)
}

/// What is reached from `entry` before the next cut, in reverse post-order.
fn reach(p: &Prepared, entry: Block) -> Vec<Block> {
    let mut seen: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    seen[entry] = true;
    while let Some((b, n)) = stack.last_mut() {
        let t = p.func.layout.terminator(*b);
        let count = if p.cut[*b].is_some() { 0 } else { p.func.dfg.successor_count(t) };
        if *n == count {
            order.push(*b);
            stack.pop();
            continue;
        }
        let s = p.func.dfg.successor(t, count - 1 - *n);
        *n += 1;
        if !std::mem::replace(&mut seen[s], true) {
            stack.push((s, 0));
        }
    }
    order.reverse();
    order
}
