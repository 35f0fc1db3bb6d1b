// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Collects the outlets' words into records for the host: a byte {row, n - 1}, then n words
/// (docs/reference/board_link.md, Up).
///
/// Rows are checked round robin, one a cycle. A record is made when a row has 16 words, or when none arrived for 64 to
/// 128 cycles.
///
/// A byte a cycle. Up to 31 words a row wait here, all in one block RAM.
`include "weft_check.svh"

module weft_collector #(
  /// 1 to 16.
  parameter int unsigned Rows = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  // the outlets
  input  logic [Rows-1:0]       valid_i,
  input  logic [Rows-1:0][31:0] data_i,
  output logic [Rows-1:0]       ready_o,
  output logic                  word_o,   // a word is taken
  // the stream to the host
  output logic                  valid_o,
  output logic [7:0]            data_o,
  input  logic                  ready_i,
  output logic                  empty_o
);

  `WEFT_PARAM(Rows >= 1 && Rows <= 16, "weft_collector: make Rows 1 to 16, a record's row has 4 bits")

  localparam int unsigned RowBits = Rows == 1 ? 1 : $clog2(Rows);
  typedef logic [RowBits-1:0] row_t;
  typedef logic [4:0]         place_t;

  (* no_rw_check *) logic [31:0] mem_q [32*(1<<RowBits)];
  logic [31:0] read_q;

  place_t          in_q [Rows], out_q [Rows];  // places in a row's 32
  logic [Rows-1:0] came_q, quiet_q, some;      // a word since the last check; a whole period without; words stored
  logic [5:0]      time_q;
  row_t            look_q, row_q;              // the row to check; the record's row
  place_t          waiting, read_at;
  logic            take, due, begin_d;
  logic [6:0]      left_q;                     // bytes of the record to come, 0: none
  logic            head_q;                     // the record's first byte is to come
  logic [3:0]      n_q;
  logic            step;

  assign waiting = in_q[look_q] - out_q[look_q];
  assign take    = valid_i[look_q] && waiting != '1;
  assign due     = waiting[4] || (waiting != '0 && quiet_q[look_q]);
  assign begin_d = due && left_q == '0;
  assign step    = left_q != '0 && ready_i;

  always_comb begin
    ready_o         = '0;
    ready_o[look_q] = take;
    for (int unsigned r = 0; r < Rows; r++) some[r] = in_q[r] != out_q[r];
  end

  always_ff @(posedge clk_i) begin
    if (take) mem_q[{look_q, in_q[look_q]}] <= data_i[look_q];
  end
  assign read_at = out_q[row_q];
  always_ff @(posedge clk_i) read_q <= mem_q[{row_q, read_at}];

  // The count of bytes left starts at 4 n: the first byte of a word is sent at a multiple of four.
  logic [31:0] word_q;
  always_ff @(posedge clk_i) begin
    look_q <= look_q == row_t'(Rows - 1) ? '0 : look_q + 1'b1;
    time_q <= time_q + 1'b1;
    if (time_q == '1) begin
      quiet_q <= ~came_q;
      came_q  <= '0;
    end
    if (take) begin
      in_q[look_q]    <= in_q[look_q] + 1'b1;
      came_q[look_q]  <= 1'b1;
      quiet_q[look_q] <= 1'b0;
    end
    if (begin_d) begin
      row_q  <= look_q;
      n_q    <= waiting[4] ? 4'd15 : waiting[3:0] - 1'b1;
      left_q <= waiting[4] ? 7'd64 : {1'b0, waiting[3:0], 2'd0};
      head_q <= 1'b1;
    end
    if (step) begin
      if (head_q) begin
        head_q <= 1'b0;
      end else begin
        left_q <= left_q - 1'b1;
        if (left_q[1:0] == 2'd0) out_q[row_q] <= out_q[row_q] + 1'b1;
        word_q <= left_q[1:0] == 2'd0 ? 32'(read_q[31:8]) : 32'(word_q[31:8]);
      end
    end
    if (rst_i) begin
      look_q <= '0;
      left_q <= '0;
      came_q <= '0;
      for (int unsigned r = 0; r < Rows; r++) begin
        in_q[r]  <= '0;
        out_q[r] <= '0;
      end
    end
  end

  assign word_o  = take;
  assign valid_o = left_q != '0;
  always_comb begin
    if (head_q) data_o = {4'(row_q), n_q};
    else data_o = left_q[1:0] == 2'd0 ? read_q[7:0] : word_q[7:0];
  end
  assign empty_o = left_q == '0 && some == '0;

endmodule
