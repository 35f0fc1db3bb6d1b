// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The link with its serial line between registers, to measure its speed. Only for measuring (fpga/synth_link.sh).
module weft_link_top
  import weft_link_pkg::*;
#(
  parameter int unsigned Rows = 2,
  parameter int unsigned Cols = 4,
  parameter logic [8*AboutBytes-1:0] About = '0
) (
  input  logic clk_i,
  input  logic si_i,
  output logic so_o
);

  typedef struct packed {
    logic                         rst, rx, valve_ready, awake;
    logic [Rows-1:0]              outlet_valid;
    logic [Rows-1:0][31:0]        outlet_data;
    logic [Rows-1:0][Cols:0][7:0] flags;
  } in_t;

  typedef struct packed {
    logic            tx, wafer_rst, valve_valid, valve_ctrl, session, fault;
    logic [31:0]     valve_data;
    logic [Rows-1:0] outlet_ready;
  } out_t;

  in_t   in;
  out_t  out;
  logic  rx_valid, rx_ready, tx_valid, tx_ready;
  beat_t rx_beat, tx_beat;
  weft_measured #(.InBits($bits(in_t)), .OutBits($bits(out_t))) i_measured (.clk_i, .si_i, .so_o, .in_o(in), .out_i(out));

  /* verilator lint_off PINCONNECTEMPTY */
  weft_serial_line i_line (
    .clk_i, .rst_i(in.rst), .divider_i(10'd20), .rx_i(in.rx), .tx_o(out.tx), .rx_valid_o(rx_valid), .rx_beat_o(rx_beat),
    .rx_ready_i(rx_ready), .tx_valid_i(tx_valid), .tx_beat_i(tx_beat), .tx_ready_o(tx_ready), .busy_o()
  );

  weft_link #(.Rows(Rows), .Cols(Cols), .About(About)) i_link (
    .chain_o(), .chain_i('0), .chain_busy_o(),
    .clk_i, .rst_i(in.rst), .rx_valid_i(rx_valid), .rx_beat_i(rx_beat), .rx_ready_o(rx_ready), .tx_valid_o(tx_valid),
    .tx_beat_o(tx_beat), .tx_ready_i(tx_ready), .wafer_rst_o(out.wafer_rst), .valve_valid_o(out.valve_valid),
    .valve_ctrl_o(out.valve_ctrl), .valve_data_o(out.valve_data), .valve_ready_i(in.valve_ready),
    .outlet_valid_i(in.outlet_valid), .outlet_data_i(in.outlet_data), .outlet_ready_o(out.outlet_ready),
    .awake_i(in.awake), .flags_i(in.flags), .session_o(out.session), .begun_o(), .fault_o(out.fault), .silent_o(), .idle_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
