//! What an architecture's instruction set has.

use crate::{Arch, ArchVariant, PtxVersion};

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident $sm:literal $major:literal $minor:literal $specific:literal $text:literal;)*) => {
        /// A feature of the instruction set that not every architecture has.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Feature { $($(#[$doc])* $name,)* }

        impl Feature {
            /// Every feature.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// What to call it in a message.
            pub fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($text),*];
                NAMES[self as usize]
            }

            /// Number of the first architecture that has it.
            pub fn min_arch(self) -> u32 {
                const SM: &[u32] = &[$($sm),*];
                SM[self as usize]
            }

            /// The first PTX ISA that has it.
            pub fn min_ptx(self) -> PtxVersion {
                const PTX: &[PtxVersion] = &[$(PtxVersion::new($major, $minor)),*];
                PTX[self as usize]
            }

            /// Whether only architecture- or family-specific targets (`sm_90a`, `sm_100f`) have it.
            pub fn is_specific(self) -> bool {
                const SPECIFIC: &[bool] = &[$($specific),*];
                SPECIFIC[self as usize]
            }
        }
    };
}

features! {
    /// Loads through the read-only path.
    LdgNonCoherent 35 3 1 false "`ld.global.nc`";
    /// Arithmetic on `f16`.
    F16Arith 53 4 2 false "half-precision arithmetic";
    /// Minimum and maximum of `f16`.
    F16MinMax 80 7 0 false "half-precision `min` and `max`";
    /// `fma` on `bf16`.
    Bf16Fma 80 7 0 false "`fma` on bf16";
    /// Minimum and maximum of `bf16`.
    Bf16MinMax 80 7 0 false "`min` and `max` on bf16";
    /// Conversion between `f32` and `bf16`.
    Bf16Cvt 80 7 0 false "conversions to bf16";
    /// Addition, multiplication and comparison of `bf16`.
    Bf16Arith 90 7 8 false "bf16 arithmetic";
    /// Atomic addition of `f64`.
    AtomAddF64 60 5 0 false "`atom.add.f64`";
    /// Scopes on atomics.
    AtomScopes 60 5 0 false "scopes of atomics";
    /// The memory model with orders on `ld`, `st`, `atom` and `fence`.
    MemoryModel 70 6 0 false "memory orders on `ld`, `st` and `atom`";
    /// Atomic compare and swap of 16 bits.
    AtomCas16 70 6 3 false "`atom.cas.b16`";
    /// Atomic addition of `f16`.
    AtomAddF16 70 6 3 false "`atom.add.noftz.f16`";
    /// Atomic addition of `bf16`.
    AtomAddBf16 90 7 8 false "`atom.add.noftz.bf16`";
    /// `nanosleep`.
    Nanosleep 70 6 3 false "`nanosleep`";
    /// `match.sync`.
    Match 70 6 0 false "`match.sync`";
    /// `redux.sync`.
    Redux 80 7 0 false "`redux.sync`";
    /// `tanh.approx`.
    TanhApprox 75 7 0 false "`tanh.approx`";
    /// `ex2.approx` on `f16`.
    Ex2F16 75 7 0 false "`ex2.approx` on f16";
    /// Byte and half-word dot products.
    DotProduct 61 5 0 false "`dp4a` and `dp2a`";
    /// Generic addresses of kernel parameters.
    CvtaParam 70 7 7 false "addresses of kernel parameters";
    /// Tensor cores: products of matrices in half precision.
    MatrixHalf 70 6 0 false "products of matrices by tensor cores";
    /// Of bytes.
    MatrixBytes 72 6 3 false "products of matrices of bytes by tensor cores";
    /// Of four bits or one, combined by exclusive or.
    MatrixParts 75 6 3 false "products of matrices of less than a byte by tensor cores";
    /// `mma` of the first shapes.
    MatrixTiles 75 6 5 false "`mma` of this shape";
    /// `ldmatrix`
    MatrixLoad 75 6 5 false "`ldmatrix`";
    /// Of bf16, tf32 and double precision, and `mma` of most shapes.
    MatrixWide 80 7 0 false "products of matrices of this type or shape by tensor cores";
    /// Of single bits, combined by and.
    MatrixAnd 80 7 1 false "products of matrices of bits by and";
    /// `mma` of double precision in large shapes.
    MatrixDouble 90 7 8 false "`mma` of double precision in this shape";
    /// Asynchronous copies to shared memory.
    AsyncCopy 80 7 0 false "`cp.async`";
    /// Clusters of blocks.
    Clusters 90 7 8 false "clusters";
    /// `brx.idx`.
    BranchTable 30 6 0 false "`brx.idx`";
    /// `setmaxnreg`.
    SetMaxNReg 90 8 0 true "`setmaxnreg`";
}

impl Arch {
    /// Whether the architecture has `feature` (with a new enough PTX ISA: [`Feature::min_ptx`]).
    pub fn has(self, feature: Feature) -> bool {
        self.number() >= feature.min_arch() && (!feature.is_specific() || self.variant() != ArchVariant::Base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_follow_the_number() {
        let sm = |n| Arch::from_number(n).unwrap();
        assert!(!sm(52).has(Feature::F16Arith) && sm(53).has(Feature::F16Arith));
        assert!(!sm(75).has(Feature::Redux) && sm(80).has(Feature::Redux));
        assert!(!sm(90).has(Feature::SetMaxNReg));
        assert!(Arch::parse("sm_90a").unwrap().arch.has(Feature::SetMaxNReg));
        for f in Feature::ALL {
            assert!(f.min_ptx() <= PtxVersion::new(8, 0), "{f:?} needs more than the ISA that is emitted");
        }
    }
}
