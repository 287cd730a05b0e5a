// What sub-groups and work-groups compute together, where groups end within a sub-group, too: the last lanes of it are not
// there, and sums of sub-groups counted them.

//@ grid=2 block=40
BEGIN(sub_groups)
    int t = get_local_id(0), lane = get_sub_group_local_id(), size = get_sub_group_size(), first = t - lane;
    I(sub_group_reduce_add(1) - size); //= 0
    I(sub_group_reduce_add(t) - size * (2 * first + size - 1) / 2); //= 0
    I(sub_group_reduce_min(V(100) - t) - (100 - (first + size - 1))); //= 0
    I(sub_group_reduce_max((uint)t * 3u) - 3 * (first + size - 1)); //= 0
    I(sub_group_scan_inclusive_add((long)t) - (lane + 1) * (2 * first + lane) / 2); //= 0
    I(sub_group_scan_exclusive_add(t) - lane * (2 * first + lane - 1) / 2); //= 0
    I(sub_group_scan_exclusive_max(t) == (lane == 0 ? INT_MIN : t - 1)); //= 1
    F(sub_group_reduce_add(0.5f) * 2 - size); //= 0.0
    F(sub_group_scan_inclusive_min((double)-t) + t); //= 0.0
    I(sub_group_broadcast(t, 3) - first); //= 3
    I(sub_group_all(t >= 0) && !sub_group_all(lane > 0) && sub_group_any(lane == size - 1) && !sub_group_any(t > 40)); //= 1
    I(sub_group_shuffle((char)t, size - 1 - lane) + lane - (first + size - 1)); //= 0
    I((int)sub_group_shuffle_xor((short2)(t, -t), 1u).y + (t ^ 1)); //= 0
END

//@ grid=3 block=100
BEGIN(work_groups)
    int t = get_local_id(0), n = get_local_size(0), g = get_group_id(0);
    I(work_group_reduce_add(t + g)); //= 100*gid+4950
    I(work_group_reduce_min((long)t - 7)); //= 18446744073709551609
    I(work_group_reduce_max((uint)(t * 5 + g))); //= gid+495
    I(work_group_reduce_min(UINT_MAX - (uint)t)); //= 4294967196
    F(work_group_reduce_add(0.25f)); //= 25.0
    F(work_group_reduce_max((double)(t % 64))); //= 63.0
    I(work_group_scan_inclusive_add(t) - t * (t + 1) / 2); //= 0
    I(work_group_scan_exclusive_add(t) - t * (t - 1) / 2); //= 0
    I(work_group_scan_inclusive_max(t % 90) - (t < 90 ? t : 89)); //= 0
    I(work_group_scan_exclusive_min(50 - t) == (t == 0 ? INT_MAX : 51 - t)); //= 1
    F(work_group_scan_exclusive_add(0.5f) * 2 - t); //= 0.0
    I(work_group_broadcast(t * 2 + g, 77)); //= gid+154
    I(work_group_broadcast((ulong)t << 40, n - 1)); //= 108851651149824
    I(work_group_all(t < n) && !work_group_all(t < n - 1) && work_group_any(t == 99) && !work_group_any(t == 100)); //= 1
END

// Whether a work-item is the first one is known where the group's size is: LLVM took its lane for others', which are the same.
//@ grid=2 block=5
BEGIN(lanes_that_are_the_same_were_taken_for_all)
    local ulong4 kept[5];
    const uint lid = get_local_id(0), gid = get_global_id(0);
    kept[lid].z = mad24(gid & 16383, !lid, 1);
    I(kept[lid].z - (lid ? 1u : gid + 1)); //= 0
END
