"""Parameter files as YAML, and the paths that they name."""
from deeds import both, editing, in_shell, setting
from follow import PARAMS, Case

# Phases of a learning rate; the last one merges the others.
PHASES = """learning_rate:
    - &a {scheduler: Constant, learning_rate: 0.01, total_iters: 1}
    - &b {<<: *a, learning_rate: 0.02}
    - {<<: *b, learning_rate: 0.03}"""
TWICE, ONCE = "<<: *b", "<<: *a"
MANY = "<<: [" + ", ".join(["*a"] * 40_000) + "]"


def below_train_input(text):
    """A section that merges others, in front of the model's."""
    return [("train_input:\n", "train_input: &input\n"), ("  batch_size: 4\n  micro_batch_size: 2\n", "  batch_size: 4\n"),
            ("model:\n", text + "model:\n")]


def path(name, value, hint, how, **more):
    return Case(name, hint, words=["--train_input.data_dir", value], how=how, **more)


CASES = [
    Case("a key that is a list", "HINT: write key: value", edits=[("wafer:\n", "wafer:\n  [rows, cols]: 2\n")],
         how=editing("[rows, cols]: 2", "lanes: 2")),
    Case("a merge of a word", "name an anchor: <<: *anchor", edits=below_train_input("eval_input:\n  <<: input\n"),
         how=editing("<<: input", "<<: *input")),
    Case("a merge in a merge", "HINT: merge once", edits=[("learning_rate: 0.01", PHASES)], how=editing(TWICE, ONCE)),
    Case("more keys than a file may merge", "write out those that are meant",
         edits=[("learning_rate: 0.01", PHASES.replace(TWICE, MANY))], how=editing(MANY, ONCE)),
    Case("no section", 'start with a section, e.g. "model:"', edits=[(PARAMS, "learning_rate")],
         how=editing("learning_rate", PARAMS)),
    path("a home of nobody", "~nobody-of-weft/corpus.txt", "or ./~nobody-of-weft for a folder of that name",
         setting("train_input.data_dir", "./~nobody-of-weft/corpus.txt"),
         before="mkdir ./~nobody-of-weft; cp corpus.txt ./~nobody-of-weft"),
    path("a variable that is not set", "$WEFT_TEXTS/corpus.txt", "set it, write the path without it, or $$ for a dollar sign",
         lambda run, hint: run.env.update(WEFT_TEXTS=".")),
    path("a variable with a default", "${TEXTS:-.}/corpus.txt", "write $NAME or ${NAME} of a variable that is set",
         setting("train_input.data_dir", "${TEXTS}/corpus.txt"), env={"TEXTS": "."}),
    path("a dollar sign", "$TEXTS/corpus.txt", "set it, write the path without it, or $$ for a dollar sign",
         setting("train_input.data_dir", "$$TEXTS/corpus.txt"), before="mkdir '$TEXTS'; cp corpus.txt '$TEXTS'"),
    Case("a path with NUL", "HINT: remove it", edits=[("corpus.txt", '"corpus.txt\\0"')], how=editing("\\0", "")),
    path("a path in Latin-1", "\udce9/corpus.txt", "rename it, or give a link to it whose whole path is UTF-8",
         both(in_shell("ln -s $'\\xe9' e"), setting("train_input.data_dir", "e/corpus.txt")),
         before="mkdir $'\\xe9'; cp corpus.txt $'\\xe9'"),
]
