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


def ports(top, high_pin):
    """Pins of a top, a vector's one by one."""
    text = (root / f"fpga/{top}.sv").read_text(encoding="utf-8").partition(") (")[2].partition(");")[0]
    if not high_pin:
        text = re.sub(r"`ifdef WEFT_HIGH_PIN.*?`endif", "", text, flags=re.DOTALL)
    for width, name in re.findall(r"(?:input|output) +logic(?: \[(\d+):0\])? +(\w+)", text):
        yield from [f"{name}[{i}]" for i in range(int(width) + 1)] if width else [name]


boards = sorted(p.parent for p in (root / "fpga/boards").glob("*/board"))
check(len(boards) >= 2, "there are fewer than two boards")
for folder in boards:
    result = board(folder.name)
    check(result.returncode == 0, f"{folder.name}: {result.stderr}")
    values = dict(re.findall(r"^board_(\w+)=(.*)$", result.stdout, re.MULTILINE))
    oscillator, clock = int(values["oscillator"]), int(values["clock"])
    divide, loop, out = (int(values["pll_" + key]) for key in ("in", "loop", "out"))
    check(oscillator * loop == clock * divide * out, f"{folder.name}: the PLL makes another clock")
    check(400000 <= clock * out <= 800000, f"{folder.name}: the PLL's oscillator is out of its range")
    check(10000 <= oscillator / divide <= 400000, f"{folder.name}: the PLL's phase detector is out of its range")
    check(abs(clock * 1000 / int(values["divider"]) / int(values["baud"]) - 1) <= 0.01, f"{folder.name}: another baud rate")
    pins = (folder / "pins.lpf").read_text(encoding="utf-8")
    high_pin = values["high_pin"] == "1"
    wanted = set(ports("weft_on_board", high_pin)) | (set(ports("weft_on_board_ethernet", high_pin)) if "ip" in values else set())
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
    ("ulx3s", "clock=41234"): "no PLL makes 41234 kHz of 25000 kHz within the chip's limits. HINT: clock = 40000",
    ("ulx3s", "oscillator=7999"): "is outside the range of an ECP5's PLL",
    ("ulx3s", "baud=11000000"): "is not a simple fraction",
    ("ulx3s", "baud=9600"): "is not a simple fraction",  # 4,167 cycles a bit
    ("ulx3s", "baud=0"): "is not a simple fraction",
    ("ulx3s", "rows=17"): "rows = 17 is out of range",
    ("ulx3s", "cols=0"): "cols = 0 is out of range",
    ("ulx3s", "sram_kib=129"): "sram_kib = 129 is out of range",
    ("ulx3s", "rows=16", "cols=29"): "a STATUS of 16 x 29 tiles has 522 bytes, a frame 512",
    ("ecpix5", "rows=8", "cols=12"): "a DEBUG of 8 x 12 tiles has 520 bytes, a frame 512",
    ("ulx3s", "rows=many"): "rows = many is not valid",
    ("ulx3s", "link=ethernet"): "'ip' is missing",
    ("ecpix5", "ip=192.168.1.256"): "is not a host's address",
    ("ecpix5", "ip=239.1.1.1"): "is not a host's address",
    ("ecpix5", "mac=03:57:45:46:54:01"): "is not locally administered",
    ("ecpix5", "mac=02:57"): "is not valid",
    ("ecpix5", "tx_delay=128"): "is out of range",
    ("ulx3s", "colour=red"): "unknown key 'colour'",
    ("ulx3s", "device=--85k; rm -rf x"): "is not valid",
}
for arguments, words in REFUSED.items():
    result = board(*arguments)
    check(result.returncode != 0 and words in result.stderr and "HINT" in result.stderr, f"{arguments}: {result.stderr or result.stdout}")

with tempfile.TemporaryDirectory() as scratch:  # files that are no board
    copy = pathlib.Path(scratch) / "board.py"
    copy.write_bytes((root / "fpga/board.py").read_bytes())
    (copy.parent / "boards/x").mkdir(parents=True)
    text = (boards[0] / "board").read_text(encoding="utf-8")
    for change, words in ((text + "clock = 1\n", "with a new key"), (text.replace("baud", "bawd"), "unknown key 'bawd'"), ("", "is missing")):
        (copy.parent / "boards/x/board").write_text(change, encoding="utf-8")
        result = board("x", script=copy)
        check(result.returncode != 0 and words in result.stderr, f"{words}: {result.stderr or result.stdout}")

print("\n".join(failures))
sys.exit(bool(failures))
