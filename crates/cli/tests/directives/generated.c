// What programs have that programs write (McStas): functions declared before the types of variables that they use, members named as
// their types, atomics in blocks, `atomic write` before an update, NVIDIA's <accelmath.h>.
#include <accelmath.h>
#include <stdio.h>

typedef double Rotation[3][3];
typedef struct { double x, y, z; } Coords;
typedef struct { Coords Coords; Rotation Rotation; int hits; } state;

double trace(double x, int i);
static double around(double x, int i) { return trace(x, i) + 1; }

struct __attribute__((packed)) pair { char low; int high; };
typedef struct { state now; double weight; struct pair pair; } component;
component source;
#pragma acc declare create(source)
long long counter;
int flags;
#pragma acc declare create(counter, flags)

#pragma acc routine seq
double trace(double x, int i) {
    Rotation inverse;
    Coords at = source.now.Coords;
    long long before;
    #pragma acc atomic capture
    {
        before = counter++;
    }
    #pragma acc atomic write
    flags += before >= 0;
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) inverse[j][k] = source.now.Rotation[k][j];
    return source.pair.high + at.x + inverse[i % 3][1] * fabs(x) * source.weight;
}

int main(void) {
    double r[100], sum = 0;
    source.now.Coords.x = 5;
    source.weight = 0.5;
    source.pair = (struct pair){ 1, 20 };
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) source.now.Rotation[j][k] = j * 3 + k;
    #pragma acc update device(source, counter, flags)
    #pragma acc parallel loop copyout(r)
    for (int i = 0; i < 100; i++) r[i] = around(-i, i);
    #pragma acc update self(counter, flags)
    for (int i = 0; i < 100; i++) sum += r[i];
    printf("%g %lld %d\n", sum, counter, flags);
    return 0;
}
