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
END
