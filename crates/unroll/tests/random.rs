//! Random loops and nests, random decisions: the unrolled program does what the original did.

mod support;

use ir::{
    AddrSpace, Block, Builder, Flags, FnKind, Function, IntCC, LoopMd, LoopMeta, MemInfo, Module, Opcode, Param,
    ParamAttrs, Type, UnrollRequest, Value,
};
use source::Session;
use support::{Run, execute};
use unroll::{Decision, Invocation, Kind, Knobs, Leftover, LoopFacts, Remainder, UnrollContext};

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

/// Builds a function of loops over the variables `vars` (all `i32`), in memory-free SSA by block parameters.
struct Gen<'f> {
    func: &'f mut Function,
    rng: Rng,
    block: Block,
    out: Value,
    inputs: Vec<Value>,
    vars: Vec<Value>,
    depth: u32,
    loops: u32,
    ret: Option<Block>,
}

const VARS: usize = 3;

impl Gen<'_> {
    fn b(&mut self) -> Builder<'_> {
        Builder::at_end(self.func, self.block)
    }

    fn new_block(&mut self, params: usize) -> (Block, Vec<Value>) {
        let b = self.func.new_block();
        let p = (0..params).map(|_| self.func.dfg.add_param(b, Type::I32)).collect();
        (b, p)
    }

    fn operand(&mut self) -> Value {
        let n = self.rng.below(3);
        if n == 0 {
            let k = self.rng.below(20) as i64 - 5;
            return self.func.dfg.iconst(Type::I32, k);
        }
        if n == 1 {
            let inputs = self.inputs.clone();
            self.rng.pick(&inputs)
        } else {
            let vars = self.vars.clone();
            self.rng.pick(&vars)
        }
    }

    fn arithmetic(&mut self) {
        let (x, y) = (self.operand(), self.operand());
        if self.rng.chance(15) {
            // A small number, which may become the bound of a later loop as it is.
            let fifteen = self.func.dfg.iconst(Type::I32, 15);
            let small = self.b().binary(Opcode::And, x, fifteen);
            let k = self.rng.below(VARS as u64) as usize;
            self.vars[k] = small;
            return;
        }
        let op = self.rng.pick(&[Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Xor, Opcode::And, Opcode::SMax]);
        let v = self.b().binary(op, x, y);
        let k = self.rng.below(VARS as u64) as usize;
        self.vars[k] = v;
    }

    fn address(&mut self, index: Value) -> Value {
        let out = self.out;
        let mut b = self.b();
        let m = b.iconst(Type::I32, 63);
        let masked = b.binary(Opcode::And, index, m);
        let wide = b.cast(Opcode::SExt, masked, Type::I64);
        let four = b.iconst(Type::I64, 4);
        let offset = b.binary(Opcode::Mul, wide, four);
        b.ptradd(out, offset, Flags::NONE)
    }

    fn memory(&mut self) {
        let index = self.operand();
        let at = self.address(index);
        if self.rng.chance(50) {
            let v = self.operand();
            self.b().store(at, v, MemInfo::aligned(4), Flags::NONE);
        } else {
            let v = self.b().load(Type::I32, at, MemInfo::aligned(4), Flags::NONE);
            let k = self.rng.below(VARS as u64) as usize;
            self.vars[k] = v;
        }
    }

    fn condition(&mut self) -> Value {
        let (x, y) = (self.operand(), self.operand());
        let cc = self.rng.pick(&IntCC::ALL);
        self.b().icmp(cc, x, y)
    }

    fn branch(&mut self, exits: &[(Block, usize)]) {
        let c = self.condition();
        let (yes, _) = self.new_block(0);
        let (no, _) = self.new_block(0);
        let (join, params) = self.new_block(VARS);
        self.b().br(c, (yes, &[]), (no, &[]));
        let before = self.vars.clone();
        for side in [yes, no] {
            self.block = side;
            self.vars.clone_from(&before);
            if self.rng.chance(60) {
                self.statement(exits);
            }
            let vars = self.vars.clone();
            self.b().jump(join, &vars);
        }
        self.block = join;
        self.vars = params;
    }

    fn statement(&mut self, exits: &[(Block, usize)]) {
        match self.rng.below(10) {
            0..=3 => self.arithmetic(),
            4 | 5 => self.memory(),
            6 => self.branch(exits),
            7 if !exits.is_empty() => self.leave(exits),
            8 | 9 if self.depth < 3 && self.loops < 5 => self.a_loop(),
            _ => self.arithmetic(),
        }
    }

    /// `if (c) break;` out of one of the loops around, or a return.
    fn leave(&mut self, exits: &[(Block, usize)]) {
        let c = self.condition();
        let (on, _) = self.new_block(0);
        let vars = self.vars.clone();
        if let Some(ret) = self.ret.filter(|_| self.rng.chance(15)) {
            self.b().br(c, (ret, &vars), (on, &[]));
        } else {
            let (to, _) = self.rng.pick(exits);
            self.b().br(c, (to, &vars), (on, &[]));
        }
        self.block = on;
    }

    fn hint(&mut self) -> Option<LoopMd> {
        let unroll = match self.rng.below(5) {
            0 => UnrollRequest::Full,
            1 => UnrollRequest::Count(2 + self.rng.below(9) as u32),
            2 => UnrollRequest::Disable,
            _ => return None,
        };
        Some(self.func.loops.push(LoopMeta { unroll, ..LoopMeta::default() }))
    }

    fn a_loop(&mut self) {
        self.loops += 1;
        self.depth += 1;
        let ty = self.rng.pick(&[Type::I8, Type::I16, Type::I32, Type::I32, Type::I32, Type::I64]);
        let start = if self.rng.chance(70) { self.rng.below(7) as i64 - 3 } else { i64::from(i32::MAX) - 9 };
        let step = self.rng.pick(&[1, 1, 1, 2, 3, -1, -2, 7]);
        let trips = self.rng.pick(&[0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 31]) as i64;
        let start_v = if self.rng.chance(75) {
            self.func.dfg.iconst(ty, start)
        } else {
            let n = self.operand();
            self.resize(n, ty)
        };
        let bound = if self.rng.chance(60) {
            self.func.dfg.iconst(ty, start.wrapping_add(step * trips))
        } else if self.rng.chance(40) {
            let vars = self.vars.clone();
            let n = self.rng.pick(&vars);
            self.resize(n, ty)
        } else {
            // A small run-time bound.
            let n = self.operand();
            let mut b = self.b();
            let m = b.iconst(Type::I32, 15);
            let n = b.binary(Opcode::And, n, m);
            self.resize(n, ty)
        };
        let cc = if step > 0 {
            self.rng.pick(&[IntCC::Slt, IntCC::Slt, IntCC::Ult, IntCC::Ne, IntCC::Sle])
        } else {
            self.rng.pick(&[IntCC::Sgt, IntCC::Ne, IntCC::Sge, IntCC::Ugt])
        };
        // Promised only where it holds: a small constant start, signed tests in the direction of the step.
        let small = start < 10 && self.func.dfg.as_bits(start_v).is_some() && ty.bits() >= 32;
        let promised = small && matches!(cc, IntCC::Slt | IntCC::Sgt) && self.rng.chance(60);
        let flags = if promised { Flags::NSW } else { Flags::NONE };
        let test_first = self.rng.chance(60);
        self.emit_loop(ty, start_v, step, bound, cc, flags, test_first);
        self.depth -= 1;
    }

    fn resize(&mut self, v: Value, ty: Type) -> Value {
        match ty.bits() {
            32 => v,
            b if b < 32 => self.b().cast(Opcode::Trunc, v, ty),
            _ => self.b().cast(Opcode::SExt, v, ty),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn emit_loop(
        &mut self,
        ty: Type,
        start: Value,
        step: i64,
        bound: Value,
        cc: IntCC,
        flags: Flags,
        test_first: bool,
    ) {
        let md = self.hint();
        let (header, vars) = self.new_block(VARS);
        let i = self.func.dfg.add_param(header, ty);
        // A fuse: no loop runs for ever.
        let fuse = self.func.dfg.add_param(header, Type::I32);
        let (exit, exit_vars) = self.new_block(VARS);
        let limit = self.func.dfg.iconst(Type::I32, 70);
        let mut args = self.vars.clone();
        args.extend([start, limit]);
        self.b().jump(header, &args);
        self.block = header;
        self.vars = vars;
        let with_fuse = self.rng.chance(30);
        if with_fuse || test_first {
            let cond = if with_fuse {
                let mut b = self.b();
                let zero = b.iconst(Type::I32, 0);
                b.icmp(IntCC::Ne, fuse, zero)
            } else {
                self.b().icmp(cc, i, bound)
            };
            let (body, _) = self.new_block(0);
            let vars = self.vars.clone();
            self.b().br(cond, (body, &[]), (exit, &vars));
            self.block = body;
        }
        let as_int = match ty.bits() {
            32 => i,
            b if b < 32 => self.b().cast(Opcode::SExt, i, Type::I32),
            _ => self.b().cast(Opcode::Trunc, i, Type::I32),
        };
        self.inputs.push(as_int);
        let latch = self.rng.chance(30).then(|| {
            let (b, p) = self.new_block(VARS);
            (b, p)
        });
        let mut exits = vec![(exit, 0)];
        if let Some((b, _)) = &latch {
            // `continue`
            exits.push((*b, 0));
        }
        for _ in 0..1 + self.rng.below(4) {
            let e = if self.rng.chance(40) { exits.clone() } else { Vec::new() };
            self.statement(&e);
        }
        if self.rng.chance(35) {
            // What the loop counted to is used after it.
            let k = self.rng.below(VARS as u64) as usize;
            self.vars[k] = as_int;
        }
        if let Some((b, p)) = latch {
            let vars = self.vars.clone();
            self.b().jump(b, &vars);
            self.block = b;
            self.vars = p;
        }
        self.inputs.pop();
        let mut b = Builder::at_end(self.func, self.block);
        let k = b.iconst(ty, step);
        let next = b.op(Opcode::Add, flags, &[i, k]);
        let minus = b.iconst(Type::I32, -1);
        let burnt = b.add(fuse, minus);
        let mut args = self.vars.clone();
        args.extend([next, burnt]);
        if test_first && !with_fuse {
            Builder::at_end(self.func, self.block).jump_md(header, &args, md);
        } else {
            let vars = self.vars.clone();
            let mut b = Builder::at_end(self.func, self.block);
            let cond = b.icmp(cc, next, bound);
            b.br_md(cond, (header, &args), (exit, &vars), md);
        }
        self.block = exit;
        self.vars = exit_vars;
    }
}

fn program(seed: u64) -> (Module, ir::FuncId) {
    let mut f = Function::new("k", FnKind::Kernel);
    let param = |ty| Param { ty, name: String::new(), attrs: ParamAttrs::default() };
    f.params = vec![param(Type::ptr(AddrSpace::Global)), param(Type::I32), param(Type::I32)];
    let entry = f.new_entry_block();
    let p = f.dfg.params(entry).to_vec();
    let zero = f.dfg.iconst(Type::I32, 0);
    let rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let ret = f.dfg.make_block();
    let ret_vars: Vec<Value> = (0..VARS).map(|_| f.dfg.add_param(ret, Type::I32)).collect();
    let mut g = Gen {
        func: &mut f,
        rng,
        block: entry,
        out: p[0],
        inputs: vec![p[1], p[2]],
        vars: vec![p[1], p[2], zero],
        depth: 0,
        loops: 0,
        ret: Some(ret),
    };
    for _ in 0..3 {
        g.rng.next();
    }
    for _ in 0..1 + g.rng.below(3) {
        g.a_loop();
    }
    let vars = g.vars.clone();
    g.b().jump(ret, &vars);
    f.layout.append_block(ret);
    let mut b = Builder::at_end(&mut f, ret);
    for (n, &v) in ret_vars.iter().enumerate() {
        let k = b.iconst(Type::I64, 4096 + 4 * n as i64);
        let at = b.ptradd(p[0], k, Flags::NONE);
        b.store(at, v, MemInfo::aligned(4), Flags::NONE);
    }
    b.ret(None);
    if !seed.is_multiple_of(3) {
        use_values_directly(&mut f);
    }
    let mut m = Module::default();
    let id = m.functions.push(f);
    (m, id)
}

/// Takes out the parameters of blocks that only one branch reaches, as clean-up does: values of a loop are then used
/// outside of it as they are.
fn use_values_directly(f: &mut Function) {
    let cfg = analysis::Cfg::new(f);
    for &b in cfg.rpo() {
        let [e] = *cfg.preds(b) else { continue };
        let args = f.dfg.branch_args(e.inst, e.index as usize).to_vec();
        let params = f.dfg.params(b).to_vec();
        for (p, a) in params.iter().zip(args) {
            f.dfg.replace_value(*p, a);
        }
        f.dfg.set_branch_args(e.inst, e.index as usize, &[]);
        f.dfg.retain_params(b, &vec![false; params.len()]);
        for p in params {
            // The parameter is nothing any more; its uses mean the argument.
            let to = f.dfg.resolve(p);
            f.dfg.replace_value(p, to);
        }
    }
    f.resolve_aliases();
}

/// Any decision that the facts allow.
fn any_decision(rng: &mut Rng, facts: &LoopFacts, mut d: Decision) -> Decision {
    if facts.done || !facts.duplicable {
        return d;
    }
    let count = rng.pick(&[2, 2, 3, 4, 4, 5, 6, 7, 8, 9, 11, 16, 33]);
    d.explicit = rng.chance(50);
    d.leftover = rng.pick(&[Leftover::Loop, Leftover::Straight, Leftover::Binary, Leftover::Blocks]);
    d.remainder = if rng.chance(50) { Remainder::Epilogue } else { Remainder::Prologue };
    d.peel = 0;
    d.breakout = 0;
    let trip = facts.counted_trip;
    d.count = count;
    d.kind = match rng.below(6) {
        0 if trip > 0 && trip < 200 => {
            d.count = trip;
            Kind::Full
        }
        1 if facts.max_trip > 0 && facts.max_trip < 100 => {
            d.count = facts.max_trip + rng.below(3) as u32;
            Kind::UpperBound
        }
        2 if trip > 0 => Kind::Partial,
        3 if facts.runtime_trip && facts.exits == 1 => Kind::Runtime,
        4 => {
            d.count = 1;
            d.peel = 1 + rng.below(4) as u32;
            Kind::Peel
        }
        _ => Kind::SideExits,
    };
    d
}

const STEPS: usize = 6_000;

fn inputs(n: u64) -> [u64; 3] {
    [1 << 20, [0, 1, 5, 13, 1000, 0x7fff_ffff, 0xffff_fff3][n as usize % 7], [3, 0, 9, 0xffff_ffff][n as usize % 4]]
}

fn check(seed: u64) -> Option<bool> {
    let (mut m, id) = program(seed);
    ir::verify::verify_module(&m).unwrap_or_else(|e| panic!("seed {seed}: generator: {e:?}"));
    let before: Vec<Run> = (0..3).map(|n| execute(&m.functions[id], &inputs(seed + n), STEPS)).collect();
    if before.iter().any(|r| r.stuck) {
        return None;
    }
    let mut rng = Rng(seed | 1 << 40);
    let knobs = Knobs::default();
    let mut session = Session::default();
    let mut func = m.functions[id].clone();
    let shell = m.clone();
    let mut changed = false;
    let mut kinds = Vec::new();
    let chaotic = rng.chance(80);
    for invocation in [Invocation::Early, Invocation::Late] {
        let mut chaos = |f: &LoopFacts, d: Decision| {
            let d = any_decision(&mut rng, f, d);
            kinds.push((d.kind, d.count, d.remainder));
            d
        };
        let mut cx = UnrollContext {
            target: target::Target::default(),
            module: &shell,
            session: &mut session,
            knobs: &knobs,
            remarks: unroll::RemarkFilter::default(),
            chaos: if chaotic && invocation == Invocation::Early { Some(&mut chaos) } else { None },
        };
        changed |= unroll::run(&mut func, &mut cx, invocation);
        m.functions[id] = func.clone();
        if let Err(e) = ir::verify::verify_function(&m, id) {
            let text = ir::print::function_to_text(&m, &m.functions[id]);
            panic!(
                "seed {seed}: {e:?}\n{}\n--- before\n{}",
                &text[..text.len().min(6000)],
                ir::print::function_to_text(&shell, &shell.functions[id])
            );
        }
    }
    for (n, old) in before.iter().enumerate() {
        let new = execute(&func, &inputs(seed + n as u64), STEPS * 4);
        if (&old.stores, &old.result, old.stuck) != (&new.stores, &new.result, new.stuck) {
            let text = ir::print::function_to_text(&shell, &shell.functions[id]);
            panic!(
                "seed {seed}, input {n}, {kinds:?}: {} stores became {} (stuck: {})\n{text}",
                old.stores.len(),
                new.stores.len(),
                new.stuck
            );
        }
    }
    Some(changed)
}

#[test]
#[allow(clippy::print_stderr, reason = "seeds are what one needs to repeat a failure")]
fn random_decisions_keep_programs() {
    let first: u64 = std::env::var("UNROLL_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    let count: u64 = std::env::var("UNROLL_COUNT").ok().and_then(|s| s.parse().ok()).unwrap_or(150);
    let (mut ran, mut changed) = (0, 0);
    for seed in first..first + count {
        if let Some(c) = check(seed) {
            ran += 1;
            changed += u32::from(c);
        }
    }
    eprintln!("seeds {first}..{}: {ran} programs ran to their end, {changed} changed", first + count);
    assert!(count < 100 || changed * 2 > ran, "the generator makes too few loops that change");
}
