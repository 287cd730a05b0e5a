//! Warps of 32 and of 64 lanes.

use crate::user::Dir;

/// What lanes of a warp tell each other, where warps have 32 or 64 lanes: votes, shuffles, matches, tiles, inline PTX.
const LANES: &str = r#"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned long long *o) {
  int t = threadIdx.x;
  cudaLaneMask_t full = ~(cudaLaneMask_t)0;
  unsigned long long *p = o + t * 13;
  p[0] = (unsigned long long)__ballot_sync(full, t % 3 == 0);
  p[1] = __shfl_down_sync(full, t, 20);
  p[2] = warpSize;
  p[3] = __shfl_xor_sync(full, t, warpSize / 2 + 1);
  p[4] = (unsigned long long)__activemask();
  p[5] = (unsigned long long)__match_any_sync(full, t % 5);
  p[6] = __shfl_sync(full, t, 50);
  p[7] = __all_sync(full, t < 64) * 2 + __any_sync(full, t == 60);
  int s = t;
  for (int d = warpSize / 2; d; d /= 2) s += __shfl_xor_sync(full, s, d);
  p[8] = s;
  auto w = cg::tiled_partition<16>(cg::this_thread_block());
  p[9] = w.shfl_down(t, 8) + w.ballot(t % 7 == 0) * 1000;
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  p[10] = lane;
  if (t % 2) p[11] = cg::coalesced_threads().size(); else p[11] = 7;
  p[12] = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), t, cg::plus<int>());
}"#;

#[test]
fn warps_of_both_sizes_are_the_same_on_the_host_and_in_the_interpreter() {
    let d = Dir::new("lanes");
    d.write("k.cu", LANES);
    let results = |warp: &str| {
        let line = format!("k.cu {warp} --grid 1 --block 128 --arg out:u64:1664 --out -");
        let checked = d.run(&format!("{line} --check")).out;
        d.everywhere(&line, |ran, way| assert_eq!(ran.succeeds(way).out, checked, "{warp} {way}"));
        checked
    };
    let (wide, narrow) = (results("--warp=64"), results("--warp-emulation=32"));
    assert_eq!([wide.lines().nth(2), narrow.lines().nth(2)], [Some("64"), Some("32")]);
    assert_ne!(wide, narrow);
}

/// What SCALE's page on inline PTX has of warps of 64 lanes: masks as wide as the warp, `WARP_SZ`, a shuffle's word with six
/// bits for the last lane.
const LANES_OF_ASSEMBLY: &str = r#"
__global__ void lanes(unsigned long long *o) {
  unsigned lane, size, low, other;
  unsigned long long below, votes, same, active;
  asm volatile("mov.u32 %0, %%laneid; mov.u32 %1, WARP_SZ;" : "=r"(lane), "=r"(size));
  asm volatile("mov.u64 %0, %%lanemask_lt;" : "=l"(below));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(low));
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b64 %0, p, -1; }" : "=l"(votes) : "r"(lane & 1));
  asm volatile("match.any.sync.b32 %0, %1, -1;" : "=l"(same) : "r"(lane & 3));
  asm volatile("activemask.b64 %0;" : "=l"(active));
  float sum;
  asm(".reg .f32 x, y; .reg .pred p; mov.b32 x, %1;"
      "shfl.sync.down.b32 y|p, x, 0x01, %2, -1; @p add.f32 x, y, x; shfl.sync.down.b32 y|p, x, 0x02, %2, -1; @p add.f32 x, y, x;"
      "shfl.sync.down.b32 y|p, x, 0x04, %2, -1; @p add.f32 x, y, x; shfl.sync.down.b32 y|p, x, 0x08, %2, -1; @p add.f32 x, y, x;"
      "shfl.sync.down.b32 y|p, x, 0x10, %2, -1; @p add.f32 x, y, x; shfl.sync.down.b32 y|p, x, 0x20, %2, -1; @p add.f32 x, y, x;"
      "mov.b32 %0, x;" : "=f"(sum) : "f"(1.0f), "n"(warpSize - 1));
  if (threadIdx.x != 40) return;
  o[0] = lane; o[1] = size; o[2] = below; o[3] = low; o[4] = votes; o[5] = same; o[6] = active; o[7] = sum;
}"#;

#[test]
fn inline_assembly_took_warps_of_64_lanes_for_32() {
    let d = Dir::new("lanes-of-assembly");
    d.write("k.cu", LANES_OF_ASSEMBLY);
    let odd = 0xaaaa_aaaa_aaaa_aaaa;
    let want: [u64; 8] = [40, 64, (1 << 40) - 1, 0xffff_ffff, odd, 0x1111_1111_1111_1111, u64::MAX, 24];
    d.everywhere("k.cu --warp=64 --grid 1 --block 64 --arg out:u64:8 --out -", |ran, way| {
        let got: Vec<u64> = ran.succeeds(way).out.lines().map(|l| l.parse().unwrap()).collect();
        assert_eq!(got, want, "{way}");
    });
}
