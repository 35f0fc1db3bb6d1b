"""How far two runs of the same model are apart, in the terms of docs/parity.md."""

import csv
import json

import numpy
import safetensors_file

WINDOW = 50  # steps


def weft_losses(model_dir):
    with open(model_dir / "metrics.jsonl", encoding="utf-8") as file:
        return numpy.array([json.loads(line)["loss"] for line in file])


def pytorch_losses(path):
    with open(path, encoding="utf-8") as file:
        return numpy.array([float(row["loss"]) for row in csv.DictReader(file)])


def largest_difference(ours, theirs, steps=100):
    """Over the first steps, and at which it is (counted from 1)."""
    difference = abs(ours[:steps] - theirs[:steps])
    return difference.max(), difference.argmax() + 1


def largest_mean_difference(ours, theirs):
    """Of means over WINDOW steps, wherever these begin, as a share of the mean."""
    ours, theirs = (numpy.convolve(losses, numpy.ones(WINDOW) / WINDOW, "valid") for losses in (ours, theirs))
    return (abs(ours - theirs) / theirs).max()


def smallest_cosine(checkpoint, gradients):
    """Over the tensors, of the angle between their first gradients, and which tensor's it is.

    `checkpoint` is ours after one step: its first moments are the clipped gradient times 1 - beta1."""
    ours, _ = safetensors_file.read(checkpoint)
    cosines = []
    for name, theirs in safetensors_file.read(gradients)[0].items():
        a, b = (values.astype(numpy.float64).ravel() for values in (ours["weft.m." + name], theirs))
        cosines.append((a @ b / numpy.sqrt((a @ a) * (b @ b)), name))
    return min(cosines)
