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
kernel void function(global const T *a, global T *o) {
  int i = get_global_id(0);
  T x = a[i], s = 0;
  for (int k = 0; k < 32; k++) { s += F; x += (T)0.01; }
  o[i] = s;
}"""
SIDE = 1024
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
        program = cl.Program(context, "#define T %s\n#define F %s\n%s" % (ty, expression, FUNCTION)).build()
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
    o = options.parse_args()
    platforms = []
    for p in cl.get_platforms():
        context = cl.Context(p.get_devices()[:1])
        platforms.append((p.name, context, cl.CommandQueue(context)))
    print("; ".join(name for name, _, _ in platforms))
    wanted = lambda name: not o.names or any(n in name for n in o.names)
    for ty, real in (("float", np.float32), ("double", np.float64)):
        for f in FUNCTIONS:
            if wanted("%s %s" % (ty, f)):
                times = least(o.launches, platforms, function(f, ty, real))
                print("%-24s" % ("%s %s" % (ty, f)), " ".join("%8.3f ns" % (t * 1e9 / 32 / (1 << 15)) for t in times), flush=True)
    for name, body in KERNELS.items():
        for local in (None, (32, 8), (8, 32), (256, 1), (1024, 1)):
            if wanted(name):
                times = least(o.launches, platforms, sizes(body, local))
                print("%-24s" % ("%s %s" % (name, local)), " ".join("%8.3f ms" % (t * 1e3) for t in times), flush=True)


if __name__ == "__main__":
    main()
