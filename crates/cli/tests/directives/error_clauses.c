// Wrong directives and clauses, each with its place and what was meant.
void f(int n, float *a) {
#pragma acc paralel loop
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop colapse(2)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc loop copy(a[0:n])
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop reduction(%:n)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop copy
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma acc parallel loop self(n > 1) self(n < 9)
    for (int i = 0; i < n; i++) a[i] = 1;
}
