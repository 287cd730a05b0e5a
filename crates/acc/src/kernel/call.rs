//! How the host calls a kernel: the structure of its arguments, and constants that say what is where in it.
//!
//! Which arguments are places that the device has of its own is the run-time library's business: the host stores what it
//! knows them by, and a table says where in the structure they are. So the host's compiler has little to compile for a launch, which
//! is most of what a file with directives costs it.

use std::fmt::Write as _;

/// A place of the device among the arguments.
#[derive(Clone, Debug)]
struct Place {
    /// The field.
    field: String,
    /// The variable, for messages.
    variable: String,
    /// The item that says where it is.
    item: Option<usize>,
}

/// The arguments of a launch, in the order of the kernel's parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    fields: Vec<String>,
    values: Vec<String>,
    places: Vec<Place>,
}

/// How many iterations a launch has in its three dimensions.
#[derive(Clone, Debug)]
pub(crate) enum Extents {
    /// So many in the first: an expression of the host.
    Count(String),
    /// What these arguments say; one where there is none.
    Fields(Vec<String>),
}

impl Arguments {
    /// An argument: a declaration without its semicolon, and what the host computes for it.
    pub(crate) fn value(&mut self, declaration: &str, value: &str) {
        self.fields.push(format!("{declaration};"));
        self.values.push(value.to_owned());
    }

    /// An argument that is where the device has what the host has at `expression`.
    pub(crate) fn place(&mut self, field: &str, (variable, item): (&str, Option<usize>), expression: &str) {
        self.value(&format!("void *{field}"), &format!("(void *)({expression})"));
        self.places.push(Place { field: field.to_owned(), variable: variable.to_owned(), item });
    }

    /// The statements of the host that launch a kernel; they stand in a block of their own.
    pub(crate) fn launch(&self, kernel: &str, extents: &Extents) -> String {
        let offset = |field: &str| format!("__builtin_offsetof(__typeof__(__unspool_k), {field})");
        // CUDA's driver takes exactly the bytes of the parameters, without what pads the structure behind the last one.
        let mut out = format!(
            "struct {{ {} char __end; }} __unspool_k = {{ {} }}; ",
            self.fields.join(" "),
            self.values.join(", ")
        );
        let mut table = "0";
        if !self.places.is_empty() {
            table = "__unspool_q";
            out.push_str("static const struct __unspool_acc_place __unspool_q[] = { ");
            for p in &self.places {
                let item = p.item.map_or(-1, |i| i as i64);
                let _ = write!(out, "{{ \"{}\", {item}, {} }}, ", p.variable, offset(&p.field));
            }
            out.push_str("}; ");
        }
        let (at, first) = match extents {
            Extents::Count(n) => (Vec::new(), n.as_str()),
            Extents::Fields(fields) => (fields.iter().map(|f| offset(f)).collect(), "1"),
        };
        let mut at = at.into_iter().chain(std::iter::repeat("-1".to_owned()));
        let mut at = || at.next().unwrap_or_default();
        let _ = write!(
            out,
            "static const struct __unspool_acc_call __unspool_a = {{ {}, {{ {}, {}, {} }}, {}, {table} }}; ",
            offset("__end"),
            at(),
            at(),
            at(),
            self.places.len()
        );
        let _ = write!(
            out,
            "__unspool_acc_run(&__unspool_s, &{kernel}__d, &__unspool_a, __unspool_i, &__unspool_k, {first}); "
        );
        out
    }
}
