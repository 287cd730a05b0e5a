#!/usr/bin/env python3
"""Real programs: does unspool take what nvcc takes, and do the kernels of both compute the same?

    scripts/ptx_results.py TREE|FILE.cu ... [-I DIR] [-D NAME=VALUE] [--arch sm_90] [--assemble sm_75,sm_90] [--keep DIR]

Each .cu file is compiled to PTX by nvcc and by unspool. Where nvcc has taken one that unspool rejects, the first error
is printed. unspool's PTX is assembled by ptxas for each target of --assemble. Then each kernel that both have is run in
unspool's interpreter from both texts with the same generated buffers and variables (`unspool run x.ptx --check`), and
what it leaves in memory is compared bit by bit; where floats differ only in their last digits the kernel counts as close
(contraction; there is none with --fmad false). Structures and what pointers to them point at are given as words, which are small integers in one try and floats
in others. Launches that both texts have something wrong with in the same way (an index out of bounds, a race) say nothing;
another size is tried. With --more several launches of a kernel have to agree.

`--keep` stores nvcc's PTX, which takes most of the time. Exit status 0 if nothing was rejected, refused or different.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import kernel_plans as plans
import toolbox as t
from real_agreement import header_options, run

ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\((.*?)\)", re.S)
PARAM = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)[^,\[]*?([\w$]+)(?:\[(\d+)\])?\s*$")
# A variable that outlives kernels and is not initialised; `.global` ones are read after a launch.
VARIABLE = re.compile(r"^(?:\.visible |\.weak )?\.(const|global)(?: \.align (\d+))? \.(\w+) ([\w$]+)(?:\[(\d+)\])?;$", re.M)
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
# Seconds after which nothing else is tried with a kernel.
KERNEL_SECONDS = 30
# A kernel that asks for a second index is given blocks of two dimensions first.
FLAT_TRIES = [(256, 256, 2), *TRIES]
SQUARE_TRIES = [(32, (16, 16), (2, 2)), (16, (16, 16), (2, 2)), (32, (32, 8), (1, 4)), (32, (32, 32), 1), (128, (16, 16), 1), *TRIES]
DEEP_TRIES = [(12, (4, 4, 4), (3, 3, 3)), (8, (8, 2, 4), (2, 2, 2)), *SQUARE_TRIES]


def entries(ptx):
    """{name: [(kind, bytes if it is an array of them, else 0)]} of the kernels of a text."""
    found = {}
    for m in ENTRY.finditer(ptx):
        params = [PARAM.search(p.strip()) for p in m.group(2).split(",")] if m.group(2).strip() else []
        found[m.group(1)] = [(p.group(1), int(p.group(3) or 0)) if p else ("?", 0) for p in params]
    return found


def variables(ptx):
    """{symbol: (space, type, number of elements)} of what a launch can be given and has no value of its own."""
    found = {}
    for space, align, kind, name, count in VARIABLE.findall(ptx):
        element = {"b64": "u64", "b32": "u32", "b16": "u16", "b8": "u8"}.get(kind, kind)
        bytes_ = int(count or 1)
        if kind == "b8" and int(align or 1) >= 4 and bytes_ % 4 == 0:
            element, bytes_ = "words", bytes_ // 4
        found[name] = (space, element, bytes_)
    return found


def source_types(name, file):
    """The parameter types of a kernel with a C name, from the source."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", file.read_text(errors="replace"), flags=re.S)
    found = re.search(rf"\b{re.escape(name)}\s*\(([^()]*)\)\s*\{{", text)
    if not found:
        return None
    return [re.sub(r"\s*\b\w+\s*(\[\d*\])?$", lambda m: "*" if m.group(1) else "", " ".join(p.split())) for p in found.group(1).split(",") if p.strip()]


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


def buffer_file(element, index, size, large, folder):
    """A file with the generated contents of a buffer."""
    file = folder / f"{element}.{index}.{size}.{large}.raw"
    if not file.exists():
        file.write_bytes(plans.values(element, index, size) * large)
    return file


def arguments(params, types, unused, size, word_kind, large, folder):
    """The options for the arguments of a kernel, and the elements' types of its buffers; None if it cannot be called.
    `unused` are the parameters that nvcc's text does not read, `word_kind` is what the words of structures are, `large` how
    often the generated contents stand in a buffer."""
    options, buffers = [], []
    if types is None or len(types) != len(params):
        return None
    for index, ((kind, bytes_), word) in enumerate(zip(params, types)):
        word = plain(word)
        if bytes_:
            made = plans.values(word_kind, 40 + index, size)
            options += ["--arg", f"hex:{made[:bytes_].hex()}"]
        elif index in unused:
            options += ["--arg", "unused"]
        elif word.endswith("*") or word.endswith("&"):
            element = SIZES.get(plain(word[:-1]), word_kind)
            file = buffer_file(element, index, size, large, folder)
            options += ["--arg", f"inout:raw:{file}"]
            buffers.append(element)
        elif kind.startswith("f"):
            options += ["--arg", "0.75"]
        else:
            options += ["--arg", "1" if word == "bool" else str(size)]
    return options, buffers


def unused_of(name, text, count):
    """The parameters that a kernel of a text does not read."""
    body = text_of(name, text).partition("{")[2]
    return {n for n in range(count) if not re.search(rf"\b{re.escape(name)}_param_{n}\b", body)}


def without_unused(options, name, text):
    """Arguments in which what nvcc's kernel does not read has a value: nothing where the text says that it is a pointer."""
    pointers = {n for n, p in enumerate(text_of(name, text).partition("{")[0].split(",")) if ".ptr" in p}
    given = list(options)
    for n, option in enumerate(options[1::2]):
        if option == "unused":
            given[2 * n + 1] = "null" if n in pointers or n not in unused_of(name, text, n + 1) else "0"
    return given


def symbol_options(texts, size, word_kind, folder):
    """The options that give the variables of both texts contents; [(symbol, element's type)] of those to look at afterwards."""
    mine, his = (variables(t.read_text()) for t in texts.values())
    options, fetched = [], []
    for n, (name, (space, kind, count)) in enumerate(sorted(his.items())):
        element = word_kind if kind == "words" else kind
        if mine.get(name, ("", "", 0))[1:] != (kind, count) or element not in {*plans.FLOATS, *plans.INTEGERS}:
            continue
        made = plans.values(element, 70 + n, size)
        wanted = count * (4 if kind == "words" else len(made) // plans.ELEMENTS)
        file = folder / f"symbol.{n}.{size}.{word_kind}.raw"
        if not file.exists():
            file.write_bytes((made * (wanted // len(made) + 1))[:wanted])
        options += ["--symbol", f"{name}=raw:{file}"]
        if space == "global":
            fetched.append((name, element if wanted % (len(made) // plans.ELEMENTS) == 0 else "u8"))
    return options, fetched


def word_kinds(body):
    """What words of structures are tried as: what a kernel computes with first."""
    used = [k for k in ("f64", "f32") if re.search(rf"\b(add|mul|fma|sub|setp\.\w+|div|mad)(\.rn)?\.{k}\b", body)]
    return [*used, "i32", *(k for k in ("f32", "f64") if k not in used)]


def attempts(words, body, structured):
    """What is tried for a kernel in turn: (size, block, grid, what words of structures are, how large buffers are)."""
    tries = FLAT_TRIES
    if re.search(r"%(tid|ctaid)\.y", body):
        tries = DEEP_TRIES if re.search(r"%(tid|ctaid)\.z", body) else SQUARE_TRIES
    bounds = re.search(r"\.(?:maxntid|reqntid) ([\d, ]+)", body)
    if bounds:
        most = tuple(int(n) for n in bounds.group(1).split(","))
        fitting = [t for t in tries if math.prod(plans.three(t[1])) <= math.prod(most)]
        tries = [(size, most, grid) for size, grid in ((128, 1), (64, 2), (256, 1), (16, 3))] + fitting
    else:
        # A template's argument is often the size of its groups.
        sizes = {int(n) for n in re.findall(r"[<,] ?(\d+)(?=[,>])", words)}
        tries = [(n, n, 2) for n in sorted(sizes) if 32 <= n <= 1024 and n % 32 == 0] + tries
    for n, (size, block, grid) in enumerate(tries):
        for word_kind in word_kinds(body) if structured else ["i32"]:
            yield size, block, grid, word_kind, 1
            if n < 2:
                yield size, block, grid, word_kind, 16


def launch(text, name, options, block, grid, outs, args):
    """What became of a launch: (`ok`, `late` or the code of an error, its words)."""
    words = lambda extent: ",".join(map(str, extent)) if isinstance(extent, tuple) else str(extent)
    command = [
        args.unspool, "run", str(text), "--check", "-k", name, "--grid", words(grid), "--block", words(block), "--shared", str(shared_of(text)),
        "--timeout", str(args.seconds), "-w", *options,
    ]  # fmt: skip
    for out in outs:
        command += ["--out", str(out)]
    status, _, err = run(command, 30 + args.seconds)
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


def left_apart(which, names, kinds, folder):
    """How far what two launches left is apart, and in how many elements."""
    worst, differ = 0.0, 0
    for name, element in zip(names, kinds):
        found = plans.compare(*((folder / f"{w}.{name}.raw").read_bytes() for w in which), element)
        if found:
            worst, differ = max(worst, found[0]), differ + found[1]
    return worst, differ


def run_once(name, params, types, texts, attempt, args, folder):
    """What became of one launch of a kernel: (verdict, words, the launch)."""
    size, block, grid, word_kind, large = attempt
    made = arguments(params, types, unused_of(name, texts["nvcc"], len(params)), size, word_kind, large, folder)
    if made is None:
        return "not called", "", None
    options, kinds = made
    symbols, fetched = symbol_options(texts, size, word_kind, folder)
    names = [str(n) for n in range(len(kinds))] + [f"symbol{n}" for n in range(len(fetched))]
    results = []
    for which, text in texts.items():
        outs = [folder / f"{which}.{n}.raw" for n in names]
        for out in outs:
            out.unlink(missing_ok=True)
        left = [w for (symbol, _), out in zip(fetched, outs[len(kinds) :]) for w in ("--symbol-out", f"{symbol}={out}")]
        given = without_unused(options, name, text)
        results.append(launch(text, name, [*given, *symbols, *left], block, grid, outs[: len(kinds)], args))
        if results[-1][0] == "late":
            return "late", "", None
    (ours, our_words), (theirs, their_words) = results
    if ours == theirs == "ok":
        worst, differ = left_apart(texts, names, kinds + [k for _, k in fetched], folder)
        if not differ:
            return "same", "", (size, block, grid, options)
        verdict = "close" if worst < 1e-4 else "DIFFERENT"
        return verdict, f"{differ} elements, at most {worst:.3g} apart; {attempt}", (size, block, grid, options)
    if "E0706" in (ours, theirs):
        # A pointer that one text does not use may be a number to it.
        return "not called", our_words or their_words, None
    if ours != theirs:
        return "UNLIKE", f"{attempt}: ours {our_words or ours}; nvcc's {their_words or theirs}", None
    return "both wrong", our_words, None


def run_both(name, words, params, types, texts, args, folder):
    """What became of one kernel: (verdict, words, the launch that says so)."""
    structured = any(b for _, b in params) or any(plain(w)[-1:] in "*&" and plain(plain(w)[:-1]) not in SIZES for w in types or [])
    structured |= any(kind == "words" for _, kind, _ in variables(texts["nvcc"].read_text()).values())
    last, agreed, late, beyond = ("no arguments", "", None), 0, 0, True
    until = time.monotonic() + KERNEL_SECONDS + 4 * args.seconds
    for attempt in attempts(words, text_of(name, texts["nvcc"]), structured):
        if attempt[4] > 1 and not beyond:
            continue
        result = run_once(name, params, types, texts, attempt, args, folder)
        if result[0] in ("UNLIKE", "DIFFERENT", "not called"):
            return result
        if result[0] in ("same", "close"):
            agreed += 1
            if agreed == 1 or result[0] == "close":
                last = result
            if agreed == args.more:
                return last
        elif not agreed:
            last = result
        beyond = result[0] == "both wrong" and "race" not in result[1]
        late += result[0] == "late"
        if late == 2 or time.monotonic() > until:
            break
    return last


def text_of(name, file):
    """A kernel's text, from its `.entry` to the end of its body."""
    text = file.read_text()
    start = re.search(rf"\.entry\s+{re.escape(name)}\s*\(", text).start()
    end = text.find("\n}", start)
    return text[start:] if end < 0 else text[start:end]


def playable(params, words):
    """Whether `gpu_kernels.py` can call a kernel: numbers and pointers to numbers."""
    types = split_types(words)
    return types is not None and all(not b and (plain(w)[-1:] not in "*&" or plain(plain(w)[:-1]) in SIZES) for (_, b), w in zip(params, types))


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
    command = [args.nvcc, "-ptx", f"-arch={args.arch}", "-w", f"-std={args.std}", "--expt-relaxed-constexpr", "--extended-lambda", f"-fmad={args.fmad}"]
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
    command = [args.unspool, "compile", str(file), f"-arch={args.arch}", "-w", f"-std={args.std}", f"-fmad={args.fmad}", "-o", str(ours)]
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
            types = split_types(words[name]) if words[name] != name else source_types(name, file)
            verdict, text, plan = run_both(name, words[name], his[name], types, texts, args, folder)
        if args.pack and verdict in ("same", "close") and playable(his[name], words[name]):
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
    parser.add_argument("--more", type=int, default=1, help="launches of a kernel that have to agree, of different sizes and shapes")
    parser.add_argument("--seconds", type=int, default=4, help="that a launch may take in the interpreter")
    parser.add_argument("--fmad", default="true", help="false: no contraction in either, so that floats are the same but for functions")
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
