/* Regions use types and enumerators of the function that they stand in. */
#include <stdio.h>

int main(void) {
    enum { n = 100, half = n / 2 };
    typedef struct point { double x, y; } point;
    struct cell { point p; int kind; } cells[n];
    double sum = 0;
    for (int i = 0; i < n; i++) cells[i] = (struct cell){ { i, 2 * i }, i % 3 };
    {
        enum kind { even = 1, odd };
#pragma acc parallel loop copy(cells) reduction(+:sum)
        for (int i = 0; i < n; i++) {
            enum kind k = i % 2 ? odd : even;
            point q = cells[i].p;
            if (i < half) cells[i].kind = k;
            sum += q.x + q.y + (n - half);
        }
    }
    int kinds = 0;
    for (int i = 0; i < n; i++) kinds += cells[i].kind;
    printf("%g %d\n", sum, kinds);
    return 0;
}
