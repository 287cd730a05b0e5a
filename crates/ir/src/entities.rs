//! Entity references: `u32` newtypes that name things of a function or module.

use cranelift_entity::{EntityRef, SecondaryMap, entity_impl};

macro_rules! entities {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    )*};
}

entities! {
    /// A value: an instruction's result, a block parameter, or a constant.
    Value "v";
    /// An instruction.
    Inst "inst";
    /// A basic block.
    Block "block";
    /// A function of the module.
    FuncId "fn";
    /// A global variable of the module.
    Global "g";
    /// A stack slot: private memory of one work-item that lives as long as the function's activation.
    Slot "slot";
    /// A loop's metadata, named by the terminator of its back edge.
    LoopMd "loop";
    /// A switch table.
    Switch "switch";
    /// The text and constraints of an inline assembly instruction.
    AsmId "asm";
}

/// A side table with room for `n` entities at once: growing it entity by entity costs more than filling it.
pub fn side_table<K: EntityRef, V: Clone + Default>(n: usize) -> SecondaryMap<K, V> {
    let mut table = SecondaryMap::new();
    table.resize(n);
    table
}
