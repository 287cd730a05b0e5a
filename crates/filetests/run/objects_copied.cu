// Rules of C++ that were understood otherwise: found by programs that another compiler judged (`filetests::cppgen`).
//@ file std=20

struct Counted {
    int n = 0, v;
    FN Counted(int v) : v(v) {}
    FN Counted(const Counted &c) : n(c.n + 1), v(c.v) {}
    FN Counted(Counted &&c) : n(c.n + 10), v(c.v) { c.v = -1; }
    FN Counted &operator=(const Counted &c) { n = c.n + 100; v = c.v; return *this; }
};
struct Holder { Counted c; int k = 3; FN Holder(int x) : c(x) {} };
struct Derived : Holder { FN Derived(int x) : Holder(x) {} };
struct Several { Counted c[2]; };
FN Counted given_back(Counted c) { return c; }

BEGIN(an_implicit_copy_copies_members_by_their_constructors)
    Holder a(V(5)), b = a, c(static_cast<Holder &&>(a));
    I(b.c.n); I(b.c.v); I(c.c.n); I(a.c.v); //= 1 5 10 -1
    Derived d(V(6)), e = d;
    I(e.c.n); I(e.c.v); I(e.k); //= 1 6 3
    Several s{{V(1), 2}}, t = s;
    I(t.c[0].n); I(t.c[1].n); I(t.c[1].v); //= 1 1 2
END

BEGIN(an_implicit_assignment_assigns_members)
    Several s{{V(1), 2}}, t{{3, 4}};
    t = s;
    I(t.c[0].n); I(t.c[1].v); //= 100 2
    Holder a(V(5)), b(7);
    b.k = 9;
    a = b;
    I(a.c.n); I(a.c.v); I(a.k); //= 100 7 9
END

BEGIN(a_parameter_that_is_returned_is_moved)
    Counted c = given_back(Counted(V(4)));
    I(c.n); I(c.v); //= 10 4
END

struct OfMutable { int n = 0; FN OfMutable() {} FN OfMutable(OfMutable &o) : n(o.n + 5) {} FN OfMutable(const OfMutable &o) : n(o.n + 1) {} };

BEGIN(of_two_constructors_for_copies_the_nearer_one)
    OfMutable a, b = a;
    const OfMutable c;
    OfMutable d = c;
    I(b.n); I(d.n); //= 5 1
END

struct Base { int b; FN Base(int b) : b(b) {} };
struct Copies : Base { FN Copies(int x) : Base(x) {} FN Copies(const Copies &o) : Base(o) { b += 1; } };

BEGIN(a_base_is_copied_from_a_derived_object)
    Copies a(V(3)), b(a);
    I(b.b); //= 4
END

struct Made { int a, b; FN Made(int a, int b) : a(a), b(b) {} FN Made() : a(1), b(2) {} };
struct Zeroed { int x; int y = 5; int z[3]; Made m = {1, 4}; };
template <class T> FN T made() { return T(); }

BEGIN(what_empty_parentheses_make_is_zeroed_first)
    Zeroed a = Zeroed(), b = made<Zeroed>();
    I(a.x); I(a.y); I(a.z[2]); I(a.m.b); //= 0 5 0 4
    I(b.x); I(b.z[1]); //= 0 0
END

struct Defaults { int a; int b = 4; Defaults() = default; };
struct Outer { int p; Defaults d; Defaults e[2]; };
struct OfBase : Outer { int last; };

BEGIN(what_a_list_leaves_out_has_its_defaults)
    Outer o{V(1)}, q{};
    I(o.d.b); I(o.e[1].b); I(q.d.b); //= 4 4 4
    OfBase d{};
    I(d.d.b); I(d.last); //= 4 0
END

union Either { Counted c; int q; FN Either() : q(4) {} FN ~Either() {} };

BEGIN(a_union_makes_the_member_that_is_named)
    Either e;
    I(e.q); //= 4
END

struct Ends { int *at, id; FN Ends(int *at, int id) : at(at), id(id) {} FN ~Ends() { *at = *at * 10 + id; } FN explicit operator bool() const { return id < 3; } };
FN int rounds() {
    int trace = 0, n = 1;
    while (Ends e{&trace, n}) {
        n++;
        if (n == 2) continue;
    }
    for (int i = 0; Ends e{&trace, i + 6 - 4}; ++i) break;
    return trace;
}

BEGIN(the_variable_of_a_condition_ends_in_each_round)
    I(rounds()); //= 1232
END

BEGIN(strings_of_wide_characters)
    I(sizeof(L"ab")); I(sizeof(U"x")); I(sizeof(u"xyz")); //= 12 8 8
    const wchar_t *w = L"x\x1234z";
    I(w[1]); I(w[2]); I(u'\x1234'); I(sizeof(L'a')); //= 0x1234 122 0x1234 4
END

namespace own {
struct List { int d[3]; };
FN int *begin(List &l) { return l.d; }
FN int *end(List &l) { return l.d + 3; }
}

BEGIN(begin_and_end_of_the_namespace)
    own::List l{{V(1), 2, 3}};
    int sum = 0;
    for (int &x : l) sum = sum * 10 + x++;
    I(sum); I(l.d[2]); //= 123 4
END

FN int length(...) { return -1; }
template <class T> FN auto length(const T &t) -> decltype(t.size()) { return t.size(); }
struct Sized { FN int size() const { return 7; } };

BEGIN(a_function_with_an_ellipsis_is_the_last_choice)
    int n = V(1);
    I(length(Sized())); I(length(n++)); I(n); //= 7 -1 2
END

template <auto... N> constexpr int sizes = (0 + ... + sizeof(decltype(N)));
template <class F> struct Parts;
template <class R, class... A> struct Parts<R(A...)> { static constexpr int n = sizeof...(A) + 10 * sizeof(R); };
template <class R, class... A> FN int parts(R (*)(A...)) { return Parts<R(A...)>::n; }
template <class R, class... A> FN int rest(R (*)(int, A...)) { return sizeof...(A); }
FN char three(int, char, short) { return 0; }
FN int none() { return 0; }

BEGIN(packs_in_types_of_functions_and_decltype)
    I((sizes<1, 'a', 2ll>)); I(Parts<int()>::n); I(Parts<char(int, int)>::n); //= 13 40 12
    I(parts(three)); I(parts(&none)); I(rest(three)); //= 13 40 2
END

template <class T, unsigned long N> FN int of_array(T (&)[N]) { return N * 10 + __is_const(T); }

BEGIN(elements_that_are_const_are_deduced)
    const char a[2] = {};
    int b[3];
    I(of_array(a)); I(of_array("abc")); I(of_array(b)); //= 21 41 30
END

struct Plain { int p; char c; };
struct OnPlain : Plain { char d; };
struct NotPlain { int p; char c; FN NotPlain() {} };
struct OnNotPlain : NotPlain { char d; };
struct Unnamed { char c; int : 5; };
union Narrow { short s : 9; unsigned : 10; };

BEGIN(layouts_of_bases_and_unnamed_fields)
    I(sizeof(OnPlain)); I(sizeof(OnNotPlain)); I(sizeof(Unnamed)); I(sizeof(Narrow)); //= 12 8 2 2
END

struct ToBoth { FN operator long() const { return 6; } FN operator char() { return 7; } };

BEGIN(conversion_functions_are_chosen_by_their_object_first)
    ToBoth a;
    const ToBoth b;
    int x = a, y = b;
    I(x); I(y); //= 7 6
END

template <class T> struct Mover { FN static T move(T t) { return t + 1; } };

BEGIN(a_template_may_have_a_function_named_move)
    I(Mover<int>::move(V(4))); //= 5
END

#include <compare>
BEGIN(an_ordering_on_the_right)
    I(0 < (V(2) <=> V(1))); I(0 > (V(1) <=> V(2))); I(0 >= (1.0 <=> 2.0)); //= 1 1 1
END
