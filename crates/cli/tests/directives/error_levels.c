// Calls and loops of levels that what is around them does not have, routines that are none, and branches over the ends of constructs.
int table[9];
#pragma acc routine(table) seq
#pragma acc routine seq
int one(int), two(int);
#pragma acc routine gang worker
void both(int *a);
#pragma acc routine gang
void gangs(int *a);
#pragma acc routine vector
int vectors(int x) { return x; }
int late(int x) { return x; }
#pragma acc routine(late) seq
#pragma acc routine(gangs) worker
#pragma acc routine worker
void workers(int *a) {
    gangs(a);
#pragma acc loop gang
    for (int i = 0; i < 9; i++) a[i] = 1;
#pragma acc loop vector
    for (int i = 0; i < 9; i++) a[i] = vectors(i);
}
#pragma acc routine gang
int sums(int n) {
    int s = 0;
#pragma acc loop gang reduction(+:s)
    for (int i = 0; i < n; i++) s += i;
    return s;
}
int construct(int *a, int n) {
#pragma acc parallel copy(a[0:9])
    {
#pragma acc loop gang vector
        for (int i = 0; i < 9; i++) a[i] = vectors(i);
#pragma acc loop gang
        for (int i = 0; i < 9; i++) gangs(a);
    }
    if (n == 1) goto inside;
    for (int k = 0; k < n; k++) {
#pragma acc parallel copy(a[0:9])
        {
            if (a[0]) goto behind;
            if (a[1]) break;
            if (a[2]) continue;
            if (a[3]) return 1;
            for (int i = 0; i < 9; i++) {
                if (a[i]) continue;
                switch (n) {
                case 0: break;
                default: goto inside;
                }
                break;
            }
        inside:
            a[4] = 1;
        }
    }
behind:
    return 0;
}
