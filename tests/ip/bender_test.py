#!/usr/bin/env python3
"""A project outside of the tree simulates a wafer that Bender finds by its dependency on weft: bender_test.py BUILD."""
import pathlib
import sys

import outside

bender = pathlib.Path(sys.argv[1]).resolve() / "bender" / "bin" / "bender"
if not bender.exists():
    missing = bender.parents[1] / "not_available"
    if missing.exists():
        sys.exit(print(f"not available: Bender {missing.read_text().strip()}") or 77)
    outside.skip("Bender is not installed")
with outside.project() as folder:
    outside.generate(folder)
    arguments = outside.run(bender, "script", "flist-plus", cwd=folder).splitlines()
    outside.simulate(folder, [line for line in arguments if line.startswith(("+", "/"))])
