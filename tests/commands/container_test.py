#!/usr/bin/env python3
"""The Dockerfile's steps are ones that scripts/container_try can run, and .dockerignore leaves out what .gitignore does."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Container(unittest.TestCase):
    def steps(self, tree=ROOT):
        return subprocess.run([tree / "scripts" / "container_try", "--steps"], text=True, timeout=60, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def steps_of(self, dockerfile):
        with tempfile.TemporaryDirectory(prefix="weft-") as name:
            tree = pathlib.Path(name) / "a tree"
            (tree / "scripts").mkdir(parents=True)
            shutil.copy(ROOT / "scripts" / "container_try", tree / "scripts")
            (tree / "Dockerfile").write_text(dockerfile)
            return self.steps(tree)

    def test_all_steps_are_known(self):
        done = self.steps()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.splitlines()[0], "FROM debian:12")
        self.assertEqual(done.stdout.splitlines()[-1], 'CMD ["make", "sim"]')

    def test_copied_files_are_there(self):
        for step in self.steps().stdout.splitlines():
            if step.startswith("COPY "):
                for source in step.split()[1:-1]:
                    self.assertTrue((ROOT / source).exists(), step)

    def test_continued_lines_are_joined(self):
        done = self.steps_of('# x\nFROM debian:13\nRUN a && \\\n    b && \\\n    c\n\nCMD ["make", "sim"]\n')
        self.assertEqual(done.stdout.splitlines(), ["FROM debian:13", "RUN a && b && c", 'CMD ["make", "sim"]'])

    def test_unknown_steps_are_rejected(self):
        for step in ("ADD a b", "COPY --from=x a b", "CMD make sim", "FROM fedora"):
            done = self.steps_of(f'FROM debian:12\n{step}\nCMD ["make"]\n')
            self.assertEqual(done.returncode, 2, step)
            self.assertIn("HINT: ", done.stdout)

    def test_no_built_file_gets_into_the_image(self):
        def lines(name):
            return [line for line in (ROOT / name).read_text().splitlines() if line and not line.startswith("#")]
        # Git matches a name without a slash in every folder, Docker only at the root.
        expected = [line if line.startswith("/") else f"**/{line}" for line in lines(".gitignore")]
        self.assertEqual(lines(".dockerignore"), expected)


if __name__ == "__main__":
    unittest.main(verbosity=2)
