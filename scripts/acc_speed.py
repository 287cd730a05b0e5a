#!/usr/bin/env python3
"""Programs with OpenACC through `unspool cc` beside gcc's OpenMP of the same loops, on this machine, in one run.

    cargo build --release -p unspool-cli -p unspool-accrt      # or --profile fast
    scripts/acc_speed.py --polybench DIR [--size LARGE] [--npb DIR] [--classes S,W,A] [--runs 3] [--only gemm,BT]

DIR are checkouts of cavazos-lab/PolyBench-ACC and uhhpctools/openacc-npb. Both compilers are given the same files; for gcc
each construct's loop is translated to OpenMP (`omp_of`): `parallel loop` to `parallel for`, the outermost `loop` inside of
`parallel` to `for`, reductions and private variables as they stand, scalars that the construct sets `firstprivate`. Of
PolyBench's programs gcc also compiles the OpenMP version by their authors; the faster of the two counts. A version whose
arrays differ from those of the same source without OpenMP (STANDARD size; some of the authors' have races) is named and does
not count. The programs take turns; the figure is the least time that each says of itself (the kernel's, without its input's making). On a machine with
other work `--cpu --threads 1` compares processor time of whole programs, which says how good the code is. Left out are the
programs of PolyBench whose directives are wrong (the results are), and those whose serial version does not end.
"""

import argparse
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import toolbox as t

GCC = ["gcc", "-O3", "-march=native", "-fopenmp"]
UNSPOOL = ["cc", "-acc", "-ta=multicore", "-O3", "-march=native", "-w"]
WRONG = {"cholesky", "trisolv", "trmm", "durbin", "lu", "ludcmp"}
ENDLESS = {"reg_detect", "dynprog"}
LONG = {"correlation", "covariance", "fdtd-apml", "convolution-3d"}  # minutes at STANDARD size, or arrays of gigabytes as text
ASSIGNED = re.compile(r"(?<![\w.\]>])(?:\+\+|--)?\b([A-Za-z_]\w*)\s*(?:=(?!=)|[-+*/|&^%]=|<<=|>>=|\+\+|--)")
DECLARED = re.compile(
    r"\b(?:int|double|float|long|unsigned|char|short|size_t|dcomplex|DATA_TYPE)\b\s+((?:[*\w\s,\[\]=.+\-/()]|\n)*?);"
)
CLAUSE = re.compile(r"\b(reduction|private|firstprivate|collapse)\s*\(([^()]*)\)")


def statement_end(text, at):
    """Where the C statement that begins at `at` ends (a block, a loop with its body, or up to a semicolon)."""
    depth = 0
    while at < len(text):
        c = text[at]
        if text.startswith("//", at):
            at = text.find("\n", at)
        elif text.startswith("/*", at):
            at = text.find("*/", at) + 1
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0 and c == "}":
                return at + 1
        elif c == ";" and depth == 0:
            return at + 1
        at += 1
    return at


def clauses(directive):
    """The clauses of a directive that OpenMP has, by name."""
    found = {"reduction": [], "private": [], "firstprivate": [], "collapse": []}
    for name, operand in CLAUSE.findall(directive):
        found[name].append(operand.strip())
    return found


def scalars(body):
    """Scalars that a construct sets and does not declare."""
    body = re.sub(r"//[^\n]*|/\*.*?\*/|\#[^\n]*", " ", body, flags=re.S)
    declared = set()
    for names in DECLARED.findall(body):
        declared.update(re.findall(r"[A-Za-z_]\w*", names))
    return sorted(set(ASSIGNED.findall(body)) - declared)


def plain(names):
    """Names without their sections."""
    return [n.split("[")[0].strip() for entry in names for n in entry.split(",")]


def omp_of(text):
    """The text with its OpenACC constructs in OpenMP."""
    text = re.sub(r"\\\r?\n", " ", text).replace("\r", "")
    pragma = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+(acc|omp)\b([^\n]*)\n", re.M)
    out, at = [], 0
    while found := pragma.search(text, at):
        out.append(text[at : found.start()])
        at = found.end()
        words = re.sub(r"\([^\n]*?\)", " ", found[2]).split()
        if found[1] == "omp" or not words or words[0] not in ("parallel", "kernels"):
            continue
        end = statement_end(text, at)
        body = text[at:end]
        inner = [d for _, d in pragma.findall(body)]
        has = clauses(found[2])
        reduced = {n for entry in has["reduction"] for n in entry.split(":")[-1].replace(" ", "").split(",")}
        private = set(plain(has["private"]))
        for directive in inner:
            private.update(plain(clauses(directive)["private"]))
        if len(words) > 1 and words[1] == "loop":
            out.append(omp_line("parallel for", has, reduced, private, body) + pragma.sub("", body))
        elif any(d.split()[:1] == ["loop"] for d in inner):
            for directive in inner:
                for entry in clauses(directive)["reduction"]:
                    reduced.update(entry.split(":")[-1].replace(" ", "").split(","))
            own = {n for entry in has["reduction"] for n in entry.split(":")[-1].replace(" ", "").split(",")}
            out.append(omp_line("parallel", has, reduced, private, body) + shared_loops(body, pragma, own))
        else:
            out.append(body)
        at = end
    return "".join(out) + text[at:]


def omp_line(words, has, reduced, private, body):
    """The directive of OpenMP for a construct."""
    line = f"#pragma omp {words}"
    for entry in has["reduction"]:
        line += f" reduction({entry})"
    for entry in has["collapse"] if words.endswith("for") else []:
        line += f" collapse({entry})"
    counter = re.match(r"\s*for\s*\(\s*(\w+)\s*=", body)
    own = {counter[1]} if counter and words.endswith("for") else set()
    first = [n for n in scalars(body) if n not in reduced | private | own]
    for name, names in (("firstprivate", first), ("private", sorted(private - reduced))):
        if names:
            line += f" {name}({','.join(names)})"
    return line + "\n"


def shared_loops(body, pragma, own):
    """The body of a `parallel` construct: its outermost loops with `loop` are shared, those inside of them are not."""
    out, at = [], 0
    while found := pragma.search(body, at):
        out.append(body[at : found.start()])
        at = found.end()
        if found[2].split()[:1] == ["loop"] and "seq" not in found[2].split():
            end = statement_end(body, at)
            has = clauses(found[2])
            line = "#pragma omp for"
            line += "".join(f" reduction({e})" for e in has["reduction"] if not own & set(plain([e.split(":")[-1]])))
            line += "".join(f" collapse({e})" for e in has["collapse"])
            out.append(line + "\n" + pragma.sub("", body[at:end]))
            at = end
    return "".join(out) + body[at:]


def run(command, cwd=None, limit=600, **kwargs):
    """Runs to the end; the output, or None with what went wrong on stderr."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=limit, errors="replace", **kwargs)
    except subprocess.TimeoutExpired:
        print(f"  {' '.join(map(str, command))[-120:]}: more than {limit} s", file=sys.stderr)
        return None
    if done.returncode != 0:
        print(f"  {' '.join(map(str, command))[-120:]}: {done.returncode}\n{done.stderr[-600:]}", file=sys.stderr)
        return None
    return done.stdout + done.stderr


def arrays(command, folder, binary):
    """The numbers of the arrays that a program of PolyBench prints at its STANDARD size; None where it does not build or run."""
    flags = ["-DSTANDARD_DATASET", "-DPOLYBENCH_DUMP_ARRAYS", "-lm"]
    if run([*command, "-o", folder / binary, *flags], cwd=folder) is None:
        return None
    said = run([str(folder / binary)], limit=100)
    return None if said is None else [float(word) for word in said.split()]


def differs(command, folder):
    """Whether a build's results are others than those of its source compiled for one thread by gcc."""
    serial = ["gcc", "-O2", *(word for word in command if word.endswith(".c") or word.startswith("-I"))]
    wanted = arrays(serial, folder, "serial")
    found = arrays(command, folder, "checked")
    if wanted is None or found is None:
        return False
    near = lambda a, b: math.isclose(a, b, rel_tol=1e-3, abs_tol=0.02) or not (math.isfinite(a) or math.isfinite(b))
    return len(wanted) != len(found) or not all(map(near, wanted, found))


def polybench(root, size, scratch, only):
    """Builds each program; yields name, and how to run each of its versions."""
    for source in sorted((root / "OpenACC").glob("*/**/*.c")):
        name = source.stem
        if name in WRONG | ENDLESS or "utilities" in source.parts or (only and name not in only):
            continue
        folder = scratch / name
        folder.mkdir()
        shutil.copy(source.with_suffix(".h"), folder)
        (folder / "omp.c").write_text(omp_of(source.read_text()))
        theirs = root / "OpenMP" / source.relative_to(root / "OpenACC")
        flags = [f"-D{size}_DATASET", "-DPOLYBENCH_TIME", "-lm"]
        utilities = lambda d: [f"-I{root / d / 'utilities'}", str(root / d / "utilities/polybench.c")]
        builds = {
            "unspool": [t.unspool(), *UNSPOOL, str(source), *utilities("OpenACC")],
            "gcc": [*GCC, "omp.c", f"-I{source.parent}", *utilities("OpenACC")],
            "gcc, theirs": [*GCC, str(theirs), *utilities("OpenMP")],
        }
        ready = {}
        for key, command in builds.items():
            binary = folder / key.replace(", ", "_")
            if run([*command, "-o", binary, *flags], cwd=folder) is None:
                continue
            if name not in LONG and differs(command, folder):
                print(f"  {name}, {key}: its results differ from its serial version's", file=sys.stderr)
            else:
                ready[key] = [str(binary)]
        yield name, ready, re.compile(r"^(\d+\.\d+)$", re.M)


def npb(root, classes, scratch, only):
    """Builds each program in each class; yields name and versions as `polybench` does."""
    for program in ["BT", "CG", "EP", "FT", "LU", "MG", "SP"]:
        for size in classes:
            name = f"{program}.{size}"
            if only and program not in only and name not in only:
                continue
            ready = {}
            for key in ("unspool", "gcc"):
                folder = scratch / f"{name}-{key}"
                shutil.copytree(root / program, folder)
                inner = next(d for d in folder.iterdir() if d.name.startswith(program) and d.is_dir())
                if key == "gcc":
                    for source in inner.glob("*.c"):
                        source.write_text(omp_of(source.read_text(errors="replace")))
                compiler = " ".join([t.unspool(), *UNSPOOL] if key == "unspool" else GCC) + " -fgnu89-inline"
                make = [f"CC={compiler}", f"CLINK={compiler}", "CFLAGS=-mcmodel=medium", "CLINKFLAGS=-mcmodel=medium"]
                said = run(["make", f"CLASS={size}", *make, "UCC=gcc"], cwd=inner)
                binary = next(inner.glob("*.x"), None)
                if said is not None and binary:
                    ready[key] = [str(binary)]
            yield name, ready, re.compile(r"Time in seconds\s*=\s*([\d.]+)")


def processor_time():
    """Seconds of processors that finished children had."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


CONSTRUCT = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+acc[ \t]+(?:parallel|kernels|serial)\b", re.M)


def compile_times(given):
    """Each file of PolyBench and NPB to an object: processor time of `unspool cc` beside 1.3 times gcc's and 30 ms a region."""
    files = []
    if given.polybench:
        root = given.polybench.resolve() / "OpenACC"
        files += [(f, [f"-I{root / 'utilities'}", f"-I{f.parent}"]) for f in sorted(root.glob("*/**/*.c")) if "utilities" not in f.parts]
    if given.npb:
        for f in sorted(given.npb.resolve().glob("*/*/*.c")):
            if f.parent.name not in ("common", "sys"):
                files.append((f, [f"-I{f.parent}", f"-I{f.parent.parent / 'common'}", "-fgnu89-inline", "-mcmodel=medium"]))
    kept = 0
    total = 0
    print(f"{'file':34}{'regions':>8}{'unspool ms':>12}{'gcc ms':>9}{'allowed':>9}")
    with tempfile.TemporaryDirectory(prefix="unspool-acc-speed-") as scratch:
        for f, flags in files:
            text = f.read_text(errors="replace")
            regions = len(CONSTRUCT.findall(text))
            if not regions or (given.only and f.stem not in given.only.split(",")):
                continue
            omp = Path(scratch) / f.name
            omp.write_text(omp_of(text))
            best = {}
            for _ in range(given.runs):
                for key, command in (("unspool", [t.unspool(), *UNSPOOL, "-c", str(f)]), ("gcc", [*GCC, "-w", "-c", str(omp)])):
                    before = processor_time()
                    if run([*command, *flags, "-o", f"{scratch}/{key}.o"]) is not None:
                        best[key] = min(best.get(key, math.inf), 1000 * (processor_time() - before))
            if len(best) == 2:
                allowed = 1.3 * best["gcc"] + 30 * regions
                total += 1
                kept += best["unspool"] <= allowed
                print(f"{f.name:34}{regions:8}{best['unspool']:12.0f}{best['gcc']:9.0f}{allowed:9.0f}", flush=True)
    print(f"{kept} of {total} files within 1.3 times gcc's time and 30 ms a region")


def measure(name, ready, pattern, given):
    """The least time of each version, in seconds; they take turns."""
    least, runs, limit = {}, given.runs, given.limit
    threads = str(given.threads or os.cpu_count())
    environment = dict(os.environ, OMP_NUM_THREADS=threads, ACC_NUM_CORES=threads)
    for _ in range(runs):
        for key in list(ready):
            before = processor_time()
            said = run(ready[key], limit=limit, env=environment)
            spent = processor_time() - before
            found = pattern.search(said) if said is not None else None
            if not found:
                print(f"  {name}, {key}: no time", file=sys.stderr)
                del ready[key]
                continue
            if re.search(r"unsuccessful|verification failed", said, re.I):
                print(f"  {name}, {key}: does not verify", file=sys.stderr)
            least[key] = min(least.get(key, math.inf), spent if given.cpu else float(found[1]))
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--polybench", type=Path)
    parser.add_argument("--size", default="LARGE", help="MINI, SMALL, STANDARD, LARGE (the default) or EXTRALARGE")
    parser.add_argument("--npb", type=Path)
    parser.add_argument("--classes", default="S,W,A")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="else as many as there are processors")
    parser.add_argument("--cpu", action="store_true", help="compare processor time of whole programs")
    parser.add_argument("--compile", action="store_true", help="compare the compilers' own time instead")
    parser.add_argument("--limit", type=int, default=300, help="seconds that a run may take")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    if given.compile:
        return compile_times(given)
    only = set(filter(None, given.only.split(",")))
    resource.setrlimit(resource.RLIMIT_STACK, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))  # arrays on stacks
    ratios = []
    with tempfile.TemporaryDirectory(prefix="unspool-acc-speed-") as scratch:
        scratch = Path(scratch)
        programs = []
        if given.polybench:
            programs.append(polybench(given.polybench.resolve(), given.size, scratch, only))
        if given.npb:
            programs.append(npb(given.npb.resolve(), given.classes.split(","), scratch, only))
        print(f"{'program':18}{'unspool s':>11}{'gcc s':>11}{'theirs s':>11}{'ratio':>8}")
        for each in programs:
            for name, ready, pattern in each:
                least = measure(name, ready, pattern, given)
                peers = [least[k] for k in ("gcc", "gcc, theirs") if k in least]
                ratio = min(peers) / max(least["unspool"], 1e-6) if peers and "unspool" in least else None
                if ratio:
                    ratios.append(ratio)
                cells = [f"{least[k]:11.3f}" if k in least else f"{'-':>11}" for k in ("unspool", "gcc", "gcc, theirs")]
                print(f"{name:18}{''.join(cells)}{f'{ratio:8.2f}' if ratio else '       -'}", flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        good = sum(r >= 1.0 for r in ratios)
        print(f"{len(ratios)} programs: geometric mean {mean:.2f}, at least 1.0 in {good} ({100 * good / len(ratios):.0f} %)")


if __name__ == "__main__":
    main()
