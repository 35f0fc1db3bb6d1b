"""Whole training by MemoryX, from a module's own weights."""

import inspect

import numpy
import torch

from . import batches, optimizers, schedules
from .compile import compile
from .errors import Refusal
from .settings import drop, has_checkpoint, kept_in, sections, settings_of

_LABELS = ("target", "label")


def example_of(module, batch):
    """Example inputs of a batch: with its labels if `forward` takes them as its second parameter."""
    taken = inspect.signature(module.forward).parameters
    has_keys = isinstance(batch, dict) or hasattr(batch, "keys")
    if has_keys and "input_ids" in batch and "input_ids" in taken:
        seen = {"attention_mask": torch.ones_like(torch.as_tensor(batch["input_ids"]))}
        return {name: one for name, one in {**seen, **batch}.items() if name in taken and one is not None}
    if isinstance(batch, (tuple, list)) and len(batch) > 1 and (len(batch) > 2 or _of_sequences(batch[-1])):
        return tuple(batch[: len(taken)])
    inputs, labels = batches.split(batch)
    if has_keys:
        return {"input_ids": inputs}
    names = list(taken)
    second = names[1].lower() if len(names) > 1 else ""
    takes = second == "y" or any(word in second for word in _LABELS)
    return (inputs, labels.clamp(min=0)) if takes else (inputs,)


def _of_sequences(labels):
    """Returns true for labels that are not those of tokens: a class or a number for each sequence."""
    return labels is not None and torch.as_tensor(labels).dim() == 1


class Trainer:
    """Trains `module` on wafers, with the settings of a `torch.optim` optimizer, on the batches of `data`.

    `data`: a DataLoader or another iterable of batches. `scheduler`: one of torch.optim.lr_scheduler, of `optimizer`.
    `program`: the compiled module; otherwise it is compiled here, with `example_inputs` or the first batch. `overrides`
    and `flags`: as those of weft.Trainer. docs/reference/torch.md.
    """

    def __init__(
        self, module, optimizer, data, *, scheduler=None, program=None, example_inputs=None, overrides=None, **flags
    ):
        from weft.trainer import Trainer as Run  # has the compiled module, which lowering does not need

        self.module, self.optimizer, self.data, self.scheduler = module, optimizer, data, scheduler
        self._batches = iter(data)
        self._next = next(self._batches, None)
        if self._next is None:
            raise Refusal("data", "has no batch", "give at least one")
        if program is None:
            program = compile(module, example_of(module, self._next) if example_inputs is None else example_inputs)
        self.program = program
        inputs, _ = program.form.split(self._next)
        fill = program.form.padding.token or 0
        self._padded = batches.Padded(program.config["model.max_sequence_length"], len(inputs), fill)
        keys = optimizers.settings(optimizer, program)
        if scheduler is not None:
            keys["optimizer.learning_rate"] = schedules.phases(schedules.rates(scheduler, self._steps(flags)))
        overrides = overrides or {}
        model_dir = flags.get("model_dir") or overrides.get("runconfig.model_dir", "model_dir")
        if optimizer.state and not has_checkpoint(model_dir):
            raise Refusal(
                type(optimizer).__name__, "has the state of earlier steps, which MemoryX does not take over",
                "make a new optimizer, or continue a run in its model_dir",
            )  # fmt: skip
        self._folder = kept_in(model_dir, program)
        params = sections(settings_of(program, len(inputs), self._folder, {**keys, **overrides}))
        try:
            self._run = Run(params, batches=True, **flags)
        except BaseException:
            if not has_checkpoint(model_dir):
                drop(self._folder)
            raise
        self._written = 0
        self._advance(self._run.steps_done)
        self.write_back()

    def _steps(self, flags):
        """Number of steps for which a scheduler must have rates."""
        if flags.get("max_steps") or flags.get("num_steps"):
            return int(flags.get("max_steps") or flags.get("num_steps"))
        if hasattr(self.data, "__len__"):
            return len(self.data)
        raise Refusal(
            type(self.scheduler).__name__, "the number of steps is not known, as data has no length", "set max_steps"
        )

    def _advance(self, steps):
        for _ in range(steps if self.scheduler is not None else 0):
            schedules.advance(self.scheduler)

    @property
    def config(self):
        """The weft.Config of the run, with all choices made."""
        return self._run.config

    @property
    def model_dir(self):
        return self._run.model_dir

    @property
    def steps_done(self):
        return self._run.steps_done

    def train(self, steps=None):
        """Trains a step at a time and returns its metrics: `steps` steps, or one pass over `data`. Writes the weights
        back into the module at the end, also if the loop is left or interrupted."""
        done = 0
        try:
            while steps is None or done < steps:
                batch = self._take(begin=steps is not None)
                if batch is None:
                    return
                yield self.step(batch)
                done += 1
        finally:
            self.write_back()

    def _take(self, begin):
        """The next batch; None after the last one. `begin`: data starts again from the first batch after it."""
        if self._next is not None:
            batch, self._next = self._next, None
            return batch
        batch = next(self._batches, None)
        if batch is None:
            again = iter(self.data)
            if begin and again is not self._batches:
                batch = next(again, None)
            self._batches = again
        return batch

    def step(self, batch):
        """Trains a step on one batch, and returns its metrics. Does not write the weights back."""
        metrics = self._run.step(self._padded(*self.program.form.split(batch)))
        self._advance(1)
        return metrics

    def evaluate(self, data):
        """Loss of the present weights on all batches of `data`: a dict like that of weft.evaluate."""
        pad = batches.Padded(self._padded.length, token=self._padded.token)
        pairs = [pad(*self.program.form.split(batch)) for batch in data]
        if not pairs:
            raise Refusal("data", "has no batch", "give at least one")
        ids, labels = (numpy.concatenate(part) for part in zip(*pairs))
        batches.share(ids, labels)  # of batches without any label
        return self._run.evaluate((ids, labels))

    def generate(self, prompt, **flags):
        """Continues a list of token ids, or a list of such lists, with the present weights: as weft.Trainer's."""
        return self._run.generate(prompt, **flags)

    def state_dict(self):
        """The present state as a weft.Checkpoint, with the names of the network."""
        return self._run.state_dict()

    def write_back(self, state=False):
        """Writes the present weights into the module, and with `state` MemoryX's moments into the optimizer."""
        if not self._run.is_open or (self._written == self.steps_done and not state):
            return
        checkpoint = self.state_dict()
        self.program.load(checkpoint)
        self._written = self.steps_done
        if state:
            optimizers.write_state(self.optimizer, self.program, checkpoint)

    def save(self):
        """Writes a checkpoint to model_dir, and returns its path."""
        return self._run.save()

    def close(self):
        """Writes the weights back, saves if steps were trained since the last checkpoint, and ends the run."""
        self.write_back()
        self._run.close()
        if self.steps_done == 0:
            drop(self._folder)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __repr__(self):
        return f"<weft.torch.Trainer of {type(self.module).__name__}: step {self.steps_done} in {self.model_dir}>"
