"""The conditions of scripts/provable.py: statements before, and a condition that holds behind them.

Parameters: int x, n, m; unsigned u, w; long long l; unsigned long long h; short s; signed char c; unsigned char b; int *q.
ASSUME, UNREACHABLE_UNLESS and ASSERT are what they say; `T(e)` is a question within a function of the source.
"""

from pathlib import Path

PRELUDE = (Path(__file__).resolve().parent.parent / "crates/unspool/tests/provable/prelude.cu").read_text()

def bits():
    for k in (1, 2, 3, 5):
        yield "", f"((x << {k}) & {2**k - 1}) == 0"
        yield "", f"(x & ~{2**k - 1}) % {2**k} == 0"
        yield "", f"((u >> {k}) << {k}) % {2**k} == 0"
        yield "", f"(x | {2**k}) != 0"
    yield from [("", e) for e in (
        "((x | 1) & 1) == 1", "((x ^ x) | 4) == 4", "(x & 12) != 3", "(u & 0xf0) < 0xf1", "(u & 0xf0) % 16 == 0",
        "((u | 3) & 3) == 3", "(u | 0x80000000u) > 0x7fffffffu", "(int)(u & 0x7fffffff) >= 0", "(u & 6) != 1", "((x & 7) | 8) > 7",
        "((x * 4) & 3) == 0", "(x * x & 2) == 0", "((x * 2 + 1) & 1) == 1", "((x + x) & 1) == 0", "((x ^ (x << 1)) & 1) == (x & 1)",
        "(x & n & ~x) == 0", "(x & ~x) == 0", "(x | ~x) == -1", "(x ^ ~x) == -1", "((x & n) | (x & ~n)) == x",
        "(x ^ n ^ n) == x", "(~x ^ x) == -1", "((x | n) & x) == x", "((x & n) | x) == x", "(x & n) + (x | n) == x + n",
        "(x ^ n) + 2 * (x & n) == x + n", "(x | n) - (x & n) == (x ^ n)", "(x | n) == (x ^ n) + (x & n)", "-x == ~x + 1", "~(x - 1) == -x",
        "x - n == x + ~n + 1", "(x & ~n) - (~x & n) == x - n", "(u & w) <= u", "(u | w) >= w", "(u ^ w) <= (u | w)",
        "u - (u & w) == (u & ~w)", "(u & 0xff) + (u & ~0xffu) == u", "((u & 0xffff) | (u & 0xffff0000u)) == u", "(u ^ 0xffffffffu) == ~u", "__popc(u) <= 32",
        "__popc(u & 0xff) <= 8", "__popc(u | 1) >= 1", "__clz(x | 1) <= 31", "__clz(x & 255) >= 24", "(h & 7) < 8",
        "((h << 4) & 15) == 0", "(unsigned char)(u & 15) < 16", "(b & 0x100) == 0", "((b << 8) & 0xff) == 0", "((c | 1) & 1) != 0",
        "(l & 1) + ((l >> 1) << 1) == l", "((x * (x + 1)) & 1) == 0", "((x * x) & 3) != 2", "((x * x) & 3) != 3", "((x * x * x - x) & 1) == 0",
        "((2 * x + 1) * (2 * x + 1) & 7) == 1", "((x & 1) ^ ((x + 1) & 1)) == 1", "((x ^ n) & 1) == ((x + n) & 1)", "(x & 1) == (x * x & 1)", "((u & 3) * 4 & 3) == 0",
        "((u & 1) << 3 | 4) != 0", "(u & -u & (u - 1)) == 0 || u != 0", "((u ^ w) ^ (w ^ u)) == 0", "(((x & 1) + (n & 1)) & ~3) == 0", "((~u | ~w) == ~(u & w))",
        "(~(x | n) == (~x & ~n))", "((u & w) ^ (u | w)) == (u ^ w)", "(u & (w | u)) == u", "2 * (x | n) - (x ^ n) == x + n", "(u | w) + (u & w) == u + w",
    )]

def ranges():
    for k in (3, 7, 10, 64):
        yield "", f"x % {k} < {k}"
        yield "", f"u % {k} < {k}"
        yield "", f"x % {k} > -{k}"
        yield "", f"x / {k} <= 2147483647 / {k}"
    yield from [("", e) for e in (
        "u / 2 < 0x80000000u", "u >> 28 < 16", "(x >> 24) < 128", "(x >> 24) >= -128", "s < 32768", "c >= -128", "b <= 255",
        "(int)b + (int)b <= 510", "c * c <= 16384", "s * s >= 0", "x % 10 + n % 10 <= 18", "(x % 10) * (n % 10) <= 81", "(x % 10) * (n % 10) >= -81",
        "x % 5 - n % 3 < 7", "(x & 15) + (n & 15) <= 30", "(x & 15) * (n & 15) <= 225", "(u % 100) / 10 < 10", "(u % 100) % 10 <= 9",
        "(x > 3 ? 1 : -1) <= 1", "(x > 3 ? x : 4) > 3", "(x < 0 ? 0 : x) >= 0", "(x < 0 ? -x : x) >= 0", "min(x, 5) < 6", "max(x, 5) > 4", "max(x % 4, -2) >= -2",
        "min(max(x, 0), 10) <= 10", "max(min(x, 10), 0) >= 0", "clamp(x, 3, 9) >= 3", "clamp(x, 3, 9) <= 9", "(long long)x + n <= 4294967294LL",
        "(long long)x * n <= 4611686018427387904LL", "(unsigned long long)u * w <= 18446744065119617025ULL", "(unsigned long long)u + w >= u", "(h >> 32) <= 0xffffffffull",
        "(unsigned)b << 8 < 65536", "abs(c) <= 128", "(1 << (x & 3)) <= 8", "(100 >> (u & 7)) <= 100", "(x & 3) * 3 + 1 <= 10", "((x & 3) + 1) * ((x & 3) + 1) <= 16",
        "(x & 7) > (x & 7) - 1", "((x & 3) == 2 ? 8 : 4) % 4 == 0", "(x % 10) * (x % 10) <= 81", "(x % 10) * (x % 10) >= 0", "x * x >= 0", "(long long)x * x >= 0",
        "(x & 1) * (n & 1) <= 1", "(x & 255) / 16 <= 15", "(x & 255) % 16 + (x & 255) / 16 <= 30", "(u % 7) * (u % 7) % 7 != 3", "(u % 5) * (u % 5) < 17",
        "(signed char)x < 128", "(unsigned char)x < 256", "(short)x >= -32768", "(u > 9 ? 9 : u) <= 9", "(x & 1 ? 3 : 5) >= 3", "!!x <= 1", "(x == n) + (x < n) <= 2",
        "(x < n) + (x > n) + (x == n) == 1", "(x < n) + (n < x) <= 1", "(x & 0x3f) < 64 && (x & 0x3f) >= 0", "u % 16 <= u", "u / 3 <= u", "(u >> 3) <= u", "u % 10 + u / 10 * 10 == u",
        "x / 4 * 4 + x % 4 == x", "x - x / 7 * 7 == x % 7", "u / 16 * 16 <= u", "u - u / 16 * 16 < 16", "(u >> 4 << 4) + (u & 15) == u", "x % 8 - (x - x / 8 * 8) == 0",
    )]

def congruences():
    for k in (3, 5, 6, 12):
        yield "", f"(n * {k}) % {k} == 0"
        yield "", f"(n * {2 * k} + x * {k}) % {k} == 0"
        yield "", f"u / {k} * {k} % {k} == 0"
    yield from [("", e) for e in (
        "even(n * 2)", "even(n << 3)", "even(x & ~7)", "(n * 12) % 4 == 0", "n / 4 * 4 % 4 == 0", "(n * 8 + x * 4) % 4 == 0", "(x | 1) % 2 != 0",
        "(n * 4 + 2) % 4 != 0", "(n * 4 + 2) % 2 == 0", "(n * 4 + 1) % 4 != 2", "(n * 6 + 3) % 2 != 0", "(n * 6 + 3) % 3 == 0", "(x * 2) * (n * 2) % 4 == 0",
        "(x * 3) * (n * 5) % 15 == 0", "(x - n) * 8 % 8 == 0", "(x * 10 - n * 15) % 5 == 0", "(x * 4 != n * 4 + 2)", "(x * 6 != n * 6 + 1)", "x * 4 != 2", "x * 2 + 1 != n * 2",
        "x * 6 + 2 != 9", "(x + n) * 2 % 2 == 0", "x * n * 2 % 2 == 0", "(x * x + x) % 2 == 0", "x * (n + n) % 2 == 0", "(x << 2) % 4 == 0", "(x << 2) + (n << 3) != 6",
        "((long long)x * 8) % 8 == 0", "((long long)x * 12 + 6) % 6 == 0", "(x > 0 ? 4 : 8) % 4 == 0", "(x > 0 ? n * 2 : 6) % 2 == 0", "(x > 0 ? n * 3 : x * 6) % 3 == 0", "min(x * 4, n * 8) % 4 == 0",
        "(x * 4) / 2 % 2 == 0", "(x * 12) / 4 % 3 == 0", "(u & ~15u) / 8 % 2 == 0", "even(up(x))", "quads(up(x))", "up(x) % 4 == 0", "((x + 3) & ~3) % 4 == 0", "((x & ~3) + (n & ~7)) % 4 == 0",
        "(x & ~3) - (n & ~3) != 2", "((x ^ n) & ~3) % 4 == 0", "(x * 8) % 4 == (n * 8) % 4", "((u * 4) >> 1) % 2 == 0", "-(x * 2) % 2 == 0", "(6 * x - 9 * n) % 3 == 0", "(6 * x - 9 * n + 1) % 3 != 0",
    )]

def relations():
    yield from [
        ("if (x < n)", "x != n"), ("if (x < n)", "x <= n"), ("if (x < n)", "!(n < x)"), ("if (x < n)", "x + 1 <= n"), ("if (x < n)", "n > x"),
        ("if (x < n && n < m)", "x < m"), ("if (x < n && n < m)", "x + 1 < m"), ("if (x <= n && n <= m)", "x <= m"), ("if (x < n && n <= m)", "x < m"), ("if (x <= n && n <= x)", "x == n"),
        ("if (x >= 0 && x < n)", "n > 0"), ("if (x > 0 && n > 0)", "x + n > 1"), ("if (x > 0 && n > x)", "n > 1"), ("if (x + 1 < n)", "x < n"), ("if (x + 2 < n)", "x + 1 < n"),
        ("if (x + 1 < n)", "x < n - 1"), ("if (n > 10)", "n + 1 > 11"), ("if (n > 10)", "n * 2 > 20"), ("if (n > 10)", "n / 2 >= 5"), ("if (n > 10)", "n - 1 >= 10"),
        ("if (n > 10 && n < 20)", "n * n < 400"), ("if (n > 10 && n < 20)", "n % 32 == n"), ("if (n > 10 && n < 20)", "(n & ~31) == 0"), ("if (n >= 0)", "n / 2 <= n"), ("if (n >= 0)", "n % 8 >= 0"),
        ("if (n >= 0)", "n % 8 <= n"), ("if (n >= 0)", "(n & 7) == n % 8"), ("if (n > 0)", "n - 1 < n"), ("if (n > 0)", "(n - 1) / 2 < n"), ("if (n > 0)", "n != 0"),
        ("if (x == n)", "x * 2 == n * 2"), ("if (x == n)", "x - n == 0"), ("if (x == n + 1)", "x > n"), ("if (x == n + 1)", "x * 4 - n * 4 == 4"), ("if (x == n * 2)", "x % 2 == 0"),
        ("if (x == n * 4 + 2)", "x % 2 == 0"), ("if (x == n * 6)", "x % 3 == 0"), ("if (u < w)", "w > 0"), ("if (u < w)", "w - u > 0"), ("if (u < w)", "u + 1 <= w"),
        ("if (u < w)", "u != w"), ("if (u < w && w < 100)", "u < 99"), ("if (u < w && w < 100)", "u + w < 199"), ("if (u > 5)", "u - 5 > 0"), ("if (u > 5)", "u - 1 >= 5"),
        ("if (u < 10 && w < 10)", "u * w <= 81"), ("if (u < 10 && w < 10)", "u * 10 + w < 100"), ("if (u < 16)", "(u << 2) < 64"), ("if (x > n) ; else", "x <= n"), ("if (x > 5 || n > 5) ; else", "x + n <= 10"),
        ("if (!(x < 0 || x >= n))", "x < n && x >= 0"), ("if (!(x < 0 || x >= n))", "n >= 1"), ("if (x > n) if (n > m) if (m > 7)", "x > 9"), ("if (x > n && n > x - 2)", "x == n + 1"), ("if (x - n > 3 && n >= 0)", "x >= 4"),
        ("if (x + n == 10 && x == 4)", "n == 6"), ("if (x + n > 10 && x < 4)", "n > 7"), ("if (2 * x > 7)", "x >= 4"), ("if (3 * x < 10)", "x <= 3"), ("if (3 * x + 1 == 10)", "x == 3"),
        ("if (x % 2 == 1)", "x != n * 2"), ("if (x % 2 == 1)", "x > 0"), ("if (x > n && x < n + 2)", "x - n == 1"), ("if (x >= n * 2 && n >= 3)", "x >= 6"), ("if (x * 2 > n * 2)", "x > n"),
        ("if (min(x, n) > 3)", "x > 3"), ("if (max(x, n) < 3)", "x < 3 && n < 3"), ("", "min(x, n) <= x"), ("", "max(x, n) >= n"), ("", "min(x, n) <= max(x, n)"),
        ("", "min(x, n) + max(x, n) == x + n"), ("if (x < n)", "min(x, n) == x"), ("if (x < n)", "max(x, n) == n"), ("if (x < n)", "min(n, m) > x || m <= x"), ("if (x <= n)", "x - n <= 0"),
        ("if (x == 0 || x == 4 || x == 8)", "x % 4 == 0"), ("if (x == 0 || x == 4 || x == 8)", "x <= 8"), ("switch (x) case 3: case 5: case 7:", "x % 2 == 1"), ("switch (x) case 12:", "x == 12"), ("switch (x) case 3: case 5: case 7:", "x >= 3"),
        ("if (x & 1)", "x != 0"), ("if ((x & 3) == 2)", "x % 2 == 0"), ("if ((x & 3) == 2)", "((x + 2) & 3) == 0"), ("if ((x & 3) == 2)", "(x >> 1 & 1) == 1"), ("if (u & 0x80000000u)", "(int)u < 0"),
        ("if ((u & 1) == 0)", "((u + 1) & 1) == 1"), ("if ((u & 7) == 0)", "((u >> 1) & 3) == 0"), ("if ((u & w) == u)", "u <= w"), ("if (x < 0 != n < 0)", "x != n"), ("if (x > 0 ? n > 0 : n > 1)", "n > 0"),
        ("int t = x > 0 ? 4 : 8;", "t % 4 == 0"), ("int t; if (x > 0) t = n * 2; else t = m * 4;", "t % 2 == 0"), ("int t = 0; if (x > 3) t = x; if (t > 0)", "x > 3"), ("int t = 1; if (x > 5) t = 3; if (n > 5) t += 2;", "t >= 1 && t <= 5"), ("int t = x; if (t < 0) t = 0; if (t > 9) t = 9;", "t >= 0 && t <= 9"),
        ("int t = x; if (t < 0) t = 0; if (t > n) t = n;", "t <= n || n < 0"), ("int t = n; if (x < n) t = x;", "t <= n && t <= x"), ("int lo = x, hi = n; if (lo > hi) { int t = lo; lo = hi; hi = t; }", "lo <= hi"), ("unsigned d = u > w ? u - w : w - u;", "d <= max(u, w)"), ("int d = x > n ? x - n : n - x;", "d >= 0"),
    ]

def inlining():
    yield from [("", e) for e in (
        "twice(x)", "even(up(x) + 2)", "even(pick(x, n))", "quads((x & ~3) + up(n))", "positive((x & 7) + 1)", "positive(clamp(x, 1, 5))", "small(u & 0x7f)", "small(u % 200)", "small(b)",
        "small((unsigned)clamp(x, 0, 255))", "ordered(x & 7, 7)", "ordered(min(x, n), n)", "ordered(clamp(x, 2, 4), clamp(n, 4, 6))", "multiple<3>(x * 3)", "multiple<3>(x * 6 + n * 9)", "multiple<8>(up(x) * 2)",
        "multiple<5>(x * 10)", "multiple<7>(n / 7 * 7)", "below<16>(u >> 28)", "below<100>(u % 10 * (w % 10))", "below<32>(threadIdx.x & 31)", "even(total(4))", "multiple<6>(total(3))", "even(total(9)) && positive(total(2))",
        "even(even(x) ? n * 2 : 4)", "quads(twice(x) * 4)", "multiple<4>(x > 0 ? up(x) : up(n))",
    )]
    yield from [("if (x > 0)", "positive(x)"), ("if (x > 0)", "positive(x * 2)"), ("if (x < n)", "ordered(x, n)"), ("if (x < n && n < m)", "ordered(x + 1, m)"), ("if (x % 2 == 0)", "even(x)"),
        ("if (x % 4 == 0)", "even(x / 2)"), ("if (x % 8 == 0)", "even(x + 4)"), ("if (x % 8 == 0)", "quads(x + 4)"), ("if (x % 6 == 0)", "multiple<3>(x)"), ("if (x % 6 == 0)", "multiple<3>(x + 9)"),
        ("if (x % 6 == 0 && n % 9 == 0)", "multiple<3>(x + n)"), ("if (u < 10)", "small(u * 25)"), ("if (u < 10)", "below<64>(u * 7)")]

def unrolling():
    for k in (4, 8):
        yield f"for (int i = 0; i < {k}; i++)", f"i < {k}"
        yield f"for (int i = 0; i < {k}; i++)", "even(i * 2)"
        yield f"for (int i = 0; i < {k}; i++)", "(x * 4 + i * 4) % 4 == 0"
        yield f"for (int i = 0; i < {k}; i += 2)", "i % 2 == 0"
        yield f"for (int i = 0; i < {k}; i++) for (int j = 0; j < i; j++)", "j < i"
        yield f"for (int i = 1; i < {k}; i++)", f"u % i < {k}"
        yield f"int t = 0; for (int i = 0; i < {k}; i++) t += i * 2;", "t % 2 == 0"
        yield f"int t = x & ~3; for (int i = 0; i < {k}; i++) t += 4;", "t % 4 == 0"
    yield from [("int t = 1; for (int i = 0; i < 5; i++) t *= 2;", "t == 32"), ("int t = 0; for (int i = 0; i < 6; i++) t += i;", "t == 15"), ("unsigned t = u; for (int i = 0; i < 4; i++) t >>= 2;", "t < 0x1000000u"),
        ("int t = 0; for (int i = 0; i < 3; i++) t |= 1 << i;", "t == 7"), ("int t = 0; for (int i = 0; i < 4; i++) if (x >> i & 1) t++;", "t <= 4"), ("int t = x; for (int i = 0; i < 3; i++) t = up(t) + 4;", "t % 4 == 0"),
        ("#pragma unroll 4\n for (int i = 0; i < n; i++)", "i < n"), ("#pragma unroll 4\n for (int i = 0; i < n; i++)", "even(i * 2)"), ("#pragma unroll\n for (int i = 0; i < 16; i++)", "i * i <= 225"), ("#pragma unroll\n for (int i = 0; i < 8; i++)", "(i ^ 1) < 8")]

def loops():
    yield from [
        ("for (int i = 0; i < n; i++)", "i < n"), ("for (int i = 0; i < n; i++)", "i >= 0"), ("for (int i = 0; i < n; i++)", "n > 0"), ("for (int i = 0; i < n; i++)", "i + 1 <= n"), ("for (int i = 0; i < n; i++)", "n - i > 0"),
        ("for (int i = 0; i < n - 1; i++)", "i + 1 < n"), ("for (int i = 0; i < n; i += 4)", "i % 4 == 0"), ("for (int i = 0; i < n; i += 4)", "(i & 3) == 0"), ("for (int i = 0; i < n; i += 4)", "even(i)"), ("for (int i = 0; i < n; i += 6)", "i % 3 == 0"),
        ("for (int i = 3; i < n; i += 6)", "i % 3 == 0"), ("for (int i = 3; i < n; i += 6)", "i % 2 != 0"), ("for (int i = 1; i < n; i++)", "i > 0"), ("for (int i = 1; i < n; i *= 2)", "i > 0"), ("for (int i = 1; i <= n; i++)", "i >= 1 && i <= n"),
        ("for (int i = n; i > 0; i--)", "i > 0"), ("for (int i = n; i > 0; i--)", "i <= n"), ("for (int i = n - 1; i >= 0; i--)", "i < n"), ("for (int i = n; i > 0; i /= 2)", "i > 0"), ("for (unsigned i = u % 64; i > 0; i >>= 1)", "i < 64"),
        ("for (int i = 0; i < n; i++) for (int j = 0; j < i; j++)", "j < n"), ("for (int i = 0; i < n; i++) for (int j = 0; j < i; j++)", "j < i"), ("for (int i = 0; i < n; i++) for (int j = i; j < n; j++)", "i <= j"), ("for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++)", "i != j"), ("for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++)", "j > 0"),
        ("for (int i = 0; i < n; i++) if (i > 0)", "i - 1 >= 0"), ("for (int i = 0; i < n; i++) if (i > 0)", "i - 1 < n"), ("for (int i = 0; i < 100; i++)", "i <= 99"), ("for (int i = 0; i < 100; i++)", "i * i < 10000"), ("for (int i = 0; i < 100; i += 3)", "i % 3 == 0"),
        ("for (int i = 0; i < 100; i++)", "i / 10 < 10"), ("for (int i = 0, j = 10; i < n; i++, j += 2)", "j % 2 == 0"), ("for (int i = 0, j = 0; i < n; i++, j += 4)", "j % 4 == 0 && j >= 0"), ("int k = 0; for (int i = 0; i < n; i++) { if (x > i) k += 2; }", "k % 2 == 0"), ("int k = 1; for (int i = 0; i < n; i++) k = k * 3;", "k % 2 == 1 || k % 2 == -1"),
        ("int k = 0; for (int i = 0; i < n; i++) k = (k + 1) & 7;", "k < 8"), ("int k = 0; for (int i = 0; i < n; i++) k = k + 1 == 5 ? 0 : k + 1;", "k < 5"), ("int k = 0; for (int i = 0; i < n; i++) k = k == 4 ? 0 : k + 1;", "k >= 0 && k <= 4"), ("int k = 0; while (k < n) k += 2;", "k % 2 == 0"), ("int k = 0; while (k < n) k += 2;", "k >= n"),
        ("int k = 0; do { k++; } while (k < n);", "k >= 1"), ("unsigned k = u; while (k >= 10) k /= 10;", "k < 10"), ("unsigned k = u | 1; while (!(k & 0x80000000u)) k <<= 1;", "(k & 0x80000000u) != 0"), ("int k = 0; for (int i = 0; i < n; i++) k ^= 1;", "k == 0 || k == 1"), ("int k = 0; for (int i = 0; i < n; i++) k = max(k, q[i & 3]);", "k >= 0"),
        ("int k = 100; for (int i = 0; i < n; i++) k = min(k, q[i & 3]);", "k <= 100"), ("int k = 0; for (int i = 0; i < n; i++) k |= q[i & 3] & 12;", "k % 4 == 0"), ("int k = 0; for (int i = 0; i < n; i++) k = q[i & 3] & 31;", "k < 32"), ("for (int i = 0; i < n; i++) { int t = q[i & 3] * 2;", "t % 2 == 0"), ("for (int i = 0; i < n; i++) if (i % 2 == 0)", "(i & 1) == 0"),
        ("for (unsigned i = 0; i < w % 100; i++)", "i < 99"), ("for (unsigned i = threadIdx.x; i < w % 500; i += blockDim.x)", "i < 500"), ("for (unsigned i = threadIdx.x; i < w % 500; i += blockDim.x)", "i * 2 < 1000"), ("for (int i = threadIdx.x * 4; i < n; i += blockDim.x * 4)", "i % 4 == 0"), ("for (int i = 0, j = n; i < j; i++, j--)", "i < j"),
        ("for (int i = 0, j = n; i < j; i++, j--)", "j <= n"), ("for (int i = 0, j = n; i < j; i++, j--)", "i >= 0"), ("for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++)", "(i * 4 + j) / 4 == i"), ("for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++)", "i * 4 + j < n * 4"), ("for (int i = 0; i < n; i += 2) if (i + 1 < n)", "i < n - 1"),
    ]

def assumptions():
    for form in ("ASSUME({});", "UNREACHABLE_UNLESS({});", "ASSERT({});", "if ({})"):
        for fact, goal in (("n % 4 == 0", "even(n)"), ("n % 8 == 0", "even(n / 2)"), ("n % 8 == 0", "(n + 4) % 4 == 0"), ("n % 6 == 0", "n % 3 == 0"), ("n > 5", "n * 2 > 10"),
                ("x >= 0 && x < 64", "(x & 63) == x"), ("x < n", "x + 1 <= n"), ("u < 1000", "u / 10 < 100"), ("n % 32 == 0 && n > 0", "n >= 32"), ("(u & (u - 1)) == 0 && u == 16", "u % 8 == 0"),
                ("n != 0 && n % 2 == 0", "n != 1"), ("x == 3 || x == 5", "x % 2 == 1"), ("n % 16 == 0 && m % 16 == 0", "(n + m) % 16 == 0"), ("n % 16 == 0", "(n * m) % 16 == 0")):
            yield form.format(fact), goal
    yield from [("ASSUME(n % 4 == 0); for (int i = 0; i < n; i += 4)", "i + 3 < n"), ("ASSUME(n % 4 == 0); for (int i = 0; i < n; i += 4)", "(n - i) % 4 == 0"), ("ASSUME(n > 0 && n <= 32); for (int i = 0; i < n; i++)", "i < 32"),
        ("ASSUME(x >= 1); ASSUME(n >= x); ASSUME(m >= n);", "m >= 1"), ("ASSUME(blockDim.x == 64);", "threadIdx.x < 64"), ("ASSUME(blockDim.x == 64);", "blockDim.x % 32 == 0"), ("ASSUME(blockDim.x % 32 == 0);", "blockDim.x >= 32"), ("ASSUME(gridDim.x * blockDim.x == 4096 && blockDim.x == 64);", "gridDim.x >= 1")]

def pointers():
    yield from [("", e) for e in ("q + 1 != q", "&q[3] - &q[1] == 2", "(char *)(q + 2) - (char *)q == 8", "((unsigned long long)(q + 1) - (unsigned long long)q) == 4", "&q[x] == q + x")]
    yield from [
        ("__shared__ int t[64];", "(unsigned long long)&t[0] % 4 == 0"), ("__shared__ __align__(16) int t[64];", "(unsigned long long)&t[4] % 16 == 0"), ("__shared__ double t[8];", "(unsigned long long)&t[x & 7] % 8 == 0"), ("int t[4]; t[0] = x;", "&t[0] != 0"), ("int t[4]; t[0] = x;", "&t[1] != &t[2]"),
        ("ASSUME((unsigned long long)q % 16 == 0);", "(unsigned long long)(q + 4) % 16 == 0"), ("ASSUME((unsigned long long)q % 16 == 0);", "(unsigned long long)(q + 4 * x) % 16 == 0"), ("ASSUME((unsigned long long)q % 16 == 0);", "(unsigned long long)(q + 1) % 16 != 0"), ("if (((unsigned long long)q & 7) == 0)", "((unsigned long long)(q + 2) & 7) == 0"), ("int *t = (int *)__builtin_assume_aligned(q, 16);", "(unsigned long long)t % 16 == 0"),
        ("int *t = (int *)__builtin_assume_aligned(q, 32);", "(unsigned long long)(t + 8) % 16 == 0"), ("ASSUME(q != 0);", "q != 0"), ("int t = q[0];", "q != 0"), ("if (q)", "q != 0"), ("int *t = x > 0 ? q : q + 4; ASSUME((unsigned long long)q % 16 == 0);", "(unsigned long long)t % 16 == 0"),
        ("ASSUME((unsigned long long)q % 16 == 0); for (int i = 0; i < n; i += 4)", "(unsigned long long)(q + i) % 16 == 0"), ("const char *t = (const char *)q + 4; ASSUME((unsigned long long)q % 8 == 0);", "(unsigned long long)t % 4 == 0"), ("if (x < n)", "&q[x] != &q[n]"),
    ]

def registers():
    yield from [("", e) for e in (
        "threadIdx.x < 1024", "blockDim.x <= 1024", "gridDim.x > 0", "threadIdx.x < blockDim.x", "blockIdx.x < gridDim.x", "blockDim.y > threadIdx.y", "blockIdx.z != gridDim.z", "(int)threadIdx.x >= 0", "warpSize == 32",
        "threadIdx.x % warpSize < 32", "threadIdx.z < 64", "blockDim.z <= 64", "blockDim.x >= 1", "threadIdx.x + 1 <= blockDim.x", "blockDim.x - threadIdx.x >= 1", "blockDim.x - threadIdx.x <= 1024", "threadIdx.x / 32 < 32", "(threadIdx.x & 31) < 32", "threadIdx.x * 4 < 4096", "threadIdx.x * 4 % 4 == 0",
        "threadIdx.x + threadIdx.y * 1024 < 1048576", "(int)blockIdx.x >= 0", "blockIdx.y < 65535", "gridDim.y <= 65535", "blockDim.x * 2 > threadIdx.x", "blockDim.x + blockDim.y >= 2", "threadIdx.x <= 1023 && threadIdx.y <= 1023", "(threadIdx.x ^ 1) < 1024", "(threadIdx.x | 31) <= 1023", "threadIdx.x / blockDim.x == 0",
        "threadIdx.x % blockDim.x == threadIdx.x", "min(threadIdx.x, 31u) < 32", "(blockDim.x + 31) / 32 <= 32", "(blockDim.x + 31) / 32 >= 1", "blockIdx.x * 2 + 1 != gridDim.x * 2", "(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x < (unsigned long long)gridDim.x * blockDim.x || blockDim.x > 0", "blockDim.x * blockDim.y * blockDim.z >= 1",
    )]
    yield from [("if (threadIdx.x == 0)", "threadIdx.x < blockDim.x"), ("if (threadIdx.x < 32)", "(threadIdx.x & 31) == threadIdx.x"), ("if (threadIdx.x > 0)", "blockDim.x > 1"), ("if (threadIdx.x + 1 < blockDim.x)", "threadIdx.x < 1023"), ("if (blockIdx.x > 0)", "gridDim.x > 1"),
        ("unsigned t = threadIdx.x; for (unsigned k = 512; k > 0; k >>= 1) if (t < k)", "t < 512"), ("for (unsigned k = blockDim.x / 2; k > 0; k /= 2) if (threadIdx.x < k)", "threadIdx.x + k <= blockDim.x"), ("for (int k = 16; k > 0; k /= 2)", "k <= 16"),
        ("@bounds 128\n", "threadIdx.x < 128"), ("@bounds 128\n", "blockDim.x <= 128"), ("@bounds 128\n", "threadIdx.x / 32 < 4"), ("@bounds 128\n", "threadIdx.x * 2 < 256")]

FAMILIES = [bits, ranges, congruences, relations, inlining, unrolling, loops, assumptions, pointers, registers]

def conditions():
    """(family, statements before, condition), each once."""
    seen = set()
    for family in FAMILIES:
        for before, condition in family():
            if (before, condition) not in seen:
                seen.add((before, condition))
                yield family.__name__, before, condition
