#!/usr/bin/env python3
"""What `__builtin_provable` proves, beside what clang 19 folds, and whether any of it can be refuted.

    scripts/provable.py [--write] [--no-clang] [--inputs 2000] [--seed 1]

The conditions stand in scripts/provable_conditions.py. clang compiles `*p = condition` with -O3 as CUDA for sm_80; it proves
what becomes a store of the constant 1 and nothing else. Then variants of all conditions (other constants, other
comparisons) are asked, and everything that unspool proves, condition or variant, is executed without optimisation in the
interpreter for --inputs random inputs.

--write writes crates/unspool/tests/provable/conditions.txt, the table that the test reads: family, whether clang proves
it, whether unspool does, statements before, condition.

Exit status 1 if clang proves something that unspool does not, or if something proved is refuted.
"""

import argparse
import random
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import provable_conditions as table
import toolbox as t

TABLE = t.ROOT / "crates/unspool/tests/provable/conditions.txt"
PARAMETERS = "int x, int n, int m, unsigned u, unsigned w, long long l, unsigned long long h, short s, signed char c, unsigned char b, int *q"
ASKS = re.compile(r"\b(even|quads|positive|small|ordered|twice|multiple<\d+>|below<\d+>)\(")
OURS = """
#include <cassert>
#define T(e) __builtin_provable(e)
#define ASSUME(e) __builtin_assume(e)
#define UNREACHABLE_UNLESS(e) if (!(e)) __builtin_unreachable()
#define ASSERT(e) assert(e)
"""
CLANG = """
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#include "__clang_cuda_builtin_vars.h"
#define T(e) (e)
#define ASSUME(e) __builtin_assume(e)
#define UNREACHABLE_UNLESS(e) if (!(e)) __builtin_unreachable()
#define ASSERT(e) if (!(e)) __builtin_trap()
#define INLINE static __device__ inline
INLINE int __popc(unsigned v) { return __builtin_popcount(v); }
INLINE int __clz(int v) { return v ? __builtin_clz(v) : 32; }
INLINE int abs(int v) { return __builtin_abs(v); }
INLINE int min(int a, int b) { return a < b ? a : b; }
INLINE int max(int a, int b) { return a > b ? a : b; }
INLINE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
INLINE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
"""
# Where an assumption does not hold the condition is not asked.
CHECK = """
#define T(e) (e)
#define ASSUME(e) if (!(e)) return
#define UNREACHABLE_UNLESS(e) ASSUME(e)
#define ASSERT(e) ASSUME(e)
__device__ unsigned next(unsigned &state) { state = state * 1664525u + 1013904223u; return state ^ state >> 15; }
// Numbers of all sizes, and those at the ends.
__device__ unsigned wide(unsigned &state) {
    unsigned r = next(state);
    switch (next(state) >> 16 & 7) {
    case 0: return r & 15;
    case 1: return 0u - (r & 15);
    case 2: return 0x7fffffffu - (r & 3);
    case 3: return 0x80000000u + (r & 3);
    case 4: return r & 0xff;
    case 5: return 1u << (r & 31);
    default: return r;
    }
}
__device__ int narrow(unsigned &state) { int r = next(state) >> 3; return r & 4 ? (r >> 4 & 31) - 8 : (r >> 4 & 0x3ff) - 0x200; }
"""


def closed(before):
    """Braces that the statements leave open."""
    return "}" * (before.count("{") - before.count("}"))


def taken_apart(before):
    """The attribute of the kernel, and the statements."""
    found = re.match(r"@bounds (\d+)\n", before)
    return (f"__launch_bounds__({found[1]}) ", before[found.end():]) if found else ("", before)


def questions(cases, sink):
    out = []
    for i, (before, condition) in enumerate(cases):
        attribute, before = taken_apart(before)
        out.append(f'extern "C" __global__ void {attribute}k{i}(volatile int *p, {PARAMETERS}) {{\n{before}\n {sink(condition)} {closed(before)} }}')
    return "\n".join(out)


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=1200)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr[:4000]}")
    return done.stdout


def ours(cases, scratch):
    """Whether each is proved; a run-time condition that is left is an error."""
    path = Path(scratch) / "ours.cu"
    sink = lambda c: f"p[0] = {c if ASKS.search(c) else f'T({c})'};"
    path.write_text(OURS + table.PRELUDE + questions(cases, sink))
    text = run([t.unspool(), "compile", "-w", str(path), "-arch=sm_80", "--emit", "ir", "-o", "-"])
    return stores(text, len(cases), r"^kernel @k(\d+)\(.*?^}", r"^ *store volatile .* (i32:\d+|v\d+)$", "i32:1")


def clangs(cases, scratch):
    path = Path(scratch) / "clang.cu"
    path.write_text(CLANG + table.PRELUDE + questions(cases, lambda c: f"*p = ({c}) ? 1 : 0;"))
    text = run([t.clang(), "-O3", "-w", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib",
                "--cuda-feature=+ptx80", "-S", "-emit-llvm", "-o", "-", str(path)])
    return stores(text, len(cases), r"^define [^\n]*@k(\d+)\(.*?^}", r"^ *store volatile i32 ([^,]+),", "1")


def stores(text, count, function, store, one):
    """By kernel: whether all that it stores is one."""
    out = [False] * count
    for found in re.finditer(function, text, re.S | re.M):
        values = re.findall(store, found[0], re.M)
        out[int(found[1])] = bool(values) and all(v == one for v in values)
    return out


def variants(cases, generator):
    """Each condition with a constant or a comparison changed, in up to four ways."""
    out = []
    for before, condition in cases:
        if "*)" in condition or "q" in before + condition or "&t" in condition:
            continue
        made = set()
        for _ in range(4):
            numbers = list(re.finditer(r"(?<![\w.<])\d+(?![\w.>x])", condition))
            compares = list(re.finditer(r"(?<=\s)(<=|>=|==|!=|<|>)(?=\s)", condition))
            if numbers and (not compares or generator.random() < 0.6):
                at = generator.choice(numbers)
                new = max(0, int(at[0]) + generator.choice([-1, 1, 2])) if generator.random() < 0.7 else int(at[0]) * 2
            elif compares:
                at = generator.choice(compares)
                new = generator.choice(["<=", ">=", "==", "!=", "<", ">"])
            else:
                continue
            if re.search(r"[/%] *$", condition[:at.start()]) and str(new) == "0":
                continue
            made.add(condition[:at.start()] + str(new) + condition[at.end():])
        out += [(before, m) for m in sorted(made - {condition})]
    return out


def numbers(path, count):
    """The i32 of a .raw file."""
    return struct.unpack(f"<{count}i", path.read_bytes())


def refuted(cases, inputs, seed, scratch):
    """Those among the cases that some input makes false, and how many inputs were tried. Arithmetic of signed numbers gets
    numbers that do not overflow, loops few iterations."""
    text = [CHECK, table.PRELUDE]
    calls = []
    for i, (before, condition) in enumerate(cases):
        _, before = taken_apart(before)
        text.append(f"__device__ void k{i}(int *bad, {PARAMETERS}) {{\n{before}\n if (!({condition})) atomicAdd(&bad[{i}], 1); {closed(before)} }}")
        signed = re.search(r"[-+*]|<<|abs|up\(|pick|twice|total|q", before + condition)
        number = "(int)(next(r) >> 9 & 7)" if "q" in before + condition else "narrow(r)" if signed else "(int)wide(r)"
        count = "(int)(next(r) >> 9 & 15) - 2" if re.search(r"for|while", before) else number
        arguments = f"{number}, {count}, {number}, wide(r), wide(r), (long long)(int)wide(r) * 3, (unsigned long long)wide(r) << 31 ^ wide(r), (short)wide(r), (signed char)wide(r), (unsigned char)wide(r), q + (next(r) >> 9 & 3) * 4"
        calls.append(f"k{i}(bad, {arguments});")
    whole = "blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * 128 + threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)"
    text.append(f'extern "C" __global__ void all(int *bad, int *q, unsigned seed) {{ unsigned r = seed * 7919u + ({whole} * 2654435761u; next(r); {" ".join(calls)} }}')
    path = Path(scratch) / "check.cu"
    path.write_text("\n".join(text))
    bad = [0] * len(cases)
    done = 0
    for n, block in enumerate(("128,1,1", "8,4,4", "64,2,1", "2,2,32")):
        grid = max(1, inputs // 4 // 128)
        shape = f"{(grid + 1) // 2},2,1" if n % 2 else f"{grid},1,1"
        out = Path(scratch) / "bad.raw"
        run([t.unspool(), "run", str(path), "--check", "-w", "--kernel", "all", "--grid", shape, "--block", block, "--arg", f"out:i32:{len(cases)}",
             "--arg", "iota:i32:64", "--arg", str(seed * 4 + n), "--out", str(out)])
        done += 128 * eval(shape.replace(",", "*"))
        bad = [a + b for a, b in zip(bad, numbers(out, len(cases)))]
    return [c for c, b in zip(cases, bad) if b], done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--no-clang", action="store_true")
    parser.add_argument("--inputs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows = list(table.conditions())
    cases = [(b, c) for _, b, c in rows]
    with tempfile.TemporaryDirectory() as scratch:
        mine = ours(cases, scratch)
        theirs = clangs(cases, scratch) if not args.no_clang and t.clang() else None
        if theirs is None:
            t.missing("clang 19")
            theirs = [line.split("\t")[1] == "clang" for line in TABLE.read_text().splitlines()]
        missed = [r for r, a, b in zip(rows, mine, theirs) if b and not a]
        neither = [r for r, a, b in zip(rows, mine, theirs) if not b and not a]
        for title, found in (("clang proves, unspool does not", missed), ("neither", neither)):
            for family, before, condition in found:
                print(f"{title}: {family}: {before} {condition}")
        print(f"{'':14}{'all':>6}{'clang':>7}{'unspool':>9}{'only unspool':>14}")
        count = Counter(f for f, _, _ in rows)
        for family in list(count) + ["all"]:
            chosen = [(a, b) for r, a, b in zip(rows, mine, theirs) if family in (r[0], "all")]
            print(f"{family:14}{len(chosen):6}{sum(b for _, b in chosen):7}{sum(a for a, _ in chosen):9}{sum(a and not b for a, b in chosen):14}")
        if args.write:
            TABLE.write_text("".join(f"{f}\t{'clang' if b else '-'}\t{'proved' if a else '-'}\t{before.replace(chr(10), '@@')}\t{c}\n" for (f, before, c), a, b in zip(rows, mine, theirs)))
        changed = variants(cases, random.Random(args.seed))
        asked = ours(changed, scratch)
        proved = [c for c, p in zip(cases + changed, mine + asked) if p]
        wrong, done = refuted(proved, args.inputs, args.seed, scratch)
        print(f"{len(changed)} variants, of which {sum(asked)} are proved; {len(proved)} proved conditions × {done} inputs = {len(proved) * done} checks, {len(wrong)} conditions refuted")
        for before, condition in wrong:
            print(f"REFUTED: {before} {condition}")
    return 1 if missed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
