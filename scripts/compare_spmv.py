#!/usr/bin/env python3
"""Times SHOC's sparse products on the OpenCL platform that OCL_ICD_VENDORS names: least ms of a launch, for one platform after another.

    OCL_ICD_VENDORS=u.icd .venv/bin/python scripts/compare_spmv.py shoc/src/opencl/level1/spmv/spmv.cl [ROWS] [float|double]

The matrix has 1 % of its elements, at random places; the vector kernel has the platform's preferred multiple as its width.
"""
import sys
import time

import numpy as np
import pyopencl as cl


def main() -> None:
    source = open(sys.argv[1], encoding="utf-8").read()
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 4096
    double = len(sys.argv) <= 3 or sys.argv[3] == "double"
    real = np.float64 if double else np.float32
    rng = np.random.default_rng(1)
    places = np.sort(rng.choice(rows * rows, rows * rows // 100, replace=False))
    columns = (places % rows).astype(np.int32)
    starts = np.searchsorted(places // rows, np.arange(rows + 1)).astype(np.int32)
    values, vector = rng.random(len(places)).astype(real), rng.random(rows).astype(real)
    expected = np.zeros(rows)
    np.add.at(expected, places // rows, values.astype(np.float64) * vector[columns])
    platform = cl.get_platforms()[0]
    device = platform.get_devices()[0]
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, source).build("-DK_DOUBLE_PRECISION" if double else "-DSINGLE_PRECISION")
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    out = np.zeros(rows, real)
    val, vec, col, row, res = (cl.Buffer(context, flags, hostbuf=a) for a in (values, vector, columns, starts, out))
    for kernel in program.all_kernels():
        name = kernel.function_name
        n = np.int32(rows)
        if name == "spmv_csr_scalar_kernel":
            args, items = (val, vec, col, row, n, res), rows
        elif name == "spmv_csr_vector_kernel":
            asked = cl.kernel_work_group_info.PREFERRED_WORK_GROUP_SIZE_MULTIPLE
            width = kernel.get_work_group_info(asked, device)
            args, items = (val, vec, col, row, n, np.int32(width), res), rows * width
        else:
            continue
        times = []
        for _ in range(300):
            start = time.perf_counter()
            kernel(queue, (items,), (128,), *args)
            queue.finish()
            times.append(time.perf_counter() - start)
        cl.enqueue_copy(queue, out, res).wait()
        print(f"{platform.name} {name} {real.__name__} {min(times) * 1e3:.4f} ms, off by {abs(out - expected).max():.0e}")


main()
