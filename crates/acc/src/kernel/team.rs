//! The text of a kernel whose blocks are gangs on GPUs ([`Team`]): what one thread does, what threads share, and the sums of both.

use super::strided::AT;
use crate::edit::Edits;
use crate::kernel::{Schedule, Writer};
use crate::loops::CountedLoop;
use crate::reduction::{self, Tree};
use crate::region::team::{SharedLoop, Team};
use crate::scope::VarId;
use std::fmt::Write;
use syntax::ast::ExprId;

/// All threads of a block come here before one goes on.
pub(super) const BARRIER: &str = "__unspool_barrier();";

impl Writer<'_> {
    /// The kernel's function for GPUs, where a block is a gang.
    pub(crate) fn of_team(&self, team: &Team, loops: &[CountedLoop], edits: &Edits) -> Result<String, String> {
        let mut edits = edits.clone();
        self.inner(&mut edits, Some(team))?;
        for v in &team.arrays {
            self.share(*v, &mut edits)?;
        }
        for at in &team.single {
            edits.insert(at.start, format!("{{ {BARRIER} if (__lane == 0) {{ "));
            edits.insert_after(at.end, format!(" }} {BARRIER} }}"));
        }
        for (n, l) in team.loops.iter().enumerate() {
            self.shared_loop(n, l, &mut edits)?;
        }
        let body = self.located(&edits);
        let begin = format!("{}{}", self.shared, self.prologue);
        let end = match self.epilogue.is_empty() {
            true => String::new(),
            false => format!("if (__lane == 0) {{ {} }}", self.epilogue),
        };
        let ids = match &self.plan.schedule {
            Schedule::Items(_) => "",
            Schedule::Shared(..) => "int __gid = (int)__unspool_group_id(0); long __gsize = (int)__unspool_groups(0);",
            _ => "int __gid = (int)__unspool_group_id(0); long __gang = __gid;",
        };
        let main = match &self.plan.schedule {
            Schedule::Items(_) if self.is_strided() => {
                self.strided(loops, [1, 1], true, &self.items(loops, &body, AT, &begin, &end))
            }
            Schedule::Items(_) => self.items(loops, &body, "__unspool_group_id", &begin, &end),
            Schedule::Shared(..) => self.share_out_to_blocks(loops, &body, &edits, (&begin, &end)),
            _ => format!("if (__gang < __gangs) {{ {begin} {body} {end} }}"),
        };
        let ids = format!("int __lane = (int)__unspool_local_id(0); {ids}");
        Ok(self.on_gpu([self.plan.block.threads(), 1], &ids, &main))
    }

    /// Puts an array that the body declares into the block's memory.
    fn share(&self, v: VarId, edits: &mut Edits) -> Result<(), String> {
        let var = self.scopes.var(v);
        if !self.unit.range(self.unit.ast[self.plan.body].span).contains(&var.at.start) {
            // A clause makes it private.
            return Ok(());
        }
        let statement =
            self.unit.declaration_alone(&var.at).ok_or("an array that threads share is not declared alone")?;
        edits.insert(statement.start, "__unspool_shared ".to_owned());
        Ok(())
    }

    /// A loop whose iterations the threads share.
    fn shared_loop(&self, n: usize, shared: &SharedLoop, edits: &mut Edits) -> Result<(), String> {
        let l = &shared.counted;
        let unsupported = || "the type of a loop's variable is not supported".to_owned();
        let render = |e: ExprId| edits.apply(&self.unit.text, self.unit.range(self.unit.ast[e].span));
        let (lo, hi, st) = (render(l.lower), render(l.bound), l.step.map_or("1".to_owned(), render));
        let trip = l.trip(self.unit, &lo, &hi, &st);
        let kind = self.unit.declare(l.ty, "").ok_or_else(unsupported)?;
        let local = self.unit.declare(l.ty, &self.scopes.var(l.var).name).ok_or_else(unsupported)?;
        let sign = if l.down { "-" } else { "+" };
        let threads = self.plan.block.threads();
        let (first, step) = match shared.gang {
            true => (format!("__gang * {threads} + __lane"), format!("__gangs * {threads}")),
            false => ("__lane".to_owned(), threads.to_string()),
        };
        let wait = if shared.writes { BARRIER } else { "" };
        let mut open =
            format!("{{ {wait} const {kind} __first{n} = {lo}, __step{n} = {st}; const long __trip{n} = {trip}; ");
        let mut close = " }".to_owned();
        for &v in &shared.own {
            let _ = write!(open, "{}; ", self.declaration(v)?);
        }
        for (op, v) in &shared.reductions {
            self.tree(op, *v, &mut open, &mut close)?;
        }
        let _ = write!(
            open,
            "for (long __at{n} = {first}; __at{n} < __trip{n}; __at{n} += {step}) {{ {local} = __first{n} {sign} ({kind})__at{n} * __step{n};"
        );
        edits.replace(l.header.clone(), open);
        edits.insert_after(self.unit.range(self.unit.ast[l.body].span).end, format!("{close} {wait} }}"));
        Ok(())
    }

    fn declaration(&self, v: VarId) -> Result<String, String> {
        let var = self.scopes.var(v);
        let declared = var.ty.and_then(|ty| self.unit.plain(ty, &var.name));
        declared.ok_or_else(|| format!("the type of `{}` is not supported in regions", var.name))
    }

    /// A reduction among the threads: each begins with the operator's identity; what they have is put together in a [`Tree`], and
    /// comes to what there was before.
    fn tree(&self, op: &str, v: VarId, open: &mut String, close: &mut String) -> Result<(), String> {
        let var = self.scopes.var(v);
        let x = &var.name;
        let ty = var.ty.ok_or("a reduction's type is not known")?;
        let identity = self.identity(op, ty).ok_or_else(|| format!("`{x}` has no type that `{op}` reduces"))?;
        let declare =
            |name: &str| self.unit.plain(ty, name).ok_or_else(|| "a reduction's type is not supported".to_owned());
        let tree = Tree::of(self.unit, (op, x, ty), &declare, self.plan.block.threads());
        let _ = write!(open, "{}{} = {x}; {x} = {identity}; ", tree.memory()?, declare(&format!("{x}__o"))?);
        let last = reduction::step(op, x, &format!("{x}__w[0]"));
        let _ = write!(close, " {} {x} = {x}__o; {last} {BARRIER}", tree.text(x)?);
        Ok(())
    }
}
