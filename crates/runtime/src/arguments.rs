//! The block of arguments that work-group functions read.

use crate::{Arg, Error};
use launch::context::MEMORY_ALIGN;
use simd::HostKernel;
use smallvec::SmallVec;

/// A block of arguments, and where in work-group memory the local arrays of each group stand.
#[derive(Debug)]
pub(crate) struct Block {
    /// The bytes; slots of local arrays are filled per thread.
    pub(crate) bytes: SmallVec<[u8; 256]>,
    /// Offset of a slot, and offset of its array behind the start of work-group memory.
    pub(crate) locals: SmallVec<[(usize, u64); 4]>,
    /// Bytes of work-group memory: what is declared, the dynamic part, the local arrays.
    pub(crate) shared_bytes: u64,
}

/// Lays out arguments as a kernel wants them.
///
/// # Errors
/// Arguments that do not fit the slots.
pub(crate) fn block(kernel: &HostKernel, args: &[Arg<'_>], dynamic_shared: u64) -> Result<Block, Error> {
    if args.len() != kernel.args.len() {
        return Err(Error::ArgumentCount { given: args.len(), expected: kernel.args.len() });
    }
    let mut bytes = SmallVec::from_elem(0, kernel.args_bytes as usize);
    let mut locals = SmallVec::new();
    let mut at = u64::from(kernel.shared_bytes).checked_add(dynamic_shared);
    for (index, (arg, slot)) in args.iter().zip(&kernel.args).enumerate() {
        let misfit = |why: String| Error::Argument { index, why };
        let (start, size) = (slot.offset as usize, slot.size as usize);
        let place = bytes.get_mut(start..start + size).ok_or_else(|| misfit("has no place in the block".to_owned()))?;
        match arg {
            Arg::Value(v) if slot.local => {
                return Err(misfit(format!("is a local array; {} bytes given as a value", v.len())));
            }
            Arg::Value(v) => {
                // A vector of three is a slot of three or four components, depending on who lays it out.
                if v.len() < size && v.len() * 4 != size * 3 {
                    return Err(misfit(format!("has {} bytes, {size} expected", v.len())));
                }
                let n = v.len().min(size);
                place[..n].copy_from_slice(&v[..n]);
            }
            Arg::Pointer(p) if size == 8 => place.copy_from_slice(&(*p as u64).to_le_bytes()),
            Arg::Local(n) if slot.local => {
                let array = at.and_then(|a| a.checked_next_multiple_of(MEMORY_ALIGN));
                locals.push((start, array.unwrap_or(0)));
                at = array.and_then(|a| a.checked_add(*n));
            }
            Arg::Local(_) => return Err(misfit("is not work-group memory".to_owned())),
            Arg::Pointer(_) => return Err(misfit("is no pointer".to_owned())),
        }
    }
    let shared_bytes =
        at.ok_or_else(|| Error::Argument { index: 0, why: "asks for too much work-group memory".to_owned() })?;
    Ok(Block { bytes, locals, shared_bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use launch::context::ArgSlot;

    fn kernel(slots: &[(u32, u32, bool)]) -> HostKernel {
        let args: Vec<ArgSlot> = slots.iter().map(|&(offset, size, local)| ArgSlot { offset, size, local }).collect();
        HostKernel {
            func: ir::FuncId::from_u32(0),
            name: String::new(),
            args_bytes: args.last().map_or(0, |a| a.offset + a.size),
            args,
            shared_bytes: 20,
            scratch: launch::ScratchSize::default(),
            lanes: 1,
            reason: None,
            packs: false,
            waits: false,
        }
    }

    #[test]
    fn values_pointers_and_local_arrays() {
        let k = kernel(&[(0, 4, false), (8, 8, false), (16, 8, true), (24, 8, true)]);
        let args = [Arg::Value(&[1, 2, 3, 4]), Arg::Pointer(0x1234 as *mut u8), Arg::Local(100), Arg::Local(8)];
        let b = block(&k, &args, 12).expect("fits");
        assert_eq!(b.bytes[..4], [1, 2, 3, 4]);
        assert_eq!(b.bytes[8..16], 0x1234u64.to_le_bytes());
        assert_eq!(b.locals.as_slice(), [(16, 128), (24, 256)]);
        assert_eq!(b.shared_bytes, 264);
    }

    #[test]
    fn what_does_not_fit() {
        let k = kernel(&[(0, 4, false), (8, 8, true)]);
        let fails = |args: &[Arg<'_>]| block(&k, args, 0).expect_err("wrong").to_string();
        assert!(fails(&[]).contains("0 arguments given, the kernel takes 2"));
        assert!(fails(&[Arg::Value(&[1]), Arg::Local(1)]).contains("argument 0 has 1 bytes, 4 expected"));
        assert!(fails(&[Arg::Pointer(std::ptr::null_mut()), Arg::Local(1)]).contains("argument 0 is no pointer"));
        assert!(fails(&[Arg::Value(&[0; 4]), Arg::Value(&[0; 8])]).contains("argument 1 is a local array"));
        assert!(fails(&[Arg::Local(4), Arg::Local(4)]).contains("argument 0 is not work-group memory"));
        assert!(fails(&[Arg::Value(&[0; 4]), Arg::Local(u64::MAX)]).contains("too much"));
    }
}
