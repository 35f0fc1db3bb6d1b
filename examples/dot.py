"""A dot product over all tiles of a wafer, compared with NumPy: dot.py [model|rtl|emulated]."""
import pathlib
import sys

import numpy as np
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
ROWS, COLS = (3, 3) if BACKEND == "emulated" else (8, 8)
PARTS = 9  # of 28 elements

wafer = weft.Wafer(ROWS, COLS, backend=BACKEND)
layout = weft.Layout()
layout.program(pathlib.Path(__file__).with_name("dot.s"), PARTS=PARTS, GAP=16)
layout.reduce("total", "dot", root=(ROWS // 2, COLS // 2))
wafer.load(layout)

wafer["x"], wafer["y"] = np.random.default_rng(1).integers(-8, 9, size=(2, ROWS, COLS, 28 * PARTS))
work = wafer.run("main")
result = wafer["dot"][ROWS // 2, COLS // 2].sum()
assert result == np.sum(wafer["x"] * wafer["y"])  # sums of small integers are exact
print(f"{result:.0f}, {work['cycles']} cycles, {work['multiply_adds']} multiply-adds")
