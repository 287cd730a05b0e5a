//! Launches of which little is to be said, quickly.
//!
//! Most launches do nothing wrong, or only such things as do not change what comes of them. Here work-items go through the
//! code side by side, [`LANES`] at a time, with checks that are cheap because they may be too strict: nearly whatever the
//! interpreter would report, and some things that it would not, make this give up. Then nothing has happened, and the
//! interpreter runs the launch and says what there is to say. Otherwise the launch has left what the interpreter would have
//! left. What is reported here, as there, are reads of what nobody has written, and accesses that only a barrier which does
//! not order that memory keeps apart: the order of work-items does not matter for either.
//!
//! Values are defined unless an operand says otherwise, because what a load gives counts as defined once that is reported; who has touched which
//! word is known as far as it takes to tell that nobody disturbs anybody ([`tags`]); what depends on nothing but the
//! work-item's place and the arguments is computed once. Of lanes that have parted those run that are furthest behind in the
//! code. What gives work-items an order is not run here: atomic and volatile accesses, operations of warps, `printf`.

mod code;
mod findings;
mod memory;
mod ops;
mod registers;
mod run;
mod tags;

use crate::memory::Arena;
use crate::parallel::{self, Watch};
use crate::survey::Survey;
use crate::{Changed, Common, Launched, Stats, Uninit};
use code::Function;
use run::Worker;
use std::sync::Mutex;

/// Work-items that go side by side.
const LANES: usize = 16;

/// What a register holds in each of them.
type Reg = [u64; LANES];

/// Launches of fewer work-items are not worth the preparation.
pub(crate) const MIN_ITEMS: u64 = 32;

/// Launches of fewer work-items run on one thread.
const MIN_ITEMS_OF_THREADS: u64 = 1 << 10;

/// Most bytes that copies of global memory and its shadow take.
const MAX_BYTES: u64 = 1 << 30;

/// Parts of a launch for each thread: groups may take different times.
const PARTS: u32 = 8;

/// So many operations are found to be done too early before the interpreter runs a launch.
const MAX_LATE: usize = 64;

/// What all threads have in common.
#[derive(Clone, Copy)]
struct Shared<'m> {
    common: Common<'m>,
    functions: &'m [Option<Function>],
    launched: &'m Launched<'m>,
    constant: &'m Arena,
    /// Barriers that do not order global memory, work-group memory.
    unordered: [bool; 2],
    /// Findings of a part.
    most: usize,
}

/// Something that the interpreter has to look at.
struct GiveUp;

type Outcome<T = ()> = Result<T, GiveUp>;

/// Which lanes are on.
#[derive(Clone, Copy)]
struct Mask {
    bits: u32,
    /// All that there are.
    all: bool,
    /// All ones where a lane is on.
    words: Reg,
}

impl Mask {
    fn new(bits: u32, all: u32) -> Self {
        Self { bits, all: bits == all, words: std::array::from_fn(|l| u64::from(bits >> l & 1).wrapping_neg()) }
    }

    /// The lanes that are on, in their order.
    #[inline]
    fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        lanes(self.bits)
    }
}

/// The numbers of the bits that are set.
#[inline]
fn lanes(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let l = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            l
        })
    })
}

/// Runs a launch; `None` if the interpreter has to, and then nothing has changed.
pub(crate) fn survey(
    common: Common<'_>,
    changed: &mut Changed<'_>,
    launched: &Launched<'_>,
    (threads, min_items): (usize, u64),
) -> Option<Stats> {
    let config = common.config;
    let groups = config.grid.iter().try_fold(1u32, |n, &d| n.checked_mul(d))?;
    let items = u64::from(groups) * u64::from(common.per_group);
    let whole = config.whole.is_none_or(|w| w.groups == config.grid);
    let most = changed.survey.as_ref().filter(|s| s.is_fresh())?.most();
    let limits = common.limits;
    let all_seen = limits.races && limits.steps == u64::MAX && limits.uninit == Uninit::OnRead;
    let fits = whole && all_seen && common.stray && common.host.is_empty();
    if !fits || items < min_items || groups >= tags::MAX_OWNER {
        return None;
    }
    let threads = if items < MIN_ITEMS_OF_THREADS { 1 } else { threads.clamp(1, groups as usize) };
    if (changed.global.bytes.len() as u64).saturating_mul(2 * threads as u64) > MAX_BYTES {
        return None;
    }
    let used = code::may_run(common.code, launched.func)?;
    let unordered = code::unordered(common.code, &used)?;
    let global = &*changed.global;
    let mut late = Vec::new();
    let mut workers = loop {
        let functions: Vec<Option<Function>> = { used.iter().zip(common.code).enumerate() }
            .map(|(n, (&used, code))| used.then(|| Function::new(code, n == launched.func as usize, &late)))
            .collect();
        let shared = Shared { common, functions: &functions, launched, constant: changed.constant, unordered, most };
        let (watch, too_early) = (Watch::default(), Mutex::new(Vec::new()));
        let worker = || Worker::new(shared, global.clone(), (&watch, &too_early));
        // Which groups run together is the same on any number of threads.
        let part = (groups / (threads as u32).saturating_mul(PARTS)).max(1);
        let part = part.next_multiple_of(run::together(common.per_group));
        let run = |w: &mut Worker<'_>, n, groups| w.run(n, groups).is_ok();
        let done = parallel::in_parts(worker, run, (groups, part), threads, &watch)
            .map(|workers| workers.into_iter().map(Worker::into_result).collect::<Vec<_>>());
        let more = too_early.into_inner().unwrap_or_default();
        if let Some(workers) = done {
            break workers;
        }
        if more.is_empty() || late.len() > MAX_LATE {
            return None;
        }
        late.extend(more);
    };
    let apart = |n: usize| workers[..n].iter().all(|other| !other.tags.meets(&workers[n].tags));
    if !(1..workers.len()).all(apart) {
        return None;
    }
    let (steps, threads) = (workers.iter().map(|w| w.steps).sum(), workers.len());
    let mut found: Vec<(u32, Survey)> = workers.iter_mut().flat_map(|w| std::mem::take(&mut w.found)).collect();
    let mut first = workers.swap_remove(0);
    for w in &workers {
        w.tags.written(|from, to| take(&mut first.global, &w.global, from..to));
    }
    *changed.global = first.global;
    found.sort_by_key(|(part, _)| *part);
    if let Some(survey) = &mut changed.survey {
        found.into_iter().for_each(|(_, part)| survey.append(part));
    }
    Some(Stats { steps, groups: groups.into(), work_items: items, threads, side_by_side: true })
}

/// Takes bytes of global memory from another copy of it.
fn take(to: &mut Arena, from: &Arena, bytes: std::ops::Range<usize>) {
    to.bytes[bytes.clone()].copy_from_slice(&from.bytes[bytes.clone()]);
    to.shadow[bytes.clone()].copy_from_slice(&from.shadow[bytes]);
}
