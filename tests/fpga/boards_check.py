"""fpga/boards: each board is complete, its pins are those of the tops that it can have, and what cannot be is refused: boards_check.py ROOT."""

import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
failures = []


def board(*arguments, script=root / "fpga/board.py"):
    return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=False)


def check(holds, what):
    if not holds:
        failures.append(what)


def ports(top):
    """Pins of a top, a vector's one by one."""
    text = (root / f"fpga/{top}.sv").read_text(encoding="utf-8").partition(") (")[2].partition(");")[0]
    for width, name in re.findall(r"(?:input|output) +logic(?: \[(\d+):0\])? +(\w+)", text):
        yield from [f"{name}[{i}]" for i in range(int(width) + 1)] if width else [name]


boards = sorted(p.parent for p in (root / "fpga/boards").glob("*/board"))
check(len(boards) >= 2, "there are fewer than two boards")
for folder in boards:
    result = board(folder.name)
    check(result.returncode == 0, f"{folder.name}: {result.stderr}")
    values = dict(re.findall(r"^board_(\w+)=(.*)$", result.stdout, re.MULTILINE))
    oscillator, clock = int(values["oscillator"]), int(values["clock"])
    divide, feedback, out = (int(values["pll_" + key]) for key in ("in", "feedback", "out"))
    check(oscillator * feedback == clock * divide, f"{folder.name}: the PLL makes another clock")
    check(400000 <= clock * out <= 800000, f"{folder.name}: the PLL's oscillator is out of its range")
    check(abs(clock * 1000 / int(values["divider"]) / int(values["baud"]) - 1) <= 0.01, f"{folder.name}: another baud rate")
    pins = (folder / "pins.lpf").read_text(encoding="utf-8")
    wanted = set(ports("on_board")) | (set(ports("on_board_ethernet")) if "ip" in values else set())
    located = re.findall(r'LOCATE COMP "([^"]+)" SITE "(\w+)"', pins)
    check(sorted(name for name, _ in located) == sorted(wanted), f"{folder.name}: its pins are not those of its tops")
    check(len({site for _, site in located}) == len(located), f"{folder.name}: two pins at one place")
    check({name for name, _ in located} == set(re.findall(r'IOBUF PORT "([^"]+)"', pins)), f"{folder.name}: a pin without a voltage")
    frequency = re.findall(r'FREQUENCY PORT "osc_i" ([\d.]+) MHZ', pins)
    check([float(f) * 1000 for f in frequency] == [oscillator], f"{folder.name}: the pins know another oscillator")
    if "ip" in values:
        check(re.findall(r'FREQUENCY PORT "eth_rxc_i" ([\d.]+) MHZ', pins) == ["125"], f"{folder.name}: the PHY's clock is not 125 MHz")
        check(f"{int(values['ip_hex'], 16):08x}" == "".join(f"{int(part):02x}" for part in values["ip"].split(".")), f"{folder.name}: another ip")
        check(values["mac_hex"] == values["mac"].replace(":", ""), f"{folder.name}: another mac")
    check({p.name for p in folder.iterdir()} == {"board", "pins.lpf"}, f"{folder.name}: holds more than data")

REFUSED = {
    ("nobody",): "there is no board 'nobody'",
    ("../ulx3s",): "there is no board",
    ("ulx3s", "clock=41234"): "no PLL makes 41234 kHz",
    ("ulx3s", "baud=11000000"): "is no simple fraction",
    ("ulx3s", "rows=many"): "rows = many means nothing",
    ("ulx3s", "link=ethernet"): "'ip' is missing",
    ("ecpix5", "ip=192.168.1.256"): "is no host's address",
    ("ecpix5", "ip=239.1.1.1"): "is no host's address",
    ("ecpix5", "mac=03:57:45:46:54:01"): "is not locally administered",
    ("ecpix5", "mac=02:57"): "means nothing",
    ("ecpix5", "tx_delay=128"): "is more than a pin can wait",
    ("ulx3s", "colour=red"): "unknown key 'colour'",
    ("ulx3s", "device=--85k; rm -rf x"): "means nothing",
}
for arguments, words in REFUSED.items():
    result = board(*arguments)
    check(result.returncode != 0 and words in result.stderr and "HINT" in result.stderr, f"{arguments}: {result.stderr or result.stdout}")

with tempfile.TemporaryDirectory() as scratch:  # files that are no board
    copy = pathlib.Path(scratch) / "board.py"
    copy.write_bytes((root / "fpga/board.py").read_bytes())
    (copy.parent / "boards/x").mkdir(parents=True)
    text = (boards[0] / "board").read_text(encoding="utf-8")
    for change, words in ((text + "clock = 1\n", "is no new"), (text.replace("baud", "bawd"), "unknown key 'bawd'"), ("", "is missing")):
        (copy.parent / "boards/x/board").write_text(change, encoding="utf-8")
        result = board("x", script=copy)
        check(result.returncode != 0 and words in result.stderr, f"{words}: {result.stderr or result.stdout}")

print("\n".join(failures))
sys.exit(bool(failures))
