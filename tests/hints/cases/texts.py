"""Texts: files and folders of them, packed ones, documents, and the vocabulary that is made of them."""
import errno
import gzip
import resource

from deeds import TOKENIZER, TRAINED, both, in_shell, setting, words, writing
from faults import Call, Faults
from follow import Case, corpus

TO = ["--tokenizer", "t/tokenizer.json", "--out", "new.bin"]
PACKED = gzip.compress(corpus().encode())
ROW = '{"text": "%s"}\n' % corpus()
PACK = "for n in $(seq 20); do seq $n $((n + 900)) > part$n; done; zstd -q --train part* --maxdict 2000 -o dictionary"


def tokenize(name, hint, text, how, *more, before="true", **other):
    """Tokens of a text that is none, and the deed that makes it one."""
    return Case(name, hint, command=["tokenize"], words=[text, *TO, *more], before=f"{TOKENIZER}; {before}", how=how, **other)


def healed(run, hint):
    run.faults = Faults()


CASES = [
    tokenize("a text that does not exist", "give a text, a *.jsonl, or a folder of *.txt and *.jsonl; each may be *.gz or *.zst",
             "none.txt", words("corpus.txt", *TO)),
    tokenize("a device for a text", "name a file, or write to a pipe: <(COMMAND)", "/dev/zero", words("corpus.txt", *TO)),
    tokenize("a pipe among texts", "HINT: name it alone", "d", both(in_shell("(cat corpus.txt > d/a.txt) > /dev/null 2>&1 &"), words("d/a.txt", *TO)),
             before="mkdir d; mkfifo d/a.txt"),
    tokenize("a disk that fails", "check the disk it is on", "x.txt", in_shell("cp --remove-destination corpus.txt x.txt"),
             before="ln -s /proc/self/mem x.txt"),
    tokenize("a folder that cannot be listed", "check its permissions", "d", healed, before="mkdir d; cp corpus.txt d",
             faults=Faults(calls=[Call("getdents64", errno.EACCES)])),
    tokenize("gzip that is cut short", "fetch or pack the file again", "a.txt.gz", writing("a.txt.gz", PACKED),
             files={"a.txt.gz": PACKED[:-20]}),
    tokenize("a long window", "unpack it: zstd -dc --long=31 a.txt.zst > OUT", "a.txt.zst",
             both(in_shell("zstd -q -dc --long=31 a.txt.zst > OUT"), words("OUT", *TO)),
             before="cat corpus.txt | zstd -q --ultra --long=30 > a.txt.zst", needs="zstd"),
    tokenize("a dictionary", "unpack it: zstd -dc -D DICTIONARY a.txt.zst > OUT", "a.txt.zst",
             both(in_shell("zstd -q -dc -D dictionary a.txt.zst > OUT"), words("OUT", *TO)),
             before=f"{PACK}; zstd -q -D dictionary corpus.txt -o a.txt.zst", needs="zstd"),
    tokenize("another field of documents", "name the field that has it: --field NAME", "a.jsonl",
             words("a.jsonl", *TO, "--field", "body"), files={"a.jsonl": ROW.replace("text", "body")}),
    tokenize("a list of documents", "convert the file: ", "a.jsonl",
             both(lambda run, hint: run.shell(hint.removeprefix("convert the file: ")), words("OUT.jsonl", *TO)),
             files={"a.jsonl": f"[{ROW.strip()}]\n"}),
    tokenize("a line that is no object", "write an object a line, in UTF-8, with the text in it", "a.jsonl", writing("a.jsonl", ROW),
             files={"a.jsonl": corpus()}),
    tokenize("half of a pair", "write the character itself; half of a surrogate pair alone is not a character: leave it out", "a.jsonl",
             writing("a.jsonl", '{"text": "\U0001f600"}\n' + ROW), files={"a.jsonl": '{"text": "\\ud83d"}\n' + ROW}),
    tokenize("a shard in no folder", "name a file in a folder that you may write to", "corpus.txt",
             words("corpus.txt", *TO[:-1], "new.bin"), "--out", "/proc/new.bin"),
    tokenize("shards in no folder", "name a file in a folder that you may write to", "corpus.txt",
             words("corpus.txt", *TO, "--shard_tokens", "500"), "--out", "/proc/new", "--shard_tokens", "500"),
    tokenize("shards of 2^31 tokens", "use less than 2^31", "corpus.txt", words("corpus.txt", *TO, "--shard_tokens", "2147483647"),
             "--shard_tokens", "2147483648"),
    tokenize("shards that another program writes", "wait for its end, or name others: --out", "corpus.txt",
             in_shell("flock new.incomplete true"), "--shard_tokens", "500",
             before="touch new.incomplete; flock new.incomplete sleep 2 > /dev/null 2>&1 & sleep 0.2"),
    Case("documents of nothing", "give it some text", files={"a.jsonl": '{"text": ""}\n' * 9}, words=["--train_input.data_dir", "a.jsonl"],
         how=writing("a.jsonl", ROW)),
    Case("documents of a character", "give longer documents", files={"a.jsonl": '{"text": "a"}\n' * 9},
         words=["--train_input.data_dir", "a.jsonl", "--train_input.pad_documents", "true", "--model.document_end", "0"],
         how=writing("a.jsonl", ROW)),
    Case("other files among texts", "HINT: name fewer files", before="mkdir d; cp corpus.txt d; touch d/notes.md",
         words=["--train_input.data_dir", "d/*"], how=setting("train_input.data_dir", "d/*.txt")),
    Case("a small weight", "use a greater one, or leave that data set out", before="cp corpus.txt b.txt",
         words=["--train_input.more_data_dirs", "[b.txt]", "--train_input.weights", "[1, 1e-9]"],
         how=setting("train_input.weights", "[1, 0.1]")),
    Case("few files that may be open", "raise the limit on open files (ulimit -n), or close some", how=healed,
         faults=Faults(limits={resource.RLIMIT_NOFILE: (10, 10)})),
    Case("a vocabulary that is damaged", "restore the file, or remove it: it is then made from the training text",
         words=["--max_steps", "2"], before=TRAINED + "; echo > out/vocab.json",
         how=in_shell("rm out/vocab.json")),
]
