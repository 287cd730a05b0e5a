//! Rules about what clauses name: that it is declared, that sections have as many dimensions and elements as their arrays, that types
//! are those that the clause is for; and about the statement behind `atomic` and the function behind `routine` (OpenACC 3.4; the
//! sections are named where the rules are).

use crate::atomic;
use crate::constant;
use crate::ctype::Shape;
use crate::data;
use crate::region;
use crate::routine;
use crate::scope::{Scopes, Site, Storage, Var};
use crate::unit::{Unit, word_ranges};
use directives::{Clause, ClauseKind as C, Kind, Operand, Section, Variable};
use source::Diagnostic;
use std::ops::Range;
use syntax::ast::BuiltinType;

/// Words of expressions that nobody declares.
const KEYWORDS: [&str; 17] = [
    "sizeof", "_Alignof", "alignof", "int", "long", "short", "char", "unsigned", "signed", "float", "double", "void",
    "const", "volatile", "struct", "union", "enum",
];

/// What is wrong with the operands of a directive.
pub(crate) fn check(unit: &Unit, scopes: &Scopes, site: &Site) -> Vec<Diagnostic> {
    let mut found = Operands { unit, scopes, site, said: Vec::new() };
    for c in &site.written.clauses {
        for o in &c.operands {
            if found.keyword(c, o) && found.expression(c, o) && found.declared(c, o) {
                found.number(c, o);
                found.variable(c, o);
            }
        }
    }
    match site.directive.kind {
        Kind::Atomic => found.atomic(),
        Kind::Routine => found.routine(),
        _ => {}
    }
    found.said
}

struct Operands<'a> {
    unit: &'a Unit,
    scopes: &'a Scopes,
    site: &'a Site,
    said: Vec<Diagnostic>,
}

impl<'a> Operands<'a> {
    fn error(&mut self, code: &'static str, at: &Range<usize>, text: String, help: &str) {
        self.said.push(Diagnostic::error(code, self.unit.span(at), text).help(help.to_owned()));
    }

    fn text(&self, at: &Range<usize>) -> &'a str {
        &self.unit.text[at.clone()]
    }

    /// Whether the word before an operand's colon is one of the clause's; complains if it is not (2.9.2 to 2.9.4, 2.16).
    fn keyword(&mut self, c: &Clause, o: &Operand) -> bool {
        let known: &[&str] = match c.kind {
            C::Gang => &["num", "dim", "static"],
            C::Worker => &["num"],
            C::Vector => &["length"],
            C::Wait => &["devnum", "queues"],
            _ => &[],
        };
        let Some(word) = o.keyword.as_deref().filter(|k| !known.contains(k)) else { return true };
        let text = format!("`{word}:` is no word of `{}`", c.kind.word());
        let help = match known {
            [] => "write its operand alone".to_owned(),
            words => format!("it has {}", words.iter().map(|w| format!("`{w}:`")).collect::<Vec<_>>().join(", ")),
        };
        self.error("E0804", &c.span, text, &help);
        false
    }

    /// Whether an operand looks like an expression; complains if it does not. The host's compiler would, in text that the user has
    /// not written.
    fn expression(&mut self, c: &Clause, o: &Operand) -> bool {
        let text = self.text(&o.text);
        let is_star = matches!(c.kind, C::Tile | C::Gang) && text.trim() == "*";
        if is_star || matches!(c.kind, C::Default | C::DeviceType | C::Bind | C::Nohost) {
            return true;
        }
        let all = values(text);
        let apart = all.windows(2).find(|w| {
            let (a, b) = (&text[w[0].clone()], &text[w[1].clone()]);
            let between = &text[w[0].end..w[1].start];
            let quoted = text[..w[1].start].matches('"').count() % 2 == 1;
            !quoted
                && between.trim().is_empty()
                && !between.is_empty()
                && !KEYWORDS.contains(&a)
                && !KEYWORDS.contains(&b)
        });
        let why = match apart {
            Some(w) => format!("an operator is missing before `{}`", &text[w[1].clone()]),
            None if text.contains(':') && !text.contains(['?', '\'', '"', '[']) => "a `:` stands in it".to_owned(),
            None if all.is_empty() && !text.contains(['\'', '"']) => "there is no value in it".to_owned(),
            None => return true,
        };
        let text = format!("`{}` in `{}` is no expression: {why}", text.trim(), c.kind.word());
        self.error("E0804", &o.text, text, "write one expression there");
        false
    }

    /// Whether all that an operand names is declared; complains about the first that is not. The host's compiler would find it in
    /// text that the user has not written.
    fn declared(&mut self, c: &Clause, o: &Operand) -> bool {
        if matches!(c.kind, C::Default | C::DeviceType | C::Bind | C::Nohost) {
            return true;
        }
        let text = self.text(&o.text);
        for w in word_ranges(text) {
            let (word, before) = (&text[w.clone()], text[..w.start].trim_end());
            let is_member = before.ends_with('.') || before.ends_with("->");
            let quoted = before.matches('"').count() % 2 == 1 || before.ends_with('\'');
            let free = word.starts_with("__") || word.starts_with(|c: char| c.is_ascii_digit());
            if is_member || quoted || free || KEYWORDS.contains(&word) || self.is_known(word) {
                continue;
            }
            let at = o.text.start + w.start..o.text.start + w.end;
            let text = format!("`{word}` in `{}` is not declared", c.kind.word());
            self.error("E0814", &at, text, "name what is declared before the directive");
            return false;
        }
        true
    }

    /// Whether a name is declared, or at least stands somewhere in the program before the directive: what this front end does not
    /// know is for the host's compiler to judge.
    fn is_known(&self, word: &str) -> bool {
        self.site.names.contains_key(word)
            || self.unit.declared.contains_key(word)
            || self.unit.has_word_before(word, self.site.directive.span.start)
    }

    /// Queues, numbers of gangs and the like are whole numbers: a pointer or an array alone is none (2.1).
    fn number(&mut self, c: &Clause, o: &Operand) {
        use C::{Async, Gang, NumGangs, NumWorkers, Vector, VectorLength, Wait, Worker};
        if !matches!(c.kind, Async | Wait | NumGangs | NumWorkers | VectorLength | Gang | Worker | Vector) {
            return;
        }
        let name = self.text(&o.text).trim();
        if self.has_fractions(&o.text) {
            let text = format!("`{name}` in `{}` has fractions", c.kind.word());
            return self.error("E0818", &o.text, text, "write a whole number there");
        }
        let Some(var) = self.site.names.get(name).map(|&id| self.scopes.var(id)) else { return };
        let what = match var.ty.filter(|_| var.storage != Storage::Other).map(|ty| self.unit.shape(ty)) {
            Some(Shape::Pointer(_)) => "a pointer",
            Some(Shape::Array(..)) => "an array",
            Some(Shape::Record) => "a record",
            _ => return,
        };
        let text = format!("`{name}` in `{}` is {what}", c.kind.word());
        self.error("E0818", &o.text, text, "write a whole number there");
    }

    /// Whether an operand is a literal or a variable with fractions.
    fn has_fractions(&self, at: &Range<usize>) -> bool {
        let text = self.text(at).trim();
        let float = |v: &Var| {
            let shape = v.ty.filter(|_| v.storage != Storage::Other).map(|t| self.unit.shape(t));
            matches!(shape, Some(Shape::Number(BuiltinType::Float | BuiltinType::Double)))
        };
        self.site.names.get(text).is_some_and(|&v| float(self.scopes.var(v)))
            || text.contains('.') && text.trim_end_matches(['f', 'F', 'l', 'L']).parse::<f64>().is_ok()
    }

    /// Whether an operand is a variable that is a pointer or an array.
    fn is_address(&self, at: &Range<usize>) -> bool {
        let address = |v: &Var| {
            let shape = v.ty.filter(|_| v.storage != Storage::Other).map(|t| self.unit.shape(t));
            matches!(shape, Some(Shape::Pointer(_) | Shape::Array(..)))
        };
        self.site.names.get(self.text(at).trim()).is_some_and(|&v| address(self.scopes.var(v)))
    }

    /// Types.
    fn variable(&mut self, c: &Clause, o: &Operand) {
        let Some(v) = o.variable.as_ref().filter(|v| self.text(&v.base) == v.name) else { return };
        let Some(var) = self.site.names.get(&v.name).map(|&id| self.scopes.var(id)) else { return };
        let data = data::action(self.site.directive.kind, c.kind).is_some();
        let own = matches!(c.kind, C::Private | C::Firstprivate | C::Reduction | C::UseDevice);
        if (data || own) && var.storage == Storage::Other {
            let text = format!("`{}` in `{}` is no variable", v.name, c.kind.word());
            return self.error("E0818", &o.text, text, "name variables there");
        }
        let Some(ty) = var.ty.filter(|_| var.storage != Storage::Other) else { return };
        let shape = self.unit.shape(ty);
        let is_pointer = matches!(shape, Shape::Pointer(_)) || var.storage == Storage::Param;
        let pointers = matches!(c.kind, C::Deviceptr | C::Attach | C::Detach);
        if pointers && !is_pointer && matches!(shape, Shape::Array(..) | Shape::Number(_) | Shape::Record) {
            let text = format!("`{}` in `{}` is no pointer", v.name, c.kind.word());
            return self.error("E0818", &o.text, text, "name a pointer; arrays stand in `copy` and its relatives");
        }
        if let (C::Deviceptr | C::UseDevice, Some(s)) = (c.kind, v.sections.first()) {
            let text = format!("`{}` takes no sections", c.kind.word());
            return self.error("E0817", &s.span, text, "name the pointer or the array alone");
        }
        if c.kind == C::Reduction {
            return self.reduction(c, o, var);
        }
        if data || matches!(c.kind, C::Private | C::Firstprivate) {
            self.sections(v, var);
        }
        if data && self.site.directive.kind != Kind::Update {
            self.contiguous(v, var);
        }
        let comes = matches!(c.kind, C::Copy | C::Copyin | C::Copyout | C::Create | C::Local);
        let is_open = || data::is_open(self.unit, var, o.text.start);
        if comes && v.sections.is_empty() && self.is_for_data_alone() && is_open() {
            let text =
                format!("`{}` in `{}` has no section: how much of it there is, nobody knows", v.name, c.kind.word());
            let said = Diagnostic::warning("W0818", self.unit.span(&o.text), text).group("unknown-pragmas");
            let one = self
                .site
                .names
                .get(&v.name)
                .is_some_and(|&v| data::is_one_structure(self.unit, self.scopes, self.site, v));
            let (bounds, meant) = match (self.site.directive.inclusive, one) {
                (true, true) => ("[0:0]", "one structure"),
                (false, true) => ("[0:1]", "one structure"),
                (true, false) => ("[first:last]", "only what is on the device already"),
                (false, false) => ("[start:length]", "only what is on the device already"),
            };
            let help = format!("write `{}{bounds}`; as it is, {meant} is meant", v.name);
            self.said.push(said.help(help));
        }
    }

    /// Whether the directive is about data and no code stands in it, whose loops would tell.
    fn is_for_data_alone(&self) -> bool {
        matches!(self.site.directive.kind, Kind::Data | Kind::DataRegion | Kind::EnterData)
    }

    /// `&`, `|` and `^` are for whole numbers (2.9.11).
    fn reduction(&mut self, c: &Clause, o: &Operand, var: &Var) {
        let op = c.modifiers.first().map_or("", String::as_str);
        let Some(ty) = var.ty.map(|t| self.unit.dimensions(t).1) else { return };
        let fractions = matches!(self.unit.shape(ty), Shape::Number(BuiltinType::Float | BuiltinType::Double));
        if fractions && matches!(op, "&" | "|" | "^") {
            let text = format!("`{op}` does not reduce `{}`, which has fractions", var.name);
            self.error("E0818", &o.text, text, "`&`, `|` and `^` are for whole numbers (OpenACC 3.4, 2.9.11)");
        }
    }

    /// A section has a dimension of the array for each pair of brackets, and elements that the array has (2.7.1).
    fn sections(&mut self, v: &Variable, var: &Var) {
        let Some(mut ty) = var.ty else { return };
        for (n, s) in v.sections.iter().enumerate() {
            if let Some(at) = [&s.lower, &s.upper].into_iter().flatten().find(|at| self.has_fractions(at)) {
                let text = format!("the bound `{}` has fractions", self.text(at).trim());
                return self.error("E0817", at, text, "write a whole number there");
            }
            if let Some(at) = [&s.lower, &s.upper].into_iter().flatten().find(|at| self.is_address(at)) {
                let text = format!("the bound `{}` is an address", self.text(at).trim());
                return self.error("E0817", at, text, "write a whole number there");
            }
            let shape = self.unit.shape(ty);
            // The outermost extent of a parameter is a pointer's.
            let is_param = n == 0 && var.storage == Storage::Param;
            let (next, extent, is_pointer) = match shape {
                Shape::Pointer(p) => (p, None, true),
                Shape::Array(e, extent) => (e, extent.filter(|_| !is_param), false),
                Shape::Number(_) | Shape::Enum | Shape::Record => {
                    let text = match n {
                        0 => format!("`{}` is no array, and has a section", var.name),
                        1 => format!("`{}` has one dimension, and its section {}", var.name, v.sections.len()),
                        _ => format!("`{}` has {n} dimensions, and its section {}", var.name, v.sections.len()),
                    };
                    return self.error("E0817", &s.span, text, "write as many brackets as the array has dimensions");
                }
                Shape::Other => return,
            };
            if is_pointer && s.is_range && s.upper.is_none() {
                let text = format!("how long the section of pointer `{}` is, nobody knows", var.name);
                return self.error("E0817", &s.span, text, "write the length: `[start:length]` (OpenACC 3.4, 2.7.1)");
            }
            if let Some(extent) = extent {
                self.extent(var, s, n, extent);
            }
            ty = next;
        }
    }

    /// What is data is one piece of memory: rows of an array are whole where there are several of them (2.7.1). Rows that are
    /// pointed to are pieces of their own.
    fn contiguous(&mut self, v: &Variable, var: &Var) {
        let Some(mut ty) = var.ty else { return };
        let value = |at: &Range<usize>| constant::of_operand(self.unit, self.scopes, self.site, at);
        let mut several = false;
        for (n, s) in v.sections.iter().enumerate() {
            let (next, extent) = match self.unit.shape(ty) {
                Shape::Pointer(p) => (p, None),
                Shape::Array(e, extent) => (e, extent.filter(|_| n > 0 || var.storage != Storage::Param)),
                _ => return,
            };
            let lower = s.lower.as_ref().map_or(Some(0), value);
            let count = match (&s.upper, lower, extent) {
                _ if !s.is_range => Some(1),
                (Some(at), Some(lower), _) if self.site.directive.inclusive => value(at).map(|u| u - lower + 1),
                (Some(at), ..) => value(at),
                (None, Some(lower), Some(extent)) => Some(i128::from(extent) - lower),
                (None, ..) => None,
            };
            let part = extent.zip(count).filter(|&(e, c)| several && n > 0 && c < i128::from(e));
            if let Some((extent, count)) = part {
                let text = format!(
                    "the section has {count} of {extent} elements of several rows of `{}`: it is not one piece",
                    var.name
                );
                let help = "name whole rows, `[0:extent]`, in all dimensions but the first (OpenACC 3.4, 2.7.1)";
                return self.error("E0817", &s.span, text, help);
            }
            let apart = matches!(self.unit.shape(next), Shape::Pointer(_));
            several = !apart && (several || count.is_some_and(|c| c > 1));
            ty = next;
        }
    }

    /// One dimension whose extent is constant. A program with such a section ends when it is transferred, unless it never is.
    fn extent(&mut self, var: &Var, s: &Section, n: usize, extent: u64) {
        let value = |at: &Range<usize>| constant::of_operand(self.unit, self.scopes, self.site, at);
        let Some(lower) = s.lower.as_ref().map_or(Some(0), value) else { return };
        let last = match s.upper.as_ref() {
            Some(at) if s.is_range => match value(at) {
                Some(upper) if self.site.directive.inclusive => upper,
                Some(count) => lower.saturating_add(count) - 1,
                None => return,
            },
            _ => lower,
        };
        if lower >= 0 && last < i128::from(extent) {
            return;
        }
        let place = if n == 0 { String::new() } else { format!(" of dimension {}", n + 1) };
        let text = format!(
            "the section has elements {lower} to {last}{place} of `{}`, which has 0 to {}",
            var.name,
            i128::from(extent) - 1
        );
        let help = match self.site.directive.inclusive {
            true => "bounds are `[lower:upper]` here, the upper one included",
            false => "sections are `[start:length]`",
        };
        let said = Diagnostic::warning("W0811", self.unit.span(&s.span), text).group("array-bounds");
        self.said.push(said.help(help.to_owned()));
    }

    /// The statement behind `atomic` (2.12).
    fn atomic(&mut self) {
        if atomic::writes_update(self.unit, self.site) {
            let at = self.unit.span(&self.site.directive.span);
            let text = "`atomic write` before an update; taken as `atomic update`";
            let said = Diagnostic::warning("W0816", at, text).group("ignored-pragmas");
            self.said.push(said.help("it is for `x = expression;` (OpenACC 3.4, 2.12)"));
        }
        if let Some(text) = atomic::misformed(self.unit, self.scopes, self.site) {
            let at = self.site.target.map_or(self.site.directive.span.clone(), |t| {
                let at = self.unit.range(self.unit.ast[t].span);
                // The first line is enough.
                at.start..at.start + self.text(&at).lines().next().map_or(0, str::len)
            });
            self.error("E0819", &at, text, "it is an operation on one place in memory (OpenACC 3.4, 2.12)");
        }
    }

    /// Whether a name at file scope is a variable's.
    fn is_variable(&self, name: &str) -> bool {
        let var = self.site.names.get(name).map(|&v| self.scopes.var(v));
        var.is_some_and(|v| v.storage != Storage::Other)
    }

    /// How many names the declaration behind `routine` declares; 0 where the directive has a name of its own.
    fn declared_behind(&self, d: &directives::Directive) -> usize {
        if d.all(C::Bind).any(|c| routine::is_name(&c.modifiers)) {
            return 0;
        }
        let i = self.unit.externals.partition_point(|r| r.start < d.span.end);
        self.unit.declared.iter().filter(|(name, at)| at.contains(&i) && !name.contains(' ')).count()
    }

    /// The function that `routine` is about (2.15.1).
    fn routine(&mut self) {
        let d = &self.site.directive;
        let others = self.declared_behind(d);
        match routine::named(self.unit, d) {
            Some(name) if self.is_variable(&name) => {
                let text = format!("`{name}` in `routine` is no function");
                self.error("E0818", &d.span.clone(), text, "name a function");
            }
            Some(_) if others > 1 => {
                let text = format!("`routine` has {others} functions behind it, and is about one");
                self.error("E0815", &d.span.clone(), text, "declare them one by one, or write `routine(name)`");
            }
            Some(name) if self.unit.declared.contains_key(&name) || self.site.names.contains_key(&name) => {}
            Some(name) => {
                let text = format!("`{name}` in `routine` is not declared");
                self.error(
                    "E0814",
                    &d.span.clone(),
                    text,
                    "name a function of this file, or one that is declared here",
                );
            }
            None => {
                let text = "`routine` needs a function behind it".to_owned();
                self.error(
                    "E0815",
                    &d.span.clone(),
                    text,
                    "move it to the line before a function, or write `routine(name)`",
                );
            }
        }
    }
}

/// Names and numbers in an expression.
fn values(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '.')) {
        match out.last_mut() {
            Some(r) if r.end == at => r.end += c.len_utf8(),
            _ => out.push(at..at + c.len_utf8()),
        }
    }
    out.retain(|r| text[r.clone()] != *".");
    out
}

/// The code of [`left_to_the_host`].
const LEFT: &str = "W0812";

/// Of directives that are wrong nobody needs to know who runs them.
pub(crate) fn forget_the_host<'a>(wrong: impl IntoIterator<Item = &'a Diagnostic>, said: &mut Vec<Diagnostic>) {
    if wrong.into_iter().any(|d| d.severity == source::Severity::Error) {
        said.retain(|d| d.code != LEFT);
    }
}

/// The warning that a region is left to the host.
pub(crate) fn left_to_the_host(unit: &Unit, site: &Site, why: &str) -> Option<Diagnostic> {
    region::construct(site.directive.kind)?;
    let text = format!("this region is left to the host: {why}");
    let said = Diagnostic::warning(LEFT, unit.span(&site.directive.span), text).group("ignored-pragmas");
    Some(said.help("its results are the same there; `-Wno-ignored-pragmas` turns this off".to_owned()))
}
