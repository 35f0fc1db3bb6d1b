// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The debug chain: its wires, its commands to a tile, and the status it reads (docs/reference/debug_chain.md).
/* verilator lint_off UNUSEDPARAM */  // no module uses all of a package
package weft_debug_pkg;

  /// Bits of a node's register, and of the status word in its lower end.
  localparam int unsigned NodeBits = 40;
  localparam int unsigned WordBits = 16;

  /// The chain's two wires.
  typedef struct packed {
    logic shift;
    logic data;
  } chain_t;

  /// A command: a node's register when shifting ends.
  typedef struct packed {
    logic        halt;     // 1: the threads stop; 0: they continue
    logic        give_up;  // threads and sequencers stop where they are
    logic        run;      // run one instruction: `word`
    logic        psum;     // ... in this thread
    logic [3:0]  index;    // the status word to load next
    logic [31:0] word;
  } command_t;

  /// Effects of a command on its tile. All but `halt` and `word` are pulses.
  typedef struct packed {
    logic        halt;
    logic        give_up;
    logic        run_main;
    logic        run_psum;
    logic        count;    // shift out the next bit of the counter that `word` selects
    logic [31:0] word;     // valid in the cycle after a run, or, for a counter, while its bit is taken
  } control_t;

  /// The part of a PE's status whose width no parameter changes; its last member comes first.
  typedef struct packed {
    logic [6:0]  mp_second;     // entries of MP
    logic [6:0]  mp_front;
    logic        mp_filled;     // the buffer of the next entry has received a weight
    logic [1:0]  mp_put_buffer;
    logic [1:0]  mp_take_buffer;
    logic        pm_put_par;
    logic        pm_take_par;
    logic [1:0]  pm_count;
    logic [1:0]  mp_count;
    logic        psum_lacks_room;
    logic        psum_lacks_words;
    logic        psum_busy;     // the sequencer
    logic        main_lacks_w;
    logic        main_busy;
    logic [9:0]  psum_seq_pc;   // the address behind its instruction
    logic [9:0]  main_seq_pc;
    logic [3:0]  psum_state;    // state_e of weft_pe_scalar_pkg
    logic [9:0]  psum_pc;       // the next instruction: behind the one that executes
    logic [3:0]  main_state;
    logic [9:0]  main_pc;
    logic [15:0] psum_b;        // the second operand of the last instruction, or what ld read: status words of their own
    logic [15:0] main_b;
  } pe_fixed_t;

  /// Bits of a queue's fill: nonempty, read pointer, write pointer.
  function automatic int unsigned queue_bits(input int unsigned depth);
    return 1 + 2 * $clog2(depth);
  endfunction
  function automatic int unsigned credit_bits(input int unsigned depth);
    return $clog2(depth + 1);
  endfunction

  function automatic int unsigned color_bits(input int unsigned colors);
    return (colors > 1) ? $clog2(colors) : 1;
  endfunction

  /// Bits of a PE's status: the fixed part; of the out queue its two pointers (4 bits each) and the color in front; the
  /// buffers and credits of all colors.
  function automatic int unsigned pe_bits(input int unsigned colors, input int unsigned depth);
    return $bits(pe_fixed_t) + 8 + color_bits(colors) + colors * (queue_bits(depth) + credit_bits(depth));
  endfunction

  /// Bits of pe_perf's status, in words of their own: the record's tag; a bit of a counter, and overflow.
  localparam int unsigned TallyBits = WordBits + 2;

  /// Bits of `word` in a command that runs no instruction: request the next bit of a counter; the counter's thread.
  localparam int unsigned CountBit = 31;
  localparam int unsigned PsumBit  = 4;  // above the stall reason, in bits 3..0

  /// A router's turns: sets of outputs, [color][input], for up to 32 colors.
  typedef logic [32*25-1:0] turns_t;

  /// True if queue port * colors + color is built (has_credits: the credits of output port * colors + color).
  function automatic logic has_queue(input turns_t turns, input int unsigned colors, input int unsigned queue);
    return turns[((queue % colors) * 5 + queue / colors) * 5+:5] != '0;
  endfunction
  function automatic logic has_credits(input turns_t turns, input int unsigned colors, input int unsigned pair);
    has_credits = 1'b0;
    for (int unsigned i = 0; i < 5; i++) begin
      has_credits = has_credits | turns[((pair % colors) * 5 + i) * 5 + pair / colors];
    end
  endfunction
  /// Number of queues (or credits) built whose number is below `below`.
  function automatic int unsigned queues(input turns_t turns, input int unsigned colors, input int unsigned below);
    queues = 0;
    for (int unsigned q = 0; q < below; q++) queues += has_queue(turns, colors, q) ? 1 : 0;
  endfunction
  function automatic int unsigned credits(input turns_t turns, input int unsigned colors, input int unsigned below);
    credits = 0;
    for (int unsigned p = 0; p < below; p++) credits += has_credits(turns, colors, p) ? 1 : 0;
  endfunction
  function automatic int unsigned router_bits(input turns_t turns, input int unsigned colors, input int unsigned depth);
    return queues(turns, colors, 5 * colors) * queue_bits(depth) + credits(turns, colors, 5 * colors) * credit_bits(depth)
           + 2;
  endfunction

endpackage
/* verilator lint_on UNUSEDPARAM */
