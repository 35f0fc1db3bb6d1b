"""weft_isa_pkg.sv: the instruction set, and the machine's numbers, for the RTL."""

import isa


def _enum(name, names, width, prefix):
    rows = [f"    {prefix}_{n.upper()} = {width}'d{v}" for n, v in names]
    return f"  typedef enum logic [{width - 1}:0] {{\n" + ",\n".join(rows) + f"\n  }} {name}_e;\n"


def _extract(layout, field):
    width = field.msb - field.lsb + 1
    kind = f"{field.enum}_e" if field.enum else ("logic" if width == 1 else f"logic [{width - 1}:0]")
    bits = f"word[{field.msb}:{field.lsb}]" if width > 1 else f"word[{field.msb}]"
    value = f"{field.enum}_e'({bits})" if field.enum else bits
    return (f"  function automatic {kind} {layout}_{field.name}(input logic [31:0] word);\n"
            f"    return {value};\n  endfunction\n")


def _bits(field):
    return f"word[{field.msb}:{field.lsb}]" if field.msb > field.lsb else f"word[{field.msb}]"


def _is(field, value):
    return f"({_bits(field)} == {field.msb - field.lsb + 1}'d{value})"


def _colors_in():
    out = ["  /// All colors that an instruction of psum uses are in the set.\n"
           "  function automatic logic psum_colors_in(input logic [31:0] word, input logic [31:0] set);\n"
           "    psum_colors_in = 1'b1;\n    case (word[31:26])\n"]
    for ins in isa.INSTRS:
        terms = []
        for field, color in isa.colors_used(ins).items():
            within = f"1'(set >> {_bits(field)})"
            terms.append(f"(~({' | '.join(map(_bits, color.switches))}) | {within})" if color.switches else within)
        if terms:
            out.append(f"      OP_{ins.name.upper()}: psum_colors_in = {' & '.join(terms)};\n")
    out.append("      default: ;\n    endcase\n  endfunction\n")
    return "".join(out)


def _rule(rule):
    """A rule as an expression, in the form that simulates fastest."""
    if rule.given is None:
        (field, values), = rule.allowed.items()
        return f"1'({1 << (field.msb - field.lsb + 1)}'h{sum(1 << v for v in values):x} >> {_bits(field)})"
    if all(len(values) == 1 for values in rule.allowed.values()):
        condition = _bits(rule.given) if rule.given.msb == rule.given.lsb and rule.when else _is(rule.given, rule.when)
        return f"(~{condition} | ({' & '.join(_is(f, values[0]) for f, values in rule.allowed.items())}))"
    (field, values), = rule.allowed.items()
    forbidden, = set(range(1 << (field.msb - field.lsb + 1))) - set(values)
    return f"~({_is(rule.given, rule.when)} & {_is(field, forbidden)})"


def _legal_fields(ins, thread):
    """Returns the conditions on an instruction's fields, as expressions."""
    terms = [_rule(rule) for rule in isa.rules(ins, thread)]
    if isa.colors_used(ins):
        terms.append("psum_colors_in(word, 32'hffff_fffe)")  # W is main's
    return terms


def _legal(thread):
    table = sum(1 << i.op for i in isa.INSTRS if thread in i.threads)  # bit by opcode: one shift simulates fastest
    out = [f"  /// An instruction the {thread} thread may run; any other is BAD_INSTR.\n"
           f"  function automatic logic legal_{thread}(input logic [31:0] word);\n"
           f"    legal_{thread} = 1'(64'h{table:016x} >> word[31:26]);\n    case (word[31:26])\n"]
    for ins in isa.INSTRS:
        terms = _legal_fields(ins, thread) if thread in ins.threads else []
        if terms:
            out.append(f"      OP_{ins.name.upper()}: legal_{thread} = {' & '.join(terms)};\n")
    out.append("      default: ;\n    endcase\n  endfunction\n")
    return "".join(out)


def turns_literal():
    """The kernels' turns as a parameter's value, [color][input][output]."""
    bits = "".join(f"{outputs:05b}" for color in reversed(isa.kernel_turns()) for outputs in reversed(color))
    return f"{len(bits)}'h{int(bits, 2):x}"


def _kernel_turns():
    colors = len(isa.kernel_turns())
    return ("  /// Turns of a router that the compiler's routes take, sets of outputs, [color][input].\n"
            f"  localparam logic [{colors - 1}:0][4:0][4:0] KernelTurns = {turns_literal()};\n")


def emit():
    out = ["// Generated from sw/isa/isa.py by sw/isa/generate.py.\n",
           "/// Instruction set and numbers of the machine (docs/reference/isa.md): opcodes, enumerations, layout_field(word).\n",
           "package weft_isa_pkg;\n",
           "  /* verilator lint_off UNUSEDPARAM */  // no module uses all of them\n",
           *[f"  /// {doc[0].upper()}{doc[1:]}.\n  localparam int unsigned Default{name} = {value};\n"
             for name, (value, doc) in isa.MACHINE.items()],
           _kernel_turns(),
           "  /* verilator lint_on UNUSEDPARAM */\n",
           "  /// Opcodes. Zero and the gaps are illegal.\n",
           _enum("op", [(i.name, i.op) for i in isa.INSTRS], 6, "OP")]
    for name, values in isa.ENUMS.items():
        out.append(f"  /// {isa.ENUM_DOCS[name]}\n")
        out.append(_enum(name, [(n, v) for v, n in enumerate(values) if n], isa.ENUM_WIDTHS[name], name.upper()))
    out.append("  // A field function looks at its own bits only.\n  /* verilator lint_off UNUSEDSIGNAL */\n")
    out.append("  function automatic logic [5:0] opcode(input logic [31:0] word);\n"
               f"    return word[{isa.OP_MSB}:{isa.OP_LSB}];\n  endfunction\n")
    for layout, fields in isa.LAYOUTS.items():
        out.append(f"\n  // {layout}: {isa.LAYOUT_DOCS[layout]}\n")
        out += [_extract(layout, f) for f in fields.values()]
    out += ["\n", _colors_in(), _legal("main"), _legal("psum")]
    out.append("  /* verilator lint_on UNUSEDSIGNAL */\n")
    out.append("endpackage\n")
    return "".join(out)
