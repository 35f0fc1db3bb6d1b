"""A dot product over all tiles of a wafer, compared with NumPy: dot.py [model|rtl|emulated]."""
import pathlib
import sys

import numpy as np
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
ROWS, COLS = (3, 3) if BACKEND == "emulated" else (8, 8)
N = 256

wafer = weft.Wafer(ROWS, COLS, backend=BACKEND)
layout = weft.Layout()
layout.program(pathlib.Path(__file__).with_name("dot.s"), N=N)
layout.all_reduce("total", "dot")
wafer.load(layout)

wafer["x"], wafer["y"] = np.random.default_rng(1).integers(-8, 9, size=(2, ROWS, COLS, N))
work = wafer.run("main")
result = wafer["dot"]
assert np.all(result == result[0, 0]), "all tiles have the sums"
assert result[0, 0].sum() == np.sum(wafer["x"] * wafer["y"])  # sums of small integers are exact
print(f"{result[0, 0].sum():.0f}, {work['cycles']} cycles, {work['multiply_adds']} multiply-adds")
