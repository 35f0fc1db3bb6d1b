/// Psum's sequencer: turns vs, vb, vr (and snd, ld) into beats that take words from a stream and send words to one.
///
/// A beat needs 0, 1 or 2 words of the color, or (vb) one for two lanes: all but the last are held here, the last is taken
/// from the buffer's front when the beat issues. The candidate's addresses are registers, stepped when it issues.
///
/// Latency: first beat one cycle after the instruction, if its words are there.
`include "weft_check.svh"

module pe_psum_seq
  import isa_pkg::*;
  import num_pkg::*;
  import pe_pkg::*;
  import weft_pkg::color_t;
#(
  parameter int unsigned Lanes = 4,
  /// Most words a beat needs, and words_o; at least 2.
  parameter int unsigned Words = (Lanes > 4) ? Lanes / 2 : 2
) (
  input  logic         clk_i,
  input  logic         rst_i,
  input  logic [7:0]   east_i,      // columns to the east
  // an instruction from the core
  input  logic         valid_i,
  output logic         ready_o,
  input  logic [31:0]  instr_i,
  input  logic [15:0]  op_a_i,      // rc or ra
  input  logic [15:0]  op_b_i,      // rd
  input  logic [7:0]   vl_i,       // 256 is 0
  // the front of color_o
  output color_t       color_o,
  input  logic         front_valid_i,
  input  logic [31:0]  front_i,
  output logic         pop_o,
  // handoff
  input  logic         mp_valid_i,
  input  logic         mp_par_i,
  input  mp_t          mp_front_i,
  output logic         mp_take_o,
  input  logic         pm_room_i,
  input  logic         pm_par_i,
  output logic         pm_put_o,
  // the candidate
  output logic         beat_valid_o,
  output beat_t        beat_o,
  output beat_addr_t   addr_o,
  output logic [Words*32-1:0] words_o,
  input  logic         issue_i,
  //
  output logic         idle_o,
  output logic         step_o,
  output psum_mode_e   mode_o,
  output logic [1:0]   need_o      // words of the beat; 2: or more
);

  localparam int unsigned Pairs    = Lanes / 2;
  localparam int unsigned PairBits = (Pairs > 1) ? $clog2(Pairs) : 1;
  localparam int unsigned HeldBits = $clog2(Words);
  // Sums along the lanes are a tree: Pairs beats, two sums each (docs/pe.md, vr). One more sends.
  localparam int unsigned StepBits = $clog2(Pairs + 1);
  localparam logic [StepBits-1:0] StepSend = StepBits'(Pairs);

  /// Words a beat needs: none, one, two; NeedAll: Words of them, more than two.
  typedef enum logic [1:0] {
    NeedNone = 2'd0,
    NeedOne  = 2'd1,
    NeedTwo  = 2'd2,
    NeedAll  = 2'd3
  } need_e;

  localparam need_e NeedVb = (Pairs == 1) ? NeedOne : (Pairs == 2) ? NeedTwo : NeedAll;

  psum_mode_e  mode_q;
  beat_t       beat_q;
  logic        wait_q;           // vs: an entry of MP must be there
  logic        gather_q;
  logic [7:0]  vl_last_q, i_q, east_q;
  logic [PairBits-1:0] pair_q;   // of the entry
  logic        run_q;            // vr: works on an entry of MP
  logic [StepBits-1:0] step_q;   // vr: of the tree; StepSend
  logic [15:0] a_q, d_q;
  logic [7:0]  c_q, c0_q;
  color_t      color_q;
  need_e       need_q;
  logic [HeldBits-1:0] held_q;   // words held
  logic [Words*32-33:0] held_words_q;

  beat_t       decoded;
  psum_mode_e  decoded_mode;
  logic        decoded_in, accept, last_i, last_pair, words, own_done, done, take_first, start;
  logic [7:0]  slot, count_last;
  op_e         op;

  assign op = op_e'(opcode(instr_i));

  always_comb begin
    last_i       = 1'b0;
    last_pair    = 1'b0;
    slot         = '0;
    count_last   = '0;
    words        = 1'b1;  // the stream words of this beat are there
    words_o      = '0;
    take_first   = 1'b0;
    beat_valid_o = 1'b0;
    beat_o       = '0;
    addr_o       = '0;
    `WEFT_IF_ANY(mode_q != PsumIdle) begin
      last_i     = i_q == vl_last_q;
      last_pair  = pair_q == PairBits'(Pairs - 1);
      slot       = c0_q + {3'b0, mp_par_i, 4'b0};
      count_last = {3'b0, mp_front_i.count} - 8'd1;
      words_o    = {front_i, held_words_q};
      if (Words > 2) begin
        if (need_q == NeedTwo) words_o[63:32] = front_i;
      end
      if (need_q == NeedOne) begin
        words         = front_valid_i;
        words_o[31:0] = front_i;
      end else if (need_q != NeedNone) begin
        words      = front_valid_i & (held_q == ((need_q == NeedTwo) ? HeldBits'(1) : HeldBits'(Words - 1)));
        take_first = front_valid_i & ~words;
      end
      case (mode_q)
        PsumVs:          beat_valid_o = words & (~wait_q | mp_valid_i);
        PsumVb:          beat_valid_o = words & pm_room_i;
        PsumVr:          beat_valid_o = words & run_q;
        PsumGather:      beat_valid_o = words;
        PsumSnd, PsumLd: beat_valid_o = 1'b1;
        default: ;
      endcase
      beat_o = beat_q;
      addr_o = '{m: a_q, b: '0, c: c_q, d: d_q};
      if (mode_q == PsumVs) begin
        beat_o.finish.pair = pair_t'(pair_q);
      end
    end
  end

  assign pop_o = take_first | (issue_i & (need_q != NeedNone));

  always_comb begin
    own_done  = 1'b0;
    done      = 1'b0;
    mp_take_o = 1'b0;
    pm_put_o  = 1'b0;
    start     = 1'b0;
    case (mode_q)
      PsumVs: begin
        own_done  = issue_i & last_i & last_pair;
        mp_take_o = own_done & wait_q;
        done      = own_done & ~(gather_q & (east_i != '0));
      end
      PsumVb: begin
        done     = issue_i & last_i;
        pm_put_o = done;
      end
      PsumVr: begin
        start     = ~run_q & mp_valid_i;
        mp_take_o = run_q ? issue_i & (i_q == count_last) & (step_q == StepSend) : start & (mp_front_i.count == '0);
        done      = mp_take_o & mp_front_i.last;
      end
      PsumGather:      done = issue_i & last_i & last_pair & (east_q == 8'd1);
      PsumSnd, PsumLd: done = issue_i;
      default: ;
    endcase
  end

  assign ready_o = mode_q == PsumIdle;
  assign accept  = valid_i & ready_o;

  pe_psum_decode i_decode (.valid_i(accept), .instr_i, .mode_o(decoded_mode), .in_o(decoded_in), .beat_o(decoded));

  // vr: the pair that a step of the tree makes, of two neighbours. A step is a number of as many bits as the tree has levels
  // but one: ones for the levels that are done, a zero, and the pair.
  function automatic pair_t sum_pair(input logic [StepBits-1:0] tree_step);
    logic found;
    found    = 1'b0;
    sum_pair = '0;
    for (int b = $clog2(Pairs) - 1; b >= 0; b--) begin
      if (found) sum_pair[b] = tree_step[b];
      found = found | ~tree_step[b];
    end
  endfunction

  // vr: what the beats of a step are.
  function automatic beat_t reduce_beat(input logic [StepBits-1:0] tree_step, input logic last_col, input color_t cout);
    logic send;
    send                     = tree_step == StepSend;
    reduce_beat              = '0;
    reduce_beat.read.c_re    = 1'b1;
    reduce_beat.lanes.c      = BeatCReg;
    reduce_beat.read.c_one   = send | (tree_step == StepSend - StepBits'(1));  // the last pair is left
    reduce_beat.select.a     = BeatAStream;
    reduce_beat.lanes.use_x  = ~(send & last_col);
    reduce_beat.lanes.op     = (send & last_col) ? LaneMovC : LaneAdd;
    reduce_beat.lanes.sum    = ~send;
    reduce_beat.finish.dest  = send ? DestNone : DestReg;
    reduce_beat.finish.d_one = 1'b1;
    reduce_beat.finish.pair  = send ? '0 : sum_pair(tree_step);
    reduce_beat.finish.sends = send ? 2'd1 : 2'd0;
    reduce_beat.finish.cout  = cout;
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      mode_q <= PsumIdle;
      held_q <= '0;
      need_q <= NeedNone;
      run_q  <= 1'b0;
    end else begin
      if (take_first) begin
        held_q                       <= held_q + HeldBits'(1);
        held_words_q[held_q*32+:32] <= front_i;
      end else if (issue_i) begin
        held_q <= '0;
      end
      if (issue_i) begin
        case (mode_q)
          PsumVs, PsumGather: begin
            pair_q <= last_pair ? '0 : pair_q + PairBits'(1);
            if (last_pair) begin
              i_q <= last_i ? '0 : i_q + 8'd1;
              c_q <= c_q + 8'd1;
              if (beat_q.finish.dest == DestReg) d_q <= d_q + 16'd1;
            end
            if (beat_q.finish.dest == DestMem && last_pair) d_q <= d_q + 16'(Lanes);
            if (mode_q == PsumGather && last_pair && last_i) east_q <= east_q - 8'd1;
            if (own_done && !done) begin
              mode_q             <= PsumGather;
              east_q             <= east_i;
              need_q             <= NeedTwo;
              beat_q.read.c_re   <= 1'b0;
              beat_q.lanes.c     <= BeatCZero;
              beat_q.select.a    <= BeatAStream;
              beat_q.lanes.use_x <= 1'b1;
              beat_q.lanes.op    <= LaneMovX;
            end
          end
          PsumVb: begin
            i_q <= i_q + 8'd1;
            a_q <= a_q + 16'(Lanes);
            d_q <= d_q + 16'd1;
          end
          PsumVr: begin
            i_q <= i_q + 8'd1;
            c_q <= c_q + 8'd1;
            d_q <= d_q + 16'd1;
            if (i_q == count_last) begin
              i_q    <= '0;
              c_q    <= slot;
              d_q    <= {8'b0, slot};
              step_q <= step_q + StepBits'(1);
              run_q  <= step_q != StepSend;
              beat_q <= reduce_beat(step_q + StepBits'(1), east_i == '0, beat_q.finish.cout);
              need_q <= (step_q == StepSend - StepBits'(1) && east_i != '0) ? NeedOne : NeedNone;
            end
          end
          default: ;
        endcase
      end
      if (start) begin
        run_q  <= mp_front_i.count != '0;
        i_q    <= '0;
        c_q    <= slot;
        d_q    <= {8'b0, slot};
        step_q <= '0;
        need_q <= NeedNone;
        beat_q <= reduce_beat('0, 1'b0, beat_q.finish.cout);
      end
      if (done) begin
        mode_q <= PsumIdle;
        need_q <= NeedNone;
      end
      if (accept) begin
        vl_last_q   <= vl_i - 8'd1;
        i_q         <= '0;
        pair_q      <= '0;
        run_q       <= 1'b0;
        a_q         <= op_a_i;
        c_q         <= op_a_i[7:0];
        c0_q        <= op_a_i[7:0];
        d_q         <= op_b_i;
        color_q     <= vpsum_cin(instr_i);
        need_q      <= ~decoded_in ? NeedNone : (op == OP_VB) ? NeedVb : NeedTwo;
        wait_q      <= 1'b0;
        gather_q    <= 1'b0;
        mode_q      <= decoded_mode;
        beat_q      <= decoded;
        if (op == OP_VS) begin
          wait_q   <= vpsum_q(instr_i);
          gather_q <= vpsum_gather(instr_i);
          if (vpsum_q(instr_i) && mp_par_i) c_q <= op_a_i[7:0] + vl_i;
        end
        if (op == OP_VB) d_q <= {8'b0, op_b_i[7:0] + (pm_par_i ? vl_i : 8'd0)};
        if (op == OP_SND) held_words_q[31:0] <= {16'b0, op_a_i};
      end
    end
  end

  assign idle_o  = mode_q == PsumIdle;
  assign color_o = color_q;
  assign step_o  = take_first | start;
  assign mode_o  = mode_q;
  assign need_o  = (need_q == NeedAll) ? 2'd2 : need_q;

  `WEFT_ASSERT(IssuesOnlyCandidates, !issue_i || beat_valid_o)

endmodule
