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

BEGIN(unrolling_by_variables)
    // Steps that are variables: the count divides by one.
    int s = 0, step = V(3);
    for (int i = V(1); i < V(20); i += step) s = s * 3 % 1009 + i;
    I(s); //= 704
    for (int i = V(5); i < V(5); i += step) s = -1;
    I(s); //= 704
    for (long i = V(-7); i < V(9); i += step) s += i;
    I(s); //= 707
    step = V(100);
    for (int i = 0; i < V(99); i += step) s++;
    I(s); //= 708
    // Starts and bounds that are variables of loops around.
    int n = V(6);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            if (i != j)
                for (int k = i; k < j; k++) s += k * j;
    I(s); //= 1016
    for (int i = n; i > 0; i--)
        for (int j = i; j < n; j++) s += i * j;
    I(s); //= 1156
    // Halving: at most so many rounds as there are digits.
    unsigned h = V(200u);
#pragma unroll
    for (; h > 0; h >>= 1) s += h & 1;
    I(s); //= 1159
    int g = V(-9);
#pragma unroll
    for (; g < -1; g >>= 1) s++;
    I(s); //= 1163
#pragma unroll
    for (int d = V(1000); d > 0; d /= 3) s += d % 2;
    I(s); //= 1167
    // A count and a way out, without a hint.
    int found = -1;
    for (int i = 0; i < 8; i++) {
        if (V(i) * 3 == V(15)) { found = i; break; }
    }
    I(found); //= 5
    found = -1;
    for (int i = 0; i < 8; i++) {
        if (V(i) == V(77)) { found = i; break; }
    }
    I(found); //= -1
    for (int i = 0; i < 100; i++) {
        s += V(i);
        if (s > V(1300)) break;
    }
    I(s); //= 1303
    // A private array, read up to a bound that is no constant.
    int a[12];
    for (int i = 0; i < 12; i++) a[i] = V(i) * i;
    for (int i = 0; i < V(12); i++)
        for (int j = i; j > 0; j--) s += a[j];
    I(s); //= 3019
    for (int j = 0; j < (V(13) & 7); j++) s += a[j];
    I(s); //= 3049
END
