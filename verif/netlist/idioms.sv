/// Constructs for which yosys uses the cells of a tile, each in the ways a tile uses them: its netlist must behave the
/// same (cells.cpp). All inputs are random bits.
module idioms (
  input  logic         clk_i,
  input  logic [255:0] in_i,
  output logic [35:0]  ram36_o,
  output logic [35:0]  ram36_met_o,
  output logic [35:0]  ram36_reset_o,
  output logic [17:0]  ram18_o,
  output logic [17:0]  ram18_bytes_o,
  output logic [8:0]   ram9_o,
  output logic [3:0]   ram4_o,
  output logic [3:0]   ram4_reset_o,
  output logic [17:0]  rom_o,
  output logic [8:0]   rom9_o,
  output logic [8:0]   rom9_other_o,
  output logic [35:0]  product_o,
  output logic [35:0]  signed_o,
  output logic [35:0]  mixed_o,
  output logic [23:0]  squares_o,
  output logic [7:0]   lutram_o,
  output logic [32:0]  sum_o,
  output logic [32:0]  difference_o,
  output logic [16:0]  odd_o,
  output logic         less_o,
  output logic [6:0]   ff_o
);

  // Few address bits are random, so that reads and writes often meet; the other words exist only to require a block
  // RAM.
  logic we, re, clear;
  logic [3:0] enable;
  assign {we, re, clear, enable} = {in_i[0], in_i[1], in_i[4:2] == '0, in_i[8:5]};

  // 512 words of 36 bits, enables of 9 bits. The value of a read that meets a write is ignored, and is 0 here, except in
  // ram36_met, which cannot be built that way (fpga/flow: -no-rw-check).
  logic [8:0]  w36, r36;
  assign w36 = {in_i[12:10], 4'b0, in_i[14:13]};
  assign r36 = {in_i[17:15], 4'b0, in_i[19:18]};
  (* no_rw_check, ram_style = "block" *) logic [35:0] mem36 [512];
  (* no_rw_check, ram_style = "block" *) logic [35:0] mem36r [512];
  (* ram_style = "block" *) logic [35:0] mem36s [512];
  logic [35:0] read36, read36r;
  logic        met36, met36r;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      if (we && enable[i]) begin
        mem36[w36][9*i+:9]  <= in_i[64+9*i+:9];
        mem36r[w36][9*i+:9] <= in_i[68+9*i+:9];
        mem36s[w36][9*i+:9] <= in_i[80+9*i+:9];
      end
    end
    if (re) begin
      read36       <= mem36[r36];
      ram36_met_o <= mem36s[r36];
      met36        <= we && w36 == r36;
    end
    if (clear) met36r <= 1'b0;
    else if (re) met36r <= we && w36 == r36;
    if (clear) read36r <= '0;
    else if (re) read36r <= mem36r[r36];
  end
  assign ram36_o       = met36 ? '0 : read36;
  assign ram36_reset_o = met36r ? '0 : read36r;

  // 1024 words of 18 bits, one enable and one for each half; 2048 of 9; 4096 of 4, read with and without a reset.
  logic [9:0]  w18, r18;
  logic [10:0] w9, r9;
  logic [11:0] w4, r4;
  assign {w18, r18} = {in_i[22:20], 5'b0, in_i[24:23], in_i[27:25], 5'b0, in_i[29:28]};
  assign {w9, r9}   = {in_i[32:30], 5'b0, in_i[35:33], in_i[38:36], 5'b0, in_i[41:39]};
  assign {w4, r4}   = {in_i[44:42], 6'b0, in_i[47:45], in_i[50:48], 6'b0, in_i[53:51]};
  (* no_rw_check, ram_style = "block" *) logic [17:0] mem18 [1024];
  (* no_rw_check, ram_style = "block" *) logic [17:0] mem18b [1024];
  (* no_rw_check, ram_style = "block" *) logic [8:0]  mem9 [2048];
  (* no_rw_check, ram_style = "block" *) logic [3:0]  mem4 [4096];
  (* no_rw_check, ram_style = "block" *) logic [3:0]  mem4r [4096];
  logic [17:0] read18, read18b;
  logic [8:0]  read9;
  logic [3:0]  read4, read4r;
  logic        met18, met9, met4, met4r;
  always_ff @(posedge clk_i) begin
    if (we) begin
      mem18[w18] <= in_i[81:64];
      mem9[w9]   <= in_i[90:82];
      mem4[w4]   <= in_i[94:91];
      mem4r[w4]  <= in_i[98:95];
    end
    for (int unsigned i = 0; i < 2; i++) if (enable[i]) mem18b[w18][9*i+:9] <= in_i[100+9*i+:9];
    if (re) begin
      {read18, met18} <= {mem18[r18], we && w18 == r18};
      {read9, met9}   <= {mem9[r9], we && w9 == r9};
    end
    {read18b, read4, met4} <= {mem18b[r18], mem4[r4], we && w4 == r4};
    if (clear) met4r <= 1'b0;
    else if (re) met4r <= we && w4 == r4;
    if (clear) read4r <= '0;
    else if (re) read4r <= mem4r[r4];
  end
  logic meet18b;
  always_ff @(posedge clk_i) meet18b <= enable[1:0] != '0 && w18 == r18;
  assign ram18_o       = met18 ? '0 : read18;
  assign ram18_bytes_o = meet18b ? '0 : read18b;
  assign ram9_o        = met9 ? '0 : read9;
  assign ram4_o        = met4 ? '0 : read4;
  assign ram4_reset_o  = met4r ? '0 : read4r;

  // Tables of 18 bits, and of 9 bits with two read ports, with contents that would reveal a shift of the address.
  (* rom_style = "block", ram_style = "block" *) logic [17:0] table18 [1024];
  (* rom_style = "block", ram_style = "block" *) logic [8:0]  table9 [2048];
  initial begin
    for (int unsigned i = 0; i < 1024; i++) table18[i] = 18'(i * 32'h9e3b + 32'd12345);
    for (int unsigned i = 0; i < 2048; i++) table9[i] = 9'(i * 32'h135 + (i >> 3));
  end
  always_ff @(posedge clk_i) begin
    if (re) rom_o <= table18[in_i[119:110]];
    if (we) rom9_o <= table9[in_i[130:120]];
    if (in_i[2]) rom9_other_o <= table9[in_i[141:131]];
  end

  // Products between registers.
  logic [17:0] a, b;
  always_ff @(posedge clk_i) {a, b} <= in_i[167:132];
  assign product_o = a * b;
  assign signed_o  = 36'($signed(a) * $signed(b));
  assign mixed_o   = 36'($signed(a) * $signed({1'b0, b[16:0]}));
  assign squares_o = {8'b0, a[7:0]} * {8'b0, b[7:0]} + {a[15:0], b[7:0]};

  // 16 words in LUTs with an asynchronous read.
  (* ram_style = "distributed" *) logic [7:0] mem16 [16];
  always_ff @(posedge clk_i) if (we) mem16[in_i[171:168]] <= in_i[183:176];
  assign lutram_o = mem16[in_i[175:172]];

  // Adders: with a constant carry in, of even and odd width, and one that adds or subtracts.
  logic [31:0] x, y;
  assign {x, y} = in_i[247:184];
  assign sum_o        = {1'b0, x} + {1'b0, y};
  assign difference_o = we ? {1'b0, x} - {1'b0, y} : {1'b0, x} + {1'b0, y};
  assign odd_o        = {1'b0, x[15:0]} - {1'b0, y[15:0]};
  assign less_o       = x[19:0] < y[19:0];

  // Flip-flops: plain, with an enable, set and cleared with and without one, powered up as 1.
  logic up = 1'b1;
  logic plain, enabled, set, cleared, set_enabled, cleared_enabled;
  always_ff @(posedge clk_i) begin
    plain <= in_i[248];
    if (in_i[249]) {enabled, set_enabled, cleared_enabled} <= {in_i[250], in_i[251], in_i[252]};
    {set, cleared} <= {in_i[253], in_i[254]};
    if (clear) {set, set_enabled, cleared, cleared_enabled} <= 4'b1100;
    if (in_i[255]) up <= 1'b0;
  end
  assign ff_o = {up, plain, enabled, set, cleared, set_enabled, cleared_enabled};
endmodule
