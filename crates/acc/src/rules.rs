//! Rules about directives that need more than their own line: what clauses together may say, what a directive stands on, and what it
//! may stand in (OpenACC 3.4; the sections are named where the rules are).

use crate::constant;
use crate::data;
use crate::loops::plain;
use crate::operands;
use crate::region::{self, Construct};
use crate::scope::{Scopes, Site, takes_statement};
use crate::unit::Unit;
use directives::{Clause, ClauseKind as C, Kind, Operand};
use source::Diagnostic;
use std::ops::Range;
use syntax::ast::StmtKind;

/// Gangs have three dimensions (2.9.2).
const MAX_DIMENSION: i128 = 3;

/// What is wrong with the directives of a file.
pub(crate) fn check(unit: &Unit, scopes: &Scopes) -> Vec<Diagnostic> {
    let mut rules = Rules { unit, scopes, said: Vec::new() };
    for site in &scopes.sites {
        rules.together(site);
        rules.numbers(site);
        rules.sizes(site);
        rules.sections(site);
        rules.lists(site);
        rules.constants(site);
        rules.needed(site);
        rules.said.extend(operands::check(unit, scopes, site));
        rules.stands_on(site);
        rules.stands_in(site);
        rules.said.extend(crate::branching::check(unit, site));
    }
    rules.missed();
    let mut said = rules.said;
    said.extend(crate::placing::check(unit, scopes));
    said.extend(crate::levels::check(unit, scopes));
    said
}

/// What was found in several ways, in the order of the text.
pub(crate) fn in_order(all: impl Iterator<Item = Diagnostic>) -> impl Iterator<Item = Diagnostic> {
    let mut list: Vec<Diagnostic> = all.collect();
    list.sort_by_key(|d| d.labels.first().map_or(0, |l| l.span.lo));
    list.into_iter()
}

struct Rules<'a> {
    unit: &'a Unit,
    scopes: &'a Scopes,
    said: Vec<Diagnostic>,
}

impl Rules<'_> {
    /// Directives in code that could not be read: nobody has come to them.
    fn missed(&mut self) {
        let mut end = 0;
        for line in self.unit.text.split_inclusive('\n') {
            let start = end;
            end += line.len();
            let text = line.trim_end_matches(['\n', '\r']);
            let mut words = text.trim_start().strip_prefix('#').unwrap_or("").split_whitespace();
            let is_directive = words.next() == Some("pragma") && words.next() == Some("acc");
            let line_end = start + line.trim_end_matches('\n').len();
            if !is_directive || self.scopes.met.contains(&line_end) {
                continue;
            }
            let at = start..start + text.len();
            let message = "the code around this directive is not understood, and so it does nothing".to_owned();
            let said = Diagnostic::warning("W0819", self.unit.span(&at), message).group("ignored-pragmas");
            let help = "move it into a function of its own, without what other compilers add to C";
            self.said.push(said.help(help.to_owned()));
        }
    }

    fn error(&mut self, code: &'static str, at: &Range<usize>, text: String, help: &str) {
        self.said.push(Diagnostic::error(code, self.unit.span(at), text).help(help.to_owned()));
    }

    /// Clauses that exclude each other (2.9): those for different types of devices do not meet.
    fn together(&mut self, site: &Site) {
        const APART: [(C, &[C]); 6] = [
            (C::Seq, &[C::Gang, C::Worker, C::Vector, C::Independent, C::Auto]),
            (C::Independent, &[C::Auto]),
            (C::Tile, &[C::Collapse]),
            (C::Read, &[C::Write, C::Update, C::Capture]),
            (C::Write, &[C::Update, C::Capture]),
            (C::Update, &[C::Capture]),
        ];
        if site.directive.kind == Kind::Routine {
            return; // `levels.rs`
        }
        let clauses = &site.written.clauses;
        for (one, others) in APART {
            for a in clauses.iter().filter(|c| c.kind == one) {
                let meets = |b: &&Clause| others.contains(&b.kind) && b.device_types == a.device_types;
                if let Some(b) = clauses.iter().find(meets).filter(|_| !site.directive.inclusive) {
                    let text = format!("`{}` and `{}` on one directive", a.kind.word(), b.kind.word());
                    let section = if site.directive.kind == Kind::Atomic { "2.12" } else { "2.9" };
                    let help = format!("they exclude each other (OpenACC 3.4, {section}): keep one");
                    self.error("E0810", &b.span.clone(), text, &help);
                }
            }
        }
    }

    /// Numbers that have to be positive, and constants (2.5.10 to 2.5.12, 2.9.1 to 2.9.4, 2.9.8).
    fn numbers(&mut self, site: &Site) {
        for c in &site.written.clauses {
            let counts = matches!(
                c.kind,
                C::Collapse
                    | C::Tile
                    | C::NumGangs
                    | C::NumWorkers
                    | C::VectorLength
                    | C::Gang
                    | C::Worker
                    | C::Vector
                    | C::Unroll
            );
            let is_ours =
                |o: &Operand| matches!(c.kind, C::Tile | C::Gang) && self.unit.text[o.text.clone()].trim() == "*";
            for o in c.operands.iter().filter(|o| counts && !is_ours(o)).cloned().collect::<Vec<_>>() {
                self.number(site, c.kind, &o);
            }
        }
        for c in site.written.all(C::Gang) {
            let mut numbers = c.operands.iter().filter(|o| o.keyword.as_deref().is_none_or(|k| k == "num"));
            if let Some(second) = numbers.nth(1).cloned() {
                let text = "`gang` has a second number".to_owned();
                self.error("E0811", &second.text, text, "write one, and `dim:` for the dimension (OpenACC 3.4, 2.9.2)");
            }
        }
        for c in site.written.all(C::Default) {
            let words: Vec<&str> = c.operands.iter().map(|o| self.unit.text[o.text.clone()].trim()).collect();
            let word = words.join(", ");
            if !matches!(word.as_str(), "none" | "present") {
                let text = format!("`default` needs `none` or `present`, and has `{word}`");
                self.error("E0811", &c.span.clone(), text, "write `default(none)` or `default(present)`");
            }
        }
    }

    /// A size on a loop, which only `kernels` has there (2.9.2 to 2.9.4).
    fn sizes(&mut self, site: &Site) {
        let own = std::iter::successors(Some(site), |s| s.parent.map(|i| &self.scopes.sites[i]));
        let Some((kind, construct)) =
            own.into_iter().find_map(|s| Some((s.directive.kind, region::construct(s.directive.kind)?)))
        else {
            return;
        };
        if construct == Construct::Kernels || site.directive.inclusive {
            return;
        }
        for c in &site.written.clauses {
            let of_construct = match c.kind {
                C::Gang => "num_gangs",
                C::Worker => "num_workers",
                C::Vector => "vector_length",
                _ => continue,
            };
            let is_size = |o: &&Operand| o.keyword.as_deref().is_none_or(|k| matches!(k, "num" | "length"));
            let Some(o) = c.operands.iter().find(is_size) else { continue };
            let size = self.unit.text[o.text.clone()].trim();
            let taken = if c.kind == C::Gang { "it is not looked at" } else { "taken as the construct's" };
            let text = format!("a size in `{}` of a loop in `{}`; {taken}", c.kind.word(), kind.words());
            let said = Diagnostic::warning("W0820", self.unit.span(&o.text), text).group("unknown-pragmas");
            let help = format!("write `{of_construct}({size})` on the construct (OpenACC 3.4, 2.9.2 to 2.9.4)");
            self.said.push(said.help(help));
        }
    }

    /// One of them.
    fn number(&mut self, site: &Site, kind: C, o: &Operand) {
        let is_dimension = o.keyword.as_deref() == Some("dim");
        let constant = is_dimension || matches!(kind, C::Collapse | C::Tile | C::Unroll);
        let most = if is_dimension { MAX_DIMENSION } else { i128::from(i32::MAX) };
        let wanted = if is_dimension { "1, 2 or 3" } else { "a positive number" };
        let text = self.unit.text[o.text.clone()].trim();
        let (found, help) = match constant::of_operand(self.unit, self.scopes, site, &o.text) {
            Some(n) if n < 1 || constant && n > most => {
                let value = if n.to_string() == text { String::new() } else { format!(", which is {n}") };
                let help = match kind {
                    _ if is_dimension => "gangs have three dimensions (OpenACC 3.4, 2.9.2)",
                    C::Collapse => "write how many loops are one, 1 or more",
                    C::Tile => "write 1 or more, or `*`",
                    _ => "write 1 or more, or leave it out",
                };
                (format!(", and has `{text}`{value}"), help)
            }
            None if kind == C::Tile => {
                // It was an expression until 2.7, and tiles are as large as groups whatever it says.
                let message =
                    format!("`tile` needs constants (OpenACC 3.4, 2.9.8), and `{text}` is none; taken as `*`");
                let said = Diagnostic::warning("W0810", self.unit.span(&o.text), message).group("unknown-pragmas");
                self.said.push(said.help("write a number, or `*`".to_owned()));
                return;
            }
            None if constant => {
                let help = "write a number, or an expression of numbers, enumerators and `sizeof`";
                (format!(" known when compiling, and `{text}` is no constant"), help)
            }
            _ => return,
        };
        let keyword = o.keyword.as_ref().map_or(String::new(), |k| format!("({k}:)"));
        let message = format!("`{}{keyword}` needs {wanted}{found}", kind.word());
        self.error("E0811", &o.text, message, help);
    }

    /// Sections whose constant bounds no array has (2.7.1).
    fn sections(&mut self, site: &Site) {
        let lists = site.written.clauses.iter().flat_map(|c| &c.operands);
        for s in lists.filter_map(|o| o.variable.as_ref()).flat_map(|v| &v.sections).filter(|s| s.is_range) {
            let value = |at: &Option<Range<usize>>| match at {
                Some(at) => constant::of_operand(self.unit, self.scopes, site, at),
                None => Some(0),
            };
            let Some((at, upper)) = s.upper.as_ref().zip(value(&s.upper)) else { continue };
            let text = &self.unit.text[at.clone()];
            let inclusive = site.directive.inclusive;
            let (wrong, help) = match value(&s.lower) {
                Some(lower) if inclusive => (
                    (upper < lower.saturating_sub(1))
                        .then(|| format!("a section from {lower} to {upper} has no elements")),
                    "bounds are `[lower:upper]` here, the upper one included",
                ),
                _ => (
                    (upper < 0 && !inclusive).then(|| format!("a section's length is negative: `{text}`")),
                    "sections are `[start:length]`",
                ),
            };
            if let Some(text) = wrong {
                self.error("E0817", at, text, help);
            }
        }
    }

    /// A variable has one role on a directive (2.5, 2.9): its own, reduced, or data; and as data one clause, unless its sections
    /// are different ones.
    fn lists(&mut self, site: &Site) {
        self.data_twice(site);
        let mut seen: Vec<(&str, C)> = Vec::new();
        let mut twice = Vec::new();
        for c in &site.written.clauses {
            let own = matches!(c.kind, C::Private | C::Firstprivate | C::Reduction | C::UseDevice);
            if !own && data::action(site.directive.kind, c.kind).is_none() || !c.device_types.is_empty() {
                continue;
            }
            for v in c.operands.iter().filter_map(|o| o.variable.as_ref()) {
                // Members and elements are parts.
                if self.unit.text[v.base.clone()] != v.name {
                    continue;
                }
                let is_own = |k: C| matches!(k, C::Private | C::Firstprivate);
                let clash = |k: C| match (k, c.kind) {
                    (C::Reduction, C::Reduction) | (C::UseDevice, C::UseDevice) => true,
                    (a, b) if is_own(a) && is_own(b) => a != b,
                    (a, b) => is_own(a) != is_own(b),
                };
                match seen.iter().find(|(n, k)| *n == v.name && clash(*k)) {
                    Some(&(_, before)) => twice.push((c.span.clone(), v.name.clone(), before, c.kind)),
                    None => seen.push((&v.name, c.kind)),
                }
            }
        }
        for (at, name, a, b) in twice {
            let text = format!("`{name}` stands in `{}` and in `{}` of one directive", a.word(), b.word());
            self.error("E0812", &at, text, "a variable has one role: keep one of the two");
        }
    }

    /// What is `const` does not come back: it may lie where nothing can be written.
    fn constants(&mut self, site: &Site) {
        let d = &site.written;
        for c in &d.clauses {
            use data::Action::{Copyout, ExitCopyout, UpdateHost};
            if !matches!(data::action(d.kind, c.kind), Some(Copyout | ExitCopyout | UpdateHost)) {
                continue;
            }
            for v in c.operands.iter().filter_map(|o| o.variable.as_ref()) {
                if data::is_constant(self.unit, self.scopes, site, v) {
                    let text = format!("`{}` is `const`: it is not brought back from the device", v.name);
                    let said = Diagnostic::warning("W0823", self.unit.span(&c.span), text).group("unknown-pragmas");
                    self.said.push(said.help("leave it out, or declare it without `const`"));
                }
            }
        }
    }

    fn data_twice(&mut self, site: &Site) {
        let d = &site.written;
        let moves = |k: C| {
            matches!(
                k,
                C::Copy | C::Copyin | C::Copyout | C::Create | C::NoCreate | C::Present | C::Deviceptr | C::Delete
            )
        };
        if matches!(d.kind, Kind::Update | Kind::Declare) {
            return; // One is not about the present table, the other has a rule of its own.
        }
        let mut seen: Vec<(&str, String, C)> = Vec::new();
        let mut twice = Vec::new();
        for c in d.clauses.iter().filter(|c| moves(c.kind) && c.device_types.is_empty()) {
            for v in c.operands.iter().filter_map(|o| o.variable.as_ref()) {
                let part = |r: &Range<usize>| self.unit.text[r.clone()].split_whitespace().collect::<String>();
                let sections: String = v.sections.iter().map(|s| part(&s.span)).collect();
                let base = &self.unit.text[v.base.clone()];
                let foreign = |b: C| [b, c.kind].contains(&C::Deviceptr);
                // `copyin(a) copyout(a)` is `copy(a)`.
                let twin = |b: &&(&str, String, C)| b.0 == base && (b.1 == sections && b.2 == c.kind || foreign(b.2));
                match seen.iter().find(twin) {
                    Some(&(_, _, before)) => {
                        let text = format!(
                            "`{base}{sections}` stands in `{}` and in `{}` of one directive",
                            before.word(),
                            c.kind.word()
                        );
                        twice.push((self.unit.span(&c.span), text, foreign(before)));
                    }
                    None => seen.push((base, sections, c.kind)),
                }
            }
        }
        for (at, text, is_error) in twice {
            self.said.push(match is_error {
                true => Diagnostic::error("E0812", at, text).help("a device's address is no data of the host's"),
                false => Diagnostic::warning("W0821", at, text).group("unknown-pragmas").help("once is enough"),
            });
        }
    }

    /// Directives that are nothing without a clause (2.6.5, 2.6.6, 2.8, 2.14).
    fn needed(&mut self, site: &Site) {
        let d = &site.written;
        let data = d.clauses.iter().any(|c| data::action(d.kind, c.kind).is_some());
        if d.kind == Kind::Data && !data && !d.has(C::Default) {
            // Other compilers read on.
            let text = "`data` without a data clause or `default` does nothing";
            let said = Diagnostic::warning("W0817", self.unit.span(&d.span), text).group("unknown-pragmas");
            self.said.push(said.help("say what it is about, or leave it out"));
            return;
        }
        let (there, wanted) = match d.kind {
            Kind::EnterData => (data, "`copyin`, `create` or `attach`"),
            Kind::ExitData => (data, "`copyout`, `delete` or `detach`"),
            Kind::Update => (data, "`self`, `host` or `device`"),
            Kind::HostData => (d.has(C::UseDevice), "`use_device`"),
            Kind::Set => {
                let any = d.has(C::DeviceNum) || d.has(C::DefaultAsync) || !d.device_types.is_empty();
                (any, "`default_async`, `device_num` or `device_type`")
            }
            _ => return,
        };
        if !there {
            let text = format!("`{}` without {wanted}", d.kind.words());
            self.error("E0813", &d.span.clone(), text, "say what it is about, or leave it out");
        }
    }

    /// Whether devices may run a function: `routine` says so, or `bind` of another one's, or a compute construct calls it.
    fn is_for_devices(&self, function: &str) -> bool {
        let routines = &self.scopes.routines;
        let computes = self.scopes.sites.iter().filter(|s| region::construct(s.directive.kind).is_some());
        let mut ranges = computes.filter_map(|s| s.target).map(|t| self.unit.range(self.unit.ast[t].span));
        routines.contains_key(function)
            || routines.values().any(|r| r.bind.as_deref() == Some(function))
            || ranges.any(|r| self.scopes.uses_in(&r).iter().any(|u| self.scopes.var(u.var).name == function))
    }

    /// The statement behind a directive.
    fn stands_on(&mut self, site: &Site) {
        let d = &site.directive;
        if !takes_statement(d.kind) || site.function.is_empty() {
            return;
        }
        let kind = site.target.map(|t| &self.unit.ast[plain(self.unit, t)].kind);
        let wanted = match kind {
            Some(StmtKind::Error) => return,
            Some(StmtKind::For { .. }) => return,
            _ if d.kind.is_of_loop() => "a `for` loop",
            None | Some(StmtKind::Decl(_)) => "a statement, or a block in braces",
            Some(_) => return,
        };
        let text = format!("`{}` needs {wanted} behind it", d.kind.words());
        self.error("E0815", &d.span.clone(), text, "move it to where that begins");
    }

    /// The constructs around a directive (2.5, 2.6, 2.9).
    fn stands_in(&mut self, site: &Site) {
        let d = &site.directive;
        let around: Vec<&Site> = std::iter::successors(site.parent.map(|i| &self.scopes.sites[i]), |s| {
            s.parent.map(|i| &self.scopes.sites[i])
        })
        .collect();
        let compute = around.iter().position(|s| region::construct(s.directive.kind).is_some());
        let levels = [C::Gang, C::Worker, C::Vector];
        let level = |s: &Site| levels.iter().rposition(|&c| s.directive.has(c) && !has_dimension(s, c));
        if let Some(n) = compute {
            let outside = region::construct(d.kind).is_some()
                || matches!(
                    d.kind,
                    Kind::Data
                        | Kind::DataRegion
                        | Kind::EnterData
                        | Kind::ExitData
                        | Kind::Update
                        | Kind::HostData
                        | Kind::Wait
                        | Kind::Init
                        | Kind::Shutdown
                        | Kind::Set
                        | Kind::Declare
                );
            if outside {
                let text = format!("`{}` inside of `{}`", d.kind.words(), around[n].directive.kind.words());
                self.error(
                    "E0816",
                    &d.span.clone(),
                    text,
                    "it belongs to the host's code: move it out of the construct",
                );
                return;
            }
            // An outer loop's level is above those inside of it.
            let inner = levels.iter().position(|&c| d.has(c) && !has_dimension(site, c));
            let outer = around[..=n].iter().find_map(|s| level(s).map(|l| (l, *s)));
            if let (Some(inner), Some((outer, _)), false) = (inner, outer, d.inclusive)
                && inner <= outer
            {
                let text = format!("a `{}` loop inside of a `{}` loop", levels[inner].word(), levels[outer].word());
                let rule = "gangs hold workers, and workers vectors (OpenACC 3.4, 2.9)";
                if region::construct(around[n].directive.kind) == Some(Construct::Kernels) {
                    // Dimensions of a grid in OpenACC 1.0, and `kernels` leaves the mapping to the compiler.
                    let said = Diagnostic::warning("W0813", self.unit.span(&d.span), text).group("ignored-pragmas");
                    self.said
                        .push(said.help(format!("{rule}: both are shared all the same; keep one level on each loop")));
                } else {
                    self.error("E0816", &d.span.clone(), text, rule);
                }
            }
            return;
        }
        let lost = matches!(d.kind, Kind::Loop | Kind::For | Kind::CacheDirective)
            && !site.function.is_empty()
            && !self.is_for_devices(&site.function);
        if lost {
            let text = format!("`{}` outside of a compute construct has no effect here", d.kind.words());
            let help = "write `parallel loop` or `kernels loop`, or `#pragma acc routine` before the function";
            let said = Diagnostic::warning("W0808", self.unit.span(&d.span), text).group("unknown-pragmas");
            self.said.push(said.help(help.to_owned()));
        }
    }
}

/// Whether a clause says which dimension of the gangs is meant: `gang(dim:2)`, or, in other compilers' words, `gang[1]` (`W0806`).
fn has_dimension(site: &Site, kind: C) -> bool {
    let dim = |c: &Clause| {
        c.modifiers.iter().any(|m| m == "dim") || c.operands.iter().any(|o| o.keyword.as_deref() == Some("dim"))
    };
    site.directive.all(kind).any(dim)
}
