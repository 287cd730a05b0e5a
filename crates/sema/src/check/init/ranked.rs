//! How well braced lists convert to parameters (C++17, 16.3.3.1.5).

use crate::check::call::Arg;
use crate::check::convert::{Rank, classify::added_quals};
use crate::check::{Checker, Entity};
use crate::types::{Quals, RecordId, Ty, TyId};
use syntax::ast;

impl Checker<'_> {
    /// How well `{…}` converts to a type, which may be a reference; `None` if it does not.
    pub(crate) fn rank_listed(&mut self, items: ast::List<ast::InitItem>, to: TyId) -> Option<Rank> {
        match *self.p.types.get(to) {
            // It refers to an object that the list makes.
            Ty::Reference { pointee, quals, rvalue, .. } => {
                if !rvalue && !quals.is_const() {
                    return None;
                }
                let temporary = if rvalue { 0 } else { Rank::TEMPORARY };
                let rank = self.rank_listed(items, pointee)?;
                Some(rank.bound(temporary + added_quals(Quals::NONE, quals)))
            }
            Ty::Record(r) => match self.list_element(to) {
                Some(elem) => self.rank_list(items, elem).map(|rank| Rank { list: true, ..rank }),
                None => self.rank_listed_object(items, r),
            },
            // As good as the worst of its elements.
            Ty::Array { elem, len } => {
                if len.is_some_and(|n| items.len() as u64 > n) {
                    return None;
                }
                self.rank_list(items, elem)
            }
            Ty::Vector { .. } => Some(Rank::USER),
            _ => match self.list_args(items)[..] {
                [] => Some(Rank::EXACT),
                // One pair of braces at most.
                [one @ (Arg::Expr(_) | Arg::Overload(_))] => self.rank_arg(one, to),
                _ => None,
            },
        }
    }

    fn rank_listed_object(&mut self, items: ast::List<ast::InitItem>, r: RecordId) -> Option<Rank> {
        self.complete_record(r);
        let info = &self.decls[r];
        if info.cuda_vec.is_some() || info.complex.is_some() {
            return (items.len() <= self.p.types.record(r).fields.len()).then_some(Rank::USER);
        }
        let args = self.list_args(items);
        if let [Arg::Expr(e)] = args[..]
            && let Some(own) = self.p.types.as_record(self.ty(e))
            && (own == r || self.base_offset(own, r).is_some())
        {
            return Some(if own == r { Rank::EXACT } else { Rank::CONVERSION });
        }
        if !self.makes_by_constructor(r) {
            return self.takes_elements(r, items, &args).then_some(Rank::USER);
        }
        let fits = args.is_empty() && self.default_constructor(r).is_some() || self.constructs(r, items, &args);
        fits.then_some(Rank::USER)
    }

    /// Whether a constructor takes the list, or what is in it.
    fn constructs(&mut self, r: RecordId, items: ast::List<ast::InitItem>, args: &[Arg]) -> bool {
        for f in self.decls[r].ctors.clone() {
            let d = &self.decls[f];
            let Some(first) = d.params.first().map(|p| p.ty) else { continue };
            let alone = d.params.iter().skip(1).all(|p| p.default.is_some());
            let ty = self.strip_reference(first);
            if alone
                && let Some(elem) = self.list_element(ty)
                && self.rank_list(items, elem).is_some()
            {
                return true;
            }
        }
        let mut all: Vec<Entity> = self.decls[r].ctors.iter().map(|&f| Entity::Fn(f)).collect();
        all.extend(self.constructor_templates(r));
        self.resolve_ranked(&all, None, args).is_some()
    }

    /// Whether an aggregate has an element for each item, to which it converts. What an item without braces gives to the
    /// elements of an element is not looked into.
    fn takes_elements(&mut self, r: RecordId, items: ast::List<ast::InitItem>, args: &[Arg]) -> bool {
        let bases = self.p.types.record(r).bases.clone();
        let bases: Vec<TyId> = bases.iter().map(|b| self.p.types.intern(Ty::Record(b.record))).collect();
        let rec = self.p.types.record(r);
        let named = rec.fields.iter().filter(|f| f.name.is_some() || f.bits.is_none());
        let types: Vec<TyId> = bases.into_iter().chain(named.map(|f| f.ty)).collect();
        let most = if rec.is_union { 1 } else { types.len() };
        if self.ast.list(items).iter().any(|i| !i.designators.is_empty()) {
            return true;
        }
        let whole = |c: &Self, ty| c.p.types.is_aggregate(ty) || c.p.types.is_vector(ty);
        if args.len() > most {
            return types.iter().any(|&t| whole(self, t));
        }
        args.iter().zip(types).all(|(&a, ty)| match a {
            Arg::Expr(_) if whole(self, ty) => true,
            a => self.rank_arg(a, ty).is_some(),
        })
    }
}
