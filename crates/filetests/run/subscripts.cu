// Subscripts that are initialiser lists, which only operators of classes take.

template <int N> struct ScAt {
    int v[N];
};
struct ScGrid {
    int cells[12];
    __device__ int &operator[](const ScAt<2> &at) { return cells[at.v[0] * 4 + at.v[1]]; }
    __device__ int operator[](const ScAt<2> &at) const { return -cells[at.v[0] * 4 + at.v[1]]; }
};
struct ScDerived : ScGrid {
    int more;
};
struct ScByPair {
    struct Pair { int a; float b; };
    __device__ float operator[](Pair p) const { return p.a + p.b; }
};

BEGIN(lists_as_subscripts_were_no_expressions)
    ScDerived g;
    for (int i = 0; i < 12; i++) g.cells[i] = i * V(1);
    g[{V(1), V(2)}] = 40;
    const ScGrid &c = g;
    I(g.cells[6]); I(g[{2, 1}]); I(c[{1, 2}]); //= 40 9 -40
    I(g[{}]); F(ScByPair()[{V(2), 0.5f}]); //= 0 2.5
END
