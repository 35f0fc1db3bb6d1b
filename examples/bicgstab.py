"""BiCGSTAB with a 7-point stencil on a wafer, with NumPy's bits: bicgstab.py [model|rtl|emulated] [small]."""
import pathlib
import sys

import numpy as np
from numpy.linalg import norm
import weft

BACKEND = sys.argv[1] if len(sys.argv) > 1 else "rtl"
P, Q = (3, 3) if BACKEND == "emulated" or "small" in sys.argv else (8, 8)  # tiles
# A tile has BX x BY columns of 4 W points.
BX, BY, W, STEPS = (7, 7, 4, 6) if P == 8 else (1, 1, 4, 2) if BACKEND == "emulated" else (1, 2, 4, 2)
X, Y, Z = P * BX, Q * BY, 4 * W
SIDES = ("north", "south", "west", "east", "down", "up")  # the neighbours at x - 1, x + 1, y - 1 ...


def bf16(x):
    bits = np.atleast_1d(np.asarray(x, np.float32)).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


def fma(a, b, c):
    return (np.float64(a) * np.float64(b) + np.float64(c)).astype(np.float32)


def folded(u):
    """[tile row][tile column][column in the tile][vector][lane] of a mesh [x][y][z]."""
    return np.reshape(u, (P, BX, Q, BY, 4, W)).transpose(0, 2, 1, 3, 5, 4).reshape(P, Q, BX * BY, W, 4)


def to_tiles(u):
    return np.pad(folded(u), ((0, 0),) * 3 + ((1, 1), (0, 0))).reshape(P, Q, -1)


def from_tiles(array):
    inner = array.reshape(P, Q, BX, BY, W + 2, 4)[:, :, :, :, 1:-1]
    return inner.transpose(0, 2, 1, 3, 5, 4).reshape(X, Y, Z)


def neighbours(u):
    """u at each of SIDES of all points."""
    p = np.pad(u, 1)
    return (p[:-2, 1:-1, 1:-1], p[2:, 1:-1, 1:-1], p[1:-1, :-2, 1:-1], p[1:-1, 2:, 1:-1], p[1:-1, 1:-1, :-2],
            p[1:-1, 1:-1, 2:])


def multiply(a, u):
    """A u in the wafer's order: along z, then neighbours in the tile, then those of other tiles, then the diagonal."""
    near = neighbours(u)
    row, col = np.arange(X)[:, None, None] % BX, np.arange(Y)[:, None] % BY
    outside = (row == 0, row == BX - 1, col == 0, col == BY - 1)
    total = fma(a[5], near[5], fma(a[4], near[4], 0))
    for side in range(4):
        total = fma(np.where(outside[side], 0, a[side]), near[side], total)
    for side in (2, 3, 0, 1):
        total = fma(np.where(outside[side], a[side], 0), near[side], total)
    return bf16(fma(u, 1, total))


def chain(tiles):
    """The sum of a line of tiles, from its first one."""
    return sum(tiles[1:], tiles[0])


def dot(a, b):
    """A dot product in the wafer's order: columns, rows of tiles, the middle column, vectors, lanes."""
    sums = np.zeros((P, Q, W, 4), np.float32)
    for u, v in zip(np.moveaxis(folded(a), 2, 0), np.moveaxis(folded(b), 2, 0)):
        sums = fma(u, v, sums)

    columns, middle = np.moveaxis(sums, 1, 0), Q // 2
    rows = columns[middle]
    for side in (columns[:middle], columns[:middle:-1]):
        rows = chain(side) + rows if len(side) else rows
    halves = chain(rows[:P // 2]), chain(rows[:P // 2 - 1:-1])
    lanes = sum(sum(half, np.zeros(4, np.float32)) for half in halves)
    lanes = lanes + np.roll(lanes, 2)
    return (lanes + np.roll(lanes, 1))[0]


def recip(x):
    return bf16(1 / np.float64(bf16(x)))


def reference(a, b, steps):
    """x and r after each of `steps` iterations, rounded as on the wafer."""
    x, r, p, rho = np.zeros_like(b), b, b, bf16(dot(b, b))
    each = []
    for _ in range(steps):
        v = multiply(a, p)
        alpha = bf16(recip(dot(b, v)) * rho)
        s = bf16(fma(v, -alpha, r))
        t = multiply(a, s)
        omega = bf16(recip(dot(t, t)) * bf16(dot(s, t)))
        x = bf16(fma(s, omega, bf16(fma(p, alpha, x))))
        r = bf16(fma(t, -omega, s))
        factor = bf16(recip(rho) * bf16(recip(omega) * alpha))
        rho = bf16(dot(b, r))
        p = bf16(fma(bf16(fma(v, -omega, p)), bf16(factor * rho), r))
        each.append((x, r))
    return each


def near(a, u):
    """A u - u in doubles."""
    return sum(c.astype(np.float64) * v for c, v in zip(a, neighbours(u.astype(np.float64))))


def in_doubles(a, b, steps):
    """x after each of `steps` iterations."""
    x, r, p, each = np.zeros(b.shape), b.astype(np.float64), b.astype(np.float64), []
    rho = np.vdot(b, r)
    for _ in range(steps):
        v = p + near(a, p)
        alpha = rho / np.vdot(b, v)
        s = r - alpha * v
        t = s + near(a, s)
        omega = np.vdot(t, s) / np.vdot(t, t)
        x, r = x + alpha * p + omega * s, s - omega * t
        rho, last = np.vdot(b, r), rho
        p = r + rho / last * alpha / omega * (p - omega * v)
        each.append(x)
    return each


def problem(random):
    """Coefficients of convection and diffusion, divided by those of the diagonal, and a right side."""
    a = random.uniform(0.4, 0.6, size=(6, X, Y, Z)) * np.array([1.5, 1, 1.5, 1, 1.5, 1])[:, None, None, None]
    return bf16(-a / (1 + a.sum(axis=0)) * neighbours(np.ones((X, Y, Z)))), bf16(random.uniform(-1, 1, size=(X, Y, Z)))


def solver():
    """A wafer with the program; p, s and b are in the upper half of large memories."""
    wafer = weft.Wafer(P, Q, backend=BACKEND)
    layout = weft.Layout()
    used = 10 * BX * BY * (Z + 8) + 2 * (BX + BY) * Z + 64
    gap = 16384 - used if P == 8 else 16
    text = "".join(pathlib.Path(__file__).with_name(name).read_text() for name in ("bicgstab.s", "bicgstab_sums.s"))
    layout.program_text(text, name="bicgstab.s and bicgstab_sums.s", BX=BX, BY=BY, W=W, EDGE=max(BX, BY), GAP=gap)
    for name, shift in {"east": (0, 1), "west": (0, -1), "south": (1, 0), "north": (-1, 0)}.items():
        layout.stream("to_" + name, shift=shift)
    wafer.load(layout)
    return wafer


a, b = problem(np.random.default_rng(1))
wafer = solver()
for name, coefficients in zip(SIDES, a):
    wafer[name] = to_tiles(coefficients)
wafer["b"] = to_tiles(b)
wafer["unit"] = np.eye(4).ravel()
work = wafer.run("solve", steps=STEPS)
each, exact = reference(a, b, STEPS), in_doubles(a, b, 3 * STEPS)
x, r = each[-1]
np.testing.assert_array_equal(from_tiles(wafer["x"]), x)
np.testing.assert_array_equal(from_tiles(wafer["r"]), r)
for step, ((u, _), v) in enumerate(zip(each, exact), 1):
    residual, doubles = (norm(b - w - near(a, w)) / norm(b) for w in (u, v))
    print(f"iteration {step}: residual {residual:.1e} of the right side, {doubles:.1e} with doubles")
error = norm(x - exact[-1]) / norm(exact[-1])
assert max(residual, error) < (0.01 if STEPS == 6 else 0.1)
print(f"error {error:.1e}, {work['cycles'] / STEPS / (BX * BY * Z):.1f} cycles a point and iteration")

refined = x.astype(np.float64)
for _ in range(2):  # the wafer solves for what is left, which the host computes in doubles
    wafer["b"] = to_tiles(b - refined - near(a, refined))
    wafer.run("solve", steps=STEPS)
    refined += from_tiles(wafer["x"])
residual = norm(b - refined - near(a, refined)) / norm(b)
assert residual < (1e-6 if STEPS == 6 else 1e-3)
print(f"residual {residual:.1e} after three solutions")
