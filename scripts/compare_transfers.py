#!/usr/bin/env python3
"""How long transfers of buffers take on every OpenCL platform that the loader finds, with pyopencl: the least of many rounds.

    OCL_ICD_VENDORS=FOLDER scripts/compare_transfers.py [--mebibytes 64] [--rounds 60]

Milliseconds; `new, write` makes a buffer, writes all of it and releases it.
"""

import argparse
import time

import numpy as np
import pyopencl as cl
import toolbox as t


def least(rounds, work):
    """The least time in milliseconds."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return best * 1e3


def transfers(device, size):
    """What is measured, by name."""
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    data, back = np.random.randint(0, 255, size, dtype=np.uint8), np.zeros(size, np.uint8)
    access = cl.mem_flags.READ_WRITE
    one, two = cl.Buffer(context, access, size), cl.Buffer(context, access, size)

    def mapped():
        view, _ = cl.enqueue_map_buffer(queue, one, cl.map_flags.READ | cl.map_flags.WRITE, 0, (size,), np.uint8)
        view.base.release(queue)
        queue.finish()

    def new():
        buffer = cl.Buffer(context, access, size)
        cl.enqueue_copy(queue, buffer, data)
        buffer.release()

    def copied():
        cl.enqueue_copy(queue, two, one)
        queue.finish()

    def filled():
        cl.enqueue_fill_buffer(queue, two, np.uint32(0x01020304), 0, size)
        queue.finish()

    def written():
        cl.enqueue_copy(queue, one, data)

    def read():
        cl.enqueue_copy(queue, back, one)

    written()
    read()
    assert (data == back).all(), device.name
    works = {"write": written, "read": read, "copy": copied, "fill": filled, "map, unmap": mapped, "new, write": new}
    return works


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mebibytes", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=60)
    args = parser.parse_args()
    rows, names = [], []
    for platform in cl.get_platforms():
        for device in platform.get_devices()[:1]:
            works = transfers(device, args.mebibytes << 20)
            names = list(works)
            rows.append([platform.name] + [f"{least(args.rounds, work):.3f}" for work in works.values()])
    print(t.table(["platform"] + names, rows))


if __name__ == "__main__":
    main()
