"""isa_pkg.sv: the instruction set, and the machine's numbers, for the RTL."""

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


def _legal(thread):
    table = sum(1 << i.op for i in isa.INSTRS if thread in i.threads)  # bit by opcode: one shift simulates fastest
    return (f"  /// An opcode the {thread} thread may run; any other is BAD_INSTR.\n"
            f"  function automatic logic legal_{thread}(input logic [5:0] op);\n"
            f"    return 1'(64'h{table:016x} >> op);\n  endfunction\n")


def emit():
    out = ["// Generated from sw/isa/isa.py by sw/isa/generate.py.\n",
           "/// The instruction set and the machine's numbers (docs/isa.md): opcodes, enumerations, and layout_field(word) for every field.\n",
           "package isa_pkg;\n",
           "  /* verilator lint_off UNUSEDPARAM */  // nobody uses all of them\n",
           *[f"  /// {doc[0].upper()}{doc[1:]}.\n  localparam int unsigned {name} = {value};\n"
             for name, (value, doc) in isa.MACHINE.items()],
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
    out.append("  /* verilator lint_on UNUSEDSIGNAL */\n\n")
    out += [_legal("main"), _legal("psum")]
    out.append("endpackage\n")
    return "".join(out)
