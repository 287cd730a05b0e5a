#!/usr/bin/env python3
"""Whole CUDA programs for a real GPU: the host's part by nvcc, the device's part once by nvcc and once by unspool.

    scripts/gpu_programs.py TREE… --pack DIR [--arch sm_90] [--jobs 2] [--most 150] [--match RE] [--data BYTES] [--ptx]
    scripts/gpu_programs_play.py DIR --out RESULTS --seconds 300        # on a machine with a GPU: runs and compares

A program is a folder whose makefile calls nvcc (`make -n` says how; the arguments are those of its target `run`), or else a
single `.cu` file with a `main`. Each is built by nvcc's own steps (`--keep`). For the second build the step of cicc is
unspool's: its PTX goes through the same ptxas and fatbinary as nvcc's (`--dryrun` says how) and takes the other's place in
the object file, whose host code, names and registrations stay nvcc's. Then each entry, `__device__` and `__constant__`
variable of nvcc's PTX must be in ours, or the program is reported and left out.

DIR gets both executables of each program, libcudart, small input files, `programs.json` and the runner. Programs that were
built are kept there: a second run builds what is missing, `--again` those of unspool anew. With `--ptx` the executables of
unspool hold PTX, not machine code, and so run where a driver is stood in for (docs/third-party.md).

Exit status 0 if unspool took all that nvcc took.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import toolbox as t
from real_agreement import header_options, run

# What a program must not need: libraries that are not there, several machines, a screen; managed memory is not for lent GPUs.
NEEDS = re.compile(
    r"cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|npp[a-z]*\.h|mpi\.h|GL/|glut|opencv|FreeImage|cudaMallocManaged|"
    r"__managed__|nvrtc|\bcu(?:Init|Module|Ctx|Launch|Mem|Device)\w*\(|cutlass|nvToolsExt|cuda_profiler|cudaLaunchDevice"
)
SLOW = re.compile(r"#\s*include\s*[<\"](thrust|cub|cuda/std|cuda)/")
# Namespaces of variables that only nvcc's headers have.
HEADERS = re.compile(r"4cuda3std|6thrust|3cub|18cooperative_groups")
SOURCES = (".cu", ".cpp", ".cc", ".c", ".cxx", ".C")
MAIN = re.compile(r"\bmain\s*\(")
REPEATS = re.compile(r"repeat|iter|loop|times|runs|steps|trial|reps", re.I)
# What CUDA 13 no longer has, and programs of CUDA 3 to 12 ask for.
OLD_NAMES = ["-DcudaThreadSynchronize=cudaDeviceSynchronize", "-DcudaThreadExit=cudaDeviceReset", "-DdeviceOverlap=asyncEngineCount",
             "-DclockRate=major", "-DmemoryClockRate=major"]  # fmt: skip
HOST_ONLY = {"-c", "-dc", "-g", "-G", "-v", "--ptxas-options=-v", "-Xptxas=-v", "-lineinfo"}


class Program:
    """How a program is built and run."""

    def __init__(self, name, folder, sources, flags, libraries, arguments):
        self.name, self.folder, self.sources = name, folder, sources
        self.flags, self.libraries, self.arguments = flags, libraries, arguments

    def text(self):
        near = [p for p in self.folder.rglob("*") if p.suffix in (".cu", ".cuh", ".h", ".hpp", ".cpp", ".c", ".cc")]
        return "\n".join(p.read_text(errors="replace") for p in {*near, *self.sources} if p.is_file())


def from_makefile(folder, tree):
    """The program of a folder with a makefile that calls nvcc, or None."""
    made = subprocess.run(
        ["make", "-n", "-B", "CC=nvcc", "NVCC=nvcc", "ARCH=sm_90"], cwd=folder, capture_output=True, text=True, errors="replace",
        timeout=20, check=False,
    ).stdout  # fmt: skip
    sources, flags, libraries = [], [], []
    for line in made.replace("\\\n", " ").splitlines():
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        if not words or Path(words[0]).name not in ("nvcc", "gcc", "g++"):
            continue
        skip = False
        for at, word in enumerate(words[1:], 1):
            if skip:
                skip = False
            elif word in ("-o", "-arch", "-gencode", "--gpu-architecture", "-ccbin"):
                skip = True
            elif word.endswith(SOURCES) and not word.startswith("-"):
                path = (folder / word).resolve()
                if path not in sources:
                    sources.append(path)
            elif word.startswith(("-l", "-L")):
                libraries.append(word)
            elif word.startswith("-I") and Path(words[0]).name:
                flags.append("-I" + str((folder / word[2:]).resolve()) if word[2:] else "-I")
            elif Path(words[0]).name == "nvcc" and not word.endswith((".o", ".a", ".so")):
                if not word.startswith(("-arch", "-gencode", "--gpu-arch", "-code", "arch=")) and word not in HOST_ONLY:
                    flags.append(word)
    flags = paired(flags)
    if not any(s.suffix == ".cu" for s in sources) and "cu" not in flags:
        return None
    said = subprocess.run(
        ["make", "-n", "run"], cwd=folder, capture_output=True, text=True, errors="replace", timeout=20, check=False
    ).stdout
    arguments = []
    for line in said.replace("\\\n", " ").splitlines():
        m = re.match(r"\s*(?:time\s+)?\./[\w.+-]+((?:\s+[^\s|>&;]+)*)\s*$", line)
        if m:
            arguments = shlex.split(m.group(1))
            break
    name = ".".join([tree, *folder.parts[-2:]] if folder.parent.name != tree and folder.name != tree else [tree, folder.name])
    return Program(name.replace(" ", "_"), folder, sources, flags, sorted(set(libraries)), arguments)


def paired(flags):
    """Options of several commands without what is said twice; an option and its value stay together."""
    found, at = [], 0
    while at < len(flags):
        taken = [flags[at]]
        if flags[at] in ("-Xcompiler", "-Xptxas", "-x", "-I", "-D", "-include", "-maxrregcount", "-std") and at + 1 < len(flags):
            taken.append(flags[at + 1])
        at += len(taken)
        if taken not in found:
            found.append(taken)
    return [word for taken in found for word in taken]


def programs(root, args):
    """The programs of a tree."""
    tree, done = root.name, set()
    for makefile in sorted([*root.rglob("Makefile"), *root.rglob("makefile")]):
        if "nvcc" in makefile.read_text(errors="replace"):
            try:
                found = from_makefile(makefile.parent, tree)
            except subprocess.TimeoutExpired:
                found = None
            # A makefile of several programs: each is one for itself.
            mains = [s for s in found.sources if s.is_file() and MAIN.search(s.read_text(errors="replace"))] if found else []
            if len(mains) == 1 and all(s.is_file() for s in found.sources):
                done.update(found.sources)
                yield found
    for source in sorted(root.rglob("*.cu")):
        if source not in done and MAIN.search(source.read_text(errors="replace")):
            options = argparse.Namespace(include=args.include, define=[])
            flags = ["-O3", "-std=c++17", *header_options(source, options), *OLD_NAMES]
            name = ".".join(source.relative_to(root).with_suffix("").parts[-2:])
            yield Program(f"{tree}.{name}".replace(" ", "_"), source.parent, [source], flags, [], [])


def smaller(program, text):
    """The arguments of a program with its repetitions made few, going by their names in the source, and its sizes small."""
    arguments = list(program.arguments)
    usage = re.search(r"[Uu]sage[^\"]*\"?[^\"]*?(?:%s|\.?/?\w+)\s((?:[<\[][^>\]]*[>\]]\s*)+)", text)
    names = list(enumerate(re.findall(r"[<\[]([^>\]]*)[>\]]", usage.group(1)) if usage else []))
    taken = re.findall(r"(\w+)\s*=\s*(?:std::)?(?:ato\w+|sto\w+|strto\w+)\s*\(\s*argv\[(\d+)\]", text)
    for at, name in names + [(int(n) - 1, name) for name, n in taken]:
        if 0 <= at < len(arguments) and REPEATS.search(name) and arguments[at].isdigit():
            arguments[at] = str(min(int(arguments[at]), 10))
    # Sizes are halved as often as they can be, so that what must divide them still does.
    large = [at for at, a in enumerate(arguments) if a.isdigit() and int(a) > 2048]
    bound = {1: 1 << 18, 2: 1 << 11}.get(len(large), 1 << 9)
    for at in large:
        size = int(arguments[at])
        while size > bound and size % 2 == 0:
            size //= 2
        arguments[at] = str(size)
    return arguments


def steps(command, folder):
    """The commands of nvcc's steps, and the environment that they want."""
    _, out, err = run([*command, "--dryrun"], 60)
    env, commands = dict(os.environ), []
    for line in (out + err).splitlines():
        if m := re.match(r"#\$ (\w+)=(.*)", line):
            env[m.group(1)] = m.group(2).strip()
        elif line.startswith("#$ "):
            commands.append(line[3:])
    return env, commands


def declared(ptx):
    """The kernels and variables of a PTX text that the host can ask for."""
    names = set(re.findall(r"\.entry\s+([\w$]+)", ptx))
    pattern = r"^\.?(?:visible |extern |weak )*\.?(?:global|const)\s[^=;\n]*?([\w$]+)(?:\[[^\]]*\])*\s*(?:=|;)"
    return names, set(re.findall(pattern, ptx, re.M))


def unspool_object(source, flags, folder, args):
    """Writes `ours.o` beside nvcc's object; gives the reason if that fails."""
    stem = source.stem
    ptx, theirs = folder / "ours.ptx", folder / f"{stem}.ptx"
    identity = []
    if (module := folder / f"{stem}.module_id").exists() and args.module_id:
        identity = ["--module-id", module.read_text().strip()]
    command = [args.unspool, "compile", "-x", "cu", str(source), "-w", f"-arch={args.arch}", *flags, *identity, "-o", str(ptx)]
    (folder / "unspool.cmd").write_text(shlex.join(command) + "\n")
    status, _, err = run(command, 120)
    if status != 0:
        return "REJECTED: " + next((e.strip() for e in err.splitlines() if "error" in e), err.strip()[:200] or f"status {status}")
    kernels, variables = declared(theirs.read_text(errors="replace"))
    mine, stored = declared(ptx.read_text(errors="replace"))
    if not kernels:
        shutil.copyfile(folder / f"{stem}.o", folder / "ours.o")
        return None
    if lost := sorted(kernels - mine):
        return f"NO KERNEL {lost[0]}" + (f" and {len(lost) - 1} more" if len(lost) > 1 else "")
    stub = (folder / f"{stem}.cudafe1.stub.c").read_text(errors="replace")
    lost = sorted(v for v in variables - stored if re.search(rf"__cudaRegisterVariable[^;]*\b{re.escape(v)}\b", stub))
    # nvcc's headers have variables that host code registers and no kernel uses; unspool's builtins need no headers.
    with open(ptx, "a") as out:
        for name in [v for v in lost if HEADERS.search(v)]:
            size = re.search(rf"\b{re.escape(name)}(?:\[(\d+)\])?", theirs.read_text()).group(1) or 8
            out.write(f"\n.global .align 8 .b8 {name}[{size}];\n")
    if lost := [v for v in lost if not HEADERS.search(v)]:
        return f"NO VARIABLE {lost[0]}"
    command = [args.nvcc, *flags, *args.toolkit, *args.gencode, "-c", str(source), "-o", str(folder / f"{stem}.o"), "--keep-dir", str(folder)]
    env, commands = steps([*command, "--keep"], folder)
    for line in commands:
        program = line.split(" ", 1)[0]
        if program not in ("ptxas", "fatbinary"):
            continue
        line = line.replace(f"{stem}.ptx", "ours.ptx").replace(f"{stem}.sm_", "ours.sm_").replace(f"{stem}.fatbin", "ours.fatbin")
        if program == "fatbinary" and args.ptx:
            line = re.sub(r'"--image3=kind=elf,sm=(\d+),file=[^"]*"', rf'"--image3=kind=ptx,sm=\1,file={ptx}"', line)
        done = subprocess.run(line, shell=True, env=env, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            said = done.stdout + done.stderr
            return "NOT ASSEMBLED: " + next((e for e in said.splitlines() if "error" in e or "fatal" in e), said[:200])
    swap = ["objcopy", "--update-section", f".nv_fatbin={folder / 'ours.fatbin'}", str(folder / f"{stem}.o"), str(folder / "ours.o")]
    status, _, err = run(swap, 60)
    return None if status == 0 else f"objcopy: {err[:200]}"


def build(program, args):
    """Builds a program twice; gives its entry of programs.json, or (None, the reason)."""
    text = program.text()
    if m := NEEDS.search(text):
        return None, f"needs {m.group(0)}"
    if not args.slow and (m := SLOW.search(text)):
        return None, f"includes {m.group(1)}"
    work = args.pack / "work" / program.name
    shutil.rmtree(work, ignore_errors=True)
    theirs, ours = [], []
    for at, source in enumerate(program.sources):
        folder = work / str(at)
        folder.mkdir(parents=True)
        object_file = folder / f"{source.stem}.o"
        command = [args.nvcc, "-w", *program.flags, *args.toolkit, *args.gencode, "-c", str(source), "-o", str(object_file)]
        status, _, err = run([*command, "--keep", "--keep-dir", str(folder)], 300)
        if status != 0:
            return None, "nvcc: " + next((e.strip() for e in err.splitlines() if "error" in e), err.strip()[:160] or "took too long")
        theirs.append(str(object_file))
        if (folder / f"{source.stem}.ptx").exists():
            if reason := unspool_object(source, program.flags, folder, args):
                return None, reason
            ours.append(str(folder / "ours.o"))
        else:
            ours.append(str(object_file))
    if not any(b".entry" in p.read_bytes() for p in work.rglob("*.ptx")):
        return None, "no kernels"
    name = program.name
    for label, objects in (("nvcc", theirs), ("ours", ours)):
        out = args.pack / "bin" / f"{name}.{label}"
        link = ["g++", "-s", "-fopenmp", *objects, *program.libraries, f"-L{args.lib}", "-l:libcudart.so.13", "-Wl,-rpath,$ORIGIN/../lib"]
        status, _, err = run([*link, "-lrt", "-lpthread", "-ldl", "-lm", "-o", str(out)], 120)
        if status != 0:
            return None, "link: " + next((e.strip() for e in err.splitlines() if "undefined" in e or "cannot" in e), err[:160])
    if not args.keep:
        for file in work.rglob("*"):
            if file.suffix not in (".cmd", ".ptx", ".module_id") and file.is_file():
                file.unlink()
    return {"name": name, "arguments": smaller(program, text), "files": data(program, args)}, None


def data(program, args):
    """Copies the input files that the arguments name; {argument: file of the pack}."""
    found = {}
    for argument in program.arguments:
        path = program.folder / argument
        if ("/" in argument or "." in argument) and path.is_file() and path.stat().st_size <= args.data:
            kept = args.pack / "data" / f"{program.name}.{path.name}"
            kept.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, kept)
            found[argument] = kept.name
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("-I", dest="include", action="append", default=[])
    parser.add_argument("--toolkit", action="append", default=[], help="headers of CUDA that nvcc lacks: of the package nvidia-cuda-cccl")
    parser.add_argument("--match", default="", help="only programs whose names match")
    parser.add_argument("--most", type=int, default=150, help="programs of the pack")
    parser.add_argument("--data", type=int, default=300_000, help="bytes that an input file may have")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="also programs that include thrust, cub or libcu++")
    parser.add_argument("--again", action="store_true", help="build what is there anew")
    parser.add_argument("--keep", action="store_true", help="keep all intermediate files")
    parser.add_argument("--ptx", action="store_true", help="PTX instead of machine code in unspool's executables")
    parser.add_argument("--no-module-id", dest="module_id", action="store_false")
    args = parser.parse_args()
    args.pack = args.pack.resolve()
    args.toolkit = [f"-I{d}" for d in args.toolkit]
    args.unspool, args.nvcc = t.unspool(), t.nvidia("bin/nvcc")
    if not args.nvcc:
        t.missing("nvcc")
        return 2
    args.lib = str(Path(t.nvidia("lib/libcudart.so.13")).parent)
    number = args.arch.removeprefix("sm_")
    args.gencode = ["-gencode", f"arch=compute_{number},code=sm_{number}"]
    for folder in ("bin", "lib", "work"):
        (args.pack / folder).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(f"{args.lib}/libcudart.so.13", args.pack / "lib/libcudart.so.13")
    shutil.copyfile(Path(__file__).with_name("gpu_programs_play.py"), args.pack / "gpu_programs_play.py")
    return pack(args)


def pack(args):
    table = args.pack / "programs.json"
    kept = {p["name"]: p for p in json.loads(table.read_text())} if table.exists() else {}
    todo = [p for root in args.trees for p in programs(root.resolve(), args) if re.search(args.match, p.name)]
    todo = [p for p in todo if args.again or p.name not in kept]
    todo.sort(key=lambda p: sum(s.stat().st_size for s in p.sources))
    counts = collections.Counter()

    def one(program):
        if len(kept) >= args.most:
            return program, None, "pack is full"
        try:
            return program, *build(program, args)
        except (OSError, UnicodeError, subprocess.SubprocessError) as e:
            return program, None, f"{type(e).__name__}: {e}"

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for program, entry, reason in pool.map(one, todo):
            if entry:
                kept[program.name] = entry
                counts["built"] += 1
                table.write_text(json.dumps([kept[n] for n in sorted(kept)], indent=1))
            else:
                counts[reason.split(":")[0].split(" ")[0]] += 1
                print(f"{program.name}: {reason[:300]}", flush=True)
    for what, count in sorted(counts.items()):
        print(f"{count:6} {what}")
    return int(any(what.isupper() for what in (w.rstrip(":") for w in counts)))


if __name__ == "__main__":
    sys.exit(main())
