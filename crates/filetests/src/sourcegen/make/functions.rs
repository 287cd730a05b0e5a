//! Functions that kernels and one another call.

use super::{Gen, Var};
use crate::sourcegen::tree::{Expr, Form, Function, Item, Param, Scalar, Space, Stmt, Ty};

/// What is known of a function.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) ret: Ty,
    pub(super) params: Vec<Ty>,
    /// How many rounds of loops it takes.
    pub(super) cost: u32,
    /// Whether it changes nothing.
    pub(super) pure_: bool,
    /// Whether the whole group must call it, with a work-group array, the id and the number of work-items first.
    pub(super) barrier: bool,
}

/// What is set aside while a function is made.
pub(super) struct Outside {
    vars: Vec<Var>,
    weight: u32,
    budget: u32,
    uniform: bool,
}

impl Gen {
    /// Begins a function: only the program's variables and the parameters are in scope.
    pub(super) fn enter(&mut self, params: Vec<Var>, budget: u32, uniform: bool) -> Outside {
        let globals = self.vars.iter().filter(|v| v.uniform && !v.writable).cloned().collect();
        let outside = Outside {
            vars: std::mem::replace(&mut self.vars, globals),
            weight: std::mem::replace(&mut self.weight, 1),
            budget: std::mem::replace(&mut self.budget, budget),
            uniform: std::mem::replace(&mut self.uniform, uniform),
        };
        self.vars.extend(params);
        outside
    }

    pub(super) fn exit(&mut self, outside: Outside) {
        self.vars = outside.vars;
        self.weight = outside.weight;
        self.budget = outside.budget;
        self.uniform = outside.uniform;
    }

    /// What stands before a function's type.
    pub(super) fn function_prefix(&mut self) -> String {
        let all: &[&str] = if self.opencl {
            &["", "", "static ", "inline ", "__attribute__((noinline)) ", "__attribute__((always_inline)) "]
        } else {
            &[
                "__device__ ",
                "__device__ ",
                "static __device__ ",
                "__device__ __noinline__ ",
                "__device__ __forceinline__ ",
            ]
        };
        // `inline` alone has no definition elsewhere in C99.
        let p = self.rng.pick(all);
        if p == "inline " { "static inline ".to_owned() } else { p.to_owned() }
    }

    /// A type that functions take and return.
    fn value_type(&mut self) -> Ty {
        match self.rng.below(8) {
            0 | 1 if !self.records.is_empty() => {
                Ty::Named(self.records[self.rng.below(self.records.len())].name.clone())
            }
            2 => {
                let (s, n) = self.vector_type(false);
                Ty::Vector(s, n)
            }
            3 => self.float_type().into(),
            _ => self.rng.pick(&Scalar::INTEGERS).into(),
        }
    }

    /// A function without barriers: of values, and perhaps of a pointer to its caller's variable.
    pub(super) fn helper(&mut self) {
        let name = self.name("f");
        let ret = self.value_type();
        let mut params: Vec<Var> = (0..1 + self.rng.below(3))
            .map(|n| {
                let ty = self.value_type();
                Var::new(format!("a{n}"), ty)
            })
            .collect();
        let pure_ = self.rng.chance(60);
        let mut listed = params.clone();
        if !pure_ {
            let ty = self.value_type();
            if self.opencl || self.rng.chance(50) {
                let v = Var { writable: true, ..Var::pointer("p", ty.pointer(Space::Private), 1) };
                listed.push(v.clone());
                params.push(v);
            } else {
                listed.push(Var::new("ref_p", Ty::Reference(Box::new(ty.clone()))));
                params.push(Var::new("ref_p", ty));
            }
        }
        if !self.opencl && self.rng.chance(25) {
            // What it refers to may be what the other reference does.
            params[0] = Var::fixed("ref_a", params[0].ty.clone());
            listed[0] = Var::fixed("ref_a", Ty::ConstReference(Box::new(params[0].ty.clone())));
        }
        let budget = 2 + self.rng.below(5) as u32;
        let outside = self.enter(params, budget, false);
        self.returns = Some(ret.clone());
        let mut body = Vec::new();
        while self.budget > 0 {
            if self.rng.chance(20) {
                self.early_return(&mut body, &ret);
            }
            self.stmt(&mut body, 1);
        }
        let value = self.initialiser_without_braces(&ret, &mut body);
        body.push(Stmt::Return(Some(value)));
        self.returns = None;
        self.exit(outside);
        self.finish(name, ret, &listed, body, Callable { pure_, ..Callable::plain() });
    }

    /// A value that an expression can be: structures are variables first.
    fn initialiser_without_braces(&mut self, ty: &Ty, out: &mut Vec<Stmt>) -> Expr {
        let e = self.initialiser(ty, 2).unwrap_or_else(|| Expr::literal(ty.clone(), 0));
        if e.form != Form::Braces {
            return e;
        }
        let name = self.name("r");
        let v = Var::new(name, ty.clone());
        let value = v.expr();
        self.declare(out, "", v, Some(e));
        value
    }

    fn early_return(&mut self, out: &mut Vec<Stmt>, ret: &Ty) {
        let c = self.condition(1);
        let scope = self.vars.len();
        let mut body = Vec::new();
        let value = self.initialiser_without_braces(ret, &mut body);
        body.push(Stmt::Return(Some(value)));
        self.leave(scope);
        out.push(Stmt::If(c, body, Vec::new()));
    }

    /// Adds a function.
    pub(super) fn finish(&mut self, name: String, ret: Ty, params: &[Var], body: Vec<Stmt>, known: Callable) {
        let prefix = self.function_prefix();
        let cost = 8;
        let types = params.iter().map(|p| p.ty.clone()).collect();
        let list = params.iter().map(|p| Param { ty: p.ty.clone(), name: p.name.clone(), default: None }).collect();
        self.callables.push(Callable { name: name.clone(), ret: ret.clone(), params: types, cost, ..known });
        self.items.push(Item::Function(Function { prefix, ret, name, params: list, suffix: String::new(), body }));
    }

    /// A call of a function that changes nothing, if there is one of such a type.
    pub(super) fn pure_call(&mut self, float: bool) -> Option<Expr> {
        let fits = |c: &&Callable| c.pure_ && !c.barrier && c.ret.scalar().is_some_and(|s| s.is_float() == float);
        let found: Vec<Callable> = self.callables.iter().filter(fits).cloned().collect();
        if found.is_empty() {
            return None;
        }
        let f = found[self.rng.below(found.len())].clone();
        if self.weight * f.cost > 2 * super::MOST_ROUNDS {
            return None;
        }
        let args = self.arguments(&f.params)?;
        Some(Expr::call(f.ret, f.name, args))
    }

    /// Arguments of these types. Structures are variables that are there.
    pub(super) fn arguments(&mut self, params: &[Ty]) -> Option<Vec<Expr>> {
        params
            .iter()
            .map(|ty| match ty {
                Ty::Named(_) => self.whole_place(ty),
                Ty::Pointer(Space::Private, t) => {
                    let found = self.addressable(|x| x == &**t);
                    if found.is_empty() || !self.locked.is_empty() {
                        return None;
                    }
                    let (e, _) = found[self.rng.below(found.len())].clone();
                    // An array is its own address.
                    Some(if e.form == Form::Cast { e.args[0].clone() } else { e })
                }
                Ty::Reference(t) => {
                    let found = self.addressable(|x| x == &**t);
                    let plain: Vec<&Expr> = found.iter().map(|f| &f.0).filter(|e| e.form != Form::Cast).collect();
                    if plain.is_empty() { None } else { Some(plain[self.rng.below(plain.len())].args[0].clone()) }
                }
                // Comparisons are `bool` in C++ and names of enumerations have types of their own, which templates and
                // overloads tell from `int`.
                Ty::Scalar(Scalar::I32) => {
                    let e = self.int(1);
                    Some(Expr::new(Scalar::I32, Form::Cast, vec![e]))
                }
                Ty::Scalar(s) => Some(if s.is_float() { self.float(*s, 1) } else { self.int(1).cast(*s) }),
                Ty::ConstReference(t) => match &**t {
                    Ty::Named(_) => self.whole_place(t),
                    // Of another type it would refer to a temporary.
                    t => self.initialiser(t, 1).filter(|e| e.form != Form::Braces).map(|e| e.cast(t.clone())),
                },
                _ => self.initialiser(ty, 1).filter(|e| e.form != Form::Braces),
            })
            .collect()
    }

    /// A call for its effect, or for a value of any type.
    pub(super) fn call_statement(&mut self, out: &mut Vec<Stmt>) {
        let found: Vec<Callable> = self.callables.iter().filter(|c| !c.barrier).cloned().collect();
        if found.is_empty() {
            return self.compound_or_declare(out);
        }
        let f = found[self.rng.below(found.len())].clone();
        if self.weight * f.cost > 2 * super::MOST_ROUNDS {
            return self.compound_or_declare(out);
        }
        // What it points to must be there.
        for ty in &f.params {
            let (wanted, pointer) = match ty {
                Ty::Pointer(Space::Private, t) | Ty::Reference(t) => ((**t).clone(), true),
                Ty::Named(_) => (ty.clone(), false),
                Ty::ConstReference(t) if matches!(**t, Ty::Named(_)) => ((**t).clone(), false),
                _ => continue,
            };
            let there = if pointer {
                !self.addressable(|x| *x == wanted).is_empty()
            } else {
                self.whole_place(&wanted).is_some()
            };
            if !there {
                let Some(init) = self.initialiser(&wanted, 1) else { return };
                let name = self.name("v");
                self.declare(out, "", Var::new(name, wanted), Some(init));
            }
        }
        let Some(args) = self.arguments(&f.params) else { return self.compound_or_declare(out) };
        let call = Expr::call(f.ret.clone(), f.name, args);
        if f.ret == Ty::Void || self.rng.chance(15) {
            out.push(Stmt::Expr(call));
        } else {
            let name = self.name("v");
            self.declare(out, "", Var::new(name, f.ret), Some(call));
        }
    }

    fn compound_or_declare(&mut self, out: &mut Vec<Stmt>) {
        match self.step_of() {
            Some(e) => out.push(Stmt::Expr(e)),
            None => {
                let Some(init) = self.initialiser(&Scalar::U32.into(), 1) else { return };
                let name = self.name("v");
                self.declare(out, "", Var::new(name, Scalar::U32), Some(init));
            }
        }
    }
}

impl Callable {
    pub(super) fn plain() -> Self {
        Self { name: String::new(), ret: Ty::Void, params: Vec::new(), cost: 1, pure_: true, barrier: false }
    }
}
