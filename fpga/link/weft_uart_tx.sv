// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The sending end of a serial line: 8 data bits, least significant first, one stop bit, no parity.
///
/// Latency: 1 cycle from a byte that is taken to its start bit. One byte in 10 * divider_i cycles without a gap.
module weft_uart_tx (
  input  logic       clk_i,
  input  logic       rst_i,
  /// Cycles a bit, at least 4; does not change.
  input  logic [9:0] divider_i,
  input  logic       valid_i,
  input  logic [7:0] data_i,
  output logic       ready_o,
  output logic       tx_o
);

  logic [9:0]      bits_q;   // the bits left to send, behind the bit that is on the line; 1 when there are none
  logic            tx_q;
  logic [3:0]      left_q;   // bits to be sent
  logic [9:0]      count_q;  // cycles to the next bit
  logic            step;

  assign step    = count_q == '0;
  assign ready_o = step && left_q == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      left_q  <= '0;
      count_q <= '0;
      tx_q    <= 1'b1;
      bits_q  <= '1;
    end else begin
      if (!step) count_q <= count_q - 1'b1;
      else if (left_q != '0 || valid_i) count_q <= divider_i - 1'b1;
      if (step) begin
        if (left_q != '0) begin
          left_q <= left_q - 1'b1;
          tx_q   <= bits_q[0];
          bits_q <= {1'b1, bits_q[9:1]};
        end else if (valid_i) begin
          left_q <= 4'd9;
          tx_q   <= 1'b0;
          bits_q <= {2'b11, data_i};
        end
      end
    end
  end

  assign tx_o = tx_q;

endmodule
