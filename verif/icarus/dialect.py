"""Translates the RTL into the constructs that Icarus Verilog 11 supports: equivalent text, and no changed statement.

Statements of always blocks do not change, blocking or not, so a race in the RTL is a race in Icarus. Modules are read in this
way for that purpose; yosys (convert.py) would make registers of all variables. Icarus does not support:
"""
import re

WORDS = (
    # types of constants, such as `int unsigned`
    (r"\blocalparam logic \[3:0\]\[4:0\]\[4:0\]", "localparam [99:0]"),
    (r"\b(parameter|localparam) int unsigned\b", r"\1 [31:0]"),
    (r"\b(parameter|localparam) (?:bit|logic) ", r"\1 "),
    (r"\bfunction automatic int unsigned\b", "function automatic [31:0]"),
    (r"\binput int unsigned\b", "input [31:0]"),
    # $error during elaboration
    (r"(?m)^\s*`WEFT_PARAM\(.*$", ""),
    # casts to a named type of the same width
    (r"\b(?:weight_t|command_t|route_t|sfu_fn_e)'\(", "("),
    # functions that return an enumeration, which are not called here
    (r"(?ms)^  function automatic (?:logic \[3:0\] scalar_|\w+_e ).*?endfunction\n", ""),
)


def _numbers(text):
    """Constants of a package in its own types, as numbers."""
    for name, value in re.findall(r"localparam \[31:0\] (\w+)\s*= (\d+);", text):
        text = re.sub(rf"\b{name}-1\b", f"{value}-1", text)
    return text


def _patterns(text):
    """'{member: value, ...} of a packed structure, all members in order, as {value, ...}; '0 is a fraction of 23 bits."""
    done = ""
    while (at := text.find("'{")) >= 0:
        depth, parts, start = 0, [], at + 2
        for i in range(at + 1, len(text)):
            depth += (text[i] in "{([") - (text[i] in "})]")
            if depth == 0 or (depth == 1 and text[i] == ","):
                parts.append(text[start:i].split(":", 1)[1].strip())
                start = i + 1
            if depth == 0:
                break
        done += text[:at] + "{" + ", ".join("23'b0" if p == "'0" else p for p in parts) + "}"
        text = text[i + 1:]
    return done + text


def translate(text):
    for old, new in WORDS:
        text = re.sub(old, new, text)
    return _patterns(_numbers(text) if re.search(r"^package ", text, re.M) else text)
