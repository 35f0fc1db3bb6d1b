// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// vdot's lists of indices: selects the next entry, and hands off each group of them between main and psum.
///
/// pe_gather closes groups; a group is offered (`valid_o`) until it is done: an empty group when VdotWait takes it, any
/// other when the last beat of its last index issues. Then an entry of MP gives psum the number of results to come;
/// after the last group the entry of PM is taken, too, as its words are no longer needed.
///
/// Latency: none, but for pe_gather's.
`include "weft_check.svh"

module weft_pe_main_groups
  import weft_pe_pkg::*;
  import weft_pe_seq_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_i,
  input  logic         accept_i,     // an instruction begins
  input  logic         next_i,       // the next one is a vdot, and waits to be accepted
  output logic         ahead_o,      // begin with the lists of the next vdot
  input  logic [3:0]   full_i,       // indices of its full groups
  input  logic         enable_i,     // a vdot runs
  // the stream of W, as pe_weights has it
  input  logic         weight_valid_i,
  input  logic         weight_cr_i,
  input  logic [15:0]  weight_entry_i,
  output logic         take_o,
  output logic         gathered_o,   // the carriage return has come
  output logic         step_o,       // a clock edge changes something here
  // the sequencer's state and step
  input  main_state_e  state_i,
  input  logic [4:0]   place_i,      // place in the group
  input  logic         alone_i,      // it leaves VdotWait
  input  logic         issue_i,      // a beat issues
  input  move_e        move_i,       // how the issue moves the addresses
  input  logic         last_issue_i, // a weight's last beat issues
  // the oldest group
  output logic         valid_o,
  output logic         empty_o,
  output logic         last_o,       // it is the output's last group
  output logic         last_place_o, // place_i is its last one
  output logic [15:0]  next_o,       // the entry after place_i's, or the first
  // handoff
  output logic         mp_put_o,
  output mp_t          mp_entry_o,
  output logic         pm_take_o
);

  logic [4:0] count;
  logic       last, last_place, through, first, gathered;
  logic       ahead_q;  // the lists are those of the next vdot

  always_comb begin
    ahead_o = 1'b0;
    `WEFT_IF_ANY(enable_i & gathered) ahead_o = enable_i & gathered & ~ahead_q & next_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || accept_i) ahead_q <= 1'b0;
    else if (ahead_o) ahead_q <= 1'b1;
  end

  weft_pe_gather i_gather (
    .clk_i, .rst_i, .clear_i(accept_i & ~ahead_q), .ahead_i(ahead_o), .full_i, .enable_i,
    .valid_i(weight_valid_i), .cr_i(weight_cr_i), .data_i(weight_entry_i), .take_o, .gathered_o(gathered), .step_o,
    .valid_o, .count_o(count), .last_o(last), .free_i(through),
    .first_i(first), .start_i(alone_i | (issue_i & (move_i == MoveColumn))), .next_i(issue_i & (move_i == MoveIndex)),
    .data_o(next_o)
  );

  // The list's next entry: the following index, or the first one for the next words.
  always_comb begin
    last_place = 1'b0;
    first      = 1'b0;
    `WEFT_IF_ANY(enable_i) begin
      last_place = place_i == count - 5'd1;
      first      = (state_i == MsVdotWait) | last_place;
    end
  end

  always_comb begin
    through    = 1'b0;
    mp_entry_o = '{empty: 1'b0, last: 1'b1, count: '0};
    case (state_i)
      MsVdotWait: through = alone_i & (count == '0);
      MsVdot:     through = last_issue_i & last_place;
      default: ;
    endcase
    if (through) mp_entry_o = '{empty: 1'b0, last: last, count: count};
  end

  assign gathered_o   = gathered;
  assign empty_o      = count == '0;
  assign last_o       = last;
  assign last_place_o = last_place;
  assign mp_put_o     = through;
  assign pm_take_o    = through & last;

endmodule
