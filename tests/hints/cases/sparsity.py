"""Keys of sparsity."""
from deeds import TRAINED, setting
from follow import Case

MOVES = ["--sparsity.algorithm", "set", "--sparsity.sparsity", "0.5", "--max_steps", "4",
         "--sparsity.update_freq", "1", "--sparsity.update_start", "1", "--sparsity.update_stop", "3"]


def moved(key, value, *more):
    """Masks that are updated, with another value of a key."""
    words = list(MOVES)
    at = words.index(f"--sparsity.{key}") if f"--sparsity.{key}" in words else len(words)
    words[at:at + 2] = [f"--sparsity.{key}", value]
    return words + list(more)


CASES = [
    Case("sparsity without a share", "add it, e.g. 0.9; without the section nothing is sparse",
         words=["--sparsity.init_method", "random"], how=setting("sparsity.sparsity", "0.9")),
    Case("updates of static sparsity", "leave it out, or choose another sparsity.algorithm",
         words=["--sparsity.sparsity", "0.5", "--sparsity.drop_fraction", "0.4"]),
    Case("updates of no share", "write a share above 0, e.g. 0.9", words=moved("sparsity", "0"),
         how=setting("sparsity.sparsity", "0.9")),
    Case("updates that end first", "let updates end after they begin", words=moved("update_stop", "1"),
         how=setting("sparsity.update_stop", "2")),
    Case("rare updates", "HINT: use at most 2", words=moved("update_freq", "3"), how=setting("sparsity.update_freq", "2")),
    Case("pruning that grows", "begin with more weights than the run ends with",
         words=moved("algorithm", "gmp", "--sparsity.initial_sparsity", "0.5"), how=setting("sparsity.initial_sparsity", "0.2")),
    Case("a share and a checkpoint's", "leave it out, or choose another sparsity.init_method",
         before=TRAINED + " --sparsity.sparsity 0.5; mv out from",
         words=["--sparsity.init_method", "checkpoint", "--sparsity.sparsity", "0.5", "--checkpoint_path",
                "from/checkpoint_1.safetensors"]),
    Case("pruning a checkpoint's zeros", "choose another sparsity.init_method, or set or rigl",
         before=TRAINED + " --sparsity.sparsity 0.5; mv out from",
         words=[w for w in moved("algorithm", "gmp", "--sparsity.init_method", "checkpoint", "--checkpoint_path",
                                 "from/checkpoint_1.safetensors") if w not in ("--sparsity.sparsity", "0.5")],
         how=setting("sparsity.algorithm", "rigl")),
]
