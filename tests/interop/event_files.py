"""Compares TensorBoard's reading of a run's event files with the expected values."""

import math
import struct

from run_folder import RunFolder
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.plugin_event_accumulator import EventAccumulator as PluginAccumulator

TAGS = {"lr": "train/learning_rate", "seconds": "time/step", "sim_cycles": "wafer/cycles",
        "fpu_utilization": "wafer/utilization", "edge_bytes": "wafer/edge_bytes", "repeated": "wafer/repeated",
        "slow": "wafer/slow", "network_stall": "time/network_stall"}
OF_THE_LINE = {"step", "run", "crc32c"}
EVERYTHING = {"scalars": 0, "tensors": 0}  # no sampling


def tag_of(key):
    """Tag of a key of metrics.jsonl."""
    return TAGS.get(key) or ("time/" + key[5:] if key.startswith("time_") else "train/" + key)


def float32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def files(folder):
    return sorted(folder.glob("events.out.tfevents.*"))


class EventFiles(RunFolder):
    def read(self, name, kind=EventAccumulator):
        return kind(str(self.run_dir / name), size_guidance=EVERYTHING).Reload()

    def texts(self, tag, name="train"):
        """[(step, text)], by the reader of the program itself: only that forgets texts as it does numbers."""
        events = self.read(name, PluginAccumulator)
        if tag not in events.Tags()["tensors"]:
            return []
        return [(e.step, e.tensor_proto.string_val[0].decode()) for e in events.Tensors(tag)]

    def expected(self, lines, every=1):
        """{(folder, tag): [(step, float32 or text)]} of the lines, key by key."""
        result = {}
        for line in lines:
            for key, value in line.items():
                numberless = value is None and key in ("sim_cycles", "fpu_utilization")
                evaluated = key == "eval_loss"
                if key in OF_THE_LINE or numberless or (not evaluated and line["step"] % every):
                    continue
                tag = ("eval", "eval/loss") if evaluated else ("train", tag_of(key))
                value = len(value) if key == "slow" else value
                number = value if key == "state_hash" else float32(math.nan if value is None else value)
                result.setdefault(tag, []).append((line["step"], number))
        return result

    def found(self):
        result = {}
        for name in ("train", "eval"):
            if not (self.run_dir / name).exists():
                continue
            events = self.read(name)
            for tag in events.Tags()["scalars"]:
                result[name, tag] = [(e.step, e.value) for e in events.Scalars(tag)]
        result["train", "train/state_hash"] = self.texts("train/state_hash")
        return result

    def check(self, every=1):
        """Every key and step of metrics.jsonl, each once, with its value; and what follows from them."""
        lines = self.lines()
        expected, found = self.expected(lines, every), self.found()
        self.assertGreater(len(expected), 6)
        for tag, values in expected.items():
            self.assertEqual(repr(found.get(tag)), repr(values), tag)  # repr: nan is nan
        derived = {("train", "time/tokens_per_second"), ("train", "time/steps_per_second"), ("eval", "eval/perplexity")}
        self.assertEqual(found.keys() - expected.keys(), derived & found.keys())
        some = [line for line in lines if line["step"] % every == 0]
        rates = [(line["step"], float32(line["tokens"] / line["seconds"])) for line in some]
        self.assertEqual(found["train", "time/tokens_per_second"], rates)
        return found
