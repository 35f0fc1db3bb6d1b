"""A cluster of three nodes for the tests of a class, in a folder of its own, and gone after them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLUSTER, CSRUN = ROOT / "scripts/cluster", ROOT / "scripts/csrun_wse"
PROGRAMS = ("slurmctld", "slurmd", "srun", "munged")
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"


def skip_without_slurm():
    for name in PROGRAMS:
        if not shutil.which(name, path=PATH):
            print(f"skipped: no {name} on this machine. HINT: scripts/setup slurm")
            sys.exit(77)


def processes(folder):
    """Ids of a cluster's."""
    out = subprocess.run([sys.executable, ROOT / "scripts/slurm/processes.py", folder], check=True, stdout=subprocess.PIPE, text=True)
    return [int(line) for line in out.stdout.split()]


class SmallCluster(unittest.TestCase):
    OPTIONS = ()

    @classmethod
    def setUpClass(cls):
        cls.base = tempfile.mkdtemp(prefix="weft-")  # short: sockets' names have an end
        cls.addClassCleanup(shutil.rmtree, cls.base, ignore_errors=True)
        cls.folder = cls.base + "/c"
        cls.env = {**os.environ, "WEFT_CLUSTER": cls.folder}
        cls.addClassCleanup(subprocess.run, [CLUSTER, "down"], env=cls.env, check=True, stdout=subprocess.DEVNULL)

    def setUp(self):
        self.cluster("up", 3, *self.OPTIONS)  # harmless if it is up, and mends what the test before it broke

    def run_it(self, *words, code=0, env=None):
        """Both outputs of a command, which must end with `code`; None: any code."""
        done = subprocess.run([str(word) for word in words], cwd=self.base, env=env or self.env, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if code is not None:
            self.assertEqual(done.returncode, code, f"{words}:\n{done.stdout}")
        return done.stdout

    def cluster(self, *words, code=0):
        return self.run_it(CLUSTER, *words, code=code)

    def slurm(self, *words, code=0):
        return self.cluster("exec", *words, code=code)

    def csrun(self, *words, code=0):
        return self.slurm(CSRUN, "--output", self.base + "/logs", *words, code=code)

    def until(self, what, seconds=60):
        """Waits until what() is true."""
        end = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), end, f"not so after {seconds} s")
            time.sleep(0.1)

    def script(self, text):
        """A program for ranks."""
        path = pathlib.Path(self.base, "program.sh")
        path.write_text("#!/usr/bin/env bash\n" + text)
        path.chmod(0o755)
        return path


def main():
    skip_without_slurm()
    unittest.main(verbosity=2)
