//! Structures, unions, bit-fields, enumerations and names for types.

use super::Gen;
use crate::sourcegen::tree::{Expr, Field, Form, Item, Record, Scalar, Ty};

/// What expressions know of a structure or union.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) name: String,
    pub(super) union: bool,
    /// Types and names; of a bit-field the type that it has as an operand.
    pub(super) fields: Vec<(Ty, String)>,
    /// Which of the fields are bit-fields.
    pub(super) bits: Vec<bool>,
    /// Whether its size is the same everywhere.
    pub(super) sized: bool,
    /// Of a class with constructors the types of its fields: the first and third, and the second.
    pub(super) class: Option<(Scalar, Scalar)>,
}

impl Gen {
    /// The program's types.
    pub(super) fn types(&mut self) {
        if self.rng.chance(30) {
            let (a, b) = (self.rng.range(-5, 5), self.rng.range(6, 300));
            let name = self.name("E");
            let text = format!("enum {name} {{ {name}_A = {a}, {name}_B, {name}_C = {b} }}");
            // In C it is known outside of the structure that it stands in.
            let inside = self.opencl && self.rng.chance(40);
            let text = if inside { format!("struct {name}_S {{ int n; {text} e; }};") } else { format!("{text};") };
            self.items.push(Item::Text(text));
            for suffix in ["A", "B", "C"] {
                let v = super::Var::fixed(format!("{name}_{suffix}"), Scalar::I32).uniform();
                self.vars.push(v);
            }
        }
        for _ in 0..1 + self.rng.below(3) {
            match self.rng.below(5) {
                0 => self.union(),
                1 => self.bit_fields(),
                _ => self.structure(),
            }
        }
    }

    fn add_record(&mut self, union: bool, fields: Vec<Field>, attribute: &str) {
        let name = self.name(if union { "U" } else { "S" });
        let known: Vec<&Field> = fields.iter().filter(|f| !f.name.is_empty()).collect();
        self.records.push(Shape {
            name: name.clone(),
            union,
            bits: known.iter().map(|f| f.width.is_some()).collect(),
            fields: known.iter().map(|f| (f.ty.clone(), f.name.clone())).collect(),
            sized: attribute.is_empty() && fields.iter().all(|f| f.width.is_none()),
            class: None,
        });
        let attribute = attribute.to_owned();
        self.items.push(Item::Record(Record { name, union, fields, methods: Vec::new(), attribute }));
    }

    fn structure(&mut self) {
        let mut fields = Vec::new();
        for n in 0..2 + self.rng.below(3) {
            let ty = match self.rng.below(12) {
                0 | 1 => {
                    let (s, n) = self.vector_type(false);
                    Ty::Vector(s, n.min(4))
                }
                2 => Ty::Array(Box::new(self.element_type().into()), self.rng.pick(&[2, 3, 4])),
                3 => self.float_type().into(),
                4 if !self.records.is_empty() => {
                    Ty::Named(self.records[self.rng.below(self.records.len())].name.clone())
                }
                _ => self.rng.pick(&Scalar::INTEGERS).into(),
            };
            fields.push(Field { ty, name: format!("f{n}"), width: None });
        }
        let plain = fields.iter().all(|f| matches!(f.ty, Ty::Scalar(_)));
        let packed = self.opencl && plain && self.rng.chance(15);
        self.add_record(false, fields, if packed { "__attribute__((packed)) " } else { "" });
    }

    fn bit_fields(&mut self) {
        let mut fields = Vec::new();
        for n in 0..2 + self.rng.below(4) {
            let s = self.rng.pick(&[Scalar::I32, Scalar::U32, Scalar::U32, Scalar::U8, Scalar::I16]);
            let width = 1 + self.rng.below(s.bits() as usize) as u32;
            if self.rng.chance(12) {
                fields.push(Field { ty: s.into(), name: String::new(), width: Some(0) });
            }
            let width = if self.rng.chance(85) { Some(width) } else { None };
            fields.push(Field { ty: s.into(), name: format!("b{n}"), width });
        }
        let packed = self.opencl && self.rng.chance(25);
        self.add_record(false, fields, if packed { "__attribute__((packed)) " } else { "" });
    }

    /// In C each field may be read whichever was written; in C++ only that one, and there is one.
    fn union(&mut self) {
        let name = |n: usize| format!("u{n}");
        let wide = self.rng.chance(50);
        let mut types: Vec<Ty> = if wide {
            vec![Scalar::U64.into(), Scalar::I64.into()]
        } else {
            vec![Scalar::U32.into(), Scalar::I32.into()]
        };
        let total = if wide { 8 } else { 4 };
        if self.opencl {
            types.push(Ty::Array(Box::new(Scalar::U8.into()), total));
            types.push(Ty::Vector(Scalar::U16, (total / 2) as u8));
            types.push(Ty::Vector(Scalar::I8, total as u8));
        }
        let fields = types.into_iter().enumerate();
        let fields = fields.map(|(n, ty)| Field { ty, name: name(n), width: None }).collect();
        self.add_record(true, fields, "");
    }

    /// A structure to declare a variable of.
    pub(super) fn any_record(&mut self) -> Option<Shape> {
        if self.records.is_empty() { None } else { Some(self.records[self.rng.below(self.records.len())].clone()) }
    }

    pub(super) fn shape(&self, name: &str) -> Option<&Shape> {
        self.records.iter().find(|r| r.name == name)
    }

    /// What a variable of a type may begin with.
    pub(super) fn initialiser(&mut self, ty: &Ty, depth: u32) -> Option<Expr> {
        if !matches!(ty, Ty::Scalar(_))
            && self.rng.chance(20)
            && let Some(e) = self.whole_place(ty).filter(|_| !matches!(ty, Ty::Array(..)))
        {
            return Some(e);
        }
        match ty {
            Ty::Scalar(s) if s.is_float() => Some(self.float(*s, depth)),
            Ty::Scalar(s) => {
                let e = self.int(depth);
                Some(self.fitting(e, *s))
            }
            Ty::Vector(s, n) if s.is_float() => Some(self.float_vector(*s, *n, depth)),
            Ty::Vector(s, n) => Some(self.vector(*s, *n, depth)),
            Ty::Array(t, n) => {
                let list: Option<Vec<Expr>> = (0..*n).map(|_| self.initialiser(t, depth.min(1))).collect();
                Some(Expr::new(ty.clone(), Form::Braces, list?))
            }
            Ty::Named(name) => {
                let shape = self.shape(name)?.clone();
                let many = if shape.union { 1 } else { shape.fields.len() };
                let list: Option<Vec<Expr>> =
                    shape.fields[..many].iter().map(|(t, _)| self.initialiser(t, depth.min(1))).collect();
                Some(Expr::new(ty.clone(), Form::Braces, list?))
            }
            _ => None,
        }
    }

    /// In braces C++ narrows nothing by itself.
    fn fitting(&mut self, e: Expr, s: Scalar) -> Expr {
        if self.opencl && self.rng.chance(70) { e } else { e.cast(s) }
    }
}
