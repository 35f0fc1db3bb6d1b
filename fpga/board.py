"""Reads fpga/boards/NAME/board and derives values from it: board.py NAME [KEY=VALUE...] prints shell assignments.

A board is a file of lines `key = value`. Derived values: the PLL's dividers, the clock cycles of a bit of the serial line, the network
addresses as hexadecimal digits.
"""

import pathlib
import re
import shlex
import sys

BOARDS = pathlib.Path(__file__).parent / "boards"
NUMBER = (r"[0-9]+", "a whole number")
# key: (regular expression of its value, its form in words)
KEYS = {
    "title": (r".+", "a name"),
    "device": (r"--(85k|45k|25k|um5g-85k|um5g-45k|um5g-25k) --package [A-Za-z0-9]+ --speed [678]",
               "nextpnr-ecp5's options, as --85k --package CABGA381 --speed 6"),
    "oscillator": NUMBER,
    "clock": NUMBER,
    "link": (r"serial|ethernet", "serial or ethernet"),
    "baud": NUMBER,
    "ip": (r"([0-9]{1,3}\.){3}[0-9]{1,3}", "an address, as 192.0.2.7"),
    "mac": (r"([0-9a-f]{2}:){5}[0-9a-f]{2}", "six bytes in lower case, as 02:00:00:00:00:01"),
    "rx_delay": NUMBER,
    "tx_delay": NUMBER,
    "leds": (r"high|low", "high or low"),
    "high_pin": (r"[01]", "0 or 1"),
    "rows": NUMBER,
    "cols": NUMBER,
    "sram_kib": NUMBER,
    "debug": (r"[01]", "0 or 1"),
    "tally": (r"0|23|31", "0, 23 or 31"),
    "programs": (r"[01]", "0 or 1"),
    "cables": (r"[0-9a-f]{4}:[0-9a-f]{4} -[bc] [A-Za-z0-9_-]+(, *[0-9a-f]{4}:[0-9a-f]{4} -[bc] [A-Za-z0-9_-]+)*",
               "USB ids with openFPGALoader's option, as 0403:6010 -b NAME, separated by commas"),
    "seeds": (r"[0-9]+( [0-9]+)*", "whole numbers, separated by spaces"),
}


# Keys of a board with a PHY, which needs all four.
NETWORK = ("ip", "mac", "rx_delay", "tx_delay")


def refuse(what, hint):
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in f"board: {what}. HINT: {hint}")
    sys.exit(shown if shown.endswith(".") else f"{shown}.")


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
            refuse(f"{path}:{number}: '{line}' is not a `key = value` with a new key", "write each key once")
        board[key] = value
    for change in changes:
        key, _, value = change.partition("=")
        board[key] = value
    for key in board:
        if key not in KEYS:
            refuse(f"{path}: unknown key '{key}'", f"keys are {' '.join(KEYS)}")
    for key in KEYS:
        if key in NETWORK and key not in board and board.get("link") == "serial":
            continue
        if key not in board:
            refuse(f"{path}: '{key}' is missing", "see fpga/README.md")
        expression, form = KEYS[key]
        if not re.fullmatch(expression, board[key]):
            refuse(f"{path}: {key} = {board[key]} is not valid", f"write {form}")
    if board["debug"] == "0" and board["tally"] != "0":
        refuse(f"{path}: tally = {board['tally']} needs a debug chain, which reads the counters", "debug = 1, or tally = 0")
    return board


# Limits of an ECP5's PLL, in kHz (the data sheet's table of sysCLOCK): oscillator, phase detector, the PLL's own oscillator, clock.
INPUT, DETECTOR, VCO, OUTPUT = (10000, 400000), (10000, 400000), (400000, 800000), (3125, 400000)
DIVIDERS = range(1, 129)
BIT = range(4, 1024)  # clock cycles of a bit that the serial line can count


def within(value, limits):
    return limits[0] <= value <= limits[1]


def dividers(oscillator, clock):
    """Dividers (input, loop, output) of a PLL that makes `clock` of `oscillator`, both in kHz, or None.

    The detector is as fast as possible, and then the PLL's oscillator as near as possible to the middle of its range.
    """
    for divide in DIVIDERS:
        if not within(oscillator, INPUT) or not within(clock, OUTPUT) or not within(oscillator / divide, DETECTOR):
            continue
        found = []
        for output in DIVIDERS:
            loop, rest = divmod(clock * output * divide, oscillator)
            if within(clock * output, VCO) and not rest and loop in DIVIDERS:
                found.append((abs(clock * output - sum(VCO) / 2), divide, loop, output))
        if found:
            return min(found)[1:]
    return None


def clocks(oscillator):
    """All clocks of whole kHz that a PLL makes of an oscillator."""
    made = set()
    for divide in DIVIDERS:
        for loop in DIVIDERS:
            if within(oscillator / divide, DETECTOR) and within(oscillator * loop / divide, VCO):
                made.update(oscillator * loop // (divide * output) for output in DIVIDERS if oscillator * loop % (divide * output) == 0)
    return sorted(clock for clock in made if within(clock, OUTPUT))


def pll(oscillator, clock, baud):
    """Dividers of the PLL; without any, the hint is the nearest clock that has them and makes the baud rate."""
    if not within(oscillator, INPUT):
        refuse(f"oscillator = {oscillator} kHz is outside the range of an ECP5's PLL", f"{INPUT[0]} to {INPUT[1]} kHz")
    found = dividers(oscillator, clock)
    if not found:
        near = [other for other in clocks(oscillator) if bit_cycles(other, baud)]
        hint = f"clock = {min(near, key=lambda other: abs(other - clock))} is the nearest that has one" if near else "another baud rate"
        refuse(f"no PLL makes {clock} kHz of {oscillator} kHz within the chip's limits", hint)
    return found


def bit_cycles(clock, baud):
    """Cycles of a bit, at most 1 % away from the rate that was asked for, or None."""
    cycles = round(clock * 1000 / baud) if baud else 0
    return cycles if cycles in BIT and abs(clock * 1000 / cycles / baud - 1) <= 0.01 else None


def divider(clock, baud):
    cycles = bit_cycles(clock, baud)
    if not cycles:
        refuse(f"{baud} baud is not a simple fraction of {clock} kHz", f"choose one that divides the clock, by {BIT[0]} to {BIT[-1]}")
    return cycles


# Bytes of a frame's payload, of a STATUS and of a debug node (docs/reference/board_link.md,
# docs/reference/debug_chain.md).
PAYLOAD, STATUS, NODE = 512, 42, 5
RANGES = {"rows": (1, 16), "cols": (1, 128), "sram_kib": (1, 128), "tx_delay": (0, 127), "rx_delay": (0, 127)}


def sizes(board):
    """A mesh must be one that the wafer and the link's frames have room for."""
    for key, (least, most) in RANGES.items():
        if key in board and not least <= int(board[key]) <= most:
            refuse(f"{key} = {board[key]} is out of range", f"{least} to {most}" + (", in steps of 25 ps" if key.endswith("delay") else ""))
    rows, cols = int(board["rows"]), int(board["cols"])
    nodes = rows * (cols + 1)
    if STATUS + nodes > PAYLOAD:
        refuse(f"a STATUS of {rows} x {cols} tiles has {STATUS + nodes} bytes, a frame {PAYLOAD}", f"at most {PAYLOAD - STATUS} for rows * (cols + 1)")
    if board["debug"] == "1" and NODE * nodes > PAYLOAD:
        most = PAYLOAD // NODE
        refuse(f"a DEBUG of {rows} x {cols} tiles has {NODE * nodes} bytes, a frame {PAYLOAD}", f"at most {most} for rows * (cols + 1), or debug = 0")


def network(board):
    """ip and mac as hexadecimal digits, as the RTL wants them."""
    octets = [int(part) for part in board["ip"].split(".")]
    if max(octets) > 255 or octets[0] in (0, 127) or octets[0] >= 224:
        refuse(f"ip = {board['ip']} is not a host's address", "write a free address of your network")
    mac = board["mac"].replace(":", "")
    if int(mac[:2], 16) & 3 != 2:
        refuse(f"mac = {board['mac']} is not locally administered", "begin with 02")
    return "".join(f"{octet:02x}" for octet in octets), mac


def main():
    board = read(sys.argv[1], sys.argv[2:])
    clock = int(board["clock"])
    values = dict(board)
    sizes(board)
    values["pll_in"], values["pll_loop"], values["pll_out"] = pll(int(board["oscillator"]), clock, int(board["baud"]))
    values["divider"] = divider(clock, int(board["baud"]))
    if "ip" in board:
        values["ip_hex"], values["mac_hex"] = network(board)
    for key, value in values.items():
        print(f"board_{key}={shlex.quote(str(value))}")


if __name__ == "__main__":
    main()
