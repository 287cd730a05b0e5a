#!/usr/bin/env python3
"""Kernels on this machine's processor: unspool beside PoCL and Intel's OpenCL runtime, in one run.

    scripts/host_peers.sh                                   # installs PoCL (Debian), Intel's runtime and pyopencl (PyPI)
    cargo build --release -p unspool-cli -p unspool-opencl  # UNSPOOL and UNSPOOL_DRIVER name other builds
    scripts/compare_host.py [--runs N] [--only NAME,…] [--markdown]

Twelve kernels of crates/bench/kernels/host, the same sources and the same inputs for all. Per kernel: median time of a
launch (the peers': from the events' profile), and the time from source text to the first result, in a process that has
compiled something else before. Each runtime runs in a process of its own, one after the other. Results are compared with each
other; unspool runs twice, through its command and as an OpenCL platform. A peer that is not installed is left out, with a
line that says so.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import toolbox as t

KERNELS = t.ROOT / "crates/bench/kernels/host"
TOLERANCE = 2e-3


def cases():
    """Name to (global size, local size, arguments, numbers of the results among the arguments). An argument is an array, a
    number with its type, or the size in bytes of local memory."""
    import numpy as np

    rng = np.random.default_rng(1)
    f32 = np.float32

    def uniform(n, low=0.0, high=1.0):
        return rng.uniform(low, high, n).astype(f32)

    def local(size):
        return ("local", size)

    n, bodies, side = 1024, 8192, 4096
    big = 16 << 20
    bodies_at = uniform(4 * bodies)
    rows = 1 << 17
    lengths = rng.integers(0, 64, rows)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    entries = int(starts[-1])
    options = 4 << 20
    items = 1 << 16
    zeros = np.zeros
    return {
        "sgemm": ((n, n), (16, 16), [uniform(n * n), uniform(n * n), zeros(n * n, f32), np.int32(n)], [2]),
        "saxpy": ((big,), (256,), [f32(2.0), uniform(big), uniform(big)], [2]),
        "nbody": ((bodies,), (256,), [bodies_at, zeros(4 * bodies, f32), np.int32(bodies), f32(0.01)], [1]),
        "nbody_local": (
            (bodies,), (256,),
            [bodies_at, zeros(4 * bodies, f32), np.int32(bodies), f32(0.01), local(256 * 16)], [1],
        ),
        "mandel": ((1024, 1024), (16, 16), [zeros(1024 * 1024, np.int32), np.int32(1024), np.int32(256)], [0]),
        "conv2d": (
            (side, side), (16, 16),
            [uniform(side * side), zeros(side * side, f32), uniform(9), np.int32(side), np.int32(side)], [1],
        ),
        "reduce": ((big // 2,), (256,), [uniform(big), zeros(big // 512, f32), local(1024)], [1]),
        "histogram": (
            (items,), (256,),
            [rng.integers(0, 256, items * 256).astype(np.uint8), zeros(256, np.uint32), np.int32(256), local(1024)], [1],
        ),
        "transpose": ((side, side), (16, 16), [uniform(side * side), zeros(side * side, f32), np.int32(side), np.int32(side)], [1]),
        "spmv": (
            (rows,), (64,),
            [starts, rng.integers(0, rows, entries).astype(np.int32), uniform(entries), uniform(rows), zeros(rows, f32)], [4],
        ),
        "black_scholes": (
            (options,), (256,),
            [uniform(options, 10, 50), uniform(options, 10, 50), uniform(options, 0.2, 2), zeros(options, f32),
             zeros(options, f32), f32(0.02), f32(0.3)], [3, 4],
        ),
        "bitonic": ((1 << 20,), (256,), [rng.integers(0, 1 << 32, 2 << 20, dtype=np.uint64).astype(np.uint32)], [0]),
    }


def peer(platform_name, runs, only, folder):
    """Runs in a process of its own: every case on one OpenCL platform; prints JSON, leaves results in `folder`."""
    import numpy as np
    import pyopencl as cl

    platform = next((p for p in cl.get_platforms() if platform_name in p.name), None)
    if platform is None:
        print("null")
        return
    context = cl.Context(platform.get_devices())
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    cl.Program(context, "__kernel void warm(__global int *p) { *p = 1; }").build(options=["-cl-std=CL1.2"])
    flags = cl.mem_flags
    out = {"version": platform.version}
    for name, (size, local, args, results) in cases().items():
        if only and name not in only:
            continue
        source = (KERNELS / f"{name}.cl").read_text()

        def buffers():
            made = []
            for a in args:
                if isinstance(a, tuple):
                    made.append(cl.LocalMemory(a[1]))
                elif isinstance(a, np.ndarray):
                    made.append(cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=a))
                else:
                    made.append(a)
            return made

        passed = buffers()
        queue.finish()
        start = time.perf_counter()
        # A cached binary would hide the compiler: a comment makes each text new.
        program = cl.Program(context, f"{source}\n// {time.time_ns()}\n").build(options=["-cl-std=CL1.2"])
        kernel = cl.Kernel(program, name)
        kernel(queue, size, local, *passed)
        queue.finish()
        first = time.perf_counter() - start
        for n in results:
            got = np.empty_like(args[n])
            cl.enqueue_copy(queue, got, passed[n])
            np.save(Path(folder) / f"{name}.{n}.npy", got)
        times = []
        for _ in range(runs):
            event = kernel(queue, size, local, *passed)
            event.wait()
            times.append((event.profile.end - event.profile.start) * 1e-9)
        out[name] = {"first": first, "median": t.median(times)}
    print(json.dumps(out))


def run_peer(platform_name, vendors, args, folder):
    command = [sys.executable, __file__, "--child", platform_name, "--runs", str(args.runs), "--folder", folder]
    if args.only:
        command += ["--only", args.only]
    env = dict(os.environ, OCL_ICD_VENDORS=vendors, POCL_KERNEL_CACHE="0", PYOPENCL_NO_CACHE="1", UNSPOOL_CACHE="0")
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"SKIPPED: {platform_name}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    result = json.loads(done.stdout.splitlines()[-1])
    if result is None:
        t.missing(platform_name)
    return result


def ours(args, folder):
    """Every case through `unspool run`."""
    import numpy as np

    out = {}
    for name, (size, local, given, results) in cases().items():
        if args.only and name not in args.only.split(","):
            continue
        command = [t.unspool(), "run", "--no-cache", str(KERNELS / f"{name}.cl"), "--kernel", name, "--time", "--time-format", "json", "--repeat", str(args.runs), "--global", ",".join(map(str, size)), "--local", ",".join(map(str, local))]
        for n, a in enumerate(given):
            if isinstance(a, tuple):
                command += ["--arg", f"local:{a[1]}"]
            elif isinstance(a, np.ndarray):
                path = Path(folder) / f"in.{n}.npy"
                np.save(path, a)
                command += ["--arg", f"inout:{path}" if n in results else str(path)]
            else:
                command += ["--arg", str(a)]
        for n in results:
            command += ["--out", str(Path(folder) / f"{name}.{n}.npy")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{name}: {done.stderr.strip()}", file=sys.stderr)
            continue
        report = json.loads(done.stdout.splitlines()[-1])
        out[name] = {"first": report["warm"] or report["first"], "median": report["median"]}
    return out


def agreement(folders):
    """The largest relative difference between the runtimes' results, per kernel."""
    import numpy as np

    worst = {}
    first, *rest = [f for f in folders if f]
    for other in rest:
        for path in sorted(Path(first).glob("*.*.npy")):
            twin = Path(other) / path.name
            if path.name.startswith("in.") or not twin.exists():
                continue
            a, b = np.load(path).astype(np.float64).ravel(), np.load(twin).astype(np.float64).ravel()
            scale = np.maximum(np.abs(a), np.abs(a).mean() + 1e-30)
            name = path.name.split(".")[0]
            # A few points of the fractal's edge depend on the last bit; all else must agree everywhere.
            difference = np.abs(a - b) / scale
            value = float(np.mean(difference > TOLERANCE)) if name == "mandel" else float(difference.max(initial=0.0))
            worst[name] = max(worst.get(name, 0.0), value)
    return worst


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def intel_vendors(folder):
    for base in (t.ROOT / ".venv", Path(sys.prefix)):
        library = base / "lib/libintelocl.so"
        if library.exists():
            path = Path(folder) / "intel.icd"
            path.write_text(f"{library}\n", encoding="utf-8")
            return str(path)
    return None


def our_vendors(folder):
    """A loader's file for unspool's driver, if that was built."""
    library = Path(os.environ.get("UNSPOOL_DRIVER", t.ROOT / "target/release/libunspool_opencl.so")).resolve()
    if not library.exists():
        return None
    path = Path(folder) / "unspool.icd"
    path.write_text(f"{library}\n", encoding="utf-8")
    return str(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--only", default="")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        return peer(args.child, args.runs, args.only.split(",") if args.only else [], args.folder)
    with tempfile.TemporaryDirectory() as folder:
        places = {name: os.path.join(folder, name) for name in ("pocl", "intel", "platform", "unspool")}
        for place in places.values():
            os.mkdir(place)
        print(f"machine: {t.machine()}")
        pocl = run_peer("Portable", "/etc/OpenCL/vendors", args, places["pocl"])
        vendors = intel_vendors(folder)
        intel = run_peer("Intel", vendors, args, places["intel"]) if vendors else t.missing("Intel's runtime")
        vendors = our_vendors(folder)
        platform = run_peer("unspool", vendors, args, places["platform"]) if vendors else t.missing("unspool's driver")
        mine = ours(args, places["unspool"])
        report(pocl or {}, intel or {}, platform or {}, mine, agreement([p for p in places.values() if os.listdir(p)]))
    return 0


def report(pocl, intel, platform, mine, worst):
    rows, against_best, against_pocl, against_command = [], [], [], []

    def ms(result, name, field):
        return f"{result[name][field] * 1e3:.2f}" if name in result else "-"

    for name in cases():
        if name not in mine and name not in pocl:
            continue
        best = min((r[name]["median"] for r in (pocl, intel) if name in r), default=None)
        ratio = best / mine[name]["median"] if best and name in mine else None
        if ratio:
            against_best.append(ratio)
        if name in pocl and name in mine:
            against_pocl.append(pocl[name]["median"] / mine[name]["median"])
        if name in platform and name in mine:
            against_command.append(platform[name]["median"] / mine[name]["median"])
        rows.append([
            name, ms(mine, name, "median"), ms(platform, name, "median"), ms(pocl, name, "median"), ms(intel, name, "median"),
            f"{ratio:.2f}" if ratio else "-", ms(mine, name, "first"), ms(platform, name, "first"), ms(pocl, name, "first"), ms(intel, name, "first"),
            f"{worst.get(name, 0.0):.1e}",
        ])
    header = ["kernel", "unspool ms", "as a platform ms", "PoCL ms", "Intel ms", "best peer / unspool", "first result: unspool ms", "as a platform ms", "PoCL ms", "Intel ms", "difference"]
    print(t.table(header, rows))
    if against_best:
        print(f"geometric mean against the faster peer: {geometric_mean(against_best):.2f}, least: {min(against_best):.2f}")
    if against_command:
        print(f"as a platform over the command, geometric mean: {geometric_mean(against_command):.3f}, most: {max(against_command):.3f}")
    if against_pocl:
        print(f"geometric mean against PoCL: {geometric_mean(against_pocl):.2f}")


if __name__ == "__main__":
    sys.exit(main())
