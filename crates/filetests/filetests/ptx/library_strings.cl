// test: ptx -arch=sm_80 -O0
// String literals of the builtin library and of the program had the same names, which no assembler takes.
kernel void k(global float *o) {
    o[0] = sin(o[1]);
    printf("one\n");
}
// check: .const .align 1 .b8 $$str0[5] = {111, 110, 101, 10};
// not: .const .align 1 .b8 $$str0
