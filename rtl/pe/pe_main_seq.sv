/// Main's sequencer: turns vf, vaxs, vcr, vdot (and ld) into beats.
///
/// The candidate beat's addresses are registers, stepped when it issues. A captured instruction runs on while the core
/// goes ahead; the next one is accepted in the cycle its last beat issues. What the streams of W bring is worked out one
/// message ahead by pe_weights; vdot's lists of indices are gathered by pe_gather.
///
/// Latency: first beat one cycle after the instruction (vf, vcr), two after the first weight (vaxs).
`include "weft_check.svh"

module pe_main_seq
  import isa_pkg::*;
  import pe_pkg::*;
#(
  parameter int unsigned Lanes = 4
) (
  input  logic         clk_i,
  input  logic         rst_i,
  // an instruction from the core
  input  logic         valid_i,
  output logic         ready_o,
  input  logic [31:0]  instr_i,
  input  logic [15:0]  op_a_i,
  input  logic [15:0]  op_b_i,
  input  logic [15:0]  op_c_i,
  input  logic [15:0]  op_d_i,
  input  logic [7:0]   vl_i,       // 256 is 0
  input  logic [15:0]  rep_i,
  input  logic [15:0]  sta_i,
  input  logic [15:0]  stb_i,
  input  logic [15:0]  std_i,
  input  logic [15:0]  idx_i,
  input  logic [15:0]  lmask_i,
  // the front of W
  input  logic         w_valid_i,
  input  logic         w_ctrl_i,
  input  logic [31:0]  w_data_i,
  output logic         w_pop_o,
  // handoff
  input  logic         mp_room_i,
  input  logic         mp_par_i,
  output logic         mp_put_o,
  output mp_t          mp_entry_o,
  input  logic         pm_valid_i,
  input  logic         pm_par_i,
  output logic         pm_take_o,
  // the candidate
  output logic         beat_valid_o,
  output beat_t        beat_o,
  output beat_addr_t   addr_o,
  output logic [15:0]  sa_o,
  output logic [15:0]  sb_o,
  output logic [15:0]  sc_o,
  input  logic         issue_i,
  //
  output logic         idle_o,
  output logic         step_o,
  output main_mode_e   mode_o,
  output logic         bad_command_o
);

  main_mode_e  mode_q;
  beat_t       beat_q, decoded;
  logic [7:0]  vl_last_q, i_q;
  logic [15:0] rep_q, sta_q, stb_q, std_q;
  logic [15:0] a_q, row_a_q, row_b_q, d_q, row_d_q;
  logic [7:0]  b_q, c_q, b0_q, c0_q;
  logic [15:0] sa_q, sb_q, sc_q;
  logic        ms_q;      // next is the fetch of a memory scalar
  logic        ms_each_q; // before every repetition
  logic        reset_q;   // vcr: next is the reset
  logic        run_q;     // vaxs: a weight is worked on; vdot: a group is
  logic [4:0]  j_q;       // vdot: place in the group
  logic [15:0] offset_q;  // vdot: i * Lanes
  // vdot takes dy from two registers in turn. An entry is fetched by a beat of its own, one i ahead, and is there 3 cycles
  // later.
  logic        fetch_q;     // next is the fetch
  logic        fetch_par_q; // into this register
  logic [1:0]  dy_late_q;   // cycles until the last one is there

  logic        last_i, done, accept, one_hot;
  op_e         op;

  // ------------------------------------------------------------------------------------------ the weights ahead
  logic        nx_valid, nx_cr, nx_take, stream, gathered;
  logic [15:0] nx_addr, nx_index, nx_value;

  assign op      = op_e'(opcode(instr_i));
  assign one_hot = beat_q.select.a == BeatAOneHot;
  assign stream  = (mode_q == MainVaxs) | ((mode_q == MainVdot) & ~gathered);

  pe_weights i_weights (
    .clk_i, .rst_i,
    .stream_i(stream), .one_hot_i(one_hot), .base_i(row_a_q), .accept_i(accept), .sta_i, .lmask_i,
    .w_valid_i, .w_ctrl_i, .w_data_i, .w_pop_o,
    .valid_o(nx_valid), .cr_o(nx_cr), .addr_o(nx_addr), .index_o(nx_index), .value_o(nx_value), .take_i(nx_take),
    .bad_command_o
  );

  // -------------------------------------------------------------------------------------------- vdot's groups
  logic        group_valid, group_last, ga_take, ga_step, last_j, start_group, end_group;
  logic [3:0]  next_j;
  logic [4:0]  group_count;
  logic [15:0] list_data, list_base;
  logic [7:0]  slot;

  pe_gather i_gather (
    .clk_i, .rst_i, .clear_i(accept), .enable_i(mode_q == MainVdot),
    .valid_i(nx_valid), .cr_i(nx_cr), .data_i(one_hot ? nx_index : nx_addr), .take_o(ga_take),
    .gathered_o(gathered), .step_o(ga_step),
    .valid_o(group_valid), .count_o(group_count), .last_o(group_last), .free_i(end_group),
    .j_i(next_j), .data_o(list_data)
  );

  // The list's next entry: the following index, or the first one for the next beat of dy.
  always_comb begin
    last_j    = 1'b0;
    next_j    = '0;
    list_base = '0;
    slot      = '0;
    `WEFT_IF_ANY(mode_q == MainVdot) begin
      last_j    = j_q == group_count - 5'd1;
      if (run_q && !last_j) next_j = j_q[3:0] + 4'd1;
      list_base = one_hot ? row_a_q : list_data;
      slot      = c0_q + {3'b0, mp_par_i, 4'b0};
    end
  end

  // ------------------------------------------------------------------------------------------------ decisions
  assign last_i = i_q == vl_last_q;

  always_comb begin
    beat_valid_o = 1'b0;
    nx_take      = 1'b0;
    done         = 1'b0;
    mp_put_o     = 1'b0;
    mp_entry_o   = '{last: 1'b1, count: '0};
    pm_take_o    = 1'b0;
    start_group  = 1'b0;
    end_group    = 1'b0;
    case (mode_q)
      MainVf: begin
        beat_valid_o = 1'b1;
        done         = issue_i & last_i & ~ms_q & (rep_q == 16'd1);
      end
      MainVaxs: begin
        beat_valid_o = run_q;
        nx_take      = nx_valid & (~run_q | (issue_i & last_i));
        done         = nx_take & nx_cr;
      end
      MainVcr: begin
        beat_valid_o = mp_room_i;
        mp_put_o     = issue_i & last_i & reset_q;
        done         = mp_put_o;
      end
      MainVdot: begin
        beat_valid_o = run_q & (fetch_q | (j_q != '0) | (dy_late_q == '0));
        nx_take      = ga_take;
        start_group  = ~run_q & group_valid & mp_room_i & pm_valid_i;
        end_group    = run_q ? issue_i & ~fetch_q & last_i & last_j : start_group & (group_count == '0);
        mp_put_o     = end_group;
        mp_entry_o   = '{last: group_last, count: group_count};
        done         = end_group & group_last;
        pm_take_o    = done;
      end
      MainLd: begin
        beat_valid_o = 1'b1;
        done         = issue_i;
      end
      default: ;
    endcase
  end

  assign ready_o = (mode_q == MainIdle) | done;
  assign accept  = valid_i & ready_o;

  pe_main_decode i_decode (.valid_i(accept), .instr_i, .beat_o(decoded));

  // --------------------------------------------------------------------------------------------- the candidate
  always_comb begin
    beat_o = beat_q;
    addr_o = '{m: a_q, b: b_q, c: c_q, d: d_q};
    if (ms_q) begin
      beat_o                = '0;
      beat_o.read.m_re      = 1'b1;
      beat_o.select.ms_load = 1'b1;
      addr_o.m              = row_b_q;
    end
    if (mode_q == MainVcr && reset_q) addr_o.d = {8'b0, c_q};
    if (mode_q == MainVdot) beat_o.select.dy_par = i_q[0];
    if ((mode_q == MainVcr && reset_q) || (mode_q == MainVdot && offset_q == '0)) begin
      beat_o.read.c_re = 1'b0;
      beat_o.lanes.c   = BeatCZero;
    end
    if (mode_q == MainVdot && fetch_q) begin
      beat_o                = '0;
      beat_o.read.c_re      = 1'b1;
      beat_o.select.dy_load = 1'b1;
      beat_o.select.dy_par  = fetch_par_q;
      addr_o.c              = b_q;
    end
  end

  assign sa_o = sa_q;
  assign sb_o = sb_q;
  assign sc_o = sc_q;

  // ---------------------------------------------------------------------------------------------- its next step
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      mode_q <= MainIdle;
      run_q  <= 1'b0;
      ms_q   <= 1'b0;
    end else if (accept) begin
      case (op)
        OP_VF:   mode_q <= (rep_i == '0) ? MainIdle : MainVf;
        OP_VAXS: mode_q <= MainVaxs;
        OP_VCR:  mode_q <= MainVcr;
        OP_VDOT: mode_q <= MainVdot;
        default: mode_q <= MainLd;
      endcase
      beat_q    <= decoded;
      vl_last_q <= vl_i - 8'd1;
      rep_q     <= rep_i;
      sta_q     <= sta_i;
      stb_q     <= stb_i;
      std_q     <= (vmain_dsel(instr_i) == DSEL_M) ? std_i : '0;
      i_q       <= '0;
      a_q       <= op_a_i;
      row_a_q   <= op_a_i;
      row_b_q   <= op_b_i;
      b_q       <= op_b_i[7:0];
      b0_q      <= op_b_i[7:0];
      c_q       <= op_c_i[7:0];
      c0_q      <= (op == OP_VF) ? op_c_i[7:0] : op_d_i[7:0];
      // A carriage return in this very cycle changes the parity.
      d_q       <= op_d_i + ((op == OP_VCR && (mp_par_i ^ mp_put_o)) ? {8'b0, vl_i} : '0);
      row_d_q   <= op_d_i;
      sa_q      <= (vmain_asel(instr_i) == ASEL_OH) ? idx_i : op_a_i;
      sb_q      <= op_b_i;
      sc_q      <= op_c_i;
      ms_q      <= (op == OP_VF) & (vmain_bsel(instr_i) == BSEL_MS) & (rep_i != '0);
      ms_each_q <= vmain_bsel(instr_i) == BSEL_MS;
      reset_q   <= 1'b0;
      run_q     <= 1'b0;
    end else if (done) begin
      mode_q <= MainIdle;
      run_q  <= 1'b0;
    end else if (nx_take && mode_q == MainVaxs) begin
      run_q <= 1'b1;
      i_q   <= '0;
      a_q   <= nx_addr;
      sa_q  <= nx_index;
      sb_q  <= nx_value;
      c_q   <= c0_q;
      d_q   <= {8'b0, c0_q};
    end else if (issue_i || start_group) begin
      case (mode_q)
        MainVf: begin
          if (ms_q) begin
            ms_q    <= 1'b0;
            row_b_q <= row_b_q + stb_q;
          end else if (!last_i) begin
            i_q <= i_q + 8'd1;
            a_q <= a_q + 16'(Lanes);
            b_q <= b_q + 8'd1;
            c_q <= c_q + 8'd1;
            d_q <= d_q + (beat_q.finish.dest == DestMem ? 16'(Lanes) : 16'd1);
          end else begin
            rep_q   <= rep_q - 16'd1;
            i_q     <= '0;
            a_q     <= row_a_q + sta_q;
            row_a_q <= row_a_q + sta_q;
            b_q     <= b0_q;
            c_q     <= c0_q;
            d_q     <= row_d_q + std_q;
            row_d_q <= row_d_q + std_q;
            ms_q    <= ms_each_q;
          end
        end
        MainVaxs: begin
          run_q <= ~last_i;
          i_q   <= i_q + 8'd1;
          a_q   <= a_q + 16'(Lanes);
          c_q   <= c_q + 8'd1;
          d_q   <= d_q + 16'd1;
        end
        MainVcr: begin
          reset_q <= ~reset_q;
          if (reset_q) begin
            i_q <= i_q + 8'd1;
            c_q <= c_q + 8'd1;
            d_q <= d_q + 16'd1;
          end
        end
        default: if (run_q && fetch_q) begin  // vdot
          fetch_q     <= 1'b0;
          fetch_par_q <= ~fetch_par_q;
          b_q         <= b_q + 8'd1;
        end else begin
          sa_q <= list_data;
          a_q  <= list_base;
          c_q  <= slot;
          d_q  <= {8'b0, slot};
          j_q  <= '0;
          fetch_q <= ~run_q | ((j_q == '0) & ~last_i);
          if (!run_q) begin
            fetch_par_q <= 1'b0;
            run_q    <= ~end_group;
            i_q      <= '0;
            offset_q <= '0;
            b_q      <= b0_q + (pm_par_i ? vl_last_q + 8'd1 : '0);
          end else if (!last_j) begin
            a_q <= list_base + offset_q;
            j_q <= j_q + 5'd1;
            c_q <= c_q + 8'd1;
            d_q <= d_q + 16'd1;
          end else begin
            a_q      <= list_base + offset_q + 16'(Lanes);
            offset_q <= offset_q + 16'(Lanes);
            i_q      <= i_q + 8'd1;
            run_q    <= ~last_i;
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) dy_late_q <= '0;
    else if (issue_i && mode_q == MainVdot && fetch_q) dy_late_q <= 2'd2;
    else if (dy_late_q != '0) dy_late_q <= dy_late_q - 2'd1;
  end

  assign idle_o = mode_q == MainIdle;
  assign step_o = nx_take | w_pop_o | start_group | ga_step | (dy_late_q != '0);
  assign mode_o = mode_q;

  `WEFT_ASSERT(IssuesOnlyCandidates, !issue_i || beat_valid_o)

endmodule
