//! Members of records by name.

use rustc_hash::FxHashMap;
use source::Symbol;
use std::cell::RefCell;

use super::Checker;
use crate::types::{Field, RecordId};

/// Up to so many members of a record are looked at one by one.
const FEW: usize = 16;

/// The members of the larger records by name, as far as somebody has asked. Members are added behind the others.
#[derive(Debug, Default)]
pub(super) struct FieldNames {
    of: RefCell<FxHashMap<RecordId, Index>>,
}

/// The first `seen` members of a record.
#[derive(Debug, Default)]
struct Index {
    seen: usize,
    named: FxHashMap<Symbol, u32>,
    /// Those without a name, whose members are named as if they were the record's.
    unnamed: Vec<u32>,
}

impl Index {
    fn extend(&mut self, fields: &[Field]) {
        if fields.len() < self.seen {
            *self = Self::default();
        }
        for (i, f) in (self.seen as u32..).zip(&fields[self.seen..]) {
            match f.name {
                Some(name) => _ = self.named.entry(name).or_insert(i),
                None => self.unnamed.push(i),
            }
        }
        self.seen = fields.len();
    }
}

impl FieldNames {
    /// The member of this name, and those without a name.
    fn find(&self, r: RecordId, fields: &[Field], sym: Symbol) -> Result<u32, Vec<u32>> {
        if fields.len() <= FEW {
            let numbered = || (0..).zip(fields);
            let named = numbered().find(|(_, f)| f.name == Some(sym));
            return named
                .map(|(i, _)| i)
                .ok_or_else(|| numbered().filter(|(_, f)| f.name.is_none()).map(|(i, _)| i).collect());
        }
        let mut all = self.of.borrow_mut();
        let index = all.entry(r).or_default();
        index.extend(fields);
        index.named.get(&sym).copied().ok_or_else(|| index.unnamed.clone())
    }
}

impl Checker<'_> {
    /// The fields from a record to a member, through anonymous members.
    pub(crate) fn field_path(&self, r: RecordId, sym: Symbol) -> Option<Vec<(RecordId, u32)>> {
        let fields = &self.p.types.record(r).fields;
        let unnamed = match self.field_names.find(r, fields, sym) {
            Ok(i) => return Some(vec![(r, i)]),
            Err(unnamed) => unnamed,
        };
        for i in unnamed {
            let f = &fields[i as usize];
            if f.bits.is_none()
                && let Some(inner) = self.p.types.as_record(f.ty)
                && let Some(path) = self.field_path(inner, sym)
            {
                let mut all = vec![(r, i)];
                all.extend(path);
                return Some(all);
            }
        }
        None
    }
}
