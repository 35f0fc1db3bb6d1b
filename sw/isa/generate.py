#!/usr/bin/env python3
"""Writes what follows from isa.py. `--gen DIR`: weft_isa_pkg.sv, isa.cmake and, in DIR/isa, the C++ headers; `--doc FILE`: the reference page; `--check
FILE`: fails unless the page is up to date."""

import argparse
import pathlib
import sys

import emit_cpp
import emit_doc
import emit_sv
import isa


def check_definition():
    """Opcodes and fields that overlap would be silent nonsense, so they stop the build here."""
    ops = [i.op for i in isa.INSTRS]
    assert 0 not in ops and ops == sorted(set(ops)) and ops[-1] < 64, "opcodes: not unique, not rising, or zero used"
    for i in isa.INSTRS:
        used = 0
        for f in i.fields:
            bits = (1 << (f.msb + 1)) - (1 << f.lsb)
            assert not used & bits and f.msb < isa.OP_LSB, f"{i.name}: field {f.name} overlaps another"
            used |= bits
        for thread in i.threads:
            for rule in isa.rules(i, thread):
                assert all(f.msb - f.lsb < 5 for f in rule.allowed), f"{i.name}: a rule's set of values has at most 32 bits"
    names = {i.name for i in isa.INSTRS}
    used = {*isa.CORE, *isa.LOCAL, *isa.REPEATED, *isa.OPERANDS, *isa.WRITES, *isa.COLORS_USED,
            *(key[0] for key in (*isa.NEEDS, *isa.FORBIDS))}
    assert used <= names, f"no such instructions: {used - names}"


def write_if_other(path, text):
    """Writes `text` unless the file has it already, so that nothing is built again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gen", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--doc", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE")
    args = parser.parse_args()
    check_definition()
    if args.gen:
        (args.gen / "isa").mkdir(parents=True, exist_ok=True)
        (args.gen / "isa.hpp").unlink(missing_ok=True)  # build folders of earlier versions have it here
        write_if_other(args.gen / "weft_isa_pkg.sv", emit_sv.emit())
        for name, text in emit_cpp.emit().items():
            write_if_other(args.gen / "isa" / name, text)
        write_if_other(args.gen / "isa.cmake", f'set(WEFT_KERNEL_TURNS "{emit_sv.turns_literal()}")\n'
                       f"set(WEFT_WAFER_COLORS {isa.MACHINE['WaferColors'][0]})\n")
    if args.doc:
        args.doc.write_text(emit_doc.emit())
    if args.check and args.check.read_text() != emit_doc.emit():
        sys.exit(f"{args.check}: differs from sw/isa/isa.py. HINT: cmake --build build --target weft_isa_doc")


if __name__ == "__main__":
    main()
