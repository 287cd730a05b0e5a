//! Conditions that ask about a number of each work-item, and have one answer for the group.

mod support;

use support::{Launch, cl, f32s, int, zeros};

/// A tile of a matrix product that is left out where the matrix has no whole tile: what is loaded under the condition was gathered,
/// and its products were made under masks, as a barrier stands there.
#[test]
fn whole_tiles_were_masked_behind_a_barrier() {
    let text = "kernel void k(global float *c, global const float *a, int m, int n) {
        local float t[1024];
        int x = get_local_id(0), y = get_local_id(1);
        int i = x * 4 + get_group_id(0) * 32, j = get_group_id(1) * 32 + y * 4;
        if (i < m / 32 * 32 && j < n / 32 * 32) {
            float sum = 0;
            for (int k = 0; k < n; k++) {
                t[y * 8 + x] = a[k * 8 + x];
                barrier(CLK_LOCAL_MEM_FENCE);
                sum += t[(y ^ 1) * 8 + x];
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            c[(get_group_id(1) * 8 + y) * 32 + get_group_id(0) * 8 + x] = sum;
        }
    }";
    let launch = Launch::new([3, 2, 1], [8, 8, 1]);
    let w = cl(text, &launch, &[zeros(1024 * 4), f32s(8 * 64), int(95), int(64)]);
    assert_eq!((w.figures.gathers, w.figures.tested), (0, 0), "{w:?}");
    for (m, n) in [(31, 64), (32, 63), (96, 32), (0, 0), (-1, 40), (64, -33)] {
        cl(text, &launch, &[zeros(1024 * 4), f32s(8 * 64), int(m), int(n)]);
    }
}

/// Each kind of comparison, beside limits, with what is asked on either side, and where the answer does differ.
#[test]
fn sums_that_are_compared_with_multiples() {
    let tests = [
        "i < n & -16",
        "i >= (n & -16)",
        "(n & -16) > i",
        "(n & -16) <= i",
        "i <= 31",
        "i > 15",
        "31 >= i",
        "(uint)i < (uint)(n & -16)",
        "(uint)(i - 32) < (uint)(n & -16)",
        "i - 32 < (n & -16)",
        "i - 32 <= -1",
        "(long)i < (long)(n & -16)",
        "(short)i < (short)(n & -16)",
        "(char)(i * 16) < (char)(n & -16)",
        "l < 16",
        "l - 16 < -16",
        // Not these: the group stands on both sides, or what work-items add reaches the next multiple.
        "i < (n & -8)",
        "i + 8 < (n & -16)",
        "i + l < (n & -16)",
        "i < (int)((n & -16) - 1u)",
        "i <= (n & -16)",
        "i > (n & -16)",
        "i == (n & -16)",
        "i <= 30",
        "-l < (n & -16)",
        "(int)(l * 0x10000000u) < (n & -16)",
        "g * 16 + (l ^ 3) < (n & -16)",
        "g * 16 + l / -1 < (n & -16)",
    ];
    for test in tests {
        let text = format!(
            "kernel void k(global float *c, int n) {{
                local float t[16];
                int l = get_local_id(0), g = get_group_id(0), i = g * 16 + l;
                t[l] = l;
                barrier(CLK_LOCAL_MEM_FENCE);
                float sum = t[l ^ 5];
                if ({test}) sum += t[l ^ 1] * 16;
                c[i] = sum;
            }}"
        );
        for n in [0, 7, 16, 31, 32, -1, -20, i32::MIN] {
            cl(&text, &Launch::line(4, 16), &[zeros(64 * 4), int(n)]);
        }
    }
}
