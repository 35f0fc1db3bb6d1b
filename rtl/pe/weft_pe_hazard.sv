// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The interlock: tracks the beats in flight and decides whether a candidate must wait for one of them
/// (docs/reference/pe.md, Pipeline).
///
/// A beat in flight occupies the slot numbered by the cycles left until it writes: TableLatency..1 after a table
/// function's beat was issued, BeatLatency..1 after any other. A candidate must wait
///
/// - if it reads memory, for a or b, or operand b of the accumulator file, while any slot is going to write there;
/// - if it reads operand c, a cycle later than those, while a slot from 2 on is going to write there;
/// - without a table function, while a slot above BeatLatency is taken: results leave in the order of issue;
/// - with one, until the table units are free: Steps cycles after the last.
///
/// These rules alone would let main keep psum waiting forever, with table functions or by writing again and again what
/// psum reads. Therefore, while psum's candidate waits, main's must also wait if it writes what psum reads; and, if
/// psum waits only for slots above BeatLatency, if it has a table function. Psum then waits at most TableLatency cycles
/// for what it reads and TableLatency - BeatLatency for the slots.
///
/// Addresses are compared by their low KeyBits: a false match costs a few cycles, never a result. A beat may touch only
/// one pair of lanes of an accumulator file entry (double-wide beats share an entry without waiting).
///
/// With AnyAddress a vector in memory begins in any lane of a word, and two vectors in neighbouring words may meet. The
/// lane is 0 for the accumulator file, and for a read of one element, which is then compared as its whole word.
///
/// Each candidate of psum reads one thing at most. Latency: none.
`include "weft_check.svh"

module weft_pe_hazard
  import weft_pe_pkg::*;
#(
  /// Half the lanes.
  parameter int unsigned Pairs        = 2,
  parameter int unsigned Steps        = table_steps(2 * Pairs),
  parameter int unsigned TableLatency = table_latency(2 * Pairs),
  /// 1: vectors begin at any element of memory.
  parameter int unsigned AnyAddress   = 0,
  localparam int unsigned LaneBits    = $clog2(2 * Pairs)
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // main's candidate
  input  logic        main_valid_i,
  input  logic        main_m_re_i,
  input  key_t        main_m_i,
  input  logic        main_b_re_i,   // b of the accumulator file
  input  logic        main_n_re_i,   // ... or of memory
  input  key_t        main_b_i,
  input  logic        main_c_re_i,
  input  key_t        main_c_i,
  input  logic        main_sfu_i,
  input  logic        main_mem_i,    // writes memory
  input  logic        main_reg_i,    // writes the accumulator file
  input  key_t        main_d_i,
  input  logic [LaneBits-1:0] main_m_lane_i,
  input  logic [LaneBits-1:0] main_b_lane_i,
  input  logic [LaneBits-1:0] main_d_lane_i,
  output logic        main_wait_o,
  output logic        main_table_o,  // a table function in flight alone would make it wait
  // psum's candidate, if it waits for nothing but beats in flight: memory or operand c
  input  logic        psum_valid_i,
  input  logic        psum_m_re_i,
  input  logic        psum_c_re_i,
  input  key_t        psum_m_i,
  input  key_t        psum_c_i,
  input  logic [LaneBits-1:0] psum_m_lane_i,
  input  logic        psum_one_i,    // one pair only
  input  pair_t       psum_pair_i,
  output logic        psum_wait_o,
  output logic        psum_table_o,
  // the beat that issues
  input  logic        issue_i,
  input  logic        issue_psum_i,
  input  logic        issue_sfu_i,
  input  logic        issue_mem_i,   // writes memory
  input  logic        issue_reg_i,   // writes the accumulator file
  input  key_t        issue_key_i,
  input  logic [LaneBits-1:0] issue_lane_i,
  input  logic        issue_one_i,   // one pair only
  input  pair_t       issue_pair_i,
  // beats in flight
  output logic        in_flight_o,
  output logic        psum_in_flight_o,
  /// A beat writes in this cycle.
  output logic        end_o
);

  localparam int unsigned Slots = TableLatency;
  localparam int unsigned Late  = TableLatency - BeatLatency;  // slots of table functions only

  typedef logic [Slots-1:0] set_t;  // set of slots: bit s - 1 is slot s

  // The sets are shifted as one word.
  typedef struct packed {
    set_t             valid;
    set_t             psum;
    set_t             mem;
    set_t [Pairs-1:0] pair;  // slots that write this pair of an entry of R
  } slots_t;

  localparam int unsigned Sets = 3 + Pairs;

  slots_t      slots_q;
  typedef logic [LaneBits-1:0] lane_t;

  key_t [BeatLatency-1:0] key_q;
  key_t [Late-1:0] late_key_q;
  lane_t [BeatLatency-1:0] lane_q;  // AnyAddress
  lane_t [Late-1:0] late_lane_q;
  set_t        valid_q, psum_q, mem_q, reg_q;

  assign valid_q = slots_q.valid;
  assign psum_q  = slots_q.psum;
  assign mem_q   = slots_q.mem;

  always_comb begin
    reg_q = '0;
    for (int unsigned p = 0; p < Pairs; p++) reg_q = reg_q | slots_q.pair[p];
  end

  set_t       b_set, m_hit, b_hit, c_hit, psum_hit, psum_reg;
  key_t       psum_key;
  lane_t      psum_lane;
  logic       table_ends;  // some beat ends later than one issued now would
  logic       table_busy;
  logic       hold;  // main must wait, for psum's sake

  assign table_busy = (valid_q >> (TableLatency - Steps + 1)) != '0;
  assign table_ends = valid_q[Slots-1:BeatLatency] != '0;

  /// Returns 1 if a read and a write have an element in common.
  function automatic logic meets(input key_t key, input lane_t lane, input key_t written, input lane_t written_lane);
    meets = written == key;
    if (AnyAddress != 0)
      meets = meets | (written == key - key_t'(1) && lane < written_lane) | (written == key + key_t'(1) && written_lane < lane);
  endfunction

  /// The slots with this key; those above BeatLatency are compared only while one of them is taken.
  function automatic set_t equals(input key_t key, input lane_t lane);
    equals = '0;
    for (int unsigned s = 0; s < BeatLatency; s++) equals = equals | (set_t'(meets(key, lane, key_q[s], lane_q[s])) << s);
    `WEFT_IF_ANY(table_ends) begin
      for (int unsigned s = 0; s < Late; s++)
        equals = equals | (set_t'(meets(key, lane, late_key_q[s], late_lane_q[s])) << (BeatLatency + s));
    end
  endfunction

  // Every set moves down by one slot; no bit moves from one set into the next.
  logic [Sets*Slots-1:0] older;
  assign older = (slots_q >> 1) & {Sets{set_t'(~(set_t'(1) << (Slots - 1)))}};

  always_comb begin
    m_hit    = '0;
    b_set    = '0;
    b_hit    = '0;
    c_hit    = '0;
    psum_hit = '0;
    psum_key = '0;
    psum_lane = '0;
    psum_reg = '0;
    // Hits do not matter without a candidate.
    main_wait_o = 1'b0;
    psum_wait_o = 1'b0;
    hold        = 1'b0;
    `WEFT_IF_ANY(psum_valid_i) begin
      psum_key = psum_m_re_i ? psum_m_i : psum_c_i;
      psum_lane = psum_m_re_i ? psum_m_lane_i : '0;
      psum_hit = equals(psum_key, psum_lane);
      for (int unsigned p = 0; p < Pairs; p++)
        psum_reg = psum_reg | (slots_q.pair[p] & {Slots{~psum_one_i | (psum_pair_i == pair_t'(p))}});
      psum_hit = psum_hit & ((mem_q & {Slots{psum_m_re_i}}) | (psum_reg & {{(Slots - 1) {psum_c_re_i}}, 1'b0}));
      psum_wait_o = psum_hit != '0 || table_ends;
      if (psum_hit != '0) hold = (psum_m_re_i ? main_mem_i : main_reg_i) & meets(psum_key, psum_lane, main_d_i, main_d_lane_i);
      else hold = psum_wait_o & main_sfu_i;
    end
    `WEFT_IF_ANY(main_valid_i) begin
      `WEFT_IF_ANY({Slots{main_m_re_i}} & mem_q) begin
        m_hit = equals(main_m_i, main_m_lane_i) & mem_q & {Slots{main_m_re_i}};
      end
      b_set = (reg_q & {Slots{main_b_re_i}}) | (mem_q & {Slots{main_n_re_i}});
      `WEFT_IF_ANY(b_set) begin
        b_hit = equals(main_b_i, main_b_lane_i) & b_set;
      end
      `WEFT_IF_ANY({Slots{main_c_re_i}} & reg_q) begin
        c_hit = equals(main_c_i, '0) & reg_q & {{(Slots - 1) {main_c_re_i}}, 1'b0};
      end
      main_wait_o = (m_hit | b_hit | c_hit) != '0 || (main_sfu_i ? table_busy : table_ends) || (hold & psum_valid_i);
    end
  end

  // The issuing beat, in its slot: bit k * Slots + BeatLatency - 1 of set k, or Late above it.
  logic [Sets*Slots-1:0] entered;

  always_comb begin
    entered = '0;
    `WEFT_IF_ANY(issue_i) begin
      for (int unsigned p = 0; p < Pairs; p++)
        entered[p*Slots+BeatLatency-1] = issue_reg_i & (~issue_one_i | (issue_pair_i == pair_t'(p)));
      entered[Pairs*Slots+BeatLatency-1]     = issue_mem_i;
      entered[(Pairs+1)*Slots+BeatLatency-1] = issue_psum_i;
      entered[(Pairs+2)*Slots+BeatLatency-1] = 1'b1;
      if (issue_sfu_i) entered = entered << Late;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      slots_q <= '0;
    end else if (issue_i) begin
      slots_q <= older | entered;
    end else if (valid_q != '0) begin
      slots_q <= older;
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue_i || valid_q != '0) begin
      key_q <= {(issue_i && !issue_sfu_i) ? issue_key_i : late_key_q[0], key_q[BeatLatency-1:1]};
      `WEFT_IF_ANY({issue_sfu_i, table_ends}) late_key_q <= {issue_key_i, late_key_q[Late-1:1]};
    end
  end

  if (AnyAddress == 0) begin : gen_aligned
    logic unused;
    assign unused      = ^{main_m_lane_i, main_b_lane_i, main_d_lane_i, psum_m_lane_i, issue_lane_i};
    assign lane_q      = '0;
    assign late_lane_q = '0;
  end else begin : gen_any
    always_ff @(posedge clk_i) begin
      if (issue_i || valid_q != '0) begin
        lane_q <= {(issue_i && !issue_sfu_i) ? issue_lane_i : late_lane_q[0], lane_q[BeatLatency-1:1]};
        `WEFT_IF_ANY({issue_sfu_i, table_ends}) late_lane_q <= {issue_lane_i, late_lane_q[Late-1:1]};
      end
    end
  end

  assign main_table_o = main_sfu_i ? table_busy : table_ends;
  assign psum_table_o = table_ends;

  assign in_flight_o      = valid_q != '0;
  assign psum_in_flight_o = (valid_q & psum_q) != '0;
  assign end_o         = valid_q[0];

  `WEFT_ASSUME(PsumIssuesNoTableFunction, !(issue_i && issue_psum_i && issue_sfu_i))
  `WEFT_ASSUME(OneWriteAtATime, !(valid_q[BeatLatency] && issue_i && !issue_sfu_i))

endmodule
