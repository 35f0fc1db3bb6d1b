/// A project outside of the tree: one wafer of 3 rows, and a weight for row 3, which the wafer must report as lost.
module wafer_tb;
  localparam int unsigned Rows = 3;
  localparam int unsigned Cols = 1;

  logic clk = 1'b0, rst = 1'b1, valid = 1'b0;
  always #5 clk = !clk;

  logic [0:0]  valve_ready;
  logic [31:0] valve_data [1];
  logic        awake, edge_awake;
  logic [7:0]  tile_flags [Rows*Cols], edge_flags [Rows];

  assign valve_data[0] = {16'hffff, 16'h3f80};  // a weight's index, whose uppermost 2 bits are the row, and its value

  /* verilator lint_off PINMISSING */
  weft_wafer #(.Rows(Rows), .Cols(Cols)) i_wafer (
    .clk_i(clk), .rst_i(rst), .sram_kib_i(8'd48),
    .valve_valid_i(valid), .valve_ctrl_i(1'b0), .valve_data_i(valve_data), .valve_groups_i('1),
    .valve_ready_o(valve_ready),
    .outlet_ready_i('1), .awake_o(awake), .edge_awake_o(edge_awake), .tile_flags_o(tile_flags),
    .edge_flags_o(edge_flags), .tally_read_i('0), .chain_i('0)
  );
  /* verilator lint_on PINMISSING */

  initial begin
    repeat (8) @(negedge clk);
    rst = 1'b0;
    repeat (8) @(negedge clk);
    if (awake || edge_flags[Rows-1] != 0) $fatal(1, "awake %b, flags %h after reset", awake, edge_flags[Rows-1]);
    valid = 1'b1;
    do @(negedge clk); while (!valve_ready[0]);
    valid = 1'b0;
    if (!edge_awake) $fatal(1, "asleep with a message under way");
    repeat (32) @(negedge clk);
    if (awake) $fatal(1, "still awake");
    if (edge_flags[Rows-1] != 8'd1 << weft_isa_pkg::FLAG_NO_ROW || edge_flags[0] != 0 || tile_flags[0] != 0)
      $fatal(1, "flags %h %h %h", edge_flags[Rows-1], edge_flags[0], tile_flags[0]);
    $display("wafer works");
    $finish;
  end
endmodule
