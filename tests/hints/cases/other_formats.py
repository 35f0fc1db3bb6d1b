"""Files that are something else than what is expected: sw/base/known_format.cpp."""
import bz2
import io
import struct
import zipfile

from deeds import TENSORS, TOKENIZER, TRAINED, both, in_shell, setting, writing
from follow import Case, corpus

IDS = struct.pack("<1000H", *[n % 13 for n in range(1000)])
SMALL_GGUF = b"GGUF\3\0\0\0" + bytes(99)
PLAIN = f"{TRAINED}; {TENSORS} out/checkpoint_1.safetensors whole plain"


def zipped(name, content):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, content)
    return out.getvalue()


def npy(ids):
    head = b"{'descr': '<u2', 'fortran_order': False, 'shape': (1000,), }"
    head += b" " * (53 - len(head) % 64 % 53) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + ids


def text(name, content, hint, how, *more):
    return Case(f"{name} as a text", hint, files={name: content}, words=["--train_input.data_dir", name, *more], how=how)


def corpus_named(name="corpus.txt", content=None):
    """Step: writes the corpus as the hint says."""
    return both(writing(name, corpus() if content is None else content), setting("train_input.data_dir", name))


def bare(run, hint):
    """numpy.uint16 .tofile("OUT.bin"), as shard_format nanogpt."""
    run.write("OUT.bin", IDS)
    run.set("train_input.data_dir", "OUT.bin")
    run.set("train_input.shard_format", "nanogpt")


LINES = corpus_named("texts.jsonl", '{"text": "%s"}\n' % corpus())
TEXTS = [
    text("a.pt", zipped("archive/data.pkl", "x"), "name the corpus; a model's weights go to --checkpoint_path", corpus_named()),
    text("a.npz", zipped("ids.npy", npy(IDS)), 'write numpy.uint16 by .tofile("OUT.bin"), for train_input.shard_format nanogpt', bare),
    text("a.npy", npy(IDS), 'write tokens bare, as numpy.uint16: .tofile("OUT.bin")', bare),
    text("a.pkl", b"\x80\x04\x95" + bytes(99), "write its texts as *.jsonl, an object a line", LINES),
    text("a.idx", b"MMIDIDX\0" + bytes(99), "write the texts that it was made from as *.jsonl", LINES),
    text("a.pdf", b"%PDF-1.7\n", "write its text as *.txt", corpus_named("a.txt")),
    text("a.gguf", SMALL_GGUF, "name the corpus, a text or *.jsonl", corpus_named()),
]


def weights(name, content, hint, how):
    """A --checkpoint_path that is no safetensors file; `whole` is one."""
    return Case(f"{name} as weights", hint, given=PLAIN, files={name: content},
                words=["--model_dir", "new", "--checkpoint_path", name], how=how)


def unpacked(line, to="OUT"):
    return both(in_shell(line), setting("runconfig.checkpoint_path", to))


def having(tool):
    """A case's `wrap`: without the tool it is not run."""
    return f"command -v {tool} > /dev/null || exit 77"


def packed(tool, suffix, option=""):
    """Weights that a tool has packed, if this machine has the tool."""
    line = f"{tool} -dc {option}w.{suffix} > OUT"
    return Case(f"weights packed as {suffix}", f"unpack it: {line}", given=PLAIN, before=f"{tool} -c {option}whole > w.{suffix} || true",
                wrap=having(tool), words=["--model_dir", "new", "--checkpoint_path", f"w.{suffix}"], how=unpacked(line))


WHOLE = setting("runconfig.checkpoint_path", "whole")
WEIGHTS = [
    weights("w.gguf", SMALL_GGUF, "take the safetensors files that it was made from", WHOLE),
    weights("w.npz", zipped("wte.weight.npy", b"x"), "write its arrays with safetensors.numpy.save_file", WHOLE),
    weights("llama2.bin", b"24ka\1\0\0\0" + bytes(99), "take a GPT-2's or GPT-J's safetensors", WHOLE),
    weights("a Llama of llm.c", struct.pack("<256i", 20240803, 5, *[0] * 254), "take a GPT-2's or GPT-J's weights", WHOLE),
    weights("w.pdf", b"%PDF-1.7\n", "take the model's weights in safetensors", WHOLE),
    # The file itself is fetched, as the hint says.
    weights("w.lfs", "version https://git-lfs.github.com/spec/v1\noid", "git lfs install && git lfs pull, in its repository", in_shell("cp whole w.lfs")),
    weights("w.annex", "/annex/objects/x", "fetch the file that it represents: git annex get w.annex", in_shell("cp whole w.annex")),
    weights("w.html", "<html><body>", "on the Hugging Face Hub /resolve/ in place of /blob/", in_shell("cp whole w.html")),
    weights("w.answer", "Entry not found", "fetch the file again: its name, or the right to read it, was wrong", in_shell("cp whole w.answer")),
    Case("packed weights", "unpack it: bzip2 -dc w.bz2 > OUT", given=PLAIN, before="bzip2 -c whole > w.bz2", needs="bzip2",
         words=["--model_dir", "new", "--checkpoint_path", "w.bz2"], how=unpacked("bzip2 -dc w.bz2 > OUT")),
    packed("lzop", "lzo"),
    packed("lzip", "lz"),
    packed("xz", "xz"),
    packed("xz", "lzma", "--format=lzma "),
    packed("lz4", "lz4"),
    Case("weights in an archive", "unpack it: tar xf w.tar", given=PLAIN, before="mv whole inside; tar cf w.tar inside; rm inside",
         words=["--model_dir", "new", "--checkpoint_path", "w.tar"], how=unpacked("tar xf w.tar", "inside")),
    Case("weights in a zip", "unpack it: unzip w.zip", given=PLAIN, before="mv whole inside; python3 -m zipfile -c w.zip inside; rm inside",
         wrap=having("unzip"), words=["--model_dir", "new", "--checkpoint_path", "w.zip"], how=unpacked("unzip w.zip", "inside")),
]

BPE = ["--train_input.data_dir", "words.txt", "--train_input.tokenizer", "bpe", "--model.vocab_size", "400"]


def vocab(name, content, hint, how=setting("train_input.vocab_file", "t/tokenizer.json")):
    return Case(f"{name} as a vocabulary", hint, given=TOKENIZER, files={name: content}, words=[*BPE, "--train_input.vocab_file", name], how=how)


TOKENIZERS = [
    vocab("v.pdf", b"%PDF-1.7\n", "give a tokenizer.json, a vocab.json with its merges.txt, or a *.model"),
    vocab("v.gguf", SMALL_GGUF, "give the tokenizer.json of the model that it was made from"),
    vocab("tekken.json", '{"config": {"pattern": "a", "num_vocab_tokens": 2}, "vocab": []}',
          "give the tokenizer.json of the same model, or tokenize with mistral-common and train on its shards"),
    vocab("cl100k.json", '{"pat_str": "a", "special_tokens": {}, "bpe_ranks": ""}',
          "give the tokenizer.json of the same model, or tokenize with tiktoken and train on its shards"),
    vocab("tokenizer.bin", struct.pack("<256i", 20240328, 2, 300, *[0] * 253), "give GPT-2's vocab.json and merges.txt, from which it was made",
          both(setting("train_input.vocab_file", "t/vocab.json"), setting("train_input.merges_file", "t/merges.txt"))),
    vocab("model.safetensors", b'\x40\0\0\0\0\0\0\0{"a":', "name the tokenizer.json next to it"),
]


def shard_of(kind, name, content, hint, how, *more):
    return Case(f"{kind} {name}", hint, files={name: content}, words=["--train_input.data_dir", name, *more], how=how)


SHARDS = [
    shard_of("not a token shard", "c.bin", SMALL_GGUF + bytes(2000), "give token shards; weft tokenize makes them of text",
             both(in_shell(f"{TOKENIZER}; WEFT tokenize words.txt --tokenizer t/tokenizer.json --out new.bin --quiet"),
                  setting("train_input.data_dir", "new.bin"), setting("model.vocab_size", "400"))),
]
# Hints that other tests follow.
ELSEWHERE = {
    "give the HDF5 files that the Model Zoo's preparation of data writes": "Hdf5Open.OtherFormatIsReportedByName",
}
CASES = TEXTS + WEIGHTS + TOKENIZERS + SHARDS
