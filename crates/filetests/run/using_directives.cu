// What `using namespace` brings: beside what is declared around, not behind it, and not before it.

namespace ud_p {
__device__ int f(float) { return 1; }
namespace q {
__device__ int f(double) { return 3; }
}
}
__device__ int ud_f(int) { return 4; }
namespace ud_p {
__device__ int ud_f(float) { return 5; }
}
__device__ int ud_before() { return ud_f(1.5f); }
using namespace ud_p;
__device__ int ud_after() { return ud_f(1.5f); }

BEGIN(functions_brought_are_overloads_of_those_around)
    I(ud_before()); I(ud_after()); I(ud_f(V(1))); //= 4 5 4
END

namespace ud_a {
__device__ int g(char) { return 6; }
namespace b {
__device__ int h(float) { return 7; }
}
__device__ int h(int) { return 8; }
__device__ int early() { return h(2.5f); }
using namespace b;
__device__ int late() { return h(2.5f); }
}
__device__ int g(float) { return 60; }

BEGIN(directives_count_from_where_they_stand)
    I(ud_a::early()); I(ud_a::late()); //= 8 7
END

namespace ud_d { __device__ int k(float) { return 9; } enum { ud_en = 10 }; }
namespace ud_e { __device__ int k(double) { return 11; } using namespace ud_d; }
__device__ int k(int) { return 12; }
__device__ int ud_blocks() {
    int r = k(1.5f);
    {
        using namespace ud_d;
        r = r * 100 + k(1.5f);
    }
    return r * 100 + k(1.5f);
}
__device__ int ud_transitive() { using namespace ud_e; return k(1.5f) * 100 + k(1.5); }
struct UdMember { __device__ int k(char) { return 13; } __device__ int m() { using namespace ud_d; return k(1.5f); } };
__device__ int ud_lambdas() {
    auto before = [](float x) { return k(x); };
    using namespace ud_d;
    auto after = [](float x) { return k(x) + ud_en; };
    return before(1.5f) * 100 + after(1.5f);
}
__device__ int ud_local() { using namespace ud_d; struct L { __device__ int m() { return k(1.5f) + ud_en; } }; return L().m(); }
template <class T> __device__ int ud_template(T x) { using namespace ud_d; return k(x); }

BEGIN(directives_of_blocks_end_with_them)
    I(ud_blocks()); I(ud_transitive()); I(UdMember().m()); I(ud_lambdas()); //= 120912 911 13 1219
    I(ud_local()); I(ud_template(1.5f)); I(ud_template(1)); I(k(V(1.5f))); //= 19 9 12 12
END

namespace ud_x { struct X {}; namespace hidden { __device__ int of(X, float) { return 14; } } using namespace hidden; }
__device__ int of(ud_x::X, int) { return 15; }
namespace ud_v { inline namespace v1 { struct T {}; __device__ int ad(T, float) { return 16; } } __device__ int ad(T, int) { return 17; } }

BEGIN(directives_are_nothing_to_the_types_of_arguments)
    I(of(ud_x::X(), 1.5f)); I(ad(ud_v::T(), 1)); I(ad(ud_v::T(), 1.5f)); //= 15 17 16
END

// What is left for later names what was declared where it stands.
struct UdBase {};
struct UdDerived : UdBase {};
__device__ int of_class(UdBase) { return 18; }
struct UdFields { int v = of_class(UdDerived()), w = 3; int x = w; __device__ UdFields(int w) : v(w) {} };
struct UdAll { int v = of_class(UdDerived()); __device__ int take(int a = of_class(UdDerived())) { return a; } };
__device__ int ud_default(int a = of_class(UdDerived())) { return a; }
__device__ int ud_in_local() { struct L { int v = of_class(UdDerived()); }; L l; return l.v; }
__device__ int of_class(UdDerived) { return 19; }

BEGIN(defaults_name_what_was_declared_before_them)
    UdAll all;
    I(all.v); I(UdAll().v); I(all.take()); I(ud_default()); I(ud_in_local()); I(of_class(UdDerived())); //= 18 18 18 18 18 19
    UdFields fields(V(7));
    I(fields.v); I(fields.x); //= 7 3
END
