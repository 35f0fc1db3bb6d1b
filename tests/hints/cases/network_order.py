"""Networks whose backward pass has no order: sw/network/schedule.cpp. Each is a network file that is changed, and mended."""
from cases.network_files import DOWN, THIRD, back, changed, network

UP = "      - {linear: up, in: x, out: u}\n"
# Several sums in a block. In MORE all of them are named x; in SUMS the second has the name of the first.
MORE = changed(THIRD, (DOWN, DOWN + "      - {linear: up, in: x, out: v}\n      - {linear: down, in: v, add: x, out: x}\n"
                       "      - {linear: up, in: x, out: w}\n      - {linear: down, in: w, add: x, out: x}\n"))
SUMS = changed(THIRD, ("keep: [x, u]", "keep: [x, y, u]"), (
    DOWN, "      - {linear: down, in: g, add: x, out: y}\n      - {linear: up, in: y, out: w}\n"
    "      - {gelu: act, in: w, out: z}\n      - {linear: down, in: z, add: y, out: y}\n"
    "      - {linear: up, in: y, out: w}\n      - {gelu: act, in: w, out: g}\n      - {linear: down, in: g, add: y, out: x}\n"))
LAST = "      - {linear: up, in: y, out: w}\n      - {gelu: act, in: w, out: g}\n      - {linear: down, in: g, add: y, out: x}\n"
# A block with a norm, a linear from hidden to hidden, and two branches.
WIDE = """network: wide
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.1}
  ln.weight: {shape: [hidden], value: 1}
  ln.bias: {shape: [hidden], value: 0}
  up.weight: {shape: [hidden, filter], normal: 0.1}
  down.weight: {shape: [filter, hidden], normal: 0.1}
  up2.weight: {shape: [hidden, filter], normal: 0.1}
  down2.weight: {shape: [filter, hidden], normal: 0.1}
  head.weight: {shape: [hidden, vocab], normal: 0.1}
operations:
  - {embed: start, tokens: wte.weight, out: x}
  - {norm: ln, in: x, out: a}
  - {linear: up, in: a, out: u}
  - {gelu: act, in: u, out: g}
  - {linear: down, in: g, add: x, out: x}
  - {linear: up2, in: a, out: u2}
  - {gelu: act2, in: u2, out: g2}
  - {linear: down2, in: g2, add: x, out: x}
  - {linear: head, in: x, out: logits}
  - {loss: loss, in: logits}
"""
MIDDLE = changed(WIDE, ("  ln.w", "  mid.weight: {shape: [hidden, hidden], normal: 0.1}\n  ln.w"))
# Two linears with one input, and a norm of the stream between them.
SHARED = """network: shared
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.1}
  ln.weight: {shape: [hidden], value: 1}
  pre.weight: {shape: [hidden], value: 1}
  one.weight: {shape: [hidden, hidden], normal: 0.1}
  ln2.weight: {shape: [hidden], value: 1}
  two.weight: {shape: [hidden, hidden], normal: 0.1}
  head.weight: {shape: [hidden, vocab], normal: 0.1}
operations:
  - {embed: start, tokens: wte.weight, out: s}
  - {norm: ln, in: s, out: x}
  - {norm: pre, in: x, out: m}
  - {linear: one, in: m, add: x, out: s}
  - {norm: ln2, in: s, out: x}
  - {linear: two, in: m, add: x, out: s}
  - {linear: head, in: s, out: logits}
  - {loss: loss, in: logits}
"""
# Each sum is normalized, and each linear has a norm of its own.
POST = changed(SHARED, ("two, in: m, add", "two, in: n, add"), ("  - {linear: two", "  - {norm: pre, in: x, out: n}\n  - {linear: two"))
# Attention whose k is computed from an array with the name of its q.
ATTENDS = """network: attends
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.1}
  p.weight: {shape: [hidden, head], normal: 0.1}
  q.weight: {shape: [hidden, head], normal: 0.1}
  k.weight: {shape: [head, head], normal: 0.1}
  v.weight: {shape: [hidden, head], normal: 0.1}
  out.weight: {shape: [head, hidden], normal: 0.1}
  head.weight: {shape: [hidden, vocab], normal: 0.1}
operations:
  - {embed: start, tokens: wte.weight, out: x}
  - {linear: p, in: x, out: p}
  - {linear: k, in: p, out: k}
  - {linear: q, in: x, out: q}
  - {linear: v, in: x, out: v}
  - {attention: attn, in: [q, k, v], out: o}
  - {linear: out, in: o, add: x, out: y}
  - {linear: head, in: y, out: logits}
  - {loss: loss, in: logits}
keep: [x, y]
"""

CASES = [
    back("name x in keep:, and the result differently", "keep: [x, u]", "keep: [u]"),
    network("give the result another name, and name that in keep:, too", (),
            [("add: x, out: x", "add: x, out: y"), ("in: x, out: v", "in: y, out: v"), ("add: x, out: x", "add: y, out: z"),
             ("in: x, out: w", "in: z, out: w"), ("add: x, out: x", "add: z, out: x"), ("[x, u]", "[x, y, z, u]")], text=MORE),
    network("give each sum of a block another name, or use model.recompute none", (),
            [("add: y, out: y", "add: y, out: y2"), (LAST, LAST.replace("in: y", "in: y2").replace("add: y", "add: y2"))],
            text=SUMS, more=["--model.recompute", "block", "--model.num_hidden_layers", "2"]),
    network("give values that are needed at once different names",
            [("out: u2", "out: u"), ("in: u2, out: g2", "in: u, out: g"), ("in: g2,", "in: g,")],
            [("up2, in: a, out: u", "up2, in: a, out: u2"), ("act2, in: u, out: g", "act2, in: u2, out: g2"),
             ("down2, in: g,", "down2, in: g2,")], text=WIDE),
    network("give the arrays that it is made from other names", [("out: p}", "out: q}"), ("k, in: p", "k, in: q")],
            [("p, in: x, out: q", "p, in: x, out: p"), ("k, in: q", "k, in: p")], text=ATTENDS),
    back("let only norms and linears share an input", "{linear: down3, in: g2", "{linear: down3, in: u2",
         text=changed(WIDE, ("  head.w", "  down3.weight: {shape: [filter, hidden], normal: 0.1}\n  head.w"),
                      ("  - {linear: head", "  - {linear: down3, in: g2, add: x, out: x}\n  - {linear: head"))),
    network("read the sum", [("add: x, out: x}\n  - {linear: up2, in: a", "add: x, out: y}\n  - {linear: up2, in: x"),
                                   ("in: g2, add: x, out: x", "in: g2, add: y, out: x"),
                                   ("in: logits}\n", "in: logits}\nkeep: [x, y]\n")], ("up2, in: x", "up2, in: y"), text=WIDE),
    network("add to the output of embed", [("  - {linear: down2", "  - {linear: mid, in: x, out: m}\n  - {linear: down2"),
                                    ("in: g2, add: x", "in: g2, add: m")],
            [("  - {linear: mid, in: x, out: m}\n", ""), ("in: g2, add: m", "in: g2, add: x"),
             ("  mid.weight: {shape: [hidden, hidden], normal: 0.1}\n", "")], text=MIDDLE),
    back("let only this norm read it, and others read the norm's output", "pre, in: x, out: n", "pre, in: s, out: n", text=POST),
    network("let linears that share an input add to the stream before a norm of it", (), [(
        "  - {norm: ln2, in: s, out: x}\n  - {linear: two, in: m, add: x, out: s}\n  - {linear: head, in: s",
        "  - {linear: two, in: m, add: s, out: s}\n  - {norm: ln2, in: s, out: x}\n  - {linear: head, in: x")], text=SHARED),
    back("use form: layer", "ln2, in: s", "ln2, form: rms, in: s", text=POST),
    # Arrays need different names.
    network("give one of them another name", [("up2, in: a, out: u2", "up2, in: a, out: ln.xhat"), ("in: u2", "in: ln.xhat")],
            [("out: ln.xhat", "out: u2"), ("in: ln.xhat", "in: u2")], text=WIDE),
]
