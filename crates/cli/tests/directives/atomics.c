// Atomic updates, reads, writes and captures, in every form.
#include <stdio.h>
#define N 1000
int main(void) {
    int count = 0, top = 0, old[N], seen[N], sum = 0;
    unsigned bits = 0, odd = 0xffffffffu;
    double total = 0, product = 1;
    long at = 0;
    int slots[N];
#pragma acc parallel loop copy(count, top, bits, odd, total, product, at) copyout(old, slots)
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        count++;
#pragma acc atomic
        total += i;
#pragma acc atomic update
        bits |= 1u << (i % 20);
#pragma acc atomic update
        odd = odd & ~(2u << (i % 10));
        if (i % 100 == 0) {
#pragma acc atomic update
            product = product * 2;
        }
#pragma acc atomic capture
        old[i] = top++;
        long mine;
#pragma acc atomic capture
        {
            mine = at;
            at += 1;
        }
        slots[mine] = i;
    }
    for (int i = 0; i < N; i++) seen[i] = 0;
    for (int i = 0; i < N; i++) seen[old[i]]++, sum += slots[i];
    int once = 1;
    for (int i = 0; i < N; i++) once &= seen[i] == 1;
    printf("%d %d %d %d %x %x %g %g %ld\n", count, top, once, sum, bits, odd, total, product, at);
    int flag = 3, got = 0;
#pragma acc parallel loop copy(flag, got)
    for (int i = 0; i < 1; i++) {
        int v;
#pragma acc atomic read
        v = flag;
#pragma acc atomic write
        got = v + 4;
    }
    printf("%d\n", got);
    return 0;
}
