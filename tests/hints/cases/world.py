"""Folders, encodings and numbers that come from elsewhere: links, what stands in the way, text of another system."""
from deeds import TOKENIZER, base, both, editing, in_shell, key, setting
from follow import Case, corpus

# Hints that other tests follow.
ELSEWHERE = {
    "start again when no program writes to the file": "Packed.AFileThatIsWrittenWhileItIsReadIsRefused",
    "cd into an existing folder, or give absolute paths": "BadInput.AFolderThatCannotBeUsedSaysWhy",
    "raise the limit on the size of a file (ulimit -f), or name another file system": "ExchangeTest.AFullDiskLeavesNothing",
}


def encoded(name, iconv):
    """Text in this encoding of Python's, which iconv calls otherwise."""
    hint = f"iconv -f {iconv} -t UTF-8 u.txt > OUT"
    return Case(name, hint, files={"u.txt": corpus().encode(name)}, words=["--train_input.data_dir", "u.txt"],
                how=both(in_shell(hint), setting("train_input.data_dir", "OUT")))


CASES = [
    encoded("utf-16-le", "UTF-16LE"),
    encoded("utf-16-be", "UTF-16BE"),
    encoded("utf-32", "UTF-32"),
    Case("a text of JSON that is a number", "write it in quotation marks, or leave the line out",
         files={"a.jsonl": '{"text": 5}\n{"text": "%s"}\n' % corpus()}, words=["--train_input.data_dir", "a.jsonl"],
         how=in_shell("sed -i 1d a.jsonl")),
    Case("octal or decimal", "remove the leading 0", edits=[("max_steps: 1", "max_steps: 01")],
         how=editing("max_steps: 01", "max_steps: 1")),
    key("optimizer.learning_rate", "1e-400", "write it like 0.001 or 1e-3", how=setting("optimizer.learning_rate", "1e-3")),
    Case("a link to nothing", "make that folder, or set another runconfig.model_dir", before="ln -s scratch out",
         how=in_shell("mkdir scratch")),
    Case("a lock that is a link", "move it away, or set another runconfig.model_dir", before="mkdir out; ln -s ../mine.yaml out/.lock",
         how=in_shell("mv out/.lock lock")),
    Case("a checkpoint that is a folder", "move it away, or name a file", before="mkdir -p out/checkpoint_1.safetensors",
         how=in_shell("mv out/checkpoint_1.safetensors folder")),
    Case("detokenize a folder", "name a token shard, a file", command=["detokenize", ".", "--tokenizer", "t/tokenizer.json"],
         before=TOKENIZER + "; WEFT tokenize words.txt --tokenizer t/tokenizer.json --out words.bin",
         how=base("detokenize", "words.bin", "--tokenizer", "t/tokenizer.json")),
    Case("a special token of one letter", "HINT: leave it out", command=["tokenizer", "train", "corpus.txt", "--vocab_size", "300", "--out", "t"],
         words=["--special", "a"], how=lambda run, hint: run.drop_word("special")),
]
