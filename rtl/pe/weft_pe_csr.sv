// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The control registers of both threads (docs/reference/pe.md), and the constants and flags that csrr reads.
///
/// Decode checks which numbers a thread may read and write (weft_isa_pkg's legal_main, legal_psum). Latency: 1 cycle from
/// we_i; none from rcsr_i to data_o, which means nothing without re_i.
`include "weft_check.svh"

module weft_pe_csr
  import weft_isa_pkg::*;
  import weft_pe_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_i,
  /// A kernel is called: STR is 0 again.
  input  logic        clear_i,
  // csrw
  input  logic        wpsum_i,   // the thread
  input  csr_e        wcsr_i,
  input  logic        we_i,
  input  logic [15:0] data_i,
  // csrr
  input  logic        rpsum_i,
  input  csr_e        rcsr_i,
  input  logic        re_i,
  output logic [15:0] data_o,
  // constants of the tile's position
  /* verilator lint_off UNUSEDSIGNAL */  // the columns to the east
  input  place_t      place_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [7:0]  flags_i,
  // to the sequencers
  output controls_t   controls_o
);

  logic [15:0] rep_q, sta_q, stb_q, std_q, idx_q, lmask_q;
  logic [7:0]  main_vl_q, psum_vl_q, str_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      main_vl_q <= '0;
      psum_vl_q <= '0;
      rep_q     <= '0;
      sta_q     <= '0;
      stb_q     <= '0;
      std_q     <= '0;
      idx_q     <= '0;
      lmask_q   <= '0;
      str_q     <= '0;
    end else if (clear_i) begin
      str_q     <= '0;
    end else if (we_i) begin
      case (wcsr_i)
        CSR_VL:    if (wpsum_i) psum_vl_q <= data_i[7:0]; else main_vl_q <= data_i[7:0];
        CSR_REP:   rep_q <= data_i;
        CSR_STA:   sta_q <= data_i;
        CSR_STB:   stb_q <= data_i;
        CSR_STD:   std_q <= data_i;
        CSR_IDX:   idx_q <= data_i;
        CSR_LMASK: lmask_q <= data_i;
        CSR_STR:   str_q <= data_i[7:0];
        default: ;
      endcase
    end
  end

  // Sequencers need all registers at once, csrr one: csrr reads a copy in a small RAM, where psum's VL has an entry of
  // its own. Reset cannot clear the RAM, so an entry reads as 0 until it is written (written_q).
  (* no_rw_check *) logic [15:0] copy_q [16] /* verilator public_flat_rw */;
`ifndef SYNTHESIS
  initial for (int i = 0; i < 16; i++) copy_q[i] = '0;
`endif
  function automatic logic [3:0] place(input logic psum, input csr_e csr);
    return psum ? 4'd15 : csr;
  endfunction

  logic [15:0] written_q;
  logic [3:0]  write_place;
  assign write_place = place(wpsum_i, wcsr_i);

  always_ff @(posedge clk_i) begin
    if (we_i) copy_q[write_place] <= data_i;
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) written_q <= '0;
    else if (clear_i) written_q[CSR_STR] <= 1'b0;
    else if (we_i) written_q[write_place] <= 1'b1;
  end

  always_comb begin
    data_o = '0;
    `WEFT_IF_ANY(re_i) begin
      case (rcsr_i)
        CSR_ROW:   data_o = 16'(place_i.row);
        CSR_ROWS:  data_o = 16'(place_i.rows);
        CSR_FLAGS: data_o = {8'b0, flags_i};
        CSR_COL:   data_o = 16'(place_i.col);
        CSR_COLS:  data_o = 16'(place_i.cols);
        default:   if (written_q[place(rpsum_i, rcsr_i)]) data_o = copy_q[place(rpsum_i, rcsr_i)];
      endcase
    end
  end

  assign controls_o = '{
    main_vl: main_vl_q, psum_vl: psum_vl_q, rep: rep_q, sta: sta_q, stb: stb_q, std: std_q, idx: idx_q,
    lmask: lmask_q, str: str_q
  };

  `WEFT_ASSUME(NothingIsWrittenAtACall, !(clear_i && we_i))

endmodule
