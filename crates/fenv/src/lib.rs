//! The processor's floating-point environment: rounding, subnormal numbers, which exceptions trap, which were raised.
//!
//! Each thread has its own, and what calls this project's libraries may have changed it: `-ffast-math` at link time makes
//! C programs flush subnormal numbers, `fesetround` and `feenableexcept` do what they say, and threads inherit it from
//! those that start them. Compilers assume the default environment (nearest, subnormal numbers kept, nothing traps), and so
//! do kernels, but for subnormal numbers where their options say so.
//!
//! An [`Environment`] is entered where others call in: the thread computes as if nobody had changed anything, and has its
//! own environment back afterwards, with the exceptions that it had raised before and none more.
//!
//! What is covered: `MXCSR` on x86-64, `FPCR` and `FPSR` on AArch64. The control word of x87 is left alone, since nothing
//! here computes with it: neither Rust's code nor LLVM's for these targets does, unless a type of 80 bits asks for it. On
//! other processors nothing happens.
//!
//! Cost: a read on the way in and one on the way out, a few cycles, and writes where something differs.

/// What becomes of subnormal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Subnormals {
    /// They are numbers like others.
    #[default]
    Keep,
    /// Operations take them for zero and give zero for them.
    Flush,
}

/// The environment of this thread, replaced while this lives.
#[derive(Debug)]
#[must_use = "the old environment comes back when this is dropped"]
pub struct Environment {
    before: registers::State,
    /// A thread's registers are restored on that thread.
    _own: std::marker::PhantomData<*const ()>,
}

impl Environment {
    /// Rounds to nearest, traps nothing, and treats subnormal numbers like this, until it is dropped.
    #[inline]
    pub fn enter(subnormals: Subnormals) -> Self {
        let before = registers::read();
        registers::change(before, registers::default(subnormals));
        Self { before, _own: std::marker::PhantomData }
    }
}

impl Drop for Environment {
    #[inline]
    fn drop(&mut self) {
        registers::restore(self.before);
    }
}

/// Does something in the default environment.
#[inline]
pub fn in_default<T>(f: impl FnOnce() -> T) -> T {
    /// Not inlined, so that no computation moves out of it: compilers do not know that it depends on the environment.
    #[inline(never)]
    fn isolated<T>(f: impl FnOnce() -> T) -> T {
        f()
    }
    let _environment = Environment::enter(Subnormals::Keep);
    isolated(f)
}

#[cfg(target_arch = "x86_64")]
mod registers {
    use crate::Subnormals;
    use std::arch::asm;

    /// `MXCSR`.
    pub(crate) type State = u32;

    /// Exceptions that were raised: bits 0 to 5.
    const RAISED: State = 0x3f;
    /// All exceptions masked (bits 7 to 12), nearest (bits 13 and 14 clear), nothing raised.
    const DEFAULT: State = 0x1f80;
    /// Flush to zero (bit 15), denormals are zero (bit 6).
    const FLUSH: State = 1 << 15 | 1 << 6;

    pub(crate) fn default(subnormals: Subnormals) -> State {
        DEFAULT | if subnormals == Subnormals::Flush { FLUSH } else { 0 }
    }

    #[inline]
    pub(crate) fn read() -> State {
        let mut state = 0;
        // SAFETY: stores the control register to the variable.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut state, options(nostack, preserves_flags)) };
        state
    }

    #[inline]
    fn write(state: State) {
        // SAFETY: loads a value that was read from the register or has no reserved bits. What compilers assume of the
        // environment holds inside of an `Environment`, and it is as it was outside.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const state, options(nostack, preserves_flags)) };
    }

    #[inline]
    pub(crate) fn change(now: State, wanted: State) {
        if now & !RAISED != wanted {
            write(wanted);
        }
    }

    #[inline]
    pub(crate) fn restore(before: State) {
        if read() != before {
            write(before);
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod registers {
    use crate::Subnormals;
    use std::arch::asm;

    /// `FPCR` and `FPSR`.
    pub(crate) type State = [u64; 2];

    /// `FPCR`: subnormal numbers are flushed (bit 24).
    const FLUSH: u64 = 1 << 24;

    pub(crate) fn default(subnormals: Subnormals) -> State {
        [if subnormals == Subnormals::Flush { FLUSH } else { 0 }, 0]
    }

    #[inline]
    pub(crate) fn read() -> State {
        let (control, status): (u64, u64);
        // SAFETY: reads the two registers.
        unsafe {
            asm!("mrs {}, fpcr", "mrs {}, fpsr", out(reg) control, out(reg) status, options(nostack, preserves_flags));
        };
        [control, status]
    }

    #[inline]
    pub(crate) fn change(now: State, wanted: State) {
        if now[0] != wanted[0] {
            // SAFETY: as on x86.
            unsafe { asm!("msr fpcr, {}", in(reg) wanted[0], options(nostack, preserves_flags)) };
        }
    }

    #[inline]
    pub(crate) fn restore(before: State) {
        let now = read();
        change(now, before);
        if now[1] != before[1] {
            // SAFETY: a state that was read from the register.
            unsafe { asm!("msr fpsr, {}", in(reg) before[1], options(nostack, preserves_flags)) };
        }
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod registers {
    pub(crate) type State = ();
    pub(crate) fn default(_: crate::Subnormals) -> State {}
    pub(crate) fn read() -> State {}
    pub(crate) fn change(_: State, _: State) {}
    pub(crate) fn restore(_: State) {}
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// The bits of a product that is subnormal; comparing it would flush it, too.
    fn halved() -> u32 {
        black_box(black_box(f32::MIN_POSITIVE) * black_box(0.5)).to_bits()
    }

    #[test]
    fn subnormals_are_flushed_and_come_back() {
        assert_ne!(halved(), 0);
        {
            let _flushed = Environment::enter(Subnormals::Flush);
            assert_eq!(halved(), 0);
            assert_ne!(in_default(halved), 0);
            assert_eq!(halved(), 0);
        }
        assert_ne!(halved(), 0);
    }

    #[test]
    fn what_was_raised_inside_is_not_seen_outside() {
        let before = registers::read();
        in_default(|| black_box(black_box(1.0f32) / black_box(0.0)));
        assert_eq!(registers::read(), before);
        let _environment = Environment::enter(Subnormals::Keep);
        black_box(black_box(1.0f32) / black_box(0.0));
        assert_ne!(registers::read(), before, "a division by zero is noted, else the test shows nothing");
    }

    #[test]
    fn a_panic_leaves_the_environment_as_it_was() {
        let before = registers::read();
        let caught = std::panic::catch_unwind(|| {
            let _flushed = Environment::enter(Subnormals::Flush);
            black_box(black_box(1.0f32) / black_box(0.0));
            panic!("left early");
        });
        assert!(caught.is_err());
        assert_eq!(registers::read(), before);
    }
}
