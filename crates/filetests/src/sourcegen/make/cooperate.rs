//! What work-items do together: work-group memory, barriers, reductions, atomics.
//!
//! Between statements each work-item may touch its own element of a work-group array only. A statement made here writes
//! it, waits, lets everybody read all of the array, and waits again before it ends.

use super::functions::Callable;
use super::records::Shape;
use super::{ALL, Gen, MOST_ROUNDS, Var};
use crate::sourcegen::tree::{Decl, Expr, Form, Param, Scalar, Space, Stmt, Ty};
use Scalar::{I32, I64, U32, U64};

/// A work-group array with an element for each work-item.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    name: String,
    element: Ty,
}

/// The kinds of atomics, by the word that they are applied to.
const ATOMICS: [(&str, &str); 6] = [
    ("atomic_add", "atomicAdd"),
    ("atomic_or", "atomicOr"),
    ("atomic_and", "atomicAnd"),
    ("atomic_max", "atomicMax"),
    ("atomic_min", "atomicMin"),
    ("atomic_xor", "atomicXor"),
];

impl Gen {
    /// Declares a kernel's work-group arrays; each work-item writes its own element.
    pub(super) fn shared_arrays(&mut self, out: &mut Vec<Stmt>, params: &mut Vec<Param>) {
        for _ in 0..self.rng.below(3) {
            let element = match self.rng.below(5) {
                // Objects in shared memory are not constructed.
                0 if self.records.iter().any(|r| r.class.is_none()) => {
                    let plain: Vec<&Shape> = self.records.iter().filter(|r| r.class.is_none()).collect();
                    Ty::Named(plain[self.rng.below(plain.len())].name.clone())
                }
                1 => {
                    let (s, n) = self.vector_type(false);
                    Ty::Vector(s, n.min(4))
                }
                _ => self.element_type().into(),
            };
            let name = self.name("sh");
            if self.opencl && element.scalar().is_some() && self.rng.chance(35) {
                // An array that the host makes.
                let ty = element.clone().pointer(Space::Local);
                params.push(Param { ty, name: name.clone(), default: None });
            } else {
                let ty = Ty::Array(Box::new(element.clone()), self.launch.group_items());
                let prefix = if self.opencl { "local " } else { "__shared__ " }.to_owned();
                out.push(Stmt::Decl(Decl { prefix, ty, name: name.clone(), init: None }));
            }
            self.own_element(Shared { name, element }, out);
        }
    }

    /// Writes the own element of a new array, which is a variable from then on.
    fn own_element(&mut self, array: Shared, out: &mut Vec<Stmt>) {
        let own = format!("{}[lid]", array.name);
        let place = Expr::name(array.element.clone(), own.clone());
        let Some(mut value) = self.initialiser(&array.element, 1) else { return };
        if value.form == Form::Braces {
            let name = self.name("v");
            let v = Var::new(name, array.element.clone());
            let e = v.expr();
            self.declare(out, "", v, Some(value));
            value = e;
        }
        out.push(place.assign(value));
        self.vars.push(Var::new(own, array.element.clone()));
        self.shared.push(array);
    }

    pub(super) fn barrier(&mut self) -> Stmt {
        let text = match (self.opencl, self.version() >= 200 && self.rng.chance(30)) {
            (true, false) => "barrier(CLK_LOCAL_MEM_FENCE)",
            (true, true) => "work_group_barrier(CLK_LOCAL_MEM_FENCE)",
            (false, _) => "__syncthreads()",
        };
        Stmt::Expr(Expr::name(Ty::Void, text))
    }

    /// A scalar in somebody's element.
    pub(super) fn shared_read(&mut self) -> Option<Expr> {
        if self.shared.is_empty() || self.only_uniform {
            return None;
        }
        let array = self.shared[self.rng.below(self.shared.len())].clone();
        let readable = std::mem::replace(&mut self.shared_readable, false);
        let offset = self.int(0).cast(Scalar::U8);
        let index = match self.rng.below(4) {
            0 => Expr::name(U32, "(ls - 1u - lid)"),
            1 => {
                let sum = Expr::binary(U32, "+", Expr::name(U32, "lid"), offset);
                Expr::binary(U32, "%", sum, Expr::name(U32, "ls"))
            }
            2 => Expr::binary(U32, "%", Expr::name(U32, "(lid ^ 1u)"), Expr::name(U32, "ls")),
            _ => Expr::binary(U32, "%", offset, Expr::name(U32, "ls")),
        };
        self.shared_readable = readable;
        let v = Var::new("", array.element.clone());
        let place = Expr::name(Ty::Void, array.name).index(v.ty.clone(), index);
        let leaves = self.leaves_from(place);
        if leaves.is_empty() {
            return None;
        }
        let leaf = leaves[self.rng.below(leaves.len())].clone();
        // An unsigned bit-field narrower than `int` is an `int` as an operand, whose products overflow.
        let bit_field = matches!(&leaf.form, Form::Member(f) if f.starts_with('b'));
        Some(if bit_field { Expr::new(leaf.ty.clone(), Form::Cast, vec![leaf]) } else { leaf })
    }

    fn leaves_from(&mut self, place: Expr) -> Vec<Expr> {
        let mut v = Var::new("", place.ty.clone());
        v.name = "\0".to_owned();
        // The place stands where the variable's name would.
        self.leaves_of(&v)
            .into_iter()
            .map(|e| substitute(e, &place))
            .filter(|e| e.ty.scalar().is_some_and(|s| !s.is_float()))
            .collect()
    }

    /// A statement of the whole group.
    pub(super) fn together(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        // Few groups have one work-item, so that what only these may do is done more often.
        if self.is_alone() && self.rng.chance(35) {
            return self.local_atomics(out, depth);
        }
        match self.rng.below(14) {
            0..4 => self.exchange(out),
            4 => self.tree_reduction(out),
            5 | 6 => self.collective(out),
            7 => self.one_writes(out),
            8 => self.local_atomics(out, depth),
            9 => self.global_atomic(out),
            10 | 11 if depth < 3 && self.budget > 0 => self.ways(out, depth),
            _ => self.barrier_call(out),
        }
    }

    /// Everybody writes the own element, then reads others'.
    fn exchange(&mut self, out: &mut Vec<Stmt>) {
        if self.shared.is_empty() {
            return self.collective(out);
        }
        let array = self.shared[self.rng.below(self.shared.len())].clone();
        let own = Expr::name(array.element.clone(), format!("{}[lid]", array.name));
        match self.initialiser(&array.element, 2) {
            Some(e) if e.form != Form::Braces => out.push(own.assign(e)),
            _ => {
                if let Some(e) = self.whole_place(&array.element) {
                    out.push(own.assign(e));
                }
            }
        }
        let barrier = self.barrier();
        out.push(barrier);
        self.read_all(out);
        let barrier = self.barrier();
        out.push(barrier);
    }

    /// Statements that may read all of the arrays and write none.
    fn read_all(&mut self, out: &mut Vec<Stmt>) {
        self.set_shared_writable(false);
        self.shared_readable = true;
        for _ in 0..1 + self.rng.below(2) {
            let s = self.rng.pick(&Scalar::INTEGERS);
            let value = self.int(2);
            if self.rng.chance(50) {
                let name = self.name("v");
                self.declare(out, "", Var::new(name, s), Some(value));
            } else if let Some(place) = self.writable_place(|s| !s.is_float()) {
                let place = if self.rng.chance(40) {
                    let cast = value.cast(U32);
                    Stmt::Expr(Expr::binary(place.ty.clone(), "^=", place, cast))
                } else {
                    place.assign(value)
                };
                if self.rng.chance(40) {
                    let c = self.condition(1);
                    out.push(Stmt::If(c, vec![place], Vec::new()));
                } else {
                    out.push(place);
                }
            }
        }
        if self.rng.chance(35) && self.weight * self.launch.group_items() <= 2 * MOST_ROUNDS {
            self.sum_of_all(out);
        }
        if self.rng.chance(20) && self.weight * 4 <= MOST_ROUNDS {
            self.walk_of_all(out);
        }
        self.shared_readable = false;
        self.set_shared_writable(true);
    }

    fn set_shared_writable(&mut self, writable: bool) {
        for v in &mut self.vars {
            if v.name.ends_with("[lid]") {
                v.writable = writable;
            }
        }
    }

    /// `for (uint j = 0; j < ls; j++) s += sh[j];`
    fn sum_of_all(&mut self, out: &mut Vec<Stmt>) {
        let Some(array) = self.shared.iter().find(|s| s.element.scalar().is_some()).cloned() else { return };
        let sum = self.name("v");
        self.declare(out, "", Var::new(sum.clone(), U32), Some(Expr::literal(U32, 0)));
        let j = Expr::name(U32, self.name("j"));
        let item = Expr::name(Ty::Void, array.name).index(array.element.clone(), j.clone());
        let op = self.rng.pick(&["+=", "^=", "-="]);
        let body = vec![Stmt::Expr(Expr::binary(U32, op, Expr::name(U32, sum), item.cast(U32)))];
        let mut each = super::flow::counted(&j, 0, body);
        if let Stmt::For { cond: Some(c), .. } = &mut each {
            c.args[1] = Expr::name(U32, "ls");
        }
        out.push(each);
    }

    /// What starts elsewhere for each work-item and is moved alike around a loop with a barrier: a pointer and a number.
    ///
    /// ```c
    /// for (int j = 0; j < 3; j++) { s ^= *p; barrier(...); p += ls / 2u / 3u; s += w; w += 41; }
    /// ```
    fn walk_of_all(&mut self, out: &mut Vec<Stmt>) {
        let Some(array) = self.shared.iter().find(|s| s.element.scalar().is_some()).cloned() else { return };
        let (sum, p, w) = (self.name("v"), self.name("p"), self.name("w"));
        self.declare(out, "", Var::new(sum.clone(), U32), Some(Expr::literal(U32, 0)));
        let mut local = |ty: Ty, name: &str, start: String| {
            let init = Some(Expr::name(ty.clone(), start));
            out.push(Stmt::Decl(Decl { prefix: String::new(), ty, name: name.to_owned(), init }));
        };
        // From the lower half, by as much as the upper half has.
        local(array.element.clone().pointer(Space::Local), &p, format!("{} + lid / 2u", array.name));
        local(U64.into(), &w, format!("lid * {}u", self.rng.below(9)));
        let rounds = 1 + self.rng.below(4) as u32;
        let text = |s: String| Stmt::Expr(Expr::name(Ty::Void, s));
        let cast = if self.opencl { "(uint)" } else { "(unsigned)" };
        let body = vec![
            text(format!("{sum} ^= {cast}*{p}")),
            self.barrier(),
            text(format!("{p} += ls / 2u / {rounds}u")),
            text(format!("{sum} += {cast}{w}")),
            text(format!("{w} += {}", self.rng.below(1000))),
        ];
        let j = Expr::name(I32, self.name("j"));
        out.push(super::flow::counted(&j, rounds, body));
    }

    /// A reduction in work-group memory, halving the distance in each round.
    fn tree_reduction(&mut self, out: &mut Vec<Stmt>) {
        let unsigned = |t: &Ty| matches!(t, Ty::Scalar(s) if !s.is_signed());
        let Some(array) = self.shared.iter().find(|s| unsigned(&s.element)).cloned() else { return self.exchange(out) };
        let own = |i: Expr| Expr::name(Ty::Void, array.name.clone()).index(array.element.clone(), i);
        let lid = || Expr::name(U32, "lid");
        let ls = || Expr::name(U32, "ls");
        let Ty::Scalar(s) = array.element else { return };
        let value = self.int(2);
        out.push(own(lid()).assign(value));
        let barrier = self.barrier();
        out.push(barrier);
        let d = Expr::name(U32, self.name("d"));
        let sum = Expr::binary(U32, "+", lid(), d.clone());
        // Only the first half takes part, and only where there is somebody at that distance.
        let near = Expr::binary(I32, "<", lid(), d.clone());
        let there = Expr::binary(I32, "<", sum.clone(), ls());
        let op = self.rng.pick(&["+=", "^=", "|="]);
        let add = Stmt::Expr(Expr::binary(s, op, own(lid()), own(sum)));
        let c = Expr::binary(I32, "&&", near, there);
        let barrier = self.barrier();
        let body = vec![Stmt::If(c, vec![add], Vec::new()), barrier];
        let Form::Name(name) = d.form.clone() else { return };
        let init = Decl { prefix: String::new(), ty: U32.into(), name, init: Some(Expr::literal(U32, 32)) };
        out.push(Stmt::For {
            hint: String::new(),
            init: Some(Box::new(Stmt::Decl(init))),
            cond: Some(Expr::binary(I32, ">", d.clone(), Expr::literal(U32, 0))),
            step: Some(Expr::binary(U32, ">>=", d, Expr::literal(I32, 1))),
            body,
        });
        let name = self.name("v");
        let first = own(Expr::literal(I32, 0));
        self.declare(out, "const ", Var::fixed(name, s).uniform(), Some(first));
        let barrier = self.barrier();
        out.push(barrier);
    }

    /// Operations of the group or of a warp.
    fn collective(&mut self, out: &mut Vec<Stmt>) {
        let name = self.name("v");
        let warps = self.launch.local[0].is_multiple_of(32);
        let (e, s, uniform) = if self.opencl {
            if self.version() < 200 {
                return self.one_writes(out);
            }
            if self.rng.chance(30) {
                return self.some_lanes(name, out);
            }
            self.opencl_collective()
        } else if warps && self.rng.chance(70) {
            let all = Expr::name(U32, "0xffffffffu");
            let s = self.rng.pick(&[I32, U32, I64, U64, Scalar::F32]);
            let value = if s.is_float() { self.float(s, 1) } else { self.int_of(s, 2) };
            match self.rng.below(6) {
                0..3 => {
                    let k = Expr::literal(I32, self.rng.pick(&[1, 2, 4, 8, 16, 31]));
                    let f = self.rng.pick(&["__shfl_xor_sync", "__shfl_up_sync", "__shfl_down_sync"]);
                    (Expr::call(s, f, vec![all, value, k]), s, false)
                }
                3 => {
                    let from = self.int(1).cast(I32);
                    let from = Expr::binary(I32, "&", from, Expr::literal(I32, 31));
                    (Expr::call(s, "__shfl_sync", vec![all, value, from]), s, false)
                }
                4 => (Expr::call(U32, "__ballot_sync", vec![all, self.condition(1)]), U32, false),
                _ => {
                    let f = self.rng.pick(&["__any_sync", "__all_sync"]);
                    (Expr::call(I32, f, vec![all, self.condition(1)]), I32, false)
                }
            }
        } else {
            let f = self.rng.pick(&["__syncthreads_count", "__syncthreads_or", "__syncthreads_and"]);
            (Expr::call(I32, f, vec![self.condition(2)]), I32, true)
        };
        let var = if uniform { Var::fixed(name, s).uniform() } else { Var::new(name, s) };
        self.declare(out, "", var, Some(e));
    }

    /// One of OpenCL C 2.0 and later: the call, its type, and whether all have the same. Groups may end within a
    /// sub-group.
    fn opencl_collective(&mut self) -> (Expr, Scalar, bool) {
        let whole = self.rng.chance(60);
        if !whole && self.rng.chance(40) {
            let s = self.lane_type();
            let (e, s) = self.of_active_lanes(s, self.launch.local[0].is_multiple_of(32));
            return (e, s, false);
        }
        let group = if whole { "work_group" } else { "sub_group" };
        if self.rng.chance(25) {
            let f = self.rng.pick(&["any", "all"]);
            return (Expr::call(I32, format!("{group}_{f}"), vec![self.condition(2)]), I32, whole);
        }
        let s = self.rng.pick(&[I32, U32, I64, U64]);
        let value = self.int_of(s, 2);
        let [_, y, z] = self.launch.local;
        if whole && y * z == 1 && self.rng.chance(20) {
            let who = self.rng.below(self.launch.local[0] as usize) as u64;
            return (Expr::call(s, "work_group_broadcast", vec![value, Expr::literal(U32, who)]), s, true);
        }
        // Sums of numbers with signs may overflow.
        let op = if s.is_signed() { self.rng.pick(&["min", "max"]) } else { self.rng.pick(&["add", "min", "max"]) };
        let kind = self.rng.pick(&["reduce", "reduce", "scan_inclusive", "scan_exclusive"]);
        (Expr::call(s, format!("{group}_{kind}_{op}"), vec![value]), s, whole && kind == "reduce")
    }

    /// What the lanes for which a condition holds compute among themselves, and perhaps the others, too.
    fn some_lanes(&mut self, name: String, out: &mut Vec<Stmt>) {
        let s = self.lane_type();
        let start = self.int_of(s, 1);
        self.declare(out, "", Var::new(name.clone(), s), Some(start));
        let c = self.condition(1);
        let arm = |this: &mut Self| {
            let (e, of) = this.of_active_lanes(s, false);
            vec![Expr::name(s, name.clone()).assign(if of == s { e } else { e.cast(s) })]
        };
        let yes = arm(self);
        let no = if self.rng.chance(40) { arm(self) } else { Vec::new() };
        out.push(Stmt::If(c, yes, no));
    }

    /// A type whose values lanes combine.
    fn lane_type(&mut self) -> Scalar {
        self.rng.pick(&[I32, U32, I64, U64, Scalar::U8, Scalar::I16])
    }

    /// An operation of a sub-group's active lanes on values of type `s`, and its type; one that reads what others have by their
    /// number only if `all` lanes are there.
    fn of_active_lanes(&mut self, s: Scalar, all: bool) -> (Expr, Scalar) {
        let ballot = |this: &mut Self| {
            let c = this.condition(1);
            Expr::call(Ty::Vector(U32, 4), "sub_group_ballot", vec![c])
        };
        match self.rng.below(9) {
            0 => {
                let f = self.rng.pick(&["bit_count", "inclusive_scan", "exclusive_scan"]);
                (Expr::call(U32, format!("sub_group_ballot_{f}"), vec![ballot(self)]), U32)
            }
            1 => (Expr::call(I32, "sub_group_inverse_ballot", vec![ballot(self)]), I32),
            2 => {
                let f = self.rng.pick(&["all", "any"]);
                (Expr::call(I32, format!("sub_group_non_uniform_{f}"), vec![self.condition(1)]), I32)
            }
            3 => {
                let value = vec![self.int_of(s, 2).cast(s)];
                if self.rng.chance(50) {
                    return (Expr::call(s, "sub_group_broadcast_first", value), s);
                }
                (Expr::call(I32, "sub_group_non_uniform_all_equal", value), I32)
            }
            4 if all => {
                let value = self.int_of(s, 2).cast(s);
                let by = self.rng.below(31) as u64;
                let size = Expr::literal(U32, self.rng.pick(&[2, 4, 8, 16, 32]));
                let there = vec![value, Expr::literal(I32, by), size];
                (Expr::call(s, "sub_group_clustered_rotate", there), s)
            }
            4 => (Expr::call(I32, "sub_group_elect", Vec::new()), I32),
            n => {
                // Sums and products of numbers with signs may overflow.
                let mut ops = vec!["min", "max", "and", "or", "xor"];
                if !s.is_signed() {
                    ops.extend(["add", "mul"]);
                }
                let op = ops[self.rng.below(ops.len())];
                let mut args = vec![self.int_of(s, 2).cast(s)];
                let kind = if n == 5 {
                    args.push(Expr::literal(U32, self.rng.pick(&[1, 2, 4, 8, 16, 32])));
                    "clustered_reduce"
                } else {
                    self.rng.pick(&["non_uniform_reduce", "non_uniform_scan_inclusive", "non_uniform_scan_exclusive"])
                };
                (Expr::call(s, format!("sub_group_{kind}_{op}"), args), s)
            }
        }
    }

    /// One work-item writes what all read.
    fn one_writes(&mut self, out: &mut Vec<Stmt>) {
        let s = self.rng.pick(&Scalar::INTEGERS);
        let cell = self.name("cell");
        let prefix = if self.opencl { "local " } else { "__shared__ " }.to_owned();
        // OpenCL C has work-group variables in a kernel's outermost scope only: this one is put there afterwards.
        let decl = Stmt::Decl(Decl { prefix, ty: s.into(), name: cell.clone(), init: None });
        self.hoisted.push(decl);
        let who = if self.rng.chance(50) { "0u" } else { "ls - 1u" };
        let who = Expr::binary(I32, "==", Expr::name(U32, "lid"), Expr::name(U32, who));
        let value = self.int(2);
        let place = Expr::name(s, cell);
        let store = place.clone().assign(value);
        let asks = !self.is_alone() || self.rng.chance(30);
        out.push(if asks { Stmt::If(who, vec![store], Vec::new()) } else { store });
        let barrier = self.barrier();
        out.push(barrier);
        let name = self.name("v");
        self.declare(out, "const ", Var::fixed(name, s).uniform(), Some(place));
        let barrier = self.barrier();
        out.push(barrier);
    }

    /// Whether a group has one work-item, so that it may store anywhere.
    fn is_alone(&self) -> bool {
        self.launch.group_items() == 1
    }

    fn atomic_call(&mut self, kind: usize, place: Expr, value: Expr) -> Stmt {
        let (cl, cuda) = ATOMICS[kind];
        let f = if self.opencl { cl } else { cuda };
        let at = Expr::prefix(Ty::from(U32).pointer(Space::Global), "&", place);
        Stmt::Expr(Expr::call(U32, f, vec![at, value.cast(U32)]))
    }

    /// Atomics on a word of work-group memory, whose old values nobody looks at.
    fn local_atomics(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let cell = self.name("cell");
        let prefix = if self.opencl { "local " } else { "__shared__ " }.to_owned();
        self.hoisted.push(Stmt::Decl(Decl { prefix, ty: U32.into(), name: cell.clone(), init: None }));
        let place = Expr::name(U32, cell);
        let first = Expr::binary(I32, "==", Expr::name(U32, "lid"), Expr::name(U32, "0u"));
        let start = place.clone().assign(self.int(1));
        if self.is_alone() && self.rng.chance(60) {
            out.push(start);
            return self.old_value(place, out);
        }
        out.push(Stmt::If(first, vec![start], Vec::new()));
        let barrier = self.barrier();
        out.push(barrier);
        let kind = self.rng.below(ATOMICS.len());
        for _ in 0..1 + self.rng.below(2) {
            let value = self.int(2);
            let call = self.atomic_call(kind, place.clone(), value);
            match self.rng.below(3) {
                0 => {
                    let c = self.condition(1);
                    out.push(Stmt::If(c, vec![call], Vec::new()));
                }
                1 if depth < 2 && self.weight * 3 <= MOST_ROUNDS => {
                    let i = Expr::name(I32, self.name("i"));
                    out.push(super::flow::counted(&i, 3, vec![call]));
                }
                _ => out.push(call),
            }
        }
        let barrier = self.barrier();
        out.push(barrier);
        let name = self.name("v");
        self.declare(out, "const ", Var::fixed(name, U32).uniform(), Some(place));
        let barrier = self.barrier();
        out.push(barrier);
    }

    /// The old value of an atomic, which the only work-item of its group stores to one place, asking for no number: where code
    /// does not know that it is alone, all lanes do.
    fn old_value(&mut self, place: Expr, out: &mut Vec<Stmt>) {
        let (kind, value) = (self.rng.below(ATOMICS.len()), self.int(1));
        let Stmt::Expr(call) = self.atomic_call(kind, place.clone(), value) else { return };
        let cell = self.name("cell");
        let prefix = if self.opencl { "local " } else { "__shared__ " }.to_owned();
        self.hoisted.push(Stmt::Decl(Decl { prefix, ty: U32.into(), name: cell.clone(), init: None }));
        let seen = Expr::name(U32, cell);
        out.push(seen.clone().assign(call));
        for from in [seen, place] {
            let barrier = self.barrier();
            out.push(barrier);
            let name = self.name("v");
            self.declare(out, "const ", Var::fixed(name, U32).uniform(), Some(from));
        }
        let barrier = self.barrier();
        out.push(barrier);
    }

    /// An atomic on one of the words of global memory.
    pub(super) fn global_atomic(&mut self, out: &mut Vec<Stmt>) {
        let word = self.rng.below(super::ACCUMULATORS as usize);
        let place = Expr::name(Ty::Void, "acc").index(U32, Expr::literal(I32, word as u64));
        let value = self.int(2);
        let call = self.atomic_call(word % ATOMICS.len(), place, value);
        let c = self.condition(1);
        out.push(if self.rng.chance(40) { Stmt::If(c, vec![call], Vec::new()) } else { call });
    }

    /// An atomic on the own element of a work-group array, whose old value is looked at: nobody else comes there.
    pub(super) fn own_atomic(&mut self, out: &mut Vec<Stmt>) {
        let own: Vec<(String, Scalar)> = self
            .vars
            .iter()
            .filter(|v| v.name.ends_with("[lid]") && v.writable)
            .filter_map(|v| Some((v.name.clone(), v.ty.scalar()?)))
            .filter(|v| matches!(v.1, I32 | U32))
            .collect();
        if own.is_empty() {
            return self.global_atomic(out);
        }
        let (name, s) = own[self.rng.below(own.len())].clone();
        let at = Expr::prefix(Ty::from(s).pointer(Space::Local), "&", Expr::name(s, name));
        let value = self.int(1).cast(s);
        let call = match self.rng.below(4) {
            0 => {
                let f = if self.opencl { "atomic_xchg" } else { "atomicExch" };
                Expr::call(s, f, vec![at, value])
            }
            1 => {
                let f = if self.opencl { "atomic_cmpxchg" } else { "atomicCAS" };
                let new = self.int(1).cast(s);
                Expr::call(s, f, vec![at, value, new])
            }
            _ => {
                let (cl, cuda) = ATOMICS[self.rng.below(ATOMICS.len())];
                Expr::call(s, if self.opencl { cl } else { cuda }, vec![at, value])
            }
        };
        let name = self.name("v");
        self.declare(out, "", Var::new(name, s), Some(call));
    }

    /// A function that the group calls together: it has barriers, and pointers to what is its caller's.
    pub(super) fn barrier_helper(&mut self) {
        let name = self.name("g");
        let element = self.rng.pick(&[U32, I32, U64, Scalar::I16]);
        let own = match self.any_record() {
            Some(r) if self.rng.chance(40) => Ty::Named(r.name),
            _ => self.rng.pick(&Scalar::INTEGERS).into(),
        };
        let ret = self.rng.pick(&Scalar::INTEGERS);
        let params = vec![
            Var::pointer("sh", Ty::from(element).pointer(Space::Local), 1),
            Var::counter("lid", U32, self.launch.group_items()),
            Var::fixed("ls", U32).uniform(),
            Var { writable: true, ..Var::pointer("p", own.pointer(Space::Private), 1) },
            Var::new("x", U32),
        ];
        let listed = params.clone();
        // The array is touched by the statements below only.
        let visible = params[1..].to_vec();
        let first_shared = self.shared.len();
        let outside = self.enter(visible, 3, true);
        let mut body = Vec::new();
        self.own_element(Shared { name: "sh".to_owned(), element: element.into() }, &mut body);
        for _ in 0..1 + self.rng.below(2) {
            self.stmt(&mut body, 2);
            self.exchange_of_last(&mut body);
        }
        let value = self.int(1).cast(ret);
        body.push(Stmt::Return(Some(value)));
        self.exit(outside);
        self.shared.truncate(first_shared);
        self.finish(name, ret.into(), &listed, body, Callable { pure_: false, barrier: true, ..Callable::plain() });
    }

    fn exchange_of_last(&mut self, out: &mut Vec<Stmt>) {
        let all = self.shared.split_off(self.shared.len().saturating_sub(1));
        let rest = std::mem::replace(&mut self.shared, all);
        self.exchange(out);
        let all = std::mem::replace(&mut self.shared, rest);
        self.shared.extend(all);
    }

    fn barrier_call(&mut self, out: &mut Vec<Stmt>) {
        let found: Vec<Callable> = self.callables.iter().filter(|c| c.barrier).cloned().collect();
        if found.is_empty() {
            return self.exchange(out);
        }
        let f = found[self.rng.below(found.len())].clone();
        let (Ty::Pointer(_, element), Ty::Pointer(_, own)) = (&f.params[0], &f.params[3]) else { return };
        let array = match self.shared.iter().find(|s| s.element == **element) {
            Some(s) => s.name.clone(),
            None => {
                let name = self.name("sh");
                let prefix = if self.opencl { "local " } else { "__shared__ " }.to_owned();
                let ty = Ty::Array(element.clone(), self.launch.group_items());
                self.hoisted.push(Stmt::Decl(Decl { prefix, ty, name: name.clone(), init: None }));
                name
            }
        };
        if self.addressable(|t| *t == **own).is_empty() {
            let Some(init) = self.initialiser(own, 1) else { return };
            let name = self.name("v");
            self.declare(out, "", Var::new(name, (**own).clone()), Some(init));
        }
        let Some(mut args) = self.arguments(&f.params[3..]) else { return };
        let mut all = vec![Expr::name(f.params[0].clone(), array), Expr::name(U32, "lid"), Expr::name(U32, "ls")];
        all.append(&mut args);
        let name = self.name("v");
        self.declare(out, "", Var { mask: ALL, ..Var::new(name, f.ret.clone()) }, Some(Expr::call(f.ret, f.name, all)));
    }
}

/// An expression with another place where a stand-in is named.
fn substitute(e: Expr, place: &Expr) -> Expr {
    if matches!(&e.form, Form::Name(n) if n == "\0") {
        return place.clone();
    }
    let args = e.args.into_iter().map(|a| substitute(a, place)).collect();
    Expr { args, ..e }
}
