//! The items of a construct as the host's compiler sees them: what is the same each time is a constant, and the run-time library
//! puts the rest in (`__unspool_acc_fill`), so that there is little to compile.

use crate::ctype::Shape;
use crate::data::{Fields, Item};
use crate::fixed::is_fixed;
use crate::scope::{Scopes, Storage, VarId};
use crate::unit::Unit;
use std::fmt::Write as _;

/// Bits of a constant item's flags: these fields come from the host's values, in this order behind the base.
mod comes {
    pub(super) const BYTES: u32 = 0x1000;
    pub(super) const POINTER: u32 = 0x2000;
    pub(super) const DIMS: u32 = 0x4000;
}

/// The initialiser of an item whose fields are all evaluated where it stands.
pub(crate) fn initialiser(item: &Item) -> String {
    let Fields { name, base, bytes, pointer, dims } = &item.fields;
    let list = if dims.is_empty() { "0".to_owned() } else { format!("(const long[]){{ {} }}", item.fields.numbers()) };
    let (kind, flags, count) = (item.action as u8, item.flags, dims.len());
    format!("{{ \"{name}\", {kind}, {flags}, {base}, {bytes}, {pointer}, {count}, {list} }}")
}

/// Declares the items of a construct, and has them filled.
pub(super) fn declare(unit: &Unit, scopes: &Scopes, items: &[Item]) -> String {
    if items.is_empty() {
        return "struct __unspool_acc_item __unspool_i[1] = { { 0 } }; ".to_owned();
    }
    let (mut lists, mut constants, mut values) = (String::new(), String::new(), String::new());
    for (i, item) in items.iter().enumerate() {
        let fixed = |text: &str| is_fixed(text, &|name| has_fixed_size(unit, scopes, item.var, name));
        let Fields { name, base, bytes, pointer, dims } = &item.fields;
        let mut flags = u32::from(item.flags);
        let _ = write!(values, "{base}, ");
        let mut given = |text: &str, bit: u32| {
            if fixed(text) {
                return text.to_owned();
            }
            flags |= bit;
            let _ = write!(values, "(void *)(unsigned long)({text}), ");
            "0".to_owned()
        };
        let (bytes, pointer) = (given(bytes, comes::BYTES), given(pointer, comes::POINTER));
        let numbers = item.fields.numbers();
        let list = match dims.is_empty() {
            true => "0".to_owned(),
            false if dims.iter().flatten().all(|n| fixed(n)) => {
                let _ = write!(lists, "static const long __unspool_d{i}[] = {{ {numbers} }}; ");
                format!("__unspool_d{i}")
            }
            false => {
                flags |= comes::DIMS;
                let _ = write!(values, "(void *)(const long[]){{ {numbers} }}, ");
                "0".to_owned()
            }
        };
        let (kind, count) = (item.action as u8, dims.len());
        let _ = write!(constants, "{{ \"{name}\", {kind}, {flags}, 0, {bytes}, {pointer}, {count}, {list} }}, ");
    }
    let n = items.len();
    format!(
        "{lists}static const struct __unspool_acc_item __unspool_t[{n}] = {{ {constants}}}; struct __unspool_acc_item __unspool_i[{n}]; \
         __unspool_acc_fill(__unspool_i, __unspool_t, {n}, (void *const[]){{ {values}}}); "
    )
}

/// Whether the host's compiler knows the size of what a name, that of an item's variable, means, and of its elements.
fn has_fixed_size(unit: &Unit, scopes: &Scopes, var: Option<VarId>, name: &str) -> bool {
    let Some(var) = var.map(|v| scopes.var(v)).filter(|v| v.name == name) else { return false };
    let Some(ty) = var.ty else { return false };
    let shape = unit.shape(ty);
    let by_pointer = matches!(shape, Shape::Pointer(_)) || var.storage == Storage::Param;
    let (dims, _) = unit.dimensions(ty);
    !matches!(shape, Shape::Other) && dims.iter().skip(usize::from(by_pointer)).all(Option::is_some)
}
