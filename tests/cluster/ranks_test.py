#!/usr/bin/env python3
"""Ranks of weft in steps of a real Slurm: who is which rank, where rank 0 is, and at which port. ranks_test.py WEFT."""
import json
import pathlib
import re
import sys

from small_cluster import ROOT, SmallCluster, main

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
FORMULA = [line for line in (ROOT / "scripts/csrun/step_port").read_text().splitlines() if not line.startswith("//")][0]
SRUN = ["srun", "--no-kill", "--kill-on-bad-exit=0"]
# Takes the first port of the step on rank 0's node for the task's lifetime, and sends nothing.
OCCUPIED = """
job=$SLURM_JOB_ID step=$SLURM_STEP_ID attempt=0
if [ "$SLURM_PROCID" = 0 ]; then
  python3 -c 'import os, socket, sys, time
parent = os.getppid()
taken = socket.create_server((sys.argv[1], int(sys.argv[2])))
print("occupied", flush=True)
while os.getppid() == parent: time.sleep(0.1)' "$(getent ahostsv4 "$SLURMD_NODENAME" | awk '{ print $1; exit }')" $((FORMULA)) >occupied &
  until [ -s occupied ]; do sleep 0.1; done
fi
exec "$@"
""".replace("FORMULA", FORMULA)


class Ranks(SmallCluster):
    def words(self, name):
        return [WEFT, "run", "--params", ROOT / "configs/gpt_tiny.yaml", "--model_dir", f"{self.base}/{name}", "--num_steps", 2,
                "--mode", "train", "--num_csx", 2, "--backend", "model", "--swarmx.straggler", 0]

    def steps(self, name):
        lines = [json.loads(line) for line in pathlib.Path(self.base, name, "metrics.jsonl").read_text().splitlines()]
        return [(line["step"], line["state_hash"]) for line in lines]

    def expect_run(self, name, out):
        self.run_it(*self.words("one"))
        self.assertEqual(len(self.steps(name)), 2, out)
        self.assertEqual(self.steps(name), self.steps("one"))

    def test_the_largest_job_id_is_taken(self):
        out = self.slurm(*SRUN, "-N3", "env", "SLURM_JOB_ID=4294967295", *self.words("large"))
        self.expect_run("large", out)

    def test_a_port_that_is_taken_is_not_the_only_one(self):
        if "n1" not in self.slurm("srun", "-N1", "-w", "n1", "hostname"):
            self.skipTest("all nodes are at one address")
        out = self.slurm(*SRUN, "-N3", self.script(OCCUPIED), *self.words("taken"))
        self.assertRegex(out, r"port \d+ of 10\.87\.0\.1 is in use: the root listens at \d+")
        self.expect_run("taken", out)

    def test_ranks_that_are_set_by_hand_rule_as_those_of_torchrun(self):
        """The last task is rank 0."""
        program = self.script('export RANK=$((2 - SLURM_PROCID)) WORLD_SIZE=3 MASTER_PORT=29111\nexec "$@"\n')
        last = self.slurm("srun", "-N3", "sh", "-c", '[ "$SLURM_PROCID" != 2 ] || scontrol show node "$SLURMD_NODENAME"')
        address = re.search(r"NodeAddr=(\S+)", last)[1]
        out = self.slurm("env", f"MASTER_ADDR={address}", *SRUN, "-N3", program, *self.words("hand"))
        self.assertIn("ranks   RANK 0 and WORLD_SIZE 3 apply, though SLURM_PROCID is 2 and SLURM_STEP_NUM_TASKS 3", out)
        self.expect_run("hand", out)

    def test_root_of_a_heterogeneous_job_is_in_the_first_component(self):
        words = self.words("parts")
        out = self.slurm(*SRUN, "-N1", "-w", "n3", *words, ":", "-N2", "-w", "n1,n2", *words)
        self.expect_run("parts", out)

    def test_a_root_that_is_not_on_the_first_node_says_what_to_set_and_that_works(self):
        if "n3" not in self.slurm("srun", "-N1", "-w", "n3", "hostname"):
            self.skipTest("all nodes are at one address")
        anywhere = ["srun", "-N3", "-n3", "-m", "arbitrary", "-w", "n3,n1,n2"]
        out = self.slurm(*anywhere, *self.words("anywhere"), "--swarmx.timeout", 5, code=None)
        hint = re.search(r"rank 0 is on n3, as with --distribution=arbitrary\. HINT: set (MASTER_ADDR=\S+) for all ranks\.", out)
        self.assertTrue(hint, out)
        out = self.slurm("env", hint[1], *anywhere, *self.words("anywhere"))
        self.expect_run("anywhere", out)

    def test_csrun_wse_and_weft_have_one_formula_and_what_is_set_stays(self):
        port = 'echo "at $MASTER_PORT of $SLURM_JOB_ID.$SLURM_STEP_ID"'
        out = self.csrun("--nodes", 1, "sh", "-c", port)
        at, job, step = (int(number) for number in re.search(r"at (\d+) of (\d+)\.(\d+)", out).groups())
        self.assertEqual(at, eval(FORMULA, {"job": job, "step": step, "attempt": 0}))  # same result in Python
        out = self.slurm("env", "MASTER_PORT=29222", "MASTER_ADDR=n9", pathlib.Path(ROOT, "scripts/csrun_wse"), "--output",
                         self.base + "/logs", "--nodes", 1, "sh", "-c", 'echo "at $MASTER_ADDR:$MASTER_PORT"')
        self.assertIn("at n9:29222", out)
        out = self.csrun(*self.words("console"))
        self.expect_run("console", out)


del SmallCluster
if __name__ == "__main__":
    main()
