// A work-item's place: the group's times its size, plus the offset of the launch.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void place(global uint *out, local uint *scratch) {
    uint g = get_global_id(0), l = get_local_id(0);
    scratch[l] = get_group_id(1) * get_num_groups(2);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = scratch[63 - l] + get_local_size(0) + get_work_dim();
}
