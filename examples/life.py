"""Games of life on a wafer, compared with NumPy: life.py [model|rtl|emulated]."""
import pathlib
import sys

import numpy as np
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
ROWS, COLS = (3, 3) if BACKEND == "emulated" else (8, 8)
N, STEPS = 32, 10  # boards, steps


def reference(u):
    padded = np.pad(u, ((1, 1), (1, 1), (0, 0)))
    total = sum(padded[r:r + ROWS, c:c + COLS] for r in range(3) for c in range(3))
    return (total == 3) | ((u == 1) & (total == 4))


wafer = weft.Wafer(ROWS, COLS, backend=BACKEND)
layout = weft.Layout()
layout.program(pathlib.Path(__file__).with_name("life.s"), N=N)
for name, shift in {"east": (0, 1), "west": (0, -1), "south": (1, 0), "north": (-1, 0)}.items():
    layout.stream(name, shift=shift)
wafer.load(layout)

u = np.random.default_rng(1).random((ROWS, COLS, N)) < 0.4
wafer["u"] = u
work = wafer.run("main", steps=STEPS)
for _ in range(STEPS):
    u = reference(u.astype(int))
np.testing.assert_array_equal(wafer["u"], u)
print(f"{work['cycles'] / STEPS:.0f} cycles a step, {int(u.sum())} of {u.size} cells live")
