// Images of OpenCL C on the host (OpenCL C 3.0, 6.15.15; OpenCL 3.0 API, "Image addressing and filtering").
//
// `d` is a `launch::image::ImageDesc` as words of 32 bits: width, height, depth, layers in 6 to 9, channel order and
// type in 10 and 11, bytes of a pixel in 12, which channel each component is in 14 (`swizzle`). A sampler `s` is made
// of the constants there. `shape` is the number of dimensions, plus 4 for arrays; coordinates have four components, those
// that an image lacks are 0.
// Nothing outside of an image is read or written, whatever the coordinates are.

//@ fn __unspool_image_width host
static int __unspool_image_width(constant uint *d) { return (int)d[6]; }

//@ fn __unspool_image_height host
static int __unspool_image_height(constant uint *d) { return (int)d[7]; }

//@ fn __unspool_image_depth host
static int __unspool_image_depth(constant uint *d) { return (int)d[8]; }

//@ fn __unspool_image_layers host
static ulong __unspool_image_layers(constant uint *d) { return (ulong)d[9]; }

//@ fn __unspool_image_order host
static int __unspool_image_order(constant uint *d) { return (int)d[10]; }

//@ fn __unspool_image_type host
static int __unspool_image_type(constant uint *d) { return (int)d[11]; }

//@ fn __unspool_image_dim2 host
static int2 __unspool_image_dim2(constant uint *d) { return (int2)((int)d[6], (int)d[7]); }

//@ fn __unspool_image_dim3 host
static int4 __unspool_image_dim3(constant uint *d) { return (int4)((int)d[6], (int)d[7], (int)d[8], 0); }

//@ fn __unspool_image_size host
// Pixels along each axis; the third is an array's layers.
static int4 __unspool_image_size(constant uint *d, int shape) {
  int dims = shape & 3;
  int h = dims > 1 ? (int)d[7] : 1;
  int n = shape > 4 ? (int)d[9] : dims > 2 ? (int)d[8] : 1;
  return (int4)((int)d[6], h, n, 1);
}

//@ fn __unspool_image_pixel host
static global uchar *__unspool_image_pixel(constant uint *d, int4 at) {
  constant ulong *wide = (constant ulong *)d;
  global uchar *data = *(global uchar *constant *)d;
  ulong offset = (ulong)at.z * wide[2] + (ulong)at.y * wide[1] + (ulong)at.x * (ulong)d[12];
  return data + offset;
}

//@ fn __unspool_image_pick host
// One of four channels, 0 or `one`: bits of `launch::image::swizzle`.
static uint __unspool_image_pick(uint n, uint4 c, uint one) {
  uint low = (n & 1u) != 0u ? c.y : c.x;
  uint high = (n & 1u) != 0u ? c.w : c.z;
  uint none = (n & 1u) != 0u ? one : 0u;
  return (n & 4u) != 0u ? none : (n & 2u) != 0u ? high : low;
}

//@ fn __unspool_image_to_rgba host
// Channels as they lie in memory to red, green, blue, alpha.
static uint4 __unspool_image_to_rgba(constant uint *d, uint4 c, uint one) {
  uint how = d[14];
  if (how == 0x3210u) { return c; }
  uint x = __unspool_image_pick(how, c, one);
  uint y = __unspool_image_pick(how >> 4, c, one);
  uint z = __unspool_image_pick(how >> 8, c, one);
  uint w = __unspool_image_pick(how >> 12, c, one);
  return (uint4)(x, y, z, w);
}

//@ fn __unspool_image_from_rgba host
// The inverse.
static uint4 __unspool_image_from_rgba(uint order, uint4 c) {
  switch (order) {
  case 0x10b1u: return (uint4)(c.w, 0u, 0u, 0u);
  case 0x10b3u: return (uint4)(c.x, c.w, 0u, 0u);
  case 0x10b6u: return (uint4)(c.z, c.y, c.x, c.w);
  case 0x10b7u: return (uint4)(c.w, c.x, c.y, c.z);
  case 0x10c3u: return (uint4)(c.w, c.z, c.y, c.x);
  default: return c;
  }
}

//@ fn __unspool_image_border host
// Orders without alpha have an opaque border, the others a transparent one.
static uint4 __unspool_image_border(uint order, uint one) {
  int opaque = order == 0x10b0u || order == 0x10b2u || order == 0x10b4u || order == 0x10b9u || order == 0x10bdu;
  return (uint4)(0u, 0u, 0u, opaque ? one : 0u);
}

//@ fn __unspool_image_shift host
// Bytes of a channel, or of a packed pixel, as a power of two.
static uint __unspool_image_shift(uint type) {
  int small = type == 0x10d0u || type == 0x10d2u || type == 0x10d7u || type == 0x10dau;
  int large = type == 0x10d6u || type == 0x10d9u || type == 0x10dcu || type == 0x10deu;
  return small ? 0u : large ? 2u : 1u;
}

//@ fn __unspool_image_words host
// A pixel as words of 32 bits, of which those that it does not fill are 0. One load for each word, whatever the channels
// are: in vectors, loads of bytes at addresses that differ are one for each lane.
static uint4 __unspool_image_words(constant uint *d, global const uchar *p) {
  global const uint *q = (global const uint *)p;
  switch (d[12]) {
  case 1u: return (uint4)((uint)p[0], 0u, 0u, 0u);
  case 2u: return (uint4)((uint)*(global const ushort *)p, 0u, 0u, 0u);
  case 4u: return (uint4)(q[0], 0u, 0u, 0u);
  case 8u: return (uint4)(q[0], q[1], 0u, 0u);
  default: return (uint4)(q[0], q[1], q[2], q[3]);
  }
}

//@ fn __unspool_image_bytes host
// Channels of 8 bits.
static uint4 __unspool_image_bytes(uint4 w) {
  return (uint4)(w.x & 255u, w.x >> 8 & 255u, w.x >> 16 & 255u, w.x >> 24);
}

//@ fn __unspool_image_shorts host
// Channels of 16 bits.
static uint4 __unspool_image_shorts(uint4 w) {
  return (uint4)(w.x & 65535u, w.x >> 16, w.y & 65535u, w.y >> 16);
}

//@ fn __unspool_image_half host
static float __unspool_image_half(uint bits) { return (float)as_half((ushort)bits); }

//@ fn __unspool_image_floats host
// The channels of a pixel as float: c / 255 and so on, rounded once.
static float4 __unspool_image_floats(constant uint *d, global const uchar *p) {
  uint4 w = __unspool_image_words(d, p);
  switch (d[11]) {
  case 0x10d0u: {
    float4 c = convert_float4(as_int4(__unspool_image_bytes(w) << 24u) >> 24) / 127.0f;
    return c < -1.0f ? (float4)(-1.0f) : c;
  }
  case 0x10d1u: {
    float4 c = convert_float4(as_int4(__unspool_image_shorts(w) << 16u) >> 16) / 32767.0f;
    return c < -1.0f ? (float4)(-1.0f) : c;
  }
  case 0x10d2u: return convert_float4(as_int4(__unspool_image_bytes(w))) / 255.0f;
  case 0x10d3u: return convert_float4(as_int4(__unspool_image_shorts(w))) / 65535.0f;
  case 0x10d4u: {
    uint v = w.x;
    return (float4)((float)(v >> 11) / 31.0f, (float)(v >> 5 & 63u) / 63.0f, (float)(v & 31u) / 31.0f, 1.0f);
  }
  case 0x10d5u: {
    uint v = w.x;
    return (float4)((float)(v >> 10 & 31u), (float)(v >> 5 & 31u), (float)(v & 31u), 31.0f) / 31.0f;
  }
  case 0x10d6u: {
    uint v = w.x;
    return (float4)((float)(v >> 20 & 1023u), (float)(v >> 10 & 1023u), (float)(v & 1023u), 1023.0f) / 1023.0f;
  }
  case 0x10ddu: {
    uint4 h = __unspool_image_shorts(w);
    return (float4)(__unspool_image_half(h.x), __unspool_image_half(h.y), __unspool_image_half(h.z),
                    __unspool_image_half(h.w));
  }
  case 0x10deu: return as_float4(w);
  default: return (float4)(0.0f);
  }
}

//@ fn __unspool_image_ints host
// The channels of a pixel as integers of 32 bits. OpenCL leaves undefined what is read so of other formats; of floats it is
// their bits, as on GPUs: SHOC's Spmv keeps doubles in such images.
static uint4 __unspool_image_ints(constant uint *d, global const uchar *p) {
  uint4 w = __unspool_image_words(d, p);
  switch (d[11]) {
  case 0x10d7u: return as_uint4(as_int4(__unspool_image_bytes(w) << 24u) >> 24);
  case 0x10d8u: return as_uint4(as_int4(__unspool_image_shorts(w) << 16u) >> 16);
  case 0x10dau: return __unspool_image_bytes(w);
  case 0x10dbu: return __unspool_image_shorts(w);
  case 0x10d9u:
  case 0x10dcu:
  case 0x10deu: return w;
  default: return (uint4)(0u);
  }
}

//@ fn __unspool_image_inside host
static int __unspool_image_inside(int4 at, int4 size) {
  uint4 u = as_uint4(at);
  uint4 n = as_uint4(size);
  return (u.x < n.x) & (u.y < n.y) & (u.z < n.z);
}

//@ fn __unspool_image_clamp host
static int4 __unspool_image_clamp(int4 at, int4 size) {
  return max(min(at, size - 1), (int4)(0));
}

//@ fn __unspool_image_fetchf host
// A pixel, or the border's colour. `near`: samplers that read the nearest pixel outside of the image.
static float4 __unspool_image_fetchf(constant uint *d, int4 at, int4 size, int near) {
  int inside = near | __unspool_image_inside(at, size);
  global const uchar *p = __unspool_image_pixel(d, __unspool_image_clamp(at, size));
  uint4 c = __unspool_image_to_rgba(d, as_uint4(__unspool_image_floats(d, p)), 0x3f800000u);
  uint4 b = __unspool_image_border(d[10], 0x3f800000u);
  return as_float4(inside ? c : b);
}

//@ fn __unspool_image_fetchui host
static uint4 __unspool_image_fetchui(constant uint *d, int4 at, int4 size, int near) {
  int inside = near | __unspool_image_inside(at, size);
  global const uchar *p = __unspool_image_pixel(d, __unspool_image_clamp(at, size));
  uint4 c = __unspool_image_to_rgba(d, __unspool_image_ints(d, p), 1u);
  uint4 b = __unspool_image_border(d[10], 1u);
  return inside ? c : b;
}

//@ fn __unspool_image_near host
// Whether a sampler reads the nearest pixel for coordinates outside of the image.
static int __unspool_image_near(uint s) { return (s & 14u) == 2u | (s & 14u) == 8u; }

//@ fn __unspool_image_index host
// Integer coordinates: the layer is the nearest that there is.
static int4 __unspool_image_index(int4 c, int4 size, int shape) {
  int4 at = shape == 5 ? (int4)(c.x, 0, c.y, 0) : (int4)(c.x, c.y, c.z, 0);
  at.z = shape > 4 ? __unspool_image_clamp(at, size).z : at.z;
  return at;
}

//@ fn __unspool_image_scale host
// A coordinate in pixels, within two of the image.
static float __unspool_image_scale(float c, uint s, int size) {
  float n = (float)size;
  uint mode = s & 14u;
  float repeat = (c - __builtin_floorf(c)) * n;
  float mirrored = __builtin_fabsf(c - 2.0f * __builtin_rintf(0.5f * c)) * n;
  float plain = (s & 1u) != 0u ? c * n : c;
  float u = mode == 6u ? repeat : mode == 8u ? mirrored : plain;
  return __builtin_fminf(__builtin_fmaxf(u, -2.0f), n + 2.0f);
}

//@ fn __unspool_image_wrap host
// The addressing mode of a pixel's number.
static int __unspool_image_wrap(int i, int n, uint s) {
  uint mode = s & 14u;
  int low = i < 0 ? 0 : i;
  int near = low > n - 1 ? n - 1 : low;
  int around = i < 0 ? i + n : i > n - 1 ? i - n : i;
  return mode == 6u ? around : mode == 2u || mode == 8u ? near : i;
}

//@ fn __unspool_image_scaled host
// Float coordinates in pixels; the third is an array's layer.
static float4 __unspool_image_scaled(uint s, float4 c, int4 size, int shape) {
  int dims = shape & 3;
  float layer = shape == 5 ? c.y : c.z;
  float last = (float)(size.z - 1);
  layer = __builtin_fminf(__builtin_fmaxf(__builtin_rintf(layer), 0.0f), last);
  float x = __unspool_image_scale(c.x, s, size.x);
  float y = dims > 1 ? __unspool_image_scale(c.y, s, size.y) : 0.0f;
  float z = dims > 2 ? __unspool_image_scale(c.z, s, size.z) : shape > 4 ? layer : 0.0f;
  return (float4)(x, y, z, 0.0f);
}

//@ fn __unspool_image_wrapped host
static int4 __unspool_image_wrapped(uint s, int4 i, int4 size, int shape) {
  int dims = shape & 3;
  int y = dims > 1 ? __unspool_image_wrap(i.y, size.y, s) : 0;
  int z = dims > 2 ? __unspool_image_wrap(i.z, size.z, s) : i.z;
  return (int4)(__unspool_image_wrap(i.x, size.x, s), y, z, 0);
}

//@ fn __unspool_image_nearest host
static int4 __unspool_image_nearest(uint s, float4 u, int4 size, int shape) {
  int4 i = (int4)((int)__builtin_floorf(u.x), (int)__builtin_floorf(u.y), (int)__builtin_floorf(u.z), 0);
  return __unspool_image_wrapped(s, i, size, shape);
}

//@ fn __unspool_image_linear host
// The weighted sum of the two pixels around along each axis.
static float4 __unspool_image_linear(constant uint *d, uint s, float4 u, int4 size, int shape) {
  int dims = shape & 3;
  int near = __unspool_image_near(s);
  float lx = __builtin_floorf(u.x - 0.5f);
  float ly = __builtin_floorf(u.y - 0.5f);
  float lz = __builtin_floorf(u.z - 0.5f);
  float ax = (u.x - 0.5f) - lx;
  float ay = (u.y - 0.5f) - ly;
  float az = (u.z - 0.5f) - lz;
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < 1 << dims; k++) {
    int x = k & 1;
    int y = k >> 1 & 1;
    int z = k >> 2;
    float wx = x != 0 ? ax : 1.0f - ax;
    float wy = dims > 1 ? y != 0 ? ay : 1.0f - ay : 1.0f;
    float wz = dims > 2 ? z != 0 ? az : 1.0f - az : 1.0f;
    int4 i = (int4)((int)lx + x, (int)ly + y, dims > 2 ? (int)lz + z : (int)u.z, 0);
    sum = sum + wx * wy * wz * __unspool_image_fetchf(d, __unspool_image_wrapped(s, i, size, shape), size, near);
  }
  return sum;
}

//@ fn __unspool_read_imagef_i host
static float4 __unspool_read_imagef_i(constant uint *d, uint s, int4 c, int shape) {
  int4 size = __unspool_image_size(d, shape);
  return __unspool_image_fetchf(d, __unspool_image_index(c, size, shape), size, (s & 14u) == 2u);
}

//@ fn __unspool_read_imageui_i host
static uint4 __unspool_read_imageui_i(constant uint *d, uint s, int4 c, int shape) {
  int4 size = __unspool_image_size(d, shape);
  return __unspool_image_fetchui(d, __unspool_image_index(c, size, shape), size, (s & 14u) == 2u);
}

//@ fn __unspool_read_imagef_f host
static float4 __unspool_read_imagef_f(constant uint *d, uint s, float4 c, int shape) {
  int4 size = __unspool_image_size(d, shape);
  float4 u = __unspool_image_scaled(s, c, size, shape);
  if ((s & 32u) != 0u) { return __unspool_image_linear(d, s, u, size, shape); }
  return __unspool_image_fetchf(d, __unspool_image_nearest(s, u, size, shape), size, __unspool_image_near(s));
}

//@ fn __unspool_read_imageui_f host
static uint4 __unspool_read_imageui_f(constant uint *d, uint s, float4 c, int shape) {
  int4 size = __unspool_image_size(d, shape);
  float4 u = __unspool_image_scaled(s, c, size, shape);
  return __unspool_image_fetchui(d, __unspool_image_nearest(s, u, size, shape), size, __unspool_image_near(s));
}

//@ fn __unspool_image_put host
// Stores a pixel that is there as words.
static void __unspool_image_put(constant uint *d, global uchar *p, uint4 w) {
  global uint *q = (global uint *)p;
  switch (d[12]) {
  case 1u: p[0] = (uchar)w.x; return;
  case 2u: *(global ushort *)p = (ushort)w.x; return;
  case 4u: q[0] = w.x; return;
  case 8u: q[0] = w.x; q[1] = w.y; return;
  default: q[0] = w.x; q[1] = w.y; q[2] = w.z; q[3] = w.w; return;
  }
}

//@ fn __unspool_image_store host
// Stores as many channels as a pixel has, by the low bits of each component.
static void __unspool_image_store(constant uint *d, global uchar *p, uint4 c) {
  uint shift = __unspool_image_shift(d[11]);
  uint4 b = c & 255u;
  uint4 h = c & 65535u;
  uint x = shift == 0u ? b.x | b.y << 8 | b.z << 16 | b.w << 24 : h.x | h.y << 16;
  uint4 w = (uint4)(x, h.z | h.w << 16, 0u, 0u);
  __unspool_image_put(d, p, shift == 2u ? c : w);
}

//@ fn __unspool_image_bits host
// Red, green and blue as integers, and all in one word.
static uint __unspool_image_bits(float4 c, float red, float green, float blue, uint first, uint second) {
  uint r = min(convert_uint_sat_rte(c.x * red), (uint)red);
  uint g = min(convert_uint_sat_rte(c.y * green), (uint)green);
  uint b = min(convert_uint_sat_rte(c.z * blue), (uint)blue);
  return r << first | g << second | b;
}

//@ fn __unspool_image_encode host
// Floats as the bits of a channel type, rounded to the nearest, even ones in ties.
static uint4 __unspool_image_encode(uint type, float4 c) {
  switch (type) {
  case 0x10d0u: return as_uint4(convert_int4(convert_char4_sat_rte(c * 127.0f)));
  case 0x10d1u: return as_uint4(convert_int4(convert_short4_sat_rte(c * 32767.0f)));
  case 0x10d2u: return convert_uint4(convert_uchar4_sat_rte(c * 255.0f));
  case 0x10d3u: return convert_uint4(convert_ushort4_sat_rte(c * 65535.0f));
  case 0x10d4u: return (uint4)(__unspool_image_bits(c, 31.0f, 63.0f, 31.0f, 11u, 5u), 0u, 0u, 0u);
  case 0x10d5u: return (uint4)(__unspool_image_bits(c, 31.0f, 31.0f, 31.0f, 10u, 5u), 0u, 0u, 0u);
  case 0x10d6u: return (uint4)(__unspool_image_bits(c, 1023.0f, 1023.0f, 1023.0f, 20u, 10u), 0u, 0u, 0u);
  case 0x10ddu: return convert_uint4(as_ushort4(convert_half4_rte(c)));
  default: return as_uint4(c);
  }
}

//@ fn __unspool_write_imagef host
static void __unspool_write_imagef(constant uint *d, int4 c, float4 v, int shape) {
  int4 size = __unspool_image_size(d, shape);
  int4 at = shape == 5 ? (int4)(c.x, 0, c.y, 0) : (int4)(c.x, c.y, c.z, 0);
  if (!__unspool_image_inside(at, size)) { return; }
  global uchar *p = __unspool_image_pixel(d, at);
  float4 r = as_float4(__unspool_image_from_rgba(d[10], as_uint4(v)));
  __unspool_image_store(d, p, __unspool_image_encode(d[11], r));
}

//@ fn __unspool_write_imagei host
static void __unspool_write_imagei(constant uint *d, int4 c, int4 v, int shape) {
  int4 size = __unspool_image_size(d, shape);
  int4 at = shape == 5 ? (int4)(c.x, 0, c.y, 0) : (int4)(c.x, c.y, c.z, 0);
  if (!__unspool_image_inside(at, size)) { return; }
  int4 r = as_int4(__unspool_image_from_rgba(d[10], as_uint4(v)));
  int4 small = convert_int4(convert_char4_sat(r));
  int4 middle = convert_int4(convert_short4_sat(r));
  r = d[11] == 0x10d7u ? small : d[11] == 0x10d8u ? middle : r;
  __unspool_image_store(d, __unspool_image_pixel(d, at), as_uint4(r));
}

//@ fn __unspool_write_imageui host
static void __unspool_write_imageui(constant uint *d, int4 c, uint4 v, int shape) {
  int4 size = __unspool_image_size(d, shape);
  int4 at = shape == 5 ? (int4)(c.x, 0, c.y, 0) : (int4)(c.x, c.y, c.z, 0);
  if (!__unspool_image_inside(at, size)) { return; }
  uint4 r = __unspool_image_from_rgba(d[10], v);
  uint4 small = min(r, (uint4)(255u));
  uint4 middle = min(r, (uint4)(65535u));
  r = d[11] == 0x10dau ? small : d[11] == 0x10dbu ? middle : r;
  __unspool_image_store(d, __unspool_image_pixel(d, at), r);
}
