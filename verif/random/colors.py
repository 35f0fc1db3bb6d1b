#!/usr/bin/env python3
"""colors.py BUILD FIRST LAST [FABRICS]: random fabrics for every number of colors from FIRST to LAST, so many for each (default 50), on
routers that are built for that number, in BUILD. (Half a minute of compiling for each.)
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    build, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    fabrics = sys.argv[4] if len(sys.argv) > 4 else "50"
    every = range(first, last + 1)
    subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DWEFT_RANDOM_COLORS=" + ";".join(map(str, every))],
                   check=True, stdout=subprocess.DEVNULL)
    for colors in every:
        name = f"weft-random-c{colors}"
        subprocess.run(["cmake", "--build", build, "--parallel", "2", "--target", name], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([f"{build}/{name}", "--seed", str(colors), "--fabrics", fabrics], stdout=subprocess.PIPE, text=True)
        print(f"{colors} colors: {done.stdout.splitlines()[-1] if done.returncode == 0 else done.stdout}", flush=True)
        if done.returncode:
            sys.exit(1)


if __name__ == "__main__":
    main()
