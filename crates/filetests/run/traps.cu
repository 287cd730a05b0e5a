// Programs that must be stopped, and are.
#include <cassert>

__device__ int forever(int n) { return forever(n + 1) + 1; }

//@ trap=calls nest too deep
BEGIN(recursion)
    I(forever(V(0))); //= 0
END

//@ trap=the program trapped
BEGIN(failed_assertion)
    assert(V(1) == 2);
    I(1); //= 1
END

//@ trap=the program trapped
BEGIN(trap)
    if (V(1)) __trap();
    I(1); //= 1
END

//@ block=2
//@ trap=data race
BEGIN(race)
    __shared__ int s;
    s = threadIdx.x + V(0);
    I(s); //= 0
END

//@ block=64
//@ trap=barrier reached by
BEGIN(barrier_divergence)
    if (threadIdx.x < V(40)) __syncthreads();
    else if (threadIdx.x == 50) __syncthreads();
    I(1); //= 1
END
