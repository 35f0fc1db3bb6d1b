"""y = A x on a wafer, compared with NumPy: gemv.py [model|rtl|emulated]."""
import pathlib
import sys

import numpy as np
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
ROWS, COLS = (3, 3) if BACKEND == "emulated" else (8, 8)
M, K = 32, 16  # of the block of a tile

wafer = weft.Wafer(ROWS, COLS, backend=BACKEND)
layout = weft.Layout()
layout.program(pathlib.Path(__file__).with_name("gemv.s"), M=M, K=K)
layout.broadcast("share", "x", along="columns")
layout.reduce("sum", "y", along="rows")
wafer.load(layout)

random = np.random.default_rng(1)
matrix, x = random.integers(-8, 9, size=(ROWS * M, COLS * K)), random.integers(-8, 9, size=COLS * K)
wafer["a"] = matrix.reshape(ROWS, M, COLS, K).transpose(0, 2, 3, 1).reshape(ROWS, COLS, K * M)
wafer["x"] = x.reshape(1, COLS, K)  # the first row's is used
work = wafer.run("main")
y = wafer["y"][:, 0].ravel()
np.testing.assert_array_equal(y, matrix @ x)  # sums of small integers are exact
print(f"{work['cycles']} cycles, {work['multiply_adds']} multiply-adds")
