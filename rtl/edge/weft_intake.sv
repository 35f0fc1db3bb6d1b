// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The fan-out cell of one row at the west edge: takes the messages for its row from the valve's chain and passes the
/// rest on to the south.
///
/// A control message goes to the cell's own row and on to the next cell; a data message goes to the own row if
/// `index >> row_shift_i == row_i`, else to the next cell. The last cell of a chain forwards nothing: control messages end
/// there, and a data message for none of the chain's rows is dropped and remembered in `no_row_o`.
///
/// Chain and tile are links with credits for color W; the chain carries only color W.
///
/// Latency: 2 cycles from chain to chain and from chain to tile. Sustains one message per cycle.
/// While `awake_o` is 0 and no valid_i, credit or reset comes, a clock edge changes no state.
`include "weft_check.svh"

module weft_intake
  import weft_pkg::*;
#(
  /// Messages buffered here, and, of color W, in the next cell and in the tile.
  parameter int unsigned Depth = weft_isa_pkg::DefaultDepth,
  localparam int unsigned PtrBits    = $clog2(Depth),
  localparam int unsigned CreditBits = $clog2(Depth + 1)
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // constants of the cell's position
  input  coordinate_t row_i,
  input  logic [4:0]  row_shift_i,   // 0..16
  input  logic        last_i,        // the chain ends here
  // from the valve or the cell to the north
  input  logic        valid_i,
  input  msg_t        msg_i,
  output logic        credit_o,
  // to the cell to the south
  output logic        next_valid_o,
  output msg_t        next_msg_o,
  input  logic        next_credit_i,
  // to the row's first tile
  output logic        tile_valid_o,
  output msg_t        tile_msg_o,
  input  logic        tile_credit_i,
  output logic        awake_o,
  // sticky flags
  output logic        no_row_o,
  output logic        bad_color_o,
  // for the debug chain: nonempty, read and write pointers, branches served, credits
  output logic [2*PtrBits+2:0]   fill_o,
  output logic [2*CreditBits-1:0] credits_o
);

  // Branches, as bits of a set.
  localparam int unsigned Tile = 0;
  localparam int unsigned Next = 1;

  logic       nonempty, pop, mine, no_row_q;
  logic [1:0] avail, wanted, send, served_q, valid_q;
  msg_t       front [1];
  logic [1:0][PtrBits-1:0][0:0]    pointers;
  logic [CreditBits-1:0][1:0]      credits;
  msg_t       tile_msg_q, next_msg_q;
  /* verilator lint_off UNUSEDSIGNAL */
  weight_t    weight;  // only the index decides
  /* verilator lint_on UNUSEDSIGNAL */

  weft_link_buffer #(.Colors(1), .Depth(Depth), .ReadPorts(1)) i_buffer (
    .clk_i, .rst_i, .valid_i, .msg_i, .credit_o,
    .nonempty_o(nonempty), .select_i(1'b1), .front_o(front), .pop_i(pop), .bad_color_o,
    .pointers_o(pointers)
  );

  weft_link_credits #(.Pairs(2), .Depth(Depth)) i_credits (
    .clk_i, .rst_i, .credit_i({next_credit_i, tile_credit_i}), .take_i(send), .avail_o(avail),
    .count_o(credits)
  );

  assign weight = front[0].data;

  always_comb begin
    mine         = (weight.index >> row_shift_i) == 16'(row_i);
    wanted[Tile] = front[0].ctrl || mine;
    wanted[Next] = (front[0].ctrl || !mine) && !last_i;
    send         = nonempty ? (wanted & ~served_q & avail) : '0;
    pop          = nonempty && (wanted & ~served_q & ~send) == '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q  <= '0;
      served_q <= '0;
      no_row_q <= 1'b0;
    end else begin
      valid_q <= send;
      if (nonempty) served_q <= pop ? '0 : served_q | send;
      if (nonempty && wanted == '0) no_row_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (send[Tile]) tile_msg_q <= front[0];
    if (send[Next]) next_msg_q <= front[0];
  end

  assign tile_valid_o = valid_q[Tile];
  assign next_valid_o = valid_q[Next];
  assign tile_msg_o   = tile_msg_q;
  assign next_msg_o   = next_msg_q;
  assign no_row_o     = no_row_q;
  assign fill_o       = {served_q, pointers, nonempty};
  for (genvar b = 0; b < int'(CreditBits); b++) begin : gen_credits
    assign credits_o[b]            = credits[b][Tile];
    assign credits_o[CreditBits+b] = credits[b][Next];
  end
  assign awake_o      = pop || (send | valid_q) != '0 || credit_o;

  // The served branches belong to the message that waits: none is left over from an earlier message, and never are all
  // served.
  `WEFT_ASSERT(ServedIsAPartOfTheWanted,
               nonempty ? (served_q & ~wanted) == '0 && (served_q == '0 || served_q != wanted) : served_q == '0)
  `WEFT_ASSUME(OnlyColorW, !valid_i || msg_i.color == weft_isa_pkg::COLOR_W)

endmodule
