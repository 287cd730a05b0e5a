//! What host code launches: instances of kernels that are templates.
//!
//! Host code decides which instances of a kernel there are, by launching them or taking their address. A checker of its own
//! reads what could be parsed of the host code ([`ast::DeclKind::HostView`]), with everything else that is declared, and goes
//! where calls lead: into host templates, members of class templates, lambdas. Nothing that it reports matters, and nothing
//! of its program is used but the list of instances, which the checker of the device code then makes. An expression whose
//! type is not known, because no header says it, is worth nothing for deduction; a launch that needs it is named in a
//! warning.

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, ExpnId, Session, Span};
use syntax::ast::{self, Ast, DeclSpecs};

use super::call::Arg;
use super::overload::{Rejected, Why};
use super::template::Explicit;
use super::{BodySource, Checker, Entity, FnDecl, FnId, RTy, ScopeId, TemplateId, TemplateKind, VarId};
use crate::mangle::Mangler;
use crate::options::SemaOptions;
use crate::program::{ExprId, ExprKind};
use crate::types::{NameId, NameKind, QualTy, Quals, TemplateArg, Ty, TyId, TypeTable};
use std::rc::Rc;

/// How deep the types of template arguments may nest.
const MAX_TEMPLATES_DEEP: usize = 64;

/// Instances that host code asks for.
#[derive(Debug, Default)]
pub(crate) struct Launches {
    /// Declarations of kernel templates with the arguments, in the order found.
    found: Vec<Instance>,
    /// Ends of the kernels' names in launches whose instance was found.
    followed: FxHashSet<(u32, ExpnId)>,
    /// Calls of functions of the host that are not evaluated.
    pub(crate) host_calls: u32,
    /// What `decltype` says of such calls in classes, by where it stands and the class's name.
    pub(crate) of_host_calls: FxHashMap<(ast::ExprId, String), RTy>,
    /// Launches whose instance is not known, and why.
    unknown: Vec<Unknown>,
    /// Calls of host templates whose instance is not known.
    lost: Vec<(TemplateId, Unknown)>,
    /// Lambdas that were checked.
    pub(crate) closures: super::closures::HostClosures,
    /// What is let through because no candidate fitted with the types that are known.
    lenience: Lenience,
}

/// What becomes of types that no header says in a call of host code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lenience {
    /// No template fits that has one in its signature.
    #[default]
    Known,
    /// Signatures may have them, and elements of packs be deduced as them: they are passed on.
    Unknown,
    /// Any parameter may be deduced as one. Among several templates that would say nothing about which is called.
    Deduced,
}

/// An instance of a kernel.
#[derive(Debug)]
struct Instance {
    template: TemplateId,
    /// Its declaration: the one with a body, once all is read.
    decl: ast::DeclId,
    args: Box<[TemplateArg]>,
    /// Its symbol, if that depends on lambdas: their names are those of the functions of the host that they stand in.
    symbol: Option<String>,
}

/// A launch or call that could not be followed.
#[derive(Clone, Debug)]
struct Unknown {
    span: Span,
    name: String,
    why: String,
    declared: Span,
}

/// What reading host code came to, with the types that it is told in.
pub(crate) struct Asked {
    pub(crate) launches: Launches,
    types: Rc<TypeTable>,
}

/// What the checker of the device code knows of the host's from the beginning.
#[derive(Debug, Default)]
pub(crate) struct FromHost {
    /// Ends of the kernels' names in launches that were followed.
    pub(crate) followed: FxHashSet<(u32, ExpnId)>,
    /// Types of calls, as [`Launches::of_host_calls`].
    of_calls: FxHashMap<(ast::ExprId, String), RTy>,
    /// The table that these are in.
    types: Rc<TypeTable>,
}

/// Reads the host code of a file for its launches.
pub(crate) fn read_host(session: &mut Session, opts: &SemaOptions, ast: &Ast) -> Option<Asked> {
    if !ast.has_host_view {
        return None;
    }
    let diagnostics = std::mem::take(&mut session.diagnostics);
    let ledger = std::mem::take(&mut session.ledger);
    let mut c = Checker::new(session, opts, ast);
    c.launches = Some(Launches::default());
    for &d in &ast.top {
        c.declare(d);
        c.forget_errors(0);
    }
    c.run_pending();
    let lost = c.lost_launches();
    let mut launches = c.launches.take().unwrap_or_default();
    launches.unknown.extend(lost);
    launches.found.iter_mut().for_each(|i| i.decl = c.decls[i.template].decl);
    let types = Rc::new(std::mem::take(&mut c.p.types));
    session.diagnostics = diagnostics;
    session.ledger = ledger;
    Some(Asked { launches, types })
}

impl Asked {
    /// Takes what the checker of the device code is to know before it reads anything.
    pub(crate) fn take_first(&mut self) -> FromHost {
        let Launches { followed, of_host_calls, .. } = &mut self.launches;
        FromHost {
            followed: std::mem::take(followed),
            of_calls: std::mem::take(of_host_calls),
            types: Rc::clone(&self.types),
        }
    }
}

impl Checker<'_> {
    /// Whether this checker reads host code for its launches.
    pub(crate) fn reads_host(&self) -> bool {
        self.launches.is_some()
    }

    /// Whether host templates may be instantiated though types of their signatures are not known.
    pub(crate) fn takes_unknown_types(&self) -> bool {
        self.leniency() >= Lenience::Unknown
    }

    pub(crate) fn leniency(&self) -> Lenience {
        self.launches.as_ref().map_or(Lenience::Known, |l| l.lenience)
    }

    /// Looks for host templates again, this time also for those with types that are not known.
    pub(crate) fn with_unknown_types<R>(&mut self, lenience: Lenience, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.launches.as_mut().map(|l| std::mem::replace(&mut l.lenience, lenience));
        let r = f(self);
        if let (Some(l), Some(outer)) = (&mut self.launches, outer) {
            l.lenience = outer;
        }
        r
    }

    /// Drops what was reported since `mark`, if host code is read.
    pub(crate) fn forget_errors(&mut self, mark: usize) {
        if self.reads_host() {
            self.sess.diagnostics.truncate(mark);
        }
    }

    /// Whether a body matters: only host code can launch. Of the rest only what constants and types depend on is looked at.
    pub(crate) fn may_launch(&self, d: &FnDecl) -> bool {
        let types = &self.p.types;
        let of_closure = |r| matches!(types.name(types.record(r).name).kind, NameKind::Lambda(_));
        let device = d.specs.has(DeclSpecs::GLOBAL) || d.specs.has(DeclSpecs::DEVICE) && !d.specs.has(DeclSpecs::HOST);
        let known = device && !d.deduced_ret && !d.specs.has(DeclSpecs::CONSTEXPR);
        !known || matches!(d.body, BodySource::Lambda(_)) || d.record.is_some_and(of_closure)
    }

    /// Host code uses a function: if it is an instance of a kernel, that is asked for.
    pub(crate) fn host_uses(&mut self, f: FnId) {
        let d = &self.decls[f];
        let (Some(t), true) = (d.template, d.specs.has(DeclSpecs::GLOBAL)) else { return };
        let path = d.path;
        let decl = self.decls[t].decl;
        let Some(args) = self.p.types.name(path).args.clone() else { return };
        let is_known = |l: &Launches| l.found.iter().any(|i| i.template == t && i.args == args);
        if self.launches.as_ref().is_none_or(is_known) {
            return;
        }
        let symbol = self.symbol_with_lambdas(f);
        if let Some(l) = &mut self.launches {
            l.found.push(Instance { template: t, decl, args, symbol });
        }
    }

    /// `k<<<config>>>(args)` in host code.
    pub(crate) fn host_launch(
        &mut self,
        callee: ast::ExprId,
        config: ast::List<ast::ExprId>,
        args: ast::List<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        self.args(config);
        let a = self.args(args);
        let mut at = callee;
        while let ast::ExprKind::Paren(inner) = self.ast[at].kind {
            at = inner;
        }
        let entities = match self.ast[at].kind {
            ast::ExprKind::Name(n) => self.find_name(n).map(|f| f.entities).unwrap_or_default(),
            _ => Default::default(),
        };
        match (self.ast[at].kind, entities.first()) {
            (ast::ExprKind::Name(n), Some(Entity::Fn(_) | Entity::Template(_))) => {
                let explicit = self.ast[n].args.map(Explicit::Written);
                match self.resolve_overload(&entities, None, &a, explicit, span, false) {
                    Some(f) => {
                        let name = self.ast[n].span;
                        self.launches.iter_mut().for_each(|l| _ = l.followed.insert((name.hi, name.expn)));
                        self.host_uses(f);
                    }
                    None => self.unknown_launch(&entities, explicit, &a, span),
                }
            }
            _ => {
                self.expr(at);
            }
        }
        self.rv(ExprKind::ZeroInit, TyId::VOID, span)
    }

    fn unknown_launch(&mut self, entities: &[Entity], explicit: Option<Explicit>, args: &[Arg], span: Span) {
        let template = entities.iter().find_map(|e| match e {
            Entity::Template(t) if self.decls[*t].kind == TemplateKind::Function => Some(*t),
            _ => None,
        });
        let Some(t) = template else { return };
        let why = self.deduce_call(t, explicit, args).err();
        let why = why.map_or_else(|| "no overload fits".to_owned(), |why| self.explain(&why, args));
        let unknown = self.unknown(t, why, span);
        if let Some(l) = &mut self.launches {
            l.unknown.push(unknown);
        }
    }

    fn unknown(&self, t: TemplateId, why: String, span: Span) -> Unknown {
        let tpl = &self.decls[t];
        Unknown { span, name: self.text(tpl.name).to_owned(), why, declared: tpl.span }
    }

    /// No overload fits a call in host code: its templates may hold launches that nobody else asks for.
    pub(crate) fn lost_call(&mut self, entities: &[Entity], rejected: &[Rejected], at: Span) {
        for e in entities {
            let Entity::Template(t) = *e else { continue };
            let span = self.decls[t].span;
            let why = rejected.iter().find(|r| r.at == span).and_then(|r| match &r.why {
                Why::Said(_) | Why::Pattern(..) | Why::TakesPattern(..) => Some(self.explain(&r.why, &[])),
                Why::Takes(_) | Why::Argument(..) => None,
            });
            let why = why.unwrap_or_default();
            let lost = self.unknown(t, why, at);
            if let Some(l) = &mut self.launches {
                l.lost.push((t, lost));
            }
        }
    }

    /// The calls that could not be followed to host templates with launches.
    fn lost_launches(&mut self) -> Vec<Unknown> {
        let lost = self.launches.as_mut().map(|l| std::mem::take(&mut l.lost)).unwrap_or_default();
        let all = self.ast.exprs.iter().filter(|e| matches!(e.kind, ast::ExprKind::Launch { .. }));
        let launches: Vec<Span> = all.map(|e| e.span).collect();
        // Whether the body of the function template holds a launch of a kernel that is a template.
        let has_launch = |t: TemplateId| {
            let span = self.ast[self.decls[t].decl].span;
            launches.iter().any(|e| span.lo <= e.lo && e.hi <= span.hi)
        };
        lost.into_iter().filter(|(t, _)| has_launch(*t)).map(|(_, u)| u).collect()
    }

    /// `new T(args)` in host code.
    pub(crate) fn host_new(&mut self, new: ast::New, span: Span) -> ExprId {
        self.args(new.placement);
        let ty = self.resolve_ty(new.ty);
        let made = match (self.p.types.as_record(ty), new.init) {
            (Some(r), Some(list)) => {
                let a = self.args(list);
                Some(self.construct(r, ty, &a, span, true))
            }
            (Some(r), None) => Some(self.construct(r, ty, &[], span, true)),
            (None, Some(list)) => {
                self.args(list);
                None
            }
            (None, None) => None,
        };
        let _ = made;
        let pointee = match *self.p.types.get(ty) {
            Ty::Array { elem, .. } => elem,
            _ => ty,
        };
        if pointee == TyId::ERROR {
            return self.err(span);
        }
        let space = self.default_space();
        let ptr = self.p.types.pointer(pointee, Quals::NONE, space);
        self.rv(ExprKind::Error, ptr, span)
    }

    /// The members of an explicitly instantiated class template.
    pub(crate) fn need_members(&mut self, r: crate::types::RecordId) {
        for f in (0..self.decls.fns.len() as u32).map(FnId) {
            if self.decls[f].record == Some(r) {
                self.need(f);
            }
        }
    }

    /// Remembers what `decltype(e)` says in a class, since it calls functions of the host, which the checker of the device code has
    /// not: CUTLASS's kernels hold what `decltype(make_tma_copy(…))` is.
    pub(crate) fn remember_host_call(&mut self, e: ast::ExprId, ty: RTy) {
        let Some(class) = self.class_named() else { return };
        if let Some(l) = self.launches.as_mut().filter(|_| ty.ty != TyId::ERROR) {
            l.of_host_calls.insert((e, class), ty);
        }
    }

    /// What `decltype(e)` said when host code was read.
    pub(crate) fn type_of_host_call(&mut self, e: ast::ExprId) -> Option<RTy> {
        if self.from_host.of_calls.is_empty() {
            return None;
        }
        let known = *self.from_host.of_calls.get(&(e, self.class_named()?))?;
        let types = Rc::clone(&self.from_host.types);
        Some(RTy { ty: self.carry(known.ty, &types, 0)?, ..known })
    }

    /// The name of the class that this stands in, as symbols spell it: in a program's kernels arguments nest too deep to be shown.
    fn class_named(&self) -> Option<String> {
        let mut at = Some(self.scope);
        while let Some(s) = at {
            if let Some(r) = self.record_of_scope(s) {
                let path = self.p.types.record(r).name;
                return Some(Mangler::new(&self.p.types, &self.sess.strings).variable(path));
            }
            at = self.decls[s].parent;
        }
        None
    }

    // ---- the checker of the device code ------------------------------------------------------------------------------

    /// Makes the instances that host code asks for, and names the launches that could not be followed.
    pub(crate) fn make_launched(&mut self, asked: &mut Asked) {
        self.host_closures = std::mem::take(&mut asked.launches.closures);
        let mut taken = FxHashSet::default();
        for instance in &asked.launches.found {
            let template = (0..self.decls.templates.len() as u32)
                .map(TemplateId)
                .find(|t| self.decls[*t].decl == instance.decl && self.decls[*t].kind == TemplateKind::Function);
            let Some(t) = template else { continue };
            let carried: Result<Vec<TemplateArg>, TyId> =
                instance.args.iter().map(|a| self.carry_arg(a, &asked.types, 0)).collect();
            match carried {
                Ok(args) => {
                    if let Some(f) = self.fn_instance(t, args) {
                        // What is not modelled of signatures may make two names one.
                        if let Some(symbol) = instance.symbol.as_ref().filter(|s| taken.insert(s.as_str())) {
                            self.decls.symbols.insert(f, symbol.clone());
                        }
                        self.need(f);
                        self.func_id(f);
                        if !self.inst.roots.contains(&f) {
                            self.inst.roots.push(f);
                        }
                    }
                }
                Err(ty) => {
                    let name = crate::display::type_name(&asked.types, &self.sess.strings, ty, self.opts.dialect);
                    let why = format!("device code has no type `{name}`");
                    let unknown = self.unknown(t, why, self.decls[t].span);
                    self.warn_unknown(&unknown);
                }
            }
        }
        let mut seen = FxHashSet::default();
        for u in &asked.launches.unknown {
            if seen.insert((u.span.lo, u.span.hi)) {
                self.warn_unknown(u);
            }
        }
    }

    fn warn_unknown(&mut self, u: &Unknown) {
        let it = if u.why.starts_with("has ") || u.why.starts_with("takes ") { "it " } else { "" };
        let message = format!("no instance of `{}` is compiled for this use by host code: {it}{}", u.name, u.why);
        let d = Diagnostic::warning("W0331", u.span, message)
            .label(u.declared, "template declared here")
            .help("name the instance: `template __global__ void kernel<…>(…);`")
            .group("unresolved-launch");
        self.report(d);
    }

    /// A template argument of the checker of host code in the types of this one; `Err` with the type that there is none for.
    pub(crate) fn carry_arg(&mut self, a: &TemplateArg, types: &TypeTable, depth: usize) -> Result<TemplateArg, TyId> {
        Ok(match a {
            TemplateArg::Type(q) => {
                TemplateArg::Type(QualTy { ty: self.carry(q.ty, types, depth).ok_or(q.ty)?, quals: q.quals })
            }
            TemplateArg::Int { value, ty } => {
                TemplateArg::Int { value: *value, ty: self.carry(*ty, types, depth).ok_or(*ty)? }
            }
            TemplateArg::Object { bytes, ty } => {
                TemplateArg::Object { bytes: bytes.clone(), ty: self.carry(*ty, types, depth).ok_or(*ty)? }
            }
            TemplateArg::Pack(all) => {
                TemplateArg::Pack(all.iter().map(|a| self.carry_arg(a, types, depth)).collect::<Result<_, _>>()?)
            }
            TemplateArg::Template(name) => {
                TemplateArg::Template(self.carry_template(*name, types, depth).ok_or(TyId::ERROR)?)
            }
            TemplateArg::Function { path, symbol, .. } => {
                let f = self.carry_function(*path, *symbol, types, depth).ok_or(TyId::ERROR)?;
                self.function_arg(f)
            }
            TemplateArg::Variable { name, symbol, address, .. } => {
                let id = self.carry_variable(*name, *symbol).ok_or(TyId::ERROR)?;
                TemplateArg::Variable { id, name: *name, symbol: *symbol, address: *address }
            }
            TemplateArg::Param(_) | TemplateArg::Expansion { .. } | TemplateArg::Dependent(_) => {
                return Err(TyId::ERROR);
            }
        })
    }

    /// A function of the checker of host code, which has another number here: the one of its symbol.
    fn carry_function(
        &mut self,
        path: NameId,
        symbol: source::Symbol,
        types: &TypeTable,
        depth: usize,
    ) -> Option<FnId> {
        let node = types.name(path).clone();
        let scope = self.carry_path(node.parent, types, depth)?.0;
        let name = match node.kind {
            NameKind::Entity(sym) => sym,
            NameKind::Operator(op) => {
                self.sess.strings.get(&format!("operator{}", crate::display::operator_spelling(op)))?
            }
            _ => return None,
        };
        let carried = |c: &mut Self, args: Box<[TemplateArg]>| {
            args.iter().map(|a| c.carry_arg(a, types, depth + 1)).collect::<Result<Vec<TemplateArg>, TyId>>()
        };
        let args = node.args.map(|args| carried(self, args)).transpose().ok()?;
        self.decls.bound(scope, name).into_iter().find_map(|e| {
            let f = match (e, &args) {
                (Entity::Fn(f), None) => f,
                (Entity::Template(t), Some(args)) if self.decls[t].kind == TemplateKind::Function => {
                    self.fn_instance(t, args.clone())?
                }
                _ => return None,
            };
            let own = self.function_symbol(f);
            (self.sess.strings.get(&own) == Some(symbol)).then_some(f)
        })
    }

    /// The number that a variable of the checker of host code has here.
    fn carry_variable(&mut self, name: source::Symbol, symbol: source::Symbol) -> Option<u32> {
        (0..self.decls.vars.len() as u32).find(|&id| {
            if self.decls.vars[id as usize].name != name {
                return false;
            }
            self.var_place(VarId(id), Span::NONE);
            let global = self.decls.vars[id as usize].global;
            global.is_some_and(|g| self.sess.strings.get(&self.p.globals[g.index()].symbol) == Some(symbol))
        })
    }

    /// A type of the checker of host code in the types of this one.
    pub(crate) fn carry(&mut self, ty: TyId, types: &TypeTable, depth: usize) -> Option<TyId> {
        if depth > MAX_TEMPLATES_DEEP {
            return None;
        }
        let d = depth + 1;
        let made = match types.get(ty).clone() {
            Ty::Pointer { pointee, quals, space } => {
                Ty::Pointer { pointee: self.carry(pointee, types, d)?, quals, space }
            }
            Ty::Reference { pointee, quals, space, rvalue } => {
                Ty::Reference { pointee: self.carry(pointee, types, d)?, quals, space, rvalue }
            }
            Ty::MemberPointer { class, pointee, quals } => {
                let class = self.carry(class, types, d)?;
                Ty::MemberPointer { class, pointee: self.carry(pointee, types, d)?, quals }
            }
            Ty::Array { elem, len } => Ty::Array { elem: self.carry(elem, types, d)?, len },
            Ty::Vector { elem, n } => Ty::Vector { elem: self.carry(elem, types, d)?, n },
            Ty::Function(f) => {
                let params: Option<Box<[TyId]>> = f.params.iter().map(|&p| self.carry(p, types, d)).collect();
                Ty::Function(crate::types::FnTy { ret: self.carry(f.ret, types, d)?, params: params?, ..f })
            }
            Ty::Record(r) => {
                if let NameKind::Lambda(_) = types.name(types.record(r).name).kind {
                    return self.carry_closure(r, types, d);
                }
                if let Some(v) = self.carry_cuda_vector(types.record(r).name, types) {
                    return Some(v);
                }
                return self.carry_named(types.record(r).name, types, d);
            }
            Ty::Enum(e) => return self.carry_named(types.enumeration(e).name, types, d),
            Ty::Error
            | Ty::TemplateParam(_)
            | Ty::TemplateSpec { .. }
            | Ty::TemplateParamSpec { .. }
            | Ty::DependentArray { .. }
            | Ty::DependentMember { .. }
            | Ty::Expansion { .. }
            | Ty::Dependent => return None,
            plain => plain,
        };
        Some(self.p.types.intern(made))
    }

    /// `float4` and its like, which are made when they are first named.
    fn carry_cuda_vector(&mut self, name: NameId, types: &TypeTable) -> Option<TyId> {
        let node = types.name(name);
        match (node.kind, types.name(node.parent).kind) {
            (NameKind::Type(sym), NameKind::Root) => self.driver_class(sym).or_else(|| self.provided_type(sym)),
            _ => None,
        }
    }

    /// A template by its name in the tree of another checker.
    fn carry_template(&mut self, name: NameId, types: &TypeTable, depth: usize) -> Option<NameId> {
        let node = types.name(name).clone();
        let scope = self.carry_path(node.parent, types, depth)?.0;
        let (NameKind::Type(sym) | NameKind::Entity(sym)) = node.kind else { return None };
        self.decls.bound(scope, sym).iter().find_map(|e| match e {
            Entity::Template(t) => Some(self.decls[*t].path),
            _ => None,
        })
    }

    /// The class or enumeration of a name in the tree of another checker.
    fn carry_named(&mut self, name: NameId, types: &TypeTable, depth: usize) -> Option<TyId> {
        self.carry_path(name, types, depth)?.1
    }

    /// The scope that a name in the tree of another checker opens, and the type, if it is one.
    pub(crate) fn carry_path(
        &mut self,
        name: NameId,
        types: &TypeTable,
        depth: usize,
    ) -> Option<(ScopeId, Option<TyId>)> {
        let mut path = Vec::new();
        let mut at = name;
        while types.name(at).kind != NameKind::Root {
            path.push(at);
            at = types.name(at).parent;
            if path.len() > MAX_TEMPLATES_DEEP {
                return None;
            }
        }
        let mut scope = ScopeId(0);
        let mut found = None;
        for &part in path.iter().rev() {
            let node = types.name(part).clone();
            found = None;
            match node.kind {
                NameKind::Namespace(sym) => {
                    scope = self.decls.bound(scope, sym).iter().find_map(|e| match e {
                        Entity::Namespace(s) => Some(*s),
                        _ => None,
                    })?;
                }
                NameKind::AnonNamespace => scope = *self.decls.anon_namespaces.get(&scope)?,
                NameKind::Type(sym) => {
                    let ty = self.carry_type_in(scope, sym, node.args.as_deref(), types, depth)?;
                    if let Some(r) = self.p.types.as_record(ty) {
                        self.complete_record(r);
                        scope = self.decls[r].scope;
                    }
                    found = Some(ty);
                }
                _ => return None,
            }
        }
        Some((scope, found))
    }

    fn carry_type_in(
        &mut self,
        scope: ScopeId,
        sym: source::Symbol,
        args: Option<&[TemplateArg]>,
        types: &TypeTable,
        depth: usize,
    ) -> Option<TyId> {
        let bound = self.decls.bound(scope, sym);
        let Some(args) = args else {
            return bound.iter().find_map(|e| match e {
                Entity::Type(t) => Some(t.ty),
                Entity::Tag(t) => Some(*t),
                _ => None,
            });
        };
        let t = bound.iter().find_map(|e| match e {
            Entity::Template(t) if self.decls[*t].kind == TemplateKind::Class => Some(*t),
            _ => None,
        })?;
        let args: Option<Vec<TemplateArg>> = args.iter().map(|a| self.carry_arg(a, types, depth).ok()).collect();
        let span = self.decls[t].span;
        self.class_instance(t, args?, span)
    }
}
