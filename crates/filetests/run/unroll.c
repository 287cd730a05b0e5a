// Unroll hints on loops with breaks, negative strides, no iterations, unknown and known trip counts. For both dialects.

BEGIN(unrolling)
    int s = 0;
#pragma unroll
    for (int i = 0; i < 10; i++) { if (i == V(7)) break; if (i & 1) continue; s += i; }
    I(s); //= 12
#pragma unroll 4
    for (int i = 0; i < V(10); i++) s += i;
    I(s); //= 57
#pragma unroll 3
    for (int i = V(10); i > 0; i -= 3) s = s * 2 + i;
    I(s); //= 1029
#pragma unroll
    for (int i = 5; i < V(5); i++) s = 0;
    I(s); //= 1029
#pragma unroll 8
    for (unsigned i = V(20u); i-- > 0;) s += i;
    I(s); //= 1219
#pragma unroll 4
    for (int i = 0; i < V(7); i++) { if (s > 1245) break; s++; }
    I(s); //= 1226
#pragma unroll 2
    for (long i = V(-5LL); i <= 5; i += 2) s += i;
    I(s); //= 1226
    int a[9];
#pragma unroll
    for (int i = 0; i < 9; i++) a[i] = i * V(2);
#pragma unroll 4
    for (int i = 8; i >= 0; i--) s += a[i] * (i % 3);
    I(s); //= 1310
    int k = V(3), it = 0;
#pragma unroll 4
    do { it++; k = k * 5 % 17; } while (k != 3);
    I(it); //= 16
#pragma unroll 4
    while (k < V(100)) k += k / 2 + 1;
    I(k); //= 107
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll 2
        for (int j = i; j < V(5); j++) { if (j == 3) continue; s += i * j; }
    I(s); //= 1341
    float f = 0;
#pragma unroll 5
    for (int i = 0; i < V(17); i++) f += i * 0.5f;
    F(f); //= 68.0
#pragma nounroll
    for (int i = 0; i < 3; i++) f *= 2;
    F(f); //= 544.0
    int n = 0;
#pragma unroll 4
    for (unsigned char c = V(250); c != 3; c++) n++;
    I(n); //= 9
#pragma unroll 16
    for (int i = 0; i < V(1); i++) n += 100;
    I(n); //= 109
END
