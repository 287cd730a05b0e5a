/* NVIDIA's header for mathematics in regions: kernels have the functions of <math.h> of their own. */
#ifndef UNSPOOL_ACCELMATH_H
#define UNSPOOL_ACCELMATH_H
#include <math.h>
#include <stdlib.h>
#endif
