//! A directive's line to a [`Directive`].

use crate::lex::{Token, tokens};
use crate::table::Shape;
use crate::{Clause, ClauseKind, Directive, Kind, Operand, Section, Text, Variable};
use source::{Diagnostic, Span, words};

/// Most clauses of a directive, and operands of a clause: a bound on hostile input.
const MAX_LIST: usize = 4096;

/// Parses the line at `span` of `file` (from `#` to its end), which begins with `#pragma acc`.
///
/// `span_of` turns ranges of bytes into places of diagnostics. `None` if it is no directive that is known, which has then
/// been reported.
pub fn parse(
    file: &str,
    span: Text,
    span_of: &dyn Fn(&Text) -> Span,
    report: &mut dyn FnMut(Diagnostic),
) -> Option<Directive> {
    let all = tokens(file.get(span.clone())?, span.start);
    // `#`, `pragma` and `acc` are known to be there.
    let list = all.get(3..)?;
    let mut p = Parser { file, list, at: 0, end: span.end, span_of, report };
    p.directive(span)
}

struct Parser<'a, 'r> {
    file: &'a str,
    list: &'a [(Token, Text)],
    at: usize,
    end: usize,
    span_of: &'r dyn Fn(&Text) -> Span,
    report: &'r mut dyn FnMut(Diagnostic),
}

impl Parser<'_, '_> {
    fn text(&self, at: usize) -> &str {
        self.list.get(at).map_or("", |(_, t)| &self.file[t.clone()])
    }

    fn here(&self) -> Text {
        self.list.get(self.at).map_or(self.end..self.end, |(_, t)| t.clone())
    }

    fn is(&self, punct: u8) -> bool {
        self.list.get(self.at).is_some_and(|(k, _)| *k == Token::Punct(punct))
    }

    fn take(&mut self, punct: u8) -> bool {
        let there = self.is(punct);
        self.at += usize::from(there);
        there
    }

    fn error(&mut self, code: &'static str, at: &Text, message: String, help: Option<String>) {
        let d = Diagnostic::error(code, (self.span_of)(at), message);
        (self.report)(match help {
            Some(h) => d.help(h),
            None => d,
        });
    }

    fn warning(&mut self, code: &'static str, at: &Text, message: String, help: Option<String>) {
        let d = Diagnostic::warning(code, (self.span_of)(at), message).group("unknown-pragmas");
        (self.report)(match help {
            Some(h) => d.help(h),
            None => d,
        });
    }

    fn directive(&mut self, span: Text) -> Option<Directive> {
        let found = Kind::ALL
            .iter()
            .copied()
            .find(|k| k.words().split(' ').enumerate().all(|(i, w)| self.text(self.at + i) == w));
        let Some(kind) = found else {
            let at = self.here();
            let word = self.text(self.at).to_owned();
            let names = Kind::ALL.iter().flat_map(|k| k.words().split(' '));
            let near = words::nearest(&word, names).map(|n| format!("did you mean `{n}`?"));
            let what = if word.is_empty() {
                "`#pragma acc` without a directive".to_owned()
            } else {
                format!("unknown directive `{word}`")
            };
            self.warning("W0801", &at, format!("{what}; ignored"), near);
            return None;
        };
        self.at += kind.words().split(' ').count();
        let mut clauses = Vec::new();
        // `wait(queues)`, `cache(variables)` and `routine(name)` have operands of their own.
        if matches!(kind, Kind::Wait | Kind::CacheDirective | Kind::Routine) && self.is(b'(') {
            let (own, shape) = match kind {
                Kind::Wait => (ClauseKind::Wait, Shape::MaybeExprs),
                Kind::CacheDirective => (ClauseKind::Cache, Shape::Vars),
                _ => (ClauseKind::Bind, Shape::Words),
            };
            let start = self.here().start;
            if let Some(mut c) = self.parenthesised(own, shape, start) {
                if kind == Kind::Routine {
                    c.modifiers.push("name".to_owned());
                }
                clauses.push(c);
            }
        }
        let device_types = self.clauses(kind, &mut clauses);
        let inclusive = matches!(kind, Kind::Region | Kind::RegionFor | Kind::DataRegion | Kind::For);
        Some(Directive { kind, span, clauses, inclusive, device_types })
    }

    /// Reads the clauses; the types of devices that they are for.
    fn clauses(&mut self, kind: Kind, out: &mut Vec<Clause>) -> Vec<String> {
        let (mut device_types, mut all): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        while self.at < self.list.len() && out.len() < MAX_LIST {
            let at = self.here();
            if self.take(b',') {
                self.lonely_comma(&at);
                continue;
            }
            let word = self.text(self.at).to_owned();
            let Some(&(_, clause)) = ClauseKind::WORDS.iter().find(|(w, _)| *w == word) else {
                self.unknown_clause(kind, &word, &at);
                continue;
            };
            self.at += 1;
            let dimension = self.dimension(&word);
            if !kind.clauses().contains(&clause) {
                let takes: Vec<&str> = kind.clauses().iter().map(|c| c.word()).collect();
                let message = format!("`{word}` is no clause of `{}`", kind.words());
                self.error("E0802", &at, message, Some(format!("it takes {}", takes.join(", "))));
                self.skip_operands();
                continue;
            }
            let shape = match (kind, clause) {
                (Kind::Update, ClauseKind::SelfClause) => Shape::Vars,
                (_, ClauseKind::SelfClause) => Shape::MaybeExpr,
                (Kind::For | Kind::RegionFor, ClauseKind::Host) => Shape::MaybeExpr,
                _ => clause.shape(),
            };
            let Some(mut c) = self.one(clause, shape, at.clone()) else { continue };
            if dimension {
                c.modifiers.push("dim".to_owned());
            }
            if clause == ClauseKind::DeviceType {
                self.known_types(&c);
                device_types = c.operands.iter().map(|o| self.file[o.text.clone()].to_owned()).collect();
                all.extend(device_types.iter().cloned());
                continue;
            }
            if crate::device::may_differ(clause) {
                c.device_types.clone_from(&device_types);
            } else if !device_types.is_empty() && !matches!(kind, Kind::Init | Kind::Shutdown | Kind::Set) {
                let message = format!("`{word}` cannot be for one type of device; it is for all");
                self.warning("W0807", &at, message, Some("write it before `device_type`".to_owned()));
            }
            // The name of `routine(name)` is no clause.
            let same = |o: &Clause| o.kind == clause && o.device_types == c.device_types && o.modifiers != ["name"];
            let repeated = out.iter().any(same);
            // Several gangs are of several dimensions.
            let is_dim = |o: &Operand| o.keyword.as_deref() == Some("dim");
            let plain = |o: &Clause| !o.modifiers.iter().any(|m| m == "dim") && !o.operands.iter().any(is_dim);
            let twice = clause == ClauseKind::Gang && plain(&c) && out.iter().any(|o| same(o) && plain(o));
            // `self` is a condition everywhere but on `update`, where it is a list.
            let twice = twice || clause == ClauseKind::SelfClause && kind != Kind::Update && repeated;
            if repeated && !clause.repeats() || twice {
                if dimension {
                    // As many gangs as the dimensions have together; of other clauses the first counts.
                    let first = out.iter_mut().find(|o| same(o)).filter(|_| clause == ClauseKind::NumGangs);
                    if let Some(first) = first {
                        first.operands.extend_from_slice(&c.operands);
                    }
                    continue;
                }
                self.error(
                    "E0803",
                    &at,
                    format!("`{word}` stands twice on one directive"),
                    Some("keep one".to_owned()),
                );
                continue;
            }
            out.push(c);
        }
        all
    }

    /// Warns of a comma without a clause behind it: at a line's end it mostly says that the next line was meant, too.
    fn lonely_comma(&mut self, at: &Text) {
        let (message, help) = if self.at == self.list.len() {
            let message = "the directive ends with a comma: what stands in the next line is no part of it";
            (message, "a directive that goes on in the next line has `\\` at the end of this one")
        } else if self.is(b',') {
            ("a clause is missing between two commas", "remove one of them")
        } else {
            return;
        };
        self.warning("W0814", at, message.to_owned(), Some(help.to_owned()));
    }

    /// Types of devices that nobody has: what is meant for them would hold nowhere.
    fn known_types(&mut self, c: &Clause) {
        for o in &c.operands {
            let word = &self.file[o.text.clone()];
            if crate::device::TYPES.contains(&word) {
                continue;
            }
            // `cpu` is not meant to be `gpu`.
            let near = words::nearest(word, crate::device::TYPES).filter(|_| word.len() > 3);
            let help = near.map_or_else(
                || format!("it is one of {}", crate::device::TYPES.join(", ")),
                |n| format!("did you mean `{n}`?"),
            );
            let message = format!("unknown type of device `{word}`; no device here is one");
            self.warning("W0809", &o.text, message, Some(help));
        }
    }

    /// `[0]` behind a clause's name, which says a dimension of the device in CAPS' and the University of La Laguna's compilers.
    fn dimension(&mut self, clause: &str) -> bool {
        if !self.is(b'[') {
            return false;
        }
        let at = self.here();
        self.at = self.closing(self.at).map_or(self.list.len(), |c| c + 1);
        let (what, help) = match clause {
            "num_gangs" => ("is one of the clause's numbers", "write `num_gangs(m, n)`"),
            _ => ("is ignored", "write the clause without brackets, once"),
        };
        let message = format!("`{clause}` has a dimension in brackets, which OpenACC has not; the dimension {what}");
        self.warning("W0806", &at, message, Some(help.to_owned()));
        true
    }

    fn unknown_clause(&mut self, kind: Kind, word: &str, at: &Text) {
        let names =
            kind.clauses().iter().flat_map(|&c| ClauseKind::WORDS.iter().filter(move |(_, k)| *k == c).map(|w| w.0));
        // The second word of a combined directive looks like a clause where it is misspelt.
        let combined = matches!(kind, Kind::Parallel | Kind::Kernels | Kind::Serial).then_some("loop");
        let near = words::nearest(word, names.chain(combined)).map(|n| format!("did you mean `{n}`?"));
        self.warning("W0802", at, format!("unknown clause `{word}` of `{}`; ignored", kind.words()), near);
        self.at += 1;
        self.skip_operands();
    }

    /// Skips what stands in parentheses.
    fn skip_operands(&mut self) {
        if self.is(b'(') {
            self.at = self.closing(self.at).map_or(self.list.len(), |c| c + 1);
        }
    }

    /// Index of the bracket that closes the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (i, (kind, _)) in self.list.iter().enumerate().skip(open) {
            match kind {
                Token::Punct(b'(' | b'[' | b'{') => depth += 1,
                Token::Punct(b')' | b']' | b'}') => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(i);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn one(&mut self, clause: ClauseKind, shape: Shape, name: Text) -> Option<Clause> {
        let bare = Clause {
            kind: clause,
            span: name.clone(),
            modifiers: Vec::new(),
            operands: Vec::new(),
            device_types: Vec::new(),
        };
        if !self.is(b'(') {
            if matches!(shape, Shape::None | Shape::MaybeExpr | Shape::MaybeExprs) {
                return Some(bare);
            }
            let message = format!("`{}` needs operands in parentheses", clause.word());
            self.error("E0804", &name, message, None);
            return None;
        }
        if shape == Shape::None {
            let at = self.here();
            self.error("E0805", &at, format!("`{}` takes no operands", clause.word()), Some("remove them".to_owned()));
            self.skip_operands();
            return Some(bare);
        }
        self.parenthesised(clause, shape, name.start)
    }

    /// The operands, the current token being `(`.
    fn parenthesised(&mut self, clause: ClauseKind, shape: Shape, start: usize) -> Option<Clause> {
        let open = self.here();
        let Some(close) = self.closing(self.at) else {
            self.error("E0806", &open, "`(` without its `)`".to_owned(), None);
            self.at = self.list.len();
            return None;
        };
        self.at += 1;
        let span = start..self.list[close].1.end;
        let mut c =
            Clause { kind: clause, span, modifiers: Vec::new(), operands: Vec::new(), device_types: Vec::new() };
        self.modifiers(&mut c, shape, close);
        while self.at < close && c.operands.len() < MAX_LIST {
            let end = self.operand_end(close);
            if end == self.at {
                let at = self.here();
                self.error("E0807", &at, format!("an operand of `{}` is missing", clause.word()), None);
            } else if let Some(o) = self.operand(shape, end) {
                c.operands.push(o);
            }
            self.at = if end < close { end + 1 } else { close };
            if end < close && self.at == close {
                let at = self.list[end].1.clone();
                let message = format!("an operand of `{}` is missing behind the comma", clause.word());
                self.error("E0807", &at, message, Some("remove the comma".to_owned()));
            }
        }
        self.at = close + 1;
        let single = matches!(shape, Shape::Expr | Shape::MaybeExpr);
        if c.operands.is_empty() || single && c.operands.len() > 1 {
            let wanted = if single { "one operand" } else { "operands" };
            self.error(
                "E0804",
                &c.span.clone(),
                format!("`{}` needs {wanted} in its parentheses", clause.word()),
                None,
            );
            return None;
        }
        Some(c)
    }

    /// `zero:`, `always, readonly:`, `force:`, `+:` in front of the list.
    fn modifiers(&mut self, c: &mut Clause, shape: Shape, close: usize) {
        let colon = (self.at..close)
            .take_while(|&i| !matches!(self.list[i].0, Token::Punct(b'(' | b'[')))
            .find(|&i| self.list[i].0 == Token::Punct(b':'));
        let lists = matches!(shape, Shape::Vars | Shape::Reduction);
        // `collapse(force: 2)`, and not `collapse(DEEP ? 2 : 1)`.
        let forced = |colon: usize| c.kind == ClauseKind::Collapse && colon == self.at + 1;
        if let Some(colon) = colon.filter(|&i| lists || forced(i)) {
            let word = |i: usize| self.text(i).to_owned();
            c.modifiers = (self.at..colon).map(word).filter(|w| w != ",").collect();
            self.at = colon + 1;
        }
        if shape != Shape::Reduction {
            return;
        }
        let mut operator = c.modifiers.concat();
        if operator == "-" {
            // OpenMP's, where it means the same as `+`.
            let at = c.span.clone();
            let help = "write `+`: OpenACC has no `-`, and OpenMP's sums as `+` does".to_owned();
            self.warning("W0805", &at, "`-` is no operator of `reduction`; taken as `+`".to_owned(), Some(help));
            "+".clone_into(&mut operator);
        }
        c.modifiers = vec![operator.clone()];
        if !matches!(operator.as_str(), "+" | "*" | "max" | "min" | "&" | "|" | "^" | "&&" | "||") {
            let at = c.span.clone();
            let help = "it is one of +, *, max, min, &, |, ^, &&, ||".to_owned();
            let what = if operator.is_empty() {
                "`reduction` needs an operator and a colon before its variables".to_owned()
            } else {
                format!("`{operator}` is no operator of `reduction`")
            };
            self.error("E0808", &at, what, Some(help));
        }
    }

    /// Index of the comma or closing parenthesis behind the operand that begins here.
    fn operand_end(&self, close: usize) -> usize {
        let mut i = self.at;
        while i < close {
            match self.list[i].0 {
                Token::Punct(b',') => return i,
                Token::Punct(b'(' | b'[' | b'{') => i = self.closing(i).map_or(close, |c| c + 1),
                _ => i += 1,
            }
        }
        close
    }

    fn operand(&mut self, shape: Shape, end: usize) -> Option<Operand> {
        let mut from = self.at;
        let mut keyword = None;
        let is_colon = |i: usize| self.list.get(i).is_some_and(|(k, _)| *k == Token::Punct(b':'));
        if !matches!(shape, Shape::Vars | Shape::Reduction) && self.list[from].0 == Token::Word && is_colon(from + 1) {
            keyword = Some(self.text(from).to_owned());
            from += 2;
            // `devnum: 0 : queues: 1`
            if keyword.as_deref() == Some("devnum")
                && let Some(next) = (from..end).find(|&i| is_colon(i))
            {
                from = next + 1;
                if is_colon(from + 1) {
                    from += 2;
                }
            }
        }
        if from >= end {
            return None;
        }
        let text = self.list[from].1.start..self.list[end - 1].1.end;
        let variable = self.variable(from, end);
        if variable.is_none() && matches!(shape, Shape::Vars | Shape::Reduction) {
            let written = &self.file[text.clone()];
            let message = format!("`{written}` is no variable");
            self.error(
                "E0809",
                &text,
                message,
                Some("a list has names, members and sections: `a`, `s.b`, `a[0:n]`".to_owned()),
            );
            return None;
        }
        Some(Operand { text, keyword, variable })
    }

    /// `a`, `s->x`, `a[lo:n]`
    fn variable(&self, from: usize, end: usize) -> Option<Variable> {
        let mut i = from;
        if self.list[i].0 != Token::Word {
            return None;
        }
        let name = self.text(i).to_owned();
        i += 1;
        while i < end && matches!(self.text(i), "." | "->") && self.list.get(i + 1).is_some_and(|t| t.0 == Token::Word)
        {
            i += 2;
        }
        let mut base = self.list[from].1.start..self.list[i - 1].1.end;
        let mut sections = Vec::new();
        while i < end && self.list[i].0 == Token::Punct(b'[') {
            let close = self.closing(i).filter(|&c| c < end)?;
            sections.push(self.section(i, close));
            i = close + 1;
            // `a[0].b[0:n]`: what is before the last member is part of the base.
            while i < end
                && matches!(self.text(i), "." | "->")
                && self.list.get(i + 1).is_some_and(|t| t.0 == Token::Word)
            {
                i += 2;
                base.end = self.list[i - 1].1.end;
                sections.clear();
            }
        }
        (i == end).then_some(Variable { name, base, sections })
    }

    fn section(&self, open: usize, close: usize) -> Section {
        let range = |from: usize, to: usize| (from < to).then(|| self.list[from].1.start..self.list[to - 1].1.end);
        let mut depth = 0usize;
        let mut questions = 0usize;
        let colon = (open + 1..close).find(|&i| {
            match self.list[i].0 {
                Token::Punct(b'(' | b'[') => depth += 1,
                Token::Punct(b')' | b']') => depth = depth.saturating_sub(1),
                Token::Punct(b'?') if depth == 0 => questions += 1,
                Token::Punct(b':') if depth == 0 => {
                    if questions == 0 {
                        return true;
                    }
                    questions -= 1;
                }
                _ => {}
            }
            false
        });
        let span = self.list[open].1.start..self.list[close].1.end;
        match colon {
            Some(c) => Section { span, lower: range(open + 1, c), upper: range(c + 1, close), is_range: true },
            None => Section { span, lower: range(open + 1, close), upper: None, is_range: false },
        }
    }
}
