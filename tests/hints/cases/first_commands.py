"""The shortest way in: weft train FILE, and weft plot."""
from deeds import TRAINED, in_shell, words, writing
from follow import Case, corpus

SHORT = ["--num_steps", "1", "--quiet"]


def train(name, hint, *said, how, **more):
    """Training on a text that is none, or with a word too many."""
    return Case(name, hint, command=["train"], words=[*said, *SHORT], how=how, **more)


def on_corpus(run, hint):
    words("corpus.txt", *SHORT)(run, hint)


CASES = [
    train("training on nothing", "name one: weft train my.txt", how=on_corpus),
    train("training on a text that does not exist", "name a text: weft train my.txt", "none.txt", how=on_corpus),
    train("training on a folder", "name one text; weft run trains on folders: train_input.data_dir", "d", how=on_corpus, before="mkdir d"),
    train("training on an empty text", "name a text", "empty.txt", how=on_corpus, files={"empty.txt": ""}),
    train("training on a short text", "name a text of at least 2000 bytes", "short.txt", how=writing("short.txt", corpus()), files={"short.txt": "abc"}),
    train("training on binary data", "name a text; token shards and HDF5 are trained on by weft run", "b.bin", how=on_corpus,
          files={"b.bin": bytes(3000)}),
    train("a parameter file for weft train", "use weft run", "corpus.txt", "--params", "mine.yaml",
          how=lambda run, hint: (run.base.__setitem__(0, "run"), run.words.remove("corpus.txt"))),
    train("weft train in several processes", "train once, then run its parameter file with weft run in each process", "corpus.txt",
          env={"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29999"},
          how=lambda run, hint: (run.env.clear(), in_shell("WEFT train corpus.txt --num_steps 1")(run, hint),
                                 run.base.__setitem__(slice(None), ["run", "--params", "out/corpus.yaml"]), words()(run, hint))),
    train("another text for a parameter file of weft train", "name another folder for this text, --model_dir DIR", "d/corpus.txt",
          before="WEFT train corpus.txt --num_steps 1; mkdir d; cp corpus.txt d", how=words("d/corpus.txt", "--model_dir", "out/d", "--num_steps", "1")),
    train("a tokenizer for weft train", "leave it out, and change it in the parameter file that weft train writes", "corpus.txt",
          "--train_input.tokenizer", "byte", how=on_corpus),
    Case("a plot of nothing", "name the folder of a run, or its metrics.jsonl: weft plot DIR", command=["plot"], before=TRAINED, how=words("out")),
    Case("a plot before the first step", "plot it after the run's first step", command=["plot"], words=["out"], before="mkdir out; touch out/metrics.jsonl",
         how=in_shell("rm -r out; " + TRAINED)),
]
