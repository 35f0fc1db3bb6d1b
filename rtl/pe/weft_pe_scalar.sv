// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The scalar core: two threads alternate on one port of the instruction memory, one decoder and one adder.
///
/// ```
///            t          t+1        t+2        t+3
///   main     execute    decode     execute    decode     execute: the successor's address goes to the memory
///   psum     decode     execute    decode     execute    decode: its word is there, registers are read
/// ```
///
/// A quick instruction (arithmetic, branches, control registers) takes two cycles, also if only one thread runs. An
/// instruction that may wait (vector instructions, ld, snd, rcv, fork, join) stays in execute until it is done, and
/// takes a cycle more: the condition it waits for arrives late in a cycle, and decides over registers only. If both
/// threads want the adder, psum gets it.
///
/// Contract: start_i and set_reg_i only while both threads are halted. Vector instructions, ld and snd go to the thread's
/// sequencer (valid/ready); ld then waits for its word.
`include "weft_check.svh"

module weft_pe_scalar
  import weft_isa_pkg::*;
  import weft_pe_pkg::*;
  import weft_pe_scalar_pkg::*;
#(
  parameter int unsigned PcBits = 10,
  parameter int unsigned Built  = 4,     // colors
  /// 1: the host can halt threads and run instructions in them.
  parameter int unsigned Debug  = 0
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  place_t             place_i,
  input  logic [7:0]         flags_i,
  // commands: start main at an address, write one of its registers
  input  logic               start_i,
  input  logic [PcBits-1:0]  start_pc_i,
  input  logic               set_reg_i,
  input  logic [3:0]         set_reg_addr_i,
  input  logic [15:0]        set_reg_data_i,
  // instruction memory
  output logic               i_re_o,
  output logic [PcBits-1:0]  i_addr_o,
  input  logic [31:0]        i_data_i,
  // to the sequencers
  output logic               main_ask_o,
  output logic               psum_ask_o,
  output request_t           main_request_o,
  output psum_request_t      psum_request_o,
  input  logic               main_taken_i,
  input  logic               psum_taken_i,
  output controls_t          controls_o,
  // the word that ld requested
  input  logic               main_ld_valid_i,
  input  logic               psum_ld_valid_i,
  input  logic [15:0]        ld_data_i,
  // the sequencers have nothing left to issue; psum has beats in flight
  input  logic               main_idle_i,
  input  logic               psum_idle_i,
  input  logic               psum_in_flight_i,
  // a stream word for psum's rcv
  output logic [4:0]         rcv_color_o,
  input  logic               rcv_valid_i,
  input  logic [15:0]        rcv_data_i,
  output logic               rcv_o,          // takes it
  //
  output logic               main_active_o,
  output logic               psum_active_o,
  output thread_t            main_thread_o,
  output thread_t            psum_thread_o,
  // commands of the debug chain
  input  weft_debug_pkg::control_t debug_i,
  output logic               step_o,         // this clock edge changes something
  output logic               bad_instr_o,
  output logic               bad_color_o
);

  typedef logic [PcBits-1:0] pc_t;

  // ------------------------------------------------------------------------------------------- the host's instructions
  weft_debug_pkg::control_t debug;
  logic [31:0]         i_word;  // in decode

  if (Debug != 0) begin : gen_debug
    logic inject_q;
    always_ff @(posedge clk_i) inject_q <= debug.run_main | debug.run_psum;
    logic unused;
    assign unused = debug.count;  // the tile uses debug.count
    assign debug  = debug_i;
    assign i_word = inject_q ? debug.word : i_data_i;
  end else begin : gen_no_debug
    logic unused;
    assign unused = ^{debug_i, debug.word, debug.count};
    assign debug  = '0;
    assign i_word = i_data_i;
  end

  // ----------------------------------------------------------------------------------------------------- threads
  state_e      main_state, psum_state, first;
  scalar_op_t  op_d, main_op, psum_op;  // op_d: in decode
  logic        main_fetched, main_want, main_go, main_step, fork_go, done, refused;
  logic        psum_fetched, psum_want, psum_step;
  pc_t         main_pc, psum_pc, main_here, psum_here, pc_next, target, fork_pc;
  logic [31:0] main_word, psum_word;
  logic [15:0] main_a, main_b, psum_a, psum_b, c_q, d_q, a_d, b_d, sum;

  weft_pe_thread #(.PcBits(PcBits)) i_main_thread (
    .clk_i, .rst_i, .start_i, .start_pc_i, .halt_i(debug.halt), .inject_i(debug.run_main), .give_up_i(debug.give_up),
    .fetched_i(main_fetched), .pc_o(main_pc), .pc_next_i(pc_next),
    .first_i(first), .op_i(op_d), .word_i(i_word), .a_i(a_d), .b_i(b_d),
    .state_o(main_state), .op_o(main_op), .word_o(main_word), .a_o(main_a), .b_o(main_b),
    .quick_o(main_want), .quick_i(main_go), .sum_i(sum), .target_i(target), .taken_i(main_taken_i),
    .word_valid_i(main_ld_valid_i), .word_data_i(ld_data_i), .done_i(done), .refused_i(refused),
    .here_o(main_here), .step_o(main_step)
  );

  weft_pe_thread #(.PcBits(PcBits)) i_psum_thread (
    .clk_i, .rst_i, .start_i(fork_go), .start_pc_i(fork_pc),
    .halt_i(debug.halt), .inject_i(debug.run_psum), .give_up_i(debug.give_up),
    .fetched_i(psum_fetched), .pc_o(psum_pc), .pc_next_i(pc_next),
    .first_i(first), .op_i(op_d), .word_i(i_word), .a_i(a_d), .b_i(b_d),
    .state_o(psum_state), .op_o(psum_op), .word_o(psum_word), .a_o(psum_a), .b_o(psum_b),
    .quick_o(psum_want), .quick_i(psum_want), .sum_i(sum), .target_i(target), .taken_i(psum_taken_i),
    .word_valid_i(psum_ld_valid_i | rcv_o), .word_data_i(rcv_o ? rcv_data_i : ld_data_i),
    .done_i(1'b0), .refused_i(1'b0), .here_o(psum_here), .step_o(psum_step)
  );

  assign main_thread_o  = '{state: main_state, here: 10'(main_here), next: 10'(main_pc), b: main_b};
  assign psum_thread_o  = '{state: psum_state, here: 10'(psum_here), next: 10'(psum_pc), b: psum_b};
  assign main_active_o  = main_state != StHalted;
  assign psum_active_o  = psum_state != StHalted;
  assign main_ask_o     = main_state[3:1] == StVector[3:1];  // or StAsk
  assign psum_ask_o     = psum_state[3:1] == StVector[3:1];
  assign main_request_o = '{word: main_word, a: main_a, b: main_b, c: c_q, d: d_q};
  assign psum_request_o = '{word: psum_word, a: psum_a, b: psum_b};

  // ------------------------------------------------------------------------------------------------------ decode
  logic             main_decode, psum_decode, decode;
  logic [3:0]       a_addr, b_addr;
  logic [3:0][15:0] main_read;  // d, c, b, a
  logic [1:0][15:0] psum_read;  // b, a
  logic [15:0]      csr_data;
  logic [3:0]       c_addr, d_addr;
  csr_e             csr_d;

  assign main_decode = main_state == StDecode;
  assign psum_decode = psum_state == StDecode;
  assign decode      = main_decode | psum_decode;

  weft_pe_scalar_decode #(.Built(Built)) i_decode (
    .valid_i(decode), .psum_i(psum_decode), .word_i(i_word), .first_o(first), .op_o(op_d), .a_o(a_addr), .b_o(b_addr)
  );

  always_comb begin
    c_addr = '0;
    d_addr = '0;
    csr_d  = csr_e'(0);
    `WEFT_IF_ANY(decode) begin
      c_addr = vmain_rc(i_word);
      d_addr = vmain_rd(i_word);
      csr_d  = scalar_csr(i_word);
    end
  end

  always_comb begin
    pc_next = '0;
    a_d     = '0;
    b_d     = '0;
    `WEFT_IF_ANY(decode) begin
      pc_next = (psum_decode ? psum_pc : main_pc) + pc_t'(1);
      a_d     = psum_decode ? psum_read[0] : main_read[0];
      case (op_d.second)
        SecondReg:  b_d = psum_decode ? psum_read[1] : main_read[1];
        SecondImm:  b_d = scalar_imm(i_word);
        SecondOne:  b_d = 16'd1;
        SecondCsr:  b_d = csr_data;
        SecondNext: b_d = 16'(pc_next);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (main_decode) begin
      c_q <= main_read[2];
      d_q <= main_read[3];
    end
  end

  // ----------------------------------------------------------------------------------------------------- execute
  scalar_op_t  op_x;
  logic [15:0] a_x, b_x, result;
  logic        quick, ends, goes, write, to_psum;
  csr_e        csr_x;
  logic [3:0]  psum_rd;

  always_comb begin
    fork_pc = '0;
    fork_go = 1'b0;
    done    = 1'b0;
    `WEFT_IF_ANY(main_state[3] & main_state[2]) begin  // fork or join
      fork_pc = pc_t'(branch_target(main_word));
      fork_go = (main_state == StFork) & ~psum_active_o & main_idle_i;
      done    = fork_go | ((main_state == StJoin) & ~psum_active_o & psum_idle_i & ~psum_in_flight_i);
    end
  end

  assign rcv_o = (psum_state == StReceive) & psum_idle_i & rcv_valid_i;

  always_comb begin
    refused = 1'b0;
    main_go = 1'b0;
    quick   = 1'b0;
    ends    = 1'b0;
    op_x    = '0;
    a_x     = '0;
    b_x     = '0;
    write   = 1'b0;
    to_psum = 1'b0;
    csr_x   = csr_e'(0);
    psum_rd = '0;
    `WEFT_IF_ANY(main_want | psum_want) begin
      refused = (main_state == StQuick) & main_op.other & psum_active_o;
      main_go = main_want & ~psum_want & ~refused;
      quick   = main_go | psum_want;
      ends    = psum_want ? psum_state != StAddress : main_go & (main_state != StAddress);
      op_x    = psum_want ? psum_op : main_op;
      a_x     = psum_want ? psum_a : main_a;
      b_x     = psum_want ? psum_b : main_b;
      write   = ends & op_x.write;
      to_psum = psum_want | op_x.other;
      csr_x   = scalar_csr(psum_want ? psum_word : main_word);
      psum_rd = psum_active_o ? psum_op.rd : main_op.rd;
    end
  end

  weft_pe_alu i_alu (.valid_i(quick), .op_i(op_x), .a_i(a_x), .b_i(b_x), .sum_o(sum), .result_o(result), .go_o(goes));

  // Written in execute, read in decode: never by the same thread in one cycle, and the threads share no number but VL,
  // of which each has its own.
  weft_pe_csr i_csr (
    .clk_i, .rst_i, .clear_i(start_i), .wpsum_i(psum_want), .wcsr_i(csr_x),
    .we_i(quick & op_x.csr_write), .data_i(a_x), .rpsum_i(psum_decode), .rcsr_i(csr_d), .re_i(decode),
    .data_o(csr_data), .place_i, .flags_i, .controls_o
  );

  // ---------------------------------------------------------------------------------------------------- registers
  logic [15:0] wdata;

  assign wdata = set_reg_i ? set_reg_data_i : result;

  weft_pe_registers #(.Ports(4)) i_main (
    .clk_i, .we_i(set_reg_i | (write & ~to_psum)), .waddr_i(set_reg_i ? set_reg_addr_i : main_op.rd), .wdata_i(wdata),
    .re_i(main_decode), .raddr_i({d_addr, c_addr, b_addr, a_addr}), .rdata_o(main_read)
  );

  weft_pe_registers #(.Ports(2)) i_psum (
    .clk_i, .we_i(write & to_psum), .waddr_i(psum_rd), .wdata_i(wdata),
    .re_i(psum_decode), .raddr_i({b_addr, a_addr}), .rdata_o(psum_read)
  );

  // ---------------------------------------------------------------------------------------------- the next word
  // while ends: the next address follows from the adder
  always_comb begin
    target   = '0;
    i_addr_o = (psum_state == StFetch) ? psum_pc : main_pc;
    if (ends) begin
      target = psum_want ? psum_pc : main_pc;
      if (goes) target = (op_x.go == GoTo) ? pc_t'(a_x) : pc_t'(branch_target(psum_want ? psum_word : main_word));
      i_addr_o = target;
    end
  end

  assign psum_fetched = (psum_state == StFetch) & ~ends & ~debug.halt;
  assign main_fetched = (main_state == StFetch) & ~ends & (psum_state != StFetch) & ~debug.halt;
  assign i_re_o       = ends | (main_state == StFetch) | (psum_state == StFetch);

  assign rcv_color_o = scalar_color(psum_word);
  assign step_o      = main_step | psum_step;
  always_comb begin
    bad_instr_o = refused;
    bad_color_o = 1'b0;
    `WEFT_IF_ANY((main_state == StHalt) | (psum_state == StHalt)) begin
      bad_instr_o = (main_state == StHalt & main_op.bad_instr) | (psum_state == StHalt & psum_op.bad_instr) | refused;
      bad_color_o = psum_state == StHalt & psum_op.bad_color;
    end
  end

  `WEFT_ASSERT(OneThreadDecodes, !(main_decode && psum_decode))
  `WEFT_ASSUME(LdWordsAreAskedFor,
               (!main_ld_valid_i || main_state == StWord) && (!psum_ld_valid_i || psum_state == StWord))

endmodule
