// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The PE's way in: the buffers of the ramp, and the two messages in them that the PE sees: the front of W, and the front
/// of the color that psum reads.
///
/// Psum reads the color of its sequencer or, while the sequencer is idle, that of rcv. In the last column, rcv on WEST
/// reads 0 at once.
///
/// Latency: 1 cycle from valid_i to a front.
`include "weft_check.svh"

module weft_pe_inbox
  import weft_pkg::*;
#(
  parameter int unsigned Colors = weft_isa_pkg::DefaultColors,
  parameter int unsigned Depth  = weft_isa_pkg::DefaultDepth
) (
  input  logic                clk_i,
  input  logic                rst_i,
  // the link
  input  logic                valid_i,
  input  msg_t                msg_i,
  output logic [Colors-1:0]   credit_o,
  output logic                bad_color_o,
  // the front of W
  output logic                w_valid_o,
  output msg_t                w_front_o,
  input  logic                w_pop_i,
  // psum: its thread, its sequencer, rcv
  input  logic                psum_active_i,
  input  logic                psum_idle_i,     // the sequencer is
  input  color_t              seq_color_i,
  output logic                seq_valid_o,
  input  logic                seq_pop_i,
  input  color_t              rcv_color_i,
  input  logic                last_column_i,
  output logic                rcv_valid_o,
  output logic [15:0]         rcv_data_o,
  input  logic                rcv_pop_i,
  // the color that psum reads
  output color_t              psum_color_o,
  output logic                psum_valid_o,
  output logic [31:0]         psum_front_o,
  // for the debug chain: colors with a message, read pointers (0) and write pointers (1) by bit
  output logic [Colors-1:0]   nonempty_o,
  output logic [1:0][$clog2(Depth)-1:0][Colors-1:0] pointers_o
);

  logic [Colors-1:0]      nonempty, pop, seq_select, psum_select;
  logic [1:0][Colors-1:0] select;
  msg_t                   front [2];  // 0: W, 1: psum's color
  logic                   w_valid, west_end, psum_valid, psum_pop;

  weft_link_buffer #(.Colors(Colors), .Depth(Depth), .ReadPorts(2)) i_buffer (
    .clk_i, .rst_i, .valid_i, .msg_i, .credit_o,
    .nonempty_o(nonempty), .select_i(select), .front_o(front), .pop_i(pop), .bad_color_o, .pointers_o
  );

  assign w_valid = nonempty[0];

  always_comb begin
    select[0] = '0;  // an empty color's front is not used
    `WEFT_IF_ANY(w_valid) select[0] = Colors'(1);
    select[1] = psum_select;
  end

  // The instruction memory is slow, so the color of rcv stays out of the sequencer's decisions.
  always_comb begin
    west_end     = 1'b0;
    psum_color_o = '0;
    seq_select   = '0;
    psum_select  = '0;
    seq_valid_o  = 1'b0;
    psum_valid   = 1'b0;
    `WEFT_IF_ANY({psum_active_i, ~psum_idle_i}) begin
      west_end     = (rcv_color_i == weft_isa_pkg::COLOR_WEST) & last_column_i;
      psum_color_o = psum_idle_i ? rcv_color_i : seq_color_i;
      seq_select   = Colors'(1) << seq_color_i;
      psum_select  = psum_idle_i ? Colors'(1) << rcv_color_i : seq_select;
      seq_valid_o  = |(nonempty & seq_select);
      psum_valid   = |(nonempty & psum_select);
    end
  end

  assign psum_pop = seq_pop_i | (rcv_pop_i & ~west_end);

  always_comb begin
    pop = Colors'(w_pop_i);
    if (psum_pop) pop = pop | psum_select;
  end

  assign w_valid_o    = w_valid;
  assign w_front_o    = front[0];
  assign psum_valid_o = psum_valid;
  assign psum_front_o = front[1].data;
  assign rcv_valid_o  = west_end | psum_valid;
  assign rcv_data_o   = west_end ? '0 : front[1].data[15:0];
  assign nonempty_o   = nonempty;

endmodule
