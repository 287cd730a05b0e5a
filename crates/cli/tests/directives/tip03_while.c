// Tip 3: a loop with several exits runs on the host, the counted one in parallel.
#include <stdio.h>
#define N 1000
float A[N];
int found[N];
int main(void) {
    int i, first = -1;
    for (i = 0; i < N; i++) A[i] = (i * 37) % 411;
    i = 0;
#pragma acc region
    {
        while (i < N && first == -1) {
            if (A[i] >= 402.0f) {
                first = i;
            }
            ++i;
        }
    }
#pragma acc region
    {
        for (i = 0; i < N; ++i) {
            if (A[i] >= 402.0f) {
                found[i] = i;
            } else {
                found[i] = -1;
            }
        }
    }
    i = 0;
    while (i < N && found[i] < 0) {
        ++i;
    }
    printf("%d %d\n", first, i);
    return 0;
}
