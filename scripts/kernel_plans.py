"""Launches of kernels with generated buffers, written down so that they can be played on another machine.

`ptx_results.py --pack` writes them, `gpu_kernels.py` plays them. A pack is a folder with a `NAME.json` for each source
file: its kernels, each with its parameters, launch, and what the interpreter left in the buffers, as the difference from what
was generated; beside it the cubins that ptxas made of unspool's text and of nvcc's, and unspool's text.
"""

import base64
import json
import struct
import zlib

# How many elements a generated buffer has.
ELEMENTS = 16384
FLOATS = {"f16": "e", "f32": "f", "f64": "d"}
INTEGERS = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q"}


def values(element, index, size):
    """The bytes of a buffer: floats in [-1, 1), integers from 0 to below what sizes are given, so that they can be indices."""
    count, state, out = ELEMENTS, 12345 + 77 * index, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(state >> 8)
    if element == "bf16":
        return b"".join(struct.pack("<f", (v % 2000 - 1000) / 1000)[2:] for v in out)
    if element in FLOATS:
        return struct.pack(f"<{count}{FLOATS[element]}", *[(v % 2000 - 1000) / 1000 for v in out])
    bits = 8 * struct.calcsize(INTEGERS[element])
    top = min(max(size, 1), 1 << (bits - (element[0] == "i")))
    return struct.pack(f"<{count}{INTEGERS[element]}", *[v % top for v in out])


def compare(a, b, element):
    """None if the bytes are the same, else how far the numbers in them are apart at most (relatively) and how many are."""
    if a == b:
        return None
    form = FLOATS.get(element)
    if not form or len(a) != len(b):
        return float("inf"), sum(x != y for x, y in zip(a, b))
    count = len(a) // struct.calcsize(form)
    a, b = (struct.unpack(f"<{count}{form}", x) for x in (a, b))
    worst, differ = 0.0, 0
    for x, y in zip(a, b):
        if x != y and not (x != x and y != y):
            differ += 1
            gap = abs(x - y) / max(abs(x), abs(y), 1e-3) if abs(x) + abs(y) < float("inf") else float("inf")
            worst = max(worst, gap if gap == gap else float("inf"))
    return (worst, differ) if differ else None


def number(kind, value):
    """The bytes of a parameter that is a number, by its type in PTX."""
    if kind in FLOATS:
        return struct.pack("<" + FLOATS[kind], float(value))
    width = int(kind[1:]) // 8
    return (int(value) & ((1 << 8 * width) - 1)).to_bytes(width, "little")


def pressed(before, after):
    """What a launch changed in a buffer, as text."""
    both = int.from_bytes(before, "little") ^ int.from_bytes(after, "little")
    return base64.b85encode(zlib.compress(both.to_bytes(len(before), "little"), 9)).decode()


def restored(before, text):
    """The inverse of `pressed`."""
    change = zlib.decompress(base64.b85decode(text))
    both = int.from_bytes(before, "little") ^ int.from_bytes(change, "little")
    return both.to_bytes(len(before), "little")


def three(extent):
    """A block or grid as three numbers."""
    extent = list(extent) if isinstance(extent, (list, tuple)) else [extent]
    return extent + [1] * (3 - len(extent))


def write(path, plan):
    path.write_text(json.dumps(plan, separators=(",", ":")))


def read(path):
    return json.loads(path.read_text())
