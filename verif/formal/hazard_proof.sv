/// pe_hazard: no beat reads an element of memory that a beat in flight is going to write.
///
/// The element is arbitrary: one of the 2^KeyBits words that the interlock distinguishes, and a lane. A list of the
/// cycles in which beats write it is kept here, by the vectors' first elements. Candidates issue as in pe_issue, psum's
/// first.
`include "proof.svh"

module hazard_proof
  import weft_pe_pkg::*;
#(
  parameter int unsigned Pairs      = 2,
  parameter int unsigned AnyAddress = 1,
  localparam int unsigned Lanes     = 2 * Pairs,
  localparam int unsigned LaneBits  = $clog2(Lanes),
  localparam int unsigned Bits      = KeyBits + LaneBits
) (
  input logic            clk_i,
  input logic            rst_i,
  // the element
  input logic [Bits-1:0] element_i,
  // main's candidate: reads a, b, c; writes d
  input logic            main_valid_i,
  input logic            main_may_i,
  input logic            main_m_re_i,
  input logic            main_b_re_i,
  input logic            main_n_re_i,
  input logic            main_c_re_i,
  input logic            main_sfu_i,
  input logic            main_mem_i,
  input logic            main_reg_i,
  input logic [Bits-1:0] main_m_i,
  input logic [Bits-1:0] main_b_i,
  input logic [Bits-1:0] main_c_i,
  input logic [Bits-1:0] main_d_i,
  // psum's
  input logic            psum_valid_i,
  input logic            psum_m_re_i,
  input logic            psum_c_re_i,
  input logic            psum_mem_i,
  input logic            psum_reg_i,
  input logic            psum_one_i,
  input pair_t           psum_pair_i,
  input logic [Bits-1:0] psum_m_i,
  input logic [Bits-1:0] psum_c_i,
  input logic [Bits-1:0] psum_d_i
);

  localparam int unsigned Slots = table_latency(Lanes);

  `PROOF

  /// The lane of an address of a vector in memory.
  function automatic logic [LaneBits-1:0] lane_of(input logic memory, input logic [Bits-1:0] address);
    return (AnyAddress != 0 && memory) ? address[LaneBits-1:0] : '0;
  endfunction
  function automatic key_t key_of(input logic [Bits-1:0] address);
    return address[Bits-1:LaneBits];
  endfunction
  /// A vector from word `key` and `lane` on has the element.
  function automatic logic has(input key_t key, input logic [LaneBits-1:0] lane, input logic [Bits-1:0] element);
    logic [Bits-1:0] behind;
    behind = element - {key, lane};
    return 32'(behind) < Lanes;
  endfunction

  logic [Bits-1:0] element_q, d;
  always_ff @(posedge clk_i) if (rst_i) element_q <= element_i;

  logic main_wait, psum_wait, main_table, psum_table, in_flight, psum_in_flight, ends;
  logic main_go, psum_go, mem, writes;

  always_comb begin
    psum_go = psum_valid_i && !psum_wait;
    main_go = main_valid_i && main_may_i && !main_wait && !psum_go;
    d       = psum_go ? psum_d_i : main_d_i;
    mem     = psum_go ? psum_mem_i : main_mem_i;
    writes  = (psum_go || main_go) && mem && has(key_of(d), lane_of(1'b1, d), element_q);
  end

  `GIVEN(OneDestination, !(main_mem_i && main_reg_i) && !(psum_mem_i && psum_reg_i))
  `GIVEN(PsumReadsOneThing, !(psum_m_re_i && psum_c_re_i))
  `GIVEN(OneReadForB, !(main_b_re_i && main_n_re_i))

  weft_pe_hazard #(.Pairs(Pairs), .AnyAddress(AnyAddress)) i_dut (
    .clk_i, .rst_i, .main_valid_i, .main_m_re_i, .main_m_i(key_of(main_m_i)), .main_b_re_i, .main_n_re_i,
    .main_b_i(key_of(main_b_i)), .main_c_re_i, .main_c_i(key_of(main_c_i)), .main_sfu_i, .main_mem_i, .main_reg_i,
    .main_d_i(key_of(main_d_i)), .main_m_lane_i(lane_of(1'b1, main_m_i)), .main_b_lane_i(lane_of(main_n_re_i, main_b_i)),
    .main_d_lane_i(lane_of(main_mem_i, main_d_i)), .main_wait_o(main_wait), .main_table_o(main_table),
    .psum_valid_i, .psum_m_re_i, .psum_c_re_i, .psum_m_i(key_of(psum_m_i)), .psum_c_i(key_of(psum_c_i)),
    .psum_m_lane_i(lane_of(1'b1, psum_m_i)), .psum_one_i, .psum_pair_i, .psum_wait_o(psum_wait), .psum_table_o(psum_table),
    .issue_i(psum_go || main_go), .issue_psum_i(psum_go), .issue_sfu_i(main_go && main_sfu_i), .issue_mem_i(mem),
    .issue_reg_i(psum_go ? psum_reg_i : main_reg_i), .issue_key_i(key_of(d)), .issue_lane_i(lane_of(mem, d)),
    .issue_one_i(psum_go && psum_one_i), .issue_pair_i(psum_pair_i),
    .in_flight_o(in_flight), .psum_in_flight_o(psum_in_flight), .end_o(ends)
  );

  // Bit s - 1: in s - 1 cycles, this one is 0, a beat in flight writes the element.
  logic [Slots-1:0] written_q, entered;
  always_comb begin
    entered = '0;
    if (writes) entered[(main_go && main_sfu_i) ? Slots - 1 : BeatLatency - 1] = 1'b1;
  end
  always_ff @(posedge clk_i) begin
    written_q <= rst_i ? '0 : (written_q >> 1) | entered;
  end

  for (genvar s = 0; s < int'(Slots); s++) begin : gen_slot
    key_t                key;
    logic [LaneBits-1:0] lane;
    if (s < int'(BeatLatency)) begin : gen_early
      assign key  = i_dut.key_q[s];
      assign lane = i_dut.lane_q[s];
    end else begin : gen_late
      assign key  = i_dut.late_key_q[s-int'(BeatLatency)];
      assign lane = i_dut.late_lane_q[s-int'(BeatLatency)];
    end
    `PROVE(SlotHasTheWrite, !written_q[s] || (i_dut.slots_q.valid[s] && i_dut.slots_q.mem[s] && has(key, lane, element_q)))
  end

  logic read_a, read_b, read_psum;
  assign read_a    = main_m_re_i && has(key_of(main_m_i), lane_of(1'b1, main_m_i), element_q);
  assign read_b    = main_n_re_i && has(key_of(main_b_i), lane_of(1'b1, main_b_i), element_q);
  assign read_psum = psum_m_re_i && has(key_of(psum_m_i), lane_of(1'b1, psum_m_i), element_q);

  logic [3:0] waited_q;  // cycles since a write of the element was issued
  always_ff @(posedge clk_i) begin
    if (rst_i || writes) waited_q <= '0;
    else if (waited_q != '1) waited_q <= waited_q + 4'd1;
  end

  `PROVE(MainReadsWhatIsWritten, !(main_go && (read_a || read_b)) || written_q == '0)
  `PROVE(PsumReadsWhatIsWritten, !(psum_go && read_psum) || written_q == '0)
  // While psum waits for what is written, main writes no more of it: psum's wait is bounded.
  `PROVE(MainWritesNothingPsumWaitsFor, !(psum_valid_i && psum_wait && read_psum && written_q != '0 && main_go && writes))
  `COVER(MainHasWaited, main_go && read_a && 32'(waited_q) >= BeatLatency)
  `COVER(PsumHasWaited, psum_go && read_psum && 32'(waited_q) >= BeatLatency)

  logic unused;
  assign unused = ^{main_table, psum_table, in_flight, psum_in_flight, ends};

endmodule
