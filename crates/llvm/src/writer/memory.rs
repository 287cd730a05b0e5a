//! Loads and stores, also under masks, gathers and scatters.

use super::func::FuncGen;
use super::ll::{Ipred, Val};
use ir::{ConstKind, Flags, Inst, MemInfo, Opcode, Type};

impl FuncGen<'_> {
    pub(super) fn memory(&mut self, i: Inst) -> Option<Val> {
        let data = &self.f.dfg.insts[i];
        let mem = data.mem().unwrap_or(MemInfo::aligned(1));
        match data.op {
            Opcode::Load => Some(self.load(i, mem)),
            Opcode::Store => {
                let ty = self.arg_ty(i, 1);
                let v = self.to_memory(self.arg(i, 1), ty);
                let s = self.ll.store(self.arg(i, 0), v, mem.align());
                if data.flags.has(Flags::VOLATILE) {
                    self.ll.set_volatile(s);
                }
                None
            }
            Opcode::MemCpy => {
                self.ll.memcpy(self.arg(i, 0), self.arg(i, 1), self.arg(i, 2), mem.align());
                None
            }
            Opcode::MemSet => {
                self.ll.memset(self.arg(i, 0), self.arg(i, 1), self.arg(i, 2), mem.align());
                None
            }
            Opcode::MaskedLoad => Some(self.masked_load(i, mem)),
            Opcode::MaskedStore => {
                self.masked_store(i, mem);
                None
            }
            Opcode::Gather => Some(self.gather(i, mem)),
            _ => {
                self.scatter(i, mem);
                None
            }
        }
    }

    /// A value as memory holds it.
    pub(super) fn to_memory(&self, v: Val, ty: Type) -> Val {
        if ty.scalar() == Type::I1 { self.ll.zext(v, self.cx.memory_ty(ty)) } else { v }
    }

    /// A value from what memory holds: of the byte of an `i1`, the lowest bit.
    pub(super) fn loaded(&self, v: Val, ty: Type) -> Val {
        if ty.scalar() == Type::I1 { self.ll.trunc(v, self.cx.ty(ty)) } else { v }
    }

    fn load(&self, i: Inst, mem: MemInfo) -> Val {
        let data = &self.f.dfg.insts[i];
        let v = self.ll.load(self.cx.memory_ty(data.ty), self.arg(i, 0), mem.align());
        if data.flags.has(Flags::VOLATILE) {
            self.ll.set_volatile(v);
        } else {
            self.mark_invariant(v, data.flags);
        }
        self.loaded(v, data.ty)
    }

    fn mark_invariant(&self, v: Val, flags: Flags) {
        if flags.has(Flags::INVARIANT) {
            self.ll.set_metadata(v, "invariant.load", self.ll.md_node(&[]));
        }
    }

    /// What a constant mask says of all lanes.
    fn uniform_mask(&self, i: Inst, n: usize) -> Option<bool> {
        match self.f.dfg.as_const(self.f.dfg.arg(i, n)) {
            Some(ConstKind::Bits(b)) => Some(b & 1 == 1),
            _ => None,
        }
    }

    fn masked_load(&mut self, i: Inst, mem: MemInfo) -> Val {
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let (ptr, mask) = (self.arg(i, 0), self.arg(i, 1));
        match self.uniform_mask(i, 1) {
            Some(true) => return self.load(i, mem),
            Some(false) => return self.arg(i, 2),
            None => {}
        }
        let ty = self.cx.memory_ty(data.ty);
        let other = self.to_memory(self.arg(i, 2), data.ty);
        let align = ll.iconst(32, 1, mem.align().into());
        let under_mask = |this: &Self| {
            let v = ll.intrinsic("llvm.masked.load", &[ty, ll.type_of(ptr)], &[ptr, align, mask, other]);
            this.mark_invariant(v, data.flags);
            v
        };
        let undefined = self.f.dfg.as_const(self.f.dfg.arg(i, 2)) == Some(ConstKind::Undef);
        let bits = if data.ty.scalar() == Type::I1 { 8 } else { data.ty.scalar().bits() };
        let v = if undefined && bits >= 8 && !self.cx.target.masks(bits) {
            self.whole_within_page(ptr, mask, (ty, data.ty.lanes().into(), bits), mem.align(), under_mask)
        } else {
            under_mask(self)
        };
        self.loaded(v, data.ty)
    }

    /// A row of which some lanes are wanted, if any, whole where it lies in one page of memory: then all of it can be read if one
    /// lane can. Machines without masks for such elements would test each lane.
    fn whole_within_page(
        &mut self,
        ptr: Val,
        mask: Val,
        (ty, lanes, bits): (super::ll::Ty, u32, u32),
        align: u32,
        under_mask: impl FnOnce(&Self) -> Val,
    ) -> Val {
        /// The least size of pages.
        const PAGE: u64 = 4096;
        let ll = self.ll;
        let word = |n: u64| ll.iconst(64, 1, n);
        let within = ll.and(ll.ptrtoint(ptr, ll.int(64, 1)), word(PAGE - 1));
        let fits = ll.icmp(Ipred::LLVMIntULE, within, word(PAGE - u64::from(lanes * bits / 8)));
        let any = ll.icmp(Ipred::LLVMIntNE, ll.bitcast(mask, ll.int(lanes, 1)), ll.iconst(lanes, 1, 0));
        let (single, whole, join) = (self.new_block(), self.new_block(), self.new_block());
        ll.branch_unlikely(ll.not(ll.and(fits, any)), single, whole);
        ll.at_end(whole);
        let loaded = ll.load(ty, ptr, align);
        ll.jump(join);
        ll.at_end(single);
        let each = under_mask(self);
        ll.jump(join);
        ll.at_end(join);
        let v = ll.phi(ty);
        ll.add_incoming(v, loaded, whole);
        ll.add_incoming(v, each, single);
        v
    }

    fn masked_store(&self, i: Inst, mem: MemInfo) {
        let ll = self.ll;
        let of = self.arg_ty(i, 2);
        let (ptr, mask, v) = (self.arg(i, 0), self.arg(i, 1), self.to_memory(self.arg(i, 2), of));
        match self.uniform_mask(i, 1) {
            Some(true) => {
                ll.store(ptr, v, mem.align());
            }
            Some(false) => {}
            None => {
                let lanes = u32::from(of.lanes());
                let join =
                    self.cx.target.asks_before_stores().then(|| self.store_if_all_on(ptr, v, (mask, lanes), mem));
                let align = ll.iconst(32, 1, mem.align().into());
                ll.intrinsic("llvm.masked.store", &[self.cx.memory_ty(of), ll.type_of(ptr)], &[v, ptr, align, mask]);
                if let Some(join) = join {
                    ll.jump(join);
                    ll.at_end(join);
                }
            }
        }
    }

    /// Stores a row if all lanes are on; goes on where some are not, and returns where both go on.
    fn store_if_all_on(&self, ptr: Val, v: Val, (mask, lanes): (Val, u32), mem: MemInfo) -> super::ll::Bb {
        let ll = self.ll;
        let (some, whole, join) = (self.new_block(), self.new_block(), self.new_block());
        let all = ll.iconst(lanes, 1, u64::MAX >> (64 - lanes));
        ll.branch(ll.icmp(Ipred::LLVMIntEQ, ll.bitcast(mask, ll.int(lanes, 1)), all), whole, some);
        ll.at_end(whole);
        ll.store(ptr, v, mem.align());
        ll.jump(join);
        ll.at_end(some);
        join
    }

    // ---- one address per lane ---------------------------------------------------------------------------------------

    /// The addresses of a gather or scatter of elements of this type. An index of 32 bits stays one for LLVM to see: the
    /// machine's gathers take it as it is, and twice as many lanes at once. Extended in another block, it would be hidden.
    fn addresses(&self, i: Inst, element: Type) -> Val {
        let ll = self.ll;
        let ty = self.arg_ty(i, 1);
        if let Some(index) = self.index_of(self.f.dfg.arg(i, 1), u64::from(element.bits() / 8)) {
            return ll.elements(self.arg(i, 0), self.cx.memory_ty(element), self.value(index));
        }
        let mut offsets = self.arg(i, 1);
        if ty.scalar() == Type::I32 {
            offsets = ll.sext(offsets, ll.int(64, ty.lanes().into()));
        }
        ll.offset(self.arg(i, 0), offsets, false)
    }

    /// Whether the machine has gathers (or scatters) of elements of this width that pay.
    fn in_hardware(&self, ty: Type) -> bool {
        self.cx.target.gathers(ty.bits())
    }

    fn gather(&mut self, i: Inst, mem: MemInfo) -> Val {
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let (flags, of) = (data.flags, data.ty);
        let uniform = self.uniform_mask(i, 2);
        if uniform == Some(false) {
            return self.arg(i, 3);
        }
        if !flags.has(Flags::VOLATILE)
            && let Some(v) = self.table_entries(i, of)
        {
            return if uniform == Some(true) { v } else { ll.select(self.arg(i, 2), v, self.arg(i, 3)) };
        }
        let ty = self.cx.memory_ty(of);
        let asked = (uniform == Some(true) && !flags.has(Flags::VOLATILE) && of.bits() >= 8)
            .then(|| self.consecutive(i, of.scalar()))
            .flatten();
        let Some((consecutive, first)) = asked else { return self.each_lane(i, mem, uniform) };
        // A whole vector, or each lane for itself.
        let (single, whole, join) = (self.new_block(), self.new_block(), self.new_block());
        ll.branch_unlikely(ll.not(consecutive), single, whole);
        ll.at_end(whole);
        let start = ll.elements(self.arg(i, 0), self.cx.memory_ty(of.scalar()), first);
        let loaded = ll.load(ty, start, mem.align());
        self.mark_invariant(loaded, flags);
        let loaded = self.loaded(loaded, of);
        ll.jump(join);
        ll.at_end(single);
        let gathered = self.each_lane(i, mem, uniform);
        ll.jump(join);
        ll.at_end(join);
        let v = ll.phi(self.cx.ty(of));
        ll.add_incoming(v, loaded, whole);
        ll.add_incoming(v, gathered, single);
        v
    }

    /// A gather by the machine's instruction, or one lane after another.
    fn each_lane(&mut self, i: Inst, mem: MemInfo, uniform: Option<bool>) -> Val {
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let (flags, of) = (data.flags, data.ty);
        if !self.in_hardware(of) || flags.has(Flags::VOLATILE) {
            return self.lane_by_lane(i, mem, uniform);
        }
        let align = ll.iconst(32, 1, mem.align().into());
        let addresses = self.addresses(i, of.scalar());
        let types = [self.cx.memory_ty(of), ll.type_of(addresses)];
        let v = ll.intrinsic("llvm.masked.gather", &types, &[addresses, align, self.arg(i, 2), self.arg(i, 3)]);
        self.mark_invariant(v, flags);
        v
    }

    /// A gather without branches: lanes that are off read a dummy.
    fn lane_by_lane(&mut self, i: Inst, mem: MemInfo, uniform: Option<bool>) -> Val {
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let (flags, of) = (data.flags, data.ty);
        let lanes = u32::from(of.lanes());
        let (ty, mask) = (self.cx.memory_ty(of), self.arg(i, 2));
        let addresses = self.safe_addresses(i, of.scalar(), uniform, mask);
        let element = self.cx.memory_ty(of.scalar());
        let align = mem.align().min(if uniform.is_some() { u32::MAX } else { 16 });
        let mut v = ll.poison(ty);
        for n in 0..lanes {
            let one = ll.load(element, ll.lane(addresses, n), align);
            if flags.has(Flags::VOLATILE) {
                ll.set_volatile(one);
            } else if uniform.is_some() {
                self.mark_invariant(one, flags);
            }
            v = ll.set_lane(v, one, n);
        }
        let v = self.loaded(v, of);
        // Lanes that are off have what the dummy holds, which is as good as anything.
        let arbitrary = self.f.dfg.as_const(self.f.dfg.arg(i, 3)) == Some(ConstKind::Undef);
        if uniform.is_some() || arbitrary { v } else { ll.select(mask, v, self.arg(i, 3)) }
    }

    fn scatter(&mut self, i: Inst, mem: MemInfo) {
        let ll = self.ll;
        let of = self.arg_ty(i, 3);
        let uniform = self.uniform_mask(i, 2);
        if uniform == Some(false) {
            return;
        }
        let v = self.to_memory(self.arg(i, 3), of);
        let volatile = self.f.dfg.insts[i].flags.has(Flags::VOLATILE);
        let asked =
            (uniform == Some(true) && !volatile && of.bits() >= 8).then(|| self.consecutive(i, of.scalar())).flatten();
        let Some((consecutive, first)) = asked else { return self.scatter_each(i, mem, v, uniform) };
        let (single, whole, join) = (self.new_block(), self.new_block(), self.new_block());
        ll.branch_unlikely(ll.not(consecutive), single, whole);
        ll.at_end(whole);
        ll.store(ll.elements(self.arg(i, 0), self.cx.memory_ty(of.scalar()), first), v, mem.align());
        ll.jump(join);
        ll.at_end(single);
        self.scatter_each(i, mem, v, uniform);
        ll.jump(join);
        ll.at_end(join);
    }

    /// A scatter by the machine's instruction, or one lane after another.
    fn scatter_each(&mut self, i: Inst, mem: MemInfo, v: Val, uniform: Option<bool>) {
        let ll = self.ll;
        let of = self.arg_ty(i, 3);
        let (lanes, mask) = (u32::from(of.lanes()), self.arg(i, 2));
        if self.cx.target.scatters(of.bits()) {
            let align = ll.iconst(32, 1, mem.align().into());
            let addresses = self.addresses(i, of.scalar());
            let types = [self.cx.ty(of), ll.type_of(addresses)];
            ll.intrinsic("llvm.masked.scatter", &types, &[v, addresses, align, mask]);
            return;
        }
        let addresses = self.safe_addresses(i, of.scalar(), uniform, mask);
        let align = mem.align().min(if uniform.is_some() { u32::MAX } else { 16 });
        for n in 0..lanes {
            let s = ll.store(ll.lane(addresses, n), ll.lane(v, n), align);
            if self.f.dfg.insts[i].flags.has(Flags::VOLATILE) {
                ll.set_volatile(s);
            }
        }
    }

    /// The addresses, those of lanes that are off replaced by the dummy's.
    fn safe_addresses(&mut self, i: Inst, element: Type, uniform: Option<bool>, mask: Val) -> Val {
        let addresses = self.addresses(i, element);
        if uniform == Some(true) {
            return addresses;
        }
        let dummy = self.dummy();
        let lanes = self.arg_ty(i, 1).lanes();
        self.ll.select(mask, addresses, self.ll.splat(dummy, lanes.into()))
    }
}
