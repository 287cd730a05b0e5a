// Integers of 128 bits, whose operations are made of those of their halves.

typedef unsigned __int128 u128;
typedef __int128 i128;
#define W(...) { u128 w = (u128)(__VA_ARGS__); I((long long)(w >> 64)); I((long long)w); }

FN u128 wide(unsigned long long high, unsigned long long low) { return (u128)high << 64 | low; }

BEGIN(arithmetic_of_128_bits)
    u128 a, b;
    a = wide(V(0x123456789abcdefull), V(0xfedcba9876543210ull)); b = wide(V(0x0ull), V(0x7ull));
    W(a + b) W(a - b) W(a * b) //= 0x123456789abcdef 0xfedcba9876543217 0x123456789abcdef 0xfedcba9876543209 0x7f6e5d4c3b2a18f 0xf8091a2b3c4d5e70
    W(a / b) W(a % b) //= 0x299c335ccf668f 0xffd663cca3309970 0x0 0x0
    W((i128)a / (i128)b) W((i128)a % (i128)b) //= 0x299c335ccf668f 0xffd663cca3309970 0x0 0x0
    I((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | ((i128)a < (i128)b) << 6
      | ((i128)a <= (i128)b) << 7 | ((i128)a > (i128)b) << 8 | ((i128)a >= (i128)b) << 9); //= 812
END

BEGIN(arithmetic_of_128_bits_2)
    u128 a, b;
    a = wide(V(0x8000000000000000ull), V(0x1234ull)); b = wide(V(0x123456789abcdefull), V(0xfedcba9876543210ull));
    W(a + b) W(a - b) W(a * b) //= 0x8123456789abcdef 0xfedcba9876544444 0x7edcba9876543210 0x123456789abe024 0xb60b60b60b60b4ab 0x49f49f49f49f4b40
    W(a / b) W(a % b) //= 0x0 0x70 0x91a2b3c4d5e700 0x7f6e5d4c3b2a2b34
    W((i128)a / (i128)b) W((i128)a % (i128)b) //= 0xffffffffffffffff 0xffffffffffffff90 0xff6e5d4c3b2a18ff 0x8091a2b3c4d5f934
    I((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | ((i128)a < (i128)b) << 6
      | ((i128)a <= (i128)b) << 7 | ((i128)a > (i128)b) << 8 | ((i128)a >= (i128)b) << 9); //= 236
END

BEGIN(arithmetic_of_128_bits_3)
    u128 a, b;
    a = wide(V(0xffffffffffffffffull), V(0xffffffffffffffffull)); b = wide(V(0x3ull), V(0x0ull));
    W(a + b) W(a - b) W(a * b) //= 0x2 0xffffffffffffffff 0xfffffffffffffffc 0xffffffffffffffff 0xfffffffffffffffd 0x0
    W(a / b) W(a % b) //= 0x0 0x5555555555555555 0x0 0xffffffffffffffff
    W((i128)a / (i128)b) W((i128)a % (i128)b) //= 0x0 0x0 0xffffffffffffffff 0xffffffffffffffff
    I((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | ((i128)a < (i128)b) << 6
      | ((i128)a <= (i128)b) << 7 | ((i128)a > (i128)b) << 8 | ((i128)a >= (i128)b) << 9); //= 236
END

BEGIN(arithmetic_of_128_bits_4)
    u128 a, b;
    a = wide(V(0xfffffffffffffffeull), V(0xffffffffffffffffull)); b = wide(V(0xffffffffffffffffull), V(0xffffffffffffffffull));
    W(a + b) W(a - b) W(a * b) //= 0xfffffffffffffffe 0xfffffffffffffffe 0xffffffffffffffff 0x0 0x1 0x1
    W(a / b) W(a % b) //= 0x0 0x0 0xfffffffffffffffe 0xffffffffffffffff
    W((i128)a / (i128)b) W((i128)a % (i128)b) //= 0x1 0x1 0x0 0x0
    I((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | ((i128)a < (i128)b) << 6
      | ((i128)a <= (i128)b) << 7 | ((i128)a > (i128)b) << 8 | ((i128)a >= (i128)b) << 9); //= 227
END

BEGIN(arithmetic_of_128_bits_5)
    u128 a, b;
    a = wide(V(0xffffffffffffffffull), V(0xffffffffffffffffull)); b = wide(V(0x1ull), V(0x0ull));
    W(a + b) W(a - b) W(a * b) //= 0x0 0xffffffffffffffff 0xfffffffffffffffe 0xffffffffffffffff 0xffffffffffffffff 0x0
    W(a / b) W(a % b) //= 0x0 0xffffffffffffffff 0x0 0xffffffffffffffff
    W((i128)a / (i128)b) W((i128)a % (i128)b) //= 0x0 0x0 0xffffffffffffffff 0xffffffffffffffff
    I((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | ((i128)a < (i128)b) << 6
      | ((i128)a <= (i128)b) << 7 | ((i128)a > (i128)b) << 8 | ((i128)a >= (i128)b) << 9); //= 236
END

BEGIN(arithmetic_of_128_bits_6)
    u128 a, b;
    a = wide(V(0x3ull), V(0x0ull)); b = wide(V(0xfffffffffffffffeull), V(0xffffffffffffffffull));
    W(a + b) W(a - b) W(a * b) //= 0x1 0xffffffffffffffff 0x4 0x1 0xfffffffffffffffd 0x0
    W(a / b) W(a % b) //= 0x0 0x0 0x3 0x0
    W((i128)a / (i128)b) W((i128)a % (i128)b) //= 0xffffffffffffffff 0xfffffffffffffffe 0x0 0xfffffffffffffffe
    I((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | ((i128)a < (i128)b) << 6
      | ((i128)a <= (i128)b) << 7 | ((i128)a > (i128)b) << 8 | ((i128)a >= (i128)b) << 9); //= 803
END

BEGIN(arithmetic_of_128_bits_7)
    u128 a, b;
    a = wide(V(0x123456789abcdefull), V(0xfedcba9876543210ull)); b = wide(V(0x3ull), V(0x0ull));
    W(a + b) W(a - b) W(a * b) //= 0x123456789abcdf2 0xfedcba9876543210 0x123456789abcdec 0xfedcba9876543210 0xfc962fc962fc9630 0x0
    W(a / b) W(a % b) //= 0x0 0x611722833944a5 0x0 0xfedcba9876543210
    W((i128)a / (i128)b) W((i128)a % (i128)b) //= 0x0 0x611722833944a5 0x0 0xfedcba9876543210
    I((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | ((i128)a < (i128)b) << 6
      | ((i128)a <= (i128)b) << 7 | ((i128)a > (i128)b) << 8 | ((i128)a >= (i128)b) << 9); //= 812
END

BEGIN(arithmetic_of_128_bits_8)
    u128 a, b;
    a = wide(V(0x8000000000000000ull), V(0x1234ull)); b = wide(V(0xffffffffffffffffull), V(0xffffffffffffffffull));
    W(a + b) W(a - b) W(a * b) //= 0x8000000000000000 0x1233 0x8000000000000000 0x1235 0x7fffffffffffffff 0xffffffffffffedcc
    W(a / b) W(a % b) //= 0x0 0x0 0x8000000000000000 0x1234
    W((i128)a / (i128)b) W((i128)a % (i128)b) //= 0x7fffffffffffffff 0xffffffffffffedcc 0x0 0x0
    I((a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | ((i128)a < (i128)b) << 6
      | ((i128)a <= (i128)b) << 7 | ((i128)a > (i128)b) << 8 | ((i128)a >= (i128)b) << 9); //= 227
END

BEGIN(shifts_of_128_bits)
    u128 a = wide(V(0xf123456789abcdefull), V(0xfedcba9876543210ull));
    W(a << V(0)) W(a >> V(0)) W((i128)a >> V(0)) //= 0xf123456789abcdef 0xfedcba9876543210 0xf123456789abcdef 0xfedcba9876543210 0xf123456789abcdef 0xfedcba9876543210
    W(a << V(1)) W(a >> V(1)) W((i128)a >> V(1)) //= 0xe2468acf13579bdf 0xfdb97530eca86420 0x7891a2b3c4d5e6f7 0xff6e5d4c3b2a1908 0xf891a2b3c4d5e6f7 0xff6e5d4c3b2a1908
    W(a << V(31)) W(a >> V(31)) W((i128)a >> V(31)) //= 0xc4d5e6f7ff6e5d4c 0x3b2a190800000000 0x1e2468acf 0x13579bdffdb97530 0xffffffffe2468acf 0x13579bdffdb97530
    W(a << V(63)) W(a >> V(63)) W((i128)a >> V(63)) //= 0xff6e5d4c3b2a1908 0x0 0x1 0xe2468acf13579bdf 0xffffffffffffffff 0xe2468acf13579bdf
    W(a << V(64)) W(a >> V(64)) W((i128)a >> V(64)) //= 0xfedcba9876543210 0x0 0x0 0xf123456789abcdef 0xffffffffffffffff 0xf123456789abcdef
    W(a << V(65)) W(a >> V(65)) W((i128)a >> V(65)) //= 0xfdb97530eca86420 0x0 0x0 0x7891a2b3c4d5e6f7 0xffffffffffffffff 0xf891a2b3c4d5e6f7
    W(a << V(100)) W(a >> V(100)) W((i128)a >> V(100)) //= 0x6543210000000000 0x0 0x0 0xf123456 0xffffffffffffffff 0xffffffffff123456
    W(a << V(127)) W(a >> V(127)) W((i128)a >> V(127)) //= 0x0 0x0 0x0 0x1 0xffffffffffffffff 0xffffffffffffffff
    W(a << (u128)V(5)) I(1ll << (i128)V(40)); W(-a) W(~a) //= 0x2468acf13579bdff 0xdb97530eca864200 1099511627776 0xedcba9876543210 0x123456789abcdf0 0xedcba9876543210 0x123456789abcdef
    W(a ^ a >> 64) W(a & 0xff) W(a | (u128)1 << 100) //= 0xf123456789abcdef 0xfffffffffffffff 0x0 0x10 0xf123457789abcdef 0xfedcba9876543210
END

BEGIN(conversions_of_128_bits)
    F((double)wide(V(0x123456789abcdefull), V(0xfedcba9876543210ull))); F((float)wide(V(0x123456789abcdefull), V(0xfedcba9876543210ull))); //= 1.512366075204171e+36 1.5123661118251883e+36
    F((double)(i128)wide(V(0x123456789abcdefull), V(0xfedcba9876543210ull))); F((float)(i128)wide(V(0x123456789abcdefull), V(0xfedcba9876543210ull))); //= 1.512366075204171e+36 1.5123661118251883e+36
    F((double)wide(V(0x100000ull), V(0x1000000000000001ull))); F((float)wide(V(0x100000ull), V(0x1000000000000001ull))); //= 1.934281426675557e+25 1.9342815419677076e+25
    F((double)(i128)wide(V(0x100000ull), V(0x1000000000000001ull))); F((float)(i128)wide(V(0x100000ull), V(0x1000000000000001ull))); //= 1.934281426675557e+25 1.9342815419677076e+25
    F((double)wide(V(0x100000ull), V(0x1000000000000000ull))); F((float)wide(V(0x100000ull), V(0x1000000000000000ull))); //= 1.934281426675557e+25 1.9342813113834067e+25
    F((double)(i128)wide(V(0x100000ull), V(0x1000000000000000ull))); F((float)(i128)wide(V(0x100000ull), V(0x1000000000000000ull))); //= 1.934281426675557e+25 1.9342813113834067e+25
    F((double)wide(V(0x7fffffffffffffffull), V(0xffffffffffffffffull))); F((float)wide(V(0x7fffffffffffffffull), V(0xffffffffffffffffull))); //= 1.7014118346046923e+38 1.7014118346046923e+38
    F((double)(i128)wide(V(0x7fffffffffffffffull), V(0xffffffffffffffffull))); F((float)(i128)wide(V(0x7fffffffffffffffull), V(0xffffffffffffffffull))); //= 1.7014118346046923e+38 1.7014118346046923e+38
    F((double)wide(V(0x8000000000000000ull), V(0x1ull))); F((float)wide(V(0x8000000000000000ull), V(0x1ull))); //= 1.7014118346046923e+38 1.7014118346046923e+38
    F((double)(i128)wide(V(0x8000000000000000ull), V(0x1ull))); F((float)(i128)wide(V(0x8000000000000000ull), V(0x1ull))); //= -1.7014118346046923e+38 -1.7014118346046923e+38
    F((double)wide(V(0x29dull), V(0x42b64e76714244cbull))); F((float)wide(V(0x29dull), V(0x42b64e76714244cbull))); //= 1.2345678901234568e+22 1.2345679377913908e+22
    F((double)(i128)wide(V(0x29dull), V(0x42b64e76714244cbull))); F((float)(i128)wide(V(0x29dull), V(0x42b64e76714244cbull))); //= 1.2345678901234568e+22 1.2345679377913908e+22
    W((u128)V(1e+30)) //= 0xc9f2c9cd0 0x4675000000000000
    W((i128)V(1e+30)) //= 0xc9f2c9cd0 0x4675000000000000
    W((i128)V(-1e+30)) //= 0xfffffff360d3632f 0xb98b000000000000
    W((u128)V(1.75)) //= 0x0 0x1
    W((i128)V(1.75)) //= 0x0 0x1
    W((i128)V(-1.75)) //= 0xffffffffffffffff 0xffffffffffffffff
    W((u128)V(1.2676506002282294e+30)) //= 0x1000000000 0x0
    W((i128)V(1.2676506002282294e+30)) //= 0x1000000000 0x0
    W((u128)V(0.25)) //= 0x0 0x0
    W((i128)V(0.25)) //= 0x0 0x0
    W((i128)V(-5)) W((u128)(unsigned)V(-5)) W((i128)(char)V(200)) I((int)wide(V(0x123456789abcdefull), V(0xfedcba9876543210ull))); I((bool)((u128)V(1) << 90)); //= 0xffffffffffffffff 0xfffffffffffffffb 0x0 0xfffffffb 0xffffffffffffffff 0xffffffffffffffc8 1985229328 1
    float f = V(1.5f); f += (i128)V(1000); F(f); //= 1001.5
    i128 n = V(7); n *= 2.5; W(n) //= 0x0 0x11
END

constexpr u128 K = (u128)0x0123456789abcdefull << 64 | 0xfedcba9876543210ull;
constexpr i128 M = -((i128)7 << 100);
constexpr u128 power(u128 b, int n) { u128 r = 1; while (n--) r *= b; return r; }
static_assert(M / 3 < 0 && M >> 99 == -14 && K % 10 == 0, "");
static_assert((u128)-1 > 0 && (i128)-1 < 0 && sizeof(u128) == 16 && alignof(i128) == 16, "");
struct pair { char c; u128 v; };
static_assert(sizeof(pair) == 32, "");
CONST u128 table[] = {K, 5, power(10, 30)};
template <class T> FN T gcd(T a, T b) { while (b) { T t = a % b; a = b; b = t; } return a; }
FN int which(int) { return 1; }
FN int which(i128) { return 2; }
FN int which(u128) { return 3; }

BEGIN(constants_of_128_bits)
    W(K) W(M) W(K / 3) W(table[V(0)]) W(table[V(2)]) //= 0x123456789abcdef 0xfedcba9876543210 0xffffff9000000000 0x0 0x611722833944a5 0x54f43e32d21c10b0 0x123456789abcdef 0xfedcba9876543210 0xc9f2c9cd0 0x4674edea40000000
    pair p; p.c = 1; p.v = table[V(1)]; p.v += p.c; p.v++; --p.v; W(p.v) //= 0x0 0x6
    W(gcd<u128>(K * V(6), table[2])) I(which(K)); I(which(M)); I(which(V(1))); //= 0x0 0xa0 3 2 1
    u128 z = V(1); for (int i = 0; i < 30; i++) z = z * 10; W(z) W(V(1) ? z : K) I(z == table[2]); //= 0xc9f2c9cd0 0x4674edea40000000 0xc9f2c9cd0 0x4674edea40000000 1
END
