//! Integer constant expressions (C11, 6.6): extents and steps in the tree, and operands of clauses, which are text.

use crate::ctype::{Shape, number_bytes};
use crate::scope::{Scopes, Site, Storage};
use crate::sources::Declarations;
use crate::unit::{Unit, words};
use directives::{DeviceClass, Text};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use std::cell::{Cell, RefCell};
use std::fmt::Write;
use syntax::ast::{BinaryOp, BuiltinType, DeclId, DeclKind, ExprId, ExprKind, Init, NameId, TypeId, TypeKind, UnaryOp};

/// Most nodes that one value is made of, those of enumerators and types included.
const MAX_STEPS: u32 = 10_000;

/// Deepest nesting, through enumerators, too.
const MAX_DEPTH: u32 = 200;

/// The name that an operand's value has in a text of its own.
const VALUE: &str = "__unspool_value";

impl Unit {
    /// The value of an integer constant expression.
    pub(crate) fn constant(&self, e: ExprId) -> Option<i128> {
        Evaluator::new(self, None).value(e, 0)
    }
}

/// The value of an integer constant expression, `sizeof` of variables among them.
pub(crate) fn of_expression(unit: &Unit, scopes: &Scopes, e: ExprId) -> Option<i128> {
    Evaluator::new(unit, Some(scopes)).value(e, 0)
}

/// The value of a clause's operand, if it is an integer constant expression where the directive stands.
pub(crate) fn of_operand(unit: &Unit, scopes: &Scopes, site: &Site, at: &Text) -> Option<i128> {
    let text = unit.text[at.clone()].trim();
    if let Ok(n) = text.parse() {
        return Some(n);
    }
    // Names mean what they do at the directive: variables hide enumerators.
    let mut needs = FxHashSet::default();
    let mut variables = String::new();
    for word in words(text) {
        let var = site.names.get(word).map(|&v| scopes.var(v)).filter(|v| v.storage != Storage::Other);
        let Some(var) = var else {
            needs.insert(word.to_owned());
            continue;
        };
        let ty = var.ty?;
        let is_array_parameter = var.storage == Storage::Param && matches!(unit.shape(ty), Shape::Array(..));
        let declaration = if is_array_parameter { format!("void *{word}") } else { unit.declare(ty, word)? };
        needs.extend(words(&declaration).filter(|w| *w != word).map(str::to_owned));
        let _ = writeln!(variables, "extern {declaration};");
    }
    let known = Declarations::of(unit, scopes, needs, site.directive.span.start, None).ok()?.text;
    let own = Unit::new("operand", format!("{known}{variables}long {VALUE} = ({text});\n")).ok()?;
    let in_own = Scopes::of(&own, DeviceClass::Host);
    let value = own.ast.top.iter().rev().find_map(|&d| match own.ast[d].kind {
        DeclKind::Var { init: Init::Copy(e), .. } if own.slice(own.ast[own.ast[d].name].span) == VALUE => Some(e),
        _ => None,
    })?;
    Evaluator::new(&own, Some(&in_own)).value(value, 0)
}

struct Evaluator<'a> {
    unit: &'a Unit,
    /// For `sizeof` of variables.
    scopes: Option<&'a Scopes>,
    steps: Cell<u32>,
    /// Values of enumerators; none while they are looked for, as one may name itself.
    known: RefCell<FxHashMap<Symbol, Option<i128>>>,
}

impl<'a> Evaluator<'a> {
    fn new(unit: &'a Unit, scopes: Option<&'a Scopes>) -> Self {
        Self { unit, scopes, steps: Cell::new(0), known: RefCell::default() }
    }

    fn value(&self, e: ExprId, depth: u32) -> Option<i128> {
        self.steps.set(self.steps.get() + 1);
        if depth > MAX_DEPTH || self.steps.get() > MAX_STEPS {
            return None;
        }
        let value = |e: ExprId| self.value(e, depth + 1);
        match self.unit.ast[e].kind {
            ExprKind::Int(i) => Some(i128::from(i.value)),
            ExprKind::Char(c) => Some(i128::from(c.value)),
            ExprKind::Bool(b) => Some(i128::from(b)),
            ExprKind::Paren(a) | ExprKind::Unary(UnaryOp::Plus | UnaryOp::Extension, a) => value(a),
            ExprKind::Unary(UnaryOp::Minus, a) => value(a)?.checked_neg(),
            ExprKind::Unary(UnaryOp::Not, a) => Some(i128::from(value(a)? == 0)),
            ExprKind::Unary(UnaryOp::BitNot, a) => Some(!value(a)?),
            ExprKind::Cast { ty, operand, .. } => self.converted(ty, value(operand)?),
            ExprKind::Binary(BinaryOp::LogAnd, a, b) => Some(i128::from(value(a)? != 0 && value(b)? != 0)),
            ExprKind::Binary(BinaryOp::LogOr, a, b) => Some(i128::from(value(a)? != 0 || value(b)? != 0)),
            ExprKind::Binary(op, a, b) => binary(op, value(a)?, value(b)?),
            ExprKind::Cond { cond, then, els } => match (value(cond)?, then) {
                (0, _) => value(els),
                (_, Some(then)) => value(then),
                (n, None) => Some(n),
            },
            ExprKind::SizeofType(ty) => self.size(ty, depth + 1).map(|(bytes, _)| bytes),
            ExprKind::SizeofExpr(a) => {
                let ty = self.unit.type_of(self.scopes?, a)?;
                self.size(ty, depth + 1).map(|(bytes, _)| bytes)
            }
            ExprKind::Name(n) => self.enumerator(n, depth + 1),
            _ => None,
        }
    }

    /// What a value becomes by a cast to an integer's type.
    fn converted(&self, ty: TypeId, value: i128) -> Option<i128> {
        use BuiltinType as B;
        let kind = match self.unit.shape(ty) {
            Shape::Enum => return Some(value),
            Shape::Number(b) => b,
            _ => return None,
        };
        Some(match kind {
            B::Bool => i128::from(value != 0),
            B::Char | B::SChar => i128::from(value as i8),
            B::UChar => i128::from(value as u8),
            B::Short => i128::from(value as i16),
            B::UShort => i128::from(value as u16),
            B::Int => i128::from(value as i32),
            B::UInt => i128::from(value as u32),
            B::Long | B::LongLong => i128::from(value as i64),
            B::ULong | B::ULongLong => i128::from(value as u64),
            _ => return None,
        })
    }

    /// Bytes and alignment of a type on the host.
    fn size(&self, ty: TypeId, depth: u32) -> Option<(i128, i128)> {
        self.steps.set(self.steps.get() + 1);
        if depth > MAX_DEPTH || self.steps.get() > MAX_STEPS {
            return None;
        }
        if let Shape::Array(element, _) = self.unit.shape(ty) {
            let TypeKind::Array { size, .. } = self.unit.ast[self.unit.resolve(ty)].kind else { return None };
            let (syntax::ast::ArraySize::Expr(n) | syntax::ast::ArraySize::Static(n)) = size else { return None };
            let (bytes, align) = self.size(element, depth + 1)?;
            let n = self.value(n, depth + 1).filter(|&n| n >= 0)?;
            return Some((bytes.checked_mul(n)?, align));
        }
        let bytes = match self.unit.shape(ty) {
            Shape::Number(BuiltinType::ComplexFloat) => return Some((8, 4)),
            Shape::Number(BuiltinType::ComplexDouble) => return Some((16, 8)),
            Shape::Number(b) => i128::from(number_bytes(b)?),
            Shape::Enum => 4,
            Shape::Pointer(_) => 8,
            Shape::Record => return self.record(ty, depth),
            _ if matches!(self.unit.ast[self.unit.resolve(ty)].kind, TypeKind::Builtin(BuiltinType::LongDouble)) => 16,
            _ => return None,
        };
        Some((bytes, bytes))
    }

    /// A structure or union of plain members; others have a layout that only the host knows.
    fn record(&self, ty: TypeId, depth: u32) -> Option<(i128, i128)> {
        let ast = &self.unit.ast;
        let (record, at) = self.unit.record(ty)?;
        let record = &ast[record];
        let special = |w: &str| matches!(w, "__attribute__" | "_Alignas");
        if record.pack != 0 || words(self.unit.slice(at)).any(special) {
            return None;
        }
        let (mut bytes, mut most) = (0i128, 1i128);
        for &m in ast.list(record.members) {
            let DeclKind::Field { ty, bits: None, .. } = ast[m].kind else { return None };
            let (size, align) = self.size(ty, depth + 1)?;
            most = most.max(align);
            bytes = match record.tag {
                syntax::ast::TagKind::Union => bytes.max(size),
                _ => rounded(bytes, align)?.checked_add(size)?,
            };
        }
        Some((rounded(bytes, most)?, most))
    }

    fn enumerator(&self, n: NameId, depth: u32) -> Option<i128> {
        let wanted = self.unit.ast.plain_name(n)?;
        if let Some(&value) = self.known.borrow().get(&wanted) {
            return value;
        }
        self.known.borrow_mut().insert(wanted, None);
        let value = self.counted(wanted, depth);
        self.known.borrow_mut().insert(wanted, value);
        value
    }

    /// An enumerator's value: the last one written at or before it, and how far that is.
    fn counted(&self, wanted: Symbol, depth: u32) -> Option<i128> {
        let unit = self.unit;
        let &external = unit.declared.get(unit.session.str(wanted))?.last()?;
        let range = &unit.externals[external];
        let from = unit.ast.top.partition_point(|&d| unit.range(unit.ast[d].span).start < range.start);
        let here = unit.ast.top[from..].iter().take_while(|&&d| unit.range(unit.ast[d].span).start < range.end);
        here.copied().find_map(|d| {
            let DeclKind::Enum { members: Some(members), .. } = unit.ast[d].kind else { return None };
            let list = unit.ast.list(members);
            let at = list.iter().position(|&m| unit.ast.plain_name(unit.ast[m].name) == Some(wanted))?;
            let written = |&m: &DeclId| match unit.ast[m].kind {
                DeclKind::Enumerator { value } => value,
                _ => None,
            };
            match list[..=at].iter().enumerate().rev().find_map(|(i, m)| Some((i, written(m)?))) {
                Some((i, e)) => self.value(e, depth)?.checked_add((at - i) as i128),
                None => Some(at as i128),
            }
        })
    }
}

fn binary(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    use BinaryOp as O;
    Some(match op {
        O::Add => a.checked_add(b)?,
        O::Sub => a.checked_sub(b)?,
        O::Mul => a.checked_mul(b)?,
        O::Div => a.checked_div(b)?,
        O::Rem => a.checked_rem(b)?,
        // Of more than 64 bits no type is.
        O::Shl if (0..64).contains(&b) => a.checked_mul(1i128 << b)?,
        O::Shr if (0..64).contains(&b) => a >> b,
        O::BitAnd => a & b,
        O::BitOr => a | b,
        O::BitXor => a ^ b,
        O::Lt => i128::from(a < b),
        O::Gt => i128::from(a > b),
        O::Le => i128::from(a <= b),
        O::Ge => i128::from(a >= b),
        O::Eq => i128::from(a == b),
        O::Ne => i128::from(a != b),
        _ => return None,
    })
}

/// The next multiple of `align`.
fn rounded(bytes: i128, align: i128) -> Option<i128> {
    Some(bytes.checked_add(align - 1)? / align * align)
}
