// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The table functions' place in the pipeline: a result arrives as bf16 at t+7, and its function's value leaves at
/// t+9+Steps. `Units` lanes have a table unit; the lanes of a beat take turns.
///
/// ```
///   t+7             t+8               t+9               t+10              t+11
///   round to bf16 │ lanes 0, 1 look │ lanes 2, 3 look │                 │ write
///                 │ up              │ up; 0, 1 done   │ 2, 3 done       │              (4 lanes, 2 units)
/// ```
///
/// Contract: beats with a table function are at least Steps cycles apart (pe_hazard).
module weft_pe_table
  import weft_num_pkg::*;
#(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Steps = weft_pe_pkg::table_steps(Lanes)
) (
  input  logic                clk_i,
  input  logic                rst_i,
  /// t+3: a beat; it has a table function; the function.
  input  logic                valid3_i,
  input  logic                sfu3_i,
  input  sfu_fn_e             fn3_i,
  /// t+7: x7_i is used in this cycle.
  output logic                x7_re_o,
  input  logic [Lanes*16-1:0] x7_i,
  /// t+9+Steps
  output logic [Lanes*16-1:0] y_o
);

  localparam int unsigned Units = Lanes / Steps;

  logic [3:0]          sfu_q;      // a table function's beat is in t+7, t+6, t+5, t+4
  logic [3:0][1:0]     fn_q;       // the beat's function
  logic [Steps-1:0]    in_q;       // some of the beat's lanes look up
  logic                out_q;      // some lanes are done
  logic [1:0]          fn8_q;
  logic [Lanes*16-1:0] x_q, y_q;   // x moves down to the units, y from the top
  logic [Units*16-1:0] y;

  always_ff @(posedge clk_i) begin
    if ((valid3_i && sfu3_i) || sfu_q != '0 || in_q != '0 || out_q) begin
      if (in_q != '0) x_q <= x_q >> (Units * 16);
      if (sfu_q[3]) begin
        x_q   <= x7_i;
        fn8_q <= fn_q[3];
      end
      if (out_q) y_q <= (Lanes * 16)'({y, y_q} >> (Units * 16));
      out_q <= in_q != '0;
      in_q  <= Steps'({in_q, sfu_q[3]});
      sfu_q <= {sfu_q[2:0], valid3_i & sfu3_i};
      fn_q  <= {fn_q[2:0], fn3_i};
    end
    if (rst_i) begin
      sfu_q <= '0;
      in_q  <= '0;
      out_q <= 1'b0;
    end
  end

  assign x7_re_o = sfu_q[3];
  assign y_o     = y_q;

  weft_sfu #(.Lanes(Units)) i_sfu (
    .clk_i, .valid_i(in_q != '0), .fn_i(sfu_fn_e'(fn8_q)), .x_i(x_q[Units*16-1:0]), .y_o(y)
  );

endmodule
