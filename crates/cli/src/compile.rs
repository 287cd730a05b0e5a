//! `unspool compile`.

use crate::args::{CompileArgs, Format, Target};
use crate::commands::{Usage, complain, options_for, options_here, read, report, show, target_of_ptx, time_report};
use crate::engine::become_host;
use crate::run::argument;
use crate::{gpu, output, progress, remarks, usage};
use source::render::sarif_log;
use std::io::Write;
use std::process::ExitCode;
use unspool::{Artefact, Backend, CodeOptions, Compilation, Contents, Emit, Options, Product};

/// `unspool compile`
pub(crate) fn compile(a: &CompileArgs, backends: &[&'static dyn Backend]) -> ExitCode {
    if a.common.inputs.len() > 1 && a.output.as_deref().is_some_and(|o| o != "-") {
        return usage("`-o` names one file and there are several inputs; leave it out, or compile one by one");
    }
    let mut status = ExitCode::SUCCESS;
    // SARIF is one log for all inputs.
    let mut logged: Vec<Compilation> = Vec::new();
    for name in &a.common.inputs {
        let (mut options, wanted) = match options(a, name, backends).and_then(|o| wanted(a, &o).map(|w| (o, w))) {
            Ok(both) => both,
            Err(e) => return usage(&e),
        };
        let Wanted::Here(emit) = wanted else {
            show(&source::Session::default(), &become_host(options.target, None), &a.common);
            return ExitCode::FAILURE;
        };
        let input = match read(name) {
            Ok(i) => i,
            Err(e) => {
                complain(&e);
                status = ExitCode::FAILURE;
                continue;
            }
        };
        if a.target == Target::Gpu {
            target_of_ptx(&a.common, &input, &mut options);
        }
        let result = match several(a, &options, &emit) {
            Ok(gpus) if gpus.is_empty() => {
                progress::during(&format!("compiling {name}"), || unspool::compile_with_log(&input, &options, &emit))
            }
            Ok(gpus) => bundled(&input, &gpus, &emit),
            Err(e) => return usage(&e),
        };
        if a.common.format != Format::Sarif {
            report(&result, &a.common);
        }
        if a.common.time_report {
            time_report(&result);
        }
        let written = write(&result.artefacts, a.output.as_deref(), name == "-");
        if let Err(e) = &written {
            complain(e);
        }
        if written.is_err() || !result.succeeded() {
            status = ExitCode::FAILURE;
        }
        if a.common.format == Format::Sarif {
            logged.push(result);
        }
    }
    if a.common.format == Format::Sarif {
        log(&logged);
    }
    status
}

/// The options for each of several GPUs; none where there is one.
fn several(a: &CompileArgs, options: &Options, emit: &Emit) -> Usage<Vec<Options>> {
    let offloads = gpu::offloads(&a.common)?;
    if offloads.len() < 2 || a.target == Target::Host {
        return Ok(Vec::new());
    }
    if !matches!(emit, Emit::Product(Product::CODE_OBJECT)) {
        return Err("several GPUs give a bundle of code objects and nothing else; name one of them".to_owned());
    }
    let for_each = offloads.iter().map(|&offload| {
        let mut own = options.clone();
        gpu::set_amd(&a.common, &mut own, offload)?;
        Ok(own)
    });
    for_each.collect()
}

/// Compiles for each GPU. The session is that of the first compilation that fails, else of the last one.
fn bundled(input: &unspool::Input, gpus: &[Options], emit: &Emit) -> Compilation {
    let mut objects: Vec<(String, Artefact)> = Vec::new();
    let mut last = Compilation::default();
    for options in gpus {
        last = unspool::compile_with_log(input, options, emit);
        let Some(artefact) = last.artefacts.pop().filter(|_| last.succeeded()) else {
            last.artefacts.clear();
            return last;
        };
        let id = options.code.offload.map_or_else(|| options.target.to_string(), |o| o.target_id());
        objects.push((id, artefact));
    }
    let parts: Vec<(String, &[u8])> = objects.iter().map(|(id, a)| (id.clone(), a.as_bytes())).collect();
    let bytes = unspool::bundle(&parts);
    last.artefacts =
        objects.last().map(|(_, a)| Artefact { contents: Contents::Bytes(bytes), ..a.clone() }).into_iter().collect();
    last
}

/// What was said about several inputs as one SARIF log, to standard error.
fn log(results: &[Compilation]) {
    let runs: Vec<_> = results.iter().map(unspool::explain::to_sarif).collect();
    let _ = writeln!(std::io::stderr(), "{:#}", sarif_log(&runs));
}

/// Writes what came of an input to where it belongs.
fn write(artefacts: &[Artefact], named: Option<&str>, from_pipe: bool) -> Result<(), String> {
    for (path, artefact) in destinations(artefacts, named, from_pipe)? {
        output::write(path, artefact.as_bytes())?;
    }
    Ok(())
}

/// Where artefacts go: to the file that was named, else to files of their own, unless they are to be looked at or their
/// source came through a pipe.
fn destinations<'a>(
    artefacts: &'a [Artefact],
    named: Option<&'a str>,
    from_pipe: bool,
) -> Result<Vec<(&'a str, &'a Artefact)>, String> {
    if let (Some(named), [_, _, ..]) = (named, artefacts)
        && named != "-"
    {
        let names: Vec<&str> = artefacts.iter().map(|a| a.name.as_str()).collect();
        return Err(format!(
            "`-o {named}` names one file and there are several outputs, {}; leave it out",
            names.join(", ")
        ));
    }
    let own = |a: &'a Artefact| if a.product.suffix.is_some() && !from_pipe { a.name.as_str() } else { "-" };
    Ok(artefacts.iter().map(|a| (named.unwrap_or_else(|| own(a)), a)).collect())
}

/// The options of an input, with what the program has.
fn options(a: &CompileArgs, input: &str, backends: &[&'static dyn Backend]) -> Usage<Options> {
    let here = a.target == Target::Host;
    let mut options = if here { options_here(&a.common, input)? } else { options_for(&a.common, input)? };
    remarks::set(&a.remarks, &mut options)?;
    if here {
        let host = unspool::Target::here(a.cpu.as_deref());
        let warp = gpu::asked_warp(&a.common)?.unwrap_or(host.warp_size());
        options.target = host.with_warp_size(warp).unwrap_or(host);
    }
    backends.iter().for_each(|b| options.backends.register(*b));
    let local = a.local.as_deref().map(local_size).transpose()?;
    options.code = CodeOptions { cpu: a.cpu.clone(), local, scalar: a.scalar, ..options.code };
    Ok(options)
}

/// `64`, `16,16`
fn local_size(text: &str) -> Usage<[u32; 3]> {
    let given = argument::sizes(text).map_err(|e| format!("`--local {text}`: {e}"))?;
    let size = |d: usize| given.get(d).map_or(Ok(1), |&n| u32::try_from(n));
    match (size(0), size(1), size(2)) {
        (Ok(x), Ok(y), Ok(z)) if given.len() <= 3 && x > 0 && y > 0 && z > 0 => Ok([x, y, z]),
        _ => Err(format!("`--local {text}` is no size of a work-group")),
    }
}

/// What the command line asks for, and who has it.
enum Wanted {
    /// This program.
    Here(Emit),
    /// Another one: no back end of this one makes anything for the target.
    Elsewhere,
}

fn wanted(a: &CompileArgs, options: &Options) -> Usage<Wanted> {
    if a.preprocess {
        return Ok(Wanted::Here(Emit::Preprocessed { line_markers: !a.no_line_markers }));
    }
    let stage = match a.emit.as_deref() {
        Some("ir") => Some(Emit::Ir),
        Some("ir-lowered") => Some(Emit::LoweredIr),
        Some("ast") => Some(Emit::Ast),
        Some("tokens") => Some(Emit::Tokens),
        other => other.and_then(|o| o.strip_prefix("ir-after=")).map(|pass| Emit::IrAfter(pass.into())),
    };
    if let Some(emit) = stage {
        return Ok(Wanted::Here(emit));
    }
    let offered = options.backends.products(&options.target);
    let product = match a.emit.as_deref() {
        None => offered.first(),
        Some(name) => offered.iter().find(|p| p.name == name),
    };
    if let Some(product) = product {
        return Ok(Wanted::Here(Emit::Product(*product)));
    }
    let known = a.emit.as_deref().is_none_or(|name| Product::OF_BACKENDS.iter().any(|p| p.name == name));
    if known && offered.is_empty() {
        return Ok(Wanted::Elsewhere);
    }
    Err(unknown(a.emit.as_deref().unwrap_or_default(), known, options, &offered))
}

/// Why there is no output with this name.
fn unknown(name: &str, known: bool, options: &Options, offered: &[Product]) -> String {
    let names = |products: &[Product]| products.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
    if !known {
        let made = names(Product::OF_BACKENDS);
        return format!(
            "unknown output `{name}`; outputs are {made}, ir, ir-lowered, ir-after=PASS, ast, tokens (which of the first depends on the target)"
        );
    }
    let other = if name == Product::PTX.name { "an NVIDIA `-arch`" } else { "`--target host`" };
    format!("`--emit {name}` needs {other}; outputs for `{}` are {}, ir", options.target, names(offered))
}

#[cfg(test)]
mod tests {
    use super::destinations;
    use unspool::{Artefact, Product};

    #[test]
    fn each_artefact_has_its_place() {
        let made = |product| Artefact::text(product, "dir/k.cu", String::new());
        let (ptx, ir) = ([made(Product::PTX)], [made(Product::IR)]);
        let path = |a: &[Artefact], named, pipe| destinations(a, named, pipe).map(|d| d[0].0.to_owned());
        assert_eq!(path(&ptx, None, false).as_deref(), Ok("k.ptx"));
        assert_eq!(path(&ptx, None, true).as_deref(), Ok("-"));
        assert_eq!(path(&ir, None, false).as_deref(), Ok("-"));
        assert_eq!(path(&ir, Some("x"), true).as_deref(), Ok("x"));
        let both = [made(Product::PTX), made(Product::OBJECT)];
        let refused = destinations(&both, Some("x"), false).expect_err("two outputs, one name");
        assert!(refused.contains("k.ptx, k.o"), "{refused}");
        assert_eq!(
            destinations(&both, None, false).map(|d| d.iter().map(|d| d.0.to_owned()).collect()),
            Ok(vec!["k.ptx".to_owned(), "k.o".to_owned()])
        );
    }
}
