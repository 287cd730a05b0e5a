// Directives in places that change what the program means, and what is no variable or no whole number.
int all[10], one, two;
float fraction;
int f(int);
#pragma acc declare copy(all)
#pragma acc declare create(one, one) copyin(two)
#pragma acc declare create(two)
#pragma acc declare
int branches(int n) {
    if (n)
#pragma acc update self(all)
        return 1;
    else
#pragma acc wait
        n++;
    while (n--)
#pragma acc enter data copyin(all)
        all[n] = 1;
    for (int i = 0; i < n; i++)
        do
#pragma acc exit data delete(all)
            n--;
        while (n > 3);
    if (n) {
#pragma acc update self(all)
    }
    return 0;
}
void operands(int n, int *p) {
#pragma acc parallel loop async(1.0) num_gangs(fraction) copy(p[0:1.5e1])
    for (int i = 0; i < n; i++) p[i] = 1;
#pragma acc parallel loop copyin(f) private(f) copy(p[fraction:n])
    for (int i = 0; i < n; i++) p[i] = 1;
#pragma acc wait(2.5)
}

void between(float *c) {
#pragma acc parallel
#pragma acc declare deviceptr(c)
    { c[0] = 1; }
}
