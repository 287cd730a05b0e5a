//! What kernels need besides their own text: types, enumerators, and the functions that they call.

use crate::edit::Edits;
use crate::scope::{Scopes, Storage};
use crate::unit::{Unit, words};
use directives::Kind;
use rustc_hash::FxHashSet;
use std::ops::Range;
use syntax::ast::{DeclKind, NameKind, StmtKind};

/// What kernels have of their own, by the names that call for it.
const BESIDE: [(&str, &str); 7] = [
    // Kernels are on a device that is not the host: the processor's cores (`multicore`, `discrete`), or a GPU of NVIDIA's.
    (
        "acc_on_device",
        "#if __unspool_items\nstatic int acc_on_device(int kind) { return kind != 0 && kind != 2 && kind != 4 && kind != 5; }\n\
         #else\nstatic int acc_on_device(int kind) { return kind == 1 || kind == 3 || kind == 4 || kind == 6; }\n#endif\n",
    ),
    // What macros of the C library's headers become.
    (
        "__builtin_isinf_sign",
        "#define __builtin_isinf_sign(x) ({ __typeof__(x) __v = (x); __builtin_isinf(__v) ? __v < 0 ? -1 : 1 : 0; })\n",
    ),
    (
        "__builtin_fpclassify",
        "#define __builtin_fpclassify(n, i, m, s, z, x) ({ __typeof__(x) __v = (x); __builtin_isnan(__v) ? (n) : \
         __builtin_isinf(__v) ? (i) : __v == 0 ? (z) : __builtin_isnormal(__v) ? (m) : (s); })\n",
    ),
    (
        "calloc",
        "static void *calloc(unsigned long n, unsigned long size) { unsigned char *p = n && size > ~0ul / n ? 0 : malloc(n * size); \
         if (p) for (unsigned long i = 0; i < n * size; i++) p[i] = 0; return p; }\n",
    ),
    (
        "__assert_fail",
        "static void __assert_fail(const char *what, const char *file, unsigned line, const char *function) { \
         printf(\"%s:%u: Assertion `%s' failed.\\n\", file, line, what); __builtin_trap(); }\n",
    ),
    ("abort", "static void abort(void) { __builtin_trap(); }\n"),
    ("__builtin_abort", "#define __builtin_abort() __builtin_trap()\n"),
];

/// The operators and functions of complex numbers.
const COMPLEX: &str = include_str!("complex.h");

/// A text for devices with what its files of the C library's headers call for.
pub(crate) fn with_library(unit: &Unit, text: String) -> String {
    let end = unit.text.len();
    let complex = ["_Complex", "__complex__", "__complex"].iter().any(|w| unit.has_word_before(w, end));
    if complex { format!("{COMPLEX}{text}") } else { text }
}

/// Declarations for a text that is compiled for devices.
#[derive(Debug)]
pub(crate) struct Declarations {
    /// In the order of the file.
    pub(crate) text: String,
    /// Functions that it declares and that other files have, in the order of their names.
    pub(crate) externals: Vec<String>,
    /// What of it declares types, if it defines structures, unions or enumerations.
    pub(crate) types: String,
    /// These: those of the file, and those of the function around the place.
    pub(crate) defined: [Vec<String>; 2],
}

impl Declarations {
    /// The declarations of what `needs` names, and of what these need, as they are known at `at`. Functions are the text's own
    /// but for `shared`, which others may call.
    pub(crate) fn of(
        unit: &Unit,
        scopes: &Scopes,
        mut needs: FxHashSet<String>,
        at: usize,
        shared: Option<&str>,
    ) -> Result<Self, String> {
        let local = local_types(unit, at, &mut needs);
        let mut defined = [Vec::new(), local.defined];
        let mut wanted: FxHashSet<usize> = FxHashSet::default();
        let mut externals = Vec::new();
        let mut todo: Vec<String> = needs.into_iter().collect();
        todo.sort();
        // Functions may be bound to each other, or to themselves.
        let mut seen: FxHashSet<String> = FxHashSet::default();
        while let Some(word) = todo.pop() {
            if !seen.insert(word.clone()) {
                continue;
            }
            todo.extend(scopes.routines.get(&word).and_then(|r| r.bind.clone()));
            let elsewhere = is_elsewhere(unit, scopes, &word);
            if elsewhere && !externals.contains(&word) {
                externals.push(word.clone());
            }
            let tags = ["struct", "union", "enum"].map(|t| format!("{t} {word}"));
            for key in std::iter::once(word).chain(tags) {
                let Some(list) = unit.declared.get(&key) else { continue };
                // Functions may be called before their definitions.
                let defined = !key.contains(' ') && list.iter().any(|&i| !is_prototype(unit, &key, i));
                for &i in list {
                    let text = &unit.text[unit.externals[i].clone()];
                    if is_prototype(unit, &key, i) && !elsewhere && !defined || !wanted.insert(i) {
                        continue;
                    }
                    if let Some(word) = Unit::foreign_word(text) {
                        return Err(format!("`{key}` has `{word}`, which is not supported in regions"));
                    }
                    let meant = names_meant(scopes, &unit.externals[i]);
                    todo.extend(words(text).filter(|w| !is_function(unit, w) || meant.contains(w)).map(str::to_owned));
                    // Functions have the constants that they use beside them.
                    for u in scopes.uses_in(&unit.externals[i]).iter().filter(|u| scopes.captured.is_constant(u.var)) {
                        let Some(constant) = unit.external_at(scopes.var(u.var).at.start) else { continue };
                        if wanted.insert(constant) {
                            todo.extend(words(&unit.text[unit.externals[constant].clone()]).map(str::to_owned));
                        }
                    }
                }
            }
        }
        externals.sort();
        let mut order: Vec<usize> = wanted.into_iter().collect();
        // Functions have parameters for variables that they use, of types that may be declared later in the file.
        order.sort_unstable_by_key(|i| (!unit.type_declarations.contains(i), *i));
        let beside = |name: &str| seen.contains(name) && crate::captured::definition(unit, name).is_none();
        let mut text: String = BESIDE.iter().filter(|(name, _)| beside(name)).map(|(_, text)| *text).collect();
        let mut types = String::new();
        for i in order {
            let from = text.len();
            one(unit, scopes, i, shared, &mut text)?;
            if unit.type_declarations.contains(&i) {
                types.push_str(&text[from..]);
                defined[0].extend(defined_by(unit, i));
            }
        }
        for text in [&mut text, &mut types] {
            text.push_str(&local.text);
        }
        if defined.iter().all(Vec::is_empty) {
            types.clear();
        }
        Ok(Self { text, externals, types, defined })
    }
}

/// The structures, unions and enumerations that an external declaration defines, as C names them: by tags, and what typedefs name.
fn defined_by(unit: &Unit, external: usize) -> Vec<String> {
    let text = &unit.text[unit.externals[external].clone()];
    if !text.contains('{') || !words(text).any(|w| matches!(w, "struct" | "union" | "enum")) {
        return Vec::new();
    }
    let is_type = |name: &str| unit.session.strings.get(name).is_some_and(|s| unit.typedefs.contains_key(&s));
    let is_meant = |name: &str| match name.split_once(' ') {
        Some((_, tag)) => !tag.is_empty(),
        None => is_type(name),
    };
    let here = unit.declared.iter().filter(|(_, list)| list.contains(&external)).map(|(name, _)| name);
    let mut out: Vec<String> = here.filter(|name| is_meant(name)).cloned().collect();
    out.sort_unstable();
    out
}

/// Types of the function around a place.
#[derive(Default)]
struct LocalTypes {
    text: String,
    /// The structures, unions and enumerations among them, as C names them.
    defined: Vec<String>,
}

/// The types and enumerators of the function around a place that are known there and needed; what they need is added.
fn local_types(unit: &Unit, at: usize, needs: &mut FxHashSet<String>) -> LocalTypes {
    let Some(function) = unit.external_at(at).map(|i| unit.externals[i].clone()) else { return LocalTypes::default() };
    let ast = &unit.ast;
    struct Found<'a> {
        at: Range<usize>,
        text: String,
        /// What it declares.
        names: Vec<&'a str>,
        /// As C names it, if it has members or enumerators.
        definition: Option<String>,
    }
    let mut found: Vec<Found<'_>> = Vec::new();
    for s in unit.stmts_in(&function) {
        let StmtKind::Compound(block) = ast[s].kind else { continue };
        if !unit.range(ast[s].span).contains(&at) {
            continue;
        }
        for &statement in ast.list(block) {
            let StmtKind::Decl(list) = ast[statement].kind else { continue };
            let here = unit.range(ast[statement].span);
            if here.end > at {
                break;
            }
            let decls = ast.list(list);
            let is_typedef = decls.iter().any(|&d| matches!(ast[d].kind, DeclKind::Typedef { .. }));
            for &d in decls {
                let name = match ast[ast[d].name].kind {
                    NameKind::Ident(sym) => unit.session.str(sym),
                    _ => "",
                };
                let (mut names, part) = match ast[d].kind {
                    DeclKind::Typedef { .. } => (vec![name], &here),
                    DeclKind::Record(r) if ast[r].defined => (vec![name], &unit.range(ast[d].span)),
                    DeclKind::Enum { members: Some(_), .. } => (vec![name], &unit.range(ast[d].span)),
                    _ => continue,
                };
                if let DeclKind::Enum { members: Some(members), .. } = ast[d].kind {
                    names.extend(ast.list(members).iter().filter_map(|&m| match ast[ast[m].name].kind {
                        NameKind::Ident(sym) => Some(unit.session.str(sym)),
                        _ => None,
                    }));
                }
                let part = if is_typedef { here.clone() } else { part.clone() };
                let text = format!("{};\n", unit.text[part.clone()].trim_end_matches(';'));
                let text = unit.packed_as_there(&part, text);
                let definition = match ast[d].kind {
                    DeclKind::Typedef { .. } if text.contains('{') => Some(name.to_owned()),
                    DeclKind::Record(r) if !name.is_empty() => Some(format!("{} {name}", ast[r].tag.as_str())),
                    DeclKind::Enum { .. } if !name.is_empty() => Some(format!("enum {name}")),
                    _ => None,
                };
                found.push(Found { at: part, text, names, definition });
            }
        }
    }
    // What is declared later may need what is declared before.
    found.sort_by_key(|f| f.at.start);
    let mut wanted: Vec<String> = Vec::new();
    let mut defined = Vec::new();
    for Found { text, names, definition, .. } in found.iter().rev() {
        if names.iter().any(|n| needs.contains(*n)) {
            needs.extend(words(text).filter(|w| !is_function(unit, w)).map(str::to_owned));
            defined.extend(definition.clone());
            if !wanted.contains(text) {
                wanted.push(text.clone());
            }
        }
    }
    LocalTypes { text: wanted.into_iter().rev().collect(), defined }
}

/// The names in a range of the text that are no variables that it knows: functions, among others. A member or a variable of the same
/// name is none of them.
pub(crate) fn names_meant<'a>(scopes: &'a Scopes, range: &Range<usize>) -> FxHashSet<&'a str> {
    let others = scopes.uses_in(range).iter().map(|u| scopes.var(u.var)).filter(|v| v.storage == Storage::Other);
    let mut out: FxHashSet<&str> = others.map(|v| v.name.as_str()).collect();
    // What is called in their place, perhaps bound itself.
    let mut todo: Vec<&str> = out.iter().copied().collect();
    while let Some(name) = todo.pop() {
        let bound = scopes.routines.get(name).and_then(|r| r.bind.as_deref());
        todo.extend(bound.filter(|b| out.insert(b)));
    }
    out
}

/// Whether a name is that of a function.
pub(crate) fn is_function(unit: &Unit, name: &str) -> bool {
    let declares_one = |&i: &usize| {
        let text = unit.text[unit.externals[i].clone()].trim_end();
        !unit.type_declarations.contains(&i)
            && (text.ends_with('}') && text.contains('(') || is_prototype(unit, name, i))
    };
    unit.declared.get(name).is_some_and(|list| list.iter().any(declares_one))
}

/// Writes one external declaration, without its directives.
fn one(unit: &Unit, scopes: &Scopes, external: usize, shared: Option<&str>, out: &mut String) -> Result<(), String> {
    let range = unit.externals[external].clone();
    let (line, file) = unit.line(range.start);
    let mut edits = Edits::default();
    // What other files call has the parameters that they know.
    if shared.is_none() {
        crate::captured::function(unit, scopes, external, &mut edits)?;
    }
    crate::varied::function(unit, scopes, external, &mut edits)?;
    // Atomics are written anew from what their variables are by then.
    for (_, s) in scopes.sites_in(&range) {
        edits.replace(s.directive.span.clone(), String::new());
        if s.directive.kind == Kind::Atomic {
            crate::atomic::rewrite(unit, scopes, s, &mut edits)?;
        }
    }
    let is_constant = scopes.captured.has_constants(scopes, &range);
    let text = edits.apply(&unit.text, range.clone());
    let names = unit.declared.iter().filter(|(_, l)| l.contains(&external)).map(|(n, _)| n);
    let has_body = |n: &String| !n.contains(' ') && unit.declared[n].iter().any(|&i| !is_prototype(unit, n, i));
    let here = text.contains('(') && !text.trim_end().ends_with('}') && names.clone().any(has_body);
    let is_function = (text.trim_end().ends_with('}') || here) && !text.starts_with("typedef");
    let is_shared = shared.is_some_and(|f| unit.declared.get(f).is_some_and(|l| l.contains(&external)));
    let own =
        (is_function || is_constant) && !is_shared && !words(&text).take_while(|w| *w != "{").any(|w| w == "static");
    let text = if own || is_shared { text.replacen("extern ", "", 1) } else { text };
    let text = format!("\n# {line} \"{file}\"\n{}{text}\n", if own { "static " } else { "" });
    out.push_str(&unit.packed_as_there(&range, text));
    Ok(())
}

/// Whether the text at a place is a system header's, as the preprocessor marked it: what it declares kernels have of their own.
pub(crate) fn is_of_system(unit: &Unit, at: usize) -> bool {
    let before = &unit.text[..at];
    let marker = before.rmatch_indices("# ").map(|(i, _)| i).find(|&i| i == 0 || before.as_bytes()[i - 1] == b'\n');
    let line = marker.and_then(|i| before[i..].lines().next());
    line.and_then(|l| l.rsplit('"').next()).is_some_and(|flags| flags.split_whitespace().any(|f| f == "3"))
}

/// Whether another file has a function that regions of this one may call.
fn is_elsewhere(unit: &Unit, scopes: &Scopes, name: &str) -> bool {
    let bound = || scopes.routines.values().any(|r| r.bind.as_deref() == Some(name));
    if !scopes.routines.contains_key(name) && !bound() {
        return false;
    }
    let there = |&i: &usize| is_prototype(unit, name, i) && !is_of_system(unit, unit.externals[i].start);
    unit.declared.get(name).is_some_and(|list| !list.is_empty() && list.iter().all(there))
}

/// Whether a declaration is one of a function without a body: what it calls is a builtin, or missing.
fn is_prototype(unit: &Unit, key: &str, external: usize) -> bool {
    let text = unit.text[unit.externals[external].clone()].trim_end();
    !key.contains(' ')
        && !text.starts_with("typedef")
        && text.contains('(')
        && !text.ends_with('}')
        && !text.contains('{')
}

/// Why kernels do not compile, in the words of the program: a function that they know nothing of has no `routine`.
pub(crate) fn explained(unit: &Unit, why: String) -> String {
    let name = why.strip_prefix("use of undeclared function `").and_then(|rest| rest.split('`').next());
    let Some(name) = name.filter(|n| unit.declared.contains_key(*n)) else { return why };
    format!(
        "call to '{name}' with no acc routine information: put `#pragma acc routine seq` before its declaration here and before \
         its definition, and compile the file that has it with `unspool cc -acc`, too"
    )
}
