/// pe_command: a command is taken only at rest and does one thing, for selected tiles, and words go to consecutive
/// addresses.
///
/// The expected result of each message is specified here independently, after docs/reference/message.md (Commands).
`include "proof.svh"

module command_proof
  import weft_pkg::*;
(
  input logic        clk_i,
  input logic        rst_i,
  input coordinate_t row_i,
  input coordinate_t col_i,
  input logic        rest_i,
  input logic        valid_i,
  input logic        ctrl_i,
  input logic [31:0] data_i
);

  localparam int unsigned IBits = $clog2(weft_isa_pkg::DefaultIDepth);

  `PROOF

  logic             pop, set_reg, call, route, i_we, m_we, mark, bad_command;
  logic [3:0]       arg;
  logic [15:0]      value, i_low, m_addr;
  logic [IBits-1:0] i_addr;

  weft_pe_command i_dut (
    .clk_i, .rst_i, .row_i, .col_i, .rest_i, .valid_i, .ctrl_i, .data_i, .pop_o(pop), .arg_o(arg), .value_o(value),
    .set_reg_o(set_reg), .call_o(call), .route_o(route), .i_we_o(i_we), .i_addr_o(i_addr), .i_low_o(i_low),
    .m_we_o(m_we), .m_addr_o(m_addr), .mark_o(mark), .bad_command_o(bad_command)
  );

  // ----------------------------------------------------------------------------------- the selection, and the addresses
  command_t cmd;
  logic     taken, selected_q, m_base_known_q, i_base_known_q;  // command taken; tile selected; an address was given
  logic [15:0]      m_base_q, m_words_q;                        // the given address, and the words written since
  logic [IBits-1:0] i_base_q, i_words_q;
  assign cmd   = command_t'(data_i);
  assign taken = rest_i && valid_i && ctrl_i;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      {selected_q, m_base_known_q, i_base_known_q} <= 3'b100;
    end else if (taken) begin
      if (cmd.code == weft_isa_pkg::CMD_SELECT) begin
        selected_q <= (data_i[23:12] == 12'hfff || data_i[23:12] == row_i)
                      && (data_i[11:0] == 12'hfff || data_i[11:0] == col_i);
      end
      if (selected_q && cmd.code == weft_isa_pkg::CMD_MADDR) {m_base_known_q, m_base_q, m_words_q} <= {1'b1, cmd.value, 16'd0};
      if (selected_q && cmd.code == weft_isa_pkg::CMD_MDATA) m_words_q <= m_words_q + 16'd1;
      if (selected_q && cmd.code == weft_isa_pkg::CMD_IADDR) begin
        {i_base_known_q, i_base_q, i_words_q} <= {1'b1, cmd.value[IBits-1:0], IBits'(0)};
      end
      if (selected_q && cmd.code == weft_isa_pkg::CMD_IHI) i_words_q <= i_words_q + IBits'(1);
    end
  end
  `PROVE(AddressesMoveWithEachWord, (!m_base_known_q || m_addr == m_base_q + m_words_q)
                                    && (!i_base_known_q || i_addr == i_base_q + i_words_q))
  `PROVE(SelectionIsTheLast, i_dut.selected_q == selected_q)

  // --------------------------------------------------------------------------------------------------------- properties
  `PROVE(TakenAtRestAtOnce, pop == (rest_i && valid_i))
  `PROVE(OnlySelectedTilesAct, selected_q || {set_reg, call, route, i_we, m_we} == '0)
  `PROVE(DataAtRestIsFlagged, !(pop && !ctrl_i) || bad_command)
  `PROVE(AWordForEachWrite, m_we == (taken && selected_q && cmd.code == weft_isa_pkg::CMD_MDATA)
                            && i_we == (taken && selected_q && cmd.code == weft_isa_pkg::CMD_IHI))
  `PROVE(EveryTileMarks, mark == (taken && cmd.code == weft_isa_pkg::CMD_MARK) && !(mark && bad_command))
  `COVER(AWordWaitsForRest, valid_i && !rest_i && selected_q && m_base_known_q)
  `COVER(TheThirdWord, m_we && m_base_known_q && m_words_q == 16'd2)
  `COVER(AMarkOfAnotherTile, mark && !selected_q)
  `COVER(AnotherTileIsMeant, pop && !selected_q && cmd.code == weft_isa_pkg::CMD_CALL)

  logic unused;
  assign unused = ^{arg, value, i_low};

endmodule
