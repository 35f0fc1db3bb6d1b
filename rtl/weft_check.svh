// Named invariants at the end of a module that has clk_i and rst_i: `WEFT_ASSERT(NameThatReadsAsASentence, expression)` is
// what the module guarantees, `WEFT_ASSUME(Name, expression)` what it was promised by those who drive its inputs.
//
// In simulation (verilator --assert) both are checked on every clock edge, in synthesis (SYNTHESIS) both are gone. In a
// proof (FORMAL) both are properties to be proved, of every instance: a promise is the duty of whoever instantiates the
// module. Only the promises of the module that is proved alone become assumptions, and a proof says so for its instance:
// there every promise is a block `promise_Name`, and `chformal -assert2assume i_dut.promise_*` turns those of i_dut, and
// of nothing inside it, round (verif/formal/README.md). If that line were to match nothing the proof would fail.
//
// `WEFT_PARAM(condition, message)` stops elaboration: the message names the module and says what to change.
`ifndef WEFT_CHECK_SVH
`define WEFT_CHECK_SVH

`ifdef FORMAL
// A step of a proof is a clock cycle: what holds in each of them holds at each edge.
`define WEFT_ASSERT(name, expr) always_comb if (!rst_i) name : assert (expr);
`define WEFT_ASSUME(name, expr) \
  if (1) begin : promise_``name \
    always_comb if (!rst_i) name : assert (expr); \
  end
`elsif SYNTHESIS
`define WEFT_ASSERT(name, expr)
`define WEFT_ASSUME(name, expr)
`else
// Immediate, not concurrent: a concurrent assertion samples before Verilator has settled inputs that change together with
// the clock, and then compares old with new values.
`define WEFT_ASSERT(name, expr) \
  always @(posedge clk_i) if (!rst_i) name : assert (expr) \
  else $fatal(1, "%m: broken invariant %s", `"name`");
`define WEFT_ASSUME(name, expr) \
  always @(posedge clk_i) if (!rst_i) name : assert (expr) \
  else $fatal(1, "%m: broken promise of the environment %s", `"name`");
`endif

// Newer Verilators want a name for its block, and take the same name twice while neither block is elaborated, as others do not.
`ifdef VERILATOR
`define WEFT_PARAM(cond, msg) if (!(cond)) begin : gen_refused $error(msg); end
`else
`define WEFT_PARAM(cond, msg) if (!(cond)) $error(msg);
`endif

// Signals that only invariants look at are declared under WEFT_CHECKED.
`ifdef FORMAL
`define WEFT_CHECKED
`elsif SYNTHESIS
`else
`define WEFT_CHECKED
`endif

// A hint to simulators: what follows need not be evaluated while the set is empty, because its results are then the same
// or not looked at. Hardware evaluates it always, and would pay for the question; +define+WEFT_IF_ALWAYS simulates that.
`ifdef SYNTHESIS
`define WEFT_IF_ANY(set) if (1'b1)
`elsif WEFT_IF_ALWAYS
`define WEFT_IF_ANY(set) if (1'b1)
`else
`define WEFT_IF_ANY(set) if ((set) != '0)
`endif

// Some modules have two forms with the same results in every cycle: one that is built, proved and read, and one
// for Verilator, which simulates faster. +define+WEFT_BUILT_FORM simulates what is built,
// +define+WEFT_BUILT_COUNTS what is built of pe_tally.
`ifdef VERILATOR
`ifndef WEFT_BUILT_FORM
`define WEFT_FAST_FORM
`ifndef WEFT_BUILT_COUNTS
`define WEFT_FAST_COUNTS
`endif
`endif
`endif

// `WEFT_LANES(l, n, Count) body`: for l = 0 .. Count-1, where the block has declared words l and n and set n = Count.
// A loop with a constant bound is one that Verilator unrolls; this one it leaves to the C++ compiler, which makes vector
// instructions of it if the body has no branch.
`ifdef SYNTHESIS
`define WEFT_LANES(l, n, count) for (l = 0; l < (count); l++)
`else
`define WEFT_LANES(l, n, count) for (l = 0; l < n; l++)
`endif

// `WEFT_TO_BF16(to, x)`: to = fp32 word x as bf16, like num_pkg::to_bf16, but as a statement for such a loop.
`define WEFT_TO_BF16(to, x) \
  to = (((x) >> 16) + (((x) >> 15) & (((x) >> 16) | 32'(((x) & 32'h7fff) != 32'd0)) & 32'd1)) & 32'h7fff; \
  to = (((x) & 32'h7f80_0000) == 32'd0) ? 32'd0 : to; \
  to = to | (((x) >> 16) & 32'h8000); \
  to = (((x) & 32'h7fff_ffff) > 32'h7f80_0000) ? 32'h7fc0 : to;

`endif
