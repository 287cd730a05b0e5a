#!/usr/bin/env python3
"""Runs the kernels of crates/filetests/run as code objects for an AMD GPU in tinygrad's emulator, and compares what they
compute with what unspool's interpreter says.

    scripts/amd_emulate.py TINYGRAD [--gpu gfx90a] [--warp64] [--only TEXT] [--seconds 120] [--jobs 1] [--json FILE]

TINYGRAD is a checkout of github.com/tinygrad/tinygrad (its test/mockgpu/amd/emu.py is used; nothing of it is part of this
repository). The emulator compiles each instruction with `clang`, which must be on the path: a kernel takes seconds to
minutes the first time.

Exit status 1 if a kernel computes something else than the interpreter. Kernels that the emulator cannot execute are
listed with what it says.
"""

import argparse
import collections
import ctypes
import json
import mmap
import os
import struct
import subprocess
import sys
import tempfile
import time

ARCH = {"gfx9": "cdna", "gfx11": "rdna3", "gfx12": "rdna4"}
PT_LOAD, PT_DYNAMIC = 1, 2
SHN_SYMTAB, SHT_RELA, SHT_DYNSYM = 2, 4, 11
R_AMDGPU_ABS64, R_AMDGPU_RELATIVE64 = 3, 13


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


def kernarg(args, out, grid, block, expected, shared):
    total = max([o + s for o, s, _ in args], default=0)
    buffer = bytearray(max(total, 256) + 256)
    explicit = iter([struct.pack("<Q", out), struct.pack("<I", 0), struct.pack("<I", expected)])
    axis = {"x": 0, "y": 1, "z": 2}
    for offset, size, kind in args:
        if not kind.startswith("hidden_"):
            value = next(explicit)
        else:
            a = axis.get(kind[-1], 0)
            known = {
                "hidden_block_count": grid[a], "hidden_group_size": block[a],
                "hidden_grid_dims": 1, "hidden_dynamic_lds_size": shared,
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


# Instructions that the emulator lacks and that do nothing in it: caches and what is written back of them.
NOTHING = ("S_DCACHE_", "BUFFER_GL", "BUFFER_WB", "BUFFER_INV", "GLOBAL_WB", "GLOBAL_INV", "S_ICACHE", "S_SLEEP")
PC = 256


class Shim:
    """Stands for an instruction that the emulator cannot execute."""

    class Globals:
        globals = [0]

    arg = Globals()

    def __init__(self, inst):
        self.inst, self.name, self.size = inst, inst.op.name, inst.size()

    def fxn(self, registers):
        words = ctypes.cast(ctypes.c_void_p(registers.value), ctypes.POINTER(ctypes.c_uint32))
        following = (words[PC] | words[PC + 1] << 32) + self.size
        if "SWAPPC" in self.name or "SETPC" in self.name:
            back, at = following, self.inst.ssrc0.offset
            following = words[at] | words[at + 1] << 32
        if "GETPC" in self.name or "SWAPPC" in self.name:
            to = self.inst.sdst.offset
            value = back if "SWAPPC" in self.name else following
            words[to], words[to + 1] = value & 0xffffffff, value >> 32
        words[PC], words[PC + 1] = following & 0xffffffff, following >> 32


class CacheControl:
    """What the decoder does not know of the above: MUBUF instructions for caches, by architecture and opcode."""

    OPCODES = {"cdna": (40, 41, 62, 63), "rdna3": (43, 44)}

    class op:
        name = "BUFFER_INV"

    def size(self):
        return 8

    @staticmethod
    def at(pc, arch):
        word = ctypes.c_uint32.from_address(pc).value
        return word >> 26 == 0b111000 and word >> 18 & 0x7f in CacheControl.OPCODES.get(arch, ())


class Scratch:
    """A load or store of scratch memory through a buffer resource (gfx900 to gfx90a), which the emulator ignores. Each lane
    has its own bytes."""

    WIDTHS = {"UBYTE": 1, "SBYTE": 1, "BYTE": 1, "USHORT": 2, "SSHORT": 2, "SHORT": 2, "DWORD": 4, "DWORDX2": 8,
              "DWORDX3": 12, "DWORDX4": 16}
    memories = {}

    class Globals:
        globals = [0, 1]

    arg = Globals()

    def __init__(self, inst):
        self.inst, self.size = inst, inst.size()
        _, self.kind, self.what = inst.op.name.split("_")[:3]
        self.high = inst.op.name.endswith("_D16_HI")
        self.half = "_D16" in inst.op.name

    @staticmethod
    def shimmed(name):
        words = name.split("_")
        return name.startswith(("BUFFER_LOAD_", "BUFFER_STORE_")) and words[2] in Scratch.WIDTHS

    def fxn(self, registers, vectors):
        words = ctypes.cast(ctypes.c_void_p(registers.value), ctypes.POINTER(ctypes.c_uint32))
        lanes = ctypes.cast(ctypes.c_void_p(vectors.value), ctypes.POINTER(ctypes.c_uint32))
        i, width = self.inst, self.WIDTHS[self.what]
        s = i.soffset.offset
        base = i.offset + (words[s] if s < 104 else s - 128 if 128 <= s <= 192 else 0)
        active = words[126] | words[127] << 32
        data, address = i.vdata.offset - 256, i.vaddr.offset - 256
        for lane in range(64):
            if not active >> lane & 1:
                continue
            memory = self.memories.setdefault((registers.value, lane), bytearray(1 << 17))
            at = base + (lanes[address * 64 + lane] if i.offen else 0)
            if self.kind == "LOAD":
                got = memory[at:at + width]
                if width < 4:
                    value = int.from_bytes(got, "little", signed=self.what[0] == "S" and self.what != "SHORT")
                    if self.half:
                        old = lanes[data * 64 + lane]
                        value = old & 0xffff | (value & 0xffff) << 16 if self.high else old & 0xffff0000 | value & 0xffff
                    got = (value & 0xffffffff).to_bytes(4, "little")
                for n in range(0, len(got), 4):
                    lanes[(data + n // 4) * 64 + lane] = int.from_bytes(got[n:n + 4], "little")
            else:
                value = b"".join(lanes[(data + n) * 64 + lane].to_bytes(4, "little") for n in range((width + 3) // 4))
                memory[at:at + width] = value[2:2 + width] if self.high else value[:width]
        following = (words[PC] | words[PC + 1] << 32) + self.size
        words[PC], words[PC + 1] = following & 0xffffffff, following >> 32


def add_shims(emulator):
    decode, known = emulator._decode_at, {}

    def decode_at(pc, arch):
        if pc not in known:
            if CacheControl.at(pc, arch):
                inst = CacheControl()
                known[pc] = ((Shim(inst),) * 2, inst)
                return known[pc]
            inst = emulator.decode_inst(bytes((ctypes.c_char * 16).from_address(pc).raw), arch)
            name = getattr(getattr(inst, "op", None), "name", "")
            shim = name.startswith(("S_GETPC", "S_SWAPPC", "S_SETPC") + NOTHING)
            if Scratch.shimmed(name):
                known[pc] = ((Scratch(inst),) * 2, inst)
            else:
                known[pc] = ((Shim(inst),) * 2, inst) if shim else decode(pc, arch)
        return known[pc]

    emulator._decode_at = decode_at


def execute(emulator, arch, directory, k):
    add_shims(emulator)
    path = os.path.join(directory, k["object"])
    image = Image(path)
    kd = image.symbols[k["kernel"] + ".kd"][0]
    lds, scratch, _ = struct.unpack_from("<III", image.memory, kd)
    entry = struct.unpack_from("<q", image.memory, kd + 16)[0]
    rsrc2 = struct.unpack_from("<I", image.memory, kd + 52)[0]
    properties = struct.unpack_from("<H", image.memory, kd + 56)[0]
    granules = (lds + k["shared"] + 511) // 512
    rsrc2 = rsrc2 & ~(0x1ff << 15) | granules << 15
    out = bytearray(b"\xa5" * (len(k["expected"]) // 2))
    view = (ctypes.c_char * len(out)).from_buffer(out)
    args = kernarg(arguments_of(path, k["kernel"]), ctypes.addressof(view), k["grid"], k["block"], k["results"],
                   k["shared"])
    args_view = (ctypes.c_char * len(args)).from_buffer(args)
    at = ctypes.addressof(args_view)
    packet = bytearray(64)
    struct.pack_into("<HHHHH", packet, 0, 0, 1, *k["block"])
    struct.pack_into("<III", packet, 12, *[g * b for g, b in zip(k["grid"], k["block"])])
    packet_view = (ctypes.c_char * 64).from_buffer(packet)
    users = user_registers(properties, at, ctypes.addressof(packet_view))
    emulator.run_asm(image.base + kd + entry, image.symbols[k["kernel"]][1], *k["grid"], *k["block"], at, rsrc2, scratch,
                     arch, users)
    return bytes(out)


def differences(k, got):
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


def one(arguments, k, arch, directory):
    """Runs a kernel in a process of its own: the emulator's code may fail as machine code does."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        sys.path.insert(0, arguments.tinygrad)
        os.environ.setdefault("DEV", "CPU")
        try:
            import signal
            signal.alarm(arguments.seconds)
            import test.mockgpu.amd.emu as emulator
            wrong = differences(k, execute(emulator, arch, directory, k))
            message = "ok" if not wrong else "WRONG " + "; ".join(wrong[:3])
        except BaseException as e:  # whatever the emulator says
            message = f"cannot {type(e).__name__}: {str(e)[:160]}"
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tinygrad")
    parser.add_argument("--gpu", default="gfx90a")
    parser.add_argument("--warp64", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--json")
    parser.add_argument("--corpus", help="a directory that amd-corpus has filled already")
    arguments = parser.parse_args()
    arguments.tinygrad = os.path.abspath(arguments.tinygrad)
    arch = next(a for g, a in sorted(ARCH.items(), reverse=True) if arguments.gpu.startswith(g))
    with tempfile.TemporaryDirectory() as scratch:
        directory = arguments.corpus or scratch
        if not arguments.corpus:
            command = ["cargo", "run", "-q", "-p", "unspool-filetests", "--bin", "amd-corpus", "--", directory, arguments.gpu]
            subprocess.run(command + ["--warp64"] * arguments.warp64, check=True)
        kernels = json.load(open(os.path.join(directory, "corpus.json")))["kernels"]
        tally, results = collections.Counter(), {}
        for k in kernels:
            name = f"{k['file']}::{k['kernel']}"
            if arguments.only not in name:
                continue
            start = time.monotonic()
            if k["refused"]:
                message = "refused: " + k["refused"]
            elif k["trap"] or k["prints"]:
                message = "skipped: " + (k["trap"] or "prints")
            else:
                message = one(arguments, k, arch, directory)
            tally[message.split()[0].rstrip(":")] += 1
            results[name] = message
            print(f"{name}: {message} ({time.monotonic() - start:.0f} s)", flush=True)
    print(", ".join(f"{n} {what}" for what, n in tally.most_common()))
    if arguments.json:
        json.dump(results, open(arguments.json, "w"), indent=1)
    return 1 if tally["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
