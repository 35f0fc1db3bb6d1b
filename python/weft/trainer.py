"""A training run in this process."""
import json
import pathlib

import numpy as np

from weft import _weft
from weft.checkpoints import _checkpoint
from weft.config import Config
from weft.log import _log
from weft.modes import continued


def _ids(batch):
    """Inputs and labels as the library takes them."""
    inputs, labels = batch
    return tuple(np.ascontiguousarray(one, dtype=np.int32) for one in (inputs, labels))


class Trainer:
    """A run in model_dir, with the files and the bits of `weft run`. Use it in a `with` block, which saves at its end.

    It starts from the newest checkpoint in model_dir, otherwise from checkpoint_path, otherwise from the seed.
    Arguments: a Config, or those of Config. With batches=True the program gives the samples of each step and of each
    evaluation, and train_input.data_dir is only a name.
    """

    def __init__(self, params, overrides=None, *, batches=False, **flags):
        self._run = _weft.Run(Config(params, overrides, **flags)._config, batches)
        self._log()

    @property
    def config(self):
        """The Config, with all automatic choices made."""
        return Config._of(self._run.config())

    @property
    def model_dir(self):
        """The folder of the run."""
        return pathlib.Path(self.config["runconfig.model_dir"])

    @property
    def steps_done(self):
        """Number of steps done since the very first one."""
        return self._run.steps_done

    @property
    def is_open(self):
        """False after close(), and after a step that failed."""
        return self._run.is_open

    def step(self, batch=None):
        """Trains a step, and returns its metrics: its line of metrics.jsonl as a dict.

        batch: with batches=True, inputs and labels, integers of [train_input.batch_size][max_sequence_length]; a label
        below 0 does not count.
        """
        try:
            line = self._run.step() if batch is None else self._run.step_on(*_ids(batch))
        except KeyboardInterrupt:
            raise self._interrupted() from None
        finally:
            self._log()
        return json.loads(line)

    def train(self, steps=None):
        """Trains a step at a time and returns its metrics: `steps` steps, or up to max_steps; then saves."""
        last = self._run.max_steps if steps is None else self.steps_done + steps
        while self.steps_done < last:
            yield self.step()
        if steps is None:
            self.save()

    def evaluate(self, batch=None):
        """Evaluates the current weights on eval_input: a dict like that of weft.evaluate.

        batch: with batches=True, samples as in step(), of any number.
        """
        try:
            return json.loads(self._run.evaluate() if batch is None else self._run.evaluate_on(*_ids(batch)))
        finally:
            self._log()

    def generate(self, prompt, **flags):
        """Continues a text, a list of token ids, or a list of either, with the current weights: as weft.generate.

        flags: settings of generation, such as max_new_tokens. Works on a wafer of its own, and changes nothing.
        """
        try:
            return continued("Trainer.generate", Config(self.config, **flags), prompt, self._run.continue_prompts)
        finally:
            self._log()

    def state_dict(self):
        """The current state as a Checkpoint: weights, moments, masks."""
        return _checkpoint(self._run.state())

    def save(self):
        """Writes a checkpoint, unless the current state has one, and returns its path."""
        try:
            return pathlib.Path(self._run.save())
        finally:
            self._log()

    def close(self):
        """Saves, if steps were trained since the last checkpoint, and releases wafers and folder."""
        try:
            self._run.close()
        finally:
            self._log()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __repr__(self):
        state = "" if self.is_open else ", closed"
        return f"<weft.Trainer: step {self.steps_done} of {self._run.max_steps} in {self.model_dir}{state}>"

    def _interrupted(self):
        """Saves the state, and returns the exception to raise."""
        if not self._run.is_open or self.steps_done == 0:
            return KeyboardInterrupt()
        saved = f"saved the state after step {self.steps_done}: {self.save()}"
        return KeyboardInterrupt(f"{saved}; the same run continues there")

    def _log(self):
        _log(self._run.take_lines())
