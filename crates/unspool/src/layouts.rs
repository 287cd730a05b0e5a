//! How structures lie in memory, asked without compiling anything: for those who check that another compiler has them so.

use crate::compile::{Run, on_large_stack};
use crate::{Compilation, Emit, Input, Options};
use sema::types::{Field, NameKind, RecordId, Ty, TyId, TypeTable};
use source::Session;
use std::fmt::Write;

/// How a structure, union or enumeration lies in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeLayout {
    /// The type, as it was asked for.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Members and their offsets in bytes, in order: those of members without a type's name by paths (`a.b`), bit-fields left out, since
    /// they have no offsets.
    pub members: Vec<(String, u64)>,
}

/// What the variables that ask are called, before their numbers.
const ASKING: &str = "__unspool_layout_";

/// The layouts of types of a text in C, which has declarations only: of those of `names` (`struct s`, `t`) that are complete structures,
/// unions or enumerations.
/// Nothing where the text has errors. Cost: reading the text.
pub fn layouts(text: &str, names: &[String], options: &Options) -> Vec<TypeLayout> {
    let mut asking = format!("{text}\n");
    for (i, name) in names.iter().enumerate() {
        let _ = writeln!(asking, "extern {name} {ASKING}{i};");
    }
    on_large_stack(|| {
        let mut run = Run { out: Compilation::default(), options, emit: &Emit::Nothing, promises: Vec::new() };
        run.session_options();
        let Some(file) = run.load(&Input::text("layouts.c", asking)) else { return Vec::new() };
        let tokens = run.preprocessed(file);
        let Some(program) = run.checked(&tokens) else { return Vec::new() };
        let session = &run.out.session;
        let number = |g: &sema::program::Global| {
            let name = g.name.map(|s| session.str(s))?;
            name.strip_prefix(ASKING)?.parse::<usize>().ok().map(|n| (n, g.ty))
        };
        let mut types: Vec<(usize, TyId)> = program.globals.iter().filter_map(number).collect();
        types.sort_unstable_by_key(|t| t.0);
        let layout = |(n, ty): (usize, TyId)| {
            let types = &program.types;
            let mut members = Vec::new();
            match *types.get(ty) {
                Ty::Record(id) if types.record(id).complete => of_members(types, session, id, ("", 0), &mut members),
                Ty::Enum(id) if types.enumeration(id).complete => {}
                _ => return None,
            }
            Some(TypeLayout { name: names[n].clone(), size: types.size_of(ty)?, members })
        };
        types.into_iter().filter_map(layout).collect()
    })
}

/// Adds the members of a record that stands at a path and an offset.
fn of_members(types: &TypeTable, session: &Session, id: RecordId, at: (&str, u64), out: &mut Vec<(String, u64)>) {
    let nameless = |f: &Field| {
        let id = types.as_record(f.ty)?;
        matches!(types.name(types.record(id).name).kind, NameKind::Unnamed(_)).then_some(id)
    };
    for f in types.record(id).fields.iter().filter(|f| f.bits.is_none()) {
        let offset = at.1 + f.offset;
        match (f.name.map(|s| session.str(s)), nameless(f)) {
            (None, Some(inner)) => of_members(types, session, inner, (at.0, offset), out),
            (Some(name), inner) => {
                out.push((format!("{}{name}", at.0), offset));
                if let Some(inner) = inner {
                    of_members(types, session, inner, (&format!("{}{name}.", at.0), offset), out);
                }
            }
            (None, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    #[test]
    fn structures_have_the_layouts_that_abis_give_them() {
        let text = "typedef double real; enum { N = 3 };
            struct a { char c; real x[N]; struct { int i; union { short s; long l; }; } in; unsigned b : 3, : 2, d : 9; char end; };
            typedef struct __attribute__((packed)) { char c; struct a a; } T, *P;
            struct later; enum few { A, B } ; enum wide { C = 1l << 40 };";
        let names = ["struct a", "T", "P", "struct later", "enum few", "enum wide"].map(str::to_owned);
        let found = layouts(text, &names, &Options::host(Dialect::C11));
        let all: Vec<String> = found.iter().map(|l| format!("{} {} {:?}", l.name, l.size, l.members)).collect();
        assert_eq!(
            all,
            [
                "struct a 56 [(\"c\", 0), (\"x\", 8), (\"in\", 32), (\"in.i\", 32), (\"in.s\", 40), (\"in.l\", 40), (\"end\", 50)]",
                "T 57 [(\"c\", 0), (\"a\", 1)]",
                "enum few 4 []",
                "enum wide 8 []",
            ]
        );
        assert!(layouts("struct a { what x; };", &names, &Options::host(Dialect::C11)).is_empty());
    }
}
