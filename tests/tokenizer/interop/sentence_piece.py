"""`weft tokenize` with SentencePiece models against the package `sentencepiece` of the same version, which is the system's.

    sentence_piece.py WEFT WORK_FOLDER

Trains two models on text of this machine, compares ids of 50 MB of it, of random code points and of bytes that are not UTF-8,
and prints the speeds, processor time. Ends with 1 at the first document that differs.
"""

import array
import os
import random
import resource
import shutil
import subprocess
import sys
import time

import sentencepiece

from corpus import write_corpus

LEAST = 50_000_000  # bytes of distinct text
MODELS = {
    "unigram": {"model_type": "unigram"},
    "bpe": {  # as Llama's
        "model_type": "bpe",
        "byte_fallback": True,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "split_digits": True,
        "user_defined_symbols": ["<sep>"],
    },
}


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def write_strange(folder, seed):
    rng = random.Random(seed)
    every = "".join(chr(c) + rng.choice([" ", "", "a", "\n"]) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    with open(os.path.join(folder, "random.txt"), "w", newline="", encoding="utf-8") as file:
        file.write(every)
    with open(os.path.join(folder, "invalid.txt"), "wb") as file:
        for _ in range(100_000):
            file.write(rng.choice([rng.randbytes(rng.randrange(1, 9)), b" word", "é中".encode()[: rng.randrange(1, 5)]]))


def main():
    weft, work = sys.argv[1:3]
    seed = int(os.environ.get("WEFT_SEED", "1"))
    shutil.rmtree(work, ignore_errors=True)
    corpus, shard = os.path.join(work, "corpus"), os.path.join(work, "shard.bin")
    total, count = write_corpus(corpus, LEAST)
    if total < LEAST:
        raise SystemExit(f"this machine has {total} bytes of text, {LEAST} are wanted")
    write_strange(corpus, seed)
    print(f"corpus: {total} bytes in {count} documents, each line once; seed {seed}: random code points, no UTF-8")
    paths = [os.path.join(corpus, name) for name in sorted(os.listdir(corpus))]
    for name, more in MODELS.items():
        prefix = os.path.join(work, name)
        sentencepiece.SentencePieceTrainer.train(
            input=paths[:3], model_prefix=prefix, vocab_size=8000, minloglevel=2, max_sentence_length=20000, **more
        )
        theirs = sentencepiece.SentencePieceProcessor(model_file=prefix + ".model")
        begin = children()
        command = [weft, "tokenize", corpus, "--tokenizer", prefix + ".model", "--out", shard, "--threads", "1", "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        our_time, their_time = children() - begin, 0.0
        with open(shard, "rb") as file:
            file.seek(1024)
            ours = array.array("H", file.read())
        at = size = 0
        for path in paths:
            with open(path, "rb") as file:
                text = file.read()
            size += len(text)
            begin = time.process_time()
            ids = theirs.encode(text)
            their_time += time.process_time() - begin
            expected = array.array("H", ids + [theirs.eos_id()])
            if ours[at : at + len(expected)] != expected:
                raise SystemExit(f"{path}: other ids than sentencepiece {sentencepiece.__version__} gives")
            at += len(expected)
        if at != len(ours):
            raise SystemExit(f"{shard}: {len(ours)} tokens, {at} expected")
        print(
            f"{name}: {at} ids are those of sentencepiece {sentencepiece.__version__}; {size / 1e6 / our_time:.2f} MB/s a core, "
            f"theirs {size / 1e6 / their_time:.2f}, ratio {their_time / our_time:.2f}"
        )


if __name__ == "__main__":
    main()
