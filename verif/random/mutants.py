#!/usr/bin/env python3
"""mutants.py BUILD [NAME...]: tests the tests of `make test`. Injects one bug after the other in a copy of the sources, in BUILD/source,
builds the tests that should fail, and checks that each test fails. (Some ten minutes.) `mutants.py --check` only finds the bugs' lines.

A bug is a pattern that matches one line of all of rtl/, and the text in its place. A pattern that matches no line or several lines is out
of date, because the RTL has changed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
from collections import namedtuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
Bug = namedtuple("Bug", "name pattern instead tests")

RANDOM = "tests/random/random_test"
BUGS = [
    Bug("multiply-add rounding", r"up       = \(norm >> 7\) & .*;", "up = (norm >> 7) & 32'd1;",  # a tie goes away from zero
        [RANDOM, "tests/pe/pe_test"]),
    Bug("multiply-add rounding, as it is built", r"up       = norm\[3\] & .*;", "up = norm[3];", ["tests/pe/pe_built_test"]),
    Bug("flush to zero", r" \| \(32'\(exponent == 32'd0\) & 32'\(packed_result < 32'h0080_0000\)\);", ";",
        [RANDOM, "tests/pe/pe_test"]),
    Bug("flush to zero, as it is built", r" \| \(rounded\[32:23\] == '0\);", ";", ["tests/pe/pe_built_test"]),
    Bug("a table entry", r"rom\[i\] = Rom\[i\*9\+:9\];", "rom[i] = Rom[i*9+:9] ^ 9'(i == 700);", [RANDOM, "tests/pe/pe_test"]),
    Bug("credit return", r"popped_q <= pop_i \| refused;", "popped_q <= (valid_i == '0 ? pop_i : '0) | refused;",  # lost beside a message
        [RANDOM, "tests/random/random24_test"]),
    Bug("multicast done bits", r": pending_q\[o\]\[c\] & ~grant_i\[o\]\);", ": pending_q[o][c]);", [RANDOM, "tests/random/random24_test"]),
    Bug("ring order", r"words_q\[rptr_q\]\[word_q\*32\+:32\]", "words_q[rptr_q][(32'(last) - 32'(word_q))*32+:32]", [RANDOM]),
    Bug("address wrap", r"(?<=next_offset_q;\n      end\n      default: ;\n    endcase\n    )return base \+ move_by;",  # in the field of m, not of b
        "return {base[15], base[14:0] + move_by[14:0]};", [RANDOM]),
    Bug("interleaved accumulators", r"if \(~weight_i\) move_o = MoveStay;.*", "",  # it moves on before the weight is there
        [RANDOM]),
    Bug("thread arbitration", r"assign main_issue = main_valid_i & ~main_wait & ~psum_issue", "assign main_issue = main_valid_i & ~main_wait",
        [RANDOM]),
    Bug("counter width", r"rep_q <= rep_q - 16'd1;", "rep_q <= {8'd0, rep_q[7:0] - 8'd1};", [RANDOM]),
    Bug("route load", r"route_we && route_i\.port == 3'\(i\)", "route_we && (route_i.port & 3'd3) == (3'(i) & 3'd3)", [RANDOM, "tests/random/random24_test"]),
]


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def copy(source):
    """Every file that git has, if it has changed: so what has not is not built again."""
    files = run("git", "-C", ROOT, "ls-files").stdout.split()
    for name in files:
        to = source / name
        to.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file() and (not to.exists() or to.read_bytes() != (ROOT / name).read_bytes()):
            shutil.copy(ROOT / name, to)


def place(bug, rtl):
    """The file of rtl/ and the text with the bug."""
    found = []
    for file in sorted(rtl.rglob("*.sv")):
        text = file.read_text()
        found += [(file, text, at) for at in re.finditer(bug.pattern, text, re.MULTILINE)]
    if len(found) != 1:
        where = ", ".join(file.name for file, _, _ in found) or "none"
        sys.exit(f"mutants: `{bug.name}`: its pattern matches {len(found)} lines ({where}). HINT: change the pattern in {__file__}.")
    file, text, at = found[0]
    return file, text, text[:at.start()] + bug.instead + text[at.end():]


def build(build_dir, targets):
    done = run("cmake", "--build", build_dir, "--parallel", "2", "--target", *[pathlib.Path(t).name for t in targets])
    if done.returncode:
        sys.exit(f"mutants: does not build:\n{done.stdout[-3000:]}")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--check":
        for bug in BUGS:
            place(bug, ROOT / "rtl")
        return
    if sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    unknown = set(sys.argv[2:]) - {bug.name for bug in BUGS}
    if unknown:
        sys.exit(f"mutants: no bug is named {', '.join(sorted(unknown))}. HINT: one of: {', '.join(bug.name for bug in BUGS)}")
    work = pathlib.Path(sys.argv[1]).resolve()
    bugs = [b for b in BUGS if not sys.argv[2:] or b.name in sys.argv[2:]]
    source, build_dir = work / "source", work / "build"
    copy(source)
    for bug in bugs:
        place(bug, source / "rtl")  # before anything takes time
    done = run("cmake", "-S", source, "-B", build_dir, "-G", "Ninja", "-DWEFT_LONG_TESTS=ON")
    if done.returncode:
        sys.exit(f"mutants: {done.stdout[-3000:]}")
    tests = sorted({test for bug in bugs for test in bug.tests})
    build(build_dir, tests)
    for test in tests:
        done = run(build_dir / test, timeout=600)
        if done.returncode:
            sys.exit(f"mutants: {test} fails without any bug:\n{done.stdout[-3000:]}")
    missed = 0
    for bug in bugs:
        file, good, bad = place(bug, source / "rtl")
        file.write_text(bad)
        try:
            build(build_dir, bug.tests)
            for test in bug.tests:
                try:
                    done = run(build_dir / test, timeout=600)
                    caught = done.returncode != 0
                except subprocess.TimeoutExpired:
                    caught = True
                missed += not caught
                print(f"{bug.name}: {file.name}: {test} {'fails, as it should' if caught else 'DOES NOT NOTICE'}", flush=True)
                replay = re.search(r"^replay: .*", done.stdout, re.MULTILINE) if caught else None
                if replay:
                    print("  " + replay[0], flush=True)
        finally:
            file.write_text(good)
    sys.exit(f"mutants: {missed} not noticed" if missed else 0)


if __name__ == "__main__":
    main()
