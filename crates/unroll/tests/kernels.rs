//! The measured kernels as IR, through the whole pass: facts, decisions and transformations together must give the
//! measured shape.
//!
//! Kernels are built the way the front end lowers them, loops with their test in the header. Rows of the measured
//! compiler are read from `../shared/oracle`; where they are not on the machine, the test says so and passes.

use ir::{
    AddrSpace, Block, Builder, Flags, FnKind, Function, IntCC, Intrinsic, LoopMeta, MemInfo, Module, Opcode, Param,
    ParamAttrs, SlotData, SpecialReg, Type, UnrollRequest, Value,
};
use serde_json::Value as Json;
use source::Session;
use std::collections::BTreeMap;
use std::path::PathBuf;
use unroll::{Invocation, Knobs, RemarkFilter, UnrollContext};

/// How a kernel of the rows looks.
struct Spec {
    /// `None` for a run-time bound.
    trip: Option<u32>,
    body: u32,
    unroll: UnrollRequest,
    shuffle: bool,
    array: u32,
}

struct Kernel {
    f: Function,
    input: Value,
    out: Value,
    a: Value,
    b: Value,
    n: Value,
}

impl Kernel {
    fn new() -> Self {
        let mut f = Function::new("k", FnKind::Kernel);
        let param = |ty| Param { ty, name: String::new(), attrs: ParamAttrs::default() };
        let global = Type::ptr(AddrSpace::Global);
        f.params = [global, global, Type::F32, Type::F32, Type::I32].map(param).to_vec();
        let entry = f.new_entry_block();
        let p = f.dfg.params(entry).to_vec();
        Self { f, out: p[0], input: p[1], a: p[2], b: p[3], n: p[4] }
    }

    /// `for (int i = 0; i < bound; i++) x = body(i, x);` from `block` on; gives the block after it and `x` there.
    fn for_loop(
        &mut self,
        block: Block,
        bound: Option<u32>,
        x: Value,
        unroll: UnrollRequest,
        body: impl FnOnce(&mut Self, Block, Value, Value) -> Value,
    ) -> (Block, Value) {
        let f = &mut self.f;
        let md = f.loops.push(LoopMeta { unroll, ..LoopMeta::default() });
        let (header, inside, exit) = (f.new_block(), f.new_block(), f.new_block());
        let (i, acc) = (f.dfg.add_param(header, Type::I32), f.dfg.add_param(header, Type::F32));
        let zero = f.dfg.iconst(Type::I32, 0);
        Builder::at_end(f, block).jump(header, &[zero, x]);
        let bound = bound.map_or(self.n, |n| f.dfg.iconst(Type::I32, i64::from(n)));
        let mut b = Builder::at_end(f, header);
        let c = b.icmp(IntCC::Slt, i, bound);
        b.br(c, (inside, &[]), (exit, &[]));
        let next_x = body(self, inside, i, acc);
        let mut b = Builder::at_end(&mut self.f, inside);
        let one = b.iconst(Type::I32, 1);
        let next = b.op(Opcode::Add, Flags::NSW, &[i, one]);
        b.jump_md(header, &[next, next_x], Some(md));
        (exit, acc)
    }

    fn element(b: &mut Builder<'_>, base: Value, index: Value) -> Value {
        let wide = b.cast(Opcode::SExt, index, Type::I64);
        let four = b.iconst(Type::I64, 4);
        let offset = b.binary(Opcode::Mul, wide, four);
        b.ptradd(base, offset, Flags::INBOUNDS)
    }

    fn finish(mut self, block: Block, x: Value) -> Module {
        let mut b = Builder::at_end(&mut self.f, block);
        let t = b.special(SpecialReg::TidX);
        let at = Self::element(&mut b, self.out, t);
        b.store(at, x, MemInfo::aligned(4), Flags::NONE);
        b.ret(None);
        let mut m = Module::default();
        m.functions.push(self.f);
        m
    }
}

fn build(s: &Spec) -> Module {
    let mut k = Kernel::new();
    let entry = k.f.layout.entry();
    let slot = (s.array > 0).then(|| {
        let slot = k.f.slots.push(SlotData {
            size: 4 * s.array,
            align: 4,
            dims: [s.array].as_slice().into(),
            name: "l".into(),
        });
        k.f.slot_addr(slot)
    });
    let (input, a, b_arg) = (k.input, k.a, k.b);
    let masked = s.trip.is_some_and(|t| t > s.array);
    let (after, x) = k.for_loop(entry, s.trip, a, s.unroll, |k, block, i, x| {
        let mut b = Builder::at_end(&mut k.f, block);
        if let Some(slot) = slot {
            let mask = b.iconst(Type::I32, i64::from(s.array) - 1);
            let at = if masked { b.binary(Opcode::And, i, mask) } else { i };
            let at = Kernel::element(&mut b, slot, at);
            b.store(at, x, MemInfo::aligned(4), Flags::NONE);
        }
        let seven = b.iconst(Type::I32, 7);
        let index = b.op(Opcode::Mul, Flags::NSW, &[i, seven]);
        let at = Kernel::element(&mut b, input, index);
        let loaded = b.load(Type::F32, at, MemInfo::aligned(4), Flags::NONE);
        let mut x = b.binary(Opcode::FAdd, x, loaded);
        if s.shuffle {
            let (all, one, clamp) = (b.iconst(Type::I32, -1), b.iconst(Type::I32, 1), b.iconst(Type::I32, 31));
            let other = b.intrinsic(Intrinsic::ShflBfly, Type::F32, &[all, x, one, clamp]).expect("a result");
            x = b.binary(Opcode::FAdd, x, other);
        }
        for _ in 1..s.body {
            x = b.op(Opcode::Fma, Flags::NONE, &[x, a, b_arg]);
        }
        x
    });
    let Some(slot) = slot else { return k.finish(after, x) };
    let (last, x) = k.for_loop(after, None, x, UnrollRequest::None, |k, block, j, x| {
        let mut b = Builder::at_end(&mut k.f, block);
        let mask = b.iconst(Type::I32, i64::from(s.array) - 1);
        let at = b.binary(Opcode::And, j, mask);
        let at = Kernel::element(&mut b, slot, at);
        let loaded = b.load(Type::F32, at, MemInfo::aligned(4), Flags::NONE);
        b.binary(Opcode::FAdd, x, loaded)
    });
    k.finish(last, x)
}

/// The shape of a function as `agreement.py` reads it out of PTX: in the order of the layout, straight-line copies
/// and loops, by their loads from global memory.
fn shape(f: &Function) -> String {
    let mut position = BTreeMap::new();
    let mut marks = Vec::new();
    let mut backs = Vec::new();
    for (n, b) in f.layout.blocks().enumerate() {
        position.insert(b, n);
    }
    for (n, b) in f.layout.blocks().enumerate() {
        for i in f.layout.insts(b) {
            let global = |p| f.dfg.ty(p) == Type::ptr(AddrSpace::Global);
            if f.dfg.op(i) == Opcode::Load && global(f.dfg.arg(i, 0)) {
                marks.push(n);
            }
        }
        for s in f.succs(b).filter(|s| position[s] <= n) {
            backs.push((position[&s], n));
        }
    }
    backs.sort_unstable();
    let inside = |m: usize| backs.iter().any(|&(a, b)| (a..=b).contains(&m));
    let mut places: Vec<(usize, usize, Option<usize>)> = backs
        .iter()
        .map(|&(a, b)| (a, 0, Some(marks.iter().filter(|&&m| (a..=b).contains(&m)).count())))
        .chain(marks.iter().enumerate().filter(|(_, m)| !inside(**m)).map(|(k, &m)| (m, k + 1, None)))
        .collect();
    places.sort_unstable();
    let mut out: Vec<(char, usize)> = Vec::new();
    for (_, _, what) in places {
        match (what, out.last_mut()) {
            (Some(n), _) => out.push(('L', n)),
            (None, Some(('S', n))) => *n += 1,
            (None, _) => out.push(('S', 1)),
        }
    }
    out.iter().map(|(c, n)| format!("{c}{n}")).collect::<Vec<_>>().join(" ")
}

/// Runs both invocations; gives the shape and what was remarked.
fn compile(mut m: Module, knobs: &Knobs) -> (String, Vec<String>) {
    let id = m.functions.keys().next().expect("a function");
    ir::verify::verify_module(&m).expect("the generator makes valid IR");
    let mut session = Session::default();
    let shell = Module::default();
    let all = RemarkFilter { passed: true, missed: true, analysis: true };
    for invocation in [Invocation::Early, Invocation::Late] {
        let mut cx = UnrollContext {
            module: &shell,
            session: &mut session,
            target: target::Target::default(),
            knobs,
            remarks: all,
            chaos: None,
        };
        unroll::run(&mut m.functions[id], &mut cx, invocation);
        ir::verify::verify_module(&m).expect("unrolling keeps IR valid");
    }
    let said = session.diagnostics.iter().map(|d| d.message.clone()).collect();
    (shape(&m.functions[id]), said)
}

fn spec(row: &Json) -> Option<Spec> {
    let number = |v: &Json| v.as_u64().map(|n| n as u32).or_else(|| v.as_str().and_then(|s| s.parse().ok()));
    let unroll = match row["pragma"].as_str() {
        None => UnrollRequest::None,
        Some("") => UnrollRequest::Full,
        Some(text) => match text.parse().ok()? {
            1 => UnrollRequest::Disable,
            n => UnrollRequest::Count(n),
        },
    };
    let trip = number(&row["trip"]);
    (trip.is_some() || row["trip"] == "n").then_some(())?;
    let shuffle = row["group"] == "shfl";
    Some(Spec { trip, body: number(&row["body"])?, unroll, shuffle, array: number(&row["local_array"]).unwrap_or(0) })
}

#[test]
#[allow(clippy::print_stderr, reason = "the table is what one runs this test for")]
fn kernels_get_the_measured_shape() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/nvcc_unroll_sm90.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not on this machine", path.display());
        return;
    };
    // All rows take seconds in a debug build; a slice is enough to notice a change.
    let every: usize = std::env::var("UNROLL_EVERY").ok().and_then(|s| s.parse().ok()).unwrap_or(29);
    let mut groups: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in text.lines().step_by(every) {
        let row: Json = serde_json::from_str(line).expect("a row is JSON");
        if row["group"] == "odd" {
            continue;
        }
        let Some(s) = spec(&row) else { continue };
        let mut knobs = Knobs::default();
        for k in row["knobs"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            knobs.assign(k).expect("a knob");
        }
        let (mine, said) = compile(build(&s), &knobs);
        let entry = groups.entry(row["group"].as_str().unwrap_or("").into()).or_default();
        entry.1 += 1;
        if row["shape"] == mine.as_str() {
            entry.0 += 1;
        } else {
            wrong.push(format!(
                "{} {} {} {}: {} got {mine}\n  theirs {}\n  mine {said:?}",
                row["id"], row["trip"], row["body"], row["pragma"], row["shape"], row["remarks"]
            ));
        }
    }
    for w in wrong.iter().take(8) {
        eprintln!("{w}");
    }
    for (group, (good, all)) in &groups {
        eprintln!("{group:10} {good}/{all} {:.2}%", 100.0 * f64::from(*good) / f64::from(*all));
    }
    for (group, (good, all)) in groups {
        assert!(good * 100 >= all * 99, "{group}: {good} of {all}");
    }
}
