"""Writes category_table.cpp: the general category of each code point, as the package `tokenizers` has it.

    python3 host/tokenizer/unicode/category_table.py >host/tokenizer/unicode/category_table.cpp
"""

import textwrap

import tokenizers
from tokenizers import Regex, pre_tokenizers

NAMES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co".split()


def category_of():
    """[code point]: number in NAMES from 1 on; 0: not assigned, or a surrogate."""
    text = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    result = [0] * 0x110000
    for number, name in enumerate(NAMES, 1):
        splitter = pre_tokenizers.Split(Regex(rf"\p{{{name}}}+"), "removed", invert=True)
        for piece, _ in splitter.pre_tokenize_str(text):
            for character in piece:
                result[ord(character)] = number
    return result


def main():
    category = category_of()
    starts = [c for c in range(0x110000) if c == 0 or category[c] != category[c - 1]]
    print(f"// A table, made by host/tokenizer/unicode/category_table.py of tokenizers {tokenizers.__version__}.")
    print('#include <iterator>\n\n#include "host/tokenizer/unicode/characters.hpp"\n\nnamespace weft::tokenizer {\n')
    print("// clang-format off")
    print("const std::uint32_t kCategoryRanges[] = {")
    words = ", ".join(f"0x{c << 8 | category[c]:x}" for c in starts)
    print(textwrap.fill(words + ",", 120, initial_indent="  ", subsequent_indent="  "))
    print("};\n// clang-format on")
    print("const std::size_t kCategoryRangeCount = std::size(kCategoryRanges);\n\n}  // namespace weft::tokenizer")


if __name__ == "__main__":
    main()
