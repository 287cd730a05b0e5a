// What the active lanes of a sub-group do together; the others, and those that the group has none of, take no part.

//@ grid=2 block=40
BEGIN(ballots)
    int t = get_local_id(0), lane = get_sub_group_local_id(), size = get_sub_group_size(), first = t - lane;
    uint all = size == 32 ? 0xffffffffu : (1u << size) - 1;
    I(sub_group_ballot(t >= 0).x - all); //= 0
    uint4 odd = sub_group_ballot(t & 1);
    I(odd.x - (all & 0xaaaaaaaau) + odd.y + odd.z + odd.w); //= 0
    I(sub_group_inverse_ballot(odd) == (t & 1)); //= 1
    I(sub_group_ballot_bit_extract(odd, 3u)); //= 1
    I(sub_group_ballot_bit_extract(odd, V(2))); //= 0
    I(sub_group_ballot_bit_count(odd) - size / 2); //= 0
    I(sub_group_ballot_inclusive_scan(odd) - (lane + 1) / 2); //= 0
    I(sub_group_ballot_exclusive_scan(odd) - lane / 2); //= 0
    I(sub_group_ballot_find_lsb(odd)); //= 1
    I((int)sub_group_ballot_find_msb(odd) - size); //= -1
    I(get_sub_group_eq_mask().x == 1u << lane && get_sub_group_lt_mask().x == (1u << lane) - 1); //= 1
    I((get_sub_group_ge_mask().x ^ get_sub_group_lt_mask().x) == 0xffffffffu); //= 1
    I((get_sub_group_gt_mask().x ^ get_sub_group_le_mask().x) == 0xffffffffu); //= 1
    I(sub_group_elect() == (lane == 0)); //= 1
    I(sub_group_broadcast_first(t) - first); //= 0
    I(sub_group_non_uniform_all(t >= 0) && !sub_group_non_uniform_any(t > 99) && sub_group_non_uniform_any(lane == 5)); //= 1
    I(sub_group_non_uniform_all_equal(first) && !sub_group_non_uniform_all_equal((float)t)); //= 1
END

// Whether one lane of three, and then the others, find what they should among themselves.
int thirds(int t, int third) {
    int lane = get_sub_group_local_id(), size = get_sub_group_size(), first = t - lane, n = (size + 1) / 3, good = 1;
    if (third) {
        good &= sub_group_non_uniform_reduce_add(1) == n;
        good &= sub_group_ballot(1).x == (0x92492492u & (size == 32 ? ~0u : (1u << size) - 1));
        good &= sub_group_elect() == (lane == 1) && sub_group_broadcast_first(lane) == 1;
        good &= sub_group_non_uniform_all(lane % 3 == 1) && sub_group_non_uniform_all_equal((char)(lane % 3));
        good &= sub_group_non_uniform_broadcast((short2)(lane, -lane), 4u).y == -4;
        good &= sub_group_non_uniform_scan_inclusive_add((long)1) == lane / 3 + 1;
        good &= sub_group_non_uniform_scan_exclusive_add((uchar)100) == (uchar)(100 * (lane / 3));
        good &= sub_group_non_uniform_scan_exclusive_max(lane) == (lane == 1 ? INT_MIN : lane - 3);
        good &= sub_group_non_uniform_scan_inclusive_min((double)-lane) == -lane;
        good &= sub_group_non_uniform_reduce_max((float)t) == first + 3 * n - 2;
        good &= sub_group_non_uniform_reduce_min((char)(-lane)) == -(3 * n - 2);
        good &= sub_group_non_uniform_reduce_mul(2ul) == 1ul << n;
        good &= sub_group_non_uniform_reduce_xor((short)0x55) == (n & 1 ? 0x55 : 0);
        good &= sub_group_non_uniform_reduce_logical_and(lane) && !sub_group_non_uniform_reduce_logical_or(lane % 3 - 1);
        good &= sub_group_non_uniform_scan_exclusive_logical_and(lane > 4) == (lane == 1);
        good &= sub_group_non_uniform_scan_inclusive_logical_xor(7) == (lane / 3 + 1 & 1);
        good &= sub_group_shuffle(t, lane ^ 0) == t;
    } else {
        good &= sub_group_non_uniform_reduce_add(1) == size - n;
        good &= sub_group_non_uniform_reduce_or(1ul << lane) == ((0x6db6db6dul) & ((1ul << size) - 1));
        good &= sub_group_broadcast_first(lane) == 0;
    }
    return good;
}

//@ grid=2 block=40
BEGIN(of_some_lanes)
    int t = get_local_id(0);
    I(thirds(t, get_sub_group_local_id() % 3 == V(1))); //= 1
END

//@ grid=2 block=64
BEGIN(of_some_lanes_of_whole_sub_groups)
    int t = get_local_id(0);
    I(thirds(t, get_sub_group_local_id() % 3 == V(1))); //= 1
    int lane = t % 32, good = 1;
    // Cut off again: some lanes leave a loop before others.
    for (int i = 0; i < lane % 4 + V(1); i++) good &= sub_group_non_uniform_reduce_add(1) == 8 * (4 - i);
    I(good); //= 1
    I(sub_group_rotate(lane, V(5)) - (lane + 5) % 32); //= 0
    I(sub_group_shuffle((char3)(t, 1, -t), 31u).z + (t | 31)); //= 0
    I(sub_group_ballot_bit_count(sub_group_ballot(t % 5 == 0)) - (t < 32 ? 7 : 6)); //= 0
    I(sub_group_clustered_reduce_add(1, 4u + V(0))); //= 4
END

//@ grid=2 block=40
BEGIN(clusters)
    int t = get_local_id(0), lane = get_sub_group_local_id(), size = get_sub_group_size();
    I(sub_group_clustered_reduce_add(1, 4u)); //= 4
    I(sub_group_clustered_reduce_add((long)lane, 8u) - (8 * (lane & ~7) + 28)); //= 0
    I(sub_group_clustered_reduce_min((uchar)lane, 2u) - (lane & ~1)); //= 0
    F(sub_group_clustered_reduce_max((float)lane, 8u) - (lane | 7)); //= 0.0
    I(sub_group_clustered_reduce_mul((short)3, 4u)); //= 81
    I(sub_group_clustered_reduce_xor(lane, 1u) - lane); //= 0
    I(sub_group_clustered_reduce_or(1 << (lane & 7), 8u)); //= 255
    I(sub_group_clustered_reduce_and(~(1ul << lane), 32u) >> 32); //= 4294967295
    I(sub_group_clustered_reduce_logical_or((lane & 3) == 2, 4u)); //= 1
    I(sub_group_clustered_reduce_logical_and((lane & 3) == 2, 2u)); //= 0
    I(sub_group_clustered_reduce_logical_xor(1, 8u)); //= 0
    I(sub_group_clustered_rotate(lane, 3, 8u) - ((lane & ~7) | (lane + 3 & 7))); //= 0
    I(sub_group_clustered_rotate((char)lane, V(-1), 4u) - ((lane & ~3) | (lane - 1 & 3))); //= 0
    int r = sub_group_rotate(lane, V(5));
    I(size < 32 ? 0 : r - (lane + 5) % 32); //= 0
END

//@ grid=2 block=40
BEGIN(extended_types)
    int t = get_local_id(0), lane = get_sub_group_local_id(), size = get_sub_group_size(), first = t - lane;
    I(sub_group_broadcast((float4)(t, 1, 2, 3), 2u).x - first); //= 2
    I(sub_group_broadcast((uchar)(t + 250), 1u) - (uchar)(first + 251)); //= 0
    I(sub_group_reduce_add((uchar)100) - (uchar)(100 * size)); //= 0
    I(sub_group_scan_exclusive_min((char)lane) - (lane ? 0 : 127)); //= 0
    I(sub_group_scan_exclusive_max((ushort)t) - (lane ? t - 1 : 0)); //= 0
    I(sub_group_reduce_max((short)-lane)); //= 0
END
