// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Psum's sequencer: turns vs, vb, vr (and snd, ld) into beats that take words from a stream and send words to one.
///
/// ```
///   vs   Vs ─ last, gather ─► Gather, once for each column to the east
///   vb   Vb
///   vr   VrWait ─ entry of MP ─► Vr ─ sent ─► VrWait
/// ```
///
/// A beat needs 0, 1 or 2 words of the color, or (vb) one for two lanes (pe_psum_words). The candidate's addresses are
/// registers, stepped when it issues.
///
/// Latency: first beat one cycle after the instruction, if its words are there.
`include "weft_check.svh"

module weft_pe_psum_seq
  import weft_isa_pkg::*;
  import weft_num_pkg::*;
  import weft_pkg::*;
  import weft_pe_pkg::*;
  import weft_pe_seq_pkg::*;
#(
  parameter int unsigned Lanes = 4,
  /// Most words a beat needs, and words_o; at least 2.
  parameter int unsigned Words = (Lanes > 4) ? Lanes / 2 : 2
) (
  input  logic         clk_i,
  input  logic         rst_i,
  input  coordinate_t  east_i,      // columns to the east
  // an instruction from the core
  input  logic         valid_i,
  output logic         ready_o,
  input  psum_request_t request_i,  // a: rc or ra, b: rd
  input  logic [7:0]   vl_i,        // 0 means 256
  // the front of color_o
  output color_t       color_o,
  input  logic         front_valid_i,
  input  logic [31:0]  front_i,
  output logic         pop_o,
  // handoff
  /* verilator lint_off UNUSEDSIGNAL */  // main's side
  input  handoff_t     queues_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  mp_t          mp_front_i,
  output logic         mp_take_o,
  output logic         pm_put_o,
  // the candidate
  output candidate_t   candidate_o,
  output logic [Words*32-1:0] words_o,
  input  logic         issue_i,
  //
  output logic         idle_o,
  output logic         step_o,
  output psum_mode_e   mode_o,
  output logic [1:0]   need_o,     // words of the beat; 2: two or more
  output logic         wait_o      // there is no candidate, for lack of room in PM or an entry of MP (pe_stall_reason)
);

  localparam int unsigned Pairs    = Lanes / 2;
  localparam int unsigned PairBits = (Pairs > 1) ? $clog2(Pairs) : 1;
  // Sums along the lanes are a tree: Pairs steps, two sums a beat (docs/reference/pe.md, vr), and one more step that
  // sends. From StepBoth on a beat is for two slots; the step before puts their pairs side by side.
  localparam int unsigned StepBits = $clog2(Pairs + 1);
  localparam logic [StepBits-1:0] StepSend = StepBits'(Pairs);
  localparam logic [StepBits-1:0] StepBoth = (Pairs == 1) ? '1 : StepBits'(Pairs - 1);

  localparam need_e NeedVb = (Pairs == 1) ? NeedOne : (Pairs == 2) ? NeedTwo : NeedAll;

  psum_state_e state_q, first;
  beat_t       beat_q;
  logic        wait_q;           // vs: an entry of MP must be there
  logic        gather_q;
  logic [7:0]  vl_last_q, i_q;
  coordinate_t east_q;
  logic [PairBits-1:0] pair_q;   // current pair of the entry
  logic [StepBits-1:0] step_q;   // vr: step of the tree; StepSend
  logic [15:0] a_q, d_q;
  logic [7:0]  c_q, c0_q;
  color_t      color_q;
  need_e       need_q;

  beat_t       decoded, tree;
  logic        decoded_in, accept, last_i, last_pair, words, own_done, done, take_first, start;
  logic [7:0]  slot;
  logic [3:0]  count_last, beats_last;  // vr: 1 to 16 sums of a group
  logic        both, spread, odd_end;
  logic        mp_valid, pm_room;
  op_e         op;
  logic [31:0] word;
  logic [15:0] op_a, op_b;
  logic        beat_valid;
  beat_t       beat;
  beat_addr_t  addr;

  assign mp_valid = queues_i.mp_count != '0;
  assign pm_room  = ~queues_i.pm_count[1];  // PM has two entries
  assign word     = request_i.word;
  assign op_a     = request_i.a;
  assign op_b     = request_i.b;
  assign op       = op_e'(opcode(word));

  weft_pe_psum_words #(.Words(Words)) i_words (
    .clk_i, .rst_i, .run_i(state_q != PsIdle), .need_i(need_q),
    .front_valid_i, .front_i, .pop_o, .ready_o(words), .first_o(take_first), .words_o, .issue_i,
    .load_i(accept & (op == OP_SND)), .load_data_i(op_a)
  );

  // ------------------------------------------------------------------------------------------------- the candidate
  always_comb begin
    last_i       = 1'b0;
    last_pair    = 1'b0;
    slot         = '0;
    count_last   = '0;
    beats_last   = '0;
    {both, spread, odd_end} = '0;
    beat_valid   = 1'b0;
    beat         = '0;
    addr         = '0;
    `WEFT_IF_ANY(state_q) begin
      last_i     = i_q == vl_last_q;
      last_pair  = pair_q == PairBits'(Pairs - 1);
      slot       = c0_q + {2'b0, queues_i.mp_take_buffer, 4'b0};
      count_last = mp_front_i.count[3:0] - 4'd1;
      both       = (Pairs > 1) & (step_q >= StepBoth);
      spread     = (Pairs > 1) & (step_q == StepBoth - StepBits'(1));
      beats_last = both ? {1'b0, count_last[3:1]} : count_last;
      odd_end    = both & ~count_last[0] & (i_q[3:0] == beats_last);  // the last slot is alone
      case (state_q)
        PsVs:           beat_valid = words & (~wait_q | mp_valid);
        PsVb:           beat_valid = words & pm_room;
        PsVr, PsGather: beat_valid = words;
        PsSnd, PsLd:    beat_valid = 1'b1;
        default: ;
      endcase
      beat = beat_q;
      addr = '{m: a_q, b: '0, c: c_q, d: d_q};
      if (state_q == PsVr) begin
        if (spread) beat.finish.pair = pair_t'(i_q[0]);
        if (odd_end && step_q == StepSend) beat.finish.sends = 2'd1;
      end
      if (state_q == PsVs) begin
        beat.finish.pair = pair_t'(pair_q);
        if (wait_q & mp_front_i.empty) begin
          beat.read.c_re = 1'b0;
          beat.lanes.c   = BeatCZero;
        end
      end
    end
  end

  always_comb begin
    own_done  = 1'b0;
    done      = 1'b0;
    mp_take_o = 1'b0;
    pm_put_o  = 1'b0;
    start     = 1'b0;
    case (state_q)
      PsVs: begin
        own_done  = issue_i & last_i & last_pair;
        mp_take_o = own_done & wait_q;
        done      = own_done & ~(gather_q & (east_i != '0));
      end
      PsVb: begin
        done     = issue_i & last_i;
        pm_put_o = done;
      end
      PsVrWait: begin
        start     = mp_valid;
        mp_take_o = start & (mp_front_i.count == '0);
        done      = mp_take_o & mp_front_i.last;
      end
      PsVr: begin
        mp_take_o = issue_i & (i_q[3:0] == beats_last) & (step_q == StepSend);
        done      = mp_take_o & mp_front_i.last;
      end
      PsGather:    done = issue_i & last_i & last_pair & (east_q == coordinate_t'(1));
      PsSnd, PsLd: done = issue_i;
      default: ;
    endcase
  end

  assign ready_o = state_q == PsIdle;
  assign accept  = valid_i & ready_o;

  weft_pe_psum_decode i_decode (
    .valid_i(accept), .instr_i(word), .first_o(first), .in_o(decoded_in), .beat_o(decoded)
  );

  // vr: the beats of the next step, or, at the start, of the first.
  logic                vr;
  logic [StepBits-1:0] step_d;

  always_comb begin
    vr     = state_q == PsVrWait || state_q == PsVr;
    step_d = '0;
    `WEFT_IF_ANY(vr) step_d = start ? '0 : step_q + StepBits'(1);
  end

  weft_pe_psum_tree #(.Pairs(Pairs)) i_tree (
    .valid_i(vr), .step_i(step_d), .last_i(east_i == '0),
    .color_i(beat_q.finish.cout), .beat_o(tree)
  );

  // ---------------------------------------------------------------------------------------------------- its next step
  // Reads come before writes, and reset last: a simulator then keeps no second copy of the registers.
  always_ff @(posedge clk_i) begin : its_next_step
    logic [7:0]  i_next, c_next;
    logic [15:0] d_next, d_words;
    logic        odd, end_next, end_now, needs, to_reg, to_mem, gathers;
    coordinate_t east_next;
    logic [PairBits-1:0] pair_next;
    {i_next, c_next, d_next, d_words, odd, end_next, end_now, needs, to_reg, to_mem, gathers, east_next, pair_next} = '0;
    if (issue_i) begin
      i_next    = i_q + 8'd1;
      c_next    = c_q + 8'd1;
      d_next    = d_q + 16'd1;
      d_words   = d_q + 16'(Lanes);
      pair_next = pair_q + PairBits'(1);
      east_next = east_q - coordinate_t'(1);
      odd       = i_q[0];
      end_now   = i_q[3:0] == beats_last;
      end_next  = i_next[3:0] == beats_last;
      needs     = need_q != NeedNone;
      to_reg    = beat_q.finish.dest == DestReg;
      to_mem    = beat_q.finish.dest == DestMem;
      gathers   = state_q == PsGather;
      case (state_q)
        PsVs, PsGather: begin
          pair_q <= last_pair ? '0 : pair_next;
          if (last_pair) begin
            i_q <= last_i ? '0 : i_next;
            c_q <= c_next;
            if (to_reg) d_q <= d_next;
            if (to_mem) d_q <= d_words;
          end
          if (gathers && last_pair && last_i) east_q <= east_next;
          if (own_done && !done) begin
            state_q            <= PsGather;
            east_q             <= east_i;
            need_q             <= NeedTwo;
            beat_q.read.c_re   <= 1'b0;
            beat_q.lanes.c     <= BeatCZero;
            beat_q.select.a    <= BeatAStream;
            beat_q.lanes.use_x <= 1'b1;
            beat_q.lanes.op    <= LaneMovX;
          end
        end
        PsVb: begin
          i_q <= i_next;
          a_q <= a_q + 16'(Lanes);
          d_q <= d_words;
        end
        PsVr: begin
          i_q <= i_next;
          c_q <= c_next;
          if (!spread || odd) d_q <= d_next;
          if (Pairs > 1 && step_q == StepSend && end_next && !count_last[0] && needs) need_q <= NeedOne;
          if (end_now) begin
            i_q    <= '0;
            c_q    <= slot;
            d_q    <= {8'b0, slot};
            if (step_q == StepSend) state_q <= PsVrWait;
            beat_q <= tree;
            need_q <= (step_q != StepSend - StepBits'(1) || east_i == '0) ? NeedNone
                      : (Pairs == 1 || count_last == '0) ? NeedOne : NeedTwo;
            step_q <= step_q + StepBits'(1);
          end
        end
        default: ;
      endcase
    end
    if (start) begin
      if (mp_front_i.count != '0) state_q <= PsVr;
      i_q    <= '0;
      c_q    <= slot;
      d_q    <= {8'b0, slot};
      step_q <= '0;
      need_q <= NeedNone;
      beat_q <= tree;
    end
    if (done) begin
      state_q <= PsIdle;
      need_q  <= NeedNone;
    end
    if (accept) begin
      vl_last_q   <= vl_i - 8'd1;
      i_q         <= '0;
      pair_q      <= '0;
      a_q         <= op_a;
      c_q         <= op_a[7:0];
      c0_q        <= op_a[7:0];
      d_q         <= op_b;
      color_q     <= vpsum_cin(word);
      need_q      <= ~decoded_in ? NeedNone : (op == OP_VB) ? NeedVb : NeedTwo;
      wait_q      <= 1'b0;
      gather_q    <= 1'b0;
      state_q     <= first;
      beat_q      <= decoded;
      if (op == OP_VS) begin
        wait_q   <= vpsum_q(word);
        gather_q <= vpsum_gather(word);
        if (vpsum_q(word)) c_q <= op_a[7:0] + (queues_i.mp_take_buffer[1] ? {vl_i[6:0], 1'b0} : queues_i.mp_take_buffer[0] ? vl_i : 8'd0);
      end
      if (op == OP_VB && queues_i.pm_put_par) d_q <= op_b + ({7'b0, vl_i == '0, vl_i} << $clog2(Lanes));
    end
    if (rst_i) begin
      state_q <= PsIdle;
      need_q  <= NeedNone;
    end
  end

  always_comb begin
    case (state_q)
      PsVs:     wait_o = wait_q & ~mp_valid;
      PsVb:     wait_o = ~pm_room;
      PsVrWait: wait_o = 1'b1;
      default:  wait_o = 1'b0;
    endcase
  end

  assign idle_o  = state_q == PsIdle;
  assign color_o = color_q;
  assign step_o  = take_first | start;
  assign need_o  = (need_q == NeedAll) ? 2'd2 : need_q;

  always_comb begin
    case (state_q)
      PsVs:           mode_o = PsumVs;
      PsVb:           mode_o = PsumVb;
      PsVrWait, PsVr: mode_o = PsumVr;
      PsGather:       mode_o = PsumGather;
      PsSnd:          mode_o = PsumSnd;
      PsLd:           mode_o = PsumLd;
      default:        mode_o = PsumIdle;
    endcase
  end

  assign candidate_o = '{valid: beat_valid, beat: beat, addr: addr};

  `WEFT_ASSUME(IssuesOnlyCandidates, !issue_i || beat_valid)
  // An opcode without a case in pe_psum_decode is executed as an ld.
  `WEFT_ASSERT(EveryInstructionHasItsBeats, !accept || opcode(word) == OP_LD || first != PsLd)

endmodule
