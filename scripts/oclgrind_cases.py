#!/usr/bin/env python3
"""Runs oclgrind's kernel tests on unspool's OpenCL platform with UNSPOOL_CHECK, and compares what is found.

    scripts/oclgrind_cases.py CHECKOUT [NAME...]

CHECKOUT is a checkout of github.com/jrprice/Oclgrind, which is not a part of this repository. The platform must be found by
the loader (OCL_ICD_VENDORS), and pyopencl must be installed. A test passes if each kind of error that oclgrind reports is
found, nothing is found where oclgrind reports none, and results that it wants exactly are there.
"""

import multiprocessing
import os
import re
import sys
import tempfile
from pathlib import Path

# What oclgrind says, and the words of a finding of ours.
KINDS = [
    ("data race", "data race"),
    ("Invalid read", "out-of-bounds read|no buffer|which is write-only|out-of-bounds atomic"),
    ("Invalid write", "out-of-bounds write|no buffer|which is read-only|out-of-bounds atomic"),
    ("exceeds static array size", "out-of-bounds"),
    ("divergence", "divergent barrier|divergent"),
    ("not aligned", "misaligned"),
    ("Uninitialized", "ninitialised"),
    ("without waiting", "without waiting"),
    ("Invalid wait event", "no event"),
]

TYPES = {
    "char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "int": "int32", "uint": "uint32",
    "long": "int64", "ulong": "uint64", "float": "float32", "double": "float64",
}


def parse(text):
    """Kernel name, sizes and arguments of a .sim file."""
    text = re.sub(r"#.*", "", text)
    head, *rest = re.split(r"<([^>]*)>", text)
    source, kernel, *sizes = head.split()
    args = [(rest[n].split(), rest[n + 1].split()) for n in range(0, len(rest), 2)]
    return source, kernel, [int(s) for s in sizes], args


def argument(flags, values, numpy, own):
    """What an argument holds: its size in bytes, an array or None for memory without contents, its flags and its type."""
    option = dict(f.split("=", 1) for f in flags if "=" in f)
    words = [f for f in flags if "=" not in f]
    kind = next((TYPES[w] for w in words if w in TYPES), own)
    size = int(option.get("size", 0))
    count = size // numpy.dtype(kind).itemsize
    if "fill" in option:
        data = numpy.full(count, float(option["fill"]) if "float" in kind else int(option["fill"], 0), kind)
    elif "range" in option:
        start, step, last = (float(v) for v in option["range"].split(":"))
        data = (start + step * numpy.arange(count)).astype(kind)
    elif values:
        data = numpy.array([float(v) if "float" in kind else int(v, 0) for v in values]).astype(kind)
    else:
        data = None
    return size, data, words, kind


def run(folder, name, log, queue):
    """Runs a test in this process; what it computed goes to the queue, or why it could not."""
    try:
        queue.put(compute(folder, name, log))
    except Exception as e:
        queue.put(f"{type(e).__name__}: {e}"[:300])


def compute(folder, name, log):
    """What a test computes, by the names of its arguments."""
    os.environ.update(UNSPOOL_CHECK=log, PYOPENCL_NO_CACHE="1")
    import numpy
    import pyopencl as cl

    source, kernel, sizes, given = parse((folder / f"{name}.sim").read_text())
    platform = next(p for p in cl.get_platforms() if "unspool" in p.name.lower())
    context = cl.Context(platform.get_devices())
    commands = cl.CommandQueue(context)
    text = (folder / source).read_text()
    version = "CL2.0" if name in ("non_uniform_work_groups", "global_variables") else "CL1.2"
    program = cl.Program(context, text).build([f"-cl-std={version}", f"-I{folder}"])
    function = getattr(program, kernel)
    dumps, held = [], []
    for n, (flags, values) in enumerate(given):
        own = function.get_arg_info(n, cl.kernel_arg_info.TYPE_NAME).rstrip("*0123456789")
        # Structures are shown byte by byte.
        size, data, words, kind = argument(flags, values, numpy, TYPES.get(own, "int8"))
        space = function.get_arg_info(n, cl.kernel_arg_info.ADDRESS_QUALIFIER)
        if "null" in words or size == 0:
            function.set_arg(n, None)
        elif space == cl.kernel_arg_address_qualifier.LOCAL:
            function.set_arg(n, cl.LocalMemory(size))
        elif space == cl.kernel_arg_address_qualifier.PRIVATE:
            function.set_arg(n, data.tobytes() if data.nbytes != 4 else data[0])
        else:
            access = cl.mem_flags.READ_WRITE
            access = cl.mem_flags.READ_ONLY if "ro" in words else access
            access = cl.mem_flags.WRITE_ONLY if "wo" in words else access
            buffer = cl.Buffer(context, access, size)
            if "noinit" not in words:
                # The command of a write takes no read-only arrays, but any buffer.
                cl.enqueue_copy(commands, buffer, data if data is not None else numpy.zeros(size, "uint8"))
            function.set_arg(n, buffer)
            # Kernels do not keep their arguments.
            held.append(buffer)
            if "dump" in words:
                name_of = function.get_arg_info(n, cl.kernel_arg_info.NAME)
                dumps.append((name_of, buffer, size, kind))
    shape = tuple(sizes[:3]), tuple(sizes[3:6])
    cl.enqueue_nd_range_kernel(commands, function, *shape).wait()
    results = {}
    for name_of, buffer, size, kind in dumps:
        out = numpy.zeros(size // numpy.dtype(kind).itemsize, kind)
        cl.enqueue_copy(commands, out, buffer)
        results[name_of] = out.tolist()
    return results


def compare(reference, report, results):
    """What is wrong, in words."""
    wrong = []
    errors = [line[6:] for line in reference.splitlines() if line.startswith("ERROR ")]
    # What cannot be read is 0 here, and no second finding where it is used.
    if any("Invalid read" in e for e in errors):
        errors = [e for e in errors if "Uninitialized" not in e]
    for error in errors:
        words = next((ours for theirs, ours in KINDS if theirs.lower() in error.lower()), None)
        if words is None or not re.search(words, report):
            wrong.append(f"not found: {error}")
    if not errors and "error[" in report:
        wrong.append("found, and nothing should be: " + "; ".join(re.findall(r"error\[\w+\]: (.*)", report)))
    for array, index, value in re.findall(r"^EXACT\s+(\w+)\[(\d+)\] = (\S+)$", reference, re.M):
        got = results.get(array, [])
        have = got[int(index)] if int(index) < len(got) else None
        want = int(value, 16) if value.startswith("0x") else float(value)
        if have is None or have != want and abs(have - want) > 1e-5 * abs(want):
            wrong.append(f"{array}[{index}] is {have}, not {value}")
    return wrong


def main():
    root = Path(sys.argv[1]) / "tests" / "kernels"
    names = sys.argv[2:] or sorted(str(p.relative_to(root))[:-4] for p in root.glob("*/*.sim"))
    passed = failed = 0
    multiprocessing.set_start_method("fork")
    for name in names:
        folder = root / Path(name).parent
        reference = root / f"{name}.ref"
        if not reference.exists():
            continue
        log = tempfile.mktemp(suffix=".txt")
        queue = multiprocessing.Queue()
        worker = multiprocessing.Process(target=run, args=(folder, Path(name).name, log, queue))
        worker.start()
        try:
            results = queue.get(timeout=30)
        except Exception:
            results = None
        worker.join(5)
        if worker.is_alive():
            worker.terminate()
        report = Path(log).read_text() if Path(log).exists() else ""
        Path(log).unlink(missing_ok=True)
        if isinstance(results, dict):
            wrong = compare(reference.read_text(), report, results)
        else:
            wrong = [results or "it did not end"]
        passed, failed = passed + (not wrong), failed + bool(wrong)
        print(f"{'FAILED' if wrong else 'passed'} {name}")
        for line in wrong[:4]:
            print(f"    {line}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
