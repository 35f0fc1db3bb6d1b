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
/// Results of a beat that works for the upper half (`hi`) come out of lanes 0 and 1 and go to the upper lanes.
`include "weft_check.svh"

module pe_vector
  import num_pkg::*;
  import isa_pkg::*;
  import pe_pkg::*;
  import weft_pkg::color_t;
#(
  parameter int unsigned Lanes   = 4,
  parameter int unsigned SramKib = 48,
  parameter int unsigned RDepth  = 256
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
  input  logic [63:0]  words_i,
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
  output logic         push_two_o,
  output color_t       push_color_o,
  output logic [63:0]  push_words_o,
  //
  output logic         misaligned_o,
  output logic         bad_address_o
);

  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned Words    = SramKib * 1024 / (2 * Lanes);
  localparam int unsigned WordBits = $clog2(Words);
  localparam int unsigned Elements = SramKib * 512;
  localparam int unsigned RBits    = $clog2(RDepth);

  `WEFT_PARAM(Lanes == 4, "pe_vector: only Lanes = 4 is built (stream words and lane sums)")
  `WEFT_PARAM(SramKib <= 128, "pe_vector: make SramKib at most 128, elements have 16-bit addresses")
  `WEFT_PARAM(RDepth == 256, "pe_vector: only RDepth = 256 is built")

  // ---------------------------------------------------------------------------------------------- ends to come
  beat_end_t  ring_end;
  logic [2:0] now_q;

  (* no_rw_check *) logic [$bits(beat_end_t)-1:0] ring_q [8];

  always_ff @(posedge clk_i) begin
    if (issue_i) begin
      ring_q[beat_i.sfu ? now_q : now_q - 3'd2] <= {beat_i.dest, addr_i.d, beat_i.d_half, beat_i.hi, beat_i.sfu,
                                                    beat_i.early ? 2'd0 : beat_i.sends, beat_i.cout};
    end
    if (rst_i) now_q <= '0;
    else if (issue_i || flying_i) now_q <= now_q + 3'd1;
  end

  assign ring_end = beat_end_t'(ring_q[now_q]);

  // ------------------------------------------------------------------------------------------------- memories
  logic [Lanes-1:0]    m_we;
  logic [WordBits-1:0] m_waddr;
  logic [Lanes*16-1:0] m_wdata, m_rdata;

  pe_ram #(.Words(Words), .Lanes(Lanes), .LaneWidth(16), .ReadPorts(1)) i_sram (
    .clk_i, .we_i(m_we), .waddr_i(m_waddr), .wdata_i(m_wdata),
    .re_i(issue_i & beat_i.m_re), .raddr_i(addr_i.m[LaneBits+:WordBits]), .rdata_o(m_rdata)
  );

  logic [Lanes-1:0]       r_we;
  logic [31:0]            r_wdata [Lanes];
  logic [31:0]            r_b [Lanes];
  logic [31:0]            r_c [Lanes];
  logic                   c2_re;
  logic [RBits-1:0]       c2_q;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_r
    logic [1:0][31:0] rdata;
    pe_ram #(.Words(RDepth), .Lanes(1), .LaneWidth(32), .ReadPorts(2)) i_r (
      .clk_i, .we_i(r_we[l]), .waddr_i(ring_end.addr[RBits-1:0]), .wdata_i(r_wdata[l]),
      .re_i({c2_re, issue_i & beat_i.b_re}), .raddr_i({c2_q, addr_i.b[RBits-1:0]}), .rdata_o(rdata)
    );
    assign r_b[l] = rdata[0];
    assign r_c[l] = rdata[1];
  end

  // ------------------------------------------------------------------------------------- t+1: select a and b
  logic                valid1_q, psum1_q;
  /* verilator lint_off UNUSEDSIGNAL */  // its reads are done, its end waits in the ring
  beat_t               beat1_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [RBits-1:0]    c1_q;
  logic [LaneBits-1:0] lane1_q;
  logic [15:0]         sa1_q, sb1_q, sc1_q, picked;
  logic [63:0]         words1_q;

  always_ff @(posedge clk_i) begin
    valid1_q <= issue_i & ~rst_i;
    if (issue_i) begin
      beat1_q <= beat_i;
      psum1_q <= issue_psum_i;
      c1_q    <= addr_i.c[RBits-1:0];
      lane1_q <= addr_i.m[LaneBits-1:0];
      sa1_q   <= sa_i;
      sb1_q   <= sb_i;
      sc1_q   <= sc_i;
      if (beat_i.a == BeatAStream) words1_q <= words_i;
    end
  end

  always_comb begin
    picked = '0;
    if (valid1_q && (beat1_q.ms_load || beat1_q.ld)) picked = m_rdata[lane1_q*16+:16];
  end
  assign main_ld_valid_o = valid1_q & beat1_q.ld & ~psum1_q;
  assign psum_ld_valid_o = valid1_q & beat1_q.ld & psum1_q;
  assign ld_data_o       = picked;

  // -------------------------------------------------------------------- t+2: multiply, read c of the accumulators
  logic                valid2_q;
  logic [Lanes*16-1:0] a2_q, b2_q;
  logic [15:0]         ms_q, sc2_q;
  beat_late_t          beat2_q;

  always_ff @(posedge clk_i) begin
    valid2_q <= valid1_q & ~beat1_q.ms_load & ~beat1_q.ld & ~rst_i;
    if (valid1_q) begin
      beat2_q <= '{c_re: beat1_q.c_re, c: beat1_q.c, use_x: beat1_q.use_x, pair: beat1_q.pair, hi: beat1_q.hi,
                   op: beat1_q.op, sfu: beat1_q.sfu, fn: beat1_q.fn, early: beat1_q.early, two: beat1_q.sends[1],
                   cout: beat1_q.cout};
      c2_q    <= c1_q;
      sc2_q   <= sc1_q;
      if (beat1_q.ms_load) ms_q <= picked;
      for (int unsigned l = 0; l < Lanes; l++) begin
        logic [15:0] a, b;
        case (beat1_q.a)
          BeatAMem:    a = m_rdata[l*16+:16];
          BeatAScalar: a = sa1_q;
          BeatAOneHot: a = (m_rdata[l*16+:16] == sa1_q) ? OneBf16 : 16'b0;
          default:     a = words1_q[l*16+:16];
        endcase
        case (beat1_q.b)
          BSEL_S:  b = sb1_q;
          BSEL_R:  b = to_bf16(r_b[l]);
          BSEL_MS: b = ms_q;
          default: b = a;
        endcase
        a2_q[l*16+:16] <= a;
        b2_q[l*16+:16] <= b;
      end
    end
  end

  assign c2_re = valid2_q & beat2_q.c_re;

  // ------------------------------------------------------------------------------------------------ t+3: c and x
  logic                valid3_q;
  logic [Lanes*16-1:0] a3_q;
  logic [15:0]         sc3_q;
  /* verilator lint_off UNUSEDSIGNAL */  // the lanes have its op already
  beat_late_t          beat3_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0]         c3 [Lanes];
  logic [31:0]         x3 [2];

  always_ff @(posedge clk_i) begin
    valid3_q <= valid2_q & ~rst_i;
    if (valid2_q) begin
      beat3_q <= beat2_q;
      a3_q    <= a2_q;
      sc3_q   <= sc2_q;
    end
  end

  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      c3[l] = '0;
      if (valid3_q) begin
        case (beat3_q.c)
          BeatCNegZero: c3[l] = 32'h8000_0000;
          BeatCReg:     c3[l] = r_c[l];
          BeatCA:       c3[l] = {a3_q[l*16+:16], 16'b0};
          BeatCScalar:  c3[l] = {sc3_q, 16'b0};
          default: ;
        endcase
      end
    end
    x3[0] = '0;
    x3[1] = '0;
    if (valid3_q && beat3_q.use_x) begin
      x3[0] = beat3_q.pair ? r_c[0] : a3_q[31:0];
      x3[1] = beat3_q.pair ? r_c[2] : a3_q[63:32];
    end
    if (beat3_q.pair) c3[0] = r_c[1];
    if (beat3_q.hi) c3[0] = r_c[2];
    if (beat3_q.hi | beat3_q.pair) c3[1] = r_c[3];
  end

  // ------------------------------------------------------------------------------------------- t+2..t+6: the lanes
  logic [31:0] result [Lanes];

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    logic [31:0] x;
    logic        unused_valid;
    if (l < 2) begin : gen_x
      assign x = x3[l];
    end else begin : gen_no_x
      assign x = '0;
    end
    fma_lane #(.HasX(l < 2)) i_lane (
      .clk_i, .rst_i,
      .valid_i(valid2_q), .op_i(beat2_q.op), .use_x_i(beat2_q.use_x & (l < 2)),
      .a_i(a2_q[l*16+:16]), .b_i(b2_q[l*16+:16]), .c_i(c3[l]), .x_i(x),
      .valid_o(unused_valid), .result_o(result[l])
    );
  end

  // -------------------------------------------------------------------------------- t+6..t+8: the table functions
  logic [2:0][2:0]     fn_q;       // {sfu, fn} of t+6, t+5, t+4
  logic                sfu7_q;
  logic [Lanes*16-1:0] narrow;     // results as bf16
  logic [Lanes*16-1:0] table_out, table_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      fn_q   <= '0;
      sfu7_q <= 1'b0;
    end else if (valid3_q || {fn_q[2][2], fn_q[1][2], fn_q[0][2], sfu7_q} != '0) begin
      fn_q   <= {fn_q[1], fn_q[0], valid3_q & beat3_q.sfu, beat3_q.fn};
      sfu7_q <= fn_q[2][2];
    end
    if (sfu7_q) table_q <= table_out;
  end

  always_comb begin
    narrow = '0;
    if (fn_q[2][2] || (end_i && ring_end.dest == DestMem)) begin
      for (int unsigned l = 0; l < Lanes; l++) narrow[l*16+:16] = to_bf16(result[l]);
    end
  end

  sfu #(.Lanes(Lanes)) i_sfu (
    .clk_i, .valid_i(fn_q[2][2]), .fn_i(sfu_fn_e'(fn_q[2][1:0])), .x_i(narrow), .y_o(table_out)
  );

  // ----------------------------------------------------------------------------------------------- t+6, t+8: write
  always_comb begin
    r_we = '0;
    if (end_i && ring_end.dest == DestReg) r_we = {{(Lanes/2){ring_end.half[1]}}, {(Lanes/2){ring_end.half[0]}}};
    for (int unsigned l = 0; l < Lanes; l++) begin
      r_wdata[l] = result[l];
      if (ring_end.hi && l >= Lanes / 2) r_wdata[l] = result[l-Lanes/2];
      if (ring_end.sfu) r_wdata[l] = {table_q[l*16+:16], 16'b0};
    end
  end

  assign m_busy_o = end_i & (ring_end.dest == DestMem);

  always_comb begin
    m_we     = '0;
    m_waddr  = m_addr_i[LaneBits+:WordBits];
    m_wdata  = {Lanes{m_data_i}};
    if (m_busy_o) begin
      m_we    = {{(Lanes/2){ring_end.half[1]}}, {(Lanes/2){ring_end.half[0]}}};
      m_waddr = ring_end.addr[LaneBits+:WordBits];
      m_wdata = narrow;
      if (ring_end.hi) m_wdata[Lanes*8+:Lanes*8] = narrow[0+:Lanes*8];
      if (ring_end.sfu) m_wdata = table_q;
    end else if (m_we_i) begin
      m_we = Lanes'(1) << m_addr_i[LaneBits-1:0];
    end
  end

  logic early;
  assign early = valid3_q & beat3_q.early;

  always_comb begin
    push_o       = early | (end_i & (ring_end.sends != '0));
    push_two_o   = early ? beat3_q.two : ring_end.sends[1];
    push_color_o = early ? beat3_q.cout : ring_end.cout;
    push_words_o = '0;
    if (push_o) push_words_o = early ? a3_q[63:0] : {result[1], result[0]};
  end

  // -------------------------------------------------------------------------------------------------------- errors
  function automatic logic beyond(input logic [15:0] addr);
    return (Elements < 65536) && ({16'b0, addr} >= Elements);
  endfunction

  always_comb begin
    misaligned_o  = 1'b0;
    bad_address_o = 1'b0;
    if (issue_i) begin
      misaligned_o  = (beat_i.m_re & ~beat_i.ms_load & ~beat_i.ld & (addr_i.m[LaneBits-1:0] != '0)) |
                      ((beat_i.dest == DestMem) & (addr_i.d[LaneBits-1:0] != '0));
      bad_address_o = (beat_i.m_re & beyond(addr_i.m)) | ((beat_i.dest == DestMem) & beyond(addr_i.d));
    end else if (m_we_i) begin
      bad_address_o = beyond(m_addr_i);
    end
  end

  `WEFT_ASSERT(OneResultAtATime, !(early && end_i && ring_end.sends != '0))
  `WEFT_ASSERT(CommandsWriteBetweenBeats, !(m_we_i && m_busy_o))

endmodule
