// Written by generate.py from templates.py; change it there.

//@ fn __unspool_vadd2 inline
static unsigned int __unspool_vadd2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x + y) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsub2 inline
static unsigned int __unspool_vsub2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x - y) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vneg2 inline
static unsigned int __unspool_vneg2(unsigned int a) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; r |= ((unsigned int)(-x) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vabs2 inline
static unsigned int __unspool_vabs2(unsigned int a) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; r |= ((unsigned int)(x < 0 ? -x : x) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vnegss2 inline
static unsigned int __unspool_vnegss2(unsigned int a) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; r |= ((unsigned int)(x == -32768 ? 32767 : -x) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vabsss2 inline
static unsigned int __unspool_vabsss2(unsigned int a) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; r |= ((unsigned int)(x == -32768 ? 32767 : (x < 0 ? -x : x)) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vaddss2 inline
static unsigned int __unspool_vaddss2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)((x + y) > 32767 ? 32767 : ((x + y) < -32768 ? -32768 : (x + y))) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsubss2 inline
static unsigned int __unspool_vsubss2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)((x - y) > 32767 ? 32767 : ((x - y) < -32768 ? -32768 : (x - y))) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vaddus2 inline
static unsigned int __unspool_vaddus2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)((x + y) > 65535 ? 65535 : ((x + y) < 0 ? 0 : (x + y))) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsubus2 inline
static unsigned int __unspool_vsubus2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)((x - y) > 65535 ? 65535 : ((x - y) < 0 ? 0 : (x - y))) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vhaddu2 inline
static unsigned int __unspool_vhaddu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)((x + y) >> 1) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vavgu2 inline
static unsigned int __unspool_vavgu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)((x + y + 1) >> 1) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vavgs2 inline
static unsigned int __unspool_vavgs2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)((x + y + (x + y >= 0 ? 1 : 0)) >> 1) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vabsdiffs2 inline
static unsigned int __unspool_vabsdiffs2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x > y ? x - y : y - x) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsads2 inline
static unsigned int __unspool_vsads2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r += (unsigned int)(x > y ? x - y : y - x); }
  return r;
}

//@ fn __unspool_vmaxs2 inline
static unsigned int __unspool_vmaxs2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x > y ? x : y) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vmins2 inline
static unsigned int __unspool_vmins2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x < y ? x : y) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vabsdiffu2 inline
static unsigned int __unspool_vabsdiffu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x > y ? x - y : y - x) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsadu2 inline
static unsigned int __unspool_vsadu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r += (unsigned int)(x > y ? x - y : y - x); }
  return r;
}

//@ fn __unspool_vmaxu2 inline
static unsigned int __unspool_vmaxu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x > y ? x : y) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vminu2 inline
static unsigned int __unspool_vminu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x < y ? x : y) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmpeq2 inline
static unsigned int __unspool_vcmpeq2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x == y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vseteq2 inline
static unsigned int __unspool_vseteq2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x == y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmpne2 inline
static unsigned int __unspool_vcmpne2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x != y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsetne2 inline
static unsigned int __unspool_vsetne2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x != y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmpges2 inline
static unsigned int __unspool_vcmpges2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x >= y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsetges2 inline
static unsigned int __unspool_vsetges2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x >= y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmpgeu2 inline
static unsigned int __unspool_vcmpgeu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x >= y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsetgeu2 inline
static unsigned int __unspool_vsetgeu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x >= y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmpgts2 inline
static unsigned int __unspool_vcmpgts2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x > y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsetgts2 inline
static unsigned int __unspool_vsetgts2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x > y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmpgtu2 inline
static unsigned int __unspool_vcmpgtu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x > y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsetgtu2 inline
static unsigned int __unspool_vsetgtu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x > y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmples2 inline
static unsigned int __unspool_vcmples2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x <= y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsetles2 inline
static unsigned int __unspool_vsetles2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x <= y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmpleu2 inline
static unsigned int __unspool_vcmpleu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x <= y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsetleu2 inline
static unsigned int __unspool_vsetleu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x <= y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmplts2 inline
static unsigned int __unspool_vcmplts2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x < y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsetlts2 inline
static unsigned int __unspool_vsetlts2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)(a << (16 - i)) >> 16; int y = (int)(b << (16 - i)) >> 16; r |= ((unsigned int)(x < y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vcmpltu2 inline
static unsigned int __unspool_vcmpltu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x < y ? -1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vsetltu2 inline
static unsigned int __unspool_vsetltu2(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 16) { int x = (int)((a >> i) & 65535u); int y = (int)((b >> i) & 65535u); r |= ((unsigned int)(x < y ? 1 : 0) & 65535u) << i; }
  return r;
}

//@ fn __unspool_vadd4 inline
static unsigned int __unspool_vadd4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x + y) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsub4 inline
static unsigned int __unspool_vsub4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x - y) & 255u) << i; }
  return r;
}

//@ fn __unspool_vneg4 inline
static unsigned int __unspool_vneg4(unsigned int a) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; r |= ((unsigned int)(-x) & 255u) << i; }
  return r;
}

//@ fn __unspool_vabs4 inline
static unsigned int __unspool_vabs4(unsigned int a) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; r |= ((unsigned int)(x < 0 ? -x : x) & 255u) << i; }
  return r;
}

//@ fn __unspool_vnegss4 inline
static unsigned int __unspool_vnegss4(unsigned int a) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; r |= ((unsigned int)(x == -128 ? 127 : -x) & 255u) << i; }
  return r;
}

//@ fn __unspool_vabsss4 inline
static unsigned int __unspool_vabsss4(unsigned int a) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; r |= ((unsigned int)(x == -128 ? 127 : (x < 0 ? -x : x)) & 255u) << i; }
  return r;
}

//@ fn __unspool_vaddss4 inline
static unsigned int __unspool_vaddss4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)((x + y) > 127 ? 127 : ((x + y) < -128 ? -128 : (x + y))) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsubss4 inline
static unsigned int __unspool_vsubss4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)((x - y) > 127 ? 127 : ((x - y) < -128 ? -128 : (x - y))) & 255u) << i; }
  return r;
}

//@ fn __unspool_vaddus4 inline
static unsigned int __unspool_vaddus4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)((x + y) > 255 ? 255 : ((x + y) < 0 ? 0 : (x + y))) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsubus4 inline
static unsigned int __unspool_vsubus4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)((x - y) > 255 ? 255 : ((x - y) < 0 ? 0 : (x - y))) & 255u) << i; }
  return r;
}

//@ fn __unspool_vhaddu4 inline
static unsigned int __unspool_vhaddu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)((x + y) >> 1) & 255u) << i; }
  return r;
}

//@ fn __unspool_vavgu4 inline
static unsigned int __unspool_vavgu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)((x + y + 1) >> 1) & 255u) << i; }
  return r;
}

//@ fn __unspool_vavgs4 inline
static unsigned int __unspool_vavgs4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)((x + y + (x + y >= 0 ? 1 : 0)) >> 1) & 255u) << i; }
  return r;
}

//@ fn __unspool_vabsdiffs4 inline
static unsigned int __unspool_vabsdiffs4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x > y ? x - y : y - x) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsads4 inline
static unsigned int __unspool_vsads4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r += (unsigned int)(x > y ? x - y : y - x); }
  return r;
}

//@ fn __unspool_vmaxs4 inline
static unsigned int __unspool_vmaxs4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x > y ? x : y) & 255u) << i; }
  return r;
}

//@ fn __unspool_vmins4 inline
static unsigned int __unspool_vmins4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x < y ? x : y) & 255u) << i; }
  return r;
}

//@ fn __unspool_vabsdiffu4 inline
static unsigned int __unspool_vabsdiffu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x > y ? x - y : y - x) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsadu4 inline
static unsigned int __unspool_vsadu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r += (unsigned int)(x > y ? x - y : y - x); }
  return r;
}

//@ fn __unspool_vmaxu4 inline
static unsigned int __unspool_vmaxu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x > y ? x : y) & 255u) << i; }
  return r;
}

//@ fn __unspool_vminu4 inline
static unsigned int __unspool_vminu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x < y ? x : y) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmpeq4 inline
static unsigned int __unspool_vcmpeq4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x == y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vseteq4 inline
static unsigned int __unspool_vseteq4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x == y ? 1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmpne4 inline
static unsigned int __unspool_vcmpne4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x != y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsetne4 inline
static unsigned int __unspool_vsetne4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x != y ? 1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmpges4 inline
static unsigned int __unspool_vcmpges4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x >= y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsetges4 inline
static unsigned int __unspool_vsetges4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x >= y ? 1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmpgeu4 inline
static unsigned int __unspool_vcmpgeu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x >= y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsetgeu4 inline
static unsigned int __unspool_vsetgeu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x >= y ? 1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmpgts4 inline
static unsigned int __unspool_vcmpgts4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x > y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsetgts4 inline
static unsigned int __unspool_vsetgts4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x > y ? 1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmpgtu4 inline
static unsigned int __unspool_vcmpgtu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x > y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsetgtu4 inline
static unsigned int __unspool_vsetgtu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x > y ? 1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmples4 inline
static unsigned int __unspool_vcmples4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x <= y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsetles4 inline
static unsigned int __unspool_vsetles4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x <= y ? 1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmpleu4 inline
static unsigned int __unspool_vcmpleu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x <= y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsetleu4 inline
static unsigned int __unspool_vsetleu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x <= y ? 1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmplts4 inline
static unsigned int __unspool_vcmplts4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x < y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsetlts4 inline
static unsigned int __unspool_vsetlts4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)(a << (24 - i)) >> 24; int y = (int)(b << (24 - i)) >> 24; r |= ((unsigned int)(x < y ? 1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vcmpltu4 inline
static unsigned int __unspool_vcmpltu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x < y ? -1 : 0) & 255u) << i; }
  return r;
}

//@ fn __unspool_vsetltu4 inline
static unsigned int __unspool_vsetltu4(unsigned int a, unsigned int b) {
  unsigned int r = 0u;
  for (int i = 0; i < 32; i += 8) { int x = (int)((a >> i) & 255u); int y = (int)((b >> i) & 255u); r |= ((unsigned int)(x < y ? 1 : 0) & 255u) << i; }
  return r;
}
