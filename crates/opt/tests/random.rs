//! Random structured programs: every pass, alone and in a row, leaves what they compute alone.

use interp::{Arg, Limits, Machine};
use ir::{AddrSpace, Block, Builder, Flags, FnKind, Function, IntCC, MemInfo, Module, Opcode, Param, Type, Value};
use opt::PassContext;
use opt::pass::{Options, Pass};
use source::Session;

const PASSES: &[(&str, Pass)] = &[
    ("gvn", opt::gvn::run),
    ("licm", opt::licm::run),
    ("if-convert", opt::if_convert::run),
    ("vectorize", opt::vectorize::run),
    ("div", opt::div::run),
    ("div-rem", opt::div_rem::run),
    ("strength", opt::strength::run),
    ("simplify", opt::simplify::run),
    ("dce", opt::dce::run),
];

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// Variables of the program that is being made, in SSA form.
const VARS: usize = 4;

struct Gen<'f> {
    b: Builder<'f>,
    rng: Rng,
    vars: [Value; VARS],
    ptrs: Vec<Value>,
    budget: usize,
}

impl Gen<'_> {
    fn var(&mut self) -> Value {
        let n = self.rng.below(VARS);
        self.vars[n]
    }

    fn operand(&mut self) -> Value {
        if self.rng.below(3) == 0 {
            let c = [0, 1, 2, 3, 4, 7, 10, -1, -4, 16][self.rng.below(10)];
            self.b.iconst(Type::I32, c)
        } else {
            self.var()
        }
    }

    /// An address inside one of the buffers: a masked index, and a small constant.
    fn address(&mut self) -> Value {
        let n = self.rng.below(self.ptrs.len());
        let p = self.ptrs[n];
        let p = match self.rng.below(3) {
            0 => p,
            _ => {
                let (i, mask) = (self.var(), [31, 28, 7][self.rng.below(3)]);
                let mask = self.b.iconst(Type::I32, mask);
                let i = self.b.binary(Opcode::And, i, mask);
                let ext = [Opcode::SExt, Opcode::ZExt][self.rng.below(2)];
                let i = self.b.cast(ext, i, Type::I64);
                let four = self.b.iconst(Type::I64, 4);
                let i = self.b.mul(i, four);
                self.b.ptradd(p, i, Flags::NONE)
            }
        };
        let c = self.rng.below(5) as i64 * 4;
        let c = self.b.iconst(Type::I64, c);
        self.b.ptradd(p, c, Flags::INBOUNDS)
    }

    fn statement(&mut self, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        let dst = self.rng.below(VARS);
        match self.rng.below(if depth < 3 && self.budget > 0 { 13 } else { 10 }) {
            9 => self.neighbours(),
            0..3 => {
                let ops = [Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::And, Opcode::Xor, Opcode::SMax, Opcode::UMin];
                let (a, b) = (self.operand(), self.operand());
                let op = ops[self.rng.below(ops.len())];
                self.vars[dst] = self.b.binary(op, a, b);
            }
            3 => {
                let ops = [Opcode::UDiv, Opcode::SDiv, Opcode::URem, Opcode::SRem];
                let (a, d) = (self.var(), [1, 2, 3, 5, 7, 8, -3, 100][self.rng.below(8)]);
                let d = self.b.iconst(Type::I32, d);
                let op = ops[self.rng.below(ops.len())];
                self.vars[dst] = self.b.binary(op, a, d);
            }
            4 => {
                let cc = IntCC::ALL[self.rng.below(10)];
                let (a, b, x, y) = (self.operand(), self.operand(), self.operand(), self.operand());
                let c = self.b.icmp(cc, a, b);
                self.vars[dst] = self.b.select(c, x, y);
            }
            5 | 6 => {
                let p = self.address();
                self.vars[dst] = self.b.load(Type::I32, p, MemInfo::aligned(4), Flags::NONE);
            }
            7 | 8 => {
                let (p, v) = (self.address(), self.var());
                self.b.store(p, v, MemInfo::aligned(4), Flags::NONE);
            }
            10 | 11 => self.branch(depth),
            _ => self.repeat(depth),
        }
    }

    /// Loads and stores of neighbours in turn, most of one width, from a base that is aligned as far as it can be.
    fn neighbours(&mut self) {
        let base = [0, 0, 2, self.rng.below(self.ptrs.len())][self.rng.below(4)];
        let mut base = self.ptrs[base];
        if self.rng.below(2) == 0 {
            let (i, mask) = (self.var(), self.b.iconst(Type::I32, 7));
            let i = self.b.binary(Opcode::And, i, mask);
            let i = self.b.cast(Opcode::ZExt, i, Type::I64);
            let sixteen = self.b.iconst(Type::I64, 16);
            let i = self.b.mul(i, sixteen);
            base = self.b.ptradd(base, i, Flags::INBOUNDS);
        }
        let types = [Type::I8, Type::I16, Type::I32, Type::I32, Type::I64];
        let usual = types[self.rng.below(types.len())];
        for _ in 0..3 + self.rng.below(8) {
            let ty = if self.rng.below(6) == 0 { types[self.rng.below(types.len())] } else { usual };
            let size = ty.bytes();
            let offset = self.rng.below((32 / size) as usize) as i64 * i64::from(size);
            let offset = self.b.iconst(Type::I64, offset);
            let p = self.b.ptradd(base, offset, Flags::INBOUNDS);
            let dst = self.rng.below(VARS);
            if self.rng.below(2) == 0 {
                let v = self.b.load(ty, p, MemInfo::aligned(size), Flags::NONE);
                self.vars[dst] = self.resized(v, Type::I32);
            } else {
                let v = self.resized(self.vars[dst], ty);
                self.b.store(p, v, MemInfo::aligned(size), Flags::NONE);
            }
        }
    }

    fn resized(&mut self, v: Value, ty: Type) -> Value {
        match self.b.func.dfg.ty(v).bytes().cmp(&ty.bytes()) {
            std::cmp::Ordering::Less => self.b.cast(Opcode::ZExt, v, ty),
            std::cmp::Ordering::Equal => v,
            std::cmp::Ordering::Greater => self.b.cast(Opcode::Trunc, v, ty),
        }
    }

    fn statements(&mut self, depth: usize, most: usize) {
        for _ in 0..1 + self.rng.below(most) {
            self.statement(depth);
        }
    }

    fn params(&mut self, block: Block) -> [Value; VARS] {
        std::array::from_fn(|_| self.b.func.dfg.add_param(block, Type::I32))
    }

    fn branch(&mut self, depth: usize) {
        let (a, b) = (self.operand(), self.operand());
        let c = self.b.icmp(IntCC::ALL[self.rng.below(10)], a, b);
        let [yes, no, join] = std::array::from_fn(|_| self.b.func.new_block());
        let both = self.rng.below(2) == 0;
        let before = self.vars;
        self.b.br(c, (yes, &[]), if both { (no, &[]) } else { (join, &before) });
        self.b.switch_to(yes);
        self.statements(depth + 1, 3);
        let args = self.vars;
        self.b.jump(join, &args);
        self.b.switch_to(no);
        self.vars = before;
        if both {
            self.statements(depth + 1, 3);
            let args = self.vars;
            self.b.jump(join, &args);
        } else {
            self.b.unreachable();
        }
        self.vars = self.params(join);
        self.b.switch_to(join);
    }

    /// A counted loop, tested at the top or the bottom.
    fn repeat(&mut self, depth: usize) {
        let [header, body, exit] = std::array::from_fn(|_| self.b.func.new_block());
        let zero = self.b.iconst(Type::I32, 0);
        let (one, limit) = (self.b.iconst(Type::I32, 1 + self.rng.below(2) as i64), 1 + self.rng.below(6) as i64);
        let limit = self.b.iconst(Type::I32, limit);
        let mut args = vec![zero];
        args.extend(self.vars);
        self.b.jump(header, &args);
        let i = self.b.func.dfg.add_param(header, Type::I32);
        self.vars = self.params(header);
        self.b.switch_to(header);
        let top = self.rng.below(2) == 0;
        if top {
            let c = self.b.icmp(IntCC::Slt, i, limit);
            let out = self.vars;
            self.b.br(c, (body, &[]), (exit, &out));
        } else {
            self.b.jump(body, &[]);
        }
        self.b.switch_to(body);
        if self.rng.below(2) == 0 {
            self.vars[0] = i;
        }
        self.statements(depth + 1, 5);
        let next = self.b.op(Opcode::Add, Flags::NSW, &[i, one]);
        let mut args = vec![next];
        args.extend(self.vars);
        let out = self.vars;
        if top {
            self.b.jump(header, &args);
        } else {
            let c = self.b.icmp(IntCC::Slt, next, limit);
            self.b.br(c, (header, &args), (exit, &out));
        }
        self.vars = self.params(exit);
        self.b.switch_to(exit);
    }
}

fn program(seed: u64) -> Module {
    let mut module = Module::default();
    let mut f = Function::new("f", FnKind::Device);
    f.ret = Type::I32;
    let global = Type::ptr(AddrSpace::Global);
    for (n, ty) in [global, global, Type::I32, Type::I32].into_iter().enumerate() {
        let mut p = Param { ty, name: String::new(), attrs: Default::default() };
        // The buffers are different ones; sometimes the program says so, and how they are aligned.
        p.attrs.noalias = n == 1 && seed & 1 != 0;
        p.attrs.align = if n == 0 && seed & 2 != 0 { 16 } else { 0 };
        f.params.push(p);
    }
    let entry = f.new_entry_block();
    let p = f.dfg.params(entry).to_vec();
    let slot = f.slots.push(ir::SlotData { size: 256, align: 16, dims: Default::default(), name: String::new() });
    let slot = f.slot_addr(slot);
    let mut b = Builder::at_end(&mut f, entry);
    // Its own memory starts defined.
    let (byte, bytes) = (b.iconst(Type::I8, 3), b.iconst(Type::I64, 256));
    b.memset(slot, byte, bytes, MemInfo::aligned(4));
    let one = b.iconst(Type::I32, 1);
    let ptrs = vec![p[0], p[1], slot];
    let mut g = Gen { b, rng: Rng(seed), vars: [p[2], p[3], one, p[2]], ptrs, budget: 30 };
    while g.budget > 0 {
        g.statement(0);
    }
    let sum = g.vars.into_iter().reduce(|a, b| g.b.add(a, b)).unwrap();
    g.b.ret(Some(sum));
    module.functions.push(f);
    module
}

fn run(m: &Module, args: [u64; 2], when: &str) -> (Vec<Option<u64>>, Vec<u8>) {
    let mut machine = Machine::new(m);
    let (id, _) = m.functions.iter().next().unwrap();
    let data = |n: u32| (0..64u32).flat_map(|k| (k * 7 + n).to_le_bytes()).collect::<Vec<u8>>();
    let (x, y) = (machine.alloc_bytes(&data(5)).unwrap(), machine.alloc_bytes(&data(900)).unwrap());
    let args = [Arg::Pointer(x), Arg::Pointer(y), Arg::Value(args[0]), Arg::Value(args[1])];
    let r = machine.call(id, &args, &Limits { races: false, ..Limits::default() });
    let r = r.unwrap_or_else(|t| panic!("{when}: {t:?}\n{}", ir::print::module_to_text(m)));
    let mut out = machine.read(x, 256).unwrap().to_vec();
    out.extend(machine.read(y, 256).unwrap());
    (r, out)
}

fn apply(m: &mut Module, name: &str, pass: Pass, seed: u64) {
    let mut session = Session::default();
    let options = Options::default();
    let id = m.functions.keys().next().unwrap();
    let mut f = std::mem::replace(&mut m.functions[id], Function::new("", FnKind::Device));
    let before = ir::print::function_to_text(m, &f);
    let mut cx = PassContext::new(m, id, &mut session, &options);
    pass(&mut f, &mut cx);
    m.functions[id] = f;
    if let Err(e) = ir::verify::verify_module(m) {
        panic!("{name}, seed {seed}: {}\n{before}\n{}", e[0], ir::print::module_to_text(m));
    }
}

const ARGS: [[u64; 2]; 3] = [[3, 5], [0, 0xffff_fff9], [123_456_789, 0x8000_0001]];

fn check(seed: u64, passes: &[(&str, Pass)]) {
    let before = program(seed);
    if let Err(e) = ir::verify::verify_module(&before) {
        panic!("seed {seed}: {}", e[0]);
    }
    let mut after = before.clone();
    for &(name, pass) in passes {
        apply(&mut after, name, pass, seed);
    }
    for args in ARGS {
        let (x, y) = (run(&before, args, "before"), run(&after, args, "after"));
        if x != y {
            let names: Vec<_> = passes.iter().map(|p| p.0).collect();
            let texts = [&before, &after].map(ir::print::module_to_text);
            panic!("seed {seed}, {names:?}, {args:?}: {:?} {:?}\n{}\n{}", x.0, y.0, texts[0], texts[1]);
        }
    }
}

#[test]
fn each_pass_alone() {
    for seed in 0..50 {
        for &p in PASSES {
            check(seed, &[p]);
        }
    }
}

/// Pairs that exclude each other are rare: seed 530 is the first where they do.
#[test]
fn neighbours_become_vectors() {
    for seed in 500..600 {
        check(seed, &PASSES[3..4]);
    }
}

#[test]
fn passes_in_a_row() {
    for seed in 1000..1100 {
        let mut rng = Rng(seed);
        let row: Vec<_> = (0..6).map(|_| PASSES[rng.below(PASSES.len())]).collect();
        check(seed, &row);
    }
}
