//! The text of a kernel whose blocks load [rows](crate::region::cached) of arrays before their threads read them.

use super::strided::AT;
use super::team::BARRIER;
use crate::edit::Edits;
use crate::kernel::Writer;
use crate::loops::CountedLoop;
use crate::poly::Poly;
use crate::region::cached::Row;
use std::fmt::Write;

/// The work-item's number in its launch.
const ID: &str = "__unspool_global_id";

impl Writer<'_> {
    /// The kernel's function for GPUs.
    pub(super) fn with_rows(&self, loops: &[CountedLoop], edits: &Edits) -> Result<String, String> {
        let mut edits = edits.clone();
        let (mut shared, mut loads) = (String::new(), String::new());
        for (n, row) in self.plan.cached.iter().enumerate() {
            let declared =
                self.unit.declare(row.element, &format!("__row{n}[{}]", row.length(self.plan.block.threads())));
            let declared = declared.ok_or("the type of what is cached is not supported")?;
            let _ = write!(shared, "__unspool_shared {}; ", declared.trim_start_matches("const "));
            loads.push_str(&self.load(n, row, loops));
            for (at, distance) in &row.reads {
                let from_first = distance.add(&Poly::constant(row.ends.0), -1);
                edits.replace(at.clone(), format!("__row{n}[__lane + ({})]", self.spelled(&from_first)));
            }
        }
        self.inner(&mut edits, None)?;
        let body = self.located(&edits);
        let begin = format!("{}{}", self.own, self.prologue);
        let threads = self.plan.block.threads();
        let id = if self.is_strided() { AT } else { ID };
        let main = self.items(loops, &body, id, &begin, &self.epilogue);
        let mut main = format!("{} {BARRIER} {main}", self.by_the_block(loops, &loads, id));
        if self.is_strided() {
            main = self.strided(loops, [threads, 1], true, &main);
        }
        Ok(self.on_gpu([threads, 1], &format!("int __lane = (int)__unspool_local_id(0); {shared}"), &main))
    }

    /// What a block does whose threads are in the same iteration of the outer loops: `loads`.
    fn by_the_block(&self, loops: &[CountedLoop], loads: &str, id: &str) -> String {
        let all = self.dimensions(loops, id);
        let ends: String = all.iter().map(|d| d.end.as_str()).collect();
        let starts: String = all[1..].iter().map(|d| d.start.as_str()).collect();
        let guards: String = all[1..].iter().map(|d| format!(" && {}", d.guard)).collect();
        let threads = self.plan.block.threads();
        format!(
            "{{ {ends} const int __begin = (int){id}(0) - __lane; \
             const int __here = __e0 - __begin < {threads} ? __e0 - __begin : {threads}; \
             if (__here > 0{guards}) {{ {starts} {loads} }} }}"
        )
    }

    /// Loads a row: from what its first thread reads to what the last one of the loop's iterations reads, each thread a part.
    fn load(&self, n: usize, row: &Row, loops: &[CountedLoop]) -> String {
        let inner = loops.last().map(|l| self.scopes.var(l.var).name.clone()).unwrap_or_default();
        let name = &self.scopes.var(row.var).name;
        let dims = self.scopes.var(row.var).ty.map(|t| self.unit.dimensions(t).0).unwrap_or_default();
        let mut indices: Vec<String> = row.subscripts.iter().map(|p| format!("({})", self.spelled(p))).collect();
        if dims.iter().skip(1).any(Option::is_none) {
            // Arrays with computed extents are indexed by hand.
            let flat = indices.into_iter().enumerate();
            let flat = flat.reduce(|(_, all), (i, next)| (i, format!("({all} * {name}__e{i} + {next})")));
            indices = flat.into_iter().map(|(_, all)| all).collect();
        }
        let element: String = indices.iter().map(|i| format!("[{i}]")).collect();
        let (threads, first, span) = (self.plan.block.threads(), row.ends.0, row.ends.1 - row.ends.0);
        format!(
            "for (int __t = __lane; __t < __here + {span}; __t += {threads}) {{ \
             const long {inner} = (long)__l0 + (long)__b0 + __begin + __t + ({first}L); __row{n}[__t] = {name}{element}; }} "
        )
    }

    /// A polynomial in C, computed in `long`.
    fn spelled(&self, p: &Poly) -> String {
        p.text(&|v| format!("(long){}", self.scopes.var(v).name))
    }
}
