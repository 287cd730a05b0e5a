//! `#pragma acc atomic`: the statement behind it becomes operations that other work-items see at once.

use crate::ctype::{Shape, c_name, number_bytes};
use crate::edit::Edits;
use crate::loops::strip;
use crate::scope::{Scopes, Site};
use crate::unit::Unit;
use directives::ClauseKind;
use syntax::ast::{BinaryOp, BuiltinType, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};

/// An update `place = place op value` or `place = value op place`.
struct Update {
    place: ExprId,
    op: BinaryOp,
    value: Option<ExprId>,
    /// The value is the left operand.
    swapped: bool,
}

/// Rewrites the statement of a directive.
pub(crate) fn rewrite(unit: &Unit, scopes: &Scopes, site: &Site, edits: &mut Edits) -> Result<(), String> {
    let target = alone(unit, site.target.ok_or("`atomic` without a statement")?);
    let d = &site.directive;
    let range = unit.range(unit.ast[target].span);
    let text = |e: ExprId, edits: &Edits| edits.apply(&unit.text, unit.range(unit.ast[e].span));
    let new = if d.has(ClauseKind::Capture) {
        capture(unit, scopes, target, edits)?
    } else {
        let StmtKind::Expr(e) = unit.ast[target].kind else {
            return Err(form("", "x op= e;").replace("atomic ` ", "atomic` "));
        };
        let e = strip(unit, e);
        if d.has(ClauseKind::Read) {
            let ExprKind::Assign(None, v, x) = unit.ast[e].kind else { return Err(form("read", "v = x;")) };
            let ty = number(unit, scopes, x)?;
            format!("{} = *(volatile {ty} *)&({});", text(v, edits), text(x, edits))
        } else if d.has(ClauseKind::Write) {
            if let ExprKind::Assign(None, x, v) = unit.ast[e].kind {
                let ty = number(unit, scopes, x)?;
                format!("*(volatile {ty} *)&({}) = {};", text(x, edits), text(v, edits))
            } else {
                // What is meant is plain, and programs that NVIDIA's compilers take have it.
                let u = update(unit, e).ok_or_else(|| form("write", "x = expression;"))?;
                write(unit, scopes, &u, "", "", edits)?
            }
        } else {
            let u = update(unit, e).ok_or_else(|| form("update", "x++;`, `x op= e;` or `x = x op e;"))?;
            write(unit, scopes, &u, "", "", edits)?
        }
    };
    edits.replace(range, new);
    Ok(())
}

/// The statement that a block consists of; others as they are.
fn alone(unit: &Unit, mut target: StmtId) -> StmtId {
    while let StmtKind::Compound(list) = unit.ast[target].kind
        && let &[one] = unit.ast.list(list)
    {
        target = one;
    }
    target
}

/// Whether `atomic write` stands before an update.
pub(crate) fn writes_update(unit: &Unit, site: &Site) -> bool {
    let Some(target) = site.target.filter(|_| site.directive.has(ClauseKind::Write)) else { return false };
    let StmtKind::Expr(e) = unit.ast[alone(unit, target)].kind else { return false };
    !matches!(unit.ast[strip(unit, e)].kind, ExprKind::Assign(None, ..)) && update(unit, e).is_some()
}

/// What the statement of a directive is not, if it is none of the forms that there are.
pub(crate) fn misformed(unit: &Unit, scopes: &Scopes, site: &Site) -> Option<String> {
    rewrite(unit, scopes, site, &mut Edits::default()).err().filter(|why| why.contains(NEEDS))
}

/// What messages about forms have, and no others.
const NEEDS: &str = "needs a statement of the form";

fn form(what: &str, like: &str) -> String {
    format!("`atomic {what}` {NEEDS} `{like}`")
}

/// The C name of a number's type, one that is read and written at once.
fn number(unit: &Unit, scopes: &Scopes, e: ExprId) -> Result<&'static str, String> {
    let b = builtin(unit, scopes, e)?;
    number_bytes(b).map(|_| c_name(b)).ok_or_else(|| format!("`atomic` on `{}` is not supported", c_name(b)))
}

fn builtin(unit: &Unit, scopes: &Scopes, e: ExprId) -> Result<BuiltinType, String> {
    let shape = unit.type_of(scopes, e).map(|t| unit.shape(t));
    match shape {
        Some(Shape::Number(b)) => Ok(b),
        _ => Err(format!("`atomic` on `{}`, which is no number", unit.slice(unit.ast[e].span))),
    }
}

/// Whether two expressions are spelt alike.
fn alike(unit: &Unit, a: ExprId, b: ExprId) -> bool {
    let words = |e: ExprId| unit.slice(unit.ast[strip(unit, e)].span).split_whitespace().collect::<String>();
    words(a) == words(b)
}

fn update(unit: &Unit, e: ExprId) -> Option<Update> {
    let plain = |place, op, value| Some(Update { place, op, value: Some(value), swapped: false });
    match unit.ast[strip(unit, e)].kind {
        ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PostInc, place) => {
            Some(Update { place, op: BinaryOp::Add, value: None, swapped: false })
        }
        ExprKind::Unary(UnaryOp::PreDec | UnaryOp::PostDec, place) => {
            Some(Update { place, op: BinaryOp::Sub, value: None, swapped: false })
        }
        ExprKind::Assign(Some(op), place, value) => plain(place, op, value),
        ExprKind::Assign(None, place, sum) => {
            let ExprKind::Binary(op, a, b) = unit.ast[strip(unit, sum)].kind else { return None };
            if alike(unit, place, a) {
                return plain(place, op, b);
            }
            if alike(unit, place, b) {
                return Some(Update { place, op, value: Some(a), swapped: true });
            }
            // `x = x op e op f`, which the parser has grouped from the left.
            None
        }
        _ => None,
    }
}

/// The statements of an update; `before` and `after` take the old and the new value, if they are places.
fn write(unit: &Unit, scopes: &Scopes, u: &Update, before: &str, after: &str, edits: &Edits) -> Result<String, String> {
    let text = |e: ExprId| edits.apply(&unit.text, unit.range(unit.ast[e].span));
    let b = builtin(unit, scopes, u.place)?;
    let (ty, place) = (c_name(b), text(u.place));
    let value = u.value.map_or("1".to_owned(), text);
    let keep = |name: &str, place: &str| if place.is_empty() { String::new() } else { format!(" {place} = {name};") };
    let float = matches!(b, BuiltinType::Float | BuiltinType::Double);
    let bytes = number_bytes(b).ok_or("`atomic` on a type that is not supported")?;
    let wide = matches!(bytes, 4 | 8);
    if wide && !u.swapped && matches!(u.op, BinaryOp::Add | BinaryOp::Sub) {
        let sign = if u.op == BinaryOp::Sub { "-" } else { "" };
        let op = u.op.as_str();
        return Ok(format!(
            "{{ {ty} __v = ({ty})({value}); {ty} __o = __unspool_atomic_add(&({place}), ({ty}){sign}__v);{}{} }}",
            keep("__o", before),
            keep(&format!("__o {op} __v"), after)
        ));
    }
    if !wide {
        let sum = if u.swapped { format!("__v {} __o", u.op.as_str()) } else { format!("__o {} __v", u.op.as_str()) };
        return narrow(ty, bytes, &place, &value, &sum, &keep("__o", before), &keep("__n", after));
    }
    let word = if bytes == 4 { "unsigned int" } else { "unsigned long" };
    let sum =
        if u.swapped { format!("(__v {} __u.v)", u.op.as_str()) } else { format!("(__u.v {} __v)", u.op.as_str()) };
    let value_ty = if float || matches!(u.op, BinaryOp::Shl | BinaryOp::Shr) {
        format!("__typeof__({value})")
    } else {
        ty.to_owned()
    };
    Ok(format!(
        "{{ {value_ty} __v = {value}; union {{ {ty} v; {word} w; }} __u, __n; {word} *__a = ({word} *)&({place}), __w = *(volatile {word} *)__a, __s; \
         do {{ __s = __w; __u.w = __s; __n.v = ({ty}){sum}; __w = __unspool_atomic_cas(__a, __s, __n.w); }} while (__w != __s);{}{} }}",
        keep("__u.v", before),
        keep("__n.v", after)
    ))
}

/// An update of one or two bytes: they are replaced in the word around them. `sum` computes the new value from the old one `__o` and
/// the operand `__v`.
fn narrow(
    ty: &str,
    bytes: u32,
    place: &str,
    value: &str,
    sum: &str,
    before: &str,
    after: &str,
) -> Result<String, String> {
    let (bits, mask) = match bytes {
        1 => ("unsigned char", "0xffu"),
        2 => ("unsigned short", "0xffffu"),
        _ => return Err(format!("`atomic` on `{ty}`, which has {bytes} bytes, is not supported")),
    };
    Ok(format!(
        "{{ __typeof__({value}) __v = {value}; unsigned long __p = (unsigned long)&({place}); unsigned int *__a = (unsigned int *)(__p & ~3ul); \
         unsigned int __b = (unsigned int)(__p & 3) * 8, __w = *(volatile unsigned int *)__a, __s; {ty} __o, __n; \
         do {{ __s = __w; __o = ({ty})({bits})(__s >> __b); __n = ({ty})({sum}); \
         __w = __unspool_atomic_cas(__a, __s, (__s & ~({mask} << __b)) | ((unsigned int)({bits})__n << __b)); }} while (__w != __s);{before}{after} }}"
    ))
}

/// `v = x op= e;`, `v = x++;`, `v = ++x;`, `{ v = x; update }`, `{ update; v = x; }`, `{ v = x; x = e; }`.
fn capture(unit: &Unit, scopes: &Scopes, target: StmtId, edits: &Edits) -> Result<String, String> {
    let text = |e: ExprId| edits.apply(&unit.text, unit.range(unit.ast[e].span));
    let bad = || form("capture", "v = x++;` or `{ v = x; x op= e; }");
    let expression = |s: StmtId| match unit.ast[s].kind {
        StmtKind::Expr(e) => Some(strip(unit, e)),
        _ => None,
    };
    if let Some(e) = expression(target) {
        let ExprKind::Assign(None, v, inner) = unit.ast[e].kind else { return Err(bad()) };
        let inner = strip(unit, inner);
        let old = matches!(unit.ast[inner].kind, ExprKind::Unary(UnaryOp::PostInc | UnaryOp::PostDec, _));
        let u = update(unit, inner).ok_or_else(bad)?;
        let v = text(v);
        let (before, after) = if old { (v, String::new()) } else { (String::new(), v) };
        return write(unit, scopes, &u, &before, &after, edits);
    }
    let StmtKind::Compound(list) = unit.ast[target].kind else { return Err(bad()) };
    let &[first, second] = unit.ast.list(list) else { return Err(bad()) };
    let (first, second) = (expression(first).ok_or_else(bad)?, expression(second).ok_or_else(bad)?);
    if let ExprKind::Assign(None, v, x) = unit.ast[first].kind {
        if let Some(u) = update(unit, second).filter(|u| alike(unit, u.place, x)) {
            return write(unit, scopes, &u, &text(v), "", edits);
        }
        if let ExprKind::Assign(None, place, value) = unit.ast[second].kind
            && alike(unit, place, x)
        {
            let ty = number(unit, scopes, x)?;
            let bytes = number_bytes(builtin(unit, scopes, x)?).unwrap_or(0);
            if !matches!(bytes, 4 | 8) {
                let keep = format!(" {} = __o;", text(v));
                return narrow(ty, bytes, &text(x), &text(value), "__v", &keep, "");
            }
            return Ok(format!("{} = __unspool_atomic_exchange(&({}), ({ty})({}));", text(v), text(x), text(value)));
        }
    }
    if let ExprKind::Assign(None, v, x) = unit.ast[second].kind {
        let u = update(unit, first).filter(|u| alike(unit, u.place, x)).ok_or_else(bad)?;
        return write(unit, scopes, &u, "", &text(v), edits);
    }
    Err(bad())
}
