"""Values of keys that do not fit one another."""
from deeds import TOKENIZER, TRAINED, key, setting, words
from follow import Case

LONG = "h.*.mlp.c_fc.weight" + "*" * 256
MANY = "[" + ", ".join(f"h.{i}.mlp.c_fc.weight" for i in range(300)) + "]"
CHECK = ["--mode", "validate_only"]
GROUPS = ["--wafer.row_groups", "2", "--wafer.valves", "2"]
WITHOUT_16_LANES = '"$1" --version | grep -q "RTL of .*16" && exit 77'

CASES = [
    Case("help of a command", "see weft status --help", command=["status"], words=["--zzzzzzzz", "1"], how=words("--help")),
    Case("no address", "name a board's, ADDRESS or ADDRESS:PORT; without the flag wafers are simulated here",
         words=["--cs_ip", ""], how=words()),
    Case("two addresses", "leave one of them out", words=["--cs_ip", "10.0.0.1", "--fpga.device", "/dev/ttyUSB0", *CHECK],
         how=words("--cs_ip", "10.0.0.1", *CHECK)),
    Case("an address of no board", "leave one of them out", words=["--cs_ip", "10.0.0.1", "--backend", "model", *CHECK],
         how=words("--backend", "model", *CHECK)),
    Case("two boards", 'name one for each, e.g. "[/dev/ttyUSB0, /dev/ttyUSB1]"',
         words=["--backend", "fpga", "--num_csx", "2", "--fpga.device", "/dev/ttyUSB0", *CHECK],
         how=setting("fpga.device", "[/dev/ttyUSB0, /dev/ttyUSB1]")),
    key("wafer.rows", "auto", "write a number, or use wafer.backend fpga", how=setting("wafer.rows", "2")),
    Case("lanes that are not built", "make build LANES=16, or use wafer.backend model",
         words=["--backend", "rtl", "--wafer.lanes", "16"], how=setting("wafer.backend", "model"), wrap=WITHOUT_16_LANES),
    Case("a data set of no name", "name a text, a token shard or a folder", before="cp corpus.txt b.txt",
         words=["--train_input.more_data_dirs", '[""]'], how=setting("train_input.more_data_dirs", "[b.txt]")),
    Case("a data set of no weight", "use a number above 0, or leave that data set out", before="cp corpus.txt b.txt",
         words=["--train_input.more_data_dirs", "[b.txt]", "--train_input.weights", "[1, 0]"],
         how=setting("train_input.weights", "[1, 0.5]")),
    Case("too many micro-batches", "use batch_size 2048, or larger micro-batches",
         words=["--train_input.batch_size", "4096", "--train_input.micro_batch_size", "1", *CHECK],
         how=setting("train_input.batch_size", "2048")),
    key("wafer.row_groups", "4", "use 1, or make wafer.rows a multiple of 4", how=setting("wafer.row_groups", "1")),
    Case("groups of rows that depend on valves", "use wafer.valves auto, or a number of groups",
         words=["--wafer.row_groups", "auto", "--wafer.valves", "1", *CHECK], how=setting("wafer.valves", "auto")),
    Case("a batch that nothing divides", "use a smaller train_input.batch_size",
         words=["--train_input.batch_size", "8191", "--train_input.micro_batch_size", "auto", *CHECK],
         how=setting("train_input.batch_size", "8")),
    Case("a trace of groups of rows", "use weft waves, which shows one group, or --wafer.row_groups 1",
         words=[*GROUPS, "--backend", "rtl", "--trace.phase", "h.0.mlp.c_fc"], how=setting("wafer.row_groups", "1")),
    Case("logits of groups of rows", "use --wafer.row_groups 1", before=TRAINED,
         words=[*GROUPS, "--mode", "eval", "--eval_input.data_dir", "corpus.txt", "--logits", "l.bin"],
         how=setting("wafer.row_groups", "1")),
    key("optimizer.no_decay_params", "zzzzzzzzzz", "use patterns such as ",
        how=lambda run, hint: run.set("optimizer.no_decay_params", hint.partition("such as ")[2].split(", ")[0])),
    key("optimizer.no_decay_params", LONG, "use names of tensors, e.g. h.*.mlp.c_fc.weight",
        how=setting("optimizer.no_decay_params", "h.*.mlp.c_fc.weight")),
    Case("many patterns", "use patterns that match more", words=["--optimizer.no_decay_params", MANY],
         how=setting("optimizer.no_decay_params", "h.*.mlp.c_fc.weight")),
    Case("a word for a number", "HINT: write digits", command=["tokenize"], before=TOKENIZER,
         words=["corpus.txt", "--tokenizer", "t/tokenizer.json", "--out", "o.bin", "--threads", "two"],
         how=words("corpus.txt", "--tokenizer", "t/tokenizer.json", "--out", "o.bin", "--threads", "2")),
    Case("a clock of 20 digits", "HINT: use at most 1000000000000", words=["--mode", "compile_only", "--clock", "9" * 20],
         how=words("--mode", "compile_only", "--clock", "1000000000000")),
]
