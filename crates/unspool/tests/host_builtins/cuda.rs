//! CUDA's mathematical functions and intrinsics compile for the host, none into an instruction that only GPUs have.

use crate::said;
use unspool::{Dialect, Emit, Input, Options, compile_with_log as compile};

const FLOAT_ONE: &str = "acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf cospif erfcf erfcinvf erfcxf erff erfinvf \
    exp10f exp2f expf expm1f fabsf floorf lgammaf log10f log1pf log2f logbf logf nearbyintf normcdff normcdfinvf rcbrtf rintf \
    roundf rsqrtf sinf sinhf sinpif sqrtf tanf tanhf tgammaf truncf __cosf __exp10f __expf __log10f __log2f __logf __sinf __sin2pif __cos2pif \
    __tanf __saturatef __frcp_rn __frcp_rz __fsqrt_rn __fsqrt_ru __frsqrt_rn";
const FLOAT_TWO: &str = "atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf rhypotf fdividef __fdividef \
    __powf __fadd_rn __fadd_rd __fsub_rz __fmul_ru __fdiv_rn __fdiv_rz";
const DOUBLE_ONE: &str = "acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10 exp2 \
    expm1 fabs floor lgamma log log10 log1p log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt sin sinh sinpi sqrt \
    tan tanh tgamma trunc __drcp_rn __dsqrt_rn";
const DOUBLE_TWO: &str =
    "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot __dadd_rn __dmul_rz __ddiv_rn";
const INT: &str = "__clz(n) __ffs(n) __popc(n) __brev(n) __mul24(n,m) __mulhi(n,m) __sad(n,m,5) __usad(n,m,5) __rhadd(n,m) __hadd(n,m) \
    __byte_perm(n,m,0x5140) __funnelshift_l(n,m,5) __dp4a(n,m,3) __vadd4(n,m) __vabsdiffu4(n,m) min(n,m) max(n,m) abs(n) \
    __float2int_rn(x) __float2int_rz(x) __float_as_int(x) __float2half_rn(x) __float2uint_ru(x) __double2int_rd(y)";

fn program() -> String {
    let mut body = String::new();
    let mut call = |names: &str, value: &str, arguments: &str| {
        for f in names.split_whitespace() {
            body += &format!("  {value} += {f}({arguments});\n");
        }
    };
    call(FLOAT_ONE, "x", "x");
    call(FLOAT_TWO, "x", "x, z");
    call(DOUBLE_ONE, "y", "y");
    call(DOUBLE_TWO, "y", "y, 2.5");
    for e in INT.split_whitespace() {
        body += &format!("  n += (int){e};\n");
    }
    format!(
        "__global__ void k(float *p, double *q, int *r) {{
            float x = p[0], z = p[1], s, c; double y = q[0], t, d; int n = r[0], m = r[1], e;
            {body}
            sincosf(x, &s, &c); x += s * c; sincospif(x, &s, &c); x += s * c; __sincosf(x, &s, &c); x += s * c; __sincos2pif(x, &s, &c); x += s * c;
            sincos(y, &t, &d); y += t * d; sincospi(y, &t, &d); y += t * d;
            x += frexpf(x, &e) + ldexpf(x, e) + modff(x, &s) + remquof(x, z, &e) + scalbnf(x, e) + fmaf(x, s, z) + norm3df(x, s, z)
                + rnorm3df(x, s, z) + norm4df(x, s, z, c) + rnorm4df(x, s, z, c);
            y += frexp(y, &e) + ldexp(y, e) + modf(y, &t) + remquo(y, d, &e) + scalbn(y, e) + fma(y, t, d) + norm3d(y, t, d)
                + rnorm3d(y, t, d) + norm4d(y, t, d, y) + rnorm4d(y, t, d, y);
            p[0] = x; q[0] = y; r[0] = n;
        }}"
    )
}

#[test]
fn functions_and_intrinsics_compile() {
    for fast in [false, true] {
        let mut options = Options::host(Dialect::CUDA);
        options.math.cuda_fast = fast;
        let out = compile(&Input::text("k.cu", program()), &options, &Emit::Ir);
        assert!(out.succeeded(), "{}", said(&out));
        assert!(!crate::only_gpus_have(out.output().unwrap_or_default()));
    }
}
