#!/usr/bin/env python3
"""Vector registers and spills of AMD code objects beside clang 19, and how long one takes to make.

    scripts/amd_registers.py [--gpu gfx90a ...] [FILE.cl ...]     # default: gfx90a, gfx942, gfx1100; the OpenCL suite

Both are read from the objects' metadata (llvm-readobj-19). clang compiles with -O3 and without a device library, so that
kernels that call library functions cannot be compared: they are listed. One line for each kernel where the two differ by
more than a tenth, then the geometric mean of unspool / clang.
"""

import argparse
import math
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import toolbox as t

SUITE = ["crates/bench/kernels/suite.cl"]
# What is the device library's in AMD's compiler and must not be a call here: places in the launch, barriers.
SHIM = """
static inline uint at_group(uint d) { return d == 0 ? __builtin_amdgcn_workgroup_id_x() : d == 1 ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_z(); }
static inline uint at_item(uint d) { return d == 0 ? __builtin_amdgcn_workitem_id_x() : d == 1 ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_z(); }
static inline uint at_size(uint d) { return ((constant ushort *)__builtin_amdgcn_implicitarg_ptr())[6 + d]; }
static inline uint at_groups(uint d) { return ((constant uint *)__builtin_amdgcn_implicitarg_ptr())[d]; }
static inline ulong at_offset(uint d) { return ((constant ulong *)__builtin_amdgcn_implicitarg_ptr())[5 + d]; }
#define get_group_id(d) ((size_t)at_group(d))
#define get_local_id(d) ((size_t)at_item(d))
#define get_local_size(d) ((size_t)at_size(d))
#define get_num_groups(d) ((size_t)at_groups(d))
#define get_global_offset(d) at_offset(d)
#define get_global_id(d) (at_offset(d) + at_group(d) * at_size(d) + at_item(d))
#define get_global_size(d) ((size_t)at_groups(d) * at_size(d))
#define barrier(f) (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
#define fma(a, b, c) __builtin_elementwise_fma(a, b, c)
#define mad(a, b, c) ((a) * (b) + (c))
#define fmin(a, b) __builtin_fminf(a, b)
#define fmax(a, b) __builtin_fmaxf(a, b)
#define min(a, b) __builtin_elementwise_min(a, b)
#define max(a, b) __builtin_elementwise_max(a, b)
float __attribute__((overloadable)) sub_group_shuffle_down(float, int);
int __attribute__((overloadable)) sub_group_shuffle_down(int, int);
uint __attribute__((overloadable)) sub_group_shuffle_down(uint, int);
"""
SMALL = "kernel void saxpy(global float *y, global const float *x, float a, int n) { int i = get_global_id(0); if (i < n) y[i] += a * x[i]; }\n"


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def notes(path):
    """By kernel: vector registers, spilled ones."""
    text = run(["llvm-readobj-19", "--notes", str(path)]).stdout
    out = {}
    for part in re.split(r"\n *- (?=\.agpr_count|\.args)", text)[1:]:
        name = re.search(r"\.name: +(\w+)\n(?: +\S.*\n)*? +\.(?:private_segment|reqd|sgpr)", part)
        names = re.findall(r"^    \.name: +(\w+)$", part, re.M)
        name = names[-1] if names else name and name[1]
        field = lambda f: int(re.search(rf"\.{f}: +(\d+)", part)[1])
        if name:
            out[name] = (field("vgpr_count"), field("vgpr_spill_count"))
    return out


def calls(path):
    """Whether an object refers to functions that it does not have."""
    symbols = run(["llvm-nm-19", "-u", str(path)]).stdout
    return bool(re.search(r"\bU \w", symbols))


def clangs(path, gpu, scratch):
    """clang's figures, kernel by kernel: what calls the library is left out."""
    out, shim = Path(scratch) / "clang.o", Path(scratch) / "shim.h"
    shim.write_text(SHIM)
    done = run([t.clang(), "-x", "cl", "-cl-std=CL2.0", "-O3", "-Xclang", "-finclude-default-header", "-include", str(shim), "--target=amdgcn-amd-amdhsa",
                f"-mcpu={gpu}", "-nogpulib", "-mcode-object-version=5", "-c", "-o", str(out), str(path)])
    if done.returncode:
        sys.exit(f"clang {path}: {done.stderr[:2000]}")
    disassembly = run(["llvm-objdump-19", "-dr", f"--mcpu={gpu}", str(out)]).stdout
    # With relocations to functions the registers are those of a callee that is not known.
    calling = set()
    for part in re.split(r"\n(?=[0-9a-f]+ <)", disassembly):
        head = re.match(r"[0-9a-f]+ <(\w+)>", part)
        if head and re.search(r"R_AMDGPU_(REL|GOTPCREL)\S*\s+_Z", part):
            calling.add(head[1])
    return notes(out), calling


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--gpu", action="append")
    args = parser.parse_args()
    files = [Path(f) for f in args.files] or [t.ROOT / f for f in SUITE]
    worse = False
    for gpu in args.gpu or ["gfx90a", "gfx942", "gfx1100"]:
        ratios, left, spills = [], [], []
        with tempfile.TemporaryDirectory() as scratch:
            for path in files:
                out = Path(scratch) / "ours.hsaco"
                done = run([t.unspool(), "compile", "-w", str(path), "--arch", gpu, "-o", str(out)])
                if done.returncode:
                    sys.exit(f"unspool {path}: {done.stderr[:2000]}")
                ours, (theirs, calling) = notes(out), clangs(path, gpu, scratch)
                for name, (mine, spilled) in sorted(ours.items()):
                    if name not in theirs or name in calling:
                        left.append(name)
                        continue
                    other, clang_spilled = theirs[name]
                    ratios.append(mine / other)
                    if spilled > clang_spilled:
                        spills.append(name)
                    if not 0.9 <= mine / other <= 1.1:
                        print(f"{gpu} {name}: {mine}, clang {other}")
            small = Path(scratch) / "small.cl"
            small.write_text(SMALL)
            times = []
            for _ in range(15):
                start = time.perf_counter()
                run([t.unspool(), "compile", str(small), "--arch", gpu, "-o", str(Path(scratch) / "small.hsaco")])
                times.append((time.perf_counter() - start) * 1000)
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        worse |= mean > 1.1 or bool(spills)
        print(f"{gpu}: {len(ratios)} kernels, geometric mean {mean:.3f}, spills where clang has none: {spills or 'none'}; not compared: {', '.join(left) or 'none'}; small kernel {statistics.median(times):.0f} ms")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
