"""Commands, their flags and their folders."""
from deeds import TOKENIZER, TRAINED, key, words
from follow import Case

CASES = [
    Case("measure", "use it with --mode compile_only", words=["--measure"], how=words("--measure", "--mode", "compile_only")),
    key("clock", "0", "use it with --mode compile_only", how=words("--mode", "compile_only", "--clock", "50")),
    Case("no clock", "write how many million cycles a second has", words=["--mode", "compile_only", "--clock", "0"],
         how=words("--mode", "compile_only", "--clock", "50")),
    key("logits", "l.jsonl", "leave it out, or use --mode eval"),
    key("logits", "", "write its name", how=words()),
    Case("json", "metrics.jsonl in --model_dir has an object for each step", words=["--json"], how=words()),
    Case("measure and json", "leave one out", words=["--mode", "compile_only", "--measure", "--json"],
         how=words("--mode", "compile_only", "--json")),
    Case("status of nothing", "name the run's folder: weft status --model_dir DIR", command=["status"], before=TRAINED,
         how=words("--model_dir", "out")),
    Case("status of another folder", "name the runconfig.model_dir of a run", command=["status"], words=["--model_dir", "d"],
         before=TRAINED + "; mkdir d", how=words("--model_dir", "out")),
    Case("configs of nothing", "name a folder of *.yaml", command=["configs"], words=["d"], before="mkdir d", how=words(".")),
    Case("tokenize by nothing", "name a vocab.json or a tokenizer.json", command=["tokenize"], words=["corpus.txt", "--out", "new.bin"],
         before=TOKENIZER,
         how=words("corpus.txt", "--tokenizer", "t/tokenizer.json", "--out", "new.bin")),
    Case("tokenizer of nothing", "write weft tokenizer train IN --vocab_size N --out DIR", command=["tokenizer"], words=["make"],
         how=words("train", "corpus.txt", "--vocab_size", "300", "--out", "t")),
]
