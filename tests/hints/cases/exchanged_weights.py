"""Folders and files of other programs' weights: host/formats."""
import struct

from deeds import TENSORS, TRAINED, base, both, in_file, in_shell, setting, words
from follow import Case

RUN = ["--params", "mine.yaml", "--model_dir", "out"]
EXPORT = f"{TRAINED}; WEFT export --to hf hf {' '.join(RUN)}; {TENSORS} out/checkpoint_1.safetensors whole plain"
WIDE, GPTJ = ["--model.filter_size", "32"], ["--model.network", "gptj", "--model.rotary_dim", "4"]
LLMC = f"{TRAINED} {' '.join(WIDE)}; WEFT export --to llmc newer.bin {' '.join(RUN + WIDE)}"
LLAMA, HALVES = ["--model.network", "llama", "--model.rotary_dim", "4"], ["--model.rotary_layout", "halves"]
UNTIED = ["--model.share_embedding_weights", "false"]
OTHER = "network: other\ntensors:\n  w: {shape: [vocab, hidden]}\n  h.weight: {shape: [hidden, vocab]}\noperations:\n" \
        "  - {embed: e, tokens: w, out: x}\n  - {linear: h, in: x, out: logits}\n  - {loss: l, in: logits}\nkeep: [x]\n"


def start(name, hint, change, to="hf", more=(), **rest):
    """A run that starts from `bad`, made by a shell's line of the folder hf or the file whole, and then from `to`."""
    how = rest.pop("how", None) or setting("runconfig.checkpoint_path", to)
    return Case(name, hint, given=EXPORT, before=change, words=["--model_dir", "new", "--checkpoint_path", "bad", *more], how=how, **rest)


def export(name, hint, how, to=("--to", "hf", "new"), more=(), given=EXPORT, **rest):
    return Case(name, hint, given=given, command=["export"], words=[*to, *RUN, *more], how=how, **rest)


def trained(network, *to, keys=WIDE):
    """Step: trains another run, with a network and head that the other program has, and exports it."""
    more = ["--model.network", network, *keys]
    return both(in_shell(f"WEFT run --params mine.yaml --model_dir out3 --quiet {' '.join(more)}"),
                words(*to, "--params", "mine.yaml", "--model_dir", "out3", *more))


# A folder `bad` whose tensors are in a file named by an index.
SHARD, INDEX = "bad/model-00001-of-00001.safetensors", "bad/model.safetensors.index.json"
SHARDED = f"cp -r hf bad; mv bad/model.safetensors {SHARD}; {TENSORS} {SHARD} {INDEX} index"


def config(old, new):
    return f"cp -r hf bad; sed -i 's/{old}/{new}/' bad/config.json"


FOLDERS = [
    start("a model with another activation", "Weft does not support this model: take one without", config("gelu_new", "relu")),
    start("another kind of model", "give a gpt2, gptj, llama or bert", config('"gpt2"', '"mistral"')),
    start("another class of model", "give a gpt2, gptj, llama or bert",
          config('"GPT2LM.*"', '"MistralForCausalLM"') + "; sed -i /model_type/d bad/config.json"),
    start("a folder of an adapter", "merge it into its model: merge_and_unload(), then save_pretrained",
          "mkdir bad; echo {} > bad/adapter_config.json"),
    start("an adapter beside a config.json", "merge it into its model: merge_and_unload(), then save_pretrained",
          "cp -r hf bad; mv bad/model.safetensors bad/adapter_model.safetensors"),
    start("a folder of nothing", "name a folder that save_pretrained wrote, or a file of checkpoint_N.safetensors", "mkdir bad"),
    start("a folder without its config.json", "or put the model's config.json next to it", "cp -r hf bad; rm bad/config.json",
          how=in_shell("cp hf/config.json bad")),
    start("a file of a folder without a config.json", "name that file, bad/model.safetensors", "cp -r hf bad; rm bad/config.json",
          to="bad/model.safetensors"),
    start("an index of nothing", "take another copy of the folder",
          "cp -r hf bad; rm bad/model.safetensors; echo '{}' > bad/model.safetensors.index.json"),
    start("an index of a file that does not exist", "fetch that file into the folder, too", f"{SHARDED}; mv {SHARD} shard",
          how=in_shell(f"mv shard {SHARD}")),
    start("shards without their index", "fetch model.safetensors.index.json of the same model into the folder", f"{SHARDED}; mv {INDEX} index",
          how=in_shell(f"mv index {INDEX}")),
    start("a config.json alone", "fetch the weights in safetensors into the folder", "mkdir bad; cp hf/config.json bad",
          how=in_shell("cp hf/model.safetensors bad")),
    start("a number in quotes", "correct these values in that file", config('"n_layer": 1', '"n_layer": "1"'),
          how=in_file("bad/config.json", ('"n_layer": "1"', '"n_layer": 1'))),
    start("keys of other models", "rename intermediate_size to n_inner in that file, or leave out what transformers did not train with",
          config("n_inner", "intermediate_size"), how=in_file("bad/config.json", ("intermediate_size", "n_inner"))),
    start("a key twice, by two names", "leave intermediate_size out of that file", config('"n_inner": 16', '"n_inner": 16, "intermediate_size": 20'),
          how=in_file("bad/config.json", (', "intermediate_size": 20', ""))),
    start("a config.json cut short", "correct the file, or take another copy", "cp -r hf bad; echo '{' > bad/config.json"),
    start("GGUF as a config.json", "take another copy of the file", "cp -r hf bad; printf 'GGUF\\3\\0\\0\\0' > bad/config.json"),
]

FILES = [
    export("a file in the place of a folder", "name another folder, or move it away", in_shell("mv new away"), files={"new": "mine"}),
    export("a folder in no folder", "name a folder that you may write to, on a disk with room",
           words("--to", "hf", "new", *RUN), to=("--to", "hf", "corpus.txt/new")),
    export("a file in no folder", "name a place where you may write", words("--to", "llmc", "x.bin", *RUN, *WIDE), to=("--to", "llmc", "no/x.bin"),
           more=WIDE, before=f"rm -r out; {TRAINED} {' '.join(WIDE)}"),
    export("a network that nobody else has", "use gpt2, cerebras_gpt, gptj, llama or bert", trained("gpt2", "--to", "hf", "new"), more=["--model.network", "net.yaml"],
           files={"net.yaml": OTHER}, before=f"rm -r out; {TRAINED} --model.network net.yaml"),
    export("LLaMA with neighbours that rotate", "train with model.rotary_layout halves",
           trained("llama", "--to", "hf", "new", keys=[*LLAMA[2:], *HALVES]), more=LLAMA, before=f"rm -r out; {TRAINED} {' '.join(LLAMA)}"),
    export("LLaMA with features that do not rotate", "train with model.rotary_dim 4",
           trained("llama", "--to", "hf", "new", keys=[*LLAMA[2:], *HALVES]), more=[*LLAMA[:3], "2", *HALVES],
           before=f"rm -r out; {TRAINED} {' '.join([*LLAMA[:3], '2', *HALVES])}"),
    export("GPT-J for llm.c", "HINT: use gpt2", trained("gpt2", "--to", "llmc", "x.bin"), to=("--to", "llmc", "x.bin"), more=GPTJ,
           before=f"rm -r out; {TRAINED} {' '.join(GPTJ)}"),
    export("a head of its own for llm.c", "HINT: set it true", trained("gpt2", "--to", "llmc", "x.bin"), to=("--to", "llmc", "x.bin"),
           more=UNTIED, before=f"rm -r out; {TRAINED} {' '.join(UNTIED)}"),
    export("another width for llm.c", "HINT: use 32", trained("gpt2", "--to", "llmc", "x.bin"), to=("--to", "llmc", "x.bin")),
    Case("an empty file to import", "fetch or write it again", given=LLMC, before="touch bad", command=["import"],
         words=["bad", "--out", "new.yaml", "--train_input.data_dir", "corpus.txt"], how=in_shell("cp newer.bin bad")),
    Case("llm.c's values of a step as weights", "take its checkpoint of the weights, which begins with 20240326: model_*.bin or gpt2_*.bin",
         given=LLMC, before="mv newer.bin gpt2_124M.bin", files={"bad": struct.pack("<256i", 20240327, 2, *[0] * 254)},
         words=["--model_dir", "new", "--checkpoint_path", "bad", *WIDE], how=setting("runconfig.checkpoint_path", "gpt2_124M.bin")),
    Case("an early checkpoint of llm.c", "write it with a newer llm.c", words=["--model_dir", "new", "--checkpoint_path", "bad", *WIDE],
         given=LLMC, how=in_shell("cp newer.bin bad"), before=r"cp newer.bin bad; printf '\1' | dd of=bad bs=1 seek=4 conv=notrunc status=none"),
    export("a weight beyond fp16", "use --dtype bf16 or fp32", words("--to", "hf", "new", *RUN, "--dtype", "bf16", "--checkpoint_path", "bad"),
           more=["--dtype", "fp16", "--checkpoint_path", "bad"], before=f"{TENSORS} whole bad float wte.weight 100000"),
    Case("import of a run", "weft run --params out/train/params.yaml", given=TRAINED, command=["import"],
         words=["out", "--out", "new.yaml", "--train_input.data_dir", "corpus.txt"],
         how=both(base("run", "--params", "out/train/params.yaml"), words())),
]

CASES = FOLDERS + FILES
