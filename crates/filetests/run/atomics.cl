// Atomics of OpenCL C 2.0 and 3.0 with orders and scopes.

BEGIN(flags)
    local atomic_flag flag;
    atomic_flag_clear(&flag);
    I(atomic_flag_test_and_set(&flag)); //= 0
    I(atomic_flag_test_and_set_explicit(&flag, memory_order_acquire)); //= 1
    atomic_flag_clear_explicit(&flag, memory_order_release, memory_scope_work_group);
    I(atomic_flag_test_and_set_explicit(&flag, memory_order_acq_rel, memory_scope_device)); //= 0
END

BEGIN(orders_and_scopes)
    local atomic_int n;
    local atomic_ulong wide;
    local atomic_float f;
    int expected = 8;
    atomic_init(&n, V(7));
    atomic_init(&wide, V(1ul << 40));
    atomic_store_explicit(&f, V(1.5f), memory_order_relaxed, memory_scope_work_group);
    I(atomic_load_explicit(&n, memory_order_relaxed)); //= 7
    I(atomic_fetch_add_explicit(&n, 3, memory_order_seq_cst, memory_scope_all_svm_devices)); //= 7
    I(atomic_compare_exchange_strong(&n, &expected, 1)); //= 0
    I(expected); //= 10
    I(atomic_compare_exchange_strong_explicit(&n, &expected, 1, memory_order_acq_rel, memory_order_relaxed)); //= 1
    I(atomic_load(&n)); //= 1
    I(atomic_fetch_max(&wide, 5ul)); //= 1099511627776
    F(atomic_exchange(&f, 2.5f)); //= 1.5
    F(atomic_load(&f)); //= 2.5
    I(memory_order_seq_cst > memory_order_relaxed && memory_scope_device != memory_scope_work_group); //= 1
    int memory_order_release = V(77);
    I(memory_order_release); //= 77
END
