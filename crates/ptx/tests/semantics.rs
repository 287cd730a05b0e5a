//! Random structured programs: the text computes what the IR says.
//!
//! A small evaluator of the IR and a small evaluator of PTX run the same program on the same inputs; every stored
//! value must agree. Covers integers, folding, copies on edges, shared registers and block order.

mod common;
use common::*;
use ir::*;
use std::collections::HashMap;

/// xorshift
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }
}

// ---- programs -------------------------------------------------------------------------------------------------------

const TYPES: [Type; 5] = [Type::I1, Type::I8, Type::I16, Type::I32, Type::I64];

struct Gen<'f, 'r> {
    b: Builder<'f>,
    rng: &'r mut Rng,
    values: Vec<Value>,
    out: Value,
    stored: i64,
}

impl Gen<'_, '_> {
    fn ty(&mut self) -> Type {
        TYPES[[0, 1, 2, 3, 3, 3, 4, 4][self.rng.below(8)]]
    }

    /// A value of a type: one that is at hand, or a constant.
    fn value(&mut self, ty: Type) -> Value {
        let fit: Vec<Value> = self.values.iter().copied().filter(|&v| self.b.ty(v) == ty).collect();
        if fit.is_empty() || self.rng.below(6) == 0 {
            let n = match self.rng.below(3) {
                0 => self.rng.below(9) as i64,
                1 => -(self.rng.below(4) as i64),
                _ => self.rng.next() as i64,
            };
            return self.b.iconst(ty, n);
        }
        // Prefer recent ones.
        let n = fit.len();
        fit[n - 1 - self.rng.below(n.min(8))]
    }

    fn step(&mut self) {
        use Opcode::*;
        let ty = self.ty();
        let v = match self.rng.below(10) {
            0 => {
                let (a, b) = (self.value(ty), self.value(ty));
                self.b.icmp(IntCC::ALL[self.rng.below(10)], a, b)
            }
            1 => {
                let (c, a, b) = (self.value(Type::I1), self.value(ty), self.value(ty));
                self.b.select(c, a, b)
            }
            2 | 3 => {
                let to = self.ty();
                let a = self.value(ty);
                match ty.bits().cmp(&to.bits()) {
                    std::cmp::Ordering::Less => {
                        let op = [ZExt, SExt][self.rng.below(2)];
                        self.b.cast(op, a, to)
                    }
                    std::cmp::Ordering::Equal => a,
                    std::cmp::Ordering::Greater => self.b.cast(Trunc, a, to),
                }
            }
            _ => {
                const OPS: [Opcode; 22] = [
                    Add, Add, Sub, Mul, Mul, MulHiS, MulHiU, And, Or, Xor, Shl, LShr, AShr, SMin, SMax, UMin, UMax,
                    Abs, Clz, Ctz, Popcnt, BitRev,
                ];
                let op = match self.rng.below(26) {
                    n if n < 22 => OPS[n],
                    22 if ty.bits() > 8 => ByteSwap,
                    23 if ty.bits() > 1 => Fshl,
                    24 if ty.bits() > 1 => Fshr,
                    _ => Add,
                };
                let args: Vec<Value> = (0..op.operand_count().unwrap()).map(|_| self.value(ty)).collect();
                self.b.op(op, Flags::NONE, &args)
            }
        };
        self.values.push(v);
    }

    fn store(&mut self) {
        let ty = self.ty();
        let v = self.value(ty);
        let off = self.b.iconst(Type::I64, self.stored);
        self.stored += 8;
        let p = self.b.ptradd(self.out, off, Flags::NONE);
        self.b.store(p, v, MemInfo::aligned(8), Flags::NONE);
    }

    fn code(&mut self, depth: u32) {
        for _ in 0..2 + self.rng.below(5) {
            match self.rng.below(12) {
                0 if depth > 0 => self.branch(depth - 1),
                1 | 2 if depth > 0 => self.looped(depth - 1),
                3 if depth > 0 => self.switch(depth - 1),
                4 => self.store(),
                _ => self.step(),
            }
        }
    }

    fn branch(&mut self, depth: u32) {
        let c = self.value(Type::I1);
        let tys: Vec<Type> = (0..self.rng.below(4)).map(|_| self.ty()).collect();
        let (yes, no, join) = (self.b.func.new_block(), self.b.func.new_block(), self.b.func.new_block());
        let params: Vec<Value> = tys.iter().map(|&t| self.b.func.dfg.add_param(join, t)).collect();
        let one_armed = self.rng.below(3) == 0;
        if one_armed {
            let args: Vec<Value> = tys.iter().map(|&t| self.value(t)).collect();
            self.b.br(c, (yes, &[]), (join, &args));
        } else {
            self.b.br(c, (yes, &[]), (no, &[]));
        }
        let known = self.values.len();
        for (k, arm) in [yes, no].into_iter().enumerate() {
            self.b.switch_to(arm);
            if k == 1 && one_armed {
                self.b.unreachable();
                break;
            }
            self.code(depth);
            let args: Vec<Value> = tys.iter().map(|&t| self.value(t)).collect();
            self.b.jump(join, &args);
            self.values.truncate(known);
        }
        self.b.switch_to(join);
        self.values.extend(params);
    }

    fn switch(&mut self, depth: u32) {
        let ty = TYPES[1 + self.rng.below(4)];
        let v = self.value(ty);
        let three = self.b.iconst(ty, 7);
        let v = self.b.binary(Opcode::And, v, three);
        let join = self.b.func.new_block();
        let r = self.b.func.dfg.add_param(join, Type::I32);
        let n = 1 + self.rng.below(7);
        let blocks: Vec<Block> = (0..=n).map(|_| self.b.func.new_block()).collect();
        let cases: Vec<(u64, Block)> = blocks[..n].iter().enumerate().map(|(k, &b)| (k as u64, b)).collect();
        self.b.switch(v, &cases, blocks[n]);
        let known = self.values.len();
        for block in blocks {
            self.b.switch_to(block);
            if depth > 0 && self.rng.below(4) == 0 {
                self.code(depth - 1);
            }
            let x = self.value(Type::I32);
            self.b.jump(join, &[x]);
            self.values.truncate(known);
        }
        self.b.switch_to(join);
        self.values.push(r);
    }

    fn looped(&mut self, depth: u32) {
        let (head, exit) = (self.b.func.new_block(), self.b.func.new_block());
        let tys: Vec<Type> = (0..self.rng.below(5)).map(|_| self.ty()).collect();
        let i = self.b.func.dfg.add_param(head, Type::I32);
        let params: Vec<Value> = tys.iter().map(|&t| self.b.func.dfg.add_param(head, t)).collect();
        let carried: Vec<Type> = (0..self.rng.below(3)).map(|_| self.ty()).collect();
        let out: Vec<Value> = carried.iter().map(|&t| self.b.func.dfg.add_param(exit, t)).collect();
        let mut init = vec![self.b.iconst(Type::I32, 0)];
        init.extend(tys.iter().map(|&t| self.value(t)).collect::<Vec<_>>());
        self.b.jump(head, &init);
        self.b.switch_to(head);
        self.values.push(i);
        self.values.extend(&params);
        self.code(depth);
        // Values that the body made are at hand after the loop, too: the last iteration's.
        let one = self.b.iconst(Type::I32, 1);
        let next = self.b.add(i, one);
        let mut args = vec![next];
        for (n, &t) in tys.iter().enumerate() {
            // Swaps and rotations among the loop's own variables, or anything.
            let own: Vec<Value> = params.iter().copied().filter(|&p| self.b.ty(p) == t).collect();
            let v = match self.rng.below(3) {
                0 => own[self.rng.below(own.len())],
                1 => self.value(t),
                _ => {
                    let x = self.value(t);
                    self.b.add(params[n], x)
                }
            };
            args.push(v);
        }
        let bound = self.b.iconst(Type::I32, 1 + self.rng.below(4) as i64);
        let more = self.b.icmp(IntCC::Slt, next, bound);
        let left: Vec<Value> = carried.iter().map(|&t| self.value(t)).collect();
        if self.rng.below(2) == 0 {
            self.b.br(more, (head, &args), (exit, &left));
        } else {
            let t = self.b.iconst(Type::I1, 1);
            let done = self.b.binary(Opcode::Xor, more, t);
            self.b.br(done, (exit, &left), (head, &args));
        }
        self.b.switch_to(exit);
        self.values.extend(out);
    }
}

fn program(rng: &mut Rng) -> Module {
    let mut m = Module::default();
    let params = [GLOBAL, Type::I1, Type::I8, Type::I16, Type::I32, Type::I32, Type::I64, Type::I64];
    kernel(&mut m, "k", &params, |b, args| {
        let b = Builder::at_end(b.func, b.block());
        let mut g = Gen { b, rng, values: args[1..].to_vec(), out: args[0], stored: 0 };
        g.code(3);
        for _ in 0..6 {
            g.store();
        }
        g.b.ret(None);
    });
    m
}

// ---- the IR's meaning -----------------------------------------------------------------------------------------------

fn sext(v: u64, bits: u32) -> i64 {
    ((v << (64 - bits)) as i64) >> (64 - bits)
}

fn eval(op: Opcode, bits: u32, a: &[u64]) -> u64 {
    use Opcode::*;
    let x = a[0];
    let y = a.get(1).copied().unwrap_or(0);
    let (sx, sy) = (sext(x, bits), sext(y, bits));
    let w = u128::from(bits);
    match op {
        Add => x.wrapping_add(y),
        Sub => x.wrapping_sub(y),
        Mul => x.wrapping_mul(y),
        MulHiS => ((i128::from(sx) * i128::from(sy)) >> w) as u64,
        MulHiU => ((u128::from(x) * u128::from(y)) >> w) as u64,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        Shl => {
            if y >= u64::from(bits) {
                0
            } else {
                x << y
            }
        }
        LShr => {
            if y >= u64::from(bits) {
                0
            } else {
                x >> y
            }
        }
        AShr => (sx >> y.min(63)) as u64,
        SMin => sx.min(sy) as u64,
        SMax => sx.max(sy) as u64,
        UMin => x.min(y),
        UMax => x.max(y),
        Abs => sx.wrapping_abs() as u64,
        Clz => u64::from(x.leading_zeros()) - u64::from(64 - bits),
        Ctz => u64::from(x.trailing_zeros().min(bits)),
        Popcnt => u64::from(x.count_ones()),
        BitRev => x.reverse_bits() >> (64 - bits),
        ByteSwap => x.swap_bytes() >> (64 - bits),
        Fshl | Fshr => {
            let n = a[2] % u64::from(bits);
            let both = u128::from(x) << bits | u128::from(y);
            (if op == Fshl { (both << n) >> bits } else { both >> n }) as u64
        }
        _ => unreachable!("{op:?}"),
    }
}

type Stores = Vec<(u64, u64)>;

fn run_ir(f: &Function, params: &[u64]) -> Stores {
    let mut env: HashMap<Value, u64> = HashMap::new();
    let mut stores = Stores::new();
    let mut block = f.layout.entry();
    for (&p, &v) in f.dfg.params(block).iter().zip(params) {
        env.insert(p, v);
    }
    loop {
        let mut next = None;
        for i in f.layout.insts(block).collect::<Vec<_>>() {
            let get = |v: Value| f.dfg.as_bits(v).unwrap_or_else(|| env[&v]);
            let d = &f.dfg.insts[i];
            let a: Vec<u64> = f.dfg.args(i).iter().map(|&v| get(v)).collect();
            let from = f.dfg.args(i).first().map_or(64, |&v| f.dfg.ty(v).bits());
            let succ = match d.op {
                Opcode::Jump => Some(0),
                Opcode::Br => Some(usize::from(a[0] == 0)),
                Opcode::Switch => {
                    let Payload::Switch(s) = d.payload else { unreachable!() };
                    let t = &f.dfg.switches[s];
                    Some(t.cases.iter().position(|c| c.0 == a[0]).unwrap_or(t.cases.len()))
                }
                _ => None,
            };
            if let Some(n) = succ {
                let to = f.dfg.successor(i, n);
                let args: Vec<u64> = f.dfg.branch_args(i, n).iter().map(|&v| get(v)).collect();
                for (&p, v) in f.dfg.params(to).iter().zip(args) {
                    env.insert(p, v);
                }
                next = Some(to);
                break;
            }
            let r = match d.op {
                Opcode::Return => return stores,
                Opcode::Store => {
                    stores.push((a[0], a[1]));
                    continue;
                }
                Opcode::PtrAdd => a[0].wrapping_add(a[1]),
                Opcode::Icmp => u64::from(d.int_cc().unwrap().eval(a[0], a[1], from)),
                Opcode::Select => {
                    if a[0] != 0 {
                        a[1]
                    } else {
                        a[2]
                    }
                }
                Opcode::Trunc | Opcode::ZExt => a[0],
                Opcode::SExt => sext(a[0], from) as u64,
                op => eval(op, from, &a),
            };
            env.insert(f.dfg.res(i), r & d.ty.mask());
        }
        block = next.expect("terminator");
    }
}

// ---- PTX's meaning --------------------------------------------------------------------------------------------------

struct Ptx<'t> {
    regs: HashMap<&'t str, u64>,
}

impl<'t> Ptx<'t> {
    fn get(&self, o: &str) -> u64 {
        if o.starts_with('%') {
            return *self.regs.get(o).unwrap_or_else(|| panic!("{o} is read before it is written"));
        }
        o.parse::<i64>().map(|n| n as u64).or_else(|_| o.parse::<u64>()).unwrap_or_else(|_| panic!("operand {o}"))
    }

    fn set(&mut self, r: &'t str, v: u64) {
        let mask = match r.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "%p" => 1,
            "%rs" => 0xffff,
            "%r" => 0xffff_ffff,
            _ => u64::MAX,
        };
        self.regs.insert(r, v & mask);
    }
}

fn run_ptx(text: &str, params: &[u64]) -> Stores {
    let lines: Vec<&str> = text.lines().map(str::trim).skip_while(|l| *l != "{").collect();
    let mut labels: HashMap<&str, usize> = HashMap::new();
    for (n, l) in lines.iter().enumerate() {
        if let Some(name) = l.strip_suffix(':').or_else(|| l.strip_suffix(": .branchtargets")) {
            labels.insert(name, n);
        }
    }
    let mut m = Ptx { regs: HashMap::new() };
    let mut stores = Stores::new();
    let mut pc = 0;
    for _ in 0..1_000_000 {
        let line = lines[pc];
        pc += 1;
        if line.ends_with(':') || line.ends_with(',') || !line.ends_with(';') || line.starts_with(['.', '$']) {
            continue;
        }
        let mut line = line.trim_end_matches(';');
        if let Some(rest) = line.strip_prefix('@') {
            let (p, op) = rest.split_once(' ').unwrap();
            let taken = match p.strip_prefix('!') {
                Some(p) => m.get(p) == 0,
                None => m.get(p) != 0,
            };
            if !taken {
                continue;
            }
            line = op.trim();
        }
        let (op, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let args: Vec<&str> = rest.split(',').map(str::trim).filter(|a| !a.is_empty()).collect();
        let parts: Vec<&str> = op.split('.').collect();
        let last = parts[parts.len() - 1];
        let bits: u32 = last.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap_or(1);
        let signed = last.starts_with('s');
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let val = |n: usize| m.get(args[n]) & mask;
        let ext = |v: u64| if signed { sext(v, bits) as i128 } else { i128::from(v) };
        let r = match parts[0] {
            "ret" => return stores,
            "bra" => {
                pc = labels[args[0]];
                continue;
            }
            "brx" => {
                let n = m.get(args[0]) as usize;
                pc = labels[lines[labels[args[1]] + 1 + n].trim_end_matches([',', ';'])];
                continue;
            }
            "ld" => {
                let n: usize = args[1].trim_end_matches(']').rsplit('_').next().unwrap().parse().unwrap();
                params[n] & mask
            }
            "st" => {
                let addr = args[0].trim_matches(['[', ']']);
                let (base, off) = addr.split_once('+').unwrap_or((addr, "0"));
                stores.push((m.get(base).wrapping_add(off.parse::<u64>().unwrap()), val(1)));
                continue;
            }
            "mov" if rest.contains('{') => 0,
            "mov" => val(1),
            "add" => val(1).wrapping_add(val(2)),
            "sub" => val(1).wrapping_sub(val(2)),
            "mul" if parts[1] == "wide" => (ext(val(1)) * ext(val(2))) as u64,
            "mad" if parts[1] == "wide" => ((ext(val(1)) * ext(val(2))) as u64).wrapping_add(m.get(args[3])),
            "mul" if parts[1] == "hi" && signed => ((ext(val(1)) * ext(val(2))) >> bits) as u64,
            "mul" if parts[1] == "hi" => ((u128::from(val(1)) * u128::from(val(2))) >> bits) as u64,
            "mul" => val(1).wrapping_mul(val(2)),
            "mad" => val(1).wrapping_mul(val(2)).wrapping_add(val(3)),
            "and" => val(1) & val(2),
            "or" => val(1) | val(2),
            "xor" => val(1) ^ val(2),
            "not" => !val(1),
            "min" => {
                if ext(val(1)) < ext(val(2)) {
                    val(1)
                } else {
                    val(2)
                }
            }
            "max" => {
                if ext(val(1)) > ext(val(2)) {
                    val(1)
                } else {
                    val(2)
                }
            }
            "abs" => sext(val(1), bits).wrapping_abs() as u64,
            "neg" => val(1).wrapping_neg(),
            "shl" => {
                let n = m.get(args[2]) as u32;
                if n >= bits { 0 } else { val(1) << n }
            }
            "shr" => {
                let n = (m.get(args[2]) as u32).min(bits);
                (ext(val(1)) >> n) as u64
            }
            "clz" => u64::from(val(1).leading_zeros()) - u64::from(64 - bits),
            "popc" => u64::from(val(1).count_ones()),
            "brev" => val(1).reverse_bits() >> (64 - bits),
            "prmt" => {
                let both = val(1) | val(2) << 32;
                let sel = m.get(args[3]);
                (0..4).fold(0, |acc, k| acc | (both >> (8 * (sel >> (4 * k) & 7)) & 255) << (8 * k))
            }
            "shf" => {
                let both = val(2) << 32 | val(1);
                let n = m.get(args[3]) & 31;
                if parts[1] == "l" { (both << n) >> 32 } else { both >> n }
            }
            "selp" => {
                if m.get(args[3]) != 0 {
                    val(1)
                } else {
                    val(2)
                }
            }
            "cvt" => {
                // cvt[.sat].to.from
                let to = parts[parts.len() - 2];
                let v = ext(val(1));
                if parts[1] == "sat" {
                    assert_eq!(to, "u32");
                    v.min(0xffff_ffff) as u64
                } else {
                    let n: u32 = to[1..].parse().unwrap();
                    assert!(n >= 16);
                    v as u64
                }
            }
            "setp" => {
                let (a, b) = (ext(val(1)), ext(val(2)));
                let c = match parts[1] {
                    "eq" => a == b,
                    "ne" => a != b,
                    "lt" => a < b,
                    "le" => a <= b,
                    "gt" => a > b,
                    _ => a >= b,
                };
                u64::from(match parts[2] {
                    "and" => c & (m.get(args[3]) != 0),
                    "or" => c | (m.get(args[3]) != 0),
                    _ => c,
                })
            }
            _ => panic!("unknown instruction `{line}`"),
        };
        if args[0].starts_with('{') {
            // mov.b64 {lo, hi}, source
            let half = bits / 2;
            let v = m.get(args[2]) & mask;
            m.set(args[0].trim_start_matches('{'), v & ((1 << half) - 1));
            m.set(args[1].trim_end_matches('}'), v >> half);
        } else if rest.contains('{') {
            let half = bits / 2;
            let low = m.get(args[1].trim_start_matches('{')) & ((1 << half) - 1);
            let high = m.get(args[2].trim_end_matches('}'));
            m.set(args[0], low | high << half);
        } else {
            m.set(args[0], r);
        }
    }
    panic!("endless:\n{text}");
}

// ---- agreement ------------------------------------------------------------------------------------------------------

#[test]
fn text_computes_what_the_ir_says() {
    let cases = std::env::var("UNSPOOL_PTX_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    for seed in 1..=cases {
        let mut rng = Rng(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(seed));
        let m = program(&mut rng);
        let text = emit_for(&m, 80);
        let f = m.functions.values().next().unwrap();
        for _ in 0..3 {
            let mut params = vec![0x1000];
            for p in &f.params[1..] {
                let v = if rng.below(2) == 0 { rng.next() } else { rng.below(8) as u64 };
                params.push(v & p.ty.mask());
            }
            let (want, got) = (run_ir(f, &params), run_ptx(&text, &params));
            assert_eq!(want, got, "seed {seed}, parameters {params:x?}:\n{text}");
        }
    }
}
