// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// One lane of the table unit: exp, 1/x, 1/sqrt(x) and tanh of a bf16, within one ulp (docs/reference/numbers.md).
///
/// The input gives an address of the ROM and either the exponent the ROM's entry is relative to, or, for special
/// values, the result itself. sw/tables/tables.py describes the entries; `weft::model::sfu` is the same in C++.
///
/// Latency: 1 cycle from x_i to y_o. rom_addr_o goes to the ROM in the cycle of x_i, rom_data_i comes back in the next.
/// y_o is combinational from registers; it is 0 but for the one cycle after valid_i, so that nothing is computed then.
module weft_sfu_lane
  import weft_num_pkg::*;
(
  input  logic        clk_i,
  input  logic        valid_i,
  input  sfu_fn_e     fn_i,
  input  logic [15:0] x_i,
  output logic [10:0] rom_addr_o,
  input  logic [8:0]  rom_data_i,
  output logic [15:0] y_o
);
`include "sfu_tables.svh"

  logic        sign;
  logic [7:0]  e;
  logic [6:0]  m;
  assign {sign, e, m} = x_i;

  // |x| * log2(e), 8 integer and 9 fraction bits, truncated; the ones' complement then rounds a negative one down.
  logic [25:0] exp_product;
  logic [7:0]  exp_shift;
  logic [16:0] exp_magnitude;
  logic [17:0] exp_y;
  always_comb begin
    exp_product   = '0;
    exp_shift     = '0;
    exp_magnitude = '0;
    exp_y         = '0;
    if (valid_i) begin
      exp_product   = {18'b0, 1'b1, m} * {8'b0, `WEFT_SFU_LOG2E};
      exp_shift     = 8'd133 - e;
      exp_magnitude = (|exp_shift[7:5]) ? 17'b0 : exp_product[25:9] >> exp_shift[4:0];
      exp_y         = {1'b0, exp_magnitude} ^ {18{sign}};
    end
  end
  logic unused_ok;
  assign unused_ok = &{1'b0, exp_product[8:0]};

  logic        known_d, known_q;    // info is the result itself
  logic [15:0] info_d, info_q;      // else {sign, -----, base exponent in 10 bits two's complement}
  logic [15:0] known_value;
  logic [9:0]  base;
  logic        base_sign, zero, top, nan;

  always_comb begin
    zero        = 1'b0;
    top         = 1'b0;
    nan         = 1'b0;
    known_d     = 1'b0;
    known_value = '0;
    base        = '0;
    base_sign   = 1'b0;
    rom_addr_o  = '0;
    info_d      = '0;
    if (valid_i) begin
      zero        = e == 8'h00;
      top         = e == 8'hff;
      nan         = top & (|m);
      known_d     = zero | top;
      known_value = NanBf16;
      base        = 10'd0;
      base_sign   = sign;
      rom_addr_o  = {1'b0, e[2:0], m};
      case (fn_i)
        SfuExp: begin
          known_d     = e >= 8'd134;  // |x| >= 128
          known_value = sign ? 16'h0000 : 16'h7f80;
          base        = {exp_y[17], exp_y[17:9]} + 10'd127;
          base_sign   = 1'b0;
          rom_addr_o  = {2'b11, exp_y[8:0]};
        end
        SfuRecip: begin
          known_value = {sign, zero ? 15'h7f80 : 15'h0000};
          base        = 10'd253 - {2'b0, e};
          rom_addr_o  = {4'b0001, m};
        end
        SfuRsqrt: begin
          known_d     = zero | top | sign;
          known_value = zero ? 16'h7f80 : sign ? NanBf16 : 16'h0000;
          base        = 10'd189 + {9'b0, ~e[0]} - {3'b0, e[7:1]};
          rom_addr_o  = {3'b100, e[0], m};
        end
        default: begin  // tanh
          known_d     = (e < 8'd122) | (e > 8'd128);
          known_value = {sign, zero ? 15'h0000 : e[7] ? 15'h3f80 : x_i[14:0]};
          base        = {2'b0, e} - 10'd2;
        end
      endcase
      if (nan) known_value = NanBf16;
      info_d = known_d ? known_value : {base_sign, 5'b0, base};
    end
  end

  logic valid_q;

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    if (valid_i) begin
      known_q <= known_d;
      info_q  <= info_d;
    end
  end

  logic [9:0] exponent;
  always_comb begin
    exponent = '0;
    y_o      = '0;
    if (valid_q) begin
      exponent = info_q[9:0] + {8'b0, rom_data_i[8:7]};
      if (known_q)                                     y_o = info_q;
      else if (exponent[9] || exponent == 10'd0)       y_o = {info_q[15], 15'h0000};
      else if (exponent[8] || exponent[7:0] == 8'hff)  y_o = {info_q[15], 15'h7f80};
      else                                             y_o = {info_q[15], exponent[7:0], rom_data_i[6:0]};
    end
  end

endmodule
