"""Event files that are cut, find no room, or are taken away: what TensorBoard's own reader has of them.

    event_file_damage_test.py build/weft

In the Python that has it: scripts/setup tensorboard."""

import shutil
import signal
import struct
import sys
import unittest

from event_files import EventFiles, files


class Damage(EventFiles):
    def test_a_file_that_is_cut_anywhere_is_read_up_to_its_last_whole_record(self):
        self.weft(5)
        (file,) = files(self.run_dir / "train")
        whole, ends = file.read_bytes(), [0]
        while ends[-1] < len(whole):
            ends.append(ends[-1] + 16 + struct.unpack_from("<Q", whole, ends[-1])[0])
        self.assertEqual((ends[-1], len(ends)), (len(whole), 9))  # version, session, parameters, five steps
        for before, end in zip(ends[3:], ends[4:]):
            for cut in (before, before + 5, before + 13, end - 3):
                file.write_bytes(whole[:cut])
                events = self.read("train")
                steps = [e.step for e in events.Scalars("train/loss")] if "train/loss" in events.Tags()["scalars"] else []
                self.assertEqual(steps, list(range(1, ends.index(before) - 2)))
        # Events after the damage are read as well: a machine lost power, and the run continued.
        for step in (5, 4):
            (self.run_dir / f"checkpoint_{step}.safetensors").unlink()
        self.weft(6)
        self.check()

    def test_a_disk_that_is_full_is_named_and_loses_no_step(self):
        self.weft(5)
        # There is no room for a session's first events, which contain the parameters twice; there is for all others.
        errors = self.weft(9, "--runconfig.prompt", "x" * 60000, max_file=90000, code=2)
        self.assertEqual(errors.count("\n"), 1)
        self.assertIn(str(self.run_dir / "train" / "events.out.tfevents."), errors)
        self.assertIn("cannot be written: File too large. HINT: raise the limit on the size of a file (ulimit -f)", errors)
        self.assertEqual(len(self.lines()), 6)
        self.assertTrue((self.run_dir / "checkpoint_6.safetensors").exists())
        self.assertEqual(len(self.found()["train", "train/loss"]), 5)
        self.weft(8)
        self.check()

    def test_the_last_step_that_found_no_room_is_reported_by_the_next_run(self):
        self.weft(5)
        self.weft(6, "--runconfig.prompt", "x" * 60000, max_file=90000, code=2)
        self.assertEqual((len(self.lines()), len(self.found()["train", "train/loss"])), (6, 5))
        for _ in range(2):
            self.weft(6)  # there is nothing else to do
            self.check()
        self.assertEqual(len([file for file in files(self.run_dir / "train") if file.stat().st_size > 1000]), 2)

    def test_files_that_are_removed_are_started_again(self):
        process = self.start(1000000)
        for line in process.stdout:
            if line.split()[:1] == ["3"]:
                break
        process.send_signal(signal.SIGSTOP)
        shutil.rmtree(self.run_dir / "train")
        process.send_signal(signal.SIGCONT)
        for _ in process.stdout:
            if files(self.run_dir / "train"):
                break
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        steps = [e.step for e in self.read("train").Scalars("train/loss")]
        self.assertEqual(steps, list(range(steps[0], len(self.lines()) + 1)))
        self.assertGreater(steps[0], 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
