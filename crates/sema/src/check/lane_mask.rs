//! Masks with a bit for each lane of a warp: what is said where one loses lanes on GPUs whose warps have 64.
//!
//! Narrowing is said for every target, so that whoever ports a program finds it. Masks of 32 lanes that are written down
//! are right where warps have 32, and said there on request only (`-Wlane-mask-literal`, `-Wlane-mask-portability`).

use super::call::Arg;
use super::{Checker, FnDecl};
use crate::program::{BinaryOp, CastKind, ExprId, ExprKind};
use crate::types::{IntKind, Ty, TyId};
use builtins::{Builtin, ItemOp, Meaning, Op, Special, SyncOp};
use source::{Diagnostic, Span};
use syntax::ast::BinaryOp as B;

/// All lanes of a warp of 32.
const ALL_OF_32: u64 = 0xffff_ffff;

/// Whether the first argument of a builtin is a mask.
pub(super) fn has_mask_argument(meaning: Meaning) -> bool {
    let Meaning::Op(Op::Sync(op)) = meaning else { return false };
    match op {
        SyncOp::Vote { sync, .. } | SyncOp::Shuffle { sync, .. } => sync,
        SyncOp::MatchAny | SyncOp::MatchAll | SyncOp::WarpReduce(_) | SyncOp::WarpBarrier => true,
        _ => false,
    }
}

impl Checker<'_> {
    /// The type of masks.
    pub(crate) fn lane_mask_ty(&self) -> TyId {
        if self.opts.target.lane_mask_bits() == 64 { TyId::LANEMASK64 } else { TyId::LANEMASK32 }
    }

    pub(crate) fn is_lane_mask(&self, ty: TyId) -> bool {
        matches!(self.p.types.get(ty), Ty::Int(IntKind::LaneMask32 | IntKind::LaneMask64))
    }

    /// Says what is wrong for warps of 64 lanes only; where they have 32, on request.
    fn warn_of_width(&mut self, d: Diagnostic) {
        let wrong_here = self.opts.target.lane_mask_bits() == 64;
        // Whoever names the group itself wants it anywhere.
        let asked = d.group.is_some_and(|g| self.sess.diagnostics.is_asked_for(g));
        self.warn(if wrong_here || asked { d } else { d.group("lane-mask-portability") });
    }

    /// `__popc`, `__ffs`, `__clz` and `__brev` take masks as they are: of 64 lanes by the functions for 64 bits. Gives the
    /// function, with the argument as one of its type.
    pub(super) fn mask_overload(&mut self, name: &str, values: &mut [ExprId]) -> Option<Builtin> {
        let [value] = values else { return None };
        let wide = match name {
            "__popc" => "__popcll",
            "__ffs" => "__ffsll",
            "__clz" => "__clzll",
            "__brev" => "__brevll",
            _ => return None,
        };
        let ty = self.value_ty(*value);
        if !self.is_cuda() || !self.is_lane_mask(ty) {
            return None;
        }
        let v = self.rvalue(*value);
        let span = self.span(v);
        let is_wide = self.ty(v) == TyId::LANEMASK64;
        let to = if is_wide { TyId::ULONGLONG } else { TyId::UINT };
        *value = self.cast(CastKind::IntToInt, v, to, span);
        builtins::lookup(self.lang(), if is_wide { wide } else { name })
    }

    /// Argument `i` of a call of `d`: a mask of 32 lanes whose type a template deduces as it is, which a wider one would not
    /// lose lanes in either.
    pub(super) fn deduced_mask(&mut self, d: &FnDecl, i: usize, a: Arg) -> Arg {
        let (Some(t), Arg::Expr(e)) = (d.template, a) else { return a };
        let deduced = self.decls[t].pattern.get(i).is_some_and(|&p| self.p.types.is_dependent(p));
        if !deduced || self.value_ty(e) != TyId::LANEMASK32 || d.params.get(i).is_none_or(|p| p.ty != TyId::UINT) {
            return a;
        }
        let v = self.rvalue(e);
        let span = self.span(v);
        Arg::Expr(self.cast(CastKind::IntToInt, v, TyId::UINT, span))
    }

    /// A mask converted to something narrower than 64 bits loses lanes.
    pub(super) fn warn_lane_mask(&mut self, v: Option<ExprId>, from: IntKind, to: IntKind, span: Span) {
        let is_mask = |k| matches!(k, IntKind::LaneMask32 | IntKind::LaneMask64);
        if !is_mask(from) || is_mask(to) || to.bits() >= 64 || v.is_some_and(|v| self.has_small_bits(v, to.bits())) {
            return;
        }
        let name = self.show(self.p.types.int(to));
        self.warn(
            Diagnostic::warning("W0307", span, format!("implicit conversion of `cudaLaneMask_t` to `{name}`"))
                .note(
                    "a lane mask has as many bits as the warp has lanes; on 64-lane targets half of them would be lost",
                )
                .help("declare the variable `auto` or `cudaLaneMask_t`")
                .group("lane-mask-narrowing"),
        );
    }

    /// Whether a value visibly has its bits below `bits`: `(mask >> lane) & 1`.
    fn has_small_bits(&self, v: ExprId, bits: u32) -> bool {
        let small = |e| self.int_constant(e).is_some_and(|n| n >= 0 && n < 1i128 << (bits - 1));
        match self.e(v).kind {
            ExprKind::Binary { op: BinaryOp::And, lhs, rhs } => small(lhs) || small(rhs),
            ExprKind::Binary { op: BinaryOp::Rem, rhs, .. } => small(rhs),
            _ => small(v),
        }
    }

    /// `mask |= …` into a variable that is no mask.
    pub(super) fn warn_mask_into(&mut self, place: TyId, value: ExprId) {
        if let (Ty::Int(from), Ty::Int(to)) =
            (self.p.types.get(self.ty(value)).clone(), self.p.types.get(place).clone())
        {
            let span = self.span(value);
            self.warn_lane_mask(Some(value), from, to, span);
        }
    }

    /// What becomes a mask, as an argument, or where one is made, compared or combined: a mask of all lanes of a warp of 32,
    /// written down, or a bit of 32.
    pub(super) fn warn_mask_source(&mut self, v: ExprId) {
        // What is shifted by a lane number was said where it stands.
        if let ExprKind::Binary { op: BinaryOp::Shl, lhs: one, rhs: by } = self.e(v).kind
            && self.int_constant(one) == Some(1)
            && !self.is_lane_number(by)
        {
            let span = self.span(v);
            return self.warn_shifted_one(one, span);
        }
        let began = match self.e(v).kind {
            ExprKind::Load(place) => match self.e(place).kind {
                ExprKind::Local(l) => self.cx.infos.get(l.index()).is_some_and(|i| i.is_mask_of_32),
                _ => false,
            },
            _ => false,
        };
        if !began && !self.is_mask_of_32(v) {
            return;
        }
        let at = self.span(v);
        let note = "on targets with 64 lanes half of the warp is left out";
        let note = if began { format!("the variable began as one; {note}") } else { note.to_owned() };
        self.warn_of_width(
            Diagnostic::warning("W0318", at, "literal mask of 32 lanes")
                .note(note)
                .help("use `~cudaLaneMask_t(0)` or `__activemask()`")
                .group("lane-mask-literal"),
        );
    }

    /// Whether a value is a literal mask of all lanes of a warp of 32; as a number that is signed, it is all ones in any width.
    pub(super) fn is_mask_of_32(&self, v: ExprId) -> bool {
        matches!(self.e(v).kind, ExprKind::Int(ALL_OF_32)) && self.ty(v) == TyId::UINT
    }

    /// The operands of an operator, before they are converted.
    pub(super) fn warn_mask_operands(&mut self, lhs: ExprId, rhs: ExprId) {
        let other = match (self.is_lane_mask(self.ty(lhs)), self.is_lane_mask(self.ty(rhs))) {
            (true, false) => rhs,
            (false, true) => lhs,
            _ => return,
        };
        self.warn_mask_source(other);
    }

    /// `1u << laneId` makes a mask of 32 lanes.
    pub(super) fn warn_lane_shift(&mut self, op: B, l: ExprId, r: ExprId, span: Span) {
        if op != B::Shl || !self.is_cuda() || self.int_constant(l) != Some(1) || !self.is_lane_number(r) {
            return;
        }
        self.warn_shifted_one(l, span);
    }

    fn warn_shifted_one(&mut self, one: ExprId, span: Span) {
        if self.p.types.size_of(self.ty(one)) == Some(4) && !self.is_lane_mask(self.ty(one)) {
            self.warn_of_width(
                Diagnostic::warning("W0315", span, "shift of a 32-bit `1` by a lane number makes a mask of 32 lanes")
                    .help("shift `(cudaLaneMask_t)1`, which is as wide as the warp")
                    .group("lane-mask-narrowing"),
            );
        }
    }

    /// Whether a value is visibly a lane number: `threadIdx.x % warpSize`, `& 31`, `%laneid`, a variable that began as one.
    pub(super) fn is_lane_number(&self, e: ExprId) -> bool {
        match self.e(e).kind {
            ExprKind::Cast { operand, .. } | ExprKind::Load(operand) => self.is_lane_number(operand),
            ExprKind::Binary { op: BinaryOp::Rem, lhs, rhs } => self.is_warp_size(rhs, 0) && self.has_thread_index(lhs),
            ExprKind::Binary { op: BinaryOp::And, lhs, rhs } => self.is_warp_size(rhs, 1) && self.has_thread_index(lhs),
            ExprKind::Builtin { meaning: Meaning::Op(Op::Item(ItemOp::Special(Special::LaneId))), .. } => true,
            ExprKind::Local(l) => self.cx.infos.get(l.index()).is_some_and(|i| i.is_lane),
            _ => false,
        }
    }

    /// Whether a value is visibly the number of a warp's lanes, less so many: a constant, or made of `warpSize`.
    fn is_warp_size(&self, e: ExprId, less: i128) -> bool {
        self.int_constant(e) == Some(i128::from(self.opts.target.warp_size()) - less)
            || match self.e(e).kind {
                ExprKind::Cast { operand, .. } => self.is_warp_size(operand, less),
                ExprKind::Binary { op: BinaryOp::Sub, lhs, rhs } => {
                    self.int_constant(rhs) == Some(less) && self.is_warp_size(lhs, 0)
                }
                ExprKind::Builtin { meaning: Meaning::Op(Op::Item(ItemOp::Special(Special::WarpSize))), .. } => {
                    less == 0
                }
                _ => false,
            }
    }

    fn has_thread_index(&self, e: ExprId) -> bool {
        match self.e(e).kind {
            ExprKind::Cast { operand, .. } => self.has_thread_index(operand),
            ExprKind::Builtin { meaning: Meaning::Op(Op::Item(ItemOp::Special(Special::ThreadId(_)))), .. } => true,
            _ => false,
        }
    }
}
