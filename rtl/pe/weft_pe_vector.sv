// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The vector unit: memory, the accumulator file, the lanes and the table functions in one pipeline.
///
/// This module contains the memory and each stage's control signals. Wide data is in pe_lanes, the table functions are
/// in pe_table, the end of a beat and its write in pe_writeback.
///
/// ```
///  t        t+1           t+2           t+3                t+4     t+5   t+6         t+7                     table functions
///  issue    M, R(b):      multiply;     compare, swap;     align   add   normalise,  write R, M;             later: pe_table
///           select a, b;  R(c):         raw words to the                 round       results to the outbox
///           read R(c)     select c, x   outbox
/// ```
///
/// A beat that enters with issue_i cannot be stopped: the issuer has checked hazards and room (pe_issue).
///
/// A double-wide beat works for one pair of an entry's lanes: results come out of lanes 0 and 1 and go to that pair.
`include "weft_check.svh"

module weft_pe_vector
  import weft_num_pkg::*;
  import weft_isa_pkg::*;
  import weft_pe_pkg::*;
  import weft_pkg::color_t;
#(
  parameter int unsigned Lanes   = 4,
  parameter int unsigned SramKib = 48,
  parameter int unsigned RDepth  = weft_isa_pkg::DefaultRDepth,
  /// Stream words a beat can take or send: two results, or a bf16 for each lane.
  parameter int unsigned Words   = (Lanes > 4) ? Lanes / 2 : 2,
  /// 1: vectors begin at any element of memory.
  parameter int unsigned AnyAddress = 0
) (
  input  logic         clk_i,
  input  logic         rst_i,
  /// Size of the memory, at most SramKib.
  input  logic [7:0]   kib_i,
  // the beat issued in this cycle
  input  logic         issue_i,
  input  logic         issue_psum_i,
  input  beat_t        beat_i,
  input  beat_addr_t   addr_i,
  input  logic [15:0]  sa_i,
  input  logic [15:0]  sb_i,
  input  logic [15:0]  sc_i,
  input  logic [Words*32-1:0] words_i,
  /// A beat ends in this cycle; beats are in flight.
  input  logic         end_i,
  input  logic         in_flight_i,
  /// The accumulator file is read for operand c of the beat issued a cycle ago, and cannot be read for b.
  output logic         r_busy_o,
  // memory writes of commands, while no beat is in flight
  input  logic         m_we_i,
  input  logic [15:0]  m_addr_i,
  input  logic [15:0]  m_data_i,
  // the word that ld read
  output logic         main_ld_valid_o,
  output logic         psum_ld_valid_o,
  output logic [15:0]  ld_data_o,
  // to the outbox
  output logic         push_o,
  output logic [$clog2(Words)-1:0] push_last_o,  // number of the last word
  output color_t       push_color_o,
  output logic [Words*32-1:0] push_words_o,
  //
  output logic         misaligned_o,
  output logic         bad_address_o
);

  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned Pairs    = Lanes / 2;
  localparam int unsigned Rows     = SramKib * 1024 / (2 * Lanes);
  localparam int unsigned RowBits  = $clog2(Rows);
  localparam int unsigned RBits    = $clog2(RDepth);
  localparam int unsigned LastBits = $clog2(Words);

  `WEFT_PARAM(Lanes == 2 || Lanes == 4 || Lanes == 8 || Lanes == 16, "weft_pe_vector: make Lanes 2, 4, 8 or 16")
  `WEFT_PARAM(Words >= 2 && Words >= Pairs, "weft_pe_vector: leave Words as it is")
  `WEFT_PARAM(SramKib >= 1 && SramKib <= 128, "weft_pe_vector: make SramKib 1 to 128, elements have 16-bit addresses")
  `WEFT_PARAM(RDepth == 256, "weft_pe_vector: only RDepth = 256 is built")

  // ---------------------------------------------------------------------------------------------------- memory
  logic [Lanes-1:0]    m_we;
  logic [RowBits-1:0]  m_waddr;
  logic [Lanes*16-1:0] m_wdata, m_rdata;
  logic [Lanes*16-1:0] n_rdata;
  logic                read_beyond, n_beyond, write_beyond, c_beyond, read_next_beyond, n_next_beyond;
  logic [LaneBits-1:0] m_lane, n_lane, w_lane;  // AnyAddress: the first lane of each vector
  beat_end_t           finish;

  weft_pe_address_check #(.Lanes(Lanes), .AnyAddress(AnyAddress)) i_address_check (
    .kib_i, .read_i(issue_i & beat_i.read.m_re), .one_i(beat_i.select.ld), .raddr_i(addr_i.m),
    .n_read_i(issue_i & beat_i.read.n_re), .n_one_i(beat_i.select.b == BeatBElement), .n_addr_i(addr_i.b),
    .write_i(issue_i & (beat_i.finish.dest == DestMem)), .waddr_i(addr_i.d), .c_write_i(m_we_i), .c_addr_i(m_addr_i),
    .read_beyond_o(read_beyond), .n_beyond_o(n_beyond), .write_beyond_o(write_beyond), .c_beyond_o(c_beyond),
    .read_next_beyond_o(read_next_beyond), .n_next_beyond_o(n_next_beyond), .misaligned_o, .bad_address_o
  );

  // A write beyond the end is dropped at once, or, with AnyAddress, lane by lane (pe_writeback).
  always_comb begin
    finish = beat_i.finish;
    if (AnyAddress == 0 && write_beyond) finish.dest = DestNone;
  end

  if (AnyAddress == 0) begin : gen_aligned
    assign m_lane = '0;
    assign n_lane = '0;
  end else begin : gen_any  // a single element is selected from its whole word (t+1)
    assign m_lane = beat_i.select.ld ? '0 : addr_i.m[LaneBits-1:0];
    assign n_lane = (beat_i.select.b == BeatBElement) ? '0 : addr_i.b[LaneBits-1:0];
  end

  weft_pe_sram #(.Words(Rows), .Lanes(Lanes), .AnyAddress(AnyAddress)) i_sram (
    .clk_i, .we_i(m_we), .waddr_i(m_waddr), .w_lane_i(w_lane), .wdata_i(m_wdata),
    .a_re_i(issue_i & beat_i.read.m_re), .a_zero_i(read_beyond), .a_next_zero_i(read_next_beyond),
    .a_addr_i(addr_i.m[LaneBits+:RowBits]), .a_lane_i(m_lane), .a_rdata_o(m_rdata),
    .b_re_i(issue_i & beat_i.read.n_re), .b_zero_i(n_beyond), .b_next_zero_i(n_next_beyond),
    .b_addr_i(addr_i.b[LaneBits+:RowBits]), .b_lane_i(n_lane), .b_rdata_o(n_rdata)
  );

  // ------------------------------------------------------------- t+1: select a and b, read c of the accumulators
  logic                valid1_q, c1_re_q, n1_re_q, psum1_q, fetch1;
  beat_select_t        select1_q;
  beat_lanes_t         lanes1_q;
  pair_t               pair1_q;
  logic                sfu1_q;
  color_t              cout1_q;
  logic [RBits-1:0]    c1_q;
  logic [LaneBits-1:0] lane1_q, b_lane1_q;
  logic [15:0]         sa1_q, sb1_q, sc1_q, picked, one1;
  logic [Lanes*16-1:0] held_q, n1;   // b's word: the last one read; this beat's
  logic [Words*32-1:0] words1_q;

  always_ff @(posedge clk_i) begin
    valid1_q <= issue_i & ~rst_i;
    c1_re_q  <= issue_i & ~rst_i & beat_i.read.c_re;
    n1_re_q  <= issue_i & ~rst_i & beat_i.read.n_re;
    if (issue_i) begin
      select1_q <= beat_i.select;
      lanes1_q  <= beat_i.lanes;
      pair1_q   <= beat_i.finish.pair;
      sfu1_q    <= beat_i.finish.sfu;
      cout1_q   <= beat_i.finish.cout;
      psum1_q   <= issue_psum_i;
      c1_q      <= addr_i.c[RBits-1:0];
      lane1_q   <= addr_i.m[LaneBits-1:0];
      b_lane1_q <= addr_i.b[LaneBits-1:0];
      sa1_q     <= sa_i;
      sb1_q     <= sb_i;
      sc1_q     <= sc_i;
      if (issue_psum_i) words1_q <= words_i;
    end
  end

  assign fetch1 = valid1_q & (select1_q.fetch | select1_q.ld);

  always_comb begin
    picked          = '0;
    main_ld_valid_o = 1'b0;
    psum_ld_valid_o = 1'b0;
    n1              = '0;
    one1            = '0;
    `WEFT_IF_ANY(fetch1) picked = m_rdata[lane1_q*16+:16];
    `WEFT_IF_ANY(valid1_q) begin
      n1   = select1_q.held ? held_q : n_rdata;
      one1 = n1[b_lane1_q*16+:16];
    end
    if (fetch1) begin
      main_ld_valid_o = select1_q.ld & ~psum1_q;
      psum_ld_valid_o = select1_q.ld & psum1_q;
    end
  end
  assign ld_data_o = picked;
  assign r_busy_o  = c1_re_q;

  // ----------------------------------------------------------------------------------- t+2: multiply, select c and x
  logic                valid2_q, take1;
  logic [15:0]         sc2_q;
  beat_lanes_t         lanes2_q;
  pair_t               pair2_q;
  logic                sfu2_q;
  color_t              cout2_q;

  assign take1 = valid1_q & ~fetch1;

  always_ff @(posedge clk_i) begin
    valid2_q <= take1 & ~rst_i;
    if (n1_re_q) held_q <= n_rdata;
    if (valid1_q && !fetch1) begin
      lanes2_q <= lanes1_q;
      pair2_q  <= pair1_q;
      sfu2_q   <= sfu1_q;
      cout2_q  <= cout1_q;
      sc2_q    <= sc1_q;
    end
  end

  // ------------------------------------------------------- t+3: raw words leave; inputs of the table functions
  logic                valid3_q, early3_q, sfu3_q;
  sfu_fn_e             fn3_q;
  color_t              cout3_q;

  always_ff @(posedge clk_i) begin
    valid3_q <= valid2_q & ~rst_i;
    if (valid2_q) begin
      early3_q <= lanes2_q.early;
      fn3_q    <= lanes2_q.fn;
      sfu3_q   <= sfu2_q;
      cout3_q  <= cout2_q;
    end
  end

  // ------------------------------------------------------------------------------------------- t+1..t+7: the lanes
  logic                early, late;  // raw words are sent; results are
  /* verilator lint_off UNUSEDSIGNAL */  // pe_writeback has used some of it
  beat_end_t           fin;          // destination of this cycle's result
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Pairs-1:0]    r_we;
  logic [RBits-1:0]    r_addr;
  logic                table_re, m_end;
  logic [Lanes*16-1:0] narrow;       // results as bf16
  logic [Lanes*16-1:0] table_q;

  weft_pe_lanes #(.Lanes(Lanes), .RDepth(RDepth), .Words(Words)) i_lanes (
    .clk_i, .rst_i,
    .b_re_i(issue_i & beat_i.read.b_re), .b_addr_i(addr_i.b[RBits-1:0]),
    .take1_i(take1), .select1_i(select1_q), .use_x1_i(lanes1_q.use_x),
    .sa1_i(sa1_q), .sb1_i(sb1_q), .one1_i(one1), .m1_i(m_rdata), .n1_i(n1), .n_keep1_i(take1 & (lanes1_q.c == BeatCMem)), .words1_i(words1_q),
    .c_re_i(c1_re_q), .c_addr_i(c1_q),
    .valid2_i(valid2_q), .lanes2_i(lanes2_q), .pair2_i(pair2_q), .sc2_i(sc2_q),
    .r_we_i(r_we), .r_addr_i(r_addr), .r_table_i(fin.sfu), .r_one_i(fin.d_one), .table_i(table_q),
    .narrow_re_i(table_re | m_end), .narrow_o(narrow), .early_i(early), .late_i(late), .words_o(push_words_o)
  );

  // -------------------------------------------------------------------------------- t+7..t+9: the table functions
  weft_pe_table #(.Lanes(Lanes)) i_table (
    .clk_i, .rst_i, .valid3_i(valid3_q), .sfu3_i(sfu3_q), .fn3_i(fn3_q),
    .x7_re_o(table_re), .x7_i(narrow), .y_o(table_q)
  );

  // -------------------------------------------------------------------------------------- t+7, t+9: end and write
  weft_pe_writeback #(.Lanes(Lanes), .RowBits(RowBits), .RBits(RBits), .AnyAddress(AnyAddress)) i_writeback (
    .clk_i, .rst_i, .issue_i, .finish_i(finish), .addr_i(addr_i.d), .in_flight_i, .end_i, .fin_o(fin),
    .r_we_o(r_we), .r_addr_o(r_addr), .narrow_i(narrow), .table_i(table_q),
    .m_end_o(m_end), .m_we_i(m_we_i & ~c_beyond), .m_addr_i, .m_data_i,
    .kib_i, .m_we_o(m_we), .m_waddr_o(m_waddr), .m_lane_o(w_lane), .m_wdata_o(m_wdata)
  );

  // ----------------------------------------------------------------------------------------- t+3, t+7: to the outbox
  assign early = valid3_q & early3_q;
  assign late  = end_i & (fin.sends != '0) & ~fin.early;

  always_comb begin
    push_o       = early | late;
    push_last_o  = '0;
    push_color_o = '0;
    `WEFT_IF_ANY(push_o) begin
      push_last_o  = early ? LastBits'(Pairs - 1) : LastBits'(fin.sends[1]);
      push_color_o = early ? cout3_q : fin.cout;
    end
  end

  `WEFT_ASSUME(OneResultAtATime, !(early && late))
  `WEFT_ASSUME(CommandsWriteAtRest, !(m_we_i && (issue_i || in_flight_i)))

endmodule
