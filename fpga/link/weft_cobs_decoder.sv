// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Extracts frames from a line on which a byte 0 ends each frame (consistent overhead byte stuffing).
///
/// A frame that ends within a block ends as damaged. A byte 0 without a frame before it is ignored. A beat that is not
/// taken is lost with the next byte: the line cannot wait (LineIsSlow).
///
/// Latency: 1 cycle; at most one beat a byte.
`include "weft_check.svh"

module weft_cobs_decoder
  import weft_link_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       valid_i,
  input  logic [7:0] data_i,
  output logic       valid_o,
  output beat_t      beat_o,
  input  logic       ready_i
);

  logic [7:0] left_q;   // bytes of the block to come
  logic       zero_q;   // the next block follows a 0
  logic       begun_q;  // a byte of the frame has arrived
  logic       valid_q;
  beat_t      beat_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      left_q  <= '0;
      begun_q <= 1'b0;
      zero_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (ready_i) valid_q <= 1'b0;
      if (valid_i) begin
        beat_q <= '{last: data_i == '0, data: data_i};
        if (data_i == '0) begin
          beat_q.data[0] <= left_q != '0;
          valid_q        <= begun_q;
          begun_q        <= 1'b0;
          zero_q         <= 1'b0;
          left_q         <= '0;
        end else if (left_q == '0) begin  // a block's length, which implies the 0 before the block
          beat_q.data <= '0;
          valid_q     <= zero_q;
          begun_q     <= 1'b1;
          zero_q      <= data_i != '1;
          left_q      <= data_i - 1'b1;
        end else begin
          valid_q <= 1'b1;
          left_q  <= left_q - 1'b1;
        end
      end
    end
  end

  assign valid_o = valid_q;
  assign beat_o  = beat_q;

  `WEFT_ASSUME(LineIsSlow, !(valid_i && valid_q && !ready_i))

endmodule
