// test: diagnostics
#pragma STDC FP_CONTRACT
// check: warning
// sameln: W0202
// check: expected `ON`, `OFF` or `DEFAULT`
#pragma STDC FP_CONTRACT off
// check: expected `ON`, `OFF` or `DEFAULT`
#pragma STDC FP_CONTRACT OFF x
// check: extra tokens at the end of the pragma
#pragma clang fp contract(of)
// check: error
// sameln: E0212
// check: expected `fast`, `on` or `off`
#pragma clang fp contract
// check: expected `(` after `contract`
#pragma clang fp contracts(on)
// check: no option of `#pragma clang fp`
#pragma clang fp
// check: names no option
#pragma clang fp contract(on) reassociate(on)
// check: `reassociate` is ignored
struct s {
#pragma STDC FP_CONTRACT OFF
    int x;
};
// check: error
// sameln: E0213
kernel void k(global float *p) {
    p[0] = 1;
#pragma STDC FP_CONTRACT OFF
    // check: E0213
    for (int i = 0; i < 3; i++)
#pragma clang fp contract(off)
        // check: E0213
        p[i] = 1;
    label:
    _Pragma("OPENCL FP_CONTRACT ON") p[1] = 2;
    // check: E0213
    {
#pragma unknown_to_all
#pragma STDC FP_CONTRACT OFF
#pragma clang fp contract(fast)
        p[2] = 3;
    }
    // check: unknown pragma `unknown_to_all`
    // not: E0213
}
