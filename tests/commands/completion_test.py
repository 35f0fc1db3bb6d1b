#!/usr/bin/env python3
"""Completions of shells, and the manual page: completion_test.py WEFT."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
ASK = """source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_weft
printf '%s\\n' "${COMPREPLY[@]}"
"""


def weft(*words):
    """A command's output."""
    return subprocess.run([WEFT, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


class Completion(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-")
        self.addCleanup(shutil.rmtree, self.folder)
        pathlib.Path(self.folder, "weft.bash").write_text(weft("completion", "bash"))

    def bash(self, *words):
        """Returns bash's completions of the last of `words`."""
        done = subprocess.run(["bash", "-c", ASK, "ask", "weft.bash", "weft", *words], cwd=self.folder, check=True,
                              stdout=subprocess.PIPE, text=True)
        return done.stdout.split()

    def test_commands_flags_keys_and_values(self):
        self.assertEqual(self.bash("c"), ["configs", "check", "completion"])
        self.assertEqual(self.bash("run", "--num_"), ["--num_csx", "--num_steps"])
        self.assertEqual(self.bash("run", "--model.hid"), ["--model.hidden_size"])
        self.assertEqual(self.bash("run", "-m", "e"), ["eval"])
        self.assertEqual(self.bash("run", "--backend", "="), ["model", "rtl", "fpga"])
        self.assertEqual(self.bash("run", "--train_input.shuffle", ""), ["true", "false"])
        self.assertEqual(self.bash("completion", ""), ["bash", "zsh"])
        self.assertEqual(self.bash("run", "--num_csx", ""), [])

    def test_files_and_folders(self):
        os.mkdir(self.folder + "/wide")
        pathlib.Path(self.folder, "wise.yaml").touch()
        self.assertEqual(sorted(self.bash("run", "--params", "wi")), ["wide", "wise.yaml"])
        self.assertEqual(self.bash("run", "--model_dir", "wi"), ["wide"])
        self.assertEqual(sorted(self.bash("configs", "wi")), ["wide", "wise.yaml"])

    def test_each_flag_that_help_names_is_offered(self):
        for command in self.bash(""):
            if command.startswith("-"):
                continue
            flags = set(re.findall(r"^  --([a-z_.]+)", weft(command, "--help"), re.MULTILINE))
            self.assertLessEqual({"--" + flag for flag in flags}, set(self.bash(command, "--")), command)

    def test_zsh_takes_its_own(self):
        text = weft("completion", "zsh")
        self.assertTrue(text.startswith("#compdef weft\n"))
        self.assertIn("'-p[", text)  # its value is the next word
        if shutil.which("zsh"):
            subprocess.run(["zsh", "-n", "/dev/stdin"], input=text, check=True, text=True)

    def test_the_manual_has_all_and_no_warning(self):
        text = weft("manual")
        for name in ("configs", "tokenize", "model.num_heads", "cs_ip", "EXIT STATUS", "NO_COLOR"):
            self.assertIn(name, text)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-ww", "-man", "-Tascii"], input=text, check=True, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(done.stderr, "")
            self.assertIn("tile", done.stdout)

    def test_another_shell_is_refused(self):
        done = subprocess.run([WEFT, "completion", "fish"], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "weft completion: no completion for fish. HINT: write weft completion bash, or zsh.\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
