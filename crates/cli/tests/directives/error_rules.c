// Directives that are right by themselves and wrong together, or where they stand.
void clauses(int n, float *a, int s) {
#pragma acc parallel loop seq gang
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop tile(2) collapse(1)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop collapse(0) vector_length(-5)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop default(all)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop private(s) firstprivate(s)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop reduction(+:s) reduction(*:s)
    for (int i = 0; i < n; i++) s += 1;
#pragma acc parallel loop private(nobody)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc enter data async(1)
#pragma acc update if(n)
#pragma acc data if(n)
    { a[0] = 1; }
}
void places(int n, float *a) {
#pragma acc parallel loop
    while (n) n--;
#pragma acc parallel copy(a[0:n])
    {
#pragma acc update self(a[0:n])
#pragma acc loop gang
        for (int i = 0; i < n; i++) {
#pragma acc loop gang
            for (int j = 0; j < n; j++) a[i * n + j] = 1;
        }
#pragma acc kernels
        a[0] = 1;
    }
#pragma acc loop independent
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel
}
// Numbers that are constants, and are not.
enum { ONE = 1, SELF = SELF };
void numbers(int n, float *a) {
    const int two = 2;
#pragma acc parallel loop collapse(two)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop collapse(SELF) vector_length(ONE - 1)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop gang(dim:9)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop gang(num:0) worker(-1)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop copy(a[0:-1]) device_type(nvdia) num_gangs(2) device_type(cpu) num_workers(3)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc region for copy(a[3:ONE])
    for (int i = 0; i < n; i++) a[i] = 1;
}
// Its `loop` is for devices, and has an effect.
void bound(int n, float *a) {
#pragma acc loop
    for (int i = 0; i < n; i++) a[i] = 1;
}
#pragma acc routine vector bind(bound)
void binds(int n, float *a);
void called(int n, float *a) {
#pragma acc loop seq
    for (int i = 0; i < n; i++) a[i] = 1;
}
void calls(int n, float *a) {
#pragma acc parallel copy(a[0:n])
    called(n, a);
#pragma acc parallel loop tile(n / 2, *)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = 1;
}
void twice(int n, float *a) {
#pragma acc parallel loop gang gang vector
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop gang gang(dim:2)
    for (int i = 0; i < n; i++) a[i] = 1;
}
