//! Groups of a launch on several threads, where nobody can tell.
//!
//! Each thread has a copy of global memory, runs groups in their order, and remembers what they have read and written. If no group
//! has touched a word that a group of another thread wrote, the launch is what it would have been with one group after another,
//! and so is what was found. Otherwise, and wherever that cannot be said for certain, all of it is forgotten, and the groups
//! run one after another.

use crate::between::Between;
use crate::decode::{Code, Data};
use crate::exec::Exec;
use crate::memory::{Arena, Tag};
use crate::pages::WORD;
use crate::survey::Survey;
use crate::{Changed, Common, Launched, Limits, Stats, run_one_group};
use ir::{AddrSpace, Flags, Intrinsic, SpecialReg};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Launches of fewer work-items, with less memory than this, are not worth a thread.
const MIN_ITEMS: u64 = 1 << 10;
const MIN_BYTES: u64 = 1 << 16;

/// Most bytes that copies of global memory and its shadow take.
const MAX_BYTES: u64 = 1 << 30;

/// A part is given up that executes so many times as many operations as any other that has come to its end, and so many more: it may
/// wait for a group of another thread, whose memory it does not see.
const MAX_TIMES: u64 = 16;
const MAX_MORE: u64 = 1 << 24;

/// Parts of a launch for each thread: groups may take different times.
const PARTS: u32 = 8;

/// What threads tell each other.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Operations of the longest part that has come to its end.
    longest: AtomicU64,
    /// Somebody has given up.
    failed: AtomicBool,
}

impl Watch {
    /// Somebody gives up.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has given up.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// A part has come to its end that has executed so many operations.
    pub(crate) fn ended(&self, steps: u64) {
        self.longest.fetch_max(steps, Ordering::Relaxed);
    }

    /// Whether a part that has executed so many operations is given up.
    pub(crate) fn is_over(&self, steps: u64) -> bool {
        let longest = self.longest.load(Ordering::Relaxed);
        let late = longest != 0 && steps > longest.saturating_mul(MAX_TIMES).saturating_add(MAX_MORE);
        late || self.failed.load(Ordering::Relaxed)
    }
}

/// What a thread has of its own.
struct Worker<'m> {
    common: Common<'m>,
    global: Arena,
    constant: Arena,
    heap: crate::heap::Heap,
    between: Between,
    steps: u64,
    /// What was found in the parts that it has run.
    found: Vec<(u32, Survey)>,
}

impl<'m> Worker<'m> {
    /// Runs groups; whether they ran to their end, and all is known that they have read and written.
    fn run(&mut self, launched: &Launched<'_>, part: u32, groups: Range<u32>, most: usize, watch: &'m Watch) -> bool {
        let mut survey = Survey::new(most);
        std::mem::swap(&mut survey.between, &mut self.between);
        let mut output = Vec::new();
        let changed = Changed {
            global: &mut self.global,
            constant: &mut self.constant,
            output: &mut output,
            heap: &mut self.heap,
            survey: Some(&mut survey),
        };
        let mut exec = Exec::new(self.common, launched.params.clone(), changed);
        exec.watch = Some(watch);
        let [nx, ny, _] = exec.config.grid;
        let ran = groups.into_iter().all(|n| {
            exec.group = [n % nx, n / nx % ny, n / nx / ny];
            run_one_group(&mut exec, launched.func, self.common.per_group, launched.args, launched.shared).is_ok()
        });
        let known = !exec.unseen_reads && exec.beyond.is_empty();
        watch.ended(if ran { exec.steps } else { 0 });
        self.steps += exec.steps;
        std::mem::swap(&mut survey.between, &mut self.between);
        let all = survey.left_out() == 0;
        self.found.push((part, survey));
        ran && known && all && output.is_empty() && !self.between.is_full()
    }
}

/// Runs a launch on several threads; `None` if its groups must run one after another, and then nothing has changed.
pub(crate) fn survey(
    common: Common<'_>,
    changed: &mut Changed<'_>,
    launched: &Launched<'_>,
    threads: usize,
) -> Option<Stats> {
    let config = common.config;
    let groups = config.grid.iter().try_fold(1u32, |n, &d| n.checked_mul(d))?;
    let threads = threads.min(groups as usize);
    let items = u64::from(groups) * u64::from(common.per_group);
    let whole = config.whole.is_none_or(|w| w.groups == config.grid);
    let bytes = changed.global.bytes.len() as u64;
    let most = changed.survey.as_ref().filter(|s| s.is_fresh())?.most();
    let all_seen = whole && common.limits.races && common.limits.steps == u64::MAX;
    let small = items < MIN_ITEMS && bytes < MIN_BYTES || bytes.saturating_mul(2 * threads as u64) > MAX_BYTES;
    if threads < 2 || small || !all_seen || !stand_apart(common.code, launched.func) {
        return None;
    }
    let limits = Limits { memory: common.limits.memory / threads as u64, ..*common.limits };
    let common = Common { limits: &limits, ..common };
    let (global, constant, heap) = (&*changed.global, &*changed.constant, *changed.heap);
    let watch = Watch::default();
    let worker = || Worker {
        common,
        global: global.clone(),
        constant: constant.clone(),
        heap,
        between: Between::default(),
        steps: 0,
        found: Vec::new(),
    };
    let workers = run_parts(worker, launched, groups, threads, most, &watch)?;
    if !disjoint(&workers) {
        return None;
    }
    for w in &workers {
        w.between.written().for_each(|address| take(changed.global, &w.global, address));
    }
    let (steps, threads) = (workers.iter().map(|w| w.steps).sum(), workers.len());
    let mut found: Vec<(u32, Survey)> = workers.into_iter().flat_map(|w| w.found).collect();
    found.sort_by_key(|(part, _)| *part);
    if let Some(survey) = &mut changed.survey {
        found.into_iter().for_each(|(_, part)| survey.append(part));
    }
    Some(Stats { steps, groups: groups.into(), work_items: items, threads, side_by_side: false })
}

/// Runs the groups in parts, each on whichever thread is free.
fn run_parts<'m>(
    worker: impl Fn() -> Worker<'m> + Sync,
    launched: &Launched<'_>,
    groups: u32,
    threads: usize,
    most: usize,
    watch: &'m Watch,
) -> Option<Vec<Worker<'m>>> {
    let part = (groups / (threads as u32).saturating_mul(PARTS)).max(1);
    let run = |w: &mut Worker<'m>, n, groups| w.run(launched, n, groups, most, watch);
    in_parts(worker, run, (groups, part), threads, watch)
}

/// Runs groups in parts of so many, each on whichever thread is free: `run` is given a thread's worker, the part's number and its
/// groups, and says whether the launch may go on. `None` if it may not.
pub(crate) fn in_parts<W: Send>(
    worker: impl Fn() -> W + Sync,
    run: impl Fn(&mut W, u32, Range<u32>) -> bool + Sync,
    (groups, part): (u32, u32),
    threads: usize,
    watch: &Watch,
) -> Option<Vec<W>> {
    let parts = groups.div_ceil(part);
    let next = AtomicU32::new(0);
    let work = || {
        let mut w = worker();
        fenv::in_default(|| {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= parts || watch.has_failed() {
                    return;
                }
                let from = n * part;
                if !run(&mut w, n, from..from.saturating_add(part).min(groups)) {
                    watch.fail();
                }
            }
        });
        w
    };
    let workers = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(parts as usize))
            .map_while(|_| {
                let started = std::thread::Builder::new().name("unspool check".to_owned());
                started.spawn_scoped(scope, work).ok()
            })
            .collect();
        let mut all = vec![work()];
        for other in others {
            match other.join() {
                Ok(w) => all.push(w),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    (!watch.has_failed()).then_some(workers)
}

/// Whether what a function and those that it calls do may be told apart by group: nothing in it is there to meet other groups, or has
/// an order that others see.
fn stand_apart(code: &[Code], func: u32) -> bool {
    let mut seen = vec![false; code.len()];
    let mut open = vec![func];
    while let Some(f) = open.pop() {
        let Some(c) = code.get(f as usize) else { return false };
        if std::mem::replace(&mut seen[f as usize], true) {
            continue;
        }
        for op in &c.ops {
            let own = matches!(op.spaces[0], AddrSpace::Shared | AddrSpace::Private);
            match op.data {
                Data::Atomic(_) | Data::Mem { .. } if op.flags.has(Flags::VOLATILE) && !own => return false,
                Data::Atomic(_) if !own => return false,
                Data::Special(SpecialReg::Clock | SpecialReg::Clock64 | SpecialReg::GlobalTimer) => return false,
                Data::Malloc | Data::Free | Data::Unsupported | Data::Intrinsic(Intrinsic::VPrintf) => return false,
                Data::Call(callee) => open.push(callee),
                _ => {}
            }
            // A comparison and exchange has no operation of its own.
            if op.op == ir::Opcode::AtomicCas && !own {
                return false;
            }
        }
    }
    true
}

/// Whether no thread has touched a word that another one has written.
fn disjoint(workers: &[Worker<'_>]) -> bool {
    // Which thread was the first to touch a page; most pages are one thread's.
    let mut owner: FxHashMap<u64, usize> = FxHashMap::default();
    workers.iter().enumerate().all(|(n, w)| {
        w.between.pages().all(|(page, words)| match owner.entry(page) {
            Entry::Vacant(free) => {
                free.insert(n);
                true
            }
            Entry::Occupied(first) => {
                let others = workers[*first.get()..n].iter().filter_map(|o| o.between.page(page));
                { others }.all(|other| words.iter().zip(other).all(|(a, b)| !a.meets(b)))
            }
        })
    })
}

/// Takes a word of global memory from another copy of it.
fn take(to: &mut Arena, from: &Arena, address: u64) {
    let object = to.objects.get(crate::memory::object_of(address));
    let Some((start, base, size)) = object.map(|o| (o.start, o.base, o.size)) else { return };
    debug_assert_eq!(Tag::of_address(address), Some(Tag::Global));
    // The word may begin before the object, or end behind it.
    let first = (address & 0xffff_ffff).max(base) - base;
    let last = ((address & 0xffff_ffff) + WORD).saturating_sub(base).min(size);
    if first < last {
        let range = start + first as usize..start + last as usize;
        to.bytes[range.clone()].copy_from_slice(&from.bytes[range.clone()]);
        to.shadow[range.clone()].copy_from_slice(&from.shadow[range]);
    }
}
