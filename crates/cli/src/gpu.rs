//! Which GPU the command line names.

use crate::args::Common;
use crate::commands::Usage;
use target::Target;
use target::amd::Offload;
use unspool::{Arch, CodeOptions, Dialect, Options};

/// The GPUs that were named.
#[derive(Default)]
struct Found {
    named: Option<Named>,
    /// Those that were named again.
    repeated: Vec<String>,
}

/// Of which vendor they are.
enum Named {
    /// An NVIDIA architecture.
    Nvidia(Arch),
    /// AMD GPUs, at least one.
    Amd(Vec<Offload>),
}

/// Sets what code is made for. Of several AMD GPUs the first one counts here. Where none is named the code may be for this
/// machine, which can have warps of any size.
pub(crate) fn set(c: &Common, o: &mut Options, here: bool) -> Usage<()> {
    let found = named(c)?;
    o.repeated_gpus = found.repeated;
    match found.named {
        None => no_amd(c, here),
        Some(Named::Nvidia(arch)) => {
            o.set_arch(arch);
            no_amd(c, false)
        }
        Some(Named::Amd(offloads)) => set_amd(c, o, offloads[0]),
    }
}

/// The size of warps that is asked for on this machine.
pub(crate) fn asked_warp(c: &Common) -> Usage<Option<u32>> {
    match c.warp_emulation.as_deref() {
        Some("32") => Ok(Some(32)),
        Some("64") => Ok(Some(64)),
        Some(n) => Err(format!("warps have 32 or 64 lanes, not `{n}`")),
        None => Ok(c.fwarp64.then_some(64)),
    }
}

/// Makes code for one AMD GPU.
pub(crate) fn set_amd(c: &Common, o: &mut Options, offload: Offload) -> Usage<()> {
    o.target = amd_target(c, o.dialect, offload)?;
    let code_object = match c.mcode_object_version.as_deref() {
        None => None,
        Some(text) => match text.parse() {
            Ok(n @ 4..=6) => Some(n),
            _ => return Err(format!("there is no version `{text}` of code objects; 4, 5 and 6 can be made")),
        },
    };
    // Code objects name the arguments of kernels.
    o.kernel_info = true;
    o.code = CodeOptions { offload: Some(offload), code_object, ..o.code.clone() };
    Ok(())
}

/// The AMD GPUs that are named: more than one are compiled one after the other.
pub(crate) fn offloads(c: &Common) -> Usage<Vec<Offload>> {
    Ok(match named(c)?.named {
        Some(Named::Amd(all)) => all,
        _ => Vec::new(),
    })
}

fn no_amd(c: &Common, here: bool) -> Usage<()> {
    let given = [
        (c.mwavefrontsize64, "-mwavefrontsize64"),
        (c.mno_wavefrontsize64, "-mno-wavefrontsize64"),
        (c.fwarp64 && !here, "-fwarp64"),
        (c.mcode_object_version.is_some(), "-mcode-object-version"),
        (c.warp_emulation.as_deref().is_some_and(|n| n != "32") && !here, "--warp-emulation"),
    ];
    match given.iter().find(|g| g.0) {
        Some((_, option)) => Err(format!("`{option}` is for AMD GPUs; name one, e.g. `--arch gfx90a`")),
        None => Ok(()),
    }
}

/// Whether an architecture was named.
pub(crate) fn is_named(c: &Common) -> bool {
    c.arch.iter().chain(&c.march).chain(&c.offload_arch).chain(&c.gencode).next().is_some()
}

fn named(c: &Common) -> Usage<Found> {
    let mut found = Found::default();
    let mut nvidia: Option<(&str, Arch)> = None;
    let mut amd: Vec<Offload> = Vec::new();
    let lists = c.arch.iter().chain(&c.march).flat_map(|list| list.split(','));
    let plain = lists.chain(c.offload_arch.iter().map(String::as_str)).map(str::trim);
    let specs = c.gencode.iter().map(|spec| {
        let named = spec.split(',').find_map(|part| part.strip_prefix("arch="));
        named.ok_or_else(|| format!("`-gencode {spec}` names no architecture; write `arch=compute_90,code=sm_90`"))
    });
    // `-gencode` names an architecture once for machine code and once for PTX.
    let all = plain.map(|name| (Ok(name), true)).chain(specs.map(|name: Usage<&str>| (name, false)));
    for (name, once) in all {
        let name = name?;
        if name.to_ascii_lowercase().starts_with("gfx") {
            let offload = Offload::parse(name).map_err(|e| e.to_string())?;
            if amd.contains(&offload) {
                found.repeated.push(offload.target_id());
            } else {
                amd.push(offload);
            }
            continue;
        }
        let parsed = Arch::parse(name).map_err(|e| e.to_string())?;
        if let Some((other, a)) = nvidia
            && a != parsed.arch
        {
            return Err(format!(
                "PTX has one architecture and `{other}` and `{name}` are named; compile once for each"
            ));
        }
        if nvidia.is_some() && once {
            found.repeated.push(name.to_owned());
        }
        nvidia = Some((name, parsed.arch));
    }
    found.named = match (nvidia, amd.first()) {
        (Some((n, _)), Some(a)) => {
            return Err(format!("`{n}` and `{}` are GPUs of two vendors; compile once for each", a.arch.name));
        }
        (Some((_, arch)), None) => Some(Named::Nvidia(arch)),
        (None, Some(_)) => Some(Named::Amd(amd)),
        (None, None) => None,
    };
    Ok(found)
}

/// The GPU with the waves and warps that were asked for.
fn amd_target(c: &Common, dialect: Dialect, offload: Offload) -> Usage<Target> {
    let name = offload.arch.name;
    let default = offload.arch.wave_size;
    let wave = match (c.mwavefrontsize64, c.mno_wavefrontsize64) {
        (true, _) => 64,
        (_, true) => 32,
        _ => default,
    };
    let Some(target) = offload.arch.target_with_waves(wave) else {
        return Err(format!("waves of `{name}` have {default} lanes, and there are no others"));
    };
    let warp = match asked_warp(c)? {
        Some(n) => n,
        // Warps are nothing in OpenCL but what sub-groups are made of.
        None if dialect.is_opencl() => wave,
        None => target.warp_size(),
    };
    target.with_warp_size(warp).ok_or_else(|| {
        format!("waves of `{name}` have {wave} lanes, so that warps cannot have {warp}; `-mwavefrontsize64` gives waves of 64")
    })
}
