#!/usr/bin/env python3
"""CMake configures and builds in paths that contain a space, on a machine without make: configure_test.py CMAKE CXX."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE, CXX = sys.argv[1:3]
del sys.argv[1:3]


def run(*words, **options):
    return subprocess.run([str(word) for word in words], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)


FILES = run("git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z")
if FILES.returncode != 0:
    print("not a clone. HINT: git clone")
    sys.exit(int(os.environ.get("WEFT_SKIP", 77)))


class Configure(unittest.TestCase):
    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, self.base)

    def copy_of_tree(self):
        tree = self.base / "a tree"
        for name in filter(None, FILES.stdout.split("\0")):
            if (ROOT / name).exists():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, tree / name, follow_symlinks=False)  # scripts/gpt/configs is a link to a folder
        return tree

    def path_without_make(self):
        """A folder of links to all programs but those named make."""
        folder = self.base / "programs"
        folder.mkdir()
        for part in os.environ["PATH"].split(os.pathsep):
            for program in sorted(pathlib.Path(part).glob("*")) if part else []:
                link = folder / program.name
                if program.name not in ("make", "gmake") and os.access(program, os.X_OK) and not link.is_symlink():
                    link.symlink_to(program)
        return str(folder)

    def test_a_path_with_a_space_and_no_make(self):
        build = self.base / "a build"
        environment = {**os.environ, "PATH": self.path_without_make()}
        self.assertIsNone(shutil.which("make", path=environment["PATH"]))
        done = run(CMAKE, "-S", self.copy_of_tree(), "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={CXX}", "-DWEFT_TESTS=OFF",
                   env=environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        # The smallest library that Verilator generates.
        done = run(CMAKE, "--build", build, "--target", "weft_sim_valve", env=environment)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
