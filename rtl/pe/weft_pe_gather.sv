// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// vdot's lists: gathers indices into groups while the groups before them are computed.
///
/// The indices are in a small RAM, a ring buffer; a queue holds the closed groups. A group is closed by the message
/// after its last index: the carriage return (which makes it the last group), or one more index when it is full. An
/// output without an index closes an empty last group. Behind the carriage return nothing is taken until the next
/// output is to be gathered (ahead_i).
///
/// The reader moves a pointer: to the oldest group's first index (start_i), and to the next one (next_i).
///
/// Latency: a closed group is offered one cycle later; data_o follows first_i and the pointer.
`include "weft_check.svh"

module weft_pe_gather (
  input  logic         clk_i,
  input  logic         rst_i,
  /// An instruction begins, for which nothing was gathered ahead.
  input  logic         clear_i,
  /// The output behind the carriage return is to be gathered.
  input  logic         ahead_i,
  /// Indices of a full group, for an output that begins; 0 means 16.
  input  logic [3:0]   full_i,
  input  logic         enable_i,
  // the stream: an index's entry, or the carriage return
  input  logic         valid_i,
  input  logic         cr_i,
  input  logic [15:0]  data_i,
  output logic         take_o,
  /// The carriage return has come.
  output logic         gathered_o,
  /// A clock edge changes something here.
  output logic         step_o,
  // the oldest closed group
  output logic         valid_o,
  output logic [4:0]   count_o,
  output logic         last_o,
  input  logic         free_i,
  // its indices: data_o is the first, or the one at the pointer
  input  logic         first_i,
  input  logic         start_i,
  input  logic         next_i,
  output logic [15:0]  data_o
);

  localparam int unsigned Groups = 4;

  typedef struct packed {
    logic       last;
    logic [4:0] count;
  } group_t;

  (* no_rw_check *) logic [15:0] list_q [32];

  group_t [Groups-1:0] group_q;
  group_t     front;
  logic [1:0] head_q, tail_q;         // the oldest group; the one that closes next
  logic [2:0] closed_q;               // groups
  logic [4:0] wr_q, first_q, at_q;    // next index to write; the oldest group's first; the pointer
  logic [4:0] fill_q;                 // indices of the open group
  logic [3:0] full_q;
  logic       ring_full_q, gathered_q;
  logic       room, close, add, frees;

  always_comb begin
    close   = 1'b0;
    add     = 1'b0;
    room    = 1'b0;
    valid_o = 1'b0;
    count_o = '0;
    last_o  = 1'b0;
    front   = '0;
    take_o  = 1'b0;
    `WEFT_IF_ANY(enable_i) begin
      front   = group_q[head_q];
      room    = enable_i & valid_i;
      close   = room & ~closed_q[2] & (cr_i | (fill_q[3:0] == full_q && fill_q != '0));
      add     = room & ~cr_i & ~ring_full_q & ~(fill_q[3:0] == full_q && fill_q != '0);
      valid_o = closed_q != '0;
      count_o = front.count;
      last_o  = front.last;
      take_o  = add | (close & cr_i);
    end
  end

  assign frees = free_i & (count_o != '0);

  always_comb begin
    data_o = '0;
    `WEFT_IF_ANY(enable_i) data_o = list_q[first_i ? first_q : at_q];
  end

  // Without a vdot only the pointer could change, and a vdot's first group sets it.
  always_ff @(posedge clk_i) begin
    `WEFT_IF_ANY(enable_i | clear_i | ahead_i) begin
      if (add) list_q[wr_q] <= data_i;
      if (close) group_q[tail_q] <= '{last: cr_i, count: fill_q};
      if (clear_i || ahead_i) full_q <= full_i;
      if (next_i) at_q <= at_q + 5'd1;
      if (start_i) at_q <= first_q + 5'd1;
      if (frees) ring_full_q <= 1'b0;
      else if (add) ring_full_q <= (wr_q + 5'd1) == first_q;
      if (add) begin
        wr_q   <= wr_q + 5'd1;
        fill_q <= fill_q + 5'd1;
      end
      if (close) begin
        fill_q <= '0;
        tail_q <= tail_q + 2'd1;
      end
      if (close && cr_i) gathered_q <= 1'b1;
      else if (ahead_i) gathered_q <= 1'b0;
      if (free_i) begin
        head_q  <= head_q + 2'd1;
        first_q <= first_q + count_o;
      end
      if (close != free_i) closed_q <= close ? closed_q + 3'd1 : closed_q - 3'd1;
    end
    if (rst_i || clear_i) begin
      closed_q    <= '0;
      head_q      <= '0;
      tail_q      <= '0;
      wr_q        <= '0;
      first_q     <= '0;
      ring_full_q <= 1'b0;
      gathered_q  <= 1'b0;
      fill_q      <= '0;
    end
  end

  assign gathered_o = gathered_q;
  assign step_o     = close | add;

  `WEFT_ASSUME(FreesWhatIsThere, !free_i || closed_q != '0)
  `WEFT_ASSUME(GathersAheadOnlyBehindAnEnd, !ahead_i || gathered_q)

endmodule
