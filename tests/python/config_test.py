"""Configuration and errors: the keys and messages of the command."""
import os
import pickle

import pytest

import weft


def message(*words, **flags):
    with pytest.raises(weft.Error) as error:
        weft.Config(*words, **flags)
    return error.value


def test_a_dict_a_file_and_overrides_make_the_same_configuration(params):
    other = {**params, "optimizer": {}, "wafer": {"rows": 2, "cols": 2}}
    made = weft.Config(other, {"optimizer.learning_rate": 0.01, "optimizer.max_gradient_norm": 1})
    assert str(made) == str(weft.Config("small.yaml")) == str(weft.Config(params)) == str(weft.Config(made))
    assert made["optimizer.learning_rate"] == [{"scheduler": "Constant", "learning_rate": 0.01, "total_iters": 0}]
    assert made["model.num_heads"] == 2 and made["runconfig.num_csx"] == 1
    with pytest.raises(KeyError):
        made["model.heads"]


def test_flags_and_their_values(params, tmp_path):
    config = weft.Config(params, num_csx=3, model_dir=tmp_path / "out", backend="rtl,model", seed=7,
                         allow_other_bits=True)
    values = config.to_dict()
    assert values["runconfig"]["num_csx"] == 3 and values["runconfig"]["model_dir"] == str(tmp_path / "out")
    assert values["wafer"]["backend"] == "rtl,model"
    assert values["runconfig"]["seed"] == values["train_input"]["seed"] == 7
    assert weft.Config(params, {"optimizer.betas": (0.5, 0.75)})["optimizer.betas"] == [0.5, 0.75]
    schedule = [{"scheduler": "Linear", "initial_learning_rate": 0.0, "end_learning_rate": 0.5, "total_iters": 4},
                {"scheduler": "Constant", "learning_rate": 0.5, "total_iters": 0}]
    assert weft.Config(params, max_new_tokens=3)["runconfig.max_new_tokens"] == 3
    assert weft.Config(params, {"optimizer.learning_rate": schedule})["optimizer.learning_rate"] == schedule
    switched = weft.Config(params, keep_best=True, shuffle=None, allow_other_bits=False, stop=["a", "[b"])
    assert switched["runconfig.keep_best"] is True and switched["runconfig.stop"] == ["a", "[b"]
    assert weft.Config(config, num_csx=4)["runconfig.seed"] == 7


@pytest.mark.skipif("WEFT_PACKAGE" in os.environ, reason="a build folder may be anywhere")
def test_a_file_of_an_installed_package_is_found_anywhere(params):
    assert weft.Config("gpt_tiny.yaml")["model.hidden_size"] == 32


@pytest.mark.parametrize("words", [["--model.num_heads", "3"], ["--num_csx", "0"], ["--runconfig.max_stepps", "3"],
                                   ["--backend", "gpu"], ["--num_cs", "3"], ["--json"]])
def test_messages_equal_the_command_s(params, weft_program, words):
    command = weft_program("run", "--params", "small.yaml", "--model_dir", "out", *words)
    name, value = words[0][2:], words[1] if len(words) > 1 else True
    error = message("small.yaml", {name: value}) if "." in name else message("small.yaml", **{name: value})
    assert command.returncode == error.exit_code == 2
    if words != ["--json"]:  # the command has a use for it in other modes
        assert str(error) == command.stderr.rstrip("\n").replace("command line: ", "arguments: ")
    assert error.hint and error.problem


def test_all_errors_of_a_file_come_together_with_their_lines(params, weft_program, tmp_path):
    text = (tmp_path / "small.yaml").read_text()
    text = text.replace('"num_heads": 2', '"num_heads": 1000000').replace('"rows": 2', '"rows": -1')
    (tmp_path / "wrong.yaml").write_text(text)
    command = weft_program("run", "--params", "wrong.yaml")
    error = message("wrong.yaml")
    assert str(error) == command.stderr.rstrip("\n")
    assert str(error).count("\n") == 1
    assert error.place.startswith("wrong.yaml:") and error.subject == "model.num_heads"


def test_an_error_survives_another_process(params):
    error = message("nowhere.yaml")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.place, copy.problem, copy.hint, copy.exit_code) == (
        str(error), error.place, error.problem, error.hint, error.exit_code)


def test_a_value_that_no_file_could_have_is_a_type_error(params):
    with pytest.raises(TypeError, match="object is not a value of a parameter file"):
        weft.Config(params, {"model.num_heads": object()})


def test_one_of_several_processes_is_told_to_use_the_command(params, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("MASTER_ADDR", "localhost")
    monkeypatch.setenv("MASTER_PORT", "29500")
    with pytest.raises(weft.Error, match="^weft: runs in one process in a program, but this is one of several. HINT: "):
        weft.Trainer(params, model_dir="out")
