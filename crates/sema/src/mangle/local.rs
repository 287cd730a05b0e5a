//! Names of what functions declare: `Z<function>E<name>` (Itanium C++ ABI, 5.1.6 and 5.1.8, "closure types").

use super::{MAX_DEPTH, Mangler, Signature};
use crate::types::{NameId, NameKind, Ty, TyId};
use std::fmt::Write as _;

/// Writes what tells an entity of a function from the `before` others of its name that come first.
pub(super) fn tell_apart(out: &mut String, before: u32) {
    let _ = match before {
        0 => Ok(()),
        1..=10 => write!(out, "_{}", before - 1),
        _ => write!(out, "__{}_", before - 1),
    };
}

impl Mangler<'_> {
    /// The function around a name, if there is one. Whether the name stands directly in its body.
    pub(super) fn local_scope(&mut self, id: NameId) -> bool {
        let parent = self.types.name(id).parent;
        let Some(body) = self.body_around(parent) else { return false };
        self.out.push('Z');
        if !self.too_deep() {
            self.depth += 1;
            self.body(body);
            self.depth -= 1;
        }
        self.out.push('E');
        matches!(self.types.name(parent).kind, NameKind::Body(_))
    }

    /// The innermost function body that a scope is, or stands in.
    fn body_around(&self, mut scope: NameId) -> Option<u32> {
        while scope != NameId::ROOT {
            let node = self.types.name(scope);
            if let NameKind::Body(n) = node.kind {
                return Some(n);
            }
            scope = node.parent;
        }
        None
    }

    /// Behind a name: which of the classes of one name in a function it is, or is a member of (Itanium C++ ABI, 5.1.6).
    pub(super) fn discriminator(&mut self, mut id: NameId) {
        while id != NameId::ROOT {
            let node = self.types.name(id);
            match node.kind {
                NameKind::Local(_, n) => return tell_apart(&mut self.out, n),
                NameKind::Body(_) => return,
                _ => id = node.parent,
            }
        }
    }

    /// The encoding of a function around a name.
    fn body(&mut self, n: u32) {
        let types = self.types;
        let Some(b) = types.bodies.get(n as usize) else { return };
        if b.plain {
            return self.unqualified(types.name(b.path).kind);
        }
        let around = std::mem::replace(&mut self.internal, b.internal);
        self.encoding(b.path, Signature::of(b));
        self.internal = around;
    }

    /// The level of the template parameters in a type; 0 if there are none.
    pub(super) fn level_of(&self, ty: TyId) -> u32 {
        if self.level > 0 && self.depends(ty, 0) { self.level } else { 0 }
    }

    fn depends(&self, ty: TyId, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return true;
        }
        let on = |ty: TyId| self.depends(ty, depth + 1);
        match self.types.get(ty) {
            Ty::TemplateParam(_)
            | Ty::TemplateParamSpec { .. }
            | Ty::TemplateSpec { .. }
            | Ty::DependentArray { .. }
            | Ty::DependentMember { .. }
            | Ty::Expansion { .. }
            | Ty::Dependent => true,
            Ty::Pointer { pointee, .. } | Ty::Reference { pointee, .. } => on(*pointee),
            Ty::MemberPointer { class, pointee, .. } => on(*class) || on(*pointee),
            Ty::Array { elem, .. } | Ty::Vector { elem, .. } => on(*elem),
            Ty::Function(f) => on(f.ret) || f.params.iter().any(|&p| on(p)),
            _ => false,
        }
    }

    /// A closure type in its scope.
    pub(super) fn lambda(&mut self, n: u32) {
        self.has_lambda = true;
        let types = self.types;
        let Some(l) = types.lambdas.get(&n) else { return self.numbered("UlvE", n) };
        self.out.push_str("Ul");
        let around = std::mem::replace(&mut self.level, l.level);
        self.params(&l.params, &l.expansions, l.variadic);
        self.level = around;
        self.numbered("E", l.number);
    }

    /// Whether the name encoded last depends on a lambda's.
    pub fn has_lambda(&self) -> bool {
        self.has_lambda
    }
}
