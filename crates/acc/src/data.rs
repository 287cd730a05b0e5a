//! Data clauses and implicit data as C: initialisers of `struct __unspool_acc_item`, whose sizes the host evaluates.

use crate::constant;
use crate::ctype::Shape;
use crate::extent::Extent;
use crate::scope::{Scopes, Site, Storage, Var, VarId};
use crate::unit::Unit;
use directives::{Clause, ClauseKind, Kind, Operand, Section, Variable};
use syntax::ast::{BinaryOp, ExprId, ExprKind, TypeId, UnaryOp};

/// What the run-time library does with an item. The numbers are part of the interface with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Action {
    Copy = 1,
    Copyin = 2,
    Copyout = 3,
    Create = 4,
    NoCreate = 5,
    Present = 6,
    Deviceptr = 7,
    Attach = 8,
    Detach = 9,
    Delete = 10,
    UpdateHost = 11,
    UpdateDevice = 12,
    /// As `copy`, for what the program does not name: present is fine, too.
    ExitCopyout = 13,
}

/// Bits of an item's flags.
pub(crate) mod flag {
    /// Memory on the device is cleared.
    pub(crate) const ZERO: u8 = 1;
    /// Transfers happen although the item is present.
    pub(crate) const ALWAYS_IN: u8 = 2;
    /// The same on the way out.
    pub(crate) const ALWAYS_OUT: u8 = 4;
    /// Counts do not matter: it goes.
    pub(crate) const FINALIZE: u8 = 8;
    /// Nothing is wrong with it not being there.
    pub(crate) const IF_PRESENT: u8 = 16;
    /// Not named by the program.
    pub(crate) const IMPLICIT: u8 = 32;
    /// A data clause that can be seen here names it: what that has brought is all that is meant.
    pub(crate) const VISIBLE: u8 = 64;
    /// The memory of members of a structure, which have items of their own behind it.
    pub(crate) const MEMBERS: u8 = 128;
}

/// The fields of `struct __unspool_acc_item` behind the first three: expressions of the host.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// The name, as it stands in a string.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) base: String,
    /// How many bytes, where it has no dimensions.
    pub(crate) bytes: String,
    /// Where the pointer to it lies, if that may lie on the device, too.
    pub(crate) pointer: String,
    /// Of each dimension: first element, number of elements, bytes of one, whether it is one of pointers.
    pub(crate) dims: Vec<[String; 4]>,
}

impl Fields {
    fn new(name: &str, base: String, bytes: String, pointer: String) -> Self {
        Self { name: name.replace('\\', "\\\\").replace('"', "\\\""), base, bytes, pointer, dims: Vec::new() }
    }

    /// The numbers of the dimensions.
    pub(crate) fn numbers(&self) -> String {
        self.dims.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// One item, ready to be written.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The variable.
    pub(crate) var: Option<VarId>,
    /// What to do.
    pub(crate) action: Action,
    /// What the host hands over.
    pub(crate) fields: Fields,
    /// As messages show it: `a[:n]`.
    pub(crate) shown: String,
    /// Whether nobody asked for it.
    pub(crate) implicit: bool,
    /// Bits of [`flag`].
    pub(crate) flags: u8,
    /// Whether it says how much there is.
    pub(crate) sized: bool,
}

/// The action of a clause on a directive, if it is about data.
pub(crate) fn action(kind: Kind, clause: ClauseKind) -> Option<Action> {
    use ClauseKind as C;
    Some(match (kind, clause) {
        (Kind::ExitData, C::Copyout) => Action::ExitCopyout,
        (_, C::Copy) => Action::Copy,
        (_, C::Copyin) => Action::Copyin,
        (_, C::Copyout) => Action::Copyout,
        (Kind::Update, C::Host | C::SelfClause) => Action::UpdateHost,
        (Kind::Update, C::Device) => Action::UpdateDevice,
        (Kind::Update | Kind::Region | Kind::DataRegion | Kind::RegionFor, C::UpdateIn) => Action::UpdateDevice,
        (Kind::Update | Kind::Region | Kind::DataRegion | Kind::RegionFor, C::UpdateOut) => Action::UpdateHost,
        (_, C::Create | C::Local | C::Mirror | C::DeviceResident | C::Link) => Action::Create,
        (_, C::NoCreate) => Action::NoCreate,
        (_, C::Present | C::Reflected) => Action::Present,
        (_, C::Deviceptr) => Action::Deviceptr,
        (_, C::Attach) => Action::Attach,
        (_, C::Detach) => Action::Detach,
        (_, C::Delete) => Action::Delete,
        _ => return None,
    })
}

/// The items of a directive's data clauses.
pub(crate) fn items(unit: &Unit, scopes: &Scopes, site: &Site) -> Vec<Item> {
    items_with(unit, scopes, site, &[])
}

/// The same; of what `copyout` names these variables are copied in, too.
pub(crate) fn items_with(unit: &Unit, scopes: &Scopes, site: &Site, partly: &[VarId]) -> Vec<Item> {
    let d = &site.directive;
    // The items by what they are about.
    let mut out: Vec<(String, Item)> = Vec::new();
    for clause in &d.clauses {
        let Some(action) = action(d.kind, clause.kind) else { continue };
        let mut flags = flags_of(clause);
        if d.has(ClauseKind::Finalize) {
            flags |= flag::FINALIZE;
        }
        if d.has(ClauseKind::IfPresent) {
            flags |= flag::IF_PRESENT;
        }
        for operand in &clause.operands {
            let var = operand.variable.as_ref().and_then(|v| site.names.get(&v.name));
            let is_partly = action == Action::Copyout && var.is_some_and(|v| partly.contains(v));
            let action = if is_partly { Action::Copy } else { action };
            // All of an array by its name, and by a section that is all of it, are the same.
            let about = match operand.variable.as_ref().zip(var) {
                Some((v, &var)) if is_all_of_array(unit, scopes, site, v, var) => v.name.clone(),
                _ => crate::unit::tidy(&unit.text[operand.text.clone()]),
            };
            let twin = out.iter_mut().find(|i| i.0 == about).map(|i| &mut i.1);
            let both = twin.as_ref().and_then(|t| together(t.action, action));
            let (action, flags) = match (&twin, both) {
                (Some(t), Some(both)) => (both, t.flags | flags),
                _ => (action, flags),
            };
            let item = named(unit, scopes, site, operand, action, flags);
            match (twin, both) {
                (Some(twin), Some(_)) => item.into_iter().for_each(|i| *twin = i),
                _ => out.extend(item.map(|i| (about, i))),
            }
        }
    }
    let mut out = out.into_iter().map(|i| i.1).collect();
    join_members(unit, scopes, site, &mut out);
    out
}

/// Whether an operand's sections are all of an array that is declared with constant extents.
fn is_all_of_array(unit: &Unit, scopes: &Scopes, site: &Site, v: &Variable, var: VarId) -> bool {
    let declared = scopes.var(var);
    let Some(ty) = declared.ty.filter(|&t| matches!(unit.shape(t), Shape::Array(..))) else { return false };
    let (dims, _) = unit.dimensions(ty);
    let value = |t: &directives::Text| constant::of_operand(unit, scopes, site, t);
    let inclusive = i128::from(site.directive.inclusive);
    let plain = unit.text[v.base.clone()] == v.name && declared.storage != Storage::Param;
    plain
        && !v.sections.is_empty()
        && v.sections.len() == dims.len()
        && v.sections.iter().zip(dims).all(|(s, extent)| {
            let from_first = s.lower.as_ref().is_none_or(|l| value(l) == Some(0));
            let to_last =
                |extent| s.upper.as_ref().is_none_or(|u| value(u).map(|n| n + inclusive) == Some(i128::from(extent)));
            s.is_range && from_first && extent.is_some_and(to_last)
        })
}

/// Members of a structure that clauses of a directive name stand on the device in memory for all of it: kernels reach each of them
/// from where the structure begins, whichever directives have brought them, and pointers among them get the device's addresses
/// there. An item for that memory stands before those of the members, which come and go one by one.
fn join_members(unit: &Unit, scopes: &Scopes, site: &Site, items: &mut Vec<Item>) {
    let d = &site.directive;
    let clauses = d.clauses.iter().filter(|c| action(d.kind, c.kind).is_some_and(comes));
    let named = clauses.flat_map(|c| &c.operands).filter_map(|o| o.variable.as_ref());
    let mut done: Vec<&str> = Vec::new();
    for v in named.filter(|v| v.sections.is_empty() && is_member(unit, scopes, site, v)) {
        if done.contains(&v.name.as_str()) {
            continue;
        }
        let (shown, action, flags) = (v.name.clone(), Action::Copyin, flag::MEMBERS | flag::IMPLICIT);
        let (base, bytes) = (format!("(void *)&{shown}"), format!("sizeof({shown})"));
        let fields = Fields::new(&shown, base, bytes, none());
        items.insert(0, Item { var: None, action, fields, shown, implicit: true, flags, sized: true });
        done.push(&v.name);
    }
}

/// Whether an operand is a member of a structure variable, not behind a pointer.
fn is_member(unit: &Unit, scopes: &Scopes, site: &Site, v: &Variable) -> bool {
    let path = unit.text[v.base.clone()].strip_prefix(v.name.as_str()).unwrap_or("");
    let var = site.names.get(&v.name).map(|&i| scopes.var(i));
    let record = matches!(var.and_then(|v| v.ty).map(|t| unit.shape(t)), Some(Shape::Record));
    record && path.trim_start().starts_with('.') && !path.contains(['-', '[', '(', '*'])
}

/// What two clauses of one directive that name the same data come to: it goes in if one says so, and out if one says so.
fn together(a: Action, b: Action) -> Option<Action> {
    let ways = |a: Action| match a {
        Action::Copy => Some((true, true)),
        Action::Copyin => Some((true, false)),
        Action::Copyout => Some((false, true)),
        Action::Create => Some((false, false)),
        _ => None,
    };
    let ((a_in, a_out), (b_in, b_out)) = (ways(a)?, ways(b)?);
    Some(match (a_in || b_in, a_out || b_out) {
        (true, true) => Action::Copy,
        (true, false) => Action::Copyin,
        (false, true) => Action::Copyout,
        (false, false) => Action::Create,
    })
}

fn flags_of(clause: &Clause) -> u8 {
    let mut flags = 0;
    for m in &clause.modifiers {
        flags |= match m.as_str() {
            "zero" => flag::ZERO,
            "always" => flag::ALWAYS_IN | flag::ALWAYS_OUT,
            "alwaysin" => flag::ALWAYS_IN,
            "alwaysout" => flag::ALWAYS_OUT,
            _ => 0,
        };
    }
    flags
}

/// Whether an operand is a `const` variable of its own memory, or members of one: a device has its value, and nobody may write it.
pub(crate) fn is_constant(unit: &Unit, scopes: &Scopes, site: &Site, v: &Variable) -> bool {
    let Some(var) = site.names.get(&v.name).map(|&i| scopes.var(i)) else { return false };
    let path = unit.text[v.base.clone()].strip_prefix(v.name.as_str()).unwrap_or("*");
    let own = !path.contains(['-', '[', '*']) && var.storage != Storage::Param;
    // What a pointer among the members points to is another's.
    let member = var.ty.filter(|_| own).and_then(|t| unit.type_of_path(t, path));
    let is_there = member.is_some_and(|t| match unit.shape(t) {
        Shape::Array(..) => !matches!(unit.shape(unit.dimensions(t).1), Shape::Pointer(_)),
        shape => !matches!(shape, Shape::Pointer(_)),
    });
    is_there && crate::captured::is_unchanging(unit, var)
}

/// What a clause does with a constant: it goes to a device, and does not come back, since it may lie where nothing can be written.
fn of_constant(action: Action) -> Option<Action> {
    Some(match action {
        Action::Copy | Action::Copyout => Action::Copyin,
        Action::ExitCopyout => Action::Delete,
        Action::UpdateHost => return None,
        other => other,
    })
}

fn named(unit: &Unit, scopes: &Scopes, site: &Site, o: &Operand, action: Action, flags: u8) -> Option<Item> {
    let v = o.variable.as_ref()?;
    let action = if is_constant(unit, scopes, site, v) { of_constant(action)? } else { action };
    let var = site.names.get(&v.name).copied();
    let base = &unit.text[v.base.clone()];
    let plain = base == v.name;
    let declared = var.filter(|_| plain).map(|i| scopes.var(i));
    let shown = crate::unit::tidy(&unit.text[o.text.clone()]);
    let alone = v.sections.is_empty();
    let behind =
        var.filter(|_| alone && !plain).and_then(|i| behind_member(unit, scopes.var(i), &base[v.name.len()..]));
    let one = match (behind, var) {
        (Some(to), _) => comes(action) && is_known_structure(unit, to, site),
        (None, Some(var)) => plain && alone && comes(action) && is_one_structure(unit, scopes, site, var),
        _ => false,
    };
    let fields = if one {
        // No pointer, no structure.
        let (base_of, bytes) = (format!("(void *)({base})"), format!("({base}) ? sizeof(*({base})) : 0"));
        Fields::new(&shown, base_of, bytes, pointer(base, declared))
    } else if behind.is_some() && !matches!(action, Action::Attach | Action::Detach | Action::Deviceptr) {
        let slot =
            if matches!(action, Action::UpdateHost | Action::UpdateDevice) { none() } else { pointer(base, None) };
        Fields::new(&shown, format!("(void *)({base})"), none(), slot)
    } else if v.sections.is_empty() {
        whole(unit, base, declared, &shown, action)
    } else {
        section(unit, v, base, declared, &shown, site.directive.inclusive)
    };
    let sized = one || behind.is_none() && (!alone || declared.is_none_or(|v| is_whole_sized(unit, v)));
    Some(Item { var: var.filter(|_| plain), action, fields, shown, implicit: false, flags, sized })
}

/// Whether something makes data on the device.
fn comes(a: Action) -> bool {
    matches!(a, Action::Copy | Action::Copyin | Action::Copyout | Action::Create)
}

/// What a member that is a pointer points to; the path is that behind the variable's name (`->x.y`).
fn behind_member(unit: &Unit, var: &Var, path: &str) -> Option<TypeId> {
    match unit.shape(unit.type_of_path(var.ty?, path)?) {
        Shape::Pointer(to) => Some(to),
        _ => None,
    }
}

/// Whether the host's compiler knows a type as a structure where a directive stands.
fn is_known_structure(unit: &Unit, ty: TypeId, site: &Site) -> bool {
    unit.record(ty).is_some_and(|(_, defined)| unit.range(defined).start < site.directive.span.start)
}

/// Whether a data directive that names a pointer alone means the one structure that it points to: its function follows the pointer
/// and never counts with it.
pub(crate) fn is_one_structure(unit: &Unit, scopes: &Scopes, site: &Site, var: VarId) -> bool {
    if !matches!(site.directive.kind, Kind::Data | Kind::DataRegion | Kind::EnterData) {
        return false;
    }
    let at = site.directive.span.start;
    let Some(Shape::Pointer(to)) = scopes.var(var).ty.map(|t| unit.shape(t)) else { return false };
    let is_it = |e: ExprId| scopes.of.get(&crate::loops::strip(unit, e)) == Some(&var);
    is_known_structure(unit, to, site)
        && !unit.exprs_in(&unit.function_at(at)).into_iter().any(|e| match unit.ast[e].kind {
            ExprKind::Index { base, .. } => is_it(base),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => is_it(a) || is_it(b),
            ExprKind::Assign(Some(_), a, _) => is_it(a),
            ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, a) => is_it(a),
            _ => false,
        })
}

/// An item for a whole variable that no clause names.
pub(crate) fn implicit(unit: &Unit, scopes: &Scopes, var: VarId, action: Action, flags: u8) -> Item {
    let (v, flags) = (scopes.var(var), flags | flag::IMPLICIT);
    let constant = v.storage != Storage::Param && crate::captured::is_unchanging(unit, v);
    let action = of_constant(action).filter(|_| constant).unwrap_or(action);
    let fields = whole(unit, &v.name, Some(v), &v.name, action);
    let sized = is_whole_sized(unit, v);
    Item { var: Some(var), action, fields, shown: v.name.clone(), implicit: true, flags, sized }
}

/// An item for a section of what a pointer points to, found by analysis: of pointers to pointers each dimension. It is shown with
/// its bounds as the directive's dialect has them.
pub(crate) fn found(
    scopes: &Scopes,
    var: VarId,
    action: Action,
    flags: u8,
    extents: &[Extent],
    inclusive: bool,
) -> Item {
    let (v, flags) = (scopes.var(var), flags | flag::IMPLICIT);
    let b = &v.name;
    let (mut dims, mut shown, mut element) = (Vec::new(), b.clone(), format!("({b})"));
    for (n, Extent { lower, count, upper }) in extents.iter().enumerate() {
        element.push_str("[0]");
        dims.push([lower.clone(), count.clone(), format!("sizeof({element})"), u8::from(n > 0).to_string()]);
        let end = if inclusive { upper } else { count };
        shown.push_str(&match lower.as_str() {
            // What the host has to compare is no name for it.
            _ if lower.contains("__unspool") || count.contains("__unspool") => "[:]".to_owned(),
            "0" => format!("[:{end}]"),
            _ => format!("[{lower}:{end}]"),
        });
    }
    let fields = Fields { dims, ..Fields::new(b, format!("(void *)({b})"), none(), none()) };
    Item { var: Some(var), action, fields, shown, implicit: true, flags, sized: true }
}

fn none() -> String {
    "0".to_owned()
}

/// Where a pointer variable lies, if it may lie on the device, too: a member, or what is at file scope.
fn pointer(base: &str, declared: Option<&Var>) -> String {
    let local = declared.is_some_and(|v| v.storage != Storage::Static);
    if local { none() } else { format!("({} ? (void **)&({base}) : (void **)0)", is_pointer(base)) }
}

/// Whether a variable's declaration says how much of it, or of what it points to, there is.
fn is_whole_sized(unit: &Unit, v: &Var) -> bool {
    match v.ty.map(|t| unit.shape(t)) {
        Some(Shape::Pointer(_)) => false,
        Some(Shape::Array(..)) if v.storage == Storage::Param => v.ty.is_some_and(|t| outer_extent(unit, t).is_some()),
        _ => true,
    }
}

fn whole(unit: &Unit, base: &str, declared: Option<&Var>, shown: &str, action: Action) -> Fields {
    let shape = declared.and_then(|v| v.ty).map(|t| unit.shape(t));
    let param = declared.is_some_and(|v| v.storage == Storage::Param);
    match shape {
        Some(Shape::Pointer(_)) => {
            // A pointer by itself: what it points to is known to the table, or its size is unknown.
            let at = pointer(base, declared);
            Fields::new(shown, format!("(void *)({base})"), none(), at)
        }
        Some(Shape::Array(..)) if param => {
            let outer =
                declared.and_then(|v| v.ty).and_then(|t| outer_extent(unit, t)).unwrap_or_else(|| "0".to_owned());
            let bytes = format!("sizeof(({base})[0]) * (unsigned long)({outer})");
            Fields::new(shown, format!("(void *)({base})"), bytes, none())
        }
        _ => {
            let size_of = base;
            // `attach` of a member is about where it lies.
            let slot = match action {
                Action::Attach | Action::Detach => pointer(base, declared),
                _ => none(),
            };
            Fields::new(shown, format!("(void *)&({base})"), format!("sizeof({size_of})"), slot)
        }
    }
}

/// Whether a variable has elements, and nothing says at a place how many: a pointer, or an array [without an extent](has_no_extent).
pub(crate) fn is_open(unit: &Unit, var: &Var, at: usize) -> bool {
    match var.ty.map(|t| unit.shape(t)) {
        Some(Shape::Pointer(_)) => true,
        Some(Shape::Array(..)) => has_no_extent(unit, var, at),
        _ => false,
    }
}

/// Whether nothing says at a place how many elements an array has: a parameter `a[]`, or one that is only declared (`extern int a[];`).
fn has_no_extent(unit: &Unit, var: &Var, at: usize) -> bool {
    use syntax::ast::{ArraySize, DeclKind, Init, TypeKind};
    let open = |ty: TypeId| {
        let kind = unit.ast[unit.resolve(ty)].kind;
        matches!(kind, TypeKind::Array { size: ArraySize::Unknown | ArraySize::Star, .. })
    };
    if var.storage == Storage::Param {
        return var.ty.is_some_and(open);
    }
    // An initialiser says it, and so does another declaration before.
    let here = unit.ast.top.iter().filter_map(|&d| match unit.ast[d].kind {
        DeclKind::Var { ty, init, .. } if unit.range(unit.ast[d].span).start < at => {
            let name = unit.ast.plain_name(unit.ast[d].name)?;
            (unit.session.str(name) == var.name).then_some((ty, init))
        }
        _ => None,
    });
    let mut here = here.filter(|_| var.storage == Storage::Static).peekable();
    here.peek().is_some() && here.all(|(ty, init)| open(ty) && matches!(init, Init::None))
}

/// The extent of an array parameter, as written.
fn outer_extent(unit: &Unit, ty: syntax::ast::TypeId) -> Option<String> {
    use syntax::ast::{ArraySize, TypeKind};
    match unit.ast[unit.resolve(ty)].kind {
        TypeKind::Array { size: ArraySize::Expr(e) | ArraySize::Static(e), .. } => {
            Some(unit.slice(unit.ast[e].span).to_owned())
        }
        _ => None,
    }
}

fn section(unit: &Unit, v: &Variable, base: &str, declared: Option<&Var>, shown: &str, inclusive: bool) -> Fields {
    let mut dims = Vec::new();
    let mut element = format!("({base})");
    for (i, s) in v.sections.iter().enumerate() {
        let here = element.clone();
        element.push_str("[0]");
        let (lower, count) = bounds(unit, s, &here, declared.filter(|_| i == 0), inclusive);
        let of_pointers = if i == 0 { none() } else { is_pointer(&here) };
        dims.push([lower, count, format!("sizeof({element})"), of_pointers]);
    }
    Fields { dims, ..Fields::new(shown, format!("(void *)({base})"), none(), pointer(base, declared)) }
}

/// First element and number of elements of a section.
pub(crate) fn bounds(
    unit: &Unit,
    s: &Section,
    array: &str,
    declared: Option<&Var>,
    inclusive: bool,
) -> (String, String) {
    let text = |r: &Option<directives::Text>| r.clone().map(|r| unit.text[r].to_owned());
    let lower = text(&s.lower).unwrap_or_else(|| "0".to_owned());
    if !s.is_range {
        return (format!("(long)({lower})"), "1".to_owned());
    }
    let count = match text(&s.upper) {
        Some(hi) if inclusive => format!("(long)({hi}) - (long)({lower}) + 1"),
        Some(n) => format!("(long)({n})"),
        None => {
            let of_param =
                declared.filter(|v| v.storage == Storage::Param).and_then(|v| v.ty).and_then(|t| outer_extent(unit, t));
            let all = of_param.unwrap_or_else(|| format!("sizeof({array}) / sizeof({array}[0])"));
            format!("(long)({all}) - (long)({lower})")
        }
    };
    (format!("(long)({lower})"), count)
}

/// Whether an expression is a pointer and no array, as a constant of the host.
fn is_pointer(x: &str) -> String {
    format!("__builtin_types_compatible_p(__typeof__({x}), __typeof__(&({x})[0]))")
}
