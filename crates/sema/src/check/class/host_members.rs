//! Members of the host: functions without `__device__`, which the parser passes over. Device code can't call them, but a class
//! has the layout that they give it, since the host makes its objects.
//!
use crate::check::Checker;
use crate::types::RecordId;
use source::Symbol;
use syntax::ast::{self, DeclKind, DeclSpecs, HostReason, NameKind, Operator};

/// Which members of the host a class has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HostMembers {
    /// A constructor.
    pub(crate) constructor: bool,
    /// A constructor that takes an object of the class.
    pub(crate) copies: bool,
    /// A destructor.
    pub(crate) destructor: bool,
    /// `operator=`
    pub(crate) assigns: bool,
    /// A virtual function, its own or inherited.
    pub(crate) is_virtual: bool,
}

impl Checker<'_> {
    /// Notes the members of the host in a class's body. Its bases are known.
    pub(super) fn note_host_members(&mut self, r: RecordId, class: ast::NameId, rec: &ast::Record) {
        let ast = self.ast;
        let mut host = HostMembers::default();
        for &m in ast.list(rec.members) {
            let m = match ast[m].kind {
                DeclKind::Template { decl, .. } => decl,
                _ => m,
            };
            let d = ast[m];
            let DeclKind::HostOnly(reason @ (HostReason::Function | HostReason::CopyConstructor)) = d.kind else {
                continue;
            };
            host.copies |= reason == HostReason::CopyConstructor;
            host.is_virtual |= d.specs.has(DeclSpecs::VIRTUAL);
            let name = self.declared_symbol(d.name);
            self.decls[r].host_functions.extend(name);
            match (ast[d.name].kind, ast[class].kind) {
                (NameKind::Destructor(_), _) => host.destructor = true,
                (NameKind::Operator(Operator::Assign), _) => host.assigns = true,
                (NameKind::Ident(name), NameKind::Ident(class)) => host.constructor |= name == class,
                _ => {}
            }
        }
        host.is_virtual |= self.p.types.record(r).bases.iter().any(|b| self.decls[b.record].host.is_virtual);
        self.decls[r].host = host;
    }

    /// Whether a class or one of its bases has a function of the host's of this name.
    pub(crate) fn has_host_function(&self, r: RecordId, name: Symbol) -> bool {
        // A class may be a base by many ways.
        let (mut all, mut at) = (vec![r], 0);
        while let Some(&class) = all.get(at) {
            if self.decls[class].host_functions.contains(&name) {
                return true;
            }
            for base in &self.p.types.record(class).bases {
                if !all.contains(&base.record) {
                    all.push(base.record);
                }
            }
            at += 1;
        }
        false
    }
}
