#!/usr/bin/env python3
"""How compile time grows with a program: one kind of thing, so many times and ten times as many.

    cargo build --profile fast -p unspool-cli -p unspool-opencl
    scripts/growth.py [--bin target/fast/unspool] [--base SECONDS] [--rounds N] [KIND ...]

Each kind is written at a size that takes at least --base seconds of processor time (doubled until it does), and at ten times that
size; the ratio should stay below 12. With --rounds both sizes and the start of the process are measured so many times in turns, and
the ratio is of medians: a single measurement on a machine with other work is off by a quarter. For PTX and for machine code of this machine (`--target host`). What ends with an error says so:
limits are answers, too, if they come soon. With --instructions the ratio is of instructions by `valgrind --tool=callgrind`, which tells
code that does more from memory that no longer fits caches, and does not depend on what else runs.
"""
import argparse
import os
import re
import resource
import statistics
import subprocess
import tempfile

K = "kernel void k(global int *a, int n) { int i = get_global_id(0), x = a[i];\n%s\n a[i] = x; }\n"


def rows(n, row):
    return "\n".join(row(j) for j in range(n))


def tree(n):
    return "x" if n == 1 else "(%s + %s * %d)" % (tree(n // 2), tree(n - n // 2), n % 7 + 1)


KINDS = {
    "statements": lambda n: K % rows(n, lambda j: "x = x * %d + (n ^ %d);" % (j % 9 + 3, j)),
    "stores": lambda n: K % rows(n, lambda j: "a[i + %d] = x + %d;" % (j * 64, j)),
    "loads": lambda n: K % rows(n, lambda j: "x += a[i * %d + %d];" % (j % 3 + 1, j)),
    "locals": lambda n: K % (rows(n, lambda j: "int v%d = x + %d * n;" % (j, j)) + rows(n, lambda j: "x ^= v%d;" % j)),
    "expression": lambda n: K % ("x = %s;" % tree(n)),
    "sum in a row": lambda n: K % ("x = " + " + ".join("(n >> %d) * x" % (j % 31) for j in range(n)) + ";"),
    "conditions": lambda n: K % rows(n, lambda j: "if (x > %d) x = x * 3 - n; else x ^= %d;" % (j, j)),
    "else if": lambda n: K % " else ".join("if (n == %d) x += a[%d];" % (j * 3, j) for j in range(n)),
    "&& and ||": lambda n: K % ("if (%s) x = 1;" % " || ".join("(x > %d && n < %d)" % (j * 2, j * 3) for j in range(n))),
    "? :": lambda n: K % rows(n, lambda j: "x = n > %d ? x + %d : x * 3;" % (j, j)),
    "nested ? :": lambda n: K % ("x = " + "".join("n == %d ? x * %d : " % (j, j + 2) for j in range(n)) + "x;"),
    "switch cases": lambda n: K % ("switch (x) {%s}" % rows(n, lambda j: "case %d: x = n * %d + %d; break;" % (j * 3, j, j + 1))),
    "switches": lambda n: K % rows(n, lambda j: "switch (x & 3) { case 0: x += n; break; case 1: x ^= %d; break; default: x *= 3; }" % j),
    "loops": lambda n: K % rows(n, lambda j: "for (int j = 0; j < n; j++) x = x * 3 + a[j + %d];" % j),
    "loops that differ by lane": lambda n: K % rows(n, lambda j: "for (int j = x; j < x + n; j++) a[j + %d] ^= n;" % j),
    "unrolled loops": lambda n: K % rows(n, lambda j: "for (int j = 0; j < 8; j++) x = x * 3 + a[j + %d];" % j),
    "a loop's statements": lambda n: K % ("for (int j = 0; j < n; j++) {%s}" % rows(n, lambda j: "x = x * %d + a[j + %d];" % (j % 5 + 3, j))),
    "whiles with breaks": lambda n: K % rows(n, lambda j: "while (x > n) { x -= a[%d]; if (x == %d) break; }" % (j, j)),
    "gotos": lambda n: K % rows(n, lambda j: "if (x == %d) goto l%d; x += n; l%d: x ^= %d;" % (j, j, j, j)),
    "barriers": lambda n: "kernel void k(global int *a, local int *t, int n) { int i = get_local_id(0), x = a[i];\n%s\n a[i] = x; }" % rows(
        n, lambda j: "t[i] = x; barrier(CLK_LOCAL_MEM_FENCE); x += t[(i + %d) & 63]; barrier(CLK_LOCAL_MEM_FENCE);" % (j + 1)),
    "functions": lambda n: rows(n, lambda j: "int f%d(int x, int n) { return x * %d + n; }" % (j, j + 3)) + "\n" + K % rows(n, lambda j: "x = f%d(x, n);" % j),
    "functions in a chain": lambda n: "int f0(int x) { return x; }\n" + rows(n, lambda j: "int f%d(int x) { return f%d(x * %d) + 1; }" % (j + 1, j, j % 5 + 3)) + "\n" + K % ("x = f%d(x);" % n),
    "calls": lambda n: "__attribute__((noinline)) int f(int x, int n) { for (int j = 0; j < n; j++) x ^= x * j + n; return x; }\n" + K % rows(n, lambda j: "x = f(x, n + %d);" % j),
    "calls inlined": lambda n: "int f(int x, int n) { for (int j = 0; j < n; j++) x ^= x * j + n; return x; }\n" + K % rows(n, lambda j: "x = f(x, n + %d);" % j),
    "prototypes": lambda n: rows(n, lambda j: "int f%d(int x, float y);" % j) + "\n" + K % "",
    "unused functions": lambda n: rows(n, lambda j: "int f%d(int x) { return x + %d; }" % (j, j)) + "\n" + K % "",
    "overloads": lambda n: rows(n, lambda j: "typedef struct { int v; } S%d; int __attribute__((overloadable)) f(S%d s) { return s.v + %d; }" % (j, j, j))
    + "\n" + K % rows(n, lambda j: "{ S%d s = {x}; x = f(s); }" % j),
    "kernels": lambda n: rows(n, lambda j: "kernel void k%d(global int *a, int n) { int i = get_global_id(0); a[i] = a[i] * %d + n; }" % (j, j + 2)),
    "parameters": lambda n: "kernel void k(%s) { int i = get_global_id(0);\n%s }" % (", ".join("global int *p%d" % j for j in range(n)), rows(n, lambda j: "p%d[i] += %d;" % (j, j))),
    "number parameters": lambda n: "kernel void k(global int *a, %s) { int i = get_global_id(0), x = 0;\n%s a[i] = x; }" % (", ".join("int p%d" % j for j in range(n)), rows(n, lambda j: "x ^= p%d * %d;" % (j, j))),
    "struct members": lambda n: "struct S { %s };\nkernel void k(global struct S *s) { int i = get_global_id(0);\n%s }" % (rows(n, lambda j: "int m%d;" % j), rows(n, lambda j: "s[i].m%d += %d;" % (j, j))),
    "a private struct": lambda n: "struct S { %s };\n" % rows(n, lambda j: "int m%d;" % j) + K % ("struct S s;\n%s\n%s" % (rows(n, lambda j: "s.m%d = x + %d;" % (j, j)), rows(n, lambda j: "x ^= s.m%d;" % j))),
    "struct copies": lambda n: "struct S { int a, b, c, d; };\n" + K % ("struct S s = {x, n, x, n};\n%s x = s.a;" % rows(n, lambda j: "struct S s%d = s; s%d.a += %d; s = s%d;" % (j, j, j, j))),
    "structs": lambda n: rows(n, lambda j: "struct S%d { int a; struct { float b[%d]; } c; };" % (j, j + 1)) + "\n" + K % rows(n, lambda j: "x += sizeof(struct S%d);" % j),
    "enumerators": lambda n: "enum { %s };\n" % ", ".join("e%d = %d" % (j, j) for j in range(n)) + K % rows(n, lambda j: "x += e%d;" % j),
    "typedefs": lambda n: "typedef int t0;\n" + rows(n, lambda j: "typedef t%d t%d;" % (j, j + 1)) + "\n" + K % ("t%d y = x; x = y + 1;" % n),
    "macros": lambda n: rows(n, lambda j: "#define M%d(x) ((x) * %d + 1)" % (j, j)) + "\n" + K % rows(n, lambda j: "x = M%d(x);" % j),
    "macros in a chain": lambda n: "#define M0(x) (x)\n" + rows(n, lambda j: "#define M%d(x) M%d(x)" % (j + 1, j)) + "\n" + K % ("x = M%d(x);" % n),
    "a macro's arguments": lambda n: "#define SUM(...) sum(0, __VA_ARGS__)\n#define sum(a, ...) (a)\n" + K % ("x = SUM(%s);" % ", ".join(str(j) for j in range(n))),
    "conditional groups": lambda n: rows(n, lambda j: "#if defined(A%d) && %d > 3\nint u%d;\n#elif 1\n#define B%d\n#endif" % (j, j, j, j)) + "\n" + K % "",
    "else ifs": lambda n: K % ("int r = 0;" + " else ".join("if (x == %d) r = %d;" % (3 * j, j * 7 % 64) for j in range(n)) + "x = r;"),
    "else ifs with effects": lambda n: K % " else ".join("if (x == %d) { a[n + %d] = x; x += %d; }" % (3 * j, j, j * 7 % 64) for j in range(n)),
    "comments": lambda n: rows(n, lambda j: "/* some words %d */ // and others" % j) + "\n" + K % "",
    "initialisers": lambda n: "constant int t[] = {%s};\n" % ", ".join(str(j * 7 % 1009) for j in range(n)) + K % ("x = t[x & %d];" % (n - 1)),
    "designated initialisers": lambda n: "constant int t[%d] = {%s};\n" % (n, ", ".join("[%d] = %d" % (n - 1 - j, j) for j in range(n))) + K % ("x = t[x %% %d];" % n),
    "private initialisers": lambda n: K % ("int t[] = {%s}; x = t[x & %d];" % (", ".join("n + %d" % j for j in range(n)), n - 1)),
    "constant tables": lambda n: rows(n, lambda j: "constant int t%d[] = {1, 2, %d};" % (j, j)) + "\n" + K % rows(n, lambda j: "x += t%d[x %% 3];" % j),
    "program variables": lambda n: rows(n, lambda j: "global int g%d = %d;" % (j, j)) + "\n" + K % rows(n, lambda j: "g%d += x;" % j),
    "local arrays": lambda n: K % (rows(n, lambda j: "local int t%d[4];" % j) + rows(n, lambda j: "t%d[i & 3] = x; x += t%d[n & 3];" % (j, j))),
    "private arrays": lambda n: K % rows(n, lambda j: "int t%d[4] = {x, n, %d, 3}; x = t%d[x & 3];" % (j, j, j)),
    "vectors": lambda n: "kernel void k(global float4 *a, float s) { int i = get_global_id(0); float4 x = a[i];\n%s a[i] = x; }" % rows(n, lambda j: "x = x.yzwx * s + (float4)(%d, x.x, 1, 2);" % j),
    "mathematics": lambda n: "kernel void k(global float *a, float s) { int i = get_global_id(0); float x = a[i];\n%s a[i] = x; }" % rows(n, lambda j: "x = exp(x * s) + log(x + %d);" % (j + 1)),
    "atomics": lambda n: K % rows(n, lambda j: "atomic_add(a + %d, x);" % j),
    "printf": lambda n: K % rows(n, lambda j: 'if (n == %d) printf("a%d %%d\\n", x);' % (j, j)),
    "warnings": lambda n: K % rows(n, lambda j: "int u%d; x = x == n & 1;" % j),
    "errors": lambda n: K % rows(n, lambda j: "x = nowhere%d;" % j),
    "a row of tokens": lambda n: K % ("x = " + "-~" * n + "x;"),
    "digits": lambda n: "// " + "x" * n + "\n#define S \"" + "x" * n + "\"\n" + K % "",
}


# The same for CUDA C++: what only it has.
CU = "__global__ void k(int *a, int n) { int i = threadIdx.x, x = a[i];\n%s\n a[i] = x; }\n"
CUDA_KINDS = {
    "namespaces": lambda n: rows(n, lambda j: "namespace n%d { struct V { int v; }; __device__ inline int f(V x) { return x.v + %d; } }" % (j, j)) + "\n" + CU % rows(n, lambda j: "x += f(n%d::V{x});" % j),
    "disputed names": lambda n: rows(n, lambda j: "namespace n%d { struct a%d { int v; }; } namespace m%d { __device__ inline int a%d(int x) { return x; } }" % (j, j, j, j)) + "\n" + CU % rows(n, lambda j: "x += m%d::a%d(n%d::a%d{x}.v);" % (j, j, j, j)),
    "one namespace, opened again": lambda n: rows(n, lambda j: "namespace s { struct a%d { int v; }; __device__ inline int f%d(a%d x) { return x.v; } }" % (j, j, j)) + "\n" + CU % rows(n, lambda j: "x += s::f%d({x});" % j),
    "classes": lambda n: rows(n, lambda j: "struct C%d { int v; __device__ C%d(int x) : v(x) {} __device__ int get() const { return v + %d; } };" % (j, j, j)) + "\n" + CU % rows(n, lambda j: "x += C%d(x).get();" % j),
    "class templates": lambda n: rows(n, lambda j: "template <class T> struct C%d { T v; __device__ T get() const { return v + %d; } };" % (j, j)) + "\n" + CU % rows(n, lambda j: "x += C%d<int>{x}.get();" % j),
    "instances of a class": lambda n: "template <int N> struct C { int v; __device__ int get() const { return v + N; } };\n" + CU % rows(n, lambda j: "x += C<%d>{x}.get();" % j),
    "instances of a function": lambda n: "template <int N> __device__ int f(int v) { return v * N + N; }\n" + CU % rows(n, lambda j: "x += f<%d>(x);" % j),
    "instances of a kernel": lambda n: "template <int N> __global__ void k(int *a) { a[threadIdx.x] += N; }\nvoid host(int *a) {\n" + rows(n, lambda j: "k<%d><<<1, 32>>>(a);" % j) + "}\n",
    "deduced functions": lambda n: rows(n, lambda j: "template <class T> __device__ T f%d(T v) { return v + %d; }" % (j, j)) + "\n" + CU % rows(n, lambda j: "x += f%d(x);" % j),
    "overloads": lambda n: rows(n, lambda j: "struct S%d { int v; }; __device__ int f(S%d s) { return s.v + %d; }" % (j, j, j)) + "\n" + CU % rows(n, lambda j: "x += f(S%d{x});" % j),
    "overloads that are templates": lambda n: rows(n, lambda j: "template <class T> struct S%d { T v; }; template <class T> __device__ int f(S%d<T> s) { return s.v + %d; }" % (j, j, j)) + "\n" + CU % rows(n, lambda j: "x += f(S%d<int>{x});" % j),
    "specialisations": lambda n: "template <int N> struct C { };\n" + rows(n, lambda j: "template <> struct C<%d> { static constexpr int value = %d; };" % (j, j * 7)) + "\n" + CU % rows(n, lambda j: "x += C<%d>::value;" % j),
    "partial specialisations": lambda n: "template <class T, int N> struct C { };\n" + rows(n, lambda j: "template <class T> struct C<T, %d> { static constexpr int value = %d; };" % (j, j * 7)) + "\n" + CU % rows(n, lambda j: "x += C<int, %d>::value;" % j),
    "member functions": lambda n: "struct C { int v;\n" + rows(n, lambda j: "__device__ int f%d(int x) const { return v + x * %d; }" % (j, j)) + "};\n" + CU % ("C c{n};\n" + rows(n, lambda j: "x += c.f%d(x);" % j)),
    "overloads of a member": lambda n: rows(n, lambda j: "struct S%d { int v; };" % j) + "struct C { int v;\n" + rows(n, lambda j: "__device__ int f(S%d s) const { return v + s.v * %d; }" % (j, j)) + "};\n" + CU % ("C c{n};\n" + rows(n, lambda j: "x += c.f(S%d{x});" % j)),
    "data members": lambda n: "struct C {\n" + rows(n, lambda j: "int v%d = %d;" % (j, j)) + "};\n" + CU % ("C c;\n" + rows(n, lambda j: "x += c.v%d;" % j)),
    "static members": lambda n: "struct C {\n" + rows(n, lambda j: "static constexpr int v%d = %d;" % (j, j)) + "};\n" + CU % rows(n, lambda j: "x += C::v%d;" % j),
    "types of members": lambda n: "struct C {\n" + rows(n, lambda j: "using t%d = int;" % j) + "};\n" + CU % rows(n, lambda j: "x += C::t%d(%d);" % (j, j)),
    "enumerators": lambda n: "enum class E {\n" + rows(n, lambda j: "e%d," % j) + "};\n" + CU % rows(n, lambda j: "x += int(E::e%d) * x;" % j),
    "enumerations": lambda n: rows(n, lambda j: "enum class E%d { a, b = %d };" % (j, j)) + CU % rows(n, lambda j: "x += int(E%d::b) * x;" % j),
    "bases": lambda n: rows(n, lambda j: "struct B%d { int v%d; };" % (j, j)) + "struct C : " + ", ".join("B%d" % j for j in range(n)) + " { };\n" + CU % ("C c{};\n" + rows(n, lambda j: "x += c.v%d;" % j)),
    "derived classes": lambda n: "struct B { int v; __device__ int get() const { return v; } };\n" + rows(n, lambda j: "struct C%d : B { int w; };" % j) + CU % rows(n, lambda j: "x += C%d{{x}, %d}.get();" % (j, j)),
    "virtual functions": lambda n: "struct B { __device__ virtual int get(int x) const { return x; } };\n" + rows(n, lambda j: "struct C%d : B { __device__ int get(int x) const override { return x * %d; } };" % (j, j + 3)) + CU % (rows(n, lambda j: "C%d c%d;" % (j, j)) + rows(n, lambda j: "{ B *b = &c%d; x += b->get(x); }" % j)),
    "aliases": lambda n: "using t0 = int;\n" + rows(n, lambda j: "using t%d = t%d;" % (j + 1, j)) + CU % ("t%d y = x; x = y + 1;" % n),
    "alias templates": lambda n: "template <class T> using t0 = T;\n" + rows(n, lambda j: "template <class T> using t%d = T;" % (j + 1)) + CU % rows(n, lambda j: "{ t%d<int> y = x; x += y * 3; }" % j),
    "lambdas": lambda n: CU % rows(n, lambda j: "{ auto f = [=](int v) { return v * n + %d; }; x += f(x); }" % j),
    "generic lambdas": lambda n: CU % rows(n, lambda j: "{ auto f = [=](auto v) { return v * n + %d; }; x += f(x); }" % j),
    "lambdas given to a template": lambda n: "template <class F> __device__ int call(F f, int x) { return f(x); }\n" + CU % rows(n, lambda j: "x += call([=](int v) { return v * n + %d; }, x);" % j),
    "operators": lambda n: "struct V { int a, b; }; __device__ V operator+(V x, V y) { return {x.a + y.a, x.b ^ y.b}; }\n" + CU % ("V v{x, n};\n" + rows(n, lambda j: "v = v + V{x, %d};" % j) + "x = v.a + v.b;"),
    "overloaded operators": lambda n: rows(n, lambda j: "struct V%d { int a; }; __device__ V%d operator+(V%d x, V%d y) { return {x.a * y.a + %d}; }" % (j, j, j, j, j)) + CU % rows(n, lambda j: "x = (V%d{x} + V%d{n}).a;" % (j, j)),
    "types of a pack": lambda n: rows(n, lambda j: "struct S%d { static constexpr int v = %d; };" % (j, j)) + "template <class... T> __device__ int sum() { return (T::v + ... + 0); }\n" + CU % ("x += sum<%s>();" % ", ".join("S%d" % j for j in range(n))),
    "values of a pack": lambda n: "template <class... T> __device__ int sum(T... v) { return (v + ... + 0); }\n" + CU % ("x += sum(%s);" % ", ".join("x * %d" % j for j in range(n))),
    "constants of a pack": lambda n: "template <int... N> struct L { static constexpr int size = sizeof...(N); static constexpr int all[] = {N...}; };\n" + CU % ("x += L<%s>::all[3];" % ", ".join(str(j) for j in range(n))),
    "steps of constexpr": lambda n: "constexpr int f(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 + i; return s & 1023; }\n" + CU % ("constexpr int v = f(%d); x += v;" % n),
    "constexpr calls": lambda n: "constexpr int f(int n) { int s = 0; for (int i = 0; i < 5; i++) s = s * n + i; return s & 1023; }\n" + CU % rows(n, lambda j: "{ constexpr int v = f(%d); x += v * x; }" % j),
    "conditions known": lambda n: "template <int N> __device__ int f(int x) {\n" + rows(n, lambda j: "if constexpr (N == %d) x *= %d;" % (j, j)) + " return x; }\n" + CU % "x = f<1>(x);",
    "concepts": lambda n: rows(n, lambda j: "template <class T> concept c%d = requires(T t) { t + %d; };" % (j, j)) + rows(n, lambda j: "template <c%d T> __device__ T f%d(T v) { return v * %d; }" % (j, j, j)) + CU % rows(n, lambda j: "x += f%d(x);" % j),
    "friends": lambda n: rows(n, lambda j: "struct C%d { int v; friend __device__ int f(C%d c) { return c.v * %d; } };" % (j, j, j)) + CU % rows(n, lambda j: "x += f(C%d{x});" % j),
    "using declarations": lambda n: "namespace s {\n" + rows(n, lambda j: "__device__ inline int f%d(int x) { return x * %d; }" % (j, j)) + "}\n" + rows(n, lambda j: "using s::f%d;" % j) + CU % rows(n, lambda j: "x += f%d(x);" % j),
    "nested arguments": lambda n: "template <class T> struct C { T v; };\n" + CU % ("x += sizeof(%sint%s);" % ("C<" * n, ">" * n)),
    "nested namespaces": lambda n: "namespace a { " * n + "__device__ inline int f(int x) { return x; }" + "}" * n + "\n" + CU % ("x += %sf(x);" % ("a::" * n)),
    "references": lambda n: CU % rows(n, lambda j: "int &r%d = %s; r%d += n * %d;" % (j, "r%d" % (j - 1) if j else "x", j, j)),
    "objects with destructors": lambda n: "struct G { int &r; __device__ ~G() { r = r * 3 + 1; } };\n" + CU % rows(n, lambda j: "G g%d{x};" % j),
    "structured bindings": lambda n: "struct P { int a, b; }; __device__ P f(int x) { return {x * 3, x ^ 5}; }\n" + CU % rows(n, lambda j: "{ auto [p, q] = f(x + %d); x = p + q; }" % j),
    "device variables": lambda n: rows(n, lambda j: "__device__ int g%d = %d;" % (j, j)) + CU % rows(n, lambda j: "g%d += x;" % j),
    "shared arrays": lambda n: CU % rows(n, lambda j: "__shared__ int t%d[4]; t%d[i & 3] = x; x += t%d[n & 3];" % (j, j, j)),
    "assembly": lambda n: CU % rows(n, lambda j: 'asm volatile("add.s32 %%0, %%1, %d;" : "=r"(x) : "r"(x));' % j),
    "host functions": lambda n: rows(n, lambda j: "int h%d(int x) { return x + %d; }" % (j, j)) + CU % "" + "void host(int *a) { k<<<1, 32>>>(a, 3); }\n",
    "host classes": lambda n: "#include <vector>\n" + rows(n, lambda j: "struct H%d { std::vector<int> v; int get() { return v[%d]; } };" % (j, j)) + CU % "" + "void host(int *a) { k<<<1, 32>>>(a, 3); }\n",
    "launches": lambda n: rows(n, lambda j: "__global__ void k%d(int *a) { a[threadIdx.x] = %d; }" % (j, j)) + "void host(int *a) {\n" + rows(n, lambda j: "k%d<<<1, 32>>>(a);" % j) + "}\n",
    "unknown members": lambda n: "struct C { int v; };\n" + CU % ("C c{x};\n" + rows(n, lambda j: "x += c.w%d;" % j)),
}


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        r = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", timeout=LIMIT)
        how = "" if r.returncode == 0 else (r.stderr.split("\n")[0] or "rc %d" % r.returncode)[:70]
    except subprocess.TimeoutExpired:
        how = "more than %d s" % LIMIT
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, how


def instructions(command):
    """How many instructions a command takes, in thousands of millions."""
    r = subprocess.run(["valgrind", "--tool=callgrind", "--trace-children=yes", "--callgrind-out-file=/dev/null"] + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    # The command is replaced by that for this machine, which counts anew.
    return sum(int(n) for n in re.findall(r"Collected : (\d+)", r.stderr)) / 1e9


LIMIT = 100


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kinds", nargs="*", help="parts of names: only what has one")
    options.add_argument("--bin", default=os.path.join(os.path.dirname(__file__), "..", "target", "fast", "unspool"))
    options.add_argument("--base", type=float, default=0.05, help="least seconds of the smaller size [0.05]")
    options.add_argument("--rounds", type=int, default=1, help="measurements of each size [1]")
    options.add_argument("--target", choices=["ptx", "host"], action="append", help="only this one")
    options.add_argument("--least", type=float, default=0.0, help="say nothing of ratios below")
    options.add_argument("--instructions", action="store_true", help="ratios of instructions instead of seconds")
    o = options.parse_args()
    ways = {"ptx": ["-arch=sm_90", "--emit", "ptx"], "host": ["--target", "host", "--emit", "obj", "--local", "64"]}
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "k.out")

        def command(kind, n, way):
            of_cuda = kind.startswith("C++ ")
            path = os.path.join(folder, "k.cu" if of_cuda else "k.cl")
            open(path, "w").write(CUDA_KINDS[kind[4:]](n) if of_cuda else KINDS[kind](n))
            return [o.bin, "compile", path, "-w", "-std=c++20" if of_cuda else "-cl-std=CL2.0", "-o", out] + ways[way]

        def measure(kind, n, way):
            return seconds(command(kind, n, way))

        def growth(kind, n, way):
            """Thousands of millions of instructions at both sizes, without those of a start."""
            start, small, large = (instructions(command(*at, way)) for at in (("comments", 1), (kind, n), (kind, 10 * n)))
            return small - start, large - start, "G"

        names = list(KINDS) + ["C++ " + kind for kind in CUDA_KINDS]
        for way in o.target or list(ways):
            start = min(measure("comments", 1, way)[0] for _ in range(3))
            for kind in (k for k in names if not o.kinds or any(part in k for part in o.kinds)):
                n = 32
                while True:
                    small, how = measure(kind, n, way)
                    if how or small - start >= o.base or n >= 65536:
                        break
                    n *= 2
                if how:
                    print("%-32s %-4s %7d: %s (%.2f s)" % (kind, way, n, how, small), flush=True)
                    continue
                large, how = measure(kind, 10 * n, way)
                if o.instructions and not how:
                    small, large, unit = growth(kind, n, way)
                else:
                    sizes = [[], [small], [large]]
                    for _ in range(0 if how else o.rounds - 1):
                        for times, at in zip(sizes, (("comments", 1), (kind, n), (kind, 10 * n))):
                            times.append(measure(*at, way)[0])
                    begun, small, large = (statistics.median(times or [start]) for times in sizes)
                    small, large, unit = small - begun, large - begun, "s"
                ratio = large / max(small, 1e-3)
                if ratio >= o.least or how:
                    print("%-32s %-4s %7d %7.2f %s %7.2f %s  %5.1f %s" % (kind, way, n, small, unit, large, unit, ratio, how), flush=True)


if __name__ == "__main__":
    main()
