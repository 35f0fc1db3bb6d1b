// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The lanes of the vector unit and their accumulator file R: operands, multiply-add, write-back. An entry of R is an
/// fp32 for each lane, and each lane has a slice of the file.
///
/// ```
///  t          t+1            t+2            t+3       t+4    t+5   t+6     t+7
///  read R(b)  select a, b;   multiply;      compare,  align  add   round   results: to R, as bf16, to the outbox
///             read R(c)      select c, x    swap
/// ```
///
/// The digit in a port's name is the cycle it belongs to, counted from its beat's issue (pe_vector). Arrays with a word
/// for each lane stay inside: a simulator would copy them at each module's border.
`include "weft_check.svh"

module weft_pe_lanes
  import weft_num_pkg::*;
  import weft_isa_pkg::*;
  import weft_pe_pkg::*;
#(
  parameter int unsigned Lanes  = 4,
  parameter int unsigned RDepth = weft_isa_pkg::DefaultRDepth,
  parameter int unsigned Words  = 2,
  parameter int unsigned RBits  = $clog2(RDepth)
) (
  input  logic                clk_i,
  input  logic                rst_i,
  // t: read b of R
  input  logic                b_re_i,
  input  logic [RBits-1:0]    b_addr_i,
  // t+1: a beat computes; scalars, and the words of memory and of the stream
  input  logic                take1_i,
  /* verilator lint_off UNUSEDSIGNAL */  // a beat that only fetches computes nothing
  input  beat_select_t        select1_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                use_x1_i,
  input  logic [15:0]         sa1_i,
  input  logic [15:0]         sb1_i,
  input  logic [15:0]         one1_i,
  input  logic [Lanes*16-1:0] m1_i,
  input  logic [Lanes*16-1:0] n1_i,
  input  logic                n_keep1_i,  // the word of memory will be c
  input  logic [Words*32-1:0] words1_i,
  // ... and read c of R
  input  logic                c_re_i,
  input  logic [RBits-1:0]    c_addr_i,
  // t+2: the operation, and its operand c
  input  logic                valid2_i,
  /* verilator lint_off UNUSEDSIGNAL */  // fn is for the table functions
  input  beat_lanes_t         lanes2_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  pair_t               pair2_i,
  input  logic [15:0]         sc2_i,
  // t+7, or t+9 with table functions: write R, a pair's lanes or all
  input  logic [Lanes/2-1:0]  r_we_i,
  input  logic [RBits-1:0]    r_addr_i,
  input  logic                r_table_i,
  input  logic                r_one_i,
  input  logic [Lanes*16-1:0] table_i,
  /// Results as bf16; means nothing without narrow_re_i.
  input  logic                narrow_re_i,
  output logic [Lanes*16-1:0] narrow_o,
  /// Words to send: early the raw operand a of t+3, late the results of lanes 0 and 1.
  input  logic                early_i,
  input  logic                late_i,
  output logic [Words*32-1:0] words_o
);

  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned Pairs    = Lanes / 2;

  // ----------------------------------------------------------------------------------------- the accumulator file
  logic [31:0] r_wdata [Lanes];
  logic [31:0] r_read [Lanes];

  // One read port, for b at t or for c at t+1. pe_hazard prevents a read in the cycle of a write to the same address,
  // in the lanes that matter, and pe_issue a read for b and one for c in one cycle.
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_r
    (* no_rw_check *) logic [31:0] mem_q [RDepth]  /* verilator public_flat_rw */;
    logic [31:0] read_q;
`ifndef SYNTHESIS
    initial for (int unsigned i = 0; i < RDepth; i++) mem_q[i] = '0;
`endif
    always_ff @(posedge clk_i) begin
      if (r_we_i[l/2]) mem_q[r_addr_i] <= r_wdata[l];
    end
    always_ff @(posedge clk_i) begin
      if (b_re_i || c_re_i) read_q <= mem_q[c_re_i ? c_addr_i : b_addr_i];
    end
    assign r_read[l] = read_q;
  end

  // ------------------------------------------------------------------------------------- t+1: select a and b
  logic [31:0] m_lane [Lanes];  // words of memory, of its other half, and of the stream, by lane
  logic [31:0] n_lane [Lanes];
  logic [31:0] w_lane [Lanes];
  logic [31:0] a1 [Lanes];      // operands, bf16 in the low half
  logic [31:0] b1 [Lanes];

  // Most beats multiply a word of memory by a scalar: all else is computed only for the others.
  logic others;
  assign others = take1_i & ~((select1_i.a == BeatAMem) & ((select1_i.b == BeatBScalar) | (select1_i.b == BeatBElement)));

  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) m_lane[l] = '0;
    `WEFT_IF_ANY(take1_i) begin
      for (int unsigned l = 0; l < Lanes; l++) m_lane[l] = {16'b0, m1_i[l*16+:16]};
    end
  end

  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      n_lane[l] = '0;
      w_lane[l] = '0;
    end
    `WEFT_IF_ANY(others | n_keep1_i) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        n_lane[l] = {16'b0, n1_i[l*16+:16]};
        w_lane[l] = {16'b0, words1_i[l*16+:16]};
        if (Lanes == 2 && use_x1_i) w_lane[l] = words1_i[l*32+:32];
      end
    end
  end

  logic [31:0] n2_q [Lanes];  // c, if that is in memory

  always_ff @(posedge clk_i) begin
    if (n_keep1_i) n2_q <= n_lane;
  end

  always_comb begin : select
    logic [31:0] l, n, a, b, r, sa, sb, from_m, from_s, one_hot, from_r, from_n, same;
    {l, a, b, r, sa, sb, from_m, from_s, one_hot, from_r, from_n, same} = '0;
    n = Lanes;
    `WEFT_IF_ANY(take1_i) sb = {16'b0, (select1_i.b == BeatBElement) ? one1_i : sb1_i};
    `WEFT_LANES(l, n, Lanes) begin
      a1[l[LaneBits-1:0]] = m_lane[l[LaneBits-1:0]];
      b1[l[LaneBits-1:0]] = sb;
    end
    `WEFT_IF_ANY(others) begin
      from_m  = 32'(select1_i.a == BeatAMem);
      from_s  = 32'(select1_i.a == BeatAScalar);
      one_hot = 32'(select1_i.a == BeatAOneHot);
      from_r  = 32'(select1_i.b == BeatBReg);
      from_n  = 32'(select1_i.b == BeatBMem);
      same    = 32'(select1_i.b == BeatBA);
      sa      = {16'b0, sa1_i};
      `WEFT_LANES(l, n, Lanes) begin
        `WEFT_TO_BF16(r, r_read[l[LaneBits-1:0]])
        a    = (from_s != 32'd0) ? sa : w_lane[l[LaneBits-1:0]];
        a    = (from_m != 32'd0) ? m_lane[l[LaneBits-1:0]] : a;
        b    = (m_lane[l[LaneBits-1:0]] == sa) ? {16'b0, OneBf16} : 32'd0;
        a    = (one_hot != 32'd0) ? b : a;
        b    = (from_r != 32'd0) ? r : sb;
        b    = (from_n != 32'd0) ? n_lane[l[LaneBits-1:0]] : b;
        a1[l[LaneBits-1:0]] = a;
        b1[l[LaneBits-1:0]] = (same != 32'd0) ? a : b;
      end
    end
  end

  // ------------------------------------------------------------------------------------------------ t+2: c and x
  logic [31:0] a2 [Lanes];
  logic [31:0] c2 [Lanes];
  logic [31:0] x2 [Lanes];

  always_comb begin : addend
    logic [31:0] l, n, c, from_r, from_a, from_n, rest;
    {l, c, from_r, from_a, from_n, rest} = '0;
    n      = Lanes;
    from_r = 32'(lanes2_i.c == BeatCReg);
    `WEFT_LANES(l, n, Lanes) begin
      c2[l[LaneBits-1:0]] = r_read[l[LaneBits-1:0]];
      x2[l[LaneBits-1:0]] = 32'd0;
    end
    `WEFT_IF_ANY(lanes2_i.c != BeatCReg) begin
      from_a = 32'(lanes2_i.c == BeatCA);
      from_n = 32'(lanes2_i.c == BeatCMem);
      rest   = (lanes2_i.c == BeatCScalar) ? {sc2_i, 16'b0} : (lanes2_i.c == BeatCNegZero) ? 32'h8000_0000 : 32'd0;
      `WEFT_LANES(l, n, Lanes) begin
        c = (from_a != 32'd0) ? a2[l[LaneBits-1:0]] << 16 : rest;
        c = (from_n != 32'd0) ? n2_q[l[LaneBits-1:0]] << 16 : c;
        c2[l[LaneBits-1:0]] = (from_r != 32'd0) ? r_read[l[LaneBits-1:0]] : c;
      end
    end
    `WEFT_IF_ANY({lanes2_i.use_x, pair2_i, lanes2_i.sum}) begin
      for (int unsigned p = 1; p < Pairs; p++) begin
        if (pair2_i == pair_t'(p) && from_r != 32'd0) begin
          c2[0] = r_read[2*p];
          c2[1] = r_read[2*p+1];
        end
      end
      x2[0] = (Lanes == 2) ? a2[0] : {a2[1][15:0], a2[0][15:0]};
      x2[1] = (Lanes == 2) ? a2[1] : {a2[3%Lanes][15:0], a2[2%Lanes][15:0]};
      for (int unsigned p = 0; p < (Pairs + 1) / 2; p++) begin
        if (lanes2_i.sum && (Pairs <= 2 || (lanes2_i.low ? p == 0 : pair2_i == pair_t'(p)))) begin
          x2[0] = r_read[4*p];
          c2[0] = r_read[4*p+1];
          x2[1] = r_read[(4*p+2)%Lanes];
          c2[1] = r_read[(4*p+3)%Lanes];
        end
      end
    end
  end

  // Raw words leave a cycle later.
  logic [Lanes*16-1:0] raw3_q;

  always_ff @(posedge clk_i) begin
    if (valid2_i && lanes2_i.early) begin
      for (int unsigned l = 0; l < Lanes; l++) raw3_q[l*16+:16] <= a2[l][15:0];
    end
  end

  // ------------------------------------------------------------------------------------------- t+1..t+7: the lanes
  logic [31:0] result [Lanes];
  logic        unused_valid;

`ifdef WEFT_FAST_FORM  // fma_lanes without its module border, where arrays would be copied
  weft_fma_fast #(.Lanes(Lanes), .XLanes(2)) i_fma (
    .clk_i, .rst_i, .take_i(take1_i), .a_i(a1), .b_i(b1),
    .valid_i(valid2_i), .op_i(lanes2_i.op), .use_x_i(lanes2_i.use_x),
    .a_o(a2), .c_i(c2), .x_i(x2), .valid_o(unused_valid), .result_o(result)
  );
`else
  weft_fma_lanes #(.Lanes(Lanes), .XLanes(2)) i_fma (
    .clk_i, .rst_i, .take_i(take1_i), .a_i(a1), .b_i(b1),
    .valid_i(valid2_i), .op_i(lanes2_i.op), .use_x_i(lanes2_i.use_x),
    .a_o(a2), .c_i(c2), .x_i(x2), .valid_o(unused_valid), .result_o(result)
  );
`endif

  // ----------------------------------------------------------------------------------------------- t+7, t+9: results
  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) r_wdata[l] = result[l];
    `WEFT_IF_ANY(r_we_i) begin
      if (r_table_i) begin
        for (int unsigned l = 0; l < Lanes; l++) r_wdata[l] = {table_i[l*16+:16], 16'b0};
      end
      if (r_one_i) begin
        for (int unsigned l = 2; l < Lanes; l++) r_wdata[l] = result[l%2];
      end
    end
  end

  always_comb begin
    narrow_o = '0;
    `WEFT_IF_ANY(narrow_re_i) begin
      for (int unsigned l = 0; l < Lanes; l++) narrow_o[l*16+:16] = to_bf16(result[l]);
    end
  end

  always_comb begin
    words_o = '0;
    `WEFT_IF_ANY({early_i, late_i}) begin
      words_o[63:0] = {result[1], result[0]};
      if (early_i) words_o[Lanes*16-1:0] = raw3_q;
    end
  end

endmodule
