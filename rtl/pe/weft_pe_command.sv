// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
/// The command interpreter of a resting tile: takes commands from W, one per cycle (docs/reference/message.md,
/// Commands).
///
/// All outputs are combinational from the front message; the load addresses and the selection are registers here. A
/// command that is not for this tile (SELECT) is taken and ignored.
`include "weft_check.svh"

module weft_pe_command
  import weft_pkg::*;
#(
  parameter int unsigned IDepth = weft_isa_pkg::DefaultIDepth
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  coordinate_t                row_i,
  input  coordinate_t                col_i,
  /// Both threads have halted, and all their beats are written.
  input  logic                       rest_i,
  // the front of W
  input  logic                       valid_i,
  input  logic                       ctrl_i,
  input  logic [31:0]                data_i,
  output logic                       pop_o,
  // effects of a command; the value of SETREG, CALL, MDATA, ROUTE and MARK is the message's
  output logic [3:0]                 arg_o,
  output logic [15:0]                value_o,
  output logic                       set_reg_o,
  output logic                       call_o,
  output logic                       route_o,
  output logic                       i_we_o,
  output logic [$clog2(IDepth)-1:0]  i_addr_o,
  output logic [15:0]                i_low_o,
  output logic                       m_we_o,
  output logic [15:0]                m_addr_o,
  output logic                       mark_o,        // in every tile, selected or not
  output logic                       bad_command_o
);

  localparam int unsigned IBits = $clog2(IDepth);

  logic             selected_q;
  logic [IBits-1:0] i_addr_q;
  logic [15:0]      i_low_q, m_addr_q;
  command_t         cmd;
  select_t          select;

  logic is_mark;
  assign cmd     = command_t'(data_i);
  assign select  = select_t'(data_i[23:0]);
  assign is_mark = cmd.code == weft_isa_pkg::CMD_MARK;

  always_comb begin
    pop_o         = 1'b0;
    set_reg_o     = 1'b0;
    call_o        = 1'b0;
    route_o       = 1'b0;
    i_we_o        = 1'b0;
    m_we_o        = 1'b0;
    bad_command_o = 1'b0;
    if (rest_i && valid_i) begin
      pop_o = 1'b1;
      if (!ctrl_i) begin
        bad_command_o = 1'b1;
      end else begin
        case (cmd.code)
          weft_isa_pkg::CMD_SETREG: set_reg_o = selected_q;
          weft_isa_pkg::CMD_CALL:   call_o = selected_q;
          weft_isa_pkg::CMD_IHI:    i_we_o = selected_q;
          weft_isa_pkg::CMD_ROUTE:  route_o = selected_q;
          weft_isa_pkg::CMD_MDATA:  m_we_o = selected_q;
          weft_isa_pkg::CMD_SELECT, weft_isa_pkg::CMD_IADDR, weft_isa_pkg::CMD_ILO, weft_isa_pkg::CMD_MADDR: ;
          default: bad_command_o = ~is_mark;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin : take
    logic [IBits-1:0] i_next;
    logic [15:0]      m_next;
    {i_next, m_next} = '0;
    if (pop_o && ctrl_i) begin
      i_next = i_addr_q + IBits'(1);
      m_next = m_addr_q + 16'd1;
      if (selected_q) begin
        case (cmd.code)
          weft_isa_pkg::CMD_IADDR: i_addr_q <= cmd.value[IBits-1:0];
          weft_isa_pkg::CMD_ILO:   i_low_q <= cmd.value;
          weft_isa_pkg::CMD_IHI:   i_addr_q <= i_next;
          weft_isa_pkg::CMD_MADDR: m_addr_q <= cmd.value;
          weft_isa_pkg::CMD_MDATA: m_addr_q <= m_next;
          default: ;
        endcase
      end
      if (cmd.code == weft_isa_pkg::CMD_SELECT) begin
        selected_q <= (&select.row | (select.row == row_i)) & (&select.col | (select.col == col_i));
      end
    end
    if (rst_i) selected_q <= 1'b1;
  end

  assign mark_o    = pop_o & ctrl_i & is_mark;
  assign arg_o     = cmd.arg[3:0];
  assign value_o   = cmd.value;
  assign i_addr_o  = i_addr_q;
  assign i_low_o   = i_low_q;
  assign m_addr_o  = m_addr_q;

`ifdef WEFT_CHECKED
  logic [6:0] effects;
  assign effects = {set_reg_o, call_o, route_o, i_we_o, m_we_o, mark_o, bad_command_o};
`endif
  // A command has no effect before it is taken: the effect would repeat in the next cycle.
  `WEFT_ASSERT(OneEffectOfATakenCommand, $onehot0(effects) && (effects == '0 || (pop_o && rest_i)))

endmodule
