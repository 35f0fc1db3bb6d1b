#!/usr/bin/env python3
"""A run of weft over five nodes: a root, a rank that reads the data, three wafers, one of them RTL. The bits are those of one process."""
import json
import pathlib
import sys
import tempfile
import unittest

from small_cluster import ROOT, SmallCluster, main

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
STEPS = 3


class Weft(SmallCluster):
    def setUp(self):
        self.cluster("up", 5)

    def words(self, name, *more):
        return [WEFT, "run", "--params", ROOT / "configs/gpt_tiny.yaml", "--model_dir", f"{self.base}/{name}", "--num_steps", STEPS,
                "--mode", "train", "--num_csx", 3, "--backend", "rtl,model,model", *more]

    def steps(self, name):
        lines = [json.loads(line) for line in pathlib.Path(self.base, name, "metrics.jsonl").read_text().splitlines()]
        return [(line["step"], line["loss"], line["state_hash"]) for line in lines]

    def test_five_nodes_give_the_bits_of_one_process(self):
        self.run_it(*self.words("one"))
        out = self.slurm("srun", "-N5", "--no-kill", "--kill-on-bad-exit=0", *self.words("five", "--swarmx.straggler", 0))
        for who in ("data has joined", "wafer 0 has joined", "wafer 1 has joined", "wafer 2 has joined"):
            self.assertIn(who, out)
        self.assertEqual(len(self.steps("one")), STEPS)
        self.assertEqual(self.steps("five"), self.steps("one"))

    def test_a_node_of_the_tree_is_a_rank_as_others(self):
        few = ["--num_csx", 2, "--backend", "rtl,model"]
        self.run_it(*self.words("one", *few))
        out = self.slurm("srun", "-N5", "--no-kill", "--kill-on-bad-exit=0",
                         *self.words("tree", *few, "--swarmx.nodes", 1, "--swarmx.straggler", 0))
        for who in ("data has joined", "node 0 has joined", "wafer 0 has joined, below node 0", "wafer 1 has joined, below node 0"):
            self.assertIn(who, out)
        self.assertEqual(len(self.steps("one")), STEPS)
        self.assertEqual(self.steps("tree"), self.steps("one"))

    def test_memoryx_may_have_ranks_of_its_own(self):
        few = ["--num_csx", 1, "--backend", "model"]
        self.run_it(*self.words("whole", *few))
        out = self.slurm("srun", "-N5", "--no-kill", "--kill-on-bad-exit=0", *self.words("parts", *few, "--memoryx.ranks", 2))
        for who in ("data has joined", "memory 0 has joined, with ", "memory 1 has joined, with ", "wafer 0 has joined"):
            self.assertIn(who, out)
        self.assertEqual(len(self.steps("whole")), STEPS)
        self.assertEqual(self.steps("parts"), self.steps("whole"))

    def test_a_run_that_is_done_lets_all_go(self):
        for _ in range(2):
            out = self.slurm("srun", "-N5", *self.words("done", "--backend", "model"))
        self.assertIn("done    3 steps", out)

    def test_csrun_wse_shows_the_roots_console_and_its_bits(self):
        self.run_it(*self.words("alone"))
        out = self.csrun("--data", *self.words("console"))
        self.assertIn(f"state {self.steps('alone')[-1][2]}", out)
        self.assertNotIn("the run is over", out)  # the other ranks print that
        self.assertEqual(self.steps("console"), self.steps("alone"))

    def test_another_user_or_cluster_is_none_of_us(self):
        words = self.words("six")
        with tempfile.NamedTemporaryFile(dir=self.base) as nothing:  # no socket of any daemon
            out = self.slurm("env", f"MUNGE_SOCKET={nothing.name}", "srun", "-N2", *words[:-4], "--num_csx", 1, code=None)
        self.assertIn("MUNGE: ", out)
        self.assertIn("HINT: ", out)


del SmallCluster
if __name__ == "__main__":
    main()
