"""Compares the PLL of a bitstream with one that is known to lock: pll_words.py CONFIG IN LOOP OUT, the dividers of fpga/board.py.

CONFIG is text, from nextpnr or decoded by ecpunpack, which leaves out what is 0. A PLL whose charge pump and filter are 0, as they are
without attributes (fpga/weft_pll.sv), may not lock, and no tool says so. Exit code: 1 if a word is another one.
"""

import re
import sys

# Words of a PLL with the settings that all public generators use; words not named here are 0. tests/fpga/pll_check compares them with those
# of a PLL that ecppll makes.
SETTINGS = {"ICP_CURRENT": 12, "LPF_RESISTOR": 8, "MFG_ENABLE_FILTEROPAMP": 1, "MFG_GMCREF_SEL": 2, "MFG_GMC_TEST": 14}
WORDS = re.compile(r"^word: ((?:CLK(?:I|FB|OP|OS)_|MFG|LPF_|ICP_|KVCO|PLL_|FREQ_)\w*) ([01]+)$", re.MULTILINE)
BLOCK = re.compile(r"^\.tile(?:_group)? [^\n]*\bMIB_\w+:PLL[^\n]*\n((?:[^.\n][^\n]*\n)*)", re.MULTILINE)
ENUM = re.compile(r"^enum: (\S+) (\S+)$", re.MULTILINE)
# In some corners of the chip half of a PLL's bits are in a tile that is not called PLL.
NAMED = re.compile(r"^enum: ((?:CLKO|FEEDBK|STDBY|PLL|INTFB|INT_LOCK|OUTDIVIDER|DPHASE|REFIN|SYNC_)\S*) (\S+)$", re.MULTILINE)
ENABLED = {"CLKOP_ENABLE": "ENABLED", "CLKOS_ENABLE": "ENABLED"}
# Any other value would be another PLL: an output that bypasses its divider, a phase that moves.
USUAL = {**ENABLED, "MODE": "EHXPLLL", "CLKOS2_ENABLE": "ENABLED", "CLKOS3_ENABLE": "ENABLED", "FEEDBK_PATH": "CLKOP", "INT_LOCK_STICKY": "ENABLED",
         "CLKOP_TRIM_POL": "RISING", "CLKOS_TRIM_POL": "RISING", "CLKOP_TRIM_DELAY": "0", "CLKOS_TRIM_DELAY": "0",
         **{f"OUTDIVIDER_MUX{output}": f"DIV{output}" for output in "ABCD"},
         **dict.fromkeys(("STDBY_ENABLE", "REFIN_RESET", "SYNC_ENABLE", "DPHASE_SOURCE", "PLLRST_ENA", "INTFB_WAKE"), "DISABLED")}


def expected(divide, loop, output):
    """The words of a PLL with these dividers, but for those that are 0. A divider is written less one; phases are half a period of the loop."""
    phase = loop // 2 - 1 if loop > 1 else 0
    words = {"CLKI_DIV": divide - 1, "CLKFB_DIV": 0, "CLKOP_DIV": loop - 1, "CLKOS_DIV": output - 1, "CLKOP_CPHASE": phase, "CLKOS_CPHASE": phase}
    return {name: value for name, value in {**words, **SETTINGS}.items() if value}


def wrong(text, divide, loop, output):
    """Sentences about the words that differ."""
    plls = len(re.findall(r"^enum: MODE EHXPLLL$", text, re.MULTILINE))
    if plls != 1:
        return [f"there are {plls} PLLs, not one"]
    words = {name: int(bits, 2) for name, bits in WORDS.findall(text)}
    wanted = expected(divide, loop, output)
    enums = dict(ENUM.findall("".join(BLOCK.findall(text))) + NAMED.findall(text))
    failures = [f"{name} is {words.get(name, 0)}, not {wanted.get(name, 0)}" for name in sorted(words.keys() | wanted) if words.get(name, 0) != wanted.get(name, 0)]
    failures += [f"{name} is {value}, not {USUAL.get(name, 'left out')}" for name, value in enums.items() if value != USUAL.get(name)]
    return failures + [f"{name} is missing" for name in ENABLED if name not in enums]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        failures = wrong(file.read(), *map(int, sys.argv[2:5]))
    for failure in failures:
        print(f"{sys.argv[1]}: the PLL's settings are not known to lock: {failure}. HINT: compare fpga/weft_pll.sv with ecppll's output.", file=sys.stderr)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
