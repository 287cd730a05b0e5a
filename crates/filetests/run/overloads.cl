// Functions of one name (`__attribute__((overloadable))`): they had one symbol, and were one function, the last.

//@ file std=300

#define MANY __attribute__((overloadable))

int MANY of_number(int a) {
    constant int t[3] = { 1, 2, 3 };
    return t[a];
}
int MANY of_number(float a) {
    constant int t[3] = { 7, 8, 9 };
    return t[(int)a];
}
int MANY __attribute__((noinline)) of_space(global const int *p) { return *p; }
int MANY __attribute__((noinline)) of_space(local const int *p) { return *p + 100; }
int MANY __attribute__((noinline)) of_space(private const int *p) { return *p + 1000; }
float MANY halves(float2 a) { return a.x + a.y; }
float MANY halves(float4 a) { return halves(a.lo) * halves(a.hi); }
double MANY halves(double2 a) { return a.x - a.y; }
// Declared before they are defined, in another order.
long MANY later(long a, int b);
int MANY later(int a, long b);
int uses(int a) { return (int)(later((long)a, 1) + later(1, (long)a)); }
int MANY later(int a, long b) { return a * 10 + (int)b; }
long MANY later(long a, int b) { return a * 1000 + b; }

// What the language provides, declared once more without `overloadable`: was "declared but not defined".
uint get_work_dim(void);
int printf(constant const char *format, ...) __attribute__((format(printf, 1, 2)));
int quiet(int a) {
    if (a < 0) {
        printf("%d\n", a);
    }
    return a + (int)get_work_dim();
}

// Beside what the language provides: others, the same once more, and one that is defined further on.
typedef struct { float x; } number;
number MANY max(number a, number b) { number r; r.x = max(a.x, b.x) + 100; return r; }
double MANY cos(double x, int y) { return x * y; }
float MANY fabs(float x);
float MANY floor(float x);
float of_numbers(float x, float y) { number a, b; a.x = x; b.x = y; return max(a, b).x; }
float rounded(float x) { return floor(x); }
float MANY floor(float x) { return x + 42; }

// Found by the types of the arguments, exactly, or else among all that the name stands for.
int MANY kind(char a) { return 1; }
int MANY kind(int a) { return 2; }
int MANY kind(double a, int b) { return 3; }
int MANY kind(int a, int b) { return 4; }
int MANY kind(number a) { return 7; }
int MANY kind(number *p) { return kind(*p) + 1; }
int MANY kind(int a);
// A tag of the same name is another thing.
struct kind { int a; };
int MANY kind(struct kind a) { return a.a; }

// Where a pointer's address space differs from both, what one adds to its qualifiers decides: it was ambiguous.
int MANY letters(char *a) { return 1; }
int MANY letters(const char *a) { return 2; }

BEGIN(of_qualified)
    char t[2] = { V(1), 2 };
    const char u[2] = { 3, 4 };
    I(letters(t)); I(letters(u)); //= 1 2
END

BEGIN(of_inexact)
    number n = { 1 };
    struct kind k = { V(9) };
    I(kind((char)V(1))); //= 1
    I(kind((short)V(1))); //= 2
    I(kind('x')); //= 2
    I(kind(V(1), (char)2)); //= 4
    I(kind((float)V(1), (char)2)); //= 3
    I(kind(n)); //= 7
    I(kind(&n)); //= 8
    I(kind(k)); //= 9
END

BEGIN(beside_the_provided)
    I(max(V(3), 7)); //= 7
    F(of_numbers(V(1.0f), 2)); //= 102.0
    F((float)cos(V(2.0), 3)); //= 6.0
    F(cos(V(0.0f))); //= 1.0
    F(fabs(V(-2.0f))); //= 2.0
    F(rounded(V(1.0f))); //= 43.0
END

BEGIN(of_types)
    I(of_number(V(1))); //= 2
    I(of_number(V(1.0f))); //= 8
    F(halves((float4)(1, 2, 3, V(4.0f)))); //= 21.0
    F(halves((float2)(1, V(2.0f)))); //= 3.0
    F((float)halves((double2)(1, V(2.0)))); //= -1.0
    I(uses(V(3))); //= 3014
END

BEGIN(of_spaces)
    local int l;
    int p = V(6);
    l = V(5);
    I(of_space(&l)); //= 105
    I(of_space(&p)); //= 1006
    global int *here = (global int *)out_;
    *here = V(7);
    int seven = of_space(here);
    I(seven); //= 7
END

BEGIN(provided_functions_declared_once_more)
    I(quiet(V(3))); //= 4
END
