#!/usr/bin/env python3
"""The output of csrun_wse that needs no Slurm: the srun line, the batch script, error messages."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class CsrunText(unittest.TestCase):
    def csrun(self, *words, code=0, **environment):
        mine = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
        done = subprocess.run([ROOT / "scripts/csrun_wse", *map(str, words)], text=True, stdout=subprocess.PIPE,
                              env={**mine, **environment}, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def test_the_line(self):
        line = self.csrun("--dry-run", "--time", "1:00:00", "--partition=wafers", "build/weft", "run", "--prompt", "a b")
        self.assertEqual(line, "srun --no-kill --kill-on-bad-exit=0 --nodes=1 --ntasks=1 --ntasks-per-node=1 --time=1:00:00 "
                         f"--partition=wafers --job-name=weft {ROOT}/scripts/csrun/rank build/weft run --prompt a\\ b\n")

    def test_a_step_inside_another_one_shares_its_processors(self):
        inside = {"SLURM_JOB_ID": "7", "SLURM_STEP_ID": "0"}
        self.assertIn(" --overlap ", self.csrun("--dry-run", "x", **inside))
        self.assertNotIn("--overlap", self.csrun("--dry-run", "x", SLURM_JOB_ID="7"))  # job of salloc, or of a batch script
        self.assertNotIn("--overlap", self.csrun("--sbatch", "x", **inside))

    def test_ranks_are_the_root_the_wafers_and_the_data(self):
        for words, nodes in ((["x", "--num_csx", 4], 5), (["x", "--num_csx=2"], 3), (["--data", "x", "--num_csx", 4], 6), (["x"], 1),
                             (["x", "--num_csx", 4, "--swarmx.nodes", 2], 7), (["--data", "x", "--swarmx.nodes=1", "--num_csx=2"], 5),
                             (["x", "--swarmx.nodes", 2], 1), (["x", "--num_csx=2", "--memoryx.ranks", 2, "--swarmx.nodes=1"], 6), (["x", "--memoryx.ranks=2"], 1),
                             (["--nodes", 2, "x", "--num_csx", 4], 2)):
            self.assertIn(f"--nodes={nodes} --ntasks={nodes} ", self.csrun("--dry-run", *words))

    def test_ranks_are_also_those_of_the_parameter_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "params.yaml")
            for text, more, nodes in (("runconfig:\n  num_csx: 3\n", [], 4), ("runconfig: {max_steps: 9, num_csx: 3}\n", [], 4),
                                      ("runconfig: {num_csx: 3}\nswarmx: {nodes: 2}\nmemoryx:\n  threads: 8\n  ranks: 1\n", [], 7),
                                      ("runconfig:\n  num_csx: 3\n", ["--num_csx", 5], 6), ("runconfig:\n  num_csx: 3\n", ["--runconfig.num_csx=1"], 2),
                                      ("swarmx: {nodes: 2}\n", ["--num_csx", 1], 4), ("runconfig:\n  # num_csx: 3\nother:\n  num_csx: 3\n", [], 1)):
                file.write_text(text)
                for params in (["--params", file], [f"--params={file}"], ["-p", file]):
                    self.assertIn(f"--nodes={nodes} --ntasks={nodes} ", self.csrun("--dry-run", "weft", "run", *params, *more), text)
        self.assertIn("--nodes=1 ", self.csrun("--dry-run", "weft", "run", "--params", "/no/such.yaml"))

    def test_the_script(self):
        text = self.csrun("--sbatch", "--array", "0-3", "--output", "/logs", "--requeues", 7, "weft", "--model_dir", "out/%a")
        for line in ("#!/usr/bin/env bash", "#SBATCH --nodes=1 --ntasks=1 --ntasks-per-node=1 --job-name=weft",
                     "#SBATCH --requeue --no-kill --signal=B:USR1@120 --open-mode=append", "#SBATCH --output=/logs/%x-%A_%a.log",
                     "#SBATCH --array=0-3", "requeues=7 restarts=${SLURM_RESTART_COUNT:-0}", '    scontrol requeue "$job"'):
            self.assertIn(line, text.splitlines())
        self.assertIn("kill -USR1 \"$srun\"", text)
        subprocess.run(["bash", "-n"], input=text, text=True, check=True)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.csrun(f"--sbatch={folder}/job.sh", "--array", "0-3", "--output", "/logs", "--requeues", 7, "weft",
                                        "--model_dir", "out/%a"), "")
            self.assertEqual(pathlib.Path(folder, "job.sh").read_text(), text)
            self.assertTrue(os.access(f"{folder}/job.sh", os.X_OK))

    def test_words_with_blanks_quotes_and_percents_are_sbatchs(self):
        text = self.csrun("--sbatch", "--job-name", 'my "own" job', "--output", "/a b/50%j", "x")
        self.assertIn('#SBATCH --nodes=1 --ntasks=1 --ntasks-per-node=1 "--job-name=my \\"own\\" job"', text.splitlines())
        self.assertIn('#SBATCH "--output=/a b/50%%j/%x-%j.log"', text.splitlines())

    def test_a_number_may_begin_with_a_zero(self):
        self.assertIn("--nodes=12 ", self.csrun("--dry-run", "x", "--num_csx", "08", "--swarmx.nodes", "03"))

    def test_a_script_that_cannot_be_written_is_no_success(self):
        self.assertRegex(self.csrun("--sbatch=/no/such/folder/job.sh", "x", code=2), r"csrun_wse: /no/such/folder/job.sh cannot be written\. HINT: ")

    def test_refusals_end_with_what_to_do(self):
        for words in ([], ["--nodes"], ["--nodes", "0", "x"], ["--nodes", "two", "x"], ["--wafers", "x"], ["x", "--num_csx", "some"], ["x", "--num_csx", "2", "--swarmx.nodes", "some"],
                      ["x", "--num_csx", "2", "--memoryx.ranks", "some"],
                      ["--requeues", "-1", "x"], ["--nodes=", "x"], ["--label=1", "x"], ["--data=yes", "x"], ["--submit=1", "x"], ["--sbatch=", "x"], ["--job-name", "a/b", "x"],
                      ["--dry-run=no", "x"]):
            self.assertRegex(self.csrun(*words, code=2), r"^csrun_wse: .*\. HINT: .*\n$")

    def test_help(self):
        self.assertIn("csrun_wse --nodes 3 hostname", self.csrun("--help"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
