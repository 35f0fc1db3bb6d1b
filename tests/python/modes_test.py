"""Evaluation and generation, of a run and of its checkpoint."""
import json
import pathlib

import pytest

import weft


def test_evaluations_of_a_run_of_its_checkpoint_and_of_the_command_are_equal(params, weft_program):
    with weft.Trainer(params, model_dir="out", num_csx=2) as trainer:
        metrics = list(trainer.train(3))
        live = trainer.evaluate()
    assert live["eval_loss"] == metrics[-1]["eval_loss"]
    assert live == weft.evaluate(params, model_dir="out")
    command = weft_program("run", "--params", "small.yaml", "--model_dir", "out", "--mode", "eval", "--json")
    assert live == json.loads(command.stdout)


def test_a_run_without_evaluations_evaluates_on_demand(params):
    del params["runconfig"]["eval_frequency"]
    with weft.Trainer(params, model_dir="out") as trainer:
        trainer.step()
        first = trainer.evaluate()
        trainer.step()
        assert trainer.evaluate()["eval_loss"] != first["eval_loss"]
    del params["eval_input"]
    with weft.Trainer(params, model_dir="out") as trainer:
        with pytest.raises(weft.Error, match="eval_input"):
            trainer.evaluate()
        assert trainer.step()["step"] == 3


def test_texts_and_ids_are_continued_as_by_the_command(params, weft_program):
    with weft.Trainer(params, model_dir="out") as trainer:
        trainer.step()
        live = trainer.generate(["ab", "d"], max_new_tokens=5)
        assert not list(pathlib.Path("out").glob("checkpoint_1*"))
        assert trainer.generate([0, 1], max_new_tokens=5)[:2] == [0, 1]
        with pytest.raises(weft.Error, match="temperature"):
            trainer.generate("ab", temperature=-1)
    with pytest.raises(weft.Error, match="is closed"):
        trainer.generate("ab")
    command = weft_program("run", "--params", "small.yaml", "--model_dir", "out", "--mode", "generate", "--prompt",
                           "ab", "--runconfig.max_new_tokens", "5")
    text = weft.generate(params, "ab", model_dir="out", max_new_tokens=5)
    assert text == command.stdout.rstrip("\n") and text.startswith("ab")
    assert weft.generate(params, ["ab", "d"], model_dir="out", max_new_tokens=5) == live and live[0] == text
    ids = weft.generate(params, [0, 1], model_dir="out", max_new_tokens=5)
    assert ids[:2] == [0, 1] and len(ids) == 7
    assert weft.generate(params, [[0, 1], [3]], model_dir="out", max_new_tokens=5)[0] == ids
    with pytest.raises(TypeError):
        weft.generate(params, ["ab", [1]], model_dir="out")
