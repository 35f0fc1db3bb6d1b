"""A 7-point stencil on a wafer, with NumPy's bits: stencil7.py [model|rtl|emulated]."""
import pathlib
import sys

import numpy as np
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
ROWS, COLS = (3, 3) if BACKEND == "emulated" else (8, 8)
W, STEPS = 8, 3  # 4 W points in a tile


def bf16(x):
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


def reference(u):
    """A step that rounds as the wafer does: sums in fp32, in the order of the kernel, points in bf16."""
    p = np.pad(u, 1)
    total = p[1:-1, :-2, 1:-1] + p[1:-1, 2:, 1:-1] + p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1]
    total = total + p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:]
    return bf16(0.25 * u.astype(np.float64) + 0.125 * bf16(total))


wafer = weft.Wafer(ROWS, COLS, backend=BACKEND)
layout = weft.Layout()
layout.program(pathlib.Path(__file__).with_name("stencil7.s"), W=W, NEXT=4)
for name, shift in {"east": (0, 1), "west": (0, -1), "south": (1, 0), "north": (-1, 0)}.items():
    layout.stream(name, shift=shift)
wafer.load(layout)

u = bf16(np.random.default_rng(1).random((ROWS, COLS, 4 * W)))
wafer["unit"] = np.eye(4).ravel()
wafer["u"] = np.pad(u.reshape(ROWS, COLS, 4, W).swapaxes(2, 3).reshape(ROWS, COLS, -1), ((0, 0), (0, 0), (4, 4)))
work = wafer.run("main", steps=STEPS, center=0.25, side=0.125)
for _ in range(STEPS):
    u = reference(u)
np.testing.assert_array_equal(wafer["u"][:, :, 4:-4].reshape(ROWS, COLS, W, 4).swapaxes(2, 3).reshape(u.shape), u)
print(f"{work['cycles'] / STEPS:.0f} cycles a step, {work['beats']} beats")
