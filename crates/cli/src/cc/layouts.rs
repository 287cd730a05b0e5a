//! How structures lie in memory for kernels, so that the host's compiler can be made to say that it has them there, too.

use super::arithmetic::Arithmetic;
use super::compile::kernel_options;
use acc::{KernelSource, Layout};
use std::cell::RefCell;
use std::collections::HashMap;
use unspool::{Backend, TypeLayout, layouts};

/// The layouts of a file's structures; regions mostly declare the same.
pub(super) struct Layouts<'a> {
    backends: &'a [&'static dyn Backend],
    arithmetic: Arithmetic,
    /// By the declarations.
    known: RefCell<HashMap<String, Vec<Layout>>>,
}

impl<'a> Layouts<'a> {
    pub(super) fn new(backends: &'a [&'static dyn Backend], arithmetic: Arithmetic) -> Self {
        Self { backends, arithmetic, known: RefCell::default() }
    }

    /// Those of the types that a region's kernels declare.
    pub(super) fn of(&self, source: &KernelSource) -> Vec<Layout> {
        if source.types.is_empty() {
            return Vec::new();
        }
        let mut known = self.known.borrow_mut();
        if let Some(made) = known.get(&source.types) {
            return made.clone();
        }
        let options = kernel_options(self.backends, self.arithmetic);
        let layout = |l: TypeLayout| Layout { name: l.name, size: l.size, members: l.members };
        let made: Vec<Layout> = layouts(&source.types, &source.defined, &options).into_iter().map(layout).collect();
        known.insert(source.types.clone(), made.clone());
        made
    }
}
