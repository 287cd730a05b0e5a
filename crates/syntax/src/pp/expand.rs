//! Macro expansion.
//!
//! Tokens come from a stack of [`Context`]s, below them the file. Expanding a macro pushes a context with its body; while
//! that is on the stack the macro is *active* and its name, when met, is marked [`TokenFlags::NO_EXPAND`] for good. The
//! arguments of a function-like macro are read through the same stack, so that a call may begin in a body and end after
//! it, and are expanded on their own behind a *barrier* that no reading passes.

use super::define::va_opt_end;
use super::macros::{MacroKind, Variadic};
use super::operands::{append_argument, remove_placemarkers, stringify};
use super::{Preprocessor, TokenKind as K};
use crate::lex::scan;
use crate::{Token, TokenFlags};
use smallvec::SmallVec;
use source::{Diagnostic, Expansion, ExpnId, Span};

/// Token buffers kept for reuse, at most.
const POOL: usize = 32;

/// Where a context's tokens lie.
enum Tokens {
    /// In the macro table: the body of a macro without parameters, from here up to there.
    Body(u32, u32),
    /// In a buffer, from here on.
    Buffer(Vec<Token>, usize),
}

/// A source of tokens above the file.
pub(super) struct Context {
    tokens: Tokens,
    /// The macro that is active as long as this lasts.
    active: Option<u32>,
    /// What the spans of a body become.
    place: Place,
    /// Flags of the first token: how the macro's name stood in the text.
    first: Option<TokenFlags>,
    /// The end of a macro argument: it gives [`TokenKind::EndOfArg`] for ever.
    barrier: bool,
}

/// What becomes of the spans of a macro's body.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// As they are.
    Keep,
    /// Out of this expansion.
    Expansion(ExpnId),
    /// The body is no file's text: the use of the macro stands for it.
    Use(Span),
}

impl Place {
    #[inline]
    fn apply(self, span: Span) -> Span {
        match self {
            Self::Keep => span,
            Self::Expansion(expn) => Span { expn, ..span },
            Self::Use(at) => at,
        }
    }
}

/// A call's arguments: all tokens, and the range of each argument.
struct Args {
    tokens: Vec<Token>,
    ranges: SmallVec<[(u32, u32); 8]>,
    /// The expansions of those that were asked for.
    expanded: SmallVec<[Option<(u32, u32)>; 8]>,
    expansions: Vec<Token>,
}

impl Args {
    fn raw(&self, i: usize) -> &[Token] {
        self.ranges.get(i).map_or(&[], |r| &self.tokens[r.0 as usize..r.1 as usize])
    }
}

impl Preprocessor<'_> {
    /// The next token of the contexts; `None` when all are used up.
    #[inline]
    pub(super) fn context_token(&mut self) -> Option<Token> {
        loop {
            if self.fatal {
                return None;
            }
            let c = self.contexts.last_mut()?;
            let next = match &mut c.tokens {
                Tokens::Body(at, end) if *at < *end => {
                    *at += 1;
                    Some(self.macros.bodies[*at as usize - 1])
                }
                Tokens::Buffer(b, at) if *at < b.len() => {
                    *at += 1;
                    Some(b[*at - 1])
                }
                _ => None,
            };
            if let Some(mut t) = next {
                t.span = c.place.apply(t.span);
                if let Some(flags) = c.first.take() {
                    t.flags = with_position(t.flags, flags);
                }
                return Some(t);
            }
            if c.barrier {
                return Some(Token::punct(K::EndOfArg, Span::NONE));
            }
            self.pop_context();
        }
    }

    fn pop_context(&mut self) {
        let Some(c) = self.contexts.pop() else { return };
        if let Some(m) = c.active {
            self.macros.macros[m as usize].active = false;
        }
        if let Tokens::Buffer(b, _) = c.tokens {
            self.recycle(b);
        }
    }

    fn recycle(&mut self, mut b: Vec<Token>) {
        if self.pool.len() < POOL && b.capacity() <= 1 << 16 {
            b.clear();
            self.pool.push(b);
        }
    }

    fn buffer(&mut self) -> Vec<Token> {
        self.pool.pop().unwrap_or_default()
    }

    /// The next token, not expanded: of the contexts, then of the file.
    pub(super) fn next_unexpanded(&mut self) -> Token {
        if let Some(t) = self.context_token() {
            return t;
        }
        if self.fatal { Token::punct(K::Eof, Span::NONE) } else { self.lex() }
    }

    /// The next token, macros expanded.
    pub(super) fn next_expanded(&mut self) -> Token {
        loop {
            let t = self.next_unexpanded();
            if t.kind != K::Ident {
                return t;
            }
            if let Some(t) = self.try_expand(t) {
                return t;
            }
        }
    }

    /// Counts tokens made by expansion; false when there are too many.
    fn spend(&mut self, tokens: usize, at: Span) -> bool {
        self.expanded_tokens += tokens + 1;
        if self.expanded_tokens > self.opts.limits.expanded_tokens {
            self.exceeded(
                at,
                "macro expansion makes too many tokens",
                "a macro that doubles its argument over and over grows without bound; expand less",
            );
        }
        !self.fatal
    }

    /// Expands `t` if it is a macro that can be expanded here; gives it back if not, marked if it never can.
    pub(super) fn try_expand(&mut self, mut t: Token) -> Option<Token> {
        if t.flags.has(TokenFlags::NO_EXPAND) {
            return Some(t);
        }
        let Some(index) = self.lookup(t.sym).macro_index() else { return Some(t) };
        let m = self.macros.get(index);
        // A program's `N`, `T` or `A` is none of the names in our headers, as the names in others are reserved ones.
        let foreign = !m.own && !m.predefined && !m.name.starts_with('_');
        if foreign && self.files.last().is_some_and(|f| f.own) {
            return Some(t);
        }
        if m.active {
            t.flags = t.flags.with(TokenFlags::NO_EXPAND);
            return Some(t);
        }
        match m.kind {
            MacroKind::Object => self.enter_object(index, t),
            MacroKind::Function => {
                if !self.call_follows() {
                    return Some(t);
                }
                self.enter_function(index, t)
            }
            MacroKind::Builtin(b) => self.expand_builtin(b, t),
            MacroKind::Poisoned => {
                self.report_poisoned(t);
                Some(t)
            }
        }
    }

    /// Whether the next token is `(`, looking through contexts that end.
    fn call_follows(&self) -> bool {
        for c in self.contexts.iter().rev() {
            let next = match &c.tokens {
                Tokens::Body(at, end) => (at < end).then(|| self.macros.bodies[*at as usize]),
                Tokens::Buffer(b, at) => b.get(*at).copied(),
            };
            match next {
                Some(t) => return t.kind == K::LParen,
                None if c.barrier => return false,
                None => {}
            }
        }
        self.files.last().is_some_and(|f| f.lexer.next_is_lparen(&self.session.sources.file(f.id).text))
    }

    /// Records the expansion of a macro at `t` and says what its body's spans become.
    fn place(&mut self, index: u32, t: Token) -> Place {
        let m = self.macros.get(index);
        if m.predefined {
            return Place::Use(t.span);
        }
        self.expansions += 1;
        if self.expansions > self.opts.limits.expansions {
            self.exceeded(t.span, "too many macro expansions", "expand less");
            return Place::Use(t.span);
        }
        let e = Expansion { name: m.name.clone(), call_site: t.span, def_site: m.def_site };
        Place::Expansion(self.session.sources.add_expansion(e))
    }

    fn enter_object(&mut self, index: u32, name: Token) -> Option<Token> {
        let place = self.place(index, name);
        let m = self.macros.get(index);
        let (body, has_paste) = (m.body, m.has_paste);
        let len = (body.1 - body.0) as usize;
        if !self.spend(len, name.span) || len == 0 {
            return None;
        }
        // A constant, nearly always.
        let only = self.macros.bodies[body.0 as usize];
        if len == 1 && only.kind != K::Ident {
            let flags = with_position(only.flags, name.flags);
            return Some(Token { flags, span: place.apply(only.span), ..only });
        }
        let tokens = if has_paste {
            let mut out = self.buffer();
            self.substitute(index, body, place, None, &mut out);
            remove_placemarkers(&mut out);
            Tokens::Buffer(out, 0)
        } else {
            Tokens::Body(body.0, body.1)
        };
        let place = if has_paste { Place::Keep } else { place };
        self.push_context(tokens, index, place, name.flags);
        None
    }

    fn push_context(&mut self, tokens: Tokens, index: u32, place: Place, first: TokenFlags) {
        self.macros.macros[index as usize].active = true;
        self.contexts.push(Context { tokens, active: Some(index), place, first: Some(first), barrier: false });
    }

    fn enter_function(&mut self, index: u32, mut name: Token) -> Option<Token> {
        let Some(mut args) = self.collect_args(index, name) else {
            name.flags = name.flags.with(TokenFlags::NO_EXPAND);
            return if self.fatal { None } else { Some(name) };
        };
        let place = self.place(index, name);
        let body = self.macros.get(index).body;
        let mut out = self.buffer();
        self.substitute(index, body, place, Some(&mut args), &mut out);
        remove_placemarkers(&mut out);
        self.recycle(args.tokens);
        self.recycle(args.expansions);
        if !self.spend(out.len(), name.span) || out.is_empty() {
            self.recycle(out);
            return None;
        }
        self.push_context(Tokens::Buffer(out, 0), index, Place::Keep, name.flags);
        None
    }

    /// Reads the arguments of a call, `(` to `)`. `None` after an error.
    fn collect_args(&mut self, index: u32, name: Token) -> Option<Args> {
        let m = self.macros.get(index);
        let (params, variadic) = (m.params.len(), m.variadic != Variadic::No);
        let mut tokens = self.buffer();
        let mut ranges = SmallVec::new();
        let mut start = 0;
        let (mut depth, mut in_pragma) = (0usize, false);
        let open = self.next_unexpanded();
        loop {
            let mut t = self.next_unexpanded();
            match t.kind {
                K::Eof | K::EndOfDirective | K::EndOfArg => {
                    if !self.fatal {
                        self.report_unterminated(index, name, open);
                    }
                    self.recycle(tokens);
                    return None;
                }
                K::Hash if t.flags.has(TokenFlags::START_OF_LINE) && t.span.expn.is_none() && self.at_file_level() => {
                    if let Some(mut pragma) = self.directive(t, true) {
                        tokens.append(&mut pragma);
                    }
                    continue;
                }
                K::LParen => depth += 1,
                K::RParen if depth == 0 => break,
                K::RParen => depth -= 1,
                K::Pragma => in_pragma = true,
                K::EndPragma => in_pragma = false,
                K::Comma if depth == 0 && !in_pragma && !(variadic && ranges.len() + 1 == params) => {
                    ranges.push((start, tokens.len() as u32));
                    start = tokens.len() as u32;
                    continue;
                }
                K::Ident => {
                    if let Some(i) = self.macros.slot(t.sym).macro_index()
                        && self.macros.get(i).active
                    {
                        t.flags = t.flags.with(TokenFlags::NO_EXPAND);
                    }
                }
                _ => {}
            }
            if t.flags.has(TokenFlags::START_OF_LINE) {
                t.flags = t.flags.without(TokenFlags::START_OF_LINE).with(TokenFlags::LEADING_SPACE);
            }
            tokens.push(t);
            if tokens.len() >= self.opts.limits.output_tokens {
                self.exceeded(name.span, "a macro's argument has too many tokens", "split the call");
            }
        }
        ranges.push((start, tokens.len() as u32));
        if params == 0 && ranges.len() == 1 && tokens.is_empty() {
            ranges.clear();
        }
        let spent = tokens.len();
        if !self.check_count(index, name, ranges.len()) || !self.spend(spent, name.span) {
            self.recycle(tokens);
            return None;
        }
        let expanded = SmallVec::from_elem(None, ranges.len());
        let expansions = self.buffer();
        Some(Args { tokens, ranges, expanded, expansions })
    }

    /// Whether tokens come from the file, not from a macro.
    fn at_file_level(&self) -> bool {
        self.contexts.is_empty()
    }

    fn report_unterminated(&mut self, index: u32, name: Token, open: Token) {
        let m = self.macros.get(index);
        let mut d =
            Diagnostic::error("E0117", name.span, format!("unterminated argument list invoking macro `{}`", m.name))
                .label(open.span, "this `(` is never closed")
                .help("close it with `)`");
        if !m.def_site.is_none() {
            d = d.label(m.def_site, "macro defined here");
        }
        self.session.report(d);
    }

    fn check_count(&mut self, index: u32, name: Token, given: usize) -> bool {
        let m = self.macros.get(index);
        let params = m.params.len();
        let variadic = m.variadic != Variadic::No;
        if given == params || (variadic && given + 1 == params) {
            return true;
        }
        let least = if variadic { params - 1 } else { params };
        let what = if given < least {
            let at_least = if variadic { "at least " } else { "" };
            format!("macro `{}` requires {at_least}{least} argument{}, but only {given} given", m.name, plural(least))
        } else {
            format!("macro `{}` passed {given} arguments, but takes just {params}", m.name)
        };
        let mut d = Diagnostic::error("E0116", name.span, what);
        if !m.def_site.is_none() {
            d = d.label(m.def_site, "macro defined here");
        }
        if given > params {
            d = d.help("put parentheses around an argument that has commas in it");
        }
        self.session.report(d);
        false
    }

    /// Whether nothing in the argument can be a macro.
    fn is_inert(&self, tokens: &[Token]) -> bool {
        tokens.iter().all(|t| t.kind != K::Ident || self.macros.is_plain(t.sym))
    }

    /// The range of argument `i`'s expansion in `args.expansions`.
    fn expand_arg(&mut self, args: &mut Args, i: usize, at: Span) -> (u32, u32) {
        if let Some(Some(range)) = args.expanded.get(i) {
            return *range;
        }
        let start = args.expansions.len() as u32;
        if self.is_inert(args.raw(i)) {
            let r = args.ranges.get(i).copied().unwrap_or((0, 0));
            args.expansions.extend_from_slice(&args.tokens[r.0 as usize..r.1 as usize]);
        } else if self.arg_depth >= self.opts.limits.expansion_depth {
            self.exceeded(at, "macro calls are nested too deeply in macro arguments", "nest fewer calls");
        } else {
            let mut raw = self.buffer();
            raw.extend_from_slice(args.raw(i));
            self.arg_depth += 1;
            self.expand_apart(raw, &mut args.expansions);
            self.arg_depth -= 1;
        }
        let range = (start, args.expansions.len() as u32);
        if let Some(slot) = args.expanded.get_mut(i) {
            *slot = Some(range);
        }
        range
    }

    /// Expands tokens on their own: nothing before or after them takes part.
    pub(super) fn expand_apart(&mut self, tokens: Vec<Token>, out: &mut Vec<Token>) {
        self.contexts.push(Context {
            tokens: Tokens::Buffer(tokens, 0),
            active: None,
            place: Place::Keep,
            first: None,
            barrier: true,
        });
        let depth = self.contexts.len();
        loop {
            let t = self.next_expanded();
            if matches!(t.kind, K::EndOfArg | K::Eof) || !self.spend(0, t.span) {
                break;
            }
            out.push(t);
        }
        while self.contexts.len() >= depth {
            self.pop_context();
        }
    }

    /// Puts a macro's body, parameters replaced, into `out`.
    fn substitute(
        &mut self,
        index: u32,
        body: (u32, u32),
        place: Place,
        mut args: Option<&mut Args>,
        out: &mut Vec<Token>,
    ) {
        let (mut i, end) = (body.0, body.1);
        let mut operand = SmallVec::<[Token; 8]>::new();
        while i < end && !self.fatal {
            let t = self.macros.bodies[i as usize];
            let is_paste = |pp: &Self, at: u32| at < end && pp.macros.bodies[at as usize].kind == K::HashHash;
            if t.kind == K::HashHash && i > body.0 && i + 1 < end {
                operand.clear();
                let comma = self.gnu_comma(index, i, args.as_deref(), out);
                let next = self.operand(index, i + 1, end, true, place, args.as_deref_mut(), &mut operand);
                match comma {
                    GnuComma::Remove => {
                        out.pop();
                    }
                    GnuComma::Keep => out.extend_from_slice(&operand),
                    GnuComma::No => self.paste_operand(out, &operand, place),
                }
                i = next;
            } else {
                operand.clear();
                // The end of this operand is known only after it is read: `#x` and `__VA_OPT__(…)` are several tokens.
                let last = self.operand_end(i, end);
                let raw = is_paste(self, last);
                i = self.operand(index, i, end, raw, place, args.as_deref_mut(), &mut operand);
                out.extend_from_slice(&operand);
            }
            if out.len() > self.opts.limits.expanded_tokens {
                let at = out.last().map_or(Span::NONE, |t| t.span);
                self.exceeded(at, "macro expansion makes too many tokens", "expand less");
            }
        }
    }

    /// The index after the operand that begins at `i`.
    fn operand_end(&self, i: u32, end: u32) -> u32 {
        let body = &self.macros.bodies[..end as usize];
        let at = i as usize;
        let va_opt = |k: usize| {
            (body.get(k).is_some_and(|t| t.is_ident(self.words.va_opt)))
                .then(|| va_opt_end(body, k, self.words.va_opt).ok())
                .flatten()
                .map(|close| close as u32 + 1)
        };
        if body[at].kind == K::Hash && body.get(at + 1).is_some_and(|t| t.kind == K::Param) {
            return i + 2;
        }
        if body[at].kind == K::Hash
            && let Some(e) = va_opt(at + 1)
        {
            return e;
        }
        va_opt(at).unwrap_or(i + 1)
    }

    /// Appends one operand of the body to `out`, and gives the index after it. `raw`: it stands beside `##`, so an
    /// argument is not expanded and an empty one leaves a placemarker.
    #[expect(clippy::too_many_arguments, reason = "the state of one substitution")]
    fn operand(
        &mut self,
        index: u32,
        i: u32,
        end: u32,
        raw: bool,
        place: Place,
        args: Option<&mut Args>,
        out: &mut SmallVec<[Token; 8]>,
    ) -> u32 {
        let t = self.macros.bodies[i as usize];
        let mut here = t;
        here.span = place.apply(t.span);
        let Some(args) = args else {
            out.push(here);
            return i + 1;
        };
        let next = self.operand_end(i, end);
        match t.kind {
            K::Hash if next > i + 1 => {
                let operand = self.macros.bodies[i as usize + 1];
                let text = if operand.kind == K::Param {
                    stringify(self.session, args.raw(operand.sym.index()))
                } else {
                    let inner = self.va_opt_tokens(index, i + 1, next, place, args);
                    stringify(self.session, &inner)
                };
                if self.made(text.len(), here.span) {
                    let sym = self.session.intern(&text);
                    out.push(Token { kind: K::String, sym, ..here });
                }
            }
            K::Param => self.param_operand(t, here, raw, args, out),
            K::Ident if next > i + 1 => {
                let inner = self.va_opt_tokens(index, i, next, place, args);
                append_argument(&inner, here, raw, out);
            }
            _ => out.push(here),
        }
        next
    }

    fn param_operand(&mut self, t: Token, here: Token, raw: bool, args: &mut Args, out: &mut SmallVec<[Token; 8]>) {
        let i = t.sym.index();
        if raw {
            append_argument(args.raw(i), here, true, out);
        } else {
            let (lo, hi) = self.expand_arg(args, i, here.span);
            append_argument(&args.expansions[lo as usize..hi as usize], here, false, out);
        }
        self.spend(out.len(), here.span);
    }

    /// What `__VA_OPT__(…)` at `i..end` gives.
    fn va_opt_tokens(&mut self, index: u32, i: u32, end: u32, place: Place, args: &mut Args) -> Vec<Token> {
        let last = self.macros.get(index).params.len().wrapping_sub(1);
        let (lo, hi) = self.expand_arg(args, last, Span::NONE);
        let mut out = Vec::new();
        if hi > lo {
            self.substitute(index, (i + 2, end - 1), place, Some(args), &mut out);
            remove_placemarkers(&mut out);
        }
        out
    }

    /// Whether the `##` at `i` is that of GNU's `, ## args`.
    fn gnu_comma(&self, index: u32, i: u32, args: Option<&Args>, out: &[Token]) -> GnuComma {
        let m = self.macros.get(index);
        let Some(args) = args else { return GnuComma::No };
        let bodies = &self.macros.bodies;
        let next = bodies[i as usize + 1];
        let is_rest = m.variadic != Variadic::No && next.kind == K::Param && next.sym.index() + 1 == m.params.len();
        let comma = bodies[i as usize - 1].kind == K::Comma && out.last().is_some_and(|t| t.kind == K::Comma);
        match is_rest && comma {
            false => GnuComma::No,
            true if args.raw(next.sym.index()).is_empty() => GnuComma::Remove,
            true => GnuComma::Keep,
        }
    }

    /// Pastes the last token of `out` with the first of `rhs` and appends the others.
    fn paste_operand(&mut self, out: &mut Vec<Token>, rhs: &[Token], place: Place) {
        let Some((&first, rest)) = rhs.split_first() else { return };
        let Some(lhs) = out.pop() else {
            out.extend_from_slice(rhs);
            return;
        };
        if first.kind == K::Placemarker {
            out.push(lhs);
        } else if lhs.kind == K::Placemarker {
            out.push(Token { flags: with_position(first.flags, lhs.flags), ..first });
        } else if matches!(lhs.kind, K::String | K::Char) && first.kind == K::Ident && self.opts.dialect.is_cxx() {
            // `"text"_suffix` is one token of C++ and stays two here, of which the second follows directly.
            let flags = with_position(first.flags, TokenFlags::default()).with(TokenFlags::NO_EXPAND);
            out.extend([lhs, Token { flags, ..first }]);
        } else {
            match self.paste(lhs, first, place) {
                Some(t) => out.push(t),
                None => out.extend([lhs, first]),
            }
        }
        out.extend_from_slice(rest);
    }

    fn paste(&mut self, lhs: Token, rhs: Token, place: Place) -> Option<Token> {
        let (a, b) = (lhs.text(&self.session.strings), rhs.text(&self.session.strings));
        if !matches!(lhs.kind, K::Pragma | K::EndPragma) && a.is_empty() {
            return None;
        }
        let text = format!("{a}{b}");
        let s = scan(text.as_bytes(), 0, self.rules);
        let comment = text.starts_with("//") || text.starts_with("/*");
        // The operands' own places, if they stand side by side; otherwise the left one names the place.
        let span = match place {
            Place::Use(at) => at,
            _ => lhs.span,
        };
        if s.spliced || s.problem.is_some() || s.end != text.len() || comment || s.kind == K::Other {
            let what = format!("pasting formed `{text}`, an invalid preprocessing token");
            self.session.report(
                Diagnostic::error("E0118", span, what)
                    .help("`##` must join two tokens into one; leave it out where a space would do"),
            );
            return None;
        }
        let flags = lhs.flags.without(TokenFlags::NO_EXPAND).with(s.flags);
        if s.kind.is_punctuator() {
            return Some(Token { flags, ..Token::punct(s.kind, span) });
        }
        if !self.made(text.len(), span) {
            return None;
        }
        Some(Token { kind: s.kind, flags, sym: self.session.intern(&text), span })
    }

    /// Counts text made by `#`, `##` and the builtin macros; false when there is too much.
    pub(super) fn made(&mut self, bytes: usize, at: Span) -> bool {
        self.made_text += bytes;
        if self.made_text > self.opts.limits.made_text {
            self.exceeded(at, "macro expansion makes too much text", "paste and stringify less");
        }
        !self.fatal
    }
}

enum GnuComma {
    No,
    Remove,
    Keep,
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// `flags`, but standing in the text as `position` does.
pub(super) fn with_position(flags: TokenFlags, position: TokenFlags) -> TokenFlags {
    let place = TokenFlags::START_OF_LINE.with(TokenFlags::LEADING_SPACE);
    TokenFlags((flags.0 & !place.0) | (position.0 & place.0))
}
