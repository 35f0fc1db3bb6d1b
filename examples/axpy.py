"""y = a x + y on a wafer, compared with NumPy: axpy.py [model|rtl|emulated]."""
import pathlib
import sys

import numpy as np
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
ROWS, COLS = (3, 3) if BACKEND == "emulated" else (8, 8)
N = 256

wafer = weft.Wafer(ROWS, COLS, backend=BACKEND)
layout = weft.Layout()
layout.program(pathlib.Path(__file__).with_name("axpy.s"), N=N, GAP=16)
wafer.load(layout)

random = np.random.default_rng(1)
wafer["x"], wafer["y"] = random.normal(size=(2, ROWS, COLS, N))
x, y = wafer["x"], wafer["y"]  # rounded to bf16
work = wafer.run("axpy", a=1.5)
result = wafer["y"]
expected = 1.5 * x + y
assert np.all(np.abs(result - expected) <= 2.0**-8 * np.abs(expected)), "more than the rounding to bf16"
print(f"{work['beats']} beats, {work['cycles']} cycles, {result.size} elements")
