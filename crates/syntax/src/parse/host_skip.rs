//! Host code in `.cu` files: functions without a device qualifier are skipped by their braces; other declarations
//! without one are parsed on trial, and if they do not parse, or use types that nothing declares, they are host-only.

use super::decl::DeclCx;
use super::keywords::Kw;
use super::name::NameUse;
use super::names::Known;
use super::{PResult, Parser};
use crate::ast::{Decl, DeclId, DeclKind, DeclSpecs, HostReason, List, NameKind, Operator};
use crate::{Token, TokenKind as T};
use source::{Severity, Span, Symbol};

/// What a look over a declaration's head shows.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// A device qualifier or `constexpr` stands in it.
    device: bool,
    /// It has a function's parameter list.
    function: bool,
    /// `= default`, `= delete`.
    defaulted: bool,
    /// It is a destructor.
    destructor: bool,
    /// `__host__` stands in it.
    host: bool,
    /// The name before the parameters has a qualifier.
    qualified: bool,
    /// The class that qualifies it.
    class: Option<Symbol>,
    /// The name before the parameters.
    name: Option<(Symbol, Span)>,
    /// Index after the declaration.
    end: usize,
}

impl Parser<'_> {
    /// A declaration of a CUDA file.
    pub(super) fn cuda_declaration(&mut self, cx: DeclCx, out: &mut Vec<DeclId>) -> PResult<()> {
        let templated = self.after_template_heads(self.pos);
        let Some(start) = templated else { return self.plain_declaration(cx, out) };
        let is_template = start != self.pos;
        let mut i = start;
        while matches!(
            self.kw_of(self.at(i)),
            Kw::Typedef | Kw::Static | Kw::Inline | Kw::Const | Kw::Extension | Kw::Extern
        ) {
            i += 1;
        }
        match self.kw_of(self.at(i)) {
            Kw::Struct | Kw::Class | Kw::Union | Kw::Enum if self.defines_tag(i) => {
                let end = self.tag_end(i);
                return self.maybe_host(cx, HostReason::Class, end, out);
            }
            Kw::Concept => return self.plain_declaration(cx, out),
            Kw::Using | Kw::StaticAssert | Kw::StaticAssertWord | Kw::Asm => {
                let end = self.semicolon_end(i);
                return self.maybe_host(cx, HostReason::UnknownType, end, out);
            }
            _ if self.kw_of(self.at(start)) == Kw::Typedef => {
                let end = self.semicolon_end(i);
                return self.maybe_host(cx, HostReason::UnknownType, end, out);
            }
            _ => {}
        }
        if self.guide_at(start) {
            return self.plain_declaration(cx, out);
        }
        let head = self.scan_head(start);
        let instantiates = self.is_kw(Kw::Template) && self.peek(1).kind != T::Less;
        let of_device = instantiates && head.name.is_some_and(|(sym, _)| self.device_templates.contains(&sym));
        let of_class = if cx == DeclCx::Member {
            self.classes.last().is_some_and(|c| c.space.has(DeclSpecs::DEVICE))
        } else {
            head.class.is_some_and(|c| self.device_classes.contains_key(&c))
        };
        if head.device || of_device || head.function && of_class && !head.host {
            // One of a header may name what only the host's library has: `sizeof(std::shared_ptr<int>)`, `std::vector<int> &`.
            // Kernels are never left out.
            let kernel = (start..head.end.min(self.tokens.len())).any(|i| self.kw_of(self.at(i)) == Kw::CudaGlobal);
            let in_header = head.function && cx != DeclCx::Member && self.session.is_in_header(self.tok.span);
            return match in_header && !kernel {
                true => self.read_on_trial((cx, HostReason::Function), head.end, true, out),
                false => self.plain_declaration(cx, out),
            };
        }
        let declared = head.name.is_some_and(|(sym, _)| self.device_functions.contains(&sym));
        if head.function && declared && !is_template && cx != DeclCx::Member {
            return self.maybe_device_function(cx, head.end, out);
        }
        let is_static = (start..i).any(|k| self.kw_of(self.at(k)) == Kw::Static);
        let says_auto = self.kw_of(self.at(i)) == Kw::Auto;
        if !instantiates && self.is_declared_for_its_type(cx, &head, is_template, is_static, says_auto) {
            return self.maybe_device_function(cx, head.end, out);
        }
        if head.function && !head.defaulted {
            self.host_function(cx, &head, is_template, out);
            return Ok(());
        }
        let reason = if head.function { HostReason::Function } else { HostReason::Variable };
        self.maybe_host(cx, reason, head.end, out)
    }

    /// Whether a function of the host is declared only, as those are that `decltype` asks which of them would be called:
    /// `template <class U> static yes test(decltype(&U::f));`. Or is one that only `decltype` can call, `declval`, whatever it
    /// does: `template <class T> T &&declval() { static_assert(…); }`.
    fn is_declared_for_its_type(
        &self,
        cx: DeclCx,
        head: &Head,
        is_template: bool,
        is_static: bool,
        says_auto: bool,
    ) -> bool {
        let defined = self.at(head.end.wrapping_sub(1)).kind != T::Semi;
        let for_type = defined && is_template && cx != DeclCx::Member && self.makes_values_of_nothing(head);
        let declared = head.function && !head.defaulted && (!defined || for_type);
        let in_template = self.classes.last().is_some_and(|c| !c.heads.is_empty());
        // The library's classes of the host: `decltype(std::begin(columns))`.
        let named = head.name.is_some_and(|(sym, _)| self.classes.last().is_some_and(|c| c.name != Some(sym)));
        let of_library = in_template && named && !head.destructor && self.in_stand_in();
        let asked = match cx {
            DeclCx::Member => is_static && (is_template || in_template) || of_library,
            _ => is_template || says_auto,
        };
        declared && asked && !head.qualified
    }

    /// Whether what is read is one of our own headers in place of the host's library.
    pub(super) fn in_stand_in(&self) -> bool {
        let file = self.session.sources.file_at(self.tok.span.lo);
        file.is_some_and(|f| self.session.sources.file(f).name.starts_with("<unspool>/"))
    }

    /// Whether a function is `… &&name()`. Others without parameters may launch kernels.
    fn makes_values_of_nothing(&self, head: &Head) -> bool {
        let Some((sym, span)) = head.name else { return false };
        let end = head.end.min(self.tokens.len());
        let name = (self.pos + 1..end).find(|&i| self.at(i).sym == sym && self.at(i).span == span);
        name.is_some_and(|i| {
            let kinds = [i - 1, i + 1, i + 2].map(|at| self.at(at).kind);
            kinds == [T::AmpAmp, T::LParen, T::RParen]
        })
    }

    /// Index after `template<…>` heads; `None` for an explicit instantiation, which is parsed in full.
    fn after_template_heads(&mut self, mut i: usize) -> Option<usize> {
        while self.kw_of(self.at(i)) == Kw::Template {
            if self.at(i + 1).kind != T::Less {
                return Some(i + 1);
            }
            i = self.template_head_end(i + 1)?;
            if self.kw_of(self.at(i)) == Kw::Requires {
                i = self.constraint_end(i + 1);
            }
        }
        Some(i)
    }

    /// Index after the parameter list whose `<` is at `open`.
    fn template_head_end(&mut self, open: usize) -> Option<usize> {
        self.angle_end(open)
    }

    /// Whether the tag at `i` has a body.
    fn defines_tag(&mut self, i: usize) -> bool {
        let mut j = i + 1;
        loop {
            let t = self.at(j);
            match t.kind {
                T::LBrace | T::Colon | T::Semi => return true,
                T::Ident | T::ColonColon => {
                    j += 1;
                    // The second plain word is what is declared: `struct S f() {…}`.
                    if self.is_ident(t) && self.is_ident(self.at(j)) && !self.at(j).is_ident(self.words.fin) {
                        return false;
                    }
                }
                T::LParen | T::LBracket => match self.after_group(j) {
                    Some(e) if self.kw_of(self.at(j - 1)) != Kw::None || t.kind == T::LBracket => j = e,
                    _ => return false,
                },
                T::Less => match self.angle_end(j) {
                    Some(e) => j = e,
                    None => return false,
                },
                _ => return false,
            }
        }
    }

    /// Index after the `;` that ends the class at `i`.
    fn tag_end(&self, i: usize) -> usize {
        let mut j = i;
        loop {
            match self.at(j).kind {
                T::Semi => return j + 1,
                T::Eof | T::RBrace => return j,
                T::LParen | T::LBracket | T::LBrace => j = self.after_group(j).unwrap_or(self.tokens.len()),
                _ => j += 1,
            }
        }
    }

    fn semicolon_end(&self, i: usize) -> usize {
        self.tag_end(i)
    }

    /// Reads the head of a function or variable declaration at `i`.
    fn scan_head(&mut self, i: usize) -> Head {
        let mut h = Head {
            device: false,
            function: false,
            defaulted: false,
            destructor: false,
            host: false,
            qualified: false,
            class: None,
            name: None,
            end: i,
        };
        let start = i;
        let mut i = i;
        let mut assigned = false;
        let mut inits = false;
        loop {
            let t = self.at(i);
            match t.kind {
                T::Eof | T::RBrace => break,
                T::Semi => {
                    i += 1;
                    break;
                }
                T::Ident => match self.scan_head_word(i, &mut h) {
                    Some(next) => {
                        i = next;
                        continue;
                    }
                    None => i += 1,
                },
                T::Less if !assigned && !h.function => i = self.angle_end(i).unwrap_or(i + 1),
                T::LParen => {
                    let end = self.after_group(i).unwrap_or(self.tokens.len());
                    if !assigned && !h.function {
                        self.note_parameters(i, &mut h);
                    }
                    i = end;
                    if h.function && self.macro_call_ends(start, i) {
                        break;
                    }
                }
                T::LBracket => i = self.after_group(i).unwrap_or(self.tokens.len()),
                T::Eq => {
                    assigned = true;
                    if h.function {
                        let kw = self.kw_of(self.at(i + 1));
                        h.defaulted = matches!(kw, Kw::Default | Kw::Delete);
                    }
                    i += 1;
                }
                T::Colon if h.function => {
                    inits = true;
                    i += 1;
                }
                T::LBrace => {
                    let end = self.after_group(i).unwrap_or(self.tokens.len());
                    let before = self.at(i.wrapping_sub(1));
                    let initialiser =
                        assigned || !h.function || inits && (self.is_ident(before) || before.kind == T::Greater);
                    i = end;
                    if !initialiser {
                        while self.kw_of(self.at(i)) == Kw::Catch {
                            i = self.after_group(i + 1).and_then(|b| self.after_group(b)).unwrap_or(i + 1);
                        }
                        break;
                    }
                }
                _ => i += 1,
            }
        }
        h.end = i;
        h
    }

    /// A word of a declaration's head; the index to go on from, if it is not the next.
    fn scan_head_word(&mut self, i: usize, h: &mut Head) -> Option<usize> {
        let kw = self.kw_of(self.at(i));
        if kw.is_device_marker() || !h.function && matches!(kw, Kw::Constexpr | Kw::Consteval) {
            h.device = true;
        }
        h.host |= kw == Kw::CudaHost;
        match kw {
            Kw::LaunchBounds
            | Kw::Maxnreg
            | Kw::ClusterDims
            | Kw::BlockSize
            | Kw::Align
            | Kw::Attribute
            | Kw::Declspec
            | Kw::Decltype
            | Kw::Alignas
            | Kw::AlignasWord
            | Kw::Noexcept
            | Kw::Throw
            | Kw::Typeof
            | Kw::Explicit
                if self.at(i + 1).kind == T::LParen =>
            {
                Some(self.after_group(i + 1).unwrap_or(self.tokens.len()))
            }
            Kw::Requires => Some(self.constraint_end(i + 1)),
            Kw::Operator if !h.function => {
                let mut j = i + 1;
                if self.at(j).kind == T::LParen && self.at(j + 1).kind == T::RParen {
                    j += 2;
                }
                while !matches!(self.at(j).kind, T::LParen | T::Semi | T::LBrace | T::Eof) {
                    let kw = self.kw_of(self.at(j));
                    h.device |= kw.is_device_marker();
                    h.host |= kw == Kw::CudaHost;
                    j += 1;
                }
                h.function = true;
                let end = if self.at(j).kind == T::LParen { self.after_group(j).unwrap_or(j + 1) } else { j };
                Some(end)
            }
            _ => None,
        }
    }

    /// A parenthesis in a declaration's head: parameters if a name stands before it.
    fn note_parameters(&mut self, open: usize, h: &mut Head) {
        // `R (*f)(int)`: no parameter starts so.
        if matches!(self.at(open + 1).kind, T::Star | T::Amp | T::AmpAmp) {
            return;
        }
        let mut j = open.wrapping_sub(1);
        let before = self.at(j);
        if before.kind == T::Greater || before.kind == T::GreaterGreater {
            // `f<int>(…)`: the name stands before the arguments.
            while j > self.pos && !(self.at(j).kind == T::Less && self.angle_end(j) == Some(open)) {
                j -= 1;
            }
            j = j.wrapping_sub(1);
        }
        let name = self.at(j);
        if self.is_ident(name) && open > self.pos {
            h.function = true;
            h.name = Some((name.sym, name.span));
            let before = self.at(j.wrapping_sub(1)).kind;
            h.destructor = before == T::Tilde;
            h.qualified = before == T::ColonColon;
            if h.qualified {
                h.class = self.component_before(j.wrapping_sub(1));
            }
        }
    }

    /// The name of the component before the `::` at `colons`: `C` in `C<T>::`.
    fn component_before(&mut self, colons: usize) -> Option<Symbol> {
        let mut j = colons.checked_sub(1)?;
        if matches!(self.at(j).kind, T::Greater | T::GreaterGreater) {
            while j > self.pos && !(self.at(j).kind == T::Less && self.angle_end(j) == Some(colons)) {
                j -= 1;
            }
            j = j.checked_sub(1)?;
        }
        let t = self.at(j);
        self.is_ident(t).then_some(t.sym)
    }

    /// Whether the declaration is only `MACRO(…)` at the start of a line, with something else on the next line.
    fn macro_call_ends(&self, start: usize, end: usize) -> bool {
        let next = self.at(end);
        self.at(start + 1).kind == T::LParen
            && next.flags.has(crate::TokenFlags::START_OF_LINE)
            && next.kind == T::Ident
            && !matches!(self.kw_of(next), Kw::Requires | Kw::Noexcept | Kw::Throw)
    }

    /// A function of the host by its words, of a name that was declared `__device__`: read on trial. Whether it defines that
    /// function, or is the host's of the same name, is known when its parameters are.
    fn maybe_device_function(&mut self, cx: DeclCx, end: usize, out: &mut Vec<DeclId>) -> PResult<()> {
        let first = out.len();
        self.maybe_host(cx, HostReason::Function, end, out)?;
        for &d in &out[first..] {
            let of = match self.ast[d].kind {
                DeclKind::Template { decl, .. } => decl,
                _ => d,
            };
            if let DeclKind::Function(f) = self.ast[of].kind {
                self.ast[f].host_only = true;
            }
        }
        Ok(())
    }

    /// Records a host function and skips it.
    fn host_function(&mut self, cx: DeclCx, head: &Head, is_template: bool, out: &mut Vec<DeclId>) {
        if let Some((sym, _)) = head.name {
            let current = self.classes.last().and_then(|c| c.name);
            // `C<T>::C() {…}` and `C<T>::~C() {…}` say nothing new about `C`.
            if current != Some(sym) && !head.qualified && !head.destructor {
                if is_template {
                    self.names.declare(sym, Known::ValueTemplate);
                } else {
                    self.declare_function(sym);
                }
            }
        }
        let first = out.len();
        let words = self.pos..head.end.min(self.tokens.len());
        let heading = words.clone().take_while(|&i| !matches!(self.at(i).kind, T::LBrace | T::Semi | T::LParen));
        let is_virtual = heading.clone().any(|i| self.kw_of(self.at(i)) == Kw::Virtual);
        let operator = self.operator_between(words.start, words.end);
        let assigns = heading.last().is_some_and(|i| self.assigns_own_class(i));
        let copies = cx == DeclCx::Member && !is_template && !head.destructor && self.copies_own_class(head);
        let reason = if copies { HostReason::CopyConstructor } else { HostReason::Function };
        self.host_only(cx, reason, head.name, head.end, out);
        let said = (first..out.len()).filter(|_| cx == DeclCx::Member);
        for d in said.map(|i| out[i]).collect::<Vec<_>>() {
            if !matches!(self.ast[d].kind, DeclKind::HostOnly(_)) {
                continue;
            }
            // What the layout of a class depends on.
            if is_virtual {
                self.ast[d].specs = DeclSpecs::VIRTUAL;
            }
            let span = self.ast[d].span;
            match head.name {
                Some((sym, span)) if head.destructor => {
                    self.ast[d].name = self.named(NameKind::Destructor(sym), span);
                }
                None if assigns => self.ast[d].name = self.named(NameKind::Operator(Operator::Assign), span),
                None => {
                    if let Some(op) =
                        operator.and_then(|i| self.host_operator_at(i + 1)).filter(|&op| op != Operator::Assign)
                    {
                        self.ast[d].name = self.named(NameKind::Operator(op), span);
                    }
                }
                _ => {}
            }
        }
    }

    /// Where `operator` stands in a function's head, behind attributes.
    fn operator_between(&self, mut i: usize, end: usize) -> Option<usize> {
        while i < end && !matches!(self.at(i).kind, T::LBrace | T::Semi) {
            match self.at(i).kind {
                T::LParen => i = self.after_group(i)?,
                _ if self.kw_of(self.at(i)) == Kw::Operator => return Some(i),
                _ => i += 1,
            }
        }
        None
    }

    /// The operator whose symbol stands at `i`.
    fn host_operator_at(&mut self, i: usize) -> Option<Operator> {
        let (pos, tok, prev) = (self.pos, self.tok, self.prev);
        self.seek(i);
        let op = self.leniently(Self::operator_symbol).ok().flatten();
        (self.pos, self.tok, self.prev) = (pos, tok, prev);
        op
    }

    /// Whether the head is `C(const C &…`, also of `C<T>`, in a class `C`.
    fn copies_own_class(&mut self, head: &Head) -> bool {
        let Some((name, _)) = head.name.filter(|(s, _)| self.classes.last().is_some_and(|c| c.name == Some(*s))) else {
            return false;
        };
        let end = head.end.min(self.tokens.len());
        let Some(open) = (self.pos..end).find(|&i| self.at(i).kind == T::LParen) else { return false };
        let from = open + 1 + usize::from(self.kw_of(self.at(open + 1)) == Kw::Const);
        let behind = match self.at(from + 1).kind {
            T::Less => self.angle_end(from + 1),
            _ => Some(from + 1),
        };
        self.at(from).sym == name && behind.is_some_and(|i| self.at(i).kind == T::Amp)
    }

    /// Whether `operator=(const C &…` ends with the token at `i`, before its parameters, in a class `C`.
    fn assigns_own_class(&self, i: usize) -> bool {
        let named = self.at(i).kind == T::Eq && i > 0 && self.kw_of(self.at(i - 1)) == Kw::Operator;
        let from = i + 2 + usize::from(self.kw_of(self.at(i + 2)) == Kw::Const);
        named && self.classes.last().is_some_and(|c| c.name == Some(self.at(from).sym))
    }

    /// `class C::M {…}` is the host's, up to `end`: `C::M` means that from now on, whatever other classes call `M`.
    fn host_member(&mut self, member: Symbol, end: usize) {
        let body = (self.pos..end).find(|&i| matches!(self.at(i).kind, T::LBrace | T::Colon)).unwrap_or(end);
        let Some(at) = (self.pos + 2..body).find(|&i| self.at(i).sym == member && self.is_ident(self.at(i))) else {
            return;
        };
        if self.at(at - 1).kind == T::ColonColon && self.is_ident(self.at(at - 2)) {
            self.host_members.insert((self.at(at - 2).sym, member));
        }
    }

    /// Skips to `end`, recording why.
    fn host_only(
        &mut self,
        cx: DeclCx,
        reason: HostReason,
        name: Option<(Symbol, Span)>,
        end: usize,
        out: &mut Vec<DeclId>,
    ) {
        let start = self.tok.span;
        // Something is always taken, or the caller would not get on.
        let end = end.max(self.pos + 1).min(self.tokens.len());
        self.host_launches(end, out);
        let view = self.host_view(cx, end);
        self.prev = self.at(end - 1).span;
        self.seek(end);
        let span = self.span_from(start);
        let name = match name {
            Some((sym, at)) => self.plain_name(sym, at),
            None => self.named(NameKind::None, span),
        };
        let kind = DeclKind::HostOnly(reason);
        out.push(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }));
        for decl in view {
            let kind = DeclKind::HostView(decl);
            out.push(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }));
        }
    }

    /// Finds the launches of kernel templates with written arguments up to `end`: each is an instantiation.
    ///
    /// Arguments that name what only the host code knows (its own template parameters, local constants) do not parse, or
    /// mean nothing to the checker, which drops such a launch.
    fn host_launches(&mut self, end: usize, out: &mut Vec<DeclId>) {
        if self.device_templates.is_empty() {
            return;
        }
        for i in self.pos..end {
            let t = self.at(i);
            if self.at(i + 1).kind != T::Less || !self.is_ident(t) || !self.device_templates.contains(&t.sym) {
                continue;
            }
            let after = self.angle_end(i + 1);
            if after.is_some_and(|e| self.at(e).kind == T::LessLess && self.at(e + 1).kind == T::Less) {
                self.host_launch(i, out);
            }
        }
    }

    /// The launch whose kernel is named at `i`; the parser ends where it began.
    fn host_launch(&mut self, i: usize, out: &mut Vec<DeclId>) {
        let (pos, tok, prev, fatal) = (self.pos, self.tok, self.prev, self.fatal);
        let (checkpoint, unknown, depth) = (self.session.diagnostics.len(), self.unknown_types, self.depth);
        let mut first = i;
        while self.at(first - 1).kind == T::ColonColon && first >= 2 && self.is_ident(self.at(first - 2)) {
            first -= 2;
        }
        self.seek(first);
        let name = self.name(NameUse::Expr);
        let whole = self.at(self.pos).kind == T::LessLess;
        self.depth = depth;
        self.unknown_types = unknown;
        self.session.diagnostics.truncate(checkpoint);
        (self.pos, self.tok, self.prev, self.fatal) = (pos, tok, prev, fatal);
        if let (Ok(name), true) = (name, whole) {
            let span = self.ast[name].span;
            let kind = DeclKind::Launch;
            out.push(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }));
        }
    }

    /// Parses a declaration that may be host code: up to `end`, on trial unless a device qualifier stands in it.
    fn maybe_host(&mut self, cx: DeclCx, reason: HostReason, end: usize, out: &mut Vec<DeclId>) -> PResult<()> {
        self.read_on_trial((cx, reason), end, false, out)
    }

    /// The same; `understood`: that it parses is enough, whatever types it names.
    fn read_on_trial(
        &mut self,
        (cx, reason): (DeclCx, HostReason),
        end: usize,
        understood: bool,
        out: &mut Vec<DeclId>,
    ) -> PResult<()> {
        let end = end.min(self.tokens.len());
        let marked = !understood && (self.pos..end).any(|i| self.kw_of(self.at(i)).is_device_marker());
        if marked || self.fatal {
            return self.plain_declaration(cx, out);
        }
        let (pos, tok, prev) = (self.pos, self.tok, self.prev);
        let checkpoint = self.session.diagnostics.len();
        let errors = self.session.diagnostics.error_count();
        let unknown = self.unknown_types;
        let (first, depth) = (out.len(), self.depth);
        let pending = self.pending.len();
        let r = self.plain_declaration(cx, out);
        self.depth = depth;
        let failed = r.is_err() || self.session.diagnostics.error_count() > errors;
        if !failed && (understood || self.unknown_types == unknown) {
            return Ok(());
        }
        self.unknown_types = unknown;
        let in_place = cx == DeclCx::Member && reason == HostReason::Variable;
        if in_place {
            // Without this member the class has no layout: it is host-only too, unless device code is written in it.
            self.unknown_types += 1;
        }
        self.pending.truncate(pending);
        let name = out.get(first..).and_then(|d| d.last()).and_then(|&d| self.declared_name(d));
        let name = name.or_else(|| self.guess_name(pos, end, reason));
        out.truncate(first);
        let wrong = self.session.diagnostics.iter().skip(checkpoint).find(|d| d.severity == Severity::Error).cloned();
        let wrong = wrong.filter(|_| understood);
        self.session.diagnostics.truncate(checkpoint);
        self.fatal = false;
        self.pos = pos;
        self.tok = tok;
        self.prev = prev;
        let shared = |k| matches!(k, Kw::Static | Kw::Extern | Kw::Constexpr | Kw::Friend);
        let in_place = in_place && !(pos..end).any(|i| shared(self.kw_of(self.at(i))));
        if in_place && self.host_fields(end, out) {
            self.unknown_types = unknown;
            self.show_host_fields(cx, (pos, tok, prev), first, out);
            return Ok(());
        }
        let reason = if in_place { HostReason::Member } else { reason };
        if let Some((sym, _)) = name {
            let known = if matches!(reason, HostReason::Variable | HostReason::Member | HostReason::Function) {
                Known::Value
            } else {
                Known::HostType
            };
            self.names.declare(sym, known);
            if reason == HostReason::Class {
                self.host_member(sym, end);
            }
        }
        let scope = if reason == HostReason::Class { self.host_scope(end) } else { None };
        if reason == HostReason::Class {
            out.extend(self.host_tag());
        }
        self.host_only(cx, reason, name, end, out);
        if let (Some(wrong), Some(&d)) = (wrong, out.get(first)) {
            self.ast.unread.insert(self.ast[d].span, wrong);
        }
        out.extend(scope);
        Ok(())
    }

    /// Host code has the fields behind `first` in `out`, which begin at a token before, as they are written.
    fn show_host_fields(&mut self, cx: DeclCx, from: (usize, Token, Span), first: usize, out: &mut Vec<DeclId>) {
        let end = (self.pos, self.tok, self.prev);
        (self.pos, self.tok, self.prev) = from;
        let view = self.host_view(cx, end.0);
        (self.pos, self.tok, self.prev) = end;
        if view.is_empty() {
            return;
        }
        for d in &mut out[first..] {
            let field = self.ast[*d];
            if let DeclKind::Field { .. } = field.kind {
                *d = self.ast.push_decl(Decl { kind: DeclKind::DeviceView(*d), ..field });
            }
        }
        for decl in view {
            let Decl { name, span, .. } = self.ast[decl];
            let kind = DeclKind::HostView(decl);
            out.push(self.ast.push_decl(Decl { kind, name, specs: DeclSpecs::NONE, attrs: List::EMPTY, span }));
        }
    }

    fn declared_name(&self, d: DeclId) -> Option<(Symbol, Span)> {
        let name = self.ast[d].name;
        match self.ast[name].kind {
            NameKind::Ident(sym) => Some((sym, self.ast[name].span)),
            _ => None,
        }
    }

    /// The name of a declaration that did not parse: after the tag or `using`; else the last word before its end.
    fn guess_name(&self, start: usize, end: usize, reason: HostReason) -> Option<(Symbol, Span)> {
        let named = |i: usize| {
            let t = self.at(i);
            self.is_ident(t).then_some((t.sym, t.span))
        };
        if reason == HostReason::Class || self.kw_of(self.at(start)) == Kw::Using {
            let mut at = (start..end.min(start + 64)).find(|&i| named(i).is_some())?;
            while self.at(at + 1).kind == T::ColonColon && named(at + 2).is_some() {
                at += 2;
            }
            return named(at);
        }
        let stop = (start..end).find(|&i| matches!(self.at(i).kind, T::Eq | T::LBrace)).unwrap_or(end);
        (start..stop).rev().take(64).find_map(named)
    }
}
