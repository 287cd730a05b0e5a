// Written by generate.py from templates.py; change it there.

//@ fn __unspool_vadd2 inline
static unsigned int __unspool_vadd2(unsigned int a, unsigned int b) {
  unsigned int s = ((a & 2147450879u) + (b & 2147450879u)) ^ ((a ^ b) & 2147516416u);
  unsigned int r = s;
  return r;
}

//@ fn __unspool_vadd4 inline
static unsigned int __unspool_vadd4(unsigned int a, unsigned int b) {
  unsigned int s = ((a & 2139062143u) + (b & 2139062143u)) ^ ((a ^ b) & 2155905152u);
  unsigned int r = s;
  return r;
}

//@ fn __unspool_vsub2 inline
static unsigned int __unspool_vsub2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int d = t ^ (~(a ^ b) & 2147516416u);
  unsigned int r = d;
  return r;
}

//@ fn __unspool_vsub4 inline
static unsigned int __unspool_vsub4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int d = t ^ (~(a ^ b) & 2155905152u);
  unsigned int r = d;
  return r;
}

//@ fn __unspool_vneg2 inline
static unsigned int __unspool_vneg2(unsigned int a) {
  unsigned int r = (2147516416u - (a & 2147450879u)) ^ (~a & 2147516416u);
  return r;
}

//@ fn __unspool_vneg4 inline
static unsigned int __unspool_vneg4(unsigned int a) {
  unsigned int r = (2155905152u - (a & 2139062143u)) ^ (~a & 2155905152u);
  return r;
}

//@ fn __unspool_vabs2 inline
static unsigned int __unspool_vabs2(unsigned int a) {
  unsigned int m_top = a & 2147516416u; unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = (a ^ m) + (m_top >> 15);
  return r;
}

//@ fn __unspool_vabs4 inline
static unsigned int __unspool_vabs4(unsigned int a) {
  unsigned int m_top = a & 2155905152u; unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = (a ^ m) + (m_top >> 7);
  return r;
}

//@ fn __unspool_vabsss2 inline
static unsigned int __unspool_vabsss2(unsigned int a) {
  unsigned int m_top = a & 2147516416u; unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = (a ^ m) + (m_top >> 15);
  r = r - ((r & 2147516416u) >> 15);
  return r;
}

//@ fn __unspool_vabsss4 inline
static unsigned int __unspool_vabsss4(unsigned int a) {
  unsigned int m_top = a & 2155905152u; unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = (a ^ m) + (m_top >> 7);
  r = r - ((r & 2155905152u) >> 7);
  return r;
}

//@ fn __unspool_vnegss2 inline
static unsigned int __unspool_vnegss2(unsigned int a) {
  unsigned int r = (2147516416u - (a & 2147450879u)) ^ (~a & 2147516416u);
  r = r - ((a & r & 2147516416u) >> 15);
  return r;
}

//@ fn __unspool_vnegss4 inline
static unsigned int __unspool_vnegss4(unsigned int a) {
  unsigned int r = (2155905152u - (a & 2139062143u)) ^ (~a & 2155905152u);
  r = r - ((a & r & 2155905152u) >> 7);
  return r;
}

//@ fn __unspool_vaddss2 inline
static unsigned int __unspool_vaddss2(unsigned int a, unsigned int b) {
  unsigned int s = ((a & 2147450879u) + (b & 2147450879u)) ^ ((a ^ b) & 2147516416u);
  unsigned int m_top = ~(a ^ b) & (a ^ s) & 2147516416u; unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int far = ((a >> 15) & 65537u) + 2147450879u;
  unsigned int r = (s & ~m) | (far & m);
  return r;
}

//@ fn __unspool_vaddss4 inline
static unsigned int __unspool_vaddss4(unsigned int a, unsigned int b) {
  unsigned int s = ((a & 2139062143u) + (b & 2139062143u)) ^ ((a ^ b) & 2155905152u);
  unsigned int m_top = ~(a ^ b) & (a ^ s) & 2155905152u; unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int far = ((a >> 7) & 16843009u) + 2139062143u;
  unsigned int r = (s & ~m) | (far & m);
  return r;
}

//@ fn __unspool_vsubss2 inline
static unsigned int __unspool_vsubss2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int d = t ^ (~(a ^ b) & 2147516416u);
  unsigned int m_top = (a ^ b) & (a ^ d) & 2147516416u; unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int far = ((a >> 15) & 65537u) + 2147450879u;
  unsigned int r = (d & ~m) | (far & m);
  return r;
}

//@ fn __unspool_vsubss4 inline
static unsigned int __unspool_vsubss4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int d = t ^ (~(a ^ b) & 2155905152u);
  unsigned int m_top = (a ^ b) & (a ^ d) & 2155905152u; unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int far = ((a >> 7) & 16843009u) + 2139062143u;
  unsigned int r = (d & ~m) | (far & m);
  return r;
}

//@ fn __unspool_vaddus2 inline
static unsigned int __unspool_vaddus2(unsigned int a, unsigned int b) {
  unsigned int s = ((a & 2147450879u) + (b & 2147450879u)) ^ ((a ^ b) & 2147516416u);
  unsigned int m_top = ((a & b) | ((a | b) & ~s)) & 2147516416u; unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = s | m;
  return r;
}

//@ fn __unspool_vaddus4 inline
static unsigned int __unspool_vaddus4(unsigned int a, unsigned int b) {
  unsigned int s = ((a & 2139062143u) + (b & 2139062143u)) ^ ((a ^ b) & 2155905152u);
  unsigned int m_top = ((a & b) | ((a | b) & ~s)) & 2155905152u; unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = s | m;
  return r;
}

//@ fn __unspool_vsubus2 inline
static unsigned int __unspool_vsubus2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int d = t ^ (~(a ^ b) & 2147516416u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u); unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = d & m;
  return r;
}

//@ fn __unspool_vsubus4 inline
static unsigned int __unspool_vsubus4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int d = t ^ (~(a ^ b) & 2155905152u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u); unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = d & m;
  return r;
}

//@ fn __unspool_vhaddu2 inline
static unsigned int __unspool_vhaddu2(unsigned int a, unsigned int b) {
  unsigned int r = (a & b) + (((a ^ b) & 4294901758u) >> 1);
  return r;
}

//@ fn __unspool_vhaddu4 inline
static unsigned int __unspool_vhaddu4(unsigned int a, unsigned int b) {
  unsigned int r = (a & b) + (((a ^ b) & 4278124286u) >> 1);
  return r;
}

//@ fn __unspool_vavgu2 inline
static unsigned int __unspool_vavgu2(unsigned int a, unsigned int b) {
  unsigned int r = (a | b) - (((a ^ b) & 4294901758u) >> 1);
  return r;
}

//@ fn __unspool_vavgu4 inline
static unsigned int __unspool_vavgu4(unsigned int a, unsigned int b) {
  unsigned int r = (a | b) - (((a ^ b) & 4278124286u) >> 1);
  return r;
}

//@ fn __unspool_vavgs2 inline
static unsigned int __unspool_vavgs2(unsigned int a, unsigned int b) {
  unsigned int low = ((a ^ 2147516416u) & (b ^ 2147516416u)) + (((a ^ b) & 4294901758u) >> 1);
  unsigned int r = (low + ((low >> 15) & (a ^ b) & 65537u)) ^ 2147516416u;
  return r;
}

//@ fn __unspool_vavgs4 inline
static unsigned int __unspool_vavgs4(unsigned int a, unsigned int b) {
  unsigned int low = ((a ^ 2155905152u) & (b ^ 2155905152u)) + (((a ^ b) & 4278124286u) >> 1);
  unsigned int r = (low + ((low >> 7) & (a ^ b) & 16843009u)) ^ 2155905152u;
  return r;
}

//@ fn __unspool_vabsdiffs2 inline
static unsigned int __unspool_vabsdiffs2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int d = t ^ (~(a ^ b) & 2147516416u);
  unsigned int m_top = (((~a & b) | (~(a ^ b) & t)) & 2147516416u); unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = (d ^ ~m) + (~m & 65537u);
  return r;
}

//@ fn __unspool_vabsdiffs4 inline
static unsigned int __unspool_vabsdiffs4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int d = t ^ (~(a ^ b) & 2155905152u);
  unsigned int m_top = (((~a & b) | (~(a ^ b) & t)) & 2155905152u); unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = (d ^ ~m) + (~m & 16843009u);
  return r;
}

//@ fn __unspool_vsads2 inline
static unsigned int __unspool_vsads2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int d = t ^ (~(a ^ b) & 2147516416u);
  unsigned int m_top = (((~a & b) | (~(a ^ b) & t)) & 2147516416u); unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int g = (d ^ ~m) + (~m & 65537u);
  unsigned int r = (g & 65535u) + (g >> 16);
  return r;
}

//@ fn __unspool_vsads4 inline
static unsigned int __unspool_vsads4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int d = t ^ (~(a ^ b) & 2155905152u);
  unsigned int m_top = (((~a & b) | (~(a ^ b) & t)) & 2155905152u); unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int g = (d ^ ~m) + (~m & 16843009u);
  g = (g & 16711935u) + ((g >> 8) & 16711935u);
  unsigned int r = (g & 65535u) + (g >> 16);
  return r;
}

//@ fn __unspool_vmaxs2 inline
static unsigned int __unspool_vmaxs2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int m_top = (((~a & b) | (~(a ^ b) & t)) & 2147516416u); unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = (a & m) | (b & ~m);
  return r;
}

//@ fn __unspool_vmaxs4 inline
static unsigned int __unspool_vmaxs4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int m_top = (((~a & b) | (~(a ^ b) & t)) & 2155905152u); unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = (a & m) | (b & ~m);
  return r;
}

//@ fn __unspool_vmins2 inline
static unsigned int __unspool_vmins2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int m_top = (((~a & b) | (~(a ^ b) & t)) & 2147516416u); unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = (b & m) | (a & ~m);
  return r;
}

//@ fn __unspool_vmins4 inline
static unsigned int __unspool_vmins4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int m_top = (((~a & b) | (~(a ^ b) & t)) & 2155905152u); unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = (b & m) | (a & ~m);
  return r;
}

//@ fn __unspool_vabsdiffu2 inline
static unsigned int __unspool_vabsdiffu2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int d = t ^ (~(a ^ b) & 2147516416u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u); unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = (d ^ ~m) + (~m & 65537u);
  return r;
}

//@ fn __unspool_vabsdiffu4 inline
static unsigned int __unspool_vabsdiffu4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int d = t ^ (~(a ^ b) & 2155905152u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u); unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = (d ^ ~m) + (~m & 16843009u);
  return r;
}

//@ fn __unspool_vsadu2 inline
static unsigned int __unspool_vsadu2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int d = t ^ (~(a ^ b) & 2147516416u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u); unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int g = (d ^ ~m) + (~m & 65537u);
  unsigned int r = (g & 65535u) + (g >> 16);
  return r;
}

//@ fn __unspool_vsadu4 inline
static unsigned int __unspool_vsadu4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int d = t ^ (~(a ^ b) & 2155905152u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u); unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int g = (d ^ ~m) + (~m & 16843009u);
  g = (g & 16711935u) + ((g >> 8) & 16711935u);
  unsigned int r = (g & 65535u) + (g >> 16);
  return r;
}

//@ fn __unspool_vmaxu2 inline
static unsigned int __unspool_vmaxu2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u); unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = (a & m) | (b & ~m);
  return r;
}

//@ fn __unspool_vmaxu4 inline
static unsigned int __unspool_vmaxu4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u); unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = (a & m) | (b & ~m);
  return r;
}

//@ fn __unspool_vminu2 inline
static unsigned int __unspool_vminu2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u); unsigned int m = (m_top << 1) - (m_top >> 15);
  unsigned int r = (b & m) | (a & ~m);
  return r;
}

//@ fn __unspool_vminu4 inline
static unsigned int __unspool_vminu4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int m_top = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u); unsigned int m = (m_top << 1) - (m_top >> 7);
  unsigned int r = (b & m) | (a & ~m);
  return r;
}

//@ fn __unspool_vcmpne2 inline
static unsigned int __unspool_vcmpne2(unsigned int a, unsigned int b) {
  unsigned int x = a ^ b;
  unsigned int h = (((x & 2147450879u) + 2147450879u) | x) & 2147516416u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmpne4 inline
static unsigned int __unspool_vcmpne4(unsigned int a, unsigned int b) {
  unsigned int x = a ^ b;
  unsigned int h = (((x & 2139062143u) + 2139062143u) | x) & 2155905152u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vsetne2 inline
static unsigned int __unspool_vsetne2(unsigned int a, unsigned int b) {
  unsigned int x = a ^ b;
  unsigned int h = (((x & 2147450879u) + 2147450879u) | x) & 2147516416u;
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vsetne4 inline
static unsigned int __unspool_vsetne4(unsigned int a, unsigned int b) {
  unsigned int x = a ^ b;
  unsigned int h = (((x & 2139062143u) + 2139062143u) | x) & 2155905152u;
  unsigned int r = h >> 7;
  return r;
}

//@ fn __unspool_vcmpeq2 inline
static unsigned int __unspool_vcmpeq2(unsigned int a, unsigned int b) {
  unsigned int x = a ^ b;
  unsigned int h = (((x & 2147450879u) + 2147450879u) | x) & 2147516416u;
  h = h ^ 2147516416u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmpeq4 inline
static unsigned int __unspool_vcmpeq4(unsigned int a, unsigned int b) {
  unsigned int x = a ^ b;
  unsigned int h = (((x & 2139062143u) + 2139062143u) | x) & 2155905152u;
  h = h ^ 2155905152u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vseteq2 inline
static unsigned int __unspool_vseteq2(unsigned int a, unsigned int b) {
  unsigned int x = a ^ b;
  unsigned int h = (((x & 2147450879u) + 2147450879u) | x) & 2147516416u;
  h = h ^ 2147516416u;
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vseteq4 inline
static unsigned int __unspool_vseteq4(unsigned int a, unsigned int b) {
  unsigned int x = a ^ b;
  unsigned int h = (((x & 2139062143u) + 2139062143u) | x) & 2155905152u;
  h = h ^ 2155905152u;
  unsigned int r = h >> 7;
  return r;
}

//@ fn __unspool_vcmpges2 inline
static unsigned int __unspool_vcmpges2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2147516416u);
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmpges4 inline
static unsigned int __unspool_vcmpges4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2155905152u);
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vsetges2 inline
static unsigned int __unspool_vsetges2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2147516416u);
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vsetges4 inline
static unsigned int __unspool_vsetges4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2155905152u);
  unsigned int r = h >> 7;
  return r;
}

//@ fn __unspool_vcmplts2 inline
static unsigned int __unspool_vcmplts2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2147516416u);
  h = h ^ 2147516416u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmplts4 inline
static unsigned int __unspool_vcmplts4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2155905152u);
  h = h ^ 2155905152u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vsetlts2 inline
static unsigned int __unspool_vsetlts2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2147516416u);
  h = h ^ 2147516416u;
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vsetlts4 inline
static unsigned int __unspool_vsetlts4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2155905152u);
  h = h ^ 2155905152u;
  unsigned int r = h >> 7;
  return r;
}

//@ fn __unspool_vcmples2 inline
static unsigned int __unspool_vcmples2(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2147516416u);
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmples4 inline
static unsigned int __unspool_vcmples4(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2155905152u);
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vsetles2 inline
static unsigned int __unspool_vsetles2(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2147516416u);
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vsetles4 inline
static unsigned int __unspool_vsetles4(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2155905152u);
  unsigned int r = h >> 7;
  return r;
}

//@ fn __unspool_vcmpgts2 inline
static unsigned int __unspool_vcmpgts2(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2147516416u);
  h = h ^ 2147516416u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmpgts4 inline
static unsigned int __unspool_vcmpgts4(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2155905152u);
  h = h ^ 2155905152u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vsetgts2 inline
static unsigned int __unspool_vsetgts2(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2147516416u);
  h = h ^ 2147516416u;
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vsetgts4 inline
static unsigned int __unspool_vsetgts4(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((~a & b) | (~(a ^ b) & t)) & 2155905152u);
  h = h ^ 2155905152u;
  unsigned int r = h >> 7;
  return r;
}

//@ fn __unspool_vcmpgeu2 inline
static unsigned int __unspool_vcmpgeu2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u);
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmpgeu4 inline
static unsigned int __unspool_vcmpgeu4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u);
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vsetgeu2 inline
static unsigned int __unspool_vsetgeu2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u);
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vsetgeu4 inline
static unsigned int __unspool_vsetgeu4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u);
  unsigned int r = h >> 7;
  return r;
}

//@ fn __unspool_vcmpltu2 inline
static unsigned int __unspool_vcmpltu2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u);
  h = h ^ 2147516416u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmpltu4 inline
static unsigned int __unspool_vcmpltu4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u);
  h = h ^ 2155905152u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vsetltu2 inline
static unsigned int __unspool_vsetltu2(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u);
  h = h ^ 2147516416u;
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vsetltu4 inline
static unsigned int __unspool_vsetltu4(unsigned int a, unsigned int b) {
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u);
  h = h ^ 2155905152u;
  unsigned int r = h >> 7;
  return r;
}

//@ fn __unspool_vcmpleu2 inline
static unsigned int __unspool_vcmpleu2(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u);
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmpleu4 inline
static unsigned int __unspool_vcmpleu4(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u);
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vsetleu2 inline
static unsigned int __unspool_vsetleu2(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u);
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vsetleu4 inline
static unsigned int __unspool_vsetleu4(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u);
  unsigned int r = h >> 7;
  return r;
}

//@ fn __unspool_vcmpgtu2 inline
static unsigned int __unspool_vcmpgtu2(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u);
  h = h ^ 2147516416u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 15);
  return r;
}

//@ fn __unspool_vcmpgtu4 inline
static unsigned int __unspool_vcmpgtu4(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u);
  h = h ^ 2155905152u;
  unsigned int r_top = h; unsigned int r = (r_top << 1) - (r_top >> 7);
  return r;
}

//@ fn __unspool_vsetgtu2 inline
static unsigned int __unspool_vsetgtu2(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2147516416u) - (b & 2147450879u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2147516416u);
  h = h ^ 2147516416u;
  unsigned int r = h >> 15;
  return r;
}

//@ fn __unspool_vsetgtu4 inline
static unsigned int __unspool_vsetgtu4(unsigned int a, unsigned int b) {
  unsigned int c = a; a = b; b = c;
  unsigned int t = (a | 2155905152u) - (b & 2139062143u);
  unsigned int h = (((a & ~b) | (~(a ^ b) & t)) & 2155905152u);
  h = h ^ 2155905152u;
  unsigned int r = h >> 7;
  return r;
}
