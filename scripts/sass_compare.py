#!/usr/bin/env python3
"""How many machine instructions and registers ptxas makes of unspool's PTX, over those that it makes of nvcc's.

    scripts/sass_compare.py [-arch=sm_90] [FILE.cu ...]        # default: the benchmark suite
    scripts/sass_compare.py --trees DIR                        # and the public kernels of scripts/sass_suite.txt
    scripts/sass_compare.py --trees DIR --suite scripts/sass_suite2.txt    # those of another list
    scripts/sass_compare.py --keep DIR --opcodes FILE.cu       # keeps both texts; which opcodes differ

Instructions are those of `cuobjdump -sass` without the NOPs behind a function's end. DIR of `--trees` holds checkouts
by the names that the list uses (`rodinia`, `shoc`, `hecbench`, `cuda-samples`). Headers are looked for beside a file,
in its parent, and in `include` and `common` beside them. Kernels that only one compiler makes are left out, files
that one rejects are named. `--loops-alike` leaves out kernels in which the numbers of loops differ: there the two do
not do the same work.

Exit status 1 if a kernel spills where nvcc's does not.
"""

import argparse
import collections
import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import ptx_quality as quality
import real_agreement
import toolbox as t

SUITE = Path(__file__).with_name("sass_suite.txt")


def public_suite(trees, suite):
    """{file: kernels that count} of the list."""
    chosen = collections.defaultdict(set)
    for line in suite.read_text().splitlines():
        if words := line.split("#")[0].split():
            chosen[trees / words[0]].add(words[1])
    return chosen


def headers_of(trees):
    """Where the public programs look for headers, and what they need to be defined."""
    below = ["hecbench/src/include", "cuda-samples/Common", "shoc/src/common", "shoc/src/cuda/common"]
    # CUDA 13 has dropped a function that older programs call.
    renamed = ["cudaThreadSynchronize=cudaDeviceSynchronize"]
    return {"include": [str(trees / d) for d in below], "define": renamed}


def ptx(label, command, source, keep):
    """The PTX of one compiler; nvcc's from the store, if it is there."""
    store = keep / (hashlib.sha256("\0".join(command).encode() + source.read_bytes()).hexdigest()[:20] + ".ptx")
    if label == "nvcc" and store.exists():
        return store, None
    done = subprocess.run([*command, "-o", str(store)], capture_output=True, text=True, errors="replace", check=False)
    return (store, None) if done.returncode == 0 else (None, done.stderr.strip().splitlines()[:1])


def opcodes(cubin, kernel):
    """How often each opcode stands in a kernel; what is behind the first dot does not matter here."""
    text, _ = quality.run([t.nvidia("bin/cuobjdump"), "-sass", str(cubin)])
    counts, name = collections.Counter(), None
    for line in (text or "").splitlines():
        if m := re.match(r"\s*Function : (\S+)", line):
            name = m.group(1)
        elif name == kernel and (m := re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_]+)", line)):
            counts[m.group(1)] += 1
    return counts


def compare(source, args, keep):
    """{kernel: (ours, theirs)} of one file, as `ptx_quality.assemble` gives them, with the names of the cubins."""
    headers = real_agreement.header_options(source, args)
    commands = {
        "unspool": [t.unspool(), "compile", str(source), f"-arch={args.arch}", *headers],
        "nvcc": [t.nvidia("bin/nvcc"), f"-arch={args.arch}", "-w", "-ptx", *headers, str(source)],
    }
    found = {}
    for label, command in commands.items():
        text, error = ptx(label, command, source, keep)
        kernels = None
        if text:
            kernels, error = quality.assemble(text, keep, text.stem)
        if kernels is None:
            print(f"{label} rejects {source}: {error}", file=sys.stderr)
            return {}
        cubin = keep / f"{text.stem}.cubin"
        found[label] = {k: {**v, "cubin": cubin} for k, v in kernels.items()}
    return {k: (found["unspool"][k], v) for k, v in found["nvcc"].items() if k in found["unspool"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--trees", type=Path, help="where the public programs are")
    parser.add_argument("--suite", type=Path, default=SUITE, help="which of them")
    parser.add_argument("-arch", default=t.ARCH)
    parser.add_argument("-I", dest="include", action="append", default=[])
    parser.add_argument("-D", dest="define", action="append", default=[])
    parser.add_argument("--keep", type=Path, help="where PTX and cubins stay; nvcc's PTX is taken from there next time")
    parser.add_argument("--opcodes", action="store_true", help="how often each opcode is used, where that differs")
    parser.add_argument("--loops-alike", action="store_true", help="only kernels with the same number of loops")
    args = parser.parse_args()
    for tool in ("bin/nvcc", "bin/ptxas", "bin/cuobjdump"):
        if not t.nvidia(tool):
            return t.missing(Path(tool).name)
    t.ARCH = args.arch
    chosen = {f: None for f in args.files}
    if not chosen or args.trees:
        chosen[t.ROOT / "crates/bench/kernels/suite.cu"] = None
    if args.trees:
        chosen |= public_suite(args.trees, args.suite)
        for option, found in headers_of(args.trees).items():
            getattr(args, option).extend(found)
    rows, wrong = [], []
    with tempfile.TemporaryDirectory() as scratch:
        keep = args.keep or Path(scratch)
        keep.mkdir(parents=True, exist_ok=True)
        for source, kernels in chosen.items():
            both = compare(source, args, keep)
            for kernel in sorted((kernels or set()) - {quality.readable(k) for k in both}):
                wrong.append(f"{source}: no kernel {kernel}")
            # An instance of a template is a row of its own.
            for symbol, (ours, theirs) in both.items():
                kernel = quality.readable(symbol)
                if kernels is not None and kernel not in kernels:
                    continue
                if args.loops_alike and ours["loops"] != theirs["loops"]:
                    continue
                rows.append((ours["instructions"] / theirs["instructions"], source, symbol, ours, theirs))
                if ours["spill"] > theirs["spill"]:
                    wrong.append(f"{kernel}: spills {ours['spill']} bytes, nvcc's {theirs['spill']}")
        rows.sort(key=lambda r: (-r[0], str(r[1]), r[2]))
        both = lambda ours, theirs, key: f"{ours[key]} / {theirs[key]}"
        print(t.table(["kernel", "file", "SASS", "ratio", "registers", "loops"], [
            [f"`{quality.readable(k)}`", s.name, both(o, n, "instructions"), f"{r:.2f}", both(o, n, "regs"), both(o, n, "loops")]
            for r, s, k, o, n in rows]))
        if args.opcodes:
            for _, _, kernel, ours, theirs in rows:
                a, b = opcodes(ours["cubin"], kernel), opcodes(theirs["cubin"], kernel)
                differ = sorted((o for o in a | b if a[o] != b[o]), key=lambda o: (b[o] - a[o], o))
                print(f"{quality.readable(kernel)}:", ", ".join(f"{o} {a[o]}/{b[o]}" for o in differ))
    mean = quality.geometric_mean
    print(f"{args.arch}, {len(rows)} kernels, unspool over nvcc: SASS {mean([r[0] for r in rows]):.3f} "
          f"(over 1.15: {sum(r[0] > 1.15 for r in rows)}), "
          f"registers {mean([r[3]['regs'] / r[4]['regs'] for r in rows]):.3f}")
    for line in wrong:
        print(f"WRONG: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
