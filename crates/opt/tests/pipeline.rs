//! Random programs, as a front end would lower them: variables in stack slots, structured control flow, calls. The
//! optimised program must give what the original gives, at every level, and satisfy the verifier after every pass.

use interp::{Arg, Limits, Machine, Uninit};
use ir::{
    Block, Builder, Flags, FloatCC, FnKind, FuncId, Function, InlineHint, IntCC, Linkage, LoopMeta, MemInfo, Module,
    Opcode, Param, ParamAttrs, SlotData, Type, UnrollRequest, Value,
};
use opt::{OptLevel, Options};
use source::Session;

/// xorshift64*, so that a seed names a program for ever.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

const TYPES: [Type; 8] = [Type::I8, Type::I16, Type::I32, Type::I32, Type::I64, Type::I1, Type::F32, Type::F64];
const ARRAY: i64 = 8;

struct Gen<'f> {
    func: &'f mut Function,
    rng: Rng,
    block: Block,
    /// Variables: address and type.
    vars: Vec<(Value, Type)>,
    /// An array of `i32`.
    array: Value,
    /// Two vectors of four `f32` in one aggregate.
    pair: [Value; 2],
    callee: Option<FuncId>,
    depth: u32,
    budget: u32,
}

impl Gen<'_> {
    fn b(&mut self) -> Builder<'_> {
        Builder::at_end(self.func, self.block)
    }

    fn mem(ty: Type) -> MemInfo {
        MemInfo::aligned(ty.bytes().next_power_of_two())
    }

    fn var(&mut self, ty: Type) -> (Value, Type) {
        let of: Vec<_> = self.vars.iter().copied().filter(|v| v.1 == ty).collect();
        self.rng.pick(&of)
    }

    fn constant(&mut self, ty: Type) -> Value {
        let n = match self.rng.below(6) {
            0 => self.rng.next() as i64,
            1 => 1 << self.rng.below(31),
            2 => -1,
            _ => self.rng.below(20) as i64 - 4,
        };
        if ty.is_float() { self.func.dfg.fconst(ty, (n % 1000) as f64 * 0.5) } else { self.func.dfg.iconst(ty, n) }
    }

    fn expr(&mut self, ty: Type, depth: u32) -> Value {
        if depth == 0 || self.rng.chance(20) {
            if self.rng.chance(35) {
                return self.constant(ty);
            }
            let (p, ty) = self.var(ty);
            return self.b().load(ty, p, Self::mem(ty), Flags::NONE);
        }
        if self.rng.chance(15) {
            return self.convert(ty, depth);
        }
        if self.rng.chance(10) {
            let c = self.expr(Type::I1, depth - 1);
            let (x, y) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
            return self.b().select(c, x, y);
        }
        if ty == Type::I1 {
            self.truth(depth)
        } else if ty.is_float() {
            self.float(ty, depth)
        } else {
            self.int(ty, depth)
        }
    }

    fn int(&mut self, ty: Type, depth: u32) -> Value {
        use Opcode::*;
        let op = self.rng.pick(&[
            Add, Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr, SMin, SMax, UMin, UMax, SDiv, UDiv, SRem, URem, MulHiS,
            MulHiU, Fshl, Fshr, Abs, Clz, Ctz, Popcnt, Add, Mul,
        ]);
        let x = self.expr(ty, depth - 1);
        if matches!(op, Abs | Clz | Ctz | Popcnt) {
            return self.b().unary(op, x);
        }
        let mut y = self.expr(ty, depth - 1);
        if matches!(op, SDiv | UDiv | SRem | URem) {
            // Never by zero nor by -1.
            let three = self.func.dfg.iconst(ty, 3);
            let mask = self.func.dfg.iconst(ty, 0x3f);
            let low = self.b().binary(And, y, mask);
            y = if self.rng.chance(50) {
                let k = self.rng.below(40) as i64 + 1;
                self.func.dfg.iconst(ty, k)
            } else {
                self.b().binary(Or, low, three)
            };
        }
        if matches!(op, Fshl | Fshr) {
            let z = self.expr(ty, depth - 1);
            return self.b().op(op, Flags::NONE, &[x, y, z]);
        }
        let flags = if matches!(op, Add | Sub | Mul | Shl) && self.rng.chance(20) { Flags::NSW } else { Flags::NONE };
        self.b().op(op, flags, &[x, y])
    }

    fn float(&mut self, ty: Type, depth: u32) -> Value {
        use Opcode::*;
        let op = self.rng.pick(&[FAdd, FSub, FMul, FDiv, FMin, FMax, Fma, FNeg, FAbs, FFloor, FCeil, FTrunc, FRint]);
        let x = self.expr(ty, depth - 1);
        if matches!(op, FNeg | FAbs | FFloor | FCeil | FTrunc | FRint) {
            return self.b().unary(op, x);
        }
        let y = self.expr(ty, depth - 1);
        if op == Fma {
            let z = self.expr(ty, depth - 1);
            return self.b().op(op, Flags::NONE, &[x, y, z]);
        }
        self.b().binary(op, x, y)
    }

    fn truth(&mut self, depth: u32) -> Value {
        match self.rng.below(4) {
            0 => {
                let ty = self.rng.pick(&[Type::F32, Type::F64]);
                let cc = self.rng.pick(&FloatCC::ALL);
                let (x, y) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                self.b().fcmp(cc, Flags::NONE, x, y)
            }
            1 => {
                let op = self.rng.pick(&[Opcode::And, Opcode::Or, Opcode::Xor]);
                let (x, y) = (self.expr(Type::I1, depth - 1), self.expr(Type::I1, depth - 1));
                self.b().binary(op, x, y)
            }
            _ => {
                let ty = self.rng.pick(&[Type::I8, Type::I32, Type::I64]);
                let cc = self.rng.pick(&IntCC::ALL);
                let (x, y) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                self.b().icmp(cc, x, y)
            }
        }
    }

    fn convert(&mut self, ty: Type, depth: u32) -> Value {
        use Opcode::*;
        let from = self.rng.pick(&TYPES);
        let x = self.expr(from, depth - 1);
        let signed = self.rng.chance(50);
        let op = match (from.is_float(), ty.is_float()) {
            (false, false) if from.bits() == ty.bits() => return x,
            (false, false) if from.bits() > ty.bits() => Trunc,
            (false, false) if signed => SExt,
            (false, false) => ZExt,
            (true, false) => return if signed { self.b().cast(FpToSi, x, ty) } else { self.b().cast(FpToUi, x, ty) },
            (false, true) => return if signed { self.b().cast(SiToFp, x, ty) } else { self.b().cast(UiToFp, x, ty) },
            (true, true) if from.bits() == ty.bits() => return x,
            (true, true) if from.bits() > ty.bits() => FpTrunc,
            (true, true) => FpExt,
        };
        self.b().cast(op, x, ty)
    }

    fn element(&mut self) -> Value {
        let array = self.array;
        if self.rng.chance(50) {
            let k = self.rng.below(ARRAY as u64) as i64 * 4;
            let k = self.func.dfg.iconst(Type::I64, k);
            return self.b().ptradd(array, k, Flags::NONE);
        }
        let i = self.expr(Type::I32, 1);
        let mask = self.func.dfg.iconst(Type::I32, ARRAY - 1);
        let two = self.func.dfg.iconst(Type::I64, 2);
        let mut b = self.b();
        let i = b.binary(Opcode::And, i, mask);
        let i = b.cast(Opcode::SExt, i, Type::I64);
        let i = b.binary(Opcode::Shl, i, two);
        b.ptradd(array, i, Flags::NONE)
    }

    fn assign(&mut self) {
        let ty = self.rng.pick(&TYPES);
        let v = self.expr(ty, 3);
        let (p, ty) = self.var(ty);
        self.b().store(p, v, Self::mem(ty), Flags::NONE);
    }

    fn memory(&mut self) {
        match self.rng.below(5) {
            0 => {
                let v = self.expr(Type::I32, 2);
                let p = self.element();
                self.b().store(p, v, MemInfo::aligned(4), Flags::NONE);
            }
            1 => {
                let p = self.element();
                let (to, _) = self.var(Type::I32);
                let mut b = self.b();
                let v = b.load(Type::I32, p, MemInfo::aligned(4), Flags::NONE);
                b.store(to, v, MemInfo::aligned(4), Flags::NONE);
            }
            2 => {
                // A lane of a vector.
                let pair = self.pair;
                let (p, lane) = (self.rng.pick(&pair), self.rng.below(4) as u8);
                let x = self.expr(Type::F32, 2);
                let f4 = Type::F32.vector(4).unwrap();
                let mut b = self.b();
                let v = b.load(f4, p, MemInfo::aligned(16), Flags::NONE);
                let v = b.insert(v, x, lane);
                let v = b.binary(Opcode::FAdd, v, v);
                b.store(p, v, MemInfo::aligned(16), Flags::NONE);
            }
            3 => {
                let n = self.func.dfg.iconst(Type::I64, 16);
                let [p, q] = self.pair;
                self.b().memcpy(p, q, n, MemInfo::aligned(16));
            }
            _ => {
                // The bits of a lane, as an integer: exact, so only of numbers.
                let (to, _) = self.var(Type::I32);
                let k = self.func.dfg.iconst(Type::I64, 8);
                let p = self.pair[0];
                let mut b = self.b();
                let q = b.ptradd(p, k, Flags::NONE);
                let v = b.load(Type::F32, q, MemInfo::aligned(4), Flags::NONE);
                let v = b.cast(Opcode::FpToSi, v, Type::I32);
                b.store(to, v, MemInfo::aligned(4), Flags::NONE);
            }
        }
    }

    fn branch(&mut self) {
        let c = self.expr(Type::I1, 2);
        let (yes, no, join) = (self.func.new_block(), self.func.new_block(), self.func.new_block());
        self.b().br(c, (yes, &[]), (no, &[]));
        for arm in [yes, no] {
            self.block = arm;
            if arm == yes || self.rng.chance(60) {
                self.statements(2);
            }
            self.b().jump(join, &[]);
        }
        self.block = join;
    }

    fn switch(&mut self) {
        let v = self.expr(Type::I32, 2);
        let mask = self.func.dfg.iconst(Type::I32, 7);
        let v = self.b().binary(Opcode::And, v, mask);
        let arms: Vec<Block> = (0..3).map(|_| self.func.new_block()).collect();
        let join = self.func.new_block();
        self.b().switch(v, &[(0, arms[0]), (1, arms[1]), (2, join), (5, arms[0])], arms[2]);
        for arm in arms {
            self.block = arm;
            self.statements(1);
            self.b().jump(join, &[]);
        }
        self.block = join;
    }

    fn counted_loop(&mut self) {
        let (cond, body, step, exit) =
            (self.func.new_block(), self.func.new_block(), self.func.new_block(), self.func.new_block());
        let slot = self.func.slots.push(SlotData { size: 4, align: 4, dims: Default::default(), name: String::new() });
        let i = self.func.slot_addr(slot);
        let unroll = self.rng.pick(&[
            UnrollRequest::None,
            UnrollRequest::None,
            UnrollRequest::Full,
            UnrollRequest::Count(3),
            UnrollRequest::Disable,
        ]);
        let md = self.func.loops.push(LoopMeta { unroll, ..LoopMeta::default() });
        let (zero, one) = (self.func.dfg.iconst(Type::I32, 0), self.func.dfg.iconst(Type::I32, 1));
        let bound = if self.rng.chance(50) {
            let k = self.rng.below(9) as i64;
            self.func.dfg.iconst(Type::I32, k)
        } else {
            let v = self.expr(Type::I32, 1);
            let seven = self.func.dfg.iconst(Type::I32, 7);
            self.b().binary(Opcode::And, v, seven)
        };
        let m = MemInfo::aligned(4);
        let mut b = self.b();
        b.store(i, zero, m, Flags::NONE);
        b.jump(cond, &[]);
        b.switch_to(cond);
        let x = b.load(Type::I32, i, m, Flags::NONE);
        let c = b.icmp(IntCC::Slt, x, bound);
        b.br(c, (body, &[]), (exit, &[]));
        self.block = body;
        // The body reads the counter.
        let (to, _) = self.var(Type::I32);
        let mut b = self.b();
        let x = b.load(Type::I32, i, m, Flags::NONE);
        b.store(to, x, m, Flags::NONE);
        self.statements(2);
        if self.rng.chance(25) {
            let c = self.expr(Type::I1, 1);
            self.b().br(c, (exit, &[]), (step, &[]));
        } else {
            self.b().jump(step, &[]);
        }
        let mut b = Builder::at_end(self.func, step);
        let x = b.load(Type::I32, i, m, Flags::NONE);
        let x = b.op(Opcode::Add, Flags::NSW, &[x, one]);
        b.store(i, x, m, Flags::NONE);
        b.jump_md(cond, &[], Some(md));
        self.block = exit;
    }

    fn call(&mut self) {
        let Some(callee) = self.callee else { return self.assign() };
        let (x, y) = (self.expr(Type::I32, 2), self.expr(Type::I32, 1));
        let (z, w) = (self.expr(Type::I64, 1), self.expr(Type::F32, 1));
        let (to, _) = self.var(Type::I64);
        let mut b = self.b();
        let v = b.call(callee, Type::I64, &[x, y, z, w]).unwrap();
        b.store(to, v, MemInfo::aligned(8), Flags::NONE);
    }

    fn statements(&mut self, n: u64) {
        self.depth += 1;
        for _ in 0..=self.rng.below(n + 1) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            let nested = self.depth < 4;
            match self.rng.below(12) {
                0 | 1 if nested => self.branch(),
                2 | 3 if nested => self.counted_loop(),
                4 if nested => self.switch(),
                5 => self.call(),
                6 | 7 => self.memory(),
                _ => self.assign(),
            }
        }
        self.depth -= 1;
    }

    /// A mix of all variables, with numbers only where they are.
    fn result(&mut self) -> Value {
        let mut sum = self.func.dfg.iconst(Type::I64, 0);
        for (p, ty) in self.vars.clone() {
            let mut b = self.b();
            let v = b.load(ty, p, Self::mem(ty), Flags::NONE);
            let v = if ty.is_float() {
                b.cast(Opcode::FpToSi, v, Type::I64)
            } else if ty == Type::I64 {
                v
            } else {
                b.cast(Opcode::ZExt, v, Type::I64)
            };
            let k = b.iconst(Type::I64, 31);
            let scaled = b.mul(sum, k);
            sum = b.add(scaled, v);
        }
        sum
    }
}

fn generate(seed: u64, name: &str, callee: Option<FuncId>) -> Function {
    let mut func = Function::new(name, FnKind::Device);
    func.linkage = if callee.is_some() { Linkage::External } else { Linkage::Internal };
    func.ret = Type::I64;
    for ty in [Type::I32, Type::I32, Type::I64, Type::F32] {
        func.params.push(Param { ty, name: String::new(), attrs: ParamAttrs::default() });
    }
    let entry = func.new_entry_block();
    let params = func.dfg.params(entry).to_vec();
    let mut vars = Vec::new();
    for ty in TYPES {
        let size = ty.bytes();
        let slot = func.slots.push(SlotData { size, align: size, dims: Default::default(), name: String::new() });
        vars.push((func.slot_addr(slot), ty));
    }
    let array = func.slots.push(SlotData { size: 32, align: 16, dims: Default::default(), name: String::new() });
    let pair = func.slots.push(SlotData { size: 32, align: 16, dims: Default::default(), name: String::new() });
    let (array, first) = (func.slot_addr(array), func.slot_addr(pair));
    let mut b = Builder::at_end(&mut func, entry);
    for (n, &(p, ty)) in vars.iter().enumerate() {
        let v = match params.iter().find(|&&v| b.ty(v) == ty) {
            Some(&v) => v,
            None if ty.is_float() => b.fconst(ty, n as f64),
            None => b.iconst(ty, n as i64),
        };
        b.store(p, v, Gen::mem(ty), Flags::NONE);
    }
    let (zero, size, sixteen) = (b.iconst(Type::I8, 0), b.iconst(Type::I64, 32), b.iconst(Type::I64, 16));
    b.memset(array, zero, size, MemInfo::aligned(16));
    b.memset(first, zero, size, MemInfo::aligned(16));
    let second = b.ptradd(first, sixteen, Flags::NONE);
    let mut g = Gen {
        func: &mut func,
        rng: Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        block: entry,
        vars,
        array,
        pair: [first, second],
        callee,
        depth: 0,
        budget: 14,
    };
    g.statements(8);
    let v = g.result();
    g.b().ret(Some(v));
    func
}

fn program(seed: u64) -> (Module, FuncId) {
    let mut module = Module::default();
    let mut helper = generate(seed ^ 0xabcd_ef01, "helper", None);
    if seed.is_multiple_of(5) {
        helper.attrs.inline = InlineHint::Never;
    }
    let helper = module.functions.push(helper);
    let main = module.functions.push(generate(seed, "main", Some(helper)));
    (module, main)
}

const ARGS: [[u64; 4]; 4] = [
    [0, 0, 0, 0],
    [5, 0xffff_fffd, 1000, 0x3fc0_0000],
    [0x7fff_ffff, 12, 0x8000_0000_0000_0000, 0xc2f6_e979],
    [0xdead_beef, 3, 0xffff_ffff_ffff_fff9, 0x7f80_0000],
];

fn run(module: &Module, f: FuncId, args: [u64; 4]) -> Option<u64> {
    let args: Vec<Arg> = args.iter().map(|&a| Arg::Value(a)).collect();
    let limits = Limits { steps: 1 << 22, uninit: Uninit::OnUse, ..Limits::default() };
    Machine::new(module).call(f, &args, &limits).ok()?.first().copied().flatten()
}

fn check(seed: u64, level: OptLevel) -> bool {
    let (original, main) = program(seed);
    if let Err(e) = ir::verify::verify_module(&original) {
        panic!("seed {seed}: the generator made invalid IR: {}", e[0]);
    }
    let expected = ARGS.map(|a| run(&original, main, a));
    let mut module = original.clone();
    let options = Options { level, verify_each: true, ..Options::default() };
    let mut session = Session::default();
    if let Err(e) = opt::optimise(&mut module, &mut session, &options, None) {
        panic!("seed {seed}: {e}");
    }
    for (n, want) in expected.iter().enumerate() {
        let Some(want) = want else { continue };
        let got = run(&module, main, ARGS[n]);
        if got != Some(*want) {
            let place = first_wrong_pass(seed, level, ARGS[n], *want);
            panic!("{place}\nseed {seed} at {level:?}: {want:#x} became {got:x?} for arguments {n}");
        }
    }
    expected.iter().any(Option::is_some)
}

/// Says after which pass the result is another one.
fn first_wrong_pass(seed: u64, level: OptLevel, args: [u64; 4], want: u64) -> String {
    struct Finder {
        main: FuncId,
        args: [u64; 4],
        want: u64,
        before: String,
        found: Option<String>,
    }
    impl opt::Observer for Finder {
        fn after_pass(&mut self, pass: &'static str, module: &Module, f: FuncId, _: bool, _: std::time::Duration) {
            let text = ir::print::function_to_text(module, &module.functions[f]);
            if self.found.is_none() && run(module, self.main, self.args) != Some(self.want) {
                self.found = Some(format!("wrong after `{pass}`\nbefore:\n{}\nafter:\n{text}", self.before));
            }
            self.before = text;
        }
    }
    let (mut module, main) = program(seed);
    let mut finder = Finder { main, args, want, before: String::new(), found: None };
    let options = Options { level, verify_each: false, ..Options::default() };
    let _ = opt::optimise(&mut module, &mut Session::default(), &options, Some(&mut finder));
    finder.found.unwrap_or_default()
}

/// Seeds to try, from the environment for longer runs: `UNSPOOL_SEEDS=1000..2000`.
fn seeds() -> std::ops::Range<u64> {
    let given = std::env::var("UNSPOOL_SEEDS").ok();
    let parse = |s: &str| -> Option<std::ops::Range<u64>> {
        let (a, b) = s.split_once("..")?;
        Some(a.parse().ok()?..b.parse().ok()?)
    };
    given.as_deref().and_then(parse).unwrap_or(1..150)
}

#[test]
fn optimised_programs_compute_the_same() {
    let mut defined = 0;
    for seed in seeds() {
        let level = [OptLevel::O2, OptLevel::O3, OptLevel::O1, OptLevel::O2, OptLevel::O0][seed as usize % 5];
        defined += u64::from(check(seed, level));
    }
    let total = seeds().end - seeds().start;
    assert!(defined * 2 > total, "only {defined} of {total} programs have a defined result");
}
