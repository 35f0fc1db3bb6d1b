/// vdot's lists: gathers indices into groups of up to 16 while the group before computes.
///
/// Two halves of a small RAM take turns. A group is closed by the message after its last index: the carriage return
/// (then it is the last one), or one more index when it is full. An output without an index closes an empty last group.
///
/// Latency: a closed group is offered one cycle later; data_o follows j_i.
`include "weft_check.svh"

module pe_gather (
  input  logic         clk_i,
  input  logic         rst_i,
  /// An instruction begins.
  input  logic         clear_i,
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
  input  logic [3:0]   j_i,
  output logic [15:0]  data_o
);

  (* no_rw_check *) logic [15:0] list_q [32];

  logic [1:0]      closed_q, last_q;
  logic [1:0][4:0] count_q;
  logic            wr_q, rd_q, gathered_q;
  logic [4:0]      fill_q;
  logic            work, close, add;

  always_comb begin
    work    = 1'b0;
    close   = 1'b0;
    add     = 1'b0;
    valid_o = 1'b0;
    count_o = '0;
    last_o  = 1'b0;
    `WEFT_IF_ANY(enable_i) begin
      work    = enable_i & valid_i & ~closed_q[wr_q];
      close   = work & (cr_i | fill_q[4]);
      add     = work & ~cr_i & ~fill_q[4];
      valid_o = closed_q[rd_q];
      count_o = count_q[rd_q];
      last_o  = last_q[rd_q];
    end
  end

  always_comb begin
    data_o = '0;
    `WEFT_IF_ANY(enable_i) data_o = list_q[{rd_q, j_i}];
  end

  always_ff @(posedge clk_i) begin
    if (add) list_q[{wr_q, fill_q[3:0]}] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) begin
      closed_q   <= '0;
      wr_q       <= 1'b0;
      rd_q       <= 1'b0;
      gathered_q <= 1'b0;
      fill_q     <= '0;
    end else begin
      if (add) fill_q <= fill_q + 5'd1;
      if (close) begin
        closed_q[wr_q] <= 1'b1;
        last_q[wr_q]   <= cr_i;
        count_q[wr_q]  <= fill_q;
        fill_q         <= '0;
        wr_q           <= ~wr_q;
        gathered_q     <= cr_i;
      end
      if (free_i) begin
        closed_q[rd_q] <= 1'b0;
        rd_q           <= ~rd_q;
      end
    end
  end

  assign take_o     = add | (close & cr_i);
  assign gathered_o = gathered_q;
  assign step_o     = work;

endmodule
