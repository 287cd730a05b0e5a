//! What stands around a kernel's body: which iterations a work-item has, the function, its launch.

use super::call::Extents;
use super::{HOW_MANY, Kernel, LOCAL, Overlap, SHARING, Schedule, Writer, positions};
use crate::host::{Entry, ITEMS};
use crate::loops::CountedLoop;
use crate::reduction::TREE;
use crate::unit::words;
use rustc_hash::FxHashSet;

/// What work-items know that share iterations.
pub(super) const SHARED_IDS: &str =
    "int __gid = (int)__unspool_global_id(0); long __gsize = (int)__unspool_global_size(0);";

/// A loop whose iterations are a dimension of the launch.
pub(super) struct Dimension {
    /// Declares how many iterations the launch has left of it.
    pub(super) end: String,
    /// Whether this work-item has one.
    pub(super) guard: String,
    /// Declares the loop's variable.
    pub(super) start: String,
}

impl Writer<'_> {
    /// One work-item for each iteration, or what `id` counts.
    pub(crate) fn items(&self, loops: &[CountedLoop], body: &str, id: &str, begin: &str, end: &str) -> String {
        let all = self.dimensions(loops, id);
        let ends: String = all.iter().map(|d| d.end.as_str()).collect();
        let starts: String = all.iter().map(|d| d.start.as_str()).collect();
        let guard = all.iter().map(|d| d.guard.as_str()).collect::<Vec<_>>().join(" && ");
        format!("{ends} if ({guard}) {{ {starts} {begin} do {{ {body} }} while (0); {end} }}")
    }

    /// The dimensions of a launch, the innermost loop first.
    pub(super) fn dimensions(&self, loops: &[CountedLoop], id: &str) -> Vec<Dimension> {
        let one = |(i, l): (usize, &CountedLoop)| {
            let local = self.unit.declare(l.ty, &self.scopes.var(l.var).name).unwrap_or_default();
            let sign = if l.down { "-" } else { "+" };
            let kind = self.unit.declare(l.ty, "").unwrap_or_default();
            let index = format!("({kind})__b{i} + (int){id}({i})");
            let scaled = if l.step.is_some() { format!("({index}) * ({kind})__s{i}") } else { format!("({index})") };
            Dimension {
                // How many are left: more than a launch has, or a number of 32 bits.
                end: format!("int __e{i} = __n{i} - __b{i} < 0x40000000L ? (int)(__n{i} - __b{i}) : 0x40000000; "),
                guard: format!("(int){id}({i}) < __e{i}"),
                start: format!("{local} = ({kind})__l{i} {sign} {scaled}; "),
            }
        };
        loops.iter().rev().enumerate().map(one).collect()
    }

    /// The kernel's frame, the second kernel of its reductions, and the launch.
    pub(super) fn finish(mut self, main: &str, on_gpu: Option<String>) -> Result<Kernel, String> {
        let name = self.plan.name.clone();
        let wide = matches!(self.plan.schedule, Schedule::Items(_) | Schedule::Shared(..));
        let local = match wide {
            true => {
                let (items, block) = (self.group(), self.plan.block);
                format!("{items} ? {items} : {}, {items} ? 1 : {}", block.across(), block.rows())
            }
            false => "1, 1".to_owned(),
        };
        let bases = if let Schedule::Items(loops) = &self.plan.schedule { loops.len() as u32 } else { 0 };
        let ids = match self.plan.schedule {
            Schedule::Shared(..) => SHARED_IDS,
            Schedule::Gangs(..) => "int __gid = (int)__unspool_global_id(0); long __gang = __gid;",
            _ => "",
        };
        if self.params.is_empty() {
            self.long("__none", "0");
        }
        let small = match self.plan.memory {
            Overlap::Found => "minsize, ",
            // Twice as many work-items share a vector as it has elements of 32 bits.
            _ if self.goes_in_pairs() => "vec_type_hint(short), ",
            _ => "",
        };
        let mut text = format!(
            "__attribute__(({small}reqd_work_group_size({local}, 1))) __kernel void {name}({}) {{ {ids} {main} }}\n",
            self.params.join(", ")
        );
        // Where a group has as many work-items as a block the code is for GPUs.
        if let Some(on_gpu) = &on_gpu {
            text = format!("\n#if {ITEMS}\n{text}\n#else\n{on_gpu}\n#endif\n");
        }
        if positions::is_asked(&text) {
            text.insert_str(0, &self.positions());
        }
        if let Some(items) = &self.items {
            let whole = self.plan.block.whole();
            let items = match self.own_bytes.is_empty() {
                true => items.clone(),
                false => format!("__unspool_acc_within({items}, {whole}, {})", self.own_bytes.join(" + ")),
            };
            self.setup.insert_str(0, &format!("const long {HOW_MANY} = {items}; "));
        }
        if let Some(g) = self.plan.gangs.as_ref().filter(|_| wide) {
            let blocks_go_on = i32::from(self.is_strided());
            self.setup.push_str(&format!("__unspool_acc_gangs({}, {blocks_go_on}); ", g.count));
        }
        let mut launch = format!("{{ {} {}", self.setup, self.arguments.launch(&name, &self.launched()));
        let narrow = wide && self.plan.narrow;
        let shares = matches!(self.plan.schedule, Schedule::Shared(..));
        let entry = |name, wide, bases| {
            let block = if wide { self.plan.block.threads() } else { 1 };
            let by_columns = self.plan.by_columns && bases > 1;
            let rows = if wide { self.plan.block.rows() } else { 1 };
            let line = self.plan.line;
            let local = match (wide, narrow, shares) {
                (false, ..) | (_, true, _) => 1,
                (_, _, true) => SHARING,
                _ => LOCAL,
            };
            Entry { name, wide, local, bases, line, block, rows, team: false, by_columns }
        };
        let mut entries = vec![entry(name.clone(), wide, bases)];
        if self.plan.team.is_some() {
            (entries[0].block, entries[0].team) = (self.plan.block.threads(), true);
        }
        let mut needs: FxHashSet<String> = words(&text).map(str::to_owned).collect();
        if !self.plan.reductions.is_empty() {
            let (second, call) = self.combine(&name)?;
            needs.extend(words(&second).map(str::to_owned));
            text.push_str(&second);
            launch.push_str(&call);
            let mut second = entry(format!("{name}_r"), false, 0);
            if self.plan.gpu {
                (second.block, second.team) = (TREE, true);
            }
            entries.push(second);
        }
        launch.push_str("} ");
        let body = self.unit.range(self.unit.ast[self.plan.body].span);
        let text = self.unit.packed_as_there(&body, text);
        Ok(Kernel { text, launch, entries, needs })
    }

    /// The launch's extents.
    fn launched(&self) -> Extents {
        match &self.plan.schedule {
            Schedule::Items(loops) => Extents::Fields((0..loops.len().min(3)).map(|i| format!("__n{i}")).collect()),
            Schedule::Shared(..) => Extents::Count(HOW_MANY.to_owned()),
            Schedule::Gangs(..) => Extents::Fields(vec!["__gangs".to_owned()]),
            Schedule::Serial => Extents::Count("1".to_owned()),
        }
    }
}
