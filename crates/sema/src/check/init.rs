//! Initialisers: lists flattened to offsets, strings, constructors, and the bytes of constant objects.

mod defaults;
mod items;
mod lists;
mod narrowing;
mod ranked;
mod scalar;
mod vector;

use items::Items;
use scalar::Braces;
use smallvec::SmallVec;
use source::{Diagnostic, Span};
use syntax::ast::{self, Designator, Init};

use super::Checker;
use super::call::Arg;
use super::convert::Why;
use crate::program::{ExprId, ExprKind, InitElem, ListId};
use crate::types::{RecordId, Ty, TyId};

/// Most elements an initialiser may flatten to.
const MAX_ELEMS: usize = 1 << 20;

impl Checker<'_> {
    /// The value of an initialiser for a type without constructor; `None` if there is no initialiser.
    pub(crate) fn init_value(&mut self, ty: TyId, init: Init, span: Span) -> Option<ExprId> {
        if let Ty::Reference { .. } = self.p.types.get(ty) {
            return self.reference_init(ty, init, span);
        }
        if let Some(r) = self.p.types.as_record(ty) {
            self.complete_record(r);
            if self.needs_constructor(r, init) {
                let args = self.init_args(init);
                return Some(self.construct(r, ty, &args, span, !matches!(init, Init::Copy(_))));
            }
        }
        match init {
            Init::None => self.array_default(ty, init, span),
            Init::Copy(e) => Some(self.init_from(e, ty, Why::Init)),
            Init::Brace(e) => Some(match self.ast[e].kind {
                ast::ExprKind::InitList(list) if self.p.types.as_record(ty).is_some() => {
                    let span = self.ast[e].span;
                    self.direct_list(list, ty, span)
                }
                _ => self.init_from(e, ty, Why::Init),
            }),
            Init::Paren(list) => {
                let items = self.ast.list(list);
                match items {
                    [] => Some(self.default_objects(ty, span).unwrap_or_else(|| self.zero(ty, span))),
                    [e] => Some(match self.ast[*e].kind {
                        ast::ExprKind::Pack(pattern) => self.init_from_pack(pattern, ty, span),
                        _ => self.init_from(*e, ty, Why::Init),
                    }),
                    _ if self.p.types.is_vector(ty) => Some(self.vector_from(items, ty, span, false)),
                    _ => {
                        let v: Vec<ExprId> = items.iter().map(|&e| self.expr(e)).collect();
                        if v.iter().any(|&e| self.is_err(e)) {
                            return Some(self.err(span));
                        }
                        let name = self.show(ty);
                        self.error(
                            "E0360",
                            span,
                            format!("excess arguments in the initialiser of a `{name}`: {} given", v.len()),
                        );
                        Some(self.err(span))
                    }
                }
            }
        }
    }

    /// Arguments that an initialiser gives to a constructor.
    pub(crate) fn init_args(&mut self, init: Init) -> Vec<Arg> {
        match init {
            Init::None => Vec::new(),
            Init::Copy(e) => match self.ast[e].kind {
                ast::ExprKind::InitList(items) => self.list_args(items),
                _ => vec![self.arg(e)],
            },
            Init::Brace(e) => match self.ast[e].kind {
                ast::ExprKind::InitList(items) => self.list_args(items),
                _ => vec![self.arg(e)],
            },
            Init::Paren(list) => self.args(list),
        }
    }

    pub(crate) fn list_args(&mut self, items: ast::List<ast::InitItem>) -> Vec<Arg> {
        let mut items = self.items(items);
        let mut out = Vec::with_capacity(items.items.len());
        while let Some(item) = items.items.get(items.at).copied() {
            out.push(self.at_element(items.element(), |c| c.arg(item.value)));
            items.at += 1;
        }
        out
    }

    /// Whether an initialiser of a record must go through a constructor.
    pub(crate) fn needs_constructor(&mut self, r: RecordId, init: Init) -> bool {
        if !self.is_cxx() {
            return false;
        }
        self.complete_record(r);
        let info = &self.decls[r];
        let list = match init {
            Init::Copy(e) | Init::Brace(e) => match self.ast[e].kind {
                ast::ExprKind::InitList(items) => Some(items),
                _ => None,
            },
            _ => None,
        };
        match init {
            Init::None => self.has_nontrivial_default(r),
            Init::Copy(_) if list.is_none() => false,
            // `T x(y)` of one argument may be a copy; construct() decides.
            Init::Paren(_) => true,
            _ => {
                if info.cuda_vec.is_some() {
                    return false;
                }
                if self.makes_by_constructor(r) {
                    // `std::initializer_list<T> l = {…}` is made by the language.
                    let ty = self.p.types.intern(Ty::Record(r));
                    return self.list_element(ty).is_none();
                }
                // `T{}` of an aggregate with default member initialisers is still an aggregate.
                false
            }
        }
    }

    /// The address that a reference variable shall hold.
    pub(crate) fn reference_init(&mut self, ty: TyId, init: Init, span: Span) -> Option<ExprId> {
        let e = match init {
            Init::Copy(e) => e,
            Init::Paren(l) if l.len() == 1 => match self.ast[self.ast.list(l)[0]].kind {
                ast::ExprKind::Pack(pattern) => return Some(self.init_from_pack(pattern, ty, span)),
                _ => self.ast.list(l)[0],
            },
            Init::Brace(e) => match self.ast[e].kind {
                ast::ExprKind::InitList(items) if items.len() == 1 => {
                    let one = self.ast.list(items)[0].value;
                    if let ast::ExprKind::Pack(pattern) = self.ast[one].kind {
                        return Some(self.init_from_pack(pattern, ty, span));
                    }
                    one
                }
                _ => e,
            },
            _ => {
                self.error("E0361", span, "a reference must be initialised");
                return None;
            }
        };
        let v = self.expr(e);
        Some(self.bind_reference(v, ty, Why::Init))
    }

    /// A value of `ty` from an expression or an initialiser list.
    pub(crate) fn init_from(&mut self, e: ast::ExprId, ty: TyId, why: Why) -> ExprId {
        let x = self.ast[e];
        if ty == TyId::ERROR {
            return self.err(x.span);
        }
        if let ast::ExprKind::InitList(items) = x.kind {
            return self.init_list(items, ty, x.span);
        }
        if let Some(s) = self.string_init(e, ty) {
            return s;
        }
        if self.is_cxx()
            && let Ty::Pointer { .. } | Ty::MemberPointer { .. } = self.p.types.get(ty)
            && let Some(f) = self.overloaded_address(e, ty)
        {
            return f;
        }
        let v = self.expr(e);
        if let Ty::Array { .. } = self.p.types.get(ty) {
            if self.is_lv(v) && self.ty(v) == ty && matches!(x.kind, ast::ExprKind::CompoundLit { .. }) {
                return self.rv(ExprKind::Load(v), ty, x.span);
            }
            if self.is_err(v) {
                return v;
            }
            self.report(Diagnostic::error(
                "E0362",
                x.span,
                "array initialiser must be an initialiser list or string literal",
            ));
            return self.err(x.span);
        }
        self.implicit(v, ty, why)
    }

    /// The zero of a type.
    pub(crate) fn zero(&mut self, ty: TyId, span: Span) -> ExprId {
        match self.p.types.get(ty) {
            Ty::Bool | Ty::Int(_) | Ty::Enum(_) => self.rv(ExprKind::Int(0), ty, span),
            Ty::Float(_) => self.rv(ExprKind::Float(0), ty, span),
            Ty::Pointer { .. } | Ty::NullPtr | Ty::Opaque(_) => self.rv(ExprKind::Null, ty, span),
            Ty::MemberPointer { .. } => self.null_member(ty, span),
            _ => self.rv(ExprKind::ZeroInit, ty, span),
        }
    }

    /// `{…}` for a type.
    pub(crate) fn init_list(&mut self, list: ast::List<ast::InitItem>, ty: TyId, span: Span) -> ExprId {
        let items = self.ast.list(list);
        match *self.p.types.get(ty) {
            Ty::Reference { pointee, .. } => self.reference_list(list, ty, pointee, span),
            Ty::Record(r) => {
                self.complete_record(r);
                if let Some(elem) = self.list_element(ty) {
                    return self.list_object(list, elem, ty, span);
                }
                let info = &self.decls[r];
                if info.complex.is_some() {
                    return self.scalar_list(list, ty, span, Braces::Outermost);
                }
                if info.cuda_vec.is_none() && self.makes_by_constructor(r) {
                    if let Some(v) = self.list_constructed(r, list, span) {
                        return v;
                    }
                    let args = self.list_args(list);
                    return self.construct(r, ty, &args, span, true);
                }
                if let [one] = items
                    && one.designators.is_empty()
                    && let Some(v) = self.only_element(one.value)
                {
                    // `S{s}` copies.
                    if self.ty(v) == ty {
                        return self.copy_record(v, ty);
                    }
                    let own = self.p.types.as_record(self.ty(v));
                    if own.is_some() && self.uint3_of(r).is_some() {
                        return self.construct_cuda_vec(r, ty, &[Arg::Expr(v)], span);
                    }
                    if own.is_some_and(|own| self.base_offset(own, r).is_some()) {
                        return self.implicit(v, ty, Why::Init);
                    }
                    if !matches!(self.ast[one.value].kind, ast::ExprKind::Pack(_)) {
                        self.cx.prechecked = Some((one.value, v));
                    }
                }
                self.aggregate(list, ty, span)
            }
            Ty::Array { elem, .. } => {
                if let [first, rest @ ..] = items
                    && first.designators.is_empty()
                    && matches!(self.p.types.get(elem), Ty::Int(_))
                    && let Some(s) = self.string_init(first.value, ty)
                {
                    return if self.excess(rest, "char array") { self.err(span) } else { s };
                }
                self.aggregate(list, ty, span)
            }
            Ty::Vector { .. } => {
                let args: Vec<ast::ExprId> = items.iter().map(|i| i.value).collect();
                self.vector_from(&args, ty, span, true)
            }
            _ => self.scalar_list(list, ty, span, Braces::Outermost),
        }
    }

    /// The value that a list in braces consists of, where that is one and no list itself: of the only element of a pack, too.
    pub(super) fn only_element(&mut self, e: ast::ExprId) -> Option<ExprId> {
        match self.ast[e].kind {
            _ if !self.is_cxx() => None,
            ast::ExprKind::InitList(_) => None,
            ast::ExprKind::Pack(pattern) => {
                let one = self.pack_len_in_expr(pattern, 0) == Some(1);
                one.then(|| self.at_element(Some(0), |c| c.expr(pattern)))
            }
            _ => Some(self.expr(e)),
        }
    }

    /// A record or array written element by element.
    fn aggregate(&mut self, list: ast::List<ast::InitItem>, ty: TyId, span: Span) -> ExprId {
        let mut out: Vec<InitElem> = Vec::new();
        let mut items = self.items(list);
        let ty = self.fill_aggregate(&mut items, ty, 0, &mut out, true, span);
        let what = match self.p.types.get(ty) {
            Ty::Array { .. } => "array",
            Ty::Record(r) if self.p.types.record(*r).is_union => "union",
            _ => "struct",
        };
        self.excess(&items.items[items.at..], what);
        self.finish_aggregate(&out, ty, span)
    }

    pub(crate) fn finish_aggregate(&mut self, out: &[InitElem], ty: TyId, span: Span) -> ExprId {
        if out.iter().any(|e| self.is_err(e.value)) || ty == TyId::ERROR {
            return self.err(span);
        }
        let start = self.p.init_pool.len() as u32;
        self.p.init_pool.extend_from_slice(out);
        let elems = ListId { start, len: out.len() as u32 };
        self.rv(ExprKind::Aggregate { elems, zero_fill: true }, ty, span)
    }

    /// Reads as many items as `ty` takes; gives the type, completed.
    fn fill_aggregate(
        &mut self,
        items: &mut Items<'_>,
        ty: TyId,
        base: u64,
        out: &mut Vec<InitElem>,
        top: bool,
        span: Span,
    ) -> TyId {
        match *self.p.types.get(ty) {
            Ty::Array { elem, len } => self.fill_array(items, elem, len, base, out, top, span),
            Ty::Record(r) => {
                self.fill_record(items, r, base, out, top, span);
                ty
            }
            _ => ty,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one step of a recursive walk")]
    fn fill_array(
        &mut self,
        items: &mut Items<'_>,
        elem: TyId,
        len: Option<u64>,
        base: u64,
        out: &mut Vec<InitElem>,
        top: bool,
        span: Span,
    ) -> TyId {
        let ast = self.ast;
        let Some(size) = self.p.types.size_of(elem) else {
            self.error("E0353", span, "initialiser of an array of incomplete type");
            return TyId::ERROR;
        };
        let (mut index, mut max) = (0u64, 0u64);
        let mut given: SmallVec<[(u64, u64); 4]> = SmallVec::new();
        while items.at < items.items.len() {
            let item = items.items[items.at];
            let mut repeat = 1;
            let mut rest: &[Designator] = ast.list(item.designators);
            if let Some((first, tail)) = rest.split_first() {
                if !top {
                    break;
                }
                let Some(run) = self.designated_elements(*first, len, ast[item.value].span) else {
                    items.at += 1;
                    continue;
                };
                (index, repeat) = run;
                rest = tail;
            }
            if len.is_some_and(|n| index >= n) {
                break;
            }
            if out.len() > MAX_ELEMS {
                self.error("E0364", span, "initialiser is too long");
                return TyId::ERROR;
            }
            let (from, at) = (out.len(), items.at);
            self.fill_element(items, elem, base.saturating_add(index.saturating_mul(size)), rest, out, span);
            repeat_elements(out, from, repeat, size);
            if items.at == at {
                break;
            }
            match given.last_mut() {
                Some((_, end)) if *end == index => *end += repeat,
                _ => given.push((index, index + repeat)),
            }
            index += repeat;
            max = max.max(index);
        }
        let len = len.unwrap_or(max);
        self.default_elements(elem, &mut given, len, base, out, span);
        self.p.types.array(elem, Some(len))
    }

    /// Which elements of an array a designator names: the first, and how many.
    fn designated_elements(&mut self, designator: Designator, len: Option<u64>, at: Span) -> Option<(u64, u64)> {
        match designator {
            Designator::Index(e) => Some((self.index_designator(e, len)?, 1)),
            Designator::Range(lo, hi) => match (self.index_designator(lo, len), self.index_designator(hi, len)) {
                (Some(a), Some(b)) if b >= a => Some((a, b - a + 1)),
                _ => None,
            },
            Designator::Field(_) => {
                self.error("E0363", at, "field designator in the initialiser of an array");
                None
            }
        }
    }

    fn index_designator(&mut self, e: ast::ExprId, len: Option<u64>) -> Option<u64> {
        let span = self.ast[e].span;
        let v = self.constant_expr(e)?;
        match self.int_constant(v) {
            Some(i) if i >= 0 && len.is_none_or(|n| i < i128::from(n)) && i < 1 << 32 => Some(i as u64),
            Some(i) => {
                self.error("E0365", span, format!("array designator index {i} is out of bounds"));
                None
            }
            None => {
                self.error("E0365", span, "array designator is not an integer constant");
                None
            }
        }
    }

    fn fill_record(
        &mut self,
        items: &mut Items<'_>,
        r: RecordId,
        base: u64,
        out: &mut Vec<InitElem>,
        top: bool,
        span: Span,
    ) {
        let ast = self.ast;
        self.complete_record(r);
        let rec = self.p.types.record(r);
        let (n, is_union) = (rec.fields.len(), rec.is_union);
        let bases = rec.bases.clone();
        let from = out.len();
        for b in bases {
            let ty = self.p.types.intern(Ty::Record(b.record));
            if items.items.get(items.at).is_some_and(|item| item.designators.is_empty()) {
                self.fill_element(items, ty, base + b.offset, &[], out, span);
            } else {
                self.default_part(ty, base + b.offset, out, span);
            }
        }
        let mut given = vec![false; n];
        let mut next = 0usize;
        while items.at < items.items.len() {
            let item = items.items[items.at];
            let mut rest: &[Designator] = ast.list(item.designators);
            let mut path_base = base;
            let mut record = r;
            if let Some((first, tail)) = rest.split_first() {
                if !top {
                    break;
                }
                let Designator::Field(id) = *first else {
                    let at = ast[item.value].span;
                    self.error("E0363", at, "array designator in the initialiser of a struct");
                    items.at += 1;
                    continue;
                };
                let Some(path) = self.field_path(r, id.sym) else {
                    let (name, ty) = (self.text(id.sym).to_owned(), self.p.types.intern(Ty::Record(r)));
                    let ty = self.show(ty);
                    self.error(
                        "E0366",
                        id.span,
                        format!("field designator `{name}` does not refer to any field in `{ty}`"),
                    );
                    items.at += 1;
                    continue;
                };
                next = path[0].1 as usize;
                for (k, &(rec, f)) in path.iter().enumerate() {
                    if k + 1 < path.len() {
                        path_base += self.p.types.record(rec).fields[f as usize].offset;
                    } else {
                        record = rec;
                    }
                }
                rest = tail;
                given[next] = true;
                let f = path[path.len() - 1].1;
                self.fill_field(items, record, f, path_base, rest, out, span);
                next += 1;
                if is_union {
                    break;
                }
                continue;
            }
            if next >= n {
                break;
            }
            // Unnamed bit-fields take no value.
            let f = &self.p.types.record(record).fields[next];
            if f.name.is_none() && f.bits.is_some() {
                next += 1;
                continue;
            }
            given[next] = true;
            let at = items.at;
            self.fill_field(items, record, next as u32, path_base, rest, out, span);
            next += 1;
            if items.at == at || is_union {
                break;
            }
        }
        self.default_members(r, &given, base, from, out);
    }

    #[expect(clippy::too_many_arguments, reason = "one step of a recursive walk")]
    fn fill_field(
        &mut self,
        items: &mut Items<'_>,
        r: RecordId,
        field: u32,
        base: u64,
        rest: &[Designator],
        out: &mut Vec<InitElem>,
        span: Span,
    ) {
        let f = self.p.types.record(r).fields[field as usize].clone();
        let from = out.len();
        self.fill_element(items, f.ty, base + f.offset, rest, out, span);
        if f.bits.is_some() && out.len() == from + 1 {
            out[from].bits = f.bits;
        }
    }

    /// One element of an aggregate, read with the element of a pack that its item is.
    fn fill_element(
        &mut self,
        items: &mut Items<'_>,
        ty: TyId,
        offset: u64,
        rest: &[Designator],
        out: &mut Vec<InitElem>,
        span: Span,
    ) {
        let element = items.element();
        self.at_element(element, |c| c.fill_one(items, ty, offset, rest, out, span));
    }

    /// One element: a braced list, a value for all of it, or the next items for its parts.
    fn fill_one(
        &mut self,
        items: &mut Items<'_>,
        ty: TyId,
        offset: u64,
        rest: &[Designator],
        out: &mut Vec<InitElem>,
        span: Span,
    ) {
        let ast = self.ast;
        let item = items.items[items.at];
        let x = ast[item.value];
        if let Some((first, tail)) = rest.split_first() {
            // `.a.b = v`, `[1][2] = v`
            match (*first, self.p.types.get(ty).clone()) {
                (Designator::Field(id), Ty::Record(r)) => {
                    if let Some(path) = self.field_path(r, id.sym) {
                        let mut base = offset;
                        for &(rec, f) in &path[..path.len() - 1] {
                            base += self.p.types.record(rec).fields[f as usize].offset;
                        }
                        let (rec, f) = path[path.len() - 1];
                        self.fill_field(items, rec, f, base, tail, out, span);
                        return;
                    }
                }
                (Designator::Index(e), Ty::Array { elem, len }) => {
                    if let (Some(i), Some(size)) = (self.index_designator(e, len), self.p.types.size_of(elem)) {
                        self.fill_element(items, elem, offset + i * size, tail, out, span);
                        return;
                    }
                }
                _ => {}
            }
            self.error("E0366", x.span, "designator does not fit the type of what it designates");
            items.at += 1;
            return;
        }
        if let ast::ExprKind::InitList(list) = x.kind
            && (matches!(
                self.p.types.get(ty),
                Ty::Bool | Ty::Int(_) | Ty::Enum(_) | Ty::Float(_) | Ty::Pointer { .. } | Ty::NullPtr
            ) || self.complex_parts(ty).is_some())
        {
            items.at += 1;
            let value = self.scalar_list(list, ty, x.span, Braces::Element);
            out.push(InitElem { offset, bits: None, value, repeat: 1 });
            return;
        }
        self.refuse_narrowing(item.value, ty);
        let is_list = matches!(x.kind, ast::ExprKind::InitList(_));
        let aggregate = matches!(self.p.types.get(ty), Ty::Array { .. })
            || self.p.types.as_record(ty).is_some_and(|r| {
                self.complete_record(r);
                !self.makes_by_constructor(r)
            });
        if is_list || !aggregate {
            items.at += 1;
            let value = self.init_from(item.value, ty, Why::Init);
            out.push(InitElem { offset, bits: None, value, repeat: 1 });
            return;
        }
        if let Some(s) = self.string_init(item.value, ty) {
            items.at += 1;
            out.push(InitElem { offset, bits: None, value: s, repeat: 1 });
            return;
        }
        if self.p.types.as_record(ty).is_some() {
            // A value of the record's own type initialises all of it.
            let v = self.expr(item.value);
            let fits = self.ty(v) == ty || self.is_err(v) || self.rank(v, ty).is_some();
            if fits || self.has_no_parts(ty) {
                items.at += 1;
                let value = self.implicit(v, ty, Why::Init);
                out.push(InitElem { offset, bits: None, value, repeat: 1 });
                return;
            }
            self.cx.prechecked = Some((item.value, v));
        }
        self.fill_aggregate(items, ty, offset, out, false, span);
    }

    /// Whether a type is a C++ class whose elements no item could be for: one that does not convert to it needs braces before.
    fn has_no_parts(&self, ty: TyId) -> bool {
        self.is_cxx() && self.p.types.as_record(ty).is_some_and(|r| self.p.types.record(r).empty)
    }

    /// A string literal as the value of a character array.
    fn string_init(&mut self, e: ast::ExprId, ty: TyId) -> Option<ExprId> {
        let Ty::Array { elem, len } = *self.p.types.get(ty) else { return None };
        let x = self.ast[e];
        let s = match x.kind {
            ast::ExprKind::Str(s) => s,
            ast::ExprKind::Paren(inner) => return self.string_init(inner, ty),
            _ => return None,
        };
        let k = self.p.types.int_kind(elem)?;
        let units = self.ast[s].units.clone();
        let n = len.unwrap_or(units.len() as u64 + 1);
        if units.len() as u64 > n {
            let what = format!("string of {} characters is too long for the array", units.len());
            if self.is_cxx() {
                self.error("E0367", x.span, what);
                return Some(self.err(x.span));
            }
            self.warn(Diagnostic::warning("W0326", x.span, what).group("excess-initializers"));
        }
        let size = u64::from(k.bits() / 8);
        let mut out = Vec::with_capacity(units.len());
        for (i, u) in units.iter().take(n as usize).enumerate() {
            let value = self.int(i128::from(*u), elem, x.span);
            out.push(InitElem { offset: i as u64 * size, bits: None, value, repeat: 1 });
        }
        let ty = self.p.types.array(elem, Some(n));
        Some(self.finish_aggregate(&out, ty, x.span))
    }

    /// The value of an array of objects whose default constructor does something.
    pub(crate) fn array_default(&mut self, ty: TyId, init: Init, span: Span) -> Option<ExprId> {
        if matches!(init, Init::None) { self.default_objects(ty, span) } else { None }
    }

    /// An array of objects, each made by the default constructor, if that does something.
    fn default_objects(&mut self, ty: TyId, span: Span) -> Option<ExprId> {
        let Ty::Array { .. } = self.p.types.get(ty) else { return None };
        let r = self.array_record(ty)?;
        if self.decls[r].cuda_vec.is_some() || self.constructs_nothing(r) {
            return None;
        }
        let elem = self.p.types.intern(Ty::Record(r));
        let value = self.construct(r, elem, &[], span, true);
        let size = self.p.types.size_of(elem)?;
        let total = self.p.types.size_of(ty)?;
        let elems = [InitElem { offset: 0, bits: None, value, repeat: total / size.max(1) }];
        Some(self.finish_aggregate(&elems, ty, span))
    }
}

/// What was written from `from` on, for `repeat` elements of an array in all, each `size` bytes.
fn repeat_elements(out: &mut Vec<InitElem>, from: usize, repeat: u64, size: u64) {
    if repeat > 1 && out.len() == from + 1 {
        out[from].repeat = repeat;
    } else if repeat > 1 {
        let one: Vec<InitElem> = out[from..].to_vec();
        for k in 1..repeat.min(MAX_ELEMS as u64) {
            out.extend(one.iter().map(|e| InitElem { offset: e.offset + k * size, ..*e }));
            if out.len() > MAX_ELEMS {
                break;
            }
        }
    }
}
