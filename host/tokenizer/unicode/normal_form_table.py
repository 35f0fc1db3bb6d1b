#!/usr/bin/env python3
"""Prints normal_form_table.cpp: the code points that the package `tokenizers` normalizes as unassigned ones.

Its tables are of Unicode 9. A code point that a later version gave a normal form or a combining class, or a part in a
composition, stays what it is in `tokenizers` 0.23.3. The package unicodedata2 has the later version.

    pip install tokenizers==0.23.3 unicodedata2==18.0.0
    python3 host/tokenizer/unicode/normal_form_table.py > host/tokenizer/unicode/normal_form_table.cpp
"""

import unicodedata2
from tokenizers import normalizers

FORMS = {name: getattr(normalizers, name)() for name in ("NFC", "NFD", "NFKC", "NFKD")}


def differs(text):
    return any(unicodedata2.normalize(name, text) != form.normalize_str(text) for name, form in FORMS.items())


def main():
    later = set()
    for code in range(0x300, 0x110000):
        if 0xD800 <= code < 0xE000:
            continue
        parts = unicodedata2.decomposition(chr(code)).split()
        if differs(chr(code)) and len(parts) == 2 and not parts[0].startswith("<"):
            later.add(int(parts[0], 16))  # or the parts would be composed
        # between marks of other classes, which change places with a combining mark
        if differs(chr(code)) or differs("\u0301" + chr(code) + "\u0334"):
            later.add(code)
    ranges = []
    for code in sorted(later):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    print("// Made by normal_form_table.py.")
    print('#include "host/tokenizer/unicode/normal_form_table.hpp"\n')
    print("namespace weft::tokenizer {\n")
    print("const CodeRange kLaterForms[] = {")
    line = "   "
    for first, last in ranges:
        entry = f" {{{first:#x}, {last:#x}}},"
        if len(line) + len(entry) > 120:
            print(line)
            line = "   "
        line += entry
    print(line)
    print("};")
    print("const std::size_t kLaterFormCount = std::size(kLaterForms);\n")
    print("}  // namespace weft::tokenizer")


if __name__ == "__main__":
    main()
