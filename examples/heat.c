/* Heat in a plate: the edges are held at 0, a disc in the middle at 100. Each step averages a cell with its neighbours; every
   100 steps the warmest change is printed and the program gets a picture of the plate, while the device goes on.

   unspool cc -acc=multicore,discrete -Minfo=accel -O2 examples/heat.c -o heat
   ACC_DEVICE_TYPE=discrete NVCOMPILER_ACC_TIME=1 UNSPOOL_ACC_PLOT=heat.svg ./heat */
#include <math.h>
#include <stdio.h>

enum { N = 1024, STEPS = 400, OFTEN = 100 };

static float plate[N][N], next[N][N], picture[N][N];

static float step(void)
{
    float change = 0;
    #pragma acc parallel loop collapse(2) present(plate, next) reduction(max: change)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            int x = i - N / 2, y = j - N / 2;
            float mean = 0.25f * (plate[i - 1][j] + plate[i + 1][j] + plate[i][j - 1] + plate[i][j + 1]);
            next[i][j] = x * x + y * y < N * N / 64 ? 100.0f : mean;
            change = fmaxf(change, fabsf(next[i][j] - plate[i][j]));
        }
    #pragma acc parallel loop collapse(2) present(plate, next)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            plate[i][j] = next[i][j];
    return change;
}

int main(void)
{
    double warmth = 0;
    #pragma acc data copyin(plate) create(next, picture)
    for (int s = 1; s <= STEPS; s++) {
        float change = step();
        if (s % OFTEN != 0)
            continue;
        #pragma acc wait(1)
        #pragma acc parallel loop present(plate, picture)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                picture[i][j] = plate[i][j];
        #pragma acc update self(picture) async(1)
        printf("step %3d: the largest change is %.3f\n", s, change);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            warmth += picture[i][j];
    printf("the plate holds %.1f\n", warmth);
    return 0;
}
