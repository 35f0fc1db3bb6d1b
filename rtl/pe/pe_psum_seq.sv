/// Psum's sequencer: turns vs, vb, vr (and snd, ld) into beats that take words from a stream and send words to one.
///
/// A beat needs 0, 1 or 2 words of the color: the first of two is held here, the last is taken from the buffer's front
/// when the beat issues. The candidate's addresses are registers, stepped when it issues.
///
/// Latency: first beat one cycle after the instruction, if its words are there.
`include "weft_check.svh"

module pe_psum_seq
  import isa_pkg::*;
  import num_pkg::*;
  import pe_pkg::*;
  import weft_pkg::color_t;
#(
  parameter int unsigned Lanes = 4
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
  output logic [63:0]  words_o,
  input  logic         issue_i,
  //
  output logic         idle_o,
  output logic         step_o,
  output psum_mode_e   mode_o,
  output logic [1:0]   need_o
);

  psum_mode_e  mode_q;
  beat_t       beat_q;
  logic        wait_q;           // vs: an entry of MP must be there
  logic        gather_q;
  logic [7:0]  vl_last_q, i_q, east_q;
  logic        h_q;              // second half of an entry
  logic        run_q;            // vr: works on an entry of MP
  logic [1:0]  phase_q;          // vr: first and second lane sum, row sum
  logic [15:0] a_q, d_q;
  logic [7:0]  c_q, c0_q;
  color_t      color_q;
  logic [1:0]  need_q;
  logic        held_q;
  logic [31:0] held_word_q;

  beat_t       decoded;
  psum_mode_e  decoded_mode;
  logic        decoded_in, accept, last_i, words, own_done, done, take_first, start;
  logic [7:0]  slot, count_last;
  op_e         op;

  assign op = op_e'(opcode(instr_i));

  always_comb begin
    last_i       = 1'b0;
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
      slot       = c0_q + {3'b0, mp_par_i, 4'b0};
      count_last = {3'b0, mp_front_i.count} - 8'd1;
      words_o    = {front_i, held_word_q};
      if (need_q[0]) begin
        words         = front_valid_i;
        words_o[31:0] = front_i;
      end else if (need_q[1]) begin
        words      = front_valid_i & held_q;
        take_first = front_valid_i & ~held_q;
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
        beat_o.finish.hi     = h_q;
        beat_o.read.c_half   = {h_q, ~h_q};
        beat_o.finish.d_half = {h_q, ~h_q};
      end
    end
  end

  assign pop_o = take_first | (issue_i & (need_q != 2'd0));

  always_comb begin
    own_done  = 1'b0;
    done      = 1'b0;
    mp_take_o = 1'b0;
    pm_put_o  = 1'b0;
    start     = 1'b0;
    case (mode_q)
      PsumVs: begin
        own_done  = issue_i & last_i & h_q;
        mp_take_o = own_done & wait_q;
        done      = own_done & ~(gather_q & (east_i != '0));
      end
      PsumVb: begin
        done     = issue_i & last_i;
        pm_put_o = done;
      end
      PsumVr: begin
        start     = ~run_q & mp_valid_i;
        mp_take_o = run_q ? issue_i & (i_q == count_last) & phase_q[1] : start & (mp_front_i.count == '0);
        done      = mp_take_o & mp_front_i.last;
      end
      PsumGather:      done = issue_i & last_i & h_q & (east_q == 8'd1);
      PsumSnd, PsumLd: done = issue_i;
      default: ;
    endcase
  end

  assign ready_o = mode_q == PsumIdle;
  assign accept  = valid_i & ready_o;

  pe_psum_decode i_decode (.valid_i(accept), .instr_i, .mode_o(decoded_mode), .in_o(decoded_in), .beat_o(decoded));

  // vr: what the beats of a phase are
  function automatic beat_t reduce_beat(input logic [1:0] phase, input logic last_col, input color_t cout);
    reduce_beat                = '0;
    reduce_beat.read.c_re      = 1'b1;
    reduce_beat.lanes.c        = BeatCReg;
    reduce_beat.read.c_half    = (phase == 2'd0) ? 2'b11 : 2'b01;
    reduce_beat.select.a       = BeatAStream;
    reduce_beat.lanes.use_x    = ~(phase[1] & last_col);
    reduce_beat.lanes.op       = (phase[1] & last_col) ? LaneMovC : LaneAdd;
    reduce_beat.lanes.pair     = ~phase[1];
    reduce_beat.finish.dest    = phase[1] ? DestNone : DestReg;
    reduce_beat.finish.d_half  = 2'b01;
    reduce_beat.finish.sends   = phase[1] ? 2'd1 : 2'd0;
    reduce_beat.finish.cout    = cout;
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      mode_q <= PsumIdle;
      held_q <= 1'b0;
      need_q <= '0;
      run_q  <= 1'b0;
    end else begin
      if (take_first) begin
        held_q      <= 1'b1;
        held_word_q <= front_i;
      end else if (issue_i) begin
        held_q <= 1'b0;
      end
      if (issue_i) begin
        case (mode_q)
          PsumVs, PsumGather: begin
            h_q <= ~h_q;
            if (h_q) begin
              i_q <= last_i ? '0 : i_q + 8'd1;
              c_q <= c_q + 8'd1;
              if (beat_q.finish.dest == DestReg) d_q <= d_q + 16'd1;
            end
            if (beat_q.finish.dest == DestMem && h_q) d_q <= d_q + 16'(Lanes);
            if (mode_q == PsumGather && h_q && last_i) east_q <= east_q - 8'd1;
            if (own_done && !done) begin
              mode_q             <= PsumGather;
              east_q             <= east_i;
              need_q             <= 2'd2;
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
              i_q     <= '0;
              c_q     <= slot;
              d_q     <= {8'b0, slot};
              phase_q <= phase_q + 2'd1;
              run_q   <= ~phase_q[1];
              beat_q  <= reduce_beat(phase_q + 2'd1, east_i == '0, beat_q.finish.cout);
              need_q  <= (phase_q == 2'd1 && east_i != '0) ? 2'd1 : 2'd0;
            end
          end
          default: ;
        endcase
      end
      if (start) begin
        run_q   <= mp_front_i.count != '0;
        i_q     <= '0;
        c_q     <= slot;
        d_q     <= {8'b0, slot};
        phase_q <= '0;
        need_q  <= '0;
        beat_q  <= reduce_beat(2'd0, 1'b0, beat_q.finish.cout);
      end
      if (done) begin
        mode_q <= PsumIdle;
        need_q <= '0;
      end
      if (accept) begin
        vl_last_q   <= vl_i - 8'd1;
        i_q         <= '0;
        h_q         <= 1'b0;
        run_q       <= 1'b0;
        a_q         <= op_a_i;
        c_q         <= op_a_i[7:0];
        c0_q        <= op_a_i[7:0];
        d_q         <= op_b_i;
        color_q     <= vpsum_cin(instr_i);
        need_q      <= {decoded_in, 1'b0};
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
        if (op == OP_SND) held_word_q <= {16'b0, op_a_i};
      end
    end
  end

  assign idle_o  = mode_q == PsumIdle;
  assign color_o = color_q;
  assign step_o  = take_first | start;
  assign mode_o  = mode_q;
  assign need_o  = need_q;

  `WEFT_ASSERT(IssuesOnlyCandidates, !issue_i || beat_valid_o)

endmodule
