"""A 5-point stencil on a wafer, compared with NumPy: stencil.py [model|rtl|emulated]."""
import pathlib
import sys

import numpy as np
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
ROWS, COLS = (3, 3) if BACKEND == "emulated" else (8, 8)
N, STEPS = 64, 10


def reference(u):
    """A step in doubles."""
    padded = np.pad(u, ((1, 1), (1, 1), (0, 0)))
    neighbours = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return 0.5 * u + 0.125 * neighbours


wafer = weft.Wafer(ROWS, COLS, backend=BACKEND)
layout = weft.Layout()
layout.program(pathlib.Path(__file__).with_name("stencil.s"), N=N)
for name, shift in {"east": (0, 1), "west": (0, -1), "south": (1, 0), "north": (-1, 0)}.items():
    layout.stream(name, shift=shift)
wafer.load(layout)

wafer["u"] = np.random.default_rng(1).random((ROWS, COLS, N))
expected = wafer["u"].astype(np.float64)
work = wafer.run("main", steps=STEPS, center=0.5, side=0.125)
for _ in range(STEPS):
    expected = reference(expected)
# A step rounds twice to bf16, each time by at most 2^-9 of values below 1.
assert np.max(np.abs(wafer["u"] - expected)) <= STEPS * 2 * 2.0**-9
print(f"{work['cycles'] / STEPS:.0f} cycles a step, {work['beats']} beats")
