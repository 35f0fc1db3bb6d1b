"""Training: bits, metrics, files, interrupts, threads."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

import weft

# The first hashes of configs/gpt_tiny.yaml, of every number of wafers and backend.
HASHES = ["346465df9128f34a", "10a64096449fc404", "7239030b0111dd35"]


@pytest.mark.parametrize("num_csx", [1, 3])
def test_the_tiny_gpt_has_the_hashes_of_the_command(tiny, tmp_path, num_csx):
    with weft.Trainer(tiny, model_dir=tmp_path / "out", backend="model", num_csx=num_csx) as trainer:
        assert [metrics["state_hash"] for metrics in trainer.train(3)] == HASHES


def test_rtl_has_the_hashes_of_the_model_for_one_wafer_and_for_three(params):
    hashes = []
    for backend, num_csx in (("model", 1), ("rtl", 1), ("rtl", 3)):
        with weft.Trainer(params, model_dir=f"{backend}_{num_csx}", backend=backend, num_csx=num_csx) as trainer:
            hashes.append([metrics["state_hash"] for metrics in trainer.train(2)])
    assert hashes[0] == hashes[1] == hashes[2]


def test_two_trainers_take_turns(params):
    with weft.Trainer(params, model_dir="one") as one, weft.Trainer(params, model_dir="two") as two:
        assert [(one.step()["state_hash"], two.step()["state_hash"]) for _ in range(2)] == [
            (metrics["state_hash"],) * 2 for metrics in one_after_the_other(params)]


def one_after_the_other(params):
    with weft.Trainer(params, model_dir="alone") as trainer:
        return list(trainer.train(2))


def test_metrics_are_the_lines_of_the_file_and_equal_the_command_s(params, weft_program, metrics_of):
    with weft.Trainer(params, model_dir="mine") as trainer:
        metrics = list(trainer.train())
    assert metrics == metrics_of("mine")
    assert weft_program("run", "--params", "small.yaml", "--model_dir", "command").returncode == 0
    same = ("step", "loss", "grad_norm", "lr", "tokens", "state_hash", "eval_loss", "run")
    mine, command = ([[m.get(key) for key in same] for m in run] for run in (metrics, metrics_of("command")))
    assert mine == command
    mine, command = (sorted(path.name for path in pathlib.Path(folder).iterdir()) for folder in ("mine", "command"))
    assert mine == command


def test_a_run_continues_with_the_same_bits_in_another_trainer_and_in_the_command(params, weft_program, metrics_of):
    with weft.Trainer(params, model_dir="whole") as trainer:
        whole = [m["state_hash"] for m in trainer.train()]
    with weft.Trainer(params, model_dir="parts", num_csx=2) as trainer:
        parts = [trainer.step()["state_hash"] for _ in range(2)]
    with weft.Trainer(params, model_dir="parts") as trainer:
        assert trainer.steps_done == 2
        parts += [m["state_hash"] for m in trainer.train(2)]
    assert weft_program("run", "--params", "small.yaml", "--model_dir", "parts").returncode == 0
    assert parts == whole[:4]
    assert [m["state_hash"] for m in metrics_of("parts")] == whole


def test_training_beyond_the_last_step_is_possible_and_a_finished_run_has_nothing_left(params):
    with weft.Trainer(params, model_dir="out", max_steps=2) as trainer:
        assert len(list(trainer.train())) == 2
        assert list(trainer.train()) == []
        assert trainer.step()["step"] == 3
    with weft.Trainer(params, model_dir="out", max_steps=3) as trainer:
        assert list(trainer.train()) == []


def test_an_exception_in_a_with_block_saves(params):
    with pytest.raises(ZeroDivisionError):
        with weft.Trainer(params, model_dir="out") as trainer:
            for metrics in trainer.train():
                1 / (metrics["step"] - 2)
    assert pathlib.Path("out/checkpoint_2.safetensors").exists()


def test_ctrl_c_finishes_the_step_and_saves(params):
    program = """
import sys, weft
trainer = weft.Trainer("small.yaml", model_dir="out", max_steps=100000)
try:
    for metrics in trainer.train():
        if metrics["step"] == 2:
            print("two", flush=True)
except KeyboardInterrupt as interrupt:
    print(interrupt)
    print(trainer.steps_done)
    print(trainer.step()["step"])
"""
    path = os.pathsep.join(sys.path)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "PYTHONPATH": path})
    assert process.stdout.readline() == "two\n"
    time.sleep(0.2)  # most of the time passes in a step, not in the program
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    saved = re.match(r"saved the state after step (\d+): out/checkpoint_\1\.safetensors; the same run continues there\n"
                     r"\1\n(\d+)\n$", out)
    assert saved, out
    assert int(saved[2]) == int(saved[1]) + 1
    assert weft.load(f"out/checkpoint_{saved[1]}.safetensors").step == int(saved[1])
    with weft.Trainer(params, model_dir="out", max_steps=100000) as trainer:
        assert trainer.steps_done == int(saved[1])


def test_other_threads_run_during_a_step_and_may_not_use_the_trainer(params):
    trainer = weft.Trainer(params, model_dir="out", max_steps=100000)
    errors, begun, ended = [], threading.Event(), threading.Event()

    def disturb():
        begun.set()
        while not ended.is_set() and not errors:
            try:
                trainer.save()
            except weft.Error as error:
                errors.append(str(error))

    thread = threading.Thread(target=disturb)
    thread.start()
    begun.wait()
    steps = 0
    while not errors and steps < 2000:
        try:
            trainer.step()
        except weft.Error as error:
            errors.append(str(error))
        steps += 1
    ended.set()
    thread.join()
    assert errors == ["weft.Trainer: is in use by another thread. HINT: use a trainer in one thread at a time."]
    trainer.close()


def test_a_closed_trainer_says_so_and_its_folder_is_free(params):
    trainer = weft.Trainer(params, model_dir="out")
    with pytest.raises(weft.Error, match="^command|out"):
        weft.Trainer(params, model_dir="out")  # one run at a time
    trainer.step()
    trainer.close()
    trainer.close()
    assert trainer.steps_done == 1 and repr(trainer).endswith("closed>")
    with pytest.raises(weft.Error, match=r"^weft\.Trainer: is closed\. HINT: "):
        trainer.step()
    weft.Trainer(params, model_dir="out").close()


def test_a_run_without_a_step_leaves_no_file(params):
    weft.Trainer(params, model_dir="out").close()
    assert not pathlib.Path("out").exists()


def test_messages_go_to_the_logger(params, caplog):
    with caplog.at_level("INFO", logger="weft"), weft.Trainer(params, model_dir="out") as trainer:
        trainer.step()
    text = "\n".join(record.message for record in caplog.records)
    assert re.search(r"^model +GPT-2, 1 layer", text, re.M), text
    assert re.search(r"^ +1 +\d", text, re.M), text


def test_an_exception_of_a_signal_ends_an_evaluation_early_and_the_run_continues(params):
    def late(*_):
        raise TimeoutError

    pathlib.Path("long.txt").write_text("abdejkmjed" * 200000)
    params["eval_input"]["data_dir"] = "long.txt"
    params["runconfig"] = {}
    with weft.Trainer(params, model_dir="out") as trainer:
        before = signal.signal(signal.SIGALRM, late)
        try:
            begin = time.monotonic()
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            with pytest.raises(TimeoutError):
                trainer.evaluate()  # 250,000 samples: a minute
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert time.monotonic() - begin < 20
        assert trainer.step()["step"] == 1


def test_a_failed_step_ends_the_run_and_names_the_reason(params):
    params["optimizer"] = {"optimizer_type": "SGD", "learning_rate": 1e9}
    trainer = weft.Trainer(params, model_dir="out")
    with pytest.raises(weft.Error) as error:
        for _ in range(10):
            trainer.step()
    assert error.value.exit_code == 1 and error.value.hint and "step" in error.value.problem
    with pytest.raises(weft.Error, match="is closed"):
        trainer.step()
