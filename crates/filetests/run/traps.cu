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

// Loops with assertions are unrolled with all of them.
BEGIN(assertions_that_hold_in_every_iteration)
    uint sum = 0;
    for (int n = 0; n < V(18); n++) {
        uint s = 0;
        for (int i = 0; i < n; i++) {
            assert(i < V(17));
            s += i * i;
            if (s > V(2000)) __trap();
        }
        sum = sum * 31 + s;
    }
    I(sum); //= 4230795696
END

//@ trap=the program trapped
BEGIN(an_assertion_that_fails_in_the_eleventh_iteration)
    int s = 0;
    for (int i = 0; i < V(13); i++) {
        assert(i != V(10));
        s += i;
    }
    I(s); //= 0
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
