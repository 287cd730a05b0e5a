//! `firstprivate` of arrays and of sections of pointers: the host's elements are copied when the construct is met, and each
//! work-item begins with them.

use crate::ctype::Shape;
use crate::edit::Edits;
use crate::kernel::Writer;
use crate::scope::{Storage, VarId};
use std::fmt::Write;
use std::ops::Range;
use syntax::ast::TypeId;

impl Writer<'_> {
    /// Makes a variable known that begins as the host's; what the kernel does not change all work-items share.
    pub(crate) fn first(
        &mut self,
        v: VarId,
        ty: TypeId,
        written: bool,
        edits: &mut Edits,
        range: &Range<usize>,
    ) -> Result<(), String> {
        let var = self.scopes.var(v).clone();
        let name = &var.name;
        let unsupported = || format!("the type of `{name}` is not supported in regions");
        let (dims, element) = self.unit.dimensions(ty);
        let zeros = "[0]".repeat(dims.len());
        let (lower, each) = match self.plan.sections.get(&v) {
            Some((lower, count)) => (lower.clone(), format!("({count})")),
            // The outermost extent of a parameter is not known to `sizeof`.
            None if var.storage == Storage::Param => {
                let outer =
                    dims.first().copied().flatten().ok_or_else(|| format!("the extent of `{name}` is not constant"))?;
                ("0".to_owned(), format!("(sizeof({name}[0]) / sizeof(({name}){zeros}) * {outer}ul)"))
            }
            None => ("0".to_owned(), format!("(sizeof({name}) / sizeof(({name}){zeros}))")),
        };
        let size = format!("sizeof(({name}){zeros})");
        let _ = write!(
            self.setup,
            "void *__first_{name} = __unspool_acc_first((const char *)({name}) + ({lower}) * (long){size}, (unsigned long)({each}) * {size}); "
        );
        self.params.push(self.unit.declare(element, &format!("*{name}__first")).ok_or_else(unsupported)?);
        self.arguments.value(&format!("void *{name}__first"), &format!("__first_{name}"));
        if written {
            self.private(v, name, ty, edits, range)?;
            let flat = self.unit.declare(element, "*").ok_or_else(unsupported)?;
            let computed = self.plan.sections.contains_key(&v) || dims.iter().any(Option::is_none);
            let (count, begin) = if computed {
                (format!("{name}__each"), format!("({name} + {name}__low)"))
            } else {
                (dims.iter().flatten().product::<u64>().to_string(), format!("(({flat}){name})"))
            };
            let _ =
                write!(self.prologue, "for (long __k = 0; __k < {count}; __k++) {begin}[__k] = {name}__first[__k]; ");
            return Ok(());
        }
        if matches!(self.unit.shape(ty), Shape::Array(..)) && self.taken_size(v, range) {
            return Err(format!("`sizeof` of array `{name}` is not supported in regions"));
        }
        if dims.iter().skip(1).any(Option::is_none) {
            let local = self.unit.declare(element, &format!("*{name}")).ok_or_else(unsupported)?;
            let _ = write!(self.prologue, "{local} = {name}__first; ");
            self.pass_extents(name, dims.len());
            return self.linearise(v, dims.len(), range, edits);
        }
        let (Shape::Array(row, _) | Shape::Pointer(row)) = self.unit.shape(ty) else { return Err(unsupported()) };
        let rows = if dims.len() > 1 { format!("(*{name})") } else { format!("*{name}") };
        let local = self.unit.declare(row, &rows).ok_or_else(unsupported)?;
        self.long(&format!("{name}__low"), &lower);
        let _ = write!(self.prologue, "{local} = (void *)({name}__first - {name}__low); ");
        Ok(())
    }
}
