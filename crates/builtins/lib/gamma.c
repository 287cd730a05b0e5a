// Written by generate.py from templates.py; change it there.

//@ fn __unspool_gamma_mid
// The gamma function on [1.5, 2.5].
static double __unspool_gamma_mid(double x) {
  double t = x - 2.0;
  double p = (-1.3346543710213155e-06);
  p = __builtin_fma(p, t, 2.6265952328685671e-06);
  p = __builtin_fma(p, t, (-3.5838693293044344e-06));
  p = __builtin_fma(p, t, 7.2156544774770737e-06);
  p = __builtin_fma(p, t, (-1.5309051377698779e-05));
  p = __builtin_fma(p, t, 3.0576629796996713e-05);
  p = __builtin_fma(p, t, (-6.0778314946219325e-05));
  p = __builtin_fma(p, t, 0.0001216515083797276);
  p = __builtin_fma(p, t, (-0.00024094323607892036));
  p = __builtin_fma(p, t, 0.00049039094828507649);
  p = __builtin_fma(p, t, (-0.00091957369963049311));
  p = __builtin_fma(p, t, 0.0021039331684731687);
  p = __builtin_fma(p, t, (-0.0028526458276537763));
  p = __builtin_fma(p, t, 0.011154045725207352);
  p = __builtin_fma(p, t, (-0.00026698206857562079));
  p = __builtin_fma(p, t, 0.074249010753352704);
  p = __builtin_fma(p, t, 0.081576919247084156);
  p = __builtin_fma(p, t, 0.41184033042644136);
  p = __builtin_fma(p, t, 0.42278433509846713);
  p = __builtin_fma(p, t, 1.0);
  return p;
}

//@ fn __unspool_tgamma
static double __unspool_tgamma(double x) {
  double a = __builtin_fabs(x);
  if (x != x || x == __builtin_inf()) { return x; }
  if (x == 0.0) { return __builtin_copysign(__builtin_inf(), x); }
  if (x < 0.0 && __builtin_trunc(x) == x) { return __builtin_nan(""); }
  if (a < 16.0) {
    double p = 1.0, t = x;
    // Walks to the middle interval; products of few factors.
    while (t > 2.5) { t = t - 1.0; p = p * t; }
    double d = 1.0;
    while (t < 1.5) { d = d * t; t = t + 1.0; }
    return __unspool_gamma_mid(t) * p / d;
  }
  if (a > 186.0) { return x > 0.0 ? __builtin_inf() : (__unspool_sinpi(x) < 0.0 ? -0.0 : 0.0); }
  // Stirling, half of the exponent at a time: y * y does not overflow before the result does.
  double l;
  double h = __unspool_log_pair(a, &l);
  double m = a - 0.5;
  double t = m * h;
  double u = __builtin_fma(m, h, -t) + m * l;
  double s = t - a;
  u += (t - s) - a;
  double i = __unspool_inverse(a);
  double z = i * i;
  double p = (-0.02086678147315979);
  p = __builtin_fma(p, z, 0.0062087364494800568);
  p = __builtin_fma(p, z, (-0.0019149789586663246));
  p = __builtin_fma(p, z, 0.00084173260256648064);
  p = __builtin_fma(p, z, (-0.00059523802214757034));
  p = __builtin_fma(p, z, 0.00079365079349348069);
  p = __builtin_fma(p, z, (-0.0027777777777776131));
  p = __builtin_fma(p, z, 0.083333333333333329);
  u = __builtin_fma(p, i, u);
  double y = __unspool_exp_parts(0.5 * s, 0.5 * u, 0);
  if (x > 0.0) { return y * 2.5066282746310007 * y; }
  double w = -3.1415926535897931 / (a * __unspool_sinpi(a));
  return w / 2.5066282746310007 / y / y;
}

//@ fn __unspool_tgammaf host
static float __unspool_tgammaf(float x) { return (float)__unspool_tgamma((double)x); }

//@ fn __unspool_lgamma_pos
// log of the gamma function for a > 0, finite.
static double __unspool_lgamma_pos(double a) {
  double w = 1.0, t = a;
  if (a < 8.0) {
    while (t > 2.5) { t = t - 1.0; w = w * t; }
  }
  // One logarithm for all: that of 1 is zero.
  double l = __unspool_log(a < 0.5 || a >= 8.0 ? a : w);
  if (a < 1.5) {
    t = a < 0.5 ? a : a - 1.0;
    double p = 0.23325395584106445;
  p = __builtin_fma(p, t, (-0.22572469711303711));
  p = __builtin_fma(p, t, (-0.17487537860870361));
  p = __builtin_fma(p, t, 0.15451323986053467);
  p = __builtin_fma(p, t, 0.15979123115539551);
  p = __builtin_fma(p, t, (-0.1461564302444458));
  p = __builtin_fma(p, t, 0.0047195069491863251);
  p = __builtin_fma(p, t, (-0.014018379151821136));
  p = __builtin_fma(p, t, 0.059453636407852173);
  p = __builtin_fma(p, t, (-0.059982120990753174));
  p = __builtin_fma(p, t, 0.054026871919631958);
  p = __builtin_fma(p, t, (-0.05771328671696288));
  p = __builtin_fma(p, t, 0.062675385542398987);
  p = __builtin_fma(p, t, (-0.066785742945849325));
  p = __builtin_fma(p, t, 0.071418963045396924);
  p = __builtin_fma(p, t, (-0.076923981678597417));
  p = __builtin_fma(p, t, 0.083354613147592155);
  p = __builtin_fma(p, t, (-0.090954437479173367));
  p = __builtin_fma(p, t, 0.10009942919344934);
  p = __builtin_fma(p, t, (-0.11133425250903928));
  p = __builtin_fma(p, t, 0.12550967016849793);
  p = __builtin_fma(p, t, (-0.14404989702246543));
  p = __builtin_fma(p, t, 0.1695571769893828);
  p = __builtin_fma(p, t, (-0.2073855510261684));
  p = __builtin_fma(p, t, 0.27058080842782695);
  p = __builtin_fma(p, t, (-0.40068563438654115));
  p = __builtin_fma(p, t, 0.8224670334241132);
  p = __builtin_fma(p, t, (-0.57721566490153287));
    return __builtin_fma(p, t, a < 0.5 ? -l : l);
  }
  if (a < 8.0) {
    t = t - 2.0;
    double p = (-1.3415694866125705e-07);
  p = __builtin_fma(p, t, 2.7880014386028051e-07);
  p = __builtin_fma(p, t, (-4.3032355279137846e-07));
  p = __builtin_fma(p, t, 9.1998981588403694e-07);
  p = __builtin_fma(p, t, (-2.044935172307305e-06));
  p = __builtin_fma(p, t, 4.3847321649082005e-06);
  p = __builtin_fma(p, t, (-9.4384522526524961e-06));
  p = __builtin_fma(p, t, 2.0505583961494267e-05);
  p = __builtin_fma(p, t, (-4.4926353687143615e-05));
  p = __builtin_fma(p, t, 9.9457674611506218e-05);
  p = __builtin_fma(p, t, (-0.00022315475012446708));
  p = __builtin_fma(p, t, 0.00050966951530189027);
  p = __builtin_fma(p, t, (-0.0011927539120777913));
  p = __builtin_fma(p, t, 0.0028905103310415282);
  p = __builtin_fma(p, t, (-0.0073855510286637274));
  p = __builtin_fma(p, t, 0.020580808427780133);
  p = __builtin_fma(p, t, (-0.067352301053198227));
  p = __builtin_fma(p, t, 0.32246703342411326);
  p = __builtin_fma(p, t, 0.42278433509846713);
    return __builtin_fma(p, t, l);
  }
  double i = __unspool_inverse(a);
  double z = i * i;
  double p = (-0.02086678147315979);
  p = __builtin_fma(p, z, 0.0062087364494800568);
  p = __builtin_fma(p, z, (-0.0019149789586663246));
  p = __builtin_fma(p, z, 0.00084173260256648064);
  p = __builtin_fma(p, z, (-0.00059523802214757034));
  p = __builtin_fma(p, z, 0.00079365079349348069);
  p = __builtin_fma(p, z, (-0.0027777777777776131));
  p = __builtin_fma(p, z, 0.083333333333333329);
  return __builtin_fma(a - 0.5, l, -a) + __builtin_fma(p, i, 0.91893853320467278);
}

//@ fn __unspool_lgamma_r
static double __unspool_lgamma_r(double x, int *sign) {
  double a = __builtin_fabs(x);
  *sign = 1;
  if (x != x) { return x; }
  if (a == __builtin_inf()) { return a; }
  if (a == 0.0) { *sign = __builtin_unspool_as_ulong(x) >> 63 != 0ul ? -1 : 1; return __builtin_inf(); }
  double r = __unspool_lgamma_pos(a);
  if (x > 0.0) { return r; }
  if (__builtin_trunc(x) == x) { *sign = 0; return __builtin_inf(); }
  double s = __unspool_sinpi(a);
  *sign = s > 0.0 ? -1 : 1;
  // Where -x is its own sine, the sum is -log(-x) itself.
  return a < 1e-17 ? r : -__unspool_log(__builtin_fabs(a * s) * 0.31830988618379069) - r;
}

//@ fn __unspool_lgamma
static double __unspool_lgamma(double x) {
  int s;
  return __unspool_lgamma_r(x, &s);
}

//@ fn __unspool_lgamma_rf host
static float __unspool_lgamma_rf(float x, int *sign) {
  int s;
  float r = (float)__unspool_lgamma_r((double)x, &s);
  *sign = s;
  return r;
}

//@ fn __unspool_lgammaf host
static float __unspool_lgammaf(float x) { return (float)__unspool_lgamma((double)x); }

//@ fn __unspool_lgamma_posf
// log of the gamma function for a > 0, finite.
static float __unspool_lgamma_posf(float a) {
  float w = 1.0f, t = a;
  if (a < 8.0f) {
    while (t > 2.5f) { t = t - 1.0f; w = w * t; }
  }
  // One logarithm for all: that of 1 is zero.
  float l = __unspool_logf(a < 0.5f || a >= 8.0f ? a : w);
  if (a < 1.5f) {
    t = a < 0.5f ? a : a - 1.0f;
    float p = 0.166292787f;
  p = __builtin_fmaf(p, t, (-0.177682877f));
  p = __builtin_fmaf(p, t, 0.0452779792f);
  p = __builtin_fmaf(p, t, (-0.0505540147f));
  p = __builtin_fmaf(p, t, 0.107086711f);
  p = __builtin_fmaf(p, t, (-0.118744582f));
  p = __builtin_fmaf(p, t, 0.12487264f);
  p = __builtin_fmaf(p, t, (-0.143374473f));
  p = __builtin_fmaf(p, t, 0.169584349f);
  p = __builtin_fmaf(p, t, (-0.207414359f));
  p = __builtin_fmaf(p, t, 0.270580381f);
  p = __builtin_fmaf(p, t, (-0.400685191f));
  p = __builtin_fmaf(p, t, 0.822467029f);
  p = __builtin_fmaf(p, t, (-0.577215672f));
    return __builtin_fmaf(p, t, a < 0.5f ? -l : l);
  }
  if (a < 8.0f) {
    t = t - 2.0f;
    float p = (-0.000250562036f);
  p = __builtin_fmaf(p, t, 0.000570251257f);
  p = __builtin_fmaf(p, t, (-0.00118748483f));
  p = __builtin_fmaf(p, t, 0.00287886872f);
  p = __builtin_fmaf(p, t, (-0.00738592073f));
  p = __builtin_fmaf(p, t, 0.0205816254f);
  p = __builtin_fmaf(p, t, (-0.0673522949f));
  p = __builtin_fmaf(p, t, 0.322467029f);
  p = __builtin_fmaf(p, t, 0.422784328f);
    return __builtin_fmaf(p, t, l);
  }
  float i = __unspool_inversef(a);
  float z = i * i;
  float p = 0.000780034694f;
  p = __builtin_fmaf(p, z, (-0.00277769845f));
  p = __builtin_fmaf(p, z, 0.0833333358f);
  return __builtin_fmaf(a - 0.5f, l, -a) + __builtin_fmaf(p, i, 0.918938518f);
}

//@ fn __unspool_lgamma_rf
static float __unspool_lgamma_rf(float x, int *sign) {
  float a = __builtin_fabsf(x);
  *sign = 1;
  if (x != x) { return x; }
  if (a == __builtin_inff()) { return a; }
  if (a == 0.0f) { *sign = __builtin_unspool_as_uint(x) >> 31 != 0u ? -1 : 1; return __builtin_inff(); }
  float r = __unspool_lgamma_posf(a);
  if (x > 0.0f) { return r; }
  if (__builtin_truncf(x) == x) { *sign = 0; return __builtin_inff(); }
  float s = __unspool_sinpif(a);
  *sign = s > 0.0f ? -1 : 1;
  // Where -x is its own sine, the sum is -log(-x) itself.
  return a < 1e-10f ? r : -__unspool_logf(__builtin_fabsf(a * s) * 0.318309873f) - r;
}

//@ fn __unspool_lgammaf
static float __unspool_lgammaf(float x) {
  int s;
  return __unspool_lgamma_rf(x, &s);
}

//@ fn __unspool_tgammaf
static float __unspool_tgammaf(float x) {
  // Below -1/2 by the sine's product with the function of -x.
  int mirrored = x < -0.5f;
  float w = mirrored ? -x : x;
  float n = __builtin_rintf(w);
  float t = w - n;
  // What is asked for is top / (bottom + rest) * down.
  float top, bottom, rest = 0.0f, down = 1.0f;
  if (w < 4.5f) {
    float p = (-2.98679915e-05f);
  p = __builtin_fmaf(p, t, 0.000559019623f);
  p = __builtin_fmaf(p, t, (-0.00109887787f));
  p = __builtin_fmaf(p, t, 0.00209629792f);
  p = __builtin_fmaf(p, t, (-0.00280104345f));
  p = __builtin_fmaf(p, t, 0.0111528346f);
  p = __builtin_fmaf(p, t, (-0.000273586542f));
  p = __builtin_fmaf(p, t, 0.0742492676f);
  p = __builtin_fmaf(p, t, 0.0815772861f);
  p = __builtin_fmaf(p, t, 0.41184032f);
  p = __builtin_fmaf(p, t, 0.422784328f);
    float g = __builtin_fmaf(p, t, 1.0f);
    float d = n < 1.5f ? w : 1.0f;
    bottom = n < 0.5f ? d * (w + 1.0f) : d;
    g = n > 2.5f ? g * (w - 1.0f) : g;
    top = n > 3.5f ? g * (w - 2.0f) : g;
    if (mirrored) {
      float b = bottom;
      bottom = top;
      top = b;
    }
  } else {
    // Stirling's, to base 2. Beyond 44 everything has overflown.
    float c = w > 44.0f ? 44.0f : w;
    unsigned int b = (__builtin_unspool_as_uint(c) - 0x3f3504f3u) & 0xff800000u;
    float k = (float)(int)b * 1.1920928955078125e-07f;
    float f = __builtin_unspool_as_float(__builtin_unspool_as_uint(c) - b) - 1.0f;
    float i = __builtin_unspool_rcp_approx_ftz(2.0f + f);
    float u = f * i;
    float ul = __builtin_fmaf(-u, f, __builtin_fmaf(-2.0f, u, f)) * i;
    float s = u * u;
    float q;
    {
    float p = 0.336925358f;
  p = __builtin_fmaf(p, s, 0.41190654f);
  p = __builtin_fmaf(p, s, 0.577079058f);
  p = __builtin_fmaf(p, s, 0.961796701f);
    q = p * s;
    }
    float h = __builtin_fmaf(u, 2.88539004f, k);
    float l = __builtin_fmaf(u, 2.88539004f, k - h);
    l = __builtin_fmaf(u, 3.85192607e-08f, l);
    l = __builtin_fmaf(ul, __builtin_fmaf(3.0f, q, 2.88539004f), l);
    l = __builtin_fmaf(u, q, l);
    float m = c - 0.5f;
    float v = m * h;
    float y = c * 1.44269502f;
    float e = v - y;
    float z = __builtin_unspool_rcp_approx_ftz(c);
    l = __builtin_fmaf(m, l, __builtin_fmaf(m, h, -v)) + ((v - e) - y);
    l = l - __builtin_fmaf(c, 1.92596303e-08f, __builtin_fmaf(c, 1.44269502f, -y));
    s = z * z;
    float p = 0.00108075701f;
  p = __builtin_fmaf(p, s, (-0.0040061092f));
  p = __builtin_fmaf(p, s, 0.12022458f);
    l = __builtin_fmaf(p, z, l);
    // Inverted, and scaled so that nothing vanishes before the result does.
    e = mirrored ? -e : e;
    l = mirrored ? -l : l;
    down = mirrored ? 9.09494702e-13f : down;
    float a = mirrored ? 0.398942292f : 2.50662827f;
    float bias = mirrored ? 12583079.0f : 12583039.0f;
    float j = __builtin_fminf(__builtin_fmaxf(e, -166.0f), 127.0f) + bias;
    l = (e - (j - bias)) + l;
    top = __builtin_unspool_ex2_approx_ftz(l) * a * __builtin_unspool_as_float(__builtin_unspool_as_uint(j) << 23);
    bottom = 1.0f;
  }
  if (mirrored) {
    float z = t * t;
    float p = 0.0247568637f;
  p = __builtin_fmaf(p, z, (-0.190462887f));
  p = __builtin_fmaf(p, z, 0.811718702f);
  p = __builtin_fmaf(p, z, (-1.64493346f));
    float s = __builtin_fmaf(p * z, t, t);
    // Every other time positive; at whole numbers there is no value.
    s = (__builtin_unspool_as_uint(n + 12582912.0f) & 1u) != 0u ? s : -s;
    float v = s * w;
    float b = v * bottom;
    // What rounding left of the product.
    rest = __builtin_fmaf(v, bottom, -b) + __builtin_fmaf(s, w, -v) * bottom;
    bottom = v == 0.0f ? __builtin_nanf("") : b;
  }
  float i = __builtin_unspool_rcp_approx(bottom);
  float q = top * i;
  float r = __builtin_fmaf(__builtin_fmaf(-q, rest, __builtin_fmaf(-q, bottom, top)), i, q);
  r = __builtin_fabsf(q) < __builtin_inff() ? r : q;
  return r * down;
}
