//! The short names of the library's own classes (Itanium C++ ABI, 5.1.10).

use super::Mangler;
use crate::types::{NameId, NameKind, TemplateArg, TyId};

impl Mangler<'_> {
    /// Templates that have one; what stands for them is no substitution.
    pub(super) fn abbreviate(&mut self, parent: NameId, kind: NameKind) -> bool {
        let NameKind::Type(name) = kind else { return false };
        let short = match self.symbols.str(name) {
            "allocator" => "Sa",
            "basic_string" => "Sb",
            _ => return false,
        };
        let known = self.is_std(parent);
        if known {
            self.out.push_str(short);
        }
        known
    }

    /// Streams of `char` that have one.
    pub(super) fn abbreviate_stream(&mut self, id: NameId) -> bool {
        let node = self.types.name(id);
        let (NameKind::Type(name), Some(args)) = (node.kind, &node.args) else { return false };
        let short = match self.symbols.str(name) {
            "basic_istream" => "Si",
            "basic_ostream" => "So",
            "basic_iostream" => "Sd",
            _ => return false,
        };
        let of_chars = matches!(args.first(), Some(TemplateArg::Type(t)) if t.ty == TyId::CHAR);
        let known = of_chars && self.is_std(node.parent);
        if known {
            self.out.push_str(short);
        }
        known
    }
}
