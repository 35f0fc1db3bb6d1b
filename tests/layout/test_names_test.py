#!/usr/bin/env python3
"""Names of tests fit in lines of 120 columns: test_names_test.py BUILD.

ctest pads all names to the longest one, so a single long name makes every line long."""
import re
import subprocess
import sys

MOST = 73  # "3921/3921 Test #3921: NAME ....   Passed    0.01 sec" has 47 more


def main():
    listing = subprocess.run(["ctest", "--test-dir", sys.argv[1], "-N"], check=True, stdout=subprocess.PIPE, text=True).stdout
    names = re.findall(r"^ *Test +#\d+: (.*)$", listing, re.MULTILINE)
    assert names, listing
    long = [name for name in names if len(name) > MOST]
    for name in long:
        print(f"{name}: {len(name)} characters. HINT: at most {MOST}")
    return 1 if long else 0


if __name__ == "__main__":
    sys.exit(main())
