// Alignments and sizes that attributes ask for, of types, members and variables: as GCC and clang lay them out.

typedef float Far __attribute__((aligned(64)));
typedef struct { char c; Far t; } A;
typedef struct { char c; int n __attribute__((packed)); } B;
typedef struct { char c; int n; } __attribute__((packed)) C;
typedef struct __attribute__((aligned(32))) { char c; } D;
typedef struct { char c; D d; } E;
typedef struct { char c; int n __attribute__((aligned(16))); } F;
typedef struct { char a; int b; } G __attribute__((aligned(32)));
typedef struct { char c; G g; } H;
typedef int Near __attribute__((aligned(1)));
typedef struct { char c; Near u; } I1;
typedef union { int a; char c[5]; } __attribute__((packed)) K;
typedef struct { int a:3; int :0; int b:4; char c; int d:30; } L;
typedef struct { char c; short s; long l; } __attribute__((packed, aligned(4))) M;
typedef enum __attribute__((packed)) { P, Q } N;
typedef enum { R = -1, S = 300 } __attribute__((packed)) O;

BEGIN(sizes)
    I(sizeof(A)); //= 128
    I(sizeof(B)); //= 5
    I(sizeof(C)); //= 5
    I(sizeof(D)); //= 32
    I(sizeof(E)); //= 64
    I(sizeof(F)); //= 32
    I(sizeof(G)); //= 8
    I(sizeof(H)); //= 64
    I(sizeof(I1)); //= 5
    I(sizeof(K)); //= 5
    I(sizeof(L)); //= 12
    I(sizeof(M)); //= 12
    I(sizeof(N)); //= 1
    I(sizeof(O)); //= 2
    I(__alignof__(Far)); //= 64
    I(__alignof__(A)); //= 64
    I(__alignof__(B)); //= 1
    I(__alignof__(G)); //= 32
    I(__alignof__(I1)); //= 1
    I(__alignof__(K)); //= 1
    I(__alignof__(M)); //= 4
END

BEGIN(values)
    A a[2];
    I1 i[3];
    a[V(1)].t = 3;
    i[V(2)].u = 7;
    i[V(1)].u = 5;
    i[0].c = 1;
    F(a[1].t); //= 3.0
    I(i[2].u * 10 + i[1].u); //= 75
    Far f = V(2);
    I((int)((size_t)&f % 64)); //= 0
    O o = V(1) ? S : R;
    I(o); //= 300
    o = (O)V(-1);
    I(o); //= -1
END
