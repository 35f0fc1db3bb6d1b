"""Compares `weft tokenize` and `weft tokenizer train` with the package `tokenizers` on text of this machine.

    compare.py WEFT GPT2_FOLDER WORK_FOLDER

GPT2_FOLDER has encoder.json and vocab.bpe. Ends with 1 at the first token that differs.
"""

import json
import os
import random
import shutil
import subprocess
import sys

from corpus import write_corpus
from reference import END, PATTERNS, documents, gpt2, read, same, with_pattern
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

LEAST = 50_000_000  # bytes of distinct text


def random_text(rng, count):
    """Code points of all planes, spaces of all sorts, contractions in both cases, the end of a text."""
    some = "'s 't 'RE 'll 'ſ 'd 'M 've K <| |> ’s".split() + list(" \n\t\r\u00a0\u3000\u180e\u2028\u0085") + ["  ", "\r\n", END]
    planes = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    return "".join(
        rng.choice(
            [
                chr(rng.choice(planes)),
                chr(rng.randrange(32, 0x600)),
                rng.choice(some),
                rng.choice(some),
                rng.choice("abcXYZ019.,;<"),
            ]
        )
        for _ in range(count)
    )


def write_random(folder, seed):
    os.makedirs(folder)
    rng = random.Random(seed)
    planes = "".join(chr(c) + rng.choice([" ", "", "a", "1"]) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    for name, text in (("every", planes), ("some", random_text(rng, 1_000_000))):
        with open(os.path.join(folder, f"{name}.txt"), "w", newline="", encoding="utf-8") as file:
            file.write(text)
    print(f"seed {seed}: every code point, and 1000000 random pieces")


def invalid(weft, work, files, seed):
    """Bytes that are not UTF-8: they come back."""
    rng = random.Random(seed)
    text = b"".join(
        rng.choice([rng.randbytes(rng.randrange(1, 9)), b" word", "é中".encode()[: rng.randrange(1, 5)], b"\n"])
        for _ in range(500_000)
    )
    path, shard = os.path.join(work, "invalid"), os.path.join(work, "invalid.bin")
    with open(path, "wb") as file:
        file.write(text)
    subprocess.run([weft, "tokenize", path, "--out", shard, "--eot", "none", *files], check=True, stdout=subprocess.DEVNULL)
    back = subprocess.run([weft, "detokenize", shard, *files], check=True, stdout=subprocess.PIPE).stdout
    if back != text:
        raise SystemExit(f"{path}: another text comes back")
    print(f"{len(text)} bytes that are not UTF-8 come back")


def trained(weft, work, corpus):
    """Compares the vocabularies and merges made of one text. Returns Weft's folder."""
    out = os.path.join(work, "trained")
    source = os.path.join(work, "to_train")
    os.makedirs(source)
    for path in documents(corpus)[::5]:
        shutil.copy(path, source)
    subprocess.run(
        [weft, "tokenizer", "train", source, "--vocab_size", "16000", "--out", out, "--quiet"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    theirs = Tokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=16000,
        min_frequency=2,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    theirs.train_from_iterator(map(read, documents(source)), trainer)
    model = json.loads(theirs.to_str())["model"]
    with open(os.path.join(out, "tokenizer.json"), encoding="utf-8") as file:
        ours = json.load(file)["model"]
    if ours["vocab"] != model["vocab"] or ours["merges"] != model["merges"]:
        raise SystemExit(f"{out}: another vocabulary than BpeTrainer's")
    print(f"trained: {len(ours['vocab'])} tokens and {len(ours['merges'])} merges are BpeTrainer's")
    return out


def main():
    weft, vocabulary, work = sys.argv[1:4]
    seed = int(os.environ.get("WEFT_SEED", "1"))
    shutil.rmtree(work, ignore_errors=True)
    corpus, strange = os.path.join(work, "corpus"), os.path.join(work, "strange")
    total, count = write_corpus(corpus, LEAST)
    if total < LEAST:
        raise SystemExit(f"this machine has {total} bytes of text, {LEAST} are wanted")
    print(f"corpus: {total} bytes in {count} documents, each line once")
    write_random(strange, seed)

    gpt2_files = [os.path.join(vocabulary, "encoder.json"), os.path.join(vocabulary, "vocab.bpe")]
    ours = trained(weft, work, corpus)
    cases = [
        ("GPT-2's vocabulary", gpt2(*gpt2_files), ["--tokenizer", gpt2_files[0], "--merges", gpt2_files[1]]),
        (
            "the trained one",
            Tokenizer.from_file(os.path.join(ours, "tokenizer.json")),
            ["--tokenizer", os.path.join(ours, "vocab.json"), "--merges", os.path.join(ours, "merges.txt")],
        ),
    ]
    for name, pattern in PATTERNS.items():
        tokenizer, path = with_pattern(*gpt2_files, pattern), os.path.join(work, f"{name}.json")
        tokenizer.save(path)
        cases.append((f"{name}'s pattern", tokenizer, ["--tokenizer", path]))
    shard = os.path.join(work, "shard.bin")
    for name, tokenizer, files in cases:
        tokens = [same(tokenizer, weft, folder, shard, files) for folder in (corpus, strange)]
        print(f"{name}: {tokens[0]} and {tokens[1]} ids are equal")
        invalid(weft, work, files, seed)


if __name__ == "__main__":
    main()
