//! Functions: bodies, constructor initialisers, bodies of members parsed when their class is complete.

use super::decl::DeclCx;
use super::declarator::Declarator;
use super::keywords::Kw;
use super::name::NameUse;
use super::names::Known;
use super::spec::Specs;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::{
    Body, CtorInit, Decl, DeclId, DeclKind, DeclSpecs, FnTypeId, Function, FunctionId, FunctionKind, List, NameKind,
    StmtId, StmtKind, TypeKind,
};
use smallvec::SmallVec;
use source::Diagnostic;

/// A member's body that waits for its class to be complete.
pub(super) struct PendingBody {
    /// Index of its first token: `{`, `:` or `try`.
    pos: usize,
    function: FunctionId,
    decl: DeclId,
    ty: FnTypeId,
    heads: Vec<List<DeclId>>,
    /// What the classes around it declare that are not the outermost one, the innermost first.
    members: Vec<std::rc::Rc<[(source::Symbol, Known)]>>,
    /// It is host code, read for its launches.
    lenient: bool,
}

impl Parser<'_> {
    /// The rest of a function after its declarator, with its body if there is one. True if it had a body (so that no
    /// `;` follows).
    pub(super) fn function_rest(
        &mut self,
        cx: DeclCx,
        specs: &Specs,
        d: Declarator,
        first: bool,
    ) -> PResult<(DeclId, bool)> {
        let TypeKind::Function(fn_ty) = self.ast[d.ty].kind else {
            return Err(self.expected("a function"));
        };
        let mut kind = match self.ast[d.name].kind {
            NameKind::Destructor(_) => FunctionKind::Destructor,
            NameKind::Conversion(ty) => {
                self.ast[fn_ty].ret = ty;
                FunctionKind::Conversion
            }
            _ if specs.no_type && self.ast[fn_ty].trailing => FunctionKind::Guide,
            _ if specs.no_type => FunctionKind::Constructor,
            _ => FunctionKind::Plain,
        };
        if specs.no_type && matches!(self.ast[d.name].kind, NameKind::Operator(_)) {
            kind = FunctionKind::Plain;
            let span = self.ast[d.name].span;
            self.error("E0202", span, "an operator function needs a return type");
        }
        if let Some(sym) = self.ast.plain_name(d.name)
            && kind == FunctionKind::Plain
        {
            if self.template_heads.is_empty() {
                self.declare_function(sym);
            } else {
                self.names.declare(sym, Known::ValueTemplate);
            }
        }
        let mut attrs = specs.attrs.clone();
        attrs.extend(d.attrs);
        let mut f = Function {
            ty: d.ty,
            kind,
            body: Body::None,
            inits: List::EMPTY,
            pure: false,
            overrides: false,
            asm_label: None,
            end: self.ast.next_decl(),
            host_only: false,
            contract: self.contract,
        };
        if self.is_cxx() {
            while self.tok.is_ident(self.words.fin) || self.tok.is_ident(self.words.overrid) {
                self.bump();
                f.overrides = true;
            }
        }
        f.asm_label = self.asm_label_if_any()?;
        self.attributes_if_any(&mut attrs)?;
        let bodied = self.is(T::LBrace) || self.is_cxx() && (self.is(T::Colon) || self.is_kw(Kw::Try));
        let defaulted = self.is_cxx() && self.is(T::Eq);
        let attrs = self.ast.push_list(&attrs);
        let span = self.span_from(specs.start);
        let function = self.ast.push_function(f);
        let kind = DeclKind::Function(function);
        let member = cx == DeclCx::Member && self.is_cxx();
        let space = if member { self.member_space(specs.specs) } else { self.space_of_class(specs.specs, d.name) };
        let decl = self.ast.push_decl(Decl { kind, name: d.name, specs: space, attrs, span });
        if defaulted {
            self.special_definition(function)?;
            self.ast[decl].span = self.span_from(specs.start);
            return Ok((decl, false));
        }
        if !bodied {
            if let (true, NameKind::Ident(sym)) = (space.has(DeclSpecs::DEVICE), self.ast[d.name].kind) {
                self.device_functions.insert(sym);
            }
            return Ok((decl, false));
        }
        if !first {
            return Err(self.expected("`;` or `,`: a function with a body stands alone"));
        }
        if cx == DeclCx::Block {
            let d = Diagnostic::error("E0202", self.tok.span, "a function cannot be defined inside a function")
                .help("move it out, or make it a lambda");
            return Err(self.report(d));
        }
        // Bodies wait for the outermost class, when the parameters of classes inside of it are out of scope.
        let inner = self.classes.iter().skip(1).flat_map(|c| &c.heads);
        let heads = inner.chain(&self.template_heads).copied().collect();
        let body =
            PendingBody { pos: self.pos, function, decl, ty: fn_ty, heads, members: Vec::new(), lenient: self.lenient };
        if cx == DeclCx::Member {
            self.skip_body()?;
            self.pending.push(body);
        } else {
            self.function_body(&body)?;
        }
        self.ast[decl].span = self.span_from(specs.start);
        Ok((decl, true))
    }

    /// `= default`, `= delete`, `= 0`
    fn special_definition(&mut self, function: FunctionId) -> PResult<()> {
        self.bump();
        let body = match self.kw() {
            Kw::Default => Body::Default,
            Kw::Delete => Body::Delete,
            _ if self.is(T::Number) && self.session.str(self.tok.sym) == "0" => {
                self.ast[function].pure = true;
                Body::None
            }
            _ => return Err(self.expected("`default`, `delete` or `0`")),
        };
        self.bump();
        self.ast[function].body = body;
        Ok(())
    }

    /// Skips constructor initialisers and a body.
    fn skip_body(&mut self) -> PResult<()> {
        let end = self.body_end(self.pos);
        let Some(end) = end else {
            let d = Diagnostic::error("E0208", self.tok.span, "this function's body is never closed");
            self.report(d);
            self.stop();
            return Err(super::Reported);
        };
        self.prev = self.at(end - 1).span;
        self.seek(end);
        Ok(())
    }

    /// Index after the function body that starts, perhaps with constructor initialisers or `try`, at `i`.
    pub(super) fn body_end(&self, start: usize) -> Option<usize> {
        let mut i = start;
        loop {
            let t = self.at(i);
            match t.kind {
                T::LBrace => {
                    // What stands before the first token is the declaration's: `-> pair<int> {`.
                    let before = self.at(i.wrapping_sub(1));
                    let initialiser = i > start && (self.is_ident(before) || before.kind == T::Greater);
                    let end = self.after_group(i)?;
                    if !initialiser {
                        return Some(self.handlers_end(end));
                    }
                    i = end;
                }
                T::LParen | T::LBracket => i = self.after_group(i)?,
                T::Eof | T::Semi | T::RBrace => return None,
                _ => i += 1,
            }
        }
    }

    /// Index after the `catch` clauses at `i`, if there are any.
    fn handlers_end(&self, mut i: usize) -> usize {
        while self.kw_of(self.at(i)) == Kw::Catch {
            let end = self.after_group(i + 1).and_then(|b| self.after_group(b));
            match end {
                Some(e) => i = e,
                None => break,
            }
        }
        i
    }

    /// Parses the waiting bodies from index `first` on.
    pub(super) fn parse_pending(&mut self, first: usize) {
        let (pos, tok, prev) = (self.pos, self.tok, self.prev);
        let bodies: Vec<PendingBody> = self.pending.drain(first..).collect();
        for b in bodies {
            if self.fatal {
                return;
            }
            self.seek(b.pos);
            // An error was reported; the other members are still worth parsing.
            if b.lenient {
                // What host code cannot name is nothing to the class around it.
                let unknown = self.unknown_types;
                let _ = self.leniently(|p| p.function_body(&b));
                self.unknown_types = unknown;
                self.fatal = false;
            } else {
                let _ = self.function_body(&b);
            }
        }
        if self.fatal {
            return;
        }
        self.pos = pos;
        self.tok = tok;
        self.prev = prev;
    }

    /// `: inits { … }`, with the parameters in scope.
    fn function_body(&mut self, b: &PendingBody) -> PResult<()> {
        let heads = std::mem::take(&mut self.template_heads);
        let template = std::mem::replace(&mut self.in_template_body, !heads.is_empty() || !b.heads.is_empty());
        let outer = self.enter_function(true);
        let angle = std::mem::replace(&mut self.angle, false);
        let of_class = self.enter_class_of(self.ast[b.decl].name);
        self.names.push_scope();
        for &(sym, known) in b.members.iter().rev().flat_map(|m| m.iter()) {
            self.names.declare_parameter(sym, known);
        }
        for &head in &b.heads {
            self.redeclare(head);
        }
        self.redeclare(self.ast[b.ty].params);
        let r = self.nested(|p| p.function_body_inner(b));
        self.names.pop_scope();
        if of_class {
            self.names.pop_scope();
        }
        self.angle = angle;
        self.enter_function(outer);
        self.in_template_body = template;
        self.template_heads = heads;
        r
    }

    fn function_body_inner(&mut self, b: &PendingBody) -> PResult<()> {
        let try_span = self.tok.span;
        let tried = self.eat_kw(Kw::Try);
        if self.eat(T::Colon) {
            let inits = self.ctor_inits()?;
            self.ast[b.function].inits = inits;
        }
        let body = self.compound()?;
        self.ast[b.function].body = Body::Stmt(body);
        self.ast[b.function].end = self.ast.next_decl();
        self.ast[b.decl].span = self.ast[b.decl].span.to(self.prev);
        if tried {
            let stmt = self.try_rest(body, try_span)?;
            self.ast[b.function].body = Body::Stmt(stmt);
        }
        Ok(())
    }

    /// `catch (…) {…}` handlers are skipped.
    pub(super) fn try_rest(&mut self, body: StmtId, start: source::Span) -> PResult<StmtId> {
        if !self.is_kw(Kw::Catch) {
            return Err(self.expected("`catch`"));
        }
        let end = self.handlers_end(self.pos);
        if end == self.pos {
            self.bump();
            return Err(self.expected("a handler"));
        }
        self.prev = self.at(end - 1).span;
        self.seek(end);
        Ok(self.stmt_from(StmtKind::Try { body }, start))
    }

    /// The scope of a class inside of another one ends: its members' bodies, which wait for the end of that, know its members.
    pub(super) fn leave_inner_class(&mut self, first_pending: usize) {
        if first_pending == self.pending.len() {
            return;
        }
        let names = &self.names;
        let members: std::rc::Rc<[_]> =
            names.declared_here().filter(|&(sym, known)| names.is_telling(sym, known)).collect();
        for b in self.pending.iter_mut().skip(first_pending) {
            b.members.push(std::rc::Rc::clone(&members));
        }
    }

    /// Brings parameters (of functions or templates) into scope again.
    pub(super) fn redeclare(&mut self, params: List<DeclId>) {
        for i in 0..params.len() {
            let id = self.ast.list(params)[i];
            let d = self.ast[id];
            if let NameKind::Ident(sym) = self.ast[d.name].kind {
                let known = match d.kind {
                    DeclKind::TypeParam { .. } => Known::Type,
                    DeclKind::TemplateParam { .. } => Known::TypeTemplate,
                    _ => Known::Value,
                };
                self.names.declare_parameter(sym, known);
            }
        }
    }

    /// `a(x), b{y}, Base<T>(z)...`
    fn ctor_inits(&mut self) -> PResult<List<CtorInit>> {
        let mut inits: SmallVec<[CtorInit; 4]> = SmallVec::new();
        loop {
            let start = self.tok.span;
            let name = self.name(NameUse::Type)?;
            let (args, braces) = if self.is(T::LBrace) {
                let e = self.braced_init()?;
                (self.ast.push_list(&[e]), true)
            } else {
                (self.call_args()?, false)
            };
            let pack = self.eat(T::Ellipsis);
            let span = self.span_from(start);
            inits.push(CtorInit { name, args, braces, pack, span });
            if !self.eat(T::Comma) {
                return Ok(self.ast.push_list(&inits));
            }
        }
    }
}
