//! Who calls whom, in the order in which functions are inlined, and what that says of each.

use crate::inline::MAX_CALLER_FORCED;
use analysis::Cfg;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use ir::{FnKind, FuncId, Function, Inst, Linkage, Module, Opcode};

/// Who calls whom.
pub struct CallGraph {
    /// Functions in an order in which callees come before callers, cycles aside.
    pub bottom_up: Vec<FuncId>,
    /// Functions that may call themselves, perhaps through others.
    pub recursive: SecondaryMap<FuncId, bool>,
    /// Number of calls of each function.
    pub calls: SecondaryMap<FuncId, u32>,
    /// Instructions of each function if all that it calls were inlined, for those that [`inline_calls`] has seen.
    pub(crate) whole: SecondaryMap<FuncId, usize>,
    /// Whether such a function, or one that it calls, has to be a part of a kernel.
    pub(crate) inseparable: SecondaryMap<FuncId, bool>,
    /// Calls of each function that are in the module now.
    pub(crate) left: SecondaryMap<FuncId, u32>,
    /// Functions in which a call stays because they would become too large.
    pub(crate) full: SecondaryMap<FuncId, bool>,
    /// Functions that were inlined lately.
    pub(crate) inlined: Vec<FuncId>,
    /// Most instructions of a function that takes in what must be inlined.
    pub(crate) forced: usize,
    /// Functions whose arguments decide what they return, and that do nothing else.
    pub(crate) pure: SecondaryMap<FuncId, bool>,
}

impl CallGraph {
    /// Reads the calls of every function.
    pub fn new(module: &Module) -> Self {
        let mut callees: PrimaryMap<FuncId, Vec<FuncId>> = PrimaryMap::with_capacity(module.functions.len());
        let mut calls: SecondaryMap<FuncId, u32> = SecondaryMap::new();
        for f in module.functions.values() {
            let mut list = Vec::new();
            for b in f.layout.blocks() {
                for i in f.layout.insts(b) {
                    if let Some(c) = f.dfg.insts[i].callee() {
                        calls[c] += 1;
                        list.push(c);
                    }
                }
            }
            callees.push(list);
        }
        let left = calls.clone();
        let full = SecondaryMap::new();
        let mut graph = Self {
            bottom_up: Vec::new(),
            recursive: SecondaryMap::new(),
            calls,
            whole: SecondaryMap::new(),
            inseparable: SecondaryMap::new(),
            left,
            full,
            inlined: Vec::new(),
            forced: MAX_CALLER_FORCED,
            pure: SecondaryMap::new(),
        };
        graph.components(&callees);
        graph
    }

    /// A function is about to be changed.
    pub fn before(&mut self, f: &Function) {
        count_calls(f, |c| self.left[c] -= 1);
    }

    /// What `f` is with everything inlined, once that is known of its callees.
    pub(crate) fn measure(&mut self, module: &Module, f: FuncId, sites: &[(Inst, FuncId)]) {
        let (mut whole, mut inseparable) = (module.functions[f].inst_count(), false);
        for &(_, c) in sites {
            whole = whole.saturating_add(self.whole[c]);
            inseparable |= self.inseparable[c];
        }
        self.whole[f] = whole;
        self.inseparable[f] = inseparable || analysis::apart::needs_kernel(module, f).is_some();
    }

    /// A function was changed. Empties functions that were inlined into it and that nothing calls any more, so that a chain of
    /// functions each of which calls the one before twice is not kept with all that it has grown to.
    pub fn after(&mut self, module: &mut Module, f: FuncId) {
        let mut calls = false;
        count_calls(&module.functions[f], |c| {
            self.left[c] += 1;
            calls = true;
        });
        self.pure[f] = is_pure(&module.functions[f]);
        if !calls {
            // What has become of it since it was measured is mostly smaller.
            self.whole[f] = module.functions[f].inst_count();
        }
        for callee in std::mem::take(&mut self.inlined) {
            let f = &mut module.functions[callee];
            if self.left[callee] == 0 && !stays(f) && !f.is_declaration() {
                count_calls(f, |c| self.left[c] -= 1);
                empty(f);
            }
        }
    }

    /// Tarjan's strongly connected components, with an explicit stack; they come out callees first.
    fn components(&mut self, callees: &PrimaryMap<FuncId, Vec<FuncId>>) {
        let mut number: SecondaryMap<FuncId, u32> = SecondaryMap::new();
        let mut low: SecondaryMap<FuncId, u32> = SecondaryMap::new();
        let mut open: Vec<FuncId> = Vec::new();
        let mut next = 1;
        let mut walk: Vec<(FuncId, usize)> = Vec::new();
        for root in callees.keys() {
            if number[root] != 0 {
                continue;
            }
            walk.push((root, 0));
            while let Some(&(f, k)) = walk.last() {
                if k == 0 {
                    number[f] = next;
                    low[f] = next;
                    next += 1;
                    open.push(f);
                }
                if let Some(&c) = callees[f].get(k) {
                    walk.last_mut().expect("not empty").1 += 1;
                    if number[c] == 0 {
                        walk.push((c, 0));
                    } else if number[c] != u32::MAX {
                        low[f] = low[f].min(number[c]);
                        self.recursive[f] |= c == f;
                    }
                    continue;
                }
                walk.pop();
                if let Some(&(parent, _)) = walk.last() {
                    low[parent] = low[parent].min(low[f]);
                }
                if low[f] == number[f] {
                    self.close(f, &mut open, &mut number);
                }
            }
        }
    }

    fn close(&mut self, root: FuncId, open: &mut Vec<FuncId>, number: &mut SecondaryMap<FuncId, u32>) {
        let many = open.last() != Some(&root);
        while let Some(f) = open.pop() {
            number[f] = u32::MAX;
            self.recursive[f] |= many;
            self.bottom_up.push(f);
            if f == root {
                return;
            }
        }
    }
}

/// Tells of each call in a function.
pub(crate) fn count_calls(f: &Function, mut tell: impl FnMut(FuncId)) {
    for i in f.layout.blocks().flat_map(|b| f.layout.insts(b)) {
        f.dfg.insts[i].callee().into_iter().for_each(&mut tell);
    }
}

/// Whether a function's arguments decide what it returns, and it does nothing else: there is no way back in it, so that it
/// ends.
fn is_pure(f: &Function) -> bool {
    let plain = |i: Inst| {
        f.dfg.insts[i].is_pure() || matches!(f.dfg.op(i), Opcode::Jump | Opcode::Br | Opcode::Switch | Opcode::Return)
    };
    if f.is_declaration() || f.ret.is_void() || f.attrs.convergent {
        return false;
    }
    if !f.layout.blocks().flat_map(|b| f.layout.insts(b)).all(plain) {
        return false;
    }
    let cfg = Cfg::new(f);
    let number = |b| cfg.rpo_number(b);
    cfg.rpo().iter().all(|&b| cfg.preds(b).iter().all(|e| number(e.from) < number(b)))
}

/// Whether a function is wanted even if nothing calls it.
pub(crate) fn stays(f: &Function) -> bool {
    f.kind == FnKind::Kernel || f.linkage == Linkage::External
}

/// Makes a function a declaration.
pub(crate) fn empty(f: &mut Function) {
    f.dfg = Default::default();
    f.layout = Default::default();
    f.slots.clear();
    f.loops.clear();
}
