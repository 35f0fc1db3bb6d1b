// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The arbiter before the vector unit: one beat per cycle, psum's first.
///
/// A candidate issues if it is ready and no beat in flight blocks it (pe_hazard). Psum's candidate also waits for room
/// in the out queue and, if it sends raw words, which leave early, until it can overtake no result being sent (4
/// cycles). From then on it issues within MostWait cycles, whatever main does (PsumWaitIsBounded). Main has no such
/// guarantee: it gets the cycles that psum leaves, at least one between two of psum's vector instructions
/// (docs/reference/pe.md, Who goes first).
///
/// Latency: none.
`include "weft_check.svh"

module weft_pe_issue
  import weft_pe_pkg::*;
#(
  parameter int unsigned Lanes = 4,
  /// 1: vectors begin at any element of memory.
  parameter int unsigned AnyAddress = 0
) (
  input  logic        clk_i,
  input  logic        rst_i,

  input  logic        main_valid_i,
  input  beat_t       main_beat_i,
  input  beat_addr_t  main_addr_i,
  output logic        main_issue_o,

  input  logic        psum_valid_i,
  input  beat_t       psum_beat_i,
  input  beat_addr_t  psum_addr_i,
  output logic        psum_issue_o,

  input  logic        out_room_i,
  /// The beat issued a cycle ago reads the accumulator file, whose port main's candidate needs for b.
  input  logic        r_busy_i,
  output logic        out_reserve_o,

  output logic        issue_o,
  output beat_t       beat_o,
  output beat_addr_t  addr_o,

  output logic        in_flight_o,
  output logic        psum_in_flight_o,
  output logic        end_o,
  // why a candidate does not issue (pe_stall_reason)
  output logic        main_hold_o,    // beats in flight, or port b
  output logic        main_table_o,   // if so: table functions among them
  output logic        psum_credit_o,  // no room in the out queue
  output logic        psum_table_o
);

  localparam int unsigned LaneBits = $clog2(Lanes);

  logic       main_wait, psum_wait, psum_ready, psum_issue, main_issue, issue;
  logic [3:0] late_q;  // sent results issued one to four cycles ago
  key_t       key, main_d, main_b;

  logic psum_sends, hazard_table;

  always_comb begin
    psum_sends = 1'b0;
    psum_ready = 1'b0;  // ready but for beats in flight
    `WEFT_IF_ANY(psum_valid_i) begin
      psum_sends = psum_beat_i.finish.sends != '0;
      psum_ready = psum_valid_i & (out_room_i | ~psum_sends) & ~(psum_beat_i.finish.early & (late_q != '0));
    end
  end
  assign psum_issue = psum_ready & ~psum_wait;
  assign main_d     = (main_beat_i.finish.dest == DestMem) ? main_addr_i.d[LaneBits+:KeyBits] : main_addr_i.d[KeyBits-1:0];
  assign main_b     = main_beat_i.read.n_re ? main_addr_i.b[LaneBits+:KeyBits] : main_addr_i.b[KeyBits-1:0];
  assign main_issue = main_valid_i & ~main_wait & ~psum_issue & ~(main_beat_i.read.b_re & r_busy_i);
  assign issue      = psum_issue | main_issue;

  always_comb begin
    beat_o = main_beat_i;
    addr_o = main_addr_i;
    if (psum_issue) begin
      beat_o = psum_beat_i;
      addr_o = psum_addr_i;
    end
    key = (beat_o.finish.dest == DestMem) ? addr_o.d[LaneBits+:KeyBits] : addr_o.d[KeyBits-1:0];
  end

  // The first lanes of vectors in memory; a read of one element is compared as its word (pe_hazard).
  typedef logic [LaneBits-1:0] lane_t;
  lane_t main_m_lane, main_b_lane, main_d_lane, psum_m_lane, issue_lane;

  if (AnyAddress == 0) begin : gen_aligned
    assign {main_m_lane, main_b_lane, main_d_lane, psum_m_lane, issue_lane} = '0;
  end else begin : gen_any
    assign main_m_lane = main_beat_i.select.ld ? '0 : main_addr_i.m[LaneBits-1:0];
    assign main_b_lane = (main_beat_i.read.n_re && main_beat_i.select.b != BeatBElement) ? main_addr_i.b[LaneBits-1:0]
                                                                                          : '0;
    assign main_d_lane = (main_beat_i.finish.dest == DestMem) ? main_addr_i.d[LaneBits-1:0] : '0;
    assign psum_m_lane = psum_beat_i.select.ld ? '0 : psum_addr_i.m[LaneBits-1:0];
    assign issue_lane  = (beat_o.finish.dest == DestMem) ? addr_o.d[LaneBits-1:0] : '0;
  end

  weft_pe_hazard #(.Pairs(Lanes / 2), .AnyAddress(AnyAddress)) i_hazard (
    .clk_i, .rst_i,
    .main_valid_i, .main_m_re_i(main_beat_i.read.m_re), .main_m_i(main_addr_i.m[LaneBits+:KeyBits]),
    .main_b_re_i(main_beat_i.read.b_re), .main_n_re_i(main_beat_i.read.n_re), .main_b_i(main_b),
    .main_c_re_i(main_beat_i.read.c_re), .main_c_i(main_addr_i.c[KeyBits-1:0]), .main_sfu_i(main_beat_i.finish.sfu),
    .main_mem_i(main_beat_i.finish.dest == DestMem), .main_reg_i(main_beat_i.finish.dest == DestReg), .main_d_i(main_d),
    .main_m_lane_i(main_m_lane), .main_b_lane_i(main_b_lane), .main_d_lane_i(main_d_lane), .psum_m_lane_i(psum_m_lane),
    .issue_lane_i(issue_lane),
    .main_wait_o(main_wait), .main_table_o(hazard_table),
    .psum_valid_i(psum_ready), .psum_m_re_i(psum_beat_i.read.m_re), .psum_c_re_i(psum_beat_i.read.c_re),
    .psum_m_i(psum_addr_i.m[LaneBits+:KeyBits]), .psum_c_i(psum_addr_i.c[KeyBits-1:0]), .psum_one_i(psum_beat_i.read.c_one),
    .psum_pair_i(psum_beat_i.finish.pair), .psum_wait_o(psum_wait), .psum_table_o,
    .issue_i(issue), .issue_psum_i(psum_issue), .issue_sfu_i(beat_o.finish.sfu), .issue_mem_i(beat_o.finish.dest == DestMem),
    .issue_reg_i(beat_o.finish.dest == DestReg), .issue_key_i(key), .issue_one_i(beat_o.finish.d_one),
    .issue_pair_i(beat_o.finish.pair),
    .in_flight_o, .psum_in_flight_o, .end_o
  );

  always_ff @(posedge clk_i) begin
    if (psum_issue || late_q != '0) late_q <= {late_q[2:0], psum_issue & psum_sends & ~psum_beat_i.finish.early};
    if (rst_i) late_q <= '0;
  end

  assign issue_o       = issue;
  assign main_issue_o  = main_issue;
  assign psum_issue_o  = psum_issue;
  assign out_reserve_o = psum_issue & psum_sends;
  assign main_hold_o   = main_wait | (main_beat_i.read.b_re & r_busy_i);
  assign main_table_o  = main_wait & hazard_table;
  assign psum_credit_o = psum_sends & ~out_room_i;

`ifdef WEFT_CHECKED
  localparam int unsigned MostWait = 2 * table_latency(Lanes) - BeatLatency;
  logic [4:0] waited_q;  // cycles that psum's candidate has waited for beats in flight
  always_ff @(posedge clk_i) begin
    if (rst_i || !psum_ready || psum_issue) waited_q <= '0;
    else waited_q <= waited_q + 5'd1;
  end
`endif
  `WEFT_ASSERT(PsumWaitIsBounded, 32'(waited_q) < MostWait || !psum_ready || psum_issue)
  `WEFT_ASSUME(MainSendsNothing, !(main_valid_i && main_beat_i.finish.sends != '0))

endmodule
