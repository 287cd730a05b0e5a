//! PTX: from a module of the IR to the text that NVIDIA's assembler takes.
//!
//! [`emit`] writes a module. Each function goes through four steps:
//!
//! 1. `cfg`: an order of the blocks in which loops are contiguous and most branches fall through;
//! 2. `select`: one backward pass that counts the registers' readers and decides what is folded into what
//!    (addresses, multiply-add, wide multiplication, compare and branch), and which block parameters share a register
//!    with the value that the back edge brings;
//! 3. one forward pass that writes the instructions, one file per family;
//! 4. `edges`: branches, with the copies that replace block parameters.
//!
//! Every value that is no block parameter is written once, so the text is in SSA form but for the copies on edges;
//! that is what makes the folding safe: a register that is readable where an instruction stands is readable, with the
//! same contents, wherever that instruction's result is.
//!
//! Vectors do not exist in PTX except in loads and stores: each value has one register per lane, and building,
//! extracting and shuffling is renaming.
//!
//! If the verifier accepts a module, [`emit`] writes it or returns an [`EmitError`]; it does not panic.

mod arith;
mod asm;
mod asm_version;
mod assertion;
mod atomics;
mod bulk;
mod cfg;
mod coalesce;
mod compare;
mod convert;
mod edges;
mod error;
mod float;
mod func;
mod globals;
mod half;
mod intrinsics;
mod lineinfo;
mod matrix;
mod memory;
mod module;
mod names;
mod operand;
mod out;
mod params;
mod regs;
mod select;
mod shared;
mod special;
mod vector;

pub use error::EmitError;
pub use module::{EmitOptions, PtxTarget, emit};
