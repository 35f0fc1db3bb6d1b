/// The table functions' place in the pipeline: a result comes in as bf16 at t+6, what the table says leaves at t+8.
///
/// The tables rest while no beat with such a function is near its end.
module pe_table
  import num_pkg::*;
#(
  parameter int unsigned Lanes = 4
) (
  input  logic                clk_i,
  input  logic                rst_i,
  /// t+3: there is a beat, it has a table function, this one.
  input  logic                valid3_i,
  input  logic                sfu3_i,
  input  sfu_fn_e             fn3_i,
  /// t+6: wants the results of this cycle.
  output logic                x6_re_o,
  input  logic [Lanes*16-1:0] x6_i,
  /// t+8
  output logic [Lanes*16-1:0] y8_o
);

  logic [2:0]          sfu_q;      // a table function is in t+6, t+5, t+4
  logic [2:0][1:0]     fn_q;       // and which
  logic                sfu7_q;
  logic [Lanes*16-1:0] table7;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      sfu_q  <= '0;
      sfu7_q <= 1'b0;
    end else if ((valid3_i && sfu3_i) || sfu_q != '0 || sfu7_q) begin
      sfu_q  <= {sfu_q[1:0], valid3_i & sfu3_i};
      fn_q   <= {fn_q[1:0], fn3_i};
      sfu7_q <= sfu_q[2];
      if (sfu7_q) y8_o <= table7;
    end
  end

  assign x6_re_o = sfu_q[2];

  sfu #(.Lanes(Lanes)) i_sfu (
    .clk_i, .valid_i(sfu_q[2]), .fn_i(sfu_fn_e'(fn_q[2])), .x_i(x6_i), .y_o(table7)
  );

endmodule
