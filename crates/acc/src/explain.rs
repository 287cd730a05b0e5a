//! What became of each directive and each of its clauses: asked, done, why.

use crate::info::{Info, SERIAL};
use crate::region::cached::Answers;
use crate::scope::{Scopes, Site};
use crate::unit::Unit;
use directives::{Clause, ClauseKind, Kind};

/// What became of something that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It was done.
    Honoured,
    /// Something near it was done.
    Adjusted,
    /// It was not done, for a reason.
    Refused,
    /// There was nothing to do about it.
    Unused,
}

impl Fate {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Honoured => "honoured",
            Self::Adjusted => "adjusted",
            Self::Refused => "refused",
            Self::Unused => "unused",
        }
    }
}

/// A clause, explained.
#[derive(Clone, Debug)]
pub struct ToldClause {
    /// As the program has it.
    pub text: String,
    /// What became of it.
    pub fate: Fate,
    /// Why.
    pub why: String,
}

/// A directive, explained.
#[derive(Clone, Debug)]
pub struct Told {
    /// The function that it is in; empty at file scope.
    pub function: String,
    /// Its line.
    pub line: u32,
    /// As the program has it.
    pub text: String,
    /// What became of it.
    pub fate: Fate,
    /// Why.
    pub why: String,
    /// Its clauses.
    pub clauses: Vec<ToldClause>,
    /// What `-Minfo` tells about it and its loops.
    pub info: Vec<Info>,
}

/// Explains all directives; `said` is what was told about each, and whether its region is left to the host, `answers` what became of
/// those that cache.
pub(crate) fn all(unit: &Unit, scopes: &Scopes, said: &[(Vec<Info>, Option<String>)], answers: &Answers) -> Vec<Told> {
    let mut out = Vec::new();
    for (i, site) in scopes.sites.iter().enumerate() {
        // A directive in a region shares the region's fate.
        let mut region = Some(i);
        let mut ignored = None;
        let mut inside = None;
        let mut serial = false;
        while let Some(r) = region {
            if crate::region::construct(scopes.sites[r].directive.kind).is_some() {
                inside = Some(&scopes.sites[r]);
                ignored = said[r].1.clone();
                serial = is_serial(unit, scopes, i, &said[r].0);
                break;
            }
            region = scopes.sites[r].parent;
        }
        let cached = answers.get(&site.directive.span.start);
        out.push(one(unit, site, inside, (ignored, serial), (said[i].0.clone(), cached)));
    }
    out
}

/// Whether the loop of a directive, or each loop of a region, is a kernel of one work-item, by what was told about its region's loops:
/// it asked for that, or there is a dependence.
fn is_serial(unit: &Unit, scopes: &Scopes, site: usize, told: &[Info]) -> bool {
    let d = &scopes.sites[site].directive;
    let is_alone = |t: &Info| t.text == SERIAL;
    if matches!(d.kind, Kind::Kernels | Kind::Region) {
        let shared = |t: &Info| t.text.starts_with("Generating") && t.text.ends_with(" code");
        return told.iter().any(is_alone) && !told.iter().any(shared);
    }
    if !matches!(d.kind, Kind::ParallelLoop | Kind::KernelsLoop | Kind::RegionFor | Kind::Loop | Kind::For) {
        return false;
    }
    let line = |i: usize| unit.line(scopes.sites[i].directive.span.start).0;
    // Lines up to the next directive are about this one's loop.
    let next = if site + 1 < scopes.sites.len() { line(site + 1) } else { u32::MAX };
    let mut own = told.iter().filter(|t| (line(site)..next).contains(&t.line));
    let asked = d.kind == Kind::ParallelLoop && d.clauses.iter().any(|c| c.kind == ClauseKind::Seq);
    asked || own.any(is_alone)
}

fn one(
    unit: &Unit,
    site: &Site,
    region: Option<&Site>,
    (ignored, serial): (Option<String>, bool),
    (info, cached): (Vec<Info>, Option<&Result<String, String>>),
) -> Told {
    let d = &site.written;
    let squeeze = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
    let (line, _) = unit.line(d.span.start);
    let (fate, why) = match &ignored {
        Some(why) => (Fate::Refused, format!("the host runs the region: {why}")),
        None if d.kind == Kind::CacheDirective => kept(cached),
        None if serial && region.is_some_and(|r| r.directive.span == site.directive.span) => {
            (Fate::Adjusted, "one work-item runs its loop".to_owned())
        }
        None => directive(d.kind, region),
    };
    let clause = |c: &Clause| {
        let (fate, why) = match &ignored {
            Some(_) if !is_kept_on_the_host(c.kind) => (Fate::Refused, "the host runs the region".to_owned()),
            _ if c.kind == ClauseKind::Cache => kept(cached),
            _ if serial && is_about_sharing(c.kind) => (Fate::Refused, "one work-item runs the loop".to_owned()),
            _ => {
                let (fate, why) = clause((c.kind, !c.operands.is_empty()), d.kind, region);
                (fate, why.to_owned())
            }
        };
        let (fate, why) = if c.device_types.is_empty() || fate != Fate::Honoured {
            (fate, why)
        } else {
            let (at_run_time, used) =
                (is_asked_at_run_time(c.kind), site.directive.clauses.iter().any(|o| o.span == c.span));
            match at_run_time || used {
                true => (fate, format!("for {}; {why}", c.device_types.join(", "))),
                false => (Fate::Unused, "kernels are made for another device".to_owned()),
            }
        };
        ToldClause { text: squeeze(&unit.text[c.span.clone()]), fate, why }
    };
    let clauses = d.clauses.iter().map(clause).collect();
    let text = squeeze(&unit.text[d.span.clone()]);
    Told { function: site.function.clone(), line, text, fate, why, clauses, info }
}

/// What became of something to cache.
fn kept(answer: Option<&Result<String, String>>) -> (Fate, String) {
    match answer {
        Some(Ok(what)) => (Fate::Honoured, what.clone()),
        Some(Err(why)) => (Fate::Unused, why.clone()),
        None => (Fate::Unused, "it is in no loop whose iterations threads share".to_owned()),
    }
}

/// Clauses that the program evaluates for the device that it is on.
fn is_asked_at_run_time(c: ClauseKind) -> bool {
    matches!(c, ClauseKind::Async | ClauseKind::Wait | ClauseKind::NumGangs)
}

/// Clauses that say who shares a loop's iterations.
fn is_about_sharing(c: ClauseKind) -> bool {
    use ClauseKind as C;
    matches!(c, C::NumGangs | C::NumWorkers | C::VectorLength | C::Gang | C::Worker | C::Vector | C::Parallel)
}

/// Clauses that hold although the region runs on the host.
fn is_kept_on_the_host(c: ClauseKind) -> bool {
    use ClauseKind as C;
    matches!(c, C::If | C::SelfClause | C::Wait) || crate::data::action(Kind::Data, c).is_some()
}

fn directive(kind: Kind, region: Option<&Site>) -> (Fate, String) {
    let said = match kind {
        Kind::Parallel | Kind::ParallelLoop => "its loops share their iterations as the program says",
        Kind::Kernels | Kind::KernelsLoop | Kind::Region | Kind::RegionFor => {
            "each of its loops is a kernel, in parallel where that is proved"
        }
        Kind::Serial | Kind::SerialLoop => "one work-item runs it",
        Kind::Loop | Kind::For if region.is_none() => {
            return (Fate::Unused, "no region is around it; what calls its function decides".to_owned());
        }
        Kind::Loop | Kind::For => "see its region's loops",
        Kind::Routine => "regions that call it compile it into their kernels",
        Kind::Atomic if region.is_none() => return (Fate::Unused, "no region is around it".to_owned()),
        Kind::Atomic => "one operation that other work-items see at once",
        Kind::Declare => "its data is there from its scope's beginning to its end",
        _ => "done when the program comes to it",
    };
    (Fate::Honoured, said.to_owned())
}

/// What a number of gangs does.
const GANGS: &str =
    "on GPUs so many blocks go on until no iteration is left; on processors at most so many threads take part";

/// A clause, and whether it has operands.
fn clause((c, has_size): (ClauseKind, bool), kind: Kind, region: Option<&Site>) -> (Fate, &'static str) {
    use ClauseKind as C;
    use Fate::{Adjusted, Honoured, Unused};
    if crate::data::action(kind, c).is_some() {
        return (Honoured, "on devices with memory of their own; others share the host's");
    }
    match c {
        C::If | C::SelfClause => (Honoured, "asked when the program comes to it"),
        C::Async => (Honoured, "its work goes to a queue with a thread of its own"),
        C::Wait => (Honoured, "queues are waited for, by the program or by the clause's queue"),
        C::NumGangs => match region.map(|r| r.directive.kind) {
            Some(Kind::Parallel) => {
                (Honoured, "so many gangs run what the construct is besides its loops, and share these")
            }
            _ => (Honoured, GANGS),
        },
        C::NumWorkers | C::VectorLength | C::Worker | C::Vector => {
            (Adjusted, "constants are the block's threads on GPUs; on processors groups fill the lanes of vectors")
        }
        C::Gang | C::Parallel if has_size => (Honoured, GANGS),
        C::Gang | C::Parallel => {
            (Honoured, "groups are as many as the iterations fill, one work-item for each iteration")
        }
        C::Tile => (
            Adjusted,
            "its loops are one; on GPUs constants are the threads of a block in two dimensions; processors have tiles of their own size",
        ),
        C::Unroll => (
            Adjusted,
            "asked of the kernel's compiler where the loop stays one; `explain` tells its answer with the loops",
        ),
        C::Shortloop | C::Kernel => (Unused, "schedules are chosen without it"),
        C::Seq | C::Host => (Honoured, "one iteration after another"),
        C::Auto => (Honoured, "whether it may run in parallel is proved or not"),
        C::Independent => (Honoured, "believed, unless a scalar says otherwise; a warning where it is proved wrong"),
        C::Collapse => (Honoured, "the loops are one"),
        C::Private | C::Firstprivate => (Honoured, "each work-item has its own"),
        C::Reduction => (Honoured, "put together in the order of the work-items"),
        C::Default => (Honoured, "`present` for what no clause names; under `none` a warning names it"),
        C::Bind => (Honoured, "kernels call the other function"),
        C::Nohost => (Unused, "the host's code is there, too"),
        C::DeviceNum => (Adjusted, "there is one device of each type"),
        C::Read | C::Write | C::Update | C::Capture => (Honoured, "numbers of up to 8 bytes"),
        _ => (Honoured, "done when the program comes to it"),
    }
}
