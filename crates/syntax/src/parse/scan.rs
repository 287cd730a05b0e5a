//! Looking ahead without building anything: is this a type, a declaration, a template's argument list?
//!
//! Every function here reads tokens by index and hops over bracketed groups.

use super::Parser;
use super::keywords::Kw;
use super::names::Known;
use crate::TokenKind as T;

/// What a name in the token list is, and where it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScannedName {
    /// Index of the token after it.
    pub(super) end: usize,
    /// What it means.
    pub(super) known: Known,
    /// Whether it has a qualifier.
    pub(super) qualified: bool,
    /// Whether it is a member of a class template's instance, which may be declared later or in a specialisation.
    pub(super) of_instance: bool,
}

/// Longest argument list that look-ahead follows; none is followed twice.
const MAX_ANGLE_TOKENS: usize = 1 << 18;

/// Parentheses around one another that a look ahead goes into for a declarator's name.
const MAX_NESTED_DECLARATORS: u32 = 8;

impl Parser<'_> {
    /// Index after the `>` that ends the argument list whose `<` is at `open`, where it looks like one.
    pub(super) fn angle_end(&mut self, open: usize) -> Option<usize> {
        use super::cursor::Brackets;
        match self.brackets.memo(open) {
            0 => {}
            Brackets::NO_ANGLE => return None,
            end => return Some(end as usize),
        }
        let mut stack = vec![open];
        let mut i = open + 1;
        // What is in parentheses is one step.
        let mut steps = 0;
        while steps < MAX_ANGLE_TOKENS && !stack.is_empty() {
            steps += 1;
            match self.at(i).kind {
                T::LParen | T::LBracket | T::LBrace => match self.after_group(i) {
                    Some(end) => {
                        i = end;
                        continue;
                    }
                    None => break,
                },
                T::Less if !self.less_than_at(i) => stack.push(i),
                T::Greater => self.close_angle(&mut stack, i + 1),
                T::GreaterGreater => {
                    // The inner list ends in the middle of the token: its end is the token itself.
                    self.close_angle(&mut stack, i);
                    self.close_angle(&mut stack, i + 1);
                }
                T::Semi | T::RParen | T::RBracket | T::RBrace | T::Eof | T::Pragma => break,
                _ => {}
            }
            i += 1;
        }
        for unclosed in stack {
            self.brackets.set_memo(unclosed, Brackets::NO_ANGLE);
        }
        match self.brackets.memo(open) {
            Brackets::NO_ANGLE => None,
            end => Some(end as usize),
        }
    }

    fn close_angle(&mut self, stack: &mut Vec<usize>, end: usize) {
        if let Some(open) = stack.pop() {
            self.brackets.set_memo(open, end as u32);
        }
    }

    /// Whether the `<` at `i` is surely the operator: it stands after a literal or a variable.
    fn less_than_at(&mut self, i: usize) -> bool {
        let before = self.at(i.wrapping_sub(1));
        match before.kind {
            T::Ident if self.kw_of(before) == Kw::None => {
                self.known(before.sym) == Known::Value && !self.may_be_instance(i.wrapping_sub(1))
            }
            T::Ident => !matches!(
                self.kw_of(before),
                Kw::Template | Kw::StaticCast | Kw::ConstCast | Kw::ReinterpretCast | Kw::DynamicCast
            ),
            T::Number | T::Char | T::RParen | T::RBracket => true,
            _ => false,
        }
    }

    /// Whether the qualified name at `i`, which is a value somewhere, is a class template elsewhere, too.
    fn may_be_instance(&self, i: usize) -> bool {
        self.at(i.wrapping_sub(1)).kind == T::ColonColon && self.names.is_also_template(self.at(i).sym)
    }

    /// Whether `&&` or `||` stands between two tokens: what is around it are conditions.
    fn joins_conditions(&self, from: usize, to: usize) -> bool {
        (from..to).any(|i| matches!(self.at(i).kind, T::AmpAmp | T::PipePipe))
    }

    /// Whether the name at `i` is a value in some scope that is closed, and a class template in another: `plus<T> add;`
    /// in a namespace that is opened again, where some class has a member `plus`.
    fn is_hidden_template(&self, i: usize) -> bool {
        let sym = self.at(i).sym;
        !matches!(self.names.now(sym), Known::Value | Known::ValueTemplate) && self.names.is_also_template(sym)
    }

    /// Whether the name at `i` is a member of a class template's instance that may be a variable, too: `C<T>::value < 8`.
    fn may_be_compared(&self, i: usize) -> bool {
        let member = self.at(i.wrapping_sub(1)).kind == T::ColonColon
            && matches!(self.at(i.wrapping_sub(2)).kind, T::Greater | T::GreaterGreater);
        member && self.names.was_value(self.at(i).sym)
    }

    /// Whether the name at `i` is a member of some class, and functions are called so: that class, a template's parameter
    /// maybe, may have a template of that name, `Impl::store<true>(x)`.
    fn is_function_of_class(&self, i: usize) -> bool {
        let member = self.at(i.wrapping_sub(1)).kind == T::ColonColon && self.names.was_function(self.at(i).sym);
        member && self.space_before(i).is_none()
    }

    /// Whether the name at `i`, before a `<`, takes template arguments. `in_expr`: an unknown name followed by `<`
    /// is a comparison unless what follows the closing `>` speaks against it.
    fn takes_args(&mut self, i: usize, known: Known, in_expr: bool) -> Option<usize> {
        if self.at(i + 1).kind != T::Less || !self.is_cxx() {
            return None;
        }
        match known {
            Known::Value if self.may_be_instance(i) => self.angle_end(i + 1).filter(|&e| {
                let next = self.at(e);
                // No operand of a comparison begins so.
                let ends = matches!(
                    next.kind,
                    T::ColonColon
                        | T::LBrace
                        | T::Comma
                        | T::RParen
                        | T::RBracket
                        | T::RBrace
                        | T::Semi
                        | T::Ellipsis
                        | T::Greater
                        | T::GreaterGreater
                );
                let of_type = matches!(next.kind, T::Amp | T::AmpAmp | T::Star | T::Eq) || self.is_ident(next);
                ends || next.kind == T::LParen && !self.joins_conditions(i + 1, e) || !in_expr && of_type
            }),
            Known::Value if self.is_hidden_template(i) => self.angle_end(i + 1).filter(|&e| {
                let next = self.at(e);
                let made = next.kind == T::LBrace || next.kind == T::LParen && self.at(e + 1).kind == T::RParen;
                let of_type = matches!(next.kind, T::Comma | T::Amp | T::AmpAmp | T::Star | T::Greater);
                next.kind == T::ColonColon || made || self.is_ident(next) || !in_expr && of_type
            }),
            Known::Value if self.is_function_of_class(i) => {
                self.angle_end(i + 1).filter(|&e| self.at(e).kind == T::LParen && !self.joins_conditions(i + 1, e))
            }
            Known::Value | Known::Namespace => None,
            Known::TypeTemplate | Known::ValueTemplate if in_expr && self.may_be_compared(i) => {
                let operand = |t: T| matches!(t, T::Number | T::Ident | T::Char | T::String);
                self.angle_end(i + 1).filter(|&e| !operand(self.at(e).kind))
            }
            // A list that does not end is a comparison, of a member whose name is a template's elsewhere.
            Known::TypeTemplate | Known::ValueTemplate if in_expr => self.angle_end(i + 1),
            // Of a known template only the end is wanted; a broken list shall be reported when it is parsed.
            Known::TypeTemplate | Known::ValueTemplate => Some(self.angle_end(i + 1).unwrap_or(i + 2)),
            Known::Type => None,
            Known::HostType => self.angle_end(i + 1),
            Known::Unknown => {
                let end = self.angle_end(i + 1)?;
                let next = self.at(end);
                let after = next.kind;
                let plausible = matches!(after, T::LParen | T::ColonColon | T::LBrace | T::GreaterGreater | T::Greater);
                let declares = !in_expr
                    && (self.is_ident(next)
                        || matches!(
                            after,
                            T::Star | T::Amp | T::AmpAmp | T::Ellipsis | T::Comma | T::RParen | T::Semi | T::Eq
                        )
                        || matches!(self.kw_of(next), Kw::Const | Kw::Operator));
                (plausible || declares).then_some(end)
            }
        }
    }

    /// Whether the identifier at `i` is followed by template arguments; the index after them.
    pub(super) fn args_after(&mut self, i: usize, member: bool, in_expr: bool) -> Option<usize> {
        let sym = self.at(i).sym;
        let known = if member { self.known_qualified(i) } else { self.known(sym) };
        self.takes_args(i, known, in_expr)
    }

    /// Reads the possibly qualified name at `i`; `None` if there is none.
    pub(super) fn scan_name(&mut self, i: usize, in_expr: bool) -> Option<ScannedName> {
        let mut i = i;
        let mut qualified = false;
        if self.is_cxx() && self.at(i).kind == T::ColonColon {
            qualified = true;
            i += 1;
        }
        let mut member = qualified;
        let mut of_instance = false;
        let mut class = None;
        loop {
            let t = self.at(i);
            if self.kw_of(t) == Kw::Template && member {
                i += 1;
                continue;
            }
            if self.kw_of(t) == Kw::Operator || t.kind == T::Tilde && member {
                return member.then_some(ScannedName { end: i, known: Known::Value, qualified, of_instance });
            }
            if !self.is_ident(t) {
                return None;
            }
            let mut known = if member { self.known_qualified(i) } else { self.known(t.sym) };
            if member && self.scoped_enumerators.contains(&(self.at(i.wrapping_sub(2)).sym, t.sym)) {
                known = Known::Value;
            }
            // A value somewhere, but in that class a type.
            if let (Known::Value | Known::ValueTemplate, Some(class)) = (known, class) {
                known = self.members.type_of(class, t.sym).unwrap_or(known);
            }
            let forced = member && self.kw_of(self.at(i - 1)) == Kw::Template && self.at(i + 1).kind == T::Less;
            let args = if forced { self.angle_end(i + 1) } else { self.takes_args(i, known, in_expr) };
            i += 1;
            let mut instance = false;
            if let Some(end) = args {
                i = end;
                instance = known == Known::TypeTemplate || known == Known::Value && !forced;
                if instance {
                    known = Known::Type;
                } else if known == Known::ValueTemplate {
                    known = Known::Value;
                }
            }
            if !self.is_cxx() || self.at(i).kind != T::ColonColon || self.at(i + 1).kind == T::Star {
                return Some(ScannedName { end: i, known, qualified, of_instance });
            }
            qualified = true;
            member = true;
            // A template parameter is a type, too.
            of_instance |= instance || known == Known::Type;
            class = (known == Known::Type).then_some(t.sym);
            i += 1;
        }
    }

    /// Whether a type-id starts at `i`: a type's keyword, a qualifier, or a name known to be a type.
    pub(super) fn type_at(&mut self, i: usize) -> bool {
        let t = self.at(i);
        match t.kind {
            T::Ident => match self.kw_of(t) {
                Kw::None => {}
                Kw::Extension => return self.type_at_after_extension(i),
                kw => return kw.starts_type(),
            },
            T::ColonColon => {}
            _ => return false,
        }
        if self.constrained_auto_at(i) {
            return true;
        }
        let Some(name) = self.scan_name(i, true) else { return false };
        name.known.is_type() && self.at(name.end).kind != T::ColonColon
    }

    fn type_at_after_extension(&mut self, mut i: usize) -> bool {
        while self.kw_of(self.at(i)) == Kw::Extension {
            i += 1;
        }
        self.type_at(i)
    }

    /// Whether a type-id starts at `i`, counting names that nothing declares where what follows makes them types:
    /// for parameter lists and template arguments.
    pub(super) fn type_likely_at(&mut self, i: usize) -> bool {
        if self.type_at(i) {
            return true;
        }
        if self.kw_of(self.at(i)) == Kw::Typename {
            return true;
        }
        let Some(name) = self.scan_name(i, false) else { return false };
        let next = self.at(name.end);
        if name.known != Known::Unknown {
            // `C<3>::member x`, of a name that is also a value somewhere: no expression has two names side by side, nor `const`
            // behind one, nor an operator with nothing behind it.
            let qualifier = matches!(self.kw_of(next), Kw::Const | Kw::Volatile);
            let behind = self.at(name.end + 1).kind;
            let points = matches!(next.kind, T::Star | T::Amp | T::AmpAmp)
                && matches!(behind, T::Comma | T::RParen | T::Greater | T::GreaterGreater | T::Ellipsis);
            return name.qualified && (self.is_ident(next) || qualifier || points);
        }
        match next.kind {
            T::Ident => self.kw_of(next) == Kw::None || self.kw_of(next) == Kw::Const,
            T::Star | T::Amp | T::AmpAmp => {
                let mut j = name.end;
                while matches!(self.at(j).kind, T::Star | T::Amp | T::AmpAmp)
                    || matches!(self.kw_of(self.at(j)), Kw::Const | Kw::Restrict | Kw::Volatile)
                {
                    j += 1;
                }
                let t = self.at(j);
                matches!(t.kind, T::Comma | T::RParen | T::Greater | T::GreaterGreater)
                    || self.is_ident(t)
                        && matches!(self.at(j + 1).kind, T::Comma | T::RParen | T::Eq | T::LBracket)
                        && name.end + 1 == j
                        && !self.is_value(t.sym)
                    || self.is_ident(t) && name.end + 1 < j
            }
            _ => false,
        }
    }

    fn is_value(&mut self, sym: source::Symbol) -> bool {
        self.known(sym) == Known::Value
    }

    /// Whether the current token starts a declaration, as against an expression.
    pub(super) fn declaration_ahead(&mut self) -> bool {
        let mut i = self.pos;
        while self.kw_of(self.at(i)) == Kw::Extension {
            i += 1;
        }
        let t = self.at(i);
        match t.kind {
            T::Ident | T::ColonColon => {}
            _ => return false,
        }
        match self.kw_of(t) {
            Kw::None => self.name_declares(i),
            Kw::Asm | Kw::Operator => false,
            Kw::Typename => {
                let end = self.scan_name(i + 1, false).map_or(i + 1, |n| n.end);
                self.declares_behind(end)
            }
            Kw::Decltype | Kw::Typeof | Kw::TypeofWord | Kw::UnderlyingType => {
                let mut end = self.after_group(i + 1).unwrap_or(i + 2);
                // `decltype(p)::E z;`: nvcc does without `typename`.
                if self.at(end).kind == T::ColonColon {
                    end = self.scan_name(end, false).map_or(end, |n| n.end);
                    return self.at(end).kind == T::Ident && self.kw_of(self.at(end)) == Kw::None;
                }
                self.declares_behind(end)
            }
            kw if kw.starts_type() && self.is_cxx() && self.at(i + 1).kind == T::LParen => self.paren_declares(i + 1),
            // `int{n};` is an expression, `union {…} u;` is not.
            Kw::Struct | Kw::Class | Kw::Union | Kw::Enum => true,
            kw if kw.starts_type() && self.is_cxx() => self.at(i + 1).kind != T::LBrace,
            kw => kw.starts_type() || kw.starts_declaration(),
        }
    }

    /// Whether the name at `i`, first in a statement, starts a declaration.
    fn name_declares(&mut self, i: usize) -> bool {
        if self.at(i).kind == T::Ident && self.at(i + 1).kind == T::Colon {
            return false;
        }
        if self.constrained_auto_at(i) {
            return true;
        }
        let Some(name) = self.scan_name(i, false) else { return false };
        let next = self.at(name.end);
        match name.known {
            // `C<3>::template member<T> x(…);`, of a name that is a value somewhere: no expression has two names side by side.
            Known::Value | Known::ValueTemplate => {
                name.qualified && self.is_ident(next) && self.kw_of(next) == Kw::None
            }
            Known::Namespace => false,
            Known::Type | Known::HostType | Known::TypeTemplate => match next.kind {
                T::LParen if self.is_cxx() => self.paren_declares(name.end),
                T::LBrace | T::Dot | T::Arrow => false,
                T::ColonColon => self.at(name.end + 1).kind == T::Star,
                _ => true,
            },
            Known::Unknown => match next.kind {
                T::Ident => match self.kw_of(next) {
                    Kw::None => true,
                    kw => kw.starts_type() || kw.starts_declaration(),
                },
                T::Star | T::Amp | T::AmpAmp => {
                    let mut j = name.end;
                    while matches!(self.at(j).kind, T::Star | T::Amp | T::AmpAmp)
                        || matches!(self.kw_of(self.at(j)), Kw::Const | Kw::Restrict | Kw::Volatile)
                    {
                        j += 1;
                    }
                    self.is_ident(self.at(j))
                        && matches!(self.at(j + 1).kind, T::Semi | T::Eq | T::Comma | T::LBracket | T::Colon)
                }
                _ => false,
            },
        }
    }

    /// Whether the parenthesis at `open`, after a type, is (the start of) a declarator and not a cast's operand.
    fn paren_declares(&mut self, open: usize) -> bool {
        let Some(end) = self.after_group(open) else { return false };
        let declares_after =
            |k: T| matches!(k, T::Semi | T::Eq | T::Comma | T::LBracket | T::LParen | T::LBrace | T::Colon);
        let first = self.at(open + 1);
        match first.kind {
            // `int (*p)[4];`, `T (&r) = x;`, `int (*(*p)[2])(int);`, but `T(*p + 1);` and `T(*p).x;` are expressions.
            T::Star | T::Amp | T::AmpAmp => self.points_to_name(open, 0) && declares_after(self.at(end).kind),
            T::Ident if self.is_ident(first) && self.at(open + 2).kind == T::RParen => {
                matches!(self.at(end).kind, T::Semi | T::Eq | T::LBracket) && !self.is_value(first.sym)
            }
            // `int (C::*p)(int);`
            T::Ident | T::ColonColon => {
                let class = self.scan_name(open + 1, false).map(|n| n.end);
                class.is_some_and(|c| self.at(c).kind == T::ColonColon && self.at(c + 1).kind == T::Star)
                    && declares_after(self.at(end).kind)
            }
            _ => false,
        }
    }

    /// Whether the parenthesis at `open` holds `*`, `&` and a name with what a declarator may have behind it.
    fn points_to_name(&mut self, open: usize, depth: u32) -> bool {
        let mut j = open + 1;
        while matches!(self.at(j).kind, T::Star | T::Amp | T::AmpAmp)
            || matches!(self.kw_of(self.at(j)), Kw::Const | Kw::Restrict | Kw::Volatile)
        {
            j += 1;
        }
        if self.at(j).kind == T::LParen {
            let nested = j > open + 1 && depth < MAX_NESTED_DECLARATORS && self.points_to_name(j, depth + 1);
            let behind = self.after_group(j).filter(|_| nested);
            return behind.is_some_and(|b| matches!(self.at(b).kind, T::RParen | T::LParen | T::LBracket));
        }
        self.is_ident(self.at(j)) && matches!(self.at(j + 1).kind, T::RParen | T::LParen | T::LBracket)
    }

    /// Whether the parenthesis at the current token, after a declarator's name, holds parameters and not initialisers.
    pub(super) fn parameters_ahead(&mut self) -> bool {
        if !self.is_cxx() {
            return true;
        }
        let i = self.pos + 1;
        let t = self.at(i);
        match t.kind {
            T::RParen | T::Ellipsis => return true,
            T::LBracket => return self.at(i + 1).kind == T::LBracket,
            _ => {}
        }
        if matches!(self.kw_of(t), Kw::Attribute | Kw::GridConstant | Kw::Register) {
            return true;
        }
        if !self.type_likely_at(i) {
            // A lone unknown name is a type only where no variable can be meant.
            return !self.in_function
                && self.scan_name(i, false).is_some_and(|n| {
                    n.known == Known::Unknown && matches!(self.at(n.end).kind, T::Comma | T::RParen | T::Ellipsis)
                });
        }
        // `T x(int(y), 3)`, `T x(S{1})`: a cast, hence initialisers.
        let after = self.behind_type_word(i);
        let named = matches!(self.kw_of(t), Kw::None | Kw::Typename | Kw::Decltype | Kw::Typeof | Kw::UnderlyingType);
        match self.at(after).kind {
            // `T x(S::y)`, but `T f(const ::S &)`.
            T::ColonColon => !named,
            T::LBrace => false,
            T::LParen => {
                // `T x(int(*p), 3)` needs a variable here; `void f(int (*p)[4])` may be called as one elsewhere.
                let inner = self.at(after + 1);
                // `T x(S(), n)`: what follows is no parameter.
                let more = self.after_group(after).filter(|&e| self.at(e).kind == T::Comma);
                // `T x(S(), int{4})`, too.
                let is_parameter = |p: &mut Self, i: usize| {
                    p.type_likely_at(i) && {
                        let end = p.behind_type_word(i);
                        p.at(end).kind != T::LBrace
                    }
                };
                if more.is_some_and(|e| self.in_function && !is_parameter(self, e + 1)) {
                    return false;
                }
                matches!(inner.kind, T::Star | T::Amp | T::AmpAmp | T::RParen)
                    && (!self.in_function || self.names.now(self.at(after + 2).sym) != Known::Value)
                    || self.type_at(after + 1) && !self.cast_computes(after + 1)
                    // `void f(int (C::*)())`
                    || self.scan_name(after + 1, false).is_some_and(|n| {
                        self.at(n.end).kind == T::ColonColon && self.at(n.end + 1).kind == T::Star
                    })
            }
            _ => true,
        }
    }

    /// Whether a type that ends before `end` begins a declaration: `T x`, not `T{…}` or `T(…)` of an expression.
    fn declares_behind(&mut self, end: usize) -> bool {
        match self.at(end).kind {
            T::LParen => self.paren_declares(end),
            next => next != T::LBrace,
        }
    }

    /// The token behind the name of a type, or the first word of one, at `i`.
    fn behind_type_word(&mut self, i: usize) -> usize {
        match self.kw_of(self.at(i)) {
            Kw::None => self.scan_name(i, false).map_or(i + 1, |n| n.end),
            Kw::Typename => self.scan_name(i + 1, false).map_or(i + 1, |n| n.end),
            Kw::Decltype | Kw::Typeof | Kw::UnderlyingType => self.after_group(i + 1).unwrap_or(i + 1),
            _ => i + 1,
        }
    }

    /// Whether a cast at `i` in function notation cannot be a parameter: `int(a.x)`, `int(n) * 2`, `int(1)`.
    fn cast_computes(&mut self, i: usize) -> bool {
        let open = match self.kw_of(self.at(i)) {
            Kw::None => self.scan_name(i, false).map_or(i + 1, |n| n.end),
            _ => i + 1,
        };
        let Some(end) = self.after_group(open).filter(|_| self.at(open).kind == T::LParen) else { return false };
        let computes = |k: T| matches!(k, T::Dot | T::Arrow | T::Plus | T::Minus | T::Slash | T::Percent);
        matches!(self.at(open + 1).kind, T::Number | T::Char | T::String)
            || (open + 1..end).any(|j| computes(self.at(j).kind))
            || computes(self.at(end).kind)
            || matches!(self.at(end).kind, T::Star | T::LessLess | T::GreaterGreater)
    }
}

impl Kw {
    /// Whether the word can start a type-id: a type, a qualifier, a tag.
    pub(super) fn starts_type(self) -> bool {
        use Kw::*;
        matches!(
            self,
            Auto | Char
                | Const
                | Double
                | Enum
                | Float
                | Int
                | Long
                | Restrict
                | RestrictWord
                | Short
                | Signed
                | Struct
                | Union
                | Class
                | Unsigned
                | Void
                | Volatile
                | Atomic
                | Bool
                | BoolWord
                | Complex
                | Typeof
                | TypeofWord
                | UnderlyingType
                | AutoType
                | Int128
                | VaList
                | Float16
                | BFloat16
                | Half
                | Global
                | Local
                | Constant
                | PrivateSpace
                | GenericSpace
                | GenericSpaceWord
                | ReadOnly
                | WriteOnly
                | ReadWrite
                | Pipe
                | Typename
                | Decltype
                | WChar
                | Char8
                | Char16
                | Char32
        )
    }

    /// Whether the word can start a declaration without being part of a type.
    pub(super) fn starts_declaration(self) -> bool {
        use Kw::*;
        matches!(
            self,
            Extern
                | Inline
                | Register
                | Static
                | Typedef
                | Alignas
                | AlignasWord
                | Noreturn
                | StaticAssert
                | StaticAssertWord
                | Thread
                | ThreadWord
                | Declspec
                | Kernel
                | KernelWord
                | Namespace
                | Using
                | Template
                | Virtual
                | Explicit
                | Friend
                | Mutable
                | Constexpr
                | Consteval
                | Constinit
                | CudaGlobal
                | CudaDevice
                | CudaHost
                | CudaShared
                | BlockShared
                | CudaConstant
                | CudaManaged
                | LaunchBounds
                | Maxnreg
                | ClusterDims
                | BlockSize
                | Align
                | Forceinline
                | Noinline
                | GridConstant
                | Concept
        )
    }
}
