//! Data as `-Minfo` tells it, and the data of regions that run on the host.

use crate::access::summary;
use crate::data::{self, Action, Item};
use crate::scope::{Scopes, Storage};
use crate::unit::Unit;
use directives::Kind;
use rustc_hash::FxHashMap;
use syntax::ast::ExprId;

/// What `-Minfo` says about data.
pub(crate) fn data_info(kind: Kind, items: &[Item]) -> Vec<String> {
    let one = |i: &Item| {
        let (word, tail) = match i.action {
            Action::Copy => ("copy", true),
            Action::Copyin => ("copyin", true),
            Action::Copyout | Action::ExitCopyout => ("copyout", true),
            Action::Create => ("create", true),
            Action::Present => ("present", false),
            Action::NoCreate => ("no_create", false),
            Action::Attach => ("attach", false),
            Action::Detach => ("detach", false),
            Action::Delete => ("delete", false),
            Action::UpdateHost => ("update self", false),
            Action::UpdateDevice => ("update device", false),
            Action::Deviceptr => return None,
        };
        let tail =
            if tail && !matches!(kind, Kind::EnterData | Kind::ExitData) { " [if not already present]" } else { "" };
        let implicit = if i.implicit { "implicit " } else { "" };
        let when = match kind {
            Kind::EnterData => "enter data ",
            Kind::ExitData => "exit data ",
            _ => "",
        };
        Some(format!("Generating {when}{implicit}{word}({}){tail}", i.shown))
    };
    items.iter().filter_map(one).collect()
}

/// The data of a region that runs on the host: all that it touches, so that a device's copies can be brought over and back.
pub(crate) fn fallback_items(
    unit: &Unit,
    scopes: &Scopes,
    parents: &FxHashMap<ExprId, ExprId>,
    site: usize,
) -> Vec<Item> {
    let s = &scopes.sites[site];
    let mut items = data::items(unit, scopes, s);
    let Some(t) = s.target else { return items };
    let range = unit.range(unit.ast[t].span);
    for (v, _) in summary(unit, scopes, parents, &range) {
        let var = scopes.var(v);
        let outside = !range.contains(&var.at.start) && var.storage != Storage::Other;
        if outside && var.ty.is_some() && !items.iter().any(|i| i.var == Some(v)) {
            items.push(data::implicit(unit, scopes, v, Action::NoCreate));
        }
    }
    items
}
