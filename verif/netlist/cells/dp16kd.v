/// A block RAM: 1024 words of 18 bits, or narrower words, or 512 of 36. Port A writes, and reads the previous contents; port B
/// reads. Not modelled, and rejected: writes through B, other output modes, output registers, resets of A's output, resets
/// without a clock, inverted clocks, chip selects.
///
/// Words of 18 and 36 bits have enables for each 9 bits in the lowest address bits of A. The addresses of narrower words begin
/// lower: of 9 bits at bit 3, of 4 bits at bit 2; those of 4 bits skip every ninth bit. A word of 36 bits has its upper half
/// in DIB and in DOB.
///
/// The value that B reads where A writes at the same edge is undefined: this model returns the old word with the written bits
/// inverted, so that nothing can rely on it.
module DP16KD #(
  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18,
  parameter REGMODE_A = "NOREG", REGMODE_B = "NOREG",
  parameter RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC",
  parameter CSDECODE_A = "0b000", CSDECODE_B = "0b000",
  parameter WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL",
  parameter CLKAMUX = "CLKA", CLKBMUX = "CLKB",
  parameter GSR = "ENABLED",
  parameter [319:0] INITVAL_00 = 320'h0, INITVAL_01 = 320'h0, INITVAL_02 = 320'h0, INITVAL_03 = 320'h0,
  parameter [319:0] INITVAL_04 = 320'h0, INITVAL_05 = 320'h0, INITVAL_06 = 320'h0, INITVAL_07 = 320'h0,
  parameter [319:0] INITVAL_08 = 320'h0, INITVAL_09 = 320'h0, INITVAL_0A = 320'h0, INITVAL_0B = 320'h0,
  parameter [319:0] INITVAL_0C = 320'h0, INITVAL_0D = 320'h0, INITVAL_0E = 320'h0, INITVAL_0F = 320'h0,
  parameter [319:0] INITVAL_10 = 320'h0, INITVAL_11 = 320'h0, INITVAL_12 = 320'h0, INITVAL_13 = 320'h0,
  parameter [319:0] INITVAL_14 = 320'h0, INITVAL_15 = 320'h0, INITVAL_16 = 320'h0, INITVAL_17 = 320'h0,
  parameter [319:0] INITVAL_18 = 320'h0, INITVAL_19 = 320'h0, INITVAL_1A = 320'h0, INITVAL_1B = 320'h0,
  parameter [319:0] INITVAL_1C = 320'h0, INITVAL_1D = 320'h0, INITVAL_1E = 320'h0, INITVAL_1F = 320'h0,
  parameter [319:0] INITVAL_20 = 320'h0, INITVAL_21 = 320'h0, INITVAL_22 = 320'h0, INITVAL_23 = 320'h0,
  parameter [319:0] INITVAL_24 = 320'h0, INITVAL_25 = 320'h0, INITVAL_26 = 320'h0, INITVAL_27 = 320'h0,
  parameter [319:0] INITVAL_28 = 320'h0, INITVAL_29 = 320'h0, INITVAL_2A = 320'h0, INITVAL_2B = 320'h0,
  parameter [319:0] INITVAL_2C = 320'h0, INITVAL_2D = 320'h0, INITVAL_2E = 320'h0, INITVAL_2F = 320'h0,
  parameter [319:0] INITVAL_30 = 320'h0, INITVAL_31 = 320'h0, INITVAL_32 = 320'h0, INITVAL_33 = 320'h0,
  parameter [319:0] INITVAL_34 = 320'h0, INITVAL_35 = 320'h0, INITVAL_36 = 320'h0, INITVAL_37 = 320'h0,
  parameter [319:0] INITVAL_38 = 320'h0, INITVAL_39 = 320'h0, INITVAL_3A = 320'h0, INITVAL_3B = 320'h0,
  parameter [319:0] INITVAL_3C = 320'h0, INITVAL_3D = 320'h0, INITVAL_3E = 320'h0, INITVAL_3F = 320'h0
) (
  input CLKA, CLKB, CEA, CEB, OCEA, OCEB, WEA, WEB, RSTA, RSTB, CSA0, CSA1, CSA2, CSB0, CSB1, CSB2,
  input ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
  // verilator lint_off UNUSEDSIGNAL
  input ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
  // verilator lint_on UNUSEDSIGNAL
  input DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8, DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16,
      DIA17,
  input DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16,
      DIB17,
  output DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16,
      DOA17,
  output DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16,
      DOB17
);
  if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG") $error("DP16KD: output registers are not modelled");
  if (CSDECODE_A != "0b000" || CSDECODE_B != "0b000") $error("DP16KD: this CSDECODE is not modelled");
  if (CLKAMUX != "CLKA" || CLKBMUX != "CLKB") $error("DP16KD: inverted clocks are not modelled");
  if (GSR != "DISABLED") $error("DP16KD: GSR is not modelled");
  if (RESETMODE != "SYNC" && RESETMODE != "ASYNC") $error("DP16KD: no such RESETMODE");
  if (DATA_WIDTH_A != 36 && WRITEMODE_A != "READBEFOREWRITE") $error("DP16KD: this WRITEMODE_A is not modelled");
  if (DATA_WIDTH_A != DATA_WIDTH_B) $error("DP16KD: ports of two widths are not modelled");
  if (DATA_WIDTH_A != 4 && DATA_WIDTH_A != 9 && DATA_WIDTH_A != 18 && DATA_WIDTH_A != 36)
    $error("DP16KD: this DATA_WIDTH is not modelled");
  // OCEx enable the output registers, which are not modelled.
  always @(posedge CLKA) begin
    if (WEB && CEB) $fatal(1, "DP16KD: a write through port B is not modelled");
    if (RSTA || (RSTB && RESETMODE == "ASYNC")) $fatal(1, "DP16KD: this reset is not modelled");
    if (CSA0 || CSA1 || CSA2 || CSB0 || CSB1 || CSB2) $fatal(1, "DP16KD: chip selects are not modelled");
  end

  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [35:0] di  = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2,
      DIB1, DIB0, DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2,
      DIA1, DIA0};

  // Words of the widest port; `mask`: the bits of a word selected by a port's width and address, starting at bit `low`.
  reg [35:0] words [0:511];
  function [5:0] low(input [4:0] address);
    case (DATA_WIDTH_A)
      4:       low = 6'd9 * {4'b0, address[4:3]} + (address[2] ? 6'd4 : 6'd0);
      9:       low = 6'd9 * {4'b0, address[4:3]};
      18:      low = address[4] ? 6'd18 : 6'd0;
      default: low = 6'd0;
    endcase
  endfunction
  function [35:0] enabled(input [3:0] bytes);  // written bits of a word of this port
    case (DATA_WIDTH_A)
      4:       enabled = 36'hf;
      9:       enabled = 36'h1ff;
      18:      enabled = {18'h0, {9{bytes[1]}}, {9{bytes[0]}}};
      default: enabled = {{9{bytes[3]}}, {9{bytes[2]}}, {9{bytes[1]}}, {9{bytes[0]}}};
    endcase
  endfunction

  wire        write = CEA && WEA;
  wire [35:0] mask  = enabled(ada[3:0]) << low(ada[4:0]);
  reg  [35:0] read_a, read_b;
  initial begin
    read_a = 36'h0;
    read_b = 36'h0;
  end
  always @(posedge CLKA) begin
    if (CEA) read_a <= words[ada[13:5]] >> low(ada[4:0]);
    if (write) words[ada[13:5]] <= (words[ada[13:5]] & ~mask) | ((di << low(ada[4:0])) & mask);
  end
  always @(posedge CLKB)
    if (RSTB) read_b <= 36'h0;
    else if (CEB) read_b <= (words[adb[13:5]] ^ (write && ada[13:5] == adb[13:5] ? mask : 36'h0)) >> low(adb[4:0]);

  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1,
      DOA0} = DATA_WIDTH_B == 36 ? read_b[17:0] : read_a[17:0];
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1,
      DOB0} = DATA_WIDTH_B == 36 ? read_b[35:18] : read_b[17:0];

  // INITVAL_n: 16 words of 18 bits, each in 20 bits.
  localparam [64*320-1:0] Contents = {INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39,
      INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
      INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27,
      INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E,
      INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16, INITVAL_15,
      INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C,
      INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08, INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03,
      INITVAL_02, INITVAL_01, INITVAL_00};
  integer i;
  initial
    for (i = 0; i < 512; i = i + 1) words[i] = {Contents[40*i+20+:18], Contents[40*i+:18]};
endmodule
