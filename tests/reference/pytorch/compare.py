#!/usr/bin/env python3
"""Distance of two runs of the same model, in the terms of docs/explanation/parity.md.

    compare.py MODEL_DIR/metrics.jsonl curve.csv        (each may be either)
"""

import csv
import json
import sys

import numpy
import safetensors_file

WINDOW = 50  # steps


def losses(path):
    """Returns the loss of each step, from a metrics.jsonl or a curve.csv."""
    with open(path, encoding="utf-8") as file:
        rows = map(json.loads, file) if str(path).endswith(".jsonl") else csv.DictReader(file)
        return numpy.array([float(row["loss"]) for row in rows])


def largest_difference(ours, theirs, steps=100):
    """Over the first steps, and at which it is (counted from 1)."""
    difference = abs(ours[:steps] - theirs[:steps])
    return difference.max(), difference.argmax() + 1


def largest_mean_difference(ours, theirs):
    """Returns the largest difference of means over WINDOW steps, for any first step, as a share of the mean."""
    ours, theirs = (numpy.convolve(curve, numpy.ones(WINDOW) / WINDOW, "valid") for curve in (ours, theirs))
    return (abs(ours - theirs) / theirs).max()


def smallest_cosine(checkpoint, gradients):
    """Over the tensors, of the angle between their first gradients, and which tensor's it is.

    `checkpoint` is Weft's after one step: its first moments are the gradient times 1 - beta1."""
    ours, _ = safetensors_file.read(checkpoint)
    cosines = []
    for name, theirs in safetensors_file.read(gradients)[0].items():
        a, b = (values.astype(numpy.float64).ravel() for values in (ours["weft.m." + name], theirs))
        cosines.append((a @ b / numpy.sqrt((a @ a) * (b @ b)), name))
    return min(cosines)


def main():
    curves = [losses(path) for path in sys.argv[1:]]
    steps = min(map(len, curves))
    ours, theirs = (curve[:steps] for curve in curves)
    print("apart by at most {:.4f} in the first 100 steps (step {})".format(*largest_difference(ours, theirs)))
    if steps >= WINDOW:
        share = 100 * largest_mean_difference(ours, theirs)
        print(f"and by {share:.3f} % over {WINDOW} steps, of {steps}")


if __name__ == "__main__":
    main()
