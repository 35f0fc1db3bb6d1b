"""Tokenizers: their files, and what they cannot do."""
import json
import struct

from deeds import TOKENIZER, TRAINED, both, in_shell, setting, shard, words, writing
from follow import Case, corpus

IDS = [n * n % 13 for n in range(400)]
BYTES = ["--train_input.vocab_file", "t/tokenizer.json", "--train_input.tokenizer", "bpe", "--model.vocab_size", "400"]
WORDPIECE = json.dumps({"model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1}}, "pre_tokenizer": {"type": "BertPreTokenizer"}})
# Edits of t/tokenizer.json, written to wrong.json.
EDIT = "python3 -c \"import json; d = json.load(open('t/tokenizer.json')); {}; json.dump(d, open('wrong.json', 'w'))\""

PATTERN = ("d['pre_tokenizer'] = dict(type='Sequence', pretokenizers=[dict(type='Split', pattern=dict(Regex='{}'), "
           "behavior='Isolated', invert=False), dict(type='ByteLevel', add_prefix_space=False, use_regex=False)])")


def field(number, content):
    """A field of protobuf: bytes, a number or a float."""
    if isinstance(content, bytes):
        return bytes([number << 3 | 2, len(content)]) + content
    return bytes([number << 3 | 5]) + struct.pack("<f", content) if isinstance(content, float) else bytes([number << 3, content])


def piece(text, score, kind=1):
    return field(1, field(1, text.encode()) + field(2, score) + field(3, kind))


# A SentencePiece model (unigrams) with the letters of the corpus.
LETTERS = piece("<unk>", 0.0, 2) + b"".join(piece(letter, -1.0) for letter in "\u2581abcdefghijklm") + field(2, field(3, 1))


def tokenize(name, hint, tokenizer, how, *more, before="true", **other):
    return Case(name, hint, command=["tokenize"], words=["words.txt", "--tokenizer", tokenizer, "--out", "new.bin", *more], how=how,
                before=f"{TOKENIZER}; {before}", **other)


def by(tokenizer, *more):
    return words("words.txt", "--tokenizer", tokenizer, "--out", "new.bin", *more)


def wrong(name, hint, edit, how=None, **more):
    """A tokenizer.json that is edited, and the right one."""
    return tokenize(name, hint, "wrong.json", how or in_shell("cp t/tokenizer.json wrong.json"), before=EDIT.format(edit), **more)


SAVED = f"{TOKENIZER}; {TRAINED} --train_input.data_dir words.txt {' '.join(BYTES)}"
HUGE = EDIT.format("v = d['model']['vocab']; v.update({f'more{n}': len(v) + n for n in range(328000)})")
FOLDER = f"{TRAINED}; WEFT export --to hf hf --params mine.yaml --model_dir out; rm -r out"
SHARDED = both(writing("c.bin", shard(IDS)), setting("train_input.data_dir", "c.bin"))
SHARDS = both(writing("c.bin", shard(IDS)), words("--train_input.data_dir", "c.bin"))

CASES = [
    tokenize("an empty vocabulary", "a vocab.json is a JSON object of tokens and their ids, a tokenizer.json has its merges as well: fetch it again",
             "empty.json", in_shell("cp t/tokenizer.json empty.json"), before="touch empty.json"),
    tokenize("an empty model of pieces", "fetch the *.model again", "p.model", writing("p.model", LETTERS), files={"p.model": ""}),
    tokenize("a damaged model of pieces", "fetch the *.model again", "p.model", writing("p.model", LETTERS), files={"p.model": LETTERS[:40]}),
    tokenize("merges of a model of pieces", "leave out m.txt", "p.model", by("p.model"), "--merges", "m.txt",
             files={"p.model": LETTERS, "m.txt": "a b\n"}),
    tokenize("merges of a tokenizer.json", "leave out t/merges.txt, or give its vocab.json", "t/tokenizer.json",
             by("t/vocab.json", "--merges", "t/merges.txt"), "--merges", "t/merges.txt"),
    tokenize("a vocabulary of tiktoken of no known model", "fetch the file again, or give the tokenizer.json of the same model", "v.tiktoken",
             by("t/tokenizer.json"), files={"v.tiktoken": "IQ== 0\nIg== 1\n"}),
    tokenize("a folder without a tokenizer", "name a folder that has one, or the file itself", "d", by("t"), before="mkdir d"),
    tokenize("merges of a folder", "leave out t/merges.txt, or name the vocab.json", "t", by("t"), "--merges", "t/merges.txt"),
    tokenize("merges and vocabulary exchanged", "exchange the two: t/vocab.json is the vocabulary, t/merges.txt its merges", "t/merges.txt",
             by("t/vocab.json", "--merges", "t/merges.txt"), "--merges", "t/vocab.json"),
    tokenize("merges alone as a tokenizer", "give the vocab.json or encoder.json next to it as the vocabulary, and t/merges.txt as its merges",
             "t/merges.txt", by("t/vocab.json", "--merges", "t/merges.txt")),
    tokenize("a tokenizer.json that is cut short", "fetch or write the file again", "wrong.json",
             in_shell("cp t/tokenizer.json wrong.json"), before="head -c -9 t/tokenizer.json > wrong.json"),
    tokenize("a vocab.json of a list", "fetch the files again, both from one tokenizer", "v.json",
             in_shell("cp t/vocab.json v.json"), "--merges", "t/merges.txt", files={"v.json": "[1, 2]"}),
    wrong("a pattern that is none", "fetch the tokenizer again", PATTERN.format("(a")),
    tokenize("a pattern that is too much for a text", "cut it into smaller documents", "wrong.json", writing("words.txt", "a" * 9),
             before=EDIT.format(PATTERN.format("(a+)+[bc]")) + "; printf 'a%.0s' {1..60} > words.txt"),
    wrong("a vocabulary with a hole", "number the tokens 0, 1, 2, ..., or fetch the file again", "d['model']['vocab']['hole'] = 1 << 28"),
    wrong("merges of another vocabulary", "fetch the files again, both from one tokenizer", "d['model']['merges'].append('z q')"),
    wrong("a vocabulary without a letter", "use a vocabulary that has all 256 bytes", "del d['model']['vocab']['\u00c3']",
          files={"corpus.txt": corpus() + "\u00e9"}),
    tokenize("a tokenizer of words", "tokenize with the tokenizer's own program, and train on its shards", "w.json",
             both(SHARDS, lambda run, hint: run.base.__setitem__(slice(None), ["run", "--params", "mine.yaml", "--model_dir", "out"])),
             files={"w.json": WORDPIECE}),
    Case("pieces of no model", "HINT: name a *.model", files={"p.model": LETTERS}, words=["--train_input.tokenizer", "sentencepiece", "--model.vocab_size", "15"],
         how=setting("train_input.vocab_file", "p.model")),
    Case("merges of no vocabulary", "HINT: set train_input.vocab_file", before=TOKENIZER,
         words=["--train_input.data_dir", "words.txt", "--train_input.tokenizer", "bpe", "--train_input.merges_file", "t/merges.txt",
                "--model.vocab_size", "400"], how=setting("train_input.vocab_file", "t/vocab.json")),
    Case("another vocabulary than before", "leave it out, or use another model_dir",
         before=f"{SAVED}; WEFT tokenizer train words.txt --vocab_size 280 --out other",
         words=["--train_input.data_dir", "words.txt", *BYTES[2:], "--train_input.vocab_file", "other/tokenizer.json", "--max_steps", "2"]),
    Case("text for the weights of another tokenizer", "make token shards of the text with that tokenizer",
         before=f"{FOLDER}; cp w.json hf/tokenizer.json", files={"w.json": WORDPIECE}, words=["--checkpoint_path", "hf"], how=SHARDED),
    Case("text for weights whose tokenizer has other settings", "make token shards of the text with that tokenizer",
         before=f"{TOKENIZER}; {FOLDER}; cp t/tokenizer.json hf; echo [ > hf/tokenizer_config.json", words=["--checkpoint_path", "hf"],
         how=SHARDED),
    Case("a tokenizer next to weights that is damaged", "HINT: take another copy",
         before=f"{FOLDER}; cp hf/tokenizer.json copy; echo {{}} > hf/tokenizer.json", words=["--checkpoint_path", "hf"],
         how=in_shell("cp copy hf/tokenizer.json")),
    Case("a huge vocabulary", "use a smaller vocabulary", before=f"{TOKENIZER}; {HUGE}",
         words=["--train_input.data_dir", "words.txt", "--train_input.vocab_file", "wrong.json", *BYTES[2:]],
         how=setting("train_input.vocab_file", "t/tokenizer.json")),
]
