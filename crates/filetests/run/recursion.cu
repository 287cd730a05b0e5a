// Functions that call themselves: through pointers to private memory, in circles, from some work-items of a group only, and with
// arrays of their own.

struct Node { int left, right, key; };
FN int sum(const Node *t, int n) { return n < 0 ? 0 : t[n].key + sum(t, t[n].left) + sum(t, t[n].right); }

FN void hanoi(int n, int from, int to, int over, int *moves, uint *path) {
    if (n == 0) return;
    hanoi(n - 1, from, over, to, moves, path);
    ++*moves;
    *path = *path * 31 + from * 3 + to;
    hanoi(n - 1, over, to, from, moves, path);
}

FN void sort(int *a, int first, int last) {
    if (first >= last) return;
    int pivot = a[(first + last) / 2], i = first, j = last;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; }
    }
    sort(a, first, j);
    sort(a, i, last);
}

FN long deep(int n) {
    int own[32];
    for (int i = 0; i < 32; i++) own[i] = n + i;
    long below = n <= 0 ? 0 : 1 + deep(n - 1);
    return below + own[n & 31] - n - (n & 31);
}

FN int odd(int n);
FN int even(int n) { return n == 0 ? 1 : odd(n - 1); }
FN int odd(int n) { return n == 0 ? 0 : even(n - 1); }

FN double average(double a, double b, int n) { return n == 0 ? a : average(a * 0.75 + b * 0.25, average(b, a, n - 1), n - 1); }

//@ grid=2 block=40
BEGIN(recursion)
    Node t[7];
    for (int j = 0; j < 7; j++) {
        t[j].left = 2 * j + 1 < 7 ? 2 * j + 1 : -1;
        t[j].right = 2 * j + 2 < 7 ? 2 * j + 2 : -1;
        t[j].key = threadIdx.x + j;
    }
    I(sum(t, V(0))); //= 7*lid+21
    I(even(threadIdx.x * 2 + V(0))); //= 1
    I(deep(threadIdx.x + V(0))); //= lid
    int moves = 0;
    uint path = 0;
    if (threadIdx.x % 3 != 1) hanoi(V(5), 0, 1, 2, &moves, &path);
    I(threadIdx.x % 3 == 1 ? moves == 0 : moves == 31 && path == 238462469u); //= 1
    int a[20], wrong = 0;
    for (int j = 0; j < 20; j++) a[j] = (j * 7919 + threadIdx.x * 13) % 101;
    if (threadIdx.x < V(30)) sort(a, 0, 19);
    for (int j = 1; j < 20; j++) wrong += a[j - 1] > a[j];
    I((wrong > 0) == (threadIdx.x >= 30)); //= 1
END

BEGIN(recursion_of_numbers)
    F(average(V(1.0), 2.0, 5)); //= 1.3903884291648865
END
