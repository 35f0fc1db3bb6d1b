#!/usr/bin/env python3
"""Names of tests fit in lines of 120 columns and open with their subject: test_names_test.py BUILD.

ctest pads all names to the longest one, so a single long name makes every line long."""
import pathlib
import re
import subprocess
import sys

MOST = 73  # "3921/3921 Test #3921: NAME ....   Passed    0.01 sec" has 47 more
OPENINGS = ("What", "Who", "Whose", "Whether", "Of", "Where", "That", "Which", "Nobody")
# SUITE.TEST of GoogleTest, also INSTANCE/SUITE.TEST/PARAMETER and SUITE/TYPE.TEST
OPENS = re.compile(rf"(?:\w*/)?\w+(?:/\w+)?\.({'|'.join(OPENINGS)})(?![a-z])")
METHOD = re.compile(rf"^ *(?:async )?def (test_({'|'.join(OPENINGS).lower()})(?![a-z])\w*)", re.MULTILINE)
TESTS = pathlib.Path(__file__).resolve().parents[1]


def main():
    ctest = ["ctest", "--test-dir", sys.argv[1], "-N"]
    listing = subprocess.run(ctest, check=True, stdout=subprocess.PIPE, text=True).stdout
    names = re.findall(r"^ *Test +#\d+: (.*)$", listing, re.MULTILINE)
    assert names, listing
    problems = [f"{name}: {len(name)} characters. HINT: at most {MOST}" for name in names if len(name) > MOST]
    opened = [(name, found[1]) for name in names if (found := OPENS.match(name))]
    opened += [(f"{file.relative_to(TESTS)}: {name}", word)
               for file in sorted(TESTS.rglob("*.py")) for name, word in METHOD.findall(file.read_text())]
    problems += [f'{name}: opens with "{word}". HINT: name the subject first, then the behaviour'
                 for name, word in opened]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
