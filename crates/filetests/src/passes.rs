//! Passes by name, applied to whole modules.

use crate::Rng;
use ir::{FnKind, Function, Module};
use opt::pass::{OptLevel, Options, Pass, PassContext};
use source::Session;
use unroll::{Decision, Invocation, Jam, Kind, Knobs, Leftover, LoopFacts, Remainder, RemarkFilter, UnrollContext};

/// Passes over one function that must keep every bit.
pub const FUNCTION_PASSES: &[(&str, Pass)] = &[
    ("simplify", opt::simplify::run),
    ("simplify-cfg", opt::simplify_cfg::run),
    ("dce", opt::dce::run),
    ("sroa", opt::sroa::run),
    ("sccp", opt::sccp::run),
    ("gvn", opt::gvn::run),
    ("licm", opt::licm::run),
    ("licm-before-decisions", opt::licm::run_before_decisions),
    ("warp-size", opt::warp_size::run),
    ("loop-rotate", opt::loop_rotate::run),
    ("infer-space", opt::infer_space::run),
    ("facts", opt::facts::run),
    ("implied", opt::implied::run),
    ("drop-assumptions", opt::facts::drop_assumptions),
    ("if-convert", opt::if_convert::run),
    ("strength", opt::strength::run),
    ("div", opt::div::run),
    ("div-rem", opt::div_rem::run),
    ("contract", opt::contract::run),
    ("bit-count", opt::bit_count::run),
    ("waited-sums", opt::waited_sums::run),
    ("mark-param-copies", opt::param_copies::mark),
    ("param-copies", opt::param_copies::run),
    ("no-wrap", opt::no_wrap::run),
    ("vectorize", opt::vectorize::run),
    ("join-branches", opt::join_branches::run),
    ("range-checks", opt::range_checks::run),
    ("sink-conditions", opt::sink_conditions::run),
    ("unasked-bits", opt::unasked_bits::run),
    ("loop-delete", opt::loop_delete::run),
    ("loop-delete-dead", opt::loop_delete::dead),
    ("versions", opt::versions::run),
    ("unswitch", opt::unswitch::run),
    ("provable", opt::provable::run),
];

/// Everything that [`apply`] knows.
pub fn names() -> Vec<&'static str> {
    let more = ["inline", "unread", "unroll", "unroll-late", "unroll-chaos", "O1", "O2", "O3", "O3-newer"];
    FUNCTION_PASSES.iter().map(|p| p.0).chain(more).collect()
}

/// Applies a pass to every function of a module. Whether anything changed.
///
/// # Errors
/// There is no such pass, or it broke a rule of the IR.
pub fn apply(name: &str, module: &mut Module, seed: u64) -> Result<bool, String> {
    let mut session = Session::default();
    let options = Options::default();
    let knobs = Knobs::default();
    let changed = match name {
        "inline" => inline(module, &mut session, &options),
        "unread" => unread(module, &mut session, &options),
        "unroll" => each(module, |f, m| unroll_with(f, m, &mut session, &knobs, Invocation::Early, None)),
        "unroll-late" => each(module, |f, m| unroll_with(f, m, &mut session, &knobs, Invocation::Late, None)),
        "unroll-chaos" => {
            let mut rng = Rng::new(seed);
            let mut chaos = |facts: &LoopFacts, d: Decision| random_decision(&mut rng, facts, d);
            each(module, |f, m| {
                let jammed = jam_with(f, m, &mut session, &knobs, Some(&mut chaos));
                jammed | unroll_with(f, m, &mut session, &knobs, Invocation::Early, Some(&mut chaos))
            })
        }
        "O1" | "O2" | "O3" | "O3-newer" => {
            let level = match name {
                "O1" => OptLevel::O1,
                "O2" => OptLevel::O2,
                _ => OptLevel::O3,
            };
            let mut options = Options { level, verify_each: true, ..Options::default() };
            if name == "O3-newer" {
                options.knobs.profile = Some(unroll::Profile::Cicc23);
            }
            opt::pipeline::optimise(module, &mut session, &options, None).map_err(|e| e.to_string())?;
            true
        }
        _ => {
            let Some((_, pass)) = FUNCTION_PASSES.iter().find(|p| p.0 == name) else {
                return Err(format!("no such pass: `{name}`; there are {}", names().join(", ")));
            };
            let ids: Vec<_> = module.functions.keys().collect();
            let mut changed = false;
            for id in ids {
                if module.functions[id].is_declaration() {
                    continue;
                }
                let mut f = std::mem::replace(&mut module.functions[id], empty());
                let mut cx = PassContext::new(module, id, &mut session, &options);
                changed |= pass(&mut f, &mut cx);
                module.functions[id] = f;
            }
            changed
        }
    };
    match ir::verify::verify_module(module) {
        Ok(()) => Ok(changed),
        Err(errors) => Err(format!("invalid IR after `{name}`: {}", errors[0])),
    }
}

fn empty() -> Function {
    Function::new(String::new(), FnKind::Device)
}

fn each(module: &mut Module, mut pass: impl FnMut(&mut Function, &Module) -> bool) -> bool {
    let ids: Vec<_> = module.functions.keys().collect();
    let mut changed = false;
    for id in ids {
        let mut f = std::mem::replace(&mut module.functions[id], empty());
        changed |= pass(&mut f, module);
        module.functions[id] = f;
    }
    changed
}

fn inline(module: &mut Module, session: &mut Session, options: &Options) -> bool {
    let mut graph = opt::inline::CallGraph::new(module);
    let order = graph.bottom_up.clone();
    let mut pm = opt::pass::PassManager::new(module, session, options, None);
    let mut changed = false;
    for f in order {
        changed |= opt::inline::inline_calls(&mut pm, &mut graph, f);
    }
    changed
}

fn unread(module: &mut Module, session: &mut Session, options: &Options) -> bool {
    let stores = |m: &Module| m.functions.values().map(Function::inst_count).sum::<usize>();
    let before = stores(module);
    let order: Vec<_> = module.functions.keys().filter(|&f| !module.functions[f].is_declaration()).collect();
    let mut pm = opt::pass::PassManager::new(module, session, options, None);
    opt::unread::run(&mut pm, &order);
    stores(module) != before
}

type Chaos<'a> = &'a mut dyn FnMut(&LoopFacts, Decision) -> Decision;

fn unroll_with<'a>(
    func: &mut Function,
    module: &'a Module,
    session: &'a mut Session,
    knobs: &'a Knobs,
    invocation: Invocation,
    chaos: Option<Chaos<'a>>,
) -> bool {
    if func.is_declaration() {
        return false;
    }
    let mut cx = UnrollContext {
        module,
        session,
        target: target::Target::default(),
        knobs,
        remarks: RemarkFilter::default(),
        chaos,
    };
    unroll::run(func, &mut cx, invocation)
}

fn jam_with<'a>(
    func: &mut Function,
    module: &'a Module,
    session: &'a mut Session,
    knobs: &'a Knobs,
    chaos: Option<Chaos<'a>>,
) -> bool {
    let mut cx = UnrollContext {
        module,
        session,
        target: target::Target::default(),
        knobs,
        remarks: RemarkFilter::default(),
        chaos,
    };
    unroll::run_jam(func, &mut cx)
}

/// A group of iterations side by side, of any size that memory dependence allows.
fn random_jam(rng: &mut Rng, facts: &LoopFacts, most: u32, d: Decision) -> Decision {
    let count = (rng.range(2, 6) as u32).min(most).min(if facts.trip_count > 0 { facts.trip_count } else { u32::MAX });
    let whole = facts.trip_multiple.is_multiple_of(count.max(1));
    if count < 2 || !(whole || facts.runtime_trip) || facts.exits != 1 {
        return Decision::keep(d.trail);
    }
    let remainder = if whole && rng.chance(50) { Remainder::None } else { Remainder::Epilogue };
    let leftover = rng.pick(&[Leftover::Loop, Leftover::Blocks, Leftover::Straight, Leftover::Binary]);
    Decision { kind: Kind::Jam, count, remainder, leftover, ..Decision::keep(d.trail) }
}

/// Any decision that the facts make legal, good or not.
fn random_decision(rng: &mut Rng, facts: &LoopFacts, d: Decision) -> Decision {
    if let Jam::Yes(nest) = facts.jam {
        return random_jam(rng, facts, nest.most, d);
    }
    if d.kind == Kind::Forbidden || !facts.duplicable || rng.chance(10) {
        return d;
    }
    let mut kinds = vec![Kind::SideExits, Kind::Peel];
    if facts.trip_count > 0 && facts.trip_count <= 64 {
        kinds.extend([Kind::Full, Kind::Partial]);
    }
    if facts.max_trip > 0 && facts.max_trip <= 64 {
        kinds.push(Kind::UpperBound);
    }
    if facts.runtime_trip {
        kinds.extend([Kind::Runtime, Kind::Runtime]);
    }
    let kind = rng.pick(&kinds);
    let mut out = Decision { kind, explicit: rng.chance(30), ..Decision::keep(d.trail) };
    match kind {
        Kind::Full => out.count = facts.trip_count,
        Kind::UpperBound => out.count = facts.max_trip,
        Kind::Peel => (out.count, out.peel) = (1, rng.range(1, 4) as u32),
        Kind::Partial => {
            out.count = rng.range(2, 9) as u32;
            out.breakout = facts.trip_count % out.count;
        }
        Kind::Runtime => {
            out.count = rng.range(2, 8) as u32;
            out.remainder = rng.pick(&[Remainder::Epilogue, Remainder::Prologue]);
            if rng.chance(20) && facts.trip_multiple.is_multiple_of(out.count) {
                out.remainder = Remainder::None;
            }
            out.leftover = rng.pick(&[Leftover::Loop, Leftover::Blocks, Leftover::Straight, Leftover::Binary]);
        }
        _ => out.count = rng.range(2, 6) as u32,
    }
    out
}
