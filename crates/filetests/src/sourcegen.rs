//! Random programs in source form, OpenCL C and CUDA C++, and what becomes of them: the whole compiler, from the text to
//! what machine code computes, judged by the interpreter on code that was not optimised.
//!
//! * [`tree`] is what a program is until it is text; [`print`](mod@print) makes it that.
//! * [`make`] makes programs with one meaning.
//! * [`execute`] runs them in each way that there is, and compares.
//! * [`reduce`] makes a failing program small.

pub mod execute;
pub mod make;
pub mod print;
pub mod reduce;
pub mod tree;
