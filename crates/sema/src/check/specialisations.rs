//! The specialisations of a template, and which of them may fit some arguments.
//!
//! Traits have hundreds of specialisations, generated code thousands, and each instance asks for the one that fits. They are
//! found by those of their arguments that are no patterns, so that a look-up costs what it finds.

use std::ops::Index;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use syntax::ast;

use super::TemplateParam;
use crate::types::{TemplateArg, TyId, TypeTable};

/// A specialisation of a class template (functions are found as ordinary instances).
#[derive(Clone, Debug)]
pub(crate) struct Specialisation {
    pub(crate) params: Vec<TemplateParam>,
    pub(crate) args: Vec<TemplateArg>,
    pub(crate) decl: ast::DeclId,
    /// The arguments as they are written, where `args` may say less: a condition, `decltype(…)`, an alias.
    pub(crate) written: Option<ast::List<ast::TemplateArg>>,
}

/// Arguments that have to be just these.
type Constants = SmallVec<[TemplateArg; 2]>;

/// Specialisations, in the order of their declarations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Specialisations {
    all: Vec<Specialisation>,
    /// For each set of places (a bit each) at which some of them have constants: their numbers by these constants.
    by_constants: Vec<(u64, FxHashMap<Constants, Vec<u32>>)>,
    by_decl: FxHashMap<ast::DeclId, u32>,
}

impl Specialisations {
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The first that a declaration made.
    pub(crate) fn of_decl(&self, decl: ast::DeclId) -> Option<usize> {
        self.by_decl.get(&decl).map(|&at| at as usize)
    }

    /// Those that these arguments may be arguments of, in their order. Who has other constants is not among them.
    pub(crate) fn candidates(&self, args: &[TemplateArg]) -> SmallVec<[usize; 8]> {
        let mut found: SmallVec<[usize; 8]> = SmallVec::new();
        for (places, table) in &self.by_constants {
            let at = |i| args.get(i).and_then(comparable);
            let key: Option<Constants> = bits(*places).map(at).collect();
            found.extend(key.and_then(|key| table.get(&key)).into_iter().flatten().map(|&n| n as usize));
        }
        found.sort_unstable();
        found
    }

    /// The first with just these arguments of which something holds.
    pub(crate) fn with_args(&self, args: &[TemplateArg], holds: impl Fn(&Specialisation) -> bool) -> Option<usize> {
        self.candidates(args).into_iter().find(|&at| self.all[at].args == args && holds(&self.all[at]))
    }

    pub(crate) fn push(&mut self, new: Specialisation, types: &TypeTable) {
        let mut places = 0;
        let mut constants = Constants::new();
        for (i, a) in new.args.iter().enumerate().take(u64::BITS as usize) {
            if let Some(c) = comparable(a).filter(|_| !types.arg_is_dependent(a)) {
                places |= 1 << i;
                constants.push(c);
            }
        }
        let at = self.all.len() as u32;
        let known = self.by_constants.iter().position(|(p, _)| *p == places).unwrap_or_else(|| {
            self.by_constants.push((places, FxHashMap::default()));
            self.by_constants.len() - 1
        });
        self.by_constants[known].1.entry(constants).or_default().push(at);
        self.by_decl.entry(new.decl).or_insert(at);
        self.all.push(new);
    }

    /// Puts the definition of one in the place of its declaration: the arguments are the same.
    pub(crate) fn define(&mut self, at: usize, new: Specialisation) {
        debug_assert!(self.all[at].args == new.args);
        self.by_decl.entry(new.decl).or_insert(at as u32);
        self.all[at] = new;
    }
}

impl Index<usize> for Specialisations {
    type Output = Specialisation;

    fn index(&self, at: usize) -> &Specialisation {
        &self.all[at]
    }
}

/// An argument as specialisations are found by it, if it is the same one as others where it is equal: of a number the type
/// does not matter.
fn comparable(a: &TemplateArg) -> Option<TemplateArg> {
    match a {
        TemplateArg::Int { value, .. } => Some(TemplateArg::Int { value: *value, ty: TyId::INT }),
        TemplateArg::Type(_) | TemplateArg::Template(_) => Some(a.clone()),
        _ => None,
    }
}

/// The places of the bits that are set.
fn bits(set: u64) -> impl Iterator<Item = usize> {
    (0..u64::BITS as usize).filter(move |i| set & 1 << i != 0)
}
