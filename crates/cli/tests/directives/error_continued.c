// Errors on lines that continue a directive stand there, macros and comments or not.
#define N 100
#define SECTION copyin(b[0:n])
void f(int n, float *a, float *b) {
#pragma acc parallel loop SECTION /* a comment \
    over lines */ \
    copyot(a[0:N]) \
    num_gangs(0) \
    private(qq) vector_length( - 4 ) reduction(+:q)
    for (int i = 0; i < n; i++) a[i] = b[i];
#pragma acc data copy(a[0:n]) \
    tile(3)
    ;
#pragma acc enter data \
    copyin(a[0:n] \
    , b[0:zz])
#pragma acc parallel loop   collapse( \
    -3)
    for (int i = 0; i < n; i++) a[i] = b[i];
}
