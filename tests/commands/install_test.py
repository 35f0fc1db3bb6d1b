#!/usr/bin/env python3
"""An installation runs in its folder, without the source tree: install_test.py CMAKE BUILD."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD = sys.argv[1:3]
del sys.argv[1:3]
ROOT = pathlib.Path(__file__).resolve().parents[2]
HASHES = ["346465df9128f34a", "10a64096449fc404", "7239030b0111dd35"]


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        cls.addClassCleanup(shutil.rmtree, cls.base)
        cls.prefix = cls.base / "usr"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)

    def run_it(self, *words, path="", code=0):
        """Both outputs of a command in an empty environment and folder."""
        done = subprocess.run([str(word) for word in words], cwd=self.base, env={"PATH": f"{path}:/usr/bin:/bin"}, text=True,
                              timeout=300, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def hashes(self, folder):
        lines = (self.base / folder / "metrics.jsonl").read_text().splitlines()
        return [json.loads(line)["state_hash"] for line in lines]

    def test_an_installed_parameter_file_is_found_and_trained_on_rtl(self):
        out = self.run_it(self.prefix / "bin/weft", "run", "--params", "configs/gpt_tiny.yaml", "--model_dir", "rtl", "--num_steps", 1,
                          "--backend", "rtl")
        self.assertIn(f"run     {self.prefix}/share/weft/configs/gpt_tiny.yaml\n", out)
        self.assertEqual(self.hashes("rtl"), HASHES[:1])

    def test_the_texts_command_finds_its_program(self):
        gpt = self.prefix / "share/weft/scripts/gpt"
        self.run_it(gpt / "run.py", "--params", gpt / "params.yaml", "--model_dir", "mine", "--num_steps", 3, "--mode", "train")
        self.assertEqual(self.hashes("mine"), HASHES)

    def test_all_that_is_listed_is_what_was_installed(self):
        out = self.run_it(self.prefix / "bin/weft", "configs", "gpt_tiny.yaml", "--json")
        self.assertEqual(json.loads(out)["file"], f"{self.prefix}/share/weft/configs/gpt_tiny.yaml")
        out = self.run_it(self.prefix / "bin/weft", "run", "--params", "configs/gpt_tinny.yaml", code=2)
        self.assertIn("configs/gpt_tinny.yaml: cannot be read", out)

    def test_a_project_finds_the_library(self):
        found = [str(path) for path in self.prefix.glob("lib*/**/cmake/weft")]
        self.assertEqual(len(found), 1)
        subprocess.run([sys.executable, ROOT / "tests/library/project_test.py", CMAKE, "c++", found[0]], check=True,
                       timeout=600)

    def test_bitstreams_come_along_with_the_rule_for_adapters(self):
        bitstreams, prefix = self.base / "made here", self.base / "with boards"
        for name, files in {"ulx3s": ("weft.bit", "weft.build", "netlist.json"), "tile": ("netlist.json",)}.items():
            (bitstreams / name).mkdir(parents=True)
            for file in files:
                (bitstreams / name / file).write_text("build = 0123456789abcdef\nboard = ulx3s\n")
        subprocess.run([CMAKE, f"-DWEFT_BITSTREAMS={bitstreams}", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-P", f"{BUILD}/cmake_install.cmake"],
                       check=True, stdout=subprocess.DEVNULL)
        boards = sorted(str(path.relative_to(prefix)) for path in (prefix / "share/weft/boards").rglob("*"))
        self.assertEqual(boards, ["share/weft/boards/ulx3s", "share/weft/boards/ulx3s/weft.bit", "share/weft/boards/ulx3s/weft.build"])
        self.assertIn("0403", (prefix / "lib/udev/rules.d/70-weft-boards.rules").read_text())

    def test_shells_man_and_slurm_have_their_files(self):
        for name in ("bash-completion/completions/weft", "zsh/vendor-completions/_weft", "man/man1/weft.1"):
            self.assertGreater((self.prefix / "share" / name).stat().st_size, 1000, name)
        self.assertIn("csrun_wse [options] CMD", self.run_it(self.prefix / "bin/csrun_wse", "--help"))

    def test_the_copyright_file_names_all_licences(self):
        text = (self.prefix / "share/doc/weft/copyright").read_text()
        self.assertTrue(text.startswith("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"))
        licences = {"Apache-2.0"}
        if (ROOT / "REUSE.toml").exists():  # the file assigns the licences
            for words in re.findall(r'SPDX-License-Identifier = "(.*)"', (ROOT / "REUSE.toml").read_text()):
                licences.add(words.split(" WITH ")[-1])
        for licence in licences:
            # Once for files, once with its text.
            self.assertEqual(len(re.findall(f"^License: {re.escape(licence)}$", text, re.MULTILINE)), 2, licence)

    def test_hardware_names_its_licence(self):
        line = "// SPDX-License-" + "Identifier: Apache-2.0 WITH SHL-2.1\n"  # in two parts: `reuse lint` reads this file as well
        for folder in ("rtl", "fpga"):
            for path in (ROOT / folder).rglob("*"):
                if path.suffix in (".sv", ".svh", ".v"):
                    self.assertTrue(path.read_text().startswith(line), path)


if __name__ == "__main__":
    unittest.main(verbosity=2)
