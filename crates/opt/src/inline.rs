//! Replaces calls by the callee's body.
//!
//! Works bottom-up over the call graph, so that what is inlined has had its own calls inlined. As nvcc does, device
//! functions are inlined by default; what stays a call is what `noinline` asks for, what is recursive, and what is
//! larger than [`Limits::callee`] and called from more than one place.
//!
//! What must hold: verified IR. Slots and loop metadata are copied afresh for each call; by-value aggregates are copied
//! into a slot of the caller; instructions keep their source places. Afterwards functions that nothing can call any
//! more are emptied ([`drop_unused`]).
//!
//! For the host every call is inlined that can be, `noinline` or not and at every level: the work-items of a vector
//! cannot call. What stays a call there is recursive or without a body. A function that would have more than
//! [`MAX_WHOLE`] instructions with all calls inlined runs its work-items one after another in any case, and takes
//! in only what must be a part of the kernel ([`analysis::apart`]) and what is small ([`SMALL_CALLEE`]): the machine's
//! code generator takes time that grows faster than a function.
//!
//! Every `__forceinline__` and `__noinline__` gets an answer in the ledger for each caller.
//!
//! Limits: [`Limits`] by optimisation level; a caller stops growing at [`MAX_CALLER`] instructions, except for
//! `always_inline` up to [`MAX_CALLER_FORCED`].
//!
//! Cost: linear in the code produced.

pub use crate::call_graph::CallGraph;
use crate::call_graph::{empty, stays};
use crate::pass::{OptLevel, Pass, PassContext, PassManager};
use crate::{dce, gvn, sccp, simplify, simplify_cfg};
use cranelift_entity::SecondaryMap;
use ir::copy::copy_body;
use ir::{
    AddrSpace, Block, Builder, Flags, FnKind, FuncId, Function, InlineHint, Inst, Linkage, MemInfo, Module, Opcode,
    SlotData, Type, Value, ValueDef,
};
use smallvec::SmallVec;
use source::{Answer, Fate};

/// Most instructions of a function that still takes in callees.
pub const MAX_CALLER: usize = 60_000;
/// The same for callees that must be inlined.
pub const MAX_CALLER_FORCED: usize = 400_000;

/// Where calls are inlined because work-items share vectors: most instructions of a function with all calls inlined. It
/// is more than `simd` puts into vectors.
pub const MAX_WHOLE: usize = 20_000;
/// Largest callee that a function takes in that is larger than [`MAX_WHOLE`].
pub const SMALL_CALLEE: usize = 100;
/// Largest callee that it takes in however large it is: what a call takes is hardly less, and every function that is compiled apart
/// goes through all of the machine's code generator.
pub const TINY_CALLEE: usize = 8;

/// What is inlined without being asked for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest callee, in instructions.
    pub callee: usize,
    /// Largest callee that is called from one place only.
    pub single_caller: usize,
    /// Largest callee declared `inline`.
    pub hinted: usize,
    /// Whether everything that can be inlined is.
    pub all: bool,
}

impl Limits {
    /// What can be inlined is.
    pub const NO_CALLS: Self = Self { callee: 0, single_caller: 0, hinted: 0, all: true };

    /// The limits of an optimisation level.
    pub fn of(level: OptLevel) -> Self {
        match level {
            OptLevel::O0 => Self { callee: 0, single_caller: 0, hinted: 0, all: false },
            OptLevel::O1 => Self { callee: 200, single_caller: 2_000, hinted: 1_000, all: false },
            OptLevel::O2 => Self { callee: 2_000, single_caller: 20_000, hinted: 5_000, all: false },
            OptLevel::O3 => Self { callee: 8_000, single_caller: 20_000, hinted: 10_000, all: false },
        }
    }
}

/// Inlines into one function; called bottom-up. Whether anything was.
pub fn inline_calls(pm: &mut PassManager<'_>, graph: &mut CallGraph, caller: FuncId) -> bool {
    let limits = if pm.options.target.has_calls() { Limits::of(pm.options.level) } else { Limits::NO_CALLS };
    let mut sites: Vec<(Inst, FuncId)> = Vec::new();
    let func = &pm.module.functions[caller];
    for b in func.layout.blocks() {
        for i in func.layout.insts(b) {
            if let Some(c) = func.dfg.insts[i].callee() {
                sites.push((i, c));
            }
        }
    }
    graph.measure(pm.module, caller, &sites);
    if sites.is_empty() {
        return false;
    }
    let mut size = func.inst_count();
    let whole = graph.whole[caller];
    let mut func = std::mem::replace(&mut pm.module.functions[caller], Function::new("", FnKind::Device));
    let mut accepted: Vec<(Inst, FuncId)> = Vec::new();
    let library = pm.options.target.has_measured_library();
    for (site, callee) in sites {
        let place = func.dfg.span(site);
        if callee == caller {
            answer(pm.session, &func, &func, place, Err("the function is recursive"));
            continue;
        }
        let body = &pm.module.functions[callee];
        let verdict = match judge(pm.module, graph, limits, callee, (size, whole)) {
            Ok(_) if library && unroll::library::stays_call(&body.name) => Err("NVIDIA's compiler calls its own, too"),
            other => other,
        };
        answer(pm.session, &func, body, place, verdict);
        if verdict.is_ok() {
            size += body.inst_count();
            accepted.push((site, callee));
            continue;
        }
        if graph.pure[callee] && !limits.all {
            let flags = func.dfg.insts[site].flags;
            func.dfg.insts[site].flags = flags.with(Flags::PURE);
        }
        if limits.all && matches!(verdict, Err(TOO_LARGE | CALLEE_FULL)) {
            graph.full[caller] = true;
        }
    }
    // From the last to the first: what is split off behind a call is then short.
    for &(site, callee) in accepted.iter().rev() {
        let before = func.loops.len();
        let body = &pm.module.functions[callee];
        let constant = |n| func.dfg.as_float(func.dfg.arg(site, n)).is_some();
        let profile = pm.options.knobs.profile;
        let size = library.then(|| unroll::library::call_size(&body.name, profile, constant)).flatten();
        if let Some(size) = size.filter(|_| is_square(&func, site, body)) {
            square_site(&mut func, site, size);
            continue;
        }
        match size.and_then(|_| specialised(&func, site, pm, callee)) {
            Some(less) => inline_site(&mut func, site, &less, size),
            None => inline_site(&mut func, site, &pm.module.functions[callee], size),
        }
        if pm.session.ledger.explain && func.loops.len() > before {
            name_loops(&mut func, before, &pm.module.functions[callee]);
        }
    }
    graph.inlined.extend(accepted.iter().map(|a| a.1));
    let changed = !accepted.is_empty();
    if changed {
        func.resolve_aliases();
    }
    pm.module.functions[caller] = func;
    changed
}

/// Keeps the name of a function for the loops that come of it.
fn name_loops(func: &mut Function, first: usize, body: &Function) {
    let instance = std::sync::Arc::new(source::Instance { name: body.display.clone(), span: body.span });
    for meta in func.loops.values_mut().skip(first) {
        meta.instance.get_or_insert_with(|| instance.clone());
    }
}

/// Why a call stays.
const TOO_LARGE: &str = "the caller would become too large";

/// Why a call stays where every call has to go, which it then cannot: what is too large is not made larger.
const CALLEE_FULL: &str = "the function has calls that cannot be inlined, as it would become too large";

/// Whether a call should be replaced, and why not.
fn judge(
    module: &Module,
    graph: &CallGraph,
    limits: Limits,
    callee: FuncId,
    (caller_size, caller_whole): (usize, usize),
) -> Result<&'static str, &'static str> {
    let f = &module.functions[callee];
    if f.is_declaration() {
        return Err("the function has no body here");
    }
    if graph.recursive[callee] {
        return Err("the function is recursive");
    }
    if graph.full[callee] {
        return Err(CALLEE_FULL);
    }
    let size = f.inst_count();
    let most = if limits.all || f.attrs.inline == InlineHint::Always { graph.forced } else { MAX_CALLER };
    if caller_size + size > most {
        return Err(TOO_LARGE);
    }
    let apart = limits.all && caller_whole > MAX_WHOLE && !graph.inseparable[callee];
    let fits = size <= TINY_CALLEE || size <= SMALL_CALLEE && caller_size + size <= MAX_CALLER;
    if apart && !fits {
        return Err("the kernel would become too large to compile it in one piece");
    }
    match f.attrs.inline {
        InlineHint::Always => Ok("as asked"),
        _ if apart => Ok("small enough"),
        _ if limits.all => Ok("work-items run in the lanes of vectors, which cannot call"),
        InlineHint::Never => Err("`noinline` was asked for"),
        _ if limits.callee == 0 => Err("nothing is inlined at -O0"),
        InlineHint::Hint if size <= limits.hinted => Ok("declared `inline` and small enough"),
        _ if size <= limits.callee => Ok("small enough"),
        _ if graph.calls[callee] == 1 && f.linkage != Linkage::External && size <= limits.single_caller => {
            Ok("called from one place only")
        }
        _ => Err("the function is too large"),
    }
}

/// Answers the hints about inlining that the callee carries.
fn answer(
    session: &mut source::Session,
    caller: &Function,
    callee: &Function,
    place: source::Span,
    verdict: Result<&'static str, &'static str>,
) {
    for &hint in &callee.attrs.hints {
        let known = (hint.0 as usize) < session.ledger.len();
        if !known || session.ledger.hint(hint).kind != source::HintKind::Inline {
            continue;
        }
        let wanted = callee.attrs.inline != InlineHint::Never;
        let (done, reason) = match verdict {
            Ok(reason) => ("inlined", reason),
            Err(reason) => ("not inlined", reason),
        };
        let fate = if wanted == verdict.is_ok() { Fate::Honoured } else { Fate::Refused };
        session.ledger.answer(
            hint,
            Answer {
                fate,
                done: done.to_owned(),
                reason: reason.to_owned(),
                function: caller.display.clone(),
                place,
                trail: Vec::new(),
            },
        );
    }
}

// ---- copying ------------------------------------------------------------------------------------------------------

/// Whether a call squares its argument by way of a function of the builtin library for powers.
fn is_square(func: &Function, site: Inst, body: &Function) -> bool {
    unroll::library::is_power(&body.name)
        && matches!(func.dfg.args(site), &[_, exponent] if func.dfg.as_float(exponent) == Some(2.0))
}

/// What constant arguments of the call `site` leave of a function of the builtin library that is measured by them: what is left
/// counts, and nothing of what they decide.
fn specialised(func: &Function, site: Inst, pm: &mut PassManager<'_>, callee: FuncId) -> Option<Function> {
    let body = &pm.module.functions[callee];
    if !unroll::library::counts_by_constants(&body.name) {
        return None;
    }
    let bits = |&v: &Value| func.dfg.as_bits(v);
    let known: SmallVec<[Option<u64>; 2]> = func.dfg.args(site).iter().map(bits).collect();
    if known.iter().all(Option::is_none) {
        return None;
    }
    let mut less = body.clone();
    let params: SmallVec<[Value; 2]> = less.dfg.params(less.layout.entry()).into();
    for (&param, bits) in params.iter().zip(known) {
        if let Some(bits) = bits {
            let ty = less.dfg.ty(param);
            let constant = less.dfg.bits(ty, bits);
            put_for(&mut less, param, constant);
        }
    }
    // Twice: what the first round leaves of selections decides more. What nobody uses any more counts nothing.
    let passes: [Pass; 5] = [sccp::run, simplify::run, simplify_cfg::run, gvn::run, dce::run];
    for pass in passes.into_iter().chain(passes) {
        pass(&mut less, &mut PassContext::new(pm.module, callee, pm.session, pm.options));
    }
    Some(less)
}

/// Puts a constant in the place of a parameter of a function; the parameter stays.
fn put_for(func: &mut Function, param: Value, constant: Value) {
    let blocks: Vec<Block> = func.layout.blocks().collect();
    for i in blocks.iter().flat_map(|&b| func.layout.insts(b)).collect::<Vec<_>>() {
        let put = |args: &mut [Value]| args.iter_mut().filter(|v| **v == param).for_each(|v| *v = constant);
        put(func.dfg.args_mut(i));
        for n in 0..func.dfg.successor_count(i) {
            put(func.dfg.branch_args_mut(i, n));
        }
    }
}

/// Replaces the call `site` by the square of its first argument: the power itself, rounded once, whatever the argument. It
/// counts `size` for the unroller.
fn square_site(func: &mut Function, site: Inst, size: u32) {
    let x = func.dfg.arg(site, 0);
    let span = func.dfg.span(site);
    let mut b = Builder::before(func, site);
    b.set_span(span);
    let square = b.binary(Opcode::FMul, x, x);
    let old = func.dfg.res(site);
    if let ValueDef::Inst(i) = func.dfg.def(square) {
        func.dfg.set_counted(i, size.min(254) as u8);
    }
    func.dfg.replace_value(old, square);
    func.layout.remove_inst(site);
}

/// Replaces the call `site` by a copy of `body`, which is not the caller; its result stays an alias of the copy's. The copy
/// counts `size` for the unroller, if that is given.
fn inline_site(func: &mut Function, site: Inst, body: &Function, size: Option<u32>) {
    let Some(before) = func.layout.inst_block(site) else { return };
    let after = func.dfg.make_block();
    func.layout.insert_block_after(after, before);
    func.layout.split_block(site, after);
    let returned = (!body.ret.is_void()).then(|| func.dfg.add_param(after, body.ret));
    let args = by_value(func, body, before, site);
    let entry = copy_body(func, body, before, after);
    let span = func.dfg.span(site);
    note_path(func, body, (before, after), span);
    if let Some(size) = size {
        let copied: Vec<Inst> = blocks_between(func, before, after).flat_map(|b| func.layout.insts(b)).collect();
        unroll::library::count_as(func, &copied, size);
        unroll::library::choose_as(func, &copied, &body.name);
    }
    let mut b = Builder::at_end(func, before);
    b.set_span(span);
    b.jump(entry, &args);
    if let Some(old) = func.dfg.result(site) {
        let new = match returned {
            Some(v) => v,
            None => func.dfg.undef(func.dfg.ty(old)),
        };
        func.dfg.replace_value(old, new);
    }
    func.layout.remove_inst(site);
}

/// Questions to the optimiser that came with a body, between two blocks, remember the call.
fn note_path(func: &mut Function, body: &Function, (before, after): (Block, Block), call: source::Span) {
    let asks = |&i: &Inst| func.dfg.op(i) == ir::Opcode::Provable;
    let copied = blocks_between(func, before, after).flat_map(|b| func.layout.insts(b)).filter(asks);
    for i in copied.collect::<SmallVec<[Inst; 4]>>() {
        let mut path = func.dfg.came_by.get(&i).map_or(Vec::new(), |p| p.to_vec());
        path.push(ir::Inlined { call, callee: body.display.clone() });
        func.dfg.came_by.insert(i, path.into());
    }
}

/// The blocks placed behind `before` and in front of `after`.
fn blocks_between(func: &Function, before: Block, after: Block) -> impl Iterator<Item = Block> {
    let next = |&b: &Block| func.layout.next_block(b);
    std::iter::successors(func.layout.next_block(before), next).take_while(move |&b| b != after)
}

/// The arguments of a call, with by-value aggregates copied into slots at the end of `before`: the callee may change
/// its copy.
fn by_value(func: &mut Function, body: &Function, before: Block, site: Inst) -> SmallVec<[Value; 8]> {
    let args: SmallVec<[Value; 8]> = func.dfg.args(site).into();
    let mut out = SmallVec::new();
    for (param, v) in body.params.iter().zip(args) {
        let Some(size) = param.attrs.byval else {
            out.push(v);
            continue;
        };
        let align = param.attrs.align.max(1);
        let dims = param.attrs.dims.iter().copied().take_while(|&d| d > 0).collect();
        let data = SlotData { size, align, dims, name: param.name.clone() };
        let slot = func.slots.push(data);
        let address = func.slot_addr(slot);
        let span = func.dfg.span(site);
        let mut b = Builder::at_end(func, before);
        b.set_span(span);
        let bytes = b.iconst(Type::I64, i64::from(size));
        b.memcpy(address, v, bytes, MemInfo::aligned(align));
        out.push(match param.ty.space() {
            Some(AddrSpace::Private) | None => address,
            Some(space) => b.space_cast(address, space),
        });
    }
    out
}

/// Empties functions that may be dropped and that nothing calls any more. They stay as declarations without name, so
/// that function ids stay valid; code generators skip declarations that nothing calls.
pub fn drop_unused(module: &mut Module) -> bool {
    let mut used: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    let mut work: Vec<FuncId> = Vec::new();
    for (id, f) in module.functions.iter() {
        if stays(f) && !f.is_declaration() {
            used[id] = true;
            work.push(id);
        }
    }
    while let Some(id) = work.pop() {
        let f = &module.functions[id];
        for b in f.layout.blocks() {
            for i in f.layout.insts(b) {
                if let Some(c) = f.dfg.insts[i].callee()
                    && !used[c]
                {
                    used[c] = true;
                    work.push(c);
                }
            }
        }
    }
    let mut changed = false;
    for (id, f) in module.functions.iter_mut() {
        if !used[id] && !f.is_declaration() {
            empty(f);
            changed = true;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::Options;
    use ir::{IntCC, LoopMeta, Opcode, Param, ParamAttrs};
    use source::Session;

    fn param(ty: Type) -> Param {
        Param { ty, name: String::new(), attrs: ParamAttrs::default() }
    }

    fn callee(module: &mut Module) -> FuncId {
        let mut f = Function::new("sum", FnKind::Device);
        f.ret = Type::I32;
        f.params = vec![param(Type::I32)];
        let (entry, head, exit) = (f.new_entry_block(), f.new_block(), f.new_block());
        let n = f.dfg.params(entry)[0];
        let i = f.dfg.add_param(head, Type::I32);
        let md = f.loops.push(LoopMeta::default());
        let mut b = Builder::at_end(&mut f, entry);
        let zero = b.iconst(Type::I32, 0);
        b.jump(head, &[zero]);
        b.switch_to(head);
        let one = b.iconst(Type::I32, 1);
        let next = b.add(i, one);
        let c = b.icmp(IntCC::Slt, next, n);
        b.br_md(c, (head, &[next]), (exit, &[]), Some(md));
        b.switch_to(exit);
        b.ret(Some(next));
        module.functions.push(f)
    }

    fn caller(module: &mut Module, callee: FuncId, calls: usize) -> FuncId {
        let mut f = Function::new("k", FnKind::Device);
        f.linkage = Linkage::External;
        f.ret = Type::I32;
        f.params = vec![param(Type::I32)];
        let entry = f.new_entry_block();
        let mut v = f.dfg.params(entry)[0];
        let mut b = Builder::at_end(&mut f, entry);
        for _ in 0..calls {
            v = b.call(callee, Type::I32, &[v]).unwrap();
        }
        b.ret(Some(v));
        module.functions.push(f)
    }

    #[test]
    fn a_chain_of_doublings_stops_where_it_is_too_large_and_keeps_nothing_that_is_not_called() {
        let mut module = Module::default();
        let mut f = callee(&mut module);
        let first = module.functions[f].inst_count();
        for _ in 0..40 {
            f = caller(&mut module, f, 2);
            module.functions[f].linkage = Linkage::Internal;
        }
        module.functions[f].linkage = Linkage::External;
        let options = Options { target: target::Target::host(), ..Options::default() };
        let mut graph = CallGraph::new(&module);
        graph.forced = 4_000;
        let mut session = Session::default();
        let mut pm = PassManager::new(&mut module, &mut session, &options, None);
        for f in graph.bottom_up.clone() {
            graph.before(&pm.module.functions[f]);
            inline_calls(&mut pm, &mut graph, f);
            graph.after(pm.module, f);
        }
        ir::verify::verify_module(&module).unwrap();
        let all: usize = module.functions.values().map(Function::inst_count).sum();
        assert!(all > graph.forced / 2 && all < 2 * graph.forced + 40 * first, "{all} instructions");
    }

    fn inline_all(module: &mut Module, session: &mut Session) {
        let options = Options::default();
        let mut graph = CallGraph::new(module);
        let mut pm = PassManager::new(module, session, &options, None);
        for f in graph.bottom_up.clone() {
            inline_calls(&mut pm, &mut graph, f);
        }
        ir::verify::verify_module(pm.module).unwrap();
    }

    #[test]
    fn copies_have_their_own_metadata() {
        let mut module = Module::default();
        let sum = callee(&mut module);
        let k = caller(&mut module, sum, 2);
        inline_all(&mut module, &mut Session::default());
        let f = &module.functions[k];
        assert_eq!(f.loops.len(), 2);
        assert!(f.layout.blocks().flat_map(|b| f.layout.insts(b)).all(|i| f.dfg.op(i) != Opcode::Call));
        assert!(drop_unused(&mut module));
        assert!(module.functions[sum].is_declaration());
    }

    #[test]
    fn noinline_and_recursion_are_answered() {
        let mut module = Module::default();
        let mut session = Session::default();
        let sum = callee(&mut module);
        let hint = session.ledger.enter(source::HintKind::Inline, source::Span::NONE, "__noinline__");
        module.functions[sum].attrs.inline = InlineHint::Never;
        module.functions[sum].attrs.hints.push(hint);
        let k = caller(&mut module, sum, 1);
        let mut f = Function::new("r", FnKind::Device);
        f.linkage = Linkage::External;
        f.attrs.inline = InlineHint::Always;
        let forced = session.ledger.enter(source::HintKind::Inline, source::Span::NONE, "__forceinline__");
        f.attrs.hints.push(forced);
        let entry = f.new_entry_block();
        let me = FuncId::from_u32(module.functions.len() as u32);
        let mut b = Builder::at_end(&mut f, entry);
        b.call(me, Type::VOID, &[]);
        b.ret(None);
        module.functions.push(f);
        inline_all(&mut module, &mut session);
        assert_eq!(session.ledger.hint(hint).fate(), Some(Fate::Honoured));
        assert_eq!(session.ledger.hint(forced).fate(), Some(Fate::Refused));
        assert_eq!(module.functions[k].inst_count(), 2);
    }

    /// `lines` additions to the parameter, behind `first`.
    fn long(module: &mut Module, lines: usize, first: impl FnOnce(&mut Builder<'_>)) -> FuncId {
        let mut f = Function::new("long", FnKind::Device);
        f.ret = Type::I32;
        f.params = vec![param(Type::I32)];
        let entry = f.new_entry_block();
        let mut v = f.dfg.params(entry)[0];
        let x = v;
        let mut b = Builder::at_end(&mut f, entry);
        first(&mut b);
        for _ in 0..lines {
            v = b.add(v, x);
        }
        b.ret(Some(v));
        module.functions.push(f)
    }

    fn inline_for_host(module: &mut Module) {
        let (mut session, options) =
            (Session::default(), Options { target: target::Target::host(), ..Options::default() });
        let mut graph = CallGraph::new(module);
        let mut pm = PassManager::new(module, &mut session, &options, None);
        for f in std::mem::take(&mut graph.bottom_up) {
            inline_calls(&mut pm, &mut graph, f);
        }
        ir::verify::verify_module(pm.module).unwrap();
    }

    fn calls_in(f: &Function) -> usize {
        f.layout.blocks().flat_map(|b| f.layout.insts(b)).filter(|&i| f.dfg.op(i) == Opcode::Call).count()
    }

    #[test]
    fn what_would_be_too_large_for_vectors_keeps_calls_of_large_functions() {
        let mut module = Module::default();
        let large = long(&mut module, 900, |_| {});
        let (few, many) = (caller(&mut module, large, 20), caller(&mut module, large, 30));
        let small = long(&mut module, 50, |_| {});
        let both = caller(&mut module, large, 30);
        let f = &mut module.functions[both];
        let at = f.layout.terminator(f.layout.entry());
        let x = f.dfg.params(f.layout.entry())[0];
        let mut b = Builder::before(f, at);
        b.call(small, Type::I32, &[x]);
        inline_for_host(&mut module);
        assert_eq!(calls_in(&module.functions[few]), 0);
        assert_eq!(calls_in(&module.functions[many]), 30);
        assert_eq!(calls_in(&module.functions[both]), 30);
    }

    #[test]
    fn what_needs_its_kernel_is_inlined_however_large() {
        let mut module = Module::default();
        let waits = long(&mut module, 900, |b| {
            b.intrinsic(ir::Intrinsic::ActiveMask, Type::I32, &[]);
        });
        let outer = caller(&mut module, waits, 1);
        let many = caller(&mut module, outer, 30);
        inline_for_host(&mut module);
        assert_eq!(calls_in(&module.functions[many]), 0);
    }

    #[test]
    fn trees_of_calls_that_double_stay_small() {
        let mut module = Module::default();
        let mut f = long(&mut module, 10, |_| {});
        for _ in 0..40 {
            f = caller(&mut module, f, 2);
        }
        inline_for_host(&mut module);
        let total: usize = module.functions.values().map(Function::inst_count).sum();
        assert!(total < 4 * MAX_WHOLE, "{total}");
    }
}
