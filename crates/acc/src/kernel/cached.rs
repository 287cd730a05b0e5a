//! The text of a kernel whose blocks load [patches](crate::region::patch) of arrays before their threads read them.

use super::Schedule;
use super::frame::SHARED_IDS;
use super::strided::AT;
use super::team::BARRIER;
use crate::block::Tile;
use crate::edit::Edits;
use crate::kernel::Writer;
use crate::loops::CountedLoop;
use crate::poly::Poly;
use crate::region::patch::{Patch, Rectangle};
use std::fmt::Write;

/// The work-item's number in its launch.
const ID: &str = "__unspool_global_id";

impl Writer<'_> {
    /// The kernel's function for GPUs.
    pub(super) fn with_patches(&self, loops: &[CountedLoop], edits: &Edits) -> Result<String, String> {
        let tile = self.plan.tile.ok_or("a block's threads have no neighbours")?;
        let mut edits = edits.clone();
        let (mut shared, mut loads) = (String::new(), String::new());
        for (n, patch) in self.plan.cached.iter().enumerate() {
            let declared = self.unit.declare(patch.element, &format!("__patch{n}[{}]", patch.length(tile)));
            let declared = declared.ok_or("the type of what is cached is not supported")?;
            let _ = write!(shared, "__unspool_shared {}; ", declared.trim_start_matches("const "));
            loads.push_str(&self.load(n, patch, loops, tile));
            for (at, distance) in &patch.reads {
                edits.replace(at.clone(), self.read(n, patch, distance, tile));
            }
        }
        self.inner(&mut edits, None)?;
        let body = self.located(&edits);
        let begin = format!("{}{}", self.own, self.prologue);
        if matches!(self.plan.schedule, Schedule::Shared(..)) {
            let (head, tiles) = (self.extents(loops, &edits), self.by_tiles(loops, tile, &loads));
            let main = format!("{shared} {{ {begin} {head} {tiles} {body} }} }} }} {} }}", self.end());
            return Ok(self.on_gpu([self.plan.block.threads(), 1], SHARED_IDS, &main));
        }
        let id = if self.is_strided() { AT } else { ID };
        let main = self.items(loops, &body, id, &begin, &self.epilogue);
        let mut main = format!("{} {BARRIER} {main}", self.by_the_block(loops, &loads, id, tile));
        if self.is_strided() {
            main = self.strided(loops, [tile.across, tile.down], true, &main);
        }
        let lanes = format!(
            "const int __lx = (int)__unspool_local_id(0), __ly = {}; ",
            match tile.down {
                1 => "0",
                _ => "(int)__unspool_local_id(1)",
            }
        );
        let ids = format!("{lanes} const int __at = __ly * {} + __lx; {shared}", tile.across);
        Ok(self.on_gpu([tile.across, tile.down], &ids, &main))
    }

    /// What a block does whose threads are in the same iteration of the loops that it has no threads in: `loads`.
    fn by_the_block(&self, loops: &[CountedLoop], loads: &str, id: &str, tile: Tile) -> String {
        let all = self.dimensions(loops, id);
        let own = if tile.down > 1 { 2 } else { 1 };
        let ends: String = all.iter().map(|d| d.end.as_str()).collect();
        let starts: String = all[own..].iter().map(|d| d.start.as_str()).collect();
        let guards: String = all[own..].iter().map(|d| format!(" && {}", d.guard)).collect();
        let first = |i: usize| format!("const long __f{i} = (int){id}({i}) - __l{};", if i == 0 { "x" } else { "y" });
        let left = |i: usize, most: u32| format!("__e{i} - __f{i} < {most} ? (int)(__e{i} - __f{i}) : {most}");
        let across = format!(
            "{} const int __wide = {}; const long __x = (long)__l0 + (long)__b0 + __f0;",
            first(0),
            left(0, tile.across)
        );
        let down = match own {
            1 => "const int __high = 1;".to_owned(),
            _ => format!(
                "{} const int __high = {}; const long __y = (long)__l1 + (long)__b1 + __f1;",
                first(1),
                left(1, tile.down)
            ),
        };
        format!("{{ {ends} {across} {down} if (__wide > 0 && __high > 0{guards}) {{ {starts} {loads} }} }}")
    }

    /// Loads a patch, each thread a part: what the threads with iterations read, and nothing else.
    fn load(&self, n: usize, patch: &Patch, loops: &[CountedLoop], tile: Tile) -> String {
        let variable = |from_last: usize| {
            let l = loops.iter().rev().nth(from_last);
            l.map(|l| self.scopes.var(l.var).name.clone()).unwrap_or_default()
        };
        let name = &self.scopes.var(patch.var).name;
        let dims = self.scopes.var(patch.var).ty.map(|t| self.unit.dimensions(t).0).unwrap_or_default();
        let mut indices: Vec<String> = patch.subscripts.iter().map(|p| format!("({})", self.spelled(p))).collect();
        if dims.iter().skip(1).any(Option::is_none) {
            // Arrays with computed extents are indexed by hand.
            let flat = indices.into_iter().enumerate();
            let flat = flat.reduce(|(_, all), (i, next)| (i, format!("({all} * {name}__e{i} + {next})")));
            indices = flat.into_iter().map(|(_, all)| all).collect();
        }
        let element: String = indices.iter().map(|i| format!("[{i}]")).collect();
        let (threads, [across, down], around) = (tile.across * tile.down, patch.size(tile), patch.around());
        let x = format!("const long {} = __x + __tx + ({}L);", variable(0), around.across.0);
        if down == 1 {
            let span = around.across.1 - around.across.0;
            return format!(
                "for (int __tx = __at; __tx < __wide + {span}; __tx += {threads}) {{ {x} __patch{n}[__tx] = {name}{element}; }} "
            );
        }
        // Rows of threads read rows of it.
        let y = format!("const long {} = __y + __ty + ({}L);", variable(1), around.down.0);
        let within: Vec<String> = patch.parts.iter().map(|p| inside(p, &around)).collect();
        format!(
            "for (int __t = __at; __t < {}; __t += {threads}) {{ const int __tx = __t % {across}, __ty = __t / {across}; \
             if ({}) {{ {x} {y} __patch{n}[__t] = {name}{element}; }} }} ",
            patch.length(tile),
            within.join(" || ")
        )
    }

    /// A read of a patch.
    fn read(&self, n: usize, patch: &Patch, distance: &[Poly; 2], tile: Tile) -> String {
        let around = patch.around();
        let from_first = |p: &Poly, first: i128| self.spelled(&p.add(&Poly::constant(first), -1));
        let x = format!("__lx + ({})", from_first(&distance[0], around.across.0));
        let [across, down] = patch.size(tile);
        if down == 1 {
            return format!("__patch{n}[{x}]");
        }
        format!("__patch{n}[(__ly + ({})) * {across} + {x}]", from_first(&distance[1], around.down.0))
    }

    /// A polynomial in C, computed in `long`.
    fn spelled(&self, p: &Poly) -> String {
        p.text(&|v| format!("(long){}", self.scopes.var(v).name))
    }
}

/// Whether the element `__tx`, `__ty` of a patch is one that some thread reads in a part of it.
fn inside(part: &Rectangle, around: &Rectangle) -> String {
    let within = |t: &str, threads: &str, part: (i128, i128), first: i128| {
        let (begin, more) = (part.0 - first, part.1 - part.0);
        format!("(unsigned int)({t} - {begin}) < (unsigned int)({threads} + {more})")
    };
    format!(
        "({} && {})",
        within("__tx", "__wide", part.across, around.across.0),
        within("__ty", "__high", part.down, around.down.0)
    )
}
