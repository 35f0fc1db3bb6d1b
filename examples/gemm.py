"""C = A B on a square of tiles (SUMMA), compared with NumPy: gemm.py [model|rtl|emulated]."""
import pathlib
import sys

import numpy as np
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
P = 3 if BACKEND == "emulated" else 6  # rows and columns of tiles
N = 12  # of the blocks of a tile


def blocks(matrix):
    """[tile row][tile column][element], each block column by column."""
    return matrix.reshape(P, N, P, N).transpose(0, 2, 3, 1).reshape(P, P, N * N)


wafer = weft.Wafer(P, P, backend=BACKEND)
layout = weft.Layout()
layout.program(pathlib.Path(__file__).with_name("gemm.s"), N=N)
for name, shift in {"east": (0, 1), "west": (0, -1), "south": (1, 0), "north": (-1, 0)}.items():
    layout.stream(name, shift=shift)
wafer.load(layout)

a, b = np.random.default_rng(1).integers(-8, 9, size=(2, P * N, P * N))
wafer["a"], wafer["b"] = blocks(a), blocks(b)
work = wafer.run("main", steps=P)
np.testing.assert_array_equal(wafer["c"], blocks(a @ b))  # sums of small integers are exact
print(f"{work['cycles']} cycles, {work['multiply_adds']} multiply-adds")
