//! Variables at file scope in functions that regions call. Kernels know no variable of the program: functions get pointers to those
//! that they use, and that the functions which they call use, behind their own arguments; constants with values are declared
//! beside the functions.

use crate::access::{Place, place};
use crate::ctype::Shape;
use crate::edit::Edits;
use crate::region::Cx;
use crate::scope::{Scopes, Storage, Var, VarId};
use crate::unit::{Unit, word_ranges};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use syntax::ast::{DeclKind, Init};

/// What functions use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Captured {
    /// By the name of a function with a body, in order of their declarations.
    of: FxHashMap<String, Vec<VarId>>,
    /// Variables that never change, with their values.
    constants: FxHashSet<VarId>,
}

impl Captured {
    /// Looks at all functions of a file.
    pub(crate) fn new(unit: &Unit, scopes: &Scopes) -> Self {
        let mut out = Self { of: FxHashMap::default(), constants: constants(unit, scopes) };
        let mut names: Vec<&String> = unit.declared.keys().filter(|n| body(unit, n).is_some()).collect();
        names.sort();
        let mut callers: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let mut todo = Vec::new();
        for name in names {
            let Some(range) = body(unit, name) else { continue };
            for u in scopes.uses_in(&range) {
                let var = scopes.var(u.var);
                let own = range.contains(&var.at.start);
                match var.storage {
                    Storage::Static if !own && !out.constants.contains(&u.var) => {
                        out.add(name, &[u.var]);
                        todo.push(name.as_str());
                    }
                    Storage::Other => callers.entry(&var.name).or_default().push(name),
                    _ => {}
                }
            }
        }
        while let Some(name) = todo.pop() {
            let vars = out.of.get(name).cloned().unwrap_or_default();
            for caller in callers.get(name).into_iter().flatten() {
                if out.add(caller, &vars) {
                    todo.push(caller);
                }
            }
        }
        out
    }

    /// Whether there was something new.
    fn add(&mut self, name: &str, vars: &[VarId]) -> bool {
        let list = self.of.entry(name.to_owned()).or_default();
        let known = list.len();
        list.extend(vars);
        list.sort_unstable();
        list.dedup();
        list.len() > known
    }

    /// What a function uses.
    pub(crate) fn by(&self, function: &str) -> &[VarId] {
        self.of.get(function).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a part of the text declares a variable that never changes.
    pub(crate) fn has_constants(&self, scopes: &Scopes, range: &Range<usize>) -> bool {
        self.constants.iter().any(|&v| range.contains(&scopes.var(v).at.start))
    }

    /// Whether a variable never changes, and its value is known.
    pub(crate) fn is_constant(&self, v: VarId) -> bool {
        self.constants.contains(&v)
    }

    /// What the functions use that a part of the text calls.
    pub(crate) fn in_range(&self, scopes: &Scopes, range: &Range<usize>) -> Vec<VarId> {
        let called = scopes.uses_in(range).iter().filter(|u| scopes.var(u.var).storage == Storage::Other);
        let mut out: Vec<VarId> = called.flat_map(|u| self.by(&scopes.var(u.var).name)).copied().collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// The external declaration that defines a function.
pub(crate) fn definition(unit: &Unit, name: &str) -> Option<usize> {
    let list = unit.declared.get(name).filter(|_| !name.contains(' '))?;
    list.iter().copied().find(|&i| {
        let text = unit.text[unit.externals[i].clone()].trim_end();
        text.ends_with('}') && text.contains('(') && !text.starts_with("typedef")
    })
}

/// Where the definition of a function stands.
fn body(unit: &Unit, name: &str) -> Option<Range<usize>> {
    definition(unit, name).map(|i| unit.externals[i].clone())
}

fn constants(unit: &Unit, scopes: &Scopes) -> FxHashSet<VarId> {
    let by_place: FxHashMap<usize, VarId> = scopes.globals.values().map(|&v| (scopes.var(v).at.start, v)).collect();
    let valued = unit.ast.top.iter().filter(|&&d| has_value(&unit.ast[d].kind));
    let variables = valued.filter_map(|&d| by_place.get(&unit.range(unit.ast[unit.ast[d].name].span).start).copied());
    variables.filter(|&v| is_unchanging(unit, scopes.var(v))).collect()
}

fn has_value(d: &DeclKind) -> bool {
    matches!(d, DeclKind::Var { init: Init::Copy(_) | Init::Brace(_), .. })
}

/// Whether nothing changes a variable, by its type.
pub(crate) fn is_unchanging(unit: &Unit, var: &Var) -> bool {
    let Some(ty) = var.ty else { return false };
    let element = if matches!(unit.shape(ty), Shape::Array(..)) { unit.dimensions(ty).1 } else { ty };
    let quals = unit.ast[element].quals;
    let plain = matches!(unit.shape(element), Shape::Number(_) | Shape::Enum | Shape::Record);
    plain && quals.is_const && !quals.is_volatile
}

impl Unit {
    /// Whether a variable of a function is `const` and declared with its value.
    pub(crate) fn is_constant_with_value(&self, var: &Var) -> bool {
        is_unchanging(self, var) && self.variable_at(&var.at).is_some_and(|d| has_value(&self.ast[d].kind))
    }
}

/// The bodies of the functions that a part of the text calls, and of those that they call.
pub(crate) fn reached(unit: &Unit, scopes: &Scopes, range: &Range<usize>) -> Vec<Range<usize>> {
    let (mut out, mut todo) = (Vec::new(), vec![range.clone()]);
    while let Some(range) = todo.pop() {
        for u in scopes.uses_in(&range).iter().filter(|u| scopes.var(u.var).storage == Storage::Other) {
            let found = body(unit, &scopes.var(u.var).name).filter(|r| !out.contains(r));
            out.extend(found.clone());
            todo.extend(found);
        }
    }
    out
}

/// How a variable comes to a function: arrays and pointers by their names, all else by its address.
fn parameter(unit: &Unit, scopes: &Scopes, v: VarId) -> Option<String> {
    let var = scopes.var(v);
    let ty = var.ty?;
    match unit.shape(ty) {
        Shape::Array(row, _) => {
            let array = matches!(unit.shape(row), Shape::Array(..));
            let name = if array { format!("(*{})", var.name) } else { format!("*{}", var.name) };
            unit.declare_parameter(row, &name)
        }
        Shape::Pointer(_) => unit.declare_parameter(ty, &var.name),
        Shape::Number(_) | Shape::Enum | Shape::Record => unit.declare_parameter(ty, &format!("*{}__p", var.name)),
        Shape::Other => None,
    }
}

/// The argument that stands for it, in kernels and functions.
fn argument(unit: &Unit, scopes: &Scopes, v: VarId) -> String {
    let var = scopes.var(v);
    let by_name = matches!(var.ty.map(|t| unit.shape(t)), Some(Shape::Array(..) | Shape::Pointer(_)));
    if by_name { var.name.clone() } else { format!("{}__p", var.name) }
}

/// Where the parenthesis ends that begins at or behind a place.
fn closing(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let open = from + text[from..].find(|c: char| !c.is_whitespace())?;
    let (mut depth, mut i) = (0usize, open);
    while let Some(&c) = bytes.get(i) {
        match c {
            b'"' | b'\'' => {
                i += 1;
                while bytes.get(i).is_some_and(|&b| b != c) {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
            }
            b'(' => depth += 1,
            b')' if depth == 1 => return Some((open, i)),
            b')' => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
        i += 1;
    }
    None
}

/// Adds to a list of parameters or arguments.
fn extend(unit: &Unit, from: usize, more: &[String], edits: &mut Edits) -> Option<()> {
    let (open, close) = closing(&unit.text, from)?;
    let there = unit.text[open + 1..close].trim();
    match there {
        "" | "void" => edits.replace(open + 1..close, more.join(", ")),
        _ => edits.insert(close, format!(", {}", more.join(", "))),
    }
    Some(())
}

/// Gives calls in a part of the text what the functions want besides their arguments.
pub(crate) fn calls(unit: &Unit, scopes: &Scopes, range: &Range<usize>, edits: &mut Edits) -> Result<(), String> {
    for u in scopes.uses_in(range) {
        let var = scopes.var(u.var);
        let wanted = if var.storage == Storage::Other { scopes.captured.by(&var.name) } else { &[] };
        if wanted.is_empty() {
            continue;
        }
        let more: Vec<String> = wanted.iter().map(|&v| argument(unit, scopes, v)).collect();
        extend(unit, u.at.end, &more, edits).ok_or_else(|| {
            format!("function `{}` uses variables at file scope, and is used other than by calls", var.name)
        })?;
    }
    Ok(())
}

/// Changes a function's declaration or definition to one that is given the variables at file scope that it uses.
pub(crate) fn function(unit: &Unit, scopes: &Scopes, external: usize, edits: &mut Edits) -> Result<(), String> {
    let range = unit.externals[external].clone();
    let text = &unit.text[range.clone()];
    let head = text.find('{').unwrap_or(text.len());
    let named = word_ranges(&text[..head]).find(|r| !scopes.captured.by(&text[r.clone()]).is_empty());
    if let Some(name) = named {
        let wanted = scopes.captured.by(&text[name.clone()]);
        let parameters = wanted.iter().map(|&v| {
            parameter(unit, scopes, v)
                .ok_or_else(|| format!("the type of `{}` is not supported in regions", scopes.var(v).name))
        });
        let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
        extend(unit, range.start + name.end, &parameters, edits)
            .ok_or_else(|| format!("the declaration of `{}` has no list of parameters", &text[name]))?;
    }
    if head == text.len() {
        return Ok(());
    }
    for u in scopes.uses_in(&range) {
        let var = scopes.var(u.var);
        if var.storage != Storage::Static || range.contains(&var.at.start) || scopes.captured.is_constant(u.var) {
            continue;
        }
        let argument = argument(unit, scopes, u.var);
        let before = unit.text[..u.at.start].trim_end().trim_end_matches('(').trim_end();
        if argument == var.name && before.ends_with("sizeof") {
            return Err(format!("`sizeof` of `{}` in a function is not supported in regions", var.name));
        }
        if argument != var.name {
            edits.replace(u.at.clone(), format!("(*{argument})"));
        }
    }
    calls(unit, scopes, &(range.start + head..range.end), edits)
}

impl Cx<'_> {
    /// The variables that functions use which the region calls are data of the region.
    pub(crate) fn add_captured(&mut self) {
        self.captured = self.scopes.captured.in_range(self.scopes, &self.range);
        let bodies = reached(self.unit, self.scopes, &self.range);
        for v in self.captured.clone() {
            let written = self.places_of(v, &bodies).any(|p| p.access.written || p.access.escapes || p.access.copied);
            let at = match self.accesses.iter().position(|(x, _)| *x == v) {
                Some(at) => at,
                None => {
                    self.accesses.push((v, Default::default()));
                    self.accesses.len() - 1
                }
            };
            let access = &mut self.accesses[at].1;
            let scalar =
                matches!(self.scopes.var(v).ty.map(|t| self.unit.shape(t)), Some(Shape::Number(_) | Shape::Enum));
            if scalar {
                (access.read, access.written) = (true, access.written || written);
            } else {
                (access.memory_read, access.memory_written) = (true, access.memory_written || written);
            }
        }
    }

    /// What functions do with a variable.
    fn places_of(&self, v: VarId, bodies: &[Range<usize>]) -> impl Iterator<Item = Place> {
        let uses = bodies.iter().flat_map(|r| self.scopes.uses_in(r)).filter(move |u| u.var == v);
        uses.map(|u| place(self.unit, self.scopes, self.parents, u.expr))
    }

    /// Why functions cannot be given the variables that they use, if that is so.
    pub(crate) fn must_be_captured(&self, range: &Range<usize>, own: &[VarId]) -> Result<(), String> {
        let bodies = reached(self.unit, self.scopes, range);
        for v in self.scopes.captured.in_range(self.scopes, range) {
            let var = self.scopes.var(v);
            if own.contains(&v) {
                return Err(format!(
                    "`{}` is the loop's own here, and a function that the region calls uses it",
                    var.name
                ));
            }
            let pointer = matches!(var.ty.map(|t| self.unit.shape(t)), Some(Shape::Pointer(_)));
            if pointer && self.places_of(v, &bodies).any(|p| p.access.written && !p.memory) {
                return Err(format!("a function changes the pointer `{}`", var.name));
            }
        }
        Ok(())
    }
}
