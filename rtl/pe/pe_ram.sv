/// A block of memory with one write port and `ReadPorts` read ports, all synchronous; the write port has lane enables.
///
/// A read in the same cycle as a write of the same address may give either value; the users exclude it (pe_hazard for the
/// SRAM and the accumulator file; threads rest while instructions are written). Addresses above `Words` are ignored.
///
/// Latency: 1 cycle from re_i to rdata_o, which holds until the next re_i.
module pe_ram #(
  parameter int unsigned Words     = 256,
  parameter int unsigned Lanes     = 4,
  parameter int unsigned LaneWidth = 16,
  parameter int unsigned ReadPorts = 1,
  parameter int unsigned AddrBits  = $clog2(Words)
) (
  input  logic                                       clk_i,
  input  logic [Lanes-1:0]                           we_i,
  input  logic [AddrBits-1:0]                        waddr_i,
  input  logic [Lanes*LaneWidth-1:0]                 wdata_i,
  input  logic [ReadPorts-1:0]                       re_i,
  input  logic [ReadPorts-1:0][AddrBits-1:0]         raddr_i,
  output logic [ReadPorts-1:0][Lanes*LaneWidth-1:0]  rdata_o
);

  (* no_rw_check *) logic [Lanes*LaneWidth-1:0] mem_q [Words] /* verilator public_flat_rw */;
`ifndef SYNTHESIS
  initial for (int unsigned i = 0; i < Words; i++) mem_q[i] = '0;
`endif

  // Both write the lanes that are enabled. Block RAM has an enable for each lane; a simulator is faster with one write.
`ifdef SYNTHESIS
  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (we_i[l]) mem_q[waddr_i][l*LaneWidth+:LaneWidth] <= wdata_i[l*LaneWidth+:LaneWidth];
    end
  end
`else
  always_ff @(posedge clk_i) begin : write
    logic [Lanes*LaneWidth-1:0] word;
    word = '0;
    if (we_i != '0) begin
      word = mem_q[waddr_i];
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (we_i[l]) word[l*LaneWidth+:LaneWidth] = wdata_i[l*LaneWidth+:LaneWidth];
      end
      mem_q[waddr_i] <= word;
    end
  end
`endif

  for (genvar r = 0; r < int'(ReadPorts); r++) begin : gen_read
    logic [Lanes*LaneWidth-1:0] rdata_q;

    always_ff @(posedge clk_i) begin
      if (re_i[r]) rdata_q <= mem_q[raddr_i[r]];
    end
    assign rdata_o[r] = rdata_q;
  end

endmodule
