"""Reads fpga/boards/NAME/board and says what follows from it: board.py NAME [KEY=VALUE...] prints shell assignments.

A board is a file of lines `key = value`. What follows: the PLL's dividers, the clock cycles of a bit of the serial line, the network
addresses as hexadecimal digits.
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
    "link": r"serial|ethernet",
    "baud": r"\d+",
    "ip": r"(\d{1,3}\.){3}\d{1,3}",
    "mac": r"([0-9a-f]{2}:){5}[0-9a-f]{2}",
    "rx_delay": r"\d+",
    "tx_delay": r"\d+",
    "leds": r"high|low",
    "rows": r"\d+",
    "cols": r"\d+",
    "sram_kib": r"\d+",
    "debug": r"[01]",
    "tally": r"0|23|31",
    "cables": r"[0-9a-f]{4}:[0-9a-f]{4} -[bc] [\w-]+(, *[0-9a-f]{4}:[0-9a-f]{4} -[bc] [\w-]+)*",
    "seeds": r"\d+( \d+)*",
}


# Of boards with a PHY, all four.
NETWORK = ("ip", "mac", "rx_delay", "tx_delay")


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
        if key in NETWORK and key not in board and board.get("link") == "serial":
            continue
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


def network(board):
    """ip and mac as hexadecimal digits, as the RTL wants them."""
    octets = [int(part) for part in board["ip"].split(".")]
    if max(octets) > 255 or octets[0] in (0, 127) or octets[0] >= 224:
        refuse(f"ip = {board['ip']} is no host's address", "write one of your network's that nobody else has")
    mac = board["mac"].replace(":", "")
    if int(mac[:2], 16) & 3 != 2:
        refuse(f"mac = {board['mac']} is not locally administered", "begin with 02")
    for key in ("rx_delay", "tx_delay"):
        if int(board[key]) > 127:
            refuse(f"{key} = {board[key]} is more than a pin can wait", "0 to 127, in steps of 25 ps")
    return "".join(f"{octet:02x}" for octet in octets), mac


def main():
    board = read(sys.argv[1], sys.argv[2:])
    clock = int(board["clock"])
    values = dict(board)
    values["pll_in"], values["pll_feedback"], values["pll_out"] = pll(int(board["oscillator"]), clock)
    values["divider"] = divider(clock, int(board["baud"]))
    if "ip" in board:
        values["ip_hex"], values["mac_hex"] = network(board)
    for key, value in values.items():
        print(f"board_{key}={shlex.quote(str(value))}")


if __name__ == "__main__":
    main()
