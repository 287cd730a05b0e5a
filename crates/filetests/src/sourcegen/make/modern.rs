//! What C++ adds: classes with constructors and operators, references, templates, overloads, lambdas.
//!
//! A reference is another name for a variable: [`Gen::locked`] counts all of them (their names begin with `ref`) as
//! touched by any change inside of an expression. Lambdas by value change nothing; lambdas by reference are called in
//! statements of their own.

use super::functions::Callable;
use super::{Gen, Var};
use crate::sourcegen::tree::{Decl, Expr, Field, Form, Function, Item, Lambda, Param, Record, Scalar, Stmt, Ty};
use Scalar::{I32, I64, U32, U64};

/// Types that templates are instantiated with.
const ARGUMENTS: [Scalar; 6] = [Scalar::I8, Scalar::U16, I32, U32, I64, U64];

/// C++'s name of a type in the generated programs.
fn cuda_name(s: Scalar) -> &'static str {
    ["schar", "uchar", "short", "ushort", "int", "uint", "llong", "ullong", "float", "double", "__half"][s as usize]
}

impl Gen {
    /// The program's templates, overloads and classes.
    pub(super) fn cplusplus(&mut self) {
        if self.opencl {
            if self.rng.chance(20) {
                self.overloadable();
            }
            return;
        }
        if self.rng.chance(35) {
            self.template();
        }
        if self.rng.chance(25) {
            self.repeated_template();
        }
        if self.rng.chance(20) {
            self.overloads();
        }
        if self.rng.chance(15) {
            self.variadic();
        }
        if self.rng.chance(40) {
            self.class();
        }
    }

    /// A function that is known by this name with parameters of these types.
    fn known(&mut self, name: String, ret: Scalar, params: &[Scalar]) {
        let params = params.iter().map(|&s| s.into()).collect();
        self.callables.push(Callable { name, ret: ret.into(), params, cost: 4, ..Callable::plain() });
    }

    /// Of one type, called with and without saying which; perhaps with a specialisation.
    fn template(&mut self) {
        let name = self.name("t");
        let op = self.rng.pick(&["a ^ b", "a & b", "(ullong)a + (ullong)b", "(ullong)a * (ullong)b", "(ullong)a - 7u"]);
        let test = self.rng.pick(&["sizeof(T) > 2", "sizeof(T) == 4", "(T)-1 < (T)0"]);
        let constant = if self.rng.chance(40) { "constexpr " } else { "" };
        let prefix = self.function_prefix();
        let mut text = format!(
            "template <typename T> {prefix}T {name}(T a, T b) {{\n    T r = (T)({op});\n    if {constant}({test}) {{\n        \
             r = (T)(r | (T)1);\n    }}\n    return a < b ? r : (T)~b;\n}}"
        );
        let special = self.rng.pick(&ARGUMENTS);
        if self.rng.chance(30) {
            let s = cuda_name(special);
            text +=
                &format!("\ntemplate <> __device__ {s} {name}<{s}>({s} a, {s} b) {{\n    return ({s})(a & ~b);\n}}");
        }
        self.items.push(Item::Text(text));
        for _ in 0..2 {
            let s = self.rng.pick(&ARGUMENTS);
            let call = if self.rng.chance(50) { name.clone() } else { format!("{name}<{}>", cuda_name(s)) };
            self.known(call, s, &[s, s]);
        }
    }

    /// Of a number and a type, the number being how often it goes round.
    fn repeated_template(&mut self) {
        let name = self.name("t");
        let prefix = self.function_prefix();
        let hint = self.rng.pick(&["    #pragma unroll\n", "    #pragma unroll 2\n", ""]);
        let text = format!(
            "template <int N, typename T = uint> {prefix}T {name}(T a) {{\n    T r = a;\n{hint}    for (int i = 0; i < N; i++) \
             {{\n        r = (T)((ullong)r * 3u + (ullong)i);\n    }}\n    return r;\n}}"
        );
        self.items.push(Item::Text(text));
        for _ in 0..2 {
            let (n, s) = (self.rng.below(6), self.rng.pick(&ARGUMENTS));
            let call =
                if self.rng.chance(50) { format!("{name}<{n}>") } else { format!("{name}<{n}, {}>", cuda_name(s)) };
            self.known(call, s, &[s]);
        }
    }

    /// One name for several types.
    fn overloads(&mut self) {
        let name = self.name("o");
        let mut types = vec![I32, U32, I64, U64];
        types.remove(self.rng.below(4));
        for (n, &s) in types.iter().enumerate() {
            let prefix = self.function_prefix();
            let text = format!(
                "{prefix}{t} {name}({t} a, {t} b = {n}) {{\n    return ({t})((ullong)a * {m}u ^ (ullong)b);\n}}",
                t = cuda_name(s),
                m = n + 3
            );
            self.items.push(Item::Text(text));
            self.known(name.clone(), s, &[s]);
            self.known(name.clone(), s, &[s, s]);
        }
    }

    /// The same in OpenCL C, by the attribute; some of them take vectors.
    fn overloadable(&mut self) {
        let name = self.name("o");
        let mut types = vec![(I32, "int"), (U32, "uint"), (I64, "long"), (U64, "ulong")];
        types.remove(self.rng.below(4));
        for (n, &(s, t)) in types.iter().enumerate() {
            let prefix = self.function_prefix();
            let m = n + 3;
            let text = format!(
                "{prefix}{t} __attribute__((overloadable)) {name}({t} a) {{\n    return ({t})((ulong)a * {m}u ^ {n}u);\n}}\n\
                 {prefix}{t} __attribute__((overloadable)) {name}({t}2 a) {{\n    return {name}(a.x) ^ {name}(a.y);\n}}"
            );
            self.items.push(Item::Text(text));
            self.known(name.clone(), s, &[s]);
            let params = vec![Ty::Vector(s, 2)];
            self.callables.push(Callable { name: name.clone(), ret: s.into(), params, cost: 8, ..Callable::plain() });
        }
    }

    /// Of any number of arguments.
    fn variadic(&mut self) {
        let name = self.name("w");
        let text = format!(
            "template <typename T> __device__ ullong {name}(T a) {{\n    return (ullong)a;\n}}\n\
             template <typename T, typename... R> __device__ ullong {name}(T a, R... rest) {{\n    \
             return (ullong)a * 31u ^ {name}(rest...);\n}}"
        );
        self.items.push(Item::Text(text));
        let params: Vec<Scalar> = (0..2 + self.rng.below(3)).map(|_| self.rng.pick(&ARGUMENTS)).collect();
        self.known(name, U64, &params);
    }

    /// A class with everything; its fields are public, so that it is a structure to all others.
    fn class(&mut self) {
        let name = self.name("C");
        let (a, b) = (self.rng.pick(&Scalar::INTEGERS), self.rng.pick(&Scalar::INTEGERS));
        let ty = Ty::Named(name.clone());
        let fields: Vec<Field> = [a, b, a]
            .iter()
            .enumerate()
            .map(|(n, &s)| Field { ty: s.into(), name: format!("f{n}"), width: None })
            .collect();
        let methods = self.methods(&name, a, b);
        self.records.push(super::records::Shape {
            name: name.clone(),
            union: false,
            bits: vec![false; 3],
            fields: fields.iter().map(|f| (f.ty.clone(), f.name.clone())).collect(),
            sized: false,
            class: Some((a, b)),
        });
        self.items.push(Item::Record(Record { name, union: false, fields, methods, attribute: String::new() }));
        self.callables.push(Callable {
            name: format!("{}::made", if let Ty::Named(n) = &ty { n } else { "" }),
            ret: ty,
            params: vec![U32.into()],
            cost: 2,
            ..Callable::plain()
        });
    }

    fn methods(&mut self, name: &str, a: Scalar, b: Scalar) -> Vec<Function> {
        let (ty, none) = (Ty::Named(name.to_owned()), Ty::Named(String::new()));
        let constant = || Ty::ConstReference(Box::new(Ty::Named(name.to_owned())));
        let param = |ty: Ty, name: &str| Param { ty, name: name.to_owned(), default: None };
        let text = |s: String| Stmt::Expr(Expr::name(Ty::Void, s));
        let (ta, tb) = (cuda_name(a), cuda_name(b));
        let method = |prefix: &str, ret: Ty, name: &str, params: Vec<Param>, suffix: &str, body: Vec<Stmt>| Function {
            prefix: prefix.to_owned(),
            ret,
            name: name.to_owned(),
            params,
            suffix: suffix.to_owned(),
            body,
        };
        let device = "__device__ ";
        let o = || vec![param(constant(), "o")];
        let default = Param { default: Some(Expr::literal(a, 5)), ..param(a.into(), "z") };
        let three = vec![param(a.into(), "x"), param(b.into(), "y"), default];
        let sum = format!("return {name}(({ta})(f0 ^ o.f0), ({tb})((ullong)f1 + (ullong)o.f1), f2)");
        let change = format!("f1 = ({tb})((ullong)f1 * 3u + (ullong)o.f0)");
        let made = format!("return {name}(({ta})x, ({tb})~x)");
        let mut list = vec![
            method(device, none.clone(), "", vec![], " : f0(1), f1(2), f2(3)", vec![]),
            method(device, none, "", three, " : f0(x), f1(y), f2(z)", vec![]),
            method(device, ty.clone(), "operator^", o(), " const", vec![text(sum)]),
            method(
                device,
                Ty::Reference(Box::new(ty.clone())),
                "operator+=",
                o(),
                "",
                vec![text(change), text("return *this".into())],
            ),
            method(device, Ty::Named("bool".into()), "operator<", o(), " const", vec![text("return f0 < o.f0".into())]),
            method(
                device,
                Ty::Reference(Box::new(a.into())),
                "operator[]",
                vec![param(U32.into(), "i")],
                "",
                vec![text("return i & 1u ? f0 : f2".into())],
            ),
            method("static __device__ ", ty, "made", vec![param(U32.into(), "x")], "", vec![text(made)]),
        ];
        list.push(self.reading_method(a, b));
        list.push(self.changing_method(a, b));
        list
    }

    /// `uint get(ullong x) const`, of any expression on the fields.
    fn reading_method(&mut self, a: Scalar, b: Scalar) -> Function {
        let fields = [("f0", a), ("f1", b), ("f2", a), ("x", U64)].map(|(n, s)| Var::fixed(n, s));
        let outside = self.enter(fields.to_vec(), 0, false);
        let value = self.int(2).cast(U32);
        self.exit(outside);
        Function {
            prefix: "__device__ ".to_owned(),
            ret: U32.into(),
            name: "get".to_owned(),
            params: vec![Param { ty: U64.into(), name: "x".to_owned(), default: None }],
            suffix: " const".to_owned(),
            body: vec![Stmt::Return(Some(value))],
        }
    }

    /// `void step(uint x)`, of statements that change the fields.
    fn changing_method(&mut self, a: Scalar, b: Scalar) -> Function {
        let mut vars = [("f0", a), ("f1", b), ("f2", a)].map(|(n, s)| Var::new(n, s)).to_vec();
        vars.push(Var::fixed("x", U32));
        let outside = self.enter(vars, 2, false);
        let mut body = Vec::new();
        while self.budget > 0 {
            self.stmt(&mut body, 2);
        }
        self.exit(outside);
        Function {
            prefix: "__device__ ".to_owned(),
            ret: Ty::Void,
            name: "step".to_owned(),
            params: vec![Param { ty: U32.into(), name: "x".to_owned(), default: None }],
            suffix: String::new(),
            body,
        }
    }

    /// A statement that only C++ has.
    pub(super) fn modern(&mut self, out: &mut Vec<Stmt>) {
        match self.rng.below(9) {
            0..3 => self.reference(out),
            3 | 4 => self.lambda(out),
            5 => self.lambda_by_reference(out),
            6 => self.range(out),
            _ => self.on_object(out),
        }
    }

    /// Another name for a place.
    fn reference(&mut self, out: &mut Vec<Stmt>) {
        let Some(place) = self.writable_place(|_| true) else { return };
        let mut base = &place;
        while let Some(first) = base.args.first() {
            base = first;
        }
        let bit_field = matches!(&place.form, Form::Member(f) | Form::Arrow(f) if f.starts_with('b'));
        // Elements of work-group arrays are written between barriers only; unions have one field.
        if bit_field || matches!(&base.form, Form::Name(n) if n.ends_with(']')) {
            return;
        }
        let name = self.name("ref");
        let ty = place.ty.clone();
        let decl = Decl {
            prefix: String::new(),
            ty: Ty::Reference(Box::new(ty.clone())),
            name: name.clone(),
            init: Some(place),
        };
        out.push(Stmt::Decl(decl));
        self.vars.push(Var::new(name, ty));
    }

    /// `auto l = [=](T x) { return …; };`, called at once or through a template.
    fn lambda(&mut self, out: &mut Vec<Stmt>) {
        let (name, x) = (self.name("l"), self.rng.pick(&[U32, I32, U64]));
        // Functions around it may have an `x` of another type.
        let param = self.name("x");
        self.vars.push(Var::fixed(&param, x));
        let value = self.int(2);
        self.vars.pop();
        let ret = value.ty.clone();
        let body = vec![Stmt::Return(Some(value))];
        let params = vec![Param { ty: x.into(), name: param, default: None }];
        let lambda = Lambda { capture: "=", params, body };
        let init = Expr::new(Ty::Auto, Form::Lambda(Box::new(lambda)), Vec::new());
        out.push(Stmt::Decl(Decl { prefix: "const ".to_owned(), ty: Ty::Auto, name: name.clone(), init: Some(init) }));
        let arg = self.int(1).cast(x);
        let call = Expr::call(ret.clone(), name, vec![arg]);
        let v = self.name("v");
        self.declare(out, "", Var::new(v, ret), Some(call));
    }

    /// `[&](T x) { place = …; }`, called twice.
    fn lambda_by_reference(&mut self, out: &mut Vec<Stmt>) {
        let Some(place) = self.writable_place(|s| !s.is_float()) else { return };
        let (name, x) = (self.name("l"), U32);
        let param = self.name("x");
        self.vars.push(Var::fixed(&param, x));
        let change = self.compound_of(place, 1);
        self.vars.pop();
        let params = vec![Param { ty: x.into(), name: param, default: None }];
        let lambda = Lambda { capture: "&", params, body: vec![Stmt::Expr(change)] };
        let init = Expr::new(Ty::Auto, Form::Lambda(Box::new(lambda)), Vec::new());
        out.push(Stmt::Decl(Decl { prefix: String::new(), ty: Ty::Auto, name: name.clone(), init: Some(init) }));
        for _ in 0..1 + self.rng.below(2) {
            let arg = self.int(1).cast(x);
            let call = Stmt::Expr(Expr::call(Ty::Void, name.clone(), vec![arg]));
            if self.rng.chance(30) {
                let c = self.condition(1);
                out.push(Stmt::If(c, vec![call], Vec::new()));
            } else {
                out.push(call);
            }
        }
    }

    /// `for (T &e : array)`.
    fn range(&mut self, out: &mut Vec<Stmt>) {
        let arrays: Vec<(String, Scalar)> = self
            .vars
            .iter()
            .filter(|v| v.writable && v.mask == super::ALL && !v.name.ends_with(']'))
            .filter_map(|v| if let Ty::Array(t, _) = &v.ty { Some((v.name.clone(), t.scalar()?)) } else { None })
            .collect();
        if arrays.is_empty() || self.weight * 8 > super::MOST_ROUNDS {
            return self.reference(out);
        }
        let (array, s) = arrays[self.rng.below(arrays.len())].clone();
        let e = self.name("ref");
        self.vars.push(Var::new(e.clone(), s));
        let place = Expr::name(s, e.clone());
        let change = self.compound_of(place, 1);
        self.vars.pop();
        let auto = if self.rng.chance(50) { "auto" } else { cuda_name(s) };
        out.push(Stmt::RangeFor(format!("{auto} &{e}"), Expr::name(Ty::Void, array), vec![Stmt::Expr(change)]));
    }

    /// Methods and operators of an object.
    fn on_object(&mut self, out: &mut Vec<Stmt>) {
        let Some(shape) = self.records.iter().rev().find(|r| r.class.is_some()).cloned() else {
            return self.reference(out);
        };
        let ty = Ty::Named(shape.name.clone());
        let objects: Vec<String> = self
            .vars
            .iter()
            .filter(|v| v.writable && v.mask == super::ALL && v.ty == ty && !v.name.ends_with(']'))
            .map(|v| v.name.clone())
            .collect();
        let Some((a, b)) = shape.class else { return };
        if objects.is_empty() || self.rng.chance(20) {
            let mut args = vec![self.int(1).cast(a), self.int(1).cast(b)];
            if self.rng.chance(50) {
                args.push(self.int(0).cast(a));
            }
            let name = self.name("v");
            let init = Expr::new(ty.clone(), Form::Construct, args);
            return self.declare(out, "", Var::new(name, ty), Some(init));
        }
        let object = |g: &mut Self| Expr::name(ty.clone(), objects[g.rng.below(objects.len())].clone());
        let (x, y) = (object(self), object(self));
        match self.rng.below(6) {
            0 => {
                let name = self.name("v");
                let sum = Expr::binary(ty.clone(), "^", x, y);
                self.declare(out, "", Var::new(name, ty.clone()), Some(sum));
            }
            1 => out.push(Stmt::Expr(Expr::binary(ty.clone(), "+=", x, y))),
            2 => {
                let less = Expr::binary(I32, "<", x.clone(), y);
                let step = Expr::new(Ty::Void, Form::Method("step".into()), vec![x, self.int(1).cast(U32)]);
                out.push(Stmt::If(less, vec![Stmt::Expr(step)], Vec::new()));
            }
            3 => {
                let i = self.int(1).cast(U32);
                let value = self.int(1).cast(a);
                out.push(Expr::new(a, Form::Index, vec![x, i]).assign(value));
            }
            4 => {
                let step = Expr::new(Ty::Void, Form::Method("step".into()), vec![x, self.int(1).cast(U32)]);
                out.push(Stmt::Expr(step));
            }
            _ => {
                let get = Expr::new(U32, Form::Method("get".into()), vec![x, self.int(1).cast(U64)]);
                let name = self.name("v");
                self.declare(out, "", Var::new(name, U32), Some(get));
            }
        }
    }
}
