//! Finds the address space of generic pointers and gives it to them.
//!
//! A kernel's generic pointer parameters point to global memory (the host can pass nothing else), and so do pointers
//! read from its by-value parameters; for some kernels, all that they read ([`crate::loaded_pointers`]). From there and from casts the space spreads through pointer arithmetic, selects
//! and block parameters: optimistically, each value may have any space until two sources differ. A value with a known
//! space changes its type in place; uses that need a generic pointer get a cast.
//!
//! What must hold: verified IR. Afterwards loads, stores and atomics through such pointers name the space, and each
//! kernel parameter is cast once, at the entry.
//!
//! Cost: linear, times the few rounds until the spaces settle (each value changes at most twice).

use crate::PassContext;
use analysis::Cfg;
use cranelift_entity::SecondaryMap;
use ir::edit;
use ir::{AddrSpace, Block, Builder, ConstKind, Flags, FnKind, Function, Inst, Opcode, Payload, Type, Value, ValueDef};
use smallvec::SmallVec;

/// What is known about where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Space {
    /// Nothing speaks against any space yet.
    #[default]
    Any,
    One(AddrSpace),
    /// Several, or not known.
    Mixed,
}

impl Space {
    fn meet(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, x) | (x, Self::Any) => x,
            (x, y) if x == y => x,
            _ => Self::Mixed,
        }
    }
}

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    infer(func, cx, false)
}

/// Runs the pass where pointers in memory lead to global memory.
pub(crate) fn run_with_loads(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    infer(func, cx, true)
}

/// Where the pointers of a function lead, if those that it reads lead to global memory.
pub(crate) struct Spaces<'a> {
    func: &'a Function,
    space: SecondaryMap<Value, Space>,
}

pub(crate) fn spaces<'a>(func: &'a Function, cfg: &'a Cfg) -> Spaces<'a> {
    let mut infer = Infer { func, cfg, space: SecondaryMap::new(), loads: true };
    infer.space.resize(func.dfg.values.len());
    infer.solve();
    Spaces { func, space: infer.space }
}

impl Spaces<'_> {
    /// Whether a pointer leads to global memory, or nowhere.
    pub(crate) fn is_global(&self, v: Value) -> bool {
        match (self.func.dfg.ty(v).space(), self.func.dfg.as_const(v)) {
            (Some(AddrSpace::Global), _) | (_, Some(ConstKind::Bits(0) | ConstKind::Undef)) => true,
            (Some(AddrSpace::Generic), None) => matches!(self.space[v], Space::One(AddrSpace::Global) | Space::Any),
            _ => false,
        }
    }
}

fn infer(func: &mut Function, cx: &mut PassContext<'_>, loads: bool) -> bool {
    let cfg = cx.cfg(func);
    // Nothing is inferred about unreachable code, but its branches pass arguments, too.
    let removed = edit::remove_unreachable(func, cfg.order());
    if !removed {
        cx.keep_graph();
    }
    let mut infer = Infer { func, cfg: &cfg, space: SecondaryMap::new(), loads };
    if !infer.any_generic() {
        return removed;
    }
    infer.space.resize(infer.func.dfg.values.len());
    infer.solve();
    let Infer { space, .. } = infer;
    if space.values().all(|s| !matches!(s, Space::One(_))) {
        return removed;
    }
    let mut r = Rewrite { func, cfg: &cfg, space, specific: SecondaryMap::new(), changed: removed };
    r.run();
    let changed = r.changed;
    func.resolve_aliases();
    changed
}

struct Infer<'a> {
    func: &'a Function,
    cfg: &'a Cfg,
    space: SecondaryMap<Value, Space>,
    /// What is read from memory is global.
    loads: bool,
}

impl Infer<'_> {
    fn any_generic(&self) -> bool {
        self.cfg.rpo().iter().any(|&b| {
            self.func.dfg.params(b).iter().any(|&v| self.func.dfg.ty(v) == Type::PTR)
                || self.func.layout.insts(b).any(|i| self.func.dfg.insts[i].ty == Type::PTR)
        })
    }

    fn solve(&mut self) {
        let entry = self.cfg.entry();
        for (n, &v) in self.func.dfg.params(entry).iter().enumerate() {
            self.space[v] = match (self.func.kind, &self.func.params[n].attrs) {
                (FnKind::Kernel, a) if self.func.dfg.ty(v) == Type::PTR && a.byval.is_none() && !a.local => {
                    Space::One(AddrSpace::Global)
                }
                _ => Space::Mixed,
            };
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &b in self.cfg.rpo() {
                if b != entry {
                    changed |= self.params(b);
                }
                for i in self.func.layout.insts(b) {
                    if self.func.dfg.insts[i].ty == Type::PTR {
                        let (v, s) = (self.func.dfg.res(i), self.result(i));
                        changed |= std::mem::replace(&mut self.space[v], s) != s;
                    }
                }
            }
        }
    }

    fn params(&mut self, b: Block) -> bool {
        let mut changed = false;
        for (n, &p) in self.func.dfg.params(b).iter().enumerate() {
            if self.func.dfg.ty(p) != Type::PTR {
                continue;
            }
            let mut s = Space::Any;
            for e in self.cfg.preds(b) {
                s = s.meet(self.of(self.func.dfg.branch_args(e.inst, e.index as usize)[n]));
            }
            changed |= std::mem::replace(&mut self.space[p], s) != s;
        }
        changed
    }

    /// The space of an operand of generic type.
    fn of(&self, v: Value) -> Space {
        match self.func.dfg.as_const(v) {
            Some(ConstKind::Bits(0) | ConstKind::Undef) => Space::Any,
            Some(_) => Space::Mixed,
            None => self.space[v],
        }
    }

    fn result(&self, i: Inst) -> Space {
        let dfg = &self.func.dfg;
        let arg = |n: usize| dfg.arg(i, n);
        match dfg.op(i) {
            Opcode::AddrSpaceCast => match dfg.ty(arg(0)).space() {
                Some(AddrSpace::Generic) | None => Space::Mixed,
                Some(s) => Space::One(s),
            },
            Opcode::PtrAdd => self.of(arg(0)),
            Opcode::Select => self.of(arg(1)).meet(self.of(arg(2))),
            Opcode::Load if self.loads => Space::One(AddrSpace::Global),
            Opcode::Load if self.func.kind == FnKind::Kernel && self.points_into_parameter(arg(0)) => {
                Space::One(AddrSpace::Global)
            }
            _ => Space::Mixed,
        }
    }

    /// Whether a pointer points into a kernel's by-value parameter.
    fn points_into_parameter(&self, mut p: Value) -> bool {
        loop {
            match self.func.dfg.values[p].def {
                ValueDef::Param(b, n) if b == self.cfg.entry() => {
                    return self.func.params[n as usize].attrs.byval.is_some();
                }
                ValueDef::Inst(i) if matches!(self.func.dfg.op(i), Opcode::PtrAdd | Opcode::AddrSpaceCast) => {
                    p = self.func.dfg.arg(i, 0);
                }
                _ => return false,
            }
        }
    }
}

struct Rewrite<'a> {
    func: &'a mut Function,
    cfg: &'a Cfg,
    space: SecondaryMap<Value, Space>,
    /// The pointer into the specific space that a generic value is a cast of.
    specific: SecondaryMap<Value, Option<Value>>,
    changed: bool,
}

impl Rewrite<'_> {
    fn run(&mut self) {
        self.sources();
        self.retype();
        for n in 0..self.cfg.rpo().len() {
            let b = self.cfg.rpo()[n];
            let mut next = self.func.layout.first_inst(b);
            while let Some(i) = next {
                next = self.func.layout.next_inst(i);
                self.operands(i);
            }
        }
    }

    fn known(&self, v: Value) -> Option<AddrSpace> {
        if let Space::One(s) = self.space[v] { Some(s) } else { None }
    }

    /// Values that stay generic but whose space is known: parameters of the kernel, loads, casts.
    fn sources(&mut self) {
        let entry = self.cfg.entry();
        let params: SmallVec<[Value; 16]> = self.func.dfg.params(entry).into();
        for p in params {
            if self.func.dfg.ty(p) == Type::PTR
                && let Some(s) = self.known(p)
                && let Some(first) = self.func.layout.first_inst(entry)
            {
                let v = Builder::before(self.func, first).space_cast(p, s);
                self.specific[p] = Some(v);
            }
        }
        for &b in self.cfg.rpo() {
            let mut next = self.func.layout.first_inst(b);
            while let Some(i) = next {
                next = self.func.layout.next_inst(i);
                if self.func.dfg.insts[i].ty != Type::PTR {
                    continue;
                }
                let v = self.func.dfg.res(i);
                let Some(s) = self.known(v) else { continue };
                match self.func.dfg.op(i) {
                    Opcode::AddrSpaceCast => self.specific[v] = Some(self.func.dfg.arg(i, 0)),
                    Opcode::Load => {
                        if let Some(after) = next {
                            let cast = Builder::before(self.func, after).space_cast(v, s);
                            self.specific[v] = Some(cast);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Gives values their space: arithmetic, selects, block parameters.
    fn retype(&mut self) {
        for &b in self.cfg.rpo() {
            if b != self.cfg.entry() {
                let params: SmallVec<[Value; 8]> = self.func.dfg.params(b).into();
                for p in params {
                    self.set_type(p);
                }
            }
            let mut next = self.func.layout.first_inst(b);
            while let Some(i) = next {
                next = self.func.layout.next_inst(i);
                if matches!(self.func.dfg.op(i), Opcode::PtrAdd | Opcode::Select)
                    && self.func.dfg.insts[i].ty == Type::PTR
                {
                    let v = self.func.dfg.res(i);
                    self.set_type(v);
                    self.func.dfg.insts[i].ty = self.func.dfg.ty(v);
                }
            }
        }
    }

    fn set_type(&mut self, v: Value) {
        if self.func.dfg.ty(v) == Type::PTR
            && let Some(s) = self.known(v)
        {
            self.func.dfg.values[v].ty = Type::ptr(s);
            self.changed = true;
        }
    }

    /// The operand `v` as a pointer into `space`.
    fn in_space(&mut self, v: Value, space: AddrSpace) -> Option<Value> {
        let ty = Type::ptr(space);
        if self.func.dfg.ty(v) == ty {
            return Some(v);
        }
        match self.func.dfg.as_const(v) {
            Some(kind @ (ConstKind::Bits(0) | ConstKind::Undef)) => Some(self.func.dfg.constant(ty, kind)),
            _ => self.specific[v].filter(|&s| self.func.dfg.ty(s) == ty),
        }
    }

    /// The operand `v` as a pointer into `space`, cast before `user` if need be: a value that could be of any space, such
    /// as a choice between two null pointers, stays generic.
    fn forced(&mut self, v: Value, space: AddrSpace, user: Inst) -> Value {
        match self.in_space(v, space) {
            Some(v) => v,
            None => Builder::before(self.func, user).space_cast(v, space),
        }
    }

    /// The operand `v` as a generic pointer, made before `user` if need be.
    fn generic(&mut self, v: Value, user: Inst) -> Value {
        if self.func.dfg.ty(v) == Type::PTR {
            return v;
        }
        Builder::before(self.func, user).space_cast(v, AddrSpace::Generic)
    }

    /// Makes the operands of an instruction have the types it wants.
    fn operands(&mut self, i: Inst) {
        match self.func.dfg.op(i) {
            Opcode::Load | Opcode::AtomicRmw | Opcode::AtomicCas | Opcode::MemSet => {
                self.best(i, 0);
                self.restore(i, 1);
            }
            Opcode::Store => {
                self.best(i, 0);
                self.restore(i, 1);
            }
            Opcode::MemCpy => {
                self.best(i, 0);
                self.best(i, 1);
            }
            Opcode::PtrAdd => self.follow(i, 0..1),
            Opcode::Select => self.follow(i, 1..3),
            Opcode::AddrSpaceCast => self.cast(i),
            Opcode::Icmp => self.compare(i),
            op if op.is_terminator() => self.branch(i),
            Opcode::InlineAsm => {
                let known = usize::from(self.matrix_access(i));
                self.restore(i, known);
            }
            _ => self.restore(i, 0),
        }
    }

    /// Names the space in an access to a matrix, whose first operand is the address; whether that is in it now.
    fn matrix_access(&mut self, i: Inst) -> bool {
        let Payload::Asm(id) = self.func.dfg.insts[i].payload else { return false };
        let data = &self.func.dfg.asms[id];
        if !["wmma.load.", "wmma.store."].iter().any(|w| data.text.starts_with(w)) || data.inputs.is_empty() {
            return false;
        }
        let v = self.func.dfg.arg(i, 0);
        let Some((space, word)) = self.func.dfg.ty(v).is_ptr().then(|| self.known(v)).flatten().and_then(|s| match s {
            AddrSpace::Shared => Some((s, ".shared")),
            AddrSpace::Global => Some((s, ".global")),
            _ => None,
        }) else {
            return false;
        };
        let name = data.text.find(' ').unwrap_or(data.text.len());
        let (Some(at), Some(p)) = (data.text[..name].rfind('.'), self.in_space(v, space)) else { return false };
        let mut data = self.func.dfg.asms[id].clone();
        data.text.insert_str(at, word);
        self.func.dfg.insts[i].payload = Payload::Asm(self.func.dfg.asms.push(data));
        self.func.dfg.args_mut(i)[0] = p;
        self.changed = true;
        true
    }

    /// The pointer operand `n` in its space.
    fn best(&mut self, i: Inst, n: usize) {
        let v = self.func.dfg.arg(i, n);
        if self.func.dfg.ty(v) == Type::PTR
            && let Some(s) = self.specific[v]
        {
            self.func.dfg.args_mut(i)[n] = s;
            self.changed = true;
        }
    }

    /// Operands from `n` on must be what they were.
    fn restore(&mut self, i: Inst, n: usize) {
        for k in n..self.func.dfg.args(i).len() {
            let v = self.func.dfg.arg(i, k);
            if self.retyped(v) {
                let g = self.generic(v, i);
                self.func.dfg.args_mut(i)[k] = g;
            }
        }
    }

    /// Whether this pass has changed the type of `v`.
    fn retyped(&self, v: Value) -> bool {
        self.func.dfg.ty(v) != Type::PTR && self.known(v).is_some()
    }

    /// Pointer operands must have the type of the result.
    fn follow(&mut self, i: Inst, which: std::ops::Range<usize>) {
        let ty = self.func.dfg.insts[i].ty;
        for n in which {
            let v = self.func.dfg.arg(i, n);
            if let Some(space) = ty.space()
                && self.func.dfg.ty(v) != ty
            {
                let new = if space == AddrSpace::Generic { self.generic(v, i) } else { self.forced(v, space, i) };
                self.func.dfg.args_mut(i)[n] = new;
            }
        }
    }

    /// A cast of a generic pointer whose space is now known.
    fn cast(&mut self, i: Inst) {
        let v = self.func.dfg.arg(i, 0);
        let ty = self.func.dfg.insts[i].ty;
        if !self.retyped(v) {
            return;
        }
        if self.func.dfg.ty(v) == ty {
            let result = self.func.dfg.res(i);
            self.func.dfg.replace_value(result, v);
            self.func.remove_inst(i);
        } else {
            let g = self.generic(v, i);
            self.func.dfg.args_mut(i)[0] = g;
        }
    }

    fn compare(&mut self, i: Inst) {
        let (a, b) = (self.func.dfg.arg(i, 0), self.func.dfg.arg(i, 1));
        if !self.func.dfg.ty(a).is_ptr() || self.func.dfg.ty(a) == self.func.dfg.ty(b) && !self.retyped(a) {
            return;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(space) = self.func.dfg.ty(x).space().filter(|&s| s != AddrSpace::Generic)
                && let Some(y) = self.in_space(y, space)
            {
                let args = if x == a { [x, y] } else { [y, x] };
                let payload = self.func.dfg.insts[i].payload.clone();
                return self.func.dfg.rewrite(i, Opcode::Icmp, Flags::NONE, &args, payload);
            }
        }
        self.restore(i, 0);
    }

    fn branch(&mut self, i: Inst) {
        self.restore(i, 0);
        if matches!(self.func.dfg.insts[i].payload, Payload::None) {
            return;
        }
        for n in 0..self.func.dfg.successor_count(i) {
            let target = self.func.dfg.successor(i, n);
            for k in 0..self.func.dfg.branch_args(i, n).len() {
                let v = self.func.dfg.branch_args(i, n)[k];
                let want = self.func.dfg.ty(self.func.dfg.params(target)[k]);
                if self.func.dfg.ty(v) == want || !want.is_ptr() {
                    continue;
                }
                let new = match want.space() {
                    Some(s) if s != AddrSpace::Generic => self.forced(v, s, i),
                    _ => self.generic(v, i),
                };
                self.func.dfg.branch_args_mut(i, n)[k] = new;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::apply;
    use ir::{IntCC, MemInfo, Module, Param, ParamAttrs};

    #[test]
    fn kernel_pointers_are_global_through_loops() {
        let mut f = Function::new("k", FnKind::Kernel);
        f.params = vec![
            Param { ty: Type::PTR, name: String::new(), attrs: ParamAttrs::default() },
            Param { ty: Type::I32, name: String::new(), attrs: ParamAttrs::default() },
        ];
        let (entry, head, exit) = (f.new_entry_block(), f.new_block(), f.new_block());
        let (p, n) = (f.dfg.params(entry)[0], f.dfg.params(entry)[1]);
        let q = f.dfg.add_param(head, Type::PTR);
        let mut b = Builder::at_end(&mut f, entry);
        let null = b.func.dfg.bits(Type::PTR, 0);
        let zero = b.iconst(Type::I32, 0);
        let c = b.icmp(IntCC::Eq, n, zero);
        let start = b.select(c, null, p);
        b.jump(head, &[start]);
        b.switch_to(head);
        let v = b.load(Type::I32, q, MemInfo::aligned(4), Flags::NONE);
        let four = b.iconst(Type::I64, 4);
        let next = b.ptradd(q, four, Flags::INBOUNDS);
        let address = b.cast(Opcode::PtrToInt, next, Type::I64);
        let low = b.cast(Opcode::Trunc, address, Type::I32);
        let c = b.icmp(IntCC::Slt, v, low);
        b.br(c, (head, &[next]), (exit, &[]));
        b.switch_to(exit);
        b.ret(None);
        let mut module = Module::default();
        let id = module.functions.push(f);
        assert!(apply(&mut module, id, run));
        let f = &module.functions[id];
        let head = f.layout.blocks().nth(1).unwrap();
        let load = f.layout.insts(head).find(|&i| f.dfg.op(i) == Opcode::Load).unwrap();
        assert_eq!(f.dfg.ty(f.dfg.arg(load, 0)), Type::ptr(AddrSpace::Global));
        let casts = f.layout.insts(head).filter(|&i| f.dfg.op(i) == Opcode::AddrSpaceCast).count();
        assert_eq!(casts, 1, "for the conversion to an integer");
    }
}
