// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Start values of a main instruction: first state, repetitions, scalars, addresses and strides. No state; outputs are
/// defined only with valid_i.
///
/// vcr and a vaxs that rotates work on the rotating buffer that main fills (pe_handoff): the next one, if an entry of MP
/// is put in this very cycle.
`include "weft_check.svh"

module weft_pe_main_start
  import weft_isa_pkg::*;
  import weft_pe_pkg::*;
  import weft_pe_seq_pkg::*;
(
  input  logic         valid_i,
  input  request_t     request_i,
  /* verilator lint_off UNUSEDSIGNAL */  // psum's
  input  controls_t    controls_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // MP: the buffer that main fills; an entry is put
  input  buffer_t      mp_buffer_i,
  input  logic         mp_put_i,
  //
  output main_state_e  first_o,
  output logic [15:0]  rep_o,
  output scalars_t     scalars_o,
  output main_start_t  start_o
);

  op_e         op;
  logic [31:0] word;
  logic [15:0] op_a, op_b, op_c, op_d, rep, idx, sta, stb, st_d;
  logic [7:0]  main_vl, str;

  assign word    = request_i.word;
  assign op_a    = request_i.a;
  assign op_b    = request_i.b;
  assign op_c    = request_i.c;
  assign op_d    = request_i.d;
  assign op      = op_e'(opcode(word));
  assign rep     = controls_i.rep;
  assign idx     = controls_i.idx;
  assign sta     = controls_i.sta;
  assign stb     = controls_i.stb;
  assign st_d    = controls_i.std;  // `std` is SystemVerilog's own package
  assign str     = controls_i.str;
  assign main_vl = controls_i.main_vl;

  logic [15:0] scalar_a, b, d, start_std;
  logic [7:0]  buffer_start, c0, vl_last;
  logic        rotates, second, third, has_scalar, two_in_memory, d_in_memory, b_mem, b_word, to_mem;

  always_comb begin
    {rotates, second, third, has_scalar, two_in_memory, d_in_memory, b_mem, b_word, to_mem} = '0;
    {scalar_a, buffer_start, b, d, start_std, c0, vl_last} = '0;
    first_o = MsIdle;
    `WEFT_IF_ANY(valid_i) begin
      case (op)
        OP_VF:   first_o = (rep == '0) ? MsIdle : MsVf;
        OP_VAXS: first_o = MsVaxsWait;
        OP_VCR:  first_o = MsVcr;
        OP_VDOT: first_o = MsVdotWait;
        default: first_o = MsLd;
      endcase
      scalar_a      = (vmain_asel(word) == ASEL_OH) ? idx : op_a;
      rotates       = (op == OP_VCR) | ((op == OP_VAXS) & vmain_rotate(word));
      // Buffer 0, 1 or 2: as next_buffer(), if an entry is put.
      third         = rotates & (mp_put_i ? mp_buffer_i[0] : mp_buffer_i[1]);
      second        = rotates & (mp_put_i ? mp_buffer_i == '0 : mp_buffer_i[0]);
      buffer_start  = third ? op_d[7:0] + {main_vl[6:0], 1'b0} : second ? op_d[7:0] + main_vl : op_d[7:0];
      has_scalar    = vmain_bsel(word) == BSEL_MS;
      two_in_memory = vmain_asel(word) == ASEL_MM;
      d_in_memory   = vmain_dsel(word) == DSEL_M;
      b_mem         = (op == OP_VDOT) | has_scalar | two_in_memory;
      b_word        = (op == OP_VDOT) | two_in_memory;
      to_mem        = (op == OP_VF) & d_in_memory;
      b             = (two_in_memory & ~has_scalar) ? op_c : op_b;
      c0            = (op == OP_VF) ? op_c[7:0] : (op == OP_VCR) ? op_d[7:0] : buffer_start;
      d             = (op == OP_VCR) ? {8'b0, buffer_start} : op_d;
      start_std     = d_in_memory ? st_d : {8'b0, str};
      vl_last       = main_vl - 8'd1;
    end
  end

  assign rep_o     = rep;
  assign scalars_o = '{a: scalar_a, b: op_b, c: op_c};
  assign start_o   = '{
    m: op_a, b: b, c: op_c[7:0], c0: c0, d: d, row_d: op_d, sta: sta, stb: stb, std: start_std, str: str,
    vl: main_vl, vl_last: vl_last, b_mem: b_mem, b_word: b_word, to_mem: to_mem
  };

endmodule
