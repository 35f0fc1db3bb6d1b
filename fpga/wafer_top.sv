/// A small wafer between registers, without a link to a host: what a mesh takes and how fast it is. Only for measuring
/// (fpga/synth_wafer.sh); tile_top does the same for one tile.
module wafer_top
  import weft_pkg::*;
#(
  parameter int unsigned Rows    = 2,
  parameter int unsigned Cols    = 4,
  parameter int unsigned SramKib = 36
) (
  input  logic clk_i,
  input  logic si_i,
  output logic so_o
);

  typedef struct packed {
    logic            rst;
    logic [7:0]      sram_kib;
    logic            valid, ctrl;
    logic [31:0]     data;
    logic [Rows-1:0] ready;
  } in_t;

  typedef struct packed {
    logic                      ready;
    logic [Rows-1:0]           valid;
    msg_t [Rows-1:0]           msg;
    logic                      awake;
    logic [Rows*Cols-1:0][7:0] tile_flags;
    logic [Rows-1:0][7:0]      edge_flags;
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

  logic [31:0] data [1];
  msg_t        msg [Rows];
  logic [7:0]  tile_flags [Rows*Cols], edge_flags [Rows];
  assign data[0] = in_q.data;
  always_comb begin
    for (int unsigned r = 0; r < Rows; r++) out.msg[r] = msg[r];
    for (int unsigned r = 0; r < Rows; r++) out.edge_flags[r] = edge_flags[r];
    for (int unsigned t = 0; t < Rows * Cols; t++) out.tile_flags[t] = tile_flags[t];
  end

  /* verilator lint_off PINCONNECTEMPTY */
  wafer #(.Rows(Rows), .Cols(Cols), .SramKib(SramKib), .Turns(isa_pkg::KernelTurns)) i_wafer (
    .clk_i, .rst_i(in_q.rst), .sram_kib_i(in_q.sram_kib),
    .valve_valid_i(in_q.valid), .valve_ctrl_i(in_q.ctrl), .valve_data_i(data), .valve_ready_o(out.ready),
    .outlet_valid_o(out.valid), .outlet_msg_o(msg), .outlet_ready_i(in_q.ready),
    .awake_o(out.awake), .tile_flags_o(tile_flags), .edge_flags_o(edge_flags),
    .fma_lanes_o(), .beats_o(), .tile_awake_o(), .dbg_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
