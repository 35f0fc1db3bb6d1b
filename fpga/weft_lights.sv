// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The lights of a board: those of the wafer and its link once the PLL is locked. Until then, and whenever the lock is
/// lost, all of them flash together, clocked by the oscillator, 4 to 8 times a second.
module weft_lights #(
  parameter int unsigned Lights = 4,
  /// 1: a light is on at 0.
  parameter bit          Low    = 1'b0,
  parameter int unsigned OscKhz = 25000
) (
  input  logic              osc_i,
  input  logic              locked_i,  // asynchronous
  input  logic [Lights-1:0] lit_i,     // synchronous to the PLL's clock, which stops without a lock
  output logic [Lights-1:0] led_o
);

  // All lit and all dark together take 2^Bits cycles, 128 to 256 ms.
  localparam int unsigned Bits = $clog2(128 * OscKhz);

  logic [Bits-1:0]   flash_q;
  logic [1:0]        locked_q;
  logic [Lights-1:0] lit;

  initial begin
    flash_q  = '0;
    locked_q = '0;
  end
  always_ff @(posedge osc_i) begin
    flash_q  <= flash_q + 1'b1;
    locked_q <= {locked_q[0], locked_i};
  end

  assign lit   = locked_q[1] ? lit_i : {Lights{flash_q[Bits-1]}};
  assign led_o = lit ^ {Lights{Low}};

endmodule
