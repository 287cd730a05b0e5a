//! What a name in an expression reaches in memory: the subscripts, members and pointers behind it.

use crate::access::{Access, place};
use crate::ctype::Shape;
use crate::pointers;
use crate::poly::Poly;
use crate::scope::{Storage, Use, VarId};
use crate::verdict::{MAX_SUBSTITUTIONS, Question};
use syntax::ast::{BuiltinType, DeclKind, ExprId, ExprKind, TagKind, TypeId, TypeKind, UnaryOp};

/// An access of memory.
pub(crate) struct Reach {
    pub(crate) var: VarId,
    pub(crate) subscripts: Vec<Option<Poly>>,
    /// The names of members on the way.
    pub(crate) members: Vec<String>,
    /// So many of the subscripts choose the pointer that is followed last, if one is besides the name itself.
    pub(crate) through: Option<usize>,
    /// No chain of subscripts: anything that the pointer reaches.
    pub(crate) unknown: bool,
    pub(crate) write: bool,
    /// The type of what is accessed, if it is a number.
    pub(crate) element: Option<BuiltinType>,
    /// The name.
    pub(crate) expr: ExprId,
    /// Where it stands, and under how many branches and loops.
    pub(crate) at: usize,
    pub(crate) depth: u32,
}

impl Reach {
    /// Whether a clause that names the variable says what memory it is in: what members point to has clauses of its own.
    pub(crate) fn is_of_its_clause(&self) -> bool {
        self.through.is_none() || self.members.is_empty()
    }

    /// Whether another access goes the same way, so that equal subscripts mean the same place.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.var == other.var
            && self.members == other.members
            && self.through == other.through
            && self.subscripts.len() == other.subscripts.len()
    }
}

/// What stands behind a name.
#[derive(Default)]
struct Chain {
    subscripts: Vec<Option<Poly>>,
    members: Vec<String>,
    through: Option<usize>,
    unknown: bool,
    element: Option<BuiltinType>,
}

impl Question<'_, '_> {
    /// The accesses of memory that is not each iteration's own.
    pub(crate) fn accesses(&self, privates: &[VarId], reductions: &[(String, VarId)]) -> Vec<Reach> {
        let mut out = Vec::new();
        for u in self.cx.scopes.uses_in(self.body()) {
            let var = self.cx.scopes.var(u.var);
            let shape = var.ty.map(|t| self.cx.unit.shape(t));
            let pointer = matches!(shape, Some(Shape::Pointer(_)));
            let array = matches!(shape, Some(Shape::Array(..)));
            if !(pointer || array || matches!(shape, Some(Shape::Record))) {
                continue;
            }
            let chain = self.chain(u);
            // What pointers in a private structure point to is not private.
            let own = privates.contains(&u.var)
                || reductions.iter().any(|r| r.1 == u.var)
                || !pointer && self.is_local(u.var) && var.storage != Storage::Static;
            if own && (pointer || array || chain.through.is_none()) {
                continue;
            }
            let p = place(self.cx.unit, self.cx.scopes, self.cx.parents, u.expr);
            // `sizeof` asks for no value.
            if !p.memory && !array && !p.access.escapes || p.access == Access::default() {
                continue;
            }
            // A pointer of the body's own may point anywhere.
            let changes = |v| self.is_local(v) || self.sets(v);
            let unknown = chain.unknown || pointer && changes(u.var);
            let write = p.access.written || p.access.escapes;
            let reach = |chain: &Chain, write| Reach {
                var: u.var,
                subscripts: chain.subscripts.clone(),
                members: chain.members.clone(),
                through: chain.through,
                unknown,
                write,
                element: chain.element,
                expr: u.expr,
                at: u.at.start,
                depth: u.depth,
            };
            if p.access.read || p.access.escapes || !write {
                out.push(reach(&chain, false));
            }
            if write {
                out.push(reach(&chain, true));
            }
        }
        out
    }

    /// What stands behind a name: `a[i].x[j]`.
    fn chain(&self, u: &Use) -> Chain {
        let (unit, scopes) = (self.cx.unit, self.cx.scopes);
        let mut out = Chain::default();
        let mut e = u.expr;
        // Still the name itself, perhaps in parentheses: what it points to is followed without asking.
        let mut bare = true;
        // What was added to a pointer that nobody has followed yet.
        let mut ahead: Option<Option<Poly>> = None;
        while let Some(&p) = self.cx.parents.get(&e) {
            if let Some((by, back)) = pointers::offset(unit, scopes, p, e) {
                let sum = ahead.take().unwrap_or_else(|| Some(Poly::default()));
                let by = self.subscript(by, MAX_SUBSTITUTIONS);
                ahead = Some(sum.zip(by).map(|(sum, by)| sum.add(&by, if back { -1 } else { 1 })));
                e = p;
                continue;
            }
            let mut from = |index: Option<Poly>| match ahead.take() {
                Some(sum) => sum.zip(index).map(|(sum, index)| sum.add(&index, 1)),
                None => index,
            };
            match unit.ast[p].kind {
                ExprKind::Paren(_) => {
                    e = p;
                    continue;
                }
                ExprKind::Index { base, index } if base == e => {
                    self.follow(e, bare, &mut out);
                    out.subscripts.push(from(self.subscript(index, MAX_SUBSTITUTIONS)));
                }
                ExprKind::Unary(UnaryOp::Deref, _) => {
                    self.follow(e, bare, &mut out);
                    out.subscripts.push(from(Some(Poly::constant(0))));
                }
                ExprKind::Member { arrow, name, .. } => {
                    if arrow {
                        self.follow(e, bare, &mut out);
                        out.subscripts.push(from(Some(Poly::constant(0))));
                    }
                    // Members of a union share their bytes, and of what is not known it may be one.
                    out.unknown |= self.is_union(e, arrow) || unit.type_of(scopes, p).is_none();
                    let name = unit.ast.plain_name(name).map(|s| unit.session.str(s).to_owned());
                    out.members.extend(name);
                }
                // Where pointers are computed the elements around are in reach, too.
                ExprKind::Unary(UnaryOp::AddrOf, _) => {
                    out.unknown = true;
                    break;
                }
                // What is behind a pointer of another type is not followed.
                ExprKind::Cast { .. } if pointers::is_pointer(unit, scopes, e) => {
                    out.unknown = true;
                    break;
                }
                _ => break,
            }
            (e, bare) = (p, false);
        }
        out.unknown |= out.subscripts.is_empty() || ahead.is_some();
        out.element = match unit.type_of(scopes, e).map(|t| unit.shape(unit.dimensions(t).1)) {
            Some(Shape::Number(b)) => Some(b),
            _ => None,
        };
        out
    }

    /// Notes that a pointer is followed, if the expression is one and not the name that the chain begins with.
    fn follow(&self, e: ExprId, bare: bool, out: &mut Chain) {
        let shape = self.cx.unit.type_of(self.cx.scopes, e).map(|t| self.cx.unit.shape(t));
        if !bare && !matches!(shape, Some(Shape::Array(..))) {
            out.through = Some(out.subscripts.len());
        }
    }

    /// Whether an expression, or what it points to, is a union.
    fn is_union(&self, e: ExprId, arrow: bool) -> bool {
        let unit = self.cx.unit;
        let mut ty: Option<TypeId> = unit.type_of(self.cx.scopes, e);
        if arrow && let Some(Shape::Pointer(t) | Shape::Array(t, _)) = ty.map(|t| unit.shape(t)) {
            ty = Some(t);
        }
        match ty.map(|t| unit.ast[unit.resolve(t)].kind) {
            Some(TypeKind::Elaborated { tag, .. }) => tag == TagKind::Union,
            Some(TypeKind::Tag(d)) => {
                matches!(unit.ast[d].kind, DeclKind::Record(r) if unit.ast[r].tag == TagKind::Union)
            }
            _ => false,
        }
    }
}
