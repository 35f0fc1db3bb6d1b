"""Models that no wafer runs as they are, and saved plans: sw/compiler."""
from cases.network_files import CLASSES, DOWN, GPTJ_SIZES, NO_TOKENS, THIRD, TWO_CLASSES, changed
from cases.network_order import ATTENDS
from deeds import TRAINED, in_shell, setting, words, writing
from follow import Case

GPTJ = ["--model.network", "gptj", "--model.share_embedding_weights", "false"]
BERT = ["--model.network", "bert", "--model.num_segments", "2"]
PLAN = "WEFT run --params mine.yaml --mode compile_only --save plan"
GENERATE = ["--mode", "generate", "--prompt", "a", "--runconfig.max_new_tokens", "2", "--runconfig.use_cache", "always"]


def turning(run, hint):
    """Each head gets an even number of features, and then a rotation."""
    if "first use heads" in hint:
        run.set("model.hidden_size", "8")
    else:
        run.set("model.rotary_dim", hint.split()[1])


# Keys and values of a whole sequence are in one column, everything else is spread over eight.
DEEP = ["--model.network", "gptj", *GPTJ_SIZES, "--model.num_hidden_layers", "8", "--model.hidden_size", "16", "--wafer.cols", "8",
        "--train_input.micro_batch_size", "1"]
MICRO = ["--train_input.batch_size", "2000", "--train_input.micro_batch_size", "1"]
LARGE = ["--mode", "compile_only", "--wafer.sram_kib", "128", "--train_input.micro_batch_size", "1", "--model.max_sequence_length", "2"]
THRICE = changed(THIRD, ("keep: [x", "keep: [x, y, z"), (
    DOWN, DOWN.replace("out: x", "out: y") + "".join(
        f"      - {{linear: up, in: {a}, out: u}}\n      - {{gelu: act, in: u, out: g}}\n      - {{linear: down, in: g, add: {a}, out: {b}}}\n"
        for a, b in ("yz", "zx"))))
BACK = """network: back
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.1}
  back.weight: {shape: [vocab, hidden], normal: 0.1}
  head.weight: {shape: [hidden, vocab], normal: 0.1}
operations:
  - {embed: e, tokens: wte.weight, out: x}
  - {linear: head, in: x, out: l}
  - {linear: back, in: l, add: x, out: y}
  - {linear: head, in: y, out: logits}
  - {loss: loss, in: logits}
keep: [x, l]
"""


def readers(count):
    """A network in which so many linears read one value."""
    tensors, operations = ["wte.weight: {shape: [vocab, hidden]}", "ln.weight: {shape: [hidden]}", "ln.bias: {shape: [hidden]}"], [
        "{embed: start, tokens: wte.weight, out: x}", "{norm: ln, in: x, out: a}"]
    for k in range(count):
        tensors += [f"up{k}.weight: {{shape: [hidden, filter]}}", f"down{k}.weight: {{shape: [filter, hidden]}}"]
        operations += [f"{{linear: up{k}, in: a, out: u{k}}}", f"{{gelu: act{k}, in: u{k}, out: g{k}}}",
                       f"{{linear: down{k}, in: g{k}, add: x, out: x}}"]
    tensors.append("head.weight: {shape: [hidden, vocab]}")
    operations += ["{linear: head, in: x, out: logits}", "{loss: loss, in: logits}"]
    return "network: many\ntensors:\n  " + "\n  ".join(tensors) + "\noperations:\n  - " + "\n  - ".join(operations) + "\n"


def kinds(*functions):
    """A network with rotation, both norms and both forms of attention, and these functions."""
    tensors = ["wte.weight: {shape: [vocab, hidden]}", "ln.weight: {shape: [hidden]}", "up.weight: {shape: [hidden, filter]}",
               "down.weight: {shape: [filter, hidden]}", "qkv.weight: {shape: [hidden, 3 head]}", "proj.weight: {shape: [head, hidden]}",
               "head.weight: {shape: [hidden, vocab]}"]
    operations = ["{embed: start, tokens: wte.weight, out: x0}"]
    for n, causal in enumerate(["true", "false"]):
        operations += [f"{{norm: ln, in: x{n}, out: a{n}, form: {['rms', 'layer'][n]}}}", f"{{linear: qkv, in: a{n}, out: [q{n}, k{n}, v{n}]}}",
                       f"{{rotary: turn, in: [q{n}, k{n}], out: [q{n}, k{n}]}}",
                       f"{{attention: attn, in: [q{n}, k{n}, v{n}], out: o{n}, causal: {causal}}}",
                       f"{{linear: proj, in: o{n}, add: x{n}, out: x{n + 1}}}"]
    operations.append("{linear: up, in: x2, out: u0}")
    operations += [f"{{{name}: act, in: u{n}, out: u{n + 1}}}" for n, name in enumerate(functions)]
    operations += [f"{{linear: down, in: u{len(functions)}, add: x2, out: x3}}", "{linear: head, in: x3, out: logits}", "{loss: loss, in: logits}"]
    return ("network: kinds\ntensors:\n  " + "\n  ".join(tensors) + "\noperations:\n  - " + "\n  - ".join(operations) +
            "\nkeep: [x0, x1, x2, x3]\n")


CASES = [
    Case("half a pair turns", "use an even number, and heads of an even number of features", words=[*GPTJ, "--model.rotary_dim", "3"],
         how=setting("model.rotary_dim", "4")),
    Case("heads that cannot turn", "first use heads of an even number of features: model.hidden_size 8 or model.num_heads",
         words=[*GPTJ, "--model.hidden_size", "6"], how=turning, steps=2),
    Case("keys that a network does not share", "leave it out, or use llama, or a network file with kv_head in the shapes of keys and values",
         words=["--model.num_kv_heads", "1"], how=setting("model.num_kv_heads", "0")),
    Case("limits of frequencies in each other's place", "use 1 and 4, as LLaMA 3",
         words=["--model.network", "llama", "--model.rotary_dim", "4", "--model.rope_scaling", "llama3", "--model.rope_low_freq_factor", "8"],
         how=setting("model.rope_low_freq_factor", "1")),
    Case("no plan", "name a file that --mode compile_only --save has written", given=PLAN, words=["--plan", "corpus.txt"],
         how=words("--plan", "plan")),
    Case("half a plan", "compile it again: --mode compile_only --save FILE", given=PLAN, before="truncate -s 30000 plan",
         words=["--plan", "plan"], how=in_shell(PLAN)),
    Case("keys that have no room", "use a smaller model.max_sequence_length, or runconfig.use_cache auto",
         given=f"{TRAINED} {' '.join(DEEP)}", words=[*DEEP, *GENERATE, "--model.max_sequence_length", "64"],
         how=setting("model.max_sequence_length", "8")),
    Case("a network that keeps nothing", "use runconfig.use_cache auto", before=TRAINED + " --model.network net.yaml", files={"net.yaml": ATTENDS},
         words=["--model.network", "net.yaml", *GENERATE], how=setting("runconfig.use_cache", "auto")),
    Case("a text for a network that sees later tokens", "use runconfig.mode train or eval, or causal attention",
         before=TRAINED + " --model.network net.yaml", files={"net.yaml": changed(ATTENDS, ("out: o}", "out: o, causal: false}"))},
         words=["--model.network", "net.yaml", *GENERATE], how=words("--model.network", "net.yaml", "--num_steps", "1")),
    Case("a text for a network with segments", "use runconfig.mode train or eval", before=f"{TRAINED} {' '.join(BERT)}", words=[*BERT, *GENERATE],
         how=words(*BERT, "--num_steps", "1")),
    Case("segments without a number", "use 2", words=["--model.network", "bert"], how=setting("model.num_segments", "2")),
    Case("classes without a number", "use 2 or more", files={"net.yaml": CLASSES}, words=["--model.network", "net.yaml", "--mode", "compile_only"],
         how=setting("model.num_classes", "2")),
    Case("classes of another network", "use 0", words=["--model.num_classes", "2"], how=setting("model.num_classes", "0")),
    Case("smoothed classes", "leave it out", files={"net.yaml": NO_TOKENS}, words=["--model.network", "net.yaml", *TWO_CLASSES, "--model.label_smoothing", "0.1"],
         how=setting("model.label_smoothing", "0")),
    Case("more kernels than a PE has room for", "use fewer kinds of element-wise functions, norms and attention in the network",
         words=["--mode", "compile_only", "--model.network", "net.yaml", "--model.rotary_dim", "4", "--model.label_smoothing", "0.1"],
         files={"net.yaml": kinds("gelu", "gelu_erf", "silu", "tanh", "relu")}, how=writing("net.yaml", kinds())),
    Case("more gradients than a sum takes", "use larger micro-batches, at most 1365 of them", words=["--model.network", "net.yaml", *MICRO],
         files={"net.yaml": THRICE}, how=setting("train_input.micro_batch_size", "40")),
    Case("a vocabulary beside the logits", "use a model.vocab_size of at most 65536", files={"net.yaml": BACK},
         words=["--model.network", "net.yaml", *LARGE, "--wafer.rows", "16", "--model.vocab_size", "66000"],
         how=lambda run, hint: run.set("model.vocab_size", hint.split()[-1])),
    Case("many readers of one value", "let fewer operations read one value", files={"net.yaml": readers(6)},
         words=["--model.network", "net.yaml", *LARGE, "--wafer.rows", "256", "--model.filter_size", "33280"], how=writing("net.yaml", readers(4))),
    Case("DRAM for no page", "or more, or to 0 for no bound", words=["--memoryx.dram_gib", "0.0000001"],
         how=lambda run, hint: run.set("memoryx.dram_gib", hint.split()[3])),
]
