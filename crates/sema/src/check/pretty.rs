//! `__PRETTY_FUNCTION__`: a function's whole signature, as nvcc's front end and GCC write it: `T *f(T *) [with T = int]`. Programs cut
//! names of types and enumerators out of it.
//!
//! Where a member of a class template says its class's parameters, the arguments stand here; behind `with` both have them.

use super::{Checker, FnId, FnKind, TemplateId};
use crate::display::{path_name, type_with_params};
use crate::types::{Quals, TemplateArg, Ty, TyId};
use syntax::ast::{DeclSpecs, RefQual};

impl Checker<'_> {
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
