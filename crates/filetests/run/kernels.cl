// Kernels as people write them: helpers, kernels that call kernels, attributes, size hints, private arrays, local
// arguments passed on.

constant float gauss[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

float weighted(const float *p, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s = mad(p[i], gauss[i], s);
    return s;
}

int sum_local(local const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}

kernel void inner(global long *p, int n) { p[0] = n * 2; }

//@ block=8
BEGIN(calls)
    float v[5];
    for (int i = 0; i < 5; i++) v[i] = i + V(1);
    F(weighted(v, 5)); //= 3.0
    local int l[8];
    int t = get_local_id(0);
    l[t] = t + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    I(sum_local(l, V(8))); //= 36
    inner(out_, V(21));
    I(out_[0]); //= 42
    I(*(out_ - 1)); //= 42
END

void change_sides(int *p, int *q) {
    int kept = *p;
    barrier(CLK_LOCAL_MEM_FENCE);
    *p = *q;
    barrier(CLK_LOCAL_MEM_FENCE);
    *q = kept + 1;
}

//@ block=8
BEGIN(variables_of_callers_across_barriers)
    int a = get_local_id(0), b = V(100);
    change_sides(&a, &b);
    I(a); //= 100
    I(b); //= lid+1
    int *p = V(1) ? &a : &b;
    change_sides(&b, p);
    *p += a;
    I(*p); //= 2*lid+4
    I(b); //= 100
END

__attribute__((reqd_work_group_size(16, 1, 1)))
//@ block=16
BEGIN(specialised)
    I(get_local_size(0)); //= 16
    I(get_local_id(0)); //= lid
    local int a[16];
    int t = get_local_id(0);
    a[t] = t;
    for (uint d = get_local_size(0) / 2; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) a[t] += a[t + d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    I(a[0]); //= 120
END

typedef struct { float4 pos; int id; char tag[3]; } Particle;
Particle step_one(Particle p, float dt) { p.pos.xyz += (float3)(1, 2, 3) * dt; p.id++; p.tag[1] = 'x'; return p; }

BEGIN(records)
    Particle p = {(float4)(V(0.0f)), 7, {'a', 'b', 'c'}};
    Particle q = step_one(p, 0.5f);
    F(q.pos.z); //= 1.5
    F(q.pos.w); //= 0.0
    I(q.id + q.tag[1] + p.tag[1]); //= 226
    I(sizeof(Particle)); //= 32
    Particle grid[2][2] = {{p, q}};
    I(grid[V(0)][1].id * 10 + grid[1][0].id); //= 80
    float16 m = (float16)(V(1.0f));
    m.s0 = 5;
    m.hi.s7 = 9;
    F(m.s0 + m.sf); //= 14.0
    I(any(m.lo > (float8)(4))); //= 1
    uchar16 bytes = as_uchar16(m.lo.lo);
    I(bytes.s3); //= 64
    ulong2 w = (ulong2)(V(1UL) << 63, 3) >> (ulong2)(62, 1);
    I(w.x * 10 + w.y); //= 21
    event_t ignored = 0;
    local int dst[4];
    dst[0] = V(3);
    prefetch(out_, 1);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    I(dst[0]); //= 3
END

// `NULL`, which is `(void *)0`, was refused for pointers to address spaces other than that of a plain pointer.
BEGIN(null_pointers)
    local int *l = NULL;
    global int *g = NULL;
    constant int *c = NULL;
    local int *m = (void *)0;
    local int s;
    m = &s;
    I(m == NULL || m == 0); //= 0
    m = V(1) ? NULL : m;
    I(l == m && g == NULL && c == NULL && NULL == l); //= 1
END

typedef float Rotation[4];
typedef struct { int Rotation; float x; } named;

// A member has a name of its own: it hid the type for the rest of the file.
BEGIN(members_named_as_types)
    Rotation r = {1, 2, 3, 4};
    named n = {V(7), r[2]};
    I(n.Rotation); //= 7
    F(n.x); //= 3.0
END
