// Where generic pointers point when the compiler cannot tell: spaces are ranges of memory on the host, which had no answer.

//@ file std=300

//@ grid=2 block=40
BEGIN(of_each_item)
    local int l[40];
    int p[4] = { V(1), 2, 3, 4 };
    int t = get_local_id(0), is = (t + V(0)) % 3;
    l[t] = t;
    void *q = is == 0 ? (void *)out_ : is == 1 ? (void *)&l[t] : (void *)&p[t & 3];
    I((to_global(q) != 0) == (is == 0)); //= 1
    I((to_local(q) != 0) == (is == 1)); //= 1
    I((to_private(q) != 0) == (is == 2)); //= 1
    I(get_fence(q) == (is == 1 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE)); //= 1
    // The array lives on in memory for all work-items.
    barrier(CLK_LOCAL_MEM_FENCE);
    p[V(2)] = t;
    void *r = is == 2 ? (void *)out_ : is == 0 ? (void *)&l[39 - t] : (void *)&p[V(2)];
    I((to_global(r) != 0) == (is == 2)); //= 1
    I((to_local(r) != 0) == (is == 0)); //= 1
    I((to_private(r) != 0) == (is == 1)); //= 1
    private int *mine = to_private(r);
    local int *ours = to_local(r);
    I((mine ? *mine : t) - t); //= 0
    I((ours ? *ours : 39 - t) - (39 - t)); //= 0
END

//@ grid=1 block=33
BEGIN(through_one_pointer)
    local int l[33];
    int p[2];
    int t = get_local_id(0);
    int *q = (t + V(1)) & 1 ? (int *)&l[t] : (int *)&p[V(1)];
    *q = t;
    atomic_fetch_add_explicit((volatile atomic_int *)q, 5, memory_order_relaxed, memory_scope_work_group);
    I(*q - t); //= 5
    barrier(CLK_LOCAL_MEM_FENCE);
    *q += get_fence(q) == CLK_LOCAL_MEM_FENCE ? 1 : 2;
    I(*q - t - ((t + 1) & 1 ? 6 : 7)); //= 0
END
