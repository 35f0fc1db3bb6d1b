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


def _any(fields, switches):
    return " | ".join(_bits(fields[s]) for s in switches)


def _colors_in():
    out = ["  /// All colors that an instruction of psum uses are in the set.\n"
           "  function automatic logic psum_colors_in(input logic [31:0] word, input logic [31:0] set);\n"
           "    psum_colors_in = 1'b1;\n    case (word[31:26])\n"]
    for ins in isa.INSTRS:
        terms = []
        fields = {f.name: f for f in ins.fields}
        for name, switches in isa.COLORS_USED.get(ins.name, {}).items():
            within = f"1'(set >> {_bits(fields[name])})"
            terms.append(f"(~({_any(fields, switches)}) | {within})" if switches else within)
        if terms:
            out.append(f"      OP_{ins.name.upper()}: psum_colors_in = {' & '.join(terms)};\n")
    out.append("      default: ;\n    endcase\n  endfunction\n")
    return "".join(out)


def _legal_fields(ins, thread):
    """What an instruction's fields must fulfil, as expressions."""
    terms = []
    fields = {f.name: f for f in ins.fields}
    for f in ins.fields:
        values = isa.legal_values(ins, f, thread)
        if values is not None:
            width = 1 << (f.msb - f.lsb + 1)
            terms.append(f"1'({width}'h{sum(1 << v for v in values):x} >> {_bits(f)})")
        needs = isa.NEEDS.get((ins.name, f.name))
        if needs:
            held = [f"({_bits(fields[n])} == {fields[n].msb - fields[n].lsb + 1}'d{v})" for n, v in needs.items()]
            terms.append(f"(~{_bits(f)} | ({' & '.join(held)}))")
    for (name, field, value), forbidden in isa.FORBIDS.items():
        if name == ins.name:
            is_so = lambda f, v: f"({_bits(fields[f])} == {fields[f].msb - fields[f].lsb + 1}'d{isa.ENUMS[f].index(v)})"
            terms += [f"~({is_so(field, value)} & {is_so(other, v)})" for other, v in forbidden.items()]
    if ins.name in isa.COLORS_USED:
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
           "/// The instruction set and the machine's numbers (docs/isa.md): opcodes, enumerations, and layout_field(word) for every field.\n",
           "package weft_isa_pkg;\n",
           "  /* verilator lint_off UNUSEDPARAM */  // nobody uses all of them\n",
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
