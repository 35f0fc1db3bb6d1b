#!/usr/bin/env python3
"""csrun_wse on the console: what is shown, what the ranks receive, the exit code, Ctrl-C."""
import os
import pathlib
import signal
import subprocess

from small_cluster import CLUSTER, CSRUN, SmallCluster, main

FORTH_AND_BACK = """
trap 'echo rank $RANK saves; exit 130' USR1
echo rank $RANK waits
while true; do sleep 0.1; done
"""


class Csrun(SmallCluster):
    def logs(self, name):
        return {path.name: path.read_text() for path in pathlib.Path(self.base, "logs").glob(name + "-*/*")}

    def test_the_console_is_the_roots_and_each_other_rank_has_a_log(self):
        out = self.csrun("--nodes", 3, "--job-name", "who", "sh", "-c", "echo rank $RANK of $WORLD_SIZE")
        self.assertEqual([line for line in out.splitlines() if "csrun_wse:" not in line], ["rank 0 of 3"])
        self.assertEqual(self.logs("who"), {"exit_code": "0\n", "rank_1.log": "rank 1 of 3\n", "rank_2.log": "rank 2 of 3\n"})

    def test_ranks_are_those_of_num_csx_and_meet_at_the_first_node(self):
        out = self.csrun("--label", "sh", "-c", "echo at $MASTER_ADDR:$MASTER_PORT", "sh", "--num_csx", 2)
        places = {line[:1]: line[3:] for line in out.splitlines()}
        self.assertEqual(set(places), {"0", "1", "2"})
        self.assertEqual(len(set(places.values())), 1)
        self.assertRegex(places["0"], r"^at (10\.87\.0\.1|127\.0\.0\.1):(2\d|3[0-2])\d{3}$")

    def test_the_exit_code_is_the_roots(self):
        out = self.csrun("--nodes", 2, "sh", "-c", "echo no wafer; exit $((RANK * 3))")
        self.assertIn("rank 1 on n2 ended with 3", out)
        self.assertIn("\nno wafer\n", out.split("ended with 3")[1])
        self.csrun("--nodes", 2, "sh", "-c", "exit $((7 - RANK * 7))", code=7)

    def test_a_dead_rank_does_not_end_the_others(self):
        out = self.csrun("--nodes", 2, "sh", "-c", "[ $RANK = 0 ] || kill -KILL $$; sleep 2; echo the root goes on")
        self.assertIn("the root goes on", out)

    def test_words_arrive_as_they_are(self):
        self.assertEqual(self.csrun("printf", "<%s>", "a  b", "$HOME", "*", "it's", ""), "<a  b><$HOME><*><it's><>")

    def test_inside_an_interactive_step_it_runs_at_once(self):
        """As from the shell that `srun --pty bash` gives, whose step has all of the job's processors."""
        inner = [CSRUN, "--output", self.base + "/logs", "sh", "-c", "echo rank $RANK of $WORLD_SIZE"]
        self.assertIn("rank 0 of 1\n", self.slurm("timeout", 30, "srun", "--nodes=1", *inner))
        inside = ["salloc", "--quiet", "--nodes=2", "srun", "--nodes=1", "--ntasks=1"]
        self.assertIn("rank 0 of 2\n", self.slurm("timeout", 30, *inside, *inner[:3], "--nodes", 2, *inner[3:]))

    def test_an_interrupt_lets_all_ranks_save(self):
        program = self.script(FORTH_AND_BACK)
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([CLUSTER, "exec", CSRUN, "--output", self.base + "/logs", "--nodes", "3", "--label", program],
                                  env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  start_new_session=True) as run:
                waiting = set()
                while len(waiting) < 3:
                    waiting.add(run.stdout.readline())
                os.killpg(run.pid, number)  # as a terminal does
                rest = run.communicate(timeout=60)[0]
            self.assertEqual(run.returncode, 130, rest)
            for rank in range(3):
                self.assertIn(f"{rank}: rank {rank} saves\n", rest)


del SmallCluster
if __name__ == "__main__":
    main()
