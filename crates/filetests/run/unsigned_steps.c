//@ file arch=sm_100
// Loops whose counter might wrap past the bound, and which must end: as for sm_100 and later they are counted.

BEGIN(unsigned_steps)
    uint s = 0;
    for (uint i = 0; i < V(70u); i += 2) s += i;
    I(s); //= 1190
    for (uint i = V(3u); i < V(1000u); i += 32) s = s * 3 + i;
    I(s); //= 4239776614
    for (uint i = V(4000000000u); i < V(4294000000u); i += 1048576) s ^= i;
    I(s); //= 56554342
    for (uint i = 5; i <= V(37u); i++) s = s * 5 + i;
    I(s); //= 4132390323
    for (uint i = V(9u); i < V(9u); i += 4) s = 0;
    for (uint i = V(10u); i < V(9u); i += 4) s = 0;
    I(s); //= 4132390323
    for (int i = V(7); i < V(200u); i += 5) s += i * i;
    I(s); //= 4132919579
    for (ulong i = V(1ul); i < V(300ul); i += 16) s = s * 7 + (uint)i;
    I(s); //= 3850814390
    // From below zero, as an unsigned number far above the bound, up to which nothing runs; and below the bound.
    for (int i = V(-70); i < V(200u); i += 3) s = 0;
    for (int i = V(-70); i < V(4294967280u); i += 9) s = s * 3 + (uint)i;
    I(s); //= 2630022153
END

// The step is the size of a group, of which the bound is far enough from the largest number.
//@ grid=1 block=8
BEGIN(steps_of_a_group)
    uint s = 0;
#ifdef __CUDACC__
    uint size = blockDim.x, id = threadIdx.x;
#else
    uint size = (uint)get_local_size(0), id = (uint)get_local_id(0);
#endif
    int n = V(150);
    for (int i = id - id + 3; i < n / 2; i += size) s = s * 5 + i;
    I(s); //= 2441387
    for (uint i = id - id; i < 256; i += size) s = s * 5 + i;
    I(s); //= 3873419947
    for (int i = V(0); i < V(100u); i += (int)size) s = s * 5 + i;
    I(s); //= 2137851959
END
