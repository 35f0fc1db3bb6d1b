/// Read and write addresses of main's candidate: registers that advance when it issues.
///
/// Memory is addressed by m (in elements), the accumulator file by c, either by b; the result goes to d. m, b and d
/// have an adder each, whose operands depend on move_i, which arrives early; en_i and start_i arrive late and select
/// last.
///
/// | move | m | b | c | d |
/// |---|---|---|---|---|
/// | Next | + Lanes | + 1, + Lanes if it is a vector in memory, or the same scalar | + 1 | + 1, or + Lanes in memory |
/// | Row | row + STA | first, or in memory row + STB | row + STR | row + STD, or in the accumulator file STR |
/// | Weight | weight_i | | first | |
/// | Interleave | weight_i | | + 1 | |
/// | Group | list_i | first or second buffer | slot_i | |
/// | Index | list_i + offset | | + 1 | |
/// | Column | list_i + next offset | + Lanes | slot_i | |
///
/// If column d is empty, the result goes to the address that c was read from (vaxs, vdot).
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
  input  logic        start_i,
  input  logic [15:0] m_i,
  input  logic [15:0] b_i,
  input  logic [7:0]  c_i,
  input  logic [7:0]  c0_i,        // the first entry, for a new weight or group
  input  logic [15:0] d_i,         // the first result
  input  logic [15:0] row_d_i,     // ... of all rows
  input  logic [15:0] sta_i,
  input  logic [15:0] stb_i,
  input  logic [15:0] std_i,       // ... STR, if results go to the accumulator file
  input  logic [7:0]  str_i,
  input  logic [7:0]  vl_i,        // vector length; 0 means 256
  input  logic [7:0]  vl_last_i,   // that less 1
  input  logic        b_mem_i,     // b is in memory
  input  logic        b_word_i,    // ... a vector
  input  logic        to_mem_i,    // results go to memory
  // while it runs
  input  logic [15:0] weight_i,
  input  logic [15:0] list_i,
  input  logic [7:0]  slot_i,
  input  logic        half_i,      // Group: the second buffer of dy
  //
  output logic [15:0] m_o,
  output logic [15:0] b_o,
  output logic [7:0]  c_o,
  output logic [15:0] d_o,
  output logic [7:0]  c0_o,
  output logic [15:0] row_o,       // m at the beginning of the row
  output logic        last_o       // the last words of the vector
);

  logic [15:0] m_q, d_q, row_m_q, row_d_q, b_q, b0_q, sta_q, stb_q, std_q, offset_q, next_offset_q;
  logic [7:0]  c_q, c0_q, str_q, vl_q, vl_last_q, left_q;
  logic        b_mem_q, b_word_q, to_mem_q;

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
      MoveGroup:            base = list_i;
      MoveIndex: begin
        base    = list_i;
        move_by = offset_q;
      end
      MoveColumn: begin
        base    = list_i;
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
        move_by = half_i ? {7'b0, vl_q == '0, vl_q} << LaneBits : '0;
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
    logic [7:0]  c, c0, c_next, left_next;
    {m, b, d, next_offset, c, c0, c_next, left_next} = '0;
    if (en_i) begin
      m           = m_sum();
      b           = b_sum();
      d           = d_sum();
      c0          = c0_q;
      c           = c0_q + str_q;
      c_next      = c_q + 8'd1;
      left_next   = left_q - 8'd1;
      next_offset = next_offset_q;
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
          c_q    <= c0;
          left_q <= vl_last_q;
        end
        MoveInterleave: begin
          m_q    <= m;
          c_q    <= c_next;
          left_q <= left_next;
        end
        MoveGroup: begin
          m_q           <= m;
          b_q           <= b;
          c_q           <= slot_i;
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
          c_q           <= slot_i;
          left_q        <= left_next;
          offset_q      <= next_offset;
          next_offset_q <= next_offset + 16'(Lanes);
        end
        default: ;
      endcase
    end
    if (start_i) begin
      m_q       <= m_i;
      b_q       <= b_i;
      c_q       <= c_i;
      d_q       <= d_i;
      row_m_q   <= m_i;
      row_d_q   <= row_d_i;
      b0_q      <= b_i;
      c0_q      <= c0_i;
      sta_q     <= sta_i;
      str_q     <= str_i;
      stb_q     <= stb_i;
      std_q     <= std_i;
      vl_q      <= vl_i;
      vl_last_q <= vl_last_i;
      left_q    <= vl_last_i;
      b_mem_q   <= b_mem_i;
      b_word_q  <= b_word_i;
      to_mem_q  <= to_mem_i;
    end
  end

  assign m_o    = m_q;
  assign b_o    = b_q;
  assign c_o    = c_q;
  assign d_o    = d_q;
  assign c0_o   = c0_q;
  assign row_o  = row_m_q;
  assign last_o = left_q == '0;

endmodule
