#!/usr/bin/env python3
"""Writes bench/results/fpga_NAME.jsonl from what a command of fpga has left in BUILD: record.py BUILD NAME (`make fpga-record`).
bench/pages.py writes the tables of docs/reference/fpga_sizes.md and docs/howto/fpga.md from it.

NAME is a board, as in `make fpga BOARD=ulx3s`, or one of
    tile, tile_debug, tile_tally   `make synth`, and for the last two also `DEBUG=1 make synth` or `TALLY=23 make synth`
    wafer                          `make synth-wafer`
    router, link, larger           `fpga/synth_NAME.sh BUILD`

The rows: `design` has the cells of a design, `clocks` a line for each clock, `parts` the cells of a board's parts before placement;
for router, link and larger `cells`, and `chips` for larger.
"""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "bench"), str(ROOT / "fpga")]
import measured  # noqa: E402
import larger  # noqa: E402
import modules  # noqa: E402

CELLS = {"sites": "TRELLIS_COMB", "flip_flops": "TRELLIS_FF", "block_rams": "DP16KD", "distributed_rams": "TRELLIS_RAMW",
         "multipliers": "MULT18X18D"}
WAFER = "i_top.i_board.i_wafer"
# {name: ({name of a design: its folder in BUILD}, the command)}; boards are in fpga/NAME.
DESIGNS = {
    "tile": ({"tile": "synth/tile"}, "make synth"),
    "tile_debug": ({"without": "synth/tile", "with": "synth/tile_debug"}, "DEBUG=1 make synth"),
    "tile_tally": ({"without": "synth/tile", "with": "synth/tile_tally23"}, "TALLY=23 make synth"),
    "wafer": ({"wafer": "synth/wafer_2x4"}, "make synth-wafer"),
}
COUNTED = {
    "router": {"all turns": "synth/router_all", "the kernels' turns": "synth/router_kernel"},
    "link": {"core": "synth/link", "serial line": "synth/serial_line"},
}
COUNTED_CELLS = {"LUT4 cells": "LUT4", "carry cells of two bits": "CCU2C", "flip-flops": "TRELLIS_FF",
                 "distributed RAM, 16 x 4": "TRELLIS_DPR16X4", "block RAM of 18 kbit": "DP16KD"}
PARTS = {f"{WAFER}.*i_pe": "PEs", f"{WAFER}.*i_router": "routers", WAFER: "the rest of the wafer", "i_top.i_board.i_link": "the link",
         "i_top.i_(line|ethernet)": "the line"}


def described(folder):
    """{key: value} of the bitstream's weft.build; empty for a design without one."""
    path = folder / "weft.build"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return dict(line.split(" = ", 1) for line in lines)


def design_rows(folder, name):
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    (luts,) = re.findall(r"^ *(\d+) +LUT4$", (folder / "stat.txt").read_text(encoding="utf-8"), re.MULTILINE)
    design = {"table": "design", "name": name, "luts": int(luts)}
    for key, cell in CELLS.items():
        use = report["utilization"][cell]
        design |= {key: use["used"], f"{key}_of": use["available"]}
    board = described(folder)
    yield design | {key: board[key] for key in ("title", "rows", "cols", "sram_kib", "debug", "tally", "link", "seed") if key in board}
    for clock, speed in report["fmax"].items():
        yield {"table": "clocks", "name": name, "clock": clock.rpartition(".")[2] if board else name, "mhz": round(speed["achieved"], 2),
               "target": speed["constraint"]}
    if board:
        for part, counts in modules.counts_of(folder, PARTS):
            yield {"table": "parts", "name": name, "part": part, "sites": counts["sites"], "flip_flops": counts["flip-flops"],
                   "block_rams": counts["block RAM"], "multipliers": counts["multipliers"]}


def cell_rows(build, designs):
    """Cells of designs that are not placed."""
    for name, folder in designs.items():
        stat = (build / folder / "stat.txt").read_text(encoding="utf-8")
        counts = {key: sum(map(int, re.findall(rf"^ *(\d+) +{cell}$", stat, re.MULTILINE))) for key, cell in COUNTED_CELLS.items()}
        yield {"table": "cells", "name": name, **counts}


def rows(build, name):
    if name == "larger":
        for family in larger.CHIPS:
            yield from larger.rows(build / "synth/larger", family)
    elif name in COUNTED:
        yield from cell_rows(build, COUNTED[name])
    else:
        for design, folder in DESIGNS.get(name, ({name: f"fpga/{name}"},))[0].items():
            yield from design_rows(build / folder, design)


def command(name):
    if name in DESIGNS:
        return DESIGNS[name][1]
    return f"fpga/synth_{name}.sh build" if name in COUNTED or name == "larger" else f"make fpga BOARD={name}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("--results", type=pathlib.Path, default=measured.RESULTS, help="folder of the file")
    words = parser.parse_args(arguments)
    try:
        found = list(rows(words.build, words.name))
    except FileNotFoundError as error:
        sys.exit(f"{error.filename}: is missing, so the design was not built there. HINT: {command(words.name)}")
    print(f"record: {measured.write(f'fpga_{words.name}', command(words.name), found, words.results)}")


if __name__ == "__main__":
    main()
