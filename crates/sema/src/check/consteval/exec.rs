//! Calls and statements of a constant evaluation.

use super::memory::{Machine, Value};
use crate::check::fold::Const;
use crate::check::{BodySource, Checker, FnId};
use crate::num::ConstInt;
use crate::program::{Case, ExprId, FuncId, ListId, LocalId, StmtId, StmtKind};
use crate::types::TyId;
use syntax::ast::DeclSpecs;

/// Calls that may be under way.
const MAX_CALLS: usize = 64;

/// How a statement ended.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

impl Checker<'_> {
    pub(super) fn eval_call(&mut self, m: &mut Machine, callee: FuncId, args: Vec<Value>) -> Option<Value> {
        let f = *self.decls.func_decls.get(callee.index())?;
        if self.decls[f].body == BodySource::Virtual {
            return self.eval_virtual(m, f, args);
        }
        let d = &self.decls[f];
        let constant = match d.body {
            BodySource::Ast(_) => {
                let of_lambda = d.record.is_some_and(|r| self.inst.generic_lambdas.contains_key(&r));
                of_lambda || d.specs.any(DeclSpecs::CONSTEXPR.with(DeclSpecs::CONSTEVAL))
            }
            // `constexpr` without being declared so, if what they do is constant.
            BodySource::Defaulted | BodySource::Inherited(_) | BodySource::Lambda(_) => true,
            _ => false,
        };
        if !constant || m.depth() >= MAX_CALLS {
            return None;
        }
        self.check_body(f);
        self.want(f);
        let function = &self.p.functions[callee.index()];
        let (body, ret) = (function.body?, function.ret);
        let types: Vec<TyId> = function.locals.iter().map(|l| l.ty).take(args.len()).collect();
        m.enter(callee);
        let saved = std::mem::take(&mut self.cx);
        let flow = self.store_args(m, &types, args).and_then(|()| self.exec(m, body));
        self.cx = saved;
        m.leave();
        match flow? {
            Flow::Return(v) => Some(v),
            _ => (ret == TyId::VOID).then_some(Value::Nothing),
        }
    }

    /// A call of a virtual function, by the number that the object carries.
    fn eval_virtual(&mut self, m: &mut Machine, dispatcher: FnId, mut args: Vec<Value>) -> Option<Value> {
        let &Value::Pointer(object) = args.first()? else { return None };
        let Value::Scalar(Const::Int(number)) = self.load_value(m, object, TyId::ULONG)? else { return None };
        let chosen = self.overrider(dispatcher, number.bits())?;
        args[0] = Value::Pointer(object.moved(chosen.this_offset)?);
        let v = self.eval_call(m, chosen.function?, args)?;
        match v {
            Value::Pointer(p) if chosen.result_offset != 0 => p.moved(chosen.result_offset).map(Value::Pointer),
            v => Some(v),
        }
    }

    fn store_args(&mut self, m: &mut Machine, types: &[TyId], args: Vec<Value>) -> Option<()> {
        if types.len() != args.len() {
            return None;
        }
        for (i, (&ty, v)) in types.iter().zip(args).enumerate() {
            let at = self.begin_local(m, LocalId(i as u32), ty)?;
            self.store_value(m, at, ty, v)?;
        }
        Some(())
    }

    /// A statement whose end is not the end of the function: of a GNU statement expression.
    pub(super) fn exec_inner(&mut self, m: &mut Machine, s: StmtId) -> Option<()> {
        matches!(self.exec(m, s)?, Flow::Next).then_some(())
    }

    fn exec(&mut self, m: &mut Machine, s: StmtId) -> Option<Flow> {
        Self::tick(m)?;
        match self.p.stmt(s).kind {
            // Constants are computed one rounded operation at a time.
            StmtKind::Empty | StmtKind::FpContract(_) | StmtKind::Case(_) => Some(Flow::Next),
            StmtKind::Block(list) => {
                for i in list.range() {
                    let inner = self.p.stmt_pool[i];
                    match self.exec(m, inner)? {
                        Flow::Next => {}
                        other => return Some(other),
                    }
                }
                Some(Flow::Next)
            }
            StmtKind::Expr(e) => {
                self.eval_effect(m, e)?;
                Some(Flow::Next)
            }
            StmtKind::Decl { local, init } => {
                match init {
                    Some(e) if self.p.types.is_aggregate(self.ty(e)) => {
                        let at = self.begin_local(m, local, self.ty(e))?;
                        self.eval_into(m, at, e)?;
                    }
                    Some(e) => {
                        let v = self.eval(m, e)?;
                        self.exec_decl(m, local, Some((self.ty(e), v)))?;
                    }
                    None => self.exec_decl(m, local, None)?,
                }
                Some(Flow::Next)
            }
            StmtKind::If { cond, then, other } => {
                if self.eval_truth(m, cond)? {
                    self.exec(m, then)
                } else {
                    other.map_or(Some(Flow::Next), |o| self.exec(m, o))
                }
            }
            StmtKind::While { cond, body, .. } => self.exec_loop(m, Some(cond), None, body, false),
            StmtKind::DoWhile { cond, body, .. } => self.exec_loop(m, Some(cond), None, body, true),
            StmtKind::For { init, cond, step, body, .. } => {
                if let Some(i) = init {
                    self.exec(m, i)?;
                }
                self.exec_loop(m, cond, step, body, false)
            }
            StmtKind::Switch { value, cases, has_default, body } => {
                let Value::Scalar(Const::Int(v)) = self.eval(m, value)? else { return None };
                self.exec_switch(m, v, cases, has_default, body)
            }
            StmtKind::Break => Some(Flow::Break),
            StmtKind::Continue => Some(Flow::Continue),
            StmtKind::Return(v) => Some(Flow::Return(match v {
                Some(e) if self.ty(e) == TyId::VOID => {
                    self.eval_effect(m, e)?;
                    Value::Nothing
                }
                Some(e) => self.eval(m, e)?,
                None => Value::Nothing,
            })),
            _ => None,
        }
    }

    fn exec_decl(&mut self, m: &mut Machine, local: LocalId, v: Option<(TyId, Value)>) -> Option<()> {
        let ty = match &v {
            Some((ty, _)) => *ty,
            // The type of a local without value is its function's to say.
            None => self.declared_type(m, local)?,
        };
        let at = self.begin_local(m, local, ty)?;
        match v {
            Some((ty, v)) => self.store_value(m, at, ty, v),
            None => Some(()),
        }
    }

    /// The type of a local of the function that is carried out.
    pub(super) fn declared_type(&self, m: &Machine, local: LocalId) -> Option<TyId> {
        let f = m.function()?;
        self.p.functions[f.index()].locals.get(local.index()).map(|l| l.ty)
    }

    fn exec_switch(
        &mut self,
        m: &mut Machine,
        v: ConstInt,
        cases: ListId,
        has_default: bool,
        body: StmtId,
    ) -> Option<Flow> {
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
            match self.exec(m, inner)? {
                Flow::Next => {}
                Flow::Break => return Some(Flow::Next),
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn exec_loop(
        &mut self,
        m: &mut Machine,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        first: bool,
    ) -> Option<Flow> {
        let mut run = first;
        loop {
            Self::tick(m)?;
            if !run
                && let Some(c) = cond
                && !self.eval_truth(m, c)?
            {
                return Some(Flow::Next);
            }
            run = false;
            match self.exec(m, body)? {
                Flow::Break => return Some(Flow::Next),
                Flow::Return(v) => return Some(Flow::Return(v)),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(s) = step {
                self.eval_effect(m, s)?;
            }
        }
    }
}
