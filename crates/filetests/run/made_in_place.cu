// Aggregates whose default member initialisers name other members are made where they are going to be: pointers into themselves were
// to a temporary object.

struct MpArray { int d[3]; int *last = d + 2; };
struct MpAround { MpArray a; int k; };
struct MpMember { MpArray a; __device__ MpMember(int v) : a{{v, 5, 6}} {} };
struct MpSelf { MpSelf *self; int v; __device__ MpSelf(int v) : self(this), v(v) {} };
template <class T, int N> struct MpRange {
    T data[N];
    T *stop{data + N};
    __device__ T *begin() { return data; }
    __device__ T *end() { return stop; }
};
__device__ MpArray mp_made(int v) { return MpArray{{v, 2, 3}}; }
template <class R> __device__ int mp_sum(R &&r) {
    int s = 0;
    for (int x : r) s += x;
    return s;
}

BEGIN(aggregates_that_point_to_themselves_pointed_to_a_temporary)
    MpArray a{{1, 2, V(2)}};
    *a.last += 5;
    I(a.last - a.d); I(a.d[2]); //= 2 7
    MpAround b{{{1, 2, V(3)}}, 4};
    *b.a.last = 9;
    I(b.a.last - b.a.d); I(b.a.d[2]); //= 2 9
    MpMember m(V(1));
    I(m.a.last - m.a.d); I(*m.a.last); //= 2 6
    MpArray made = mp_made(V(7));
    I(made.last - made.d); I(made.d[0]); //= 2 7
    MpArray many[2] = {{{1, 2, 3}}, {{4, 5, V(6)}}};
    I(many[0].last - many[0].d); I(many[1].last - many[1].d); I(*many[1].last); //= 2 2 6
    const MpArray &kept = MpArray{{7, 8, V(9)}};
    I(kept.last - kept.d); I(*kept.last); //= 2 9
    MpRange<int, 3> r{1, 2, V(3)};
    I(mp_sum(r)); I(mp_sum(MpRange<int, 3>{4, 5, V(6)})); //= 6 15
    MpSelf s{MpSelf(V(4))};
    I(s.self == &s); I(*MpArray{{7, 8, V(3)}}.last); //= 1 3
END

__device__ constexpr int mp_known() {
    MpArray a{{1, 2, 3}}, many[2] = {{{1, 2, 3}}, {{4, 5, 6}}};
    MpAround z{{{1, 2, 3}}, 4};
    MpArray again = MpArray{{4, 5, 6}}, none;
    int n = (a.last - a.d) + (many[1].last - many[1].d) + (z.a.last - z.a.d) + (again.last - again.d) + (none.last - none.d);
    for (int i = 0; i < 3; ++i) {
        MpArray w{{i, 1, i}};
        n += *w.last;
    }
    return n;
}

BEGIN(constants_that_point_to_themselves)
    constexpr int n = mp_known();
    I(n); I(mp_known()); //= 13 13
END
