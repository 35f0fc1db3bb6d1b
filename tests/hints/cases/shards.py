"""Token shards, and what is taken for one."""
import struct

from deeds import TOKENIZER, TRAINED, both, in_shell, setting, shard, writing
from follow import Case

IDS = [n * n % 13 for n in range(400)]
BIG = [n * n % 60000 for n in range(400)]


def wide(ids, version=7):
    return struct.pack("<3i", 20240801, version, len(ids)) + bytes(4 * 253) + struct.pack(f"<{len(ids)}I", *ids)


def bare(ids, form="H", order="<"):
    return struct.pack(f"{order}{len(ids)}{form}", *ids)


def swapped(content):
    """Numbers of 32 bits in the header and of 16 behind it, in the other order of bytes."""
    return bytes(b for at in range(0, 1024, 4) for b in content[at:at + 4][::-1]) + bare(IDS, order=">")


def case(name, hint, content, good, *words, how=None, **more):
    """A shard that is wrong, and the one that its hint asks for."""
    return Case(name, hint, files={"c.bin": content, **more.pop("files", {})}, words=["--train_input.data_dir", "c.bin", *words],
                how=how or writing("c.bin", good), **more)


BARE = ["--train_input.shard_format", "nanogpt"]

SEVERAL = "WEFT tokenize words.txt --tokenizer t/tokenizer.json --out s --shard_tokens 500"

CASES = [
    case("a shard of an old version", "use shards of uint16 tokens (GPT-2)", shard(IDS, version=2), shard(IDS)),
    case("a wide shard of an old version", "use shards of uint32 tokens (Llama 3)", wide(IDS, 6), wide(IDS)),
    case("a shard in the other order", "write it little endian (numpy: '<i4' for the header, '<u2' or '<u4' for tokens)",
         swapped(shard(IDS)), shard(IDS)),
    case("tokens in the other order", "write it little endian (numpy: '<u2')", bare(IDS, order=">"), bare(IDS), *BARE),
    case("an array of NumPy", "write numpy.uint16 by .tofile()", b"\x93NUMPY\x01\x00" + bytes(120) + bare(IDS), bare(IDS), *BARE),
    case("bare tokens of 32 bits", "write numpy.uint16, or a header of llm.c (20240801, 7, number of tokens) and numpy.uint32",
         bare(IDS, "I"), bare(IDS), *BARE),
    case("bare tokens of 32 bits, and a header", "or a header of llm.c (20240801, 7, number of tokens) and numpy.uint32",
         bare(IDS, "I"), None, *BARE, how=both(writing("c.bin", wide(IDS)), setting("train_input.shard_format", "llm.c"))),
    case("bare tokens of 8 bits", "write numpy.uint16; name a text *.txt", bytes(IDS), bare(IDS), *BARE),
    case("a text as bare tokens", "write numpy.uint16; name a text *.txt", b"A text of letters. " * 40, None, *BARE,
         "--model.vocab_size", "50257", "--wafer.rows", "8", "--wafer.sram_kib", "128",
         how=both(in_shell("cp corpus.txt c.txt"), setting("train_input.data_dir", "c.txt"), setting("model.vocab_size", "14"))),
    case("GGUF as bare tokens", "give token shards; weft tokenize makes them of text", b"GGUF\x03\x00\x00\x00" + bare(IDS), None, *BARE,
         how=both(writing("c.bin", shard(IDS)), setting("train_input.shard_format", "llm.c"))),
    case("a large vocabulary in 16 bits", "write a header of llm.c (20240801, 7, number of tokens) and numpy.uint32",
         bare(BIG), None, *BARE, "--model.vocab_size", "70000", "--wafer.rows", "16", "--wafer.sram_kib", "128",
         how=both(writing("c.bin", wide(BIG)), setting("train_input.shard_format", "llm.c"))),
    case("wide tokens behind a narrow header", "write the header 20240801, 7 for it",
         shard(IDS)[:1024] + bare(IDS, "I"), wide(IDS)),
    case("a shard that is cut short", "write or fetch the shard again", shard(IDS)[:-100], shard(IDS)),
    case("numbers that are not tokens", "is this a token shard?", wide([2**31 - 1] * 400), wide(IDS)),
    case("an index of other tokens", "write it with a vocabulary of less than 65,500 tokens, or convert it to shards of llm.c",
         bare(IDS, "I"), None, *BARE,
         how=both(in_shell("rm c.idx"), writing("c.bin", shard(IDS)), setting("train_input.shard_format", "llm.c")),
         files={"c.idx": b"MMIDIDX\x00\x00" + struct.pack("<QBQQ", 1, 4, 1, 1) + bytes(100)}),
    case("shards without an end of documents", "set model.document_end, or train_input.vocab_file", shard(IDS), None,
         "--train_input.pad_documents", "true", how=setting("model.document_end", "0")),
    case("shards for a model of text", "give text, or remove that file if it is another model's", shard(IDS), None,
         "--max_steps", "2", before=TRAINED, how=setting("train_input.data_dir", "corpus.txt")),
    Case("a shard that is a pipe", "HINT: name a file", before="mkdir d; mkfifo d/a.bin", files={"c.bin": shard(IDS)},
         words=["--train_input.data_dir", "d"], how=setting("train_input.data_dir", "c.bin")),
    Case("text to train, shards to evaluate", "give text for both", files={"c.bin": shard(IDS)},
         words=["--mode", "train_and_eval", "--runconfig.eval_frequency", "1", "--eval_input.data_dir", "c.bin"],
         how=setting("eval_input.data_dir", "corpus.txt")),
    Case("shards to train, text to evaluate", "make shards of it with the same tokenizer",
         before=TOKENIZER + "; WEFT tokenize words.txt --tokenizer t/tokenizer.json --out c.bin",
         words=["--mode", "train_and_eval", "--runconfig.eval_frequency", "1", "--eval_input.data_dir", "words.txt",
                "--train_input.data_dir", "c.bin", "--model.vocab_size", "400"],
         how=both(in_shell("WEFT tokenize words.txt --tokenizer t/tokenizer.json --out e.bin"), setting("eval_input.data_dir", "e.bin"))),
    Case("shards that are not all there", "wait for weft tokenize to end, or start it again if it was stopped",
         before=f"{TOKENIZER}; {SEVERAL}; touch s.incomplete",
         words=["--train_input.data_dir", "s_*.bin", "--model.vocab_size", "400"],
         how=in_shell(SEVERAL)),
]
