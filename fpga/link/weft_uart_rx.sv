// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The receiving end of a serial line: 8 data bits, least significant first, one stop bit, no parity.
///
/// The line is synchronized to this clock first. A byte whose stop bit is 0 is dropped; the next begins with the next
/// falling edge. Clocks may differ by 2 % at 4 cycles a bit.
///
/// Latency: valid_o for one cycle, in the middle of the stop bit and 3 cycles.
`include "weft_check.svh"

module weft_uart_rx (
  input  logic       clk_i,
  input  logic       rst_i,
  /// Cycles a bit, at least 4; does not change.
  input  logic [9:0] divider_i,
  input  logic       rx_i,
  output logic       valid_o,
  output logic [7:0] data_o
);

  typedef logic [9:0] count_t;
  // From the edge, which is seen up to a cycle late, to the middle of the start bit: rather too early than too late, so
  // that the receiver is idle when a fast sender's next start bit arrives.
  count_t half, full;
  assign full = divider_i - 1'b1;
  assign half = full >> 1;

  logic [2:0] line_q;   // the last one is a cycle older
  logic       busy_q, valid_q;
  count_t     count_q;  // cycles to the next sample
  logic [3:0] left_q;   // samples to come: start, 8 bits, stop
  logic [7:0] data_q;

  always_ff @(posedge clk_i) begin
    valid_q <= 1'b0;
    count_q <= count_q - 1'b1;
    if (rst_i) begin
      line_q <= '1;
      busy_q <= 1'b0;
    end else begin
      line_q <= {line_q[1:0], rx_i};
      if (!busy_q) begin
        busy_q  <= line_q[2] && !line_q[1];
        count_q <= half - 1'b1;
        left_q  <= 4'd9;
      end else if (count_q == '0) begin
        count_q <= full;
        left_q  <= left_q - 1'b1;
        if (left_q == 4'd9 && line_q[1]) busy_q <= 1'b0;  // a spike
        if (left_q == 4'd0) begin
          busy_q  <= 1'b0;
          valid_q <= line_q[1];
        end else begin
          data_q <= {line_q[1], data_q[7:1]};
        end
      end
    end
  end

  assign valid_o = valid_q;
  assign data_o  = data_q;

  `WEFT_ASSUME(BitIsFourCyclesLong, divider_i >= 10'd4)

endmodule
