//! The context of the function body that is being checked.

use super::block_names::BlockNames;
use super::{FnId, ScopeId, TemplateId};
use crate::program::{ExprId, ExprKind, FuncId, GlobalId, LabelId, Local, LocalId, LoopHints};
use crate::types::{Quals, RecordId, TyId};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Span, Symbol};
use std::collections::BTreeMap;
use syntax::ast;

/// What is known of a local besides what the program records.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LocalInfo {
    /// Known value of a constant.
    pub(crate) value: Option<ExprKind>,
    /// Of a `constexpr` object: its value, or the call of the constructor that makes it.
    pub(crate) made: Option<ExprId>,
    pub(crate) decl_ty: Option<TyId>,
    pub(crate) decl_quals: Quals,
    /// It began as the number of a lane.
    pub(crate) is_lane: bool,
    /// It began as a literal mask of 32 lanes.
    pub(crate) is_mask_of_32: bool,
}

/// A label of the function being checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelInfo {
    pub(crate) name: Symbol,
    pub(crate) defined: Option<Span>,
    pub(crate) used: Option<Span>,
}

/// A switch being checked.
#[derive(Clone, Debug)]
pub(crate) struct SwitchCx {
    pub(crate) ty: TyId,
    pub(crate) cases: Vec<crate::program::Case>,
    /// The cases' values where they have 128 bits: least and largest.
    pub(crate) wide: Vec<(crate::num::ConstInt, crate::num::ConstInt)>,
    /// The ranges of the cases, which do not overlap: from the least value to the largest, and where.
    pub(crate) taken: BTreeMap<i128, (i128, Span)>,
    pub(crate) default: Option<Span>,
}

/// The function being checked.
#[derive(Debug, Default)]
pub(crate) struct BodyCx {
    pub(crate) decl: Option<FnId>,
    pub(crate) func: Option<FuncId>,
    pub(crate) ret: Option<TyId>,
    /// The result is a reference.
    pub(crate) deduced: Option<TyId>,
    pub(crate) locals: Vec<Local>,
    pub(crate) infos: Vec<LocalInfo>,
    pub(crate) loops: Vec<LoopHints>,
    pub(crate) labels: Vec<LabelInfo>,
    /// By name.
    pub(crate) label_ids: FxHashMap<Symbol, LabelId>,
    /// The objects with destructors that are live at labels, where there are any.
    pub(crate) label_live: FxHashMap<LabelId, Vec<(LocalId, RecordId)>>,
    pub(crate) jumps: Vec<super::stmt::jumps::Jump>,
    pub(crate) names: BlockNames,
    /// When the text of the body stood in the file, and the scope that it is read in ([`super::visible`]).
    pub(crate) horizon: Option<(super::ScopeId, super::visible::Time)>,
    pub(crate) owned: Vec<GlobalId>,
    /// How many of each name there are among those whose symbols name the function.
    pub(crate) owned_names: FxHashMap<Symbol, u32>,
    /// How many classes and enumerations of each name there are so far.
    pub(crate) tag_names: FxHashMap<Symbol, u32>,
    pub(crate) this: Option<(LocalId, RecordId, Quals)>,
    /// The parameter that holds the address of what stands for `...`.
    pub(crate) more: Option<LocalId>,
    /// A result type behind parameters is resolved, where a class may still have no layout.
    pub(crate) in_result_type: bool,
    pub(crate) switches: Vec<SwitchCx>,
    pub(crate) loop_depth: u32,
    pub(crate) breakable: u32,
    pub(crate) is_kernel: bool,
    /// Live objects with destructors, innermost last.
    pub(crate) live: Vec<(LocalId, RecordId)>,
    /// Heights of `live` at the entry of loops and switches.
    pub(crate) break_marks: Vec<usize>,
    pub(crate) continue_marks: Vec<usize>,
    /// Closure fields in scope, when the body of a lambda is checked.
    pub(crate) closure: Option<RecordId>,
    pub(crate) block_depth: u32,
    /// Unknown names already reported in this function.
    pub(crate) unknown: Vec<Symbol>,
    /// The statement being checked calls a host function of which only the name is known: it ends the program there.
    pub(crate) ends_here: bool,
    /// The last statement that became such an end.
    pub(crate) last_end: Option<crate::program::StmtId>,
    /// Inside a default argument: the call that it is for.
    pub(crate) default_of: Option<Span>,
    /// Inside `sizeof`, `decltype` and the like: nothing is emitted, nothing warned about.
    pub(crate) unevaluated: u32,
    /// Inside code that constant conditions make dead.
    pub(crate) dead: u32,
    /// Element of the pack being expanded, if any.
    pub(crate) pack_index: Option<usize>,
    /// What `auto` stands for in the declaration being resolved.
    pub(crate) auto_ty: Option<TyId>,
    /// What comes with `auto_ty`: `const` and `volatile` of what it is deduced from.
    pub(crate) auto_quals: Quals,
    /// An expression checked ahead of its turn (for `auto`), and its value.
    pub(crate) prechecked: Option<(ast::ExprId, ExprId)>,
    /// Arguments checked ahead of their turn, to deduce a class template's, and their values.
    pub(crate) checked_args: Vec<(ast::ExprId, ExprId)>,
    /// The class that a class template's name without arguments stands for in the declaration being resolved.
    pub(crate) deduced_class: Option<(TemplateId, TyId)>,
    /// Places that rvalue references bind to: casts to such and calls that return them (C++17, 6.10).
    pub(crate) xvalues: FxHashSet<ExprId>,
    /// What stood in the way of the last value that could not be computed.
    pub(crate) not_constant: Option<Span>,
    /// Zeros of C++ that operators computed or that names stand for: no null pointer constants, which literals and casts of
    /// them are (C++17, 7.11, and what nvcc makes of it).
    pub(crate) computed_zeros: FxHashSet<ExprId>,
    /// Records and enumerations declared in the blocks of the function being checked.
    pub(crate) block_tags: Vec<((ast::DeclId, ScopeId), TyId)>,
    /// Where the names of the innermost block begin.
    pub(crate) block_start: usize,
}
