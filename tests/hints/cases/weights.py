"""Checkpoints, and the models of other programs."""
import hint_sources
from deeds import TRAINED, both, in_shell, setting, words
from follow import Case

# Commands that convert weights, taken from the sources.
TORCH = next(h for _, h in hint_sources.all_hints() if h.startswith("convert it: python3 -c \"import sys,torch"))
TURN = next(h for _, h in hint_sources.all_hints() if h.startswith("transpose the blocks' matrices"))

# Hints that other tests follow.
ELSEWHERE = {
    TORCH: "interop.pytorch_files",
    TURN: "interop.pytorch_files",
}

CASES = [
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
