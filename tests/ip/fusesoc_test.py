#!/usr/bin/env python3
"""A project outside of the tree simulates a wafer that FuseSoC finds by its dependency on weft:rtl:wafer: fusesoc_test.py BUILD."""
import pathlib
import sys

import outside

fusesoc = pathlib.Path(sys.argv[1]).resolve() / "ip" / "bin" / "fusesoc"
if not fusesoc.exists():
    outside.skip("FuseSoC is not installed")
with outside.project() as folder:
    outside.works(outside.run(fusesoc, "--cores-root", "../weft", "--cores-root", ".", "run", "--target", "sim",
                              "example:soc:wafer_tb", cwd=folder))
