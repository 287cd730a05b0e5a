//! Variables with their initial values.

use super::Cx;
use crate::ast::{Element, Linkage, Variable};
use crate::error::{Outcome, PtxError};
use crate::types::Space;
use ir::{Global, GlobalData, GlobalInit, Reloc, Type};
use rustc_hash::FxHashMap;

/// Most bytes of initial values.
const MAX_INIT: u64 = 1 << 28;

impl<'a> Cx<'a> {
    /// Enters the variables of the module, then their initial values, which may name each other.
    pub(super) fn declare_variables(&mut self, list: &'a [Variable<'a>], errors: &mut Vec<PtxError>) {
        for v in list {
            if let Err(e) = self.declare_variable(v) {
                errors.push(e);
            }
        }
        for v in list {
            if let Some(&(id, _)) = self.globals.get(v.name.text)
                && let Err(e) = self.initialise(id, v)
            {
                errors.push(e);
            }
        }
    }

    fn declare_variable(&mut self, v: &'a Variable<'a>) -> Outcome<()> {
        if let Some(&(id, space)) = self.globals.get(v.name.text) {
            // Declared before, defined now, or the other way round.
            let old = &mut self.module.globals[id];
            if space == v.space && (old.external || v.linkage == Linkage::Extern) {
                if v.linkage != Linkage::Extern {
                    *old = data(v, v.name.text.to_owned())?;
                }
                return Ok(());
            }
            return Err(PtxError::name(v.name.span, format!("`{}` is declared twice", v.name.text)));
        }
        if let Some(offset) = self.window.as_ref().and_then(|w| w.offset(v)) {
            if self.windowed.insert(v.name.text, offset).is_some() {
                return Err(PtxError::name(v.name.span, format!("`{}` is declared twice", v.name.text)));
            }
            return Ok(());
        }
        let id = self.module.globals.push(data(v, v.name.text.to_owned())?);
        if let Some(w) = self.window.as_mut().filter(|_| v.space == Space::Shared) {
            w.dynamic = Some(id);
        }
        self.globals.insert(v.name.text, (id, v.space));
        Ok(())
    }

    /// A variable of a function, in memory that is not the function's.
    pub(super) fn scoped_variable(&mut self, v: &'a Variable<'a>, function: &str) -> Outcome<Global> {
        let id = self.module.globals.push(data(v, format!("{function}.{}", v.name.text))?);
        self.initialise(id, v)?;
        Ok(id)
    }

    fn initialise(&mut self, id: Global, v: &'a Variable<'a>) -> Outcome<()> {
        let Some(init) = &v.init else { return Ok(()) };
        if matches!(v.space, Space::Shared | Space::Local | Space::Param) {
            let message = format!("`{}` is in {} memory, which has no initial value", v.name.text, v.space.name());
            return Err(PtxError::operand(v.name.span, message));
        }
        let size = v.ty.bytes() as usize;
        let end = init.iter().map(|(at, _)| at + size as u64).max().unwrap_or(0);
        if end > MAX_INIT {
            return Err(PtxError::limit(v.name.span, format!("`{}` has too long an initial value", v.name.text)));
        }
        let mut bytes = vec![0; end as usize];
        let mut relocs = Vec::new();
        // Addresses written byte by byte: where each of them starts, and its bytes so far.
        let mut parts: FxHashMap<u64, u32> = FxHashMap::default();
        for (at, e) in init {
            let word = match e {
                Element::Int(n) => *n,
                Element::F32(b) if v.ty.bits() == 64 => f64::from(f32::from_bits(*b)).to_bits(),
                Element::F32(b) => u64::from(*b),
                Element::F64(b) if v.ty.bits() == 32 => u64::from((f64::from_bits(*b) as f32).to_bits()),
                Element::F64(b) => *b,
                Element::Address { name, mask, .. } if self.functions.contains_key(name.text) => {
                    let n = self.function_number(name.text).unwrap_or(0);
                    match mask {
                        None => n,
                        // A byte of it.
                        Some(m) if *m != 0 => (n & m) >> m.trailing_zeros(),
                        Some(_) => 0,
                    }
                }
                Element::Address { name, addend, generic, mask } => {
                    let Some(&(global, _)) = self.globals.get(name.text) else {
                        return Err(PtxError::name(name.span, format!("`{}` is no variable", name.text)));
                    };
                    let start = match mask {
                        None if size == 8 => Some(*at),
                        Some(m) if size == 1 && m.count_ones() == 8 && m.trailing_zeros().is_multiple_of(8) => {
                            let byte = u64::from(m.trailing_zeros() / 8);
                            let start = at.checked_sub(byte);
                            let seen = parts.entry(start.unwrap_or(0)).or_default();
                            *seen += 1;
                            start.filter(|_| *seen == 8)
                        }
                        _ => {
                            let message = format!("a part of the address of `{}`: eight bytes expected", name.text);
                            return Err(PtxError::unsupported(name.span, message));
                        }
                    };
                    if let Some(start) = start {
                        let offset = u32::try_from(start).unwrap_or(u32::MAX);
                        relocs.push(Reloc { offset, global, addend: *addend, generic: *generic });
                    }
                    0
                }
            };
            let at = *at as usize;
            bytes[at..at + size.min(8)].copy_from_slice(&word.to_le_bytes()[..size.min(8)]);
        }
        self.module.globals[id].init = GlobalInit::Bytes(bytes, relocs);
        Ok(())
    }
}

fn data(v: &Variable<'_>, name: String) -> Outcome<GlobalData> {
    let shared = v.space == Space::Shared;
    if v.count.is_some() || matches!(v.space, Space::Reg | Space::Param | Space::Local | Space::Generic) {
        let message = format!("`{}`: a variable in {} memory cannot stand here", v.name.text, v.space.name());
        return Err(PtxError::unsupported(v.name.span, message));
    }
    let external = v.linkage == Linkage::Extern;
    let natural = (v.ty.bytes() * u64::from(v.lanes)) as u32;
    Ok(GlobalData {
        name,
        space: v.space.ir(),
        size: v.size,
        align: v.align.unwrap_or(natural.next_power_of_two()),
        init: if shared || external { GlobalInit::None } else { GlobalInit::Zero },
        // The host may set constant memory before a launch.
        constant: false,
        linkage: match v.linkage {
            Linkage::Internal => ir::Linkage::Internal,
            Linkage::Weak => ir::Linkage::LinkOnce,
            Linkage::Visible | Linkage::Extern => ir::Linkage::External,
        },
        external,
        elem: v.ty.register().filter(|t| !t.is_vector()).unwrap_or(Type::I64),
        span: v.name.span,
    })
}
