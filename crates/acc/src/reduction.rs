//! Reductions in kernels: each work-item has its own value, and a second kernel puts them together in an order that is always the
//! same, so that results do not depend on the number of threads: on processors in that of the work-items; on GPUs the threads of
//! each block put together what they have in a [`Tree`], and the second kernel, one block, what the blocks have: each of its
//! threads takes every so-manieth, and then they do so in a tree.

use crate::block::WARP;
use crate::ctype::{Shape, number_bytes};
use crate::edit::Edits;
use crate::host::ITEMS;
use crate::kernel::call::{Arguments, Extents};
use crate::kernel::{HOW_MANY, Schedule, Writer};
use crate::region::team::MAX_SHARED;
use crate::scope::{Scopes, VarId};
use crate::unit::Unit;
use std::fmt::Write;
use std::ops::Range;
use syntax::ast::{BuiltinType, TypeId};

/// Most elements of an array that a reduction puts together: each work-item has one of its own.
const MAX_ELEMENTS: u64 = 4096;
/// Threads that put parts together on GPUs.
pub(crate) const TREE: u32 = 128;

impl Writer<'_> {
    /// A variable of each work-item whose values are put together by a second kernel.
    pub(crate) fn reduce(
        &mut self,
        op: &str,
        v: VarId,
        ty: TypeId,
        edits: &mut Edits,
        range: &Range<usize>,
    ) -> Result<(), String> {
        let name = &self.scopes.var(v).name.clone();
        let (dims, element) = self.unit.dimensions(ty);
        let is_array = matches!(self.unit.shape(ty), Shape::Array(..));
        if self.is_counted_by_host(v, ty) {
            return self.reduce_memory(op, v, (ty, element), edits, range);
        }
        if matches!(self.unit.shape(ty), Shape::Pointer(_)) {
            return Err(format!("a reduction over the pointer `{name}` wants a section: `{name}[0:n]`"));
        }
        let identity = self.identity(op, element).ok_or_else(|| format!("`{name}` has no type that `{op}` reduces"))?;
        let count: u64 = if is_array { dims.iter().flatten().product() } else { 1 };
        if count > MAX_ELEMENTS {
            return Err(format!(
                "a reduction over array `{name}` of {count} elements is not supported: {MAX_ELEMENTS} at most"
            ));
        }
        let unsupported = || format!("the type of `{name}` is not supported in regions");
        let local = self.unit.declare(ty, name).ok_or_else(unsupported)?;
        let _ = write!(self.prologue, "{local}; ");
        let flat = self.unit.declare(element, "*").ok_or_else(unsupported)?;
        let first = if is_array { format!("(({flat}){name})") } else { format!("(&{name})") };
        let _ = write!(self.prologue, "for (int __k = 0; __k < {count}; __k++) {first}[__k] = {identity}; ");
        let part = self.unit.declare(element, &format!("*{name}__part")).ok_or_else(unsupported)?;
        self.params.push(part);
        let items = self.work_items();
        let size = format!("sizeof({name})");
        self.setup
            .push_str(&format!("void *__part_{name} = __unspool_acc_scratch((unsigned long)({items}) * {size}); "));
        self.arguments.value(&format!("void *{name}__part"), &format!("__part_{name}"));
        if self.reduces_by_blocks() {
            let declare = |x: &str| self.unit.plain(element, x).ok_or_else(unsupported);
            let tree = Tree::of(self.unit, (op, name, element), &declare, self.plan.block.threads());
            let (memory, together) = (tree.memory()?, tree.text(name)?);
            let _ = write!(
                self.block_epilogue,
                "{memory}{together} if (__lane == 0) {name}__part[(int)__unspool_group_id(0)] = {name}__w[0]; "
            );
        }
        let index = if matches!(self.plan.schedule, Schedule::Serial) { "0" } else { "(long)__gid" };
        let _ = write!(
            self.epilogue,
            "for (int __k = 0; __k < {count}; __k++) {name}__part[{index} * {count} + __k] = {first}[__k]; "
        );
        Ok(())
    }

    /// Whether a block's threads put their values together before the second kernel on GPUs: where each has iterations of its own, what
    /// is reduced is numbers, and the block's memory holds a value of each thread.
    pub(crate) fn reduces_by_blocks(&self) -> bool {
        let plan = &self.plan;
        let wide = matches!(plan.schedule, Schedule::Shared(..)) && plan.team.is_none() && !plan.checked;
        let sum = bytes(self.unit, self.scopes, &plan.reductions);
        let fits = |sum: u64| sum > 0 && sum * u64::from(plan.block.threads()) <= MAX_SHARED;
        plan.gpu && wide && sum.is_some_and(fits)
    }

    /// Whether an array, or a section of a pointer, is reduced.
    pub(crate) fn reduces_arrays(&self) -> bool {
        let shape = |v: VarId| self.scopes.var(v).ty.map(|t| self.unit.shape(t));
        self.plan.reductions.iter().any(|r| matches!(shape(r.1), Some(Shape::Array(..) | Shape::Pointer(_))))
    }

    /// Whether a reduction's variable is an array, or a section of a pointer, whose extent only the host knows.
    fn is_counted_by_host(&self, v: VarId, ty: TypeId) -> bool {
        let open =
            matches!(self.unit.shape(ty), Shape::Array(..)) && self.unit.dimensions(ty).0.iter().any(Option::is_none);
        open || self.plan.sections.contains_key(&v)
    }

    /// The same of an array whose extent the host knows: each work-item has a part of memory that the host allocates, and works
    /// there.
    fn reduce_memory(
        &mut self,
        op: &str,
        v: VarId,
        (ty, element): (TypeId, TypeId),
        edits: &mut Edits,
        range: &Range<usize>,
    ) -> Result<(), String> {
        let name = &self.scopes.var(v).name.clone();
        let identity = self.identity(op, element).ok_or_else(|| format!("`{name}` has no type that `{op}` reduces"))?;
        self.private(v, name, ty, edits, range)?;
        let first = format!("({name} + {name}__low)");
        let _ = write!(self.prologue, "for (long __k = 0; __k < {name}__each; __k++) {first}[__k] = {identity}; ");
        Ok(())
    }

    /// How many work-items a kernel has, as an expression of the host.
    fn work_items(&self) -> String {
        match &self.plan.schedule {
            Schedule::Shared(..) => HOW_MANY.to_owned(),
            Schedule::Gangs(count, _) => format!("({count})"),
            _ => "1".to_owned(),
        }
    }

    /// What a reduction begins with.
    pub(crate) fn identity(&self, op: &str, ty: TypeId) -> Option<String> {
        use BuiltinType as B;
        let Shape::Number(b) = self.unit.shape(ty) else { return None };
        let float = matches!(b, B::Float | B::Double);
        let (bits, signed) = match b {
            B::Bool => (1, false),
            B::Char | B::SChar => (8, true),
            B::UChar => (8, false),
            B::Short => (16, true),
            B::UShort => (16, false),
            B::Int => (32, true),
            B::UInt => (32, false),
            B::Long | B::LongLong => (64, true),
            B::ULong | B::ULongLong => (64, false),
            B::Float | B::Double => (0, true),
            // Complex numbers have no order and no bits.
            B::ComplexFloat | B::ComplexDouble if matches!(op, "+" | "*" | "&&" | "||") => (0, true),
            _ => return None,
        };
        let least = || if signed { format!("(-{}-1)", (1i128 << (bits - 1)) - 1) } else { "0".to_owned() };
        let greatest = || {
            let max = (1i128 << (if signed { bits - 1 } else { bits })) - 1;
            if bits == 64 && !signed { format!("{max}UL") } else { format!("{max}L") }
        };
        Some(match op {
            "+" | "|" | "^" if !(float && op != "+") => "0".to_owned(),
            "||" => "0".to_owned(),
            "*" | "&&" => "1".to_owned(),
            "&" if !float => "~0".to_owned(),
            "max" if float => "-__builtin_inf()".to_owned(),
            "min" if float => "__builtin_inf()".to_owned(),
            "max" => least().replace("-1)", "L-1)"),
            "min" => greatest(),
            _ => return None,
        })
    }

    /// Puts the parts of reductions together, in the order of the work-items.
    pub(crate) fn combine(&self, name: &str) -> Result<(String, String), String> {
        let mut params = vec!["long __n".to_owned()];
        let mut arguments = Arguments::default();
        arguments.value("long __n", &self.work_items());
        let (mut body, mut tree) = (String::new(), String::new());
        for (op, v) in &self.plan.reductions {
            let var = self.scopes.var(*v);
            let ty = var.ty.ok_or("a reduction's type is not known")?;
            let (dims, element) = self.unit.dimensions(ty);
            let count: u64 =
                if matches!(self.unit.shape(ty), Shape::Array(..)) { dims.iter().flatten().product() } else { 1 };
            let x = &var.name;
            for p in [format!("{x}__to"), format!("{x}__part")] {
                params.push(self.unit.declare(element, &format!("*{p}")).ok_or("a reduction's type is not supported")?);
            }
            let own = self.is_counted_by_host(*v, ty).then(|| self.section_or_all(*v, ty));
            let place = match &own {
                Some((lower, _)) => format!("&({x}){} + ({lower})", "[0]".repeat(dims.len())),
                None => format!("&({x})"),
            };
            arguments.place(&format!("{x}__to"), (x, self.known_as(*v)), &place);
            arguments.value(&format!("void *{x}__part"), &format!("__part_{x}"));
            let count = match own {
                Some((_, extent)) => {
                    params.push(format!("long {x}__each"));
                    arguments.value(&format!("long {x}__each"), &extent);
                    format!("{x}__each")
                }
                None => count.to_string(),
            };
            let (a, b) = (format!("{x}__to[__k]"), format!("{x}__part[__g * {count} + __k]"));
            let _ = write!(
                body,
                "for (long __g = 0; __g < __n; __g++) for (long __k = 0; __k < {count}; __k++) {{ {} }} ",
                step(op, &a, &b)
            );
            let identity = self.identity(op, element).ok_or("a reduction's type is not supported")?;
            let declare = |name: &str| {
                self.unit.plain(element, name).ok_or_else(|| "a reduction's type is not supported".to_owned())
            };
            let together = Tree::of(self.unit, (op, x, element), &declare, TREE);
            let _ = write!(
                tree,
                "for (long __k = 0; __k < {count}; __k++) {{ {}{} = {identity}; \
                 for (long __g = __lane; __g < __n; __g += {TREE}) {{ {} }} {} if (__lane == 0) {{ {} }} __unspool_barrier(); }} ",
                together.memory()?,
                declare(&format!("{x}__v"))?,
                step(op, &format!("{x}__v"), &b),
                together.text(&format!("{x}__v"))?,
                step(op, &a, &format!("{x}__w[0]"))
            );
        }
        let params = params.join(", ");
        let text = |items: u32, body: &str| {
            format!(
                "__attribute__((reqd_work_group_size({items}, 1, 1))) __kernel void {name}_r({params}) {{ {body} }}\n"
            )
        };
        let serial = text(1, &body);
        let text = match self.plan.gpu {
            true => {
                let parts = match self.reduces_by_blocks() {
                    true => format!("__n /= {}; ", self.plan.block.threads()),
                    false => String::new(),
                };
                let tree = text(TREE, &format!("int __lane = (int)__unspool_local_id(0); {parts}{tree}"));
                format!("\n#if {ITEMS}\n{serial}\n#else\n{tree}\n#endif\n")
            }
            false => serial,
        };
        let launch = arguments.launch(&format!("{name}_r"), &Extents::Count("1".to_owned()));
        Ok((text, format!("{{ {launch}}} ")))
    }
}

/// What a thread reduces, in bytes, if all of it is numbers.
pub(crate) fn bytes(unit: &Unit, scopes: &Scopes, reductions: &[(String, VarId)]) -> Option<u64> {
    let of = |v: VarId| match scopes.var(v).ty.map(|t| unit.shape(t)) {
        Some(Shape::Number(b)) => number_bytes(b).map(u64::from),
        _ => None,
    };
    reductions.iter().map(|r| of(r.1)).sum()
}

/// How the threads of a block put together what each has of a variable, in an order that is always the same: the lanes of a warp hand it
/// down to each other, and the first warp puts together what the warps have. Complex numbers, which lanes do not hand over, go through
/// memory pair by pair.
pub(crate) struct Tree<'a> {
    op: &'a str,
    name: &'a str,
    /// Declares a variable of the type with a name.
    declare: &'a dyn Fn(&str) -> Result<String, String>,
    threads: u32,
    shuffles: bool,
}

impl<'a> Tree<'a> {
    /// The tree of `op` for a variable of a type in a block of so many threads, whole warps.
    pub(crate) fn of(
        unit: &Unit,
        (op, name, ty): (&'a str, &'a str, TypeId),
        declare: &'a dyn Fn(&str) -> Result<String, String>,
        threads: u32,
    ) -> Self {
        use BuiltinType as B;
        let complex = matches!(unit.shape(ty), Shape::Number(B::ComplexFloat | B::ComplexDouble));
        Self { op, name, declare, threads, shuffles: !complex && threads.is_multiple_of(WARP) }
    }

    /// The declaration of the block's memory for it, `name__w`.
    pub(crate) fn memory(&self) -> Result<String, String> {
        let places = if self.shuffles { self.threads / WARP } else { self.threads };
        Ok(format!("__unspool_shared {}; ", (self.declare)(&format!("{}__w[{places}]", self.name))?))
    }

    /// Puts what the threads have in `value` together: afterwards it is in `name__w[0]`.
    pub(crate) fn text(&self, value: &str) -> Result<String, String> {
        let (op, name, threads) = (self.op, self.name, self.threads);
        if !self.shuffles {
            let widest = threads.next_power_of_two() / 2;
            let step = step(op, &format!("{name}__w[__lane]"), &format!("{name}__w[__lane + __w]"));
            return Ok(format!(
                "{name}__w[__lane] = {value}; __unspool_barrier(); for (int __w = {widest}; __w > 0; __w >>= 1) {{ \
                 if (__lane < __w && __lane + __w < {threads}) {{ {step} }} __unspool_barrier(); }}"
            ));
        }
        let (own, other) = ((self.declare)(&format!("{name}__h"))?, (self.declare)(&format!("{name}__n"))?);
        let step = step(op, &format!("{name}__h"), &format!("{name}__n"));
        let down = format!("{other} = __unspool_shuffle_down(0xffffffffu, {name}__h, (unsigned int)__w);");
        let of_warp = format!("{own} = {value}; for (int __w = {}; __w > 0; __w >>= 1) {{ {down} {step} }}", WARP / 2);
        let warps = threads / WARP;
        if warps == 1 {
            return Ok(format!("{{ {of_warp} if (__lane == 0) {name}__w[0] = {name}__h; __unspool_barrier(); }}"));
        }
        Ok(format!(
            "{{ {of_warp} if (__lane % {WARP} == 0) {name}__w[__lane / {WARP}] = {name}__h; __unspool_barrier(); \
             if (__lane < {WARP}) {{ {name}__h = {name}__w[__lane < {warps} ? __lane : 0]; \
             for (int __w = {}; __w > 0; __w >>= 1) {{ {down} if (__lane + __w < {warps}) {{ {step} }} }} \
             if (__lane == 0) {name}__w[0] = {name}__h; }} __unspool_barrier(); }}",
            warps.next_power_of_two() / 2
        ))
    }
}

/// `a` takes `b` in.
pub(crate) fn step(op: &str, a: &str, b: &str) -> String {
    match op {
        "max" => format!("if ({b} > {a}) {a} = {b};"),
        "min" => format!("if ({b} < {a}) {a} = {b};"),
        _ => format!("{a} = {a} {op} {b};"),
    }
}
