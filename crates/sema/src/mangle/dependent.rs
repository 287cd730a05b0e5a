//! Types that depend on template parameters: `Foo<T>`, `typename Foo<T>::type`.

use super::{Mangler, Sub};
use crate::types::{NameId, TemplateArg, Ty, TyId};

impl Mangler<'_> {
    /// A dependent type before `::`, inside of the `N…E` of the whole.
    pub(super) fn dependent_prefix(&mut self, id: TyId) {
        let types = self.types;
        if self.substitute(&Sub::Type(id, self.level)) || self.too_deep() {
            return;
        }
        self.depth += 1;
        match types.get(id) {
            Ty::TemplateSpec { name, args } => {
                self.template_prefix(*name);
                self.template_args(args);
                self.remember(Sub::Type(id, self.level));
            }
            Ty::DependentMember { base, name } => {
                self.dependent_prefix(*base);
                self.source_name(*name);
                self.remember(Sub::Type(id, self.level));
            }
            _ => self.ty(id),
        }
        self.depth -= 1;
    }

    /// A class template with dependent arguments: `Foo<T>`.
    pub(super) fn template_spec(&mut self, id: TyId, name: NameId, args: &[TemplateArg]) {
        let node = self.types.name(name);
        let nested = node.parent != NameId::ROOT && !self.is_std(node.parent);
        if nested {
            self.out.push('N');
        }
        self.template_prefix(name);
        self.template_args(args);
        if nested {
            self.out.push('E');
        }
        self.remember(Sub::Type(id, self.level));
    }
}
