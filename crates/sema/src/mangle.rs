//! Itanium C++ name mangling.
//!
//! [`Mangler::function`] and [`Mangler::variable`] encode an entity of the name tree. For a specialisation of a function
//! template the signature is that of the *template* (with [`Ty::TemplateParam`]), its result type included, as the ABI
//! wants. C names need no mangling and do not come here, but for OpenCL C's overloadable functions.
//!
//! Recursion follows types and scopes and is cut at [`MAX_DEPTH`]; the parser's own bounds keep real names far below.

mod codes;
mod dependent;
mod library;
mod local;
mod object;

use crate::types::{
    AddrSpace, BodyName, DependentExpr, FloatKind, FnTy, NameId, NameKind, Promise, Quals, RecordId, TemplateArg, Ty,
    TyId, TypeTable,
};
use codes::{int_code, opaque_name, operator_code};
use source::{Interner, Symbol};
use std::fmt::Write as _;
use syntax::ast::RefQual;

/// Deepest nesting of types and scopes that is encoded; beyond it a name ends in `_too_deep`.
const MAX_DEPTH: u32 = 200;

/// What was encoded before and may be referred to as `S_`, `S0_`, …
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sub {
    /// A scope or class, with its template arguments.
    Name(NameId),
    /// The template a specialisation was made of: parent and kind are what two specialisations share, and of functions' templates,
    /// which may be overloaded, the number.
    Template(NameId, NameKind, u32),
    /// A type; one with template parameters in it with their level.
    Type(TyId, u32),
    /// A type with qualifiers, and as above.
    Qualified(TyId, Quals, u32),
    /// A template parameter, with the number of templates around its own.
    Param(u32, u32),
    /// The expansion of a type with a pack in it, and as above.
    Expansion(TyId, u32),
    /// The scope of the file, around its own variables.
    Module,
}

/// The signature of a function.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// Result type; encoded only for specialisations of templates.
    pub ret: TyId,
    /// Parameters without `this`.
    pub params: &'a [TyId],
    /// Which parameters are expansions of packs; those behind its end are none.
    pub expansions: &'a [bool],
    /// Ends in `...`.
    pub variadic: bool,
    /// `const` and `volatile` of a member function.
    pub this_quals: Quals,
    /// `&` and `&&` of a member function.
    pub ref_qual: RefQual,
    /// Tells templates of functions apart; 0 where there is none.
    pub template: u32,
}

impl<'a> Signature<'a> {
    /// The signature of a function whose name is known.
    pub fn of(name: &'a BodyName) -> Self {
        Self {
            ret: name.ret,
            params: &name.params,
            expansions: &name.expansions,
            variadic: name.variadic,
            this_quals: name.this_quals,
            ref_qual: name.ref_qual,
            template: name.template,
        }
    }
}

/// Encodes names.
pub struct Mangler<'a> {
    types: &'a TypeTable,
    symbols: &'a Interner,
    out: String,
    subs: Vec<Sub>,
    depth: u32,
    /// Whether pointers into different address spaces have different names.
    spaces: bool,
    /// What the file's own names are told apart by.
    module: Option<&'a str>,
    /// The name is a variable that is the file's own.
    internal: bool,
    /// How many specialisations are around the function whose signature is being encoded.
    level: u32,
    /// Whether the name depends on a lambda's.
    has_lambda: bool,
    /// The function being encoded, and the number of its template.
    function: (NameId, u32),
}

impl<'a> Mangler<'a> {
    /// A mangler for names of this table.
    pub fn new(types: &'a TypeTable, symbols: &'a Interner) -> Self {
        Self {
            types,
            symbols,
            out: String::new(),
            subs: Vec::new(),
            depth: 0,
            spaces: false,
            module: None,
            internal: false,
            level: 0,
            has_lambda: false,
            function: (NameId::ROOT, 0),
        }
    }

    /// What the file's own names are told apart by, spelt as nvcc's host code spells them: namespaces without a name are
    /// `_GLOBAL__N_<module>`, and its own variables in namespaces are in one around all, `_INTERNAL<module>`.
    #[must_use]
    pub fn with_module(mut self, module: Option<&'a str>) -> Self {
        self.module = module;
        self
    }

    /// Whether pointers into different address spaces have different names: OpenCL C's functions may differ in nothing
    /// else.
    #[must_use]
    pub fn with_spaces(mut self, spaces: bool) -> Self {
        self.spaces = spaces;
        self
    }

    fn begin(&mut self) {
        self.out.clear();
        self.out.push_str("_Z");
        self.subs.clear();
        self.depth = 0;
        self.has_lambda = false;
    }

    /// The symbol of a function.
    pub fn function(&mut self, name: NameId, sig: Signature<'_>) -> String {
        self.begin();
        self.encoding(name, sig);
        std::mem::take(&mut self.out)
    }

    /// `<encoding>` of a function.
    fn encoding(&mut self, name: NameId, sig: Signature<'_>) {
        let around = std::mem::replace(&mut self.level, self.types.templates_around(name));
        let caller = std::mem::replace(&mut self.function, (name, sig.template));
        self.name(name, sig.this_quals, sig.ref_qual);
        let node = self.types.name(name);
        let special = matches!(node.kind, NameKind::Constructor | NameKind::Destructor | NameKind::Conversion(_));
        if node.args.is_some() && !special {
            self.ty(sig.ret);
        }
        self.params(sig.params, sig.expansions, sig.variadic);
        (self.level, self.function) = (around, caller);
    }

    /// The symbol of a variable in a namespace or class; a global one in no scope keeps its plain name.
    pub fn variable(&mut self, name: NameId) -> String {
        let node = self.types.name(name);
        if node.parent == NameId::ROOT
            && node.args.is_none()
            && let NameKind::Entity(s) = node.kind
        {
            return self.symbols.str(s).to_string();
        }
        self.begin();
        self.name(name, Quals::NONE, RefQual::None);
        std::mem::take(&mut self.out)
    }

    /// The symbol of a variable that is the file's own.
    pub fn internal_variable(&mut self, name: NameId) -> String {
        self.internal = self.module.is_some();
        let symbol = self.variable(name);
        self.internal = false;
        symbol
    }

    /// The symbol of a static variable inside a function: `_ZZ<function>E<name>[_<n>]`; `encoding` is the function's symbol.
    pub fn local_variable(&self, encoding: &str, name: Symbol, index: u32) -> String {
        let s = self.symbols.str(name);
        let function =
            encoding.strip_prefix("_Z").map_or_else(|| format!("{}{encoding}", encoding.len()), str::to_string);
        let mut out = format!("_ZZ{function}E{}{s}", s.len());
        local::tell_apart(&mut out, index);
        out
    }

    fn params(&mut self, params: &[TyId], expansions: &[bool], variadic: bool) {
        for (i, &p) in params.iter().enumerate() {
            if expansions.get(i) == Some(&true) {
                self.expansion(p);
            } else {
                self.ty(p);
            }
        }
        if variadic {
            self.out.push('z');
        } else if params.is_empty() {
            self.out.push('v');
        }
    }

    /// `pattern...`
    fn expansion(&mut self, pattern: TyId) {
        let sub = Sub::Expansion(pattern, self.level);
        if !self.substitute(&sub) {
            self.out.push_str("Dp");
            self.ty(pattern);
            self.remember(sub);
        }
    }

    // ---- substitutions --------------------------------------------------------------------------------------

    fn substitute(&mut self, sub: &Sub) -> bool {
        let Some(i) = self.subs.iter().position(|s| s == sub) else { return false };
        self.out.push('S');
        if i > 0 {
            base36(&mut self.out, i - 1);
        }
        self.out.push('_');
        true
    }

    fn remember(&mut self, sub: Sub) {
        self.subs.push(sub);
    }

    // ---- names ----------------------------------------------------------------------------------------------

    /// `<name>` of a function or variable: nested or not.
    fn name(&mut self, id: NameId, this_quals: Quals, ref_qual: RefQual) {
        let node = self.types.name(id);
        let parent = node.parent;
        let plain = parent == NameId::ROOT && !(self.internal && self.module.is_some());
        if self.local_scope(id) || plain || self.is_std(parent) {
            self.scoped(id);
            return self.discriminator(id);
        }
        self.out.push('N');
        self.quals(this_quals);
        match ref_qual {
            RefQual::None => {}
            RefQual::Lvalue => self.out.push('R'),
            RefQual::Rvalue => self.out.push('O'),
        }
        self.scoped(id);
        self.out.push('E');
        self.discriminator(id);
    }

    fn is_std(&self, id: NameId) -> bool {
        let node = self.types.name(id);
        node.parent == NameId::ROOT && matches!(node.kind, NameKind::Namespace(s) if self.symbols.str(s) == "std")
    }

    /// `<prefix>`: the scopes around a nested name.
    fn prefix(&mut self, id: NameId) {
        if id == NameId::ROOT {
            return self.module_scope();
        }
        if self.is_std(id) {
            self.out.push_str("St");
            return;
        }
        if matches!(self.types.name(id).kind, NameKind::Body(_)) || self.too_deep() {
            return;
        }
        self.depth += 1;
        if !self.substitute(&Sub::Name(id)) {
            self.scoped(id);
            self.remember(Sub::Name(id));
        }
        self.depth -= 1;
    }

    /// The scope around all others of a name, where there is one. It belongs to the name, not to those in its template arguments.
    fn module_scope(&mut self) {
        let Some(module) = self.module.filter(|_| self.internal) else { return };
        self.internal = false;
        let text = format!("_INTERNAL{module}");
        let _ = write!(self.out, "{}{text}", text.len());
        self.remember(Sub::Module);
    }

    /// A name with the scopes around it and its template arguments.
    fn scoped(&mut self, id: NameId) {
        let types = self.types;
        let node = types.name(id);
        let Some(args) = &node.args else {
            self.prefix(node.parent);
            return self.unqualified(node.kind);
        };
        self.template_prefix(id);
        self.template_args(args);
    }

    /// A template's name with the scopes around it, without arguments.
    fn template_prefix(&mut self, id: NameId) {
        let node = self.types.name(id);
        let (parent, kind) = (node.parent, node.kind);
        let number = if self.function.0 == id { self.function.1 } else { 0 };
        let template = Sub::Template(parent, kind, number);
        if !self.abbreviate(parent, kind) && !self.substitute(&template) {
            self.prefix(parent);
            self.unqualified(kind);
            self.remember(template);
        }
    }

    fn unqualified(&mut self, kind: NameKind) {
        match kind {
            NameKind::Root | NameKind::Body(_) => {}
            NameKind::Namespace(s) | NameKind::Type(s) | NameKind::Local(s, _) | NameKind::Entity(s) => {
                self.source_name(s);
            }
            NameKind::AnonNamespace => {
                let text = format!("_GLOBAL__N_{}", self.module.unwrap_or("1"));
                let _ = write!(self.out, "{}{text}", text.len());
            }
            NameKind::Unnamed(n) => self.numbered("Ut", n),
            NameKind::Lambda(n) => self.lambda(n),
            NameKind::Constructor => self.out.push_str("C1"),
            NameKind::Destructor => self.out.push_str("D1"),
            NameKind::Operator(op) => self.out.push_str(operator_code(op)),
            NameKind::Literal(suffix) => {
                self.out.push_str("li");
                self.source_name(suffix);
            }
            NameKind::Conversion(ty) => {
                self.out.push_str("cv");
                self.ty(ty);
            }
        }
    }

    fn source_name(&mut self, s: Symbol) {
        let text = self.symbols.str(s);
        let _ = write!(self.out, "{}{text}", text.len());
    }

    fn numbered(&mut self, code: &str, n: u32) {
        self.out.push_str(code);
        if n > 0 {
            let _ = write!(self.out, "{}", n - 1);
        }
        self.out.push('_');
    }

    // ---- template arguments ---------------------------------------------------------------------------------

    fn template_args(&mut self, args: &[TemplateArg]) {
        self.out.push('I');
        for a in args {
            self.template_arg(a);
        }
        self.out.push('E');
    }

    fn template_arg(&mut self, arg: &TemplateArg) {
        match arg {
            TemplateArg::Type(t) => self.qualified(t.ty, t.quals),
            TemplateArg::Int { value, ty } => {
                self.out.push('L');
                self.ty(*ty);
                if *value < 0 && self.types.is_signed(*ty) {
                    let _ = write!(self.out, "n{}", value.unsigned_abs());
                } else {
                    let _ = write!(self.out, "{}", self.unsigned_value(*value, *ty));
                }
                self.out.push('E');
            }
            TemplateArg::Object { bytes, ty } if self.types.as_record(*ty).is_some() => {
                self.out.push('X');
                self.object(bytes, *ty);
                self.out.push('E');
            }
            TemplateArg::Object { bytes, ty } => self.object(bytes, *ty),
            TemplateArg::Function { symbol, .. } => {
                let _ = write!(self.out, "XadL{}EE", self.symbols.str(*symbol));
            }
            TemplateArg::Variable { symbol, address, .. } => {
                let symbol = self.symbols.str(*symbol);
                let (before, after) = if *address { ("Xad", "E") } else { ("", "") };
                // A variable of C's has its plain name.
                let _ = if symbol.starts_with("_Z") {
                    write!(self.out, "{before}L{symbol}E{after}")
                } else {
                    write!(self.out, "{before}L_Z{}{symbol}E{after}", symbol.len())
                };
            }
            TemplateArg::Template(name) => self.template_name(*name),
            TemplateArg::Param(n) => {
                self.out.push('X');
                self.param_code(*n);
                self.out.push('E');
            }
            TemplateArg::Pack(all) => {
                self.out.push('J');
                for a in all {
                    self.template_arg(a);
                }
                self.out.push('E');
            }
            TemplateArg::Expansion { pattern, .. } => match &**pattern {
                TemplateArg::Type(t) if t.quals == Quals::NONE => self.expansion(t.ty),
                TemplateArg::Type(t) => {
                    self.out.push_str("Dp");
                    self.qualified(t.ty, t.quals);
                }
                // nvcc writes values without the `sp` of the Itanium ABI.
                other => self.template_arg(other),
            },
            TemplateArg::Dependent(Some(e)) => match **e {
                // Without the `X` of the Itanium ABI, as nvcc.
                DependentExpr::Variable { .. } => self.dependent_expr(e),
                _ => {
                    self.out.push('X');
                    self.dependent_expr(e);
                    self.out.push('E');
                }
            },
            // A dependent expression that is not modelled: its type is unknown, `void` keeps the name well-formed.
            TemplateArg::Dependent(None) => self.out.push('v'),
        }
    }

    /// A template as an argument of another.
    fn template_name(&mut self, id: NameId) {
        let node = self.types.name(id);
        let (parent, kind) = (node.parent, node.kind);
        let template = Sub::Template(parent, kind, 0);
        if self.abbreviate(parent, kind) || self.substitute(&template) {
            return;
        }
        let nested = parent != NameId::ROOT && !self.is_std(parent);
        if nested {
            self.out.push('N');
        }
        self.prefix(parent);
        self.unqualified(kind);
        if nested {
            self.out.push('E');
        }
        self.remember(template);
    }

    /// The value in its type's width.
    fn unsigned_value(&self, value: i64, ty: TyId) -> u64 {
        let bytes = self.types.size_of(ty).unwrap_or(8).min(8);
        if bytes >= 8 { value as u64 } else { value as u64 & ((1 << (8 * bytes)) - 1) }
    }

    fn param_code(&mut self, n: u32) {
        self.out.push('T');
        if n > 0 {
            base36(&mut self.out, (n - 1) as usize);
        }
        self.out.push('_');
    }

    // ---- types ----------------------------------------------------------------------------------------------

    fn quals(&mut self, q: Quals) {
        if q.has(Quals::RESTRICT) {
            self.out.push('r');
        }
        if q.is_volatile() {
            self.out.push('V');
        }
        if q.is_const() {
            self.out.push('K');
        }
    }

    fn qualified(&mut self, ty: TyId, quals: Quals) {
        if quals == Quals::NONE {
            self.ty(ty);
            return;
        }
        // Qualifiers of an array are its element's.
        if let Ty::Array { elem, len } = *self.types.get(ty) {
            let (len, sub) =
                (len.map(|n| n.to_string()).unwrap_or_default(), Sub::Qualified(ty, quals, self.level_of(ty)));
            self.array(&len, elem, quals, sub);
            return;
        }
        let sub = Sub::Qualified(ty, quals, self.level_of(ty));
        if !self.substitute(&sub) {
            self.quals(quals);
            self.ty(ty);
            self.remember(sub);
        }
    }

    fn too_deep(&mut self) -> bool {
        let deep = self.depth >= MAX_DEPTH;
        if deep {
            self.out.push_str("9_too_deep");
        }
        deep
    }

    fn ty(&mut self, id: TyId) {
        if self.too_deep() {
            return;
        }
        self.depth += 1;
        self.ty_inner(id);
        self.depth -= 1;
    }

    fn ty_inner(&mut self, id: TyId) {
        match self.types.get(id) {
            Ty::Error | Ty::Void | Ty::Dependent => self.out.push('v'),
            Ty::Bool => self.out.push('b'),
            Ty::Int(k) => self.out.push_str(int_code(*k)),
            Ty::Float(FloatKind::Float) => self.out.push('f'),
            Ty::Float(FloatKind::Double) => self.out.push('d'),
            Ty::Float(FloatKind::LongDouble) => self.out.push('e'),
            Ty::NullPtr => self.out.push_str("Dn"),
            Ty::Record(r) => self.class(*r),
            Ty::Enum(e) => self.named(self.types.enumeration(*e).name),
            Ty::TemplateParam(n) => {
                let n = *n;
                if !self.substitute(&Sub::Param(self.level, n)) {
                    self.param_code(n);
                    self.remember(Sub::Param(self.level, n));
                }
            }
            Ty::Opaque(o) => {
                let name = opaque_name(*o);
                let _ = write!(self.out, "{}{name}", name.len());
            }
            _ => {
                if !self.substitute(&Sub::Type(id, self.level_of(id))) {
                    self.compound(id);
                }
            }
        }
    }

    fn compound(&mut self, id: TyId) {
        match self.types.get(id) {
            Ty::Pointer { pointee, quals, space } => {
                self.out.push('P');
                if self.spaces && *space != AddrSpace::Generic {
                    let _ = write!(self.out, "U3AS{}", *space as u8);
                }
                self.qualified(*pointee, *quals);
            }
            Ty::Reference { pointee, quals, rvalue, .. } => {
                self.out.push(if *rvalue { 'O' } else { 'R' });
                self.qualified(*pointee, *quals);
            }
            Ty::MemberPointer { class, pointee, quals, .. } => {
                self.out.push('M');
                self.ty(*class);
                self.qualified(*pointee, *quals);
            }
            // CUDA's half types are classes: they mangle by name.
            Ty::Float(FloatKind::Half) => self.out.push_str("6__half"),
            Ty::Float(FloatKind::BFloat16) => self.out.push_str("13__nv_bfloat16"),
            // CUDA's pairs are classes.
            Ty::Vector { elem, n: 2 } if !self.spaces && *self.types.get(*elem) == Ty::Float(FloatKind::Half) => {
                self.out.push_str("7__half2");
            }
            Ty::Vector { elem, n: 2 } if !self.spaces && *self.types.get(*elem) == Ty::Float(FloatKind::BFloat16) => {
                self.out.push_str("14__nv_bfloat162");
            }
            Ty::Vector { elem, n } => {
                let _ = write!(self.out, "Dv{n}_");
                self.ty(*elem);
            }
            Ty::Array { elem, len } => {
                let len = len.map(|n| n.to_string()).unwrap_or_default();
                return self.array(&len, *elem, Quals::NONE, Sub::Type(id, self.level_of(id)));
            }
            Ty::DependentArray { elem, len } => {
                self.out.push('A');
                match len {
                    TemplateArg::Param(n) => self.param_code(*n),
                    TemplateArg::Int { value, .. } => {
                        let _ = write!(self.out, "{value}");
                    }
                    _ => {}
                }
                self.out.push('_');
                self.ty(*elem);
            }
            Ty::Function(f) => self.function_type(f),
            Ty::Expansion { pattern, .. } => {
                self.out.push_str("Dp");
                self.ty(*pattern);
            }
            Ty::TemplateParamSpec { param, args } => {
                if !self.substitute(&Sub::Param(self.level, *param)) {
                    self.param_code(*param);
                    self.remember(Sub::Param(self.level, *param));
                }
                self.template_args(args);
            }
            Ty::TemplateSpec { name, args } => return self.template_spec(id, *name, args),
            Ty::DependentMember { base, name } => {
                self.out.push('N');
                self.dependent_prefix(*base);
                self.source_name(*name);
                self.out.push('E');
            }
            _ => return,
        }
        self.remember(Sub::Type(id, self.level_of(id)));
    }

    fn array(&mut self, len: &str, elem: TyId, quals: Quals, sub: Sub) {
        if self.substitute(&sub) {
            return;
        }
        let _ = write!(self.out, "A{len}_");
        self.qualified(elem, quals);
        self.remember(sub);
    }

    fn function_type(&mut self, f: &FnTy) {
        self.quals(f.quals);
        match &f.promise {
            Promise::None => {}
            Promise::Noexcept => self.out.push_str("Do"),
            Promise::When(n) => {
                self.out.push_str("DO");
                self.template_arg(n);
                self.out.push('E');
            }
        }
        self.out.push('F');
        self.ty(f.ret);
        self.params(&f.params, &[], f.variadic);
        match f.ref_qual {
            RefQual::None => {}
            RefQual::Lvalue => self.out.push('R'),
            RefQual::Rvalue => self.out.push('O'),
        }
        self.out.push('E');
    }

    fn class(&mut self, r: RecordId) {
        self.named(self.types.record(r).name);
    }

    /// A class or enumeration as a type.
    fn named(&mut self, id: NameId) {
        if self.abbreviate_stream(id) || self.substitute(&Sub::Name(id)) {
            return;
        }
        self.name(id, Quals::NONE, RefQual::None);
        self.remember(Sub::Name(id));
    }
}

fn base36(out: &mut String, mut n: usize) {
    let mut digits = [0u8; 16];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n % 36];
        n /= 36;
        if n == 0 || at == 0 {
            break;
        }
    }
    out.extend(digits[at..].iter().map(|&d| char::from(d)));
}

#[cfg(test)]
#[path = "mangle_tests.rs"]
mod tests;
