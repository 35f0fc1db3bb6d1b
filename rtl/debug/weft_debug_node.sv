// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// A node of the debug chain: a shift register of 40 bits between two wires in and two wires out.
///
/// ```
///   shift_i  ___/¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯\______
///               take 40 x nodes     update
/// ```
///
/// In the first cycle of `shift` the status word is loaded into the register's lower 16 bits; in each later cycle the
/// register shifts by one bit. When `shift` ends, the register holds a command: `update_o` is set for one cycle. Both
/// wires leave a cycle after they arrive, so every node sees the same waveform, one cycle after the node before it,
/// however long the chain is.
module weft_debug_node
  import weft_debug_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_i,
  input  chain_t              chain_i,
  output chain_t              chain_o,
  input  logic [WordBits-1:0] status_i,
  output command_t            command_o,
  output logic                update_o
);

  logic                shift_q, data_q;
  logic [NodeBits-1:0] reg_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) shift_q <= 1'b0;
    else shift_q <= chain_i.shift;
    if (chain_i.shift) begin
      if (shift_q) reg_q <= {chain_i.data, reg_q[NodeBits-1:1]};
      else reg_q[WordBits-1:0] <= status_i;
    end
    data_q <= reg_q[0];
  end

  assign chain_o   = '{shift: shift_q, data: data_q};
  assign command_o = reg_q;
  assign update_o  = shift_q & ~chain_i.shift;

endmodule
