//! Private arrays that live across regions: which, and how their copies lie in scratch memory.

use super::plan::{Analyses, Mode};
use super::storage::{Copies, Finder, Scratch, memory_type};
use cranelift_entity::SecondaryMap;
use ir::{ConstKind, Function, Inst, Opcode, Slot, Value, ValueDef};

/// Copies of an interleaved slot in a group of so many work-items: what an offset into it grows by.
pub(super) fn copies_for(items: u64) -> u64 {
    items.next_multiple_of(16)
}

impl Finder<'_> {
    /// Slots whose contents live on: those that several regions name, or one that is run again, or unseen hands.
    pub(super) fn find_slots(&mut self, scratch: &mut Scratch) {
        let func = &self.p.func;
        if func.slots.is_empty() || self.plan.regions.len() == 1 {
            return;
        }
        let derived = derived_from_slots(func, self.facts);
        let mut regions: SecondaryMap<Slot, Option<usize>> = SecondaryMap::new();
        let mut lives: SecondaryMap<Slot, bool> = SecondaryMap::new();
        for (n, r) in self.plan.regions.iter().enumerate() {
            let again = self.runs_again(n);
            for &b in &r.blocks {
                for i in func.layout.insts(b) {
                    let mut used: Vec<Slot> = Vec::new();
                    func.dfg.for_each_use(i, |v| used.extend(slots_of(func, &derived, v)));
                    for s in used {
                        lives[s] |= again || regions[s].is_some_and(|m| m != n) || hands_out(func, &derived, i, s);
                        regions[s] = Some(n);
                    }
                }
            }
        }
        let elements = element_sizes(func, self.facts, &derived);
        for (s, data) in func.slots.iter().filter(|(s, _)| lives[*s]) {
            let size = u64::from(data.size.max(1));
            let copies = match elements[s] {
                // Element k of all work-items, then element k + 1: consecutive work-items side by side.
                Element::Bytes(bytes) => {
                    for v in func.dfg.values.keys().filter(|&v| derived[v].contains(&s)) {
                        self.storage.interleaved.insert(v);
                    }
                    let own = func.dfg.values.keys().filter(|&v| func.dfg.as_const(v) == Some(ConstKind::Slot(s)));
                    for v in own {
                        self.storage.interleaved.insert(v);
                    }
                    let bytes = u64::from(bytes);
                    Copies { offset: scratch.take_each(size.next_multiple_of(bytes), copies_for), stride: bytes }
                }
                _ => {
                    let stride = size.next_multiple_of(u64::from(data.align));
                    Copies { offset: scratch.take_each(stride, |items| items), stride }
                }
            };
            self.storage.slots[s] = Some(copies);
        }
    }

    /// Whether a region can come after itself.
    fn runs_again(&self, n: usize) -> bool {
        if self.plan.mode == Mode::Dynamic {
            return n > 0;
        }
        let mut seen = vec![false; self.plan.regions.len()];
        let mut stack = vec![n];
        while let Some(m) = stack.pop() {
            for k in self.next_regions(m) {
                if k == n {
                    return true;
                }
                if !std::mem::replace(&mut seen[k], true) {
                    stack.push(k);
                }
            }
        }
        false
    }
}

/// For each value the slots into which it may point, as far as it is computed from their addresses.
type Derived = SecondaryMap<Value, Vec<Slot>>;

fn slots_of<'a>(func: &Function, derived: &'a Derived, v: Value) -> impl Iterator<Item = Slot> + 'a {
    let own = match func.dfg.def(v) {
        ValueDef::Const(ConstKind::Slot(s)) => Some(s),
        _ => None,
    };
    own.into_iter().chain(derived[v].iter().copied())
}

fn derived_from_slots(func: &Function, facts: &Analyses) -> Derived {
    let mut derived = Derived::new();
    loop {
        let mut changed = false;
        let mut add = |derived: &mut Derived, from: Value, to: Value| {
            let slots: Vec<Slot> = slots_of(func, derived, from).collect();
            for s in slots {
                if !derived[to].contains(&s) {
                    derived[to].push(s);
                    changed = true;
                }
            }
        };
        for &b in facts.info.cfg.rpo() {
            for i in func.layout.insts(b) {
                if let Some(v) = func.dfg.result(i).filter(|_| func.dfg.insts[i].is_pure()) {
                    func.dfg.args(i).iter().for_each(|&a| add(&mut derived, a, v));
                }
            }
            for e in facts.info.cfg.preds(b) {
                for (n, &v) in func.dfg.params(b).iter().enumerate() {
                    add(&mut derived, func.dfg.branch_args(e.inst, e.index as usize)[n], v);
                }
            }
        }
        if !changed {
            return derived;
        }
    }
}

/// Whether an instruction lets the address of `s` out of sight.
fn hands_out(func: &Function, derived: &Derived, i: Inst, s: Slot) -> bool {
    let args = func.dfg.args(i);
    let from = match func.dfg.op(i) {
        Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas => &args[1..],
        // `printf` reads its buffer at once.
        Opcode::Call | Opcode::InlineAsm => args,
        _ => return false,
    };
    from.iter().any(|&v| slots_of(func, derived, v).any(|x| x == s))
}

/// How the accesses to a slot divide it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Element {
    /// It is not accessed.
    #[default]
    Unknown,
    /// All are of scalars of so many bytes, at addresses computed in plain sight and aligned to them: no two overlap in
    /// part.
    Bytes(u32),
    /// In different sizes, or through pointers that others have.
    Mixed,
}

/// For each slot whether its elements all have one size, so that its copies can be interleaved.
fn element_sizes(func: &Function, facts: &Analyses, derived: &Derived) -> SecondaryMap<Slot, Element> {
    let mut out: SecondaryMap<Slot, Element> = SecondaryMap::new();
    let all = |v: Value| slots_of(func, derived, v);
    let only = |v: Value, s: Slot| all(v).all(|x| x == s) && all(v).next().is_some();
    for &b in facts.info.cfg.rpo() {
        for i in func.layout.insts(b) {
            let data = &func.dfg.insts[i];
            for (n, &v) in func.dfg.args(i).iter().enumerate() {
                for s in all(v) {
                    let accessed = match data.op {
                        Opcode::Load if n == 0 => Some(data.ty),
                        Opcode::Store | Opcode::AtomicRmw if n == 0 => Some(func.dfg.ty(func.dfg.arg(i, 1))),
                        Opcode::PtrAdd if n == 0 && only(v, s) => continue,
                        Opcode::Select if n > 0 && func.dfg.args(i)[1..].iter().all(|&a| only(a, s)) => continue,
                        _ => None,
                    };
                    let aligned = |bytes: u32| {
                        let align = data.mem().map_or(bytes, |m| m.align().min(bytes));
                        func.slots[s].align.is_multiple_of(bytes) && align == bytes
                    };
                    let bytes = accessed.filter(|ty| !ty.is_vector()).map(|ty| memory_type(ty).bytes());
                    let found = match bytes.filter(|&bytes| aligned(bytes) && only(v, s)) {
                        Some(bytes) => Element::Bytes(bytes),
                        None => Element::Mixed,
                    };
                    out[s] = if out[s] == Element::Unknown || out[s] == found { found } else { Element::Mixed };
                }
            }
        }
        for e in facts.info.cfg.preds(b) {
            for (n, &p) in func.dfg.params(b).iter().enumerate() {
                let arg = func.dfg.branch_args(e.inst, e.index as usize)[n];
                for s in all(p).filter(|&s| !only(p, s) || !only(arg, s)) {
                    out[s] = Element::Mixed;
                }
            }
        }
    }
    out
}
