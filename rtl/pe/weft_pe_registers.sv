// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A thread's sixteen registers; r0 reads 0 and is never written. After power-up the others hold anything.
///
/// Latency: none from raddr_i to rdata_o, which means nothing without re_i; a written register can be read in the next
/// cycle.
`include "weft_check.svh"

module weft_pe_registers #(
  parameter int unsigned Ports = 2
) (
  input  logic                    clk_i,
  input  logic                    we_i,
  input  logic [3:0]              waddr_i,
  input  logic [15:0]             wdata_i,
  input  logic                    re_i,      // rdata_o is used
  input  logic [Ports-1:0][3:0]   raddr_i,
  output logic [Ports-1:0][15:0]  rdata_o
);

  (* no_rw_check *) logic [15:0] rf_q [16] /* verilator public_flat_rw */;
`ifndef SYNTHESIS
  initial for (int i = 0; i < 16; i++) rf_q[i] = '0;
`endif

  always_ff @(posedge clk_i) begin
    `WEFT_IF_ANY(we_i) if (we_i && waddr_i != '0) rf_q[waddr_i] <= wdata_i;
  end

  always_comb begin
    rdata_o = '0;
    `WEFT_IF_ANY(re_i) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        if (raddr_i[p] != '0) rdata_o[p] = rf_q[raddr_i[p]];
      end
    end
  end

endmodule
