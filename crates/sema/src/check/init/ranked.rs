//! How well braced lists convert to parameters (C++17, 16.3.3.1.5).

use crate::check::Checker;
use crate::check::call::Arg;
use crate::check::convert::{Rank, classify::added_quals};
use crate::types::{Quals, RecordId, Ty, TyId};
use source::{Diagnostic, Span};
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
        if self.list_constructors(r, items).into_iter().any(|(_, _, elem)| self.rank_list(items, elem).is_some()) {
            return true;
        }
        self.constructor_for(r, args, true).is_some()
    }

    /// Whether a list that is an argument would make an object of the class by a constructor that is `explicit`, which is an error
    /// where it is chosen (C++17, 16.3.1.7); reports it.
    pub(crate) fn refuses_list(&mut self, items: ast::List<ast::InitItem>, to: TyId, span: Span) -> bool {
        let to = self.strip_reference(to);
        let Some(r) = self.p.types.as_record(to).filter(|_| !items.is_empty()) else { return false };
        self.complete_record(r);
        let of = &self.decls[r];
        if of.cuda_vec.is_some() || of.complex.is_some() || self.list_element(to).is_some() {
            return false;
        }
        let some = self.decls[r].ctors.iter().any(|&f| self.decls[f].explicit);
        if !self.makes_by_constructor(r) || !some && self.constructor_templates(r).is_empty() {
            return false;
        }
        let args = self.list_args(items);
        if self.list_constructors(r, items).into_iter().any(|(_, _, elem)| self.rank_list(items, elem).is_some()) {
            return false;
        }
        let Some(f) = self.constructor_for(r, &args, true).filter(|&f| self.decls[f].explicit) else { return false };
        let (name, there) = (self.show_fn(f), self.decls[f].span);
        let d = Diagnostic::error("E0315", span, format!("a list as an argument cannot choose `{name}`"));
        self.report(d.label(there, "it is `explicit`"));
        true
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
