// Statements: switch, goto, loops, jumps out of nests; side effects and their order. For both dialects.

FN int classify(int x) {
    switch (x) {
    case 0: return 10;
    default: x += 100;
    case 1: x += 1;
    case 2:
    case 3: x += 2; break;
    case -5: { x = 7; break; }
    case 'a': return 'A';
    }
    return x;
}

BEGIN(switches)
    for (int i = -6; i < 6; i++) I(classify(V(i))); //= 97 7 99 100 101 102 10 4 4 5 107 108
    I(classify(V('a'))); //= 65
    I(classify(V(1000000))); //= 1000103
    long l = V(5000000000L);
    switch (l) { case 705032704: I(1); break; case 5000000000L: I(2); break; default: I(3); } //= 2
    uchar c = V(255);
    switch (c) { case 255: I(4); break; case -1: I(5); break; } //= 4
    switch (V(3)) { int unused; case 3: unused = 9; I(unused); } //= 9
    switch (V(7)) { case 8: I(1); }
    switch (V(2)) case 2: I(77); //= 77
    switch (V(2)) default: I(78); //= 78
    int n = V(5), r = 0;
    switch (n) {
        while (n > 0) {
            r += 1;
    case 5: r += 10; n--;
    case 4: r += 100; n--;
        }
    }
    I(r); //= 332
    r = 0;
    for (int i = 0; i < V(10); i++) {
        switch (i % 4) {
        case 0: continue;
        case 1: r += i; break;
        case 2: if (i > 5) goto out; r += 100; break;
        default: r *= 2;
        }
        r++;
    }
out:
    I(r); //= 213
    switch (V(4)) { case 1 ... 3: I(100); break; case 4 ... 9: I(101); break; default: I(102); } //= 101
    switch (V(-3)) { case -5 ... -2: I(103); break; case 4 ... 9: I(104); break; default: I(105); } //= 103
    enum { A, B = 5, C, D = -2 };
    switch (V(6)) { case A: I(1); break; case B: I(2); break; case C: I(3); break; case D: I(4); } //= 3
END

BEGIN(loops)
    int s = 0;
    for (int i = 0; i < V(5); ++i) for (int j = i; j < 5; ++j) { if (j == 3) continue; if (i == 4) break; s += i * 10 + j; }
    I(s); //= 124
    int i = V(10), n = 0;
    while (i--) n += i;
    I(n); //= 45
    I(i); //= -1
    do { n--; } while (n > V(40));
    I(n); //= 40
    do n = V(3); while (0);
    I(n); //= 3
    for (;;) { if (++n > V(20)) break; }
    I(n); //= 21
    for (int a = 0, b = V(10); a < b; a++, b--) n += a * b;
    I(n); //= 91
    uint u = V(5u);
    for (; u-- > 0;) n += u;
    I(n); //= 101
    I(u); //= 4294967295
    for (uchar c = V(250); c > 5; c++) n++;
    I(n); //= 107
    for (int k = V(10); k > 0; k -= 3) n += k;
    I(n); //= 129
    for (int k = V(1); k < 1000; k *= 3) n += k;
    I(n); //= 1222
    for (int k = V(0); k < 0; k++) n += 1000;
    I(n); //= 1222
    long acc = 0;
    for (long k = V(-3L); k <= 3; k++) acc = acc * 7 + k;
    I(acc); //= -388896
    float f = 0;
    for (float x = V(0.0f); x < 1; x += 0.125f) f += x;
    F(f); //= 3.5
    int outer = 0;
    while (1) {
        int inner = 0;
        do {
            if (inner == V(3)) goto next;
            if (outer + inner == 9) goto done;
            inner++;
        } while (1);
next:
        outer++;
        if (outer > 50) break;
    }
done:
    I(outer); //= 7
    int t = 0;
    for (int k = 0; k < V(6); k++) {
        if (k == 2) continue;
        int m = 0;
        while (m < k) { m++; if (m == 4) goto skip; t += m; }
        t += 100;
skip:;
    }
    I(t); //= 319
    {
        int state = V(0), steps = 0;
s0:     steps++; if (state == 3) goto end; state++; goto s2;
s1:     steps += 10; goto s0;
s2:     steps += 100; if (state & 1) goto s1; goto s0;
end:
        I(steps); //= 324
    }
END

FN int bump(int *p) { return ++*p; }
FN int no(int *p) { *p += 10; return 0; }

BEGIN(side_effects)
    int n = V(0);
    I(bump(&n) && no(&n) && bump(&n)); //= 0
    I(n); //= 11
    I(no(&n) || bump(&n) || bump(&n)); //= 1
    I(n); //= 22
    I(n > 5 ? bump(&n) : no(&n)); //= 23
    I(n); //= 23
    I((bump(&n), bump(&n), n * 2)); //= 50
    int a[4] = {1, 2, 3, 4};
    int i = V(0);
    a[i++] = 10;
    I(a[0] + i); //= 11
    a[i++] += 5;
    I(a[1]); //= 7
    I(a[i--]); //= 3
    I(i); //= 1
    a[++i] *= 2;
    I(a[2]); //= 6
    i = V(2);
    a[i] = i = 1;
    I(i); //= 1
    int *p = a;
    I(*p++); //= 10
    I(*++p); //= 6
    I((*p)++); //= 6
    I(*p); //= 7
    I(--*p); //= 6
    I(*p--); //= 6
    I(p - a); //= 1
    int x = V(5);
    x = x++ + 1 > 5 ? x : -x;
    I(x); //= 6
    int y = (n = 3, n + 1);
    I(y); //= 4
    if (n == 3 || bump(&n)) y++;
    I(n); //= 3
    I(!(n == 3) || (y = 50)); //= 1
    I(y); //= 50
    for (int k = 0; k < 3 && no(&n) == 0; k++) y += n;
    I(y); //= 119
    n = 0;
    while (bump(&n) < V(7)) ;
    I(n); //= 7
    I(V(1) ? V(2) ? 3 : 4 : 5); //= 3
    I(V(0) ? 1 : V(0) ? 2 : 3); //= 3
END

FN ulong mixed(int c) { return c ? -1 : 1u; }

BEGIN(conditionals)
    I(mixed(V(1))); //= 4294967295
    I(V(1) ? (char)-1 : (short)5); //= -1
    I(V(0) ? 1.5f : 2); //= 2
    F(V(1) ? 1.5f : 2); //= 1.5
    F(V(0) ? 1.5 : V(2)); //= 2.0
    I((V(1) ? -1 : 0u) > 0); //= 1
    I((V(1) ? (long)-1 : 0u) > 0); //= 0
    I(sizeof(V(1) ? 1 : 1L)); //= 8
    int a = V(1), b = V(2);
    int *p = a < b ? &a : &b;
    *p = 100;
    I(a); //= 100
    I(b); //= 2
    p = V(0) ? &a : 0;
    I(p == 0); //= 1
    I(V(2) ? V(0) || V(3) : 9); //= 1
    if (V(0)) I(1); else if (V(0)) I(2); else I(3); //= 3
    if (V(1)) if (V(0)) I(4); else I(5); //= 5
    if (V(0.5f)) I(6); //= 6
    if (V(-0.0f)) I(7); else I(8); //= 8
    if (p) I(9); else I(10); //= 10
    while (V(1L << 40)) { I(11); break; } //= 11
    I(!V(0.1)); //= 0
    I(!p); //= 1
END

FN int fib(int n) { int a = 0, b = 1; while (n-- > 0) { int t = a + b; a = b; b = t; } return a; }
FN int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
FN int prime(int n) { for (int d = 2; d * d <= n; d++) if (n % d == 0) return 0; return n > 1; }
FN uint bits(uint x) { uint n = 0; for (; x; x &= x - 1) n++; return n; }
FN void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

BEGIN(algorithms)
    I(fib(V(40))); //= 102334155
    I(gcd(V(1071), V(462))); //= 21
    int n = 0;
    for (int i = 0; i < V(100); i++) n += prime(i);
    I(n); //= 25
    I(bits(V(0xdeadbeefu))); //= 24
    int a[8] = {5, 3, 8, 1, 9, 2, 7, 6};
    a[0] = V(5);
    for (int i = 0; i < 8; i++) for (int j = 0; j + 1 < 8 - i; j++) if (a[j] > a[j + 1]) swap(&a[j], a + j + 1);
    for (int i = 0; i < 8; i++) I(a[i]); //= 1 2 3 5 6 7 8 9
    uint h = 2166136261u;
    for (int i = 0; i < V(20); i++) { h ^= (uchar)(i * 37); h *= 16777619u; }
    I(h); //= 345439625
    uint crc = ~0u;
    for (int i = 0; i < V(9); i++) { crc ^= '1' + i; for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320u & -(crc & 1)); }
    I(~crc); //= 3421780262
    ulong seed = V(42ul);
    for (int i = 0; i < 5; i++) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; }
    I(seed); //= 5661411637479084162
    int m[3][3], r[3][3];
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { m[i][j] = i * 3 + j + V(1); r[i][j] = 0; }
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) r[i][j] += m[i][k] * m[k][j];
    for (int i = 0; i < 9; i++) I(r[i / 3][i % 3]); //= 30 36 42 66 81 96 102 126 150
    int collatz = 0;
    for (long x = V(27L); x != 1; x = x & 1 ? 3 * x + 1 : x / 2) collatz++;
    I(collatz); //= 111
    int sieve[64], count = 0;
    for (int i = 0; i < 64; i++) sieve[i] = 1;
    for (int i = 2; i < V(64); i++) if (sieve[i]) { count++; for (int j = i + i; j < 64; j += i) sieve[j] = 0; }
    I(count); //= 18
END

FN int after_labels(int x) {
unused: x = x + 1;
never: x = x * 10;
    if (x < 0) goto back;
    return x;
back: x = x - 5;
more: x = x * 2;
    return x;
}

// A label that is entered one way only, a loop that never comes back: what is stored behind it was lost.
BEGIN(stores_behind_labels_vanished)
    I(after_labels(V(3))); //= 40
    I(after_labels(V(-3))); //= -50
    int x = V(1);
    switch (x) { one: x += 1; case 7: x += 2; }
    I(x); //= 1
    switch (x) { case 1: again: x += 1; case 2: next: x += 2; }
    I(x); //= 4
    int y;
    do { if (V(0)) break; y = V(5); } while (0);
    I(y); //= 5
    int n = V(2), r = 0;
    goto middle;
    do { r += 100; middle: r += 10; } while (--n);
    I(r); //= 120
    int d = V(11), m = (d + 3) / 4, s = 0;
    switch (d % 4) { case 0: do { s += 1; case 3: s += 10; case 2: s += 100; case 1: s += 1000; } while (--m > 0); }
    I(s); //= 3332
END
