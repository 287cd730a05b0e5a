// test: ptx
// Sizes and alignments of nvcc's: `#pragma pack` says how bit-fields are aligned, whatever `packed` says, which had won.
template <int n> __global__ void k() {}
#pragma pack(push, 8)
struct A { char x0 : 4; unsigned long x2 : 62 __attribute__((packed)); };
struct B { char x0 : 4; short x1 : 9 __attribute__((packed)); };
struct __attribute__((packed)) C { char x0 : 4; short x1 : 14; unsigned long x2 : 62; };
union U { char x0 : 4; short x1 : 9 __attribute__((packed)); unsigned long x2 : 4 __attribute__((packed)); };
#pragma pack(2)
struct D { char x0 : 4; unsigned long x2 : 62 __attribute__((packed)); };
#pragma pack(pop)
#define X(n, T) template __global__ void k<n * 10000 + sizeof(T) * 100 + alignof(T)>();
X(1, A) X(2, B) X(3, C) X(4, D) X(5, U)
// check: .entry _Z1kILi11608EEvv(
// check: .entry _Z1kILi20202EEvv(
// check: .entry _Z1kILi31608EEvv(
// check: .entry _Z1kILi41002EEvv(
// check: .entry _Z1kILi50808EEvv(
