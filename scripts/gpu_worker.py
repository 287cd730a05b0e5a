"""The process of `gpu_kernels.py` that plays kernels: a request a line, an answer a line. After an error the context is not
trusted any more; whoever asks starts another process."""

import array
import json
import os
import statistics
import struct
import sys
import time

import gpu_driver
import kernel_plans as plans

# Seconds that a launch may take, by what is asked.
LIMITS = {"check": 3.0, "jit": 3.0, "search": 0.4, "time": 2.0}
CLOSE = 1e-4
KINDS = {"f32": 1, "f64": 2, "f16": 3}
ALIGN = 1 << 16
# How many steps a ramp has; behind it are zeros.
RAMP = 1 << 20


class Player:
    def __init__(self, pack, large):
        self.pack, self.large = pack, large
        self.gpu = gpu_driver.Driver()
        self.units, self.modules, self.tiles = {}, {}, {}
        self.room, self.base = 0, 0
        self.comparer = None
        self.begin, self.over = self.gpu.event(), self.gpu.event()

    def plan(self, unit, at):
        if unit not in self.units:
            self.units[unit] = plans.read(self.pack / f"{unit}.json")
        return self.units[unit]["kernels"][at]

    def image(self, unit, which):
        """The cubin, or the text where there is no cubin of it."""
        path = self.pack / f"{unit}.{which}.cubin"
        return path.read_bytes() if path.exists() else (self.pack / f"{unit}.{which}.ptx").read_bytes()

    def module(self, unit, which, fresh):
        """A module; `fresh` is one whose variables nobody has written."""
        if fresh or (unit, which) not in self.modules:
            if (unit, which) in self.modules:
                self.gpu.unload(self.modules.pop((unit, which)))
            image = (self.pack / f"{unit}.ours.ptx").read_bytes() if which == "text" else self.image(unit, which)
            self.modules[unit, which] = self.gpu.module(image)
        return self.modules[unit, which]

    def forget(self):
        """Unloads all modules."""
        for module in self.modules.values():
            self.gpu.unload(module)
        self.modules.clear()

    def reserve(self, size):
        if size > self.room:
            if self.room:
                self.gpu.free(self.base)
            self.base, self.room = self.gpu.alloc(size), size
            self.gpu.clear(self.base, size)

    def tile(self, element, index, size):
        key = (element, index, size)
        if key not in self.tiles:
            self.tiles[key] = plans.values(*key)
        return self.tiles[key]

    def layout(self, kernel, bytes_of):
        """Where the buffers begin, and where all of them end. Each has room behind it."""
        places, at = [], 0
        for p in kernel["params"]:
            if "buffer" in p:
                size = bytes_of(p)
                places.append((at, size))
                at += -(-size // ALIGN) * ALIGN + ALIGN
            else:
                places.append(None)
        return places, at

    def fill(self, kernel, places, size):
        """Puts what was generated into the buffers, again and again where they are larger."""
        for index, (p, place) in enumerate(zip(kernel["params"], places)):
            if place is None:
                continue
            at, full = self.base + place[0], place[1]
            if "ramp" in p:
                data = self.ramp(p["buffer"], p["ramp"])[:full]
                self.gpu.clear(at, full)
                self.gpu.upload(at, data)
                continue
            data = self.tile(p["buffer"], index, p.get("below", size))
            self.gpu.upload(at, data[:full])
            done = len(data)
            while done < full:
                step = min(done, full - done)
                self.gpu.copy(at + done, at, step)
                done += step

    def ramp(self, element, step):
        key = (element, "ramp", step)
        if key not in self.tiles:
            form = plans.INTEGERS[element]
            top = 1 << (8 * struct.calcsize(form) - 1)
            self.tiles[key] = array.array(form, range(0, min(step * (RAMP + 1), top), step)).tobytes()
        return self.tiles[key]

    def arguments(self, kernel, places, size):
        given = []
        for p, place in zip(kernel["params"], places):
            if place is not None:
                given.append(struct.pack("<Q", self.base + place[0]))
            elif "bytes" in p:
                given.append(bytes.fromhex(p["bytes"]))
            else:
                given.append(plans.number(p["number"], size if p["sized"] else p["value"]))
        return given

    def small(self, unit, kernel, which, limit):
        """What one code leaves of the launch that the interpreter has made."""
        places, end = self.layout(kernel, lambda p: len(plans.values(p["buffer"], 0, 1)))
        self.reserve(max(end, 1 << 22))
        self.fill(kernel, places, kernel["size"])
        function = self.gpu.function(self.module(unit, which, True), kernel["entry"], kernel["shared"])
        self.gpu.launch(function, kernel["grid"], kernel["block"], kernel["shared"], self.arguments(kernel, places, kernel["size"]))
        self.gpu.wait(limit)
        return [self.gpu.download(self.base + at, size) for at, size in filter(None, places)]

    def check(self, unit, at, codes):
        kernel, left = self.plan(unit, at), {}
        for which in codes:
            self.stage = which
            left[which] = self.small(unit, kernel, which, LIMITS["check"])
        self.stage = "compare"
        buffers = [(i, p) for i, p in enumerate(kernel["params"]) if "buffer" in p]
        elements = [p["buffer"] for _, p in buffers]
        left["interpreter"] = [plans.restored(self.tile(p["buffer"], i, kernel["size"]), p["left"]) for i, p in buffers]
        answer = {"far": {}}
        for name, a, b in (("nvcc", codes[1], "nvcc"), ("interpreter", codes[1], "interpreter"), ("nvcc_interpreter", "nvcc", "interpreter")):
            found = [f for f in map(plans.compare, left[a], left[b], elements) if f]
            worst = max((f[0] for f in found), default=0)
            answer[name] = "DIFFERENT" if worst >= CLOSE else "close" if found else "same"
            if found:
                answer["far"][name] = f"{sum(f[1] for f in found)} elements, at most {worst:.3g}"
        if "DIFFERENT" in (answer["nvcc"], answer["interpreter"]) and not self.repeats(unit, kernel, left["nvcc"]):
            answer |= {"nvcc": "by chance", "interpreter": "by chance"}
        elif answer["interpreter"] == "DIFFERENT" and answer["nvcc"] != "DIFFERENT":
            answer["interpreter"] = "INTERPRETER ALONE"
        return answer

    def repeats(self, unit, kernel, left):
        """Whether nvcc's code leaves the same each time: what depends on the order of atomic operations does not."""
        self.stage = "nvcc"
        return all(self.small(unit, kernel, "nvcc", LIMITS["check"]) == left for _ in range(3))

    def large_layout(self, kernel):
        count = sum("buffer" in p for p in kernel["params"])
        each = self.large if count <= 8 else self.large // 4
        places, end = self.layout(kernel, lambda p: each)
        self.reserve(2 * max(end, ALIGN))
        return places, end

    def search(self, unit, at, size, block, grid):
        """Both codes once at a size: the time of nvcc's, and whether they leave the same."""
        kernel = self.plan(unit, at)
        places, end = self.large_layout(kernel)
        seconds, given = {}, self.arguments(kernel, places, size)
        copy = lambda: self.gpu.copy(self.base + end, self.base, end)

        def once(which):
            self.stage = which
            self.fill(kernel, places, size)
            function = self.gpu.function(self.module(unit, which, True), kernel["entry"], kernel["shared"])
            self.gpu.wait(10)
            start = time.perf_counter()
            self.gpu.mark(self.begin)
            self.gpu.launch(function, grid, block, kernel["shared"], given)
            self.gpu.mark(self.over)
            self.gpu.wait(LIMITS["search"])
            seconds[which] = self.gpu.between(self.begin, self.over) or time.perf_counter() - start

        once("nvcc")
        if end:
            copy()
        once("ours")
        differ = self.differing(kernel, places, end)
        stable = True
        for _ in range(3 if differ else 0):
            once("nvcc")
            stable = stable and not self.differing(kernel, places, end)
        return {"seconds": seconds["nvcc"], "ours": seconds["ours"], "differ": differ, "stable": stable}

    def differing(self, kernel, places, end):
        """In which buffers the first half of the room differs from the second by more than the last digits."""
        if self.comparer is None:
            image = self.pack / "compare.cubin"
            image = image.read_bytes() if image.exists() else (self.pack / "compare.ptx").read_bytes()
            self.comparer = self.gpu.function(self.gpu.module(image), "compare", 0)
            self.counts = self.gpu.alloc(16)
        found = []
        for index, (p, place) in enumerate(zip(kernel["params"], places)):
            if place is None:
                continue
            self.gpu.clear(self.counts, 16)
            given = [struct.pack("<Q", self.base + place[0]), struct.pack("<Q", self.base + end + place[0]),
                     struct.pack("<Q", place[1] // 8), struct.pack("<i", KINDS.get(p["buffer"], 0)), struct.pack("<Q", self.counts)]  # fmt: skip
            self.gpu.launch(self.comparer, [1024, 1, 1], [256, 1, 1], 0, given)
            self.gpu.wait(10)
            count, worst = struct.unpack("<Qd", self.gpu.download(self.counts, 16))
            if count and not worst < CLOSE:
                found.append(f"buffer {index}: {count} of {place[1] // 8} words, at most {worst:.3g}")
        return found

    def time(self, unit, at, size, block, grid, repeat):
        """Medians of both, in turns."""
        kernel = self.plan(unit, at)
        self.forget()
        places, _ = self.large_layout(kernel)
        given = self.arguments(kernel, places, size)
        codes = ["nvcc", "ours"] + (["other"] if (self.pack / f"{unit}.other.cubin").exists() else [])
        functions = {w: self.gpu.function(self.module(unit, w, False), kernel["entry"], kernel["shared"]) for w in codes}
        times, several = {w: [] for w in codes}, 1
        for n in range(repeat + 2):
            for which, function in functions.items():
                self.stage = which
                self.fill(kernel, places, size)
                start = time.perf_counter()
                self.gpu.mark(self.begin)
                for _ in range(several):
                    self.gpu.launch(function, grid, block, kernel["shared"], given)
                self.gpu.mark(self.over)
                self.gpu.wait(LIMITS["time"])
                took = (self.gpu.between(self.begin, self.over) or time.perf_counter() - start) / several
                if n > 1:
                    times[which].append(took)
            # Short ones several times in a row, so that the clock's grain does not matter.
            several = max(1, min(20, int(200e-6 / max(took, 1e-6))))
        answer = {w: statistics.median(t) for w, t in times.items()}
        answer |= {"least": {w: min(t) for w, t in times.items()}, "size": size, "grid": grid, "block": block}
        return answer | {"registers": [self.attribute(functions[w], 4) for w in ("ours", "nvcc")]}

    def attribute(self, function, which):
        if "cuFuncGetAttribute" not in self.gpu.has:
            return None
        import ctypes

        value = ctypes.c_int()
        self.gpu.call("cuFuncGetAttribute", ctypes.byref(value), which, function)
        return value.value

    def answer(self, request):
        do, unit, at = request["do"], request["unit"], request["kernel"]
        if do == "check":
            return self.check(unit, at, ("nvcc", "ours"))
        if do == "jit":
            return self.check(unit, at, ("nvcc", "text"))
        launch = [request[k] for k in ("size", "block", "grid")]
        return self.search(unit, at, *launch) if do == "search" else self.time(unit, at, *launch, request["repeat"])


def serve(pack, large):
    player = None
    # What kernels print goes nowhere.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        request, stage = json.loads(line), "start"
        try:
            if player is None:
                player = Player(pack, large)
            player.stage = "prepare"
            answer = player.answer(request)
        except gpu_driver.Late:
            answer = {"error": "late", "stage": player.stage}
        except (gpu_driver.Failed, OSError) as e:
            answer = {"error": str(e)[:300], "stage": player.stage if player else stage}
        print(json.dumps(answer), file=answers, flush=True)
    return 0
