//! What machine to compile for.

use crate::lasting::Lasting;
use crate::target_machine::{TargetMachine, owned};
use crate::{LlvmError, OptLevel};
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::llvm_sys::target::{LLVM_InitializeNativeAsmPrinter, LLVM_InitializeNativeTarget};
use inkwell::llvm_sys::target_machine as tm;
use std::ffi::{CStr, c_char};
use std::sync::OnceLock;

/// What the vectors of a machine can do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Vectors {
    /// Bits of a vector register.
    pub vector_bits: u32,
    /// Whether gathers in hardware are faster than loads lane by lane.
    pub gathers: bool,
    /// Whether loads and stores of 32-bit and wider lanes take masks.
    pub masked_memory: bool,
    /// Whether there is a fused multiply-add.
    pub fma: bool,
    /// Lines of a row of memory that code takes at once where it walks along so many rows that no prefetcher follows them. On AMD's
    /// as many as there are, on Intel's two: SHOC's S3D, measured on both; on others, which were not measured, as on AMD's.
    pub lines_at_once: u32,
    /// Lanes of loops that do little but walk along rows of memory, a power of two apart, one for each lane: as many lines of a set
    /// as its first level's cache keeps beside others. Two where that was not measured; eight on Intel's servers with 12 ways (a Sapphire Rapids).
    pub rows_at_once: u32,
}

/// What code never uses. LLVM 19 swaps the operands of comparisons of `half`s when one stands in memory (`vcmpltph`), and not
/// what is compared: `0 < x` became `x < 0`. Without the instructions `half`s are computed as `float`s and rounded, as on processors that have none.
const LEFT_OUT: &str = if cfg!(target_arch = "x86_64") { "-avx512fp16" } else { "" };

/// A processor: target, name and features as LLVM calls them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HostMachine {
    triple: String,
    cpu: String,
    features: String,
}

impl HostMachine {
    /// The very processor that this runs on.
    ///
    /// # Errors
    /// LLVM was built without this machine's target.
    pub fn detect() -> Result<Self, LlvmError> {
        static DETECTED: OnceLock<Result<HostMachine, LlvmError>> = OnceLock::new();
        DETECTED
            .get_or_init(|| {
                initialise()?;
                // SAFETY: the three functions take nothing and give a string that the caller owns.
                let (triple, cpu, features) = unsafe {
                    (
                        owned(tm::LLVMGetDefaultTargetTriple()),
                        owned(tm::LLVMGetHostCPUName()),
                        owned(tm::LLVMGetHostCPUFeatures()),
                    )
                };
                Ok(Self { triple, cpu, features })
            })
            .clone()
    }

    /// A processor of this machine's architecture by LLVM's name for it (`x86-64-v3`, `skylake-avx512`, `znver4`, …),
    /// for code that other machines shall run.
    ///
    /// # Errors
    /// There is no such processor.
    pub fn named(cpu: &str) -> Result<Self, LlvmError> {
        let host = Self::detect()?;
        let machine = Self { triple: host.triple, cpu: cpu.to_owned(), features: String::new() };
        // LLVM takes any name and only warns, on standard error. What it knows, it knows features of.
        let known = CPUS.iter().any(|(name, _)| *name == cpu) || !cfg!(target_arch = "x86_64");
        if known {
            Ok(machine)
        } else {
            Err(LlvmError::Target { machine: cpu.to_owned(), message: format!("known are {}", names()) })
        }
    }

    /// The target triple.
    pub fn triple(&self) -> &str {
        &self.triple
    }

    /// The processor's name.
    pub fn cpu(&self) -> &str {
        &self.cpu
    }

    /// LLVM's feature string; empty where the name says it all.
    pub fn features(&self) -> &str {
        &self.features
    }

    /// LLVM's generator of code for it.
    pub(crate) fn code_generator(&self, level: OptLevel) -> Result<TargetMachine, LlvmError> {
        TargetMachine::new(&self.triple, &self.cpu, &self.used(), level)
    }

    /// The features that code uses: all that the machine has but [`LEFT_OUT`].
    fn used(&self) -> String {
        let all = [self.features.as_str(), LEFT_OUT].into_iter().filter(|f| !f.is_empty());
        all.collect::<Vec<_>>().join(",")
    }

    /// Whether the machine has a feature, by LLVM's name.
    pub(crate) fn has(&self, feature: &str) -> bool {
        if self.features.is_empty() {
            return CPUS.iter().find(|(name, _)| *name == self.cpu).is_some_and(|(_, has)| has.contains(&feature));
        }
        self.features.split(',').any(|f| f.strip_prefix('+') == Some(feature))
    }

    /// Whether it is an x86 of 64 bits.
    pub(crate) fn is_x86(&self) -> bool {
        self.triple.starts_with("x86_64")
    }

    /// Whether it has gathers and scatters that take longer than as many loads and stores: AMD's are microcode.
    pub(crate) fn is_slow_at_gathers(&self) -> bool {
        self.is_x86() && self.vectors().gathers && self.cpu.starts_with("znver")
    }

    /// What its vectors can do.
    pub fn vectors(&self) -> Vectors {
        if !self.is_x86() {
            return Vectors {
                vector_bits: 128,
                gathers: false,
                masked_memory: false,
                fma: true,
                lines_at_once: 8,
                rows_at_once: 2,
            };
        }
        let wide = self.has("avx512f") && self.has("avx512vl") && self.has("avx512bw") && self.has("avx512dq");
        let vector_bits = if wide {
            512
        } else if self.has("avx2") {
            256
        } else {
            128
        };
        // Before AVX-512 only some of Intel's processors gather faster than they load one by one.
        let quick = ["skylake", "alderlake", "raptorlake", "meteorlake", "arrowlake", "lunarlake"];
        let gathers = wide || self.has("avx2") && quick.iter().any(|c| self.cpu.starts_with(c));
        let lines_at_once = if self.cpu.starts_with("znver") { 8 } else { 2 };
        let roomy = ["icelake", "tigerlake", "rocketlake", "sapphirerapids", "emeraldrapids", "graniterapids"];
        let rows_at_once = if roomy.iter().any(|c| self.cpu.starts_with(c)) { 8 } else { 2 };
        let (masked_memory, fma) = (self.has("avx"), self.has("fma"));
        Vectors { vector_bits, gathers, masked_memory, fma, lines_at_once, rows_at_once }
    }
}

/// Processors that can be asked for by name, with those of their features that this crate looks at.
const CPUS: &[(&str, &[&str])] = {
    const V2: &[&str] = &["sse4.1"];
    const V3: &[&str] = &["sse4.1", "avx", "avx2", "fma", "f16c"];
    const V4: &[&str] = &["sse4.1", "avx", "avx2", "fma", "f16c", "avx512f", "avx512vl", "avx512bw", "avx512dq"];
    &[
        ("x86-64", &[]),
        ("x86-64-v2", V2),
        ("nehalem", V2),
        ("x86-64-v3", V3),
        ("haswell", V3),
        ("broadwell", V3),
        ("skylake", V3),
        ("alderlake", V3),
        ("znver1", V3),
        ("znver2", V3),
        ("znver3", V3),
        ("x86-64-v4", V4),
        ("skylake-avx512", V4),
        ("cascadelake", V4),
        ("icelake-server", V4),
        ("sapphirerapids", V4),
        ("znver4", V4),
        ("znver5", V4),
    ]
};

fn names() -> String {
    CPUS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// Makes LLVM know this machine's target.
fn initialise() -> Result<(), LlvmError> {
    let _lasting = Lasting::begin();
    // SAFETY: registration in LLVM's own tables; callers are serialised by the `OnceLock` of `detect`.
    let failed = unsafe { LLVM_InitializeNativeTarget() | LLVM_InitializeNativeAsmPrinter() };
    if failed == 0 {
        set_options();
        Ok(())
    } else {
        Err(LlvmError::Target {
            machine: std::env::consts::ARCH.to_owned(),
            message: "it was built without this target".to_owned(),
        })
    }
}

/// LLVM's options that have no other door, for all of the process.
fn set_options() {
    // Both passes take time that grows with the square of a function or block: minutes where the rest takes seconds. The
    // first moves values between general and mask registers, the second orders instructions once more for processors
    // that do not do that themselves. The scheduler that stays compares each access of a block with all that may alias it: from
    // 200 on (LLVM's own limit is 1000, and bounds nothing before) it takes the earlier ones as one. It goes from top to
    // bottom: from both ends, its choice, it interleaves chains that do not depend on each other (the exponentials of
    // SHOC's `ratt`) until registers run out, while the processor looks several hundred instructions ahead itself. A register that
    // has been joined with so many (LLVM's own limit is 256) is left: 20,000 cases of a `switch` that meet took it 20 seconds.
    // What puts sums into another order computes the depths of a whole trace again for each, if its blocks are not larger than
    // a limit (LLVM's own is 500), and a long block has been cut into many small ones. The scheduler looks at so many
    // instructions that are ready (LLVM's own limit is 256) for each that it takes.
    const OPTIONS: &[&CStr] = &[
        c"unspool",
        c"-disable-x86-domain-reassignment",
        c"-disable-post-ra",
        c"-dag-maps-huge-region=200",
        c"-misched-topdown",
        c"-large-interval-freq-threshold=32",
        c"-machine-combiner-inc-threshold=100",
        c"-misched-limit=160",
    ];
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    let arguments: Vec<*const c_char> = OPTIONS.iter().map(|o| o.as_ptr()).collect();
    // SAFETY: the strings are constants; LLVM copies them. Callers are serialised as above.
    unsafe { LLVMParseCommandLineOptions(arguments.len() as i32, arguments.as_ptr(), c"".as_ptr()) };
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::HostMachine;

    /// Comparisons of `half`s went the wrong way.
    #[test]
    fn instructions_whose_operands_llvm_swaps_are_left_out() {
        for machine in [HostMachine::detect(), HostMachine::named("sapphirerapids")] {
            let features = machine.expect("a machine").used();
            assert!(features.ends_with("-avx512fp16"), "{features}");
        }
    }
}
