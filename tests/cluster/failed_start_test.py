#!/usr/bin/env python3
"""scripts/cluster up that cannot: it says why, and leaves nothing of its own and everything of others."""
import os
import pathlib

from small_cluster import CLUSTER, SmallCluster, main, processes

BURNING = """#!/bin/sh
[ "$1" != -V ] || exec /usr/sbin/slurmd -V
echo "the disk is on fire"
exit 1
"""


class FailedStart(SmallCluster):
    def setUp(self):
        pass

    def test_a_failed_start_says_why_and_leaves_nothing(self):
        tools = pathlib.Path(self.base, "tools")
        tools.mkdir()
        tools.joinpath("slurmd").write_text(BURNING)
        tools.joinpath("slurmd").chmod(0o755)
        out = self.run_it("env", f"PATH={tools}:{os.environ['PATH']}", CLUSTER, "up", 2, code=1)
        self.assertRegex(out, r"the start failed: n\d")
        self.assertIn("the disk is on fire", out)
        self.assertEqual(processes(self.folder), [])
        self.assertFalse(os.path.exists(self.folder))

    def test_a_folder_of_somebody_else_stays(self):
        mine = pathlib.Path(self.folder, "mine")
        mine.parent.mkdir()
        mine.touch()
        self.assertIn("holds something else", self.cluster("up", 2, code=1))
        self.cluster("down")
        self.assertTrue(mine.exists())
        mine.unlink()

    def test_names_and_numbers_that_slurm_cannot_have(self):
        for words in (["0"], ["201"], ["three"], []):
            self.assertRegex(self.cluster("up", *words, code=1), r"^cluster: .*\. HINT: .*\n$")
        for folder in (self.base + "/a b", self.base + "/" + "long" * 20):
            self.assertRegex(self.run_it("env", f"WEFT_CLUSTER={folder}", CLUSTER, "up", 2, code=1), r"^cluster: .*\. HINT: .*\n$")
            self.assertFalse(os.path.exists(folder))


del SmallCluster
if __name__ == "__main__":
    main()
