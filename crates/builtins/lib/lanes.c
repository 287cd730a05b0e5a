// What is done with masks of lanes.

//@ fn __unspool_fns
// The place of a bit of `mask`: the one at `base`, or the `offset`-th from there on, downwards if that is negative; all ones
// if there is none (PTX ISA, `fns`).
static unsigned int __unspool_fns(unsigned int mask, unsigned int base, int offset) {
  int step = offset < 0 ? -1 : 1;
  int left = offset < 0 ? -offset : offset;
  int at = (int)base;
  if (offset == 0) return (unsigned int)at < 32u && (mask >> at & 1u) != 0u ? base : 0xffffffffu;
  while ((unsigned int)at < 32u) {
    left -= (int)(mask >> at & 1u);
    if (left == 0) return (unsigned int)at;
    at += step;
  }
  return 0xffffffffu;
}
