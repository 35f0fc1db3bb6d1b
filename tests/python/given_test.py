"""Samples that the program gives, and gradients without an optimizer."""
import numpy as np
import pytest

import weft
from weft import _weft


@pytest.fixture
def samples(params):
    """A function that returns samples of the corpus, by their first number and how many."""
    text = open("corpus.txt").read()
    letters = sorted(set(text))
    ids = np.array([letters.index(one) for one in text], np.int32)

    def of(first, count):
        parts = range(8 * first, 8 * (first + count), 8)
        return np.stack([ids[at:at + 8] for at in parts]), np.stack([ids[at + 1:at + 9] for at in parts])
    return of


def test_given_samples_have_the_hashes_and_the_evaluation_of_the_same_samples_in_a_file(params, samples):
    params["runconfig"] = {}
    params["train_input"]["shuffle"] = False
    with weft.Trainer(params, model_dir="file") as trainer:
        wanted = [(m["loss"], m["state_hash"]) for m in trainer.train(3)]
    loss = weft.evaluate(params, {"runconfig.eval_steps": 2}, model_dir="file")["eval_loss"]
    del params["eval_input"]
    params["train_input"]["data_dir"] = "the program"
    found = []
    for wafers in (1, 3):  # the second one continues the first
        with weft.Trainer(params, batches=True, model_dir="given", num_csx=wafers) as trainer:
            while trainer.steps_done < wafers:
                metrics = trainer.step(samples(6 * trainer.steps_done, 6))
                found.append((metrics["loss"], metrics["state_hash"]))
            evaluated = trainer.evaluate(samples(0, 4))
    assert found == wanted
    assert evaluated["eval_loss"] == loss and evaluated["tokens"] == 32


def test_a_wrong_batch_changes_nothing(params, samples):
    del params["eval_input"], params["runconfig"]
    inputs, labels = samples(0, 6)
    with weft.Trainer(params, batches=True, model_dir="given") as trainer:
        for batch, problem in {
            (inputs[:5].tobytes(), labels[:5].tobytes()): r"batch: has 40 tokens\. HINT: give 6 sequences of 8 tokens",
            ((inputs + 14).tobytes(), labels.tobytes()): "batch: has the input [12][0-9], but the vocabulary has 14 ",
            (inputs.tobytes(), np.full_like(labels, -1).tobytes()): "batch: has no label that counts",
        }.items():
            with pytest.raises(weft.Error, match=problem):
                trainer.step([np.frombuffer(one, np.int32).reshape(-1, 8) for one in batch])
        with pytest.raises(weft.Error, match="its samples come from the program"):
            trainer.step()
        assert trainer.step((inputs, labels))["step"] == 1


def test_files_and_given_samples_exclude_each_other(params, samples):
    with weft.Trainer(params, model_dir="file") as trainer:
        with pytest.raises(weft.Error, match="its samples come from files"):
            trainer.step(samples(0, 6))
    with pytest.raises(weft.Error, match="eval_input.data_dir: the program gives the samples"):
        weft.Trainer(params, batches=True, model_dir="given")


@pytest.mark.parametrize("backend", ["model", "rtl"])
def test_a_step_of_sgd_subtracts_the_gradient_that_the_library_returns(params, samples, backend):
    del params["eval_input"], params["runconfig"]
    params["optimizer"] = {"optimizer_type": "SGD", "learning_rate": 1.0}
    batch = samples(0, 6)
    with weft.Trainer(params, batches=True, model_dir="given") as trainer:
        before = flat(trainer.state_dict())
        metrics = trainer.step(batch)
        after = flat(trainer.state_dict())
    found = []
    for wafers in (1, 3):
        passes = _weft.Gradients(weft.Config(params, backend=backend, num_csx=wafers)._config)
        loss, tokens, gradient = passes.compute(before, *batch)
        assert (loss, tokens) == (metrics["loss"], 48)
        assert passes.loss(before, *batch)[0] == loss
        found.append(gradient)
        with pytest.raises(weft.Error, match="loss|gradient|finite"):
            passes.compute(before * np.float32(1e30), *batch)
        assert (passes.compute(before, *batch)[2] == gradient).all()  # after a failed pass
    assert (found[0] == found[1]).all() and found[0].any()
    assert (before - found[0] == after).all()


def flat(state):
    return np.concatenate([array.reshape(-1) for array in state.weights.values()])
