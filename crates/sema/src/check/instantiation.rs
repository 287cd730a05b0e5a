//! What templates became, and what is still to be checked.

use super::instance_notes::Within;
use super::{Entity, FnId, ScopeId, TemplateId, VarId, lambda};
use crate::types::{DependentExpr, RecordId, TemplateArg, TyId};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
use std::collections::VecDeque;
use std::rc::Rc;

/// A template with its arguments.
type Instance = (TemplateId, Box<[TemplateArg]>);

/// How deep instantiations may nest.
pub(crate) const MAX_INSTANTIATION_DEPTH: u16 = 200;
/// How many there may be in all. One of FlashAttention's kernels has more than 20,000, one of CUTLASS's for sm_100 more than
/// 250,000; a million that are all different take some 3 GB.
pub(crate) const MAX_INSTANTIATIONS: u32 = 1_000_000;

/// Instances of templates, and how far checking has come.
#[derive(Debug, Default)]
pub(crate) struct Instantiation {
    /// Bindings of packs of template arguments.
    pub(crate) packs: Vec<Vec<TemplateArg>>,
    /// Bindings of packs of function parameters, and of what lambdas hold of such: locals, captures.
    pub(crate) value_packs: Vec<Vec<Entity>>,
    /// The packs that closures hold, by the names of those.
    pub(crate) captured_packs: FxHashMap<(RecordId, Symbol), u32>,
    /// Functions that templates became, by their arguments; `None` where substitution failed.
    pub(crate) fn_instances: FxHashMap<(TemplateId, Box<[TemplateArg]>), Option<FnId>>,
    /// Classes that templates became.
    pub(crate) class_instances: FxHashMap<(TemplateId, Box<[TemplateArg]>), TyId>,
    /// Variables that templates became.
    pub(crate) var_instances: FxHashMap<(TemplateId, Box<[TemplateArg]>), VarId>,
    /// The variables that objects are which are arguments of templates.
    pub(crate) objects: FxHashMap<(TyId, Box<[u8]>), VarId>,
    /// The expressions in signatures that alias templates were given.
    pub(crate) dependent: Vec<DependentExpr>,
    /// And the place of each of them.
    pub(crate) dependent_places: FxHashMap<DependentExpr, u32>,
    /// Whether concepts hold for arguments, and whether something of the host was asked for, of which nothing is known.
    pub(crate) concepts: FxHashMap<Instance, (bool, bool)>,
    /// Whether the constraints behind functions' parameters are satisfied.
    pub(crate) callable: FxHashMap<FnId, bool>,
    /// Functions of host code that `extern template` leaves to another file.
    pub(crate) elsewhere: FxHashSet<FnId>,
    /// Functions whose bodies wait for their turn.
    pub(crate) pending: VecDeque<FnId>,
    /// Members whose bodies wait for the end of their class.
    pub(crate) deferred_members: Vec<FnId>,
    /// The constructors that classes have of instances of constructor templates of their bases.
    pub(crate) inherited: FxHashMap<(RecordId, FnId), FnId>,
    /// Constructors of class templates as function templates, for deduction.
    pub(crate) constructor_guides: FxHashMap<TemplateId, Vec<Entity>>,
    /// Whether the end of a class's objects may throw.
    pub(crate) loud_ends: FxHashMap<RecordId, bool>,
    /// Whether a constructor that the compiler makes may throw.
    pub(crate) loud_makers: FxHashMap<FnId, bool>,
    /// What constructors as deduction guides find around them, by class template and arguments.
    pub(crate) guide_scopes: FxHashMap<(TemplateId, Box<[TemplateArg]>), ScopeId>,
    /// What is being checked, the innermost last.
    pub(crate) within: Vec<Within>,
    /// Where instances of function templates were first used, and in which function.
    pub(crate) first_uses: FxHashMap<FnId, (source::Span, Option<FnId>)>,
    /// Instantiations under way.
    pub(crate) depth: u16,
    /// Instantiations so far.
    pub(crate) instantiations: u32,
    /// Where one more was wanted than there may be, and how many diagnostics there were.
    pub(crate) overflown: Option<(source::Span, usize)>,
    /// A template's signature is being resolved with placeholders.
    pub(crate) in_pattern: bool,
    /// What is checked is substituted or required: errors in it mean that it is not so.
    pub(crate) substituting: bool,
    /// Which parameters of the template whose signature is being resolved are packs.
    pub(crate) pattern_packs: Vec<u32>,
    /// Function bodies being checked inside one another.
    pub(crate) body_depth: u16,
    /// Functions that were once put into `pending`.
    pub(crate) queued: FxHashSet<FnId>,
    /// `free` and `malloc`, once they were named.
    pub(crate) heap: [Option<FnId>; 2],
    /// Kernels whose signatures were looked at.
    pub(crate) kernels_checked: FxHashSet<FnId>,
    /// Explicitly instantiated functions: emitted though nothing calls them.
    pub(crate) roots: Vec<FnId>,
    /// The functions around the lambdas being checked.
    pub(crate) outers: Vec<Rc<lambda::Outer>>,
    /// Closures of generic lambdas, whose bodies are checked later, and the functions around them.
    pub(crate) generic_lambdas: FxHashMap<RecordId, Vec<Rc<lambda::Outer>>>,
}
