//! Machine code for this machine, by LLVM 19. The only crate that sees LLVM.
