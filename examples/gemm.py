"""C = A B on a wafer, compared with NumPy: gemm.py [model|rtl|emulated]."""
import pathlib
import sys

import numpy as np
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
ROWS, COLS = (3, 3) if BACKEND == "emulated" else (8, 8)
M, K, COLUMNS = 16, 16, 4  # of the block of A of a tile; columns of B in a run
N = 2 * COLUMNS

wafer = weft.Wafer(ROWS, COLS, backend=BACKEND)
layout = weft.Layout()
layout.program(pathlib.Path(__file__).with_name("gemm.s"), M=M, K=K, COLUMNS=COLUMNS)
layout.broadcast("share", "b", along="columns")
layout.reduce("sum", "c", along="rows")
wafer.load(layout)

random = np.random.default_rng(1)
a, b = random.integers(-8, 9, size=(ROWS * M, COLS * K)), random.integers(-8, 9, size=(COLS * K, N))
wafer["a"] = a.reshape(ROWS, M, COLS, K).transpose(0, 2, 3, 1).reshape(ROWS, COLS, K * M)
c = np.empty((ROWS * M, N), np.float32)
for n in range(0, N, COLUMNS):
    part = b[:, n:n + COLUMNS].reshape(COLS, K, COLUMNS)
    wafer["b"] = part.swapaxes(1, 2).reshape(1, COLS, K * COLUMNS)  # the first row's is used
    work = wafer.run("main")
    c[:, n:n + COLUMNS] = wafer["c"][:, 0].reshape(ROWS, COLUMNS, M).swapaxes(1, 2).reshape(ROWS * M, COLUMNS)
np.testing.assert_array_equal(c, a @ b)  # sums of small integers are exact
print(f"{work['cycles']} cycles, {work['multiply_adds']} multiply-adds in a run")
