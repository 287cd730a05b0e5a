//! Built-in operators as candidates (C++17, 16.6): what operands of classes and enumerations may be converted to takes part
//! in the choice of an operator's function, and decides where no function is chosen.

use smallvec::SmallVec;

use crate::check::Checker;
use crate::check::convert::Why;
use crate::check::overload::Ranks;
use crate::program::{ExprId, ExprKind};
use crate::types::{OperatorName, Ty, TyId};

/// The promoted arithmetic types.
const ARITHMETIC: [TyId; 8] =
    [TyId::INT, TyId::UINT, TyId::LONG, TyId::ULONG, TyId::LONGLONG, TyId::ULONGLONG, TyId::FLOAT, TyId::DOUBLE];

/// How many of [`ARITHMETIC`] are integers.
const INTEGERS: usize = 6;

/// The types of a built-in operator's operands.
pub(crate) type OperandTypes = SmallVec<[TyId; 2]>;

/// What the candidates of an operator take.
#[derive(Clone, Copy, Default)]
struct Takes {
    /// Numbers at all, and of these only integers.
    numbers: bool,
    integers: bool,
    /// A pointer and a number.
    offset: bool,
    /// Pointers alone, of one type.
    pointers: bool,
    /// Two of one enumeration.
    enumerations: bool,
    /// A number and a pointer as well as a pointer and a number.
    either_offset: bool,
}

impl Takes {
    fn of(op: OperatorName) -> Option<Self> {
        use OperatorName as O;
        let numbers = Self { numbers: true, ..Self::default() };
        Some(match op {
            O::Deref => Self { pointers: true, ..Self::default() },
            O::Plus => Self { pointers: true, ..numbers },
            O::Neg | O::Mul | O::Div => numbers,
            O::Add => Self { offset: true, either_offset: true, ..numbers },
            O::Sub => Self { offset: true, pointers: true, ..numbers },
            O::Not | O::Rem | O::And | O::Xor | O::Or | O::Shl | O::Shr => Self { integers: true, ..numbers },
            O::Lt | O::Gt | O::Le | O::Ge | O::Eq | O::Ne => Self { pointers: true, enumerations: true, ..numbers },
            _ => return None,
        })
    }
}

impl Checker<'_> {
    /// The candidates of a built-in operator that these operands convert to, with how well. None where no operand is of a
    /// class with conversions, or of an enumeration.
    pub(crate) fn built_in_candidates(&mut self, op: OperatorName, operands: &[ExprId]) -> Vec<(OperandTypes, Ranks)> {
        Takes::of(op).map_or(Vec::new(), |takes| self.candidates(takes, operands))
    }

    fn candidates(&mut self, takes: Takes, operands: &[ExprId]) -> Vec<(OperandTypes, Ranks)> {
        if !operands.iter().any(|&e| self.has_conversions(e)) {
            return Vec::new();
        }
        let mut out = Vec::new();
        if takes.numbers {
            let types = if takes.integers { &ARITHMETIC[..INTEGERS] } else { &ARITHMETIC[..] };
            self.combined(operands, types, types, &mut out);
        }
        let (others, halves) = self.operand_types(operands);
        for t in halves.into_iter().filter(|_| takes.numbers && !takes.integers) {
            self.combined(operands, &[t], &[t], &mut out);
        }
        for t in others {
            let pointer = self.p.types.is_pointer(t);
            if if pointer { takes.pointers } else { takes.enumerations } {
                self.combined(operands, &[t], &[t], &mut out);
            }
            if takes.offset && pointer {
                self.combined(operands, &[t], &[TyId::LONG], &mut out);
                if takes.either_offset {
                    self.combined(operands, &[TyId::LONG], &[t], &mut out);
                }
            }
        }
        out
    }

    /// Adds the candidates of which the first operand is one of some types, and the second, if there is one, one of others.
    fn combined(&mut self, operands: &[ExprId], first: &[TyId], second: &[TyId], out: &mut Vec<(OperandTypes, Ranks)>) {
        let ranked = |c: &mut Self, e: ExprId, types: &[TyId]| -> Vec<(TyId, crate::check::convert::Rank)> {
            types.iter().filter_map(|&t| Some((t, c.rank(e, t)?))).collect()
        };
        let Some((&l, rest)) = operands.split_first() else { return };
        let left = ranked(self, l, first);
        let Some(&r) = rest.first() else {
            out.extend(left.into_iter().map(|(t, rank)| (OperandTypes::from_slice(&[t]), Ranks::from_slice(&[rank]))));
            return;
        };
        if left.is_empty() {
            return;
        }
        let right = ranked(self, r, second);
        for &(a, x) in &left {
            for &(b, y) in &right {
                out.push((OperandTypes::from_slice(&[a, b]), Ranks::from_slice(&[x, y])));
            }
        }
    }

    /// Whether an operand may be converted to what built-in operators take by what the program defines: it is of a class that
    /// has conversion functions, or of an enumeration.
    fn has_conversions(&mut self, e: ExprId) -> bool {
        let ty = self.ty(e);
        if matches!(self.p.types.get(ty), Ty::Enum(_)) {
            return true;
        }
        let Some(r) = self.p.types.as_record(ty) else { return false };
        !self.conversions_of(r).is_empty() || self.has_conversion_templates(r)
    }

    /// Pointers and enumerations that operands are or convert to, each once; and numbers of 16 bits.
    fn operand_types(&mut self, operands: &[ExprId]) -> (Vec<TyId>, Vec<TyId>) {
        let mut all = Vec::new();
        for &e in operands {
            all.push(self.value_ty(e));
            if let Some(r) = self.p.types.as_record(self.ty(e)) {
                let functions = self.conversions_of(r);
                let mut to: Vec<TyId> =
                    functions.into_iter().map(|f| self.strip_reference(self.decls[f].ret)).collect();
                // `__half` is a class in CUDA: built-in operators take the number that an object converts to besides.
                let half = |c: &Self, t: TyId| c.p.types.float_kind(t).is_some_and(|k| k.bits() == 16);
                if to.iter().any(|&t| self.p.types.is_arithmetic(t) && !half(self, t)) {
                    to.retain(|&t| !half(self, t));
                }
                all.extend(to);
            }
        }
        let (mut others, mut halves): (Vec<TyId>, Vec<TyId>) = (Vec::new(), Vec::new());
        for t in all {
            let list = match self.p.types.get(t) {
                Ty::Pointer { .. } | Ty::Enum(_) => &mut others,
                Ty::Float(k) if k.bits() == 16 => &mut halves,
                _ => continue,
            };
            if !list.contains(&t) {
                list.push(t);
            }
        }
        (others, halves)
    }

    /// The operands of a built-in operator, those of classes converted to what the best candidate takes (C++17, 16.3.1.2, 7).
    /// `Err` where no candidate is better than all others; `Ok(None)` where there are none, or no operand is of a class.
    pub(crate) fn converted_operands(
        &mut self,
        op: OperatorName,
        operands: &[ExprId],
    ) -> Result<Option<SmallVec<[ExprId; 2]>>, ()> {
        if !self.is_cxx() || !operands.iter().any(|&e| self.p.types.as_record(self.ty(e)).is_some()) {
            return Ok(None);
        }
        let candidates = self.built_in_candidates(op, operands);
        self.converted_to_best(&candidates, operands)
    }

    /// The same of the arms of a conditional operator, of which no operand is an enumeration without a scope (16.6p24, p25).
    pub(crate) fn converted_choice(&mut self, arms: [ExprId; 2]) -> Option<[ExprId; 2]> {
        let takes = Takes { numbers: true, pointers: true, ..Takes::default() };
        let candidates = self.candidates(takes, &arms);
        // The arms become what the candidate takes: of two enumerations numbers, as clang and nvcc have it.
        let types = self.best_built_in(&candidates)?.clone();
        let both = self.converted_to_best(&candidates, &arms).ok()??;
        let mut all = both.iter().zip(&types).map(|(&e, &to)| self.implicit(e, to, Why::Operand));
        Some([all.next()?, all.next()?])
    }

    fn converted_to_best(
        &mut self,
        candidates: &[(OperandTypes, Ranks)],
        operands: &[ExprId],
    ) -> Result<Option<SmallVec<[ExprId; 2]>>, ()> {
        if candidates.is_empty() {
            return Ok(None);
        }
        let types = self.best_built_in(candidates).ok_or(())?.clone();
        let mut out = SmallVec::new();
        for (&e, &to) in operands.iter().zip(&types) {
            let of_class = self.p.types.as_record(self.ty(e)).is_some();
            out.push(if of_class { self.converted_by_class(e, to).ok_or(())? } else { e });
        }
        Ok(Some(out))
    }

    /// What was converted may have been read already: the place that it was read from, if it is one that lasts.
    pub(crate) fn object_behind(&self, e: ExprId) -> ExprId {
        match self.e(e).kind {
            ExprKind::Load(p) if !matches!(self.e(p).kind, ExprKind::Comma { .. } | ExprKind::Materialize { .. }) => p,
            _ => e,
        }
    }
}
