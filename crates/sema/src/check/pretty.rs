//! What code may ask about itself: the names of functions, and places in the source.
//!
//! `__PRETTY_FUNCTION__` is a function's whole signature, as nvcc's front end and GCC write it: `T *f(T *) [with T = int]`. Programs cut
//! names of types and enumerators out of it.
//!
//! Where a member of a class template says its class's parameters, the arguments stand here; behind `with` both have them.

use super::{Checker, FnId, FnKind, TemplateId};
use crate::display::{path_name, type_with_params};
use crate::program::{ExprId, ExprKind};
use crate::types::{Quals, TemplateArg, Ty, TyId};
use source::Span;
use syntax::ast::{self, DeclSpecs, RefQual};

impl Checker<'_> {
    /// `__func__` and the like.
    pub(crate) fn func_name(&mut self, which: ast::FuncName, span: Span) -> ExprId {
        let name = match self.cx.decl {
            Some(f) if which == ast::FuncName::Pretty && self.is_cxx() => self.pretty_name(f),
            Some(f) => self.text(self.decls[f].name).to_owned(),
            None => String::new(),
        };
        self.text_of_place(name, span)
    }

    /// `__builtin_LINE()` and the like: in a default argument the place of the call.
    pub(crate) fn place_call(&mut self, name: &str, at: Span) -> Option<ExprId> {
        if !matches!(name, "__builtin_LINE" | "__builtin_COLUMN" | "__builtin_FILE" | "__builtin_FUNCTION") {
            return None;
        }
        let place = self.cx.default_of.unwrap_or(at);
        let found = self.sess.sources.presumed(place.lo).map(|(file, at)| (file.to_owned(), at));
        let (file, position) = found.map_or((String::new(), (0, 0)), |(f, at)| (f, (at.line, at.col)));
        Some(match name {
            "__builtin_LINE" => self.int(i128::from(position.0), TyId::INT, at),
            "__builtin_COLUMN" => self.int(i128::from(position.1), TyId::INT, at),
            "__builtin_FILE" => self.text_of_place(file, at),
            _ => self.func_name(ast::FuncName::Func, at),
        })
    }

    /// A text that is the compiler's own.
    fn text_of_place(&mut self, text: String, span: Span) -> ExprId {
        let mut bytes = text.into_bytes();
        bytes.push(0);
        let ty = self.p.types.array(TyId::CHAR, Some(bytes.len() as u64));
        let key = ast::StrId::from_index(usize::MAX / 2);
        self.decls.strings.remove(&key);
        let g = self.intern_bytes(key, bytes, ty, span);
        self.p.globals[g.index()].symbol = format!("$func{}", g.index());
        let space = self.p.globals[g.index()].space;
        self.lv(ExprKind::Global(g), ty, Quals::CONST, space, span)
    }

    /// The signature of a function.
    pub(crate) fn pretty_name(&self, f: FnId) -> String {
        let d = &self.decls[f];
        let params: Vec<String> = d.template.map(|t| self.parameter_names(t)).unwrap_or_default();
        let show = |ty: TyId, quals: Quals| {
            type_with_params((&self.p.types, &self.sess.strings), ty, quals, &params, self.opts.dialect)
        };
        let mut out = String::new();
        out += if d.is_static && d.record.is_some() { "static " } else { "" };
        out += if d.specs.has(DeclSpecs::CONSTEXPR) { "constexpr " } else { "" };
        let of_template = d.template.map(|t| &self.decls[t]);
        let returned = match of_template {
            _ if matches!(d.kind, FnKind::Constructor | FnKind::Destructor | FnKind::Conversion) => String::new(),
            _ if d.deduced_ret => "auto".to_owned(),
            Some(t) => Some(show(t.pattern_ret, Quals::NONE))
                .filter(|r| !r.contains("<dependent>"))
                .unwrap_or_else(|| show(d.ret, Quals::NONE)),
            None => show(d.ret, Quals::NONE),
        };
        out += &returned;
        out += if returned.is_empty() || returned.ends_with(['*', '&']) { "" } else { " " };
        out += &path_name((&self.p.types, &self.sess.strings), d.path, false, self.opts.dialect);
        let mut taken: Vec<String> = match of_template {
            Some(t) => {
                let packs = self.are_expansions(t);
                let dots = |i: usize| if packs.get(i) == Some(&true) { "..." } else { "" };
                t.pattern.iter().enumerate().map(|(i, &p)| format!("{}{}", show(p, Quals::NONE), dots(i))).collect()
            }
            None => d.params.iter().map(|p| show(p.ty, Quals::NONE)).collect(),
        };
        taken.extend(d.variadic.then(|| "...".to_owned()));
        out += &format!("({})", taken.join(", "));
        out += if d.this_quals.is_const() { " const" } else { "" };
        out += match d.ref_qual {
            RefQual::None => "",
            RefQual::Lvalue => " &",
            RefQual::Rvalue => " &&",
        };
        let with = self.arguments_with_names(f);
        if !with.is_empty() {
            out += &format!(" [with {}]", with.join("; "));
        }
        out.replace("(anonymous namespace)", "<unnamed>")
    }

    fn parameter_names(&self, t: TemplateId) -> Vec<String> {
        let names = self.decls[t].params.iter().enumerate();
        names.map(|(i, p)| p.name.map_or_else(|| format!("<T{}>", i + 1), |n| self.text(n).to_owned())).collect()
    }

    /// `T = int`, of the function's own template and of its class's.
    fn arguments_with_names(&self, f: FnId) -> Vec<String> {
        let d = &self.decls[f];
        let mut out = Vec::new();
        if let (Some(t), Some(args)) = (d.template, &self.p.types.name(d.path).args) {
            self.bind_names(t, args, &mut out);
        }
        if let Some((t, args)) = d.record.and_then(|r| self.decls[r].instance.as_ref()) {
            self.bind_names(*t, args, &mut out);
        }
        out
    }

    fn bind_names(&self, t: TemplateId, args: &[TemplateArg], out: &mut Vec<String>) {
        for (name, a) in self.parameter_names(t).iter().zip(args) {
            match a {
                TemplateArg::Pack(all) => out.extend(all.iter().map(|a| self.bound_name(name, a))),
                a => out.push(self.bound_name(name, a)),
            }
        }
    }

    fn bound_name(&self, name: &str, a: &TemplateArg) -> String {
        let show = |ty, quals| type_with_params((&self.p.types, &self.sess.strings), ty, quals, &[], self.opts.dialect);
        match *a {
            TemplateArg::Type(t) => format!("{name} = {}", show(t.ty, t.quals)),
            TemplateArg::Int { value, ty } => {
                format!("{} {name} = {}", show(ty, Quals::NONE), self.shown_value(value, ty))
            }
            TemplateArg::Template(path) => {
                format!("{name} = {}", path_name((&self.p.types, &self.sess.strings), path, true, self.opts.dialect))
            }
            TemplateArg::Function { path, .. } => {
                format!("{name} = {}", path_name((&self.p.types, &self.sess.strings), path, false, self.opts.dialect))
            }
            TemplateArg::Variable { name: of, address, .. } => {
                format!("{name} = {}{}", if address { "&" } else { "" }, self.text(of))
            }
            _ => format!("{name} = {{...}}"),
        }
    }

    /// A constant as a literal of its type, or by its enumerator's name.
    fn shown_value(&self, value: i64, ty: TyId) -> String {
        let t = &self.p.types;
        let suffix = match ty {
            TyId::BOOL => return (value != 0).to_string(),
            TyId::CHAR if (32..127).contains(&value) => return format!("'{}'", value as u8 as char),
            TyId::UINT => "U",
            TyId::LONG => "L",
            TyId::ULONG => "UL",
            TyId::LONGLONG => "LL",
            TyId::ULONGLONG => "ULL",
            _ => "",
        };
        match t.get(ty) {
            &Ty::Enum(e) => match self.decls.enumerators.get(&(e, value)) {
                Some(&name) => {
                    let of = t.enumeration(e);
                    let path = if of.scoped { of.name } else { t.name(of.name).parent };
                    let path = path_name((t, &self.sess.strings), path, true, self.opts.dialect);
                    format!("{path}{}{}", if path.is_empty() { "" } else { "::" }, self.text(name))
                }
                None => {
                    let of = type_with_params((t, &self.sess.strings), ty, Quals::NONE, &[], self.opts.dialect);
                    format!("({of}){value}")
                }
            },
            _ if t.is_signed(ty) => format!("{value}{suffix}"),
            _ => format!("{}{suffix}", value as u64),
        }
    }
}
