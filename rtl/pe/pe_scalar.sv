/// The scalar core: two threads in turn on one port of the instruction memory, one decoder and one adder.
///
/// ```
///            t          t+1        t+2        t+3
///   main     execute    decode     execute    decode     execute: the successor's address goes to the memory
///   psum     decode     execute    decode     execute    decode: its word is there, registers are read
/// ```
///
/// A quick instruction (arithmetic, branches, control registers) takes two cycles; a thread alone goes no faster. What may
/// wait (vector instructions, ld, snd, rcv, mvp, fork, join) stays in execute until it is done, and takes a cycle more: what
/// it waits for comes late in a cycle, and decides over registers only. If both want the adder, psum has it.
///
/// Contract: start_i and set_reg_i only while both threads are halted. Vector instructions, ld and snd go to the thread's
/// sequencer (valid/ready); ld then waits for its word.
`include "weft_check.svh"

module pe_scalar
  import isa_pkg::*;
  import pe_pkg::*;
  import pe_scalar_pkg::*;
#(
  parameter int unsigned PcBits = 10,
  parameter int unsigned Built  = 4      // colors
) (
  input  logic                    clk_i,
  input  logic                    rst_i,
  input  place_t                  place_i,
  input  logic [7:0]              flags_i,
  // commands: start main at an address, write one of its registers
  input  logic                    start_i,
  input  logic [PcBits-1:0]       start_pc_i,
  input  logic                    set_reg_i,
  input  logic [3:0]              set_reg_addr_i,
  input  logic [15:0]             set_reg_data_i,
  // instruction memory
  output logic                    i_re_o,
  output logic [PcBits-1:0]       i_addr_o,
  input  logic [31:0]             i_data_i,
  // to the sequencers; [0] is main's, [1] psum's
  output logic [1:0]              ask_o,
  output request_t [1:0]          request_o,
  input  logic [1:0]              taken_i,
  output controls_t               controls_o,
  // what ld asked for
  input  logic [1:0]              ld_valid_i,
  input  logic [15:0]             ld_data_i,
  // the sequencers have nothing left to issue; psum has beats in flight
  input  logic [1:0]              idle_i,
  input  logic                    psum_flying_i,
  // a stream word for psum's rcv
  output logic [4:0]              rcv_color_o,
  input  logic                    rcv_valid_i,
  input  logic [15:0]             rcv_data_i,
  output logic                    rcv_o,       // takes it
  //
  output logic [1:0]              active_o,
  output logic [1:0][PcBits-1:0]  pc_o,
  output logic                    step_o,      // this clock edge changes something
  output logic                    bad_instr_o,
  output logic                    bad_color_o
);

  localparam int Main = 0;
  localparam int Psum = 1;

  typedef logic [PcBits-1:0] pc_t;

  // ----------------------------------------------------------------------------------------------------- threads
  logic [1:0]        start, fetch, fetched, decode, want, last, quick, word_wait, word_valid, step;
  pc_t  [1:0]        start_pc, pc;
  pc_t               pc_next, target;
  scalar_op_t        op_d;             // in decode
  scalar_op_t [1:0]  op;               // in execute
  logic [1:0][31:0]  word;
  logic [1:0][15:0]  a, b;
  logic [15:0]       a_d, b_d, c_q, d_q, sum;
  logic              refused, done;

  for (genvar t = 0; t < 2; t++) begin : gen_thread
    pe_thread #(.PcBits(PcBits)) i_thread (
      .clk_i, .rst_i, .start_i(start[t]), .start_pc_i(start_pc[t]),
      .fetch_o(fetch[t]), .fetched_i(fetched[t]), .pc_o(pc[t]), .pc_next_i(pc_next),
      .decode_o(decode[t]), .op_i(op_d), .word_i(i_data_i), .a_i(a_d), .b_i(b_d),
      .op_o(op[t]), .word_o(word[t]), .a_o(a[t]), .b_o(b[t]),
      .quick_o(want[t]), .last_o(last[t]), .quick_i(quick[t]), .sum_i(sum), .target_i(target),
      .ask_o(ask_o[t]), .taken_i(taken_i[t]), .word_wait_o(word_wait[t]), .word_valid_i(word_valid[t]),
      .word_data_i((t == Psum && rcv_o) ? rcv_data_i : ld_data_i), .done_i(done & (t == Main)),
      .refused_i(refused & (t == Main)), .active_o(active_o[t]), .here_o(pc_o[t]), .step_o(step[t])
    );
  end

  assign request_o[Main] = '{word: word[Main], a: a[Main], b: b[Main], c: c_q, d: d_q};
  assign request_o[Psum] = '{word: word[Psum], a: a[Psum], b: b[Psum], c: '0, d: '0};

  // ------------------------------------------------------------------------------------------------------ decode
  logic [3:0]       a_addr, b_addr;
  logic [3:0][15:0] main_read;  // d, c, b, a
  logic [1:0][15:0] psum_read;  // b, a
  logic [15:0]      csr_data;

  pe_scalar_decode #(.Built(Built)) i_decode (
    .valid_i(decode != '0), .psum_i(decode[Psum]), .word_i(i_data_i), .op_o(op_d), .a_o(a_addr), .b_o(b_addr)
  );

  always_comb begin
    pc_next = '0;
    a_d     = '0;
    b_d     = '0;
    `WEFT_IF_ANY(decode) begin
      pc_next = (decode[Psum] ? pc[Psum] : pc[Main]) + pc_t'(1);
      a_d     = decode[Psum] ? psum_read[0] : main_read[0];
      case (op_d.second)
        SecondReg:  b_d = decode[Psum] ? psum_read[1] : main_read[1];
        SecondImm:  b_d = scalar_imm(i_data_i);
        SecondOne:  b_d = 16'd1;
        SecondCsr:  b_d = csr_data;
        SecondNext: b_d = 16'(pc_next);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (decode[Main]) begin
      c_q <= main_read[2];
      d_q <= main_read[3];
    end
  end

  // ----------------------------------------------------------------------------------------------------- execute
  logic        psum_rests, fork_go;
  logic        sel;        // the adder's thread
  scalar_op_t  op_x;
  logic [15:0] a_x, result;
  logic        quick_any, last_x, go;

  assign refused    = (op[Main].unit == UnitQuick) & op[Main].other & active_o[Psum];
  assign psum_rests = ~active_o[Psum] & idle_i[Psum] & ~psum_flying_i;
  assign fork_go    = (op[Main].unit == UnitFork) & ~active_o[Psum] & idle_i[Main];
  assign done       = fork_go | ((op[Main].unit == UnitJoin) & psum_rests);
  assign rcv_o      = (op[Psum].unit == UnitRcv) & word_wait[Psum] & idle_i[Psum] & rcv_valid_i;
  assign word_valid = {ld_valid_i[Psum] | rcv_o, ld_valid_i[Main]};

  assign quick[Psum] = want[Psum];
  assign quick[Main] = want[Main] & ~want[Psum] & ~refused;
  assign quick_any   = quick != '0;
  assign sel         = want[Psum];

  assign last_x = sel ? last[Psum] : last[Main];

  always_comb begin
    op_x = '0;
    a_x  = '0;
    `WEFT_IF_ANY(quick_any) begin
      op_x = sel ? op[Psum] : op[Main];
      a_x  = sel ? a[Psum] : a[Main];
    end
  end

  pe_alu i_alu (
    .valid_i(quick_any), .op_i(op_x), .a_i(a_x), .b_i(sel ? b[Psum] : b[Main]), .sum_o(sum), .result_o(result), .go_o(go)
  );

  // Written in execute, read in decode: never by the same thread at once, and of the other only VL has the same number.
  pe_csr i_csr (
    .clk_i, .rst_i, .wpsum_i(sel), .wcsr_i(scalar_csr(sel ? word[Psum] : word[Main])), .we_i(quick_any & op_x.csr_write),
    .data_i(a_x), .rpsum_i(decode[Psum]), .rcsr_i(scalar_csr(i_data_i)), .re_i(decode != '0), .data_o(csr_data),
    .place_i, .flags_i, .controls_o
  );

  // ---------------------------------------------------------------------------------------------------- registers
  logic [1:0]  write;
  logic        to_other;
  logic [15:0] wdata;

  assign write    = quick & last & {op[Psum].write, op[Main].write};
  assign to_other = write[Main] & op[Main].other;
  assign wdata    = set_reg_i ? set_reg_data_i : result;

  pe_registers #(.Ports(4)) i_main (
    .clk_i, .we_i(set_reg_i | (write[Main] & ~to_other)),
    .waddr_i(set_reg_i ? set_reg_addr_i : op[Main].rd), .wdata_i(wdata),
    .re_i(decode[Main]), .raddr_i({vmain_rd(i_data_i), vmain_rc(i_data_i), b_addr, a_addr}), .rdata_o(main_read)
  );

  pe_registers #(.Ports(2)) i_psum (
    .clk_i, .we_i(write[Psum] | to_other), .waddr_i(active_o[Psum] ? op[Psum].rd : op[Main].rd), .wdata_i(wdata),
    .re_i(decode[Psum]), .raddr_i({b_addr, a_addr}), .rdata_o(psum_read)
  );

  // ---------------------------------------------------------------------------------------------- the next word
  logic next_quick;  // its address follows from the adder

  assign next_quick = quick_any & last_x;

  always_comb begin
    target   = '0;
    i_addr_o = pc[Main];
    if (fetch[Psum]) i_addr_o = pc[Psum];
    if (next_quick) begin
      target = sel ? pc[Psum] : pc[Main];
      if (go) target = (op_x.go == GoTo) ? pc_t'(a_x) : pc_t'(branch_target(sel ? word[Psum] : word[Main]));
      i_addr_o = target;
    end
  end

  assign fetched[Psum] = fetch[Psum] & ~next_quick;
  assign fetched[Main] = fetch[Main] & ~next_quick & ~fetch[Psum];
  assign i_re_o        = next_quick | (fetch != '0);

  assign start    = {fork_go, start_i};
  assign start_pc = {pc_t'(branch_target(word[Main])), start_pc_i};

  assign rcv_color_o = scalar_color(word[Psum]);
  assign step_o      = step != '0;
  assign bad_instr_o = op[Main].bad_instr | op[Psum].bad_instr | refused;
  assign bad_color_o = op[Psum].bad_color;

  `WEFT_ASSERT(OneThreadDecodes, decode != 2'b11)
  `WEFT_ASSUME(LdWordsAreAskedFor, (ld_valid_i & ~word_wait) == '0)

endmodule
