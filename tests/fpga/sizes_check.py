"""Sizes that do not fit into a frame are rejected when the RTL is elaborated, at board.py's bounds: sizes_check.py ROOT BUILD."""

import pathlib
import re
import subprocess
import sys

root, build = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
PACKAGES = [build / "gen/weft_isa_pkg.sv", root / "rtl/debug/weft_debug_pkg.sv", root / "fpga/link/weft_link_pkg.sv"]
FOLDERS = ("rtl", "rtl/debug", "fpga", "fpga/link")
# module, parameters, the equivalent keys of board.py, a word of the error message or None
CASES = [
    ("link/weft_link", {"Rows": 16, "Cols": 28}, ["rows=16", "cols=28"], None),
    ("link/weft_link", {"Rows": 16, "Cols": 29}, ["rows=16", "cols=29"], "STATUS"),
    ("link/weft_link", {"Rows": 17, "Cols": 1}, ["rows=17", "cols=1"], "Rows 1 to 16"),
    ("link/weft_link", {"Rows": 1, "Cols": 128}, ["rows=1", "cols=128"], None),
    ("link/weft_link", {"Rows": 1, "Cols": 129}, ["rows=1", "cols=129"], "Cols 1 to 128"),
    ("link/weft_link", {"Rows": 1, "Cols": 300}, ["rows=1", "cols=300"], "Cols 1 to 128"),
    ("link/weft_link", {"Rows": 6, "Cols": 16, "Debug": 1}, ["rows=6", "cols=16", "debug=1"], None),
    ("link/weft_link", {"Rows": 1, "Cols": 102, "Debug": 1}, ["rows=1", "cols=102", "debug=1"], "transaction has to fit into a frame"),
    ("link/weft_link", {"Rows": 8, "Cols": 12, "Debug": 1}, ["rows=8", "cols=12", "debug=1"], "transaction has to fit into a frame"),
    ("link/weft_link", {"Rows": 8, "Cols": 12, "Debug": 0}, ["rows=8", "cols=12", "debug=0"], None),
]
failures = []
for module, parameters, keys, word in CASES:
    top = pathlib.Path(module).name
    command = ["verilator", "--lint-only", "-Wno-fatal", "-Werror-USERERROR", "--top-module", top, *(f"-I{root / folder}" for folder in FOLDERS)]
    command += [f"-G{key}={value}" for key, value in parameters.items()] + [*PACKAGES, root / f"fpga/{module}.sv"]
    elaborated = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    asked = subprocess.run([sys.executable, root / "fpga/board.py", "ulx3s", *keys], capture_output=True, text=True, check=False)
    where = f"{top} {parameters}"
    if (elaborated.returncode == 0) != (word is None) or (word and not re.search(rf"%Error-USERERROR.*{word}", elaborated.stderr)):
        failures.append(f"{where}: verilator ended with {elaborated.returncode}: {elaborated.stderr}")
    if (asked.returncode == 0) != (word is None):
        failures.append(f"{where}: board.py ended with {asked.returncode}: {asked.stderr}")
print("\n".join(failures) or f"{len(CASES)} sizes")
sys.exit(bool(failures))
