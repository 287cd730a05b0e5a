//! What a pass is given, and how passes are run, watched, checked and timed.

use analysis::{Cfg, DomTree, LoopInfo};
pub use ir::OptLevel;
use ir::verify::VerifyError;
use ir::{FnKind, FuncId, Function, Module};
use smallvec::SmallVec;
use source::Session;
use std::rc::Rc;
use std::time::{Duration, Instant};
use target::Target;
use unroll::{Knobs, RemarkFilter};

/// Options of the optimiser.
#[derive(Clone, Debug)]
pub struct Options {
    /// How hard to optimise.
    pub level: OptLevel,
    /// What the code is for. Where work-items share vectors every call that can be is replaced by the callee's body, and
    /// what the back end does itself and better is left to it: contraction, division by constants, strength reduction of
    /// addresses, vector loads and stores within a work-item.
    pub target: Target,
    /// Run the verifier after each pass; on in debug builds.
    pub verify_each: bool,
    /// The unroller's knobs. Set its `opt_level` to that of `level`.
    pub knobs: Knobs,
    /// Which of the unroller's remarks to report.
    pub remarks: RemarkFilter,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            level: OptLevel::O2,
            target: Target::default(),
            verify_each: cfg!(debug_assertions),
            knobs: Knobs::default(),
            remarks: RemarkFilter::default(),
        }
    }
}

/// What a pass may look at besides its function.
pub struct PassContext<'a> {
    /// The module. The entry of the function that is being worked on is empty meanwhile.
    pub module: &'a Module,
    /// Which function is being worked on.
    pub id: FuncId,
    /// Diagnostics and the hint ledger.
    pub session: &'a mut Session,
    /// Options.
    pub options: &'a Options,
    graph: Graph,
}

/// The control-flow graph of the function that is being worked on, while it stays as it is.
#[derive(Default)]
struct Graph {
    cfg: Option<Rc<Cfg>>,
    dom: Option<Rc<DomTree>>,
    kept: bool,
}

impl<'a> PassContext<'a> {
    /// A context in which nothing is known about the function yet.
    pub fn new(module: &'a Module, id: FuncId, session: &'a mut Session, options: &'a Options) -> Self {
        Self { module, id, session, options, graph: Graph::default() }
    }

    /// The control-flow graph as it is when the pass begins.
    pub fn cfg(&mut self, func: &Function) -> Rc<Cfg> {
        Rc::clone(self.graph.cfg.get_or_insert_with(|| Rc::new(Cfg::new(func))))
    }

    /// The dominator tree as it is when the pass begins.
    pub fn dom(&mut self, func: &Function) -> Rc<DomTree> {
        let cfg = self.cfg(func);
        Rc::clone(self.graph.dom.get_or_insert_with(|| Rc::new(DomTree::new(&cfg))))
    }

    /// The loops as they are when the pass begins.
    pub fn loops(&mut self, func: &Function) -> LoopInfo {
        LoopInfo::of(self.cfg(func), self.dom(func))
    }

    /// The pass ends with this graph, which the next one need not read again.
    pub fn leave_graph(&mut self, cfg: Rc<Cfg>) {
        self.graph = Graph { cfg: Some(cfg), dom: None, kept: true };
    }

    /// The pass promises to leave every block and every terminator where it is, with the successors it has; the next
    /// pass need not look at them again.
    pub fn keep_graph(&mut self) {
        self.graph.kept = true;
    }

    /// The pass has changed the graph, whatever was said before.
    pub fn drop_graph(&mut self) {
        self.graph.kept = false;
    }
}

/// A pass over one function: whether it changed anything.
pub type Pass = fn(&mut Function, &mut PassContext<'_>) -> bool;

/// Watches passes: dumps, timings.
pub trait Observer {
    /// Called after each run of a pass.
    fn after_pass(&mut self, pass: &'static str, module: &Module, function: FuncId, changed: bool, time: Duration);
}

/// The optimiser broke a rule of the IR: a bug of ours, never the user's.
#[derive(Clone, Debug)]
pub struct BrokenPass {
    /// The pass after which it shows.
    pub pass: &'static str,
    /// What does not hold.
    pub errors: Vec<VerifyError>,
}

impl std::fmt::Display for BrokenPass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "internal error: invalid IR after pass `{}`", self.pass)?;
        self.errors.first().map_or(Ok(()), |e| write!(f, ": {e}"))
    }
}

impl std::error::Error for BrokenPass {}

/// Runs passes on the functions of a module.
pub struct PassManager<'a> {
    /// The module.
    pub module: &'a mut Module,
    /// Diagnostics and the hint ledger.
    pub session: &'a mut Session,
    /// Options.
    pub options: &'a Options,
    /// Who watches.
    pub observer: Option<&'a mut (dyn Observer + 'a)>,
    /// The first broken rule; nothing runs after it.
    pub broken: Option<BrokenPass>,
    /// What has run on the function that is being worked on.
    history: History,
    /// What the last pass has left of it.
    graph: Graph,
}

/// Which passes have seen the function as it is, so that none runs twice on the same code.
#[derive(Default)]
struct History {
    function: Option<FuncId>,
    version: u32,
    ran: SmallVec<[(&'static str, u32); 32]>,
}

impl History {
    /// Forgets what was about another function.
    fn look_at(&mut self, id: FuncId, graph: &mut Graph) {
        if self.function != Some(id) {
            *self = Self { function: Some(id), ..Self::default() };
            *graph = Graph::default();
        }
    }

    /// Whether `pass` has run since the function last changed.
    fn is_settled(&self, pass: &'static str) -> bool {
        self.ran.iter().any(|&(p, version)| version == self.version && p == pass)
    }

    /// A pass leaves nothing behind that it would change itself: its own changes do not count against it.
    fn note(&mut self, pass: &'static str, changed: bool) {
        self.version += u32::from(changed);
        match self.ran.iter_mut().find(|(p, _)| *p == pass) {
            Some(entry) => entry.1 = self.version,
            None => self.ran.push((pass, self.version)),
        }
    }

    /// Something else changed the function.
    fn changed(&mut self) {
        self.version += 1;
    }
}

impl<'a> PassManager<'a> {
    /// A manager of a module's passes, none of which has run.
    pub fn new(
        module: &'a mut Module,
        session: &'a mut Session,
        options: &'a Options,
        observer: Option<&'a mut (dyn Observer + 'a)>,
    ) -> Self {
        Self { module, session, options, observer, broken: None, history: History::default(), graph: Graph::default() }
    }

    /// Runs one pass on one function.
    pub fn run(&mut self, name: &'static str, id: FuncId, pass: Pass) -> bool {
        self.history.look_at(id, &mut self.graph);
        if self.broken.is_some() || self.module.functions[id].is_declaration() || self.history.is_settled(name) {
            return false;
        }
        let start = self.observer.is_some().then(Instant::now);
        let empty = Function::new(String::new(), FnKind::Device);
        let mut func = std::mem::replace(&mut self.module.functions[id], empty);
        let graph = Graph { kept: false, ..std::mem::take(&mut self.graph) };
        let mut cx = PassContext { module: self.module, id, session: self.session, options: self.options, graph };
        let changed = pass(&mut func, &mut cx);
        if cx.graph.kept {
            self.graph = cx.graph;
            debug_assert!(self.graph.cfg.as_ref().is_none_or(|c| c.is_current(&func)), "{name} broke its promise");
        }
        self.module.functions[id] = func;
        self.history.note(name, changed);
        self.after(name, id, changed, start.map(|s| s.elapsed()));
        changed
    }

    /// Something that is no pass changed the function.
    pub fn changed(&mut self) {
        self.history.changed();
        self.graph = Graph::default();
    }

    /// The control-flow graph of the function on which passes have run last.
    pub(crate) fn cfg(&mut self, id: FuncId) -> Rc<Cfg> {
        self.history.look_at(id, &mut self.graph);
        let func = &self.module.functions[id];
        Rc::clone(self.graph.cfg.get_or_insert_with(|| Rc::new(Cfg::new(func))))
    }

    /// What happens after each pass: checks, and tells the observer.
    pub fn after(&mut self, pass: &'static str, id: FuncId, changed: bool, time: Option<Duration>) {
        if self.options.verify_each
            && let Err(errors) = ir::verify::verify_function(self.module, id)
        {
            self.broken = Some(BrokenPass { pass, errors });
        }
        if let Some(observer) = &mut self.observer {
            observer.after_pass(pass, self.module, id, changed, time.unwrap_or_default());
        }
    }
}
