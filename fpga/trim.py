"""Removes unused ends of carry chains from a netlist, in place: trim.py NETLIST.json.

nextpnr adds a cell, two sites, before a chain whose first carry input is connected, be it to a constant, and behind one whose
last carry output has a name, though no cell reads it. fpga/carry.v's chains begin with a position that passes no carry on.
"""

import json
import sys
from collections import Counter


def passes_no_carry(cell):
    """True if the first position's LUT of four inputs is 0, so that the incoming carry has no effect."""
    init = cell["parameters"]["INIT0"][-16:]  # bit 15 first
    ports = cell["connections"]
    return ports["C0"] == ["1"] and ports["D0"] == ["1"] and init[:4] == "0000"


def trim(module):
    users = Counter()
    for cell in module["cells"].values():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "input":
                users.update(bits)
    for port in module["ports"].values():
        users.update(port["bits"])
    begins = ends = 0
    for cell in module["cells"].values():
        if cell["type"] != "CCU2C":
            continue
        ports = cell["connections"]
        if not isinstance(ports["CIN"][0], int) and passes_no_carry(cell):
            ports["CIN"] = ["x"]
            begins += 1
        if not users[ports["COUT"][0]]:
            ports["COUT"] = ["x"]
            ends += 1
    return begins, ends


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        design = json.load(file)
    counts = [trim(module) for module in design["modules"].values() if "cells" in module]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(design, file)
    print("synth: carry chains: {} begin and {} end without a cell for it".format(*(sum(n) for n in zip(*counts))))


if __name__ == "__main__":
    main()
