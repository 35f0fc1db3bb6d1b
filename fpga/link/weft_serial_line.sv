// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Frames on the two wires of a serial line: a UART each way, with byte stuffing.
///
/// The line cannot wait: each beat of a frame must be taken within 10 * divider_i cycles.
module weft_serial_line
  import weft_link_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_i,
  /// Cycles a bit, at least 4; does not change.
  input  logic [9:0] divider_i,
  input  logic       rx_i,
  output logic       tx_o,
  // from the line
  output logic       rx_valid_o,
  output beat_t      rx_beat_o,
  input  logic       rx_ready_i,
  // to the line
  input  logic       tx_valid_i,
  input  beat_t      tx_beat_i,
  output logic       tx_ready_o,
  /// A frame is being sent.
  output logic       busy_o
);

  logic       in_valid, out_valid, out_ready, encoder_busy;
  logic [7:0] in_data, out_data;

  weft_uart_rx i_uart_rx (.clk_i, .rst_i, .divider_i, .rx_i, .valid_o(in_valid), .data_o(in_data));

  weft_cobs_decoder i_decoder (
    .clk_i, .rst_i, .valid_i(in_valid), .data_i(in_data), .valid_o(rx_valid_o), .beat_o(rx_beat_o), .ready_i(rx_ready_i)
  );

  weft_cobs_encoder i_encoder (
    .clk_i, .rst_i, .valid_i(tx_valid_i), .beat_i(tx_beat_i), .ready_o(tx_ready_o),
    .valid_o(out_valid), .data_o(out_data), .ready_i(out_ready), .busy_o(encoder_busy)
  );

  weft_uart_tx i_uart_tx (
    .clk_i, .rst_i, .divider_i, .valid_i(out_valid), .data_i(out_data), .ready_o(out_ready), .tx_o
  );

  assign busy_o = encoder_busy || !out_ready;

endmodule
