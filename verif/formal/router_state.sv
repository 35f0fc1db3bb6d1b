/// Invariants of a router's state, for the inductions of the proofs that contain one.
///
/// Inputs are the router's registers, by their names in the router; `stored_o` is the number of messages in each queue,
/// `credits_o` the number of credits of each (output, color). Both are indexed by [port][color].
///
/// Latency: none.
`include "proof.svh"

module router_state
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth
) (
  input  logic                                              clk_i,
  input  logic                                              rst_i,
  // link_buffers and link_credits: [bit][port, color]
  input  logic [$clog2(Depth)-1:0][Ports*Colors-1:0]        wptr_i,
  input  logic [$clog2(Depth)-1:0][Ports*Colors-1:0]        rptr_i,
  input  logic [Ports*Colors-1:0]                           nonempty_i,
  input  logic [$clog2(Depth+1)-1:0][Ports*Colors-1:0]      count_i,
  // router_input registers
  input  logic [Ports-1:0][Colors-1:0]                      empty_i,
  input  logic [Ports-1:0][Colors-1:0]                      fresh_i,
  input  logic [Ports-1:0][Ports-1:0][Colors-1:0]           route_i,    // [input][output]
  input  logic [Ports-1:0][Ports-1:0][Colors-1:0]           pending_i,  // [input][output]
  output logic [Ports-1:0][Colors-1:0][$clog2(Depth+1)-1:0] stored_o,
  output logic [Ports-1:0][Colors-1:0][$clog2(Depth+1)-1:0] credits_o
);

  localparam int unsigned PtrBits   = $clog2(Depth);
  localparam int unsigned CountBits = $clog2(Depth + 1);

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    for (genvar c = 0; c < int'(Colors); c++) begin : gen_color
      logic [PtrBits-1:0] wptr, rptr;
      logic               any_routed, any_pending;
      always_comb begin
        for (int unsigned b = 0; b < PtrBits; b++) begin
          wptr[b] = wptr_i[b][p*Colors+c];
          rptr[b] = rptr_i[b][p*Colors+c];
        end
        for (int unsigned b = 0; b < CountBits; b++) credits_o[p][c][b] = count_i[b][p*Colors+c];
        {any_routed, any_pending} = '0;
        for (int unsigned o = 0; o < Ports; o++) begin
          any_routed  = any_routed | route_i[p][o][c];
          any_pending = any_pending | pending_i[p][o][c];
        end
      end
      queue_view #(.Depth(Depth)) i_view (
        .clk_i, .rst_i, .nonempty_i(nonempty_i[p*Colors+c]), .wptr_i(wptr), .rptr_i(rptr), .stored_o(stored_o[p][c])
      );
      `PROVE(EmptyIsARouteToNowhere, empty_i[p][c] == !any_routed)
      `PROVE(SomewhereIsLeftToGo, fresh_i[p][c] || empty_i[p][c] || any_pending)
    end
  end

endmodule
