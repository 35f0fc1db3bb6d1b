#!/usr/bin/env python3
"""The workflow of a public CI host calls scripts that exist, on all toolchains of scripts/distributions."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text()


class Workflow(unittest.TestCase):
    def test_its_toolchains_are_those_of_the_script(self):
        listed = re.search(r"toolchain: \[(.*)\]", WORKFLOW)[1].split(", ")
        script = (ROOT / "scripts" / "distributions").read_text()
        self.assertEqual(sorted(listed), sorted(re.search(r"HINT: one of ([^\"]*)\"", script)[1].split()))

    def test_its_scripts_exist(self):
        scripts = re.findall(r"(?:bash|sudo) ((?:scripts/|\.ci/)\S+)", WORKFLOW)
        self.assertEqual(scripts, [".ci/run", "scripts/distributions"])
        for script in scripts:
            self.assertTrue((ROOT / script).is_file(), script)


if __name__ == "__main__":
    unittest.main(verbosity=2)
