# ---- SIMD within a word (CUDA's video instructions) -------------------------------------------------------------
# Two halves or four bytes at once, in operations on whole words: @H@ are the lanes' highest bits, @L@ all others, @ONE@ the lowest.
# What stays below the highest bits never reaches the next lane; the highest bits are put right by a logical operation.
def lanes(name, text, params="ab"):
    """The function for both widths; the text computes `r`."""
    for n, bits in (("2", 16), ("4", 8)):
        ones = 0x10001 if bits == 16 else 0x1010101
        high = ones << (bits - 1)
        values = {"H": "%du" % high, "L": "%du" % (high ^ 0xffffffff), "ONE": "%du" % ones, "EVEN": "%du" % (ones ^ 0xffffffff),
                  "TOP": "%d" % (bits - 1)}
        body = text[n] if isinstance(text, dict) else text
        for key, value in values.items():
            body = body.replace("@%s@" % key, value)
        args = ", ".join("unsigned int " + p for p in params)
        emit("video", """
//@ fn __unspool_%s inline
static unsigned int __unspool_%s(%s) {
%s
  return r;
}
""" % (name + n, name + n, args, "\n".join("  " + line.strip() for line in body.strip().splitlines())))


# All bits of the lanes whose highest bit is set in `h`, which has no others.
def whole(name, h):
    return "unsigned int %s_top = %s; unsigned int %s = (%s_top << 1) - (%s_top >> @TOP@);\n" % (name, h, name, name, name)


ADD = "unsigned int s = ((a & @L@) + (b & @L@)) ^ ((a ^ b) & @H@);\n"
# `t` has a lane's highest bit where the rest of a's lane is no smaller than that of b's.
SUB = "unsigned int t = (a | @H@) - (b & @L@);\nunsigned int d = t ^ (~(a ^ b) & @H@);\n"
# The highest bits of the lanes where a >= b.
AT_LEAST = {"u": "(((a & ~b) | (~(a ^ b) & t)) & @H@)", "s": "(((~a & b) | (~(a ^ b) & t)) & @H@)"}
REST = "unsigned int t = (a | @H@) - (b & @L@);\n"
# What a sum or difference that is too far on the side of a is: the largest or the smallest number.
FARTHEST = "unsigned int far = ((a >> @TOP@) & @ONE@) + @L@;\n"

lanes("vadd", ADD + "unsigned int r = s;")
lanes("vsub", SUB + "unsigned int r = d;")
lanes("vneg", "unsigned int r = (@H@ - (a & @L@)) ^ (~a & @H@);", "a")
ABS = whole("m", "a & @H@") + "unsigned int r = (a ^ m) + (m_top >> @TOP@);\n"
lanes("vabs", ABS, "a")
lanes("vabsss", ABS + "r = r - ((r & @H@) >> @TOP@);", "a")
lanes("vnegss", "unsigned int r = (@H@ - (a & @L@)) ^ (~a & @H@);\nr = r - ((a & r & @H@) >> @TOP@);", "a")
SATURATE = FARTHEST + "unsigned int r = (%s & ~m) | (far & m);"
lanes("vaddss", ADD + whole("m", "~(a ^ b) & (a ^ s) & @H@") + SATURATE % "s")
lanes("vsubss", SUB + whole("m", "(a ^ b) & (a ^ d) & @H@") + SATURATE % "d")
lanes("vaddus", ADD + whole("m", "((a & b) | ((a | b) & ~s)) & @H@") + "unsigned int r = s | m;")
lanes("vsubus", SUB + whole("m", AT_LEAST["u"]) + "unsigned int r = d & m;")
lanes("vhaddu", "unsigned int r = (a & b) + (((a ^ b) & @EVEN@) >> 1);")
lanes("vavgu", "unsigned int r = (a | b) - (((a ^ b) & @EVEN@) >> 1);")
# Halves go away from zero. With the highest bits turned around, numbers keep their order and the mean that is rounded down has its
# highest bit where the sum is not negative.
lanes("vavgs", """
unsigned int low = ((a ^ @H@) & (b ^ @H@)) + (((a ^ b) & @EVEN@) >> 1);
unsigned int r = (low + ((low >> @TOP@) & (a ^ b) & @ONE@)) ^ @H@;
""")
for _s in "su":
    _gap = SUB + whole("m", AT_LEAST[_s]) + "unsigned int %s = (d ^ ~m) + (~m & @ONE@);\n"
    lanes("vabsdiff" + _s, _gap % "r")
    lanes("vsad" + _s, {"2": _gap % "g" + "unsigned int r = (g & 65535u) + (g >> 16);",
                        "4": _gap % "g" + "g = (g & 16711935u) + ((g >> 8) & 16711935u);\nunsigned int r = (g & 65535u) + (g >> 16);"})
    lanes("vmax" + _s, REST + whole("m", AT_LEAST[_s]) + "unsigned int r = (a & m) | (b & ~m);")
    lanes("vmin" + _s, REST + whole("m", AT_LEAST[_s]) + "unsigned int r = (b & m) | (a & ~m);")
# The highest bits of the lanes that differ.
UNLIKE = "unsigned int x = a ^ b;\nunsigned int h = (((x & @L@) + @L@) | x) & @H@;\n"
_tests = {"ne": UNLIKE, "eq": UNLIKE + "h = h ^ @H@;\n"}
for _s in "su":
    _ge = REST + "unsigned int h = " + AT_LEAST[_s] + ";\n"
    # `a <= b` is `b >= a`.
    _le = "unsigned int c = a; a = b; b = c;\n" + _ge
    _tests |= {"ge" + _s: _ge, "lt" + _s: _ge + "h = h ^ @H@;\n", "le" + _s: _le, "gt" + _s: _le + "h = h ^ @H@;\n"}
for _c, _test in _tests.items():
    lanes("vcmp" + _c, _test + whole("r", "h"))
    lanes("vset" + _c, _test + "unsigned int r = h >> @TOP@;")
