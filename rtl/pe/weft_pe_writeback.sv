// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The ends of the beats in flight: when a result arrives, its write.
///
/// A result arrives BeatLatency cycles after its beat was issued, with a table function after table_latency. Its
/// destination waits in a small ring, one slot for each cycle to come; pe_issue ensures that no two beats end in one
/// cycle. The ring advances while beats are in flight. Memory writes of commands come when no beat is in flight.
`include "weft_check.svh"

module weft_pe_writeback
  import weft_pe_pkg::*;
#(
  parameter int unsigned Lanes   = 4,
  /// Bits of the address of a word in the SRAM, and of an entry of R.
  parameter int unsigned RowBits = 10,
  parameter int unsigned RBits   = 8,
  /// 1: vectors begin at any element of memory.
  parameter int unsigned AnyAddress = 0,
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  logic                clk_i,
  input  logic                rst_i,
  // the beat issued in this cycle
  input  logic                issue_i,
  input  beat_end_t           finish_i,
  input  logic [15:0]         addr_i,
  /// Beats are in flight; one of them ends in this cycle, with destination fin_o.
  input  logic                in_flight_i,
  input  logic                end_i,
  output beat_end_t           fin_o,
  // its result goes to the accumulator file, with an enable for each pair of lanes ...
  output logic [Lanes/2-1:0]  r_we_o,
  output logic [RBits-1:0]    r_addr_o,
  // ... or to memory: rounded to bf16, or the table function's result
  input  logic [Lanes*16-1:0] narrow_i,
  input  logic [Lanes*16-1:0] table_i,
  output logic                m_end_o,
  // a command's write
  input  logic                m_we_i,
  /* verilator lint_off UNUSEDSIGNAL */  // a memory of less than 128 KiB
  input  logic [15:0]         m_addr_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [15:0]         m_data_i,
  // memory; with AnyAddress the first lane of the word, and lanes beyond the end of the memory are not written
  input  logic [7:0]          kib_i,
  output logic [Lanes-1:0]    m_we_o,
  output logic [RowBits-1:0]  m_waddr_o,
  output logic [LaneBits-1:0] m_lane_o,
  output logic [Lanes*16-1:0] m_wdata_o
);

  localparam int unsigned Pairs    = Lanes / 2;
  localparam int unsigned EndBits  = $bits(beat_end_t) + 16;

  // ----------------------------------------------------------------------------------------------------- the ring
  /* verilator lint_off UNUSEDSIGNAL */  // a memory of less than 128 KiB
  logic [15:0] end_addr;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0]  now_q;
  logic [3:0]  issue_place;

  assign issue_place = now_q + 4'(finish_i.sfu ? table_latency(Lanes) : BeatLatency);

  (* no_rw_check *) logic [EndBits-1:0] ring_q [16];

  always_ff @(posedge clk_i) begin
    if (issue_i) ring_q[issue_place] <= {addr_i, finish_i};
    if (issue_i || in_flight_i) now_q <= now_q + 4'd1;
    if (rst_i) now_q <= '0;
  end

  assign {end_addr, fin_o} = ring_q[now_q];

  // ---------------------------------------------------------------------------------------------------- the write
  logic r_end;
  assign r_end    = end_i & (fin_o.dest == DestReg);
  assign m_end_o = end_i & (fin_o.dest == DestMem);

  // The pairs of lanes that a beat writes.
  logic [Pairs-1:0] fin_pairs;

  always_comb begin
    fin_pairs = '0;
    `WEFT_IF_ANY({r_end, m_end_o}) begin
      for (int unsigned p = 0; p < Pairs; p++) fin_pairs[p] = ~fin_o.d_one | (fin_o.pair == pair_t'(p));
    end
  end

  assign r_addr_o = end_addr[RBits-1:0];
  assign r_we_o   = fin_pairs & {Pairs{r_end}};

  logic [Lanes-1:0] there;  // lanes of the vector that the memory has

  if (AnyAddress == 0) begin : gen_aligned
    logic unused;
    assign unused   = ^kib_i;
    assign there    = '1;
    assign m_lane_o = '0;
  end else begin : gen_any
    logic [6:0] next;  // KiB of the next word
    assign next     = end_addr[15:9] + 7'(end_addr[8:LaneBits] == '1);
    assign m_lane_o = m_end_o ? end_addr[LaneBits-1:0] : '0;
    always_comb begin
      for (int unsigned l = 0; l < Lanes; l++)
        there[l] = {1'b0, (32'(m_lane_o) + l >= Lanes) ? next : end_addr[15:9]} < kib_i;
    end
  end

  always_comb begin
    m_we_o    = '0;
    m_waddr_o = '0;
    m_wdata_o = '0;
    `WEFT_IF_ANY({m_end_o, m_we_i}) begin
      if (m_end_o) begin
        for (int unsigned l = 0; l < Lanes; l++) m_we_o[l] = fin_pairs[l/2] & there[l];
        m_waddr_o = end_addr[LaneBits+:RowBits];
        m_wdata_o = fin_o.sfu ? table_i : narrow_i;
        if (fin_o.d_one) m_wdata_o = {Pairs{narrow_i[31:0]}};
      end else begin
        m_we_o    = Lanes'(m_we_i) << m_addr_i[LaneBits-1:0];
        m_waddr_o = m_addr_i[LaneBits+:RowBits];
        m_wdata_o = {Lanes{m_data_i}};
      end
    end
  end

endmodule
