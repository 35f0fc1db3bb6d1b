"""Files of weights whose tensors are not the model's, and files that are not whole."""
from deeds import TENSORS, TRAINED, in_shell, setting
from follow import Case

CHECKPOINT = "out/checkpoint_1.safetensors"
PLAIN = f"{TRAINED}; {TENSORS} {CHECKPOINT} whole plain"


def weights(name, hint, change, how, more=(), start=PLAIN):
    """A file `bad` made of the weights of a trained model, which `whole` has; `change`: of tensors.py, or a shell's line."""
    line = change if " > bad" in change else f"{TENSORS} whole bad {change}"
    return Case(name, hint, given=start, before=line, words=["--model_dir", "new", "--checkpoint_path", "bad", *more], how=how)


def another(to="whole"):
    return setting("runconfig.checkpoint_path", to)


# Checkpoints of Weft itself, with a correct checksum.
OWN = f"{TRAINED} --max_steps 2 --runconfig.checkpoint_steps 1"
SPARSE = ["--sparsity.sparsity", "0.5"]

CASES = [
    weights("an adapter's weights", "merge it into its model: merge_and_unload(), then save_pretrained",
            "call h.0.attn.c_attn.weight h.0.attn.c_attn.lora_A.weight", another()),
    weights("no tensors", "take the file that has the model's weights", r"printf '\x08\0\0\0\0\0\0\0{}      ' > bad", another()),
    weights("another model's weights", "take the weights of a GPT-2, GPT-J or LLaMA, under the names of transformers", "names bert_", another()),
    weights("a head of its own", "set model.share_embedding_weights false",
            "copy wte.weight lm_head.weight float lm_head.weight 0.5", setting("model.share_embedding_weights", "false")),
    weights("no head of its own", "set model.share_embedding_weights true, or take another file", "plain",
            setting("model.share_embedding_weights", "true"), more=["--model.share_embedding_weights", "false"]),
    weights("a weight that is too large", "take another file", "float wte.weight 3e6", another()),
    weights("whole numbers", "write it as F32, F16 or BF16", "type wte.weight I32",
            in_shell(f"{TENSORS} whole bad type wte.weight F16")),
    weights("a type of other programs", "write it as F32, F16 or BF16, or take another copy", "sed '1s/\"F32\"/\"F4\" /' whole > bad",
            in_shell(f"{TENSORS} whole bad type wte.weight F16")),
    weights("cut short", "take another copy; this is not a complete safetensors file", "head -c 2000 whole > bad", another()),
    Case("a pipe as a checkpoint", "move it away, or name one that is", given=PLAIN, before="mkfifo bad",
         words=["--model_dir", "new", "--checkpoint_path", "bad"], how=another()),
    Case("a checkpoint larger than memory", "name a smaller one, raise that limit", given=PLAIN, before="truncate -s 200G bad",
         words=["--model_dir", "new", "--checkpoint_path", "bad"], how=another()),
    Case("a diverged checkpoint", "take an earlier checkpoint",
         given=OWN, before=f"{TENSORS} out/checkpoint_2.safetensors bad float wte.weight nan",
         words=["--model_dir", "new", "--checkpoint_path", "bad"], how=another(CHECKPOINT)),
    Case("a mask of numbers", "write it as BOOL",
         given=f"{TRAINED} {' '.join(SPARSE)}", before=f"{TENSORS} {CHECKPOINT} bad type weft.mask.h.0.mlp.c_fc.weight I32",
         words=[*SPARSE, "--model_dir", "new", "--checkpoint_path", "bad"],
         how=in_shell(f"{TENSORS} bad good type weft.mask.h.0.mlp.c_fc.weight BOOL; mv good bad")),
]
