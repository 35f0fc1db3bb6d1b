"""Wafers with programs of one's own: docs/reference/programs.md."""
import os
import sys

import numpy as np

from weft import _weft
from weft.debugger import Debugger
from weft.errors import Error


def _region(rows, cols):
    """(row, col, rows, cols) of two ranges; None: all."""
    def span(of, name):
        if of is None:
            return 0, 0
        if isinstance(of, int):
            of = range(of, of + 1)
        if not isinstance(of, range) or of.step != 1 or len(of) == 0:
            raise TypeError(f"weft.Layout: {name} is a number or a range with step 1, not empty, like range(2, 6)")
        return of.start, len(of)
    (row, row_count), (col, col_count) = span(rows, "rows"), span(cols, "cols")
    return [row, col, row_count, col_count]


def _argument(name, value):
    """An integer, or the bits of the bf16 nearest to a float."""
    number = _weft.bf16_bits(value) if isinstance(value, (float, np.floating)) else int(value)
    if not -2**31 <= number < 2**31:
        raise ValueError(f"weft: {name} is {number}, which is more than 32 bits hold")
    return number


def _arguments(given):
    return {name: _argument(name, value) for name, value in given.items()}


class Layout:
    """Programs of a wafer's tiles, and streams between the tiles. Wafer.load checks and loads it, on any wafer."""

    def __init__(self):
        self._layout = _weft.Layout()

    def program(self, file, *, rows=None, cols=None, **parameters):
        """Adds a file of the assembly language, for all tiles or those of two ranges.

        parameters: constants of the program, as if by .equ; a float becomes the bits of a bf16.
        """
        self._layout.program(os.fspath(file), _arguments(parameters), _region(rows, cols))

    def program_text(self, text, *, name="program", rows=None, cols=None, **parameters):
        """As program(), with the text of a program, which errors call `name`."""
        self._layout.program_text(text, name, _arguments(parameters), _region(rows, cols))

    def stream(self, name, *, color="auto", rows=None, cols=None, shift=None, reduce=None, broadcast=None,
               gather=False, path=None):
        """Adds a stream of words; `name` is a constant of all programs, the stream's color. One of:

        shift=(0, 1): from each tile to its neighbour in that direction.
        reduce=(0, -1): the routes of a shift, for sums: each tile adds what it takes to its own and sends the sum on.
        broadcast=(2, 3): from that tile to all others; (None, 3): along each row from column 3; (2, None): along each
        column from row 2.
        gather=True: from each tile to its western neighbour, and from the first column to the host (Wafer.words).
        path=[(0, 0), (0, 1), (1, 1)]: from the first tile to the last, through neighbours.
        """
        ways = {"shift": [shift] if shift is not None else None,
                "reduce": [reduce] if reduce is not None else None,
                "broadcast": [broadcast] if broadcast is not None else None,
                "gather": [] if gather else None, "path": path}
        given = [(kind, tiles) for kind, tiles in ways.items() if tiles is not None]
        if len(given) != 1:
            raise TypeError("weft.Layout.stream: give one of shift, reduce, broadcast, gather and path")
        kind, tiles = given[0]
        tiles = [tuple(-1 if n is None else int(n) for n in tile) for tile in tiles]
        self._layout.stream(name, kind, tiles, None if color == "auto" else int(color), _region(rows, cols))

    def broadcast(self, name, array, *, along="all", root=(0, 0), rows=None, cols=None):
        """Adds a kernel: all tiles get the array of the root; along="rows" of the root's column in each row.

        As all collectives: `array` is one of fp32 of the program with this region; other kernels of the program may
        fork its routine, NAME_psum. root: a tile, counted in the region, or a number along rows or columns.
        """
        self._collective(0, name, array, "", along, root, rows, cols)

    def reduce(self, name, array, *, along="all", root=(0, 0), rows=None, cols=None):
        """Adds a kernel: the root gets the sum of the arrays of all tiles, of its row or of its column."""
        self._collective(1, name, array, "", along, root, rows, cols)

    def all_reduce(self, name, array, *, along="all", root=(0, 0), rows=None, cols=None):
        """Adds a kernel: all tiles get the sum, which is formed towards the root."""
        self._collective(2, name, array, "", along, root, rows, cols)

    def gather(self, name, array, to, *, along="rows", root=(0, 0), rows=None, cols=None):
        """Adds a kernel: the root gets the arrays of its row or column, one behind the other, in its array `to`."""
        self._collective(3, name, array, to, along, root, rows, cols)

    def scatter(self, name, array, source, *, along="rows", root=(0, 0), rows=None, cols=None):
        """Adds a kernel: each tile of a row or column gets its part of the root's array `source`."""
        self._collective(4, name, array, source, along, root, rows, cols)

    def transpose(self, name, array, to, *, rows=None, cols=None):
        """Adds a kernel: tile (r, c) of a square region gets the array of tile (c, r), in its array `to`."""
        self._collective(5, name, array, to, "all", (0, 0), rows, cols)

    def _collective(self, kind, name, array, other, along, root, rows, cols):
        ways = ("rows", "columns", "all")
        if along not in ways:
            raise TypeError(f"weft.Layout: along is one of {', '.join(ways)}")
        if isinstance(root, int):
            root = {"rows": (0, root), "columns": (root, 0)}.get(along)
        if root is None:
            raise TypeError("weft.Layout: the root is a tile, (row, column)")
        self._layout.collective(name, kind, array, other, ways.index(along), tuple(root), _region(rows, cols))


def _show(what, done, total):
    """Progress on standard error: a line that the next one overwrites."""
    if total:
        text = f"{what}: {100 * done // total} %"
    else:
        text = f"{what}: {done} cycles" if done else f"{what}: runs"
    print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)


class Wafer:
    """A wafer that runs programs of one's own. Used by one thread at a time; the GIL is released while it runs.

    wafer["u"] is an array that a program declares, [rows][cols][count]: float32 for bf16 and fp32, int16 for int16.

    backend: model, rtl, emulated, udp:ADDRESS[:PORT], or a serial device. inspect: measure runs by stall reason.
    progress: True prints the progress of long calls to standard error; or a function of (what, done, total), called at
    most ten times a second, whose exceptions end the call. total is 0 for runs, whose `done` are cycles.
    check: a second backend, usually model, that gets the same calls; the first difference after a run raises Error,
    with the first instruction in which the RTL and the model differ.
    """

    _before_run = None  # called before each run, by weft.debug

    def __init__(self, rows, cols, backend="model", *, lanes=4, sram_kib=None, threads=1, baud=2000000, inspect=False,
                 progress=None, check=None, general=False):
        self._wafer = _weft.Wafer(rows, cols, backend, lanes, sram_kib or 0, threads, baud, inspect, general)
        self.rows, self.cols, self.backend = rows, cols, backend
        self._wafer.progress(_show if progress is True else progress or None)
        self._second = None
        if check:
            self._second = Wafer(rows, cols, check, lanes=lanes, sram_kib=sram_kib, threads=threads, general=general)

    def load(self, layout, *, check=True):
        """Resets the wafer, and loads programs and routes. Memory keeps its contents.

        check: refuse a layout with a kernel that deadlocks with any arguments, with the cycle.
        """
        self._wafer.load(layout._layout, check)
        if self._second:
            self._second.load(layout, check=False)
            for name in self.keys():  # memory keeps its contents, which may differ
                self._second[name] = self[name]

    def __setitem__(self, name, values):
        *shape, kind = self._wafer.shape(name)
        if kind == "int16":
            values = np.asarray(values)
            if values.dtype.kind not in "iu":
                raise TypeError(f"weft.Wafer: {name} is an array of int16, not of {values.dtype}")
            if values.size and (values.min() < -32768 or values.max() > 32767):
                raise ValueError(f"weft.Wafer: {name} has values that int16 does not hold")
            dtype, put = np.int16, self._wafer.set_integers
        else:
            dtype, put = np.float32, self._wafer.set_floats
        put(name, np.ascontiguousarray(np.broadcast_to(np.asarray(values, dtype=dtype), shape)))
        if self._second:
            self._second[name] = values

    def __getitem__(self, name):
        return self._wafer.get(name)

    def read(self, name, out):
        """As wafer[name], into an array [rows][cols][count] that exists: contiguous, float32 or int16 as the array."""
        *shape, kind = self._wafer.shape(name)
        dtype, get = ((np.int16, self._wafer.get_integers) if kind == "int16" else
                      (np.float32, self._wafer.get_floats))
        if not (isinstance(out, np.ndarray) and out.dtype == dtype and out.shape == tuple(shape) and
                out.flags.c_contiguous and out.flags.writeable):
            raise TypeError(f"weft.Wafer.read: {name} needs a writable, contiguous {np.dtype(dtype)} array of shape "
                            f"{tuple(shape)}")
        get(name, out)
        return out

    def keys(self):
        """Names of the arrays of the loaded layout."""
        return self._wafer.arrays()

    def run(self, kernel, *, check=True, **arguments):
        """Calls a kernel in all tiles whose program has it, and returns its work when all tiles rest: a dict.

        arguments: of the kernel; a float becomes the bits of a bf16. check: prove first that the run cannot deadlock.
        """
        if Wafer._before_run:
            Wafer._before_run(self, kernel, arguments)
        values = _arguments(arguments)
        work = self._wafer.run(kernel, values, check, False)
        if self._second:
            remember = self._second.backend in ("model", "rtl")
            self._second._wafer.run(kernel, values, False, remember)
            self._compare(kernel, remember)
        return work

    def debug(self, kernel, **arguments):
        """A debugger at the beginning of a run: Debugger. This wafer runs nothing. Not on a board."""
        return Debugger(self._wafer.debug(kernel, _arguments(arguments)))

    def _compare(self, kernel, remembered):
        """Raises Error for the first element of an array, or word to the host, that differs from the second backend's."""
        def differ(what, mine, other):
            subject, lines = f"kernel {kernel}", ""
            problem = f"{what} is {mine} on {self.backend}, {other} on {self._second.backend}"
            hint = "trace its tile with waves(), and report this as a bug of Weft"
            if remembered:
                try:
                    lines = self._second._wafer.first_difference()
                except Error as error:  # the difference is what the user needs to know
                    lines = f"the instruction was not found: {error}"
                hint = ("the lines below have the first instruction that differs; report this as a bug of Weft" if lines
                        else "RTL and model agree on this run, so look for what changed the arrays of one wafer alone")
            raise Error(f"{subject}: {problem}. HINT: {hint}.{chr(10) + lines if lines else ''}", "", subject, problem,
                        hint, 1)

        def bits(value):
            return f"0x{int(value):0{2 * value.itemsize}x}"

        for name in self.keys():
            mine, other = (wafer[name] for wafer in (self, self._second))
            mine, other = (array.view(f"u{array.itemsize}") for array in (mine, other))
            for place in np.argwhere(mine != other)[:1]:
                place = tuple(int(n) for n in place)
                differ(f"{name}{list(place)}", bits(mine[place]), bits(other[place]))
        for row in range(self.rows):
            mine, other = (wafer.words(row, np.uint32) for wafer in (self, self._second))
            if len(mine) != len(other):
                differ(f"the number of words of row {row}", len(mine), len(other))
            for word in np.flatnonzero(mine != other)[:1]:
                differ(f"word {word} of row {row}", bits(mine[word]), bits(other[word]))

    def waves(self, file, tiles="all", cycles=""):
        """Traces the next run on the RTL, also one that hangs: FILE.fst, with a view for GTKWave next to it.

        tiles: "0,0", "0-3,1" or "all". cycles: "100-400", "100-", or all.
        """
        self._wafer.waves(os.fspath(file), tiles, cycles)

    @property
    def stalls(self):
        """Cycles of the last run by thread and stall reason: {"main.issued": [rows][cols], "psum.credit": ...}.

        Needs inspect=True. docs/explanation/stalls.md explains the reasons.
        """
        return self._wafer.stalls(self.rows, self.cols)

    def profile(self, file=None):
        """The runs since load() as text: cycles by kernel and stall reason, and a map of the tiles. Needs inspect=True.

        file: also written as JSON for ui.perfetto.dev.
        """
        if file is not None:
            self._wafer.save_profile(os.fspath(file))
        return self._wafer.profile()

    def words(self, row, dtype=np.float32):
        """Words that the last run sent to the host from a row of tiles, of a type of 32 bits."""
        return self._wafer.words(row).view(dtype)

    @property
    def counters(self):
        """Work since load(), transfers of arrays included: cycles (0 on the model), beats, multiply_adds, messages."""
        return self._wafer.work()

    @property
    def tile_beats(self):
        """Beats of each tile since load(), [rows][cols]."""
        return self._wafer.tile_beats(self.rows, self.cols)

    def __repr__(self):
        return f"<weft.Wafer: {self.rows} x {self.cols} tiles, {self.backend}>"
