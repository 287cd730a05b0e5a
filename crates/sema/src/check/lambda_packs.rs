//! Packs of function parameters that lambdas capture: a field for each element, under a name that no program can write.

use source::{Span, Symbol};
use syntax::ast;

use super::{Checker, Entity};
use crate::program::ExprId;
use crate::types::{Quals, RecordId, TyId};

/// Between the name of a pack and the number of an element.
const ELEMENT: char = '#';

impl Checker<'_> {
    /// The name of the field of an element of a captured pack.
    fn element_symbol(&mut self, pack: Symbol, index: usize) -> Symbol {
        let name = format!("{}{ELEMENT}{index}", self.text(pack));
        self.sess.intern(&name)
    }

    /// The pack and the number of its element that a field is, if it is one's.
    pub(super) fn element_of_pack(&mut self, field: Symbol) -> Option<(Symbol, usize)> {
        let (pack, index) = self.text(field).split_once(ELEMENT)?;
        let (pack, index) = (pack.to_owned(), index.parse().ok()?);
        Some((self.sess.intern(&pack), index))
    }

    /// Adds the captures of a pack whose elements have these types.
    pub(super) fn capture_pack(
        &mut self,
        r: RecordId,
        pack: Symbol,
        elements: &[(TyId, Quals)],
        by_ref: Option<bool>,
    ) -> Option<Entity> {
        let by_ref = by_ref.filter(|_| !self.inst.generic_lambdas.contains_key(&r))?;
        let mut fields = Vec::new();
        for (i, &(ty, quals)) in elements.iter().enumerate() {
            let sym = self.element_symbol(pack, i);
            fields.push(self.add_capture(r, sym, ty, quals, by_ref));
        }
        Some(self.bind_captured_pack(r, pack, &fields))
    }

    /// A pack that a closure does not hold: its length and types are known in the body all the same (`sizeof...(x)`,
    /// `sizeof(x)...`).
    pub(super) fn pack_outside(
        &mut self,
        pack: u32,
        mut element: impl FnMut(&mut Self, Entity) -> Option<Entity>,
    ) -> Option<Entity> {
        let held = self.inst.value_packs[pack as usize].clone();
        let all: Vec<Entity> = held.into_iter().map(|e| element(self, e)).collect::<Option<_>>()?;
        let id = self.inst.value_packs.len() as u32;
        self.inst.value_packs.push(all);
        Some(Entity::ValuePack(id))
    }

    /// Says which fields of a closure are the elements of a pack.
    pub(super) fn bind_captured_pack(&mut self, r: RecordId, pack: Symbol, fields: &[u32]) -> Entity {
        let id = self.inst.value_packs.len() as u32;
        self.inst.value_packs.push(fields.iter().map(|&i| Entity::Capture(i)).collect());
        self.inst.captured_packs.insert((r, pack), id);
        Entity::ValuePack(id)
    }

    /// The packs that a closure holds: their fields. In the order of their names' numbers.
    pub(super) fn captured_packs(&self, r: RecordId) -> Vec<(Symbol, Vec<u32>)> {
        let of = self.inst.captured_packs.iter().filter(|((closure, _), _)| *closure == r);
        let mut found: Vec<(Symbol, Vec<u32>)> = of
            .map(|(&(_, pack), &id)| {
                let fields = self.inst.value_packs[id as usize].iter().filter_map(|e| match e {
                    Entity::Capture(i) => Some(*i),
                    _ => None,
                });
                (pack, fields.collect())
            })
            .collect();
        found.sort_by_key(|(pack, _)| *pack);
        found
    }

    /// `...name = init`: a capture for each element of the packs in the initialiser (C++20, 7.5.5.2).
    pub(super) fn init_capture_pack(&mut self, r: RecordId, name: Symbol, c: &ast::Capture, init: ast::ExprId) {
        let count = self.pack_len_in_expr(init, 0).unwrap_or(0);
        let mut fields = Vec::new();
        for i in 0..count {
            self.cx.unevaluated += 1;
            let v = self.at_element(Some(i), |s| s.expr(init));
            self.cx.unevaluated -= 1;
            let (ty, quals) = if c.by_ref { (self.ty(v), self.e(v).quals) } else { (self.value_ty(v), Quals::NONE) };
            let sym = self.element_symbol(name, i);
            fields.push(self.add_capture(r, sym, ty, quals, c.by_ref));
        }
        self.bind_captured_pack(r, name, &fields);
    }

    /// The initialiser of a field that is an element of a pack, where the lambda stands.
    pub(super) fn element_place(&mut self, l: ast::LambdaId, pack: Symbol, index: usize, span: Span) -> ExprId {
        let ast = self.ast;
        let named = ast.list(ast[l].captures).iter().find(|c| c.name.is_some_and(|n| n.sym == pack));
        if let Some(init) = named.and_then(|c| c.init) {
            return self.at_element(Some(index), |s| s.expr(init));
        }
        match self.lookup(pack).and_then(|f| f.entities.first().copied()) {
            Some(Entity::ValuePack(p)) => self.pack_element(p, index, span),
            _ => self.err(span),
        }
    }

    /// The place of an element of a pack of values.
    pub(super) fn pack_element(&mut self, pack: u32, index: usize, span: Span) -> ExprId {
        let element = self.inst.value_packs[pack as usize].get(index).copied();
        element.and_then(|e| self.local_object(e, span)).unwrap_or_else(|| self.err(span))
    }
}
