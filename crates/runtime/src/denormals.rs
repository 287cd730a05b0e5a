//! The processor's treatment of subnormal numbers, per thread.

/// While it lives, this thread's arithmetic takes subnormal numbers for zero and gives zero for them. Does nothing on
/// processors whose control register this crate does not know.
pub(crate) struct Flushed {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    before: u64,
}

impl Flushed {
    /// Sets the mode; the old one comes back when the value is dropped.
    pub(crate) fn set() -> Self {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        {
            let before = read();
            write(before | BITS);
            Self { before }
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        Self {}
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl Drop for Flushed {
    fn drop(&mut self) {
        write(self.before);
    }
}

/// `MXCSR`: flush to zero (bit 15), denormals are zero (bit 6).
#[cfg(target_arch = "x86_64")]
const BITS: u64 = 1 << 15 | 1 << 6;

#[cfg(target_arch = "x86_64")]
fn read() -> u64 {
    let mut state = 0u32;
    // SAFETY: stores the control register to the variable.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut state, options(nostack, preserves_flags)) };
    state.into()
}

#[cfg(target_arch = "x86_64")]
fn write(state: u64) {
    let state = state as u32;
    // SAFETY: a state read from the register, or one with two mode bits more; no exception is unmasked. Restored by
    // `Flushed` before this thread goes on with other code.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &state, options(nostack, readonly, preserves_flags)) };
}

/// `FPCR`: flush to zero (bit 24).
#[cfg(target_arch = "aarch64")]
const BITS: u64 = 1 << 24;

#[cfg(target_arch = "aarch64")]
fn read() -> u64 {
    let state: u64;
    // SAFETY: reads the control register.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) state, options(nomem, nostack, preserves_flags)) };
    state
}

#[cfg(target_arch = "aarch64")]
fn write(state: u64) {
    // SAFETY: as on x86.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) state, options(nostack, preserves_flags)) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn subnormals_are_flushed_and_come_back() {
        let halve = || black_box(f32::MIN_POSITIVE) * black_box(0.5);
        assert!(halve() > 0.0);
        {
            let _flushed = Flushed::set();
            assert_eq!(halve().to_bits(), 0);
        }
        assert!(halve() > 0.0);
    }
}
