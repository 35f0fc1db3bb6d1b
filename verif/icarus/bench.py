"""A bench for Icarus Verilog: plays an instance's recorded inputs into the module, and compares every output in every cycle."""
import subprocess
from functools import lru_cache

SIMULATION_ONLY = "dbg_o"  # has nothing to say while a PE works
SHOWN = 5  # mismatches that are printed

BENCH = """\
module bench;
  reg  [{ins}-1:0]  in;
  reg  [{outs}-1:0] want, looked_at;
  wire [{outs}-1:0] got;
  integer file, read, cycle, wrong;
  reg clk;
{arrays}
  {top} {parameters}dut (
    {connections});

  initial begin
    file = $fopen("{vectors}", "r");
    cycle = 0;
    wrong = 0;
    clk = 1'b0;
    read = $fscanf(file, "%h %h %h", in, want, looked_at);
    while (read == 3) begin
      #1;
      if (cycle > 0 && ((got ^ want) & looked_at) !== 0) begin
        wrong = wrong + 1;
        if (wrong <= {shown}) begin
{shows}
        end
      end
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      cycle = cycle + 1;
      read = $fscanf(file, "%h %h %h", in, want, looked_at);
    end
    $display("%0d cycles, %0d wrong", cycle, wrong);
    $finish;
  end
endmodule
"""


def looked_at(instance, port, when):
    """For each cycle, the bits of the port that a module reads: all, or those of its elements that `when` names."""
    if not when:
        everything = (1 << port.width) - 1
        return (everything for _ in instance.values[port.name])
    size = port.width // when.count
    element = (1 << size) - 1
    array = len(port.codes) > 1 and when.count > 1  # element 0 of an array is its top
    places = [(when.count - 1 - i if array else i) * size for i in range(when.count)]

    @lru_cache(None)
    def mask(bits):
        return sum(element << at for i, at in enumerate(places) if bits >> i & 1)

    return (mask(bits) for bits in when.bits(instance))


def array(port, word, at):
    """Declares an unpacked array for a port of a module that yosys has not made flat; element 0 is its top."""
    count = len(port.codes)
    size = port.width // count
    lines = [f"  wire [{size - 1}:0] {port.name} [0:{count - 1}];"]
    for i in range(count):
        part, element = f"{word}[{at + (count - 1 - i) * size}+:{size}]", f"{port.name}[{i}]"
        lines.append(f"  assign {part} = {element};" if word == "got" else f"  assign {element} = {part};")
    return "\n".join(lines) + "\n"


def text(bench, instance, vectors, parameters):
    """(the bench in Verilog, its vectors)"""
    ins = [p for n, p in sorted(instance.ports.items()) if n.endswith("_i") and n != "clk_i"]
    outs = [p for n, p in sorted(instance.ports.items()) if n.endswith("_o") and n != SIMULATION_ONLY]
    connections, shows, arrays = [".clk_i(clk)"], [], []
    for word, ports in (("in", ins), ("got", outs)):
        at = 0
        for p in ports:
            part = f"[{at + p.width - 1}:{at}]"
            if bench.direct and len(p.codes) > 1:
                connections.append(f".{p.name}({p.name})")
                arrays.append(array(p, word, at))
            else:
                connections.append(f".{p.name}({word}{part})")
            if word == "got":
                shows.append(f'          if (((got{part} ^ want{part}) & looked_at{part}) !== 0) $display("cycle %0d: {p.name} is %h, recorded %h", '
                             f"cycle, got{part}, want{part});")
            at += p.width

    def words(ports, columns):
        for values in zip(*columns):
            number = at = 0
            for p, v in zip(ports, values):
                number |= v << at
                at += p.width
            yield f"{number:x}"

    given, wanted = ([instance.values[p.name] for p in ports] for ports in (ins, outs))
    masks = [looked_at(instance, p, bench.only.get(p.name)) for p in outs]
    lines = "".join(f"{i} {o} {m}\n" for i, o, m in zip(words(ins, given), words(outs, wanted), words(outs, masks)))
    given = ", ".join(f".{n}({v})" for n, v in parameters.items())
    code = BENCH.format(ins=sum(p.width for p in ins), outs=sum(p.width for p in outs), top=bench.module, vectors=vectors,
                        parameters=f"#({given}) " if given else "", connections=",\n    ".join(connections), arrays="".join(arrays),
                        shows="\n".join(shows), shown=SHOWN)
    return code, lines


def play(bench, instance, base, command, parameters):
    """(cycles, wrong cycles, what was said). wrong is None if Icarus does not take the sources that are in `command`."""
    code, lines = text(bench, instance, f"{base}.vec", parameters)
    with open(f"{base}.vec", "w") as file:
        file.write(lines)
    with open(f"{base}.bench.v", "w") as file:
        file.write(code)
    made = subprocess.run(["iverilog", "-g2012", "-s", "bench", "-o", f"{base}.vvp", *command, f"{base}.bench.v"],
                          capture_output=True, text=True)
    if made.returncode:
        said = (made.stdout + made.stderr).splitlines(keepends=True)
        return 0, None, "".join(line for line in said if "sorry: constant selects" not in line)
    said = subprocess.run(["vvp", "-n", f"{base}.vvp"], capture_output=True, text=True).stdout
    last = said.rstrip().rsplit("\n", 1)[-1].split()
    if last[1:2] != ["cycles,"]:
        return 0, None, said
    return int(last[0]), int(last[2]), said
