//! Variables that outlive kernels: CUDA's `__device__` and `__constant__`, OpenCL's program-scope `global`.
//!
//! A program has one of each per device. All of its kernels see the same one, and so does whoever launches them. So
//! machine code of a kernel does not contain them: it refers to [symbols](symbol) that whoever loads it resolves to a
//! [`Layout`] in the device's memory. What kernels cannot change (`const`, OpenCL's `constant`, string literals) is part
//! of their code, unless one of these variables points to it.

use ir::{AddrSpace, Global, GlobalData, GlobalInit, Module};
use serde::{Deserialize, Serialize};

/// A variable, without its name in the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Variable {
    /// Its name in the module: mangled in C++ unless it stands outside of namespaces.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its alignment, a power of two.
    pub align: u32,
    /// What it holds before the first kernel runs; zeros follow.
    pub init: Vec<u8>,
    /// Addresses in that.
    pub addresses: Vec<Address>,
}

/// Eight bytes of a variable that hold the address of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Address {
    /// Where it stands.
    pub offset: u32,
    /// Which variable's, by its number in the list.
    pub variable: u32,
    /// So many bytes are added.
    pub addend: i64,
}

/// What machine code calls a variable. No function of the system's libraries is called so.
pub fn symbol(name: &str) -> String {
    format!("unspool.var.{name}")
}

/// Whether kernels or callers may change it.
fn is_variable(g: &GlobalData) -> bool {
    matches!(g.space, AddrSpace::Global | AddrSpace::Constant) && !g.constant
}

/// The variables of a module that outlive kernels, and what they point to; in the module's order.
pub fn shared(module: &Module) -> Vec<Global> {
    let mut found: Vec<bool> = module.globals.values().map(is_variable).collect();
    let mut left: Vec<Global> = module.globals.keys().filter(|g| found[g.as_u32() as usize]).collect();
    while let Some(g) = left.pop() {
        let GlobalInit::Bytes(_, relocs) = &module.globals[g].init else { continue };
        for r in relocs {
            let known = &mut found[r.global.as_u32() as usize];
            if !std::mem::replace(known, true) {
                left.push(r.global);
            }
        }
    }
    module.globals.keys().filter(|g| found[g.as_u32() as usize]).collect()
}

/// The variables of a module, as they are stored beside it and laid out.
pub fn of(module: &Module) -> Vec<Variable> {
    let globals = shared(module);
    let number = |g: Global| globals.binary_search(&g).unwrap_or_default() as u32;
    let variable = |&g: &Global| {
        let data = &module.globals[g];
        let (init, addresses) = match &data.init {
            GlobalInit::Bytes(bytes, relocs) => {
                let address =
                    |r: &ir::Reloc| Address { offset: r.offset, variable: number(r.global), addend: r.addend };
                (bytes.clone(), relocs.iter().map(address).collect())
            }
            GlobalInit::None | GlobalInit::Zero => (Vec::new(), Vec::new()),
        };
        Variable { name: data.name.clone(), bytes: data.size, align: data.align, init, addresses }
    };
    globals.iter().map(variable).collect()
}

/// Where the variables of a program stand in one piece of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Of each variable, where it begins.
    pub offsets: Vec<u64>,
    /// Size of all.
    pub bytes: u64,
    /// Alignment of all, a power of two.
    pub align: u64,
}

/// Least alignment of a variable: kernels' loads of vectors do not cross lines of the cache.
const ALIGN: u64 = 64;

impl Layout {
    /// One after the other; `None` if that is more than an address can count.
    pub fn new(variables: &[Variable]) -> Option<Self> {
        let (mut at, mut align) = (0u64, ALIGN);
        let mut offsets = Vec::with_capacity(variables.len());
        for v in variables {
            align = align.max(v.align.into());
            at = at.checked_next_multiple_of(ALIGN.max(v.align.into()))?;
            offsets.push(at);
            at = at.checked_add(v.bytes)?;
        }
        Some(Self { offsets, bytes: at, align })
    }

    /// Writes what the variables hold at first to memory that holds zeros and which kernels see at the address
    /// `base`, a multiple of the alignment.
    pub fn initialise(&self, variables: &[Variable], memory: &mut [u8], base: u64) {
        for (v, &start) in variables.iter().zip(&self.offsets) {
            let place = usize::try_from(start).ok().and_then(|s| memory.get_mut(s..)).unwrap_or_default();
            let length = v.init.len().min(usize::try_from(v.bytes).unwrap_or(usize::MAX)).min(place.len());
            place[..length].copy_from_slice(&v.init[..length]);
            for a in &v.addresses {
                let of = self.offsets.get(a.variable as usize).copied().unwrap_or_default();
                let address = base.wrapping_add(of).wrapping_add_signed(a.addend);
                if let Some(eight) = place.get_mut(a.offset as usize..).and_then(|p| p.get_mut(..8)) {
                    eight.copy_from_slice(&address.to_le_bytes());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module() -> Module {
        let text = "module \"m\"\nmath\n\nglobal @table: constant size 8 align 4 elem i32 constant = x0100000002000000\n\
                    global @word: global size 6 align 1 elem i8 constant = x68656c6c6f00\n\
                    global @n: global size 4 align 4 elem i32 external = x05000000\n\
                    global @k: constant size 16 align 16 elem f32 external = zero\n\
                    global @tile: shared size 64 align 4 elem f32\n\
                    global @p: global size 16 align 8 elem ptr external = x00000000000000000000000000000000 reloc 8 @word 1 generic\n";
        ir::parse::parse_module(text).expect("it is one")
    }

    #[test]
    fn what_kernels_change_and_what_it_points_to() {
        let all = of(&module());
        let names: Vec<&str> = all.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["word", "n", "k", "p"]);
        assert_eq!(all[3].addresses, [Address { offset: 8, variable: 0, addend: 1 }]);
        assert_eq!((all[1].bytes, all[1].align, all[1].init.as_slice()), (4, 4, &[5, 0, 0, 0][..]));
    }

    #[test]
    fn initial_values_and_addresses_stand_where_the_layout_says() {
        let all = of(&module());
        let layout = Layout::new(&all).expect("small");
        assert_eq!((layout.offsets.as_slice(), layout.bytes), (&[0, 64, 128, 192][..], 208));
        let mut memory = vec![0; 208];
        layout.initialise(&all, &mut memory, 0x1000);
        assert_eq!(&memory[..6], b"hello\0");
        assert_eq!(memory[64..68], [5, 0, 0, 0]);
        assert_eq!(memory[200..208], 0x1001u64.to_le_bytes());
        assert!(memory[128..200].iter().all(|&b| b == 0));
    }

    #[test]
    fn more_than_addresses_count_is_no_layout() {
        let v = |bytes| Variable { name: String::new(), bytes, align: 4, init: Vec::new(), addresses: Vec::new() };
        assert_eq!(Layout::new(&[v(u64::MAX), v(1)]), None);
    }
}
