//! Random programs.
//!
//! A program is a module with one kernel `@k(ptr<global> out, ptr<global> in, i32 n, i64 m, f32 x)`, a few device
//! functions, a constant table and a work-group array. It has nested loops of every kind (counting up and down, signed,
//! unsigned, wrapping, by pointers and floats, with several exits and latches), nests over one array, reductions, switches, arrays in stack
//! slots with constant and computed indices, pointers to them that are chosen, carried, kept in memory and handed to
//! functions, vectors, all arithmetic and conversions, atomics, barriers and shuffles, also in functions. One in three is
//! small, as kernels are: guards around loops over rows that work-items leave at different times ([`rows`]).
//!
//! Every program verifies, ends, and means one thing: work-items write only to their own part of `out`, indices are
//! masked into bounds, barriers and shuffles stand only where all work-items come by. Some values may be undefined
//! (broken `nsw`); the interpreter tracks them, and a program in which one decides something is discarded by it.
//!
//! Not every NaN has one bit pattern after optimisation, so floats never become integers by their bits unless a NaN
//! has been replaced before, and memory keeps floats apart from integers ([`FLOATS`]).

mod control;
mod expr;
mod loops;
mod memory;
mod nest;
mod pointers;
mod rows;

use crate::Rng;
use ir::{
    AddrSpace, Block, Builder, ConstKind, FnKind, FuncId, Function, Global, GlobalData, GlobalInit, InlineHint,
    Linkage, Module, Param, ParamAttrs, Slot, Type, Value,
};

/// Bytes of `out` that belong to one work-item.
pub const WINDOW: u64 = 1024;
/// Bytes of the record that a kernel gets by value, an array of integers.
pub const RECORD: u32 = 32;
/// From here on, a window of `out` holds `f32`; integers before.
pub const FLOATS: u64 = 512;
/// From here on, a window of `out` holds `f64`.
pub const DOUBLES: u64 = 768;
/// Bytes of `in`, and of the constant table.
pub const INPUT: u64 = 256;
/// Work-items of a group, where nothing else is asked for.
pub const ITEMS: u32 = 4;
/// Most work-items of a group: a warp.
pub const MOST_ITEMS: u32 = 32;
/// A pointer to a private `i32`.
const POINTER: Type = Type::ptr(AddrSpace::Private);

/// A value that may be used.
#[derive(Clone, Copy, Debug)]
struct Val {
    v: Value,
    ty: Type,
    /// The same in all work-items of the group.
    uniform: bool,
}

/// What an array in a stack slot holds.
#[derive(Clone, Copy, Debug)]
struct Array {
    slot: Slot,
    elem: Type,
    /// A power of two.
    len: u32,
}

/// A device function.
#[derive(Clone, Debug)]
struct Callee {
    func: FuncId,
    /// Types, and whether the argument must be the same in all work-items.
    params: Vec<(Type, bool)>,
    ret: Type,
    /// It has barriers: all work-items call it together.
    meets: bool,
}

/// The work-item's place in its group.
#[derive(Clone, Copy, Debug)]
struct Place {
    x: Value,
    y: Value,
    /// The linear id.
    linear: Value,
}

/// Builds one function.
struct Gen<'a> {
    rng: &'a mut Rng,
    func: Function,
    block: Block,
    /// Values that dominate the current block, innermost last.
    pool: Vec<Val>,
    arrays: Vec<Array>,
    /// That of the record that the kernel was given, where few stores go.
    record: Option<Slot>,
    /// The work-item's window of `out`, where the function has one.
    window: Option<Value>,
    input: Option<Value>,
    table: Global,
    tile: Global,
    place: Option<Place>,
    /// Device functions that may be called.
    callees: Vec<Callee>,
    /// Work-items of a group.
    items: u32,
    /// Pointers to private integers are values here, and there is an array for them.
    points: bool,
    /// All work-items of the group get here together.
    together: bool,
    /// Statements that may still be made.
    fuel: u32,
    /// Nesting of loops.
    loops: u32,
    kernel: bool,
}

/// A random program for groups of [`ITEMS`] work-items.
pub fn generate(seed: u64) -> Module {
    make(seed, ITEMS, true)
}

/// A random program for groups of so many work-items, at least 4 and at most [`MOST_ITEMS`], of any shape. Its kernel has no record.
pub fn generate_for(seed: u64, items: u32) -> Module {
    make(seed, items, false)
}

/// A random program whose kernel may have a last parameter, a record of [`RECORD`] bytes that is passed by value.
fn make(seed: u64, items: u32, record: bool) -> Module {
    let mut rng = Rng::new(seed);
    let mut module = Module { name: format!("seed {seed}"), ..Module::default() };
    let table = module.globals.push(table(&mut rng));
    let tile = module.globals.push(GlobalData {
        name: "tile".to_owned(),
        space: AddrSpace::Shared,
        size: u64::from(items) * 4,
        align: 4,
        init: GlobalInit::None,
        constant: false,
        elem: Type::I32,
        ..module.globals[table].clone()
    });
    let mut callees = Vec::new();
    for n in 0..rng.below(4) {
        let (func, params, meets) = device_function(&mut rng, n, (table, tile), items, &callees);
        let ret = func.ret;
        callees.push(Callee { func: module.functions.push(func), params, ret, meets });
    }
    let kernel = kernel(&mut rng, (table, tile), items, callees, record);
    module.functions.push(kernel);
    module
}

fn table(rng: &mut Rng) -> GlobalData {
    let bytes = (0..INPUT).map(|_| rng.bits() as u8).collect();
    GlobalData {
        name: "table".to_owned(),
        space: AddrSpace::Constant,
        size: INPUT,
        align: 16,
        init: GlobalInit::Bytes(bytes, Vec::new()),
        constant: true,
        linkage: Linkage::Internal,
        external: false,
        elem: Type::I32,
        span: source::Span::NONE,
    }
}

fn param(ty: Type, name: &str) -> Param {
    Param { ty, name: name.to_owned(), attrs: ParamAttrs::default() }
}

fn device_function(
    rng: &mut Rng,
    n: usize,
    (table, tile): (Global, Global),
    items: u32,
    callees: &[Callee],
) -> (Function, Vec<(Type, bool)>, bool) {
    const TYPES: [Type; 6] = [Type::I32, Type::I32, Type::I64, Type::F32, Type::I16, Type::F64];
    let mut func = Function::new(format!("f{n}"), FnKind::Device);
    let meets = rng.chance(40);
    let mut params: Vec<(Type, bool)> =
        (0..1 + rng.below(3)).map(|_| (rng.pick(&TYPES), meets && rng.chance(50))).collect();
    // Some get the caller's window, and write to it; some its variables.
    if rng.chance(40) {
        params.push((Type::PTR, false));
    }
    for _ in 0..if rng.chance(50) { 1 + rng.below(2) } else { 0 } {
        params.push((POINTER, false));
    }
    func.params = params.iter().map(|p| param(p.0, "")).collect();
    func.ret = rng.pick(&TYPES);
    func.attrs.inline = rng.pick(&[InlineHint::None, InlineHint::Hint, InlineHint::Always, InlineHint::Never]);
    let ret = func.ret;
    let fuel = 3 + rng.below(12) as u32;
    let mut g = Gen::new(rng, func, (table, tile), items, fuel);
    g.callees = callees.to_vec();
    g.together = meets;
    let entry = g.func.layout.entry();
    g.window = g.func.dfg.params(entry).iter().copied().find(|&v| g.func.dfg.ty(v) == Type::PTR);
    g.points = params.iter().any(|p| p.0 == POINTER);
    for (v, &(_, uniform)) in g.pool.iter_mut().zip(params.iter().filter(|p| p.0 != Type::PTR)) {
        v.uniform = uniform || !meets;
    }
    g.prologue();
    while g.fuel > 0 {
        g.statement();
    }
    let result = g.value(ret);
    g.b().ret(Some(result.v));
    (g.func, params, meets)
}

fn kernel(rng: &mut Rng, (table, tile): (Global, Global), items: u32, callees: Vec<Callee>, record: bool) -> Function {
    let mut func = Function::new("k", FnKind::Kernel);
    let pointer = Type::ptr(AddrSpace::Global);
    func.params = vec![
        param(pointer, "out"),
        param(pointer, "in"),
        param(Type::I32, "n"),
        param(Type::I64, "m"),
        param(Type::F32, "x"),
    ];
    func.params[0].attrs.align = 16;
    func.params[1].attrs.align = 16;
    func.params[1].attrs.readonly = true;
    let restrict = rng.chance(50);
    func.params[0].attrs.noalias = restrict;
    func.params[1].attrs.noalias = restrict;
    if record {
        let attrs = ParamAttrs { byval: Some(RECORD), align: 4, ..ParamAttrs::default() };
        func.params.push(Param { ty: Type::ptr(AddrSpace::Param), name: "record".to_owned(), attrs });
    }
    let small = rng.chance(33);
    let fuel = if small { rng.below(5) as u32 } else { 10 + rng.below(50) as u32 };
    let mut g = Gen::new(rng, func, (table, tile), items, fuel);
    g.kernel = true;
    g.together = true;
    g.callees = callees;
    g.prologue();
    if record && g.rng.chance(50) {
        g.copy_record();
    }
    while g.fuel > 0 {
        g.statement();
    }
    if small {
        for _ in 0..1 + g.rng.below(2) {
            g.rows();
        }
    }
    g.epilogue();
    g.func
}

impl<'a> Gen<'a> {
    fn new(rng: &'a mut Rng, mut func: Function, (table, tile): (Global, Global), items: u32, fuel: u32) -> Self {
        let block = func.new_entry_block();
        let pool = func
            .dfg
            .params(block)
            .iter()
            .map(|&v| Val { v, ty: func.dfg.ty(v), uniform: true })
            .filter(|v| !v.ty.is_ptr() || v.ty == POINTER)
            .collect();
        Self {
            rng,
            func,
            block,
            pool,
            arrays: Vec::new(),
            record: None,
            window: None,
            input: None,
            table,
            tile,
            place: None,
            items,
            points: false,
            callees: Vec::new(),
            together: false,
            fuel,
            loops: 0,
            kernel: false,
        }
    }

    /// Builds at the end of the current block.
    fn b(&mut self) -> Builder<'_> {
        Builder::at_end(&mut self.func, self.block)
    }

    fn push(&mut self, v: Value, uniform: bool) -> Val {
        let val = Val { v, ty: self.func.dfg.ty(v), uniform };
        self.pool.push(val);
        val
    }

    /// What stands first in a function: its pointers, its arrays.
    fn prologue(&mut self) {
        if self.kernel {
            let params = self.func.dfg.params(self.block).to_vec();
            let place = self.find_place();
            self.place = Some(place);
            let items = self.items;
            let mut b = self.b();
            let group = b.special(ir::SpecialReg::CtaidX);
            let size = b.iconst(Type::I32, items.into());
            let first = b.mul(group, size);
            let item = b.add(first, place.linear);
            let wide = b.cast(ir::Opcode::ZExt, item, Type::I64);
            let bytes = b.iconst(Type::I64, WINDOW as i64);
            let offset = b.mul(wide, bytes);
            let mut window = b.ptradd(params[0], offset, ir::Flags::NONE);
            if self.rng.chance(30) {
                window = self.b().space_cast(window, AddrSpace::Generic);
            }
            self.window = Some(window);
            self.input = Some(params[1]);
            for v in [place.x, place.y, place.linear] {
                self.push(v, false);
            }
            self.push(group, true);
            self.points = self.rng.chance(40);
        }
        if self.points {
            self.new_array(Type::I32);
        }
        for _ in 0..self.rng.below(3) {
            let elem = self.rng.pick(&[Type::I32, Type::I32, Type::F32, Type::I64, Type::I8]);
            self.new_array(elem);
        }
        if self.points && self.rng.chance(50) {
            self.new_array(POINTER);
        }
    }

    /// Where the work-item stands in its group.
    fn find_place(&mut self) -> Place {
        use ir::SpecialReg::{NtidX, NtidY, TidX, TidY, TidZ};
        let mut b = self.b();
        let [x, y, z, width, height] = [TidX, TidY, TidZ, NtidX, NtidY].map(|r| b.special(r));
        let planes = b.mul(z, height);
        let rows = b.add(planes, y);
        let before = b.mul(rows, width);
        let linear = b.add(before, x);
        Place { x, y, linear }
    }

    /// Stores what there is, so that it matters.
    fn epilogue(&mut self) {
        let mut at = 0;
        for val in self.pool.clone() {
            let mut v = val.v;
            if val.ty == POINTER {
                v = self.b().load(Type::I32, v, ir::MemInfo::aligned(4), ir::Flags::NONE);
                at = (at + 8) % FLOATS;
                self.store_at(at, v);
                continue;
            }
            if val.ty.is_vector() {
                let lane = self.rng.below(val.ty.lanes().into()) as u8;
                v = self.b().extract(v, lane);
            }
            let place = match val.ty.scalar() {
                Type::F16 | Type::BF16 => {
                    v = self.b().cast(ir::Opcode::FpExt, v, Type::F32);
                    FLOATS + self.rng.bits() % ((DOUBLES - FLOATS) / 4) * 4
                }
                Type::F32 => FLOATS + self.rng.bits() % ((DOUBLES - FLOATS) / 4) * 4,
                Type::F64 => DOUBLES + self.rng.bits() % ((WINDOW - DOUBLES) / 8) * 8,
                _ => {
                    v = self.widened(v);
                    at = (at + 8) % FLOATS;
                    at
                }
            };
            self.store_at(place, v);
        }
        self.b().ret(None);
    }

    fn widened(&mut self, v: Value) -> Value {
        match self.func.dfg.ty(v) {
            Type::I64 => v,
            _ => self.b().cast(ir::Opcode::ZExt, v, Type::I64),
        }
    }

    fn bits(&mut self, ty: Type, bits: u64) -> Value {
        self.func.dfg.constant(ty, ConstKind::Bits(bits))
    }

    /// One statement: an expression mostly, or memory, or control flow.
    fn statement(&mut self) {
        self.fuel = self.fuel.saturating_sub(1);
        match self.rng.below(100) {
            0..9 if self.loops < 3 => self.a_loop(),
            9..12 if self.loops < 2 => self.nest(),
            12..20 => self.branch(),
            20..24 => self.switch(),
            24..38 => self.store_something(),
            38..44 => self.call(),
            44..48 if self.together => self.exchange(),
            48..50 => self.atomic(),
            50..52 => self.bulk(),
            52..57 if self.points => self.pointer(),
            57..59 if self.kernel => self.rows(),
            59..61 if self.kernel && self.together => self.tree(),
            _ => self.expression(),
        }
    }

    /// Statements of a nested region; what they define is forgotten after.
    fn region(&mut self, most: usize, together: bool) {
        let outer = self.together;
        self.together &= together;
        for _ in 0..1 + self.rng.below(most) {
            if self.fuel == 0 {
                break;
            }
            self.statement();
        }
        if self.rng.chance(40) {
            self.store_latest();
        }
        self.together = outer;
    }
}
