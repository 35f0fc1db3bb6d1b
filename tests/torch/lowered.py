"""weft.torch from the source tree, and the program `weft` that the first argument names.

Runs need the package's compiled module, from the build folder that WEFT_PACKAGE names. Without it weft.torch lowers
modules alone."""

import os
import pathlib
import subprocess
import sys
import types

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEFT = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/weft").resolve())
if "WEFT_PACKAGE" in os.environ:
    if not list(pathlib.Path(os.environ["WEFT_PACKAGE"]).glob("weft/_weft*.so")):
        print("the Python module is not compiled. HINT: scripts/setup python, and the test python.module")
        sys.exit(77)
    sys.path.insert(0, os.environ["WEFT_PACKAGE"])
else:
    package = types.ModuleType("weft")
    package.__path__ = [str(ROOT / "python/weft")]
    sys.modules.setdefault("weft", package)

from weft.torch import Refusal, compile  # noqa: E402,F401


def tokens(sequences=2, length=8, vocab=96):
    return torch.randint(0, vocab, (sequences, length), generator=torch.Generator().manual_seed(1))


def weft(*words):
    """Returns the output of weft."""
    done = subprocess.run([WEFT, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
