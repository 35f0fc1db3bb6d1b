/// One tile between registers: a tile has more ports than an FPGA has pins, and its timing counts from register
/// to register. Only for measuring (fpga/synth_tile.sh).
///
/// Every input of the tile is a bit of a chain that `si_i` feeds. Every output goes into a register, and all of those,
/// four and four together, into one bit, `so_o`: nothing of the tile can be left out, and little is added to it.
/// The simulator's outputs (counters, dbg_o) are left open, so what they need is not built.
module tile_top
  import weft_pkg::*;
#(
  parameter int unsigned SramKib = 36
) (
  input  logic clk_i,
  input  logic si_i,
  output logic so_o
);

  localparam int unsigned Colors = 4;

  typedef struct packed {
    logic                   rst;
    logic [7:0]             row, rows, col, east, sram_kib;
    logic [3:0]             valid;
    msg_t [3:0]             msg;
    logic [3:0][Colors-1:0] credit;
  } in_t;

  typedef struct packed {
    logic [3:0]             valid;
    msg_t [3:0]             msg;
    logic [3:0][Colors-1:0] credit;
    logic                   awake;
    logic [7:0]             flags;
  } out_t;

  localparam int unsigned InBits  = $bits(in_t);
  localparam int unsigned OutBits = $bits(out_t);

  localparam int unsigned Fours   = (OutBits + 3) / 4;
  localparam int unsigned Sixteen = (Fours + 3) / 4;

  in_t                in_q;
  out_t               out, out_q;
  logic [Fours-1:0]   fours_q;
  logic [Sixteen-1:0] sixteen_q;
  logic               so_q;

  always_ff @(posedge clk_i) begin
    in_q  <= {in_q[InBits-2:0], si_i};
    out_q <= out;
    for (int unsigned i = 0; i < Fours; i++) fours_q[i] <= ^4'((4 * Fours)'(out_q) >> (4 * i));
    for (int unsigned i = 0; i < Sixteen; i++) sixteen_q[i] <= ^4'((4 * Sixteen)'(fours_q) >> (4 * i));
    so_q <= ^sixteen_q;
  end
  assign so_o = so_q;

  /* verilator lint_off PINCONNECTEMPTY */
  tile #(.SramKib(SramKib), .Colors(Colors), .Turns(isa_pkg::KernelTurns)) i_tile (
    .clk_i, .rst_i(in_q.rst), .row_i(in_q.row), .rows_i(in_q.rows), .col_i(in_q.col), .east_i(in_q.east),
    .sram_kib_i(in_q.sram_kib),
    .n_valid_i(in_q.valid[0]), .n_msg_i(in_q.msg[0]), .n_credit_i(in_q.credit[0]),
    .e_valid_i(in_q.valid[1]), .e_msg_i(in_q.msg[1]), .e_credit_i(in_q.credit[1]),
    .s_valid_i(in_q.valid[2]), .s_msg_i(in_q.msg[2]), .s_credit_i(in_q.credit[2]),
    .w_valid_i(in_q.valid[3]), .w_msg_i(in_q.msg[3]), .w_credit_i(in_q.credit[3]),
    .n_valid_o(out.valid[0]), .n_msg_o(out.msg[0]), .n_credit_o(out.credit[0]),
    .e_valid_o(out.valid[1]), .e_msg_o(out.msg[1]), .e_credit_o(out.credit[1]),
    .s_valid_o(out.valid[2]), .s_msg_o(out.msg[2]), .s_credit_o(out.credit[2]),
    .w_valid_o(out.valid[3]), .w_msg_o(out.msg[3]), .w_credit_o(out.credit[3]),
    .awake_o(out.awake), .flags_o(out.flags),
    .fma_lanes_o(), .beats_o(), .main_issue_o(), .psum_issue_o(), .dbg_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
