#!/usr/bin/env python3
"""Adds the kernels of gpu_launches.txt to a pack for gpu_kernels.py: with launches by hand, for times.

    scripts/gpu_suite.py --trees DIR --pack PACK [-I DIR] [--keep DIR]

Files are looked for below DIR (`suite.cu` in the repository). There is no result of the interpreter for them: at these sizes
ours is compared with nvcc's on the device.
"""

import argparse
import hashlib
import re
import sys
import tempfile
from pathlib import Path

import kernel_plans as plans
import ptx_results as results
import toolbox as t
from real_agreement import header_options, run

TYPES = ("f16", "f32", "f64", *plans.INTEGERS)


def launches(path):
    """{file: [(kernel, options, arguments)]} of the list."""
    found = {}
    for line in path.read_text().splitlines():
        words = line.split()
        if words and not line.startswith("#"):
            options = dict(w.split("=") for w in words[2:] if "=" in w)
            found.setdefault(words[0], []).append((words[1], options, [w for w in words[2:] if "=" not in w]))
    return found


def parameter(kind, aggregate, word):
    """A parameter of a plan, from its type in PTX and what the list says."""
    element, _, more = word.partition(":")
    if element == "s":
        parts = [plans.number("f32" if "." in n else "s32", n) for n in more.split(",")]
        return {"bytes": b"".join(parts).hex()}
    if element in TYPES:
        made = {"buffer": element}
        if more.startswith("ramp:"):
            made["ramp"] = int(more.removeprefix("ramp:"))
        elif more:
            made["below"] = int(more)
        return made
    if aggregate:
        raise ValueError(f"{word} for a structure")
    return {"number": kind, "value": float(word) if "." in word else int(word), "sized": False}


def one_file(name, kernels, args):
    """What could not be made of a file."""
    file = t.ROOT / "crates/bench/kernels/suite.cu" if name == "suite.cu" else args.trees / name
    with tempfile.TemporaryDirectory() as scratch:
        theirs = results.nvcc_ptx(file, args, Path(scratch))
        if not theirs:
            return [f"{name}: nvcc rejects it"]
        ours = Path(scratch) / "ours.ptx"
        command = [args.unspool, "compile", str(file), f"-arch={args.arch}", "-w", f"-std={args.std}", "-o", str(ours)]
        status, _, err = run([*command, *header_options(file, args)], args.timeout)
        if status != 0:
            return [f"{name}: unspool rejects it: {err[:200]}"]
        texts = {"ours": ours, "nvcc": theirs}
        mine, his = results.entries(ours.read_text()), results.entries(theirs.read_text())
        words = results.demangle(sorted(set(mine) & set(his)))
        planned, wrong = [], []
        for kernel, options, given in kernels:
            named = re.compile(rf"(void )?{re.escape(kernel)}(?!\w)")
            found = [e for e, w in words.items() if named.match(w)]
            if not found:
                wrong.append(f"{name}: no {kernel}")
            for entry in found:
                params = his[entry]
                if len(params) != len(given):
                    wrong.append(f"{name}: {words[entry]} has {len(params)} parameters, not {len(given)}")
                    continue
                extent = lambda key: plans.three([int(n) for n in options.get(key, "1").split(",")])
                body = "".join(results.text_of(entry, f) for f in texts.values())
                planned.append({
                    "entry": entry, "words": words[entry], "params": [parameter(k, a, g) for (k, a), g in zip(params, given)],
                    "size": 1, "block": extent("block"), "grid": extent("grid"), "shared": int(options.get("shared", "0")),
                    "by_hand": True, "twin": hashlib.sha256((body + str(given)).encode()).hexdigest()[:16],
                })  # fmt: skip
        if planned:
            wrong += results.write_pack(Path("suite") / re.sub(r"^.*?/", "", name), planned, texts, args)
        return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--list", type=Path, default=Path(__file__).with_name("gpu_launches.txt"))
    parser.add_argument("-I", dest="include", action="append", default=[])
    parser.add_argument("-D", dest="define", action="append", default=[])
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--std", default="c++17")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--timeout", type=int, default=120)
    args = parser.parse_args()
    args.unspool, args.nvcc, args.ptxas = t.unspool(), t.nvidia("bin/nvcc"), t.nvidia("bin/ptxas")
    if not args.nvcc or not args.ptxas:
        t.missing("nvcc")
        return 2
    below = ["hecbench/src/include", "cuda-samples/Common", "shoc/src/common", "shoc/src/cuda/common"]
    args.include += [str(args.trees / d) for d in below]
    # CUDA 13 has dropped a function that older programs call.
    args.define.append("cudaThreadSynchronize=cudaDeviceSynchronize")
    args.pack.mkdir(parents=True, exist_ok=True)
    wrong = []
    for name, kernels in launches(args.list).items():
        wrong += one_file(name, kernels, args)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
