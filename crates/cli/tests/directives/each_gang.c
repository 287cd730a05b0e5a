// What each gang has and does by itself: loops of workers and vectors that no gang loop stands around, sums into a gang's own
// variables, sums of `seq` loops, a structure that is private to a worker loop, what is private to a loop that is left serial.
#include <stdio.h>

enum { N = 32 };
static int a[N * N], out[N];

static void sums_that_each_gang_has(void) {
    int s = 0;
    #pragma acc parallel num_gangs(8) num_workers(4) vector_length(32) private(s) copyin(a) copyout(out)
    {
        s = 0;
        #pragma acc loop worker vector reduction(+:s)
        for (int i = 0; i < N * N; i++) s += a[i];
        #pragma acc loop gang
        for (int i = 0; i < N; i++) out[i] = s + i;
    }
    printf("each gang: %d %d\n", out[0], out[N - 1]);
}

static void counts_that_each_gang_has(void) {
    int right = 0;
    #pragma acc parallel num_gangs(1) num_workers(4) reduction(max:right)
    {
        int w = -22;
        #pragma acc loop worker
        for (int i = 0; i < 500; i++) {
            #pragma acc atomic update
            w++;
        }
        right = w == 478;
    }
    printf("counted: %d\n", right);
}

static void loops_one_after_another(int n, int m) {
    int sum = 0, places = 0, most = -1;
    #pragma acc parallel
    #pragma acc loop seq collapse(2) reduction(+:sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum += i * j;
    #pragma acc parallel
    {
        #pragma acc loop seq reduction(+:places) reduction(max:most)
        for (int i = 0; i < n; i++) {
            places++;
            most = i > most ? i : most;
        }
    }
    printf("seq: %d %d %d\n", sum, places, most);
}

struct place { int x, y; };

static void structures_of_workers(void) {
    static int cube[N * N * N];
    struct place at = { 1, 2 };
    for (int i = 0; i < N * N * N; i++) cube[i] = i;
    #pragma acc parallel copy(cube) num_gangs(4) num_workers(4) vector_length(32)
    {
        #pragma acc loop gang
        for (int i = 0; i < N; i++) {
            #pragma acc loop worker(4) private(at)
            for (int j = 0; j < N; j++) {
                at.x = i + j;
                at.y = i ^ j;
                #pragma acc loop vector(32)
                for (int k = 0; k < N; k++) cube[(i * N + j) * N + k] += at.x * k;
                #pragma acc loop vector(32)
                for (int k = 0; k < N; k++) cube[(i * N + j) * N + k] += at.y * k;
            }
        }
    }
    long sum = 0;
    for (int i = 0; i < N * N * N; i++) sum += (long)cube[i] * (i % 17);
    printf("structures: %ld\n", sum);
}

static int picked(int n) {
    int kept[N], wrong = 0;
    for (int i = 0; i < N; i++) kept[i] = 0;
    #pragma acc parallel copy(kept) num_gangs(4) vector_length(32)
    {
        #pragma acc loop gang
        for (int i = 0; i < n; i++)
            switch (i % 5) {
            case 0: kept[i] += 3; break;
            case 1: kept[i] += 5; break;
            case 2: kept[i] += 7; break;
            case 3: kept[i] += 11; break;
            default: kept[i] += 13;
            }
    }
    for (int i = 0; i < n; i++) wrong += kept[i] * i;
    return wrong;
}

static void pointers_to_privates(void) {
    int x = 5, data[N * N];
    for (int i = 0; i < N * N; i++) data[i] = i;
    #pragma acc kernels copy(data)
    {
        #pragma acc loop gang private(x)
        for (int i = 0; i < N; i++) {
            int *p = &x;
            x = i * 2;
            #pragma acc loop worker
            for (int j = 0; j < N; j++) data[i * N + j] += x;
            *p += i;
            #pragma acc loop worker
            for (int j = 0; j < N; j++) data[i * N + j] += *p;
        }
    }
    long sum = 0;
    for (int i = 0; i < N * N; i++) sum += (long)data[i] * (i % 13);
    printf("private: %ld\n", sum);
}

static void values_between_loops(void) {
    int x = 5, kept[N];
    for (int i = 0; i < N; i++) kept[i] = 3;
    #pragma acc parallel private(x) copy(kept) num_gangs(1)
    {
        #pragma acc loop gang
        for (int i = 0; i < N; i++) x = i * 2;
        #pragma acc loop gang
        for (int i = 0; i < N; i++) kept[i] += x - 2 * i;
    }
    int sum = 0;
    for (int i = 0; i < N; i++) sum += kept[i] * i;
    printf("between: %d\n", sum);
}

static void arrays_that_each_gang_fills(void) {
    #pragma acc parallel num_gangs(4) vector_length(32) copyout(out)
    {
        int own[N];
        #pragma acc loop vector
        for (int j = 0; j < N; j++) own[j] = 3 * j;
        #pragma acc loop gang
        for (int i = 0; i < N; i++) out[i] = own[i * 7 % N];
    }
    int sum = 0;
    for (int i = 0; i < N; i++) sum += out[i] * i;
    printf("arrays: %d\n", sum);
}

int main(void) {
    for (int i = 0; i < N * N; i++) a[i] = i % 97;
    sums_that_each_gang_has();
    counts_that_each_gang_has();
    loops_one_after_another(7, 9);
    structures_of_workers();
    printf("picked: %d\n", picked(N));
    pointers_to_privates();
    values_between_loops();
    arrays_that_each_gang_fills();
    return 0;
}
