#!/usr/bin/env python3
"""`make times` prints the parts of the last `make sim` and `make test`, with the times that scripts/timed recorded."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Times(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft-")
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name) / "a tree"
        (self.tree / "scripts").mkdir(parents=True)
        (self.tree / "configs").mkdir()
        (self.tree / "configs/gpt_tiny.yaml").touch()
        shutil.copy(ROOT / "Makefile", self.tree)
        for name in ("times", "timed", "build_folder"):
            shutil.copy(ROOT / "scripts" / name, self.tree / "scripts")
        self.script("scripts/setup", "scripts/timed packages sleep 0.2")
        self.script("scripts/build", "scripts/timed configure true; scripts/timed compile python3 -c 'sum(range(5000000))'")
        self.script("scripts/test", "scripts/timed tests sh -c 'exit 3'")
        self.script("my build/weft", "sleep 0.2")
        (self.tree / "my build/.ninja_log").write_text("# ninja log v5\n")

    def script(self, name, text):
        path = self.tree / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/usr/bin/env bash\n{text}\n")
        path.chmod(0o755)

    def make(self, target, **more):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "WEFT_TIMES", "WEFT_UNTIMED"))}
        return subprocess.run(["make", "--no-print-directory", "BUILD=my build", target], cwd=self.tree, env=clean | more, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=60)

    def part(self, text, name):
        """(processor, wall-clock) seconds of a part, in the order of the table."""
        return [tuple(int(minutes) * 60 + float(seconds) for minutes, seconds in (processor.split(":"), wall.split(":")))
                for processor, wall in re.findall(rf"^  {name}.* ([\d:.]+) +([\d:.]+)$", text, re.MULTILINE)]

    def test_the_parts_of_both_commands_are_printed(self):
        self.assertIn("neither make sim nor make test has run", self.make("times").stdout)
        self.assertEqual(self.make("sim").returncode, 0)
        self.assertNotEqual(self.make("test").returncode, 0)
        recorded = (self.tree / "my build/times.tsv").read_text()
        self.assertEqual(self.make("sim", WEFT_UNTIMED="1").returncode, 0)  # as tests call it, which scripts/test runs
        self.assertEqual((self.tree / "my build/times.tsv").read_text(), recorded)
        self.assertIn("WEFT_UNTIMED=1 ctest", (ROOT / "scripts/test").read_text())
        done = self.make("times")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^make sim, \d{4}-\d\d-\d\d \d\d:\d\d +processor +wall clock$")
        setups = (self.tree / "Makefile").read_text().split("\ntest:", 1)[1].split("\n\n", 1)[0].count("scripts/setup")
        sim, test = self.part(done.stdout, "packages")
        self.assertGreaterEqual(sim[1], 0.2)  # each part of this tree's setup sleeps so long; times are printed in tenths
        self.assertGreaterEqual(test[1], setups * 0.2 - 0.05)
        self.assertEqual(len(self.part(done.stdout, "configuration")), 1)
        self.assertGreaterEqual(self.part(done.stdout, "training, steps: 20")[0][1], 0.2)
        self.assertGreaterEqual(len(self.part(done.stdout, "compilation")), 1)
        self.assertEqual(len(self.part(done.stdout, "tests ")), 1)
        for total, longest in zip(self.part(done.stdout, "sum"), (sim, test)):
            self.assertGreaterEqual(total[1], longest[1])

    def test_another_run_of_a_command_replaces_the_times(self):
        record = self.tree / "my build/times.tsv"
        record.write_text("sim\t1\tpackages\t1000\t1000\nsim\t1\ttools\t1000\t1000\n")
        self.make("sim")
        done = self.make("times")
        self.assertLess(self.part(done.stdout, "packages")[0][1], 1000)
        self.assertEqual(self.part(done.stdout, "tools"), [])

    def test_other_targets_record_nothing(self):
        self.assertEqual(self.make("build").returncode, 0)
        self.assertFalse((self.tree / "my build/times.tsv").exists())


class Timed(unittest.TestCase):
    def test_output_input_and_exit_code_are_those_of_the_command(self):
        with tempfile.TemporaryDirectory(prefix="weft-") as folder:
            for times in ("", f"test 1 {folder}/new/times.tsv"):
                done = subprocess.run([ROOT / "scripts/timed", "tests", "sh", "-c", "cat; echo error >&2; exit 7"], input="in", text=True,
                                      env={**os.environ, "WEFT_TIMES": times}, capture_output=True, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (7, "in", "error\n"))
            self.assertRegex(pathlib.Path(folder, "new/times.tsv").read_text(), r"^test\t1\ttests\t[\d.]+\t[\d.]+\n$")

    def test_a_signal_ends_the_command_in_its_own_way(self):
        command = "trap 'echo asked; exit 5' INT TERM; echo there; for _ in $(seq 100); do sleep 0.1; done"
        for signaled, group in ((signal.SIGTERM, False), (signal.SIGINT, True)):  # as make and a terminal send them
            with self.subTest(signaled), tempfile.TemporaryDirectory(prefix="weft-") as folder:
                timed = subprocess.Popen([ROOT / "scripts/timed", "train 1", "bash", "-c", command], stdout=subprocess.PIPE, text=True,
                                         env={**os.environ, "WEFT_TIMES": f"sim 1 {folder}/times.tsv"}, start_new_session=True)
                self.assertEqual(timed.stdout.readline(), "there\n")
                (os.killpg if group else os.kill)(timed.pid, signaled)
                self.assertEqual((timed.communicate(timeout=30)[0], timed.returncode), ("asked\n", 5))
                self.assertIn("train 1", pathlib.Path(folder, "times.tsv").read_text())


if __name__ == "__main__":
    unittest.main()
