// Questions for the space of a generic pointer in CUDA; `__constant__` variables are none of the others.

__constant__ int table_[4] = { 1, 2, 3, 4 };
__device__ int global_[4];

//@ grid=2 block=40
BEGIN(questions)
    __shared__ int l[40];
    int p[4] = { 1, 2, 3, (int)V(4) };
    int t = threadIdx.x, is = (t + V(0)) % 4;
    l[t] = t;
    const int *q = is == 0 ? &global_[t & 3] : is == 1 ? &l[t] : is == 2 ? &p[t & 3] : &table_[t & 3];
    I((__isGlobal(q) != 0) == (is == 0)); //= 1
    I((__isShared(q) != 0) == (is == 1)); //= 1
    I((__isLocal(q) != 0) == (is == 2)); //= 1
    I((__isConstant(q) != 0) == (is == 3)); //= 1
END
