"""What stands in for instructions that tinygrad's emulator of AMD GPUs lacks, or executes otherwise than the GPUs do
(scripts/amd_emulate.py).

An instruction of the emulator is a function of up to five addresses: scalar registers (with constants, the place in the
program and what else there is one of), vector registers, memory, work-group memory, scratch memory. So is one of these.
"""

import ctypes
import re
import struct
import time

PC, VCC_EXEC = 256, 126
# High words of generic addresses in work-group and private memory: no address of this process is near them.
SHARED_APERTURE, PRIVATE_APERTURE = 0x7001_0000, 0x7002_0000
SRC_SHARED_BASE, SRC_PRIVATE_BASE = 235, 237
# Instructions that do nothing here: caches and what is written back of them.
NOTHING = ("S_DCACHE_", "BUFFER_GL", "BUFFER_WB", "BUFFER_INV", "GLOBAL_WB", "GLOBAL_INV", "S_ICACHE", "S_SLEEP")
CLOCKS = ("S_MEMREALTIME", "S_MEMTIME", "S_SENDMSG_RTN_B64")


def words_of(pointer):
    return ctypes.cast(ctypes.c_void_p(pointer.value), ctypes.POINTER(ctypes.c_uint32))


class Shim:
    """An instruction of the scalar unit, by its name: jumps, clocks, where memories begin, and what does nothing."""

    class Globals:
        globals = [0]

    arg = Globals()

    def __init__(self, inst):
        self.inst, self.name, self.size = inst, inst.op.name, inst.size()

    @staticmethod
    def shimmed(name, inst):
        base = name == "S_MOV_B64" and inst.ssrc0.offset in (SRC_SHARED_BASE, SRC_PRIVATE_BASE)
        return base or name.startswith(("S_GETPC", "S_SWAPPC", "S_SETPC") + NOTHING + CLOCKS)

    def fxn(self, registers):
        words = words_of(registers)
        here = words[PC] | words[PC + 1] << 32
        following, value = here + self.size, None
        if "SWAPPC" in self.name or "SETPC" in self.name:
            value, at = following, self.inst.ssrc0.offset
            following = words[at] | words[at + 1] << 32
        elif "GETPC" in self.name:
            value = following
        elif self.name.startswith(CLOCKS):
            value = time.monotonic_ns() // 10
        elif self.name == "S_MOV_B64":
            value = (SHARED_APERTURE if self.inst.ssrc0.offset == SRC_SHARED_BASE else PRIVATE_APERTURE) << 32
        if value is not None and "SETPC" not in self.name:
            to = self.inst.sdata.offset if self.name.startswith("S_MEM") else self.inst.sdst.offset
            words[to], words[to + 1] = value & 0xffffffff, value >> 32
        words[PC], words[PC + 1] = following & 0xffffffff, following >> 32


class Mode:
    """What writes and reads the mode register: its rounding is this thread's while the kernel runs."""

    REGISTER = 1
    TO_X86 = (0, 2, 1, 3)
    start = 0
    waves = {}

    class Globals:
        globals = [0]

    arg = Globals()

    def __init__(self, inst, library):
        self.inst, self.name, self.size, self.library = inst, inst.op.name, inst.size(), library
        field = inst.simm16 & 0xffff
        self.low, self.mask = (0, 15) if "ROUND" in self.name else (field >> 6 & 31, (1 << (field >> 11 & 31) + 1) - 1)

    @staticmethod
    def shimmed(name, inst):
        register = name.startswith(("S_SETREG", "S_GETREG")) and inst.simm16 & 63 == Mode.REGISTER
        return register or name == "S_ROUND_MODE"

    def fxn(self, registers):
        words = words_of(registers)
        at = words[PC] | words[PC + 1] << 32
        mode = self.waves.get(registers.value, self.start)
        if "GETREG" in self.name:
            words[self.inst.sdst.offset] = mode >> self.low & self.mask
        else:
            if "ROUND" in self.name:
                value = self.inst.simm16
            elif "IMM32" in self.name:
                value = ctypes.c_uint32.from_address(at + 4).value
            else:
                value = words[self.inst.sdst.offset]
            mode = mode & ~(self.mask << self.low) | (value & self.mask) << self.low
            self.waves[registers.value] = mode
            if mode & 3 != mode >> 2 & 3:
                raise RuntimeError("rounding of single and double precision differ")
            self.library.set_fpcr(self.library.get_fpcr() & ~0x6000 | self.TO_X86[mode & 3] << 13)
        following = at + self.size
        words[PC], words[PC + 1] = following & 0xffffffff, following >> 32


class Denormals:
    """In place of the emulator's context that flushes denormal numbers: what the kernel descriptor says."""

    def __init__(self, library, mode):
        self.library, self.mode = library, mode

    def __enter__(self):
        self.saved = self.library.get_fpcr()
        kept = self.mode >> 4 & 15
        if kept not in (0, 15):
            raise RuntimeError("denormal numbers of one width are flushed")
        self.library.set_fpcr(self.saved & ~0x8040 | (0 if kept else 0x8040))

    def __exit__(self, *_):
        self.library.set_fpcr(self.saved)


class MultiplyAdd:
    """`v_mad_f32` of gfx90a and before, which the decoder does not know: not fused, subnormal numbers are zeros."""

    SIZE, OPCODE = 8, 0x1c1

    class op:
        name = "V_MAD_F32"

    class Globals:
        globals = [0, 1]

    arg = Globals()

    def __init__(self, word):
        self.to, self.modifiers = word & 0xff, (word >> 8 & 7, word >> 61 & 7, word >> 15 & 1, word >> 59 & 3)
        self.sources = [word >> 32 + 9 * n & 0x1ff for n in range(3)]

    def size(self):
        return self.SIZE

    @staticmethod
    def is_one(word, arch):
        return arch == "cdna" and word >> 26 == 0b110100 and word >> 16 & 0x3ff == MultiplyAdd.OPCODE

    def fxn(self, registers, vectors):
        scalars, lanes = words_of(registers), words_of(vectors)
        active = scalars[VCC_EXEC] | scalars[VCC_EXEC + 1] << 32
        absolute, negated, clamp, scale = self.modifiers
        if clamp or scale:
            raise RuntimeError("v_mad_f32 with a modifier of the result")

        def number(pattern, n):
            pattern = pattern & ~(absolute >> n << 31 & 1 << 31) ^ negated >> n << 31 & 1 << 31
            return struct.unpack("<f", struct.pack("<I", pattern if pattern & 0x7f800000 else pattern & 1 << 31))[0]

        for lane in range(64):
            if active >> lane & 1:
                a, b, c = (number(lanes[(s - 256) * 64 + lane] if s >= 256 else scalars[s], n)
                           for n, s in enumerate(self.sources))
                value = ctypes.c_float(ctypes.c_float(a * b).value + c).value
                pattern = struct.unpack("<I", struct.pack("<f", value))[0]
                lanes[self.to * 64 + lane] = pattern if pattern & 0x7f800000 else pattern & 1 << 31
        following = (scalars[PC] | scalars[PC + 1] << 32) + self.SIZE
        scalars[PC], scalars[PC + 1] = following & 0xffffffff, following >> 32


class Vector:
    """Instructions of three operands that the emulator makes wrongly or not at all: a sum in a pair of registers of which
    it reads one, and the end of a division of half precision."""

    class Globals:
        globals = [0, 1]

    arg = Globals()

    def __init__(self, inst, arch):
        self.inst, self.size, self.lanes = inst, inst.size(), 64 if arch == "cdna" else 32
        self.bits = 64 if "F64" in inst.op.name else 16
        self.sources = [s.offset for s in (inst.src0, inst.src1, inst.src2)]
        if self.bits == 64:
            self.sources[2] = inst.vdst.offset
        for what in ("opsel", "clmp", "omod"):
            if getattr(inst, what, 0):
                raise RuntimeError(f"{inst.op.name} with {what}")

    @staticmethod
    def shimmed(name):
        return name in ("V_FMAC_F64_E64", "V_DIV_FIXUP_F16", "V_DIV_FIXUP_F16_E64")

    def fxn(self, registers, vectors):
        scalars, lanes = words_of(registers), words_of(vectors)
        active = scalars[VCC_EXEC] | (scalars[VCC_EXEC + 1] << 32 if self.lanes == 64 else 0)
        to, n = self.inst.vdst.offset - 256, self.lanes
        for lane in range(n):
            if active >> lane & 1:
                a, b, c = (self.operand(k, scalars, lanes, lane) for k in range(3))
                if self.bits == 64:
                    value = self.pattern(fma(self.number(a), self.number(b), self.number(c)))
                    lanes[to * n + lane], lanes[(to + 1) * n + lane] = value & 0xffffffff, value >> 32
                else:
                    # gfx9 clears the other half; later ones keep it.
                    kept = 0 if n == 64 else lanes[to * n + lane] & 0xffff0000
                    lanes[to * n + lane] = kept | self.fixed(a, b, c)
        following = (scalars[PC] | scalars[PC + 1] << 32) + self.size
        scalars[PC], scalars[PC + 1] = following & 0xffffffff, following >> 32

    def operand(self, k, scalars, lanes, lane):
        at, bits, n = self.sources[k], self.bits, self.lanes
        word = (lambda i: lanes[(at - 256 + i) * n + lane]) if at >= 256 else lambda i: scalars[at + i]
        if at >= 256 or at < 128:
            value = word(0) | (word(1) << 32 if bits == 64 else 0)
        elif 240 <= at <= 248:
            real = struct.unpack("<f", scalars[at].to_bytes(4, "little"))[0]
            value = int.from_bytes(struct.pack("<d" if bits == 64 else "<e", real), "little")
        elif at == 255:
            value = self.inst.literal << (32 if bits == 64 else 0)
        else:
            value = signed(scalars[at], 32)
        value &= (1 << bits) - 1
        if k < 2 or bits == 16:
            value = value & ~(self.inst.abs >> k << bits - 1 & 1 << bits - 1) ^ (self.inst.neg >> k & 1) << bits - 1
        return value

    def number(self, pattern):
        return struct.unpack("<d", pattern.to_bytes(8, "little"))[0]

    def pattern(self, number):
        return int.from_bytes(struct.pack("<d", number), "little")

    @staticmethod
    def fixed(quotient, below, above):
        """The quotient of two numbers of half precision, where one found in another way is not it."""
        sign = (below ^ above) & 0x8000
        a, b = above & 0x7fff, below & 0x7fff
        if a > 0x7c00 or b > 0x7c00:
            return (above if a > 0x7c00 else below) | 0x200
        if a == b and a in (0, 0x7c00):
            return 0xfe00
        if b == 0 or a == 0x7c00:
            return sign | 0x7c00
        return sign | (0 if a == 0 or b == 0x7c00 else quotient & 0x7fff)


def described(name, pcode):
    """What an instruction does, where the emulator's own description `pcode` is of normal numbers only. AMD's manuals scale
    the denominator up where the quotient and its reciprocal are subnormal; that overflows, and is down here."""
    words = name.removesuffix("_E64").removesuffix("_E32")
    kind = {"F32": ("f32", 64, 96, 23, 253, "8388608.0F", "0.5F"), "F64": ("f64", 128, 768, 53, 2045, "4503599627370496.0", "0.5")}
    real, scale, far, tiny, huge, whole, half = kind.get(words[-3:], [None] * 7)
    s0, s1, s2, d0 = (f"{r}.{real}" for r in ("S0", "S1", "S2", "D0"))
    if words[:-4] == "V_DIV_SCALE" and real:
        # What is divided by is not normal, or its reciprocal is not: both are scaled. The quotient is not: one of them.
        return f"""VCC.u64[laneId] = 0;
if (({s2} == 0.0) || ({s1} == 0.0)) then
{d0} = NAN.{real}
elsif exponent({s2}) - exponent({s1}) >= {far} then
VCC.u64[laneId] = 1;
{d0} = ({s0} == {s1}) ? ldexp({s0}, {scale}) : {s0}
elsif isDENORM({s1}) then
{d0} = ldexp({s0}, {scale})
elsif ((exponent({s1}) >= {huge}) && divWouldBeDenorm({s2}, {s1})) then
VCC.u64[laneId] = 1;
{d0} = ({s0} == {s1}) ? ldexp({s0}, -{scale}) : {s0}
elsif exponent({s1}) >= {huge} then
{d0} = ldexp({s0}, -{scale})
elsif divWouldBeDenorm({s2}, {s1}) then
VCC.u64[laneId] = 1;
{d0} = ({s0} == {s2}) ? ldexp({s0}, {scale}) : {s0}
elsif exponent({s2}) <= {tiny} then
{d0} = ldexp({s0}, {scale})
else
{d0} = {s0}
endif"""
    if words[:-4] == "V_DIV_FIXUP" and words != "V_DIV_FIXUP_F16":
        # A quotient below half of the smallest number is rounded to the nearest, as everything that the tests divide.
        return pcode.replace(f"-UNDERFLOW_{words[-3:]}", "-0.0").replace(f"UNDERFLOW_{words[-3:]}", "0.0")
    if words[:-4] == "V_RNDNE" and real:
        f = "" if real == "f64" else "F"
        whole_part = f"floor({s0})" if real == "f64" else f"64'F(floor({s0}))"
        return f"""{d0} = floor({s0} + {half});
if (isEven({whole_part}) && (fract({s0}) == {half})) then
{d0} -= 1.0{f}
endif;
if abs({s0}) < {half} then
{d0} = 0.0{f}
endif;
if abs({s0}) >= {whole} then
{d0} = {s0}
endif;
if {d0} == 0.0{f} then
{d0} = sign({s0}) ? -0.0{f} : 0.0{f}
endif"""
    return pcode


fma = ctypes.CDLL(None).fma
fma.restype, fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3


class Matrix:
    """Products of matrices of 16x16 by CDNA's units, of bytes (of which the emulator's own translation does not compile) and of half
    precision (where it takes numbers below the normal ones for zeros)."""

    class Globals:
        globals = [0, 1]

    arg = Globals()
    NAME = re.compile(r"V_MFMA_[FI]32_16X16X(16|32)_?(F16|I8)(_E64)?$")
    # What gfx950, which code is not made for, has in the place of gfx90a's: the emulator's names are its.
    OLDER = {"V_MFMA_F32_32X32X16_F16": "V_MFMA_I32_16X16X16_I8"}

    def __init__(self, inst, arch):
        self.inst, self.size = inst, inst.size()
        inner, kind = self.named(inst.op.name).group(1, 2)
        # Elements of a row or column in a lane, and what they are.
        self.own, self.kind, self.width = int(inner) // 4, kind, 2 if kind == "F16" else 1
        if arch != "cdna" or any(getattr(inst, what, 0) for what in ("cbsz", "abid", "blgp", "acc", "acc_cd")):
            raise RuntimeError(f"{inst.op.name} with other settings")

    @classmethod
    def named(cls, name):
        return cls.NAME.match(cls.OLDER.get(name, name))

    @classmethod
    def shimmed(cls, name):
        return cls.named(name) is not None

    def fxn(self, registers, vectors):
        scalars, lanes = words_of(registers), words_of(vectors)
        a, b = (self.factor(s.offset, scalars, lanes) for s in (self.inst.src0, self.inst.src1))
        to, begin = self.inst.vdst.offset - 256, self.inst.src2.offset
        code = "<f" if self.kind == "F16" else "<i"
        sums = {}
        for lane in range(64):
            for i in range(4):
                word = lanes[(begin - 256 + i) * 64 + lane] if begin >= 256 else scalars[begin]
                c, = struct.unpack(code, (word & 0xffffffff).to_bytes(4, "little"))
                total = c + sum(x * y for x, y in zip(a[lane // 16 * 4 + i], b[lane % 16]))
                if self.kind == "I8":
                    total = signed(total & 0xffffffff, 32)
                sums[to + i, lane] = int.from_bytes(struct.pack(code, total), "little")
        for (register, lane), word in sums.items():
            lanes[register * 64 + lane] = word
        following = (scalars[PC] | scalars[PC + 1] << 32) + self.size
        scalars[PC], scalars[PC + 1] = following & 0xffffffff, following >> 32

    def factor(self, at, scalars, lanes):
        """The sixteen rows of the first factor, or columns of the second, in the order in which the unit takes them."""
        rows = [[] for _ in range(16)]
        for lane in range(64):
            count = self.own * self.width // 4
            words = [lanes[(at - 256 + i) * 64 + lane] if at >= 256 else scalars[at] for i in range(count)]
            row = b"".join((w & 0xffffffff).to_bytes(4, "little") for w in words)
            rows[lane % 16] += struct.unpack(f"<{self.own}{'e' if self.kind == 'F16' else 'b'}", row)
        return rows


class ByteMatrix:
    """Products of bytes by RDNA's units: the emulator takes all for signed ones, whatever the instruction says."""

    arg = Matrix.Globals()

    def __init__(self, inst, arch):
        self.inst, self.size, self.whole = inst, inst.size(), arch == "rdna3"
        if inst.clmp:
            raise RuntimeError(f"{inst.op.name} with other settings")

    @staticmethod
    def shimmed(name):
        return name.startswith("V_WMMA_I32_16X16X16_IU8")

    def fxn(self, registers, vectors):
        scalars, lanes = words_of(registers), words_of(vectors)
        a, b = (self.factor(s.offset, self.inst.neg >> n & 1, scalars, lanes) for n, s in enumerate((self.inst.src0, self.inst.src1)))
        to, begin = self.inst.vdst.offset - 256, self.inst.src2.offset
        sums = {}
        for lane in range(32):
            for i in range(8):
                row = 2 * i + lane // 16 if self.whole else i + lane // 16 * 8
                c = lanes[(begin - 256 + i) * 32 + lane] if begin >= 256 else scalars[begin]
                sums[(to + i) * 32 + lane] = c + sum(x * y for x, y in zip(a[row], b[lane % 16])) & 0xffffffff
        for at, word in sums.items():
            lanes[at] = word
        following = (scalars[PC] | scalars[PC + 1] << 32) + self.size
        scalars[PC], scalars[PC + 1] = following & 0xffffffff, following >> 32

    def factor(self, at, is_signed, scalars, lanes):
        """The sixteen rows of the first factor, or columns of the second: whole ones in each lane, or a half."""
        rows = [[] for _ in range(16)]
        for lane in range(16 if self.whole else 32):
            words = [lanes[(at - 256 + i) * 32 + lane] if at >= 256 else scalars[at] for i in range(4 if self.whole else 2)]
            row = b"".join((w & 0xffffffff).to_bytes(4, "little") for w in words)
            rows[lane % 16] += struct.unpack(f"<{len(row)}{'b' if is_signed else 'B'}", row)
        return rows


class CacheControl:
    """What the decoder does not know of NOTHING: MUBUF instructions for caches, by architecture and opcode."""

    OPCODES = {"cdna": (40, 41, 62, 63), "rdna3": (43, 44)}

    class op:
        name = "BUFFER_INV"

    def size(self):
        return 8

    @staticmethod
    def is_one(word, arch):
        return word >> 26 == 0b111000 and word >> 18 & 0x7f in CacheControl.OPCODES.get(arch, ())


# Bytes, and bits that are not the number of bytes times 8.
WIDTHS = {"UBYTE": 1, "SBYTE": 1, "BYTE": 1, "USHORT": 2, "SSHORT": 2, "SHORT": 2, "DWORD": 4, "DWORDX2": 8,
          "DWORDX3": 12, "DWORDX4": 16, "U8": 1, "I8": 1, "B8": 1, "U16": 2, "I16": 2, "B16": 2, "B32": 4, "B64": 8,
          "B96": 12, "B128": 16}
SIGNED = ("SBYTE", "SSHORT", "I8", "I16")


def signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


class Atomic:
    """What an atomic instruction leaves in memory, by the words of its name."""

    def __init__(self, words):
        self.bits = 64 if words[-1] in ("X2", "B64", "U64", "I64", "F64") else 32
        self.real = {"F32": "<f", "F64": "<d"}.get(words[-1])
        self.what = words[0]
        self.is_signed = words[0].startswith("S") and words[0] in ("SMIN", "SMAX") or words[-1] in ("I32", "I64")

    def after(self, old, operand, compared):
        mask = (1 << self.bits) - 1
        if self.what in ("SWAP", "WRXCHG", "STOREXCHG"):
            return operand
        if self.what in ("CMPSWAP", "CMPST", "CMPSTORE"):
            if self.real:
                same = self.number(old) == self.number(compared)
            else:
                same = old == compared
            return operand if same else old
        if self.real:
            a, b = self.number(old), self.number(operand)
            if self.what == "ADD":
                if a - a != 0 or b - b != 0:
                    return self.pattern(a + b)
                return self.pattern(ctypes.c_float(a + b).value if self.bits == 32 else a + b)
            if a != a or b != b:
                return operand if a != a else old
            return operand if (b < a) == (self.what == "MIN") and a != b else old
        low, high = (signed(old, self.bits), signed(operand, self.bits)) if self.is_signed else (old, operand)
        made = {
            "ADD": lambda: old + operand, "SUB": lambda: old - operand, "AND": lambda: old & operand,
            "OR": lambda: old | operand, "XOR": lambda: old ^ operand, "MIN": lambda: min(low, high),
            "MAX": lambda: max(low, high), "INC": lambda: 0 if old >= operand else old + 1,
            "DEC": lambda: operand if old == 0 or old > operand else old - 1,
        }[self.what.lstrip("SU") if self.what in ("SMIN", "UMIN", "SMAX", "UMAX") else self.what]
        return made() & mask

    def number(self, pattern):
        return struct.unpack(self.real, pattern.to_bytes(self.bits // 8, "little"))[0]

    def pattern(self, number):
        return int.from_bytes(struct.pack(self.real, number), "little")


class Memory:
    """Loads, stores and atomics: of scratch memory, of which each lane has its own bytes here, of generic addresses, which
    may be in it or in work-group memory, of work-group memory, and all atomics, one lane after another."""

    PRIVATE_BYTES = 1 << 17
    private = {}

    class Globals:
        globals = [0, 1, 3]

    arg = Globals()

    def __init__(self, inst, arch):
        self.inst, self.size, self.lanes = inst, inst.size(), 64 if arch == "cdna" else 32
        words = inst.op.name.split("_")
        self.space, words = words[0], words[1:]
        self.high, self.half = "HI" in words, "D16" in words
        words = [w for w in words if w not in ("D16", "HI")]
        # On gfx12 the lowest bit of the temporal hint asks an atomic for the old value.
        self.returns = "RTN" in words or bool(
            getattr(inst, "glc", None) or getattr(inst, "sc0", None) or getattr(inst, "th", 0) & 1)
        words = [w for w in words if w not in ("RTN", "ATOMIC")]
        self.kind, self.second = words[0], None
        if self.space == "DS":
            words = self.local(words)
        if self.kind in ("PERMUTE", "BPERMUTE"):
            self.atomic = None
        elif self.kind in ("LOAD", "STORE"):
            self.what = words[1]
            self.width = WIDTHS[self.what]
            self.atomic = None
        else:
            self.atomic = Atomic(words)
            self.width = self.atomic.bits // 8
        if getattr(inst, "acc", 0) and self.space != "BUFFER":
            raise RuntimeError("accumulation registers")

    def is_gfx12(self):
        return hasattr(type(self.inst), "ioffset")

    @staticmethod
    def shimmed(name):
        words = name.split("_")
        if words[0] == "BUFFER":
            return len(words) > 2 and words[1] in ("LOAD", "STORE") and words[2] in WIDTHS
        if words[0] == "DS":
            return not re.match(r"DS_(NOP|SWIZZLE|GWS|CONSUME|APPEND|WRAP|MSKOR|PK|.*XCHG2|.*XCHG_2|.*ADDTID|.*_TR_)", name)
        if words[0] in ("FLAT", "SCRATCH"):
            return "LDS" not in words and "PK" not in words
        return words[0] == "GLOBAL" and words[1] == "ATOMIC" and "PK" not in words

    def local(self, words):
        """The words of an instruction for work-group memory as those of others; whether it has two addresses."""
        self.kind = {"READ": "LOAD", "READ2": "LOAD", "READ2ST64": "LOAD", "WRITE": "STORE", "WRITE2": "STORE",
                     "WRITE2ST64": "STORE"}.get(words[0], words[0])
        if "2" in words[0] or "2ADDR" in words:
            self.second = 64 if "ST64" in words[0] or "STRIDE64" in words else 1
        return [self.kind] + [w for w in words[1:] if w not in ("2ADDR", "STRIDE64")]

    def fxn(self, registers, vectors, shared):
        scalars, lanes = words_of(registers), words_of(vectors)
        active = scalars[VCC_EXEC] | (scalars[VCC_EXEC + 1] << 32 if self.lanes == 64 else 0)
        if self.kind in ("PERMUTE", "BPERMUTE"):
            self.permute(lanes, [lane for lane in range(self.lanes) if active >> lane & 1])
            active = 0
        addresses = self.addresses(scalars, lanes)
        for lane in range(self.lanes):
            if active >> lane & 1 and self.second:
                self.access_two(addresses(lane), lanes, lane, shared.value)
            elif active >> lane & 1:
                memory, at = self.place(addresses(lane), registers.value, lane, shared.value)
                self.access(memory, at, lanes, lane)
        following = (scalars[PC] | scalars[PC + 1] << 32) + self.size
        scalars[PC], scalars[PC + 1] = following & 0xffffffff, following >> 32

    def permute(self, lanes, active):
        """Lanes push what they have to others, or pull it from them; lanes that do nothing have 0."""
        i, n = self.inst, self.lanes
        places = {lane: (lanes[(i.addr.offset - 256) * n + lane] + i.offset0 + (i.offset1 << 8) >> 2) % n for lane in active}
        data = {lane: lanes[(i.data0.offset - 256) * n + lane] for lane in active}
        if self.kind == "PERMUTE":
            pushed = {places[lane]: data[lane] for lane in active}
            got = {lane: pushed.get(lane, 0) for lane in active}
        else:
            got = {lane: data.get(places[lane], 0) for lane in active}
        for lane, value in got.items():
            lanes[(i.vdst.offset - 256) * n + lane] = value

    def access_two(self, address, lanes, lane, shared):
        """Two places in work-group memory, in steps of what is accessed."""
        i, n = self.inst, self.lanes
        for offset, data, k in ((i.offset0, i.data0, 0), (i.offset1, i.data1, 1)):
            at = shared + address + offset * self.width * self.second
            for word in range(self.width // 4):
                here = ctypes.c_uint32.from_address(at + 4 * word)
                if self.kind == "STORE":
                    here.value = lanes[(data.offset - 256 + word) * n + lane]
                else:
                    lanes[(i.vdst.offset - 256 + k * self.width // 4 + word) * n + lane] = here.value

    def addresses(self, scalars, lanes):
        """The address of each lane, in the instruction's own space."""
        i, n = self.inst, self.lanes
        if self.space == "DS":
            offset = 0 if self.second else i.offset0 + (i.offset1 << 8)
            return lambda lane: lanes[(i.addr.offset - 256) * n + lane] + offset
        if self.space == "BUFFER":
            s, vaddr = i.soffset.offset, i.vaddr.offset - 256
            base = i.offset + (scalars[s] if s < 104 else s - 128 if 128 <= s <= 192 else 0)
            return lambda lane: base + (lanes[vaddr * n + lane] if i.offen else 0)
        if self.is_gfx12():
            offset, vaddr = signed(i.ioffset & 0xffffff, 24), i.vaddr.offset - 256
        else:
            field = type(i).offset
            offset, vaddr = signed(i.offset & 0x1fff, field.hi - field.lo + 1), i.addr.offset - 256
        s = i.saddr.offset
        has = s < 124 and self.space != "FLAT"
        if self.space == "SCRATCH":
            base = offset + (scalars[s] if has else 0)
            return lambda lane: base + (lanes[vaddr * n + lane] if i.sve else 0)
        if has:
            base = offset + (scalars[s] | scalars[s + 1] << 32)
            return lambda lane: base + lanes[vaddr * n + lane]
        return lambda lane: offset + (lanes[vaddr * n + lane] | lanes[(vaddr + 1) * n + lane] << 32)

    def place(self, address, wave, lane, shared):
        """Bytes of private memory and a place in them, or `None` and an address of this process."""
        aperture = address >> 32 if self.space == "FLAT" else 0
        if self.space in ("BUFFER", "SCRATCH") or aperture == PRIVATE_APERTURE:
            memory = self.private.setdefault((wave, lane), bytearray(self.PRIVATE_BYTES))
            at = address & 0xffffffff
            if at + self.width > len(memory):
                raise RuntimeError(f"private memory at {at:#x}")
            return memory, at
        if self.space == "DS" or aperture == SHARED_APERTURE:
            return None, shared + (address & 0xffffffff)
        return None, address

    def access(self, memory, at, lanes, lane):
        i, n = self.inst, self.lanes
        data = i.vdata if self.space == "BUFFER" else i.data0 if self.space == "DS" else i.vsrc if self.is_gfx12() else i.data
        data = data.offset - 256

        def read():
            return bytes(memory[at:at + self.width]) if memory is not None else ctypes.string_at(at, self.width)

        def write(value):
            if memory is not None:
                memory[at:at + self.width] = value
            else:
                ctypes.memmove(at, value, self.width)

        def operand(first, width):
            return b"".join(lanes[(first + k) * n + lane].to_bytes(4, "little") for k in range((width + 3) // 4))

        def result(to, value):
            for k in range(0, len(value), 4):
                lanes[(to + k // 4) * n + lane] = int.from_bytes(value[k:k + 4], "little")

        if self.kind == "STORE":
            value = operand(data, self.width)
            write(value[2:2 + self.width] if self.high else value[:self.width])
        elif self.kind == "LOAD":
            to = data if self.space == "BUFFER" else i.vdst.offset - 256
            result(to, self.extended(read(), lanes[to * n + lane]))
        else:
            old = read()
            first, second = operand(data, self.width), None
            if self.atomic.what in ("CMPST", "CMPSTORE"):
                second = operand(i.data1.offset - 256, self.width)
                if self.atomic.what == "CMPST":
                    first, second = second, first
            elif self.atomic.what == "CMPSWAP":
                second = operand(data + self.width // 4, self.width)
            numbers = [int.from_bytes(b, "little") for b in (old, first, second or b"")]
            write(self.atomic.after(*numbers).to_bytes(self.width, "little"))
            if self.returns:
                result(i.vdst.offset - 256, old)

    def extended(self, got, old):
        """What a load of a part of a register leaves in it."""
        if self.width >= 4:
            return got
        value = int.from_bytes(got, "little", signed=self.what in SIGNED)
        if self.half:
            value = old & 0xffff | (value & 0xffff) << 16 if self.high else old & 0xffff0000 | value & 0xffff
        return (value & 0xffffffff).to_bytes(4, "little")
