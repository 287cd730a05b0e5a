#!/usr/bin/env python3
"""Runs the kernels of crates/filetests/run as code objects for an AMD GPU in tinygrad's emulator, and compares what they
compute with what unspool's interpreter says.

    scripts/amd_emulate.py TINYGRAD [--gpu gfx90a --gpu gfx942] [--warp64] [--edges] [--random A..B] [--only TEXT]
        [--seconds 180] [--json FILE]

TINYGRAD is a checkout of github.com/tinygrad/tinygrad (its test/mockgpu/amd/emu.py is used; nothing of it is part of this
repository). The emulator compiles each form of each instruction with `clang`, which must be on the path. That is what takes
the time, so it is done once for all kernels and all GPUs named in one call.

Exit status 1 if a kernel computes something else than the interpreter. Kernels that the emulator cannot execute are
listed with what it says.
"""

import argparse
import collections
import ctypes
import json
import mmap
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

from amd_shims import ByteMatrix, CacheControl, Denormals, Matrix, Memory, Mode, MultiplyAdd, Shim, Vector, described

ARCH = {"gfx9": "cdna", "gfx11": "rdna3", "gfx12": "rdna4"}
PT_LOAD, PT_DYNAMIC = 1, 2
SHN_SYMTAB, SHT_RELA, SHT_DYNSYM = 2, 4, 11
R_AMDGPU_ABS64, R_AMDGPU_RELATIVE64 = 3, 13
SHF_EXECINSTR = 4


class Image:
    """A linked code object in memory that the emulator reads as it reads everything."""

    def __init__(self, path):
        data = open(path, "rb").read()
        assert data[:5] == b"\x7fELF\x02", path
        phoff, shoff = struct.unpack_from("<QQ", data, 32)
        phentsize, phnum, shentsize, shnum = struct.unpack_from("<HHHH", data, 54)
        loads = []
        for i in range(phnum):
            kind, _, off, vaddr, _, filesz, memsz, _ = struct.unpack_from("<IIQQQQQQ", data, phoff + i * phentsize)
            if kind == PT_LOAD:
                loads.append((off, vaddr, filesz, memsz))
        size = max(v + m for _, v, _, m in loads)
        self.memory = mmap.mmap(-1, (size + 0xffff) & ~0xffff)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.size = size
        for off, vaddr, filesz, _ in loads:
            self.memory[vaddr:vaddr + filesz] = data[off:off + filesz]
        self.symbols = {}
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + i * shentsize) for i in range(shnum)]
        self.code = [(s[3], s[5]) for s in sections if s[2] & SHF_EXECINSTR]
        tables = {}
        for i, (_, kind, _, _, off, length, link, _, _, entry) in enumerate(sections):
            if kind in (SHN_SYMTAB, SHT_DYNSYM):
                strings = sections[link][4]
                table = []
                for at in range(off, off + length, entry):
                    name, _, _, _, value, bytes_ = struct.unpack_from("<IBBHQQ", data, at)
                    end = data.index(b"\0", strings + name)
                    table.append((data[strings + name:end].decode(), value, bytes_))
                tables[i] = table
                self.symbols.update({n: (v, s) for n, v, s in table if n})
        for _, kind, _, _, off, length, link, _, _, entry in sections:
            if kind == SHT_RELA:
                for at in range(off, off + length, entry):
                    where, info, addend = struct.unpack_from("<QQq", data, at)
                    if info & 0xffffffff == R_AMDGPU_RELATIVE64:
                        value = self.base + addend
                    elif info & 0xffffffff == R_AMDGPU_ABS64:
                        value = self.base + tables[link][info >> 32][1] + addend
                    else:
                        raise RuntimeError(f"relocation {info & 0xffffffff}")
                    struct.pack_into("<Q", self.memory, where, value & (1 << 64) - 1)

    def close(self):
        pass


def arguments_of(path, kernel):
    """Offset, size and kind of the arguments of a kernel, by llvm-readobj."""
    for tool in ("llvm-readobj-19", "llvm-readobj"):
        try:
            text = subprocess.run([tool, "--notes", path], capture_output=True, text=True, check=True).stdout
            break
        except FileNotFoundError:
            continue
    else:
        sys.exit("llvm-readobj is not here")
    found, inside, current = {}, [], {}
    for line in text.splitlines():
        words = line.strip().lstrip("- ").split(":", 1)
        if len(words) != 2:
            continue
        key, value = words[0].strip(), words[1].strip()
        if line.startswith("  - "):
            inside, current = [], {}
        if key == ".args":
            inside = []
        if line.startswith("      - "):
            current = {}
            inside.append(current)
        if line.startswith("      ") and key in (".offset", ".size"):
            current[key] = int(value)
        if line.startswith("      ") and key == ".value_kind":
            current[key] = value
        if line.startswith("    .") and key == ".name":
            found[value.strip("'")] = inside
    return [(a[".offset"], a[".size"], a[".value_kind"]) for a in found[kernel]]


def kernarg(args, explicit, grid, block, shared):
    total = max([o + s for o, s, _ in args], default=0)
    buffer = bytearray(max(total, 256) + 256)
    explicit = iter(explicit)
    axis = {"x": 0, "y": 1, "z": 2}
    dims = 3 if grid[2] * block[2] > 1 else 2 if grid[1] * block[1] > 1 else 1
    for offset, size, kind in args:
        if not kind.startswith("hidden_"):
            value = next(explicit).to_bytes(size, "little")
        else:
            a = axis.get(kind[-1], 0)
            known = {
                "hidden_block_count": grid[a], "hidden_group_size": block[a],
                "hidden_grid_dims": dims, "hidden_dynamic_lds_size": shared,
            }
            name = kind[:-2] if kind[-2:] in ("_x", "_y", "_z") else kind
            value = known.get(name, 0).to_bytes(size, "little")
        buffer[offset:offset + len(value)] = value
    return buffer


def user_registers(properties, kernarg_address, dispatch_address):
    """The registers that the kernel descriptor asks for, in order."""
    words = []
    for bit, count, value in [
        (0, 4, 0), (1, 2, dispatch_address), (2, 2, 0), (3, 2, kernarg_address), (4, 2, 0), (5, 2, 0), (6, 1, 0),
    ]:
        if properties >> bit & 1:
            words += [value >> 32 * n & 0xffffffff for n in range(count)]
    return words


class Instructions:
    """Instructions as the emulator makes them, kept for all kernels, and what stands in for those that it lacks."""

    def __init__(self, emulator):
        self.emulator, self.known, self.forms = emulator, {}, {}
        self.library = emulator._get_ftz_lib()[0]
        # The emulator takes numbers of 24 bits for unsigned ones. What is above them counts for nothing.
        pcode = emulator.get_pcode
        emulator.get_pcode = lambda op: described(
            op.name, re.sub(r"(S[01])\.i24", r"((32'I(\1.u32 << 8U)) >> 8U)", pcode(op)))
        # It saturates signed sums under the names that they have since gfx10, not under those before.
        saturated = emulator._int_clamp
        emulator._int_clamp = lambda name, sources: saturated(
            re.sub(r"_(ADD|SUB)_I32", r"_\1_NC_I32", name), sources)
        emulator._decode_at = lambda pc, arch: self.of(bytes((ctypes.c_char * 16).from_address(pc).raw), arch)

    def of(self, code, arch):
        word = int.from_bytes(code[:4], "little")
        if CacheControl.is_one(word, arch):
            inst = CacheControl()
            return (Shim(inst),) * 2, inst
        if MultiplyAdd.is_one(word, arch):
            inst = MultiplyAdd(int.from_bytes(code[:8], "little"))
            return (inst, inst), inst
        inst = self.emulator.decode_inst(code, arch)
        key = (arch, code[:inst.size() + 4])
        if key not in self.known:
            self.known[key] = self.made(inst, code, arch)
        return self.known[key], inst

    def made(self, inst, code, arch):
        name = getattr(getattr(inst, "op", None), "name", "")
        if Mode.shimmed(name, inst):
            return (Mode(inst, self.library),) * 2
        if Memory.shimmed(name):
            return (Memory(inst, arch),) * 2
        if Matrix.shimmed(name):
            return (Matrix(inst, arch),) * 2
        if ByteMatrix.shimmed(name):
            return (ByteMatrix(inst, arch),) * 2
        if Vector.shimmed(name):
            return (Vector(inst, arch),) * 2
        if Shim.shimmed(name, inst):
            return (Shim(inst),) * 2
        size, forms = inst.size(), self.forms.setdefault((type(inst), inst.size()), [])
        word = int.from_bytes(code[:size], "little")
        for base, mask, made in forms:
            if word & mask == base:
                return made
        # The emulator looks through all forms that it has made itself: it is shown none.
        self.emulator._canonical_runner_cache.clear()
        made = self.emulator._get_runner.__wrapped__(code[:size + 4], arch)
        for _, base, mask, _, _ in self.emulator._canonical_runner_cache:
            forms.append((base, mask, made))
        return made

    def prepare(self, image, arch):
        """Makes all instructions of a code object that can be made; the others are reported if they are reached."""
        for value, size in image.code:
            at = 0
            while at < size:
                code = image.memory[value + at:value + at + 16]
                try:
                    at += self.of(code, arch)[1].size()
                except Exception:
                    try:
                        at += self.emulator.decode_inst(code, arch).size()
                    except Exception:
                        at += 4


def execute(instructions, image, arch, path, k):
    """Runs the launches of a program; what its buffers hold then."""
    if "launches" in k:
        before, launches = k["before"], k["launches"]
    else:
        before = ["a5" * (len(k["expected"]) // 2)]
        args = [{"buffer": 0}, {"value": 0}, {"value": k["results"]}]
        launches = [{"kernel": k["kernel"], "args": args}]
    buffers = [bytearray(bytes.fromhex(b)) or bytearray(4) for b in before]
    views = [(ctypes.c_char * len(b)).from_buffer(b) for b in buffers]
    for l in launches:
        launch(instructions, image, arch, path, k, l, [ctypes.addressof(v) for v in views])
    return [bytes(b) for b in buffers]


def launch(instructions, image, arch, path, k, l, buffers):
    kd = image.symbols[l["kernel"] + ".kd"][0]
    lds, scratch, _ = struct.unpack_from("<III", image.memory, kd)
    entry = struct.unpack_from("<q", image.memory, kd + 16)[0]
    rsrc1, rsrc2 = struct.unpack_from("<II", image.memory, kd + 48)
    Mode.start = rsrc1 >> 12 & 0xff
    properties = struct.unpack_from("<H", image.memory, kd + 56)[0]
    explicit, top = [], lds
    for a in l["args"]:
        if "local" in a:
            top = top + 15 & ~15
            explicit.append(top)
            top += a["local"]
        else:
            explicit.append(buffers[a["buffer"]] if "buffer" in a else a["value"])
    granules = (top + k["shared"] + 511) // 512
    rsrc2 = rsrc2 & ~(0x1ff << 15) | granules << 15
    args = kernarg(arguments_of(path, l["kernel"]), explicit, k["grid"], k["block"], k["shared"])
    args_view = (ctypes.c_char * len(args)).from_buffer(args)
    at = ctypes.addressof(args_view)
    packet = bytearray(64)
    struct.pack_into("<HHHHH", packet, 0, 0, 1, *k["block"])
    struct.pack_into("<III", packet, 12, *[g * b for g, b in zip(k["grid"], k["block"])])
    packet_view = (ctypes.c_char * 64).from_buffer(packet)
    users = user_registers(properties, at, ctypes.addressof(packet_view))
    emulator = instructions.emulator
    emulator._MXCSRContext = lambda: Denormals(instructions.library, Mode.start)
    emulator.run_asm(image.base + kd + entry, image.symbols[l["kernel"]][1], *k["grid"], *k["block"], at, rsrc2, scratch,
                     arch, users)


def differences(k, got):
    if "launches" in k:
        # The buffers of results, then that of atomics; the first and the last but one are only read.
        pairs = enumerate(zip(map(bytes.fromhex, k["after"]), got[1:-2] + got[-1:]))
        return [f"word {i // 8} of buffer {n}: {b[i:i + 8][::-1].hex()}, not {a[i:i + 8][::-1].hex()}"
                for n, (a, b) in pairs for i in range(0, len(a), 8) if a[i:i + 8] != b[i:i + min(8, len(a) - i)]]
    got = got[0]
    want, hidden = bytes.fromhex(k["expected"]), bytes.fromhex(k["undefined"])
    wrong, count = [], max(k["results"], 1)
    for n in range(0, len(want), 8):
        if any(hidden[n:n + 8]) or want[n:n + 8] == got[n:n + 8]:
            continue
        a, b = (struct.unpack("<d", x[n:n + 8])[0] for x in (want, got))
        about = k["approximate"] and k["approximate"][n // 8 % count]
        if (a != a and b != b) or (about and abs(a - b) <= abs(a) * 4e-6):
            continue
        wrong.append(f"result {n // 8 % count} of work-item {n // 8 // count}: {got[n:n + 8].hex()}, not "
                     f"{want[n:n + 8].hex()} ({b!r}, {a!r})")
    return wrong


def one(instructions, k, arch, directory, seconds):
    """Runs a kernel in a process of its own: the emulator's code may fail as machine code does."""
    path = os.path.join(directory, k["object"])
    image = Image(path)
    instructions.prepare(image, arch)
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        try:
            signal.alarm(seconds)
            wrong = differences(k, execute(instructions, image, arch, path, k))
            message = "ok" if not wrong else "WRONG " + "; ".join(wrong[:3])
        except BaseException as e:  # whatever the emulator says
            message = f"cannot {type(e).__name__}: {str(e)[-260:]}"
        os.write(write, message.encode()[:4000])
        os._exit(0)
    os.close(write)
    text = b""
    while chunk := os.read(read, 4096):
        text += chunk
    os.close(read)
    _, status = os.waitpid(pid, 0)
    if not text:
        text = b"cannot: took too long" if os.WTERMSIG(status) == 14 else f"cannot: signal {os.WTERMSIG(status)}".encode()
    return text.decode(errors="replace")


def corpus(arguments, gpu, scratch):
    """The directory with the code objects for a GPU, and what is said of them."""
    directory = arguments.corpus and arguments.corpus.replace("GPU", gpu) or os.path.join(scratch, gpu)
    if not arguments.corpus:
        os.mkdir(directory)
        command = ["cargo", "run", "-q", "-p", "unspool-filetests", "--bin", "amd-corpus", "--", directory, gpu]
        command += ["--random", arguments.random] if arguments.random else ["--warp64"] * arguments.warp64 + ["--edges"] * arguments.edges
        subprocess.run(command, check=True)
    return directory, json.load(open(os.path.join(directory, "corpus.json")))["kernels"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tinygrad")
    parser.add_argument("--gpu", action="append", help="default: gfx90a")
    parser.add_argument("--warp64", action="store_true")
    parser.add_argument("--edges", action="store_true", help="mathematics at edges, not the corpus")
    parser.add_argument("--random", metavar="A..B", help="random programs of these seeds, not the corpus")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--json")
    parser.add_argument("--corpus", help="a directory that amd-corpus has filled already; GPU in it is the GPU's name")
    arguments = parser.parse_args()
    sys.path.insert(0, os.path.abspath(arguments.tinygrad))
    os.environ.setdefault("DEV", "CPU")
    import test.mockgpu.amd.emu as emulator
    instructions = Instructions(emulator)
    results, wrong = {}, 0
    with tempfile.TemporaryDirectory() as scratch:
        for gpu in arguments.gpu or ["gfx90a"]:
            arch = next(a for g, a in sorted(ARCH.items(), reverse=True) if gpu.startswith(g))
            directory, kernels = corpus(arguments, gpu, scratch)
            tally = collections.Counter()
            for k in kernels:
                name = f"{gpu} {k['file']}::{k['kernel']}"
                if arguments.only not in name:
                    continue
                start = time.monotonic()
                if k["refused"]:
                    message = "refused: " + k["refused"]
                elif k["trap"] or k["prints"]:
                    message = "skipped: " + (k["trap"] or "prints")
                else:
                    message = one(instructions, k, arch, directory, arguments.seconds)
                tally[message.split()[0].rstrip(":")] += 1
                results[name] = message
                print(f"{name}: {message} ({time.monotonic() - start:.0f} s)", flush=True)
            print(f"{gpu}: " + ", ".join(f"{n} {what}" for what, n in tally.most_common()), flush=True)
            wrong += tally["WRONG"]
    if arguments.json:
        json.dump(results, open(arguments.json, "w"), indent=1)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
