// Every kind of loop has one back edge, a jump that carries the loop's metadata; `continue` leads to the latch.
kernel void loops(global int *out, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (i == 3) continue;
        if (i == 7) break;
        sum += i;
    }
    while (n > 0) n -= 2;
    do { sum++; } while (sum < 10);
    out[0] = sum + n;
}

// Hints hang on the back edge.
kernel void hinted(global int *out, int n) {
    #pragma unroll 4
    for (int i = 0; i < n; i++) out[i] = i;
    __attribute__((opencl_unroll_hint(1)))
    for (int i = 0; i < n; i++) out[i] += i;
}
