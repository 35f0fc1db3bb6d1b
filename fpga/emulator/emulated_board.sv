/// What the emulator simulates: a board behind a serial line, as in board_top, or behind packets (packets_i).
///
/// The clock of the wafer is a pin of its own, which stands still while wafer_on_o is 0.
module emulated_board
  import link_pkg::*;
#(
  parameter int unsigned Rows       = 4,
  parameter int unsigned Cols       = 2,
  parameter int unsigned SramKib    = 24,
  /// A tick is 2^TickBits cycles (link.sv).
  parameter int unsigned TickBits   = 16,
  /// Fewer than a real board's 8: it is a host's time that it waits for, and here a cycle takes some 100 times as long.
  parameter int unsigned TimerTicks = 3,
  parameter int unsigned Debug      = 1,
  parameter logic [63:0] Build      = '0
) (
  input  logic       clk_i,
  input  logic       wafer_clk_i,
  input  logic       rst_i,
  /// Does not change: frames are packets.
  input  logic       packets_i,
  // serial line
  input  logic [9:0] divider_i,
  input  logic       rx_i,
  output logic       tx_o,
  // packets: bytes and ends
  input  logic       rx_valid_i,
  input  logic       rx_last_i,
  input  logic [7:0] rx_data_i,
  output logic       rx_ready_o,
  output logic       tx_valid_o,
  output logic       tx_last_o,
  output logic [7:0] tx_data_o,
  input  logic       tx_ready_i,
  //
  output logic       wafer_on_o,
  output logic       session_o,
  output logic       begun_o,
  output logic       fault_o,
  /// Nothing will happen until something comes, or for nobody (board.sv).
  output logic       idle_o
);

  logic  line_valid, line_out_ready, line_busy, rx_valid, tx_valid, tx_ready, idle;
  beat_t line_beat, rx_beat, tx_beat;

  serial_line i_line (
    .clk_i, .rst_i, .divider_i, .rx_i, .tx_o, .rx_valid_o(line_valid), .rx_beat_o(line_beat),
    .rx_ready_i(rx_ready_o && !packets_i), .tx_valid_i(tx_valid && !packets_i), .tx_beat_i(tx_beat),
    .tx_ready_o(line_out_ready), .busy_o(line_busy)
  );

  assign rx_valid   = packets_i ? rx_valid_i : line_valid;
  assign rx_beat    = packets_i ? '{last: rx_last_i, data: rx_data_i} : line_beat;
  assign tx_ready   = packets_i ? tx_ready_i : line_out_ready;
  assign tx_valid_o = tx_valid && packets_i;
  assign tx_last_o  = tx_beat.last;
  assign tx_data_o  = tx_beat.data;
  assign idle_o     = idle && !line_busy;

  /* verilator lint_off PINCONNECTEMPTY */
  board #(
    .Rows(Rows), .Cols(Cols), .SramKib(SramKib), .TickBits(TickBits), .TimerTicks(TimerTicks), .Debug(Debug), .Build(Build),
    .Name("emulated")
  ) i_board (
    .clk_i, .wafer_clk_i, .rst_i, .rx_valid_i(rx_valid), .rx_beat_i(rx_beat), .rx_ready_o, .tx_valid_o(tx_valid),
    .tx_beat_o(tx_beat), .tx_ready_i(tx_ready), .wafer_on_o, .session_o, .begun_o, .awake_o(), .fault_o, .idle_o(idle)
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
