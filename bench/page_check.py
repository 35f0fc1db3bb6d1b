"""Checks that each number of docs/ which a command measures comes from bench/results: a function for each kind of error, which
returns messages.

A marked section of a page is what lies between the lines `<!-- NAME: make TARGET -->` and `<!-- end -->`.
"""

import os
import pathlib
import re

MARKER = re.compile(r"<!-- ([\w-]+): make ([\w-]+) -->")
END = "<!-- end -->"
UNIT = re.compile(r"[~<+-]?\d[\d.,]* ?(ns|us|ms|s|min|minutes?|hours?|days?|(tokens|steps|[KMGT]?i?B)/s|[kMG]Hz|times|cycles|nats)\b.*")
NUMBER = re.compile(r"[~<+-]?\d[\d.,]*( %| \*)?")
MEASURED = re.compile(r"\b(cycles?|utilization|seconds|processor time|faster|slower|speed-?up|loss|measured|estimated|RTL)\b")
HISTORY = re.compile(r"\b(before (this|the) change|(an|of an|on an) earlier (tree|version|commit)|since then|older than the)\b")
GIVEN = re.compile(r"\b(default|goal)\b")  # columns of settings


def pages_of(docs):
    """The pages of docs, and README.md beside it."""
    docs = pathlib.Path(docs)
    return sorted(docs.rglob("*.md")) + sorted(docs.parent.glob("README.md"))


def markers(text):
    """[(number of the line, name, target)] of a page."""
    found = ((number, MARKER.fullmatch(line)) for number, line in enumerate(text.splitlines(), 1))
    return [(number, match[1], match[2]) for number, match in found if match]


def unknown_markers(docs, tables):
    """Sections that nothing writes."""
    known = {(table.page, table.section) for table in tables}
    for path in pages_of(docs):
        for number, name, _ in markers(path.read_text(encoding="utf-8")):
            if (os.path.relpath(path, docs), name) not in known:
                yield (f"{path}:{number}: the section {name} has no results. HINT: a Table of TABLES in bench/pages.py names its file"
                       " of bench/results and writes it")


def files_of(table):
    """Names of a table's files of results."""
    return [table.result] if isinstance(table.result, str) else list(table.result)


def rows_of(results, table, name):
    """Rows of a table from all its files."""
    found = [results[file][name] for file in files_of(table)]
    return found[0] if len(found) == 1 else sum(found, [])


def command_of(target, file):
    """The command that writes a file of results."""
    if target == "fpga-record":
        return f"make fpga-record BOARD={file.removeprefix('fpga_')}"
    return f"make {target}" if target in ("parity", "trained-model") else f"make {target} RESULTS={file}"


def missing_rows(results, docs, tables):
    """Sections whose files of results, or the rows in them, are missing."""
    for table in tables:
        for file in files_of(table):
            rows = [name for name in table.rows if not results.get(file, {}).get(name)]
            if not rows:
                continue
            text = (docs / table.page).read_text(encoding="utf-8")
            target = next((target for _, name, target in markers(text) if name == table.section), "measure")
            problem = f"has no rows {', '.join(rows)}" if file in results else "is missing"
            yield (f"{docs / table.page}: bench/results/{file}.jsonl {problem}, so that nothing proves the section"
                   f" {table.section}. HINT: {command_of(target, file)}")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def unmarked_tables(text):
    """[(number of the line, cell)] of tables outside marked sections that have measured values: the first such cell of each."""
    found, head, marked, fenced, seen = [], [], False, False, False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.lstrip().startswith("```")
        marked = (marked or MARKER.fullmatch(line) is not None) and line != END
        if marked or fenced or not line.lstrip().startswith("|"):
            head, seen = [], False
            continue
        if not head:
            head = cells(line)
        for name, cell in zip(head, cells(line)):
            measured = UNIT.fullmatch(cell) or (NUMBER.fullmatch(cell) and MEASURED.search(name))
            if measured and not seen and not GIVEN.search(name):
                found.append((number, cell))
                seen = True
    return found


def unmarked_measurements(docs):
    for path in pages_of(docs):
        for number, cell in unmarked_tables(path.read_text(encoding="utf-8")):
            yield (f"{path}:{number}: \"{cell}\" is measured, and the table is no section of results. HINT: write the table from"
                   " bench/results, between <!-- NAME: make TARGET --> and <!-- end -->, or leave it out")


def histories(docs):
    """Lines that tell what was measured before a change."""
    for path in pages_of(docs):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if found := HISTORY.search(line):
                yield (f"{path}:{number}: \"{found[0]}\" tells history. HINT: describe the present tree; git and CHANGELOG.md have the"
                       " history")
