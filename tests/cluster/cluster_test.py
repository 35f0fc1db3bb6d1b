#!/usr/bin/env python3
"""scripts/cluster: nodes that run, cables that are cut, a `down` that leaves nothing, whatever happened before it."""
import os
import pathlib
import signal

from small_cluster import SmallCluster, main, processes


# Tasks without Slurm's environment: orphans are found by their namespace only.
CHILDREN = "sleep 1000 & echo pid $!; env -i sleep 1000 & echo pid $!; wait"
ORPHANS = CHILDREN.replace("wait", "sh -c 'env -i setsid sleep 1000 & echo pid $!'; wait")


def network():
    """Returns the machine's own network: devices, mounts, names of namespaces."""
    mounts = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines()]
    return sorted(os.listdir("/sys/class/net")), mounts, os.path.isdir("/run/netns") and os.listdir("/run/netns")


class Up(SmallCluster):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.before = network()

    def namespaces(self):
        return "on namespaces" in self.cluster("status")

    def test_a_rank_runs_on_each_node(self):
        nodes = self.slurm("srun", "-N3", "sh", "-c", "echo $SLURMD_NODENAME").split()
        self.assertEqual(sorted(nodes), ["n1", "n2", "n3"])
        if self.namespaces():
            self.assertEqual(sorted(self.slurm("srun", "-N3", "hostname").split()), ["n1", "n2", "n3"])
            self.assertIn("10.87.0.3", self.slurm("srun", "-N1", "getent", "hosts", "n3"))

    def test_env_is_for_a_shell(self):
        line = 'eval "$("$0" env)"; eval "$("$0" env)"; srun -N2 echo here; echo "$PATH"'
        out = self.run_it("bash", "-c", line, os.path.realpath(__file__ + "/../../../scripts/cluster"))
        self.assertEqual(out.count("here\n"), 2)
        self.assertEqual(out.count(self.folder + "/bin"), 1)

    def test_up_again_is_harmless_and_another_size_is_refused(self):
        before = processes(self.folder)
        self.assertIn("already", self.cluster("up", 3, *self.OPTIONS))
        self.assertIn("HINT: scripts/cluster down", self.cluster("up", 2, code=1))
        self.assertEqual(processes(self.folder), before)

    def test_down_leaves_nothing_even_of_jobs(self):
        job = ORPHANS if self.namespaces() else CHILDREN
        self.slurm("sbatch", "-N3", "-o", self.base + "/%j.log", "--wrap", f"srun {self.script(job)}")
        tasks = lambda: [int(line.split()[1]) for line in self.log().splitlines() if line.startswith("pid ")]
        self.until(lambda: len(tasks()) == 3 * job.count("echo pid"))
        known = set(processes(self.folder)) | set(tasks())
        self.kill_steps(known)
        os.kill(int(pathlib.Path(self.folder, "pid/munged").read_text()), signal.SIGKILL)
        os.kill(int(pathlib.Path(self.folder, "pid/n2").read_text()), signal.SIGKILL)
        self.assertIn("not running: munged n2", self.cluster("status", code=None))
        self.assertEqual([pid for pid in tasks() if not self.lives(pid)], [])
        self.cluster("down")
        self.assertEqual(processes(self.folder), [])
        self.assertEqual([pid for pid in known if self.lives(pid)], [])
        self.assertFalse(os.path.exists(self.folder))
        self.assertEqual(network(), self.before)
        self.assertIn("nothing to do", self.cluster("down"))

    def kill_steps(self, pids):
        """Those who would end a job's tasks."""
        for pid in pids:
            if pathlib.Path(f"/proc/{pid}/comm").read_text() == "slurmstepd\n":
                os.kill(pid, signal.SIGKILL)

    def log(self):
        return "".join(path.read_text() for path in pathlib.Path(self.base).glob("*.log"))

    def lives(self, pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except OSError:
            return False

    def test_a_cluster_that_died_is_started_again(self):
        os.kill(int(pathlib.Path(self.folder, "pid/slurmctld").read_text()), signal.SIGKILL)
        self.assertIn("3 nodes idle", self.cluster("up", 3, *self.OPTIONS))

    def test_a_cable_is_cut_and_healed(self):
        if not self.namespaces():
            self.assertIn("HINT", self.cluster("cut", "n3", code=1))
            return
        reach = "timeout 2 bash -c 'echo >/dev/tcp/10.87.0.3/6818' && echo yes || echo no"
        ask = ("srun", "-w", "n1", "-N1", "bash", "-c", reach)
        self.assertEqual(self.slurm(*ask), "yes\n")
        self.cluster("cut", "n3")
        self.assertIn("no\n", self.slurm(*ask))
        self.cluster("heal", "n3")
        self.until(lambda: self.slurm(*ask) == "yes\n")
        self.assertIn("no node 'n9'", self.cluster("cut", "n9", code=1))


class UpOnTheLoopback(Up):
    OPTIONS = ("--loopback",)


del SmallCluster
if __name__ == "__main__":
    main()
