// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A router's part of a tile's debug status: the queues and credits that are built, in the order of their numbers. No
/// state.
///
/// For each queue: nonempty, then its read pointer and its write pointer. For each output and color: the credits left.
/// Last, the outputs that the front message of color W from the west must still be sent to.
module weft_router_status
  import weft_pkg::*;
  import weft_debug_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth,
  parameter logic [Colors-1:0][Ports-1:0][Ports-1:0] Turns = '1,
  localparam int unsigned Queues     = Ports * Colors,
  localparam int unsigned PtrBits    = $clog2(Depth),
  localparam int unsigned CreditBits = $clog2(Depth + 1),
  localparam int unsigned Bits       = router_bits(turns_t'(Turns), Colors, Depth)
) (
  /* verilator lint_off UNUSEDSIGNAL */  // queues and credits that are not built
  input  logic [Queues-1:0]                 nonempty_i,
  input  logic [1:0][PtrBits-1:0][Queues-1:0] pointers_i,  // read, written
  input  logic [CreditBits-1:0][Queues-1:0] credits_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [1:0]                        w_left_i,    // W from the west must still be sent to the east, to the PE
  output logic [Bits-1:0]                   status_o
);

  localparam turns_t      All  = turns_t'(Turns);
  localparam int unsigned Size = queue_bits(Depth);
  localparam int unsigned Rest = queues(All, Colors, Queues) * Size;

  assign status_o[Bits-1:Bits-2] = w_left_i;

  for (genvar q = 0; q < int'(Queues); q++) begin : gen_place
    if (has_queue(All, Colors, q)) begin : gen_queue
      localparam int unsigned At = queues(All, Colors, q) * Size;
      assign status_o[At] = nonempty_i[q];
      for (genvar b = 0; b < int'(PtrBits); b++) begin : gen_bit
        assign status_o[At+1+b]         = pointers_i[0][b][q];
        assign status_o[At+1+PtrBits+b] = pointers_i[1][b][q];
      end
    end
    if (has_credits(All, Colors, q)) begin : gen_credits
      localparam int unsigned At = Rest + credits(All, Colors, q) * CreditBits;
      for (genvar b = 0; b < int'(CreditBits); b++) begin : gen_bit
        assign status_o[At+b] = credits_i[b][q];
      end
    end
  end

endmodule
