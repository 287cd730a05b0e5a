//! Macros that tell programs what they are compiled for, besides `__CUDA_ARCH__`.

use syntax::pp::Define;
use target::{Arch, ArchVariant, Target};

/// What tells CUDA programs that they may use what only this architecture (`sm_90a`), or only its family (`sm_100f`) has.
fn of_features(arch: Arch) -> Vec<(String, String)> {
    let value = arch.cuda_arch().to_string();
    let family = ("__CUDA_ARCH_FAMILY_SPECIFIC__".to_owned(), value.clone());
    match arch.variant() {
        ArchVariant::Base => Vec::new(),
        ArchVariant::Family => vec![family],
        ArchVariant::Specific => vec![
            (format!("__CUDA_ARCH_FEAT_SM{}_ALL", arch.number()), "1".to_owned()),
            ("__CUDA_ARCH_SPECIFIC__".to_owned(), value),
            family,
        ],
    }
}

/// What is defined before the user's macros. The names are those of clang for AMD GPUs, and SCALE's for the size of warps.
/// `__unspool_matrix_quarters` is for our own `mma.h`: fragments of 16×16×16 are spread over 64 lanes, but for the interpreter.
pub(crate) fn of_target(target: Target, checks: bool) -> Vec<Define> {
    let warp = ("__SCALE_WARP_SIZE__".to_owned(), target.warp_size().to_string());
    let define = |(name, body)| Define::Define(name, Some(body));
    let Some(arch) = target.amdgcn_arch() else {
        let features = target.ptx_arch().map(of_features).unwrap_or_default();
        return std::iter::once(warp).chain(features).map(define).collect();
    };
    let generation = &arch.name["gfx".len()..arch.name.len() - 2];
    let wave = target.wave_size();
    let macros = [
        ("__AMD__".to_owned(), "1".to_owned()),
        ("__AMDGPU__".to_owned(), "1".to_owned()),
        ("__AMDGCN__".to_owned(), "1".to_owned()),
        (format!("__{}__", arch.name), "1".to_owned()),
        (format!("__GFX{generation}__"), "1".to_owned()),
        ("__amdgcn_processor__".to_owned(), format!("\"{}\"", arch.name)),
        ("__AMDGCN_WAVEFRONT_SIZE".to_owned(), wave.to_string()),
        ("__AMDGCN_WAVEFRONT_SIZE__".to_owned(), wave.to_string()),
        warp,
    ];
    let spread = !checks && matches!(target.matrix_units(), Some(target::MatrixUnits::QuarterRows(_)));
    let spread = spread.then(|| ("__unspool_matrix_quarters".to_owned(), "1".to_owned()));
    macros.into_iter().chain(spread).map(define).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use target::amd::AmdArch;

    #[test]
    fn architectures_with_features_of_their_own_were_not_told_apart() {
        let names = |name: &str| {
            let defines = of_target(Arch::parse(name).expect("an architecture").arch.target(), false);
            let named = defines.iter().skip(1).map(|d| match d {
                Define::Define(name, Some(body)) => format!("{name}={body}"),
                other => format!("{other:?}"),
            });
            named.collect::<Vec<_>>().join(" ")
        };
        // As `nvcc --dryrun` of CUDA 13.5 has them.
        let all = "__CUDA_ARCH_FEAT_SM90_ALL=1 __CUDA_ARCH_SPECIFIC__=900 __CUDA_ARCH_FAMILY_SPECIFIC__=900";
        assert_eq!((names("sm_90a").as_str(), names("sm_90").as_str()), (all, ""));
        assert_eq!(names("sm_100f"), "__CUDA_ARCH_FAMILY_SPECIFIC__=1000");
    }

    #[test]
    fn amd_gpus_have_the_names_that_clang_gives_them() {
        let gfx90a = AmdArch::parse("gfx90a").expect("a GPU").target();
        let defines = of_target(gfx90a, false);
        let has = |name: &str, body: &str| {
            let wanted = Define::Define(name.to_owned(), Some(body.to_owned()));
            assert!(defines.iter().any(|d| format!("{d:?}") == format!("{wanted:?}")), "{name}");
        };
        has("__gfx90a__", "1");
        has("__GFX9__", "1");
        has("__AMDGCN_WAVEFRONT_SIZE", "64");
        has("__SCALE_WARP_SIZE__", "32");
        assert!(
            [Target::host(), Target::default()].iter().all(|&t| of_target(t, false).len() == 1),
            "the size of warps only"
        );
    }
}
