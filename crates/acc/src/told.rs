//! Data as `-Minfo` tells it, and the data of regions that run on the host.

use crate::access::summary;
use crate::data::{self, Action, Item};
use crate::scope::{Scopes, Storage};
use crate::unit::Unit;
use directives::Kind;
use rustc_hash::FxHashMap;
use std::ops::Range;
use syntax::ast::ExprId;

/// What `-Minfo` says about data.
pub(crate) fn data_info(kind: Kind, items: &[Item]) -> Vec<String> {
    let one = |i: &Item| {
        if i.flags & data::flag::MEMBERS != 0 {
            return None; // Each of them is told of.
        }
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
    let own = summary(unit, scopes, parents, &range).into_iter().map(|(v, _)| v);
    // Those that functions use which it calls, too.
    let bodies = crate::captured::reached(unit, scopes, &range);
    let called = bodies.iter().flat_map(|r| scopes.uses_in(r)).map(|u| u.var);
    for v in own.chain(called.filter(|&v| scopes.var(v).storage == Storage::Static)) {
        let var = scopes.var(v);
        let outside = !range.contains(&var.at.start) && var.storage != Storage::Other;
        if outside && var.ty.is_some() && !items.iter().any(|i| i.var == Some(v)) {
            items.push(data::implicit(unit, scopes, v, Action::NoCreate, 0));
        }
    }
    items
}

/// Whether functions of other files are called in a range, or by functions of this one that are: nobody here knows what those use.
/// Those of the system's headers use nothing that is on a device.
pub(crate) fn calls_others(unit: &Unit, scopes: &Scopes, range: &Range<usize>) -> bool {
    let mut ranges = vec![range.clone()];
    let mut at = 0;
    while let Some(range) = ranges.get(at).cloned() {
        at += 1;
        for u in scopes.uses_in(&range) {
            let var = scopes.var(u.var);
            if var.storage != Storage::Other || !is_called(unit, u.expr) {
                continue;
            }
            let list = unit.declared.get(&var.name).map(Vec::as_slice).unwrap_or_default();
            let bodies = list.iter().map(|&i| &unit.externals[i]).filter(|r| unit.text[(*r).clone()].ends_with('}'));
            let known = ranges.len();
            ranges.extend(bodies.clone().filter(|r| !ranges[..known].contains(r)).cloned().collect::<Vec<_>>());
            let system = list.iter().any(|&i| crate::sources::is_of_system(unit, unit.externals[i].start));
            if bodies.count() == 0 && !system {
                return true;
            }
        }
    }
    false
}

fn is_called(unit: &Unit, name: ExprId) -> bool {
    let at = unit.range(unit.ast[name].span).end;
    unit.text[at..].trim_start().starts_with('(')
}
