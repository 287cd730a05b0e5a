//! How kernels compute with floating-point numbers: as the host's compiler does with the rest of the program, so that a loop
//! has the same results with a directive and without.

use super::options::{Options, Word};
use std::process::Command;
use unspool::Define;

/// What kernels may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arithmetic {
    /// A product and the sum that it goes into are one operation, rounded once.
    pub(super) fused: bool,
    /// Sums may be added in another order.
    pub(super) any_order: bool,
    /// Products of complex numbers have the infinities of C11's annex G.
    pub(super) annex_g: bool,
    /// What lies in memory has types, and is accessed by them: what gcc assumes unless `-fno-strict-aliasing` says otherwise.
    pub(super) typed_memory: bool,
    /// What code for GPUs does otherwise.
    pub(super) gpu: GpuMath,
}

/// What `-ta=nvidia,…` and `-gpu=…` say about arithmetic on GPUs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct GpuMath {
    /// `fma`, `nofma`: whether products are fused with sums, whatever the host does.
    pub(super) fused: Option<bool>,
    /// `flushz`, `noflushz`: whether subnormal numbers of 32 bits are zeros.
    pub(super) flushed: Option<bool>,
    /// `fastmath`: functions are approximate, as with nvcc's `--use_fast_math`.
    pub(super) fast: bool,
}

impl Arithmetic {
    /// What options ask for. `cc` is the host's compiler; it is asked whether its code has fused operations, where an option
    /// says something about the machine.
    pub(super) fn of(options: &Options, cc: Command) -> Self {
        let others = options.words.iter().filter_map(|w| match w {
            Word::Other(w) => w.to_str(),
            Word::Source(_) | Word::Foreign(_) => None,
        });
        let words: Vec<&str> = others.collect();
        let typed_memory = has_typed_memory(&words);
        if options.fast {
            return Self { fused: true, any_order: true, annex_g: false, typed_memory, gpu: options.gpu_math };
        }
        let fused = may_fuse(&words) && has_fused(&words, cc);
        let (any_order, annex_g) = (reorders(&words), wants_annex_g(&words));
        Self { fused, any_order, annex_g, typed_memory, gpu: options.gpu_math }
    }

    /// Puts it into the options of kernels.
    pub(super) fn ask(self, options: &mut unspool::Options) {
        options.math.fmad = Some(self.fused);
        options.math.reassociate = self.any_order;
        options.typed_memory = self.typed_memory;
        options.defines.extend(self.annex_g.then(|| Define::Define("__UNSPOOL_ANNEX_G".to_owned(), None)));
    }
}

impl GpuMath {
    /// Puts it into the options of code for GPUs.
    pub(super) fn ask(self, options: &mut unspool::Options) {
        options.math.cuda_fast |= self.fast;
        options.math.fmad = self.fused.or(if self.fast { Some(true) } else { options.math.fmad });
        options.math.ftz = self.flushed.or(options.math.ftz);
    }
}

/// Whether gcc fuses under these options if the machine can: from `-O1` on, unless the language is ISO's C to the letter. `on`
/// is `off` for gcc.
fn may_fuse(words: &[&str]) -> bool {
    let level = words.iter().rev().find_map(|w| w.strip_prefix("-O"));
    if level.is_none_or(|l| l == "0") {
        return false;
    }
    match words.iter().rev().find_map(|w| w.strip_prefix("-ffp-contract=")) {
        Some(how) => how == "fast",
        None => !words.iter().any(|w| ["-ansi", "-std=c", "-std=iso"].iter().any(|s| w.starts_with(s))),
    }
}

/// Whether the machine that the host's compiler makes code for has fused operations.
fn has_fused(words: &[&str], mut cc: Command) -> bool {
    if cfg!(target_arch = "aarch64") {
        return true;
    }
    let machine: Vec<&str> = words.iter().copied().filter(|w| says_instructions(w)).collect();
    match machine[..] {
        // Without such an option it is a machine that every program runs on.
        [] => return false,
        // The compiler would look at this machine, too, and to start it takes longer than the kernel.
        #[cfg(target_arch = "x86_64")]
        ["-march=native"] => return std::arch::is_x86_feature_detected!("fma"),
        _ => {}
    }
    let said = cc.args(machine).args(["-dM", "-E", "-x", "c", "/dev/null"]).output();
    said.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).lines().any(|l| l.starts_with("#define __FMA__ ")))
}

/// Whether an option may change what instructions there are.
fn says_instructions(word: &str) -> bool {
    word.starts_with("-m") && !["-mtune=", "-mcmodel=", "-m64"].iter().any(|other| word.starts_with(other))
}

fn reorders(words: &[&str]) -> bool {
    let last = words.iter().rev().find_map(|w| match *w {
        "-Ofast" | "-ffast-math" | "-fassociative-math" | "-funsafe-math-optimizations" => Some(true),
        "-fno-fast-math" | "-fno-associative-math" | "-fno-unsafe-math-optimizations" => Some(false),
        _ => None,
    });
    last == Some(true)
}

fn has_typed_memory(words: &[&str]) -> bool {
    let last = words.iter().rev().find(|w| ["-fstrict-aliasing", "-fno-strict-aliasing"].contains(w));
    last != Some(&"-fno-strict-aliasing")
}

/// Whether an option asks for what gcc does without one, and compilers for GPUs do not.
fn wants_annex_g(words: &[&str]) -> bool {
    let last = words.iter().rev().find_map(|w| match *w {
        "-fno-cx-limited-range" => Some(true),
        "-fcx-limited-range" | "-fcx-fortran-rules" | "-Ofast" | "-ffast-math" => Some(false),
        _ => None,
    });
    last == Some(true)
}

#[cfg(test)]
mod tests {
    use super::{has_fused, has_typed_memory, may_fuse, reorders};
    use std::process::Command;

    #[test]
    fn products_are_fused_where_the_hosts_compiler_fuses_them() {
        assert!(may_fuse(&["-O3", "-march=native"]));
        assert!(may_fuse(&["-O0", "-O2", "-std=gnu11"]));
        assert!(may_fuse(&["-O2", "-std=c11", "-ffp-contract=fast"]));
        for how in ["off", "on"] {
            assert!(!may_fuse(&["-O2", &format!("-ffp-contract={how}")]), "{how}");
        }
        for not in [&["-O2", "-O0"][..], &[], &["-O2", "-std=c99"], &["-ansi", "-O1"]] {
            assert!(!may_fuse(not), "{not:?}");
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn what_this_machine_has_is_known_without_the_compiler() {
        let nobody = || Command::new("no compiler of this name");
        assert_eq!(has_fused(&["-march=native", "-mtune=generic", "-O2"], nobody()), is_x86_feature_detected!("fma"));
        assert!(!has_fused(&["-O2", "-mcmodel=medium"], nobody()));
        if Command::new("cc").arg("--version").output().is_ok() {
            assert!(has_fused(&["-march=haswell"], Command::new("cc")));
            assert!(!has_fused(&["-march=native", "-mno-fma"], Command::new("cc")));
        }
    }

    #[test]
    fn the_last_option_about_orders_counts() {
        assert!(reorders(&["-O2", "-ffast-math"]));
        assert!(!reorders(&["-ffast-math", "-fno-associative-math"]));
        assert!(!reorders(&["-O3"]));
    }

    #[test]
    fn the_last_option_about_types_in_memory_counts() {
        assert!(has_typed_memory(&["-O2"]));
        assert!(!has_typed_memory(&["-fno-strict-aliasing"]));
        assert!(has_typed_memory(&["-fno-strict-aliasing", "-fstrict-aliasing"]));
    }
}
