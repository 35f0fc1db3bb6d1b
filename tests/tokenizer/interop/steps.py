"""Compares the steps of a tokenizer.json, and vocabularies of tiktoken, with the packages `tokenizers` and `tiktoken`.

    steps.py WEFT GPT2_FOLDER WORK_FOLDER

GPT2_FOLDER has encoder.json and vocab.bpe. Ends with 1 at the first token that differs.
"""

import base64
import json
import os
import random
import shutil
import sys
import unicodedata

import tiktoken
from reference import END, read, tokenize
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
PLANES = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
BEHAVIORS = ["isolated", "removed", "merged_with_previous", "merged_with_next", "contiguous"]


def byte_letters():
    """As GPT-2 writes bytes."""
    own = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return {byte: chr(byte if byte in own else 256 + [b for b in range(256) if b not in own].index(byte)) for byte in range(256)}


def of_bytes():
    """Each byte is a token."""
    tokenizer = Tokenizer(models.BPE({letter: byte for byte, letter in byte_letters().items()}, []))
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def steps(*some):
    return pre_tokenizers.Sequence([*some, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def compare(weft, work, name, tokenizer, texts):
    """Compares the ids of each text; returns the texts of which they differ."""
    saved, shard = os.path.join(work, "tokenizer.json"), os.path.join(work, "shard.bin")
    tokenizer.save(saved)
    folder = os.path.join(work, "texts")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    theirs = [e.ids for e in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]
    with open(os.path.join(folder, "texts.jsonl"), "w", encoding="utf-8") as file:
        for text in texts:
            file.write(json.dumps({"text": text}) + "\n")
    tokenizer.add_special_tokens([END])  # marks the ends of texts
    tokenizer.save(saved)
    end, ours, one = tokenizer.token_to_id(END), [], []
    for token in tokenize(weft, folder, shard, ["--tokenizer", saved]):
        if token == end:
            ours.append(one)
            one = []
        else:
            one.append(token)
    if len(ours) != len(texts):
        raise SystemExit(f"{name}: {len(ours)} texts, not {len(texts)}")
    return [text for text, a, b in zip(texts, ours, theirs) if a != b]


def normal_forms(weft, work, rng):
    marks = [c for c in PLANES if unicodedata.combining(chr(c))]
    starters = [c for c in PLANES if unicodedata.decomposition(chr(c))] + list(range(0x1100, 0x1200)) + list(range(0x41, 0x7B))

    def some():
        return "".join(chr(rng.choice(rng.choice([marks, starters, PLANES, marks]))) for _ in range(rng.randrange(1, 8)))

    texts = [chr(c) for c in PLANES] + [some() for _ in range(200_000)]
    for form in (normalizers.NFC, normalizers.NFD, normalizers.NFKC, normalizers.NFKD):
        tokenizer = of_bytes()
        tokenizer.normalizer = normalizers.Sequence([form()])
        tokenizer.pre_tokenizer = steps()
        if different := compare(weft, work, form.__name__, tokenizer, texts):
            raise SystemExit(f"{form.__name__}: {[[f'U+{ord(c):04X}' for c in text] for text in different[:3]]}")
        print(f"{form.__name__}: the ids of {len(texts)} texts are equal")


def splits(weft, work, rng):
    texts = ["".join(rng.choice("ab1 2-\u00e9\u0663\u216b") for _ in range(rng.randrange(1, 20))) for _ in range(2000)]
    vocabulary = {letter: byte for byte, letter in byte_letters().items()}
    pairs = [(a, b) for a in vocabulary for b in vocabulary if rng.randrange(4)]
    rng.shuffle(pairs)
    pairs = pairs[:30_000]
    for a, b in pairs:
        vocabulary[a + b] = len(vocabulary)
    cases = [(pattern, behavior, invert) for pattern in (Regex(r"\d+|-"), Regex(r"(?=1)"), Regex(GPT2), Regex(r"x*"), "b", "-")
             for behavior in BEHAVIORS for invert in (False, True)]
    for name, step in [(f"{p} {b} {i}", pre_tokenizers.Split(p, b, i)) for p, b, i in cases] + [
        (f"digits {alone}", pre_tokenizers.Digits(individual_digits=alone)) for alone in (False, True)
    ]:
        tokenizer = Tokenizer(models.BPE(vocabulary, pairs))
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.pre_tokenizer = steps(step)
        if different := compare(weft, work, name, tokenizer, texts):
            raise SystemExit(f"{name}: {different[:3]}")
    print(f"splits: {len(cases) + 2} steps, {len(texts)} texts each: the ids are equal")


def ranks_file(path, ranks):
    with open(path, "wb") as file:
        for token, rank in sorted(ranks.items(), key=lambda item: item[1]):
            file.write(base64.b64encode(token) + b" %d\n" % rank)


def vocabularies(weft, work, gpt2, rng):
    """GPT-2's vocabulary in tiktoken's form, and one in which most cuts of a token are tokens."""
    with open(os.path.join(gpt2, "encoder.json"), encoding="utf-8") as file:
        known = json.load(file)
    bytes_of = {letter: byte for byte, letter in byte_letters().items()}
    ranks = {bytes(bytes_of[c] for c in token): id for token, id in known.items() if token != END}
    crowded = {bytes([b]): b for b in range(256)}
    while len(crowded) < 50_256:
        crowded.setdefault(bytes(rng.choice(b"abc") for _ in range(rng.randrange(2, 14))), len(crowded))
    text = os.path.join(work, "text.txt")
    with open(text, "w", encoding="utf-8") as file:
        for _ in range(100_000):
            file.write("".join(rng.choice("abc" if rng.randrange(9) else "xyz 12.\n\u00e9") for _ in range(rng.randrange(1, 60))))
    for name, all in (("GPT-2's", ranks), ("the crowded one", crowded)):
        path, shard = os.path.join(work, "vocabulary.tiktoken"), os.path.join(work, "shard.bin")
        ranks_file(path, all)
        theirs = tiktoken.Encoding("x", pat_str=GPT2, mergeable_ranks=all, special_tokens={END: 50256})
        expected = theirs.encode_ordinary(read(text))
        ours = tokenize(weft, text, shard, ["--tokenizer", path, "--eot", "none"])
        if list(ours) != expected:
            raise SystemExit(f"{name} vocabulary in tiktoken's form: another id")
        print(f"tiktoken, {name} vocabulary: {len(expected)} ids are equal")


def main():
    weft, gpt2, work = sys.argv[1:4]
    seed = int(os.environ.get("WEFT_SEED", "1"))
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    rng = random.Random(seed)
    print(f"seed {seed}")
    vocabularies(weft, work, gpt2, rng)
    splits(weft, work, rng)
    normal_forms(weft, work, rng)


if __name__ == "__main__":
    main()
