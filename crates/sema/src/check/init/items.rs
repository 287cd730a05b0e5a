//! The items of a braced list, packs expanded.

use std::borrow::Cow;
use syntax::ast::{self, ExprKind, InitItem};

use crate::check::Checker;

/// The items of a list with packs expanded, and where the reading stands.
pub(super) struct Items<'a> {
    /// An expansion stands as often as it has elements.
    pub(super) items: Cow<'a, [InitItem]>,
    /// Which element of its packs each item is; empty where the list has no pack.
    elements: Vec<Option<usize>>,
    /// Which element the list itself is of an expansion around it.
    outer: Option<usize>,
    /// The next item.
    pub(super) at: usize,
}

impl Items<'_> {
    /// Which element of a pack the next item is.
    pub(super) fn element(&self) -> Option<usize> {
        self.elements.get(self.at).copied().flatten().or(self.outer)
    }
}

impl<'a> Checker<'a> {
    /// The items of a list.
    pub(super) fn items(&mut self, list: ast::List<InitItem>) -> Items<'a> {
        let (ast, outer) = (self.ast, self.cx.pack_index);
        let written = ast.list(list);
        let pattern = |i: &InitItem| match ast[i.value].kind {
            ExprKind::Pack(inner) => Some(inner),
            _ => None,
        };
        if !written.iter().any(|i| pattern(i).is_some()) {
            return Items { items: Cow::Borrowed(written), elements: Vec::new(), outer, at: 0 };
        }
        let (mut items, mut elements) = (Vec::new(), Vec::new());
        for i in written {
            let Some(value) = pattern(i) else {
                items.push(*i);
                elements.push(None);
                continue;
            };
            // Without a pack in it the item stays, and is reported when it is read.
            match self.pack_len_in_expr(value, 0) {
                Some(n) => {
                    items.extend(std::iter::repeat_n(InitItem { value, ..*i }, n));
                    elements.extend((0..n).map(Some));
                }
                None => {
                    items.push(*i);
                    elements.push(None);
                }
            }
        }
        Items { items: Cow::Owned(items), elements, outer, at: 0 }
    }
}
