#!/usr/bin/env python3
"""Time of mathematical functions, and of kernels without a local size, on the OpenCL platforms of OCL_ICD_VENDORS.

    mkdir both; echo "$PWD/target/fast/libunspool_opencl.so" > both/unspool.icd    # and a file that names the peer's library
    OCL_ICD_VENDORS=$PWD/both .venv/bin/python scripts/compare_functions.py [PART OF A NAME ...]

The platforms take turns launch by launch, so that other work on the machine hits all alike; each figure is the least of
--launches. Functions: nanoseconds an element, 32 values each. Local sizes: milliseconds a launch of 1024 x 1024 work-items,
NULL beside sizes that are given. Needs numpy and pyopencl (scripts/host_peers.sh).
"""
import argparse
import time
import warnings

import numpy as np
import pyopencl as cl

warnings.simplefilter("ignore")
FUNCTIONS = ["sin(x)", "cos(x)", "(sin(x)+cos(x))", "both(x)", "tan(x)", "exp(x)", "exp10(x)", "log(x)", "log10(x)",
             "pow(x,x)", "powr(x,x)", "pown(x,3+(k&3))", "erf(x)", "erfc(x)", "cbrt(x)", "hypot(x,x)", "rsqrt(x)", "fmod(x,(T)1.5)"]
FUNCTION = """
#pragma OPENCL EXTENSION cl_khr_fp64: enable
T both(T x) { T c, s = sincos(x, &c); return s + c; }
T sincos_(T x) { T c, s = sincos(x * 3, &c); return s - c; }
T fract_(T x) { T w, f = fract(x, &w); return w - f; }
T modf_(T x) { T w, f = modf(x, &w); return w - f; }
T frexp_(T x) { int e; return frexp(x, &e) + e; }
T lgamma_(T x) { int e; return lgamma_r(x, &e) + e; }
T remquo_(T x) { int e; return remquo(x, (T)1.5, &e) + e; }
kernel void function(global const T *a, global T *o) {
  int i = get_global_id(0);
  T x = a[i], s = 0;
  for (int k = 0; k < 32; k++) { s += F; x += (T)0.01; }
  o[i] = s;
}"""
HEAD = """#define T %s
#define V4 %s4
#define I IF(T)
#define IF(T) IG(T)
#define IG(T) I_##T
#define I_float int
#define I_double long
#define F %s
"""
SIDE = 1024
# All others of OpenCL's built-in functions of one number and its like, with arguments that they are defined for.
MORE = ["acos(x*(T)0.15)", "acosh(x+1)", "acospi(x*(T)0.15)", "asin(x*(T)0.15)", "asinh(x)", "asinpi(x*(T)0.15)", "atan(x)",
        "atan2(x,(T)1.5)", "atan2(x,3-x)", "atanh(x*(T)0.15)", "atanpi(x)", "atan2pi(x,3-x)", "ceil(x)", "copysign((T)1.5,x-3)", "cosh(x)",
        "cospi(x)", "exp2(x)", "expm1(x)", "fdim(x,(T)1.5)", "floor(x)", "fma(x,x,s)", "fmax(x,s)", "fmod(x*100,x)", "fract_(x)",
        "frexp_(x)", "hypot(x,3-x)", "ilogb(x)", "ldexp(x,k)", "lgamma(x)", "lgamma_(x)", "lgamma(x-4)", "log2(x)", "log1p(x)", "logb(x)", "mad(x,x,s)",
        "maxmag(x,s)", "minmag(x,s)", "modf_(x)", "nextafter(x,s)", "pown(x,k*5-70)", "remainder(x,(T)1.5)", "remainder(x*100,x)",
        "remquo_(x)", "rint(x)", "rootn(x,k+2)", "round(x)", "sincos_(x)", "sinh(x)", "sinpi(x)", "sqrt(x)", "sin(x*50)", "sin(x*(T)1e7)", "tanh(x)",
        "tanpi(x)", "tgamma(x)", "trunc(x)", "x/s", "1/x", "clamp(x,(T)1,(T)3)", "degrees(x)", "radians(x)", "mix(x,s,(T)0.3)",
        "step(x,(T)2)", "smoothstep((T)1,(T)4,x)", "sign(x-3)", "cross((V4)(x,s,1,0),(V4)(1,x,2,0)).x", "dot((V4)(x,s,1,2),(V4)(x))",
        "distance((V4)(x,s,1,2),(V4)(3))", "length((V4)(x,1,2,3))", "normalize((V4)(x,1,2,3)).y", "convert_int_rte(x)", "convert_uchar_sat(x*50)",
        "select((T)1,x,(I)(x>3))", "isnan(x)", "isnormal(x)", "signbit(x-3)", "(T)popcount((uint)(x*9999))", "(T)clz((uint)(x*9999))",
        "(T)mul_hi((int)(x*1e8f),k)", "(T)mul_hi((long)(x*1e8f),(long)k<<50)", "(T)rotate((uint)(x*9999),(uint)k)", "(T)abs_diff((int)(x*9999),9000*k)",
        "(T)mad_sat((int)(x*9999),k,9)", "(T)add_sat((int)(x*9999),k)", "(T)rhadd((int)(x*9999),k)", "(T)mul24((int)(x*99),k)", "(T)(((int)(x*9999))%(k+3))",
        "(T)(((uint)(x*9999))/(k+3u))", "(T)(((long)(x*9999))/(k+3l))", "(T)(((ulong)(x*9999))%(k+3ul))"]
SINGLE = ["native_sin(x)", "native_cos(x)", "native_tan(x)", "native_exp(x)", "native_exp2(x)", "native_exp10(x)", "native_log(x)", "native_log2(x)",
          "native_log10(x)", "native_powr(x,x)", "native_rsqrt(x)", "native_recip(x)", "native_sqrt(x)", "native_divide(x,s)", "half_sin(x)",
          "half_cos(x)", "half_tan(x)", "half_exp(x)", "half_log(x)", "half_powr(x,x)", "half_rsqrt(x)", "half_sqrt(x)", "half_recip(x)",
          "fast_length((float4)(x,1,2,3))", "fast_normalize((float4)(x,1,2,3)).y", "fast_distance((float4)(x,1,2,3),(float4)(3))",
          "vload_half(k,(const global half*)a)"]
KERNELS = {
    "copy": "c[i * n + j] = a[i * n + j] * 2 + 1;",
    "stencil": "if (i > 0 && j > 0 && i < n - 1 && j < n - 1) c[i * n + j] = "
               "a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j];",
    "first index from x": "c[j * n + i] = a[j * n + i] * a[i];",
}
KERNEL = "kernel void sizes(int n, global const float *a, global float *c) { int j = get_global_id(0), i = get_global_id(1); %s }"


def least(launches, platforms, make):
    """Least seconds of a launch on each platform, in turns; `make` gives what launches once."""
    runs = [make(context, queue) for _, context, queue in platforms]
    best = [float("inf")] * len(runs)
    for n in range(launches + 3):
        for k, run in enumerate(runs):
            begin = time.perf_counter()
            run()
            if n >= 3:
                best[k] = min(best[k], time.perf_counter() - begin)
    return best


def launcher(queue, kernel, size, local, *args):
    def run():
        kernel(queue, size, local, *args)
        queue.finish()

    return run


def function(expression, ty, real):
    items = 1 << 15
    values = (np.random.default_rng(1).random(items) * 6 + 0.1).astype(real)

    def make(context, queue):
        program = cl.Program(context, HEAD % (ty, ty, expression) + FUNCTION).build()
        a = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
        return launcher(queue, cl.Kernel(program, "function"), (items,), (256,), a, cl.Buffer(context, 0, values.nbytes))

    return make


def sizes(body, local):
    values = np.ones((SIDE, SIDE), np.float32)

    def make(context, queue):
        kernel = cl.Kernel(cl.Program(context, KERNEL % body).build(), "sizes")
        a = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
        return launcher(queue, kernel, (SIDE, SIDE), local, np.int32(SIDE), a, cl.Buffer(context, 0, values.nbytes))

    return make


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*", help="parts of names: only what has one")
    options.add_argument("--launches", type=int, default=60)
    options.add_argument("--all", action="store_true", help="all built-in functions of numbers")
    options.add_argument("--below", type=float, help="at the end, what has less of the fastest other platform's speed than this on the first one")
    o = options.parse_args()
    platforms = []
    for p in sorted(cl.get_platforms(), key=lambda p: p.name != "unspool"):
        context = cl.Context(p.get_devices()[:1])
        platforms.append((p.name, context, cl.CommandQueue(context)))
    print("; ".join(name for name, _, _ in platforms) + "; the fastest other one's time over the first one's")
    ratios = []
    wanted = lambda name: not o.names or any(n in name for n in o.names)
    for ty, real in (("float", np.float32), ("double", np.float64)):
        for f in FUNCTIONS + (MORE + (SINGLE if ty == "float" else []) if o.all else []):
            if wanted("%s %s" % (ty, f)):
                times = least(o.launches, platforms, function(f, ty, real))
                print("%-24s" % ("%s %s" % (ty, f)), " ".join("%8.3f ns" % (t * 1e9 / 32 / (1 << 15)) for t in times),
                      "%6.2f" % (min(times[1:], default=times[0]) / times[0]), flush=True)
                ratios.append((min(times[1:], default=times[0]) / times[0], "%s %s" % (ty, f)))
    if o.below:
        print(*("%.2f %s" % r for r in sorted(ratios) if r[0] < o.below), sep="\n", flush=True)
    for name, body in KERNELS.items():
        for local in (None, (32, 8), (8, 32), (256, 1), (1024, 1)):
            if wanted(name):
                times = least(o.launches, platforms, sizes(body, local))
                print("%-24s" % ("%s %s" % (name, local)), " ".join("%8.3f ms" % (t * 1e3) for t in times), flush=True)


if __name__ == "__main__":
    main()
