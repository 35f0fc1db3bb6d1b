#!/usr/bin/env python3
"""csrun_wse --submit: an interrupted job continues, as often as it may; a canceled one does not; arrays."""
import pathlib

from small_cluster import SmallCluster, main

# Waits until it is interrupted, as many times as its argument says, then succeeds.
PROGRAM = """
trap 'echo rank $RANK saves; exit 130' USR1 TERM
echo rank $RANK waits
[ "${SLURM_RESTART_COUNT:-0}" -lt "$1" ] || { echo "$2 well done"; exit 0; }
while true; do sleep 0.1; done
"""


class Batch(SmallCluster):
    def setUp(self):
        super().setUp()
        self.program = self.script(PROGRAM)

    def submit(self, *words):
        out = self.csrun("--submit", "--job-name", "job", *words)
        self.assertRegex(out, r"^Submitted batch job \d+\n$")
        return out.split()[-1]

    def log(self, job):
        path = pathlib.Path(self.base, f"logs/job-{job}.log")
        return path.read_text() if path.exists() else ""

    def interrupt(self, job):
        """As Slurm does before the end of a job's time."""
        self.slurm("scancel", "--batch", "--signal=USR1", job)

    def about(self, job):
        return self.slurm("scontrol", "-o", "show", "job", job)

    def test_an_interrupted_job_continues_and_ends_well(self):
        job = self.submit("--nodes", 3, self.program, 1)
        other = pathlib.Path(self.base, f"logs/job-{job}/rank_2.log")
        self.until(lambda: "rank 0 waits" in self.log(job) and other.exists() and "rank 2 waits" in other.read_text())
        self.interrupt(job)
        self.until(lambda: "well done" in self.log(job))
        self.until(lambda: "JobState=COMPLETED " in self.about(job))
        self.assertIn("Restarts=1 ", self.about(job))
        self.assertIn("rank 0 saves", self.log(job))
        self.assertIn("continues, restart 1 of at most 100", self.log(job))
        self.assertEqual(other.read_text().count("rank 2 waits"), 2)
        self.assertIn("rank 2 saves", other.read_text())

    def test_a_job_whose_root_is_killed_continues(self):
        program = self.script("""
echo rank $RANK begins
[ "$RANK" != 0 ] || [ "${SLURM_RESTART_COUNT:-0}" != 0 ] || kill -KILL $$
echo rank $RANK well done
""")
        job = self.submit("--nodes", 2, program)
        self.until(lambda: "JobState=COMPLETED " in self.about(job))
        self.assertIn("Restarts=1 ", self.about(job))
        self.assertIn("the root was killed; continues, restart 1 of at most 100", self.log(job))
        self.assertEqual(self.log(job).count("rank 0 begins"), 2)

    def test_failed_job_is_not_requeued(self):
        job = self.submit("--nodes", 2, self.script("exit $((RANK == 0))"))
        self.until(lambda: "JobState=FAILED " in self.about(job))
        self.assertNotIn("continues, restart", self.log(job))

    def test_a_job_is_not_requeued_more_often_than_it_may(self):
        job = self.submit("--requeues", 0, self.program, 1)
        self.until(lambda: "rank 0 waits" in self.log(job))
        self.interrupt(job)
        self.until(lambda: "JobState=FAILED " in self.about(job))
        self.assertIn("ExitCode=130:0", self.about(job))
        self.assertIn("HINT: --requeues", self.log(job))

    def test_a_canceled_job_saves_and_does_not_come_back(self):
        job = self.submit("--nodes", 2, self.program, 1)
        self.until(lambda: "rank 0 waits" in self.log(job))
        self.slurm("scancel", job)
        self.until(lambda: "rank 0 saves" in self.log(job) and not self.slurm("squeue", "-h"))
        self.assertIn("JobState=CANCELLED ", self.about(job))
        self.assertNotIn("continues, restart", self.log(job))

    def test_only_interrupted_array_tasks_continue(self):
        array = self.submit("--nodes", 1, "--array", "0-2", self.program, 1, "out_%a")
        self.until(lambda: all("rank 0 waits" in self.log(f"{array}_{i}") for i in range(3)))
        self.interrupt(f"{array}_2")  # the last has the array's own number
        self.until(lambda: "out_2 well done" in self.log(f"{array}_2"))
        for i in range(2):
            self.assertEqual(self.log(f"{array}_{i}").count("waits"), 1)
            self.assertIn("JobState=RUNNING ", self.about(f"{array}_{i}"))
        self.cluster("down")


del SmallCluster
if __name__ == "__main__":
    main()
