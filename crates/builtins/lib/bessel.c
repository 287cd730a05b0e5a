// Written by generate.py from templates.py; change it there.

//@ fn __unspool_bessel_wave0f
// J (second: Y) of order 0 for a >= 8.
static float __unspool_bessel_wave0f(float a, int second) {
  float c;
  float s = __unspool_sincosf(a, &c);
  float i = __unspool_inversef(a);
  float z = i * i;
  float m = (-0.43308121f);
  m = __builtin_fmaf(m, z, 0.110917829f);
  m = __builtin_fmaf(m, z, (-0.0703087896f));
  m = __builtin_fmaf(m, z, 1.0f);
  float p = (-12.4379654f);
  p = __builtin_fmaf(p, z, 1.59477746f);
  p = __builtin_fmaf(p, z, (-0.226430148f));
  p = __builtin_fmaf(p, z, 0.0732409135f);
  p = __builtin_fmaf(p, z, (-0.125f));
  p = p * i;
  float r = 0.564189613f * __unspool_rsqrtf(a);
  float u = s + c;
  float v = s - c;
  return r * (second != 0 ? __builtin_fmaf(m, v, p * u) : __builtin_fmaf(m, u, -(p * v)));
}

//@ fn __unspool_bessel_wave0
// J (second: Y) of order 0 for a >= 8.
static double __unspool_bessel_wave0(double a, int second) {
  double c;
  double s = __unspool_sincos(a, &c);
  double i = __unspool_inverse(a);
  double z = i * i;
  double m = 645943787520.0;
  m = __builtin_fma(m, z, (-76049285120.0));
  m = __builtin_fma(m, z, 4223037440.0);
  m = __builtin_fma(m, z, (-151763200.0));
  m = __builtin_fma(m, z, 4209152.0);
  m = __builtin_fma(m, z, (-106674.25));
  m = __builtin_fma(m, z, 2983.986328125);
  m = __builtin_fma(m, z, (-109.84703818998361));
  m = __builtin_fma(m, z, 6.0736863433945301);
  m = __builtin_fma(m, z, (-0.57250096475819223));
  m = __builtin_fma(m, z, 0.1121520992899093);
  m = __builtin_fma(m, z, (-0.070312499999898928));
  m = __builtin_fma(m, z, 1.0);
  double p = (-12858444889456640.0);
  p = __builtin_fma(p, z, 1658562824634368.0);
  p = __builtin_fma(p, z, (-99570562367488.0));
  p = __builtin_fma(p, z, 3740163637248.0);
  p = __builtin_fma(p, z, (-100768088064.0));
  p = __builtin_fma(p, z, 2158002176.0);
  p = __builtin_fma(p, z, (-41038771.610073425));
  p = __builtin_fma(p, z, 794343.34414523176);
  p = __builtin_fma(p, z, (-18134.293937847389));
  p = __builtin_fma(p, z, 551.05349925774942);
  p = __builtin_fma(p, z, (-24.380096811984494));
  p = __builtin_fma(p, z, 1.7277270959611097);
  p = __builtin_fma(p, z, (-0.22710800150703678));
  p = __builtin_fma(p, z, 0.073242187499960462);
  p = __builtin_fma(p, z, (-0.125));
  p = p * i;
  double r = 0.56418958354775628 * __unspool_rsqrt(a);
  double u = s + c;
  double v = s - c;
  return r * (second != 0 ? __builtin_fma(m, v, p * u) : __builtin_fma(m, u, -(p * v)));
}

//@ fn __unspool_bessel_wave1f
// J (second: Y) of order 1 for a >= 8.
static float __unspool_bessel_wave1f(float a, int second) {
  float c;
  float s = __unspool_sincosf(a, &c);
  float i = __unspool_inversef(a);
  float z = i * i;
  float m = 0.51747787f;
  m = __builtin_fmaf(m, z, (-0.142783538f));
  m = __builtin_fmaf(m, z, 0.117183253f);
  m = __builtin_fmaf(m, z, 1.0f);
  float p = 14.0772552f;
  p = __builtin_fmaf(p, z, (-1.84647942f));
  p = __builtin_fmaf(p, z, 0.276825726f);
  p = __builtin_fmaf(p, z, (-0.102537654f));
  p = __builtin_fmaf(p, z, 0.375f);
  p = p * i;
  float r = 0.564189613f * __unspool_rsqrtf(a);
  float u = s - c;
  float v = -(s + c);
  return r * (second != 0 ? __builtin_fmaf(m, v, p * u) : __builtin_fmaf(m, u, -(p * v)));
}

//@ fn __unspool_bessel_wave1
// J (second: Y) of order 1 for a >= 8.
static double __unspool_bessel_wave1(double a, int second) {
  double c;
  double s = __unspool_sincos(a, &c);
  double i = __unspool_inverse(a);
  double z = i * i;
  double m = (-685811171328.0);
  m = __builtin_fma(m, z, 80802217984.0);
  m = __builtin_fma(m, z, (-4492189696.0));
  m = __builtin_fma(m, z, 161753088.0);
  m = __builtin_fma(m, z, (-4501876.0));
  m = __builtin_fma(m, z, 114803.8125);
  m = __builtin_fma(m, z, (-3245.130859375));
  m = __builtin_fma(m, z, 121.41815185546875);
  m = __builtin_fma(m, z, (-6.8835382760960044));
  m = __builtin_fma(m, z, 0.67659210467101871);
  m = __builtin_fma(m, z, (-0.14419555629308989));
  m = __builtin_fma(m, z, 0.11718749999987242);
  m = __builtin_fma(m, z, 1.0);
  double p = 13549986163720192.0;
  p = __builtin_fma(p, z, (-1748414614208512.0));
  p = __builtin_fma(p, z, 105021278519296.0);
  p = __builtin_fma(p, z, (-3948131909632.0));
  p = __builtin_fma(p, z, 106510352384.0);
  p = __builtin_fma(p, z, (-2285983744.0));
  p = __builtin_fma(p, z, 43636032.0);
  p = __builtin_fma(p, z, (-849887.69419259403));
  p = __builtin_fma(p, z, 19588.766986904673);
  p = __builtin_fma(p, z, (-603.54735898719503));
  p = __builtin_fma(p, z, 27.248371243092681);
  p = __builtin_fma(p, z, (-1.9935313009965383));
  p = __builtin_fma(p, z, 0.27757644631013478);
  p = __builtin_fma(p, z, (-0.1025390624999504));
  p = __builtin_fma(p, z, 0.375);
  p = p * i;
  double r = 0.56418958354775628 * __unspool_rsqrt(a);
  double u = s - c;
  double v = -(s + c);
  return r * (second != 0 ? __builtin_fma(m, v, p * u) : __builtin_fma(m, u, -(p * v)));
}

//@ fn __unspool_j0f
static float __unspool_j0f(float x) {
  float a = __builtin_fabsf(x);
  if (a == __builtin_inff()) { return 0.0f; }
  if (!(a < 8.0f)) { return __unspool_bessel_wave0f(a, 0); }
  if (a < 1.60000002f) {
  float t = a * a;
  float p = (-6.42871925e-08f);
  p = __builtin_fmaf(p, t, 6.77159915e-06f);
  p = __builtin_fmaf(p, t, (-0.000434014451f));
  p = __builtin_fmaf(p, t, 0.0156249916f);
  p = __builtin_fmaf(p, t, (-0.25f));
  p = __builtin_fmaf(p, t, 1.0f);
  return p;
  }
  if (a < 3.20000005f) {
  float t = (a - 2.40482545f) - 1.08705905e-07f;
  float p = (-4.26171437e-06f);
  p = __builtin_fmaf(p, t, 4.30548134e-05f);
  p = __builtin_fmaf(p, t, 0.000264334871f);
  p = __builtin_fmaf(p, t, (-0.00219393102f));
  p = __builtin_fmaf(p, t, (-0.00865766127f));
  p = __builtin_fmaf(p, t, 0.0566017404f);
  p = __builtin_fmaf(p, t, 0.107938699f);
  p = __builtin_fmaf(p, t, (-0.519147515f));
  return t * p;
  }
  if (a < 4.69999981f) {
  float t = a - 3.95000005f;
  float p = (-5.31482874e-06f);
  p = __builtin_fmaf(p, t, (-2.97310471e-05f));
  p = __builtin_fmaf(p, t, 0.000349283742f);
  p = __builtin_fmaf(p, t, 0.00129203708f);
  p = __builtin_fmaf(p, t, (-0.0126632769f));
  p = __builtin_fmaf(p, t, (-0.0236797128f));
  p = __builtin_fmaf(p, t, 0.194059744f);
  p = __builtin_fmaf(p, t, 0.046821259f);
  p = __builtin_fmaf(p, t, (-0.399972975f));
  return p;
  }
  if (a < 6.4000001f) {
  float t = (a - 5.52007818f) - (-7.19341458e-08f);
  float p = 3.28311512e-06f;
  p = __builtin_fmaf(p, t, (-4.57187598e-05f));
  p = __builtin_fmaf(p, t, (-0.000175306894f));
  p = __builtin_fmaf(p, t, 0.00225708471f);
  p = __builtin_fmaf(p, t, 0.00463108206f);
  p = __builtin_fmaf(p, t, (-0.0529885031f));
  p = __builtin_fmaf(p, t, (-0.0308206547f));
  p = __builtin_fmaf(p, t, 0.340264797f);
  return t * p;
  }
  if (a < 8.0f) {
  float t = a - 7.19999981f;
  float p = 5.02450848e-06f;
  p = __builtin_fmaf(p, t, 2.53356884e-05f);
  p = __builtin_fmaf(p, t, (-0.000322549895f));
  p = __builtin_fmaf(p, t, (-0.000999367912f));
  p = __builtin_fmaf(p, t, 0.0109907119f);
  p = __builtin_fmaf(p, t, 0.0155355297f);
  p = __builtin_fmaf(p, t, (-0.143762618f));
  p = __builtin_fmaf(p, t, (-0.054327365f));
  p = __builtin_fmaf(p, t, 0.295070708f);
  return p;
  }
  return 0.0f;
}

//@ fn __unspool_j0
static double __unspool_j0(double x) {
  double a = __builtin_fabs(x);
  if (a == __builtin_inf()) { return 0.0; }
  if (!(a < 8.0)) { return __unspool_bessel_wave0(a, 0); }
  if (a < 1.6000000000000001) {
  double t = a * a;
  double p = 9.05781797223143e-15;
  p = __builtin_fma(p, t, (-2.4012406646400919e-12));
  p = __builtin_fma(p, t, 4.7094623129551701e-10);
  p = __builtin_fma(p, t, (-6.7816834169337064e-08));
  p = __builtin_fma(p, t, 6.7816840223536469e-06);
  p = __builtin_fma(p, t, (-0.000434027777775066));
  p = __builtin_fma(p, t, 0.015624999999999318);
  p = __builtin_fma(p, t, (-0.24999999999999994));
  p = __builtin_fma(p, t, 1.0);
  return p;
  }
  if (a < 3.2000000000000002) {
  double t = (a - 2.4048255576957729) - (-1.176691651530894e-16);
  double p = 1.6157665483351735e-12;
  p = __builtin_fma(p, t, (-2.5090068911381991e-11));
  p = __builtin_fma(p, t, (-3.1663205390941584e-10));
  p = __builtin_fma(p, t, 4.3263455040687404e-09);
  p = __builtin_fma(p, t, 4.4700540777009107e-08);
  p = __builtin_fma(p, t, (-5.3049134130223944e-07));
  p = __builtin_fma(p, t, (-4.3388262829579546e-06));
  p = __builtin_fma(p, t, 4.3729192706742017e-05);
  p = __builtin_fma(p, t, 0.00026437703675179236);
  p = __builtin_fma(p, t, (-0.0021942003590136533));
  p = __builtin_fma(p, t, (-0.0086576695933048495));
  p = __builtin_fma(p, t, 0.056601774437946124);
  p = __builtin_fma(p, t, 0.10793870175492008);
  p = __builtin_fma(p, t, (-0.51914749728946674));
  return t * p;
  }
  if (a < 4.7000000000000002) {
  double t = a - 3.9500000000000002;
  double p = 2.1148444107055298e-11;
  p = __builtin_fma(p, t, (-3.6058733776656027e-10));
  p = __builtin_fma(p, t, (-3.4919676039635306e-09));
  p = __builtin_fma(p, t, 5.307728656589461e-08);
  p = __builtin_fma(p, t, 4.0277189749833013e-07);
  p = __builtin_fma(p, t, (-5.3816196809787861e-06));
  p = __builtin_fma(p, t, (-3.0237090065514097e-05));
  p = __builtin_fma(p, t, 0.00034931188400335515);
  p = __builtin_fma(p, t, 0.0012922499786215608);
  p = __builtin_fma(p, t, (-0.012663282002299629));
  p = __builtin_fma(p, t, (-0.023679743835132005));
  p = __builtin_fma(p, t, 0.19405975187459551);
  p = __builtin_fma(p, t, 0.0468212415214233);
  p = __builtin_fma(p, t, (-0.39997298261537539));
  return p;
  }
  if (a < 6.4000000000000004) {
  double t = (a - 5.5200781102863106) - 8.0885971461467223e-17;
  double p = (-1.4151657276584295e-12);
  p = __builtin_fma(p, t, 2.7158456039622081e-11);
  p = __builtin_fma(p, t, 2.5931101710341409e-10);
  p = __builtin_fma(p, t, (-4.6831125644075655e-09));
  p = __builtin_fma(p, t, (-3.5115438337580893e-08));
  p = __builtin_fma(p, t, 5.7164893394463095e-07);
  p = __builtin_fma(p, t, 3.1997869385426289e-06);
  p = __builtin_fma(p, t, (-4.652109070550536e-05));
  p = __builtin_fma(p, t, (-0.00017518572900030474));
  p = __builtin_fma(p, t, 0.0022574402290287637);
  p = __builtin_fma(p, t, 0.004631042145908152);
  p = __builtin_fma(p, t, (-0.052988552867604434));
  p = __builtin_fma(p, t, (-0.030820651425593662));
  p = __builtin_fma(p, t, 0.34026480655836816);
  return t * p;
  }
  if (a < 8.0) {
  double t = a - 7.2000000000000002;
  double p = (-1.7456964693240984e-12);
  p = __builtin_fma(p, t, (-2.0528315158863109e-11));
  p = __builtin_fma(p, t, 3.4930636161334405e-10);
  p = __builtin_fma(p, t, 3.3031177792963717e-09);
  p = __builtin_fma(p, t, (-5.0770921689036186e-08));
  p = __builtin_fma(p, t, (-3.6615094414443798e-07));
  p = __builtin_fma(p, t, 5.0971374878450373e-06);
  p = __builtin_fma(p, t, 2.5858410035530837e-05);
  p = __builtin_fma(p, t, (-0.00032258464734700461));
  p = __builtin_fma(p, t, (-0.00099961846976118576));
  p = __builtin_fma(p, t, 0.01099071708381996);
  p = __builtin_fma(p, t, 0.01553558256806073);
  p = __builtin_fma(p, t, (-0.14376260818503675));
  p = __builtin_fma(p, t, (-0.054327420222367077));
  p = __builtin_fma(p, t, 0.29507069140095793);
  return p;
  }
  return 0.0;
}

//@ fn __unspool_bessel_j1f
// J of order 1 from 0 to 8.
static float __unspool_bessel_j1f(float a) {
  if (a < 1.60000002f) {
  float t = a * a;
  float p = 6.42881389e-07f;
  p = __builtin_fmaf(p, t, (-5.4175056e-05f));
  p = __builtin_fmaf(p, t, 0.00260409527f);
  p = __builtin_fmaf(p, t, (-0.0624999776f));
  p = __builtin_fmaf(p, t, 0.5f);
  return a * p;
  }
  if (a < 2.9000001f) {
  float t = a - 2.25f;
  float p = 2.81232187e-05f;
  p = __builtin_fmaf(p, t, (-0.000335895718f));
  p = __builtin_fmaf(p, t, (-0.0012853744f));
  p = __builtin_fmaf(p, t, 0.0120834121f);
  p = __builtin_fmaf(p, t, 0.0274794586f);
  p = __builtin_fmaf(p, t, (-0.184256285f));
  p = __builtin_fmaf(p, t, (-0.160973862f));
  p = __builtin_fmaf(p, t, 0.548378348f);
  return p;
  }
  if (a < 4.69999981f) {
  float t = (a - 3.83170605f) - (-7.68505899e-08f);
  float p = (-5.73120076e-07f);
  p = __builtin_fmaf(p, t, (-2.97984843e-06f));
  p = __builtin_fmaf(p, t, 4.62159987e-05f);
  p = __builtin_fmaf(p, t, 0.000174630593f);
  p = __builtin_fmaf(p, t, (-0.00223312946f));
  p = __builtin_fmaf(p, t, (-0.00517971162f));
  p = __builtin_fmaf(p, t, 0.0534104444f);
  p = __builtin_fmaf(p, t, 0.0525561459f);
  p = __builtin_fmaf(p, t, (-0.402759403f));
  return t * p;
  }
  if (a < 6.19999981f) {
  float t = a - 5.44999981f;
  float p = (-5.28706778e-06f);
  p = __builtin_fmaf(p, t, (-2.22593026e-05f));
  p = __builtin_fmaf(p, t, 0.000337458972f);
  p = __builtin_fmaf(p, t, 0.000911483483f);
  p = __builtin_fmaf(p, t, (-0.0116312103f));
  p = __builtin_fmaf(p, t, (-0.0153108342f));
  p = __builtin_fmaf(p, t, 0.162524f);
  p = __builtin_fmaf(p, t, 0.0391039625f);
  p = __builtin_fmaf(p, t, (-0.343797743f));
  return p;
  }
  if (a < 8.0f) {
  float t = (a - 7.01558685f) - (-1.83211725e-07f);
  float p = 5.36143318e-07f;
  p = __builtin_fmaf(p, t, 2.35846778e-06f);
  p = __builtin_fmaf(p, t, (-4.49564141e-05f));
  p = __builtin_fmaf(p, t, (-0.000125484265f));
  p = __builtin_fmaf(p, t, 0.00210557319f);
  p = __builtin_fmaf(p, t, 0.0031302867f);
  p = __builtin_fmaf(p, t, (-0.0469704755f));
  p = __builtin_fmaf(p, t, (-0.0213892125f));
  p = __builtin_fmaf(p, t, 0.300115764f);
  return t * p;
  }
  return 0.0f;
}

//@ fn __unspool_j1f
static float __unspool_j1f(float x) {
  float a = __builtin_fabsf(x);
  if (a == __builtin_inff()) { return __builtin_copysignf(0.0f, x); }
  float r = a < 8.0f ? __unspool_bessel_j1f(a) : __unspool_bessel_wave1f(a, 0);
  return x < 0.0f ? -r : (x == 0.0f ? x : r);
}

//@ fn __unspool_bessel_j1
// J of order 1 from 0 to 8.
static double __unspool_bessel_j1(double a) {
  if (a < 1.6000000000000001) {
  double t = a * a;
  double p = 5.0500993699896003e-16;
  p = __builtin_fma(p, t, (-1.5009694875889323e-13));
  p = __builtin_fma(p, t, 3.3639091512327468e-11);
  p = __builtin_fma(p, t, (-5.6514029642442394e-09));
  p = __builtin_fma(p, t, 6.7816840225865016e-07);
  p = __builtin_fma(p, t, (-5.4253472221758526e-05));
  p = __builtin_fma(p, t, 0.0026041666666664358);
  p = __builtin_fma(p, t, (-0.062499999999999951));
  p = __builtin_fma(p, t, 0.5);
  return a * p;
  }
  if (a < 2.8999999999999999) {
  double t = a - 2.25;
  double p = (-1.8927678868685405e-11);
  p = __builtin_fma(p, t, 3.6896552479959155e-10);
  p = __builtin_fma(p, t, 3.1472904282736636e-09);
  p = __builtin_fma(p, t, (-5.351768095351872e-08));
  p = __builtin_fma(p, t, (-3.6858887142443564e-07));
  p = __builtin_fma(p, t, 5.3437253843817916e-06);
  p = __builtin_fma(p, t, 2.8433135712874892e-05);
  p = __builtin_fma(p, t, (-0.00034038498757263765));
  p = __builtin_fma(p, t, (-0.0012854561451740654));
  p = __builtin_fma(p, t, 0.012084595401525259);
  p = __builtin_fma(p, t, 0.027479465094202675);
  p = __builtin_fma(p, t, (-0.184256383469725));
  p = __builtin_fma(p, t, (-0.16097386277658157));
  p = __builtin_fma(p, t, 0.54837835664696011);
  return p;
  }
  if (a < 4.7000000000000002) {
  double t = (a - 3.8317059702075125) - (-1.5269184090088067e-16);
  double p = 1.1761702722878908e-12;
  p = __builtin_fma(p, t, (-2.7649701972443097e-11));
  p = __builtin_fma(p, t, (-2.3606916421670121e-10));
  p = __builtin_fma(p, t, 4.735014158541162e-09);
  p = __builtin_fma(p, t, 3.2482730274765862e-08);
  p = __builtin_fma(p, t, (-5.7278037635204099e-07));
  p = __builtin_fma(p, t, (-3.0368633234907338e-06));
  p = __builtin_fma(p, t, 4.6208701242859206e-05);
  p = __builtin_fma(p, t, 0.00017466429070834118);
  p = __builtin_fma(p, t, (-0.0022331253391402769));
  p = __builtin_fma(p, t, (-0.0051797192456375365));
  p = __builtin_fma(p, t, 0.053410444132724458);
  p = __builtin_fma(p, t, 0.05255614585697721);
  p = __builtin_fma(p, t, (-0.40275939570255298));
  return t * p;
  }
  if (a < 6.2000000000000002) {
  double t = a - 5.4500000000000002;
  double p = 1.7334092494714071e-11;
  p = __builtin_fma(p, t, (-3.6993763607995334e-10));
  p = __builtin_fma(p, t, (-2.8032172139091927e-09));
  p = __builtin_fma(p, t, 5.379482104217459e-08);
  p = __builtin_fma(p, t, 3.1423830010051974e-07);
  p = __builtin_fma(p, t, (-5.354756880756166e-06));
  p = __builtin_fma(p, t, (-2.2654039025867594e-05));
  p = __builtin_fma(p, t, 0.0003374874595667844);
  p = __builtin_fma(p, t, 0.00091165000051948524);
  p = __builtin_fma(p, t, (-0.01163121356442777));
  p = __builtin_fma(p, t, (-0.015310868611255746));
  p = __builtin_fma(p, t, 0.16252399137260989);
  p = __builtin_fma(p, t, 0.039104024979499413);
  p = __builtin_fma(p, t, (-0.34379774039293459));
  return p;
  }
  if (a < 8.0) {
  double t = (a - 7.0155866698156188) - (-9.4141656534103889e-17);
  double p = (-1.2495612183860416e-12);
  p = __builtin_fma(p, t, 2.7733385032924218e-11);
  p = __builtin_fma(p, t, 2.0683599277759868e-10);
  p = __builtin_fma(p, t, (-4.7202490804920672e-09));
  p = __builtin_fma(p, t, (-2.7273691780643819e-08));
  p = __builtin_fma(p, t, 5.6652690148625563e-07);
  p = __builtin_fma(p, t, 2.4015809064986593e-06);
  p = __builtin_fma(p, t, (-4.4991475281003e-05));
  p = __builtin_fma(p, t, (-0.00012550790957362078));
  p = __builtin_fma(p, t, 0.0021055871432459506);
  p = __builtin_fma(p, t, 0.0031302917260499748);
  p = __builtin_fma(p, t, (-0.0469704789497414));
  p = __builtin_fma(p, t, (-0.021389212809341626));
  p = __builtin_fma(p, t, 0.30011575252613254);
  return t * p;
  }
  return 0.0;
}

//@ fn __unspool_j1
static double __unspool_j1(double x) {
  double a = __builtin_fabs(x);
  if (a == __builtin_inf()) { return __builtin_copysign(0.0, x); }
  double r = a < 8.0 ? __unspool_bessel_j1(a) : __unspool_bessel_wave1(a, 0);
  return x < 0.0 ? -r : (x == 0.0 ? x : r);
}

//@ fn __unspool_y0f
static float __unspool_y0f(float x) {
  float a = x;
  if (!(x > 0.0f)) { return x == 0.0f ? -__builtin_inff() : __builtin_nanf(""); }
  if (x == __builtin_inff()) { return 0.0f; }
  if (!(a < 8.0f)) { return __unspool_bessel_wave0f(a, 1); }
  if (a < 1.89999998f) {
    // The logarithm of the quotient by the first zero, and what vanishes there, too.
    float t = (a - 0.89357698f) - (-1.33579787e-08f);
    float l = a < 0.45f ? __unspool_logf(a * 1.11909783f) : __unspool_log1pf(t * 1.11909783f);
    float z = a * a;
    float p = (-7.54287355e-10f);
  p = __builtin_fmaf(p, z, 1.07621879e-07f);
  p = __builtin_fmaf(p, z, (-9.89438649e-06f));
  p = __builtin_fmaf(p, z, 0.000561792869f);
  p = __builtin_fmaf(p, z, (-0.0167446733f));
  p = __builtin_fmaf(p, z, 0.182144299f);
    p = p * (a + 0.89357698f);
    return __builtin_fmaf(0.636619747f * __unspool_j0f(a), l, t * p);
  }
  if (a < 3.0f) {
  float t = a - 2.45000005f;
  float p = (-5.84432237e-05f);
  p = __builtin_fmaf(p, t, 0.000211099905f);
  p = __builtin_fmaf(p, t, (-0.000757776201f));
  p = __builtin_fmaf(p, t, (-0.000519694237f));
  p = __builtin_fmaf(p, t, 0.00841884688f);
  p = __builtin_fmaf(p, t, 0.0480733439f);
  p = __builtin_fmaf(p, t, (-0.227188066f));
  p = __builtin_fmaf(p, t, (-0.123564102f));
  p = __builtin_fmaf(p, t, 0.504810452f);
  return p;
  }
  if (a < 4.9000001f) {
  float t = (a - 3.95767832f) - 1.01291178e-07f;
  float p = (-4.92631307e-06f);
  p = __builtin_fmaf(p, t, 5.0438819e-05f);
  p = __builtin_fmaf(p, t, 0.000195277447f);
  p = __builtin_fmaf(p, t, (-0.00218325434f));
  p = __builtin_fmaf(p, t, (-0.00685256394f));
  p = __builtin_fmaf(p, t, 0.0585237741f);
  p = __builtin_fmaf(p, t, 0.0508559085f);
  p = __builtin_fmaf(p, t, (-0.402542681f));
  return t * p;
  }
  if (a < 6.19999981f) {
  float t = a - 5.55000019f;
  float p = (-5.37950746e-06f);
  p = __builtin_fmaf(p, t, (-2.59973185e-05f));
  p = __builtin_fmaf(p, t, 0.000341038132f);
  p = __builtin_fmaf(p, t, 0.00108559453f);
  p = __builtin_fmaf(p, t, (-0.0121594118f));
  p = __builtin_fmaf(p, t, (-0.0164433606f));
  p = __builtin_fmaf(p, t, 0.165297657f);
  p = __builtin_fmaf(p, t, 0.0404052809f);
  p = __builtin_fmaf(p, t, (-0.337875545f));
  return p;
  }
  if (a < 8.0f) {
  float t = (a - 7.08605099f) - 7.30581178e-08f;
  float p = 5.62533671e-07f;
  p = __builtin_fmaf(p, t, 2.64538221e-06f);
  p = __builtin_fmaf(p, t, (-4.59407456e-05f));
  p = __builtin_fmaf(p, t, (-0.000140568634f));
  p = __builtin_fmaf(p, t, 0.00217598048f);
  p = __builtin_fmaf(p, t, 0.00331834052f);
  p = __builtin_fmaf(p, t, (-0.0480240695f));
  p = __builtin_fmaf(p, t, (-0.0211752355f));
  p = __builtin_fmaf(p, t, 0.300097615f);
  return t * p;
  }
  return 0.0f;
}

//@ fn __unspool_y1f
static float __unspool_y1f(float x) {
  float a = x;
  if (!(x > 0.0f)) { return x == 0.0f ? -__builtin_inff() : __builtin_nanf(""); }
  if (x == __builtin_inff()) { return 0.0f; }
  if (!(a < 8.0f)) { return __unspool_bessel_wave1f(a, 1); }
  if (a < 1.60000002f) {
    float z = a * a;
    float p = 8.50774295e-09f;
  p = __builtin_fmaf(p, z, (-9.91461434e-07f));
  p = __builtin_fmaf(p, z, 7.16410868e-05f);
  p = __builtin_fmaf(p, z, (-0.00295530446f));
  p = __builtin_fmaf(p, z, 0.0543486886f);
  p = __builtin_fmaf(p, z, (-0.196057096f));
    p = p * a;
    p = __builtin_fmaf(0.636619747f * __unspool_j1f(a), __unspool_logf(a), p);
    return p - 0.636619747f / a;
  }
  if (a < 2.9000001f) {
  float t = (a - 2.19714141f) - (-8.28892723e-08f);
  float p = (-0.000105461229f);
  p = __builtin_fmaf(p, t, 0.000286610826f);
  p = __builtin_fmaf(p, t, (-0.000522521383f));
  p = __builtin_fmaf(p, t, 0.00104988506f);
  p = __builtin_fmaf(p, t, (-0.00259074243f));
  p = __builtin_fmaf(p, t, 0.00742485747f);
  p = __builtin_fmaf(p, t, (-0.00479830708f));
  p = __builtin_fmaf(p, t, (-0.0328575075f));
  p = __builtin_fmaf(p, t, (-0.11851453f));
  p = __builtin_fmaf(p, t, 0.520786405f);
  return t * p;
  }
  if (a < 4.5999999f) {
  float t = a - 3.75f;
  float p = 1.15379862e-06f;
  p = __builtin_fmaf(p, t, 3.67687753e-05f);
  p = __builtin_fmaf(p, t, (-0.000410103094f));
  p = __builtin_fmaf(p, t, (-0.000694030721f));
  p = __builtin_fmaf(p, t, 0.0118915671f);
  p = __builtin_fmaf(p, t, 0.0179020632f);
  p = __builtin_fmaf(p, t, (-0.189729065f));
  p = __builtin_fmaf(p, t, (-0.0256415922f));
  p = __builtin_fmaf(p, t, 0.415868789f);
  return p;
  }
  if (a < 6.30000019f) {
  float t = (a - 5.42968082f) - 2.16514351e-07f;
  float p = (-2.91437505e-06f);
  p = __builtin_fmaf(p, t, 4.56847592e-05f);
  p = __builtin_fmaf(p, t, 0.000146698381f);
  p = __builtin_fmaf(p, t, (-0.00216565304f));
  p = __builtin_fmaf(p, t, (-0.00416014157f));
  p = __builtin_fmaf(p, t, 0.0509478897f);
  p = __builtin_fmaf(p, t, 0.0313386805f);
  p = __builtin_fmaf(p, t, (-0.340318054f));
  return t * p;
  }
  if (a < 8.0f) {
  float t = a - 7.1500001f;
  float p = (-4.90624143e-06f);
  p = __builtin_fmaf(p, t, (-2.36596024e-05f));
  p = __builtin_fmaf(p, t, 0.000311356882f);
  p = __builtin_fmaf(p, t, 0.000964805775f);
  p = __builtin_fmaf(p, t, (-0.0105906418f));
  p = __builtin_fmaf(p, t, (-0.0160202067f));
  p = __builtin_fmaf(p, t, 0.141261071f);
  p = __builtin_fmaf(p, t, 0.0606028736f);
  p = __builtin_fmaf(p, t, (-0.296803802f));
  return p;
  }
  return 0.0f;
}

//@ fn __unspool_y0
static double __unspool_y0(double x) {
  double a = x;
  if (!(x > 0.0)) { return x == 0.0 ? -__builtin_inf() : __builtin_nan(""); }
  if (x == __builtin_inf()) { return 0.0; }
  if (!(a < 8.0)) { return __unspool_bessel_wave0(a, 1); }
  if (a < 1.8999999999999999) {
    // The logarithm of the quotient by the first zero, and what vanishes there, too.
    double t = (a - 0.89357696627916749) - 2.6596231539720385e-17;
    double l = a < 0.45 ? __unspool_log(a * 1.1190977808704887) : __unspool_log1p(t * 1.1190977808704887);
    double z = a * a;
    double p = 5.3956078149437737e-17;
  p = __builtin_fma(p, z, (-1.7544586660214745e-14));
  p = __builtin_fma(p, z, 4.3016111506144483e-12);
  p = __builtin_fma(p, z, (-7.9960924393061846e-10));
  p = __builtin_fma(p, z, 1.0780429637835287e-07);
  p = __builtin_fma(p, z, (-9.8947264632513463e-06));
  p = __builtin_fma(p, z, 0.00056179317959025683);
  p = __builtin_fma(p, z, (-0.016744672591055658));
  p = __builtin_fma(p, z, 0.18214429522164177);
    p = p * (a + 0.89357696627916749);
    return __builtin_fma(0.63661977236758138 * __unspool_j0(a), l, t * p);
  }
  if (a < 3.0) {
  double t = a - 2.4500000000000002;
  double p = 1.1151762180361402e-08;
  p = __builtin_fma(p, t, (-2.8612035407604708e-08));
  p = __builtin_fma(p, t, 5.9333984836484888e-08);
  p = __builtin_fma(p, t, (-1.5582611467834795e-07));
  p = __builtin_fma(p, t, 4.1851876630971674e-07);
  p = __builtin_fma(p, t, (-1.1056927178287879e-06));
  p = __builtin_fma(p, t, 2.9415368771879002e-06);
  p = __builtin_fma(p, t, (-7.9076780821196735e-06));
  p = __builtin_fma(p, t, 2.0700589101372818e-05);
  p = __builtin_fma(p, t, (-5.2700005380273376e-05));
  p = __builtin_fma(p, t, 0.0001960501306343998);
  p = __builtin_fma(p, t, (-0.00075910572104376662));
  p = __builtin_fma(p, t, (-0.00051620920587396989));
  p = __builtin_fma(p, t, 0.0084189600466399259);
  p = __builtin_fma(p, t, 0.048073048605541541);
  p = __builtin_fma(p, t, (-0.22718807874221233));
  p = __builtin_fma(p, t, (-0.12356406990338936));
  p = __builtin_fma(p, t, 0.50481047173070615);
  return p;
  }
  if (a < 4.9000000000000004) {
  double t = (a - 3.957678419314858) - (-1.0764340697562706e-16);
  double p = (-8.0808320104819309e-13);
  p = __builtin_fma(p, t, 3.2134503391567648e-12);
  p = __builtin_fma(p, t, (-1.0177886311524276e-11));
  p = __builtin_fma(p, t, 4.3433812102477987e-11);
  p = __builtin_fma(p, t, (-1.8661094891569974e-10));
  p = __builtin_fma(p, t, 7.680744928961758e-10);
  p = __builtin_fma(p, t, (-3.65641028565733e-09));
  p = __builtin_fma(p, t, 1.8927480027741694e-08);
  p = __builtin_fma(p, t, (-2.1853540837916733e-08));
  p = __builtin_fma(p, t, (-2.9348794972026646e-07));
  p = __builtin_fma(p, t, (-4.8933692987224147e-06));
  p = __builtin_fma(p, t, 5.0922913769588327e-05);
  p = __builtin_fma(p, t, 0.00019526940244685558);
  p = __builtin_fma(p, t, (-0.0021835188740454235));
  p = __builtin_fma(p, t, (-0.006852566677110687));
  p = __builtin_fma(p, t, 0.058523822105170036);
  p = __builtin_fma(p, t, 0.050855909592158223);
  p = __builtin_fma(p, t, (-0.40254267177502423));
  return t * p;
  }
  if (a < 6.2000000000000002) {
  double t = a - 5.5500000000000007;
  double p = 3.0059205124999266e-11;
  p = __builtin_fma(p, t, (-4.1981085274755969e-10));
  p = __builtin_fma(p, t, (-2.9589219963099822e-09));
  p = __builtin_fma(p, t, 5.1144326107532834e-08);
  p = __builtin_fma(p, t, 3.8193388718354981e-07);
  p = __builtin_fma(p, t, (-5.4278737566871879e-06));
  p = __builtin_fma(p, t, (-2.6358613106465791e-05));
  p = __builtin_fma(p, t, 0.00034105347144173067);
  p = __builtin_fma(p, t, 0.0010857084526550019);
  p = __builtin_fma(p, t, (-0.01215941417313709));
  p = __builtin_fma(p, t, (-0.01644336565154705));
  p = __builtin_fma(p, t, 0.165297667891904);
  p = __builtin_fma(p, t, 0.040405217994815328);
  p = __builtin_fma(p, t, (-0.33787555524233331));
  return p;
  }
  if (a < 8.0) {
  double t = (a - 7.0860510603017728) - (-8.8352857230854081e-17);
  double p = (-1.3215418342982233e-12);
  p = __builtin_fma(p, t, 2.7942995139973448e-11);
  p = __builtin_fma(p, t, 2.3033319695997534e-10);
  p = __builtin_fma(p, t, (-4.7168633443561703e-09));
  p = __builtin_fma(p, t, (-3.0984742891165058e-08));
  p = __builtin_fma(p, t, 5.7493476231031866e-07);
  p = __builtin_fma(p, t, 2.7013638113757868e-06);
  p = __builtin_fma(p, t, (-4.595140665308645e-05));
  p = __builtin_fma(p, t, (-0.00014060259774481806));
  p = __builtin_fma(p, t, 0.0021759840164361556);
  p = __builtin_fma(p, t, 0.0033183482688959823);
  p = __builtin_fma(p, t, (-0.048024070076259556));
  p = __builtin_fma(p, t, (-0.02117523655676954));
  p = __builtin_fma(p, t, 0.30009761491047521);
  return t * p;
  }
  return 0.0;
}

//@ fn __unspool_y1
static double __unspool_y1(double x) {
  double a = x;
  if (!(x > 0.0)) { return x == 0.0 ? -__builtin_inf() : __builtin_nan(""); }
  if (x == __builtin_inf()) { return 0.0; }
  if (!(a < 8.0)) { return __unspool_bessel_wave1(a, 1); }
  if (a < 1.6000000000000001) {
    double z = a * a;
    double p = (-9.2783396119172981e-16);
  p = __builtin_fma(p, z, 2.647985997139557e-13);
  p = __builtin_fma(p, z, (-5.6479859207924601e-11));
  p = __builtin_fma(p, z, 8.9318790387196723e-09);
  p = __builtin_fma(p, z, (-9.9267406142585626e-07));
  p = __builtin_fma(p, z, 7.1642687499481853e-05);
  p = __builtin_fma(p, z, (-0.0029553053360797691));
  p = __builtin_fma(p, z, 0.054348688160510236);
  p = __builtin_fma(p, z, (-0.19605709064623894));
    p = p * a;
    p = __builtin_fma(0.63661977236758138 * __unspool_j1(a), __unspool_log(a), p);
    return p - 0.63661977236758138 / a;
  }
  if (a < 2.8999999999999999) {
  double t = (a - 2.1971413260310171) - (-4.8259835876454966e-17);
  double p = 1.8616461261444783e-08;
  p = __builtin_fma(p, t, (-6.0651359490293544e-08));
  p = __builtin_fma(p, t, 1.0186101917497581e-07);
  p = __builtin_fma(p, t, (-1.8722505501500564e-07));
  p = __builtin_fma(p, t, 4.3298950913595036e-07);
  p = __builtin_fma(p, t, (-9.7883275884669274e-07));
  p = __builtin_fma(p, t, 2.1392552298493683e-06);
  p = __builtin_fma(p, t, (-4.6797904360573739e-06));
  p = __builtin_fma(p, t, 1.026244269266556e-05);
  p = __builtin_fma(p, t, (-2.2491356826970083e-05));
  p = __builtin_fma(p, t, 4.9244527576215087e-05);
  p = __builtin_fma(p, t, (-0.00010776041747492206));
  p = __builtin_fma(p, t, 0.00023586995849432445);
  p = __builtin_fma(p, t, (-0.00050960130554339597));
  p = __builtin_fma(p, t, 0.0010668530016164635);
  p = __builtin_fma(p, t, (-0.0025952416882174412));
  p = __builtin_fma(p, t, 0.0074225533326548075);
  p = __builtin_fma(p, t, (-0.0047978116701067651));
  p = __builtin_fma(p, t, (-0.032857397405285621));
  p = __builtin_fma(p, t, (-0.11851454574909659));
  p = __builtin_fma(p, t, 0.52078641240226753);
  return t * p;
  }
  if (a < 4.5999999999999996) {
  double t = a - 3.75;
  double p = 3.70826425122317e-11;
  p = __builtin_fma(p, t, (-1.3682832644690279e-10));
  p = __builtin_fma(p, t, 3.9082470593143626e-10);
  p = __builtin_fma(p, t, (-1.4660628266938147e-09));
  p = __builtin_fma(p, t, 5.6065410092287493e-09);
  p = __builtin_fma(p, t, (-2.0532652911242621e-08));
  p = __builtin_fma(p, t, 8.0189087547946939e-08);
  p = __builtin_fma(p, t, (-3.449720475279161e-07));
  p = __builtin_fma(p, t, 7.7874165423849945e-07);
  p = __builtin_fma(p, t, 1.7533097497551482e-06);
  p = __builtin_fma(p, t, 3.5351973885435621e-05);
  p = __builtin_fma(p, t, (-0.00041043477985957492));
  p = __builtin_fma(p, t, (-0.00069323645942554434));
  p = __builtin_fma(p, t, 0.011891634644542785);
  p = __builtin_fma(p, t, 0.017901901322366735);
  p = __builtin_fma(p, t, (-0.18972906629393377));
  p = __builtin_fma(p, t, (-0.025641584181364509));
  p = __builtin_fma(p, t, 0.41586877934522709);
  return p;
  }
  if (a < 6.2999999999999998) {
  double t = (a - 5.4296810407941347) - 4.162514026670377e-16;
  double p = 1.2140297447893467e-12;
  p = __builtin_fma(p, t, (-4.9961527970321384e-12));
  p = __builtin_fma(p, t, 2.2991417797380009e-12);
  p = __builtin_fma(p, t, (-3.849562890678726e-10));
  p = __builtin_fma(p, t, 5.5979754165491613e-09);
  p = __builtin_fma(p, t, 2.5504812607880999e-08);
  p = __builtin_fma(p, t, (-5.4644203003134813e-07));
  p = __builtin_fma(p, t, (-2.8638624398077912e-06));
  p = __builtin_fma(p, t, 4.6458679051623248e-05);
  p = __builtin_fma(p, t, 0.0001466208928787854);
  p = __builtin_fma(p, t, (-0.0021659987510869549));
  p = __builtin_fma(p, t, (-0.0041601159343897182));
  p = __builtin_fma(p, t, 0.050947939743420038);
  p = __builtin_fma(p, t, 0.031338677444086666);
  p = __builtin_fma(p, t, (-0.34031804552344058));
  return t * p;
  }
  if (a < 8.0) {
  double t = a - 7.1500000000000004;
  double p = 1.6536173472192495e-12;
  p = __builtin_fma(p, t, 1.9695731157121088e-11);
  p = __builtin_fma(p, t, (-3.5154990030150657e-10));
  p = __builtin_fma(p, t, (-3.0392950378654859e-09));
  p = __builtin_fma(p, t, 4.9847658151111036e-08);
  p = __builtin_fma(p, t, 3.4238714977696841e-07);
  p = __builtin_fma(p, t, (-4.9866583661193622e-06));
  p = __builtin_fma(p, t, (-2.4210868163376428e-05));
  p = __builtin_fma(p, t, 0.00031140037399934108);
  p = __builtin_fma(p, t, 0.00096510339195485001);
  p = __builtin_fma(p, t, (-0.010590651033248069));
  p = __builtin_fma(p, t, (-0.016020261675343046));
  p = __builtin_fma(p, t, 0.14126107994497356);
  p = __builtin_fma(p, t, 0.060602851433501595);
  p = __builtin_fma(p, t, (-0.29680382077357192));
  return p;
  }
  return 0.0;
}

//@ fn __unspool_bessel_seriesf
// J of order n where a*a/4 is below half of n + 1: its power series.
static float __unspool_bessel_seriesf(int n, float a) {
  float h = 0.5f * a;
  float r = 1.0f;
  // The small factors first: products do not overflow.
  for (int k = n; k > 0 && r != 0.0f; k--) { r = r * (h / (float)k); }
  float q = h * h;
  float term = 1.0f;
  float sum = 1.0f;
  for (int k = 1; k < 40; k++) {
    term = -term * q / ((float)k * ((float)n + (float)k));
    sum = sum + term;
    if (__builtin_fabsf(term) < 1.49011612e-08f) { return r * sum; }
  }
  return r * sum;
}

//@ fn __unspool_bessel_downf
// J of order n > a: the recurrence from orders down where all are small, scaled so that J0 + 2 J2 + 2 J4 + ... is 1.
static float __unspool_bessel_downf(int n, float a) {
  float m = (float)n;
  int more = (int)__builtin_sqrtf(60.0f * m);
  int top = n < 2000000000 - more ? (n + more) / 2 * 2 : 2000000000;
  float w = 2.0f / a;
  float above = 0.0f;
  float here = 1.0f;
  float sum = 0.0f;
  float found = 0.0f;
  for (int k = top; k > 0; k--) {
    float below = __builtin_fmaf((float)k * w, here, -above);
    above = here;
    here = below;
    if (__builtin_fabsf(here) > 1.1529215e+18f) {
      here = here * 8.67361738e-19f;
      above = above * 8.67361738e-19f;
      sum = sum * 8.67361738e-19f;
      found = found * 8.67361738e-19f;
    }
    // `here` has order k - 1 now.
    if (k == n + 1) { found = here; }
    if ((k & 1) != 0 && k > 1) { sum = sum + here; }
  }
  return found / __builtin_fmaf(2.0f, sum, here);
}

//@ fn __unspool_jnf
static float __unspool_jnf(int n, float x) {
  if (n < 0 || x != x) { return __builtin_nanf(""); }
  if (n == 0) { return __unspool_j0f(x); }
  if (n == 1) { return __unspool_j1f(x); }
  float a = __builtin_fabsf(x);
  float m = (float)n;
  if (a == __builtin_inff()) { return 0.0f; }
  float r;
  if (0.25f * a * a < 0.5f * (m + 1.0f)) {
    r = __unspool_bessel_seriesf(n, a);
  } else if (m < a) {
    float before = __unspool_j0f(a);
    r = __unspool_j1f(a);
    float w = 2.0f / a;
    for (int k = 1; k < n; k++) {
      float next = __builtin_fmaf((float)k * w, r, -before);
      before = r;
      r = next;
    }
  } else {
    r = __unspool_bessel_downf(n, a);
  }
  return x < 0.0f && (n & 1) != 0 ? -r : r;
}

//@ fn __unspool_ynf
static float __unspool_ynf(int n, float x) {
  if (n < 0) { return __builtin_nanf(""); }
  if (n == 0) { return __unspool_y0f(x); }
  float r = __unspool_y1f(x);
  if (n == 1 || !(x > 0.0f) || x == __builtin_inff()) { return r; }
  float before = __unspool_y0f(x);
  float w = 2.0f / x;
  for (int k = 1; k < n && r > -__builtin_inff(); k++) {
    float next = __builtin_fmaf((float)k * w, r, -before);
    before = r;
    r = next;
  }
  return r;
}

//@ fn __unspool_bessel_series
// J of order n where a*a/4 is below half of n + 1: its power series.
static double __unspool_bessel_series(int n, double a) {
  double h = 0.5 * a;
  double r = 1.0;
  // The small factors first: products do not overflow.
  for (int k = n; k > 0 && r != 0.0; k--) { r = r * (h / (double)k); }
  double q = h * h;
  double term = 1.0;
  double sum = 1.0;
  for (int k = 1; k < 40; k++) {
    term = -term * q / ((double)k * ((double)n + (double)k));
    sum = sum + term;
    if (__builtin_fabs(term) < 2.7755575615628914e-17) { return r * sum; }
  }
  return r * sum;
}

//@ fn __unspool_bessel_down
// J of order n > a: the recurrence from orders down where all are small, scaled so that J0 + 2 J2 + 2 J4 + ... is 1.
static double __unspool_bessel_down(int n, double a) {
  double m = (double)n;
  int more = (int)__builtin_sqrt(200.0 * m);
  int top = n < 2000000000 - more ? (n + more) / 2 * 2 : 2000000000;
  double w = 2.0 / a;
  double above = 0.0;
  double here = 1.0;
  double sum = 0.0;
  double found = 0.0;
  for (int k = top; k > 0; k--) {
    double below = __builtin_fma((double)k * w, here, -above);
    above = here;
    here = below;
    if (__builtin_fabs(here) > 3.2733906078961419e+150) {
      here = here * 3.0549363634996047e-151;
      above = above * 3.0549363634996047e-151;
      sum = sum * 3.0549363634996047e-151;
      found = found * 3.0549363634996047e-151;
    }
    // `here` has order k - 1 now.
    if (k == n + 1) { found = here; }
    if ((k & 1) != 0 && k > 1) { sum = sum + here; }
  }
  return found / __builtin_fma(2.0, sum, here);
}

//@ fn __unspool_jn
static double __unspool_jn(int n, double x) {
  if (n < 0 || x != x) { return __builtin_nan(""); }
  if (n == 0) { return __unspool_j0(x); }
  if (n == 1) { return __unspool_j1(x); }
  double a = __builtin_fabs(x);
  double m = (double)n;
  if (a == __builtin_inf()) { return 0.0; }
  double r;
  if (0.25 * a * a < 0.5 * (m + 1.0)) {
    r = __unspool_bessel_series(n, a);
  } else if (m < a) {
    double before = __unspool_j0(a);
    r = __unspool_j1(a);
    double w = 2.0 / a;
    for (int k = 1; k < n; k++) {
      double next = __builtin_fma((double)k * w, r, -before);
      before = r;
      r = next;
    }
  } else {
    r = __unspool_bessel_down(n, a);
  }
  return x < 0.0 && (n & 1) != 0 ? -r : r;
}

//@ fn __unspool_yn
static double __unspool_yn(int n, double x) {
  if (n < 0) { return __builtin_nan(""); }
  if (n == 0) { return __unspool_y0(x); }
  double r = __unspool_y1(x);
  if (n == 1 || !(x > 0.0) || x == __builtin_inf()) { return r; }
  double before = __unspool_y0(x);
  double w = 2.0 / x;
  for (int k = 1; k < n && r > -__builtin_inf(); k++) {
    double next = __builtin_fma((double)k * w, r, -before);
    before = r;
    r = next;
  }
  return r;
}

//@ fn __unspool_bessel_i0_farf
// exp(8 - a) sqrt(a) I0(a) from 8 on.
static float __unspool_bessel_i0_farf(float a) {
  if (a < 16.0f) {
  float t = 1.0f / a - 0.09375f;
  float p = 2554.6748f;
  p = __builtin_fmaf(p, t, 561.711365f);
  p = __builtin_fmaf(p, t, 185.565292f);
  p = __builtin_fmaf(p, t, 118.772453f);
  p = __builtin_fmaf(p, t, 167.218979f);
  p = __builtin_fmaf(p, t, 1203.98608f);
  return p;
  }
  float t = 1.0f / a;
  float p = 190.163132f;
  p = __builtin_fmaf(p, t, 83.7048035f);
  p = __builtin_fmaf(p, t, 83.6967087f);
  p = __builtin_fmaf(p, t, 148.653137f);
  p = __builtin_fmaf(p, t, 1189.23022f);
  return p;
}

//@ fn __unspool_cyl_bessel_i0f
static float __unspool_cyl_bessel_i0f(float x) {
  float a = __builtin_fabsf(x);
  float r;
  if (a < 4.0f) {
  float t = a * a;
  float p = 3.07943579e-12f;
  p = __builtin_fmaf(p, t, 4.52687027e-10f);
  p = __builtin_fmaf(p, t, 6.80685872e-08f);
  p = __builtin_fmaf(p, t, 6.77977641e-06f);
  p = __builtin_fmaf(p, t, 0.000434035581f);
  p = __builtin_fmaf(p, t, 0.0156249842f);
  p = __builtin_fmaf(p, t, 0.25f);
  p = __builtin_fmaf(p, t, 1.0f);
  r = p;
  } else if (a < 8.0f) {
  float t = a * a - 16.0f;
  float p = 7.60643461e-17f;
  p = __builtin_fmaf(p, t, 1.08175128e-14f);
  p = __builtin_fmaf(p, t, 4.12714177e-12f);
  p = __builtin_fmaf(p, t, 8.10801593e-10f);
  p = __builtin_fmaf(p, t, 1.28520668e-07f);
  p = __builtin_fmaf(p, t, 1.44049891e-05f);
  p = __builtin_fmaf(p, t, 0.00108636846f);
  p = __builtin_fmaf(p, t, 0.0501732938f);
  p = __builtin_fmaf(p, t, 1.21993327f);
  p = __builtin_fmaf(p, t, 11.3019218f);
  r = p;
  } else if (a < 95.0f) {
    r = __unspool_expf(a - 8.0f) * (__unspool_bessel_i0_farf(a) / __builtin_sqrtf(a));
  } else {
    r = a == a ? __builtin_inff() : a;
  }
  return r;
}

//@ fn __unspool_bessel_i0_far
// exp(8 - a) sqrt(a) I0(a) from 8 on.
static double __unspool_bessel_i0_far(double a) {
  if (a < 16.0) {
  double t = 1.0 / a - 0.09375;
  double p = 891912978432.0;
  p = __builtin_fma(p, t, (-34645311488.0));
  p = __builtin_fma(p, t, (-11418918912.0));
  p = __builtin_fma(p, t, 587560448.0);
  p = __builtin_fma(p, t, 122274496.0);
  p = __builtin_fma(p, t, (-4554252.0));
  p = __builtin_fma(p, t, (-1520940.0));
  p = __builtin_fma(p, t, (-56956.75));
  p = __builtin_fma(p, t, 11232.778196827678);
  p = __builtin_fma(p, t, 2644.5490490556922);
  p = __builtin_fma(p, t, 547.5252214659771);
  p = __builtin_fma(p, t, 185.53174908577802);
  p = __builtin_fma(p, t, 118.77741885957725);
  p = __builtin_fma(p, t, 167.21898242833072);
  p = __builtin_fma(p, t, 1203.9860853418136);
  return p;
  }
  double t = 1.0 / a;
  double p = 169496832.0;
  p = __builtin_fma(p, t, (-48493984.0));
  p = __builtin_fma(p, t, 6794244.0);
  p = __builtin_fma(p, t, (-501160.25));
  p = __builtin_fma(p, t, 34322.0625);
  p = __builtin_fma(p, t, 1131.8681640625);
  p = __builtin_fma(p, t, 701.921875);
  p = __builtin_fma(p, t, 269.7652814063747);
  p = __builtin_fma(p, t, 133.37771680655234);
  p = __builtin_fma(p, t, 87.101802285827503);
  p = __builtin_fma(p, t, 83.617746880442809);
  p = __builtin_fma(p, t, 148.65377214135225);
  p = __builtin_fma(p, t, 1189.2301771312914);
  return p;
}

//@ fn __unspool_cyl_bessel_i0
static double __unspool_cyl_bessel_i0(double x) {
  double a = __builtin_fabs(x);
  double r;
  if (a < 4.0) {
  double t = a * a;
  double p = 1.7667737778823047e-22;
  p = __builtin_fma(p, t, 7.1256491591403162e-20);
  p = __builtin_fma(p, t, 2.8997537674540531e-17);
  p = __builtin_fma(p, t, 9.385527521969477e-15);
  p = __builtin_fma(p, t, 2.4028120117284241e-12);
  p = __builtin_fma(p, t, 4.7095024954583833e-10);
  p = __builtin_fma(p, t, 6.7816840411710985e-08);
  p = __builtin_fma(p, t, 6.7816840274016626e-06);
  p = __builtin_fma(p, t, 0.00043402777777839878);
  p = __builtin_fma(p, t, 0.015624999999999473);
  p = __builtin_fma(p, t, 0.25000000000000017);
  p = __builtin_fma(p, t, 1.0);
  r = p;
  } else if (a < 8.0) {
  double t = a * a - 16.0;
  double p = 9.4437297738282036e-31;
  p = __builtin_fma(p, t, 4.573540505675368e-28);
  p = __builtin_fma(p, t, 3.5744096197991896e-25);
  p = __builtin_fma(p, t, 2.0762778635738683e-22);
  p = __builtin_fma(p, t, 1.0364665572273955e-19);
  p = __builtin_fma(p, t, 4.2916177688063257e-17);
  p = __builtin_fma(p, t, 1.4501927055803539e-14);
  p = __builtin_fma(p, t, 3.9102502835285843e-12);
  p = __builtin_fma(p, t, 8.18383960001577e-10);
  p = __builtin_fma(p, t, 1.2835804317465045e-07);
  p = __builtin_fma(p, t, 1.4407101518365987e-05);
  p = __builtin_fma(p, t, 0.0010863527924543112);
  p = __builtin_fma(p, t, 0.050173354494407379);
  p = __builtin_fma(p, t, 1.2199331442130561);
  p = __builtin_fma(p, t, 11.301921952136331);
  r = p;
  } else if (a < 717.0) {
    r = __unspool_exp(a - 8.0) * (__unspool_bessel_i0_far(a) / __builtin_sqrt(a));
  } else {
    r = a == a ? __builtin_inf() : a;
  }
  return r;
}

//@ fn __unspool_bessel_i1_farf
// exp(8 - a) sqrt(a) I1(a) from 8 on.
static float __unspool_bessel_i1_farf(float a) {
  if (a < 16.0f) {
  float t = 1.0f / a - 0.09375f;
  float p = (-2927.38086f);
  p = __builtin_fmaf(p, t, (-670.941223f));
  p = __builtin_fmaf(p, t, (-243.751968f));
  p = __builtin_fmaf(p, t, (-187.046402f));
  p = __builtin_fmaf(p, t, (-476.053894f));
  p = __builtin_fmaf(p, t, 1146.07959f);
  return p;
  }
  float t = 1.0f / a;
  float p = (-240.166672f);
  p = __builtin_fmaf(p, t, (-117.845741f));
  p = __builtin_fmaf(p, t, (-139.458008f));
  p = __builtin_fmaf(p, t, (-445.960571f));
  p = __builtin_fmaf(p, t, 1189.23022f);
  return p;
}

//@ fn __unspool_cyl_bessel_i1f
static float __unspool_cyl_bessel_i1f(float x) {
  float a = __builtin_fabsf(x);
  float r;
  if (a < 4.0f) {
  float t = a * a;
  float p = 4.31200214e-11f;
  p = __builtin_fmaf(p, t, 5.43486145e-09f);
  p = __builtin_fmaf(p, t, 6.80573123e-07f);
  p = __builtin_fmaf(p, t, 5.42398739e-05f);
  p = __builtin_fmaf(p, t, 0.00260420307f);
  p = __builtin_fmaf(p, t, 0.0624999627f);
  p = __builtin_fmaf(p, t, 0.5f);
  r = p * a;
  } else if (a < 8.0f) {
  float t = a * a - 16.0f;
  float p = 3.50244567e-18f;
  p = __builtin_fmaf(p, t, 6.14572961e-16f);
  p = __builtin_fmaf(p, t, 2.41299521e-13f);
  p = __builtin_fmaf(p, t, 5.44200379e-11f);
  p = __builtin_fmaf(p, t, 9.82753701e-09f);
  p = __builtin_fmaf(p, t, 1.28349052e-06f);
  p = __builtin_fmaf(p, t, 0.000115257484f);
  p = __builtin_fmaf(p, t, 0.00651811436f);
  p = __builtin_fmaf(p, t, 0.200693429f);
  p = __builtin_fmaf(p, t, 2.4398663f);
  r = p * a;
  } else if (a < 95.0f) {
    r = __unspool_expf(a - 8.0f) * (__unspool_bessel_i1_farf(a) / __builtin_sqrtf(a));
  } else {
    r = a == a ? __builtin_inff() : a;
  }
  return x < 0.0f ? -r : (x == 0.0f ? x : r);
}

//@ fn __unspool_bessel_i1_far
// exp(8 - a) sqrt(a) I1(a) from 8 on.
static double __unspool_bessel_i1_far(double a) {
  if (a < 16.0) {
  double t = 1.0 / a - 0.09375;
  double p = (-917018509312.0);
  p = __builtin_fma(p, t, 40180482048.0);
  p = __builtin_fma(p, t, 11672641536.0);
  p = __builtin_fma(p, t, (-671148032.0));
  p = __builtin_fma(p, t, (-125842816.0));
  p = __builtin_fma(p, t, 5484228.0);
  p = __builtin_fma(p, t, 1618932.0);
  p = __builtin_fma(p, t, 54412.0625);
  p = __builtin_fma(p, t, (-12971.3984375));
  p = __builtin_fma(p, t, (-3014.8987644076819));
  p = __builtin_fma(p, t, (-654.36060737800392));
  p = __builtin_fma(p, t, (-243.71914100925261));
  p = __builtin_fma(p, t, (-187.05222877900457));
  p = __builtin_fma(p, t, (-476.05389356511165));
  p = __builtin_fma(p, t, 1146.0795395036671);
  return p;
  }
  double t = 1.0 / a;
  double p = (-179604736.0);
  p = __builtin_fma(p, t, 51289696.0);
  p = __builtin_fma(p, t, (-7193272.0));
  p = __builtin_fma(p, t, 528332.0);
  p = __builtin_fma(p, t, (-36847.65625));
  p = __builtin_fma(p, t, (-1394.740234375));
  p = __builtin_fma(p, t, (-826.92724609375));
  p = __builtin_fma(p, t, (-329.76553465684998));
  p = __builtin_fma(p, t, (-171.48493596459514));
  p = __builtin_fma(p, t, (-121.94252924217753));
  p = __builtin_fma(p, t, (-139.36291143478783));
  p = __builtin_fma(p, t, (-445.96131642418038));
  p = __builtin_fma(p, t, 1189.2301771312914);
  return p;
}

//@ fn __unspool_cyl_bessel_i1
static double __unspool_cyl_bessel_i1(double x) {
  double a = __builtin_fabs(x);
  double r;
  if (a < 4.0) {
  double t = a * a;
  double p = 7.268829437970557e-24;
  p = __builtin_fma(p, t, 3.2474286899393581e-21);
  p = __builtin_fma(p, t, 1.4495388977287374e-18);
  p = __builtin_fma(p, t, 5.21425859033222e-16);
  p = __builtin_fma(p, t, 1.5017564134077788e-13);
  p = __builtin_fma(p, t, 3.3639304563502083e-11);
  p = __builtin_fma(p, t, 5.6514033612863136e-09);
  p = __builtin_fma(p, t, 6.7816840276584872e-07);
  p = __builtin_fma(p, t, 5.425347222223565e-05);
  p = __builtin_fma(p, t, 0.0026041666666666678);
  p = __builtin_fma(p, t, 0.062499999999999993);
  p = __builtin_fma(p, t, 0.5);
  r = p * a;
  } else if (a < 8.0) {
  double t = a * a - 16.0;
  double p = 3.0253839166435312e-32;
  p = __builtin_fma(p, t, 1.6281534897420186e-29);
  p = __builtin_fma(p, t, 1.3418992383971886e-26);
  p = __builtin_fma(p, t, 8.4428501024439174e-24);
  p = __builtin_fma(p, t, 4.57573068381825e-21);
  p = __builtin_fma(p, t, 2.0726141424369382e-18);
  p = __builtin_fma(p, t, 7.72500271779782e-16);
  p = __builtin_fma(p, t, 2.3203064961260785e-13);
  p = __builtin_fma(p, t, 5.4743506575371691e-11);
  p = __builtin_fma(p, t, 9.820607494548542e-09);
  p = __builtin_fma(p, t, 1.2835804319104377e-06);
  p = __builtin_fma(p, t, 0.00011525681214628169);
  p = __builtin_fma(p, t, 0.0065181167547272434);
  p = __builtin_fma(p, t, 0.2006934179776283);
  p = __builtin_fma(p, t, 2.4398662884261126);
  r = p * a;
  } else if (a < 717.0) {
    r = __unspool_exp(a - 8.0) * (__unspool_bessel_i1_far(a) / __builtin_sqrt(a));
  } else {
    r = a == a ? __builtin_inf() : a;
  }
  return x < 0.0 ? -r : (x == 0.0 ? x : r);
}

//@ fn __unspool_normf
// The root of the sum of squares of n numbers, as large as the largest of them can be.
static float __unspool_normf(int n, const float *v) {
  float most = 0.0f;
  float sum = 0.0f;
  int odd = 0;
  for (int k = 0; k < n; k++) {
    float a = __builtin_fabsf(v[k]);
    odd = odd | (a != a ? 1 : 0);
    most = a > most ? a : most;
  }
  if (most == __builtin_inff()) { return most; }
  if (odd != 0) { return __builtin_nanf(""); }
  if (most == 0.0f) { return most; }
  // By a power of two, so that nothing is lost.
  unsigned int e = __builtin_unspool_as_uint(most) >> 23;
  e = e > 253u ? 253u : e;
  float scale = __builtin_unspool_as_float((e < 24u ? 230u : 254u - e) << 23);
  float back = __builtin_unspool_as_float((e < 24u ? 24u : e) << 23);
  float rest = 0.0f;
  for (int k = 0; k < n; k++) {
    float a = v[k] * scale;
    // The sum in two parts.
    float square = __builtin_fmaf(a, a, rest);
    float total = sum + square;
    rest = (sum - total) + square;
    sum = total;
  }
  return __builtin_sqrtf(sum + rest) * back;
}

//@ fn __unspool_rnormf
static float __unspool_rnormf(int n, const float *v) {
  float r = __unspool_normf(n, v);
  return 1.0f / r;
}

//@ fn __unspool_norm
// The root of the sum of squares of n numbers, as large as the largest of them can be.
static double __unspool_norm(int n, const double *v) {
  double most = 0.0;
  double sum = 0.0;
  int odd = 0;
  for (int k = 0; k < n; k++) {
    double a = __builtin_fabs(v[k]);
    odd = odd | (a != a ? 1 : 0);
    most = a > most ? a : most;
  }
  if (most == __builtin_inf()) { return most; }
  if (odd != 0) { return __builtin_nan(""); }
  if (most == 0.0) { return most; }
  // By a power of two, so that nothing is lost.
  unsigned long e = __builtin_unspool_as_ulong(most) >> 52;
  e = e > 2045ul ? 2045ul : e;
  double scale = __builtin_unspool_as_double((e < 53ul ? 1993ul : 2046ul - e) << 52);
  double back = __builtin_unspool_as_double((e < 53ul ? 53ul : e) << 52);
  double rest = 0.0;
  for (int k = 0; k < n; k++) {
    double a = v[k] * scale;
    // The sum in two parts.
    double square = __builtin_fma(a, a, rest);
    double total = sum + square;
    rest = (sum - total) + square;
    sum = total;
  }
  return __builtin_sqrt(sum + rest) * back;
}

//@ fn __unspool_rnorm
static double __unspool_rnorm(int n, const double *v) {
  double r = __unspool_norm(n, v);
  return 1.0 / r;
}
