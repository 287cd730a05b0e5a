//! `--symbol NAME=ARG` and `--symbol-out NAME=FILE`: variables that kernels share, before and after a launch.

use super::Failure;
use super::argument::{self, Data, Role};
use launch::buffer::Buffer;
use launch::kernels::VariableInfo;
use source::{Diagnostic, Span};
use unspool::Compilation;

/// A variable that is written before the launch, read after it, or both.
#[derive(Debug)]
pub(crate) struct Symbol {
    /// The variable.
    pub(crate) variable: VariableInfo,
    /// What it is to hold before the launch, if that is said.
    pub(crate) before: Option<Vec<u8>>,
    /// What it holds after the first launch; an output if a file shows it.
    pub(crate) data: Data,
}

/// A file, and the number of the symbol that it shows.
pub(crate) type Shown = (usize, String);

/// The variables that the options name, and what files show of them.
///
/// # Errors
/// A name of no variable that a caller may reach, contents that do not fit it.
pub(crate) fn symbols(
    compilation: &Compilation,
    sets: &[String],
    outs: &[String],
) -> Result<(Vec<Symbol>, Vec<Shown>), Failure> {
    let mut all: Vec<Symbol> = Vec::new();
    for text in sets {
        let (n, value) = named(&mut all, compilation, "--symbol NAME=ARG", text)?;
        let v = &all[n].variable;
        let bytes = argument::contents(value, v.element, v.bytes).map_err(|(why, help)| {
            let d = Diagnostic::error("E0706", v.span, format!("variable `{}` ({}): {why}", v.path, v.ty));
            let d = d.note(format!("the option is `--symbol {text}`"));
            Failure::from(if let Some(h) = help { d.help(h) } else { d })
        })?;
        all[n].before = Some(bytes);
    }
    let mut shown = Vec::new();
    for text in outs {
        let (n, file) = named(&mut all, compilation, "--symbol-out NAME=FILE", text)?;
        all[n].data.role = Role::Out;
        shown.push((n, file.to_owned()));
    }
    Ok((all, shown))
}

/// The number of the variable that stands before the `=`, and what stands behind.
fn named<'t>(
    all: &mut Vec<Symbol>,
    compilation: &Compilation,
    form: &str,
    text: &'t str,
) -> Result<(usize, &'t str), Failure> {
    let no_name = || Failure::Usage(format!("`{text}`: it is `{form}`"));
    let (name, rest) = text.split_once('=').ok_or_else(no_name)?;
    let variable = find(compilation, name)?;
    let n = match all.iter().position(|s| s.variable.symbol == variable.symbol) {
        Some(n) => n,
        None => {
            all.push(symbol(variable)?);
            all.len() - 1
        }
    };
    Ok((n, rest))
}

fn symbol(variable: &VariableInfo) -> Result<Symbol, Failure> {
    let bytes = Buffer::zeroed(variable.bytes).map_err(|e| {
        Failure::from(Diagnostic::error("E0706", variable.span, format!("variable `{}`: {e}", variable.path)))
    })?;
    let scalar = variable.element.map(|e| e.scalar);
    let shape = vec![variable.bytes / scalar.map_or(1, |s| s.bytes())];
    Ok(Symbol { variable: variable.clone(), before: None, data: Data { bytes, scalar, shape, role: Role::In } })
}

/// The variable of this name: as written, with namespaces, or mangled.
fn find<'c>(compilation: &'c Compilation, name: &str) -> Result<&'c VariableInfo, Failure> {
    let shared = launch::variables::shared(&compilation.module);
    let reachable: Vec<&str> = shared.iter().map(|&g| compilation.module.globals[g].name.as_str()).collect();
    let all = &compilation.variables;
    let by = |same: &dyn Fn(&VariableInfo) -> bool| all.iter().filter(|v| same(v)).collect::<Vec<_>>();
    let exact = by(&|v| v.symbol == name || v.path == name);
    let found = if exact.is_empty() { by(&|v| v.name == name) } else { exact };
    let fail = |span: Span, message: String, help: String| {
        let d = Diagnostic::error("E0717", span, message);
        Err(Failure::from(if help.is_empty() { d } else { d.help(help) }))
    };
    let list = |of: &[&VariableInfo]| of.iter().map(|v| format!("`{}`", v.path)).collect::<Vec<_>>().join(", ");
    match found.as_slice() {
        [one] if reachable.contains(&one.symbol.as_str()) => Ok(one),
        [one] => fail(
            one.span,
            format!("variable `{}` is part of the kernels' code: it is `const`, or no kernel needs it", one.path),
            "give it no `const`, and use it".to_owned(),
        ),
        [] => {
            let known = by(&|v| reachable.contains(&v.symbol.as_str()));
            let near = source::words::nearest(name, known.iter().map(|v| v.name.as_str()));
            let guess = near.map_or(String::new(), |n| format!("did you mean `{n}`? "));
            let kinds =
                "a variable is one with `__device__` or `__constant__`, or outside of functions in global memory";
            let there =
                if known.is_empty() { kinds.to_owned() } else { format!("{guess}variables are {}", list(&known)) };
            fail(Span::NONE, format!("there is no variable `{name}`"), there)
        }
        several => fail(
            several[0].span,
            format!("`{name}` names several variables"),
            format!("name one of them: {}", list(several)),
        ),
    }
}
