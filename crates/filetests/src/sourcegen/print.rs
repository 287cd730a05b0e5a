//! A program as text, in its language; with no more parentheses than the grammar needs.

use super::tree::{Decl, Expr, Form, Function, Item, Label, Program, Record, Scalar, Space, Stmt, Ty};
use std::fmt::Write as _;

/// What every CUDA program starts with.
const CUDA_PRELUDE: &str = "typedef signed char schar;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef long long llong;
typedef unsigned long long ullong;
";

/// The type of a half.
const HALF: Ty = Ty::Scalar(Scalar::F16);

/// How tightly operators bind; larger is tighter.
mod level {
    pub(super) const COMMA: u8 = 1;
    pub(super) const ASSIGN: u8 = 2;
    pub(super) const TERNARY: u8 = 3;
    pub(super) const PREFIX: u8 = 14;
    pub(super) const POSTFIX: u8 = 15;
}

fn binary_level(op: &str) -> u8 {
    match op {
        "," => level::COMMA,
        "||" => 4,
        "&&" => 5,
        "|" => 6,
        "^" => 7,
        "&" => 8,
        "==" | "!=" => 9,
        "<" | ">" | "<=" | ">=" => 10,
        "<<" | ">>" => 11,
        "+" | "-" => 12,
        "*" | "/" | "%" => 13,
        _ => level::ASSIGN,
    }
}

/// The text of a program.
pub fn program(p: &Program) -> String {
    let mut printer = Printer { out: String::new(), opencl: p.dialect.is_opencl(), depth: 0 };
    if !printer.opencl {
        printer.out.push_str(CUDA_PRELUDE);
    }
    for item in &p.items {
        printer.item(item);
    }
    printer.out
}

struct Printer {
    out: String,
    opencl: bool,
    depth: usize,
}

impl Printer {
    fn item(&mut self, item: &Item) {
        match item {
            Item::Text(t) => {
                let _ = writeln!(self.out, "{t}");
            }
            Item::Record(r) => self.record(r),
            Item::Global(d) => self.decl_line(d),
            Item::Function(f) | Item::Kernel(f) => self.function(f, ""),
        }
    }

    fn scalar(&self, s: Scalar) -> &'static str {
        let opencl = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"];
        let cuda = ["schar", "uchar", "short", "ushort", "int", "uint", "llong", "ullong", "float", "double", "__half"];
        if self.opencl { opencl[s as usize] } else { cuda[s as usize] }
    }

    fn vector(&self, s: Scalar, n: u8) -> String {
        let cuda = match s {
            Scalar::I8 => "char",
            Scalar::I64 => "longlong",
            Scalar::U64 => "ulonglong",
            s => self.scalar(s),
        };
        format!("{}{n}", if self.opencl { self.scalar(s) } else { cuda })
    }

    /// A type and the name that has it, if any.
    fn declarator(&self, ty: &Ty, name: &str) -> String {
        let space = |s: Space| match s {
            _ if !self.opencl => "",
            Space::Private => "private ",
            Space::Global => "global ",
            Space::Local => "local ",
            Space::Constant => "constant ",
        };
        let named = |base: &str| if name.is_empty() { base.to_owned() } else { format!("{base} {name}") };
        match ty {
            Ty::Void => named("void"),
            Ty::Auto => named("auto"),
            Ty::Scalar(s) => named(self.scalar(*s)),
            Ty::Vector(s, n) => named(&self.vector(*s, *n)),
            Ty::Named(t) if t.is_empty() => name.to_owned(),
            Ty::Named(t) => named(t),
            Ty::Array(t, n) => self.declarator(t, &format!("{name}[{n}]")),
            // The space of a pointer to a pointer is that of what the inner one points to.
            Ty::Pointer(_, t) if matches!(**t, Ty::Pointer(..) | Ty::ConstPointer(..)) => {
                self.declarator(t, &format!("*{name}"))
            }
            Ty::Pointer(s, t) => format!("{}{}", space(*s), self.declarator(t, &format!("*{name}"))),
            Ty::ConstPointer(s, t) => format!("{}const {}", space(*s), self.declarator(t, &format!("*{name}"))),
            Ty::Reference(t) => self.declarator(t, &format!("&{name}")),
            Ty::ConstReference(t) => format!("const {}", self.declarator(t, &format!("&{name}"))),
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
    }

    fn line(&mut self, text: &str) {
        self.indent();
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn record(&mut self, r: &Record) {
        let kind = if r.union { "union" } else { "struct" };
        // C knows the name alone by a `typedef` only.
        let (open, close) = if self.opencl {
            (format!("typedef {kind} {{"), format!("}} {}{};", r.attribute, r.name))
        } else {
            (format!("{kind} {}{} {{", r.attribute, r.name), "};".to_owned())
        };
        self.line(&open);
        self.depth += 1;
        for f in &r.fields {
            let width = f.width.map_or(String::new(), |w| format!(" : {w}"));
            let text = format!("{}{width};", self.declarator(&f.ty, &f.name));
            self.line(&text);
        }
        for m in &r.methods {
            self.function(m, &r.name);
        }
        self.depth -= 1;
        self.line(&close);
    }

    fn function(&mut self, f: &Function, class: &str) {
        let params: Vec<String> = f
            .params
            .iter()
            .map(|p| {
                let default =
                    p.default.as_ref().map_or(String::new(), |d| format!(" = {}", self.expr(d, level::ASSIGN)));
                format!("{}{default}", self.declarator(&p.ty, &p.name))
            })
            .collect();
        let name = if f.name.is_empty() { class } else { &f.name };
        let head = format!("{name}({})", params.join(", "));
        let text = format!("{}{}{} {{", f.prefix, self.declarator(&f.ret, &head), f.suffix);
        self.line(&text);
        self.body(&f.body);
        self.line("}");
    }

    fn body(&mut self, stmts: &[Stmt]) {
        self.depth += 1;
        for s in stmts {
            self.stmt(s);
        }
        self.depth -= 1;
    }

    fn decl_line(&mut self, d: &Decl) {
        let text = format!("{};", self.decl(d));
        self.line(&text);
    }

    fn decl(&self, d: &Decl) -> String {
        let init = d.init.as_ref().map_or(String::new(), |e| format!(" = {}", self.expr(e, level::ASSIGN)));
        format!("{}{}{init}", d.prefix, self.declarator(&d.ty, &d.name))
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Decl(d) => self.decl_line(d),
            Stmt::Expr(e) => {
                let text = format!("{};", self.expr(e, 0));
                self.line(&text);
            }
            Stmt::Block(b) => self.braced("{", b, "}"),
            Stmt::If(c, yes, no) => {
                let head = format!("if ({}) {{", self.expr(c, 0));
                if no.is_empty() {
                    self.braced(&head, yes, "}");
                } else {
                    self.braced(&head, yes, "} else {");
                    self.body(no);
                    self.line("}");
                }
            }
            Stmt::For { hint, init, cond, step, body } => {
                self.hint(hint);
                let init = match init.as_deref() {
                    Some(Stmt::Decl(d)) => self.decl(d),
                    Some(Stmt::Expr(e)) => self.expr(e, 0),
                    _ => String::new(),
                };
                let text = |e: &Option<Expr>| e.as_ref().map_or(String::new(), |e| format!(" {}", self.expr(e, 0)));
                let head = format!("for ({init};{};{}) {{", text(cond), text(step));
                self.braced(&head, body, "}");
            }
            Stmt::RangeFor(e, array, body) => {
                let head = format!("for ({e} : {}) {{", self.expr(array, 0));
                self.braced(&head, body, "}");
            }
            Stmt::While(hint, c, body) => {
                self.hint(hint);
                let head = format!("while ({}) {{", self.expr(c, 0));
                self.braced(&head, body, "}");
            }
            Stmt::DoWhile(body, c) => {
                let tail = format!("}} while ({});", self.expr(c, 0));
                self.braced("do {", body, &tail);
            }
            Stmt::Switch(e, arms) => self.switch(e, arms),
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Return(None) => self.line("return;"),
            Stmt::Return(Some(e)) => {
                let text = format!("return {};", self.expr(e, 0));
                self.line(&text);
            }
            Stmt::Goto(l) => self.line(&format!("goto {l};")),
            // A label needs a statement.
            Stmt::Label(l) => self.line(&format!("{l}:;")),
        }
    }

    fn switch(&mut self, e: &Expr, arms: &[super::tree::Arm]) {
        let head = format!("switch ({}) {{", self.expr(e, 0));
        self.line(&head);
        for arm in arms {
            for l in &arm.labels {
                match l {
                    Label::Case(n) => self.line(&format!("case {n}:")),
                    Label::Default => self.line("default:"),
                }
            }
            if arm.body.is_empty() {
                self.line(";");
            }
            // Declarations of one arm are not in scope in the others.
            let braces = arm.body.iter().any(|s| matches!(s, Stmt::Decl(_)));
            if braces {
                self.braced("{", &arm.body, "}");
            } else {
                self.body(&arm.body);
            }
        }
        self.line("}");
    }

    fn hint(&mut self, hint: &str) {
        if !hint.is_empty() {
            self.line(hint);
        }
    }

    fn braced(&mut self, head: &str, body: &[Stmt], tail: &str) {
        self.line(head);
        self.body(body);
        self.line(tail);
    }

    /// An expression, in parentheses if what stands around it binds tighter than it does.
    fn expr(&self, e: &Expr, around: u8) -> String {
        let (text, own) = self.bare(e);
        if own < around { format!("({text})") } else { text }
    }

    /// CUDA's `__half` is a class with more ways to other types than a cast can choose from: all go by `float`.
    fn cast_of_half(&self, to: &Ty, from: &Expr) -> (String, u8) {
        let float = Ty::Scalar(Scalar::F32);
        if *to == HALF {
            return (format!("__float2half({})", self.expr(&from.clone().cast(float), level::ASSIGN)), level::POSTFIX);
        }
        let value = format!("__half2float({})", self.expr(from, level::ASSIGN));
        match *to == float {
            true => (value, level::POSTFIX),
            false => (format!("({}){value}", self.declarator(to, "")), level::PREFIX),
        }
    }

    fn list(&self, args: &[Expr]) -> String {
        let texts: Vec<String> = args.iter().map(|a| self.expr(a, level::ASSIGN)).collect();
        texts.join(", ")
    }

    /// An expression without parentheses around it, and how tightly it binds.
    fn bare(&self, e: &Expr) -> (String, u8) {
        let a = &e.args;
        match &e.form {
            Form::Literal(bits) => self.literal(&e.ty, *bits),
            Form::Name(n) => (n.clone(), level::POSTFIX),
            Form::Prefix(op) => {
                let inner = self.expr(&a[0], level::PREFIX);
                // `- -a` is not `--a`, and `& &a` not `&&a`.
                let apart = inner.starts_with(&op[op.len() - 1..]);
                (format!("{op}{}{inner}", if apart { " " } else { "" }), level::PREFIX)
            }
            Form::Postfix(op) => (format!("{}{op}", self.expr(&a[0], level::POSTFIX)), level::POSTFIX),
            Form::Binary(op) => {
                let own = binary_level(op);
                // Assignments bind from the right.
                let (l, r) = if own == level::ASSIGN { (level::PREFIX, own) } else { (own, own + 1) };
                let space = if *op == "," { "" } else { " " };
                (format!("{}{space}{op} {}", self.expr(&a[0], l), self.expr(&a[1], r)), own)
            }
            Form::Ternary => {
                let (c, x) = (self.expr(&a[0], level::TERNARY + 1), self.expr(&a[1], level::COMMA));
                (format!("{c} ? {x} : {}", self.expr(&a[2], level::TERNARY)), level::TERNARY)
            }
            Form::Call(f) => (format!("{f}({})", self.list(a)), level::POSTFIX),
            Form::Method(f) => {
                (format!("{}.{f}({})", self.expr(&a[0], level::POSTFIX), self.list(&a[1..])), level::POSTFIX)
            }
            Form::Member(f) => (format!("{}.{f}", self.expr(&a[0], level::POSTFIX)), level::POSTFIX),
            Form::Arrow(f) => (format!("{}->{f}", self.expr(&a[0], level::POSTFIX)), level::POSTFIX),
            Form::Index => (format!("{}[{}]", self.expr(&a[0], level::POSTFIX), self.expr(&a[1], 0)), level::POSTFIX),
            Form::Cast if !self.opencl && (e.ty == HALF || a[0].ty == HALF) => self.cast_of_half(&e.ty, &a[0]),
            Form::Cast => {
                (format!("({}){}", self.declarator(&e.ty, ""), self.expr(&a[0], level::PREFIX)), level::PREFIX)
            }
            Form::Construct => (self.construct(&e.ty, a), level::POSTFIX),
            Form::Braces => (format!("{{{}}}", self.list(a)), level::POSTFIX),
            Form::Lambda(l) => (self.lambda(l), level::POSTFIX),
        }
    }

    fn lambda(&self, l: &super::tree::Lambda) -> String {
        let params: Vec<String> = l.params.iter().map(|p| self.declarator(&p.ty, &p.name)).collect();
        let mut inner = Printer { out: String::new(), opencl: self.opencl, depth: self.depth };
        inner.body(&l.body);
        inner.indent();
        format!("[{}]({}) {{\n{}}}", l.capture, params.join(", "), inner.out)
    }

    fn construct(&self, ty: &Ty, args: &[Expr]) -> String {
        let list = self.list(args);
        match ty {
            Ty::Vector(..) if self.opencl => format!("(({})({list}))", self.declarator(ty, "")),
            Ty::Vector(s, n) => {
                // CUDA has no way to repeat one value.
                let list = if args.len() == 1 { vec![list; usize::from(*n)].join(", ") } else { list };
                format!("make_{}({list})", self.vector(*s, *n))
            }
            _ => format!("{}({list})", self.declarator(ty, "")),
        }
    }

    fn literal(&self, ty: &Ty, bits: u64) -> (String, u8) {
        let s = match ty {
            Ty::Scalar(s) => *s,
            Ty::Vector(s, n) => {
                let one = Expr::literal(*s, bits);
                return (self.construct(&Ty::Vector(*s, *n), &[one]), level::POSTFIX);
            }
            _ => return (bits.to_string(), level::POSTFIX),
        };
        let negative = |v: i64, suffix: &str| {
            let text = if v == i64::MIN {
                format!("(-{}{suffix} - 1)", i64::MAX)
            } else if v == i64::from(i32::MIN) && suffix.is_empty() {
                format!("(-{} - 1)", i32::MAX)
            } else if v < 0 {
                return (format!("{v}{suffix}"), level::PREFIX);
            } else {
                format!("{v}{suffix}")
            };
            (text, level::POSTFIX)
        };
        let long = if self.opencl { "L" } else { "LL" };
        match s {
            Scalar::I32 => negative(i64::from(bits as u32 as i32), ""),
            Scalar::U32 => (format!("{}u", bits as u32), level::POSTFIX),
            Scalar::I64 => negative(bits as i64, long),
            Scalar::U64 => (format!("{bits}U{long}"), level::POSTFIX),
            Scalar::F32 => float(&format!("{:?}f", f32::from_bits(bits as u32))),
            Scalar::F64 => float(&format!("{:?}", f64::from_bits(bits))),
            Scalar::F16 if self.opencl => float(&format!("{:?}h", f32::from_bits(bits as u32))),
            Scalar::F16 => (format!("__float2half({:?}f)", f32::from_bits(bits as u32)), level::POSTFIX),
            Scalar::I8 => (format!("({})({})", self.scalar(s), bits as i8), level::PREFIX),
            Scalar::I16 => (format!("({})({})", self.scalar(s), bits as i16), level::PREFIX),
            Scalar::U8 | Scalar::U16 => (format!("({}){}", self.scalar(s), bits), level::PREFIX),
        }
    }
}

fn float(text: &str) -> (String, u8) {
    (text.to_owned(), if text.starts_with('-') { level::PREFIX } else { level::POSTFIX })
}
