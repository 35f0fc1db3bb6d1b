/// Main's candidate: what all beats of its instruction have in common, changed where one is special (pe_main_seq). No state.
module pe_main_beat
  import pe_pkg::*;
  import pe_seq_pkg::*;
(
  input  main_state_e state_i,
  input  beat_t       beat_i,
  // its addresses
  input  logic [15:0] m_i,
  input  logic [7:0]  b_i,
  input  logic [7:0]  c_i,
  input  logic [15:0] d_i,
  input  logic        same_i,       // the result goes where c comes from
  // vdot
  input  logic        first_i,      // the first words: there is nothing to add to
  input  logic        par_i,        // dy is in this register
  input  logic        fetch_par_i,  // ... and goes into this one
  output beat_t       beat_o,
  output beat_addr_t  addr_o
);

  always_comb begin
    beat_o = beat_i;
    addr_o = '{m: m_i, b: b_i, c: c_i, d: same_i ? {8'b0, c_i} : d_i};
    case (state_i)
      MsVfScalar: begin
        beat_o                = '0;
        beat_o.read.m_re      = 1'b1;
        beat_o.select.ms_load = 1'b1;
      end
      MsVcrReset: begin
        beat_o.read.c_re = 1'b0;
        beat_o.lanes.c   = BeatCZero;
        addr_o.d         = {8'b0, c_i};
      end
      MsVdotFetch: begin
        beat_o                = '0;
        beat_o.read.c_re      = 1'b1;
        beat_o.select.dy_load = 1'b1;
        beat_o.select.dy_par  = fetch_par_i;
        addr_o.c              = b_i;
      end
      MsVdot: begin
        beat_o.select.dy_par = par_i;
        if (first_i) begin
          beat_o.read.c_re = 1'b0;
          beat_o.lanes.c   = BeatCZero;
        end
      end
      default: ;
    endcase
  end

endmodule
