/// The vector unit: memory, the accumulator file, the lanes and the table functions in one pipeline.
///
/// ```
///  t        t+1          t+2            t+3     t+4   t+5    t+6                    t+7     t+8
///  issue    M, R(b)      multiply,      align,  add   round  write R, M;            table   write R, M
///           select a, b  read R(c)      c, x                 results to the outbox
///                                       raw words to the outbox
/// ```
///
/// A beat enters with issue_i and nothing can stop it: whoever issues has checked hazards and room (pe_issue). What
/// happens at its end waits in a small ring, one slot for each cycle to come; the ring turns while beats are in flight.
///
/// A double-wide beat works for one pair of an entry's lanes: results come out of lanes 0 and 1 and go to that pair.
`include "weft_check.svh"

module pe_vector
  import num_pkg::*;
  import isa_pkg::*;
  import pe_pkg::*;
  import weft_pkg::color_t;
#(
  parameter int unsigned Lanes   = 4,
  parameter int unsigned SramKib = 48,
  parameter int unsigned RDepth  = 256,
  /// Stream words a beat can take or send: two results, or a bf16 for each lane.
  parameter int unsigned Words   = (Lanes > 4) ? Lanes / 2 : 2
) (
  input  logic         clk_i,
  input  logic         rst_i,
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
  input  logic         flying_i,
  // memory writes of commands; they wait while m_busy_o
  output logic         m_busy_o,
  input  logic         m_we_i,
  input  logic [15:0]  m_addr_i,
  input  logic [15:0]  m_data_i,
  // what ld read
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
  localparam int unsigned Elements = SramKib * 512;
  localparam int unsigned RBits    = $clog2(RDepth);
  localparam int unsigned LastBits = $clog2(Words);

  `WEFT_PARAM(Lanes == 2 || Lanes == 4 || Lanes == 8 || Lanes == 16, "pe_vector: make Lanes 2, 4, 8 or 16")
  `WEFT_PARAM(Words >= 2 && Words >= Pairs, "pe_vector: leave Words as it is")
  `WEFT_PARAM(SramKib <= 128, "pe_vector: make SramKib at most 128, elements have 16-bit addresses")
  `WEFT_PARAM(RDepth == 256, "pe_vector: only RDepth = 256 is built")

  // ---------------------------------------------------------------------------------------------- ends to come
  localparam int unsigned EndBits = $bits(beat_end_t) + 16;

  beat_end_t   fin;        // what happens to the result of this cycle, and where
  /* verilator lint_off UNUSEDSIGNAL */  // a memory of less than 128 KiB
  logic [15:0] fin_addr;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [2:0]  now_q;

  (* no_rw_check *) logic [EndBits-1:0] ring_q [8];

  always_ff @(posedge clk_i) begin
    if (issue_i) ring_q[beat_i.finish.sfu ? now_q : now_q - 3'd2] <= {addr_i.d, beat_i.finish};
    if (rst_i) now_q <= '0;
    else if (issue_i || flying_i) now_q <= now_q + 3'd1;
  end

  assign {fin_addr, fin} = ring_q[now_q];

  // ------------------------------------------------------------------------------------------------- memories
  logic [Lanes-1:0]    m_we;
  logic [RowBits-1:0]  m_waddr;
  logic [Lanes*16-1:0] m_wdata, m_rdata;

  pe_ram #(.Words(Rows), .Lanes(Lanes), .LaneWidth(16), .ReadPorts(1)) i_sram (
    .clk_i, .we_i(m_we), .waddr_i(m_waddr), .wdata_i(m_wdata),
    .re_i(issue_i & beat_i.read.m_re), .raddr_i(addr_i.m[LaneBits+:RowBits]), .rdata_o(m_rdata)
  );

  logic [Pairs-1:0]       r_we;
  logic [31:0]            r_wdata [Lanes];
  logic [31:0]            r_b [Lanes];
  logic [31:0]            r_c [Lanes];
  logic                   c2_re;
  logic [RBits-1:0]       c2_q;

  // A slice of the accumulator file for each lane. pe_hazard keeps reads away from a write of the same address, in the
  // lanes that matter.
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_r
    (* no_rw_check *) logic [31:0] mem_q [RDepth]  /* verilator public_flat_rw */;
    logic [31:0] b_q, c_q;
`ifndef SYNTHESIS
    initial for (int unsigned i = 0; i < RDepth; i++) mem_q[i] = '0;
`endif
    always_ff @(posedge clk_i) begin
      if (r_we[l/2]) mem_q[fin_addr[RBits-1:0]] <= r_wdata[l];
    end
    always_ff @(posedge clk_i) begin
      if (issue_i && beat_i.read.b_re) b_q <= mem_q[addr_i.b[RBits-1:0]];
      if (c2_re) c_q <= mem_q[c2_q];
    end
    assign r_b[l] = b_q;
    assign r_c[l] = c_q;
  end

  // ------------------------------------------------------------------------------------- t+1: select a and b
  logic                valid1_q, psum1_q, fetch1;
  beat_select_t        select1_q;
  beat_lanes_t         lanes1_q;
  pair_t               pair1_q;
  logic                sfu1_q;
  color_t              cout1_q;
  logic [RBits-1:0]    c1_q;
  logic [LaneBits-1:0] lane1_q;
  logic [15:0]         sa1_q, sb1_q, sc1_q, picked;
  logic [Words*32-1:0] words1_q;
  logic [31:0]         m_lane [Lanes];  // what memory gave, and the stream, by lane
  logic [31:0]         w_lane [Lanes];

  always_ff @(posedge clk_i) begin
    valid1_q <= issue_i & ~rst_i;
    if (issue_i) begin
      select1_q <= beat_i.select;
      lanes1_q  <= beat_i.lanes;
      pair1_q   <= beat_i.finish.pair;
      sfu1_q    <= beat_i.finish.sfu;
      cout1_q   <= beat_i.finish.cout;
      psum1_q   <= issue_psum_i;
      c1_q      <= addr_i.c[RBits-1:0];
      lane1_q   <= addr_i.m[LaneBits-1:0];
      sa1_q     <= sa_i;
      sb1_q     <= sb_i;
      sc1_q     <= sc_i;
      if (issue_psum_i) words1_q <= words_i;
    end
  end

  assign fetch1 = valid1_q & (select1_q.ms_load | select1_q.ld);

  always_comb begin
    picked          = '0;
    main_ld_valid_o = 1'b0;
    psum_ld_valid_o = 1'b0;
    `WEFT_IF_ANY(fetch1) picked = m_rdata[lane1_q*16+:16];
    if (fetch1) begin
      main_ld_valid_o = select1_q.ld & ~psum1_q;
      psum_ld_valid_o = select1_q.ld & psum1_q;
    end
  end
  assign ld_data_o = picked;

  // -------------------------------------------------------------------- t+2: multiply, read c of the accumulators
  logic                valid2_q;
  logic [15:0]         ms_q, sc2_q;
  beat_lanes_t         lanes2_q;
  pair_t               pair2_q;
  logic                sfu2_q;
  color_t              cout2_q;

  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      m_lane[l] = '0;
      w_lane[l] = '0;
      `WEFT_IF_ANY(valid1_q) begin
        m_lane[l] = {16'b0, m_rdata[l*16+:16]};
        w_lane[l] = {16'b0, words1_q[l*16+:16]};
        if (Lanes == 2 && lanes1_q.use_x) w_lane[l] = words1_q[l*32+:32];
      end
    end
  end

  logic [31:0] a1 [Lanes];  // operands, bf16 in the low half
  logic [31:0] b1 [Lanes];
  logic        take1;

  assign take1 = valid1_q & ~fetch1;

  always_comb begin : select
    logic [31:0] l, n, a, b, sa, sb, high, from_m, from_s, one_hot, from_r, same;
    {l, a, b, sa, sb, high, from_m, from_s, one_hot, from_r, same} = '0;
    n = Lanes;
    `WEFT_IF_ANY(take1) begin
      from_m  = 32'(select1_q.a == BeatAMem);
      from_s  = 32'(select1_q.a == BeatAScalar);
      one_hot = 32'(select1_q.a == BeatAOneHot);
      from_r  = 32'(select1_q.b == BSEL_R);
      same    = 32'(select1_q.b == BSEL_A);
      sa      = {16'b0, sa1_q};
      sb      = {16'b0, (select1_q.b == BSEL_MS) ? ms_q : sb1_q};
    end
    `WEFT_LANES(l, n, Lanes) begin
      a    = (from_s != 32'd0) ? sa : w_lane[l[LaneBits-1:0]];
      a    = (from_m != 32'd0) ? m_lane[l[LaneBits-1:0]] : a;
      b    = (m_lane[l[LaneBits-1:0]] == sa) ? {16'b0, OneBf16} : 32'd0;
      a    = (one_hot != 32'd0) ? b : a;
      `WEFT_TO_BF16(high, r_b[l[LaneBits-1:0]])
      b    = (from_r != 32'd0) ? high : sb;
      a1[l[LaneBits-1:0]] = a;
      b1[l[LaneBits-1:0]] = (same != 32'd0) ? a : b;
    end
  end

  always_ff @(posedge clk_i) begin
    valid2_q <= take1 & ~rst_i;
    if (fetch1) begin
      if (select1_q.ms_load) ms_q <= picked;
    end else if (valid1_q) begin
      lanes2_q <= lanes1_q;
      pair2_q  <= pair1_q;
      sfu2_q   <= sfu1_q;
      cout2_q  <= cout1_q;
      c2_q     <= c1_q;
      sc2_q    <= sc1_q;
    end
  end

  assign c2_re = valid2_q & (lanes2_q.c == BeatCReg);

  // ------------------------------------------------------------------------------------------------ t+3: c and x
  logic                valid3_q;
  logic [15:0]         sc3_q;
  /* verilator lint_off UNUSEDSIGNAL */  // the lanes have its op already
  beat_lanes_t         lanes3_q;
  /* verilator lint_on UNUSEDSIGNAL */
  pair_t               pair3_q;
  logic                sfu3_q;
  color_t              cout3_q;
  logic [31:0]         a3 [Lanes];
  logic [31:0]         c3 [Lanes];
  logic [31:0]         x3 [Lanes];

  always_ff @(posedge clk_i) begin
    valid3_q <= valid2_q & ~rst_i;
    if (valid2_q) begin
      lanes3_q <= lanes2_q;
      pair3_q  <= pair2_q;
      sfu3_q   <= sfu2_q;
      cout3_q  <= cout2_q;
      sc3_q    <= sc2_q;
    end
  end

  always_comb begin : addend
    logic [31:0] l, n, c, from_r, from_a, rest;
    {l, c, from_r, from_a, rest} = '0;
    n      = Lanes;
    from_r = 32'(lanes3_q.c == BeatCReg);
    from_a = 32'(lanes3_q.c == BeatCA);
    rest   = (lanes3_q.c == BeatCScalar) ? {sc3_q, 16'b0} : (lanes3_q.c == BeatCNegZero) ? 32'h8000_0000 : 32'd0;
    `WEFT_LANES(l, n, Lanes) begin
      c = (from_a != 32'd0) ? a3[l[LaneBits-1:0]] << 16 : rest;
      c3[l[LaneBits-1:0]] = (from_r != 32'd0) ? r_c[l[LaneBits-1:0]] : c;
      x3[l[LaneBits-1:0]] = 32'd0;
    end
    `WEFT_IF_ANY({lanes3_q.use_x, pair3_q, lanes3_q.sum}) begin
      for (int unsigned p = 1; p < Pairs; p++) begin
        if (pair3_q == pair_t'(p)) begin
          c3[0] = r_c[2*p];
          c3[1] = r_c[2*p+1];
        end
      end
      x3[0] = (Lanes == 2) ? a3[0] : {a3[1][15:0], a3[0][15:0]};
      x3[1] = (Lanes == 2) ? a3[1] : {a3[3%Lanes][15:0], a3[2%Lanes][15:0]};
      for (int unsigned p = 0; p < (Pairs + 1) / 2; p++) begin
        if (lanes3_q.sum && (Pairs <= 2 || pair3_q == pair_t'(p))) begin
          x3[0] = r_c[4*p];
          c3[0] = r_c[4*p+1];
          x3[1] = r_c[(4*p+2)%Lanes];
          c3[1] = r_c[(4*p+3)%Lanes];
        end
      end
    end
  end

  // ------------------------------------------------------------------------------------------- t+1..t+6: the lanes
  logic [31:0] result [Lanes];
  logic        unused_valid;

  fma_lanes #(.Lanes(Lanes), .XLanes(2)) i_lanes (
    .clk_i, .rst_i, .take_i(take1), .a_i(a1), .b_i(b1),
    .valid_i(valid2_q), .op_i(lanes2_q.op), .use_x_i(lanes2_q.use_x),
    .a_o(a3), .c_i(c3), .x_i(x3), .valid_o(unused_valid), .result_o(result)
  );

  // -------------------------------------------------------------------------------- t+6..t+8: the table functions
  logic [2:0]          sfu_q;      // a table function is in t+6, t+5, t+4
  logic [2:0][1:0]     fn_q;       // and which
  logic                sfu7_q;
  logic [Lanes*16-1:0] narrow;     // results as bf16
  logic [Lanes*16-1:0] table_out, table_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sfu_q  <= '0;
      sfu7_q <= 1'b0;
    end else if ((valid3_q && sfu3_q) || sfu_q != '0 || sfu7_q) begin
      sfu_q  <= {sfu_q[1:0], valid3_q & sfu3_q};
      fn_q   <= {fn_q[1:0], lanes3_q.fn};
      sfu7_q <= sfu_q[2];
      if (sfu7_q) table_q <= table_out;
    end
  end

  always_comb begin
    narrow = '0;
    `WEFT_IF_ANY({sfu_q[2], m_busy_o}) begin
      for (int unsigned l = 0; l < Lanes; l++) narrow[l*16+:16] = to_bf16(result[l]);
    end
  end

  sfu #(.Lanes(Lanes)) i_sfu (
    .clk_i, .valid_i(sfu_q[2]), .fn_i(sfu_fn_e'(fn_q[2])), .x_i(narrow), .y_o(table_out)
  );

  // ----------------------------------------------------------------------------------------------- t+6, t+8: write
  logic r_end;
  assign r_end    = end_i & (fin.dest == DestReg);
  assign m_busy_o = end_i & (fin.dest == DestMem);

  // The pairs a beat writes.
  logic [Pairs-1:0] fin_pairs;

  always_comb begin
    fin_pairs = '0;
    `WEFT_IF_ANY({r_end, m_busy_o}) begin
      for (int unsigned p = 0; p < Pairs; p++) fin_pairs[p] = ~fin.d_one | (fin.pair == pair_t'(p));
    end
  end

  assign r_we = fin_pairs & {Pairs{r_end}};

  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) r_wdata[l] = result[l];
    `WEFT_IF_ANY(r_end) begin
      if (fin.sfu) begin
        for (int unsigned l = 0; l < Lanes; l++) r_wdata[l] = {table_q[l*16+:16], 16'b0};
      end
      if (fin.d_one) begin
        for (int unsigned l = 2; l < Lanes; l++) r_wdata[l] = result[l%2];
      end
    end
  end

  always_comb begin
    m_we    = '0;
    m_waddr = '0;
    m_wdata = '0;
    `WEFT_IF_ANY({m_busy_o, m_we_i}) begin
      if (m_busy_o) begin
        for (int unsigned l = 0; l < Lanes; l++) m_we[l] = fin_pairs[l/2];
        m_waddr = fin_addr[LaneBits+:RowBits];
        m_wdata = fin.sfu ? table_q : narrow;
        if (fin.d_one) m_wdata = {Pairs{narrow[31:0]}};
      end else begin
        m_we    = Lanes'(m_we_i) << m_addr_i[LaneBits-1:0];
        m_waddr = m_addr_i[LaneBits+:RowBits];
        m_wdata = {Lanes{m_data_i}};
      end
    end
  end

  logic early, late;
  assign early = valid3_q & lanes3_q.early;
  assign late  = end_i & (fin.sends != '0) & ~fin.early;

  always_comb begin
    push_o       = early | late;
    push_last_o  = '0;
    push_color_o = '0;
    push_words_o = '0;
    `WEFT_IF_ANY(push_o) begin
      push_last_o  = early ? LastBits'(Pairs - 1) : LastBits'(fin.sends[1]);
      push_color_o = early ? cout3_q : fin.cout;
      push_words_o[63:0] = {result[1], result[0]};
      if (early) begin
        for (int unsigned l = 0; l < Lanes; l++) push_words_o[l*16+:16] = a3[l][15:0];
      end
    end
  end

  // -------------------------------------------------------------------------------------------------------- errors
  function automatic logic beyond(input logic [15:0] addr);
    return (Elements < 65536) && ({16'b0, addr} >= Elements);
  endfunction

  always_comb begin
    misaligned_o  = 1'b0;
    bad_address_o = 1'b0;
    if (issue_i) begin
      if (beat_i.read.m_re) begin
        misaligned_o  = ~beat_i.select.ms_load & ~beat_i.select.ld & (addr_i.m[LaneBits-1:0] != '0);
        bad_address_o = beyond(addr_i.m);
      end
      if (beat_i.finish.dest == DestMem) begin
        misaligned_o  = misaligned_o | (addr_i.d[LaneBits-1:0] != '0);
        bad_address_o = bad_address_o | beyond(addr_i.d);
      end
    end else if (m_we_i) begin
      bad_address_o = beyond(m_addr_i);
    end
  end

  `WEFT_ASSERT(OneResultAtATime, !(early && late))
  `WEFT_ASSERT(CommandsWriteBetweenBeats, !(m_we_i && m_busy_o))

endmodule
