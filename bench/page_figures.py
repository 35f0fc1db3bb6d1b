"""Checks measured figures in the running text of docs/ and README.md: each occurs in the results of its page, or is derived.

A figure is checked if it has a unit that is measured and more digits than a setting has: thousands, a fraction, or any clock
in MHz. Text in marked sections is written from the results; tables, fenced blocks and commands have checks of their own.
"""

import json
import re

import page_check

FIGURE = re.compile(r"(?<![\w.,`/^-])(\d[\d,]*(?:\.\d+)?)(?: (?:to|or|and) (\d[\d,]*(?:\.\d+)?))?[ \n]?"
                    r"(%|(?:cycles|ms|s|seconds|minutes|hours|MHz|nats|sites|tokens/s|times)\b)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
SKIPPED = ("|", "#", "    ")

# Figures that no command measures, with their reasons: {page below docs: figures}. Each is a constant of the design, a
# setting, or worked out on its page.
DERIVED = {
    "explanation/attention_rows.md": ("1,248 cycles", "3,103 cycles"),  # d SP + 28 * 8; what the goal leaves
    "explanation/generation.md": ("49,840 cycles", "2,112 cycles"),  # 7,120 weights * 7; 704 outputs * 3 rows
    "explanation/grouped_heads.md": ("12 %",),  # 243 of 218 million weights
    "explanation/hangs.md": ("16384 cycles",),  # a constant of the simulator
    "explanation/kernels.md": ("7.5 cycles",),  # a coefficient of the estimate
    "explanation/program_speed.md": ("65,535 times",),  # 16 bits of REP
    "explanation/scaling.md": ("9.3 s",),  # 174.6 G sums * 8 bytes / 150 GB/s
    "explanation/short_vectors.md": ("15 %", "1.087 times"),  # 14 of 92 cycles; the mean of (n + 4) / n
    "explanation/stalls.md": ("8,388,606 cycles", "95 %"),  # 2^23 - 2; an example of a message
    "howto/fpga.md": ("10 MHz", "400 MHz", "800 MHz", "60 MHz"),  # limits of the data sheet; the flow's target
    "howto/hugging_face.md": ("0.002 nats", "0.02 nats"),  # bounds of tests
    "reference/board_link.md": ("40 MHz", "1.6 ms", "0.8 s"),  # the board's clock, 2^16 and 2^25 cycles of it
    "reference/ethernet.md": ("125 MHz", "25 MHz", "1.6 ms"),  # clocks of the standard; 2^16 cycles
}


def is_checked(figure, unit):
    """True for 1,200 cycles, 2.5 s, 46 MHz or 12 %; false for settings as 20 s, and for the design's depths as 7 cycles."""
    digits = figure.replace(",", "")
    return unit in ("MHz", "sites") or "." in digits or len(digits) >= 4 or (unit == "%" and len(digits.rstrip("0")) >= 2)


def paragraphs(text):
    """(number of the first line, text) of each paragraph of running text."""
    start, lines, marked, fenced = 0, [], False, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        marked = (marked or page_check.MARKER.fullmatch(line) is not None) and line != page_check.END
        if line and not (marked or fenced or fence or line.startswith(SKIPPED)):
            start, lines = start if lines else number, [*lines, line]
        elif lines:
            yield start, "\n".join(lines)
            lines = []


def measured_numbers(results, files):
    """All numbers in these files of results."""
    return {abs(float(number)) for file in files for number in NUMBER.findall(json.dumps(results.get(file, {})))}


def occurs(figure, unit, numbers):
    """True if one of the numbers, or a share in per cent, is the figure after rounding to its digits."""
    digits = figure.replace(",", "")
    places = len(digits.partition(".")[2])
    scales = (1, 100) if unit == "%" else (1,)
    return any(f"{number * scale:.{places}f}" == digits for number in numbers for scale in scales)


def unproved_figures(results, docs, tables):
    """Errors: figures in running text that neither the results of their page have nor DERIVED, and unused ones of DERIVED."""
    named = {table.page.removeprefix("../"): [] for table in tables}
    for table in tables:
        named[table.page.removeprefix("../")] += page_check.files_of(table)
    for path in page_check.pages_of(docs):
        text = path.read_text(encoding="utf-8")
        page = path.relative_to(docs).as_posix() if path.is_relative_to(docs) else path.name
        unused = set(DERIVED.get(page, ()))
        files = {*named.get(page, ()), *re.findall(r"bench/results/(\w+)\.jsonl", text)}
        numbers = measured_numbers(results, files)
        for start, paragraph in paragraphs(text):
            for match in FIGURE.finditer(paragraph):
                for figure in filter(None, (match[1], match[2])):
                    unused.discard(f"{figure} {match[3]}")
                    if (is_checked(figure, match[3]) and f"{figure} {match[3]}" not in DERIVED.get(page, ())
                            and not occurs(figure, match[3], numbers)):
                        line = start + paragraph.count("\n", 0, match.start())
                        yield (f"{path}:{line}: \"{figure} {match[3]}\" is in no result of this page. HINT: take it from a file that the"
                               " page names as bench/results/NAME.jsonl, leave it out, or list it in DERIVED of bench/page_figures.py")
        for figure in sorted(unused):
            yield f"{path}: \"{figure}\" is in DERIVED of bench/page_figures.py, but not on this page. HINT: take it out of DERIVED"
