// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// Read and write addresses of main's candidate: registers that advance when it issues.
///
/// Memory is addressed by m (in elements), the accumulator file by c, either by b; the result goes to d. m, b and d
/// have an adder each, whose operands depend on move_i, which arrives early; en_i and accept_i arrive late and select
/// last.
///
/// | move | m | b | c | d |
/// |---|---|---|---|---|
/// | Next | + Lanes | + 1, + Lanes if it is a vector in memory, or the same scalar | + 1 | + 1, or + Lanes in memory |
/// | Row | row + STA | first, or in memory row + STB | row + STR | row + STD, or in the accumulator file STR |
/// | Weight | weight_i | | first + offset_i | |
/// | Interleave | weight_i | | + 1, or numbered first + offset_i | |
/// | Group | list | first or second buffer | slot | |
/// | Index | list + offset | | + 1 | |
/// | Column | list + next offset | + Lanes | slot | |
///
/// With interleaved weights, `ends_o` counts the beats of each weight, STR + 1, in place of the vector's. Numbered weights
/// name their sums, and `last_o` still counts the vector as if they were added to one sum after the other.
///
/// If column d is empty, the result goes to the address that c was read from (vaxs, vdot). pe_main_start has
/// the first values.
///
/// Latency: 1 cycle from en_i.
`include "weft_check.svh"

module weft_pe_main_address
  import weft_pe_pkg::*;
  import weft_pe_seq_pkg::*;
#(
  parameter int unsigned Lanes = 4,
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  logic        clk_i,
  input  logic        en_i,
  input  move_e       move_i,
  // an instruction begins
  input  logic        accept_i,
  input  main_start_t start_i,
  // MP: the rotating buffer that main fills; PM: the second buffer of dy
  input  buffer_t     mp_buffer_i,
  input  logic        pm_second_i,
  // vaxs: the address of the next weight's x
  input  logic [15:0] weight_i,
  input  logic        interleave_i,
  input  logic        numbered_i,
  input  logic [6:0]  offset_i,      // the first entry of the weight's sum; 0 if weights are not numbered
  // vdot: the next entry of its list, an address or, for one-hot, an index
  input  logic        vdot_i,
  input  logic        one_hot_i,
  input  logic [15:0] list_i,
  //
  output logic [15:0] m_o,
  output logic [15:0] b_o,
  output logic [7:0]  c_o,
  output logic [15:0] d_o,
  output logic        last_o,      // the last words of the vector; interleaved, of all vectors
  output logic        ends_o,      // the last words of a weight's vector
  output logic [2:0]  beats_o      // beats of an interleaved weight, less 1
);

  logic [15:0] m_q, d_q, row_m_q, row_d_q, b_q, b0_q, sta_q, stb_q, std_q, offset_q, next_offset_q;
  logic [7:0]  c_q, c0_q, str_q, vl_q, vl_last_q, left_q;
  logic [2:0]  more_q;
  logic        b_mem_q, b_word_q, to_mem_q;

  logic [15:0] start_m, start_b, start_d, row_d, sta, stb, start_std;
  logic [7:0]  start_c, start_c0, str, vl, vl_last;
  logic        b_mem, b_word, to_mem;

  assign start_m   = start_i.m;
  assign start_b   = start_i.b;
  assign start_c   = start_i.c;
  assign start_c0  = start_i.c0;
  assign start_d   = start_i.d;
  assign row_d     = start_i.row_d;
  assign sta       = start_i.sta;
  assign stb       = start_i.stb;
  assign start_std = start_i.std;
  assign str       = start_i.str;
  assign vl        = start_i.vl;
  assign vl_last   = start_i.vl_last;
  assign b_mem     = start_i.b_mem;
  assign b_word    = start_i.b_word;
  assign to_mem    = start_i.to_mem;

  logic [15:0] list_base;
  logic [7:0]  first;      // the first entry of a weight's sum, or of a buffer of vdot's sums, from c0 on

  always_comb begin
    list_base = '0;
    first     = {1'b0, offset_i};
    `WEFT_IF_ANY(vdot_i) begin
      list_base = one_hot_i ? row_m_q : list_i;
      first |= {2'b0, mp_buffer_i & {2{vdot_i}}, 4'b0};  // a vdot has no numbered weights
    end
  end

  function automatic logic [15:0] m_sum();
    logic [15:0] base, move_by;
    base    = m_q;
    move_by = '0;
    case (move_i)
      MoveNext: move_by = 16'(Lanes);
      MoveRow: begin
        base    = row_m_q;
        move_by = sta_q;
      end
      MoveWeight, MoveInterleave: base = weight_i;
      MoveGroup:            base = list_base;
      MoveIndex: begin
        base    = list_base;
        move_by = offset_q;
      end
      MoveColumn: begin
        base    = list_base;
        move_by = next_offset_q;
      end
      default: ;
    endcase
    return base + move_by;
  endfunction

  function automatic logic [15:0] b_sum();
    logic [15:0] base, move_by;
    base    = b_q;
    move_by = b_word_q ? 16'(Lanes) : b_mem_q ? '0 : 16'd1;
    case (move_i)
      MoveRow: begin
        base    = b0_q;
        move_by = b_mem_q ? stb_q : '0;
      end
      MoveGroup: begin
        base    = b0_q;
        move_by = pm_second_i ? {7'b0, vl_q == '0, vl_q} << LaneBits : '0;
      end
      default: ;
    endcase
    return base + move_by;
  endfunction

  function automatic logic [15:0] d_sum();
    logic row;
    row = move_i == MoveRow;
    return (row ? row_d_q : d_q) + (row ? std_q : to_mem_q ? 16'(Lanes) : 16'd1);
  endfunction

  // Reads come before writes: a simulator then keeps no second copy of the registers.
  always_ff @(posedge clk_i) begin : step
    logic [15:0] m, b, d, next_offset;
    logic [7:0]  c, c_next, left_next;
    logic [2:0]  more;
    {m, b, d, next_offset, c, c_next, left_next, more} = '0;
    if (en_i) begin
      m           = m_sum();
      b           = b_sum();
      d           = d_sum();
      c           = c0_q + ((move_i == MoveRow) ? str_q : first);
      c_next      = c_q + 8'd1;
      left_next   = left_q - 8'd1;
      more        = (move_i == MoveNext) ? more_q - 3'd1 : str_q[2:0];
      next_offset = next_offset_q;
      more_q      <= more;
      case (move_i)
        MoveNext: begin
          m_q    <= m;
          b_q    <= b;
          c_q    <= c_next;
          d_q    <= d;
          left_q <= left_next;
        end
        MoveRow: begin
          m_q     <= m;
          row_m_q <= m;
          b_q     <= b;
          b0_q    <= b;
          c_q     <= c;
          c0_q    <= c;
          d_q     <= d;
          row_d_q <= d;
          left_q  <= vl_last_q;
        end
        MoveWeight: begin
          m_q    <= m;
          c_q    <= c;
          left_q <= vl_last_q;
        end
        MoveInterleave: begin
          m_q    <= m;
          c_q    <= numbered_i ? c : c_next;  // the sum that the weight names, or the next one
          left_q <= left_next;
        end
        MoveGroup: begin
          m_q           <= m;
          b_q           <= b;
          c_q           <= c;
          left_q        <= vl_last_q;
          offset_q      <= '0;
          next_offset_q <= 16'(Lanes);
        end
        MoveIndex: begin
          m_q <= m;
          c_q <= c_next;
        end
        MoveColumn: begin
          m_q           <= m;
          b_q           <= b;
          c_q           <= c;
          left_q        <= left_next;
          offset_q      <= next_offset;
          next_offset_q <= next_offset + 16'(Lanes);
        end
        default: ;
      endcase
    end
    if (accept_i) begin
      m_q       <= start_m;
      b_q       <= start_b;
      c_q       <= start_c;
      d_q       <= start_d;
      row_m_q   <= start_m;
      row_d_q   <= row_d;
      b0_q      <= start_b;
      c0_q      <= start_c0;
      sta_q     <= sta;
      str_q     <= str;
      stb_q     <= stb;
      std_q     <= start_std;
      vl_q      <= vl;
      vl_last_q <= vl_last;
      left_q    <= vl_last;
      b_mem_q   <= b_mem;
      b_word_q  <= b_word;
      to_mem_q  <= to_mem;
    end
  end

  assign m_o     = m_q;
  assign b_o     = b_q;
  assign c_o     = c_q;
  assign d_o     = d_q;
  assign last_o  = left_q == '0;
  assign ends_o  = interleave_i ? more_q == '0 : left_q == '0;
  assign beats_o = str_q[2:0];

endmodule
