// Structures, unions, bit-fields, arrays, pointers, initialisers. For both dialects.

struct Point { int x, y; };
struct Mixed { char c; short s; long l; uchar d; float f; };
struct Nested { struct Point p[2]; struct { int a; union { int b; float f; uchar bytes[4]; } u; } in; char tail; };
union Pun { uint u; float f; uchar b[4]; ushort s[2]; };
struct Bits { int a : 3; uint b : 5; int c : 24; uint d : 1; long e : 40; uchar f : 2; };
struct Straddle { ushort a : 7; ushort b : 12; uint c : 31; uint : 0; uint d : 3; };

FN struct Point make(int x, int y) { struct Point p; p.x = x; p.y = y; return p; }
FN struct Point add(struct Point a, struct Point b) { a.x += b.x; a.y += b.y; return a; }
FN int norm(struct Point p) { return p.x * p.x + p.y * p.y; }
FN void scale(struct Point *p, int k) { p->x *= k; p->y *= k; }
FN struct Nested nest(int k) {
    struct Nested n = {{{k, k + 1}, {k + 2, k + 3}}, {k + 4, {k + 5}}, (char)(k + 6)};
    return n;
}

BEGIN(structs)
    struct Point a = {V(1), V(2)}, b = a;
    b.x = 10;
    I(a.x); //= 1
    struct Point c = add(a, b);
    I(c.x * 100 + c.y); //= 1104
    I(a.x); //= 1
    scale(&c, V(3));
    I(c.x * 100 + c.y); //= 3312
    I(norm(make(V(3), 4))); //= 25
    I(make(V(7), 8).y); //= 8
    a = b = c;
    I(a.x + b.y); //= 45
    struct Mixed m = {V(-1), -2, -3, 255, 1.5f};
    I(m.c + m.s + m.l + m.d); //= 249
    F(m.f); //= 1.5
    I(sizeof(struct Mixed)); //= 24
    I(sizeof(struct Nested)); //= 28
    m.c += 200;
    I(m.c); //= -57
    m.d++;
    I(m.d); //= 0
    I(m.l); //= -3
    struct Nested n = nest(V(10)), o;
    I(n.p[1].y); //= 13
    I(n.in.a); //= 14
    I(n.in.u.b); //= 15
    I(n.tail); //= 16
    o = n;
    o.p[V(0)].x = 99;
    o.in.u.f = 1.0f;
    I(n.p[0].x); //= 10
    I(o.in.u.b); //= 1065353216
    I(o.in.u.bytes[3]); //= 63
    struct Point arr[3] = {{1, 2}, {3}};
    I(arr[V(1)].x + arr[1].y + arr[2].x); //= 3
    arr[2] = arr[V(0)];
    I(arr[2].y); //= 2
    struct Point *p = &arr[V(1)];
    p->y = 5;
    p++;
    I(p->x); //= 1
    I((p - 1)->y); //= 5
    *p = make(8, 9);
    I(arr[2].x * 10 + arr[2].y); //= 89
    I((V(1) ? a : b).x); //= 33
    I((V(0), c).y); //= 12
    struct Point z = {0};
    I(z.y); //= 0
    swapless:;
    int Point = 3;
    I(Point); //= 3
    struct Point { char q; } inner = {(char)V(300)};
    I(inner.q); //= 44
    I(sizeof(struct Point)); //= 1
END

BEGIN(unions)
    union Pun p;
    p.f = V(1.0f);
    I(p.u); //= 1065353216
    I(p.b[3]); //= 63
    I(p.s[1]); //= 16256
    p.u = 0x40490fdb;
    F(p.f); //= 3.1415927410125732
    p.b[0] = V(1);
    I(p.u); //= 1078529793
    I(sizeof(union Pun)); //= 4
    union Pun q = p;
    q.s[0] = 0;
    I(q.u); //= 1078525952
    I(p.u); //= 1078529793
    union { struct { int a, b; } s; long l; } u;
    u.l = V(0x100000002L);
    I(u.s.a * 10 + u.s.b); //= 21
END

BEGIN(bit_fields_of_an_object_without_initialiser)
    struct Bits b;
    b.b = V(5);
    b.d = 1;
    I(b.b); //= 5
    I(b.d); //= 1
    struct Straddle s[2];
    for (int i = 0; i < V(2); i++) { s[i].b = i + 3; s[i].a = 1; }
    I(s[1].b); //= 4
    I(s[0].a); //= 1
END

BEGIN(bit_fields)
    struct Bits b = {V(3), 31, -5, 1, -1, 2};
    I(b.a); //= 3
    I(b.b); //= 31
    I(b.c); //= -5
    I(b.d); //= 1
    I(b.e); //= -1
    I(b.f); //= 2
    b.a = V(5);
    I(b.a); //= -3
    b.a++;
    I(b.a); //= -2
    b.b += 1;
    I(b.b); //= 0
    b.b -= 1;
    I(b.b); //= 31
    b.c = V(0x1ffffff);
    I(b.c); //= -1
    b.e = V(1L << 39);
    I(b.e); //= -549755813888
    b.e >>= 3;
    I(b.e); //= -68719476736
    I(b.f = V(7)); //= 3
    I(b.f << 4); //= 48
    I(b.b - 32 < 0); //= 1
    I((uint)b.b - 32 < 0); //= 0
    I(b.d); //= 1
    I(sizeof(struct Bits)); //= 16
    struct Straddle s = {0};
    s.a = V(127); s.b = V(0xabc); s.c = V(0x7fffffff); s.d = V(5);
    I(s.a); //= 127
    I(s.b); //= 2748
    I(s.c); //= 2147483647
    I(s.d); //= 5
    s.b = 0;
    I(s.a); //= 127
    I(s.c); //= 2147483647
    s.c = 1;
    I(s.b + s.c + s.d); //= 6
    I(sizeof(struct Straddle)); //= 12
    struct Bits arr[2] = {{1}, {2, 3}};
    arr[V(1)].b = arr[V(0)].a + arr[1].b;
    I(arr[1].b); //= 4
    struct Bits *p = arr + V(1);
    p->c = -1;
    I(p->c); //= -1
    I(p->a); //= 2
END

BEGIN(arrays)
    int a[5] = {1, 2};
    I(a[0] + a[1] * 10 + a[V(2)] * 100 + a[4]); //= 21
    int m[2][3] = {{1, 2, 3}, {4}};
    I(m[V(1)][0]); //= 4
    I(m[1][V(2)]); //= 0
    int f[2][2] = {1, 2, 3, 4};
    I(f[V(1)][0]); //= 3
    I(sizeof(m)); //= 24
    I(sizeof(m[0])); //= 12
    I(sizeof(a) / sizeof(a[0])); //= 5
    char s[] = "hello";
    I(sizeof(s)); //= 6
    I(s[V(4)]); //= 111
    I(s[5]); //= 0
    char t[8] = "ab";
    I(t[V(1)] + t[2] + t[7]); //= 98
    char w[] = "a\0b" "c";
    I(sizeof(w)); //= 5
    I(w[3]); //= 99
    int u[] = {V(1), 2, 3,};
    I(sizeof(u)); //= 12
    int (*row)[3] = m;
    row++;
    I((*row)[0]); //= 4
    I(row[-1][2]); //= 3
    int *q = &m[0][0];
    I(q[V(3)]); //= 4
    I(*(*(m + 1) + V(0))); //= 4
    I(V(2)[a]); //= 0
    short cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    int sum = 0;
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) sum = sum * 3 + cube[k][i][j];
    I(sum); //= 6968
    long big[100];
    for (int i = 0; i < 100; i++) big[i] = (long)i * i;
    I(big[V(99)]); //= 9801
    float v[3] = {1, V(2), 3};
    F(v[0] / v[1] + v[2]); //= 3.5
END

FN int sum_of(const int *p, int n) { int s = 0; for (const int *e = p + n; p != e; ++p) s += *p; return s; }
FN void fill(int (*m)[4], int k) { for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = i * 4 + j + k; }
FN int third(int a[3]) { return a[2]; }
FN void set(int **p, int *to) { *p = to; }

BEGIN(pointers)
    int a[10];
    for (int i = 0; i < 10; i++) a[i] = i * i;
    I(sum_of(a, V(10))); //= 285
    I(sum_of(a + 2, V(3))); //= 29
    int *p = a + V(7), *q = &a[2];
    I(p - q); //= 5
    I(q - p); //= -5
    I(p > q); //= 1
    I(p == q + 5); //= 1
    I(*(p - 3)); //= 16
    I(p[-1]); //= 36
    p -= 2;
    I(*p); //= 25
    p += V(1L);
    I(*p); //= 36
    I((char *)p - (char *)q); //= 16
    int m[3][4];
    fill(m, V(1));
    I(m[2][3]); //= 12
    I(third(a)); //= 4
    int **pp = &p;
    *pp = q;
    I(*p); //= 4
    **pp = 77;
    I(a[2]); //= 77
    set(&q, a + 9);
    I(*q); //= 81
    int *ptrs[3] = {a, a + 1, a + 5};
    I(*ptrs[V(2)]); //= 25
    ptrs[V(0)] = q;
    I(*ptrs[0]); //= 81
    uchar *bytes = (uchar *)a;
    I(bytes[V(12)]); //= 9
    *(short *)(bytes + 4) = -1;
    I(a[1]); //= 65535
    void *v = a + 3;
    I(*(int *)v); //= 9
    I((long)(p + 1) - (long)p); //= 4
    const int *c = &a[V(4)];
    I(*c); //= 16
    struct Point pt = {V(1), 2};
    int *py = &pt.y;
    *py = 9;
    I(pt.y); //= 9
    struct Point *pts = &pt;
    I((*pts).x + pts->y + pts[0].y); //= 19
    I(&pts->y == py); //= 1
    I((&a[3])[1]); //= 16
    I(*&a[3]); //= 9
    float f = V(1.5f);
    I(*(int *)&f); //= 1069547520
    uint up = 3;
    I(*(a + up - 2)); //= 65535
END

CONST int primes[6] = {2, 3, 5, 7, 11};
CONST struct Point corners[2] = {{1, 2}, {3, 4}};
CONST float weights[2][2] = {{.5f, .25f}, {.125f}};
CONST char greeting[] = "hey";

BEGIN(constants)
    int s = 0;
    for (int i = 0; i < 6; i++) s += primes[V(i)];
    I(s); //= 28
    I(corners[V(1)].y); //= 4
    F(weights[V(0)][V(1)]); //= 0.25
    F(weights[V(1)][V(1)]); //= 0.0
    I(greeting[V(1)]); //= 101
    I(sizeof(greeting)); //= 4
    I(primes[3]); //= 7
    struct Point p = corners[V(0)];
    I(p.x + p.y); //= 3
END

// INFINITY and NAN are builtins in the headers.
CONST float limits[] = {INFINITY, -INFINITY, NAN, HUGE_VALF, 2 * INFINITY};
CONST double wide_limits[] = {INFINITY, -NAN, -HUGE_VAL};

BEGIN(infinities_did_not_initialise)
    F(limits[V(0)]); //= inf
    F(limits[V(1)]); //= -inf
    F(limits[V(2)]); //= nan
    F(limits[V(3)]); //= inf
    F(limits[V(4)]); //= inf
    F(wide_limits[V(0)]); //= inf
    F(wide_limits[V(1)]); //= nan
    F(wide_limits[V(2)]); //= -inf
    I(sizeof(limits)); //= 20
END

enum Color { RED, GREEN = 5, BLUE, DARK = -1, WIDE = 0x7fffffff };

BEGIN(enums)
    enum Color c = BLUE;
    I(c); //= 6
    I(DARK); //= -1
    I(c + GREEN); //= 11
    I(sizeof(c)); //= 4
    c = (enum Color)V(5);
    I(c == GREEN); //= 1
    int a[BLUE] = {0};
    I(sizeof(a)); //= 24
    enum { X = 1 << 4, Y = X | 1, Z = sizeof(long) * Y };
    I(Z); //= 136
    I(RED ? 1 : 2); //= 2
    I(WIDE); //= 2147483647
END

typedef struct Node { int value; struct Node *next; } Node;
typedef int Row[4];

BEGIN(types)
    Node n[3];
    for (int i = 0; i < 3; i++) { n[i].value = V(i) + 10; n[i].next = i < 2 ? &n[i + 1] : 0; }
    int s = 0;
    for (Node *p = n; p; p = p->next) s = s * 100 + p->value;
    I(s); //= 101112
    I(n[0].next->next->value); //= 12
    Row r = {1, 2, V(3)};
    I(r[2] + r[3]); //= 3
    Row rr[2] = {{1}, {2}};
    I(rr[1][0]); //= 2
    I(sizeof(Node)); //= 16
    I(sizeof(Row)); //= 16
    int x = V(1);
    { int x = 2; { int x = 3; I(x); } I(x); } //= 3 2
    I(x); //= 1
    for (int x = 5; x < 6; x++) I(x); //= 5
    volatile int v = V(4);
    v += v;
    I(v); //= 8
    const int k = V(9);
    I(k * k); //= 81
    I(sizeof x); //= 4
    I(sizeof(x++)); //= 4
    I(x); //= 1
    I(({ int t = V(5); t * t; })); //= 25
    I(({ int t = 0; for (int i = 0; i < V(4); i++) t += i; t; }) + 1); //= 7
    __typeof__(x) y = 8;
    I(y); //= 8
END
