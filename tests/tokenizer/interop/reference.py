"""Weft's tokenizers in the package `tokenizers`, and the shards of `weft tokenize` to compare with."""

import array
import os
import subprocess

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # one core, as processor time is compared

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers  # noqa: E402

END = "<|endoftext|>"
# Splitting patterns of GPT-4 and Llama 3, and of GPT-4o.
PATTERNS = {
    "gpt4": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    "gpt4o": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}


def gpt2(vocab, merges):
    tokenizer = Tokenizer(models.BPE.from_file(vocab, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([END])
    return tokenizer


def with_pattern(vocab, merges, pattern):
    """Also with tokens that are added, and words that are taken whole."""
    tokenizer = gpt2(vocab, merges)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.add_tokens(["Copyright", "    ", " include"])
    tokenizer.model.ignore_merges = True
    return tokenizer


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return file.read()


def documents(folder):
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def ids_of(tokenizer, path):
    return array.array("H", tokenizer.encode_batch_fast([read(path)], add_special_tokens=False)[0].ids)


def tokenize(weft, source, out, files, *more):
    """`files`: --tokenizer and --merges. Returns the tokens of the shard."""
    subprocess.run([weft, "tokenize", source, "--out", out, "--quiet", *files, *more], check=True, stdout=subprocess.DEVNULL)
    with open(out, "rb") as file:
        file.seek(1024)
        return array.array("H", file.read())


def same(tokenizer, weft, folder, out, files):
    """Compares all documents of `folder`, each with the token that ends it. Returns the number of tokens."""
    ours, at = tokenize(weft, folder, out, files), 0
    end = tokenizer.token_to_id(END)
    for path in documents(folder):
        theirs = ids_of(tokenizer, path)
        theirs.append(end)
        if ours[at : at + len(theirs)] != theirs:
            first = next(i for i, id in enumerate(theirs) if ours[at + i : at + i + 1] != array.array("H", [id]))
            near = slice(max(0, first - 4), first + 4)
            raise SystemExit(
                f"{path}: token {first} differs: {[tokenizer.id_to_token(i) for i in theirs[near]]}, "
                f"ours {[tokenizer.id_to_token(i) for i in ours[at:][near]]}"
            )
        at += len(theirs)
    if at != len(ours):
        raise SystemExit(f"{out}: {len(ours)} tokens, {at} expected")
    return at
