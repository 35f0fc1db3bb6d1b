"""Reads fpga/boards/NAME/board and says what follows from it: board.py NAME [KEY=VALUE...] prints shell assignments.

A board is a file of lines `key = value`. What follows: the PLL's dividers, the clock cycles of a bit of the serial line.
"""

import pathlib
import re
import shlex
import sys

BOARDS = pathlib.Path(__file__).parent / "boards"
# key: what its value must look like
KEYS = {
    "title": r".+",
    "device": r"--(85k|45k|25k|um5g-85k|um5g-45k|um5g-25k) --package \w+ --speed [678]",
    "oscillator": r"\d+",
    "clock": r"\d+",
    "baud": r"\d+",
    "leds": r"high|low",
    "rows": r"\d+",
    "cols": r"\d+",
    "sram_kib": r"\d+",
    "debug": r"[01]",
    "loader": r"[\w-]+",
}


def refuse(what, hint):
    sys.exit(f"board: {what}. HINT: {hint}")


def read(name, changes):
    """The keys of a board, some of them changed."""
    path = BOARDS / name / "board"
    if not re.fullmatch(r"[\w-]+", name) or not path.is_file():
        boards = " ".join(sorted(p.parent.name for p in BOARDS.glob("*/board")))
        refuse(f"there is no board '{name}'", f"BOARD= is one of {boards}, or a new folder in fpga/boards (fpga/README.md)")
    board = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or key in board:
            refuse(f"{path}:{number}: '{line}' is no new `key = value`", "write each key once")
        board[key] = value
    for change in changes:
        key, _, value = change.partition("=")
        board[key] = value
    for key in board:
        if key not in KEYS:
            refuse(f"{path}: unknown key '{key}'", f"keys are {' '.join(KEYS)}")
    for key in KEYS:
        if key not in board:
            refuse(f"{path}: '{key}' is missing", "see fpga/README.md")
        if not re.fullmatch(KEYS[key], board[key]):
            refuse(f"{path}: {key} = {board[key]} means nothing", f"it looks like {KEYS[key]}")
    return board


def pll(oscillator, clock):
    """Dividers (input, feedback, output) of an ECP5's PLL, in kHz: its oscillator runs at 400 to 800 MHz, the fastest that fits."""
    best = None
    for divide in range(1, 129):
        if oscillator / divide < 3125:  # the slowest that its phase detector takes
            break
        feedback, rest = divmod(clock * divide, oscillator)
        if rest or not 1 <= feedback <= 80:
            continue
        output = min(800000 // clock, 128)
        if output and output * clock >= 400000:
            best = best or (divide, feedback, output)
    if not best:
        refuse(f"no PLL makes {clock} kHz of {oscillator} kHz", "choose a clock that is a simple fraction of the oscillator")
    return best


def divider(clock, baud):
    """Cycles of a bit; at most 1 % away from the rate that was asked for."""
    cycles = round(clock * 1000 / baud)
    if cycles < 4 or abs(clock * 1000 / cycles / baud - 1) > 0.01:
        refuse(f"{baud} baud is no simple fraction of {clock} kHz", "choose one that divides the clock, by 4 or more")
    return cycles


def main():
    board = read(sys.argv[1], sys.argv[2:])
    clock = int(board["clock"])
    values = dict(board)
    values["pll_in"], values["pll_feedback"], values["pll_out"] = pll(int(board["oscillator"]), clock)
    values["divider"] = divider(clock, int(board["baud"]))
    for key, value in values.items():
        print(f"board_{key}={shlex.quote(str(value))}")


if __name__ == "__main__":
    main()
