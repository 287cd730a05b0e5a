//! Atomics and fences.

use super::func::Fx;
use super::memory::SCOPES;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::{PtxType, Space};
use ir::{AtomicOp, Flags, MemOrder, Scope, Type, Value};

/// What atomics do.
pub(super) const WORDS: [&str; 10] = ["add", "min", "max", "inc", "dec", "exch", "cas", "and", "or", "xor"];

/// What the word of an atomic stands for, on a type.
pub(super) fn operation(word: &str, ty: PtxType) -> Option<AtomicOp> {
    let float = ty.is_float();
    Some(match (word, ty) {
        ("add", PtxType::F16 | PtxType::BF16 | PtxType::F32 | PtxType::F64) => AtomicOp::FAdd,
        ("add", PtxType::U(32 | 64) | PtxType::S(32 | 64)) => AtomicOp::Add,
        ("min", PtxType::S(_)) => AtomicOp::SMin,
        ("min", PtxType::U(_)) => AtomicOp::UMin,
        ("max", PtxType::S(_)) => AtomicOp::SMax,
        ("max", PtxType::U(_)) => AtomicOp::UMax,
        ("inc", PtxType::U(32)) => AtomicOp::Inc,
        ("dec", PtxType::U(32)) => AtomicOp::Dec,
        ("exch", PtxType::B(32 | 64)) => AtomicOp::Xchg,
        _ if float => return None,
        ("and", PtxType::B(_)) => AtomicOp::And,
        ("or", PtxType::B(_)) => AtomicOp::Or,
        ("xor", PtxType::B(_)) => AtomicOp::Xor,
        _ => return None,
    })
}

impl<'a> Fx<'a, '_> {
    /// `atom`, `red`
    pub(super) fn atomic(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let order = m.one_of(&[
            ("relaxed", MemOrder::Relaxed),
            ("acquire", MemOrder::Acquire),
            ("release", MemOrder::Release),
            ("acq_rel", MemOrder::AcqRel),
        ]);
        let order = order.unwrap_or(MemOrder::Relaxed);
        let scope = m.one_of(&SCOPES).unwrap_or(Scope::Device);
        let space = m.pick(Space::named).unwrap_or(Space::Generic);
        let word = m.pick(|w| WORDS.contains(&w).then_some(w)).unwrap_or_default();
        m.take("noftz");
        let hint = m.take("L2::cache_hint");
        let lanes = m.one_of(&[("v2", 2u8), ("v4", 4), ("v8", 8)]);
        let ty = m.ty()?;
        let pair = matches!(ty, PtxType::F16x2 | PtxType::BF16x2);
        let Some(own) = ty.ir().filter(|t| t.bits() >= 16 && (pair || !t.is_vector())) else {
            return Err(PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name())));
        };
        if !matches!(space, Space::Generic | Space::Global | Space::Shared) {
            return Err(PtxError::operand(i.span, format!("no atomics on {} memory", space.name())));
        }
        let mut operands: Vec<_> = i.operands.iter().collect();
        if hint {
            operands.pop();
        }
        let d = if i.name == "atom" && !operands.is_empty() { Some(operands.remove(0)) } else { None };
        if let Some(lanes) = lanes {
            return self.atomic_vector(i, (word, order, scope, space), (ty, lanes), d, &operands);
        }
        let old = match (word, operands.as_slice()) {
            ("cas", [p, expected, new]) if d.is_some() && matches!(ty, PtxType::B(_)) => {
                let p = self.address(p, space)?;
                let (expected, new) = (self.value(expected, ty)?, self.value(new, ty)?);
                self.builder().atomic_cas(order, scope, p, expected, new)
            }
            ("add", [p, v]) if pair => {
                let p = self.address(p, space)?;
                let v = self.value(v, ty)?;
                self.add_pair(order, scope, p, v)
            }
            (_, [p, v]) => {
                let Some(op) = operation(word, ty) else {
                    let message = format!("the instruction `{}` is not covered", i.full_name());
                    return Err(PtxError::unsupported(i.span, message));
                };
                let p = self.address(p, space)?;
                let v: Value = self.value(v, ty)?;
                debug_assert_eq!(self.ty(v), own);
                self.builder().atomic_rmw(op, order, scope, p, v)
            }
            _ => {
                let message = format!("`{}` with {} operands", i.full_name(), i.operands.len());
                return Err(PtxError::operand(i.span, message));
            }
        };
        match d {
            Some(d) => self.set(d, old, ty),
            None => Ok(()),
        }
    }

    /// `atom.add.v4.f32`: each element is changed atomically, all together are not.
    fn atomic_vector(
        &mut self,
        i: &'a Instruction<'a>,
        (word, order, scope, space): (&str, MemOrder, Scope, Space),
        (ty, lanes): (PtxType, u8),
        d: Option<&'a Operand<'a>>,
        operands: &[&'a Operand<'a>],
    ) -> Outcome<()> {
        let pair = matches!(ty, PtxType::F16x2 | PtxType::BF16x2) && word == "add";
        let op = operation(word, ty).filter(|_| !pair);
        let ([p, v], Some(own), true) = (operands, ty.ir(), pair || op.is_some()) else {
            return Err(PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name())));
        };
        let p = self.address(p, space)?;
        let new = self.elements(v, lanes)?;
        let old = d.map(|d| self.elements(d, lanes)).transpose()?;
        for (n, v) in new.iter().enumerate() {
            let v = self.value(v, ty)?;
            let mut b = self.builder();
            let by = b.iconst(Type::I64, (n as u64 * u64::from(own.bytes())) as i64);
            let at = b.ptradd(p, by, Flags::NONE);
            let was = match op {
                Some(op) => b.atomic_rmw(op, order, scope, at, v),
                None => self.add_pair(order, scope, at, v),
            };
            if let Some(old) = old {
                self.set(&old[n], was, ty)?;
            }
        }
        Ok(())
    }

    /// `atom.add.noftz.f16x2`: each element is added atomically, both together are not.
    fn add_pair(&mut self, order: MemOrder, scope: Scope, p: Value, v: Value) -> Value {
        let mut b = self.builder();
        let (low, high) = (b.extract(v, 0), b.extract(v, 1));
        let low = b.atomic_rmw(AtomicOp::FAdd, order, scope, p, low);
        let two = b.iconst(Type::I64, 2);
        let behind = b.ptradd(p, two, Flags::NONE);
        let high = b.atomic_rmw(AtomicOp::FAdd, order, scope, behind, high);
        b.vec_build(&[low, high])
    }

    /// `membar`, `fence`
    pub(super) fn fence(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        // Between the ways to the same memory: here there is one. Addresses of tensor maps are not looked at.
        let proxy = m.take("proxy");
        let restricted =
            m.pick(|w| w.starts_with("sync_restrict::").then_some(())).is_some() || m.take("mbarrier_init");
        if proxy {
            const WAYS: [&str; 6] =
                ["alias", "async", "async::generic", "async.global", "tensormap::generic", "global"];
            while m.pick(|w| (WAYS.contains(&w) || Space::named(w).is_some()).then_some(())).is_some() {}
        } else {
            let [] = self.operands(i)?;
        }
        let old = [("cta", Scope::Group), ("gl", Scope::Device), ("sys", Scope::System)];
        let order = m.one_of(&[
            ("sc", MemOrder::SeqCst),
            ("acq_rel", MemOrder::AcqRel),
            ("acquire", MemOrder::Acquire),
            ("release", MemOrder::Release),
        ]);
        let scope = if i.name == "membar" { m.one_of(&old) } else { m.one_of(&SCOPES) };
        let scope = scope.or((proxy || restricted).then_some(Scope::System));
        let Some(scope) = scope else {
            return Err(PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name())));
        };
        self.builder().fence(order.unwrap_or(MemOrder::AcqRel), scope);
        Ok(())
    }

    /// The active lanes, for operations that name none.
    pub(super) fn active(&mut self) -> Value {
        let ty = self.mask_type();
        let ty = ty.ir().unwrap_or(Type::I32);
        self.intrinsic(ir::Intrinsic::ActiveMask, ty, &[])
    }
}
