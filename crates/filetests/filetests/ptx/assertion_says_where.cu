// test: ptx
// A failed assertion was a trap: nothing was printed, and the error was not the one that programs ask for.
#include <cassert>
__device__ void below(int i, int n) { assert(i < n); }
__global__ void k(int *p, int n) {
    below(p[threadIdx.x], n);
    assert(n > 3 && "too few");
    if (n == 7) __trap();
}
// check: .extern .func __assertfail(
// check: .global .align 1 .b8 __assert_text_0[19] = {110, 32, 62, 32, 51, 32, 38, 38,
// check: .global .align 1 .b8 __assert_text_3[6] = {105, 32, 60, 32, 110, 0};
// check: .entry _Z1kPii(
// check: trap;
// check: call 	__assertfail, (param0, param1, param2, param3, param4);
// check: call 	__assertfail, (param0, param1, param2, param3, param4);
