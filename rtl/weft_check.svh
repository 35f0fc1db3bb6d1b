// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Named invariants at the end of a module that has clk_i and rst_i: `WEFT_ASSERT(NameThatReadsAsASentence, expression)`
// is a guarantee of the module, `WEFT_ASSUME(Name, expression)` a promise by the drivers of its inputs.
//
// In simulation (verilator --assert) both are checked on every clock edge; in synthesis (SYNTHESIS) both are removed.
// In a proof (FORMAL) both are properties to be proved, in every instance: whoever instantiates a module must keep its
// promises. Only the promises of the module under proof become assumptions: each promise is a block `promise_Name`, and
// `chformal -assert2assume i_dut.promise_*` in the proof's script converts those of i_dut, but none of its submodules
// (verif/formal/README.md). If that command matched nothing, the proof would fail.
//
// `WEFT_PARAM(condition, message)` stops elaboration: the message names the module and says what to change.
`ifndef WEFT_CHECK_SVH
`define WEFT_CHECK_SVH

`ifdef FORMAL
// A step of a proof is a clock cycle: a property that holds in every step holds at every edge.
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

// Newer Verilators require a name for the block; other tools reject the same name twice even if neither block is
// elaborated.
`ifdef VERILATOR
`define WEFT_PARAM(cond, msg) if (!(cond)) begin : gen_refused $error(msg); end
`else
`define WEFT_PARAM(cond, msg) if (!(cond)) $error(msg);
`endif

// Signals that only invariants read are declared under WEFT_CHECKED.
`ifdef FORMAL
`define WEFT_CHECKED
`elsif SYNTHESIS
`else
`define WEFT_CHECKED
`endif

// A hint to simulators: the statement that follows need not be evaluated while the set is empty, because its results
// are then unchanged or not used. Hardware always evaluates it, since the test would cost logic; +define+WEFT_IF_ALWAYS
// simulates that.
`ifdef SYNTHESIS
`define WEFT_IF_ANY(set) if (1'b1)
`elsif WEFT_IF_ALWAYS
`define WEFT_IF_ANY(set) if (1'b1)
`else
`define WEFT_IF_ANY(set) if ((set) != '0)
`endif

// Some modules have two forms with the same results in every cycle: one that is built, proved and read, and one that
// simulates faster with Verilator. +define+WEFT_BUILT_FORM simulates the built form, +define+WEFT_BUILT_COUNTS the
// built form of pe_perf.
`ifdef VERILATOR
`ifndef WEFT_BUILT_FORM
`define WEFT_FAST_FORM
`ifndef WEFT_BUILT_COUNTS
`define WEFT_FAST_COUNTS
`endif
`endif
`endif

// `WEFT_LANES(l, n, Count) body`: for l = 0 .. Count-1, in a block that has declared words l and n and set n = Count. A loop
// with a constant bound is unrolled by Verilator; this loop is left to the C++ compiler, which vectorizes it if the
// body has no branch.
`ifdef SYNTHESIS
`define WEFT_LANES(l, n, count) for (l = 0; l < (count); l++)
`else
`define WEFT_LANES(l, n, count) for (l = 0; l < n; l++)
`endif

// `WEFT_TO_BF16(to, x)`: to = fp32 word x as bf16, like weft_num_pkg::to_bf16, but as a statement for such a loop.
`define WEFT_TO_BF16(to, x) \
  to = (((x) >> 16) + (((x) >> 15) & (((x) >> 16) | 32'(((x) & 32'h7fff) != 32'd0)) & 32'd1)) & 32'h7fff; \
  to = (((x) & 32'h7f80_0000) == 32'd0) ? 32'd0 : to; \
  to = to | (((x) >> 16) & 32'h8000); \
  to = (((x) & 32'h7fff_ffff) > 32'h7f80_0000) ? 32'h7fc0 : to;

`endif
