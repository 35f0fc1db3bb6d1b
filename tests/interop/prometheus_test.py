"""Prometheus' own parser reads the text file of a run.

    prometheus_test.py build/weft [build/promtool/promtool]

In the Python that has it: scripts/setup tensorboard; promtool's opinion: scripts/setup promtool."""

import subprocess
import sys
import unittest

from prometheus_client.parser import text_string_to_metric_families
from run_folder import RunFolder

PROMTOOL = sys.argv[2] if len(sys.argv) > 2 else ""


class Prometheus(RunFolder):
    def test_prometheus_reads_the_text_file(self):
        self.run_dir = self.folder / 'run "1"\\a'
        file = self.folder / "weft.prom"
        self.weft(5, "--metrics.prometheus", file)
        self.weft(7, "--metrics.prometheus", file)
        families = {family.name: family for family in text_string_to_metric_families(file.read_text())}
        last = self.lines()[-1]
        value = {}
        for name, family in families.items():
            (sample,) = family.samples
            self.assertEqual(sample.labels["model_dir"], str(self.run_dir))
            self.assertTrue(family.documentation, name)
            self.assertEqual(family.type, "counter" if sample.name.endswith("_total") else "gauge", name)
            value[name] = sample.value
        self.assertEqual(families["weft_run_info"].samples[0].labels["run"], last["run"])
        self.assertEqual((value["weft_step"], value["weft_steps"], value["weft_max_steps"]), (7, 2, 7))
        for name, key in (("loss", "loss"), ("grad_norm", "grad_norm"), ("learning_rate", "lr"),
                          ("step_seconds", "seconds")):
            self.assertEqual(value[f"weft_{name}"], last[key])
        self.assertEqual(value["weft_tokens"], sum(line["tokens"] for line in self.lines()[5:]))
        self.assertEqual(value["weft_eval_loss"], self.lines()[5]["eval_loss"])
        if PROMTOOL:
            check = [PROMTOOL, "check", "metrics"]
            done = subprocess.run(check, input=file.read_text(), text=True, capture_output=True)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_a_text_file_that_cannot_be_written_ends_the_run_before_its_first_step(self):
        file = self.folder / "nowhere" / "weft.prom"
        errors = self.weft(2, "--metrics.prometheus", file, code=2)
        self.assertEqual(errors.count("\n"), 1)
        self.assertIn(f"command line: metrics.prometheus: {file}: cannot be written: No such file or directory", errors)
        self.assertFalse(self.run_dir.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
