"""Tables of docs/ from single values: a function for each, whose argument is {name: value} of a benchmark."""

import re
import textwrap

from page_tables import cells, table


def parts_of(values, pattern):
    """The first group of the names that match the pattern, in the order of the values."""
    return list(dict.fromkeys(match[1] for match in (re.fullmatch(pattern, name) for name in values) if match))


def number(value):
    return f"{value:,.0f}"


def ratio(value):
    return f"{value:.3f}"


def batch(values):
    tokens = 32  # tokens of a sequence

    def line(n):
        name = f"{n} sequences"
        cycles = values[name]
        bounds = [f"{bound} {values[f'{name}, bound by {bound}']:.0f} %" for bound in ("multiply-adds", "latency")]
        return cells(n, number(cycles), number(cycles / int(n) / tokens), ratio(values[f"{name}, FPU"]),
                     f"{values[f'{name}, places with a token']:.2f}", ratio(values[f"{name}, what the model itself asks for"]),
                     ", ".join(bounds))

    return table(
        cells("sequences", "cycles", "cycles per token", "FPU utilization", "columns filled",
              "utilization by the model's own multiply-adds", "bound by"),
        "|--:|--:|--:|--:|--:|--:|:--|",
        map(line, parts_of(values, r"(\d+) sequences")),
    )


def board(values):
    """The throughput of each line, and its bottleneck."""

    def line(name):
        ((bound, most),) = [(key.split("bound by ")[1], value) for key, value in values.items() if key.startswith(f"{name}, at most")]
        return cells(name, f"{number(values[f'{name}, op after op'])} tokens/s", f"{number(most)} tokens/s", bound)

    amounts = f"A micro-batch takes {number(values['a micro-batch'])} cycles; {number(values['down, as records'])} bytes go down" \
              f" and {number(values['up'])} up."
    return f"{amounts}\n\n" + table(cells("", "ops one after another", "fully overlapped", "bound by"), "|:--|--:|--:|:--|",
                                    map(line, parts_of(values, r"(.*), op after op")))


def python(values):
    """Minutes on two processors, and what they are computed from."""
    seconds = [values[name] for name in ("pip install .", "ten steps on the RTL")]
    text = f"On two processors, the installation and this program together take {sum(seconds) / 120:.1f} minutes without downloads:" \
           f" {number(seconds[0])} and {number(seconds[1])} seconds of processor time."
    return textwrap.fill(text, 100, break_on_hyphens=False) + "\n"


def figure3(values):
    instructions = {
        "AXPY": "`vf.fma M[y], M[x], S[a], M[y]`",
        "DOT": "eight rotating accumulators, `vf.fma R[acc], M[x], M[y], R[acc]`",
        "GEMV": "`vf.fma R[r0], M[x], MS[w], R[r0]`",
        "GEMM": "as GEMV with `REP` and `STR`",
    }
    places = ["contiguous", "at random indices", "weights and random indices streamed", "all in one half of memory"]

    def line(kernel):
        shares = [f"{values[name]:.3f}" if (name := f"{kernel}, {place}") in values else "" for place in places]
        return cells(f"{kernel}, {instructions[kernel.split(',')[0]]}", *shares)

    return table(cells("", "contiguous", "at random indices", "weights and indices streamed (`vaxs`)", "all in one half"),
                 "|:--|--:|--:|--:|--:|", map(line, parts_of(values, r"(.*), contiguous")))


def partial_sums(values):
    """The cycles of an output, for partial sums of four cycles and of two."""

    def line(n):
        costs = []
        for cycles in (4, 2):
            name = f"n {n}, 64 tokens a column, {cycles} cycles"
            costs += [f"{values[f'{name}, an output']:,.1f}", ratio(values[name] * (int(n) + cycles) / int(n))]
        return cells(f"n = {n}", *costs)

    return table(cells("cycles of an output", "four cycles", "of n/(n+4)", "two cycles", "of n/(n+2)"), "|:--|--:|--:|--:|--:|",
                 map(line, parts_of(values, r"n (\d+), 64 tokens a column, 4 cycles")))


def tenth(values):
    def line(name):
        inputs, tokens = (int(word) for word in re.findall(r"\d+", name))
        return cells(number(inputs), tokens, *(ratio(values[f"{name}, {what}"]) for what in ("dense", "10 % of them")),
                     f"{values[f'{inputs} inputs a row at 10 %, {tokens} tokens a column']:.2f}",
                     f"{(inputs + 2) / (inputs / 10 + 2):.2f}")

    return table(cells("inputs per row", "tokens per column", "FPU, dense", "FPU, 10 % kept", "dense / sparse cycles", "(n+2) / (n/10+2)"),
                 "|--:|--:|--:|--:|--:|--:|", map(line, parts_of(values, r"(\d+ inputs a row, \d+ tokens a column), dense")))


def micro_batches(values):
    def line(name):
        file, cycles = re.fullmatch(r"(.*)\.yaml, (\d) cycles a partial sum", name).groups()
        return cells(f"{file}, {cycles}", number(values[name]), ratio(values[f"{file}, {cycles} cycles: FPU utilization"]),
                     ratio(values[f"{name}, what the model itself asks for"]))

    return table(cells("micro-batch, cycles of a partial sum", "cycles", "FPU utilization", "the model's"), "|:--|--:|--:|--:|",
                 map(line, parts_of(values, r"(.* a partial sum)")))


def meshes(values, suffix=""):
    names = parts_of(values, rf"(\d+x\d+{suffix})")
    first = values[f"{names[0]}, FPU"]
    lines = [cells(name.split(",")[0], number(values[f"{name}, valves"]), number(values[name]), ratio(values[f"{name}, FPU"]),
                   ratio(values[f"{name}, FPU"] / first)) for name in names]
    return table(cells("tiles", "valves", "cycles", "FPU utilization", f"relative to {names[0].split(',')[0]}"),
                 "|:--|--:|--:|--:|--:|", lines)


def gradients(values):
    return meshes(values, ", gradients")


def layer(values):
    def line(name):
        costs = []
        for what in ("all ops", "GEMMs and gradients"):
            dense, sparse = (values[f"{name}, {what}, {mask}"] for mask in ("dense", "90 %"))
            costs += [number(dense), number(sparse), f"{dense / sparse:.2f}"]
        return cells(name, *costs)

    return table(cells("", "dense", "90 % zero", "dense / sparse", "of these, GEMMs and gradients: dense", "90 % zero", "dense / sparse"),
                 "|:--|--:|--:|--:|--:|--:|--:|", map(line, parts_of(values, r"(.*), all ops, dense")))


def placement(values):
    def line(exponent):
        return cells(exponent, *(ratio(value) for name, value in values.items() if name.startswith(f"exponent {exponent}, ")))

    return table(cells("exponent", "in order", "interleaved", "by the compiler"), "|--:|--:|--:|--:|",
                 map(line, parts_of(values, r"exponent ([\d.]+), in order")))


def swarm_loss(values):
    return table(cells("", "median", "worst", "worst over the goal"), "|:--|--:|--:|--:|",
                 [cells(name, *(f"{values[f'{name}, the {which}']:.2f} s" for which in ("median", "worst")),
                        f"{values[f'{name}, the worst over twice the deadline and the lost work']:.2f}") for name in ("killed", "stopped")])


def swarm_slow(values):
    def line(name):
        rates = (values[f"{name}, {which}"] for which in ("micro-batches a second without it", "with it"))
        return cells(name, *(f"{rate:.2f}" for rate in rates), f"{values[f'{name}, share']:.2f}", f"{values[f'{name}, named after']:.1f} s")

    return table(cells("slow part", "micro-batches a second without it", "with it", "share", "named after"), "|:--|--:|--:|--:|--:|",
                 map(line, parts_of(values, r"(.*), share")))


def replayed(values):
    """The replayed steps of `overlap`: only their names say when weights change."""
    return table(cells("", "a step, over the longest part"), "|:--|--:|",
                 [cells(name.split(":")[0], f"{value:.2f}") for name, value in values.items() if name.startswith("weights change")])


def memory(values):
    return table(cells("", "bytes per parameter"), "|:--|--:|",
                 [cells(name, f"{value:.1f}") for name, value in values.items() if not name.startswith("all ")])


def bounded_memory(values):
    return table(cells("", "peak, MiB"), "|:--|--:|",
                 [cells(name, number(value)) for name, value in values.items() if name.startswith("all ")])


def generation_lines(values, labels):
    """A line for each label: the cycles of a token, for partial sums of four cycles and of two."""
    return table(cells("cycles a token, RTL, valves = rows", "`psum_cycles` 4", "2"), "|:--|--:|--:|",
                 [cells(label, *(number(values[f"{name}, {psum} cycles a partial sum"]) for psum in (4, 2)))
                  for name, label in labels.items()])


def generation_passes(values):
    return generation_lines(values, {
        "a pass of all tokens, one prompt": "one prompt, 64 tokens of context, over four columns",
        "a pass of all tokens, one prompt, two columns": "the same over two columns (`--wafer.sequence_columns 2`)",
        "a pass of all tokens, twelve prompts":
            "twelve prompts, four a pass (`$(for n in {1..12}; do echo --prompt_tokens $(seq -s, $n $((n + 59))); done)`)",
        "a pass of all tokens, one prompt, one beat":
            "one prompt, context and `max_sequence_length` of 4 tokens (`--prompt_tokens 1,2,3,4`): one beat",
    })


def generation_kept(values):
    """The table of passes that keep keys and values, and what follows for two cycles a partial sum."""
    passes, kept, last = (
        {name: values[f"{of}{name}, 2 cycles a partial sum"] for name in names}
        for of, names in (("a pass of all tokens, ", ["one prompt", "twelve prompts"]), ("kept, ", ["one prompt", "twelve prompts"]),
                          ("kept, ", ["last token"])))
    one, many = kept["one prompt"], kept["twelve prompts"]
    position = (last["last token"] - one) / 31.5 / 2  # the mean position is 31.5 before the last one; there are two layers
    return generation_lines(values, {
        "kept, one prompt": "one prompt",
        "kept, last token": "its last token alone, 64 of context: this less the same with `--runconfig.max_new_tokens 63`",
        "kept, twelve prompts": "twelve prompts (`$(for n in {1..12}; do echo --prompt_tokens $n; done)`)",
    }) + f"""
With two cycles a partial sum, one prompt costs {one / passes["one prompt"]:.2f} of the passes of all tokens above, and twelve
prompts cost {many / passes["twelve prompts"]:.2f}. Twelve prompts give {one / many:.1f} times the tokens per second of one. In each layer, the
attention of a position costs {position:.0f} cycles: the last token's less the mean, over 31.5 positions and two
layers.
"""


def hugging_face(values):
    def line(name):
        loss, theirs, divergence = (values[f"{name}, {what}"] for what in ("weft", "transformers", "KL"))
        return cells(name, f"{loss:.5f}", f"{theirs:.5f}", f"{divergence:.2e}")

    return table(cells("", "loss, Weft", "transformers", "mean KL"), "|:--|--:|--:|--:|", map(line, parts_of(values, r"(.*), KL")))


def trained_model(evals, values):
    """Losses and costs of the trained model, in Weft and in PyTorch."""
    both = [row for row in evals if row["pytorch"] is not None]
    mean = next(key.split(", ")[1] for key in values if key.startswith("Weft, mean training loss"))
    minutes, rates = [], []
    for name, steps in (("Weft", evals[-1]["step"]), ("PyTorch", values["steps of PyTorch"])):
        seconds = values.get(f"{name}, processor time")
        minutes.append(f"{seconds / 60:.0f} minutes" if seconds else "")
        rates.append(number(steps * values["tokens of a step"] / seconds) if seconds else "")
    shown = [row for row in evals if row["step"] % 1000 == 0 or row in (both[-1], evals[-1])]
    return table(
        cells("", "Weft", "PyTorch"),
        "|:--|--:|--:|",
        [
            *(cells(f"eval loss after {number(row['step'])} steps", f"{row['weft']:.4f}",
                    "" if row["pytorch"] is None else f"{row['pytorch']:.4f}") for row in shown),
            cells(mean, *(f"{values[f'{name}, {mean}']:.4f}" for name in ("Weft", "PyTorch"))),
            cells("eval loss of the released weights",
                  *(f"{values[f'released weights, eval loss{where}']:.4f}" for where in ("", " in PyTorch"))),
            cells("processor time", *minutes),
            cells("tokens per second of it", *rates),
        ],
    )


def trained_sample(samples, evals, values):
    """README.md's paragraph on the trained model, and what it writes."""
    (sample,) = samples
    last = [row for row in evals if row["pytorch"] is not None][-1]
    text = (f"The GPT of the picture above took {values['Weft, processor time'] / 60:.0f} minutes of processor time. Its eval loss is"
            f" {last['weft']:.3f} nats per character, PyTorch's {last['pytorch']:.3f}"
            " ([trained_model.md](docs/explanation/trained_model.md)). It continues a text, with the same result on each backend:")
    return f"""{textwrap.fill(text, 100, break_on_hyphens=False)}

    build/weft run --params configs/gpt_shakespeare.yaml --checkpoint_path configs/shakespeare/model --mode generate \\
      --prompt "{sample['prompt']}"

```
{sample['text']}
```
"""


def cpu(values):
    """A step of the functional model next to one of PyTorch and of the plain trainer, one thread each."""
    def line(model):
        pytorch = next(name for name in values if re.fullmatch(f"{model}, PyTorch [^,]+, .+ BLAS", name))
        own, ratio = values[f"{model}, model, all threads together"], next(
            value for name, value in values.items() if name.startswith(f"{model}, model / PyTorch"))
        return cells(model, f"{own:.3f}", re.sub(r".*, (PyTorch \d+\.\d+).*, (.+) BLAS", r"\1, \2", pytorch), f"{own / ratio:.3f}",
                     f"{ratio:.2f}", f"{values[f'{model}, model / plain']:.2f}")

    few = "32 tokens on 96 x 1 tiles"
    lines = [line(model) for model in ("gpt_small", "256 wide")]
    lines.append(cells(f"{values[few] / 1e6:.0f} M parameters, {few}", f"{values[f'{few}, model']:.2f}", "", "", "", ""))
    return table(cells("", "the model, s", "next to", "s", "times", "times the plain trainer"), "|:--|--:|:--|--:|--:|--:|", lines)
