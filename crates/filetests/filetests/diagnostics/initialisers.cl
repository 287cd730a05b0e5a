// test: diagnostics
struct S { int x; int y; };
kernel void k(global int *o, int i, char4 c) {
    struct S a = {{1, 2}};
    // check: warning[W0326]: excess elements in scalar initialiser [-Wexcess-initializers]
    struct S b = {{1}, 2};
    // check: warning[W0325]: braces around scalar initialiser [-Wbraced-scalar-init]
    struct S d = {{{1}}};
    // check: warning[W0325]: too many braces around scalar initialiser [-Wmany-braces-around-scalar-init]
    int e = {{{{1}}}};
    // check: W0325
    int f[2] = {1, 2, 3};
    // check: W0326
    // sameln: excess elements in array initialiser
    struct S g = {1, 2, 3};
    // check: excess elements in struct initialiser
    union { int x; float y; } h = {1, 2};
    // check: excess elements in union initialiser
    char j[3] = {"ab", "c"};
    // check: excess elements in char array initialiser
    char l[3] = "abcd";
    // check: string of 4 characters is too long
    int m = {1, nothing};
    // check: excess elements in scalar initialiser
    // check: error
    // sameln: `nothing`
    int n = {.x = 1};
    // check: error[E0366]
    int p = {1};
    int q[2] = {{}, 2};
    // not: W032
    o[0] = any(c ? 1 : 0);
    // check: error[E0428]
    // check: cast scalar arms to the condition's element: `(char)1`
}
