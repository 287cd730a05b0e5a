//! Which memory accesses may touch the same bytes, and which instructions change what is in memory.
//!
//! Every pointer is traced to its *object*: a global, a stack slot, a parameter, or something unknown. Objects, address
//! spaces, `restrict` and escapes tell objects apart; inside one object the [`Address`]es are compared. Building it
//! costs a few passes over the instructions, a query the length of two address chains. Out of date once a pointer is
//! computed anew; new pointers count as unknown.

use crate::{Address, Cfg};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use ir::{
    AddrSpace, ConstKind, FnKind, Function, Global, GlobalData, Inst, Intrinsic, MemOrder, Opcode, Payload, Slot, Type,
    Value, ValueDef,
};

/// Most passes over pointer-typed block parameters; then those still changing are unknown.
const MAX_ROUNDS: u32 = 8;

/// What a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Object {
    /// Not traced (yet): nothing is known, as of [`Object::Any`].
    #[default]
    Untraced,
    /// A global variable.
    Global(Global),
    /// A stack slot.
    Slot(Slot),
    /// What a parameter pointed to at the call.
    Param(u32),
    /// Anything: a loaded pointer, a merge of several.
    Any,
}

/// Whether two accesses overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AliasResult {
    /// Never.
    No,
    /// Perhaps.
    May,
    /// Partly, always, at a known distance.
    Partial,
    /// They begin at the same byte, always.
    Must,
}

/// What is loaded from a place, or stored there, as far as C's rules tell apart what lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Holds {
    /// A pointer.
    Pointer,
    /// A floating-point number, or several.
    Float,
    /// Anything.
    #[default]
    Any,
}

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// Where it begins.
    pub ptr: Value,
    /// Bytes, if known; otherwise anything from there on.
    pub size: Option<u64>,
    /// What it is accessed as.
    pub holds: Holds,
}

impl Location {
    /// A location of a type.
    pub fn of(ptr: Value, ty: Type) -> Self {
        let holds = match ty {
            _ if ty.is_ptr() => Holds::Pointer,
            _ if ty.is_float() => Holds::Float,
            _ => Holds::Any,
        };
        Self { ptr, size: Some(u64::from(ty.bytes())), holds }
    }

    /// So many bytes of anything; everything from `ptr` on if that is not known.
    pub fn bytes(ptr: Value, size: Option<u64>) -> Self {
        Self { ptr, size, holds: Holds::Any }
    }

    /// What a load, store or atomic accesses.
    pub fn accessed(func: &Function, inst: Inst) -> Option<Self> {
        let args = func.dfg.args(inst);
        let ty = match func.dfg.op(inst) {
            Opcode::Load => func.dfg.insts[inst].ty,
            Opcode::Store | Opcode::AtomicRmw => func.dfg.ty(args[1]),
            Opcode::AtomicCas => func.dfg.ty(args[2]),
            _ => return None,
        };
        Some(Self::of(args[0], ty))
    }
}

/// Alias analysis of one function.
#[derive(Clone, Debug)]
pub struct Alias {
    objects: SecondaryMap<Value, Object>,
    escaped_slots: SecondaryMap<Slot, bool>,
    escaped_params: Vec<bool>,
}

impl Alias {
    /// Traces every pointer of `func`.
    pub fn new(func: &Function, cfg: &Cfg) -> Self {
        let mut this = Self {
            objects: ir::side_table(func.dfg.values.len()),
            escaped_slots: ir::side_table(func.slots.len()),
            escaped_params: vec![false; func.params.len()],
        };
        this.trace(func, cfg);
        this.find_escapes(func, cfg);
        this
    }

    fn trace(&mut self, func: &Function, cfg: &Cfg) {
        for (n, &v) in func.dfg.params(cfg.entry()).iter().enumerate() {
            if func.dfg.ty(v).is_ptr() {
                self.objects[v] = Object::Param(n as u32);
            }
        }
        let mut merges = false;
        for round in 0..=MAX_ROUNDS {
            let mut changed = false;
            for &b in cfg.rpo() {
                if b != cfg.entry() && (round == 0 || merges) {
                    changed |= self.trace_params(func, cfg, b, round == MAX_ROUNDS, &mut merges);
                }
                for i in func.layout.insts(b) {
                    if let Some(v) = func.dfg.result(i).filter(|&v| func.dfg.ty(v).is_ptr()) {
                        let o = self.result_object(func, i);
                        changed |= std::mem::replace(&mut self.objects[v], o) != o;
                    }
                }
            }
            // Only what goes around a loop through a parameter needs another round.
            if !changed || !merges {
                break;
            }
        }
    }

    /// Joins what the branches to a block pass on; in the last round everything is unknown.
    fn trace_params(&mut self, func: &Function, cfg: &Cfg, b: ir::Block, give_up: bool, merges: &mut bool) -> bool {
        let mut changed = false;
        for n in 0..func.dfg.params(b).len() {
            let p = func.dfg.params(b)[n];
            if !func.dfg.ty(p).is_ptr() {
                continue;
            }
            *merges = true;
            let mut o = if give_up { Object::Any } else { Object::Untraced };
            for e in cfg.preds(b) {
                o = join(o, self.object(func, func.dfg.branch_args(e.inst, e.index as usize)[n]));
            }
            if self.objects[p] != o {
                self.objects[p] = o;
                changed = true;
            }
        }
        changed
    }

    fn result_object(&self, func: &Function, i: Inst) -> Object {
        let args = func.dfg.args(i);
        match func.dfg.op(i) {
            Opcode::PtrAdd | Opcode::AddrSpaceCast => self.object(func, args[0]),
            Opcode::Select => join(self.object(func, args[1]), self.object(func, args[2])),
            _ => Object::Any,
        }
    }

    /// What a pointer points into.
    pub fn object(&self, func: &Function, v: Value) -> Object {
        let v = func.dfg.resolve(v);
        match func.dfg.values[v].def {
            ValueDef::Const(ConstKind::Global(g)) => Object::Global(g),
            ValueDef::Const(ConstKind::Slot(s)) => Object::Slot(s),
            ValueDef::Const(_) => Object::Any,
            _ => self.objects.get(v).copied().unwrap_or_default(),
        }
    }

    fn find_escapes(&mut self, func: &Function, cfg: &Cfg) {
        if !asks_about_escapes(func) {
            self.escaped_params.fill(true);
            return;
        }
        for &b in cfg.rpo() {
            for i in func.layout.insts(b) {
                self.escapes_of(func, i);
            }
            let t = func.layout.terminator(b);
            for n in 0..func.dfg.successor_count(t) {
                let params = func.dfg.params(func.dfg.successor(t, n));
                for (&arg, &p) in func.dfg.branch_args(t, n).iter().zip(params) {
                    self.escape_into(func, arg, p);
                }
            }
        }
    }

    /// A pointer whose copy is traced to no object escapes.
    fn escape_into(&mut self, func: &Function, v: Value, copy: Value) {
        if func.dfg.ty(v).is_ptr() && matches!(self.object(func, copy), Object::Any | Object::Untraced) {
            self.escape(func, v);
        }
    }

    fn escape(&mut self, func: &Function, v: Value) {
        match self.object(func, v) {
            Object::Slot(s) => self.escaped_slots[s] = true,
            Object::Param(n) => self.escaped_params[n as usize] = true,
            _ => {}
        }
    }

    fn escapes_of(&mut self, func: &Function, i: Inst) {
        let args = func.dfg.args(i);
        match func.dfg.op(i) {
            // Most instructions are these, and no pointer is among their operands.
            Opcode::Add
            | Opcode::Sub
            | Opcode::Mul
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
            | Opcode::Shl
            | Opcode::LShr
            | Opcode::AShr
            | Opcode::FAdd
            | Opcode::FSub
            | Opcode::FMul
            | Opcode::FNeg
            | Opcode::Fma
            | Opcode::Fcmp
            | Opcode::SExt
            | Opcode::ZExt
            | Opcode::Trunc => {}
            // What they do with their pointers is plain to see; a moved pointer has the object of the one it came from.
            Opcode::Load
            | Opcode::MemSet
            | Opcode::MemCpy
            | Opcode::Icmp
            | Opcode::Jump
            | Opcode::Br
            | Opcode::PtrAdd
            | Opcode::AddrSpaceCast => {}
            Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas => {
                args[1..].iter().for_each(|&v| self.escape(func, v));
            }
            Opcode::Select => {
                let Some(r) = func.dfg.result(i) else { return };
                args.iter().for_each(|&v| self.escape_into(func, v, r));
            }
            _ => args.iter().for_each(|&v| {
                if func.dfg.ty(v).is_ptr() {
                    self.escape(func, v);
                }
            }),
        }
    }

    /// Whether someone besides the visible accesses may hold a pointer to what `o` names.
    pub fn is_escaped(&self, o: Object) -> bool {
        match o {
            Object::Slot(s) => self.escaped_slots[s],
            Object::Param(n) => self.escaped_params.get(n as usize).copied().unwrap_or(true),
            _ => true,
        }
    }
}

/// Whether a function has objects of its own, of which it matters who else points to them: stack slots, copies of
/// aggregates, work-group arguments, and what `restrict` pointers point to.
fn asks_about_escapes(func: &Function) -> bool {
    !func.slots.is_empty() || func.params.iter().any(|p| p.attrs.byval.is_some() || p.attrs.local || p.attrs.noalias)
}

fn join(a: Object, b: Object) -> Object {
    match (a, b) {
        (Object::Untraced, x) | (x, Object::Untraced) => x,
        (x, y) if x == y => x,
        _ => Object::Any,
    }
}

/// The questions: [`Alias`] with what it was computed for.
#[derive(Clone, Copy)]
pub struct AliasQuery<'a> {
    /// The analysis.
    pub alias: &'a Alias,
    /// The function.
    pub func: &'a Function,
    /// The module's globals.
    pub globals: &'a PrimaryMap<Global, GlobalData>,
}

/// A location with everything about it that comparisons need: for passes that compare one place with many.
#[derive(Clone, Debug)]
pub struct Place {
    /// The location.
    pub at: Location,
    address: Address,
    object: Object,
    space: AddrSpace,
    invariant: bool,
    visible: bool,
}

/// A set of places in memory: what an instruction may change, or may read.
#[derive(Clone, Debug)]
pub enum Clobber {
    /// Nothing.
    None,
    /// What is at a place.
    Place(Place),
    /// Whatever another work-item or function may see.
    Visible,
    /// Both.
    VisibleAnd(Place),
}

impl Place {
    /// Bytes from `other` to this place, if they differ by a constant.
    pub fn minus(&self, other: &Self) -> Option<i64> {
        self.address.minus(&other.address)
    }

    /// Whether nothing changes what is there while the kernel runs.
    pub fn is_invariant(&self) -> bool {
        self.invariant
    }

    /// What it lies in.
    pub fn object(&self) -> Object {
        self.object
    }

    /// Its address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Whether all of `other` lies in this place.
    pub fn covers(&self, other: &Self) -> bool {
        match (other.minus(self), self.at.size, other.at.size) {
            (Some(d), Some(mine), Some(its)) => d >= 0 && (d as u64).checked_add(its).is_some_and(|end| end <= mine),
            _ => false,
        }
    }
}

impl AliasQuery<'_> {
    /// Looks a location up.
    pub fn place(&self, at: Location) -> Place {
        let object = self.alias.object(self.func, at.ptr);
        Place {
            at,
            address: Address::across_spaces(self.func, at.ptr),
            object,
            space: self.space(at.ptr, object),
            invariant: self.is_invariant(at.ptr),
            visible: !matches!(object, Object::Slot(_)) || self.alias.is_escaped(object),
        }
    }

    /// Whether two places overlap.
    pub fn alias(&self, a: Location, b: Location) -> AliasResult {
        let (x, y) = (self.alias.object(self.func, a.ptr), self.alias.object(self.func, b.ptr));
        if self.spaces_differ(self.space(a.ptr, x), self.space(b.ptr, y)) || self.objects_differ(x, y) {
            return AliasResult::No;
        }
        let (p, q) = (Address::across_spaces(self.func, a.ptr), Address::across_spaces(self.func, b.ptr));
        self.by_types(compare(&p, &q, a.size, b.size), (a.holds, b.holds), &p, &q)
    }

    /// Whether two places overlap.
    pub fn alias_places(&self, a: &Place, b: &Place) -> AliasResult {
        if self.spaces_differ(a.space, b.space) || self.objects_differ(a.object, b.object) {
            return AliasResult::No;
        }
        let found = compare(&a.address, &b.address, a.at.size, b.at.size);
        self.by_types(found, (a.at.holds, b.at.holds), &a.address, &b.address)
    }

    /// Where addresses tell nothing types do, if the function's memory has them: C11 6.5p7. By one address a union's members are
    /// reached.
    fn by_types(&self, found: AliasResult, holds: (Holds, Holds), p: &Address, q: &Address) -> AliasResult {
        let differ = matches!(holds, (Holds::Pointer, Holds::Float) | (Holds::Float, Holds::Pointer));
        let typed = found == AliasResult::May && differ && p.base != q.base && self.func.attrs.typed_memory;
        if typed { AliasResult::No } else { found }
    }

    /// Whether two places may lie in one object, wherever in it.
    pub fn may_share_object(&self, a: &Place, b: &Place) -> bool {
        !self.spaces_differ(a.space, b.space) && !self.objects_differ(a.object, b.object)
    }

    /// What `inst` may change in memory; [`AliasQuery::is_clobbered`] then asks about many places.
    pub fn clobber(&self, inst: Inst) -> Clobber {
        let data = &self.func.dfg.insts[inst];
        let args = self.func.dfg.args(inst);
        let accessed = || Location::accessed(self.func, inst).map(|l| self.place(l));
        let visible = |yes: bool| if yes { Clobber::Visible } else { Clobber::None };
        match data.op {
            Opcode::Store => accessed().map_or(Clobber::Visible, Clobber::Place),
            Opcode::AtomicRmw | Opcode::AtomicCas => {
                let orders = !matches!(data.payload, Payload::Atomic(_, MemOrder::Relaxed, _));
                match (accessed(), orders) {
                    (Some(p), true) => Clobber::VisibleAnd(p),
                    (Some(p), false) => Clobber::Place(p),
                    (None, _) => Clobber::Visible,
                }
            }
            Opcode::MemCpy | Opcode::MemSet => {
                Clobber::Place(self.place(Location::bytes(args[0], self.func.dfg.as_bits(args[2]))))
            }
            Opcode::Call if data.is_pure() => Clobber::None,
            // Accesses by lanes: pointers that take part in them count as escaped.
            Opcode::MaskedStore | Opcode::Scatter | Opcode::Fence | Opcode::Call => Clobber::Visible,
            Opcode::InlineAsm => visible(self.asm_touches_memory(inst)),
            Opcode::Intrinsic => visible(data.intrinsic().is_some_and(intrinsic_writes)),
            _ => Clobber::None,
        }
    }

    /// Whether a clobber may change what is at a place.
    pub fn is_clobbered(&self, by: &Clobber, p: &Place) -> bool {
        !p.invariant && self.touches(by, p)
    }

    /// The space that a pointer surely points into, also where its type is generic.
    fn space(&self, ptr: Value, o: Object) -> AddrSpace {
        match self.func.dfg.ty(ptr).space() {
            Some(AddrSpace::Generic) | None => match o {
                Object::Global(g) => self.globals[g].space,
                Object::Slot(_) => AddrSpace::Private,
                Object::Param(n) => self.param_space(n),
                _ => AddrSpace::Generic,
            },
            Some(space) => space,
        }
    }

    /// A kernel's generic pointers come from the host, which only has addresses of device memory.
    fn param_space(&self, n: u32) -> AddrSpace {
        let Some(p) = self.func.params.get(n as usize) else { return AddrSpace::Generic };
        match p.ty.space() {
            Some(AddrSpace::Generic) if self.func.kind == FnKind::Kernel && p.attrs.byval.is_none() => {
                AddrSpace::Global
            }
            Some(space) => space,
            None => AddrSpace::Generic,
        }
    }

    fn spaces_differ(&self, a: AddrSpace, b: AddrSpace) -> bool {
        let generic = AddrSpace::Generic;
        // A constant variable's address may come back from the host as one of device memory.
        let host = |x: AddrSpace| matches!(x, AddrSpace::Global | AddrSpace::Constant);
        a != b && a != generic && b != generic && !(host(a) && host(b))
    }

    fn objects_differ(&self, a: Object, b: Object) -> bool {
        use Object::*;
        let fresh = |o: Object| match o {
            Slot(_) => true,
            Param(n) => self.func.params.get(n as usize).is_some_and(|p| p.attrs.byval.is_some() || p.attrs.local),
            _ => false,
        };
        let restrict =
            |o: Object| matches!(o, Param(n) if self.func.params.get(n as usize).is_some_and(|p| p.attrs.noalias));
        match (a, b) {
            _ if a == b => false,
            (Global(x), Global(y)) => !(self.is_dynamic(x) && self.is_dynamic(y)),
            (Untraced | Any, Untraced | Any) => false,
            // What nobody else points to.
            (o, Untraced | Any) | (Untraced | Any, o) => (fresh(o) || restrict(o)) && !self.alias.is_escaped(o),
            // Two different known objects, one of which is a variable or copy of its own.
            _ if fresh(a) || fresh(b) => true,
            _ => restrict(a) || restrict(b),
        }
    }

    /// Dynamically sized work-group arrays all begin at the same byte.
    fn is_dynamic(&self, g: Global) -> bool {
        let g = &self.globals[g];
        g.size == 0 || g.external
    }

    /// Whether nothing in the kernel's life changes what is there.
    pub fn is_invariant(&self, ptr: Value) -> bool {
        let o = self.alias.object(self.func, ptr);
        match self.space(ptr, o) {
            AddrSpace::Constant | AddrSpace::Param => true,
            _ => match o {
                Object::Global(g) => self.globals[g].constant,
                Object::Param(n) => {
                    self.func.kind == FnKind::Kernel
                        && self
                            .func
                            .params
                            .get(n as usize)
                            .is_some_and(|p| p.attrs.noalias && p.attrs.readonly && !p.attrs.volatile)
                }
                _ => false,
            },
        }
    }

    /// Whether `inst` may change what is at `at`.
    pub fn may_write(&self, inst: Inst, at: Location) -> bool {
        match self.clobber(inst) {
            Clobber::None => false,
            c => self.is_clobbered(&c, &self.place(at)),
        }
    }

    /// What `inst` may read, or leave to be read by others because it ends the work-item or synchronises.
    pub fn reads(&self, inst: Inst) -> Clobber {
        let data = &self.func.dfg.insts[inst];
        let args = self.func.dfg.args(inst);
        let accessed = || Location::accessed(self.func, inst).map(|l| self.place(l));
        let visible = |yes: bool| if yes { Clobber::Visible } else { Clobber::None };
        match data.op {
            Opcode::Load => accessed().map_or(Clobber::Visible, Clobber::Place),
            Opcode::AtomicRmw | Opcode::AtomicCas => {
                let orders = !matches!(data.payload, Payload::Atomic(_, MemOrder::Relaxed, _));
                match (accessed(), orders) {
                    (Some(p), true) => Clobber::VisibleAnd(p),
                    (Some(p), false) => Clobber::Place(p),
                    (None, _) => Clobber::Visible,
                }
            }
            Opcode::MemCpy => Clobber::Place(self.place(Location::bytes(args[1], self.func.dfg.as_bits(args[2])))),
            Opcode::Call if data.is_pure() => Clobber::None,
            Opcode::MaskedLoad
            | Opcode::Gather
            | Opcode::Fence
            | Opcode::Call
            | Opcode::Return
            | Opcode::Unreachable => Clobber::Visible,
            Opcode::InlineAsm => visible(self.asm_touches_memory(inst)),
            Opcode::Intrinsic => visible(data.intrinsic().is_some_and(|i| !i.effects().is_empty())),
            _ => Clobber::None,
        }
    }

    /// Whether a set of places (of [`AliasQuery::reads`] or [`AliasQuery::clobber`]) may overlap a place.
    pub fn touches(&self, set: &Clobber, p: &Place) -> bool {
        match set {
            Clobber::None => false,
            Clobber::Place(x) => self.alias_places(x, p) != AliasResult::No,
            Clobber::Visible => p.visible,
            Clobber::VisibleAnd(x) => p.visible || self.alias_places(x, p) != AliasResult::No,
        }
    }

    fn asm_touches_memory(&self, inst: Inst) -> bool {
        let Payload::Asm(id) = self.func.dfg.insts[inst].payload else { return true };
        let asm = &self.func.dfg.asms[id];
        asm.clobbers.iter().any(|c| c == "memory")
            || self.func.dfg.args(inst).iter().any(|&v| self.func.dfg.ty(v).is_ptr())
    }
}

/// Compares two addresses into what may be one object.
fn compare(p: &Address, q: &Address, a: Option<u64>, b: Option<u64>) -> AliasResult {
    let Some(d) = q.minus(p) else { return stride_apart(p, q, a, b) };
    // The second begins d bytes after the first.
    let misses = |ahead: i64, size: Option<u64>| ahead >= 0 && size.is_some_and(|n| n <= ahead as u64);
    match d {
        0 => AliasResult::Must,
        _ if misses(d, a) || misses(d.wrapping_neg(), b) => AliasResult::No,
        _ => AliasResult::Partial,
    }
}

/// Addresses that differ by a constant plus multiples of a number: apart if no multiple bridges the constant.
fn stride_apart(p: &Address, q: &Address, a: Option<u64>, b: Option<u64>) -> AliasResult {
    let (Some(a), Some(b)) = (a, b) else { return AliasResult::May };
    if p.base != q.base {
        return AliasResult::May;
    }
    // Powers of two divide also what wraps.
    let tz = p.terms.iter().chain(&q.terms).map(|t| t.coef.trailing_zeros()).min().unwrap_or(0);
    let m = 1u64.checked_shl(tz).unwrap_or(0);
    let d = q.offset.wrapping_sub(p.offset) as u64 & m.wrapping_sub(1);
    if m != 0 && a <= d && b <= m - d { AliasResult::No } else { AliasResult::May }
}

/// Whether memory that others see may be different after it: what synchronises.
fn intrinsic_writes(i: Intrinsic) -> bool {
    use Intrinsic::*;
    let no_memory = matches!(i, VPrintf | Trap | Exit | Brkpt | Nanosleep | PrefetchL1 | PrefetchL2) || i.is_check();
    !no_memory && i.effects().intersects(ir::Effects::WRITES)
}
