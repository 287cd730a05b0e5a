//! Straight-line strength reduction: addresses and products from ones nearby.
//!
//! Walks the dominator tree with a table of addresses (their variable parts) and products met above. Limits: constant
//! offsets of [`MAX_OFFSET`] bytes.

use super::{MAX_OFFSET, is_access};
use analysis::DomTree;
use analysis::address::{Address, Term};
use ir::{Builder, Flags, Function, Inst, Opcode, Payload, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The variable part of an address, with its type.
type AddressKey = (Value, SmallVec<[Term; 4]>, Type);

/// What was met above, with what it hides from an outer scope.
enum Undo {
    Address(AddressKey, Option<(Value, i64)>),
    Product((Value, Value), Option<Product>),
}

/// A product `(x + offset) × y`.
#[derive(Clone, Copy)]
struct Product {
    value: Value,
    offset: i64,
    exact: bool,
}

struct Straight<'f> {
    func: &'f mut Function,
    addresses: FxHashMap<AddressKey, (Value, i64)>,
    products: FxHashMap<(Value, Value), Product>,
    undo: Vec<Undo>,
    changed: bool,
}

pub(super) fn run(func: &mut Function, dom: &DomTree) -> bool {
    let mut s = Straight {
        func,
        addresses: FxHashMap::default(),
        products: FxHashMap::default(),
        undo: Vec::new(),
        changed: false,
    };
    let mut scopes: Vec<usize> = Vec::new();
    for &b in dom.preorder() {
        let depth = dom.depth(b) as usize;
        if let Some(&mark) = scopes.get(depth) {
            s.close(mark);
            scopes.truncate(depth);
        }
        scopes.push(s.undo.len());
        let mut next = s.func.layout.first_inst(b);
        while let Some(i) = next {
            next = s.func.layout.next_inst(i);
            if is_access(s.func, i) {
                s.access(i);
            } else if s.func.dfg.op(i) == Opcode::Mul {
                s.product(i);
            }
        }
    }
    s.changed
}

impl Straight<'_> {
    fn close(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Address(k, Some(old))) => {
                    self.addresses.insert(k, old);
                }
                Some(Undo::Address(k, None)) => {
                    self.addresses.remove(&k);
                }
                Some(Undo::Product(k, Some(old))) => {
                    self.products.insert(k, old);
                }
                Some(Undo::Product(k, None)) => {
                    self.products.remove(&k);
                }
                None => return,
            }
        }
    }

    /// Rewrites the address of an access as an earlier address plus a constant.
    fn access(&mut self, i: Inst) {
        let ptr = self.func.dfg.arg(i, 0);
        let a = Address::of(self.func, ptr);
        if a.is_constant() {
            return;
        }
        let ty = self.func.dfg.ty(ptr);
        let (stem, c) = self.stem(ptr);
        let key = (a.base, a.terms, ty);
        match self.addresses.get(&key) {
            Some(&(base, offset)) if base != stem => {
                let Some(d) = a.offset.checked_sub(offset).filter(|d| d.abs() <= MAX_OFFSET) else { return };
                let new = if d == 0 { base } else { self.pointer(base, d, ty, i) };
                self.func.dfg.args_mut(i)[0] = new;
                self.changed = true;
            }
            Some(_) => {}
            None => {
                let old = self.addresses.insert(key.clone(), (stem, a.offset.wrapping_sub(c)));
                self.undo.push(Undo::Address(key, old));
            }
        }
    }

    /// A pointer without its last constant offset.
    fn stem(&self, ptr: Value) -> (Value, i64) {
        let dfg = &self.func.dfg;
        if let Some(i) = dfg.def_op(ptr, Opcode::PtrAdd)
            && let Some(c) = dfg.as_int(dfg.arg(i, 1))
        {
            return (dfg.resolve(dfg.arg(i, 0)), c);
        }
        (dfg.resolve(ptr), 0)
    }

    fn pointer(&mut self, base: Value, d: i64, ty: Type, before: Inst) -> Value {
        let d = self.func.dfg.iconst(Type::I64, d);
        Builder::before(self.func, before).value(Opcode::PtrAdd, ty, Flags::NONE, &[base, d], Payload::None)
    }

    /// `(x + c + 1) × y` becomes `(x + c) × y + y` where that product is at hand.
    fn product(&mut self, i: Inst) {
        let data = &self.func.dfg.insts[i];
        let args = self.func.dfg.args(i);
        let (p, q) = (self.func.dfg.resolve(args[0]), self.func.dfg.resolve(args[1]));
        let constant = |v: Value| self.func.dfg.as_const(v).is_some();
        if data.ty.is_vector() || constant(p) || constant(q) {
            return;
        }
        let nsw = data.flags.has(Flags::NSW);
        for (x, y) in [(p, q), (q, p)] {
            let (stem, offset, exact) = self.sum(x);
            let Some(&prev) = self.products.get(&(stem, y)) else { continue };
            let op = match offset.wrapping_sub(prev.offset) {
                1 => Opcode::Add,
                -1 => Opcode::Sub,
                _ => continue,
            };
            let keep = nsw && exact && prev.exact;
            let flags = if keep { Flags::NSW } else { Flags::NONE };
            self.func.dfg.rewrite(i, op, flags, &[prev.value, y], Payload::None);
            let value = self.func.dfg.res(i);
            self.remember((stem, y), Product { value, offset, exact: keep });
            self.changed = true;
            return;
        }
        let value = self.func.dfg.res(i);
        for (x, y) in [(p, q), (q, p)] {
            let (stem, offset, exact) = self.sum(x);
            self.remember((stem, y), Product { value, offset, exact: exact && nsw });
        }
    }

    fn remember(&mut self, key: (Value, Value), p: Product) {
        let old = self.products.insert(key, p);
        self.undo.push(Undo::Product(key, old));
    }

    /// `x + constant`, and whether that promises not to wrap.
    fn sum(&self, v: Value) -> (Value, i64, bool) {
        let dfg = &self.func.dfg;
        if let Some(i) = dfg.def_op(v, Opcode::Add)
            && let Some(c) = dfg.as_int(dfg.arg(i, 1))
        {
            return (dfg.resolve(dfg.arg(i, 0)), c, dfg.insts[i].flags.has(Flags::NSW));
        }
        (v, 0, true)
    }
}
