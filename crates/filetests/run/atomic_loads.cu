// Loads that ask for no order, and initialisers that leave nearly nothing out.

BEGIN(relaxed_loads)
    int word = V(7);
    unsigned long long wide = 1ull << V(40);
    I(__nv_atomic_load_n(&word, __NV_ATOMIC_RELAXED)); //= 7
    I(__nv_atomic_load_n(&word, __NV_ATOMIC_SEQ_CST)); //= 7
    I((int)(__nv_atomic_load_n(&wide, __NV_ATOMIC_RELAXED) >> 40)); //= 1
END

struct Parts { unsigned a : 3, b : 5; int rest[6]; };

BEGIN(initialisers_with_gaps)
    const unsigned char text[] = "abcdefgh";
    int sum = 0;
    for (int n = V(0); n < 9; n++) sum += text[n] * (n + 1);
    I(sum); I(text[V(8)]); //= 3660 0
    int most[8] = {1, 2, 3, 4, 5, 6, 7}, few[8] = {1};
    I(most[V(6)]); I(most[V(7)]); I(few[V(0)]); I(few[V(5)]); //= 7 0 1 0
    Parts p = {5, 9, {1, 2, 3, 4, 5}};
    I(p.a); I(p.b); I(p.rest[V(4)]); I(p.rest[V(5)]); //= 5 9 5 0
END
