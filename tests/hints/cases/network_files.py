"""Network files that are not read, or describe no network: sw/network. The network of third.hpp is changed, and mended."""
import pathlib
import re

from deeds import in_file
from follow import Case

ROOT = pathlib.Path(__file__).resolve().parents[3]
THIRD = re.search(r'R"\(\n(.*)\)"', (ROOT / "tests/network/third.hpp").read_text(), re.DOTALL).group(1)
GPTJ = (ROOT / "sw/network/gptj.yaml").read_text()
RULES = [p.read_text() for p in sorted((ROOT / "sw/network/operations").glob("*.cpp"))]
FUNCTIONS = sorted(p.stem for p in (ROOT / "sw/kernels/elementwise").glob("*.s") if p.stem != "features")
KINDS = [word for text in sorted(RULES, key=lambda text: int((re.search(r"\.listed = (\d+)", text) or [0, "100"])[1]))
         for name in re.findall(r'\.name = "(\w+)"', text)[:1] for word in (FUNCTIONS if name == "elementwise" else [name])]
DOWN = "      - {linear: down, in: g, add: x, out: x}\n"


def changed(text, *changes):
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


MIDDLE = changed(THIRD, ("keep: [x", "keep: [x, y"), ("    down.w", "    mid.weight: {shape: [hidden, hidden], normal: 0.1}\n    down.w"))
MID = "      - {linear: mid, in: y, add: y, out: x}\n"


def network(hint, wrong, mend, text=THIRD, more=()):
    """`wrong`, `mend`: (old, new), or several, of the network's file."""
    wrong, mend = ([pair] if pair and isinstance(pair[0], str) else pair for pair in (wrong, mend))
    return Case(f"network {hint}: {mend[0][0].strip()[:50]}", hint, words=["--model.network", "net.yaml", *more],
                files={"net.yaml": changed(text, *wrong)}, how=in_file("net.yaml", *mend))


def back(hint, old, new, **more):
    """A mistake in one place, and the hint says what stood there."""
    return network(hint, (old, new), (new, old), **more)


# A network with a loss of classes before that of tokens, and one whose only loss it is.
CLASSES = changed(THIRD, ("operations:", "  classes.weight: {shape: [class, hidden], normal: 0.1}\noperations:"),
                  ("  - {loss: loss", "  - {linear: classes, in: x, out: scores}\n  - {class_loss: classes, in: scores}\n  - {loss: loss"))
NO_TOKENS = changed(re.sub(r"  head\..*\n|  - {linear: head.*\n|  - {loss.*\n", "", CLASSES))
TWO_CLASSES = ["--model.num_classes", "2", "--mode", "compile_only"]

GPTJ_SIZES = ["--model.rotary_dim", "4", "--model.share_embedding_weights", "false"]

# A network with a function of its own, which is its input.
OWN = changed(THIRD, ("{gelu: act", "{same: act"), ("operations:", """kernels: |
  .kernel same x=r1 y=r2 count=r3
    whole_columns r8
    ld    r4, count, 0
    beq   r4, r0, same_done
    csrw  REP, r4
    li    r6, bf16(1)
    li    r5, T
    csrw  STD, r5
    vf.fma M[y], M[x], S[r6], Z
  same_done:
    halt
  .kernel same_back dy=r2
    halt
operations:"""))
OTHER_BACK = "  .kernel other_back dy=r2\n    halt\n"

READ = [
    back("use network, tensors, kernels, operations, keep", "keep:", "keeps:"),
    back("use hidden, filter, vocab, head, position, segment, kv_head, class, or a number of one of them", "[vocab, hidden], n", "[vocab, wide], n"),
    back("write one, as 0.02", "normal: 0.1}", "normal: much}"),
    back("write one of them", "residual: true", "residual: maybe"),
    back("write one word", "network: third", "network:"),
    back("write key: value", "up.bias: {shape: [filter], value: 0}", "up.bias: [filter]"),
    back("write name: {shape: [hidden], value: 1}", THIRD[THIRD.index("  block:\n"):THIRD.index("  head.w")], "  block: up\n"),
    back("write shape: [hidden]", "shape: [filter]", "shape: filter"),
    back("write - {linear: name, in: x, out: y}", THIRD[THIRD.index("  - block:"):THIRD.index("  - {linear: head")],
         "  - block: up\n"),
    back("use one or two", "shape: [filter]", "shape: []"),
    back("use letters, digits, _ and ., 200 at most", "network: third", "network: the third"),
    back("check indentation, quotes and brackets", "keep: [x, u]", "keep: [x, u"),
    back(f"begin with {', '.join(KINDS[:-1])} or {KINDS[-1]}", "{gelu: act, in: u", "{in: u"),
    back("write 0 or more", "normal: 0.1}", "normal: -0.1}"),
    network("leave one of them", ("normal: 0.1}", "normal: 0.1, value: 1}"), (", value: 1}", "}")),
    network("leave one of them", ("keep: [x, u]", "keep: [x, u]\nkeep: [x]"), ("\nkeep: [x]", "")),
    network("give it another name", [("  wpe.weight: {", "  weft.wpe: {"), ("positions: wpe.weight", "positions: weft.wpe")],
            [("  weft.wpe: {", "  places: {"), ("positions: weft.wpe", "positions: places")]),
    network("keep one, remove the --- or the text before it", ("keep: [x, u]", "keep: [x, u]\n---\nnetwork: other"),
            ("\n---\nnetwork: other", "")),
    network("write the value without it", ("keep: [x", "keep: !mine [x"), ("!mine ", "")),
    back("use x, x2, y, hi, lo, count", "same x=r1", "same z=r5 x=r1", text=OWN),
    back("add y=r1", "y=r2 count", "count", text=OWN),
    back("add x=r1", "same x=r1", "same", text=OWN),
    back("add hi=r1 and lo=r2", "count=r3", "count=r3 hi=r4", text=OWN),
    network("declare the kernel of its name without _back, too", ("  .kernel same_back", OTHER_BACK + "  .kernel same_back"), (OTHER_BACK, ""),
            text=OWN),
    back("declare .kernel same_back, too", "same_back dy", "same_bac dy", text=OWN),
    back("correct the arguments", "same_back dy=r2", "same_back dy=r2 dx2=r3", text=OWN),
    back("correct the arguments", "same_back dy=r2", "same_back dy=r2 x2=r3", text=OWN),
    network("give it another name", [(".kernel same ", ".kernel norm "), (".kernel same_back", ".kernel norm_back")],
            [(".kernel norm ", ".kernel same "), (".kernel norm_back", ".kernel same_back")], text=OWN),
    back("write spaces", "keep: [x, u]", "keep:\t[x, u]"),
    Case("a network that does not exist", "use bert, bert_pretraining, cerebras_gpt, gpt2, gptj, llama or the path of a network file", words=["--model.network", "gpt5"],
         how=lambda run, hint: run.set("model.network", "gpt2")),
    Case("a network in a pipe", "write it to a file, and name that", words=["--model.network", "pipe"], before="mkfifo pipe", files={"net.yaml": THIRD},
         how=lambda run, hint: run.set("model.network", "net.yaml")),
    Case("a large network file", "name another file: of at most 1048576 bytes", words=["--model.network", "large.yaml"],
         files={"large.yaml": THIRD + "#" * 2**20, "net.yaml": THIRD},
         how=lambda run, hint: run.set("model.network", "net.yaml")),
]

MADE_OF = [
    network("put embed first and loss last", ("  - {loss: loss, in: logits}\n", ""),
            ("out: logits}\n", "out: logits}\n  - {loss: loss, in: logits}\n")),
    network("leave one of each", ("in: logits}\n", "in: logits}\n  - {loss: again, in: logits}\n"),
            ("  - {loss: again, in: logits}\n", "")),
    back("name what an operation has as out:", "keep: [x, u]", "keep: [x, u, w]"),
    back("name what an operation above has as out:", "in: u, out: g", "in: w, out: g"),
    network("correct tied:", ("head.weight: {", "head.weight: {tied: wpe.weight, "), ("tied: wpe.weight, ", "")),
    network("correct tied:", ("head.weight: {", "head.weight: {tied: the.weight, "), ("tied: the.weight, ", "")),
    network("remove one", ("  head.bias: {", "  head.bias: {shape: [vocab], value: 1}\n  head.bias: {"),
            ("  head.bias: {shape: [vocab], value: 1}\n", "")),
    network("add it to tensors:", ("    up.weight: {shape: [hidden, filter], normal: 0.1}\n", ""),
            ("    up.bias", "    up.weight: {shape: [hidden, filter], normal: 0.1}\n    up.bias")),
    back("correct shape:", "up.weight: {shape: [hidden, filter]", "up.weight: {shape: [filter, vocab]"),
    back("correct shape:", "wte.weight: {shape: [vocab, hidden]", "wte.weight: {shape: [vocab, filter]"),
    back("give out: another name", "in: u, out: g", "in: u, out: u"),
    network("give it another name", [("in: x, out: u", "in: x, out: dx"), ("in: u,", "in: dx,"), ("[x, u]", "[x, dx]")],
            [("out: dx", "out: w"), ("in: dx,", "in: w,"), ("[x, dx]", "[x, w]")]),
    network("remove add:", ("in: u, out: g", "in: u, add: u, out: g"), (", add: u", "")),
    back("give it 1", "in: x, out: u", "in: [x, x], out: u"),
    back("give it two", "up.weight: {shape: [hidden, filter]", "up.weight: {shape: [hidden]"),
    back("normalize an array of hidden features", "{norm: ln_f, in: residual", "{norm: ln_f, in: u", text=GPTJ, more=GPTJ_SIZES),
    back("give it filter features", "{gelu: act, in: u", "{gelu: act, in: x"),
    back("give it filter or hidden features", "{gelu: mlp.gelu, in: u", "{relu: mlp.gelu, in: heads", text=GPTJ, more=GPTJ_SIZES),
    back("give it arrays of the same features", "{gelu: act, in: u", "{product: act, in: [u, x]"),
    back("use in_out or out_in", "{linear: up, in", "{linear: up, form: square, in"),
    back("use layer or rms", "{norm: ln_f, in", "{norm: ln_f, form: batch, in", text=GPTJ, more=GPTJ_SIZES),
    back("give out: the names of in:", "in: [q, k], out: [q, k]", "in: [q, k], out: [q, j]", text=GPTJ, more=GPTJ_SIZES),
    back("give it an array of head features", "in: [q, k], out: [q, k]", "in: [q, ln_out], out: [q, ln_out]", text=GPTJ,
         more=GPTJ_SIZES),
    back("give it three arrays of head features", "in: [q, k, v]", "in: [q, k, ln_out]", text=GPTJ, more=GPTJ_SIZES),
    network("give out: the name of in:", ("{gelu: act, in: u", "{dropout: drop, in: u, out: w, p: 0.1}\n      - {gelu: act, in: w"),
            [("out: w", "out: u"), ("in: w", "in: u")]),
    network("write the part to drop, as 0.1", ("{gelu: act", "{dropout: drop, in: u, out: u, p: 1.5}\n      - {gelu: act"),
            ("p: 1.5", "p: 0.1")),
    network("drop the output of a linear", ("  - {loss: loss", "  - {dropout: drop, in: logits, out: logits, p: 0.1}\n  - {loss: loss"),
            ("  - {dropout: drop, in: logits, out: logits, p: 0.1}\n", "")),
    network("let only the dropout read it", ("{gelu: act", "{dropout: drop, in: x, out: x, p: 0.1}\n      - {gelu: act"),
            ("in: x, out: x, p", "in: u, out: u, p")),
    network("add the residual stream to a branch", ("{gelu: act, in: u", "{dropout: drop, in: u, add: x, out: w, p: 0.1}\n      - {gelu: act, in: w"),
            [("{dropout: drop, in: u, add: x, out: w, p: 0.1}\n      - ", ""), ("in: w", "in: u")]),
    back("give it logits", "{loss: loss, in: logits}", "{loss: loss, in: x}"),
    back("give it an array of class features", "{class_loss: classes, in: scores}", "{class_loss: classes, in: x}", text=CLASSES, more=TWO_CLASSES),
    network("leave one loss, or order them so", ("  - {loss: loss", "  - {squared_error: more, in: scores}\n  - {loss: loss"),
            ("  - {squared_error: more, in: scores}\n", ""), text=CLASSES, more=TWO_CLASSES),
    network("give the input of this loss its own name", [("out: scores}", "out: scores}\n  - {linear: classes, in: x, out: scores}")],
            ("  - {linear: classes, in: x, out: scores}\n  - {linear: classes", "  - {linear: classes"), text=CLASSES, more=TWO_CLASSES),
    back("use another size", "down.weight: {shape: [hidden,", "down.weight: {shape: [position,"),
    network("put an operation between them", [("add: x, out: x", "add: x, out: y"), ("  - {linear: head", MID + "  - {linear: head")],
            (MID, MID.replace("in: y, add: y, out: x", "in: y, out: m") + MID.replace("in: y", "in: m")), text=MIDDLE),
    network("add the array that was made from it", (DOWN, DOWN.replace("out: x", "out: y") + DOWN), ("add: x, out: x}\n  - {linear: head", "add: y, out: x}\n  - {linear: head")),
    back("name as many", "in: x, out: u", "in: x, out: [u, w]"),
    back("add an array of the same features", "in: g, add: x", "in: g, add: u"),
    network("remove it", (DOWN, DOWN + "      - {linear: up, in: x, out: w}\n"), ("      - {linear: up, in: x, out: w}\n", "")),
    network("remove it, or call it as an operation", ("    up.bias:", "    up.bais: {shape: [filter]}\n    up.bias:"),
            ("    up.bais: {shape: [filter]}\n", "")),
]

CASES = READ + MADE_OF
