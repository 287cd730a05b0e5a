// test: diagnostics
struct S { int x; int y; };
__global__ void k(int *o) {
    S a = {{1, 2}};
    // check: error[E0360]: excess elements in scalar initialiser
    int b[2] = {1, 2, 3};
    // check: error[E0360]: excess elements in array initialiser
    char c[3] = "abcd";
    // check: error[E0367]
    S d = {{1}, 2};
    // check: warning[W0325]: braces around scalar initialiser
}
