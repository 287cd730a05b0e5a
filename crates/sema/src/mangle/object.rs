//! Objects of classes as template arguments (C++20): their values, member by member.

use super::Mangler;
use crate::types::{TemplateArg, Ty, TyId};
use std::fmt::Write as _;

impl Mangler<'_> {
    /// The value that the bytes of an object are: of a class its members.
    pub(super) fn object(&mut self, bytes: &[u8], ty: TyId) {
        let types = self.types;
        match *types.get(ty) {
            Ty::Record(r) => {
                self.out.push_str("tl");
                self.ty(ty);
                let record = types.record(r);
                let parts: Vec<(TyId, u64)> = record.fields.iter().map(|f| (f.ty, f.offset)).collect();
                self.parts(bytes, &parts);
            }
            Ty::Array { elem, len } => {
                self.out.push_str("tl");
                self.ty(ty);
                let size = types.size_of(elem).unwrap_or(1);
                let parts: Vec<(TyId, u64)> = (0..len.unwrap_or(0)).map(|i| (elem, i * size)).collect();
                self.parts(bytes, &parts);
            }
            Ty::Float(_) => {
                self.out.push('L');
                self.ty(ty);
                bytes.iter().rev().for_each(|b| {
                    let _ = write!(self.out, "{b:02x}");
                });
                self.out.push('E');
            }
            _ => {
                let mut raw = [0; 8];
                raw.iter_mut().zip(bytes).for_each(|(r, b)| *r = *b);
                let unused = 64 - 8 * bytes.len().clamp(1, 8) as u32;
                let value = u64::from_le_bytes(raw);
                let value = if types.is_signed(ty) { (value << unused) as i64 >> unused } else { value as i64 };
                self.template_arg(&TemplateArg::Int { value, ty });
            }
        }
    }

    fn parts(&mut self, bytes: &[u8], parts: &[(TyId, u64)]) {
        let types = self.types;
        let of = |&(ty, at): &(TyId, u64)| {
            let end = at.saturating_add(types.size_of(ty).unwrap_or(0));
            bytes.get(at as usize..end as usize).unwrap_or_default()
        };
        // nvcc writes those at the end that are zero, too, which the Itanium ABI leaves out.
        for p in parts {
            self.object(of(p), p.0);
        }
        self.out.push('E');
    }
}
