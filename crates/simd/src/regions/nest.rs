//! The loops over the work-items of a group.

use super::Dimension;
use super::emit::Emitter;
use super::storage::{Offset, memory_type, stride};
use cranelift_entity::SecondaryMap;
use ir::{Block, Flags, IntCC, LoopMeta, MemInfo, Opcode, Payload, Slot, Type, UnrollRequest, Value};

/// Of which loops a value depends: the work-group function's, those over z, y, x.
pub(super) const GROUP: u8 = 0;
const Z: u8 = 1;
const Y: u8 = 2;
/// Depends on the work-item.
pub(super) const ITEM: u8 = 3;

/// A loop nest under construction. Its blocks stay open to the end, so that what depends on the outer loops only can
/// be put there.
pub(super) struct Nest {
    /// Blocks in which values of the levels are computed: before the nest, the headers of z and y, the body's begin.
    pub(super) at: [Block; 4],
    /// Headers of the loops over x, y, z, and their parameters.
    heads: [Option<Block>; 3],
    /// Local ids.
    pub(super) ids: [Value; 3],
    /// Where the body ends.
    pub(super) latch: Block,
    /// Whether the body does anything.
    pub(super) effects: bool,
    row: Option<Value>,
    linear: Option<Value>,
    /// Addresses of the work-item's elements, by offset in scratch memory.
    elements: Vec<(Offset, Value)>,
    /// Addresses of the work-item's stack slots in scratch memory.
    pub(super) slots: SecondaryMap<Slot, Option<Value>>,
    /// First block of the body: addresses and the linear id; stays open.
    pub(super) body: Block,
    /// The work-item takes part only if this holds.
    pub(super) guard: Option<Value>,
    /// What the body loads stays in it.
    pub(super) keeps_loads: bool,
}

impl Nest {
    /// A nest without loops.
    pub(super) fn nowhere(at: Block, zero: Value) -> Self {
        Self {
            at: [at; 4],
            heads: [None; 3],
            ids: [zero; 3],
            latch: at,
            effects: false,
            row: None,
            linear: None,
            elements: Vec::new(),
            slots: SecondaryMap::new(),
            body: at,
            guard: None,
            keeps_loads: false,
        }
    }
}

impl Emitter<'_> {
    /// Opens the nest that follows the open block `before`. The body goes on in `at[ITEM]`, which the caller ends.
    pub(super) fn open_nest(&mut self, before: Block) -> Nest {
        let size = self.options.nest_size().0;
        let zero = self.out.dfg.iconst(Type::I32, 0);
        let mut nest = Nest::nowhere(before, zero);
        for (dim, level) in [(2, Z), (1, Y), (0, ITEM)] {
            if size[dim].is_none_or(|n| n > 1) {
                let head = self.out.new_block();
                nest.ids[dim] = self.out.dfg.add_param(head, Type::I32);
                self.level[nest.ids[dim]] = level;
                nest.heads[dim] = Some(head);
                for l in level..=ITEM {
                    nest.at[l as usize] = head;
                }
            }
        }
        nest.body = self.out.new_block();
        nest.at[usize::from(ITEM)] = self.out.new_block();
        nest.latch = self.out.dfg.make_block();
        nest
    }

    /// Closes the nest; what comes then is in the block that it returns. A nest without effects is not entered.
    pub(super) fn close_nest(&mut self, nest: &Nest) -> Block {
        self.out.layout.append_block(nest.latch);
        let after = self.out.dfg.make_block();
        if !nest.effects {
            self.out.layout.append_block(after);
            self.jump(nest.at[0], after, &[]);
            // The blocks are unreachable now, but must be whole.
            for b in [nest.at[1], nest.at[2], nest.heads[0].unwrap_or(nest.at[2]), nest.body, nest.latch] {
                if b != nest.at[0] && !self.is_closed(b) {
                    self.jump(b, after, &[]);
                }
            }
            return after;
        }
        let zero = self.out.dfg.iconst(Type::I32, 0);
        let mut at = nest.at[0];
        for dim in [2, 1, 0] {
            if let Some(head) = nest.heads[dim] {
                self.jump(at, head, &[zero]);
                at = head;
            }
        }
        self.jump(at, nest.body, &[]);
        let intro = nest.at[usize::from(ITEM)];
        match nest.guard {
            Some(c) => drop(ir::Builder::at_end(&mut self.out, nest.body).br(c, (intro, &[]), (nest.latch, &[]))),
            None => self.jump(nest.body, intro, &[]),
        }
        let mut latch = nest.latch;
        let mut marks = Vec::new();
        for (dim, name) in [(0, Dimension::X), (1, Dimension::Y), (2, Dimension::Z)] {
            let Some(head) = nest.heads[dim] else { continue };
            let next = if nest.heads[dim + 1..].iter().any(Option::is_some) { self.out.new_block() } else { after };
            let md = self.out.loops.push(LoopMeta {
                span: self.p.func.span,
                unroll: UnrollRequest::None,
                done: true,
                must_progress: true,
                keeps_loads: nest.keeps_loads,
                ..LoopMeta::default()
            });
            let one = self.out.dfg.iconst(Type::I32, 1);
            let size = self.entry.size(&mut self.out, dim);
            let flags = Flags::NUW.with(Flags::NSW);
            let up = self.push(latch, Opcode::Add, Type::I32, flags, &[nest.ids[dim], one], Payload::None);
            let less = self.push(latch, Opcode::Icmp, Type::I1, Flags::NONE, &[up, size], Payload::IntCC(IntCC::Ult));
            ir::Builder::at_end(&mut self.out, latch).br_md(less, (head, &[up]), (next, &[]), Some(md));
            marks.push((name, md));
            latch = next;
        }
        if latch == nest.latch {
            self.jump(latch, after, &[]);
        }
        if let Some((Dimension::X, md)) = marks.first().copied() {
            self.marks.push((md, marks[1..].to_vec()));
        }
        self.out.layout.append_block(after);
        after
    }

    /// The part of the linear id that does not depend on x.
    fn row(&mut self, nest: &mut Nest) -> Option<Value> {
        if nest.heads[1].is_none() && nest.heads[2].is_none() {
            return None;
        }
        if nest.row.is_none() {
            let flags = Flags::NUW.with(Flags::NSW);
            let mut row = nest.ids[2];
            if nest.heads[2].is_some() {
                let n = self.entry.size(&mut self.out, 1);
                row = self.push(nest.at[1], Opcode::Mul, Type::I32, flags, &[row, n], Payload::None);
                self.level[row] = Z;
            }
            if nest.heads[1].is_some() {
                row = self.push(nest.at[2], Opcode::Add, Type::I32, flags, &[row, nest.ids[1]], Payload::None);
            }
            let n = self.entry.size(&mut self.out, 0);
            row = self.push(nest.at[2], Opcode::Mul, Type::I32, flags, &[row, n], Payload::None);
            self.level[row] = Y;
            nest.row = Some(row);
        }
        nest.row
    }

    /// The linear id of the work-item.
    pub(super) fn linear(&mut self, nest: &mut Nest) -> Value {
        if let Some(v) = nest.linear {
            return v;
        }
        let v = match self.row(nest) {
            None => nest.ids[0],
            Some(row) if nest.heads[0].is_none() => row,
            Some(row) => {
                let flags = Flags::NUW.with(Flags::NSW);
                let at = nest.body;
                let v = self.push(at, Opcode::Add, Type::I32, flags, &[row, nest.ids[0]], Payload::None);
                self.level[v] = ITEM;
                v
            }
        };
        nest.linear = Some(v);
        v
    }

    /// Address of an element of the work-item: its row's address, then x.
    pub(super) fn element(&mut self, nest: &mut Nest, offset: Offset, bytes: u64) -> Value {
        if let Some(&(_, v)) = nest.elements.iter().find(|(o, _)| *o == offset) {
            return v;
        }
        let mut at = self.entry.scratch(&mut self.out, offset);
        if let Some(row) = self.row(nest) {
            at = self.scaled(nest.at[2], at, row, bytes);
            self.level[at] = Y;
        }
        if nest.heads[0].is_some() {
            at = self.scaled(nest.body, at, nest.ids[0], bytes);
        }
        self.level[at] = ITEM;
        nest.elements.push((offset, at));
        at
    }

    /// `base + index * bytes` for an unsigned index below 2^31.
    pub(super) fn scaled(&mut self, block: Block, base: Value, index: Value, bytes: u64) -> Value {
        let flags = Flags::NUW.with(Flags::NSW);
        let ty = self.out.dfg.ty(base);
        let mut n = self.push(block, Opcode::ZExt, Type::I64, Flags::NONE, &[index], Payload::None);
        if bytes != 1 {
            let scale = self.out.dfg.iconst(Type::I64, bytes as i64);
            n = self.push(block, Opcode::Mul, Type::I64, flags, &[n, scale], Payload::None);
        }
        self.push(block, Opcode::PtrAdd, ty, Flags::INBOUNDS, &[base, n], Payload::None)
    }

    /// Loads a value of a type from memory where truth values are bytes.
    pub(super) fn load_from(&mut self, block: Block, at: Value, ty: Type) -> Value {
        let mem = Payload::Mem(MemInfo::aligned(stride(ty) as u32));
        let v = self.push(block, Opcode::Load, memory_type(ty), Flags::NONE, &[at], mem);
        if memory_type(ty) == ty { v } else { self.push(block, Opcode::Trunc, ty, Flags::NONE, &[v], Payload::None) }
    }

    /// Stores a value likewise.
    pub(super) fn store_to(&mut self, block: Block, at: Value, mut v: Value) {
        let ty = self.out.dfg.ty(v);
        if memory_type(ty) != ty {
            v = self.push(block, Opcode::ZExt, memory_type(ty), Flags::NONE, &[v], Payload::None);
        }
        let mem = MemInfo::aligned(stride(ty) as u32);
        ir::Builder::at_end(&mut self.out, block).store(at, v, mem, Flags::NONE);
    }

    /// Loads the work-item's element of an array in scratch memory.
    pub(super) fn load_element(&mut self, nest: &mut Nest, block: Block, offset: Offset, ty: Type) -> Value {
        let v = self.load_components(block, ty, |e, n, scalar| {
            let offset = e.component_offset(offset, ty, n);
            let at = e.element(nest, offset, stride(scalar));
            e.load_from(block, at, scalar)
        });
        self.level[v] = ITEM;
        v
    }

    /// Stores it.
    pub(super) fn store_element(&mut self, nest: &mut Nest, block: Block, offset: Offset, v: Value) {
        let ty = self.out.dfg.ty(v);
        if self.is_split(ty) {
            for n in 0..ty.lanes() {
                let offset = self.component_offset(offset, ty, n);
                let at = self.element(nest, offset, stride(ty.scalar()));
                let part = self.push(block, Opcode::Extract, ty.scalar(), Flags::NONE, &[v], Payload::Lane(n));
                self.store_to(block, at, part);
            }
        } else {
            let at = self.element(nest, offset, stride(ty));
            self.store_to(block, at, v);
        }
        nest.effects = true;
    }

    /// Whether each component of such values has an array of its own: the lanes of a vector of work-items then find a
    /// component's elements side by side, and need no shuffles.
    fn is_split(&self, ty: Type) -> bool {
        self.options.vectorise && ty.is_vector()
    }

    /// Where the array of component `n` begins within that of a value.
    pub(super) fn component_offset(&self, value: Offset, ty: Type, n: u8) -> Offset {
        value.plus(self.scratch.step(ty.scalar()), n.into())
    }

    /// A value whose components `load` gives, by their numbers; a value that is not split is one component.
    pub(super) fn load_components(
        &mut self,
        block: Block,
        ty: Type,
        mut load: impl FnMut(&mut Self, u8, Type) -> Value,
    ) -> Value {
        if !self.is_split(ty) {
            return load(self, 0, ty);
        }
        let parts: Vec<Value> = (0..ty.lanes()).map(|n| load(self, n, ty.scalar())).collect();
        self.push(block, Opcode::VecBuild, ty, Flags::NONE, &parts, Payload::None)
    }
}
