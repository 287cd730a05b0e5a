#!/usr/bin/env python3
"""Real programs: does unspool take what nvcc takes, and do the kernels of both compute the same?

    scripts/ptx_results.py TREE|FILE.cu ... [-I DIR] [-D NAME=VALUE] [--arch sm_90] [--assemble sm_75,sm_90] [--keep DIR]

Each .cu file is compiled to PTX by nvcc and by unspool. Where nvcc has taken one that unspool rejects, the first error
is printed. unspool's PTX is assembled by ptxas for each target of --assemble. Then each kernel that both have, and
whose parameters are numbers and pointers to numbers, is run in unspool's interpreter from both texts with the same
generated buffers (`unspool run x.ptx --check`), and what it leaves in memory is compared bit by bit; where floats differ
only in their last digits the kernel counts as close (contraction). Launches that both texts have something wrong with in the same
way (an index out of bounds, a race) say nothing; another size is tried.

`--keep` stores nvcc's PTX, which takes most of the time. Exit status 0 if nothing was rejected, refused or different.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import kernel_plans as plans
import toolbox as t
from real_agreement import header_options, run

ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\((.*?)\)", re.S)
PARAM = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)[^,\[]*?([\w$]+)(\[\d+\])?\s*$")
SIZES = {
    "float": "f32", "double": "f64", "int": "i32", "unsigned int": "u32", "long": "i64", "unsigned long": "u64",
    "long long": "i64", "unsigned long long": "u64", "short": "i16", "unsigned short": "u16", "char": "i8",
    "signed char": "i8", "unsigned char": "u8", "bool": "u8", "__half": "f16", "__nv_bfloat16": "bf16",
    "float2": "f32", "float4": "f32", "float3": "f32", "int2": "i32", "int4": "i32", "int3": "i32", "double2": "f64",
    "uchar4": "u8", "uchar3": "u8", "uint2": "u32", "uint4": "u32", "__half2": "f16",
}  # fmt: skip
# What an integer parameter is given, and the number of work-items of a group and of groups, in this order.
TRIES = [(64, 64, 2), (16, (16, 16), 2), (8, 32, 1), (100, 128, 1), (1, 32, 1), (32, (32, 8), 1)]
# Bytes of shared memory that a launch asks for.
SHARED = 16384
# Seconds that a launch may take in the interpreter.
LAUNCH_SECONDS = 4
# A kernel that asks for a second index is given blocks of two dimensions first.
FLAT_TRIES = [(256, 256, 2), *TRIES]
SQUARE_TRIES = [(32, (16, 16), (2, 2)), (16, (16, 16), (2, 2)), (32, (32, 8), (1, 4)), *TRIES]


def entries(ptx):
    """{name: [(kind, whether it is an array of bytes)]} of the kernels of a text."""
    found = {}
    for m in ENTRY.finditer(ptx):
        params = [PARAM.search(p.strip()) for p in m.group(2).split(",")] if m.group(2).strip() else []
        found[m.group(1)] = [(p.group(1), bool(p.group(3))) if p else ("?", True) for p in params]
    return found


def demangle(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines()))


def split_types(text):
    """The parameter types of a demangled signature."""
    if not text.endswith(")"):
        return None
    depth, at = 0, len(text) - 1
    while at >= 0:
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            break
        at -= 1
    parts, depth, word = [], 0, ""
    for c in text[at + 1 : -1]:
        depth += (c in "<([") - (c in ">)]")
        if c == "," and depth == 0:
            parts.append(word.strip())
            word = ""
        else:
            word += c
    return [*parts, word.strip()] if word.strip() else parts


def plain(word):
    return re.sub(r"\b(const|volatile|__restrict__|restrict)\b", "", word).strip()


def arguments(params, types, size, folder):
    """The options for the arguments of a kernel, and the elements' types of its buffers; None if it cannot be called."""
    options, buffers = [], []
    if types is None or len(types) != len(params):
        return None
    for index, ((kind, aggregate), word) in enumerate(zip(params, types)):
        if aggregate:
            return None
        word = plain(word)
        if word.endswith("*") or word.endswith("&"):
            element = SIZES.get(plain(word[:-1]))
            if element is None:
                return None
            file = folder / f"{element}.{index}.{size}.raw"
            if not file.exists():
                file.write_bytes(plans.values(element, index, size))
            options += ["--arg", f"inout:raw:{file}"]
            buffers.append(element)
        elif kind.startswith("f"):
            options += ["--arg", "0.75"]
        elif re.fullmatch(r"\w[\w :]*", word) and word in SIZES:
            options += ["--arg", "1" if word == "bool" else str(size)]
        else:
            return None
    return options, buffers


def launch(text, name, options, block, grid, outs, args):
    words = lambda extent: ",".join(map(str, extent)) if isinstance(extent, tuple) else str(extent)
    command = [
        args.unspool, "run", str(text), "--check", "-k", name, "--grid", words(grid), "--block", words(block), "--shared", str(shared_of(text)),
        "--timeout", str(LAUNCH_SECONDS), "-w", *options,
    ]  # fmt: skip
    for out in outs:
        command += ["--out", str(out)]
    status, _, err = run(command, 30)
    if status == 0:
        return "ok", ""
    first = next((line for line in err.splitlines() if "error" in line), err.strip().splitlines()[0] if err else "?")
    code = re.search(r"\[(E\d+)\]", first)
    if code and code.group(1) == "E0713":
        return "late", ""
    return (code.group(1) if code else "failed" if status is not None else "late"), first.strip()


def shared_of(text):
    """Bytes of shared memory for the launches of a file: without `extern __shared__` none, so that what is beyond is seen."""
    return SHARED if ".extern .shared" in text.read_text() else 0


def run_both(name, params, types, texts, args, folder):
    """What became of one kernel: (verdict, words, the launch that says so)."""
    last = ("no arguments", "", None)
    body = text_of(name, texts["nvcc"])
    tries = SQUARE_TRIES if re.search(r"%(tid|ctaid)\.y", body) else FLAT_TRIES
    for size, block, grid in tries:
        made = arguments(params, types, size, folder)
        if made is None:
            return "not called", "", None
        options, buffers = made
        results = []
        for which, text in texts.items():
            outs = [folder / f"{which}.{n}.raw" for n in range(len(buffers))]
            for out in outs:
                out.unlink(missing_ok=True)
            results.append(launch(text, name, options, block, grid, outs, args))
        (ours, our_words), (theirs, their_words) = results
        if ours == theirs == "ok":
            worst, differ = 0.0, 0
            for n, element in enumerate(buffers):
                found = plans.compare(*((folder / f"{w}.{n}.raw").read_bytes() for w in ("ours", "nvcc")), element)
                if found:
                    worst, differ = max(worst, found[0]), differ + found[1]
            plan = (size, block, grid, options)
            if not differ:
                return "same", "", plan
            verdict = "close" if worst < 1e-4 else "DIFFERENT"
            return verdict, f"{differ} elements, at most {worst:.3g} apart; size {size}", plan
        if ours != theirs and "late" not in (ours, theirs):
            return "UNLIKE", f"size {size}: ours {our_words or ours}; nvcc's {their_words or theirs}", None
        last = ("both wrong", our_words, None)
    return last


def text_of(name, file):
    """A kernel's text, from its `.entry` to the end of its body."""
    text = file.read_text()
    start = re.search(rf"\.entry\s+{re.escape(name)}\s*\(", text).start()
    end = text.find("\n}", start)
    return text[start:] if end < 0 else text[start:end]


def planned(name, words, params, plan, folder, texts):
    """A kernel of a pack: its launch, and what the interpreter left."""
    size, block, grid, options = plan
    given, at = [], 0
    for (kind, _), option in zip(params, options[1::2]):
        if option.startswith("inout:raw:"):
            before = Path(option.removeprefix("inout:raw:")).read_bytes()
            after = (folder / f"ours.{at}.raw").read_bytes()
            element = Path(option).name.split(".")[0]
            given.append({"buffer": element, "left": plans.pressed(before, after)})
            at += 1
        else:
            given.append({"number": kind, "value": float(option) if "." in option else int(option), "sized": option == str(size)})
    body = text_of(name, texts["nvcc"])
    return {
        "entry": name, "words": words, "params": given, "size": size, "block": plans.three(block), "grid": plans.three(grid),
        "shared": shared_of(texts["nvcc"]),
        "own_shared": "shared" in body, "square": bool(re.search(r"%(tid|ctaid)\.y", body)),
        "twin": hashlib.sha256((body + text_of(name, texts["ours"])).replace(name, "").encode()).hexdigest()[:16],
    }  # fmt: skip


def write_pack(file, kernels, texts, args):
    """Stores a file's kernels that agree, with the cubins of both texts."""
    stem = re.sub(r"\W+", "_", str(file.with_suffix("")))[-60:] + "_" + hashlib.sha256(str(file).encode()).hexdigest()[:6]
    for which, text in texts.items():
        cubin = args.pack / f"{stem}.{which}.cubin"
        status, out, err = run([args.ptxas, f"-arch={args.arch}", str(text), "-o", str(cubin)], args.timeout)
        if status != 0:
            return [f"no cubin of {which}: {(out + err)[:200]}"]
    shutil.copy(texts["ours"], args.pack / f"{stem}.ours.ptx")
    plans.write(args.pack / f"{stem}.json", {"source": str(file), "kernels": kernels})
    return []


def one_file(file, args):
    lines, counts = [], collections.Counter()
    folder = Path(tempfile.mkdtemp(prefix="ptx-results"))
    try:
        check_file(file, args, folder, lines, counts)
    finally:
        shutil.rmtree(folder)
    return file, lines, counts


def nvcc_ptx(file, args, folder):
    command = [args.nvcc, "-ptx", f"-arch={args.arch}", "-w", f"-std={args.std}", "--expt-relaxed-constexpr", "--extended-lambda"]
    command += [*header_options(file, args), str(file), "-o"]
    out = folder / "nvcc.ptx"
    if args.keep:
        stem = hashlib.sha256("\0".join(command).encode() + file.read_bytes()).hexdigest()[:24]
        out = args.keep / f"{stem}.ptx"
        if (args.keep / f"{stem}.failed").exists():
            return None
        if out.exists():
            return out
    status, _, _ = run([*command, str(out)], args.timeout)
    if status == 0:
        return out
    if args.keep:
        (args.keep / f"{stem}.failed").write_text("")
    return None


def check_file(file, args, folder, lines, counts):
    theirs = nvcc_ptx(file, args, folder)
    counts["nvcc takes" if theirs else "nvcc rejects"] += 1
    if theirs is None and not args.all:
        return
    ours = folder / "ours.ptx"
    command = [args.unspool, "compile", str(file), f"-arch={args.arch}", "-w", f"-std={args.std}", "-o", str(ours)]
    status, _, err = run([*command, *header_options(file, args)], args.timeout)
    if status != 0:
        if theirs:
            counts["WE REJECT"] += 1
            errors = [line for line in err.splitlines() if "error" in line][:3] or ["took too long" if status is None else err[:300]]
            lines += [f"rejected: {e}" for e in errors]
        return
    if theirs is None:
        counts["only we take"] += 1
        return
    for arch in args.assemble:
        text = ours
        if arch != args.arch:
            text = folder / f"{arch}.ptx"
            again = [c if not c.startswith("-arch=") else f"-arch={arch}" for c in command[:-1]]
            status, _, err = run([*again, str(text), *header_options(file, args)], args.timeout)
            if status != 0:
                first = next((e for e in err.splitlines() if "error" in e), err[:200])
                counts[f"rejected for {arch}"] += 1
                lines.append(f"rejected for {arch}: {first}")
                continue
        status, out, err = run([args.ptxas, f"-arch={arch}", "-c", str(text), "-o", os.devnull], args.timeout)
        if status != 0:
            first = next((e for e in (out + err).splitlines() if "error" in e or "fatal" in e), "took too long")
            counts[f"NOT ASSEMBLED {arch}"] += 1
            lines.append(f"ptxas {arch}: {first}")
    run_file(file, ours, theirs, args, folder, lines, counts)


def run_file(file, ours, theirs, args, folder, lines, counts):
    mine, his = entries(ours.read_text()), entries(theirs.read_text())
    for name in sorted(set(his) - set(mine)):
        counts["kernels only nvcc has"] += 1
        lines.append(f"only nvcc has: {demangle([name])[name][:160]}")
    counts["kernels only we have"] += len(set(mine) - set(his))
    common = sorted(set(mine) & set(his))
    words = demangle(common) if common else {}
    texts, kernels = {"ours": ours, "nvcc": theirs}, []
    for name in common[: args.most]:
        plan = None
        if len(mine[name]) != len(his[name]):
            verdict, text = "UNLIKE", "another number of parameters"
        else:
            types = split_types(words[name])
            verdict, text, plan = run_both(name, his[name], types, texts, args, folder)
        if args.pack and verdict in ("same", "close"):
            kernels.append(planned(name, words[name], his[name], plan, folder, texts))
        counts[f"kernels {verdict}"] += 1
        if verdict not in ("same", "not called"):
            lines.append(f"{verdict}: {words[name][:100]}: {text[:400]}")
    if kernels:
        lines += write_pack(file, kernels, texts, args)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("-I", dest="include", action="append", default=[])
    parser.add_argument("-D", dest="define", action="append", default=[])
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--assemble", default="sm_75,sm_90,sm_100")
    parser.add_argument("--std", default="c++17")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--pack", type=Path, help="where kernels that agree go, with cubins of both texts: for gpu_kernels.py")
    parser.add_argument("--all", action="store_true", help="also files that nvcc rejects: whether unspool takes them")
    parser.add_argument("--most", type=int, default=40, help="kernels of a file that are run")
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    args.assemble = [a for a in args.assemble.split(",") if a]
    args.unspool, args.nvcc, args.ptxas = t.unspool(), t.nvidia("bin/nvcc"), t.nvidia("bin/ptxas")
    if not args.nvcc or not args.ptxas:
        t.missing("nvcc")
        return 2
    if args.pack:
        args.pack.mkdir(parents=True, exist_ok=True)
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    files = [f for p in args.paths for f in (sorted(p.rglob("*.cu")) if p.is_dir() else [p])]
    total = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for file, lines, counts in pool.map(lambda f: one_file(f, args), files):
            total += counts
            if lines:
                print(file)
                for line in lines:
                    print(f"    {line}")
                sys.stdout.flush()
    for what, count in sorted(total.items()):
        print(f"{count:6} {what}")
    return int(any(what.split()[-1].isupper() or "WE REJECT" in what or "NOT" in what for what in total))


if __name__ == "__main__":
    sys.exit(main())
