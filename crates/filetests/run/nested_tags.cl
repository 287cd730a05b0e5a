// Tags and enumerators that structures declare belong to what is around these (C11 6.2.1p4): they were unknown there.

struct Outer {
    int n;
    enum { FIRST, FIFTH = 5, SIXTH } which;
    struct Inner { short a; union Pun { int i; float f; } pun; } in;
};
typedef struct { enum Named { ZERO, MANY = 40 } named; } Holder;

FN int deep(struct Inner in, union Pun p) { return in.a * 100 + in.pun.i + p.i; }

BEGIN(around)
    struct Inner in = {V(3), {V(4)}};
    union Pun p = {V(5)};
    struct Outer o = {1, FIFTH, in};
    enum Named m = MANY;
    I(o.which); //= 5
    I(SIXTH + m); //= 46
    I(deep(o.in, p)); //= 309
    I(sizeof(struct Inner)); //= 8
END

BEGIN(in_blocks)
    struct Block { enum { LOW = 7, HIGH = 9 } e; struct Part { int z; } part; } b = {HIGH, {V(2)}};
    struct Part part = {LOW};
    I(b.e + b.part.z + part.z); //= 18
    {
        struct Block2 { enum { LOW = 70 } e; struct Part { char c, d; } part; } c = {LOW, {1, 2}};
        struct Part inner = {3, 4};
        I(c.e + inner.d + (int)sizeof inner); //= 76
    }
    I(LOW + (int)sizeof part); //= 11
    I(sizeof(struct { enum { LAST = 30 } e; }) + LAST); //= 34
END
