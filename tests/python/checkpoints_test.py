"""Checkpoints as arrays: from files, from a run, and back."""
import pathlib

import numpy as np
import pytest

import weft


def equal(one, other):
    return list(one) == list(other) and all(np.array_equal(one[name], other[name]) for name in one)


def test_a_state_equals_the_checkpoint_that_is_saved_then(params):
    with weft.Trainer(params, model_dir="out") as trainer:
        list(trainer.train(2))
        state = trainer.state_dict()
        saved = weft.load(trainer.save())
    assert state.step == saved.step == 2
    assert state.metadata == saved.metadata
    assert equal(state, saved)
    weights = state.weights
    assert weights["h.0.attn.c_attn.weight"].shape == (8, 24)
    assert {array.dtype for array in weights.values()} == {np.dtype(np.float32)}
    assert {name for name in state} == {prefix + name for prefix in ("", "weft.m.", "weft.v.") for name in weights}


def test_saving_a_loaded_checkpoint_makes_the_same_file(params):
    params["sparsity"] = {"sparsity": 0.5}
    with weft.Trainer(params, model_dir="out") as trainer:
        trainer.step()
        path = trainer.save()
    loaded = weft.load(path)
    assert loaded["weft.mask.h.0.attn.c_attn.weight"].dtype == bool
    weft.save("copy.safetensors", loaded)
    assert pathlib.Path("copy.safetensors").read_bytes() == path.read_bytes()


def test_a_run_continues_from_a_saved_state_with_the_same_bits(params):
    with weft.Trainer(params, model_dir="out") as trainer:
        hashes = [metrics["state_hash"] for metrics in trainer.train(4)]
    with weft.Trainer(params, model_dir="first") as trainer:
        list(trainer.train(2))
        weft.save("state.safetensors", trainer.state_dict())
    with weft.Trainer(params, model_dir="second", checkpoint_path="state.safetensors") as trainer:
        assert trainer.steps_done == 2
        assert [metrics["state_hash"] for metrics in trainer.train(2)] == hashes[2:]


def test_a_run_starts_from_weights_alone(params):
    with weft.Trainer(params, model_dir="out") as trainer:
        weights = trainer.state_dict().weights
        expected = trainer.step()
    weft.save("start.safetensors", {name: array.astype(np.float64) for name, array in weights.items()})
    assert weft.load("start.safetensors").step == 0
    params["runconfig"]["seed"] = 7
    with weft.Trainer(params, model_dir="again", checkpoint_path="start.safetensors") as trainer:
        assert trainer.step()["loss"] == expected["loss"]
        assert equal(trainer.state_dict().weights, weft.load(trainer.save()).weights)


def test_wrong_arrays_and_files_are_rejected_by_name(params):
    with weft.Trainer(params, model_dir="out") as trainer:
        trainer.step()
        path = trainer.save()
    state = weft.load(path)
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(weft.Error, match="checkpoint_1.safetensors: is damaged: its checksum does not match. HINT: "):
        weft.load(path)
    del state["wte.weight"]
    with pytest.raises(weft.Error, match="bad.safetensors: weft.m.wte.weight: has no weights of its name. HINT: "):
        weft.save("bad.safetensors", state)
    with pytest.raises(weft.Error, match="bad.safetensors: h: is a mask, but not weft.mask.NAME"):
        weft.save("bad.safetensors", {"h": np.zeros(3, bool)})
    with pytest.raises(weft.Error, match="no.safetensors: "):
        weft.load("no.safetensors")
