//! Where variables of a work-group lie: arrays begin at multiples of 16 bytes, so that neighbouring elements can be read
//! and written as one vector, by [`crate::vectorize`] or by the back end. In C an array of `float` promises 4; the place is
//! ours to choose, as that of a stack slot is.
//!
//! What must hold: nothing has been laid out yet. Left alone are variables whose size is no multiple of 16 (what follows
//! would move), those defined elsewhere or sized at launch, and all of a module that could then need more than
//! [`MAX_TOTAL`]. Cost: linear in the number of variables.

use ir::{AddrSpace, GlobalData, Module};

/// Alignment in bytes: that of the widest access.
const ALIGN: u32 = 16;
/// Most bytes of all of a module's variables with what is lost between them: what every GPU gives a group.
const MAX_TOTAL: u64 = 48 << 10;

/// Aligns the arrays of work-groups.
pub fn align(module: &mut Module) {
    let shared = |g: &GlobalData| g.space == AddrSpace::Shared;
    let total = module.globals.values().filter(|g| shared(g)).map(|g| g.size.next_multiple_of(ALIGN.into()));
    if total.fold(0u64, u64::saturating_add) > MAX_TOTAL {
        return;
    }
    for g in module.globals.values_mut().filter(|g| shared(g)) {
        if !g.external && g.size != 0 && g.size % u64::from(ALIGN) == 0 {
            g.align = g.align.max(ALIGN);
        }
    }
}
