"""Mistakes whose hints are followed by hints_test.py."""
import gzip
import pathlib
import struct

import hint_sources
from follow import Case, corpus

# The commands that convert weights, as the sources have them.
TORCH = next(h for _, h in hint_sources.all_hints() if h.startswith("convert it: python3 -c \"import sys,torch"))
TURN = next(h for _, h in hint_sources.all_hints() if h.startswith("transpose the blocks' matrices"))

# Hints that another test follows.
ELSEWHERE = {
    TORCH: "neighbours.pytorch_files",
    TURN: "neighbours.pytorch_files",
    "wait until that program has closed it": "Hdf5Open.LockedByItsWriterSaysSo",
    "wait for that program; if there is none: h5clear -s {}": "Hdf5Open.LeftOpenByAWriterThatWasKilledSaysHowItIsCleared",
    "name a file that is there and that you may read": "Hdf5Open.WithoutPermissionSaysSo",
}


def shard(ids, magic=20240520, version=1):
    header = struct.pack("<3i", magic, version, len(ids)) + bytes(4 * 253)
    return header + struct.pack(f"<{len(ids)}H", *ids)


def key(name, value, hint, **more):
    """A key of the command line."""
    return Case(f"{name} {value}", hint, words=[f"--{name}", value], **more)


def words(*to):
    """How: other words in place of the case's."""
    return lambda run, hint: run.words.__setitem__(slice(None), list(to))


def setting(name, value):
    return lambda run, hint: run.set(name, value)


def base(*to):
    return lambda run, hint: run.base.__setitem__(slice(None), list(to))


def editing(old, new):
    return lambda run, hint: run.replace(old, new)


def writing(name, content):
    return lambda run, hint: run.write(name, content)


def in_shell(line):
    return lambda run, hint: run.shell(line.replace("WEFT", str(run.weft)))


def both(*steps):
    return lambda run, hint: [step(run, hint) for step in steps]


SMALL = ["--mode", "validate_only", "--model_dir", "out"]
TINY = str(pathlib.Path(__file__).resolve().parents[2] / "configs/gpt_tiny.yaml")  # as an installed program finds it
TRAINED = "WEFT run --params mine.yaml --model_dir out --quiet"

CONFIG = [
    key("num_cs", "1", "did you mean --num_csx?"),
    key("temperatur", "1", "did you mean --runconfig.temperature?"),
    key("wafer.row", "2", "did you mean wafer.rows?"),
    key("num_csx", "0", "HINT: use 1 to 1024"),
    key("model.label_smoothing", "1", "HINT: use 0 or more and below 1"),
    key("model.label_smoothing", "0.000001", "HINT: use 0.002 or more, or 0"),
    key("model.share_embedding_weights", "maybe", "HINT: use true or false"),
    key("backend", "modle", "HINT: use model,", how=setting("wafer.backend", "model")),
    key("optimizer.betas", "[0.9]", "HINT: use [0.9, 0.999]"),
    key("optimizer.betas", "[0.9", "check indentation, quotes and brackets", how=setting("optimizer.betas", "[0.9, 0.99]")),
    key("optimizer.momentum", "0.9", "leave it out, or use SGD"),
    key("optimizer.learning_rate", "fast", "write it like 0.001"),
    key("optimizer.frozen_params", "['*']", "leave some out, or use runconfig.mode eval",
        how=setting("optimizer.frozen_params", "wte.weight")),
    key("optimizer.no_decay_params", "wte.weigth", "did you mean wte.weight?",
        how=setting("optimizer.no_decay_params", "wte.weight")),
    key("runconfig.on_divergence", "rollback", "set runconfig.checkpoint_steps, or use skip",
        how=setting("runconfig.checkpoint_steps", "1")),
    key("runconfig.log_steps", "two", "use digits only, e.g. 4", how=setting("runconfig.log_steps", "4")),
    key("train_input.micro_batch_size", "3", "HINT: use 2 or 4"),
    key("train_input.weights", "[1, 2]", "give one for data_dir and one for each of more_data_dirs",
        how=setting("train_input.weights", "[1]")),
    key("mode", "eval", "set eval_input.data_dir", how=both(in_shell(TRAINED), setting("eval_input.data_dir", "corpus.txt"))),
    key("mode", "generate", "give it one, e.g. --prompt",
        how=both(in_shell(TRAINED), lambda run, hint: run.words.extend(["--prompt", "a"]))),
    Case("nesterov", "set optimizer.momentum, e.g. 0.9, and optimizer.dampening 0",
         words=["--optimizer.optimizer_type", "SGD", "--optimizer.nesterov", "true"],
         how=both(setting("optimizer.momentum", "0.9"), setting("optimizer.dampening", "0"))),
    Case("early", "leave it out, or set runconfig.on_divergence stop",
         words=["--memoryx.early", "true", "--runconfig.on_divergence", "skip"]),
    Case("updates", "three quarters of the steps", words=["--sparsity.algorithm", "set", "--sparsity.sparsity", "0.5"],
         how=both(setting("sparsity.update_stop", "1"), setting("sparsity.update_freq", "1"))),
    Case("heads", "HINT: use 2 or 4", edits=[("num_heads: 2", "num_heads: 3")]),
    Case("missing", "add it: tokens there are", edits=[("  vocab_size: 14\n", "")], how=setting("model.vocab_size", "14")),
    Case("twice", "HINT: remove one", edits=[("num_heads: 2", "num_heads: 2\n  num_heads: 2")]),
    Case("other name", "HINT: remove one", edits=[("max_steps: 1", "max_steps: 1\n  save_checkpoints_steps: 3")]),
    Case("section", "put its keys, indented, below it", edits=[("wafer:\n  rows: 2\n  cols: 2\n", "wafer: 7\n")],
         how=editing("wafer: 7\n", "wafer:\n  rows: 2\n  cols: 2\n")),
    Case("key beside sections", "did you mean wafer.rows?", edits=[("wafer:\n  rows: 2\n", "rows: 2\nwafer:\n")],
         how=editing("rows: 2\nwafer:\n", "wafer:\n  rows: 2\n")),
    Case("a key as a section", "indented, below wafer:", edits=[("wafer:\n  rows: 2\n", "wafer.rows: 2\nwafer:\n")],
         how=editing("wafer.rows: 2\nwafer:\n", "wafer:\n  rows: 2\n")),
    Case("two sections", "put all its keys into one", edits=[("wafer:\n  rows: 2\n", "wafer:\n  rows: 2\nwafer:\n")],
         how=editing("rows: 2\nwafer:\n", "rows: 2\n")),
    Case("no yaml", "check indentation, quotes and brackets", edits=[("num_heads: 2", "num_heads: [2")],
         how=editing("[2", "2")),
    Case("empty", "start from configs/gpt_tiny.yaml", command=["run", "--params", "empty.yaml"], files={"empty.yaml": ""},
         how=base("run", "--params", TINY, *SMALL)),
    Case("a list of data", "name one folder, or their files by a pattern", edits=[("corpus.txt", "[corpus.txt]")],
         how=editing("[corpus.txt]", "corpus*.txt")),
    Case("a phase without a scheduler", "add scheduler: Constant",
         edits=[("learning_rate: 0.01", "learning_rate:\n    - learning_rate: 0.01")],
         how=editing("- learning_rate: 0.01", "- scheduler: Constant\n      learning_rate: 0.01")),
    Case("no phase", 'write "- scheduler: Constant"', edits=[("learning_rate: 0.01", "learning_rate: [0.01]")],
         how=editing("learning_rate: [0.01]", "learning_rate:\n    - scheduler: Constant\n      learning_rate: 0.01")),
    Case("a key of another scheduler", "leave it out; weft run --help says of which it is",
         edits=[("learning_rate: 0.01", "learning_rate:\n    scheduler: Constant\n    learning_rate: 0.01\n    gamma: 0.5")],
         how=editing("    gamma: 0.5\n", "")),
    Case("no parameter file", "name a parameter file, e.g. --params configs/gpt_tiny.yaml", command=["run"],
         how=base("run", "--params", TINY, *SMALL)),
    Case("params that are not there", "give --params a parameter file, e.g. configs/gpt_tiny.yaml",
         command=["run", "--params", "none.yaml"], how=base("run", "--params", TINY, *SMALL)),
    Case("config.json as params", "weft import FOLDER --out mine.yaml", command=["run", "--params", "config.json"],
         files={"config.json": '{"model_type": "gpt2"}'}, how=base("run", "--params", "mine.yaml", "--model_dir", "out")),
    Case("no command", "HINT: use weft ", command=["rnu"], how=base("--version")),
    Case("a shell", "write weft completion bash, or zsh", command=["completion", "tcsh"], how=base("completion", "bash")),
    Case("no value", "HINT: write --num_csx VALUE", words=["--num_csx"], how=words("--num_csx", "1")),
]

# Keys of the Model Zoo: they leave the file, or another key is set.
ZOO = [Case(f"zoo {name}", name, edits=[(f"{section}:\n", f"{section}:\n  {name}: {value}\n")]) for section, name, value in [
    ("model", "dropout_rate", "0.1"), ("model", "nonlinearity", "relu"), ("model", "fp16_type", "cbfloat16"),
    ("model", "position_embedding_type", "alibi"), ("model", "attention_type", "dot_product"), ("model", "norm_type", "rmsnorm"),
    ("model", "fixed_sparse_attention", "local"), ("model", "num_kv_groups", "1"), ("model", "lora_params", "{r: 4}"),
    ("model", "initializer", "{name: uniform}"), ("model", "loss_scaling", "batch_size"), ("model", "loss_weight", "3"),
    ("model", "tf_summary", "true"), ("model", "attention_kernel", "fast"), ("model", "pos_scaling_factor", "2"),
    ("train_input", "data_processor", "BertDataProcessor"), ("train_input", "shuffle_buffer", "9"),
    ("train_input", "drop_last", "true"), ("train_input", "add_special_tokens", "true"), ("train_input", "repeat", "false"),
    ("optimizer", "amsgrad", "true"), ("optimizer", "maximize", "true"), ("optimizer", "grad_accum_steps", "2"),
    ("runconfig", "enable_distributed", "true"), ("runconfig", "compile_only", "true"), ("runconfig", "experimental", "{a: 1}"),
    ("runconfig", "is_pretrained_checkpoint", "false"), ("runconfig", "autoload_last_checkpoint", "false"),
    ("runconfig", "mount_dirs", "/data"), ("runconfig", "num_wgt_servers", "2"),
    ("runconfig", "disable_strict_checkpoint_loading", "true"), ("runconfig", "load_checkpoint_states", "model")]]
for case in ZOO:  # each says why, and to leave it out
    case.hint = "leave it out"
    case.how = lambda run, hint: run.drop("", run.said)
ZOO += [Case(f"zoo {name}", hint, edits=[(f"{section}:\n", f"{section}:\n  {name}: {value}\n")],
             how=both(editing(f"  {name}: {value}\n", ""), setting(key_, to)))
        for section, name, value, hint, key_, to in [
            ("train_input", "vocab_size", "15", "set model.vocab_size", "model.vocab_size", "15"),
            ("train_input", "max_sequence_length", "4", "set model.max_sequence_length", "model.max_sequence_length", "4"),
            ("train_input", "num_samples", "8", "set runconfig.max_steps", "runconfig.max_steps", "2"),
            ("optimizer", "max_gradient_value", "1", "set optimizer.max_gradient_norm", "optimizer.max_gradient_norm", "1"),
            ("runconfig", "num_epochs", "1", "set runconfig.max_steps", "runconfig.max_steps", "2"),
            ("runconfig", "multireplica", "true", "set runconfig.num_csx", "runconfig.num_csx", "2"),
            ("runconfig", "throttle_secs", "9", "set runconfig.eval_frequency", "runconfig.log_steps", "1"),
            ("model", "weight_initialization_seed", "9", "set runconfig.seed", "runconfig.seed", "9")]]

DATA = [
    key("train_input.data_dir", "none.txt", "give a text file, a token shard, or a folder",
        how=setting("train_input.data_dir", "corpus.txt")),
    key("model.vocab_size", "6", "HINT: use 7 or more"),
    key("model.max_sequence_length", "8", "give more text or tokens, or reduce model.max_sequence_length",
        how=setting("model.max_sequence_length", "4"), files={"corpus.txt": "abcdefg"}),
    Case("a token beyond the vocabulary", "use model.vocab_size 15 or more", files={"c.bin": shard([14] * 100)},
         words=["--train_input.data_dir", "c.bin"]),
    Case("a header where none belongs", "set train_input.shard_format llm.c", files={"c.bin": shard([3] * 100)},
         words=["--train_input.data_dir", "c.bin", "--train_input.shard_format", "nanogpt"]),
    Case("a shard that is none", "train_input.shard_format nanogpt", files={"c.bin": struct.pack("<100H", *[3] * 100)},
         words=["--train_input.data_dir", "c.bin"], how=setting("train_input.shard_format", "nanogpt"), steps=2),
    Case("train and val", "name one of them, or several by a pattern", files={"d/train.txt": corpus(), "d/val.txt": "a"},
         words=["--train_input.data_dir", "d"], how=setting("train_input.data_dir", "d/*train*")),
    Case("text and shards", "keep text and token shards in folders of their own",
         files={"d/a.txt": corpus(), "d/a.bin": shard([3] * 99)}, words=["--train_input.data_dir", "d"],
         how=in_shell("rm d/a.bin")),
    Case("a folder of another format", "write its texts as *.jsonl, an object a line", files={"d/data.parquet": "PAR1...."},
         words=["--train_input.data_dir", "d"], how=writing("d/data.jsonl", '{"text": "%s"}\n' % corpus())),
    Case("an empty folder", "put the corpus there", files={"d/notes": "x"}, words=["--train_input.data_dir", "d"],
         how=in_shell("cp corpus.txt d")),
    Case("bytes of no UTF-8", "save the text as UTF-8 or use tokenizer: byte", files={"a.txt": b"\xff\xfd" * 900},
         words=["--train_input.data_dir", "a.txt", "--model.vocab_size", "256"], how=setting("train_input.tokenizer", "byte")),
    Case("UTF-16", "iconv -f UTF-16 -t UTF-8 u.txt > OUT", files={"u.txt": corpus().encode("utf-16")},
         words=["--train_input.data_dir", "u.txt"],
         how=both(in_shell("iconv -f UTF-16 -t UTF-8 u.txt > OUT"), setting("train_input.data_dir", "OUT"))),
    Case("bzip2", "unpack it, or pack it by gzip or Zstandard", before="bzip2 -k corpus.txt",
         words=["--train_input.data_dir", "corpus.txt.bz2"],
         how=both(in_shell("bzip2 -dc corpus.txt.bz2 > OUT"), setting("train_input.data_dir", "OUT"))),
    Case("tar", "unpack it, and name the folder", before="mkdir d && cp corpus.txt d && tar cf c.tar d && rm -r d",
         words=["--train_input.data_dir", "c.tar"], how=both(in_shell("tar xf c.tar"), setting("train_input.data_dir", "d"))),
    Case("behind gzip", "leave them out: gzip -dc a.txt.gz > OUT", files={"a.txt.gz": gzip.compress(corpus().encode()) + b"rest"},
         words=["--train_input.data_dir", "a.txt.gz"],
         how=both(in_shell("gzip -dc a.txt.gz > OUT || [ $? = 2 ]"), setting("train_input.data_dir", "OUT"))),
    Case("csv", "or call it *.txt, to train on the table as it stands", before="cp corpus.txt a.csv",
         words=["--train_input.data_dir", "a.csv"],
         how=both(in_shell("mv a.csv a.txt"), setting("train_input.data_dir", "a.txt"))),
    Case("lines of JSON", "call it *.jsonl, and its texts are read", files={"a.txt": '{"text": "%s"}\n' % corpus()},
         words=["--train_input.data_dir", "a.txt"],
         how=both(in_shell("mv a.txt a.jsonl"), setting("train_input.data_dir", "a.jsonl"))),
    Case("another field", "call it text, or make shards of it", files={"a.jsonl": '{"body": "%s"}\n' % corpus()},
         words=["--train_input.data_dir", "a.jsonl"], how=in_shell("sed -i s/body/text/ a.jsonl")),
    Case("a checkpoint as text", "name the corpus", before=TRAINED + " --train_input.seed 2; mv out/checkpoint_1.safetensors m; rm -r out",
         words=["--train_input.data_dir", "m"], how=setting("train_input.data_dir", "corpus.txt")),
    Case("bpe without a file", "name a vocab.json or tokenizer.json", words=["--train_input.data_dir", "words.txt", "--train_input.tokenizer", "bpe", "--model.vocab_size", "400"],
         before="cat corpus.txt corpus.txt > words.txt; seq 2000 >> words.txt; WEFT tokenizer train words.txt --vocab_size 300 --out t",
         how=setting("train_input.vocab_file", "t/tokenizer.json")),
    Case("merges alone", "set train_input.tokenizer bpe", words=["--train_input.data_dir", "words.txt", "--train_input.merges_file", "t/merges.txt", "--model.vocab_size", "400"],
         before="cat corpus.txt corpus.txt > words.txt; seq 2000 >> words.txt; WEFT tokenizer train words.txt --vocab_size 300 --out t",
         how=both(setting("train_input.vocab_file", "t/vocab.json"), setting("train_input.tokenizer", "bpe"))),
    Case("a vocab.json alone", "give the merges.txt of the vocab.json", before="cat corpus.txt corpus.txt > words.txt; seq 2000 >> words.txt; WEFT tokenizer train words.txt --vocab_size 300 --out t",
         words=["--train_input.data_dir", "words.txt", "--train_input.tokenizer", "bpe", "--model.vocab_size", "400", "--train_input.vocab_file", "t/vocab.json"],
         how=setting("train_input.merges_file", "t/merges.txt")),
    Case("tiktoken", "give the tokenizer.json of the same model", before="cat corpus.txt corpus.txt > words.txt; seq 2000 >> words.txt; WEFT tokenizer train words.txt --vocab_size 300 --out t",
         files={"tokenizer.model": "IQ== 0\nIg== 1\n"},
         words=["--train_input.data_dir", "words.txt", "--train_input.tokenizer", "bpe", "--model.vocab_size", "400", "--train_input.vocab_file", "tokenizer.model"],
         how=setting("train_input.vocab_file", "t/tokenizer.json")),
    Case("other characters", "use only characters of the training text", files={"e.txt": "XYZ" * 99},
         words=["--mode", "train_and_eval", "--runconfig.eval_frequency", "1", "--eval_input.data_dir", "e.txt"],
         how=in_shell("cp corpus.txt e.txt")),
    Case("another tokenizer", "use char, or another model_dir", before=TRAINED,
         words=["--train_input.tokenizer", "byte", "--max_steps", "2"], how=setting("train_input.tokenizer", "char")),
]

WEIGHTS = [
    Case("another shape", "give the model the checkpoint's shape", before=TRAINED, words=["--model.filter_size", "32", "--max_steps", "2"],
         how=setting("model.filter_size", "16")),
    Case("a folder of checkpoints", "HINT: name the file ", before=TRAINED + "; mv out kept", words=["--checkpoint_path", "kept"],
         how=setting("runconfig.checkpoint_path", "kept/checkpoint_1.safetensors")),
    Case("a file for a folder", "set runconfig.model_dir to a folder you may write to", command=["run", "--params", "mine.yaml"],
         words=["--model_dir", "corpus.txt"], how=setting("runconfig.model_dir", "out2")),
    Case("gzip of a checkpoint", "unpack it: gzip -dc w.gz > OUT", before=TRAINED + "; gzip -c out/checkpoint_1.safetensors > w.gz; rm -r out",
         words=["--checkpoint_path", "w.gz"], how=both(in_shell("gzip -dc w.gz > OUT"), setting("runconfig.checkpoint_path", "OUT"))),
    Case("other sizes than config.json", "set --model.filter_size 16", before=TRAINED + "; WEFT export --to hf hf --params mine.yaml --model_dir out",
         words=["--checkpoint_path", "hf", "--model.filter_size", "32", "--model_dir", "new"], how=setting("model.filter_size", "16")),
    Case("an index for a folder", "name the folder that it is in",
         before=TRAINED + "; WEFT export --to hf hf --params mine.yaml --model_dir out; rm -r out",
         files={"hf2/model.safetensors.index.json": '{"weight_map": {"a": "b"}}'},
         words=["--checkpoint_path", "hf2/model.safetensors.index.json"], how=setting("runconfig.checkpoint_path", "hf")),
    Case("export to nothing", "write --to hf DIR, or --to llmc FILE", before=TRAINED, command=["export"],
         words=["--params", "mine.yaml", "--model_dir", "out"], how=words("--to", "hf", "hf", "--params", "mine.yaml", "--model_dir", "out")),
    Case("export over a file", "name another", before=TRAINED, command=["export"], files={"x": "mine"},
         words=["--to", "llmc", "x", "--params", "mine.yaml", "--model_dir", "out", "--model.filter_size", "16"],
         how=words("--to", "hf", "hf", "--params", "mine.yaml", "--model_dir", "out")),
    Case("import of nothing", "name a folder that save_pretrained wrote, or llm.c's .bin", command=["import"],
         before=TRAINED + "; WEFT export --to hf hf --params mine.yaml --model_dir out",
         how=words("hf", "--out", "new.yaml", "--train_input.data_dir", "corpus.txt")),
    Case("import to nowhere", "name the parameter file to write, e.g. --out mine.yaml", command=["import"], words=["hf", "--train_input.data_dir", "corpus.txt"],
         before=TRAINED + "; WEFT export --to hf hf --params mine.yaml --model_dir out",
         how=words("hf", "--out", "new.yaml", "--train_input.data_dir", "corpus.txt")),
    Case("import without data", "name the text or the token shards that the model is to read", command=["import"],
         words=["hf", "--out", "new.yaml"], before=TRAINED + "; WEFT export --to hf hf --params mine.yaml --model_dir out",
         how=words("hf", "--out", "new.yaml", "--train_input.data_dir", "corpus.txt")),
    Case("import over a file", "name another, or move it away", command=["import"],
         words=["hf", "--out", "mine.yaml", "--train_input.data_dir", "corpus.txt"],
         before=TRAINED + "; WEFT export --to hf hf --params mine.yaml --model_dir out",
         how=words("hf", "--out", "new.yaml", "--train_input.data_dir", "corpus.txt")),
]

APPLIANCE = [
    Case("measure", "use it with --mode compile_only", words=["--measure"], how=words("--measure", "--mode", "compile_only")),
    key("clock", "0", "use it with --mode compile_only", how=words("--mode", "compile_only", "--clock", "50")),
    Case("no clock", "write how many million cycles a second has", words=["--mode", "compile_only", "--clock", "0"],
         how=words("--mode", "compile_only", "--clock", "50")),
    key("logits", "l.jsonl", "leave it out, or use --mode eval"),
    key("logits", "", "write its name", how=words()),
    Case("json", "metrics.jsonl in --model_dir has an object for each step", words=["--json"], how=words()),
    Case("measure and json", "leave one out", words=["--mode", "compile_only", "--measure", "--json"],
         how=words("--mode", "compile_only", "--json")),
    Case("status of nothing", "name the run's folder: weft status --model_dir DIR", command=["status"], before=TRAINED,
         how=words("--model_dir", "out")),
    Case("status of another folder", "name the runconfig.model_dir of a run", command=["status"], words=["--model_dir", "d"],
         before=TRAINED + "; mkdir d", how=words("--model_dir", "out")),
    Case("configs of nothing", "name a folder of *.yaml", command=["configs"], words=["d"], before="mkdir d", how=words(".")),
    Case("tokenize by nothing", "name a vocab.json or a tokenizer.json", command=["tokenize"], words=["corpus.txt", "--out", "new.bin"],
         before="cat corpus.txt corpus.txt > words.txt; seq 2000 >> words.txt; WEFT tokenizer train words.txt --vocab_size 300 --out t",
         how=words("corpus.txt", "--tokenizer", "t/tokenizer.json", "--out", "new.bin")),
    Case("tokenizer of nothing", "write weft tokenizer train IN --vocab_size N --out DIR", command=["tokenizer"], words=["make"],
         how=words("train", "corpus.txt", "--vocab_size", "300", "--out", "t")),
]

CASES = CONFIG + ZOO + DATA + WEIGHTS + APPLIANCE
