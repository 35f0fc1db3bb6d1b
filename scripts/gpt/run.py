#!/usr/bin/env python3
"""python run.py --params params.yaml --num_csx=1 --model_dir=model_dir --num_steps=10 --mode train

Starts `weft run` with these words. The program is $WEFT; or build/weft of this source tree; or the one on the PATH.
"""
import os
import pathlib
import shutil
import signal
import sys


def program():
    """Returns the first `weft` that exists, or None."""
    top = pathlib.Path(__file__).resolve().parent.parent.parent
    built = top / "build" / "weft"
    beside = top.parent.parent / "bin" / "weft"  # for PREFIX/share/weft/scripts/gpt/run.py
    for candidate in (os.environ.get("WEFT"), built, beside, shutil.which("weft")):
        if candidate and os.access(candidate, os.X_OK) and not os.path.isdir(candidate):
            return str(candidate)
    return None


def main():
    weft = program()
    if weft is None:
        sys.exit("run.py: there is no program weft. HINT: make build, or set WEFT to where it is")
    sys.stdout.flush()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and weft would keep that: | head is no error
    os.execv(weft, [weft, "run", *sys.argv[1:]])


if __name__ == "__main__":
    main()
