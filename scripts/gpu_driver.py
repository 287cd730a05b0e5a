"""The few functions of NVIDIA's driver that playing kernels takes, by ctypes. Also runs on unspool's own `libcuda.so.1`."""

import ctypes as c
import time

FUNCTIONS = "cuInit cuDeviceGet cuDeviceGetName cuDevicePrimaryCtxRetain cuCtxSetCurrent cuMemAlloc_v2 cuMemFree_v2 cuModuleLoadDataEx " \
    "cuModuleGetFunction cuLaunchKernel cuEventCreate cuEventRecord cuEventQuery cuMemcpyHtoDAsync_v2 cuMemcpyDtoHAsync_v2 " \
    "cuMemcpyDtoDAsync_v2 cuMemsetD8Async cuStreamCreate".split()  # fmt: skip
# Not there in a stand-in.
OPTIONAL = "cuFuncSetAttribute cuFuncGetAttribute cuEventElapsedTime cuModuleUnload cuDriverGetVersion".split()
ERROR_LOG, ERROR_LOG_BYTES = 5, 6
MAX_DYNAMIC_SHARED = 8


class Failed(Exception):
    """A call of the driver that failed; the context is of no use any more if a kernel is to blame."""


class Late(Exception):
    """A kernel that did not end in its time."""


class Driver:
    """A context on the first device, one stream, and what is done there."""

    def __init__(self):
        self.lib = c.CDLL("libcuda.so.1")
        self.has = {n for n in FUNCTIONS + OPTIONAL if getattr(self.lib, n, None) is not None}
        missing = set(FUNCTIONS) - self.has
        if missing:
            raise Failed(f"libcuda.so.1 lacks {sorted(missing)}")
        self.call("cuInit", 0)
        device, context = c.c_int(), c.c_void_p()
        self.call("cuDeviceGet", c.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", c.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        name = c.create_string_buffer(128)
        self.call("cuDeviceGetName", name, 128, device)
        self.name = name.value.decode()
        self.stream = c.c_void_p()
        self.call("cuStreamCreate", c.byref(self.stream), 1)
        self.ends = self.event()

    def call(self, name, *args):
        status = getattr(self.lib, name)(*args)
        if status != 0:
            raise Failed(f"{name}: {self.error(status)}")

    def error(self, status):
        text = c.c_char_p()
        if self.lib.cuGetErrorName(status, c.byref(text)) == 0 and text.value:
            return text.value.decode().removeprefix("CUDA_ERROR_").lower()
        return str(status)

    def event(self):
        event = c.c_void_p()
        self.call("cuEventCreate", c.byref(event), 0)
        return event

    def version(self):
        number = c.c_int()
        if "cuDriverGetVersion" in self.has:
            self.call("cuDriverGetVersion", c.byref(number))
        return number.value

    def module(self, image):
        """A module from a cubin's or a text's bytes; a text that the driver rejects is an error with its words."""
        module, log = c.c_void_p(), c.create_string_buffer(4096)
        keys = (c.c_int * 2)(ERROR_LOG, ERROR_LOG_BYTES)
        vals = (c.c_void_p * 2)(c.cast(log, c.c_void_p), 4096)
        image = c.create_string_buffer(image, len(image) + 1)
        status = self.lib.cuModuleLoadDataEx(c.byref(module), image, 2, keys, vals)
        if status != 0:
            raise Failed(f"cuModuleLoadDataEx: {self.error(status)}: {log.value.decode(errors='replace').strip()[:300]}")
        return module

    def function(self, module, name, shared):
        function = c.c_void_p()
        self.call("cuModuleGetFunction", c.byref(function), module, name.encode())
        if shared and "cuFuncSetAttribute" in self.has:
            self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, shared)
        return function

    def unload(self, module):
        if "cuModuleUnload" in self.has:
            self.call("cuModuleUnload", module)

    def alloc(self, size):
        at = c.c_uint64()
        self.call("cuMemAlloc_v2", c.byref(at), c.c_size_t(size))
        return at.value

    def free(self, at):
        self.call("cuMemFree_v2", c.c_uint64(at))

    def upload(self, at, data):
        self.call("cuMemcpyHtoDAsync_v2", c.c_uint64(at), data, c.c_size_t(len(data)), self.stream)
        self.wait(10)

    def download(self, at, size):
        data = c.create_string_buffer(size)
        self.call("cuMemcpyDtoHAsync_v2", data, c.c_uint64(at), c.c_size_t(size), self.stream)
        self.wait(10)
        return data.raw

    def copy(self, to, at, size):
        self.call("cuMemcpyDtoDAsync_v2", c.c_uint64(to), c.c_uint64(at), c.c_size_t(size), self.stream)

    def clear(self, at, size):
        self.call("cuMemsetD8Async", c.c_uint64(at), c.c_ubyte(0), c.c_size_t(size), self.stream)

    def launch(self, function, grid, block, shared, params):
        """Starts a kernel; `params` are the bytes of each."""
        packed = b""
        for p in params:
            # A structure is aligned as its words are.
            packed += bytes(-len(packed) % (len(p) if len(p) in (1, 2, 4, 8) else 4)) + p
        # The names of the words are 1 (the place), 2 (its size) and 0 (the end).
        size = c.c_size_t(len(packed))
        packed = c.create_string_buffer(packed, len(packed) + 1)
        extra = (c.c_void_p * 5)(1, c.cast(packed, c.c_void_p), 2, c.cast(c.pointer(size), c.c_void_p), None)
        self.call("cuLaunchKernel", function, *grid, *block, shared, self.stream, None, extra)

    def wait(self, limit):
        """Until all that was started has ended, `limit` seconds at most."""
        self.call("cuEventRecord", self.ends, self.stream)
        start = time.perf_counter()
        naps = 0
        while True:
            status = self.lib.cuEventQuery(self.ends)
            if status == 0:
                return
            if status != 600:
                raise Failed(self.error(status))
            if time.perf_counter() - start > limit:
                raise Late
            naps += 1
            if naps > 200:
                time.sleep(0.0005)

    def mark(self, event):
        self.call("cuEventRecord", event, self.stream)

    def between(self, first, last):
        """Seconds between two events, which have happened."""
        if "cuEventElapsedTime" not in self.has:
            return 0.0
        ms = c.c_float()
        self.call("cuEventElapsedTime", c.byref(ms), first, last)
        return ms.value / 1e3
