#!/usr/bin/env python3
"""registers.py PREFIX ROOT_HEADER OUT: a C++ header with `visit_registers(root, f)`, which calls f(name, value) for every register of
a module that Verilator made with --public-flat-rw: by the style of rtl/, those are the variables whose names end in _q."""

import re
import sys

prefix, header, out = sys.argv[1:]
with open(header) as file:
    names = re.findall(r"^\s+(?:[CSIQ]Data|VlWide<\d+>|VlUnpacked<.*>)(?:/\*[^*]*\*/)? (\w+_q);", file.read(), re.MULTILINE)
if not names:
    sys.exit(f"{header}: no registers")
calls = "".join(f'  f("{name.replace("__DOT__", ".")}", root.{name});\n' for name in names)
with open(out, "w") as file:
    file.write(f"#pragma once\n\n#include \"{prefix}___024root.h\"\n\nnamespace weft::test {{\n\n"
               f"template <class F>\nvoid visit_registers(const {prefix}___024root& root, F f) {{\n{calls}}}\n\n}}  // namespace weft::test\n")
