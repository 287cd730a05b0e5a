// Contraction. Of a = 1 + 2^-12 the square is 1 + 2^-11 + 2^-24, which single precision rounds to c = 1 + 2^-11: that a
// product was not rounded before the sum is seen in what is left of it.

#pragma STDC FP_CONTRACT OFF
FN float apart(float a, float c) { return a * a - c; }
FN float block_on(float a, float c) {
    float r = a * a - c;
    {
#pragma STDC FP_CONTRACT ON
        float unused = a * c;
    }
    return r + (c - a * a);
}
#pragma STDC FP_CONTRACT DEFAULT

FN float outside(float a) { return a; }

BEGIN(pragmas_against_contraction_were_dropped)
    float a = outside(V(1.000244140625f)), c = V(1.00048828125f);
    F(apart(a, c)); //= 0.0
    F(block_on(a, c)); //= 0.0
    {
#pragma STDC FP_CONTRACT OFF
        F(a * a - c); //= 0.0
        F(c - a * a); //= 0.0
        float s = -c;
        s += a * a;
        F(s); //= 0.0
        float p = -(a * a);
        F(p + c); //= 0.0
        for (int i = 0; i < V(3); i++) { float t = a * a; F(t - c); } //= 0.0 0.0 0.0
        if (V(1)) {
#pragma clang fp contract(fast)
            s = 0;
        }
        F(a * a - c); //= 0.0
        F(fma(a, a, -c)); //= 5.9604644775390625e-08
        F(({ float u = a * a; u - c; })); //= 0.0
    }
    F(({ _Pragma("STDC FP_CONTRACT OFF") a * a - c; })); //= 0.0
    {
#pragma clang fp contract(off)
        double d = V(1.0 + 0x1p-27), e = V(1.0 + 0x1p-26);
        F(d * d - e); //= 0.0
    }
    {
#pragma clang fp contract(on)
        float t = a * a;
        F(t - c); //= 0.0
    }
END
