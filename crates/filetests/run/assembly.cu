// Inline PTX, which every machine reads.
//@ file arch=sm_80

FN uint lop3(uint a, uint b, uint c) {
    uint d;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
FN uint bfe(uint a, uint pos, uint len) {
    uint d;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(pos), "r"(len));
    return d;
}

BEGIN(words)
    I(lop3(V(0xf0), 0xcc, 0xaa)); //= 0x96
    I(bfe(V(0x12345678), 8, 12)); //= 0x456
    uint p;
    asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(p) : "r"(V(0x11223344)), "r"(0));
    I(p); //= 0x44332211
    asm volatile("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(p) : "r"(V(0x11111111)), "r"(V(0x88888888)), "r"(36));
    I(p); //= 0x88888881
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(p) : "r"(V(0x80000000)), "r"(6));
    I(p); //= 3
    ulong w;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w) : "r"(V(0x80000000)), "r"(4), "l"(5UL));
    I(w); //= 0x200000005
    asm("mov.b64 %0, {%1, %2};" : "=l"(w) : "r"(V(1)), "r"(V(2)));
    I(w); //= 0x200000001
END

FN __forceinline__ uint add_cc(uint a, uint b) {
    uint r;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
FN __forceinline__ uint addc_cc(uint a, uint b) {
    uint r;
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
FN __forceinline__ uint addc(uint a, uint b) {
    uint r;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

BEGIN(carry_through_functions)
    uint a = add_cc(V(0xffffffff), V(1)), b = addc_cc(V(0xffffffff), V(0)), c = addc(V(7), V(0));
    I(a); I(b); I(c); //= 0 0 8
END

BEGIN(carry)
    // 96 bits, in one text and in three.
    uint a, b, c;
    asm("add.cc.u32 %0, %3, %6;\n\taddc.cc.u32 %1, %4, %7;\n\taddc.u32 %2, %5, %8;"
        : "=r"(a), "=r"(b), "=r"(c)
        : "r"(V(0xffffffff)), "r"(V(0xffffffff)), "r"(V(7)), "r"(V(1)), "r"(V(0)), "r"(V(0)));
    I(a); I(b); I(c); //= 0 0 8
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(a) : "r"(V(0)), "r"(V(1)));
    asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(b) : "r"(V(0)), "r"(V(0)));
    asm volatile("subc.u32 %0, %1, %2;" : "=r"(c) : "r"(V(9)), "r"(V(0)));
    I(a); I(b); I(c); //= 0xffffffff 0xffffffff 8
    // The operand that is read and written.
    uint s = V(5);
    asm("add.u32 %0, %0, %1;" : "+r"(s) : "r"(V(6)));
    I(s); //= 11
    asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;" : "=&r"(a), "=r"(b) : "r"(V(0xffffffff)), "r"(V(0xffffffff)), "r"(V(0xffffffff)));
    I(a); I(b); //= 0 0xffffffff
END

BEGIN(many_outputs)
    // As products of matrices have them.
    uint r[40];
    asm volatile("add.u32 %0, %40, 0; add.u32 %1, %40, 1; add.u32 %2, %40, 2; add.u32 %3, %40, 3; add.u32 %4, %40, 4; add.u32 %5, %40, 5; add.u32 %6, %40, 6; add.u32 %7, %40, 7; "
                 "add.u32 %8, %40, 8; add.u32 %9, %40, 9; add.u32 %10, %40, 10; add.u32 %11, %40, 11; add.u32 %12, %40, 12; add.u32 %13, %40, 13; add.u32 %14, %40, 14; add.u32 %15, %40, 15; "
                 "add.u32 %16, %40, 16; add.u32 %17, %40, 17; add.u32 %18, %40, 18; add.u32 %19, %40, 19; add.u32 %20, %40, 20; add.u32 %21, %40, 21; add.u32 %22, %40, 22; add.u32 %23, %40, 23; "
                 "add.u32 %24, %40, 24; add.u32 %25, %40, 25; add.u32 %26, %40, 26; add.u32 %27, %40, 27; add.u32 %28, %40, 28; add.u32 %29, %40, 29; add.u32 %30, %40, 30; add.u32 %31, %40, 31; "
                 "add.u32 %32, %40, 32; add.u32 %33, %40, 33; add.u32 %34, %40, 34; add.u32 %35, %40, 35; add.u32 %36, %40, 36; add.u32 %37, %40, 37; add.u32 %38, %40, 38; add.u32 %39, %40, 39; "
                 : "=r"(r[0]),"=r"(r[1]),"=r"(r[2]),"=r"(r[3]),"=r"(r[4]),"=r"(r[5]),"=r"(r[6]),"=r"(r[7]),"=r"(r[8]),"=r"(r[9]),
                   "=r"(r[10]),"=r"(r[11]),"=r"(r[12]),"=r"(r[13]),"=r"(r[14]),"=r"(r[15]),"=r"(r[16]),"=r"(r[17]),"=r"(r[18]),"=r"(r[19]),
                   "=r"(r[20]),"=r"(r[21]),"=r"(r[22]),"=r"(r[23]),"=r"(r[24]),"=r"(r[25]),"=r"(r[26]),"=r"(r[27]),"=r"(r[28]),"=r"(r[29]),
                   "=r"(r[30]),"=r"(r[31]),"=r"(r[32]),"=r"(r[33]),"=r"(r[34]),"=r"(r[35]),"=r"(r[36]),"=r"(r[37]),"=r"(r[38]),"=r"(r[39]) : "r"(V(100)));
    I(r[0]); I(r[15]); I(r[16]); I(r[31]); I(r[39]); //= 100 115 116 131 139
END

BEGIN(scopes_and_branches)
    uint r;
    for (int i = 0; i < V(2); i++) {
        asm("{ .reg .pred p; .reg .u32 t;\n\t"
            "setp.gt.s32 p, %1, 0;\n\t"
            "@p bra DONE;\n\t"
            "mov.u32 t, 40;\n\t"
            "bra END;\n"
            "DONE: mov.u32 t, 50;\n"
            "END: add.u32 %0, t, %2; }" : "=r"(r) : "r"(i), "n"(2));
        I(r); //= 42 52
    }
    float f;
    asm("{ .reg .f32 t; neg.f32 t, %1; fma.rn.f32 %0, t, 0f40000000, %1; }" : "=f"(f) : "f"(V(3.0f)));
    F(f); //= -3.0
    double d;
    asm("div.rz.f64 %0, %1, %2;" : "=d"(d) : "d"(V(1.0)), "d"(4.0));
    F(d); //= 0.25
    ushort h;
    asm("cvt.sat.u8.s32 %0, %1;" : "=h"(h) : "r"(V(300)));
    I(h); //= 255
END

//@ block=32
BEGIN(lanes)
    uint lane, below, all;
    asm volatile("mov.u32 %0, %%laneid; mov.u32 %1, %%lanemask_lt;" : "=r"(lane), "=r"(below));
    I(lane); //= lid
    I(below == (1u << threadIdx.x) - 1); //= 1
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(all) : "r"(lane & 1));
    I(all); //= 0xaaaaaaaa
    uint other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(other) : "r"(lane));
    I(other == (lane ^ 1)); //= 1
END

__device__ int counter_[4];
BEGIN(memory)
    int *p = counter_;
    int v, old;
    asm volatile("st.global.u32 [%0+4], %1;" :: "l"(p), "r"(V(77)) : "memory");
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("ld.global.cg.u32 %0, [%1+4];" : "=r"(v) : "l"(p) : "memory");
    I(v); //= 77
    asm volatile("atom.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p + 1), "r"(3) : "memory");
    I(old); I(counter_[1]); //= 77 80
END

// What nvcc leaves undefined, as SCALE has it.
FN uint written_input(uint a, uint *after) {
    uint r;
    asm("add.u32 %1, %1, 1; mov.u32 %0, %1;" : "=r"(r) : "r"(a));
    *after = a;
    return r;
}
FN uint read_output(uint a) {
    uint r = a;
    asm("add.u32 %0, %0, 1;" : "=r"(r));
    return r;
}
struct Pair { short x, y; };
FN constexpr const char *scale(int n) {
    switch (n) {
    case 0: return ".lo";
    case 1: return ".hi";
    }
    return "?";
}
template <int N> FN uint product(uint a, uint b) {
    uint r;
    asm("mul%1.u32 %0, %2, %3;" : "=r"(r) : "C"(scale(N)), "r"(a), "r"(b));
    return r;
}

BEGIN(operands_beyond_their_constraints)
    uint a = V(5), after;
    I(written_input(a, &after)); I(after); I(read_output(V(7))); //= 6 5 8
    Pair p = {short(V(3)), short(V(4))}, q;
    asm("mov.b32 %0, %1;" : "=r"(q) : "r"(p));
    I(q.x); I(q.y); //= 3 4
    I(product<0>(V(0x10001), 0x10001)); I(product<1>(V(0x10001), 0x10001)); //= 0x20001 1
    // Outputs of several types; operands without a comma between them.
    uint i; float f; ulong w; ushort h;
    asm("{ add.u32 %0, %4, 1; mov.f32 %1, 0f3FC00000; cvt.u64.u32 %2, %5; cvt.u16.u32 %3, %4; }"
        : "=r"(i) "=f"(f), "=l"(w), "=h"(h) : "r"(V(6)) "r"(V(0x80000000)));
    I(i); I(f == 1.5f); I(w); I(h); //= 7 1 0x80000000 6
    asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p mov.u32 %0, 9; }" : "=r"(i) : "r"(V(0)));
    I(i); //= 7
END

// `"n"` of types narrower than a register: a table above 127 was taken for a negative number, and refused; so was `true`.
template <uchar T> FN uint by_table(uint a, uint b, uint c) {
    asm("lop3.b32 %0, %0, %1, %2, %3;" : "+r"(a) : "r"(b), "r"(c), "n"(T));
    return a;
}
BEGIN(narrow_constants)
    I(by_table<0x95>(V(0xf0), 0xcc, 0xaa)); //= 0xffffff95
    uint r;
    asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(V(4)), "n"(true));
    I(r); //= 5
END

__device__ int tile_source[8] = {40, 41, 42, 43, 44, 45, 46, 47};
FN int shared_word(uint address) {
    int v;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(v) : "r"(address));
    return v;
}

//@ block=8
BEGIN(addresses_of_shared_memory_in_32_bits)
    __shared__ int first[8];
    __shared__ long second[8];
    int t = threadIdx.x;
    first[t] = t * 3;
    second[t] = t * 5;
    __syncthreads();
    uint a = (uint)__cvta_generic_to_shared(first), b = (uint)__cvta_generic_to_shared(second + (t ^ 1));
    I(shared_word(a + 4 * (t ^ 3)) == (t ^ 3) * 3); //= 1
    I(shared_word(b) == (t ^ 1) * 5); //= 1
    __syncthreads();
    asm volatile("{ .reg .b32 w; add.u32 w, %1, 1; st.shared.b32 [%0+4], w; }" :: "r"(b), "r"(t));
    __syncthreads();
    I((int)(second[t] >> 32) == (t ^ 1) + 1); //= 1
    // What is made for tiles.
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(a + 4 * t), "l"(&tile_source[t]), "r"(t & 4));
    asm volatile("cp.async.wait_all;");
    I(first[t] == (t < 4 ? 0 : t + 40)); //= 1
END
