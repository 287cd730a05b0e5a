//! Makes programs: random, and each with one meaning.
//!
//! What must hold is kept by construction:
//!
//! * **Values.** Signed sums and products are of operands too narrow to overflow, or computed unsigned; divisors are
//!   positive and odd, shift amounts masked (in OpenCL also not: there they count modulo the width); indices are
//!   reduced to the array's length. Floats go to integers by saturating conversions, and operations on them are those
//!   that IEEE 754 defines to the bit; the bits of a NaN are looked at nowhere, and `fmin`/`fmax` get no negative zero.
//! * **Initialisation.** A variable knows which of its components every path so far has assigned ([`Var::mask`]);
//!   nothing else of it is read. Variables without an initialiser are assigned by [`pending`] on every path.
//! * **Order.** An expression with a side effect stands where a sequence point separates it from the others, or
//!   beside operands that do not name what it changes.
//! * **Work-items.** Barriers and collective operations stand where the whole group comes by: a flow is uniform while
//!   all that decides it is ([`Var::uniform`]). Shared arrays are written by each work-item in its own element between
//!   barriers at which everybody may read ([`cooperate`]); atomics are of one commutative kind a place.
//! * **Time.** Loops end after a number of rounds known to be small, and the product of those around a place is
//!   bounded ([`Gen::weight`]).

mod cooperate;
mod floats;
mod flow;
mod functions;
mod guard;
mod halves;
mod integers;
mod lines;
mod modern;
mod pending;
mod place;
mod records;
mod stmt;
mod vectors;
mod ways;

use super::tree::{Decl, Expr, Function, Item, Launch, Param, Program, Scalar, Space, Stmt, Ty};
use crate::Rng;
use unspool::Dialect;

/// Words of the read-only input.
pub(crate) const INPUT: u32 = 64;
/// Words for atomics.
pub(crate) const ACCUMULATORS: u32 = 8;
/// Results of each work-item.
pub(crate) const RESULTS: u32 = 8;
/// Most rounds of all loops around a place.
const MOST_ROUNDS: u32 = 48;

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x50c3);
    let dialect = match rng.below(10) {
        0..3 => Dialect::OPENCL,
        3..7 => Dialect::OpenClC { version: 300 },
        _ => Dialect::CUDA,
    };
    Gen::new(rng, dialect).program()
}

/// A variable in scope.
#[derive(Clone, Debug)]
struct Var {
    name: String,
    ty: Ty,
    /// Which components or fields have a value; all bits if all have.
    mask: u32,
    /// Whether all work-items of the group have the same value.
    uniform: bool,
    /// Whether statements may change it.
    writable: bool,
    /// What a counter is below.
    below: Option<u32>,
    /// For pointers: how many elements there are from where it points.
    len: u32,
}

/// All components.
const ALL: u32 = u32::MAX;

/// What makes a program.
struct Gen {
    rng: Rng,
    dialect: Dialect,
    opencl: bool,
    launch: Launch,
    items: Vec<Item>,
    vars: Vec<Var>,
    records: Vec<records::Shape>,
    callables: Vec<functions::Callable>,
    names: u32,
    /// How often the place runs for each time that its function does, at most.
    weight: u32,
    /// Statements that may still be made in this function.
    budget: u32,
    /// Whether all work-items of the group come by.
    uniform: bool,
    /// Whether expressions must have the same value for all of them.
    only_uniform: bool,
    /// Names that expressions must not touch: something beside them changes these.
    locked: Vec<String>,
    /// Whether a kernel is being made, rather than a function.
    in_kernel: bool,
    /// What `return` returns, if it may stand here.
    returns: Option<Ty>,
    /// Work-group arrays of the kernel or function.
    shared: Vec<cooperate::Shared>,
    /// Whether expressions may read work-group arrays.
    shared_readable: bool,
    /// In how many of 100 places where halves may stand they do.
    halves: u64,
    /// How many indices the expression being made stands in.
    indices: u32,
    /// Declarations that belong to the beginning of the kernel.
    hoisted: Vec<Stmt>,
}

impl Gen {
    fn new(mut rng: Rng, dialect: Dialect) -> Self {
        let opencl = dialect.is_opencl();
        let launch = launch(&mut rng, opencl);
        let halves = if rng.chance(25) { 45 } else { 5 };
        Self {
            rng,
            dialect,
            opencl,
            launch,
            items: Vec::new(),
            vars: Vec::new(),
            records: Vec::new(),
            callables: Vec::new(),
            names: 0,
            weight: 1,
            budget: 0,
            uniform: true,
            only_uniform: false,
            locked: Vec::new(),
            in_kernel: false,
            returns: None,
            shared: Vec::new(),
            shared_readable: false,
            halves,
            indices: 0,
            hoisted: Vec::new(),
        }
    }

    fn program(mut self) -> Program {
        if self.opencl {
            self.items.push(Item::Text("#pragma OPENCL EXTENSION cl_khr_fp16 : enable".to_owned()));
        } else {
            self.items.push(Item::Text("#include <cuda_fp16.h>".to_owned()));
        }
        self.types();
        self.constants();
        self.cplusplus();
        for _ in 0..self.rng.below(3) {
            self.helper();
        }
        if self.rng.chance(45) {
            self.barrier_helper();
        }
        let kernels = 1 + usize::from(self.rng.chance(15));
        for n in 0..kernels {
            self.kernel(n);
        }
        Program { dialect: self.dialect, items: self.items, launch: self.launch }
    }

    /// A name that nothing has.
    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn version(&self) -> u16 {
        if let Dialect::OpenClC { version } = self.dialect { version } else { 0 }
    }

    /// Constant tables, in the constant space.
    fn constants(&mut self) {
        for _ in 0..self.rng.below(3) {
            let s = self.rng.pick(&Scalar::INTEGERS);
            let len = self.rng.pick(&[4, 5, 8]);
            let values = (0..len).map(|_| self.interesting(s)).collect();
            let name = self.name("table");
            let ty = Ty::Array(Box::new(s.into()), len);
            let prefix = if self.opencl { "constant " } else { "__constant__ const " };
            let init = Some(Expr::new(ty.clone(), super::tree::Form::Braces, values));
            self.items.push(Item::Global(Decl { prefix: prefix.to_owned(), ty: ty.clone(), name: name.clone(), init }));
            let uniform = true;
            self.vars.push(Var { name, ty, mask: ALL, uniform, writable: false, below: None, len });
        }
    }

    /// Forgets what was declared since there were `len` variables.
    fn leave(&mut self, len: usize) {
        self.vars.truncate(len);
    }

    fn kernel(&mut self, n: usize) {
        let scope = self.vars.len();
        let first_shared = self.shared.len();
        self.in_kernel = true;
        self.uniform = true;
        self.budget = 5 + self.rng.below(9) as u32;
        let mut params = self.kernel_params();
        let mut body = self.prologue();
        let head = body.len();
        let guarded = self.rng.chance(15);
        if guarded {
            // Nobody waits for those who do nothing; small bodies are those that guards are made ends of loops for.
            self.uniform = false;
            self.budget = self.budget.min(3);
        } else {
            self.shared_arrays(&mut body, &mut params);
        }
        while self.budget > 0 {
            self.stmt(&mut body, 0);
        }
        if self.rng.chance(20) {
            self.early_exits(&mut body, scope);
        }
        self.results(&mut body, scope);
        if guarded {
            let rest = body.split_off(head);
            self.guard(&mut body, rest);
        }
        body.splice(0..0, std::mem::take(&mut self.hoisted));
        let prefix = match self.opencl {
            true if self.rng.chance(10) => "kernel __attribute__((vec_type_hint(float4))) ",
            true => "kernel ",
            false => "extern \"C\" __global__ ",
        };
        self.items.push(Item::Kernel(Function {
            prefix: prefix.to_owned(),
            ret: Ty::Void,
            name: format!("k{n}"),
            params,
            suffix: String::new(),
            body,
        }));
        self.shared.truncate(first_shared);
        self.in_kernel = false;
        self.leave(scope);
    }

    fn kernel_params(&mut self) -> Vec<Param> {
        let const_global = |s: Scalar| Ty::ConstPointer(Space::Global, Box::new(s.into()));
        let list = [
            (Ty::from(Scalar::U64).pointer(Space::Global), "out"),
            (const_global(Scalar::U64), "prev"),
            (const_global(Scalar::U32), "in"),
            (Ty::from(Scalar::U32).pointer(Space::Global), "acc"),
            (Scalar::I32.into(), "n"),
            (Scalar::U32.into(), "m"),
        ];
        self.vars.push(Var::pointer("in", const_global(Scalar::U32), INPUT).uniform());
        self.vars.push(Var::counter("n", Scalar::I32, 8).uniform());
        self.vars.push(Var::fixed("m", Scalar::U32).uniform());
        list.into_iter().map(|(ty, name)| Param { ty, name: name.to_owned(), default: None }).collect()
    }

    /// Ids, and pointers to what is the work-item's own.
    fn prologue(&mut self) -> Vec<Stmt> {
        let u = || Ty::from(Scalar::U32);
        let mut body = Vec::new();
        let mut id = |name: &str, text: &str| {
            let init = Some(Expr::name(u(), text).cast(u()));
            body.push(Stmt::Decl(Decl { prefix: "const ".into(), ty: u(), name: name.into(), init }));
        };
        let two = self.launch.local[1] > 1;
        match (self.opencl, two) {
            (true, false) => {
                id("lid", "get_local_id(0)");
                id("ls", "get_local_size(0)");
                id("grp", "get_group_id(0)");
                id("gid", "get_global_id(0)");
            }
            (true, true) => {
                id("lid", "(get_local_id(1) * get_local_size(0) + get_local_id(0))");
                id("ls", "(get_local_size(0) * get_local_size(1))");
                id("grp", "(get_group_id(1) * get_num_groups(0) + get_group_id(0))");
                id("gid", "(grp * ls + lid)");
            }
            (false, false) => {
                id("lid", "threadIdx.x");
                id("ls", "blockDim.x");
                id("grp", "blockIdx.x");
                id("gid", "(blockIdx.x * blockDim.x + threadIdx.x)");
            }
            (false, true) => {
                id("lid", "(threadIdx.y * blockDim.x + threadIdx.x)");
                id("ls", "(blockDim.x * blockDim.y)");
                id("grp", "(blockIdx.y * gridDim.x + blockIdx.x)");
                id("gid", "(grp * ls + lid)");
            }
        }
        let own = |p: &str| Expr::name(Ty::Void, format!("{p} += gid * {RESULTS}u"));
        body.push(Stmt::Expr(own("out")));
        body.push(Stmt::Expr(own("prev")));
        let items = self.launch.group_items();
        self.vars.push(Var::counter("lid", Scalar::U32, items));
        self.vars.push(Var::fixed("ls", Scalar::U32).uniform());
        self.vars.push(Var::counter("grp", Scalar::U32, self.launch.items() / items).uniform());
        self.vars.push(Var::counter("gid", Scalar::U32, self.launch.items()));
        let prev = Ty::ConstPointer(Space::Global, Box::new(Scalar::U64.into()));
        self.vars.push(Var::pointer("prev", prev, RESULTS));
        body
    }

    /// Stores what the variables in scope hold.
    fn results(&mut self, body: &mut Vec<Stmt>, scope: usize) {
        let mut slots: Vec<Option<Expr>> = vec![None; RESULTS as usize];
        let mut n = 0;
        let in_scope: Vec<Var> = self.vars[scope..].iter().rev().cloned().collect();
        for v in in_scope {
            if !v.writable && v.below.is_some() {
                continue;
            }
            for e in self.leaves_of(&v) {
                let e = self.observed(e);
                let slot = n % slots.len();
                n += 1;
                let seven = Expr::literal(Scalar::U64, 7 + n as u64);
                slots[slot] = Some(match slots[slot].take() {
                    None => e,
                    Some(old) => {
                        let old = Expr::binary(Scalar::U64, "*", old, seven);
                        Expr::binary(Scalar::U64, "^", old, e)
                    }
                });
            }
        }
        for (i, e) in slots.into_iter().enumerate() {
            let e = e.unwrap_or_else(|| Expr::literal(Scalar::U64, 1));
            let out = Expr::name(Ty::from(Scalar::U64).pointer(Space::Global), "out");
            body.push(out.index(Scalar::U64, Expr::literal(Scalar::I32, i as u64)).assign(e));
        }
    }

    /// Some work-items store their results and leave before the others do. No barriers come after that.
    fn early_exits(&mut self, body: &mut Vec<Stmt>, scope: usize) {
        self.uniform = false;
        for _ in 0..1 + self.rng.below(2) {
            let c = self.condition(2);
            let mut exit = Vec::new();
            self.results(&mut exit, scope);
            exit.push(Stmt::Return(None));
            let leave = Stmt::If(c, exit, Vec::new());
            if self.rng.chance(30) {
                // From within a loop, in whose first round it is decided.
                let i = Expr::name(Scalar::I32, self.name("i"));
                body.push(flow::counted(&i, 2, vec![leave]));
            } else {
                body.push(leave);
            }
            self.budget = 2;
            while self.budget > 0 {
                self.stmt(body, 1);
            }
        }
    }

    /// A scalar as `ulong`, the same for all NaNs.
    fn observed(&mut self, e: Expr) -> Expr {
        let Ty::Scalar(s) = e.ty else { return Expr::literal(Scalar::U64, 3) };
        if !s.is_float() {
            return e.cast(Scalar::U64);
        }
        let bits = match (self.opencl, s) {
            (true, Scalar::F16) => Expr::call(Scalar::U16, "as_ushort", vec![e.clone()]),
            (false, Scalar::F16) => Expr::call(Scalar::U16, "__half_as_ushort", vec![e.clone()]),
            (true, Scalar::F32) => Expr::call(Scalar::U32, "as_uint", vec![e.clone()]),
            (true, _) => Expr::call(Scalar::U64, "as_ulong", vec![e.clone()]),
            (false, Scalar::F32) => Expr::call(Scalar::U32, "__float_as_uint", vec![e.clone()]),
            (false, _) => Expr::call(Scalar::I64, "__double_as_longlong", vec![e.clone()]),
        };
        let nan = Expr::binary(Scalar::I32, "!=", e.clone(), e);
        let one = Expr::literal(Scalar::U64, 1);
        Expr::new(Scalar::U64, super::tree::Form::Ternary, vec![nan, one, bits.cast(Scalar::U64)])
    }
}

impl Var {
    fn new(name: impl Into<String>, ty: impl Into<Ty>) -> Self {
        let (name, ty) = (name.into(), ty.into());
        Self { name, ty, mask: ALL, uniform: false, writable: true, below: None, len: 1 }
    }

    fn fixed(name: impl Into<String>, ty: impl Into<Ty>) -> Self {
        Self { writable: false, ..Self::new(name, ty) }
    }

    fn counter(name: impl Into<String>, ty: impl Into<Ty>, below: u32) -> Self {
        Self { below: Some(below), ..Self::fixed(name, ty) }
    }

    fn pointer(name: impl Into<String>, ty: Ty, len: u32) -> Self {
        Self { len, ..Self::fixed(name, ty) }
    }

    fn uniform(self) -> Self {
        Self { uniform: true, ..self }
    }

    fn expr(&self) -> Expr {
        Expr::name(self.ty.clone(), self.name.clone())
    }
}

/// The shape and the data of a launch.
fn launch(rng: &mut Rng, opencl: bool) -> Launch {
    let warps = [[32, 1, 1], [64, 1, 1], [32, 2, 1]];
    let any = [
        [1, 1, 1],
        [2, 1, 1],
        [3, 1, 1],
        [5, 1, 1],
        [8, 1, 1],
        [13, 1, 1],
        [16, 1, 1],
        [17, 1, 1],
        [24, 1, 1],
        [33, 1, 1],
        [4, 2, 1],
        [8, 3, 1],
        [3, 5, 1],
        [16, 2, 1],
    ];
    let local = if rng.chance(if opencl { 15 } else { 50 }) { rng.pick(&warps) } else { rng.pick(&any) };
    let two = local[1] > 1;
    let groups = [1 + rng.below(2) as u32, if two { 1 + rng.below(2) as u32 } else { 1 }, 1];
    let word = |rng: &mut Rng| match rng.below(4) {
        0 => rng.below(8) as u32,
        1 => rng.range(-300, 300) as i32 as u32,
        2 => rng.pick(&[0, u32::MAX, 0x8000_0000, 0x7fff_ffff, 0xff, 0x8000, 0xffff_0000]),
        _ => rng.bits() as u32,
    };
    let input = (0..INPUT).map(|_| word(rng)).collect();
    let accumulators = (0..ACCUMULATORS).map(|_| word(rng)).collect();
    let (n, m) = (rng.below(8) as i32, word(rng));
    Launch { groups, local, results: RESULTS, input, accumulators, n, m }
}
