"""Runs that go on, or begin with a checkpoint, and texts that a trained model is to go on with."""
import pathlib

from deeds import TRAINED, both, in_shell, setting, shard, words
from follow import Case

NETWORK = pathlib.Path(__file__).resolve().parents[3] / "sw/network/gpt2.yaml"
MORE = ["--max_steps", "2"]
GENERATE = ["--mode", "generate", "--runconfig.max_new_tokens", "2"]
SHARD = ["--train_input.data_dir", "c.bin"]
FILTER = "[h.*.mlp.c_fc.weight]"
MOVES = ["--sparsity.algorithm", "set", "--sparsity.sparsity", "0.5", "--sparsity.update_freq", "1", "--sparsity.update_stop", "3"]
KEPT = "runconfig.checkpoint_path", "kept/checkpoint_1.safetensors"


def resumed(name, hint, how, *given, before=TRAINED, **more):
    return Case(name, hint, words=[*given] if "--max_steps" in given else [*MORE, *given], how=how, before=before, **more)


def generated(name, hint, how, *given, before=TRAINED, **more):
    return Case(name, hint, words=[*GENERATE, *given], how=how, before=before, **more)


ANOTHER_FOLDER = both(in_shell("mv out kept"), setting(*KEPT))

# Hints that other tests follow.
ELSEWHERE = {
    "the same command continues": "OwnFolder.ADeletedFolderIsMadeAgainWithTheStateAndAllItsLines",
    "continue with --model_dir ": "OwnFolder.AnotherFolderOfTheSameNameIsLeftAlone",
}

CASES = [
    generated("tokens of letters", "write ids with commas between them, e.g. \"1,2,3\"", setting("prompt_tokens", "1,2,3"),
              "--prompt_tokens", "a b"),
    generated("tokens that no vocabulary has", "use ids of 0 to 13", setting("prompt_tokens", "13"), "--prompt_tokens", "14"),
    generated("a text for a model of tokens", "give ids instead, e.g. --prompt_tokens \"1,2,3\"", words(*GENERATE, "--prompt_tokens", "1,2,3", *SHARD),
              "--prompt", "a", *SHARD, before=f"{TRAINED} {' '.join(SHARD)}", files={"c.bin": shard([1, 2, 3] * 99)}),
    generated("a model that nobody has trained", "train first, or name a file with --checkpoint_path", in_shell(TRAINED),
              "--prompt", "a", before="mkdir out"),
    generated("a file for a run's folder", "name the folder of a run", setting("model_dir", "out"), "--prompt", "a", "--model_dir", "corpus.txt"),
    resumed("other bits", "restore these settings; or start a separate run from this file", setting("model.label_smoothing", "0"),
            "--model.label_smoothing", "0.1"),
    resumed("other bits in another folder", "with --checkpoint_path and another --model_dir", ANOTHER_FOLDER, "--model.label_smoothing", "0.1"),
    resumed("other bits as another run", "or continue here as another run, with --allow_other_bits",
            lambda run, hint: run.words.append("--allow_other_bits"), "--model.label_smoothing", "0.1"),
    resumed("another momentum", "use momentum 0.9, or start from its weights alone", setting("optimizer.momentum", "0.9"),
            "--optimizer.optimizer_type", "SGD", "--allow_other_bits",
            before=TRAINED + " --optimizer.optimizer_type SGD --optimizer.momentum 0.9"),
    resumed("another network", "or the path of that file", setting("model.network", "gpt2"), "--model.network", "other.yaml",
            "--allow_other_bits", before=f"{TRAINED}; sed 's/network: gpt2/network: mine/' {NETWORK} > other.yaml"),
    Case("zeros of no checkpoint", "set runconfig.checkpoint_path", before=TRAINED + " --sparsity.sparsity 0.5; mv out kept",
         words=["--sparsity.init_method", "checkpoint"], how=setting(*KEPT)),
    resumed("sparsity of a dense run", "start from it with --checkpoint_path in another runconfig.model_dir", ANOTHER_FOLDER,
            "--sparsity.sparsity", "0.5", "--allow_other_bits"),
    resumed("another sparsity", "leave the sparsity section out, or restore the settings that the checkpoint was trained with",
            lambda run, hint: run.drop_word("sparsity.sparsity"), "--sparsity.sparsity", "0.75", "--allow_other_bits",
            before=TRAINED + " --sparsity.sparsity 0.5"),
    resumed("masks of other tensors", "choose the tensors that it was trained with", setting("sparsity.params_filter", FILTER), *MOVES,
            "--sparsity.params_filter", "[h.*.mlp.c_fc.weight, h.*.mlp.c_proj.weight]", "--allow_other_bits", "--max_steps", "5",
            before=f"{TRAINED} {' '.join(MOVES)} --max_steps 4 --sparsity.params_filter '{FILTER}'"),
    resumed("a checkpoint under another name", "give the file its original name again",
            in_shell("mv out/checkpoint_3.safetensors out/checkpoint_1.safetensors"),
            before=TRAINED + "; mv out/checkpoint_1.safetensors out/checkpoint_3.safetensors"),
    resumed("files of two runs", "keep the files of one run in runconfig.model_dir, move the others away", in_shell("mv copy out/vocab.json"),
            before=f"{TRAINED.replace(' out ', ' theirs ')} --runconfig.seed 2; {TRAINED}; cp out/vocab.json copy; cp theirs/vocab.json out"),
    Case("weights without their vocabulary", "put that run's vocab.json next to it, or give the text it was trained on", files={"other.txt": "xyz" * 99},
         before=TRAINED + "; mv out kept; mv kept/vocab.json v", words=[*MORE, "--checkpoint_path", KEPT[1], "--train_input.data_dir", "other.txt"],
         how=setting("train_input.data_dir", "corpus.txt")),
]
