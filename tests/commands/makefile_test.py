#!/usr/bin/env python3
"""The Makefile takes its variables from the command line only, and `make clean` removes build folders of its tree only."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VARIABLES = ["BUILD", "CONFIG", "NUM_CSX", "NUM_STEPS", "BACKEND", "DEVICE", "MODEL_DIR", "STEP", "PHASE", "TILE", "WAFER", "CYCLES",
             "OUT", "PNG", "PROFILE", "BOARD", "MESH", "SEEDS", "BOARDS", "FLASH", "BIT", "CABLE", "TRY", "COMMIT", "PYTHON", "LANES", "JOBS"]


class Makefile(unittest.TestCase):
    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, self.base)
        self.home = self.base / "home"
        self.tree = self.base / "a tree"
        self.home.mkdir()
        (self.tree / "configs").mkdir(parents=True)
        (self.tree / "configs" / "gpt_tiny.yaml").write_text("")
        (self.tree / "CMakeLists.txt").write_text("")
        shutil.copy(ROOT / "Makefile", self.tree)
        shutil.copytree(ROOT / "scripts", self.tree / "scripts", symlinks=True)

    def make(self, *words, **environment):
        clean = {name: value for name, value in os.environ.items() if name not in VARIABLES and not name.startswith("MAKE")}
        return subprocess.run(["make", "--no-print-directory", *words], cwd=self.tree, text=True, timeout=60, check=False,
                              env={**clean, "HOME": str(self.home), **environment}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)

    def folder(self, *path, source=None):
        """A folder with a file in it, configured for the tree `source`."""
        folder = self.base.joinpath(*path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "precious").write_text("all that I have")
        if source:
            (folder / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={source}\n")
        return folder

    def marked(self, name):
        """A folder that a script of the tree has made."""
        command = ". scripts/build_folder; mark_build " + shlex.quote(str(self.base / name))
        subprocess.run(["bash", "-euc", command], cwd=self.tree, check=True)
        return self.base / name

    def refused(self, folder, *said, **environment):
        done = self.make("clean", f"BUILD={folder}", **environment)
        self.assertEqual(done.returncode, 2, done.stdout)
        for words in (*said, "nothing is removed", "HINT: "):
            self.assertIn(words, done.stdout)

    def removed(self, folder):
        done = self.make("clean", f"BUILD={folder}")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertFalse(pathlib.Path(folder, "precious").exists())
        return done

    def test_no_variable_is_taken_from_the_environment(self):
        plain, set_outside = (self.make("-pn", "help", **names).stdout.splitlines()
                              for names in ({}, {name: "/from/outside" for name in VARIABLES}))
        for name in VARIABLES:
            mine = [[line for line in lines if line.split(" ")[:1] == [name]] for lines in (plain, set_outside)]
            self.assertEqual(mine[0], mine[1])
            self.assertEqual(len(mine[0]), 1, name)
        self.assertNotIn("/from/outside", self.make("-n", "sim", "waves", "flash", "package", "parity", "fpga",
                                                    **{name: "/from/outside" for name in VARIABLES}).stdout)

    def test_sim_takes_the_backend_of_the_command_line_or_of_the_file_or_rtl(self):
        (self.tree / "configs" / "own.yaml").write_text("runconfig:\n  backend: model  # quick\n")
        for config, words, backend in (("gpt_tiny.yaml", [], "rtl"), ("own.yaml", [], "model"), ("own.yaml", ["BACKEND=rtl"], "rtl")):
            self.assertIn(f"--backend {backend} ", self.make("-n", "sim", f"CONFIG={config}", *words).stdout)

    def test_a_folder_of_the_environment_is_not_cleaned(self):
        theirs, mine = self.folder("theirs", source=self.tree), self.folder("a tree", "build", source=self.tree)
        done = self.make("clean", BUILD=str(theirs))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue((theirs / "precious").exists())
        self.assertFalse(mine.exists())
        self.refused(self.folder("other"), MAKEFLAGS="e", BUILD=str(self.folder("other")))

    def test_a_build_folder_of_this_tree_is_removed(self):
        for name in ("plain", "with a space", "it's", "-rf", "*"):
            folder = self.folder(name, source=self.tree)
            self.removed(folder)
            self.assertFalse(folder.exists(), name)
        self.removed(self.folder("a tree", "build"))  # one that no script has configured yet
        lint = self.marked("lint") / "venv"
        lint.mkdir()
        self.removed(lint.parent)
        self.assertFalse(lint.parent.exists())
        self.assertEqual(self.make("clean", "BUILD=not/there").returncode, 0)

    def test_names_that_the_shell_would_read_are_names(self):
        """Neighbours of a folder called `*` and `a b` stay."""
        keep = [self.folder("a"), self.folder("b")]
        self.removed(self.folder("a b", source=self.tree))
        self.removed(self.folder("*", source=self.tree))
        for folder in keep:
            self.assertTrue((folder / "precious").exists())

    def test_content_behind_a_link_is_removed_and_the_link_stays(self):
        folder = self.folder("disk", source=self.tree)
        (self.tree / "build").symlink_to(folder)
        self.removed(self.tree / "build")
        self.assertTrue((self.tree / "build").is_symlink())
        self.assertTrue(folder.is_dir())
        outside = self.folder("outside")
        (folder / "link").symlink_to(outside)
        (folder / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.tree}\n")
        self.removed(self.tree / "build")
        self.assertTrue((outside / "precious").exists())

    def test_folder_of_another_tree_stays(self):
        for folder, said in (
                (self.folder("data"), "it has no CMakeCache.txt, and holds precious"),
                (self.folder("data", "deep", "deeper"), "not a build folder"),
                (self.folder("elsewhere", source="/usr/src/other"), "a build folder of /usr/src/other"),
                (self.folder("home", source=self.tree), "holds"),  # CMake was once called there
                (self.folder(source=self.tree), "holds"),
                (self.tree, "holds"), (self.tree / "configs", "not a build folder"), (self.tree / "scripts", "not a build folder"),
                (".", "holds"), ("..", "holds"), ("configs/..", "holds"),
                (self.tree / "Makefile", "is not a folder")):
            self.refused(folder, said)
        shims = self.base / "shims"  # whatever clean does, the root stays
        shims.mkdir()
        for name in ("rm", "rmdir", "find"):
            (shims / name).write_text("#!/bin/sh\nexit 3\n")
            (shims / name).chmod(0o755)
        self.refused("/", "holds /", PATH=f"{shims}:{os.environ['PATH']}")
        self.assertTrue((self.base / "data" / "precious").exists())
        self.assertTrue((self.home / "precious").exists())
        self.assertTrue((self.tree / "configs" / "gpt_tiny.yaml").exists())
        self.assertIn("BUILD is empty. HINT: ", self.make("clean", "BUILD=").stdout)

    def test_names_alone_make_no_build_folder(self):
        """Folders of the user's may have the names of those that scripts make: they stay, also after a script has worked there."""
        for folder in ("d/text", "d/release", "out/netlist"):
            self.folder(*folder.split("/"))
        for folder in ("d", "out"):
            self.refused(self.base / folder, "not a build folder")
            self.marked(folder)
            self.refused(self.base / folder, "not a build folder")
        other = self.marked("other tree's")
        (other / ".weft_build").write_text("/usr/src/other\n")
        (other / "venv").mkdir()
        self.refused(other, "not a build folder")
        self.removed(self.marked("empty"))

    def test_sources_of_the_tree_stay_even_if_they_are_configured(self):
        subprocess.run(["git", "init", "-q", "."], cwd=self.tree, check=True)
        subprocess.run(["git", "add", "."], cwd=self.tree, check=True)
        self.folder("a tree", "configs", source=self.tree)
        self.refused("configs", "holds sources of this tree")
        self.refused(".git", "holds")
        self.removed(self.folder("a tree", "build2", source=self.tree))

    def test_each_folder_that_a_script_makes_is_one_of_a_build(self):
        """A target makes folders in BUILD before the first configuration: neither the build nor `make clean` rejects them."""
        in_build = re.compile(r"""\$(?:\{BUILD:-build\}|\{?build\}?|\{?BUILD\}?)"?/"?([a-z0-9_]+)""")
        names = {"interop", "interop_current"}  # scripts/setup makes the folder that its argument names
        for script in (*(ROOT / "scripts").iterdir(), *(ROOT / "fpga").glob("*.sh"), ROOT / "fpga" / "flow"):
            lines = [line for line in script.read_text().splitlines() if not line.startswith("#")] if script.is_file() else []
            names |= {name for line in lines for name in in_build.findall(line)}
        names -= {"weft", "weft_", "build", "configure", "cpack", "lint_yosys"}  # files, or made after the configuration
        self.assertLessEqual({"venv", "interop", "verilator", "fpga", "synth", "text", "asan"}, names)
        folder = self.marked("all")
        for name in sorted(names):
            (folder / name).mkdir()
        done = subprocess.run([self.tree / "scripts" / "build", folder, "1", "weft"], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertNotIn("does not belong to a build", done.stdout)
        self.removed(folder)

    def test_a_folder_of_other_things_is_not_built_in(self):
        for folder, said in ((self.folder("data"), "holds precious, which does not belong to a build"),
                             (self.folder("other", source="/usr/src/other"), "is a build folder of /usr/src/other")):
            done = subprocess.run([self.tree / "scripts" / "build", folder, "1", "weft"], text=True, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(said, done.stdout)
            self.assertTrue((folder / "precious").exists())


if __name__ == "__main__":
    unittest.main()
