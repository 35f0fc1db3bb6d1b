/// Remembers the beats in flight and says whether a candidate must wait for one of them (docs/pe.md, Pipeline).
///
/// A slot is a beat by the cycles left until it writes: 8..1 after a table function's beat was issued, 6..1 after
/// another's. Then a candidate must wait
///
/// - if it reads memory or operand b of the accumulator file, while any slot is going to write there;
/// - if it reads operand c, two cycles later than those, while a slot 3..8 is going to write there;
/// - without a table function, while slot 8 or 7 is taken: results leave in the order of issue.
///
/// Memory words are compared by their low 8 bits: a false match costs a few cycles, never a result. Of entries of the
/// accumulator file a beat may touch one pair of lanes only (double-wide beats share an entry without waiting).
///
/// Each candidate of psum reads one thing at most. Latency: none.
`include "weft_check.svh"

module pe_hazard
  import pe_pkg::pair_t;
#(
  /// Half the lanes.
  parameter int unsigned Pairs = 2
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // main's candidate
  input  logic        main_valid_i,
  input  logic        main_m_re_i,
  input  logic [7:0]  main_m_i,
  input  logic        main_b_re_i,
  input  logic [7:0]  main_b_i,
  input  logic        main_c_re_i,
  input  logic [7:0]  main_c_i,
  input  logic        main_sfu_i,
  output logic        main_wait_o,
  // psum's candidate: memory or operand c
  input  logic        psum_valid_i,
  input  logic        psum_m_re_i,
  input  logic        psum_c_re_i,
  input  logic [7:0]  psum_m_i,
  input  logic [7:0]  psum_c_i,
  input  logic        psum_one_i,    // one pair only
  input  pair_t       psum_pair_i,
  output logic        psum_wait_o,
  // the beat that issues
  input  logic        issue_i,
  input  logic        issue_psum_i,
  input  logic        issue_sfu_i,
  input  logic        issue_mem_i,   // writes memory
  input  logic        issue_reg_i,   // writes the accumulator file
  input  logic [7:0]  issue_key_i,
  input  logic        issue_one_i,   // one pair only
  input  pair_t       issue_pair_i,
  // beats in flight
  output logic        main_flying_o,
  output logic        psum_flying_o,
  /// A beat writes in this cycle.
  output logic        end_o
);

  // Bit or byte s - 1 is slot s. The sets are shifted as one word.
  typedef struct packed {
    logic [7:0]            valid;
    logic [7:0]            psum;
    logic [7:0]            mem;
    logic [Pairs-1:0][7:0] pair;  // of an entry of R
  } slots_t;

  localparam int unsigned Sets = 3 + Pairs;

  slots_t      slots_q;
  logic [63:0] key_q;
  logic [7:0]  valid_q, psum_q, mem_q, reg_q;

  assign valid_q = slots_q.valid;
  assign psum_q  = slots_q.psum;
  assign mem_q   = slots_q.mem;

  always_comb begin
    reg_q = '0;
    for (int unsigned p = 0; p < Pairs; p++) reg_q = reg_q | slots_q.pair[p];
  end

  logic [7:0] m_hit, b_hit, c_hit, psum_hit, psum_key, psum_reg, slot;  // slot: where the beat that issues goes

  assign slot = issue_sfu_i ? 8'h80 : 8'h20;

  // Nothing moves from one set into the next.
  logic [Sets*8-1:0] older;
  assign older = (slots_q >> 1) & {Sets{8'h7f}};

  always_comb begin
    m_hit    = '0;
    b_hit    = '0;
    c_hit    = '0;
    psum_hit = '0;
    psum_key = '0;
    psum_reg = '0;
    // Hits do not matter without a candidate.
    main_wait_o = 1'b0;
    psum_wait_o = 1'b0;
    `WEFT_IF_ANY(main_valid_i) begin
      `WEFT_IF_ANY({8{main_m_re_i}} & mem_q) begin
        for (int unsigned s = 0; s < 8; s++) m_hit[s] = key_q[s*8+:8] == main_m_i;
        m_hit = m_hit & mem_q & {8{main_m_re_i}};
      end
      `WEFT_IF_ANY({8{main_b_re_i}} & reg_q) begin
        for (int unsigned s = 0; s < 8; s++) b_hit[s] = key_q[s*8+:8] == main_b_i;
        b_hit = b_hit & reg_q & {8{main_b_re_i}};
      end
      `WEFT_IF_ANY({8{main_c_re_i}} & reg_q) begin
        for (int unsigned s = 2; s < 8; s++) c_hit[s] = key_q[s*8+:8] == main_c_i;
        c_hit = c_hit & reg_q & {8{main_c_re_i}};
      end
      main_wait_o = (m_hit | b_hit | c_hit) != '0 || (!main_sfu_i && valid_q[7:6] != '0);
    end
    `WEFT_IF_ANY(psum_valid_i) begin
      psum_key = psum_m_re_i ? psum_m_i : psum_c_i;
      for (int unsigned s = 0; s < 8; s++) psum_hit[s] = key_q[s*8+:8] == psum_key;
      for (int unsigned p = 0; p < Pairs; p++)
        psum_reg = psum_reg | (slots_q.pair[p] & {8{~psum_one_i | (psum_pair_i == pair_t'(p))}});
      psum_hit = psum_hit & ((mem_q & {8{psum_m_re_i}}) | (psum_reg & {{6{psum_c_re_i}}, 2'b00}));
      psum_wait_o = psum_hit != '0 || valid_q[7:6] != '0;
    end
  end

  logic [Pairs-1:0][7:0] written;  // what the beat that issues writes

  always_comb begin
    written = '0;
    `WEFT_IF_ANY(issue_i & issue_reg_i) begin
      for (int unsigned p = 0; p < Pairs; p++)
        written[p] = {8{issue_reg_i & (~issue_one_i | (issue_pair_i == pair_t'(p)))}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      slots_q <= '0;
    end else if (issue_i) begin
      slots_q <= older | ({Sets{slot}} & {8'hff, {8{issue_psum_i}}, {8{issue_mem_i}}, written});
      key_q   <= (key_q >> 8) | (issue_sfu_i ? {issue_key_i, 56'b0} : {16'b0, issue_key_i, 40'b0});
    end else if (valid_q != '0) begin
      slots_q <= older;
      key_q   <= key_q >> 8;
    end
  end

  assign main_flying_o = (valid_q & ~psum_q) != '0;
  assign psum_flying_o = (valid_q & psum_q) != '0;
  assign end_o         = valid_q[0];

  `WEFT_ASSERT(PsumIssuesNoTableFunction, !(issue_i && issue_psum_i && issue_sfu_i))
  `WEFT_ASSERT(OneWriteAtATime, !(valid_q[6] && issue_i && !issue_sfu_i))

endmodule
