"""Compiles the Python module over the library of a build folder: build_module.py CMAKE CXX SOURCE BUILD.

In the environment of scripts/setup python. Without optimization: the tests wait for its compilation, not for its loops."""
import pathlib
import re
import subprocess
import sys

import nanobind

cmake, compiler, source, build = sys.argv[1:]
pinned = re.search(r'"nanobind==([\d.]+)"', (pathlib.Path(source) / "pyproject.toml").read_text())[1]
assert nanobind.__version__ == pinned, f"scripts/setup has nanobind {nanobind.__version__}, pyproject.toml {pinned}"
folder = f"{build}/python_module"
subprocess.run([cmake, "-G", "Ninja", "-S", f"{source}/python", "-B", folder, f"-DCMAKE_CXX_COMPILER={compiler}",
                f"-Dweft_DIR={build}/cmake", f"-DPython_EXECUTABLE={sys.executable}",
                "-DCMAKE_BUILD_TYPE=Quick", "-DCMAKE_CXX_FLAGS_QUICK=-O0 -DNDEBUG"], check=True)
subprocess.run([cmake, "--build", folder, "--parallel", "1"], check=True)
