"""Commands, their flags and the files that they write."""
import resource

from deeds import TOKENIZER, TRAINED, both, editing, in_shell, key, words
from faults import Faults
from follow import Case, corpus

HERE = ["--params", "mine.yaml", "--model_dir", "out"]
TOKENIZE = ["corpus.txt", "--tokenizer", "t/tokenizer.json", "--out", "new.bin"]
LARGE = 12 << 20  # bytes
FOUR_TIMES = [("filter_size: 16", "filter_size: 32")]  # hidden_size, as llm.c has
# A vocabulary whose token ids need more than 16 bits.
WIDE = """python3 - <<'END'
import json
made = json.load(open("t/tokenizer.json"))
made["model"]["vocab"].update({f"more{i}": len(made["model"]["vocab"]) + i for i in range(70000)})
json.dump(made, open("wide.json", "w"))
END"""


def command(name, *given, hint, to, before="true", **more):
    """A command and its words, and those that its hint asks for."""
    return Case(name, hint, command=[given[0]], words=list(given[1:]), how=words(*to), before=before, **more)


def export(name, *given, hint, to, **more):
    return command(name, "export", *given, hint=hint, to=to, before=TRAINED, **more)


def tokenize(name, *given, hint, to, before="true", **more):
    return command(name, "tokenize", *given, hint=hint, to=to, before=f"{TOKENIZER}; {before}", **more)


def unlimited(run, hint):
    run.faults = Faults()


CASES = [
    Case("measure", "use it with --mode compile_only", words=["--measure"], how=words("--measure", "--mode", "compile_only")),
    key("clock", "0", "use it with --mode compile_only", how=words("--mode", "compile_only", "--clock", "50")),
    Case("no clock", "give the million cycles per second", words=["--mode", "compile_only", "--clock", "0"],
         how=words("--mode", "compile_only", "--clock", "50")),
    key("logits", "l.jsonl", "leave it out, or use --mode eval"),
    key("logits", "", "write its name", how=words()),
    Case("json", "metrics.jsonl in --model_dir has an object for each step", words=["--json"], how=words()),
    Case("json of generation", "use it with --mode eval or compile_only", words=["--json", "--mode", "generate", "--prompt", "a"],
         how=words("--json", "--mode", "compile_only")),
    Case("measure and json", "leave one out", words=["--mode", "compile_only", "--measure", "--json"],
         how=words("--mode", "compile_only", "--json")),
    Case("a board's size without a board", "HINT: write a number", command=["configs"], words=["mine.yaml"],
         edits=[("  rows: 2\n", "  rows: auto\n  backend: fpga\n")], how=editing("rows: auto", "rows: 2")),
    Case("an output that is full", "make room, or send it elsewhere", command=["configs"], words=["."], how=unlimited,
         faults=Faults(stdout="/dev/full")),
    command("configs of nothing", "configs", "d", hint="name a folder of *.yaml", to=["."], before="mkdir d"),
    Case("a program without its configs", "name one: weft configs DIR", command=["configs"], program="alone/weft",
         before="mkdir alone; cp WEFT alone", how=words(".")),
    Case("a program without weft-inspect", "make inspect builds it", command=["waves"], program="weft", before="cp WEFT .",
         words=[*HERE, "--phase", "embedding", "--out", "w.fst"], how=in_shell("ln -s $(dirname WEFT)/weft-inspect .")),
    Case("a traced run without weft-inspect", "make inspect builds it", program="weft", before="cp WEFT .",
         words=["--backend", "rtl", "--trace.phase", "embedding", "--trace.out", "w.fst"],
         how=in_shell("ln -s $(dirname WEFT)/weft-inspect .")),
    Case("a slow line to no board", "leave it out: boards are built for 2000000", command=["board"], steps=2,
         words=["--device", "", "--baud", "5"], how=lambda run, hint: run.words.__setitem__(
             slice(None), ["--device", "emulated"] if hint.startswith("name one, e.g. /dev/ttyUSB0") else ["--device", ""])),
    command("debug of nothing", "debug", hint="name a core dump, or --params FILE and --phase NAME",
            to=["--params", "mine.yaml", "--phase", "embedding"]),
    command("debug of two things", "debug", "x.weftcore", "--params", "mine.yaml",
            hint="leave --params and all keys out; or leave the core dump out, and name a --phase",
            to=["--params", "mine.yaml", "--phase", "embedding"]),
    Case("a plan over a folder", "name a file in it", before="mkdir d", words=["--mode", "compile_only", "--save", "d"],
         how=words("--mode", "compile_only", "--save", "d/plan")),
    Case("a plan in no folder", "make its folder, or name a place where you may write", how=in_shell("mkdir d"),
         words=["--mode", "compile_only", "--save", "d/plan"]),
    export("export to nothing", *HERE, hint="write --to hf DIR, or --to llmc FILE", to=["--to", "hf", "hf", *HERE]),
    export("export over a file", "--to", "llmc", "corpus.txt", *HERE, hint="name another", to=["--to", "llmc", "new.bin", *HERE],
           edits=FOUR_TIMES),
    export("export to no place", "--to", "hf", *HERE, hint="write --to hf PATH", to=["--to", "hf", "PATH", *HERE]),
    export("export of other numbers", "--to", "hf", "hf", "--dtype", "fp8", *HERE, hint="use one of these",
           to=["--to", "hf", "hf", "--dtype", "fp16", *HERE]),
    export("export of fp16 to llm.c", "--to", "llmc", "o.bin", "--dtype", "fp16", *HERE, hint="use fp32 or bf16",
           edits=FOUR_TIMES,
           to=["--to", "llmc", "o.bin", "--dtype", "bf16", *HERE]),
    export("export of nothing", "--to", "hf", "hf", hint="name the folder of a run, --model_dir DIR",
           to=["--to", "hf", "hf", "--model_dir", "out"]),
    export("export of a folder of no run", "--to", "hf", "hf", "--model_dir", ".",
           hint="name the parameter file of the run, or the folder of another run", to=["--to", "hf", "hf", "--model_dir", "out"]),
    tokenize("tokenize by nothing", "corpus.txt", "--out", "new.bin", hint="name a vocab.json or a tokenizer.json", to=TOKENIZE),
    tokenize("tokenize by no thread", *TOKENIZE, "--threads", "0", hint="leave it out for all cores", to=TOKENIZE),
    tokenize("tokenize over a text", *TOKENIZE[:-1], "words.txt", hint="name another file, --out OUT.bin, or move it away",
             to=TOKENIZE),
    tokenize("an end that is none", *TOKENIZE, "--eot", "<end>", hint="name one that is, or none", to=[*TOKENIZE, "--eot", "none"]),
    tokenize("folders for files", "d*", *TOKENIZE[1:], hint="write a pattern of files, as DIR/*.txt", to=["d/*.txt", *TOKENIZE[1:]],
             before="mkdir d; cp corpus.txt d"),
    tokenize("wide tokens without a header", "corpus.txt", "--tokenizer", "wide.json", "--out", "new.bin", "--headerless",
             hint="leave it out: a header declares 32 bits per token", before=WIDE,
             to=["corpus.txt", "--tokenizer", "wide.json", "--out", "new.bin"]),
    Case("a large text in little memory", "cut the text into smaller documents or files, use fewer threads", command=["tokenize"], before=TOKENIZER,
         files={"large.txt": corpus() * (LARGE // 2000)}, words=["large.txt", *TOKENIZE[1:], "--threads", "1"],
         how=both(in_shell("head -c 100000 large.txt > cut.txt"), words("cut.txt", *TOKENIZE[1:], "--threads", "1")),
         faults=Faults(limits={resource.RLIMIT_DATA: 32 << 20})),
    command("tokens of nothing", "detokenize", "none.bin", "--tokenizer", "t/tokenizer.json",
            hint="check that it exists and that you may read it", to=["new.bin", "--tokenizer", "t/tokenizer.json"],
            before=f"{TOKENIZER}; WEFT tokenize {' '.join(TOKENIZE)}"),
    command("tokens of another tokenizer", "detokenize", "new.bin", "--tokenizer", "less/tokenizer.json",
            hint="give the tokenizer that made the shard", to=["new.bin", "--tokenizer", "t/tokenizer.json"],
            before=f"{TOKENIZER}; WEFT tokenize {' '.join(TOKENIZE)}; WEFT tokenizer train words.txt --vocab_size 260 --out less"),
    Case("tokenizer of nothing", "write weft tokenizer train IN --vocab_size N --out DIR", command=["tokenizer"], words=["make"],
         how=words("train", "corpus.txt", "--vocab_size", "300", "--out", "t")),
    command("a tokenizer in no folder", "tokenizer", "train", "corpus.txt", "--vocab_size", "300", "--out", "/proc/t",
            hint="name another folder: --out DIR", to=["train", "corpus.txt", "--vocab_size", "300", "--out", "t"]),
    command("a tokenizer of millions", "tokenizer", "train", "corpus.txt", "--vocab_size", "20000000", "--out", "t",
            hint="use 327675 or less", to=["train", "corpus.txt", "--vocab_size", "327675", "--out", "t"]),
]
