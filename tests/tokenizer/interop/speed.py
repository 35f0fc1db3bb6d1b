"""Speed of `weft tokenize` over that of the package `tokenizers`: processor time, the same text, the same run, in turn.

    speed.py WEFT GPT2_FOLDER WORK_FOLDER

Weft's time is all that the program does, on one thread, from its start to the shard on disk; the package's time is encode_batch_fast alone, of
documents that are in memory. The median of five runs in turn. Ends with 1 if Weft is slower.
"""

import os
import resource
import shutil
import statistics
import sys
import time

from corpus import write_corpus
from reference import documents, gpt2, read, tokenize

BYTES = 10_000_000
TURNS = 5
GOAL = 1


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    weft, vocabulary, work = sys.argv[1:4]
    shutil.rmtree(work, ignore_errors=True)
    corpus = os.path.join(work, "corpus")
    total, _ = write_corpus(corpus, BYTES)
    files = [os.path.join(vocabulary, "encoder.json"), os.path.join(vocabulary, "vocab.bpe")]
    reference, texts = gpt2(*files), [read(path) for path in documents(corpus)]
    ours, theirs = [], []
    for _ in range(TURNS):
        begin = children()
        tokenize(weft, corpus, os.path.join(work, "shard.bin"), ["--tokenizer", files[0], "--merges", files[1]], "--threads", "1")
        ours.append(children() - begin)
        begin = time.process_time()
        reference.encode_batch_fast(texts, add_special_tokens=False)
        theirs.append(time.process_time() - begin)
    megabytes = total / 1e6
    ratio = statistics.median(theirs) / statistics.median(ours)
    print(f"weft tokenize  {megabytes / statistics.median(ours):8.2f} MB/s a core")
    print(f"tokenizers     {megabytes / statistics.median(theirs):8.2f} MB/s a core")
    print(f"ratio          {ratio:8.1f}  goal: at least {GOAL}")
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
