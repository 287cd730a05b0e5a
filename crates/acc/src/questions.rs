//! What is asked about the loops of a region besides the verdict: whether pointers point to different memory, when the program
//! runs; whether what the program asserts is wrong; whether a loop is worth a dimension of work-items.

use crate::data;
use crate::host::items;
use crate::kernel::Kernel;
use crate::loop_words::LoopWords;
use crate::loops::CountedLoop;
use crate::region::{Construct, Cx, Warning};
use crate::scope::VarId;
use crate::verdict::{self, Verdict};
use syntax::ast::StmtId;

impl<'a> Cx<'a> {
    /// A loop that may run in parallel where pointers point to different memory: a kernel for that, and a serial one behind the
    /// question.
    pub(crate) fn if_apart(
        &mut self,
        s: StmtId,
        l: &CountedLoop,
        pairs: &[(VarId, VarId)],
        believed: &[VarId],
        words: &LoopWords,
    ) -> Result<Option<Kernel>, String> {
        let Some(asked) = pairs.iter().map(|&p| self.ask_apart(p, false)).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        if asked.is_empty() {
            return Ok(None);
        }
        self.apart = pairs.to_vec();
        let verdict = verdict::of_loop(self, l, believed, &words.reductions);
        let Verdict::Parallel { privates, reductions } = verdict else {
            self.apart.clear();
            return Ok(None);
        };
        let mut words = LoopWords { there: true, collapse: words.collapse.max(1), ..words.clone() };
        words.privates.extend(privates);
        words.reductions.extend(reductions);
        let name = |v: VarId| self.scopes.var(v).name.clone();
        let names: Vec<String> = pairs
            .iter()
            .map(|&(a, b)| if a == b { format!("rows of {}", name(a)) } else { format!("{} and {}", name(a), name(b)) })
            .collect();
        let (line, _) = self.unit.line(l.range.start);
        let text = format!("Loop is parallelized where {} do not overlap: asked at run time", names.join(", "));
        self.say(line, &text);
        let parallel = self.nest(s, words);
        self.apart.clear();
        let (parallel, serial) = (parallel?, self.whole(s, None)?);
        Ok(Some(parallel.or_else_if(&asked.join(" && "), serial)))
    }

    /// The question whether two pointers point to different memory, if there are items that say where; `sized`: only if they say how
    /// much there is, too, without which the answer is no.
    pub(crate) fn ask_apart(&self, (a, b): (VarId, VarId), sized: bool) -> Option<String> {
        let item = |v: VarId| {
            let is_it = |i: &data::Item| i.var == Some(v) && (i.sized || !sized);
            let own = self.items.iter().position(is_it);
            own.map(|i| format!("&__unspool_i[{i}]")).or_else(|| {
                let around = self.around().flat_map(|s| data::items(self.unit, self.scopes, s));
                let found = around.into_iter().find(is_it)?;
                Some(format!("&(const struct __unspool_acc_item){}", items::initialiser(&found)))
            })
        };
        if a == b {
            return Some(format!("__unspool_acc_rows_apart({})", item(a)?));
        }
        Some(format!("__unspool_acc_apart({}, {})", item(a)?, item(b)?))
    }

    /// The directives around this one, innermost first.
    fn around(&self) -> impl Iterator<Item = &'a crate::scope::Site> {
        let scopes = self.scopes;
        let first = scopes.sites[self.site].parent;
        std::iter::successors(first, move |&i| scopes.sites[i].parent).map(move |i| &scopes.sites[i])
    }

    /// What a data construct around says of a pointer: its first element, and the one behind its last.
    pub(crate) fn section_of(&self, v: VarId) -> Option<(String, String)> {
        self.around().find_map(|s| {
            let clauses = s.directive.clauses.iter().filter(|c| data::action(s.directive.kind, c.kind).is_some());
            let mut operands = clauses.flat_map(|c| &c.operands).filter_map(|o| o.variable.as_ref());
            let found = operands.find(|x| s.names.get(&x.name) == Some(&v) && !x.sections.is_empty())?;
            if self.unit.text[found.base.clone()] != found.name {
                return None;
            }
            let section = found.sections.first()?;
            let (lower, count) = data::bounds(self.unit, section, &found.name, None, s.directive.inclusive);
            Some((lower.clone(), format!("({lower}) + ({count})")))
        })
    }

    /// Warns if the program calls a loop independent, and it is not; whether that is so.
    pub(crate) fn judge(
        &mut self,
        l: &CountedLoop,
        words: &LoopWords,
        privates: &[VarId],
        reductions: &[(String, VarId)],
    ) -> bool {
        let asserted = words.independent || self.construct == Construct::Parallel && words.there && !words.auto;
        let found = if asserted { crate::collide::collision(self, l, privates, reductions) } else { None };
        let Some(text) = found else { return false };
        let what = if words.independent { "`independent`" } else { "`loop` in `parallel`" };
        let at = words.at.clone().unwrap_or_else(|| self.scopes.sites[self.site].directive.span.clone());
        self.warnings.push(Warning {
            at,
            text: format!("{what} says that iterations may run in any order, but {text}"),
            help: "take the assertion back, or take the dependence out of the loop",
            rule: None,
        });
        true
    }

    /// Whether a loop has so few iterations that lanes would have nothing to do.
    pub(crate) fn is_short(&self, l: &CountedLoop) -> bool {
        let b = crate::extent::bounds(self, l);
        let (Some(first), Some(last)) = (b.first, b.last) else { return false };
        last.add(&first, -1).number().is_some_and(|n| n + 1 < i128::from(crate::kernel::LOCAL / 4))
    }
}
