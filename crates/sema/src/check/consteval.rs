//! Evaluation of `constexpr` functions, and the bytes of constant objects.

use super::fold::Const;
use super::{BodySource, Checker};
use crate::num::{ConstFloat, ConstInt};
use crate::program::{
    Case, CastKind, ExprId, ExprKind, ExprList, FuncId, GlobalId, GlobalInit, ListId, LocalId, Reloc, RelocTarget,
    StmtId, StmtKind,
};
use crate::types::{AddrSpace, Ty, TyId};
use builtins::{FloatOp, IntegerOp, Meaning, Op, Round, ValueOp};

/// Steps that one constant expression may take.
const MAX_STEPS: u32 = 200_000;
/// Calls that may be under way.
const MAX_CALLS: u32 = 64;
/// Largest initialiser kept as bytes.
const MAX_BYTES: u64 = 64 << 20;

/// How a statement ended.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Const>),
}

struct Budget {
    steps: u32,
    calls: u32,
}

impl Checker<'_> {
    /// The constant that a value comes to, if it can be computed now.
    pub(crate) fn evaluate(&mut self, e: ExprId) -> Option<ExprId> {
        if self.constant(e).is_some() {
            return Some(e);
        }
        let (ty, span) = (self.ty(e), self.span(e));
        let mut m = Budget { steps: 0, calls: 0 };
        let mut none = Vec::new();
        let c = self.eval(&mut m, e, &mut none)?;
        if let Const::Address(..) = c {
            return None;
        }
        Some(self.const_node(c, ty, span))
    }

    /// The address that a pointer comes to, if it can be computed now: of which variable, and how far behind its start.
    pub(crate) fn evaluate_address(&mut self, e: ExprId) -> Option<(GlobalId, i64)> {
        let mut m = Budget { steps: 0, calls: 0 };
        match self.eval(&mut m, e, &mut Vec::new())? {
            Const::Address(g, offset) => Some((g, offset)),
            _ => None,
        }
    }

    /// Whether an object's initialiser is constant.
    pub(crate) fn evaluable(&mut self, v: ExprId) -> bool {
        self.contents(v).is_some()
    }

    fn tick(m: &mut Budget) -> Option<()> {
        m.steps += 1;
        (m.steps <= MAX_STEPS).then_some(())
    }

    fn eval(&mut self, m: &mut Budget, e: ExprId, env: &mut Vec<Option<Const>>) -> Option<Const> {
        Self::tick(m)?;
        let x = *self.e(e);
        if let Some(c) = self.constant(e) {
            return Some(c);
        }
        if let Some((RelocTarget::Global(g), offset)) =
            self.address_constant(e).filter(|_| self.p.types.is_pointer(x.ty))
        {
            return Some(Const::Address(g, offset));
        }
        match x.kind {
            ExprKind::Load(p) => match self.e(p).kind {
                ExprKind::Local(l) => env.get(l.index()).copied().flatten(),
                ExprKind::Global(g) if self.p.types.is_pointer(x.ty) => self.stored_address(g),
                ExprKind::Global(g) => {
                    let k = self.decls.global_values.get(g.index()).copied().flatten()?;
                    self.kind_constant(k, x.ty)
                }
                ExprKind::ArrayElem { .. } | ExprKind::Field { .. } => self.eval_element(m, p, env),
                _ => {
                    self.eval_place(m, p, env)?;
                    let l = self.target_local(p)?;
                    env.get(l.index()).copied().flatten()
                }
            },
            ExprKind::Cast { kind, operand } => {
                let c = self.eval(m, operand, env)?;
                if let Const::Address(..) = c {
                    return self.p.types.is_pointer(x.ty).then_some(c);
                }
                let from = self.ty(operand);
                let node = self.const_node(c, from, x.span);
                let r = self.cast(kind, node, x.ty, x.span);
                self.constant(r)
            }
            ExprKind::Unary { op, operand } => {
                let c = self.eval(m, operand, env)?;
                let from = self.ty(operand);
                let node = self.const_node(c, from, x.span);
                let r = self.unary(op, node, x.ty, x.span);
                self.constant(r)
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = (self.eval(m, lhs, env)?, self.eval(m, rhs, env)?);
                let (ta, tb) = (self.ty(lhs), self.ty(rhs));
                let (a, b) = (self.const_node(a, ta, x.span), self.const_node(b, tb, x.span));
                let r = self.binary(op, a, b, x.ty, x.span);
                self.constant(r)
            }
            ExprKind::Compare { op, lhs, rhs } => {
                let (a, b) = (self.eval(m, lhs, env)?, self.eval(m, rhs, env)?);
                let (ta, tb) = (self.ty(lhs), self.ty(rhs));
                let (a, b) = (self.const_node(a, ta, x.span), self.const_node(b, tb, x.span));
                let r = self.compare(op, a, b, x.ty, x.span);
                self.constant(r)
            }
            ExprKind::LogAnd { lhs, rhs } | ExprKind::LogOr { lhs, rhs } => {
                let or = matches!(x.kind, ExprKind::LogOr { .. });
                let a = truthy(self.eval(m, lhs, env)?);
                let r = if a == or { or } else { truthy(self.eval(m, rhs, env)?) };
                let (w, s) = self.int_shape(x.ty)?;
                Some(Const::Int(ConstInt::new(u64::from(r), w, s)))
            }
            ExprKind::Cond { cond, then, other } => {
                let c = truthy(self.eval(m, cond, env)?);
                self.eval_value(m, if c { then } else { other }, env)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.eval_effect(m, lhs, env)?;
                self.eval_value(m, rhs, env)
            }
            ExprKind::Call { callee, args } => self.eval_call(m, callee, args, env),
            ExprKind::Builtin { meaning: Meaning::Op(Op::Value(ValueOp::IsConstantEvaluated)), .. } => {
                let (w, s) = self.int_shape(x.ty)?;
                Some(Const::Int(ConstInt::new(1, w, s)))
            }
            ExprKind::Builtin { meaning: Meaning::Op(Op::Integer(op)), args } => self.eval_integer(m, op, args, env),
            ExprKind::Builtin { meaning: Meaning::Op(Op::Float(op)), args } => self.eval_float(op, args, x.ty),
            ExprKind::Assign { .. } | ExprKind::AssignOp { .. } | ExprKind::IncDec { .. } => self.eval_place(m, e, env),
            ExprKind::ZeroInit if self.p.types.is_arithmetic(x.ty) => {
                let z = self.zero(x.ty, x.span);
                self.constant(z)
            }
            _ => None,
        }
    }

    /// The address that a constant pointer was initialised with.
    fn stored_address(&self, g: GlobalId) -> Option<Const> {
        let g = &self.p.globals[g.index()];
        if !g.quals.is_const() {
            return None;
        }
        match g.init.as_ref()?.relocs[..] {
            [Reloc { offset: 0, target: RelocTarget::Global(to), addend, .. }] => Some(Const::Address(to, addend)),
            _ => None,
        }
    }

    /// Builtins that the library has as `constexpr` functions: `std::min`, `std::max`.
    fn eval_integer(
        &mut self,
        m: &mut Budget,
        op: IntegerOp,
        args: ExprList,
        env: &mut Vec<Option<Const>>,
    ) -> Option<Const> {
        let [a, b] = *self.p.exprs(args) else { return None };
        let (Const::Int(a), Const::Int(b)) = (self.eval(m, a, env)?, self.eval(m, b, env)?) else { return None };
        let less = a.value() < b.value();
        match op {
            IntegerOp::Min => Some(Const::Int(if less { a } else { b })),
            IntegerOp::Max => Some(Const::Int(if less { b } else { a })),
            _ => None,
        }
    }

    /// Builtins that the macros of the language are written with: `INFINITY`, `NAN`, `HUGE_VAL`.
    fn eval_float(&self, op: FloatOp, args: ExprList, ty: TyId) -> Option<Const> {
        let value = match (op, self.p.exprs(args)) {
            (FloatOp::Inf, []) => f64::INFINITY,
            (FloatOp::Const(bits), []) => f64::from_bits(bits),
            (FloatOp::Nan, []) => f64::NAN,
            // The text is a payload, which is the quiet NaN's own whatever it says.
            (FloatOp::Nan, &[text]) if self.p.types.is_pointer(self.ty(text)) => f64::NAN,
            _ => return None,
        };
        Some(Const::Float(ConstFloat::from_f64(value).convert(self.p.types.float_kind(ty)?, Round::Nearest).value))
    }

    /// The value of an expression that may be a place.
    fn eval_value(&mut self, m: &mut Budget, e: ExprId, env: &mut Vec<Option<Const>>) -> Option<Const> {
        if !self.is_lv(e) {
            return self.eval(m, e, env);
        }
        if let ExprKind::Local(l) = self.e(e).kind {
            return env.get(l.index()).copied().flatten();
        }
        self.eval_place(m, e, env)
    }

    /// Carries out an assignment; gives the value that the whole expression has.
    fn eval_place(&mut self, m: &mut Budget, e: ExprId, env: &mut Vec<Option<Const>>) -> Option<Const> {
        Self::tick(m)?;
        let x = *self.e(e);
        match x.kind {
            ExprKind::Assign { place, value } => {
                let v = self.eval(m, value, env)?;
                let l = self.target_local(place)?;
                *env.get_mut(l.index())? = Some(v);
                Some(v)
            }
            ExprKind::AssignOp { op, place, value, compute, widen, narrow } => {
                let v = self.eval(m, value, env)?;
                let l = self.target_local(place)?;
                let old = env.get(l.index()).copied().flatten()?;
                let pt = self.ty(place);
                let vt = self.ty(value);
                let o = self.const_node(old, pt, x.span);
                let o = self.cast(widen, o, compute, x.span);
                let v = self.const_node(v, vt, x.span);
                let r = self.binary(op, o, v, compute, x.span);
                let r = self.cast(narrow, r, pt, x.span);
                let c = self.constant(r)?;
                *env.get_mut(l.index())? = Some(c);
                Some(c)
            }
            ExprKind::IncDec { place, increment, prefix } => {
                let l = self.target_local(place)?;
                let old = env.get(l.index()).copied().flatten()?;
                let Const::Int(i) = old else { return None };
                let step = if increment { 1 } else { -1 };
                let new = Const::Int(ConstInt::from_i128(i.value() + step, i.width(), i.is_signed()));
                *env.get_mut(l.index())? = Some(new);
                Some(if prefix { new } else { old })
            }
            ExprKind::Local(l) => env.get(l.index()).copied().flatten(),
            ExprKind::Cast { operand, .. } => self.eval_place(m, operand, env),
            _ => None,
        }
    }

    fn target_local(&self, place: ExprId) -> Option<LocalId> {
        match self.e(place).kind {
            ExprKind::Local(l) => Some(l),
            ExprKind::Assign { place, .. } | ExprKind::AssignOp { place, .. } | ExprKind::IncDec { place, .. } => {
                self.target_local(place)
            }
            _ => None,
        }
    }

    /// An element of a constant array of the program.
    fn eval_element(&mut self, m: &mut Budget, place: ExprId, env: &mut Vec<Option<Const>>) -> Option<Const> {
        let ty = self.ty(place);
        let (mut at, mut offset) = (place, 0u64);
        let g = loop {
            Self::tick(m)?;
            match self.e(at).kind {
                ExprKind::ArrayElem { base, index } => {
                    let Const::Int(i) = self.eval(m, index, env)? else { return None };
                    let size = self.p.types.size_of(self.ty(at))?;
                    let n = match self.p.types.get(self.ty(base)) {
                        Ty::Array { len, .. } => (*len)?,
                        _ => return None,
                    };
                    let i = u64::try_from(i.value()).ok().filter(|i| *i < n)?;
                    offset += i * size;
                    at = base;
                }
                ExprKind::Field { base, record, field } => {
                    let f = &self.p.types.record(record).fields[field as usize];
                    if f.bits.is_some() {
                        return None;
                    }
                    offset += f.offset;
                    at = base;
                }
                ExprKind::Global(g) => break g,
                _ => return None,
            }
        };
        let global = &self.p.globals[g.index()];
        if !global.quals.is_const() {
            return None;
        }
        let bytes = &global.init.as_ref()?.bytes;
        let size = self.p.types.size_of(ty)?;
        let mut raw = [0u8; 8];
        for (i, b) in raw.iter_mut().enumerate().take(size as usize) {
            *b = bytes.get(offset as usize + i).copied().unwrap_or(0);
        }
        let bits = u64::from_le_bytes(raw);
        if let Some(k) = self.p.types.float_kind(ty) {
            return Some(Const::Float(crate::num::ConstFloat::from_bits(bits, k)));
        }
        let (w, s) = self.int_shape(ty)?;
        Some(Const::Int(ConstInt::new(bits, w, s)))
    }

    fn eval_effect(&mut self, m: &mut Budget, e: ExprId, env: &mut Vec<Option<Const>>) -> Option<()> {
        if let ExprKind::Cast { kind: CastKind::ToVoid, operand } = self.e(e).kind {
            return self.eval_effect(m, operand, env);
        }
        if self.ty(e) == TyId::VOID {
            return match self.e(e).kind {
                ExprKind::ZeroInit => Some(()),
                _ => None,
            };
        }
        self.eval_value(m, e, env).map(|_| ())
    }

    fn eval_call(
        &mut self,
        m: &mut Budget,
        callee: FuncId,
        args: crate::program::ExprList,
        env: &mut Vec<Option<Const>>,
    ) -> Option<Const> {
        let f = *self.decls.func_decls.get(callee.index())?;
        let d = &self.decls[f];
        if !d.specs.any(syntax::ast::DeclSpecs::CONSTEXPR.with(syntax::ast::DeclSpecs::CONSTEVAL)) {
            return None;
        }
        if !matches!(d.body, BodySource::Ast(_)) || m.calls >= MAX_CALLS {
            return None;
        }
        self.check_body(f);
        self.want(f);
        let body = self.p.functions[callee.index()].body?;
        let values: Vec<ExprId> = self.p.exprs(args).to_vec();
        let mut frame = vec![None; self.p.functions[callee.index()].locals.len()];
        for (i, v) in values.into_iter().enumerate() {
            let c = self.eval(m, v, env)?;
            *frame.get_mut(i)? = Some(c);
        }
        m.calls += 1;
        let saved = std::mem::take(&mut self.cx);
        let flow = self.exec(m, body, &mut frame);
        self.cx = saved;
        m.calls -= 1;
        match flow? {
            Flow::Return(v) => v,
            _ => None,
        }
    }

    fn exec(&mut self, m: &mut Budget, s: StmtId, env: &mut Vec<Option<Const>>) -> Option<Flow> {
        Self::tick(m)?;
        match self.p.stmt(s).kind {
            // Constants are computed one rounded operation at a time.
            StmtKind::Empty | StmtKind::FpContract(_) => Some(Flow::Next),
            StmtKind::Block(list) => {
                for i in list.range() {
                    let inner = self.p.stmt_pool[i];
                    match self.exec(m, inner, env)? {
                        Flow::Next => {}
                        other => return Some(other),
                    }
                }
                Some(Flow::Next)
            }
            StmtKind::Expr(e) => {
                self.eval_effect(m, e, env)?;
                Some(Flow::Next)
            }
            StmtKind::Decl { local, init } => {
                let v = match init {
                    Some(e) => Some(self.eval(m, e, env)?),
                    None => None,
                };
                *env.get_mut(local.index())? = v;
                Some(Flow::Next)
            }
            StmtKind::If { cond, then, other } => {
                if truthy(self.eval(m, cond, env)?) {
                    self.exec(m, then, env)
                } else {
                    match other {
                        Some(o) => self.exec(m, o, env),
                        None => Some(Flow::Next),
                    }
                }
            }
            StmtKind::While { cond, body, .. } => self.exec_loop(m, Some(cond), None, body, false, env),
            StmtKind::DoWhile { cond, body, .. } => self.exec_loop(m, Some(cond), None, body, true, env),
            StmtKind::For { init, cond, step, body, .. } => {
                if let Some(i) = init {
                    self.exec(m, i, env)?;
                }
                self.exec_loop(m, cond, step, body, false, env)
            }
            StmtKind::Switch { value, cases, has_default, body } => {
                let v = self.eval(m, value, env)?;
                self.exec_switch(m, v, cases, has_default, body, env)
            }
            StmtKind::Case(_) => Some(Flow::Next),
            StmtKind::Break => Some(Flow::Break),
            StmtKind::Continue => Some(Flow::Continue),
            StmtKind::Return(v) => {
                let v = match v {
                    Some(e) => Some(self.eval(m, e, env)?),
                    None => None,
                };
                Some(Flow::Return(v))
            }
            _ => None,
        }
    }

    fn exec_switch(
        &mut self,
        m: &mut Budget,
        value: Const,
        cases: ListId,
        has_default: bool,
        body: StmtId,
        env: &mut Vec<Option<Const>>,
    ) -> Option<Flow> {
        let Const::Int(v) = value else { return None };
        let number = |bits| ConstInt::new(bits, v.width(), v.is_signed()).value();
        let of = |c: &Case| number(c.lo) <= v.value() && v.value() <= number(c.hi);
        let hit = self.p.case_pool[cases.range()].iter().position(of).map(|n| n as u32);
        let Some(target) = hit.or(has_default.then_some(cases.len)) else { return Some(Flow::Next) };
        // Labels stand in the body itself; those in blocks of it are left to the machine.
        let StmtKind::Block(list) = self.p.stmt(body).kind else { return None };
        let lands = |i: &usize| matches!(self.p.stmt(self.p.stmt_pool[*i]).kind, StmtKind::Case(n) if n == target);
        let first = list.range().find(lands)?;
        for i in first..list.range().end {
            let inner = self.p.stmt_pool[i];
            match self.exec(m, inner, env)? {
                Flow::Next => {}
                Flow::Break => return Some(Flow::Next),
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn exec_loop(
        &mut self,
        m: &mut Budget,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        first: bool,
        env: &mut Vec<Option<Const>>,
    ) -> Option<Flow> {
        let mut run = first;
        loop {
            Self::tick(m)?;
            if !run
                && let Some(c) = cond
                && !truthy(self.eval(m, c, env)?)
            {
                return Some(Flow::Next);
            }
            run = false;
            match self.exec(m, body, env)? {
                Flow::Break => return Some(Flow::Next),
                Flow::Return(v) => return Some(Flow::Return(v)),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(s) = step {
                self.eval_effect(m, s, env)?;
            }
        }
    }

    // ---- bytes -------------------------------------------------------------------------------------------------

    /// The contents of an object with this value; `None` if it is not constant.
    pub(crate) fn contents(&mut self, v: ExprId) -> Option<GlobalInit> {
        let size = self.p.types.size_of(self.ty(v))?;
        if size > MAX_BYTES {
            return None;
        }
        let mut out = GlobalInit { bytes: Vec::new(), relocs: Vec::new() };
        if !self.is_empty_object(v) {
            self.write(v, 0, &mut out)?;
        }
        Some(out)
    }

    /// Whether a value is an object without members that a `constexpr` constructor makes: there is nothing to compute.
    fn is_empty_object(&self, v: ExprId) -> bool {
        let Some(r) = self.p.types.as_record(self.ty(v)) else { return false };
        let record = self.p.types.record(r);
        let ExprKind::Load(made) = self.e(v).kind else { return false };
        let ExprKind::Comma { lhs, .. } = self.e(made).kind else { return false };
        let ExprKind::Call { callee, .. } = self.e(lhs).kind else { return false };
        let maker = self.decls.func_decls.get(callee.index()).map(|f| &self.decls[*f]);
        let constant = maker.is_some_and(|f| f.record == Some(r) && f.specs.has(syntax::ast::DeclSpecs::CONSTEXPR));
        record.fields.is_empty() && record.bases.is_empty() && constant
    }

    fn write(&mut self, v: ExprId, at: u64, out: &mut GlobalInit) -> Option<()> {
        let x = *self.e(v);
        let size = self.p.types.size_of(x.ty)?;
        if let Some(c) = self.constant(v) {
            let bits = match c {
                Const::Int(i) => i.bits(),
                Const::Float(f) => f.bits(),
                Const::Address(..) => return None,
            };
            put(out, at, &bits.to_le_bytes()[..size as usize]);
            return Some(());
        }
        match x.kind {
            ExprKind::ZeroInit | ExprKind::Null => Some(()),
            ExprKind::Aggregate { elems, .. } => {
                for i in elems.range() {
                    let el = self.p.init_pool[i];
                    let value = self.evaluate(el.value).unwrap_or(el.value);
                    let step = self.p.types.size_of(self.ty(value))?;
                    if let Some(b) = el.bits {
                        let Const::Int(c) = self.constant(value)? else { return None };
                        put_bits(out, at + el.offset, b, c.bits());
                        continue;
                    }
                    for k in 0..el.repeat.min(MAX_BYTES) {
                        self.write(value, at + el.offset + k * step, out)?;
                    }
                }
                Some(())
            }
            ExprKind::Cast { kind: CastKind::Splat, operand } => {
                let n = self.p.types.lanes(x.ty);
                let value = self.evaluate(operand)?;
                let step = self.p.types.size_of(self.ty(value))?;
                for k in 0..u64::from(n) {
                    self.write(value, at + k * step, out)?;
                }
                Some(())
            }
            ExprKind::VectorBuild(list) => {
                let mut offset = at;
                for e in self.p.exprs(list).to_vec() {
                    let value = self.evaluate(e).unwrap_or(e);
                    self.write(value, offset, out)?;
                    let t = self.ty(value);
                    let elem = self.p.types.size_of(self.p.types.scalar_of(t))?;
                    offset += elem * u64::from(self.p.types.lanes(t));
                }
                Some(())
            }
            ExprKind::BitCast(e) => self.write(e, at, out),
            ExprKind::Load(p) => match self.e(p).kind {
                ExprKind::Global(g) if self.p.globals[g.index()].quals.is_const() => {
                    let init = self.p.globals[g.index()].init.clone()?;
                    put(out, at, &init.bytes);
                    out.relocs.extend(init.relocs.iter().map(|r| Reloc { offset: r.offset + at, ..*r }));
                    Some(())
                }
                _ => {
                    let c = self.evaluate(v)?;
                    self.write(c, at, out)
                }
            },
            _ => {
                if let Some((target, addend)) = self.address_constant(v) {
                    let space = match self.p.types.get(x.ty) {
                        Ty::Pointer { space, .. } => *space,
                        _ => AddrSpace::Generic,
                    };
                    put(out, at, &[0; 8]);
                    out.relocs.push(Reloc { offset: at, target, addend, space });
                    return Some(());
                }
                let c = self.evaluate(v)?;
                self.write(c, at, out)
            }
        }
    }

    /// An address known up to where the linker puts it.
    fn address_constant(&self, e: ExprId) -> Option<(RelocTarget, i64)> {
        match self.e(e).kind {
            ExprKind::FuncAddr(f) => Some((RelocTarget::Function(f), 0)),
            ExprKind::Cast {
                kind: CastKind::ArrayToPtr | CastKind::AddrSpace | CastKind::PtrToPtr | CastKind::NoOp,
                operand,
            }
            | ExprKind::AddrOf(operand) => self.address_constant(operand),
            ExprKind::Global(g) => Some((RelocTarget::Global(g), 0)),
            ExprKind::ArrayElem { base, index } => {
                let (t, a) = self.address_constant(base)?;
                let size = self.p.types.size_of(self.ty(e))? as i64;
                Some((t, a + self.int_constant(index)? as i64 * size))
            }
            ExprKind::Field { base, record, field } => {
                let (t, a) = self.address_constant(base)?;
                Some((t, a + self.p.types.record(record).fields[field as usize].offset as i64))
            }
            ExprKind::PtrOffset { ptr, index, negative } => {
                let (t, a) = self.address_constant(ptr)?;
                let Ty::Pointer { pointee, .. } = self.p.types.get(self.ty(ptr)) else { return None };
                let d = self.int_constant(index)? as i64 * self.p.types.size_of(*pointee)? as i64;
                Some((t, if negative { a - d } else { a + d }))
            }
            _ => None,
        }
    }
}

fn truthy(c: Const) -> bool {
    match c {
        Const::Int(i) => !i.is_zero(),
        Const::Float(f) => !f.is_zero(),
        Const::Address(..) => true,
    }
}

fn put(out: &mut GlobalInit, at: u64, bytes: &[u8]) {
    let end = at as usize + bytes.len();
    if out.bytes.len() < end {
        out.bytes.resize(end, 0);
    }
    out.bytes[at as usize..end].copy_from_slice(bytes);
}

fn put_bits(out: &mut GlobalInit, at: u64, b: crate::types::BitField, value: u64) {
    for k in 0..u32::from(b.width) {
        let bit = u32::from(b.bit) + k;
        let byte = at as usize + (bit / 8) as usize;
        if out.bytes.len() <= byte {
            out.bytes.resize(byte + 1, 0);
        }
        let mask = 1u8 << (bit % 8);
        if value >> k & 1 != 0 {
            out.bytes[byte] |= mask;
        } else {
            out.bytes[byte] &= !mask;
        }
    }
}
