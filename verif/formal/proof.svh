// Common part of every proof (README.md): a step is a clock cycle; the first one is a reset, later ones may be.
//
// `PROVE`, `GIVEN` and `COVER` in a module with clk_i and rst_i: properties to be proved, assumptions about the inputs of
// a proof, and events that must be reachable, so that the proof is not vacuous. GIVEN holds in a reset, too.
`ifndef PROOF_SVH
`define PROOF_SVH

`define PROVE(name, expr) always_comb if (!rst_i) name : assert (expr);
`define GIVEN(name, expr) always_comb name : assume (expr);
`define COVER(name, expr) always_comb if (!rst_i) name : cover (expr);

`define PROOF \
  logic started_q = 1'b0; \
  always_ff @(posedge clk_i) started_q <= 1'b1; \
  `GIVEN(ResetFirst, started_q || rst_i)

`endif
