//! `new`, `delete`, `malloc` and `free`: objects that a program makes while it runs (C++17, 8.3.4 and 8.3.5).
//!
//! Memory comes from `malloc` and goes back to `free`, functions that the driver has on NVIDIA's GPUs, the interpreter and
//! the host's runtime. What they give is aligned to 16 bytes. An array whose elements have destructors stands behind a
//! word that says how many there are, as in the Itanium ABI. `malloc` gives null where the heap is used up; then nothing is
//! constructed and the result is null.

use super::call::Arg;
use super::convert::Why;
use super::{BodySource, BodyState, Checker, FnDecl, FnId, FnKind, ParamDecl, ScopeId};
use crate::program::{BinaryOp, CastKind, CompareOp, ExprId, ExprKind, LocalId, LoopHints, StmtId, StmtKind};
use crate::types::{AddrSpace, NameId, NameKind, Quals, Ty, TyId};
use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, DeclSpecs};

/// What `malloc` promises of its addresses.
const HEAP_ALIGN: u32 = 16;

impl Checker<'_> {
    /// A call of `malloc` or `free`, if the name is one of theirs.
    pub(crate) fn heap_call(&mut self, sym: Symbol, args: ast::List<ast::ExprId>, span: Span) -> Option<ExprId> {
        let name = self.text(sym);
        let allocates = match name {
            "malloc" | "operator new" | "operator new[]" => true,
            "free" | "operator delete" | "operator delete[]" => false,
            _ => return None,
        };
        let is_operator = name.starts_with("operator");
        if self.is_opencl() || is_operator && !self.is_cuda() {
            return None;
        }
        let f = self.heap_function(allocates);
        let mut given = self.args(args);
        // The size that is given back says nothing.
        if is_operator && !allocates && given.len() == 2 {
            given.truncate(1);
        }
        if given.len() != 1 {
            let message = format!("this call takes 1 argument, {} given", given.len());
            self.error("E0438", span, message);
            return Some(self.err(span));
        }
        Some(self.call_fn(f, None, &given, span, span))
    }

    /// `malloc` or `free`.
    fn heap_function(&mut self, allocates: bool) -> FnId {
        if let Some(f) = self.inst.heap[usize::from(allocates)] {
            return f;
        }
        let name = self.sess.intern(if allocates { "malloc" } else { "free" });
        let bytes = self.p.types.pointer(TyId::VOID, Quals::NONE, AddrSpace::Generic);
        let (ret, param) = if allocates { (bytes, TyId::ULONG) } else { (TyId::VOID, bytes) };
        let param =
            ParamDecl { name: None, ty: param, quals: Quals::NONE, default: None, decl: None, span: Span::NONE };
        let path = self.p.types.child_name(NameId::ROOT, NameKind::Entity(name));
        let f = self.push_fn(FnDecl {
            name,
            kind: FnKind::Plain,
            path,
            span: Span::NONE,
            ast: None,
            scope: ScopeId(0),
            record: None,
            is_static: false,
            this_quals: Quals::NONE,
            ref_qual: ast::RefQual::None,
            ret,
            params: vec![param],
            variadic: false,
            unprototyped: false,
            specs: DeclSpecs::DEVICE.with(DeclSpecs::EXTERN_C),
            explicit: false,
            deduced_ret: false,
            body: BodySource::None,
            state: BodyState::Unchecked,
            func: None,
            template: None,
            asm_label: None,
            overloadable: false,
            default_scope: None,
            depth: 0,
        });
        self.inst.heap[usize::from(allocates)] = Some(f);
        f
    }

    // ---- new ---------------------------------------------------------------------------------------------------------

    /// `new T`, `new T(args)`, `new T[n]`, each also with a place: `new (p) T`.
    pub(crate) fn new_object(&mut self, new: ast::New, span: Span) -> ExprId {
        // Where its validity is asked nothing is allocated: `requires { ::new T; }`.
        if self.cx.decl.is_none() && self.cx.unevaluated == 0 {
            self.error("E0480", span, "`new` is only supported inside functions");
            return self.err(span);
        }
        let (ty, count) = match self.ast[new.ty].kind {
            ast::TypeKind::Array { element, size: ast::ArraySize::Expr(n) } => {
                let n = self.expr(n);
                (self.resolve_ty(element), Some(self.implicit(n, TyId::ULONG, Why::Operand)))
            }
            _ => {
                let deduced = self.deduced_by_new(&new);
                let outer = std::mem::replace(&mut self.cx.auto_ty, deduced);
                let ty = self.resolve_ty(new.ty);
                self.cx.auto_ty = outer;
                match *self.p.types.get(ty) {
                    Ty::Array { elem, len: Some(n) } => {
                        let n = self.int(i128::from(n), TyId::ULONG, span);
                        (elem, Some(n))
                    }
                    _ => (ty, None),
                }
            }
        };
        if let Some(r) = self.p.types.as_record(ty) {
            self.complete_record(r);
        }
        let Some(size) = self.p.types.size_of(ty) else {
            if ty != TyId::ERROR {
                let name = self.show(ty);
                self.error("E0353", span, format!("`new` of incomplete type `{name}`"));
            }
            return self.err(span);
        };
        if count.is_some_and(|c| self.is_err(c)) {
            return self.err(span);
        }
        let mut out = Vec::new();
        let held = count.map(|n| self.keep(n, &mut out, span));
        let placed = !new.placement.is_empty();
        let cookie = if placed || count.is_none() { 0 } else { self.cookie(ty) };
        let Some(memory) = self.memory_for(new, (size, held, cookie), ty, span) else { return self.err(span) };
        if self.is_err(memory) {
            return memory;
        }
        let whole = self.keep(memory, &mut out, span);
        let mut made = Vec::new();
        let object = match (held, cookie) {
            (Some(n), 1..) => {
                let first = self.load(whole, span);
                let longs = self.p.types.pointer(TyId::ULONG, Quals::NONE, AddrSpace::Generic);
                let end = self.moved_bytes(first, cookie as i64 - 8, longs, span);
                let place = self.deref(end, span);
                let n = self.load(n, span);
                let s = self.store(place, n, span);
                made.push(self.push_stmt(StmtKind::Expr(s), span));
                cookie
            }
            _ => 0,
        };
        let pty = self.p.types.pointer(ty, Quals::NONE, AddrSpace::Generic);
        let place = (whole, object, pty);
        match held {
            Some(n) => self.construct_elements(place, ty, (n, &new), &mut made, span),
            None => {
                let p = self.object_pointer(place, span);
                let at = self.deref(p, span);
                let init = self.new_init(&new);
                self.construct_at(at, ty, init, &mut made, span);
            }
        }
        if placed {
            out.append(&mut made);
        } else if !made.is_empty() {
            let then = self.block(&made, span);
            let cond = self.load(whole, span);
            let cond = self.condition(cond);
            out.push(self.push_stmt(StmtKind::If { cond, then, other: None }, span));
        }
        let body = self.block(&out, span);
        let result = if object == 0 {
            self.object_pointer(place, span)
        } else {
            // Null stays null.
            let v = self.load(whole, span);
            let kind = CastKind::DerivedToBase { offset: object as u32 };
            self.rv(ExprKind::Cast { kind, operand: v }, pty, span)
        };
        self.rv(ExprKind::StmtExpr { body, result: Some(result) }, pty, span)
    }

    /// The address that `new` uses: the place given, or memory for what is made.
    fn memory_for(
        &mut self,
        new: ast::New,
        (size, count, cookie): (u64, Option<LocalId>, u64),
        ty: TyId,
        span: Span,
    ) -> Option<ExprId> {
        if !new.placement.is_empty() {
            let given = self.args(new.placement);
            let [Arg::Expr(p)] = given[..] else {
                self.report(
                    Diagnostic::error(
                        "E0456",
                        span,
                        "`new` with more than an address in its parentheses is not supported",
                    )
                    .help("write `new (address) T`"),
                );
                return None;
            };
            let bytes = self.p.types.pointer(TyId::VOID, Quals::NONE, AddrSpace::Generic);
            return Some(self.implicit(p, bytes, Why::Arg));
        }
        if self.p.types.align_of(ty) > HEAP_ALIGN {
            let (name, align) = (self.show(ty), self.p.types.align_of(ty));
            self.report(
                Diagnostic::error(
                    "E0456",
                    span,
                    format!("`new` of `{name}`, which asks for {align} bytes of alignment"),
                )
                .help(format!("the heap gives {HEAP_ALIGN}: allocate more and use `new (address) T`")),
            );
            return None;
        }
        let one = self.int(i128::from(size), TyId::ULONG, span);
        let bytes = match count {
            None => one,
            Some(n) => {
                let n = self.load(n, span);
                let all = self.rv(ExprKind::Binary { op: BinaryOp::Mul, lhs: n, rhs: one }, TyId::ULONG, span);
                let more = self.int(i128::from(cookie), TyId::ULONG, span);
                let sum = ExprKind::Binary { op: BinaryOp::Add, lhs: all, rhs: more };
                if cookie == 0 { all } else { self.rv(sum, TyId::ULONG, span) }
            }
        };
        let f = self.heap_function(true);
        Some(self.call_fn(f, None, &[Arg::Expr(bytes)], span, span))
    }

    /// Bytes before an array for the number of its elements.
    fn cookie(&mut self, ty: TyId) -> u64 {
        if self.needs_destruction(ty) { u64::from(self.p.types.align_of(ty).max(8)) } else { 0 }
    }

    /// What `auto` stands for in `new auto(e)`; elsewhere nobody asks.
    fn deduced_by_new(&mut self, new: &ast::New) -> Option<TyId> {
        if !matches!(self.ast[new.ty].kind, ast::TypeKind::Builtin(ast::BuiltinType::Auto)) {
            return None;
        }
        let &[e] = self.ast.list(new.init?) else { return None };
        let e = match self.ast[e].kind {
            ast::ExprKind::InitList(items) => match self.ast.list(items) {
                [one] => one.value,
                _ => return None,
            },
            _ => e,
        };
        self.cx.unevaluated += 1;
        let v = self.expr(e);
        self.cx.unevaluated -= 1;
        Some(self.value_ty(v))
    }

    /// How what is made is initialised.
    fn new_init(&self, new: &ast::New) -> ast::Init {
        match new.init {
            None => ast::Init::None,
            Some(list) => match self.ast.list(list) {
                &[e] if matches!(self.ast[e].kind, ast::ExprKind::InitList(_)) => ast::Init::Brace(e),
                _ => ast::Init::Paren(list),
            },
        }
    }

    fn construct_at(&mut self, place: ExprId, ty: TyId, init: ast::Init, out: &mut Vec<StmtId>, span: Span) {
        let plain = match self.p.types.as_record(ty) {
            Some(r) => !self.has_nontrivial_default(r),
            None => true,
        };
        if let ast::Init::Paren(list) = init
            && list.is_empty()
            && plain
        {
            let zero = self.zero(ty, span);
            let s = self.store(place, zero, span);
            out.push(self.push_stmt(StmtKind::Expr(s), span));
            return;
        }
        self.init_place(place, ty, init, out, span);
    }

    /// A loop over the elements of a new array.
    fn construct_elements(
        &mut self,
        (whole, offset, pty): (LocalId, u64, TyId),
        ty: TyId,
        (count, new): (LocalId, &ast::New),
        out: &mut Vec<StmtId>,
        span: Span,
    ) {
        let mut init = self.new_init(new);
        if let ast::Init::Brace(e) = init {
            // Those that are listed, then the others.
            let ast::ExprKind::InitList(items) = self.ast[e].kind else { return };
            let items: Vec<ast::ExprId> = self.ast.list(items).iter().map(|i| i.value).collect();
            for (n, &e) in items.iter().enumerate() {
                let size = self.p.types.size_of(ty).unwrap_or(0);
                let first = self.load(whole, span);
                let at = self.moved_bytes(first, (offset + n as u64 * size) as i64, pty, span);
                let at = self.deref(at, span);
                self.init_place(at, ty, ast::Init::Copy(e), out, span);
            }
            init = ast::Init::Paren(ast::List::EMPTY);
            return self.loop_from(items.len() as u64, (whole, offset, pty), ty, (count, init), out, span);
        }
        self.loop_from(0, (whole, offset, pty), ty, (count, init), out, span);
    }

    fn loop_from(
        &mut self,
        start: u64,
        (whole, offset, pty): (LocalId, u64, TyId),
        ty: TyId,
        (count, init): (LocalId, ast::Init),
        out: &mut Vec<StmtId>,
        span: Span,
    ) {
        let first = self.int(i128::from(start), TyId::ULONG, span);
        let mut before = Vec::new();
        let i = self.keep(first, &mut before, span);
        let base = self.load(whole, span);
        let base = self.moved_bytes(base, offset as i64, pty, span);
        let index = self.load(i, span);
        let at = self.rv(ExprKind::PtrOffset { ptr: base, index, negative: false }, pty, span);
        let at = self.deref(at, span);
        let mut body = Vec::new();
        self.construct_at(at, ty, init, &mut body, span);
        if body.is_empty() {
            return;
        }
        let body = self.block(&body, span);
        let (a, n) = (self.load(i, span), self.load(count, span));
        let cond = self.compare(CompareOp::Lt, a, n, TyId::BOOL, span);
        let place = self.local_place(i, span);
        let step = self.rv(ExprKind::IncDec { place, increment: true, prefix: true }, TyId::ULONG, span);
        out.append(&mut before);
        let hints = self.loop_without_hints(span);
        out.push(self.push_stmt(StmtKind::For { init: None, cond: Some(cond), step: Some(step), body, hints }, span));
    }

    fn loop_without_hints(&mut self, span: Span) -> u32 {
        self.cx.loops.push(LoopHints { span, ..LoopHints::default() });
        self.cx.loops.len() as u32 - 1
    }

    // ---- delete ------------------------------------------------------------------------------------------------------

    /// `delete p`, `delete[] p`: nothing if it is null.
    pub(crate) fn delete_object(&mut self, array: bool, operand: ast::ExprId, span: Span) -> ExprId {
        let p = self.expr(operand);
        let p = self.rvalue(p);
        if self.is_err(p) {
            return p;
        }
        let Ty::Pointer { pointee, .. } = *self.p.types.get(self.ty(p)) else {
            let name = self.show(self.ty(p));
            self.error("E0456", span, format!("cannot delete a value of type `{name}`"));
            return self.err(span);
        };
        let mut out = Vec::new();
        let held = self.keep(p, &mut out, span);
        let mut ends = Vec::new();
        let start = if array {
            self.destroy_elements(held, pointee, &mut ends, span)
        } else {
            self.destroy_pointed(held, pointee, &mut ends, span)
        };
        let bytes = self.p.types.pointer(TyId::VOID, Quals::NONE, AddrSpace::Generic);
        let start = self.rv(ExprKind::Cast { kind: CastKind::PtrToPtr, operand: start }, bytes, span);
        let f = self.heap_function(false);
        let freed = self.call_fn(f, None, &[Arg::Expr(start)], span, span);
        ends.push(self.push_stmt(StmtKind::Expr(freed), span));
        let then = self.block(&ends, span);
        let cond = self.load(held, span);
        let cond = self.condition(cond);
        out.push(self.push_stmt(StmtKind::If { cond, then, other: None }, span));
        let body = self.block(&out, span);
        self.rv(ExprKind::StmtExpr { body, result: None }, TyId::VOID, span)
    }

    /// Ends the object that is pointed to; where the memory begins.
    fn destroy_pointed(&mut self, held: LocalId, ty: TyId, out: &mut Vec<StmtId>, span: Span) -> ExprId {
        let p = self.load(held, span);
        let Some(r) = self.p.types.as_record(ty) else { return p };
        self.complete_record(r);
        let place = self.deref(p, span);
        if let Some(root) = self.virtual_destructor(r) {
            let d = self.dispatcher(root);
            return self.call_direct((d, d), Some(place), &[], span, span);
        }
        let place = self.unqualified(place);
        self.destroy(place, span, out);
        self.load(held, span)
    }

    /// Ends the elements of an array, the last first; where the memory begins.
    fn destroy_elements(&mut self, held: LocalId, ty: TyId, out: &mut Vec<StmtId>, span: Span) -> ExprId {
        if let Some(r) = self.p.types.as_record(ty) {
            self.complete_record(r);
        }
        let cookie = self.cookie(ty);
        let p = self.load(held, span);
        if cookie == 0 {
            return p;
        }
        let pty = self.ty(p);
        let longs = self.p.types.pointer(TyId::ULONG, Quals::NONE, AddrSpace::Generic);
        let before = self.moved_bytes(p, -8, longs, span);
        let place = self.deref(before, span);
        let n = self.rv(ExprKind::Load(place), TyId::ULONG, span);
        let i = self.keep(n, out, span);
        let left = self.local_place(i, span);
        let down = self.rv(ExprKind::IncDec { place: left, increment: false, prefix: false }, TyId::ULONG, span);
        let zero = self.int(0, TyId::ULONG, span);
        let cond = self.compare(CompareOp::Ne, down, zero, TyId::BOOL, span);
        let (ptr, index) = (self.load(held, span), self.load(i, span));
        let at = self.rv(ExprKind::PtrOffset { ptr, index, negative: false }, pty, span);
        let at = self.deref(at, span);
        let at = self.unqualified(at);
        let mut body = Vec::new();
        self.destroy(at, span, &mut body);
        let body = self.block(&body, span);
        let hints = self.loop_without_hints(span);
        out.push(self.push_stmt(StmtKind::While { cond, body, hints }, span));
        let p = self.load(held, span);
        self.moved_bytes(p, -(cookie as i64), pty, span)
    }

    // ---- parts -------------------------------------------------------------------------------------------------------

    /// A value in a local of its own.
    fn keep(&mut self, v: ExprId, out: &mut Vec<StmtId>, span: Span) -> LocalId {
        let ty = self.ty(v);
        let l = self.new_local(None, ty, Quals::NONE, span);
        out.push(self.push_stmt(StmtKind::Decl { local: l, init: Some(v) }, span));
        l
    }

    fn load(&mut self, l: LocalId, span: Span) -> ExprId {
        let place = self.local_place(l, span);
        let ty = self.ty(place);
        self.rv(ExprKind::Load(place), ty, span)
    }

    fn object_pointer(&mut self, (whole, offset, pty): (LocalId, u64, TyId), span: Span) -> ExprId {
        let p = self.load(whole, span);
        self.moved_bytes(p, offset as i64, pty, span)
    }

    /// A pointer moved by so many bytes, as one of another type.
    fn moved_bytes(&mut self, p: ExprId, bytes: i64, to: TyId, span: Span) -> ExprId {
        let chars = self.p.types.pointer(TyId::CHAR, Quals::NONE, AddrSpace::Generic);
        let mut p = self.rv(ExprKind::Cast { kind: CastKind::PtrToPtr, operand: p }, chars, span);
        if bytes != 0 {
            let index = self.int(i128::from(bytes.unsigned_abs()), TyId::LONG, span);
            p = self.rv(ExprKind::PtrOffset { ptr: p, index, negative: bytes < 0 }, chars, span);
        }
        self.rv(ExprKind::Cast { kind: CastKind::PtrToPtr, operand: p }, to, span)
    }
}
