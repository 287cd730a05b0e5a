//! `unspool explain`: text, JSON, SARIF, a page, and what other unroll factors would give.

mod ptxas;

use crate::args::{ExplainArgs, Format};
use crate::commands::{Usage, colour, complain, options_for, read, report, target_of_ptx, time_report};
use crate::engine::{Equipment, become_host_if_there};
use crate::{output, progress, remarks, usage};
use source::render::sarif_log;
use std::io::IsTerminal;
use std::process::ExitCode;
use unspool::explain::{self, Assembly, FactorTable};
use unspool::{Artefact, Compilation, Emit, Input, Options, Product, compile_with_log as compile};

/// One input, explained.
struct Explained {
    compilation: Compilation,
    tables: Vec<FactorTable>,
}

/// `unspool explain`
pub(crate) fn explain(a: &ExplainArgs, equipment: Equipment<'_>) -> ExitCode {
    let factors = match check(a) {
        Ok(f) => f,
        Err(e) => return usage(&e),
    };
    let mut status = ExitCode::SUCCESS;
    let mut done: Vec<Explained> = Vec::new();
    for name in &a.common.inputs {
        let mut options = match options_for(&a.common, name) {
            Ok(o) => o,
            Err(e) => return usage(&e),
        };
        let most = options.target.launch_limits().group_items;
        if a.block.is_some_and(|n| n == 0 || n > most) {
            return usage(&format!("`--block` takes the threads of a block, 1 to {most}"));
        }
        options.explain = true;
        options.block = a.block;
        if let Err(e) = remarks::set(&a.remarks, &mut options) {
            return usage(&e);
        }
        if options.target.amdgcn_arch().is_some() && equipment.registers.is_none() {
            become_host_if_there(options.target);
        }
        // The page links the code with the source.
        options.line_info |= a.html.is_some();
        let input = match read(name) {
            Ok(i) => i,
            Err(e) => {
                complain(&e);
                status = ExitCode::FAILURE;
                continue;
            }
        };
        target_of_ptx(&a.common, &input, &mut options);
        equipment.backends.iter().for_each(|b| options.backends.register(*b));
        let tool = Tool::find(&options, equipment);
        let emit = match &tool {
            Some(Tool::Object(_)) if a.html.is_some() => Emit::Products(&[Product::OBJECT, Product::ASSEMBLY]),
            Some(Tool::Object(_)) => Emit::Product(Product::OBJECT),
            Some(Tool::Ptxas(_)) => Emit::PTX,
            None if a.html.is_some() && options.target.ptx_arch().is_some() => Emit::PTX,
            None => Emit::Nothing,
        };
        let mut compilation = progress::during(&format!("explaining {name}"), || compile(&input, &options, &emit));
        if let Some(tool) = &tool {
            assemble(&mut compilation, tool, &options);
        }
        if !compilation.succeeded() {
            status = ExitCode::FAILURE;
        }
        if a.common.format == Format::Text || compilation.explanation.is_none() {
            report(&compilation, &a.common);
        }
        if a.common.time_report {
            time_report(&compilation);
        }
        let mut tables = Vec::new();
        if !factors.is_empty() && compilation.succeeded() {
            match try_factors(a, &input, &options, &compilation, &factors, tool.as_ref()) {
                Ok(t) => tables = t,
                Err(e) => {
                    complain(&format!("{name}: {e}"));
                    status = ExitCode::FAILURE;
                }
            }
        }
        done.push(Explained { compilation, tables });
    }
    match write(a, &done) {
        Ok(()) => status,
        Err(e) => {
            complain(&e);
            ExitCode::FAILURE
        }
    }
}

/// What knows the registers of a kernel.
enum Tool {
    /// NVIDIA's assembler.
    Ptxas(ptxas::Ptxas),
    /// The object itself says.
    Object(fn(&Artefact, &str) -> Option<Assembly>),
}

impl Tool {
    fn find(options: &Options, equipment: Equipment<'_>) -> Option<Self> {
        if options.target.amdgcn_arch().is_some() {
            return equipment.registers.map(Self::Object);
        }
        options.target.ptx_arch().and_then(ptxas::Ptxas::find).map(Self::Ptxas)
    }

    fn usage(&self, made: &Artefact, symbol: &str) -> Option<Assembly> {
        match self {
            Self::Ptxas(p) => p.usage(made, symbol),
            Self::Object(read) => read(made, symbol),
        }
    }

    /// What it last complained about.
    fn problem(&self) -> Option<String> {
        match self {
            Self::Ptxas(p) => p.problem(),
            Self::Object(_) => None,
        }
    }
}

/// Takes the tool's registers for the estimates.
fn assemble(c: &mut Compilation, tool: &Tool, options: &Options) {
    let Some(mut e) = c.explanation.take() else { return };
    if let Some(made) = c.artefacts.first() {
        explain::assemble(&mut e, made, options.target, &|made, symbol| tool.usage(made, symbol));
    }
    c.explanation = Some(e);
}

/// What the command line asks for that clap cannot check; gives the factors.
fn check(a: &ExplainArgs) -> Usage<Vec<u32>> {
    if a.html.is_some() && a.common.inputs.len() > 1 {
        return Err("`--html` names one page and there are several inputs; explain them one by one".into());
    }
    if a.html.as_deref() == Some("-") && a.output == "-" && a.common.format != Format::Text {
        return Err("the page and the explanation would both go to standard output; name a file with `-o`".into());
    }
    let Some(list) = &a.factors else {
        return match a.at_loop {
            Some(_) => Err("`--loop` names the loop for `--factors`; add `--factors 1,2,4,8,16`".into()),
            None => Ok(Vec::new()),
        };
    };
    if a.common.format == Format::Sarif {
        return Err("tables of factors have no form in SARIF; use `--format text`, `--format json` or `--html`".into());
    }
    parse_factors(list)
}

/// `1,2,4`
fn parse_factors(list: &str) -> Usage<Vec<u32>> {
    let mut out: Vec<u32> = Vec::new();
    for word in list.split(',').map(str::trim) {
        let n: u32 = match word.parse() {
            Ok(0) => return Err("a factor of 0 means nothing; 1 keeps the loop as it is".into()),
            Ok(n) if n <= explain::MAX_FACTOR => n,
            Ok(_) => return Err(format!("the factor {word} is too large; factors go up to {}", explain::MAX_FACTOR)),
            Err(_) => return Err(format!("`{word}` is no unroll factor; write `--factors 1,2,4,8`")),
        };
        if !out.contains(&n) {
            out.push(n);
        }
    }
    if out.len() > explain::MAX_FACTORS {
        return Err(format!("{} factors are too many; at most {} are tried", out.len(), explain::MAX_FACTORS));
    }
    Ok(out)
}

fn try_factors(
    a: &ExplainArgs,
    input: &Input,
    options: &Options,
    base: &Compilation,
    factors: &[u32],
    tool: Option<&Tool>,
) -> Result<Vec<FactorTable>, String> {
    let assemble = tool.map(|t| move |made: &Artefact, symbol: &str| t.usage(made, symbol));
    let assembler = assemble.as_ref().map(|f| f as &explain::Assembler<'_>);
    let tables = explain::factors(input, options, base, a.at_loop, factors, assembler).map_err(|e| e.to_string())?;
    if let Some(problem) = tool.and_then(Tool::problem) {
        complain(&format!("ptxas gave no registers: {problem}"));
    }
    Ok(tables)
}

/// Writes what was asked for.
fn write(a: &ExplainArgs, done: &[Explained]) -> Result<(), String> {
    if let (Some(path), Some(d)) = (&a.html, done.first()) {
        output::write(path, explain::to_html(&d.compilation, &d.tables).as_bytes())?;
        // The page is the explanation, unless another form is asked for as well.
        if a.common.format == Format::Text && a.output == "-" {
            return Ok(());
        }
    }
    let text = match a.common.format {
        Format::Text => text(a, done),
        Format::Json => json(done),
        Format::Sarif => {
            let runs: Vec<_> = done.iter().map(|d| explain::to_sarif(&d.compilation)).collect();
            pretty(&sarif_log(&runs))
        }
    };
    output::write(&a.output, text.as_bytes())
}

fn text(a: &ExplainArgs, done: &[Explained]) -> String {
    let to_terminal = a.output == "-" && std::io::stdout().is_terminal();
    let colour = colour(a.common.color, to_terminal);
    let one = |d: &Explained| {
        let explanation = d.compilation.explanation.as_ref();
        let to_text = if a.verbose { explain::to_text_with_trails } else { explain::to_text };
        let mut text = explanation.map_or(String::new(), |e| to_text(e, &d.compilation.session, colour));
        text.push_str(&explain::factors_to_text(&d.tables));
        text
    };
    done.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// One input gives an object, several a list.
fn json(done: &[Explained]) -> String {
    let mut values = Vec::new();
    for d in done {
        let Some(e) = &d.compilation.explanation else { continue };
        let mut v = explain::to_json(e, &d.compilation.session);
        if !d.tables.is_empty() {
            v["factors"] = explain::factors_to_json(&d.tables);
        }
        values.push(v);
    }
    match values.pop() {
        Some(only) if values.is_empty() => pretty(&only),
        last => pretty(&values.into_iter().chain(last).collect()),
    }
}

fn pretty(v: &serde_json::Value) -> String {
    format!("{v:#}\n")
}

#[cfg(test)]
mod tests {
    use super::parse_factors;

    #[test]
    fn factors_are_checked() {
        assert_eq!(parse_factors("1, 2,4,2"), Ok(vec![1, 2, 4]));
        assert!(parse_factors("0").unwrap_err().contains("0 means nothing"));
        assert!(parse_factors("two").unwrap_err().contains("`two` is no unroll factor"));
        assert!(parse_factors("").unwrap_err().contains("no unroll factor"));
        assert!(parse_factors("-4").unwrap_err().contains("no unroll factor"));
        assert!(parse_factors("99999").unwrap_err().contains("too large"));
        let many: Vec<String> = (1..=17).map(|n: u32| n.to_string()).collect();
        assert!(parse_factors(&many.join(",")).unwrap_err().contains("too many"));
    }
}
